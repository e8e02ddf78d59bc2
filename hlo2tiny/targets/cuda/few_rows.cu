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
  // What a thread reads of B passes through its own part of the block's memory, which holds more of what is on its way
  // than registers. The blocks of a cluster share the terms, and then the columns, which each one adds up.
  constexpr int GROUPS = THREADS / LANES, WIDTH = LANES * EACH, ALIGNED = 8;
  constexpr int TERMS = (K + CLUSTER * ALIGNED - 1) / (CLUSTER * ALIGNED) * ALIGNED, COUNT = (TERMS + GROUPS - 1) / GROUPS;
  constexpr bool STAGED = ROWS * TERMS * sizeof(float) <= MOST_STAGED, WHOLE = TERMS * CLUSTER == K && COUNT * GROUPS == TERMS;
  constexpr int GIVEN = STAGED ? ROWS * TERMS * sizeof(float) : 0, ROOM = (MEMORY - GIVEN) / (16 * THREADS);
  constexpr int DEPTH = ROOM < COUNT ? ROOM : COUNT;
  @memory@
  float *const given = (float *)memory, *const parts = (float *)memory, *const totals = parts + WARPS * ROWS * WIDTH;
  const int place = threadIdx.x % LANES * EACH, group = threadIdx.x / LANES, column = tile * WIDTH + place;
  const int before = rank * TERMS, terms = WHOLE ? TERMS : min(TERMS, K - before);
  const auto *const from = b + (before + group) * LEADING + column;
  const Shared to = shared_address(memory + GIVEN) + threadIdx.x * 16;
  const bool inside = N % WIDTH == 0 || column < N;
  auto read_ahead = [&](int n, int slot) {
    copy_later(to + slot * 16 * THREADS, from + n * GROUPS * LEADING, true, inside && (WHOLE || group + n * GROUPS < terms));
    end_copies();
  };
#pragma unroll
  for (int n = 0; n < DEPTH; n++) read_ahead(n, n);
  wait_for_others();
  if constexpr (STAGED) {
    constexpr int AT_ONCE = A_VECTOR && K % EACH == 0 ? EACH : 1;
    for (int i = threadIdx.x * AT_ONCE; i < ROWS * TERMS; i += THREADS * AT_ONCE) {
      const int row = i / TERMS, k = i % TERMS;
      if (!WHOLE && k >= terms) continue;
      if constexpr (AT_ONCE > 1) {
        const uint4 x = *(const uint4 *)(a + row * A_ROW + before + k);
#pragma unroll
        for (int j = 0; j < EACH; j++) given[i + j] = number(x, j);
      } else given[i] = term(row, before + k);
    }
    __syncthreads();
  }
  float sums[ROWS][EACH] = {};
#pragma unroll 4
  for (int n = 0, slot = 0; n < COUNT; n++) {
    wait_for_copies_but<DEPTH - 1>();
    const int k = group + n * GROUPS;
    if (WHOLE || k < terms) {
      const uint4 read = *(const uint4 *)(memory + GIVEN + (slot * THREADS + threadIdx.x) * 16);
#pragma unroll
      for (int row = 0; row < ROWS; row++) {
        const float x = STAGED ? given[row * TERMS + k] : term(row, before + k);
#pragma unroll
        for (int i = 0; i < EACH; i++) sums[row][i] = fmaf(x, number(read, i), sums[row][i]);
      }
    }
    if (n + DEPTH < COUNT) read_ahead(n + DEPTH, slot);
    else end_copies();
    slot = slot + 1 < DEPTH ? slot + 1 : 0;
  }
  __syncthreads();  // parts are where B's numbers and A's were
#pragma unroll
  for (int i = 0; i < ROWS * EACH; i++) {
    float *const sum = &sums[i / EACH][i % EACH];
#pragma unroll
    for (int step = 16; step >= LANES; step /= 2) *sum += __shfl_xor_sync(~0u, *sum, step);
    if (lane < LANES) parts[(warp * ROWS + i / EACH) * WIDTH + place + i % EACH] = *sum;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < ROWS * WIDTH; i += THREADS) {
    float total = parts[i];
    for (int w = 1; w < WARPS; w++) total += parts[w * ROWS * WIDTH + i];
    if (CLUSTER > 1) totals[i] = total;
    else if (tile * WIDTH + i % WIDTH < N) store(i / WIDTH, tile * WIDTH + i % WIDTH, total);
  }
  if constexpr (CLUSTER > 1) {
    wait_for_cluster();
    for (int i = rank + threadIdx.x * CLUSTER; i < ROWS * WIDTH; i += THREADS * CLUSTER) {
      float total = 0;
#pragma unroll
      for (int n = 0; n < CLUSTER; n++) total += in_cluster(totals, n)[i];
      if (tile * WIDTH + i % WIDTH < N) store(i / WIDTH, tile * WIDTH + i % WIDTH, total);
    }
    wait_for_cluster();  // the others read this block's memory
  }
}
