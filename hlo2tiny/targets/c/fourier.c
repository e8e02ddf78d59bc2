/* Fourier transforms of all lines of a tensor along one dimension, several lines at a time.

   A line is transformed in passes, one for each factor of its size, in Stockham's order, which needs no final sorting.
   Real and imaginary parts are in separate arrays; exchanging these two gives the inverse transform. Real lines of even
   length are complex ones of half the length. A large prime factor is a convolution: of p - 1 numbers in the order of a
   generator's powers (Rader), or with a chirp (Bluestein). plan/fourier.py says what the table has.

   The numbers of several lines, or of one line that a pass treats alike, are neighbours: a run, computed in vectors. The
   last vector of a run may overlap the one before it. Each number is computed in the same way in all cases. */

enum { COMPLEX, REAL, HALF }; /* HALF: the first half of a line, whose other half is its mirrored conjugate */
enum { MOST_LANES = 16, SOME_NUMBERS = 16, NEAR_BYTES = 1 << 20 };

/* A pass; of a convolution's size unless that is 0, computed by the `inner` passes that follow. A generator is Rader's. */
struct pass {
  long factor, size, generator, inner;
};

struct lines {
  long length, size;   /* of a line; of its complex transform */
  long count, inner;   /* how many lines there are; the distance between a line's numbers */
  long before, after;  /* how many numbers a line has in the operand and in the result */
  long source, target; /* the kinds of these numbers, COMPLEX or another */
  long lanes, scratch; /* how many lines are transformed at a time; the bytes that they take */
  long plane;          /* the distance of real and imaginary parts there */
  long pass_count;
  const struct pass *passes;
};

typedef void (*transform)(const struct context *, const struct lines *, long, int, const void *, const void *, void *,
                          char *);

/* functions */
#if defined __AVX512F__
#define LINE_BYTES 64
#define LIST_s(name) name##_16
#define LIST_d(name) name##_8
#elif defined __AVX__
#define LINE_BYTES 32
#define LIST_s(name) name##_8
#define LIST_d(name) name##_4
#else
#define LINE_BYTES 16
#define LIST_s(name) name##_4
#define LIST_d(name) name##_2
#endif
#ifdef __clang__
#define SCALAR _Pragma("clang loop vectorize(disable)")
#else
#define SCALAR
#endif
#define AT(place) (*(const V *)(place))
#define TO(place) (*(V *)(place))
/* The vector after the one at k: the last one ends where the run does. */
#define NEXT(k, run) ((k) + W < (run) && (k) + 2 * W > (run) ? (run) - W : (k) + W)

/* planes */
struct PLANES {
  T *re, *im;
};
/* Vectors that are aligned like their elements; a single number is one where the run is shorter. */
typedef T VECTOR __attribute__((vector_size(LINE_BYTES), aligned(sizeof(T)), may_alias));
typedef T SINGLE __attribute__((vector_size(sizeof(T)), aligned(sizeof(T)), may_alias));

/* pairs */
/* The half spectra of real lines from the transforms of their pairs, and the reverse, but for factors of 2: the results
   at r and at size - r have the same operands. */
static void PAIRS(const T *w, int inverse, long size, long run, struct PLANES x, struct PLANES y) {
  const T sign = inverse ? -1 : 1;
  for (long r = 0; 2 * r <= size; r++) {
    const T c = w[2 * r], s = w[2 * r + 1] * sign, by = inverse ? 1 : (T)0.5;
    const long a = r * run, b = (size - r) * run, last = r || inverse ? b : 0;
    for (long k = 0; k < run; k = NEXT(k, run)) {
      const V ar = AT(x.re + a + k), br = AT(x.re + last + k);
      V ai = AT(x.im + a + k), bi = AT(x.im + last + k);
      if (inverse && !r) ai = bi = ar - ar; /* these numbers are their own mirror images, so they are real */
      const V er = (ar + br) * by, ei = (ai - bi) * by, fr = (ar - br) * by, fi = (ai + bi) * by;
      /* i times the root, or -i times it */
      const V gr = (fr * s + fi * c) * sign, gi = (fi * s - fr * c) * sign;
      TO(y.re + a + k) = er + gr;
      TO(y.im + a + k) = ei + gi;
      TO(y.re + b + k) = er - gr;
      TO(y.im + b + k) = gi - ei;
    }
  }
}

/* Store the results at r of some groups of a single line, times their roots. */
INLINE void SPREAD(const T *w, long kept, long group, long r, V re, V im, struct PLANES y) {
  for (long l = 0; l < W; l++, group++) {
    const T c = w[2 * group * r], s = w[2 * group * r + 1];
    y.re[kept * group + r] = re[l] * c - im[l] * s;
    y.im[kept * group + r] = re[l] * s + im[l] * c;
  }
}

