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

from ..ir import Op, Region, Value
from ..ir.dimensions import dot_numbers
from ..ir.dtypes import byte_size, expect_tensor, static_shape
from ..ir.rewrite import Rewriter, clone_value, free_values, live, with_element, with_shape
from ..ir.sizes import is_open
from ..ops import Monoid, Trait, has, monoid_of
from ..ops.attributes import plain
from ..ops.build import stablehlo
from ..ops.definition import without
from ..records import dataclass
from .gemm import is_broadcast, is_conversion, is_reshape
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
        chain = row_of(op.operands[0], definitions) if has(op, Trait.DOT) and iterations else []
        numbers = dot_numbers(op) if chain else None
        if numbers is None or numbers.lhs_batching or not inside.isdisjoint((chain[0].operands[0], op.operands[1])):
            ops.append(op)
            continue
        operands = chain[0].operands[0], op.operands[1]
        stack, matrix = operands
        count, *shape = static_shape(stack.type)
        (result,) = op.results
        products = with_shape(result, (count, *static_shape(result.type)))
        size = byte_size(products.type)
        if (
            [*static_shape(op.operands[0].type)] != shape
            or is_open(size)
            or count > iterations
            or size > MOST_PRODUCTS * (byte_size(stack.type) + byte_size(matrix.type))
        ):
            ops.append(op)
            continue
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
