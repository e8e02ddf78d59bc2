/* Matrix products C = A·B, for any distances between the rows and columns of A and B; C is row-major.

   A tile of C, some rows of some vectors each, stays in registers. Numbers of A are multiplied by rows of a panel of B,
   which is as wide as a tile. The panel is a copy, unless B is read so few times, or is so small, that a copy does not
   pay. If B is stored by columns and A has few rows, rows of A are multiplied by columns of B instead; if A has more, but
   fewer than B has columns, what is copied to panels is A, and the transposed product is computed. If the processor
   has tiles for matrices of narrow numbers, tiles.c multiplies those. Threads take pieces of C until none is left.

   A long sum is one of partial sums, of DEPTH rows of B each, wherever it is computed: adding terms one after the other
   would be less exact the more there are. */

/* The size of a tile that fits the registers: its rows, and the vectors in a row. */
#if defined __AVX512F__
enum { BYTES = 64, ROWS = 6, VECTORS = 4 };
#define LANES_4(kind) kind##_16
#define LANES_8(kind) kind##_8
#elif defined __AVX__
enum { BYTES = 32, ROWS = 6, VECTORS = 2 };
#define LANES_4(kind) kind##_8
#define LANES_8(kind) kind##_4
#else
#if defined __aarch64__
enum { BYTES = 16, ROWS = 6, VECTORS = 4 };
#elif defined __wasm__ /* browsers' compilers run out of registers before the processor does */
enum { BYTES = 16, ROWS = 4, VECTORS = 2 };
#else
enum { BYTES = 16, ROWS = 6, VECTORS = 2 };
#endif
#define LANES_4(kind) kind##_4
#define LANES_8(kind) kind##_2
#endif
/* The processor multiplies pairs of 16 bits in vectors of BYTES. */
#if defined __AVX512BW__ || (defined __AVX2__ && !defined __AVX512F__) || (defined __SSE2__ && !defined __AVX__) || \
    (defined __wasm_simd128__ && defined __clang__)
#define HAS_PAIRS
#endif
#define MAYBE_UNUSED __attribute__((unused))
/* What takes longest to compile is a unit of its own where UNIT is the number of one, so that units are compiled at the
   same time, and attention's library has some of them too. Elsewhere this file has everything. */
#ifdef UNIT
#define SHARED
#define HAS_UNIT(number) (UNIT == number)
#else
#define SHARED static
#define HAS_UNIT(number) 1
#endif
#ifdef __clang__
#define CONTRACT _Pragma("clang fp contract(fast)")
#else
#define CONTRACT
#endif

enum {
  DEPTH = 128,            /* rows of a panel that are multiplied together, and of B in a partial sum */
  PACKED_DEPTH = 768,     /* the same of packed panels: these may leave the nearest cache, reading C again takes longer */
  PANELS = 4,             /* how many are copied together, so that memory is read in longer runs */
  USUAL = 64,             /* how many numbers share a scale, if not all in a column */
  PREFETCHED = 8,         /* rows of a panel that tiles take before they prefetch again */
  STEPS = 2,              /* rows of it in an iteration of a loop */
  FEW = 12,               /* with at most this many rows of A, B is read in place */
  FEW_FAR = 8,            /* the same if B is too large for a near cache */
  TOGETHER = 8,           /* how many rows of B are read together then */
  MOST_ADDED = ROWS,      /* and for how many rows of A */
  MOST_READ = 3 * ROWS,   /* with at most this many, a far B is read so */
  SUMS = ROWS * VECTORS < 16 ? 8 : 16, /* vectors of them that stay in registers, if columns are read in place */
  COLUMNS_AHEAD = 8,      /* how many columns later those are that are prefetched then */
  LEAST_RUN = 8,          /* few columns are multiplied so, too, if they have this many vectors at least */
  NEAR = 1024,            /* and how many numbers of them, so that those of C stay in a near cache */
  FEW_NARROW = 4,         /* the same for narrow numbers with scales */
  FAR = 8192,             /* how many bytes ahead those of I4 are prefetched */
  CLOSE = 131072,         /* at most this many bytes of B are read in place, because they stay in a near cache */
  MOST_PAIRED = VECTORS == 2 ? 3 : 2, /* rows that are multiplied by two packed panels together */
  TURNED = ROWS < 6 ? 40960 : 65536, /* bytes of copied rows of A, if columns of B are read in place; sums have twice */
  TURNED_COLUMNS = 48,    /* how many columns are multiplied by these together */
  COPYING = 20,           /* as many rows of tiles take as long as copying columns of B */
  COPIED_PANELS = 8,      /* panels in a piece, if A is copied too */
  COPIED_ROWS = 2,        /* as many rows of B, copied, take as long as adding the last of them to a row of C later */
  LEAST_WORK = 300000,    /* multiplications that are worth several threads: about 5 us */
  LEAST_HEIGHT = 2,       /* fewer rows take about as long as these, as B is read once in any case */
  LEAST_FAR_HEIGHT = 8,   /* the same if B is too large for a near cache */
  LEAST_FAR = 1 << 20,    /* the bytes of such a B */
  PIECE_WORK = 500000,    /* multiplications in a piece */
  BESIDES = 8,            /* how many take as long as what else is done for a number of C */
  LEAST_PART = 24,        /* rows of one of two parts */
  PIECES = 12,            /* the number of large pieces that keeps all threads busy */
  FEW_PIECES = 8,         /* what two threads share one by one without what counts more of them */
  ENOUGH = 96,            /* the same of many threads */
  MOST_THREADS = 256,
  MOST_BUFFERS = 32,
  FEW_TILED = 4,          /* from this many rows of A on, copying B as tiles pays off */
  FASTER = 8,             /* how many times faster tiles are */
  BF16 = 1,
  F16 = 2,
  I8 = 3,
  UI8 = 4,
  I16 = 5,
  UI16 = 6,
  I4 = 7, /* two in a byte, the first in its low bits */
  BLOCK_ROWS = 32, /* rows of C in a block of tiles, and in a piece */
  TILED_ROWS = 256
};

struct product {
  long m, n, k;
  long a_row, a_column, b_row, b_column; /* distances */
  long a_narrow, narrow;                 /* the types of A's and B's numbers: 0 for T, else BF16 and so on */
  long usual;                            /* the rows that decide how sums round: m, or what m usually is */
  long group;                            /* how many numbers of a column of B share a scale; 0: there are no scales */
  long width;                            /* if B is packed: the columns of a panel, whose rows follow each other; else 0 */
  long rank;                             /* of the batch, whose sizes and distances between matrices follow */
  const long *batch, *a_batch, *b_batch;
};

/* What consumes some rows of C at a time, those of a batch one after the other, in place of C's buffer: a kernel, whose
   buffer of that `number` has them. */
struct consumer {
  void (*kernel)(void *const *, long, long);
  void *const *buffers;
  long count, number;
  long rows, portion, parts; /* of a piece of work; of an iteration of the kernel's outermost loop; iterations of a row */
  char *scratch;       /* for the rows of each of the threads */
  long size, threads;
};

INLINE long least(long a, long b) { return a < b ? a : b; }

union bits {
  unsigned bits;
  float number;
};

/* The bytes of some numbers. */
INLINE long bytes_of(long count, long narrow, long wide) {
  return narrow == I4 ? count >> 1 : count * (narrow == I8 || narrow == UI8 ? 1 : narrow ? 2 : wide);
}

/* Widen a narrow number. */
MAYBE_UNUSED INLINE float widened_float(const int kind, const void *b, long at) {
  if (kind == I8) return ((const signed char *)b)[at];
  if (kind == I4) return (signed char)(((const signed char *)b)[at / 2] << (at % 2 ? 0 : 4)) >> 4;
  const unsigned short x = ((const unsigned short *)b)[at];
  if (kind == BF16) return (union bits){(unsigned)x << 16}.number;
  return (union bits){widen_signed_f16(x)}.number;
}

/* Widen adjacent f16. */
typedef float FLOATS __attribute__((vector_size(BYTES)));
MAYBE_UNUSED INLINE FLOATS widened_halves(const void *b, long at) {
  const unsigned short *const x = (const unsigned short *)b + at;
#ifdef HAS_F16
  typedef _Float16 HALVES __attribute__((vector_size(BYTES / 2), aligned(2), may_alias));
  return __builtin_convertvector(*(const HALVES *)x, FLOATS);
#else
  union bits all[BYTES / 4];
  for (int i = 0; i < BYTES / 4; i++) all[i].bits = widen_signed_f16(x[i]);
  return *(const FLOATS *)all;
#endif
}

MAYBE_UNUSED INLINE int widened_int(const int kind, const void *b, long at) {
  switch (kind) {
    case I8: return ((const signed char *)b)[at];
    case UI8: return ((const unsigned char *)b)[at];
    case I16: return ((const short *)b)[at];
    default: return ((const unsigned short *)b)[at];
  }
}

/* What becomes of C where a product is computed: its sums stand alone, are added to C, or go on from it. */
enum { FIRST, ADDED, CONTINUED };

/* types */
/* If both matrices have bf16 and the processor multiplies pairs of them, the "numbers" of copies are such pairs, which
   follow each other in a column of B; an odd number is paired with zero. Subnormal numbers count as zero then. */
#undef PAIRED
#undef WHOLE_PAIRS
#undef QUADS
#if defined BOTH_BF16 && defined __AVX512BF16__
#define PAIRED
enum { PER = 2 };
/* Bytes are in groups of four if the processor multiplies these and adds their products to 32 bits. An x86 treats those
   of one matrix as signed, those of the other as unsigned: the bytes of A are unchanged, as many more rows share them,
   and those of B are B_KIND, which is 128 off if they are not. Other processors multiply pairs, widened to 16 bits. */
#elif defined BOTH_BYTES && (defined __AVX512VNNI__ || (defined __AVXVNNI__ && !defined __AVX512F__))
#define QUADS
enum { PER = 4, B_KIND = BOTH_BYTES == I8 ? UI8 : I8 };
#elif defined BOTH_BYTES && defined __ARM_FEATURE_DOTPROD
#define QUADS
enum { PER = 4, B_KIND = BOTH_BYTES };
#elif defined BOTH_BYTES && defined HAS_PAIRS
#define WHOLE_PAIRS
enum { PER = 2 };
#else
enum { PER = 1 };
#endif
/* The type of both matrices' numbers if B is to be read in place. With at most FEWEST rows of A, or FEW_FAR, it is read
   from end to end if its rows are contiguous. */
