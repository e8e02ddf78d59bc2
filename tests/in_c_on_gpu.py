"""Programs that `hlo2tiny compile --target cuda` wrote, on a GPU, beside `load(…, "CUDA")`: numbers, times, starts."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.commands.convert import convert
from hlo2tiny.formats import safetensors
from hlo2tiny.machine.compiler import zig_clang

# What the other programs lack: loops and branches, convolutions of all kinds, products of bf16, transforms.
SMALL = ("while_loop", "bf16_mlp", "cond", "conv_variants", "fourier", "kv_cache_decode", "switch")
DEVICE = Path(__file__).parent / "targets/cuda/device.c"
START = """
import sys
import numpy as np, hlo2tiny
program = hlo2tiny.load(sys.argv[1], sys.argv[2])
result = program.numpy_one_by_one([np.load(path) for path in sys.argv[3:]])
"""


def compiler() -> list[str]:
    """A C compiler."""
    return ["gcc"] if shutil.which("gcc") else [zig_clang()[0], "cc", "-fno-sanitize=undefined"]


def library_path() -> str:
    """The folders of NVIDIA's libraries as wheels."""
    from hlo2tiny.targets.cuda.driver import library

    found = [path for name in ("cublasLt", "cudnn", "cufft") if (path := library(name)) is not None]
    return ":".join(dict.fromkeys(str(Path(path).parent) for path in found))


def build(path: Path, folder: Path, *options: str) -> dict[int, int]:
    """Write and build a program, and return which results lie in which inputs."""
    command = [sys.executable, "-m", "hlo2tiny", "compile", str(path), "-o", str(folder), "--target", "cuda", *options]
    cc = " ".join(compiler())
    for each in (command, ["make", "-C", str(folder), f"CC={cc}", "model", "libmodel.so"]):
        done = subprocess.run(each, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError((done.stdout + done.stderr)[-800:])
    subprocess.run([*compiler(), "-O2", f"-I{folder}", DEVICE, "-o", folder / "device", "-ldl"], check=True)
    pairs = re.findall(r"result (\d+) may be in the memory of input (\d+)", (folder / "model.h").read_text("utf-8"))
    return {int(result): int(argument) for result, argument in pairs}


def run_on_device(
    folder: Path, arrays: Sequence[np.ndarray], donated: dict[int, int], like: Sequence[Any], runs: int, env: Any = None
) -> tuple[list[float], list[np.ndarray]]:
    """What device.c prints and writes, given dtypes and shapes of the results."""
    for i, array in enumerate(arrays):
        np.ascontiguousarray(array).tofile(folder / f"in{i}.raw")
    pairs = [f"{result}={argument}" for result, argument in donated.items()]
    command = ["./device", "./libmodel.so", "weights.safetensors", ".", str(runs), *pairs]
    env = os.environ | {"LD_LIBRARY_PATH": library_path()} if env is None else env
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stderr[-800:])
    found = [np.fromfile(folder / f"out{i}.raw", t.dtype).reshape(t.shape) for i, t in enumerate(like)]
    return json.loads(done.stdout), found


