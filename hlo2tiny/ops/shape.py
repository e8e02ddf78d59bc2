"""Ops of the shape and tensor dialects, which exporters leave behind; a `!shape.shape` is its sizes.

Those of shape are folded before a program runs: nothing is checked but what that needs.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .definition import op
from .folding import (
    Fold,
    add,
    broadcast_shapes,
    can_broadcast,
    elementwise,
    identity,
    multiply,
    of_shape,
    of_values,
    to_shape,
)
from .traits import Cost, Trait


def shape(name: str, fold: Fold | None = None, traits: Trait = Trait.SHAPES) -> None:
    op(f"shape.{name}", ".* -> .*", attributes=None, regions=("**",), tensors=False, traits=traits, fold=fold)


shape("add", elementwise(add))
shape("any", of_values(lambda *shapes: shapes[0]))
shape("broadcast", of_values(lambda *shapes, **attributes: broadcast_shapes(*shapes)))
shape("concat", of_values(lambda a, b: np.concatenate([a, b])))
shape("const_shape", of_values(lambda *, shape: shape))
shape("const_size", of_values(lambda *, value: value))
shape("dim", of_shape(lambda shape, index: shape[int(index)]))
shape("div", elementwise(lambda a, b: a // b))
shape("from_extent_tensor", identity)
shape("from_extents", of_values(lambda *sizes: np.array([int(n) for n in sizes], np.int64)))
shape("get_extent", of_values(lambda shape, index: shape[int(index)]))
shape("index_to_size", identity)
shape("is_broadcastable", of_values(can_broadcast))
shape("max", elementwise(np.maximum))
shape("min", elementwise(np.minimum))
shape("mul", elementwise(multiply))
shape("num_elements", of_values(lambda shape: prod(int(n) for n in shape)))
shape("rank", of_values(len))
shape("shape_eq", of_values(lambda *shapes: all(np.array_equal(s, shapes[0]) for s in shapes)))
shape("shape_of", of_shape(lambda shape: shape))
shape("size_to_index", identity)
shape("to_extent_tensor", identity)
shape("value_as_shape", identity)

shape("assuming_yield", traits=Trait.TERMINATOR)
shape("assuming", traits=Trait.WRAPPER)
shape("assuming_all", traits=Trait.WRAPPING)
shape("const_witness", traits=Trait.WRAPPING)


def tensor(name: str, elements: str, fold: Fold | None = None) -> None:
    row: dict[str, Any] = {"traits": Trait.SHAPES, "cost": Cost.FREE, "fold": fold}
    op(f"tensor.{name}", elements, quantized="several", tensors=False, **row)


tensor("cast", ". -> .", identity)
tensor("dim", ".. -> .", of_shape(lambda shape, index: shape[int(index)]))
tensor("empty", "-> .")
tensor("extract", "..* -> .", of_values(lambda x, *at: x[tuple(int(i) for i in at)]))
tensor(
    "from_elements",
    ".* -> .",
    to_shape(lambda *xs, shape: np.array([int(x) for x in xs], object).reshape(shape)),
)
tensor("splat", ". -> .")
