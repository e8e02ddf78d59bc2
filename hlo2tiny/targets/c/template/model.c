#include "model.h"

@TYPES@
#ifdef _WIN32
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

@CODE_STRUCT@

@TABLES@

/* ---- the rest is the same for all programs */

/* No headers of the system: those of some come only with their development kits. */
void *malloc(size_t size);
void free(void *memory);
#ifndef __wasi__
struct pool;
char *getenv(const char *name);
size_t model_pool_size(int threads);
void model_start_pool(struct pool *pool, int threads);
void model_use_pool(struct pool *pool);
void model_end_pool(struct pool *pool);
void model_parallel(void (*kernel)(void *const *, long, long), void *const *buffers, long size);
#endif

#ifdef MODEL_HANDLERS
/* As in handlers.c; calls.c has the tables. */
struct call;
struct calling { struct call *calls; const void *data; int call, code; char message[2000]; };
int model_make_calls(struct calling *calling, long count, void (*const *handlers)(void), const char *const *names,
                     const char *const *descriptions, const long *sizes);
void model_end_calls(struct call *calls, long count);
extern void (*const model_handlers[])(void);
extern const char *const model_handler_names[], *const model_descriptions[];
extern const long model_description_sizes[];
static struct calling not_created; /* why the last context could not be */
#endif

enum { ALIGNMENT = 64, MOST_THREADS = 256 };

struct model_context {
  void *memory;                  /* the block of memory that holds this struct */
  const struct model_code *code; /* for this processor */
  const char *weights;           /* the mapped file, or what is embedded */
  char *constants[CONSTANTS];
  char *arena, *copies;@FIELDS@
  struct pool *pool; /* null: there is only the caller's thread */
  int busy;
#ifdef MODEL_HANDLERS
  struct calling calling;
#endif
};

@WEIGHTS@
/* ---- threads and processors */

#ifndef __wasi__
#ifdef _WIN32
unsigned GetActiveProcessorCount(unsigned short group);
static int processors(void) { return (int)GetActiveProcessorCount(0xffff); }
#else
ptrdiff_t sysconf(int name);
#ifdef __APPLE__
enum { PROCESSORS = 58 };
#elif defined __ANDROID__
enum { PROCESSORS = 97 };
#else
enum { PROCESSORS = 84 };
#endif
static int processors(void) { return (int)sysconf(PROCESSORS); }
#endif

static int thread_count(int wanted) {
  if (wanted <= 0) {
    int given = 0;
    const char *text = getenv("OMP_NUM_THREADS");
    wanted = processors();
    for (; text && *text >= '0' && *text <= '9' && given < 10000; text++) given = 10 * given + (*text - '0');
    if (given && given < wanted) wanted = given;
  }
  return wanted < 1 ? 1 : wanted < MOST_THREADS ? wanted : MOST_THREADS;
}
#endif

/* Which of the program's variants is the best that this processor runs. */
static const struct model_code *chosen_code(void) {
#ifdef MODEL_LEVELS
  unsigned a, b, c, d, features, low, high;
#define CPUID(leaf, part) __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(leaf), "c"(part))
  const unsigned first = 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29; /* FMA MOVBE OSXSAVE AVX F16C */
  const unsigned second = 1u << 3 | 1u << 5 | 1u << 8;                         /* BMI1 AVX2 BMI2 */
  const unsigned third = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31; /* AVX512 F DQ CD BW VL */
  CPUID(0, 0);
  if (a < 7) return &model_code_baseline;
  CPUID(1, 0);
  if ((c & first) != first) return &model_code_baseline;
  CPUID(0x80000001u, 0);
  const unsigned counts_zeros = c >> 5 & 1;
  CPUID(7, 0);
  features = b;
  const unsigned multiplies_bytes = c >> 11 & 1; /* AVX512 VNNI */
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0)); /* the registers that the system saves */
  if (!counts_zeros || (features & second) != second || (low & 6) != 6) return &model_code_baseline;
  if ((features & third) != third || (low & 0xe6) != 0xe6) return &model_code_avx2;
#if MODEL_LEVELS > 3
  if (!a || !multiplies_bytes) return &model_code_avx512;
  CPUID(7, 1);
  return a >> 5 & 1 /* AVX512 BF16 */ ? &model_code_avx512bf16 : &model_code_avx512;
#else
  return &model_code_avx512;
#endif
#else
  return &model_code;
#endif
}

/* ---- the interface */

/* So that hlo2tiny knows the files that it may overwrite. */
API extern const char model_compiler[];
const char model_compiler[] = @COMPILER@;

API const char *model_error(int code) {
  switch (code) {
    case MODEL_OK: return "no error";
    case MODEL_NO_WEIGHTS: return "the file of the weights cannot be read";
    case MODEL_OTHER_WEIGHTS: return "the file of the weights belongs to another program or is truncated";
    case MODEL_NO_MEMORY: return "not enough memory for the program's working memory";
    case MODEL_NO_ARRAY: return "a pointer is null although its tensor has elements";
    case MODEL_BUSY: return "the context is in use by another run; each thread needs a context of its own";
@NO_SIZES@#ifdef MODEL_HANDLERS
    case MODEL_HANDLER_FAILED: return "a handler failed; model_failure says why";
#endif
    default: return @OTHERWISE@"an unknown error";
  }
}

