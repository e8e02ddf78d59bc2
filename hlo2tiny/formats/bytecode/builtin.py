"""The builtin dialect's attributes, types and locations, by their codes, and the quant dialect's types.

The codes are the order in which MLIR's BuiltinDialectBytecode.td and QuantDialectBytecode.td list them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import zip_longest

import numpy as np

from ... import ir
from ...errors import ParseError
from ...ir.dtypes import bit_width, is_stored, numpy_dtype
from ...ir.numbers import is_float
from ...ir.strings import quote
from ...syntax import dense
from . import affine
from .file import Entry, Table, make_reader

I1, F64 = ir.ScalarType("i1"), ir.ScalarType("f64")
UNKNOWN_SIZE = -(1 << 63)
MOST_BITS = 1 << 13  # of an integer: Python refuses to print more than a few thousand digits
DEEPEST_LOCATION, LONGEST_LOCATION = 6, 1000  # of a location that is an attribute
ALIAS = re.compile(r'("(?:[^"\\]|\\.)*")|#(\d+)')
VECTOR = re.compile(r"vector<((?:\d+x)+)([su]?i\d+|index)>")
MOST_SCALES = 1 << 16  # of a quantized type
MOST_PRINTED = 1 << 10  # elements of a dense attribute in the text of another one

# ---------------------------------------------------------------- parts that several dialects share


def text_of(entry: Entry) -> str:
    """The string attribute at an entry."""
    attribute = entry.attribute()
    if not isinstance(attribute, ir.StringAttr):
        entry.fail("expected a string attribute")
    return attribute.value


def integer(entry: Entry, type: ir.ScalarType) -> int:
    """A number of an integer type, with its sign in text: the highest bit of a signless number is its sign."""
    width = bit_width(type)
    value = entry.known_width(width)
    return value - (1 << width) if type.name[0] != "u" and value >> (width - 1) else value


def integer_attribute(entry: Entry, type: ir.Type) -> ir.Attribute:
    if not isinstance(type, ir.ScalarType) or is_float(type):
        entry.fail(f"an integer cannot have the type {type}")
    if type == I1:
        return ir.BoolAttr(bool(entry.known_width(1)))
    return ir.IntegerAttr(integer(entry, type), type)


def double(entry: Entry) -> float:
    return float(dense.from_bits(entry.known_width(64), F64))


def float_attribute(entry: Entry, type: ir.Type) -> ir.Attribute:
    if not isinstance(type, ir.ScalarType) or not is_float(type):
        entry.fail(f"a floating-point number cannot have the type {type}")
    return ir.FloatAttr(float(dense.from_bits(entry.known_width(bit_width(type)), type)), type)


def elements(entry: Entry, type: ir.Type, data: memoryview, resource: str | None = None) -> ir.DenseAttr:
    """A dense attribute over the file's own memory, or over a copy if the numbers are not aligned for numpy."""
    if not isinstance(type, ir.TensorType):
        entry.fail(f"dense elements need a tensor type, found {type}")
    alignment = numpy_dtype(type.element).alignment
    if alignment > 1 and np.frombuffer(data, np.uint8).ctypes.data % alignment:
        data = memoryview(bytes(data))
    return dense.of_bytes(data, type, resource)


def shape(entry: Entry) -> tuple[int | None, ...]:
    sizes = entry.signed_list()
    if any(size < 0 and size != UNKNOWN_SIZE for size in sizes):
        entry.fail(f"a tensor cannot have the shape {sizes}")
    return tuple(None if size == UNKNOWN_SIZE else size for size in sizes)


def element(entry: Entry) -> ir.ElementType:
    type = entry.type()
    if not isinstance(type, ir.ScalarType | ir.ComplexType | ir.QuantizedType):
        entry.fail("the elements of a tensor must be numbers")
    return type


