#include "model.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

@TYPES@
#define API __attribute__((visibility("default")))
typedef unsigned long long address;

/* Steps that follow each other in `steps`. */
struct list {
  int first, count;
};

/* Where a buffer is: in the working memory, or which constant, input or result it is. */
struct place {
  enum { ARENA, CONSTANT, INPUT, RESULT } kind;
  size_t number, offset;
};

/* What a run does. Its places begin at `place`, and the steps of its list that it waits for at `wait`: 0 is what was
   there before the list, and n + 1 its step n. */
struct step {
  enum { KERNEL, COPY, PRODUCT, CONVOLUTION, TRANSFORM, LOOP, BRANCH, END } kind;
  int number, place, places, wait, waits;
  int slot;         /* of a product: which part of the working memory it takes */
  const char *what; /* for messages */
};

struct kernel {
  int file;
  unsigned grid[3], block[3], shared;
};

struct layout {
  int type;
  unsigned long long rows, columns;
  long long leading;
  int count;
  long long stride;
};

/* A matrix product C = A·B as cuBLASLt gets it: Cᵀ = Bᵀ·Aᵀ in columns. */
struct product {
  int compute, scale, transposed[2]; /* of B and of A */
  int epilogue, added;
  struct layout layouts[3]; /* of B, A and C */
  unsigned alignment;
  unsigned long long space; /* the working memory of a call */
  int call, calls; /* where A, B and C of each call begin, in `offsets` */
};

enum { MOST_RANK = 6 };

/* How to write a tensor from another one: the argument of `arrange` in control.cu. */
struct arrangement {
  long long size, target, source, shape[MOST_RANK], step[MOST_RANK], low[MOST_RANK], extent[MOST_RANK];
};

/* The tensors X, W and Y of a convolution as cuDNN takes them. */
struct form {
  int layout, type, sizes[3][5], steps[3][5];
  int copied[3];   /* whether a tensor is copied for that */
  size_t place[3]; /* the offset of the copy in the working memory */
  struct arrangement how[3];
  size_t size;
};

/* Y = X ∗ W, or which of X (1) and W (2) is computed from the others. */
struct convolution {
  int kind, exact, groups, flipped, rank, padding[3], stride[3], dilation[3];
  int form, forms;
};

/* Fourier transforms as cuFFT gets them: their lengths, and those of operands and of results in memory. */
struct fft {
  int type, rank;
  long long lengths[3], before[3], after[3], step, apart[2], count;
};

/* A transform: its last call, and for the inverse of reals what happens before on a copy of the operand. */
struct transform {
  int last, outer; /* numbers of calls; -1: none */
  int direction, real_size, is_copied;
  size_t copied;                          /* the bytes of the copy */
  long long numbers, items, rows, row;    /* the numbers of the copy, the items of the batch, and the rows of all */
  int even;                               /* whether the length of rows is */
  long long scaled;                       /* how many numbers of the result are multiplied by the factor */
  double factor;
};

/* Repeats its body: a number of times, or while the byte at a place, which the condition writes, is not 0. */
struct loop {
  unsigned iterations;
  struct list condition, body;
};

struct branch {
  int is_bool, list, lists;
};

/* The code of all kernels for a kind of GPU. */
struct images {
  int major, minor, is_ptx;
  const void *const *files;
};

@TABLES@

/* ---- the rest is the same for all programs */

@WEIGHTS@

/* ---- errors */

static _Thread_local char message[800];

static int __attribute__((format(printf, 1, 2))) fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return MODEL_GPU;
}

#define TRY(call)                   \
  do {                              \
    const int failed_with = (call); \
    if (failed_with) return failed_with; \
  } while (0)

/* ---- the driver and NVIDIA's libraries, which are found at run time */

/* Functions, by the names of their newest interfaces that CUDA 12.4 has. Statuses are 0 if all is well. */
#define DRIVER(F)                                                                                                    \
  F(cuInit, cuInit, (unsigned flags))                                                                                \
  F(cuDriverGetVersion, cuDriverGetVersion, (int *version))                                                          \
  F(cuGetErrorString, cuGetErrorString, (int status, const char **text))                                             \
  F(cuDeviceGet, cuDeviceGet, (int *device, int number))                                                             \
  F(cuDeviceGetAttribute, cuDeviceGetAttribute, (int *value, int attribute, int device))                             \
  F(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (void **context, int device))                                \
  F(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (int device))                                           \
  F(cuCtxGetCurrent, cuCtxGetCurrent, (void **context))                                                              \
  F(cuCtxGetDevice, cuCtxGetDevice, (int *device))                                                                   \
  F(cuCtxSynchronize, cuCtxSynchronize, (void))                                                                      \
  F(cuCtxPushCurrent, cuCtxPushCurrent_v2, (void *context))                                                          \
  F(cuCtxPopCurrent, cuCtxPopCurrent_v2, (void **context))                                                           \
  F(cuMemAlloc, cuMemAlloc_v2, (address *memory, size_t size))                                                       \
  F(cuMemFree, cuMemFree_v2, (address memory))                                                                       \
  F(cuMemGetInfo, cuMemGetInfo_v2, (size_t *free, size_t *total))                                                    \
  F(cuMemcpyHtoD, cuMemcpyHtoD_v2, (address to, const void *from, size_t size))                                      \
  F(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, (address to, const void *from, size_t size, void *stream))              \
  F(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, (void *to, address from, size_t size, void *stream))                    \
  F(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, (address to, address from, size_t size, void *stream))                  \
  F(cuPointerGetAttribute, cuPointerGetAttribute, (void *value, int attribute, address pointer))                     \
  F(cuModuleLoadData, cuModuleLoadData, (void **module, const void *code))                                           \
  F(cuModuleUnload, cuModuleUnload, (void *module))                                                                  \
  F(cuModuleGetFunction, cuModuleGetFunction, (void **function, void *module, const char *name))                     \
  F(cuFuncSetAttribute, cuFuncSetAttribute, (void *function, int attribute, int value))                              \
  F(cuLaunchKernel, cuLaunchKernel,                                                                                  \
    (void *function, unsigned x, unsigned y, unsigned z, unsigned threads_x, unsigned threads_y, unsigned threads_z, \
     unsigned shared, void *stream, void **arguments, void **extra))                                                 \
  F(cuStreamCreate, cuStreamCreate, (void **stream, unsigned flags))                                                 \
  F(cuStreamDestroy, cuStreamDestroy_v2, (void *stream))                                                             \
  F(cuStreamSynchronize, cuStreamSynchronize, (void *stream))                                                        \
  F(cuStreamBeginCapture, cuStreamBeginCapture_v2, (void *stream, int mode))                                         \
  F(cuStreamBeginCaptureToGraph, cuStreamBeginCaptureToGraph,                                                        \
    (void *stream, void *graph, void *const *nodes, const void *edges, size_t count, int mode))                      \
  F(cuStreamEndCapture, cuStreamEndCapture, (void *stream, void **graph))                                            \
  F(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v3,                                                               \
    (void *stream, int *status, unsigned long long *id, void **graph, void *const **nodes, const void **edges,       \
     size_t *count))                                                                                                 \
  F(cuStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies_v2,                                         \
    (void *stream, void *const *nodes, const void *edges, size_t count, unsigned flags))                             \
  F(cuGraphConditionalHandleCreate, cuGraphConditionalHandleCreate,                                                  \
    (address * handle, void *graph, void *context, unsigned value, unsigned flags))                                  \
  F(cuGraphAddNode, cuGraphAddNode_v2,                                                                               \
    (void **node, void *graph, void *const *before, const void *edges, size_t count, void *parameters))              \
  F(cuGraphInstantiate, cuGraphInstantiateWithFlags, (void **executable, void *graph, unsigned long long flags))     \
  F(cuGraphLaunch, cuGraphLaunch, (void *executable, void *stream))                                                  \
  F(cuGraphExecDestroy, cuGraphExecDestroy, (void *executable))                                                      \
  F(cuGraphDestroy, cuGraphDestroy, (void *graph))

