/* A convolution as matrix products of the windows of some output places and the kernel.

   The batch, the spatial dimensions and the features of a group are treated alike: a place in the output and a place in
   the window give the input coordinate place·stride + window·dilation - padding. The batch's window has one place; the
   features have one place in the output and a window of all features.

   A product adds rows of one matrix, each times a row of a panel, to rows of the output, some at a time in registers. If
   the output's features are contiguous, its rows are places and the panel is part of the kernel; windows are read in
   place, through a table of pointers to their runs (READ), or copied first (COPIED). If the output's places are
   contiguous, its rows are features and the panel is a copy of windows (ACROSS). If each feature is convolved by itself,
   vectors of features are multiplied instead, which are contiguous in the input, the kernel and the output (EACH). */

enum { MOST = 5 };

struct convolution {
  long rank;
  long places[MOST], window[MOST];    /* how many positions the output and a window have */
  long stride[MOST], dilation[MOST];  /* negative for a reversed window */
  long padding[MOST], base[MOST];     /* before the input; the base dilation: zeros are between its elements */
  long size[MOST], step[MOST];        /* of the input; between its elements in memory */
  long place_order[MOST], window_order[MOST]; /* outermost first */
  long outer_count, outer[MOST], outer_step[MOST]; /* output dimensions that are loops, and their steps in the output */
  long groups, group_input, group_kernel, group_output;
  long rows, depth, features;         /* of the product: the places, a window's elements, the output features */
  long row_step, depth_step, kernel_feature_step, feature_step; /* in the output, the kernel, the kernel, the output */
  long kind, run;                     /* READ or another; a window consists of runs of this many contiguous elements */
  long part_rows, part_features, part_depth; /* of a piece of work; the depth is what it multiplies at a time */
  long scratch;                       /* the scratch memory of a thread in bytes */
  long width;                         /* if the kernel is packed: the columns of a panel; else 0 */
  long portion, held;                    /* rows that the next kernel consumes at a time; bytes of scratch for its rows */
};

typedef void (*convolve)(const struct context *, const struct convolution *, long, const void *, const void *, void *,
                         char *, void (*)(void *const *, long, long), void *const *, long, long);

/* sizes */
/* Compilers take longer over one large function than over its parts. */
#define NOINLINE static __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))
enum { MOST_BUFFERS = 32, READ = 0, COPIED = 1, ACROSS = 2, EACH = 3 };
/* The places of a line at which features are convolved by themselves: image sizes are often multiples of 7. */
enum { TALL = 7 };
/* The most terms of a partial sum: adding all of them one after the other would be less exact the more there are. */
enum { TERMS = 128 };
typedef long LONGS __attribute__((vector_size(64), aligned(8), may_alias));
/* What fits the registers: rows of the output, and the vectors in a row. */
#if defined __AVX512F__
enum { BYTES = 64, ROWS = 6, VECTORS = 4 };
#elif defined __aarch64__
enum { BYTES = 16, ROWS = 6, VECTORS = 4 };
#elif defined __AVX__
enum { BYTES = 32, ROWS = 6, VECTORS = 2 };
#elif defined __wasm__ /* browsers' compilers run out of registers before the processor does */
enum { BYTES = 16, ROWS = 4, VECTORS = 2 };
#else
enum { BYTES = 16, ROWS = 6, VECTORS = 2 };
#endif

/* The index along each dimension of what has this number; `order` has the outermost dimension first. */
INLINE void to_index(long rank, const long *order, const long *sizes, long number, long *index) {
  for (long i = rank - 1; i >= 0; number /= sizes[order[i--]]) index[order[i]] = number % sizes[order[i]];
}

/* Begin with the next line of the dimension around one whose end is reached. */
INLINE void carry(long rank, const long *order, const long *sizes, long *index) {
  for (long i = rank - 1; i > 0 && index[order[i]] == sizes[order[i]]; i--) index[order[i]] = 0, index[order[i - 1]]++;
}

/* Which element has a coordinate, negative in the padding and between elements. */
INLINE long element_at(const struct convolution *v, long d, long q) {
  if (v->base[d] > 1) q = q % v->base[d] ? -1 : q / v->base[d];
  return q < v->size[d] ? q : -1;
}

