// Adds up the partial results of attention.cu, of each query and share of the keys: the highest score, the sum, and
// results. The threads of a warp have columns of the same query, and each the highest score and sum of one share.
const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, query = i / WHOLE;
if (query >= QUERIES) return;
const int column = min((int)(i % WHOLE), WIDTH - 1), batch = query / ROWS, row = query % ROWS, lane = threadIdx.x % 32;
const long long apart = QUERIES * (long long)(WIDTH + 2);
const float *const from = parts + query * (WIDTH + 2), infinity = __int_as_float(0x7f800000);
const float most = lane < SHARES ? from[lane * apart] : -infinity, own = lane < SHARES ? from[lane * apart + 1] : 0;
float results[SHARES], highest = most, sum = 0, total = 0;
#pragma unroll
for (int s = 0; s < SHARES; s++) results[s] = from[s * apart + 2 + column];
#pragma unroll
for (int step = 16; step; step /= 2) highest = fmaxf(highest, __shfl_xor_sync(~0u, highest, step));
const float base = highest == -infinity ? 0.0f : highest, scale = EXACT ? expf(most - base) : __expf(most - base);
#pragma unroll
for (int s = 0; s < SHARES; s++) {
  sum += __shfl_sync(~0u, own * scale, s);
  total += results[s] * __shfl_sync(~0u, scale, s);
}
if (STATISTICS && i % WHOLE == 0) {
  sums_found[@sums_offset@] = sum;
  if (STATISTICS > 1) highest_found[@highest_offset@] = highest;
}
auto *const to = out + @offset@;
if constexpr (sizeof *to == 2) *to = (unsigned short)narrow_pair<OUT_KIND>(total / sum, 0);
else *to = total / sum;
