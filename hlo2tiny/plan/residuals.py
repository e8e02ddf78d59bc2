"""Computes attention again in a loop of gradients, rather than store its scores for all iterations of the loop before.

The gradient of a loop, such as `lax.scan` over layers, is a second loop, which takes what the first one has computed
from stacks, a row in each iteration. Of attention, these are its exponentials, their sums and its weights, which need
most of the memory; they are made of queries and keys, which are in stacks as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..ir import Op, Region, Value
from ..ir.dtypes import static_shape, strides_of
from ..ir.rewrite import Rewriter, clone_value, free_values
from ..ops import Trait, has
from ..ops.build import stablehlo
from ..records import dataclass
from .attention_gradients import find_gradients
from .attention_graph import MOST_CHANGES, OpGraph, short_name
from .loops import find_invariants, is_movable, trip_count, whole_number, without_carries
from .repeats import split_repeats
from .stacks import StackLoop

# What has more ops is not computed again.
MOST_OPS = 64


def recompute_attention(ops: Sequence[Op], constants: Mapping[Value, Op], stores_wide: bool) -> list[Op]:
    """Rewrite pairs of loops among some ops; `constants` are those that are defined around them.

    What `stores_wide` says is as for `replace_attention`.
    """
    known = {**constants, **{v: op for op in ops if has(op, Trait.CONSTANT) for v in op.results}}
    result = list(ops)
    loops = [op for op in ops if has(op, Trait.LOOP)]
    for first in loops:
        readers = [op for op in result if not {*first.results}.isdisjoint(free_values(op))]
        for second in [op for op in readers if has(op, Trait.LOOP)]:
            if first not in result:
                break
            changed = LoopPair(first, second, known, result, stores_wide).changed()
            if changed is not None:
                result = [changed.get(op, op) for op in result]
    return result


@dataclass(frozen=True, eq=False)
class Row:
    """What an iteration writes to a row of a stack: a value, and the same with a first dimension of size 1."""

    value: Value
    raised: Value


class LoopPair:
    """A loop, and a later one that takes rows of its stacks."""

    def __init__(
        self, first: Op, second: Op, known: Mapping[Value, Op], around: Sequence[Op], stores_wide: bool
    ) -> None:
        self.first, self.second, self.known, self.around = first, second, known, around
        self.stores_wide = stores_wide
        self.loop = StackLoop(first, known)
        self.iterations, arguments = trip_count(first, known), self.loop.body.arguments
        self.counters = {a for i, a in enumerate(arguments) if self.loop.counts(i)} if self.iterations else set()
        self.rows = self.find_rows()
        # Where the second loop's body finds the first one's results.
        names, *_ = find_invariants(second)
        self.starts, *_ = find_invariants(first)
        self.definitions = {**known, **{v: op for op in second.regions[1].ops for v in op.results}}
        self.sources = {argument: start for argument, start in names.items() if start in first.results}

    def find_rows(self) -> dict[int, Row]:
        """The rows that each iteration of the first loop writes, by the numbers of stacks."""
        loop, iterations, counters, found = self.loop, self.iterations, self.counters, dict[int, Row]()
        asked = {*free_values(*loop.condition.ops)}
        for number, stack in enumerate(loop.body.arguments if counters else ()):
            writing = loop.find_row_access(loop.returned[number], stablehlo.dynamic_update_slice.name, 2, counters)
            if writing is None or writing.operands[0] is not stack or loop.condition.arguments[number] in asked:
                continue
            shape, raised = static_shape(stack.type), writing.operands[1]
            if loop.readers[stack] == 1 and shape[0] == iterations and static_shape(raised.type) == (1, *shape[1:]):
                found[number] = Row(loop.in_order(raised), raised)
        return found

    def changed(self) -> dict[Op, Op] | None:
        """Both loops without the stacks that attention needs, if its gradients are found then."""
        derived, count = self.find_derived()
        again = {number for number, row in self.rows.items() if row.value in derived and self.is_only_read(number)}
        if not count or not again:
            return None
        needed = set[Op]()
        for number in again:
            cone = self.cone(self.rows[number].value, again)
            if cone is None:
                return None
            needed |= cone
        body = self.rewrite(again, needed)
        if body is None or self.count_gradients(body.ops) != count:
            return None
        second = replace(self.second, regions=(self.second.regions[0], body))
        starts = {self.first.results[number] for number in again}
        gone = [n for n, start in enumerate(self.second.operands) if start in starts]
        return {self.first: without_carries(self.first, sorted(again)), self.second: without_carries(second, gone)}

    def find_derived(self) -> tuple[set[Value], int]:
        """What depends on scores in the first loop's body, up to attention's results, and how many softmaxes it has."""
        ops, derived, count = self.loop.body.ops, set[Value](), 0
        graph, results = OpGraph(ops, self.known, False), set[Value]()
        for op in ops:
            softmax = graph.softmax(op.results[0]) if short_name(op) == "divide" else None
            if softmax is None:
                continue
            shape = static_shape(softmax.scores.type)
            scores = graph.scores(softmax.scores, shape, strides_of(shape), MOST_CHANGES)
            if scores is not None:
                count += 1
                derived.update(scores[0].results)
        for op in ops:
            read = free_values(op)
            if has(op, Trait.DOT) and not derived.isdisjoint(read) and results.isdisjoint(read):
                results.update(op.results)
            elif not has(op, Trait.DOT) and is_movable(op):
                derived.update(op.results if not derived.isdisjoint(read) else ())
                results.update(op.results if not results.isdisjoint(read) and has(op, Trait.MOVEMENT) else ())
        return derived | results, count

    def is_only_read(self, number: int) -> bool:
        """Whether a stack of the first loop is read by the second one only, which takes rows of it."""
        stack = self.first.results[number]
        if any(op is not self.second and stack in free_values(op) for op in self.around):
            return False
        names = {stack, *(argument for argument, start in self.sources.items() if start is stack)}
        condition, body = self.second.regions
        passed = [n for n, start in enumerate(self.second.operands) if start is stack]
        if any(self.second.results[n] in free_values(op) for n in passed for op in self.around):
            return False
        if any(body.arguments[n] not in names or condition.arguments[n] in free_values(*condition.ops) for n in passed):
            return False
        readers = [op for op in body.ops[:-1] if not names.isdisjoint(free_values(op))]
        return bool(readers) and all(self.takes_row(op) for op in readers) and stack not in free_values(body.ops[-1])

    def takes_row(self, op: Op) -> bool:
        if op.name != stablehlo.dynamic_slice.name:
            return False
        shape = static_shape(op.operands[0].type)
        starts = (whole_number(self.definitions.get(v)) for v in op.operands[2:])
        return static_shape(op.results[0].type) == (1, *shape[1:]) and all(start == 0 for start in starts)

    def cone(self, value: Value, again: set[int]) -> set[Op] | None:
        """The ops of the first loop's body that compute a value from rows of other stacks and the loop's number."""
        kept = {row.value for number, row in self.rows.items() if number not in again}
        inside = {v: op for op in self.loop.body.ops for v in op.results}
        waiting, seen, found = [value], set[Value](), set[Op]()
        while waiting:
            each = waiting.pop()
            if each in seen or each in kept or each in self.starts or each in self.counters:
                continue
            seen.add(each)
            op = inside.get(each)
            if op is None:
                if each in self.loop.body.arguments:
                    return None
                continue
            if not (is_movable(op) or has(op, Trait.CONSTANT)) or len(found) > MOST_OPS:
                return None
            found.add(op)
            waiting += free_values(op)
        return found

    def rewrite(self, again: set[int], needed: set[Op]) -> Region | None:
        """The second loop's body, which computes rows of some stacks from those of others, by ops of the first one."""
        body, results = self.second.regions[1], {v: n for n, v in enumerate(self.first.results)}
        numbers = results | {argument: results[start] for argument, start in self.sources.items()}
        taken = [
            op for op in body.ops if op.name == stablehlo.dynamic_slice.name and numbers.get(op.operands[0]) in again
        ]
        if not taken or len({op.operands[1] for op in taken}) > 1:
            return None
        location, index, zero = taken[0].location, taken[0].operands[1], taken[0].operands[-1]
        counters = self.counters.intersection(free_values(*needed))  # the number of the iteration is that of the row
        if any(counter.type != index.type for counter in counters):
            return None
        values, ops = {**self.starts, **dict.fromkeys(counters, index)}, list[Op]()
        stacks = {number: argument for argument, number in numbers.items() if number not in again}
        for number, row in self.rows.items():
            if number in again or not any(row.value in free_values(op) for op in needed):
                continue
            raised, value = clone_value(row.raised), clone_value(row.value)
            stack, shape = stacks[number], static_shape(row.raised.type)
            starts = index, *(zero for _ in shape[1:])
            ops.append(stablehlo.dynamic_slice.op((stack, *starts), (raised,), location, slice_sizes=shape))
            ops.append(stablehlo.reshape.op((raised,), (value,), location))
            values[row.value] = value
        clones = Rewriter(values, new=clone_value)
        ops += clones.ops(op for op in self.loop.body.ops if op in needed)
        changed = list[Op]()
        for op in body.ops:
            if op is taken[0]:
                changed += ops
            if op in taken:
                (value,) = clones.lookup([self.rows[numbers[op.operands[0]]].value])
                changed.append(stablehlo.reshape.op((value,), op.results, op.location))
            else:
                changed.append(op)
        return Region(body.arguments, tuple(changed))

    def count_gradients(self, ops: Sequence[Op]) -> int:
        """How many gradients of attention there are among ops."""
        graph = OpGraph(split_repeats(ops, False), self.known, False)
        found = (graph.attention(op) for op in graph.order if has(op, Trait.DOT))
        return sum(each is not None and find_gradients(graph, each, self.stores_wide) is not None for each in found)
