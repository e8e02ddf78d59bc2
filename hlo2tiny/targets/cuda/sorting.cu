// Sorting by digits, the lowest one first, and by merges, folds of equal neighbours and of windows, and scans. A block of
// THREADS threads has a tile of a row of `n` numbers, and each warp neighbours of these. Numbers are signed and have
// `bits` bits; `shift` is where the digit of `width` bits begins.
//
// Kernels call one of the functions that return a bool, which is false, and do nothing else. Sizes are numbers that code
// is not compiled for, so that it is the same for all programs; see shipped.py.
namespace block {
const int THREADS = 256, OWN = 16, TILE = THREADS * OWN, WARPS = THREADS / 32;

template <int width> __device__ __forceinline__ int digit_of(int number, int bits, int shift) {
  return ((uint)number + (1u << (bits - 1))) >> shift & ((1 << width) - 1);
}

// The tile of a block: its row and number in it, which elements it has, and how many tiles a row has.
template <int tile> struct Tile {
  int tiles, row, number, begin, size;
  __device__ __forceinline__ Tile(int n, int group) {
    tiles = (n + tile - 1) / tile, row = group / tiles, number = group % tiles;
    begin = number * tile, size = min(n - begin, tile);
  }
};

// How many numbers of each tile have each digit: for each row and digit a count per tile.
template <int width> __device__ bool count_digits(int *counts, const int *numbers, int group, int n, int bits, int shift) {
  const int digits = 1 << width;
  __shared__ int found[digits];
  const Tile<TILE> tile(n, group);
  numbers += (long long)tile.row * n + tile.begin;
  for (int d = threadIdx.x; d < digits; d += THREADS) found[d] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < tile.size; i += THREADS) atomicAdd(&found[digit_of<width>(numbers[i], bits, shift)], 1);
  __syncthreads();
  const int d = threadIdx.x;
  if (d < digits) counts[(tile.row * digits + d) * tile.tiles + tile.number] = found[d];
  return false;
}

// The sum of the values of all threads before this one; `total` becomes that of all.
__device__ __forceinline__ int sum_before(int value, int *total) {
  __shared__ int sums[WARPS];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = value;
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  int before = 0, all = 0;
  for (int w = 0; w < WARPS; w++) {
    if (w < warp) before += sums[w];
    all += sums[w];
  }
  __syncthreads();
  *total = all;
  return before + sum - value;
}

// The sums of what is before each of `size` counts, and after them the sum of all, for a digit of a row per block.
__device__ bool scan_digits(int *sums, const int *counts, int group, int size) {
  int begun = 0;
  sums += (long long)group * (size + 1), counts += (long long)group * size;
  for (int first = 0; first < size; first += THREADS * 4) {
    int own[4], sum = 0, total;
    for (int i = 0; i < 4; i++) {
      const int at = first + threadIdx.x * 4 + i;
      own[i] = at < size ? counts[at] : 0;
      sum += own[i];
    }
    int before = begun + sum_before(sum, &total);
    for (int i = 0; i < 4; i++) {
      const int at = first + threadIdx.x * 4 + i;
      if (at < size) sums[at] = before;
      before += own[i];
    }
    begun += total;
  }
  if (threadIdx.x == 0) sums[size] = begun;
  return false;
}

// Which lanes of the warp have the same bit as this one; the compiler would look at it three times.
__device__ __forceinline__ uint lanes_alike(uint digit, uint bit) {
#ifdef __CUDACC__
  uint found;
  asm volatile("{.reg .pred p; .reg .b32 x; and.b32 x, %1, %2; setp.ne.u32 p, x, 0;"
      "vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0;}"
      : "=r"(found) : "r"(digit), "r"(bit));
  return found;
#else
  const bool is_set = digit & bit;
  return __ballot_sync(~0u, is_set) ^ (is_set ? 0 : ~0u);
#endif
}

// The same number, of which the compiler keeps nothing that it has computed before.
__device__ __forceinline__ uint anew(uint number) {
#ifdef __CUDACC__
  asm volatile("" : "+r"(number));
#endif
  return number;
}

template <int size> struct Bits { typedef uint type; };
template <> struct Bits<1> { typedef unsigned char type; };
template <> struct Bits<2> { typedef unsigned short type; };
template <> struct Bits<8> { typedef unsigned long long type; };

// A tile that is sorted in shared memory: numbers without a sign, and what moves with them; and by how much the index of a
// number with each digit is larger in the rows than in the tile.
template <int digits> struct SortedTile {
  int2 memory[TILE];
  int further[digits];
  int size, row;
};