/* product */
/* Multiply `taps` runs of each row by the panel, for output rows of COUNT vectors. */
NOINLINE void PRODUCT(const T *const *a, long taps, long from, long run, const T *panel, long panel_step, T *y, long y_step,
                    int more) {
#ifdef __clang__
#pragma clang fp contract(fast)
#endif
  VECTOR sum[ROWS][COUNT] = {0};
  for (; taps > 0; taps--, a += ROWS) {
    const T *x[ROWS];
    for (int r = 0; r < ROWS; r++) x[r] = a[r] + from;
    for (long e = 0; e < run; e++, panel += panel_step) {
      VECTOR b[COUNT];
      for (int c = 0; c < COUNT; c++) b[c] = ((const VECTOR *)panel)[c];
      for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COUNT; c++) sum[r][c] += b[c] * x[r][e];
    }
  }
  UNROLL
  for (int r = 0; r < ROWS; r++)
    UNROLL
    for (int c = 0; c < COUNT; c++) {
      VECTOR *const to = (VECTOR *)(y + r * y_step) + c;
      if (more) sum[r][c] += *to;
      *to = sum[r][c];
    }
}

/* Convolve features of COUNT vectors, each by itself, at up to TALL places, given pointers to the runs of each tap. */
NOINLINE void APART(const LONGS *at, long taps, long from, const T *w, long w_step, T *y, long y_step, long rows, int more) {
#ifdef __clang__
#pragma clang fp contract(fast)
#endif
  VECTOR sum[TALL][COUNT] = {0};
  for (; taps > 0; taps--, at++, w += w_step) {
    VECTOR b[COUNT];
    for (int c = 0; c < COUNT; c++) b[c] = ((const VECTOR *)w)[c];
    for (int r = 0; r < TALL; r++)
      for (int c = 0; c < COUNT; c++) sum[r][c] += b[c] * ((const VECTOR *)(((const T *const *)at)[r] + from))[c];
  }
  UNROLL
  for (int r = 0; r < TALL; r++)
    UNROLL
    for (int c = 0; c < COUNT; c++) {
      VECTOR *const to = (VECTOR *)(y + r * y_step) + c;
      if (r >= rows) continue;
      if (more) sum[r][c] += *to;
      *to = sum[r][c];
    }
}

/* functions */
NOINLINE void FILL(const struct convolution *v, const long *padding, const T *x, T *to, long to_step, long row,
                 long row_end, long column, long column_end) {
  const long *rows = v->kind == ACROSS ? v->window : v->places, *columns = v->kind == ACROSS ? v->places : v->window;
  const long *row_order = v->kind == ACROSS ? v->window_order : v->place_order;
  const long *column_order = v->kind == ACROSS ? v->place_order : v->window_order;
  const long *row_scale = v->kind == ACROSS ? v->dilation : v->stride;
  const long *column_scale = v->kind == ACROSS ? v->stride : v->dilation;
  const long rank = v->rank, inner = column_order[rank - 1];
  long row_index[MOST], first[MOST];
  to_index(rank, row_order, rows, row, row_index);
  to_index(rank, column_order, columns, column, first);
  for (long r = row; r < row_end; r++, to += to_step) {
    T *tile = to;
    long start[MOST], index[MOST];
    for (long d = 0; d < rank; d++) {
      start[d] = row_index[d] * row_scale[d] - padding[d];
      index[d] = first[d];
    }
    for (long i = rank - 1; i >= 0 && ++row_index[row_order[i]] == rows[row_order[i]]; i--) row_index[row_order[i]] = 0;
    for (long c = column; c < column_end;) {
      long run = columns[inner] - index[inner], at = 0, inside = 1;
      if (run > column_end - c) run = column_end - c;
      for (long i = 0; i < rank - 1; i++) {
        const long d = column_order[i];
        const long q = element_at(v, d, start[d] + index[d] * column_scale[d]);
        if (q < 0) { inside = 0; break; }
        at += q * v->step[d];
      }
      long low = 0, high = 0;
      const long scale = column_scale[inner], q = start[inner] + index[inner] * scale;
      const long base = v->base[inner], end = (v->size[inner] - 1) * base;
      if (inside && v->size[inner] > 0) {
        if (run == 1 || scale == 0) {
          high = q >= 0 && q <= end ? run : 0;
        } else if (scale > 0) {
          low = q >= 0 ? 0 : (-q + scale - 1) / scale;
          high = q > end ? 0 : (end - q) / scale + 1;
        } else {
          low = q <= end ? 0 : (q - end - scale - 1) / -scale;
          high = q < 0 ? 0 : q / -scale + 1;
        }
        if (high > run) high = run;
        if (low > high) low = high;
      }
      for (long j = 0; j < low; j++) tile[j] = 0;
      const T *from = x + at;
      const long step = v->step[inner];
      if (base == 1) {
        from += q * step;
        const long by = step * scale;
        if (by == 1)
          __builtin_memcpy(tile + low, from + low, (high - low) * sizeof(T));
        else
          for (long j = low; j < high; j++) tile[j] = from[j * by];
      } else {
        for (long j = low; j < high; j++) {
          const long p = q + j * scale;
          tile[j] = p % base ? 0 : from[p / base * step];
        }
      }
      for (long j = high; j < run; j++) tile[j] = 0;
      tile += run;
      c += run;
      index[inner] = 0;
      for (long i = rank - 2; i >= 0 && c < column_end; i--) {
        const long d = column_order[i];
        if (++index[d] < columns[d]) break;
        index[d] = 0;
      }
    }
  }
}