#ifdef BOTH_BF16
enum { SAME = BF16, FEWEST = FEW };
#elif defined BOTH_F16 && defined HAS_F16
enum { SAME = F16, FEWEST = FEW };
#elif defined QUADS || defined WHOLE_PAIRS
enum { SAME = BOTH_BYTES, FEWEST = FEW };
#else
enum { SAME = 0, FEWEST = 2 };
#endif
typedef T VECTOR __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias));
enum {
  LANES = BYTES / sizeof(T),
  PANEL = VECTORS * LANES,
  GROUP = PANELS * PANEL,
  PIECE_ROWS = 80 / sizeof(T) * ROWS,
  /* The logarithms of the number of cache lines in a row of a panel, in a row of a group, and in a panel's column. */
  SHIFT = VECTORS * BYTES / 64 == 4 ? 2 : VECTORS * BYTES / 64 == 2 ? 1 : 0,
  GROUP_SHIFT = SHIFT + 2,
  TRANSPOSED_SHIFT = sizeof(T) == 8 ? 4 : 3
};

/* What is multiplied next, and prefetched little by little until then: rows that are `step` bytes apart and have
   1 << `shift` cache lines each, `count` lines in total. */
struct AHEAD {
  const char *from;
  long step, shift, count;
};

/* Compute any number of rows of `columns` numbers each; B is read to the end of the last vector. The depth begins where a
   partial sum does, unless C has the first terms of it. */
SHARED void STRIP(long rows, long columns, const T *a, long a_strip, long a_row, long a_column, const T *b, long b_row,
                  long depth, T *c, long c_row, int more, const struct AHEAD *ahead);
/* Multiply few rows by rows of B, which are read some together from end to end, as fast as memory gives them. */
SHARED void BY_ROWS(long rows, long columns, const char *a, long a_row, long a_column, const char *b, long b_row, long depth,
                    T *c, long c_row);
/* Multiply rows of A by columns of B, both contiguous, if either are few. Sums round in one way if there are one or two
   rows, or usually are, and in another if there are more. */
SHARED void BY_COLUMNS(long usual, long rows, long columns, const void *a, long a_row, const void *b, long b_column,
                       long depth, T *c, long c_row);

#ifdef QUADS
/* What turns B's bytes into those that are multiplied; the sum of A's bytes times this is what they add to it. */
INLINE unsigned FLIP(long kind) { return kind == B_KIND ? 0 : 0x80808080u; }
INLINE int EXCESS(long kind) { return kind == B_KIND ? 0 : kind == I8 ? 128 : -128; }

/* Add the products of four bytes of A and of B each. */
INLINE VECTOR ADD_BYTES(VECTOR sum, VECTOR x, VECTOR y) {
#ifdef __aarch64__
  if (BOTH_BYTES == I8) __asm__("sdot %0.4s, %1.16b, %2.16b" : "+w"(sum) : "w"(x), "w"(y));
  else __asm__("udot %0.4s, %1.16b, %2.16b" : "+w"(sum) : "w"(x), "w"(y));
#elif defined __AVX512VNNI__
  if (BOTH_BYTES == I8) __asm__("vpdpbusd %1, %2, %0" : "+v"(sum) : "v"(x), "v"(y));
  else __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
#else
  if (BOTH_BYTES == I8) __asm__("%{vex%} vpdpbusd %1, %2, %0" : "+x"(sum) : "x"(x), "x"(y));
  else __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(x), "x"(y));
#endif
  return sum;
}
#endif

#ifdef WHOLE_PAIRS
/* Add the products of pairs of 16 bits; one sum of two wraps as those of 32 bits do. */
INLINE VECTOR ADD_BYTES(VECTOR sum, VECTOR x, VECTOR y) {
#ifdef __wasm__
  typedef short PAIRS __attribute__((vector_size(BYTES)));
  x = (VECTOR)__builtin_wasm_dot_s_i32x4_i16x8((PAIRS)x, (PAIRS)y);
#elif defined __AVX512F__
  __asm__("vpmaddwd %1, %0, %0" : "+v"(x) : "v"(y));
#elif defined __AVX__
  __asm__("vpmaddwd %1, %0, %0" : "+x"(x) : "x"(y));
#else
  __asm__("pmaddwd %1, %0" : "+x"(x) : "x"(y));
#endif
  return sum + x;
}
#endif

/* Add the products of numbers and one number, which is where `x` points to. */
INLINE VECTOR ADD_TIMES(VECTOR sum, VECTOR y, const T *x) {
  CONTRACT
#ifdef PAIRED
  __asm__("vdpbf16ps %2%{1to16%}, %1, %0" : "+v"(sum) : "v"(y), "m"(*x));
  return sum;
#elif defined QUADS || defined WHOLE_PAIRS
  return ADD_BYTES(sum, (VECTOR){0} + *x, y);
#else
  return sum + y * *x;
#endif
}

#if HAS_UNIT(1)
/* Add a row of B, times a number of A, to each row of a tile. */
INLINE void ADD_ROW(const int rows, const int count, VECTOR (*sum)[VECTORS], const T *a, long a_row, const T *b) {
  VECTOR y[VECTORS];
  for (int v = 0; v < count; v++) y[v] = ((const VECTOR *)b)[v];
  UNROLL /* a compiler cannot tell that it pays, if it is an instruction that we name */
  for (int r = 0; r < rows; r++)
    for (int v = 0; v < count; v++) sum[r][v] = ADD_TIMES(sum[r][v], y[v], a + r * a_row);
}

/* Compute some rows of C, of `count` vectors each. */
INLINE void TILE(const int rows, const int count, const T *a, long a_row, long a_column, const T *b, long b_row,
                 long depth, T *c, long c_row, int more, const struct AHEAD *ahead, long line, long pace) {
  CONTRACT
  VECTOR sum[ROWS][VECTORS];
  UNROLL
  for (int r = 0; r < rows; r++)
    UNROLL
    for (int v = 0; v < count; v++)
      sum[r][v] = more == CONTINUED ? ((const VECTOR *)(c + r * c_row))[v] : (VECTOR){0};
  const struct AHEAD next = *ahead;
  const long mask = (1 << next.shift) - 1;
  /* The instructions of the loop itself take time, too, unless few products wait for each other. */
  const int together = count == VECTORS && rows > 2 ? STEPS : 1;
  for (long left; depth > 0; depth -= left) {
    left = least(depth, PREFETCHED);
    const long past = line + left * pace;
    ROLLED
    for (long i = line >> 16; i < past >> 16; i++)
      __builtin_prefetch(next.from + (i >> next.shift) * next.step + (i & mask) * 64, 0, 3);
    line = past;
    long k = 0;
    ROLLED
    for (; k + together <= left; k += together) {
      UNROLL
      for (int i = 0; i < together; i++, a += a_column, b += b_row) ADD_ROW(rows, count, sum, a, a_row, b);
    }
    ROLLED
    for (; k < left; k++, a += a_column, b += b_row) ADD_ROW(rows, count, sum, a, a_row, b);
  }
  UNROLL
  for (int r = 0; r < rows; r++)
    UNROLL
    for (int v = 0; v < count; v++) {
      VECTOR *const to = (VECTOR *)(c + r * c_row) + v;
      if (more == ADDED) sum[r][v] += *to;
      *to = sum[r][v];
    }
}

INLINE void WIDTHS(const int rows, long count, const T *a, long a_row, long a_column, const T *b, long b_row, long depth,
                   T *c, long c_row, int more, const struct AHEAD *ahead, long line, long pace) {
  if (count == 1) TILE(rows, 1, a, a_row, a_column, b, b_row, depth, c, c_row, more, ahead, line, pace);
  else if (VECTORS < 3 || count == VECTORS) TILE(rows, VECTORS, a, a_row, a_column, b, b_row, depth, c, c_row, more, ahead, line, pace);
  else if (count == 2) TILE(rows, 2, a, a_row, a_column, b, b_row, depth, c, c_row, more, ahead, line, pace);
  else TILE(rows, VECTORS - 1, a, a_row, a_column, b, b_row, depth, c, c_row, more, ahead, line, pace);
}

#define OF_HEIGHT(rows, name) \
  APART void name(long count, const T *a, long a_row, long a_column, const T *b, long b_row, long depth, T *c, \
                  long c_row, int more, const struct AHEAD *ahead, long line, long pace) { \
    WIDTHS(rows, count, a, a_row, a_column, b, b_row, depth, c, c_row, more, ahead, line, pace); \
  }
OF_HEIGHT(1, TILE1)
OF_HEIGHT(2, TILE2)
OF_HEIGHT(3, TILE3)
OF_HEIGHT(4, TILE4)
OF_HEIGHT(5, TILE5)
OF_HEIGHT(ROWS, TILE6)
#undef OF_HEIGHT

