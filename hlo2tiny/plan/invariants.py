"""Loop invariants: what a loop's body computes alike in each turn is computed once, before the loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ir import Op, Region, Value
from ..rules.control import CONTROL
from ..rules.registry import TERMINATORS, free_values, is_host

# Ops that cost nothing in a kernel that reads their result, which would be larger than what it reads now.
FREE = frozenset(
    f"stablehlo.{name}" for name in ("constant", "iota", "broadcast_in_dim", "broadcast", "reshape", "convert", "slice")
)


def without_invariants(ops: Sequence[Op]) -> list[Op]:
    """Ops with the invariants of their loops, inner ones first, moved before these loops."""
    result: list[Op] = []
    for op in ops:
        if op.regions and op.name in CONTROL:
            regions = tuple(Region(r.arguments, tuple(without_invariants(r.ops))) for r in op.regions)
            op = Op(op.name, op.operands, op.results, op.attributes, regions, op.location)
        if op.name == "stablehlo.while":
            moved, op = moved_invariants(op)
            result += moved
        result.append(op)
    return result


def moved_invariants(loop: Op) -> tuple[list[Op], Op]:
    """The ops to run before a loop, and the loop without them."""
    condition, body = loop.regions
    passed = body.ops[-1].operands
    # Carries that every turn passes on have the value that they begin with.
    names = {a: start for a, start, next in zip(body.arguments, loop.operands, passed) if a is next}
    inside = {value for op in body.ops for value in op.results} | set(body.arguments) - set(names)
    invariant: list[Op] = []
    for op in body.ops:
        if is_movable(op) and inside.isdisjoint((*op.operands, *free_values(op))):
            invariant.append(op)
            inside.difference_update(op.results)
    wanted: set[Value] = set()
    needed = []
    for op in reversed(invariant):
        if op.name not in FREE or not wanted.isdisjoint(op.results):
            needed.append(op)
            wanted.update((*op.operands, *free_values(op)))
    if all(op.name in FREE for op in needed):
        return [], loop
    moved = []
    for op in reversed(needed):
        results = tuple(Value(v.name, v.type, v.location) for v in op.results)
        moved.append(renamed(op, names, results))
        names.update(zip(op.results, results))
    used = {v: names[v] for op in needed if op.name not in FREE for v in op.results}
    gone = {op for op in needed if op.name not in FREE}
    kept = tuple(renamed(op, used) for op in body.ops if op not in gone)
    regions = (condition, Region(body.arguments, kept))
    return moved, Op(loop.name, loop.operands, loop.results, loop.attributes, regions, loop.location)


def is_movable(op: Op) -> bool:
    """Whether an op gives the same whenever it runs, in the kernels of a region."""
    return not (op.name in CONTROL or op.name in TERMINATORS or op.name == "stablehlo.rng" or is_host(op))


def renamed(op: Op, names: Mapping[Value, Value], results: tuple[Value, ...] | None = None) -> Op:
    """An op that reads other values, and perhaps defines others."""
    operands = tuple(names.get(v, v) for v in op.operands)
    regions = tuple(Region(r.arguments, tuple(renamed(inner, names) for inner in r.ops)) for r in op.regions)
    return Op(op.name, operands, results or op.results, op.attributes, regions, op.location)