#define BLAS(F)                                                                                                        \
  F(cublasLtCreate, cublasLtCreate, (void **handle))                                                                   \
  F(cublasLtDestroy, cublasLtDestroy, (void *handle))                                                                  \
  F(cublasLtMatmulDescCreate, cublasLtMatmulDescCreate, (void **made, int compute, int scale))                         \
  F(cublasLtMatmulDescDestroy, cublasLtMatmulDescDestroy, (void *made))                                                \
  F(cublasLtMatmulDescSetAttribute, cublasLtMatmulDescSetAttribute,                                                    \
    (void *of, int attribute, const void *value, size_t size))                                                         \
  F(cublasLtMatrixLayoutCreate, cublasLtMatrixLayoutCreate,                                                            \
    (void **made, int type, unsigned long long rows, unsigned long long columns, long long leading))                   \
  F(cublasLtMatrixLayoutDestroy, cublasLtMatrixLayoutDestroy, (void *made))                                            \
  F(cublasLtMatrixLayoutSetAttribute, cublasLtMatrixLayoutSetAttribute,                                                \
    (void *of, int attribute, const void *value, size_t size))                                                         \
  F(cublasLtMatmulPreferenceCreate, cublasLtMatmulPreferenceCreate, (void **made))                                     \
  F(cublasLtMatmulPreferenceDestroy, cublasLtMatmulPreferenceDestroy, (void *made))                                    \
  F(cublasLtMatmulPreferenceSetAttribute, cublasLtMatmulPreferenceSetAttribute,                                        \
    (void *of, int attribute, const void *value, size_t size))                                                         \
  F(cublasLtMatmulAlgoGetHeuristic, cublasLtMatmulAlgoGetHeuristic,                                                    \
    (void *handle, void *operation, void *a, void *b, void *c, void *d, void *preference, int most, void *results,     \
     int *found))                                                                                                      \
  F(cublasLtMatmul, cublasLtMatmul,                                                                                    \
    (void *handle, void *operation, const void *alpha, address a, void *a_layout, address b, void *b_layout,           \
     const void *beta, address c, void *c_layout, address d, void *d_layout, const void *algorithm, address workspace, \
     size_t size, void *stream))

/* Of a function for each kind of convolution, the first four arguments after the handle are descriptors. */
#define SEARCH (void *handle, void *a, void *b, void *c, void *d, int most, int *count, void *results)
#define SPACE (void *handle, void *a, void *b, void *c, void *d, int algorithm, size_t *size)
#define CONVOLVE                                                                                                    \
  (void *handle, const void *alpha, void *a_form, address a, void *b_form, address b, void *convolution, int algorithm, \
   address workspace, size_t size, const void *beta, void *c_form, address c)
#define DNN(F)                                                                                                        \
  F(cudnnCreate, cudnnCreate, (void **handle))                                                                        \
  F(cudnnDestroy, cudnnDestroy, (void *handle))                                                                       \
  F(cudnnSetStream, cudnnSetStream, (void *handle, void *stream))                                                     \
  F(cudnnCreateTensorDescriptor, cudnnCreateTensorDescriptor, (void **made))                                          \
  F(cudnnDestroyTensorDescriptor, cudnnDestroyTensorDescriptor, (void *made))                                         \
  F(cudnnSetTensorNdDescriptor, cudnnSetTensorNdDescriptor,                                                           \
    (void *of, int type, int rank, const int *sizes, const int *steps))                                               \
  F(cudnnCreateFilterDescriptor, cudnnCreateFilterDescriptor, (void **made))                                          \
  F(cudnnDestroyFilterDescriptor, cudnnDestroyFilterDescriptor, (void *made))                                         \
  F(cudnnSetFilterNdDescriptor, cudnnSetFilterNdDescriptor,                                                           \
    (void *of, int type, int layout, int rank, const int *sizes))                                                     \
  F(cudnnCreateConvolutionDescriptor, cudnnCreateConvolutionDescriptor, (void **made))                                \
  F(cudnnDestroyConvolutionDescriptor, cudnnDestroyConvolutionDescriptor, (void *made))                               \
  F(cudnnSetConvolutionNdDescriptor, cudnnSetConvolutionNdDescriptor,                                                 \
    (void *of, int rank, const int *padding, const int *stride, const int *dilation, int mode, int type))             \
  F(cudnnSetConvolutionGroupCount, cudnnSetConvolutionGroupCount, (void *of, int groups))                             \
  F(cudnnSetConvolutionMathType, cudnnSetConvolutionMathType, (void *of, int type))                                   \
  F(search0, cudnnGetConvolutionForwardAlgorithm_v7, SEARCH)                                                        \
  F(search1, cudnnGetConvolutionBackwardDataAlgorithm_v7, SEARCH)                                                   \
  F(search2, cudnnGetConvolutionBackwardFilterAlgorithm_v7, SEARCH)                                                 \
  F(space0, cudnnGetConvolutionForwardWorkspaceSize, SPACE)                                                         \
  F(space1, cudnnGetConvolutionBackwardDataWorkspaceSize, SPACE)                                                    \
  F(space2, cudnnGetConvolutionBackwardFilterWorkspaceSize, SPACE)                                                  \
  F(convolve0, cudnnConvolutionForward, CONVOLVE)                                                                   \
  F(convolve1, cudnnConvolutionBackwardData, CONVOLVE)                                                              \
  F(convolve2, cudnnConvolutionBackwardFilter, CONVOLVE)


#define REAL (int plan, address from, address to)
#define COMPLEX (int plan, address from, address to, int direction)
#define FFT(F)                                                                                                       \
  F(cufftCreate, cufftCreate, (int *plan))                                                                           \
  F(cufftDestroy, cufftDestroy, (int plan))                                                                          \
  F(cufftSetAutoAllocation, cufftSetAutoAllocation, (int plan, int allocates))                                       \
  F(cufftMakePlanMany64, cufftMakePlanMany64,                                                                        \
    (int plan, int rank, const long long *lengths, const long long *before, long long before_step,                   \
     long long before_apart, const long long *after, long long after_step, long long after_apart, int type,          \
     long long count, size_t *size))                                                                                 \
  F(cufftSetStream, cufftSetStream, (int plan, void *stream))                                                        \
  F(cufftSetWorkArea, cufftSetWorkArea, (int plan, address area))                                                    \
  F(c2c, cufftExecC2C, COMPLEX)                                                                                      \
  F(r2c, cufftExecR2C, REAL)                                                                                         \
  F(c2r, cufftExecC2R, REAL)                                                                                         \
  F(z2z, cufftExecZ2Z, COMPLEX)                                                                                      \
  F(d2z, cufftExecD2Z, REAL)                                                                                         \
  F(z2d, cufftExecZ2D, REAL)