def start(command: Sequence[str], env: Any, times: int = 5) -> float:
    """The seconds from a process's start to its end, at best; the first one fills what is kept between processes."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        taken.append(time.perf_counter() - begin)
        if done.returncode:
            raise AssertionError((done.stdout + done.stderr)[-800:])
    return min(taken[1:])


def compare(path: Path, arrays: Sequence[np.ndarray], folder: Path, measure: Any, *options: str) -> list[float]:
    """The seconds of a call in Python and in C, both on arrays that lie on the GPU; their results are the same bits.

    `measure(program, arrays)` returns the results of a first call, and the seconds of a later one.
    """
    program = hlo2tiny.load(path, "CUDA")
    expected, seconds = measure(program, arrays)
    donated = build(path, folder, *options)
    times, found = run_on_device(folder, arrays, donated, expected, 200)
    expect_same(path, found, expected)
    return [seconds, *times]


def expect_same(path: Path, found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    for i, (a, b) in enumerate(zip(found, expected, strict=True)):
        if a.tobytes() != np.ascontiguousarray(b).tobytes():
            wide = [x.astype(np.complex128 if x.dtype.kind == "c" else np.float64) for x in (a, b)]
            apart = np.max(np.abs(wide[0] - wide[1])) / np.max(np.abs(wide[1]))
            if not apart <= 1e-5:
                raise AssertionError(f"result {i} of {path} differs by {apart:.1e}")


def check_small(name: str, folder: Path, env: Any, arch: str) -> None:
    """A program of the corpus on arrays of the host, in code for a kind of GPU."""
    path, arrays = BY_NAME[name].path, list(flat(BY_NAME[name].inputs()))
    build(path, folder, "--arch", arch)
    for i, array in enumerate(arrays):
        np.save(folder / f"in{i}.npy", array)
    command = ["./model", "-o", ".", *(f"in{i}.npy" for i in range(len(arrays)))]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{name}: {done.stderr[-800:]}")
    expected = list(flat(hlo2tiny.load(path, "CUDA").numpy(*BY_NAME[name].inputs())))
    found = [np.load(folder / f"out{i}.npy") for i in range(len(expected))]
    expect_same(path, [a.view(b.dtype) if a.dtype.kind == "V" else a for a, b in zip(found, expected)], expected)


def flat(results: Any) -> Iterator[Any]:
    if isinstance(results, dict):
        results = list(results.values())
    if isinstance(results, list | tuple):
        for each in results:
            yield from flat(each)
    else:
        yield results


def baked(path: Path, folder: Path, weights: int, arrays: Sequence[np.ndarray]) -> Path:
    """The program with its first arguments as weights in a file."""
    names = [each.name for each in hlo2tiny.load(path, "CUDA").inputs[:weights]]
    safetensors.write(folder / "given.safetensors", dict(zip(names, arrays)))
    convert(path, folder / "baked.mlir", bake=folder / "given.safetensors", split=folder / "baked.safetensors")
    return folder / "baked.mlir"


def check(place: Any, synchronize: Any, arch: str) -> str:
    """ResNet-50 with its weights in a file, and a decoder whose cache is donated.

    `place(array)` is a Tensor on the GPU.
    """
    sys.path.insert(0, str(Path(__file__).parent / "bench"))
    from programs import CACHED_TOKEN

    said, wrong = list[str](), list[str]()

    def measure(program: Any, arrays: Sequence[np.ndarray], carried: range = range(0)) -> Any:
        tensors = [place(x) for x in arrays]
        first, times = None, []
        for _ in range(200):
            begin = time.perf_counter()
            results = program(*tensors)
            synchronize()
            times.append(time.perf_counter() - begin)
            results = [*results] if isinstance(results, tuple | list) else [results]
            first = first or [x.numpy() for x in results]
            for n, i in enumerate(carried):
                tensors[i] = results[1 + n]
            del results
        return first, sorted(times)[len(times) // 2]

    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        env = os.environ | {"LD_LIBRARY_PATH": library_path(), "XDG_CACHE_HOME": str(root / "cache")}
        for small in SMALL:
            wrong += failures(small, lambda s=small: check_small(s, root / s, env, arch))
        # A driver older than nvrtc does not compile its PTX.
        ptx = failures("PTX", lambda: check_small(SMALL[0], root / "ptx", env, "sm_80"))
        wrong += [text for text in ptx if "update the driver" not in text]
        said += ptx or ["the driver compiles PTX"]
        for program in ("resnet50", CACHED_TOKEN):
            wrong += failures(program, lambda p=program: said.extend(check_large(p, root, env, measure, arch)))
    if wrong:
        raise AssertionError("; ".join([*wrong, *said]))
    return "; ".join(said)


def failures(name: str, call: Callable[[], object]) -> list[str]:
    """What went wrong in a call, so that the others run, too; it is printed at once, in case they take too long."""
    start = time.perf_counter()
    try:
        call()
    except Exception as error:
        print(f"  {name}: {type(error).__name__}: {error}", flush=True)
        return [f"{name}: {error}"]
    print(f"  {name}: right, {time.perf_counter() - start:.1f} s", flush=True)
    return []


def check_large(name: str, root: Path, env: Any, measure: Any, arch: str) -> list[str]:
    """A program of the benchmark for this kind of GPU, whose weights are in a file if it has no cache."""
    from programs import PROGRAMS, bound, exported

    path, folder = exported(name, root), root / name
    folder.mkdir()
    inputs = hlo2tiny.load(path, "CUDA").inputs
    arrays, weights = PROGRAMS[name].inputs(inputs), bound(inputs)
    carried = range(weights, weights + PROGRAMS[name].carried)
    if not carried:
        path, arrays = baked(path, root, weights, arrays), arrays[weights:]
    how = folder / "c", lambda p, a: measure(p, a, carried), "--arch", arch
    ours, created, first, call, streamed = compare(path, arrays, *how)
    said = [
        f"{name}: Python {1e3 * ours:.3f} ms, C {1e3 * call:.3f}, on a stream {1e3 * streamed:.3f}",
        f"context {1e3 * created:.0f} ms, first run {1e3 * first:.0f} ms",
    ]
    if carried:
        python = c = created
    else:
        np.save(root / "in.npy", arrays[0])
        python = start([sys.executable, "-c", START, str(path), "CUDA", str(root / "in.npy")], env)
        c = start([str(folder / "c/model"), str(root / "in.npy")], env)
        said.append(f"from the start of the process to its end: Python {python:.2f} s, C {c:.2f} s")
    print(f"  {'; '.join(said)}", flush=True)
    if call > 1.05 * ours or c - created > (python - created) / 2:  # besides the driver's start, which both wait for
        raise AssertionError(f"C takes too long: {'; '.join(said)}")
    return said