/* The first pass of real lines, of an odd factor. Of its results at r and factor - r, conjugates of each other, it stores
   the first one only, as the passes that follow keep them. A vector has numbers of several lines, or groups of one. */
static void REALS(long factor, const T *w, long parts, long run, const T *x, struct PLANES y) {
  const long half = factor / 2, kept = half + 1, apart = parts * run, some = run < W ? apart : run;
  T c[MOST_FACTOR], s[MOST_FACTOR];
  for (long j = 0; j < factor; j++) c[j] = w[2 * j * parts], s[j] = w[2 * j * parts + 1];
  for (long q = 0; q * run < apart; q += some / run)
    for (long k = 0; k < some; k = NEXT(k, some)) {
      V a[MOST_FACTOR / 2], b[MOST_FACTOR / 2];
      const V first = AT(x + q * run + k);
      V sum = first;
      for (long j = 0; j < half; j++) {
        const V u = AT(x + (j + 1) * apart + q * run + k), v = AT(x + (factor - 1 - j) * apart + q * run + k);
        a[j] = u + v, b[j] = v - u;
        sum += a[j];
      }
      T *const yr = y.re + kept * q * run + k, *const yi = y.im + kept * q * run + k;
      if (run < W)
        for (long l = 0; l < W; l++) y.re[kept * (k + l)] = sum[l], y.im[kept * (k + l)] = first[l] - first[l];
      else
        TO(yr) = sum, TO(yi) = first - first;
      for (long r = 1; r <= half; r += 2) { /* two at a time, as each addition waits for the one before it */
        const long t = r < half ? r + 1 : r;
        V er = first, ei = first - first, fr = er, fi = ei;
        for (long j = 0, m = r, n = t; j < half; j++) {
          er += a[j] * c[m], ei -= b[j] * s[m], fr += a[j] * c[n], fi -= b[j] * s[n];
          m = m + r < factor ? m + r : m + r - factor, n = n + t < factor ? n + t : n + t - factor;
        }
        if (run < W) {
          SPREAD(w, kept, k, r, er, ei, y), SPREAD(w, kept, k, t, fr, fi, y);
          continue;
        }
        const T *const u = w + 2 * q * r, *const v = w + 2 * q * t;
        TO(yr + r * run) = er * u[0] - ei * u[1], TO(yi + r * run) = er * u[1] + ei * u[0];
        TO(yr + t * run) = fr * v[0] - fi * v[1], TO(yi + t * run) = fr * v[1] + fi * v[0];
      }
    }
}

/* The numbers of a line of odd length whose discrete Hartley transform is the real line with this half spectrum. */
static void FOLD(long length, long run, struct PLANES x, T *y) {
  for (long j = 0; j <= length / 2; j++)
    for (long k = 0; k < run; k = NEXT(k, run)) {
      const V re = AT(x.re + j * run + k), im = AT(x.im + j * run + k);
      TO(y + j * run + k) = re;
      if (j) TO(y + j * run + k) = re - im, TO(y + (length - j) * run + k) = re + im;
    }
}

/* The half spectra of real lines of odd length from what the passes kept; or, from that, Hartley transforms. */
static void UNFOLD(long length, long factor, int hartley, long run, struct PLANES x, struct PLANES y) {
  const long kept = factor / 2 + 1;
  for (long j = 0, group = 0, place = 0; j <= length / 2; j++) {
    const long mirrored = place >= kept, beside = length / factor - 1 - group;
    const T sign = mirrored ? -1 : 1;
    const long a = (mirrored ? beside * kept + factor - place : group * kept + place) * run;
    const long b = j * run, c = (length - j) * run;
    for (long k = 0; k < run; k = NEXT(k, run)) {
      const V re = AT(x.re + a + k), im = AT(x.im + a + k) * sign;
      if (hartley)
        TO(y.re + b + k) = re - im;
      else
        TO(y.re + b + k) = re, TO(y.im + b + k) = im;
      if (hartley && j) TO(y.re + c + k) = re + im;
    }
    if (++place == factor) place = 0, group++;
  }
}

