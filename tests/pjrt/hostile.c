/* A client that does everything wrong, in one program with the library, both compiled with sanitizers: each call gets an
   error, nothing is read or written that is not there, and no memory is left. This follows interface.c. */
int printf(const char *format, ...);
void *fopen(const char *path, const char *mode);
size_t fread(void *to, size_t bytes, size_t count, void *file);
int fclose(void *file);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t length);
size_t strlen(const char *text);
void *memset(void *to, int byte, size_t bytes);
void *malloc(size_t bytes);
void free(void *memory);

const struct api *GetPjrtApi(void);
static const struct api *api;
static int wrong;

typedef struct error *function(void *);
enum { ANY = -1 };

/* The code of an error, which ends. */
static int code_of(struct error *of) {
  if (!of) return OK;
  struct Error_GetCode_Args code = {.size = sizeof code, .error = of};
  ((function *)api->Error_GetCode)(&code);
  struct Error_Message_Args message = {.size = sizeof message, .error = of};
  ((void (*)(void *))api->Error_Message)(&message);
  if (strlen(message.text) != message.length || !message.length) return -2;
  struct Error_Destroy_Args destroy = {.size = sizeof destroy, .error = of};
  ((void (*)(void *))api->Error_Destroy)(&destroy);
  return code.code;
}
static void expect_code(const char *what, int line, int found, int wanted) {
  if (wanted == ANY ? found == OK || found < 0 : found != wanted)
    __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED), printf("line %d: %s gives the code %d, expected %d\n", line, what, found, wanted);
}
/* A call with these members set, whose structure is `place` afterwards, and the code that it has to give. */
#define CALL_AT(place, wanted, name, ...)                                                                              \
  struct name##_Args place = {.size = sizeof place, __VA_ARGS__};                                                      \
  expect_code(#name, __LINE__, code_of(((function *)api->name)(&place)), wanted)
#define CALL(wanted, name, ...) CALL_AT(call, wanted, name, __VA_ARGS__)
#define TRY(wanted, name, ...)                                                                                         \
  do {                                                                                                                 \
    CALL_AT(tried_, wanted, name, __VA_ARGS__);                                                                        \
  } while (0)

/* Functions that are called for no object, or return no error. */
static int is_apart(const char *name) {
  static const char *const names[] = {"Error_Destroy", "Error_Message", "Client_Create", "Event_Create", "Plugin_Initialize",
                                      "Plugin_Attributes", "ExecuteContext_Create"};
  for (int i = 0; i < 7; i++)
    if (!strcmp(name, names[i])) return 1;
  return 0;
}
static struct { const char *prefix; void *alive, *ended; } objects[7];

static void try_function(const char *name, function *call) {
  static size_t block[512];
  if (is_apart(name)) return;
  expect_code(name, __LINE__, code_of(call(0)), ANY);
  for (size_t size = 0; size <= sizeof block; size += size < 256 ? 8 : 256) {
    memset(block, 0, sizeof block);
    block[0] = size;
    expect_code(name, __LINE__, code_of(call(block)), ANY);
  }
  for (int i = 0; i < 7; i++) {
    memset(block, 0, sizeof block);
    block[0] = sizeof block, block[2] = (size_t)objects[i].ended;
    expect_code(name, __LINE__, code_of(call(block)), ANY);
    /* an object of another kind */
    if (!strncmp(name, objects[i].prefix, strlen(objects[i].prefix))) continue;
    if (!strcmp(name, "Executable_DeserializeAndLoad") && i == 0) continue;
    if (!strncmp(name, "DeviceDescription_", 18) && i == 1) continue;
    block[0] = sizeof block, block[2] = (size_t)objects[i].alive;
    expect_code(name, __LINE__, code_of(call(block)), ANY);
  }
}

static struct client *new_client(void) {
  CALL(OK, Client_Create);
  return call.client;
}
static struct buffer *new_float(struct client *client) {
  static const float number = 1;
  CALL(OK, Client_BufferFromHostBuffer, .client = client, .data = (const char *)&number, .type = F32);
  TRY(OK, Event_Destroy, .event = call.done);
  return call.buffer;
}
static struct event *new_event(void) {
  CALL(OK, Event_Create);
  return call.event;
}
static struct device *device_of(struct client *client) {
  CALL(OK, Client_LookupDevice, .client = client);
  return call.device;
}
static struct memory *memory_of(struct device *device) {
  CALL(OK, Device_DefaultMemory, .device = device);
  return call.memory;
}
static struct topology *topology_of(struct client *client) {
  CALL(OK, Client_TopologyDescription, .client = client);
  return call.topology;
}

static void get_array(struct buffer *buffer, float *data, size_t count) {
  CALL(OK, Buffer_ToHostBuffer, .buffer = buffer, .data = (char *)data, .bytes = count * sizeof(float));
  TRY(OK, Event_Await, .event = call.event);
  TRY(OK, Event_Destroy, .event = call.event);
}
static void try_arrays(struct client *client) {
  static const float data[8] __attribute__((aligned(64)));
  const int64_t sizes[2] = {2, 3}, huge[3] = {1ll << 31, 1ll << 31, 4}, negative[2] = {2, -1}, strides[2] = {4, 8};
  struct device *const ended = objects[1].ended;
  struct memory *const gone = objects[2].ended;
#define PUT(wanted, ...)                                                                                               \
  TRY(wanted, Client_BufferFromHostBuffer, .client = client, .data = (const char *)data, .type = F32, .sizes = sizes,  \
      .rank = 2, __VA_ARGS__)
#pragma GCC diagnostic ignored "-Woverride-init"
  PUT(INVALID_ARGUMENT, .sizes = 0);
  PUT(INVALID_ARGUMENT, .sizes = huge, .rank = 3);
  PUT(INVALID_ARGUMENT, .sizes = negative);
  PUT(INVALID_ARGUMENT, .rank = 65);
  PUT(INVALID_ARGUMENT, .rank = -1ull);
  PUT(UNIMPLEMENTED, .type = INVALID);
  PUT(UNIMPLEMENTED, .type = 1000);
  PUT(INVALID_ARGUMENT, .data = 0);
  PUT(INVALID_ARGUMENT, .stride_count = 1, .strides = strides);
  PUT(INVALID_ARGUMENT, .stride_count = 2);
  PUT(INVALID_ARGUMENT, .device = ended);
  PUT(INVALID_ARGUMENT, .memory = gone);
  const int64_t same[2] = {1, 1}, outside[2] = {0, 7}, columns[2] = {0, 1};
  struct Buffer_MemoryLayout layout = {sizeof layout, 0, {{sizeof layout.tiled, 0, 0, 2}}, TILED};
  PUT(INVALID_ARGUMENT, .layout = &layout);
  layout.tiled.rank = 3;
  PUT(INVALID_ARGUMENT, .layout = &layout);
  layout.tiled.rank = 2;
  for (int i = 0; i < 2; i++) {
    layout.tiled.minor_to_major = i ? same : outside;
    PUT(INVALID_ARGUMENT, .layout = &layout);
  }
  const int64_t gaps[2] = {16, 4};
  layout = (struct Buffer_MemoryLayout){.size = sizeof layout, .type = STRIDED};
  layout.strided = (struct Buffer_MemoryLayout_Strides){sizeof layout.strided, 0, gaps, 2};
  PUT(UNIMPLEMENTED, .layout = &layout);
  for (int i = 0; i < 2; i++) { /* columns lie one after the other */
    const int64_t by_columns[2] = {4, 8};
    const float numbers[6] = {1, 2, 3, 4, 5, 6};
    float lie[6];
    if (i)
      layout.strided.strides = by_columns;
    else
      layout = (struct Buffer_MemoryLayout){sizeof layout, 0, {{sizeof layout.tiled, 0, columns, 2}}, TILED};
    CALL(OK, Client_BufferFromHostBuffer, .client = client, .data = (const char *)numbers, .type = F32, .sizes = sizes,
         .rank = 2, .layout = &layout);
    TRY(OK, Event_Destroy, .event = call.done);
    get_array(call.buffer, lie, 6);
    expect_code("the second number by columns", __LINE__, (int)lie[1], 4);
    CALL_AT(held, OK, Buffer_GetMemoryLayout, .buffer = call.buffer);
    expect_code("its layout", __LINE__, (int)held.layout.tiled.minor_to_major[0], 0);
    layout = (struct Buffer_MemoryLayout){.size = sizeof layout, .type = STRIDED};
    layout.strided = (struct Buffer_MemoryLayout_Strides){sizeof layout.strided, 0, by_columns, 2};
    TRY(OK, Buffer_Destroy, .buffer = call.buffer);
  }
  struct buffer *buffer;
  {
    CALL(OK, Client_BufferFromHostBuffer, .client = client, .data = (const char *)data, .type = F32, .sizes = sizes,
         .rank = 2, .semantics = ZERO_COPY);
    buffer = call.buffer;
    TRY(OK, Event_Destroy, .event = call.done); /* before the array has let go of the memory */
    TRY(INVALID_ARGUMENT, Event_Destroy, .event = call.done);
  }
  char back[24];
#define GET(wanted, ...)                                                                                               \
  TRY(wanted, Buffer_ToHostBuffer, .buffer = buffer, .data = back, .bytes = sizeof back, __VA_ARGS__)
  GET(INVALID_ARGUMENT, .bytes = 23);
  const int64_t far[2] = {1ll << 40, 4}, before[2] = {-8, 4}, overflow[2] = {1ll << 62, 1ll << 62};
  struct Buffer_MemoryLayout strided = {.size = sizeof strided, .type = STRIDED};
  strided.strided = (struct Buffer_MemoryLayout_Strides){sizeof strided.strided, 0, 0, 2};
  GET(INVALID_ARGUMENT, .layout = &strided);
  const int64_t *const tried[] = {far, before, overflow};
  for (int i = 0; i < 3; i++) {
    strided.strided.strides = tried[i];
    GET(INVALID_ARGUMENT, .layout = &strided);
  }
  const int64_t ranges[][2] = {{-1, 4}, {0, 25}, {25, 0}, {4, -1}, {1ll << 62, 1ll << 62}, {24, 1}};
  for (int i = 0; i < 6; i++)
    TRY(INVALID_ARGUMENT, Buffer_CopyRawToHost, .buffer = buffer, .data = back, .offset = ranges[i][0],
        .bytes = ranges[i][1]);
  TRY(INVALID_ARGUMENT, Buffer_CopyRawToHost, .buffer = buffer, .bytes = 4);
  TRY(INVALID_ARGUMENT, Buffer_CopyToDevice, .buffer = buffer);
  TRY(INVALID_ARGUMENT, Buffer_CopyToDevice, .buffer = buffer, .device = ended);
  TRY(INVALID_ARGUMENT, Buffer_CopyToMemory, .buffer = buffer, .memory = gone);
  TRY(INVALID_ARGUMENT, Buffer_DecreaseExternalReferenceCount, .buffer = buffer);
  TRY(OK, Buffer_Delete, .buffer = buffer);
  TRY(OK, Buffer_Delete, .buffer = buffer);
  GET(INVALID_ARGUMENT, .layout = 0);
  TRY(INVALID_ARGUMENT, Buffer_UnsafePointer, .buffer = buffer);
  TRY(INVALID_ARGUMENT, Buffer_IncreaseExternalReferenceCount, .buffer = buffer);
  TRY(OK, Buffer_Destroy, .buffer = buffer);
  TRY(INVALID_ARGUMENT, Buffer_Destroy, .buffer = buffer);
  { /* many dimensions, whose sizes lie elsewhere */
    const int64_t ones[64] = {[0 ... 63] = 1};
    CALL(OK, Client_CreateUninitializedBuffer, .client = client, .sizes = ones, .rank = 64, .type = F32);
    TRY(OK, Buffer_Destroy, .buffer = call.buffer);
  }
}

static int deleted;
static void count_deleted(void *data, void *argument) { deleted += *(int *)argument; }
static void try_views(struct client *client) {
  static float data[8] __attribute__((aligned(64))) = {1, 2, 3, 4, 5, 6, 7, 8};
  const int64_t sizes[2] = {2, 3}, columns[2] = {0, 1};
  struct Buffer_MemoryLayout layout = {sizeof layout, 0, {{sizeof layout.tiled, 0, columns, 2}}, TILED};
  int one = 1;
  for (int i = 0; i < 3; i++) { /* in place; not aligned; in another order */
    CALL(OK, Client_CreateViewOfDeviceBuffer, .client = client, .data = (char *)(data + (i == 1)), .sizes = sizes,
         .rank = 2, .type = F32, .layout = i == 2 ? &layout : 0, .on_delete = count_deleted, .argument = &one);
    float back[6] = {0};
    struct Buffer_ToHostBuffer_Args get = {.size = sizeof get, .buffer = call.buffer, .data = (char *)back,
                                           .bytes = sizeof back};
    expect_code("a view", __LINE__, code_of(((function *)api->Buffer_ToHostBuffer)(&get)), OK);
    TRY(OK, Event_Destroy, .event = get.event);
    expect_code("its second number", __LINE__, (int)back[1], i == 1 ? 3 : 2); /* as they lie in memory */
    TRY(OK, Buffer_Destroy, .buffer = call.buffer);
    expect_code("how many are let go", __LINE__, deleted, i + 1);
  }
}

static void fail(struct error *error, void *argument) { code_of(error), ++*(int *)argument; }
static void try_events(void) {
  int called = 0;
  struct event *const event = new_event(), *const forgotten = new_event();
  TRY(INVALID_ARGUMENT, Event_OnReady, .event = event);
  TRY(FAILED_PRECONDITION, Event_Error, .event = event);
  TRY(OK, Event_OnReady, .event = forgotten, .callback = fail, .argument = &called);
  TRY(OK, Event_Destroy, .event = forgotten);
  TRY(INVALID_ARGUMENT, Event_Set, .event = event, .code = INTERNAL, .length = 10);
  TRY(OK, Event_Set, .event = event, .code = INTERNAL, .text = "it failed", .length = 9);
  TRY(FAILED_PRECONDITION, Event_Set, .event = event);
  TRY(INTERNAL, Event_Await, .event = event);
  TRY(OK, Event_OnReady, .event = event, .callback = fail, .argument = &called);
  TRY(OK, Event_Destroy, .event = event);
  TRY(INVALID_ARGUMENT, Event_Await, .event = event);
  expect_code("the callbacks", __LINE__, called, 1);
}

static void try_programs(struct client *client) {
  const struct Program none = {.size = sizeof none}, empty = {sizeof empty, 0, 0, 10, "mlir", 4},
                       other = {sizeof other, 0, "garbage", 7, "hlo", 3}, garbage = {sizeof garbage, 0, "garbage", 7, "mlir", 4};
  TRY(INVALID_ARGUMENT, Client_Compile, .client = client);
  TRY(INVALID_ARGUMENT, Client_Compile, .client = client, .program = &none);
  TRY(UNIMPLEMENTED, Client_Compile, .client = client, .program = &other);
  TRY(ANY, Client_Compile, .client = client, .program = &empty);
  TRY(ANY, Client_Compile, .client = client, .program = &garbage);
  TRY(INVALID_ARGUMENT, Executable_DeserializeAndLoad, .client = client, .length = 100);
  /* Bytes of all lengths, each in memory of its own, with a mark or without, and with numbers that overflow. */
  for (size_t length = 0; length < 400; length++)
    for (int i = 0; i < 4; i++) {
      char *const bytes = malloc(length + 1);
      for (size_t at = 0; at < length; at++) bytes[at] = i == 1 ? 0 : i == 2 ? -1 : (char)(at * 7 + length);
      for (size_t at = 0; i && at < 16 && at < length; at++) bytes[at] = "hlo2tiny-pjrt-2"[at];
      TRY(ANY, Executable_DeserializeAndLoad, .client = client, .bytes = bytes, .length = length);
      free(bytes);
    }
}

/* An executable that another process has compiled and serialized: the product of two arrays and a number more, in the
   memory of the first, and the sum of all. There is no Python here. */
enum { SIDE = 96, HEAD_SIZE = 104, MACHINE_AT = 56 };
static struct buffer *new_array(struct client *client, const float *data) {
  const int64_t sizes[2] = {SIDE, SIDE};
  CALL(OK, Client_BufferFromHostBuffer, .client = client, .data = (const char *)data, .type = F32, .sizes = sizes, .rank = 2);
  TRY(OK, Event_Destroy, .event = call.done);
  return call.buffer;
}
static void try_executable(struct client *client, char *bytes, size_t length) {
  static float x[SIDE * SIDE], y[SIDE * SIDE], back[SIDE * SIDE], wanted[SIDE * SIDE], sum;
  for (int i = 0; i < SIDE * SIDE; i++) x[i] = i % 7 - 3, y[i] = i % 5 - 2, wanted[i] = 7;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      for (int k = 0; k < SIDE; k++) wanted[i * SIDE + j] += x[i * SIDE + k] * y[k * SIDE + j];
  for (size_t at = 0; at < HEAD_SIZE + 64; at++) {
    if (at >= MACHINE_AT && at < HEAD_SIZE) continue; /* a processor that has less is no error */
    bytes[at] ^= 1;
    TRY(ANY, Executable_DeserializeAndLoad, .client = client, .bytes = bytes, .length = length);
    bytes[at] ^= 1;
  }
  bytes[MACHINE_AT] ^= 64;
  TRY(FAILED_PRECONDITION, Executable_DeserializeAndLoad, .client = client, .bytes = bytes, .length = length);
  bytes[MACHINE_AT] ^= 64;
  for (size_t less = 1; less < length; less *= 3)
    TRY(INVALID_ARGUMENT, Executable_DeserializeAndLoad, .client = client, .bytes = bytes, .length = length - less);
  CALL(OK, Executable_DeserializeAndLoad, .client = client, .bytes = bytes, .length = length);
  struct loaded *const loaded = call.executable;
  if (!loaded) return;
  struct buffer *a = new_array(client, x), *const b = new_array(client, y), *const number = new_float(client), *results[2];
  struct buffer *const gone = new_float(client);
  TRY(OK, Buffer_Destroy, .buffer = gone);
  struct buffer *const right[] = {a, b}, *const other[] = {a, number}, *const none[] = {a, 0},
                *const ended[] = {a, gone};
  struct buffer *const *const wrongly[] = {other, none, ended};
  struct buffer *const *list, **into = results;
#define RUN(wanted, ...)                                                                                               \
  TRY(wanted, LoadedExecutable_Execute, .executable = loaded, .arguments = &list, .devices = 1, .count = 2,            \
      .results = &into, __VA_ARGS__)
  for (int i = 0; i < 3; i++) {
    list = wrongly[i];
    RUN(INVALID_ARGUMENT, .events = 0);
  }
  list = right;
  RUN(INVALID_ARGUMENT, .devices = 2);
  RUN(INVALID_ARGUMENT, .count = 1);
  RUN(INVALID_ARGUMENT, .arguments = 0);
  RUN(INVALID_ARGUMENT, .results = 0);
  RUN(INVALID_ARGUMENT, .device = objects[1].ended);
  list = 0;
  RUN(INVALID_ARGUMENT, .events = 0);
  list = right, into = 0;
  RUN(INVALID_ARGUMENT, .events = 0);
  into = results;
  for (int i = 0; i < 2; i++) {
    int64_t kept = 0;
    struct ExecuteOptions options = {.size = sizeof options, .kept = &kept, .kept_count = 1 - i}; /* then it is donated */
    RUN(OK, .options = &options);
    get_array(results[0], back, SIDE * SIDE);
    get_array(results[1], &sum, 1);
    for (int n = 0; n < SIDE * SIDE; n++) sum -= wanted[n], wrong += back[n] != wanted[n];
    expect_code("the sum", __LINE__, (int)sum, 0);
    for (int n = 0; n < 2; n++) TRY(OK, Buffer_Destroy, .buffer = results[n]);
  }
  RUN(INVALID_ARGUMENT, .events = 0);
  {
    CALL(OK, LoadedExecutable_GetExecutable, .loaded = loaded);
    CALL_AT(again, OK, Executable_Serialize, .executable = call.executable);
    TRY(OK, Executable_GetCompiledMemoryStats, .executable = call.executable);
    TRY(ANY, Executable_GetCostAnalysis, .executable = call.executable);
    CALL_AT(second, OK, Executable_DeserializeAndLoad, .client = client, .bytes = again.bytes, .length = again.length);
    again.destroy(again.owner);
    TRY(OK, LoadedExecutable_Destroy, .executable = second.executable);
    TRY(OK, Executable_Destroy, .executable = call.executable);
    TRY(INVALID_ARGUMENT, Executable_Destroy, .executable = call.executable);
  }
  TRY(OK, LoadedExecutable_Delete, .executable = loaded);
  RUN(INVALID_ARGUMENT, .events = 0);
  TRY(OK, LoadedExecutable_Destroy, .executable = loaded);
  TRY(INVALID_ARGUMENT, LoadedExecutable_Destroy, .executable = loaded);
  RUN(INVALID_ARGUMENT, .events = 0);
  TRY(OK, Buffer_Destroy, .buffer = a);
  TRY(OK, Buffer_Destroy, .buffer = b);
  TRY(OK, Buffer_Destroy, .buffer = number);
}

/* Threads whose calls go on while all that they use ends: arguments, results, events and the executable. */
enum { THREADS = 8, CALLS = 20 };
int pthread_create(unsigned long *thread, const void *attributes, void *(*function)(void *), void *argument);
int pthread_join(unsigned long thread, void **result);
static struct { struct client *client; char *bytes; size_t length; struct buffer *shared; } given;
static float counting[SIDE * SIDE];
static void *call_often(void *unused) {
  float back[SIDE * SIDE], sum;
  int different = 0;
  for (int n = 0; n < CALLS; n++) {
    CALL(OK, Executable_DeserializeAndLoad, .client = given.client, .bytes = given.bytes, .length = given.length);
    struct buffer *x = new_array(given.client, counting);
    for (int turn = 0; turn < 2; turn++) { /* a product by one that is not there yet, in the memory of the last */
      struct buffer *const list[] = {x, given.shared}, *results[2], *const *lists = list, **into = results;
      struct event *event;
      CALL_AT(run, OK, LoadedExecutable_Execute, .executable = call.executable, .arguments = &lists, .devices = 1,
              .count = 2, .results = &into, .events = &event);
      CALL_AT(ready, OK, Buffer_ReadyEvent, .buffer = results[0]);
      TRY(OK, Event_Destroy, .event = event);
      if (turn) TRY(OK, Event_Await, .event = ready.event);
      TRY(OK, Event_Destroy, .event = ready.event);
      TRY(OK, Buffer_Destroy, .buffer = x);
      if (turn) get_array(results[1], &sum, 1);
      TRY(OK, Buffer_Destroy, .buffer = results[1]);
      x = results[0];
    }
    TRY(OK, LoadedExecutable_Destroy, .executable = call.executable);
    if (n % 2) { /* (x 0 + 7) 0 + 7 */
      get_array(x, back, SIDE * SIDE);
      for (int i = 0; i < SIDE * SIDE; i++) different += back[i] != 7;
      different += sum != 7 * SIDE * SIDE;
    }
    TRY(OK, Buffer_Destroy, .buffer = x);
  }
  expect_code("how many numbers differ", __LINE__, different, 0);
  return unused;
}
/* Threads whose calls are interrupted: each has its result or the error. */
void hlo2tiny_pjrt_interrupt(void);
static int finished;
static void *interrupt_often(void *unused) {
  while (!__atomic_load_n(&finished, __ATOMIC_ACQUIRE)) hlo2tiny_pjrt_interrupt();
  return unused;
}
static void *call_while_interrupted(void *unused) {
  int odd = 0;
  for (int n = 0; n < CALLS; n++) {
    CALL(OK, Executable_DeserializeAndLoad, .client = given.client, .bytes = given.bytes, .length = given.length);
    struct buffer *const x = new_array(given.client, counting);
    struct buffer *const list[] = {x, given.shared}, *results[2], *const *lists = list, **into = results;
    struct event *event;
    CALL_AT(run, OK, LoadedExecutable_Execute, .executable = call.executable, .arguments = &lists, .devices = 1,
            .count = 2, .results = &into, .events = &event);
    struct Event_Await_Args awaited = {.size = sizeof awaited, .event = event};
    const int code = code_of(((function *)api->Event_Await)(&awaited));
    odd += code != OK && code != CANCELLED;
    for (int i = 0; i < 2; i++) TRY(OK, Buffer_Destroy, .buffer = results[i]);
    TRY(OK, Buffer_Destroy, .buffer = x);
    TRY(OK, Event_Destroy, .event = event);
    TRY(OK, LoadedExecutable_Destroy, .executable = call.executable);
  }
  expect_code("an interrupted call", __LINE__, odd, 0);
  return unused;
}
static void try_threads(struct client *client, char *bytes, size_t length) {
  unsigned long threads[THREADS];
  given.client = client, given.bytes = bytes, given.length = length, given.shared = new_array(client, counting);
  for (int i = 0; i < SIDE * SIDE; i++) counting[i] = i;
  for (int i = 0; i < THREADS; i++) pthread_create(threads + i, 0, call_often, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < THREADS; i++) pthread_create(threads + i, 0, i ? call_while_interrupted : interrupt_often, 0);
  for (int i = 1; i < THREADS; i++) pthread_join(threads[i], 0);
  __atomic_store_n(&finished, 1, __ATOMIC_RELEASE);
  pthread_join(threads[0], 0);
  TRY(OK, Buffer_Destroy, .buffer = given.shared);
}

int main(int count, char **arguments) {
  api = GetPjrtApi();
  struct client *const client = new_client(), *const other = new_client();
  const char *const prefixes[] = {"Client_", "Device_", "Memory_", "Buffer_", "Event_", "TopologyDescription_", ""};
  struct buffer *const buffer = new_float(other);
  struct event *const event = new_event();
  struct device *const device = device_of(client), *const ended = device_of(other);
  void *const alive[] = {client, device, memory_of(device), new_float(client), new_event(), topology_of(client), 0};
  void *const dead[] = {other, ended, memory_of(ended), buffer, event, topology_of(other), 0};
  TRY(OK, Client_Destroy, .client = other);
  TRY(OK, Buffer_Destroy, .buffer = buffer); /* after its client */
  TRY(OK, Event_Destroy, .event = event);
  for (int i = 0; i < 7; i++) {
    objects[i].prefix = prefixes[i];
    objects[i].alive = alive[i], objects[i].ended = dead[i];
  }
#define EACH(name) try_function(#name, (function *)api->name);
  FUNCTIONS(EACH)
  for (const struct Extension_Base *e = api->extension; e; e = e->next)
    for (function *const *f = (function *const *)(e + 1); (char *)f < (char *)e + e->size; f++) {
      expect_code("a function of an extension", __LINE__, code_of((*f)(0)), ANY);
      expect_code("a function of an extension", __LINE__, code_of((*f)(&(size_t[64]){0})), ANY);
    }
  try_events();
  try_views(client);
  try_programs(client);
  void *const file = count > 1 ? fopen(arguments[1], "rb") : 0;
  static char bytes[1 << 22];
  if (file) {
    const size_t length = fread(bytes, 1, sizeof bytes, file);
    try_threads(client, bytes, length);
    try_executable(client, bytes, length);
    fclose(file);
  }
  try_arrays(client); /* at last, as new objects take the memory of those that have ended */
  for (int i = 0; i < 100000; i++) TRY(OK, Buffer_Destroy, .buffer = new_float(client));
  TRY(OK, Buffer_Destroy, .buffer = alive[3]);
  TRY(OK, Event_Destroy, .event = alive[4]);
  TRY(OK, Client_Destroy, .client = client);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
