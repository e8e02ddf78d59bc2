/* What precedes all other code. */
/* An instruction or a later command may stand for what a value was computed for. */
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-variable"
#endif
/* Integers of 64 bits, with which kernels compute. Elsewhere `long` counts bytes and elements, so it needs as many bits
   as a pointer, which it does not have on Windows. */
typedef int int64 __attribute__((mode(DI)));
typedef unsigned uint64 __attribute__((mode(DI)));
#ifdef _WIN32
#define long __INTPTR_TYPE__
#endif
/* A ROLLED loop would be copied several times by -O3, and be no faster. What an UNROLLed one loads and stores stays in
   registers: a compiler that cannot tell which element of an array it is stores each after each change. */
#ifdef __clang__
#define ROLLED _Pragma("nounroll")
#define UNROLL _Pragma("unroll")
#else
#define ROLLED _Pragma("GCC unroll 1")
#define UNROLL _Pragma("GCC unroll 8")
#endif
/* Kernels call these functions where the compiler would make vectors of a loop more than once. */
#define COMBINE_PARTS(verb, T, sign, identity)                                                             \
  static __attribute__((noinline, unused)) void verb##_parts_##T(T *restrict to, T *restrict parts, int lanes) { \
    for (int lane = 0; lane < lanes; lane++) {                                                             \
      to[lane] = to[lane] sign parts[lane];                                                                \
      parts[lane] = identity;                                                                              \
    }                                                                                                      \
  }
COMBINE_PARTS(add, float, +, -0.0f)
COMBINE_PARTS(add, double, +, -0.0)
COMBINE_PARTS(multiply, float, *, 1)
COMBINE_PARTS(multiply, double, *, 1)
/* Transpose SIDE rows, `step` units apart, of as many units: in each of its steps, rows of the first half take turns with
   those of the second. */
#if defined __clang__ || __GNUC__ >= 12
#ifdef __clang__
#define WHOLLY _Pragma("clang loop unroll(full)")
#else
#define WHOLLY _Pragma("GCC unroll 16")
#endif
#define TURN(SIDE, UNIT, from, step, to, to_step) \
  { \
    typedef UNIT turned __attribute__((vector_size(SIDE * sizeof(UNIT)))); \
    turned a[SIDE], b[SIDE]; \
    WHOLLY for (int i = 0; i < SIDE; i++) __builtin_memcpy(&a[i], (from) + (long)i * (step), sizeof *a); \
    TURNS_##SIDE \
    WHOLLY for (int i = 0; i < SIDE; i++) __builtin_memcpy((to) + (long)i * (to_step), &a[i], sizeof *a); \
  }
#define TAKE_TURNS(SIDE, x, y) \
  WHOLLY for (int i = 0; i < SIDE / 2; i++) y[2 * i] = FIRST_##SIDE(x), y[2 * i + 1] = SECOND_##SIDE(x);
#define TURNS_4 TAKE_TURNS(4, a, b) TAKE_TURNS(4, b, a)
#define TURNS_8 TAKE_TURNS(8, a, b) TAKE_TURNS(8, b, a) TAKE_TURNS(8, a, b) __builtin_memcpy(a, b, sizeof a);
#define TURNS_16 TAKE_TURNS(16, a, b) TAKE_TURNS(16, b, a) TAKE_TURNS(16, a, b) TAKE_TURNS(16, b, a)
#define FIRST_4(x) __builtin_shufflevector(x[i], x[i + 2], 0, 4, 1, 5)
#define SECOND_4(x) __builtin_shufflevector(x[i], x[i + 2], 2, 6, 3, 7)
#define FIRST_8(x) __builtin_shufflevector(x[i], x[i + 4], 0, 8, 1, 9, 2, 10, 3, 11)
#define SECOND_8(x) __builtin_shufflevector(x[i], x[i + 4], 4, 12, 5, 13, 6, 14, 7, 15)
#define FIRST_16(x) __builtin_shufflevector(x[i], x[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define SECOND_16(x) __builtin_shufflevector(x[i], x[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#else
#define TURN(SIDE, UNIT, from, step, to, to_step) \
  for (int i = 0; i < SIDE; i++) \
    for (int j = 0; j < SIDE; j++) (to)[(long)i * (to_step) + j] = (from)[(long)j * (step) + i];
#endif
/* Pieces of work, which threads take until none is left. A thread begins with the same ones each time, whose operands may
   be in its own caches, and goes on with those that others have left. */
