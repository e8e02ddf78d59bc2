"""The kinds of attributes: each converts an attribute to plain Python and back, or says what it expects."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import replace
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
from ..ir.sizes import Size
from ..ir.structures import ENUMERATIONS, dim_numbers, enum, struct
from ..records import dataclass

MISSING = object()


class Violation(Exception):
    """An op breaks a constraint; the message says what was found and expected, and the constraint's number, "(C2)"."""


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

    `decode` raises TypeError or ValueError if an attribute is of another kind. `encode` is its inverse for the contents
    of a pretty form: numbers, words, strings, and lists of them.
    """

    text: str  # what it is, for messages
    decode: Callable[[Attribute], Any]
    encode: Callable[[Any], Attribute]
    default: Any = MISSING  # its value if it is left out
    neutral: Callable[[Any], bool] | None = None  # whether a value means the same as leaving it out
    since: str = ""  # the version of StableHLO (or of the dialect's project) that added it
    until: str = ""  # the version that removed it
    structure: str = ""  # its name in `STRUCTURES`
    segments: int = 0  # the number of groups of values whose sizes it lists
    flags: tuple[str, ...] = ()  # the words after the operands that stand for it

    @property
    def required(self) -> bool:
        return self.default is MISSING

    def value(self, name: str, attribute: Attribute) -> Any:
        """The attribute as plain Python.

        Raises:
            Violation: the attribute is of another kind.
        """
        try:
            return self.decode(attribute)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            detail = f": {error}" if isinstance(error, ValueError) else ""
            raise Violation(f"the attribute '{name}' is not {self.text}{detail}") from error

    def changes_nothing(self, attribute: Attribute) -> bool:
        """Whether an attribute means the same as leaving it out; exporters may write it or not."""
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
    """A test whether all items of a list, or of a list of pairs, are equal to `item`."""
    return lambda value: all(entry in (item, (item, item)) for entry in value)


def is_empty(value: Any) -> bool:
    return np.size(value) == 0 if isinstance(value, np.ndarray) else isinstance(value, Sized) and not value


def _number(kind: type[IntegerAttr | FloatAttr], name: str) -> Callable[[Attribute], Any]:
    """The decoder of a number of the scalar type `name`."""

    def decode(attribute: Attribute) -> Any:
        if not isinstance(attribute, kind):
            raise TypeError
        if attribute.type.name != name:
            raise ValueError(f"it has the type {attribute.type.name}")
        return attribute.value

    return decode


def _only(*kinds: type[Attribute], convert: Callable[[Any], Any] = plain) -> Callable[[Attribute], Any]:
    """The decoder of attributes of these classes."""

    def decode(attribute: Attribute) -> Any:
        if not isinstance(attribute, kinds):
            raise TypeError
        return convert(attribute)

    return decode


def _keep(value: Any) -> Any:
    return value


# Lists have an entry for each dimension or each device.
LONGEST = 1 << 20


def _array(attribute: Attribute, rank: int, element: str) -> np.ndarray:
    """Numbers as an array of this rank, from any of the spellings that exporters use or have used."""
    dtype = np.dtype(bool if element == "i1" else np.int64)
    match attribute:
        case DenseAttr(type=type, data=data):
            names, array = {getattr(type.element, "name", "")}, data
        case DenseArrayAttr(scalar, values):
            names, array = {scalar.name}, np.array(values, dtype)
        case ArrayAttr(items):
            names = {"i1" if isinstance(item, BoolAttr) else item.type.name for item in items}  # type: ignore[union-attr]
            array = np.array([item.value for item in items], dtype)  # type: ignore[union-attr]
        case _:
            raise TypeError
    if array.size > LONGEST:
        raise ValueError(f"it has {array.size} numbers, expected at most {LONGEST}")
    if names - {element}:
        raise ValueError(f"its numbers have the type {', '.join(sorted(names))}, expected {element}")
    if array.ndim != rank:
        raise ValueError(f"it has rank {array.ndim}, expected {rank}")
    return array


def _integers(attribute: Attribute) -> tuple[int, ...]:
    if isinstance(attribute, DenseArrayAttr) and any(type(value) is Size for value in attribute.values):
        return attribute.values
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
    array = _array(attribute, 2, "i64")
    if array.size and array.shape[1] != 2:
        raise ValueError(f"it has the shape {list(array.shape)}, expected pairs")
    return tuple((low, high) for low, high in array.tolist()) if array.size else ()


def _accuracy(attribute: Attribute) -> dict[str, Any]:
    """The accuracy that a result must have. Tolerances are not negative and need the mode TOLERANCE."""
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
    """The groups without the -1 that pads shorter ones; None if they are given as axes of a mesh."""
    if isinstance(attribute, DialectAttr):
        return None
    rows = _array(attribute, 2, "i64").tolist()
    if any(row and set(row) == {-1} for row in rows):
        raise ValueError("a group names no process, only -1, which pads shorter groups")
    return tuple(tuple(i for i in row if i != -1) for row in rows)


# ---------------------------------------------------------------- from the contents of a pretty form


def as_written(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(as_written, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"expected a list, found {as_written(value)}")
    return tuple(value)


def integer(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"expected an integer, found {as_written(value)}")
    return value


def _i64_array(value: Any) -> DenseArrayAttr:
    """array<i64: 0, 1>."""
    if not isinstance(value, list | tuple) or not all(type(item) in (int, Size) for item in value):
        raise ValueError(f"expected a list of integers, found {as_written(value)}")
    return DenseArrayAttr(I64_TYPE, tuple(value))


def _i1_array(value: Any) -> DenseArrayAttr:
    return DenseArrayAttr(ScalarType("i1"), tuple(map(bool, _list(value))))


def _pair_array(value: Any) -> DenseAttr:
    has_open = any(isinstance(item, Size) for item in _list(value))
    data = np.array(value, object if has_open else np.int64).reshape(-1, 2)
    return DenseAttr(TensorType((len(data), 2), I64_TYPE), data)


def _truth(value: Any) -> BoolAttr:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, found {as_written(value)}")
    return BoolAttr(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a string, found {as_written(value)}")
    return str(value)


# ---------------------------------------------------------------- kinds of kinds


def structure(name: str) -> Kind:
    """A structure with named fields, #stablehlo.name<…>."""

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
    """A keyword of an enumeration, #stablehlo<name WORD>, except for those in `without`."""
    words = [word for word in ENUMERATIONS[name] if word and word not in without]

    def decode(attribute: Attribute) -> str:
        if isinstance(attribute, StringAttr):  # in old files
            word = attribute.value
        elif isinstance(attribute, DialectAttr) and attribute.name == name and not attribute.fields:
            word = attribute.text
        else:
            raise TypeError
        if word not in words:
            raise ValueError(f"found {word}")
        return word

    def encode(value: Any) -> Attribute:
        if not isinstance(value, str):
            raise ValueError(f"expected a keyword, found {as_written(value)}")
        return enum(name, str(value))

    return Kind(f"one of {', '.join(words)}", decode, encode)


