/* A PJRT plugin. Clients, devices, buffers, events and executables are C's own; Python compiles programs, and runs
   those that are not native code. A call that takes long goes on after it has returned: see "work that goes on". This
   follows interface.c, and clock.c, threading.c and semaphores.c of targets/c. */
void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void free(void *memory);
void *memcpy(void *to, const void *from, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *text);
int snprintf(char *to, size_t bytes, const char *format, ...);
char *getenv(const char *name);
#ifdef _WIN32
void Sleep(unsigned milliseconds);
static void pause(void) { Sleep(1); }
#define EXPORTED __declspec(dllexport)
#else
int usleep(unsigned microseconds);
int mkstemp(char *path);
long write(int file, const void *bytes, size_t count);
int close(int file);
int unlink(const char *path);
/* Who loads this has them, in a library of their own on older systems. */
__attribute__((weak)) void *dlopen(const char *path, int mode);
__attribute__((weak)) void *dlsym(void *library, const char *name);
__attribute__((weak)) int dlclose(void *library);
#ifdef __linux__
__attribute__((weak)) unsigned long getauxval(unsigned long type);
int madvise(void *begin, size_t bytes, int advice);
#endif
static void pause(void) { usleep(50); }
#define EXPORTED __attribute__((visibility("default")))
#endif

#define KNOWN(object, member) (__builtin_offsetof(__typeof__(*(object)), member) + sizeof((object)->member))
#define KNOWS(object, member) ((object)->size >= KNOWN(object, member))
#define ADD(place, number) __atomic_add_fetch(place, number, __ATOMIC_ACQ_REL)
#define LOAD(place) __atomic_load_n(place, __ATOMIC_ACQUIRE)
#define STORE(place, value) __atomic_store_n(place, value, __ATOMIC_RELEASE)
#define EXCHANGE(place, value) __atomic_exchange_n(place, value, __ATOMIC_ACQ_REL)

enum { ALIGNMENT = 64, LEAST_ALIGNMENT = 16, MOST_DEVICES = 64, MOST_RANK = 64 };
static const char PLATFORM[] = "hlo2tiny";

/* ---------------------------------------------------------------- errors */

struct error {
  const struct Error_FunctionTable *table;
  enum code code;
  size_t length;
  char text[];
};

static struct error no_memory;
static void destroy_error(struct error *error) {
  if (error != &no_memory) free(error);
}
static void read_message(const struct error *error, const char **text, size_t *length) {
  *text = error->text;
  *length = error->length;
}
static enum code read_code(const struct error *error) { return error->code; }
static void each_payload(const struct error *error, void *visitor, void *argument) {}

static const struct Error_FunctionTable error_table = {
    sizeof error_table, sizeof(struct error), 0, destroy_error, read_message, read_code, each_payload};
static struct error no_memory = {&error_table, RESOURCE_EXHAUSTED, 0};

static struct error *fail_with(enum code code, const char *text, size_t length) {
  struct error *const error = malloc(sizeof *error + length + 1);
  if (!error) return &no_memory;
  *error = (struct error){&error_table, code, length};
  memcpy(error->text, text, length);
  error->text[length] = 0;
  return error;
}

#define FAIL(code, ...)                                                                                                \
  ({                                                                                                                   \
    char text[512];                                                                                                    \
    snprintf(text, sizeof text, __VA_ARGS__);                                                                          \
    fail_with(code, text, strlen(text));                                                                               \
  })
#define RAISE(call)                                                                                                    \
  do {                                                                                                                 \
    struct error *const raised = (call);                                                                               \
    if (raised) return raised;                                                                                         \
  } while (0)
#define NO_MEMORY(bytes) FAIL(RESOURCE_EXHAUSTED, "not enough memory for %zu bytes", (size_t)(bytes))

/* A function of the interface, and the object that it is called for; `last` is the last member that it needs, which the
   oldest version knows. */
#define FUNCTION(name, object, last)                                                                                   \
  static struct error *alive_##name(struct name##_Args *args);                                                         \
  PLAIN(name, last) {                                                                                                  \
    RAISE(EXPECT(args->object));                                                                                       \
    return alive_##name(args);                                                                                         \
  }                                                                                                                    \
  static struct error *alive_##name(struct name##_Args *const args)
/* One that is called for no object. */
#define PLAIN(name, last)                                                                                              \
  static struct error *checked_##name(struct name##_Args *args);                                                       \
  static struct error *name(struct name##_Args *args) {                                                                \
    if (!args || args->size < KNOWN(args, last))                                                                       \
      return FAIL(INVALID_ARGUMENT, "PJRT_" #name " needs arguments of %zu bytes, and these have %zu: the client is "  \
                  "older than the versions that hlo2tiny knows", KNOWN(args, last), args ? args->size : 0);            \
    return checked_##name(args);                                                                                       \
  }                                                                                                                    \
  static struct error *checked_##name(struct name##_Args *const args)
#define GIVE_TEXT(value) (args->text = (value), args->length = strlen(args->text), (struct error *)0)
/* Memory that the client frees. */
#define GIVE_BYTES(memory, size) \
  (args->bytes = args->owner = (memory), args->length = (size), args->destroy = free, (struct error *)0)
/* A function that does nothing but read one thing. */
#define READER(name, object, last, ...)                                                                                \
  FUNCTION(name, object, last) {                                                                                       \
    __VA_ARGS__;                                                                                                        \
    return 0;                                                                                                          \
  }

/* The memory of an object that has ended is used for objects of its kind only, and says so until then: who passes it
   again gets an error. What an object's memory begins with: */
#define OBJECT enum kind kind; struct object *next
enum kind { ENDED, CLIENT, TOPOLOGY, DEVICE, MEMORY, BUFFER, EVENT, EXECUTABLE, LOADED, LAYOUT, CONTEXT, ERROR, KINDS };
struct object { OBJECT; };
static const char *const KIND_NAMES[] = {"", "client", "topology", "device", "memory", "buffer", "event", "executable",
                                         "loaded executable", "layout", "context", "error"};
static struct pool { struct object *ended; int lock; } pools[KINDS];

static void lock(int *place) {
  for (int attempt = 1; EXCHANGE(place, 1); attempt++)
    if (!(attempt % 64)) pause();
}
static void unlock(int *place) { STORE(place, 0); }
static void *new_object(enum kind kind, size_t bytes) {
  struct pool *const pool = pools + kind;
  lock(&pool->lock);
  struct object *const known = pool->ended;
  if (known) pool->ended = known->next;
  unlock(&pool->lock);
  struct object *const object = known ? known : malloc(bytes);
  if (!object) return 0;
  for (size_t i = sizeof *object; i < bytes; i++) ((char *)object)[i] = 0;
  object->next = 0;
  STORE(&object->kind, kind);
  return object;
}
static void keep_memory(void *object, enum kind kind) {
  if (!object) return;
  struct pool *const pool = pools + kind;
  STORE(&((struct object *)object)->kind, ENDED);
  lock(&pool->lock);
  ((struct object *)object)->next = pool->ended;
  pool->ended = object;
  unlock(&pool->lock);
}
static int is_memory(const void *object);
static struct error *expect(const void *object, enum kind kind) {
  if (!object) return FAIL(INVALID_ARGUMENT, "null was passed for a %s", KIND_NAMES[kind]);
  if (kind == MEMORY  ? is_memory(object)
      : kind == ERROR ? ((const struct error *)object)->table == &error_table
                      : LOAD(&((const struct object *)object)->kind) == kind)
    return 0;
  return FAIL(INVALID_ARGUMENT, "the %s has been destroyed", KIND_NAMES[kind]);
}
#define EXPECT(object)                                                                                                 \
  expect(object, _Generic((object), struct client *: CLIENT, struct topology *: TOPOLOGY,                              \
                          const struct topology *: TOPOLOGY, struct device *: DEVICE, struct memory *: MEMORY,         \
                          const struct memory *: MEMORY, struct buffer *: BUFFER, struct event *: EVENT,               \
                          struct executable *: EXECUTABLE, const struct executable *: EXECUTABLE,                      \
                          struct loaded *: LOADED, struct layout *: LAYOUT, struct context *: CONTEXT,                 \
                          const struct error *: ERROR))
static struct error *expect_place(const void *place, const char *what) {
  return place ? 0 : FAIL(INVALID_ARGUMENT, "null was passed for %s", what);
}

static void Error_Destroy(struct Error_Destroy_Args *args) { destroy_error(args->error); }
static void Error_Message(struct Error_Message_Args *args) {
  args->text = "", args->length = 0;
  if (args->error) read_message(args->error, &args->text, &args->length);
}
READER(Error_GetCode, error, code, args->code = args->error->code)
READER(Error_ForEachPayload, error, argument, )

/* ---------------------------------------------------------------- Python */

/* What Python says about a compiled program; it keeps the arrays until `release`. */
struct program {
  int64_t handle;
  const char *text; /* of what each device runs */
  int64_t text_size;
  int64_t replicas, partitions;
  int64_t inputs, outputs;              /* of each device */
  const int64_t *types, *ranks, *sizes; /* of the arguments, then of the results */
  const int64_t *donated;               /* whether a call gives up an argument */
  const int64_t *in_place;              /* for each result, the argument in whose memory it may be written, or -1 */
  const int64_t *orders;                /* of dimensions, minor to major, in the same order as the sizes */
  const int64_t *kinds;                 /* of the memory of arguments, then of results */
  const int64_t *devices;               /* the numbers of the devices, all partitions of the first replica first */
  /* Native code, as the driver of a plan has it; null if Python runs the program. */
  int (*run)(char *const *in, char *const *out, void *const *constants, char *arena, void *host, void *argument,
             void *const *library, void *parallel, void *const *python);
  int64_t places; /* the addresses that the code takes: of the arguments, and nulls */
  void *const *constants, *const *library, *const *signals;
  void *parallel;
  int64_t arena, code_size;
  void *calls; /* of compiled handlers, or null; a run has `room` bytes for them after its arena */
  int64_t room;
  int64_t packing_count; /* the places after those of the arguments */
  int64_t copy_count;    /* arguments that are read faster where they are aligned: their packings, copies, come last */
  const struct packing *packings;
};
/* An argument that products read faster in panels of columns, with strides in elements: see packing.py. */
struct packing { int64_t argument, depth, columns, row, column, width; };
/* What a run tells the code that calls handlers, and hears from it: see handlers.c. */
struct user_datum { const struct user_datum *next; int64_t type; void *data; };
struct calling {
  void *calls;
  const struct user_datum *data;
  int call, code;
  char message[];
};

struct python {
  int (*devices)(char *names, int64_t size);
  int (*compile)(const char *code, int64_t code_size, const char *options, int64_t options_size,
                 struct program *program);
  int (*execute)(int64_t handle, char *const *in, char *const *out, const struct user_datum *data, const int *interrupted);
  int (*cost)(int64_t handle, double *flops, double *bytes);
  int (*native)(int64_t handle, const char **bytes, int64_t *size); /* see load_native; no bytes if Python has to run it */
  void (*release)(int64_t handle);
  int (*handler)(const char *name, int64_t length, void *handler, int for_host);
  int (*type)(const char *name, int64_t length, int64_t *type, void (*delete)(void *object));
  const char *(*message)(void); /* of the last error in this thread, whose code was returned */
  const char *version;
  int64_t stablehlo[3], processors, packable; /* packable: the most bytes of packed arrays */
};
static const struct python *python;

static struct error *expect_python(const char *purpose) {
  if (LOAD(&python)) return 0;
  return FAIL(FAILED_PRECONDITION,
              "%s by Python, which does not take part in this process: call hlo2tiny.pjrt.path() in it, and load the "
              "library from there",
              purpose);
}
/* The error of a call of Python, if it returned the code of one. */
static struct error *python_error(int code) {
  if (!code) return 0;
  const char *const text = python->message();
  return fail_with(code, text, strlen(text));
}

/* ---------------------------------------------------------------- events */

struct waiting {
  struct waiting *next;
  void (*callback)(struct error *error, void *argument);
  void *argument;
};
struct event {
  OBJECT;
  int references, lock, ready;
  struct error *error;
  struct waiting *waiting;
};

static struct event *new_event(int references, int ready) {
  struct event *const event = new_object(EVENT, sizeof *event);
  if (event) event->references = references, event->ready = ready;
  return event;
}
static struct error *copy_error(const struct error *error) {
  return error ? fail_with(error->code, error->text, error->length) : 0;
}
static void drop_event(struct event *event) {
  if (!event || ADD(&event->references, -1)) return;
  for (struct waiting *next, *w = event->waiting; w; w = next) next = w->next, free(w);
  destroy_error(event->error);
  keep_memory(event, EVENT);
}
static int set_event(struct event *event, struct error *error) {
  lock(&event->lock);
  const int first = !event->ready;
  struct waiting *waiting = first ? event->waiting : 0;
  if (first) event->error = error, event->waiting = 0, STORE(&event->ready, 1);
  unlock(&event->lock);
  for (struct waiting *next; waiting; waiting = next) {
    next = waiting->next;
    waiting->callback(copy_error(error), waiting->argument);
    free(waiting);
  }
  return first;
}
static struct error *give_event(struct event **place) {
  return (*place = new_event(1, 1)) ? 0 : NO_MEMORY(sizeof(struct event));
}

