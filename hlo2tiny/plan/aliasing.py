"""Finds which values of a block share memory.

Some results start with the contents of an operand: an update changes part of it, a loop carries it on, a branch returns
it. Such a result takes over the operand's memory if nothing needs the operand afterwards; otherwise it is a copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from ..records import dataclass
from .plan import Block, Call, Case, Kernels, Plan, Step, While


@dataclass(frozen=True)
class Alias:
    """A result that starts with the contents of an operand, and whether the step then writes to it."""

    operand: int
    result: int
    written: bool


@dataclass(frozen=True)
class Aliasing:
    """Where the values of a block are stored. A memory is named by the first value that it holds.

    Attributes:
        memory: the memory of each value.
        copied: for each step, the results that start as a copy of an operand.
        written: the memories that a step overwrites after their first value.
    """

    memory: Mapping[int, int]
    copied: Mapping[int, tuple[Alias, ...]]
    written: frozenset[int]


class AliasAnalysis:
    """Analyses the blocks of one plan, each only once."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._aliases: dict[Step, tuple[Alias, ...]] = {}
        self._in_place: dict[Step, Mapping[int, int]] = {}
        self._blocks: dict[tuple[Block, frozenset[int]], Aliasing] = {}

    def in_place(self, step: While | Case | Call) -> Mapping[int, int]:
        """Map the results that a step's blocks leave in an argument's memory, whichever block runs, to it."""
        if step not in self._in_place:
            blocks = self._blocks_of(step)
            if isinstance(step, While):
                candidates: Mapping[int, int] = {i: i for i in range(len(step.carries))}
            else:
                candidates = self._returned_arguments(blocks[0])
            self._in_place[step] = self._in_place_in_all(blocks, candidates)
        return self._in_place[step]

    def in_place_of_main(self) -> Mapping[int, int]:
        """Map the results of the plan that are computed in the memory of a donated argument to that argument."""
        return self._in_place_in_all([self.plan.main], self.plan.donated)

    def _blocks_of(self, step: While | Case | Call) -> Sequence[Block]:
        if isinstance(step, Call):
            return [self.plan.functions[step.name]]
        return [step.body] if isinstance(step, While) else step.branches

    def aliases(self, step: Step) -> tuple[Alias, ...]:
        """The results of a step that start with the contents of an operand."""
        if step not in self._aliases:
            self._aliases[step] = tuple(self._find_aliases(step))
        return self._aliases[step]

    def arguments(self, step: Step) -> tuple[int, ...]:
        """The buffers that a step passes to its blocks or kernels: results that alias operands replace them."""
        arguments = list(step.captures if isinstance(step, Case) else step.reads)
        match step:
            case Kernels():
                arguments[: step.updates] = step.outputs[: step.updates]
            case While() | Case() | Call():
                for result, argument in self.in_place(step).items():
                    arguments[argument] = step.outputs[result]
        return tuple(arguments)

    def _find_aliases(self, step: Step) -> Iterator[Alias]:
        match step:
            case Kernels():
                for operand, result in zip(step.inputs[: step.updates], step.outputs):
                    yield Alias(operand, result, True)
            case While() | Case() | Call():
                operands = step.captures if isinstance(step, Case) else step.reads
                in_place = self.in_place(step)
                written = {n for block in self._blocks_of(step) for n in self.of(block, in_place).written}
                for result, argument in in_place.items():
                    yield Alias(operands[argument], step.outputs[result], argument in written)

    def _returned_arguments(self, block: Block) -> Mapping[int, int]:
        memory = self._of(block, frozenset(range(block.inputs))).memory
        results: dict[int, int] = {}  # by argument
        for result, n in enumerate(block.outputs):
            if memory[n] < block.inputs:
                results.setdefault(memory[n], result)
        return {result: argument for argument, result in results.items()}

    def _in_place_in_all(self, blocks: Sequence[Block], in_place: Mapping[int, int]) -> Mapping[int, int]:
        """Remove results until the others are in place in all blocks: each removal can make others impossible."""
        while True:
            memories = [self.of(block, in_place).memory for block in blocks]
            fewer = {
                result: argument
                for result, argument in in_place.items()
                if all(memory[block.outputs[result]] == argument for block, memory in zip(blocks, memories))
            }
            if len(fewer) == len(in_place):
                return in_place
            in_place = fewer

    def of(self, block: Block, in_place: Mapping[int, int]) -> Aliasing:
        """The aliasing of a block that may overwrite the arguments of `in_place`, which maps results to arguments."""
        return self._of(block, frozenset(in_place.values()))

    def _of(self, block: Block, consumed: frozenset[int]) -> Aliasing:
        if (block, consumed) not in self._blocks:
            self._blocks[block, consumed] = self._analyse(block, consumed)
        return self._blocks[block, consumed]

    def _analyse(self, block: Block, consumed: frozenset[int]) -> Aliasing:
        end = len(block.steps)
        last = {n: index for index, step in enumerate(block.steps) for n in step.reads}
        last.update(dict.fromkeys(block.outputs, end))
        memory = {n: n for n in (*range(block.inputs), *(n for n, _ in block.constants))}
        ends = {n: last.get(n, -1) for n in memory}  # for each memory, the last step that reads its contents
        owned = set(consumed)  # the memories that this block may write to
        copied: dict[int, tuple[Alias, ...]] = {}
        written = set()

        for index, step in enumerate(block.steps):
            aliases = {pair.result: pair for pair in self.aliases(step)}
            readers = Counter(memory[n] for n in step.reads)
            # Operands whose memory has no other reader in this step or after it.
            free = {n for n in step.reads if (m := memory[n]) in owned and readers[m] == 1 and ends[m] <= index}
            first = []
            for n in step.outputs:
                pair = aliases.get(n)
                if pair is not None and (not pair.written or pair.operand in free):
                    buffer = memory[n] = memory[pair.operand]
                    ends[buffer] = max(ends[buffer], last.get(n, -1))
                    written.update([buffer] if pair.written else [])
                    continue
                if pair is not None:
                    first.append(pair)
                memory[n], ends[n] = n, last.get(n, -1)
                # A loop without iterations returns the carry's own memory.
                carry = step.carries[step.outputs.index(n)] if isinstance(step, While) and pair is None else None
                if carry is None or carry in free:
                    owned.add(n)
            copied[index] = tuple(first)
        return Aliasing(memory, copied, frozenset(written))


def pair_donors(plan: Plan, donors: Mapping[int, int | None]) -> dict[int, int]:
    """Choose a result of the same type for each donated argument: a map from results to arguments.

    The file's choice comes first, then the result that the plan can compute in the argument's memory, then the first
    result that is left. An argument that no result fits has no pair.
    """
    main = plan.main
    memory = AliasAnalysis(plan).of(main, {n: n for n in donors}).memory
    results = range(len(main.outputs))
    named = ((result, argument) for argument, result in donors.items() if result is not None and result in results)
    kept = ((result, memory[main.outputs[result]]) for result in results)
    others = ((result, argument) for argument in donors for result in results)
    pairs: dict[int, int] = {}
    left = set(donors)
    for result, argument in chain(named, kept, others):
        fits = argument in left and result not in pairs and main.types[argument] == main.types[main.outputs[result]]
        if fits:
            pairs[result] = argument
            left.remove(argument)
    return pairs
