"""What CI cannot test: programs on an NVIDIA GPU, their numbers and their speed beside XLA's, in one command.

    python tests/gpu.py [--seconds 1] [PROGRAM.mlir ...]

It needs a GPU, `hlo2tiny[cuda]`, and for the comparison a jax with CUDA. It checks what users do (gradients, threads,
streams, arrays of other libraries, errors, …), runs the corpus in f32 and prints which entries differ from XLA's
results on the CPU. Then it runs larger programs, and prints a table for the documentation with the chip and the
versions. The exit status is 1 if anything was wrong. On a machine with two GPUs, `--only several --no-corpus
--no-table` runs programs for two, beside XLA on the same two, in some six minutes.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import exp, log
from pathlib import Path
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("NCCL_NVLS_ENABLE", "0")  # multicast of NVLink, which a machine that shares its GPUs may lack

import attention_on_gpu
import batch_rows
import code_on_gpu
import in_c_on_gpu
import llama_on_gpu
import numpy as np
from on_two import __main__ as on_two

import hlo2tiny
from corpus import BY_NAME, ENTRIES
from hlo2tiny.tinygrad.tensors import place_array

Arrays = Sequence[np.ndarray]


def matmul(size: int, kind: str) -> str:
    matrix = f"tensor<{size}x{size}x{kind}>"
    return f"""func.func @main(%a: {matrix}, %b: {matrix}) -> {matrix} {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({matrix}, {matrix}) -> {matrix}
  return %0 : {matrix}
}}"""


ELEMENTWISE = """func.func @main(%a: tensor<100000000xf32>, %b: tensor<100000000xf32>) -> tensor<100000000xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<100000000xf32>
  %1 = stablehlo.add %0, %b : tensor<100000000xf32>
  return %1 : tensor<100000000xf32>
}"""
REDUCTION = """func.func @main(%a: tensor<10000x10000xf32>) -> tensor<10000xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] :
    (tensor<10000x10000xf32>, tensor<f32>) -> tensor<10000xf32>
  return %0 : tensor<10000xf32>
}"""
WHOLE_REDUCTION = """func.func @main(%a: tensor<100000000xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] :
    (tensor<100000000xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}"""
LOOP = """func.func @main(%x: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %limit = stablehlo.constant dense<10000.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %r:2 = stablehlo.while(%v = %x, %n = %zero) : tensor<4096xf32>, tensor<f32>
   cond {
    %c = stablehlo.compare LT, %n, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %half = stablehlo.constant dense<0.5> : tensor<4096xf32>
    %w = stablehlo.multiply %v, %half : tensor<4096xf32>
    %u = stablehlo.add %w, %half : tensor<4096xf32>
    %m = stablehlo.add %n, %one : tensor<f32>
    stablehlo.return %u, %m : tensor<4096xf32>, tensor<f32>
  }
  return %r#0, %r#1 : tensor<4096xf32>, tensor<f32>
}"""
MADE = {
    "matmul f32 4096³": matmul(4096, "f32"),
    "matmul bf16 8192³": matmul(8192, "bf16"),
    "a·b + b of 10⁸": ELEMENTWISE,
    "sums of 10⁴ rows of 10⁴": REDUCTION,
    "sum of 10⁸": WHOLE_REDUCTION,
    "10⁴ iterations with a data-dependent end": LOOP,
}


# The bytes that programs read and write, for those that memory limits.
MOVED = {"a·b + b of 10⁸": 12e8, "sums of 10⁴ rows of 10⁴": 4e8, "sum of 10⁸": 4e8}


def inputs_of(program: Any, seed: int = 0) -> list[np.ndarray]:
    """Random inputs: small floats, and integers of 0 and 1."""
    random = np.random.default_rng(seed)
    arrays = []
    for argument in program.inputs:
        shape, dtype = tuple(argument.shape), np.dtype(argument.dtype)
        if dtype.kind in "fV":
            arrays.append((random.standard_normal(shape, np.float32) * 0.05).astype(dtype))
        elif dtype.kind == "c":
            arrays.append((random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(dtype))
        else:
            arrays.append(random.integers(0, 2, shape).astype(dtype))
    return arrays


def median(call: Callable[[], object], seconds: float, most: int = 200) -> float:
    """The median of the seconds that calls take."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 3 or (len(times) < most and time.perf_counter() < end):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2]


def measure_ours(path: str, arrays: Arrays | None, seconds: float) -> tuple[float, float, list[np.ndarray], Arrays]:
    """The seconds of the first call and of a later one, the results, and the inputs."""
    from tinygrad import Device

    start = time.perf_counter()
    program = hlo2tiny.load(path, "CUDA", donate=())
    loaded = time.perf_counter() - start
    arrays = inputs_of(program) if arrays is None else arrays
    tensors = [place_array(x, "CUDA") for x in arrays]
    device = Device["CUDA"]

    def call() -> None:
        held = program(*tensors)
        device.synchronize()
        del held

    device.synchronize()
    start = time.perf_counter()
    call()  # compiles, unless the store has the program
    first = loaded + time.perf_counter() - start
    call()
    return first, median(call, seconds), program.numpy_one_by_one(list(arrays)), arrays


def measure_xla(path: str, arrays: Arrays, seconds: float) -> tuple[float, float, list[np.ndarray]]:
    import jax
    from jax._src.interpreters import mlir
    from jaxlib import xla_client
    from jaxlib.mlir import ir

    device = jax.devices()[0]
    text = path if "\n" in path else Path(path).read_text(encoding="utf-8")
    with mlir.make_ir_context(), ir.Location.unknown():
        kept = text.replace("jax.buffer_donor = true", "").replace("tf.aliasing_output", "ignored.alias")
        module = ir.Module.parse(kept)
        code = mlir.module_to_bytecode(module)
    with jax.enable_x64(True):
        given = [jax.device_put(x, device) for x in arrays]
    start = time.perf_counter()
    executable = device.client.compile_and_load(code, [device], xla_client.CompileOptions())

    def call() -> list[Any]:
        shards = executable.execute_sharded(given).disassemble_into_single_device_arrays()
        return [each[0].block_until_ready() for each in shards]

    results = [np.asarray(x) for x in call()]
    first = time.perf_counter() - start
    return first, median(call, seconds), results


def difference(found: Arrays, expected: Arrays) -> float:
    """The largest difference between results, as a fraction of the largest number of each."""
    worst = 0.0
    for a, b in zip(found, expected, strict=True):
        x, y = (np.asarray(v).astype(np.complex128 if np.asarray(v).dtype.kind == "c" else np.float64) for v in (a, b))
        if x.size:
            scale = np.max(np.abs(y[np.isfinite(y)]), initial=0.0) or 1.0
            same = np.isfinite(x) == np.isfinite(y)
            both = np.isfinite(x) & np.isfinite(y)
            worst = max(worst, float(np.max(np.abs(x - y)[both], initial=0.0) / scale), 0.0 if same.all() else np.inf)
    return worst


def report(name: str, check: Callable[[], object]) -> Iterator[str]:
    """Run a check, print whether it was right and how long it took, and yield its name if it was not."""
    start = time.perf_counter()
    try:
        said = check()
        print(f"{name}: right, {time.perf_counter() - start:.1f} s{f': {said}' if said else ''}", flush=True)
    except Exception as error:
        print(f"{name}: WRONG: {type(error).__name__}: {str(error)[:600]}", flush=True)
        traceback.print_exc(limit=-5)
        yield name