enum { PANEL = VECTORS * BYTES / sizeof(T), NEAR = 2 };
typedef T FOUR __attribute__((vector_size(4 * sizeof(T)), aligned(sizeof(T)), may_alias));

/* Copy elements that may be few, for which a loop over single ones takes longer to begin. */
INLINE void COPY_FEW(T *to, const T *from, long count) {
  for (; count >= 8; count -= 8, to += 8, from += 8) __builtin_memcpy(to, from, 8 * sizeof(T));
  if (count & 4) __builtin_memcpy(to, from, 4 * sizeof(T)), to += 4, from += 4;
  if (count & 2) __builtin_memcpy(to, from, 2 * sizeof(T)), to += 2, from += 2;
  if (count & 1) *to = *from;
}

/* The same of every second element. A few vectors read no more than from the first to the last of them. */
INLINE void COPY_SECOND(T *to, const T *from, long count) {
  ROLLED
  for (; count >= 4; count -= 4, to += 4, from += 8)
    *(FOUR *)to = __builtin_shufflevector(*(const FOUR *)from, *(const FOUR *)(from + 3), 0, 2, 5, 7);
  if (count & 2) to[0] = from[0], to[1] = from[2], to += 2, from += 4;
  if (count & 1) *to = *from;
}

/* Fill a panel with windows' elements row…row_end at places column…column_end. Where their places lie is found once for
   all elements along a dimension of the window that lie inside the input, so that only copies are made for each: mostly
   along the features, or along a line if windows are as large as images, as those of a kernel's gradient are. */