#define POINTER(name, symbol, parameters) int(*name) parameters;
static struct {
  DRIVER(POINTER)
} cu;
static struct {
  BLAS(POINTER)
} blas;
static struct {
  DNN(POINTER)
} dnn;
static struct {
  FFT(POINTER)
} fft;

struct symbol {
  const char *name;
  void *place;
};
#define OF(library, name, symbol) {#symbol, &library.name},
#define OF_DRIVER(name, symbol, parameters) OF(cu, name, symbol)
#define OF_BLAS(name, symbol, parameters) OF(blas, name, symbol)
#define OF_DNN(name, symbol, parameters) OF(dnn, name, symbol)
#define OF_FFT(name, symbol, parameters) OF(fft, name, symbol)

/* Libraries: the names of their files, of which the first that exists is taken. */
static const struct library {
  const char *files[3];
  const struct symbol *symbols;
  const char *cure;
} driver_library = {{"libcuda.so.1"},
                    (const struct symbol[]){DRIVER(OF_DRIVER){0}},
                    "install NVIDIA's driver, or in a container start it with access to the GPU"},
  blas_library = {{"libcublasLt.so.13", "libcublasLt.so.12"},
                  (const struct symbol[]){BLAS(OF_BLAS){0}},
                  "install NVIDIA's cuBLAS, and name its folder in LD_LIBRARY_PATH"},
  dnn_library = {{"libcudnn.so.9", "libcudnn.so.8"},
                 (const struct symbol[]){DNN(OF_DNN){0}},
                 "install NVIDIA's cuDNN, and name its folder in LD_LIBRARY_PATH"},
  fft_library = {{"libcufft.so.12", "libcufft.so.11"},
                 (const struct symbol[]){FFT(OF_FFT){0}},
                 "install NVIDIA's cuFFT, and name its folder in LD_LIBRARY_PATH"};

static int load(const struct library *l) {
  void *found = 0;
  for (int i = 0; !found && i < 3 && l->files[i]; i++) found = dlopen(l->files[i], RTLD_LAZY | RTLD_LOCAL);
  if (!found) return fail("%s cannot be loaded; %s", l->files[0], l->cure);
  for (const struct symbol *s = l->symbols; s->name; s++) {
    void *const function = dlsym(found, s->name);
    if (!function) return fail("%s has no %s, so it is too old; %s of today", l->files[0], s->name, l->cure);
    memcpy(s->place, &function, sizeof function);
  }
  return MODEL_OK;
}

/* The libraries of products take a while to load, so this happens while the driver starts. */
static struct {
  pthread_mutex_t lock;
  int is_loaded;
} libraries = {PTHREAD_MUTEX_INITIALIZER, 0};

struct loading {
  pthread_t thread;
  int begun, status;
  char message[sizeof message];
};

static void *load_products(void *argument) {
  struct loading *const l = argument;
  if (PRODUCTS) l->status = load(&blas_library);
  if (CONVOLUTIONS && !l->status) l->status = load(&dnn_library);
  if (TRANSFORMS && !l->status) l->status = load(&fft_library);
  memcpy(l->message, message, sizeof message);
  return 0;
}

static int driver_status(int status) {
  const char *text = "an unknown error";
  if (!status) return MODEL_OK;
  cu.cuGetErrorString(status, &text);
  return fail("CUDA: %s (error %d)", text ? text : "an unknown error", status);
}
#define CU(name, ...) TRY(driver_status(cu.name(__VA_ARGS__)))

static int library_status(const char *name, int status) {
  return status ? fail("%s failed with status %d", name, status) : MODEL_OK;
}
#define BLAS_CALL(name, ...) TRY(library_status(#name, blas.name(__VA_ARGS__)))
#define DNN_CALL(name, ...) TRY(library_status(#name, dnn.name(__VA_ARGS__)))
#define FFT_CALL(name, ...) TRY(library_status(#name, fft.name(__VA_ARGS__)))

static int load_libraries(void) {
  struct loading products = {0};
  int version, status;
  products.begun = (PRODUCTS || CONVOLUTIONS || TRANSFORMS) && !pthread_create(&products.thread, 0, load_products, &products);
  if (!(status = load(&driver_library)) && cu.cuInit(0)) {
    status = fail("there is no GPU that the driver can use: check nvidia-smi and CUDA_VISIBLE_DEVICES");
  }
  if (!status) status = driver_status(cu.cuDriverGetVersion(&version));
  if (!status && version < CUDA_VERSION)
    status = fail("the driver supports CUDA %d.%d, but this program needs %d.%d or later; update the driver",
                  version / 1000, version % 1000 / 10, CUDA_VERSION / 1000, CUDA_VERSION % 1000 / 10);
  if (products.begun) {
    pthread_join(products.thread, 0);
    if (!status && products.status) memcpy(message, products.message, sizeof message);
  } else {
    load_products(&products);
  }
  return status ? status : products.status;
}

/* ---- contexts */

enum { ALIGNMENT = 256, MOST_GRAPHS = 8, MOST_DEPTH = 64, MOST_COPIED = 4 << 20, READ_AT_ONCE = 16 };
enum { MOST_SHARED = 8 }; /* CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES */
enum { COPYING_THREADS = 256, MOST_COPYING_BLOCKS = 1024, MOST_MOVES = 64 };
enum { CONTROL_COPY, CONTROL_TRUTH, CONTROL_ARRANGE, CONTROL_REPEAT, CONTROL_BEGIN, CONTROL_END, CONTROL_CHOOSE };
enum { CONTROL_NUMBERS = CONTROL_CHOOSE + 1, CONTROL_SCALE, CONTROL_CLEAR };
static const char *const control_names[] = {"copy_all", "truth_values", "arrange",      "repeat_while", "begin_iterations",
                                            "end_iteration", "choose",       "copy_numbers", "scale",        "clear_imaginary"};
enum { CONTROLS = sizeof control_names / sizeof *control_names, ARRAYS = INPUTS + RESULTS + 1 };

struct graph {
  void *graph, *executable;
  unsigned long long used;
  address at[ARRAYS];
};

/* A product, planned: the algorithm is the beginning of cuBLASLt's result. */
struct planned_product {
  void *operation, *layouts[3];
  unsigned long long chosen[12];
};

struct planned_convolution {
  void *tensors[3], *convolution;
  const struct form *form;
  int algorithm;
  size_t size;
};

struct model_context {
  void *context;
  int device, retained;
  void *modules[FILES];
  void *functions[KERNELS], *control[CONTROLS];
  void *blas, *dnn;
  struct planned_product products[PRODUCTS + 1];
  struct planned_convolution convolutions[CONVOLUTIONS + 1];
  int ffts[FFTS + 1], planned_ffts;
  address memory, arena, workspace;
  address constants[CONSTANTS];
  void *streams[MOST_DEPTH]; /* to record with, for each depth of loops and branches */
  struct graph graphs[MOST_GRAPHS];
  unsigned long long runs;
  address own[ARRAYS], last[ARRAYS]; /* memory for copies of arguments and results, and where they were */
  char moves[ARRAYS];                /* whether one was at several addresses */
  void *stream;                      /* the caller's */
  int has_stream, busy;
};

static const size_t alignment = ALIGNMENT;
static size_t aligned(size_t size) { return (size + alignment - 1) / alignment * alignment; }
static const struct model_tensor *tensor(int i) { return i < INPUTS ? &inputs[i] : &outputs[i - INPUTS]; }