def expect_close(found: Any, expected: Any, limit: float = 1e-5) -> None:
    """Check that results differ by at most this fraction of their largest number."""
    apart = difference(list(flat(found)), list(flat(expected)))
    if not apart <= limit:
        raise AssertionError(f"results differ by {apart:.1e} of their largest number")


def check_corpus(only: str) -> Iterator[str]:
    """The entries of the corpus whose numbers are wrong in f32."""
    for entry in (e for e in ENTRIES if only in e.name):

        def check(entry: Any = entry) -> None:
            program = hlo2tiny.load(entry.path, "CUDA", precision="highest")
            first = program.numpy(*entry.inputs())
            entry.check(first)
            second = program.numpy(*entry.inputs())
            if any(np.asarray(a).tobytes() != np.asarray(b).tobytes() for a, b in zip(flat(first), flat(second))):
                raise AssertionError("a second call gives other bits")

        yield from report(f"corpus {entry.name}", check)


def flat(results: Any) -> Iterator[Any]:
    if isinstance(results, tuple | list):
        for each in results:
            yield from flat(each)
    elif isinstance(results, dict):
        yield from flat(list(results.values()))
    else:
        yield results


# ---------------------------------------------------------------- what users do


def check_precision() -> str:
    program = {word: hlo2tiny.load(matmul(512, "f32"), "CUDA", precision=word) for word in ("default", "highest")}
    x, y = inputs_of(program["default"])
    exact = x.astype(np.float64) @ y.astype(np.float64)
    apart = {word: difference(each.numpy_one_by_one([x, y]), [exact]) for word, each in program.items()}
    if not (apart["highest"] < 2e-6 < apart["default"] < 2e-3):
        raise AssertionError(str(apart))
    return ", ".join(f"{word} {value:.1e}" for word, value in apart.items())


def check_attention() -> str:
    """Causal attention of one query, of some and of many, in TF32 and in f32, beside numpy in double."""
    import jax
    import jax.numpy as jnp

    worst = {"default": 0.0, "highest": 0.0}
    for heads, queries, keys in ((12, 1, 700), (12, 64, 64), (3, 131, 300), (16, 1100, 1100)):
        mask = np.tril(np.ones((queries, keys), bool), keys - queries)

        def attend(q: Any, k: Any, v: Any, mask: Any = mask) -> Any:
            return jax.nn.softmax(jnp.where(mask, q @ k.swapaxes(1, 2) / 8, -1e9)) @ v

        random = np.random.default_rng(keys)
        q, k, v = (random.standard_normal((heads, n, 64), np.float32) for n in (queries, keys, keys))
        scores = np.where(mask, q.astype(np.float64) @ k.swapaxes(1, 2) / 8, -1e9)
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        exact = powers / powers.sum(-1, keepdims=True) @ v
        text = jax.export.export(jax.jit(attend), platforms=["cuda"])(q, k, v).mlir_module()
        for word in worst:
            program = hlo2tiny.load(text, "CUDA", precision=word)
            worst[word] = max(worst[word], difference(program.numpy_one_by_one([q, k, v]), [exact]))
    if not (worst["highest"] < 4e-6 < worst["default"] < 2e-3):
        raise AssertionError(str(worst))
    return ", ".join(f"{word} {value:.1e}" for word, value in worst.items())


LAYER = """func.func @main(%x: tensor<8x12x12x4xf32>, %k: tensor<3x3x4x6xf32>, %w: tensor<6x5xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<8x12x12x4xf32>, tensor<3x3x4x6xf32>) -> tensor<8x12x12x6xf32>
  %1 = stablehlo.tanh %0 : tensor<8x12x12x6xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [3] x [0]
    : (tensor<8x12x12x6xf32>, tensor<6x5xf32>) -> tensor<8x12x12x5xf32>
  %3 = stablehlo.multiply %2, %2 : tensor<8x12x12x5xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3]
    : (tensor<8x12x12x5xf32>, tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}"""


def check_gradients() -> None:
    """Gradients of a convolution, a product and a reduction, as JAX computes them."""
    import jax
    from tinygrad import Tensor

    def loss(x: Any, k: Any, w: Any) -> Any:
        y = jax.lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return ((jax.numpy.tanh(y) @ w) ** 2).sum()

    program = hlo2tiny.load(LAYER, "CUDA", precision="highest")
    arrays = inputs_of(program)
    with jax.default_matmul_precision("highest"):
        expected = jax.grad(loss, (0, 1, 2))(*arrays)
    tensors = [Tensor(x, device="CUDA").realize() for x in arrays]
    expect_close([g.numpy() for g in program.lazy(*tensors).gradient(*tensors)], expected)


OPEN = """func.func @main(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""


def check_open_dimensions() -> None:
    program = hlo2tiny.load(OPEN, "CUDA")
    for shape in ((3, 5), (1000, 7), (2, 100_000), (3, 5), (0, 4)):
        x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        expect_close(program.numpy(x), [x.astype(np.float64).sum(1)])


def check_batch_invariance() -> str:
    """Rows of the corpus' batches and of layers, beside the same rows alone."""

    def on_gpu(text: str, number: int) -> Callable[[Arrays], Arrays]:
        return hlo2tiny.load(text, "CUDA", batch_invariant=True, donate=()).numpy_one_by_one

    for name in batch_rows.BATCHES:
        rows = partial(batch_rows.with_batch, name), partial(batch_rows.arrays_of, name)
        batch_rows.expect_rows(*rows, [2, 13, 64], on_gpu)
    for layer in batch_rows.LAYERS:
        batch_rows.expect_rows_of_layers([layer, layer], (130, 66), "f32", [2, 29], on_gpu)
    return f"{len(batch_rows.BATCHES)} programs and {len(batch_rows.LAYERS)} layers"


@hlo2tiny.custom_call("add_on_host")
def add_on_host(x: np.ndarray) -> np.ndarray:
    return x + np.float32(1)


ON_HOST = """func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %end = stablehlo.constant dense<3> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %x, %x : tensor<1000xf32>
  %r:2 = stablehlo.while(%v = %0, %n = %zero) : tensor<1000xf32>, tensor<i32>
   cond {
    %c = stablehlo.compare LT, %n, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %w = stablehlo.custom_call @add_on_host(%v) : (tensor<1000xf32>) -> tensor<1000xf32>
    %m = stablehlo.add %n, %one : tensor<i32>
    stablehlo.return %w, %m : tensor<1000xf32>, tensor<i32>
  }
  %1 = stablehlo.multiply %r#0, %r#0 : tensor<1000xf32>
  return %1 : tensor<1000xf32>
}"""


def check_custom_calls() -> None:
    """A Python function in a loop in the middle of a program."""
    x = np.arange(1000, dtype=np.float32)
    expect_close(hlo2tiny.load(ON_HOST, "CUDA").numpy(x), [(2 * x + 3) ** 2])


