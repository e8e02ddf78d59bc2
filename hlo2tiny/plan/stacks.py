"""Lets loops update a stack of arrays in place, such as the caches of layers that `lax.scan` walks over; and multiplies
all rows of a stack by a matrix at once.

A loop of the first kind takes row i of one stack, updates a part of it, and writes it to row i of another stack, which
has the rows of all iterations in the end. Both can be the same stack: rows from i on are still those of the first. Then
only the part is written, and if nothing needs the first stack afterwards, nothing is copied. One of the second kind,
such as a recurrent network, would read the matrix in each iteration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..ir import Op, Region, ScalarType, TensorType, Value
from ..ir.dimensions import dot_numbers
from ..ir.dtypes import byte_size, expect_tensor, static_shape
from ..ir.rewrite import Rewriter, clone_value, free_values, live, with_element, with_shape
from ..ir.sizes import is_open
from ..ops import Monoid, Trait, has, monoid_of
from ..ops.attributes import plain
from ..ops.build import stablehlo
from ..ops.definition import without
from ..records import dataclass
from .gemm import NARROW, is_broadcast, is_conversion, is_reshape
from .loops import find_invariants, trip_count, whole_number


def share_stacks(ops: Sequence[Op], constants: Mapping[Value, Op]) -> list[Op]:
    """Rewrite the loops among some ops; `constants` are those that are defined around them."""
    known = {**constants, **{v: op for op in ops if has(op, Trait.CONSTANT) for v in op.results}}
    rewriter = Rewriter()
    result: list[Op] = []
    for op in ops:
        (changed,) = rewriter.ops([op]) if rewriter.values else (op,)
        while has(changed, Trait.LOOP) and (pair := StackLoop(changed, known).pair()) is not None:
            changed, kept = share_stack(changed, pair)
            rewriter.values.update(kept)
        result.append(changed)
    return result


@dataclass(frozen=True)
class StackPair:
    """Two stacks of a loop that can be one.

    `reading` takes a row of the first, `updating` changes a part of it, and `writing` puts it into the second. Their
    carries have the numbers `first` and `second`.
    """

    first: int
    second: int
    reading: Op
    updating: Op
    writing: Op


class StackLoop:
    """A loop, with the definitions of its body's values and how often they are read."""

    def __init__(self, op: Op, constants: Mapping[Value, Op]) -> None:
        self.op, self.constants = op, constants
        self.condition, self.body = op.regions
        self.returned = self.body.ops[-1].operands
        self.definitions = {**constants, **{v: o for o in self.body.ops for v in o.results}}
        self.readers = Counter(v for o in self.body.ops for v in free_values(o))
        self.readers.update(v for o in self.condition.ops for v in free_values(o))

    def pair(self) -> StackPair | None:
        iterations = trip_count(self.op, self.constants)
        counters = {a for i, a in enumerate(self.body.arguments) if self.counts(i)} if iterations else set()
        for second, stack in enumerate(self.body.arguments if counters else ()):
            writing = self.find_row_access(self.returned[second], stablehlo.dynamic_update_slice.name, 2, counters)
            if writing is None or writing.operands[0] is not stack or static_shape(stack.type)[0] != iterations:
                continue
            if self.readers[stack] != 1 or self.condition.arguments[second] in free_values(*self.condition.ops):
                continue
            updating = self.definitions.get(self.in_order(writing.operands[1]))
            if updating is None or updating.name != stablehlo.dynamic_update_slice.name:
                continue
            row = self.in_order(updating.operands[0])
            reading = self.find_row_access(row, stablehlo.dynamic_slice.name, 1, counters)
            if reading is None or reading.operands[0] not in self.body.arguments or not rows_of(reading, writing):
                continue
            source = reading.operands[0]
            first = self.body.arguments.index(source)
            unread = self.condition.arguments[first] not in free_values(*self.condition.ops)
            alone = unread and self.readers[source] == 2 and self.returned[first] is source
            whole = static_shape(updating.results[0].type) == static_shape(stack.type)[1:]
            if alone and whole and source.type == stack.type:
                return StackPair(first, second, reading, updating, writing)
        return None

    def counts(self, carry: int) -> bool:
        """Whether a carry is the number of the iteration."""
        argument, step = self.body.arguments[carry], self.definitions.get(self.returned[carry])
        if step is None or monoid_of(step) is not Monoid.SUM or argument not in step.operands:
            return False
        others = [v for v in step.operands if v is not argument]
        first = whole_number(self.constants.get(self.op.operands[carry]))
        return len(others) == 1 and whole_number(self.definitions.get(others[0])) == 1 and first == 0

    def find_row_access(self, value: Value, name: str, before: int, counters: set[Value]) -> Op | None:
        """The op that slices or updates the whole row with the iteration's number; its indices follow `before`."""
        op = self.definitions.get(value)
        if op is None or op.name != name:
            return None
        row, *others = op.operands[before:]
        whole = all(whole_number(self.definitions.get(v)) == 0 for v in others)
        return op if row in counters and whole else None

    def in_order(self, value: Value) -> Value:
        """The value before ops that only add or remove dimensions of size 1."""
        op = self.definitions.get(value)
        while op is not None and (is_reshape(op) or is_broadcast(op)) and same_elements(op):
            value = op.operands[0]
            op = self.definitions.get(value)
        return value