NOINLINE void FILL_PANEL(const struct convolution *v, const long *padding, const T *x, T *panel, long row, long row_end,
                         long column, long column_end) {
  const long rank = v->rank, last = rank - 1, inner = v->place_order[last];
  for (long d = 0; d < rank; d++)
    if (v->base[d] != 1) {
      FILL(v, padding, x, panel, PANEL, row, row_end, column, column_end);
      return;
    }
  /* Runs of places along the innermost dimension, and their first coordinates. */
  long begin[PANEL][MOST], length[PANEL], runs = 0, index[MOST];
  to_index(rank, v->place_order, v->places, column, index);
  for (long c = column; c < column_end; c += length[runs++]) {
    const long rest = v->places[inner] - index[inner];
    length[runs] = rest < column_end - c ? rest : column_end - c;
    for (long d = 0; d < rank; d++) begin[runs][d] = index[d] * v->stride[d] - padding[d];
    index[inner] += length[runs];
    carry(rank, v->place_order, v->places, index);
  }
  /* The dimension along which most of these elements lie inside for all places, which are lowest…highest, and how many
     elements are from one to the next. */
  long along = v->window_order[last], after = 1, lowest = 0, highest = 0, most = 0;
  for (long i = last, between = 1; i >= 0; between *= v->window[v->window_order[i--]]) {
    const long d = v->window_order[i], window = v->window[d], reach = d == inner ? v->stride[d] : 0;
    if (window <= most) continue;
    long least = begin[0][d], greatest = least;
    for (long s = 0; s < runs; s++) {
      const long end = begin[s][d] + (length[s] - 1) * reach;
      if (begin[s][d] < least) least = begin[s][d];
      if (end > greatest) greatest = end;
    }
    /* Those t with least + t·dilation >= 0 and greatest + t·dilation < size. */
    const long by = v->dilation[d] < 0 ? -v->dilation[d] : v->dilation[d], over = greatest - v->size[d] + 1;
    const long before = v->dilation[d] < 0 ? over : -least, behind = v->dilation[d] < 0 ? least : -over;
    const long begins = before <= 0 ? 0 : before > (window - 1) * by ? window : (before + by - 1) / by;
    const long ends = behind < 0 ? 0 : behind >= (window - 1) * by ? window : behind / by + 1;
    if (ends - begins <= most) continue;
    const long rows = between == 1 ? row_end - row : (row_end - row + between - 1) / between;
    if (rows <= most) continue;
    along = d, after = between, lowest = begins, highest = ends, most = rows < ends - begins ? rows : ends - begins;
  }
  const long by = v->step[inner] * v->stride[inner], scale = v->stride[inner], size = v->size[inner];
  const long window = v->window[along], together = after * window, line_step = v->step[along] * v->dilation[along];
  for (long t = row / together * after; t < (row_end + together - 1) / together * after; t++) {
    const long first = t / after * together + t % after;
    long all = row_end > first ? (row_end - first + after - 1) / after : 0, end;
    if (all > window) all = window;
    for (long from = first < row ? (row - first + after - 1) / after : 0; from < all; from = end) {
      end = from < lowest || from >= highest ? from + 1 : highest < all ? highest : all;
      /* The runs' parts inside the input: where they are there, where in a line of the panel, and their lengths. */
      long offset[MOST], at[PANEL], to[PANEL], count[PANEL], parts = 0, outside = column_end - column;
      for (long i = last, rest = t; i >= 0; i--) {
        const long d = v->window_order[i];
        offset[d] = from * v->dilation[d];
        if (d == along) continue;
        offset[d] = rest % v->window[d] * v->dilation[d];
        rest /= v->window[d];
      }
      for (long s = 0, place = 0; s < runs; place += length[s++]) {
        const long q = begin[s][inner] + offset[inner];
        int inside = 1;
        long start = q * v->step[inner];
        for (long d = 0; d < rank; d++) {
          if (d == inner) continue;
          const long p = begin[s][d] + offset[d];
          inside &= p >= 0 && p < v->size[d];
          start += p * v->step[d];
        }
        const long low = q >= 0 ? 0 : scale == 1 ? -q : (-q + scale - 1) / scale;
        long high = !inside || q >= size ? 0 : scale == 1 ? size - q : (size - 1 - q) / scale + 1;
        if (high > length[s]) high = length[s];
        if (low >= high) continue;
        at[parts] = start + low * by;
        to[parts] = place + low;
        outside -= count[parts++] = high - low;
      }
      const T *source = x;
      T *line = panel + (first + from * after - row) * PANEL;
      const int whole = by == 1 && parts == 1 && count[0] == PANEL;
      for (long e = from; e < end; e++, source += line_step, line += after * PANEL) {
        if (whole) {
          __builtin_memcpy(line, source + at[0], PANEL * sizeof(T));
          continue;
        }
        if (outside > 0)
          for (long j = 0; j < PANEL; j++) line[j] = 0;
        for (long s = 0; s < parts; s++) {
          T *tile = line + to[s];
          const T *of = source + at[s];
          if (by == 1)
            COPY_FEW(tile, of, count[s]);
          else if (by == 2)
            COPY_SECOND(tile, of, count[s]);
          else
            ROLLED for (long j = 0; j < count[s]; j++) tile[j] = of[j * by];
        }
      }
    }
  }
}

