/* The functions of NVIDIA's driver, cuBLASLt, cuDNN and cuFFT that compiled programs call, on the processor: code is the path of
   a library of kernels (see test_compiled_cuda.py), memory is the host's, and a graph runs its nodes in the order that its edges
   allow and that is farthest from the one in which they were recorded. */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long address;
enum { INVALID = 1, OUT_OF_MEMORY = 2, GAP = 256, MOST = 1 << 16, POISON = 0xa5 };

static void expect(int right, const char *what) {
  if (!right) fprintf(stderr, "the program's use of the GPU is wrong: %s\n", what), abort();
}
static int from_environment(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

/* ---- memory: around each block lies some that nobody may write */

static struct block { char *begin; size_t size; } blocks[MOST];
static int block_count;

static void check_block(const struct block *b) {
  for (int i = 0; i < GAP; i++)
    expect((uint8_t)b->begin[i - GAP] == POISON && (uint8_t)b->begin[b->size + i] == POISON, "it writes outside of memory");
}
static struct block *block_of(address at, size_t size) {
  for (int i = 0; i < block_count; i++) {
    const address begin = (address)(uintptr_t)blocks[i].begin;
    if (blocks[i].begin && begin <= at && at + size <= begin + blocks[i].size) return &blocks[i];
  }
  return 0;
}
static void expect_memory(address at, size_t size) { expect(block_of(at, size) != 0, "it passes what is no memory of the GPU"); }
int cuMemGetInfo_v2(size_t *left, size_t *total) { return *left = *total = from_environment("GPU_MEMORY", 1 << 30), 0; }
int cuMemAlloc_v2(address *made, size_t size) {
  char *const begin = (char *)aligned_alloc(GAP, (size + 3 * GAP) / GAP * GAP) + GAP;
  memset(begin - GAP, POISON, size + 2 * GAP);
  blocks[block_count++] = (struct block){begin, size};
  return *made = (address)(uintptr_t)begin, 0;
}
int cuMemFree_v2(address at) {
  struct block *const b = block_of(at, 1);
  expect(b && (address)(uintptr_t)b->begin == at, "it frees what is no memory");
  check_block(b);
  free(b->begin - GAP);
  b->begin = 0;
  return 0;
}
int cuPointerGetAttribute(void *value, int attribute, address at) {
  expect(attribute == 2, "an attribute of a pointer");
  return block_of(at, 1) ? (*(unsigned *)value = 2, 0) : INVALID;
}

/* ---- the driver and its contexts */

static int retained, current, created_streams;
int cuInit(unsigned flags) { return flags || from_environment("GPU_COUNT", 1) < 1 ? 100 : 0; }
int cuDriverGetVersion(int *version) { return *version = from_environment("GPU_DRIVER", 99000), 0; }
int cuGetErrorString(int status, const char **text) { return *text = status == INVALID ? "invalid argument" : "something else", 0; }
int cuDeviceGet(int *device, int number) { return *device = number, number ? 101 : 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const int arch = from_environment("GPU_ARCH", 90);
  return *value = attribute == 75 ? arch / 10 : arch % 10, device;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { return retained++, *context = &retained, device; }
int cuDevicePrimaryCtxRelease_v2(int device) {
  expect(retained-- > 0 && !current, "it releases a context");
  for (int i = 0; i < block_count && !retained; i++) expect(!blocks[i].begin, "it leaves memory behind");
  expect(retained || !created_streams, "it leaves streams behind");
  return device;
}
int cuCtxGetCurrent(void **context) { return *context = current ? &retained : 0, 0; }
int cuCtxGetDevice(int *device) { return *device = 0, current ? 0 : 201; }
int cuCtxSynchronize(void) { return current ? 0 : 201; }
int cuCtxPushCurrent_v2(void *context) { return current++, context == &retained ? 0 : INVALID; }
int cuCtxPopCurrent_v2(void **context) { return expect(current-- > 0, "it leaves a context"), *context = &retained, 0; }

/* ---- code */

struct function {
  void (*call)(void **);
  int (*run)(void (*)(void **), const int *, const int *, void **, int, int);
  const int *sizes, *waits, *cluster; /* of the parameters, up to 0; whether threads wait for each other; blocks of a cluster */
  unsigned shared; /* what it may ask for */
};
static address values[MOST]; /* of conditions */
static void set_condition(address handle, unsigned value) { values[handle] = value; }

int cuModuleLoadData(void **module, const void *code) {
  *module = dlopen((const char *)code, RTLD_NOW | RTLD_LOCAL);
  if (!*module) return 218;
  void (**const place)(address, unsigned) = dlsym(*module, "set_condition");
  if (place) *place = set_condition;
  return 0;
}
int cuModuleUnload(void *module) { return dlclose(module), 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
  char text[100];
  struct function *const f = calloc(1, sizeof *f); /* as long as the process */
  f->run = dlsym(module, "run");
  snprintf(text, sizeof text, "call_%s", name), f->call = dlsym(module, text);
  snprintf(text, sizeof text, "sizes_%s", name), f->sizes = dlsym(module, text);
  snprintf(text, sizeof text, "waits_%s", name), f->waits = dlsym(module, text);
  snprintf(text, sizeof text, "cluster_%s", name), f->cluster = dlsym(module, text);
  *function = f;
  return f->call && f->sizes && f->waits && f->cluster ? 0 : 500;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  expect(attribute == 8 && value > 48 << 10 >> 1, "an attribute");
  return ((struct function *)function)->shared = value, 0;
}

/* ---- graphs and streams */

struct node;
struct graph { struct node *first, *last; int is_part; };
struct node {
  void (*run)(void *);
  void *data;
  struct node *next, **before;
  struct graph *part;
  address handle;
  size_t count;
  int repeats, done;
};
struct stream { struct graph *recorded; struct node **before; size_t count; };

static void run_graph(struct graph *g) {
  for (struct node *n = g->first; n; n = n->next) n->done = 0;
  for (;;) {
    struct node *chosen = 0;
    for (struct node *n = g->first; n; n = n->next) {
      int ready = !n->done;
      for (size_t i = 0; i < n->count; i++) ready = ready && n->before[i]->done;
      if (ready) chosen = n;
    }
    if (!chosen) return;
    if (chosen->part)
      while (values[chosen->handle]) {
        run_graph(chosen->part);
        if (!chosen->repeats) break;
      }
    else chosen->run(chosen->data);
    chosen->done = 1;
  }
}
static struct node *add(struct graph *g, void *const *before, size_t count) {
  struct node *const n = calloc(1, sizeof *n);
  n->before = malloc((count + 1) * sizeof *before);
  if (count) memcpy(n->before, before, count * sizeof *before);
  n->count = count;
  for (size_t i = 0; i < count; i++) {
    struct node *other = g->first;
    while (other && other != n->before[i]) other = other->next;
    expect(other != 0, "a node waits for one of another graph");
  }
  if (g->last) g->last->next = n;
  else g->first = n;
  return g->last = n;
}
static void set_before(struct stream *s, void *const *nodes, size_t count) {
  void **const copy = malloc((count + 1) * sizeof *copy);
  if (count) memcpy(copy, nodes, count * sizeof *copy);
  free(s->before);
  s->before = (struct node **)copy;
  s->count = count;
}
/* Run something, or record it. */
static int enqueue(void *stream, void (*run)(void *), const void *data, size_t size) {
  struct stream *const s = stream;
  void *const copy = malloc(size);
  memcpy(copy, data, size);
  if (!s || !s->recorded) return run(copy), free(copy), 0;
  struct node *const n = add(s->recorded, (void *const *)s->before, s->count);
  n->run = run, n->data = copy;
  void *nodes[] = {n};
  return set_before(s, nodes, 1), 0;
}

int cuStreamCreate(void **stream, unsigned flags) {
  expect(flags == 1, "a stream waits for others");
  return created_streams++, *stream = calloc(1, sizeof(struct stream)), 0;
}
int cuStreamDestroy_v2(void *stream) {
  expect(!((struct stream *)stream)->recorded, "it destroys a stream that records");
  free(((struct stream *)stream)->before);
  return created_streams--, free(stream), 0;
}
int cuStreamSynchronize(void *stream) { return expect(!stream || !((struct stream *)stream)->recorded, "it waits"), 0; }
int cuStreamBeginCaptureToGraph(void *stream, void *graph, void *const *nodes, const void *edges, size_t count, int mode) {
  struct stream *const s = stream;
  expect(!s->recorded && !edges && mode == 2, "it begins to record");
  s->recorded = graph;
  return set_before(s, nodes, count), 0;
}
int cuStreamBeginCapture_v2(void *stream, int mode) {
  return cuStreamBeginCaptureToGraph(stream, calloc(1, sizeof(struct graph)), 0, 0, 0, mode);
}
int cuStreamEndCapture(void *stream, void **graph) {
  struct stream *const s = stream;
  if (!s->recorded) return INVALID;
  /* Everything has to be waited for. */
  for (struct node *n = s->recorded->first; n; n = n->next) {
    int waited = 0;
    for (size_t i = 0; i < s->count; i++) waited |= s->before[i] == n;
    for (struct node *other = n->next; other; other = other->next)
      for (size_t i = 0; i < other->count; i++) waited |= other->before[i] == n;
    expect(waited, "nothing waits for a node");
  }
  *graph = s->recorded, s->recorded = 0;
  return 0;
}
int cuStreamGetCaptureInfo_v3(void *stream, int *status, unsigned long long *id, void **graph, void *const **nodes,
                              const void **edges, size_t *count) {
  struct stream *const s = stream;
  *status = 1, *id = 1, *graph = s->recorded, *edges = 0;
  *nodes = (void *const *)s->before, *count = s->count;
  return s->recorded ? 0 : INVALID;
}
int cuStreamUpdateCaptureDependencies_v2(void *stream, void *const *nodes, const void *edges, size_t count, unsigned flags) {
  return expect(flags == 1 && !edges, "it adds to what is waited for"), set_before(stream, nodes, count), 0;
}
static address handles;
int cuGraphConditionalHandleCreate(address *handle, void *graph, void *context, unsigned value, unsigned flags) {
  expect(graph && context == &retained && !value && !flags, "a condition");
  return values[++handles] = 0, *handle = handles, 0;
}
int cuGraphAddNode_v2(void **node, void *graph, void *const *before, const void *edges, size_t count, void *parameters) {
  struct { int type, reserved[3]; address handle; int kind; unsigned size; void **graphs, *context; } *const p = parameters;
  expect(p->type == 13 && p->size == 1 && p->kind <= 1 && p->context == &retained && !edges, "a part on a condition");
  struct node *const n = add(graph, before, count);
  n->part = calloc(1, sizeof *n->part), n->handle = p->handle, n->repeats = p->kind;
  static void *parts[MOST];
  static int used;
  parts[used] = n->part;
  p->graphs = &parts[used++];
  return *node = n, 0;
}
int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags) { return *executable = graph, (int)flags; }
int cuGraphLaunch(void *executable, void *stream) {
  if (from_environment("GPU_FAILS", 0)) return 700;
  run_graph(executable);
  for (int i = 0; i < block_count; i++)
    if (blocks[i].begin) check_block(&blocks[i]);
  return expect(!stream || !((struct stream *)stream)->recorded, "a launch is recorded"), 0;
}
int cuGraphExecDestroy(void *executable) { return executable ? 0 : INVALID; }
int cuGraphDestroy(void *graph) { return graph ? 0 : INVALID; }

/* ---- kernels and copies */

struct launch { struct function *f; int grid[3], block[3]; void *arguments[256]; char bytes[4096]; };
static void run_launch(void *data) {
  struct launch *const l = data;
  size_t at = 0;
  for (int i = 0; l->f->sizes[i]; at += (l->f->sizes[i++] + 7) / 8 * 8) l->arguments[i] = l->bytes + at;
  l->f->run(l->f->call, l->grid, l->block, l->arguments, *l->f->waits, *l->f->cluster);
}
int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned threads_x, unsigned threads_y,
                   unsigned threads_z, unsigned shared, void *stream, void **arguments, void **extra) {
  struct launch l = {function, {x, y, z}, {threads_x, threads_y, threads_z}, {0}, {0}};
  size_t at = 0;
  expect(shared == l.f->shared && !extra && x && y && z, "a launch");
  for (int i = 0; l.f->sizes[i]; at += (l.f->sizes[i++] + 7) / 8 * 8) memcpy(l.bytes + at, arguments[i], l.f->sizes[i]);
  return enqueue(stream, run_launch, &l, sizeof l);
}
struct copy { void *to; const void *from; size_t size; };
static void run_copy(void *data) {
  const struct copy *const c = data;
  memmove(c->to, c->from, c->size);
}
static int copy(const void *to, const void *from, size_t size, void *stream) {
  const struct copy c = {(void *)to, from, size};
  return enqueue(stream, run_copy, &c, sizeof c);
}
#define AT(place) (void *)(uintptr_t)(place)
int cuMemcpyHtoD_v2(address to, const void *from, size_t size) { return expect_memory(to, size), copy(AT(to), from, size, 0); }
int cuMemcpyHtoDAsync_v2(address to, const void *from, size_t size, void *stream) {
  return expect_memory(to, size), copy(AT(to), from, size, stream);
}
int cuMemcpyDtoHAsync_v2(void *to, address from, size_t size, void *stream) {
  return expect_memory(from, size), copy(to, AT(from), size, stream);
}
int cuMemcpyDtoDAsync_v2(address to, address from, size_t size, void *stream) {
  return expect_memory(from, size), expect_memory(to, size), copy(AT(to), AT(from), size, stream);
}

