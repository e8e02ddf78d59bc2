/* PJRT's C interface in our own words: what a call passes, in the order that all versions keep. Structures only grow at
   their ends, so each begins with its size, and code that knows more members than that leaves the others alone. No
   headers of a C library are used here. tests/pjrt compares all of this with OpenXLA's header. */
typedef __SIZE_TYPE__ size_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;

/* The objects that a client holds. */
struct error;
struct event;
struct client;
struct topology;
struct device;
struct memory;
struct buffer;
struct executable;
struct loaded;
struct layout;
struct context;

enum { MAJOR = 0, MINOR = 114 };

enum code {
  OK = 0,
  CANCELLED = 1,
  INVALID_ARGUMENT = 3,
  NOT_FOUND = 5,
  RESOURCE_EXHAUSTED = 8,
  FAILED_PRECONDITION = 9,
  UNIMPLEMENTED = 12,
  INTERNAL = 13
};

/* Element types: the bytes of one in host memory, where narrow integers and floats have a byte each. */
#define ELEMENTS(X)                                                                                                    \
  X(INVALID, 0) X(PRED, 1) X(S8, 1) X(S16, 2) X(S32, 4) X(S64, 8) X(U8, 1) X(U16, 2) X(U32, 4) X(U64, 8) X(F16, 2)     \
  X(F32, 4) X(F64, 8) X(BF16, 2) X(C64, 8) X(C128, 16) X(F8E5M2, 1) X(F8E4M3FN, 1) X(F8E4M3B11FNUZ, 1)                 \
  X(F8E5M2FNUZ, 1) X(F8E4M3FNUZ, 1) X(S4, 1) X(U4, 1) X(TOKEN, 0) X(S2, 1) X(U2, 1) X(F8E4M3, 1) X(F8E3M4, 1)          \
  X(F8E8M0FNU, 1) X(F4E2M1FN, 1) X(S1, 1) X(U1, 1) X(F6E2M3FN, 1) X(F6E3M2FN, 1)
#define ELEMENT(name, bytes) name,
enum element { ELEMENTS(ELEMENT) ELEMENT_COUNT };

/* How long the caller's memory stays as it is, in the order of the interface. */
enum semantics { DURING_CALL, UNTIL_TRANSFERRED, ZERO_COPY, MUTABLE_ZERO_COPY };

#define HEAD size_t size; void *extension;

struct Error_FunctionTable {
  size_t size, instance_size;
  void *extension;
  void (*destroy)(struct error *error);
  void (*message)(const struct error *error, const char **text, size_t *length);
  enum code (*code)(const struct error *error);
  void (*each_payload)(const struct error *error, void *visitor, void *argument);
};
struct Memory_FunctionTable {
  HEAD size_t instance_size;
  void *(*user_data)(struct memory *memory, const void *key);
  void (*set_user_data)(struct memory *memory, const void *key, void *data, void (*destroy)(void *data));
};
struct NamedValue {
  HEAD const char *name;
  size_t name_length;
  enum { STRING, INTEGER, INTEGERS, FLOAT, BOOL } type;
  union {
    const char *string;
    int64_t integer;
    const int64_t *integers;
    float number;
    _Bool truth;
  };
  size_t length;
};
struct Buffer_MemoryLayout_Tiled {
  HEAD const int64_t *minor_to_major;
  size_t rank;
  const int64_t *tile_sizes;
  const size_t *tile_ranks;
  size_t tiles;
};
struct Buffer_MemoryLayout_Strides {
  HEAD const int64_t *strides;
  size_t rank;
};
struct Buffer_MemoryLayout {
  HEAD union {
    struct Buffer_MemoryLayout_Tiled tiled;
    struct Buffer_MemoryLayout_Strides strided;
  };
  enum { TILED, STRIDED } type;
};
struct Program {
  HEAD char *code;
  size_t code_size;
  const char *format;
  size_t format_length;
};
struct ExecuteOptions {
  HEAD void *send_callbacks, *receive_callbacks;
  size_t sends, receives;
  int launch;
  const int64_t *kept;
  size_t kept_count;
  struct context *context;
};
struct Api_Version {
  HEAD int major, minor;
};

/* What each function takes; the struct has the function's name. */
#define TAKES(name, ...)                                                                                               \
  struct name##_Args {                                                                                                 \
    HEAD __VA_ARGS__;                                                                                                  \
  };
#define TEXT const char *text; size_t length
#define BYTES const char *bytes; size_t length; void *owner; void (*destroy)(void *owner)
#define SHAPE const int64_t *sizes; size_t rank; enum element type; struct Buffer_MemoryLayout *layout