def print_attribute(entry: Entry, attribute: ir.Attribute) -> str:
    """An attribute as part of another one's text."""
    match attribute:
        case ir.DialectAttr(text=text):
            entry.spend(len(text))
        case ir.StringAttr(text):
            entry.spend(len(text))
        case ir.SymbolAttr(names):
            entry.spend(sum(map(len, names)))
        case ir.DenseAttr(data=data) if data.size <= MOST_PRINTED:
            entry.spend(data.size)
        case ir.IntegerAttr() | ir.BoolAttr() | ir.UnitAttr():
            pass
        case _:
            entry.fail("an attribute of this kind cannot be part of another")
    return str(attribute)


def printed_type(entry: Entry) -> str:
    """The type of the elements of a vector or buffer, as part of its text."""
    type = entry.type()
    if not isinstance(type, ir.ScalarType | ir.ComplexType | ir.OpaqueType):
        entry.fail(f"the elements of a vector or buffer cannot have the type {type}")
    text = str(type)
    entry.spend(len(text))
    return text


def scalar(entry: Entry) -> ir.ScalarType:
    type = entry.type()
    if not isinstance(type, ir.ScalarType):
        entry.fail(f"expected a scalar type, found {type}")
    return type


def tensor(entry: Entry) -> ir.TensorType:
    return ir.TensorType(shape(entry), element(entry))


def encoded_tensor(entry: Entry) -> ir.TensorType:
    encoding = entry.attribute()
    return ir.TensorType(shape(entry), element(entry), encoding)


def function(entry: Entry) -> ir.FunctionType:
    return ir.FunctionType(entry.types(), entry.types())


def memref(entry: Entry) -> ir.OpaqueType:
    sizes = "".join(f"{'?' if size is None else size}x" for size in shape(entry))
    return ir.OpaqueType(f"memref<{sizes}{printed_type(entry)}>")


# ---------------------------------------------------------------- attributes


def dictionary(entry: Entry) -> ir.DictAttr:
    return ir.DictAttr({text_of(entry): entry.attribute() for _ in range(entry.count())})


def typed_string(entry: Entry) -> ir.StringAttr:
    value = ir.StringAttr(entry.string())
    entry.type()
    return value


def symbol(entry: Entry) -> ir.SymbolAttr:
    names = [text_of(entry)]
    for nested in entry.attributes():
        if not isinstance(nested, ir.SymbolAttr):
            entry.fail("expected a symbol")
        names += nested.names
    return ir.SymbolAttr(tuple(names))


def resource(entry: Entry) -> ir.DenseAttr:
    type, at, index = entry.type(), entry.at, entry.varint()
    if index >= len(entry.file.resources):
        entry.fail(f"there is no resource {index}: the file has {len(entry.file.resources)}", at)
    name, data = entry.file.resources[index]
    return elements(entry, type, data, name)


def array(entry: Entry) -> ir.DenseArrayAttr:
    type, size, data = scalar(entry), entry.varint(), entry.blob()
    dtype = numpy_dtype(type)
    if len(data) != size * dtype.itemsize:
        entry.fail(f"an array of {size} {type.name} cannot have {len(data)} bytes")
    return ir.DenseArrayAttr(type, tuple(np.frombuffer(data, dtype).tolist()))


