// CUDA C on a processor: the threads of a block are coroutines, which wait for each other at barriers. They go on by
// longjmp, as swapcontext asks the system for the signals' mask each time; glibc's checked longjmp stays on one stack.
#undef _FORTIFY_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
template <class T> static T min(T a, T b) { return b < a ? b : a; }
template <class T> static T max(T a, T b) { return a < b ? b : a; }
// C has these under other names for float.
#define FOR_FLOAT(name) static inline float name(float x) { return name##f(x); }
FOR_FLOAT(sqrt) FOR_FLOAT(exp2) FOR_FLOAT(log2) FOR_FLOAT(sin) FOR_FLOAT(trunc) FOR_FLOAT(fabs) FOR_FLOAT(floor)
FOR_FLOAT(ceil) FOR_FLOAT(rint)
#define __device__
#define __constant__
#define __host__
#define __global__
#define __forceinline__ inline
#define __restrict__
#define __shared__ static
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define ASKED_FOR(name, size, alignment) \
  static char name##_of_cluster[8][((size) + 1023) / 1024 * 1024] __attribute__((aligned(1024))); \
  memory_size = sizeof *name##_of_cluster, memory_of_blocks = *name##_of_cluster; \
  char *const name = name##_of_cluster[rank_in_cluster]
#define __align__(n) __attribute__((aligned(n)))

struct Numbers { int x, y, z; };
static Numbers threadIdx, blockIdx, blockDim, gridDim;
/* The blocks of a cluster run as if they were one with more threads. */
static int cluster_size, rank_in_cluster;
static long memory_size;
static const char *memory_of_blocks;
template <class T> static T *in_cluster(T *place, int block) {
  return (T *)((char *)place + (block - rank_in_cluster) * memory_size);
}

enum Waiting { RUNS, FOR_WARP, FOR_SOME, FOR_BLOCK, FOR_CLUSTER, ENDED };
struct Thread { ucontext_t context; jmp_buf at; Waiting waiting; bool begun; unsigned lanes; int some; };
static jmp_buf scheduler;
static Thread threads[4096];
static int count, current;
static void (*body)(void **);
static void **parameters;
static uint64_t exchanged[128][32];

__attribute__((noinline)) static void wait(Waiting what) {
  threads[current].waiting = what;
  if (!_setjmp(threads[current].at)) _longjmp(scheduler, 1);
}
static inline void __syncthreads() { wait(FOR_BLOCK); }
/* Others of the block may wait for a barrier of all. */
static inline void wait_for_some(int number) { threads[current].some = number, wait(FOR_SOME); }
static inline void arrive_in_cluster() {}
static inline void wait_in_cluster() { wait(FOR_CLUSTER); }
static inline void wait_for_lanes(unsigned lanes) { threads[current].lanes = lanes, wait(FOR_WARP), threads[current].lanes = ~0u; }
static inline void __syncwarp(unsigned lanes = ~0u) { wait_for_lanes(lanes); }
static int agreed;
static inline int __syncthreads_and(int value) {
  if (!current) agreed = 1;
  __syncthreads();
  agreed &= value != 0;
  __syncthreads();
  const int result = agreed;
  __syncthreads();
  return result;
}
static inline int __syncthreads_or(int value) { return !__syncthreads_and(!value); }
static inline int lane() { return current % 32; }

