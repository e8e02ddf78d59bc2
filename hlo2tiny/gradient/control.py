"""Derivatives of control flow: a loop's gradient is a loop in the opposite direction, a choice's the same choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir import Op, Region, TensorType, Value
from ..ir.dtypes import expect_tensor
from ..ir.rewrite import Rewriter, clone_region, clone_values, free_values
from ..ops.build import I32, Builder, Term, operation, stablehlo
from ..plan.loops import trip_count
from .tape import Contribution, Pullback, Tape, captured, derivative, region_of

SCALAR = TensorType((), I32)


def repeat(
    builder: Builder, turns: int, first: Sequence[Term], step: Callable[[Builder, Term, list[Term]], Sequence[Term]]
) -> list[Term]:
    """A loop: `step` makes the next carries of its turn's number and the carries."""
    count, *carries = (Value("", type) for type in (SCALAR, *(t.type for t in first)))
    until, body = Builder(builder.location), Builder(builder.location)
    until.returned([until.term(left := Value("", SCALAR)).compare("LT", turns)])
    number = body.term(count)
    after = step(body, number, [body.term(v) for v in carries])
    body.returned([number + 1, *after])
    regions = Region((left, *clone_values(carries)), tuple(until.ops)), Region((count, *carries), tuple(body.ops))
    begun = [builder.repeated(0, SCALAR), *first]
    return builder.op(stablehlo.while_, begun, [t.type for t in begun], regions)[1:]


# ---------------------------------------------------------------- choices


@derivative("stablehlo.case", "stablehlo.if")
def case(op: Pullback) -> Sequence[Contribution]:
    """The branch is run again on the way back, for what its gradient reads."""
    read, regions = captured(op.op.regions, op.tape), []
    for branch in op.op.regions:
        tape, builder = Tape(op.tape.module, op.tape), Builder(op.op.location)
        for value, cotangent in zip(tape.run(branch.ops, {}), op.cotangents, strict=True):
            tape.add(value, builder.term(cotangent.value), builder)
        tape.pull(builder)
        builder.returned([tape.taken(value, builder) for value in read])
        regions.append(region_of((), [*tape.ops, *builder.ops]))
    types = [op.builder.term(value).type for value in read]
    results = op.builder.op(operation(op.op.name), op.inputs, types, regions)
    for value, result in zip(read, results):
        op.tape.add(value, result, op.builder)
    return [None]


# ---------------------------------------------------------------- loops


