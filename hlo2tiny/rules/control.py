"""Control flow and host calls: ops that become steps of a plan, and the constraints on them."""

from __future__ import annotations

from ..ir import BoolAttr, Module, Op, OpaqueType, ScalarType, SymbolAttr, TensorType, error_at
from ..ops import OPS, Trait, has, names_with
from ..ops.traits import CONTROL as CONTROL_TRAITS

I1, I32 = ScalarType("i1"), ScalarType("i32")
WITNESS = OpaqueType("!shape.witness")


def callee(op: Op) -> str:
    """The name of the function that a call, or the decomposition of a composite, refers to."""
    symbol = op.attributes.get(callee_attribute(op))
    if isinstance(symbol, SymbolAttr):
        return symbol.names[-1]
    raise error_at(op, "does not name the function to call")


def callee_attribute(op: Op) -> str:
    return "callee" if "callee" in op.attributes else "decomposition"


def chooses_by_boolean(op: Op) -> bool:
    """Whether a boolean chooses the branch: true the first, false the second."""
    type = op.operands[0].type
    return isinstance(type, TensorType) and type.element == I1


def call_problem(module: Module, op: Op) -> str:
    function = module.functions.get(callee(op))
    if function is None:
        return ""  # `reachable` reports it
    types = tuple(v.type for v in op.operands), tuple(v.type for v in op.results)
    if types != (function.type.inputs, function.type.results):
        return f"the types of the operands and results differ from those of @{function.name}: {function.type}"
    return ""


def wrapper_problem(op: Op, processes: int) -> str:
    """What is wrong with an op that runs its region once, on its operands (shape.assuming: on none), or ''.

    Several processes run a manual computation on parts of them, whose types `specialise.localise` checks.
    """
    if len(op.regions) != 1 or not op.regions[0].ops or not has(op.regions[0].ops[-1], Trait.TERMINATOR):
        return "must have one region, which ends with a return"
    if op.name == "sdy.manual_computation" and processes > 1:
        counts = len(op.regions[0].arguments), len(op.regions[0].ops[-1].operands)
        return (
            ""
            if counts == (len(op.operands), len(op.results))
            else "the body takes or returns a different number of values"
        )
    expected = () if op.name == "shape.assuming" else tuple(v.type for v in op.operands)
    if tuple(v.type for v in op.regions[0].arguments) != expected:
        return "the arguments of the body do not have the operands' types"
    if tuple(v.type for v in op.regions[0].ops[-1].operands) != tuple(v.type for v in op.results):
        return "the body does not return the results' types"
    return ""


def witness_problem(op: Op) -> str:
    """What is wrong with an op that witnesses constraints, or ''. Each constraint is checked by its own op."""
    if op.name == "shape.const_witness" and op.attributes.get("passing") != BoolAttr(True):
        return "is a constraint that never holds"
    types = [v.type for v in (*op.operands, *op.results)]
    valid = len(op.results) == 1 and all(t == WITNESS for t in types)
    return "" if valid else "must take witnesses and have one witness as its result"


# Ops that have no rule: they become steps of a plan, or `unwrap` replaces them by their contents.
CONTROL = names_with(CONTROL_TRAITS)


def control_problem(module: Module, op: Op, processes: int) -> str:
    """What is wrong with an op of `CONTROL` that its row does not check, or ''."""
    if has(op, Trait.CALL):
        return call_problem(module, op)
    if op.name not in OPS:
        return wrapper_problem(op, processes) if has(op, Trait.WRAPPER) else witness_problem(op)
    return ""