/* The same for up to ROWS rows and any number of columns that fits; `a` always has pointers to ROWS rows. */
NOINLINE void MULTIPLY(const T *const *a, long taps, long from, long run, const T *panel, long panel_step, T *y,
                     long y_step, long rows, long columns, int more) {
  const long lanes = BYTES / sizeof(T), vectors = (columns + lanes - 1) / lanes;
  T edge[ROWS * PANEL], *out = y;
  const long step = y_step;
  const int whole = rows == ROWS && columns % lanes == 0;
  if (!whole) {
    out = edge;
    y_step = PANEL;
    for (long r = 0; r < ROWS && more; r++)
      for (long c = 0; c < vectors * lanes; c++) edge[r * PANEL + c] = r < rows && c < columns ? y[r * step + c] : 0;
  }
  const long together = taps * run <= TERMS ? taps : run < TERMS ? TERMS / run : 1;
  for (long t = 0; t < taps; t += together, a += together * ROWS)
    for (long e = 0; e < run; e += TERMS, more = 1) {
      const long count = taps - t < together ? taps - t : together, part = run - e < TERMS ? run - e : TERMS;
      switch (vectors) {
        case 1: PRODUCT1(a, count, from + e, part, panel, panel_step, out, y_step, more); break;
        case 2: PRODUCT2(a, count, from + e, part, panel, panel_step, out, y_step, more); break;
        case 3: if (VECTORS > 2) PRODUCT3(a, count, from + e, part, panel, panel_step, out, y_step, more); break;
        default: if (VECTORS > 2) PRODUCT4(a, count, from + e, part, panel, panel_step, out, y_step, more); break;
      }
      panel += count * part * panel_step;
    }
  if (!whole)
    for (long r = 0; r < rows; r++)
      for (long c = 0; c < columns; c++) y[r * step + c] = edge[r * PANEL + c];
}

/* Where the runs of a window are: their coordinates in each dimension, then their offsets from the first. */
static void OFFSETS(const struct convolution *v, long *offsets) {
  const long rank = v->rank, inner = v->window_order[rank - 1], taps = v->depth / v->run;
  long *delta = offsets + rank * taps;
  for (long t = 0; t < taps; t++) {
    long rest = t;
    delta[t] = 0;
    for (long i = rank - 1; i >= 0; i--) {
      const long d = v->window_order[i], count = d == inner && v->run > 1 ? 1 : v->window[d];
      offsets[d * taps + t] = rest % count * v->dilation[d];
      delta[t] += offsets[d * taps + t] * v->step[d];
      rest /= count;
    }
  }
}

/* Make a table of pointers to the runs of the windows of places row…row_end, ROWS places together; runs outside the
   input are `zeros`. */
NOINLINE void POINTERS(const struct convolution *v, const long *padding, const T *x, const T *zeros, long row,
                       long row_end, long *offsets, const T **table) {
  const long rank = v->rank, taps = v->depth / v->run, *delta = offsets + rank * taps;
  /* Where each tap's runs would begin at coordinate 0 of the innermost dimension; 0 outside the input. */
  const T **const line = (const T **)(offsets + (rank + 1) * taps);
  long at[MOST];
  to_index(rank, v->place_order, v->places, row, at);
  /* Along the innermost dimension, only one coordinate of the rows differs. */
  const long last = v->place_order[rank - 1], *const along = offsets + last * taps;
  const long end = v->size[last] - 1, stride = v->stride[last], step = v->step[last];
  const long reach = (v->window[last] - 1) * v->dilation[last];
  const long before = reach < 0 ? reach : 0, after = reach < 0 ? 0 : reach;
  int dense = 1;
  for (long d = 0; d < rank; d++) dense &= v->base[d] == 1;
  for (long r = row, run; r < row_end; r += run) {
    run = v->places[last] - at[last] < row_end - r ? v->places[last] - at[last] : row_end - r;
    int inside = dense;
    for (long t = 0; t < taps; t++) {
      const T *from = x;
      for (long d = 0; d < rank; d++) {
        if (d == last) continue;
        const long q = element_at(v, d, at[d] * v->stride[d] - padding[d] + offsets[d * taps + t]);
        from = q < 0 ? 0 : from + q * v->step[d];
        if (!from) break;
      }
      line[t] = from;
      inside &= from != 0;
    }
    long start = at[last] * stride - padding[last];
    for (long j = r - row; j < r - row + run; j++, start += stride) {
      const T **to = table + j / ROWS * taps * ROWS + j % ROWS;
      if (inside && start + before >= 0 && start + after <= end) {
        for (long t = 0; t < taps; t++) to[t * ROWS] = line[0] + start * step + delta[t];
      } else {
        for (long t = 0; t < taps; t++) {
          const long q = element_at(v, last, start + along[t]);
          to[t * ROWS] = line[t] && q >= 0 ? line[t] + q * step : zeros;
        }
      }
    }
    at[last] += run;
    carry(rank, v->place_order, v->places, at);
  }
  for (long j = row_end - row; j % ROWS; j++) /* fill the last ROWS places by repeating one */
    for (long t = 0; t < taps; t++) table[(j / ROWS * taps + t) * ROWS + j % ROWS] = table[j / ROWS * taps * ROWS + t * ROWS];
}