SHARED void STRIP(long rows, long columns, const T *a, long a_strip, long a_row, long a_column, const T *b, long b_row,
                  long depth, T *c, long c_row, int more, const struct AHEAD *ahead) {
  T edge[ROWS * PANEL];
  const long count = (columns + LANES - 1) / LANES;
  /* Where rows of C lie side by side, a row may be written to the end of its last vector before the next ones are. */
  const long beyond = !more && columns == c_row && depth <= DEPTH ? (count * LANES - 1) / columns : rows;
  T *const to_edge = edge;
  for (long row = 0, taken; row < rows; row += taken) {
    /* Tiles of about equal heights, unless copies of A have been made for tiles of ROWS rows. */
    const long left = rows - row, tiles = (left + ROWS - 1) / ROWS;
    taken = a_strip == ROWS * a_row && tiles < ROWS ? (left + tiles - 1) / tiles : least(left, ROWS);
    const int whole = columns % LANES == 0 || row + taken + beyond <= rows;
    T *const to = whole ? c : to_edge;
    const long to_row = whole ? c_row : PANEL;
    const long line = ahead->count ? (ahead->count * row << 16) / rows : 0; /* divisions take long beside a few rows */
    const long pace = ahead->count ? (ahead->count * taken << 16) / (rows * depth) : 0;
    if (whole && !more) /* what is only written would be fetched at the end */
      ROLLED
      for (long r = 0; r < taken; r++)
        ROLLED
        for (long i = 0; i < columns; i += 64 / sizeof(T)) __builtin_prefetch(c + r * c_row + i, 1, 3);
    if (!whole && more)
      for (long r = 0; r < taken; r++)
        for (long i = 0; i < columns; i++) edge[r * PANEL + i] = c[r * c_row + i];
    long k = 0;
    do {
      const T *const x = a + k * a_column, *const y = b + k * b_row;
      const long part = least(depth - k, DEPTH), begin = line + k * pace;
      const int what = k ? ADDED : more;
      switch (taken) {
        case 1: TILE1(count, x, a_row, a_column, y, b_row, part, to, to_row, what, ahead, begin, pace); break;
        case 2: TILE2(count, x, a_row, a_column, y, b_row, part, to, to_row, what, ahead, begin, pace); break;
        case 3: TILE3(count, x, a_row, a_column, y, b_row, part, to, to_row, what, ahead, begin, pace); break;
        case 4: TILE4(count, x, a_row, a_column, y, b_row, part, to, to_row, what, ahead, begin, pace); break;
        case 5: TILE5(count, x, a_row, a_column, y, b_row, part, to, to_row, what, ahead, begin, pace); break;
        default: TILE6(count, x, a_row, a_column, y, b_row, part, to, to_row, what, ahead, begin, pace);
      }
    } while ((k += DEPTH) < depth);
    if (!whole)
      for (long r = 0; r < taken; r++)
        for (long i = 0; i < columns; i++) c[r * c_row + i] = edge[r * PANEL + i];
    a += taken == ROWS ? a_strip : taken * a_row;
    c += taken * c_row;
  }
}

#endif

/* The number at an address, or it and those that follow at steps of `next`, at most `count` of them. */
INLINE T NUMBER(const int narrow, const void *b, long at, long next, long count) {
#ifdef PAIRED
  const unsigned short *const x = (const unsigned short *)b + at;
  return (union bits){x[0] | (count > 1 ? (unsigned)x[next] << 16 : 0)}.number;
#elif defined QUADS
  const unsigned char *const x = (const unsigned char *)b + at;
  unsigned all = 0;
  (void)narrow;
  if (next == 1 && count >= 4)
    __builtin_memcpy(&all, x, 4);
  else if (count >= 4)
    all = x[0] | (unsigned)x[next] << 8 | (unsigned)x[2 * next] << 16 | (unsigned)x[3 * next] << 24;
  else
    for (long i = 0; i < count; i++) all |= (unsigned)x[i * next] << 8 * i;
  return (T)all;
#elif defined WHOLE_PAIRS
  const unsigned second = count > 1 ? (unsigned)widened_int(narrow, b, at + next) << 16 : 0;
  return (T)((widened_int(narrow, b, at) & 0xffffu) | second);
#else
  (void)next, (void)count;
  return narrow ? (T)WIDENED(narrow, b, at) : ((const T *)b)[at];
#endif
}

/* NUMBER of B. */
INLINE T OTHER(const int narrow, const void *b, long at, long next, long count) {
#ifdef QUADS
  return (T)((unsigned)NUMBER(narrow, b, at, next, count) ^ FLIP(narrow));
#else
  return NUMBER(narrow, b, at, next, count);
#endif
}

/* The number at an address of B, or of A then. */
INLINE T ALONE(const void *b, long at) { return SAME ? (T)WIDENED(SAME, b, at) : ((const T *)b)[at]; }

/* The number at an address of B as it is multiplied. */
INLINE T ALONE_OF_B(const void *b, long at) {
#ifdef QUADS
  return ALONE(b, at) + EXCESS(SAME);
#else
  return ALONE(b, at);
#endif
}

#ifdef BOTH_BF16
typedef unsigned short SHORTS __attribute__((vector_size(LANES * 2), aligned(2), may_alias));
typedef unsigned WORDS __attribute__((vector_size(BYTES)));
INLINE WORDS LOAD_WORDS(const int narrow, const void *b, long at) {
  (void)narrow;
  return __builtin_convertvector(*(const SHORTS *)((const unsigned short *)b + at), WORDS);
}
#endif

#if defined QUADS || defined WHOLE_PAIRS
typedef unsigned char OCTETS __attribute__((vector_size(LANES), aligned(1), may_alias));
typedef signed char SIGNED_OCTETS __attribute__((vector_size(LANES), aligned(1), may_alias));
typedef unsigned WORDS __attribute__((vector_size(BYTES)));
INLINE WORDS LOAD_WORDS(const int narrow, const void *b, long at) {
  const char *const x = (const char *)b + at;
#ifdef WHOLE_PAIRS
  if (narrow == I8) return (WORDS)__builtin_convertvector(*(const SIGNED_OCTETS *)x, VECTOR) & 0xffffu;
#endif
  (void)narrow;
  return __builtin_convertvector(*(const OCTETS *)x, WORDS);
}
#endif

/* Whether LOAD reads numbers of a kind. */
INLINE int LOADED(const int narrow) {
#if defined QUADS || defined WHOLE_PAIRS || defined BOTH_BF16
  return (void)narrow, 1;
#else
  return !narrow || narrow == F16;
#endif
}

/* The numbers at adjacent addresses of B, or each with those that follow at steps of `next`, of which there are
   `count`. */
INLINE VECTOR LOAD(const int narrow, const void *b, long at, long next, long count) {
#if defined QUADS || defined WHOLE_PAIRS
  WORDS all = LOAD_WORDS(narrow, b, at);
  for (int i = 1; i < PER; i++)
    if (i < count) all |= LOAD_WORDS(narrow, b, at + i * next) << i * (32 / PER);
#ifdef QUADS
  all ^= FLIP(narrow);
#endif
  return (VECTOR)all;
#elif defined PAIRED
  return (VECTOR)(LOAD_WORDS(narrow, b, at) | (count > 1 ? LOAD_WORDS(narrow, b, at + next) << 16 : (WORDS){0}));
#elif defined BOTH_BF16
  (void)next, (void)count;
  return (VECTOR)(LOAD_WORDS(narrow, b, at) << 16);
#else
  (void)next, (void)count;
  if (narrow == F16) return (VECTOR)widened_halves(b, at);
  return *(const VECTOR *)((const T *)b + at);
#endif
}

/* LANES adjacent numbers, or as many pairs or fours of adjacent numbers. */
INLINE VECTOR LOAD_RUN(const void *b, long at) {
#ifdef PAIRED
  return *(const VECTOR *)((const unsigned short *)b + at);
#elif defined QUADS
  return *(const VECTOR *)((const char *)b + at);
#elif defined WHOLE_PAIRS
  typedef char RUN __attribute__((vector_size(2 * LANES), aligned(1), may_alias));
  typedef unsigned char UNSIGNED_RUN __attribute__((vector_size(2 * LANES), aligned(1), may_alias));
  typedef short SHORTS __attribute__((vector_size(BYTES)));
  const char *const x = (const char *)b + at;
  if (BOTH_BYTES == UI8) return (VECTOR)__builtin_convertvector(*(const UNSIGNED_RUN *)x, SHORTS);
  return (VECTOR)__builtin_convertvector(*(const RUN *)x, SHORTS);
#else
  return LOAD(SAME, b, at, 0, 1);
#endif
}

/* LOAD_RUN of B. */
INLINE VECTOR LOAD_RUN_OF_B(const void *b, long at) {
#ifdef QUADS
  return (VECTOR)((WORDS)LOAD_RUN(b, at) ^ FLIP(SAME));
#else
  return LOAD_RUN(b, at);
#endif
}

#if HAS_UNIT(2)
/* Add PER rows of B, or `depth` if that is less, to `count` vectors of each of some rows of C. */
INLINE void ADD_PART(const int rows, const int depth, const int count, VECTOR (*sum)[2], T (*x)[TOGETHER], long k,
                     const void *b, long b_row, long j) {
  VECTOR y[2];
  for (int v = 0; v < count; v++) y[v] = LOAD(SAME, b, k * b_row + j + v * LANES, b_row, depth < PER ? depth : PER);
  UNROLL
  for (int r = 0; r < rows; r++)
    for (int v = 0; v < count; v++) sum[r][v] = ADD_TIMES(sum[r][v], y[v], &x[r][k / PER]);
}

/* Add `steps` rows of B, each times a number of A. For one row of C, there are `depth`, and code without a loop. The
   first `kept` numbers of C in a single vector stay as they are. */
INLINE void ADD_VECTORS(const int rows, const int depth, long steps, const int count, T (*x)[TOGETHER], const void *b,
                        long b_row, long j, T *c, long c_row, int more, long kept) {
  VECTOR sum[MOST_ADDED][2];
  UNROLL
  for (int r = 0; r < rows; r++)
    for (int v = 0; v < count; v++) sum[r][v] = more ? ((const VECTOR *)(c + r * c_row + j))[v] : (VECTOR){0};
  UNROLL
  for (int k = 0; rows == 1 && k < depth; k += PER) ADD_PART(rows, depth, count, sum, x, k, b, b_row, j);
  for (long k = 0; rows > 1 && k < steps; k += PER) ADD_PART(rows, depth, count, sum, x, k, b, b_row, j);
  UNROLL
  for (int r = 0; r < rows; r++) {
    VECTOR *const to = (VECTOR *)(c + r * c_row + j);
    if (kept) {
      typedef __typeof__((VECTOR){0} < (VECTOR){0}) WORDS;
      VECTOR place;
      for (int i = 0; i < LANES; i++) place[i] = i;
      const WORDS stays = place < (VECTOR){0} + (T)kept;
      sum[r][0] = (VECTOR)(((WORDS)*to & stays) | ((WORDS)sum[r][0] & ~stays));
    }
    for (int v = 0; v < count; v++) to[v] = sum[r][v];
  }
}

