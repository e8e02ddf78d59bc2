"""Ctrl-C while programs run in the background."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable


def watch(interrupt: Callable[[], object]) -> None:
    """Call a function after each Ctrl-C that Python's own handler turns into a KeyboardInterrupt.

    Python tells one place of its signals; if that is somebody else's, an event loop's for example, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread() or sys.platform == "win32":
        return
    source, target = os.pipe()
    os.set_blocking(target, False)
    if (other := signal.set_wakeup_fd(target, warn_on_full_buffer=False)) != -1:
        signal.set_wakeup_fd(other)
        return
    os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))
    threading.Thread(target=listen, args=(source, interrupt), name="hlo2tiny interrupts", daemon=True).start()


def listen(source: int, interrupt: Callable[[], object]) -> None:
    while numbers := os.read(source, 64):
        if signal.SIGINT in numbers and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            interrupt()
