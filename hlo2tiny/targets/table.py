"""Which executor runs a plan: native code on the CPU, tinygrad's kernels everywhere else."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from tinygrad.device import Buffer

from ..errors import NoNativeCode
from ..plan.plan import Plan
from ..tinygrad.device import open_device
from .c.building import NotBuilt
from .c.code import Code
from .c.compiler import clang
from .c.native import NativeExecutor
from .host import HostFunction
from .tinygrad.executor import TinygradExecutor


class Executor(Protocol):
    """What runs a plan on arrays of the declared types, and `run` on buffers of tinygrad too, which are its results.

    `run_into` writes the results into buffers that it is given, which are none of the inputs.
    """

    def compile(self, progress: Callable[[int, int], None] = ...) -> None: ...

    def run(self, inputs: Sequence[Buffer | np.ndarray | None]) -> list[Buffer | None]: ...

    def run_into(self, inputs: Sequence[Buffer | None], outputs: Sequence[Buffer | None]) -> None: ...

    def run_numpy(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]: ...


def uses_libraries(device: str) -> bool:
    """Whether matrix products on a device are a library's."""
    return device == "CPU" and os.environ.get("HLO2TINY_EXECUTOR") != "tinygrad"


def find_device(device: str | None) -> str:
    """The canonical name of a device that there is; tinygrad's own is open, where native code runs it need not be.

    Raises:
        InputError: there is none of this name, or no compiler.
    """
    if isinstance(device, str) and uses_libraries(device.upper()):
        clang()
        return "CPU"
    return open_device(device)


def executor_of(
    plan: Plan, device: str, host: Mapping[str, HostFunction], keep: Callable[[Code], None] = lambda code: None
) -> Executor:
    """The executor for a device. HLO2TINY_EXECUTOR=tinygrad asks for tinygrad's kernels on the CPU too.

    `keep` is given native code that any process can use.
    """
    if not uses_libraries(device):
        return TinygradExecutor(plan, device, host)
    return NativeOrTinygrad(plan, device, host, keep)


class NativeOrTinygrad:
    """Native code, or tinygrad's kernels where that cannot be built; a warning says so once."""

    def __init__(self, plan: Plan, device: str, host: Mapping[str, HostFunction], keep: Callable[[Code], None]) -> None:
        self.plan, self.device, self.host = plan, device, host
        self._chosen: Executor = NativeExecutor(plan, device, host, keep=keep)

    def compile(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        try:
            self._chosen.compile(progress)
        except NotBuilt as error:
            message = f"no native code could be built, and tinygrad's kernels are slower: {first_line(error)}"
            warnings.warn(NoNativeCode(message), stacklevel=2)
            self._chosen = TinygradExecutor(self.plan, self.device, self.host)
            self._chosen.compile(progress)

    def run(self, inputs: Sequence[Buffer | np.ndarray | None]) -> list[Buffer | None]:
        self.compile()
        return self._chosen.run(inputs)

    def run_into(self, inputs: Sequence[Buffer | None], outputs: Sequence[Buffer | None]) -> None:
        self.compile()
        self._chosen.run_into(inputs, outputs)

    def run_numpy(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        self.compile()
        return self._chosen.run_numpy(arrays)


def first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
