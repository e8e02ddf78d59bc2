/* Fourier transforms of all lines of a tensor along one dimension, some lines side by side.

   A line is transformed in passes, one for each factor of its size (Stockham's order: nothing is left to be sorted). Its
   real and imaginary parts stand in arrays of their own, and the inverse transform is the same with the two exchanged.
   A length with a large prime factor is transformed as a convolution with a chirp, of a size that has none (Bluestein).
   The table has the roots of unity of the size; for a chirp, that, and the transform of what it is convolved with. */

enum { COMPLEX, REAL, HALF }; /* HALF: the first half, of which the other is the mirrored conjugate */
enum { MOST_FACTORS = 64, MOST_LANES = 16 };

struct lines {
  long length, size;   /* of a line; in which it is transformed */
  long count, inner;   /* of lines; the distance between a line's numbers */
  long before, after;  /* numbers of a line in the operand, and in the result */
  long source, target; /* of what kind they are */
  long lanes, scratch; /* lines at a time; the bytes that they take */
  long factor_count, factors[MOST_FACTORS];
};

/* functions */
struct PLANES {
  T *re, *im;
};

/* One pass: of `factor` parts, each `parts` groups of `run` numbers, one group of the result. A root's place is a
   multiple of `stride`, as the numbers of a group, over the lanes, are a multiple of that of the lines. */
static void TWO(const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  for (long q = 0; q < parts; q++) {
    const T c = w[2 * q * stride], s = w[2 * q * stride + 1];
    const T *restrict ar = x.re + q * run, *restrict ai = x.im + q * run;
    const T *restrict br = ar + parts * run, *restrict bi = ai + parts * run;
    T *restrict yr = y.re + 2 * q * run, *restrict yi = y.im + 2 * q * run;
    for (long k = 0; k < run; k++) {
      const T dr = ar[k] - br[k], di = ai[k] - bi[k];
      yr[k] = ar[k] + br[k];
      yi[k] = ai[k] + bi[k];
      yr[k + run] = dr * c - di * s;
      yi[k + run] = dr * s + di * c;
    }
  }
}

static void THREE(const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  const T sine = (T)0.86602540378443864676;
  for (long q = 0; q < parts; q++) {
    const T *const w1 = w + 2 * q * stride, *const w2 = w + 4 * q * stride;
    const T c1 = w1[0], s1 = w1[1], c2 = w2[0], s2 = w2[1];
    const T *restrict ar = x.re + q * run, *restrict ai = x.im + q * run;
    const T *restrict br = ar + parts * run, *restrict bi = ai + parts * run;
    const T *restrict cr = br + parts * run, *restrict ci = bi + parts * run;
    T *restrict yr = y.re + 3 * q * run, *restrict yi = y.im + 3 * q * run;
    for (long k = 0; k < run; k++) {
      const T tr = br[k] + cr[k], ti = bi[k] + ci[k];
      const T ur = ar[k] - tr / 2, ui = ai[k] - ti / 2;
      const T vr = (bi[k] - ci[k]) * sine, vi = (cr[k] - br[k]) * sine;
      const T pr = ur + vr, pi = ui + vi, qr = ur - vr, qi = ui - vi;
      yr[k] = ar[k] + tr;
      yi[k] = ai[k] + ti;
      yr[k + run] = pr * c1 - pi * s1;
      yi[k + run] = pr * s1 + pi * c1;
      yr[k + 2 * run] = qr * c2 - qi * s2;
      yi[k + 2 * run] = qr * s2 + qi * c2;
    }
  }
}

static void FOUR(const T *w, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  for (long q = 0; q < parts; q++) {
    const T *const w1 = w + 2 * q * stride, *const w2 = w + 4 * q * stride, *const w3 = w + 6 * q * stride;
    const T c1 = w1[0], s1 = w1[1], c2 = w2[0], s2 = w2[1], c3 = w3[0], s3 = w3[1];
    const T *restrict ar = x.re + q * run, *restrict ai = x.im + q * run;
    const T *restrict br = ar + parts * run, *restrict bi = ai + parts * run;
    const T *restrict cr = br + parts * run, *restrict ci = bi + parts * run;
    const T *restrict dr = cr + parts * run, *restrict di = ci + parts * run;
    T *restrict yr = y.re + 4 * q * run, *restrict yi = y.im + 4 * q * run;
    for (long k = 0; k < run; k++) {
      const T er = ar[k] + cr[k], ei = ai[k] + ci[k], fr = ar[k] - cr[k], fi = ai[k] - ci[k];
      const T gr = br[k] + dr[k], gi = bi[k] + di[k], hr = bi[k] - di[k], hi = dr[k] - br[k];
      const T pr = fr + hr, pi = fi + hi, qr = er - gr, qi = ei - gi, tr = fr - hr, ti = fi - hi;
      yr[k] = er + gr;
      yi[k] = ei + gi;
      yr[k + run] = pr * c1 - pi * s1;
      yi[k + run] = pr * s1 + pi * c1;
      yr[k + 2 * run] = qr * c2 - qi * s2;
      yi[k + 2 * run] = qr * s2 + qi * c2;
      yr[k + 3 * run] = tr * c3 - ti * s3;
      yi[k + 3 * run] = tr * s3 + ti * c3;
    }
  }
}

