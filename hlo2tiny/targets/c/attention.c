/* Attention: for each query, the softmax of its products with keys, after changes, times values. This follows product.c,
   for float, and elementary.c. Narrow numbers are widened where they are read; what the program rounds is rounded.

   Threads take pieces until none is left: some queries that read the same keys and values. The scores of a few queries
   stay in a near cache. Each query is computed in the same way, whichever thread does it. attention_gradients.c has the
   gradients, for which the first part of this file is, too. */

enum { ADD, MULTIPLY_BY, SUBTRACT, DIVIDE_BY, TANH, KEEP, DROP, ROUND };
enum { MOST_CHANGES = 24, WIDE = BYTES / sizeof(float), ROWS_AHEAD = 8 /* prefetched: they may be far apart */ };
enum { LEAST_EXPONENT = 110 }; /* the exponential of less than minus this is zero */

/* Strides are those of the `rank` dimensions of `sizes`, then of the keys, then of the numbers of each. */
struct change {
  long kind;
  float number;
  const long *strides; /* of a buffer's elements, or null if there is only a number */
  long element;        /* the type of these, or to which ROUND rounds: 0 for float, else BF16 or F16 */
};

struct heads {
  long rank, shared; /* the dimensions of queries, and how many of the last ones share their keys */
  const long *sizes;
  long keys, depth, width;
  const long *q, *k, *v, *out;
  long change_count;
  const struct change *changes;
  long types[4]; /* of queries, keys, values and results */
  long shifted;  /* whether the highest score is subtracted first */
};

/* The distance of an index into some dimensions. */
static long distance(const long *sizes, const long *strides, long first, long end, long index) {
  long at = 0;
  for (long d = end - 1; d > first; d--) {
    at += index % sizes[d] * strides[d];
    index /= sizes[d];
  }
  return first < end ? at + index * strides[first] : 0;
}

/* How many indices some dimensions have. */
static long count_of(const struct heads *p, long first, long end) {
  long count = 1;
  for (long d = first; d < end; d++) count *= p->sizes[d];
  return count;
}

/* Where what has these strides begins for a batch, and where it goes on for a query of that. */
static long batch_place(const struct heads *p, const long *strides, long batch) {
  return distance(p->sizes, strides, 0, p->rank - p->shared, batch);
}
static long query_place(const struct heads *p, const long *strides, long row) {
  return distance(p->sizes, strides, p->rank - p->shared, p->rank, row);
}

INLINE const void *from_number(long kind, const void *from, long at) {
  return (const char *)from + bytes_of(at, kind, sizeof(float));
}
/* The nearest number of a narrow type, ties to even. */
INLINE float round_to(const long kind, float x) {
  const unsigned bits = (union bits){.number = x}.bits;
  if (kind == BF16) {
    const unsigned even = (bits + 0x7fffu + (bits >> 16 & 1)) & 0xffff0000u;
    return (union bits){x != x ? (bits | 0x400000u) & 0xffff0000u : even}.number;
  }
  return (union bits){widen_signed_f16(round_to_signed_f16(bits))}.number;
}
/* The compiler knows the usual step. */
INLINE void write_numbers(long kind, const float *x, long count, void *to, const long step) {
  if (kind == BF16)
    for (long i = 0; i < count; i++)
      ((unsigned short *)to)[i * step] = (unsigned short)((union bits){.number = round_to(BF16, x[i])}.bits >> 16);
  else if (kind)
    for (long i = 0; i < count; i++)
      ((unsigned short *)to)[i * step] = (unsigned short)round_to_signed_f16((union bits){.number = x[i]}.bits);
  else
    for (long i = 0; i < count; i++) ((float *)to)[i * step] = x[i];
}
APART void write_row(long kind, const float *x, long count, void *to, long at, long step) {
  to = (char *)to + bytes_of(at, kind, sizeof(float));
  if (step == 1) write_numbers(kind, x, count, to, 1);
  else write_numbers(kind, x, count, to, step);
}
APART void round_row(long kind, float *x, long count) {
  if (kind == BF16)
    for (long i = 0; i < count; i++) x[i] = round_to(BF16, x[i]);
  else if (kind)
    for (long i = 0; i < count; i++) x[i] = round_to(F16, x[i]);
}

