// Attention of a block's queries: CHUNKS tiles of TILE each, which take as many keys at a time. The highest score and the
// sum of exponentials of a query go on beside the results, which are in registers. While scores are multiplied and
// changed, values are copied, and while these are multiplied, the next keys. wide_heads.py writes the constants before
// this, and the names in @.
@tiles@
constexpr int OWN_TILE = TILE * CHUNKS, PARTS_OF_ROWS = (ROWS + OWN_TILE - 1) / OWN_TILE;
constexpr int KEYS_AT = CHUNKS * DEPTH_BYTES, VALUES_AT = KEYS_AT + DEPTH_BYTES;
constexpr int STEPS = (KEYS + TILE - 1) / TILE;
const int turn = blockIdx.x, batch = SKIPS ? turn % BATCHES : turn / PARTS_OF_ROWS;
// The last rows often read the most keys: they come first.
const int part = SKIPS ? PARTS_OF_ROWS - 1 - turn / BATCHES : turn % PARTS_OF_ROWS;
const int chunk = threadIdx.x / 32 / WARPS, own_tile = part * CHUNKS + chunk;
@starts@
@places@
int rows[2];
#pragma unroll
for (int i = 0; i < 2; i++) rows[i] = min(own_row(own_tile, i), ROWS - 1);
@row_starts@
#pragma unroll
for (int i = 0; i < CHUNKS; i++) {
  const int first = min((part * CHUNKS + i) * TILE, (ROWS - 1) / TILE * TILE);  // behind the last tile may be any rows
  stage(depth_chunks, Count<ROWS>(), q, q_place, first, DEPTH, i * DEPTH_BYTES);
}

// SHARES blocks with the same queries take as many steps of keys each; shares.cu adds up what they find.
constexpr int SHARE = (STEPS + SHARES - 1) / SHARES;
const int least_step = blockIdx.y * SHARE, end = min(least_step + SHARE, STEPS);
// Which steps to take: those where a score is read (1), and where masks replace any (2); see mask_steps.cu.
__shared__ unsigned char known[SKIPS ? SHARE : 1];
if constexpr (SKIPS) {
  for (int i = threadIdx.x; least_step + i < end; i += THREADS) known[i] = of_masks[least_step + i];
  __syncthreads();
}
auto next = [&](int step, bool rest) {
  do step++;
  while (SKIPS && step < end && (known[step - least_step] & 1) == rest);
  return step;
};

// Numbers of f32 of few queries are rounded here, rather than before.
auto round_now = [&](int from, int bytes) {
  if (NARROW || EXACT || IN_TILES) return;
  round_numbers(from, bytes);
  __syncthreads();
};
bool is_first = true;
float results[COLUMNS][4] = {}, most[2], sum[2] = {};
#pragma unroll
for (int i = 0; i < 2; i++) most[i] = SHIFTED ? -infinity : 0.0f;
#pragma unroll 1
for (int pass = 0; pass < 1 + SKIPS; pass++) {
  // Weights of scores that masks replace are often 0 beside others, and their values numbers: then they change nothing.
  if (SKIPS && pass) {
    bool all = false;
    for (int i = 0; i < 2; i++) all |= !(REPLACED <= most[i] - 128);
    for (int i = threadIdx.x; least_step + i < end; i += THREADS)
      if (!(known[i] & 1)) all |= of_values[least_step + i];
    if (!__syncthreads_or(all)) break;
  }
  int step = next(least_step - 1, pass);
  if (step < end) stage(depth_chunks, Count<KEYS>(), k, k_place, step * TILE, DEPTH, KEYS_AT);
#pragma unroll 1
  for (int following; step < end; step = following) {
    following = next(step, pass);
    publish_copies();
    round_now(is_first ? 0 : KEYS_AT, DEPTH_BYTES + is_first * KEYS_AT);
    is_first = false;
    stage(width_chunks, Count<KEYS>(), v, v_place, step * TILE, WIDTH, VALUES_AT);
    float scores[BLOCKS][4] = {};
    const int own = chunk * DEPTH_BYTES;
    if constexpr (WARPGROUPS)
      multiply_memory<NARROW, DEPTHS, 0>(
          scores, memory_at + own, memory_at + KEYS_AT, scores, memory_at + own, memory_at + KEYS_AT);
    else multiply(Count<DEPTHS>(), scores, own, KEYS_AT);
    float highest[2] = {most[0], most[1]};
    auto change = [&](auto masked) {
#pragma unroll
      for (int j = 0; j < 2 * BLOCKS; j++) {
        const int column = step * TILE + 8 * (j / 2) + 2 * place + j % 2;
        const int other = KEYS % TILE ? min(column, KEYS - 1) : column;
#pragma unroll
        for (int i = 0; i < 2; i++) {
          float x = scores[j / 2][i * 2 + j % 2], tangent;
          @changes@
          if (KEYS % TILE && column >= KEYS) x = -infinity;
          scores[j / 2][i * 2 + j % 2] = x;
          if (SHIFTED) highest[i] = fmaxf(highest[i], x);
        }
      }
    };
    if (!SKIPS || known[step - least_step] & 2) change(Count<1>());
    else change(Count<0>());
    float scales[2];
#pragma unroll
    for (int i = 0; i < 2; i++) {
      highest[i] = fmaxf(highest[i], __shfl_xor_sync(~0u, highest[i], 1));
      highest[i] = fmaxf(highest[i], __shfl_xor_sync(~0u, highest[i], 2));
      const float base = highest[i] == -infinity ? 0.0f : highest[i];
      scales[i] = power(most[i] - base);
      most[i] = highest[i], sum[i] *= scales[i];
#pragma unroll
      for (int j = 0; j < 2 * BLOCKS; j++) {
        float &x = scores[j / 2][i * 2 + j % 2];
        x = power(x - base), sum[i] += x;
      }
    }
    if (__ballot_sync(~0u, scales[0] != 1 || scales[1] != 1))
#pragma unroll
      for (int j = 0; j < 4 * COLUMNS; j++) results[j / 4][j % 4] *= scales[j % 4 / 2];
    publish_copies();
    round_now(VALUES_AT, STAGE - DEPTH_BYTES);
    if (following < end) stage(depth_chunks, Count<KEYS>(), k, k_place, following * TILE, DEPTH, KEYS_AT);
    add(Count<COLUMNS>(), results, scores, VALUES_AT, 0);
  }
}
#pragma unroll
for (int i = 0; i < 2; i++) {
  sum[i] += __shfl_xor_sync(~0u, sum[i], 1);
  sum[i] += __shfl_xor_sync(~0u, sum[i], 2);
  const float scale = SHARES > 1 ? 1.0f : 1.0f / sum[i];
#pragma unroll
  for (int j = 0; j < 2 * COLUMNS; j++) results[j / 2][i * 2 + j % 2] *= scale;
  const int row = own_row(own_tile, i);
  if (place || row >= ROWS) continue;
  @statistics@
}
@store@
