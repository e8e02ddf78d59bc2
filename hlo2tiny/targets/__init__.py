"""What runs plans: a folder for each target, and the one table of them.

A target is a module that has `open_device` and `compile` (see Compiler); one whose code later processes can load has a
second module for that, which imports little (see Loader). Nothing of a target is imported before a device needs it.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from ..errors import NoNativeCode

if TYPE_CHECKING:
    from ..ir import TensorType
    from ..plan.plan import Plan
    from ..tinygrad.buffers import Buffer

HostFunction = Callable[..., Any]
# What is told how much of a compilation is done, and of how much.
Progress = Callable[[int, int], None]


class NotBuilt(Exception):
    """Code for this machine could not be compiled or loaded."""


@dataclass(frozen=True, eq=False)
class Serialized:
    """An executor as the store holds it: facts that JSON can write, and arrays of bytes."""

    facts: Mapping[str, Any]
    parts: Sequence[np.ndarray]


class Executor(Protocol):
    """What runs a compiled plan. Calling it is safe from several threads."""

    def run(self, inputs: Sequence[Buffer | np.ndarray | None]) -> list[Buffer | None]:
        """The results for buffers of tinygrad and arrays of the declared types, in buffers that no one else holds."""

    def run_into(self, inputs: Sequence[Buffer | None], outputs: Sequence[Buffer | None]) -> None:
        """The same with the results in given buffers, which are none of the inputs."""

    def run_numpy(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The same on numpy arrays of the declared types."""

    def serialize(self) -> Serialized | None:
        """What another process can load; None where the executor needs this one."""


class Compiler(Protocol):
    """The module of a target."""

    def open_device(self, device: str | None) -> str:
        """The canonical name of a device that there is.

        Raises:
            InputError: there is none of this name, or no compiler.
        """

    def compile(
        self, plan: Plan, device: str, custom_calls: Mapping[str, HostFunction], progress: Progress
    ) -> Executor:
        """Compile all of a plan.

        Raises:
            NotBuilt: there is no code for this machine; tinygrad's kernels run instead.
            InputError, UnsupportedOp: the plan cannot be run here.
        """


class Loader(Protocol):
    """The module of a target that loads what the store holds."""

    def process(self) -> str:
        """What of this process the code depends on."""

    def load(self, serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType]) -> Executor:
        """The executor of a program with such arguments and results.

        Raises:
            NotBuilt: this machine does not load it.
        """


@dataclass(frozen=True)
class Target:
    """A row of the table.

    Attributes:
        name: what HLO2TINY_EXECUTOR calls it.
        module: the name of its Compiler.
        devices: those that it serves; None: all.
        products: whether it computes matrix products, convolutions and the like by means of its own, rather than by
            kernels.
        loader: the name of its Loader; None: nothing of it is stored.
    """

    name: str
    module: str
    devices: Sequence[str] | None = None
    products: bool = False
    loader_module: str | None = None

    @property
    def compiler(self) -> Compiler:
        return cast(Compiler, import_module(self.module, __package__))

    @property
    def loader(self) -> Loader | None:
        return cast(Loader, import_module(self.loader_module, __package__)) if self.loader_module else None

    def compile(
        self,
        plan: Plan,
        device: str,
        custom_calls: Mapping[str, HostFunction],
        progress: Progress = lambda done, total: None,
    ) -> Executor:
        """See `Compiler.compile`; where that gives no code, tinygrad's kernels run, and a warning says so."""
        try:
            return self.compiler.compile(plan, device, custom_calls, progress)
        except NotBuilt as error:
            reason = str(error).partition("\n")[0]
            message = f"no native code could be built, and tinygrad's kernels are slower: {reason}"
            warnings.warn(NoNativeCode(message), stacklevel=2)
            return TINYGRAD.compile(plan, device, custom_calls, progress)


TINYGRAD = Target("tinygrad", ".tinygrad.executor")
# Of those that serve a device, the first does, or the one that HLO2TINY_EXECUTOR names.
TARGETS = [Target("c", ".c.native", ("CPU",), products=True, loader_module=".c.code"), TINYGRAD]


def target_of(device: str) -> Target:
    """The target of a device."""
    serving = [target for target in TARGETS if target.devices is None or device in target.devices]
    named = os.environ.get("HLO2TINY_EXECUTOR")
    return next((target for target in serving if target.name == named), serving[0])


def open_device(device: str | None) -> str:
    """The canonical name of a device, tinygrad's default one where it is None.

    Raises:
        InputError: there is none of this name, or no compiler.
    """
    target = target_of(device.upper()) if isinstance(device, str) else TINYGRAD
    return target.compiler.open_device(device)
