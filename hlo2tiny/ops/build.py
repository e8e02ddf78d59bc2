"""Building programs: ops by dialect and name, as in `stablehlo.add(a, b)`, and values with arithmetic operators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import prod
from typing import Any

import numpy as np

from ..ir import (
    Attribute,
    BoolAttr,
    ComplexType,
    DenseArrayAttr,
    DenseAttr,
    DialectAttr,
    ElementType,
    IntegerAttr,
    Location,
    Op,
    Region,
    ScalarType,
    TensorType,
    Value,
)
from ..ir.dtypes import expect_tensor, numpy_dtype, static_shape
from ..ir.sizes import Size
from ..records import dataclass
from .definition import Definition, Schema, decode_attributes, schema_of
from .traits import Trait
from .types import FIXED

I1, I32, I64 = (ScalarType(name) for name in ("i1", "i32", "i64"))
PlainNumber = float | int | bool | complex


def attribute(value: Any) -> Attribute:
    """Plain Python as an attribute: an integer is an i64, a list of them array<i64: …>, an array dense<…>."""
    match value:
        case bool():
            return BoolAttr(value)
        case int():
            return IntegerAttr(value, I64)
        case tuple() | list():
            return DenseArrayAttr(I64, tuple(v if isinstance(v, Size) else int(v) for v in value))
        case np.ndarray():
            return DenseAttr(TensorType(value.shape, I64), value if value.dtype == object else value.astype(np.int64))
    assert isinstance(value, Attribute)
    return value


@dataclass(frozen=True)
class Operation:
    """An op that can be built. Its attributes may be plain Python, see `attribute`."""

    row: Schema

    @property
    def name(self) -> str:
        return self.row.name

    def op(
        self,
        operands: Sequence[Value],
        results: Sequence[Value],
        location: Location,
        regions: Sequence[Region] = (),
        **attributes: Any,
    ) -> Op:
        encoded = {name: attribute(value) for name, value in attributes.items()}
        return Op(self.row.name, tuple(operands), tuple(results), encoded, tuple(regions), location)

    def __call__(
        self, *operands: Term, type: TensorType | None = None, regions: Sequence[Region] = (), **attributes: Any
    ) -> Term:
        """Append an op with one result to its first operand's builder; `type` may be left out if the row infers it."""
        types = [self.infer_type(operands, attributes) if type is None else type]
        return operands[0].builder.op(self, operands, types, regions, attributes)[0]

    def infer_type(self, operands: Sequence[Term], attributes: Mapping[str, Any]) -> TensorType:
        """The result's type, which must follow from the operands and attributes alone."""
        row, types = self.row, [term.type for term in operands]
        assert isinstance(row, Definition)
        letters, _, letter = row.elements.partition(" -> ")
        if row.wants_out:
            assert row.traits & Trait.ELEMENTWISE, f"{row.name} needs an explicit type"
            shape = types[0].shape
        else:
            keywords = decode_attributes(row, {name: attribute(value) for name, value in attributes.items()})
            inferred = row.inferred_shapes(types, (), keywords)[0]
            assert inferred is not None
            shape = tuple(inferred)
        if letter in FIXED:
            return TensorType(shape, ScalarType(FIXED[letter]))
        if letter in letters:
            return TensorType(shape, types[letters.index(letter)].element)
        element = types[0].element  # complex numbers from their parts, or the reverse
        if letter in ("C", "R"):
            assert isinstance(element, ScalarType)
            return TensorType(shape, ComplexType(element))
        return TensorType(shape, element.element if isinstance(element, ComplexType) else element)


