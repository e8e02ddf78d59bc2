/* Calls of handlers that others compiled against XLA's typed FFI, whose binary interface the structs follow: version 0.5,
   and those before it. types.c precedes this. No headers are included; see threading.c. */

void *malloc(__SIZE_TYPE__ size);
void *calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size);
void free(void *memory);
#ifdef _WIN32
void Sleep(unsigned milliseconds);
static void rest(void) { Sleep(1); }
#else
int usleep(unsigned microseconds);
static void rest(void) { usleep(20); }
#endif

enum { INSTANTIATE, PREPARE, INITIALIZE, EXECUTE, STAGES };
enum { BUFFER = 1, ARRAY = 1, DICTIONARY, SCALAR, STRING, PRED = 1, METADATA = 1, MAJOR = 0, MINOR = 5 };
enum { INVALID_ARGUMENT = 3, NOT_FOUND = 5, FAILED_PRECONDITION = 9, EXHAUSTED = 8, UNIMPLEMENTED = 12, INTERNAL = 13 };
enum { MESSAGE = 2000, AT_ONCE = 64 };

struct text { const char *characters; long length; };
struct buffer { long size; void *extension; int type; void *data; long rank; int64 *sizes; };
struct scalar { int type; const void *value; };
struct array { int type; long count; const void *data; };
struct values { long size; void *extension; int64 count; int *kinds; void **values; };
struct attributes { long size; void *extension; int64 count; int *kinds; struct text **names; void **values; };
struct version { long size; void *extension; int major, minor; };
struct error { int code; char message[]; };
struct future { struct error *error; int done; };
struct metadata { long size; struct version version; unsigned traits; int64 state_type; };
struct metadata_extension { long size; int type; void *next; struct metadata *metadata; };

/* What a handler gets. Its size is that without the future, which came later. */
struct frame {
  long size;
  void *extension;
  const struct api *api;
  struct run *run;
  int stage;
  struct values arguments, results;
  struct attributes attributes;
  struct future *future;
};
typedef struct error *handler(struct frame *);

/* The state that a stage keeps. */
struct state { void *object; void (*delete)(void *); int64 type; const void *type_at; };

/* One call of a handler in a program. */
struct call {
  handler *stages[STAGES];
  const char *name;
  char *memory; /* what the frame points to */
  struct frame frame;
  struct state state;
  long alias_count;
  const int64 *aliases; /* for each: an operand, the result in whose memory it has to be, and its bytes */
};

/* A GPU: the stream, and what allocates and frees memory in its order. Null on the CPU. */
struct device {
  void *stream;
  int (*allocate)(void **memory, __SIZE_TYPE__ size, void *stream);
  int (*release)(void *memory, void *stream);
  int number;
};

/* What a client of PJRT passes to the handlers of a run. */
struct user_datum { const struct user_datum *next; int64 type; void *data; };

/* What is passed as the handler's context. */
struct run {
  struct call *call;
  const struct user_datum *data;
  const struct device *device;
  int stage;
  int64 number;
  struct state states[EXECUTE]; /* those of stages that run for each call */
};

/* What a run of a program needs: its calls, and room for the reason why one of them failed. */
struct calling {
  struct call *calls;
  const struct user_datum *data;
  int call, code;
  char message[MESSAGE];
};

/* ---- errors */

static long length_of(const char *text) {
  long length = 0;
  while (text[length]) length++;
  return length;
}

static struct error exhausted = {EXHAUSTED, "no memory for the message of an error"};

static struct error *error_of(int code, const char *message) {
  const long length = length_of(message);
  struct error *const error = malloc(sizeof *error + length + 1);
  if (!error) return &exhausted;
  error->code = code;
  __builtin_memcpy(error->message, message, length + 1);
  return error;
}

static void free_error(struct error *error) {
  if (error != &exhausted) free(error);
}