/* The client's reference ends; a buffer that will set the event has another. */
FUNCTION(Event_Destroy, event, event) {
  if (EXCHANGE(&args->event->kind, ENDED) == EVENT) drop_event(args->event);
  return 0;
}
READER(Event_IsReady, event, ready, args->ready = LOAD(&args->event->ready))
FUNCTION(Event_Error, event, event) {
  if (!LOAD(&args->event->ready)) return FAIL(FAILED_PRECONDITION, "the event is not ready, so it has no error yet");
  return copy_error(args->event->error);
}
/* Call a function, which the error then belongs to, when an event is ready. */
static struct error *when_ready(struct event *event, void (*callback)(struct error *error, void *argument), void *argument) {
  struct waiting *const waiting = LOAD(&event->ready) ? 0 : malloc(sizeof *waiting);
  if (!waiting && !LOAD(&event->ready)) return NO_MEMORY(sizeof *waiting);
  lock(&event->lock);
  const int waits = waiting && !event->ready;
  if (waits) *waiting = (struct waiting){event->waiting, callback, argument}, event->waiting = waiting;
  unlock(&event->lock);
  if (waits) return 0;
  free(waiting);
  callback(copy_error(event->error), argument);
  return 0;
}
static void go_on(struct error *error, void *semaphore) {
  destroy_error(error);
  post(semaphore);
}
static struct error *await(struct event *event) {
  if (!LOAD(&event->ready)) {
    semaphore ready;
    prepare(&ready);
    struct error *const error = when_ready(event, go_on, &ready);
    if (!error) wait(&ready);
    discard(&ready);
    RAISE(error);
  }
  return copy_error(event->error);
}
static void pass_on(struct error *error, void *event) {
  if (!set_event(event, error)) destroy_error(error);
  drop_event(event);
}
/* An event of the client's own that becomes ready with another; null stands for one that is ready. */
static struct error *give_event_after(struct event *other, struct event **place) {
  if (!other) return give_event(place);
  if (!(*place = new_event(2, 0))) return NO_MEMORY(sizeof(struct event));
  struct error *const error = when_ready(other, pass_on, *place);
  if (error) drop_event(*place), drop_event(*place);
  return error;
}
FUNCTION(Event_Await, event, event) {
  struct event *const event = args->event;
  ADD(&event->references, 1); /* the client's may end meanwhile */
  struct error *const error = await(event);
  drop_event(event);
  return error;
}
FUNCTION(Event_OnReady, event, argument) {
  RAISE(expect_place(args->callback, "the callback"));
  return when_ready(args->event, args->callback, args->argument);
}
PLAIN(Event_Create, event) { return (args->event = new_event(1, 0)) ? 0 : NO_MEMORY(sizeof(struct event)); }
FUNCTION(Event_Set, event, length) {
  if (args->code && args->length) RAISE(expect_place(args->text, "the message"));
  struct error *const error = args->code ? fail_with(args->code, args->text, args->length) : 0;
  if (set_event(args->event, error)) return 0;
  destroy_error(error);
  return FAIL(FAILED_PRECONDITION, "the event has been set before");
}

/* ---------------------------------------------------------------- work that goes on

   A job is run by a thread of its own when all that it reads is there. There are as many threads as processors, apart
   from those that wait for Python; they sleep until there is something to do. */
enum { MOST_WORKERS = 256, MOST_UNFINISHED = 16, WORKER_STACK = 1 << 23 };
struct job {
  struct job *next, *older, *newer; /* in the queue, and of all that are unfinished */
  int awaited;                      /* what it reads and is not there, and one until all of that is known */
  int asked, interrupted;           /* whether Ctrl-C has been pressed, and whether that ends it */
  void (*run)(struct job *job);
  struct event *done;
};
static struct {
  int lock, started, running, asleep, total, owner, in_python, ending;
  int64_t unfinished;
  struct job *first, *last, *newest;
  semaphore start;
} workers;
static _Thread_local int is_worker;

static thread_result work(void *unused);
/* Let one more thread run if there is something to do; `workers` is locked. */
static void start_worker(void) {
  const struct python *const functions = LOAD(&python);
  if (!workers.first || workers.running >= (functions ? functions->processors : 4)) return;
  if (workers.asleep) {
    workers.asleep--, workers.running++;
    post(&workers.start);
  } else if (workers.total < MOST_WORKERS) {
    handle thread;
    opaque old;
    block_signals(&old);
    if (start_thread(&thread, WORKER_STACK, work, 0)) workers.total++, workers.running++;
    restore_signals(&old);
  }
}
static thread_result work(void *unused) {
  is_worker = 1;
  for (;;) {
    lock(&workers.lock);
    struct job *const job = workers.first;
    if (job)
      workers.first = job->next;
    else
      workers.asleep++, workers.running--;
    unlock(&workers.lock);
    if (!job) {
      wait(&workers.start); /* who wakes a thread counts it as running */
      continue;
    }
    job->run(job);
    ADD(&workers.unfinished, -1);
  }
  return (thread_result)0;
}
/* While a thread waits for Python, another may run in its place. */
static void let_others_run(int whether) {
  if (!is_worker) return;
  lock(&workers.lock);
  workers.running += whether ? -1 : 1;
  ADD(&workers.in_python, whether ? 1 : -1);
  start_worker();
  unlock(&workers.lock);
}
/* A process that was forked has none of the threads. */
static int is_forked(void) { return LOAD(&workers.started) && LOAD(&workers.owner) != process(); }
/* Begin to count a job, which has to be passed to `submit`, and itself calls `finish`. */
static void announce(struct job *job, void (*run)(struct job *job), struct event *done) {
  lock(&workers.lock);
  if (!workers.started || is_forked()) {
    prepare(&workers.start);
    workers.running = workers.asleep = workers.total = 0, workers.first = workers.newest = 0;
    STORE(&workers.unfinished, 0);
    STORE(&workers.in_python, 0);
    STORE(&workers.owner, process()); /* threads that have not locked `workers` read these, and `started` first */
    STORE(&workers.started, 1);
  }
  ADD(&workers.unfinished, 1);
  *job = (struct job){.awaited = 1, .run = run, .done = done, .older = workers.newest};
  if (job->older) job->older->newer = job;
  workers.newest = job;
  unlock(&workers.lock);
}
/* A job has ended, and owns the error. */
static void finish(struct job *job, struct error *error) {
  lock(&workers.lock);
  if (job->older) job->older->newer = job->newer;
  *(job->newer ? &job->newer->older : &workers.newest) = job->older;
  unlock(&workers.lock);
  pass_on(error, job->done);
}
/* What a job waits for has come; with the last of it, the job is in the queue. */
static void submit(struct job *job) {
  if (ADD(&job->awaited, -1)) return;
  lock(&workers.lock);
  job->next = 0;
  if (workers.first)
    workers.last->next = job;
  else
    workers.first = job;
  workers.last = job;
  start_worker();
  const int is_alone = !workers.total;
  if (is_alone) workers.first = 0;
  unlock(&workers.lock);
  if (is_alone) job->run(job), ADD(&workers.unfinished, -1); /* no thread can be started */
}

/* So that the memory of results stays bounded. What Python calls meanwhile, perhaps elsewhere, must not wait. */
static void expect_few_jobs(void) {
  while (LOAD(&workers.unfinished) >= MOST_UNFINISHED && !LOAD(&workers.in_python) && !is_forked()) pause();
}

/* End jobs: who waits for one gets an error now, and its run ends when it next looks. */
static void interrupt(int all) {
  for (struct event *done = 0; !is_forked(); pass_on(FAIL(CANCELLED, "the run was interrupted"), done)) {
    lock(&workers.lock);
    struct job *job = workers.newest;
    while (job && (job->interrupted || !(all || job->asked))) job = job->older;
    if (job) STORE(&job->interrupted, 1), done = job->done, ADD(&done->references, 1);
    unlock(&workers.lock);
    if (!job) return;
  }
}
/* Called by Python after Ctrl-C, which ends what its caller waits for, but no job whose results may be wanted. Pressed
   again, or where the process ends, it ends jobs, too. */
EXPORTED void hlo2tiny_pjrt_interrupt(void) {
  interrupt(LOAD(&workers.ending));
  lock(&workers.lock);
  for (struct job *job = is_forked() ? 0 : workers.newest; job; job = job->older) job->asked = 1;
  unlock(&workers.lock);
}

/* Called by Python with its functions, and with null before it ends, when no program may be left that uses its memory. */
EXPORTED void hlo2tiny_pjrt_begin(const struct python *functions) {
  STORE(&workers.ending, !functions);
  if (!functions) interrupt(0);
  while (!functions && LOAD(&workers.unfinished) > 0 && !is_forked()) pause();
  STORE(&python, functions);
}

/* ---------------------------------------------------------------- devices */

struct user_data {
  struct user_data *next;
  const void *key;
  void *data;
  void (*destroy)(void *data);
};
/* All memory is the host's; clients tell apart what they put where. */
enum { MEMORY_KINDS = 3 };
static const char *const MEMORY_NAMES[] = {"device", "pinned_host", "unpinned_host"};
struct memory {
  const struct Memory_FunctionTable *table;
  struct device *device, *devices[1];
  struct user_data *data;
  int memory_kind;
  char debug[96];
};
struct device {
  OBJECT;
  int id;
  char name[32], debug[64];
  struct memory all[MEMORY_KINDS], *memories[MEMORY_KINDS];
};
struct topology {
  OBJECT;
  int count;
  struct device *devices[MOST_DEVICES];
};
struct client {
  OBJECT;
  struct topology topology;
  struct device all[MOST_DEVICES];
  struct memory *memories[MEMORY_KINDS * MOST_DEVICES];
};

static void *user_data(struct memory *memory, const void *key) {
  for (struct user_data *d = memory->data; d; d = d->next)
    if (d->key == key) return d->data;
  return 0;
}
static void set_user_data(struct memory *memory, const void *key, void *data, void (*destroy)(void *data)) {
  struct user_data *d = memory->data;
  while (d && d->key != key) d = d->next;
  if (d && d->destroy) d->destroy(d->data);
  if (!d) {
    if (!(d = malloc(sizeof *d))) return;
    d->next = memory->data;
    memory->data = d;
  }
  d->key = key, d->data = data, d->destroy = destroy;
}
static const struct Memory_FunctionTable memory_table = {
    sizeof memory_table, 0, sizeof(struct memory), user_data, set_user_data};

static int is_memory(const void *object) { return ((const struct memory *)object)->table == &memory_table; }

static struct error *add_device(struct client *client, const char *name, size_t length) {
  const int n = client->topology.count;
  struct device *const device = client->all + n;
  if (n == MOST_DEVICES || !length || length >= sizeof device->name)
    return FAIL(INVALID_ARGUMENT, "HLO2TINY_DEVICE takes up to %d names, such as CPU:0,CPU:1", MOST_DEVICES);
  device->id = n, device->kind = DEVICE;
  memcpy(device->name, name, length);
  snprintf(device->debug, sizeof device->debug, "Hlo2tinyDevice(id=%d, name=%s)", n, device->name);
  for (int kind = 0; kind < MEMORY_KINDS; kind++) {
    struct memory *const memory = device->all + kind;
    *memory = (struct memory){&memory_table, device, {device}, 0, kind};
    snprintf(memory->debug, sizeof memory->debug, "%s of %s", MEMORY_NAMES[kind], device->debug);
    device->memories[kind] = client->memories[MEMORY_KINDS * n + kind] = memory;
  }
  client->topology.devices[n] = device;
  client->topology.count++;
  return 0;
}

PLAIN(Plugin_Initialize, extension) { return 0; }
PLAIN(Plugin_Attributes, count) {
  static struct NamedValue values[2];
  static const int64_t oldest[3] = {0, 9, 0};
  const struct python *const functions = LOAD(&python);
  const int64_t *const newest = functions ? functions->stablehlo : oldest;
  const char *const names[] = {"stablehlo_current_version", "stablehlo_minimum_version"};
  for (int i = 0; i < 2; i++)
    values[i] = (struct NamedValue){
        sizeof values[i], 0, names[i], strlen(names[i]), INTEGERS, {.integers = i ? oldest : newest}, 3};
  args->attributes = values;
  args->count = 2;
  return 0;
}

