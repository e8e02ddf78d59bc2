// Products with small results: a block has ITEMS of a batch, or a tile of one's result and a part of the terms, of which it
// keeps TERMS at a time in its memory. A thread adds up SIDE rows by SIDE columns, of each SHARES-th term. small_results.py
// writes the constants before this, and the names in @.
constexpr int ACROSS = LINE_B / SIDE, UNITS = LINE_A / SIDE * ACROSS, BEHIND = (SHARES - 1) * ITEMS * UNITS * SIDE * SIDE;
constexpr int SIZE = TERMS * (STEP_A + STEP_B);
typedef Pack<Number, SIDE> Line;
__shared__ __align__(16) Number memory[ITEMS * SIZE > BEHIND ? ITEMS * SIZE : BEHIND];
const int part = blockIdx.x % PARTS, first_row = blockIdx.x / PARTS % TILES_A * TILE_A;
const int first_column = blockIdx.x / (PARTS * TILES_A) % TILES_B * TILE_B;
const int first_item = blockIdx.x / (PARTS * TILES_A * TILES_B) * ITEMS;
const int begin = part * TERMS_OF_PART, end = min(K, begin + TERMS_OF_PART);
auto wide = [](auto x) -> Number {
  if constexpr (sizeof x == 2) return widened<KIND>((uint)x);
  else return x;
};
@operands@
const int unit = threadIdx.x % UNITS, slot = threadIdx.x / UNITS % ITEMS, share = threadIdx.x / (UNITS * ITEMS);
const int own_row = unit / ACROSS * SIDE, own_column = unit % ACROSS * SIDE;
Number sums[SIDE][SIDE] = {};
read_a(begin);
read_b(begin);
#pragma unroll 1
for (int k = begin; k < end; k += TERMS) {
  if (k > begin) __syncthreads();
  store_a();
  store_b();
  __syncthreads();
  if (k + TERMS < end) {
    read_a(k + TERMS);
    read_b(k + TERMS);
  }
  if (share >= SHARES) continue;
  const Number *const rows = memory + slot * SIZE + own_row, *const columns = memory + slot * SIZE + TERMS * STEP_A + own_column;
#pragma unroll 4
  for (int term = share; term < TERMS; term += SHARES) {
    const Line x = *(const Line *)(rows + term * STEP_A), y = *(const Line *)(columns + term * STEP_B);
#pragma unroll
    for (int i = 0; i < SIDE * SIDE; i++) {
      Number *const sum = &sums[i / SIDE][i % SIDE];
      if constexpr (sizeof(Number) == 4) *sum = fmaf(x.values[i / SIDE], y.values[i % SIDE], *sum);
      else *sum = fma(x.values[i / SIDE], y.values[i % SIDE], *sum);
    }
  }
}
if constexpr (SHARES > 1) {
  const int place = slot * UNITS + unit;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < SIDE * SIDE; i++)
    if (share > 0 && share < SHARES) memory[((share - 1) * SIDE * SIDE + i) * UNITS * ITEMS + place] = sums[i / SIDE][i % SIDE];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < SIDE * SIDE; i++)
#pragma unroll
    for (int n = 0; n < SHARES - 1; n++)
      if (share == 0) sums[i / SIDE][i % SIDE] += memory[(n * SIDE * SIDE + i) * UNITS * ITEMS + place];
}
const int item = first_item + slot;
if (share > 0 || item >= BATCH) return;
@starts@
struct Addends {
  Number of[ADDENDS + 1];
};
#pragma unroll
for (int i = 0; i < SIDE * SIDE; i++) {
  const int row = first_row + own_row + i / SIDE, column = first_column + own_column + i % SIDE;
  if (own_row + i / SIDE >= TILE_A || own_column + i % SIDE >= TILE_B || row >= M || column >= N) continue;
  const long long to = row * C_ROW + column * C_COLUMN;
  const Addends addends = {@addends@};
  Number x = sums[i / SIDE][i % SIDE];
  @finish@
}