struct create_error { long size; void *extension; const char *message; int code; };
static struct error *create_error(struct create_error *args) {
  return error_of(args->code, args->message ? args->message : "");
}

/* Before version 0.5, callers asked only for the message. */
struct error_details { long size; void *extension; struct error *error; const char *message; int code; };
static void error_details(struct error_details *args) {
  args->message = args->error->message;
  if (args->size > (long)__builtin_offsetof(struct error_details, code)) args->code = args->error->code;
}

struct destroy_error { long size; void *extension; struct error *error; };
static void destroy_error(struct destroy_error *args) { free_error(args->error); }

/* Keep an error about a call of this name. */
static int fail(struct calling *calling, int call, const char *name, struct error *error) {
  const char *const parts[] = {"handler '", name, "' failed: ", error->message};
  calling->call = call, calling->code = error->code;
  int end = 0;
  for (int i = 0; i < 4; i++)
    for (const char *at = parts[i]; *at && end < MESSAGE - 1; at++) calling->message[end++] = *at;
  calling->message[end] = 0;
  free_error(error);
  return 1;
}

/* ---- what libraries register when they are loaded */

struct registered { struct registered *next; char *name, *platform; handler *stages[STAGES]; };
struct registered_type { struct registered_type *next; char *name; int64 number; void (*delete)(void *); };
static struct registered *registered;
static struct registered_type *types;
static int locked;

static void lock(void) {
  while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE)) rest();
}
static void unlock(void) { __atomic_store_n(&locked, 0, __ATOMIC_RELEASE); }

static char *copy_text(struct text text) {
  char *const copy = malloc(text.length + 1);
  if (copy) {
    __builtin_memcpy(copy, text.characters, text.length);
    copy[text.length] = 0;
  }
  return copy;
}

