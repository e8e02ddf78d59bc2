/* A client that knows nothing of hlo2tiny but PJRT's interface. This follows interface.c; `check` returns the line of the
   first expectation that does not hold, or 0. */
int strcmp(const char *a, const char *b);
void *memcpy(void *to, const void *from, size_t bytes);

#define EXPECT(holds)                                                                                                  \
  do                                                                                                                   \
    if (!(holds)) return __LINE__;                                                                                     \
  while (0)
/* A call with these members set, which may fail: `call` has them afterwards, and `error` what it returned. */
#define CALL(name, ...)                                                                                                \
  struct name##_Args call = {.size = sizeof call, __VA_ARGS__};                                                        \
  struct error *const error = ((struct error * (*)(void *)) api->name)(&call)

static const struct api *api;

static int code_of(struct error *of) {
  if (!of) return OK;
  CALL(Error_GetCode, .error = of);
  struct Error_Message_Args message = {.size = sizeof message, .error = of};
  ((void (*)(void *))api->Error_Message)(&message);
  const int has_text = message.length > 10;
  struct Error_Destroy_Args destroy = {.size = sizeof destroy, .error = of};
  ((void (*)(void *))api->Error_Destroy)(&destroy);
  return error || !has_text ? -1 : call.code;
}
/* Whether an error's message has a text in it. */
static int says(const struct error *of, const char *text) {
  struct Error_Message_Args message = {.size = sizeof message, .error = of};
  ((void (*)(void *))api->Error_Message)(&message);
  for (size_t at = 0; at < message.length; at++) {
    size_t n = 0;
    while (text[n] && message.text[at + n] == text[n]) n++;
    if (!text[n]) return 1;
  }
  return 0;
}
static int is_ready(struct event *event) {
  CALL(Event_IsReady, .event = event);
  return !error && call.ready;
}
static int wait_for(struct event *event) {
  CALL(Event_Await, .event = event);
  return code_of(error);
}
static int end_event(struct event *event) {
  CALL(Event_Destroy, .event = event);
  return code_of(error);
}
static int end_buffer(struct buffer *buffer) {
  CALL(Buffer_Destroy, .buffer = buffer);
  return code_of(error);
}
static int is_deleted(struct buffer *buffer) {
  CALL(Buffer_IsDeleted, .buffer = buffer);
  return error || call.deleted;
}
static struct buffer *put_on(struct client *client, struct device *device, const float *data, const int64_t *sizes,
                             size_t rank) {
  CALL(Client_BufferFromHostBuffer, .client = client, .device = device, .data = (const char *)data, .type = F32,
       .sizes = sizes, .rank = rank);
  if (code_of(error) || !is_ready(call.done) || end_event(call.done)) return 0;
  return call.buffer;
}
static struct buffer *put(struct client *client, const float *data, const int64_t *sizes, size_t rank) {
  return put_on(client, 0, data, sizes, rank);
}
static int get(struct buffer *buffer, float *data, size_t bytes) {
  CALL(Buffer_ToHostBuffer, .buffer = buffer, .data = (char *)data, .bytes = bytes);
  if (error) return code_of(error);
  const int code = wait_for(call.event);
  return end_event(call.event) ? -1 : code;
}
static int compile_for(struct client *client, int replicas, const char *text, size_t length, struct loaded **executable) {
  const struct Program program = {sizeof program, 0, (char *)text, length, "mlir", 4};
  /* CompileOptionsProto.executable_build_options.num_replicas */
  const char options[] = {3 << 3 | 2, 2, 4 << 3, replicas};
  CALL(Client_Compile, .client = client, .program = &program, .options = options, .options_size = sizeof options);
  *executable = call.executable;
  return code_of(error);
}
static int compile(struct client *client, const char *text, size_t length, struct loaded **executable) {
  return compile_for(client, 1, text, length, executable);
}
static int execute_with(struct context *context, struct loaded *executable, struct buffer *const *arguments,
                        size_t count, struct buffer **results, const int64_t *kept, size_t kept_count) {
  struct ExecuteOptions options = {
      .size = sizeof options, .kept = kept, .kept_count = kept_count, .context = context};
  struct event *event = 0;
  CALL(LoadedExecutable_Execute, .executable = executable, .options = &options, .arguments = &arguments, .devices = 1,
       .count = count, .results = &results, .events = &event);
  if (error) return code_of(error);
  const int code = wait_for(event);
  return end_event(event) ? -1 : code;
}