def transform(kind: str, before: Sequence[int], after: Sequence[int], lengths: Sequence[int], bits: int) -> str:
    def tensor(shape: Sequence[int], is_complex: bool) -> str:
        return f"tensor<{'x'.join(map(str, shape))}x{f'complex<f{bits}>' if is_complex else f'f{bits}'}>"

    x, y = tensor(before, kind != "RFFT"), tensor(after, kind != "IRFFT")
    return f"""func.func @main(%x: {x}) -> {y} {{
  %0 = stablehlo.fft %x, type = {kind}, length = {list(lengths)} : ({x}) -> {y}
  return %0 : {y}
}}"""


def check_transforms() -> None:
    """Every kind of Fourier transform, of one to three dimensions, by cuFFT and by numpy."""
    for bits in (32, 64):
        for lengths in ((1,), (2,), (9,), (1000,), (8, 5), (7, 16), (4, 6, 8), (3, 5, 9)):
            half = (*lengths[:-1], lengths[-1] // 2 + 1)
            for kind, before, after in (
                ("FFT", lengths, lengths), ("IFFT", lengths, lengths), ("RFFT", lengths, half), ("IRFFT", half, lengths)
            ):  # fmt: skip
                text = transform(kind, (3, *before), (3, *after), lengths, bits)
                random = np.random.default_rng(1)
                x = random.standard_normal((3, *before)) + 1j * random.standard_normal((3, *before))
                x = (x.real if kind == "RFFT" else x).astype(
                    f"{'f' if kind == 'RFFT' else 'c'}{bits // 8 * (2 - (kind == 'RFFT'))}"
                )
                axes = tuple(range(-len(lengths), 0))
                expected = getattr(np.fft, f"{kind.lower()}n")(x.astype(np.result_type(x, 1.0)), s=lengths, axes=axes)
                program = hlo2tiny.load(text, "CUDA")
                if code_of(program, [x]).executable.hosts:
                    raise AssertionError(f"{kind} runs on the host")
                try:
                    expect_close(program.numpy(x), [expected], 1e-6 if bits == 32 else 1e-14)
                except AssertionError as error:
                    raise AssertionError(f"{kind} {lengths} f{bits}: {error}") from error


def check_linear_algebra() -> str:
    """Large matrices through cuSOLVER, and which kinds of calls the corpus leaves to the host."""
    n = 300
    t, random = f"tensor<2x{n}x{n}xf32>", np.random.default_rng(2)
    a = random.standard_normal((2, n, n)).astype(np.float32)
    a = (a @ a.swapaxes(-1, -2) / n + np.eye(n)).astype(np.float32)
    text = f"""func.func @main(%a: {t}, %b: {t}) -> ({t}, {t}) {{
  %0 = stablehlo.cholesky %a, lower = true : {t}
  %1 = "stablehlo.triangular_solve"(%0, %b) <{{left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>}}> : ({t}, {t}) -> {t}
  return %0, %1 : {t}, {t}
}}"""
    program = hlo2tiny.load(text, "CUDA")
    b = random.standard_normal((2, n, n)).astype(np.float32)
    factor = np.linalg.cholesky(a.astype(np.float64))
    expect_close(program.numpy(a, b), [factor, np.linalg.solve(factor, b)], 1e-4)
    entry = BY_NAME["linear_algebra"]
    program = hlo2tiny.load(entry.path, "CUDA", precision="highest")
    program.numpy(*entry.inputs())
    hosts = [step for _, step in program._specialisations.only.compile().executable.hosts]
    return f"{len(hosts)} steps of the corpus entry run on the host"


def exported(function: Callable[..., Any], *arrays: np.ndarray) -> str:
    import jax

    with jax.enable_x64(True):
        return str(jax.export.export(jax.jit(function), platforms=["cuda"])(*arrays).mlir_module())


def check_small_matrices() -> str:
    """Batches of matrices of each type, what the ops promise of their operands, and their times beside XLA's."""
    import jax.numpy as jnp
    from jax.scipy.linalg import cho_solve

    random, said = np.random.default_rng(3), []

    def largest(x: np.ndarray) -> float:
        return float(np.abs(x).max())

    for kind in ("f4", "f8", "c8", "c16"):
        for batch, n in ((300, 5), (512, 33), (256, 64), (20, 128), (300, 150), (8, 500)):
            real = random.standard_normal((2, batch, n, n))
            a = (real[0] + (1j * real[1] if kind[0] == "c" else 0)).astype(kind)
            h = (a @ a.conj().swapaxes(-1, -2) / n + np.eye(n)).astype(kind)
            cases: dict[str, tuple[Callable[..., Any], np.ndarray, Callable[..., float]]] = {
                "cholesky and solve": (lambda h: cho_solve((jnp.linalg.cholesky(h), True), h), h,
                                       lambda h, x: largest(x - np.eye(n))),
                "solve": (lambda a: jnp.linalg.solve(a, a), h + a / n, lambda a, x: largest(x - np.eye(n))),
                "qr": (jnp.linalg.qr, a, lambda a, q, r: largest(q @ r - a)),
                "eigh": (jnp.linalg.eigh, h,
                         lambda a, w, v: largest(v * w[:, None, :] @ v.conj().swapaxes(-1, -2) - a)),
                "svd": (jnp.linalg.svd, a, lambda a, u, s, vt: largest(u * s[:, None, :] @ vt - a)),
            }  # fmt: skip
            for name, (function, given, apart) in cases.items():
                text = exported(function, given)
                _, ours, results, _ = measure_ours(text, [given], 0.2)
                wrong = apart(given, *(np.asarray(x) for x in results))
                if not wrong < 200 * n * np.finfo(kind).eps:
                    raise AssertionError(f"{name} of {batch} matrices of {n} {kind}: {wrong:.1e}")
                if n in (64, 150, 500) or name == "eigh":
                    xla = measure_xla(text, [given], 0.2)[1]
                    said.append(f"{name} {batch}x{n} {kind} {ours * 1e3:.2f} ms, XLA {xla * 1e3:.2f}")
    return "; ".join(said)


def check_integers() -> str:
    """Products of 8-bit integers of any size, layout and sign, and their times beside XLA's."""
    import jax
    import jax.numpy as jnp

    random, said = np.random.default_rng(4), []
    for m, k, n in ((4096, 4096, 4096), (1000, 999, 1001), (16, 4096, 11008), (1, 4096, 4096)):
        for kind in ("i1", "u1"):
            for right in (False, True):
                a, b = (random.integers(np.iinfo(kind).min, np.iinfo(kind).max + 1, shape, kind)
                        for shape in ((m, k), (n, k) if right else (k, n)))  # fmt: skip
                dims = ((1,), (1 if right else 0,)), ((), ())
                text = exported(lambda a, b: jax.lax.dot_general(a, b, dims, preferred_element_type=jnp.int32), a, b)
                _, ours, (found,), _ = measure_ours(text, [a, b], 0.2)
                xla, (expected,) = measure_xla(text, [a, b], 0.2)[1:]
                if not (np.asarray(found) == expected).all():
                    raise AssertionError(f"{m}x{k}x{n} of {kind}, transposed: {right}")
                said.append(f"{m}x{k}x{n} {kind}{' ᵀ' * right} {ours * 1e3:.2f} ms, XLA {xla * 1e3:.2f}")
    return "; ".join(said)


def check_small_floats() -> str:
    """Products of 8-bit floats: their errors by default and with `HIGHEST`, and their times, beside XLA's."""
    import jax
    import jax.numpy as jnp
    import ml_dtypes

    random, said = np.random.default_rng(6), []
    for m, k, n, right in ((4096, 4096, 4096, True), (1000, 999, 1001, False), (16, 4096, 11008, False)):
        kinds = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2 if m == 1000 else ml_dtypes.float8_e4m3fn
        shapes = (m, k), (n, k) if right else (k, n)
        a, b = (np.abs(random.standard_normal(shape, np.float32)).astype(kind) for shape, kind in zip(shapes, kinds))
        exact = a[:64].astype(np.float64) @ (b.T if right else b).astype(np.float64)
        dims = ((1,), (1 if right else 0,)), ((), ())
        for precision in ("default", "highest"):
            wanted: dict[str, Any] = {"preferred_element_type": jnp.float32, "precision": precision}
            text = exported(partial(jax.lax.dot_general, dimension_numbers=dims, **wanted), a, b)
            _, ours, (found,), _ = measure_ours(text, [a, b], 0.2)
            xla, (expected,) = measure_xla(text, [a, b], 0.2)[1:]
            errors = [float(np.abs(np.asarray(x)[:64] - exact).max() / exact.max()) for x in (found, expected)]
            if errors[0] > (1e-3 if precision == "default" else 1e-5):
                raise AssertionError(f"{m}x{k}x{n}, {precision}: an error of {errors[0]:.1e}")
            figures = f"{ours * 1e3:.2f} ms, {errors[0]:.0e}, XLA {xla * 1e3:.2f}, {errors[1]:.0e}"
            said.append(f"{m}x{k}x{n}{' ᵀ' * right} {precision} {figures}")
    return "; ".join(said)


def check_quotients() -> str:
    """Those of bf16, which are computed from a reciprocal: all numbers by some, and 1 by all, bit by bit."""
    import ml_dtypes

    x = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
    y = np.random.default_rng(5).integers(0, 1 << 16, (512, 1), np.uint16).view(ml_dtypes.bfloat16)
    count = 0
    for function, arrays in ((lambda x, y: x / y, (x, y)), (lambda y: 1 / y, (x,))):
        found = np.asarray(hlo2tiny.load(exported(function, *arrays), "CUDA", donate=()).numpy(*arrays)[0])
        with np.errstate(all="ignore"):
            expected = np.asarray(function(*(a.astype(np.float32) for a in arrays))).astype(ml_dtypes.bfloat16)
        number = ~np.isnan(expected.astype(np.float32))
        if (np.isnan(found.astype(np.float32)) == number).any():
            raise AssertionError("NaN where there is none")
        wrong = (found.view(np.uint16) != expected.view(np.uint16)) & number
        if wrong.any():
            raise AssertionError(f"{wrong.sum()} quotients are wrong, the first {np.argwhere(wrong)[:4].tolist()}")
        count += wrong.size
    return f"{count:,} equal"


def code_of(program: Any, arrays: Arrays) -> Any:
    """What runs a program whose shapes are known, compiled."""
    return program._specialisations.only.compile()


def check_dlpack() -> str:
    """Tensors of torch, cupy and jax in and out, in place, and on streams of their own."""
    t = "tensor<1000x1000xf32>"
    run = hlo2tiny.load(f"""func.func @main(%x: {t}) -> {t} {{
  %0 = stablehlo.add %x, %x : {t}
  return %0 : {t}
}}""", "CUDA")  # fmt: skip
    tried = []
    for name in ("torch", "cupy", "jax"):
        try:
            library = __import__(name)
        except ImportError:
            continue
        tried.append(name)
        if name == "torch":
            first, second = library.cuda.Stream(), library.cuda.Stream()
            for iteration in range(20):
                with library.cuda.stream(first):
                    x = library.full((1000, 1000), 0.5, device="cuda")
                    for _ in range(50):
                        x = x * 2 - 0.5 * iteration  # still running when the program is called
                    expected = (x + x).clone()
                    result = run(x)
                with library.cuda.stream(second):
                    found = library.from_dlpack(result) + 0
                    second.wait_stream(first)
                    if not library.equal(found, expected):
                        raise AssertionError("streams are not in order")
            x = library.rand(1000, 1000, device="cuda").to(library.bfloat16)
            narrow = run_bf16()
            if not library.equal(library.from_dlpack(narrow(x)), x + x):
                raise AssertionError("bf16 of torch")
        elif name == "cupy":
            x = library.arange(1_000_000, dtype=library.float32).reshape(1000, 1000)
            result = run(x)
            found = library.from_dlpack(result)
            if not bool((found == x + x).all()) or found.data.ptr != library.from_dlpack(result).data.ptr:
                raise AssertionError("cupy")
            expect_close([library.from_dlpack(run(x.T)).get()], [2 * x.T.get()])
        else:
            x = library.numpy.arange(1_000_000, dtype=library.numpy.float32).reshape(1000, 1000)
            expect_close([np.asarray(library.dlpack.from_dlpack(run(x)))], [np.asarray(x + x)])
    return ", ".join(tried)


def run_bf16() -> Any:
    t = "tensor<1000x1000xbf16>"
    return hlo2tiny.load(f"""func.func @main(%x: {t}) -> {t} {{
  %0 = stablehlo.add %x, %x : {t}
  return %0 : {t}
}}""", "CUDA")  # fmt: skip


def check_threads() -> None:
    """Four threads call one program and another; each gets its own results."""
    program = hlo2tiny.load(MADE["10⁴ iterations with a data-dependent end"], "CUDA")
    other = hlo2tiny.load(BY_NAME["mnist_mlp_predict"].path, "CUDA")
    given = inputs_of(other)
    expected = other.numpy_one_by_one(given)

    def work(number: int) -> bool:
        x = np.full(4096, number, np.float32)
        fine = True
        for _ in range(5):
            v, n = program.numpy(x)
            fine &= bool(np.allclose(v, 1.0)) and n == 10000
            fine &= all(a.tobytes() == b.tobytes() for a, b in zip(other.numpy_one_by_one(given), expected))
        return fine

    with ThreadPoolExecutor(4) as pool:
        if not all(pool.map(work, range(4))):
            raise AssertionError("results of another thread")


def expect_error(call: Callable[[], object], *words: str) -> str:
    try:
        call()
    except hlo2tiny.InputError as error:
        if all(word in str(error) for word in words) and "\n" not in str(error):
            return str(error)
        raise AssertionError(f"expected {words}: {error}") from error
    raise AssertionError(f"expected an error with {words}")


def check_errors() -> str:
    """The same as `errors` in a process of its own, since one of them makes the GPU unusable there."""
    command = [sys.executable, "-c", "import gpu; print(gpu.errors())"]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError((done.stdout + done.stderr)[-1500:])
    return done.stdout.strip()


def errors() -> str:
    """A wrong device number, too little memory, and a kernel that fails, each in one sentence."""
    from hlo2tiny.targets.cuda.compiling import compile_one

    said = [expect_error(lambda: hlo2tiny.load(ELEMENTWISE, "CUDA:9"), "there is no device CUDA:9", "GPU")]
    huge = """func.func @main(%x: tensor<f32>) -> tensor<100000000000xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<100000000000xf32>
  return %0 : tensor<100000000000xf32>
}"""
    said.append(expect_error(lambda: hlo2tiny.load(huge, "CUDA").numpy(np.float32(1)), "too little memory", "free"))
    os.environ |= {"HLO2TINY_CACHE": "off", "CUDA_LAUNCH_BLOCKING": "1"}
    text, x = ELEMENTWISE.replace("100000000", "1000"), np.ones(1000, np.float32)
    program = hlo2tiny.load(text, "CUDA")
    expect_close(program.numpy(x, x), [2 * x])  # after errors, and step by step
    expect_close(program(x, x).numpy(), [2 * x])
    program = hlo2tiny.load(text, "CUDA")
    code = program._specialisations.only.compile()
    (kernel,) = code.executable.kernels
    fault = (
        f'extern "C" __global__ void kernel0({", ".join(map(str, kernel.parameters))}) {{ *(volatile int *)16 = 1; }}'
    )
    code.cubins = [(compile_one(fault, code.gpu.arch), [0])]
    said.append(expect_error(lambda: program.numpy(x, x), "CUDA stopped in kernel", ":3", "start a new one"))
    return " | ".join(said)


# How long a later process takes, and how much of that the driver takes alone.
START = """
import time
begin = time.perf_counter()
import hlo2tiny, numpy as np, json, sys
imported = time.perf_counter()
program = hlo2tiny.load(sys.argv[1], sys.argv[2])
loaded = time.perf_counter()
arrays = [np.zeros(i.shape, i.dtype) for i in program.inputs]
made = time.perf_counter()
program.numpy_one_by_one(arrays)
first = time.perf_counter()
program.numpy_one_by_one(arrays)
print(json.dumps([imported - begin, loaded - imported, first - made, time.perf_counter() - first]))
"""
DRIVER = """
import ctypes, json, time
library, context, begin = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p(), time.perf_counter()
assert not library.cuInit(0) and not library.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
print(json.dumps([time.perf_counter() - begin]))
"""


def check_second_start(device: str = "CUDA") -> str:
    """How long a process takes that finds a program in the store."""
    said = []

    def run(names: tuple[str, ...], *arguments: str) -> str:
        done = subprocess.run([sys.executable, "-c", *arguments], capture_output=True, text=True, check=False, env=env)
        if done.returncode:
            raise AssertionError(done.stderr[-600:])
        parts = zip(names, json.loads(done.stdout.splitlines()[-1]), strict=True)
        return ", ".join(f"{name} {1e3 * seconds:.0f} ms" for name, seconds in parts)

    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"XDG_CACHE_HOME": folder}
        for name in ("mnist_mlp_predict", "flax_convnet"):
            for _ in range(3):
                found = run(("import", "load", "first call", "call"), START, str(BY_NAME[name].path), device)
            said.append(f"{name}: {found}")
        if device == "CUDA":
            said.append(run(("the driver alone",), DRIVER))
    return "; ".join(said)


