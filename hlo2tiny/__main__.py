"""The command: `hlo2tiny`, or `python -m hlo2tiny`."""

from __future__ import annotations

import _thread
import signal
import sys
import threading

# The exit code that shells report for a command that Ctrl-C has ended: 128 plus the signal's number.
INTERRUPTED = 130
# Seconds after which an interrupt that was lost comes again.
AGAIN = 0.1


def main() -> int:
    """Run the command line and return its exit code. Ctrl-C ends it silently, even while modules are being imported."""
    sys.unraisablehook = interrupt_again
    try:
        from .cli import main as run

        return run()
    except KeyboardInterrupt:
        return INTERRUPTED


def interrupt_again(lost: sys.UnraisableHookArgs) -> None:
    """Python ignores what is raised while it deletes an object or calls back from C, including Ctrl-C's exception."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    timer = threading.Timer(AGAIN, interrupt)
    timer.daemon = True
    timer.start()


def interrupt() -> None:
    if hasattr(signal, "pthread_kill"):  # which also ends what the main thread waits for
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


if __name__ == "__main__":
    sys.exit(main())
