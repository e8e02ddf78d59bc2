// Copies of an operand whose numbers are rounded to TF32, in tiles as they lie in the memory of blocks whose warps
// multiply together: parts of up to 64 rows of 128 bytes, see multiply_by_warpgroup. A tile by rows has TILE rows of the operand,
// and one by columns as many rows of each column, in the order of a product's terms; what fills them up is 0. Of each
// SPAN rows, a lane has a fourth. A block copies PART columns of a tile.
// operands.py writes the constants before this, and the names in @.
constexpr int PART = 32, WORDS = PART / 4, GROUPS = BY_COLUMNS ? COLUMN_BLOCKS * 2 : ROW_PARTS;
constexpr int LINES = TILE < 64 ? TILE : 64;
__shared__ float numbers[TILE][PART + 1];
const int group = blockIdx.x % GROUPS, tile = blockIdx.x / GROUPS % TILES, first = group * PART;
const long long item = blockIdx.x / GROUPS / TILES, place = item * TILES + tile;
@starts@
#pragma unroll 4
for (int e = threadIdx.x; e < TILE * PART; e += THREADS) {
  const int inner = STEP == 1 ? e % PART : e / TILE, outer = STEP == 1 ? e / PART : e % TILE;
  const int row = tile * TILE + outer, column = first + inner;
  const float x = row < ROWS && column < COLUMNS ? source[@place@ + column * STEP] : 0;
  numbers[outer][inner] = __uint_as_float(round_to_tf32(x));
}
__syncthreads();
auto place_of = [](int line, int word) { return line * PART + (word % WORDS ^ line % 8) * 4; };
if (!BY_COLUMNS)
  for (int e = threadIdx.x; e < TILE * WORDS; e += THREADS) {
    const int line = e / WORDS, word = e % WORDS;
    const int row = line / SPAN * SPAN + line % 8 / 2 * (SPAN / 4) + line % SPAN / 8 * 2 + line % 2;
    const float *const x = numbers[row] + word * 4;
    float *const to = copied + ((place * (TILE / LINES) + line / LINES) * ROW_PARTS + group) * LINES * PART;
    *(float4 *)(to + place_of(line % LINES, word)) = make_float4(x[0], x[1], x[2], x[3]);
  }
if (BY_COLUMNS)
  for (int e = threadIdx.x; e < TILE * WORDS; e += THREADS) {
    const int word = e % (TILE / 4), own = e / (TILE / 4), line = first + own;
    const int row = word * 4 / SPAN * SPAN + word * 4 % SPAN / 8 * 2 + word % 2, apart = SPAN / 4;
    float *const to = copied + (place * COLUMN_BLOCKS + line / 64) * TILE * 64 + word / WORDS * 2048;
    *(float4 *)(to + place_of(line % 64, word)) = make_float4(
        numbers[row][own], numbers[row + apart][own], numbers[row + 2 * apart][own], numbers[row + 3 * apart][own]);
  }
