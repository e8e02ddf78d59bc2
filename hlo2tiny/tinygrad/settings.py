"""The changes to tinygrad that are in force while it lowers and compiles for us, and undone afterwards.

The whole process shares one tinygrad, which the user's own code may use too, in another thread at the same time. So
nothing is replaced for longer than a `with` block that holds the lock `building`, and whatever would change a kernel is
changed only for the thread that holds it; the rest does the same in less time. tinygrad's cache of compiled kernels, a
database that belongs to the thread that first uses it, is not touched; kernels that it compiles for us go to our own
`cache`.
"""

from __future__ import annotations

import contextlib
import functools
import subprocess
from collections.abc import Callable, Iterator, Mapping
from threading import get_ident
from typing import Any

from tinygrad import Device, helpers, tensor
from tinygrad.codegen.decomp import dtype as decompositions
from tinygrad.codegen.opt import heuristic
from tinygrad.codegen.opt.postrange import Scheduler
from tinygrad.device import Compiler
from tinygrad.helpers import ContextVar, Target
from tinygrad.renderer import cstyle
from tinygrad.runtime.support.compiler_cpu import ClangCompiler
from tinygrad.uop import ops

from ..machine import cache, forking
from ..machine.compiler import FLAGS, clang, compiler_identity, expect_running
from . import rewriting, windows

# tinygrad builds graphs in tables shared by the whole process: one thread at a time.
building = forking.awaited_lock()
_DEPTH = ops.REWRITE_STACK_LIMIT


@contextlib.contextmanager
def lowering_settings(device: str = "") -> Iterator[None]:
    """The context in which graphs are built, scheduled, rendered and compiled for us, by one thread at a time.

    They can be nested.
    """
    with (
        building,
        # Graphs consist of many small objects, which the garbage collector would scan again and again.
        helpers.disable_gc(),
        # tinygrad would check all nodes of each graph, unless somebody looks for its bugs.
        settings_here(SPEC=(checks := helpers.SPEC.value if helpers.SPEC.value > 1 else 0)),
        # tinygrad compares these at every step of a rewrite: numbers take less time than variables of a context.
        replace_attribute(ops, "SPEC", checks),
        replace_attribute(ops, "REWRITE_STACK_LIMIT", _DEPTH.value),
        # The names of functions that made a node, which only tinygrad's debugging output shows.
        replace_attribute(tensor, "TRACEMETA", 0),
        replace_here(ops.PatternMatcher, "rewrite", rewriting.rewrite),
        replace_here(ops.RewriteContext, "unified_rewrite", rewriting.unified_rewrite),
        replace_here(ops.RewriteContext, "walk_rewrite", rewriting.walk_rewrite),
        replace_here(ops.UOp, "simplify", rewriting.simplify),
        replace_attributes(
            ops.UOp,
            {
                **rewriting.PROPERTIES,
                "toposort": rewriting.toposort,
                "substitute": rewriting.substitute,
                "op_in_backward_slice_with_self": rewriting.has_operation,
            },
        ),
        replace_here(Scheduler, "upcast_size", upcast_size),
        replace_here(heuristic, "hand_coded_optimizations", windows.optimise),
        replace_attribute(decompositions, "split_l2i", rewriting.split_l2i),
        replace_attribute(decompositions, "pm_long_decomp", rewriting.LONG),
        replace_here(Compiler, "compile_cached", compile_with_our_flags),
        allowed_devices(),
        default_device(device),
    ):
        try:
            yield
        finally:
            rewriting.forget_known()


original_upcast_size = Scheduler.upcast_size
ENOUGH = 32  # results of a thread, from which on tinygrad gives it no more


def upcast_size(self: Scheduler) -> int:
    """Replaces Scheduler.upcast_size: up to 31 results would become 124, which take all registers of a thread."""
    size = int(original_upcast_size(self))
    return ENOUGH if ENOUGH // 2 < size < ENOUGH else size


@contextlib.contextmanager
def user_settings() -> Iterator[None]:
    """The context in which graphs of the user are realized: as tinygrad itself does it, but from any thread."""
    with building, replace_here(Compiler, "compile_cached", compile_kept), allowed_devices():
        yield


