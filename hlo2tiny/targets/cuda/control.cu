// The kernels with which a graph decides what it runs next, and copies several buffers at once.
typedef unsigned long long cudaGraphConditionalHandle;
typedef unsigned long long address;
extern "C" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);

// For a loop whose iterations exchange values, the host watches how often it decided, whether it ended, and may end it.
extern "C" __global__ void repeat_while(cudaGraphConditionalHandle handle, const unsigned char *predicate,
                                        volatile unsigned *watch) {
  unsigned again = *predicate != 0;
  if (watch) {
    again = again && !watch[1];
    watch[0] = (watch[0] + 1) | (again ? 0 : 1u << 31);
  }
  cudaGraphSetConditional(handle, again);
}

extern "C" __global__ void begin_iterations(cudaGraphConditionalHandle handle, unsigned *counter, unsigned iterations) {
  *counter = iterations;
  cudaGraphSetConditional(handle, iterations > 0);
}

extern "C" __global__ void end_iteration(cudaGraphConditionalHandle handle, unsigned *counter) {
  cudaGraphSetConditional(handle, --*counter > 0);
}

// Whether to run one branch of several: the last one if the index is out of range; a bool selects the first if true.
extern "C" __global__ void choose(cudaGraphConditionalHandle handle, const void *index, int is_bool, int branch,
                                  int branches) {
  int chosen = is_bool ? !*(const unsigned char *)index : *(const int *)index;
  if (chosen < 0 || chosen >= branches) chosen = branches - 1;
  cudaGraphSetConditional(handle, chosen == branch);
}

struct moves {
  address target[64], source[64], size[64];
};

// Row y of the grid copies buffer y, 16 bytes at a time where both are aligned.
extern "C" __global__ void copy_all(struct moves m) {
  const address size = m.size[blockIdx.y], at = (address)blockIdx.x * blockDim.x + threadIdx.x;
  const address step = (address)gridDim.x * blockDim.x;
  char *target = (char *)m.target[blockIdx.y];
  const char *source = (const char *)m.source[blockIdx.y];
  address done = 0;
  if (((address)target | (address)source) % 16 == 0) {
    done = size / 16 * 16;
    for (address i = at; i < done / 16; i += step) ((uint4 *)target)[i] = ((const uint4 *)source)[i];
  }
  for (address i = done + at; i < size; i += step) target[i] = source[i];
}

extern "C" __global__ void truth_values(unsigned char *target, const unsigned char *source, address size) {
  const address step = (address)gridDim.x * blockDim.x;
  for (address i = (address)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += step) target[i] = source[i] != 0;
}

// A tensor from another one that is inside it, with other strides; the rest becomes 0. The last dimension is the
// innermost one of the target. Types are cuDNN's: 0 is f32, 2 is f16, and 9 is bf16; with 16, numbers are 16 bytes.
struct arrangement {
  long long size, target, source, shape[6], step[6], low[6], extent[6];
};

// The number of the other one's element for an element; -1 outside. `Index` is as wide as numbers of elements are.
template <class Index> __device__ __forceinline__ long long source_of(Index i, const struct arrangement &a) {
  long long from = 0;
  bool inside = true;
  for (int d = 5; d >= 0; d--) {
    const Index count = (Index)a.shape[d], next = count == 1 ? i : i / count;
    const long long at = (long long)(i - next * count) - a.low[d];
    i = next;
    inside = inside && at >= 0 && at < a.extent[d];
    from += at * a.step[d];
  }
  return inside ? from : -1;
}

struct Same {
  template <class T> __device__ T operator()(T x) const { return x; }
};
struct Converted {
  long long to, from;
  __device__ uint operator()(uint x) const {
    if (from == 9) x <<= 16;
    if (from == 2) x = widen_f16(x & 0x7fff) | (x & 0x8000) << 16;
    return to == 9 ? round_to_bf16(x) : to == 2 ? round_to_f16(x & 0x7fffffff) | (x >> 16 & 0x8000) : x;
  }
};

template <class To, class From, class Index, class Function>
__device__ __forceinline__ void arrange_all(void *to, const void *from, const struct arrangement &a, Function convert) {
  const Index all = (Index)gridDim.x * blockDim.x, size = (Index)a.size;
  for (Index i = (Index)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += all) {
    const long long place = source_of(i, a);
    ((To *)to)[i] = place < 0 ? To() : (To)convert(((const From *)from)[place]);
  }
}

template <class To, class From, class Function>
__device__ __forceinline__ void arrange_as(void *to, const void *from, const struct arrangement &a, Function convert) {
  if (a.size < 1ll << 31) arrange_all<To, From, unsigned>(to, from, a, convert);
  else arrange_all<To, From, address>(to, from, a, convert);
}

extern "C" __global__ void arrange(void *target, const void *source, struct arrangement a) {
  const Converted convert = {a.target, a.source};
  if (a.target == 16) arrange_as<uint4, uint4>(target, source, a, Same());
  else if (a.target == a.source && a.target) arrange_as<unsigned short, unsigned short>(target, source, a, Same());
  else if (a.target == a.source) arrange_as<uint, uint>(target, source, a, Same());
  else if (a.target) arrange_as<unsigned short, uint>(target, source, a, convert);
  else arrange_as<uint, unsigned short>(target, source, a, convert);
}

// What Fourier transforms need besides cuFFT; numbers have 4 or 8 bytes.
extern "C" __global__ void copy_numbers(long long count, void *target, const void *source, int size) {
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
    if (size == 4) ((float *)target)[i] = ((const float *)source)[i];
    else ((double *)target)[i] = ((const double *)source)[i];
}

extern "C" __global__ void scale(long long count, void *numbers, double factor, int size) {
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
    if (size == 4) ((float *)numbers)[i] *= (float)factor;
    else ((double *)numbers)[i] *= factor;
}

// The imaginary parts of the first number of each row, and of the last one if the rows belong to even lengths.
extern "C" __global__ void clear_imaginary(long long rows, void *numbers, long long row, int even, int size) {
  const long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += step)
    for (int end = 0; end <= even; end++) {
      const long long at = 2 * (i * row + (end ? row - 1 : 0)) + 1;
      if (size == 4) ((float *)numbers)[at] = 0;
      else ((double *)numbers)[at] = 0;
    }
}

// The addresses of the items of a batch.
extern "C" __global__ void list_items(char **to, char *first, long long step, long long count) {
  for (long long i = 0; i < count; i++) to[i] = first + i * step;
}

// The info of a call that worked on all items, for those that were asked for.
extern "C" __global__ void keep_info(int *info, const int *wanted, const int *found) {
  if (*wanted) *info = *found;
}