TAKES(Error_Destroy, struct error *error)
TAKES(Error_Message, const struct error *error; TEXT)
TAKES(Error_GetCode, const struct error *error; enum code code)
TAKES(Error_ForEachPayload, const struct error *error; void *visitor, *argument)
TAKES(Plugin_Initialize, )
TAKES(Plugin_Attributes, const struct NamedValue *attributes; size_t count)
TAKES(Event_Destroy, struct event *event)
TAKES(Event_IsReady, struct event *event; _Bool ready)
TAKES(Event_Error, struct event *event)
TAKES(Event_Await, struct event *event)
TAKES(Event_OnReady, struct event *event; void (*callback)(struct error *error, void *argument); void *argument)
TAKES(Event_Create, struct event *event)
TAKES(Event_Set, struct event *event; enum code code; TEXT)
TAKES(Client_Create, const struct NamedValue *options; size_t count; void *get, *get_argument, *put, *put_argument;
      struct client *client; void *try_get, *try_get_argument)
TAKES(Client_Destroy, struct client *client)
TAKES(Client_PlatformName, struct client *client; TEXT)
TAKES(Client_ProcessIndex, struct client *client; int index)
TAKES(Client_PlatformVersion, struct client *client; TEXT)
TAKES(Client_TopologyDescription, struct client *client; struct topology *topology)
TAKES(Client_Devices, struct client *client; struct device *const *devices; size_t count)
TAKES(Client_AddressableDevices, struct client *client; struct device *const *devices; size_t count)
TAKES(Client_LookupDevice, struct client *client; int id; struct device *device)
TAKES(Client_LookupAddressableDevice, struct client *client; int id; struct device *device)
TAKES(Client_AddressableMemories, struct client *client; struct memory *const *memories; size_t count)
TAKES(Client_Compile, struct client *client; const struct Program *program; const char *options; size_t options_size;
      struct loaded *executable)
TAKES(Client_DefaultDeviceAssignment, struct client *client; int replicas, partitions; size_t count; int *assignment)
TAKES(Client_CreateUninitializedBuffer, struct client *client; SHAPE; struct device *device; struct memory *memory;
      struct buffer *buffer)
TAKES(Client_BufferFromHostBuffer, struct client *client; const char *data; enum element type; const int64_t *sizes;
      size_t rank; const int64_t *strides; size_t stride_count; enum semantics semantics; struct device *device;
      struct memory *memory; struct Buffer_MemoryLayout *layout; struct event *done; struct buffer *buffer)
TAKES(Client_CreateViewOfDeviceBuffer, struct client *client; char *data; const int64_t *sizes; size_t rank;
      enum element type; struct Buffer_MemoryLayout *layout; struct device *device;
      void (*on_delete)(void *data, void *argument); void *argument; size_t stream; struct buffer *buffer;
      struct memory *memory)
TAKES(DeviceDescription_Id, struct device *device; int id)
TAKES(DeviceDescription_ProcessIndex, struct device *device; int index)
TAKES(DeviceDescription_Attributes, struct device *device; size_t count; const struct NamedValue *attributes)
TAKES(DeviceDescription_Kind, struct device *device; TEXT)
TAKES(DeviceDescription_DebugString, struct device *device; TEXT)
TAKES(DeviceDescription_ToString, struct device *device; TEXT)
TAKES(Device_GetDescription, struct device *device; struct device *description)
TAKES(Device_IsAddressable, struct device *device; _Bool addressable)
TAKES(Device_LocalHardwareId, struct device *device; int id)
TAKES(Device_AddressableMemories, struct device *device; struct memory *const *memories; size_t count)
TAKES(Device_DefaultMemory, struct device *device; struct memory *memory)
TAKES(Device_GetAttributes, struct device *device; const struct NamedValue *attributes; size_t count; void *owner;
      void (*destroy)(void *owner))
TAKES(Memory_Id, struct memory *memory; int id)
TAKES(Memory_Kind, struct memory *memory; TEXT)
TAKES(Memory_Kind_Id, struct memory *memory; int id)
TAKES(Memory_DebugString, struct memory *memory; TEXT)
TAKES(Memory_ToString, struct memory *memory; TEXT)
TAKES(Memory_AddressableByDevices, struct memory *memory; struct device *const *devices; size_t count)
TAKES(Executable_Destroy, struct executable *executable)
TAKES(Executable_Name, struct executable *executable; TEXT)
TAKES(Executable_NumReplicas, struct executable *executable; size_t count)
TAKES(Executable_NumPartitions, struct executable *executable; size_t count)
TAKES(Executable_NumOutputs, struct executable *executable; size_t count)
TAKES(Executable_SizeOfGeneratedCodeInBytes, struct executable *executable; int64_t bytes)
TAKES(Executable_Fingerprint, struct executable *executable; TEXT)
TAKES(Executable_GetCostAnalysis, struct executable *executable; size_t count; const struct NamedValue *properties)
TAKES(Executable_GetCompiledMemoryStats, struct executable *executable; int64_t code, arguments, results, shared, arena;
      int64_t host_code, host_arguments, host_results, host_shared, host_arena;
      int64_t peak, total, allocated, indefinite, unpadded)