/* Any odd factor: numbers that stand opposite each other share their products. */
static void ODD(const T *w, long factor, long parts, long stride, long run, struct PLANES x, struct PLANES y) {
  const long size = factor * parts * stride, half = factor / 2;
  for (long q = 0; q < parts; q++)
    for (long r = 0; r <= half; r++) {
      const T *const first = w + 2 * (q * r * stride), *const second = w + 2 * (q * (factor - r) * stride % size);
      const T c1 = first[0], s1 = first[1], c2 = second[0], s2 = second[1];
      T *const yr = y.re + (factor * q + r) * run, *const yi = y.im + (factor * q + r) * run;
      T *const zr = yr + (factor - 2 * r) * run, *const zi = yi + (factor - 2 * r) * run;
      for (long k0 = 0; k0 < run; k0 += MOST_LANES) {
        const long width = run - k0 < MOST_LANES ? run - k0 : MOST_LANES;
        T er[MOST_LANES], ei[MOST_LANES], fr[MOST_LANES], fi[MOST_LANES];
        for (long k = 0; k < width; k++) {
          er[k] = x.re[q * run + k0 + k];
          ei[k] = x.im[q * run + k0 + k];
          fr[k] = fi[k] = 0;
        }
        for (long j = 1; j <= half; j++) {
          const T *const root = w + 2 * (j * r % factor * parts * stride);
          const T c = root[0], s = root[1];
          const T *restrict ar = x.re + (q + j * parts) * run + k0, *restrict ai = x.im + (q + j * parts) * run + k0;
          const T *restrict br = x.re + (q + (factor - j) * parts) * run + k0;
          const T *restrict bi = x.im + (q + (factor - j) * parts) * run + k0;
          for (long k = 0; k < width; k++) {
            er[k] += (ar[k] + br[k]) * c;
            ei[k] += (ai[k] + bi[k]) * c;
            fr[k] += (bi[k] - ai[k]) * s;
            fi[k] += (ar[k] - br[k]) * s;
          }
        }
        for (long k = 0; k < width; k++) {
          const T pr = er[k] + fr[k], pi = ei[k] + fi[k];
          yr[k0 + k] = pr * c1 - pi * s1;
          yi[k0 + k] = pr * s1 + pi * c1;
        }
        for (long k = 0; r && k < width; k++) {
          const T pr = er[k] - fr[k], pi = ei[k] - fi[k];
          zr[k0 + k] = pr * c2 - pi * s2;
          zi[k0 + k] = pr * s2 + pi * c2;
        }
      }
    }
}

/* Transform `lanes` lines; the result is in the first of the two, after they were exchanged as often as needed. */
static void PASSES(const struct lines *v, const T *w, long lanes, struct PLANES *x, struct PLANES *y) {
  long parts = v->size, stride = 1;
  for (long i = 0; i < v->factor_count; i++) {
    const long factor = v->factors[i], run = stride * lanes;
    parts /= factor;
    switch (factor) {
      case 2: TWO(w, parts, stride, run, *x, *y); break;
      case 3: THREE(w, parts, stride, run, *x, *y); break;
      case 4: FOUR(w, parts, stride, run, *x, *y); break;
      default: ODD(w, factor, parts, stride, run, *x, *y);
    }
    stride *= factor;
    const struct PLANES other = *x;
    *x = *y;
    *y = other;
  }
}

static struct PLANES EXCHANGED(struct PLANES x) { return (struct PLANES){x.im, x.re}; }

/* Each line's numbers times some that are the same for all lines. */
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

static void LOAD(const struct lines *v, const T *x, const long *places, long lanes, struct PLANES to) {
  const long whole = v->source == HALF ? v->length / 2 + 1 : v->length;
  for (long j = 0; j < whole; j++)
    for (long k = 0; k < lanes; k++) {
      const long at = places[k] + j * v->inner;
      to.re[j * lanes + k] = v->source == REAL ? x[at] : x[2 * at];
      to.im[j * lanes + k] = v->source == REAL ? 0 : x[2 * at + 1];
    }
  if (v->source != HALF) return;
  /* What is its own mirror image is real. */
  for (long k = 0; k < lanes; k++) to.im[k] = 0;
  for (long k = 0; v->length % 2 == 0 && k < lanes; k++) to.im[v->length / 2 * lanes + k] = 0;
  for (long j = whole; j < v->length; j++)
    for (long k = 0; k < lanes; k++) {
      to.re[j * lanes + k] = to.re[(v->length - j) * lanes + k];
      to.im[j * lanes + k] = -to.im[(v->length - j) * lanes + k];
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
    for (long j = 0; j < v->after; j++)
      for (long k = 0; k < lanes; k++) {
        const long at = places[k] + j * v->inner;
        if (v->target == REAL) {
          y[at] = a.re[j * lanes + k] / by;
        } else {
          y[2 * at] = a.re[j * lanes + k] / by;
          y[2 * at + 1] = a.im[j * lanes + k] / by;
        }
      }
  }
}

struct SHARE {
  const struct lines *v;
  int inverse;
  const T *x, *table;
  T *y;
  char *scratch;
};

/* Some of the lanes' groups; a thread has scratch memory of its own number. */
static void SOME(void *const *arguments, long begin, long end) {
  const struct SHARE *s = (const struct SHARE *)arguments[0];
  const struct lines *v = s->v;
  const long groups = (v->count + v->lanes - 1) / v->lanes, threads = (long)arguments[1];
  for (long thread = begin; thread < end; thread++) {
    const long from = groups * thread / threads * v->lanes, to = groups * (thread + 1) / threads * v->lanes;
    LINES(v, s->inverse, s->x, s->y, s->table, from, to < v->count ? to : v->count, (T *)(s->scratch + thread * v->scratch));
  }
}

static void TRANSFORM(const struct context *context, const struct lines *v, long threads, int inverse, const T *x,
                      const T *table, T *y, char *scratch) {
  struct SHARE share = {v, inverse, x, table, y, scratch};
  void *const arguments[] = {&share, (void *)threads};
  if (threads > 1)
    run_parts(context, SOME, arguments, threads);
  else
    SOME(arguments, 0, 1);
}
