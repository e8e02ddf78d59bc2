// A product of matrices, or of a convolution's windows and its kernel, in which the order of a sum depends on nothing
// but its number of terms. in_order.py writes the constants and the functions `a_at` and `b_at` before this.
//
// Each CHUNK of terms is added up by itself, on tensor cores in the order of their instructions, and then the chunks
// one after the other. The size of a block's part of the result, and whether blocks take all chunks or one each, change
// nothing of that. A block reads the STEP terms after the next ones while it multiplies; rows in shared memory are APART numbers apart,
// so that the lanes of a warp read from different banks.
constexpr int THREADS = TENSOR ? 32 * ROW_WARPS * COLUMN_WARPS : 256;
constexpr int APART = !TENSOR ? STEP + 1 : NARROW ? STEP + 8 : STEP + 4;
// Narrow numbers of one term stay side by side, if they are in memory, and are turned as they are multiplied.
constexpr bool A_TURNED = NARROW && !A_ALONG && ROWS >= STEP, B_TURNED = NARROW && !B_ALONG && COLUMNS >= STEP;
constexpr int HEIGHT = ROWS / ROW_WARPS / 16, WIDTH = COLUMNS / COLUMN_WARPS / 8;  // of a warp's part, in tiles
constexpr int SUMS = TENSOR ? HEIGHT * WIDTH * 4 : ROWS * COLUMNS / THREADS;
__shared__ __align__(16) Kept tiles[2][(ROWS + COLUMNS) * APART];
const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, quad = lane / 4, place = lane % 4;
const int across = (N + COLUMNS - 1) / COLUMNS;
@place@
const int row = warp / COLUMN_WARPS * (ROWS / ROW_WARPS), column = warp % COLUMN_WARPS * (COLUMNS / COLUMN_WARPS);
@starts@

// As words until they are stored: each 16 bits would take a register.
typedef Pack<WordA, A_ONCE * sizeof(A) / sizeof(WordA)> NextA;
typedef Pack<WordB, B_ONCE * sizeof(B) / sizeof(WordB)> NextB;
NextA next_a[2][ROWS * STEP / THREADS / A_ONCE];
NextB next_b[2][COLUMNS * STEP / THREADS / B_ONCE];
// The row, or column, and the term of the numbers that a thread reads at once: neighbouring ones for its neighbours.
auto position = [](auto once, auto along, int count, int v) {
  constexpr int size = decltype(once)::count;
  const int e = (v * THREADS + threadIdx.x) * size;
  return decltype(along)::count ? make_int2(e / STEP, e % STEP) : make_int2(e % count, e / count);
};
auto read = [&](int k, auto &next_a, auto &next_b) {
#pragma unroll
  for (int v = 0; v < ROWS * STEP / THREADS / A_ONCE; v++) {
    const int2 at = position(Count<A_ONCE>(), Count<A_ALONG>(), ROWS, v);
    auto from = decltype(a_at(0, 0))(-1);
    if (first_row + at.x < end_row && k + at.y < end_term) from = a_at(first_row + at.x, k + at.y);
    next_a[v] = from < 0 ? NextA() : *(const NextA *)(a + from);
  }
#pragma unroll
  for (int v = 0; v < COLUMNS * STEP / THREADS / B_ONCE; v++) {
    const int2 at = position(Count<B_ONCE>(), Count<B_ALONG>(), COLUMNS, v);
    auto from = decltype(b_at(0, 0))(-1);
    if (first_column + at.x < N && k + at.y < end_term) from = b_at(first_column + at.x, k + at.y);
    next_b[v] = from < 0 ? NextB() : *(const NextB *)(b + from);
  }
};
// A number as it is multiplied. Kinds are 0 for f32 and f64, 1 for bf16, 2 for f16.
auto widen = [](int kind, auto x) {
  if constexpr (sizeof x == 2)
    return __uint_as_float(kind == 1 ? (uint)x << 16 : widen_f16(x & 0x7fffu) | (x & 0x8000u) << 16);
  else return x;
};
auto keep = [&](int kind, auto x) {
  if constexpr (NARROW) return x;
  else if constexpr (TENSOR) return round_to_tf32(widen(kind, x));
  else return (Kept)widen(kind, x);
};
// Store what was read at once: numbers of one row side by side, or of one term under each other.
auto put = [&](auto along, int kind, Kept *to, const auto &read, auto numbers) {
  constexpr int once = sizeof numbers.values / sizeof numbers.values[0];
  memcpy(&numbers, &read, sizeof numbers);
  if constexpr (TENSOR && decltype(along)::count) {
    Pack<Kept, once> kept;
#pragma unroll
    for (int i = 0; i < once; i++) kept.values[i] = keep(kind, numbers.values[i]);
    *(Pack<Kept, once> *)to = kept;
  } else
#pragma unroll
    for (int i = 0; i < once; i++) to[i * (decltype(along)::count ? 1 : APART)] = keep(kind, numbers.values[i]);
};
auto store = [&](Kept *to, const auto &next_a, const auto &next_b) {
#pragma unroll
  for (int v = 0; v < ROWS * STEP / THREADS / A_ONCE; v++) {
    const int2 at = position(Count<A_ONCE>(), Count<A_ALONG>(), ROWS, v);
    Kept *const own = to + (A_TURNED ? at.y * (ROWS + 8) + at.x : at.x * APART + at.y);
    put(Count<A_ALONG || A_TURNED>(), A_KIND, own, next_a[v], Pack<A, A_ONCE>());
  }
#pragma unroll
  for (int v = 0; v < COLUMNS * STEP / THREADS / B_ONCE; v++) {
    const int2 at = position(Count<B_ONCE>(), Count<B_ALONG>(), COLUMNS, v);
    Kept *const own = to + ROWS * APART + (B_TURNED ? at.y * (COLUMNS + 8) + at.x : at.x * APART + at.y);
    put(Count<B_ALONG || B_TURNED>(), B_KIND, own, next_b[v], Pack<B, B_ONCE>());
  }
};