TAKES(Executable_OutputElementTypes, struct executable *executable; enum element *types; size_t count)
TAKES(Executable_OutputDimensions, struct executable *executable; size_t count; const int64_t *sizes;
      const size_t *ranks)
TAKES(Executable_ParameterMemoryKinds, struct executable *executable; size_t count; const char *const *kinds;
      const size_t *lengths)
TAKES(Executable_OutputMemoryKinds, struct executable *executable; size_t count; const char *const *kinds;
      const size_t *lengths)
TAKES(Executable_OptimizedProgram, struct executable *executable; struct Program *program)
TAKES(Executable_Serialize, const struct executable *executable; BYTES)
TAKES(Executable_GetCompileOptions, struct executable *executable; BYTES)
TAKES(Executable_DeserializeAndLoad, struct client *client; const char *bytes; size_t length;
      struct loaded *executable; const char *options; size_t options_size; void *load_options)
TAKES(ExecuteContext_Create, struct context *context)
TAKES(ExecuteContext_Destroy, struct context *context)
TAKES(LoadedExecutable_Destroy, struct loaded *executable)
TAKES(LoadedExecutable_GetExecutable, struct loaded *loaded; struct executable *executable)
TAKES(LoadedExecutable_GetDeviceAssignment, struct loaded *executable; BYTES)
TAKES(LoadedExecutable_AddressableDevices, struct loaded *executable; struct device *const *devices; size_t count)
TAKES(LoadedExecutable_AddressableDeviceLogicalIds, struct loaded *executable;
      struct logical_id { int replica, partition; } *ids; size_t count)
TAKES(LoadedExecutable_Delete, struct loaded *executable)
TAKES(LoadedExecutable_IsDeleted, struct loaded *executable; _Bool deleted)
TAKES(LoadedExecutable_Fingerprint, struct loaded *executable; TEXT)
TAKES(LoadedExecutable_Execute, struct loaded *executable; struct ExecuteOptions *options;
      struct buffer *const *const *arguments; size_t devices, count; struct buffer **const *results;
      struct event **events; struct device *device)
TAKES(Buffer_Destroy, struct buffer *buffer)
TAKES(Buffer_ElementType, struct buffer *buffer; enum element type)
TAKES(Buffer_Dimensions, struct buffer *buffer; const int64_t *sizes; size_t rank)
TAKES(Buffer_UnpaddedDimensions, struct buffer *buffer; const int64_t *sizes; size_t rank)
TAKES(Buffer_DynamicDimensionIndices, struct buffer *buffer; const size_t *indices; size_t count)
TAKES(Buffer_GetMemoryLayout, struct buffer *buffer; struct Buffer_MemoryLayout layout)
TAKES(Buffer_ToHostBuffer, struct buffer *buffer; struct Buffer_MemoryLayout *layout; char *data; size_t bytes;
      struct event *event)
TAKES(Buffer_OnDeviceSizeInBytes, struct buffer *buffer; size_t bytes)
TAKES(Buffer_Delete, struct buffer *buffer)
TAKES(Buffer_IsDeleted, struct buffer *buffer; _Bool deleted)
TAKES(Buffer_CopyRawToHost, struct buffer *buffer; char *data; int64_t offset, bytes; struct event *event)
TAKES(Buffer_CopyToDevice, struct buffer *buffer; struct device *device; struct buffer *copy)
TAKES(Buffer_CopyToMemory, struct buffer *buffer; struct memory *memory; struct buffer *copy)
TAKES(Buffer_IsOnCpu, struct buffer *buffer; _Bool on_cpu)
TAKES(Buffer_Device, struct buffer *buffer; struct device *device)
TAKES(Buffer_Memory, struct buffer *buffer; struct memory *memory)
TAKES(Buffer_ReadyEvent, struct buffer *buffer; struct event *event)
TAKES(Buffer_UnsafePointer, struct buffer *buffer; size_t address)
TAKES(Buffer_IncreaseExternalReferenceCount, struct buffer *buffer)
TAKES(Buffer_DecreaseExternalReferenceCount, struct buffer *buffer)
TAKES(Buffer_OpaqueDeviceMemoryDataPointer, struct buffer *buffer; char *data)
TAKES(TopologyDescription_Destroy, struct topology *topology)
TAKES(TopologyDescription_PlatformName, const struct topology *topology; TEXT)
TAKES(TopologyDescription_PlatformVersion, const struct topology *topology; TEXT)
TAKES(TopologyDescription_GetDeviceDescriptions, const struct topology *topology; struct device *const *devices;
      size_t count)
