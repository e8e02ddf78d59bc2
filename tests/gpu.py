"""What CI cannot test: programs on an NVIDIA GPU, their numbers and their speed beside XLA's, in one command.

    python tests/gpu.py [--seconds 1] [PROGRAM.mlir ...]

It needs a GPU, `hlo2tiny[cuda]`, and for the comparison a jax with CUDA. It runs the corpus in f32 and prints which
entries differ from XLA's results on the CPU. Then it runs threads and larger programs, and prints a table for the
README with the chip and the versions. The exit status is 1 if any number was wrong.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import exp, log
from pathlib import Path
from typing import Any

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import numpy as np

import hlo2tiny
from corpus import ENTRIES

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
    "10⁴ turns with a data-dependent end": LOOP,
}


def inputs_of(program: Any, seed: int = 0) -> list[np.ndarray]:
    """Random inputs: small floats, and whole numbers of 0 and 1."""
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
    from tinygrad import Device, Tensor

    start = time.perf_counter()
    program = hlo2tiny.load(path, "CUDA", donate=())
    arrays = inputs_of(program) if arrays is None else arrays
    loaded = time.perf_counter() - start
    start = time.perf_counter()
    results = program.numpy_one_by_one(list(arrays))  # compiles, unless the store has the program
    first = loaded + time.perf_counter() - start
    program = hlo2tiny.load(path, "CUDA", donate=())  # with tensors, from the store
    tensors = [placed(x, Tensor) for x in arrays]
    device = Device["CUDA"]

    def call() -> None:
        held = program(*tensors)
        device.synchronize()
        del held

    call(), call()
    return first, median(call, seconds), results, arrays


def placed(array: np.ndarray, tensor: Any) -> Any:
    from tinygrad import dtypes

    if array.dtype.name == "bfloat16":
        return tensor(array.view(np.uint16), device="CUDA").bitcast(dtypes.bfloat16).contiguous().realize()
    if array.dtype.kind == "c":
        parts = np.stack([array.real, array.imag], -1)
        return tensor(parts, device="CUDA").contiguous().realize()
    return tensor(array, device="CUDA").contiguous().realize()


def measure_xla(path: str, arrays: Arrays, seconds: float) -> tuple[float, float, list[np.ndarray]]:
    import jax
    from jax._src.interpreters import mlir
    from jaxlib import xla_client
    from jaxlib.mlir import ir

    jax.config.update("jax_enable_x64", True)
    device = jax.devices()[0]
    text = path if "\n" in path else Path(path).read_text(encoding="utf-8")
    with mlir.make_ir_context(), ir.Location.unknown():
        kept = text.replace("jax.buffer_donor = true", "").replace("tf.aliasing_output", "ignored.alias")
        module = ir.Module.parse(kept)
        code = mlir.module_to_bytecode(module)
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
    """The largest difference between results, as a part of the largest number of each."""
    worst = 0.0
    for a, b in zip(found, expected, strict=True):
        x, y = (np.asarray(v).astype(np.complex128 if np.asarray(v).dtype.kind == "c" else np.float64) for v in (a, b))
        if x.size:
            scale = np.max(np.abs(y[np.isfinite(y)]), initial=0.0) or 1.0
            same = np.isfinite(x) == np.isfinite(y)
            both = np.isfinite(x) & np.isfinite(y)
            worst = max(worst, float(np.max(np.abs(x - y)[both], initial=0.0) / scale), 0.0 if same.all() else np.inf)
    return worst


def check_corpus() -> Iterator[str]:
    """The entries of the corpus whose numbers are wrong in f32."""
    from hlo2tiny.targets.cuda import convolutions, products

    os.environ["HLO2TINY_CACHE"] = "off"  # the store's code is for TF32
    usual = products.is_exact
    products.is_exact = convolutions.is_exact = lambda op: True
    for entry in ENTRIES:
        start = time.perf_counter()
        try:
            program = hlo2tiny.load(entry.path, "CUDA")
            first = program.numpy(*entry.inputs())
            entry.check(first)
            second = program.numpy(*entry.inputs())
            if any(np.asarray(a).tobytes() != np.asarray(b).tobytes() for a, b in zip(flat(first), flat(second))):
                raise AssertionError("a second call gives other bits")
            print(f"corpus {entry.name}: right, {time.perf_counter() - start:.1f} s", flush=True)
        except Exception as error:
            print(f"corpus {entry.name}: WRONG: {str(error)[:600]}", flush=True)
            if not isinstance(error, AssertionError):
                traceback.print_exc(limit=-5)
            yield entry.name
    products.is_exact = convolutions.is_exact = usual
    del os.environ["HLO2TINY_CACHE"]


def flat(results: Any) -> Iterator[Any]:
    if isinstance(results, tuple | list):
        for each in results:
            yield from flat(each)
    elif isinstance(results, dict):
        yield from flat(list(results.values()))
    else:
        yield results


def check_threads() -> Iterator[str]:
    """Four threads call one program and another; each gets its own results."""
    program = hlo2tiny.load(MADE["10⁴ turns with a data-dependent end"], "CUDA")
    other = hlo2tiny.load(next(e.path for e in ENTRIES if e.name == "mnist_mlp_predict"), "CUDA")
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
            yield "threads"


def profile(path: str) -> None:
    """Print how long each kernel and product takes, as one of many in a graph, so that launches are hidden."""
    from collections import Counter

    from tinygrad import Device

    from hlo2tiny.targets.cuda.graph import Graph
    from hlo2tiny.targets.cuda.recipe import Launch, Multiply

    program = hlo2tiny.load(path, "CUDA")
    arrays = inputs_of(program)
    program.numpy_one_by_one(arrays)
    code = program._specialisations.only._executor
    performance = next(iter(code._performances.values()))
    device, times, counts = Device["CUDA"], Counter[object](), Counter[object]()
    for action in code.recipe.actions:
        if isinstance(action, Launch | Multiply):
            key = (type(action).__name__, action.kernel if isinstance(action, Launch) else action.product)
            counts[key] += 1
            if counts[key] == 1:
                graph = Graph(code._machine, [action] * 20, performance._address)
                graph.launch()
                device.synchronize()
                times[key] = median(lambda g=graph: (g.launch(), device.synchronize()), 0.01, 20) / 20
    total = sum(times[k] * n for k, n in counts.items())
    nodes = sum(counts.values())
    print(f"profile of {Path(path).stem}: {nodes} of {len(code.recipe.actions)} nodes, {1e6 * total:.0f} us in all")
    for key, _ in sorted(counts.items(), key=lambda item: -times[item[0]] * item[1])[:14]:
        kind, number = key
        kernel = code.recipe.kernels[number] if kind == "Launch" else None
        name = f"{kernel.name} {kernel.grid} {kernel.block}" if kernel else str(code.recipe.products[number])
        print(f"  {counts[key]:4} x {1e6 * times[key]:8.1f} us  {name}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--no-corpus", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--profile", action="store_true", help="print how long each kernel of the programs takes")
    options = parser.parse_args()
    if options.profile:
        for path in options.programs:
            profile(path)
        return 0
    wrong = [] if options.no_corpus else list(check_corpus())
    if not options.no_corpus:
        wrong += check_threads()
    rows, ratios = [], []
    programs: dict[str, tuple[str, Arrays | None]] = {name: (text, None) for name, text in MADE.items()}
    programs |= {Path(p).stem: (p, None) for p in options.programs}
    if not options.no_corpus:
        programs |= {f"corpus/{e.name}": (str(e.path), e.inputs()) for e in ENTRIES}
    for name, (path, arrays) in programs.items():
        if options.only not in name:
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
        rows.append(row)
        print(row, flush=True)
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
