"""The elements of dense attributes: text or bytes ↔ numpy arrays. They are converted in bulk; only hexadecimal numbers
among decimal ones are converted one by one."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np

from ..ir import ComplexType, DenseAttr, ScalarType, TensorType
from ..ir.dtypes import bit_width, numpy_dtype
from ..ir.numbers import is_float, scalar_of

MISSING = re.compile(r",\s*(?:,|$)|^\s*,")
NEGATIVE_ZERO = re.compile(r"-0+(?:x0+)?(?![\w.])")
PLAIN_FLOATS = re.compile(r"[-+\d.eE,\s]*")
PLAIN_INTEGERS = re.compile(r"[-\d,\s]*")
HEXADECIMAL = "0x[0-9A-Fa-f]+"
INTEGER = re.compile(rf"-?(?:{HEXADECIMAL}|\d+)")
FLOAT = re.compile(rf"-?(?:{HEXADECIMAL}|\d+\.\d*(?:[eE][-+]?\d+)?)")
# What numpy accepts as a float, but MLIR does not: numbers without a point, without digits before it, or with a plus.
BARE_POINT = re.compile(r"[,\s-]\.")
NOT_FLOAT = re.compile(r"(?:^|(?<=,))\s*(-?(?:\d+(?![\d.])|\.|\+)[^\s,]*)")
PUNCTUATION = b"[](),"
# Deleting these bytes leaves the punctuation, which shows the shape.
NOT_PUNCTUATION = bytes(set(range(256)) - set(PUNCTUATION))
MOST_SPARSE = 1 << 24


def round_once(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Doubles rounded to the nearest value of a narrower type, ties to even."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if dtype.kind == "f" and dtype.itemsize >= 2 and dtype.type in (np.float16, np.float32, np.float64):
            return values.astype(dtype)
        # ml_dtypes converts through f32, which rounds twice. Rounding to odd in f32 makes that harmless.
        narrow = values.astype(np.float32)
        back = narrow.astype(np.float64)
        bits = narrow.view(np.int32)
        inexact = (back != values) & ~np.isnan(values)
        bits = np.where(inexact & (np.abs(back) > np.abs(values)), bits - 1, bits)
        return np.where(inexact, bits | 1, bits).astype(np.int32).view(np.float32).astype(dtype)


def from_bits(bits: int, type: ScalarType) -> Any:
    """The numpy scalar of a floating-point type with the given bits; ValueError if they are too many."""
    if bits < 0 or bits >> bit_width(type):
        raise ValueError(f"0x{bits:X} has more bits than {type.name}")
    dtype = numpy_dtype(type)
    return np.frombuffer(bits.to_bytes(dtype.itemsize, "little"), dtype)[0]


def may_not_be_floats(text: str, count: int) -> bool:
    """Whether `NOT_FLOAT` may find something in a list of this many numbers, which takes longer than reading them."""
    pluses = text.count("+") - text.count("e+") - text.count("E+")
    return pluses > 0 or text.count(".") != count or BARE_POINT.search(f",{text}") is not None


def check_float(word: str) -> None:
    """Raise ValueError unless a word is a floating-point number, which has a point, or its bits in hexadecimal."""
    if FLOAT.fullmatch(word):
        return
    number = re.fullmatch(r"(-?\d+)([eE].*)?", word)
    cure = f"; write {number[1]}.0{number[2] or ''}" if number else ", such as 1.0, -2.5e-3 or 0x7F800000"
    raise ValueError(f"found {word}, expected a floating-point number with a point{cure}")


def integer(word: str) -> int:
    """A decimal or hexadecimal number; ValueError for -0, which no integer type has."""
    if not INTEGER.fullmatch(word):
        raise ValueError(f"found {word}, expected an integer")
    if NEGATIVE_ZERO.fullmatch(word):
        raise ValueError(f"{word} is not an integer; write 0")
    return int(word, 16 if "x" in word else 10)


def check_range(values: list[int] | np.ndarray, type: ScalarType) -> None:
    """Raise ValueError unless all integers fit; a signless type takes both the signed and the unsigned range."""
    width = bit_width(type)
    low = 0 if type.name[0] == "u" else -(1 << (width - 1))
    high = (1 << (width - 1)) - 1 if type.name[0] == "s" else (1 << width) - 1
    if not len(values):
        return
    least, most = (min(values), max(values)) if isinstance(values, list) else (int(values.min()), int(values.max()))
    if least < low or most > high:
        raise ValueError(f"{least if least < low else most} does not fit in {type.name}")


def wrap(values: list[int] | np.ndarray, type: ScalarType) -> np.ndarray:
    """Integers as an array of the type's numpy dtype, modulo its width."""
    if isinstance(values, list):
        array = np.array([value & 0xFFFFFFFFFFFFFFFF for value in values], np.uint64)
    else:
        array = values.astype(np.int64).view(np.uint64)
    return narrow_integers(array.astype(np.uint8), type) if bit_width(type) < 8 else array.astype(numpy_dtype(type))


