/* Products of two narrow matrices with the processor's tiles (AMX): bf16 into f32, which flushes subnormal numbers, and
   bytes into i32, which is exact.

   A tile has 16 rows of 64 bytes. Tiles of B have units of four bytes, two bf16 or four bytes of a column of B, so B is
   copied. Rows of A are read in place, unless they are not contiguous or end within a tile. */
#if defined __AMX_BF16__ && defined __AMX_INT8__ && defined __linux__
#define HAS_TILES
extern long syscall(long number, ...);

/* Ask the system for permission to use tiles: it saves their contents only for processes that have it. */
static int has_tiles(void) {
  static int known;
  if (!known) known = syscall(158 /* arch_prctl */, 0x1023 /* ARCH_REQ_XCOMP_PERM */, 18 /* tile data */) ? -1 : 1;
  return known > 0;
}

#define LOAD_TILE(tile, from, step) \
  __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #tile ::"r"(from), "r"((long)(step)) : "memory")
#define STORE_TILE(tile, to, step) \
  __asm__ volatile("tilestored %%tmm" #tile ", (%0,%1,1)" ::"r"(to), "r"((long)(step)) : "memory")
#define CLEAR_TILE(tile) __asm__ volatile("tilezero %tmm" #tile)
#define ADD_PRODUCT(name, c, a, b) __asm__ volatile(name " %tmm" #b ", %tmm" #a ", %tmm" #c)

static int is_tiled(const struct product *p) {
  const int bytes = (p->a_narrow == I8 || p->a_narrow == UI8) && (p->narrow == I8 || p->narrow == UI8);
  return (bytes || (p->a_narrow == BF16 && p->narrow == BF16)) && p->usual >= FEW_TILED && has_tiles();
}

enum { TILE_ROWS = 16, ROW = 64, BLOCK = 32, MOST_ROWS = 256, RUN = 1024 /* bytes of a row of A at a time */ };

struct tiles {
  unsigned char palette, start, unused[14];
  unsigned short bytes[16];
  unsigned char rows[16];
};

static void begin_tiles(void) {
  struct tiles all = {.palette = 1};
  for (int i = 0; i < 8; i++) all.bytes[i] = ROW, all.rows[i] = TILE_ROWS;
  __asm__ volatile("ldtilecfg %0" ::"m"(all));
}

/* Copy `count` bytes of rows of A, with zeros to the end of a tile's rows. */
static void copied_rows(const char *a, long row, long column, long size, long rows, long count, char *to) {
  for (long r = 0; r < rows; r++) {
    char *const x = to + r * RUN;
    if (column == size)
      __builtin_memcpy(x, a + r * row, count);
    else
      for (long i = 0; i < count; i += size) __builtin_memcpy(x + i, a + r * row + i / size * column, size);
    __builtin_memset(x + count, 0, (-count) & (ROW - 1));
  }
  for (long r = rows; r & (TILE_ROWS - 1); r++) __builtin_memset(to + r * RUN, 0, (count + ROW - 1) & -ROW);
}

/* Copy `count` bytes of columns of B, as two adjacent tiles for each 64 bytes of depth, padded with zeros. */
INLINE void paired(const long size, const char *b, long row, long column, long columns, long count, char *to) {
  const long unit = 4 / size;
  if (columns < BLOCK || count & (ROW - 1)) __builtin_memset(to, 0, ((count + ROW - 1) & -ROW) * BLOCK);
  const long whole = count & -4;
  if (column == size) {
    for (long k = 0; k < whole; k += 4) {
      const char *const x = b + k / size * row;
      char *const y = to + k * BLOCK;
      for (long j = 0; j < columns; j++)
        for (long i = 0; i < unit; i++) __builtin_memcpy(y + j * 4 + i * size, x + i * row + j * size, size);
    }
  } else if (row == size) {
    for (long k = 0; k < whole; k += 4)
      for (long j = 0; j < columns; j++) __builtin_memcpy(to + k * BLOCK + j * 4, b + j * column + k, 4);
  } else {
    for (long k = 0; k < whole; k += size)
      for (long j = 0; j < columns; j++)
        __builtin_memcpy(to + (k & -4) * BLOCK + j * 4 + (k & 3), b + k / size * row + j * column, size);
  }
  for (long k = whole; k < count; k += size)
    for (long j = 0; j < columns; j++)
      __builtin_memcpy(to + (k & -4) * BLOCK + j * 4 + (k & 3), b + k / size * row + j * column, size);
}

#define MULTIPLY_TILES(product)                                                             \
  for (long d = 0; d < count; d += ROW) {                                                   \
    LOAD_TILE(4, a + d, a_row);                                                             \
    LOAD_TILE(6, b + d * BLOCK, BLOCK * 4);                                                 \
    ADD_PRODUCT(product, 0, 4, 6);                                                          \
    if (wide) {                                                                             \
      LOAD_TILE(7, b + d * BLOCK + ROW, BLOCK * 4);                                         \
      ADD_PRODUCT(product, 1, 4, 7);                                                        \
    }                                                                                       \
    if (high) {                                                                             \
      LOAD_TILE(5, below + d, a_row);                                                       \
      ADD_PRODUCT(product, 2, 5, 6);                                                        \
      if (wide) ADD_PRODUCT(product, 3, 5, 7);                                              \
    }                                                                                       \
  }

/* Compute up to 32 rows and columns of C: for each 64 bytes of depth, 16 rows at `a` and 16 at `below` times two tiles of
   B. */
static void multiply_tiles(int a_kind, int b_kind, const char *a, const char *below, long a_row, const char *b, long count,
                           char *c, long c_row, int high, int wide, int more) {
  if (more) {
    LOAD_TILE(0, c, c_row);
    if (wide) LOAD_TILE(1, c + ROW, c_row);
    if (high) LOAD_TILE(2, c + TILE_ROWS * c_row, c_row);
    if (high && wide) LOAD_TILE(3, c + TILE_ROWS * c_row + ROW, c_row);
  } else {
    CLEAR_TILE(0);
    CLEAR_TILE(1);
    CLEAR_TILE(2);
    CLEAR_TILE(3);
  }
  if (a_kind == BF16) {
    MULTIPLY_TILES("tdpbf16ps")
  } else if (a_kind == I8 && b_kind == I8) {
    MULTIPLY_TILES("tdpbssd")
  } else if (a_kind == I8) {
    MULTIPLY_TILES("tdpbsud")
  } else if (b_kind == I8) {
    MULTIPLY_TILES("tdpbusd")
  } else {
    MULTIPLY_TILES("tdpbuud")
  }
  STORE_TILE(0, c, c_row);
  if (wide) STORE_TILE(1, c + ROW, c_row);
  if (high) STORE_TILE(2, c + TILE_ROWS * c_row, c_row);
  if (high && wide) STORE_TILE(3, c + TILE_ROWS * c_row + ROW, c_row);
}

/* Compute a piece of C. All distances are in bytes; C's numbers have four bytes. */
static void tiled_piece(const struct product *p, const char *a, long a_row, long a_column, const char *b, long b_row,
                        long b_column, char *c, long rows, long columns) {
  static _Thread_local char panel[RUN * BLOCK] __attribute__((aligned(64)));
  static _Thread_local char copies[RUN * MOST_ROWS] __attribute__((aligned(64)));
  char edge[BLOCK * BLOCK * 4] __attribute__((aligned(64)));
  const long size = p->narrow == BF16 ? 2 : 1, c_row = p->n * 4;
  begin_tiles();
  for (long k = 0; k < p->k * size; k += RUN) {
    const long count = least(p->k * size - k, RUN);
    for (long top = 0; top < rows; top += MOST_ROWS) {
      const long height = least(rows - top, MOST_ROWS);
      const char *const x = a + top * a_row + k / size * a_column;
      const int direct = a_column == size && !(count & (ROW - 1));
      const long from = direct ? height & -TILE_ROWS : 0; /* the rows before this one are read in place */
      if (from < height) copied_rows(x + from * a_row, a_row, a_column, size, height - from, count, copies + from * RUN);
      for (long j = 0; j < columns; j += BLOCK) {
        const long width = least(columns - j, BLOCK);
        const char *const y = b + k / size * b_row + j * b_column;
        if (size == 2)
          paired(2, y, b_row, b_column, width, count, panel);
        else
          paired(1, y, b_row, b_column, width, count, panel);
        for (long r = 0, taken; r < height; r += taken) {
          /* The rows in both halves of a block must have the same distance. */
          taken = least(height - r, r + BLOCK <= from || r >= from ? BLOCK : TILE_ROWS);
          const int high = taken > TILE_ROWS, inside = width == BLOCK && taken % TILE_ROWS == 0;
          const long step = r < from ? a_row : RUN;
          const char *const z = r < from ? x + r * a_row : copies + r * RUN;
          char *const to = c + (top + r) * c_row + j * 4;
          if (!inside && k)
            for (long i = 0; i < taken; i++) __builtin_memcpy(edge + i * BLOCK * 4, to + i * c_row, width * 4);
          multiply_tiles(p->a_narrow, p->narrow, z, z + TILE_ROWS * step, step, panel, (count + ROW - 1) & -ROW,
                         inside ? to : edge, inside ? c_row : BLOCK * 4, high, width > TILE_ROWS, k > 0);
          if (!inside)
            for (long i = 0; i < taken; i++) __builtin_memcpy(to + i * c_row, edge + i * BLOCK * 4, width * 4);
        }
      }
    }
  }
  __asm__ volatile("tilerelease");
}
#endif
