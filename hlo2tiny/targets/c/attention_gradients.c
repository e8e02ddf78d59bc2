/* Gradients of attention, with scores computed again from what attention has found of each query: the highest one, and
   the sum of their exponentials. This follows the first part of attention.c.

   A tile has the scores of some queries and keys, from which it adds to the gradients of these queries, keys and values.
   Threads take pieces until none is left: all that read the same keys or, if these are too few for the threads, some
   keys with all queries, and some queries with all keys. Each number adds up the same terms in the same order.

   The gradient of what is added to scores, a bias, is that of scores then, added up where the bias repeats its numbers:
   along all or none of the dimensions of queries that share keys, of the last ones before these, and of keys. A piece has
   it together with the other gradients of all that read the same numbers, or alone, with scores computed once more. */

enum { LINE = 64 / sizeof(float) };
enum { KEY_PARTS = 4, QUERY_PARTS = 2 }; /* for each thread: one copies all queries again, or all keys */
enum { BIAS_TILES = 2 };                 /* of queries in a part of a bias, whose gradient stays in a near cache */

struct gradients {
  struct heads heads;
  const long *cotangents, *sums, *highest; /* strides; there are no highest scores if none is subtracted first */
  long element;                            /* the type of queries, keys, values and cotangents */
  const long *wanted[3];                   /* strides of gradients of queries, keys and values, or null */
  long elements[4];                        /* their types, and that of the bias */
  const long *bias;                        /* strides of the gradient of a bias, or null */
  long repeated, before;                   /* the batches that read each of its numbers, and the change that adds it */
  float factor;                            /* what its gradient is multiplied by */
  long together;                           /* whether it may be computed together with the others */
  long most_queries, most_keys;            /* of a tile */
  long scratch;                            /* the bytes that a thread needs */
};

struct gradients_job {
  const struct gradients *g;
  const void *q, *k, *v;
  const void *const *buffers;
  const void *results;
  const float *sums, *highest;
  const void *cotangents;
  void *const *outputs;
  char *scratch;
  long queries, tile_queries, tile_keys; /* how many read the same keys, and how many of both a tile has */
  long key_parts, query_parts, threads; /* without parts, pieces are whole */
  long others, bias_key_parts, bias_query_parts; /* pieces before those of the bias alone, and parts of these */
  struct pieces pieces;
};

/* The sum of products of numbers, of which there are some whole vectors. */
APART float product_of(const float *x, const float *y, long count) {
  CONTRACT
  VECTOR_s sum = {0};
  for (long i = 0; i < count; i += WIDE) sum += *(const VECTOR_s *)(x + i) * *(const VECTOR_s *)(y + i);
  return TOTAL_s(sum);
}

/* Scores become weights, and gradients of weights those of scores before changes by numbers. */
APART void weights_and_slopes(long rows, long count, float *scores, float *slopes, long step, const float *highest,
                              const float *inverse, const float *mean, float factor) {
  for (long r = 0; r < rows; r++) {
    float *restrict const x = scores + r * step, *restrict const y = slopes + r * step;
    for (long i = 0; i < count; i++) {
      const float weight = power_of(x[i] - highest[r]) * inverse[r];
      x[i] = weight;
      y[i] = weight * (y[i] - mean[r]) * factor;
    }
  }
}

APART void multiply_by_steepness(float *restrict y, const float *restrict tangents, long count) {
  for (long i = 0; i < count; i++) y[i] *= 1 - tangents[i] * tangents[i];
}

/* Two rows become one of pairs of bf16: of weights in place of the first row, and of slopes in place of the second. */
APART void pair_rows(float *restrict first, float *restrict second, const float *restrict slopes,
                     const float *restrict others, long count) {
  for (long i = 0; i < count; i++) {
    const unsigned weights = rounded_bits(first[i]) | rounded_bits(second[i]) << 16;
    first[i] = (union bits){weights}.number;
    second[i] = (union bits){rounded_bits(slopes[i]) | rounded_bits(others[i]) << 16}.number;
  }
}