static int execute(struct loaded *executable, struct buffer *const *arguments, size_t count, struct buffer **results,
                   const int64_t *kept, size_t kept_count) {
  return execute_with(0, executable, arguments, count, results, kept, kept_count);
}

static int seen;
static void see(struct error *error, void *argument) {
  seen += code_of(error) == CANCELLED ? *(int *)argument : 1000;
}

static int check_events(void) {
  int one = 1;
  CALL(Event_Create);
  EXPECT(!error && !is_ready(call.event));
  {
    CALL(Event_OnReady, .event = call.event, .callback = see, .argument = &one);
    EXPECT(!error && !seen);
  }
  struct Event_Set_Args set = {.size = sizeof set, .event = call.event, .code = CANCELLED, .text = "not any more",
                               .length = 12};
  EXPECT(code_of(((struct error * (*)(void *)) api->Event_Set)(&set)) == OK && seen == 1);
  EXPECT(code_of(((struct error * (*)(void *)) api->Event_Set)(&set)) == FAILED_PRECONDITION);
  struct Event_OnReady_Args late = {.size = sizeof late, .event = call.event, .callback = see, .argument = &one};
  EXPECT(code_of(((struct error * (*)(void *)) api->Event_OnReady)(&late)) == OK && seen == 2);
  struct Event_Await_Args await = {.size = sizeof await, .event = call.event};
  EXPECT(code_of(((struct error * (*)(void *)) api->Event_Await)(&await)) == CANCELLED);
  return end_event(call.event);
}

static int check_arrays(struct client *client) {
  static const float data[6] __attribute__((aligned(64))) = {1, 2, 3, 4, 5, 6};
  const int64_t sizes[2] = {2, 3}, columns[2] = {4, 8}, negative[2] = {2, -3};
  float back[6];
  struct buffer *const buffer = put(client, data, sizes, 2);
  EXPECT(buffer && !get(buffer, back, sizeof back) && back[5] == 6);
  EXPECT(get(buffer, back, sizeof back - 1) == INVALID_ARGUMENT);
  EXPECT(!put(client, data, negative, 2));
  { /* an array in column-major order, and back in it */
    CALL(Client_BufferFromHostBuffer, .client = client, .data = (const char *)data, .type = F32, .sizes = sizes,
         .rank = 2, .strides = columns, .stride_count = 2);
    EXPECT(!error && !end_event(call.done) && !get(call.buffer, back, sizeof back));
    EXPECT(back[0] == 1 && back[1] == 3 && back[3] == 2);
    const int64_t order[2] = {0, 1}, wrong[2] = {0, 0};
    struct Buffer_MemoryLayout layout = {sizeof layout, 0, {{sizeof layout.tiled, 0, order, 2}}, TILED};
    struct Buffer_ToHostBuffer_Args host = {.size = sizeof host, .buffer = call.buffer, .layout = &layout,
                                            .data = (char *)back, .bytes = sizeof back};
    EXPECT(!code_of(((struct error * (*)(void *)) api->Buffer_ToHostBuffer)(&host)) && !end_event(host.event));
    EXPECT(back[1] == 2 && back[5] == 6);
    layout.tiled.minor_to_major = wrong;
    EXPECT(code_of(((struct error * (*)(void *)) api->Buffer_ToHostBuffer)(&host)) == INVALID_ARGUMENT);
    EXPECT(!end_buffer(call.buffer));
  }
  { /* the caller's memory, until the last buffer on it has ended */
    CALL(Client_BufferFromHostBuffer, .client = client, .data = (const char *)data, .type = F32, .sizes = sizes,
         .rank = 2, .semantics = ZERO_COPY);
    EXPECT(!error && !is_ready(call.done));
    struct Buffer_UnsafePointer_Args at = {.size = sizeof at, .buffer = call.buffer};
    EXPECT(!code_of(((struct error * (*)(void *)) api->Buffer_UnsafePointer)(&at)) && at.address == (size_t)data);
    struct Buffer_Device_Args device = {.size = sizeof device, .buffer = call.buffer};
    EXPECT(!code_of(((struct error * (*)(void *)) api->Buffer_Device)(&device)));
    struct Buffer_CopyToDevice_Args copy = {.size = sizeof copy, .buffer = call.buffer, .device = device.device};
    EXPECT(!code_of(((struct error * (*)(void *)) api->Buffer_CopyToDevice)(&copy)));
    EXPECT(!end_buffer(call.buffer) && !is_ready(call.done));
    EXPECT(!get(copy.copy, back, sizeof back) && back[5] == 6);
    EXPECT(!end_buffer(copy.copy) && is_ready(call.done) && !end_event(call.done));
  }
  { /* memory that is viewed outlives its buffer's deletion */
    struct Buffer_IncreaseExternalReferenceCount_Args view = {.size = sizeof view, .buffer = buffer};
    struct Buffer_UnsafePointer_Args at = {.size = sizeof at, .buffer = buffer};
    EXPECT(!code_of(((struct error * (*)(void *)) api->Buffer_IncreaseExternalReferenceCount)(&view)));
    EXPECT(!code_of(((struct error * (*)(void *)) api->Buffer_UnsafePointer)(&at)));
    CALL(Buffer_Delete, .buffer = buffer);
    EXPECT(!error && is_deleted(buffer) && ((const float *)at.address)[5] == 6);
    EXPECT(get(buffer, back, sizeof back) == INVALID_ARGUMENT);
    EXPECT(!code_of(((struct error * (*)(void *)) api->Buffer_DecreaseExternalReferenceCount)(&view)));
    EXPECT(code_of(((struct error * (*)(void *)) api->Buffer_DecreaseExternalReferenceCount)(&view)) ==
           INVALID_ARGUMENT);
    EXPECT(!end_buffer(buffer));
  }
  return 0;
}

