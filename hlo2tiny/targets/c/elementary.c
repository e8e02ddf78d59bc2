/* Elementary functions of float32 that kernels call, without branches, so that the compiler can use vectors.

   Errors are below one unit in the last place, even for subnormal numbers; tests/accuracy.py prints them. */

#define FUNCTION static inline __attribute__((always_inline, unused)) float
#define FUNCTION_OF_DOUBLES static inline __attribute__((always_inline, unused)) double
union word {
  float number;
  unsigned bits;
};

/* a·b + c, rounded once; see targets/web/fused.c for what the compiler makes of it there. */
FUNCTION fma_f(float a, float b, float c) {
#if defined __FMA__ || defined __aarch64__
  return __builtin_fmaf(a, b, c);
#elif defined __wasm_relaxed_simd__
#pragma clang fp contract(on)
  return a * b + c;
#else
  return (float)((double)a * b + c);
#endif
}

FUNCTION between(float x, float low, float high) {
  x = x > high ? high : x;
  return x < low ? low : x;
}

FUNCTION size(float x) {
  union word w = {x};
  w.bits &= 0x7fffffff;
  return w.number;
}

FUNCTION with_sign(float x, float sign) {
  union word w = {x}, s = {sign};
  w.bits |= s.bits & 0x80000000;
  return w.number;
}

/* c₀·xⁿ + c₁·xⁿ⁻¹ + …, by Horner's rule. */
#define POLYNOMIAL_F(x, ...) POLYNOMIAL(fma_f, x, __VA_ARGS__)
#define POLYNOMIAL_D(x, ...) POLYNOMIAL(fma_d, x, __VA_ARGS__)
#define POLYNOMIAL(fma, x, ...) \
  CHOSEN(__VA_ARGS__, HORNER12, HORNER11, HORNER10, HORNER9, HORNER8, HORNER7, HORNER6, HORNER5, HORNER4, 0) \
  (fma, x, __VA_ARGS__)
#define CHOSEN(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, name, ...) name
#define HORNER2(fma, x, p, c) fma(p, x, c)
#define HORNER3(fma, x, p, c, ...) HORNER2(fma, x, fma(p, x, c), __VA_ARGS__)
#define HORNER4(fma, x, p, c, ...) HORNER3(fma, x, fma(p, x, c), __VA_ARGS__)
#define HORNER5(fma, x, p, c, ...) HORNER4(fma, x, fma(p, x, c), __VA_ARGS__)
#define HORNER6(fma, x, p, c, ...) HORNER5(fma, x, fma(p, x, c), __VA_ARGS__)
#define HORNER7(fma, x, p, c, ...) HORNER6(fma, x, fma(p, x, c), __VA_ARGS__)
#define HORNER8(fma, x, p, c, ...) HORNER7(fma, x, fma(p, x, c), __VA_ARGS__)
#define HORNER9(fma, x, p, c, ...) HORNER8(fma, x, fma(p, x, c), __VA_ARGS__)
#define HORNER10(fma, x, p, c, ...) HORNER9(fma, x, fma(p, x, c), __VA_ARGS__)
#define HORNER11(fma, x, p, c, ...) HORNER10(fma, x, fma(p, x, c), __VA_ARGS__)
#define HORNER12(fma, x, p, c, ...) HORNER11(fma, x, fma(p, x, c), __VA_ARGS__)

/* x = n·ln 2 + r with |r| ≤ ½ ln 2; n is in the lowest bits of `shifted`. */
FUNCTION reduced(float x, float *shifted) {
  *shifted = fma_f(x, 0x1.715476p+0f, 0x1.8p23f);
  const float n = *shifted - 0x1.8p23f;
  return fma_f(n, -0x1.7f7d1cp-20f, fma_f(n, -0x1.62e4p-1f, x));
}

/* (exp(r) - 1 - r) / r² */
FUNCTION exp_tail(float r) {
  return POLYNOMIAL_F(r, 0.0013814316f, 0.0083688507f, 0.0416684f, 0.1666652f, 0.49999994f);
}

/* x · 2ⁿ in two steps: the first never rounds, the second only if the result overflows or is subnormal. */
FUNCTION scaled(float x, float shifted, int small) {
  union word w = {shifted};
  w.bits = (w.bits << 23) + (small ? 191u << 23 : 126u << 23);
  return x * w.number * (small ? 0x1p-64f : 2.0f);
}

/* 1 / x with an error of about 2⁻²³, for x from 1 to 2. */
FUNCTION reciprocal(float x) {
  float y = fma_f(fma_f(0.32323232f, x, -1.4545455f), x, 2.121212f);
  y = fma_f(fma_f(-x, y, 1.0f), y, y);
  return fma_f(fma_f(-x, y, 1.0f), y, y);
}

FUNCTION exp_f(float x) {
  float shifted;
  x = between(x, -105.0f, 89.0f);
  const float r = reduced(x, &shifted);
  return scaled(fma_f(fma_f(exp_tail(r), r, 1.0f), r, 1.0f), shifted, x < -80.0f);
}

/* 1 / (1 + e) for positive x, e / (1 + e) for negative x, with e = exp(-|x|). */
FUNCTION logistic_f(float x) {
  float shifted;
  const float a = between(x, -105.0f, 105.0f), least = -size(a);
  const float r = reduced(least, &shifted), less = fma_f(exp_tail(r) * r, r, r), power = 1.0f + less;
  const float e = scaled(power, shifted, least < -80.0f);
  const float whole = 1.0f + e, rest = (1.0f - whole) + e, inverse = reciprocal(whole);
  const float top = x < 0.0f ? power : 1.0f, tail = x < 0.0f ? (1.0f - power) + less : 0.0f;
  float q = top * inverse;
  q = fma_f(fma_f(-q, rest, fma_f(-q, whole, top)) + tail, inverse, q);
  return x < 0.0f ? scaled(q, shifted, least < -80.0f) : q;
}