/* C = A·B, with panels of B that have as many rows as A has columns. */
static void multiply_panels(int together, long rows, long columns, const float *a, long a_row, const float *b, long depth,
                            float *c, long c_row) {
  for (long j = 0; j < columns; j += PANEL_s)
    multiply(together, rows, rounded_up(least(columns - j, PANEL_s), WIDE), a, a_row, 1, b + j * a_row, PANEL_s, depth,
             c + j, c_row, FIRST);
}

/* C += A·B, with B and C as rows of whole vectors. */
static void add_product(int together, long rows, long columns, const float *a, long a_row, long a_column, const float *b,
                        long depth, float *c) {
  for (long j = 0; j < columns; j += PANEL_s)
    multiply(together, rows, least(columns - j, PANEL_s), a, a_row, a_column, b + j, columns, depth, c + j, columns, ADDED);
}

/* The gradients of scores that masks replace, from the change with number `first` on, are zeros. */
static void clear_hidden(const struct heads *p, long first, const void *const *buffers, const long *starts, long row, long key,
                         float *slopes, long count) {
  for (long c = first; c < p->change_count; c++) {
    const struct change *const change = &p->changes[c];
    if (change->kind != KEEP && change->kind != DROP) continue;
    const struct change clear = {change->kind, 0, change->strides, 0};
    const long step = change->strides[p->rank], at = starts[c] + query_place(p, change->strides, row) + key * step;
    if (step == 1) change_each(&clear, (const char *)buffers[c] + at, slopes, count);
    else change_apart(&clear, (const char *)buffers[c] + at, step, slopes, count);
  }
}

/* The sum of numbers. */
APART float sum_of(const float *x, long count) {
  VECTOR_s sums = {0};
  long i = 0;
  for (; i + WIDE <= count; i += WIDE) sums += *(const VECTOR_s *)(x + i);
  float sum = TOTAL_s(sums);
  for (; i < count; i++) sum += x[i];
  return sum;
}

APART void add_row(float *restrict to, const float *restrict x, long count) {
  for (long i = 0; i < count; i++) to[i] += x[i];
}

/* Add a tile of slopes to the sums of a bias: each row to its own, or all together, in a `row`, to one. */
static void add_slopes(long rows, long count, const float *slopes, long step, float *sums, long sums_row, int by_key,
                       float *row) {
  if (!sums_row) {
    __builtin_memset(row, 0, count * sizeof(float));
    for (long r = 0; r < rows; r++) add_row(row, slopes + r * step, count);
    slopes = row, rows = 1;
  }
  for (long r = 0; r < rows; r++)
    if (by_key) add_row(sums + r * sums_row, slopes + r * step, count);
    else sums[r * sums_row] += sum_of(slopes + r * step, count);
}

/* Memory for some numbers. */
static float *taken(float **memory, long count) {
  float *const found = *memory;
  *memory += rounded_up(count, LINE);
  return found;
}
static float *zeros(float **memory, long count) {
  float *const found = taken(memory, count);
  __builtin_memset(found, 0, count * sizeof(float));
  return found;
}

/* Add up the gradients of some queries from all keys, or of some keys and values from all queries, or of all, or of a bias,
   the rows of whose sums are `sums_row` apart. */
