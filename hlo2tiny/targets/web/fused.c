/* Products and sums that are rounded once. WebAssembly has an instruction for that on vectors only; clang 22 uses it for
   vectors of four, and rounds others twice. So wasm.py has clang print its intermediate code, in which each fma_f of
   elementary.c is a call of llvm.fmuladd, vectorised or not, and calls these functions instead. A page loads this code
   only if its browser's instruction does round once. It takes a ninth of the time that doubles take: 0.75 ms for tanh,
   exp and logistic of 65,536 numbers in node, instead of 6.8. */
#define KEPT __attribute__((used, always_inline)) static
typedef float floats_4 __attribute__((vector_size(16)));
KEPT floats_4 fused_v4f32(floats_4 a, floats_4 b, floats_4 c) { return __builtin_wasm_relaxed_madd_f32x4(a, b, c); }
KEPT float fused_f32(float a, float b, float c) {
  return fused_v4f32((floats_4){a, a, a, a}, (floats_4){b, b, b, b}, (floats_4){c, c, c, c})[0];
}
#define FUSED(count)                                                                                 \
  typedef float floats_##count __attribute__((vector_size(4 * count)));                              \
  KEPT floats_##count fused_v##count##f32(floats_##count a, floats_##count b, floats_##count c) {    \
    for (int i = 0; i < count; i++) a[i] = fused_f32(a[i], b[i], c[i]);                              \
    return a;                                                                                        \
  }
FUSED(2)
FUSED(8)
FUSED(16)
