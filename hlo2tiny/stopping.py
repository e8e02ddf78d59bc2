"""Ending calls of programs from another thread: the loops of compiled code check a number now and then."""

from __future__ import annotations

import ctypes
import threading
from types import TracebackType

from .errors import Error

ENDED = "the call was ended before it had results"


class Stopped(Error):
    """A call of a program that another thread has ended."""


class Stop:
    """Ends the calls of programs that a thread makes within its `with` block, on CPUs.

    Args:
        address: of somebody else's number that is not 0 once the calls should end.

    Attributes:
        address: the address of that number.

    Examples:
        >>> stop = Stop()
        >>> with stop:
        ...     current() is stop
        True
    """

    def __init__(self, address: int | None = None) -> None:
        self._number = ctypes.c_int(0) if address is None else ctypes.c_int.from_address(address)
        self.address = ctypes.addressof(self._number)
        self._before: Stop | None = None

    def set(self) -> None:
        self._number.value = 1

    @property
    def is_set(self) -> bool:
        return bool(self._number.value)

    def __enter__(self) -> Stop:
        self._before, _thread.stop = current(), self
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _thread.stop = self._before


class Thread(threading.local):
    stop: Stop | None = None


_thread = Thread()


def current() -> Stop | None:
    """What ends the calls of this thread; None if nothing does."""
    return _thread.stop


def expect_wanted() -> None:
    """Raise Stopped if this thread's calls should end."""
    if _thread.stop is not None and _thread.stop.is_set:
        raise Stopped(ENDED)