/* The same for any number of columns. */
INLINE void ADD_ROWS(const int rows, const int depth, long steps, const char *a, long a_row, long a_column, const void *b,
                     long b_row, long columns, T *c, long c_row, int more) {
  CONTRACT
  T x[MOST_ADDED][TOGETHER];
  for (int r = 0; r < rows; r++)
    for (long k = 0; k < steps; k += PER)
      x[r][k / PER] = NUMBER(SAME, a, r * a_row + k * a_column, a_column, depth < PER ? depth : PER);
  long j = 0;
  for (; rows > 1 && j + 2 * LANES <= columns; j += 2 * LANES)
    ADD_VECTORS(rows, depth, steps, 2, x, b, b_row, j, c, c_row, more, 0);
  for (; j + LANES <= columns; j += LANES) ADD_VECTORS(rows, depth, steps, 1, x, b, b_row, j, c, c_row, more, 0);
  if (j && j < columns) {
    const long last = columns - LANES;
    ADD_VECTORS(rows, depth, steps, 1, x, b, b_row, last, c, c_row, more, j - last);
    return;
  }
  for (; j < columns; j++)
    for (int r = 0; r < rows; r++) {
      T sum = more ? c[r * c_row + j] : 0;
      for (long k = 0; k < steps; k++) sum += ALONE_OF_B(b, k * b_row + j) * ALONE(a, r * a_row + k * a_column);
      c[r * c_row + j] = sum;
    }
}

/* One row of A times a few whole vectors of columns, whose sums stay in registers; they are those of ADD_ROWS. */
INLINE void ADD_NARROW(const int count, const char *a, long a_column, const char *b, long b_row, long depth, T *c) {
  CONTRACT
  VECTOR total[VECTORS] = {0};
  for (long k = 0; k < depth;) {
    VECTOR sum[VECTORS] = {0};
    const long end = least(k + DEPTH, depth);
    ROLLED
    for (; k < end; k++) {
      const T x = NUMBER(SAME, a, k * a_column, 0, 1);
      UNROLL
      for (int v = 0; v < count; v++) sum[v] = ADD_TIMES(sum[v], LOAD(SAME, b, k * b_row + v * LANES, 0, 1), &x);
    }
    for (int v = 0; v < count; v++) total[v] += sum[v];
  }
  for (int v = 0; v < count; v++) ((VECTOR *)c)[v] = total[v];
}

SHARED void BY_ROWS(long rows, long columns, const char *a, long a_row, long a_column, const char *b, long b_row, long depth,
                    T *c, long c_row) {
  const long size = bytes_of(1, SAME, sizeof(T));
  if (PER == 1 && rows == 1 && columns % LANES == 0 && columns <= VECTORS * LANES) {
    const long count = columns / LANES;
    if (count == 1) ADD_NARROW(1, a, a_column, b, b_row, depth, c);
    else if (VECTORS < 3 || count == VECTORS) ADD_NARROW(VECTORS, a, a_column, b, b_row, depth, c);
    else if (count == 2) ADD_NARROW(2, a, a_column, b, b_row, depth, c);
    else ADD_NARROW(VECTORS - 1, a, a_column, b, b_row, depth, c);
    return;
  }
  T part[MOST_READ * NEAR]; /* partial sums after the first ones */
  for (; rows > MOST_READ && depth > DEPTH; rows -= MOST_READ, a += MOST_READ * a_row * size, c += MOST_READ * c_row)
    BY_ROWS(MOST_READ, columns, a, a_row, a_column, b, b_row, depth, c, c_row);
  for (long j = 0; j < columns; j += NEAR) {
    const long width = least(columns - j, NEAR);
    for (long k = 0, taken; k < depth; k += taken) {
      const long within = k % (DEPTH * PER), rest = least(depth - k, DEPTH * PER - within);
      taken = rest >= TOGETHER ? TOGETHER : PER == 1 && rows > 2 ? rest : 1;
      T *const sums = k - within ? part : c + j;
      const long row = k - within ? NEAR : c_row;
      for (long r = 0, added; r < rows; r += added) {
        const char *const x = a + (r * a_row + k * a_column) * size, *const y = b + (k * b_row + j) * size;
        T *const z = sums + r * row;
        const long left = rows - r, parts = (left + MOST_ADDED - 1) / MOST_ADDED;
        added = taken == 1 ? 1 : (left + parts - 1) / parts;
        if (taken == 1) {
          ADD_ROWS(1, 1, 1, x, a_row, a_column, y, b_row, width, z, row, within > 0);
          continue;
        }
        switch (added) {
          case 1: ADD_ROWS(1, TOGETHER, TOGETHER, x, a_row, a_column, y, b_row, width, z, row, within > 0); break;
          case 2: ADD_ROWS(2, TOGETHER, taken, x, a_row, a_column, y, b_row, width, z, row, within > 0); break;
          case 3: ADD_ROWS(3, TOGETHER, taken, x, a_row, a_column, y, b_row, width, z, row, within > 0); break;
          case 4: ADD_ROWS(4, TOGETHER, taken, x, a_row, a_column, y, b_row, width, z, row, within > 0); break;
          case 5: ADD_ROWS(MOST_ADDED < 5 ? MOST_ADDED : 5, TOGETHER, taken, x, a_row, a_column, y, b_row, width, z, row, within > 0); break;
          default: ADD_ROWS(MOST_ADDED, TOGETHER, taken, x, a_row, a_column, y, b_row, width, z, row, within > 0);
        }
      }
      if (k - within && taken == rest)
        for (long r = 0; r < rows; r++)
          for (long i = 0; i < width; i++) c[r * c_row + j + i] += part[r * NEAR + i];
    }
  }
}

#endif

/* Transpose LANES columns of B, of LANES contiguous numbers or pairs each, to rows that are `to_row` numbers apart, the
   first `count` of which are wanted. */
INLINE void TRANSPOSE(const int narrow, const void *b, long at, long b_column, T *to, long to_row, long count) {
  VECTOR x[LANES], y[LANES];
  for (int i = 0; i < LANES; i++) {
    T numbers[LANES];
    for (int j = 0; j < LANES; j++) numbers[j] = OTHER(narrow, b, at + i * b_column + j * PER, 1, PER);
    x[i] = *(const VECTOR *)numbers;
    if (PER == 1 && LOADED(narrow)) x[i] = LOAD(narrow, b, at + i * b_column, 0, 1);
  }
  for (int half = 1; half < LANES; half *= 2) {
    for (int i = 0; i < LANES / 2; i++) {
      y[2 * i] = __builtin_shufflevector(x[i], x[i + LANES / 2], LANES_SIZE(LOW));
      y[2 * i + 1] = __builtin_shufflevector(x[i], x[i + LANES / 2], LANES_SIZE(HIGH));
    }
    for (int i = 0; i < LANES; i++) x[i] = y[i];
  }
  UNROLL
  for (int i = 0; i < LANES; i++)
    if (i < count) *(VECTOR *)(to + i * to_row) = x[i];
}

/* Copy columns of B, of `count` numbers each, to rows that are `to_row` numbers apart, with zeros to the end of the last
   vector. */
INLINE void COPY(const int narrow, const void *b, long b_row, long b_column, long count, long columns, T *rows, long to_row) {
  const long depth = (count + PER - 1) / PER;
  long transposed = 0, done = 0; /* how many columns and rows are transposed in squares */
  if (b_row == 1 && b_column != 1) {
    done = count / PER;
    /* The last squares begin where they are whole. Of fewer rows, they reach into the next columns, but not past B. */
    const long last = done < LANES ? (columns - 1) * b_column + count - LANES * PER : columns * b_column;
    for (; transposed + LANES <= columns; transposed += LANES) {
      char copy[2 * LANES * LANES * sizeof(T)];
      const char *from = (const char *)b + bytes_of(transposed * b_column, narrow, sizeof(T));
      if ((transposed + LANES - 1) * b_column > last) {
        if (b_column > 2 * LANES * PER) break;
        __builtin_memcpy(copy, from, bytes_of((LANES - 1) * b_column + count, narrow, sizeof(T)));
        from = copy;
      }
      for (long k = 0; k < done; k += LANES) {
        const long row = done < LANES ? 0 : least(k, done - LANES);
        TRANSPOSE(narrow, from, row * PER, b_column, rows + row * to_row + transposed, to_row, done);
      }
    }
  }
  const long width = (columns + LANES - 1) / LANES * LANES;
  for (long k = 0; k < depth; k++) {
    const long row = k * PER * b_row, left = count - k * PER;
    T *const to = rows + k * to_row;
    const long first = k < done ? transposed : 0;
    if (b_column == 1) {
      long j = 0;
      for (; LOADED(narrow) && j + LANES <= columns; j += LANES) *(VECTOR *)(to + j) = LOAD(narrow, b, row + j, b_row, left);
      for (; j < columns; j++) to[j] = OTHER(narrow, b, row + j, b_row, left);
    } else {
      for (long j = first; j < columns; j++) to[j] = OTHER(narrow, b, row + j * b_column, b_row, left);
    }
    for (long j = columns; j < width; j++) to[j] = 0;
  }
}

MAYBE_UNUSED INLINE void PACK(const int narrow, const void *b, long b_row, long b_column, long count, long columns, T *panel) {
  COPY(narrow, b, b_row, b_column, count, columns, panel, PANEL);
}

INLINE T TOTAL(VECTOR sum) {
  T part[LANES];
  *(VECTOR *)part = sum;
  for (int half = LANES / 2; half; half /= 2)
    for (int i = 0; i < half; i++) part[i] += part[i + half];
  return part[0];
}

#if HAS_UNIT(2)
/* Add the products of some numbers, or of pairs of them. */
INLINE VECTOR ADD_PRODUCTS(VECTOR sum, VECTOR x, VECTOR y) {
  CONTRACT
#ifdef PAIRED
  __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
  return sum;
#elif defined QUADS || defined WHOLE_PAIRS
  return ADD_BYTES(sum, x, y);
#else
  return sum + x * y;
#endif
}

/* The last numbers of a run of `depth` that whole vectors have not taken, behind zeros for those that they have. */
INLINE VECTOR LOAD_REST(const void *b, long at, long depth) {
  VECTOR last = LOAD_RUN(b, at + depth - LANES);
  for (int i = 0; i < LANES; i++) last[i] = i < LANES - depth % LANES ? 0 : last[i];
  return last;
}

/* Where a partial sum ends that begins at `k` and has DEPTH terms in each lane: the last one has what is left of a step. */
INLINE long PART_END(long k, long step, long depth) { return depth - k < (DEPTH + 1) * step ? depth : k + DEPTH * step; }

