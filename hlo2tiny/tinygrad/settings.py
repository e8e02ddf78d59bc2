"""What of tinygrad is different while it lowers and compiles for us, and put back after that.

tinygrad is one for the whole process, and a user's own code runs on it too. So nothing of it is replaced for longer
than a `with`, under the lock `building`; its cache of compiled kernels, a database that belongs to the thread that
first uses it, is left alone; and what it compiles for us is kept beside the rest of what we compile (`cache`).
"""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Iterator
from functools import cache as cache_of_function
from typing import Any

from tinygrad import Device, helpers
from tinygrad.device import Compiler
from tinygrad.helpers import Context
from tinygrad.runtime.support.compiler_cpu import ClangCompiler
from tinygrad.uop import upat
from tinygrad.uop.ops import UOp, upat_interpret

from .. import cache, forking
from ..compiler import compiler_identity, find_compiler

# tinygrad builds graphs in tables shared by the whole process: one thread at a time.
building = forking.awaited_lock()


@contextlib.contextmanager
def lowering_settings(device: str = "") -> Iterator[None]:
    """Where graphs are built, scheduled, rendered and compiled for us, by one thread at a time."""
    with (
        building,
        # Graphs are many small objects, which the garbage collector would look through again and again.
        helpers.disable_gc(),
        replaced(upat, "upat_compile", tried_pattern),
        replaced(Compiler, "compile_cached", compile_with_our_flags),
        default_device(device),
    ):
        yield


@contextlib.contextmanager
def user_settings() -> Iterator[None]:
    """Where graphs of the user's are realized on the way: as tinygrad itself does it, but from any thread."""
    with building, replaced(Compiler, "compile_cached", compile_kept):
        yield


@contextlib.contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def default_device(device: str) -> contextlib.AbstractContextManager[Any]:
    """tinygrad opens all devices to find its default one when a tensor first names none; no tensor here is for that."""
    unknown = device and not helpers.DEV.device and "_select_device" not in vars(Device)
    return Context(DEV=device.split(":")[0]) if unknown else contextlib.nullcontext()


# ---------------------------------------------------------------- patterns

# How often a pattern is tried before it is compiled, which takes as long as so many tries of most patterns.
TRIES = 200
_compile_pattern = upat.upat_compile


@cache_of_function
def tried_pattern(pattern: Any, function: Callable[..., Any]) -> Callable[[UOp, Any], UOp | None]:
    """A pattern of tinygrad's with what it is rewritten by, as tinygrad looks for it; it compiles each at first use.

    Its matchers keep what they are given here. That matches the same, whoever uses it next.
    """
    code = function.__code__
    takes_context = "ctx" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    compiled, tries = None, 0

    def match(uop: UOp, ctx: Any) -> UOp | None:
        nonlocal compiled, tries
        if compiled is not None:
            return compiled(uop, ctx)
        tries += 1
        if tries > TRIES:
            # Large ones it interprets itself.
            compiled = _compile_pattern(pattern, function) or upat_interpret(pattern, function)
        given = {"ctx": ctx} if takes_context else {}
        for found in pattern.match(uop, {}):
            if (result := function(**given, **found)) is not None:
                return result
        return None

    return match


# ---------------------------------------------------------------- compiled kernels


class OurClang(ClangCompiler):  # type: ignore[misc]
    """The clang that we find, with our flags, for the processor that a compiler of tinygrad's is for."""

    def __init__(self, other: ClangCompiler) -> None:
        Compiler.__init__(self, other.cachekey and f"{other.cachekey} {compiler_identity()}")
        self.arch, self.args = other.arch, other.args

    def compile(self, src: str) -> bytes:
        """An object file that needs no library, as tinygrad's own is."""
        options = "-c -x c -O2 -fPIC -ffreestanding -fno-math-errno -nostdlib -fno-ident".split()
        command = [find_compiler(), *options, f"--target={self.arch}-none-unknown-elf", *self.args, "-", "-o", "-"]
        return subprocess.run(command, input=src.encode(), stdout=subprocess.PIPE, check=True).stdout

    def compile_cached(self, src: str) -> bytes:
        return compile_kept(self, src)


def compile_with_our_flags(compiler: Compiler, source: str) -> bytes:
    return compile_kept(OurClang(compiler) if type(compiler) is ClangCompiler else compiler, source)


def compile_kept(compiler: Compiler, source: str) -> bytes:
    """A kernel in machine code, from our cache of compiled code where it is there."""
    name = cache.key("kernel", type(compiler).__name__, compiler.cachekey or "", source)
    code = cache.read(name) if compiler.cachekey else None
    if code is None:
        code = bytes(compiler.compile(source))
        if compiler.cachekey:  # else tinygrad is told to keep nothing
            cache.write(name, code)
    return code