// Sort a tile by a digit. `place_of` is what moves with a number, given its index in the row; `starts` are what
// `scan_digits` has found. A tile with fewer numbers has the largest one behind them, which stay there.
template <int width, class Place>
__device__ __forceinline__ SortedTile<1 << width> &sort_tile(
    const int *numbers, const int *starts, int group, int n, int bits, int shift, Place place_of) {
  const int digits = 1 << width;
  __shared__ SortedTile<digits> sorted;
  __shared__ int counts[WARPS][digits];
  const Tile<TILE> tile(n, group);
  const int size = tile.size, begin = tile.begin, step = tile.tiles + 1;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first_own = warp * 32 * OWN + lane, left = size - first_own;
  const int row = tile.row * n;
  numbers += row + begin + first_own;
  for (int d = lane; d < digits; d += 32) counts[warp][d] = 0;
  __syncwarp();
  const uint lowest = 1u << (bits - 1);
  uint own[OWN];
  int places[OWN];
  uint ranks[OWN / 2] = {};  // two in a word
  auto for_each = [&](auto read) {
#pragma unroll
    for (int t = 0; t < OWN; t++) read(t, size == TILE || t * 32 < left);
  };
  for_each([&](int t, bool exists) { own[t] = exists ? (uint)numbers[t * 32] + lowest : lowest + lowest - 1; });
  auto digit_at = [&](uint number) { return (int)(number >> shift & (digits - 1)); };
#pragma unroll
  for (int t = 0; t < OWN; t++) {
    const int digit = digit_at(own[t]);
    uint alike[width], equal = ~0u;
#pragma unroll
    for (int b = 0; b < width; b++) alike[b] = lanes_alike(digit, 1 << b);
#pragma unroll
    for (int b = 0; b < width; b++) equal &= alike[b];
    const int before = __popc(equal & ((1u << lane) - 1));
    const int rank = counts[warp][digit] + before;
    ranks[t / 2] |= rank << t % 2 * 16;
    __syncwarp();
    if (before == 0) counts[warp][digit] = rank + __popc(equal);
    __syncwarp();
  }
  // Not before, so that fewer registers are in use, and more blocks at the same time.
  for_each([&](int t, bool exists) {
    places[t] = exists ? place_of(row, begin + first_own + t * 32) : 0;
    own[t] = anew(own[t]);
  });
  __syncthreads();
  int sum = 0, all, every;
  const int d = threadIdx.x;
  if (d < digits)
    for (int w = 0; w < WARPS; w++) {
      const int count = counts[w][d];
      counts[w][d] = sum;
      sum += count;
    }
  const int *start = starts + ((long long)tile.row * digits + d) * step + tile.number;
  const int first = sum_before(sum, &all), total = sum_before(d < digits ? start[tile.tiles - tile.number] : 0, &every);
  if (d < digits) {
    for (int w = 0; w < WARPS; w++) counts[w][d] += first;
    sorted.further[d] = row + total + start[0] - first;
  }
  if (d == 0) sorted.size = size, sorted.row = row;
  __syncthreads();
#pragma unroll
  for (int t = 0; t < OWN; t++) ranks[t / 2] += counts[warp][digit_at(own[t])] << t % 2 * 16;
#pragma unroll
  for (int t = 0; t < OWN; t++) sorted.memory[ranks[t / 2] >> t % 2 * 16 & 0xffff] = make_int2(own[t], places[t]);
  __syncthreads();
  return sorted;
}

// Write the numbers of a tile, and their indices in the row, to where they belong in the row sorted by a digit. The indices
// are in `order`, if there is one, or those of the elements; in their place, other values of up to 32 bits may move with
// the numbers.
template <int width, bool has_order, class T>
__device__ bool sort_digits(
    int *out, T *out_places, const int *numbers, const T *order, const int *starts, int group, int n, int bits,
    int shift) {
  typedef typename Bits<sizeof(T)>::type Word;
  auto place_of = [&](int row, int place) { return has_order ? (int)tg_bitcast<Word>(order[row + place]) : place; };
  const auto &sorted = sort_tile<width>(numbers, starts, group, n, bits, shift, place_of);
  const int size = sorted.size;
#pragma unroll
  for (int t = 0; t < OWN; t++) {
    const int i = t * THREADS + threadIdx.x;
    const int2 x = sorted.memory[i];
    const int target = sorted.further[(uint)x.x >> shift & ((1 << width) - 1)] + i;
    if (i < size) out[target] = x.x - (1u << (bits - 1)), out_places[target] = tg_bitcast<T>((Word)x.y);
  }
  return false;
}

// The same with `columns` values of any size for each number, which are read where the tile has them.
template <int width, class T>
__device__ bool sort_rows_by_digit(
    int *out, T *out_values, const int *numbers, const T *values, const int *starts, int group, int n, int bits, int shift,
    int columns) {
  const auto &sorted =
      sort_tile<width>(numbers, starts, group, n, bits, shift, [](int row, int place) { return row + place; });
  const int size = sorted.size, AT_ONCE = 8;
#pragma unroll 1
  for (int from = threadIdx.x; from < size * columns; from += AT_ONCE * THREADS) {
    T moved[AT_ONCE];
    int targets[AT_ONCE];
#pragma unroll
    for (int t = 0; t < AT_ONCE; t++) {
      const int at = from + t * THREADS, number = columns == 1 ? at : at / columns, column = at - number * columns;
      const int i = min(number, size - 1);
      const int2 x = sorted.memory[i];
      const int target = sorted.further[(uint)x.x >> shift & ((1 << width) - 1)] + i;
      if (column == 0 && number < size) out[target] = x.x - (1u << (bits - 1));
      targets[t] = number < size ? target * columns + column : -1;
      moved[t] = values[x.y * columns + column];
    }
#pragma unroll
    for (int t = 0; t < AT_ONCE; t++)
      if (targets[t] >= 0) out_values[targets[t]] = moved[t];
  }
  return false;
}

// Numbers with their indices in a row in the lower 32 bits, so that all differ. A tile has MERGED, a thread PACKED.
const int PACKED = 16, MERGED = 2048, MERGING = MERGED / PACKED;
const long long LARGEST = 0x7fffffffffffffffll;

// An index in shared memory: the parts that neighbouring threads own begin in different banks.
__device__ __forceinline__ int skewed(int i) { return i + i / PACKED; }

// The last sort writes indices and numbers separately.
template <bool last> __device__ __forceinline__ void store_packed(void *out, void *numbers, long long at, long long x) {
  if (last) ((int *)out)[at] = (int)x, ((int *)numbers)[at] = (int)(x >> 32);
  else ((long long *)out)[at] = x;
}

// The thread's numbers, from `own` on, of the merged parts from `begin` and from `middle` on, the second one up to `end`.
__device__ __forceinline__ void merge_own(const long long *memory, int own, int begin, int middle, int end, long long *x) {
  const int before = min(own, end) - begin, left = middle - begin, right = end - middle;
  int low = max(0, before - right), high = min(before, left);
  while (low < high) {
    const int tried = (low + high) / 2;
    if (memory[skewed(begin + tried)] < memory[skewed(middle + before - 1 - tried)]) low = tried + 1;
    else high = tried;
  }
  int i = begin + low, j = middle + before - low;
  long long a = i < middle ? memory[skewed(i)] : LARGEST, b = j < end ? memory[skewed(j)] : LARGEST;
#pragma unroll
  for (int t = 0; t < PACKED; t++) {
    const bool is_left = a < b;
    x[t] = is_left ? a : b;
    const int next = is_left ? ++i : ++j;
    const long long y = next < (is_left ? middle : end) ? memory[skewed(next)] : LARGEST;
    (is_left ? a : b) = y;
  }
}

