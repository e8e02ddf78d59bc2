"""The kinds of attributes that ops have: each turns an attribute into plain Python, and back, or says what it wants."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..ir import (
    ArrayAttr,
    Attribute,
    BoolAttr,
    DenseArrayAttr,
    DenseAttr,
    DialectAttr,
    DictAttr,
    FloatAttr,
    IntegerAttr,
    ScalarType,
    StringAttr,
    SymbolAttr,
    TensorType,
    TypeAttr,
    UnitAttr,
)
from ..ir.structures import ENUMERATIONS, dim_numbers, enum, struct

MISSING = object()


class Violation(Exception):
    """A constraint that an op breaks: what was found, what was expected, and the constraint's number, "(C2)"."""


def plain(attribute: Attribute | Any) -> Any:
    """An attribute as plain Python: numbers, strings, tuples, dictionaries, numpy arrays."""
    match attribute:
        case IntegerAttr(value) | FloatAttr(value) | BoolAttr(value) | StringAttr(value):
            return value
        case DenseArrayAttr(_, values):
            return tuple(values)
        case ArrayAttr(items):
            return tuple(plain(item) for item in items)
        case DictAttr(items):
            return {name: plain(item) for name, item in items.items()}
        case DenseAttr():
            return attribute.data
        case SymbolAttr(names):
            return "::".join(names)
        case TypeAttr(type):
            return type
        case DialectAttr(_, _, fields, text):
            return dict(fields) if fields or not text else text
    return True if attribute is not None else None


@dataclass(frozen=True)
class Kind:
    """A kind of attribute.

    `decode` raises TypeError or ValueError where an attribute is of another kind; `encode`, its inverse, takes what a
    pretty form has: numbers, words, strings, lists of them.
    """

    text: str  # in messages
    decode: Callable[[Attribute], Any]
    encode: Callable[[Any], Attribute]
    default: Any = MISSING  # the value when it is left out
    neutral: Callable[[Any], bool] | None = None  # whether a value says what holds without it, beside the default
    since: str = ""  # the version of StableHLO (or of what the dialect comes with) that brought it
    until: str = ""  # the version that took it away
    structure: str = ""  # the name in `STRUCTURES`
    segments: int = 0  # of how many groups of values it gives the sizes
    flags: tuple[str, ...] = ()  # the words by which it is written after the operands

    @property
    def required(self) -> bool:
        return self.default is MISSING

    def value(self, name: str, attribute: Attribute) -> Any:
        """The attribute as plain Python.

        Raises:
            Violation: it is of another kind.
        """
        try:
            return self.decode(attribute)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            detail = f": {error}" if isinstance(error, ValueError) else ""
            raise Violation(f"the attribute '{name}' is not {self.text}{detail}") from error

    def changes_nothing(self, attribute: Attribute) -> bool:
        """Whether an attribute says what holds without it: exporters write such ones or leave them out as they like."""
        if self.required:
            return False
        try:
            value = self.decode(attribute)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            return False
        return self.neutral(value) if self.neutral else self.default is not None and bool(value == self.default)


def optional(
    kind: Kind, default: Any = None, *, neutral: Callable[[Any], bool] | None = None, since: str = "", until: str = ""
) -> Kind:
    """A kind of attribute that may be left out."""
    return replace(kind, default=default, neutral=neutral, since=since, until=until)


def all_are(item: Any) -> Callable[[Any], bool]:
    """Whether each item of a list, or of a list of pairs, is this one."""
    return lambda value: all(each in (item, (item, item)) for each in value)


def is_empty(value: Any) -> bool:
    return np.size(value) == 0 if isinstance(value, np.ndarray) else isinstance(value, Sized) and not value


def _integer_of(name: str) -> Callable[[Attribute], int]:
    type = ScalarType(name)

    def decode(attribute: Attribute) -> int:
        if not isinstance(attribute, IntegerAttr):
            raise TypeError
        if attribute.type != type:
            raise ValueError(f"it is of the type {attribute.type.name}")
        return attribute.value

    return decode


def _boolean(attribute: Attribute) -> bool:
    if not isinstance(attribute, BoolAttr):
        raise TypeError
    return attribute.value


def _f32(attribute: Attribute) -> float:
    if not isinstance(attribute, FloatAttr):
        raise TypeError
    if attribute.type.name != "f32":
        raise ValueError(f"it is of the type {attribute.type.name}")
    return attribute.value


def _string(attribute: Attribute) -> str:
    if not isinstance(attribute, StringAttr):
        raise TypeError
    return attribute.value


def _symbol(attribute: Attribute) -> str:
    if not isinstance(attribute, SymbolAttr):
        raise TypeError
    return "::".join(attribute.names)


# Lists are as long as tensors have dimensions, or devices take part.
LONGEST = 1 << 20


