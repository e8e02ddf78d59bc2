"""The executor for every device of tinygrad, and the only file that touches tinygrad's internals.

A region is lowered once to a tensor graph over parameters, scheduled and compiled to kernels; running it binds buffers
and launches them. All state of a run is in the list of buffers, so runs in several threads do not meet.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache as cache_of_function
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from tinygrad import Device, Tensor, dtypes, helpers
from tinygrad.codegen import to_program
from tinygrad.device import Buffer
from tinygrad.dtype import DType
from tinygrad.engine import realize
from tinygrad.engine.jit import graph_class
from tinygrad.engine.realize import compile_linear, get_runtime
from tinygrad.helpers import Context, GlobalCounters, getenv
from tinygrad.renderer import cstyle
from tinygrad.schedule import create_schedule
from tinygrad.schedule.rangeify import get_kernel_graph
from tinygrad.uop import upat
from tinygrad.uop.ops import GroupOp, Ops, PatternMatcher, UOp, UPat, graph_rewrite, upat_interpret
from tinygrad.uop.weak import pm_commit_weak

from .. import cache, forking
from ..codegen.c import Kernel, RenderedRegion
from ..dtypes import as_tensor, expect_tensor, numpy_dtype, static_shape
from ..errors import Error, InputError, UnsupportedOp
from ..ir import ComplexType, ScalarType, TensorType, Type, Value, error_at
from ..plan.plan import Block, Call, Case, Convolution, Fourier, Gemm, Host, Kernels, Lapack, Plan, Step, While
from ..plan.sharing import Begun, Sharing, Sharings
from ..rules import RULES, lower, values
from ..rules.elementary import with_loads
from ..rules.registry import apply_host
from ..rules.values import Complex, storage_dtype
from .code import Fixed, truth_values
from .compiler import compiler_identity, prepare_compiler
from .lapack import carried_out

HostFunction = Callable[..., Any]

# tinygrad builds graphs in tables shared by the whole process: one thread at a time.
_building = forking.awaited_lock()
# The launches of a device other than the CPU share its queue.
_launching = forking.awaited_lock()


_allocators: dict[str, Any] = {}

# tinygrad's C renderers print a + (b + c) without its parentheses, which is another sum.
cstyle.strip_parens = lambda text: text

# How often a pattern is tried before it is compiled, which takes as long as so many tries of most patterns.
TRIES = 200
_compile_pattern = upat.upat_compile


@cache_of_function
def tried_pattern(pattern: Any, function: Callable[..., Any]) -> Callable[[UOp, Any], UOp | None]:
    """A pattern of tinygrad's with what it is rewritten by, as tinygrad looks for it; it compiles each at first use."""
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


upat.upat_compile = tried_pattern


# What tinygrad has for a device, with the number of one of several.
DEVICE = re.compile(r"\w+(:[0-9]{1,4})?", re.ASCII)


@lru_cache
def share_kernel_cache() -> None:
    """Let any thread use tinygrad's cache of compiled kernels: its connection belongs to the thread that opens it.

    Kernels are built under a lock, so one connection serves. Where the user's cache folder cannot be written, tinygrad
    would fail; there it goes without.
    """
    try:
        os.makedirs(os.path.dirname(helpers.CACHEDB), exist_ok=True)
        connection = sqlite3.connect(helpers.CACHEDB, timeout=60, isolation_level="IMMEDIATE", check_same_thread=False)
        with contextlib.suppress(sqlite3.OperationalError):  # another process holds it for a moment
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("CREATE TABLE IF NOT EXISTS hlo2tiny_can_write (x)")
        connection.commit()
        helpers._db_connection = connection
    except (OSError, sqlite3.Error):
        helpers.CACHELEVEL.value = 0


def forget_connection() -> None:
    """Let a forked process open the cache of compiled kernels anew: a connection of SQLite is one process's."""
    _inherited.append(helpers._db_connection)  # closing it could end what the parent does
    helpers._db_connection = None
    share_kernel_cache.cache_clear()


_inherited: list[Any] = []
forking.in_child(forget_connection)


def open_device(device: str | None) -> str:
    """The canonical name of a device, opened: tinygrad's default one when None.

    Raises:
        InputError: tinygrad has no such device, or it does not open here.
    """
    if device is not None and not isinstance(device, str):
        raise InputError(f"device is {device!r}, expected the name of a tinygrad device, such as 'CPU'")
    if device is not None and not DEVICE.fullmatch(device):
        message = "expected a name such as CPU, CUDA, METAL or CL, perhaps with a number, as in CUDA:1"
        raise InputError(f"tinygrad cannot open device {device!r}: {message}")
    with _building:
        share_kernel_cache()
        missing: InputError | None = None
        try:
            if device is None or device.upper().split(":")[0] == "CPU":
                prepare_compiler()
                getenv.cache_clear()  # tinygrad remembers the environment as it was first read
        except InputError as error:
            if device is not None:
                raise
            missing = error
        try:
            name: str = Device.canonicalize(device)
            opened = Device[name]
        except Exception as error:
            if missing is not None:
                raise missing from error
            wanted = "any device" if device is None else f"device {device!r}"
            raise InputError(f"tinygrad cannot open {wanted}: {error or error.__class__.__name__}") from error
        if opened.runtime_t is None or name.split(":")[0] == "NULL":
            raise InputError(f"the device {name} computes nothing; expected one such as CPU, CUDA, METAL or CL")
        _allocators[name] = opened.allocator
        compiler = opened.renderer.compiler
        if name.startswith("CPU") and compiler is not None and compiler.cachekey:
            # tinygrad's cache of compiled kernels does not know the compiler's flags.
            compiler.cachekey = f"{compiler.cachekey.split(' ')[0]} {compiler_identity()}"
    return name


def buffer_layout(type: Type) -> tuple[tuple[int, ...], DType]:
    """Shape and dtype of a value's buffer: complex numbers are pairs along a last axis."""
    type = as_tensor(type)
    assert isinstance(type, TensorType)
    shape = static_shape(type)
    return (*shape, 2) if isinstance(type.element, ComplexType) else shape, storage_dtype(type.element)


