"""The plugin's library: how it is compiled, and what Python does for it."""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import os
import re
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import astuple
from functools import cache, cached_property
from itertools import count
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..errors import Error, InputError, UnsupportedOp
from ..formats import ProgramFile
from ..ir.dtypes import numpy_dtype
from ..ir.entry import entry_function
from ..ir.types import ComplexType, ElementType, ScalarType, TokenType
from ..machine import cache as stored
from ..machine.compiler import expect_executable
from ..output import written
from ..program import load
from ..program.device import default_device
from ..program.interface import DONATION, donors_of
from ..program.sharded import ShardedExecutor
from ..stopping import Stop
from ..targets import count_processors, target_of
from ..targets.arrays import ALIGNMENT
from ..targets.c.code import CCode, is_own, own_code, physical_memory
from ..targets.c.linking import shared_object
from ..targets.c.native import view
from ..targets.c.packing import Packing
from ..targets.c.templates import read_code
from ..targets.handlers import user_data
from ..tinygrad.device import open_device
from ..versions import STABLEHLO, __version__
from . import PLATFORM
from .handlers import TypeInfo, handlers_called, register_handler, register_type
from .layouts import Placed, in_memory, placed
from .options import read_options
from .partitions import described, partitioned

T = TypeVar("T")
FOLDER = Path(__file__).parent
INTERFACE = (FOLDER / "interface.c").read_text("utf-8")
PLUGIN = (FOLDER / "plugin.c").read_text("utf-8")
# What the code of threads expects.
THREADS = "typedef int64_t int64;\n#ifdef _WIN32\n#define long __INTPTR_TYPE__\n#endif\n"
# The element types in the order of their numbers.
ELEMENTS = re.findall(r"X\((\w+), \d+\)", INTERFACE)
TOKEN = ELEMENTS.index("TOKEN")
CANCELLED, INVALID_ARGUMENT, RESOURCE_EXHAUSTED, UNIMPLEMENTED, INTERNAL = 1, 3, 8, 12, 13


def text() -> str:
    """The library's source. Calls that plugin.c has no function for answer UNIMPLEMENTED."""
    listed = (f"X({name})" for name in re.findall(r"(?m)^(?:FUNCTION|READER|PLAIN)\((\w+)", PLUGIN))
    implemented = " ".join(name for name in listed if name in INTERFACE)
    # What code expects of its caller is what driver.c says.
    digest = hashlib.sha256((FOLDER.parent / "targets" / "c" / "driver.c").read_bytes()).hexdigest()[:16]
    threads = "".join(map(read_code, ("clock.c", "threading.c", "semaphores.c")))
    given = f"#define CODE_DIGEST 0x{digest}ull\n#define IMPLEMENTED(X) {implemented}\n"
    return f"{INTERFACE}{given}{THREADS}{threads}{PLUGIN}"


@cache
def start() -> ctypes.CDLL:
    """Compile the library, load it, and offer Python's services to it."""
    library = ctypes.CDLL(str(build()))
    library.hlo2tiny_pjrt_begin.argtypes = [ctypes.c_void_p]
    library.hlo2tiny_pjrt_begin(ctypes.addressof(SERVICES))
    # Buffers and executables may be released when there is no interpreter left to notify.
    atexit.register(library.hlo2tiny_pjrt_begin, None)
    return library


def build() -> Path:
    """The library in the cache's folder, or in one that is removed at the end if nothing is kept."""
    name = stored.key("pjrt", text())
    folder = stored.folder()
    if folder is None:
        temporary = tempfile.TemporaryDirectory(prefix="hlo2tiny-pjrt-")
        atexit.register(temporary.cleanup)
        folder = Path(temporary.name)
    place = folder / f"{name}.so"
    if not place.exists():
        compiled = shared_object(f"pjrt {name}", lambda: [text()])
        with written(place) as file:
            file.write(compiled)
        expect_executable(place)
    os.utime(place)
    return place


# ---------------------------------------------------------------- what C and Python share