/* Multiply rows of A by columns of B, both contiguous. */
INLINE void DOTS(const int rows, const int columns, const char *a, long a_row, const char *b, long b_column, long depth,
                 T *c, long c_row) {
  CONTRACT
  enum { RUN = LANES * PER };
  VECTOR total[4][4] = {0};
  long k = 0;
  do {
    VECTOR sum[4][4] = {0};
    const long end = PART_END(k, RUN, depth);
    for (; k + RUN <= end; k += RUN) {
      VECTOR x[4];
      UNROLL
      for (int r = 0; r < rows; r++) x[r] = LOAD_RUN(a, r * a_row + k);
      UNROLL
      for (int j = 0; j < columns; j++) {
        const VECTOR y = LOAD_RUN_OF_B(b, j * b_column + k);
        /* Not into the nearest cache, as tiles do: that took up to twice as long, as it did without this for rows after the first. */
        __builtin_prefetch(b + bytes_of((j + COLUMNS_AHEAD) * b_column + k, SAME, sizeof(T)), 0, 2);
        UNROLL
        for (int r = 0; r < rows; r++) sum[r][j] = ADD_PRODUCTS(sum[r][j], x[r], y);
      }
    }
    if (PER == 1 && k < end && k > 0) {
      VECTOR x[4];
      UNROLL
      for (int r = 0; r < rows; r++) x[r] = LOAD_REST(a, r * a_row, depth);
      UNROLL
      for (int j = 0; j < columns; j++) {
        const VECTOR y = LOAD_REST(b, j * b_column, depth);
        UNROLL
        for (int r = 0; r < rows; r++) sum[r][j] = ADD_PRODUCTS(sum[r][j], x[r], y);
      }
      k = depth;
    }
    UNROLL
    for (int r = 0; r < rows; r++)
      for (int j = 0; j < columns; j++) total[r][j] += sum[r][j];
  } while (k + RUN <= depth);
  for (int r = 0; r < rows; r++)
    for (int j = 0; j < columns; j++) {
      T sum = TOTAL(total[r][j]);
      for (long i = k; i < depth; i++) sum += ALONE(a, r * a_row + i) * ALONE_OF_B(b, j * b_column + i);
      c[r * c_row + j] = sum;
    }
}

/* Multiply one or two rows of A by a column of B, which is read from end to end: memory is fastest then. */
INLINE void DOT(const int rows, const char *a, long a_row, const char *b, long depth, T *c, long c_row) {
  CONTRACT
  enum { RUN = LANES * PER };
  const int chains = 4 / rows; /* of additions, each of which waits for the last one */
  VECTOR total[2] = {0};
  long k = 0;
  do {
    VECTOR sum[2][4] = {0};
    const long end = PART_END(k, RUN * chains, depth);
    for (; k + RUN * chains <= end; k += RUN * chains) {
      UNROLL
      for (int i = 0; i < chains; i++) {
        const VECTOR y = LOAD_RUN_OF_B(b, k + i * RUN);
        UNROLL
        for (int r = 0; r < rows; r++) sum[r][i] = ADD_PRODUCTS(sum[r][i], LOAD_RUN(a, r * a_row + k + i * RUN), y);
      }
    }
    for (; k + RUN <= end; k += RUN)
      for (int r = 0; r < rows; r++) sum[r][0] = ADD_PRODUCTS(sum[r][0], LOAD_RUN(a, r * a_row + k), LOAD_RUN_OF_B(b, k));
    if (PER == 1 && k < end && k > 0) {
      UNROLL
      for (int r = 0; r < rows; r++) sum[r][1] = ADD_PRODUCTS(sum[r][1], LOAD_REST(a, r * a_row, depth), LOAD_REST(b, 0, depth));
      k = depth;
    }
    for (int r = 0; r < rows; r++) {
      for (int i = 1; i < chains; i++) sum[r][0] += sum[r][i];
      total[r] += sum[r][0];
    }
  } while (k + RUN <= depth);
  for (int r = 0; r < rows; r++) {
    T sum = TOTAL(total[r]);
    for (long i = k; i < depth; i++) sum += ALONE(a, r * a_row + i) * ALONE_OF_B(b, i);
    c[r * c_row] = sum;
  }
}

SHARED void BY_COLUMNS(long usual, long rows, long columns, const void *a, long a_row, const void *b, long b_column,
                       long depth, T *c, long c_row) {
  const long size = bytes_of(1, SAME, sizeof(T)), step = b_column * size;
  const char *const x = (const char *)a, *y = (const char *)b;
  long j = 0;
  if (usual <= 2) {
    for (; j < columns; j++, y += step)
      if (rows == 1) DOT(1, x, a_row, y, depth, c + j, c_row);
      else DOT(2, x, a_row, y, depth, c + j, c_row);
    return;
  }
  for (; j + 4 <= columns; j += 4, y += 4 * step) {
    long r = 0;
    for (; r + 4 <= rows; r += 4)
      for (int i = 0; i < 4; i += SUMS / 4)
        DOTS(4, SUMS / 4, x + r * a_row * size, a_row, y + i * step, b_column, depth, c + r * c_row + j + i, c_row);
    for (; r + 2 <= rows; r += 2)
      DOTS(2, 4, x + r * a_row * size, a_row, y, b_column, depth, c + r * c_row + j, c_row);
    if (r < rows) DOTS(1, 4, x + r * a_row * size, a_row, y, b_column, depth, c + r * c_row + j, c_row);
  }
  for (; j < columns; j++, y += step) {
    long r = 0;
    for (; r + 4 <= rows; r += 4) DOTS(4, 1, x + r * a_row * size, a_row, y, b_column, depth, c + r * c_row + j, c_row);
    for (; r < rows; r++)
      DOTS(1, 1, x + r * a_row * size, a_row, y, b_column, depth, c + r * c_row + j, c_row);
  }
}
#endif

#ifdef SCALED
typedef signed char NUMBERS __attribute__((vector_size(LANES), aligned(1), may_alias));
typedef int WHOLE __attribute__((vector_size(LANES * sizeof(int))));

/* The numbers of a vector of bytes, or of those that are the bytes' low bits. */
INLINE VECTOR LOW_BITS(const int narrow, WHOLE bytes) {
#if defined __clang__ && defined __AVX512F__
  if (narrow == I4)
    return __builtin_ia32_permvarsf512((VECTOR){0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1}, bytes);
#endif
  return __builtin_convertvector(narrow == I4 ? bytes << 28 >> 28 : bytes, VECTOR);
}

/* Multiply some numbers of a column by their scales; `first` is the place of the first in the column. */
INLINE void WIDEN(const int narrow, const char *column, const float *scales, long group, long first, long count, T *to) {
  const long step = narrow == I4 ? 2 * LANES : LANES;
  for (long i = 0; i < count;) {
    const long g = (first + i) / group, end = least(count, (g + 1) * group - first);
    const T scale = scales[g];
    for (; i + step <= end; i += step) {
      const WHOLE bytes = __builtin_convertvector(*(const NUMBERS *)(column + bytes_of(first + i, narrow, 0)), WHOLE);
      const VECTOR low = LOW_BITS(narrow, bytes) * scale;
      if (narrow == I4) {
        const VECTOR high = LOW_BITS(narrow, bytes >> 4) * scale;
        *(VECTOR *)(to + i) = __builtin_shufflevector(low, high, LANES_SIZE(LOW));
        *(VECTOR *)(to + i + LANES) = __builtin_shufflevector(low, high, LANES_SIZE(HIGH));
      } else
        *(VECTOR *)(to + i) = low;
    }
    for (; i < end; i++) to[i] = WIDENED(narrow, column, first + i) * scale;
  }
}

/* Multiply rows of A by columns of narrow numbers with a scale for each group, both contiguous. */
INLINE void NARROW_DOTS(const int narrow, const int rows, const int columns, const T *a, long a_row, const void *b,
                        const float *scales, long depth, long group, T *c, long c_row) {
  CONTRACT
  const long step = narrow == I4 ? 2 * LANES : LANES, groups = depth / group;
  VECTOR total[4][4] = {0};
  T rest[4][4] = {0};
  for (long g = 0; g < groups; g++) {
    VECTOR sum[4][4] = {0};
    long k = g * group;
    const long end = k + group;
    for (; k + step <= end; k += step) {
      VECTOR x[4], z[4];
      const long ahead = bytes_of(k, narrow, 0) / LANES;
      __builtin_prefetch((const char *)b + (columns + ahead % 4) * bytes_of(depth, narrow, 0) + ahead / 4 * 4 * LANES);
      for (int r = 0; r < rows; r++) {
        x[r] = *(const VECTOR *)(a + r * a_row + k);
        if (narrow == I4) {
          const VECTOR first = x[r], second = *(const VECTOR *)(a + r * a_row + k + LANES);
          x[r] = __builtin_shufflevector(first, second, LANES_SIZE(EVEN));
          z[r] = __builtin_shufflevector(first, second, LANES_SIZE(ODD));
        }
      }
      for (int j = 0; j < columns; j++) {
        const char *const from = (const char *)b + bytes_of(j * depth + k, narrow, 0);
        const WHOLE bytes = __builtin_convertvector(*(const NUMBERS *)from, WHOLE);
        const VECTOR low = LOW_BITS(narrow, bytes);
        if (narrow == I4) {
          const VECTOR high = LOW_BITS(narrow, bytes >> 4);
          for (int r = 0; r < rows; r++) sum[r][j] += z[r] * high;
        }
        for (int r = 0; r < rows; r++) sum[r][j] += x[r] * low;
      }
    }
    for (int j = 0; j < columns; j++) {
      const T scale = scales[j * groups + g];
      for (int r = 0; r < rows; r++) {
        total[r][j] += sum[r][j] * scale;
        for (long i = k; i < end; i++) rest[r][j] += a[r * a_row + i] * WIDENED(narrow, b, j * depth + i) * scale;
      }
    }
  }
  for (int r = 0; r < rows; r++)
    for (int j = 0; j < columns; j++) c[r * c_row + j] = TOTAL(total[r][j]) + rest[r][j];
}

