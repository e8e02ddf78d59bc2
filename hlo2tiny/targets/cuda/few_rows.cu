// A product of few rows with a large matrix, which is read once, 16 bytes at a time, at memory's bandwidth. few_rows.py
// writes the constants before this. Lanes beside each other read neighbouring bytes of a row of B in memory.
//
// If B's terms are ALONG its rows in memory, LANES threads add up some columns of the result; otherwise they have as many
// columns as they read at once, and all threads of a block share the terms. A thread asks for all that it needs next
// before it multiplies, as memory answers late. If there are PARTS of the terms, C has the sums of each.
constexpr int WARPS = THREADS / 32, GROUP = 32 / LANES;
const int share = blockIdx.x % PARTS, tile = blockIdx.x / PARTS % TILES, item = blockIdx.x / (PARTS * TILES);
const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
@starts@
// EACH numbers, which are read at once.
typedef Pack<Word, EACH * sizeof *b / sizeof(Word)> Read;
auto number = [](const Read &from, int i) {
  if constexpr (sizeof *b == 4) return __uint_as_float(from.values[i]);
  else return widened<KIND>(from.values[i / 2] >> i % 2 * 16 & 0xffff);
};
auto wide = [](Element x) {
  if constexpr (sizeof x == 4) return (float)x;
  else return widened<KIND>((uint)x);
};
auto term = [&](int row, int k) { return wide(a[row * A_ROW + k * A_TERM]); };
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
  constexpr int STEP = WAITING * LANES * EACH, TERMS = (K + PARTS * STEP - 1) / (PARTS * STEP) * STEP;
  constexpr bool WHOLE = K % (PARTS * STEP) == 0;
  float sums[COLUMNS][ROWS] = {};
  const int first = (tile * WARPS + warp) * GROUP * COLUMNS + lane / LANES, end = WHOLE ? K : min(K, (share + 1) * TERMS);
#pragma unroll 1
  for (int begin = share * TERMS, n = 0; n < TERMS; n += STEP, begin += STEP) {
    Read read[WAITING][COLUMNS];
#pragma unroll
    for (int n = 0; n < WAITING * COLUMNS; n++) {
      const int k = begin + (n / COLUMNS * LANES + lane % LANES) * EACH;
      const int column = min(first + n % COLUMNS * GROUP, N - 1);
      if (WHOLE || k < end) read[n / COLUMNS][n % COLUMNS] = *(const Read *)(b + column * LEADING + k);
    }
    if (n == 0) wait_for_others();
#pragma unroll
    for (int n = 0; n < WAITING; n++) {
      const int k = begin + (n * LANES + lane % LANES) * EACH;
      if (!WHOLE && k >= end) continue;
      float given[ROWS][EACH];
#pragma unroll
      for (int row = 0; row < ROWS && A_VECTOR; row++) {
        const auto from = *(const Read *)(a + row * A_ROW + k);
#pragma unroll
        for (int i = 0; i < EACH; i++) given[row][i] = number(from, i);
      }
#pragma unroll
      for (int n = 0; n < ROWS * EACH && !A_VECTOR; n += A_ONCE) {
        const int row = n % ROWS, i = n / ROWS;
        const auto from = *(const Pack<Element, A_ONCE> *)(a + row * A_ROW + (k + i) * A_TERM);
#pragma unroll
        for (int next = 0; next < A_ONCE; next++) given[row + next][i] = wide(from.values[next]);
      }
#pragma unroll
      for (int row = 0; row < ROWS; row++)
#pragma unroll
        for (int i = 0; i < EACH * COLUMNS; i++) {
          float *const sum = &sums[i % COLUMNS][row];
          *sum = fmaf(given[row][i / COLUMNS], number(read[n][i % COLUMNS], i / COLUMNS), *sum);
        }
    }
  }
  // Lanes exchange halves of what they have, until each has few numbers, which are the sums of all lanes' then.
  constexpr int SUMS = ROWS * COLUMNS;
  constexpr int COUNT = SUMS <= 2 ? SUMS : SUMS <= 4 ? 4 : SUMS <= 8 ? 8 : SUMS <= 16 ? 16 : SUMS <= 32 ? 32 : 64;
  constexpr int LEFT = COUNT > LANES ? COUNT / LANES : 1;
  float all[COUNT];
