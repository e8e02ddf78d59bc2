"""Control flow and host calls: ops that become steps of a plan, with what the specification asks of them."""

from __future__ import annotations

from ..ir import BoolAttr, Module, Op, OpaqueType, Region, ScalarType, SymbolAttr, TensorType, Type, error_at
from ..ops import OPS, Trait, has, names_with
from ..ops.traits import CONTROL as CONTROL_TRAITS

I1, I32 = ScalarType("i1"), ScalarType("i32")
WITNESS = OpaqueType("!shape.witness")


def callee(op: Op) -> str:
    """The function that a call, or a composite's decomposition, names."""
    symbol = op.attributes.get(callee_attribute(op))
    if isinstance(symbol, SymbolAttr):
        return symbol.names[-1]
    raise error_at(op, "names no function")


def callee_attribute(op: Op) -> str:
    return "callee" if "callee" in op.attributes else "decomposition"


def chooses_by_boolean(op: Op) -> bool:
    """Whether what chooses a branch is a boolean: true is the first branch, false the second."""
    type = op.operands[0].type
    return isinstance(type, TensorType) and type.element == I1


def call_problem(module: Module, op: Op) -> str:
    function = module.functions.get(callee(op))
    if function is None:
        return ""  # `reachable` reports it
    given = tuple(v.type for v in op.operands), tuple(v.type for v in op.results)
    if given != (function.type.inputs, function.type.results):
        return f"the types are not those of @{function.name}: {function.type}"
    return ""


def wrapper_problem(op: Op) -> str:
    """An op whose one region runs once, on the operands; that of shape.assuming takes none."""
    if len(op.regions) != 1 or not op.regions[0].ops or not has(op.regions[0].ops[-1], Trait.TERMINATOR):
        return "has no one region that ends with return"
    given = () if op.name == "shape.assuming" else tuple(v.type for v in op.operands)
    if tuple(v.type for v in op.regions[0].arguments) != given:
        return "the arguments of the body do not have the operands' types"
    if returned(op.regions[0]) != tuple(v.type for v in op.results):
        return "the body does not return the results' types"
    return ""


def witness_problem(op: Op) -> str:
    """That constraints hold; each is checked where it stands."""
    if op.name == "shape.const_witness" and op.attributes.get("passing") != BoolAttr(True):
        return "is a constraint that never holds"
    types = [v.type for v in (*op.operands, *op.results)]
    return "" if len(op.results) == 1 and all(t == WITNESS for t in types) else "takes witnesses and gives one"


def returned(region: Region) -> tuple[Type, ...]:
    return tuple(v.type for v in region.ops[-1].operands) if region.ops else ()


# Ops that are steps of a plan, or that `unwrap` takes off, rather than rules.
CONTROL = names_with(CONTROL_TRAITS)


def control_problem(module: Module, op: Op) -> str:
    """What is wrong with an op of `CONTROL`, as far as its row does not tell, or ''."""
    if has(op, Trait.CALL):
        return call_problem(module, op)
    if op.name not in OPS:
        return wrapper_problem(op) if has(op, Trait.WRAPPER) else witness_problem(op)
    return ""