INLINE void widen_numbers(long kind, const void *from, const long step, long count, float *x) {
  if (kind == BF16)
    for (long i = 0; i < count; i++) x[i] = widened_float(BF16, from, i * step);
  else if (kind)
    for (long i = 0; i < count; i++) x[i] = widened_float(F16, from, i * step);
  else
    for (long i = 0; i < count; i++) x[i] = ((const float *)from)[i * step];
}
APART void widen_row(long kind, const void *from, long at, long step, long count, float *x) {
  from = from_number(kind, from, at);
  if (step == 1) widen_numbers(kind, from, 1, count, x);
  else widen_numbers(kind, from, step, count, x);
}

#define EACH(value) \
  for (long i = 0; i < count; i++) x[i] = value; \
  break
INLINE void change_row(const struct change *change, const void *buffer, const long step, float *x, long count) {
  const unsigned char *const mask = (const unsigned char *)buffer;
  const int is_read = change->strides && change->kind <= DIVIDE_BY;
  const float number = !step && is_read ? *(const float *)buffer : change->number; /* which x cannot change */
  const float *const y = step ? (const float *)buffer : &number;
  switch (change->kind) {
    case ADD: EACH(x[i] + y[i * step]);
    case MULTIPLY_BY: EACH(x[i] * y[i * step]);
    case SUBTRACT: EACH(x[i] - y[i * step]);
    case DIVIDE_BY: EACH(x[i] / y[i * step]);
    case TANH: EACH(tanh_f(x[i]));
    case KEEP: EACH(mask[i * step] ? x[i] : number);
    case DROP: EACH(mask[i * step] ? number : x[i]);
    case ROUND: round_row(change->element, x, count);
  }
}

/* The compiler knows the strides of the operand's numbers if they are the usual ones. */
APART void change_equally(const struct change *change, const void *buffer, float *x, long count) {
  change_row(change, buffer, 0, x, count);
}
APART void change_each(const struct change *change, const void *buffer, float *x, long count) {
  change_row(change, buffer, 1, x, count);
}
APART void change_apart(const struct change *change, const void *buffer, long step, float *x, long count) {
  change_row(change, buffer, step, x, count);
}

/* If the processor multiplies pairs of bf16, operands of that type are copied as such, which take the place of floats. */
#if defined __AVX512BF16__
enum { MOST_TOGETHER = 2 };
#else
enum { MOST_TOGETHER = 1 };
#endif

/* Copy columns of `count` numbers to rows of floats, or of pairs of numbers that follow each other in a column. */
APART void copy_columns(int together, long kind, const void *from, long at, long row, long column, long count, long columns,
                        float *to, long to_row) {
  from = from_number(kind, from, at);
#if defined __AVX512BF16__
  if (together == 2) {
    COPY_p(BF16, from, row, column, count, columns, to, to_row);
    return;
  }
#endif
  (void)together;
  switch (kind) {
    case BF16: COPY_s(BF16, from, row, column, count, columns, to, to_row); break;
    case F16: COPY_s(F16, from, row, column, count, columns, to, to_row); break;
    default: COPY_s(0, from, row, column, count, columns, to, to_row);
  }
}

/* Prefetch a row of adjacent numbers. */
INLINE void prefetch_row(long kind, const void *from, long at, long count) {
  const char *const begin = (const char *)from_number(kind, from, at);
  for (long i = 0, size = bytes_of(count, kind, sizeof(float)); i < size; i += 64) __builtin_prefetch(begin + i, 0, 3);
}

/* Copy a row to floats, or to pairs, the last of which may be one of a number and zero. */
static void copy_row(int together, long kind, const void *from, long at, long step, long count, float *to) {
  if (together == 1) {
    widen_row(kind, from, at, step, count, to);
    return;
  }
  const unsigned short *const numbers = (const unsigned short *)from + at;
  unsigned short *const copy = (unsigned short *)to;
  if (step == 1) __builtin_memcpy(copy, numbers, count * 2);
  else for (long i = 0; i < count; i++) copy[i] = numbers[i * step];
  if (count % 2) copy[count] = 0;
}

INLINE long rounded_up(long count, long to) { return (count + to - 1) / to * to; }

/* The floats or pairs of a copy of a row, whole vectors. */
INLINE long length_of(int together, long count) { return rounded_up((count + together - 1) / together, WIDE); }

APART void transpose(const float *rows, long length, long count, float *panel) {
  COPY_s(0, rows, 1, length, length, rounded_up(count, WIDE), panel, PANEL_s);
}