// Sort each `size` of the numbers that all threads have stored.
__device__ __forceinline__ void sort_each(long long *memory, int size) {
  const int own = threadIdx.x * PACKED;
  __syncthreads();
  long long x[PACKED];
#pragma unroll
  for (int t = 0; t < PACKED; t++) x[t] = memory[skewed(own + t)];
  // Batcher's network: about half the comparisons that neighbours in turns take.
#pragma unroll
  for (int stage = 0; stage < 16; stage++)
#pragma unroll
    for (int t = 0; t < PACKED; t++) {
      const int part = 1 << stage / 4, step = part >> stage % 4;
      if (step == 0 || t + step >= PACKED || t < step % part || (t - step % part) / step % 2) continue;
      if (t / (2 * part) != (t + step) / (2 * part)) continue;
      const long long a = x[t], b = x[t + step];
      x[t] = min(a, b), x[t + step] = max(a, b);
    }
#pragma unroll 1
  for (int part = PACKED; part <= size; part *= 2) {
#pragma unroll
    for (int t = 0; t < PACKED; t++) memory[skewed(own + t)] = x[t];
    __syncthreads();
    const int left = own & -2 * part;
    if (part < size) merge_own(memory, own, left, left + part, left + 2 * part, x);
    __syncthreads();
  }
}

// Sort tiles of rows, or whole rows of up to 2^bits numbers, several by a block. The parts that are sorted have 2^next
// numbers.
template <bool last>
__device__ bool sort_rows(void *out, void *numbers, int *next, const int *source, int group, int rows, int n, int bits) {
  __shared__ long long memory[MERGING * (PACKED + 1)];
  const int size = 1 << bits, tiles = (n + MERGED - 1) / MERGED;
  const int first = group / tiles * (MERGED >> bits), begin = group % tiles * MERGED;
  if (group + threadIdx.x == 0) *next = bits;
  for (int t = 0; t < PACKED; t++) {
    const int i = threadIdx.x + t * MERGING, row = first + (i >> bits), column = begin + (i & (size - 1));
    const bool exists = row < rows && column < n;
    memory[skewed(i)] = exists ? source[(long long)row * n + column] * (1ll << 32) + column : LARGEST;
  }
  sort_each(memory, size);
#pragma unroll 4
  for (int t = 0; t < PACKED; t++) {
    const int i = threadIdx.x + t * MERGING, row = first + (i >> bits), column = begin + (i & (size - 1));
    if (row < rows && column < n) store_packed<last>(out, numbers, (long long)row * n + column, memory[skewed(i)]);
  }
  return false;
}

// The smallest number of each BLOCK of a row, the last of which may be shorter, by a warp each.
const int BLOCK = 32;
__device__ bool minima(int *out, const int *numbers, int group, int rows, int n) {
  const int blocks = (n + BLOCK - 1) / BLOCK, number = group * WARPS + threadIdx.x / 32, row = number / blocks;
  const int column = number % blocks * BLOCK + threadIdx.x % 32;
  int found = row < rows && column < n ? numbers[(long long)row * n + column] : 0x7fffffff;
  for (int step = 16; step; step /= 2) found = min(found, __shfl_xor_sync(~0u, found, step));
  if (row < rows && threadIdx.x % 32 == 0) out[number] = found;
  return false;
}

// The indices of the `k` smallest numbers of each row, in their order, several rows by a block: of all up to 2^bits
// numbers, or of those in the blocks of BLOCK that are given.
template <bool has_blocks>
__device__ bool smallest(int *order, const int *numbers, const int *blocks, int group, int rows, int n, int k, int bits) {
  __shared__ long long memory[MERGING * (PACKED + 1)];
  const int size = 1 << bits, first = group * (MERGED >> bits);
#pragma unroll
  for (int t = 0; t < PACKED; t++) {
    const int i = threadIdx.x + t * MERGING, row = first + (i >> bits), place = i & (size - 1);
    bool exists = row < rows && (!has_blocks || place < k * BLOCK);
    const int block = has_blocks && exists ? blocks[(long long)row * k + place / BLOCK] : place / BLOCK;
    const int column = block * BLOCK + place % BLOCK;
    exists = exists && column < n;
    memory[skewed(i)] = exists ? numbers[(long long)row * n + column] * (1ll << 32) + column : LARGEST;
  }
  sort_each(memory, size);
#pragma unroll 4
  for (int t = 0; t < PACKED; t++) {
    const int i = threadIdx.x + t * MERGING, row = first + (i >> bits), place = i & (size - 1);
    if (row < rows && place < k) order[(long long)row * k + place] = (int)memory[skewed(i)];
  }
  return false;
}

// A tile of two merged neighbours of the sorted parts of rows, which have 2^level numbers, and then 2^next.
template <bool last>
__device__ bool merge_rows(void *out, void *numbers, int *next, const void *source, const int *level, int group, int n) {
  __shared__ long long memory[MERGING * (PACKED + 1)];
  __shared__ int from_left[2];
  const Tile<MERGED> tile(n, group);
  const int bits = *level, row = tile.row, first = tile.begin, width = 1 << bits;
  if (group + threadIdx.x == 0) *next = bits + 1;
  const int begin = first >> (bits + 1) << (bits + 1);
  const int left = min(width, n - begin), right = min(width, n - begin - left);
  const int ends[2] = {first - begin, min(n - first, MERGED) + first - begin};
  const long long *const a = (const long long *)source + (long long)row * n + begin, *const b = a + left;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, own = threadIdx.x * PACKED;
  if (warp < 2) {  // a warp looks for how many of the numbers before an end are of the left part
    const int before = ends[warp];
    int low = max(0, before - right), high = min(before, left);
    while (low < high) {
      const int step = (high - low + 31) / 32, tried = low + lane * step;
      const bool is_before = tried < high && a[tried] < b[before - 1 - tried];
      const int count = __popc(__ballot_sync(~0u, is_before));
      high = min(high, low + count * step);
      low = count ? low + (count - 1) * step + 1 : low;
    }
    if (!lane) from_left[warp] = low;
  }
  __syncthreads();
  const int low = from_left[0], middle = from_left[1] - low, size = ends[1] - ends[0];
  for (int t = 0; t < PACKED; t++) {
    const int i = threadIdx.x + t * MERGING;
    if (i < size) memory[skewed(i)] = i < middle ? a[low + i] : b[ends[0] - low + i - middle];
  }
  __syncthreads();
  long long x[PACKED];
  merge_own(memory, own, 0, middle, size, x);
  __syncthreads();
#pragma unroll
  for (int t = 0; t < PACKED; t++) memory[skewed(own + t)] = x[t];
  __syncthreads();
#pragma unroll 4
  for (int t = 0; t < PACKED; t++) {
    const int i = threadIdx.x + t * MERGING;
    if (i < size) store_packed<last>(out, numbers, (long long)row * n + first + i, memory[skewed(i)]);
  }
  return false;
}