/* ---- cuBLASLt */

struct operation { int compute, scale, transposed[5], epilogue; address bias; };
struct layout { int type, count; uint64_t rows, columns; int64_t leading, stride; };
int cublasLtCreate(void **handle) { return *handle = malloc(1), 0; }
int cublasLtDestroy(void *handle) { return free(handle), 0; }
int cublasLtMatmulDescCreate(void **made, int compute, int scale) {
  struct operation *const o = calloc(1, sizeof *o);
  o->compute = compute, o->scale = scale;
  return *made = o, 0;
}
int cublasLtMatmulDescDestroy(void *made) { return free(made), 0; }
int cublasLtMatmulDescSetAttribute(void *of, int attribute, const void *value, size_t size) {
  struct operation *const o = of;
  if (attribute == 7) o->epilogue = *(const int *)value;
  else if (attribute == 8) o->bias = *(const address *)value;
  else o->transposed[attribute] = *(const int *)value;
  return size != (attribute == 8 ? 8 : 4);
}
int cublasLtMatrixLayoutCreate(void **made, int type, uint64_t rows, uint64_t columns, int64_t leading) {
  struct layout *const l = calloc(1, sizeof *l);
  *l = (struct layout){type, 1, rows, columns, leading, 0};
  return *made = l, leading < (int64_t)rows;
}
int cublasLtMatrixLayoutDestroy(void *made) { return free(made), 0; }
int cublasLtMatrixLayoutSetAttribute(void *of, int attribute, const void *value, size_t size) {
  struct layout *const l = of;
  if (attribute == 5) l->count = *(const int *)value;
  else l->stride = *(const int64_t *)value;
  return size != (attribute == 5 ? 4 : 8);
}
int cublasLtMatmulPreferenceCreate(void **made) { return *made = calloc(1, 8), 0; }
int cublasLtMatmulPreferenceDestroy(void *made) { return free(made), 0; }
int cublasLtMatmulPreferenceSetAttribute(void *of, int attribute, const void *value, size_t size) {
  return !of || !value || size != (attribute == 1 ? 8 : 4);
}
int cublasLtMatmulAlgoGetHeuristic(void *handle, void *operation, void *a, void *b, void *c, void *d, void *preference,
                                   int most, void *results, int *found) {
  memset(results, 7, 96);
  *found = most && handle && operation && preference && a && b && c == d && !from_environment("GPU_REFUSES", 0);
  return 0;
}
struct matmul { struct operation o; struct layout a, b, c; address at[4], workspace; size_t size; double beta; };
static double element(const struct layout *l, address at, int64_t batch, int64_t row, int64_t column) {
  const int64_t i = batch * (l->count > 1 ? l->stride : 0) + row + column * l->leading;
  if (l->type == 1) return ((double *)AT(at))[i];
  if (l->type == 3) return ((int8_t *)AT(at))[i];
  if (l->type == 10) return ((int32_t *)AT(at))[i];
  if (l->type == 14) {
    const uint32_t bits = (uint32_t)((uint16_t *)AT(at))[i] << 16;
    float value;
    return memcpy(&value, &bits, sizeof value), value;
  }
  if (l->type == 2) return ((_Float16 *)AT(at))[i];
  if (l->type == 28 || l->type == 29) { /* E4M3 and E5M2 */
    const int bits = ((uint8_t *)AT(at))[i], wide = l->type == 28 ? 3 : 2, bias = l->type == 28 ? 7 : 15;
    const int exponent = (bits & 127) >> wide, mantissa = bits & ((1 << wide) - 1);
    const double value = ldexp(mantissa + (exponent ? 1 << wide : 0), (exponent ? exponent : 1) - bias - wide);
    if (l->type == 28 ? (bits & 127) == 127 : exponent == 31 && mantissa) return NAN;
    return (bits & 128 ? -1 : 1) * (l->type == 29 && exponent == 31 ? INFINITY : value);
  }
  return ((float *)AT(at))[i];
}
static void run_matmul(void *data) {
  const struct matmul *const m = data;
  const struct layout *const a = &m->a, *const b = &m->b, *const c = &m->c;
  const int64_t depth = m->o.transposed[3] ? a->rows : a->columns;
  memset(AT(m->workspace), POISON, m->size);
  for (int64_t batch = 0; batch < c->count; batch++)
    for (int64_t row = 0; row < (int64_t)c->rows; row++)
      for (int64_t column = 0; column < (int64_t)c->columns; column++) {
        double sum = m->beta ? m->beta * element(c, m->at[2], batch, row, column) : 0;
        for (int64_t k = 0; k < depth; k++)
          sum += element(a, m->at[0], batch, m->o.transposed[3] ? k : row, m->o.transposed[3] ? row : k) *
                 element(b, m->at[1], batch, m->o.transposed[4] ? column : k, m->o.transposed[4] ? k : column);
        if (m->o.epilogue & 4) sum += element(&(struct layout){c->type, 1, 0, 0, 0, 0}, m->o.bias, 0, row, 0);
        if (m->o.epilogue & 2 && sum <= 0) sum = 0;
        const int64_t i = batch * (c->count > 1 ? c->stride : 0) + row + column * c->leading;
        if (c->type == 1) ((double *)AT(m->at[3]))[i] = sum;
        else if (c->type == 10) ((int32_t *)AT(m->at[3]))[i] = (int32_t)sum;
        else if (c->type == 14) {
          const float value = (float)sum;
          uint32_t bits;
          memcpy(&bits, &value, sizeof bits);
          ((uint16_t *)AT(m->at[3]))[i] = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        }
        else if (c->type == 2) ((_Float16 *)AT(m->at[3]))[i] = (_Float16)(float)sum;
        else ((float *)AT(m->at[3]))[i] = (float)sum;
      }
}
int cublasLtMatmul(void *handle, void *operation, const void *alpha, address a, void *a_layout, address b, void *b_layout,
                   const void *beta, address c, void *c_layout, address d, void *d_layout, const void *algorithm,
                   address workspace, size_t size, void *stream) {
  struct matmul m = {*(struct operation *)operation, *(struct layout *)a_layout, *(struct layout *)b_layout,
                     *(struct layout *)d_layout, {a, b, c, d}, workspace, size, 0};
  const int scale = m.o.scale;
  const double one = scale == 1 ? *(const double *)alpha : scale == 10 ? *(const int *)alpha : *(const float *)alpha;
  m.beta = scale == 1 ? *(const double *)beta : scale == 10 ? *(const int *)beta : *(const float *)beta;
  if (m.a.type >= 28) /* our B and A: terms side by side, all a multiple of 16 bytes apart */
    expect(m.b.type >= 28 && m.a.type + m.b.type < 58 && m.o.transposed[3] && !m.o.transposed[4] && !(m.a.leading % 16) &&
               !(m.b.leading % 16) && !(m.a.rows % 16) && !(m.c.rows % 16), "a product of 8-bit floats in another layout");
  expect(handle && one == 1 && c_layout == d_layout && *(const char *)algorithm == 7, "a product");
  expect(m.c.type == 0 || m.c.type == 1 || m.c.type == 2 || m.c.type == 10 || m.c.type == 14, "a product of a type that is not emulated");
  expect_memory(workspace, size);
  return enqueue(stream, run_matmul, &m, sizeof m);
}