/* Copy rows to columns of a panel, by way of `rows`, which have the ends of vectors: then whole squares are transposed. */
static void copy_panel(int together, long kind, const void *from, long at, long apart, long step, long size, long count,
                       float *rows, float *panel) {
  const long length = length_of(together, size);
  for (long i = 0; i < count; i++) {
    if (step == 1) prefetch_row(kind, from, at + (i + ROWS_AHEAD) * apart, size);
    copy_row(together, kind, from, at + i * apart, step, size, rows + i * length);
  }
  transpose(rows, length, count, panel);
}

/* Multiply rows of floats or pairs by a panel of such; see STRIP. */
static void multiply(int together, long rows, long columns, const float *a, long a_row, long a_column, const float *b,
                     long b_row, long depth, float *c, long c_row, int more) {
  const struct AHEAD_s nothing = {(const char *)a, 0, 0, 0};
#if defined __AVX512BF16__
  if (together == 2) {
    const struct AHEAD_p none = {(const char *)a, 0, 0, 0};
    STRIP_p(rows, columns, a, ROWS * a_row, a_row, a_column, b, b_row, (depth + 1) / 2, c, c_row, more, &none);
    return;
  }
#endif
  (void)together;
  STRIP_s(rows, columns, a, ROWS * a_row, a_row, a_column, b, b_row, depth, c, c_row, more, &nothing);
}

/* The bits of a bf16. */
INLINE unsigned rounded_bits(float x) { return (union bits){.number = round_to(BF16, x)}.bits >> 16; }
/* Numbers become pairs of bf16. */
APART void narrow_row(float *x, long count) {
  unsigned short *const to = (unsigned short *)x;
  for (long i = 0; i < count; i++) to[i] = (unsigned short)rounded_bits(x[i]);
  if (count % 2) to[count] = 0;
}

/* Scores change: those of a query and `count` keys from `key` on. Changes of a batch's first score begin at `starts`. */
static void change_scores(const struct heads *p, const void *const *buffers, const long *starts, long row, long key,
                          float *x, long count, float *operands, float *tangents) {
  for (long c = 0; c < p->change_count; c++) {
    const struct change *const change = &p->changes[c];
    const long *const strides = change->strides;
    long step = strides ? strides[p->rank] : 0;
    const long at = strides ? starts[c] + query_place(p, strides, row) + key * step : 0;
    const long size = change->kind == KEEP || change->kind == DROP ? 1 : sizeof(float);
    const void *from = strides ? (const char *)buffers[c] + at * size : 0;
    if (strides && change->element) {
      widen_row(change->element, buffers[c], at, step, step ? count : 1, operands);
      from = operands;
      step = step != 0;
    }
    if (step == 0) change_equally(change, from, x, count);
    else if (step == 1) change_each(change, from, x, count);
    else change_apart(change, from, step, x, count);
    if (tangents && change->kind == TANH) __builtin_memcpy(tangents, x, count * sizeof(float));
  }
}

/* The exponential, 0 without computing it where a mask hides a score: processors take long over what is too small. */
INLINE float power_of(float x) {
  const int hidden = x < -104;
  const float power = exp_f(hidden ? 0 : x);
  return hidden ? 0 : power;
}

/* The last change, if it gives one number to all scores of keys that a query may not read: the `score` after it. */
INLINE const struct change *hiding_change(const struct heads *p, float *score) {
  long last = p->change_count - 1;
  while (last >= 0 && p->changes[last].kind == ROUND) last--;
  const struct change *const change = p->changes + last;
  if (last < 0 || !p->shifted || (change->kind != KEEP && change->kind != DROP)) return 0;
  if (!change->strides || change->strides[p->rank] != 1) return 0;
  *score = change->number;
  while (++last < p->change_count)
    if (p->changes[last].element) *score = round_to(p->changes[last].element, *score);
  return change;
}

/* The number of keys of which a query may read some of the last ones, if others are known to read `count` of them. */
static long keys_read(const struct change *change, const unsigned char *mask, long count, long keys) {
  const unsigned char hidden = change->kind == DROP;
  const uint64 eight = hidden * 0x0101010101010101u;
  for (uint64 found; keys - count >= 8; keys -= 8) {
    __builtin_memcpy(&found, mask + keys - 8, 8);
    if (found != eight) break;
  }
  while (keys > count && (!mask[keys - 1]) != hidden) keys--;
  return keys;
}

