// Adds up the sums of parts of the terms: the lanes of a warp have results beside each other, each warp some of the parts.
// few_rows.py writes the constants before this.
__shared__ Number sums[WARPS][32];
const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = blockIdx.x * 32 + lane;
Number sum = 0;
if (i < SIZE)
#pragma unroll 8
  for (int part = warp; part < PARTS; part += WARPS) sum += parts[(long long)part * SIZE + i];
sums[warp][lane] = sum;
__syncthreads();
if (warp > 0 || i >= SIZE) return;
Number x = sums[0][lane];
#pragma unroll
for (int n = 1; n < WARPS; n++) x += sums[n][lane];
const int item = i / (ROWS * N), row = i / N % ROWS, column = i % N;
@starts@
const long long to = row * C_ROW + column * C_COLUMN;
struct Addends {
  Number of[ADDENDS + 1];
};
const Addends addends = {@addends@};
@finish@
