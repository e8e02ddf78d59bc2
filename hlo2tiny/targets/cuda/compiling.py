"""Compiles CUDA C with nvrtc, in several processes, and keeps the result."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from struct import pack
from subprocess import DEVNULL, PIPE, Popen

from ...machine import cache
from ...machine.processes import can_fork, share_work
from .. import NotBuilt, count_processors
from ..elementary import defined_in, elementary_text, words_of
from . import nvrtc, shipped
from .driver import compiler, compiler_library
from .kernels import CODE, SORTING, CudaKernel, read_code

# As written: otherwise nvrtc contracts a·b + c. `--minimal` leaves out textures and CUDA's own functions, whose
# declarations take as long to read as a small kernel.
OPTIONS = ("--fmad=false", "--std=c++17", "-default-device", "--minimal")
PRELUDE = r"""
typedef unsigned int uint;
#ifdef __CUDACC__
#define ASKED_FOR(name, size, alignment) extern __shared__ __align__(alignment) char name[]
#endif
#define INFINITY (__int_as_float(0x7f800000))
#define NAN (__int_as_float(0x7fffffff))
#define __builtin_inff() __int_as_float(0x7f800000)
#define __builtin_inf() __longlong_as_double(0x7ff0000000000000ll)
#define __builtin_nanf(text) __int_as_float(0x7fc00000)
#define __builtin_nan(text) __longlong_as_double(0x7ff8000000000000ll)
template <class T, class F> __device__ __forceinline__ T tg_bitcast(F v) {
  static_assert(sizeof(T) == sizeof(F), "");
  T t;
  memcpy(&t, &v, sizeof t);
  return t;
}
// What statements know a block or thread by that has another number in its kernel.
struct BlockNumber {
  decltype(blockIdx.x) x;
};
struct PartNumber {
  decltype(threadIdx.x) x, y, z;
};
__device__ __forceinline__ unsigned own_lane() {
#ifdef __CUDA_ARCH__
  unsigned number;
  asm("mov.u32 %0, %%laneid;" : "=r"(number));
  return number;
#else
  return lane();
#endif
}
// Kernels let those that wait for them start before they end; one that does so waits before it uses what they write.
__device__ __forceinline__ void let_others_start() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
__device__ __forceinline__ void wait_for_others() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
// Asks for 128 bytes that are read after the wait.
__device__ __forceinline__ void read_later(const void *place) {
#if __CUDA_ARCH__ >= 900
  asm volatile("prefetch.global.L2 [%0];" ::"l"(place));
#endif
}
// An address that the compiler does not know before the wait.
template <class T> __device__ __forceinline__ T *after_waiting(T *place) {
#if __CUDA_ARCH__ >= 900
  size_t address = __cvta_generic_to_global(place);
  asm volatile("" : "+l"(address));
  return (T *)__cvta_global_to_generic(address);
#else
  return place;
#endif
}
// The bits of a bf16 from those of a float, to nearest even: one instruction, but for NaN, whose sign it would lose. It
// leaves them in the upper half of a word, where the float that they are has them; whoever computes with that asks for
// no bits of NaN.
#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ uint through_bf16(uint bits) {
  uint rounded;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(rounded) : "f"(__uint_as_float(bits)), "f"(0.0f));
  return rounded;
}
__device__ __forceinline__ uint round_to_bf16(uint bits) {
  const float x = __uint_as_float(bits);
  const uint rounded = through_bf16(bits);
  return (x != x ? 0x7fc00000 | (bits & 0x80000000) : rounded) >> 16;
}
#else
__device__ __forceinline__ uint round_to_bf16(uint bits) {
  const bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
  return is_nan ? 0x7fc0 | (bits >> 16 & 0x8000) : (bits + (bits >> 16 & 1) + 0x7fff) >> 16;
}
__device__ __forceinline__ uint through_bf16(uint bits) { return round_to_bf16(bits) << 16; }
#endif
// The bits of a float that is rounded to bf16 as x / y is, for x and y that bf16 hold. No quotient of 8 digits by 8 is
// in the middle between two numbers of 8, nor within 2^-17 of it; one below 2^-126 has fewer, and is corrected.
__device__ __forceinline__ uint quotient_of_bf16(float x, float y) {
#ifdef __CUDACC__
  const float size = fabsf(y), scale = size > 0x1p126f ? 0x1p-2f : size < 0x1p-126f ? 0x1p24f : 1.0f;
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(y * scale));
  const float quotient = x * scale * reciprocal;
  const float corrected = __fmaf_rn(__fmaf_rn(-quotient, y * scale, x * scale), reciprocal, quotient);
  return (uint)__float_as_int(quotient != 0 && fabsf(quotient) < 0x1p-125f ? corrected : quotient);
