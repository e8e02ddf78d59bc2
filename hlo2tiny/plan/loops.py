"""What is known before a program runs: invariants of loops, computed once before them; trip counts; equal tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod

import numpy as np
from ml_dtypes import iinfo

from ..ir import DenseAttr, Module, Op, Region, TensorType, Type, Value, about, walk
from ..ir.dtypes import byte_size, expect_tensor, numpy_dtype, static_shape
from ..ir.rewrite import Rewriter, clone_value, free_values
from ..ir.sizes import is_open, largest
from ..ops import Cost, Monoid, Trait, cost_of, has, monoid_of, schema_of
from ..ops.attributes import plain
from ..ops.build import stablehlo
from ..ops.definition import without
from ..ops.structure import structure
from ..rules.control import CONTROL
from ..rules.registry import is_host
from ..rules.scatters import SORTED_CELLS
from .gemm import is_broadcast, is_conversion, is_reshape


def is_free(op: Op) -> bool:
    """Whether an op costs nothing in a kernel that reads its result, so that a buffer would only take memory."""
    return cost_of(op) is Cost.FREE


def hoist_invariants(ops: Sequence[Op], prepare: Callable[[Op], Op]) -> list[Op]:
    """Move the invariants of loops, as they are once prepared, before them, from inner loops to outer ones."""
    return Rewriter(hook=partial(hoist, prepare)).ops(ops)


def hoist(prepare: Callable[[Op], Op], rewriter: Rewriter, op: Op) -> list[Op]:
    """A rewriter's hook: the invariants of a loop, then the loop without them."""
    if not op.regions or op.name not in CONTROL:
        return [op]
    op = rewriter.clone(op)
    if not has(op, Trait.LOOP):
        return [op]
    with about(op):
        return split_invariants(prepare(op))


def split_invariants(loop: Op) -> list[Op]:
    condition, body = loop.regions
    names, invariant, _ = find_invariants(loop)
    wanted: set[Value] = set()
    needed = []
    gone = {op for op in invariant if not is_free(op)} | find_narrowing(invariant)
    for op in reversed(invariant):
        if op in gone or not wanted.isdisjoint(op.results):
            needed.append(op)
            wanted.update(free_values(op))
    if not gone:
        return [loop]
    clones = Rewriter(names, new=clone_value)
    moved = clones.ops(reversed(needed))
    values = {v: clones.values[v] for op in gone for v in op.results}
    remover = Rewriter(values, lambda _, op: [] if op in gone else None)
    return [*moved, replace(loop, regions=(condition, remover.region(body)))]


def find_narrowing(ops: Sequence[Op]) -> set[Op]:
    """The conversions among some ops whose results take fewer bytes than what has memory, so that reading is faster."""
    sources = dict[Value, Value | None]()  # what costs nothing comes from, if that is a single value
    found = set[Op]()
    for op in filter(is_free, ops):
        source = sources.get(op.operands[0], op.operands[0]) if len(op.operands) == 1 else None
        sources.update(dict.fromkeys(op.results, source))
        if source is None or not is_conversion(op) or not static_shape(op.results[0].type):
            continue
        if largest(byte_size(op.results[0].type) - byte_size(source.type)) < 0:
            found.add(op)
    return found


def find_invariants(loop: Op) -> tuple[dict[Value, Value], list[Op], set[Value]]:
    """The initial values of the carries that a loop's body passes on as they are; the ops of the body that compute the
    same in each iteration, in order; and the body's values that may differ."""
    body = loop.regions[1]
    names = {a: start for a, start, next in zip(body.arguments, loop.operands, body.ops[-1].operands) if a is next}
    inside = {value for op in body.ops for value in op.results} | set(body.arguments) - set(names)
    invariant: list[Op] = []
    for op in body.ops:
        if is_movable(op) and inside.isdisjoint(free_values(op)):
            invariant.append(op)
            inside.difference_update(op.results)
    return names, invariant, inside


def sink_broadcasts(ops: Sequence[Op]) -> list[Op]:
    """Let the iterations of loops repeat what is carried through them unchanged, rather than read what repeats it.

    Gradients of loops carry numbers and masks that are repeated for all elements of a batch.
    """
    rewriter, definitions, result = Rewriter(), dict[Value, Op](), list[Op]()
    for op in ops:
        (op,) = rewriter.ops([op]) if rewriter.values else (op,)
        if has(op, Trait.LOOP):
            names, *_ = find_invariants(op)
            rewriter.values.update({y: names[a] for y, a in zip(op.results, op.regions[1].arguments) if a in names})
            chains = {argument: repeating_ops(start, definitions) for argument, start in names.items()}
            op = sink(op, {argument: chain for argument, chain in chains.items() if any(map(is_broadcast, chain))})
        definitions.update(dict.fromkeys(op.results, op))
        result.append(op)
    return result