def same_elements(op: Op) -> bool:
    """Whether an op that moves elements leaves the dimensions as they are, except for those of size 1."""
    if is_broadcast(op):
        dimensions = [int(d) for d in plain(op.attributes["broadcast_dimensions"])]
        if dimensions != sorted(dimensions):
            return False
    a, b = ([n for n in static_shape(v.type) if n != 1] for v in (op.operands[0], op.results[0]))
    return a == b


def rows_of(reading: Op, writing: Op) -> bool:
    """Whether both access whole rows."""
    stack = static_shape(reading.operands[0].type)
    rows = (1, *stack[1:])
    return static_shape(reading.results[0].type) == rows == static_shape(writing.operands[1].type)


def share_stack(loop: Op, pair: StackPair) -> tuple[Op, dict[Value, Value]]:
    """The loop with one stack instead of two, and what replaces the results that it no longer has."""
    condition, body = loop.regions
    stack, result = body.arguments[pair.second], pair.writing.results[0]
    ops: list[Op] = []
    for op in body.ops:
        if op is pair.reading:
            ops.append(replace(op, operands=(stack, *op.operands[1:])))
        elif op is pair.updating:
            part, row = op.operands[1], pair.reading.results[0]
            raised = with_shape(part, (1, *static_shape(part.type)))
            start = pair.writing.operands[2]
            again = clone_value(row)
            ops += [
                stablehlo.reshape.op([part], [raised], op.location),
                replace(pair.writing, operands=(stack, raised, start, *op.operands[2:])),
                replace(pair.reading, operands=(result, *pair.reading.operands[1:]), results=(again,)),
                stablehlo.reshape.op([again], op.results, op.location),
            ]
        elif op is not pair.writing:
            ops.append(op)
    operands = list(loop.operands)
    operands[pair.second] = loop.operands[pair.first]
    terminator = replace(ops[-1], operands=without(ops[-1].operands, pair.first))
    changed = replace(
        loop,
        operands=without(operands, pair.first),
        results=without(loop.results, pair.first),
        regions=(
            Region(without(condition.arguments, pair.first), condition.ops),
            Region(without(body.arguments, pair.first), (*ops[:-1], terminator)),
        ),
    )
    return changed, {loop.results[pair.first]: loop.operands[pair.first]}


# The products of a stack take at most this many times as much memory as what is multiplied.
MOST_PRODUCTS = 8


def multiply_stacks(ops: Sequence[Op], constants: Mapping[Value, Op]) -> list[Op]:
    """Move products of a stack's rows, one in each iteration, before their loops; `constants` are as in `share_stacks`.

    Which row an iteration takes does not matter, if there are as many iterations as rows.
    """
    known = {**constants, **{v: op for op in ops if has(op, Trait.CONSTANT) for v in op.results}}
    result: list[Op] = []
    for op in ops:
        moved, changed = move_products(op, known) if has(op, Trait.LOOP) else ((), op)
        result += [*moved, changed]
    return result


