// Attention of one block of queries: the softmax of their products with keys, after changes, times values, with scores
// in registers only. attention.py writes the constants before this, and the names in @.
// A warp has 16 · TILES queries and takes STEP keys at a time; SPLITS warps share the keys of the same queries, and add
// up their partial results at the end, always in the same order. With few queries, SHARES blocks have LENGTH keys each. `quad` and `place` are where a lane is in the
// fragments of m16n8k8. Which numbers of the depth, keys or columns an index of a fragment stands for is free where both
// operands agree: so each lane reads four adjacent numbers at once, and scores are the second product's operand as is.
//
// If queries, keys and values are all of bf16 or f16 (NARROW is their kind, else 0), the products are of these, by
// m16n8k16. A lane has two numbers in each of its WORDS words, which are neighbours along the depth or two keys' values.
constexpr int ONCE = NARROW && DEPTH > 16 ? 32 : 16;  // numbers of the depth that the lanes read at once
constexpr int DEPTHS = (DEPTH + ONCE - 1) / ONCE, COLUMNS = (CHUNK + 7) / 8, PARTS = EXACT ? 2 : 1, BLOCKS = STEP / 8;
constexpr int WORDS = ONCE / 8, VALUES = COLUMNS % 8 ? 4 : 8;  // and columns of the values
constexpr bool KEPT = DEPTHS * TILES <= 8;  // whether queries stay in registers
constexpr int HALVES = TILES == 1 && ROWS <= 8 ? 1 : 2 * TILES;  // groups of 8 queries, of which a lane has one each
const float infinity = __int_as_float(0x7f800000);
const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, split = warp % SPLITS, group = warp / SPLITS;
const int quad = lane / 4, place = lane % 4;
const int part = blockIdx.x % ROW_PARTS, batch = blockIdx.x / ROW_PARTS, begin = blockIdx.y * CHUNK;
@starts@

// A softmax that rounds on the way needs the highest score of all, then the sum, before the weights: it takes the keys
// in up to three passes. Numbers of bf16 and f16 are numbers of TF32, too. Kinds are 0 for f32, 1 for bf16, 2 for f16.
@floats@
auto narrow = [&](float x) {
  const float y = round_to(OUT_KIND, x);
  const uint whole = (uint)__float_as_int(y), size = whole & 0x7fffffffu;
  if (OUT_KIND == 1) return (unsigned short)(y != y ? 0x7fc0u : whole >> 16);
  const uint half = y != y ? 0x7e00u : size == 0x7f800000u ? 0x7c00u
    : size < 0x38800000u ? (uint)(__uint_as_float(size) * 16777216.0f) : (size - (112u << 23)) >> 13;
  return (unsigned short)(half | (whole >> 16 & 0x8000u));
};
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
    } else {
      const uint2 y = *(const uint2 *)(from + first);
      x[0] = y.x, x[1] = y.y;
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < count; i++) {
    const int at = first + 2 * i;
    x[i] = at < most && !vector ? (uint)from[at * step] : 0;
    if (at + 1 < most && !vector) x[i] |= (uint)from[(at + 1) * step] << 16;
  }
};
// A number as one of TF32, or, to be exact, as the sum of two.
auto take_apart = [](float x, uint *parts) {
  parts[0] = round_to_tf32(x);
  if (EXACT) {
    const float rest = x - __uint_as_float(parts[0]);
    parts[PARTS - 1] = round_to_tf32(rest == rest ? rest : 0.0f);
  }
};
auto add_product = [](float *c, const uint (*a)[PARTS], int a0, int a1, int a2, int a3, const uint *b0, const uint *b1) {
  if (EXACT) {
    add_product_of_tiles(c, a[a0][PARTS - 1], a[a1][PARTS - 1], a[a2][PARTS - 1], a[a3][PARTS - 1], b0[0], b1[0]);
    add_product_of_tiles(c, a[a0][0], a[a1][0], a[a2][0], a[a3][0], b0[PARTS - 1], b1[PARTS - 1]);
  }
  add_product_of_tiles(c, a[a0][0], a[a1][0], a[a2][0], a[a3][0], b0[0], b1[0]);
};
auto power = [](float x) { return EXACT ? expf(x) : __expf(x); };