/* ---- cuDNN */

struct tensor { int type, rank, sizes[5], steps[5]; };
struct convolution { int rank, padding[3], stride[3], dilation[3], crosses, groups; };
static void *dnn_stream;
int cudnnCreate(void **handle) { return *handle = malloc(1), 0; }
int cudnnDestroy(void *handle) { return free(handle), 0; }
int cudnnSetStream(void *handle, void *stream) { return dnn_stream = stream, !handle; }
int cudnnCreateTensorDescriptor(void **made) { return *made = calloc(1, sizeof(struct tensor)), 0; }
int cudnnDestroyTensorDescriptor(void *made) { return free(made), 0; }
int cudnnCreateFilterDescriptor(void **made) { return cudnnCreateTensorDescriptor(made); }
int cudnnDestroyFilterDescriptor(void *made) { return free(made), 0; }
int cudnnSetTensorNdDescriptor(void *of, int type, int rank, const int *sizes, const int *steps) {
  struct tensor *const t = of;
  t->type = type, t->rank = rank;
  memcpy(t->sizes, sizes, rank * sizeof *sizes), memcpy(t->steps, steps, rank * sizeof *steps);
  return type != 0 && type != 2 && type != 9;
}
int cudnnSetFilterNdDescriptor(void *of, int type, int layout, int rank, const int *sizes) {
  int steps[5], step = layout == 1 ? sizes[1] : 1; /* with features last, the places are between them */
  for (int d = rank - 1; d > (layout == 1 ? 1 : 0); d--) steps[d] = step, step *= sizes[d];
  if (layout == 1) steps[1] = 1;
  steps[0] = step;
  return cudnnSetTensorNdDescriptor(of, type, rank, sizes, steps);
}
int cudnnCreateConvolutionDescriptor(void **made) { return *made = calloc(1, sizeof(struct convolution)), 0; }
int cudnnDestroyConvolutionDescriptor(void *made) { return free(made), 0; }
int cudnnSetConvolutionNdDescriptor(void *of, int rank, const int *padding, const int *stride, const int *dilation, int mode,
                                    int type) {
  struct convolution *const c = of;
  c->rank = rank, c->crosses = mode;
  memcpy(c->padding, padding, rank * sizeof *padding), memcpy(c->stride, stride, rank * sizeof *stride);
  memcpy(c->dilation, dilation, rank * sizeof *dilation);
  return type;
}
int cudnnSetConvolutionGroupCount(void *of, int groups) { return ((struct convolution *)of)->groups = groups, 0; }
int cudnnSetConvolutionMathType(void *of, int type) { return !of || (type != 3 && type != 1); }