#else
  return (uint)__float_as_int(x / y);
#endif
}
// The same of 1 / y for y that is at least 1. Of powers of 2 it has one digit, of others endlessly many, so what is
// below 2^-126 is as far from the middle, too. The reciprocal of a quarter of y is not below.
__device__ __forceinline__ uint reciprocal_of_bf16(float y) {
#ifdef __CUDACC__
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(y * 0.25f));
  return (uint)__float_as_int(reciprocal * 0.25f);
#else
  return (uint)__float_as_int(1.0f / y);
#endif
}
// The bits of e^x, for x that a bf16 holds, as exact as it takes to be rounded to the right bf16. It is the square of
// e^(x/2), which is normal where e^x is not.
__device__ __forceinline__ uint exp_of_bf16(float x) {
  x = x > 89.0f ? 89.0f : x;
  x = x < -105.0f ? -105.0f : x;
  const float shifted = fmaf(x, 0x1.715476p-1f, 0x1.8p23f), r = fmaf(shifted - 0x1.8p23f, -0x1.62e43p+0f, x);
  const float tail = fmaf(fmaf(fmaf(0x1.54b40ap-9f, r, 0x1.57dfd6p-6f), r, 0x1.0002ecp-3f), r, 0x1.fffb3ap-2f);
  const float root = tg_bitcast<float>(tg_bitcast<uint>(fmaf(tail, r, 1.0f)) + (tg_bitcast<uint>(shifted) << 23));
  return tg_bitcast<uint>(root * root);
}
// The bits of an f16 from those of a float, and the reverse, but for NaN; without instructions, also but for a sign.
__device__ __forceinline__ uint nearest_f16(uint bits) {
#if __CUDA_ARCH__ >= 530
  unsigned short code;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(code) : "f"(__uint_as_float(bits)));
#else
  uint code = (uint)__float_as_int(__uint_as_float(bits) + 0.5f) - 0x3f000000u;
  if (bits >= 113u << 23) code = (bits - (112u << 23) + 0xfffu + (bits >> 13 & 1)) >> 13;
  if (code > 0x7bffu) code = 0x7c00u;
#endif
  return code;
}
__device__ __forceinline__ uint float_of_f16(uint code) {
#if __CUDA_ARCH__ >= 530
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((unsigned short)code));
#else
  const float x = code == 0x7c00u ? INFINITY : __uint_as_float(code << 13) * __uint_as_float(0x77800000u);
#endif
  return (uint)__float_as_int(x);
}
// The same with NaN: without a sign, with signs, and through both, where nobody asks for the bits of NaN.
__device__ __forceinline__ uint round_to_f16(uint size) {
  const uint code = nearest_f16(size);
  return size > 0x7f800000u ? 0x7e00u : code;
}
__device__ __forceinline__ uint widen_f16(uint code) {
  const uint bits = float_of_f16(code);
  return code > 0x7c00u ? 0x7fc00000u : bits;
}
#if __CUDA_ARCH__ >= 530
__device__ __forceinline__ uint round_to_signed_f16(uint bits) {
  const uint code = nearest_f16(bits);
  return (code & 0x7fff) > 0x7c00 ? 0x7e00 | (bits >> 16 & 0x8000) : code;
}
__device__ __forceinline__ uint widen_signed_f16(uint code) {
  const float x = __uint_as_float(float_of_f16(code));
  return x != x ? 0x7fc00000 | (code << 16 & 0x80000000) : (uint)__float_as_int(x);
}
__device__ __forceinline__ uint through_f16(uint bits) { return float_of_f16(nearest_f16(bits)); }
#else
__device__ __forceinline__ uint round_to_signed_f16(uint bits) {
  return round_to_f16(bits & 0x7fffffff) | (bits >> 16 & 0x8000);
}
__device__ __forceinline__ uint widen_signed_f16(uint code) {
  return widen_f16(code & 0x7fff) | (code << 16 & 0x80000000);
}
__device__ __forceinline__ uint through_f16(uint bits) { return widen_signed_f16(round_to_signed_f16(bits)); }
#endif
"""
# Tensor cores: a number of TF32, rounded to nearest, and c += a·b of a warp's tiles of 16·8, 16·8 and 8·8 numbers, of
# 16·8, 16·16 and 16·8 narrow ones, or of 16·8, 16·32 and 32·8 integers, four of them in 32 bits.
TENSOR = r"""
template <int number> struct Count { static constexpr int count = number; };
#ifdef __CUDACC__
__device__ __forceinline__ uint round_to_tf32(float x) {
  uint y;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ void add_product_of_tiles(float *c, uint a0, uint a1, uint a2, uint a3, uint b0, uint b1) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}