def dense_elements(entry: Entry) -> ir.DenseAttr | ir.DialectAttr:
    begin, type, data = entry.at, entry.type(), entry.blob()
    if isinstance(type, ir.OpaqueType) and (match := VECTOR.fullmatch(type.text)):  # the cases of cf.switch
        if len(data) > MOST_PRINTED:
            entry.fail(f"a {type.text} of {len(data)} bytes is larger than any op here takes", begin)
        tensor = ir.TensorType(tuple(int(d) for d in match[1].split("x")[:-1]), ir.ScalarType(match[2]))
        numbers, _, _ = str(elements(entry, tensor, data)).rpartition(" : ")
        return ir.DialectAttr("builtin", "", {}, f"{numbers} : {type.text}")
    if isinstance(type, ir.TensorType) and not is_stored(type.element):
        entry.spend(len(data))
        return ir.DialectAttr("builtin", "", {}, f'dense<"0x{data.hex().upper()}"> : {type}')
    if (
        isinstance(type, ir.TensorType)
        and type.element == I1
        and 0 < len(data) == (math.prod(dense.static(type)) + 7) // 8
    ):
        # One bit per element, the lowest bit of a byte first, although MLIR keeps bytes in memory since LLVM 22.
        sizes = dense.static(type)
        bits = np.unpackbits(np.frombuffer(data, np.uint8), count=math.prod(sizes), bitorder="little")
        return ir.DenseAttr(type, bits.view(np.bool_).reshape(sizes))
    return elements(entry, type, data)


def sparse(entry: Entry) -> ir.DenseAttr:
    type, indices, values = entry.type(), entry.attribute(), entry.attribute()
    if (
        not isinstance(type, ir.TensorType)
        or not isinstance(indices, ir.DenseAttr)
        or not isinstance(values, ir.DenseAttr)
    ):
        entry.fail("sparse<…> needs a tensor type, indices and values")
    sizes = dense.static(type)
    entry.spend(math.prod(sizes))
    array = np.zeros(sizes, numpy_dtype(type.element))
    at = indices.data.reshape(-1, len(sizes)) if sizes else indices.data.reshape(-1, 0)
    if np.any((at < 0) | (at >= np.array(sizes))):
        entry.fail("an index of sparse<…> is outside the type's shape")
    array[tuple(at.T)] = values.data
    return ir.DenseAttr(type, array)


ATTRIBUTES: dict[int, Callable[[Entry], ir.Attribute]] = {
    0: lambda entry: ir.ArrayAttr(tuple(entry.attributes())),
    1: dictionary,
    2: lambda entry: ir.StringAttr(entry.string()),
    3: typed_string,
    4: lambda entry: ir.SymbolAttr((text_of(entry),)),
    5: symbol,
    6: lambda entry: ir.TypeAttr(entry.type()),
    7: lambda entry: ir.UnitAttr(),
    8: lambda entry: integer_attribute(entry, entry.type()),
    9: lambda entry: float_attribute(entry, entry.type()),
    16: resource,
    17: array,
    18: dense_elements,
    19: lambda entry: entry.fail("found a tensor of strings, which StableHLO does not have"),
    20: sparse,
    21: lambda entry: ir.DialectAttr("builtin", "", {}, f"distinct[0]<{print_attribute(entry, entry.attribute())}>"),
    **affine.ATTRIBUTES,
}


def attribute(entry: Entry) -> ir.Attribute:
    at, code = entry.at, entry.varint()
    if code in ATTRIBUTES:
        return ATTRIBUTES[code](entry)
    if code not in LOCATIONS:
        entry.unknown(f"the builtin dialect has no known attribute with the code {code}", at)
    return ir.DialectAttr("builtin", "", {}, f"loc({in_full(entry, LOCATIONS[code](entry))})")


# ---------------------------------------------------------------- locations


def reference(entry: Entry) -> str:
    """The location at an entry, as an alias."""
    return f"#{entry.varint()}"


def name_of(entry: Entry) -> str:
    return quote(text_of(entry)[:LONGEST_LOCATION])


def fused(entry: Entry) -> str:
    return f"fused[{', '.join(entry.read_list(lambda: reference(entry)))}]"


def fused_with_metadata(entry: Entry) -> str:
    text = fused(entry)
    entry.varint()
    return text