struct convolving { struct tensor x, w, y; struct convolution c; address at[3], workspace; int result; };
/* The numbers of a tensor of f32, f16 (2) or bf16 (9) as floats, in memory of their own. */
static float *as_floats(const struct tensor *t, address at) {
  size_t count = 1;
  for (int d = 0; d < t->rank; d++) count += (size_t)(t->sizes[d] - 1) * t->steps[d];
  float *const made = malloc(count * sizeof *made);
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits = t->type == 9 ? (uint32_t)((uint16_t *)AT(at))[i] << 16 : 0;
    if (t->type == 9) memcpy(&made[i], &bits, 4);
    else made[i] = t->type == 2 ? ((_Float16 *)AT(at))[i] : ((float *)AT(at))[i];
  }
  return made;
}
static void store(const struct tensor *t, address at, int64_t i, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  if (t->type == 9) ((uint16_t *)AT(at))[i] = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  else if (t->type == 2) ((_Float16 *)AT(at))[i] = (_Float16)value;
  else ((float *)AT(at))[i] = value;
}
static void run_convolution(void *data) {
  const struct convolving *const v = data;
  const struct tensor *const x = &v->x, *const w = &v->w, *const y = &v->y, *const all[] = {x, w, y};
  const struct tensor *const result = all[v->result];
  float *const at[] = {as_floats(x, v->at[0]), as_floats(w, v->at[1]), as_floats(y, v->at[2])};
  const int rank = v->c.rank, outs = w->sizes[0] / v->c.groups;
  int i[5] = {0};
  memset(AT(v->workspace), POISON, 256);
  for (;;) { /* over the elements of the result: set to 0 */
    int64_t place = 0;
    for (int d = 0; d < rank + 2; d++) place += (int64_t)i[d] * result->steps[d];
    at[v->result][place] = 0;
    int d = rank + 1;
    while (d >= 0 && ++i[d] == result->sizes[d]) i[d--] = 0;
    if (d < 0) break;
  }
  int n[8] = {0}, most[8] = {y->sizes[0], y->sizes[1]}; /* batch, feature of Y, places of Y, feature of W, its places */
  int count = 2;
  for (int d = 0; d < rank; d++) most[count++] = y->sizes[2 + d];
  most[count++] = w->sizes[1];
  int window[3] = {0};
  for (;;) {
    const int feature = n[1] / outs * w->sizes[1] + n[2 + rank];
    int64_t from = n[0] * (int64_t)x->steps[0] + feature * (int64_t)x->steps[1];
    int64_t by = n[1] * (int64_t)w->steps[0] + n[2 + rank] * (int64_t)w->steps[1];
    int64_t to = n[0] * (int64_t)y->steps[0] + n[1] * (int64_t)y->steps[1];
    int inside = 1;
    for (int d = 0; d < rank; d++) {
      const int k = v->c.crosses ? window[d] : w->sizes[2 + d] - 1 - window[d];
      const int place = n[2 + d] * v->c.stride[d] + window[d] * v->c.dilation[d] - v->c.padding[d];
      inside = inside && place >= 0 && place < x->sizes[2 + d];
      from += place * (int64_t)x->steps[2 + d], by += k * (int64_t)w->steps[2 + d], to += n[2 + d] * (int64_t)y->steps[2 + d];
    }
    if (inside && v->result == 2) at[2][to] += at[0][from] * at[1][by];
    if (inside && v->result == 0) at[0][from] += at[2][to] * at[1][by];
    if (inside && v->result == 1) at[1][by] += at[0][from] * at[2][to];
    int d = rank - 1;
    while (d >= 0 && ++window[d] == w->sizes[2 + d]) window[d--] = 0;
    if (d >= 0) continue;
    d = count - 1;
    while (d >= 0 && ++n[d] == most[d]) n[d--] = 0;
    if (d < 0) break;
  }
  memset(i, 0, sizeof i);
  for (;;) { /* over the elements of the result */
    int64_t place = 0;
    for (int d = 0; d < rank + 2; d++) place += (int64_t)i[d] * result->steps[d];
    store(result, v->at[v->result], place, at[v->result][place]);
    int d = rank + 1;
    while (d >= 0 && ++i[d] == result->sizes[d]) i[d--] = 0;
    if (d < 0) break;
  }
  for (int k = 0; k < 3; k++) free(at[k]);
}
#define KIND(name, result_number, first, second)                                                                        \
  int cudnnGetConvolution##name##Algorithm_v7(void *handle, void *a, void *b, void *c, void *d, int most, int *count,    \
                                              int *rows) {                                                              \
    expect(handle && a && b && c && d && most >= 2, "a search");                                                        \
    const int refused = from_environment("GPU_REFUSES", 0) || (from_environment("GPU_IS_WIDE", 0) && *(int *)a);        \
    *count = refused ? 1 : 2; /* the first one gives other bits in each run */                                          \
    rows[0] = 3, rows[1] = 0, rows[6] = 0, rows[12] = 5, rows[13] = 0, rows[18] = 1;                                     \
    return 0;                                                                                                           \
  }                                                                                                                     \
  int cudnnGetConvolution##name##WorkspaceSize(void *handle, void *a, void *b, void *c, void *d, int algorithm,          \
                                               size_t *size) {                                                          \
    return *size = 256, !handle || algorithm != 5;                                                                      \
  }                                                                                                                     \
  int cudnnConvolution##name(void *handle, const float *one, void *a, address a_at, void *b, address b_at, void *how,    \
                             int algorithm, address workspace, size_t size, const float *zero, void *c, address c_at) { \
    struct tensor *const given[] = {a, b, c};                                                                           \
    const address at[] = {a_at, b_at, c_at};                                                                            \
    struct convolving v = {0};                                                                                          \
    struct tensor *const own[] = {&v.x, &v.w, &v.y};                                                                    \
    const int order[] = {first, second, result_number};                                                                 \
    expect(handle && *one == 1 && *zero == 0 && algorithm == 5 && size == 256, "a convolution");                         \
    expect_memory(workspace, size);                                                                                     \
    for (int i = 0; i < 3; i++) *own[order[i]] = *given[i], v.at[order[i]] = at[i];                                      \
    v.c = *(struct convolution *)how, v.workspace = workspace, v.result = result_number;                                \
    return enqueue(dnn_stream, run_convolution, &v, sizeof v);                                                          \
  }
