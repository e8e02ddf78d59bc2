/* Fourier transforms of all lines of a tensor along one dimension, several lines at a time.

   A line is transformed in passes, one for each factor of its size, in Stockham's order, which needs no final sorting.
   Real and imaginary parts are in separate arrays; exchanging these two gives the inverse transform. A line whose length
   has a large prime factor is transformed as a convolution with a chirp, whose size has small factors only (Bluestein).
   The table has the roots of unity of the size; for a convolution, also the chirp and the transform of its conjugate. */

enum { COMPLEX, REAL, HALF }; /* HALF: the first half of a line, whose other half is its mirrored conjugate */
enum { MOST_FACTORS = 64, MOST_LANES = 16, SOME_NUMBERS = 16 };

struct lines {
  long length, size;   /* of a line; of its transform */
  long count, inner;   /* how many lines there are; the distance between a line's numbers */
  long before, after;  /* how many numbers a line has in the operand and in the result */
  long source, target; /* the kinds of these numbers, COMPLEX or another */
  long lanes, scratch; /* how many lines are transformed at a time; the bytes that they take */
  long factor_count, factors[MOST_FACTORS];
};

typedef void (*transform)(const struct context *, const struct lines *, long, int, const void *, const void *, void *,
                          char *);

/* functions */
#if defined __AVX512F__
enum { LINE_BYTES = 64 };
#elif defined __AVX__
enum { LINE_BYTES = 32 };
#else
enum { LINE_BYTES = 16 };
#endif
/* Functions that are called from several places, and would take long to compile in each of them. */
#define APART static __attribute__((noinline))
#define AT(place) (*(const V *)(place))
#define TO(place) (*(V *)(place))

/* planes */
struct PLANES {
  T *re, *im;
};
/* A vector that is aligned like its elements. */
typedef T VECTOR __attribute__((vector_size(LINE_BYTES), aligned(sizeof(T)), may_alias));
/* A single number as a vector: compilers take twice as long to look for vectors among numbers. */
typedef T SINGLE __attribute__((vector_size(sizeof(T)), aligned(sizeof(T)), may_alias));


/* passes */
/* A pass combines `factor` inputs, each of `parts` groups of `run` numbers, to groups of the result. The indices of the
   roots are multiples of `stride`. A group has `run` numbers, counting all lanes, and is computed in vectors V, whose
   size divides `run`. */
static void TWO(const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  for (long q = 0; q < parts; q++) {
    const T c = w[2 * q * stride], s = w[2 * q * stride + 1];
    const T *ar = x.re + q * run, *ai = x.im + q * run, *br = ar + parts * run, *bi = ai + parts * run;
    T *yr = y.re + 2 * q * run, *yi = y.im + 2 * q * run;
    for (long k = 0; k < run; k += W) {
      const V dr = AT(ar + k) - AT(br + k), di = AT(ai + k) - AT(bi + k);
      const V er = AT(ar + k) + AT(br + k), ei = AT(ai + k) + AT(bi + k);
      TO(yr + k) = er;
      TO(yi + k) = ei;
      TO(yr + k + run) = dr * c - di * s;
      TO(yi + k + run) = dr * s + di * c;
    }
  }
}

static void THREE(const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  const T sine = (T)0.86602540378443864676, half = (T)0.5;
  for (long q = 0; q < parts; q++) {
    const T *const w1 = w + 2 * q * stride, *const w2 = w + 4 * q * stride;
    const T c1 = w1[0], s1 = w1[1], c2 = w2[0], s2 = w2[1];
    const T *ar = x.re + q * run, *ai = x.im + q * run, *br = ar + parts * run, *bi = ai + parts * run;
    const T *cr = br + parts * run, *ci = bi + parts * run;
    T *yr = y.re + 3 * q * run, *yi = y.im + 3 * q * run;
    for (long k = 0; k < run; k += W) {
      const V tr = AT(br + k) + AT(cr + k), ti = AT(bi + k) + AT(ci + k);
      const V ur = AT(ar + k) - tr * half, ui = AT(ai + k) - ti * half;
      const V vr = (AT(bi + k) - AT(ci + k)) * sine, vi = (AT(cr + k) - AT(br + k)) * sine;
      const V pr = ur + vr, pi = ui + vi, qr = ur - vr, qi = ui - vi;
      TO(yr + k) = AT(ar + k) + tr;
      TO(yi + k) = AT(ai + k) + ti;
      TO(yr + k + run) = pr * c1 - pi * s1;
      TO(yi + k + run) = pr * s1 + pi * c1;
      TO(yr + k + 2 * run) = qr * c2 - qi * s2;
      TO(yi + k + 2 * run) = qr * s2 + qi * c2;
    }
  }
}

