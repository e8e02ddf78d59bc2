/* What product.c and fourier.c begin with. */
/* Shuffles that interleave the low or high halves of two vectors. */
#define LOW_2 0, 2
#define HIGH_2 1, 3
#define LOW_4 0, 4, 1, 5
#define HIGH_4 2, 6, 3, 7
#define LOW_8 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH_8 4, 12, 5, 13, 6, 14, 7, 15
#define LOW_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
/* Shuffles that take every other number of two vectors. */
#define EVEN_2 0, 2
#define ODD_2 1, 3
#define EVEN_4 0, 2, 4, 6
#define ODD_4 1, 3, 5, 7
#define EVEN_8 EVEN_4, 8, 10, 12, 14
#define ODD_8 ODD_4, 9, 11, 13, 15
#define EVEN_16 EVEN_8, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD_16 ODD_8, 17, 19, 21, 23, 25, 27, 29, 31
#define INLINE static inline __attribute__((always_inline))
/* Separate functions, because compilers take much longer over loops that are all in one function. */
#define APART static __attribute__((noinline))