// Kind 1 is bf16, and 2 is f16: two numbers in 32 bits, and products of these.
template <int kind> __device__ __forceinline__ uint narrow_pair(float low, float high) {
  uint y;
  if (kind == 1) asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(high), "f"(low));
  else asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(high), "f"(low));
  return y;
}
__device__ __forceinline__ float narrow_exp(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x * 0x1.715476p+0f));
  return y;
}
// Where something is in the memory of a block.
typedef uint Shared;
__device__ __forceinline__ Shared shared_address(const void *place) {
  return __cvta_generic_to_shared(place);
}
// Copies of 16, 8 or 4 bytes to the memory of a block, or of as many zeros, if wanted, that go on beside what follows.
template <int size = 16>
__device__ __forceinline__ void copy_later(Shared to, const void *from, bool is_there, bool is_wanted) {
  if constexpr (size == 16)
    asm volatile("{.reg .pred wanted; setp.ne.s32 wanted, %3, 0; @wanted cp.async.cg.shared.global [%0], [%1], 16, %2;}"
        ::"r"(to), "l"(from), "r"(is_there ? 16 : 0), "r"((int)is_wanted) : "memory");
  else
    asm volatile("{.reg .pred wanted; setp.ne.s32 wanted, %3, 0; @wanted cp.async.ca.shared.global [%0], [%1], %4, %2;}"
        ::"r"(to), "l"(from), "r"(is_there ? size : 0), "r"((int)is_wanted), "n"(size) : "memory");
}
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }
// Copies in groups, each of which ends with a call, and the wait for all groups but the last ones.
__device__ __forceinline__ void end_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int n> __device__ __forceinline__ void wait_for_copies_but() {
  asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
}
// Copies of many bytes, aligned to 16, by one thread that its warp has chosen, which says how many arrive together.
// All threads wait for them, in turns; they are counted in the memory of the block.
#if __CUDA_ARCH__ >= 900
__device__ __forceinline__ bool is_chosen() {
  uint chosen;
  asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(chosen));
  return chosen;
}
__device__ __forceinline__ void begin_arrivals(Shared at) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
}
__device__ __forceinline__ void expect_bytes(Shared at, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
}
__device__ __forceinline__ void copy_bytes_later(Shared to, const void *from, int bytes, Shared at) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
      ::"r"(to), "l"(from), "r"(bytes), "r"(at) : "memory");
}
__device__ __forceinline__ void wait_for_bytes(Shared at, uint turn) {
  asm volatile("{.reg .pred there; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 there, [%0], %1; @!there bra AGAIN;}"
      ::"r"(at), "r"(turn & 1) : "memory");
}
#else
__device__ __forceinline__ bool is_chosen() { return threadIdx.x % 32 == 0; }
__device__ __forceinline__ void begin_arrivals(Shared at) {}
__device__ __forceinline__ void expect_bytes(Shared at, int bytes) {}
__device__ __forceinline__ void copy_bytes_later(Shared to, const void *from, int bytes, Shared at) {}
__device__ __forceinline__ void wait_for_bytes(Shared at, uint turn) {}
#endif
// The threads of a cluster wait until all of them have arrived; where something of another block's memory is.
__device__ __forceinline__ void arrive_in_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}
__device__ __forceinline__ void wait_in_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}
template <class T> __device__ __forceinline__ T *in_cluster(T *place, int block) {
#if __CUDA_ARCH__ >= 900
  T *found;
  asm("mapa.u64 %0, %1, %2;" : "=l"(found) : "l"(place), "r"(block));
  return found;
#else
  return place;
#endif
}
// Four tiles of 8·8 narrow numbers, whose rows the lanes point to; a lane gets two numbers of a column of each.
__device__ __forceinline__ void load_transposed_tiles(uint *x, Shared row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(row) : "memory");
}
// The same as they are: a lane gets two numbers of a row of each, or one of 32 bits.
__device__ __forceinline__ void load_tiles(uint *x, Shared row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(row) : "memory");
}
template <int kind> __device__ __forceinline__ float widened(uint x) {
  if (kind == 1) return __uint_as_float(x << 16);
  float y;
  asm("{.reg .b16 h; cvt.u16.u32 h, %1; cvt.f32.f16 %0, h;}" : "=f"(y) : "r"(x));
  return y;
}
#define MULTIPLY_NARROW(type) \
  asm("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 " \
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) \
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1))
template <int kind>
__device__ __forceinline__ void add_product_of_narrow_tiles(
    float *c, uint a0, uint a1, uint a2, uint a3, uint b0, uint b1) {
  if (kind == 1) MULTIPLY_NARROW("bf16");
  else MULTIPLY_NARROW("f16");
}
// Four warps, a warpgroup, multiply together on GPUs that have the instruction: each has 16 rows of a and of c, as
// tiles of 16 rows of 32 bytes and 16·8, and b is in the memory of the block, in parts of 8 KiB: 64 rows of 128 bytes,
// at whose place n are the bytes 16 · (n ^ row % 8) and following. Rows are those of b, and a part has 64 columns; if
// it is transposed, as it is for numbers of TF32, they are its columns, and a part has 128 bytes of each. Parts with
// the same rows follow each other.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
constexpr bool HAS_WARPGROUPS = true;
typedef unsigned long long Parts;
// Where they begin, the bytes between groups of 8 rows, and that the 16 bytes of rows are exchanged.
__device__ __forceinline__ Parts describe(Shared place) {
  return 1ull << 62 | 1024ull / 16 << 32 | 1ull << 16 | place / 16;
}
#define WARPGROUP_TILE(n) "+f"(c[n][0]), "+f"(c[n][1]), "+f"(c[n][2]), "+f"(c[n][3])
#define MULTIPLY_BY_WARPGROUP(terms, type, a_numbers, rest, by_columns, ...) \
  asm volatile("{.reg .pred add; setp.ne.s32 add, " rest ", 0;" \
      "wgmma.mma_async.sync.aligned.m64n64k" terms ".f32." type "." type \
      " {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, " \
      "%23, %24, %25, %26, %27, %28, %29, %30, %31}, " a_numbers ", add, 1, 1" by_columns ";}" \
      : WARPGROUP_TILE(0), WARPGROUP_TILE(1), WARPGROUP_TILE(2), WARPGROUP_TILE(3), WARPGROUP_TILE(4), \
        WARPGROUP_TILE(5), WARPGROUP_TILE(6), WARPGROUP_TILE(7) : __VA_ARGS__, "l"(b), "r"((int)add))
