/* Attention: for each query, the softmax of its products with keys, after changes, times values. This follows product.c,
   for float, and elementary.c. Narrow numbers are widened where they are read; what the program rounds is rounded.

   Threads take pieces until none is left: some queries that read the same keys and values. The scores of a few queries
   stay in a near cache. Each query is computed in the same way, whichever thread does it. */

enum { ROWWISE = 2 };
enum { ADD, MULTIPLY_BY, SUBTRACT, DIVIDE_BY, TANH, KEEP, DROP, ROUND };
enum { MOST_CHANGES = 24, PART = 128, PARTS_EACH = 8, WIDEST = 64 };
enum { LEAST_EXPONENT = 110 }; /* the exponential of less than minus this is zero */

/* Strides are those of the `rank` dimensions of `sizes`, then of the keys, then of the numbers of each. */
struct change {
  long kind;
  float number;
  const long *strides; /* of a buffer's elements, or null if there is only a number */
  long element;        /* the type of these, or to which ROUND rounds: 0 for float, else BF16 or F16 */
};

struct attention {
  long rank, shared; /* the dimensions of queries, and how many of the last ones share their keys */
  const long *sizes;
  long keys, depth, width;
  const long *q, *k, *v, *out;
  long change_count;
  const struct change *changes;
  long least_rows, most_rows, most_scores; /* of queries whose scores are computed at once */
  long copied_keys, copied_values; /* whether panels are copied, or read in place; keys as rows if it is ROWWISE */
  long scratch;                    /* the bytes that a thread needs */
  long types[4];                   /* of queries, keys, values and results */
  long rounded[4];                 /* to which differences, exponentials, their sum and weights are rounded */
  long shifted;                    /* whether the highest score is subtracted first */
};

struct attention_job {
  const struct attention *p;
  const void *q, *k, *v;
  const void *const *buffers;
  void *out;
  char *scratch;
  long row_parts, threads;
  struct pieces pieces;
};