# ---------------------------------------------------------------- regions → kernels


@dataclass(frozen=True, eq=False)
class Launch:
    """One kernel: tinygrad's call of it, its runtime, and which buffers it takes."""

    call: UOp
    runtime: Any
    buffers: tuple[int, ...]
    global_size: Any
    local_size: Any
    values: Any

    def __call__(self, memory: Sequence[Any]) -> None:
        """Launch it on what each of its buffers has for memory."""
        self.runtime(*memory, global_size=self.global_size, local_size=self.local_size, vals=self.values, wait=False)


@dataclass(frozen=True, eq=False)
class CompiledRegion:
    """A region's kernels. Buffers are numbered: inputs, outputs, then temporaries with the sizes given."""

    launches: tuple[Launch, ...]
    outputs: tuple[tuple[int, DType], ...]
    temporaries: tuple[tuple[int, DType], ...]


_compiled: dict[tuple[str, str], CompiledRegion] = {}


def _default(device: str) -> contextlib.AbstractContextManager[Any]:
    """tinygrad opens all devices to find its default one when a tensor first names none; no tensor here is for that."""
    unknown = not helpers.DEV.device and "_select_device" not in vars(Device)
    return Context(DEV=device.split(":")[0]) if unknown else contextlib.nullcontext()


@contextlib.contextmanager
def lowering(device: str, calls_c: bool = False) -> Iterator[None]:
    """Where rules may be applied: one thread at a time, knowing the device and whether its kernels may call C."""
    # Graphs are many small objects, which the garbage collector would look through again and again.
    with _building, _default(device), helpers.disable_gc():
        place = values.device.set(device)
        calls = values.calls_c.set(calls_c)
        try:
            yield
        finally:
            values.device.reset(place)
            values.calls_c.reset(calls)


def compile_region(step: Kernels, device: str) -> CompiledRegion:
    """The kernels of a region, compiled once in a process for each structure and device."""
    key = (step.key, device)
    with lowering(device):
        if key not in _compiled:
            try:
                _compiled[key] = _compile(step, device)
            except Error:
                raise
            except Exception as error:
                message = f"tinygrad could not build the kernels of the region that starts here: {error}"
                raise error_at(step.ops[0], message, UnsupportedOp) from error
        return _compiled[key]


def has_float64(device: str) -> bool:
    """Whether a device's kernels may hold float64 at all: Metal's, WebGPU's and some of OpenCL's may not."""
    if device.split(":")[0] == "CPU":  # which need not be opened for that
        return True
    return dtypes.double in Device[device].renderer.supported_dtypes()


@dataclass(frozen=True, eq=False)
class Schedule:
    """A region's kernels, not yet in any language. Buffers are numbered: inputs, outputs, then temporaries."""

    linear: UOp
    outputs: tuple[tuple[int, DType], ...]
    inputs: int

    def numbered(self, calls: Sequence[UOp]) -> tuple[list[tuple[int, ...]], tuple[tuple[int, DType], ...]]:
        """The buffers that each call's program takes, and the sizes and dtypes of the temporaries."""
        base, numbers = self.inputs + len(self.outputs), {}
        temporaries: list[tuple[int, DType]] = []

        def number_of(uop: UOp) -> int:
            if uop.op is Ops.PARAM:
                return int(uop.arg.slot)
            if uop not in numbers:
                numbers[uop] = base + len(temporaries)
                temporaries.append((int(uop.max_numel()), uop.dtype))
            return numbers[uop]

        taken = []
        for call in calls:
            arguments = [s for s in call.src[1:] if not s.is_bound_var]
            taken.append(tuple(number_of(arguments[i]) for i in call.src[0].arg.globals))
        return taken, tuple(temporaries)


def scheduled(step: Kernels, device: str) -> Schedule:
    parameters = {}
    for slot, value in enumerate(step.parameters):
        shape, dtype = buffer_layout(value.type)
        if 0 in shape:
            tensor = values.repeated(0, shape, dtype)
        else:
            tensor = Tensor(UOp.param(slot, dtype, (prod(shape),), device)).reshape(shape)
        parameters[value] = from_buffer_form(tensor, value.type)
    results = dict(parameters)
    slots = {value: len(step.parameters) + number for number, value in enumerate(step.results)}
    stores: dict[Value, UOp | None] = {}
    own: dict[UOp, UOp] = {}  # by the buffer that a kernel of rules/loops.py makes, the result that it writes instead
    apart = summed_and_read(step) | read_in_many_places(step)
    for op in step.ops:
        with updating(step):
            lower((op,), results)
        for value in op.results:
            if value in slots:
                before = results[value]
                stores[value], results[value] = stored(before, value.type, slots[value], device, step.updates, own)
                if value in apart and results[value] is before:
                    results[value] = on_its_own(before)
            elif value in apart:
                results[value] = on_its_own(results[value])
    for value in step.results:
        if value not in stores:
            stores[value], _ = stored(results[value], value.type, slots[value], device, step.updates, own)
    outputs = tuple((prod(shape), dtype) for shape, dtype in (buffer_layout(v.type) for v in step.results))
    sinks = [store for store in stores.values() if store is not None]
    if not sinks:
        return Schedule(UOp(Ops.LINEAR), outputs, len(step.parameters))
    # tinygrad leaves Python's numbers without a dtype, and loses it where it folds operations on them.
    graph = graph_rewrite(UOp.sink(*sinks).substitute(own), pm_commit_weak)
    # Splitting a reduction in two would hide the indexed loads that a one-hot sum stands for; ordering the operands of
    # sums by their whole trees takes time that grows with the square of a chain's length.
    with Context(SPLIT_REDUCEOP=0, TUPLE_ORDER=0):
        linear = create_schedule(get_kernel_graph(graph))
    return Schedule(linear, outputs, len(step.parameters))