/* butterflies */
/* The transform of a few numbers in place; c and s are the parts of the roots of unity. */
INLINE void QUARTER(const int step, V *re, V *im) {
  const V er = re[0] + re[2 * step], ei = im[0] + im[2 * step], fr = re[0] - re[2 * step], fi = im[0] - im[2 * step];
  const V gr = re[step] + re[3 * step], gi = im[step] + im[3 * step];
  const V hr = im[step] - im[3 * step], hi = re[3 * step] - re[step];
  re[0] = er + gr, im[0] = ei + gi;
  re[step] = fr + hr, im[step] = fi + hi;
  re[2 * step] = er - gr, im[2 * step] = ei - gi;
  re[3 * step] = fr - hr, im[3 * step] = fi - hi;
}

INLINE void BUTTERFLY(const long factor, const T *c, const T *s, V *re, V *im) {
  if (factor == 2) {
    const V ar = re[0], ai = im[0];
    re[0] = ar + re[1], im[0] = ai + im[1];
    re[1] = ar - re[1], im[1] = ai - im[1];
  } else if (factor == 4) {
    QUARTER(1, re, im);
  } else if (factor == 8) {
    const T root = (T)0.70710678118654752440;
    QUARTER(2, re, im);
    QUARTER(2, re + 1, im + 1);
    const V ar[4] = {re[1], (re[3] + im[3]) * root, im[5], (im[7] - re[7]) * root};
    const V ai[4] = {im[1], (im[3] - re[3]) * root, -re[5], (re[7] + im[7]) * -root};
    V er[4], ei[4];
    for (int r = 0; r < 4; r++) er[r] = re[2 * r], ei[r] = im[2 * r];
    for (int r = 0; r < 4; r++) {
      re[r] = er[r] + ar[r], im[r] = ei[r] + ai[r];
      re[r + 4] = er[r] - ar[r], im[r + 4] = ei[r] - ai[r];
    }
  } else { /* numbers at opposite places share their products */
    V ar[MOST_FACTOR / 2], ai[MOST_FACTOR / 2], br[MOST_FACTOR / 2], bi[MOST_FACTOR / 2];
    const V xr = re[0], xi = im[0];
    const long half = factor / 2;
    for (long j = 0; j < half; j++) {
      ar[j] = re[j + 1] + re[factor - 1 - j], ai[j] = im[j + 1] + im[factor - 1 - j];
      br[j] = re[factor - 1 - j] - re[j + 1], bi[j] = im[factor - 1 - j] - im[j + 1];
      re[0] += ar[j], im[0] += ai[j];
    }
    for (long r = 1; r <= half; r += 2) { /* two at a time, as each addition waits for the one before it */
      const long t = r < half ? r + 1 : r;
      V er = xr, ei = xi, fr = xr - xr, fi = fr, gr = xr, gi = xi, hr = fr, hi = fr;
      for (long j = 0, m = r, n = t; j < half; j++) {
        er += ar[j] * c[m], ei += ai[j] * c[m], fr += bi[j] * s[m], fi -= br[j] * s[m];
        gr += ar[j] * c[n], gi += ai[j] * c[n], hr += bi[j] * s[n], hi -= br[j] * s[n];
        m = m + r < factor ? m + r : m + r - factor, n = n + t < factor ? n + t : n + t - factor;
      }
      re[r] = er + fr, im[r] = ei + fi, re[factor - r] = er - fr, im[factor - r] = ei - fi;
      re[t] = gr + hr, im[t] = gi + hi, re[factor - t] = gr - hr, im[factor - t] = gi - hi;
    }
  }
}

/* shuffles */
#define VECTORS
#define SHUFFLED(a, b, list) __builtin_shufflevector(a, b, LIST(list))
/* Exchange the rows and columns of W vectors. */
INLINE void TRANSPOSE(V *x) {
  V y[W];
  for (int half = 1; half < W; half *= 2) {
    for (int i = 0; i < W / 2; i++) {
      y[2 * i] = SHUFFLED(x[i], x[i + W / 2], LOW);
      y[2 * i + 1] = SHUFFLED(x[i], x[i + W / 2], HIGH);
    }
    for (int i = 0; i < W; i++) x[i] = y[i];
  }
}

/* For a vector of numbers of short groups: where its first result goes, and the roots that the others are multiplied by. */
APART void TURNS(const T *w, long factor, long parts, long stride, long run, long i, long *place, T *c, T *s) {
  for (long l = 0, q = i / run, k = i % run; l < W; l++) {
    const long turn = q < parts ? 2 * q * stride : 0;
    place[l] = q * factor * run + k;
    for (long r = 1; r < factor; r++) c[r * W + l] = w[r * turn], s[r * W + l] = w[r * turn + 1];
    if (++k == run) k = 0, q++;
  }
}

