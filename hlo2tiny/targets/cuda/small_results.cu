// Products with small results: a block has ITEMS of a batch, or a tile of one's result and a part of the terms, of which it
// keeps TERMS at a time in its memory. A thread adds up SIDE rows by SIDE columns, of each SHARES-th term. small_results.py
// writes the constants before this, and the names in @.
constexpr int ACROSS = LINE_B / SIDE, UNITS = LINE_A / SIDE * ACROSS, PLACES = ITEMS * UNITS;
constexpr int SIZE = TERMS * (STEP_A + STEP_B), BEHIND = SHARES > 1 ? SHARES * PLACES * SIDE * SIDE : 1;
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
const int place = threadIdx.x % PLACES, unit = place % UNITS, slot = place / UNITS, share = threadIdx.x / PLACES;
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
struct Addends {
  Number of[ADDENDS + 1];
};
auto finish = [&](int place, int i, Number x) {
  const int in_row = place % UNITS / ACROSS * SIDE + i / SIDE, in_column = place % ACROSS * SIDE + i % SIDE;
  const int item = first_item + place / UNITS, row = first_row + in_row, column = first_column + in_column;
  if (item >= BATCH || in_row >= TILE_A || in_column >= TILE_B || row >= M || column >= N) return;
  const long long to = @start@ + row * C_ROW + column * C_COLUMN;
  const Addends addends = {@addends@};
  @finish@
};
if constexpr (SHARES > 1) {
  __syncthreads();
#pragma unroll
  for (int i = 0; i < SIDE * SIDE; i++)
    if (share < SHARES) memory[(share * SIDE * SIDE + i) * PLACES + place] = sums[i / SIDE][i % SIDE];
  __syncthreads();
  for (int e = threadIdx.x; e < SIDE * SIDE * PLACES; e += THREADS) {
    Number x = memory[e];
#pragma unroll
    for (int n = 1; n < SHARES; n++) x += memory[n * SIDE * SIDE * PLACES + e];
    finish(e % PLACES, e / PLACES, x);
  }
} else if (share == 0) {
#pragma unroll
  for (int i = 0; i < SIDE * SIDE; i++) finish(place, i, sums[i / SIDE][i % SIDE]);
}
