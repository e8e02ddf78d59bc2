"""Forking while other threads load or compile: in the child, nothing would release the locks that they hold.

A fork waits until no other thread is in the middle of an import, or holds a lock of state that the whole process
shares, such as tinygrad's. The lock of a single object is renewed in the child, since its state is set in one step.

Python renews the import lock in the child, but not a module's: of 20 processes that were forked while another thread
imported a module, and then imported it too, 20 hung if the fork did not look at these locks (3.11 and 3.13).
"""

from __future__ import annotations

import _imp

# These modules take locks before a fork, which an import that we wait for may need. Functions that are registered last
# are called first, so these modules have to be imported before ours are registered.
import concurrent.futures.thread  # noqa: F401
import gc
import importlib
import logging  # noqa: F401
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

# Seconds after which a fork goes on regardless: the holder of a lock may be waiting for the forking thread.
LONGEST_WAIT = 60.0

_renewed: weakref.WeakSet[Any] = weakref.WeakSet()
_awaited: list[Any] = []
_after: list[Callable[[], None]] = []
_held: list[Any] = []
_without_collection: set[int] = set()


def lock() -> AbstractContextManager[bool]:
    """A lock for an object's state that is set in one step; it is free in a forked process."""
    new = threading.RLock()
    _renewed.add(new)
    return new


def awaited_lock() -> AbstractContextManager[bool]:
    """A lock for state of the whole process; a fork waits for it."""
    new = threading.RLock()
    _awaited.append(new)
    return new


def in_child(function: Callable[[], None]) -> None:
    """Call a function in every forked process, before anything else happens there."""
    _after.append(function)


@contextmanager
def without_collection() -> Iterator[None]:
    """Turn garbage collection off while a graph only grows; a process that is forked meanwhile turns it on again."""
    if not gc.isenabled():
        yield
        return
    _without_collection.add(threading.get_ident())
    gc.disable()
    try:
        yield
    finally:
        if not has_frozen():  # new objects become old without a scan, which would find no garbage
            gc.freeze()
            gc.unfreeze()
        gc.enable()
        _without_collection.discard(threading.get_ident())


def has_frozen() -> bool:
    """Whether objects are frozen. Python 3.12 counts some hundreds that never die, too."""
    return gc.get_freeze_count() > 1000


def others_import() -> bool:
    """Whether another thread is in the middle of an import."""
    locks = getattr(getattr(importlib, "_bootstrap", None), "_module_locks", {})
    owners = [getattr(lock(), "owner", None) for lock in list(locks.values())]
    return any(owner not in (None, threading.get_ident()) for owner in owners)


def before_fork() -> None:
    end = time.monotonic() + LONGEST_WAIT
    while not take_all() and time.monotonic() < end:
        release_all()  # another thread may need one of them to continue
        time.sleep(0.001)


def take_all() -> bool:
    """Take the locks that a fork waits for, if they are free; whether all were free and nothing is being imported."""
    _held.extend(lock for lock in _awaited if lock.acquire(blocking=False))
    _imp.acquire_lock()  # no import begins while this is held
    return len(_held) == len(_awaited) and not others_import()


def release_all() -> None:
    _imp.release_lock()
    while _held:
        _held.pop().release()


def after_in_child() -> None:
    if _imp.lock_held():
        _imp.release_lock()
    _held.clear()
    for lock in (*_awaited, *_renewed):
        lock._at_fork_reinit()
    if _without_collection:
        _without_collection.clear()
        gc.enable()
    for function in _after:
        function()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=before_fork, after_in_parent=release_all, after_in_child=after_in_child)