TAKES(TopologyDescription_Attributes, const struct topology *topology; const struct NamedValue *attributes;
      size_t count)
TAKES(TopologyDescription_Fingerprint, const struct topology *topology; uint64_t fingerprint)

/* All functions, in the order in which the interface has them. */
#define FUNCTIONS(X)                                                                                                   \
  X(Error_Destroy) X(Error_Message) X(Error_GetCode) X(Plugin_Initialize) X(Plugin_Attributes) X(Event_Destroy)        \
  X(Event_IsReady) X(Event_Error) X(Event_Await) X(Event_OnReady) X(Client_Create) X(Client_Destroy)                   \
  X(Client_PlatformName) X(Client_ProcessIndex) X(Client_PlatformVersion) X(Client_Devices)                            \
  X(Client_AddressableDevices) X(Client_LookupDevice) X(Client_LookupAddressableDevice)                                \
  X(Client_AddressableMemories) X(Client_Compile) X(Client_DefaultDeviceAssignment) X(Client_BufferFromHostBuffer)     \
  X(DeviceDescription_Id) X(DeviceDescription_ProcessIndex) X(DeviceDescription_Attributes) X(DeviceDescription_Kind)  \
  X(DeviceDescription_DebugString) X(DeviceDescription_ToString) X(Device_GetDescription) X(Device_IsAddressable)      \
  X(Device_LocalHardwareId) X(Device_AddressableMemories) X(Device_DefaultMemory) X(Device_MemoryStats) X(Memory_Id)   \
  X(Memory_Kind) X(Memory_DebugString) X(Memory_ToString) X(Memory_AddressableByDevices) X(Executable_Destroy)         \
  X(Executable_Name) X(Executable_NumReplicas) X(Executable_NumPartitions) X(Executable_NumOutputs)                    \
  X(Executable_SizeOfGeneratedCodeInBytes) X(Executable_GetCostAnalysis) X(Executable_OutputMemoryKinds)               \
  X(Executable_OptimizedProgram) X(Executable_Serialize) X(LoadedExecutable_Destroy) X(LoadedExecutable_GetExecutable) \
  X(LoadedExecutable_AddressableDevices) X(LoadedExecutable_Delete) X(LoadedExecutable_IsDeleted)                      \
  X(LoadedExecutable_Execute) X(Executable_DeserializeAndLoad) X(LoadedExecutable_Fingerprint) X(Buffer_Destroy)       \
  X(Buffer_ElementType) X(Buffer_Dimensions) X(Buffer_UnpaddedDimensions) X(Buffer_DynamicDimensionIndices)            \
  X(Buffer_GetMemoryLayout) X(Buffer_OnDeviceSizeInBytes) X(Buffer_Device) X(Buffer_Memory) X(Buffer_Delete)           \
  X(Buffer_IsDeleted) X(Buffer_CopyToDevice) X(Buffer_ToHostBuffer) X(Buffer_IsOnCpu) X(Buffer_ReadyEvent)             \
  X(Buffer_UnsafePointer) X(Buffer_IncreaseExternalReferenceCount) X(Buffer_DecreaseExternalReferenceCount)            \
  X(Buffer_OpaqueDeviceMemoryDataPointer) X(CopyToDeviceStream_Destroy) X(CopyToDeviceStream_AddChunk)                 \
  X(CopyToDeviceStream_TotalBytes) X(CopyToDeviceStream_GranuleSize) X(CopyToDeviceStream_CurrentBytes)                \
  X(TopologyDescription_Create) X(TopologyDescription_Destroy) X(TopologyDescription_PlatformName)                     \
  X(TopologyDescription_PlatformVersion) X(TopologyDescription_GetDeviceDescriptions) X(TopologyDescription_Serialize) \
  X(TopologyDescription_Attributes) X(Compile) X(Executable_OutputElementTypes) X(Executable_OutputDimensions)         \
  X(Buffer_CopyToMemory) X(Client_CreateViewOfDeviceBuffer) X(Executable_Fingerprint) X(Client_TopologyDescription)    \
  X(Executable_GetCompiledMemoryStats) X(Memory_Kind_Id) X(ExecuteContext_Create) X(ExecuteContext_Destroy)            \
  X(Buffer_CopyRawToHost) X(AsyncHostToDeviceTransferManager_Destroy)                                                  \
  X(AsyncHostToDeviceTransferManager_TransferData) X(Client_CreateBuffersForAsyncHostToDevice)                         \
  X(AsyncHostToDeviceTransferManager_RetrieveBuffer) X(AsyncHostToDeviceTransferManager_Device)                        \
  X(AsyncHostToDeviceTransferManager_BufferCount) X(AsyncHostToDeviceTransferManager_BufferSize)                       \
  X(AsyncHostToDeviceTransferManager_SetBufferError) X(AsyncHostToDeviceTransferManager_AddMetadata) X(Client_DmaMap)  \
  X(Client_DmaUnmap) X(Client_CreateUninitializedBuffer) X(Client_UpdateGlobalProcessInfo)                             \
  X(TopologyDescription_Deserialize) X(Client_CreateAliasBuffer) X(Client_FulfillAliasBuffer)                          \
  X(LoadedExecutable_GetDeviceAssignment) X(Client_CreateErrorBuffer)                                                  \
  X(AsyncHostToDeviceTransferManager_TransferLiteral) X(Buffer_CopyRawToHostFuture) X(Device_PoisonExecution)          \
  X(Device_CreateAsyncTrackingEvent) X(AsyncTrackingEvent_Destroy) X(Executable_GetCompileOptions)                     \
  X(Buffer_DonateWithControlDependency) X(Event_Create) X(Event_Set) X(Device_GetAttributes) X(Client_Load)            \
  X(LoadedExecutable_AddressableDeviceLogicalIds) X(Buffer_Bitcast) X(Error_ForEachPayload)                            \
  X(TopologyDescription_Fingerprint) X(Executable_ParameterMemoryKinds) X(Device_ClearMemoryStats)                     \
  X(TopologyDescription_MakeCanonicalShapeForMemorySpace) X(TopologyDescription_GetMemorySpaceKindIds)

