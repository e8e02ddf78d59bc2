"""Prints the figures that the README claims: `python tests/benchmark.py [--quick]`.

Times are the best of several runs on one machine. XLA's stand beside ours when JAX is installed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

import hlo2tiny
from corpus import BY_NAME, FOLDER, Entry
from hlo2tiny.run.tinygrad import render_region

GPT2 = FOLDER / "benchmark" / "gpt2_small.mlir"
MEMORY_OF_HEX = """
import resource, sys, time, hlo2tiny
size = int(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
start = time.perf_counter()
module = hlo2tiny.parse(sys.argv[2])
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
(constant,) = [op for op in module.walk() if op.name == "stablehlo.constant"]
assert constant.attributes["value"].data.nbytes == size
print(f"{seconds:.2f} s, peak {(peak - before) / size:.2f} x the payload")
"""


def best(function: Callable[[], object], times: int) -> float:
    """The shortest of several runs, in seconds."""
    durations = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        durations.append(time.perf_counter() - start)
    return min(durations)


def parse_figures() -> None:
    start = time.perf_counter()
    hlo2tiny.parse("func.func @main() {\n return\n}")
    print(f"first parse (builds the LALR tables): {time.perf_counter() - start:.2f} s")
    text = GPT2.read_text()
    count = sum(1 for _ in hlo2tiny.parse(text).walk())
    seconds = best(lambda: hlo2tiny.parse(text), 7)
    tracemalloc.start()
    module = hlo2tiny.parse(text)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert module.functions
    print(f"parse of {GPT2.name}: {text.count(chr(10))} lines, {len(text) // 1000} kB, {count} ops, {seconds:.3f} s")
    print(
        f"  {count / seconds:,.0f} ops/s, {seconds / count * 10_000:.2f} s per 10,000 ops, {kept // count} bytes per op"
    )


def hex_figures(size: int, folder: Path) -> None:
    path = folder / "hlo2tiny-benchmark-hex.mlir"
    shape = f"{size // 4}xf32"
    head, tail = (
        f'func.func @main() -> tensor<{shape}> {{\n  %0 = stablehlo.constant dense<"0x',
        f'"> : tensor<{shape}>\n',
    )
    try:
        with path.open("w") as file:
            file.write(head)
            piece = np.random.RandomState(0).bytes(1_000_000).hex().upper()
            for _ in range(size // 1_000_000):
                file.write(piece)
            file.write(tail + f"  return %0 : tensor<{shape}>\n}}\n")
        command = [sys.executable, "-c", MEMORY_OF_HEX, str(size), str(path)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        print(f"hexadecimal constant of {size // 1_000_000} MB: {printed}")
    finally:
        path.unlink(missing_ok=True)


def run_figures(entry: Entry) -> None:
    inputs = entry.inputs()
    start = time.perf_counter()
    program = hlo2tiny.load(entry.path, device="CPU")
    loaded = time.perf_counter()
    program.compile()
    compiled = time.perf_counter()
    kernels = sum(len(render_region(step, program.device).kernels) for step in program.plan.kernels())
    program.numpy(*inputs)
    seconds = best(lambda: program.numpy(*inputs), 20)
    line = f"{entry.name}: load {loaded - start:.2f} s, compile {compiled - loaded:.2f} s, {kernels} kernels"
    print(f"{line}, run {seconds * 1e3:.2f} ms{xla_figure(entry, inputs)}")


def xla_figure(entry: Entry, inputs: list[np.ndarray]) -> str:
    """XLA's time for the same module and inputs, when JAX is installed."""
    try:
        import jax
        from jax._src import xla_bridge
        from jax._src.interpreters import mlir
        from jaxlib import xla_client
        from jaxlib.mlir import ir
    except ImportError:
        return ""
    backend = xla_bridge.get_backend("cpu")
    devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
    with mlir.make_ir_context():
        module = ir.Module.parse(entry.path.read_text())
        executable = backend.compile_and_load(module, devices, xla_client.CompileOptions())
    buffers = [jax.device_put(x) for x in inputs]

    def run() -> None:
        for shards in executable.execute_sharded(buffers).disassemble_into_single_device_arrays():
            np.asarray(shards[0])

    run()
    return f", XLA {best(run, 20) * 1e3:.2f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, a few programs")
    parser.add_argument("--folder", type=Path, default=Path("/tmp"), help="where to put a large file for a moment")
    options = parser.parse_args()
    os.environ["HLO2TINY_CACHE"] = "off"  # compiling is one of the figures
    parse_figures()
    hex_figures(50_000_000 if options.quick else 500_000_000, options.folder)
    rest = ["flax_convnet", "gpt_decoder_scan", "lstm", "fori_loop", "kv_cache_decode"]
    for name in ["gpt_decoder", "while_loop", *([] if options.quick else rest)]:
        run_figures(BY_NAME[name])


if __name__ == "__main__":
    main()
