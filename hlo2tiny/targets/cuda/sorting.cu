// Sorting by digits, the lowest one first. A block of THREADS threads has a tile of numbers, of which each warp has
// neighbours. Numbers are signed and have `bits` bits; `shift` is where the digit of `width` bits begins.
namespace block {
const int THREADS = 256, OWN = 16, TILE = THREADS * OWN, WARPS = THREADS / 32;

template <int width> __device__ __forceinline__ int digit_of(int number, int bits, int shift) {
  return ((uint)number + (1u << (bits - 1))) >> shift & ((1 << width) - 1);
}

// How many numbers of a tile have the digit that is the thread's number, or the last one if there are fewer digits.
template <int width> __device__ int count(const int *numbers, int size, int bits, int shift) {
  __shared__ int counts[1 << width];
  for (int d = threadIdx.x; d < 1 << width; d += THREADS) counts[d] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += THREADS) atomicAdd(&counts[digit_of<width>(numbers[i], bits, shift)], 1);
  __syncthreads();
  return counts[min((int)threadIdx.x, (1 << width) - 1)];
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

// The sums of what is before each of some counts, and after them the sum of all; returns one of these for each thread.
__device__ int scan(int *sums, const int *counts, int size) {
  int begun = 0;
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
  __syncthreads();
  return sums[min((int)threadIdx.x, size)];
}

// Sort a tile in shared memory: the numbers, then their places in the row, then by how much the place of a number with
// each digit in the sorted row is larger than its place in the sorted tile. The places are in `order`, if that is given,
// or begin at `begin`. `starts` are what `scan` has found for each digit, `step` apart, from this tile on, which `left` tiles
// follow with itself.
template <int width, bool has_order>
__device__ int sort_tile(
    int *memory, const int *numbers, const int *order, const int *starts, int begin, int size, int left, int bits, int shift,
    int step) {
  const int digits = 1 << width;
  __shared__ int counts[WARPS][digits];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = lane; d < digits; d += 32) counts[warp][d] = 0;
  __syncwarp();
  int own[OWN], places[OWN], ranks[OWN];
  for (int t = 0; t < OWN; t++) {
    const int i = warp * 32 * OWN + t * 32 + lane;
    own[t] = i < size ? numbers[i] : 0;
    places[t] = i < size ? (has_order ? order[i] : begin + i) : 0;
  }
  for (int t = 0; t < OWN; t++) {
    const bool exists = warp * 32 * OWN + t * 32 + lane < size;
    const int digit = digit_of<width>(own[t], bits, shift);
    uint equal = __ballot_sync(~0u, exists);
    for (int b = 0; b < width; b++) {
      const bool set = digit >> b & 1;
      const uint found = __ballot_sync(~0u, set);
      equal &= set ? found : ~found;
    }
    const int before = __popc(equal & ((1u << lane) - 1));
    ranks[t] = counts[warp][digit] + before;
    __syncwarp();
    if (exists && before == 0) counts[warp][digit] = ranks[t] + __popc(equal);
    __syncwarp();
  }
  __syncthreads();
  int sum = 0, all, every;
  const int d = threadIdx.x;
  if (d < digits)
    for (int w = 0; w < WARPS; w++) {
      const int count = counts[w][d];
      counts[w][d] = sum;
      sum += count;
    }
  const int *start = starts + (long long)d * step;
  const int first = sum_before(sum, &all), total = sum_before(d < digits ? start[left] : 0, &every);
  if (d < digits) {
    for (int w = 0; w < WARPS; w++) counts[w][d] += first;
    memory[2 * TILE + d] = total + start[0] - first;
  }
  __syncthreads();
  for (int t = 0; t < OWN; t++)
    if (warp * 32 * OWN + t * 32 + lane < size) {
      const int place = ranks[t] + counts[warp][digit_of<width>(own[t], bits, shift)];
      memory[place] = own[t];
      memory[TILE + place] = places[t];
    }
  return 0;
}
}  // namespace block