@derivative("stablehlo.while")
def loop(op: Pullback) -> Sequence[Contribution]:
    """Each turn is run again on the way back, from the carries that it began with.

    The forward loop keeps those that the gradient reads, in one tensor for all turns. Nothing is kept of a carry that
    is the same in all turns, nor of one that a turn only writes to, as of a scan's results.
    """
    turns = trip_count(op.op, op.tape.definitions)
    if turns is None:
        raise op.refuse(
            "how often this loop turns is known only when it runs, and so is how much of it the gradient has to keep;"
            " write it with jax.lax.scan, or fori_loop between constants"
        )
    if not turns:
        return op.cotangents
    _, body = op.op.regions
    passed = body.ops[-1].operands
    arguments, carried = clone_values(body.arguments), [v in op.tape.active for v in op.op.results]
    # A carry is active if it is so in any turn.
    tape = Tape(op.tape.module, op.tape, (a for a, is_active in zip(arguments, carried) if is_active))
    builder = Builder(op.op.location)
    read = captured([body], op.tape)
    returned = tape.run(body.ops, dict(zip(body.arguments, arguments)))

    # One turn back: from the cotangents of the carries after it to those before it, and of what it read outside.
    back = [i for i, is_active in enumerate(carried) if is_active]
    coming = [Value("", expect_tensor(arguments[i].type)) for i in back]
    totals = [Value("", expect_tensor(v.type)) for v in read]
    tape.cotangents.update((v, builder.term(total)) for v, total in zip(read, totals))
    for i, cotangent in zip(back, coming):
        tape.add(returned[i], builder.term(cotangent), builder)
    tape.pull(builder)
    builder.returned([tape.taken(v, builder) for v in (*(arguments[i] for i in back), *read)])
    turn = region_of((), [*tape.ops, *builder.ops])

    # What it reads of the carries before it: those that all turns hand on are the operands.
    needed = set(free_values(turn))
    names = {
        a: start for a, start, given, after in zip(arguments, op.op.operands, body.arguments, passed) if given is after
    }
    kept = [i for i, a in enumerate(arguments) if a in needed and a not in names]
    counted, stacks = keeping(op, kept, turns)
    count = Value("", SCALAR)
    loads = Builder(op.op.location)
    for i, stack in zip(kept, stacks):
        names[arguments[i]] = row(loads.term(stack), loads.term(count)).value
    *turned, terminator = Rewriter(names).ops(turn.ops)
    last = Builder(op.op.location)
    last.returned([last.term(count) + -1, *map(last.term, terminator.operands)])

    until = Builder(op.op.location)
    until.returned([until.term(left := Value("", SCALAR)).compare("GE", 0)])
    test = Region((left, *clone_values((*coming, *totals))), tuple(until.ops))
    step = Region((count, *coming, *totals), (*loads.ops, *turned, *last.ops))
    b = op.builder
    first = [b.repeated(turns - 1, SCALAR), *(op.cotangents[i] for i in back), *(op.tape.taken(v, b) for v in read)]
    if counted is not None:
        op.tape.replace(op.op, counted)
    _, *found = b.op(stablehlo.while_, first, [t.type for t in first], [test, step])
    op.tape.cotangents.update(zip(read, found[len(back) :]))
    contributions: list[Contribution] = [None] * len(op.inputs)
    for i, before in zip(back, found):
        contributions[i] = before
    return contributions


def keeping(op: Pullback, kept: Sequence[int], turns: int) -> tuple[list[Op] | None, list[Value]]:
    """The loop that also keeps some carries, as they are before each turn; and these tensors."""
    if not kept:
        return None, []
    condition, body = op.op.regions
    types = [expect_tensor(body.arguments[i].type) for i in kept]
    wide = [TensorType((turns, *t.shape), t.element) for t in types]
    outside = Builder(op.op.location)
    begun = [outside.repeated(0, SCALAR), *map(outside.zeros, wide)]
    count, *stacks = (Value("", t.type) for t in begun)
    inside = Builder(op.op.location)
    number = inside.term(count)
    rows = []
    for i, stack in zip(kept, stacks):
        x = inside.term(body.arguments[i])
        places = [number, *(inside.repeated(0, SCALAR) for _ in x.shape)]
        target = inside.term(stack)
        update = x.reshape((1, *x.shape))
        rows.append(stablehlo.dynamic_update_slice(target, update, *places, type=target.type))
    *ops, terminator = body.ops
    inside.returned([*map(inside.term, terminator.operands), number + 1, *rows])
    added = (count, *stacks)
    test = clone_region(Region((*condition.arguments, *clone_values(added)), condition.ops))
    step = clone_region(Region((*body.arguments, *added), (*ops, *inside.ops)))
    results = tuple(Value("", v.type) for v in added)
    operands = (*op.op.operands, *(t.value for t in begun))
    longer = Op(op.op.name, operands, (*op.op.results, *results), op.op.attributes, (test, step), op.op.location)
    return [*outside.ops, longer], list(results[1:])


def row(stack: Term, number: Term) -> Term:
    """stack[number]."""
    zero = stack.builder.repeated(0, SCALAR)
    shape = stack.shape[1:]
    places = [number, *[zero] * len(shape)]
    type = TensorType((1, *shape), stack.element)
    found = stablehlo.dynamic_slice(stack, *places, type=type, slice_sizes=(1, *shape))
    return found.reshape(shape)