def check_compiled() -> str:
    """Programs as C, beside the same ones in Python."""
    from tinygrad import Device

    from hlo2tiny.targets.cuda.driver import gpu_of

    return in_c_on_gpu.check(lambda x: place_array(x, "CUDA"), Device["CUDA"].synchronize, gpu_of("CUDA").arch)


def check_command_line() -> str:
    """`hlo2tiny bench` on the GPU: beside XLA, and where the time goes."""
    convnet, sums = (str(BY_NAME[name].path) for name in ("flax_convnet", "segment_sum"))
    said = []
    with tempfile.TemporaryDirectory() as folder:
        profile = ["--profile", f"{folder}/page.html"]
        for path, how in ((convnet, ["--vs-xla"]), (convnet, profile), (sums, profile)):
            command = [sys.executable, "-m", "hlo2tiny", "bench", path, "--device", "CUDA", "--seconds", "0.3", *how]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise AssertionError((done.stdout + done.stderr)[-800:])
            said.append(done.stdout)
    return "\n" + "\n".join(said)


def two_on_gpus(path: str) -> Any:
    return hlo2tiny.load(path, device=("CUDA:0", "CUDA:1"), precision="highest")


def gpu_count() -> int:
    from hlo2tiny.targets.cuda.driver import check, driver

    check(driver().cuInit(0))
    return int(check(driver().cuDeviceGetCount()))