# Functions that cost more than memory does.
COSTLY = {f"stablehlo.{name}" for name in ("exponential", "exponential_minus_one", "log", "logistic", "power", "tanh")}


def summed_and_read(step: Kernels) -> set[Value]:
    """Values, as softmax's exponentials, that a reduction's kernel and another one would both compute."""
    readers: dict[Value, set[bool]] = {}
    for op in step.ops:
        for value in op.operands:
            readers.setdefault(value, set()).add(op.name == "stablehlo.reduce")
    return {v for op in step.ops if op.name in COSTLY for v in op.results if readers.get(v) == {True, False}}


# In how many ways the elements of a value may be looked up in one kernel. Expressions for places grow with each op that
# moves elements, and double where a roll or a stencil reads a value twice; no real program comes near.
MOST_LOOKUPS = 256
# Ops that move elements though they may keep the shape; those that change it are known by that.
MOVING = {
    f"stablehlo.{name}"
    for name in (
        *("broadcast_in_dim", "concatenate", "convolution", "dot", "dot_general", "dynamic_slice", "gather", "pad"),
        *("dynamic_update_slice", "reduce_window", "reverse", "scatter", "select_and_scatter", "slice", "sort"),
        *("transpose", "triangular_solve", "cholesky"),
    )
}


def read_in_many_places(step: Kernels) -> set[Value]:
    """Values that later ops look up in more ways than one kernel should: they get a kernel of their own."""
    along: dict[Value, int] = {}  # by the readers that take element by element, which share what they look up
    elsewhere: dict[Value, int] = {}  # by those that move elements, each of which looks them up in its own way
    apart: set[Value] = set()
    for op in reversed(step.ops):
        lookups = max([1, *(along.get(v, 0) + elsewhere.get(v, 0) for v in op.results)])
        if lookups > MOST_LOOKUPS and op.operands:
            apart.update(op.results)
            lookups = 1
        for value in op.operands:
            if op.name in MOVING or any(shape_of(value) != shape_of(result) for result in op.results):
                elsewhere[value] = elsewhere.get(value, 0) + lookups + 1
            else:
                along[value] = max(along.get(value, 0), lookups)
    return apart


def shape_of(value: Value) -> object:
    type = as_tensor(value.type)
    return type.shape if isinstance(type, TensorType) else None


def on_its_own(value: Any) -> Any:
    """A value that a kernel of its own computes."""
    return value.each(Tensor.contiguous) if isinstance(value, Complex) else value.contiguous()


@contextlib.contextmanager
def updating(step: Kernels) -> Iterator[None]:
    """Where rules write into operands, if that is what the step does."""
    before = values.in_place.set(step.updates > 0)
    try:
        yield
    finally:
        values.in_place.reset(before)


def stored(value: Any, type: Type, slot: int, device: str, updates: int, own: dict[UOp, UOp]) -> tuple[UOp | None, Any]:
    """The store of a region's result, and the value as later ops read it: from there, unless it costs nothing anew."""
    tensor = to_buffer_form(value)
    size = prod(tensor.shape)
    if not size:
        return None, value
    target = UOp.param(slot, tensor.dtype, (int(size),), device)
    source = as_flat(tensor.uop)
    made = as_flat(source.src[0]) if source.op is Ops.AFTER else None
    if made is not None and made.op is Ops.PARAM and int(made.arg.slot) < updates:  # written where the operand is
        return source, value
    if made is not None and made.op is Ops.BUFFER and made not in own and int(made.max_numel()) == size:
        own[made] = target
        return source, value
    after = target.after(target.store(tensor.reshape(-1).uop))
    return after, from_buffer_form(Tensor(after).reshape(tensor.shape), type) if is_computed(source) else value


def as_flat(uop: UOp) -> UOp:
    """A buffer without the shapes that it was given."""
    while uop.op is Ops.RESHAPE:
        uop = uop.src[0]
    return uop


def is_computed(source: UOp) -> bool:
    """Whether a value is more than another one's elements in some order, or a constant."""
    if source.device is None:
        return False
    waiting, seen = [source], {source}
    while waiting:
        uop = waiting.pop()
        if uop.op in GroupOp.ALU or uop.op is Ops.REDUCE:
            return True
        if uop.op not in (Ops.AFTER, Ops.PARAM):
            waiting += [s for s in uop.src if s not in seen]
            seen.update(uop.src)
    return False


def _compile(step: Kernels, device: str) -> CompiledRegion:
    schedule = scheduled(step, device)
    with Context(PARALLEL=0, TUPLE_ORDER=0):
        calls = compile_linear(schedule.linear).src
    for call in calls:
        if call.src[0].op is not Ops.PROGRAM:
            raise NotImplementedError(f"a schedule step of kind {call.src[0].op}")
    taken, temporaries = schedule.numbered(calls)
    launches = []
    for call, buffers in zip(calls, taken):
        program = call.src[0]
        global_size, local_size = program.arg.launch_dims({})
        runtime, numbers = get_runtime(device, program), program.arg.vals({})
        launches.append(Launch(call, runtime, buffers, global_size, local_size, numbers))
    return CompiledRegion(tuple(launches), schedule.outputs, temporaries)


# ---------------------------------------------------------------- regions → C


class _NoCompiler:
    """Stands where a renderer expects a compiler: all kernels of a program are compiled together."""

    cachekey = None

    def compile_cached(self, source: str) -> bytes:
        return b"-"


def _least(ctx: Any, c: Any, x: Any) -> str | None:
    """The least integer, which C has no literal for: -2147483648 is a long, and the longer one none at all."""
    suffix = {dtypes.int32: "", dtypes.int64: "l"}[x.dtype]
    return f"(-{x.dtype.max}{suffix}-1{suffix})" if c.val == x.dtype.min else None