// Numbers as memory has them, and as they are computed with.
template <class T> struct Plain {
  typedef T Stored;
  typedef T Wide;
  static __device__ __forceinline__ T widen(T x) { return x; }
  static __device__ __forceinline__ T narrow(T x) { return x; }
};
struct Bf16 {
  typedef unsigned short Stored;
  typedef float Wide;
  static __device__ __forceinline__ float widen(uint x) { return tg_bitcast<float>(x << 16); }
  static __device__ __forceinline__ Stored narrow(float x) { return round_to_bf16(tg_bitcast<uint>(x)); }
};
struct F16 {
  typedef unsigned short Stored;
  typedef float Wide;
  static __device__ __forceinline__ float widen(uint x) { return tg_bitcast<float>(widen_signed_f16(x)); }
  static __device__ __forceinline__ Stored narrow(float x) { return round_to_signed_f16(tg_bitcast<uint>(x)); }
};

// `nothing` is a number that changes nothing, of sums -0; `begin` is what the first value is after the number with which
// folds of a program begin, of sums 0: a zero loses its sign.
struct Unchanged {
  template <class T> static __device__ __forceinline__ T begin(T x) { return x; }
};
struct Sum {
  template <class T> static __device__ __forceinline__ T nothing() { return (T)-0.0f; }
  template <class T> static __device__ __forceinline__ T begin(T x) { return x + 0; }
  template <class T> static __device__ __forceinline__ T of(T a, T b) { return a + b; }
  static __device__ __forceinline__ int of(int a, int b) { return (uint)a + (uint)b; }
  static __device__ __forceinline__ long of(long a, long b) { return (unsigned long)a + (unsigned long)b; }
};
struct Product : Unchanged {
  template <class T> static __device__ __forceinline__ T nothing() { return 1; }
  template <class T> static __device__ __forceinline__ T of(T a, T b) { return a * b; }
  static __device__ __forceinline__ unsigned short of(unsigned short a, unsigned short b) { return (uint)a * b; }
  static __device__ __forceinline__ int of(int a, int b) { return (uint)a * (uint)b; }
  static __device__ __forceinline__ long of(long a, long b) { return (unsigned long)a * (unsigned long)b; }
};
// Of zeros, that without a sign is the largest; of NaN, the first one is the result.
template <bool largest> struct Extreme : Unchanged {
  template <class T> static __device__ __forceinline__ T nothing() {
    typedef typename Bits<sizeof(T)>::type Word;
    const Word sign = (T)-1 < (T)0 ? (Word)1 << (8 * sizeof(T) - 1) : 0, least = largest ? sign : ~sign;
    return (T)0.5f != 0 ? (T)(largest ? -INFINITY : INFINITY) : (T)least;
  }
  template <class T> static __device__ __forceinline__ T of(T a, T b) {
    typedef typename Bits<sizeof(T)>::type Word;
    const Word x = tg_bitcast<Word>(a), y = tg_bitcast<Word>(b);
    const T found = a == b ? tg_bitcast<T>((Word)(largest ? x & y : x | y)) : (largest ? a < b : b < a) ? b : a;
    return a != a ? a : b != b ? b : found;
  }
};

template <class Op, class Kind>
__device__ __forceinline__ typename Kind::Stored fold(typename Kind::Stored a, typename Kind::Stored b) {
  return Kind::narrow(Op::of(Kind::widen(a), Kind::widen(b)));
}

template <class Op, class Kind>
__device__ __forceinline__ typename Kind::Stored begin_fold(typename Kind::Stored x, bool begins) {
  return begins ? Kind::narrow(Op::begin(Kind::widen(x))) : x;
}

// What a column of a run of rows is folded to where keys are equal, row after row, as rules/scatters.py says.
template <class Op, class Kind> struct Run {
  typedef typename Kind::Stored Stored;
  Stored *out, old = 0, head = 0;
  uint apart;
  // The key that is folded, and the same once it has begun in this run; before, it may be the end of a cell.
  int current, begun = -1, head_key = -1, following;
  bool has = false;
  // Whose values go into a column of `out`, between rows with these keys.
  __device__ __forceinline__ Run(Stored *out, int width, int before, int following)
      : out(out), apart(width * (uint)sizeof(Stored)), current(before), following(following) {}
  __device__ __forceinline__ Stored *cell(int key) { return (Stored *)((char *)out + (unsigned long long)(uint)key * apart); }
  // What is folded ends: a whole cell is combined into the targets, and the end of one is kept.
  __device__ __forceinline__ void end(bool ends, Stored target) {
    if (ends && begun >= 0) *cell(begun) = fold<Op, Kind>(target, old);
    const bool is_head = ends && has && begun < 0;
    head_key = is_head ? current : head_key, head = is_head ? old : head;
  }
  // Several rows. What cells have that end with these is read at once, so that a thread waits for it once.
  template <int count>
  __device__ __forceinline__ void take(const int (&keys)[count], const Stored (&values)[count]) {
    Stored targets[count];
    int last = current, cell_of_last = begun;
#pragma unroll
    for (int t = 0; t < count; t++) {
      const bool ends = keys[t] >= 0 && keys[t] != last;
      targets[t] = 0;
      if (ends && cell_of_last >= 0) targets[t] = *cell(cell_of_last);
      last = ends ? keys[t] : last, cell_of_last = ends ? keys[t] : cell_of_last;
    }
#pragma unroll
    for (int t = 0; t < count; t++) {
      const bool exists = keys[t] >= 0, ends = exists && keys[t] != current;
      end(ends, targets[t]);
      const Stored folded = has ? fold<Op, Kind>(old, values[t]) : values[t];
      old = ends ? values[t] : exists ? folded : old, has = has || exists;
      current = ends ? keys[t] : current, begun = ends ? keys[t] : begun;
    }
  }
  // The end of the run. What it shares with its neighbours are two rows.
  __device__ __forceinline__ void finish() {
    const bool ends = has && following != current;
    end(ends, ends && begun >= 0 ? *cell(begun) : (Stored)0);
    has = has && !ends;
  }
  __device__ __forceinline__ void write(Stored *rows, long long apart, int *keys, bool writes_keys) {
    const bool is_head = has && begun < 0;
    rows[0] = is_head ? old : head, rows[apart] = old;
    if (writes_keys) keys[0] = is_head ? current : head_key, keys[1] = has ? begun : -1;
  }
};