ONE_GPU = "nothing was checked, as there is one GPU"


def check_several() -> str:
    """Programs of two processes on two GPUs: XLA's numbers on the CPU, errors, sharded Tensors, 100 equal runs."""
    if gpu_count() < 2:
        return ONE_GPU
    for text, x, expected in on_two.cases():
        program = two_on_gpus(text)
        expect_close(program.numpy(x), expected)
        expect_close(program(on_both(x, 0)).to("CUDA").numpy(), expected)
        program = hlo2tiny.load(text, device=("CUDA:0", "CUDA:1"), deterministic="order")
        expect_close(program.numpy(x), expected)
    fails = "fails_on_one"
    failing: list[bool] = []

    @hlo2tiny.custom_call(fails)
    def call(x: np.ndarray, number: np.ndarray) -> list[np.ndarray]:
        if failing and number == 1:
            raise ValueError("not today")
        return [x]

    program, x = two_on_gpus(FAILS.replace("@fails", f"@{fails}")), np.arange(4, dtype=np.float32)
    for _ in range(2):
        expect_close(program.numpy(x)[0], np.array([2, 4, 2, 4], np.float32))
        failing.append(True)
        start = time.perf_counter()
        try:
            program.numpy(x)
            raise AssertionError("an error of one process was lost")
        except hlo2tiny.InputError as error:
            said = str(error).splitlines()[0]
            if not all(word in said for word in (":8:", fails, "device 1 (CUDA:1)", "ValueError: not today")):
                raise AssertionError(f"expected the step and the device: {error}") from error
        if time.perf_counter() - start > 1:
            raise AssertionError("an error of one process did not end the call within a second")
        failing.clear()
    program, x = two_on_gpus(LEAVES), np.arange(4, dtype=np.float32)
    for _ in range(2):
        expect_close(program.numpy(x, np.int32(0))[0], np.array([32, 64, 32, 64], np.float32))
        start = time.perf_counter()
        expect_error(lambda: program.numpy(x, np.int32(1)), "AllReduce", "device 1 waits here, but device 0")
        if time.perf_counter() - start > 1:
            raise AssertionError("processes that left a loop apart did not end the call within a second")
    random = np.random.default_rng(1).standard_normal((2, 100_003), np.float32)
    program = two_on_gpus(chained(100_003, 1, "f32"))
    found = {program.numpy_one_by_one([random])[0].tobytes() for _ in range(100)}
    if len(found) != 1:
        raise AssertionError(f"100 runs of a sum gave {len(found)} different results")
    expect_close(program.numpy_one_by_one([random])[0], np.stack([random.sum(0)] * 2))
    return said


