// Adds up the partial results of attention.cu, of each query and share of the keys: the highest score, the sum, and results.
const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, query = i / WIDTH;
if (i >= QUERIES * (long long)WIDTH) return;
const int column = i % WIDTH, batch = query / ROWS, row = query % ROWS;
const long long apart = QUERIES * (long long)(WIDTH + 2);
const float *const from = parts + query * (WIDTH + 2), infinity = __int_as_float(0x7f800000);
float highest = -infinity, sum = 0, total = 0;
for (int s = 0; s < SHARES; s++) highest = fmaxf(highest, from[s * apart]);
const float base = highest == -infinity ? 0.0f : highest;
for (int s = 0; s < SHARES; s++) {
  const float scale = EXACT ? expf(from[s * apart] - base) : __expf(from[s * apart] - base);
  sum += from[s * apart + 1] * scale;
  total += from[s * apart + 2 + column] * scale;
}
auto *const to = out + @offset@;
if constexpr (sizeof *to == 2) *to = (unsigned short)narrow_pair<OUT_KIND>(total / sum, 0);
else *to = total / sum;