APART void SCATTER(T *x, long factor, long run, long some, const long *place, T *y) {
  for (long r = 0; r < factor; r++)
    for (long l = 0; l < some; l++) y[place[l] + r * run] = x[r * W + l];
}

/* A pass whose groups are shorter than a vector: a vector has numbers of several groups, and their roots. */
INLINE void NARROW(const long factor, const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  const long count = parts * run;
  T c[MOST_FACTOR], s[MOST_FACTOR];
  for (long j = 0; factor % 2 && j < factor; j++) c[j] = w[2 * j * parts * stride], s[j] = w[2 * j * parts * stride + 1];
  for (long i = 0; i < count; i = NEXT(i, count)) {
    V re[MOST_FACTOR], im[MOST_FACTOR], tc[MOST_FACTOR], ts[MOST_FACTOR];
    long place[W];
    TURNS(w, factor, parts, stride, run, i, place, (T *)tc, (T *)ts);
    for (long j = 0; j < factor; j++) re[j] = AT(x.re + j * count + i), im[j] = AT(x.im + j * count + i);
    BUTTERFLY(factor, c, s, re, im);
    for (long r = 1; parts > 1 && r < factor; r++) {
      const V a = re[r], b = im[r];
      re[r] = a * tc[r] - b * ts[r], im[r] = a * ts[r] + b * tc[r];
    }
    if (run == 1 && factor % 2 == 0 && count >= W) {
      V u[8], v[8];
      for (long half = 1; half < factor; half *= 2) {
        for (long j = 0; j < factor / 2; j++) {
          u[2 * j] = SHUFFLED(re[j], re[j + factor / 2], LOW), u[2 * j + 1] = SHUFFLED(re[j], re[j + factor / 2], HIGH);
          v[2 * j] = SHUFFLED(im[j], im[j + factor / 2], LOW), v[2 * j + 1] = SHUFFLED(im[j], im[j + factor / 2], HIGH);
        }
        for (long j = 0; j < factor; j++) re[j] = u[j], im[j] = v[j];
      }
      for (long j = 0; j < factor; j++) TO(y.re + factor * i + j * W) = re[j], TO(y.im + factor * i + j * W) = im[j];
    } else {
      const long some = count - i < W ? count - i : W;
      SCATTER((T *)re, factor, run, some, place, y.re);
      SCATTER((T *)im, factor, run, some, place, y.im);
    }
  }
}

/* passes */
/* A pass combines `factor` inputs, each of `parts` groups of `run` numbers, to groups of the result. The indices of the
   roots are multiples of `stride`. */
INLINE void GROUP(const long factor, const int turned, const T *w, const T *c, const T *s, long apart, long q, long run,
                  struct PLANES x, struct PLANES y) {
  T tc[MOST_FACTOR], ts[MOST_FACTOR];
  for (long r = 1; turned && r < factor; r++) tc[r] = w[2 * q * r], ts[r] = w[2 * q * r + 1];
  for (long k = 0; k < run; k = NEXT(k, run)) {
    V re[MOST_FACTOR], im[MOST_FACTOR];
    for (long j = 0; j < factor; j++) re[j] = AT(x.re + j * apart + k), im[j] = AT(x.im + j * apart + k);
    BUTTERFLY(factor, c, s, re, im);
    for (long r = 0; r < factor; r++)
      if (r && turned) {
        TO(y.re + r * run + k) = re[r] * tc[r] - im[r] * ts[r];
        TO(y.im + r * run + k) = re[r] * ts[r] + im[r] * tc[r];
      } else
        TO(y.re + r * run + k) = re[r], TO(y.im + r * run + k) = im[r];
  }
}

INLINE void WIDE(const long factor, const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  T c[MOST_FACTOR], s[MOST_FACTOR];
  for (long j = 0; factor % 2 && j < factor; j++) c[j] = w[2 * j * parts * stride], s[j] = w[2 * j * parts * stride + 1];
  for (long q = 0; q < parts; q++) {
    const struct PLANES from = {x.re + q * run, x.im + q * run};
    const struct PLANES to = {y.re + factor * q * run, y.im + factor * q * run};
#ifdef VECTORS /* where that is a large part of the work, the last pass has no products */
    if (q == 0 && factor % 2 == 0) {
      GROUP(factor, 0, w, c, s, parts * run, q, run, from, to);
      continue;
    }
#endif
    GROUP(factor, q > 0, w, c, s, parts * run, q * stride, run, from, to);
  }
}

/* each factor */
APART void PASSFACTOR(long factor, const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  WIDE(FACTOR, w, parts, stride, run, x, y);
}

