// Attention of one block of queries: the softmax of their products with keys, after changes, times values, with scores
// in registers only. attention.py writes the constants before this, and the names in @.
// A warp has 16 · TILES queries and takes STEP keys at a time; SPLITS warps share the keys of the
// same queries, and add up their partial results at the end, always in the same order. With few queries, SHARES blocks
// have LENGTH keys each. `quad` and `place` are where a lane is in the fragments of m16n8k8. Which numbers of the depth,
// keys or columns an index of a fragment stands for is free where both operands agree: so each lane reads four adjacent
// numbers at once, and scores are the second product's operand as is.
//
// A lane has neighbouring scores of a query, 2 · BLOCKS ones, so that what changes them is read at once: scores
// 2 · place and 2 · place + 1 of fragment n are those of keys 2 · BLOCKS · place + 2 · n and the next.
//
// If queries, keys and values are all of bf16 or f16 (NARROW is their kind, else 0), the products are of these, by
// m16n8k16. A lane has two numbers in each of its WORDS words, which are neighbours along the depth or two keys' values.
//
// With many queries, the keys and values of a step are STAGED: the block copies them to its memory, in the order of the
// fragments, while it computes with values or keys copied before. It takes the steps whose scores masks do not all
// replace first. Often weights of the others are 0 in comparison, and their values are numbers: then it SKIPS them. It
// reads masks again only in steps where they replace some scores.
// Where WARPGROUPS multiply, the copies are in the order that they ask for. They alone stage numbers of f32: tiles that
// rounding.cu has made, of keys by rows and of values by columns. With long steps there is room for the keys of the next
// one, which are then copied from when this one's are multiplied on.
constexpr bool WARPGROUPS =
    HAS_WARPGROUPS && STAGED && STEP % 64 == 0 && SPLITS == 1 && SHARES == 1 && GROUPS % 4 == 0;
static_assert(NARROW || !STAGED || WARPGROUPS);
constexpr int SIZE = NARROW ? 2 : 4, EACH = 16 / SIZE, PART = 128 / SIZE;  // of a number, and what 16 and 128 bytes have
// Wide queries are in the block's memory, too, rather than in registers.
constexpr bool QUERIES_STAGED = WARPGROUPS && DEPTH > 128;
constexpr int ONCE = NARROW && DEPTH > 16 && !WARPGROUPS ? 32 : 16;  // numbers of the depth that the lanes read at once
constexpr int DEPTHS = (DEPTH + ONCE - 1) / ONCE, BLOCKS = STEP / 8;
constexpr int KEY_PARTS = (DEPTH + PART - 1) / PART, VALUE_PARTS = (CHUNK + 63) / 64;
constexpr int COLUMNS = WARPGROUPS ? 8 * VALUE_PARTS : (CHUNK + 7) / 8;
constexpr int DEPTH_TILES = DEPTHS * SIZE / 2, KEY_TILES = STEP * SIZE / 32;  // of 32 bytes
constexpr int WORDS = ONCE / 8, VALUES = COLUMNS % 8 ? 4 : 8;  // and columns of the values
constexpr int HALVES = TILES == 1 && ROWS <= 8 ? 1 : 2 * TILES;  // groups of 8 queries, of which a lane has one each
constexpr int NEAR = 2 * BLOCKS, SPAN = SPLITS * STEP, THREADS = 32 * GROUPS * SPLITS;
// Rows of keys, read 16 bytes by each lane, and of values, by 16 bytes of 8 rows, begin in different banks.
constexpr int KEY_ROW = (DEPTH + 31) / 64 * 64 + 32, VALUE_ROW = (CHUNK + 63) / 64 * 64 + 8;
constexpr int KEY_BYTES = WARPGROUPS ? STEP * KEY_PARTS * 128 : 2 * SPAN * KEY_ROW;
constexpr int VALUE_BYTES = WARPGROUPS ? STEP * VALUE_PARTS * 64 * SIZE : 2 * SPAN * VALUE_ROW;
// Copies that are EVEN begin while scores are multiplied, for which threads have few registers left.
constexpr bool MEANWHILE = WARPGROUPS && EVEN;
constexpr int KEY_STAGES = MEANWHILE && STEP > 64 ? 2 : 1;
constexpr int QUERY_BYTES = QUERIES_STAGED ? 16 * GROUPS * KEY_PARTS * 128 : 0;
constexpr int STAGE = STAGED ? KEY_STAGES * KEY_BYTES + VALUE_BYTES + QUERY_BYTES : 0, FOUND = 2 * COLUMNS + 1;
constexpr int SHARED = SPLITS > 1 ? GROUPS * SPLITS * FOUND * 128 : 0;
@memory@
constexpr bool KEPT = DEPTHS * TILES <= 8;  // whether queries stay in registers
const float infinity = __int_as_float(0x7f800000);
const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, split = warp % SPLITS, group = warp / SPLITS;
const int quad = lane / 4, place = lane % 4;
// The last rows often read the most keys: they come first, or, if a processor has two blocks, with the first rows.
const int same = gridDim.x / INNER, half = gridDim.x / 2, turn = blockIdx.x;
const int order = (PAIRED && turn >= half ? gridDim.x - 1 + half - turn : turn) / same;
const int number = SKIPS ? turn % same * INNER + INNER - 1 - order : turn;
const int part = number % ROW_PARTS, batch = number / ROW_PARTS, begin = WIDTH > CHUNK ? blockIdx.y * CHUNK : 0;
@starts@

