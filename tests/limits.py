"""How much processor time and memory one input of a fuzzer may take. More is a failure, in every mode."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SLOWEST = 10.0  # seconds of processor time
MEMORY = 2 << 30  # bytes beyond what the process has already
AGAIN = 0.5  # seconds after which a lost exception is raised again: Python ignores what is raised in __del__


class Exceeded(BaseException):
    """An input took too long, or too much memory. No handler of errors of an input catches it."""


@contextmanager
def limited(seconds: float | None = None) -> Iterator[None]:
    """Raise Exceeded if what is inside takes more than a limit, also where it has caught a MemoryError.

    Args:
        seconds: instead of SLOWEST.
    """
    longest = SLOWEST if seconds is None else seconds

    def stop(number: int, frame: FrameType | None) -> None:
        raise Exceeded(f"took more than {longest:g} s")

    handler, (least, most) = signal.signal(signal.SIGVTALRM, stop), resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (address_space() + MEMORY, most))
    signal.setitimer(signal.ITIMER_VIRTUAL, longest, AGAIN)
    try:
        yield
    except BaseException as error:
        if lacks_memory(error):
            raise Exceeded(f"took more than {MEMORY >> 20} MiB") from error
        raise
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, (least, most))


def address_space() -> int:
    """The bytes of addresses that this process uses."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def lacks_memory(error: BaseException | None) -> bool:
    """Whether an exception comes from a MemoryError."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error is not None