def narrow_integers(data: np.ndarray, type: ScalarType) -> np.ndarray:
    """An array of i2 or i4 from bytes that hold them in their low bits; the high bits are ignored."""
    spare = 8 - bit_width(type)
    signed = (data << spare).astype(np.uint8)
    moved = signed >> spare if type.name[0] == "u" else signed.view(np.int8) >> spare
    return moved.astype(numpy_dtype(type))


def parse_numbers(text: str, type: ScalarType) -> np.ndarray:
    """The numbers of a comma-separated list; ValueError if one is not a number of the type."""
    dtype = numpy_dtype(type)
    if type.name == "i1":
        text = text.replace("true", "1").replace("false", "0")
    if not is_float(type) and "-0" in text and NEGATIVE_ZERO.search(text):
        raise ValueError("-0 is not an integer; write 0")
    count = text.count(",") + 1
    if MISSING.search(text):  # numpy would invent a number
        raise ValueError("an element is missing before or after a comma")
    plain = PLAIN_FLOATS if is_float(type) else PLAIN_INTEGERS
    if plain.fullmatch(text) and not (bit_width(type) == 64 and re.search(r"\d{19}", text)):
        if is_float(type) and may_not_be_floats(text, count) and (wrong := NOT_FLOAT.search(text)):
            check_float(wrong[1])
        try:
            values = np.fromstring(text, np.float64 if is_float(type) else np.int64, sep=",")
        except ValueError:
            raise ValueError(f"not every element is a valid {type.name} number") from None
        if len(values) != count:
            raise ValueError(f"element {len(values) + 1} is not a number")
        if is_float(type):
            return round_once(values, dtype)
        check_range(values, type)
        return np.not_equal(values, 0) if type.name == "i1" else wrap(values, type)
    words = [word.strip() for word in text.split(",")]
    if not is_float(type):
        integers = [integer(word) for word in words]
        check_range(integers, type)
        return np.array(integers) != 0 if type.name == "i1" else wrap(integers, type)
    for word in words:
        check_float(word)
    floats = [0.0 if "x" in word else float(word) for word in words]
    result = round_once(np.array(floats), dtype)
    for i, word in enumerate(words):
        if "x" in word:
            result[i] = from_bits(int(word, 16), type)
    return result


def skeleton(shape: tuple[int, ...], leaf: bytes) -> bytes:
    """The punctuation of a nested list of the given shape; b"-" if no list has it, as for tensor<0x2xf32>."""
    if 0 in shape[:-1]:
        return b"-"
    text = leaf
    for extent in reversed(shape):
        text = b"[" + b",".join([text] * extent) + b"]"
    return text


def parse_elements(text: str, type: TensorType) -> tuple[np.ndarray, bool]:
    """The elements in dense<…>, unless that holds a hexadecimal string, and whether it is a splat; or ValueError."""
    shape = static(type)
    scalar = scalar_of(type.element)
    pairs = isinstance(type.element, ComplexType)
    text = text.strip()
    if not text:
        if math.prod(shape):
            raise ValueError(f"dense<> has no elements, but its type has {math.prod(shape)}")
        return np.zeros(shape, numpy_dtype(type.element)), False
    punctuation = text.encode().translate(None, NOT_PUNCTUATION)
    leaf = b"(,)" if pairs else b""
    splat = punctuation == leaf
    if not splat and (len(punctuation) < math.prod(shape) - 1 or punctuation != skeleton(shape, leaf)):
        count = punctuation.count(b",") + 1 - (punctuation.count(b"(") if pairs else 0)
        raise ValueError(
            f"the list does not have the type's shape {'x'.join(map(str, shape)) or '(a scalar)'}: it has {count}"
            f" elements, but the type has {math.prod(shape)}"
        )
    if not math.prod(shape) and not splat:
        return np.zeros(shape, numpy_dtype(type.element)), False
    values = parse_numbers(text.translate(str.maketrans("", "", "[]()")), scalar)
    if pairs:
        values = values.view(numpy_dtype(type.element))
    return (np.broadcast_to(values.reshape(()), shape), True) if splat else (values.reshape(shape), False)