def move_products(loop: Op, constants: Mapping[Value, Op]) -> tuple[list[Op], Op]:
    condition, body = loop.regions
    names, invariant, inside = find_invariants(loop)
    before = Rewriter(names, new=clone_value)
    definitions = {**constants, **{v: op for op in body.ops for v in op.results}}
    iterations = trip_count(loop, constants) or 0
    moved, ops = list[Op](), list[Op]()
    for op in body.ops:
        chain = moved_row(op, definitions, inside, iterations)
        if not chain:
            ops.append(op)
            continue
        numbers = dot_numbers(op)
        operands = chain[0].operands[0], op.operands[1]
        (result,) = op.results
        products = with_shape(result, (static_shape(operands[0].type)[0], *static_shape(result.type)))
        needed = live(invariant, operands)
        moved += before.ops(each for each in needed if before.values.keys().isdisjoint(each.results))
        stack, matrix = before.lookup(operands)
        for step in chain[1:]:
            if is_conversion(step):
                wide = with_element(stack, expect_tensor(step.results[0].type).element)
                moved.append(replace(step, operands=(stack,), results=(wide,)))
                stack = wide
        contracting = tuple(d + 1 for d in numbers.lhs_contracting)
        attributes = {**op.attributes, "dot_dimension_numbers": replace(numbers, lhs_contracting=contracting).attribute}
        name = stablehlo.dot_general.name
        moved.append(replace(op, name=name, operands=(stack, matrix), results=(products,), attributes=attributes))
        row = with_shape(result, (1, *static_shape(result.type)))
        _, start, zero, *_ = chain[0].operands
        starts = [start, *[zero] * len(static_shape(result.type))]
        sizes = static_shape(row.type)
        ops.append(stablehlo.dynamic_slice.op([products, *starts], [row], op.location, slice_sizes=sizes))
        ops.append(stablehlo.reshape.op([row], [result], op.location))
    return moved, replace(loop, regions=(condition, replace(body, ops=tuple(ops)))) if moved else loop


def moved_row(op: Op, definitions: Mapping[Value, Op], inside: set[Value], iterations: int) -> list[Op]:
    """What `row_of` gives for the left matrix of a product that can be moved before the loop; or [].

    Values `inside` the loop may differ between its iterations.
    """
    chain = row_of(op.operands[0], definitions) if has(op, Trait.DOT) and iterations else []
    if not chain or dot_numbers(op).lhs_batching:
        return []
    stack, matrix = chain[0].operands[0], op.operands[1]
    count, *shape = static_shape(stack.type)
    size = count * byte_size(op.results[0].type)
    fits = [*static_shape(op.operands[0].type)] == shape and not is_open(size) and count <= iterations
    few = fits and size <= MOST_PRODUCTS * (byte_size(stack.type) + byte_size(matrix.type))
    return chain if few and inside.isdisjoint((stack, matrix)) else []


def row_of(value: Value, definitions: Mapping[Value, Op]) -> list[Op]:
    """The slice that takes a row of a stack, and the reshapes and conversions from there to a value; or []."""
    chain: list[Op] = []
    while (op := definitions.get(value)) is not None and (is_reshape(op) or is_conversion(op)):
        chain.insert(0, op)
        value = op.operands[0]
    if op is None or op.name != stablehlo.dynamic_slice.name or len(op.operands) < 3:
        return []
    row = (1, *static_shape(op.operands[0].type)[1:])
    first = all(whole_number(definitions.get(v)) == 0 for v in op.operands[2:])
    return [op, *chain] if first and static_shape(op.results[0].type) == row else []


def split_products(ops: Sequence[Op], constants: Mapping[Value, Op], slices: bool) -> list[Op]:
    """Split products of a stack's row joined with what each iteration computes, as recurrent networks join their input
    and state, so that `multiply_stacks` moves one part. Sums have their terms in another order then.

    `constants` are as in `share_stacks`, and `slices` as in `replace_dots`: rows of the matrix are copied before the
    loop otherwise.
    """
    known = {**constants, **{v: op for op in ops if has(op, Trait.CONSTANT) for v in op.results}}
    result: list[Op] = []
    for op in ops:
        moved, changed = split_in_loop(op, known, slices) if has(op, Trait.LOOP) else ((), op)
        result += [*moved, changed]
    return result