@contextlib.contextmanager
def replace_attribute(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


@contextlib.contextmanager
def replace_attributes(owner: Any, values: Mapping[str, Any]) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for name, value in values.items():
            stack.enter_context(replace_attribute(owner, name, value))
        yield


def replace_here(owner: Any, name: str, function: Callable[..., Any]) -> contextlib.AbstractContextManager[None]:
    """Replace a function for calls from this thread."""
    before, thread = getattr(owner, name), get_ident()
    return replace_attribute(
        owner, name, lambda *values, **named: (function if get_ident() == thread else before)(*values, **named)
    )


@contextlib.contextmanager
def settings_here(**values: Any) -> Iterator[None]:
    """Like tinygrad's Context, but only for this thread: others read and change the variables as before."""
    with contextlib.ExitStack() as stack:
        for key, value in values.items():
            variable = ContextVar._cache[key]
            name = "_value" if isinstance(variable, helpers._DEV) else "value"
            own = vars(variable).get("here")
            if own is not None:
                stack.callback(vars(variable).update, here=own)
            else:
                stack.callback(vars(variable).pop, "here")
                vars(variable)["here"] = get_ident(), vars(variable)[name]
                kind: Any = type(variable)
                stack.enter_context(replace_attribute(variable, "__class__", divided(kind, name)))
            variable.value = value
        yield


def is_set_here(variable: ContextVar[Any]) -> bool:
    """Whether the variable has a value for this thread."""
    return bool(vars(variable).get("here", (None,))[0] == get_ident())


@functools.cache
def divided(kind: Any, name: str) -> type:
    """The class of a variable that has a value of its own in one thread, which is under "here" with the thread."""

    def get(variable: ContextVar[Any]) -> Any:
        own = vars(variable).get("here")
        return own[1] if own is not None and own[0] == get_ident() else vars(variable)[name]

    def put(variable: ContextVar[Any], value: Any) -> None:
        if is_set_here(variable):
            vars(variable)["here"] = get_ident(), value
        else:
            vars(variable)[name] = value

    return type(kind.__name__, (kind,), {name: property(get, put)})


def allowed_devices() -> contextlib.AbstractContextManager[None]:
    """Let other threads use devices while tinygrad compiles in this one, where it forbids that."""
    return settings_here(ALLOW_DEVICE_USAGE=ContextVar._cache["ALLOW_DEVICE_USAGE"].value)


def default_device(device: str) -> contextlib.AbstractContextManager[Any]:
    """Set tinygrad's default device: it would open all devices to find one when a tensor is first made without one."""
    undecided = device and not helpers.DEV.device and "_select_device" not in vars(Device)
    return settings_here(DEV=device.split(":")[0]) if undecided else contextlib.nullcontext()


# ---------------------------------------------------------------- compiled kernels


class OurClang(ClangCompiler):  # type: ignore[misc]
    """Our clang with our flags, for the same processor as one of tinygrad's compilers."""

    def __init__(self, other: ClangCompiler) -> None:
        Compiler.__init__(self, other.cachekey and f"{other.cachekey} {compiler_identity()}")
        self.arch, self.args = other.arch, other.args

    def compile(self, src: str) -> bytes:
        """Compile to an object file that needs no library, as tinygrad's compiler does."""
        options = "-c -x c -O2 -fPIC -ffreestanding -fno-math-errno -nostdlib -fno-ident".split()
        command = [*clang(), *FLAGS, *options, f"--target={self.arch}-none-unknown-elf", *self.args, "-", "-o", "-"]
        try:
            return subprocess.run(command, input=src.encode(), stdout=subprocess.PIPE, check=True).stdout
        except (OSError, subprocess.SubprocessError):
            expect_running(command)
            raise

    def compile_cached(self, src: str) -> bytes:
        return compile_kept(self, src)


class ClangRenderer(cstyle.ClangRenderer):  # type: ignore[misc]
    """tinygrad's renderer of that name with our clang, even in the processes in which tinygrad compiles kernels.

    A renderer is sent to them as its class and target.
    """

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self.compiler: Compiler = OurClang(self.compiler)


def compile_with_our_flags(compiler: Compiler, source: str) -> bytes:
    return compile_kept(OurClang(compiler) if type(compiler) is ClangCompiler else compiler, source)


def compile_kept(compiler: Compiler, source: str) -> bytes:
    """Compile a kernel to machine code, or take it from our cache of compiled code."""
    if not compiler.cachekey:  # tinygrad's own cache is switched off
        return bytes(compiler.compile(source))
    key = cache.key("kernel", type(compiler).__name__, compiler.cachekey, source)
    code = cache.read(key)
    if code is None:
        code = bytes(compiler.compile(source))
        cache.write(key, code)
    return code