static int same_text(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

struct register_handler { long size; void *extension; struct text name, platform; handler *stages[STAGES]; };
static struct error *register_handler(struct register_handler *args) {
  struct registered *const entry = calloc(1, sizeof *entry);
  if (!entry) return error_of(INTERNAL, "no memory to register a handler");
  entry->name = copy_text(args->name), entry->platform = copy_text(args->platform);
  __builtin_memcpy(entry->stages, args->stages, sizeof entry->stages);
  lock();
  entry->next = registered;
  registered = entry;
  unlock();
  return 0;
}

/* The handlers of a name and a platform that a library registered last: 1 if there are any. */
EXPORTED int find_registered(const char *name, const char *platform, handler **stages) {
  lock();
  struct registered *entry = registered;
  while (entry && !(same_text(entry->name, name) && same_text(entry->platform, platform))) entry = entry->next;
  unlock();
  if (entry) __builtin_memcpy(stages, entry->stages, sizeof entry->stages);
  return entry != 0;
}

struct type_info { long size; void *extension; void (*delete)(void *); };
struct register_type { long size; void *extension; struct text name; int64 *type; const struct type_info *info; };
static struct error *register_type(struct register_type *args) {
  static int64 last = 1 << 20; /* far from the numbers that XLA gives in the same process */
  char *const name = copy_text(args->name);
  struct registered_type *const entry = malloc(sizeof *entry);
  if (!name || !entry) return free(name), free(entry), error_of(INTERNAL, "no memory to register a type");
  lock();
  struct registered_type *known = types;
  while (known && !same_text(known->name, name)) known = known->next;
  if (!*args->type) *args->type = known ? known->number : ++last;
  *entry = (struct registered_type){types, name, *args->type, args->info ? args->info->delete : 0};
  types = entry;
  unlock();
  return 0;
}

/* ---- state */

/* Types that were not registered have the number 0, and are distinguished by where that number is. */
static int has_type(const struct state *state, const int64 *type) {
  return state->type == *type && (*type || state->type_at == type);
}

static void end_state(struct state *state) {
  if (state->object && state->delete) state->delete(state->object);
  *state = (struct state){0};
}

static struct state *state_of(struct run *run, int stage) {
  return stage == INSTANTIATE ? &run->call->state : stage < EXECUTE ? run->states + stage : 0;
}

/* Before version 0.3, all states were those of the first stage. */
struct use_state { long size; void *extension; struct run *run; int stage; int64 *type; void *object; };
struct use_first_state { long size; void *extension; struct run *run; int64 *type; void *object; };
enum { FIRST = sizeof(struct use_first_state) };

static struct error *set_state(struct use_state *args) {
  struct use_first_state *const old = (struct use_first_state *)args;
  const int is_old = args->size == FIRST;
  int64 *const type = is_old ? old->type : args->type;
  struct state *const state = state_of(args->run, is_old ? INSTANTIATE : args->stage);
  if (!state) return error_of(INVALID_ARGUMENT, "this stage keeps no state");
  if (state->object) return error_of(FAILED_PRECONDITION, "the state of this stage has been set already");
  *state = (struct state){is_old ? old->object : args->object, 0, *type, type};
  lock();
  for (struct registered_type *known = types; known && *type && !state->delete; known = known->next)
    if (known->number == *type) state->delete = known->delete;
  unlock();
  return 0;
}

static struct error *get_state(struct use_state *args) {
  struct use_first_state *const old = (struct use_first_state *)args;
  const int is_old = args->size == FIRST;
  struct state *const state = state_of(args->run, is_old ? INSTANTIATE : args->stage);
  if (!state || !state->object) return error_of(NOT_FOUND, "no stage before this one has set a state");
  if (!has_type(state, is_old ? old->type : args->type))
    return error_of(INVALID_ARGUMENT, "the state that was set is of another type");
  *(is_old ? &old->object : &args->object) = state->object;
  return 0;
}

/* ---- the other functions that handlers may call */

struct get_data { long size; void *extension; struct run *run; int64 *type; void *data; };
static struct error *get_data(struct get_data *args) {
  const struct user_datum *datum = args->run->data;
  while (datum && datum->type != *args->type) datum = datum->next;
  args->data = datum ? datum->data : 0;
  return datum ? 0 : error_of(NOT_FOUND, "the call has no user data of this type");
}

struct get_stream { long size; void *extension; struct run *run; void *stream; };
static struct error *get_stream(struct get_stream *args) {
  if (!args->run->device) return error_of(UNIMPLEMENTED, "there is no stream, because the program runs on the CPU");
  args->stream = args->run->device->stream;
  return 0;
}

struct allocate { long size; void *extension; struct run *run; long bytes, alignment; void *data; };
static struct error *allocate(struct allocate *args) {
  const struct device *const device = args->run->device;
  if (args->run->stage == INSTANTIATE) return error_of(FAILED_PRECONDITION, "this stage has no device");
  if (device && !device->allocate) return error_of(UNIMPLEMENTED, "the GPU has no memory of its own for handlers");
  if (device)
    return device->allocate(&args->data, args->bytes, device->stream) ? error_of(EXHAUSTED, "no memory on the GPU") : 0;
  /* The block that malloc gave is written before the aligned one. */
  const long alignment = args->alignment < 64 ? 64 : args->alignment;
  char *const block = malloc(args->bytes + alignment + sizeof(void *));
  if (!block) return error_of(EXHAUSTED, "no memory");
  char *const data = block + sizeof(void *);
  args->data = data + (-(long)data & (alignment - 1));
  ((void **)args->data)[-1] = block;
  return 0;
}

struct release { long size; void *extension; struct run *run; long bytes; void *data; };
static struct error *release(struct release *args) {
  const struct device *const device = args->run->device;
  if (device) return device->release(args->data, device->stream) ? error_of(INTERNAL, "memory cannot be freed") : 0;
  if (args->data) free(((void **)args->data)[-1]);
  return 0;
}

/* Tasks run at once, in the caller's thread, which the interface permits. */
struct schedule { long size; void *extension; struct run *run; void (*task)(void *); void *data; };
static struct error *schedule(struct schedule *args) { return args->task(args->data), (struct error *)0; }

struct thread_count { long size; void *extension; struct run *run; int64 *count; };
static struct error *thread_count(struct thread_count *args) { return *args->count = 1, (struct error *)0; }

struct use_future { long size; void *extension; struct future *future; struct error *error; };
static struct error *create_future(struct use_future *args) {
  args->future = calloc(1, sizeof *args->future);
  return args->future ? 0 : error_of(INTERNAL, "no memory for a future");
}
static struct error *complete_future(struct use_future *args) {
  return __atomic_store_n(&args->future->done, 1, __ATOMIC_RELEASE), (struct error *)0;
}
static struct error *fail_future(struct use_future *args) {
  args->future->error = args->error;
  return complete_future(args);
}

struct run_number { long size; void *extension; struct run *run; int64 number; };
static struct error *run_number(struct run_number *args) {
  return args->number = args->run->number, (struct error *)0;
}

struct device_number { long size; void *extension; struct run *run; int number; };
static struct error *device_number(struct device_number *args) {
  return args->number = args->run->device ? args->run->device->number : 0, (struct error *)0;
}

/* Until version 0.4, this was where the function that returns an error's code was. */
struct find_extension { long size; void *extension; void *run; int64 type; const void *found; };
struct error_code { long size; void *extension; struct error *error; int code; };
static struct error *find_extension(struct find_extension *args) {
  if (args->size < (long)sizeof *args)
    ((struct error_code *)args)->code = ((struct error_code *)args)->error->code;
  else
    args->found = 0;
  return 0;
}

struct get_options { long size; void *extension; struct run *run; const struct attributes *options; };
static struct error *get_options(struct get_options *args) {
  static const struct attributes none = {sizeof none, 0, 0, 0, 0, 0};
  return args->options = &none, (struct error *)0;
}

struct api {
  long size;
  void *extension;
  struct version version;
  const void *internal;
  void *functions[20];
};
static const struct api api = {
    sizeof api,
    0,
    {sizeof(struct version), 0, MAJOR, MINOR},
    0,
    {(void *)create_error, (void *)error_details, (void *)destroy_error, (void *)register_handler, (void *)get_stream,
     (void *)register_type, (void *)get_data, (void *)set_state, (void *)get_state, (void *)allocate, (void *)release,
     (void *)schedule, (void *)thread_count, (void *)create_future, (void *)complete_future, (void *)fail_future,
     (void *)run_number, (void *)device_number, (void *)find_extension, (void *)get_options}};

/* For libraries that register their handlers and types when they are loaded. */
__attribute__((visibility("default"), weak)) const struct api *XLA_FFI_GetApi(void);
const struct api *XLA_FFI_GetApi(void) { return &api; }

/* ---- frames */

/* Reads a description, and takes memory for what the frame points to. */
struct reader { const char *at; char *memory; };

static int64 read_number(struct reader *reader) {
  int64 number;
  __builtin_memcpy(&number, reader->at, sizeof number);
  reader->at += sizeof number;
  return number;
}

static void *take(struct reader *reader, long size) {
  char *const taken = reader->memory;
  reader->memory += (size + 7) & -8l;
  return taken;
}

static struct text read_text(struct reader *reader) {
  const long length = (long)read_number(reader);
  const struct text text = {reader->at, length};
  reader->at += (length + 7) & -8l;
  return text;
}

static struct values read_buffers(struct reader *reader) {
  const long count = (long)read_number(reader);
  struct values values = {sizeof values, 0, count, take(reader, count * sizeof(int)),
                          take(reader, count * sizeof(void *))};
  for (long i = 0; i < count; i++) {
    struct buffer *const buffer = take(reader, sizeof *buffer);
    values.kinds[i] = BUFFER, values.values[i] = buffer;
    *buffer = (struct buffer){sizeof *buffer, 0, (int)read_number(reader), 0, 0, 0};
    buffer->rank = (long)read_number(reader);
    buffer->sizes = take(reader, buffer->rank * sizeof(int64));
    for (long d = 0; d < buffer->rank; d++) buffer->sizes[d] = read_number(reader);
  }
  return values;
}

static struct attributes read_attributes(struct reader *reader) {
  const long count = (long)read_number(reader);
  struct attributes all = {sizeof all, 0, count, take(reader, count * sizeof(int)),
                           take(reader, count * sizeof(struct text *)), take(reader, count * sizeof(void *))};
  for (long i = 0; i < count; i++) {
    all.kinds[i] = (int)read_number(reader);
    all.names[i] = take(reader, sizeof(struct text));
    *all.names[i] = read_text(reader);
    if (all.kinds[i] == DICTIONARY) {
      struct attributes *const inner = all.values[i] = take(reader, sizeof *inner);
      *inner = read_attributes(reader);
    } else if (all.kinds[i] == STRING) {
      struct text *const text = all.values[i] = take(reader, sizeof *text);
      *text = read_text(reader);
    } else if (all.kinds[i] == SCALAR) {
      struct scalar *const scalar = all.values[i] = take(reader, sizeof *scalar);
      scalar->type = (int)read_number(reader);
      scalar->value = read_text(reader).characters;
    } else {
      struct array *const array = all.values[i] = take(reader, sizeof *array);
      array->type = (int)read_number(reader);
      array->count = (long)read_number(reader);
      array->data = read_text(reader).characters;
    }
  }
  return all;
}

/* Ask a handler for the version that it was compiled for. */
static struct error *check_version(handler *stage) {
  struct metadata metadata = {sizeof metadata, {sizeof(struct version), 0, 0, 0}, 0, 0};
  struct metadata_extension extension = {__builtin_offsetof(struct metadata_extension, metadata) + sizeof(void *), METADATA,
                                         0, &metadata};
  struct frame frame = {__builtin_offsetof(struct frame, future), &extension, &api, 0, EXECUTE, {0}, {0}, {0}, 0};
  frame.arguments.size = frame.results.size = sizeof(struct values), frame.attributes.size = sizeof(struct attributes);
  struct error *const error = stage(&frame);
  if (error || (metadata.version.major == MAJOR && metadata.version.minor <= MINOR)) return error;
  return error_of(FAILED_PRECONDITION, "the handler was compiled for a newer version of XLA's typed FFI than 0.5; compile it"
                                       " with the headers of an older jaxlib, or update hlo2tiny");
}

/* Run a stage, and wait until it is done. */
static struct error *run_stage(struct frame *frame, struct run *run, int stage) {
  handler *const function = run->call->stages[stage];
  if (!function) return 0;
  frame->run = run, frame->future = 0;
  frame->stage = run->stage = stage;
  struct error *error = function(frame);
  if (!frame->future) return error;
  for (long iteration = 0; !__atomic_load_n(&frame->future->done, __ATOMIC_ACQUIRE); iteration++)
    if (iteration > AT_ONCE) rest();
  if (!error) error = frame->future->error;
  free(frame->future);
  return error;
}

/* Make the frame of a call, and run its first stage. */
static struct error *open_call(struct call *call, const char *description, long size) {
  if (!call->stages[EXECUTE] && !find_registered(call->name, "Host", call->stages))
    return error_of(NOT_FOUND, "no library that was linked registers this handler");
  /* An entry turns into less than four times its bytes; see `describe` in handlers.py. */
  struct reader reader = {description, call->memory = malloc(4 * size + 64)};
  if (!call->memory) return error_of(EXHAUSTED, "no memory for the call of a handler");
  call->frame = (struct frame){__builtin_offsetof(struct frame, future), 0, &api, 0, 0, {0}, {0}, {0}, 0};
  call->frame.arguments = read_buffers(&reader);
  call->frame.results = read_buffers(&reader);
  call->alias_count = (long)read_number(&reader);
  call->aliases = (const int64 *)reader.at;
  reader.at += 3 * call->alias_count * sizeof(int64);
  call->frame.attributes = read_attributes(&reader);
  struct error *error = 0;
  for (int stage = 0; stage < STAGES && !error; stage++)
    if (call->stages[stage]) error = check_version(call->stages[stage]);
  if (error) return error;
  struct run run = {call, 0, 0, INSTANTIATE, 0, {{0}}};
  struct frame frame = call->frame;
  frame.arguments.count = frame.results.count = 0; /* which this stage does not have */
  return run_stage(&frame, &run, INSTANTIATE);
}

/* End calls, in which no handler may be running. */
EXPORTED void end_calls(struct call *calls, long count) {
  for (long i = 0; i < count && calls; i++) {
    end_state(&calls[i].state);
    free(calls[i].memory);
  }
  free(calls);
}

/* Make calls of these handlers, four for each, of which all but the last may be null. Without that one, a library has to
   have registered the name. Descriptions are aligned to 8 bytes, and stay. Nonzero if a call fails. */
EXPORTED int make_calls(struct calling *calling, long count, handler *const *stages, const char *const *names,
                        const char *const *descriptions, const long *sizes) {
  struct call *const calls = calling->calls = calloc(count, sizeof *calls);
  if (!calls) return fail(calling, 0, *names, error_of(EXHAUSTED, "no memory for the calls of handlers"));
  for (long i = 0; i < count; i++) {
    __builtin_memcpy(calls[i].stages, stages + STAGES * i, sizeof calls[i].stages);
    calls[i].name = names[i];
    struct error *const error = open_call(calls + i, descriptions[i], sizes[i]);
    if (error) return end_calls(calls, count), calling->calls = 0, fail(calling, (int)i, names[i], error);
  }
  return 0;
}

/* Call a handler on operands and results at these addresses. Nonzero if it fails; `calling` then says why. */
EXPORTED int call_handler(struct calling *calling, long number, char **in, char **out, const struct device *device) {
  static int64 runs;
  struct call *const call = calling->calls + number;
  struct frame frame = call->frame;
  const long inputs = (long)frame.arguments.count, outputs = (long)frame.results.count;
  struct buffer buffers[inputs + outputs + 1];
  void *places[inputs + outputs + 1];
  for (long i = 0; i < inputs + outputs; i++) {
    void **const known = i < inputs ? frame.arguments.values + i : frame.results.values + (i - inputs);
    buffers[i] = *(struct buffer *)*known;
    buffers[i].data = i < inputs ? in[i] : out[i - inputs];
    places[i] = buffers + i;
  }
  frame.arguments.values = places, frame.results.values = places + inputs;
  for (long i = 0; i < call->alias_count; i++) {
    const int64 from = call->aliases[3 * i], to = call->aliases[3 * i + 1];
    if (!device) __builtin_memcpy(out[to], in[from], call->aliases[3 * i + 2]); /* a device's caller has copied it */
    buffers[from].data = out[to];
  }
  struct run run = {call, calling->data, device, 0, __atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED), {{0}}};
  struct error *error = 0;
  for (int stage = PREPARE; stage <= EXECUTE && !error; stage++) error = run_stage(&frame, &run, stage);
  for (int stage = PREPARE; stage < EXECUTE; stage++) end_state(run.states + stage);
  if (error) return fail(calling, (int)number, call->name, error);
  /* What reads the results expects truth values to be 0 or 1. */
  for (long i = inputs; i < inputs + outputs && !device; i++) {
    long count = buffers[i].type == PRED;
    for (long d = 0; d < buffers[i].rank; d++) count *= (long)buffers[i].sizes[d];
    for (long at = 0; at < count; at++) ((char *)buffers[i].data)[at] = ((char *)buffers[i].data)[at] != 0;
  }
  return 0;
}