static int allocate(address *memory, size_t size, const char *purpose) {
  size_t left = 0, total = 0;
  cu.cuMemGetInfo(&left, &total);
  if (size > left || cu.cuMemAlloc(memory, size ? size : 16)) {
    fail("the GPU has too little memory for %s: %zu bytes are needed, and %zu of %zu are free", purpose, size, left, total);
    return MODEL_NO_MEMORY;
  }
  return MODEL_OK;
}

/* ---- what waits for what */

enum { SET_DEPENDENCIES = 1 };

struct nodes {
  void **all, **before;
  size_t *ends; /* after each step of a list the number of nodes so far, of those that later steps may wait for */
  size_t count, room;
};

/* Add the nodes that what is recorded next would wait for. */
static int note(void *stream, struct nodes *n, int step) {
  int status;
  unsigned long long id;
  void *graph, *const *found;
  const void *edges;
  size_t count;
  CU(cuStreamGetCaptureInfo, stream, &status, &id, &graph, &found, &edges, &count);
  if (n->count + count > n->room) {
    n->room = 2 * n->room + count + 64;
    void **const all = realloc(n->all, n->room * sizeof *all), **const before = realloc(n->before, n->room * sizeof *before);
    if (all) n->all = all;
    if (before) n->before = before;
    if (!all || !before) return MODEL_NO_MEMORY;
  }
  if (count) memcpy(n->all + n->count, found, count * sizeof *found);
  n->ends[step] = n->count += count;
  return MODEL_OK;
}

/* Let what is recorded next wait for the nodes of some steps. */
static int wait_for(void *stream, const struct nodes *n, int first, int last) {
  const size_t begin = first ? n->ends[first - 1] : 0;
  CU(cuStreamUpdateCaptureDependencies, stream, n->all + begin, 0, n->ends[last] - begin, SET_DEPENDENCIES);
  return MODEL_OK;
}

/* ---- products */

static int plan_product(struct model_context *c, const struct product *p, struct planned_product *made) {
  void *preference;
  int found = 0;
  const unsigned long long most = p->space;
  BLAS_CALL(cublasLtMatmulDescCreate, &made->operation, p->compute, p->scale);
  for (int i = 0; i < 2; i++)
    BLAS_CALL(cublasLtMatmulDescSetAttribute, made->operation, 3 + i, &p->transposed[i], sizeof(int));
  if (p->epilogue) BLAS_CALL(cublasLtMatmulDescSetAttribute, made->operation, 7, &p->epilogue, sizeof p->epilogue);
  for (int i = 0; i < 3; i++) {
    const struct layout *const l = &p->layouts[i];
    BLAS_CALL(cublasLtMatrixLayoutCreate, &made->layouts[i], l->type, l->rows, l->columns, l->leading);
    if (l->count > 1) {
      BLAS_CALL(cublasLtMatrixLayoutSetAttribute, made->layouts[i], 5, &l->count, sizeof l->count);
      BLAS_CALL(cublasLtMatrixLayoutSetAttribute, made->layouts[i], 6, &l->stride, sizeof l->stride);
    }
  }
  BLAS_CALL(cublasLtMatmulPreferenceCreate, &preference);
  BLAS_CALL(cublasLtMatmulPreferenceSetAttribute, preference, 1, &most, sizeof most);
  for (int i = 5; i < 9; i++)
    BLAS_CALL(cublasLtMatmulPreferenceSetAttribute, preference, i, &p->alignment, sizeof p->alignment);
  const int status = blas.cublasLtMatmulAlgoGetHeuristic(c->blas, made->operation, made->layouts[0], made->layouts[1],
                                                         made->layouts[2], made->layouts[2], preference, 1, made->chosen,
                                                         &found);
  blas.cublasLtMatmulPreferenceDestroy(preference);
  return status || !found ? fail("cuBLASLt has no algorithm for a %s; %s", product_names[p - products], OTHERWISE) : MODEL_OK;
}

/* The factors of a product: of A·B, and of what is added to it. */
static const void *factor(const struct product *p, int value) {
  static const float floats[][2] = {{0, 0}, {1, 0}};
  static const double doubles[][2] = {{0, 0}, {1, 0}};
  static const int integers[][2] = {{0, 0}, {1, 0}};
  return p->scale == 10 ? (const void *)integers[value] : p->scale % 4 == 1 ? (const void *)doubles[value] : floats[value];
}

/* A call waits for the one that has had its part of the working memory before. */
static int multiply_beside(struct model_context *c, const struct step *s, const address *at, void *stream, struct nodes *n) {
  const struct product *const p = &products[s->number];
  struct planned_product *const made = &c->products[s->number];
  const address workspace = c->workspace + (address)s->slot * WORKSPACE, result = at[s->places - 1];
  if (p->epilogue & 4) BLAS_CALL(cublasLtMatmulDescSetAttribute, made->operation, 8, &at[2], sizeof at[2]);
  TRY(note(stream, n, 0));
  for (int i = 0; i < p->calls; i++) {
    const unsigned long long *const offset = offsets[p->call + i];
    const address c_at = result + offset[2], added = p->added ? at[s->places - 2] : c_at;
    const int before = i < CALLS_AT_ONCE ? 0 : i - CALLS_AT_ONCE + 1;
    if (i) TRY(wait_for(stream, n, before, before));
    BLAS_CALL(cublasLtMatmul, c->blas, made->operation, factor(p, 1), at[1] + offset[1], made->layouts[0], at[0] + offset[0],
              made->layouts[1], factor(p, p->added), added, made->layouts[2], c_at, made->layouts[2], made->chosen,
              workspace + i % CALLS_AT_ONCE * p->space, p->space, stream);
    TRY(note(stream, n, i + 1));
  }
  return wait_for(stream, n, p->calls < CALLS_AT_ONCE ? 1 : p->calls - CALLS_AT_ONCE + 1, p->calls);
}

static int multiply(struct model_context *c, const struct step *s, const address *at, void *stream) {
  struct nodes n = {0};
  n.ends = malloc((products[s->number].calls + 1) * sizeof *n.ends);
  const int status = n.ends ? multiply_beside(c, s, at, stream, &n) : MODEL_NO_MEMORY;
  free(n.all);
  free(n.before);
  free(n.ends);
  return status;
}

/* ---- convolutions */

/* For each kind which of X, W and Y are cuDNN's operands and its result, and which the program's. */
static const int dnn_order[3][3] = {{0, 1, 2}, {1, 2, 0}, {0, 2, 1}}, own_order[3][3] = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}};

static void descriptors_of(const struct convolution *v, const struct planned_convolution *made, void **to) {
  const int *const order = dnn_order[v->kind];
  to[0] = made->tensors[order[0]];
  to[1] = made->tensors[order[1]];
  to[2] = made->convolution;
  to[3] = made->tensors[order[2]];
}

static void forget_convolution(struct planned_convolution *made) {
  for (int i = 0; i < 3; i++)
    if (made->tensors[i]) (i == 1 ? dnn.cudnnDestroyFilterDescriptor : dnn.cudnnDestroyTensorDescriptor)(made->tensors[i]);
  if (made->convolution) dnn.cudnnDestroyConvolutionDescriptor(made->convolution);
  *made = (struct planned_convolution){{0}, 0, 0, 0, 0};
}

