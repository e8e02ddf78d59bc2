"""Ops whose types or attributes have been changed a little, as a damaged or hostile file may have them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from hlo2tiny.ir import Attribute, DenseArrayAttr, DenseAttr, IntegerAttr, Op, ScalarType, TensorType, Type
from hlo2tiny.ir.rewrite import clone_value


def mutants(op: Op) -> Iterator[tuple[str, Op]]:
    """An op with one operand's type, one result's type or one attribute changed, and what has been changed."""
    for side in ("operands", "results"):
        values = getattr(op, side)
        for i, value in enumerate(values):
            for type in types_near(value.type):
                changed = (*values[:i], clone_value(value, type), *values[i + 1 :])
                yield f"{side[:-1]} {i}: {type}", replace(op, **{side: changed})
    for name, attribute in op.attributes.items():
        for changed in attributes_near(attribute):
            yield f"{name} = {changed}", replace(op, attributes={**op.attributes, name: changed})


def types_near(type: Type) -> Iterator[Type]:
    """Types with one more or one fewer dimension or element along a dimension, or with other elements."""
    if not isinstance(type, TensorType):
        return
    shape = type.shape
    shapes = [(*shape, 1), (2, *shape), shape[1:], shape[::-1]]
    for d, size in enumerate(shape):
        assert size is not None
        shapes += [(*shape[:d], n, *shape[d + 1 :]) for n in (size + 1, size - 1, 0) if n >= 0]
    for changed in dict.fromkeys(shapes):
        if changed != shape:
            yield replace(type, shape=changed)
    for element in map(ScalarType, ("f32", "i32", "i1", "ui64")):
        if element != type.element:
            yield replace(type, element=element)


def attributes_near(attribute: Attribute) -> Iterator[Attribute]:
    """Attributes with other numbers, and lists that are longer, shorter or in another order."""
    if isinstance(attribute, IntegerAttr) and attribute.type != ScalarType("i1"):
        yield from (replace(attribute, value=n) for n in (attribute.value + 1, attribute.value - 1, -7, 99))
    elif isinstance(attribute, DenseArrayAttr) and attribute.element != ScalarType("i1"):
        values = attribute.values
        lists = [(*values, 1), values[1:], values[::-1]]
        lists += [(*values[:i], n, *values[i + 1 :]) for i, v in enumerate(values) for n in (v + 1, v - 1, -7, 99)]
        yield from (replace(attribute, values=numbers) for numbers in dict.fromkeys(lists) if numbers != values)
    elif isinstance(attribute, DenseAttr) and attribute.data.dtype.kind == "i" and attribute.data.size:
        for n in (-99, 0, 99):
            data = np.array(attribute.data)
            data.reshape(-1)[0] = n
            yield replace(attribute, data=data, splat=False)