// The key of the row before one; in a list of two rows for each run, that of the row before it if there is none.
template <class Place> __device__ __forceinline__ int key_before(const int *keys, int first, Place place) {
  const int key = first > 0 ? keys[place(first - 1)] : -1;
  return key < 0 && first > 1 ? keys[place(first - 2)] : key;
}
__device__ __forceinline__ int key_before(const int *keys, int first) {
  return key_before(keys, first, [](int i) { return i; });
}

// How many rows or elements a thread reads before it folds them.
const int AHEAD = 8;

// Values that are read from memory, or computed from what is read: a thread reads for several before it computes one, as
// the compiler moves no reads to before the branches that a function or a division has.
template <class T> struct Read {
  const T *values;
  int apart;
  typedef T Kept;
  __device__ __forceinline__ void read(int row, T &kept) const {
    kept = *(const T *)((const char *)values + (long long)row * apart);
  }
  __device__ __forceinline__ T value(int row, T &kept) const { return kept; }
};
template <bool reads> struct Stage {};
template <class Loaded, class Function> struct Computed {
  Function function;
  int width, column;
  typedef Loaded Kept;
  __device__ __forceinline__ void read(int row, Loaded &kept) const {
    function(row * width + column, kept, Stage<true>());
  }
  __device__ __forceinline__ auto value(int row, Loaded &kept) const {
    return function(row * width + column, kept, Stage<false>());
  }
};
template <class T, class From> __device__ __forceinline__ T load(Stage<true>, T &kept, From from) { return kept = from(); }
template <class T, class From> __device__ __forceinline__ T load(Stage<false>, T &kept, From from) { return kept; }
// A column of rows of so many.
template <class T> __device__ __forceinline__ Read<T> column_of(const T *values, int width, int column) {
  return {values + column, (int)(width * sizeof(T))};
}
template <class Loaded, class Function>
__device__ __forceinline__ Computed<Loaded, Function> column_of(Computed<Loaded, Function> values, int width, int column) {
  return {values.function, width, column};
}

// Fold rows of a few values with equal keys. The rows of a block are read together; a thread has a run of PACKED ones,
// of which two are left, which fewer threads fold likewise, AHEAD each, until two of the block are left.
template <class Op, class Kind, class Values>
__device__ bool fold_runs(
    typename Kind::Stored *out, typename Kind::Stored *parts, int *part_keys, const int *keys, Values values,
    const int *order, int group, int m, int width, int has_order) {
  typedef typename Kind::Stored Stored;
  const int LEFT = 2 * MERGING;
  __shared__ int near_keys[MERGING * (PACKED + 1)], left_keys[2][LEFT];
  __shared__ Stored near_values[MERGING * (PACKED + 1)], left_values[2][LEFT];
  const int column = group % width, block = group / width, begin = block * MERGED, thread = threadIdx.x;
  const auto source = column_of(values, width, column);
  typename decltype(column_of(values, 0, 0))::Kept kept[PACKED];
  int rows[PACKED];
  const int *const own_keys = keys + begin + thread, *const own_order = order + begin + thread;
  const int near = skewed(thread), left = m - begin - thread, before = key_before(keys, begin);
  const int following = m - begin > MERGED ? keys[begin + MERGED] : -1;
  auto read = [&](bool is_whole) {
#pragma unroll
    for (int t = 0; t < PACKED; t++) {
      const bool exists = is_whole || t * MERGING < left;
      const int key = exists ? own_keys[t * MERGING] : -1;
      const int row = !has_order ? begin + thread + t * MERGING : exists ? own_order[t * MERGING] : 0;
      near_keys[near + t * skewed(MERGING)] = key;
      source.read(rows[t] = key < 0 ? 0 : row, kept[t]);
    }
  };
  if (begin + MERGED <= m) read(true);
  else read(false);
#pragma unroll
  for (int t = 0; t < PACKED; t++) near_values[near + t * skewed(MERGING)] = source.value(rows[t], kept[t]);
  // Fold `count` rows, of which a thread has `own`; `place` says where these begin, and `to` where what is left goes.
  auto fold_rows = [&](const int *keys, const Stored *values, int count, int own, auto place, auto to) {
    const int first = thread * own, begun = place(first);
    if (first >= count) return;
    const int next = first + own < count ? keys[place(first + own)] : following;
    Run<Op, Kind> run(out + column, width, first ? key_before(keys, first, place) : before, next);
#pragma unroll 1
    for (int from = 0; from < own; from += AHEAD) {
      int near_keys[AHEAD];
      Stored near_values[AHEAD];
#pragma unroll
      for (int t = 0; t < AHEAD; t++) {
        near_keys[t] = count == MERGED || first + from + t < count ? keys[begun + from + t] : -1;
        near_values[t] = values[begun + from + t];
      }
      run.take(near_keys, near_values);
    }
    run.finish();
    to(run);
  };
  auto keep = [&](int now) {
    return [&, now](auto &run) { run.write(left_values[now] + 2 * thread, 1, left_keys[now] + 2 * thread, true); };
  };
  __syncthreads();
  fold_rows(near_keys, near_values, MERGED, PACKED, skewed, keep(0));
  int count = LEFT, now = 0;
#pragma unroll 1
  for (; count > 2; count = 2 * ((count + AHEAD - 1) / AHEAD), now = 1 - now) {
    __syncthreads();
    fold_rows(left_keys[now], left_values[now], count, AHEAD, [](int i) { return i; }, keep(1 - now));
  }
  if (m <= MERGED || thread) return false;
  const int *const last = left_keys[now];
  for (int i = 0; i < 2; i++) {
    parts[(2ll * block + i) * width + column] = left_values[now][i];
    if (column == 0) part_keys[2 * block + i] = last[i];
  }
  return false;
}