/* lines */
static struct PLANES EXCHANGED(struct PLANES x) { return (struct PLANES){x.im, x.re}; }
static struct PLANES MOVED(struct PLANES x, long by) { return (struct PLANES){x.re + by, x.im + by}; }

/* Multiply rows by the complex numbers `w`. */
APART void TIMES(struct PLANES x, const T *w, long count, long run) {
  T *restrict re = x.re, *restrict im = x.im;
  for (long j = 0; run == 1 && j < count; j++) {
    const T xr = re[j], xi = im[j];
    re[j] = xr * w[2 * j] - xi * w[2 * j + 1];
    im[j] = xr * w[2 * j + 1] + xi * w[2 * j];
  }
  for (long j = 0; run > 1 && j < count; j++) {
    const T c = w[2 * j], s = w[2 * j + 1];
    long k = j * run;
    for (; k + W <= (j + 1) * run; k += W) {
      const V xr = AT(re + k), xi = AT(im + k);
      TO(re + k) = xr * c - xi * s;
      TO(im + k) = xr * s + xi * c;
    }
    SCALAR for (; k < (j + 1) * run; k++) {
      const T xr = re[k], xi = im[k];
      re[k] = xr * c - xi * s;
      im[k] = xr * s + xi * c;
    }
  }
}

INLINE void COPY(const T *from, T *to, long count) {
  if (count < W)
    SCALAR for (long k = 0; k < count; k++) to[k] = from[k];
  else
    for (long k = 0; k < count; k = NEXT(k, count)) TO(to + k) = AT(from + k);
}

APART void CLEAR(T *to, long count) {
  for (long k = 0; k < count; k++) to[k] = 0;
}

static void SWAP(struct PLANES *x, struct PLANES *y) {
  const struct PLANES other = *x;
  *x = *y;
  *y = other;
}

#ifdef VECTORS
APART void NARROW_PASS(long factor, const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  if (factor == 8)
    NARROW(8, w, parts, stride, run, x, y);
  else if (factor == 4)
    NARROW(4, w, parts, stride, run, x, y);
  else
    NARROW(factor, w, parts, stride, run, x, y);
}
#else
#define NARROW_PASS PASS0 /* a run is never shorter than a vector */
#endif

/* A pass that is no convolution; x and y are swapped, so that the result is in x. */
static void PASS(long factor, const T *w, long parts, long apart, long run, struct PLANES *x, struct PLANES *y) {
  switch (run < W ? -1 : factor) {
    case -1: NARROW_PASS(factor, w, parts, apart, run, *x, *y); break;
      CASES
  }
  SWAP(x, y);
}

/* The passes of a convolution's transform. */
static void DIRECT(const struct pass *p, const T *w, long count, struct PLANES *x, struct PLANES *y) {
  long parts = p->size, stride = 1;
  for (long i = 1; i <= p->inner; stride *= p[i++].factor) {
    parts /= p[i].factor;
    PASS(p[i].factor, w, parts, stride, stride * count, x, y);
  }
}

/* A large prime factor as a convolution. The first results, so many as are kept, replace the operand, in a pass's order. */
APART void CONVOLVE(const struct pass *p, const T *roots, const T *w, long parts, long stride, long run, long kept,
                    struct PLANES x, struct PLANES y) {
  const long count = parts * run, rader = p->generator, all = p->factor;
  const T *const chirp = w + 2 * p->size, *const spectrum = rader ? chirp : chirp + 2 * all;
  struct PLANES a = y, b = x;
  if (rader) { /* y has the numbers but for the first one, and then that */
    uint64 power = 1;
    for (long j = 0; j < all - 1; j++, power = power * (uint64)rader % (uint64)all) {
      COPY(x.re + (long)power * count, a.re + j * count, count);
      COPY(x.im + (long)power * count, a.im + j * count, count);
    }
    b = MOVED(x, count);
  } else {
    COPY(x.re, a.re, all * count);
    COPY(x.im, a.im, all * count);
    TIMES(a, chirp, all, count);
    CLEAR(a.re + all * count, (p->size - all) * count), CLEAR(a.im + all * count, (p->size - all) * count);
  }
  DIRECT(p, w, count, &a, &b);
  T *const first_re = x.re, *const first_im = x.im;
  if (rader) { /* the sum of all numbers is the first result; the first number is part of all others */
    T *const sum_re = y.re + (all - 1) * count, *const sum_im = y.im + (all - 1) * count;
    for (long k = 0; k < count; k++) sum_re[k] = a.re[k] + first_re[k], sum_im[k] = a.im[k] + first_im[k];
  }
  TIMES(a, spectrum, p->size, count);
  if (rader)
    for (long k = 0; k < count; k++) a.re[k] += first_re[k], a.im[k] += first_im[k];
  a = EXCHANGED(a);
  b = EXCHANGED(b);
  DIRECT(p, w, count, &a, &b); /* twice as many passes: the result is in y again */
  if (!rader) TIMES(y, chirp, all, count);
  uint64 power = 1;
  for (long j = 0; j < all; j++) {
    /* the powers of the generator's inverse are those of the generator in reverse */
    const long r = !rader ? j : j == 0 ? 0 : (long)power;
    const long row = !rader ? j : j == 0 ? all - 1 : (all - j) % (all - 1);
    if (rader && j) power = power * (uint64)rader % (uint64)all;
    for (long q = 0; r < kept && q < parts; q++) {
      const T *const root = roots + 2 * q * r * stride;
      const T c = root[0], s = root[1], *re = y.re + row * count + q * run, *im = y.im + row * count + q * run;
      T *const to_re = x.re + (kept * q + r) * run, *const to_im = x.im + (kept * q + r) * run;
      long k = 0;
      for (; k + W <= run; k += W) {
        TO(to_re + k) = AT(re + k) * c - AT(im + k) * s;
        TO(to_im + k) = AT(re + k) * s + AT(im + k) * c;
      }
      SCALAR for (; k < run; k++) to_re[k] = re[k] * c - im[k] * s, to_im[k] = re[k] * s + im[k] * c;
    }
  }
}

