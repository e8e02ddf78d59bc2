// Gradients of attention, with scores computed again. A block has TILE own rows, which are keys (OF_KEYS) or queries,
// and takes STEP others at a time: own rows times others are scores, and the values or cotangents of own rows times
// those of the others are gradients of weights. Both become weights and gradients of scores, which are multiplied by
// the others. attention_gradients.py writes the constants before this, and the names in @.
//
// If operands are ROUNDED to TF32, which is for four warps that multiply together, they lie in tiles, see rounding.cu.
// Of eight warps, four compute scores, and four gradients of weights, from own rows in registers. They exchange halves
// of these, and write what becomes of them to the block's memory. Results are computed transposed, as columns of the
// others, which lanes read where the first products read rows, times what was written: four warps have every other 64
// columns of all results.
@tiles@
static_assert(HAS_WARPGROUPS || !ROUNDED);
constexpr int STEPS = (OTHERS + STEP - 1) / STEP, OTHER_TILES = (OTHERS + TILE - 1) / TILE;
// Where others are, in slots, then gradients of scores, weights, what is exchanged, and a step's statistics of queries.
constexpr int SECOND_OTHERS = STEP * 128 * DEPTH_PARTS, SLOT = SECOND_OTHERS + STEP * 128 * WIDTH_PARTS;
constexpr int FIRST_SLOT = ROUNDED ? 0 : STAGE, FIRST_PRODUCT = FIRST_SLOT + SLOT * STAGES;
constexpr int PRODUCT = ROUNDED ? TILE * STEP * 4 : 0, SECOND_PRODUCT = FIRST_PRODUCT + HAS_FIRST * PRODUCT;
constexpr int EXCHANGED = SECOND_PRODUCT + HAS_SECOND * PRODUCT, STATISTICS = EXCHANGED + PRODUCT;
// The columns of both results that a warp computes, in fragments of 8: of wide ones, CHUNKS warps compute a part each.
constexpr int FIRST_COLUMNS = HAS_FIRST ? DEPTH_CHUNK / 8 : 0, SECOND_COLUMNS = HAS_SECOND ? WIDTH_CHUNK / 8 : 0;
constexpr int KEPT = ROUNDED ? STEP / 16 : STEP / 8;  // fragments of what products become
// Results of 64 columns each.
constexpr int FIRST_RESULTS = HAS_FIRST ? (DEPTH + 63) / 64 : 0, SECOND_RESULTS = HAS_SECOND ? (WIDTH + 63) / 64 : 0;
constexpr int RESULTS = FIRST_RESULTS + SECOND_RESULTS, OWN_RESULTS = (RESULTS + 1) / 2;
constexpr bool AHEAD = STEP == 64;  // whether there is room for columns of the others that are multiplied later
// Blocks with the most to do come first: masks often hide later keys, and leave the last queries the most.
const int turn = blockIdx.x, tile = turn / BATCHES;
const int part = !SKIPS ? turn % TILES : OF_KEYS ? tile : TILES - 1 - tile, batch = SKIPS ? turn % BATCHES : turn / TILES;
const int chunk = threadIdx.x / 32 / WARPS, first_begin = chunk * DEPTH_CHUNK, second_begin = chunk * WIDTH_CHUNK;
@starts@
// Where rows of queries (or cotangents) and of keys (or values) are.
@places@

