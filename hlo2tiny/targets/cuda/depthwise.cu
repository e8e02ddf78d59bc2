// The gradient of the weights of a convolution of each feature on its own: each weight is a sum over all positions.
// depthwise.py writes the constants before this.
//
// A thread adds up all TAPS of a feature for some positions, each of which it reads once. LANES threads beside each other
// have features that are neighbours in memory; all others of a block have other positions. Blocks of one feature have
// PARTS of the positions.
constexpr int TAPS = COUNT_0 * COUNT_1 * COUNT_2, WARPS = THREADS / 32, GROUPS = THREADS / LANES;
const int part = blockIdx.x % PARTS, slice = blockIdx.x / PARTS % SLICES, tile = blockIdx.x / (PARTS * SLICES);
const int place = threadIdx.x % LANES, feature = min(tile * LANES + place, FEATURES - 1);
// The first tap: a slice has all of the window along its last dimensions, and one element along the others.
const int first = slice * TAPS, tap_0 = first / (WINDOW_1 * WINDOW_2), tap_1 = first / WINDOW_2 % WINDOW_1;
auto number = [](auto value) {
  if constexpr (sizeof value == 4) return (float)value;
  else return widened<KIND>((uint)value);
};
x += feature / EACH * X_FEATURE, y += feature * Y_FEATURE;
float sums[TAPS] = {};
const int begin = part * LENGTH, end = min(begin + LENGTH, POSITIONS);
#pragma unroll 1
for (int at = begin + threadIdx.x / LANES; at < end; at += GROUPS) {
  const int c = at % PLACES_2, b = at / PLACES_2 % PLACES_1, a = at / (PLACES_2 * PLACES_1) % PLACES_0;
  const int n = at / (PLACES_2 * PLACES_1 * PLACES_0);
  const float factor = number(y[n * Y_BATCH + a * Y_0 + b * Y_1 + c * Y_2]);
  const auto *const from = x + n * X_BATCH;
  const int p = a * STRIDE_0 + tap_0 * DILATION_0 - LOW_0, q = b * STRIDE_1 + tap_1 * DILATION_1 - LOW_1;
  const int r = c * STRIDE_2 - LOW_2;
#pragma unroll
  for (int t = 0; t < TAPS; t++) {
    const int i = p + t / (COUNT_1 * COUNT_2) * DILATION_0, j = q + t / COUNT_2 % COUNT_1 * DILATION_1;
    const int k = r + t % COUNT_2 * DILATION_2;
    const bool exists = INSIDE || ((uint)i < SIZE_0 && (uint)j < SIZE_1 && (uint)k < SIZE_2);
    sums[t] = fmaf(factor, exists ? number(from[i * X_0 + j * X_1 + k * X_2]) : 0.0f, sums[t]);
  }
}
__shared__ float parts[WARPS][TAPS * LANES];
#pragma unroll
for (int t = 0; t < TAPS; t++) {
#pragma unroll
  for (int step = 16; step >= LANES; step /= 2) sums[t] += __shfl_xor_sync(~0u, sums[t], step);
  if (threadIdx.x % 32 < LANES) parts[threadIdx.x / 32][place * TAPS + t] = sums[t];
}
__syncthreads();
for (int i = threadIdx.x; i < TAPS * LANES; i += THREADS) {
  const int feature = tile * LANES + i / TAPS, tap = first + i % TAPS;
  if (feature >= FEATURES) continue;
  float x = parts[0][i];
  for (int w = 1; w < WARPS; w++) x += parts[w][i];
  @store@
}