#pragma unroll
  for (int i = 0; i < COUNT; i++) all[i] = i < SUMS ? sums[i / ROWS][i % ROWS] : 0;
  int number = 0;
#pragma unroll
  for (int step = LANES / 2; step; step /= 2) {
    const int left = COUNT * step / LANES;
    const bool is_second = lane & step;
    if (left == 0) all[0] += __shfl_xor_sync(~0u, all[0], step);
    number += is_second ? left : 0;
#pragma unroll
    for (int i = 0; i < COUNT / 2; i++) {
      if (i >= left) continue;
      const float other = __shfl_xor_sync(~0u, is_second ? all[i] : all[i + left], step);
      all[i] = (is_second ? all[i + left] : all[i]) + other;
    }
  }
  const bool is_first = lane % (LANES / min(COUNT, LANES)) == 0;
#pragma unroll
  for (int i = 0; i < LEFT; i++) {
    const int row = (number + i) % ROWS, column = first + (number + i) / ROWS * GROUP;
    if (is_first && number + i < SUMS && column < N) store(row, column, all[i], addends_of(row, column));
  }
} else {
  // What a thread reads of B passes through its own part of the block's memory, which holds more of what is on its way
  // than registers, some rows at a time. The blocks of a cluster share the terms, and then the columns.
  constexpr int GROUPS = THREADS / LANES, WIDTH = LANES * EACH, SUMS = ROWS * WIDTH;
  constexpr int SHARES = CLUSTER * PARTS, TERMS = (K + SHARES * ALIGNED - 1) / (SHARES * ALIGNED) * ALIGNED;
  constexpr int COUNT = (TERMS + GROUPS * TOGETHER - 1) / (GROUPS * TOGETHER), OWN = (SUMS + CLUSTER - 1) / CLUSTER;
  constexpr bool STAGED = ROWS * TERMS * sizeof(float) <= MOST_STAGED;
  constexpr bool WHOLE = TERMS * SHARES == K && COUNT * GROUPS * TOGETHER == TERMS;
  constexpr int BEFORE = 4 * SUMS + 64, GIVEN = BEFORE + (STAGED ? ROWS * TERMS * sizeof(float) : 0);
  constexpr int ROOM = (MEMORY - GIVEN) / (sizeof(Read) * THREADS * TOGETHER), DEPTH = ROOM < COUNT ? ROOM : COUNT;
  @memory@
  float *const totals = (float *)memory, *const given = (float *)(memory + BEFORE), *const parts = given;
  const int place = threadIdx.x % LANES * EACH, group = threadIdx.x / LANES, column = tile * WIDTH + place;
  const int before = (share * CLUSTER + rank) * TERMS, terms = WHOLE ? TERMS : min(TERMS, K - before);
  const auto *const from = b + (before + group) * LEADING + column;
  const int ring = GIVEN + threadIdx.x * sizeof(Read);
  const Shared to = shared_address(memory) + ring;
  const bool inside = N % WIDTH == 0 || column < N;
  auto read_ahead = [&](int n, int slot) {
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) {
      const int k = (n * TOGETHER + i) * GROUPS;
      const Shared at = to + (slot * TOGETHER + i) * sizeof(Read) * THREADS;
      copy_later<sizeof(Read)>(at, from + k * LEADING, true, inside && (WHOLE || group + k < terms));
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
    constexpr int TURNS = ROWS * TERMS > THREADS * AT_ONCE ? 4 : 1;
#pragma unroll TURNS
    for (int i = threadIdx.x * AT_ONCE; i < ROWS * TERMS; i += THREADS * AT_ONCE) {
      const int row = i / TERMS, k = i % TERMS;
      if (!WHOLE && k >= terms) continue;
      if constexpr (AT_ONCE > 1) {
        const Read x = *(const Read *)(a + row * A_ROW + before + k);
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
    Read read[TOGETHER];
#pragma unroll
    for (int i = 0; i < TOGETHER; i++)
      read[i] = *(const Read *)(memory + ring + (slot * TOGETHER + i) * sizeof(Read) * THREADS);
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
