// A product of few rows with a large matrix, which is read once, 16 bytes at a time, at memory's bandwidth. few_rows.py
// writes the constants before this. Lanes beside each other read neighbouring bytes of a row of B in memory.
//
// If B's terms are ALONG its rows in memory, a warp adds up some columns of the result; otherwise LANES threads have as
// many columns as they read at once, and all threads of a block share the terms. A thread asks for all that it needs next
// before it multiplies, as memory answers late.
constexpr int EACH = 16 / sizeof *b, WARPS = THREADS / 32;
const int item = blockIdx.x / TILES, tile = blockIdx.x % TILES, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
@starts@
auto number = [](uint4 from, int i) {
  const uint words[4] = {from.x, from.y, from.z, from.w};
  if constexpr (EACH == 4) return __uint_as_float(words[i]);
  else return widened<KIND>(words[i / 2] >> i % 2 * 16 & 0xffff);
};
auto term = [&](int row, int k) {
  const auto x = a[row * A_ROW + k * A_TERM];
  if constexpr (sizeof x == 4) return (float)x;
  else return widened<KIND>((uint)x);
};
auto store = [&](int row, int column, float x) {
  const long long to = row * C_ROW + column * C_COLUMN;
  @finish@
};

if constexpr (ALONG) {
  constexpr bool WHOLE = K % (WAITING * 32 * EACH) == 0;
  float sums[ROWS][COLUMNS] = {};
  const int first = (tile * WARPS + warp) * COLUMNS;
#pragma unroll 1
  for (int begin = 0; begin < K; begin += WAITING * 32 * EACH) {
    uint4 read[WAITING][COLUMNS];
#pragma unroll
    for (int n = 0; n < WAITING * COLUMNS; n++) {
      const int k = begin + (n / COLUMNS * 32 + lane) * EACH, column = min(first + n % COLUMNS, N - 1);
      if (WHOLE || k < K) read[n / COLUMNS][n % COLUMNS] = *(const uint4 *)(b + column * LEADING + k);
    }
    if (begin == 0) wait_for_others();
#pragma unroll
    for (int n = 0; n < WAITING; n++) {
      const int k = begin + (n * 32 + lane) * EACH;
      if (WHOLE || k < K)
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
          uint4 given;
          if constexpr (A_VECTOR) given = *(const uint4 *)(a + row * A_ROW + k);
#pragma unroll
          for (int i = 0; i < EACH * COLUMNS; i++) {
            const float x = A_VECTOR ? number(given, i / COLUMNS) : term(row, k + i / COLUMNS);
            float *const sum = &sums[row][i % COLUMNS];
            *sum = fmaf(x, number(read[n][i % COLUMNS], i / COLUMNS), *sum);
          }
        }
    }
  }
#pragma unroll
  for (int i = 0; i < ROWS * COLUMNS; i++) {
    float *const sum = &sums[i / COLUMNS][i % COLUMNS];
#pragma unroll
    for (int step = 16; step; step /= 2) *sum += __shfl_xor_sync(~0u, *sum, step);
    if (lane == 0 && first + i % COLUMNS < N) store(i / COLUMNS, first + i % COLUMNS, *sum);
  }
} else {
  constexpr int GROUPS = THREADS / LANES, WIDTH = LANES * EACH;
  constexpr bool WHOLE = K % (WAITING * GROUPS) == 0;
  __shared__ float parts[WARPS][ROWS * WIDTH];
  float sums[ROWS][EACH] = {};
  const int place = threadIdx.x % LANES * EACH, group = threadIdx.x / LANES, column = tile * WIDTH + place;
#pragma unroll 1
  for (int begin = group; begin < K; begin += WAITING * GROUPS) {
    uint4 read[WAITING];
    float x[WAITING][ROWS];
#pragma unroll
    for (int n = 0; n < WAITING; n++)
      if ((WHOLE || begin + n * GROUPS < K) && (N % WIDTH == 0 || column < N))
        read[n] = *(const uint4 *)(b + (begin + n * GROUPS) * LEADING + column);
    if (begin == group) wait_for_others();
#pragma unroll
    for (int i = 0; i < WAITING * ROWS; i++)
      if (WHOLE || begin + i / ROWS * GROUPS < K) x[i / ROWS][i % ROWS] = term(i % ROWS, begin + i / ROWS * GROUPS);
#pragma unroll
    for (int n = 0; n < WAITING; n++)
      if (WHOLE || begin + n * GROUPS < K)
#pragma unroll
        for (int i = 0; i < ROWS * EACH; i++)
          sums[i / EACH][i % EACH] = fmaf(x[n][i / EACH], number(read[n], i % EACH), sums[i / EACH][i % EACH]);
  }
#pragma unroll
  for (int i = 0; i < ROWS * EACH; i++) {
    float *const sum = &sums[i / EACH][i % EACH];
#pragma unroll
    for (int step = 16; step >= LANES; step /= 2) *sum += __shfl_xor_sync(~0u, *sum, step);
    if (lane < LANES) parts[warp][i / EACH * WIDTH + place + i % EACH] = *sum;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < ROWS * WIDTH; i += THREADS) {
    if (tile * WIDTH + i % WIDTH >= N) continue;
    float total = parts[0][i];
    for (int w = 1; w < WARPS; w++) total += parts[w][i];
    store(i / WIDTH, tile * WIDTH + i % WIDTH, total);
  }
}