/* The distance of an index into some dimensions. */
static long distance(const long *sizes, const long *strides, long first, long end, long index) {
  long at = 0;
  for (long d = end - 1; d >= first; d--) {
    at += index % sizes[d] * strides[d];
    index /= sizes[d];
  }
  return at;
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
APART void write_row(long kind, const float *x, long count, void *to, long at, long step) {
  if (kind == BF16)
    for (long i = 0; i < count; i++)
      ((unsigned short *)to)[at + i * step] = (unsigned short)((union bits){.number = round_to(BF16, x[i])}.bits >> 16);
  else if (kind)
    for (long i = 0; i < count; i++)
      ((unsigned short *)to)[at + i * step] = (unsigned short)round_to_signed_f16((union bits){.number = x[i]}.bits);
  else
    for (long i = 0; i < count; i++) ((float *)to)[at + i * step] = x[i];
}
APART void round_row(long kind, float *x, long count) {
  if (kind == BF16)
    for (long i = 0; i < count; i++) x[i] = round_to(BF16, x[i]);
  else if (kind)
    for (long i = 0; i < count; i++) x[i] = round_to(F16, x[i]);
}

APART void widen_row(long kind, const void *from, long at, long step, long count, float *x) {
  if (kind == BF16)
    for (long i = 0; i < count; i++) x[i] = widened_float(BF16, from, at + i * step);
  else if (kind)
    for (long i = 0; i < count; i++) x[i] = widened_float(F16, from, at + i * step);
  else
    for (long i = 0; i < count; i++) x[i] = ((const float *)from)[at + i * step];
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

typedef int CHOICE __attribute__((vector_size(BYTES), aligned(4), may_alias));

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

/* The softmax of a row. A NaN among the scores makes all weights NaN, as does a highest score that is infinite. */
APART void weigh(const struct attention *p, float highest, float *x, long count) {
  enum { WIDE = BYTES / sizeof(float) };
  VECTOR_s sum = {0};
  const long whole = count / WIDE * WIDE, part = DEPTH * WIDE; /* the terms of a partial sum */
  if (p->rounded[0]) {
    for (long i = 0; i < count; i++) x[i] -= highest;
    round_row(p->rounded[0], x, count);
    highest = 0;
  }
  for (long i = 0; i < count; i++) x[i] = exp_f(x[i] - highest);
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
    for (long i = 0; i < count; i++) x[i] /= total;
    round_row(p->rounded[3], x, count);
    return;
  }
  const float scale = 1 / total;
  for (long i = 0; i < count; i++) x[i] *= scale;
}

APART void pack(long kind, const void *from, long at, long row, long column, long count, long columns, float *panel) {
  from = from_number(kind, from, at);
  switch (kind) {
    case BF16: PACK_s(BF16, from, row, column, count, columns, panel); break;
    case F16: PACK_s(F16, from, row, column, count, columns, panel); break;
    default: PACK_s(0, from, row, column, count, columns, panel);
  }
}

/* The last change, if it gives one number to all scores of keys that a query may not read, and weights can be left out. */
INLINE const struct change *hiding_change(const struct attention *p) {
  const struct change *const last = p->change_count ? &p->changes[p->change_count - 1] : 0;
  if (!last || !p->shifted || p->v[p->rank + 1] != 1 || (last->kind != KEEP && last->kind != DROP)) return 0;
  return last->strides && last->strides[p->rank] == 1 ? last : 0;
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

/* The highest score of a row that is a number. */
APART float highest_of(const float *x, long count) {
  enum { WIDE = BYTES / sizeof(float) };
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
  const struct attention *const p = job->p;
  const long *const sizes = p->sizes, rank = p->rank, outer = rank - p->shared, n = p->keys;
  const long width = (n + PANEL_s - 1) / PANEL_s * PANEL_s, out_width = (p->width + PANEL_s - 1) / PANEL_s * PANEL_s;
  const long batch = number / job->row_parts, part = number % job->row_parts;
  long rows = 1;
  for (long d = outer; d < rank; d++) rows *= sizes[d];
  const long at_once = rows_at_once(p, rows, (n + WIDEST - 1) / WIDEST * WIDEST);
  const void *const q = from_number(p->types[0], job->q, distance(sizes, p->q, 0, outer, batch));
  const void *const k = from_number(p->types[1], job->k, distance(sizes, p->k, 0, outer, batch));
  const void *const v = from_number(p->types[2], job->v, distance(sizes, p->v, 0, outer, batch));
  const long out_start = distance(sizes, p->out, 0, outer, batch);
  long starts[MOST_CHANGES];
  for (long c = 0; c < p->change_count; c++)
    starts[c] = p->changes[c].strides ? distance(sizes, p->changes[c].strides, 0, outer, batch) : 0;
  float *const queries = (float *)scratch, *const scores = queries + at_once * p->depth;
  float *const results = scores + at_once * width, *const keys = results + at_once * out_width;
  float *const values = keys + (p->copied_keys ? width * p->depth : 0);
  float *const operands = values + (p->copied_values ? n * out_width : 0);
  const struct AHEAD_s nothing = {(const char *)queries, 0, 0, 0};
  const long key_step = p->k[rank], value_step = p->v[rank];
  /* A panel that is read once is copied just then, so that it stays in the nearest cache. */
  const int once = rows <= at_once;
  long packed = once ? n : 0; /* keys and values */
  /* If no query of some reads the last keys, these are left out: their weights are zero, and so is what zeros times
     finite values add. From `finite` on, values are known to be finite. */
  const struct change *const hiding = hiding_change(p);
  long finite = n;
  const long few = p->least_rows, units = (rows + few - 1) / few;
  const long end = least(rows, units * (part + 1) / job->row_parts * few);
  for (long row = units * part / job->row_parts * few, count; row < end; row += count) {
    const long left = (end - row + few - 1) / few, groups = (end - row + at_once - 1) / at_once;
    count = least(end - row, (left + groups - 1) / groups * few);
    for (long r = 0; r < count; r++) {
      const long from = distance(sizes, p->q, outer, rank, row + r);
      widen_row(p->types[0], q, from, p->q[rank + 1], p->depth, queries + r * p->depth);
    }
    long used = hiding ? 0 : n;
    for (long r = count - 1; r >= 0 && used < n; r--) {
      const long at = starts[p->change_count - 1] + distance(sizes, hiding->strides, outer, rank, row + r);
      used = keys_read(hiding, (const unsigned char *)job->buffers[p->change_count - 1] + at, used, n);
    }
    used = least((used - (used > 0)) / PANEL_s * PANEL_s + PANEL_s, n);
    while (used < finite && is_finite(p->types[2], from_number(p->types[2], v, (finite - 1) * value_step), p->width))
      finite--;
    if (used < finite) used = n;
  again:
    for (; packed < used; packed += PANEL_s) {
      const long deep = least(n - packed, PANEL_s);
      if (p->copied_keys == 1)
        pack(p->types[1], k, packed * key_step, p->k[rank + 1], key_step, p->depth, deep, keys + packed * p->depth);
      for (long j = 0; p->copied_values && j < p->width; j += PANEL_s)
        pack(p->types[2], v, packed * value_step + j * p->v[rank + 1], value_step, p->v[rank + 1], deep,
             least(p->width - j, PANEL_s), values + j * n + packed * PANEL_s);
    }
    if (p->copied_keys == ROWWISE) {
      for (long j = 0, columns; j < used; j += columns) {
        columns = least(n - j, PANEL_s);
        for (long i = 0; i < columns; i++) widen_row(p->types[1], k, (j + i) * key_step, 1, p->depth, keys + i * p->depth);
        BY_COLUMNS_s(count, count, columns, queries, p->depth, keys, p->depth, p->depth, scores + j, width);
      }
    } else if (p->copied_keys) {
      for (long j = 0; j < used; j += PANEL_s) {
        float *const panel = once ? keys : keys + j * p->depth;
        const long columns = least(n - j, PANEL_s);
        if (once) pack(p->types[1], k, j * key_step, p->k[rank + 1], key_step, p->depth, columns, panel);
        STRIP_s(count, columns, queries, ROWS * p->depth, p->depth, 1, panel, PANEL_s, p->depth, scores + j, width,
                FIRST, &nothing);
      }
    } else
      BY_COLUMNS_s(count, count, used, queries, p->depth, (const float *)k, key_step, p->depth, scores, width);
    for (long r = 0; r < count; r++) {
      float *const x = scores + r * width;
      for (long c = 0; c < p->change_count; c++) {
        const struct change *const change = &p->changes[c];
        const long *const strides = change->strides;
        long step = strides ? strides[rank] : 0;
        const long at = strides ? starts[c] + distance(sizes, strides, outer, rank, row + r) : 0;
        const long size = change->kind == KEEP || change->kind == DROP ? 1 : sizeof(float);
        const void *from = strides ? (const char *)job->buffers[c] + at * size : 0;
        if (strides && change->element) {
          widen_row(change->element, job->buffers[c], at, step, step ? used : 1, operands);
          from = operands;
          step = step != 0;
        }
        if (step == 0) change_equally(change, from, x, used);
        else if (step == 1) change_each(change, from, x, used);
        else change_apart(change, from, step, x, used);
      }
      const float highest = p->shifted ? highest_of(x, used) : 0;
      if (used < n && !(hiding->number < highest - LEAST_EXPONENT)) {
        used = n;
        goto again;
      }
      weigh(p, highest, x, used);
    }
    for (long j = 0; j < p->width; j += PANEL_s)
      for (long i = 0; i < used; i += DEPTH) {
        float *const panel = once ? values : values + j * n + i * PANEL_s;
        const long deep = least(used - i, DEPTH), columns = least(p->width - j, PANEL_s), step = p->v[rank + 1];
        if (p->copied_values && once)
          pack(p->types[2], v, i * value_step + j * step, value_step, step, deep, columns, panel);
        STRIP_s(count, columns, scores + i, ROWS * width, width, 1,
                p->copied_values ? panel : (const float *)v + i * value_step + j,
                p->copied_values ? PANEL_s : value_step, deep, results + j, out_width, i ? ADDED : FIRST, &nothing);
      }
    for (long r = 0; r < count; r++) {
      const long to = out_start + distance(sizes, p->out, outer, rank, row + r);
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

/* `buffers` has one for each change, null for one with a number; there is scratch memory for each thread. */
EXPORTED void sattention(const struct attention *p, const void *q, const void *k, const void *v,
                         const void *const *buffers, void *out, char *scratch, long threads,
                         void (*parallel)(void (*)(void *const *, long, long), void *const *, long)) {
  long rows = 1, batches = 1;
  for (long d = 0; d < p->rank; d++) *(d < p->rank - p->shared ? &batches : &rows) *= p->sizes[d];
  struct attention_job job = {p, q, k, v, buffers, out, scratch, 1, threads, {batches, threads > 1 ? SHARED_RANGES : 0, {0}}};
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