Number sums[SUMS] = {}, totals[CHUNKS > 1 && !SPLIT ? SUMS : 1];
auto multiply = [&](const Kept *from) {
  if constexpr (NARROW) {
    const Shared x = shared_address(from), y = x + ROWS * APART * 2;
    const int half = lane / 16 * 8, other = lane / 8 % 2 * 8;
#pragma unroll
    for (int k = 0; k < STEP; k += 16) {
      uint u[HEIGHT][4], w[WIDTH / 2][4];
#pragma unroll
      for (int i = 0; i < HEIGHT; i++) {
        const int own = row + i * 16;
        if (A_TURNED) load_transposed_tiles(u[i], x + ((k + half + lane % 8) * (ROWS + 8) + own + other) * 2);
        else load_tiles(u[i], x + ((own + lane % 16) * APART + k + half) * 2);
      }
#pragma unroll
      for (int j = 0; j < WIDTH / 2; j++) {
        const int own = column + j * 16 + half;
        if (B_TURNED) load_transposed_tiles(w[j], y + ((k + lane % 16) * (COLUMNS + 8) + own) * 2);
        else load_tiles(w[j], y + ((own + lane % 8) * APART + k + other) * 2);
      }
#pragma unroll
      for (int i = 0; i < HEIGHT; i++)
#pragma unroll
        for (int j = 0; j < WIDTH; j++)
          add_product_of_narrow_tiles<NARROW>(
              (float *)&sums[(i * WIDTH + j) * 4], u[i][0], u[i][1], u[i][2], u[i][3], w[j / 2][j % 2 * 2],
              w[j / 2][j % 2 * 2 + 1]);
    }
  } else if constexpr (TENSOR) {
    const Kept *const x = from + (row + quad) * APART + place, *const y = from + (ROWS + column + quad) * APART + place;
#pragma unroll
    for (int k = 0; k < STEP; k += 8) {
      uint u[HEIGHT][4], w[WIDTH][2];
#pragma unroll
      for (int i = 0; i < HEIGHT * 4; i++) u[i / 4][i % 4] = x[(i / 4 * 16 + i % 2 * 8) * APART + k + i / 2 % 2 * 4];
#pragma unroll
      for (int j = 0; j < WIDTH * 2; j++) w[j / 2][j % 2] = y[j / 2 * 8 * APART + k + j % 2 * 4];
#pragma unroll
      for (int i = 0; i < HEIGHT; i++)
#pragma unroll
        for (int j = 0; j < WIDTH; j++)
          add_product_of_tiles((float *)&sums[(i * WIDTH + j) * 4], u[i][0], u[i][1], u[i][2], u[i][3], w[j][0], w[j][1]);
    }
  } else {
    const Kept *const x = from + threadIdx.x / 16 * APART, *const y = from + (ROWS + threadIdx.x % 16) * APART;
#pragma unroll
    for (int k = 0; k < STEP; k++)
#pragma unroll
      for (int i = 0; i < ROWS / 16; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS / 16; j++) {
          Number *const sum = &sums[i * (COLUMNS / 16) + j];
          if constexpr (sizeof(Number) == 8) *sum = fma(x[i * 16 * APART + k], y[j * 16 * APART + k], *sum);
          else *sum = fmaf(x[i * 16 * APART + k], y[j * 16 * APART + k], *sum);
        }
  }
};
const int chunk = SPLIT ? blockIdx.y : 0, begin = chunk * CHUNK;
const int end = SPLIT && begin + CHUNK < K ? begin + CHUNK : end_term;
read(begin, next_a[0], next_b[0]);
if (begin + STEP < end) read(begin + STEP, next_a[1], next_b[1]);
store(tiles[0], next_a[0], next_b[0]);
__syncthreads();
#pragma unroll 1
for (int first = begin; first < end; first += 2 * STEP)
#pragma unroll
  for (int now = 0; now < 2; now++) {
    const int k = first + now * STEP;
    if (k >= end) break;
    if (k + 2 * STEP < end) read(k + 2 * STEP, next_a[now], next_b[now]);
    multiply(tiles[now]);
    if (k + STEP < end) store(tiles[!now], next_a[!now], next_b[!now]);
    if constexpr (CHUNKS > 1 && !SPLIT)
      if (k + STEP >= end || (k + STEP) % CHUNK == 0)
#pragma unroll
        for (int i = 0; i < SUMS; i++) totals[i] = k < CHUNK ? sums[i] : totals[i] + sums[i], sums[i] = 0;
    __syncthreads();
  }
#pragma unroll
for (int i = 0; i < SUMS; i++) {
  int to, at;
  if constexpr (TENSOR) {
    to = row + i / 4 / WIDTH * 16 + quad + i % 4 / 2 * 8;
    at = column + i / 4 % WIDTH * 8 + place * 2 + i % 2;
  } else {
    to = threadIdx.x / 16 + i / (COLUMNS / 16) * 16;
    at = threadIdx.x % 16 + i % (COLUMNS / 16) * 16;
  }
  to += first_row, at += first_column;
  const Number value = CHUNKS > 1 && !SPLIT ? totals[CHUNKS > 1 && !SPLIT ? i : 0] : sums[i];
  if (to < end_row && at < N) @target@ = finish(value);
}
