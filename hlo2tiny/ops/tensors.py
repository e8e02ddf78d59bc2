"""Ops of the tensor dialect, which exporters use for the sizes of dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ..ir import TensorType, Type
from ..ir.dimensions import Shape
from ..ir.dtypes import as_tensor
from .attributes import Violation
from .definition import check_count_of, op
from .folding import Fold, extent, identity, of_shape, of_values, to_shape
from .traits import Cost, Trait
from .types import is_of


def check_size(operand: Type, index: Type, *, out: Sequence[Type]) -> list[None]:
    for noun, type in (("operand 1", index), ("the result", out[0])):
        size = as_tensor(type)
        if not isinstance(size, TensorType) or size.shape or not is_of(size.element, "i"):
            raise Violation(f"{noun} is {type}, expected index")
    return [None]


def require_tensor(noun: str, type: Type) -> TensorType:
    if not isinstance(type, TensorType):
        raise Violation(f"{noun} is {type}, expected a tensor")
    return type


def check_cast(operand: Type, *, out: Sequence[Type]) -> list[Shape]:
    before, after = require_tensor("the operand", operand), require_tensor("the result", out[0])
    if before.element != after.element:
        raise Violation(f"the result has elements of {before.element}, but its declared type is {after}")
    return [before.shape]


def check_extract(operand: Type, *indices: Type, out: Sequence[Type]) -> list[None]:
    tensor = require_tensor("operand 0", operand)
    check_count_of("indices", indices, len(tensor.shape), "tensor.extract")
    if as_tensor(out[0]) != TensorType((), tensor.element):
        raise Violation(f"the result is {out[0]}, expected {tensor.element}")
    return [None]


def check_elements(*elements: Type, out: Sequence[Type]) -> list[None]:
    result = require_tensor("the result", out[0])
    count = prod(n for n in result.shape if n is not None)
    if None in result.shape or count != len(elements):
        raise Violation(f"has {len(elements)} elements, but the declared type of the result is {result}")
    for i, type in enumerate(elements):
        if as_tensor(type) != TensorType((), result.element):
            raise Violation(f"operand {i} is {type}, expected {result.element}")
    return [None]


def check_splat(value: Type, *, out: Sequence[Type]) -> list[None]:
    element = require_tensor("the result", out[0]).element
    if as_tensor(value) != TensorType((), element):
        raise Violation(f"the operand is {value}, expected {element}")
    return [None]


def row(
    name: str,
    elements: str,
    form: str = "%",
    fold: Fold | None = None,
    shapes: Callable[..., Sequence[Shape | None]] | None = None,
    traits: Trait = Trait.SHAPES,
) -> None:
    row: dict[str, Any] = {"traits": traits, "cost": Cost.FREE, "fold": fold}
    op(f"tensor.{name}", elements, quantized="several", form=form, tensors=False, shapes=shapes, **row)


row("cast", ". -> .", fold=identity, shapes=check_cast)
row("dim", ".. -> .", "% : dim", of_shape(extent), check_size, Trait.SHAPES | Trait.ATTRIBUTES_FIRST)
row("empty", "-> .", "(%) : extents")
row("extract", "..* -> .", "%[%] : extract", of_values(lambda x, *at: x[tuple(int(i) for i in at)]), check_extract)
listed = to_shape(lambda *xs, shape: np.array([int(x) for x in xs], object).reshape(shape))
row("from_elements", ".* -> .", "% : elements", listed, check_elements)
row("splat", ". -> .", "% : splat", shapes=check_splat)
