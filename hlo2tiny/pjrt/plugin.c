/* A PJRT plugin. Clients, devices, buffers, events and executables are C's own; Python compiles programs, and runs
   those that are not native code. A call has ended when it returns, so an event can only wait for the end of a buffer
   that uses its caller's memory, or for Event_Set. This follows interface.c. */
void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void free(void *memory);
void *memcpy(void *to, const void *from, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *text);
int snprintf(char *to, size_t bytes, const char *format, ...);
char *getenv(const char *name);
#ifdef _WIN32
void Sleep(unsigned long milliseconds);
static void pause(void) { Sleep(1); }
#define EXPORTED __declspec(dllexport)
#else
int usleep(unsigned microseconds);
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
static const char PLATFORM[] = "hlo2tiny", KIND[] = "device";

/* ---------------------------------------------------------------- errors */

struct error {
  const struct Error_FunctionTable *table;
  enum code code;
  size_t length;
  char text[];
};

static void destroy_error(struct error *error) { free(error); }
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

/* A function of the interface; `last` is the last member that it needs, which the oldest version knows. */
#define FUNCTION(name, last)                                                                                           \
  static struct error *checked_##name(struct name##_Args *args);                                                       \
  static struct error *name(struct name##_Args *args) {                                                                \
    if (args->size < KNOWN(args, last))                                                                                \
      return FAIL(INVALID_ARGUMENT, "PJRT_" #name " needs arguments of %zu bytes, and these have %zu: the client is "  \
                  "older than the versions that hlo2tiny knows", KNOWN(args, last), args->size);                       \
    return checked_##name(args);                                                                                       \
  }                                                                                                                    \
  static struct error *checked_##name(struct name##_Args *const args)
#define GIVE_TEXT(value) (args->text = (value), args->length = strlen(args->text), (struct error *)0)
/* A function that only reads one thing. */
#define READER(name, last, ...)                                                                                      \
  FUNCTION(name, last) {                                                                                               \
    __VA_ARGS__;                                                                                                        \
    return 0;                                                                                                          \
  }

static void Error_Destroy(struct Error_Destroy_Args *args) {
  if (args->error != &no_memory) free(args->error);
}
static void Error_Message(struct Error_Message_Args *args) { read_message(args->error, &args->text, &args->length); }
READER(Error_GetCode, code, args->code = args->error->code)
READER(Error_ForEachPayload, argument, )

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
  const int64_t *devices;               /* the numbers of the devices, all partitions of the first replica first */
  /* Native code, as the driver of a plan has it; null if Python runs the program. */
  int (*run)(char *const *in, char *const *out, void *const *constants, char *arena, void *host, void *argument,
             void *const *library, void *parallel, void *const *python);
  int64_t places; /* the addresses that the code takes: of the arguments, and nulls */
  void *const *constants, *const *library, *const *signals;
  void *parallel;
  int64_t arena, code_size;
};

struct python {
  int (*devices)(char *names, int64_t size);
  int (*compile)(const char *code, int64_t code_size, const char *options, int64_t options_size,
                 struct program *program);
  int (*execute)(int64_t handle, char *const *in, char *const *out);
  int (*cost)(int64_t handle, double *flops, double *bytes);
  void (*release)(int64_t handle);
  const char *(*message)(void); /* of the last error in this thread, whose code was returned */
  const char *version;
  int64_t stablehlo[3];
};
static const struct python *python;

/* Called by Python with its functions, and with null before it ends. */
EXPORTED void hlo2tiny_pjrt_begin(const struct python *functions) { STORE(&python, functions); }

static struct error *expect_python(const char *purpose) {
  if (LOAD(&python)) return 0;
  return FAIL(FAILED_PRECONDITION,
              "%s by Python, which does not take part in this process: call hlo2tiny.pjrt.path() in it, and load the "
              "library from there",
              purpose);
}
static struct error *raised(int code) {
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
  int references, lock, ready;
  struct error *error;
  struct waiting *waiting;
};