DOUBLE = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %x, %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
# jax and torch open both GPUs and let them read each other's memory, before or after us.
OTHERS = """
import sys
import numpy as np, hlo2tiny
sys.path.insert(0, sys.argv[2])
import gpu
def others():
    said = []
    try:
        import jax
        arrays = [jax.device_put(np.arange(8, dtype=np.float32) + n, d) for n, d in enumerate(jax.devices()[:2])]
        assert np.asarray(jax.device_put(arrays[0], jax.devices()[1]) + arrays[1]).sum() == 64
        said.append("jax")
    except ImportError:
        arrays = []
    try:
        import torch
        x = torch.ones(8, device="cuda:1") + torch.ones(8, device="cuda:0").to("cuda:1")
        assert x.sum().item() == 16
        said.append("torch")
    except ImportError:
        pass
    return said, arrays
def torchs_gpu():
    return sys.modules["torch"].cuda.current_device() if "torch" in sys.modules else None
def ours():
    before = torchs_gpu()
    program = gpu.two_on_gpus(gpu.chained(8, 1, "f32"))
    x = np.arange(16, dtype=np.float32).reshape(2, 8)
    gpu.expect_close(program.numpy_one_by_one([x])[0], np.stack([x.sum(0)] * 2))
    assert torchs_gpu() == before, "torch has another GPU after a call on two"
if sys.argv[1] == "we first":
    ours()
said, arrays = others()
ours()
before = torchs_gpu()
found = [hlo2tiny.load(gpu.DOUBLE, f"CUDA:{number}")(array) for number, array in enumerate(arrays)]
assert torchs_gpu() == before, "torch has another GPU after calls on one"
others()
for result, array in zip(found, arrays):
    gpu.expect_close(result.numpy(), 2 * np.asarray(array))  # tinygrad's, which leaves its GPU to the thread
print(", ".join(said))
"""