enum { RANGES = 16, SHARED_RANGES = 4 /* the logarithm of their number; a thread alone needs one range */ };
struct pieces {
  long count, ranges, next[RANGES]; /* ranges: the logarithm */
};
static __attribute__((noinline, unused)) long take_piece(struct pieces *p, long *range, long last) {
  for (; *range < last; ++*range) {
    const long at = *range & ((1 << p->ranges) - 1), first = p->count * at >> p->ranges;
    const long count = (p->count * (at + 1) >> p->ranges) - first;
    if (__atomic_load_n(&p->next[at], __ATOMIC_RELAXED) >= count) continue;
    const long taken = __atomic_fetch_add(&p->next[at], 1, __ATOMIC_RELAXED);
    if (taken < count) return first + taken;
  }
  return -1;
}
/* A loop over them for the thread with this number of so many. */
#define FOR_PIECES(i, pieces, number, threads) \
  for (long i, range = ((number) << (pieces)->ranges) / (threads), last = range + (1 << (pieces)->ranges); \
       (i = take_piece(pieces, &range, last)) >= 0;)
/* For functions that other files call. */
#ifndef EXPORTED
#define EXPORTED __attribute__((visibility("default")))
#endif
/* Truncated quotients of integers of at most 32 bits. These processors divide vectors of doubles only, which are as exact:
   their rounding is smaller than the distance of a quotient from the next integer. */
#ifdef __AVX2__
#define QUOTIENT(T, a, b) ((T)((double)(a) / (double)(b)))
#else
#define QUOTIENT(T, a, b) ((T)((a) / (b)))
#endif
/* The bits of an f16 from those of a float without a sign, and the reverse: instructions where there are some. */
#define CONVERSION static inline __attribute__((always_inline, unused)) unsigned
union half_word {
  float number;
  unsigned bits;
};
#if __clang_major__ >= 15 && (defined __F16C__ || defined __aarch64__)
#define HAS_F16
union half {
  _Float16 number;
  unsigned short bits;
};
CONVERSION round_to_f16(unsigned size) {
  const union half_word w = {.bits = size};
  const union half h = {(_Float16)w.number};
  return size > 0x7f800000u ? 0x7e00u : h.bits;
}
CONVERSION widen_f16(unsigned code) {
  const union half h = {.bits = (unsigned short)code};
  const union half_word w = {(float)h.number};
  return code > 0x7c00u ? 0x7fc00000u : w.bits;
}
/* The same with signs. Only rounding looks for NaN, and at the half word: what was rounded has no other NaN. */
CONVERSION round_to_signed_f16(unsigned bits) {
  const union half_word w = {.bits = bits};
  const union half h = {(_Float16)w.number};
  return (h.bits & 0x7fff) > 0x7c00 ? (unsigned short)((h.bits & 0x8000) | 0x7e00) : h.bits;
}
CONVERSION widen_signed_f16(unsigned code) {
  const union half h = {.bits = (unsigned short)code};
  const union half_word w = {(float)h.number};
  return w.bits;
}
CONVERSION through_f16(unsigned bits) {
  const union half_word w = {.bits = bits}, rounded = {(float)(_Float16)w.number};
  return rounded.bits;
}
#else
CONVERSION round_to_f16(unsigned size) {
  union half_word w = {.bits = size};
  w.number += 0.5f; /* rounds small numbers */
  const unsigned normal = (size - (112u << 23) + 0xfffu + (size >> 13 & 1)) >> 13;
  const unsigned code = size < 113u << 23 ? w.bits - 0x3f000000u : normal;
  return size > 0x7f800000u ? 0x7e00u : code > 0x7bffu ? 0x7c00u : code;
}
CONVERSION widen_f16(unsigned code) {
  union half_word w = {.bits = code << 13};
  w.number *= 0x1p112f;
  return code > 0x7c00u ? 0x7fc00000u : code == 0x7c00u ? 0x7f800000u : w.bits;
}
CONVERSION round_to_signed_f16(unsigned bits) { return round_to_f16(bits & 0x7fffffffu) | (bits >> 31 << 15); }
CONVERSION widen_signed_f16(unsigned code) { return widen_f16(code & 0x7fff) | (code >> 15 & 1) << 31; }
CONVERSION through_f16(unsigned bits) { return widen_signed_f16(round_to_signed_f16(bits)); }
#endif