// A softmax that rounds on the way needs the highest score of all, then the sum, before the weights: it takes the keys
// in up to three passes. Numbers of bf16 and f16 are numbers of TF32, too. Kinds are 0 for f32, 1 for bf16, 2 for f16.
@floats@
auto load = [&](int kind, const auto *from, int first, int most, long long step, bool vector, float *x) {
  if constexpr (sizeof *from == 2) {
    if (vector && first < most) {
      const ushort4 y = *(const ushort4 *)(from + first);
      x[0] = widen(kind, y.x), x[1] = widen(kind, y.y), x[2] = widen(kind, y.z), x[3] = widen(kind, y.w);
    } else
      for (int i = 0; i < 4; i++) x[i] = first + i < most && !vector ? widen(kind, from[(first + i) * step]) : 0.0f;
  } else if (vector && first < most) {
    const float4 y = *(const float4 *)(from + first);
    x[0] = y.x, x[1] = y.y, x[2] = y.z, x[3] = y.w;
  } else
    for (int i = 0; i < 4; i++) x[i] = first + i < most && !vector ? from[(first + i) * step] : 0.0f;
};
// Adjacent 16-bit numbers, two in a word; `vector` says whether they are contiguous and aligned to their size.
auto load_words = [](auto words, const auto *from, int first, int most, long long step, bool vector, uint *x) {
  constexpr int count = decltype(words)::count;
  if (vector && first < most) {
    if constexpr (count == 4) {
      const uint4 y = *(const uint4 *)(from + first);
      x[0] = y.x, x[1] = y.y, x[2] = y.z, x[3] = y.w;
    } else if constexpr (count == 2) {
      const uint2 y = *(const uint2 *)(from + first);
      x[0] = y.x, x[1] = y.y;
    } else
      x[0] = *(const uint *)(from + first);
    return;
  }
#pragma unroll
  for (int i = 0; i < count; i++) {
    const int at = first + 2 * i;
    x[i] = at < most && !vector ? (uint)from[at * step] : 0;
    if (at + 1 < most && !vector) x[i] |= (uint)from[(at + 1) * step] << 16;
  }
};
@apart@

int rows[HALVES];
#pragma unroll
for (int i = 0; i < HALVES; i++) {
  const int row = ((part * GROUPS + group) * TILES + i / 2) * 16 + i % 2 * 8 + quad;
  rows[i] = row < ROWS ? row : ROWS - 1;
}
@row_starts@
auto query_place = [&](int row) -> long long { return @query_place@; };
uint queries[TILES][KEPT ? DEPTHS : 1][8][PARTS] = {};
auto load_queries = [&](int c, int at) {
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    if constexpr (NARROW) {
      uint x[WORDS];
      constexpr int together = WARPGROUPS ? 1 : WORDS;  // words of adjacent numbers
#pragma unroll
      for (int j = 0; j < WORDS; j += together)
        load_words(
            Count<together>(), q + q_at[i], ONCE * c + 8 * j + 2 * together * place, DEPTH, Q_STEP, Q_VECTOR, x + j);
#pragma unroll
      for (int j = 0; j < WORDS; j++) queries[i / 2][at][i % 2 * 4 + j][0] = x[j];
      continue;
    }
    float x[4];
    if constexpr (WARPGROUPS)
      load(Q_KIND, q + q_at[i] + place * Q_STEP, 4 * c, (DEPTH - place + 3) / 4, 4 * Q_STEP, false, x);
    else load(Q_KIND, q + q_at[i], 16 * c + 4 * place, DEPTH, Q_STEP, Q_VECTOR, x);
#pragma unroll
    for (int j = 0; j < 4; j++) take_apart(x[j], queries[i / 2][at][i % 2 * 4 + j]);
  }
};
if (KEPT) {
#pragma unroll
  for (int c = 0; c < DEPTHS; c++) load_queries(c, c);
}