def check_beside_others() -> str:
    """Two GPUs in a process in which jax and torch use them too, in both orders, with arrays of both GPUs."""
    if gpu_count() < 2:
        return ONE_GPU
    said = []
    for order in ("others first", "we first"):
        command = [sys.executable, "-c", OTHERS, order, str(Path(__file__).parent)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
        if done.returncode:
            raise AssertionError(f"{order}: {done.stderr[-1500:]}")
        said.append(f"{order}: {done.stdout.strip()}")
    return "; ".join(said)


# What two GPUs do in bad circumstances, each in a process of its own.
BAD = """
import os, sys, time, warnings
import numpy as np, hlo2tiny
sys.path.insert(0, sys.argv[1])
import gpu
from hlo2tiny.targets.cuda.driver import check, driver
os.environ["HLO2TINY_CACHE"] = "off"
text = gpu.FAILS.replace("stablehlo.custom_call @fails(%a, %n) : (tensor<2xf32>, tensor<ui32>) -> tensor<2xf32>",
    "stablehlo.add %a, %a : tensor<2xf32>")
x, doubled = np.arange(4, dtype=np.float32), np.array([4, 8, 4, 8], np.float32)
"""
# Neither GPU can reach the other's memory, as on boards without peer access.
APART = (
    BAD
    + """
driver().cuDeviceCanAccessPeer = lambda a, b: (driver().CUresult.CUDA_SUCCESS, 0)
os.environ |= {"NCCL_P2P_DISABLE": "1", "NCCL_SHM_DISABLE": "0"}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(3):
        gpu.expect_close(gpu.two_on_gpus(text).numpy(x), doubled)
print(*[str(w.message) for w in caught])
"""
)
# Another process takes a GPU's memory except for some blocks of 256 MB, and gives it back.
FILLER = """
import sys
from hlo2tiny.targets.cuda.driver import driver, gpu_of
gpu_of("CUDA:1").enter()
held, block = [], 1 << 28
while not int((found := driver().cuMemAlloc(block))[0]):
    held.append(found[1])
for at in held[:int(sys.argv[1])]:
    driver().cuMemFree(at)
print("filled", flush=True)
sys.stdin.readline()
"""
FILLED = (
    BAD
    + """
import subprocess
def fill(blocks):
    command = [sys.executable, "-c", gpu.FILLER, str(blocks)]
    filler = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert filler.stdout.readline() == "filled\\n"
    return filler
alone = hlo2tiny.load(gpu.DOUBLE, "CUDA:0")
for blocks in 0, 2, 3:  # too little to open the GPU, to connect the two, and for the program's memory
    filler = fill(blocks)
    try:
        gpu.two_on_gpus(text).numpy(x)
        print(f"{blocks} blocks suffice;")
    except hlo2tiny.Error as error:
        assert "\\n" not in str(error), error
        print(f"{error};")
    gpu.expect_close(alone.numpy(np.ones(8, np.float32)), np.full(8, 2, np.float32))
    filler.communicate("\\n")
    gpu.expect_close(gpu.two_on_gpus(text).numpy(x), doubled)
"""
)
# A kernel of one GPU writes where it may not; then the driver refuses all requests of the process, for either GPU.
DISAPPEARS = (
    BAD
    + """
from hlo2tiny.targets.cuda.compiling import compile_one
program, others = gpu.two_on_gpus(text), [hlo2tiny.load(gpu.DOUBLE, name) for name in ("CUDA:0", "CUDA:1", "CPU")]
code = program._specialisations.only.compile().team.codes[1]
(kernel,) = code.executable.kernels
parameters = ", ".join(map(str, kernel.parameters))
code.cubins = [(compile_one(
    f'extern "C" __global__ void kernel0({parameters}) {{ *(volatile int *)16 = 1; }}', code.gpu.arch), [0])]
gpu.expect_close(gpu.two_on_gpus(text).numpy(x), doubled)  # the GPUs are connected
ones = np.ones(8, np.float32)
for other in others:
    gpu.expect_close(other.numpy(ones), 2 * ones)
def expect_error(step, call):
    start = time.perf_counter()
    try:
        call()
        raise AssertionError(f"{step}: no error")
    except hlo2tiny.Error as error:
        seconds = time.perf_counter() - start
        print(f"{step}: {error} ({seconds:.2f} s);", flush=True)
        assert "\\n" not in str(error) and "start a new one" in str(error) and seconds < 1
expect_error("the call", lambda: program.numpy(x))
expect_error("the next one", lambda: program.numpy(x))
expect_error("a new program for both", lambda: gpu.two_on_gpus(text).numpy(x))
for other in others[:2]:
    expect_error("one for " + other.device, lambda: other.numpy(ones))
gpu.expect_close(others[2].numpy(ones), 2 * ones)
"""
)


def check_bad_circumstances() -> str:
    """GPUs without peer access, one that another process fills, and one that stops during a call."""
    if gpu_count() < 2:
        return ONE_GPU
    said = []
    for name, words in (("APART", "cannot reach"), ("FILLED", "memory"), ("DISAPPEARS", "one for CUDA:1")):
        command = [sys.executable, "-c", globals()[name], str(Path(__file__).parent)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        if done.returncode or words not in done.stdout:
            raise AssertionError(f"{name}: {done.stdout[-500:]} {done.stderr[-1500:]}")
        said.append(done.stdout.strip())
        for device in ("CUDA:0", "CUDA:1"):  # what happens to one process does not affect another
            expect_close(hlo2tiny.load(DOUBLE, device).numpy(np.ones(8, np.float32)), np.full(8, 2, np.float32))
    return "; ".join(said)


# Programs of tests/on_two that are compared with one GPU rather than with XLA, and what two GPUs do.
SPREAD = {
    "decoder": "compute the decoder {:.2f} × as fast as one",
    "resnet step": "take {:.2f} × as many images as one in a step of a ResNet-50, with 64 for each",
}


def check_speed_of_several(seconds: float = 1.0) -> str:
    """The programs of tests/on_two on two GPUs, beside XLA on the same two, and on one."""
    if gpu_count() < 2:
        return ONE_GPU
    rows, ratios, wrong, times = [], [], [], dict[str, list[float]]()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(Path(on_two.__file__)), "xla", folder, str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=400)
        print(done.stderr[-3000:] if done.returncode or "XLA, " in done.stderr else "", end="", flush=True)
        xla = json.loads(done.stdout.splitlines()[-1]) if not done.returncode else {}
        for name, made in on_two.programs().items():
            try:
                arrays = made.arrays()
                results, taken = measure_on_both(on_two.text_path(name, 2), made, arrays, seconds)
                row = f"{1e3 * taken:.3f} |"
                if name in xla:
                    with np.load(Path(folder) / f"{name}.npz") as archive:
                        apart = difference(results, [archive[key] for key in archive])
                    row += f" {1e3 * xla[name]:.3f} | {taken / xla[name]:.2f} | {apart:.1e} |"
                    # Of TF32; in the ResNet's 53 layers and their gradients, our own f32 is 0.018 away from it.
                    if not apart <= (0.05 if "bfloat16" in made.dtypes or name == "resnet step" else 0.01):
                        wrong.append(f"{name}: results differ by {apart:.1e}")
                    if name not in SPREAD:
                        ratios.append(taken / xla[name])
                else:
                    row += " – | – | – |"
                if name != "pipeline":  # of which one GPU has one stage
                    given = [x[tuple(map(slice, shape))] for x, shape in zip(arrays, made.shapes_alone)]
                    alone, once = measure_on_one(on_two.text_path(name, 1), given, seconds)
                    times[name] = [once * (2 if made.per_device else 1), taken]
                    apart = "–" if made.per_device else f"{difference(results, alone):.1e}"
                    row += f" {1e3 * once:.3f} | {apart} |"
            except Exception as error:
                traceback.print_exc(limit=-4)
                wrong.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
                row = f"{str(error)[:100]!r} |"
            rows.append(f"| {name} | {row}")
            print(rows[-1], flush=True)
    heads = ("program", "two GPUs, ms", "XLA, ms", "ratio", "difference", "one GPU, ms", "difference")
    print(f"| {' | '.join(heads)} |\n{len(heads) * '|---'}|\n" + "\n".join(rows), flush=True)
    if wrong:
        raise AssertionError("; ".join(wrong))
    said = []
    if ratios:
        said.append(f"beside XLA {exp(sum(map(log, ratios)) / len(ratios)):.2f}, at most {max(ratios):.2f}")
    for name, what in SPREAD.items():
        if name in times:
            once, taken = times[name]
            said.append("two GPUs " + what.format(once / taken))
    return "; ".join(said)


def measure_on_both(path: Path, made: Any, arrays: Arrays, seconds: float) -> tuple[list[np.ndarray], float]:
    """The results on two GPUs as float32, and the seconds of a call on Tensors that lie there."""
    program = hlo2tiny.load(path, device=("CUDA:0", "CUDA:1"))
    tensors = [on_both(x, dimension) for x, dimension in zip(arrays, made.inputs)]
    results = [each.to("CUDA").float().numpy() for each in several_of(program(*tensors))]
    program(*tensors)
    return results, median(lambda: program(*tensors), seconds)


def measure_on_one(path: Path, arrays: Arrays, seconds: float) -> tuple[list[np.ndarray], float]:
    from tinygrad import Device

    program, device = hlo2tiny.load(path, "CUDA"), Device["CUDA"]
    tensors = [place_array(x, "CUDA") for x in arrays]

    def call() -> None:
        program(*tensors)
        device.synchronize()

    results = [each.float().numpy() for each in several_of(program(*tensors))]
    call()
    return results, median(call, seconds)


def several_of(results: Any) -> Sequence[Any]:
    return results if isinstance(results, tuple | list) else [results]


def on_both(x: np.ndarray, dimension: int | None) -> Any:
    """A Tensor on two GPUs: cut along a dimension, or whole on each."""
    return place_array(x, "CUDA").shard(("CUDA", "CUDA:1"), dimension).realize()


def chained(size: int, iterations: int, kind: str = "i32") -> str:
    """A program that sums a row of each process over both, and the sum again, and so on."""
    part, lines = f"tensor<1x{size}x{kind}>", []
    for iteration in range(iterations):
        lines.append(f"""    %v{iteration + 1} = "stablehlo.all_reduce"(%v{iteration}) <{{
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}}> ({{
      ^bb0(%p: tensor<{kind}>, %q: tensor<{kind}>):
        %s = stablehlo.add %p, %q : tensor<{kind}>
        stablehlo.return %s : tensor<{kind}>
    }}) : ({part}) -> {part}""")
    body, whole = "\n".join(lines), f"tensor<2x{size}x{kind}>"
    return f"""module attributes {{mhlo.num_partitions = 2 : i32}} {{
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: {whole}) -> {whole} {{
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{"x"}}, {{}}]>] out_shardings=[<@mesh, [{{"x"}}, {{}}]>]
      manual_axes={{"x"}} (%v0: {part}) {{
{body}
    sdy.return %v{iterations} : {part}
  }} : ({whole}) -> {whole}
  return %0 : {whole}
}}
}}"""


def check_exchanges(seconds: float = 0.3) -> str:
    """What an all-reduce costs by size, in a graph of 20 of them and alone, beside NCCL's own."""
    if gpu_count() < 2:
        return ONE_GPU
    print("| bytes | a call with 1, µs | each of 20, µs | GB/s | NCCL alone, µs | GB/s |\n" + 6 * "|---" + "|")
    for power in range(2, 31, 4):
        size, taken = 1 << power, dict[int, float]()
        for iterations in (1, 21):
            program = hlo2tiny.load(chained(size // 4, iterations), device=("CUDA:0", "CUDA:1"))
            x = on_both(np.ones((2, size // 4), np.int32), 0)
            found = program(x).to("CUDA").numpy()
            if not found.min() == found.max() == 2**iterations:
                raise AssertionError(f"sums of {size} bytes are {found.min()} to {found.max()}, not {2**iterations}")
            taken[iterations] = median(lambda: program(x), seconds)
        each, own = (taken[21] - taken[1]) / 20, time_of_nccl(size)
        rates = (
            f"{1e6 * t:,.1f} | {size / max(t, 1e-9) / 1e9:,.1f}" for t in (each, own)
        )  # of two: the bus has as much
        print(f"| {size:,} | {1e6 * taken[1]:,.1f} | {' | '.join(rates)} |", flush=True)
    return ""


def time_of_nccl(size: int, iterations: int = 20) -> float:
    """The seconds that NCCL's all-reduce takes, among many in a row."""
    import ctypes

    from hlo2tiny.targets.cuda.driver import check, driver, gpu_of
    from hlo2tiny.targets.cuda.nccl import grid_on, nccl

    gpus, cu = [gpu_of("CUDA"), gpu_of("CUDA:1")], driver()
    people, memory, streams = grid_on(gpus).each, [], []
    for gpu in gpus:
        gpu.enter()
        memory.append(gpu.allocate(size, "a test"))
        check(cu.cuMemsetD8(memory[-1], 0, size))
        streams.append(check(cu.cuStreamCreate(1)))

    def call() -> None:
        for _ in range(iterations):
            nccl().call("ncclGroupStart")
            for person, place, stream in zip(people, memory, streams):
                at, queue = ctypes.c_void_p(place), ctypes.c_void_p(int(stream))
                nccl().call("ncclAllReduce", at, at, ctypes.c_size_t(size // 4), 2, 0, person.communicator, queue)
            nccl().call("ncclGroupEnd")
        for gpu, stream in zip(gpus, streams):
            gpu.enter()
            check(cu.cuStreamSynchronize(stream))

    call()
    taken = median(call, 0.2) / iterations
    for gpu, place, stream in zip(gpus, memory, streams):
        gpu.enter()
        gpu.free(place)
        check(cu.cuStreamDestroy(stream))
    return taken


FAILS = """
module attributes {mhlo.num_partitions = 2 : i32} {
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"}
      (%a: tensor<2xf32>) {
    %n = stablehlo.partition_id : tensor<ui32>
    %b = stablehlo.custom_call @fails(%a, %n) : (tensor<2xf32>, tensor<ui32>) -> tensor<2xf32>
    %c = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %c : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
}"""


# A sum of both, five times; the second one goes on if the last argument is 1.
LEAVES = """
module attributes {mhlo.num_partitions = 2 : i32} {
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32>, %more: tensor<i32>) -> tensor<4xf32> {
  %0 = sdy.manual_computation(%x, %more) in_shardings=[<@mesh, [{"x"}]>, <@mesh, []>]
      out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>, %m: tensor<i32>) {
    %n = stablehlo.partition_id : tensor<ui32>
    %w = stablehlo.convert %n : (tensor<ui32>) -> tensor<i32>
    %later = stablehlo.multiply %w, %m : tensor<i32>
    %five = stablehlo.constant dense<5> : tensor<i32>
    %last = stablehlo.add %five, %later : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %zero, %v = %a) : tensor<i32>, tensor<2xf32>
      cond {
        %c = stablehlo.compare LT, %i, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %t = "stablehlo.all_reduce"(%v) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
          ^bb0(%p: tensor<f32>, %q: tensor<f32>):
            %s = stablehlo.add %p, %q : tensor<f32>
            stablehlo.return %s : tensor<f32>
        }) : (tensor<2xf32>) -> tensor<2xf32>
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %t : tensor<i32>, tensor<2xf32>
      }
    sdy.return %r#1 : tensor<2xf32>
  } : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
}"""


CHECKS: dict[str, Callable[[], object]] = {
    "precision": check_precision, "attention": check_attention,
    "attention's gradients": partial(attention_on_gpu.check_gradients, exported, measure_ours, measure_xla),
    "gradients": check_gradients, "open dimensions": check_open_dimensions,
    "custom calls": check_custom_calls, "Fourier transforms": check_transforms,
    "linear algebra": check_linear_algebra, "small matrices": check_small_matrices,
    "integers": check_integers, "8-bit floats": check_small_floats, "quotients": check_quotients,
    "batch invariance": check_batch_invariance, "DLPack and streams": check_dlpack, "threads": check_threads,
    "errors": check_errors, "second start": check_second_start, "command line": check_command_line,
    "compiled as C": check_compiled,
    "embedded kernels": code_on_gpu.check_embedded_kernels,
    "compiled handlers": code_on_gpu.check_compiled_handlers,
    "language model": llama_on_gpu.check_language_model,
    "several GPUs": check_several, "several GPUs beside others": check_beside_others,
    "several GPUs, bad circumstances": check_bad_circumstances,
    "exchanges of several GPUs": check_exchanges, "speed of several GPUs": check_speed_of_several,
}  # fmt: skip


def driver_version() -> str:
    from hlo2tiny.targets.cuda.driver import check, driver, version_text

    return version_text(check(driver().cuDriverGetVersion()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--no-corpus", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--no-checks", action="store_true", help="only print the table")
    parser.add_argument("--no-table", action="store_true", help="only check")
    options = parser.parse_args()
    from hlo2tiny.targets.cuda.driver import gpu_of
    from hlo2tiny.targets.cuda.measuring import chip_of

    # What falls back to slower kernels is wrong here.
    warnings.simplefilter("error", hlo2tiny.NoNativeCode)
    chip = chip_of(gpu_of("CUDA"))
    bandwidth, wrong = chip.bandwidth, list[str]()
    for name, check in () if options.no_checks else CHECKS.items():
        if options.only in name:
            wrong += report(name, check)
    if not options.no_corpus:
        wrong += check_corpus(options.only)
    rows, ratios = [], []
    programs: dict[str, tuple[str, Arrays | None]] = {name: (text, None) for name, text in MADE.items()}
    programs |= {Path(p).stem: (p, None) for p in options.programs}
    if not options.no_corpus:
        programs |= {f"corpus/{e.name}": (str(e.path), e.inputs()) for e in ENTRIES}
    for name, (path, arrays) in programs.items():
        if options.only not in name or options.no_table:
            continue
        try:
            first, call, results, arrays = measure_ours(path, arrays, options.seconds)
        except Exception as error:
            print(f"{name}: ERROR {str(error)[:500]}", flush=True)
            traceback.print_exc(limit=-4)
            wrong.append(name)
            continue
        try:
            xla_first, xla_call, expected = measure_xla(path, arrays, options.seconds)
            apart = difference(results, expected)
            ratios.append(call / xla_call)
            speed = f"{1e3 * call:.3f} | {1e3 * xla_call:.3f} | {call / xla_call:.2f}"
            row = f"| {name} | {speed} | {first:.1f} | {xla_first:.1f} | {apart:.1e} |"
        except Exception as error:
            row = f"| {name} | {1e3 * call:.3f} | – | – | {first:.1f} | – | {str(error)[:80]!r} |"
        if name in MOVED:
            rate = MOVED[name] / call
            print(f"{name}: {rate / 1e9:,.0f} GB/s, {100 * rate / bandwidth:.0f}% of the chip's", flush=True)
        rows.append(row)
        print(row, flush=True)
    print(chip.name, f"driver {driver_version()},", end=" ")
    names = ("jax", "cuda-bindings", "nvidia-cublas", "tinygrad")
    versions = ", ".join(f"{n} {importlib.metadata.version(n)}" for n in names)
    print("\n| program | hlo2tiny, ms | XLA, ms | ratio | first call, s | XLA's, s | difference |\n" + 7 * "|---" + "|")
    print("\n".join(rows))
    if ratios:
        print(f"\ngeometric mean of the ratios: {exp(sum(map(log, ratios)) / len(ratios)):.2f}")
    print(versions)
    print("wrong:", ", ".join(wrong) or "nothing")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