ARRAYS = ("types", "ranks", "sizes", "donated", "in_place", "orders", "kinds", "devices")


class CompiledProgram(ctypes.Structure):
    """`struct program` of plugin.c."""

    _fields_ = [
        ("handle", ctypes.c_int64),
        ("text", ctypes.c_void_p),
        ("text_size", ctypes.c_int64),
        *((name, ctypes.c_int64) for name in ("replicas", "partitions", "inputs", "outputs")),
        *((name, ctypes.c_void_p) for name in (*ARRAYS, "run")),
        ("places", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in ("constants", "library", "signals", "parallel")),
        *((name, ctypes.c_int64) for name in ("arena", "code_size")),
        ("calls", ctypes.c_void_p),
        ("room", ctypes.c_int64),
        ("packing_count", ctypes.c_int64),
        ("copy_count", ctypes.c_int64),
        ("packings", ctypes.c_void_p),
    ]


class Executable:
    """A compiled program, and the data of it that C reads.

    Args:
        code: StableHLO, as text or bytecode.
        options: a serialized CompileOptionsProto.
        names: the devices.

    Raises:
        Error: the program or the options are damaged, or cannot run here.
    """

    def __init__(self, code: bytes, options: bytes, names: Sequence[str]) -> None:
        asked = read_options(options)
        self.replicas, self.partitions = asked.replicas, asked.partitions
        self.devices = asked.devices or tuple(range(asked.replicas * asked.partitions))
        if wrong := [device for device in self.devices if device >= len(names)]:
            raise InputError(f"the program is for device {wrong[0]}, but the only ones are {', '.join(names)}")
        chosen = tuple(names[device] for device in self.devices)
        text = code
        code, *self.placed = placed(code, len(chosen) == 1)
        local = partitioned(code, self.replicas, self.partitions) if len(chosen) > 1 else None
        # Those of one device, for each, or the one program of all.
        handlers = handlers_called(code, kernels_of(chosen[0]))
        self.programs = (
            [load(code, device=kernels_of(name), ffi=handlers) for name in chosen]
            if local is None
            else [load(local, device=chosen, ffi=handlers)]
        )
        self.program = self.programs[0]
        # Most programs come from the store, which is read in less time than their modules.
        donates = any(name.encode() in code for name in DONATION)
        self.donors = set(donors_of(entry_function(self.program.module))) if donates else set()
        for program in self.programs:
            program.compile()
        only = self.program._specialisations.only
        if only is None:
            raise UnsupportedOp("the program has open dimensions, which PJRT does not allow")
        executor = only.compile()
        self.team, self.text = None, text
        # A client also passes and receives tokens: buffers without contents, at these indices.
        self.tokens = tokens_of(code) if b"token" in code else (set[int](), set[int]())
        self.inputs, self.outputs = only.inputs, only.outputs
        if isinstance(executor, ShardedExecutor):  # a client passes what each device holds
            sides = executor.inputs, executor.outputs
            self.inputs, self.outputs = ([p.part for p in side] for side in sides)
            self.team = executor.team
            self.text = described(self.program.module, *map(with_tokens, sides, self.tokens))
        elif self.partitions > 1:  # each runs the whole
            whole = ([None] * len(side) for side in (self.inputs, self.outputs))
            self.text = described(self.program.module, *map(with_tokens, whole, self.tokens))
        if len(chosen) > 1:
            self.inputs, self.outputs = (
                [in_memory(type, at.order) if at.order else type for type, at in zip(types, self.places_of(side))]
                for side, types in enumerate((self.inputs, self.outputs))
            )
        alone = len(chosen) == 1 and not any(self.tokens)
        self.native = executor if alone and isinstance(executor, CCode) and executor.host is None else None

    def describe(self, program: CompiledProgram) -> None:
        """Fill in what C reads. The arrays live as long as this object."""
        native = self.native
        inputs, outputs = (with_tokens(*side) for side in zip((self.inputs, self.outputs), self.tokens))
        types = [*inputs, *outputs]
        places = [side.get(i, Placed()) for side, of in zip(self.placed, (inputs, outputs)) for i in range(len(of))]
        shapes = [at.logical([d or 0 for d in type.shape]) if type else [] for at, type in zip(places, types)]
        orders = [at.order or reversed(range(len(shape))) for at, shape in zip(places, shapes)]
        numbers = with_tokens(range(len(self.inputs)), self.tokens[0])
        donors = {i for i, n in enumerate(numbers) if n in self.donors}
        in_place = native.in_place if native else {}
        self.arrays = [
            np.array(values, np.int64)
            for values in (
                [element_number(type.element) if type else TOKEN for type in types],
                [len(shape) for shape in shapes],
                [size for shape in shapes for size in shape],
                [i in donors for i in range(len(inputs))],
                [in_place[i] if in_place.get(i) in donors else -1 for i in range(len(outputs))],
                [d for order in orders for d in order],
                [at.memory for at in places],
                self.devices,
            )
        ]
        for name, array in zip(ARRAYS, self.arrays):
            setattr(program, name, array.ctypes.data)
        program.text, program.text_size = ctypes.cast(ctypes.c_char_p(self.text), ctypes.c_void_p).value, len(self.text)
        program.replicas, program.partitions, program.places = self.replicas, self.partitions, len(inputs)
        program.inputs, program.outputs = len(inputs), len(outputs)
        if native:
            library, parallel, signals = native.environment
            program.run = ctypes.cast(native.file.run_plan, ctypes.c_void_p).value
            packings = [(number, *astuple(packing)) for number, packing in native.packings.items()]
            counts = {i: prod(shape) for i, shape in enumerate(shapes[: len(inputs)]) if i not in native.packings}
            copies = [(i, *astuple(Packing(1, n, n, 1, n))) for i, n in counts.items() if n >= ALIGNMENT]
            self.packings = np.array([*packings, *copies], np.int64)
            program.packing_count, program.copy_count = len(packings), len(copies)
            program.packings = self.packings.ctypes.data
            program.places += len(packings)
            program.constants = ctypes.addressof(native.constant_addresses)
            program.library, program.signals = ctypes.addressof(library), ctypes.addressof(signals)
            program.parallel, program.arena, program.code_size = parallel, native.arena, len(native.shared)
            if native.calls:
                program.calls, program.room = native.calls.address, native.calls.room

    @cached_property
    def packed(self) -> bytes:
        """What C loads where there is no Python, see load_native in plugin.c; nothing if Python is needed."""
        code = self.native
        if code is None or code.calls or not all(map(is_own, code.library)):
            return b""
        several = code.environment[1] is not None
        threads, names = own_code("threads") if several else b"", [name.encode() + b"\0" for name in code.library]
        own = map(own_code, code.library)
        places = len(self.inputs) + len(code.packings)
        numbers = [1, 1, len(self.inputs), len(self.outputs), places, code.arena, len(code.shared)]
        numbers += [code.threads, count_processors(), len(code.library)]
        parts = [np.array(numbers, np.int64).tobytes(), *(array.tobytes() for array in self.arrays)]
        parts += [code.shared, threads, b"".join(names), *own, *(x.tobytes() for x in code.constants)]
        table, begins = 8 + 16 * len(parts), list[int]()
        end = table
        for part in parts:
            begins.append(end + -end % ALIGNMENT)
            end = begins[-1] + len(part)
        whole = bytearray(end)
        entries = [len(parts), *(n for begin, part in zip(begins, parts) for n in (begin, len(part)))]
        whole[:table] = np.array(entries, np.int64).tobytes()
        for begin, part in zip(begins, parts):
            whole[begin : begin + len(part)] = part
        return bytes(whole)

    def execute(self, inputs: Any, outputs: Any) -> None:
        """Run on memory at these addresses: of what the first device holds, and so on."""
        given, wanted = self.arrays_of(inputs, 0), self.arrays_of(outputs, 1)
        given = [[np.asarray(array, order="C") for array in each] for each in given]
        if not self.team:
            results = [program.numpy_one_by_one(arrays) for program, arrays in zip(self.programs, given)]
        elif all(array.flags.c_contiguous for each in wanted for array in each):
            return self.team.run_each(given, wanted)
        else:
            results = [[np.empty(array.shape, array.dtype) for array in each] for each in wanted]
            self.team.run_each(given, results)
        for places, found in zip(wanted, results):
            for array, result in zip(places, found):
                array[...] = result

    def places_of(self, side: int) -> list[Placed]:
        """Where the arguments, or the results, without tokens are."""
        count, tokens = len((self.inputs, self.outputs)[side]), self.tokens[side]
        return [self.placed[side].get(i, Placed()) for i in range(count + len(tokens)) if i not in tokens]

    def arrays_of(self, addresses: Any, side: int) -> list[list[np.ndarray]]:
        """The arguments, or the results, of each device, without tokens, as the program has them."""
        types, places = (self.inputs, self.outputs)[side], self.places_of(side)
        turned = len(self.devices) > 1  # else, the program itself takes what lies in memory
        count, kept = len(types) + len(self.tokens[side]), with_tokens(range(len(types)), self.tokens[side])

        def array(address: int, number: int) -> np.ndarray:
            found, at = view(address, types[number]), places[number]
            return found.transpose(at.axes) if turned and at.order else found

        return [
            [array(addresses[n * count + i], number) for i, number in enumerate(kept) if number is not None]
            for n in range(len(self.devices))
        ]