// What is rounded arrives in slots, of which the first ones are for own rows until these are in registers.
__shared__ unsigned long long arrivals[ROUNDED ? STAGES : 1];
const Shared arrivals_at = shared_address(arrivals);
// Some rows of tiles, which follow each other in each part.
auto stage_rows = [&](auto parts, auto rows, const auto *tiles, int first, int to, Shared at) {
  constexpr int count = decltype(parts)::count, bytes = decltype(rows)::count * 128;
  const auto *const from = tiles + first / TILE * (long long)(count * TILE * PART) + first % TILE * PART;
#pragma unroll
  for (int i = 0; i < count; i++) copy_bytes_later(memory_at + to + i * bytes, from + i * TILE * PART, bytes, at);
};
auto stage_queries = [&](auto rows, int first, int to, Shared at) {
  constexpr int count = decltype(rows)::count;
  if constexpr (ROUNDED) {
    stage_rows(Count<DEPTH_PARTS>(), rows, q, first, to, at);
    stage_rows(Count<WIDTH_PARTS>(), rows, cotangents, first, to + count * 128 * DEPTH_PARTS, at);
  } else {
    stage(depth_chunks, Count<QUERIES>(), q, q_place, first, DEPTH, to);
    stage(width_chunks, Count<QUERIES>(), cotangents, cotangents_place, first, WIDTH, to + DEPTH_BYTES);
  }
};
auto stage_keys = [&](auto rows, int first, int to, Shared at) {
  constexpr int count = decltype(rows)::count;
  if constexpr (ROUNDED) {
    stage_rows(Count<DEPTH_PARTS>(), rows, k, first, to, at);
    stage_rows(Count<WIDTH_PARTS>(), rows, v, first, to + count * 128 * DEPTH_PARTS, at);
  } else {
    stage(depth_chunks, Count<KEYS>(), k, k_place, first, DEPTH, to);
    stage(width_chunks, Count<KEYS>(), v, v_place, first, WIDTH, to + DEPTH_BYTES);
  }
};
auto stage_others = [&](int step, int slot) {
  const int to = FIRST_SLOT + SLOT * slot;
  const Shared at = arrivals_at + 8 * slot;
  if (ROUNDED) expect_bytes(at, SLOT + OF_KEYS * 3 * STEP * 4);
  if constexpr (OF_KEYS) {
    stage_queries(Count<STEP>(), step * STEP, to, at);
    const float *const from = statistics + batch * (long long)(OTHER_TILES * TILE) + step * STEP;
    const Shared target = memory_at + STATISTICS + slot * 3 * STEP * 4;
    if constexpr (ROUNDED) {
      for (int i = 0; i < 3; i++) copy_bytes_later(target + i * STEP * 4, from + i * COUNT, STEP * 4, at);
    } else {
      const int which = threadIdx.x / (STEP / 4), number = threadIdx.x % (STEP / 4) * 4;
      copy_later(target + (which * STEP + number) * 4, from + which * COUNT + number, true, which < 3);
    }
  } else
    stage_keys(Count<STEP>(), step * STEP, to, at);
};
auto stage_own = [&]() {
  if (ROUNDED) expect_bytes(arrivals_at, STAGE);
  if constexpr (OF_KEYS) stage_keys(Count<TILE>(), part * TILE, 0, arrivals_at);
  else stage_queries(Count<TILE>(), part * TILE, 0, arrivals_at);
};
// All threads copy, or the one that copies what is rounded.
auto begin_copies = [&](auto copy) {
  if (!ROUNDED) copy();
  else if (threadIdx.x / 32 == 0 && is_chosen()) copy();
};
if constexpr (ROUNDED) {
  if (threadIdx.x == 0)
    for (int i = 0; i < STAGES; i++) begin_arrivals(arrivals_at + 8 * i);
  publish_writes();
}
begin_copies(stage_own);

// Which steps to take: those where a score counts (1), and where masks replace any (2).
__shared__ unsigned char known[SKIPS ? OTHER_TILES : 1];
if constexpr (SKIPS) {
  for (int i = threadIdx.x; i < OTHER_TILES; i += THREADS) {
    @known@
  }
  __syncthreads();
}
// SHARES blocks with the same rows take as many of the others each; attention_parts.cu adds up what they find.
constexpr int SHARE = (STEPS + SHARES - 1) / SHARES;
const int least_end = min((int)blockIdx.y * SHARE + SHARE, STEPS);
auto next = [&](int step) {
  do step++;
  while (SKIPS && step < least_end && !(known[step * STEP / TILE] & 1));
  return step;
};

int rows[2];
float highest[2], inverses[2], means[2];
#pragma unroll
for (int i = 0; i < 2; i++) {
  const int row = own_row(part, i);
  rows[i] = row < OWN ? row : OWN - 1;
  const float *const from = statistics + batch * (long long)TILES * TILE + row;
  if (!OF_KEYS) highest[i] = from[0], inverses[i] = from[COUNT], means[i] = from[2 * COUNT];
}
@row_starts@