KIND(Forward, 2, 0, 1)
KIND(BackwardData, 0, 1, 2)
KIND(BackwardFilter, 1, 0, 2)

/* ---- cuFFT */

struct fft { int type, rank, count; long long lengths[3], before[3], after[3], step[2], apart[2]; void *stream; address area; };
static struct fft ffts[64];
static int fft_count;
int cufftCreate(int *plan) { return *plan = ++fft_count, 0; }
int cufftDestroy(int plan) { return plan < 1 || plan > fft_count; }
int cufftSetAutoAllocation(int plan, int allocates) { return plan < 1 || allocates; }
int cufftMakePlanMany64(int plan, int rank, const long long *lengths, const long long *before, long long before_step,
                        long long before_apart, const long long *after, long long after_step, long long after_apart, int type,
                        long long count, size_t *size) {
  struct fft *const f = &ffts[plan];
  *f = (struct fft){type, rank, (int)count, {0}, {0}, {0}, {before_step, after_step}, {before_apart, after_apart}, 0, 0};
  for (int d = 0; d < rank; d++) f->lengths[d] = lengths[d], f->before[d] = before[d], f->after[d] = after[d];
  return *size = 512, 0;
}
int cufftSetStream(int plan, void *stream) { return ffts[plan].stream = stream, 0; }
int cufftSetWorkArea(int plan, address area) { return ffts[plan].area = area, 0; }