/* The same for one row and one column of bytes, which is read from end to end. */
INLINE T BYTES_DOT(const T *a, const char *b, const float *scales, long depth, long group) {
  CONTRACT
  VECTOR total = {0};
  T rest = 0;
  for (long k = 0; k < depth; scales++) {
    const long end = k + group;
    VECTOR sum[4] = {0};
    for (; k + 4 * LANES <= end; k += 4 * LANES) {
      UNROLL
      for (int i = 0; i < 4; i++)
        sum[i] += *(const VECTOR *)(a + k + i * LANES) *
                  __builtin_convertvector(*(const NUMBERS *)(b + k + i * LANES), VECTOR);
    }
    for (; k + LANES <= end; k += LANES)
      sum[0] += *(const VECTOR *)(a + k) * __builtin_convertvector(*(const NUMBERS *)(b + k), VECTOR);
    total += ((sum[0] + sum[1]) + (sum[2] + sum[3])) * *scales;
    for (; k < end; k++) rest += a[k] * WIDENED(I8, b, k) * *scales;
  }
  return TOTAL(total) + rest;
}

/* The numbers of I4 in a vector of 32-bit words, whose multiples have one scale each, or half of them. */
enum { SPAN = 8 * LANES };
typedef int WORDS __attribute__((vector_size(LANES * sizeof(int)), aligned(1), may_alias));

/* Multiply rows of A by columns of I4, `count` numbers from the one at `first` on. The row of `reordered` has the numbers of
   each span in the order in which words give those of B: first those by which the lowest bits of each are multiplied. */
INLINE void SPANS_DOTS(const int rows, const int columns, const int halves, const T *reordered, const char *b,
                       const float *scales, long depth, long group, long first, long count, T *c, long c_row) {
  CONTRACT
  const long groups = depth / group;
  VECTOR total[2][4] = {0};
  for (long k = 0; k < count; k += SPAN)
    for (int j = 0; j < columns; j++) {
      const char *const from = b + (j * depth + first + k) / 2;
      const float *const scale = scales + j * groups + (first + k) / group;
      VECTOR sum[2][2], factor;
      __builtin_prefetch(from + FAR);
      const WHOLE words = *(const WORDS *)from;
      UNROLL
      for (int i = 0; i < 8; i++) {
        const VECTOR numbers = LOW_BITS(I4, words >> 4 * i);
        for (int r = 0; r < rows; r++) {
          const VECTOR products = numbers * ((const VECTOR *)(reordered + r * count + k))[i];
          sum[r][i % 2] = i < 2 ? products : sum[r][i % 2] + products;
        }
      }
      for (int i = 0; i < LANES; i++) factor[i] = scale[halves && i >= LANES / 2];
      for (int r = 0; r < rows; r++) total[r][j] += (sum[r][0] + sum[r][1]) * factor;
    }
  for (int r = 0; r < rows; r++)
    for (int j = 0; j < columns; j++) c[r * c_row + j] = (first ? c[r * c_row + j] : 0) + TOTAL(total[r][j]);
}

/* The same for any number of rows and columns. `space` has room for a number of each row at least. */
INLINE void SPANS_COLUMNS(const int halves, long rows, long columns, const T *a, long a_row, const char *b,
                          const float *scales, long depth, long group, T *c, long c_row, T *space, long room) {
  const long groups = depth / group, most = room / FEW_NARROW / SPAN * SPAN;
  for (long first = 0; first < depth; first += most) {
    const long count = least(depth - first, most);
    for (long r = 0; r < rows; r++)
      for (long k = 0; k < count; k += SPAN)
        for (long i = 0; i < SPAN; i++)
          space[r * count + k + i] = a[r * a_row + first + k + i % LANES * 8 + i / LANES];
    for (long j = 0; j < columns;) {
      const int together = columns - j >= 4 ? 4 : 1;
      const char *const y = b + j * depth / 2;
      const float *const factors = scales + j * groups;
      for (long r = 0; r < rows;) {
        const T *const x = space + r * count;
        T *const to = c + r * c_row + j;
        const int pair = rows - r >= 2;
        if (together == 1) SPANS_DOTS(1, 1, halves, x, y, factors, depth, group, first, count, to, c_row);
        else if (pair) SPANS_DOTS(2, 4, halves, x, y, factors, depth, group, first, count, to, c_row);
        else SPANS_DOTS(1, 4, halves, x, y, factors, depth, group, first, count, to, c_row);
        r += pair && together > 1 ? 2 : 1;
      }
      j += together;
    }
  }
}

INLINE void NARROW_COLUMNS(const int narrow, long rows, long columns, const T *a, long a_row, const char *b,
                           const float *scales, long depth, long group, T *c, long c_row, T *space, long room) {
  const long groups = depth / group, step = bytes_of(depth, narrow, 0);
  long j = 0;
  /* Vectors of 16 bytes are too short for that: it took 1.5 times as long. */
  if (narrow == I4 && LANES >= 8 && depth % SPAN == 0 && (group % SPAN == 0 || 2 * group == SPAN)) {
    if (group % SPAN == 0) SPANS_COLUMNS(0, rows, columns, a, a_row, b, scales, depth, group, c, c_row, space, room);
    else SPANS_COLUMNS(1, rows, columns, a, a_row, b, scales, depth, group, c, c_row, space, room);
    return;
  }
  if (narrow == I8 && rows == 1) {
    for (; j < columns; j++) c[j] = BYTES_DOT(a, b + j * step, scales + j * groups, depth, group);
    return;
  }
  for (; j + 4 <= columns; j += 4) {
    const char *const y = b + j * step;
    long r = 0;
    for (; r + 2 <= rows; r += 2)
      NARROW_DOTS(narrow, 2, 4, a + r * a_row, a_row, y, scales + j * groups, depth, group, c + r * c_row + j, c_row);
    for (; r < rows; r++)
      NARROW_DOTS(narrow, 1, 4, a + r * a_row, a_row, y, scales + j * groups, depth, group, c + r * c_row + j, c_row);
  }
  for (; j < columns; j++)
    for (long r = 0; r < rows; r++)
      NARROW_DOTS(narrow, 1, 1, a + r * a_row, a_row, b + j * step, scales + j * groups, depth, group, c + r * c_row + j,
                  c_row);
}
#endif

INLINE long OFFSET(const struct product *p, long count) { return bytes_of(count, p->narrow, sizeof(T)); }

struct JOB {
  const struct product *p __attribute__((aligned(64))); /* one cache line has what few pieces need */
  const char *a, *b;
  const float *scales;
  T *c;
  long tiled, row_parts, column_parts;
  const struct consumer *consumer;
  long rows; /* of the whole batch */
  struct pieces pieces;
};

/* Copy rows of A, of `count` numbers each, which are narrow or not contiguous: to rows if they are contiguous, else to
   strips of ROWS rows. */
INLINE void GATHER(const int narrow, const void *a, long a_row, long a_column, long rows, long count, T *strips) {
  const long whole = count / PER, depth = (count + PER - 1) / PER, rest = count - whole * PER;
  if (a_column == 1) {
    for (long r = 0; r < rows; r++, strips += depth) {
      long k = 0;
      for (; PER == 1 && LOADED(narrow) && k + LANES <= whole; k += LANES)
        *(VECTOR *)(strips + k) = LOAD(narrow, a, r * a_row + k, 0, 1);
      for (; k < whole; k++) strips[k] = NUMBER(narrow, a, r * a_row + k * PER, 1, PER);
      if (whole < depth) strips[whole] = NUMBER(narrow, a, r * a_row + whole * PER, 1, rest);
    }
    return;
  }
  for (long r = 0; r < rows; r += ROWS, strips += ROWS * depth) {
    /* Whole vectors, the rest of which is written over; LOAD would flip bytes that are in fours. */
    const int together = PER < 4 && LOADED(narrow) && a_row == 1 && r + (ROWS + LANES - 1) / LANES * LANES <= rows;
    const long height = least(rows - r, ROWS);
    for (long k = 0; k < depth; k++) {
      const long at = r * a_row + k * PER * a_column, taken = k < whole ? PER : rest;
      T *const to = strips + k * ROWS;
      for (long i = 0; together && i < ROWS; i += LANES) *(VECTOR *)(to + i) = LOAD(narrow, a, at + i, a_column, taken);
      for (long i = 0; !together && i < height; i++) to[i] = NUMBER(narrow, a, at + i * a_row, a_column, taken);
    }
  }
}

#if HAS_UNIT(0)
APART void COPY_PLAIN(const void *b, long b_row, long b_column, long count, long columns, T *rows, long to_row) {
  COPY(0, b, b_row, b_column, count, columns, rows, to_row);
}

/* Multiply few rows of A by two panels of a packed B: one has too few sums to hide how long an addition takes. */
INLINE void TWO_PANELS(const int rows, const T *a, long a_row, long a_column, const T *b, long depth, T *c, long c_row) {
  CONTRACT
  for (long k = 0, more = 0; k < depth || !more; more = 1) {
    VECTOR sum[MOST_PAIRED][2 * VECTORS] = {0};
    for (const long end = least(k + DEPTH, depth); k < end; k++) {
      UNROLL
      for (int v = 0; v < 2 * VECTORS; v++) {
        const VECTOR y = ((const VECTOR *)(b + (k + v / VECTORS * depth) * PANEL))[v % VECTORS];
        UNROLL
        for (int r = 0; r < rows; r++) sum[r][v] = ADD_TIMES(sum[r][v], y, a + r * a_row + k * a_column);
      }
    }
    UNROLL
    for (int r = 0; r < rows; r++)
      for (int v = 0; v < 2 * VECTORS; v++) {
        VECTOR *const to = (VECTOR *)(c + r * c_row) + v;
        if (more) sum[r][v] += *to;
        *to = sum[r][v];
      }
  }
}