static int check_programs(struct client *client, int compiles) {
  static const char ADD[] = "func.func @main(%x: tensor<3xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<3xf32>) -> "
                            "tensor<3xf32> { %0 = stablehlo.add %x, %y : tensor<3xf32> return %0 : tensor<3xf32> }";
  const float data[3] = {1, 2, 3};
  const int64_t three = 3, two = 2, first = 0;
  float back[3];
  struct loaded *executable = 0, *other = 0;
  if (!compiles) return compile(client, ADD, sizeof ADD - 1, &executable) == FAILED_PRECONDITION ? 0 : __LINE__;
  EXPECT(compile(client, "garbage", 7, &executable) == INVALID_ARGUMENT);
  EXPECT(!compile(client, ADD, sizeof ADD - 1, &executable));
  struct buffer *const x = put(client, data, &three, 1), *const y = put(client, data, &three, 1);
  struct buffer *const small = put(client, data, &two, 1), *result = 0;
  struct buffer *const right[] = {x, y}, *const wrong[] = {x, small};
  EXPECT(execute(executable, right, 1, &result, 0, 0) == INVALID_ARGUMENT);
  EXPECT(execute(executable, wrong, 2, &result, 0, 0) == INVALID_ARGUMENT && !is_deleted(x));
  EXPECT(!execute(executable, right, 2, &result, &first, 1) && !is_deleted(x));
  EXPECT(!get(result, back, sizeof back) && back[2] == 6 && !end_buffer(result));
  EXPECT(!execute(executable, right, 2, &result, 0, 0) && is_deleted(x) && !is_deleted(y));
  EXPECT(!get(result, back, sizeof back) && back[0] == 2);
  EXPECT(execute(executable, right, 2, &result, 0, 0) == INVALID_ARGUMENT);
  { /* serialize, load again, run */
    CALL(LoadedExecutable_GetExecutable, .loaded = executable);
    EXPECT(!error);
    struct Executable_Serialize_Args serial = {.size = sizeof serial, .executable = call.executable};
    EXPECT(!code_of(((struct error * (*)(void *)) api->Executable_Serialize)(&serial)));
    struct Executable_DeserializeAndLoad_Args load = {.size = sizeof load, .client = client, .bytes = serial.bytes,
                                                      .length = serial.length};
    EXPECT(!code_of(((struct error * (*)(void *)) api->Executable_DeserializeAndLoad)(&load)));
    other = load.executable;
    load.length--;
    EXPECT(code_of(((struct error * (*)(void *)) api->Executable_DeserializeAndLoad)(&load)) == INVALID_ARGUMENT);
    serial.destroy(serial.owner);
    struct Executable_Destroy_Args destroy = {.size = sizeof destroy, .executable = call.executable};
    EXPECT(!code_of(((struct error * (*)(void *)) api->Executable_Destroy)(&destroy)));
  }
  struct LoadedExecutable_Destroy_Args destroy = {.size = sizeof destroy, .executable = executable};
  EXPECT(!code_of(((struct error * (*)(void *)) api->LoadedExecutable_Destroy)(&destroy)));
  struct buffer *const again[] = {put(client, data, &three, 1), y};
  EXPECT(!execute(other, again, 2, &result, 0, 0) && !get(result, back, sizeof back) && back[2] == 6);
  CALL(LoadedExecutable_Delete, .executable = other);
  EXPECT(!error && execute(other, right, 2, &result, 0, 0) == INVALID_ARGUMENT);
  destroy.executable = other;
  EXPECT(!code_of(((struct error * (*)(void *)) api->LoadedExecutable_Destroy)(&destroy)));
  return end_buffer(x) || end_buffer(y) || end_buffer(small) || end_buffer(again[0]) || end_buffer(result);
}

