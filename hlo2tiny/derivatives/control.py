"""Derivatives of control flow: a loop's gradient is a loop that runs backwards; a branch's takes the same branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir import Op, Region, TensorType, Value
from ..ir.dtypes import expect_tensor
from ..ir.rewrite import Rewriter, clone_region, clone_values, free_values
from ..ops.build import I32, Builder, Term, operation, stablehlo
from ..plan.loops import trip_count
from .indexing import build_slice
from .tape import Contribution, Pullback, Tape, active_captures, derivative, region_of

SCALAR = TensorType((), I32)


def repeat(
    builder: Builder,
    iterations: int,
    first: Sequence[Term],
    step: Callable[[Builder, Term, list[Term]], Sequence[Term]],
) -> list[Term]:
    """Build a loop of some iterations; `step` computes the next carries from the iteration's number and the carries."""
    count, *carries = (Value("", type) for type in (SCALAR, *(t.type for t in first)))
    until, body = Builder(builder.location), Builder(builder.location)
    until.return_terms([until.term(left := Value("", SCALAR)).compare("LT", iterations)])
    number = body.term(count)
    following = step(body, number, [body.term(v) for v in carries])
    body.return_terms([number + 1, *following])
    regions = Region((left, *clone_values(carries)), tuple(until.ops)), Region((count, *carries), tuple(body.ops))
    initial = [builder.fill(0, SCALAR), *first]
    return builder.op(stablehlo.while_, initial, [t.type for t in initial], regions)[1:]


# ---------------------------------------------------------------- choices


@derivative("stablehlo.case", "stablehlo.if")
def case(op: Pullback) -> Sequence[Contribution]:
    """The backward pass runs the branch again to compute the values that its gradient reads."""
    captures, regions = active_captures(op.op.regions, op.tape), []
    for branch in op.op.regions:
        tape, builder = Tape(op.tape.module, op.tape), Builder(op.op.location)
        for value, cotangent in zip(tape.run(branch.ops, {}), op.cotangents, strict=True):
            tape.add(value, builder.term(cotangent.value), builder)
        tape.pull(builder)
        builder.return_terms([tape.cotangent_of(value, builder) for value in captures])
        regions.append(region_of((), [*tape.ops, *builder.ops]))
    types = [op.builder.term(value).type for value in captures]
    results = op.builder.op(operation(op.op.name), op.inputs, types, regions)
    for value, result in zip(captures, results):
        op.tape.add(value, result, op.builder)
    return [None]


# ---------------------------------------------------------------- loops