class _PlainRenderer(cstyle.ClangRenderer):  # type: ignore[misc]
    """C for one thread, of which gcc lacks only clang's bit cast."""

    has_threads = False
    string_rewrite = (
        PatternMatcher([(UPat.cvar("c").cast((dtypes.int32, dtypes.int64), name="x"), _least)])
        + cstyle.ClangRenderer.string_rewrite
    )

    def __init__(self) -> None:
        # As for tinygrad's CPU device, which is not opened for this, nor is a compiler looked for.
        machine = platform.machine().lower()
        architecture = {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)
        target = helpers.DEV.target("CPU", renderer="CLANG", arch=f"{architecture},native")
        super(cstyle.ClangRenderer, self).__init__(target)
        self.compiler = _NoCompiler()

    def render_vector_prefix(self, dt: DType, count: int) -> str:
        """A vector as gcc has them too, at any address that suits its elements: users' arrays lie where they lie."""
        name = self._render_dtype(dt, count)
        attributes = f"vector_size({dt.itemsize * count}), aligned({dt.itemsize})"
        return f"typedef {self.render_dtype(dt)} {name} __attribute__(({attributes}));"


_rendered: dict[str, RenderedRegion] = {}


def render_region(step: Kernels, device: str) -> RenderedRegion:
    """The kernels of a region in C, rendered once in a process for each structure."""
    with lowering(device, calls_c=True):
        key = step.key
        if key not in _rendered:
            name = cache.key("region", key)
            stored = cache.read(name)
            if stored is not None:
                _rendered[key] = RenderedRegion.from_text(stored.decode())
                return _rendered[key]
            try:
                _rendered[key] = _render(step, device)
                cache.write(name, _rendered[key].to_text().encode())
            except Error:
                raise
            except Exception as error:
                message = f"tinygrad could not build the kernels of the region that starts here: {error}"
                raise error_at(step.ops[0], message, UnsupportedOp) from error
        return _rendered[key]


def _render(step: Kernels, device: str) -> RenderedRegion:
    schedule = scheduled(step, device)
    renderer = _PlainRenderer()
    calls = []
    # Without tinygrad's own optimisations, which hinder the C compiler's.
    with Context(NOOPT=1, TUPLE_ORDER=0):
        for call in schedule.linear.src:
            if call.src[0].op is not Ops.SINK:
                raise NotImplementedError(f"a schedule step of kind {call.src[0].op}")
            kernel = graph_rewrite(call.src[0], with_loads)
            calls.append(call.replace(src=(to_program(kernel, renderer), *call.src[1:])))
    taken, temporaries = schedule.numbered(calls)
    sources = [next(str(s.arg) for s in call.src[0].src if s.op is Ops.SOURCE) for call in calls]
    return RenderedRegion(
        tuple(Kernel(source, buffers) for source, buffers in zip(sources, taken)),
        tuple(size * dtype.itemsize for size, dtype in schedule.outputs),
        tuple(size * dtype.itemsize for size, dtype in temporaries),
    )


def from_buffer_form(tensor: Tensor, type: Type) -> Any:
    type = as_tensor(type)
    if isinstance(type, TensorType) and isinstance(type.element, ComplexType):
        return Complex(tensor[..., 0], tensor[..., 1])
    return tensor


def to_buffer_form(value: Any) -> Tensor:
    if isinstance(value, Complex):
        return value.real.stack(value.imag, dim=-1)
    assert isinstance(value, Tensor)
    return value


# ---------------------------------------------------------------- buffers


def allocate(size: int, dtype: DType, device: str) -> Buffer | None:
    """A buffer of its own; None stands for one of no elements, which no device allocates."""
    if size == 0:
        return None
    try:
        buffer = Buffer(device, size, dtype)
        # As Buffer.allocate does, without looking the device up: while a thread compiles, tinygrad refuses that to all.
        with _launching:  # the allocator's free list is shared
            buffer.allocator = _allocators[device]
            buffer._bufs[buffer.device] = buffer.allocator.alloc(buffer.nbytes)
            GlobalCounters.mem_used += buffer.nbytes
            GlobalCounters.mem_used_per_device[buffer.device] += buffer.nbytes
        return buffer
    except (MemoryError, OSError, OverflowError) as error:
        needed = f"{size * dtype.itemsize:,} bytes on {device}"
        raise InputError(
            f"the program needs a buffer of {needed}, which this machine does not give: {error}"
        ) from error


def from_numpy(array: np.ndarray, type: Type, device: str) -> Buffer | None:
    """Copy an array of the type's numpy dtype to a new buffer."""
    shape, dtype = buffer_layout(type)
    buffer = allocate(prod(shape), dtype, device)
    if buffer is not None:
        array = truth_values(array)
        if dtype in (dtypes.int8, dtypes.uint8) and "int" in array.dtype.name:
            # ml_dtypes keeps a narrow integer in its low bits and leaves the sign to be read.
            array = array.astype(np.int8 if dtype == dtypes.int8 else np.uint8)
        if device.startswith("CPU"):
            # A type that numpy does not know itself is copied element by element, so as bits.
            array = array.view(f"u{array.itemsize}") if array.dtype.kind == "V" else array
            memory(buffer, array.dtype).reshape(array.shape)[...] = array
            return buffer
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        buffer.allocator._copyin(buffer._buf, (raw if raw.flags.writeable else raw.copy()).data)
    return buffer


def as_truth_values(buffer: Buffer | None, type: Type, device: str) -> Buffer | None:
    """A value's buffer; if it holds booleans, one whose bytes are 0 and 1."""
    if buffer is None or buffer.dtype != dtypes.bool:
        return buffer
    given = operand(buffer, type, device)
    array = truth_values(given)
    return buffer if array is given else from_numpy(array, type, device)


def memory(buffer: Buffer, dtype: np.dtype) -> np.ndarray:
    """The memory of a buffer on the CPU, when what was launched has run; it is valid while the buffer is held."""
    buffer.allocator.dev.synchronize()
    return np.frombuffer(buffer.allocator._as_buffer(buffer.ensure_allocated()._buf), dtype)


def finish(device: str) -> None:
    """Wait for what was launched on a device."""
    _allocators[device].dev.synchronize()