class Dialect:
    """A dialect's ops by name; a name that Python reserves ends with an underscore."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Operation:
        return operation(f"{self._name}.{name.removesuffix('_')}")


@cache
def operation(name: str) -> Operation:
    row = schema_of(name)
    if row is None:
        raise AttributeError(f"there is no op {name}")
    return Operation(row)


stablehlo, chlo, func, arith, tensor = map(Dialect, ("stablehlo", "chlo", "func", "arith", "tensor"))


class Builder:
    """Collects ops, which all have the same location."""

    def __init__(self, location: Location) -> None:
        self.location = location
        self.ops: list[Op] = []

    def term(self, value: Value) -> Term:
        return Term(self, value)

    def op(
        self,
        operation: Operation,
        operands: Sequence[Term],
        types: Sequence[TensorType],
        regions: Sequence[Region] = (),
        attributes: Mapping[str, Any] | None = None,
    ) -> list[Term]:
        """Append an op and return its results."""
        results = [Value("", type) for type in types]
        values = [term.value for term in operands]
        self.ops.append(operation.op(values, results, self.location, regions, **(attributes or {})))
        return [self.term(value) for value in results]

    def fill(self, number: PlainNumber, type: TensorType) -> Term:
        """A tensor filled with one number."""
        shape = static_shape(type)
        data = np.broadcast_to(np.asarray(number, numpy_dtype(type.element)), shape)
        return self.op(stablehlo.constant, (), [type], (), {"value": DenseAttr(type, data, splat=True)})[0]

    def zeros(self, type: TensorType) -> Term:
        return self.fill(0, type)

    def array(self, values: np.ndarray, element: ElementType) -> Term:
        type = TensorType(values.shape, element)
        value = DenseAttr(type, values.astype(numpy_dtype(element)))
        return self.op(stablehlo.constant, (), [type], (), {"value": value})[0]

    def iota(self, shape: Sequence[int], dimension: int, element: ElementType = I32) -> Term:
        return self.op(stablehlo.iota, (), [TensorType(tuple(shape), element)], (), {"iota_dimension": dimension})[0]

    def concatenate(self, terms: Sequence[Term], dimension: int) -> Term:
        return stablehlo.concatenate(*terms, dimension=dimension)

    def ops_for(self, op: Op) -> tuple[Op, ...]:
        """The collected ops, of which the last one has the results of an op that they replace."""
        *ops, last = self.ops
        return (*ops, Op(last.name, last.operands, op.results, last.attributes, (), last.location))

    def return_terms(self, terms: Sequence[Term]) -> None:
        self.op(stablehlo.return_, terms, ())

    def scalar_body(self, operation: Operation, element: ElementType) -> Region:
        """A region that applies one op to two scalars, as in reductions."""
        arguments = tuple(Value("", TensorType((), element)) for _ in "ab")
        inner = Builder(self.location)
        inner.return_terms([operation(*map(inner.term, arguments))])
        return Region(arguments, tuple(inner.ops))


@dataclass(frozen=True, eq=False)
class Term:
    """A value of static shape, and the builder for ops that use it."""

    builder: Builder
    value: Value

    @property
    def type(self) -> TensorType:
        type = expect_tensor(self.value.type)
        return TensorType(type.shape, type.element)

    @property
    def shape(self) -> tuple[int, ...]:
        return static_shape(self.type)

    @property
    def element(self) -> ElementType:
        return self.type.element

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def is_complex(self) -> bool:
        return isinstance(self.element, ComplexType)

    # ------------------------------------------------------------ arithmetic

    def like(self, other: Term | PlainNumber) -> Term:
        return other if isinstance(other, Term) else self.builder.fill(other, self.type)

    def __add__(self, other: Term | PlainNumber) -> Term:
        return stablehlo.add(self, self.like(other))

    def __sub__(self, other: Term | PlainNumber) -> Term:
        return stablehlo.subtract(self, self.like(other))

    def __mul__(self, other: Term | PlainNumber) -> Term:
        return stablehlo.multiply(self, self.like(other))

    def __truediv__(self, other: Term | PlainNumber) -> Term:
        return stablehlo.divide(self, self.like(other))

    def __radd__(self, other: PlainNumber) -> Term:
        return self.like(other) + self

    def __rsub__(self, other: PlainNumber) -> Term:
        return self.like(other) - self

    def __rmul__(self, other: PlainNumber) -> Term:
        return self.like(other) * self

    def __rtruediv__(self, other: PlainNumber) -> Term:
        return self.like(other) / self

    def __neg__(self) -> Term:
        return stablehlo.negate(self)

    def __and__(self, other: Term) -> Term:
        return stablehlo.and_(self, other)

    def conj(self) -> Term:
        return chlo.conj(self) if self.is_complex else self

    def to(self, element: ElementType) -> Term:
        """Converted to another element type; complex numbers become real by dropping the imaginary part."""
        if self.element == element:
            return self
        return stablehlo.convert(self, type=TensorType(self.shape, element))

    def compare(self, direction: str, other: Term | PlainNumber) -> Term:
        how = DialectAttr("stablehlo", "comparison_direction", {}, direction)
        return stablehlo.compare(self, self.like(other), comparison_direction=how)

    def where(self, chosen: Term, other: Term | PlainNumber) -> Term:
        """`chosen` where this boolean is true, otherwise `other`."""
        return stablehlo.select(self, chosen, chosen.like(other))

    # ------------------------------------------------------------ movement

    def reshape(self, shape: Sequence[int]) -> Term:
        if tuple(shape) == self.shape:
            return self
        return stablehlo.reshape(self, type=TensorType(tuple(shape), self.element))

    def transpose(self, permutation: Sequence[int]) -> Term:
        if list(permutation) == list(range(len(self.shape))):
            return self
        type = TensorType(tuple(self.shape[d] for d in permutation), self.element)
        return stablehlo.transpose(self, type=type, permutation=tuple(permutation))

    def broadcast(self, shape: Sequence[int], dimensions: Sequence[int]) -> Term:
        """Broadcast to a shape; `dimensions` says which of its dimensions are this term's."""
        if tuple(shape) == self.shape and list(dimensions) == list(range(len(self.shape))):
            return self
        type = TensorType(tuple(shape), self.element)
        return stablehlo.broadcast_in_dim(self, type=type, broadcast_dimensions=tuple(dimensions))

    def reverse(self, dimensions: Sequence[int]) -> Term:
        if not dimensions:
            return self
        return stablehlo.reverse(self, dimensions=tuple(dimensions))

    def slice(self, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int] | None = None) -> Term:
        steps = tuple(strides or [1] * len(starts))
        return stablehlo.slice(self, start_indices=tuple(starts), limit_indices=tuple(limits), strides=steps)

    def pad(self, low: Sequence[int], high: Sequence[int], interior: Sequence[int], filler: Term | None = None) -> Term:
        """Padded with zeros, or a filler, at the edges and between elements; negative edge padding crops."""
        if not any((*low, *high, *interior)):
            return self
        zero = filler or self.builder.zeros(TensorType((), self.element))
        gaps, before, after = tuple(interior), tuple(low), tuple(high)
        return stablehlo.pad(self, zero, edge_padding_low=before, edge_padding_high=after, interior_padding=gaps)

    # ------------------------------------------------------------ reductions

    def reduce(self, operation: Operation, dimensions: Sequence[int], initial: PlainNumber) -> Term:
        """Reduced over dimensions by an op."""
        if not dimensions:
            return self
        shape = tuple(size for d, size in enumerate(self.shape) if d not in dimensions)
        first = self.builder.fill(initial, TensorType((), self.element))
        body = self.builder.scalar_body(operation, self.element)
        type = TensorType(shape, self.element)
        return stablehlo.reduce(self, first, type=type, regions=[body], dimensions=tuple(sorted(dimensions)))

    def sum(self, dimensions: Sequence[int] | None = None) -> Term:
        """The sum over dimensions, all of them by default."""
        return self.reduce(stablehlo.add, range(len(self.shape)) if dimensions is None else dimensions, 0)
