"""The precision of products: what `load(…, precision=…)` asks for, and what algorithms say, written into the ops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..ir import ArrayAttr, Module, Op, ScalarType, TensorType, Value
from ..ir.dtypes import expect_tensor
from ..ir.numbers import is_float
from ..ir.rewrite import Rewriter, rewrite_functions
from ..ir.structures import enum
from ..ops.attributes import plain
from ..ops.build import stablehlo
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

    return rewrite_functions(module, with_config)


def spell_out_algorithms(module: Module) -> Module:
    """A verified module in which real products that name an algorithm become products in the types it rounds to.

    The rule of products keeps those that round to TF32, which is not an element type.
    """

    def spelled_out(rewriter: Rewriter, op: Op) -> Sequence[Op] | None:
        named = op.attributes.get("algorithm")
        types = [expect_tensor(value.type) for value in (*op.operands, *op.results)] if named is not None else []
        if not types or not all(isinstance(t.element, ScalarType) and is_float(t.element) for t in types):
            return None
        algorithm = plain(named)
        *rounded, total = (
            str(algorithm[f"{name}_type"]) for name in ("lhs_precision", "rhs_precision", "accumulation")
        )
        if algorithm["num_primitive_operations"] != 1:  # which emulate a wider type
            rounded = [str(t.element) for t in types[:2]]
        elif "tf32" in rounded:
            return None
        ops: list[Op] = []

        def convert(value: Value, element: str, result: Value | None = None) -> Value:
            type = expect_tensor(value.type)
            if result is None and str(type.element) == element:
                return value
            found = result or Value(value.name, replace(type, element=ScalarType(element)), value.location)
            ops.append(stablehlo.convert.op((value,), (found,), op.location))
            return found

        operands = [convert(value, element) for value, element in zip(rewriter.lookup(op.operands), rounded)]
        (result,) = rewriter.define(op.results)
        out, summed = types[2], "f64" if total == "f64" else "f32"
        attributes = {key: value for key, value in op.attributes.items() if key != "algorithm"}
        if not {"f16", "bf16"} >= {*rounded}:  # of which TF32 holds all bits
            attributes[CONFIG] = HIGHEST
        same = str(out.element) == summed == total
        found = result if same else Value(result.name, TensorType(out.shape, ScalarType(summed)), result.location)
        ops.append(Op(op.name, tuple(operands), (found,), attributes, (), op.location, op.successors))
        if not same:
            convert(convert(found, total) if total != str(out.element) else found, str(out.element), result)
        return ops

    return rewrite_functions(module, spelled_out)