// What changes the scores of NEAR keys, in words; `count` of them are adjacent and aligned.
auto read_words = [](auto count, const auto *from, int at, long long step, uint *words) {
  constexpr int adjacent = decltype(count)::count, size = sizeof *from, bits = 8 * size * adjacent;
#pragma unroll
  for (int i = 0; i < NEAR; i += adjacent) {
    const auto *const place = from + min(at + i, KEYS - adjacent) * step;
    uint *const to = words + i * size / 4;
    if constexpr (bits >= 128) {
#pragma unroll
      for (int j = 0; j < bits / 128; j++) {
        const uint4 x = ((const uint4 *)place)[j];
        to[4 * j] = x.x, to[4 * j + 1] = x.y, to[4 * j + 2] = x.z, to[4 * j + 3] = x.w;
      }
    } else if constexpr (bits == 64) {
      const uint2 x = *(const uint2 *)place;
      to[0] = x.x, to[1] = x.y;
    } else if constexpr (bits == 32) {
      to[0] = *(const uint *)place;
    } else {
      const uint x = bits == 16 ? *(const unsigned short *)place : *(const unsigned char *)place;
      const int shift = i * size % 4 * 8;
      to[0] = shift ? to[0] | x << shift : x;
    }
  }
};
@declarations@
auto read_changes = [&](int first) {
  const int at = first + NEAR * place;
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    @reads@
  }
};
auto read_masks = [&](int first) {
  const int at = first + NEAR * place;
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    @mask_reads@
  }
};
// Whether any word differs, as words of a mask do that leaves a score.
auto differs = [](const auto &words, uint from) {
  bool any = false;
#pragma unroll
  for (const uint word : words) any |= word != from;
  return any;
};
auto reads_any = [&]() {
  bool any = !MASKED;
#pragma unroll
  for (int i = 0; i < HALVES; i++) any |= @is_read@;
  return any;
};

const int begin_key = blockIdx.z * LENGTH;
const int least_end = begin_key + LENGTH < KEYS ? begin_key + LENGTH : KEYS;
float results[TILES][COLUMNS][4] = {}, most[HALVES], sum[HALVES];
#pragma unroll
for (int i = 0; i < HALVES; i++) most[i] = SHIFTED ? -infinity : 0.0f, sum[i] = 0;

