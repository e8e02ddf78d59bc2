// The softmax of rows of scores, after changes. stored_scores.py writes the constants before this, and the names in @.
// THREADS threads have a row; each has four neighbouring scores of every 4 · THREADS ones, in registers.
const float infinity = __int_as_float(0x7f800000);
const int lane = threadIdx.x % THREADS;
const long long row = (long long)blockIdx.x * (blockDim.x / THREADS) + threadIdx.x / THREADS;
@floats@
auto power = [](float x) { return EXACT ? expf(x) : __expf(x); };
__shared__ float parts[2][(THREADS + 31) / 32];
auto reduce = [&](float x, float *parts, auto combine) {
#pragma unroll
  for (int distance = 16; distance; distance /= 2) x = combine(x, __shfl_xor_sync(~0u, x, distance));
  if (THREADS == 32) return x;
  if (lane % 32 == 0) parts[lane / 32] = x;
  __syncthreads();
  x = parts[0];
#pragma unroll
  for (int i = 1; i < THREADS / 32; i++) x = combine(x, parts[i]);
  return x;
};
scores += row * WIDTH;
weights += row * WIDTH;
@starts@

float found[COUNT][4], highest = SHIFTED ? -infinity : 0.0f, sum = 0;
#pragma unroll
for (int n = 0; n < COUNT; n++) {
  const int at = 4 * (n * THREADS + lane);
  @declarations@
  @reads@
  // Scores that a mask replaces are not read.
  bool is_read = false;
#pragma unroll
  for (int e = 0; e < 4; e++) is_read |= at + e < KEYS && @is_read@;
  if constexpr (sizeof *scores == 2) {
    ushort4 y = make_ushort4(0, 0, 0, 0);
    if (is_read) y = *(const ushort4 *)(scores + at);
    found[n][0] = read(KIND, y.x), found[n][1] = read(KIND, y.y);
    found[n][2] = read(KIND, y.z), found[n][3] = read(KIND, y.w);
  } else {
    float4 y = make_float4(0, 0, 0, 0);
    if (is_read) y = *(const float4 *)(scores + at);
    found[n][0] = y.x, found[n][1] = y.y, found[n][2] = y.z, found[n][3] = y.w;
  }
#pragma unroll
  for (int e = 0; e < 4; e++) {
    float x = found[n][e];
    @changes@
    found[n][e] = at + e < KEYS ? x : -infinity;
    if (SHIFTED) highest = fmaxf(highest, found[n][e]);
  }
}
if (SHIFTED) highest = reduce(highest, parts[0], [](float x, float y) { return fmaxf(x, y); });
const float base = highest == -infinity ? 0.0f : highest;
#pragma unroll
for (int n = 0; n < COUNT; n++) {
#pragma unroll
  for (int e = 0; e < 4; e++) sum += found[n][e] = power(found[n][e] - base);
}
const float scale = 1.0f / reduce(sum, parts[1], [](float x, float y) { return x + y; });
#pragma unroll
for (int n = 0; n < COUNT; n++) {
  const int at = 4 * (n * THREADS + lane);
  float *const x = found[n];
  if (at >= WIDTH) continue;
  if constexpr (KIND) {
    const uint2 y = make_uint2(narrow_pair<KIND>(x[0] * scale, x[1] * scale), narrow_pair<KIND>(x[2] * scale, x[3] * scale));
    *(uint2 *)(weights + at) = y;
  } else
    *(float4 *)(weights + at) = make_float4(x[0] * scale, x[1] * scale, x[2] * scale, x[3] * scale);
}
