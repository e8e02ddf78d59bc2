/* The parts of a driver. This one is in every driver. */
struct context {
  char *const *constants;
  int (*host)(void *call, long step, char **inputs, char **results);
  void *call;
  void *const *library;
  void (*parallel)(void (*kernel)(void *const *, long, long), void *const *buffers, long size);
  void *const *python; /* PyGILState_Ensure, PyErr_CheckSignals, PyErr_Clear, PyGILState_Release; or null. Then a number
                          that ends the run when it is not 0, or null */
  long *second;
  long begin, end; /* while a thread runs the iterations of a loop for part of its elements: these; else 0 */
};

#define MAYBE_UNUSED __attribute__((unused))
/* For a long function that only calls others: optimising it takes long and gains nothing. */
#ifdef __clang__
#define UNOPTIMISED __attribute__((optnone, noinline))
#else
#define UNOPTIMISED __attribute__((optimize("O0"), noinline))
#endif

/* What no loop runs, or takes long: as part of its caller, it would be optimised twice, which takes longer than the
   call. */
#ifdef STANDALONE
#define RUN_ONCE
#else
#define RUN_ONCE __attribute__((noinline))
#endif

/* Whether a signal handler, or another process of the program, ends the run. Called in loops and after long steps; asks
   Python at most once a second. */
#ifdef STANDALONE
#define interrupted(k) 0
#define time(p) 0
#else
long time(long *);
MAYBE_UNUSED static int interrupted(const struct context *k) {
  if (!k->python) return 0;
  if (k->python[4] && __atomic_load_n((const int *)k->python[4], __ATOMIC_ACQUIRE)) return 1;
  const long now = time(0);
  if (now == *k->second) return 0;
  *k->second = now;
  const int state = ((int (*)(void))k->python[0])(), stop = ((int (*)(void))k->python[1])();
  if (stop) ((void (*)(void))k->python[2])();
  ((void (*)(int))k->python[3])(state);
  return stop;
}
#endif

MAYBE_UNUSED static void run_parts(const struct context *k, void (*kernel)(void *const *, long, long),
                                   void *const *buffers, long size) {
  if (k->end)
    kernel(buffers, k->begin, k->end);
  else if (k->parallel)
    k->parallel(kernel, buffers, size);
  else
    kernel(buffers, 0, size);
}

/* The same for little work: several threads run it only where each runs all iterations of a loop for its part. */
MAYBE_UNUSED static void run_alone(const struct context *k, void (*kernel)(void *const *, long, long),
                                   void *const *buffers, long size) {
  kernel(buffers, k->end ? k->begin : 0, k->end ? k->end : size);
}

/* Copy a large buffer: one thread alone is slower than memory. */
enum { COPY_BYTES = 1 << 16 };
static void copy_parts(void *const *buffers, long begin, long end) {
  const long first = begin * COPY_BYTES, size = *(const long *)buffers[2];
  __builtin_memcpy((char *)buffers[0] + first, (const char *)buffers[1] + first, (end * COPY_BYTES < size ? end * COPY_BYTES : size) - first);
}
MAYBE_UNUSED static void share_copy(const struct context *k, char *target, char *source, long size) {
  void *const buffers[] = {target, source, &size};
  run_parts(k, copy_parts, buffers, (size + COPY_BYTES - 1) / COPY_BYTES);
}

/* An index as a slice takes it: its nearest place. */
MAYBE_UNUSED static long within(int64 index, long most) { return index < 0 ? 0 : index < most ? index : most; }
/* Share the items of a LAPACK call, which another system's library may not support. */
#ifdef STANDALONE
#define share_items(k, function, buffers, parts) function(buffers, 0, parts)
#else
#define share_items(k, function, buffers, parts) run_parts(k, function, buffers, parts)
#endif

/* copies: of small arrays of up to three dimensions. Loops for each would take a compiler longer than all else. */
#ifdef __clang__
#define SMALL_CODE __attribute__((minsize, noinline, unused))
#else
#define SMALL_CODE __attribute__((noinline, unused))
#endif
#define COPY(TYPE) \
  SMALL_CODE static void copy_##TYPE(TYPE *to, const TYPE *from, const long *n, const long *s, const long *t) { \
    for (long i = 0; i < n[0]; i++) \
      for (long j = 0; j < n[1]; j++) \
        for (long k = 0; k < n[2]; k++) to[i * s[0] + j * s[1] + k * s[2]] = from[i * t[0] + j * t[1] + k * t[2]]; \
  }
COPY(float)
COPY(double)
COPY(int)
/* Solve X·op(A) = factor·B for few columns of X, which are `step` numbers apart, in B's place, as BLAS's trsm does, whose
   call would take longer. Matrices are stored in columns. */
#define SOLVE(TYPE) \
  __attribute__((noinline, unused)) static void solve_##TYPE(int upper, int transposed, int unit, long rows, long columns, \
                                                             TYPE factor, const TYPE *a, long a_step, TYPE *x, long step) { \
    const int forward = upper != transposed; \
    const long down = transposed ? a_step : 1, across = transposed ? 1 : a_step; \
    for (long s = 0; s < columns; s++) { \
      const long column = forward ? s : columns - 1 - s; \
      TYPE *const to = x + column * step; \
      if (factor != 1) \
        for (long row = 0; row < rows; row++) to[row] *= factor; \
      for (long t = 0; t < s; t++) { \
        const long other = forward ? t : columns - 1 - t; \
        const TYPE *const from = x + other * step, number = a[other * down + column * across]; \
        for (long row = 0; row < rows; row++) to[row] -= from[row] * number; \
      } \
      const TYPE number = a[column * (down + across)]; \
      for (long row = 0; row < rows && !unit; row++) to[row] /= number; \
    } \
  }