static void differentiate(const struct gradients_job *job, long batch, long row_begin, long row_end, long key_begin,
                          long key_end, int of_queries, int of_keys, float *bias_sums, long sums_row, char *scratch) {
  const struct gradients *const g = job->g;
  const struct heads *const p = &g->heads;
  const long rank = p->rank, kind = g->element;
  const int together = kind == BF16 ? MOST_TOGETHER : 1, pairs = together == 2, copied = pairs ? BF16 : 0;
  const int of_k = of_keys && g->wanted[1], of_v = of_keys && g->wanted[2];
  /* Rows of as many floats as there are numbers, and of floats or pairs. */
  const long deep = length_of(1, p->depth), wide = length_of(1, p->width), keys = key_end - key_begin;
  const long depth = length_of(together, p->depth), width = length_of(together, p->width);
  /* Rows of tiles, which would take turns in caches if a multiple of 4096 bytes were between them. */
  const long most = job->tile_queries, step = job->tile_keys + LINE, panels = rounded_up(keys, PANEL_s);
  const long k_at = batch_place(p, p->k, batch) + key_begin * p->k[rank];
  const long v_at = batch_place(p, p->v, batch) + key_begin * p->v[rank];
  const long q_at = batch_place(p, p->q, batch), cotangents_at = batch_place(p, g->cotangents, batch);
  const long results_at = batch_place(p, p->out, batch), of_q_at = of_queries ? batch_place(p, g->wanted[0], batch) : 0;
  const float *const sums = job->sums + batch_place(p, g->sums, batch);
  const float *const highest_scores = p->shifted ? job->highest + batch_place(p, g->highest, batch) : 0;
  float *memory = (float *)scratch;
  float *const key_columns = taken(&memory, panels * depth), *const value_columns = taken(&memory, panels * width);
  float *const rows = zeros(&memory, PANEL_s * (deep > wide ? deep : wide));
  float *const key_rows = taken(&memory, of_queries * (keys + 1) / together * deep);
  float *const of_key_rows = zeros(&memory, of_k * keys * deep), *const of_value_rows = zeros(&memory, of_v * keys * wide);
  float *const queries = zeros(&memory, most * depth), *const cotangents = zeros(&memory, most * width);
  float *const query_pairs = taken(&memory, pairs * most / 2 * deep);
  float *const cotangent_pairs = taken(&memory, pairs * most / 2 * wide);
  float *const of_query_rows = taken(&memory, most * deep);
  float *const scores = taken(&memory, most * step), *const slopes = taken(&memory, most * step);
  float *const operands = taken(&memory, job->tile_keys);
  float *const result = zeros(&memory, wide), *const cotangent = zeros(&memory, wide);
  float *const highest = taken(&memory, 3 * most), *const inverse = highest + most, *const mean = inverse + most;
  float factor = 1, hidden = 0;
  long starts[MOST_CHANGES], has_tangents = 0;
  const struct change *const hiding = hiding_change(p, &hidden);
  for (long c = 0; c < p->change_count; c++) {
    const struct change *const change = &p->changes[c];
    starts[c] = change->strides ? batch_place(p, change->strides, batch) : 0;
    if (c < g->before) continue;
    has_tangents |= change->kind == TANH;
    if (change->kind == MULTIPLY_BY) factor *= change->number;
    if (change->kind == DIVIDE_BY) factor /= change->number;
  }
  float *const tangents = has_tangents ? taken(&memory, most * step) : 0;
  for (long i = 0; i < keys; i += PANEL_s) {
    const long count = least(keys - i, PANEL_s), k = k_at + i * p->k[rank], v = v_at + i * p->v[rank];
    copy_panel(together, kind, job->k, k, p->k[rank], p->k[rank + 1], p->depth, count, rows, key_columns + i * depth);
    if (of_queries)
      copy_columns(together, copied, rows, 0, together * depth, 1, count, p->depth, key_rows + i / together * deep, deep);
    copy_panel(together, kind, job->v, v, p->v[rank], p->v[rank + 1], p->width, count, rows, value_columns + i * width);
  }
  for (long row = row_begin, count; row < row_end; row += count) {
    count = least(row_end - row, job->tile_queries);
    int skips = hiding && hiding - p->changes >= g->before; /* whether hidden keys change nothing: their weights are zero, and zeros times numbers are */
    for (long r = 0; r < count; r++) {
      const long q = q_at + query_place(p, p->q, row + r), c = cotangents_at + query_place(p, g->cotangents, row + r);
      copy_row(together, kind, job->q, q, p->q[rank + 1], p->depth, queries + r * depth);
      copy_row(together, kind, job->cotangents, c, g->cotangents[rank + 1], p->width, cotangents + r * width);
      if (pairs) widen_row(kind, job->cotangents, c, g->cotangents[rank + 1], p->width, cotangent);
      widen_row(p->types[3], job->results, results_at + query_place(p, p->out, row + r), p->out[rank + 1], p->width,
                result);
      highest[r] = p->shifted ? highest_scores[query_place(p, g->highest, row + r)] : 0;
      inverse[r] = 1 / sums[query_place(p, g->sums, row + r)];
      const float *const wide_cotangent = pairs ? cotangent : cotangents + r * width;
      mean[r] = product_of(wide_cotangent, result, wide);
      skips = skips && hidden < highest[r] - LEAST_EXPONENT && inverse[r] * 0 == 0;
      if (skips && of_keys)
        skips = is_finite(0, wide_cotangent, p->width) && is_finite(copied, queries + r * depth, p->depth);
    }
    for (long next = row + count; next < least(row + 2 * count, row_end); next++) {
      prefetch_row(kind, job->q, q_at + query_place(p, p->q, next), p->depth);
      prefetch_row(kind, job->cotangents, cotangents_at + query_place(p, g->cotangents, next), p->width);
      prefetch_row(p->types[3], job->results, results_at + query_place(p, p->out, next), p->width);
    }
    if (pairs && of_k) copy_columns(2, BF16, queries, 0, 2 * depth, 1, count, deep, query_pairs, deep);
    if (pairs && of_v) copy_columns(2, BF16, cotangents, 0, 2 * width, 1, count, wide, cotangent_pairs, wide);
    if (of_queries) __builtin_memset(of_query_rows, 0, count * deep * sizeof(float));
    for (long key = 0; key < keys; key += job->tile_keys) {
      const long all = least(keys - key, job->tile_keys);
      float *const others = key_rows + key / together * deep;
      long used = skips ? 0 : all;
      for (long r = count - 1; r >= 0 && used < all; r--) {
        const long c = hiding - p->changes, at = starts[c] + query_place(p, hiding->strides, row + r);
        used = keys_read(hiding, (const unsigned char *)job->buffers[c] + at + key_begin + key, used, all);
      }
      used = least(rounded_up(used, PANEL_s), all);
      const long left = rounded_up(all - used, together) * deep;
      if (of_queries && !is_finite(copied, others + used / together * deep, left)) used = all;
      if (!used) continue;
      multiply_panels(together, count, used, queries, depth, key_columns + key * depth, p->depth, scores, step);
      multiply_panels(together, count, used, cotangents, width, value_columns + key * width, p->width, slopes, step);
      for (long r = 0; r < count; r++)
        change_scores(p, job->buffers, starts, row + r, key_begin + key, scores + r * step, used, operands,
                      tangents ? tangents + r * step : 0);
      weights_and_slopes(count, rounded_up(used, WIDE), scores, slopes, step, highest, inverse, mean, factor);
      for (long r = 0; r < count; r++) {
        float *const y = slopes + r * step;
        if (tangents) multiply_by_steepness(y, tangents + r * step, used);
        clear_hidden(p, g->before, job->buffers, starts, row + r, key_begin + key, y, used);
      }
      if (bias_sums) {
        const int by_key = g->bias[rank] != 0;
        float *const sums_of_tile = bias_sums + (row - row_begin) * sums_row + by_key * key;
        add_slopes(count, used, slopes, step, sums_of_tile, sums_row, by_key, operands);
      }
      if (pairs) {
        const long last = count * step;
        if (count % 2) __builtin_memset(scores + last, 0, used * 4), __builtin_memset(slopes + last, 0, used * 4);
        for (long r = 0; of_keys && r < count; r += 2)
          pair_rows(scores + r * step, scores + (r + 1) * step, slopes + r * step, slopes + (r + 1) * step, used);
        for (long r = 0; of_queries && r < count; r++) narrow_row(slopes + r * step, used);
      }
      if (of_v)
        add_product(together, used, wide, scores, 1, together * step, pairs ? cotangent_pairs : cotangents, count,
                    of_value_rows + key * wide);
      if (of_k)
        add_product(together, used, deep, pairs ? scores + step : slopes, 1, together * step,
                    pairs ? query_pairs : queries, count, of_key_rows + key * deep);
      if (of_queries) add_product(together, count, deep, slopes, step, 1, others, used, of_query_rows);
    }
    for (long r = 0; of_queries && r < count; r++)
      write_row(g->elements[0], of_query_rows + r * deep, p->depth, job->outputs[0],
                of_q_at + query_place(p, g->wanted[0], row + r), g->wanted[0][rank + 1]);
  }
  for (long i = 0; i < keys; i++) {
    if (of_k)
      write_row(g->elements[1], of_key_rows + i * deep, p->depth, job->outputs[1],
                batch_place(p, g->wanted[1], batch) + (key_begin + i) * g->wanted[1][rank], g->wanted[1][rank + 1]);
    if (of_v)
      write_row(g->elements[2], of_value_rows + i * wide, p->width, job->outputs[2],
                batch_place(p, g->wanted[2], batch) + (key_begin + i) * g->wanted[2][rank], g->wanted[2][rank + 1]);
  }
}