static void FOUR(const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  for (long q = 0; q < parts; q++) {
    const T *const w1 = w + 2 * q * stride, *const w2 = w + 4 * q * stride, *const w3 = w + 6 * q * stride;
    const T c1 = w1[0], s1 = w1[1], c2 = w2[0], s2 = w2[1], c3 = w3[0], s3 = w3[1];
    const T *ar = x.re + q * run, *ai = x.im + q * run, *br = ar + parts * run, *bi = ai + parts * run;
    const T *cr = br + parts * run, *ci = bi + parts * run, *dr = cr + parts * run, *di = ci + parts * run;
    T *yr = y.re + 4 * q * run, *yi = y.im + 4 * q * run;
    for (long k = 0; k < run; k += W) {
      const V er = AT(ar + k) + AT(cr + k), ei = AT(ai + k) + AT(ci + k);
      const V fr = AT(ar + k) - AT(cr + k), fi = AT(ai + k) - AT(ci + k);
      const V gr = AT(br + k) + AT(dr + k), gi = AT(bi + k) + AT(di + k);
      const V hr = AT(bi + k) - AT(di + k), hi = AT(dr + k) - AT(br + k);
      const V pr = fr + hr, pi = fi + hi, qr = er - gr, qi = ei - gi, tr = fr - hr, ti = fi - hi;
      TO(yr + k) = er + gr;
      TO(yi + k) = ei + gi;
      TO(yr + k + run) = pr * c1 - pi * s1;
      TO(yi + k + run) = pr * s1 + pi * c1;
      TO(yr + k + 2 * run) = qr * c2 - qi * s2;
      TO(yi + k + 2 * run) = qr * s2 + qi * c2;
      TO(yr + k + 3 * run) = tr * c3 - ti * s3;
      TO(yi + k + 3 * run) = tr * s3 + ti * c3;
    }
  }
}

/* Any odd factor: numbers at opposite positions share their products. */
static void ODD(const T *w, long factor, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  const long size = factor * parts * stride, half = factor / 2;
  for (long q = 0; q < parts; q++)
    for (long r = 0; r <= half; r++) {
      const T *const first = w + 2 * (q * r * stride), *const second = w + 2 * (q * (factor - r) * stride % size);
      const T c1 = first[0], s1 = first[1], c2 = second[0], s2 = second[1];
      const T *const xr = x.re + q * run, *const xi = x.im + q * run;
      T *const yr = y.re + (factor * q + r) * run, *const yi = y.im + (factor * q + r) * run;
      T *const zr = yr + (factor - 2 * r) * run, *const zi = yi + (factor - 2 * r) * run;
      for (long k = 0; k < run; k += W) {
        V er = AT(xr + k), ei = AT(xi + k), fr = er - er, fi = fr;
        long exponent = 0;
        for (long j = 1; j <= half; j++) {
          exponent += r;
          if (exponent >= factor) exponent -= factor;
          const T *const root = w + 2 * (exponent * parts * stride);
          const T c = root[0], s = root[1];
          const long a = j * parts * run + k, b = (factor - j) * parts * run + k;
          er += (AT(xr + a) + AT(xr + b)) * c;
          ei += (AT(xi + a) + AT(xi + b)) * c;
          fr += (AT(xi + b) - AT(xi + a)) * s;
          fi += (AT(xr + a) - AT(xr + b)) * s;
        }
        const V pr = er + fr, pi = ei + fi, qr = er - fr, qi = ei - fi;
        TO(yr + k) = pr * c1 - pi * s1;
        TO(yi + k) = pr * s1 + pi * c1;
        if (r) TO(zr + k) = qr * c2 - qi * s2;
        if (r) TO(zi + k) = qr * s2 + qi * c2;
      }
    }
}

APART void PASS(long factor, const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  switch (factor) {
    case 2: TWO(w, parts, stride, run, x, y); break;
    case 3: THREE(w, parts, stride, run, x, y); break;
    case 4: FOUR(w, parts, stride, run, x, y); break;
    default: ODD(w, factor, parts, stride, run, x, y);
  }
}

/* lines */
/* Transform `lanes` lines in `x`, with `y` as scratch; the two are swapped so that the result is in `x`. */
APART void PASSES(const struct lines *v, const T *w, long lanes, struct PLANES *x, struct PLANES *y) {
  long parts = v->size, stride = 1;
  for (long i = 0; i < v->factor_count; i++) {
    const long factor = v->factors[i], run = stride * lanes;
    parts /= factor;
    if (run % (LINE_BYTES / (long)sizeof(T)))
      PASS1(factor, w, parts, stride, run, *x, *y);
    else
      PASSV(factor, w, parts, stride, run, *x, *y);
    stride *= factor;
    const struct PLANES other = *x;
    *x = *y;
    *y = other;
  }
}

static struct PLANES EXCHANGED(struct PLANES x) { return (struct PLANES){x.im, x.re}; }

/* Multiply each line by the complex numbers `w`. */
static void TIMES(struct PLANES x, const T *w, long count, long lanes) {
  for (long j = 0; j < count; j++) {
    const T c = w[2 * j], s = w[2 * j + 1];
    for (long k = j * lanes; k < (j + 1) * lanes; k++) {
      const T re = x.re[k], im = x.im[k];
      x.re[k] = re * c - im * s;
      x.im[k] = re * s + im * c;
    }
  }
}

