"""Ops that broadcast their operands to a common shape: CHLO's variants of elementwise ops, and broadcast itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..ir.dtypes import static_shape
from ..ops import OPS, Trait
from ..ops.elementwise import placed_shapes
from ..tinygrad.expressions import Tensor
from .registry import PLAIN, RULES, Lowering, Types, rule
from .storage import decode, encode
from .values import AnyTensor, each

# From CHLO's op to the op that it applies after broadcasting.
TWINS = {name: row.same_as for name, row in OPS.items() if row.traits & Trait.BROADCASTING}


@rule("stablehlo.broadcast", storage=True)
def broadcast(x: AnyTensor, *, broadcast_sizes: Sequence[int]) -> AnyTensor:
    return each(x, lambda t: t.expand((*broadcast_sizes, *t.shape)))


def apply_twin(
    name: str,
    operands: Sequence[AnyTensor],
    types: Types,
    out: Types,
    dimensions: Sequence[int] | None = None,
    lowering: Lowering = PLAIN,
    **attributes: str,
) -> AnyTensor:
    """Apply an op's rule to operands in storage form after broadcasting them to one shape."""
    shape, shapes = static_shape(out[0]), [t.shape for t in types]
    placed = shapes if dimensions is None else placed_shapes(shapes, dimensions)
    aligned = [(*[1] * (len(shape) - len(size)), *size) for size in placed]
    twin, types = RULES[name], [replace(t, shape=shape, encoding=None) for t in types]

    values = [each(x, lambda t: t.reshape(own).expand(shape)) for x, own in zip(operands, aligned)]
    if not twin.storage:
        values = [decode(x, t) for x, t in zip(values, types)]
    context = {"types": types, "lowering": lowering}
    result = twin.function(*values, **attributes, **{name: context[name] for name in twin.context & context.keys()})
    return result if twin.storage else encode(result, out[0])


def binary(twin: str) -> Callable[..., AnyTensor]:
    def apply(
        a: AnyTensor,
        b: AnyTensor,
        *,
        broadcast_dimensions: Sequence[int] | None,
        types: Types,
        out: Types,
        lowering: Lowering,
    ) -> AnyTensor:
        return apply_twin(twin, (a, b), types, out, broadcast_dimensions, lowering)

    return apply


@rule("chlo.broadcast_compare", storage=True)
def broadcast_compare(
    a: AnyTensor,
    b: AnyTensor,
    *,
    broadcast_dimensions: Sequence[int] | None,
    comparison_direction: str,
    compare_type: str,
    types: Types,
    out: Types,
) -> AnyTensor:
    comparison: dict[str, Any] = {"comparison_direction": comparison_direction, "compare_type": compare_type}
    return apply_twin(TWINS["chlo.broadcast_compare"], (a, b), types, out, broadcast_dimensions, **comparison)


@rule("chlo.broadcast_select", storage=True)
def broadcast_select(
    predicate: Tensor, on_true: AnyTensor, on_false: AnyTensor, *, types: Types, out: Types
) -> AnyTensor:
    return apply_twin(TWINS["chlo.broadcast_select"], (predicate, on_true, on_false), types, out)


for _name, _twin in TWINS.items():
    if _name not in RULES:  # it has no attributes but broadcast_dimensions
        rule(_name, storage=True)(binary(_twin))