def parse_sparse(text: str, type: TensorType) -> np.ndarray:
    """The elements of sparse<indices, values>: zero except at the indices. A scalar is for all of them."""
    if math.prod(static(type)) > MOST_SPARSE:
        raise ValueError(f"sparse<…> has {math.prod(static(type))} elements, expected at most {MOST_SPARSE}")
    array = np.zeros(static(type), numpy_dtype(type.element))
    if not text.strip():
        return array
    # The two parts are separated by the only comma outside brackets.
    depths = np.cumsum([(c in "[(") - (c in "])") for c in text])
    comma = next((i for i, c in enumerate(text) if c == "," and depths[i] == 0), -1)
    if comma < 0:
        raise ValueError("sparse<…> needs indices and values")
    indices = parse_numbers(text[:comma].translate(str.maketrans("", "", "[]")), ScalarType("i64"))
    count = text[:comma].count("[") - 1 if text.lstrip().startswith("[[") else 1
    if len(indices) == 1:
        indices = np.broadcast_to(indices, (1, array.ndim))
    if indices.size != count * array.ndim:
        raise ValueError(f"sparse<…> has {indices.size} indices, expected {array.ndim} for each of {count} elements")
    indices = indices.reshape(count, array.ndim)
    if np.any((indices < 0) | (indices >= array.shape)):
        raise ValueError("an index of sparse<…> is outside the type's shape")
    values, _ = parse_elements(text[comma + 1 :], TensorType((count,), type.element))
    array[tuple(indices.T)] = values
    return array


def from_bytes(data: bytes | memoryview, type: TensorType) -> tuple[np.ndarray, bool]:
    """The elements in a little-endian payload, and whether it is a splat: one element for all."""
    shape, dtype = static(type), numpy_dtype(type.element)
    count = math.prod(shape)
    width = bit_width(scalar_of(type.element))
    if width == 1 and len(data) == 1 and data not in (b"\0", b"\1", b"\xff") and count <= 8:
        array = np.unpackbits(np.frombuffer(data, np.uint8), count=count, bitorder="little").view(np.bool_)
    elif len(data) in (dtype.itemsize, count * dtype.itemsize):
        array = np.frombuffer(data, np.uint8 if width < 8 and scalar_of(type.element).name[0] in "iu" else dtype)
        if width == 1:
            array = array != 0
        elif width < 8 and array.dtype == np.uint8:
            array = narrow_integers(array, scalar_of(type.element))
    elif width == 1 and len(data) == (count + 7) // 8:  # before LLVM 22, i1 was packed
        array = np.unpackbits(np.frombuffer(data, np.uint8), count=count, bitorder="little").view(np.bool_)
    else:
        raise ValueError(f"the payload has {len(data)} bytes, but its type needs {count * dtype.itemsize}")
    if len(array) != count:
        return np.broadcast_to(array.reshape(()), shape), True
    return array.reshape(shape), False


def of_text(text: str, type: TensorType) -> DenseAttr:
    """The attribute dense<text> : type, for a text other than a hexadecimal string; ValueError if it does not fit."""
    data, splat = parse_elements(text, type)
    unused = parse_elements(text, replace(type, shape=()))[0] if splat and not data.size else None
    return DenseAttr(type, data, splat, unused=unused)


def of_bytes(data: bytes | memoryview, type: TensorType, resource: str | None = None) -> DenseAttr:
    """The attribute dense<"0x…"> : type from its bytes; ValueError if their number does not fit the type."""
    array, splat = from_bytes(data, type)
    unused = from_bytes(data, replace(type, shape=()))[0] if splat and not array.size else None
    return DenseAttr(type, array, splat, resource, unused)


def static(type: TensorType) -> tuple[int, ...]:
    """The shape of a tensor whose elements are known."""
    if None in type.shape:
        raise ValueError("the elements of a constant need a type whose dimensions are all known")
    return tuple(d for d in type.shape if d is not None)
