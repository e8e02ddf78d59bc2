/* A convolution as matrix products: of the windows of some output places, copied side by side, and the kernel.

   The batch, each spatial dimension and the features of a group are `dimensions` of one kind: a place of the output and a
   place in the window give a coordinate of the input, place·stride + window·dilation - padding. The batch has a window
   of one place; the features are one place of the output, and a window of them all. */

enum { MOST = 5 };

struct convolution {
  long rank;
  long places[MOST], window[MOST];    /* how many of the output, and in a window */
  long stride[MOST], dilation[MOST];  /* negative for a reversed window */
  long padding[MOST], base[MOST];     /* before the input; the distance of its elements, of which others are zero */
  long size[MOST], step[MOST];        /* of the input, and between its elements in memory */
  long place_order[MOST], window_order[MOST]; /* outermost first */
  long outer_count, outer[MOST], outer_step[MOST]; /* output dimensions that are loops, and their steps in the output */
  long groups, group_input, group_kernel, group_output;
  long rows, depth, features;         /* of the product: places, a window's elements, output features */
  long row_step, depth_step, kernel_feature_step, feature_step; /* in the output, the kernel, the kernel, the output */
  long block_rows, block_depth;
  int places_inside;                  /* the copied windows have places, rather than a window's elements, side by side */
};

/* functions */
static void FILL(const struct convolution *v, const long *padding, const T *x, T *tile, long row, long row_end,
                 long column, long column_end) {
  const long *rows = v->places_inside ? v->window : v->places, *columns = v->places_inside ? v->places : v->window;
  const long *row_order = v->places_inside ? v->window_order : v->place_order;
  const long *column_order = v->places_inside ? v->place_order : v->window_order;
  const long *row_scale = v->places_inside ? v->dilation : v->stride;
  const long *column_scale = v->places_inside ? v->stride : v->dilation;
  const long rank = v->rank, inner = column_order[rank - 1];
  for (long r = row; r < row_end; r++) {
    long start[MOST], index[MOST], rest = r;
    for (long i = rank - 1; i >= 0; i--) {
      const long d = row_order[i];
      start[d] = rest % rows[d] * row_scale[d] - padding[d];
      rest /= rows[d];
    }
    rest = column;
    for (long i = rank - 1; i >= 0; i--) {
      const long d = column_order[i];
      index[d] = rest % columns[d];
      rest /= columns[d];
    }
    for (long c = column; c < column_end;) {
      long run = columns[inner] - index[inner], at = 0, inside = 1;
      if (run > column_end - c) run = column_end - c;
      for (long i = 0; i < rank - 1; i++) {
        const long d = column_order[i];
        long q = start[d] + index[d] * column_scale[d];
        if (q < 0) { inside = 0; break; }
        if (v->base[d] > 1) {
          if (q % v->base[d]) { inside = 0; break; }
          q /= v->base[d];
        }
        if (q >= v->size[d]) { inside = 0; break; }
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
          for (long j = low; j < high; j++) tile[j] = from[j];
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

static void CONVOLVE(const struct convolution *v, GEMM gemm, const T *x, const T *w, T *y, T *tile) {
  long outer = 1, padding[MOST];
  for (long i = 0; i < v->outer_count; i++) outer *= v->places[v->outer[i]];
  struct convolution inner = *v;
  for (long i = 0; i < v->outer_count; i++) inner.places[v->outer[i]] = 1;
  for (long g = 0; g < v->groups; g++)
    for (long o = 0; o < outer; o++) {
      T *to = y + g * v->group_output;
      for (long d = 0; d < v->rank; d++) padding[d] = v->padding[d];
      for (long i = v->outer_count - 1, rest = o; i >= 0; i--) {
        const long d = v->outer[i], place = rest % v->places[d];
        rest /= v->places[d];
        padding[d] -= place * v->stride[d];
        to += place * v->outer_step[i];
      }
      for (long t = 0; t < v->rows; t += v->block_rows)
        for (long k = 0; k < v->depth; k += v->block_depth) {
          const long t_end = t + v->block_rows < v->rows ? t + v->block_rows : v->rows;
          const long k_end = k + v->block_depth < v->depth ? k + v->block_depth : v->depth;
          const int rows = t_end - t, depth = k_end - k, features = v->features;
          const T *kernel = w + g * v->group_kernel + k * v->depth_step;
          T *out = to + t * v->row_step;
          const int swapped = v->places_inside;
          FILL(&inner, padding, x + g * v->group_input, tile, swapped ? k : t, swapped ? k_end : t_end, swapped ? t : k,
               swapped ? t_end : k_end);
          const int windows = swapped ? 112 : 111, windows_step = swapped ? rows : depth;
          const T before = k ? 1 : 0;
          if (v->feature_step == 1) {
            const int plain = v->kernel_feature_step == 1;
            gemm(101, windows, plain ? 111 : 112, rows, features, depth, 1, tile, windows_step, kernel,
                 plain ? v->depth_step : v->kernel_feature_step, before, out, v->row_step);
          } else {
            const int plain = v->depth_step == 1;
            gemm(101, plain ? 111 : 112, windows == 111 ? 112 : 111, features, rows, depth, 1, kernel,
                 plain ? v->kernel_feature_step : v->depth_step, tile, windows_step, before, out, v->feature_step);
          }
        }
    }
}