PLAIN(Client_Create, client) {
  char names[2048] = "CPU";
  if (LOAD(&python))
    RAISE(python_error(python->devices(names, sizeof names)));
  else if (getenv("HLO2TINY_DEVICE"))
    snprintf(names, sizeof names, "%s", getenv("HLO2TINY_DEVICE"));
  struct client *const client = new_object(CLIENT, sizeof *client);
  if (!client) return NO_MEMORY(sizeof *client);
  client->topology.kind = TOPOLOGY;
  for (const char *begin = names, *end = names;; end++)
    if (!*end || *end == ',') {
      struct error *const error = add_device(client, begin, end - begin);
      if (error) return keep_memory(client, CLIENT), error;
      if (!*end) break;
      begin = end + 1;
    }
  args->client = client;
  return 0;
}
FUNCTION(Client_Destroy, client, client) {
  struct client *const client = args->client;
  for (int i = 0; i < client->topology.count; i++) {
    struct device *const device = client->all + i;
    for (struct memory *memory = device->all; memory < device->all + MEMORY_KINDS; memory++) {
      for (struct user_data *next, *d = memory->data; d; d = next) {
        next = d->next;
        if (d->destroy) d->destroy(d->data);
        free(d);
      }
      memory->table = 0, memory->data = 0;
    }
    device->kind = ENDED;
  }
  client->topology.kind = ENDED;
  keep_memory(client, CLIENT);
  return 0;
}
static const char *version(void) { return LOAD(&python) ? python->version : PLATFORM; }
FUNCTION(Client_PlatformName, client, length) { return GIVE_TEXT(PLATFORM); }
FUNCTION(Client_PlatformVersion, client, length) { return GIVE_TEXT(version()); }
FUNCTION(TopologyDescription_PlatformName, topology, length) { return GIVE_TEXT(PLATFORM); }
FUNCTION(TopologyDescription_PlatformVersion, topology, length) { return GIVE_TEXT(version()); }
READER(Client_ProcessIndex, client, index, args->index = 0)
READER(Client_TopologyDescription, client, topology, args->topology = &args->client->topology)
READER(Client_Devices, client, count, args->devices = args->client->topology.devices; args->count = args->client->topology.count)
READER(Client_AddressableDevices, client, count, args->devices = args->client->topology.devices;
       args->count = args->client->topology.count)
READER(Client_AddressableMemories, client, count, args->memories = args->client->memories;
       args->count = MEMORY_KINDS * args->client->topology.count)
READER(TopologyDescription_Destroy, topology, topology, ) /* each is its client's */
READER(TopologyDescription_GetDeviceDescriptions, topology, count, args->devices = args->topology->devices;
       args->count = args->topology->count)
READER(TopologyDescription_Attributes, topology, count, args->attributes = 0; args->count = 0)
READER(TopologyDescription_Fingerprint, topology, fingerprint, args->fingerprint = args->topology->count)

static struct error *find_device(struct client *client, int id, struct device **device) {
  if (id < 0 || id >= client->topology.count)
    return FAIL(NOT_FOUND, "there is no device %d: HLO2TINY_DEVICE names %d", id, client->topology.count);
  *device = client->all + id;
  return 0;
}
FUNCTION(Client_LookupDevice, client, device) { return find_device(args->client, args->id, &args->device); }
FUNCTION(Client_LookupAddressableDevice, client, device) { return find_device(args->client, args->id, &args->device); }
FUNCTION(Client_DefaultDeviceAssignment, client, assignment) {
  const int64_t wanted = (int64_t)args->replicas * args->partitions;
  RAISE(expect_place(args->assignment, "the assignment"));
  if (args->replicas < 1 || args->partitions < 1 || wanted > args->client->topology.count || (size_t)wanted > args->count)
    return FAIL(INVALID_ARGUMENT, "%lld devices are asked for, and HLO2TINY_DEVICE names %d", (long long)wanted,
                args->client->topology.count);
  for (int i = 0; i < wanted; i++) args->assignment[i] = i;
  return 0;
}

READER(DeviceDescription_Id, device, id, args->id = args->device->id)
READER(DeviceDescription_ProcessIndex, device, index, args->index = 0)
READER(DeviceDescription_Attributes, device, attributes, args->attributes = 0; args->count = 0)
FUNCTION(DeviceDescription_Kind, device, length) { return GIVE_TEXT(args->device->name); }
FUNCTION(DeviceDescription_DebugString, device, length) { return GIVE_TEXT(args->device->debug); }
FUNCTION(DeviceDescription_ToString, device, length) { return GIVE_TEXT(args->device->debug); }
READER(Device_GetDescription, device, description, args->description = args->device)
READER(Device_IsAddressable, device, addressable, args->addressable = 1)
READER(Device_LocalHardwareId, device, id, args->id = args->device->id)
READER(Device_AddressableMemories, device, count, args->memories = args->device->memories; args->count = MEMORY_KINDS)
READER(Device_DefaultMemory, device, memory, args->memory = args->device->all)
static void nothing(void *owner) {}
READER(Device_GetAttributes, device, destroy, args->attributes = 0; args->count = 0; args->owner = 0; args->destroy = nothing)
READER(Memory_Id, memory, id, args->id = MEMORY_KINDS * args->memory->device->id + args->memory->memory_kind)
FUNCTION(Memory_Kind, memory, length) { return GIVE_TEXT(MEMORY_NAMES[args->memory->memory_kind]); }
READER(Memory_Kind_Id, memory, id, args->id = args->memory->memory_kind)
FUNCTION(Memory_DebugString, memory, length) { return GIVE_TEXT(args->memory->debug); }
FUNCTION(Memory_ToString, memory, length) { return GIVE_TEXT(args->memory->debug); }
READER(Memory_AddressableByDevices, memory, count, args->devices = args->memory->devices; args->count = 1)

/* ---------------------------------------------------------------- buffers */

/* Memory that buffers share. `done` becomes ready when the last of them releases the caller's memory. */
struct storage {
  int references, borrowed; /* borrowed: the memory is its caller's */
  int writers;              /* the references of jobs that write it, which whatever reads it later waits for */
  int uses, lock;           /* uses: by programs that can read it packed; NEVER if others may write it */
  char *data;
  struct packed *packed;
  struct event *done;
  void (*on_delete)(void *data, void *argument);
  void *argument;
};
/* A copy of memory that programs have used MANY times: most of them will use it again. */
struct packed { struct packed *next; struct packing how; size_t element, bytes; char *data; };
enum { MANY = 3, NEVER = -1 << 30 };
static int64_t packed_bytes;
enum { FEW = 8 };
struct buffer {
  OBJECT;
  struct memory *memory;
  struct storage *storage; /* null: it has been deleted or donated */
  struct storage *viewed;  /* what is in use outside, as often as `views` says */
  struct event *defined;   /* when its contents are there; null: they are */
  int views, lock;
  enum element type;
  size_t rank, bytes;
  int64_t *sizes, *minor_to_major;
  int64_t few[2 * FEW]; /* both, if there are not more */
};

static const char *const ELEMENT_NAMES[] = {
#define NAME(name, bytes) #name,
    ELEMENTS(NAME)};
static const unsigned char ELEMENT_BYTES[] = {
#define COUNT(name, bytes) bytes,
    ELEMENTS(COUNT)};

static char *aligned(void *memory) { return (char *)(((size_t)memory + ALIGNMENT - 1) & -(size_t)ALIGNMENT); }
/* Memory for something and, aligned after it, so many bytes, in large pages if they are many, as numpy's arrays are. */
static void *new_memory(size_t before, size_t bytes) {
  const size_t whole = before + ALIGNMENT + bytes;
  void *const memory = whole > bytes ? malloc(whole) : 0;
#ifdef __linux__
  enum { LARGE = 1 << 22, PAGE = 1 << 12, HUGE_PAGES = 14 };
  const size_t skipped = -(size_t)memory % PAGE;
  if (memory && bytes >= LARGE) madvise((char *)memory + skipped, whole - skipped, HUGE_PAGES);
#endif
  return memory;
}
static struct storage *new_storage(size_t bytes) {
  struct storage *const storage = new_memory(sizeof *storage, bytes);
  if (!storage) return 0;
  *storage = (struct storage){1, .data = aligned(storage + 1)};
  return storage;
}
static void copy_elements(char *to, const int64_t *to_strides, const char *from, const int64_t *from_strides,
                          const int64_t *sizes, size_t rank, size_t bytes);
static void drop_packed(struct storage *storage) {
  for (struct packed *next, *p = storage->packed; p; p = next) next = p->next, ADD(&packed_bytes, -(int64_t)p->bytes), free(p);
  storage->packed = 0, storage->uses = 0;
}
static struct packed *pack(const char *data, const struct packing *how, size_t element) {
  const int64_t panels = (how->columns + how->width - 1) / how->width;
  const size_t bytes = panels * how->depth * how->width * element;
  const struct python *const functions = LOAD(&python);
  if (ADD(&packed_bytes, bytes) > (functions ? functions->packable : 0)) return ADD(&packed_bytes, -(int64_t)bytes), (void *)0;
  struct packed *const packed = new_memory(sizeof *packed, bytes);
  if (!packed) return ADD(&packed_bytes, -(int64_t)bytes), (void *)0;
  char *to = aligned(packed + 1);
  *packed = (struct packed){0, *how, element, bytes, to};
  const int64_t width = how->width * element, row = how->row * element, column = how->column * element;
  for (int64_t first = 0; first < how->columns; first += how->width, to += how->depth * width) {
    const int64_t left = how->columns - first, used = left < how->width ? left : how->width;
    const char *const from = data + first * column;
    if (used < how->width)
      for (int64_t i = 0; i < how->depth * width; i++) to[i] = 0;
    if (how->row < how->column) /* what lies together is read together */
      copy_elements(to, (int64_t[]){element, width}, from, (int64_t[]){column, row}, (int64_t[]){used, how->depth}, 2, element);
    else
      copy_elements(to, (int64_t[]){width, element}, from, (int64_t[]){row, column}, (int64_t[]){how->depth, used}, 2, element);
  }
  return packed;
}
/* An argument as a program reads it packed, or null. */
static char *packed_data(struct storage *storage, const struct packing *how, size_t element) {
  lock(&storage->lock);
  struct packed *found = storage->packed;
  const size_t rest = sizeof *how - sizeof how->argument;
  while (found && (found->element != element || memcmp(&found->how.depth, &how->depth, rest))) found = found->next;
  if (!found && ++storage->uses >= MANY && (found = pack(storage->data, how, element)))
    found->next = storage->packed, storage->packed = found;
  unlock(&storage->lock);
  return found ? found->data : 0;
}
static struct storage *share(struct storage *storage) { return ADD(&storage->references, 1), storage; }
static void drop_storage(struct storage *storage) {
  if (!storage || ADD(&storage->references, -1)) return;
  if (storage->on_delete) storage->on_delete(storage->data, storage->argument);
  if (storage->done) set_event(storage->done, 0), drop_event(storage->done);
  drop_packed(storage);
  free(storage);
}
/* Whether nobody reads memory but who asks, and the buffer that it asks for. Writers end before their references do. */
static int is_ours_alone(struct storage *storage) {
  const int references = LOAD(&storage->references);
  return references == 2 + LOAD(&storage->writers) && !storage->borrowed;
}
/* A reference to a buffer's memory; null if it has been deleted or donated. */
static struct storage *hold(struct buffer *buffer) {
  lock(&buffer->lock);
  struct storage *const storage = buffer->storage;
  if (storage) share(storage);
  unlock(&buffer->lock);
  return storage;
}
static void release_storage(struct buffer *buffer) {
  lock(&buffer->lock);
  struct storage *const storage = buffer->storage;
  STORE(&buffer->storage, 0);
  unlock(&buffer->lock);
  drop_storage(storage);
}