/* The gradient of some of the numbers of a bias, which some batches read, and what else these ask for. */
static void differentiate_bias(const struct gradients_job *job, long number, long row_begin, long row_end, long key_begin,
                               long key_end, int of_queries, int of_keys, char *scratch) {
  const struct gradients *const g = job->g;
  const struct heads *const p = &g->heads;
  const long outer = p->rank - p->shared, batch = number * g->repeated, step = g->bias[p->rank];
  const long rows = !p->shared || g->bias[outer] ? row_end - row_begin : 1, keys = step ? key_end - key_begin : 1;
  const long length = rounded_up(keys, LINE);
  float *memory = (float *)scratch, *const sums = zeros(&memory, rows * length);
  for (long i = 0; i < g->repeated; i++)
    differentiate(job, batch + i, row_begin, row_end, key_begin, key_end, of_queries, of_keys, sums, rows > 1 ? length : 0,
                  (char *)memory);
  for (long i = 0; i < rows * length; i++) sums[i] *= g->factor;
  for (long r = 0; r < rows; r++) {
    const long to = batch_place(p, g->bias, batch) + query_place(p, g->bias, row_begin + r) + key_begin * step;
    write_row(g->elements[3], sums + r * length, keys, job->outputs[3], to, step);
  }
}

static void gradients_work(void *const *arguments, long begin, long end) {
  struct gradients_job *const job = (struct gradients_job *)arguments[0];
  const struct gradients *const g = job->g;
  const long rows = job->queries, high = job->tile_queries, heights = (rows + high - 1) / high, q = job->query_parts;
  const long keys = g->heads.keys, wide = job->tile_keys, widths = (keys + wide - 1) / wide, k = job->key_parts;
  const int of_queries = g->wanted[0] != 0, of_keys = g->wanted[1] || g->wanted[2];
  for (long thread = begin; thread < end; thread++)
    FOR_PIECES(i, &job->pieces, thread, job->threads) {
      const long parts = k + q ? k + q : 1, batch = i / parts, part = i % parts;
      char *const scratch = job->scratch + thread * g->scratch;
      if (i >= job->others) {
        const long bk = job->bias_key_parts, bq = job->bias_query_parts, at = i - job->others, a = at / bk % bq, b = at % bk;
        const long row = heights * a / bq * high, row_end = least(heights * (a + 1) / bq * high, rows);
        const long key = widths * b / bk * wide, key_end = least(widths * (b + 1) / bk * wide, keys);
        const int whole = !job->others; /* what is not wanted is not computed */
        differentiate_bias(job, at / bk / bq, row, row_end, key, key_end, whole && of_queries, whole && of_keys, scratch);
      } else if (!(k + q)) {
        differentiate(job, batch, 0, rows, 0, keys, of_queries, of_keys, 0, 0, scratch);
      } else if (part < k) {
        const long end = least(widths * (part + 1) / k * wide, keys);
        differentiate(job, batch, 0, rows, widths * part / k * wide, end, 0, 1, 0, 0, scratch);
      } else {
        const long end = least(heights * (part - k + 1) / q * high, rows);
        differentiate(job, batch, heights * (part - k) / q * high, end, 0, keys, 1, 0, 0, 0, scratch);
      }
    }
}

