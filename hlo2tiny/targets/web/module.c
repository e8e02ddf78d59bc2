/* What a page sees of a program: where its memory begins, which the page makes as large as it needs to be, and the
   addresses of arguments, results, constants and the arena, which it writes; the sizes of open dimensions, if there are
   any, and which of the program's plans is for them; a function that runs it, and the loop of a thread that helps. */
typedef __SIZE_TYPE__ size_t;
typedef long long int64, int64_t;
#define EXPORT(name) __attribute__((export_name(name)))

@TABLES@

extern const struct model_code model_code;

/* The number of the plan that runs next: the page calls it for how memory is laid out, after it has written the sizes. */
static size_t plan;
#ifdef MODEL_SIZES
static int64_t sizes[MODEL_SIZES];
EXPORT("sizes") int64_t *sizes_at(void) { return sizes; }
EXPORT("plan") size_t choose_plan(void) { return plan = plan_for(sizes); }
#define GIVEN_SIZES , sizes
#else
EXPORT("plan") size_t choose_plan(void) { return plan; }
#define GIVEN_SIZES
#endif

/* The driver asks for the time before it checks for signals, which a page does not have. */
long time(long *now) {
  (void)now;
  return 0;
}

/* The compiler calls this for a product of 128 bits. Not optimised, it does not see that this is such a product, too. */
__attribute__((optnone, noinline)) __int128 __multi3(__int128 a, __int128 b) {
  const unsigned long long x = (unsigned long long)a, y = (unsigned long long)b;
  const unsigned long long low = (x & 0xffffffff) * (y & 0xffffffff), left = (x >> 32) * (y & 0xffffffff);
  const unsigned long long middle = (x & 0xffffffff) * (y >> 32) + (low >> 32) + (left & 0xffffffff);
  const unsigned long long high = (x >> 32) * (y >> 32) + (left >> 32) + (middle >> 32) +
                                  (unsigned long long)(a >> 64) * y + x * (unsigned long long)(b >> 64);
  return (__int128)((unsigned __int128)high << 64 | (middle << 32 | (low & 0xffffffff)));
}

extern char __heap_base;
EXPORT("held") char *held_at(void) { return (char *)(((unsigned long)&__heap_base + 63) & -64ul); }

static char *places[INPUTS + OUTPUTS + CONSTANTS + 1];
EXPORT("places") char **places_at(void) { return places; }

#ifdef SHARED
/* Threads wait for a generation to pass, then take parts of a kernel's loop until none is left. The page's own thread may
   not sleep, so it waits in a loop for those that still run a part. */
typedef void (*work)(void *const *buffers, long begin, long end);
enum { CHUNKS = 4, OPEN = 1 << 16, ITERATIONS = 4000, STACK = 1 << 18 };

static _Alignas(64) char stacks[THREADS][STACK];
static int generation, state, workers;
static work function;
static void *const *buffers;
static long count, chunks, next;

EXPORT("stack") char *stack_of(int number) { return stacks[number] + STACK; }

static void share(void) {
  for (long i; (i = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < chunks;)
    function(buffers, (long)((long long)count * i / chunks), (long)((long long)count * (i + 1) / chunks));
}

static int join(void) {
  int now = __atomic_load_n(&state, __ATOMIC_RELAXED);
  while (now & OPEN)
    if (__atomic_compare_exchange_n(&state, &now, now + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 1;
  return 0;
}

EXPORT("work") void work_on(void) {
  int seen = __atomic_load_n(&generation, __ATOMIC_SEQ_CST);
  __atomic_add_fetch(&workers, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    for (int iteration = 0; iteration < ITERATIONS && __atomic_load_n(&generation, __ATOMIC_RELAXED) == seen; iteration++) {
    }
    __builtin_wasm_memory_atomic_wait32(&generation, seen, -1);
    seen = __atomic_load_n(&generation, __ATOMIC_SEQ_CST);
    if (!join()) continue;
    share();
    __atomic_sub_fetch(&state, 1, __ATOMIC_ACQ_REL);
  }
}

static void parallel(work kernel, void *const *arguments, long size) {
  const long most = (__atomic_load_n(&workers, __ATOMIC_ACQUIRE) + 1) * CHUNKS;
  function = kernel;
  buffers = arguments;
  count = size;
  chunks = most < size ? most : size;
  __atomic_store_n(&next, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&state, OPEN, __ATOMIC_RELEASE);
  __atomic_add_fetch(&generation, 1, __ATOMIC_SEQ_CST);
  __builtin_wasm_memory_atomic_notify(&generation, THREADS);
  share();
  __atomic_and_fetch(&state, ~OPEN, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&state, __ATOMIC_ACQUIRE)) {
  }
}
#else
static void (*const parallel)(void (*)(void *const *, long, long), void *const *, long) = 0;
#endif

EXPORT("run") int run(void) {
  char **const constants = places + INPUTS + OUTPUTS;
  return model_code.run[plan](places, places + INPUTS, constants, constants[CONSTANTS], 0, 0, library, parallel,
                              0 GIVEN_SIZES);
}
