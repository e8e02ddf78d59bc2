"""A script that `hlo2tiny bench` and `check` start: a process in which hlo2tiny or XLA runs programs.

It imports what it measures, and nothing else of this package. A request is a line of JSON on standard input, and its
answer is a line on standard output.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ProgramCall = Callable[..., Sequence[Any]]  # what it returns becomes arrays by np.asarray
# How many calls a turn measures at most.
MOST_CALLS = 2000
# How many programs of `run` requests stay compiled.
MOST_READY = 4
# The program with which the overhead of a call is measured.
ONE_OP = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


def as_arrays(results: Sequence[Any]) -> Sequence[np.ndarray]:
    return list(map(np.asarray, results))


@dataclass(frozen=True)
class Contender:
    """What runs programs."""

    load: Callable[[str, Mapping[str, Any]], Any]  # reads a program, with options of hlo2tiny.load
    compile: Callable[[Any], ProgramCall]  # compiles a loaded program
    # What later calls use, from the first one, its results, and how many of its first arguments it may overwrite.
    again: Callable[[Any, ProgramCall, Sequence[Any], int], ProgramCall]
    # Places the inputs, given how many are weights; returns the program with what a call passes.
    place: Callable[[Any, Iterable[np.ndarray], int], tuple[Any, list[Any]]]
    one_op: Callable[[], ProgramCall]  # makes a function of one operation on numpy arrays
    wait: Callable[[Sequence[Any]], object] = as_arrays  # until the results of a call are there
    arrays: Callable[[Sequence[Any]], Sequence[np.ndarray]] = as_arrays  # the results of a call


def ours(device: str) -> Contender:
    import hlo2tiny
    from hlo2tiny.targets import targets_of

    # Without native code, tinygrad's kernels would run, which are a contender of their own.
    warnings.simplefilter("error", hlo2tiny.NoNativeCode)

    def load(path: str, options: Mapping[str, Any]) -> Any:
        return hlo2tiny.load(Path(path), device.split(",") if "," in device else device, **options)

    def place(program: Any, arrays: Iterable[np.ndarray], bound: int) -> tuple[Any, list[Any]]:
        given = list(arrays)
        return (program.bind(*given[:bound]) if bound else program), given[bound:]

    if "," not in device and targets_of(device)[0].borrows:  # several take and return whole arrays
        return ours_on_gpu(device, load)
    return Contender(
        load,
        lambda program: lambda *arrays: program.numpy_one_by_one(arrays),  # the first call compiles
        lambda program, call, results, carried: call,
        place,
        lambda: hlo2tiny.load(ONE_OP, "CPU").numpy,
    )


def ours_on_gpu(device: str, load: Callable[..., Any]) -> Contender:
    """The same with arguments and results that are Tensors on a GPU."""
    import hlo2tiny
    from hlo2tiny.tinygrad.buffers import finish  # this file runs as a script
    from hlo2tiny.tinygrad.tensors import place_array

    placed: dict[str, Any] = {}  # the last program, and its arrays

    def place(program: Any, arrays: Iterable[np.ndarray], bound: int) -> tuple[Any, list[Any]]:
        placed.update(program=program, arrays=list(arrays))
        return program, [place_array(array, device) for array in placed["arrays"]]

    def compile(program: Any) -> ProgramCall:
        placed["program"] = program
        return lambda *tensors: [program(*tensors)]

    return Contender(
        load,
        compile,
        lambda program, call, results, carried: call,
        place,
        lambda: hlo2tiny.load(ONE_OP, device).numpy,
        lambda results: finish(device),
        lambda results: placed["program"].numpy_one_by_one(placed["arrays"]),
    )


def xla(device_name: str) -> Contender:
    import jax
    from jax._src.interpreters import mlir
    from jax.extend.core import Primitive
    from jaxlib import xla_client
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import func

    jax.config.update("jax_enable_x64", True)  # type: ignore[no-untyped-call]  # keeps 64-bit arguments
    platform, _, number = device_name.lower().partition(":")
    device = jax.devices(platform)[int(number or 0)]

    def load(path: str, options: Mapping[str, Any]) -> Any:
        text = Path(path).read_text(encoding="utf-8")
        if "@lapack_" in text:
            # Lowering an op that needs LAPACK loads it; the program refers to its functions by name.
            jax.jit(jax.numpy.linalg.cholesky).lower(np.ones((1, 1), np.float32))
        context = mlir.make_ir_context()
        with context, ir.Location.unknown():
            return ir.Module.parse(text), []

    def compile(loaded: Any) -> ProgramCall:
        module, weights = loaded
        options = xla_client.CompileOptions()
        code = mlir.module_to_bytecode(module)
        if hasattr(device.client, "compile_and_load"):
            executable = device.client.compile_and_load(code, [device], options)
        else:  # before jax 0.6.1
            executable = device.client.compile(code, options)

        def call(*arrays: Any) -> list[Any]:
            results = executable.execute_sharded([*weights, *arrays])
            return [shards[0] for shards in results.disassemble_into_single_device_arrays()]

        return call

    def again(loaded: Any, call: ProgramCall, results: Sequence[Any], carried: int) -> ProgramCall:
        """The program inside a jitted function, which is faster to call than an executable."""
        module, weights = loaded
        text = mlir.module_to_bytecode(module)
        program: Any = Primitive("program")
        program.multiple_results = True
        types = list(map(jax.typeof, results))
        program.def_abstract_eval(lambda *_: types)

        def lower_call(context: Any, *arguments: Any) -> Any:
            where, inner = context.module_context, ir.Module.parse(text)
            entry: Any = ir.SymbolTable(inner.operation)["main"]
            name = mlir.merge_mlir_modules(where.module, "program", inner, where.symbol_table)
            return func.CallOp(entry.type.results, ir.FlatSymbolRefAttr.get(name), arguments).results

        mlir.register_lowering(program, lower_call)
        jitted = jax.jit(program.bind, donate_argnums=range(len(weights), len(weights) + carried))
        return lambda *arrays: jitted(*weights, *arrays)

    def one_op() -> ProgramCall:
        add = jax.jit(lambda x: x + x)
        return lambda x: [np.asarray(add(x))]

    def place(loaded: Any, arrays: Iterable[np.ndarray], bound: int) -> tuple[Any, list[Any]]:
        placed = [jax.device_put(array, device) for array in arrays]
        return (loaded and loaded[0], placed[:bound]), placed[bound:]

    return Contender(load, compile, again, place, one_op, as_arrays if platform == "cpu" else jax.block_until_ready)


# ---------------------------------------------------------------- arrays in files


def read(path: str, dtype: str, shape: Sequence[int]) -> np.ndarray:
    """An array from a file of its bytes, since numpy's format lacks bf16."""
    try:
        kind = np.dtype(dtype)
    except TypeError:
        import ml_dtypes

        kind = np.dtype(getattr(ml_dtypes, dtype))
    return np.fromfile(path, np.uint8).view(kind).reshape(shape)