def buffer_address(buffer: Buffer | None) -> int:
    """Where a buffer on the CPU lies; what is launched on it may still run."""
    return 0 if buffer is None else int(buffer.ensure_allocated()._buf.va_addr)


def operand(buffer: Buffer | None, type: Type, device: str) -> np.ndarray:
    """A buffer's contents as a host rule reads them: on the CPU where they lie, valid while the buffer is held."""
    type = as_tensor(type)
    if buffer is None or not device.startswith("CPU"):
        return to_numpy(buffer, type)
    assert isinstance(type, TensorType)
    array = memory(buffer, numpy_dtype(type.element)).reshape(static_shape(type))
    array.flags.writeable = False
    return array


def to_numpy(buffer: Buffer | None, type: Type) -> np.ndarray:
    """Copy a buffer to a new array of the type's numpy dtype."""
    type = as_tensor(type)
    assert isinstance(type, TensorType)
    array = np.empty(static_shape(type), numpy_dtype(type.element))
    if buffer is not None:
        buffer.allocator._copyout(array.reshape(-1).view(np.uint8).data, buffer.ensure_allocated()._buf)
    return array


def copied(buffer: Buffer | None, device: str) -> Buffer | None:
    """A buffer of the same contents that nothing else refers to."""
    if buffer is None:
        return None
    result = allocate(buffer.size, buffer.dtype, device)
    assert result is not None
    raw = np.empty(buffer.nbytes, np.uint8)
    buffer.allocator._copyout(raw.data, buffer._buf)
    result.allocator._copyin(result._buf, raw.data)
    return result


# tinygrad's own dtypes for element types whose bits are stored as integers.
TENSOR_DTYPES = {
    "bf16": dtypes.bfloat16,
    "f16": dtypes.float16,
    "f8E4M3FN": dtypes.fp8e4m3,
    "f8E4M3FNUZ": dtypes.fp8e4m3fnuz,
    "f8E5M2": dtypes.fp8e5m2,
    "f8E5M2FNUZ": dtypes.fp8e5m2fnuz,
}


def tensor_dtype(type: TensorType) -> DType:
    """The dtype that a Tensor of this type has outside: tinygrad's own where it has one."""
    if isinstance(type.element, ScalarType) and type.element.name in TENSOR_DTYPES:
        return TENSOR_DTYPES[type.element.name]
    return storage_dtype(type.element)


def from_tensor(tensor: Tensor, type: TensorType, device: str) -> Buffer | None:
    """The buffer of a tensor, realized on the device; views are copied, others used where they lie."""
    with _building:
        shape, dtype = buffer_layout(type)
        if 0 in shape:
            return None
        lies = as_flat(tensor.uop)
        buffer = lies.realized if lies.op is Ops.BUFFER else None
        if isinstance(buffer, Buffer) and (buffer.device, buffer.dtype, buffer.size) == (device, dtype, prod(shape)):
            return buffer  # as below, in a tenth of the time
        if tensor.uop.device is None:
            tensor = tensor.clone(device)
        tensor = tensor.to(device).contiguous()
        tensor = tensor if tensor.dtype == dtype else tensor.bitcast(dtype).contiguous()
        tensor.realize()
        buffer = tensor.uop.base.buffer if tensor.uop.has_buffer_identity() else tensor.uop.buffer
        assert isinstance(buffer, Buffer)
        return buffer.ensure_allocated()


def to_tensor(buffer: Buffer | None, type: TensorType, device: str) -> Tensor:
    """A tensor over a buffer that a run made."""
    with _building:
        shape, dtype = buffer_layout(type)
        if buffer is None:
            return Tensor.zeros(*shape, dtype=tensor_dtype(type), device=device)
        wanted = tensor_dtype(type)
        if wanted != dtype:
            with contextlib.suppress(NotImplementedError):  # not every device has views
                buffer = buffer.view(buffer.size, wanted, 0).ensure_allocated()
        tensor = Tensor(UOp.from_buffer(buffer)).reshape(shape)
        # A copy of narrow floats would pass through float32, which changes f8.
        return tensor if tensor.dtype == wanted else tensor.bitcast(wanted)


def copy_into(target: Buffer | None, source: Buffer | None) -> None:
    """Copy a buffer to another one of the same size on the same device."""
    if target is None or source is None:
        return
    allocator, to, of = target.allocator, target.ensure_allocated()._buf, source.ensure_allocated()._buf
    if allocator.supports_transfer and hasattr(allocator, "_transfer"):
        allocator._transfer(to, of, target.nbytes, src_dev=allocator.dev, dest_dev=allocator.dev)
        return
    raw = np.empty(target.nbytes, np.uint8)
    allocator._copyout(raw.data, of)
    allocator._copyin(to, raw.data)


# ---------------------------------------------------------------- programs in tinygrad's graph


class Opaque(str):
    """What a node of tinygrad's graph runs on buffers: results first, then operands. As a string it is its own name."""

    run: Callable[[list[Buffer]], None]


def _run_opaque(ctx: Any, call: UOp, ast: UOp) -> list[float | None] | None:
    if not isinstance(ast.arg, Opaque):
        return None
    ast.arg.run([uop.buffer.ensure_allocated() for uop in realize.resolve_params(call, ctx.input_uops)])
    return []


def _name_of(call: UOp, *rest: Any) -> str:
    found = call.src[0].arg
    return f"{found}" if isinstance(found, Opaque) else _named(call, *rest)


# tinygrad has such nodes for what it cannot render itself, and a table of what runs each; one line of it is ours.
_named = realize.get_call_name
realize.get_call_name = _name_of
_opaque_calls = UPat(Ops.CALL, src=(UPat(Ops.CUSTOM_FUNCTION, name="ast"),), name="call", allow_any_len=True)
realize.pm_exec = PatternMatcher([(_opaque_calls, _run_opaque)]) + realize.pm_exec


