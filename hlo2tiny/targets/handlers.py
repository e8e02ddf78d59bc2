"""Handlers that others compiled for XLA's typed FFI: what a call passes to them, and calls that are ready to run.

`c/handlers.c` builds the frame that a handler takes from a description: a sequence of 64-bit integers and texts, each
text a length and its bytes, padded to a multiple of 8.
"""

from __future__ import annotations

import ctypes
import struct
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from ..errors import Error, InputError, UnsupportedOp
from ..ir import (
    Attribute,
    BoolAttr,
    DenseArrayAttr,
    DenseAttr,
    DictAttr,
    ElementType,
    FloatAttr,
    IntegerAttr,
    Op,
    StringAttr,
    TensorType,
    TupleType,
    Type,
    error_at,
)
from ..ir.dtypes import as_tensor, byte_size, numpy_dtype, static_shape
from ..ops.attributes import plain
from ..plan.plan import Block, Host
from ..records import dataclass
from ..rules.registry import is_typed
from . import STAGES
from .arrays import addresses, dtype_and_shape

# The numbers of element types. Those of less than a byte are missing: XLA packs them, and hlo2tiny does not.
NUMBERS = {"i1": 1, "i8": 2, "i16": 3, "i32": 4, "i64": 5, "ui8": 6, "ui16": 7, "ui32": 8, "ui64": 9, "f16": 10}
NUMBERS |= {"f32": 11, "f64": 12, "complex<f32>": 15, "bf16": 16, "complex<f64>": 18, "f8E5M2": 19, "f8E4M3FN": 20}
NUMBERS |= {"f8E4M3B11FNUZ": 23, "f8E5M2FNUZ": 24, "f8E4M3FNUZ": 25, "f8E4M3": 28, "f8E3M4": 29, "f8E8M0FNU": 33}
ARRAY, DICTIONARY, SCALAR, STRING = 1, 2, 3, 4
INVALID_ARGUMENT = 3  # the code of errors about what is passed


@dataclass(frozen=True, eq=False)
class Handler:
    """The compiled functions that carry out a custom call.

    Attributes:
        stages: the address of the function for each stage that has one.
        symbols: the file of each stage's function and its name there, where they are known.
        file: what `c/handlers.c` was compiled to.
    """

    stages: Mapping[str, int]
    symbols: Mapping[str, tuple[str, str]]
    file: ctypes.CDLL

    def __call__(self, *arrays: np.ndarray) -> NoReturn:
        raise UnsupportedOp("a compiled handler is called by native code only, and none could be built here")


# ---------------------------------------------------------------- the call that a file has


def configuration(op: Op) -> Mapping[str, Attribute]:
    """The attributes that a custom call passes."""
    for name in ("backend_config", "mhlo.backend_config"):
        if isinstance(found := op.attributes.get(name), DictAttr):
            return found.items
    return {}


def expect_callable(op: Op) -> None:
    """Raise UnsupportedOp if a custom call has something that hlo2tiny passes to no handler."""
    name = plain(op.attributes.get("call_target_name"))
    if not is_typed(op):
        message = f"custom call {name!r} uses the untyped API; export it again with jax.ffi.ffi_call"
        raise error_at(op, message, UnsupportedOp)
    expect_buffers(op)
    try:
        dictionary(configuration(op))
    except UnsupportedOp as error:
        raise error_at(op, f"custom call {name!r} {error.message}", UnsupportedOp) from error


def result_types(op: Op) -> list[Type]:
    """The types of a custom call's results, of which there may be a tuple."""
    types = [as_tensor(value.type) for value in op.results]
    return list(map(as_tensor, types[0].types)) if len(types) == 1 and isinstance(types[0], TupleType) else types


def expect_buffers(op: Op) -> None:
    """Raise UnsupportedOp if an operand or a result of a custom call is not a buffer as code of others takes it."""
    name = plain(op.attributes.get("call_target_name"))
    for noun, types in (("operand", [as_tensor(value.type) for value in op.operands]), ("result", result_types(op))):
        layouts = plain(op.attributes.get(f"{noun}_layouts")) or ()
        for i, type in enumerate(types):
            if not isinstance(type, TensorType) or str(type.element) not in NUMBERS:
                message = f"{noun} {i} of custom call {name!r} is {type}, which handlers do not take; convert it first"
                raise error_at(op, message, UnsupportedOp)
            if i < len(layouts) and list(np.ravel(layouts[i])) != [*range(np.size(layouts[i]))][::-1]:
                message = (
                    f"{noun} {i} of custom call {name!r} has a layout that is not row-major; export it without layouts,"
                    " and transpose the value"
                )
                raise error_at(op, message, UnsupportedOp)


