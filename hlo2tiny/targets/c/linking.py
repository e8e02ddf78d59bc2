"""Compiles C to shared objects for this machine, which the cache keeps."""

from __future__ import annotations

import platform
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ... import cache
from ...compiler import FLAGS, clang, linker
from .. import NotBuilt

OPTIMISE = ("-O3", "-fPIC", "-fno-math-errno", "-fno-ident", "-fvisibility=hidden")
# How many kernels are compiled together: starting a compiler costs about as much as compiling two of them.
TOGETHER = 16


def object_name(*texts: str) -> str:
    """The name in the cache of code that is built from some texts."""
    return cache.key("library", *texts, *OPTIMISE, *FLAGS, *this_machine())


@dataclass(frozen=True)
class Texts:
    """What a shared object is made of: kernels, a driver that calls them, and functions that both call."""

    driver: str
    kernels: Sequence[str] = ()
    functions: str = ""

    @property
    def name(self) -> str:
        """The name of the shared object in the cache, whichever compiler builds it."""
        return object_name(self.functions, *self.kernels, self.driver)


def shared_object(name: str, texts: Callable[[], Texts]) -> bytes:
    """Return the shared object of a name, which is built from `texts` if the cache does not have it.

    Raises:
        NotBuilt: the compiler failed.
        InputError: there is no compiler.
    """
    stored = cache.read(name)
    if stored is None:
        with tempfile.TemporaryDirectory(prefix="hlo2tiny-") as folder:
            stored = build(texts(), Path(folder))
        cache.write(name, stored)
    return stored


def build(texts: Texts, folder: Path) -> bytes:
    groups = [texts.kernels[i : i + TOGETHER] for i in range(0, len(texts.kernels), TOGETHER)]
    parts = ["".join([texts.functions, *group]) for group in groups]
    with ThreadPoolExecutor() as pool:
        jobs = [pool.submit(compile_object, text, folder / f"part{i}.o") for i, text in enumerate(parts)]
        jobs.append(pool.submit(compile_object, texts.functions + texts.driver, folder / "driver.o", "-O2"))
        objects = [job.result() for job in jobs]
    run([*linker(), *map(str, objects), "-o", str(folder / "program.so")])
    return (folder / "program.so").read_bytes()


def compile_object(text: str, target: Path, *options: str) -> Path:
    command = [*clang(), "-x", "c", "-c", *OPTIMISE, *options, *FLAGS, *this_machine(), "-", "-o", str(target)]
    run(command, text)
    return target


def check_syntax(text: str) -> None:
    """Let the compiler check a text without generating code.

    Raises:
        NotBuilt: the compiler rejects it.
        InputError: there is no compiler.
    """
    run([*clang(), "-x", "c", "-fsyntax-only", *FLAGS, *this_machine(), "-"], text)


def run(command: list[str], text: str = "") -> None:
    try:
        subprocess.run(command, input=text.encode("utf-8"), capture_output=True, check=True)
    except subprocess.CalledProcessError as error:
        message = error.stderr.decode("utf-8", "replace").strip()
        raise NotBuilt(message or f"{command[0]} exited with status {error.returncode}") from error
    except OSError as error:
        raise NotBuilt(str(error)) from error


@lru_cache
def this_machine() -> tuple[str, ...]:
    """The compiler's options for this processor."""
    if platform.machine() in ("arm64", "aarch64"):
        return ("-mcpu=native",)
    # Without this option, compilers use vectors of 256 bits even where there are vectors of 512 bits.
    wide = ("-mprefer-vector-width=512",) if platform.machine() in ("x86_64", "AMD64") else ()
    return ("-march=native", *wide)
