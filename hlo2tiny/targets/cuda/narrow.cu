// A product of a long matrix X with a small one, Y: each thread reads EACH rows of X, which has most of the memory, TERMS
// columns at once, and computes their rows of C. narrow.py writes the constants before this, and the names in @.
// Rows or columns of X and C that follow each other in memory are read and written 16 bytes at a time, if aligned.
const int item = blockIdx.x / PARTS, part = blockIdx.x % PARTS;
@starts@
auto number = [](auto x) -> Number {
  if constexpr (sizeof x == 2) return widened<KIND>((uint)x);
  else return x;
};
struct Addends {
  Number of[ADDENDS + 1];
};
auto finished = [&](long long row, int column, Number x) {
  const long long to = row * C_ROW + column * C_COLUMN;
  const Addends addends = {@addends@};
  @sums@
  return @rounded@;
};
__shared__ __align__(16) Number small[K][(COLUMNS + 3) / 4 * 4];
for (int i = threadIdx.x; i < K * COLUMNS; i += THREADS)
  small[i / COLUMNS][i % COLUMNS] = number(y[i / COLUMNS * Y_TERM + i % COLUMNS * Y_COLUMN]);
__syncthreads();
const long long first = ((long long)part * THREADS + threadIdx.x) * EACH;
if (first >= ROWS) return;
Number sums[EACH][COLUMNS] = {};
#pragma unroll 1
for (int begin = 0; begin < K; begin += TERMS) {
  Element read[EACH * TERMS];
  auto exists = [&](int k) { return K % TERMS == 0 || begin + k < K; };
  if constexpr (EACH > 1 || K > TERMS) {
#pragma unroll
    for (int k = 0; k < TERMS; k++)
      if (exists(k)) *(Pack<Element, EACH> *)&read[k * EACH] = *(const Pack<Element, EACH> *)(x + first + (begin + k) * X_TERM);
  } else {
#pragma unroll
    for (int k = 0; k < TERMS; k += X_ONCE)
      *(Pack<Element, X_ONCE> *)&read[k] = *(const Pack<Element, X_ONCE> *)(x + first * X_ROW + k * X_TERM);
  }
#pragma unroll
  for (int k = 0; k < TERMS; k++)
    if (exists(k))
#pragma unroll
      for (int row = 0; row < EACH; row++) {
        const Number given = number(read[k * EACH + row]);
#pragma unroll
        for (int column = 0; column < COLUMNS; column++) {
          Number *const sum = &sums[row][column];
          if constexpr (sizeof(Number) == 4) *sum = fmaf(given, small[begin + k][column], *sum);
          else *sum = fma(given, small[begin + k][column], *sum);
        }
      }
}
if constexpr (C_ONCE_ROWS > 1) {
#pragma unroll
  for (int column = 0; column < COLUMNS; column++) {
    Pack<Result, C_ONCE_ROWS> made;
#pragma unroll
    for (int row = 0; row < EACH; row++) made.values[row] = finished(first + row, column, sums[row][column]);
    *(Pack<Result, C_ONCE_ROWS> *)(c + first + column * C_COLUMN) = made;
  }
} else {
#pragma unroll
  for (int row = 0; row < EACH; row++)
#pragma unroll
    for (int column = 0; column < COLUMNS; column += C_ONCE) {
      Pack<Result, C_ONCE> made;
#pragma unroll
      for (int i = 0; i < C_ONCE; i++) made.values[i] = finished(first + row, column + i, sums[row][column + i]);
      *(Pack<Result, C_ONCE> *)(c + (first + row) * C_ROW + column * C_COLUMN) = made;
    }
}
