// What attention_gradients.cu asks about each query: its highest score, one over the sum of its exponentials, and the
// mean of its weights' gradients, which is the product of its result with the gradient of that. Queries that fill up
// tiles have infinite scores and weights of 0. A block has a tile, and finds out whether its weights count even where
// masks replace scores, or its cotangents are not all numbers.
// attention_gradients.py writes the constants before this, and the names in @.
const int tile = blockIdx.x % TILES, batch = blockIdx.x / TILES, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
const float infinity = __int_as_float(0x7f800000);
@floats@
@starts@
bool counts = false;
for (int i = warp; i < TILE; i += WARPS) {
  const int row = tile * TILE + i;
  float sum = 0, zero = 0, most = infinity, inverse = 0;
  if (row < QUERIES) {
    @rows@
    most = SHIFTED ? highest[highest_at] : 0.0f, inverse = 1.0f / sums[sums_at];
#pragma unroll 4
    for (int column = lane; column < WIDTH; column += 32) {
      const float y = read(KIND, cotangents[cotangents_at + column * COTANGENTS_STEP]);
      sum += y * read(RESULT_KIND, results[results_at + column * RESULTS_STEP]);
      zero += y * 0;
    }
    counts |= !(zero == 0) || !(REPLACED <= most - 128) || most == -infinity;
  }
#pragma unroll
  for (int step = 16; step; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) {
    float *const to = statistics + blockIdx.x * (long long)TILE + i;
    to[0] = most, to[COUNT] = inverse, to[2 * COUNT] = sum;
  }
}
if (SKIPS) {
  const bool any = __syncthreads_or(counts);
  if (threadIdx.x == 0) counted[blockIdx.x] = any;
}