/* Transform `lanes` lines in `x`, with `y` as scratch. */
static void PASSES(const struct lines *v, int real, const T *w, long lanes, struct PLANES *x, struct PLANES *y) {
  const struct pass *const p = v->passes;
  const T *more = w + 2 * v->length;
  long parts = v->size, stride = v->length / v->size, run = lanes;
  for (long i = 0; i < v->pass_count; i += 1 + p[i].inner) {
    const long factor = p[i].factor, kept = real && i == 0 ? factor / 2 + 1 : factor;
    parts /= factor;
    if (p[i].size) {
      CONVOLVE(p + i, w, more, parts, stride, run, kept, *x, *y);
      more += 2 * (2 * p[i].size + (p[i].generator ? 0 : factor));
    } else if (kept != factor) {
      (run == 1 && parts < W ? REALS1 : REALSV)(factor, w, parts, run, x->re, *y);
      SWAP(x, y);
    } else {
      PASS(factor, w, parts, stride, run, x, y);
    }
    stride *= factor;
    run *= kept;
  }
}

/* How the numbers of a line are in memory: the distance between them and to imaginary parts, and between lines. */
struct SIDE {
  long count, step, apart, unit;
};

static struct SIDE SIDE_OF(const struct lines *v, long kind, long count) {
  const long inner = v->inner;
  if (kind != REAL) return (struct SIDE){count, 2 * inner, 1, 2};
  if (v->size == v->length) return (struct SIDE){count, inner, 0, 1};
  return (struct SIDE){v->size, 2 * inner, inner, 1}; /* pairs of real numbers */
}

#ifdef VECTORS
/* Load or store W numbers of each of W lines. */
INLINE void LOAD_SQUARE(const int parts, const T *x, const long *places, long lanes, struct PLANES to) {
  V re[W], im[W];
  for (int l = 0; l < W; l++) {
    const T *const from = x + places[l];
    re[l] = AT(from);
    if (parts == 2) {
      const V a = re[l], b = AT(from + W);
      re[l] = SHUFFLED(a, b, EVEN);
      im[l] = SHUFFLED(a, b, ODD);
    }
  }
  TRANSPOSE(re);
  for (int l = 0; l < W; l++) TO(to.re + l * lanes) = re[l];
  if (parts != 2) return;
  TRANSPOSE(im);
  for (int l = 0; l < W; l++) TO(to.im + l * lanes) = im[l];
}

INLINE void STORE_SQUARE(const int parts, struct PLANES from, const long *places, long lanes, T by, T *y) {
  V re[W], im[W];
  for (int l = 0; l < W; l++) re[l] = AT(from.re + l * lanes) * by;
  TRANSPOSE(re);
  if (parts == 2) {
    for (int l = 0; l < W; l++) im[l] = AT(from.im + l * lanes) * by;
    TRANSPOSE(im);
  }
  for (int l = 0; l < W; l++) {
    T *const to = y + places[l];
    if (parts == 2) {
      TO(to) = SHUFFLED(re[l], im[l], LOW);
      TO(to + W) = SHUFFLED(re[l], im[l], HIGH);
    } else
      TO(to) = re[l];
  }
}
#endif

