"""Code by others on an NVIDIA GPU: kernels that a file contains, and compiled handlers; `gpu.py` runs these checks.

The calls are what jaxlib's own classes write. XLA runs the same programs, where it has a compiler for their kernels.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from importlib import import_module
from typing import Any

import compiled_handlers
import numpy as np

import hlo2tiny

SIZE = 1000
# The last two parameters of Triton's kernels are working memory and memory for profiles.
KERNELS = r"""
typedef unsigned long long u64;
extern "C" __global__ void staged(const float *x, float a, int n, float *y, int *blocks, u64 *scratch, u64 *profile) {
  extern __shared__ float parts[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  parts[15000 + threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (i < n) y[i] = parts[15000 + (threadIdx.x ^ 1)] * a;
  if (threadIdx.x == 0) atomicAdd(blocks, scratch || profile ? 1000 : 1);
}
extern "C" __global__ void add_one(float *x, u64 *scratch, u64 *profile) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
extern "C" __global__ void clustered(float *y, u64 *scratch, u64 *profile) {
  unsigned blocks;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
  y[blockIdx.x * blockDim.x + threadIdx.x] = blocks * 1000 + gridDim.x;
  if (scratch) scratch[blockIdx.x] = blocks;
}
"""
SCALE = r"""extern "C" __global__ void scale(const float *x, float a, int n, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}"""


def compiled(text: str, kind: str) -> str:
    from hlo2tiny.targets.cuda.compiling import compile_one

    return compile_one(text, kind).rstrip(b"\0").decode("latin-1")


def triton() -> Any:
    """jaxlib's classes for calls of Triton's kernels."""
    import jax

    jax.devices("gpu")
    for name in ("jax_cuda13_plugin", "jax_cuda12_plugin"):
        try:
            return import_module(f"{name}._triton")
        except ImportError:
            pass
    raise ImportError("jax has no plugin for CUDA")


def opaque(
    name: str, warps: int, grid: int, *parameters: Any, clusters: int = 1, shared: int = 0, **more: int
) -> bytes:
    made, architecture = triton(), 90
    ptx = compiled(KERNELS, f"compute_{architecture}")
    kernel = made.TritonKernel(name, warps, clusters, shared, ptx, "", architecture, **more)
    return zlib.compress(made.TritonKernelCall(kernel, grid, 1, 1, parameters).to_proto(name, b""))


def expect_equal(function: Callable[..., Any], arrays: list[np.ndarray], expected: list[np.ndarray], **how: Any) -> str:
    """Compare a program's results, from two calls and from a copy in the store, with the right ones and XLA's."""
    import jax

    text = jax.jit(function).lower(*arrays).as_text()
    for _ in range(2):
        program = hlo2tiny.load(text, "CUDA", **how)
        for _ in range(2):
            for found, wanted in zip(program.numpy_one_by_one(arrays), expected, strict=True):
                np.testing.assert_array_equal(found, wanted)
    try:
        for found, wanted in zip(jax.tree.leaves(jax.jit(function)(*arrays)), expected, strict=True):
            np.testing.assert_array_equal(np.asarray(found), wanted)
    except Exception as error:
        return f"XLA: {type(error).__name__}: {str(error)[:120]!r}"
    return "as XLA"


def check_embedded_kernels() -> str:
    """Kernels with numbers, shared memory, zeroed and aliased results, in clusters, in loops, as PTX and as cubins."""
    import jax
    import jax.numpy as jnp

    made, f32, said = triton(), jnp.float32, []
    array, number = made.create_array_parameter, made.create_scalar_parameter
    x = np.arange(SIZE, dtype=np.float32)
    staged = opaque(
        "staged",
        4,
        8,
        array(0, 16),
        number(0.5, "fp32"),
        number(SIZE, "i32"),
        array(0, 16),
        array(4, 16),
        shared=61_000,
    )
    results = jax.ShapeDtypeStruct(x.shape, f32), jax.ShapeDtypeStruct((), jnp.int32)

    def scaled(x: Any) -> Any:
        y, blocks = jax.ffi.ffi_call("triton_kernel_call_ffi", results)(x + 1, opaque=staged)
        return y - 1, blocks * 2

    swapped = (x + 1).reshape(-1, 2)[:, ::-1].reshape(-1) * 0.5
    said.append(expect_equal(scaled, [x], [swapped - 1, np.int32(16)], ffi="embedded"))

    add_one = opaque("add_one", 1, 32, array(0, 16))
    y = np.arange(1024, dtype=np.float32)
    in_place = jax.ffi.ffi_call(
        "triton_kernel_call_ffi", jax.ShapeDtypeStruct(y.shape, f32), input_output_aliases={0: 0}
    )

    def repeated(y: Any, n: Any) -> Any:
        def body(_: Any, both: Any) -> Any:
            a, b = both
            return in_place(a, opaque=add_one), b + scaled(b)[1].astype(f32)

        return *jax.lax.fori_loop(0, n, body, (y, y[:SIZE])), y

    said.append(expect_equal(repeated, [y, np.int32(3)], [y + 3, x + 48, y], ffi="embedded"))

    clustered = opaque("clustered", 1, 4, array(0, 16), clusters=2)

    def in_clusters() -> Any:
        return jax.ffi.ffi_call("triton_kernel_call_ffi", jax.ShapeDtypeStruct((256,), f32))(opaque=clustered)

    said.append(expect_equal(in_clusters, [], [np.full(256, 2008, np.float32)], ffi="embedded"))

    from hlo2tiny.targets.cuda.driver import gpu_of

    for kind, target in (("ptx", "compute_80"), ("cubin", gpu_of("CUDA").arch)):
        sizes = {f"{n}_{axis}": np.int32(size) for n, sizes in (("grid", (4, 1, 1)), ("block", (256, 1, 1)))
                 for axis, size in zip("xyz", sizes)}  # fmt: skip
        source = SCALE.replace("float a, int n, ", "").replace("a * x[i]", "2 * x[i]").replace("i < n", f"i < {SIZE}")
        given = sizes | {"name": "scale", "kernel_type": kind, "shared_mem_bytes": np.int32(0)}
        code = compiled(source, target).encode("latin-1")

        def doubled(x: Any, given: Any = given, code: bytes = code) -> Any:
            call = jax.ffi.ffi_call("__gpu$xla.gpu.ptx", jax.ShapeDtypeStruct(x.shape, f32))
            return call(x, kernel_data=code, **given)

        said.append(f"{kind} {expect_equal(doubled, [x], [2 * x], ffi='embedded')}")
    return "; ".join(said)


def check_compiled_handlers() -> str:
    """Handlers in C++ that copy and launch on the stream, between kernels, in loops, and that fail."""
    import ctypes

    import jax
    import jax.numpy as jnp

    path = compiled_handlers.library("on_gpu")
    library, x = ctypes.CDLL(path), np.arange(SIZE, dtype=np.float32)
    for name, symbol in (("copy_on_gpu", "CopyOnGpu"), ("scale_on_gpu", "ScaleOnGpu")):
        jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(getattr(library, symbol)), platform="CUDA")
    same = jax.ShapeDtypeStruct(x.shape, jnp.float32)
    ptx = compiled(SCALE, "compute_80")

    def both(x: Any, n: Any) -> Any:
        def body(_: Any, y: Any) -> Any:
            return jax.ffi.ffi_call("scale_on_gpu", same)(y + 1, ptx=ptx, a=np.float32(2))

        return jax.lax.fori_loop(0, n, body, jax.ffi.ffi_call("copy_on_gpu", same)(x * 3)) - 1

    said = expect_equal(both, [x, np.int32(2)], [((3 * x + 1) * 2 + 1) * 2 - 1], ffi=[path])

    def damaged(x: Any) -> Any:
        return jax.ffi.ffi_call("scale_on_gpu", same)(x, ptx="nothing", a=np.float32(2))

    program = hlo2tiny.load(jax.jit(damaged).lower(x).as_text(), "CUDA", ffi=[path])
    try:
        program.numpy(x)
    except hlo2tiny.InputError as error:
        assert "handler 'scale_on_gpu' failed: the code cannot be loaded" in str(error), error
    else:
        raise AssertionError("a handler that fails is no error")
    return said
