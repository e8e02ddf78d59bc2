"""Measures what `compile --target` writes, for docs/guides/systems.md: `python tests/bench/systems.py [PROGRAM…]`.

The speed of code that chooses for its processor, beside code for this very processor; the sizes of libraries without
weights; and how long a process takes from its start to its end, besides the run itself.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from hlo2tiny.commands.convert import bake_weights, text_of
from hlo2tiny.formats import read
from hlo2tiny.targets.c.systems import SYSTEMS

CORPUS = Path(__file__).parents[2] / "corpus"
ROUNDS = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", type=Path, default=[CORPUS / "flax_convnet.mlir"])
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each library runs in each round")
    parser.add_argument("--sizes", action="store_true", help="the sizes for all systems, too")
    options = parser.parse_args()
    for path in options.programs:
        with tempfile.TemporaryDirectory(prefix="hlo2tiny-bench-") as name:
            measure(path, Path(name), options.seconds, options.sizes)


def measure(path: Path, folder: Path, seconds: float, sizes: bool) -> None:
    model = folder / "model.mlir"
    model.write_bytes(with_weights(path))
    native, portable = folder / "native", folder / "portable"
    compile_for("native", model, native, "library,executable")
    compile_for("x86_64-linux", model, portable, "library,executable")
    libraries = [Loaded(place) for place in (native, portable)]
    times: list[list[float]] = [[], []]
    for i in range(2 * ROUNDS):  # in turn, so that both see the same machine
        times[i % 2].append(libraries[i % 2].fastest(seconds))
    print(f"{path.stem}: {min(times[0]):.3f} ms for this processor, {min(times[1]):.3f} ms with a choice of processors,"
          f" ratio {min(times[1]) / min(times[0]):.3f}")  # fmt: skip
    weights = (portable / "weights.safetensors").stat().st_size
    starts = [start_of(portable / "model") for _ in range(4 * ROUNDS)]
    walls, runs, others = (np.median(figures) for figures in zip(*((wall, run, wall - run) for wall, run in starts)))
    print(f"{path.stem}: from a process's start to its end {walls:.1f} ms, its first run {runs:.1f}, the"
          f" rest {others:.1f}; {weights:,} bytes of weights are mapped")  # fmt: skip
    print(f"{path.stem}: libmodel.so {(portable / 'libmodel.so').stat().st_size:,} bytes for x86_64-linux")
    for system in (name for name, row in SYSTEMS.items() if sizes and row.shared):
        compile_for(system, path, folder / system, "library")
        (library,) = (p for p in (folder / system).iterdir() if p.suffix in (".so", ".dylib", ".dll", ".wasm"))
        print(f"{path.stem}: {library.name} {library.stat().st_size:,} bytes for {system}")


def with_weights(path: Path) -> bytes:
    """A program's text whose arguments, but for the last, are constants."""
    artifact = read(path, "CPU")
    types = artifact.module.functions["main"].type.inputs[:-1]
    random = np.random.default_rng(0)
    arrays = {i: (random.standard_normal(type.shape) / 30).astype(np.float32) for i, type in enumerate(types)}
    return text_of(bake_weights(artifact, arrays).module)


def compile_for(target: str, model: Path, folder: Path, kinds: str) -> None:
    command = [sys.executable, "-m", "hlo2tiny", "compile", model, "-o", folder, "--target", target, "--emit", kinds]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class Tensor(ctypes.Structure):
    _fields_ = (("names", ctypes.c_void_p * 2), ("numbers", ctypes.c_size_t * 2), ("shape", ctypes.c_void_p),
                ("size", ctypes.c_size_t))  # fmt: skip


class Info(ctypes.Structure):
    _fields_ = (
        ("counts", ctypes.c_size_t * 2),
        ("inputs", ctypes.POINTER(Tensor)),
        ("outputs", ctypes.POINTER(Tensor)),
    )


class Loaded:
    """A library, a context, and arrays for its arguments and results."""

    def __init__(self, folder: Path) -> None:
        self.library = ctypes.CDLL(str(folder / "libmodel.so"))
        self.library.model_describe.restype = ctypes.POINTER(Info)
        info = self.library.model_describe().contents
        self.context = ctypes.c_void_p()
        weights = str(folder / "weights.safetensors").encode()
        assert self.library.model_create(ctypes.byref(self.context), weights, 0) == 0
        tensors = (info.inputs[: info.counts[0]], info.outputs[: info.counts[1]])
        self.arrays = [[np.full(t.size // 4, 0.1, np.float32) for t in each] for each in tensors]
        self.places = [(ctypes.c_void_p * len(each))(*(a.ctypes.data for a in each)) for each in self.arrays]

    def fastest(self, seconds: float) -> float:
        """The shortest of the runs in so many seconds, in milliseconds."""
        best, end = float("inf"), time.perf_counter() + seconds
        while time.perf_counter() < end:
            start = time.perf_counter()
            assert self.library.model_run_arrays(self.context, *self.places) == 0
            best = min(best, time.perf_counter() - start)
        return 1e3 * best


def start_of(program: Path) -> tuple[float, float]:
    """How many milliseconds a process takes for one run on made-up numbers, and how many of them the run takes."""
    start = time.perf_counter()
    done = subprocess.run([program, "-n", "1"], check=True, capture_output=True, text=True)
    wall = 1e3 * (time.perf_counter() - start)
    return wall, float(done.stdout.split("fastest of 1 run: ")[1].split()[0])


if __name__ == "__main__":
    main()