def file_range(entry: Entry) -> str:
    """A file and up to four numbers: line, column, the line and the column of the end."""
    name, numbers = name_of(entry), entry.read_list(entry.varint)
    match numbers:
        case []:
            return f"{name}:0:0"
        case [line]:
            return f"{name}:{line}:0"
        case [line, column]:
            return f"{name}:{line}:{column}"
        case [line, column, end]:
            return f"{name}:{line}:{column} to :{end}"
        case [line, column, last, end]:
            return f"{name}:{line}:{column} to {last}:{end}"
    entry.fail(f"a file location has {len(numbers)} numbers, expected at most 4")


LOCATIONS: dict[int, Callable[[Entry], str]] = {
    10: lambda entry: f"callsite({reference(entry)} at {reference(entry)})",
    11: lambda entry: f"{name_of(entry)}:{entry.varint()}:{entry.varint()}",
    12: fused,
    13: fused_with_metadata,
    14: lambda entry: f"{name_of(entry)}({reference(entry)})",
    15: lambda entry: "unknown",
    22: file_range,
}


def location_text(table: Table[ir.Attribute], index: int) -> str:
    """The text inside loc(…), with the numbers of other locations as aliases; '' if it cannot be read."""
    if index >= len(table.spans):
        return ""
    entry, dialect, encoded = table.entry(index)
    try:
        if not encoded:
            return entry.terminated_string().removeprefix("loc(").removesuffix(")")
        reader = LOCATIONS.get(entry.varint()) if dialect == "builtin" else None
        return reader(entry) if reader is not None else ""
    except ParseError:
        return ""


def in_full(entry: Entry, text: str) -> str:
    """A location that is an attribute, with its aliases expanded; "unknown" if it is too long."""
    table = entry.file.attributes

    def resolve_reference(match: re.Match[str]) -> str:
        text = match[1] or location_text(table, int(match[2]))
        entry.spend(len(text))
        return text if len(text) <= LONGEST_LOCATION else "unknown"

    for _ in range(DEEPEST_LOCATION):
        if len(text) > LONGEST_LOCATION:
            return "unknown"
        text = ALIAS.sub(resolve_reference, text)
    return ALIAS.sub(lambda match: match[1] or "unknown", text).replace("(unknown)", "")


# ---------------------------------------------------------------- types


def integer_type(entry: Entry) -> ir.ScalarType:
    code = entry.varint()
    width, sign = code >> 2, code & 3
    if sign == 3 or not 0 < width <= MOST_BITS:
        entry.fail(f"there is no integer type of {width} bits and signedness {sign}")
    return ir.ScalarType(f"{['', 's', 'u'][sign]}i{width}")


def memref_in(entry: Entry) -> ir.OpaqueType:
    space = print_attribute(entry, entry.attribute())
    return ir.OpaqueType(f"{plain_memref(entry).text[:-1]}, {space}>")


def plain_memref(entry: Entry) -> ir.OpaqueType:
    buffer = memref(entry)
    layout = print_attribute(entry, entry.attribute())
    identity = layout.startswith("affine_map<(") and len(set(layout[12:-2].split(") -> ("))) == 1
    return buffer if identity else ir.OpaqueType(f"{buffer.text[:-1]}, {layout}>")


def vector(entry: Entry, scalable: Iterable[int] = ()) -> ir.OpaqueType:
    sizes = [f"[{size}]x" if flag else f"{size}x" for size, flag in zip_longest(shape(entry), scalable)]
    return ir.OpaqueType(f"vector<{''.join(sizes)}{printed_type(entry)}>")


def unranked_memref_in(entry: Entry) -> ir.OpaqueType:
    space = print_attribute(entry, entry.attribute())
    return ir.OpaqueType(f"memref<*x{printed_type(entry)}, {space}>")


def named(name: str) -> Callable[[Entry], ir.Type]:
    """The reader of a type that consists only of its code."""
    return lambda entry: ir.ScalarType(name)


