// Runs a kernel of CUDA C on the CPU, one block after another and a thread of the system for each of a block's. What a
// warp does together (shuffles, products on tensor cores) is done between barriers.
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define __global__
#define __shared__ static
#define __launch_bounds__(threads)
#define __restrict__
#define __expf expf
typedef unsigned int uint;
struct float4 { float x, y, z, w; };
struct index3 { int x, y, z; };
static thread_local index3 threadIdx, blockIdx;
static float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

struct Warp { pthread_barrier_t barrier; float values[32]; uint a[32][4], b[32][2]; };
static Warp warps[32];
static pthread_barrier_t all;
static Warp &warp_of_thread() { return warps[threadIdx.x / 32]; }
static void meet(pthread_barrier_t *barrier) { pthread_barrier_wait(barrier); }
static void __syncthreads() { meet(&all); }
static float __shfl_xor_sync(uint, float value, int step) {
  Warp &w = warp_of_thread();
  w.values[threadIdx.x % 32] = value;
  meet(&w.barrier);
  const float other = w.values[(threadIdx.x % 32) ^ step];
  meet(&w.barrier);
  return other;
}
static float __int_as_float(int x) { float y; memcpy(&y, &x, 4); return y; }
static float __uint_as_float(uint x) { float y; memcpy(&y, &x, 4); return y; }
static uint round_to_tf32(float x) {
  uint y;
  memcpy(&y, &x, 4);
  return isfinite(x) ? (y + 0x1000) & ~0x1fffu : y;
}
static void add_product_of_tiles(float *c, uint a0, uint a1, uint a2, uint a3, uint b0, uint b1) {
  Warp &w = warp_of_thread();
  const int lane = threadIdx.x % 32;
  const uint a[4] = {a0, a1, a2, a3}, b[2] = {b0, b1};
  memcpy(w.a[lane], a, sizeof a);
  memcpy(w.b[lane], b, sizeof b);
  meet(&w.barrier);
  for (int e = 0; e < 4; e++)
    for (int i = 0; i < 8; i++)
      c[e] += __uint_as_float(w.a[lane / 4 * 4 + i % 4][i / 4 * 2 + e / 2]) *
              __uint_as_float(w.b[(lane % 4 * 2 + e % 2) * 4 + i % 4][i / 4]);
  meet(&w.barrier);
}

static void call(void **arguments);
static void **all_arguments;
static int blocks[2], threads;
static void *run_thread(void *number) {
  threadIdx = {(int)(long)number, 0, 0};
  for (int y = 0; y < blocks[1]; y++)
    for (int x = 0; x < blocks[0]; x++) {
      blockIdx = {x, y, 0};
      call(all_arguments);
      __syncthreads();
    }
  return 0;
}
extern "C" void run(int width, int height, int count, void **arguments) {
  pthread_t started[1024];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  blocks[0] = width, blocks[1] = height, threads = count, all_arguments = arguments;
  pthread_barrier_init(&all, 0, count);
  for (int i = 0; i < count / 32; i++) pthread_barrier_init(&warps[i].barrier, 0, 32);
  for (long i = 0; i < count; i++) pthread_create(&started[i], &attributes, run_thread, (void *)i);
  for (int i = 0; i < count; i++) pthread_join(started[i], 0);
}
