"""Attributes. Each prints itself as MLIR writes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from ..records import dataclass
from .locations import without_aliases
from .numbers import print_elements, print_number
from .strings import quote
from .types import ScalarType, TensorType, Type, print_double

BARE = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)
HLO = ("stablehlo", "mhlo", "chlo")
# The fields of #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>. Letters stand for the first two of each row;
# the numbers are the spatial dimensions.
CONV_FIELDS = [
    [f"input_{name}" for name in ("batch_dimension", "feature_dimension", "spatial_dimensions")],
    [f"kernel_{name}" for name in ("input_feature_dimension", "output_feature_dimension", "spatial_dimensions")],
    [f"output_{name}" for name in ("batch_dimension", "feature_dimension", "spatial_dimensions")],
]
CONV_LETTERS = ("bf", "io", "bf")


@dataclass(frozen=True, slots=True)
class IntegerAttr:
    """1 : i64."""

    value: int
    type: ScalarType

    def __str__(self) -> str:
        return f"{self.value} : {self.type}"


@dataclass(frozen=True, slots=True)
class FloatAttr:
    """1.0 : f32. `value` is exact in the type, with the sign of zero, and with NaN's payload where Python keeps it."""

    value: float
    type: ScalarType

    def __str__(self) -> str:
        return f"{print_number(self.value, self.type)} : {self.type}"


@dataclass(frozen=True, slots=True)
class BoolAttr:
    """true or false."""

    value: bool

    def __str__(self) -> str:
        return "true" if self.value else "false"


@dataclass(frozen=True, slots=True)
class StringAttr:
    """A string without escapes. MLIR's strings are bytes; here they are decoded as UTF-8 with surrogateescape."""

    value: str

    def __str__(self) -> str:
        return quote(self.value)


@dataclass(frozen=True, slots=True)
class SymbolAttr:
    """@main, or @a::@b: the names from outside in."""

    names: tuple[str, ...]

    def __str__(self) -> str:
        return "::".join(f"@{print_name(name)}" for name in self.names)


@dataclass(frozen=True, slots=True)
class TypeAttr:
    """A type as an attribute."""

    type: Type

    def __str__(self) -> str:
        return str(self.type)


@dataclass(frozen=True, slots=True)
class UnitAttr:
    """An attribute whose presence is its meaning."""

    def __str__(self) -> str:
        return "unit"


@dataclass(frozen=True, slots=True)
class ArrayAttr:
    """[a, b, …]."""

    items: tuple[Attribute, ...]

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.items))}]"


@dataclass(frozen=True, slots=True)
class DictAttr:
    """{name = attribute, …}."""

    items: Mapping[str, Attribute]

    def __str__(self) -> str:
        return print_attributes(self.items)


@dataclass(frozen=True, slots=True)
class DenseArrayAttr:
    """array<i64: 1, 2>: values of one scalar type."""

    element: ScalarType
    values: tuple[Any, ...]

    def __str__(self) -> str:
        numbers = ", ".join(print_number(value, self.element) for value in self.values)
        return f"array<{self.element}{': ' if self.values else ''}{numbers}>"


@dataclass(frozen=True, slots=True, eq=False)
class DenseAttr:
    """dense<…> : tensor<…>, also dense_resource<…>.

    `data` has the type's shape and the element type's numpy dtype (`dtypes.py`). A splat is a broadcast view of one
    element, so it takes the memory of one element for any shape. `resource` is the name of a dense_resource's blob.
    `unused` is the element of a splat of an empty type, dense<1> : tensor<0xi32>, which MLIR tells from dense<>.
    """

    type: TensorType
    data: np.ndarray
    splat: bool = False
    resource: str | None = None
    unused: np.ndarray | None = None

    def __reduce__(self) -> Any:
        """Repeated elements stay views of one, of which a pickle of the array would have each."""
        shape, is_repeated = self.data.shape, self.data.ndim > 0 and not any(self.data.strides)
        data = self.data[(slice(1),) * len(shape)] if is_repeated else self.data
        return repeat_elements, (self.type, data, shape, self.splat, self.resource, self.unused)

    def __str__(self) -> str:
        if self.resource is not None:
            return f"dense_resource<{print_name(self.resource)}> : {self.type}"
        return f"dense<{print_elements(self.data, self.type, self.splat, self.unused)}> : {self.type}"