/* What a handler of XLA's typed FFI gets, as far as this one reads it. */
struct array { size_t size; void *extension; int type; float *data; };
struct arrays { size_t size; void *extension; int64_t count; int *kinds; struct array **values; };
struct asked { size_t size; int type; void *next; struct { size_t size, version_size; void *extension; int major, minor; } *answer; };
struct functions { size_t size; void *extension; size_t version[3]; const void *internal; void *all[20]; };
struct frame { size_t size; struct asked *asked; const struct functions *api; void *run; int stage; struct arrays arguments, results; };
static int64_t user_type;
static void *add_ten(struct frame *frame) {
  if (frame->asked) { /* for the version that the handler was compiled for */
    frame->asked->answer->major = 0, frame->asked->answer->minor = 1;
    return 0;
  }
  /* or what the client passes to this call */
  struct { size_t size; void *extension, *run; int64_t *type; void *data; } of = {sizeof of, 0, frame->run, &user_type};
  void *const none = ((void *(*)(void *)) frame->api->all[6])(&of);
  const float more = none ? 10 : *(float *)of.data;
  if (none) {
    struct { size_t size; void *extension, *error; } error = {sizeof error, 0, none};
    ((void (*)(void *))frame->api->all[2])(&error);
  }
  for (int i = 0; i < 3; i++) frame->results.values[0]->data[i] = frame->arguments.values[0]->data[i] + more;
  return 0;
}
static int register_handler(const struct FFI_Extension *ffi, const char *platform) {
  struct FFI_Register_Handler_Args args = {sizeof args, "client.add_ten", 14, (void *)add_ten, platform, 0};
  while (platform[args.platform_length]) args.platform_length++;
  return code_of(((struct error * (*)(void *)) ffi->register_handler)(&args));
}
/* Handlers of all devices get the data of a call: without a collective, and with one. */
static int check_data_of_devices(struct client *client, struct context *context) {
  static const char *const texts[] = {
      "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { %0 = stablehlo.custom_call @client.add_ten(%x) "
      "{api_version = 4 : i32} : (tensor<3xf32>) -> tensor<3xf32> return %0 : tensor<3xf32> }",
      "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { %0 = stablehlo.custom_call @client.add_ten(%x) "
      "{api_version = 4 : i32} : (tensor<3xf32>) -> tensor<3xf32> "
      "%1 = \"stablehlo.all_reduce\"(%0) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %2 = stablehlo.add %a, %b : "
      "tensor<f32> stablehlo.return %2 : tensor<f32> }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : "
      "(tensor<3xf32>) -> tensor<3xf32> return %1 : tensor<3xf32> }"};
  const float data[3] = {1, 2, 3};
  const int64_t three = 3;
  for (int sums = 0; sums < 2; sums++) {
    size_t length = 0;
    while (texts[sums][length]) length++;
    struct loaded *executable = 0;
    EXPECT(!compile_for(client, 2, texts[sums], length, &executable));
    for (int with = 0; with < 2; with++) {
      struct buffer *given[2], *taken[2] = {0}, **results[] = {taken, taken + 1};
      struct event *events[2];
      for (int n = 0; n < 2; n++) {
        CALL(Client_LookupDevice, .client = client, .id = n);
        EXPECT(!error && (given[n] = put_on(client, call.device, data, &three, 1)));
      }
      struct buffer *const *arguments[] = {given, given + 1};
      struct ExecuteOptions options = {.size = sizeof options, .context = with ? context : 0};
      CALL(LoadedExecutable_Execute, .executable = executable, .options = &options, .arguments = arguments, .devices = 2,
           .count = 1, .results = results, .events = events);
      EXPECT(!code_of(error));
      for (int n = 0; n < 2; n++) {
        float back[3];
        EXPECT(!wait_for(events[n]) && !end_event(events[n]) && !get(taken[n], back, sizeof back));
        EXPECT(back[2] == (sums ? 2 : 1) * (with ? 23 : 13) && !end_buffer(given[n]) && !end_buffer(taken[n]));
      }
    }
    CALL(LoadedExecutable_Destroy, .executable = executable);
    EXPECT(!error);
  }
  return 0;
}
static int check_extensions(struct client *client, int compiles) {
  static const char CALL_IT[] = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { %0 = stablehlo.custom_call "
                                "@client.add_ten(%x) {api_version = 4 : i32} : (tensor<3xf32>) -> tensor<3xf32> "
                                "return %0 : tensor<3xf32> }";
  const struct FFI_Extension *ffi = 0;
  const struct Layouts_Extension *layouts = 0;
  const struct MemoryDescriptions_Extension *memories = 0;
  for (const struct Extension_Base *e = api->extension; e; e = e->next) {
    if (e->type == FFI) ffi = (const void *)e;
    if (e->type == LAYOUTS) layouts = (const void *)e;
    if (e->type == MEMORY_DESCRIPTIONS) memories = (const void *)e;
  }
  EXPECT(ffi && layouts && memories);
  struct Layouts_PJRT_Client_GetDefaultLayout_Args of = {.size = sizeof of, .client = client, .type = F32, .rank = 3};
  EXPECT(!code_of(((struct error * (*)(void *)) layouts->of_client)(&of)));
  struct Layouts_MemoryLayout_Serialize_Args text = {.size = sizeof text, .layout = of.layout};
  EXPECT(!code_of(((struct error * (*)(void *)) layouts->serialize)(&text)) && text.length == 7);
  EXPECT(!strcmp(text.bytes, "{2,1,0}"));
  text.destroy(text.owner);
  struct Client_LookupDevice_Args device = {.size = sizeof device, .client = client, .id = 1};
  EXPECT(!code_of(((struct error * (*)(void *)) api->Client_LookupDevice)(&device)));
  struct DeviceDescription_MemoryDescriptions_Args listed = {.size = sizeof listed, .device = device.device};
  EXPECT(!code_of(((struct error * (*)(void *)) memories->of_device)(&listed)) && listed.count == 3 && !listed.preferred);
  struct MemoryDescription_Kind_Args kind = {.size = sizeof kind, .memory = *listed.memories};
  EXPECT(!code_of(((struct error * (*)(void *)) memories->kind)(&kind)) && !strcmp(kind.text, "device"));
  if (!compiles) return register_handler(ffi, "hlo2tiny") == FAILED_PRECONDITION ? 0 : __LINE__;
  EXPECT(register_handler(ffi, "whatever") == INVALID_ARGUMENT && !register_handler(ffi, "Host"));
  EXPECT(!register_handler(ffi, "hlo2tiny"));
  struct FFI_Type_Register_Args type = {.size = sizeof type, .text = "client.type", .length = 11};
  EXPECT(!code_of(((struct error * (*)(void *)) ffi->type_register)(&type)) && type.type);
  const int64_t number = type.type, three = 3;
  type.type = 0;
  EXPECT(!code_of(((struct error * (*)(void *)) ffi->type_register)(&type)) && type.type == number);
  struct loaded *executable = 0;
  EXPECT(!compile(client, CALL_IT, sizeof CALL_IT - 1, &executable));
  const float data[3] = {1, 2, 3};
  float back[3];
  struct buffer *const x = put(client, data, &three, 1), *result = 0;
  EXPECT(!execute(executable, &x, 1, &result, 0, 0) && !get(result, back, sizeof back) && back[2] == 13);
  EXPECT(!end_buffer(result));
  struct ExecuteContext_Create_Args context = {.size = sizeof context};
  EXPECT(!code_of(((struct error * (*)(void *)) api->ExecuteContext_Create)(&context)));
  float twenty = 20, other = 1;
  user_type = number;
  struct FFI_UserData_Add_Args add = {.size = sizeof add, .context = context.context, .data = {number, &twenty}};
  EXPECT(!code_of(((struct error * (*)(void *)) ffi->user_data_add)(&add)));
  add.data.type = number + 1, add.data.data = &other;
  EXPECT(!code_of(((struct error * (*)(void *)) ffi->user_data_add)(&add)));
  EXPECT(!execute_with(context.context, executable, &x, 1, &result, 0, 0) && !get(result, back, sizeof back));
  EXPECT(back[2] == 23 && !end_buffer(result));
  const int line = check_data_of_devices(client, context.context);
  if (line) return line;
  struct ExecuteContext_Destroy_Args ended = {.size = sizeof ended, .context = context.context};
  EXPECT(!code_of(((struct error * (*)(void *)) api->ExecuteContext_Destroy)(&ended)));
  EXPECT(code_of(((struct error * (*)(void *)) ffi->user_data_add)(&add)) == INVALID_ARGUMENT);
  EXPECT(execute_with(context.context, executable, &x, 1, &result, 0, 0) == INVALID_ARGUMENT);
  EXPECT(!execute(executable, &x, 1, &result, 0, 0) && !get(result, back, sizeof back) && back[2] == 13);
  CALL(LoadedExecutable_Destroy, .executable = executable);
  return code_of(error) || end_buffer(x) || end_buffer(result);
}

/* Compile a program and write what it is serialized to; returns how many bytes these are, or minus a line. */
__attribute__((visibility("default"))) long serialize(const struct api *given, const char *text, size_t length, char *to) {
  api = given;
  CALL(Client_Create);
  if (code_of(error)) return -__LINE__;
  struct loaded *executable = 0;
  if (compile(call.client, text, length, &executable)) return -__LINE__;
  struct LoadedExecutable_GetExecutable_Args get = {.size = sizeof get, .loaded = executable};
  if (code_of(((struct error * (*)(void *)) api->LoadedExecutable_GetExecutable)(&get))) return -__LINE__;
  struct Executable_Serialize_Args serial = {.size = sizeof serial, .executable = get.executable};
  if (code_of(((struct error * (*)(void *)) api->Executable_Serialize)(&serial))) return -__LINE__;
  memcpy(to, serial.bytes, serial.length);
  serial.destroy(serial.owner);
  return serial.length;
}

__attribute__((visibility("default"))) int check(const struct api *given, int compiles) {
  api = given;
  EXPECT(api->size >= sizeof *api && api->version.major == MAJOR && api->version.minor == MINOR);
  CALL(Client_Create);
  EXPECT(!error);
  struct client *const client = call.client;
  struct Client_Devices_Args devices = {.size = sizeof devices, .client = client};
  EXPECT(!code_of(((struct error * (*)(void *)) api->Client_Devices)(&devices)) && devices.count == 2);
  struct Client_LookupDevice_Args device = {.size = sizeof device, .client = client, .id = 2};
  EXPECT(code_of(((struct error * (*)(void *)) api->Client_LookupDevice)(&device)) == NOT_FOUND);
  /* older callers know fewer members, and what has no function says so */
  struct Client_LookupDevice_Args older = {.size = sizeof older - sizeof older.device, .client = client};
  struct error *const too_old = ((struct error * (*)(void *)) api->Client_LookupDevice)(&older);
  EXPECT(says(too_old, "the client is older than the versions that hlo2tiny knows"));
  EXPECT(code_of(too_old) == INVALID_ARGUMENT);
  EXPECT(code_of(((struct error * (*)(void *)) api->Client_DmaMap)(&older)) == UNIMPLEMENTED);
  int line = check_events();
  if (!line) line = check_arrays(client);
  if (!line) line = check_programs(client, compiles);
  if (!line) line = check_extensions(client, compiles);
  struct Client_Destroy_Args destroy = {.size = sizeof destroy, .client = client};
  EXPECT(!code_of(((struct error * (*)(void *)) api->Client_Destroy)(&destroy)));
  return line;
}
