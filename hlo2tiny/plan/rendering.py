"""The kernels of regions as data: each region is rendered once for a kind of device, and kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, Generic, Self, TypeVar

from .. import cache
from ..errors import Error, UnsupportedOp
from ..ir import error_at
from ..tinygrad.expressions import DType
from ..tinygrad.settings import lowering_settings
from .plan import Kernels

K = TypeVar("K")
R = TypeVar("R")


@dataclass(frozen=True)
class Region(Generic[K]):
    """A region's kernels in order, and the sizes in bytes of its results and of its temporaries."""

    kernels: tuple[K, ...]
    results: tuple[int, ...]
    temporaries: tuple[int, ...]

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
    """The sizes in bytes of buffers of so many elements."""
    return tuple(size * dtype.itemsize for size, dtype in buffers)


class Rendered(Generic[R]):
    """The regions that this process has rendered for a target.

    Args:
        name, region: the kind of Region whose texts other processes find in the cache, and its name there; None if
            regions cannot be kept there.
    """

    def __init__(self, name: str = "", region: type[R] | None = None) -> None:
        self.name, self.region = name, region
        self.regions: dict[tuple[str, str], R] = {}

    def find(self, step: Kernels, kind: str = "") -> R | None:
        """The kernels of a region for a kind of device, if this process has rendered them or the cache has them."""
        key = (step.key, kind)
        if key not in self.regions and self.region is not None:
            stored = cache.read(cache.key(self.name, *key))
            if stored is not None:
                self.regions[key] = self.region.from_text(stored.decode())  # type: ignore[attr-defined]
        return self.regions.get(key)

    def keep(self, step: Kernels, region: R, kind: str = "") -> R:
        """Let this process find a region that another has rendered; it returns the region."""
        return self.regions.setdefault((step.key, kind), region)

    def get(self, step: Kernels, device: str, render: Callable[[], R], kind: str = "") -> R:
        """The kernels of a region for a device, which `render` makes if they are not known yet."""
        with lowering_settings(device):
            if (found := self.find(step, kind)) is not None:
                return found
            try:
                region = render()
            except Error:
                raise
            except Exception as error:
                message = f"tinygrad could not build the kernels of the region that starts here: {error}"
                raise error_at(step.ops[0], message, UnsupportedOp) from error
            if self.region is not None:
                cache.write(cache.key(self.name, step.key, kind), region.to_text().encode())  # type: ignore[attr-defined]
            return self.keep(step, region, kind)