SOLVE(float)
SOLVE(double)

/* truth values: for arguments of type i1. Callers may pass any nonzero byte for true; kernels expect 0 or 1. */
static char *truth_values(char *given, char *copy, long size) {
  unsigned char all = 0;
  for (long i = 0; i < size; i++) all |= (unsigned char)given[i];
  if (all <= 1) return given;
  for (long i = 0; i < size; i++) copy[i] = given[i] != 0;
  return copy;
}

/* iterations: for loops whose iterations threads run independently, each on a slice. */
struct iterations {
  int (*condition)(const struct context *, char **, char **, char *);
  int (*body)(const struct context *, char **, char **, char *);
  char **a, **r, **s, *frame; /* the carries, where an iteration writes the next ones, and where the iteration after it does */
  long most, iterations;           /* how many iterations to run at once, and how many were run */
  const char *small;          /* the sizes of small carries, of which each part has its own, and 0 for others */
};

static void run_part(void *const *buffers, long begin, long end) {
  struct iterations *const t = buffers[0];
  struct context k = *(const struct context *)buffers[1];
  k.begin = begin, k.end = end, k.python = 0;
  _Alignas(64) char kept[CARRIES][SMALL], next[CARRIES][SMALL], predicate[SMALL];
  char *a[CARRIES], *r[CARRIES], *s[CARRIES], *p[] = {predicate};
  for (int i = 0; i < CARRIES; i++) {
    a[i] = t->a[i], r[i] = t->r[i], s[i] = t->s[i];
    if (t->small[i]) a[i] = __builtin_memcpy(kept[i], a[i], t->small[i]), r[i] = next[i];
  }
  long iteration = 0;
  for (; iteration < t->most; iteration++) {
    t->condition(&k, a, p, t->frame);
    if (!*predicate) break;
    t->body(&k, a, r, t->frame);
    for (int i = 0; i < CARRIES; i++) {
      if (t->small[i]) __builtin_memcpy(a[i], r[i], t->small[i]);
      if (s[i]) a[i] = r[i], r[i] = s[i], s[i] = a[i];
    }
  }
  if (begin) return;
  t->iterations = iteration;
  for (int i = 0; i < CARRIES; i++)
    if (t->small[i]) __builtin_memcpy(t->r[i], a[i], t->small[i]);
}

static int run_iterations(const struct context *k, struct iterations *t, long size) {
  void *const buffers[] = {t, (void *)k};
  do {
    run_parts(k, run_part, buffers, size);
    for (int i = 0; i < CARRIES; i++) {
      if (t->small[i]) __builtin_memcpy(t->a[i], t->r[i], t->small[i]);
      for (long iteration = 0; t->s[i] && iteration < t->iterations; iteration++) t->a[i] = t->r[i], t->r[i] = t->s[i], t->s[i] = t->a[i];
    }
  } while (t->iterations == t->most && !interrupted(k));
  return t->iterations == t->most;
}

/* complex: for products of complex matrices, of which BLAS computes some rows at a time. */
struct complex_product {
  int a_mark, b_mark, m, n, k, a_leading, b_leading;
  const void *one, *zero;
  long size, parts, rank; /* of a number; of the rows; of the batch, whose sizes and distances in bytes follow */
  const long *batch, *a_batch, *b_batch, *c_batch;
};

static void multiply_rows(void *const *buffers, long begin, long end) {
  const struct complex_product *const p = buffers[0];
  for (long i = begin; i < end; i++) {
    char *a = buffers[2], *b = buffers[3], *c = buffers[4];
    long matrix = i / p->parts;
    for (long d = p->rank - 1; d >= 0; matrix /= p->batch[d--]) {
      const long at = matrix % p->batch[d];
      a += at * p->a_batch[d], b += at * p->b_batch[d], c += at * p->c_batch[d];
    }
    const long part = i % p->parts, first = p->m * part / p->parts, rows = p->m * (part + 1) / p->parts - first;
    a += first * (p->a_mark == AS_IT_IS ? p->a_leading : 1) * p->size;
    ((cgemm)buffers[1])(ROW_MAJOR, p->a_mark, p->b_mark, rows, p->n, p->k, p->one, a, p->a_leading, b, p->b_leading,
                        p->zero, c + first * p->n * p->size, p->n);
  }
}

MAYBE_UNUSED static void share_rows(const struct context *k, void *const *buffers, long parts) {
#ifdef STANDALONE /* where gemm.c has memory for one thread */
  multiply_rows(buffers, 0, parts);
#else
  run_parts(k, multiply_rows, buffers, parts);
#endif
}

/* profile: for measuring steps. clock.c precedes it. */
EXPORTED int64 profile_time[TIMERS], profile_iterations[TIMERS];
static void count(int timer, int64 start) {
  profile_time[timer] += nanoseconds() - start;
  profile_iterations[timer]++;
}

/* entry: the function that calls a program. */
@LINKAGE@ int @NAME@(char **in, char **out, char *const *constants, char *arena,
                      int (*host)(void *, long, char **, char **), void *call, void *const *library,
                      void (*parallel)(void (*)(void *const *, long, long), void *const *, long),
                      void *const *python@SIZES@) {
  long second = time(0);
  struct context context = {constants, host, call, library, parallel, python, &second@FIELD@};
@PREPARE@
  return @MAIN@(&context, in, out, arena);
}