APART void LOAD(struct SIDE s, const T *x, const long *places, long lanes, struct PLANES to) {
  T *restrict re = to.re, *restrict im = to.im;
#ifdef VECTORS
  if (lanes >= W && places[lanes - 1] - places[0] == (lanes - 1) * s.unit) {
    for (long j = 0; j < s.count; j++)
      for (long k = 0; k < lanes; k = NEXT(k, lanes)) {
        const T *const from = x + places[0] + j * s.step + k * s.unit;
        const V a = AT(from);
        if (s.unit == 2) {
          const V b = AT(from + W);
          TO(re + j * lanes + k) = SHUFFLED(a, b, EVEN);
          TO(im + j * lanes + k) = SHUFFLED(a, b, ODD);
        } else {
          TO(re + j * lanes + k) = a;
          if (s.apart) TO(im + j * lanes + k) = AT(from + s.apart);
        }
      }
    return;
  }
  if (lanes >= W && s.count >= W && s.step == (s.apart ? 2 : 1)) {
    for (long k = 0; k < lanes; k = NEXT(k, lanes))
      for (long j = 0; j < s.count; j = NEXT(j, s.count))
        if (s.apart)
          LOAD_SQUARE(2, x + 2 * j, places + k, lanes, MOVED(to, j * lanes + k));
        else
          LOAD_SQUARE(1, x + j, places + k, lanes, MOVED(to, j * lanes + k));
    return;
  }
#endif
  if (lanes == 1 && s.step == 2 && s.apart) {
    const T *restrict from = x + places[0];
    for (long j = 0; j < s.count; j++) re[j] = from[2 * j], im[j] = from[2 * j + 1];
    return;
  }
  for (long j = 0; j < s.count; j += SOME_NUMBERS) {
    const long end = j + SOME_NUMBERS < s.count ? j + SOME_NUMBERS : s.count;
    for (long k = 0; k < lanes; k++)
      SCALAR for (long i = j; i < end; i++) {
        const T *const from = x + places[k] + i * s.step;
        re[i * lanes + k] = from[0];
        if (s.apart) im[i * lanes + k] = from[s.apart];
      }
  }
}

APART void STORE(struct SIDE s, struct PLANES from, const long *places, long lanes, T by, T *y) {
  const T *restrict re = from.re, *restrict im = from.im;
#ifdef VECTORS
  if (lanes >= W && places[lanes - 1] - places[0] == (lanes - 1) * s.unit) {
    for (long j = 0; j < s.count; j++)
      for (long k = 0; k < lanes; k = NEXT(k, lanes)) {
        T *const to = y + places[0] + j * s.step + k * s.unit;
        const V a = AT(re + j * lanes + k) * by;
        if (s.apart) {
          const V b = AT(im + j * lanes + k) * by;
          if (s.unit == 2) {
            TO(to) = SHUFFLED(a, b, LOW);
            TO(to + W) = SHUFFLED(a, b, HIGH);
            continue;
          }
          TO(to + s.apart) = b;
        }
        TO(to) = a;
      }
    return;
  }
  if (lanes >= W && s.count >= W && s.step == (s.apart ? 2 : 1)) {
    for (long k = 0; k < lanes; k = NEXT(k, lanes))
      for (long j = 0; j < s.count; j = NEXT(j, s.count))
        if (s.apart)
          STORE_SQUARE(2, MOVED(from, j * lanes + k), places + k, lanes, by, y + 2 * j);
        else
          STORE_SQUARE(1, MOVED(from, j * lanes + k), places + k, lanes, by, y + j);
    return;
  }
#endif
  if (lanes == 1 && s.step == 2 && s.apart) {
    T *restrict to = y + places[0];
    for (long j = 0; j < s.count; j++) to[2 * j] = re[j] * by, to[2 * j + 1] = im[j] * by;
    return;
  }
  for (long j = 0; j < s.count; j += SOME_NUMBERS) {
    const long end = j + SOME_NUMBERS < s.count ? j + SOME_NUMBERS : s.count;
    for (long k = 0; k < lanes; k++)
      SCALAR for (long i = j; i < end; i++) {
        T *const to = y + places[k] + i * s.step;
        to[0] = re[i * lanes + k] * by;
        if (s.apart) to[s.apart] = im[i * lanes + k] * by;
      }
  }
}