def opaque_node(
    node: Opaque, results: Sequence[tuple[tuple[int, ...], DType]], operands: Sequence[Tensor], device: str
) -> list[Tensor]:
    """The results of a node, unrealized: it runs when tinygrad realizes one of them."""
    targets = [Tensor.empty(*shape, dtype=dtype, device=device).uop for shape, dtype in results]
    call = UOp(Ops.CUSTOM_FUNCTION, arg=node).call(*targets, *(x.contiguous().uop for x in operands))
    return [Tensor(target.after(call)) for target in targets]


def with_gradient(
    values: Sequence[Tensor],
    operands: Sequence[Tensor],
    pull: Callable[[list[Tensor | None]], Sequence[Tensor | None]],
) -> list[Tensor]:
    """The values, as a function of the operands whose gradient is `pull`.

    `pull` takes the values' gradients, None for each that has none, and gives the operands'. As tinygrad may run a node
    again for another of its results, these are values of their own, which nobody's in-place update can reach.
    """
    count = len(values)

    def backward(*given: UOp, call: UOp | None = None) -> tuple[UOp | None, ...]:
        # tinygrad leaves out the values without gradient; the others say which they are.
        cotangents: list[Tensor | None] = [None] * count
        for uop in given if call is not None else given[:1]:
            cotangents[uop.tag[1]] = Tensor(uop.replace(tag=None))
        found = pull(cotangents)
        return (*[None] * count, *(x.uop if x is not None else None for x in found))

    uops = [x.uop for x in values]
    body = UOp.maketuple(*(uop.param_like(i) for i, uop in enumerate(uops)))
    function = body.call(*uops, *(x.uop for x in operands), grad_fxn=backward)

    def numbered(i: int) -> Tensor:
        value = function.gettuple(i)
        named = value.param_like(0).call(value, grad_fxn=lambda uop, call: (uop.replace(tag=("value", i)),))
        return Tensor(named.gettuple(0))

    return [numbered(i) for i in range(count)]


def is_detached(tensor: Tensor) -> bool:
    return bool(tensor.uop.op is Ops.DETACH)


# ---------------------------------------------------------------- running


def is_launched(step: Step) -> bool:
    """Whether a step is kernels and nothing else."""
    return isinstance(step, Kernels | Gemm | Convolution)


class Captured:
    """A run of steps that are kernels, captured once: what to launch, and on which memory.

    Memory is in slots. What the run takes and what later steps read is each run's own; the rest belongs to the capture,
    as the launches of one device follow each other. Where tinygrad has graphs for the device, the second run makes one.
    """

    def __init__(self, block: Block, steps: range, sharing: Sharing, sharings: Sharings, device: str) -> None:
        self.steps, self._device = steps, device
        self._launches: list[tuple[Launch, tuple[int, ...]]] = []
        self._own: list[Buffer | None] = []  # by slot; None for a run's own
        self._taken: list[tuple[int, int]] = []  # slot, and the number of the value that lies there before
        self._made: list[tuple[int, int, DType]] = []  # slot, size and dtype
        self._graph: Callable[[Sequence[Any]], None] | None = None
        self._runs = 0
        self._dead = [n for index in steps for n in block.last_reads[index]]
        last = {sharing.memory[n]: index for index in steps for n in block.last_reads[index]}
        leaving = [n for index in steps for n in block.steps[index].outputs if n not in self._dead]
        outside = {sharing.memory[n] for n in leaving}
        slots: dict[int, int] = {}
        free: dict[tuple[int, DType], list[int]] = {}

        def taken_slot(number: int, step: Step, copies: Sequence[Begun]) -> int:
            place = sharing.memory[number]
            if place not in slots:
                begun = {pair.result: pair for pair in sharings.begun(step)}
                pair = begun.get(number)
                held = number if pair is None or pair in copies else pair.operand
                slots[place] = self._slot(None)
                self._taken.append((slots[place], held))
            return slots[place]

        def own_slot(size: int, dtype: DType) -> int:
            found = free.get((size, dtype))
            return found.pop() if found else self._slot(allocate(size, dtype, device))

        def give_back(dead: Iterable[int]) -> None:
            for slot in dead:
                if (buffer := self._own[slot]) is not None:
                    free.setdefault((buffer.size, buffer.dtype), []).append(slot)

        for index in steps:
            step = block.steps[index]
            region = compile_region(step if isinstance(step, Kernels) else step.region, device)  # type: ignore[union-attr]
            numbers = sharings.taken(step) if isinstance(step, Kernels) else tuple(dict.fromkeys(step.reads))
            places = [taken_slot(n, step, sharing.copied[index]) for n in numbers]
            for number, (size, dtype) in zip(step.outputs, region.outputs, strict=True):
                place = sharing.memory[number]
                if place not in slots and place in outside:
                    slots[place] = self._slot(None)
                    self._made.append((slots[place], size, dtype))
                elif place not in slots:
                    slots[place] = own_slot(size, dtype)
                places.append(slots[place])
            ends = {n: i for i, launch in enumerate(region.launches) for n in launch.buffers if n >= len(places)}
            temporaries: dict[int, int] = {}
            for i, launch in enumerate(region.launches):
                for n in launch.buffers:
                    if n >= len(places) and n not in temporaries:
                        temporaries[n] = own_slot(*region.temporaries[n - len(places)])
                self._launches.append(
                    (launch, tuple(temporaries[n] if n in ends else places[n] for n in launch.buffers))
                )
                give_back(temporaries[n] for n, end in ends.items() if end == i)
            give_back(slots[place] for place in slots if last.get(place) == index and place not in outside)
        self._leaving = [(n, slots[sharing.memory[n]]) for n in leaving]

    def _slot(self, buffer: Buffer | None) -> int:
        self._own.append(buffer)
        return len(self._own) - 1

    def run(self, buffers: list[Buffer | None]) -> None:
        """Launch the kernels on a block's buffers, and put there what later steps read."""
        with _launching:
            held = list(self._own)
            for slot, number in self._taken:
                held[slot] = buffers[number]
            for slot, size, dtype in self._made:
                held[slot] = allocate(size, dtype, self._device)
        self._runs += 1
        if self._runs == 2:
            with _building, _launching:
                self._graph = graph_of(self._launches[1:], held, self._own, self._device)
        with _launching:
            # The first launch, outside the graph, also tells the device which thread this is.
            for launch, places in self._launches if self._graph is None else self._launches[:1]:
                launch([held[slot].get_buf(self._device) for slot in places])  # type: ignore[union-attr]
            if self._graph is not None:
                self._graph(held)
        for number, slot in self._leaving:
            buffers[number] = held[slot]
        for number in self._dead:
            buffers[number] = None