def repeating_ops(value: Value, definitions: Mapping[Value, Op]) -> list[Op]:
    """The ops that only repeat elements, give them another shape, or convert a single one, from which a value comes."""
    op = definitions.get(value)
    is_number = op is not None and is_conversion(op) and not static_shape(value.type)
    if op is None or not (is_number or is_broadcast(op) or is_reshape(op)):
        return []
    return [*repeating_ops(op.operands[0], definitions), op]


def sink(loop: Op, chains: Mapping[Value, Sequence[Op]]) -> Op:
    """A loop that computes carries, given by the arguments of its body, by ops in each iteration."""
    body = loop.regions[1]
    numbers = [number for number, argument in enumerate(body.arguments) if argument in chains]
    regions = list[Region]()
    for region in loop.regions:
        *ops, terminator = region.ops
        moved, read = list[Op](), set(free_values(*ops))
        rewriter = Rewriter()
        for number in numbers:
            if (argument := region.arguments[number]) in read:
                clones = Rewriter(new=clone_value)
                moved += clones.ops(chains[body.arguments[number]])
                rewriter.values[argument] = moved[-1].results[0]
        regions.append(Region(region.arguments, (*moved, *rewriter.ops(ops), terminator)))
    return without_carries(replace(loop, regions=tuple(regions)), numbers)


def without_carries(loop: Op, numbers: Sequence[int]) -> Op:
    """A loop without some of its carries, which no other carry and not its condition needs."""
    for number in sorted(numbers, reverse=True):
        condition, body = loop.regions
        *ops, terminator = body.ops
        given = terminator.operands[number]
        kept = [op for op in ops if given not in op.results]
        terminator = replace(terminator, operands=without(terminator.operands, number))
        loop = replace(
            loop,
            operands=without(loop.operands, number),
            results=without(loop.results, number),
            regions=(
                Region(without(condition.arguments, number), condition.ops),
                Region(without(body.arguments, number), (*kept, terminator)),
            ),
        )
    return loop


# The most numbers that become one constant, such as the place of an update.
MOST_JOINED = 8


def is_short_join(op: Op) -> bool:
    shapes = [static_shape(v.type) for v in (*op.operands, *op.results)]
    return (
        len(op.operands) > 1
        and not any(is_open(n) for shape in shapes for n in shape)
        and prod(shapes[-1]) <= MOST_JOINED
    )


def fold_numbers(ops: Sequence[Op], inline: Mapping[Value, Op]) -> list[Op]:
    """Replace what is computed of known integers and conditions, also in regions, by constants.

    A loop's invariants would be numbers of a run otherwise, by which kernels divide one element after the other. What
    known conditions leave of another one, as `x and true` does, is that one: masks keep the size that they have.

    Args:
        inline: constants of enclosing blocks.
    """
    known: dict[Value, np.ndarray] = {}

    def note(op: Op) -> None:
        number = repeated_number(op)
        if number is not None and number.dtype.kind in "iub":
            known[op.results[0]] = number

    def keeps(op: Op, condition: Value) -> bool:
        """Whether an op's result is the only one of its operands that is not known."""
        schema, type = schema_of(op.name), condition.type
        if not isinstance(type, TensorType) or str(type.element) != "i1" or [v.type for v in op.results] != [type]:
            return False
        if schema is None or not schema.fold or not has(op, Trait.ELEMENTWISE):
            return False
        found = [schema.fold(op, [known.get(v, np.array(x)) for v in op.operands]) for x in (False, True)]
        return all(number is not None and number[()] == x for number, x in zip(found, (False, True)))

    def fold(rewriter: Rewriter, op: Op) -> list[Op] | None:
        note(op)
        unknown = [v for v in op.operands if v not in known]
        if len(unknown) == 1 and len(op.operands) > 1 and keeps(op, unknown[0]):
            rewriter.values.update(zip(op.results, rewriter.lookup(unknown), strict=True))
            return []
        if op.operands and len(op.results) == 1 and not unknown:
            if is_broadcast(op) or is_reshape(op):
                known[op.results[0]] = known[op.operands[0]]
            schema, type = schema_of(op.name), op.results[0].type
            if schema is not None and schema.fold and has(op, Trait.MOVEMENT) and is_short_join(op):
                few = schema.fold(op, [np.broadcast_to(known[v], static_shape(v.type)) for v in op.operands])
                if few is not None:
                    value = DenseAttr(expect_tensor(type), few, splat=False)
                    return [stablehlo.constant.op((), op.results, op.location, value=value)]
            if schema is not None and schema.fold and has(op, Trait.ELEMENTWISE) and isinstance(type, TensorType):
                number = schema.fold(op, [known[v] for v in op.operands])
                if number is not None and not any(map(is_open, type.shape)):
                    known[op.results[0]] = number[()]
                    value = DenseAttr(type, np.broadcast_to(number, static_shape(type)), splat=True)
                    return [stablehlo.constant.op((), op.results, op.location, value=value)]
        return None

    for op in inline.values():
        note(op)
    return Rewriter(hook=fold).ops(ops)