/* Whether lines are adjacent in memory. If they are not, a few numbers of each line are copied at a time. */
static int ADJACENT(const long *places, long lanes) { return places[lanes - 1] - places[0] == lanes - 1; }

static void LOAD(const struct lines *v, const T *x, const long *places, long lanes, struct PLANES to) {
  const long whole = v->source == HALF ? v->length / 2 + 1 : v->length, inner = v->inner;
  T *restrict re = to.re, *restrict im = to.im;
  if (v->source == REAL) {
    for (long j = 0; j < whole * lanes; j++) im[j] = 0;
    for (long j = 0; j < whole; j += SOME_NUMBERS) {
      const long end = j + SOME_NUMBERS < whole ? j + SOME_NUMBERS : whole;
      for (long k = 0; k < lanes; k++)
        for (long i = j; i < end; i++) re[i * lanes + k] = x[places[k] + i * inner];
    }
  } else if (ADJACENT(places, lanes)) {
    for (long j = 0; j < whole; j++) {
      const T *from = x + 2 * (places[0] + j * inner);
      for (long k = 0; k < lanes; k++) {
        re[j * lanes + k] = from[2 * k];
        im[j * lanes + k] = from[2 * k + 1];
      }
    }
  } else {
    for (long j = 0; j < whole; j += SOME_NUMBERS) {
      const long end = j + SOME_NUMBERS < whole ? j + SOME_NUMBERS : whole;
      for (long k = 0; k < lanes; k++)
        for (long i = j; i < end; i++) {
          re[i * lanes + k] = x[2 * (places[k] + i * inner)];
          im[i * lanes + k] = x[2 * (places[k] + i * inner) + 1];
        }
    }
  }
  if (v->source != HALF) return;
  /* Numbers that are their own mirror image are real. */
  for (long k = 0; k < lanes; k++) to.im[k] = 0;
  for (long k = 0; v->length % 2 == 0 && k < lanes; k++) to.im[v->length / 2 * lanes + k] = 0;
  for (long j = whole; j < v->length; j++)
    for (long k = 0; k < lanes; k++) {
      to.re[j * lanes + k] = to.re[(v->length - j) * lanes + k];
      to.im[j * lanes + k] = -to.im[(v->length - j) * lanes + k];
    }
}

static void STORE(const struct lines *v, struct PLANES from, const long *places, long lanes, T by, T *y) {
  const T *restrict re = from.re, *restrict im = from.im;
  const long inner = v->inner;
  if (v->target == COMPLEX && ADJACENT(places, lanes)) {
    for (long j = 0; j < v->after; j++) {
      T *restrict to = y + 2 * (places[0] + j * inner);
      for (long k = 0; k < lanes; k++) {
        to[2 * k] = re[j * lanes + k] / by;
        to[2 * k + 1] = im[j * lanes + k] / by;
      }
    }
    return;
  }
  for (long j = 0; j < v->after; j += SOME_NUMBERS) {
    const long end = j + SOME_NUMBERS < v->after ? j + SOME_NUMBERS : v->after;
    for (long k = 0; k < lanes; k++)
      for (long i = j; i < end; i++) {
        const long at = places[k] + i * inner;
        if (v->target == REAL) {
          y[at] = re[i * lanes + k] / by;
        } else {
          y[2 * at] = re[i * lanes + k] / by;
          y[2 * at + 1] = im[i * lanes + k] / by;
        }
      }
  }
}

static void LINES(const struct lines *v, int inverse, const T *x, T *y, const T *table, long from, long to, T *scratch) {
  const long room = v->size * v->lanes;
  for (long first = from; first < to; first += v->lanes) {
    const long lanes = first + v->lanes < to ? v->lanes : to - first;
    long places[MOST_LANES];
    struct PLANES a = {scratch, scratch + room}, b = {scratch + 2 * room, scratch + 3 * room};
    for (long k = 0; k < lanes; k++)
      places[k] = (first + k) / v->inner * v->before * v->inner + (first + k) % v->inner;
    LOAD(v, x, places, lanes, a);
    if (inverse) a = EXCHANGED(a);
    if (v->size == v->length) {
      PASSES(v, table, lanes, &a, &b);
    } else {
      const T *const chirp = table + 2 * v->size, *const spectrum = chirp + 2 * v->length;
      TIMES(a, chirp, v->length, lanes);
      for (long k = v->length * lanes; k < v->size * lanes; k++) a.re[k] = a.im[k] = 0;
      PASSES(v, table, lanes, &a, &b);
      TIMES(a, spectrum, v->size, lanes);
      a = EXCHANGED(a);
      PASSES(v, table, lanes, &a, &b);
      a = EXCHANGED(a);
      TIMES(a, chirp, v->length, lanes);
    }
    if (inverse) a = EXCHANGED(a);
    for (long k = 0; k < lanes; k++)
      places[k] = (first + k) / v->inner * v->after * v->inner + (first + k) % v->inner;
    const T by = inverse ? (T)v->length : 1;
    STORE(v, a, places, lanes, by, y);
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