/* x + x·q with a rational function q of x²; for large |x|, ±1 ± q with q = -2 / (1 + exp(2|x|)). Both sides of the
   quotients have a factor with which divisors are just below powers of two where their rounding matters most. */
FUNCTION tanh_f(float x) {
  const float a = size(x), z = x * x, least = a > 10.0f ? 10.0f : a;
  union word s = {fma_f(least, 0x1.715476p+1f, 0x1.8p23f + 127.0f)}; /* its lowest bits are n + 127 */
  const float n = s.number - (0x1.8p23f + 127.0f), r = fma_f(n, -0x1.62e43p-2f, least);
  s.bits <<= 23;
  float p = POLYNOMIAL_F(r, 0.07456272f, 0.22595759f, 0.5625249f, 1.1249901f, 1.6874998f, 1.6875f, 0.84375f);
  const int far = a >= 0.9375f;
  const float top = far ? -1.6875f : fma_f(fma_f(-0.020684334f, z, -0.46875f), z, 0.0f); /* + 0, so that -0 stays */
  const float bottom = far ? fma_f(s.number, p, 0.84375f) : fma_f(fma_f(0.02214314f, z, 0.6245529f), z, 1.40625f);
  const float base = far ? with_sign(1.0f, x) : x;
  return fma_f(base, top / bottom, base);
}

/* For |x| < 1.215, x times a polynomial in x² - ½; else 1 - q(|x|)³ with a polynomial q. */
FUNCTION erf_f(float x) {
  const float z = fma_f(x, x, -0.5f), t = size(x) > 4.0f ? 4.0f : size(x);
  float near = POLYNOMIAL_F(z, -7.80275e-06f, 7.756444e-05f, -0.00056156906f, 0.0034805795f, -0.018283928f, 0.07940997f,
                            -0.28107217f, -0.03453126f);
  near = fma_f(near, x, x);
  const float q = POLYNOMIAL_F(t, 5.8969847e-05f, -0.0014061185f, 0.013436671f, -0.064563066f, 0.1535034f, -0.12771651f,
                         -0.008427975f, -0.43733975f, 1.0122689f);
  return t >= 1.215f ? with_sign(fma_f(-q * q, q, 1.0f), x) : near;
}

/* (log(1 + f) - f + f²/2) / f³ */
FUNCTION log_series_f(float f) {
  return POLYNOMIAL_F(f, -0.07634209f, 0.12761404f, -0.13160209f, 0.14201786f, -0.16623358f, 0.20001225f, -0.2500082f,
                      0.3333333f);
}

/* n·ln 2 + log(m), with m from √½ to √2. */
FUNCTION log_f(float x) {
  union word w = {x < 0x1p-126f ? x * 0x1p24f : x};
  const unsigned n = (w.bits - 0x3f3504f3u) & 0xff800000u;
  w.bits -= n;
  const float f = w.number - 1.0f, k = (float)((int)n >> 23) - (x < 0x1p-126f ? 24.0f : 0.0f);
  const float p = log_series_f(f);
  const float square = f * f, high = k * 0x1.62e4p-1f;
  const float tail = fma_f(p * f, square, fma_f(-0.5f, square, k * 0x1.7f7d1cp-20f));
  const float total = high + f, lost = (high == 0.0f ? 0.0f : (high - total) + f);
  const float y = total + (tail + lost);
  return x > 0.0f ? x < __builtin_inff() ? y : x : x == 0.0f ? -__builtin_inff() : x != x ? x : __builtin_nanf("");
}

union long_word {
  double number;
  int64 bits;
};

