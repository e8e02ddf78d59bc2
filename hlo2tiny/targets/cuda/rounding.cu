// Copies of an operand whose numbers are rounded to TF32, as warps that multiply together read them: by rows, and by
// columns, in which rows have the order that a product's terms have. A block has a tile of both.
// operands.py writes the constants before this, and the names in @.
__shared__ float tile[TILE_ROWS][TILE_COLUMNS + 1];
const int down = (ROWS + TILE_ROWS - 1) / TILE_ROWS, across = (ROW_LENGTH + TILE_COLUMNS - 1) / TILE_COLUMNS;
const int first_row = blockIdx.x / across % down * TILE_ROWS, first = blockIdx.x % across * TILE_COLUMNS;
const long long item = blockIdx.x / (across * down);
@starts@
#pragma unroll 4
for (int e = threadIdx.x; e < TILE_ROWS * TILE_COLUMNS; e += THREADS) {
  const int own_row = STEP == 1 ? e / TILE_COLUMNS : e % TILE_ROWS;
  const int own = STEP == 1 ? e % TILE_COLUMNS : e / TILE_ROWS, row = first_row + own_row, column = first + own;
  const float x = row < ROWS && column < COLUMNS ? source[@place@ + column * STEP] : 0;
  tile[own_row][own] = __uint_as_float(round_to_tf32(x));
}
__syncthreads();
if (BY_ROWS)
  for (int e = threadIdx.x; e < TILE_ROWS * TILE_COLUMNS; e += THREADS) {
    const int row = e / TILE_COLUMNS, column = e % TILE_COLUMNS;
    if (first_row + row < ROWS && first + column < ROW_LENGTH)
      rows[(item * ROWS + first_row + row) * ROW_LENGTH + first + column] = tile[row][column];
  }
if (BY_COLUMNS)
  for (int e = threadIdx.x; e < TILE_ROWS * TILE_COLUMNS; e += THREADS) {
    const int place = e % TILE_ROWS, column = first + e / TILE_ROWS;
    const int row = place / SPAN * SPAN + place % 4 * (SPAN / 4) + place % SPAN / 8 * 2 + place % 8 / 4;
    if (column < COLUMNS) columns[(item * COLUMNS + column) * COLUMN_LENGTH + first_row + place] = tile[row][e / TILE_ROWS];
  }