# Launches fewer than that are not worth a graph.
LEAST_GRAPH = 3


@dataclass(frozen=True)
class Held:
    """A buffer, where tinygrad's graphs expect the node of one."""

    buffer: Buffer | None


def graph_of(
    launches: Sequence[tuple[Launch, tuple[int, ...]]],
    held: Sequence[Buffer | None],
    own: Sequence[Buffer | None],
    device: str,
) -> Callable[[Sequence[Buffer | None]], None] | None:
    """One launch for many, on a device that has graphs: it takes the buffers by slot, of which `own` never change."""
    opened = Device[device]
    if opened.graph is None or len(launches) < LEAST_GRAPH:
        return None
    nodes: dict[int, UOp] = {}

    def node(slot: int, parameter: UOp) -> UOp:
        if slot not in nodes:
            buffer = own[slot]
            size = int(parameter.max_numel())
            nodes[slot] = (
                UOp.param(slot, parameter.dtype, (size,), device) if buffer is None else UOp.from_buffer(buffer)
            )
        return nodes[slot]

    calls = []
    for launch, places in launches:
        arguments = launch.call.src[1:]
        if any(a.is_bound_var for a in arguments) or launch.call.src[0].arg.globals != tuple(range(len(arguments))):
            return None
        nodes_of_call = [node(slot, a) for slot, a in zip(places, arguments, strict=True)]
        calls.append(launch.call.replace(src=(launch.call.src[0], *nodes_of_call)))
    if not all(graph_class(opened).supports_uop([opened], call) for call in calls):
        return None
    linear = UOp(Ops.CUSTOM_FUNCTION, src=(UOp(Ops.LINEAR, src=tuple(calls)),), arg="graph")
    try:
        graph = opened.graph(linear, input_uops=tuple(map(Held, held)))
    except Exception:  # whatever a driver says: the launches one by one do the same
        return None
    return lambda buffers: graph(tuple(map(Held, buffers)), {})