def cut_at_numbers(ops: Sequence[Op], constants: Mapping[Value, Op]) -> list[Op]:
    """Slices that begin at known numbers become parts of what they are of, which kernels read where it lies."""
    known = {**constants, **{op.results[0]: op for op in ops if has(op, Trait.CONSTANT)}}
    return [known_slice(op, known) if op.name == stablehlo.dynamic_slice.name else op for op in ops]


def known_slice(op: Op, constants: Mapping[Value, Op]) -> Op:
    numbers = [whole_number(constants.get(v)) for v in op.operands[1:]]
    whole, sizes = (static_shape(v.type) for v in (op.operands[0], op.results[0]))
    if None in numbers or any(map(is_open, (*whole, *sizes))):
        return op
    starts = [max(0, min(number or 0, n - size)) for number, n, size in zip(numbers, whole, sizes)]
    limits = [start + size for start, size in zip(starts, sizes)]
    return stablehlo.slice.op(
        op.operands[:1], op.results, op.location, start_indices=starts, limit_indices=limits, strides=[1] * len(starts)
    )


# Tables larger than this, in bytes, are recomputed where they are needed, since they would take memory until then. A
# constant with more elements than LARGEST_COMPARED is not compared with others.
LARGEST_TABLE = 1 << 20
LARGEST_COMPARED = 64
UNMOVABLE = Trait.TERMINATOR | Trait.RANDOM


def merge_tables(ops: Sequence[Op]) -> list[Op]:
    """Compute equal tables once: expensive functions of the same values, such as rotations of positions, and sorted
    indices of scatters."""
    costly = set[Value]()
    for op in filter(is_table, ops):
        most = LARGEST_TABLE
        if op.operands and is_free(op) and costly.issuperset(op.operands):  # such as a rounded table
            most = largest(byte_size(op.operands[0].type))
        elif cost_of(op) < Cost.FUNCTION:
            continue
        if op.name == SORTED_CELLS or largest(byte_size(op.results[0].type)) <= most:
            costly.update(op.results)
    if len(costly) < 2:
        return [*ops]
    wanted = {*costly}
    for op in reversed(ops):
        if is_table(op) and not wanted.isdisjoint(op.results):
            wanted.update(op.operands)
    numbers: dict[Value, int] = {}  # equal values have equal numbers
    known: dict[object, int] = {}
    tables: dict[int, tuple[Value, ...]] = {}
    merger = Rewriter()
    merged = []
    for op in ops:
        op = merger.clone(op) if merger.values else op
        if not wanted.isdisjoint(op.results) and is_table(op):
            operands = [numbers[v] if v in numbers else known.setdefault(v, len(known)) for v in op.operands]
            form = structure([op], op.operands, op.results), *operands
            numbers |= {v: known.setdefault((form, i), len(known)) for i, v in enumerate(op.results)}
            if not costly.isdisjoint(op.results):
                table = tables.setdefault(numbers[op.results[0]], op.results)
                if table is not op.results:
                    merger.values.update(zip(op.results, table))
                    continue
        merged.append(op)
    return merged


def is_table(op: Op) -> bool:
    """Whether an op's results depend on its operands alone, and comparing the op with another takes no time."""
    value = op.attributes.get("value")
    compared = not isinstance(value, DenseAttr) or value.splat or value.data.size <= LARGEST_COMPARED
    return bool(op.results) and not op.regions and compared and is_movable(op) and not has(op, Trait.CUSTOM)


# Loops of at most this many iterations, and this many ops in all of them, are unrolled.
MOST_ITERATIONS, MOST_OPS = 8, 1000


def unroll_loops(module: Module) -> Module:
    """A module whose short loops of elementwise ops are unrolled: kernels need not end with each iteration."""
    functions = {}
    for name, function in module.functions.items():
        if function.body is not None:
            known = {op.results[0]: op for op in walk(function.body) if has(op, Trait.CONSTANT)}
            function = replace(function, body=Rewriter(hook=partial(unroll, known)).region(function.body))
        functions[name] = function
    return replace(module, functions=functions)


