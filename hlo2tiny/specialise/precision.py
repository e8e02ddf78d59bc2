"""The precision of products of f32: what `load(…, precision=…)` asks for, written into the ops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..ir import ArrayAttr, Module, Op
from ..ir.rewrite import Rewriter
from ..ir.structures import enum
from ..ops.definition import OPS

CONFIG = "precision_config"
HIGHEST = ArrayAttr((enum("precision", "HIGHEST"),) * 2)


def ask_for_highest(module: Module) -> Module:
    """A verified module whose products and convolutions have the precision HIGHEST.

    Those that name an algorithm keep it, since it says exactly how to compute them.
    """

    def with_config(rewriter: Rewriter, op: Op) -> Sequence[Op] | None:
        row = OPS.get(op.name)
        if row is None or CONFIG not in row.attributes or op.attributes.get("algorithm") is not None:
            return None
        return (rewriter.clone(op, attributes={**op.attributes, CONFIG: HIGHEST}),)

    functions = {
        name: function
        if function.body is None
        else replace(function, body=Rewriter(hook=with_config).region(function.body))
        for name, function in module.functions.items()
    }
    return replace(module, functions=functions)
