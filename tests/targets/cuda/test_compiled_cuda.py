"""Programs as C for NVIDIA's GPUs, run without one: their kernels and libraries are on the processor."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from emulation import WAITS, compile_text
from gpu import flat

import hlo2tiny
from corpus import BY_NAME, ENTRIES, Entry
from hlo2tiny.cli import main
from hlo2tiny.machine.compiler import zig_clang
from hlo2tiny.targets.cuda import source

COMPILER = "gcc" if shutil.which("gcc") else f"{zig_clang()[0]} cc -fno-sanitize=undefined"
# The parameters of a kernel, as CUDA C declares it.
KERNEL = re.compile(r'extern "C" __global__ void (?:__launch_bounds__\(\d+\) )?(\w+)\(([^)]*)\) \{')
CONDITIONS = """extern "C" void (*set_condition)(address, unsigned);
void (*set_condition)(address, unsigned);
extern "C" void cudaGraphSetConditional(address handle, unsigned value) { set_condition(handle, value); }"""
# Programs of the corpus whose kernels compile in seconds, and that need what others do not.
QUICK = ("bf16_mlp", "cond", "conv_variants", "kv_cache_decode", "lstm", "mnist_mlp_predict", "switch", "while_loop")
# These call the host.
REFUSED = {"fourier", "linear_algebra", "complex_fft_free"}


def as_library(text: str, folder: Path) -> bytes:
    """A file of kernels as what the emulated driver loads: the path of a library."""
    lines = [text]
    for name, listed in KERNEL.findall(text):
        types = [each.replace("volatile", "").rpartition("*" if "*" in each else " ") for each in listed.split(",")]
        kinds = [before + ("*" if star == "*" else "") for before, star, _ in types]
        values = ", ".join(f"*({kind.replace('__restrict__', '')} *)values[{i}]" for i, kind in enumerate(kinds))
        body = text[text.index(f" {name}(") :].partition('extern "C" __global__')[0]
        sizes = ", ".join(f"(int)sizeof({kind})" for kind in kinds)
        lines.append(
            f'extern "C" void call_{name}(void **values) {{ {name}({values}); }}\n'
            f'extern "C" const int sizes_{name}[] = {{{sizes}, 0}};\n'
            f'extern "C" const int waits_{name} = {int(WAITS.search(body) is not None)};'
        )
    if "cudaGraphSetConditional" in text:
        lines.append(CONDITIONS)
    return str(compile_text(lines, folder / f"{sha256(text.encode()).hexdigest()[:20]}.cpp")).encode() + b"\0"


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Compiles kernels for the processor; the folder of the emulated driver and libraries."""
    folder = tmp_path / "libraries"
    folder.mkdir()
    monkeypatch.setattr(source, "compile_one", lambda text, arch, options: as_library(text, folder))
    monkeypatch.setattr(
        source, "compile_all", lambda texts, arch, options: [as_library(text, folder) for text in texts]
    )
    library, text = folder / "libcuda.so.1", Path(__file__).with_name("gpu_of_threads.c")
    command = [*COMPILER.split(), "-std=gnu11", "-O1", "-Wall", "-Werror", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", library, text, "-ldl", "-lm"], check=True)
    for name in ("libcublasLt.so.13", "libcudnn.so.9"):
        (folder / name).symlink_to(library)
    return folder


def built(model: Path, folder: Path, *options: str, target: str = "model") -> Path:
    assert main(["compile", str(model), "-o", str(folder), "--target", "cuda", "--arch", "sm_90", *options]) == 0
    command = ["make", "-C", str(folder), f"CC={COMPILER}", "OPTIMISE=-O1", "CFLAGS=-Werror -g", target]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr[-4000:]
    return folder / target


def run(
    program: Path, libraries: Path, inputs: Sequence[np.ndarray] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    for i, array in enumerate(inputs):
        np.save(program.parent / f"in{i}.npy", array)
    files = [str(program.parent / f"in{i}.npy") for i in range(len(inputs))]
    env = os.environ | {"LD_LIBRARY_PATH": str(libraries)} | environment
    command = [str(program), "-o", str(program.parent), "-n", "2", *files]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def results(program: Path, like: Sequence[np.ndarray]) -> list[np.ndarray]:
    found = [np.load(program.parent / f"out{i}.npy") for i in range(len(like))]
    return [r.view(e.dtype) if r.dtype.kind == "V" else r for r, e in zip(found, like)]


def marks(entry: Entry) -> list[pytest.MarkDecorator]:
    return [] if entry.name in QUICK else [pytest.mark.night]


@pytest.mark.parametrize(
    "entry", [pytest.param(e, id=e.name, marks=marks(e)) for e in ENTRIES if e.name not in REFUSED]
)
def test_the_corpus_gives_its_results(entry: Entry, emulated: Path, tmp_path: Path) -> None:
    program = built(entry.path, tmp_path / "c")
    done = run(program, emulated, list(flat(entry.inputs())))
    assert done.returncode == 0, done.stderr
    expected = list(flat(hlo2tiny.load(entry.path, "CPU").numpy(*entry.inputs())))
    entry.check(results(program, expected))
