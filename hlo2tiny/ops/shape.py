"""Ops of the shape dialect, which exporters use for shape computations; they are folded before a program runs.

A `!shape.shape` is represented by its sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from ..ir import DenseAttr, IntegerAttr, OpaqueType, ScalarType, TensorType, Type
from ..ir.dtypes import as_tensor
from .attributes import BOOLEAN, STRING, Kind, Violation, integer, optional, plain
from .definition import op, same
from .folding import (
    Fold,
    add,
    broadcast_shapes,
    can_broadcast,
    elementwise,
    extent,
    identity,
    multiply,
    of_shape,
    of_values,
)
from .foreign import RETURN, foreign
from .traits import Cost, Trait
from .types import INDEX


def sizes(value: list[int]) -> DenseAttr:
    return DenseAttr(TensorType((len(value),), INDEX), np.array(value, np.int64))


# ---------------------------------------------------------------- types

SHAPE, SIZE_TYPE, WITNESS = (OpaqueType(f"!shape.{name}") for name in ("shape", "size", "witness"))
I1 = ScalarType("i1")


def expect_size(noun: str, type: Type) -> None:
    if type not in (SIZE_TYPE, INDEX) and type != TensorType((), INDEX):
        raise Violation(f"{noun} is {type}, expected index or !shape.size")


def length_of(noun: str, type: Type) -> int | None:
    """The rank that a shape or a tensor of sizes has, None if it is unknown; Violation if a type is neither."""
    if type == SHAPE:
        return None
    if not isinstance(type, TensorType) or type.element != INDEX or len(type.shape) != 1:
        raise Violation(f"{noun} is {type}, expected !shape.shape or a list of sizes, such as tensor<2xindex>")
    return type.shape[0]


def expect_length(out: Sequence[Type], length: int | None) -> list[None]:
    """Check the result of an op that returns a shape of this many dimensions."""
    if not same(length_of("the result", out[0]), length):
        raise Violation(f"the result has the shape [{length}], but its declared type is {out[0]}")
    return [None]


def longest(*shapes: Type) -> int | None:
    lengths = [length_of(f"operand {i}", type) for i, type in enumerate(shapes)]
    return None if None in lengths else max((n for n in lengths if n is not None), default=None)


def of_shapes(*shapes: Type, out: Sequence[Type]) -> list[None]:
    return expect_length(out, longest(*shapes))


def of_sizes(*sizes: Type, out: Sequence[Type]) -> list[None]:
    for i, type in enumerate(sizes):
        expect_size(f"operand {i}", type)
    expect_size("the result", out[0])
    return [None]


def of_either(lhs: Type, rhs: Type, *, out: Sequence[Type]) -> list[None]:
    is_shape = lhs == SHAPE or (isinstance(lhs, TensorType) and bool(lhs.shape))
    return of_shapes(lhs, rhs, out=out) if is_shape else of_sizes(lhs, rhs, out=out)


def size_of(shape: Type, *indices: Type, out: Sequence[Type]) -> list[None]:
    length_of("operand 0", shape)
    return of_sizes(*indices, out=out)


def concatenated(lhs: Type, rhs: Type, *, out: Sequence[Type]) -> list[None]:
    a, b = length_of("operand 0", lhs), length_of("operand 1", rhs)
    return expect_length(out, None if a is None or b is None else a + b)


def of_extents(*sizes: Type, out: Sequence[Type]) -> list[None]:
    of_sizes(*sizes, out=[INDEX])
    return expect_length(out, len(sizes))


def of_tensor(value: Type, *, out: Sequence[Type]) -> list[None]:
    return expect_length(out, len(value.shape) if isinstance(value, TensorType) else None)


def answer(*shapes: Type, out: Sequence[Type]) -> list[None]:
    longest(*shapes)
    if as_tensor(out[0]) != TensorType((), I1):
        raise Violation(f"the result is {out[0]}, expected i1")
    return [None]


# ---------------------------------------------------------------- values


def divide(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if not b.all():
        raise ValueError(f"the size {a} is divided by zero")
    return np.asarray(a // b)


# ---------------------------------------------------------------- rows


def row(
    names: str,
    elements: str,
    shapes: Callable[..., list[None]],
    fold: Fold,
    form: str = "%",
    attributes: Mapping[str, Kind] = MappingProxyType({}),
) -> None:
    rest: dict[str, Any] = {"quantized": "several", "tensors": False, "traits": Trait.SHAPES, "cost": Cost.FREE}
    for name in names.split():
        op(f"shape.{name}", elements, attributes=attributes, form=form, shapes=shapes, fold=fold, **rest)


ERROR: dict[str, Any] = {"attributes": {"error": optional(STRING)}, "form": "%, error = $error"}
SIZES = Kind("a list of sizes", plain, sizes)
SIZE = Kind("a size", plain, lambda value: IntegerAttr(integer(value), INDEX))
row("add", ".. -> .", of_sizes, elementwise(add))
row("mul", ".. -> .", of_sizes, elementwise(multiply))
row("div", ".. -> .", of_sizes, elementwise(divide))
row("any", ".* -> .", of_shapes, of_values(lambda *shapes: shapes[0]))
row("broadcast", ".* -> .", of_shapes, of_values(broadcast_shapes), **ERROR)
row("concat", ".. -> .", concatenated, of_values(lambda a, b: np.concatenate([a, b])))
row(
    "const_shape",
    "-> .",
    lambda *, shape, out: expect_length(out, len(shape)),
    of_values(lambda *, shape: shape),
    "$shape",
    {"shape": SIZES},
)
row("const_size", "-> .", of_sizes, of_values(lambda *, value: value), "$value : size", {"value": SIZE})
row("dim", ".. -> .", lambda value, index, *, out: of_sizes(index, out=out), of_shape(extent))
row("from_extent_tensor", ". -> .", of_shapes, identity, "% : shape")
listed = of_values(lambda *sizes: np.array([int(n) for n in sizes], np.int64))
row("from_extents", ".* -> .", of_extents, listed, "% : shape")
row("get_extent", ".. -> .", size_of, of_values(extent))
row("index_to_size", ". -> .", of_sizes, identity, "% : size")
row("is_broadcastable", ".* -> .", answer, of_values(can_broadcast), "% : i1")
row("max", ".. -> .", of_either, elementwise(np.maximum))
row("min", ".. -> .", of_either, elementwise(np.minimum))
row("num_elements", ". -> .", size_of, of_values(lambda shape: prod(int(n) for n in shape)))
row("rank", ". -> .", size_of, of_values(len))
row("shape_eq", ".* -> .", answer, of_values(lambda *s: all(np.array_equal(x, s[0]) for x in s)), "% : i1")
row("shape_of", ". -> .", of_tensor, of_shape(lambda shape: shape))
row("size_to_index", ". -> .", of_sizes, identity, "% : index")
row("to_extent_tensor value_as_shape", ". -> .", of_shapes, identity)
foreign("shape.meet", "error?", "%, error = $error", {"error": STRING})
foreign("shape.assuming", traits=Trait.WRAPPER)
foreign("shape.assuming_all", "", "% : witness", traits=Trait.WRAPPING)
foreign("shape.assuming_yield", "", "% : operands", traits=RETURN, parent="shape.assuming")
foreign("shape.const_witness", "passing", "$passing : witness", {"passing": BOOLEAN}, Trait.WRAPPING)
foreign("shape.cstr_require", "msg", "%, $msg : witness")
foreign("shape: cstr_broadcastable cstr_eq", "", "% : witness")