@derivative("stablehlo.while")
def loop(op: Pullback) -> Sequence[Contribution]:
    """The backward pass runs each iteration again, from the carries that the iteration began with.

    The forward loop saves the carries that the gradient reads, each in one tensor for all iterations. It saves neither
    a carry that is the same in all iterations nor one that an iteration only writes to, such as the results of a scan.
    """
    iterations = trip_count(op.op, op.tape.definitions)
    if iterations is None:
        raise op.refuse(
            "the loop's trip count, and with it the memory that the gradient needs, is known only at run time;"
            " write the loop with jax.lax.scan, or with fori_loop between constant bounds"
        )
    if not iterations:
        return op.cotangents
    _, body = op.op.regions
    returned_by_body = body.ops[-1].operands
    arguments, carried = clone_values(body.arguments), [v in op.tape.active for v in op.op.results]
    # A carry is active if it is active in any iteration.
    tape = Tape(op.tape.module, op.tape, (a for a, is_active in zip(arguments, carried) if is_active))
    builder = Builder(op.op.location)
    captures = active_captures([body], op.tape)
    returned = tape.run(body.ops, dict(zip(body.arguments, arguments)))

    # One iteration back: from the cotangents of the carries after the iteration to those before it, and those of its
    # captures.
    active = [i for i, is_active in enumerate(carried) if is_active]
    incoming = [Value("", expect_tensor(arguments[i].type)) for i in active]
    totals = [Value("", expect_tensor(v.type)) for v in captures]
    tape.cotangents.update((v, builder.term(total)) for v, total in zip(captures, totals))
    for i, cotangent in zip(active, incoming):
        tape.add(returned[i], builder.term(cotangent), builder)
    tape.pull(builder)
    builder.return_terms([tape.cotangent_of(v, builder) for v in (*(arguments[i] for i in active), *captures)])
    iteration = region_of((), [*tape.ops, *builder.ops])

    # The carries that the iteration reads: those that stay the same in all iterations are the loop's operands, others
    # are saved.
    needed = set(free_values(iteration))
    unchanged = [before is after for before, after in zip(body.arguments, returned_by_body)]
    names = {a: operand for a, operand, same in zip(arguments, op.op.operands, unchanged) if same}
    saved = [i for i, a in enumerate(arguments) if a in needed and a not in names]
    saving_loop, stacks = save_carries(op, saved, iterations)
    count = Value("", SCALAR)
    loads = Builder(op.op.location)
    for i, stack in zip(saved, stacks):
        names[arguments[i]] = row(loads.term(stack), loads.term(count)).value
    *iteration_ops, terminator = Rewriter(names).ops(iteration.ops)
    last = Builder(op.op.location)
    last.return_terms([last.term(count) + -1, *map(last.term, terminator.operands)])

    until = Builder(op.op.location)
    until.return_terms([until.term(left := Value("", SCALAR)).compare("GE", 0)])
    test = Region((left, *clone_values((*incoming, *totals))), tuple(until.ops))
    step = Region((count, *incoming, *totals), (*loads.ops, *iteration_ops, *last.ops))
    b = op.builder
    first = [b.fill(iterations - 1, SCALAR), *(op.cotangents[i] for i in active)]
    first += [op.tape.cotangent_of(v, b) for v in captures]
    if saved:
        op.tape.replace(op.op, saving_loop)
    _, *cotangents = b.op(stablehlo.while_, first, [t.type for t in first], [test, step])
    op.tape.cotangents.update(zip(captures, cotangents[len(active) :]))
    contributions = dict(zip(active, cotangents))
    return [contributions.get(i) for i in range(len(op.inputs))]


def save_carries(op: Pullback, saved: Sequence[int], iterations: int) -> tuple[list[Op], list[Value]]:
    """Ops that replace a loop and save some carries as they are before each iteration; the tensors of saved carries."""
    if not saved:
        return [], []
    condition, body = op.op.regions
    types = [expect_tensor(body.arguments[i].type) for i in saved]
    outside = Builder(op.op.location)
    initial = [outside.fill(0, SCALAR), *(outside.zeros(TensorType((iterations, *t.shape), t.element)) for t in types)]
    count, *stacks = (Value("", t.type) for t in initial)
    inside = Builder(op.op.location)
    number = inside.term(count)
    rows = []
    for i, stack in zip(saved, stacks):
        x = inside.term(body.arguments[i])
        starts = [number, *(inside.fill(0, SCALAR) for _ in x.shape)]
        target = inside.term(stack)
        update = x.reshape((1, *x.shape))
        rows.append(stablehlo.dynamic_update_slice(target, update, *starts))
    *ops, terminator = body.ops
    inside.return_terms([*map(inside.term, terminator.operands), number + 1, *rows])
    added = (count, *stacks)
    test = clone_region(Region((*condition.arguments, *clone_values(added)), condition.ops))
    step = clone_region(Region((*body.arguments, *added), (*ops, *inside.ops)))
    results = clone_values(added)
    operands = (*op.op.operands, *(t.value for t in initial))
    longer = Op(op.op.name, operands, (*op.op.results, *results), op.op.attributes, (test, step), op.op.location)
    return [*outside.ops, longer], list(results[1:])


def row(stack: Term, number: Term) -> Term:
    """stack[number]."""
    shape = stack.shape[1:]
    starts = [number, *[stack.builder.fill(0, SCALAR)] * len(shape)]
    return build_slice(stack, starts, (1, *shape)).reshape(shape)