/* Whether a row of numbers has neither infinity nor NaN. */
static int is_finite(long kind, const void *from, long count) {
  const unsigned most = kind == BF16 ? 0x7f80u : kind ? 0x7c00u : 0x7f800000u;
  unsigned found = 0;
  if (kind)
    for (long i = 0; i < count; i++) found |= (((const unsigned short *)from)[i] & most) == most;
  else
    for (long i = 0; i < count; i++) found |= (((const unsigned *)from)[i] & most) == most;
  return !found;
}

/* results */
enum { ROWWISE = 2 };
enum { PART = 128, PARTS_EACH = 8, WIDEST = 64 };
typedef int CHOICE __attribute__((vector_size(BYTES), aligned(4), may_alias));

struct attention {
  struct heads heads;
  long least_rows, most_rows, most_scores; /* of queries whose scores are computed at once */
  long copied_keys, copied_values; /* whether panels are copied, or read in place; keys as rows if it is ROWWISE */
  long scratch;                    /* the bytes that a thread needs */
  long rounded[4];                 /* to which differences, exponentials, their sum and weights are rounded */
  const long *sums, *highest;      /* what else is stored of queries: of their exponentials and scores, or null */
};

struct attention_job {
  const struct attention *p;
  const void *q, *k, *v;
  const void *const *buffers;
  void *out;
  float *sums, *highest;
  char *scratch;
  long row_parts, threads;
  struct pieces pieces;
};

APART void divide_row(long kind, float *x, float divisor, long count) {
  if (kind == BF16)
    for (long i = 0; i < count; i++) x[i] = round_to(BF16, x[i] / divisor);
  else
    for (long i = 0; i < count; i++) x[i] = round_to(F16, x[i] / divisor);
}

/* The softmax of a row; returns the sum. A NaN among the scores makes all weights NaN, as does a highest score that is
   infinite. */
APART float weigh(const struct attention *p, float highest, float *x, long count) {
  VECTOR_s sum = {0};
  const long whole = count / WIDE * WIDE, part = DEPTH * WIDE; /* the terms of a partial sum */
  if (p->rounded[0]) {
    for (long i = 0; i < count; i++) x[i] -= highest;
    round_row(p->rounded[0], x, count);
    highest = 0;
  }
  for (long i = 0; i < count; i++) x[i] = power_of(x[i] - highest);
  round_row(p->rounded[1], x, count);
  for (long i = 0; i < whole;) {
    VECTOR_s terms = {0};
    for (const long end = least(i + part, whole); i < end; i += WIDE) terms += *(const VECTOR_s *)(x + i);
    sum += terms;
  }
  float total = TOTAL_s(sum);
  for (long i = whole; i < count; i++) total += x[i];
  if (p->rounded[2]) total = round_to(p->rounded[2], total);
  if (p->rounded[3]) {
    divide_row(p->rounded[3], x, total, count);
    return total;
  }
  const float scale = 1 / total;
  for (long i = 0; i < count; i++) x[i] *= scale;
  return total;
}

/* The highest score of a row that is a number. */
APART float highest_of(const float *x, long count) {
  VECTOR_s most = (VECTOR_s){0} - __builtin_inff();
  float lanes[WIDE], highest = -__builtin_inff();
  const long whole = count / WIDE * WIDE;
  for (long i = 0; i < whole; i += WIDE) {
    const VECTOR_s y = *(const VECTOR_s *)(x + i);
    const CHOICE above = y > most;
    most = (VECTOR_s)(((CHOICE)y & above) | ((CHOICE)most & ~above));
  }
  *(VECTOR_s *)lanes = most;
  for (int i = 0; i < WIDE; i++) highest = lanes[i] > highest ? lanes[i] : highest;
  for (long i = whole; i < count; i++) highest = x[i] > highest ? x[i] : highest;
  return highest;
}

/* How many queries are computed at once: multiples of the least number whose scores are few. */
INLINE long rows_at_once(const struct attention *p, long rows, long width) {
  const long most = least(p->most_scores / width / p->least_rows * p->least_rows, p->most_rows);
  return least(rows, most < p->least_rows ? p->least_rows : most);
}

