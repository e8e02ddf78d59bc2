"""Values of a program under construction, with the operators of arithmetic: each appends an op."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

I1, I32, I64 = (ScalarType(name) for name in ("i1", "i32", "i64"))
Number = float | int | bool | complex


def attribute(value: Any) -> Attribute:
    """Plain Python as an attribute: whole numbers as i64, tuples of them as array<i64: …>, arrays as dense<…>."""
    match value:
        case bool():
            return BoolAttr(value)
        case int():
            return IntegerAttr(value, I64)
        case tuple() | list():
            return DenseArrayAttr(I64, tuple(int(v) for v in value))
        case np.ndarray():
            return DenseAttr(TensorType(value.shape, I64), value.astype(np.int64))
    assert isinstance(value, Attribute)
    return value


class Builder:
    """Collects ops. Their location is that of the op on whose behalf they are built."""

    def __init__(self, location: Location) -> None:
        self.location = location
        self.ops: list[Op] = []

    def term(self, value: Value) -> Term:
        return Term(self, value)

    def op(
        self,
        name: str,
        operands: Sequence[Term],
        types: Sequence[TensorType],
        regions: Sequence[Region] = (),
        attributes: Mapping[str, Any] | None = None,
    ) -> list[Term]:
        """Append an op, and give its results. Attributes may be plain Python."""
        found = {key: attribute(value) for key, value in (attributes or {}).items()}
        results = tuple(Value("", type) for type in types)
        values = tuple(term.value for term in operands)
        self.ops.append(Op(name, values, results, found, tuple(regions), self.location))
        return [self.term(value) for value in results]

    def one(
        self, name: str, operands: Sequence[Term], type: TensorType, regions: Sequence[Region] = (), **attributes: Any
    ) -> Term:
        """The same for an op of one result, attributes as keywords."""
        return self.op(name, operands, [type], regions, attributes)[0]

    def repeated(self, number: Number, type: TensorType) -> Term:
        """A tensor that has one number everywhere."""
        shape = static_shape(type)
        data = np.broadcast_to(np.asarray(number, numpy_dtype(type.element)), shape)
        return self.one("stablehlo.constant", (), type, value=DenseAttr(type, data, splat=True))

    def zeros(self, type: TensorType) -> Term:
        return self.repeated(0, type)

    def array(self, values: np.ndarray, element: ElementType) -> Term:
        type = TensorType(values.shape, element)
        return self.one("stablehlo.constant", (), type, value=DenseAttr(type, values.astype(numpy_dtype(element))))

    def iota(self, shape: Sequence[int], dimension: int, element: ElementType = I32) -> Term:
        return self.one("stablehlo.iota", (), TensorType(tuple(shape), element), iota_dimension=dimension)

    def concatenate(self, terms: Sequence[Term], dimension: int) -> Term:
        sizes = [term.shape[dimension] for term in terms]
        shape = (*terms[0].shape[:dimension], sum(sizes), *terms[0].shape[dimension + 1 :])
        return self.one("stablehlo.concatenate", terms, TensorType(shape, terms[0].element), dimension=dimension)

    def returned(self, terms: Sequence[Term], name: str = "stablehlo.return") -> None:
        self.op(name, terms, ())

    def scalar_body(self, name: str, element: ElementType) -> Region:
        """The region of one op on two scalars, as reductions have."""
        arguments = tuple(Value("", TensorType((), element)) for _ in "ab")
        inner = Builder(self.location)
        inner.returned([inner.one(name, [inner.term(a) for a in arguments], TensorType((), element))])
        return Region(arguments, tuple(inner.ops))


@dataclass(frozen=True, eq=False)
class Term:
    """A value, and the builder that collects what is computed from it. Shapes are static."""

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

    def like(self, other: Term | Number) -> Term:
        return other if isinstance(other, Term) else self.builder.repeated(other, self.type)

    def binary(self, name: str, other: Term | Number) -> Term:
        return self.builder.one(f"stablehlo.{name}", (self, self.like(other)), self.type)

    def __add__(self, other: Term | Number) -> Term:
        return self.binary("add", other)

    def __sub__(self, other: Term | Number) -> Term:
        return self.binary("subtract", other)

    def __mul__(self, other: Term | Number) -> Term:
        return self.binary("multiply", other)

    def __truediv__(self, other: Term | Number) -> Term:
        return self.binary("divide", other)

    def __radd__(self, other: Number) -> Term:
        return self.like(other) + self

    def __rsub__(self, other: Number) -> Term:
        return self.like(other) - self

    def __rmul__(self, other: Number) -> Term:
        return self.like(other) * self

    def __rtruediv__(self, other: Number) -> Term:
        return self.like(other) / self

    def __neg__(self) -> Term:
        return self.apply("stablehlo.negate")

    def __and__(self, other: Term) -> Term:
        return self.binary("and", other)

    def apply(self, name: str, *others: Term) -> Term:
        """An elementwise op whose result is of this type."""
        return self.builder.one(name, (self, *others), self.type)

    def conj(self) -> Term:
        return self.apply("chlo.conj") if self.is_complex else self

    def part(self, name: str) -> Term:
        """stablehlo.real or stablehlo.imag of a complex number."""
        assert isinstance(self.element, ComplexType)
        return self.builder.one(name, (self,), TensorType(self.shape, self.element.element))

    def with_imaginary(self, imaginary: Term) -> Term:
        assert isinstance(self.element, ScalarType)
        type = TensorType(self.shape, ComplexType(self.element))
        return self.builder.one("stablehlo.complex", (self, imaginary), type)

    def to(self, element: ElementType) -> Term:
        """Converted: of a complex number the real part, of a real number the complex one."""
        if self.element == element:
            return self
        return self.builder.one("stablehlo.convert", (self,), TensorType(self.shape, element))

    def compare(self, direction: str, other: Term | Number) -> Term:
        how = DialectAttr("stablehlo", "comparison_direction", {}, direction)
        type = TensorType(self.shape, I1)
        return self.builder.one("stablehlo.compare", (self, self.like(other)), type, comparison_direction=how)

    def where(self, chosen: Term, other: Term | Number) -> Term:
        """`chosen` where this boolean is true."""
        other = chosen.like(other)
        return self.builder.one("stablehlo.select", (self, chosen, other), chosen.type)

    # ------------------------------------------------------------ movement

    def reshape(self, shape: Sequence[int]) -> Term:
        if tuple(shape) == self.shape:
            return self
        return self.builder.one("stablehlo.reshape", (self,), TensorType(tuple(shape), self.element))

    def transpose(self, permutation: Sequence[int]) -> Term:
        if list(permutation) == list(range(len(self.shape))):
            return self
        type = TensorType(tuple(self.shape[d] for d in permutation), self.element)
        return self.builder.one("stablehlo.transpose", (self,), type, permutation=tuple(permutation))

    def broadcast(self, shape: Sequence[int], dimensions: Sequence[int]) -> Term:
        """Repeated to a shape; `dimensions` says where in it this term's own dimensions are."""
        if tuple(shape) == self.shape and list(dimensions) == list(range(len(self.shape))):
            return self
        type = TensorType(tuple(shape), self.element)
        return self.builder.one("stablehlo.broadcast_in_dim", (self,), type, broadcast_dimensions=tuple(dimensions))

    def reverse(self, dimensions: Sequence[int]) -> Term:
        if not dimensions:
            return self
        return self.builder.one("stablehlo.reverse", (self,), self.type, dimensions=tuple(dimensions))

    def slice(self, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int] | None = None) -> Term:
        strides = tuple(strides or [1] * len(starts))
        shape = tuple(-(-(limit - start) // step) for start, limit, step in zip(starts, limits, strides))
        bounds = {"start_indices": tuple(starts), "limit_indices": tuple(limits), "strides": strides}
        return self.builder.op("stablehlo.slice", (self,), [TensorType(shape, self.element)], (), bounds)[0]

    def pad(self, low: Sequence[int], high: Sequence[int], interior: Sequence[int], filler: Term | None = None) -> Term:
        """With zeros, or a filler, between elements and at the edges, which are cut where the number is negative."""
        if not any((*low, *high, *interior)):
            return self
        spread = [(size - 1) * (gap + 1) + 1 if size else 0 for size, gap in zip(self.shape, interior)]
        shape = tuple(size + a + b for size, a, b in zip(spread, low, high))
        zero = filler or self.builder.zeros(TensorType((), self.element))
        edges = {"edge_padding_low": tuple(low), "edge_padding_high": tuple(high), "interior_padding": tuple(interior)}
        return self.builder.op("stablehlo.pad", (self, zero), [TensorType(shape, self.element)], (), edges)[0]

    # ------------------------------------------------------------ reductions

    def reduce(self, name: str, dimensions: Sequence[int], initial: Number) -> Term:
        """Folded over dimensions by an op of StableHLO."""
        if not dimensions:
            return self
        shape = tuple(size for d, size in enumerate(self.shape) if d not in dimensions)
        first = self.builder.repeated(initial, TensorType((), self.element))
        body = self.builder.scalar_body(name, self.element)
        type = TensorType(shape, self.element)
        return self.builder.one("stablehlo.reduce", (self, first), type, [body], dimensions=tuple(sorted(dimensions)))

    def sum(self, dimensions: Sequence[int] | None = None) -> Term:
        """The sum over dimensions, all of them by default."""
        return self.reduce("stablehlo.add", range(len(self.shape)) if dimensions is None else dimensions, 0)
