"""Which values of a block share memory.

Some results begin as an operand of their step: an update changes a part of it, a loop carries it on, a branch gives it
back. Such a result takes the operand's place when nothing needs the operand any more; otherwise it begins as a copy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .plan import Block, Call, Case, Kernels, Plan, Step, While


@dataclass(frozen=True)
class Alias:
    """A result that begins as an operand of its step, and whether the step then writes to it."""

    operand: int
    result: int
    written: bool


@dataclass(frozen=True)
class Aliasing:
    """For each value of a block the first one that lies where it does; and by step, the results that are copied first.

    `written` are the memories that a step writes to after their first value.
    """

    memory: Mapping[int, int]
    copied: Mapping[int, tuple[Alias, ...]]
    written: frozenset[int]


class AliasAnalysis:
    """Finds which values alias others in the blocks of one plan, once for each block."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._aliases: dict[Step, tuple[Alias, ...]] = {}
        self._in_place: dict[Step, Mapping[int, int]] = {}
        self._blocks: dict[tuple[Block, frozenset[int]], Aliasing] = {}

    def in_place(self, step: While | Case | Call) -> Mapping[int, int]:
        """The results of a step's blocks that stay where an argument is, whichever block runs: result to argument."""
        if step not in self._in_place:
            blocks = self._blocks_of(step)
            if isinstance(step, While):
                self._in_place[step] = self._staying(blocks, {i: i for i in range(len(step.carries))})
            else:
                self._in_place[step] = self._returned(blocks)
        return self._in_place[step]

    def _blocks_of(self, step: While | Case | Call) -> Sequence[Block]:
        match step:
            case While():
                return [step.body]
            case Case():
                return step.branches
            case Call():
                return [self.plan.functions[step.name]]

    def aliases(self, step: Step) -> tuple[Alias, ...]:
        """The results that begin as operands."""
        if step not in self._aliases:
            self._aliases[step] = tuple(self._pairs(step))
        return self._aliases[step]

    def taken(self, step: Step) -> tuple[int, ...]:
        """The buffers that a step's blocks or kernels take: results in the places of what they begin as."""
        taken = list(step.captures if isinstance(step, Case) else step.reads)
        match step:
            case Kernels():
                taken[: step.updates] = step.outputs[: step.updates]
            case While() | Case() | Call():
                for result, argument in self.in_place(step).items():
                    taken[argument] = step.outputs[result]
        return tuple(taken)

    def _pairs(self, step: Step) -> Iterator[Alias]:
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

    def _returned(self, blocks: Sequence[Block]) -> Mapping[int, int]:
        memory = self._of(blocks[0], frozenset(range(blocks[0].inputs))).memory
        results: dict[int, int] = {}  # by argument
        for result, n in enumerate(blocks[0].outputs):
            if memory[n] < blocks[0].inputs:
                results.setdefault(memory[n], result)
        return self._staying(blocks, {result: argument for argument, result in results.items()})

    def _staying(self, blocks: Sequence[Block], in_place: Mapping[int, int]) -> Mapping[int, int]:
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
        """The aliasing of a block that may overwrite the arguments where results stay: `in_place` says which."""
        return self._of(block, frozenset(in_place.values()))

    def _of(self, block: Block, consumed: frozenset[int]) -> Aliasing:
        if (block, consumed) not in self._blocks:
            self._blocks[block, consumed] = self._analysed(block, consumed)
        return self._blocks[block, consumed]

    def _analysed(self, block: Block, consumed: frozenset[int]) -> Aliasing:
        end = len(block.steps)
        last = {n: index for index, step in enumerate(block.steps) for n in step.reads}
        last.update(dict.fromkeys(block.outputs, end))
        memory = {n: n for n in (*range(block.inputs), *(n for n, _ in block.constants))}
        ends = {n: last.get(n, -1) for n in memory}  # of each memory, the last step that reads what lies there
        owned = set(consumed)  # memories that steps of this block may write to
        copied: dict[int, tuple[Alias, ...]] = {}
        written = set()

        for index, step in enumerate(block.steps):
            aliases = {pair.result: pair for pair in self.aliases(step)}
            readers = Counter(memory[n] for n in step.reads)
            # Operands whose memory nothing but they need from there on.
            free = {n for n in step.reads if (m := memory[n]) in owned and readers[m] == 1 and ends[m] <= index}
            first = []
            for n in step.outputs:
                pair = aliases.get(n)
                if pair is not None and (not pair.written or pair.operand in free):
                    place = memory[n] = memory[pair.operand]
                    ends[place] = max(ends[place], last.get(n, -1))
                    written.update([place] if pair.written else [])
                    continue
                if pair is not None:
                    first.append(pair)
                memory[n], ends[n] = n, last.get(n, -1)
                # After no turn, what a loop gives lies where the carry did.
                carry = step.carries[step.outputs.index(n)] if isinstance(step, While) and pair is None else None
                if carry is None or carry in free:
                    owned.add(n)
            copied[index] = tuple(first)
        return Aliasing(memory, copied, frozenset(written))
