"""The compiler for NVIDIA GPUs: a plan becomes kernels and library calls, and a run is one CUDA graph."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import InputError, NoNativeCode
from ...ir.dtypes import expect_tensor
from ...plan.plan import Block, Gemm, Host, Kernels, Lapack, Plan
from ...rules.lapack import carry_out
from ...tinygrad.buffers import truth_values
from ...tinygrad.device import open_device as open_device
from .. import HostFunction, Progress, count_processors
from ..arrays import dtype_and_shape, storage_array
from ..handlers import handlers_in
from ..host import host_results
from . import narrow, specs
from .code import CudaCode, HostStep
from .compiling import MOST_PROCESSES, compile_kernels
from .driver import LIBRARIES, Gpu, compiler_version, gpu_of, keep_context
from .emit import CudaEmitter
from .epilogues import fuse
from .executable import CudaExecutable, Spec
from .handlers import OnDevice
from .kernels import CudaRegion
from .loaded import working_memory
from .render import REGIONS, render_region
from .team import GpuTeam

# From this many regions on, several processes render them. One begins in the time in which another renders so many ops,
# as many of which a region itself takes.
LEAST_REGIONS, OPS, OPS_OF_REGION = 3, 18, 2


def compile(
    plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], progress: Progress, threads: int
) -> CudaCode | GpuTeam:
    """See `Compiler`."""
    codes = compile_each(plan, device, custom_calls, progress)
    return GpuTeam(codes) if plan.devices else codes[0]


def compile_each(
    plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], progress: Progress
) -> list[CudaCode]:
    """The code for each of the plan's devices, or for this one; all processes have the same executable."""
    gpu = gpu_of(device)
    gpu.expect_version(compiler_version())
    refused = list[Spec]()
    while True:
        executable = executable_of(plan, device, gpu.arch, gpu.libraries, progress, refused, custom_calls)
        with keep_context(), gpu.lock:
            more = [spec for spec in executable.products if not is_computed(gpu, spec)]
        if not more:
            break
        refused += more
    for wheel, slower in dict(LIBRARIES[name] for name in executable.lacking).items():
        message = f"{wheel} is not installed, so {slower}; `pip install 'hlo2tiny[cuda]'` brings it"
        warnings.warn(NoNativeCode(message), stacklevel=2)
    cubins = compile_kernels(executable.kernels, gpu.arch, min(count_processors(), MOST_PROCESSES))
    constants = [storage_array(truth_values(array)) for block in plan.blocks() for _, array in block.constants]
    types = [[expect_tensor(block.types[n]) for n in step.inputs] for block, step in executable.hosts]
    step = host_step(executable.hosts, custom_calls)
    handlers = OnDevice.of(executable.hosts, handlers_in(custom_calls))
    gpus = [gpu_of(name) for name in plan.devices] or [gpu]
    if other := next((other for other in gpus if other.arch != gpu.arch), None):
        raise InputError(f"{other.name} is a GPU of another kind, {other.arch}, than {gpu.name}, {gpu.arch}")
    about = cubins, constants, plan.inputs, plan.outputs, step, types, handlers
    return [CudaCode(gpu, executable, *about) for gpu in gpus]


def is_computed(gpu: Gpu, spec: Spec) -> bool:
    """Whether the library that a product is for computes it."""
    try:
        working_memory(gpu, spec)
    except RuntimeError:
        return False
    return True


def is_product(step: Gemm, refused: Collection[Spec], arch: str) -> bool:
    """Whether a library computes a product, or our own kernel one of few rows."""
    spec = specs.product_spec(step, arch)
    return spec is not None and bool(spec not in refused or narrow.arrange(spec, arch))


def executable_of(
    plan: Plan,
    device: str,
    arch: str,
    libraries: Container[str],
    progress: Progress,
    refused: Collection[Spec] = (),
    custom_calls: Mapping[str, HostFunction] = {},
) -> CudaExecutable:
    """What a plan does on a GPU of a kind; this needs no GPU. `progress` is as in `Rendered.share`."""
    regions: dict[str, CudaRegion] = {}
    if "cublasLt" in libraries and not plan.invariant:
        plan = fuse(plan, lambda step: is_product(step, refused, arch))
    emitter = CudaEmitter(plan, regions, libraries, refused, custom_calls, arch)
    different = {step.key: step for step in emitter.regions_to_render()}.values()
    steps = sorted(different, key=lambda step: -len(step.ops))  # so that nobody begins with a long one at the end
    new, processes = REGIONS.unknown(steps, arch), min(count_processors(), MOST_PROCESSES)
    worthwhile = sum(len(step.ops) + OPS_OF_REGION for step in new) // OPS
    at_once = min(processes, worthwhile) if len(new) >= LEAST_REGIONS else 1
    # Those of a region with many ops, among others that are rendered at the same time, share its kernels.
    ops = sum(len(step.ops) for step in new) if at_once > 1 else 0

    def render(step: Kernels) -> CudaRegion:
        return render_region(step, device, arch, -(-processes * len(step.ops) // ops) if ops else processes)

    with REGIONS.share(steps, new, render, at_once, progress, arch) as rendered:
        regions |= rendered
    return emitter.executable()


def host_step(
    hosts: Sequence[tuple[Block, Host | Lapack]], custom_calls: Mapping[str, HostFunction]
) -> HostStep | None:
    """What carries out a step on the host, by its number; see `host_results`."""

    def run(number: int, arrays: Sequence[np.ndarray], where: str = "") -> Sequence[Any]:
        block, step = hosts[number]
        if isinstance(step, Host):
            return host_results(step, block, arrays, custom_calls, where)
        return carry_out(step.procedure, arrays, [dtype_and_shape(block.types[n]) for n in step.outputs])

    return run if hosts else None
