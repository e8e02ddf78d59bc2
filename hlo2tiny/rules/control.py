"""Control flow and host calls: ops that become steps of a plan, with what the specification asks of them."""

from __future__ import annotations

from collections.abc import Callable

from ..ir import BoolAttr, Module, Op, OpaqueType, Region, ScalarType, SymbolAttr, Type, error_at
from .registry import TERMINATORS

I1, I32 = ScalarType("i1"), ScalarType("i32")
WITNESS = OpaqueType("!shape.witness")


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
        return f"the types are not those of @{function.name}: {function.type}"
    return ""


def wrapper_problem(module: Module, op: Op) -> str:
    """An op whose one region runs once, on the operands; that of shape.assuming takes none."""
    if len(op.regions) != 1 or not op.regions[0].ops or op.regions[0].ops[-1].name not in TERMINATORS:
        return "has no one region that ends with return"
    given = () if op.name == "shape.assuming" else tuple(v.type for v in op.operands)
    if tuple(v.type for v in op.regions[0].arguments) != given:
        return "the arguments of the body do not have the operands' types"
    if returned(op.regions[0]) != tuple(v.type for v in op.results):
        return "the body does not return the results' types"
    return ""


def witness_problem(module: Module, op: Op) -> str:
    """That constraints hold; each is checked where it stands."""
    if op.name == "shape.const_witness" and op.attributes.get("passing") != BoolAttr(True):
        return "is a constraint that never holds"
    types = [v.type for v in (*op.operands, *op.results)]
    return "" if len(op.results) == 1 and all(t == WITNESS for t in types) else "takes witnesses and gives one"


def returned(region: Region) -> tuple[Type, ...]:
    return tuple(v.type for v in region.ops[-1].operands) if region.ops else ()


# Ops whose region runs once where it stands.
WRAPPERS = ("sdy.manual_computation", "sdy.named_computation", "shape.assuming", "stablehlo.async_start")
# Ops that are steps of a plan, or that `unwrap` takes off, rather than rules.
CONTROL = {
    *("func.call", "shape.assuming_all", "shape.const_witness", *WRAPPERS),
    *(f"stablehlo.{name}" for name in ("after_all", "async_done", "case", "composite", "create_token")),
    *(f"stablehlo.{name}" for name in ("get_tuple_element", "if", "tuple", "while")),
}
# What is wrong with those whose row in `ops` does not tell, or ''.
CHECKS: dict[str, Callable[[Module, Op], str]] = {
    "func.call": call_problem,
    "stablehlo.composite": call_problem,
    "shape.assuming_all": witness_problem,
    "shape.const_witness": witness_problem,
    **dict.fromkeys((name for name in WRAPPERS if not name.startswith("stablehlo.")), wrapper_problem),
}
