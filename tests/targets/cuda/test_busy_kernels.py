"""No kernel of a program that the finder of cliffs draws leaves most of a GPU idle while few threads do much work."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

import jax
import pytest
from test_executable import plan_of

from hlo2tiny.plan.plan import Plan, While
from hlo2tiny.targets.cuda.executable import CudaExecutable
from hlo2tiny.targets.cuda.kernels import CudaKernel
from hlo2tiny.targets.cuda.native import executable_of

sys.path.append(str(Path(__file__).parents[2] / "bench"))
import families

COUNT = len(families.FAMILIES)
SEEDS = [1_000_000 + family + COUNT * variant for family in range(COUNT) for variant in range(8)]
LIBRARIES = frozenset({"cublasLt", "cudnn", "cublas", "cusolver", "cufft"})
# An H200: bytes and operations a second, threads at the same time, the seconds of one operation of one of them, which
# waits for the one before, and of the smallest kernel.
BANDWIDTH, RATE, RESIDENT, OPERATION, LEAST = 4.3e12, 2e13, 132 * 2048, 2e-9, 1.5e-6
# How many times as long as if all of the GPU worked a kernel may take, unless it is short.
MOST, SHORT = 8, 1e-4


def seconds_of(kernel: CudaKernel) -> tuple[float, float]:
    """How long a kernel takes, and how long it would if all of the GPU worked."""
    least = max(kernel.bytes / BANDWIDTH, kernel.flops / RATE, LEAST)
    threads = math.prod((*kernel.grid, *kernel.block))
    return max(least, -(-threads // RESIDENT) * kernel.flops / threads * OPERATION), least


def idle_kernels(executable: CudaExecutable) -> list[str]:
    found = list[str]()
    for kernel in executable.kernels:
        taken, least = seconds_of(kernel)
        if not kernel.updates and taken > max(SHORT, MOST * least):  # what it may write at most says little of these
            found.append(f"{kernel.name} {kernel.grid}x{kernel.block}: {1e3 * taken:.3f} ms, {1e3 * least:.3f} at best")
    return found


def has_loops(plan: Plan) -> bool:
    """Whether steps follow each other that a single thread may have to do."""
    return any(isinstance(step, While) for block in plan.blocks() for step in block.walk())


def check(text: str, name: str = "") -> None:
    plan = plan_of(text)
    if not has_loops(plan):
        executable = executable_of(plan, "CUDA", "sm_90", LIBRARIES, lambda done, total: None)
        assert idle_kernels(executable) == [], name


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.sampled(44, ci=11)
def test_drawn_programs(seed: int) -> None:
    name, drawn, wide = families.draw_program(seed, families.GPU)
    try:
        text = families.export(drawn, wide, "cuda")
    finally:
        jax.config.update("jax_enable_x64", False)
    check(text, name)


def test_a_kernel_of_few_threads_is_found() -> None:
    kernel = CudaKernel("sum", (), "", (), (3, 1, 1), (256, 1, 1), False, (), flops=100 << 20, bytes=1 << 24)
    for each, is_idle in ((kernel, True), (replace(kernel, grid=(999, 1, 1)), False)):
        assert bool(idle_kernels(CudaExecutable((), (each,), (), 0))) == is_idle
