"""A limit for what takes too long: files may hold programs that take forever to load, to compile or to run."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from .errors import InputError

P = ParamSpec("P")
R = TypeVar("R")
# Seconds after which a run that has continued is ended again.
AGAIN = 0.25


def late(seconds: float) -> str:
    cure = "give others with --input, or more time with --timeout"
    return f"no result in {seconds:g} s: if a loop does not end on these inputs, {cure}"


def unfinished(seconds: float) -> str:
    return f"not done in {seconds:g} s; give it more time with --timeout"


@contextmanager
def time_limit(seconds: float, message: Callable[[float], str] = late) -> Iterator[None]:
    """Raise InputError in the main thread after some seconds, where the system has timers.

    A limit within another one ends with it at the latest.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    ended: list[bool] = []
    over: list[bool] = []

    def end(*_: object) -> None:
        if not over:
            ended.append(True)
            raise InputError(message(seconds))

    before, begun = signal.signal(signal.SIGALRM, end), time.monotonic()
    left, again = signal.getitimer(signal.ITIMER_REAL)
    # Again and again, because Python ignores what is raised while it deletes an object.
    signal.setitimer(signal.ITIMER_REAL, min(seconds, left or seconds), AGAIN)
    try:
        try:
            yield
        finally:
            over.append(True)
    except KeyboardInterrupt:  # which is how native code reports any signal that ended it
        if not ended:
            raise
        raise InputError(message(seconds)) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - begun), 1e-3), again)


def limited(function: Callable[P, R], seconds: float, message: Callable[[float], str] = late) -> Callable[P, R]:
    """The function, limited to this many seconds per call."""

    @wraps(function)
    def in_time(*arguments: P.args, **named: P.kwargs) -> R:
        with time_limit(seconds, message):
            return function(*arguments, **named)

    return in_time