int rows[HALVES];
#pragma unroll
for (int i = 0; i < HALVES; i++) {
  const int row = ((part * GROUPS + group) * TILES + i / 2) * 16 + i % 2 * 8 + quad;
  rows[i] = row < ROWS ? row : ROWS - 1;
}
@row_starts@
uint queries[TILES][KEPT ? DEPTHS : 1][8][PARTS] = {};
auto load_queries = [&](int c, int at) {
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    if constexpr (NARROW) {
      uint x[WORDS];
      load_words(Count<WORDS>(), q + q_at[i], ONCE * c + 2 * WORDS * place, DEPTH, Q_STEP, Q_VECTOR, x);
#pragma unroll
      for (int j = 0; j < WORDS; j++) queries[i / 2][at][i % 2 * 4 + j][0] = x[j];
      continue;
    }
    float x[4];
    load(Q_KIND, q + q_at[i], 16 * c + 4 * place, DEPTH, Q_STEP, Q_VECTOR, x);
#pragma unroll
    for (int j = 0; j < 4; j++) take_apart(x[j], queries[i / 2][at][i % 2 * 4 + j]);
  }
};
if (KEPT) {
#pragma unroll
  for (int c = 0; c < DEPTHS; c++) load_queries(c, c);
}

const int least_end = (blockIdx.z + 1) * LENGTH < KEYS ? (blockIdx.z + 1) * LENGTH : KEYS;
float results[TILES][COLUMNS][4] = {}, most[HALVES], sum[HALVES];
#pragma unroll
for (int i = 0; i < HALVES; i++) most[i] = SHIFTED ? -infinity : 0.0f, sum[i] = 0;