#define MULTIPLY_REGISTERS(terms, type, by_columns) \
  MULTIPLY_BY_WARPGROUP(terms, type, "{%32, %33, %34, %35}, %36", "%37", by_columns, \
      "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]))
template <int kind, bool transposed>
__device__ __forceinline__ void begin_product(float (*c)[4], const uint *a, Parts b, bool add) {
  static_assert(kind || transposed);
  if (kind == 0) MULTIPLY_REGISTERS("8", "tf32", "");
  else if (kind == 1 && transposed) MULTIPLY_REGISTERS("16", "bf16", ", 0");
  else if (kind == 1) MULTIPLY_REGISTERS("16", "bf16", ", 1");
  else if (transposed) MULTIPLY_REGISTERS("16", "f16", ", 0");
  else MULTIPLY_REGISTERS("16", "f16", ", 1");
}
// Of 32 columns of c, and numbers of TF32.
__device__ __forceinline__ void begin_product_of_32(float (*c)[4], const uint *a, Parts b, bool add) {
  asm volatile("{.reg .pred add; setp.ne.s32 add, %21, 0;"
      "wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, "
      "%13, %14, %15}, {%16, %17, %18, %19}, %20, add, 1, 1;}"
      : WARPGROUP_TILE(0), WARPGROUP_TILE(1), WARPGROUP_TILE(2), WARPGROUP_TILE(3)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"((int)add));
}
template <int kind> __device__ __forceinline__ void begin_product(float (*c)[4], Parts a, Parts b, bool add) {
  if (kind == 0) MULTIPLY_BY_WARPGROUP("8", "tf32", "%32, %33", "%34", "", "l"(a));
  else if (kind == 1) MULTIPLY_BY_WARPGROUP("16", "bf16", "%32, %33", "%34", ", 0, 0", "l"(a));
  else MULTIPLY_BY_WARPGROUP("16", "f16", "%32, %33", "%34", ", 0, 0", "l"(a));
}
// Keeps the order of what uses so many tiles of c before and after, and of the products themselves.
template <int tiles> __device__ __forceinline__ void keep_order(float (*c)[4]) {
#pragma unroll
  for (int i = 0; i < 4 * tiles; i++) asm volatile("" : "+f"(c[i / 4][i % 4])::"memory");
}
__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
template <class Meanwhile> __device__ __forceinline__ void end_products(Meanwhile meanwhile) {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  meanwhile();
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
__device__ __forceinline__ void end_products() { end_products([] {}); }
// c = a·b, or c += a·b, of so many blocks of 64 columns of c, and tiles of a; `meanwhile` uses none of these.
template <int kind, bool transposed, int blocks, int tiles, class Meanwhile>
__device__ __forceinline__ void multiply_by_warpgroup(
    float (*c)[4], const uint (*a)[4], Shared parts, bool add, Meanwhile meanwhile) {
  keep_order<8 * blocks>(c);
  begin_products();
#pragma unroll
  for (int t = 0; t < tiles; t++)
#pragma unroll
    for (int n = 0; n < blocks; n++) {
      constexpr int parts_of_row = transposed ? (tiles + 3) / 4 : blocks;
      const int part = transposed ? n * parts_of_row + t / 4 : t / 4 * parts_of_row + n;
      const int offset = part * 8192 + t % 4 * (transposed ? 32 : 2048);
      begin_product<kind, transposed>(c + 8 * n, a[t], describe(parts) + offset / 16, add || t);
    }
  end_products(meanwhile);
  keep_order<8 * blocks>(c);
}
// c = a·bᵀ, or c += a·bᵀ, of numbers of TF32 and so many tiles of a, where b has 64 or 32 rows, as many as its parts;
// meanwhile, something else is done.
template <int rows, int tiles, class Meanwhile>
__device__ __forceinline__ void multiply_rows(
    float (*c)[4], const uint (*a)[4], Shared b, bool add, Meanwhile meanwhile) {
  keep_order<rows / 8>(c);
  begin_products();
#pragma unroll
  for (int t = 0; t < tiles; t++) {
    const Parts part = describe(b) + (t / 4 * rows * 128 + t % 4 * 32) / 16;
    if constexpr (rows == 64) begin_product<0, true>(c, a[t], part, add || t);
    else begin_product_of_32(c, a[t], part, add || t);
  }
  end_products(meanwhile);
#pragma unroll
  for (int i = 0; i < 4 * tiles; i++) asm volatile("" ::"r"(a[i / 4][i % 4]));  // until then they are read
  keep_order<rows / 8>(c);
}
// c = a·bᵀ, and f = d·eᵀ unless that has no tiles, of 64 rows in memory each, in parts as above; rows of a and of d
// have so many tiles of 32 bytes.
template <int kind, int tiles, int more>
__device__ __forceinline__ void multiply_memory(float (*c)[4], Shared a, Shared b, float (*f)[4], Shared d, Shared e) {
  keep_order<8>(c);
  keep_order<8>(f);
  begin_products();
#pragma unroll
  for (int t = 0; t < tiles + more; t++) {
    const bool first = t < tiles;
    const int own = first ? t : t - tiles, offset = (own / 4 * 8192 + own % 4 * 32) / 16;
    begin_product<kind>(first ? c : f, describe(first ? a : d) + offset, describe(first ? b : e) + offset, own);
  }
  end_products();
  keep_order<8>(c);
  keep_order<8>(f);
}
#else
constexpr bool HAS_WARPGROUPS = false;
template <int kind, bool transposed, int blocks, int tiles, class Meanwhile>
__device__ __forceinline__ void multiply_by_warpgroup(
    float (*c)[4], const uint (*a)[4], Shared parts, bool add, Meanwhile meanwhile) {}
template <int rows, int tiles, class Meanwhile>
__device__ __forceinline__ void multiply_rows(
    float (*c)[4], const uint (*a)[4], Shared b, bool add, Meanwhile meanwhile) {}
template <int kind, int tiles, int more>
__device__ __forceinline__ void multiply_memory(float (*c)[4], Shared a, Shared b, float (*f)[4], Shared d, Shared e) {}
#endif
template <int kind, bool transposed, int blocks, int tiles>
__device__ __forceinline__ void multiply_by_warpgroup(float (*c)[4], const uint (*a)[4], Shared parts, bool add) {
  multiply_by_warpgroup<kind, transposed, blocks, tiles>(c, a, parts, add, [] {});
}
// All threads of the block see what they have written, also when they multiply together.
__device__ __forceinline__ void publish_writes() {
  if (HAS_WARPGROUPS) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}
// The same of copies, which have ended.
__device__ __forceinline__ void publish_copies() {
  wait_for_copies();
  publish_writes();
}
#define MULTIPLY_INTEGERS(a_type, b_type) \
  asm("mma.sync.aligned.m16n8k32.row.col.s32." a_type "." b_type ".s32 " \
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) \
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1))
template <bool a_signed, bool b_signed>
__device__ __forceinline__ void add_product_of_integers(int *c, uint a0, uint a1, uint a2, uint a3, uint b0, uint b1) {
  if (a_signed && b_signed) MULTIPLY_INTEGERS("s8", "s8");
  else if (a_signed) MULTIPLY_INTEGERS("s8", "u8");
  else if (b_signed) MULTIPLY_INTEGERS("u8", "s8");
  else MULTIPLY_INTEGERS("u8", "u8");
}
#endif
// Copies of a tile of so many bytes to the memory of a block of so many threads, if wanted.
template <int bytes, int threads, class T>
__device__ __forceinline__ void copy_tile_later(Shared to, const T *from, bool is_wanted) {
  constexpr int count = bytes / 16, each = 16 / sizeof(T);
#pragma unroll
  for (int i = 0; i < (count + threads - 1) / threads; i++) {
    const int at = i * threads + threadIdx.x;
    copy_later(to + at * 16, from + at * each, true, is_wanted && (count % threads == 0 || at < count));
  }
}
"""
# How threads that share a reduction combine what each has found: in the same order in every run.
COMBINING = r"""
// Elements that follow each other, and begin at a multiple of their size: the first of `count` iterations reads all of
// them, and the last one writes them, if so many are left.
template <int count, class T, class Bytes>
__device__ __forceinline__ T read_vector(Bytes &bytes, const T *place, int i) {
  if (i == 0) bytes = *(const Bytes *)place;
  T values[count];
  memcpy(values, &bytes, sizeof values);
  return values[i % count];
}
template <int count, class T, class Bytes, class Value>
__device__ __forceinline__ void write_vector(Bytes &bytes, T *place, Value value, int i, unsigned left) {
  T values[count];
  memcpy(values, &bytes, sizeof values);
  values[i % count] = value;
  memcpy(&bytes, values, sizeof values);
  if (i % count < count - 1) return;
  T *const first = place - (count - 1);
  if (left >= count) *(Bytes *)first = bytes;
  else
#pragma unroll
    for (int j = 0; j < count - 1; j++)
      if (j < left) first[j] = values[j];
}
// Integers wrap, as unsigned ones do.
#define WRAPPING(name, sign) \
  struct name { \
    template <class T> __device__ static T of(T a, T b) { return a sign b; } \
    __device__ static unsigned short of(unsigned short a, unsigned short b) { return (unsigned)a sign (unsigned)b; } \
    __device__ static int of(int a, int b) { return (unsigned)a sign (unsigned)b; } \
    __device__ static long of(long a, long b) { return (unsigned long)a sign (unsigned long)b; } \
  };
WRAPPING(Sum, +)
WRAPPING(Product, *)
struct Largest { template <class T> __device__ static T of(T a, T b) { return a < b ? b : a; } };
struct Any { template <class T> __device__ static T of(T a, T b) { return a | b; } };
struct All { template <class T> __device__ static T of(T a, T b) { return a & b; } };

// An element of those that begin at multiples of 16 bytes in some iterations, each `step` after the one before.
// The first iteration reads the elements of all, of which `left` are left.
template <int step, int iterations, class T>
__device__ __forceinline__ T read_from(
    uint4 (&bytes)[iterations], const T *place, int iteration, int number, long long left) {
  if (number == 0)
#pragma unroll
    for (int i = 0; i < iterations; i++)
      if (i * step < left) bytes[i] = *(const uint4 *)(place + i * step);
  T values[16 / sizeof(T)];
  memcpy(values, &bytes[iteration], 16);
  return values[number - iteration * step];
}

// The first threads of a block wait for each other, all of them or so many: others may do something else. So it is with
// the lanes that share a row.
template <int threads> __device__ __forceinline__ void wait_for_threads() {
#ifdef __CUDA_ARCH__
  asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
#else
  wait_for_some(threads);
#endif
}
template <int lanes> __device__ __forceinline__ unsigned lanes_of_row() {
  return lanes < 32 ? ((1u << lanes) - 1) << own_lane() / lanes * lanes : ~0u;
}
template <class Op, int lanes, class T> __device__ __forceinline__ T combine_lanes(T value) {
  const unsigned together = lanes_of_row<lanes>();
  for (int step = (lanes < 32 ? lanes : 32) / 2; step; step /= 2)
    value = Op::of(value, (T)__shfl_xor_sync(together, value, step));
  if (lanes > 32) {
    __shared__ T parts[32];
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    wait_for_threads<lanes>();
    value = parts[0];
    for (int i = 1; i < lanes / 32; i++) value = Op::of(value, parts[i]);
    wait_for_threads<lanes>();
  }
  return value;
}

// Copies the rows of a block, or those that are left in the last one, from where 16 bytes can be read at once.
template <int bytes, int threads>
__device__ __forceinline__ void copy_rows(char *to, const char *from, long long left) {
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  if (left < bytes) {
    for (int i = thread; i < left; i += threads) to[i] = from[i];
    return;
  }
  constexpr int count = bytes / 16, each = (count + threads - 1) / threads;
  uint4 read[each];
#pragma unroll
  for (int i = 0; i < each; i++)
    if (i * threads + thread < count) read[i] = ((const uint4 *)from)[i * threads + thread];
#pragma unroll
  for (int i = 0; i < each; i++)
    if (i * threads + thread < count) ((uint4 *)to)[i * threads + thread] = read[i];
}

template <class Op, int lanes, class T> __device__ __forceinline__ T combine_columns(T value) {
  if (lanes > 1) {
    __shared__ T parts[lanes][32];
    const int number = threadIdx.y * 32 + threadIdx.x, column = number % 32;
    parts[number / 32][column] = value;
    wait_for_threads<lanes * 32>();
    value = parts[0][column];
    for (int i = 1; i < lanes; i++) value = Op::of(value, parts[i][column]);
    wait_for_threads<lanes * 32>();
  }
  return value;
}

// The same in the order of `combine_lanes`.
template <class Op, int lanes, int columns, class T> __device__ __forceinline__ T combine_columns_in_order(T value) {
  __shared__ T parts[lanes][columns];
  const int number = threadIdx.y * columns + threadIdx.x, row = number / columns, column = number % columns;
  T *const own = &parts[row][column];
  *own = value;
  wait_for_threads<lanes * columns>();
  for (int step = (lanes < 32 ? lanes : 32) / 2; step; step /= 2) {
    if (row % 32 < step) *own = Op::of(*own, parts[row + step][column]);
    wait_for_threads<lanes * columns>();
  }
  value = parts[0][column];
  for (int i = 1; i < lanes / 32; i++) value = Op::of(value, parts[32 * i][column]);
  wait_for_threads<lanes * columns>();
  return value;
}
"""
# What elementary.c takes from a C compiler.
BUILTINS = r"""
typedef long long int64;
typedef unsigned long long uint64;
#define __FMA__
#define __builtin_fma fma
#define __builtin_fmaf fmaf
#define __builtin_isunordered(a, b) ((a) != (a) || (b) != (b))
#define __builtin_truncf truncf
#define __builtin_sqrtf sqrtf
#define __builtin_sqrt sqrt
#define SLOW_DOUBLES
"""
# The kernels of a file are compiled together. A file has at most about FILE characters; LEAST take about twice as long
# as nvrtc needs for any file. Any kernel takes as long as KERNEL characters, and one of the LONG functions as FILE.
FILE, LEAST, KERNEL = 20_000, 8_000, 2_500
LONG = ("block::", "matrices::")
MOST_PROCESSES = 8


def control() -> str:
    """The kernels of control.cu."""
    return PRELUDE + read_code("control.cu")


def files(kernels: Sequence[CudaKernel], at_once: int = 1) -> list[tuple[str, list[int]]]:
    """Files of CUDA C, and the numbers of the kernels in each; the first of a file is the function `kernel0`.

    A kernel that knows numbers by their places is a file by itself.

    Args:
        at_once: how many files are compiled at the same time; they are smaller then.
    """
    # What is compiled, in characters.
    long = [at_once > 1 and any(name in kernel.body for name in LONG) for kernel in kernels]
    work = [KERNEL + len(kernel.body) + FILE * is_long for kernel, is_long in zip(kernels, long)]
    alone = {n: text_with_numbers(kernel, kernel.numbers) for n, kernel in enumerate(kernels) if kernel.numbers}
    most = min(FILE, max(LEAST, -(-(sum(work) - sum(work[n] for n in alone)) // at_once)))
    result = [(text, [number]) for number, text in alone.items()]
    numbers = [n for n, _ in enumerate(kernels) if n not in alone]
    sizes = [0] * -(-sum(work[n] for n in numbers) // most)
    groups = [list[int]() for _ in sizes]
    for number in sorted(numbers, key=lambda n: -work[n]):
        smallest = sizes.index(min(sizes))
        sizes[smallest] += work[number]
        groups[smallest].append(number)
    for group in map(sorted, filter(None, groups)):
        types = dict.fromkeys(type for n in group for type in kernels[n].types)
        code = [
            *(read_code(file) for file in CODE if any(file in kernels[n].files for n in group)),
            *types,
            *(kernels[n].text(f"kernel{place}") for place, n in enumerate(group)),
        ]
        text = "\n".join(code)
        named = words_of(text)
        before = [PRELUDE, *(part for part in (COMBINING, TENSOR) if not defined_in(part).isdisjoint(named))]
        if any(kernels[n].calls for n in group):
            before += [BUILTINS, elementary_text(text)]
        result.append(("\n".join([*before, text]), group))
    return result


# In code for all numbers, these stand for those of a kernel.
UNKNOWN = tuple(0x5EED0001 + 0x01030507 * n for n in range(8))


def text_with_numbers(kernel: CudaKernel, numbers: Sequence[int] = ()) -> str:
    """The file of a kernel that knows numbers by their places; with unknown ones, it is the same for all."""
    given = ", ".join(map(str, numbers or UNKNOWN[: len(kernel.numbers)]))
    declared = f"__constant__ int numbers[{len(kernel.numbers)}] = {{{given}}};"
    return "\n".join([PRELUDE, read_code(SORTING), declared, kernel.text("kernel0")])


def with_numbers(code: bytes, numbers: Sequence[int]) -> bytes:
    """The machine code of such a file for these numbers."""
    unknown, known = (pack(f"<{len(numbers)}i", *values) for values in (UNKNOWN[: len(numbers)], numbers))
    if code.count(unknown) != 1:
        raise NotBuilt("nvrtc writes constants differently")
    return code.replace(unknown, known)


def compile_kernels(kernels: Sequence[CudaKernel], arch: str, at_once: int = 1) -> list[tuple[bytes, list[int]]]:
    """The machine code of each file of kernels, or PTX, and the kernels' numbers; see `files` and `compile_all`."""
    texts, replaced = list[str](), list[Sequence[int]]()
    groups = files(kernels, at_once)
    for text, group in groups:
        first = kernels[group[0]]
        replaced.append(() if arch.startswith("compute") else first.numbers)
        texts.append(text_with_numbers(first) if replaced[-1] else text)
    codes = zip(compile_all(texts, arch), replaced)
    return [(with_numbers(code, n) if n else code, group) for (code, n), (_, group) in zip(codes, groups)]


def compile_all(sources: Sequence[str], arch: str, options: Sequence[str] = OPTIONS) -> list[bytes]:
    """The machine code of each file for a kind of GPU.

    Raises:
        NotBuilt: nvrtc is not installed, or refuses a file.
    """
    names = [code_name(text, arch, options) for text in sources]
    found = ((name, shipped.find(text, arch) or cache.read(name)) for name, text in zip(names, sources))
    codes = {name: code for name, code in found if code is not None}
    new = {name: text for name, text in zip(names, sources) if name not in codes}
    processes = min(count_processors(), MOST_PROCESSES, len(new))
    if can_fork():
        with share_work(lambda text: compile_one(text, arch, options), [*new.values()], processes) as compiled:
            codes |= zip(new, compiled)
    else:
        codes |= compile_beside(new, arch, options, processes)
    return [codes[name] for name in names]


def compile_beside(files: Mapping[str, str], arch: str, options: Sequence[str], processes: int) -> dict[str, bytes]:
    """The machine code of files, by their names, some of which processes compile that start for that; see nvrtc.py."""
    left, codes = iter([*files]), dict[str, bytes]()  # whoever has nothing to do takes the next one

    def ask_process() -> None:
        command = [sys.executable, "-I", "-S", nvrtc.__file__]
        with suppress(OSError), Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL) as process:
            assert process.stdin is not None and process.stdout is not None
            try:
                for name in left:
                    process.stdin.write(json.dumps(request(files[name], arch, options)).encode() + b"\n")
                    process.stdin.flush()
                    size = int.from_bytes(process.stdout.read(nvrtc.SIZE), "little")
                    code = process.stdout.read(size)
                    if not code or len(code) < size:  # nvrtc has refused the file, or the process has ended
                        break
                    codes[name] = code
                    cache.write(name, code)
            finally:
                process.kill()

    # One takes as long to start as nvrtc for a file or two; a frozen application would start itself.
    others = 0 if hasattr(sys, "frozen") else min(processes - 1, (len(files) - 1) // 2)
    with ThreadPoolExecutor(max(1, others)) as pool:
        for _ in range(others):
            pool.submit(ask_process)
        try:
            for name in left:
                codes[name] = compile_one(files[name], arch, options)
        finally:
            deque(left, 0)  # nobody needs the rest if nvrtc has refused one
    return codes | {name: compile_one(text, arch, options) for name, text in files.items() if name not in codes}


def code_name(text: str, arch: str, options: Sequence[str]) -> str:
    """What the cache calls the machine code of a file."""
    return cache.key("cubin", text, arch, str(compiler().nvrtcVersion()[1:]), " ".join(options))


def compile_one(text: str, arch: str, options: Sequence[str] = OPTIONS) -> bytes:
    """The machine code for a kind of GPU, such as sm_90; for compute_90, PTX that drivers compile for any later one."""
    name = code_name(text, arch, options)
    if (stored := cache.read(name)) is not None:
        return stored
    is_taken, code = nvrtc.compile(*request(text, arch, options))
    if not is_taken:
        raise NotBuilt(f"nvrtc refused the kernels: {code.decode(errors='replace').strip()}")
    cache.write(name, code)
    return code


def request(text: str, arch: str, options: Sequence[str]) -> tuple[str, str, list[str], str]:
    """What nvrtc is to compile."""
    machine = "sm_90a" if arch == "sm_90" else arch  # with instructions that later GPUs lack
    flags = [f"--gpu-architecture={machine}", *options]
    return compiler_library(), text, flags, "PTX" if arch.startswith("compute") else "CUBIN"