class TinygradExecutor:
    """Runs a plan on a tinygrad device.

    Constants are uploaded once; everything else a run needs is made by that run.
    """

    def __init__(self, plan: Plan, device: str, host: Mapping[str, HostFunction]) -> None:
        open_device(device)
        self.plan, self.device, self.host = plan, device, host
        self.constants: dict[tuple[Block, int], Buffer | None] = {}
        self._sharings = Sharings(plan)
        self._parts: dict[tuple[Block, frozenset[int]], Sequence[Captured | int]] = {}
        self._updates = any(step.updates for step in plan.kernels())
        self._complete = False
        for block in plan.blocks():
            for number, array in block.constants:
                self.constants[block, number] = from_numpy(array, block.types[number], device)

    def compile(self, progress: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Compile all regions now rather than when a run first reaches them."""
        steps = list({step.key: step for step in self.plan.kernels(products=True)}.values())
        for done, step in enumerate(steps):
            progress(done, len(steps))
            compile_region(step, self.device)
        progress(len(steps), len(steps))
        self._complete = True

    def run(self, inputs: Sequence[Buffer | np.ndarray | None]) -> list[Buffer | None]:
        """The results of the entry function, in buffers that no one else holds."""
        if not self._complete:
            self.compile()  # all of it, so that what is wrong with the module is said before anything runs
        types = self.plan.main.types
        arrays = (x.array if isinstance(x, Fixed) else x for x in inputs)
        buffers = [
            from_numpy(x, types[i], self.device)
            if isinstance(x, np.ndarray)
            else as_truth_values(x, types[i], self.device)
            for i, x in enumerate(arrays)
        ]
        results = self._run(self.plan.main, buffers, {})
        held = {id(b) for b in (*buffers, *self.constants.values()) if b is not None}
        fresh = []
        for buffer in results:
            fresh.append(copied(buffer, self.device) if id(buffer) in held else buffer)
            held.add(id(buffer))
        return fresh

    def run_into(self, inputs: Sequence[Buffer | None], outputs: Sequence[Buffer | None]) -> None:
        """The same with the results in given buffers, which are none of the inputs."""
        for target, source in zip(outputs, self.run(inputs), strict=True):
            copy_into(target, source)

    def run_numpy(self, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The same on numpy arrays of the declared types."""
        main = self.plan.main
        return [to_numpy(b, main.types[n]) for b, n in zip(self.run(arrays), main.outputs)]

    def _run(self, block: Block, inputs: list[Buffer | None], kept: Mapping[int, int]) -> list[Buffer | None]:
        """A block's results; those of `kept` are in the buffers of the arguments that it says."""
        sharing = self._sharings.of(block, kept)
        buffers: list[Buffer | None] = [*inputs, *[None] * (len(block.types) - len(inputs))]
        for number, _ in block.constants:
            buffers[number] = self.constants[block, number]
        for part in self._parts_of(block, kept):
            if isinstance(part, Captured):
                self._begin(block, part.steps.start, sharing, buffers)
                part.run(buffers)
                continue
            self._begin(block, part, sharing, buffers)
            step = block.steps[part]
            results = self._step(step, block, buffers)
            for number, buffer in zip(step.outputs, results, strict=True):
                buffers[number] = buffer
            for number in block.last_reads[part]:
                buffers[number] = None
        results = [buffers[n] for n in block.outputs]
        if self._updates and block is not self.plan.main:
            # A later step may write into a result, so it must be nobody else's buffer.
            seen = {id(b) for b in (*inputs, *self.constants.values())}
            for i, buffer in enumerate(results):
                if i not in kept and id(buffer) in seen:
                    results[i] = copied(buffer, self.device)
                seen.add(id(buffer))
        return results

    def _parts_of(self, block: Block, kept: Mapping[int, int]) -> Sequence[Captured | int]:
        """A block's steps: runs of kernels, captured when they are first reached, and the numbers of the others."""
        key, sharing = (block, frozenset(kept.values())), self._sharings.of(block, kept)
        if key not in self._parts:
            runs: list[range] = []
            for index, step in enumerate(block.steps):
                joins = (
                    index and is_launched(step) and is_launched(block.steps[index - 1]) and not sharing.copied[index]
                )
                runs[len(runs) - bool(joins) :] = [range(runs[-1].start if joins else index, index + 1)]
            self._parts[key] = [
                Captured(block, run, sharing, self._sharings, self.device)
                if is_launched(block.steps[run[0]])
                else run[0]
                for run in runs
            ]
        return self._parts[key]

    def _begin(self, block: Block, index: int, sharing: Sharing, buffers: list[Buffer | None]) -> None:
        """Let the results of a step that begin as operands be those, or copies of them."""
        for pair in self._sharings.begun(block.steps[index]):
            operand = buffers[pair.operand]
            buffers[pair.result] = copied(operand, self.device) if pair in sharing.copied[index] else operand

    def _step(self, step: Step, block: Block, buffers: Sequence[Buffer | None]) -> list[Buffer | None]:
        """The results of a step that is more than kernels."""
        taken = [buffers[n] for n in self._sharings.taken(step)]
        match step:
            case While():
                return self._while(step, taken)
            case Case():
                return self._case(step, buffers[step.index], taken)
            case Call():
                return self._run(self.plan.functions[step.name], taken, self._sharings.kept(step))
            case Host():
                return self._host(step, block, taken)
            case Fourier():
                return self._host(step.host, block, taken[:1])
            case Lapack():
                return self._lapack(step, block, taken)
        raise NotImplementedError(step)

    def _while(self, step: While, taken: list[Buffer | None]) -> list[Buffer | None]:
        carries, captures = taken[: len(step.carries)], taken[len(step.carries) :]
        kept = self._sharings.kept(step)
        if step.trip_count is not None:  # nothing to ask the device for
            for _ in range(step.trip_count):
                carries = self._run(step.body, [*carries, *captures], kept)
            return carries
        while self._scalar(self._run(step.condition, [*carries, *captures], {})[0]):
            carries = self._run(step.body, [*carries, *captures], kept)
        return carries

    def _case(self, step: Case, selected: Buffer | None, taken: list[Buffer | None]) -> list[Buffer | None]:
        index = self._scalar(selected)
        if step.op.name == "stablehlo.if":
            index = 0 if index else 1
        # Out of range is the last branch (specification, case).
        branch = step.branches[index if 0 <= index < len(step.branches) else -1]
        return self._run(branch, taken, self._sharings.kept(step))

    def _scalar(self, buffer: Buffer | None) -> int:
        assert buffer is not None
        raw = np.empty(buffer.nbytes, np.uint8)
        buffer.allocator._copyout(raw.data, buffer._buf)
        return int.from_bytes(raw.tobytes(), "little", signed=True)

    def _host(self, step: Host, block: Block, inputs: list[Buffer | None]) -> list[Buffer | None]:
        arrays = [operand(b, block.types[n], self.device) for b, n in zip(inputs, step.inputs)]
        results = host_results(step, block, arrays, self.host)
        return [from_numpy(array, block.types[n], self.device) for n, array in zip(step.outputs, results)]

    def _lapack(self, step: Lapack, block: Block, inputs: list[Buffer | None]) -> list[Buffer | None]:
        arrays = [operand(b, block.types[n], self.device) for b, n in zip(inputs, step.inputs)]
        types = [block.types[n] for n in step.outputs]
        results = carried_out(step.procedure, arrays, list(map(dtype_and_shape, types)))
        return [from_numpy(array, type, self.device) for array, type in zip(results, types)]


def dtype_and_shape(type: Type) -> tuple[np.dtype, tuple[int, ...]]:
    tensor = expect_tensor(type)
    return numpy_dtype(tensor.element), static_shape(tensor)


def host_results(
    step: Host, block: Block, arrays: Sequence[np.ndarray], functions: Mapping[str, HostFunction]
) -> list[np.ndarray]:
    """What a host step gives for arrays that it must not change."""
    function = functions.get(step.name.removeprefix("@"))
    if function is not None and step.name not in RULES:
        # Copies, which a user's function may write to and keep.
        given = function(*(array.copy() for array in arrays))
        results = list(given) if isinstance(given, (tuple, list)) else [given]
    elif step.name in RULES:
        for array in arrays:
            array.flags.writeable = False
        results = apply_host(step.op, arrays)
    else:
        raise error_at(step.op, f"custom call {step.name[1:]!r} is not registered", UnsupportedOp)
    return [
        expect_declared(step, array, block.types[number])
        for number, array in zip(step.outputs, expect_results(step, results))
    ]


def expect_declared(step: Host, value: Any, type: Type) -> np.ndarray:
    array, type = np.asarray(value), as_tensor(type)
    assert isinstance(type, TensorType)
    shape, dtype = static_shape(type), numpy_dtype(type.element)
    if array.shape != shape or array.dtype != dtype:
        found = f"shape {array.shape} of {array.dtype}"
        raise error_at(
            step.op, f"{step.name.removeprefix('@')} returned {found}, declared is shape {shape} of {dtype}", InputError
        )
    return truth_values(array)


def expect_results(step: Host, results: list[Any]) -> list[Any]:
    if len(results) != len(step.outputs):
        message = f"{step.name.removeprefix('@')} returned {len(results)} results, {len(step.outputs)} are declared"
        raise error_at(step.op, message, InputError)
    return results