template <class T> static T exchange(T value, int source, unsigned lanes = ~0u) {
  int warp = current / 32, own = lane();
  exchanged[warp][own] = 0;
  memcpy(&exchanged[warp][own], &value, sizeof value);
  wait_for_lanes(lanes);
  T result = value;
  if (source >= 0 && source < 32) memcpy(&result, &exchanged[warp][source], sizeof result);
  wait_for_lanes(lanes);
  return result;
}
template <class T> static T __shfl_xor_sync(unsigned lanes, T value, int step) { return exchange(value, lane() ^ step, lanes); }
template <class T> static T __shfl_sync(unsigned, T value, int source, int width = 32) {
  return exchange(value, lane() / width * width + source % width);
}
template <class T> static T __shfl_up_sync(unsigned, T value, int step) { return exchange(value, lane() - step); }
template <class T> static T __shfl_down_sync(unsigned, T value, int step) {
  return exchange(value, lane() + step < 32 ? lane() + step : -1);
}
static unsigned __ballot_sync(unsigned, int predicate) {
  unsigned found = 0;
  int warp = current / 32;
  exchanged[warp][lane()] = predicate != 0;
  wait(FOR_WARP);
  for (int i = 0; i < 32 && warp * 32 + i < count; i++) found |= (unsigned)exchanged[warp][i] << i;
  wait(FOR_WARP);
  return found;
}
template <class To, class From> static To bits(From value) { To to; memcpy(&to, &value, sizeof to); return to; }
// Tensor cores.
static inline unsigned round_to_tf32(float x) {
  unsigned y;
  memcpy(&y, &x, sizeof y);
  return isfinite(x) ? (y + 0x1000) & ~0x1fffu : y;
}
static unsigned tiles[128][32][6];
/* What all threads of a warp have of two tiles. */
static const unsigned (&exchange_tiles(unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1))[32][6] {
  const unsigned own[6] = {a0, a1, a2, a3, b0, b1};
  memcpy(tiles[current / 32][lane()], own, sizeof own);
  wait(FOR_WARP);
  return tiles[current / 32];
}
static void add_product_of_tiles(float *c, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
  const auto &given = exchange_tiles(a0, a1, a2, a3, b0, b1);
  for (int e = 0; e < 4; e++)
    for (int i = 0; i < 8; i++) {
      float a, b;
      memcpy(&a, &given[lane() / 4 * 4 + i % 4][i / 4 * 2 + e / 2], sizeof a);
      memcpy(&b, &given[(lane() % 4 * 2 + e % 2) * 4 + i % 4][4 + i / 4], sizeof b);
      c[e] += a * b;
    }
  wait(FOR_WARP);
}
/* Numbers of bf16 (kind 1) and f16 (kind 2), two in 32 bits. */
template <int kind> static unsigned narrowed(float x) {
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  if (kind == 1) return x != x ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  const _Float16 half = (_Float16)x;
  unsigned short y;
  memcpy(&y, &half, sizeof y);
  return y;
}
template <int kind> static float widened(unsigned x) {
  if (kind == 1) return bits<float>(x << 16);
  const unsigned short y = x;
  return (float)bits<_Float16>(y);
}
template <int kind> static unsigned narrow_pair(float low, float high) { return narrowed<kind>(low) | narrowed<kind>(high) << 16; }
template <int kind>
static void add_product_of_narrow_tiles(float *c, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
  const auto &given = exchange_tiles(a0, a1, a2, a3, b0, b1);
  for (int e = 0; e < 4; e++)
    for (int i = 0; i < 16; i++) {
      const unsigned a = given[lane() / 4 * 4 + i / 2 % 4][i / 8 * 2 + e / 2] >> i % 2 * 16 & 0xffff;
      const unsigned b = given[(lane() % 4 * 2 + e % 2) * 4 + i / 2 % 4][4 + i / 8] >> i % 2 * 16 & 0xffff;
      c[e] += widened<kind>(a) * widened<kind>(b);
    }
  wait(FOR_WARP);
}
typedef uintptr_t Shared;
static inline Shared shared_address(const void *place) { return (Shared)place; }
/* Copies of each thread are there when it has waited for them, or has asked for many more. */
static struct {
  int count;
  struct {
    Shared to;
    const void *from;
    int size;
  } copies[128];
} later[4096];
static inline void wait_for_copies() {
  auto &own = later[current];
  for (int i = 0; i < own.count; i++)
    if (own.copies[i].from) memcpy((void *)own.copies[i].to, own.copies[i].from, own.copies[i].size);
    else memset((void *)own.copies[i].to, 0, own.copies[i].size);
  own.count = 0;
}
template <int size = 16> static inline void copy_later(Shared to, const void *from, bool is_there, bool is_wanted) {
  auto &own = later[current];
  if (own.count == 128) wait_for_copies();
  if (is_wanted) own.copies[own.count++] = {to, is_there ? from : 0, size};
}
static inline bool is_chosen() { return lane() == 0; }
static inline void begin_arrivals(Shared at) {}
static inline void expect_bytes(Shared at, int bytes) {}
static inline void copy_bytes_later(Shared to, const void *from, int bytes, Shared at) { memcpy((void *)to, from, bytes); }
static inline void wait_for_bytes(Shared at, unsigned turn) { __syncthreads(); }
static inline void end_copies() {}
template <int> static void wait_for_copies_but() { wait_for_copies(); }
static void load_transposed_tiles(unsigned *x, Shared row) {
  for (int i = 0; i < 4; i++)
    for (int e = 0; e < 2; e++) {
      const auto *from = (const unsigned short *)exchange(row, i * 8 + lane() % 4 * 2 + e);
      x[i] = e ? x[i] | from[lane() / 4] << 16 : from[lane() / 4];
    }
}
static void load_tiles(unsigned *x, Shared row) {
  for (int i = 0; i < 4; i++) x[i] = ((const unsigned *)exchange(row, i * 8 + lane() / 4))[lane() % 4];
}
#ifndef HAS_WARPGROUPS
#define HAS_WARPGROUPS true
#endif
static inline void publish_writes() { __syncthreads(); }
static inline void publish_copies() { wait_for_copies(), publish_writes(); }
/* Each warp multiplies its own rows; numbers are where the instruction reads them, which ignores bits beyond TF32. */
static inline float cut_to_tf32(unsigned x) { return bits<float>(x & ~0x1fffu); }
template <int kind> static float number_in_part(Shared part, int row, int place) {
  if (kind == 0) return cut_to_tf32(*(const unsigned *)(part + row * 128 + (place / 4 ^ row % 8) * 16 + place % 4 * 4));
  return widened<kind>(*(const unsigned short *)(part + row * 128 + (place / 8 ^ row % 8) * 16 + place % 8 * 2));
}
template <int kind, bool transposed, int blocks, int tiles>
static void multiply_by_warpgroup(float (*c)[4], const unsigned (*a)[4], Shared parts, bool add) {
  constexpr int terms = kind ? 16 : 8;
  for (int t = 0; t < tiles; t++) {
    const auto &given = exchange_tiles(a[t][0], a[t][1], a[t][2], a[t][3], 0, 0);
    for (int at = 0; at < 32 * blocks; at++) {
      const int n = at / 32, e = at % 4, across = transposed ? (tiles + 3) / 4 : blocks, column = at % 32 / 4 * 8 + lane() % 4 * 2 + e % 2;
      float sum = add || t ? c[at / 4][e] : 0;
      for (int k = 0; k < terms; k++) {
        const int row = transposed ? column : t % 4 * terms + k, place = transposed ? t % 4 * terms + k : column;
        const Shared part = parts + (transposed ? n * across + t / 4 : t / 4 * across + n) * 8192;
        const int half = k / (terms / 2) * 2 + e / 2, first = lane() / 4 * 4;
        const float x = kind ? widened<kind>(given[first + k / 2 % 4][half] >> k % 2 * 16 & 0xffff)
                             : cut_to_tf32(given[first + k % 4][half]);
        sum += x * number_in_part<kind>(part, row, place);
      }
      c[at / 4][e] = sum;
    }
    wait(FOR_WARP);
  }
}
template <int rows, int tiles, class Meanwhile>
static void multiply_rows(float (*c)[4], const unsigned (*a)[4], Shared b, bool add, Meanwhile meanwhile) {
  for (int t = 0; t < tiles; t++) {
    const auto &given = exchange_tiles(a[t][0], a[t][1], a[t][2], a[t][3], 0, 0);
    for (int at = 0; at < rows / 2; at++) {
      const int e = at % 4, column = at / 4 * 8 + lane() % 4 * 2 + e % 2;
      float sum = add || t ? c[at / 4][e] : 0;
      for (int k = 0; k < 8; k++)
        sum += cut_to_tf32(given[lane() / 4 * 4 + k % 4][k / 4 * 2 + e / 2]) *
               number_in_part<0>(b + t / 4 * rows * 128, column, t % 4 * 8 + k);
      c[at / 4][e] = sum;
    }
    wait(FOR_WARP);
  }
  meanwhile();
}
template <int kind, bool transposed, int blocks, int tiles, class Meanwhile>
static void multiply_by_warpgroup(float (*c)[4], const unsigned (*a)[4], Shared parts, bool add, Meanwhile meanwhile) {
  meanwhile();
  multiply_by_warpgroup<kind, transposed, blocks, tiles>(c, a, parts, add);
}
/* Of each warp's own 16 rows of a and d; all are read where the instruction reads them. */
template <int kind, int tiles>
static void multiply_rows(float (*c)[4], Shared a, Shared b) {
  constexpr int terms = kind ? 16 : 8;
  for (int at = 0; at < 32; at++) {
    const int row = current / 32 % 4 * 16 + at % 4 / 2 * 8 + lane() / 4, column = at / 4 * 8 + lane() % 4 * 2 + at % 2;
    float sum = 0;
    for (int k = 0; k < terms * tiles; k++) {
      const int part = k / (4 * terms) * 8192, place = k % (4 * terms);
      sum += number_in_part<kind>(a + part, row, place) * number_in_part<kind>(b + part, column, place);
    }
    c[at / 4][at % 4] = sum;
  }
}
template <int kind, int tiles, int more>
static void multiply_memory(float (*c)[4], Shared a, Shared b, float (*f)[4], Shared d, Shared e) {
  multiply_rows<kind, tiles>(c, a, b);
  if (more) multiply_rows<kind, more>(f, d, e);
  wait(FOR_WARP);
}
template <bool a_signed, bool b_signed>
static void add_product_of_integers(int *c, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
  const auto &given = exchange_tiles(a0, a1, a2, a3, b0, b1);
  for (int e = 0; e < 4; e++)
    for (int i = 0; i < 32; i++) {
      const unsigned a = given[lane() / 4 * 4 + i / 4 % 4][i / 16 * 2 + e / 2] >> i % 4 * 8 & 255;
      const unsigned b = given[(lane() % 4 * 2 + e % 2) * 4 + i / 4 % 4][4 + i / 16] >> i % 4 * 8 & 255;
      c[e] = (unsigned)c[e] + (unsigned)((a_signed ? (signed char)a : (int)a) * (b_signed ? (signed char)b : (int)b));
    }
  wait(FOR_WARP);
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
template <class T, class U> static T atomicAdd(T *place, U value) { T old = *place; *place += value; return old; }
template <class T, class U> static T atomicMax(T *place, U value) { T old = *place; *place = max(old, (T)value); return old; }
template <class T, class U> static T atomicMin(T *place, U value) { T old = *place; *place = min(old, (T)value); return old; }
template <class T, class U> static T atomicAnd(T *place, U value) { T old = *place; *place &= value; return old; }
template <class T, class U> static T atomicCAS(T *place, U from, U to) { T old = *place; if (old == (T)from) *place = to; return old; }
template <class T, class U> static T atomicOr(T *place, U value) { T old = *place; *place |= value; return old; }

static inline float __int_as_float(int x) { return bits<float>(x); }
static inline int __float_as_int(float x) { return bits<int>(x); }
static inline double __longlong_as_double(long long x) { return bits<double>(x); }
static inline long long __double_as_longlong(double x) { return bits<long long>(x); }
static inline float __uint_as_float(unsigned x) { return bits<float>(x); }
#define __expf expf
#define narrow_exp expf
static inline float rsqrt(float x) { return 1 / sqrtf(x); }

#define VECTORS(type, name) \
  struct alignas(2 * sizeof(type)) name##2 { type x, y; }; \
  struct name##3 { type x, y, z; }; \
  struct alignas(sizeof(type) < 8 ? 4 * sizeof(type) : 16) name##4 { type x, y, z, w; }; \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; } \
  static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
VECTORS(float, float) VECTORS(double, double) VECTORS(int, int) VECTORS(unsigned, uint) VECTORS(short, short)
VECTORS(unsigned short, ushort) VECTORS(signed char, char) VECTORS(unsigned char, uchar)
VECTORS(long long, longlong) VECTORS(unsigned long long, ulonglong)

static void run_thread() {
  for (;;) { // for one block after the other
    body(parameters);
    wait(ENDED);
  }
}

// Whether all threads from one to another that have not ended wait for the same; then they go on.
static bool release(int begin, int end, Waiting what) {
  bool any = false;
  for (int i = begin; i < end; i++) {
    if (threads[i].waiting != what && threads[i].waiting != ENDED) return false;
    any |= threads[i].waiting == what;
  }
  for (int i = begin; i < end; i++)
    if (threads[i].waiting == what) threads[i].waiting = RUNS;
  return any;
}

// The same of a warp's threads, for the lanes that each waits for.
static bool release_lanes(int begin, int end) {
  unsigned waiting = 0, ended = 0, released = 0;
  for (int i = begin; i < end; i++) {
    waiting |= (unsigned)(threads[i].waiting == FOR_WARP) << (i - begin);
    ended |= (unsigned)(threads[i].waiting == ENDED) << (i - begin);
  }
  const unsigned absent = end - begin < 32 ? ~0u << (end - begin) : 0;
  for (int i = begin; i < end; i++)
    if (waiting >> (i - begin) & 1 && !(threads[i].lanes & ~(waiting | ended | absent))) released |= 1u << (i - begin);
  for (int i = begin; i < end; i++)
    if (released >> (i - begin) & 1) threads[i].waiting = RUNS;
  return released;
}

static void go_on() {
  Thread &thread = threads[current];
  if (thread.begun) _longjmp(thread.at, 1);
  const size_t size = 1 << 16;
  getcontext(&thread.context);
  thread.context.uc_stack.ss_sp = malloc(size);
  thread.context.uc_stack.ss_size = size;
  thread.begun = true;
  makecontext(&thread.context, run_thread, 0);
  setcontext(&thread.context);
}

static void run_block() {
  for (int i = 0; i < count; i++) threads[i].waiting = RUNS, threads[i].lanes = ~0u, later[i].count = 0;
  const int each = count / cluster_size;
  do  // one block after the other, as `__shared__` memory is there once
    for (int rank = 0; rank < cluster_size; rank++) {
      const int first = rank * each, end = first + each;
      blockIdx.x += rank - rank_in_cluster, rank_in_cluster = rank;
      for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (current = first; current < end; current++) {
          if (threads[current].waiting != RUNS) continue;
          const int thread = current - first;
          threadIdx = {thread % blockDim.x, thread / blockDim.x % blockDim.y, thread / blockDim.x / blockDim.y};
          if (!_setjmp(scheduler)) go_on();
          goes_on = true;
        }
        for (int begin = first; begin < end; begin += 32) goes_on |= release_lanes(begin, min(begin + 32, end));
        if (threads[first].waiting == FOR_SOME) goes_on |= release(first, first + threads[first].some, FOR_SOME);
        goes_on |= release(first, end, FOR_BLOCK);
      }
    }
  while (release(0, count, FOR_CLUSTER));
  for (int i = 0; i < count; i++)
    if (threads[i].waiting != ENDED) {
      fprintf(stderr, "threads wait for others that have ended or wait for something else\n");
      abort();
    }
}

