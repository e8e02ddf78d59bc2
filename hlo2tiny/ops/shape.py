"""Ops of the shape dialect, which exporters use for shape computations; they are folded before a program runs.

A `!shape.shape` is represented by its sizes. Only what folding needs is checked.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..ir import DenseAttr, IntegerAttr, TensorType
from .attributes import BOOLEAN, STRING, Kind, integer, plain
from .folding import Fold, add, broadcast_shapes, can_broadcast, elementwise, identity, multiply, of_shape, of_values
from .foreign import foreign
from .traits import Trait
from .types import INDEX


def sizes(value: list[int]) -> DenseAttr:
    return DenseAttr(TensorType((len(value),), INDEX), np.array(value, np.int64))


def shape(names: str, fold: Fold | None, attributes: str = "", form: str = "%", **schema: Any) -> None:
    foreign(f"shape: {names}", attributes, form, fold=fold, **{"traits": Trait.SHAPES} | schema)


ERROR: dict[str, Any] = {"attributes": "error?", "form": "%, error = $error", "kinds": {"error": STRING}}
shape("add", elementwise(add))
shape("any", of_values(lambda *shapes: shapes[0]))
shape("broadcast", of_values(lambda *shapes, **attributes: broadcast_shapes(*shapes)), **ERROR)
shape("concat", of_values(lambda a, b: np.concatenate([a, b])))
SIZES = Kind("a list of sizes", plain, sizes)
SIZE = Kind("a size", plain, lambda value: IntegerAttr(integer(value), INDEX))
shape("const_shape", of_values(lambda *, shape: shape), "shape", "$shape", kinds={"shape": SIZES})
shape("const_size", of_values(lambda *, value: value), "value", "$value : size", kinds={"value": SIZE})
shape("dim", of_shape(lambda shape, index: shape[int(index)]))
shape("div", elementwise(lambda a, b: a // b))
shape("from_extent_tensor", identity, form="% : shape")
shape("from_extents", of_values(lambda *sizes: np.array([int(n) for n in sizes], np.int64)), form="% : shape")
shape("get_extent", of_values(lambda shape, index: shape[int(index)]))
shape("index_to_size", identity, form="% : size")
shape("is_broadcastable", of_values(can_broadcast), form="% : i1")
shape("max", elementwise(np.maximum))
shape("min", elementwise(np.minimum))
shape("mul", elementwise(multiply))
shape("num_elements", of_values(lambda shape: prod(int(n) for n in shape)))
shape("rank", of_values(len))
shape("shape_eq", of_values(lambda *shapes: all(np.array_equal(s, shapes[0]) for s in shapes)), form="% : i1")
shape("shape_of", of_shape(lambda shape: shape))
shape("size_to_index", identity, form="% : index")
shape("to_extent_tensor value_as_shape", identity)
foreign("shape.meet", **ERROR)
foreign("shape.assuming", traits=Trait.WRAPPER)
foreign("shape.assuming_all", "", "% : witness", traits=Trait.WRAPPING)
foreign("shape.assuming_yield", "", "% : operands", traits=Trait.TERMINATOR)
foreign("shape.const_witness", "passing", "$passing : witness", {"passing": BOOLEAN}, Trait.WRAPPING)
foreign("shape.cstr_require", "msg", "%, $msg : witness")
foreign("shape: cstr_broadcastable cstr_eq", "", "% : witness")