static struct event *new_event(int references, int ready) {
  struct event *const event = calloc(1, sizeof *event);
  if (event) event->references = references, event->ready = ready;
  return event;
}
static struct error *copy_error(const struct error *error) {
  return error ? fail_with(error->code, error->text, error->length) : 0;
}
static void lock_event(struct event *event) {
  while (EXCHANGE(&event->lock, 1)) pause();
}
static void drop_event(struct event *event) {
  if (!event || ADD(&event->references, -1)) return;
  for (struct waiting *next, *w = event->waiting; w; w = next) next = w->next, free(w);
  free(event->error);
  free(event);
}
static int set_event(struct event *event, struct error *error) {
  lock_event(event);
  const int first = !event->ready;
  struct waiting *waiting = first ? event->waiting : 0;
  if (first) event->error = error, event->waiting = 0, STORE(&event->ready, 1);
  STORE(&event->lock, 0);
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

READER(Event_Destroy, event, drop_event(args->event))
READER(Event_IsReady, ready, args->ready = LOAD(&args->event->ready))
FUNCTION(Event_Error, event) {
  if (!LOAD(&args->event->ready)) return FAIL(FAILED_PRECONDITION, "the event is not ready, so it has no error yet");
  return copy_error(args->event->error);
}
FUNCTION(Event_Await, event) {
  while (!LOAD(&args->event->ready)) pause();
  return copy_error(args->event->error);
}
FUNCTION(Event_OnReady, argument) {
  struct event *const event = args->event;
  struct waiting *const waiting = malloc(sizeof *waiting);
  if (!waiting) return NO_MEMORY(sizeof *waiting);
  lock_event(event);
  const int ready = event->ready;
  *waiting = (struct waiting){event->waiting, args->callback, args->argument};
  if (!ready) event->waiting = waiting;
  STORE(&event->lock, 0);
  if (ready) {
    free(waiting);
    args->callback(copy_error(event->error), args->argument);
  }
  return 0;
}
FUNCTION(Event_Create, event) { return (args->event = new_event(1, 0)) ? 0 : NO_MEMORY(sizeof(struct event)); }
FUNCTION(Event_Set, length) {
  struct error *const error = args->code ? fail_with(args->code, args->text, args->length) : 0;
  if (set_event(args->event, error)) return 0;
  free(error);
  return FAIL(FAILED_PRECONDITION, "the event has been set before");
}

/* ---------------------------------------------------------------- devices */

struct user_data {
  struct user_data *next;
  const void *key;
  void *data;
  void (*destroy)(void *data);
};
struct memory {
  const struct Memory_FunctionTable *table;
  struct device *device, *devices[1];
  struct user_data *data;
};
struct device {
  int id;
  char name[32], debug[64];
  struct memory memory, *memories[1];
};
struct topology {
  int count;
  struct device *devices[MOST_DEVICES];
};
struct client {
  struct topology topology;
  struct device all[MOST_DEVICES];
  struct memory *memories[MOST_DEVICES];
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

static struct error *add_device(struct client *client, const char *name, size_t length) {
  const int n = client->topology.count;
  struct device *const device = client->all + n;
  if (n == MOST_DEVICES || !length || length >= sizeof device->name)
    return FAIL(INVALID_ARGUMENT, "HLO2TINY_DEVICE takes up to %d names, such as CPU:0,CPU:1", MOST_DEVICES);
  device->id = n;
  memcpy(device->name, name, length);
  snprintf(device->debug, sizeof device->debug, "Hlo2tinyDevice(id=%d, name=%s)", n, device->name);
  device->memory = (struct memory){&memory_table, device, {device}};
  device->memories[0] = client->memories[n] = &device->memory;
  client->topology.devices[n] = device;
  client->topology.count++;
  return 0;
}

READER(Plugin_Initialize, extension, )
FUNCTION(Plugin_Attributes, count) {
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

FUNCTION(Client_Create, client) {
  char names[2048] = "CPU";
  if (LOAD(&python)) {
    const int code = python->devices(names, sizeof names);
    if (code) return raised(code);
  } else if (getenv("HLO2TINY_DEVICE")) {
    snprintf(names, sizeof names, "%s", getenv("HLO2TINY_DEVICE"));
  }
  struct client *const client = calloc(1, sizeof *client);
  if (!client) return NO_MEMORY(sizeof *client);
  for (const char *begin = names, *end = names;; end++)
    if (!*end || *end == ',') {
      struct error *const error = add_device(client, begin, end - begin);
      if (error) return free(client), error;
      if (!*end) break;
      begin = end + 1;
    }
  args->client = client;
  return 0;
}
FUNCTION(Client_Destroy, client) {
  for (int i = 0; args->client && i < args->client->topology.count; i++)
    for (struct user_data *next, *d = args->client->all[i].memory.data; d; d = next) {
      next = d->next;
      if (d->destroy) d->destroy(d->data);
      free(d);
    }
  free(args->client);
  return 0;
}
static const char *version(void) { return LOAD(&python) ? python->version : PLATFORM; }
FUNCTION(Client_PlatformName, length) { return GIVE_TEXT(PLATFORM); }
FUNCTION(Client_PlatformVersion, length) { return GIVE_TEXT(version()); }
FUNCTION(TopologyDescription_PlatformName, length) { return GIVE_TEXT(PLATFORM); }
FUNCTION(TopologyDescription_PlatformVersion, length) { return GIVE_TEXT(version()); }
READER(Client_ProcessIndex, index, args->index = 0)
READER(Client_TopologyDescription, topology, args->topology = &args->client->topology)
READER(Client_Devices, count, args->devices = args->client->topology.devices; args->count = args->client->topology.count)
READER(Client_AddressableDevices, count, args->devices = args->client->topology.devices;
       args->count = args->client->topology.count)
READER(Client_AddressableMemories, count, args->memories = args->client->memories;
       args->count = args->client->topology.count)
READER(TopologyDescription_Destroy, topology, ) /* each is its client's */
READER(TopologyDescription_GetDeviceDescriptions, count, args->devices = args->topology->devices;
       args->count = args->topology->count)
READER(TopologyDescription_Attributes, count, args->attributes = 0; args->count = 0)
READER(TopologyDescription_Fingerprint, fingerprint, args->fingerprint = args->topology->count)

static struct error *find_device(struct client *client, int id, struct device **device) {
  if (id < 0 || id >= client->topology.count)
    return FAIL(NOT_FOUND, "there is no device %d: HLO2TINY_DEVICE names %d", id, client->topology.count);
  *device = client->all + id;
  return 0;
}
FUNCTION(Client_LookupDevice, device) { return find_device(args->client, args->id, &args->device); }
FUNCTION(Client_LookupAddressableDevice, device) { return find_device(args->client, args->id, &args->device); }
FUNCTION(Client_DefaultDeviceAssignment, assignment) {
  const int64_t wanted = (int64_t)args->replicas * args->partitions;
  if (wanted > args->client->topology.count || (size_t)wanted > args->count)
    return FAIL(INVALID_ARGUMENT, "%lld devices are asked for, and HLO2TINY_DEVICE names %d", (long long)wanted,
                args->client->topology.count);
  for (int i = 0; i < wanted; i++) args->assignment[i] = i;
  return 0;
}

READER(DeviceDescription_Id, id, args->id = args->device->id)
READER(DeviceDescription_ProcessIndex, index, args->index = 0)
READER(DeviceDescription_Attributes, attributes, args->attributes = 0; args->count = 0)
FUNCTION(DeviceDescription_Kind, length) { return GIVE_TEXT(args->device->name); }
FUNCTION(DeviceDescription_DebugString, length) { return GIVE_TEXT(args->device->debug); }
FUNCTION(DeviceDescription_ToString, length) { return GIVE_TEXT(args->device->debug); }
READER(Device_GetDescription, description, args->description = args->device)
READER(Device_IsAddressable, addressable, args->addressable = 1)
READER(Device_LocalHardwareId, id, args->id = args->device->id)
READER(Device_AddressableMemories, count, args->memories = args->device->memories; args->count = 1)
READER(Device_DefaultMemory, memory, args->memory = &args->device->memory)
static void nothing(void *owner) {}
READER(Device_GetAttributes, destroy, args->attributes = 0; args->count = 0; args->owner = 0; args->destroy = nothing)
READER(Memory_Id, id, args->id = args->memory->device->id)
FUNCTION(Memory_Kind, length) { return GIVE_TEXT(KIND); }
READER(Memory_Kind_Id, id, args->id = 0)
FUNCTION(Memory_DebugString, length) { return GIVE_TEXT(args->memory->device->debug); }
FUNCTION(Memory_ToString, length) { return GIVE_TEXT(args->memory->device->debug); }
READER(Memory_AddressableByDevices, count, args->devices = args->memory->devices; args->count = 1)

/* ---------------------------------------------------------------- buffers */

/* Memory that buffers share. `done` becomes ready when the last of them releases the caller's memory. */
struct storage {
  int references, borrowed; /* borrowed: the memory is its caller's */
  char *data;
  struct event *done;
  void (*on_delete)(void *data, void *argument);
  void *argument;
};
struct buffer {
  struct device *device;
  struct storage *storage; /* null: it has been deleted or donated */
  struct storage *viewed;  /* what is in use outside, as often as `views` says */
  int views;
  enum element type;
  size_t rank, bytes;
  int64_t *minor_to_major;
  int64_t sizes[];
};

static const char *const ELEMENT_NAMES[] = {
#define NAME(name, bytes) #name,
    ELEMENTS(NAME)};
static const unsigned char ELEMENT_BYTES[] = {
#define COUNT(name, bytes) bytes,
    ELEMENTS(COUNT)};

static struct storage *new_storage(size_t bytes) {
  struct storage *const storage = bytes + sizeof *storage + ALIGNMENT > bytes ? malloc(bytes + sizeof *storage + ALIGNMENT) : 0;
  if (!storage) return 0;
  *storage = (struct storage){1};
  storage->data = (char *)(((size_t)(storage + 1) + ALIGNMENT - 1) & -(size_t)ALIGNMENT);
  return storage;
}
static struct storage *share(struct storage *storage) { return ADD(&storage->references, 1), storage; }
static void drop_storage(struct storage *storage) {
  if (!storage || ADD(&storage->references, -1)) return;
  if (storage->on_delete) storage->on_delete(storage->data, storage->argument);
  if (storage->done) set_event(storage->done, 0), drop_event(storage->done);
  free(storage);
}
static int is_ours_alone(struct storage *storage) {
  return LOAD(&storage->references) == 1 && !storage->borrowed;
}

/* A buffer without storage. */
static struct error *new_buffer(struct buffer **place, struct device *device, enum element type, const int64_t *sizes,
                                size_t rank) {
  if (type <= INVALID || type >= ELEMENT_COUNT || (!ELEMENT_BYTES[type] && type != TOKEN))
    return FAIL(UNIMPLEMENTED, "hlo2tiny has no buffers of the element type %s",
                type > INVALID && type < ELEMENT_COUNT ? ELEMENT_NAMES[type] : "that was passed");
  if (rank > MOST_RANK) return FAIL(INVALID_ARGUMENT, "a buffer of %zu dimensions, expected at most %d", rank, MOST_RANK);
  size_t bytes = ELEMENT_BYTES[type];
  for (size_t d = 0; d < rank; d++)
    if (sizes[d] < 0 || __builtin_mul_overflow(bytes, (size_t)sizes[d], &bytes) || bytes >> 62)
      return FAIL(INVALID_ARGUMENT, "dimension %zu has the size %lld", d, (long long)sizes[d]);
  struct buffer *const buffer = malloc(sizeof *buffer + 2 * rank * sizeof *sizes);
  if (!buffer) return NO_MEMORY(sizeof *buffer);
  *buffer = (struct buffer){device, 0, 0, 0, type, rank, bytes, buffer->sizes + rank};
  for (size_t d = 0; d < rank; d++) buffer->sizes[d] = sizes[d], buffer->minor_to_major[d] = rank - 1 - d;
  *place = buffer;
  return 0;
}
static void free_buffer(struct buffer *buffer) {
  if (buffer) drop_storage(EXCHANGE(&buffer->storage, 0)), free(buffer);
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
static struct error *strides_of(const struct buffer *buffer, const struct Buffer_MemoryLayout *layout,
                                int64_t *strides) {
  if (!layout) return dense_strides(buffer, buffer->minor_to_major, strides), (struct error *)0;
  const size_t rank = layout->type == TILED ? layout->tiled.rank : layout->strided.rank;
  if (rank != buffer->rank)
    return FAIL(INVALID_ARGUMENT, "the layout has %zu dimensions, and the buffer %zu", rank, buffer->rank);
  if (layout->type == STRIDED) {
    for (size_t d = 0; d < rank; d++) strides[d] = layout->strided.strides[d];
    return 0;
  }
  if (layout->tiled.tiles) return FAIL(UNIMPLEMENTED, "hlo2tiny has no tiled layouts");
  uint64_t seen = 0;
  for (size_t i = 0; i < rank; i++) {
    const int64_t d = layout->tiled.minor_to_major[i];
    if (d < 0 || d >= (int64_t)rank || seen >> d & 1)
      return FAIL(INVALID_ARGUMENT, "the layout is not an order of the %zu dimensions", rank);
    seen |= (uint64_t)1 << d;
  }
  return dense_strides(buffer, layout->tiled.minor_to_major, strides), (struct error *)0;
}
static int is_dense(const struct buffer *buffer, const int64_t *strides) {
  int64_t dense[MOST_RANK];
  dense_strides(buffer, buffer->minor_to_major, dense);
  for (size_t d = 0; d < buffer->rank; d++)
    if (buffer->sizes[d] > 1 && strides[d] != dense[d]) return 0;
  return 1;
}
/* Buffers are dense and in row-major order. */
static struct error *expect_row_major(const struct buffer *buffer, const struct Buffer_MemoryLayout *layout) {
  int64_t strides[MOST_RANK];
  RAISE(strides_of(buffer, layout, strides));
  return !buffer->bytes || is_dense(buffer, strides)
             ? 0
             : FAIL(UNIMPLEMENTED, "hlo2tiny only has buffers in row-major order, and another layout was asked for");
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

static struct device *place_of(struct client *client, struct device *device, struct memory *memory) {
  return memory ? memory->device : device ? device : client->all;
}

FUNCTION(Client_BufferFromHostBuffer, buffer) {
  struct buffer *buffer;
  int64_t given[MOST_RANK], dense[MOST_RANK];
  if (args->stride_count && args->stride_count != args->rank)
    return FAIL(INVALID_ARGUMENT, "%zu strides for %zu dimensions", args->stride_count, args->rank);
  RAISE(new_buffer(&buffer, place_of(args->client, args->device, args->memory), args->type, args->sizes, args->rank));
  struct error *error = expect_row_major(buffer, args->layout);
  dense_strides(buffer, buffer->minor_to_major, dense);
  for (size_t d = 0; d < args->rank; d++) given[d] = args->stride_count ? args->strides[d] : dense[d];
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
FUNCTION(Client_CreateUninitializedBuffer, buffer) {
  struct buffer *buffer;
  RAISE(new_buffer(&buffer, place_of(args->client, args->device, args->memory), args->type, args->sizes, args->rank));
  struct error *error = expect_row_major(buffer, args->layout);
  if (!error && !(buffer->storage = new_storage(buffer->bytes))) error = NO_MEMORY(buffer->bytes);
  if (error) return free_buffer(buffer), error;
  args->buffer = buffer;
  return 0;
}
FUNCTION(Client_CreateViewOfDeviceBuffer, buffer) {
  struct buffer *buffer;
  struct memory *const memory = KNOWS(args, memory) ? args->memory : 0;
  RAISE(new_buffer(&buffer, place_of(args->client, args->device, memory), args->type, args->sizes, args->rank));
  struct error *error = expect_row_major(buffer, args->layout);
  if (!error && !(buffer->storage = new_storage(0))) error = NO_MEMORY(sizeof(struct storage));
  if (error) return free_buffer(buffer), error;
  *buffer->storage = (struct storage){1, 1, args->data, 0, args->on_delete, args->argument};
  args->buffer = buffer;
  return 0;
}

READER(Buffer_Destroy, buffer, free_buffer(args->buffer))
READER(Buffer_ElementType, type, args->type = args->buffer->type)
READER(Buffer_Dimensions, rank, args->sizes = args->buffer->sizes; args->rank = args->buffer->rank)
READER(Buffer_UnpaddedDimensions, rank, args->sizes = args->buffer->sizes; args->rank = args->buffer->rank)
READER(Buffer_DynamicDimensionIndices, count, args->indices = 0; args->count = 0)
READER(Buffer_GetMemoryLayout, layout, args->layout = (struct Buffer_MemoryLayout){
       sizeof args->layout, 0, {{sizeof args->layout.tiled, 0, args->buffer->minor_to_major, args->buffer->rank}}, TILED})
READER(Buffer_OnDeviceSizeInBytes, bytes, args->bytes = args->buffer->bytes)
READER(Buffer_Delete, buffer, drop_storage(EXCHANGE(&args->buffer->storage, 0)))
READER(Buffer_IsDeleted, deleted, args->deleted = !LOAD(&args->buffer->storage))
READER(Buffer_IsOnCpu, on_cpu, args->on_cpu = 1)
READER(Buffer_Device, device, args->device = args->buffer->device)
READER(Buffer_Memory, memory, args->memory = &args->buffer->device->memory)
FUNCTION(Buffer_ReadyEvent, event) { return give_event(&args->event); }
FUNCTION(Buffer_UnsafePointer, address) {
  RAISE(expect_alive(args->buffer));
  args->address = (size_t)args->buffer->storage->data;
  return 0;
}
FUNCTION(Buffer_OpaqueDeviceMemoryDataPointer, data) {
  RAISE(expect_alive(args->buffer));
  args->data = args->buffer->storage->data;
  return 0;
}
/* Memory that is in use outside stays as it is, even when its buffer is deleted or donated. */
FUNCTION(Buffer_IncreaseExternalReferenceCount, buffer) {
  struct buffer *const buffer = args->buffer;
  RAISE(expect_alive(buffer));
  if (ADD(&buffer->views, 1) == 1) STORE(&buffer->viewed, share(buffer->storage));
  return 0;
}
FUNCTION(Buffer_DecreaseExternalReferenceCount, buffer) {
  struct buffer *const buffer = args->buffer;
  if (LOAD(&buffer->views) <= 0) return FAIL(INVALID_ARGUMENT, "the buffer has no external references left");
  struct storage *const viewed = LOAD(&buffer->viewed);
  if (!ADD(&buffer->views, -1)) drop_storage(viewed);
  return 0;
}
FUNCTION(Buffer_ToHostBuffer, event) {
  struct buffer *const buffer = args->buffer;
  int64_t dense[MOST_RANK], wanted[MOST_RANK];
  RAISE(expect_alive(buffer));
  if (!args->data) return args->bytes = buffer->bytes, (struct error *)0;
  if (args->bytes < buffer->bytes)
    return FAIL(INVALID_ARGUMENT, "%zu bytes for a buffer of %zu", args->bytes, buffer->bytes);
  RAISE(strides_of(buffer, args->layout, wanted));
  RAISE(give_event(&args->event));
  dense_strides(buffer, buffer->minor_to_major, dense);
  if (!buffer->bytes) return 0;
  if (is_dense(buffer, wanted))
    memcpy(args->data, buffer->storage->data, buffer->bytes);
  else
    copy_elements(args->data, wanted, buffer->storage->data, dense, buffer->sizes, buffer->rank,
                  ELEMENT_BYTES[buffer->type]);
  return 0;
}
FUNCTION(Buffer_CopyRawToHost, event) {
  RAISE(expect_alive(args->buffer));
  if (args->offset < 0 || args->bytes < 0 || (uint64_t)args->offset + args->bytes > args->buffer->bytes)
    return FAIL(INVALID_ARGUMENT, "%lld bytes from %lld of a buffer of %zu", (long long)args->bytes,
                (long long)args->offset, args->buffer->bytes);
  RAISE(give_event(&args->event));
  memcpy(args->data, args->buffer->storage->data + args->offset, args->bytes);
  return 0;
}
/* Buffers of all devices are in host memory, and shared ones are never changed. */
static struct error *copy_buffer(struct buffer *buffer, struct device *device, struct buffer **copy) {
  RAISE(expect_alive(buffer));
  RAISE(new_buffer(copy, device, buffer->type, buffer->sizes, buffer->rank));
  (*copy)->storage = share(buffer->storage);
  return 0;
}
FUNCTION(Buffer_CopyToDevice, copy) { return copy_buffer(args->buffer, args->device, &args->copy); }
FUNCTION(Buffer_CopyToMemory, copy) { return copy_buffer(args->buffer, args->memory->device, &args->copy); }

/* ---------------------------------------------------------------- executables */

struct executable {
  int references;
  struct program program;
  char *code, *options; /* copies of what was compiled */
  size_t code_size, options_size, *ranks;
  enum element *types;
  const int64_t *result_sizes;
  const char **kinds; /* of the memory of arguments and results, which is one */
  size_t *lengths;
  char *arena; /* working memory that no run uses */
  struct NamedValue costs[2];
  char fingerprint[32];
};
struct loaded {
  struct executable *executable; /* null: it has been deleted */
  size_t count;
  struct device *devices[MOST_DEVICES];
  struct logical_id ids[MOST_DEVICES];
};

static void drop_executable(struct executable *e) {
  if (!e || ADD(&e->references, -1)) return;
  if (e->program.handle && LOAD(&python)) python->release(e->program.handle);
  free(e->code), free(e->options), free(e->ranks), free(e->types), free(e->kinds), free(e->lengths), free(e->arena);
  free(e);
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

static struct error *compile(struct client *client, const char *code, size_t code_size, const char *options,
                             size_t options_size, struct loaded **place) {
  RAISE(expect_python("programs are compiled"));
  struct executable *const e = calloc(1, sizeof *e);
  struct loaded *const loaded = calloc(1, sizeof *loaded);
  struct error *error = 0;
  if (!e || !loaded) return free(e), free(loaded), NO_MEMORY(sizeof *e);
  e->references = 1;
  const int failed = python->compile(code, code_size, options, options_size, &e->program);
  if (failed) error = raised(failed);
  struct program *const p = &e->program;
  loaded->count = error ? 0 : p->replicas * p->partitions;
  for (size_t n = 0; !error && n < loaded->count; n++) {
    if (n == MOST_DEVICES || p->devices[n] >= client->topology.count) {
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
    if (!e->code || !e->options || !e->ranks || !e->types || !e->kinds || !e->lengths) error = NO_MEMORY(code_size);
  }
  if (error) return drop_executable(e), free(loaded), error;
  e->result_sizes = p->sizes;
  for (int64_t i = 0; i < p->inputs; i++) e->result_sizes += p->ranks[i];
  for (int64_t i = 0; i < p->inputs + p->outputs; i++) e->kinds[i] = KIND, e->lengths[i] = strlen(KIND);
  for (int64_t i = 0; i < p->outputs; i++) e->ranks[i] = p->ranks[p->inputs + i], e->types[i] = p->types[p->inputs + i];
  const uint64_t hash = digest(0xcbf29ce484222325, code, code_size);
  snprintf(e->fingerprint, sizeof e->fingerprint, "%016llx",
           (unsigned long long)digest(digest(hash, options, options_size), version(), strlen(version())));
  loaded->executable = e;
  *place = loaded;
  return 0;
}

FUNCTION(Client_Compile, executable) {
  const struct Program *const program = args->program;
  if (program->format_length != 4 || memcmp(program->format, "mlir", 4))
    return FAIL(UNIMPLEMENTED, "hlo2tiny compiles programs of the format mlir, and this one is %.*s",
                (int)(program->format_length > 64 ? 64 : program->format_length), program->format);
  return compile(args->client, program->code, program->code_size, args->options, args->options_size, &args->executable);
}

/* A serialized executable: a mark, the sizes of the options and of the program, and both. */
static const char MARK[16] = "hlo2tiny-pjrt-1";
FUNCTION(Executable_Serialize, destroy) {
  const struct executable *const e = args->executable;
  const uint64_t sizes[2] = {e->options_size, e->code_size};
  const size_t head = sizeof MARK + sizeof sizes, length = head + sizes[0] + sizes[1];
  char *const bytes = malloc(length);
  if (!bytes) return NO_MEMORY(length);
  memcpy(bytes, MARK, sizeof MARK);
  memcpy(bytes + sizeof MARK, sizes, sizeof sizes);
  memcpy(bytes + head, e->options, sizes[0]);
  memcpy(bytes + head + sizes[0], e->code, sizes[1]);
  args->bytes = args->owner = bytes;
  args->length = length;
  args->destroy = free;
  return 0;
}
FUNCTION(Executable_DeserializeAndLoad, executable) {
  uint64_t sizes[2];
  const size_t head = sizeof MARK + sizeof sizes;
  const char *const bytes = args->bytes;
  const int marked = args->length >= head && !memcmp(bytes, MARK, sizeof MARK);
  if (marked) memcpy(sizes, bytes + sizeof MARK, sizeof sizes);
  if (!marked || sizes[0] > args->length - head || sizes[1] != args->length - head - sizes[0])
    return FAIL(INVALID_ARGUMENT, "these %zu bytes are not an executable that hlo2tiny has serialized", args->length);
  const int other = KNOWS(args, options_size) && args->options;
  return compile(args->client, bytes + head + sizes[0], sizes[1], other ? args->options : bytes + head,
                 other ? args->options_size : sizes[0], &args->executable);
}
FUNCTION(Executable_GetCompileOptions, destroy) {
  args->bytes = args->executable->options;
  args->length = args->executable->options_size;
  args->owner = 0;
  args->destroy = nothing;
  return 0;
}
/* Asked for its size first, and then to write. */
FUNCTION(Executable_OptimizedProgram, program) {
  struct Program *const program = args->program;
  const struct program *const p = &args->executable->program;
  const size_t size = p->text_size;
  program->format = "mlir";
  program->format_length = 4;
  if (program->code && program->code_size < size)
    return FAIL(INVALID_ARGUMENT, "%zu bytes for a program of %zu", program->code_size, size);
  if (program->code) memcpy(program->code, p->text, size);
  program->code_size = size;
  return 0;
}

READER(Executable_Destroy, executable, drop_executable(args->executable))
FUNCTION(Executable_Name, length) { return GIVE_TEXT(PLATFORM); }
FUNCTION(Executable_Fingerprint, length) { return GIVE_TEXT(args->executable->fingerprint); }
READER(Executable_NumReplicas, count, args->count = args->executable->program.replicas)
READER(Executable_NumPartitions, count, args->count = args->executable->program.partitions)
READER(Executable_NumOutputs, count, args->count = args->executable->program.outputs)
READER(Executable_SizeOfGeneratedCodeInBytes, bytes, args->bytes = args->executable->program.code_size)
READER(Executable_OutputElementTypes, count, args->types = args->executable->types;
       args->count = args->executable->program.outputs)
READER(Executable_OutputDimensions, ranks, args->count = args->executable->program.outputs;
       args->sizes = args->executable->result_sizes; args->ranks = args->executable->ranks)
READER(Executable_ParameterMemoryKinds, lengths, args->count = args->executable->program.inputs;
       args->kinds = args->executable->kinds; args->lengths = args->executable->lengths)
READER(Executable_OutputMemoryKinds, lengths, args->count = args->executable->program.outputs;
       args->kinds = args->executable->kinds; args->lengths = args->executable->lengths)
FUNCTION(Executable_GetCostAnalysis, properties) {
  struct executable *const e = args->executable;
  double flops, bytes;
  RAISE(expect_python("costs are counted"));
  const int failed = python->cost(e->program.handle, &flops, &bytes);
  if (failed) return raised(failed);
  const char *const names[] = {"flops", "bytes accessed"};
  for (int i = 0; i < 2; i++)
    e->costs[i] = (struct NamedValue){
        sizeof *e->costs, 0, names[i], strlen(names[i]), FLOAT, {.number = i ? bytes : flops}, 1};
  args->properties = e->costs;
  args->count = 2;
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
FUNCTION(Executable_GetCompiledMemoryStats, host_arena) {
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
FUNCTION(LoadedExecutable_Destroy, executable) {
  if (args->executable) drop_executable(EXCHANGE(&args->executable->executable, 0));
  free(args->executable);
  return 0;
}
READER(LoadedExecutable_Delete, executable, drop_executable(EXCHANGE(&args->executable->executable, 0)))
READER(LoadedExecutable_IsDeleted, deleted, args->deleted = !LOAD(&args->executable->executable))
FUNCTION(LoadedExecutable_GetExecutable, executable) { return expect_loaded(args->loaded, &args->executable); }
READER(LoadedExecutable_AddressableDevices, count, args->devices = args->executable->devices;
       args->count = args->executable->count)
READER(LoadedExecutable_AddressableDeviceLogicalIds, count, args->ids = args->executable->ids;
       args->count = args->executable->count)
FUNCTION(LoadedExecutable_Fingerprint, length) {
  struct executable *const e = LOAD(&args->executable->executable);
  return e ? GIVE_TEXT(e->fingerprint) : FAIL(INVALID_ARGUMENT, "the executable has been deleted");
}
/* A message of protobuf: how many replicas and computations, and for each computation the numbers of its devices, all of
   which are below 128. */
FUNCTION(LoadedExecutable_GetDeviceAssignment, destroy) {
  const struct loaded *const l = args->executable;
  const size_t partitions = l->count ? l->ids[l->count - 1].partition + 1 : 1, replicas = l->count / partitions;
  char *const bytes = malloc(4 + partitions * (4 + replicas)), *end = bytes;
  if (!bytes) return NO_MEMORY(4 + partitions * (4 + replicas));
  *end++ = 8, *end++ = replicas, *end++ = 16, *end++ = partitions;
  for (size_t p = 0; p < partitions; p++) {
    *end++ = 26, *end++ = 2 + replicas, *end++ = 10, *end++ = replicas;
    for (size_t r = 0; r < replicas; r++) *end++ = l->devices[r * partitions + p]->id;
  }
  args->bytes = args->owner = bytes;
  args->length = end - bytes;
  args->destroy = free;
  return 0;
}

static struct error *expect_argument(const struct program *p, int64_t i, const int64_t *sizes, struct buffer *buffer) {
  if (!buffer || !LOAD(&buffer->storage))
    return FAIL(INVALID_ARGUMENT, "argument %lld has been deleted or donated", (long long)i);
  if (p->types[i] == TOKEN) return 0; /* for which JAX passes any array */
  int same = buffer->type == p->types[i] && (int64_t)buffer->rank == p->ranks[i];
  for (int64_t d = 0; same && d < p->ranks[i]; d++) same = buffer->sizes[d] == sizes[d];
  return same ? 0
              : FAIL(INVALID_ARGUMENT, "argument %lld is an array of %s of another type or shape than the program declares",
                     (long long)i, ELEMENT_NAMES[buffer->type]);
}
static int is_kept(const struct ExecuteOptions *options, int64_t argument) {
  if (!options || !KNOWS(options, kept_count)) return 0;
  for (size_t i = 0; i < options->kept_count; i++)
    if (options->kept[i] == argument) return 1;
  return 0;
}
static char *take_arena(struct executable *e) {
  char *const arena = EXCHANGE(&e->arena, 0);
  return arena ? arena : malloc(e->program.arena + ALIGNMENT);
}
static struct error *run(struct executable *e, char *const *in, char *const *out) {
  const struct program *const p = &e->program;
  if (!p->run) {
    RAISE(expect_python("this program is run"));
    const int failed = python->execute(p->handle, in, out);
    return failed ? raised(failed) : 0;
  }
  char *const arena = take_arena(e), *const begin = (char *)(((size_t)arena + ALIGNMENT - 1) & -(size_t)ALIGNMENT);
  if (!arena) return NO_MEMORY(p->arena);
  const int failed = p->run(in, out, p->constants, begin, 0, 0, p->library, p->parallel, p->signals);
  free(EXCHANGE(&e->arena, arena));
  return failed ? FAIL(CANCELLED, "the run was interrupted") : 0;
}

/* Where the arguments and results of one device are. */
static struct error *prepare(struct executable *e, struct device *device, struct buffer *const *arguments,
                             const struct ExecuteOptions *options, struct buffer **results, char **in, char **out) {
  const struct program *const p = &e->program;
  const int64_t *sizes = p->sizes;
  for (int64_t i = 0; i < p->inputs; sizes += p->ranks[i++]) {
    RAISE(expect_argument(p, i, sizes, arguments[i]));
    in[i] = arguments[i]->storage->data;
  }
  for (int64_t i = p->inputs; i < p->places; i++) in[i] = 0;
  for (int64_t i = 0; i < p->outputs; sizes += p->ranks[p->inputs + i++]) {
    RAISE(new_buffer(results + i, device, p->types[p->inputs + i], sizes, p->ranks[p->inputs + i]));
    const int64_t donor = p->in_place[i];
    int in_place = donor >= 0 && !is_kept(options, donor) && is_ours_alone(arguments[donor]->storage);
    for (int64_t j = 0; in_place && j < p->inputs; j++) in_place = j == donor || arguments[j] != arguments[donor];
    results[i]->storage = in_place ? share(arguments[donor]->storage) : new_storage(results[i]->bytes);
    if (!results[i]->storage) return NO_MEMORY(results[i]->bytes);
    out[i] = results[i]->storage->data;
  }
  return 0;
}
static struct error *execute(struct executable *e, const struct loaded *loaded, struct buffer *const *const *arguments,
                             const struct ExecuteOptions *options, struct buffer **const *results) {
  const struct program *const p = &e->program;
  const size_t count = loaded->count;
  struct error *error = 0;
  char *in[count * p->places + 1], *out[count * p->outputs + 1];
  for (size_t n = 0; n < count; n++)
    for (int64_t i = 0; i < p->outputs; i++) results[n][i] = 0;
  for (size_t n = 0; !error && n < count; n++)
    error = prepare(e, loaded->devices[n], arguments[n], options, results[n], in + n * p->places, out + n * p->outputs);
  if (!error) error = run(e, in, out);
  for (size_t n = 0; n < count; n++)
    if (error)
      for (int64_t i = 0; i < p->outputs; i++) free_buffer(results[n][i]), results[n][i] = 0;
    else
      for (int64_t i = 0; i < p->inputs; i++)
        if (p->donated[i] && !is_kept(options, i)) drop_storage(EXCHANGE(&arguments[n][i]->storage, 0));
  return error;
}
FUNCTION(LoadedExecutable_Execute, device) {
  const struct loaded *const loaded = args->executable;
  struct executable *e;
  RAISE(expect_loaded(args->executable, &e));
  struct error *error = 0;
  if (args->devices != loaded->count)
    error = FAIL(INVALID_ARGUMENT, "the program was compiled for %zu devices, and the arguments of %zu were passed",
                 loaded->count, args->devices);
  else if ((int64_t)args->count != e->program.inputs)
    error = FAIL(INVALID_ARGUMENT, "the program takes %lld arguments, and %zu were passed",
                 (long long)e->program.inputs, args->count);
  else if (args->device && args->device != loaded->devices[0])
    error = FAIL(UNIMPLEMENTED, "the program was compiled for %s, and was to run on %s", loaded->devices[0]->debug,
                 args->device->debug);
  else
    error = execute(e, loaded, args->arguments, args->options, args->results);
  for (size_t n = 0; !error && args->events && n < loaded->count; n++) error = give_event(args->events + n);
  drop_executable(e);
  return error;
}

/* ---------------------------------------------------------------- the table */

/* What a call gets that there is no function for. */
#define UNKNOWN(name)                                                                                                  \
  static struct error *unknown_##name(void *args) {                                                                    \
    return FAIL(UNIMPLEMENTED, "hlo2tiny's PJRT plugin has no PJRT_" #name " yet");                                    \
  }
FUNCTIONS(UNKNOWN)

#define GIVE_UNKNOWN(name) .name = unknown_##name,
#define GIVE(name) .name = name,
static const struct api api = {
    sizeof api, 0, {sizeof api.version, 0, MAJOR, MINOR}, FUNCTIONS(GIVE_UNKNOWN) IMPLEMENTED(GIVE) GIVE(Error_Destroy) GIVE(Error_Message)};

EXPORTED const struct api *GetPjrtApi(void) { return &api; }
