"""Loops of small kernels are one kernel, whose threads wait for each other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from test_emulation import emulator
from test_executable import plan_of, walk

from hlo2tiny.ir.place import Place
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import CudaExecutable, GraphCopy, GraphLaunch, GraphLoop
from hlo2tiny.targets.cuda.kernels import MOST_CLUSTER, SORTING, CudaKernel, KernelParameter, copy_kernel
from hlo2tiny.targets.cuda.loops import MOST_ITERATIONS, MOST_TURNS, MOST_WORK, OWN_THREADS, is_part
from hlo2tiny.targets.cuda.merging import merge
from hlo2tiny.targets.cuda.native import executable_of

Step = Callable[[Any], Any]


def known(step: Step, x: Any, count: Any) -> Any:
    return lax.fori_loop(0, 26, lambda _, x: step(x), x)


def odd(step: Step, x: Any, count: Any) -> Any:
    return lax.fori_loop(0, 27, lambda _, x: step(x), x)


def counted(step: Step, x: Any, count: Any) -> Any:
    return lax.fori_loop(0, count, lambda _, x: step(x), x)


def until(step: Step, x: Any, count: Any) -> Any:
    return lax.while_loop(lambda s: (s[0] < count) & (s[1].sum() < 1e9), lambda s: (s[0] + 1, step(s[1])), (0, x))[1]


def scanned(step: Step, x: Any, count: Any) -> Any:
    return lax.scan(lambda x, i: (step(x + i), x), x, jnp.arange(25).astype(x.dtype))


def backward(step: Step, x: Any, count: Any) -> Any:
    xs = (jnp.arange(25 * x.size) % 7).reshape(25, *x.shape).astype(x.dtype)
    return lax.scan(lambda x, y: (step(x + y), x[..., :2]), x, xs, reverse=True)


def nested(step: Step, x: Any, count: Any) -> Any:
    return lax.fori_loop(0, count, lambda _, x: lax.fori_loop(0, 2, lambda _, x: step(x), x + 1), x)


def exchanged(step: Step, x: Any, count: Any) -> Any:
    """Two carries change places, and one comes from outside."""
    return lax.fori_loop(0, 26, lambda i, s: (s[1], step(s[0]) + s[2], s[2]), (x, x + 1, x * 2))[:2]


LOOPS = known, odd, counted, until, scanned, backward, nested, exchanged


def small(x: Any) -> Any:
    """Numbers whose sums are exact in each order."""
    return jnp.remainder(x, jnp.asarray(5, x.dtype))


STEPS: dict[str, Step] = {
    "elements": lambda x: small(x * 3 + 1),
    "neighbours": lambda x: small(jnp.roll(x, 1, 1) * 3 + jnp.roll(x, 1, 0)),
    "rows": lambda x: small(x + x.sum(1, keepdims=True)),
    "columns": lambda x: small(x + x.sum(0)),
    "largest": lambda x: small(x + x.max(1, keepdims=True) - x.min()),
    "several": lambda x: small(x * x.sum(1, keepdims=True) + x[::-1].cumsum(1)),
}


def is_in_one(executable: CudaExecutable) -> bool:
    """Whether no loop is left but those around one kernel."""
    loops = [action for action in walk(executable.actions) if isinstance(action, GraphLoop)]
    return all(len(loop.body) == 1 for loop in loops) and any("iteration" in k.body for k in executable.kernels)


FEW_LOOPS, SHAPES = (known, until, backward, exchanged), ((1, 3), (3, 700), (20, 33))
CASES = [
    *((step, (5, 40), loop) for step in STEPS for loop in FEW_LOOPS),
    *((step, (5, 40), loop) for step in ("elements", "largest") for loop in LOOPS if loop not in FEW_LOOPS),
    *((step, shape, loop) for step in STEPS for shape in SHAPES for loop in (known, until)),
]


@pytest.mark.parametrize("step, shape, loop", CASES, ids=lambda x: getattr(x, "__name__", str(x)))
def test_loops_compute_what_they_say(step: str, shape: tuple[int, int], loop: Any, tmp_path: Path) -> None:
    dtype = np.float32 if step in ("rows", "several") else np.int64 if step in ("elements", "columns") else np.int32
    function = lambda x, count: loop(STEPS[step], x, count)
    x, count = np.random.default_rng(0).integers(0, 5, shape).astype(dtype), np.int32(7)
    with jax.enable_x64():
        exported = jax.export.export(jax.jit(function))(x, count)
        expected = jax.tree.leaves(jax.jit(function)(x, count))
    executable, run = emulator(exported.mlir_module(), tmp_path)
    for found, wanted in zip(run([x, count]), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    if shape == (1, 3) or (loop is until and step not in ("rows", "several")):
        assert is_in_one(executable)


def kernel(blocks: int, bound: int, block: tuple[int, int, int] = (32, 1, 1), **facts: Any) -> CudaKernel:
    parameters = KernelParameter("float*", "target"), KernelParameter("float*", "source", False)
    return CudaKernel("some", parameters, "{}", (), (blocks, 1, 1), block, False, (0, 1), bound=bound, **facts)


def test_which_kernels_are_parts() -> None:
    assert is_part(kernel(1, 1), 1) and is_part(kernel(4, 32), 1) and is_part(kernel(2, 256, (256, 1, 1)), 1)
    assert is_part(copy_kernel(1 << 11), 1) and is_part(copy_kernel(1 << 15, 16), 1)
    threads = OWN_THREADS * MOST_TURNS
    assert is_part(kernel(threads // 32, 1), 1) and not is_part(kernel(threads // 32 + 1, 1), 1)
    assert is_part(kernel(threads // 32 * MOST_CLUSTER, 1), MOST_CLUSTER)
    assert not is_part(kernel(1, 0), 1)  # its threads wait for each other in ways of their own
    assert not is_part(kernel(1, 1, flops=MOST_WORK + 1), 1) and is_part(kernel(1, 1, flops=MOST_WORK + 1), 2)
    assert not is_part(kernel(1, 1, early=(1,)), 1) and not is_part(kernel(1, 1, files=(SORTING,)), 1)
    assert not is_part(kernel(9, 256, (256, 1, 1)), 1) and is_part(kernel(9, 256, (256, 1, 1)), MOST_CLUSTER)


def scanned_program(size: int, count: int) -> CudaExecutable:
    function = lambda x, xs: lax.scan(lambda x, y: (x * 0.5 + y, x), x, xs)
    arrays = np.zeros(size, np.float32), np.zeros((count, size), np.float32)
    text = jax.export.export(jax.jit(function))(*arrays).mlir_module()
    return executable_of(plan_of(text), "CUDA", "sm_90", frozenset(), lambda done, total: None)


@pytest.mark.parametrize("size", [1, 17, 1000])
def test_a_scan_of_few_elements_is_one_launch(size: int) -> None:
    executable = scanned_program(size, 500)
    assert len(executable.actions) <= 4 and all(isinstance(action, GraphLaunch) for action in executable.actions)
    (one,) = (k for k in executable.kernels if "iteration" in k.body)
    assert (one.grid, one.cluster) == ((1, 1, 1), 1)


@pytest.mark.parametrize("size, count", [(17, 0), (1000, 2)])
def test_a_thread_that_has_one_turn_runs_no_loop(size: int, count: int) -> None:
    """nvrtc wrote each of these loops out four times, in 0.15 s in place of 0.06 for an alignment's 14 kernels."""
    (one,) = (k for k in scanned_program(size, 500).kernels if "iteration" in k.body)
    assert one.body.count("for (auto number") == count and "if (auto number" in one.body