/* A buffer without storage; its dimensions are in this order, minor to major, or row-major. */
static struct error *new_buffer(struct buffer **place, struct memory *memory, enum element type, const int64_t *sizes,
                                size_t rank, const int64_t *order) {
  if (type <= INVALID || type >= ELEMENT_COUNT || (!ELEMENT_BYTES[type] && type != TOKEN))
    return FAIL(UNIMPLEMENTED, "hlo2tiny has no buffers of the element type %s",
                type > INVALID && type < ELEMENT_COUNT ? ELEMENT_NAMES[type] : "that was passed");
  if (rank > MOST_RANK) return FAIL(INVALID_ARGUMENT, "a buffer of %zu dimensions, expected at most %d", rank, MOST_RANK);
  if (rank) RAISE(expect_place(sizes, "the dimensions"));
  size_t bytes = ELEMENT_BYTES[type];
  for (size_t d = 0; d < rank; d++)
    if (sizes[d] < 0 || __builtin_mul_overflow(bytes, (size_t)sizes[d], &bytes) || bytes >> 62)
      return FAIL(INVALID_ARGUMENT, "dimension %zu has the size %lld", d, (long long)sizes[d]);
  struct buffer *const buffer = new_object(BUFFER, sizeof *buffer);
  if (!buffer) return NO_MEMORY(sizeof *buffer);
  buffer->sizes = rank <= FEW ? buffer->few : malloc(2 * rank * sizeof *sizes);
  if (!buffer->sizes) return keep_memory(buffer, BUFFER), NO_MEMORY(2 * rank * sizeof *sizes);
  buffer->memory = memory, buffer->type = type, buffer->rank = rank, buffer->bytes = bytes;
  buffer->minor_to_major = buffer->sizes + rank;
  for (size_t d = 0; d < rank; d++)
    buffer->sizes[d] = sizes[d], buffer->minor_to_major[d] = order ? order[d] : (int64_t)(rank - 1 - d);
  *place = buffer;
  return 0;
}
static void free_buffer(struct buffer *buffer) {
  if (!buffer || EXCHANGE(&buffer->kind, ENDED) != BUFFER) return;
  release_storage(buffer);
  drop_event(buffer->defined);
  if (buffer->sizes != buffer->few) free(buffer->sizes);
  keep_memory(buffer, BUFFER);
}
static struct error *expect_alive(struct buffer *buffer) {
  return LOAD(&buffer->storage) ? 0 : FAIL(INVALID_ARGUMENT, "the buffer has been deleted or donated");
}

/* The stride of each dimension, in bytes. */
static void dense_strides(const struct buffer *buffer, const int64_t *minor_to_major, int64_t *strides) {
  int64_t bytes = ELEMENT_BYTES[buffer->type];
  for (size_t i = 0; i < buffer->rank; i++) {
    const int64_t d = minor_to_major[i];
    strides[d] = bytes;
    bytes *= buffer->sizes[d] ? buffer->sizes[d] : 1;
  }
}
static int is_order(const int64_t *order, int64_t rank) {
  uint64_t seen = 0;
  for (int64_t i = 0; i < rank; i++) {
    if (order[i] < 0 || order[i] >= rank || seen >> order[i] & 1) return 0;
    seen |= (uint64_t)1 << order[i];
  }
  return 1;
}
static struct error *strides_of(const struct buffer *buffer, const struct Buffer_MemoryLayout *layout,
                                int64_t *strides) {
  if (!layout) return dense_strides(buffer, buffer->minor_to_major, strides), (struct error *)0;
  const size_t rank = layout->type == TILED ? layout->tiled.rank : layout->strided.rank;
  if (rank != buffer->rank)
    return FAIL(INVALID_ARGUMENT, "the layout has %zu dimensions, and the buffer %zu", rank, buffer->rank);
  if (rank) RAISE(expect_place(layout->type == TILED ? layout->tiled.minor_to_major : layout->strided.strides, "the layout"));
  if (layout->type == STRIDED) {
    for (size_t d = 0; d < rank; d++) strides[d] = layout->strided.strides[d];
    return 0;
  }
  if (layout->tiled.tiles) return FAIL(UNIMPLEMENTED, "hlo2tiny has no tiled layouts");
  if (!is_order(layout->tiled.minor_to_major, rank))
    return FAIL(INVALID_ARGUMENT, "the layout is not an order of the %zu dimensions", rank);
  return dense_strides(buffer, layout->tiled.minor_to_major, strides), (struct error *)0;
}
static int is_dense(const struct buffer *buffer, const int64_t *strides) {
  int64_t dense[MOST_RANK];
  dense_strides(buffer, buffer->minor_to_major, dense);
  for (size_t d = 0; d < buffer->rank; d++)
    if (buffer->sizes[d] > 1 && strides[d] != dense[d]) return 0;
  return 1;
}
/* Give a buffer the order of dimensions that a layout has, whose elements have to be without gaps. */
static struct error *arrange(struct buffer *buffer, const struct Buffer_MemoryLayout *layout) {
  int64_t strides[MOST_RANK], *const order = buffer->minor_to_major;
  RAISE(strides_of(buffer, layout, strides));
  if (!layout) return 0;
  /* From the last dimension, so that those of one stride, of which only one has several elements, stay in order. */
  for (size_t n = 0; n < buffer->rank; n++) {
    const int64_t d = buffer->rank - 1 - n;
    size_t at = n;
    if (layout->type == TILED)
      order[n] = layout->tiled.minor_to_major[n];
    else {
      for (; at && strides[order[at - 1]] > strides[d]; at--) order[at] = order[at - 1];
      order[at] = d;
    }
  }
  return !buffer->bytes || is_dense(buffer, strides)
             ? 0
             : FAIL(UNIMPLEMENTED, "hlo2tiny only has buffers without gaps, and another layout was asked for");
}

static void copy_elements(char *to, const int64_t *to_strides, const char *from, const int64_t *from_strides,
                          const int64_t *sizes, size_t rank, size_t bytes) {
  if (!rank) {
    memcpy(to, from, bytes);
    return;
  }
  const int64_t step = *to_strides, from_step = *from_strides;
#define COPY(type)                                                                                                     \
  for (int64_t i = 0; i < *sizes; i++) memcpy(to + i * step, from + i * from_step, sizeof(type))
  if (rank > 1)
    for (int64_t i = 0; i < *sizes; i++)
      copy_elements(to + i * step, to_strides + 1, from + i * from_step, from_strides + 1, sizes + 1, rank - 1, bytes);
  else if (step == (int64_t)bytes && from_step == step)
    memcpy(to, from, *sizes * bytes);
  else if (bytes == 1)
    COPY(char);
  else if (bytes == 2)
    COPY(short);
  else if (bytes == 4)
    COPY(int);
  else if (bytes == 8)
    COPY(double);
  else
    COPY(double[2]);
}
/* Of narrow integers, clients define only the low bits of each byte, and compiled code reads all. */
static int narrow_bits(enum element type) {
  return type == S4 || type == U4 ? 4 : type == S2 || type == U2 ? 2 : type == S1 || type == U1 ? 1 : 0;
}
static void widen(char *data, size_t bytes, enum element type) {
  const int shift = 8 - narrow_bits(type), is_signed = type == S4 || type == S2 || type == S1;
  for (size_t i = 0; i < bytes; i++) {
    const unsigned char high = (unsigned char)data[i] << shift;
    data[i] = is_signed ? (signed char)high >> shift : high >> shift;
  }
}

/* A row-major buffer in some memory, or of a device, or of the first one. */
static struct error *buffer_in(struct client *client, struct device *device, struct memory *memory, enum element type,
                               const int64_t *sizes, size_t rank, struct buffer **buffer) {
  if (memory) RAISE(EXPECT(memory));
  if (device) RAISE(EXPECT(device));
  return new_buffer(buffer, memory ? memory : (device ? device : client->all)->all, type, sizes, rank, 0);
}

FUNCTION(Client_BufferFromHostBuffer, client, buffer) {
  struct buffer *buffer;
  int64_t given[MOST_RANK], dense[MOST_RANK];
  if (args->stride_count && args->stride_count != args->rank)
    return FAIL(INVALID_ARGUMENT, "%zu strides for %zu dimensions", args->stride_count, args->rank);
  if (args->stride_count) RAISE(expect_place(args->strides, "the strides"));
  RAISE(buffer_in(args->client, args->device, args->memory, args->type, args->sizes, args->rank, &buffer));
  struct error *error = arrange(buffer, args->layout);
  if (!error && buffer->bytes) error = expect_place(args->data, "the data");
  dense_strides(buffer, buffer->minor_to_major, dense);
  int64_t bytes = ELEMENT_BYTES[args->type]; /* without strides, the data are row-major */
  for (size_t d = args->rank; d--; bytes *= args->sizes[d] ? args->sizes[d] : 1)
    given[d] = args->stride_count ? args->strides[d] : bytes;
  const int zero_copy = (args->semantics == ZERO_COPY || args->semantics == MUTABLE_ZERO_COPY) && buffer->bytes &&
                        is_dense(buffer, given) && !((size_t)args->data % LEAST_ALIGNMENT) && !narrow_bits(args->type);
  if (!error && !(buffer->storage = new_storage(zero_copy ? 0 : buffer->bytes))) error = NO_MEMORY(buffer->bytes);
  if (!error && !(args->done = new_event(1 + zero_copy, !zero_copy))) error = NO_MEMORY(sizeof(struct event));
  if (error) return free_buffer(buffer), error;
  if (zero_copy) {
    buffer->storage->data = (char *)args->data;
    buffer->storage->done = args->done;
    buffer->storage->borrowed = 1;
  } else if (buffer->bytes) {
    if (is_dense(buffer, given))
      memcpy(buffer->storage->data, args->data, buffer->bytes);
    else
      copy_elements(buffer->storage->data, dense, args->data, given, args->sizes, args->rank,
                    ELEMENT_BYTES[args->type]);
    if (narrow_bits(args->type)) widen(buffer->storage->data, buffer->bytes, args->type);
  }
  args->buffer = buffer;
  return 0;
}
FUNCTION(Client_CreateUninitializedBuffer, client, buffer) {
  struct buffer *buffer;
  RAISE(buffer_in(args->client, args->device, args->memory, args->type, args->sizes, args->rank, &buffer));
  struct error *error = arrange(buffer, args->layout);
  if (!error && !(buffer->storage = new_storage(buffer->bytes))) error = NO_MEMORY(buffer->bytes);
  if (error) return free_buffer(buffer), error;
  buffer->storage->uses = NEVER; /* the client writes it */
  args->buffer = buffer;
  return 0;
}
FUNCTION(Client_CreateViewOfDeviceBuffer, client, buffer) {
  struct buffer *buffer;
  int64_t given[MOST_RANK], dense[MOST_RANK];
  struct memory *const memory = KNOWS(args, memory) ? args->memory : 0;
  RAISE(buffer_in(args->client, args->device, memory, args->type, args->sizes, args->rank, &buffer));
  struct error *error = strides_of(buffer, args->layout, given);
  if (!error && buffer->bytes) error = expect_place(args->data, "the data");
  if (!error) destroy_error(arrange(buffer, args->layout)); /* what has gaps is copied */
  const int is_usable = !error && is_dense(buffer, given) && !((size_t)args->data % LEAST_ALIGNMENT);
  if (!error && !(buffer->storage = new_storage(is_usable ? 0 : buffer->bytes))) error = NO_MEMORY(buffer->bytes);
  if (error) return free_buffer(buffer), error;
  if (is_usable) {
    *buffer->storage = (struct storage){.references = 1, .borrowed = 1, .uses = NEVER, .data = args->data,
                                        .on_delete = args->on_delete, .argument = args->argument};
  } else { /* nobody changes it, so a copy is as good */
    dense_strides(buffer, buffer->minor_to_major, dense);
    if (buffer->bytes)
      copy_elements(buffer->storage->data, dense, args->data, given, args->sizes, args->rank, ELEMENT_BYTES[args->type]);
    if (args->on_delete) args->on_delete(args->data, args->argument);
  }
  args->buffer = buffer;
  return 0;
}

READER(Buffer_Destroy, buffer, buffer, free_buffer(args->buffer))
READER(Buffer_ElementType, buffer, type, args->type = args->buffer->type)
READER(Buffer_Dimensions, buffer, rank, args->sizes = args->buffer->sizes; args->rank = args->buffer->rank)
READER(Buffer_UnpaddedDimensions, buffer, rank, args->sizes = args->buffer->sizes; args->rank = args->buffer->rank)
READER(Buffer_DynamicDimensionIndices, buffer, count, args->indices = 0; args->count = 0)
READER(Buffer_GetMemoryLayout, buffer, layout, args->layout = (struct Buffer_MemoryLayout){
       sizeof args->layout, 0, {{sizeof args->layout.tiled, 0, args->buffer->minor_to_major, args->buffer->rank}}, TILED})