// What follows is only for operands that are rounded: own rows, in fragments, and what four warps compute together.
constexpr int OWN_TERMS = DEPTHS > WIDTHS ? DEPTHS : WIDTHS;
uint own[ROUNDED ? OWN_TERMS : 1][4];
if constexpr (ROUNDED) {
  const Shared own_at = memory_at + chunk * DEPTH_BYTES;
  wait_for_bytes(arrivals_at, 0);
#pragma unroll
  for (int t = 0; t < OWN_TERMS; t++)
    load_tiles(own[t], own_at + place_of(warp * 16 + lane % 16, t * ONCE + lane / 16 * (ONCE / 2)));
  __syncthreads();
}
struct Result {
  bool is_first;
  int column, others, product;
};
auto result_of = [&](int number) -> Result {
  const int at = 2 * number + chunk;
  if (at < FIRST_RESULTS) return {true, at * 64, 0, FIRST_PRODUCT};
  return {false, (at - FIRST_RESULTS) * 64, SECOND_OTHERS, SECOND_PRODUCT};
};
// Of each 8 others, a lane reads two neighbours, which are four numbers apart in rows of what is written.
const int first_column = place * 256 + ((warp % 2 * 4 + quad / 4) ^ 2 * place) * 16 + quad % 4 * 4;
auto read_columns = [&](uint (*a)[4], const Result &result, int others) {
  const char *const from = memory + others + result.others + (result.column / 32 + warp / 2) * STEP * 128;
#pragma unroll
  for (int i = 0; i < STEP / 2; i++) {
    const int at = (first_column ^ i % 4 / 2 * 16 ^ i % 2 * 32) + i % 4 / 2 * 128 + i / 4 * 1024;
    a[i / 4][i % 4] = *(const uint *)(from + at);
  }
};
const int first_number = place_of(warp * 16 + quad, chunk * (STEP / 2)) + place * 4;
auto write_product = [&](const float (*x)[4], int to) {
#pragma unroll
  for (int i = 0; i < 4 * KEPT; i++) {
    const int at = (first_number ^ (i / 4 * 2 + i % 2) * 16) + i % 4 / 2 * 1024;
    *(uint *)(memory + to + at) = round_to_tf32(x[i / 4][i % 4]);
  }
};
float results[ROUNDED ? OWN_RESULTS * 8 : 1][4] = {};