def repeat_elements(type: TensorType, data: np.ndarray, shape: tuple[int, ...], *others: Any) -> DenseAttr:
    return DenseAttr(type, data if data.shape == shape else np.broadcast_to(data, shape), *others)


@dataclass(frozen=True, slots=True)
class ElidedAttr:
    """dense_resource<…> : tensor<…> whose elements the file does not contain."""

    type: TensorType
    resource: str

    def __str__(self) -> str:
        return f"dense_resource<{print_name(self.resource)}> : {self.type}"


@dataclass(frozen=True, slots=True)
class DialectAttr:
    """#dialect.name<…>: #stablehlo.dot<lhs_contracting_dimensions = [1], …>, #stablehlo<comparison_direction EQ>.

    `fields` holds the fields of a structure. An enumeration has no fields, and its keyword in `text`. For attributes of
    other dialects, or in forms that no rule reads, `text` is the text between the angle brackets.
    """

    dialect: str
    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""

    def __str__(self) -> str:
        name, fields, text = self.name, self.fields, self.text
        if self.dialect == "builtin":
            return without_aliases(text) if text.startswith("loc(") else text  # whose definitions are not printed
        if not name:
            return f"#{self.dialect}<{text}>"
        if fields:
            match name:
                case "conv":
                    text = print_convolution(fields)
                case "bounds":
                    text = print_field(fields["bounds"])[1:-1]
                case _:
                    text = ", ".join(f"{key} = {print_field(value)}" for key, value in fields.items())
        elif self.dialect in HLO and re.fullmatch(r"\w+", text) and name != "result_accuracy_mode":
            return f"#{self.dialect}<{name} {text}>"
        return f"#{self.dialect}.{name}<{text}>" if text or fields else f"#{self.dialect}.{name}"


Attribute = (
    IntegerAttr | FloatAttr | BoolAttr | StringAttr | SymbolAttr | TypeAttr | UnitAttr | ArrayAttr
    | DictAttr | DenseArrayAttr | DenseAttr | ElidedAttr | DialectAttr
)  # fmt: skip


def print_name(name: str) -> str:
    """A name as MLIR writes it: in quotes unless it is a plain word."""
    return name if BARE.fullmatch(name) else quote(name)


def verbatim(dialect: str, name: str, text: str) -> DialectAttr:
    """#dialect.name<text>. Empty brackets belong to the name: MLIR tells #dialect.name<> from #dialect.name."""
    return DialectAttr(dialect, name if text or not name else f"{name}<>", {}, text)


def print_attributes(attributes: Mapping[str, Attribute]) -> str:
    """{name = attribute, …}."""
    entries = (
        print_name(name) if isinstance(attribute, UnitAttr) else f"{print_name(name)} = {attribute}"
        for name, attribute in attributes.items()
    )
    return f"{{{', '.join(entries)}}}"


def print_field(value: object) -> str:
    match value:
        case None:
            return "?"
        case bool():
            return "true" if value else "false"
        case float():
            return print_double(value)
        case list() | tuple():
            return f"[{', '.join(map(print_field, value))}]"
    return str(value)


def print_convolution(fields: Mapping[str, Any]) -> str:
    parts = []
    for names, letters in zip(CONV_FIELDS, CONV_LETTERS, strict=True):
        places = {fields[names[0]]: letters[0], fields[names[1]]: letters[1]}
        places |= {place: str(i) for i, place in enumerate(fields[names[2]])}
        parts.append("[" + ", ".join(places[i] for i in sorted(places)) + "]")
    return f"{parts[0]}x{parts[1]}->{parts[2]}"