/* Copy columns of the kernel to a panel, with zeros to the end of the last vector. */
static void PACK(const T *w, long depth_step, long feature_step, long depth, long features, T *panel) {
  const long lanes = BYTES / sizeof(T), width = (features + lanes - 1) / lanes * lanes;
  for (long k = 0; k < depth; k++, panel += PANEL) {
    if (feature_step == 1 && features == PANEL)
      __builtin_memcpy(panel, w + k * depth_step, PANEL * sizeof(T));
    else if (feature_step == 1)
      for (long f = 0; f < features; f++) panel[f] = w[k * depth_step + f];
    else
      for (long f = 0; f < features; f++) panel[f] = w[k * depth_step + f * feature_step];
    for (long f = features; f < width; f++) panel[f] = 0;
  }
}

struct JOB {
  const struct convolution *v;
  const T *x, *w;
  T *y;
  char *scratch;
  struct pieces pieces;
  long threads;
  /* A kernel that consumes the rows of each piece, in place of its buffer of that number; or null. */
  void (*kernel)(void *const *, long, long);
  void *const *buffers;
  long buffer_count, number;
};

/* Convolve each feature by itself at places row…row_end: up to TALL places along a line and a few panels at a time, which
   stay in a near cache. The last vectors of the features overlap those before them. */
