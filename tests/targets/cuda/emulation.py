"""Executables of CUDA on a machine without a GPU: their kernels are compiled for the processor, and run there.

Libraries are left out, so that products and convolutions are kernels too; numpy computes cuBLASLt's products of
8 and 16-bit numbers. Memory is filled with numbers that nobody should read, and around arguments, results and
the arena lies some that nobody may write.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
from compiled import once

from hlo2tiny.ir.place import Place
from hlo2tiny.machine import zig
from hlo2tiny.machine.compiler import clang, linker
from hlo2tiny.plan.plan import Plan
from hlo2tiny.targets.arrays import dtype_and_shape, storage_array
from hlo2tiny.targets.cuda import compiling, products
from hlo2tiny.targets.cuda.executable import (
    Action,
    CudaExecutable,
    GraphBranch,
    GraphCopy,
    GraphLaunch,
    GraphLoop,
    Multiply,
    OnHost,
)
from hlo2tiny.targets.cuda.handlers import OnDevice
from hlo2tiny.targets.cuda.kernels import CudaKernel
from hlo2tiny.targets.cuda.launcher import Launcher
from hlo2tiny.targets.cuda.native import host_step
from hlo2tiny.targets.embedded import EmbeddedKernel
from hlo2tiny.targets.handlers import handlers_in
from hlo2tiny.tinygrad.buffers import truth_values

HEADER = Path(__file__).with_name("emulation.h")
OPTIONS = (
    "-x c++ -std=c++17 -nostdinc++ -nostdlib++ -fno-exceptions -fno-rtti -O1 -w -ffp-contract=off -fPIC"
    " -fno-strict-aliasing -march=native -fno-sanitize=all -fsanitize=signed-integer-overflow"
    " -fno-sanitize-trap=all -fsanitize-minimal-runtime"
).split()
WAITS = re.compile(r"__sync|_in_cluster|wait_for_threads|__shfl|__ballot|combine_|add_product_|matrices::|block::")
ELEMENTS = {
    "i8": np.dtype(np.int8), "i32": np.dtype(np.int32), "": np.dtype(np.float32), "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16), "f8E4M3FN": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8E5M2": np.dtype(ml_dtypes.float8_e5m2),
}  # fmt: skip
# What lies around buffers, and what fills memory before anything is written to it.
GAP, POISON = 256, 0xA5


def compile_kernels(kernels: Sequence[CudaKernel], folder: Path) -> dict[int, tuple[Any, Any]]:
    """For each kernel a function that runs one, and the kernel as a function of the addresses of its arguments."""
    compiled: dict[int, tuple[Any, Any]] = {}
    for number, (text, numbers) in enumerate(compiling.files(kernels)):
        lines = [text]
        for place, n in enumerate(numbers):
            types = [str(parameter).rpartition("*")[0] + "*" for parameter in kernels[n].parameters]
            values = ", ".join(f"({kind})values[{i}]" for i, kind in enumerate(types))
            lines.append(f'extern "C" void call{n}(void **values) {{ kernel{place}({values}); }}')
        library = ctypes.CDLL(str(compile_text(lines, folder / f"kernels{number}.cpp")))
        compiled |= {n: (library.run, getattr(library, f"call{n}")) for n in numbers}
    return compiled


def compile_text(lines: Sequence[str], source: Path) -> Path:
    """The library of some functions in CUDA C."""
    source.write_text("\n".join([HEADER.read_text(encoding="utf-8"), *lines]), encoding="utf-8")
    compiled, made = source.with_suffix(".o"), source.with_suffix(".so")
    if len(clang()) == 1:
        commands = [[*clang(), *OPTIONS, "-c"], linker()]
    elif Path("/usr/include/stdio.h").exists():  # zig's own driver takes half as long again
        commands = [[*clang(), *OPTIONS, "-isystem", str(zig.headers()), "-c"], linker()]
    else:
        commands = [[clang()[0], "cc", *OPTIONS, "-c"], [clang()[0], "cc", "-shared"]]

    def make() -> None:
        for command, given, result in zip(commands, (source, compiled), (compiled, made)):
            done = subprocess.run([*command, given, "-o", result], capture_output=True, text=True, check=False)
            assert not done.returncode, done.stderr[-3000:]

    once(made, make, *OPTIONS, source.read_text(encoding="utf-8"))
    return made


def launch(kernel: CudaKernel, compiled: tuple[Any, Any], places: Sequence[np.ndarray]) -> None:
    """Run a kernel on the memory of its arguments."""
    run, function = compiled
    addresses = (ctypes.c_void_p * len(places))(*(x.ctypes.data for x in places))
    sizes = ((ctypes.c_int * 3)(*kernel.grid), (ctypes.c_int * 3)(*kernel.block))
    overflows = run(function, *sizes, addresses, int(WAITS.search(kernel.body) is not None), kernel.cluster)
    assert not overflows, f"{kernel.name} has {overflows} overflows of signed integers, whose results C leaves open"


class Emulator:
    """Runs an executable.

    Args:
        plan: the plan that it was made from, for the constants.
        executable: the executable, made without libraries.
        folder: an empty folder for compiled code.
    """

    name = "CUDA"
    where = ""  # which of several processes it runs as, for errors

    def __init__(
        self, plan: Plan, executable: CudaExecutable, folder: Path, custom_calls: Mapping[str, Any] = {}
    ) -> None:
        for spec in executable.products:
            assert isinstance(spec, EmbeddedKernel) or (isinstance(spec, products.ProductSpec) and spec.letter in "is")
        self.launcher = Launcher()
        self.executable, self.main = executable, plan.main
        constants = [storage_array(truth_values(array)) for block in plan.blocks() for _, array in block.constants]
        self.constants = [Memory(np.ascontiguousarray(array)) for array in constants]
        self.host, self.kernels = host_step(executable.hosts, custom_calls), compile_kernels(executable.kernels, folder)
        self.handlers = OnDevice.of(executable.hosts, handlers_in(custom_calls))
        self.host_types = [[block.types[n] for n in step.inputs] for block, step in executable.hosts]

    def __call__(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        layouts = [dtype_and_shape(self.main.types[n]) for n in self.main.outputs]  # type: ignore[arg-type]
        self.arena = Memory(self.executable.arena)
        self.inputs = [Memory(np.ascontiguousarray(storage_array(truth_values(x)))) for x in arrays]
        self.results = [Memory(prod(shape) * dtype.itemsize) for dtype, shape in layouts]
        self.run(self.executable.actions)
        for memory in (self.arena, *self.inputs, *self.results, *self.constants):
            memory.check()
        # What is donated is updated in its result's memory, so arguments never change.
        for memory in (*self.inputs, *self.constants):
            assert (memory.bytes == memory.before).all(), "a kernel has written to an argument or a constant"
        return [m.bytes.view(dtype).reshape(shape) for m, (dtype, shape) in zip(self.results, layouts)]

    def bytes(self, place: Place, size: int) -> np.ndarray:
        at = place.number if place.kind == "arena" else place.offset
        memories = {"argument": self.inputs, "result": self.results, "constant": self.constants}
        memory = self.arena if place.kind == "arena" else memories[place.kind][place.number]
        assert at >= 0 and at + size <= memory.bytes.size, (place, size)
        return memory.bytes[at : at + size]

    def run(self, actions: Sequence[Action]) -> None:
        for action in actions:
            match action:
                case GraphLaunch():
                    self.launch(action)
                case GraphCopy():
                    self.bytes(action.target, action.size)[:] = self.bytes(action.source, action.size).copy()
                case Multiply():
                    self.multiply(action)
                case GraphLoop(iterations=None):
                    self.run(action.condition)
                    while self.bytes(action.predicate, 1)[0]:
                        self.run(action.body)
                        self.run(action.condition)
                case GraphLoop():
                    for _ in range(action.iterations or 0):
                        self.run(action.body)
                case GraphBranch():
                    raw = self.bytes(action.index, 1 if action.is_bool else 4)
                    chosen = int(not raw[0]) if action.is_bool else int(raw.view(np.int32)[0])
                    last = len(action.branches) - 1
                    self.run(action.branches[chosen if 0 <= chosen <= last else last])
                case OnHost():
                    self.on_host(action)
                case _:
                    raise TypeError(action)

    def launch(self, action: GraphLaunch) -> None:
        places = [self.bytes(place, size) for place, size in zip(action.places, action.sizes)]
        launch(self.executable.kernels[action.kernel], self.kernels[action.kernel], places)

    def multiply(self, action: Multiply) -> None:
        """A product, as cuBLASLt computes it and in the layouts that it takes; or a kernel of the file."""
        s = self.executable.products[action.product]
        if isinstance(s, EmbeddedKernel):
            scratch = Memory(s.scratch)
            places = [self.bytes(place, size).ctypes.data for place, size in zip(action.places, action.sizes)]
            self.launcher.run(s, places, scratch.bytes.ctypes.data, 0)
            scratch.check()
            return
        assert isinstance(s, products.ProductSpec)
        kinds = [
            ELEMENTS[s.narrow],
            ELEMENTS[s.other or s.narrow],
            ELEMENTS[s.result or ("i32" if s.letter == "i" else "")],
        ]
        kinds += kinds[2:] * s.added
        if kinds[0].itemsize == 1:
            assert (s.a[0], s.b[0]) == (False, True) and (s.narrow, s.other) != ("f8E5M2", "")
            assert not any(n % 16 for n in (s.k, s.a[1], s.b[1], *s.a[2], *s.b[2]))
            assert not s.n % (4 if s.letter == "i" else 16)
        following = tuple(prod(s.batch[i + 1 :]) * s.m * s.n for i in range(len(s.batch)))
        layouts = [s.a, s.b, *[(False, *(s.stored or (s.n, following)))] * (1 + s.added)]
        matrices = []
        for n, kind, (transposed, leading, batch), rows, columns in zip(
            (0, 1, -1, -2), kinds, layouts, (s.m, s.k, s.m, s.m), (s.k, s.n, s.n, s.n)
        ):
            flat = self.bytes(action.places[n], action.sizes[n]).view(f"u{kind.itemsize}")
            shape = (*s.batch, rows, columns)
            steps = *batch, *((1, leading) if transposed else (leading, 1))
            assert sum((size - 1) * step for size, step in zip(shape, steps)) < flat.size
            whole = np.lib.stride_tricks.as_strided(flat, shape, [x * flat.itemsize for x in steps])
            matrices.append(whole.view(kind))
        a, b, c, *added = matrices
        wide = np.int32 if s.letter == "i" else np.float32
        added += [self.bytes(action.places[2], action.sizes[2]).view(c.dtype)[: s.n]] * s.bias
        total = sum((each.astype(wide) for each in added), a.astype(wide) @ b.astype(wide))
        c[:] = (np.maximum(total, 0) if s.relu else total).astype(c.dtype)

    def on_host(self, action: OnHost) -> None:
        if self.handlers and action.number in self.handlers:
            places = [[self.bytes(p, 0).ctypes.data for p in side] for side in (action.inputs, action.outputs)]
            self.handlers.run(action.number, *places, SimpleNamespace(name=self.name))
            return
        arrays = []
        for place, type in zip(action.inputs, self.host_types[action.number]):
            dtype, shape = dtype_and_shape(type)  # type: ignore[arg-type]
            arrays.append(self.bytes(place, prod(shape) * dtype.itemsize).view(dtype).reshape(shape).copy())
        assert self.host is not None
        for place, array in zip(action.outputs, self.host(action.number, arrays, self.where)):
            raw = np.ascontiguousarray(storage_array(array)).reshape(-1).view(np.uint8)
            self.bytes(place, raw.size)[:] = raw


class Memory:
    """Some bytes with gaps around them, aligned as on a GPU; poisoned if only their number is given."""

    def __init__(self, given: np.ndarray | int) -> None:
        size = given if isinstance(given, int) else given.nbytes
        self.whole = np.full(size + 4 * GAP, POISON, np.uint8)
        begin = GAP + -(self.whole.ctypes.data + GAP) % GAP
        self.bytes = self.whole[begin : begin + size]
        self.outside = [self.whole[:begin], self.whole[begin + size :]]
        if not isinstance(given, int):
            self.bytes[:] = self.before = given.reshape(-1).view(np.uint8).copy()

    def check(self) -> None:
        assert all((part == POISON).all() for part in self.outside), "a kernel has written outside of a buffer"