READER(Buffer_OnDeviceSizeInBytes, buffer, bytes, args->bytes = args->buffer->bytes)
READER(Buffer_Delete, buffer, buffer, release_storage(args->buffer))
READER(Buffer_IsDeleted, buffer, deleted, args->deleted = !LOAD(&args->buffer->storage))
READER(Buffer_IsOnCpu, buffer, on_cpu, args->on_cpu = 1)
READER(Buffer_Device, buffer, device, args->device = args->buffer->memory->device)
READER(Buffer_Memory, buffer, memory, args->memory = args->buffer->memory)
FUNCTION(Buffer_ReadyEvent, buffer, event) { return give_event_after(args->buffer->defined, &args->event); }
FUNCTION(Buffer_UnsafePointer, buffer, address) {
  RAISE(expect_alive(args->buffer));
  args->address = (size_t)args->buffer->storage->data;
  return 0;
}
FUNCTION(Buffer_OpaqueDeviceMemoryDataPointer, buffer, data) {
  RAISE(expect_alive(args->buffer));
  args->data = args->buffer->storage->data;
  return 0;
}
/* Memory that is in use outside stays as it is, also when its buffer is deleted or donated. */
FUNCTION(Buffer_IncreaseExternalReferenceCount, buffer, buffer) {
  struct buffer *const buffer = args->buffer;
  struct storage *const storage = hold(buffer);
  if (!storage) return expect_alive(buffer);
  if (ADD(&buffer->views, 1) == 1)
    STORE(&buffer->viewed, storage);
  else
    drop_storage(storage);
  return 0;
}
FUNCTION(Buffer_DecreaseExternalReferenceCount, buffer, buffer) {
  struct buffer *const buffer = args->buffer;
  if (LOAD(&buffer->views) <= 0) return FAIL(INVALID_ARGUMENT, "the buffer has no external references left");
  struct storage *const viewed = LOAD(&buffer->viewed);
  if (!ADD(&buffer->views, -1)) drop_storage(viewed);
  return 0;
}
/* A client's own strides: what they reach must be in its memory. */
static struct error *expect_inside(const struct buffer *buffer, const int64_t *strides, size_t bytes) {
  int64_t last = 0;
  for (size_t d = 0; d < buffer->rank && buffer->bytes; d++) {
    int64_t reached;
    if (strides[d] < 0 || __builtin_mul_overflow(strides[d], buffer->sizes[d] - 1, &reached) ||
        __builtin_add_overflow(last, reached, &last))
      return FAIL(INVALID_ARGUMENT, "dimension %zu has the stride %lld", d, (long long)strides[d]);
  }
  if (buffer->bytes && (uint64_t)last + ELEMENT_BYTES[buffer->type] > bytes)
    return FAIL(INVALID_ARGUMENT, "%zu bytes for an array whose strides need %lld", bytes,
                (long long)last + ELEMENT_BYTES[buffer->type]);
  return 0;
}
/* A copy to the host, which begins when the buffer's contents are there. */
struct transfer {
  struct storage *storage;
  struct event *done;
  char *to;
  size_t offset, rank, element;
  int64_t sizes[MOST_RANK], strides[MOST_RANK], from[MOST_RANK];
};
static void finish_transfer(struct error *error, void *argument) {
  struct transfer *const t = argument;
  if (!error) copy_elements(t->to, t->strides, t->storage->data + t->offset, t->from, t->sizes, t->rank, t->element);
  drop_storage(t->storage);
  pass_on(error, t->done);
  free(t);
}
static struct error *transfer(struct buffer *buffer, struct transfer plan, struct event **event) {
  struct storage *const storage = hold(buffer);
  if (!storage) return expect_alive(buffer);
  if (!buffer->defined || (LOAD(&buffer->defined->ready) && !buffer->defined->error)) {
    struct error *const error = give_event(event);
    if (!error) copy_elements(plan.to, plan.strides, storage->data + plan.offset, plan.from, plan.sizes, plan.rank, plan.element);
    return drop_storage(storage), error;
  }
  struct transfer *const t = malloc(sizeof *t);
  struct error *error = t && (*event = new_event(2, 0)) ? 0 : NO_MEMORY(sizeof *t);
  if (!error) {
    *t = plan, t->storage = storage, t->done = *event;
    error = when_ready(buffer->defined, finish_transfer, t);
    if (error) drop_event(*event), drop_event(*event);
  }
  if (error) free(t), drop_storage(storage);
  return error;
}
FUNCTION(Buffer_ToHostBuffer, buffer, event) {
  struct buffer *const buffer = args->buffer;
  struct transfer plan = {.to = args->data, .element = ELEMENT_BYTES[buffer->type]};
  RAISE(expect_alive(buffer));
  if (!args->data) return args->bytes = buffer->bytes, (struct error *)0;
  if (args->bytes < buffer->bytes)
    return FAIL(INVALID_ARGUMENT, "%zu bytes for a buffer of %zu", args->bytes, buffer->bytes);
  RAISE(strides_of(buffer, args->layout, plan.strides));
  RAISE(expect_inside(buffer, plan.strides, args->bytes));
  if (!buffer->bytes || is_dense(buffer, plan.strides)) {
    plan.rank = 1, plan.sizes[0] = buffer->bytes, plan.strides[0] = plan.from[0] = plan.element = 1;
  } else {
    plan.rank = buffer->rank;
    for (size_t d = 0; d < buffer->rank; d++) plan.sizes[d] = buffer->sizes[d];
    dense_strides(buffer, buffer->minor_to_major, plan.from);
  }
  return transfer(buffer, plan, &args->event);
}
FUNCTION(Buffer_CopyRawToHost, buffer, event) {
  RAISE(expect_alive(args->buffer));
  if (args->offset < 0 || args->bytes < 0 || (uint64_t)args->offset + args->bytes > args->buffer->bytes)
    return FAIL(INVALID_ARGUMENT, "%lld bytes from %lld of a buffer of %zu", (long long)args->bytes,
                (long long)args->offset, args->buffer->bytes);
  if (args->bytes) RAISE(expect_place(args->data, "the memory to copy to"));
  return transfer(args->buffer, (struct transfer){.to = args->data, .offset = args->offset, .rank = 1, .element = 1,
                                .sizes = {args->bytes}, .strides = {1}, .from = {1}}, &args->event);
}
/* All memory is the host's, and what is shared is never changed. */
static struct error *copy_buffer(struct buffer *buffer, struct memory *memory, struct buffer **copy) {
  struct storage *const storage = hold(buffer);
  if (!storage) return expect_alive(buffer);
  struct error *const error =
      new_buffer(copy, memory, buffer->type, buffer->sizes, buffer->rank, buffer->minor_to_major);
  if (error) return drop_storage(storage), error;
  (*copy)->storage = storage;
  if (((*copy)->defined = buffer->defined)) ADD(&buffer->defined->references, 1);
  return 0;
}
FUNCTION(Buffer_CopyToDevice, buffer, copy) {
  RAISE(EXPECT(args->device));
  return copy_buffer(args->buffer, args->device->all, &args->copy);
}
FUNCTION(Buffer_CopyToMemory, buffer, copy) {
  RAISE(EXPECT(args->memory));
  return copy_buffer(args->buffer, args->memory, &args->copy);
}

/* The order of dimensions, minor to major. */
struct layout {
  OBJECT;
  int executables; /* it is an executable's */
  unsigned char rank, order[MOST_RANK];
};
static struct error *give_layout(size_t rank, const int64_t *order, struct layout **place) {
  if (rank > MOST_RANK) return FAIL(INVALID_ARGUMENT, "%zu dimensions, expected at most %d", rank, MOST_RANK);
  struct layout *const layout = *place = new_object(LAYOUT, sizeof *layout);
  if (!layout) return NO_MEMORY(sizeof *layout);
  layout->rank = rank;
  for (size_t d = 0; d < rank; d++) layout->order[d] = order ? order[d] : (int64_t)(rank - 1 - d);
  return 0;
}
static void end_layout(struct layout *layout) {
  if (layout && EXCHANGE(&layout->kind, ENDED) == LAYOUT) keep_memory(layout, LAYOUT);
}
FUNCTION(Layouts_MemoryLayout_Destroy, layout, layout) {
  if (args->layout->executables) return FAIL(INVALID_ARGUMENT, "the layout ends with its executable");
  return end_layout(args->layout), (struct error *)0;
}
FUNCTION(Layouts_MemoryLayout_Serialize, layout, destroy) {
  const size_t most = 4 * MOST_RANK;
  char *const text = malloc(most);
  if (!text) return NO_MEMORY(most);
  size_t end = snprintf(text, most, "{");
  for (int d = 0; d < args->layout->rank; d++)
    end += snprintf(text + end, most - end, d ? ",%d" : "%d", args->layout->order[d]);
  end += snprintf(text + end, most - end, "}");
  return GIVE_BYTES(text, end);
}
FUNCTION(Layouts_PJRT_Client_GetDefaultLayout, client, layout) { return give_layout(args->rank, 0, &args->layout); }
FUNCTION(Layouts_PJRT_Topology_GetDefaultLayout, topology, layout) { return give_layout(args->rank, 0, &args->layout); }
FUNCTION(Layouts_PJRT_Buffer_MemoryLayout, buffer, layout) {
  return give_layout(args->buffer->rank, args->buffer->minor_to_major, &args->layout);
}

/* ---------------------------------------------------------------- executables */

struct executable {
  OBJECT;
  int references, handles; /* handles: the references that are the client's */
  struct program program;
  char *code, *options; /* copies of what was compiled */
  size_t code_size, options_size, *ranks;
  enum element *types;
  const int64_t *result_sizes, *result_orders;
  const char **kinds; /* of the memory of arguments and results */
  size_t *lengths;
  char *arena; /* working memory that no run uses */
  int64_t took; /* how long the last run took, in ns; if there has been none, 0 or the most, as it is small or not */
  struct layout **layouts; /* of arguments and results */
  /* Of one that is run without Python: what it was loaded from, and the libraries of that. */
  char *native, *native_memory;
  size_t native_size, library_count;
  void **libraries, **addresses;
  struct NamedValue costs[2];
  char fingerprint[32];
};
struct loaded {
  OBJECT;
  struct executable *executable; /* null: it has been deleted */
  size_t count;
  struct device *devices[MOST_DEVICES];
  struct logical_id ids[MOST_DEVICES];
};

static void close_libraries(struct executable *e);
static void drop_executable(struct executable *e) {
  if (!e || ADD(&e->references, -1)) return;
  if (e->program.handle && LOAD(&python)) python->release(e->program.handle);
  free(e->code), free(e->options), free(e->ranks), free(e->types), free(e->kinds), free(e->lengths), free(e->arena);
  for (int64_t i = 0; e->layouts && i < e->program.inputs + e->program.outputs; i++) end_layout(e->layouts[i]);
  free(e->layouts), free(e->native_memory), free(e->addresses);
  close_libraries(e);
  keep_memory(e, EXECUTABLE);
}
static char *copy_bytes(const char *bytes, size_t length) {
  char *const copy = malloc(length + 1);
  if (copy) memcpy(copy, bytes, length), copy[length] = 0;
  return copy;
}
static uint64_t digest(uint64_t hash, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
  return hash;
}

/* ---- executables that run without Python

   Their parts, each of which begins at a multiple of 64 bytes; a table says first how many there are, and where each
   begins and how long it is. */
enum { NUMBERS, TYPES, RANKS, SIZES, DONATED, IN_PLACE, ORDERS, MEMORIES, DEVICES, CODE, THREADS, NAMES, PARTS };
struct part { uint64_t begin, size; };
#define PART(number) ((void *)(begin + parts[number].begin))
struct numbers { int64_t replicas, partitions, inputs, outputs, places, arena, code_size, threads, processors, functions; };

#ifdef _WIN32
static void *open_library(const char *bytes, size_t size) { return 0; }
static void *symbol(void *library, const char *name) { return 0; }
static void close_library(void *library) {}
#else
static void *open_library(const char *bytes, size_t size) {
  char path[512];
  const char *const folder = getenv("TMPDIR");
  const int length = snprintf(path, sizeof path, "%s/hlo2tiny-loaded-XXXXXX", folder && *folder ? folder : "/tmp");
  const int file = dlopen && length < (int)sizeof path ? mkstemp(path) : -1;
  if (file < 0) return 0;
  for (long written; size && (written = write(file, bytes, size)) > 0; bytes += written) size -= written;
  close(file);
  void *const library = size ? 0 : dlopen(path, 2); /* RTLD_NOW */
  unlink(path);
  return library;
}
static void *symbol(void *library, const char *name) { return library ? dlsym(library, name) : 0; }
static void close_library(void *library) { dlclose(library); }
#endif
static void close_libraries(struct executable *e) {
  for (size_t i = 0; i < e->library_count; i++)
    if (e->libraries[i]) close_library(e->libraries[i]);
  free(e->libraries);
}

/* What the processor has; code may use all of it. */
enum { MACHINE = 6 };
static void describe_machine(uint64_t *words) {
  for (int i = 0; i < MACHINE; i++) words[i] = 0;
#if defined __x86_64__
  unsigned a, b, c, d;
  __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(1), "c"(0));
  words[0] = 1, words[1] = c & ~(1u << 27), words[2] = d; /* whether the system saves vectors is its own affair */
  __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(7), "c"(0));
  words[3] = b, words[4] = c & ~(1u << 4), words[5] = d;
#elif defined __aarch64__
  words[0] = 2;
#ifdef __linux__
  if (getauxval) words[1] = getauxval(16), words[2] = getauxval(26);
#endif
#else
  words[0] = 3;
#endif
}