float first_results[FIRST_COLUMNS ? FIRST_COLUMNS : 1][4] = {}, second_results[SECOND_COLUMNS ? SECOND_COLUMNS : 1][4] = {};
int step = next(blockIdx.y * SHARE - 1);
if (step < least_end) begin_copies([&] { stage_others(step, 0); });
int taken = 0;
#pragma unroll 1
for (int slot = 0, following; step < least_end; step = following, taken++) {
  following = next(step);
  if (ROUNDED) __syncthreads();
  else publish_copies();
  if (STAGES > 1 && following < least_end) begin_copies([&] { stage_others(following, 1 - slot); });
  if (ROUNDED) wait_for_bytes(arrivals_at + 8 * slot, taken / STAGES + (slot == 0));  // after own rows
  const int others = FIRST_SLOT + SLOT * slot;
  if (!NARROW && !EXACT && !IN_TILES) {
    if (taken == 0) round_numbers(0, STAGE);
    round_numbers(others, STAGE);
    __syncthreads();
  }
  float weights[KEPT][4] = {}, gradients[KEPT][4] = {};
  if constexpr (ROUNDED) {
    float products[2 * KEPT][4] = {};
    const Shared others_at = memory_at + others + chunk * SECOND_OTHERS;
    constexpr bool SAME = HAS_FIRST && DEPTHS == WIDTHS;  // without a branch, products do not wait for each other
    if (SAME || !chunk) multiply_rows<STEP, DEPTHS>(products, own, others_at, false, [] {});
    else if (HAS_FIRST) multiply_rows<STEP, WIDTHS>(products, own, others_at, false, [] {});
    float4 *const exchanged = (float4 *)(memory + EXCHANGED) + threadIdx.x % (THREADS / 2);
#pragma unroll
    for (int j = 0; j < KEPT; j++) {
      float x[4];
      for (int i = 0; i < 4; i++) x[i] = chunk ? products[j][i] : products[j + KEPT][i];
      exchanged[(chunk * KEPT + j) * (THREADS / 2)] = make_float4(x[0], x[1], x[2], x[3]);
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < KEPT; j++) {
      const float4 x = exchanged[((1 - chunk) * KEPT + j) * (THREADS / 2)];
      const float given[4] = {x.x, x.y, x.z, x.w};
      for (int i = 0; i < 4; i++) {
        const float kept = chunk ? products[j + KEPT][i] : products[j][i];
        weights[j][i] = chunk ? given[i] : kept, gradients[j][i] = chunk ? kept : given[i];
      }
    }
  } else
    multiply_tiles(weights, gradients, 0, others);
  auto change = [&](auto masked) {
#pragma unroll
    for (int j = 0; j < 2 * KEPT; j++) {
      const int at = 8 * (j / 2 + (ROUNDED ? chunk * KEPT : 0)) + 2 * place + j % 2, column = step * STEP + at;
      const int other = column < OTHERS ? column : OTHERS - 1;
      const float *const found = (const float *)(memory + STATISTICS) + slot * 3 * STEP + at;
#pragma unroll
      for (int i = 0; i < 2; i++) {
        float &weight = weights[j / 2][i * 2 + j % 2], &gradient = gradients[j / 2][i * 2 + j % 2];
        float x = weight, tangent = 0;
        @changes@
        if (!OF_KEYS && KEYS % TILE && column >= KEYS) x = -infinity;
        const float less = x - (OF_KEYS ? found[0] : highest[i]);
        weight = (ROUNDED ? narrow_exp(less) : power(less)) * (OF_KEYS ? found[STEP] : inverses[i]);
        float y = weight * (gradient - (OF_KEYS ? found[2 * STEP] : means[i]));
        @derivatives@
        gradient = y;
      }
    }
  };
  if (!SKIPS || known[step * STEP / TILE] & 2) change(Count<1>());
  else change(Count<0>());
  if constexpr (ROUNDED) {
    if (HAS_FIRST) write_product(gradients, FIRST_PRODUCT);
    if (HAS_SECOND) write_product(weights, SECOND_PRODUCT);
    uint columns[1 + AHEAD][STEP / 8][4];
    read_columns(columns[0], result_of(0), others);
    publish_writes();
#pragma unroll
    for (int n = 0; n < OWN_RESULTS; n++) {
      auto read_next = [&] {
        if (n + 1 < OWN_RESULTS) read_columns(columns[AHEAD ? (n + 1) % 2 : 0], result_of(n + 1), others);
      };
      if (2 * n + 1 < RESULTS || !chunk)
        multiply_rows<64, STEP / 8>(
            results + 8 * n, columns[AHEAD ? n % 2 : 0], memory_at + result_of(n).product, true, [&] {
              if (AHEAD) read_next();
            });
      if (!AHEAD) read_next();
    }
  } else {
    if constexpr (HAS_SECOND)
      if (second_begin < WIDTH) add(Count<SECOND_COLUMNS>(), second_results, weights, others + SECOND_OTHERS, second_begin);
    if constexpr (HAS_FIRST)
      if (first_begin < DEPTH) add(Count<FIRST_COLUMNS>(), first_results, gradients, others, first_begin);
  }
  if (STAGES > 1) slot = 1 - slot;
  else {
    __syncthreads();
    if (following < least_end) stage_others(following, 0);
  }
}
auto store_columns = [&](bool is_first, auto *to, auto kind, auto place_in, int most, long long apart) {
#pragma unroll
  for (int n = 0; n < OWN_RESULTS; n++) {
    const Result result = result_of(n);
    if (result.is_first != is_first) continue;
#pragma unroll
    for (int j = 0; j < 16; j++) {
      const int row = part * TILE + 8 * (j / 2) + 2 * place + j % 2;
      if (row >= OWN) continue;
      auto *const own = to + place_in(row);
#pragma unroll
      for (int i = 0; i < 2; i++) {
        const int column = result.column + warp * 16 + quad + 8 * i;
        const float x = results[8 * n + j / 2][2 * i + j % 2];
        if (column >= most) continue;
        if constexpr (sizeof *to == 2) own[column * apart] = narrow_pair<decltype(kind)::count>(x, 0);
        else own[column * apart] = x;
      }
    }
  }
};
@stores@