const unsigned short *const staged_keys = (const unsigned short *)memory;
const Shared memory_at = shared_address(memory), values_at = memory_at + KEY_STAGES * KEY_BYTES;
const Shared queries_at = values_at + VALUE_BYTES;
int steps_done = 0;  // whose remainder says where the keys of a step are
auto keys_of = [&](int number) { return memory_at + number % KEY_STAGES * KEY_BYTES; };
// Where numbers are in parts for multiply_by_warpgroup, of which so many have the same rows.
auto part_place = [](int row, int column, int parts) {
  return (row / 64 * parts + column / PART) * 8192 + row % 64 * 128 + (column / EACH % 8 ^ row % 8) * 16;
};
// Copies begin without a branch, so that what comes before can be computed later.
auto key_of = [](int row) { return row / STEP * STEP + row % 8 / 2 * NEAR + row % STEP / 8 * 2 + row % 2; };
auto stage = [&](auto length, const auto *from, long long step, int start, int columns, Shared to, int row_size) {
  constexpr int chunks = (decltype(length)::count + EACH - 1) / EACH, at_once = THREADS % chunks ? 0 : THREADS / chunks;
  const int own = at_once ? threadIdx.x / chunks : 0;
  // The rows of a thread are exchanged alike, at places that differ by a constant, if these numbers of rows divide.
  constexpr bool alike = at_once && at_once % 8 == 0 && 64 % (at_once ? at_once : 1) == 0;
  constexpr int parts = (chunks + 7) / 8;
#pragma unroll
  for (int i = 0; i < (SPAN * chunks + THREADS - 1) / THREADS; i++) {
    const int at = i * THREADS + threadIdx.x, row = at_once ? i * at_once : at / chunks, key = start + key_of(own);
    const int column = (at_once ? threadIdx.x : at) % chunks * EACH;
    const bool is_there = (KEYS % SPAN == 0 || key + key_of(row) < KEYS) && column < columns;
    const bool is_wanted = start < least_end && (SPAN * chunks % THREADS == 0 || at < SPAN * chunks);
    const auto *const place = from + key * step + column + key_of(row) * step;
    const int target = own + row;
    const int there = alike ? part_place(own, column, parts) + part_place(row, 0, parts)
                            : part_place(target, column, parts);
    const int offset = WARPGROUPS ? there : 2 * (target * row_size + column);
    copy_later(to + offset, place, is_there, is_wanted && (WARPGROUPS || column < columns));
  }
};
constexpr int STAGED_DEPTH = WARPGROUPS ? (DEPTH + 15) / 16 * 16 : DEPTH;
auto stage_keys = [&](int start, Shared to) {
  if constexpr (NARROW) stage(Count<STAGED_DEPTH>(), k, KEY_STEP, start, DEPTH, to, KEY_ROW);
  else copy_tile_later<KEY_BYTES, THREADS>(to, k + start * KEY_STEP, start < least_end);
};
auto stage_values = [&](int start) {
  const int columns = WIDTH % CHUNK ? WIDTH - begin : CHUNK;
  if constexpr (NARROW) stage(Count<CHUNK>(), v + begin, VALUE_STEP, start, columns, values_at, VALUE_ROW);
  else copy_tile_later<VALUE_BYTES, THREADS>(values_at, v + start * VALUE_STEP, start < least_end);
};
// Which steps of this block to take: those where it reads scores, then, if need be, the others; see mask_steps.cu.
constexpr int STEPS = SKIPS ? (LENGTH + SPAN - 1) / SPAN : 1;
__shared__ unsigned char known[STEPS];
if constexpr (SKIPS) {
  for (int i = threadIdx.x; i < STEPS && begin_key + i * SPAN < KEYS; i += THREADS)
    known[i] = of_masks[begin_key / SPAN + i];
  __syncthreads();
}
auto next = [&](int start, bool rest) {
  do start += SPAN;
  while (SKIPS && start < least_end && (known[(start - begin_key) / SPAN] & 1) == rest);
  return start;
};

auto add_up_lanes = [&]() {
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    sum[i] += __shfl_xor_sync(~0u, sum[i], 1);
    sum[i] += __shfl_xor_sync(~0u, sum[i], 2);
  }
};
// The highest scores of all warps with the same queries.
__shared__ float highest_of_warps[SPLITS > 1 ? GROUPS * SPLITS : 1][HALVES][32];
auto find_highest = [&](float *all) {
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    all[i] = most[i];
    if (SPLITS > 1) highest_of_warps[warp][i][lane] = most[i];
  }
  if (SPLITS > 1) __syncthreads();
#pragma unroll
  for (int i = 0; i < HALVES; i++)
    for (int s = 0; s < SPLITS && SPLITS > 1; s++)
      all[i] = fmaxf(all[i], highest_of_warps[group * SPLITS + s][i][lane]);
};

