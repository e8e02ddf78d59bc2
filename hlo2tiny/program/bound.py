"""Arguments that calls do not pass because they have values: a file's weights, and what the user bound."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

import numpy as np

from ..formats.mapped import MappedFile, file_of
from ..ir import TensorType
from ..machine import forking
from ..targets import ArrayCall, targets_of
from ..targets.arrays import Fixed

if TYPE_CHECKING:
    from tinygrad import Tensor

# What an argument can be bound to; a function reads the array when it is first needed.
BoundValue: TypeAlias = "np.ndarray | Tensor | Callable[[], np.ndarray]"


class Bound:
    """The value of an argument, which is placed on the device once, when it is first used.

    Args:
        value: a checked array or Tensor, or a function that reads the array.
        several: whether the device is the first of several, which hold parts of the value.
    """

    def __init__(self, value: BoundValue, type: TensorType, device: str, several: bool) -> None:
        self._value: BoundValue | Fixed = value
        self._type, self._device, self._several = type, device, several
        # What `placed` returns, once it cannot change.
        self.ready: Any = None
        self._buffer: Any = None
        self._taken: Any = None  # the value of a Tensor whose buffer it is
        self._tensor: Tensor | None = None
        self.file: MappedFile | None = None  # the file that the array is mapped from
        self._lock = forking.lock()

    @property
    def value(self) -> np.ndarray | Tensor:
        """The array or Tensor."""
        with self._lock:
            if callable(self._value) and not is_tensor(self._value):
                self._value = self._value()
            if self.file is None:
                self.file = file_of(self._value)
            self._expect_unchanged()
            return self._value.array if isinstance(self._value, Fixed) else self._value

    def _expect_unchanged(self) -> None:
        if self.file is not None:
            self.file.expect_unchanged()

    def place(self) -> Any:
        """The value as an executor's `run` takes it: a buffer, or an array on the CPU and for several devices."""
        if self.ready is not None:
            self._expect_unchanged()
            return self.ready
        value = self.value
        with self._lock:
            if self.ready is not None:
                return self.ready
            if is_tensor(value):
                from ..tinygrad.device import open_device
                from ..tinygrad.tensors import from_tensor, value_of

                open_device(self._device)
                if self._buffer is None or value_of(value) is not self._taken:
                    self._buffer = from_tensor(value, self._type, self._device)
                    self._taken = value_of(value)
                return self._buffer
            if self._several or targets_of(self._device)[0].on_host:
                self._value = self.ready = Fixed(value)
            else:
                from ..tinygrad.buffers import from_numpy

                self.ready = from_numpy(value, self._type, self._device)
            return self.ready

    def tensor(self) -> Tensor:
        """The value as a Tensor on the device."""
        value = self.value
        with self._lock:
            if is_tensor(value):
                return value
            if self._tensor is None:
                self._tensor = tensor_of(value, self._type, self._device)
            return self._tensor

    def as_tensor(self) -> Tensor:
        """Make the value a Tensor, which the user may assign to, and return it."""
        self._value, self.ready = self.tensor(), None
        self.file = None
        return self._value

    def own_array(self) -> np.ndarray:
        """The value as a numpy array, which may be a view of a file."""
        value = self.value
        if not is_tensor(value):
            return value
        from ..tinygrad.buffers import to_numpy

        return to_numpy(self.place(), self._type)

    def array(self) -> Any:
        """The value as an executor's `run_numpy` takes it."""
        placed = self.place()
        if isinstance(placed, Fixed) or not targets_of(self._device)[0].on_host:
            return placed
        from ..tinygrad.buffers import operand

        return operand(placed, self._type, self._device)


def while_bound(call: ArrayCall, bound: Sequence[Bound]) -> ArrayCall:
    """A prepared call that also returns None if one of the bound arguments now has another value."""
    values, files = list(map(READY, bound)), {value.file for value in bound if value.file is not None}

    def checked(
        arguments: tuple[Any, ...], given: tuple[np.ndarray, ...] | None = None
    ) -> tuple[np.ndarray, ...] | None:
        if bound and list(map(READY, bound)) != values:
            return None
        for file in files:
            file.expect_unchanged()
        return call(arguments, given)

    return checked


READY = attrgetter("ready")


def is_tensor(value: Any) -> TypeGuard[Tensor]:
    tinygrad = sys.modules.get("tinygrad")
    return tinygrad is not None and isinstance(value, tinygrad.Tensor)


def tensor_of(array: np.ndarray, type: TensorType, device: str) -> Tensor:
    """A Tensor with the elements of a checked array."""
    from ..tinygrad.buffers import from_numpy
    from ..tinygrad.tensors import to_tensor

    return to_tensor(from_numpy(array, type, device), type, device)