static void WHOLE_PIECE(const struct product *p, const char *a, const char *b, const float *scales, T *c, long row,
                        long row_end, long column, long column_end) {
  T panel[DEPTH * GROUP] __attribute__((aligned(64))), strips[DEPTH * PIECE_ROWS];
#ifdef SCALED
  T wide[DEPTH * PANEL];
#endif
  const long a_size = bytes_of(1, p->a_narrow, sizeof(T)), groups = p->group ? p->k / p->group : 0;
  a += row * p->a_row * a_size;
  b += OFFSET(p, column * (p->width ? p->k : p->b_column));
  scales += column * groups;
  c += row * p->n + column;
  const long rows = row_end - row;
  long columns = column_end - column;
  const int same = p->narrow == SAME && p->a_narrow == SAME;
  /* Where a row has the same bits in any batch, no product has as many rows as usual, and columns may be the batch. */
  const int few_columns = p->n <= LANES / 2 && p->k >= LANES * LEAST_RUN && p->usual == p->m;
  /* A column of B with fewer numbers than a few vectors is rather transposed with others. */
  const int deep = p->k >= LANES * PER * (p->usual <= 2 && PER == 1 ? 2 : 4);
  if (same && p->b_row == 1 && p->b_column != 1 && p->a_column == 1 && ((p->usual <= FEW && deep) || few_columns)) {
    BY_COLUMNS(p->usual, rows, columns, a, p->a_row, b, p->b_column, p->k, c, p->n);
    return;
  }
  /* Few contiguous rows of B become such columns. */
  if (!SAME && same && few_columns && p->usual > FEW && p->b_column == 1 && p->a_column == 1 && !p->width &&
      p->k * p->n <= DEPTH * PIECE_ROWS) {
    for (long k = 0; k < p->k; k++)
      for (long j = 0; j < columns; j++) strips[j * p->k + k] = ((const T *)b)[k * p->b_row + j];
    BY_COLUMNS(p->usual, rows, columns, a, p->a_row, strips, p->k, p->k, c, p->n);
    return;
  }
  /* Of different types, few rows and some columns are widened so that both stay in a near cache. */
  if (!SAME && (p->narrow || p->a_narrow) && !p->group && p->b_row == 1 && p->b_column != 1 && p->a_column == 1 &&
      p->usual <= FEW && p->k * (rows > 2 ? 4 : 1) <= DEPTH * GROUP && rows * p->k <= DEPTH * PIECE_ROWS) {
    switch (p->a_narrow) {
      case KIND: GATHER(KIND, a, p->a_row, 1, rows, p->k, strips); break;
      default: GATHER(0, a, p->a_row, 1, rows, p->k, strips);
    }
    for (long j = 0, width; j < columns; j += width) {
      const char *const y = b + OFFSET(p, j * p->b_column);
      width = least(columns - j, !p->narrow ? columns : p->k * 4 <= DEPTH * GROUP ? 4 : 1);
      switch (p->narrow) {
        case KIND: GATHER(KIND, y, p->b_column, 1, width, p->k, panel); BY_COLUMNS(p->usual, rows, width, strips, p->k, panel, p->k, p->k, c + j, p->n); break;
        default: BY_COLUMNS(p->usual, rows, width, strips, p->k, y, p->b_column, p->k, c + j, p->n);
      }
    }
    return;
  }
  const int far = OFFSET(p, p->k * p->n) >= LEAST_FAR;
  /* Without pairs, this rounds as tiles do; a few rows of B are too few for tiles. */
  const int few_rows = (PER > 1 ? p->usual : p->m) <= (far && !SAME ? MOST_READ : FEWEST);
  const int shallow = PER == 1 && p->k <= TOGETHER;
  if (same && p->b_column == 1 && p->n >= LANES && (few_rows || shallow) && p->k > 0 && !p->width) {
    BY_ROWS(rows, columns, a, p->a_row, p->a_column, b, p->b_row, p->k, c, p->n);
    return;
  }
#ifdef SCALED
  if (p->a_column == 1 && p->usual <= FEW_NARROW) switch (p->narrow) {
      case KIND: if (p->group == USUAL) NARROW_COLUMNS(KIND, rows, columns, (const T *)a, p->a_row, b, scales, p->k, USUAL, c, p->n, strips, DEPTH * PIECE_ROWS); else NARROW_COLUMNS(KIND, rows, columns, (const T *)a, p->a_row, b, scales, p->k, p->group, c, p->n, strips, DEPTH * PIECE_ROWS); return;
    }
#endif
  for (; p->width == PANEL && p->m <= MOST_PAIRED && columns >= 2 * PANEL; columns -= 2 * PANEL) {
    if (p->m == 1) TWO_PANELS(1, (const T *)a, p->a_row, p->a_column, (const T *)b, p->k, c, p->n);
    else if (p->m == 2) TWO_PANELS(2, (const T *)a, p->a_row, p->a_column, (const T *)b, p->k, c, p->n);
    else TWO_PANELS(MOST_PAIRED, (const T *)a, p->a_row, p->a_column, (const T *)b, p->k, c, p->n);
    b += OFFSET(p, 2 * PANEL * p->k);
    c += 2 * PANEL;
  }
  if (!columns) return;
  const int direct = p->width || (p->b_column == 1 && !p->narrow && (p->m <= (far ? FEW_FAR : FEW) || p->k * p->b_row * (long)sizeof(T) <= CLOSE));
#if defined PAIRED || defined QUADS
  const int gathered = p->a_column != 1 || p->a_row % PER || p->k % PER;
#else
  const int gathered = p->a_narrow || (p->a_column != 1 && rows > ROWS && columns > PANEL);
#endif
  const long group = p->width ? p->width : direct || p->b_column != 1 ? PANEL : GROUP;
  const long most = (p->width && !gathered ? PACKED_DEPTH : DEPTH) * PER;
  for (long k = 0; k < p->k || !k; k += most) {
    const long count = least(p->k - k, most), depth = (count + PER - 1) / PER;
    const char *const x = a + k * p->a_column * a_size;
    const T *left = (const T *)x;
    long a_row = p->a_row / PER, a_column = p->a_column;
    if (gathered) {
      switch (p->a_narrow) {
        case KIND: GATHER(KIND, x, p->a_row, p->a_column, rows, count, strips); break;
        default: GATHER(0, x, p->a_row, p->a_column, rows, count, strips);
      }
      left = strips;
      a_row = p->a_column == 1 ? depth : 1;
      a_column = p->a_column == 1 ? 1 : ROWS;
    }
    for (long j = 0; j < columns; j += group) {
      const long width = least(columns - j, group), panels = (width + PANEL - 1) / PANEL;
      const int last = j + group >= columns;
      const long b_column = p->width ? p->k : p->b_column;
      const char *const y = b + OFFSET(p, k * p->b_row + j * b_column);
      const long next_k = last ? k + most : k, next_count = least(p->k - next_k, most);
      const char *const next = b + OFFSET(p, next_k * p->b_row + (last ? 0 : j + group) * b_column);
      struct AHEAD ahead = {next, OFFSET(p, p->b_row), direct ? SHIFT : GROUP_SHIFT, 0};
      ahead.count = next_count << ahead.shift;
      if (p->width)
        ahead = (struct AHEAD){next, 64, 0, next_count * p->width * (long)sizeof(T) / 64};
      else if (p->b_column != 1) {
        long shift = TRANSPOSED_SHIFT;
        while (shift && OFFSET(p, next_count) <= 32 << shift) shift--; /* short columns have fewer lines */
        ahead = (struct AHEAD){next, OFFSET(p, p->b_column), shift, PANEL << shift};
      }
      if (p->narrow && ahead.shift) ahead.shift--, ahead.count /= 2;
      ahead.count = next_count > 0 ? ahead.count / panels : 0;
      /* The rows that are read in place. The last vector of a row may end in the next one, but not after B. */
      long lying = p->width ? depth : 0;
      if (direct && !p->width) {
        const long room = (p->k - 1) * p->b_row + p->n - column - j - (width + LANES - 1) / LANES * LANES;
        if (width % LANES == 0)
          lying = depth;
        else if (room >= 0 && p->b_row > 0 && depth > COPIED_ROWS * rows)
          lying = least(depth, room / p->b_row < k ? 0 : room / p->b_row + 1 - k);
        if (k && lying < depth) lying = 0; /* one partial sum is not begun twice */
      }
      for (long i = 0; i < width && lying < depth; i += PANEL) {
        const char *const from = y + OFFSET(p, lying * p->b_row + i * p->b_column);
        const long packed = least(width - i, PANEL);
        switch (p->narrow) {
#ifdef SCALED
          case KIND: for (long s = 0; s < packed; s++) WIDEN(KIND, b + OFFSET(p, (j + i + s) * p->b_column), scales + (j + i + s) * groups, p->group, k, count, wide + s * DEPTH); break;
#else
          case KIND: PACK(KIND, from, p->b_row, p->b_column, count, packed, panel + i * DEPTH); break;
#endif
          default: COPY_PLAIN(from, p->b_row, p->b_column, count - lying, packed, panel + i * DEPTH, PANEL);
        }
#ifdef SCALED
        PACK(0, wide, 1, DEPTH, count, packed, panel + i * DEPTH);
#endif
      }
      for (long i = 0; i < width; i += PANEL) {
        const long wide_step = ROWS * (gathered ? depth : a_row), taken = least(width - i, PANEL);
        T *const to = c + j + i;
        if (lying)
          STRIP(rows, taken, left, wide_step, a_row, a_column, (const T *)y + i, p->b_row, lying, to, p->n, k ? ADDED : FIRST, &ahead);
        if (lying < depth || !lying)
          STRIP(rows, taken, left + lying * a_column, wide_step, a_row, a_column, panel + i * DEPTH, PANEL, depth - lying,
                to, p->n, k ? ADDED : lying ? CONTINUED : FIRST, &ahead);
        ahead.from += (ahead.count >> ahead.shift) * ahead.step;
      }
    }
  }
}

#ifdef BOTH_WIDE
/* Whether a piece is computed as the transposed product: columns of B are read in place, as rows of A otherwise are, and
   rows of A are copied to panels, which must be worth it: a row of a panel takes as long whether it is full or not. */
INLINE int IS_TURNED(const struct product *p, long rows, long columns) {
  const int few = p->a_column == 1 && (p->usual <= FEW || (p->n <= LANES / 2 && p->usual == p->m));
  const long empty = (rows + PANEL - 1) / PANEL * PANEL - rows;
  const float copied = (float)rows / columns + (float)rows / p->k; /* to panels, and from the transposed product */
  return p->b_row == 1 && p->b_column != 1 && !p->width && !few && rows <= PIECE_ROWS &&
         empty + COPYING * copied < COPYING;
}