def write(array: np.ndarray, path: str) -> tuple[str, str, list[int]]:
    """Write an array's bytes, and return the arguments with which `read` reads them."""
    np.ascontiguousarray(array).reshape(-1).view(np.uint8).tofile(path)
    return path, array.dtype.name, list(array.shape)


# ---------------------------------------------------------------- measuring


def peak_memory() -> int:
    """The peak memory of this process in bytes, since the last `forget_peak` where that is possible."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    import resource  # not on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def forget_peak() -> None:
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")


def durations(call: Callable[[], object], seconds: float) -> list[float]:
    """How many seconds each call takes, for calls one after the other during some seconds; at least one call."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while not times or (len(times) < MOST_CALLS and time.perf_counter() < end):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def serve(contender: Contender, started: float, answer: Callable[[Any], None]) -> None:
    forget_peak()
    base = peak_memory()
    imported = time.monotonic() - started
    arguments: list[Any] = []
    call: ProgramCall = list
    ready: dict[str, ProgramCall] = {}
    last = 0.0
    carried = 0  # how many of the last results are the first arguments of the next call

    def run() -> Sequence[Any]:
        results = call(*arguments)
        kept = len(results) - carried
        contender.wait(results[:kept])
        arguments[:carried] = results[kept:]
        return results

    def write_all(results: Sequence[Any], folder: str) -> list[tuple[str, str, list[int]]]:
        arrays = contender.arrays(results)
        return [write(x, os.path.join(folder, f"result{i}")) for i, x in enumerate(arrays)]

    for line in sys.stdin:
        request = json.loads(line)
        match request["do"]:
            case "start":
                begin = time.perf_counter()
                loaded = contender.load(request["file"], request["options"])
                load = time.perf_counter() - begin
                carried = request["carried"]
                arrays = itertools.starmap(read, request["inputs"])
                loaded, arguments = contender.place(loaded, arrays, request["bound"])
                gc.collect()
                begin = time.perf_counter()
                call = contender.compile(loaded)
                results = run()
                last = time.perf_counter() - begin
                figures = {"import": imported, "load": load, "first": last, "memory": peak_memory() - base}
                call = contender.again(loaded, call, results, carried)
                del results
                run()
                answer(figures)
            case "time":
                if last < request["seconds"]:
                    run()  # warms the caches, which other contenders have used meanwhile
                times = durations(run, request["seconds"])
                last = times[-1]
                answer({"times": times, "memory": peak_memory() - base})
            case "one op":
                one_op, x = contender.one_op(), np.ones(4, np.float32)
                durations(lambda: one_op(x), request["seconds"] / 10)
                answer({"times": durations(lambda: one_op(x), request["seconds"])})
            case "run":
                file = request["file"]
                ready[file] = ready.pop(file) if file in ready else contender.compile(contender.load(file, {}))
                if len(ready) > MOST_READY:
                    del ready[next(iter(ready))]
                results = ready[file](*contender.place(None, itertools.starmap(read, request["inputs"]), 0)[1])
                answer(write_all(results, request["folder"]))
            case "results":
                answer(write_all(run(), request["folder"]))


def main(contender: Callable[[str], Contender], started: str, cores: str, device: str = "CPU") -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, map(int, cores.split(",")))
    # Only answers go to standard output; what a contender prints goes to standard error.
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(value: Any) -> None:
        print(json.dumps(value), file=output, flush=True)

    try:
        serve(contender(device), float(started), answer)
    except Exception as error:
        answer({"error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main({"ours": ours, "xla": xla}[sys.argv[1]], *sys.argv[2:])