#pragma unroll 1
for (int pass = 0; pass < PASSES; pass++) {
const bool last = pass == PASSES - 1;
#pragma unroll 1
for (int first = blockIdx.z * LENGTH + split * STEP; first < least_end; first += SPLITS * STEP) {
  // What changes scores comes first: if it replaces them all, they need not be computed.
  @declarations@
  bool is_read = !MASKED;
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
#pragma unroll
    for (int n = 0; n < BLOCKS; n++) {
      const int at = first + 8 * n + 2 * place;
      @reads@
    }
#pragma unroll
    for (int j = 0; j < 2 * BLOCKS; j++) is_read |= @is_read@;
  }
  float scores[TILES][BLOCKS][4] = {};
  if (!MASKED || __ballot_sync(~0u, is_read))
#pragma unroll
  for (int c = 0; c < DEPTHS; c++) {
    if (!KEPT) load_queries(c, 0);
#pragma unroll
    for (int n = 0; n < BLOCKS; n++) {
      const int at = first + 8 * n + quad, key = at < KEYS ? at : KEYS - 1;
      if constexpr (NARROW) {
        uint y[WORDS];
        load_words(Count<WORDS>(), k + key * KEY_STEP, ONCE * c + 2 * WORDS * place, DEPTH, K_STEP, K_VECTOR, y);
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
  uint narrow_values[NARROW ? BLOCKS / 2 : 1][4][NARROW ? (COLUMNS + 7) / 8 * 4 : 1];
  if constexpr (NARROW) {
    if (last)
#pragma unroll
      for (int i = 0; i < BLOCKS / 2 * 4; i++) {
        const int key = first + 16 * (i / 4) + 2 * place + i % 2 + i / 2 % 2 * 8;
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
#pragma unroll
    for (int j = 0; j < 2 * BLOCKS; j++) {
      const int at = first + 8 * (j / 2) + 2 * place + j % 2;
      float x = scores[i / 2][j / 2][i % 2 * 2 + j % 2];
      @changes@
      x = at < KEYS ? x : -infinity;
      scores[i / 2][j / 2][i % 2 * 2 + j % 2] = x;
      if (SHIFTED) highest = fmaxf(highest, x);
    }
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
        uint y[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
          const uint a = narrow_values[n / 2][2 * i][j / 2], b = narrow_values[n / 2][2 * i + 1][j / 2];
          y[i] = j % 2 ? a >> 16 | (b & 0xffff0000u) : (a & 0xffffu) | b << 16;
        }
#pragma unroll
        for (int t = 0; t < TILES; t++)
          add_product_of_narrow_tiles<NARROW>(
              results[t][j], weights[t][0], weights[t][1], weights[t][2], weights[t][3], y[0], y[1]);
      }
    }
    continue;
  }
#pragma unroll
  for (int n = 0; n < BLOCKS; n++) {
    uint weights[TILES][4][PARTS];
#pragma unroll
    for (int i = 0; i < 4 * TILES; i++) take_apart(scores[i / 4][n][i % 4], weights[i / 4][i % 4]);
    const int key = first + 8 * n + 2 * place;
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

if (PASSES == 1 || !last) {
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    sum[i] += __shfl_xor_sync(~0u, sum[i], 1);
    sum[i] += __shfl_xor_sync(~0u, sum[i], 2);
  }
}
if (PASSES > 1 && !last) {
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
if (SPLITS > 1) {
  __shared__ float highest[GROUPS * SPLITS][HALVES][32];
  __shared__ float others[GROUPS * SPLITS / 2 + 1][HALVES * COLUMNS * 2 + HALVES][32];
#pragma unroll
  for (int i = 0; i < HALVES; i++) highest[warp][i][lane] = most[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    float all = -infinity;
    for (int s = 0; s < SPLITS; s++) all = fmaxf(all, highest[group * SPLITS + s][i][lane]);
    const float scale = PASSES > 1 ? 1.0f : power(most[i] - (all == -infinity ? 0.0f : all));
    sum[i] *= scale;
    most[i] = all;
#pragma unroll
    for (int j = 0; j < 2 * COLUMNS; j++) results[i / 2][j / 2][i % 2 * 2 + j % 2] *= scale;
  }
  auto result = [&](int j) {
    const int i = j / 2 / COLUMNS;
    return &results[i / 2][j / 2 % COLUMNS][i % 2 * 2 + j % 2];
  };
#pragma unroll
  for (int half = SPLITS / 2; half; half /= 2) {
    const int slot = group * (SPLITS / 2) + split % half;
    if (split >= half && split < 2 * half) {
#pragma unroll
      for (int j = 0; j < HALVES * COLUMNS * 2; j++) others[slot][j][lane] = *result(j);
#pragma unroll
      for (int i = 0; i < HALVES; i++) others[slot][HALVES * COLUMNS * 2 + i][lane] = sum[i];
    }
    __syncthreads();
    if (split < half) {
#pragma unroll
      for (int j = 0; j < HALVES * COLUMNS * 2; j++) *result(j) += others[slot][j][lane];
#pragma unroll
      for (int i = 0; i < HALVES; i++) sum[i] += others[slot][HALVES * COLUMNS * 2 + i][lane];
    }
    __syncthreads();
  }
}
if (split == 0) {
#pragma unroll
  for (int i = 0; i < HALVES; i++) {
    const int row = ((part * GROUPS + group) * TILES + i / 2) * 16 + i % 2 * 8 + quad;
    if (row >= ROWS) continue;
    if (SHARES > 1) {  // shares.cu adds them up
      float *const to = parts + (((long long)blockIdx.z * BATCHES + batch) * ROWS + row) * (WIDTH + 2);
      if (place == 0 && begin == 0) to[0] = most[i], to[1] = sum[i];
#pragma unroll
      for (int j = 0; j < 2 * COLUMNS; j++) {
        const int column = begin + (2 * place + j / COLUMNS) * COLUMNS + j % COLUMNS;
        if (column < WIDTH) to[2 + column] = results[i / 2][j % COLUMNS][i % 2 * 2 + j / COLUMNS];
      }
      continue;
    }
    const float scale = PASSES > 1 ? 1.0f : 1.0f / sum[i];
    auto *const to = out + out_at[i] + begin * OUT_STEP;
#pragma unroll
    for (int e = 0; e < 2; e++) {
      const int column = (2 * place + e) * COLUMNS;
#pragma unroll
      for (int j = 0; j < COLUMNS; j += 4) {
        const int left = WIDTH - begin - column - j;
        if (left <= 0) continue;
        float x[4];
#pragma unroll
        for (int u = 0; u < 4; u++) x[u] = results[i / 2][j + u][i % 2 * 2 + e] * scale;
        if constexpr (sizeof *to == 2) {
          if (OUT_VECTOR)
            *(ushort4 *)(to + column + j) = make_ushort4(narrow(x[0]), narrow(x[1]), narrow(x[2]), narrow(x[3]));
          else
            for (int u = 0; u < 4; u++)
              if (u < left) to[(column + j + u) * OUT_STEP] = narrow(x[u]);
        } else if (OUT_VECTOR)
          *(float4 *)(to + column + j) = make_float4(x[0], x[1], x[2], x[3]);
        else
          for (int u = 0; u < 4; u++)
            if (u < left) to[(column + j + u) * OUT_STEP] = x[u];
      }
    }
  }
}