#pragma unroll 1
for (int pass = 0; pass < PASSES + SKIPS; pass++) {
const bool rest = SKIPS && pass, last = SKIPS || pass == PASSES - 1;
if constexpr (SKIPS)
  if (rest) {
    bool all = false;
    float highest[HALVES];
    find_highest(highest);
#pragma unroll
    for (int i = 0; i < HALVES; i++) all |= !(REPLACED <= highest[i] - 128);
    for (int i = threadIdx.x; i < STEPS && begin_key + i * SPAN < KEYS; i += THREADS)
      if (!(known[i] & 1)) all |= of_values[begin_key / SPAN + i];
    if (!__syncthreads_or(all)) break;
  }
int start = next(begin_key - SPAN, rest);
if constexpr (QUERIES_STAGED) {
  constexpr int chunks = 16 * DEPTHS / EACH;
  for (int i = threadIdx.x; i < 16 * GROUPS * chunks && !pass; i += THREADS) {
    const int row = i / chunks, column = i % chunks * EACH, own = part * GROUPS * 16 + row;
    const auto *const from = q + query_place(own < ROWS ? own : ROWS - 1);
    const int to = part_place(row, column, KEY_PARTS);
    if constexpr (NARROW) {
      copy_later(queries_at + to, from + column, column < DEPTH, true);
    } else {
      float x[4];
      load(Q_KIND, from, column, DEPTH, Q_STEP, Q_VECTOR, x);
      uint4 &place = *(uint4 *)((char *)memory + KEY_STAGES * KEY_BYTES + VALUE_BYTES + to);
      place = make_uint4(round_to_tf32(x[0]), round_to_tf32(x[1]), round_to_tf32(x[2]), round_to_tf32(x[3]));
    }
  }
}
if constexpr (STAGED) {
  stage_keys(start, keys_of(steps_done));
  read_changes(start + split * STEP);
}
#pragma unroll 1
for (int following; start + (STAGED ? 0 : split * STEP) < least_end; start = following) {
  const int first = start + split * STEP;
  following = next(start, rest);
  auto stage_next = [&] {
    stage_values(start);
    if constexpr (KEY_STAGES > 1) stage_keys(following, keys_of(steps_done + 1));
  };
  // What changes scores comes first: if it replaces them all, they need not be computed.
  if constexpr (STAGED) {
    publish_copies();
    if constexpr (!MEANWHILE) stage_next();
  } else
    read_changes(first);
  const bool masks = !SKIPS || known[(start - begin_key) / SPAN] & 2;
  if (SKIPS && masks) read_masks(first);
  float scores[TILES][BLOCKS][4] = {};
  const bool any = !MASKED || STAGED || __ballot_sync(~0u, reads_any());
  if constexpr (QUERIES_STAGED)
    multiply_memory<NARROW, DEPTH_TILES, 0>(scores[0], queries_at, memory_at, scores[0], queries_at, memory_at);
  else if constexpr (WARPGROUPS) {
    constexpr int each = DEPTH_TILES / DEPTHS;
    uint x[DEPTH_TILES][4];
#pragma unroll
    for (int i = 0; i < 4 * DEPTH_TILES; i++)
      x[i / 4][i % 4] = queries[0][i / 4 / each][i % 2 * 4 + i % 4 / 2 + i / 4 % each * 2][0];
    const Shared keys_at = keys_of(KEY_STAGES > 1 ? __shfl_sync(~0u, steps_done, 0) : 0);  // the same for all lanes
    multiply_by_warpgroup<NARROW, true, STEP / 64, DEPTH_TILES>(scores[0], x, keys_at, false, [&] {
      if constexpr (MEANWHILE) stage_next();
    });
  }
#pragma unroll
  for (int c = 0; c < DEPTHS && !WARPGROUPS; c++) {
    if (!any) break;
    if (!KEPT) load_queries(c, 0);
#pragma unroll
    for (int n = 0; n < BLOCKS; n++) {
      const int at = first + quad / 2 * NEAR + 2 * n + quad % 2, key = at < KEYS ? at : KEYS - 1;
      if constexpr (NARROW) {
        uint y[WORDS];
        const int number = ONCE * c + 2 * WORDS * place;
        if constexpr (STAGED)
          load_words(Count<WORDS>(), staged_keys + (split * STEP + 8 * n + quad) * KEY_ROW, number, DEPTH, 1, true, y);
        else load_words(Count<WORDS>(), k + key * KEY_STEP, number, DEPTH, K_STEP, K_VECTOR, y);
#pragma unroll
        for (int t = 0; t < TILES; t++) {
          const auto &x = queries[t][KEPT ? c : 0];
#pragma unroll
          for (int i = 0; i < WORDS; i += 2)
            add_product_of_narrow_tiles<NARROW>(
                scores[t][n], x[i][0], x[4 + i][0], x[i + 1][0], x[5 + i][0], y[i], y[i + 1]);
        }
        continue;
      }
      float x[4];
      uint y[4][PARTS];
      load(K_KIND, k + key * KEY_STEP, 16 * c + 4 * place, DEPTH, K_STEP, K_VECTOR, x);
#pragma unroll
      for (int i = 0; i < 4; i++) take_apart(x[i], y[i]);
#pragma unroll
      for (int t = 0; t < TILES; t++) {
        add_product(scores[t][n], queries[t][KEPT ? c : 0], 0, 4, 1, 5, y[0], y[1]);
        add_product(scores[t][n], queries[t][KEPT ? c : 0], 2, 6, 3, 7, y[2], y[3]);
      }
    }
  }
  // Values of four keys of each 16, so that the reads are in flight while the softmax is computed.
  constexpr bool READ = NARROW && !STAGED;
  uint narrow_values[READ ? BLOCKS / 2 : 1][4][READ ? (COLUMNS + 7) / 8 * 4 : 1];
  if constexpr (READ) {
    if (last)
#pragma unroll
      for (int i = 0; i < BLOCKS / 2 * 4; i++) {
        const int key = first + NEAR * place + i;
#pragma unroll
        for (int j = 0; j < COLUMNS; j += VALUES) {
          uint *const to = &narrow_values[i / 4][i % 4][j / 2];
#pragma unroll
          for (int w = 0; w < VALUES / 2; w++) to[w] = 0;
          const int column = quad * COLUMNS + j;
          const auto *const from = v + key * VALUE_STEP + begin * V_STEP;
          if (key < KEYS) load_words(Count<VALUES / 2>(), from, column, WIDTH - begin, V_STEP, V_VECTOR, to);
        }
      }
  }
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    float highest = most[i];
    auto change = [&](auto masked) {
#pragma unroll
      for (int j = 0; j < 2 * BLOCKS; j++) {
        float x = scores[i / 2][j / 2][i % 2 * 2 + j % 2];
        @changes@
        if (KEYS % (STAGED ? SPAN : STEP) && first + NEAR * place + j >= KEYS) x = -infinity;
        scores[i / 2][j / 2][i % 2 * 2 + j % 2] = x;
        if (SHIFTED) highest = fmaxf(highest, x);
      }
    };
    if (masks) change(Count<1>());
    else change(Count<0>());
    if (PASSES > 1 && last) {
      const float base = most[i] == -infinity ? 0.0f : most[i];
#pragma unroll
      for (int j = 0; j < 2 * BLOCKS; j++) {
        float *const x = &scores[i / 2][j / 2][i % 2 * 2 + j % 2];
        *x = round_to(ROUNDED_WEIGHT, round_to(ROUNDED_POWER, power(round_to(ROUNDED_DIFFERENCE, *x - base))) / sum[i]);
      }
      continue;
    }
    highest = fmaxf(highest, __shfl_xor_sync(~0u, highest, 1));
    highest = fmaxf(highest, __shfl_xor_sync(~0u, highest, 2));
    const float base = highest == -infinity ? 0.0f : highest, scale = power(most[i] - base);
    most[i] = highest;
    if (PASSES == 3 && pass == 0) continue;
    sum[i] *= scale;
#pragma unroll
    for (int j = 0; j < 2 * COLUMNS && PASSES == 1; j++) results[i / 2][j / 2][i % 2 * 2 + j % 2] *= scale;
#pragma unroll
    for (int j = 0; j < 2 * BLOCKS; j++) {
      float *const x = &scores[i / 2][j / 2][i % 2 * 2 + j % 2];
      *x = round_to(ROUNDED_POWER, power(round_to(ROUNDED_DIFFERENCE, *x - base)));
      sum[i] += *x;
    }
  }
  if (!last) continue;
  if constexpr (STAGED) {
    read_changes(following + split * STEP);
    publish_copies();
    steps_done++;
    if constexpr (KEY_STAGES == 1) stage_keys(following, memory_at);
  }
  if constexpr (WARPGROUPS) {
    uint weights[KEY_TILES][4];
#pragma unroll
    for (int i = 0; i < 4 * KEY_TILES; i++) {
      if constexpr (NARROW) {
        const float *const x = &scores[0][i / 4 * 2 + i % 4 / 2][i % 2 * 2];
        weights[i / 4][i % 4] = narrow_pair<NARROW>(x[0], x[1]);
      } else
        weights[i / 4][i % 4] = round_to_tf32(scores[0][i / 4][i % 2 * 2 + i % 4 / 2]);
    }
    multiply_by_warpgroup<NARROW, !NARROW, VALUE_PARTS, KEY_TILES>(results[0], weights, values_at, true);
    continue;
  }
  if constexpr (NARROW) {
#pragma unroll
    for (int n = 0; n < BLOCKS; n += 2) {
      uint weights[TILES][4];
#pragma unroll
      for (int i = 0; i < 4 * TILES; i++) {
        const float *const x = &scores[i / 4][n + i % 4 / 2][i % 2 * 2];
        weights[i / 4][i % 4] = HALVES == 1 && i % 2 ? 0 : narrow_pair<NARROW>(x[0], x[1]);
      }
#pragma unroll
      for (int j = 0; j < COLUMNS; j++) {
        uint y[4];
        if constexpr (STAGED) {
          if (j % 2) continue;
          const int row = split * STEP + 8 * n + lane % 16, column = 8 * (j + lane / 16);
          load_transposed_tiles(y, values_at + 2 * (row * VALUE_ROW + column));
        } else {
#pragma unroll
          for (int i = 0; i < 2; i++) {
            const uint a = narrow_values[n / 2][2 * i][j / 2], b = narrow_values[n / 2][2 * i + 1][j / 2];
            y[i] = j % 2 ? a >> 16 | (b & 0xffff0000u) : (a & 0xffffu) | b << 16;
          }
        }
#pragma unroll
        for (int t = 0; t < TILES * (1 + STAGED); t++) {
          const uint *const x = weights[t % TILES], *const z = y + t / TILES * 2;
          add_product_of_narrow_tiles<NARROW>(results[t % TILES][j + t / TILES], x[0], x[1], x[2], x[3], z[0], z[1]);
        }
      }
    }
    continue;
  }
#pragma unroll
  for (int n = 0; n < BLOCKS; n++) {
    uint weights[TILES][4][PARTS];
#pragma unroll
    for (int i = 0; i < 4 * TILES; i++) take_apart(scores[i / 4][n][i % 4], weights[i / 4][i % 4]);
    const int key = first + NEAR * place + 2 * n;
    const auto *const from = v + key * VALUE_STEP + begin * V_STEP;
#pragma unroll
    for (int j = 0; j < COLUMNS; j += 4) {
      const int most_here = WIDTH - begin, column = quad * COLUMNS + j;
      float x[2][4] = {};
      if (key < KEYS) load(V_KIND, from, column, most_here, V_STEP, V_VECTOR, x[0]);
      if (key + 1 < KEYS) load(V_KIND, from + VALUE_STEP, column, most_here, V_STEP, V_VECTOR, x[1]);
#pragma unroll
      for (int i = 0; i < 4; i++) {
        uint y[2][PARTS];
        take_apart(x[0][i], y[0]);
        take_apart(x[1][i], y[1]);
#pragma unroll
        for (int t = 0; t < TILES; t++) add_product(results[t][j + i], weights[t], 0, 2, 1, 3, y[0], y[1]);
      }
    }
  }
}