API const struct model_info *model_describe(void) { return @DESCRIBED@; }

API int model_create(model_context **context, const char *weights, int threads) {
  const char *found = 0;
  *context = 0;
  if (HAS_WEIGHTS) {
    if (!map_weights(weights ? weights : "weights.safetensors", &found)) return MODEL_NO_WEIGHTS;
    if (!found) return MODEL_OTHER_WEIGHTS;
    if (__builtin_memcmp(found, identity, sizeof identity - 1)) return unmap_weights(found), MODEL_OTHER_WEIGHTS;
  }
#ifdef __wasi__
  const size_t pool = 0;
  (void)threads;
#else
  threads = thread_count(threads);
  const size_t pool = threads > 1 ? model_pool_size(threads) + ALIGNMENT : 0;
#endif
  void *const memory = malloc(sizeof **context + pool + arena_size + library_size + copies_size + 3 * ALIGNMENT);
  if (!memory) {
    if (HAS_WEIGHTS) unmap_weights(found);
    return MODEL_NO_MEMORY;
  }
  char *at = (char *)(((uintptr_t)memory + ALIGNMENT - 1) & -(uintptr_t)ALIGNMENT);
  model_context *const c = (model_context *)at;
  at += (sizeof *c + ALIGNMENT - 1) & -(size_t)ALIGNMENT;
  *c = (model_context){memory, chosen_code(), found, {0}, at, at + arena_size + library_size, 0, 0};
  for (size_t i = 0; i < CONSTANTS && HAS_WEIGHTS; i++) c->constants[i] = (char *)found + places[i];
#ifndef __wasi__
  if (pool) {
    c->pool = (struct pool *)(((uintptr_t)c->copies + copies_size + ALIGNMENT - 1) & -(uintptr_t)ALIGNMENT);
    model_start_pool(c->pool, threads);
  }
#endif
#ifdef MODEL_HANDLERS
  if (model_make_calls(&c->calling, MODEL_HANDLERS, model_handlers, model_handler_names, model_descriptions,
                       model_description_sizes)) {
    not_created = c->calling;
    return model_destroy(c), MODEL_HANDLER_FAILED;
  }
#endif
  *context = c;
  return MODEL_OK;
}

#ifdef MODEL_HANDLERS
API const char *model_failure(const model_context *context) {
  return context ? context->calling.message : not_created.message;
}
#endif

API void model_destroy(model_context *context) {
  if (!context) return;
#ifdef MODEL_HANDLERS
  model_end_calls(context->calling.calls, MODEL_HANDLERS);
#endif
#ifndef __wasi__
  if (context->pool) model_end_pool(context->pool);
#endif
  if (HAS_WEIGHTS) unmap_weights(context->weights);@FREE@
  free(context->memory);
}

static int run(model_context *context, size_t plan, const void *const *inputs, void *const *outputs@SIZES_GIVEN@) {
  const struct model_info *const info = @INFO@;
  for (size_t i = 0; i < info->input_count; i++)
    if (!inputs[i] && info->inputs[i].size) return MODEL_NO_ARRAY;
  for (size_t i = 0; i < info->output_count; i++)
    if (!outputs[i] && info->outputs[i].size) return MODEL_NO_ARRAY;
  if (__atomic_exchange_n(&context->busy, 1, __ATOMIC_ACQUIRE)) return MODEL_BUSY;@GROW@
  const struct model_code *const code = context->code;
  void (*parallel)(void (*)(void *const *, long, long), void *const *, long) = 0;
#ifndef __wasi__
  if (context->pool) {
    model_use_pool(context->pool);
    parallel = model_parallel;
  }
#endif
  USE_LIBRARY_MEMORY(context->arena + arena_size);
  char *results[RESULTS];
  for (size_t i = 0; i < info->output_count; i++) results[i] = outputs[i];
  for (size_t i = 0; i < COPIED; i++)
    if (copied[i].plan == plan && inputs[copied[i].input] == outputs[copied[i].result])
      results[copied[i].result] = context->copies + copied[i].place;
#ifdef MODEL_HANDLERS
  void *const calling = &context->calling;
#else
  void *const calling = 0;
#endif
  const int failed = code->run[plan]((char **)inputs, results, context->constants, @ARENA@, 0, calling, code->library,
                                     parallel, 0@SIZES@);
  for (size_t i = 0; i < COPIED && !failed; i++) {
    const size_t result = copied[i].result;
    if (copied[i].plan == plan && results[result] != outputs[result])
      __builtin_memcpy(outputs[result], results[result], info->outputs[result].size);
  }
  __atomic_store_n(&context->busy, 0, __ATOMIC_RELEASE);
#ifdef MODEL_HANDLERS
  if (failed) return MODEL_HANDLER_FAILED;
#endif
  return MODEL_OK;
}

API int model_run_arrays(model_context *context, const void *const *inputs, void *const *outputs) {
  return @FIRST@;
}

@SIZES_CODE@
API int model_run(model_context *context@PARAMETERS@) {
  const void *const inputs[] = {@INPUTS@};
  void *const outputs[] = {@OUTPUTS@};
  return @RUN@;
}