/* The pool of threads that all these executables share. */
static void *threads_of(const char *bytes, size_t size, const struct numbers *numbers) {
  static int locked;
  static void *parallel;
  lock(&locked);
  if (!parallel && numbers->threads > 1 && size) {
    void *const library = open_library(bytes, size);
    void (*const start)(int, int) = (void (*)(int, int))symbol(library, "start_threads");
    if (start) start(numbers->threads, numbers->processors), parallel = symbol(library, "parallel");
  }
  unlock(&locked);
  return parallel;
}

static struct error *expect_valid(const struct part *parts, const char *begin, const struct numbers *n) {
  const int64_t most = 1 << 20, *const types = PART(TYPES), *const ranks = PART(RANKS), *const sizes = PART(SIZES);
  const int64_t *const in_place = PART(IN_PLACE), *const orders = PART(ORDERS), *const kinds = PART(MEMORIES);
  if (n->replicas != 1 || n->partitions != 1 || n->inputs < 0 || n->inputs > most || n->outputs < 0 || n->outputs > most ||
      n->places < n->inputs || n->places > 2 * most || n->arena < 0 || n->arena >> 48 || n->functions < 0)
    return FAIL(INVALID_ARGUMENT, "the executable's numbers are damaged");
  const uint64_t count = n->inputs + n->outputs;
  uint64_t total = 0;
  int right = parts[TYPES].size == 8 * count && parts[RANKS].size == 8 * count &&
              parts[DONATED].size == 8 * (uint64_t)n->inputs && parts[IN_PLACE].size == 8 * (uint64_t)n->outputs &&
              parts[MEMORIES].size == 8 * count && parts[DEVICES].size == 8;
  for (uint64_t i = 0; right && i < count; i++) {
    right = types[i] > INVALID && types[i] < ELEMENT_COUNT && ranks[i] >= 0 && ranks[i] <= MOST_RANK &&
            kinds[i] >= 0 && kinds[i] < MEMORY_KINDS;
    total += right ? ranks[i] : 0;
  }
  right = right && parts[SIZES].size == 8 * total && parts[ORDERS].size == 8 * total;
  for (uint64_t i = 0; right && i < total; i++) right = sizes[i] >= 0;
  for (uint64_t i = 0, at = 0; right && i < count; at += ranks[i++]) right = is_order(orders + at, ranks[i]);
  for (int64_t i = 0; right && i < n->outputs; i++) right = in_place[i] >= -1 && in_place[i] < n->inputs;
  return right ? 0 : FAIL(INVALID_ARGUMENT, "the executable's types are damaged");
}

static struct error *load_native(struct executable *e, const char *bytes, size_t size) {
  e->native_memory = new_memory(0, size);
  if (!e->native_memory) return NO_MEMORY(size);
  char *const begin = aligned(e->native_memory);
  memcpy(begin, bytes, size);
  e->native = begin, e->native_size = size;
  const uint64_t count = size >= 8 ? *(uint64_t *)begin : 0;
  const struct part *const parts = (void *)(begin + 8);
  int right = count >= PARTS && count <= size / sizeof *parts && 8 + count * sizeof *parts <= size;
  for (uint64_t i = 0; right && i < count; i++)
    right = parts[i].begin % ALIGNMENT == 0 && parts[i].begin <= size && parts[i].size <= size - parts[i].begin;
  if (!right || parts[NUMBERS].size != sizeof(struct numbers))
    return FAIL(INVALID_ARGUMENT, "the executable's parts are damaged");
  const struct numbers *const n = PART(NUMBERS);
  RAISE(expect_valid(parts, begin, n));
  const char *name = PART(NAMES), *const end = name + parts[NAMES].size;
  if ((uint64_t)n->functions > count - PARTS || (parts[NAMES].size && end[-1]))
    return FAIL(INVALID_ARGUMENT, "the executable's functions are damaged");
  const uint64_t constants = count - PARTS - n->functions;
  e->libraries = calloc(n->functions + 1, sizeof *e->libraries);
  e->addresses = calloc(n->functions + constants + 1, sizeof *e->addresses);
  if (!e->libraries || !e->addresses) return NO_MEMORY(size);
  e->library_count = n->functions + 1;
  for (int64_t i = 0; i < n->functions; i++, name += name < end ? strlen(name) + 1 : 0) {
    const struct part *const part = parts + PARTS + i;
    e->libraries[i] = open_library(begin + part->begin, part->size);
    e->addresses[i] = name < end ? symbol(e->libraries[i], name) : 0;
    if (!e->addresses[i]) return FAIL(FAILED_PRECONDITION, "a library of the executable cannot be loaded");
  }
  for (uint64_t i = 0; i < constants; i++) e->addresses[n->functions + i] = PART(PARTS + n->functions + i);
  void *const library = e->libraries[n->functions] = open_library(PART(CODE), parts[CODE].size);
  struct program *const p = &e->program;
  *p = (struct program){.replicas = 1, .partitions = 1, .inputs = n->inputs, .outputs = n->outputs, .places = n->places,
                        .arena = n->arena, .code_size = n->code_size};
  p->types = PART(TYPES), p->ranks = PART(RANKS), p->sizes = PART(SIZES), p->donated = PART(DONATED);
  p->orders = PART(ORDERS), p->kinds = PART(MEMORIES), p->in_place = PART(IN_PLACE), p->devices = PART(DEVICES);
  p->run = (__typeof__(p->run))symbol(library, "run_plan");
  p->library = e->addresses, p->constants = e->addresses + n->functions;
  if (!p->run)
    return FAIL(FAILED_PRECONDITION, "the executable's code cannot be loaded; TMPDIR has to name a folder for programs");
  p->parallel = threads_of(PART(THREADS), parts[THREADS].size, n);
  return 0;
}

static int64_t bytes_of(const struct program *p, int64_t begin, int64_t end, int donated) {
  int64_t total = 0;
  const int64_t *sizes = p->sizes;
  for (int64_t i = 0; i < end; i++) {
    int64_t bytes = ELEMENT_BYTES[p->types[i]];
    for (int64_t d = 0; d < p->ranks[i]; d++) bytes *= *sizes++;
    if (i >= begin && (!donated || p->donated[i])) total += bytes;
  }
  return total;
}
/* Whether already the first run may be taken for a short one: then an error of what it calls appears where it is called. */
static int is_small(const struct program *p, const char *code, size_t size) {
  enum { SMALL = 1 << 14 };
  if (size > SMALL || bytes_of(p, 0, p->inputs + p->outputs, 0) > SMALL) return 0;
  for (size_t i = 0; i + 5 <= size; i++)
    if (!memcmp(code + i, "while", 5)) return 0;
  return 1;
}

/* With Python, the program is compiled; without, the executable is loaded that it was once compiled to. */
static struct error *compile(struct client *client, const char *code, size_t code_size, const char *options,
                             size_t options_size, const char *native, size_t native_size, struct loaded **place) {
  if (!native_size) RAISE(expect_python("programs are compiled"));
  if (code_size) RAISE(expect_place(code, "the program"));
  if (options_size) RAISE(expect_place(options, "the options"));
  struct executable *const e = new_object(EXECUTABLE, sizeof *e);
  struct loaded *const loaded = new_object(LOADED, sizeof *loaded);
  struct error *error = e && loaded ? 0 : NO_MEMORY(sizeof *e);
  if (error) return keep_memory(e, EXECUTABLE), keep_memory(loaded, LOADED), error;
  e->references = 1;
  struct program *const p = &e->program;
  error = LOAD(&python) ? python_error(python->compile(code, code_size, options, options_size, p))
                        : load_native(e, native, native_size);
  loaded->count = error ? 0 : p->replicas * p->partitions;
  for (size_t n = 0; !error && n < loaded->count; n++) {
    if (n == MOST_DEVICES || p->devices[n] < 0 || p->devices[n] >= client->topology.count) {
      error = FAIL(INVALID_ARGUMENT, "the program is for %zu devices, and the client has %d", loaded->count,
                   client->topology.count);
      break;
    }
    loaded->devices[n] = client->all + p->devices[n];
    loaded->ids[n] = (struct logical_id){n / p->partitions, n % p->partitions};
  }
  if (!error) {
    const size_t count = p->inputs + p->outputs;
    e->code = copy_bytes(code, e->code_size = code_size);
    e->options = copy_bytes(options, e->options_size = options_size);
    e->ranks = calloc(p->outputs + 1, sizeof *e->ranks);
    e->types = calloc(p->outputs + 1, sizeof *e->types);
    e->kinds = calloc(count + 1, sizeof *e->kinds);
    e->lengths = calloc(count + 1, sizeof *e->lengths);
    e->layouts = calloc(count + 1, sizeof *e->layouts);
    if (!p->text) p->text = e->code, p->text_size = code_size;
    if (!e->code || !e->options || !e->ranks || !e->types || !e->kinds || !e->lengths || !e->layouts)
      error = NO_MEMORY(code_size);
  }
  const int64_t *order = error ? 0 : p->orders;
  for (int64_t i = 0; !error && i < p->inputs + p->outputs; order += p->ranks[i++]) {
    e->kinds[i] = MEMORY_NAMES[p->kinds[i]], e->lengths[i] = strlen(e->kinds[i]);
    error = give_layout(p->ranks[i], order, e->layouts + i);
    if (!error) e->layouts[i]->executables = 1;
  }
  if (error) return drop_executable(e), keep_memory(loaded, LOADED), error;
  e->took = is_small(p, code, code_size) ? 0 : -1ull >> 1;
  e->result_sizes = p->sizes, e->result_orders = p->orders;
  for (int64_t i = 0; i < p->inputs; i++) e->result_sizes += p->ranks[i], e->result_orders += p->ranks[i];
  for (int64_t i = 0; i < p->outputs; i++) e->ranks[i] = p->ranks[p->inputs + i], e->types[i] = p->types[p->inputs + i];
  const uint64_t hash = digest(0xcbf29ce484222325, code, code_size);
  snprintf(e->fingerprint, sizeof e->fingerprint, "%016llx",
           (unsigned long long)digest(digest(hash, options, options_size), version(), strlen(version())));
  loaded->executable = e;
  *place = loaded;
  return 0;
}

FUNCTION(Client_Compile, client, executable) {
  const struct Program *const program = args->program;
  RAISE(expect_place(program, "the program"));
  RAISE(expect_place(program->format, "the program's format"));
  if (program->format_length != 4 || memcmp(program->format, "mlir", 4))
    return FAIL(UNIMPLEMENTED, "hlo2tiny compiles programs of the format mlir, and this one is %.*s",
                (int)(program->format_length > 64 ? 64 : program->format_length), program->format);
  return compile(args->client, program->code, program->code_size, args->options, args->options_size, 0, 0,
                 &args->executable);
}

/* A serialized executable: a head, the options, the program, and what runs without Python, or nothing. */
struct head {
  char mark[16];
  uint64_t sizes[3], digest, code, machine[MACHINE]; /* code: what the code of a program expects of its caller */
};
static const char MARK[16] = "hlo2tiny-pjrt-3";
static uint64_t digest_of(const struct head *head, const char *bytes) {
  return digest(0xcbf29ce484222325, bytes, head->sizes[0] + head->sizes[1] + head->sizes[2]);
}
FUNCTION(Executable_Serialize, executable, destroy) {
  const struct executable *const e = args->executable;
  const char *native = e->native;
  int64_t native_size = e->native_size;
  if (!native && LOAD(&python) && e->program.handle)
    RAISE(python_error(python->native(e->program.handle, &native, &native_size)));
  struct head head = {.sizes = {e->options_size, e->code_size, native_size}, .code = CODE_DIGEST};
  const size_t length = sizeof head + head.sizes[0] + head.sizes[1] + head.sizes[2];
  char *const bytes = malloc(length), *const begin = bytes + sizeof head;
  if (!bytes) return NO_MEMORY(length);
  memcpy(begin, e->options, head.sizes[0]);
  memcpy(begin + head.sizes[0], e->code, head.sizes[1]);
  if (native_size) memcpy(begin + head.sizes[0] + head.sizes[1], native, native_size);
  memcpy(head.mark, MARK, sizeof MARK);
  head.digest = digest_of(&head, begin);
  describe_machine(head.machine);
  memcpy(bytes, &head, sizeof head);
  return GIVE_BYTES(bytes, length);
}
static struct error *expect_loadable(const struct head *head) {
  uint64_t machine[MACHINE];
  describe_machine(machine);
  if (LOAD(&python)) return 0;
  if (!head->sizes[2]) return expect_python("this program is run");
  int has_all = head->machine[0] == machine[0];
  for (int i = 1; i < MACHINE; i++) has_all &= !(head->machine[i] & ~machine[i]);
  if (head->code != CODE_DIGEST || !has_all)
    return FAIL(FAILED_PRECONDITION, "the executable was compiled %s, and only a process with Python can compile it again",
                has_all ? "by another version of hlo2tiny" : "for another processor");
  return 0;
}
FUNCTION(Executable_DeserializeAndLoad, client, executable) {
  struct head head;
  RAISE(expect_place(args->bytes, "the bytes"));
  const char *const begin = args->bytes + sizeof head;
  const int marked = args->length >= sizeof head && !memcmp(args->bytes, MARK, sizeof MARK);
  if (marked) memcpy(&head, args->bytes, sizeof head);
  size_t left = args->length - sizeof head;
  for (int i = 0; marked && i < 3; i++) left = head.sizes[i] <= left ? left - head.sizes[i] : -1ull >> 1;
  if (!marked || left || head.digest != digest_of(&head, begin))
    return FAIL(INVALID_ARGUMENT, "these %zu bytes are no executable that this version of hlo2tiny has serialized",
                args->length);
  RAISE(expect_loadable(&head));
  const int other = KNOWS(args, options_size) && args->options;
  const char *const code = begin + head.sizes[0];
  return compile(args->client, code, head.sizes[1], other ? args->options : begin,
                 other ? args->options_size : head.sizes[0], code + head.sizes[1], head.sizes[2], &args->executable);
}
FUNCTION(Executable_GetCompileOptions, executable, destroy) {
  args->bytes = args->executable->options;
  args->length = args->executable->options_size;
  args->owner = 0;
  args->destroy = nothing;
  return 0;
}
/* Asked for its size first, and then to write. */
FUNCTION(Executable_OptimizedProgram, executable, program) {
  struct Program *const program = args->program;
  const struct program *const p = &args->executable->program;
  RAISE(expect_place(program, "the program"));
  const size_t size = p->text_size;
  program->format = "mlir";
  program->format_length = 4;
  if (program->code && program->code_size < size)
    return FAIL(INVALID_ARGUMENT, "%zu bytes for a program of %zu", program->code_size, size);
  if (program->code) memcpy(program->code, p->text, size);
  program->code_size = size;
  return 0;
}

