// A product of 8-bit integers on tensor cores, for what cuBLASLt does not support. eight_bits.py writes the constants
// before this; both operands have the numbers that are multiplied side by side, a multiple of 16 of them.
//
// A block of 8 warps computes 128·128 numbers, a warp 64·32 of these. It reads the next 64 numbers of each row while it
// multiplies. Rows in shared memory are 80 bytes apart, so that the lanes of a warp read from different banks.
constexpr int SIDE = 128, STEP = 64, APART = STEP + 16, VECTORS = SIDE * STEP / 16 / 256;
__shared__ __align__(16) signed char tiles[2][SIDE * APART];
const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, quad = lane / 4, place = lane % 4;
const int across = (N + SIDE - 1) / SIDE, down = (M + SIDE - 1) / SIDE;
const long long item = blockIdx.x / (across * down);
const int first_row = blockIdx.x / across % down * SIDE, first_column = blockIdx.x % across * SIDE;
const int row = warp / 4 * 64, column = warp % 4 * 32;
@starts@

int sums[4][4][4] = {};
uint4 next[2][VECTORS];
auto read = [&](int k) {
  for (int side = 0; side < 2; side++)
    for (int v = 0; v < VECTORS; v++) {
      const int e = v * 256 + threadIdx.x, i = e / (STEP / 16) + (side ? first_column : first_row);
      const int at = k + e % (STEP / 16) * 16;
      const bool exists = i < (side ? N : M) && at < K;
      const char *from = side ? (const char *)b + i * B_LEADING : (const char *)a + i * A_LEADING;
      next[side][v] = exists ? *(const uint4 *)(from + at) : make_uint4(0, 0, 0, 0);
    }
};
read(0);
for (int k = 0; k < K; k += STEP) {
  for (int side = 0; side < 2; side++)
    for (int v = 0; v < VECTORS; v++) {
      const int e = v * 256 + threadIdx.x;
      *(uint4 *)&tiles[side][e / (STEP / 16) * APART + e % (STEP / 16) * 16] = next[side][v];
    }
  __syncthreads();
  if (k + STEP < K) read(k + STEP);
#pragma unroll
  for (int part = 0; part < STEP; part += 32) {
    uint x[4][4], y[4][2];
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
      for (int r = 0; r < 4; r++) {
        const int at = (row + i * 16 + quad + r % 2 * 8) * APART + part + place * 4 + r / 2 * 16;
        x[i][r] = *(const uint *)&tiles[0][at];
      }
#pragma unroll
      for (int r = 0; r < 2; r++)
        y[i][r] = *(const uint *)&tiles[1][(column + i * 8 + quad) * APART + part + place * 4 + r * 16];
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
      for (int j = 0; j < 4; j++)
        add_product_of_integers<A_SIGNED, B_SIGNED>(
            sums[i][j], x[i][0], x[i][1], x[i][2], x[i][3], y[j][0], y[j][1]);
  }
  __syncthreads();
}
for (int i = 0; i < 4; i++)
  for (int j = 0; j < 4; j++)
    for (int e = 0; e < 4; e++) {
      const int to = first_row + row + i * 16 + quad + e / 2 * 8, at = first_column + column + j * 8 + place * 2 + e % 2;
      if (to < M && at < N) c[(item * M + to) * N + at] = sums[i][j][e];
    }