def test_loops_of_many_iterations_end_now_and_then() -> None:
    executable = scanned_program(17, 2 * MOST_ITERATIONS + 301)
    (loop,) = (action for action in executable.actions if isinstance(action, GraphLoop))
    assert loop.iterations == 1 and len(loop.body) == 1  # an iteration of the graph's has two of the kernel's turns
    assert len([k for k in executable.kernels if "iteration" in k.body]) == 2


def test_loops_that_do_nothing() -> None:
    """Their carries are copied."""
    place = Place("arena", 0)
    for loop in (GraphLoop((), (), place, 100), GraphLoop((), (GraphCopy(place, place, 1 << 20),), place, 100)):
        assert merge([loop], [])[0] == (loop,)


def test_loops_of_large_arrays_launch_kernels() -> None:
    executable = scanned_program(1 << 16, 40)
    assert not any("iteration" in k.body for k in executable.kernels)


@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_120"])
def test_nvrtc_compiles_loops(arch: str) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    x = np.zeros((40, 70), np.int32)
    for step in ("largest", "columns", "rows"):
        function = lambda x, count, step=step: (known(STEPS[step], x, count), until(STEPS[step], x, count))
        text = jax.export.export(jax.jit(function))(x, np.int32(7)).mlir_module()
        executable = executable_of(plan_of(text), "CUDA", arch, frozenset(), lambda done, total: None)
        clusters = {k.cluster for k in executable.kernels if "iteration" in k.body}
        assert (max(clusters, default=1) > 1) == (arch != "sm_80")
        assert all(
            code[:4] == b"\x7fELF" for code in compile_all([text for text, _ in files(executable.kernels)], arch)
        )