def kernels_of(name: str) -> str:
    """The device that a program is compiled for: CPU for each of CPU:0 and CPU:1, whose memory is the same."""
    kind, _, number = name.upper().partition(":")
    return kind if number.isdigit() and target_of(kind).on_host else name


def tokens_of(code: bytes) -> tuple[set[int], set[int]]:
    """Which arguments and which results of a program are tokens."""
    type = entry_function(ProgramFile(code).read().module).type
    inputs, outputs = (
        {i for i, of in enumerate(side) if isinstance(of, TokenType)} for side in (type.inputs, type.results)
    )
    return inputs, outputs


def with_tokens(values: Sequence[T], tokens: set[int]) -> list[T | None]:
    """The values, and None for each token."""
    left = iter(values)
    return [None if i in tokens else next(left) for i in range(len(values) + len(tokens))]


def element_number(element: ElementType) -> int:
    """The number of an element type in the interface."""
    numpy_dtype(element)
    match element:
        case ComplexType(ScalarType(name)):
            return ELEMENTS.index(f"C{2 * int(name[1:])}")
        case ScalarType("i1"):
            return ELEMENTS.index("PRED")
        case ScalarType(name):
            own = re.sub(r"^i(?=\d+$)", "S", re.sub(r"^ui(?=\d+$)", "U", name)).upper()
            if own in ELEMENTS:
                return ELEMENTS.index(own)
    raise UnsupportedOp(f"PJRT has no arrays of {element}")


