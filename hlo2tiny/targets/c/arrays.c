/* A call with numpy's arrays. Python would take a microsecond to ask each array for this, so it is read here, from the
   fields that numpy's binary interface fixes. This follows a driver. Optimising it gains little. */
struct array {
  char *data;
  int rank;
  const long *sizes, *strides;
  const void *base, *type;
  int flags;
};
enum { CONTIGUOUS = 0x1, ALIGNED = 0x100, WRITEABLE = 0x400, OTHER_ARRAYS = -1 };

/* What an array has to be. A type without parameters is one object. */
struct layout {
  const void *type;
  long rank;
  const long *sizes;
  long bytes;
};

struct arrays {
  char *(*item)(const void *tuple, long number); /* PyTuple_GetItem, which returns a borrowed reference */
  const void *class;                             /* numpy.ndarray */
  long head;                                     /* the bytes before an object's own fields; the last are its class */
  long places, passed, results, kept;
  char *const *known;                            /* the addresses of arguments that have values */
  const long *numbers;                           /* of the arguments that are passed */
  const struct layout *layouts;                  /* of these, and of the results */
  char *const *memory; /* where values are that no result may overwrite: begin and end of each */
  char *const *constants;
  void *const *library;
  void (*parallel)(void (*)(void *const *, long, long), void *const *, long);
  void *const *python;
  long failure; /* where what handlers need follows the arena, or -1 */
};

/* The data of an array in a tuple; null if it has another layout. */
UNOPTIMISED static char *data_of(const struct arrays *call, const void *tuple, long number,
                                 const struct layout *expected, int flags) {
  const char *const object = call->item(tuple, number);
  const struct array *const array = (const struct array *)(object + call->head);
  if (((const void *const *)array)[-1] != call->class) return 0;
  if (array->type != expected->type || array->rank != expected->rank || (array->flags & flags) != flags) return 0;
  for (long d = 0; d < expected->rank; d++)
    if (array->sizes[d] != expected->sizes[d]) return 0;
  return array->data;
}

UNOPTIMISED static int overlap(const char *a, long a_bytes, const char *b, long b_bytes) {
  return a_bytes && b_bytes && a < b + b_bytes && b < a + a_bytes;
}

/* Run on arrays if they have the expected layouts, and those of the results, if they are the caller's, overlap nothing;
   returns OTHER_ARRAYS if not. */
UNOPTIMISED EXPORTED int run_arrays(const struct arrays *call, char *arena, const void *arguments, const void *results,
                                    int callers) {
  const long passed = call->passed;
  const int fit = CONTIGUOUS | ALIGNED;
  char *in[call->places + 1], *out[call->results + 1];
  for (long i = 0; i < call->places; i++) in[i] = call->known[i];
  for (long i = 0; i < passed; i++)
    if (!(in[call->numbers[i]] = data_of(call, arguments, i, call->layouts + i, fit))) return OTHER_ARRAYS;
  for (long i = 0; i < call->results; i++) {
    const struct layout *const layout = call->layouts + passed + i;
    if (!(out[i] = data_of(call, results, i, layout, fit | WRITEABLE))) return OTHER_ARRAYS;
    for (long j = 0; callers && j < i; j++)
      if (overlap(out[i], layout->bytes, out[j], call->layouts[passed + j].bytes)) return OTHER_ARRAYS;
    for (long j = 0; callers && j < passed; j++)
      if (overlap(out[i], layout->bytes, in[call->numbers[j]], call->layouts[j].bytes)) return OTHER_ARRAYS;
    for (long j = 0; callers && j < call->kept; j++) {
      const char *const begin = call->memory[2 * j];
      if (overlap(out[i], layout->bytes, begin, call->memory[2 * j + 1] - begin)) return OTHER_ARRAYS;
    }
  }
  return run_plan(in, out, call->constants, arena, 0, call->failure < 0 ? 0 : arena + call->failure, call->library, call->parallel, call->python);
}
