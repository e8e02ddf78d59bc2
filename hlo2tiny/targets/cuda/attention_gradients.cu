// Gradients of attention, with scores computed again. A block has TILE own rows, which are keys (OF_KEYS) or queries,
// and takes TILE others at a time: own rows times others are scores, and the values or cotangents of own rows times
// those of the others are gradients of weights. Both become weights and gradients of scores, which are multiplied by
// the others. attention_gradients.py writes the constants before this, and the names in @.
@tiles@
constexpr int BY_COLUMNS = TILE / PART * PART_BYTES;  // the bytes of 64 columns of the others
constexpr int DEPTH_COLUMNS = ROUNDED ? (DEPTH + 63) / 64 * BY_COLUMNS : 0;
constexpr int WIDTH_COLUMNS = ROUNDED && OF_KEYS ? (WIDTH + 63) / 64 * BY_COLUMNS : 0;
constexpr int SLOT = STAGE + DEPTH_COLUMNS + WIDTH_COLUMNS, STATISTICS = STAGE + SLOT * STAGES;  // of a step's queries
// Where the second products read a slot of others.
constexpr int FIRST_OTHERS = ROUNDED ? STAGE : 0, SECOND_OTHERS = ROUNDED ? STAGE + DEPTH_COLUMNS : DEPTH_BYTES;
constexpr int STEPS = (OTHERS + TILE - 1) / TILE;
// The columns of both results that a warp computes, in fragments of 8: of wide ones, CHUNKS warps compute a part each.
constexpr int FIRST_COLUMNS = HAS_FIRST ? DEPTH_CHUNK / 8 : 0, SECOND_COLUMNS = HAS_SECOND ? WIDTH_CHUNK / 8 : 0;
// Blocks with the most to do come first: masks often hide later keys, and leave the last queries the most.
const int turn = blockIdx.x, tile = turn / BATCHES;
const int part = !SKIPS ? turn % TILES : OF_KEYS ? tile : TILES - 1 - tile, batch = SKIPS ? turn % BATCHES : turn / TILES;
const int chunk = threadIdx.x / 32 / WARPS, first_begin = chunk * DEPTH_CHUNK, second_begin = chunk * WIDTH_CHUNK;
@starts@
// Where rows of queries (or cotangents) and of keys (or values) are.
@places@

auto stage_queries = [&](int tile, int to) {
  if constexpr (ROUNDED) {
    stage_tile(Count<DEPTH_BYTES>(), q, tile, to);
    stage_tile(Count<STAGE - DEPTH_BYTES>(), cotangents, tile, to + DEPTH_BYTES);
  } else {
    stage(depth_chunks, Count<QUERIES>(), q, q_place, tile * TILE, DEPTH, to);
    stage(width_chunks, Count<QUERIES>(), cotangents, cotangents_place, tile * TILE, WIDTH, to + DEPTH_BYTES);
  }
};
auto stage_keys = [&](int tile, int to) {
  if constexpr (ROUNDED) {
    stage_tile(Count<DEPTH_BYTES>(), k, tile, to);
    stage_tile(Count<STAGE - DEPTH_BYTES>(), v, tile, to + DEPTH_BYTES);
  } else {
    stage(depth_chunks, Count<KEYS>(), k, k_place, tile * TILE, DEPTH, to);
    stage(width_chunks, Count<KEYS>(), v, v_place, tile * TILE, WIDTH, to + DEPTH_BYTES);
  }
};
auto stage_others = [&](int step, int slot) {
  const int to = STAGE + SLOT * slot;
  if constexpr (ROUNDED && HAS_FIRST) stage_tile(Count<DEPTH_COLUMNS>(), first_others, step, to + FIRST_OTHERS);
  if constexpr (ROUNDED && HAS_SECOND) stage_tile(Count<WIDTH_COLUMNS>(), second_others, step, to + SECOND_OTHERS);
  if constexpr (OF_KEYS) {
    stage_queries(step, to);
    const int which = threadIdx.x / (TILE / 4), at = threadIdx.x % (TILE / 4) * 4;
    const float *const from = statistics + which * COUNT + (batch * STEPS + step) * (long long)TILE + at;
    copy_later(memory_at + STATISTICS + ((slot * 3 + which) * TILE + at) * 4, from, true, which < 3);
  } else
    stage_keys(step, to);
};
if constexpr (OF_KEYS) stage_keys(part, 0);
else stage_queries(part, 0);

