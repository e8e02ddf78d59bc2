/* Products of complex matrices, for a program that is built without a BLAS: the functions of CBLAS, as far as programs
   call them: row-major, alpha 1, beta 0 or 1, no conjugation.

   Panels of both matrices are copied so that a tile of the product, which stays in registers, reads them in order. A
   complex product is computed as a real one of twice the depth and twice the columns: an element a of the left matrix
   becomes its two parts, an element b of the right matrix the rows (re b, im b) and (-im b, re b).

   The file includes itself once for each type. */

#ifndef T
extern _Thread_local char *model_library_memory; /* LIBRARY_MEMORY bytes */

#if defined(__AVX512F__)
enum { BYTES = 64, ROWS = 12 };
#elif defined(__AVX__)
enum { BYTES = 32, ROWS = 6 };
#else
enum { BYTES = 16, ROWS = 6 };
#endif
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 12")
#endif
/* How much is copied at a time; the part of the left matrix fits a second-level cache. */
enum { DEPTH = 256, HEIGHT = 20 * ROWS, WIDTH = 2048, SMALL = 1 << 14 };
enum { TRANSPOSED = 112 };

static long least(long a, long b) { return a < b ? a : b; }
static long multiple(long size, long of) { return (size + of - 1) / of * of; }

#define PUBLIC(name) JOINED(name)
#define JOINED(name) model_##name

#define T float
#define OF(name) s##name
#define COMPLEX(name) c##name
#include __FILE__
#undef T
#undef OF
#undef COMPLEX
#define T double
#define OF(name) d##name
#define COMPLEX(name) z##name
#include __FILE__

#else

#define VECTOR OF(vector)
#define COLUMNS (2 * BYTES / (long)sizeof(T))
/* A vector that is aligned like its elements. */
typedef T VECTOR __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias));

/* Compute a tile of the product. For each step of the depth, `left` has ROWS numbers and `right` has COLUMNS. */
static void OF(tile)(long depth, const T *left, const T *right, T *out, long step, long rows, long columns, int add) {
  VECTOR sums[ROWS][2] = {{{0}}};
  for (long p = 0; p < depth; p++, left += ROWS, right += COLUMNS) {
    const VECTOR first = *(const VECTOR *)right, second = *(const VECTOR *)(right + COLUMNS / 2);
    UNROLL for (int i = 0; i < ROWS; i++) {
      sums[i][0] += left[i] * first;
      sums[i][1] += left[i] * second;
    }
  }
  if (rows == ROWS && columns == COLUMNS) {
    UNROLL for (int i = 0; i < ROWS; i++, out += step) {
      VECTOR *to = (VECTOR *)out;
      for (int j = 0; j < 2; j++) {
        if (add) sums[i][j] += to[j];
        to[j] = sums[i][j];
      }
    }
    return;
  }
  T all[ROWS][COLUMNS];
  __builtin_memcpy(all, sums, sizeof all);
  for (long i = 0; i < rows; i++, out += step)
    for (long j = 0; j < columns; j++) out[j] = add ? out[j] + all[i][j] : all[i][j];
}

static void OF(copy_left)(T *to, const T *from, long row_step, long column_step, long rows, long depth, int parts) {
  for (long top = 0; top < rows; top += ROWS, to += ROWS * depth * parts)
    for (long i = 0; i < ROWS; i++) {
      const T *row = from + (top + i) * row_step * parts;
      const int inside = top + i < rows;
      for (long p = 0; p < depth; p++)
        for (int h = 0; h < parts; h++) to[(p * parts + h) * ROWS + i] = inside ? row[p * column_step * parts + h] : 0;
    }
}

static void OF(copy_right)(T *to, const T *from, long row_step, long column_step, long depth, long columns, int parts) {
  for (long left = 0; left < columns; left += COLUMNS / parts)
    for (long p = 0; p < depth; p++, to += COLUMNS * parts) {
      const T *row = from + (p * row_step + left * column_step) * parts;
      const long inside = least(COLUMNS / parts, columns - left);
      if (parts == 1) {
        for (long j = 0; j < inside; j++) to[j] = row[j * column_step];
        for (long j = inside; j < COLUMNS; j++) to[j] = 0;
        continue;
      }
      for (long j = 0; j < COLUMNS / 2; j++) {
        const T re = j < inside ? row[2 * j * column_step] : 0, im = j < inside ? row[2 * j * column_step + 1] : 0;
        to[2 * j] = re;
        to[2 * j + 1] = im;
        to[COLUMNS + 2 * j] = -im;
        to[COLUMNS + 2 * j + 1] = re;
      }
    }
}

static void OF(product)(int a_mark, int b_mark, int m, int n, int k, const T *a, int lda, const T *b, int ldb, T *c,
                        int ldc, int parts, int add) {
  const long a_steps[] = {a_mark == TRANSPOSED ? 1 : lda, a_mark == TRANSPOSED ? lda : 1};
  const long b_steps[] = {b_mark == TRANSPOSED ? 1 : ldb, b_mark == TRANSPOSED ? ldb : 1};
  const long most = DEPTH / parts, width = least(multiple((long)n * parts, COLUMNS), WIDTH);
  const long left_size = least(multiple(m, ROWS), HEIGHT) * least(k, most) * parts;
  const long right_size = width * least(k, most) * parts;
  T small[SMALL / sizeof(T)], *memory = small;
  if (left_size + right_size > (long)(SMALL / sizeof(T))) memory = (T *)model_library_memory;
  if (k == 0) {
    for (long i = 0; i < m && !add; i++) __builtin_memset(c + i * ldc * parts, 0, n * parts * sizeof(T));
    return;
  }
  T *const left = memory, *const right = memory + left_size;
  for (long j = 0; j < n; j += WIDTH / parts)
    for (long p = 0; p < k; p += most) {
      const long columns = least(WIDTH / parts, n - j), depth = least(most, k - p);
      OF(copy_right)(right, b + (p * b_steps[0] + j * b_steps[1]) * parts, b_steps[0], b_steps[1], depth, columns, parts);
      for (long i = 0; i < m; i += HEIGHT) {
        const long rows = least(HEIGHT, m - i);
        OF(copy_left)(left, a + (i * a_steps[0] + p * a_steps[1]) * parts, a_steps[0], a_steps[1], rows, depth, parts);
        for (long y = 0; y < columns * parts; y += COLUMNS)
          for (long x = 0; x < rows; x += ROWS)
            OF(tile)(depth * parts, left + x * depth * parts, right + y * depth * parts,
                     c + ((i + x) * ldc + j) * parts + y, (long)ldc * parts, least(ROWS, rows - x),
                     least(COLUMNS, columns * parts - y), add || p);
      }
    }
}

void PUBLIC(COMPLEX(gemm))(int order, int a_mark, int b_mark, int m, int n, int k, const T *alpha, const void *a, int lda,
                   const void *b, int ldb, const T *beta, void *c, int ldc) {
  (void)order, (void)alpha;
  OF(product)(a_mark, b_mark, m, n, k, a, lda, b, ldb, c, ldc, 2, beta[0] != 0);
}
#undef VECTOR
#undef COLUMNS
#endif
