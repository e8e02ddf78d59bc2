"""What commands write to the terminal."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import printable, printable_name

SHOW_AFTER = 1.0  # seconds before a progress bar appears
LONGEST_MESSAGE = 300
# What the user called the programs from standard input and pipes, by the temporary file that holds each.
STREAMS: dict[str, str] = {}


class OutputFailed(Exception):
    """Standard output cannot be written to."""


def name_streams(text: str) -> str:
    """A printable text in which temporary files have the names of the streams that they hold."""
    for file, name in STREAMS.items():
        text = text.replace(file, name)
    return printable(text)


def show(text: object, end: str = "\n") -> None:
    """Print text that may hold names from files. Commands print only through this function."""
    if sys.stdout is None:  # it was closed when the process began
        return
    try:
        print(name_streams(str(text)), end=end, flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the text still in the buffer
        raise OutputFailed(error.strerror or str(error)) from error


def show_list(title: str, lines: Sequence[str]) -> None:
    show("\n  ".join([title, *lines]))


def show_sizes(files: Sequence[Path]) -> None:
    for path in files:
        show(f"{path}: {path.stat().st_size:,} bytes")


def print_stderr(text: str) -> None:
    with suppress(OSError):
        if sys.stderr is not None:
            print(text, file=sys.stderr)


@contextmanager
def waiting(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar after one second, but only on a terminal. Yields a function, report(done, total)."""
    done = threading.Event()
    counts = [0, 0]

    def report(finished: int, total: int) -> None:
        counts[:] = finished, total

    def draw() -> None:
        if done.wait(SHOW_AFTER):
            return
        from tqdm import tqdm  # most commands are done before

        with tqdm(desc=printable_name(label), leave=False, file=sys.stderr) as bar:
            while not done.wait(0.1):
                bar.n, bar.total = counts[0], counts[1] or None
                bar.bar_format = "{desc}: {n_fmt}/{total_fmt} |{bar}| {elapsed}" if counts[1] else "{desc}: {elapsed}"
                bar.refresh()

    thread = threading.Thread(target=draw, daemon=True)
    if sys.stderr is not None and sys.stderr.isatty():
        thread.start()
    try:
        yield report
    finally:
        done.set()
        if thread.ident is not None:
            thread.join()


def duration(seconds: float) -> str:
    unit, size = next((u, size) for u, size in (("s", 1.0), ("ms", 1e-3), ("µs", 0.0)) if seconds >= size)
    value = seconds / (size or 1e-6)
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f} {unit}"


def one_line(message: str) -> str:
    """The first line of a message that may quote a file, printable on a terminal."""
    return printable(message.strip().partition("\n")[0][:LONGEST_MESSAGE])
