"""Each region is rendered once per kind of device, and kept; see tinygrad/region.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

from ..errors import Error, NotLowered
from ..ir import error_at
from ..machine import cache
from ..machine.processes import share_work
from ..tinygrad.settings import lowering_settings
from .plan import Kernels

R = TypeVar("R")


@contextmanager
def building(step: Kernels, device: str) -> Iterator[None]:
    """The context in which the kernels of a region are built for a device."""
    with lowering_settings(device):
        try:
            yield
        except Error:
            raise
        except Exception as error:
            message = f"tinygrad could not build the kernels of the region that starts here: {error}"
            raise error_at(step.ops[0], message, NotLowered) from error


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

    def unknown(self, steps: Sequence[Kernels], kind: str = "") -> list[Kernels]:
        """The regions that `find` does not find."""
        return [step for step in steps if self.find(step, kind) is None]

    def get(self, step: Kernels, device: str, render: Callable[[], R], kind: str = "") -> R:
        """The kernels of a region for a device, which `render` makes if they are not known yet."""
        if (found := self.find(step, kind)) is not None:
            return found
        with building(step, device):
            region = render()
            if self.region is not None and not region.is_open:  # type: ignore[attr-defined]
                cache.write(cache.key(self.name, step.key, kind), region.to_text().encode())  # type: ignore[attr-defined]
            return self.keep(step, region, kind)

    @contextmanager
    def share(
        self,
        steps: Sequence[Kernels],
        new: Sequence[Kernels],
        render: Callable[[Kernels], R],
        processes: int,
        progress: Callable[[int, int], None],
        kind: str = "",
    ) -> Iterator[Iterator[tuple[str, R]]]:
        """Get regions with different keys, each with its key. Several processes render the `new` ones, see `unknown`.

        `progress(done, total)` counts the regions; the total has one more, for what the caller does with them.
        """
        keys, total = {step.key for step in new}, len(steps) + 1

        def regions() -> Iterator[tuple[str, R]]:
            for done, step in enumerate(steps):
                progress(done, total)
                known = step.key not in keys
                yield step.key, self.regions[step.key, kind] if known else self.keep(step, next(results), kind)
            progress(total - 1, total)

        with share_work(render, new, min(processes, len(new))) as results:
            yield regions()

    def keep(self, step: Kernels, region: R, kind: str) -> R:
        """Let this process find a region that another has rendered; it returns the region."""
        return self.regions.setdefault((step.key, kind), region)