if (PASSES > 1 && !last) {
  add_up_lanes();
  if (SPLITS > 1) {
    __shared__ float found[2][GROUPS * SPLITS][HALVES][32];
    for (int i = 0; i < HALVES; i++) found[0][warp][i][lane] = most[i], found[1][warp][i][lane] = sum[i];
    __syncthreads();
    for (int i = 0; i < HALVES; i++) {
      most[i] = found[0][group * SPLITS][i][lane], sum[i] = 0;
      for (int s = 1; s < SPLITS; s++) most[i] = fmaxf(most[i], found[0][group * SPLITS + s][i][lane]);
      const float base = most[i] == -infinity ? 0.0f : most[i];
      for (int s = group * SPLITS; s < (group + 1) * SPLITS; s++)
        sum[i] += found[1][s][i][lane] * (PASSES == 3 ? 1.0f : power(found[0][s][i][lane] - base));
    }
    __syncthreads();
  }
  if (pass == PASSES - 2)
    for (int i = 0; i < HALVES; i++) sum[i] = round_to(ROUNDED_SUM, sum[i]);
}
}
if (PASSES == 1) add_up_lanes();
if (SPLITS > 1) {
  float highest[HALVES];
  find_highest(highest);
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    const float all = highest[i];
    const float scale = PASSES > 1 ? 1.0f : power(most[i] - (all == -infinity ? 0.0f : all));
    sum[i] *= scale;
    most[i] = all;
#pragma unroll
    for (int j = 0; j < 2 * COLUMNS; j++) results[i / 2][j / 2][i % 2 * 2 + j % 2] *= scale;
  }
}
// A lane has two columns of each fragment: a fragment's are adjacent if values are staged, else those of a lane. Warps
// that share keys exchange what they have found, and each adds up and stores some of the columns.
constexpr int ADJACENT = STAGED ? 2 : 4;
auto &all_found = *(float (*)[GROUPS * SPLITS][FOUND][32])memory;
auto column_of = [&](int j) { return STAGED ? j / 2 * 8 + 2 * place + j % 2 : 2 * COLUMNS * place + j; };
auto result = [&](int i, int j) {
  return &results[i / 2][STAGED ? j / 2 : j % COLUMNS][i % 2 * 2 + (STAGED ? j % 2 : j / COLUMNS)];
};
auto found = [&](int n) {
  float x = 0;
#pragma unroll
  for (int s = 0; s < SPLITS; s++) x += all_found[group * SPLITS + s][n][lane];
  return x;
};
#pragma unroll
for (int i = 0; i < HALVES; i++) {
  if constexpr (SPLITS > 1) {
    if (i) __syncthreads();
#pragma unroll
    for (int j = 0; j < 2 * COLUMNS; j++) all_found[warp][j][lane] = *result(i, j);
    all_found[warp][2 * COLUMNS][lane] = sum[i];
    __syncthreads();
  }
  const int row = ((part * GROUPS + group) * TILES + i / 2) * 16 + i % 2 * 8 + quad;
  if (row >= ROWS) continue;
  const float total = SPLITS > 1 && PASSES == 1 ? found(2 * COLUMNS) : sum[i], scale = PASSES > 1 ? 1.0f : 1.0f / total;
  const bool is_first = split == 0 && place == 0 && begin == 0;
  if (SHARES > 1) {  // shares.cu adds them up
    float *const to = parts + (((long long)blockIdx.z * BATCHES + batch) * ROWS + row) * (WIDTH + 2);
    if (is_first) to[0] = most[i], to[1] = total;
#pragma unroll
    for (int j = split; j < 2 * COLUMNS; j += SPLITS)
      if (begin + column_of(j) < WIDTH) to[2 + begin + column_of(j)] = SPLITS > 1 ? found(j) : *result(i, j);
    continue;
  }
  if (STATISTICS && is_first) {
    sums_found[sums_found_at[i]] = total;
    if (STATISTICS > 1) highest_found[highest_found_at[i]] = most[i];
  }
  auto *const to = out + out_at[i] + begin * OUT_STEP;
#pragma unroll
  for (int j = split * ADJACENT; j < 2 * COLUMNS; j += SPLITS * ADJACENT) {
    const int column = column_of(j), left = (WIDTH - begin < CHUNK ? WIDTH - begin : CHUNK) - column;
    if (left <= 0) continue;
    float x[ADJACENT];
#pragma unroll
    for (int u = 0; u < ADJACENT; u++) x[u] = (SPLITS > 1 ? found(j + u) : *result(i, j + u)) * scale;
    if constexpr (sizeof *to == 2) {
      uint y[ADJACENT / 2];
#pragma unroll
      for (int u = 0; u < ADJACENT; u += 2) y[u / 2] = narrow_pair<OUT_KIND>(x[u], x[u + 1]);
      if (OUT_VECTOR && ADJACENT == 2) *(uint *)(to + column) = y[0];
      else if (OUT_VECTOR) *(uint2 *)(to + column) = make_uint2(y[0], y[ADJACENT / 2 - 1]);
      else
        for (int u = 0; u < ADJACENT; u++)
          if (u < left) to[(column + u) * OUT_STEP] = y[u / 2] >> u % 2 * 16;
    } else if (OUT_VECTOR && ADJACENT == 2) *(float2 *)(to + column) = make_float2(x[0], x[1]);
    else if (OUT_VECTOR) *(float4 *)(to + column) = make_float4(x[0], x[1], x[ADJACENT - 2], x[ADJACENT - 1]);
    else
      for (int u = 0; u < ADJACENT; u++)
        if (u < left) to[(column + u) * OUT_STEP] = x[u];
  }
}