FUNCTION(Executable_Destroy, executable, executable) {
  if (ADD(&args->executable->handles, -1) < 0) {
    ADD(&args->executable->handles, 1);
    return FAIL(INVALID_ARGUMENT, "the executable has been destroyed");
  }
  return drop_executable(args->executable), (struct error *)0;
}
FUNCTION(Executable_Name, executable, length) { return GIVE_TEXT(PLATFORM); }
FUNCTION(Executable_Fingerprint, executable, length) { return GIVE_TEXT(args->executable->fingerprint); }
READER(Executable_NumReplicas, executable, count, args->count = args->executable->program.replicas)
READER(Executable_NumPartitions, executable, count, args->count = args->executable->program.partitions)
READER(Executable_NumOutputs, executable, count, args->count = args->executable->program.outputs)
READER(Executable_SizeOfGeneratedCodeInBytes, executable, bytes, args->bytes = args->executable->program.code_size)
READER(Executable_OutputElementTypes, executable, count, args->types = args->executable->types;
       args->count = args->executable->program.outputs)
READER(Executable_OutputDimensions, executable, ranks, args->count = args->executable->program.outputs;
       args->sizes = args->executable->result_sizes; args->ranks = args->executable->ranks)
READER(Executable_ParameterMemoryKinds, executable, lengths, args->count = args->executable->program.inputs;
       args->kinds = args->executable->kinds; args->lengths = args->executable->lengths)
READER(Layouts_PJRT_Executable_GetParameterLayouts, executable, layouts, args->count = args->executable->program.inputs;
       args->layouts = args->executable->layouts)
READER(Layouts_PJRT_Executable_GetOutputLayouts, executable, layouts, args->count = args->executable->program.outputs;
       args->layouts = args->executable->layouts + args->executable->program.inputs)
READER(Executable_OutputMemoryKinds, executable, lengths, args->count = args->executable->program.outputs;
       args->kinds = args->executable->kinds + args->executable->program.inputs;
       args->lengths = args->executable->lengths + args->executable->program.inputs)
FUNCTION(Executable_GetCostAnalysis, executable, properties) {
  struct executable *const e = args->executable;
  double flops, bytes;
  RAISE(expect_python("costs are counted"));
  if (!e->program.handle) return FAIL(UNIMPLEMENTED, "the costs of an executable that was loaded without Python are unknown");
  RAISE(python_error(python->cost(e->program.handle, &flops, &bytes)));
  const char *const names[] = {"flops", "bytes accessed"};
  for (int i = 0; i < 2; i++)
    e->costs[i] = (struct NamedValue){
        sizeof *e->costs, 0, names[i], strlen(names[i]), FLOAT, {.number = i ? bytes : flops}, 1};
  args->properties = e->costs;
  args->count = 2;
  return 0;
}
FUNCTION(Executable_GetCompiledMemoryStats, executable, host_arena) {
  const struct program *const p = &args->executable->program;
  args->code = p->code_size;
  args->arguments = bytes_of(p, 0, p->inputs, 0);
  args->results = bytes_of(p, p->inputs, p->inputs + p->outputs, 0);
  args->shared = bytes_of(p, 0, p->inputs, 1);
  args->arena = p->arena;
  args->host_code = args->host_arguments = args->host_results = args->host_shared = args->host_arena = 0;
  const int64_t total = args->arguments + args->results - args->shared + args->arena;
  if (KNOWS(args, peak)) args->peak = total;
  if (KNOWS(args, total)) args->total = total;
  if (KNOWS(args, allocated)) args->allocated = total;
  if (KNOWS(args, indefinite)) args->indefinite = 0;
  if (KNOWS(args, unpadded)) args->unpadded = total;
  return 0;
}

static struct error *expect_loaded(struct loaded *loaded, struct executable **executable) {
  if (!(*executable = LOAD(&loaded->executable))) return FAIL(INVALID_ARGUMENT, "the executable has been deleted");
  ADD(&(*executable)->references, 1);
  return 0;
}
FUNCTION(LoadedExecutable_Destroy, executable, executable) {
  if (EXCHANGE(&args->executable->kind, ENDED) != LOADED) return 0;
  drop_executable(EXCHANGE(&args->executable->executable, 0));
  keep_memory(args->executable, LOADED);
  return 0;
}
READER(LoadedExecutable_Delete, executable, executable, drop_executable(EXCHANGE(&args->executable->executable, 0)))
READER(LoadedExecutable_IsDeleted, executable, deleted, args->deleted = !LOAD(&args->executable->executable))
FUNCTION(LoadedExecutable_GetExecutable, loaded, executable) {
  RAISE(expect_loaded(args->loaded, &args->executable));
  ADD(&args->executable->handles, 1);
  return 0;
}
READER(LoadedExecutable_AddressableDevices, executable, count, args->devices = args->executable->devices;
       args->count = args->executable->count)
READER(LoadedExecutable_AddressableDeviceLogicalIds, executable, count, args->ids = args->executable->ids;
       args->count = args->executable->count)
FUNCTION(LoadedExecutable_Fingerprint, executable, length) {
  struct executable *const e = LOAD(&args->executable->executable);
  return e ? GIVE_TEXT(e->fingerprint) : FAIL(INVALID_ARGUMENT, "the executable has been deleted");
}
/* A message of protobuf: how many replicas and computations, and for each computation the numbers of its devices, all of
   which are below 128. */
FUNCTION(LoadedExecutable_GetDeviceAssignment, executable, destroy) {
  const struct loaded *const l = args->executable;
  const size_t partitions = l->count ? l->ids[l->count - 1].partition + 1 : 1, replicas = l->count / partitions;
  char *const bytes = malloc(4 + partitions * (4 + replicas)), *end = bytes;
  if (!bytes) return NO_MEMORY(4 + partitions * (4 + replicas));
  *end++ = 8, *end++ = replicas, *end++ = 16, *end++ = partitions;
  for (size_t p = 0; p < partitions; p++) {
    *end++ = 26, *end++ = 2 + replicas, *end++ = 10, *end++ = replicas;
    for (size_t r = 0; r < replicas; r++) *end++ = l->devices[r * partitions + p]->id;
  }
  return GIVE_BYTES(bytes, end - bytes);
}

/* Data of the client's for the handlers that a program calls. */
struct context {
  OBJECT;
  int references;
  const struct user_datum *data;
};
static void drop_context(struct context *context) {
  if (!context || ADD(&context->references, -1)) return;
  for (const struct user_datum *next, *d = context->data; d; d = next) next = d->next, free((void *)d);
  keep_memory(context, CONTEXT);
}
PLAIN(ExecuteContext_Create, context) {
  if (!(args->context = new_object(CONTEXT, sizeof *args->context))) return NO_MEMORY(sizeof *args->context);
  args->context->references = 1;
  return 0;
}
FUNCTION(ExecuteContext_Destroy, context, context) {
  if (EXCHANGE(&args->context->kind, ENDED) == CONTEXT) drop_context(args->context);
  return 0;
}
FUNCTION(FFI_UserData_Add, context, data) {
  struct user_datum *const datum = malloc(sizeof *datum);
  if (!datum) return NO_MEMORY(sizeof *datum);
  *datum = (struct user_datum){args->context->data, args->data.type, args->data.data};
  args->context->data = datum;
  return 0;
}

static struct error *expect_argument(const struct program *p, int64_t i, const int64_t *sizes, const int64_t *order,
                                     const struct buffer *buffer) {
  if (p->types[i] == TOKEN) return 0; /* for which JAX passes any array */
  int same = buffer->type == p->types[i] && (int64_t)buffer->rank == p->ranks[i];
  for (int64_t d = 0; same && d < p->ranks[i]; d++) same = buffer->sizes[d] == sizes[d];
  if (!same)
    return FAIL(INVALID_ARGUMENT, "argument %lld is an array of %s of another type or shape than the program declares",
                (long long)i, ELEMENT_NAMES[buffer->type]);
  int64_t strides[MOST_RANK];
  for (int64_t d = 0; same && d < p->ranks[i]; d++) same = buffer->minor_to_major[d] == order[d];
  if (same || !buffer->bytes) return 0;
  dense_strides(buffer, order, strides);
  return is_dense(buffer, strides)
             ? 0
             : FAIL(INVALID_ARGUMENT, "argument %lld has another layout than the program was compiled for", (long long)i);
}
static int is_kept(const struct ExecuteOptions *options, int64_t argument) {
  if (!options || !KNOWS(options, kept_count)) return 0;
  for (size_t i = 0; i < options->kept_count; i++)
    if (options->kept && options->kept[i] == argument) return 1;
  return 0;
}
static char *take_arena(struct executable *e) {
  char *const arena = EXCHANGE(&e->arena, 0);
  return arena ? arena : new_memory(0, e->program.arena + e->program.room);
}
static int no(void) { return 0; }
/* Run, in a job until it is interrupted, or in the caller's thread if that is null. */
static struct error *run(struct executable *e, struct storage *const *read, char **in, char *const *out,
                         const struct context *context, const int *interrupted) {
  const struct program *const p = &e->program;
  if (!p->run) {
    RAISE(expect_python("this program is run"));
    let_others_run(1);
    struct error *const error = python_error(python->execute(p->handle, in, out, context ? context->data : 0, interrupted));
    let_others_run(0);
    return error;
  }
  char *const arena = take_arena(e), *const begin = aligned(arena);
  if (!arena) return NO_MEMORY(p->arena);
  for (int64_t i = 0; i < p->packing_count; i++) {
    const struct packing *const how = p->packings + i;
    if (read[how->argument])
      in[p->inputs + i] = packed_data(read[how->argument], how, ELEMENT_BYTES[p->types[how->argument]]);
  }
  for (const struct packing *how = p->packings + p->packing_count; how < p->packings + p->packing_count + p->copy_count; how++)
    if (read[how->argument] && (size_t)in[how->argument] % ALIGNMENT) {
      char *const copy = packed_data(read[how->argument], how, ELEMENT_BYTES[p->types[how->argument]]);
      if (copy) in[how->argument] = copy;
    }
  struct calling *const calling = p->calls ? (struct calling *)(begin + p->arena) : 0;
  if (calling) calling->calls = p->calls, calling->code = OK, calling->data = context ? context->data : 0;
  /* What the code asks now and then: Python, whose main thread hears of Ctrl-C, or the job; see driver.c. */
  void *const asked[] = {(void *)no, (void *)no, (void *)no, (void *)no, (void *)interrupted};
  const int failed = p->run(in, out, p->constants, begin, 0, calling, p->library, p->parallel, is_worker ? asked : p->signals);
  struct error *error = 0;
  if (failed && calling && calling->code)
    error = fail_with(calling->code, calling->message, strlen(calling->message));
  else if (failed)
    error = FAIL(CANCELLED, "the run was interrupted");
  free(EXCHANGE(&e->arena, arena));
  return error;
}