NOINLINE void ALONE(const struct convolution *v, const long *padding, const T *x, const T *w, T *y, long row, long row_end,
                  LONGS *table) {
  const long rank = v->rank, taps = v->depth, last = v->place_order[rank - 1], lanes = BYTES / sizeof(T);
  const long stride = v->stride[last], step = v->step[last], reach = (v->window[last] - 1) * v->dilation[last];
  const LONGS iota = {0, 1, 2, 3, 4, 5, 6, 7};
  long *line = (long *)(table + taps), *offsets = line + taps;
  T *zeros = (T *)(offsets + (rank + 1) * taps);
  for (long f = 0; f < v->features; f++) zeros[f] = 0;
  OFFSETS(v, offsets);
  for (long first = 0; first < v->features; first += NEAR * PANEL) {
    long at[MOST];
    to_index(rank, v->place_order, v->places, row, at);
    for (long r = row, count; r < row_end; r += count) {
      /* Where the windows' lines begin, 0 for those outside the input. */
      if (r == row || at[last] == 0)
        for (long t = 0; t < taps; t++) {
          const T *from = x;
          for (long d = 0; d < rank; d++) {
            const long q = d == last ? 0 : at[d] * v->stride[d] - padding[d] + offsets[d * taps + t];
            from = from && q >= 0 && q < v->size[d] ? from + q * v->step[d] : 0;
          }
          line[t] = (long)from;
        }
      count = v->places[last] - at[last] < TALL ? v->places[last] - at[last] : TALL;
      if (count > row_end - r) count = row_end - r;
      const long start = at[last] * stride - padding[last], end = start + (TALL - 1) * stride;
      const int inside = start + (reach < 0 ? reach : 0) >= 0 && end + (reach < 0 ? 0 : reach) < v->size[last];
      for (long t = 0; t < taps; t++) {
        const long begin = start + offsets[last * taps + t];
        const LONGS places = begin + iota * stride, known = inside | ((places >= 0) & (places < v->size[last]));
        const LONGS from = line[t] + begin * step * (long)sizeof(T) + iota * (stride * step * (long)sizeof(T));
        table[t] = line[t] ? (from & known) | ((long)zeros & ~known) : (long)zeros - (LONGS){0};
      }
      for (long f = first, from, vectors; f < first + NEAR * PANEL && f < v->features; f = from + vectors * lanes) {
        vectors = f + PANEL < v->features ? VECTORS : (v->features - f + lanes - 1) / lanes;
        if (vectors * lanes > v->features) vectors--;
        from = f + vectors * lanes < v->features ? f : v->features - vectors * lanes;
        T *to = y + (r - row) * v->row_step + from;
        const T *kernel = w + from;
        for (long t = 0; t < taps; t += TERMS, kernel += TERMS * v->depth_step) {
          const long part = taps - t < TERMS ? taps - t : TERMS;
          switch (vectors) {
            case 1: APART1(table + t, part, from, kernel, v->depth_step, to, v->row_step, count, t > 0); break;
            case 2: APART2(table + t, part, from, kernel, v->depth_step, to, v->row_step, count, t > 0); break;
            case 3: if (VECTORS > 2) APART3(table + t, part, from, kernel, v->depth_step, to, v->row_step, count, t > 0); break;
            default: if (VECTORS > 2) APART4(table + t, part, from, kernel, v->depth_step, to, v->row_step, count, t > 0);
          }
        }
      }
      at[last] += count;
      carry(rank, v->place_order, v->places, at);
    }
  }
}

static void PIECE(const struct convolution *v, const T *x, const T *w, T *y, long number, char *scratch) {
  long padding[MOST];
  const long parts = (v->features + v->part_features - 1) / v->part_features;
  const long first = number % parts * v->part_features;
  const long row_parts = (v->rows + v->part_rows - 1) / v->part_rows, row = number / parts % row_parts * v->part_rows;
  long rest = number / parts / row_parts;
  const long feature_end = first + v->part_features < v->features ? first + v->part_features : v->features;
  const long row_end = row + v->part_rows < v->rows ? row + v->part_rows : v->rows;
  struct convolution inner = *v;
  for (long d = 0; d < v->rank; d++) padding[d] = v->padding[d];
  for (long i = v->outer_count - 1; i >= 0; i--) {
    const long d = v->outer[i], place = rest % v->places[d];
    rest /= v->places[d];
    inner.places[d] = 1;
    padding[d] -= place * v->stride[d];
    y += place * v->outer_step[i];
  }
  x += rest * v->group_input;
  w += rest * v->group_kernel;
  y += rest * v->group_output + row * v->row_step;
  T *panel = (T *)scratch, *copy = panel + v->part_depth * PANEL;
  const T *pointers[ROWS], **table = (const T **)copy;
  const long taps = v->depth / v->run;
  if (v->kind == EACH) {
    ALONE(&inner, padding, x, w, y, row, row_end, (LONGS *)scratch);
    return;
  }
  if (v->kind == READ) {
    /* The table, then scratch memory for making it, then zeros. */
    long *offsets = (long *)(table + (v->part_rows + ROWS - 1) / ROWS * ROWS * taps);
    T *zeros = (T *)(offsets + (v->rank + 2) * taps);
    for (long e = 0; e < v->run; e++) zeros[e] = 0;
    OFFSETS(v, offsets);
    POINTERS(&inner, padding, x, zeros, row, row_end, offsets, table);
  }
  for (long k = 0, k_end; k < v->depth; k = k_end) {
    k_end = k + v->part_depth < v->depth ? k + v->part_depth : v->depth;
    if (v->kind == READ && v->part_depth < v->run && k / v->run < (k_end - 1) / v->run) k_end = (k / v->run + 1) * v->run;
    if (v->kind == ACROSS) {
      for (long p = row; p < row_end; p += PANEL) {
        const long columns = p + PANEL < row_end ? PANEL : row_end - p;
        FILL_PANEL(&inner, padding, x, panel, k, k_end, p, p + columns);
        for (long f = first; f < feature_end; f += ROWS) {
          const long rows = f + ROWS < feature_end ? ROWS : feature_end - f;
          for (long r = 0; r < ROWS; r++) pointers[r] = w + (f + (r < rows ? r : 0)) * v->kernel_feature_step + k;
          MULTIPLY(pointers, 1, 0, k_end - k, panel, PANEL, y + f * v->feature_step + (p - row), v->feature_step, rows,
                   columns, k > 0);
        }
      }
      continue;
    }
    if (v->kind == COPIED) FILL(&inner, padding, x, copy, k_end - k, row, row_end, k, k_end);
    const long wide = v->width ? v->width : PANEL;
    for (long f = first; f < feature_end; f += wide) {
      const long columns = f + wide < feature_end ? wide : feature_end - f;
      const T *from = v->width ? w + f * v->depth + k * wide : w + k * v->depth_step + f * v->kernel_feature_step;
      const int whole = v->kernel_feature_step == 1 && v->depth_step == columns && columns * sizeof(T) % BYTES == 0;
      const int ready = v->width || whole;
      if (!ready) PACK(from, v->depth_step, v->kernel_feature_step, k_end - k, columns, panel);
      for (long r = row; r < row_end; r += ROWS) {
        const long rows = r + ROWS < row_end ? ROWS : row_end - r;
        const T *const *a = pointers;
        long count = 1, begin = 0, run = k_end - k;
        if (v->kind == COPIED) {
          for (long j = 0; j < ROWS; j++) pointers[j] = copy + (r - row + (j < rows ? j : 0)) * run;
        } else {
          a = table + (r - row) * taps + k / v->run * ROWS;
          begin = k % v->run;
          if (run > v->run) {
            count = run / v->run;
            run = v->run;
          }
        }
        MULTIPLY(a, count, begin, run, ready ? from : panel, v->width ? wide : whole ? columns : PANEL,
                 y + (r - row) * v->row_step + f, v->row_step, rows, columns, k > 0);
      }
    }
  }
}