def _array(attribute: Attribute, rank: int, element: str) -> np.ndarray:
    """Numbers of a rank, from any of the spellings that exporters of different ages use."""
    dtype = np.dtype(bool if element == "i1" else np.int64)
    match attribute:
        case DenseAttr(type=type, data=data):
            names, found = {getattr(type.element, "name", "")}, data
        case DenseArrayAttr(scalar, values):
            names, found = {scalar.name}, np.array(values, dtype)
        case ArrayAttr(items):
            names = {"i1" if isinstance(item, BoolAttr) else item.type.name for item in items}  # type: ignore[union-attr]
            found = np.array([item.value for item in items], dtype)  # type: ignore[union-attr]
        case _:
            raise TypeError
    if found.size > LONGEST:
        raise ValueError(f"it has {found.size} numbers")
    if names - {element}:
        raise ValueError(f"its numbers are of the type {', '.join(sorted(names))}, expected {element}")
    if found.ndim != rank:
        raise ValueError(f"it has rank {found.ndim}, expected {rank}")
    return found


def _integers(attribute: Attribute) -> tuple[int, ...]:
    return tuple(_array(attribute, 1, "i64").tolist())


def _booleans(attribute: Attribute) -> tuple[bool, ...]:
    return tuple(_array(attribute, 1, "i1").tolist())


def _segments(attribute: Attribute) -> tuple[int, ...]:
    match attribute:
        case DenseArrayAttr(ScalarType("i32"), values):
            return tuple(map(int, values))
        case DenseAttr():
            return _integers(attribute)
    raise TypeError


def _pairs(attribute: Attribute) -> tuple[tuple[int, int], ...]:
    found = _array(attribute, 2, "i64")
    if found.size and found.shape[1] != 2:
        raise ValueError(f"it has the shape {list(found.shape)}, expected pairs")
    return tuple((low, high) for low, high in found.tolist()) if found.size else ()


def _flag(attribute: Attribute) -> bool:
    if isinstance(attribute, UnitAttr):
        return True
    return _boolean(attribute)


def _accuracy(attribute: Attribute) -> dict[str, Any]:
    """How accurate a result must be: tolerances of zero or more, and none but with the mode TOLERANCE."""
    if not isinstance(attribute, DialectAttr) or attribute.name != "result_accuracy":
        raise TypeError
    fields = dict(attribute.fields)
    tolerances = [fields[name] for name in ("atol", "rtol", "ulps")]
    mode = fields["mode"].text if isinstance(fields["mode"], DialectAttr) else fields["mode"]
    if min(tolerances) < 0:
        raise ValueError("a tolerance is negative")
    if mode != "TOLERANCE" and any(tolerances):
        raise ValueError(f"the mode {mode} has no tolerances")
    return fields


def _replica_groups(attribute: Attribute) -> tuple[tuple[int, ...], ...] | None:
    """The groups, without the -1 that fills up shorter ones; None where they are axes of a mesh."""
    if isinstance(attribute, DialectAttr):
        return None
    return tuple(tuple(i for i in row if i != -1) for row in _array(attribute, 2, "i64").tolist())


def _dictionary(attribute: Attribute) -> dict[str, Any]:
    if not isinstance(attribute, DictAttr):
        raise TypeError
    return dict(attribute.items)


def _elements(attribute: Attribute) -> DenseAttr:
    if not isinstance(attribute, DenseAttr):
        raise TypeError
    return attribute


def _typed(attribute: Attribute) -> Attribute:
    if not isinstance(attribute, IntegerAttr | FloatAttr | BoolAttr | DenseAttr):
        raise TypeError
    return attribute


# ---------------------------------------------------------------- from what a pretty form has


def _as_it_is(value: Any) -> Attribute:
    """What the text gives is an attribute already."""
    found: Attribute = value
    return found


def as_written(value: Any) -> str:
    return f"[{', '.join(map(as_written, value))}]" if isinstance(value, list | tuple) else str(value)


def _list(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"expected a list, found {as_written(value)}")
    return tuple(value)


def _integer(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"expected an integer, found {as_written(value)}")
    return value


def _i64_array(value: Any) -> DenseArrayAttr:
    """array<i64: 0, 1>."""
    if not isinstance(value, list | tuple) or not all(type(item) is int for item in value):
        raise ValueError(f"expected a list of integers, found {as_written(value)}")
    return DenseArrayAttr(I64_TYPE, tuple(value))


def _i1_array(value: Any) -> DenseArrayAttr:
    return DenseArrayAttr(ScalarType("i1"), tuple(map(bool, _list(value))))


def _pair_array(value: Any) -> DenseAttr:
    data = np.array(_list(value), np.int64).reshape(-1, 2)
    return DenseAttr(TensorType((len(data), 2), I64_TYPE), data)


def _truth(value: Any) -> BoolAttr:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, found {as_written(value)}")
    return BoolAttr(value)