// Fold rows of many values: neighbouring threads have adjacent columns of a run of `own` rows, of which they read a few
// before they fold them. What is left of a block's runs, two rows of each, is folded likewise.
template <class Op, class Kind, class Values>
__device__ bool fold_columns(
    typename Kind::Stored *out, typename Kind::Stored *parts, int *part_keys, const int *keys, Values values,
    const int *order, int group, int m, int width, int own, int has_order) {
  __shared__ int left_keys[2 * THREADS / 8];
  __shared__ typename Kind::Stored left_values[2 * THREADS];
  const int columns = width > 16 ? 32 : width > 8 ? 16 : 8, runs = THREADS / columns, rows = runs * own;
  const int across = (width + columns - 1) / columns, block = group / across, begin = block * rows;
  const int lane = threadIdx.x % columns, number = threadIdx.x / columns, column = group % across * columns + lane;
  const int first = begin + number * own;
  const auto source = column_of(values, width, column);
  auto following = [&](int end) { return end < m ? keys[end] : -1; };
  if (column < width) {
    Run<Op, Kind> run(out + column, width, key_before(keys, min(first, m)), following(first + own));
#pragma unroll 1
    for (int from = first; from < first + own; from += AHEAD) {
      int near_keys[AHEAD], near_rows[AHEAD];
      typename decltype(column_of(values, 0, 0))::Kept kept[AHEAD];
      typename Kind::Stored near_values[AHEAD];
#pragma unroll
      for (int t = 0; t < AHEAD; t++) {
        const int at = from + t, key = at < m ? keys[at] : -1, row = key < 0 ? 0 : has_order ? order[at] : at;
        near_keys[t] = key, near_rows[t] = row;
        source.read(row, kept[t]);
      }
#pragma unroll
      for (int t = 0; t < AHEAD; t++) near_values[t] = source.value(near_rows[t], kept[t]);
      run.take(near_keys, near_values);
    }
    run.finish();
    run.write(left_values + 2 * number * columns + lane, columns, left_keys + 2 * number, lane == 0);
  }
  __syncthreads();
  if (number > 0 || column >= width) return false;
  Run<Op, Kind> run(out + column, width, key_before(keys, begin), following(begin + rows));
#pragma unroll 1
  for (int from = 0; from < 2 * runs; from += AHEAD) {
    int near_keys[AHEAD];
    typename Kind::Stored near_values[AHEAD];
#pragma unroll
    for (int t = 0; t < AHEAD; t++)
      near_keys[t] = left_keys[from + t], near_values[t] = left_values[(from + t) * columns + lane];
    run.take(near_keys, near_values);
  }
  run.finish();
  if (m > rows) run.write(parts + 2ll * block * width + column, width, part_keys + 2 * block, column == 0);
  return false;
}

// Fold `count` numbers of rows into elements without sorting them all: a block folds up to `own` of them in a table, and
// `chunks` becomes how many blocks there are before those of each part of the elements. Of several parts, the numbers
// are in the order of the parts, and `starts` are what `scan_digits` has found for `tiles` tiles; a table has `size` of
// all `elements`, and places of `bits` bits. What the lanes of a warp have for the same place is folded in pairs first,
// and warps take turns, so that the order is fixed.
template <class Op, class Kind, int bytes>
__device__ bool fold_in_tables(
    typename Kind::Wide *tables, int *chunks, const int *keys, const typename Kind::Stored *values, const int *starts,
    int group, int count, int width, int elements, int size, int bits, int own, int parts, int tiles) {
  typedef typename Kind::Stored Stored;
  typedef typename Kind::Wide Wide;
  __shared__ Wide table[bytes / sizeof(Wide)];
  __shared__ int found_part, found_begin, found_end;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, d = threadIdx.x;
  int of_part = 0, before, blocks, all;
  if (d < parts) of_part = parts == 1 ? count : starts[d * (tiles + 1) + tiles] * width;
  blocks = (of_part + own - 1) / own;
  before = sum_before(of_part, &all);
  const int chunk = sum_before(blocks, &all);
  if (group == 0 && d < parts) chunks[d] = chunk, chunks[parts] = all;
  if (group >= all) return false;
  if (group >= chunk && group < chunk + blocks)
    found_part = d, found_begin = before + (group - chunk) * own, found_end = min(before + of_part, found_begin + own);
  __syncthreads();
  const int low = found_part * size, begin = found_begin, end = found_end, held = min(size, elements - low);
  int next_keys[AHEAD];
  Stored next_values[AHEAD];
  auto read = [&](int from) {
#pragma unroll
    for (int t = 0; t < AHEAD; t++) {
      const int i = from + t * 32;
      const bool exists = i < end;
      next_keys[t] = exists ? keys[width == 1 ? i : i / width] : -1;
      next_values[t] = exists ? values[i] : (Stored)0;
    }
  };
  int first = begin + warp * 32 * AHEAD + lane;
  read(first);
  for (int i = threadIdx.x; i < held; i += THREADS) table[i] = Op::template nothing<Wide>();
  __syncthreads();
#pragma unroll 1
  for (int done = begin; done < end; done += THREADS * AHEAD) {
    int places[AHEAD];
    Wide found[AHEAD];
    uint equal[AHEAD];
#pragma unroll
    for (int t = 0; t < AHEAD; t++) {
      const int place = (width == 1 ? next_keys[t] : next_keys[t] * width + (first + t * 32) % width) - low;
      places[t] = next_keys[t] < 0 || (uint)place >= (uint)held ? -1 : place;
      found[t] = Kind::widen(next_values[t]);
      equal[t] = __ballot_sync(~0u, places[t] >= 0);
    }
    first += THREADS * AHEAD;
    read(first);
#pragma unroll 1
    for (int b = 0; b < bits; b++)
#pragma unroll
      for (int t = 0; t < AHEAD; t++) equal[t] &= lanes_alike(places[t], 1u << b);
#pragma unroll
    for (int t = 0; t < AHEAD; t++) {
      uint later = places[t] < 0 ? 0 : equal[t] & (~1u << lane);
      int before = __popc(equal[t] & ((1u << lane) - 1));
      const bool is_first = before == 0;
      while (__ballot_sync(~0u, later != 0)) {  // each second one that is left is folded with the one after it
        const Wide other = __shfl_sync(~0u, found[t], __popc(~later & (later - 1)) % 32);
        if (later) found[t] = Op::of(found[t], other);
        later &= __ballot_sync(~0u, before % 2 == 0);
        before /= 2;
      }
      if (!is_first) places[t] = -1;
    }
#pragma unroll 1
    for (int w = 0; w < WARPS; w++) {
      if (w == warp)
#pragma unroll
        for (int t = 0; t < AHEAD; t++) {
          if (places[t] >= 0) table[places[t]] = Op::of(table[places[t]], found[t]);
          __syncwarp();
        }
      __syncthreads();
    }
  }
  for (int i = threadIdx.x; i < held; i += THREADS) tables[(long long)group * size + i] = table[i];
  return false;
}