# Those from code 21 on were text before they had codes.
NARROW = (
    "tf32 f8E5M2 f8E4M3 f8E4M3FN f8E5M2FNUZ f8E4M3FNUZ f8E4M3B11FNUZ f8E3M4 f4E2M1FN f6E2M3FN f6E3M2FN f8E8M0FNU"
).split()
TYPES: list[Callable[[Entry], ir.Type]] = [
    integer_type,
    named("index"),
    function,
    *map(named, ("bf16", "f16", "f32", "f64", "f80", "f128")),
    lambda entry: ir.ComplexType(scalar(entry)),
    plain_memref,
    memref_in,
    lambda entry: ir.OpaqueType("none"),
    tensor,
    encoded_tensor,
    lambda entry: ir.TupleType(entry.types()),
    lambda entry: ir.OpaqueType(f"memref<*x{printed_type(entry)}>"),
    unranked_memref_in,
    lambda entry: ir.UnrankedTensorType(element(entry)),
    vector,
    lambda entry: vector(entry, entry.blob()),
    *map(named, NARROW),
]
type = make_reader("builtin", dict(enumerate(TYPES)), "type")


# ---------------------------------------------------------------- quantized types


def uniform(entry: Entry) -> ir.QuantizedType:
    """A type with one scale, encoded alike in vhlo and quant."""
    signed, storage, expressed = entry.varint(), scalar(entry), scalar(entry)
    scale, zero_point, low, high = double(entry), entry.signed_varint(), entry.signed_varint(), entry.signed_varint()
    return quantized(entry, signed, storage, expressed, (scale,), (zero_point,), None, low, high)


def uniform_per_axis(entry: Entry) -> ir.QuantizedType:
    signed, storage, expressed, axis = entry.varint(), scalar(entry), scalar(entry), entry.varint()
    low, high = entry.signed_varint(), entry.signed_varint()
    scales, zero_points = entry.read_list(lambda: double(entry)), entry.signed_list()
    return quantized(entry, signed, storage, expressed, tuple(scales), tuple(zero_points), axis, low, high)


def uniform_in_blocks(entry: Entry) -> ir.QuantizedType:
    signed, storage, expressed = entry.varint(), scalar(entry), scalar(entry)
    low, high, axes, sizes = entry.signed_varint(), entry.signed_varint(), entry.signed_list(), entry.signed_list()
    scales, zero_points = entry.attribute(), entry.attribute()
    if not isinstance(scales, ir.DenseAttr) or not isinstance(zero_points, ir.DenseAttr):
        entry.fail("a quantized type needs scales and zero points")
    if len(axes) != len(sizes) or scales.data.shape != zero_points.data.shape or scales.data.size > MOST_SCALES:
        entry.fail("the blocks of a quantized type do not fit together")
    numbers = tuple(map(float, scales.data.reshape(-1))), tuple(map(int, zero_points.data.reshape(-1)))
    type = quantized(entry, signed, storage, expressed, *numbers, None, low, high)
    return replace(type, blocks=tuple(zip(axes, sizes)), scale_shape=scales.data.shape)


def quantized(
    entry: Entry,
    signed: int,
    storage: ir.ScalarType,
    expressed: ir.ScalarType,
    scales: tuple[float, ...],
    zero_points: tuple[int, ...],
    axis: int | None,
    low: int,
    high: int,
) -> ir.QuantizedType:
    """The type as in text: its storage type's name has the sign, and limits that are the whole range are left out."""
    if len(scales) != len(zero_points):
        entry.fail(f"a quantized type has {len(scales)} scales but {len(zero_points)} zero points")
    width = bit_width(storage)
    whole = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed & 1 else (0, (1 << width) - 1)
    stored = storage if signed & 1 else ir.ScalarType(f"ui{width}")
    limits = (None, None) if (low, high) == whole else (low, high)
    return ir.QuantizedType(stored, expressed, scales, zero_points, axis, *limits)


QUANT: dict[int, Callable[[Entry], ir.Type]] = {4: uniform, 5: uniform_per_axis, 6: uniform_in_blocks}
quant_type = make_reader("quant", QUANT, "type")