def _words(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a string, found {as_written(value)}")
    return str(value)


# ---------------------------------------------------------------- kinds of kinds


def structure(name: str) -> Kind:
    """A structure of named fields, #stablehlo.name<…>."""

    def decode(attribute: Attribute) -> dict[str, Any]:
        if not isinstance(attribute, DialectAttr) or attribute.name != name or not attribute.fields:
            raise TypeError
        return dict(attribute.fields)

    def encode(value: Any) -> Attribute:
        if isinstance(value, DialectAttr):
            return value
        return dim_numbers(value) if isinstance(value, str) else struct("stablehlo", name, value)

    return Kind(f"#stablehlo.{name}<…>", decode, encode, structure=name)


def enumeration(name: str, *without: str) -> Kind:
    """A keyword of an enumeration, #stablehlo<name WORD>; those named in `without` are not allowed."""
    words = [word for word in ENUMERATIONS[name] if word and word not in without]

    def decode(attribute: Attribute) -> str:
        if isinstance(attribute, StringAttr):  # spelt so in old files
            found = attribute.value
        elif isinstance(attribute, DialectAttr) and attribute.name == name and not attribute.fields:
            found = attribute.text
        else:
            raise TypeError
        if found not in words:
            raise ValueError(f"found {found}")
        return found

    def encode(value: Any) -> Attribute:
        if not isinstance(value, str):
            raise ValueError(f"expected a keyword, found {as_written(value)}")
        return enum(name, str(value))

    return Kind(f"one of {', '.join(words)}", decode, encode)


def numbered(name: str, type: str, *words: str, flags: bool = False) -> Kind:
    """An enumeration whose attribute is the keyword's number; with `flags`, written as a word after the operands."""

    def encode(value: Any) -> Attribute:
        if value not in words:
            raise ValueError(f"{value} is no {name}; there are {', '.join(words)}")
        return IntegerAttr(words.index(value), ScalarType(type))

    return Kind(f"a {name}", plain, encode, flags=words if flags else ())


def flagged(word: str, text: str) -> Kind:
    """What stands in angle brackets after a word, overflow<nsw>: an attribute of arith's."""
    return Kind(text, plain, lambda inside: DialectAttr("arith", word, {}, inside), flags=(word,))


def list_of(kind: Kind) -> Kind:
    """An array of attributes of a kind, [a, b, …]."""

    def decode(attribute: Attribute) -> tuple[Any, ...]:
        if not isinstance(attribute, ArrayAttr):
            raise TypeError
        return tuple(kind.decode(item) for item in attribute.items)

    return Kind(
        f"a list, each item {kind.text}", decode, lambda value: ArrayAttr(tuple(map(kind.encode, _list(value))))
    )


def segments(count: int) -> Kind:
    """How many operands or results each of some groups has."""
    text = "a list of 32-bit integers, the number of values in each part"
    return Kind(text, _segments, lambda value: DenseArrayAttr(ScalarType("i32"), _list(value)), segments=count)


def has_no_demand(accuracy: dict[str, Any]) -> bool:
    """Whether an accuracy is as if none were given."""
    mode = accuracy["mode"]
    return not any(accuracy[name] for name in ("atol", "rtol", "ulps")) and plain(mode) == "DEFAULT"


I64_TYPE = ScalarType("i64")
I32 = Kind("an integer of 32 bits", _integer_of("i32"), lambda value: IntegerAttr(_integer(value), ScalarType("i32")))
I64 = Kind("an integer of 64 bits", _integer_of("i64"), lambda value: IntegerAttr(_integer(value), I64_TYPE))
INTEGERS = Kind("a list of integers", _integers, _i64_array)
PAIRS = Kind("a list of pairs of integers", _pairs, _pair_array)
FLAG = Kind("a flag", _flag, lambda value: UnitAttr() if value else BoolAttr(False))
ACCURACY = replace(
    structure("result_accuracy"), text="the accuracy of a result, #stablehlo.result_accuracy<…>", decode=_accuracy
)
REPLICA_GROUPS = Kind("a list of lists of processes", _replica_groups, _as_it_is)
BOOLEAN = Kind("true or false", _boolean, _truth)
BOOLEANS = Kind("a list of booleans", _booleans, _i1_array)
F32 = Kind("a float of 32 bits", _f32, lambda value: FloatAttr(float(value), ScalarType("f32")))
STRING = Kind("a string", _string, lambda value: StringAttr(_words(value)))
SYMBOL = Kind("the name of a function, @name", _symbol, _as_it_is)
SYMBOLS = list_of(SYMBOL)
DICTIONARY = Kind("a dictionary", _dictionary, _as_it_is)
ELEMENTS = Kind("a constant, dense<…>", _elements, _as_it_is)
TYPED = Kind("a value with its type, 1 : i32 or dense<…>", _typed, _as_it_is)
ANYTHING = Kind("an attribute", plain, _as_it_is)
