"""Control flow and host calls: ops that become steps of a plan, with what the specification asks of them."""

from __future__ import annotations

from collections.abc import Callable

from ..dtypes import type_text
from ..ir import Module, Op, Region, ScalarType, SymbolAttr, TensorType, Type
from .registry import error_at

I1 = ScalarType("i1")


def callee(op: Op) -> str:
    """The function that a call, or a composite's decomposition, names."""
    symbol = op.attributes.get("callee" if op.name == "func.call" else "decomposition")
    if isinstance(symbol, SymbolAttr):
        return symbol.names[-1]
    raise error_at(op, "names no function")


def call_problem(module: Module, op: Op) -> str:
    function = module.functions.get(callee(op))
    if function is None:
        return ""  # `reachable` reports it
    given = tuple(v.type for v in op.operands), tuple(v.type for v in op.results)
    if given != (function.type.inputs, function.type.results):
        return f"the types are not those of @{function.name}: {type_text(function.type)}"
    return ""


def while_problem(module: Module, op: Op) -> str:
    carried = tuple(v.type for v in op.operands)
    if len(op.regions) != 2:
        return f"has {len(op.regions)} regions, expected cond and body"
    condition, body = op.regions
    for name, region in (("cond", condition), ("body", body)):
        if tuple(v.type for v in region.arguments) != carried:
            return f"the arguments of {name} do not have the operands' types"
    if returned(condition) != (TensorType((), I1),):
        return "cond does not return one tensor<i1>"
    if returned(body) != carried or tuple(v.type for v in op.results) != carried:
        return "body does not return the operands' types (C3)"
    return ""


def branches_problem(module: Module, op: Op) -> str:
    if not op.regions:
        return "has no branches"
    results = tuple(v.type for v in op.results)
    if any(region.arguments for region in op.regions):
        return "a branch takes arguments, expected none"
    if len(op.operands) != 1 or not isinstance(op.operands[0].type, TensorType) or op.operands[0].type.shape != ():
        return "the operand is not one scalar"
    if any(returned(region) != results for region in op.regions):
        return "a branch does not return the results' types"
    if op.name == "stablehlo.if" and len(op.regions) != 2:
        return f"has {len(op.regions)} branches, expected 2"
    return ""


def returned(region: Region) -> tuple[Type, ...]:
    return tuple(v.type for v in region.ops[-1].operands) if region.ops else ()


# Ops that are steps of a plan rather than rules, each with its check: what breaks the specification, or ''.
CONTROL: dict[str, Callable[[Module, Op], str]] = {
    "func.call": call_problem,
    "stablehlo.composite": call_problem,
    "stablehlo.while": while_problem,
    "stablehlo.case": branches_problem,
    "stablehlo.if": branches_problem,
}