# ---------------------------------------------------------------- services

_executables: dict[int, Executable] = {}
_numbers = count(1)
# The last message in each thread; a thread that is not Python's has no `threading.local` that outlives a call.
_messages: dict[int, Any] = {}


def devices() -> list[str]:
    """The names in HLO2TINY_DEVICE, or the default device; raises InputError if one does not open."""
    names = [name.strip() for name in os.environ.get("HLO2TINY_DEVICE", "").split(",") if name.strip()]
    for name in names:
        open_device(name)
    return names or [default_device()]


def answers(service: Callable[..., None]) -> Callable[..., int]:
    """A function for C: exceptions become codes, whose messages C asks for."""

    def answer(*arguments: Any) -> int:
        try:
            service(*arguments)
        except BaseException as error:
            message = message_of(error).encode("utf-8", "replace")
            _messages[threading.get_ident()] = ctypes.create_string_buffer(message)
            return code_of(error)
        return 0

    return answer


def message_of(error: BaseException) -> str:
    return str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}"


def code_of(error: BaseException) -> int:
    match error:
        case UnsupportedOp():
            return UNIMPLEMENTED
        case Error():
            return INVALID_ARGUMENT
        case MemoryError():
            return RESOURCE_EXHAUSTED
        case KeyboardInterrupt():
            return CANCELLED
    return INTERNAL