def split_in_loop(loop: Op, constants: Mapping[Value, Op], slices: bool) -> tuple[Sequence[Op], Op]:
    condition, body = loop.regions
    names, invariant, inside = find_invariants(loop)
    before = Rewriter(names, new=clone_value)
    definitions = {**constants, **{v: op for op in body.ops for v in op.results}}
    iterations = trip_count(loop, constants) or 0
    moved, ops, copied = list[Op](), list[Op](), dict[Value, Value]()
    for op in body.ops:
        joined = definitions.get(op.operands[0]) if has(op, Trait.DOT) else None
        if joined is None or op.operands[1] in inside or not is_sum_of_parts(op, joined):
            ops.append(op)
            continue
        single = {v: product_of_part(op, joined, [v], 0)[-1] for v in joined.operands}
        alone = {v for v, product in single.items() if moved_row(product, definitions, inside, iterations)}
        parts = list[list[Value]]()  # what can be moved, each alone, and what is joined between
        for value in joined.operands:
            if parts and alone.isdisjoint((value, *parts[-1])):
                parts[-1].append(value)
            else:
                parts.append([value])
        if not alone:
            ops.append(op)
            continue
        for each in sum_of_products(op, joined, parts):
            shape, whole = (static_shape(v.type) for v in (each.results[0], op.operands[1]))
            in_place = slices and op.operands[1] not in definitions and shape[1:] == whole[1:]
            if each.name != stablehlo.dynamic_slice.name or in_place:
                ops.append(each)
                continue
            needed = live((*invariant, *ops, each), each.results)
            moved += before.ops(step for step in needed if before.values.keys().isdisjoint(step.results))
            copied |= {v: before.values[v] for v in each.results}
    ops = Rewriter(copied).ops(ops) if copied else ops
    return moved, replace(loop, regions=(condition, replace(body, ops=tuple(ops))))


def is_sum_of_parts(op: Op, joined: Op) -> bool:
    """Whether a product is the sum of products of its left matrix's parts, which are joined."""
    numbers, element = dot_numbers(op), str(expect_tensor(op.results[0].type).element)
    if joined.name != stablehlo.concatenate.name or numbers.lhs_batching or element.startswith("f8"):
        return False
    sizes = (size for v in (*op.operands, *joined.operands) for size in static_shape(v.type))
    return plain(joined.attributes["dimension"]) in numbers.lhs_contracting and not any(map(is_open, sizes))


def sum_of_products(op: Op, joined: Op, parts: Sequence[Sequence[Value]]) -> list[Op]:
    """A product as the sum of products of parts of its left matrix; narrow results are rounded once."""
    ops, begin, sums = list[Op](), 0, list[Value]()
    for values in parts:
        ops += product_of_part(op, joined, values, begin)
        begin += joined_size(joined, values)
        sums += ops[-1].results
        if len(sums) == 2:
            ops.append(stablehlo.add.op(sums, [clone_value(sums[0])], op.location))
            sums = [*ops[-1].results]
    if sums[0].type != op.results[0].type:
        return [*ops, stablehlo.convert.op(sums, op.results, op.location)]
    return [*ops[:-1], replace(ops[-1], results=op.results)]


def product_of_part(op: Op, joined: Op, values: Sequence[Value], begin: int) -> list[Op]:
    """The ops that multiply parts of a product's left matrix, which begin there, by those rows of the right one."""
    numbers, (x, *others), matrix = dot_numbers(op), values, op.operands[1]
    dimension, size = int(plain(joined.attributes["dimension"])), joined_size(joined, values)
    ops = list[Op]()
    if others:
        shape = [*static_shape(x.type)]
        shape[dimension] = size
        x = with_shape(x, shape)
        ops.append(replace(joined, operands=tuple(values), results=(x,)))
    sizes, row = [*static_shape(matrix.type)], numbers.rhs_contracting[numbers.lhs_contracting.index(dimension)]
    starts = [Value("", TensorType((), ScalarType("i32"))) for _ in sizes]
    sizes[row] = size
    for d, start in enumerate(starts):
        number = np.array(begin if d == row else 0, np.int32)
        ops.append(stablehlo.constant.op((), [start], op.location, value=number))
    rows, (result,) = with_shape(matrix, sizes), op.results
    ops.append(stablehlo.dynamic_slice.op([matrix, *starts], [rows], op.location, slice_sizes=sizes))
    is_narrow = str(expect_tensor(result.type).element) in NARROW
    product = with_element(result, ScalarType("f32")) if is_narrow else clone_value(result)
    attributes = {**op.attributes, "dot_dimension_numbers": numbers.attribute}
    name = stablehlo.dot_general.name
    return [*ops, replace(op, name=name, operands=(x, rows), results=(product,), attributes=attributes)]


def joined_size(joined: Op, values: Sequence[Value]) -> int:
    return sum(static_shape(v.type)[int(plain(joined.attributes["dimension"]))] for v in values)