static int plan_form(struct model_context *c, const struct convolution *v, const struct form *f,
                     struct planned_convolution *made) {
  int(*const search[]) SEARCH = {dnn.search0, dnn.search1, dnn.search2};
  int(*const space[]) SPACE = {dnn.space0, dnn.space1, dnn.space2};
  enum { MOST = 10, WORDS = 12 };
  int rows[MOST * WORDS] = {0}, count = 0;
  made->form = f;
  for (int i = 0; i < 3; i++)
    if (i == 1) {
      DNN_CALL(cudnnCreateFilterDescriptor, &made->tensors[i]);
      DNN_CALL(cudnnSetFilterNdDescriptor, made->tensors[i], f->type, f->layout, v->rank + 2, f->sizes[i]);
    } else {
      DNN_CALL(cudnnCreateTensorDescriptor, &made->tensors[i]);
      DNN_CALL(cudnnSetTensorNdDescriptor, made->tensors[i], f->type, v->rank + 2, f->sizes[i], f->steps[i]);
    }
  DNN_CALL(cudnnCreateConvolutionDescriptor, &made->convolution);
  DNN_CALL(cudnnSetConvolutionNdDescriptor, made->convolution, v->rank, v->padding, v->stride, v->dilation, !v->flipped, 0);
  DNN_CALL(cudnnSetConvolutionGroupCount, made->convolution, v->groups);
  if (v->exact || f->type) DNN_CALL(cudnnSetConvolutionMathType, made->convolution, v->exact ? 3 : 1);
  void *d[4];
  descriptors_of(v, made, d);
  TRY(library_status("cuDNN's search", search[v->kind](c->dnn, d[0], d[1], d[2], d[3], MOST, &count, rows)));
  for (int i = 0; i < count; i++) {
    const int *const row = &rows[i * WORDS]; /* the algorithm, its status, and whether each run gives the same bits */
    if (row[1] || row[6] != 1 || space[v->kind](c->dnn, d[0], d[1], d[2], d[3], row[0], &made->size)) continue;
    made->algorithm = row[0];
    return MODEL_OK;
  }
  return fail("cuDNN has no algorithm");
}

static int plan_convolution(struct model_context *c, const struct convolution *v, struct planned_convolution *made) {
  for (int i = v->form; i < v->form + v->forms; i++) {
    if (!plan_form(c, v, &forms[i], made)) return MODEL_OK;
    forget_convolution(made);
  }
  return fail("cuDNN has no algorithm for a %s; %s", convolution_names[v - convolutions], OTHERWISE);
}

static int launch(void *function, unsigned x, unsigned y, unsigned threads, void *stream, void **arguments) {
  return driver_status(cu.cuLaunchKernel(function, x, y, 1, threads, 1, 1, 0, stream, arguments, 0));
}

static unsigned copying_blocks(address iterations) {
  const address blocks = (iterations + COPYING_THREADS - 1) / COPYING_THREADS;
  return blocks < 1 ? 1 : blocks < MOST_COPYING_BLOCKS ? blocks : MOST_COPYING_BLOCKS;
}

static int arrange(struct model_context *c, address to, address from, const struct arrangement *how, void *stream) {
  void *arguments[] = {&to, &from, (void *)how};
  return launch(c->control[CONTROL_ARRANGE], copying_blocks(how->size), 1, COPYING_THREADS, stream, arguments);
}

static int convolve(struct model_context *c, const struct step *s, const address *at, void *stream) {
  int(*const functions[]) CONVOLVE = {dnn.convolve0, dnn.convolve1, dnn.convolve2};
  const struct convolution *const v = &convolutions[s->number];
  struct planned_convolution *const made = &c->convolutions[s->number];
  const struct form *const f = made->form;
  const int *const order = dnn_order[v->kind], result = order[2];
  const float one = 1, zero = 0;
  address given[3], used[3];
  void *d[4];
  DNN_CALL(cudnnSetStream, c->dnn, stream);
  for (int i = 0; i < 3; i++) given[own_order[v->kind][i]] = at[i];
  for (int i = 0; i < 3; i++) {
    used[i] = f->copied[i] ? c->workspace + f->place[i] : given[i];
    if (f->copied[i] && i != result) TRY(arrange(c, used[i], given[i], &f->how[i], stream));
  }
  descriptors_of(v, made, d);
  TRY(library_status("cuDNN", functions[v->kind](c->dnn, &one, d[0], used[order[0]], d[1], used[order[1]], d[2],
                                                 made->algorithm, c->workspace + f->size, made->size, &zero, d[3],
                                                 used[result])));
  return f->copied[result] ? arrange(c, given[result], used[result], &f->how[result], stream) : MODEL_OK;
}

/* ---- Fourier transforms */

static int plan_fft(struct model_context *c, const struct fft *f, size_t *size) {
  int *const plan = &c->ffts[f - ffts];
  FFT_CALL(cufftCreate, plan);
  c->planned_ffts++;
  FFT_CALL(cufftSetAutoAllocation, *plan, 0);
  FFT_CALL(cufftMakePlanMany64, *plan, f->rank, f->lengths, f->before, f->step, f->apart[0], f->after, f->step, f->apart[1],
           f->type, f->count, size);
  return MODEL_OK;
}

static int execute(struct model_context *c, int number, address from, address to, address workspace, void *stream,
                   int direction) {
  const int plan = c->ffts[number];
  int status;
  FFT_CALL(cufftSetStream, plan, stream);
  FFT_CALL(cufftSetWorkArea, plan, workspace);
  switch (ffts[number].type) {
    case 0x29: status = fft.c2c(plan, from, to, direction); break;
    case 0x2a: status = fft.r2c(plan, from, to); break;
    case 0x2c: status = fft.c2r(plan, from, to); break;
    case 0x69: status = fft.z2z(plan, from, to, direction); break;
    case 0x6a: status = fft.d2z(plan, from, to); break;
    default: status = fft.z2d(plan, from, to);
  }
  return library_status("cuFFT", status);
}

/* Launch a function of control.cu on numbers that threads share. */
static int spread(struct model_context *c, int control, long long iterations, void *stream, void **arguments) {
  return launch(c->control[control], copying_blocks(iterations), 1, COPYING_THREADS, stream, arguments);
}

static int transform(struct model_context *c, const struct step *s, const address *at, void *stream) {
  const struct transform *const t = &transforms[s->number];
  address from = at[0], to = at[1], copy = c->workspace;
  int size = t->real_size, even = t->even;
  long long numbers = t->numbers, rows = t->rows, row = t->row, scaled = t->scaled;
  double factor = t->factor;
  if (t->is_copied) {
    void *copied[] = {&numbers, &copy, &from, &size}, *cleared[] = {&rows, &copy, &row, &even, &size};
    TRY(spread(c, CONTROL_NUMBERS, numbers, stream, copied));
    for (long long item = 0; item < t->items && t->outer >= 0; item++) {
      const address place = copy + item * (numbers / t->items) * size;
      TRY(execute(c, t->outer, place, place, copy + t->copied, stream, 1));
    }
    /* What must be real for the result to be real is not read. */
    TRY(spread(c, CONTROL_CLEAR, rows, stream, cleared));
    from = copy;
  }
  TRY(execute(c, t->last, from, to, copy + t->copied, stream, t->direction));
  void *multiplied[] = {&scaled, &to, &factor, &size};
  return scaled ? spread(c, CONTROL_SCALE, scaled, stream, multiplied) : MODEL_OK;
}

/* ---- recording */

static address address_of(const struct model_context *c, const address *at, const struct place *p) {
  switch (p->kind) {
    case ARENA: return c->arena + p->number;
    case CONSTANT: return c->constants[p->number] + p->offset;
    case INPUT: return at[p->number] + p->offset;
    default: return at[INPUTS + p->number];
  }
}

