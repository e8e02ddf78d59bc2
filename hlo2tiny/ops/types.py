"""Checks of element types: which values share one, which kinds an op accepts, and the rules for quantized types."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import isfinite, prod
from typing import Literal

from ..ir import ComplexType, ElementType, QuantizedType, ScalarType, TensorType, Type
from ..ir.dtypes import bit_width
from .attributes import Violation

# Which quantized tensors an op accepts: none; those with a single scale; also those with several scales.
QuantizedScales = Literal["none", "one", "several"]
# The letters of `Definition.kinds`; there, i means signed (s) and unsigned (u) integers.
LETTERS = {"boolean": "b", "i": "s", "ui": "u", "float": "f", "QuantizedType": "f", "ComplexType": "c"}
WORDS = {"b": "booleans (i1)", "i": "integers", "s": "signed integers", "f": "floats", "c": "complex numbers"}


def part(element: ElementType) -> ElementType:
    return element.element if isinstance(element, ComplexType) else element


def as_expressed(element: ElementType) -> ElementType:
    return element.expressed if isinstance(element, QuantizedType) else element


def per_axis(element: ElementType | None) -> bool:
    """Whether a type is quantized with several scales: one for each index of an axis, or for each block."""
    return isinstance(element, QuantizedType) and (element.axis is not None or bool(element.blocks))


def baseline(element: ElementType) -> ElementType:
    """A quantized type without its scales, zero points and axis (the specification's baseline_type)."""
    if not isinstance(element, QuantizedType):
        return element
    return replace(element, scales=(1.0,), zero_points=(0,), axis=None, blocks=(), scale_shape=())


def drop_axis_scales(element: ElementType) -> ElementType:
    """What movement keeps of an element type: scales along an axis move too, which the op's own constraints check."""
    return baseline(element) if per_axis(element) else element


# The letters of `Definition.elements`; values with the same letter have equal elements in this sense:
#   Q  equal except for scales and zero points (arithmetic on quantized numbers)
#   T  equal including the scales (data that is only moved)
#   X  equal expressed types
#   R  complex numbers whose parts are Q, or real numbers that are Q
#   C  complex numbers whose parts are Q
#   E  operand i equals result i, each pair separately
# Letters for a single value: B is i1, S is i32, L is i64, U is ui32, I is any integer, D is any integer or an index,
# A is anything but an index, and a dot is anything.
KEYS: dict[str, Callable[[ElementType], ElementType]] = {
    "Q": baseline,
    "T": drop_axis_scales,
    "E": drop_axis_scales,
    "X": as_expressed,
    "R": lambda element: part(baseline(element)),
    "C": lambda element: part(baseline(element)),
}
INDEX = ScalarType("index")
FIXED = {"B": "i1", "S": "i32", "L": "i64", "U": "ui32"}


@cache
def counts_of(side: str) -> tuple[int, int | None]:
    """The minimum and maximum number of values that letters stand for; no maximum is None."""
    least = len(re.findall(r"[A-Z.](?!\*)", side))
    return least, None if "*" in side else least


@cache
def letters_of(side: str, count: int) -> str:
    """The letter of each of `count` values: "QI*" for 3 values gives QII."""
    single = re.findall(r"([A-Z.])(\*?)", side)
    fixed = sum(not star for _, star in single)
    return "".join(letter * (max(count - fixed, 0) if star else 1) for letter, star in single)


def kind(element: ElementType) -> str:
    match element:
        case ScalarType("i1"):
            return "boolean"
        case ScalarType("index"):
            return "i"
        case ScalarType(name):
            return name.rstrip("0123456789") if name[0] in "iu" else "float"
    return type(element).__name__


def is_of(element: ElementType, kinds: str) -> bool:
    """Whether an element type is of one of the kinds, letters as in a row."""
    letter = LETTERS.get(kind(element), "?")  # a token is not an element
    return letter in kinds or (letter in "su" and "i" in kinds)


def element_of(type: Type) -> ElementType | None:
    return type.element if isinstance(type, TensorType) else None


def check_elements(
    elements: str, kinds: str, quantized: QuantizedScales, operands: Sequence[Type], results: Sequence[Type]
) -> None:
    """Check the element types of an op's operands and results against its row.

    Raises:
        Violation: two element types differ that must be equal, or the op does not accept one.
    """
    check_scales(quantized, [*operands, *results])
    seen: dict[str, ElementType] = {}
    for side, types, noun in zip(elements.split("->"), (operands, results), ("operand", "result")):
        for i, (type, letter) in enumerate(zip(types, letters_of(side, len(types)))):
            element = element_of(type)
            if element is None or letter == ".":
                continue
            if letter in "ID":
                if not is_of(element, "i") or (letter == "I" and element == INDEX):
                    raise Violation(f"{noun} {i} is {type}, expected integers")
                continue
            if element == INDEX:
                raise Violation(f"{noun} {i} is {type}, but only sizes can be of type index")
            if letter == "A":
                continue
            if letter == "C" and not is_of(element, "c"):
                raise Violation(f"{noun} {i} is {type}, expected complex numbers")
            if letter in FIXED:
                expected: ElementType = ScalarType(FIXED[letter])
            else:
                element = KEYS[letter](element)
                expected = seen.setdefault({"E": f"E{i}", "R": "Q", "C": "Q"}.get(letter, letter), element)
            if element != expected and noun == "result":
                which = f"result {i}" if len(types) > 1 else "the result"
                raise Violation(f"{which} has elements of {expected}, but its declared type is {type}")
            if element != expected:
                raise Violation(f"operand {i} is {type}, expected elements of {expected}")
    first, noun = (operands, "operand") if operands else (results, "result")
    if first and (element := element_of(first[0])) is not None and not is_of(element, kinds):
        *others, last = (WORDS[k] for k in kinds)
        accepted = f"{', '.join(others)} or {last}" if others else last
        raise Violation(f"{noun} 0 is {first[0]}, expected elements that are {accepted}")


def check_scales(quantized: QuantizedScales, types: Sequence[Type]) -> None:
    for type in types:
        element = element_of(type)
        if not isinstance(element, QuantizedType):
            continue
        if quantized == "none":
            raise Violation(f"is not defined for quantized tensors, found {type}")
        if quantized == "one" and per_axis(element):
            raise Violation(f"accepts only quantized tensors with a single scale, found {type}")


def is_promotable(a: ElementType, b: ElementType) -> bool:
    """The specification's is_promotable."""
    if isinstance(a, QuantizedType) and isinstance(b, QuantizedType):
        return a.expressed == b.expressed and bit_width(a.storage) <= bit_width(b.storage)
    return kind(a) == kind(b) and bit_width(a) <= bit_width(b)


# ---------------------------------------------------------------- quantized types


def whole_range(element: QuantizedType) -> tuple[int, int]:
    """The least and the largest number of a storage type, whatever its limits are."""
    bits = bit_width(element.storage)
    return (0, (1 << bits) - 1) if element.storage.name[0] == "u" else (-(1 << bits - 1), (1 << bits - 1) - 1)


def storage_range(element: QuantizedType) -> tuple[int, int]:
    """storage_min and storage_max; those that the type leaves out are the storage type's."""
    (least, most), low, high = whole_range(element), element.storage_min, element.storage_max
    return least if low is None else low, most if high is None else high


def check_quantized_type(type: Type) -> None:
    """Check the specification's constraints on quantized types."""
    element = element_of(type)
    if isinstance(element, QuantizedType) and isinstance(type, TensorType):
        problem = quantized_type_problem(type.shape, element)
        if problem:
            raise Violation(f"{type} {problem}")


def quantized_type_problem(shape: Sequence[int | None], element: QuantizedType) -> str:
    low, high = storage_range(element)
    least, most = whole_range(element)
    rank, scales = len(shape), element.scales
    if not least <= low < high <= most:
        return "has a storage_min and a storage_max that do not form a range of the storage type (C3)"
    if not all(isfinite(s) and s > 0 for s in scales):
        return "has a scale that is not positive and finite (C5, C6)"
    if not all(low <= z <= high for z in element.zero_points):
        return "has a zero point outside the storage type's range (C7)"
    if element.axis is not None and not (0 <= element.axis < rank and shape[element.axis] in (None, len(scales))):
        return "does not have one scale for each index of the quantization dimension (C12, C13)"
    if element.blocks:
        sizes = dict(element.blocks)
        fits = len(element.scale_shape) == rank and prod(element.scale_shape) == len(scales)
        whole = zip(shape, element.scale_shape)
        if not fits or any(s is not None and s != n * sizes.get(d, s) for d, (s, n) in enumerate(whole)):
            return "does not have one scale for each block"
    return ""
