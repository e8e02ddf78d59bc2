"""An end for runs that take too long: on made-up inputs, a program's loops may never end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from ..errors import InputError

P = ParamSpec("P")
R = TypeVar("R")
# Seconds after which a run that has gone on is ended again.
AGAIN = 0.25


def late(seconds: float) -> str:
    cure = "give others with --input, or more time with --timeout"
    return f"no result in {seconds:g} s: if a loop does not end on these inputs, {cure}"


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise InputError in the main thread after some seconds, where the system has timers."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    ended: list[bool] = []
    over: list[bool] = []

    def end(*_: object) -> None:
        if not over:
            ended.append(True)
            raise InputError(late(seconds))

    before = signal.signal(signal.SIGALRM, end)
    # Again and again, because Python ignores what is raised while it deletes an object.
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        try:
            yield
        finally:
            over.append(True)
    except KeyboardInterrupt:  # which is how native code reports any signal that ended it
        if not ended:
            raise
        raise InputError(late(seconds)) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def limited(function: Callable[P, R], seconds: float) -> Callable[P, R]:
    """The function, of which each call may take so many seconds."""

    @wraps(function)
    def in_time(*arguments: P.args, **named: P.kwargs) -> R:
        with time_limit(seconds):
            return function(*arguments, **named)

    return in_time