static int record(struct model_context *c, const address *at, int depth, struct list l);

static int stream_of(struct model_context *c, int depth, void **stream) {
  if (depth >= MOST_DEPTH) return fail("loops and branches are nested more than %d deep", MOST_DEPTH);
  if (!c->streams[depth]) CU(cuStreamCreate, &c->streams[depth], 1);
  *stream = c->streams[depth];
  return MODEL_OK;
}

enum { RELAXED = 2, CONDITIONAL_NODE = 13, IF = 0, WHILE = 1 };

static int condition_handle(struct model_context *c, void *stream, address *handle) {
  int status;
  unsigned long long id;
  void *graph, *const *nodes;
  const void *edges;
  size_t count;
  CU(cuStreamGetCaptureInfo, stream, &status, &id, &graph, &nodes, &edges, &count);
  CU(cuGraphConditionalHandleCreate, handle, graph, c->context, 0, 0);
  return MODEL_OK;
}

static int decide(struct model_context *c, int control, void *stream, void **arguments) {
  return launch(c->control[control], 1, 1, 1, stream, arguments);
}

/* Begin a conditional part; its stream is the one of the next depth. */
static int begin_part(struct model_context *c, int depth, void *stream, address handle, int kind, void **inner) {
  int status;
  unsigned long long id;
  void *graph, *node, *const *nodes;
  const void *edges;
  size_t count;
  struct {
    int type, reserved[3];
    union {
      long long all[29];
      struct {
        address handle;
        int kind;
        unsigned size;
        void **graphs;
        void *context;
      } conditional;
    } as;
    long long more;
  } parameters = {CONDITIONAL_NODE, {0}, {{0}}, 0};
  parameters.as.conditional.handle = handle;
  parameters.as.conditional.kind = kind;
  parameters.as.conditional.size = 1;
  parameters.as.conditional.context = c->context;
  CU(cuStreamGetCaptureInfo, stream, &status, &id, &graph, &nodes, &edges, &count);
  CU(cuGraphAddNode, &node, graph, nodes, 0, count, &parameters);
  CU(cuStreamUpdateCaptureDependencies, stream, &node, 0, 1, SET_DEPENDENCIES);
  TRY(stream_of(c, depth + 1, inner));
  CU(cuStreamBeginCaptureToGraph, *inner, parameters.as.conditional.graphs[0], 0, 0, 0, RELAXED);
  return MODEL_OK;
}

static int end_part(void *stream) {
  void *graph;
  return driver_status(cu.cuStreamEndCapture(stream, &graph));
}

static int record_loop(struct model_context *c, const struct step *s, const address *at, const address *places, int depth,
                       void *stream) {
  const struct loop *const l = &loops[s->number];
  address predicate = places[0], watch = 0, handle;
  unsigned iterations = l->iterations;
  void *inner;
  TRY(condition_handle(c, stream, &handle));
  void *again[] = {&handle, &predicate, &watch}, *counted[] = {&handle, &predicate, &iterations};
  if (!iterations) TRY(record(c, at, depth, l->condition));
  TRY(decide(c, iterations ? CONTROL_BEGIN : CONTROL_REPEAT, stream, iterations ? counted : again));
  TRY(begin_part(c, depth, stream, handle, WHILE, &inner));
  TRY(record(c, at, depth + 1, l->body));
  if (!iterations) TRY(record(c, at, depth + 1, l->condition));
  TRY(decide(c, iterations ? CONTROL_END : CONTROL_REPEAT, inner, again));
  return end_part(inner);
}

static int record_branch(struct model_context *c, const struct step *s, const address *at, const address *places, int depth,
                         void *stream) {
  const struct branch *const b = &branches[s->number];
  address index = places[0], handle;
  int is_bool = b->is_bool, count = b->lists;
  void *inner;
  for (int number = 0; number < count; number++) {
    const struct list l = lists[b->list + number];
    if (!l.count) continue;
    TRY(condition_handle(c, stream, &handle));
    void *arguments[] = {&handle, &index, &is_bool, &number, &count};
    TRY(decide(c, CONTROL_CHOOSE, stream, arguments));
    TRY(begin_part(c, depth, stream, handle, IF, &inner));
    TRY(record(c, at, depth + 1, l));
    TRY(end_part(inner));
  }
  return MODEL_OK;
}

static int run_kernel(struct model_context *c, const struct step *s, address *at, void *stream) {
  const struct kernel *const k = &kernels[s->number];
  void *arguments[MOST_PLACES];
  for (int i = 0; i < s->places; i++) arguments[i] = &at[i];
  CU(cuLaunchKernel, c->functions[s->number], k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2],
     k->shared, stream, arguments, 0);
  return MODEL_OK;
}

/* Copies none of which writes what another one reads or writes: targets and sources alternate. */
static int copy(struct model_context *c, const struct step *s, const address *at, void *stream) {
  struct {
    address to[MOST_MOVES], from[MOST_MOVES], size[MOST_MOVES];
  } moves;
  unsigned count = 0;
  address largest = 0;
  for (int i = 0; i < s->places; i += 2) {
    if (at[i] == at[i + 1]) continue;
    moves.to[count] = at[i], moves.from[count] = at[i + 1];
    moves.size[count] = sizes[s->number + i / 2];
    largest = moves.size[count] > largest ? moves.size[count] : largest;
    count++;
  }
  if (!count) return MODEL_OK;
  if (count == 1) return driver_status(cu.cuMemcpyDtoDAsync(moves.to[0], moves.from[0], moves.size[0], stream));
  void *arguments[] = {&moves};
  return launch(c->control[CONTROL_COPY], copying_blocks((largest + 15) / 16), count, COPYING_THREADS, stream, arguments);
}

static int record_step(struct model_context *c, const struct step *s, const address *at, int depth, void *stream) {
  address places[MOST_PLACES];
  for (int i = 0; i < s->places; i++) places[i] = address_of(c, at, &buffers[s->place + i]);
  switch (s->kind) {
    case KERNEL: return run_kernel(c, s, places, stream);
    case COPY: return copy(c, s, places, stream);
    case PRODUCT: return multiply(c, s, places, stream);
    case CONVOLUTION: return convolve(c, s, places, stream);
    case TRANSFORM: return transform(c, s, places, stream);
    case LOOP: return record_loop(c, s, at, places, depth, stream);
    case BRANCH: return record_branch(c, s, at, places, depth, stream);
    default: return MODEL_OK;
  }
}

static int record_steps(struct model_context *c, const address *at, int depth, struct list l, struct nodes *n) {
  void *stream;
  TRY(stream_of(c, depth, &stream));
  TRY(note(stream, n, 0));
  for (int i = 0; i < l.count; i++) {
    const struct step *const s = &steps[l.first + i];
    size_t count = 0;
    for (int w = s->wait; w < s->wait + s->waits; w++)
      for (size_t j = waits[w] ? n->ends[waits[w] - 1] : 0; j < n->ends[waits[w]]; j++) n->before[count++] = n->all[j];
    CU(cuStreamUpdateCaptureDependencies, stream, n->before, 0, count, SET_DEPENDENCIES);
    const int status = record_step(c, s, at, depth, stream);
    if (status && *s->what) {
      char reason[sizeof message];
      memcpy(reason, message, sizeof reason);
      return fail("%s cannot start: %.500s", s->what, reason);
    }
    TRY(status);
    TRY(note(stream, n, i + 1));
  }
  return MODEL_OK;
}

