"""Ops that broadcast their operands to a common shape: CHLO's variants of elementwise ops, and broadcast itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..ir.dtypes import static_shape
from ..ops import OPS, Trait
from ..ops.elementwise import placed_shapes
from ..signatures import of_any
from .registry import CONTEXT, RULES, Lowering, RuleFunction, Types, rule
from .storage import decode, encode
from .values import AnyTensor, each

# From CHLO's op to the op that it applies after broadcasting.
TWINS = {name: row.same_as for name, row in OPS.items() if row.traits & Trait.BROADCASTING}


@rule("stablehlo.broadcast", storage=True)
def broadcast(x: AnyTensor, *, broadcast_sizes: Sequence[int]) -> AnyTensor:
    return each(x, lambda t: t.expand((*broadcast_sizes, *t.shape)))


def broadcasting(name: str) -> RuleFunction:
    """The rule of an op that applies its twin's to operands in storage form after broadcasting them to one shape."""

    def apply(
        *operands: AnyTensor,
        types: Types,
        out: Types,
        lowering: Lowering,
        broadcast_dimensions: Sequence[int] | None = None,
        **attributes: Any,
    ) -> AnyTensor:
        shape, shapes = static_shape(out[0]), [t.shape for t in types]
        placed = shapes if broadcast_dimensions is None else placed_shapes(shapes, broadcast_dimensions)
        aligned = [(*[1] * (len(shape) - len(size)), *size) for size in placed]
        twin, types = RULES[TWINS[name]], [replace(t, shape=shape, encoding=None) for t in types]

        values = [each(x, lambda t: t.reshape(own).expand(shape)) for x, own in zip(operands, aligned)]
        if not twin.storage:
            values = [decode(x, t) for x, t in zip(values, types)]
        context = {"types": types, "out": out, "lowering": lowering}
        result = twin.function(*values, **attributes, **{k: context[k] for k in twin.context & context.keys()})
        return result if twin.storage else encode(result, out[0])

    return apply


for _name in TWINS:
    rule(_name, storage=True, parameters=of_any((*OPS[_name].attributes, *CONTEXT)))(broadcasting(_name))
