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
class Begun:
    """A result that begins as an operand of its step, and whether the step then writes to it."""

    operand: int
    result: int
    written: bool


@dataclass(frozen=True)
class Sharing:
    """For each value of a block the first one that lies where it does; and by step, the results that are copied first.

    `written` are the memories that a step writes to after their first value.
    """

    memory: Mapping[int, int]
    copied: Mapping[int, tuple[Begun, ...]]
    written: frozenset[int]


class Sharings:
    """Finds what the blocks of one plan share, each once."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._begun: dict[Step, tuple[Begun, ...]] = {}
        self._kept: dict[Step, Mapping[int, int]] = {}
        self._blocks: dict[tuple[Block, frozenset[int]], Sharing] = {}

    def kept(self, step: While | Case | Call) -> Mapping[int, int]:
        """The results of a step's blocks that stay where an argument is, whichever block runs: result to argument."""
        if step not in self._kept:
            blocks = self._blocks_of(step)
            if isinstance(step, While):
                self._kept[step] = self._staying(blocks, {i: i for i in range(len(step.carries))})
            else:
                self._kept[step] = self._returned(blocks)
        return self._kept[step]

    def _blocks_of(self, step: While | Case | Call) -> Sequence[Block]:
        match step:
            case While():
                return [step.body]
            case Case():
                return step.branches
            case Call():
                return [self.plan.functions[step.name]]

    def begun(self, step: Step) -> tuple[Begun, ...]:
        """The results that begin as operands."""
        if step not in self._begun:
            self._begun[step] = tuple(self._pairs(step))
        return self._begun[step]

    def taken(self, step: Step) -> tuple[int, ...]:
        """The buffers that a step's blocks or kernels take: results in the places of what they begin as."""
        taken = list(step.captures if isinstance(step, Case) else step.reads)
        match step:
            case Kernels():
                taken[: step.updates] = step.outputs[: step.updates]
            case While() | Case() | Call():
                for result, argument in self.kept(step).items():
                    taken[argument] = step.outputs[result]
        return tuple(taken)

    def _pairs(self, step: Step) -> Iterator[Begun]:
        match step:
            case Kernels():
                for operand, result in zip(step.inputs[: step.updates], step.outputs):
                    yield Begun(operand, result, True)
            case While() | Case() | Call():
                operands = step.captures if isinstance(step, Case) else step.reads
                kept = self.kept(step)
                written = {n for block in self._blocks_of(step) for n in self.of(block, kept).written}
                for result, argument in kept.items():
                    yield Begun(operands[argument], step.outputs[result], argument in written)

    def _returned(self, blocks: Sequence[Block]) -> Mapping[int, int]:
        memory = self._of(blocks[0], frozenset(range(blocks[0].inputs))).memory
        found: dict[int, int] = {}  # by argument
        for result, n in enumerate(blocks[0].outputs):
            if memory[n] < blocks[0].inputs:
                found.setdefault(memory[n], result)
        return self._staying(blocks, {result: argument for argument, result in found.items()})

    def _staying(self, blocks: Sequence[Block], kept: Mapping[int, int]) -> Mapping[int, int]:
        while True:
            memories = [self.of(block, kept).memory for block in blocks]
            fewer = {
                result: argument
                for result, argument in kept.items()
                if all(memory[block.outputs[result]] == argument for block, memory in zip(blocks, memories))
            }
            if len(fewer) == len(kept):
                return kept
            kept = fewer

    def of(self, block: Block, kept: Mapping[int, int]) -> Sharing:
        """What a block's values share when results stay in the arguments that `kept` says, which it may overwrite."""
        return self._of(block, frozenset(kept.values()))

    def _of(self, block: Block, consumed: frozenset[int]) -> Sharing:
        if (block, consumed) not in self._blocks:
            self._blocks[block, consumed] = self._analysed(block, consumed)
        return self._blocks[block, consumed]

    def _analysed(self, block: Block, consumed: frozenset[int]) -> Sharing:
        end = len(block.steps)
        last = {n: index for index, step in enumerate(block.steps) for n in step.reads}
        last.update(dict.fromkeys(block.outputs, end))
        memory = {n: n for n in (*range(block.inputs), *(n for n, _ in block.constants))}
        ends = {n: last.get(n, -1) for n in memory}  # of each memory, the last step that reads what lies there
        owned = set(consumed)  # memories that steps of this block may write to
        copied: dict[int, tuple[Begun, ...]] = {}
        written = set()

        for index, step in enumerate(block.steps):
            begun = {pair.result: pair for pair in self.begun(step)}
            readers = Counter(memory[n] for n in step.reads)
            # Operands whose memory nothing but they need from there on.
            free = {n for n in step.reads if (m := memory[n]) in owned and readers[m] == 1 and ends[m] <= index}
            first = []
            for n in step.outputs:
                pair = begun.get(n)
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
        return Sharing(memory, copied, frozenset(written))