// Fold the tables of each part of the elements. `split` warps have 32 elements, and each of them tables of which it folds a
// few in pairs.
template <class Op, class Kind>
__device__ bool fold_tables(
    typename Kind::Stored *out, const typename Kind::Wide *tables, const int *chunks, int group, int elements, int size,
    int split) {
  typedef typename Kind::Wide Wide;
  typedef typename Bits<sizeof(Wide)>::type Word;
  const int TABLES = 2 * AHEAD;
  __shared__ Wide left[WARPS][32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, together = 32 * WARPS / split;
  const int blocks = (size + together - 1) / together, part = group / blocks;
  const int place = group % blocks * together + warp / split * 32 + lane;
  const int table = chunks[part], count = chunks[part + 1] - table, own = (count + split - 1) / split;
  const int begin = warp % split * own, end = min(count, begin + own);
  const bool exists = place < min(size, elements - part * size);
  const Wide nothing = Op::template nothing<Wide>();
  tables += (long long)table * size + place;
  Wide found = nothing;
#pragma unroll 1
  for (int i = begin; i < end; i += TABLES) {
    Wide next[TABLES];
#pragma unroll
    for (int t = 0; t < TABLES; t++) next[t] = i + t < end && exists ? tables[(long long)(i + t) * size] : nothing;
#pragma unroll
    for (int step = 1; step < TABLES; step *= 2)
#pragma unroll
      for (int t = 0; t < TABLES; t += 2 * step) next[t] = Op::of(next[t], next[t + step]);
    found = Op::of(found, next[0]);
  }
  left[warp][lane] = found;
  __syncthreads();
  if (warp % split > 0 || !exists) return false;
  for (int w = 1; w < split; w++) found = Op::of(found, left[warp + w][lane]);
  out += part * size + place;
  const bool is_any = tg_bitcast<Word>(found) != tg_bitcast<Word>(nothing);
  if (is_any) *out = Kind::narrow(Op::of(Kind::widen(*out), found));
  return false;
}

// The folds of all beginnings along the middle axis of outer × n × inner values, or only those of each part of `size`
// of them, as rules/scans.py says. `how` has bits: whether only those, whether folds begin with what changes nothing,
// and whether `before` has the folds up to the end of each part.
const int ONLY_TOTALS = 1, BEGINS = 2, CONTINUES = 4;

// Neighbouring threads have adjacent columns, of which they read a few values before they fold them.
template <class Op, class Kind>
__device__ bool scan_columns(
    typename Kind::Stored *out, const typename Kind::Stored *values, const typename Kind::Stored *before, int group,
    int outer, int n, int inner, int size, int how) {
  typedef typename Kind::Stored Stored;
  const uint number = (uint)group * THREADS + threadIdx.x, parts = (n + size - 1) / size;
  const int row = number / inner / parts, part = number / inner % parts, begin = part * size;
  if (row >= outer) return false;
  const int end = min(n, begin + size);
  const long long first = (long long)row * n * inner + number % inner;
  bool goes_on = part > 0 && how & CONTINUES;
  Stored fold_of_all = goes_on ? before[number - inner] : (Stored)0;
#pragma unroll 1
  for (int i = begin; i < end; i += AHEAD) {
    Stored next[AHEAD];
#pragma unroll
    for (int t = 0; t < AHEAD; t++) next[t] = values[first + (long long)min(i + t, end - 1) * inner];
#pragma unroll
    for (int t = 0; t < AHEAD; t++)
      if (i + t < end) {
        fold_of_all = goes_on ? fold<Op, Kind>(fold_of_all, next[t])
                              : begin_fold<Op, Kind>(next[t], part == 0 && how & BEGINS);
        goes_on = true;
        if (!(how & ONLY_TOTALS)) out[first + (long long)(i + t) * inner] = fold_of_all;
      }
  }
  if (how & ONLY_TOTALS) out[number] = fold_of_all;
  return false;
}

// A thread folds PACKED neighbours of a part, and then the threads of a part fold what each has found.
template <class Op, class Kind>
__device__ bool scan_tiles(
    typename Kind::Stored *out, const typename Kind::Stored *values, const typename Kind::Stored *before, int group,
    int outer, int n, int inner, int size, int how) {
  typedef typename Kind::Stored Stored;
  __shared__ Stored memory[MERGING * (PACKED + 1)], sums[2][MERGING];
  __shared__ long long firsts[MERGING];
  __shared__ int lengths[MERGING];
  const int bits = __popc(size - 1), lanes = size / PACKED, thread = threadIdx.x, lane = thread & (lanes - 1);
  const int own = thread / lanes;
  const int parts = (n + size - 1) / size, together = MERGING / lanes, number = group * together + own;
  const int part = number / inner % parts, row = number / inner / parts;
  if (lane == 0) {
    firsts[own] = ((long long)row * n + part * size) * inner + number % inner;
    lengths[own] = row < outer ? min(n - part * size, size) : 0;
  }
  __syncthreads();
#pragma unroll
  for (int t = 0; t < PACKED; t++) {
    const int i = thread + t * MERGING, place = i & (size - 1), which = i >> bits;
    memory[skewed(i)] = place < lengths[which] ? values[firsts[which] + (long long)place * inner] : (Stored)0;
  }
  __syncthreads();
  Stored found = memory[skewed(thread * PACKED)];
  const bool goes_on = lane == 0 && part > 0 && how & CONTINUES && row < outer;
  found = goes_on ? fold<Op, Kind>(before[number - inner], found)
                  : begin_fold<Op, Kind>(found, lane == 0 && part == 0 && how & BEGINS);
  memory[skewed(thread * PACKED)] = found;
#pragma unroll
  for (int t = 1; t < PACKED; t++) {
    Stored &next = memory[skewed(thread * PACKED + t)];
    next = found = fold<Op, Kind>(found, next);
  }
  sums[0][thread] = found;
  __syncthreads();
  int now = 0;
  for (int distance = 1; distance < lanes; distance *= 2, now = 1 - now) {
    if (lane >= distance) found = fold<Op, Kind>(sums[now][thread - distance], found);
    sums[1 - now][thread] = found;
    __syncthreads();
  }
  if (how & ONLY_TOTALS) {
    if (lane == lanes - 1 && row < outer) out[number] = found;
    return false;
  }
#pragma unroll 4
  for (int t = 0; t < PACKED; t++) {
    const int i = thread + t * MERGING, place = i & (size - 1), which = i >> bits;
    Stored value = memory[skewed(i)];
    if (place >= PACKED) value = fold<Op, Kind>(sums[now][i / PACKED - 1], value);
    if (place < lengths[which]) out[firsts[which] + (long long)place * inner] = value;
  }
  return false;
}

// The folds of windows along the middle axis of outer × n × inner values, of which there are `low` fewer before the
// first one. A block has a few adjacent columns of as many rows as fit. Of a long window, runs of RUN elements are folded
// first, which many windows share, and of a longer one, runs of such runs, as rules/reduction.py says.
const int WINDOWED = 2048, LONGEST_RUN = 16, RUN = 8, SHARE = WINDOWED / THREADS;
template <class Op, class Kind, class T>
__device__ __forceinline__ T fold_run(const T *x, int i, int step) {
  T found = x[i];
#pragma unroll
  for (int t = 1; t < RUN; t++) found = fold<Op, Kind>(found, x[min(i + t * step, WINDOWED - 1)]);
  return found;
}
template <class Op, class Kind>
__device__ bool fold_windows(
    typename Kind::Stored *out, const typename Kind::Stored *values, int group, int n, int inner, int count, int size,
    int stride, int dilation, int low, int columns) {
  typedef typename Kind::Stored Stored;
  __shared__ Stored elements[WINDOWED], runs[WINDOWED];
  const int bits = __popc(columns - 1), others = columns - 1, step = dilation << bits;
  const int windows = ((WINDOWED >> bits) - 1 - (size - 1) * dilation) / stride + 1;
  const int parts = (count + windows - 1) / windows, slices = (inner + others) >> bits;
  const int begin = group % slices << bits, part = group / slices % parts, row = group / slices / parts;
  const int first = part * windows * stride - low;
#pragma unroll
  for (int t = 0; t < SHARE; t++) {
    const int i = threadIdx.x + t * THREADS, at = first + (i >> bits), column = begin + (i & others);
    const bool is_inside = at >= 0 && at < n && column < inner;
    const Stored nothing = Kind::narrow(Op::template nothing<typename Kind::Wide>());
    elements[i] = is_inside ? values[((long long)row * n + at) * inner + column] : nothing;
  }
  __syncthreads();
  const Stored *whole = elements;
  int length = 1;
  if (size > LONGEST_RUN) {
#pragma unroll 1
    for (int i = threadIdx.x; i < WINDOWED; i += THREADS) runs[i] = fold_run<Op, Kind>(elements, i, step);
    __syncthreads();
    whole = runs, length = RUN;
  }
  if (size / RUN > LONGEST_RUN) {
    Stored found[SHARE];
#pragma unroll 1
    for (int t = 0; t < SHARE; t++) found[t] = fold_run<Op, Kind>(runs, threadIdx.x + t * THREADS, RUN * step);
    __syncthreads();
#pragma unroll 1
    for (int t = 0; t < SHARE; t++) runs[threadIdx.x + t * THREADS] = found[t];
    __syncthreads();
    length = RUN * RUN;
  }
#pragma unroll 1
  for (int i = threadIdx.x; i < windows << bits; i += THREADS) {
    const int window = part * windows + (i >> bits), column = begin + (i & others);
    if (window >= count || column >= inner) continue;
    const int at = ((i >> bits) * stride << bits) + (i & others);
    Stored found = whole[at];
    int done = length;
#pragma unroll 4
    for (; done + length <= size; done += length) found = fold<Op, Kind>(found, whole[at + done * step]);
#pragma unroll 1
    for (; done + RUN <= size; done += RUN)
      found = fold<Op, Kind>(found, fold_run<Op, Kind>(elements, at + done * step, step));
#pragma unroll 1
    for (; done < size; done++) found = fold<Op, Kind>(found, elements[at + done * step]);
    out[((long long)row * count + window) * inner + column] = begin_fold<Op, Kind>(found, true);
  }
  return false;
}
}  // namespace block
