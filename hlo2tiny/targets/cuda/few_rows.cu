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
// What is added to a number of the result, which is asked for before that is known.
struct Addends {
  float of[ADDENDS + 1];
};
auto addends_of = [&](int row, int column) {
  const long long to = row * C_ROW + column * C_COLUMN;
  return Addends{@addends@};
};
auto store = [&](int row, int column, float x, const Addends &addends) {
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
    const int row = i / COLUMNS, column = first + i % COLUMNS;
    if (lane == 0 && column < N) store(row, column, *sum, addends_of(row, column));
  }
} else {
  // What a thread reads of B passes through its own part of the block's memory, which holds more of what is on its way
  // than registers, some rows at a time. The blocks of a cluster share the terms, and then the columns.
  constexpr int GROUPS = THREADS / LANES, WIDTH = LANES * EACH, ALIGNED = 8, SUMS = ROWS * WIDTH;
  constexpr int TERMS = (K + CLUSTER * ALIGNED - 1) / (CLUSTER * ALIGNED) * ALIGNED;
  constexpr int COUNT = (TERMS + GROUPS * TOGETHER - 1) / (GROUPS * TOGETHER), OWN = (SUMS + CLUSTER - 1) / CLUSTER;
  constexpr bool STAGED = ROWS * TERMS * sizeof(float) <= MOST_STAGED;
  constexpr bool WHOLE = TERMS * CLUSTER == K && COUNT * GROUPS * TOGETHER == TERMS;
  constexpr int BEFORE = 4 * SUMS + 64, GIVEN = BEFORE + (STAGED ? ROWS * TERMS * sizeof(float) : 0);
  constexpr int ROOM = (MEMORY - GIVEN) / (16 * THREADS * TOGETHER), DEPTH = ROOM < COUNT ? ROOM : COUNT;
  @memory@
  float *const totals = (float *)memory, *const given = (float *)(memory + BEFORE), *const parts = given;
  const int place = threadIdx.x % LANES * EACH, group = threadIdx.x / LANES, column = tile * WIDTH + place;
  const int before = rank * TERMS, terms = WHOLE ? TERMS : min(TERMS, K - before);
  const auto *const from = b + (before + group) * LEADING + column;
  const int ring = GIVEN + threadIdx.x * 16;
  const Shared to = shared_address(memory) + ring;
  const bool inside = N % WIDTH == 0 || column < N;
  auto read_ahead = [&](int n, int slot) {
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) {
      const int k = (n * TOGETHER + i) * GROUPS;
      copy_later(to + (slot * TOGETHER + i) * 16 * THREADS, from + k * LEADING, true, inside && (WHOLE || group + k < terms));
    }
    end_copies();
  };
  if (CLUSTER > 1) arrive_in_cluster();
  // Few at once: small kernels before this one may still read, which would wait behind all of them.
#pragma unroll
  for (int n = 0; n < DEPTH; n++) {
    read_ahead(n, n);
    if (n + 1 < DEPTH) wait_for_copies_but<AT_FIRST>();
  }
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
#pragma unroll 1
  for (int n = 0, slot = 0; n < COUNT; n++) {
    wait_for_copies_but<DEPTH - 1>();
    uint4 read[TOGETHER];
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) read[i] = *(const uint4 *)(memory + ring + (slot * TOGETHER + i) * 16 * THREADS);
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) {
      const int k = group + (n * TOGETHER + i) * GROUPS;
      if (WHOLE || k < terms)
#pragma unroll
        for (int row = 0; row < ROWS; row++) {
          const float x = STAGED ? given[row * TERMS + k] : term(row, before + k);
#pragma unroll
          for (int j = 0; j < EACH; j++) sums[row][j] = fmaf(x, number(read[i], j), sums[row][j]);
        }
    }
    if (n + DEPTH < COUNT) read_ahead(n + DEPTH, slot);
    else end_copies();
    slot = slot + 1 < DEPTH ? slot + 1 : 0;
  }
  constexpr int MINE = (OWN + THREADS - 1) / THREADS;
  Addends addends[MINE];
  auto number_of = [&](int n) { return (n * THREADS + threadIdx.x) * CLUSTER + rank; };
  auto is_result = [&](int i) { return i < SUMS && tile * WIDTH + i % WIDTH < N; };
#pragma unroll
  for (int n = 0; n < MINE; n++)
    if (const int i = number_of(n); is_result(i)) addends[n] = addends_of(i / WIDTH, tile * WIDTH + i % WIDTH);
  __syncthreads();  // parts are where the numbers of A and B were
#pragma unroll
  for (int i = 0; i < ROWS * EACH; i++) {
    float *const sum = &sums[i / EACH][i % EACH];
#pragma unroll
    for (int step = 16; step >= LANES; step /= 2) *sum += __shfl_xor_sync(~0u, *sum, step);
    if (lane < LANES) parts[(warp * ROWS + i / EACH) * WIDTH + place + i % EACH] = *sum;
  }
  if (CLUSTER > 1) wait_in_cluster();  // until all its blocks have begun
  __syncthreads();
  auto add_up = [](const float *numbers, int count, int step) {
    float total = numbers[0];
#pragma unroll
    for (int n = 1; n < count; n++) total += numbers[n * step];
    return total;
  };
  if constexpr (CLUSTER > 1) {
    for (int i = threadIdx.x; i < SUMS; i += THREADS)
      in_cluster(totals, i % CLUSTER)[rank * OWN + i / CLUSTER] = add_up(parts + i, WARPS, SUMS);
    arrive_in_cluster();
    wait_in_cluster();
  }
#pragma unroll
  for (int n = 0; n < MINE; n++)
    if (const int i = number_of(n); is_result(i)) {
      const float total = CLUSTER > 1 ? add_up(totals + i / CLUSTER, CLUSTER, OWN) : add_up(parts + i, WARPS, SUMS);
      store(i / WIDTH, tile * WIDTH + i % WIDTH, total, addends[n]);
    }
}