// What Clang calls where a signed integer overflows.
static int overflows;
#define ON_OVERFLOW(name) extern "C" void __ubsan_handle_##name##_minimal() { overflows++; }
ON_OVERFLOW(add_overflow) ON_OVERFLOW(sub_overflow) ON_OVERFLOW(mul_overflow) ON_OVERFLOW(negate_overflow)
ON_OVERFLOW(divrem_overflow)

// Run a kernel, and return how many overflows it had. Threads that wait for no other one run one after the other.
extern "C" int run(void (*kernel)(void **), const int *grid, const int *block, void **values, int waits, int cluster) {
  gridDim = {grid[0], grid[1], grid[2]}, blockDim = {block[0], block[1], block[2]};
  body = kernel, parameters = values;
  count = block[0] * block[1] * block[2] * cluster, overflows = 0;
  cluster_size = cluster, memory_of_blocks = nullptr;
  for (int z = 0; z < grid[2]; z++)
    for (int y = 0; y < grid[1]; y++)
      for (int x = 0; x < grid[0]; x += cluster) {
        blockIdx = {x, y, z}, rank_in_cluster = 0;
        if (waits) run_block();
        else
          for (int i = 0; i < count; i++) {
            threadIdx = {i % block[0], i / block[0] % block[1], i / block[0] / block[1]};
            kernel(values);
          }
      }
  for (long i = cluster_size * memory_size; memory_of_blocks && i < 8 * memory_size; i++)
    if (memory_of_blocks[i]) {
      fprintf(stderr, "a block writes to memory that it has not asked for\n");
      abort();
    }
  return overflows;
}