static void attend(const struct attention_job *job, long number, char *scratch) {
  const struct attention *const a = job->p;
  const struct heads *const p = &a->heads;
  const long rank = p->rank, outer = rank - p->shared, n = p->keys;
  const long width = (n + PANEL_s - 1) / PANEL_s * PANEL_s, out_width = (p->width + PANEL_s - 1) / PANEL_s * PANEL_s;
  const long batch = number / job->row_parts, part = number % job->row_parts;
  const long rows = count_of(p, outer, rank);
  const long at_once = rows_at_once(a, rows, (n + WIDEST - 1) / WIDEST * WIDEST);
  const void *const q = from_number(p->types[0], job->q, batch_place(p, p->q, batch));
  const void *const k = from_number(p->types[1], job->k, batch_place(p, p->k, batch));
  const void *const v = from_number(p->types[2], job->v, batch_place(p, p->v, batch));
  const long out_start = batch_place(p, p->out, batch), sums_start = a->sums ? batch_place(p, a->sums, batch) : 0;
  const long highest_start = a->highest ? batch_place(p, a->highest, batch) : 0;
  long starts[MOST_CHANGES];
  for (long c = 0; c < p->change_count; c++)
    starts[c] = p->changes[c].strides ? batch_place(p, p->changes[c].strides, batch) : 0;
  /* Weights are rounded to bf16 in place, so that their rows take half of the memory. */
  const int narrow = MOST_TOGETHER == 2 && a->copied_keys == 1 && p->types[0] == BF16 && p->types[1] == BF16;
  const int together = narrow ? 2 : 1, added = narrow && p->types[2] == BF16 && a->rounded[3] == BF16 ? 2 : 1;
  const long length = a->copied_keys == 1 ? length_of(together, p->depth) : p->depth; /* of copies of queries and keys */
  float *const queries = (float *)scratch, *const scores = queries + at_once * length;
  float *const results = scores + at_once * width, *const keys = results + at_once * out_width;
  float *const values = keys + (a->copied_keys ? width * length : 0);
  float *const key_rows = values + (a->copied_values ? n * out_width : 0);
  float *const operands = key_rows + (a->copied_keys == 1 ? PANEL_s * length : 0);
  const long key_step = p->k[rank], value_step = p->v[rank];
  /* A panel that is read once is copied just then, so that it stays in the nearest cache. */
  const int once = rows <= at_once;
  long packed = once ? n : 0; /* keys and values */
  /* If no query of some reads the last keys, these are left out: their weights are zero, and so is what zeros times
     finite values add. From `finite` on, values are known to be finite. */
  float hidden = 0;
  const struct change *const hiding = p->v[rank + 1] == 1 ? hiding_change(p, &hidden) : 0;
  long finite = n;
  const long few = a->least_rows, units = (rows + few - 1) / few;
  const long end = least(rows, units * (part + 1) / job->row_parts * few);
  for (long row = units * part / job->row_parts * few, count; row < end; row += count) {
    const long left = (end - row + few - 1) / few, groups = (end - row + at_once - 1) / at_once;
    count = least(end - row, (left + groups - 1) / groups * few);
    for (long r = 0; r < count; r++) {
      const long from = query_place(p, p->q, row + r);
      copy_row(together, p->types[0], q, from, p->q[rank + 1], p->depth, queries + r * length);
    }
    long used = hiding ? 0 : n;
    for (long r = count - 1; r >= 0 && used < n; r--) {
      const long c = hiding - p->changes, at = starts[c] + query_place(p, hiding->strides, row + r);
      used = keys_read(hiding, (const unsigned char *)job->buffers[c] + at, used, n);
    }
    used = least((used - (used > 0)) / PANEL_s * PANEL_s + PANEL_s, n);
    while (used < finite && is_finite(p->types[2], from_number(p->types[2], v, (finite - 1) * value_step), p->width))
      finite--;
    if (used < finite) used = n;
  again:
    for (; packed < used; packed += PANEL_s) {
      const long high = least(n - packed, PANEL_s);
      if (a->copied_keys == 1)
        copy_panel(together, p->types[1], k, packed * key_step, key_step, p->k[rank + 1], p->depth, high, key_rows,
                   keys + packed * length);
      for (long j = 0; a->copied_values && j < p->width; j += PANEL_s)
        copy_columns(added, p->types[2], v, packed * value_step + j * p->v[rank + 1], value_step, p->v[rank + 1], high,
                     least(p->width - j, PANEL_s), values + j * n + packed / added * PANEL_s, PANEL_s);
    }
    if (a->copied_keys == ROWWISE) {
      for (long j = 0, columns; j < used; j += columns) {
        columns = least(n - j, PANEL_s);
        for (long i = 0; i < columns; i++) widen_row(p->types[1], k, (j + i) * key_step, 1, p->depth, keys + i * p->depth);
        BY_COLUMNS_s(count, count, columns, queries, p->depth, keys, p->depth, p->depth, scores + j, width);
      }
    } else if (a->copied_keys) {
      for (long j = 0; j < used; j += PANEL_s) {
        float *const panel = once ? keys : keys + j * length;
        const long columns = least(n - j, PANEL_s);
        if (once)
          copy_panel(together, p->types[1], k, j * key_step, key_step, p->k[rank + 1], p->depth, columns, key_rows, panel);
        multiply(together, count, rounded_up(columns, WIDE), queries, length, 1, panel, PANEL_s, p->depth, scores + j, width,
                 FIRST);
      }
    } else
      BY_COLUMNS_s(count, count, used, queries, p->depth, (const float *)k, key_step, p->depth, scores, width);
    for (long r = 0; r < count; r++) {
      float *const x = scores + r * width;
      change_scores(p, job->buffers, starts, row + r, 0, x, used, operands, 0);
      const float highest = p->shifted ? highest_of(x, used) : 0;
      if (used < n && !(hidden < highest - LEAST_EXPONENT)) {
        used = n;
        goto again;
      }
      const float sum = weigh(a, highest, x, used);
      if (added == 2) narrow_row(x, used);
      if (a->sums) job->sums[sums_start + query_place(p, a->sums, row + r)] = sum;
      if (a->highest) job->highest[highest_start + query_place(p, a->highest, row + r)] = highest;
    }
    for (long j = 0; j < p->width; j += PANEL_s)
      for (long i = 0; i < used; i += DEPTH * added) {
        float *const panel = once ? values : values + j * n + i / added * PANEL_s;
        const long high = least(used - i, DEPTH * added), columns = least(p->width - j, PANEL_s), step = p->v[rank + 1];
        if (a->copied_values && once)
          copy_columns(added, p->types[2], v, i * value_step + j * step, value_step, step, high, columns, panel, PANEL_s);
        multiply(added, count, rounded_up(columns, WIDE), scores + i / added, width, 1,
                 a->copied_values ? panel : (const float *)v + i * value_step + j,
                 a->copied_values ? PANEL_s : value_step, high, results + j, out_width, i ? ADDED : FIRST);
      }
    for (long r = 0; r < count; r++) {
      const long to = out_start + query_place(p, p->out, row + r);
      write_row(p->types[3], results + r * out_width, p->width, job->out, to, p->out[rank + 1]);
    }
  }
}