/* Sums have the same terms in the same order as elsewhere. */
APART void TURNED_PIECE(const struct product *p, const T *a, const T *b, T *c, long rows, long columns) {
  _Static_assert(TURNED / sizeof(T) >= DEPTH * ((PIECE_ROWS + PANEL - 1) / PANEL * PANEL), "partial sums are not cut");
  T panels[TURNED / sizeof(T)] __attribute__((aligned(64))), sums[2 * TURNED / sizeof(T)] __attribute__((aligned(64)));
  const long room = TURNED / sizeof(T), wide = (rows + LANES - 1) / LANES * LANES, count = (rows + PANEL - 1) / PANEL;
  const long deep = room / (count * PANEL) < 2 * DEPTH ? DEPTH : 2 * DEPTH, most = 2 * room / wide;
  const long shift = TRANSPOSED_SHIFT + (deep > DEPTH), b_column = p->b_column;
  for (long j = 0, taken; j < columns; j += taken, b += taken * b_column) {
    taken = least(columns - j, most);
    for (long k = 0; k < p->k; k += deep) {
      const long depth = least(p->k - k, deep);
      for (long r = 0; r < rows; r += PANEL)
        COPY_PLAIN(a + r * p->a_row + k * p->a_column, p->a_column, p->a_row, depth, least(rows - r, PANEL),
                   panels + r * deep, PANEL);
      for (long i = 0, height; i < taken; i += height) {
        height = least(taken - i, TURNED_COLUMNS);
        const long next = least(taken - i - height, TURNED_COLUMNS);
        struct AHEAD ahead = {(const char *)(b + (i + height) * b_column + k), b_column * (long)sizeof(T), shift,
                              (next << shift) / count};
        for (long r = 0; r < wide; r += PANEL) {
          STRIP(height, least(wide - r, PANEL), b + i * b_column + k, ROWS * b_column, b_column, 1, panels + r * deep, PANEL,
                depth, sums + i * wide + r, wide, k ? ADDED : FIRST, &ahead);
          ahead.from += (ahead.count >> shift) * ahead.step;
        }
      }
    }
    const long whole = taken / LANES * LANES;
    COPY_PLAIN(sums, 1, wide, rows, whole, c + j, p->n);
    for (long i = whole; i < taken; i++)
      for (long r = 0; r < rows; r++) c[r * p->n + j + i] = sums[i * wide + r];
  }
}
#endif

static void PIECE(const struct product *p, const char *a, const char *b, const float *scales, T *c, long row, long row_end,
                  long column, long column_end) {
#ifdef BOTH_WIDE
  const long rows = row_end - row, columns = column_end - column;
  if (IS_TURNED(p, rows, columns)) {
    TURNED_PIECE(p, (const T *)a + row * p->a_row, (const T *)b + column * p->b_column, c + row * p->n + column, rows,
                 columns);
    return;
  }
#endif
  WHOLE_PIECE(p, a, b, scales, c, row, row_end, column, column_end);
#ifdef QUADS
  const int excess = EXCESS(p->narrow);
  for (long r = row; excess && r < row_end; r++) {
    VECTOR sums = {0};
    long k = 0;
    for (; p->a_column == 1 && k + BYTES <= p->k; k += BYTES)
      sums = ADD_BYTES(sums, LOAD_RUN(a, r * p->a_row + k), (VECTOR){0} + 0x01010101);
    int sum = TOTAL(sums);
    for (; k < p->k; k++) sum += widened_int(BOTH_BYTES, a, r * p->a_row + k * p->a_column);
    for (long j = column; j < column_end; j++) c[r * p->n + j] -= excess * sum;
  }
#endif
}

/* A piece of the matrix of that number in a batch, which begins at c. */
static void PIECE_OF(const struct JOB *job, long number, T *c, long row, long row_end, long column, long column_end) {
  const struct product *const p = job->p;
  const char *a = job->a, *b = job->b;
  for (long d = p->rank - 1; d >= 0; d--) {
    a += number % p->batch[d] * bytes_of(p->a_batch[d], p->a_narrow, sizeof(T));
    b += number % p->batch[d] * OFFSET(p, p->b_batch[d]);
    number /= p->batch[d];
  }
#ifdef HAS_TILES
  if (job->tiled) {
    const long size = bytes_of(1, p->narrow, 0);
    tiled_piece(p, a + row * p->a_row * size, p->a_row * size, p->a_column * size, b + column * p->b_column * size,
                p->b_row * size, p->b_column * size, (char *)(c + row * p->n + column), row_end - row, column_end - column);
    return;
  }
#endif
  PIECE(p, a, b, job->scales, c, row, row_end, column, column_end);
}

/* Pieces have multiples of so many columns: of those of TWO_PANELS if two threads can share these equally. */
INLINE long BLOCK_COLUMNS(const struct product *p) {
  const long wide = p->width ? p->width : PANEL;
  return p->width == PANEL && p->m <= MOST_PAIRED && p->n % (4 * PANEL) == 0 ? 2 * wide : wide;
}

/* Compute pieces. */
static void WORK(void *const *arguments, long begin, long end) {
  struct JOB *const job = (struct JOB *)arguments[0];
  const struct product *const p = job->p;
  const long parts = job->row_parts * job->column_parts;
  for (long i = begin; i < end; i++) {
    if (parts == 1) { /* divisions take long beside a small product */
      PIECE_OF(job, i, job->c + i * p->m * p->n, 0, p->m, 0, p->n);
      continue;
    }
    const long r = i % parts / job->column_parts, s = i % job->column_parts;
    const long high = job->tiled ? BLOCK_ROWS : ROWS;
    const long wide = BLOCK_COLUMNS(p), heights = (p->m + high - 1) / high, widths = (p->n + wide - 1) / wide;
    const long row = heights * r / job->row_parts * high, row_end = least(heights * (r + 1) / job->row_parts * high, p->m);
    const long column = widths * s / job->column_parts * wide, column_end = widths * (s + 1) / job->column_parts * wide;
    PIECE_OF(job, i / parts, job->c + i / parts * p->m * p->n, row, row_end, column, least(column_end, p->n));
  }
}

/* Take pieces until none is left. */
static void TAKE(void *const *arguments, long begin, long end) {
  struct JOB *const job = (struct JOB *)arguments[0];
  (void)end;
  FOR_PIECES(i, &job->pieces, begin, MOST_THREADS) WORK(arguments, i, i + 1);
}

/* Take pieces of rows until none is left, and let the kernel consume them. */
static void FEED(void *const *arguments, long begin, long end) {
  struct JOB *const job = (struct JOB *)arguments[0];
  const struct product *const p = job->p;
  const struct consumer *const to = job->consumer;
  for (; begin < end; begin++)
    FOR_PIECES(i, &job->pieces, begin, to->threads) {
      const long row = i * to->rows, row_end = least(row + to->rows, job->rows);
      T *const c = (T *)(to->scratch + begin * to->size) - row * p->n;
      void *buffers[MOST_BUFFERS];
      for (long j = 0; j < to->count; j++) buffers[j] = j == to->number ? c : to->buffers[j];
      for (long r = row, next; r < row_end; r = next) {
        const long number = r / p->m, first = number * p->m;
        next = least(first + p->m, row_end);
        if (p->a_narrow) next = least(next, r + PIECE_ROWS); /* they are copied */
        PIECE_OF(job, number, c + first * p->n, r - first, next - first, 0, p->n);
      }
      to->kernel(buffers, row / to->portion * to->parts, row_end / to->portion * to->parts);
    }
}

/* Compute the products of all matrices of a batch, whose rows may be consumed; `parallel`, if not null, runs pieces
   of them on several threads. */
EXPORTED void MULTIPLY(const struct product *p, const void *a, const void *b, const void *scales, T *c,
                       void (*parallel)(void (*)(void *const *, long, long), void *const *, long),
                       const struct consumer *consumer) {
  struct JOB job = {p, a, b, scales, c, 0, 1, 1, consumer, p->m, {1, SHARED_RANGES, {0}}};
  void *const arguments[] = {&job};
  for (long d = 0; d < p->rank; d++) job.pieces.count *= p->batch[d];
  job.rows *= job.pieces.count;
#ifdef HAS_TILES
  job.tiled = !p->group && is_tiled(p);
#endif
  if (consumer) {
    job.pieces.count = (job.rows + consumer->rows - 1) / consumer->rows;
    if (parallel && consumer->threads > 1)
      parallel(FEED, arguments, consumer->threads);
    else
      job.pieces.ranges = 0, FEED(arguments, 0, 1);
    return;
  }
  const int distant = OFFSET(p, p->k * p->n) >= LEAST_FAR;
  const long least_height = distant ? LEAST_FAR_HEIGHT : LEAST_HEIGHT, height = p->m < least_height ? least_height : p->m;
#ifdef QUADS
  const int faster = job.tiled ? FASTER : PER;
#else
  const int faster = job.tiled ? FASTER : 1;
#endif
  const double work = (double)job.pieces.count * height * p->n * (p->k + BESIDES) / faster;
  const long most_rows = job.tiled ? TILED_ROWS : PIECE_ROWS;
  job.row_parts = (p->m + most_rows - 1) / most_rows;
  if (parallel && work >= LEAST_WORK) {
    /* As kernels are shared, so that a thread reads and writes the rows that it computes there: B stays in near caches. */
    if (p->m >= 2 * LEAST_PART && OFFSET(p, p->k * p->n) <= LEAST_FAR / 2 && job.row_parts < 2 && !job.tiled) job.row_parts = 2;
    const long wide = BLOCK_COLUMNS(p), widths = (p->n + wide - 1) / wide;
    job.column_parts = work / job.pieces.count / job.row_parts / PIECE_WORK + 1;
    if (job.pieces.count * job.row_parts < PIECES) job.column_parts = (job.column_parts + 3) / 4 * 4; /* as many for each thread */
    long most = p->width ? widths : p->a_column == 1 ? (widths + PANELS - 1) / PANELS : (widths + COPIED_PANELS - 1) / COPIED_PANELS;
    if (p->a_column == 1 && job.pieces.count * job.row_parts * most < PIECES) most = PIECES / (job.pieces.count * job.row_parts);
    /* No more of them than that takes: each reads A again, from memory if A is large. */
    most = least(most, (ENOUGH + job.pieces.count * job.row_parts - 1) / (job.pieces.count * job.row_parts));
    if (most > widths) most = widths;
    if (job.column_parts > most) job.column_parts = most;
  }
  job.pieces.count *= job.row_parts * job.column_parts;
  if (!parallel || work < LEAST_WORK)
    WORK(arguments, 0, job.pieces.count);
  else if (job.pieces.count <= FEW_PIECES)
    parallel(WORK, arguments, job.pieces.count);
  else
    parallel(TAKE, arguments, MOST_THREADS);
}
#endif