/* Where so many lines begin; the last one repeatedly, if there are more lanes. */
static void PLACE(const struct lines *v, long first, long taken, long lanes, long numbers, long unit, long *places) {
  long beside = first % v->inner, at = (first - beside) * numbers + beside;
  for (long k = 0; k < lanes; k++) {
    places[k] = unit * at;
    if (k + 1 >= taken) continue;
    at++;
    if (++beside == v->inner) beside = 0, at += (numbers - 1) * v->inner;
  }
}

/* How many lines to transform together: so few that they stay in a core's cache, but for convolutions that do so in any
   case, whose rows are copied one by one. */
static long MOST(const struct lines *v) {
  const long few = W > 32 / (long)sizeof(T) ? W : 32 / (long)sizeof(T);
  int convolved = 0;
  for (long i = 0; i < v->pass_count; i++) convolved |= v->passes[i].size > 0;
  return v->lanes > few && v->size > 64 && (!convolved || v->scratch > NEAR_BYTES) ? few : v->lanes;
}

/* How many of the lines from one on are transformed together: neighbours, and no few that are left, of which a vector may
   be half empty. */
static long TOGETHER(const struct lines *v, long most, long first, long to) {
  const long beside = v->inner - first % v->inner, left = v->inner < W || to - first < beside ? to - first : beside;
  if (left <= most) return left < W && (2 * left < W || v->lanes < W) ? 1 : left;
  return left - most < W && left / 2 >= W && left / 2 <= most ? left / 2 : most < W ? 1 : most;
}

static void LINES(const struct lines *v, int inverse, const T *x, T *y, const T *table, long from, long to, T *scratch) {
  const long most = MOST(v);
  const int is_real = v->source != v->target, halved = v->size < v->length, odd = is_real && !halved;
  const struct SIDE source = SIDE_OF(v, v->source, v->source == HALF ? v->length / 2 + 1 : v->before);
  const struct SIDE target = SIDE_OF(v, v->target, v->after);
  for (long first = from, taken; first < to; first += taken) {
    taken = TOGETHER(v, most, first, to);
    const long lanes = taken > 1 && taken < W ? W : taken;
    long places[MOST_LANES];
    struct PLANES a = {scratch, scratch + v->plane}, b = MOVED(a, 2 * v->plane);
    PLACE(v, first, taken, lanes, v->before, source.unit, places);
    LOAD(source, x, places, lanes, a);
    if (v->source == HALF) {
      if (odd)
        (lanes == 1 ? FOLD1 : FOLDV)(v->length, lanes, a, b.re);
      else
        (lanes == 1 ? PAIRS1 : PAIRSV)(table, 1, v->size, lanes, a, b);
      SWAP(&a, &b);
    }
    if (odd && (!v->pass_count || v->passes[0].size)) CLEAR(a.im, v->size * lanes);
    if (inverse && !odd) a = EXCHANGED(a), b = EXCHANGED(b);
    PASSES(v, odd, table, lanes, &a, &b);
    if (inverse && !odd) a = EXCHANGED(a), b = EXCHANGED(b);
    if (odd || v->source == REAL) {
      if (odd)
        (lanes == 1 ? UNFOLD1 : UNFOLDV)(v->length, v->pass_count ? v->passes[0].factor : 1, inverse, lanes, a, b);
      else
        (lanes == 1 ? PAIRS1 : PAIRSV)(table, 0, v->size, lanes, a, b);
      a = b;
    }
    PLACE(v, first, taken, lanes, v->after, target.unit, places);
    STORE(target, a, places, lanes, inverse ? 1 / (T)v->length : 1, y);
  }
}

struct SHARE {
  const struct lines *v;
  int inverse;
  const T *x, *table;
  T *y;
  char *scratch;
};

/* Transform some groups of lanes; each thread has scratch memory of its own. */
static void SOME(void *const *arguments, long begin, long end) {
  const struct SHARE *s = (const struct SHARE *)arguments[0];
  const struct lines *v = s->v;
  const long groups = (v->count + v->lanes - 1) / v->lanes, threads = (long)arguments[1];
  for (long thread = begin; thread < end; thread++) {
    const long from = groups * thread / threads * v->lanes, to = groups * (thread + 1) / threads * v->lanes;
    LINES(v, s->inverse, s->x, s->y, s->table, from, to < v->count ? to : v->count, (T *)(s->scratch + thread * v->scratch));
  }
}

EXPORTED void TRANSFORM(const struct context *context, const struct lines *v, long threads, int inverse, const T *x,
                        const T *table, T *y, char *scratch) {
  struct SHARE share = {v, inverse, x, table, y, scratch};
  void *const arguments[] = {&share, (void *)threads};
  if (threads > 1)
    run_parts(context, SOME, arguments, threads);
  else
    SOME(arguments, 0, 1);
}
