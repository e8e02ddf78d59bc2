"""Ops that repeat their operands to a common shape: CHLO's twins of elementwise ops, and broadcast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..ir import TensorType
from ..ir.dtypes import static_shape
from ..ops import OPS, Trait
from ..tinygrad.expressions import Tensor
from .registry import PLAIN, RULES, Lowering, rule
from .storage import decode, encode
from .values import each

# CHLO's op and the op that it applies after broadcasting.
TWINS = {name: row.same_as for name, row in OPS.items() if row.traits & Trait.BROADCASTING}


@rule("stablehlo.broadcast", storage=True)
def broadcast(x: Any, *, broadcast_sizes: Sequence[int]) -> Any:
    """New dimensions in front."""
    return each(x, lambda t: t.expand((*broadcast_sizes, *t.shape)))


def aligned(shapes: Sequence[tuple[int, ...]], dimensions: Sequence[int] | None) -> list[tuple[int, ...]]:
    """Shapes of one rank; `dimensions` says to which of the other's dimensions those of the smaller operand belong."""
    rank = max(len(shape) for shape in shapes)
    if dimensions is None:
        return [(1,) * (rank - len(shape)) + shape for shape in shapes]
    small = 1 if len(shapes[0]) > len(shapes[1]) else 0
    places = list(dimensions)
    in_order = sorted(set(places)) == places and all(0 <= d < rank for d in places)
    if len(places) != len(shapes[small]) or not in_order:
        raise ValueError(f"has broadcast_dimensions {places} for operands of shapes {list(map(list, shapes))}")
    sizes = dict(zip(places, shapes[small]))
    result = list(shapes)
    result[small] = tuple(sizes.get(d, 1) for d in range(rank))
    return result


def apply_twin(
    name: str,
    operands: Sequence[Any],
    types: Sequence[TensorType],
    out: Sequence[TensorType],
    dimensions: Sequence[int] | None = None,
    lowering: Lowering = PLAIN,
    **attributes: Any,
) -> Any:
    """Apply an op's rule to operands in storage form, repeated to one shape."""
    shapes = aligned([static_shape(t) for t in types], dimensions)
    shape = np.broadcast_shapes(*shapes)
    twin, types = RULES[name], [replace(t, shape=shape, encoding=None) for t in types]

    def spread(x: Any, own: tuple[int, ...]) -> Any:
        return each(x, lambda t: t.reshape(own).expand(shape))

    values = [spread(x, own) for x, own in zip(operands, shapes)]
    if not twin.storage:
        values = [decode(x, t) for x, t in zip(values, types)]
    given = {"types": types, "lowering": lowering}
    attributes |= {name: given[name] for name in twin.given & given.keys()}
    result = twin.function(*values, **attributes)
    return result if twin.storage else encode(result, out[0])


def binary(twin: str) -> Callable[..., Any]:
    def apply(a: Any, b: Any, *, broadcast_dimensions: Any = None, types: Any, out: Any, lowering: Lowering) -> Any:
        return apply_twin(twin, (a, b), types, out, broadcast_dimensions, lowering)

    return apply


@rule("chlo.broadcast_compare", storage=True)
def broadcast_compare(
    a: Any,
    b: Any,
    *,
    comparison_direction: str,
    compare_type: str = "",
    broadcast_dimensions: Any = None,
    types: Any,
    out: Any,
) -> Any:
    how: dict[str, Any] = {"comparison_direction": comparison_direction, "compare_type": compare_type}
    return apply_twin(TWINS["chlo.broadcast_compare"], (a, b), types, out, broadcast_dimensions, **how)


@rule("chlo.broadcast_select", storage=True)
def broadcast_select(predicate: Tensor, on_true: Any, on_false: Any, *, types: Any, out: Any) -> Any:
    return apply_twin(TWINS["chlo.broadcast_select"], (predicate, on_true, on_false), types, out)


def register_others() -> None:
    """The rules of those without attributes of their own."""
    for name, twin in TWINS.items():
        if name not in RULES:
            rule(name, storage=True)(binary(twin))


register_others()