def give_devices(names: int, size: int) -> None:
    found = ",".join(devices()).encode()
    if len(found) >= size:
        raise InputError("HLO2TINY_DEVICE is too long")
    ctypes.memmove(names, found + b"\0", len(found) + 1)


def compile_program(code: int, code_size: int, options: int, options_size: int, program: Any) -> None:
    executable = Executable(ctypes.string_at(code, code_size), ctypes.string_at(options, options_size), devices())
    executable.describe(program[0])
    program[0].handle = handle = next(_numbers)
    _executables[handle] = executable


def execute_program(handle: int, inputs: Any, outputs: Any, data: int | None, interrupted: int | None) -> None:
    user_data.address = data or 0
    try:
        with Stop(interrupted) if interrupted else nullcontext():
            _executables[handle].execute(inputs, outputs)
    finally:
        user_data.address = 0


def count_costs(handle: int, flops: Any, bytes: Any) -> None:
    cost = _executables[handle].program.cost()
    flops[0], bytes[0] = cost.flops, cost.bytes


def give_native(handle: int, bytes: Any, size: Any) -> None:
    packed = _executables[handle].packed
    bytes[0], size[0] = ctypes.cast(ctypes.c_char_p(packed), ctypes.c_void_p).value, len(packed)


def release_program(handle: int) -> None:
    _executables.pop(handle, None)


def know_handler(name: int, length: int, handler: int, for_host: int) -> None:
    text = ctypes.string_at(name, length).decode("utf-8", "surrogateescape")
    register_handler(text, ctypes.c_void_p(handler), bool(for_host))


def know_type(name: int, length: int, type: int, delete: int | None) -> None:
    info = TypeInfo(ctypes.sizeof(TypeInfo), None, delete)
    register_type(ctypes.string_at(name, length), type, ctypes.addressof(info))


def last_message() -> int:
    return ctypes.addressof(_messages[threading.get_ident()])


_int, _place, _size = ctypes.c_int, ctypes.c_void_p, ctypes.c_int64
_places, _double = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_double)
# What C calls, in the order of `struct python`, and the types of the result and of the arguments.
_FUNCTIONS: dict[str, tuple[Callable[..., Any], Any]] = {
    "devices": (answers(give_devices), (_int, _place, _size)),
    "compile": (
        answers(compile_program), (_int, _place, _size, _place, _size, ctypes.POINTER(CompiledProgram)),
    ),
    "execute": (answers(execute_program), (_int, _size, _places, _places, _place, _place)),
    "cost": (answers(count_costs), (_int, _size, _double, _double)),
    "native": (answers(give_native), (_int, _size, _places, ctypes.POINTER(_size))),
    "release": (release_program, (None, _size)),
    "handler": (answers(know_handler), (_int, _place, _size, _place, _int)),
    "type": (answers(know_type), (_int, _place, _size, _place, _place)),
    "message": (last_message, (_place,)),
}  # fmt: skip
_KINDS = {name: ctypes.CFUNCTYPE(*types) for name, (_, types) in _FUNCTIONS.items()}


class Services(ctypes.Structure):
    """`struct python` of plugin.c."""

    _fields_ = [*_KINDS.items(), ("version", ctypes.c_char_p), ("stablehlo", ctypes.c_int64 * 3)]
    _fields_ += [("processors", ctypes.c_int64), ("packable", ctypes.c_int64)]


SERVICES = Services(
    **{name: kind(_FUNCTIONS[name][0]) for name, kind in _KINDS.items()},
    version=f"{PLATFORM} {__version__}".encode(),
    stablehlo=(ctypes.c_int64 * 3)(*STABLEHLO, 0),
    processors=count_processors(),
    packable=physical_memory() // 4,
)