def describe(step: Host, block: Block) -> bytes:
    """What the call of a handler passes, except for addresses: its operands, results, aliases and attributes."""
    inputs, outputs = ([block.types[n] for n in side] for side in (step.inputs, step.outputs))
    aliases = aliases_with_sizes(step, block)
    parts = [buffers(inputs), buffers(outputs), numbers(len(aliases)), *(numbers(*alias) for alias in aliases)]
    return b"".join([*parts, dictionary(configuration(step.op))])


def aliases_of(op: Op) -> list[tuple[int, int]]:
    """The operands that have to be in the memory of a result: the operand and the result."""
    aliases = plain(op.attributes.get("output_operand_aliases")) or ()
    return [(int(a["operand_index"]), int([*a["output_tuple_indices"], 0][0])) for a in aliases]


def aliases_with_sizes(step: Host, block: Block) -> list[tuple[int, int, int]]:
    """The same with the bytes of each."""
    return [(n, result, byte_size(block.types[step.inputs[n]])) for n, result in aliases_of(step.op)]


def numbers(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}q", *values)


def text(data: bytes) -> bytes:
    return numbers(len(data)) + data + bytes(-len(data) % 8)


def buffers(types: Sequence[Type]) -> bytes:
    parts = [numbers(len(types))]
    for type in map(as_tensor, types):
        assert isinstance(type, TensorType)
        shape = static_shape(type)
        parts.append(numbers(NUMBERS[str(type.element)], len(shape), *shape))
    return b"".join(parts)


def dictionary(items: Mapping[str, Attribute]) -> bytes:
    """The attributes in the order of their names; raises UnsupportedOp for one that has no equivalent in C."""
    named = sorted((name.encode("utf-8", "surrogateescape"), attribute) for name, attribute in items.items())
    return b"".join([numbers(len(items)), *(entry(name, attribute) for name, attribute in named)])


def entry(name: bytes, attribute: Attribute) -> bytes:
    def tagged(kind: int, *parts: bytes) -> bytes:
        return b"".join([numbers(kind), text(name), *parts])

    match attribute:
        case StringAttr(value):
            return tagged(STRING, text(value.encode("utf-8", "surrogateescape")))
        case DictAttr(items):
            return tagged(DICTIONARY, dictionary(items))
        case BoolAttr(value):
            return tagged(SCALAR, numbers(NUMBERS["i1"]), text(bytes([value])))
        case IntegerAttr(value, type) | FloatAttr(value, type) if str(type) in NUMBERS:
            return tagged(SCALAR, numbers(NUMBERS[str(type)]), text(bits([value], type)))
        case DenseArrayAttr(element, values) if str(element) in NUMBERS:
            return tagged(ARRAY, numbers(NUMBERS[str(element)], len(values)), text(bits(values, element)))
        case DenseAttr(type, data) if str(type.element) in NUMBERS:
            return tagged(ARRAY, numbers(NUMBERS[str(type.element)], data.size), text(bits(data, type.element)))
    shown = name.decode("utf-8", "backslashreplace")
    raise UnsupportedOp(
        f"has the attribute {shown!r}, {attribute!s:.60}, which handlers do not take; pass a number, a string, a numpy"
        " array or a dictionary of these"
    )


def bits(values: Any, element: ElementType) -> bytes:
    return np.ascontiguousarray(np.asarray(values, numpy_dtype(element))).tobytes()


def summary(step: Host, block: Block) -> str:
    """What a call passes, for a message."""
    inputs, outputs = (", ".join(str(block.types[n]) for n in side) for side in (step.inputs, step.outputs))
    passed = [f"{name}: {kind_of(attribute)}" for name, attribute in sorted(configuration(step.op).items())]
    return f"({inputs}) -> ({outputs})" + (f" with {', '.join(passed)}" if passed else "")


def kind_of(attribute: Attribute) -> str:
    match attribute:
        case StringAttr():
            return "string"
        case DictAttr():
            return "dictionary"
        case BoolAttr():
            return "i1"
        case IntegerAttr(_, type) | FloatAttr(_, type):
            return str(type)
        case DenseArrayAttr(element, _):
            return f"array of {element}"
        case DenseAttr(type):
            return f"array of {type.element}"
    return str(attribute)


# ---------------------------------------------------------------- calls that can run