struct transforming { struct fft f; address from, to; int direction; };
static double part_of(const void *numbers, int is_double, long long at) {
  return is_double ? ((const double *)numbers)[at] : ((const float *)numbers)[at];
}
static void run_transform(void *data) {
  const struct transforming *const t = data;
  const struct fft *const f = &t->f;
  const int is_double = f->type >= 0x69, kind = f->type & 15, from_reals = kind == 10, to_reals = kind == 12;
  long long all = 1, size = 1;
  for (int d = 0; d < f->rank; d++) all *= f->lengths[d], size *= f->after[d];
  double *const results = malloc(sizeof(double) * 2 * size * f->count);
  memset(AT(f->area), POISON, 512);
  expect(!to_reals || f->rank == 1, "an inverse of several dimensions");
  for (int item = 0; item < f->count; item++)
    for (long long k = 0; k < size; k++) {
      double re = 0, im = 0;
      for (long long n = 0; n < all; n++) {
        long long rest_n = n, rest_k = k, place = 0, step = 1;
        double iterations = 0, sign = 1;
        for (int d = f->rank; d--;) {
          long long at = rest_n % f->lengths[d];
          iterations += (double)(at * (rest_k % f->after[d])) / f->lengths[d];
          rest_n /= f->lengths[d], rest_k /= f->after[d];
          if (at >= f->before[d]) at = f->lengths[d] - at, sign = -1; /* the other half of what is real afterwards */
          place += at * step, step *= f->before[d];
        }
        place = item * f->apart[0] + place * f->step[0];
        const double x = part_of(AT(t->from), is_double, from_reals ? place : 2 * place);
        const double y = from_reals ? 0 : sign * part_of(AT(t->from), is_double, 2 * place + 1);
        const double angle = t->direction * 2 * 3.14159265358979323846 * iterations;
        re += x * cos(angle) - y * sin(angle), im += x * sin(angle) + y * cos(angle);
      }
      results[2 * (item * size + k)] = re, results[2 * (item * size + k) + 1] = im;
    }
  for (int item = 0; item < f->count; item++)
    for (long long k = 0; k < size; k++)
      for (int part = 0; part < (to_reals ? 1 : 2); part++) {
        const long long place = item * f->apart[1] + k * f->step[1], at = to_reals ? place : 2 * place + part;
        const double value = results[2 * (item * size + k) + part];
        if (is_double) ((double *)AT(t->to))[at] = value;
        else ((float *)AT(t->to))[at] = (float)value;
      }
  free(results);
}
static int start_transform(int plan, address from, address to, int direction, int type) {
  const struct transforming t = {ffts[plan], from, to, direction};
  expect(t.f.type == type, "a transform of another type");
  expect_memory(t.f.area, 512);
  return enqueue(t.f.stream, run_transform, &t, sizeof t);
}
int cufftExecC2C(int plan, address from, address to, int direction) { return start_transform(plan, from, to, direction, 0x29); }
int cufftExecZ2Z(int plan, address from, address to, int direction) { return start_transform(plan, from, to, direction, 0x69); }
int cufftExecR2C(int plan, address from, address to) { return start_transform(plan, from, to, -1, 0x2a); }
int cufftExecD2Z(int plan, address from, address to) { return start_transform(plan, from, to, -1, 0x6a); }
int cufftExecC2R(int plan, address from, address to) { return start_transform(plan, from, to, 1, 0x2c); }
int cufftExecZ2D(int plan, address from, address to) { return start_transform(plan, from, to, 1, 0x6c); }
