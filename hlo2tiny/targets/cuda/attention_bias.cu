// The gradient of what is added to scores: that of scores, computed again, added up along the dimensions in which the
// bias repeats its numbers. A block has TILE queries times TILE keys of the bias, and takes as many scores TAKEN times,
// always in the same order; where ALL_QUERIES or ALL_KEYS read the same number, it takes all tiles of these, too, and
// adds up what its threads have found at the end. attention_bias.py writes the constants before this, and the names
// in @.
@tiles@
constexpr int TILES = (QUERIES + TILE - 1) / TILE, STEPS = (KEYS + TILE - 1) / TILE;
constexpr int OWN_TILES = ALL_QUERIES ? 1 : TILES, OWN_STEPS = ALL_KEYS ? 1 : STEPS;
const int item = blockIdx.x / OWN_STEPS / OWN_TILES;
const int own_part = blockIdx.x / OWN_STEPS % OWN_TILES, own_step = blockIdx.x % OWN_STEPS;
@starts@
// Which scores a block computes next.
int batch, part, step;
auto go_to = [&](int number) {
  part = own_part, step = own_step;
  if (ALL_KEYS) step = number % STEPS, number /= STEPS;
  if (ALL_QUERIES) part = number % TILES, number /= TILES;
  batch = @batch@;
};
// SHARES blocks with the same part of the bias take as many scores each; attention_parts.cu adds up what they find.
constexpr int SHARE = (TAKEN + SHARES - 1) / SHARES;
const int end = min((int)blockIdx.y * SHARE + SHARE, TAKEN);
auto next = [&](int number) {
  do go_to(++number);
  while (SKIPS && number < end && !(@known@ & 1));
  return number;
};
// Where rows are in this batch.
@places@

auto stage_tiles = [&](int slot) {
  const int own = STAGE * 2 * slot, others = own + STAGE;
  stage(depth_chunks, Count<QUERIES>(), q, q_place, part * TILE, DEPTH, own);
  stage(width_chunks, Count<QUERIES>(), cotangents, cotangents_place, part * TILE, WIDTH, own + DEPTH_BYTES);
  stage(depth_chunks, Count<KEYS>(), k, k_place, step * TILE, DEPTH, others);
  stage(width_chunks, Count<KEYS>(), v, v_place, step * TILE, WIDTH, others + DEPTH_BYTES);
};
float sums[ALL_KEYS ? 1 : 2 * BLOCKS][ALL_QUERIES ? 1 : 2] = {};
int number = next(blockIdx.y * SHARE - 1);
if (number < end) stage_tiles(0);
#pragma unroll 1
for (int slot = 0, following; number < end; number = following) {
  following = next(number);
  publish_copies();
  if (STAGES > 1 && following < end) stage_tiles(1 - slot);
  go_to(number);
  const int own = STAGE * 2 * slot, others = own + STAGE;
  int rows[2];
  float highest[2], inverses[2], means[2];
#pragma unroll
  for (int i = 0; i < 2; i++) {
    const int row = own_row(part, i);
    rows[i] = row < QUERIES ? row : QUERIES - 1;
    const float *const from = statistics + batch * (long long)TILES * TILE + row;
    highest[i] = from[0], inverses[i] = from[COUNT], means[i] = from[2 * COUNT];
  }
  @row_starts@
  if (!NARROW && !EXACT) {
    round_numbers(own, STAGE);
    round_numbers(others, STAGE);
    __syncthreads();
  }
  float scores[BLOCKS][4] = {}, gradients[BLOCKS][4] = {};
  multiply_tiles(scores, gradients, own, others);
  auto change = [&](auto masked) {
#pragma unroll
    for (int j = 0; j < 2 * BLOCKS; j++) {
      const int column = step * TILE + 8 * (j / 2) + 2 * place + j % 2, other = column < KEYS ? column : KEYS - 1;
#pragma unroll
      for (int i = 0; i < 2; i++) {
        float x = scores[j / 2][i * 2 + j % 2], tangent = 0;
        @changes@
        float y = power(x - highest[i]) * inverses[i] * (gradients[j / 2][i * 2 + j % 2] - means[i]);
        @derivatives@
        const bool is_row = QUERIES % TILE == 0 || own_row(part, i) < QUERIES;
        const bool is_there = is_row && (KEYS % TILE == 0 || column < KEYS);
        sums[ALL_KEYS ? 0 : j][ALL_QUERIES ? 0 : i] += is_there ? y : 0.0f;
      }
    }
  };
  if (!SKIPS || @known@ & 2) change(Count<1>());
  else change(Count<0>());
  if (STAGES > 1) slot = 1 - slot;
  else {
    __syncthreads();
    go_to(following);
    if (following < end) stage_tiles(0);
  }
}
// What threads have found goes through memory, so that neighbouring threads store neighbouring keys.
constexpr int ROWS = ALL_QUERIES ? TILE / 2 : TILE, COLUMNS = ALL_KEYS ? 4 : TILE;
constexpr int OWN_ROWS = ALL_QUERIES ? 1 : TILE, OWN_COLUMNS = ALL_KEYS ? 1 : TILE;
float *const found = (float *)memory;
__syncthreads();
#pragma unroll
for (int j = 0; j < (ALL_KEYS ? 1 : 2 * BLOCKS); j++)
#pragma unroll
  for (int i = 0; i < (ALL_QUERIES ? 1 : 2); i++) {
    const int row = ALL_QUERIES ? warp * 8 + quad : warp * 16 + i * 8 + quad;
    found[row * COLUMNS + (ALL_KEYS ? place : 8 * (j / 2) + 2 * place + j % 2)] = sums[j][i];
  }
__syncthreads();
for (int at = threadIdx.x; at < OWN_ROWS * OWN_COLUMNS; at += THREADS) {
  const int own_row = at / OWN_COLUMNS, column = at % OWN_COLUMNS;
  const int row = own_part * TILE + own_row, key = own_step * TILE + column;
  if (row >= QUERIES || key >= KEYS) continue;
  float sum = 0;
  for (int i = own_row; i < own_row + ROWS / OWN_ROWS; i++)
    for (int j = column; j < column + COLUMNS / OWN_COLUMNS; j++) sum += found[i * COLUMNS + j];
  auto *const to = out + @place@;
  if constexpr (sizeof *to == 2) *to = (unsigned short)narrow_pair<KIND>(sum * FACTOR, 0);
  else *to = sum * FACTOR;
}