static int record(struct model_context *c, const address *at, int depth, struct list l) {
  struct nodes n = {0};
  n.ends = malloc((l.count + 1) * sizeof *n.ends);
  n.before = malloc(sizeof *n.before);
  const int status = n.ends && n.before ? record_steps(c, at, depth, l, &n) : MODEL_NO_MEMORY;
  free(n.all);
  free(n.before);
  free(n.ends);
  return status;
}

static void forget_graph(struct graph *g) {
  if (g->executable) cu.cuGraphExecDestroy(g->executable);
  if (g->graph) cu.cuGraphDestroy(g->graph);
  g->executable = g->graph = 0;
}

static int record_graph(struct model_context *c, struct graph *g) {
  void *stream;
  TRY(stream_of(c, 0, &stream));
  CU(cuStreamBeginCapture, stream, RELAXED);
  TRY(record(c, g->at, 0, main_list));
  CU(cuStreamEndCapture, stream, &g->graph);
  CU(cuGraphInstantiate, &g->executable, g->graph, 0);
  return MODEL_OK;
}

/* The graph for arguments and results at these addresses, which is recorded if there is none. */
static int graph_for(struct model_context *c, const address *at, struct graph **found) {
  struct graph *oldest = c->graphs;
  for (int i = 0; i < MOST_GRAPHS; i++) {
    struct graph *const g = &c->graphs[i];
    if (g->executable && !memcmp(g->at, at, sizeof g->at)) return g->used = c->runs, *found = g, MODEL_OK;
    if (!g->executable ? oldest->executable != 0 : oldest->executable && g->used < oldest->used) oldest = g;
  }
  if (oldest->executable) TRY(driver_status(cu.cuCtxSynchronize()));
  forget_graph(oldest);
  memcpy(oldest->at, at, sizeof oldest->at);
  const int status = record_graph(c, oldest);
  if (status) { /* streams have been left in the middle of a recording */
    forget_graph(oldest);
    for (int i = MOST_DEPTH; i--;)
      if (c->streams[i]) {
        void *graph = 0;
        if (!cu.cuStreamEndCapture(c->streams[i], &graph) && graph && !i) cu.cuGraphDestroy(graph);
        cu.cuStreamDestroy(c->streams[i]);
        c->streams[i] = 0;
      }
    return status;
  }
  oldest->used = c->runs;
  *found = oldest;
  return MODEL_OK;
}

/* ---- runs */

static int own_memory(struct model_context *c, int i) {
  return c->own[i] ? MODEL_OK : allocate(&c->own[i], tensor(i)->size, "a copy of an argument or result");
}

static int is_on_gpu(const void *pointer) {
  enum { MEMORY_TYPE = 2, HOST = 1 };
  unsigned type = 0;
  return !cu.cuPointerGetAttribute(&type, MEMORY_TYPE, (address)(uintptr_t)pointer) && type && type != HOST;
}

/* Whether an array is copied to or from memory of its own, since its address changes from run to run. */
static int is_moving(struct model_context *c, int i, address where) {
  if (c->last[i] && c->last[i] != where && tensor(i)->size <= MOST_COPIED) c->moves[i] = 1;
  c->last[i] = where;
  return c->moves[i];
}

static int run(struct model_context *c, const void *const *given, void *const *taken) {
  address at[ARRAYS] = {0};
  char on_host[ARRAYS] = {0};
  struct graph *graph = 0;
  int waits = !c->has_stream;
  c->runs++;
  for (int i = 0; i < INPUTS + RESULTS; i++) {
    const void *const pointer = i < INPUTS ? given[i] : taken[i - INPUTS];
    on_host[i] = tensor(i)->size && !is_on_gpu(pointer);
    at[i] = tensor(i)->size ? (address)(uintptr_t)pointer : c->arena;
    waits |= on_host[i];
  }
  for (int r = 0; r < RESULTS; r++) {
    const int i = INPUTS + r, updated = updates[r];
    int apart = on_host[i] || (updated < 0 && is_moving(c, i, at[i])) || at[i] % READ_AT_ONCE;
    for (int n = 0; n < INPUTS && !apart; n++) apart = n != updated && outputs[r].size && at[n] == at[i];
    if (!apart) continue;
    TRY(own_memory(c, i));
    at[i] = c->own[i];
  }
  for (int n = 0; n < INPUTS; n++) {
    const size_t size = inputs[n].size;
    const int result = updated_by[n], is_bool = booleans[n];
    address to = 0;
    if (!size) continue;
    if (!on_host[n] && !is_bool && at[n] % READ_AT_ONCE == 0 && (result >= 0 || !is_moving(c, n, at[n]))) continue;
    if (result >= 0 && on_host[INPUTS + result]) to = at[INPUTS + result];
    else {
      TRY(own_memory(c, n));
      to = c->own[n];
    }
    if (on_host[n]) CU(cuMemcpyHtoDAsync, to, given[n], size, c->stream);
    else if (!is_bool) CU(cuMemcpyDtoDAsync, to, at[n], size, c->stream);
    if (is_bool) {
      address from = on_host[n] ? to : at[n], count = size;
      void *arguments[] = {&to, &from, &count};
      TRY(launch(c->control[CONTROL_TRUTH], copying_blocks(size), 1, COPYING_THREADS, c->stream, arguments));
    }
    at[n] = to;
  }
  TRY(graph_for(c, at, &graph));
  CU(cuGraphLaunch, graph->executable, c->stream);
  for (int r = 0; r < RESULTS; r++) {
    const int i = INPUTS + r;
    if (!outputs[r].size || at[i] == (address)(uintptr_t)taken[r]) continue;
    if (on_host[i]) CU(cuMemcpyDtoHAsync, taken[r], at[i], outputs[r].size, c->stream);
    else CU(cuMemcpyDtoDAsync, (address)(uintptr_t)taken[r], at[i], outputs[r].size, c->stream);
  }
  if (waits) CU(cuStreamSynchronize, c->stream);
  return MODEL_OK;
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
    case MODEL_NO_MEMORY: return *message ? message : "not enough memory for the program's working memory";
    case MODEL_NO_ARRAY: return "a pointer is null although its tensor has elements";
    case MODEL_BUSY: return "the context is in use by another run; each thread needs a context of its own";
    case MODEL_GPU: return message;
    default: return "an unknown error";
  }
}

API const struct model_info *model_describe(void) { return &info; }

/* The code for a kind of GPU: made for it, for an older one of the same generation, or for the driver's compiler. */
static int choose_images(int device, const struct images **chosen) {
  enum { MAJOR = 75, MINOR = 76 };
  int major, minor;
  CU(cuDeviceGetAttribute, &major, MAJOR, device);
  CU(cuDeviceGetAttribute, &minor, MINOR, device);
  *chosen = 0;
  for (int i = 0; i < IMAGES; i++) { /* in ascending order, the driver's last */
    const struct images *const m = &model_images[i];
    if (m->is_ptx ? !*chosen && 100 * m->major + m->minor <= 100 * major + minor : m->major == major && m->minor <= minor)
      *chosen = m;
  }
  if (*chosen) return MODEL_OK;
  return fail("the GPU is of the kind sm_%d%d, and this program was compiled for " ARCHITECTURES
              "; compile it again with --arch sm_%d%d",
              major, minor, major, minor);
}