/* A size of about equal parts, a multiple of some number. */
INLINE long equal_parts(long count, long most, long multiple) {
  const long parts = (count + most - 1) / most;
  return parts ? rounded_up((count + parts - 1) / parts, multiple) : multiple;
}

/* Whether pieces are too few: parts compute scores twice, with 7 products rather than 5. */
INLINE int has_few_pieces(long count, long threads) {
  return 7 * ((count + threads - 1) / threads) * threads > 10 * count;
}

/* `buffers` and scratch memory are as for attention; `results`, `sums` and `highest` are what that has found, and `outputs`
   the gradients of queries, keys, values and a bias. */
EXPORTED void sgradients(const struct gradients *g, const void *q, const void *k, const void *v, const void *const *buffers,
                         const void *results, const float *sums, const float *highest, const void *cotangents,
                         void *const *outputs, char *scratch, long threads,
                         void (*parallel)(void (*)(void *const *, long, long), void *const *, long)) {
  const struct heads *const h = &g->heads;
  const long outer = h->rank - h->shared, batches = count_of(h, 0, outer), rows = count_of(h, outer, h->rank);
  struct gradients_job job = {g, q, k, v, buffers, results, sums, highest, cotangents, outputs, scratch, rows,
                              equal_parts(rows, g->most_queries, ROWS), equal_parts(h->keys, g->most_keys, PANEL_s), 0, 0,
                              threads, batches, 1, 1, {batches, threads > 1 ? SHARED_RANGES : 0, {0}}};
  const long widths = (h->keys + job.tile_keys - 1) / job.tile_keys, groups = batches / g->repeated;
  const long heights = (rows + job.tile_queries - 1) / job.tile_queries;
  const int shares = parallel && threads > 1, is_wanted = g->wanted[0] || g->wanted[1] || g->wanted[2];
  if (g->bias && is_wanted && g->together && !(shares && has_few_pieces(groups, threads))) {
    job.others = 0, job.pieces.count = groups;
  } else {
    if (shares && is_wanted && has_few_pieces(batches, threads)) {
      if (g->wanted[1] || g->wanted[2]) job.key_parts = least(widths, (KEY_PARTS * threads + batches - 1) / batches);
      if (g->wanted[0]) job.query_parts = least(heights, (QUERY_PARTS * threads + batches - 1) / batches);
      job.others *= job.key_parts + job.query_parts;
    }
    job.others *= is_wanted, job.pieces.count = job.others;
    if (g->bias) {
      if (!h->shared || g->bias[outer]) job.bias_query_parts = (heights + BIAS_TILES - 1) / BIAS_TILES;
      if (g->bias[h->rank] && groups * job.bias_query_parts < threads) job.bias_key_parts = least(widths, KEY_PARTS * threads);
      job.pieces.count += groups * job.bias_query_parts * job.bias_key_parts;
    }
  }
  void *const arguments[] = {&job};
  if (shares)
    parallel(gradients_work, arguments, threads);
  else
    gradients_work(arguments, 0, 1);
}