/* Take pieces of work until none is left; each thread has scratch memory of its own. */
static void WORK(void *const *arguments, long begin, long end) {
  struct JOB *job = (struct JOB *)arguments[0];
  for (long thread = begin; thread < end; thread++)
    FOR_PIECES(i, &job->pieces, thread, job->threads)
      if (!job->kernel) {
        PIECE(job->v, job->x, job->w, job->y, i, job->scratch + thread * job->v->scratch);
      } else {
        const struct convolution *v = job->v;
        char *scratch = job->scratch + thread * v->scratch;
        const long row = i * v->part_rows, row_end = row + v->part_rows < v->rows ? row + v->part_rows : v->rows;
        void *buffers[MOST_BUFFERS];
        for (long b = 0; b < job->buffer_count; b++) buffers[b] = job->buffers[b];
        T *y = (T *)(scratch + v->scratch - v->held) - row * v->row_step;
        buffers[job->number] = y;
        PIECE(v, job->x, job->w, y, i, scratch);
        job->kernel(buffers, row / v->portion, row_end / v->portion);
      }
}

EXPORTED void CONVOLVE(const struct context *context, const struct convolution *v, long threads, const T *x, const T *w,
                     T *y, char *scratch, void (*kernel)(void *const *, long, long), void *const *buffers,
                     long buffer_count, long number) {
  long count = v->groups * ((v->rows + v->part_rows - 1) / v->part_rows);
  count *= (v->features + v->part_features - 1) / v->part_features;
  for (long i = 0; i < v->outer_count; i++) count *= v->places[v->outer[i]];
  struct JOB job = {v, x, w, y, scratch, {count, threads > 1 ? SHARED_RANGES : 0, {0}}, threads, kernel, buffers, buffer_count, number};
  void *const arguments[] = {&job};
  if (threads > 1)
    run_parts(context, WORK, arguments, threads);
  else
    WORK(arguments, 0, 1);
}