/* a·b + c, rounded once if the processor has an instruction for that. */
FUNCTION_OF_DOUBLES fma_d(double a, double b, double c) {
#if defined __FMA__ || defined __aarch64__
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

/* 2/π without what makes whole turns of all numbers of 16 exponents, from 2¹⁸, 2³⁴ … on, and what rounding down loses. */
static const double two_over_pi[] __attribute__((unused)) = {
    0x1.45f306dc9c882p-1, 0x1.45f306dc9c882p-1, 0x1.e60db9391054ap-10, 0x1.b9391054a7f09p-26,
    0x1.1054a7f09d5f4p-42, 0x1.4fe13abe8fa9ap-59, 0x1.3abe8fa9a6ee0p-75, 0x1.47d4d377036d8p-90,
};
static const double rest_of_two_over_pi[] __attribute__((unused)) = {
    0x1.4a7f09d5f47d5p-54, 0x1.4a7f09d5f47d5p-54, 0x1.fc2757d1f534ep-64, 0x1.abe8fa9a6ee07p-79,
    0x1.f534ddc0db629p-96, 0x1.bb81b6c52b328p-113, 0x1.b6c52b3278872p-129, 0x1.4acc9e21c8210p-143,
};

/* x·y - n, where that is at most 1; exact but for the last rounding. */
FUNCTION_OF_DOUBLES product_less(float x, double y, double n) {
#if defined __FMA__ || defined __aarch64__
  return fma_d(x, y, -n);
#else
  union long_word most = {y};
  most.bits &= -1 << 24; /* as many bits as a product of x has space for */
  return (x * most.number - n) + x * (y - most.number);
#endif
}

/* Where the tables have what is for x. A number below 2¹⁸ is near, which needs no look-up, and then gives the same. */
#define FIND_RATIO(x, near) \
  const union word w = {x}; \
  const int exponent = (int)(w.bits >> 23 & 255) - 129, row = near || exponent < 0 ? 0 : exponent >> 4; \
  const double ratio = two_over_pi[row], rest = rest_of_two_over_pi[row];

/* sin(x + turn·½π): sin for turn 0, cos for turn 1. In quarter turns, x is an even number, plus turn, plus r, from -1
   to 1. */
FUNCTION_OF_DOUBLES exact_sine(float x, int near, int turn) {
  FIND_RATIO(x, near)
  const union long_word even = {turn ? fma_d(x, ratio, -1.0) + 0x1.8p53 : fma_d(x, ratio, 0x1.8p53)};
  const double n = even.number - 0x1.8p53, r = fma_d(x, rest, product_less(x, ratio, turn ? n + 1.0 : n)), z = r * r;
  union long_word y = {r * POLYNOMIAL_D(z, -3.4287916518979544e-06, 0.00016024703138069597, -0.0046816510188415275,
                                        0.07969260126096718, -0.6459640952646826, 1.570796326761685)};
  y.bits ^= (int64)((uint64)(even.bits + turn) << 63);
  return y.number;
}

#ifdef SLOW_DOUBLES
/* The same in floats, within two units in the last place, unless x is large. */
FUNCTION sine_f(float x, int turn) {
  if (!(size(x) < 0x1p15f)) return (float)exact_sine(x, 0, turn);
  union word shifted = {fma_f(x, 0x1.45f306p-1f, 0x1.8p23f)};
  const float n = shifted.number - 0x1.8p23f;
  /* r + low is x - n·½π, in three parts of ½π: the first difference is exact, and so are the second part's product,
     p + p_low, and its sum, s + s_low. */
  const float first = fma_f(n, -0x1.921fb6p+0f, x), p = n * 0x1.777a5cp-25f, p_low = fma_f(n, 0x1.777a5cp-25f, -p);
  const float s = first + p, added = s - first, s_low = (first - (s - added)) + (p - added);
  const float rest = s_low + fma_f(n, 0x1.ee59dap-50f, p_low), r = s + rest, low = (s - r) + rest, z = r * r;
  const unsigned quarter = shifted.bits + (unsigned)turn;
  float odd = POLYNOMIAL_F(z, 2.716810058700503e-06f, -0.0001983917609322816f, 0.008333329111337662f,
                           -0.1666666716337204f);
  const float sine = r + fma_f(z * r, odd, low);
  float even = fma_f(2.4423887225566432e-05f, z, -0.0013887243112549186f);
  even = fma_f(even, z, 0.04166664555668831f);
  const float half = 0.5f * z, most = 1.0f - half;
  const float cosine = most + fma_f(z * z, even, ((1.0f - most) - half) - r * low);
  union word result = {quarter & 1 ? cosine : sine};
  result.bits ^= (quarter & 2) << 30;
  return x == 0.0f && !turn ? x : result.number;
}
#else
FUNCTION sine_f(float x, int turn) { return (float)exact_sine(x, 0, turn); }
#endif

FUNCTION sin_f(float x) { return sine_f(x, 0); }
FUNCTION cos_f(float x) { return sine_f(x, 1); }
FUNCTION sin_near_f(float x) { return (float)exact_sine(x, 1, 0); }
FUNCTION cos_near_f(float x) { return (float)exact_sine(x, 1, 1); }

FUNCTION tangent(float x, int near) {
  FIND_RATIO(x, near)
  const union long_word nearest = {fma_d(x, ratio, 0x1.8p52)};
  const double part = fma_d(x, rest, product_less(x, ratio, nearest.number - 0x1.8p52));
  const double r = part * 0x1.921fb54442d18p+0, z = r * r;
  const double sine = r * POLYNOMIAL_D(z, 2.724962008007483e-06, -0.00019840084376422697, 0.008333331870341349,
                                       -0.16666666663844049, 1.0);
  const double cosine = POLYNOMIAL_D(z, -2.730070403767229e-07, 2.480059840834564e-05, -0.001388888766837065,
                                     0.041666666664311826, -0.5, 1.0);
  return (float)((nearest.bits & 1 ? -cosine : sine) / (nearest.bits & 1 ? sine : cosine));
}

FUNCTION tan_f(float x) { return tangent(x, 0); }
FUNCTION tan_near_f(float x) { return tangent(x, 1); }

FUNCTION_OF_DOUBLES between_d(double x, double low, double high) {
  x = x > high ? high : x;
  return x < low ? low : x;
}

/* IEEE 754's maximum and minimum: NaN if one is, and -0 is less than 0. Where a processor's own has equal numbers, it
   returns the second, so that both orders together have either zero. */
FUNCTION_OF_DOUBLES maximum_d(double a, double b) {
  union long_word w = {a > b ? a : b}, other = {b > a ? b : a};
  w.bits = (w.bits & other.bits) | -(int64)__builtin_isunordered(a, b);
  return w.number;
}

FUNCTION_OF_DOUBLES minimum_d(double a, double b) {
  union long_word w = {a < b ? a : b}, other = {b < a ? b : a};
  w.bits = w.bits | other.bits | -(int64)__builtin_isunordered(a, b);
  return w.number;
}

/* exp(x) = s + s·q with s, a power of two, for |x| up to 300. */
FUNCTION_OF_DOUBLES exp_parts(double x, double *s) {
  union long_word w = {fma_d(x, 0x1.71547652b82fep+0, 0x1.8p52)};
  const double r = fma_d(w.number - 0x1.8p52, -0x1.62e42fefa39efp-1, x);
  w.bits = (w.bits << 52) + (1023ll << 52);
  *s = w.number;
  const double p = POLYNOMIAL_D(r, 0.00019899285575896282, 0.0013941118895837, 0.00833329846980059, 0.04166635277111221,
                          0.16666666719028936, 0.5000000047146057);
  return fma_d(p, r, 1.0) * r;
}

/* The parts of exp(x + iy). */
FUNCTION exp_of_complex(float x, float y, int near, int turn) {
  double s;
  const double q = exp_parts(between_d(x, -200.0, 200.0), &s);
  const float part = (float)(fma_d(s, q, s) * exact_sine(y, near, turn)), infinity = __builtin_inff();
  const float end = x == infinity && turn ? x : x == -infinity ? with_sign(0.0f, turn ? 0.0f : y) : part;
  return y == 0.0f && !turn ? y : size(y) < infinity ? part : end;
}

FUNCTION exp_re_f(float x, float y) { return exp_of_complex(x, y, 0, 1); }
FUNCTION exp_im_f(float x, float y) { return exp_of_complex(x, y, 0, 0); }
FUNCTION exp_re_near_f(float x, float y) { return exp_of_complex(x, y, 1, 1); }
FUNCTION exp_im_near_f(float x, float y) { return exp_of_complex(x, y, 1, 0); }

/* exp(-x²) times a polynomial in (x - 3) / (x + 3), over x + 3; and 2 less that for negative numbers. */
FUNCTION erfc_f(float x) {
  const double a = size(x) > 10.3f ? 10.3f : size(x), inverse = 1.0 / (a + 3.0), u = (a - 3.0) * inverse;
  double s;
  const double q = exp_parts(-a * a, &s);
  const double p = POLYNOMIAL_D(u, 3.975052099582956e-05, 9.630623725750705e-05, -0.0002872572305907763,
                                -0.0005460515023199736, 0.0030377814873216074, -0.0012124804177053243,
                                -0.02682781456502379, 0.1195277430181422, -0.3104672239149969, 0.5902283580495205,
                                -0.8833944538837962, 1.074006907085097) * inverse;
  const double y = fma_d(q, s, s) * p;
  return (float)(x < 0.0f ? 2.0 - y : y);
}

/* 1 / √x, and what the root and the quotient have lost by rounding. */
FUNCTION rsqrt_f(float x) {
#if defined __FMA__ || defined __aarch64__
  const int small = x < 0x1p-100f;
  const float y = small ? x * 0x1p48f : x, root = __builtin_sqrtf(y), q = 1.0f / root;
  const float lost = fma_f(fma_f(-root, root, y) * q, -0.5f * q, fma_f(-root, q, 1.0f));
  return (x > 0.0f && x < __builtin_inff() ? fma_f(q, lost, q) : q) * (small ? 0x1p24f : 1.0f);
#else
  return (float)(1.0 / __builtin_sqrt((double)x));
#endif
}

/* Returns s = (x'-1)/(x'+1), z = s² and n, with x = x'·2ⁿ and x' from √½ to √2: log(x) = n·ln 2 + 2s + s³·p(z) for a
   polynomial p. */
FUNCTION_OF_DOUBLES log_parts(double x, double *n, double *z) {
  union long_word w = {x}, k;
  const uint64 more = (uint64)w.bits - 0x3fe6a09e667f3bcdull; /* its highest 12 bits are n */
  w.bits -= (int64)(more & 0xfff0000000000000ull);
  k.bits = (int64)((more + (1024ull << 52)) >> 52 | 0x4330000000000000ull); /* 2⁵² + 1024 + n */
  const double s = (w.number - 1.0) / (w.number + 1.0);
  *n = k.number - (0x1p52 + 1024.0);
  *z = s * s;
  return s;
}

/* log(x) for functions of floats. */
FUNCTION_OF_DOUBLES log_near_f(double x) {
  double n, z;
  const double s = log_parts(x, &n, &z);
  const double p = POLYNOMIAL_D(z, 0.23331614472343498, 0.28550778633191964, 0.4000012221181065, 0.6666666655404201);
  return fma_d(n, 0x1.62e42fefa39efp-1, fma_d(s * z, p, s * 2.0));
}

#ifdef SLOW_DOUBLES
/* 2ⁿ·(exp(r) - 1) + (2ⁿ - 1), of halves of these, as 2ⁿ may be too large. */
FUNCTION expm1_f(float x) {
  float shifted;
  const float r = reduced(between(x, -20.0f, 89.0f), &shifted);
  union word power = {shifted};
  power.bits = (power.bits << 23) + (126u << 23);
  const float s = power.number, first = s - 0.5f, second = s * r, sum = first + second, more = sum - first;
  const float lost = (first - (sum - more)) + (second - more);
  const float tail = fma_f(second * r, exp_tail(r), lost + (s - (first + 0.5f)));
  return size(x) < 0x1p-25f ? x : (sum + tail) * 2.0f;
}

/* log(u) with u = 1 + x and what that rounding loses. */
FUNCTION log1p_f(float x) {
  const float u = 1.0f + x, less = u - 1.0f, lost = (1.0f - (u - less)) + (x - less);
  union word w = {u}, scale;
  const unsigned n = (w.bits - 0x3f3504f3u) & 0xff800000u;
  w.bits -= n;
  scale.bits = 0x3f800000u - n; /* 2⁻ⁿ */
  const float f = w.number - 1.0f, add = u < 0x1p26f ? lost * scale.number : 0.0f, k = (float)((int)n >> 23);
  const float m = f + add, low = (f - m) + add, square = m * m, high = k * 0x1.62e4p-1f;
  const float p = log_series_f(m);
  const float near = fma_f(low, fma_f(m, m - 1.0f, 1.0f), k * 0x1.7f7d1cp-20f);
  const float tail = fma_f(p * m, square, fma_f(-0.5f, square, near));
  const float total = high + m, error = high == 0.0f ? 0.0f : (high - total) + m;
  const float y = total + (tail + error);
  return x == 0.0f ? x : x > -1.0f ? x < __builtin_inff() ? y : x : x == -1.0f ? -__builtin_inff() : __builtin_nanf("");
}
#else
FUNCTION expm1_f(float x) {
  double s;
  const double q = exp_parts(between_d(x, -200.0, 200.0), &s);
  return x != x || x == 0.0f ? x : (float)(s * q + (s - 1.0));
}

FUNCTION log1p_f(float x) {
  const float near = fma_f(x * x, fma_f(x, 1.0f / 3.0f, -0.5f), x);
  const float y = size(x) < 0x1p-12f ? near : (float)log_near_f(1.0 + x);
  return x > -1.0f ? x < __builtin_inff() ? y : x : x == -1.0f ? -__builtin_inff() : __builtin_nanf("");
}
#endif

/* With e = exp(|x|), |sinh x| is (e - 1 + (e - 1) / e) / 2. */
FUNCTION sinh_f(float x) {
  double s;
  const double q = exp_parts(between_d(size(x), 0.0, 200.0), &s), less = fma_d(s, q, s - 1.0);
  return x != x ? x : with_sign((float)(0.5 * (less + less / (less + 1.0))), x);
}

FUNCTION cosh_f(float x) {
  double s;
  const double q = exp_parts(between_d(size(x), 0.0, 200.0), &s), e = fma_d(s, q, s);
  return x != x ? x : (float)(0.5 * (e + 1.0 / e));
}

FUNCTION asinh_f(float x) {
  const double a = size(x), y = log_near_f(a + __builtin_sqrt(fma_d(a, a, 1.0)));
  const float near = fma_f(x * x, x * (-1.0f / 6.0f), x);
  return a < 0x1p-12 ? near : a < __builtin_inf() ? with_sign((float)y, x) : x;
}

FUNCTION acosh_f(float x) {
  const double a = x, y = log_near_f(a + __builtin_sqrt(fma_d(a, a, -1.0)));
  return x < 1.0f ? __builtin_nanf("") : x < __builtin_inff() ? (float)y : x;
}

/* ½·log((1 + a) / (1 - a)) is ½n·ln 2 + s + s³·p(s²) for s = (1 + a - 2ⁿ·(1 - a)) / (1 + a + 2ⁿ·(1 - a)). */
FUNCTION atanh_f(float x) {
  const double a = size(x);
  const union long_word more = {1.0 + a}, less = {1.0 - a};
  const uint64 bits = (uint64)(more.bits - less.bits) + 0x95f619980c433ull; /* n is as in log_parts, about */
  union long_word k, power;
  k.bits = (int64)(bits >> 52 | 0x4330000000000000ull);
  power.bits = (int64)((bits >> 52) + 1023) << 52;
  const double s = fma_d(a, 1.0 + power.number, 1.0 - power.number) / fma_d(a, 1.0 - power.number, 1.0 + power.number);
  const double z = s * s;
  const double p = POLYNOMIAL_D(z, 0.12090831295919419, 0.1425071563817793, 0.2000048805965322, 0.33333331225701);
  const float y = (float)fma_d(k.number - 0x1p52, 0x1.62e42fefa39efp-2, fma_d(s * z, p, s));
  return a < 1.0 ? with_sign(y, x) : a == 1.0 ? with_sign(__builtin_inff(), x) : __builtin_nanf("");
}

/* The angle is that of t, the smaller over the larger of |x| and |y|, or ¼π more than that of (t - 1) / (t + 1). */
FUNCTION atan2_f(float y, float x) {
  const float ax = size(x), ay = size(y);
  const int steep = ay > ax;
  const double less = steep ? ax : ay, more = steep ? ay : ax; /* 0 and ∞ become what can be divided by itself */
  const double small = less < 0x1p300 ? less : 0x1p300, finite = more < 0x1p300 ? more : 0x1p300;
  const double large = finite > 0x1p-300 ? finite : 0x1p-300;
  const int far = small > large * 0.41421356; /* tan(⅛π) */
  const double t = (small - (far ? large : 0.0)) / (large + (far ? small : 0.0)), z = t * t;
  const double p = POLYNOMIAL_D(z, 0.047437023587573415, -0.08476107017962528, 0.11044663409883507, -0.14282005532888786,
                                0.19999903831116073, -0.33333332498247487);
  const double flat = (far ? 0x1.921fb54442d18p-1 : 0.0) + fma_d(p * z, t, t);
  const double right = steep ? 0x1.921fb54442d18p+0 - flat : flat;
  const union word w = {x};
  const float angle = (float)(w.bits >> 31 ? 0x1.921fb54442d18p+1 - right : right);
  return x != x || y != y ? x + y : with_sign(angle, y);
}

FUNCTION atan_f(float x) { return atan2_f(x, 1.0f); }

/* The sine's inverse at |x|, or at √((1 - |x|) / 2), of which twice the inverse is what is left to ½π. */
FUNCTION_OF_DOUBLES asin_parts(float x, int *far) {
  const double a = size(x);
  *far = a > 0.5;
  const double z = *far ? 0.5 - 0.5 * a : a * a, t = *far ? __builtin_sqrt(z) : a;
  const double p = POLYNOMIAL_D(z, 0.034646204046968325, 0.007509598391878005, 0.024604664277835284,
                                0.03011253418003528, 0.04465997134448668, 0.07499948901274613, 0.1666666718019489);
  return fma_d(p * z, t, t);
}

FUNCTION asin_f(float x) {
  int far;
  const double y = asin_parts(x, &far);
  return with_sign((float)(far ? fma_d(y, -2.0, 0x1.921fb54442d18p+0) : y), x);
}

FUNCTION acos_f(float x) {
  int far;
  const double size_of_y = asin_parts(x, &far), y = x < 0.0f ? -size_of_y : size_of_y, end = x < 0.0f ? 0x1.921fb54442d18p+1 : 0.0;
  return (float)(far ? fma_d(2.0, y, end) : 0x1.921fb54442d18p+0 - y);
}

/* For GPUs, to two units of the last place, for normal numbers. */
FUNCTION near_reciprocal(float x) {
#ifdef __CUDACC__
  asm("rcp.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
#else
  return 1.0f / x;
#endif
}

FUNCTION near_root(float x) {
#ifdef __CUDACC__
  asm("sqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
#else
  return __builtin_sqrtf(x);
#endif
}

/* For those as exact as a division, but where that is all but in the middle of two numbers. */
FUNCTION near_quotient(float x, float y) {
#ifdef __CUDACC__
  const float inverse = near_reciprocal(y), q = x * inverse;
  return q == 0.0f ? q : fma_f(fma_f(-q, y, x), inverse, q); /* -0 + 0 would be 0 */
#else
  return x / y;
#endif
}

/* For GPUs, which compute few doubles at once: k·¼π + s·atan(t) for a quotient t in two parts of at most a half. */
FUNCTION atan2_near_f(float y, float x) {
  const float ax = size(x), ay = size(y), infinity = __builtin_inff();
  const int steep = ay > ax;
  float less = steep ? ax : ay, more = steep ? ay : ax;
  less = more < infinity ? less : less < infinity ? 0.0f : 1.0f; /* 0 and ∞ become what can be divided by itself */
  more = more < infinity && more > 0.0f ? more : 1.0f;
  const float scale = more > 0x1p100f ? 0x1p-64f : less < 0x1p-60f && more < 0x1p60f ? 0x1p64f : 1.0f;
  less *= scale;
  more *= scale;
  const int far = less > 0.5f * more; /* then the difference is exact */
  const float sum = less + more, lost = far ? less - (sum - more) : 0.0f;
  const float top = far ? less - more : less, bottom = far ? sum : more, inverse = near_reciprocal(bottom);
  const float t = top * inverse, low = fma_f(-t, lost, fma_f(-t, bottom, top)) * inverse, z = t * t;
  const float p = POLYNOMIAL_F(z, -0.0299774539f, 0.0645998046f, -0.0885728821f, 0.110859074f, -0.142842352f,
                               0.199999586f, -0.333333343f);
  const union word w = {x};
  const int back = w.bits >> 31, flips = steep ^ back;
  const int ahead = steep ? 2 - far : far;
  const float eighths = back ? 4 - ahead : ahead;
  const float turned = flips ? -t : t, rest = fma_f(t * z, p, fma_f(-z, low, low));
  const float near = fma_f(eighths, 0x1.921fp-1f, turned), after = turned - (near - eighths * 0x1.921fp-1f);
  const float angle = near + (fma_f(eighths, 0x1.6a8886p-18f, flips ? -rest : rest) + after);
  return x != x || y != y ? x + y : with_sign(angle, y);
}

FUNCTION atan_near_f(float x) { return atan2_near_f(x, 1.0f); }

/* Functions of f16 whose results are rounded to f16: for each of its numbers, they give what those above give. Those of
   tanh, erf, log1p and asin do so for bf16, too.

   exp(x) = s + s·q, with s, a power of two. */
FUNCTION exp_parts_h(float x, float *s) {
  const float shifted = fma_f(between(x, -18.0f, 18.0f), 0x1.715476p+0f, 0x1.8p23f), n = shifted - 0x1.8p23f;
  const float r = fma_f(n, -0x1.62e43p-1f, between(x, -18.0f, 18.0f));
  union word w = {shifted};
  w.bits = (w.bits << 23) + (127u << 23);
  *s = w.number;
  float p = fma_f(0.00828921888f, r, 0.0418392979f);
  p = fma_f(p, r, 0.166672349f);
  return fma_f(fma_f(p, r, 0.499996364f) * r, r, r);
}

FUNCTION exp_h(float x) {
  float s;
  const float q = exp_parts_h(x, &s);
  return fma_f(s, q, s);
}

FUNCTION expm1_h(float x) {
  float s;
  const float q = exp_parts_h(x, &s);
  return x == 0.0f ? x : fma_f(s, q, s - 1.0f);
}

FUNCTION logistic_h(float x) {
  const float e = exp_h(-x), whole = 1.0f + e, rest = (1.0f - whole) + e, q = near_reciprocal(whole);
  return fma_f(fma_f(-q, rest, fma_f(-q, whole, 1.0f)), q, q);
}

FUNCTION tanh_h(float x) {
  x = between(x, -4.6f, 4.6f);
  const float z = x * x;
  float p = POLYNOMIAL_F(z, 5.453561243484728e-06f, 0.0025513889268040657f, 0.1259024441242218f, 1.0f);
  const float q = POLYNOMIAL_F(z, 0.00017427504644729197f, 0.02229701541364193f, 0.4592355787754059f, 1.0f);
  return near_quotient(x * p, q);
}

FUNCTION erf_h(float x) {
  x = between(x, -2.7926698f, 2.7926698f);
  const float z = x * x;
  float p = POLYNOMIAL_F(z, 7.541848026448861e-05f, 0.03856601193547249f, 0.13084512948989868f, 1.1283793449401855f);
  const float q = POLYNOMIAL_F(z, -7.475126767531037e-05f, 0.007003515027463436f, 0.08389830589294434f,
                               0.4492988586425781f, 1.0f);
  return near_quotient(x * p, q);
}

/* For f16 alone: 2^p(|x|) with a polynomial p = log2(erfc) without a constant; 2 less that for negative numbers. */
FUNCTION erfc_h(float x) {
  const float t = size(x) > 4.0f ? 4.0f : size(x);
  float p = POLYNOMIAL_F(t, -6.9897277e-07f, 1.5197318e-05f, -0.00014191912f, 0.00072059344f, -0.0018704452f,
                         -0.0005599863f, 0.02828877f, -0.14857188f, -0.9183844f, -1.6279118f);
  p *= t;
  union word s = {p + (0x1.8p23f + 127.0f)}; /* its lowest bits are n + 127 */
  const float r = p - (s.number - (0x1.8p23f + 127.0f));
  const float q = POLYNOMIAL_F(r, 0.0013418231f, 0.009671787f, 0.055502705f, 0.2402221f, 0.6931467f);
  s.bits <<= 23;
  const float y = s.number * fma_f(q, r, 1.0f);
  return x < 0.0f ? 2.0f - y : y;
}

FUNCTION sine_h(float x, unsigned turn) {
  union word shifted = {fma_f(x, 0x1.45f306p-1f, 0x1.8p23f)};
  const float n = shifted.number - 0x1.8p23f;
  const float r = fma_f(n, 0x1.777a5cp-25f, fma_f(n, -0x1.921fb6p+0f, x)), z = r * r;
  float odd = fma_f(-0.00019514634914230555f, z, 0.008332155644893646f);
  odd = fma_f(fma_f(odd, z, -0.16666655242443085f) * z, r, r);
  float even = POLYNOMIAL_F(z, -0.001359125366434455f, 0.041655734181404114f, -0.4999988377094269f, 1.0f);
  const unsigned quarter = shifted.bits + turn;
  union word result = {quarter & 1 ? even : odd};
  result.bits ^= (quarter & 2) << 30;
  return x == 0.0f && !turn ? x : result.number;
}

FUNCTION sin_h(float x) { return sine_h(x, 0); }
FUNCTION cos_h(float x) { return sine_h(x, 1); }

/* This one and acos are for bf16 alone. */
FUNCTION atan_h(float x) {
  const float a = size(x), t = a > 1.0f ? near_reciprocal(a) : a, z = t * t;
  const float p = POLYNOMIAL_F(z, 0.0081062438f, -0.0377963521f, 0.084840633f, -0.13544555f, 0.198978692f,
                               -0.333284914f);
  const float flat = fma_f(p * z, t, t);
  return with_sign(a > 1.0f ? 0x1.921fb6p+0f - flat : flat, x);
}

/* As asin_parts. */
FUNCTION asin_parts_h(float x, int *far) {
  const float a = size(x);
  *far = a > 0.5f;
  const float z = *far ? 0.5f - 0.5f * a : a * a, t = *far ? near_root(z) : a;
  const float p = POLYNOMIAL_F(z, 0.0422185473f, 0.0241476111f, 0.045477096f, 0.0749524161f, 0.166667536f);
  return fma_f(p * z, t, t);
}

FUNCTION asin_h(float x) {
  int far;
  const float y = asin_parts_h(x, &far);
  return with_sign(far ? fma_f(-2.0f, y, 0x1.921fb6p+0f) : y, x);
}

FUNCTION acos_h(float x) {
  int far;
  const float size_of_y = asin_parts_h(x, &far), y = x < 0.0f ? -size_of_y : size_of_y;
  return far ? fma_f(2.0f, y, x < 0.0f ? 0x1.921fb6p+1f : 0.0f) : 0x1.921fb6p+0f - y;
}

FUNCTION log1p_h(float x) {
  const float u = 1.0f + x;
  union word w = {u};
  const unsigned n = (w.bits - 0x3f3504f3u) & 0xff800000u;
  w.bits -= n;
  const float f = w.number - 1.0f;
  float p = POLYNOMIAL_F(f, -0.1019136905670166f, 0.16025449335575104f, -0.17137180268764496f, 0.19927777349948883f,
                         -0.24983246624469757f, 0.33334240317344666f);
  const float y = fma_f((float)((int)n >> 23), 0x1.62e43p-1f, fma_f(fma_f(p, f, -0.5f) * f, f, f));
  const float edge = u == 0.0f ? -__builtin_inff() : u < 0.0f ? __builtin_nanf("") : u;
  return size(x) < 0x1p-13f ? x : u > 0.0f && u < __builtin_inff() ? y : edge;
}

/* exp(y·log|x|) where that is a number; special cases are those of IEEE 754. */
FUNCTION power_f(float x, float y) {
  const float magnitude = size(x), half = y * 0.5f;
  const int usual = magnitude > 0.0f && magnitude < __builtin_inff();
  const int whole = y == __builtin_truncf(y), odd = whole && half != __builtin_truncf(half);
  double n, z, power;
  const double s = log_parts(usual ? magnitude : 1.0f, &n, &z);
  const double p = POLYNOMIAL_D(z, 0.19362776836788823, 0.22191394493172326, 0.2857175463573282, 0.39999998796848674,
                          0.6666666666737545);
  const double logarithm = fma_d(n, 0x1.62e42fefa39efp-1, fma_d(s * z, p, s * 2.0));
  const double q = exp_parts(between_d(between_d(y, -0x1p40, 0x1p40) * logarithm, -200.0, 200.0), &power);
  union word w = {x}, result = {usual ? (float)(power * q + power) : (magnitude == 0.0f) == (y < 0.0f) ? __builtin_inff() : 0.0f};
  result.bits ^= odd ? w.bits & 0x80000000 : 0;
  const int undefined = x != x || y != y || (usual && x < 0.0f && !whole);
  return x == 1.0f || y == 0.0f ? 1.0f : undefined ? __builtin_nanf("") : result.number;
}

/* Returns r, 2ⁿ⁻¹ and t, about r²/2, with exp(x) = 2ⁿ·(1 + r + t) and |r| ≤ ½ ln 2; t has what the rounding of r loses. If
   x is small, the power is 2ⁿ⁺⁵¹², which is a normal number. */
FUNCTION_OF_DOUBLES exp_terms_d(double x, int small, double *power, double *t) {
  union long_word w = {fma_d(x, 0x1.71547652b82fep+0, 0x1.8p52)};
  const double n = w.number - 0x1.8p52, first = fma_d(n, -0.6931471675634384, x);
  const double r = fma_d(n, -1.2996506893889889e-08, first), lost = fma_d(n, -1.2996506893889889e-08, first - r);
  const double p = POLYNOMIAL_D(r, 2.092703463135008e-09, 2.511234465043321e-08, 2.7557233090222525e-07,
                          2.755723394129755e-06, 2.480158737399984e-05, 0.00019841269897348938, 0.0013888888888858365,
                          0.008333333333316624, 0.04166666666666673, 0.16666666666666685);
  w.bits = (w.bits << 52) + (small ? 1535ll << 52 : 1022ll << 52);
  *power = w.number;
  *t = fma_d(r * r, fma_d(p, r, 0.5), lost);
  return r;
}

FUNCTION_OF_DOUBLES exp_d(double x) {
  const double a = between_d(x, -746.0, 710.0);
  const int small = a < -700.0;
  double power, t;
  const double r = exp_terms_d(a, small, &power, &t), whole = 1.0 + r;
  return ((((1.0 - whole) + r) + t) + whole) * power * (small ? 0x1p-512 : 2.0);
}

/* 2ⁿ·(r + t) + (2ⁿ - 1), of halves of these, as 2ⁿ may be too large. */
FUNCTION_OF_DOUBLES expm1_d(double x) {
  double s, t;
  const double r = exp_terms_d(between_d(x, -50.0, 710.0), 0, &s, &t);
  const double first = s - 0.5, second = s * r, sum = first + second, more = sum - first;
  const double lost = (first - (sum - more)) + (second - more), y = (fma_d(s, t, lost) + sum) * 2.0;
  return x > -0x1p-54 && x < 0x1p-54 ? x : y;
}

/* As tanh_f. */
FUNCTION_OF_DOUBLES tanh_d(double x) {
  union long_word w = {x}, one = {1.0};
  const int64 sign = w.bits & (1ll << 63);
  w.bits ^= sign;
  one.bits |= sign;
  const double a = w.number, least = a > 20.0 ? 20.0 : a, z = x * x;
  union long_word s = {fma_d(least, 0x1.71547652b82fep+1, 0x1.8p52 + 1023.0)}; /* its lowest bits are n + 1023 */
  const double n = s.number - (0x1.8p52 + 1023.0);
  const double r = fma_d(n, -6.498253446944944e-09, fma_d(n, -0.3465735837817192, least)); /* half of exp's */
  s.bits <<= 52;
  const double e = POLYNOMIAL_D(r, 0.00028295839497556, 0.0014151781807835314, 0.006349180272242529, 0.025396697890107116,
                                0.08888888929507927, 0.2666666683424879, 0.666666666663807, 1.3333333333243442,
                                2.0000000000000075, 2.0000000000000133, 1.0);
  const int far = a >= 1.1;
  const double p = POLYNOMIAL_D(z, -1.716550568099661e-08, -0.00024303501438269282, -0.021404495363628335,
                                -0.3333333333333333);
  const double q = POLYNOMIAL_D(z, 0.00025403819620494085, 0.024509737574768764, 0.464213486090883, 1.0);
  const double top = far ? -2.0 : fma_d(p, z, 0.0); /* + 0, so that -0 stays */
  const double bottom = far ? fma_d(s.number, e, 1.0) : q, base = far ? one.number : x;
  return fma_d(base, top / bottom, base);
}

/* x modulo y, of positive finite numbers: of what is left of x's significand, by 11 bits of the quotient at a time. */
FUNCTION_OF_DOUBLES remainder_d(double x, double y) {
  const union long_word a = {x}, b = {y};
  const int64 leading = 1ll << 52, e = a.bits >> 52, f = b.bits >> 52;
  const uint64 divisor = (uint64)(f ? b.bits % leading + leading : b.bits);
  uint64 rest = (uint64)(e ? a.bits % leading + leading : a.bits);
  int64 left = (e ? e : 1) - (f ? f : 1), bits;
  if (x < y) return x;
  do {
    bits = left < 11 ? left : 11;
    rest = (rest << bits) % divisor;
    left -= bits;
  } while (left && rest);
  union long_word unit; /* of the divisor's last place */
  unit.bits = f > 52 ? (f - 52) << 52 : 1ll << (f ? f - 1 : 0);
  return (double)(int64)rest * unit.number;
}

/* The same of floats, by 22 bits of the quotient at a time. A rounded quotient may be one too large, not too small, so
   what is left of x is exact. */
FUNCTION remainder_f(float x, float y) {
  float unit = y;
  if (x < y) return x;
  while (x >= unit * 0x1p22f) unit *= 0x1p22f; /* the product may be infinite */
  for (;; unit *= 0x1p-22f) {
    x = fma_f(-__builtin_truncf(x / unit), unit, x);
    x = x < 0 ? x + unit : x;
    if (unit == y) return x;
  }
}

/* The sine of x, which is near n quarter turns, plus more quarter turns. Two parts of π/2 are accurate enough for
   |n| < 2²⁰. */
FUNCTION sine_near(float x, double n, unsigned quarter) {
  const double r = fma_d(n, -0x1.0b4611a626331p-34, fma_d(n, -0x1.921fb544p+0, x)), z = r * r, square = z * z;
  const double sign = quarter & 2 ? -1.0 : 1.0;
  const double sine = fma_d(fma_d(2.724962008007483e-06, z, -0.00019840084376422697), square,
                            fma_d(0.008333331870341349, z, -0.16666666663844049));
  const double cosine = fma_d(fma_d(-2.730070403767229e-07, z, 2.480059840834564e-05), square,
                              fma_d(-0.001388888766837065, z, 0.041666666664311826));
  const double even = fma_d(sine, z * (r * sign), r * sign), odd = fma_d(fma_d(cosine, z, -0.5), z * sign, sign);
  return (float)(quarter & 1 ? odd : even);
}

/* sine_f for a single number whose result the next operation waits for: shorter, with branches. A processor that
   predicts them does not wait for n, the nearest number of quarter turns. */
FUNCTION sine_1(float x, unsigned turn) {
  if (!(size(x) < 0x1p20f)) return sine_f(x, turn);
  union {
    double number;
    uint64 bits;
  } shifted = {fma_d(x, 0x1.45f306dc9c883p-1, 0x1.8p52)};
  const double n = shifted.number - 0x1.8p52;
  if (n == 0.0) return sine_near(x, 0.0, turn);
  if (n == 1.0) return sine_near(x, 1.0, turn + 1);
  if (n == 2.0) return sine_near(x, 2.0, turn + 2);
  if (n == -1.0) return sine_near(x, -1.0, turn - 1);
  if (n == -2.0) return sine_near(x, -2.0, turn - 2);
  return sine_near(x, n, (unsigned)shifted.bits + turn);
}

FUNCTION sin_1(float x) { return x == 0.0f ? x : sine_1(x, 0); }
FUNCTION cos_1(float x) { return sine_1(x, 1); }