static int prepare(struct model_context *c, const char *weights) {
  const struct images *chosen;
  int before[FILES] = {0};  // kernels of each file
  char name[32];
  size_t size = 0, workspace = PRODUCTS ? WORKSPACES * (size_t)WORKSPACE : 0;
  TRY(choose_images(c->device, &chosen));
  for (int i = 0; i < FILES; i++) {
    const int status = cu.cuModuleLoadData(&c->modules[i], chosen->files[i]);
    const char *text = 0;
    if (status) cu.cuGetErrorString(status, &text);
    if (status)
      return fail("the driver rejects the code of this program: %s (error %d); update the driver, or compile the "
                  "program with --arch for this GPU", text ? text : "an unknown error", status);
  }
  for (int i = 0; i < KERNELS && kernels[i].file >= 0; i++) {
    snprintf(name, sizeof name, "kernel%d", before[kernels[i].file]++);
    CU(cuModuleGetFunction, &c->functions[i], c->modules[kernels[i].file], name);
    if (kernels[i].shared) CU(cuFuncSetAttribute, c->functions[i], MOST_SHARED, kernels[i].shared);
  }
  for (int i = 0; i < CONTROLS; i++) CU(cuModuleGetFunction, &c->control[i], c->modules[FILES - 1], control_names[i]);
  if (PRODUCTS) BLAS_CALL(cublasLtCreate, &c->blas);
  if (CONVOLUTIONS) DNN_CALL(cudnnCreate, &c->dnn);
  for (int i = 0; i < PRODUCTS; i++) TRY(plan_product(c, &products[i], &c->products[i]));
  for (int i = 0; i < CONVOLUTIONS; i++) {
    TRY(plan_convolution(c, &convolutions[i], &c->convolutions[i]));
    const size_t needed = c->convolutions[i].form->size + c->convolutions[i].size;
    workspace = needed > workspace ? needed : workspace;
  }
  for (int i = 0; i < TRANSFORMS; i++) {
    const struct transform *const t = &transforms[i];
    size_t outer = 0, last = 0;
    if (t->outer >= 0) TRY(plan_fft(c, &ffts[t->outer], &outer));
    TRY(plan_fft(c, &ffts[t->last], &last));
    const size_t needed = t->copied + (outer > last ? outer : last);
    workspace = needed > workspace ? needed : workspace;
  }
  for (int i = 0; i < CONSTANTS && HAS_WEIGHTS; i++) size += aligned(constant_sizes[i]);
  TRY(allocate(&c->memory, size + aligned(arena_size) + workspace, "its constants and working memory"));
  address at = c->memory;
  for (int i = 0; i < CONSTANTS && HAS_WEIGHTS; i++) {
    c->constants[i] = at;
    if (constant_sizes[i]) CU(cuMemcpyHtoD, at, weights + places[i], constant_sizes[i]);
    at += aligned(constant_sizes[i]);
  }
  c->arena = at;
  c->workspace = at + aligned(arena_size);
  return MODEL_OK;
}

/* Enter the thread's GPU, or the first one if it has none. */
static int enter(struct model_context *c) {
  CU(cuCtxGetCurrent, &c->context);
  if (!c->context) {
    CU(cuDeviceGet, &c->device, 0);
    CU(cuDevicePrimaryCtxRetain, &c->context, c->device);
    c->retained = 1;
  }
  CU(cuCtxPushCurrent, c->context);
  return driver_status(cu.cuCtxGetDevice(&c->device));
}

API int model_create(model_context **context, const char *weights, int threads) {
  const char *found = 0;
  (void)threads;
  *context = 0;
  *message = 0;
  if (HAS_WEIGHTS) {
    if (!map_weights(weights ? weights : "weights.safetensors", &found)) return MODEL_NO_WEIGHTS;
    if (!found) return MODEL_OTHER_WEIGHTS;
    if (memcmp(found, identity, sizeof identity - 1)) return unmap_weights(found), MODEL_OTHER_WEIGHTS;
  }
  model_context *const c = calloc(1, sizeof *c);
  int status = c ? MODEL_OK : MODEL_NO_MEMORY;
  if (c) {
    pthread_mutex_lock(&libraries.lock);
    if (!libraries.is_loaded) libraries.is_loaded = !(status = load_libraries());
    pthread_mutex_unlock(&libraries.lock);
  }
  if (!status && !(status = enter(c))) {
    status = prepare(c, found);
    cu.cuCtxPopCurrent(&(void *){0});
  }
  if (HAS_WEIGHTS) unmap_weights(found);
  if (status) {
    char reason[sizeof message];
    memcpy(reason, message, sizeof reason);
    model_destroy(c);
    memcpy(message, reason, sizeof reason);
  } else *context = c;
  return status;
}

API void model_destroy(model_context *c) {
  if (!c) return;
  if (c->context && !cu.cuCtxPushCurrent(c->context)) {
    cu.cuCtxSynchronize();
    for (int i = 0; i < MOST_GRAPHS; i++) forget_graph(&c->graphs[i]);
    for (int i = 0; i < MOST_DEPTH; i++)
      if (c->streams[i]) cu.cuStreamDestroy(c->streams[i]);
    for (int i = 0; i < PRODUCTS; i++) {
      if (c->products[i].operation) blas.cublasLtMatmulDescDestroy(c->products[i].operation);
      for (int j = 0; j < 3; j++)
        if (c->products[i].layouts[j]) blas.cublasLtMatrixLayoutDestroy(c->products[i].layouts[j]);
    }
    for (int i = 0; i < CONVOLUTIONS; i++) forget_convolution(&c->convolutions[i]);
    for (int i = 0; i < c->planned_ffts; i++) fft.cufftDestroy(c->ffts[i]);
    if (c->blas) blas.cublasLtDestroy(c->blas);
    if (c->dnn) dnn.cudnnDestroy(c->dnn);
    for (int i = 0; i < ARRAYS; i++)
      if (c->own[i]) cu.cuMemFree(c->own[i]);
    if (c->memory) cu.cuMemFree(c->memory);
    for (int i = 0; i < FILES; i++)
      if (c->modules[i]) cu.cuModuleUnload(c->modules[i]);
    cu.cuCtxPopCurrent(&(void *){0});
    if (c->retained) cu.cuDevicePrimaryCtxRelease(c->device);
  }
  free(c);
}

API int model_set_stream(model_context *context, void *stream) {
  context->stream = stream;
  context->has_stream = 1;
  return MODEL_OK;
}

API int model_run_arrays(model_context *context, const void *const *inputs, void *const *outputs) {
  for (size_t i = 0; i < info.input_count; i++)
    if (!inputs[i] && info.inputs[i].size) return MODEL_NO_ARRAY;
  for (size_t i = 0; i < info.output_count; i++)
    if (!outputs[i] && info.outputs[i].size) return MODEL_NO_ARRAY;
  if (__atomic_exchange_n(&context->busy, 1, __ATOMIC_ACQUIRE)) return MODEL_BUSY;
  *message = 0;
  int status = driver_status(cu.cuCtxPushCurrent(context->context));
  if (!status) {
    status = run(context, inputs, outputs);
    cu.cuCtxPopCurrent(&(void *){0});
  }
  __atomic_store_n(&context->busy, 0, __ATOMIC_RELEASE);
  return status;
}

API int model_run(model_context *context@PARAMETERS@) {
  const void *const inputs[] = {@INPUTS@};
  void *const outputs[] = {@OUTPUTS@};
  return model_run_arrays(context, inputs, outputs);
}