/* A call: of each device, the memory of the arguments, which is null if a result is in it, and of the results. */
struct call {
  struct job job;
  struct executable *executable;
  struct context *context;
  size_t count;
  struct error *error; /* of an argument */
  struct storage **read, **written;
  char **in, **out;
};
/* What takes longer goes on after its call has returned; a shorter run would end before another thread had begun. */
#ifndef LONG_RUN
#define LONG_RUN 300000 /* ns */
#endif
static size_t room_of(const struct program *p, size_t devices) {
  return devices * ((p->inputs + p->outputs) * sizeof(struct storage *) + (p->places + p->outputs) * sizeof(char *)) + 8;
}
static void lay_out(struct call *call, void *room) {
  const struct program *const p = &call->executable->program;
  call->read = room, call->written = call->read + call->count * p->inputs;
  call->in = (char **)(call->written + call->count * p->outputs), call->out = call->in + call->count * p->places;
}
static struct error *prepare_call(struct call *call, size_t n, struct device *device, struct buffer *const *arguments,
                                  const struct ExecuteOptions *options, struct buffer **results) {
  const struct program *const p = &call->executable->program;
  const int64_t *sizes = p->sizes, *orders = p->orders;
  struct storage **const read = call->read + n * p->inputs, **const written = call->written + n * p->outputs;
  char **const in = call->in + n * p->places, **const out = call->out + n * p->outputs;
  for (int64_t i = 0; i < p->inputs; sizes += p->ranks[i], orders += p->ranks[i], i++) {
    RAISE(EXPECT(arguments[i]));
    if (!(read[i] = hold(arguments[i])))
      return FAIL(INVALID_ARGUMENT, "argument %lld has been deleted or donated", (long long)i);
    RAISE(expect_argument(p, i, sizes, orders, arguments[i]));
    in[i] = read[i]->data;
  }
  for (int64_t i = p->inputs; i < p->places; i++) in[i] = 0;
  for (int64_t i = 0, k = p->inputs; i < p->outputs; sizes += p->ranks[k], orders += p->ranks[k], i++, k++) {
    RAISE(new_buffer(results + i, device->all + p->kinds[k], p->types[k], sizes, p->ranks[k], orders));
    const int64_t donor = p->in_place[i];
    if (donor >= 0 && read[donor] && !is_kept(options, donor) && is_ours_alone(read[donor]))
      drop_packed(written[i] = read[donor]), read[donor] = 0;
    else if (!(written[i] = new_storage(results[i]->bytes)))
      return NO_MEMORY(results[i]->bytes);
    results[i]->storage = share(written[i]);
    out[i] = written[i]->data;
  }
  return 0;
}
/* Writers are counted from `begin_writing` on. */
static void release_call(struct call *call, int writers) {
  const struct program *const p = &call->executable->program;
  for (size_t i = 0; i < call->count * p->inputs; i++) drop_storage(call->read[i]);
  for (size_t i = 0; i < call->count * p->outputs; i++) {
    if (call->written[i]) ADD(&call->written[i]->writers, -writers);
    drop_storage(call->written[i]);
  }
}
static void finish_call(struct job *job) {
  struct call *const call = (struct call *)job;
  struct executable *const e = call->executable;
  struct error *error = call->error;
  const int64 begin = nanoseconds();
  if (!error && !LOAD(&job->interrupted))
    error = run(e, call->read, call->in, call->out, call->context, &job->interrupted), STORE(&e->took, nanoseconds() - begin);
  release_call(call, 1);
  drop_context(call->context);
  finish(job, error);
  drop_executable(e);
  free(call);
}
static void argument_is_there(struct error *error, void *argument) {
  struct call *const call = argument;
  if (error) destroy_error(EXCHANGE(&call->error, error));
  submit(&call->job);
}
/* What an argument's contents wait for, or the error that they have become; null: they are there. */
static struct event *awaited(const struct buffer *argument) {
  struct event *const defined = argument->defined;
  return defined && (!LOAD(&defined->ready) || defined->error) ? defined : 0;
}
/* Run a prepared call in another thread, which sets the events. */
static struct error *go_on_with(const struct call *prepared, size_t size, struct buffer *const *const *arguments,
                                struct buffer **const *results, struct event **events) {
  const struct program *const p = &prepared->executable->program;
  const size_t count = prepared->count;
  struct call *const call = malloc(sizeof *call + size);
  if (!call) return NO_MEMORY(sizeof *call + size);
  struct event *const done = new_event(1 + count * p->outputs, 0);
  if (!done) return free(call), NO_MEMORY(sizeof *done);
  struct error *error = 0;
  for (size_t n = 0; events && n < count; n++) {
    if (!error && !(error = give_event_after(done, events + n))) continue;
    events[n] = 0;
  }
  if (error) { /* nobody waits for these */
    for (size_t n = 0; n < count && events[n]; n++) drop_event(events[n]);
    set_event(done, 0);
    for (size_t i = 0; i <= count * p->outputs; i++) drop_event(done);
    return free(call), error;
  }
  *call = *prepared;
  lay_out(call, call + 1);
  memcpy(call->read, prepared->read, size);
  announce(&call->job, finish_call, done);
  ADD(&call->executable->references, 1);
  if (call->context) ADD(&call->context->references, 1);
  for (size_t i = 0; i < count * p->outputs; i++) {
    ADD(&call->written[i]->writers, 1);
    results[i / p->outputs][i % p->outputs]->defined = done;
  }
  for (size_t i = 0; i < count * p->inputs; i++) {
    struct event *const needed = awaited(arguments[i / p->inputs][i % p->inputs]);
    if (!needed) continue;
    ADD(&call->job.awaited, 1);
    if ((error = when_ready(needed, argument_is_there, call))) argument_is_there(error, call);
  }
  submit(&call->job);
  return 0;
}
static struct error *execute(struct executable *e, const struct loaded *loaded, struct buffer *const *const *arguments,
                             const struct ExecuteOptions *options, struct buffer **const *results, struct event **events) {
  const struct program *const p = &e->program;
  const size_t count = loaded->count, size = room_of(p, count);
  struct context *const context = options && KNOWS(options, context) ? options->context : 0;
  if (context) RAISE(EXPECT(context));
  struct error *error = 0;
  size_t room[size / sizeof(size_t) + 1];
  struct call call = {.executable = e, .context = context, .count = count};
  lay_out(&call, room);
  for (size_t i = 0; i < count * (p->inputs + p->outputs); i++) call.read[i] = 0;
  for (size_t n = 0; n < count; n++)
    for (int64_t i = 0; i < p->outputs; i++) results[n][i] = 0;
  for (size_t n = 0; !error && n < count; n++)
    error = prepare_call(&call, n, loaded->devices[n], arguments[n], options, results[n]);
  int is_long = LOAD(&e->took) > LONG_RUN;
  for (size_t i = 0; !error && i < count * p->inputs; i++) {
    struct event *const needed = awaited(arguments[i / p->inputs][i % p->inputs]);
    if (!needed) continue;
    is_long = 1;
    if (!is_worker) break;
    let_others_run(1);
    error = await(needed);
    let_others_run(0);
  }
  /* What a running program calls, in Python, must not wait for a thread that waits for it. */
  const int goes_on = is_long && !is_worker;
  if (!error && goes_on) {
    expect_few_jobs();
    if (!(error = go_on_with(&call, size, arguments, results, events))) call.count = 0;
  } else if (!error) {
    const int64 begin = nanoseconds();
    error = run(e, call.read, call.in, call.out, context, 0);
    STORE(&e->took, nanoseconds() - begin);
    for (size_t n = 0; !error && events && n < count; n++) error = give_event(events + n);
  }
  release_call(&call, 0);
  for (size_t n = 0; n < count; n++)
    if (error)
      for (int64_t i = 0; i < p->outputs; i++) free_buffer(results[n][i]), results[n][i] = 0;
    else
      for (int64_t i = 0; i < p->inputs; i++)
        if (p->donated[i] && !is_kept(options, i)) release_storage(arguments[n][i]);
  return error;
}
static struct error *execute_checked(struct executable *e, const struct LoadedExecutable_Execute_Args *args) {
  const struct loaded *const loaded = args->executable;
  if (args->device) RAISE(EXPECT(args->device));
  if (args->devices) RAISE(expect_place(args->arguments, "the arguments"));
  if (args->devices) RAISE(expect_place(args->results, "the results"));
  for (size_t n = 0; n < args->devices && n < loaded->count; n++) {
    if (args->count) RAISE(expect_place(args->arguments[n], "the arguments of a device"));
    if (e->program.outputs) RAISE(expect_place(args->results[n], "the results of a device"));
  }
  if (args->devices != loaded->count)
    return FAIL(INVALID_ARGUMENT, "the program was compiled for %zu devices, and the arguments of %zu were passed",
                loaded->count, args->devices);
  if ((int64_t)args->count != e->program.inputs)
    return FAIL(INVALID_ARGUMENT, "the program takes %lld arguments, and %zu were passed",
                (long long)e->program.inputs, args->count);
  if (args->device && args->device != loaded->devices[0])
    return FAIL(UNIMPLEMENTED, "the program was compiled for %s, and was to run on %s", loaded->devices[0]->debug,
                args->device->debug);
  return execute(e, loaded, args->arguments, args->options, args->results, args->events);
}
FUNCTION(LoadedExecutable_Execute, executable, device) {
  struct executable *e;
  RAISE(expect_loaded(args->executable, &e));
  struct error *const error = execute_checked(e, args);
  drop_executable(e);
  return error;
}

/* ---------------------------------------------------------------- handlers of custom calls */

PLAIN(FFI_Register_Handler, traits) {
  RAISE(expect_python("handlers are registered"));
  RAISE(expect_place(args->text, "the handler's name"));
  RAISE(expect_place(args->handler, "the handler"));
  RAISE(expect_place(args->platform, "the platform"));
  /* For other platforms, a client registers the same handlers with other plugins. */
  static const char *const platforms[] = {PLATFORM, "Host", "cpu"}; /* as XLA calls the CPU */
  int found = 0;
  while (found < 3 && (args->platform_length != strlen(platforms[found]) ||
                       memcmp(args->platform, platforms[found], args->platform_length)))
    found++;
  if (found == 3)
    return FAIL(INVALID_ARGUMENT, "a handler for %.*s cannot be registered with hlo2tiny",
                (int)(args->platform_length > 64 ? 64 : args->platform_length), args->platform);
  return python_error(python->handler(args->text, args->length, args->handler, found > 0));
}
PLAIN(FFI_Type_Register, info) {
  RAISE(expect_python("types are registered"));
  RAISE(expect_place(args->text, "the type's name"));
  return python_error(python->type(args->text, args->length, &args->type, args->info ? args->info->delete : 0));
}

/* ---------------------------------------------------------------- the tables */

READER(DeviceDescription_MemoryDescriptions, device, preferred, args->memories = args->device->memories;
       args->count = MEMORY_KINDS; args->preferred = 0)
FUNCTION(MemoryDescription_Kind, memory, id) {
  args->id = args->memory->memory_kind;
  return GIVE_TEXT(MEMORY_NAMES[args->id]);
}

#define EXTENSION(name, type, next) {sizeof(struct name##_Extension), type, next}
static const struct Layouts_Extension layouts_extension = {EXTENSION(Layouts, LAYOUTS, 0),
                                                           Layouts_MemoryLayout_Destroy,
                                                           Layouts_MemoryLayout_Serialize,
                                                           Layouts_PJRT_Client_GetDefaultLayout,
                                                           Layouts_PJRT_Buffer_MemoryLayout,
                                                           Layouts_PJRT_Topology_GetDefaultLayout,
                                                           Layouts_PJRT_Executable_GetOutputLayouts,
                                                           Layouts_PJRT_Executable_GetParameterLayouts};
static const struct FFI_Extension ffi_extension = {EXTENSION(FFI, FFI, &layouts_extension.base), FFI_Type_Register,
                                                   FFI_UserData_Add, FFI_Register_Handler};
static const struct MemoryDescriptions_Extension memories_extension = {
    EXTENSION(MemoryDescriptions, MEMORY_DESCRIPTIONS, &ffi_extension.base), DeviceDescription_MemoryDescriptions,
    MemoryDescription_Kind};

/* What a call gets that there is no function for. */
#define UNKNOWN(name)                                                                                                  \
  static struct error *unknown_##name(void *args) {                                                                    \
    return FAIL(UNIMPLEMENTED, "hlo2tiny's PJRT plugin has no PJRT_" #name " yet");                                    \
  }
FUNCTIONS(UNKNOWN)

#define GIVE_UNKNOWN(name) .name = unknown_##name,
#define GIVE(name) .name = name,
static const struct api api = {
    sizeof api, (void *)&memories_extension, {sizeof api.version, 0, MAJOR, MINOR}, FUNCTIONS(GIVE_UNKNOWN) IMPLEMENTED(GIVE) GIVE(Error_Destroy) GIVE(Error_Message)};

EXPORTED const struct api *GetPjrtApi(void) { return &api; }