#define MEMBER(name) void *name;
struct api {
  HEAD struct Api_Version version;
  FUNCTIONS(MEMBER)
};

/* Extensions are a list that the table of functions begins. */
enum { LAYOUTS = 4, FFI = 5, MEMORY_DESCRIPTIONS = 6 };
struct Extension_Base {
  size_t size;
  int type;
  const struct Extension_Base *next;
};

TAKES(Layouts_MemoryLayout_Destroy, struct layout *layout)
TAKES(Layouts_MemoryLayout_Serialize, struct layout *layout; BYTES)
TAKES(Layouts_PJRT_Client_GetDefaultLayout, struct client *client; enum element type; const int64_t *sizes; size_t rank;
      struct layout *layout)
TAKES(Layouts_PJRT_Buffer_MemoryLayout, struct buffer *buffer; struct layout *layout)
TAKES(Layouts_PJRT_Topology_GetDefaultLayout, struct topology *topology; enum element type; const int64_t *sizes;
      size_t rank; struct layout *layout)
TAKES(Layouts_PJRT_Executable_GetOutputLayouts, struct executable *executable; size_t count; struct layout **layouts)
TAKES(Layouts_PJRT_Executable_GetParameterLayouts, struct executable *executable; size_t count; struct layout **layouts)
struct Layouts_Extension {
  struct Extension_Base base;
  void *destroy, *serialize, *of_client, *of_buffer, *of_topology, *of_results, *of_arguments;
};

struct FFI_Type_Info {
  void (*delete)(void *object), (*serialize)(void), (*deserialize)(void);
};
TAKES(FFI_Type_Register, TEXT; int64_t type; const struct FFI_Type_Info *info)
TAKES(FFI_UserData_Add, struct context *context; struct { int64_t type; void *data; } data)
/* The one structure that knows no extensions of its own. */
struct FFI_Register_Handler_Args {
  size_t size;
  TEXT;
  void *handler;
  const char *platform;
  size_t platform_length;
  int traits;
};
struct FFI_Extension {
  struct Extension_Base base;
  void *type_register, *user_data_add, *register_handler;
};

TAKES(DeviceDescription_MemoryDescriptions, struct device *device; struct memory *const *memories; size_t count,
      preferred)
TAKES(MemoryDescription_Kind, const struct memory *memory; TEXT; int id)
struct MemoryDescriptions_Extension {
  struct Extension_Base base;
  void *of_device, *kind;
};
