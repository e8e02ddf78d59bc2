"""What `load` is told about a program apart from its file, checked in one place."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..errors import InputError
from ..records import dataclass
from ..targets import expect_devices, first_device, target_of, targets_of, thread_count
from .device import default_device
from .ffi import NO_HANDLERS, FfiOption, HandlersGiven, handlers_given

# How products of f32 are computed; and in which order several devices reduce what they exchange: in their own order,
# which is the same in each run, or in the CPU's.
WORDS = {"precision": ("default", "highest"), "deterministic": ("runs", "order")}


@dataclass(frozen=True)
class Options:
    """How a program is to run; see `load`.

    Attributes:
        device: the name of the device, or of the first of several, which holds whole values.
        devices: the names of several, one for each process; () for one.
        donate: the arguments that the user donates; None: the file says which.
        threads: how many a call uses on the CPU; None: as many as `thread_count` says.
        ffi: the compiled handlers of custom calls.
        batch_invariant: whether a row of a batch has the same bits however many there are.
    """

    device: str
    devices: tuple[str, ...] = ()
    entry: str | None = None
    threads: int | None = None
    donate: tuple[str | int, ...] | None = None
    precision: str = "default"
    deterministic: str = "runs"
    ffi: HandlersGiven = NO_HANDLERS
    batch_invariant: bool = False


def options_of(
    device: str | Sequence[str] | None,
    entry: str | None = None,
    threads: int | None = None,
    donate: Collection[str | int] | str | int | None = None,
    precision: str = "default",
    deterministic: str = "runs",
    ffi: FfiOption = None,
    batch_invariant: bool = False,
) -> Options:
    """The options that a user gives; raises InputError if one is of another kind, or if two do not go together."""
    devices = () if device is None or isinstance(device, str) else expect_devices(device)
    first = first_device(devices) if devices else default_device() if device is None else str(device)
    if entry is not None and not isinstance(entry, str):
        raise InputError(f"entry: expected a function's name, not {entry!r:.60}")
    if threads is not None and not devices and not targets_of(first.upper())[0].on_host:
        raise InputError(f"threads={threads!r} is for programs on the CPU, and this one is for {first}")
    thread_count(threads)
    if isinstance(donate, str | int):
        donate = (donate,)
    listed = isinstance(donate, Collection) and not isinstance(donate, Mapping | bytes | bytearray | memoryview)
    if donate is not None and not (listed and all(isinstance(x, str | int) for x in donate)):
        raise InputError(
            f"donate is {donate!r:.60}, expected the name or the number of an argument, or a list of these"
        )
    donated = None if donate is None else tuple(donate)
    for name, word in (("precision", precision), ("deterministic", deterministic)):
        if not isinstance(word, str) or word not in WORDS[name]:
            raise InputError(f"{name} is {word!r:.60}, expected {' or '.join(map(repr, WORDS[name]))}")
    if not isinstance(batch_invariant, bool):
        raise InputError(f"batch_invariant is {batch_invariant!r:.60}, expected True or False")
    if batch_invariant and not target_of(first.upper()).in_order:
        raise InputError(
            f"batch_invariant=True: on {first}, how sums round depends on how many rows there are; load the program on"
            " the CPU or on CUDA"
        )
    handlers = handlers_given(ffi)
    return Options(first, devices, entry, threads, donated, precision, deterministic, handlers, batch_invariant)