// Which steps to take: those where a score counts (1), and where masks replace any (2).
__shared__ unsigned char known[SKIPS ? STEPS : 1];
if constexpr (SKIPS) {
  for (int i = threadIdx.x; i < STEPS; i += THREADS) {
    @known@
  }
  __syncthreads();
}
// SHARES blocks with the same rows take as many of the others each; attention_parts.cu adds up what they find.
constexpr int SHARE = (STEPS + SHARES - 1) / SHARES;
const int least_end = min((int)blockIdx.y * SHARE + SHARE, STEPS);
auto next = [&](int step) {
  do step++;
  while (SKIPS && step < least_end && !(known[step] & 1));
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

// c += x times the others, of some of their columns.
auto add = [&](auto columns, float (*c)[4], const float (*x)[4], int others, int begin) {
  constexpr int count = decltype(columns)::count;
  if constexpr (ROUNDED) {
    uint a[BLOCKS][4];
#pragma unroll
    for (int i = 0; i < TILE / 2; i++) a[i / 4][i % 4] = round_to_tf32(x[i / 4][i % 2 * 2 + i % 4 / 2]);
    multiply_by_warpgroup<0, true, count / 8, BLOCKS>(c, a, memory_at + others + begin / 64 * BY_COLUMNS, true);
  } else if constexpr (NARROW) {
    uint a[TILE / 16][4];
#pragma unroll
    for (int i = 0; i < TILE / 4; i++) {
      const float *const pair = &x[i / 4 * 2 + i % 4 / 2][i % 2 * 2];
      a[i / 4][i % 4] = narrow_pair<NARROW>(pair[0], pair[1]);
    }
    if constexpr (WARPGROUPS) {
      multiply_by_warpgroup<NARROW, false, count / 8, TILE / 16>(c, a, memory_at + others + begin / 64 * 8192, true);
    } else {
#pragma unroll
      for (int t = 0; t < TILE / 16; t++)
#pragma unroll
        for (int j = 0; j < count; j += 2) {
          uint b[4];
          const int column = begin + 8 * (j + lane / 16);
          load_transposed_tiles(b, memory_at + others + place_of(t * 16 + lane % 16, column));
          add_product_of_narrow_tiles<NARROW>(c[j], a[t][0], a[t][1], a[t][2], a[t][3], b[0], b[1]);
          add_product_of_narrow_tiles<NARROW>(c[j + 1], a[t][0], a[t][1], a[t][2], a[t][3], b[2], b[3]);
        }
    }
  } else {
#pragma unroll
    for (int t = 0; t < BLOCKS; t++) {
      uint a[4][PARTS];
      for (int i = 0; i < 4; i++) take_apart(x[t][i], a[i]);
#pragma unroll
      for (int j = 0; j < count; j++) {
        uint b[2][PARTS];
        for (int i = 0; i < 2; i++)
          split(*(const uint *)(memory + others + place_of(t * 8 + 2 * place + i, begin + j * 8 + quad)), b[i]);
        add_product(c[j], a, 0, 2, 1, 3, b[0], b[1]);
      }
    }
  }
};

float first_results[FIRST_COLUMNS ? FIRST_COLUMNS : 1][4] = {}, second_results[SECOND_COLUMNS ? SECOND_COLUMNS : 1][4] = {};
int step = next(blockIdx.y * SHARE - 1);
if (step < least_end) stage_others(step, 0);
bool begins = true;
#pragma unroll 1
for (int slot = 0, following; step < least_end; step = following, begins = false) {
  following = next(step);
  publish_copies();
  if (STAGES > 1 && following < least_end) stage_others(following, 1 - slot);
  const int others = STAGE + SLOT * slot;
  if (!NARROW && !EXACT && !ROUNDED) {
    if (begins) round_numbers(0);
    round_numbers(others);
    __syncthreads();
  }
  float weights[BLOCKS][4] = {}, gradients[BLOCKS][4] = {};
  multiply_tiles(weights, gradients, 0, others);
  auto change = [&](auto masked) {
#pragma unroll
    for (int j = 0; j < 2 * BLOCKS; j++) {
      const int at = 8 * (j / 2) + 2 * place + j % 2, column = step * TILE + at, other = column < OTHERS ? column : OTHERS - 1;
      const float *const found = (const float *)(memory + STATISTICS) + slot * 3 * TILE + at;
#pragma unroll
      for (int i = 0; i < 2; i++) {
        float &weight = weights[j / 2][i * 2 + j % 2], &gradient = gradients[j / 2][i * 2 + j % 2];
        float x = weight, tangent = 0;
        @changes@
        if (!OF_KEYS && KEYS % TILE && column >= KEYS) x = -infinity;
        weight = power(x - (OF_KEYS ? found[0] : highest[i])) * (OF_KEYS ? found[TILE] : inverses[i]);
        float y = weight * (gradient - (OF_KEYS ? found[2 * TILE] : means[i]));
        @derivatives@
        gradient = y;
      }
    }
  };
  if (!SKIPS || known[step] & 2) change(Count<1>());
  else change(Count<0>());
  if constexpr (HAS_SECOND)
    if (second_begin < WIDTH) add(Count<SECOND_COLUMNS>(), second_results, weights, others + SECOND_OTHERS, second_begin);
  if constexpr (HAS_FIRST)
    if (first_begin < DEPTH) add(Count<FIRST_COLUMNS>(), first_results, gradients, others + FIRST_OTHERS, first_begin);
  if (STAGES > 1) slot = 1 - slot;
  else {
    __syncthreads();
    if (following < least_end) stage_others(following, 0);
  }
}
auto store = [&](
    auto columns, const float (*x)[4], auto *to, auto kind, auto place_in, int begin, int most, long long apart,
    bool vector) {
#pragma unroll
  for (int i = 0; i < 2; i++) {
    const int row = own_row(part, i);
    if (row >= OWN) continue;
    auto *const own = to + place_in(row);
#pragma unroll
    for (int j = 0; j < decltype(columns)::count; j++) {
      const int column = begin + 8 * j + 2 * place, left = most - column;
      if (left <= 0) continue;
      const float low = x[j][2 * i], high = x[j][2 * i + 1];
      if constexpr (sizeof *to == 2) {
        const uint both = narrow_pair<decltype(kind)::count>(low, high);
        if (vector) *(uint *)(own + column) = both;
        else {
          own[column * apart] = both;
          if (left > 1) own[(column + 1) * apart] = both >> 16;
        }
      } else if (vector) *(float2 *)(own + column) = make_float2(low, high);
      else {
        own[column * apart] = low;
        if (left > 1) own[(column + 1) * apart] = high;
      }
    }
  }
};
@stores@
