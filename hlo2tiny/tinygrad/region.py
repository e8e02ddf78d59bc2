"""The kernels of regions as data."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Generic, Self, TypeVar

from tinygrad.dtype import DType

from ..ir.sizes import is_open
from ..records import dataclass

K = TypeVar("K")


@dataclass(frozen=True)
class KernelRegion(Generic[K]):
    """A region's kernels in order, and the sizes in bytes of its results and of its temporaries."""

    kernels: tuple[K, ...]
    results: tuple[int, ...]
    temporaries: tuple[int, ...]

    @property
    def is_open(self) -> bool:
        """Whether a size of memory depends on open sizes."""
        return any(map(is_open, (*self.results, *self.temporaries)))

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        kernels, results, temporaries = json.loads(text).values()
        return cls(tuple(map(cls.kernel_of, kernels)), tuple(results), tuple(temporaries))

    @staticmethod
    def kernel_of(row: dict[str, Any]) -> K:
        """Undo `asdict` and JSON for one kernel."""
        raise NotImplementedError


def byte_sizes(buffers: Iterable[tuple[int, DType]]) -> tuple[int, ...]:
    """The sizes in bytes of buffers of this many elements."""
    return tuple(size * dtype.itemsize for size, dtype in buffers)