def make_number_kind(name: str, type: str, *words: str, flags: bool = False) -> Kind:
    """An enumeration given as the keyword's number; with `flags`, as a word after the operands."""
    numbered = _number(IntegerAttr, type)

    def decode(attribute: Attribute) -> int:
        number = int(numbered(attribute))
        if not 0 <= number < len(words):
            raise ValueError(f"found {number}, expected 0 to {len(words) - 1}: {', '.join(words)}")
        return number

    def encode(value: Any) -> Attribute:
        if value not in words:
            raise ValueError(f"found {value}, expected a {name}: {', '.join(words)}")
        return IntegerAttr(words.index(value), ScalarType(type))

    return Kind(f"a {name}", decode, encode, flags=words if flags else ())


def make_flag_kind(word: str, text: str) -> Kind:
    """An attribute of arith that is written after a word in angle brackets, overflow<nsw>."""
    return Kind(text, plain, lambda inside: DialectAttr("arith", word, {}, inside), flags=(word,))


def list_of(kind: Kind) -> Kind:
    """An array of attributes of one kind, [a, b, …]."""

    def decode(attribute: Attribute) -> tuple[Any, ...]:
        if not isinstance(attribute, ArrayAttr):
            raise TypeError
        return tuple(kind.decode(item) for item in attribute.items)

    return Kind(
        f"a list, each item {kind.text}", decode, lambda value: ArrayAttr(tuple(map(kind.encode, _list(value))))
    )


def segments(count: int) -> Kind:
    """The number of operands or results in each group."""
    text = "a list of 32-bit integers, the number of values in each group"
    return Kind(text, _segments, lambda value: DenseArrayAttr(ScalarType("i32"), _list(value)), segments=count)


def has_no_demand(accuracy: dict[str, Any]) -> bool:
    """Whether an accuracy means the same as none."""
    mode = accuracy["mode"]
    return not any(accuracy[name] for name in ("atol", "rtol", "ulps")) and plain(mode) == "DEFAULT"


I64_TYPE = ScalarType("i64")
I32 = Kind(
    "an integer of 32 bits", _number(IntegerAttr, "i32"), lambda value: IntegerAttr(integer(value), ScalarType("i32"))
)
I64 = Kind("an integer of 64 bits", _number(IntegerAttr, "i64"), lambda value: IntegerAttr(integer(value), I64_TYPE))
INTEGERS = Kind("a list of integers", _integers, _i64_array)
PAIRS = Kind("a list of pairs of integers", _pairs, _pair_array)
STEPS, PADDING = optional(INTEGERS, neutral=all_are(1)), optional(PAIRS, neutral=all_are(0))  # of windows
FLAG = Kind("a flag", _only(UnitAttr, BoolAttr), lambda value: UnitAttr() if value else BoolAttr(False))
ACCURACY = replace(
    structure("result_accuracy"), text="the accuracy of a result, #stablehlo.result_accuracy<…>", decode=_accuracy
)
REPLICA_GROUPS = Kind("a list of lists of processes", _replica_groups, _keep)
BOOLEAN = Kind("true or false", _only(BoolAttr), _truth)
BOOLEANS = Kind("a list of booleans", _booleans, _i1_array)
F32 = Kind("a float of 32 bits", _number(FloatAttr, "f32"), lambda value: FloatAttr(float(value), ScalarType("f32")))
STRING = Kind("a string", _only(StringAttr), lambda value: StringAttr(_text(value)))
SYMBOL = Kind("the name of a function, @name", _only(SymbolAttr), _keep)
SYMBOLS = list_of(SYMBOL)
DICTIONARY = Kind("a dictionary", _only(DictAttr, convert=lambda attribute: dict(attribute.items)), DictAttr)
ELEMENTS = Kind("a constant, dense<…>", _only(DenseAttr, convert=_keep), _keep)
TYPED = Kind(
    "a value with its type, 1 : i32 or dense<…>",
    _only(IntegerAttr, FloatAttr, BoolAttr, DenseAttr, convert=_keep),
    _keep,
)
ANYTHING = Kind("an attribute", plain, _keep)
