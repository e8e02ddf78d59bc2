"""Compiles C to shared objects for this machine, which the cache keeps."""

from __future__ import annotations

import os
import platform
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path

from ...machine import cache
from ...machine.compiler import FLAGS, clang, expect_running, linker
from .. import NotBuilt, count_processors
from . import shipped, windows

FOR_WINDOWS = os.name == "nt"
# Larger loops are not copied for conditions that all their iterations share, such as whether there are any columns. The
# copies are unrolled whatever a pragma says: some kernels took 0.3 s instead of 0.06, and were no faster.
UNSWITCHED = ("-mllvm", "-unswitch-threshold=10")
OPTIMISE = ("-O3", *UNSWITCHED, "-fPIC", "-fno-math-errno", "-fno-ident", "-fvisibility=hidden")
# For code that all programs share, whose inner loops are unrolled by hand: unrolling the others takes a third of the
# compiler's time and makes none of them faster.
LIBRARY = ("-O2", "-mllvm", "-unroll-runtime=false", "-mllvm", "-force-vector-interleave=1")


def code_name(text: str, *options: str) -> str:
    """The name in the cache of what the compiler makes from a text."""
    return cache.key("code", text, *options, *OPTIMISE, *FLAGS, *this_machine())


def shared_object(name: str, units: Callable[[], Sequence[str]]) -> bytes:
    """Return the shared object of a name, which is built from its translation units if that has not been done.

    Raises:
        NotBuilt: the compiler failed.
        InputError: there is no compiler.
    """

    def build() -> bytes:
        with Build() as build:
            for text in units():
                build.add(text, *LIBRARY)
            return build.link()

    return made_once(name, build)


def made_once(name: str, make: Callable[[], bytes]) -> bytes:
    """What the package or the cache has under a name; it is made if neither has it."""
    stored = shipped.find(name)
    if stored is None and (stored := cache.read(code_name(name))) is None:
        cache.write(code_name(name), stored := make())
    return stored


class Build:
    """Builds a shared object from texts in C: other threads compile them while further ones are being printed.

    `machine` has the compiler's options for a processor, which by default is this machine's.
    """

    def __init__(self, machine: Sequence[str] = ()) -> None:
        self._machine = machine or this_machine()
        self._folder = tempfile.TemporaryDirectory(prefix="hlo2tiny-")
        # The thread that prints keeps a core to itself: nothing else takes as long.
        self._pool = ThreadPoolExecutor(max(1, count_processors() - 1))
        self._jobs: list[tuple[Future[None], Callable[[], None]]] = []
        self._objects: list[str] = []

    def __enter__(self) -> Build:
        return self

    def __exit__(self, *exception: object) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._folder.cleanup()

    def begin(self, job: Callable[[], object]) -> None:
        """Do other work that takes time, such as compiling what the object calls; `link` waits for it."""

        def run() -> None:
            job()

        self._jobs.append((self._pool.submit(run), run))

    def add(self, text: str, *options: str, name: str = "") -> None:
        """Compile a text, unless the cache has its code, or the package under a name."""
        path = Path(self._folder.name) / f"part{len(self._objects)}.o"
        self._objects.append(str(path))
        if name and (code := shipped.find(name)) is not None:
            path.write_bytes(code)
        else:
            self.begin(partial(compile_text, text, path, options, self._machine))

    def link(self) -> bytes:
        """Return the shared object once everything is compiled. This thread helps with what has not been started, from
        the end on, where the driver is, which takes longest.

        Raises:
            NotBuilt, InputError: see `shared_object`.
        """
        for future, job in reversed(self._jobs):
            if future.cancel():
                job()
        for future, _ in self._jobs:
            if not future.cancelled():
                future.result()
        path = Path(self._folder.name) / "program.so"
        parts = windows.runtime(path.parent, processor()) if FOR_WINDOWS else []
        options = windows.OPTIONS if FOR_WINDOWS else ()
        run([*linker(), *options, *self._objects, *map(str, parts), "-o", str(path)])
        return path.read_bytes()


def compile_text(text: str, path: Path, options: Sequence[str], machine: Sequence[str]) -> None:
    name = code_name(text, *options, *machine)
    stored = cache.read(name)
    if stored is None:
        run([*clang(), "-x", "c", "-c", *OPTIMISE, *options, *FLAGS, *machine, "-", "-o", str(path)], text)
        cache.write(name, path.read_bytes())
    else:
        path.write_bytes(stored)


def preprocess(text: str, machine: Sequence[str] = ()) -> str:
    """What a text becomes when macros are replaced; `machine` is as in `Build`.

    Raises:
        NotBuilt, InputError: see `shared_object`.
    """
    return run([*clang(), "-x", "c", "-E", "-P", *(machine or this_machine()), "-"], text)


def check_syntax(text: str) -> None:
    """Let the compiler check a text without generating code.

    Raises:
        NotBuilt: the compiler rejects it.
        InputError: there is no compiler.
    """
    run([*clang(), "-x", "c", "-fsyntax-only", *FLAGS, *this_machine(), "-"], text)


def run(command: list[str], text: str = "") -> str:
    """Run a command, and return what it prints; the text is its input. Errors: see `shared_object`."""
    try:
        done = subprocess.run(command, input=text.encode("utf-8"), capture_output=True, check=True)
        return done.stdout.decode("utf-8", "replace")
    except subprocess.CalledProcessError as error:
        expect_running(command)
        message = error.stderr.decode("utf-8", "replace").strip()
        raise NotBuilt(message or f"{command[0]} exited with status {error.returncode}") from error
    except OSError as error:
        expect_running(command)
        raise NotBuilt(str(error)) from error


def processor() -> str:
    return "aarch64" if platform.machine().lower() in ("arm64", "aarch64") else "x86_64"


@lru_cache
def this_machine() -> tuple[str, ...]:
    """The compiler's options for this processor."""
    if processor() == "aarch64":
        return ("-mcpu=native",)
    # Without this option, compilers use vectors of 256 bits even where there are vectors of 512 bits.
    wide = ("-mprefer-vector-width=512",) if platform.machine() in ("x86_64", "AMD64") else ()
    return ("-march=native", *wide)