static void attention_work(void *const *arguments, long begin, long end) {
  struct attention_job *const job = (struct attention_job *)arguments[0];
  for (long thread = begin; thread < end; thread++)
    FOR_PIECES(i, &job->pieces, thread, job->threads)
      attend(job, i, job->scratch + thread * job->p->scratch);
}

/* `buffers` has one for each change, null for one with a number; `outputs` are results, sums and highest scores; there is
   scratch memory for each thread. */
EXPORTED void sattention(const struct attention *p, const void *q, const void *k, const void *v,
                         const void *const *buffers, void *const *outputs, char *scratch, long threads,
                         void (*parallel)(void (*)(void *const *, long, long), void *const *, long)) {
  const struct heads *const h = &p->heads;
  const long outer = h->rank - h->shared, batches = count_of(h, 0, outer), rows = count_of(h, outer, h->rank);
  float *const sums = (float *)outputs[1], *const highest = (float *)outputs[2];
  struct attention_job job = {p, q, k, v, buffers, outputs[0], sums, highest, scratch, 1, threads,
                              {batches, threads > 1 ? SHARED_RANGES : 0, {0}}};
  /* Each part copies keys and values again, so there are no more than threads need. */
  if (parallel && threads > 1 && batches)
    job.row_parts = least((rows + PART - 1) / PART, (PARTS_EACH * threads + batches - 1) / batches);
  job.pieces.count *= job.row_parts;
  void *const arguments[] = {&job};
  if (parallel && threads > 1)
    parallel(attention_work, arguments, threads);
  else
    attention_work(arguments, 0, 1);
}