class HandlerCall(ctypes.Structure):
    """What a run of a program needs: its calls, and room for the reason why one failed; `code` is 0 if none did."""

    _fields_ = [
        ("calls", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
        ("call", ctypes.c_int),
        ("code", ctypes.c_int),
        ("message", ctypes.c_char * 2000),
    ]


class UserData(threading.local):
    """What a client of PJRT passes to the handlers that this thread's runs call: an address, see handlers.c, or 0."""

    address = 0


user_data = UserData()


class DeviceStructure(ctypes.Structure):
    """The GPU that a call is for: its stream, the functions that allocate and free memory there, and its number."""

    _fields_ = [
        ("stream", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("number", ctypes.c_int),
    ]


class Calls:
    """The calls of handlers in a program, which have gone through the first stage.

    Attributes:
        address: the address of the calls, for `HandlerCall`.
        function: the address of C's `call_handler`.
        aliases: for each call, the operands that have to be in a result's memory: both, and the bytes.
        room: the bytes that a run needs for `HandlerCall`.

    Raises:
        InputError: a handler was compiled for another version of the interface, or its first stage failed.
    """

    def __init__(self, steps: Sequence[tuple[Block, Host]], handlers: Mapping[str, Handler]) -> None:
        self._steps = steps
        found = [handlers[step.name[1:]] for _, step in steps]
        descriptions = [describe(step, block) for block, step in steps]
        make, end, call = (
            getattr(found[0].file, f"hlo2tiny_{name}") for name in ("make_calls", "end_calls", "call_handler")
        )
        names = [ctypes.c_char_p(step.name[1:].encode("utf-8", "surrogateescape")) for _, step in steps]
        self._held: Any = [ctypes.create_string_buffer(each, len(each)) for each in descriptions], names, found
        functions = addresses(handler.stages.get(stage, 0) for handler in found for stage in STAGES)
        places, sizes = addresses(map(ctypes.addressof, self._held[0])), addresses(map(len, descriptions))
        make.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t, *[ctypes.c_void_p] * 4]
        end.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t]
        calling = HandlerCall()
        if make(
            ctypes.addressof(calling), len(steps), functions, (ctypes.c_char_p * len(names))(*names), places, sizes
        ):
            raise self.error(calling)
        self._call, call.argtypes = call, [ctypes.c_void_p, ctypes.c_ssize_t, *[ctypes.c_void_p] * 3]
        self.aliases = [aliases_with_sizes(step, block) for block, step in steps]
        weakref.finalize(self, end, calling.calls, len(steps)).atexit = False  # threads may be in a run
        self.address, self.function = calling.calls, ctypes.cast(call, ctypes.c_void_p).value or 0

    room = ctypes.sizeof(HandlerCall)

    def begin(self, address: int) -> None:
        """Write `HandlerCall` to an address, for the next run of this thread."""
        ctypes.memset(address, 0, self.room)
        calling = HandlerCall.from_address(address)
        calling.calls, calling.data = self.address, user_data.address

    def failure(self, address: int) -> Error | None:
        """The error about the run with the `HandlerCall` at an address, if a handler failed in it."""
        calling = HandlerCall.from_address(address)
        if not calling.code:
            return None
        error = self.error(calling)
        calling.code = 0
        return error

    def run(
        self, number: int, inputs: Sequence[int], outputs: Sequence[int], device: DeviceStructure | None = None
    ) -> None:
        """Call a handler on memory of the host, or of a device; there, operands with aliases have been copied.

        Raises:
            InputError: it failed.
        """
        calling = HandlerCall(self.address, user_data.address)
        at, on = ctypes.addressof(calling), None if device is None else ctypes.addressof(device)
        if self._call(at, number, addresses(inputs), addresses(outputs), on):
            raise self.error(calling)

    def run_arrays(self, number: int, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The results of a handler of the host; raises InputError if it fails."""
        block, step = self._steps[number]
        results = [np.empty(shape, dtype) for dtype, shape in (dtype_and_shape(block.types[n]) for n in step.outputs)]
        inputs, outputs = ([x.ctypes.data for x in side] for side in (arrays, results))
        self.run(number, inputs, outputs)
        return results

    def error(self, failure: HandlerCall) -> Error:
        """The error about a failed run."""
        block, step = self._steps[failure.call]
        message = failure.message.decode("utf-8", "backslashreplace").strip()
        if failure.code == INVALID_ARGUMENT:
            message += f"\nthe call passes {summary(step, block)}; compile the handler for that, or change the call"
        return error_at(step.op, message, InputError)


def handlers_in(custom_calls: Mapping[str, Any]) -> dict[str, Handler]:
    return {name: function for name, function in custom_calls.items() if isinstance(function, Handler)}