def unroll(constants: Mapping[Value, Op], rewriter: Rewriter, op: Op) -> list[Op] | None:
    """A rewriter's hook: the iterations of a short loop; None for everything else."""
    if not has(op, Trait.LOOP) or len(op.regions) != 2:
        return None
    iterations, body = trip_count(op, constants), op.regions[1]
    if iterations is None or iterations > MOST_ITERATIONS or iterations * len(body.ops) > MOST_OPS:
        return None
    if any(inner.regions or not (is_free(inner) or has(inner, Trait.ELEMENTWISE)) for inner in body.ops[:-1]):
        return None
    ops, carried = list[Op](), rewriter.lookup(op.operands)
    for _ in range(iterations):
        iteration = Rewriter(rewriter.values, new=clone_value)
        inlined, carried = iteration.inline(body, carried)
        ops += inlined
    rewriter.values.update(zip(op.results, carried, strict=True))
    return ops


def trip_count(loop: Op, constants: Mapping[Value, Op]) -> int | None:
    """How many iterations a loop between known numbers has, or None; `constants` are those defined outside of it."""
    condition, body = loop.regions
    ops = {v: op for region in loop.regions for op in region.ops for v in op.results}
    test = ops.get(condition.ops[-1].operands[0])
    comparison = None if test is None else test.attributes.get("comparison_direction")
    if test is None or comparison is None or not has(test, Trait.ELEMENTWISE):
        return None
    if test.operands[0] not in condition.arguments:
        return None
    carry = condition.arguments.index(test.operands[0])
    known = {**constants, **ops}
    # A carry that every iteration passes on unchanged keeps its initial value.
    for region in loop.regions:
        carries = zip(region.arguments, body.arguments, body.ops[-1].operands, loop.operands)
        known |= {a: constants[first] for a, b, passed, first in carries if b is passed and first in constants}
    counted, end = count(loop, known, carry), whole_number(known.get(test.operands[1]))
    if counted is None or end is None:
        return None
    start, by = counted
    direction = str(plain(comparison))
    if direction in ("LE", "GE"):
        end += 1 if direction == "LE" else -1
    if direction == "NE":
        return (end - start) // by if (end - start) % by == 0 and (end - start) // by >= 0 else None
    if (direction in ("LT", "LE")) != (by > 0) or direction == "EQ":
        return None
    iterations = max(0, -((start - end) // by))
    return iterations if representable(start + iterations * by, loop.operands[carry].type) else None


def count(loop: Op, known: Mapping[Value, Op], carry: int) -> tuple[int, int] | None:
    """The integer with which a carry begins, and what each iteration adds to it; None if they are not known."""
    body = loop.regions[1]
    step = next((op for op in body.ops if body.ops[-1].operands[carry] in op.results), None)
    if step is None or monoid_of(step) is not Monoid.SUM or body.arguments[carry] not in step.operands:
        return None
    other = next((v for v in step.operands if v is not body.arguments[carry]), None)
    start, by = (whole_number(known.get(v) if v else None) for v in (loop.operands[carry], other))
    return (start, by) if start is not None and by else None


def counters(loop: Op, constants: Mapping[Value, Op]) -> tuple[tuple[int, int, int], ...]:
    """The carries that count: the number of each, where it begins, and what each iteration adds."""
    known = {**constants, **{op.results[0]: op for op in loop.regions[1].ops if has(op, Trait.CONSTANT)}}
    found = ((carry, count(loop, known, carry)) for carry in range(len(loop.operands)))
    return tuple((carry, *each) for carry, each in found if each is not None)


def representable(number: int, type: Type) -> bool:
    """Whether a tensor's element type can represent a number, so that counting up to it does not wrap."""
    limits = iinfo(numpy_dtype(expect_tensor(type).element))  # type: ignore[no-untyped-call]
    return bool(limits.min <= number <= limits.max)


def repeated_number(op: Op) -> np.ndarray | None:
    """The number that all elements of a constant are; None of another op, and if the text lists them."""
    value = op.attributes.get("value") if has(op, Trait.CONSTANT) else None
    if not isinstance(value, DenseAttr) or not value.splat or not value.data.size:
        return None
    number: np.ndarray = value.data[(0,) * value.data.ndim]
    return number


def whole_number(op: Op | None) -> int | None:
    """The value of a constant that is a single integer, else None."""
    value = op.attributes.get("value") if op is not None and has(op, Trait.CONSTANT) else None
    if isinstance(value, DenseAttr) and value.data.size == 1 and value.data.dtype.kind in "iu":
        return int(value.data.reshape(-1)[0])
    return None


def is_movable(op: Op) -> bool:
    """Whether an op runs in kernels and always gives the same result for the same operands."""
    return not (op.name in CONTROL or has(op, UNMOVABLE) or is_host(op))
