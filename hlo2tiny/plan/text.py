"""A plan as text, for `hlo2tiny inspect --plan`, and its commands as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..ir.dtypes import byte_size
from ..ir.place import Place
from .aliasing import Alias, AliasAnalysis
from .commands import Branch, Command, CommandList, Copy, Exchange, HostCall, Invoke, Launch, Library, Loop
from .plan import (
    Attention,
    AttentionGradients,
    Block,
    Call,
    Case,
    Collective,
    Convolution,
    Fourier,
    Gemm,
    Host,
    Kernels,
    Lapack,
    Plan,
    Step,
    While,
    work_of,
)


def plan_text(plan: Plan, kernels: Mapping[str, Sequence[str]] = {}) -> str:
    """Print a plan, one line per step: the buffers that it writes, its kind, the buffers that it reads, and its cost.

    `kernels` has the names of regions' kernels by key, where they are known.
    """
    lister = Lister(AliasAnalysis(plan), kernels)
    given = [f"  %{argument} is donated to result {result}" for result, argument in plan.donated.items()]
    lines = ["main:", *given, *lister.block(plan.main, lister.analysis.in_place_of_main(), "  ")]
    for name, block in plan.functions.items():
        calls = [s for b in plan.blocks() for s in b.steps if isinstance(s, Call) and s.name == name]
        in_place = lister.analysis.in_place(calls[0]) if calls else {}
        lines += [f"@{name}:", *lister.block(block, in_place, "  ")]
    return "\n".join(lines)


class Lister:
    """Prints the steps of one plan's blocks."""

    def __init__(self, analysis: AliasAnalysis, kernels: Mapping[str, Sequence[str]]) -> None:
        self.analysis, self.kernels = analysis, kernels

    def block(self, block: Block, in_place: Mapping[int, int], indent: str) -> Iterator[str]:
        for i in range(block.inputs):
            yield f"{indent}%{i}: {block.types[i]} = input"
        for i, array in block.constants:
            yield f"{indent}%{i}: {block.types[i]} = constant, {array.nbytes} bytes"
        copied = self.analysis.of(block, in_place).copied
        for index, step in enumerate(block.steps):
            yield f"{indent}{written(block, step.outputs)} = {self.step(block, step, copied[index])}"
            inner_blocks: list[tuple[str, Block, Mapping[int, int]]] = []
            if isinstance(step, While):
                inner_blocks = [("condition", step.condition, {}), ("body", step.body, self.analysis.in_place(step))]
            elif isinstance(step, Case):
                shared = self.analysis.in_place(step)
                inner_blocks = [(f"branch {number}", branch, shared) for number, branch in enumerate(step.branches)]
            for title, inner, shared in inner_blocks:
                yield f"{indent}{title}:"
                yield from self.block(inner, shared, indent + "  ")
        yield f"{indent}return {numbers(block.outputs)}"

    def step(self, block: Block, step: Step, copied: Sequence[Alias]) -> str:
        """A step's kind, operands and cost."""
        match step:
            case Kernels():
                ops = Counter(op.name.split(".")[-1] for op in step.ops)
                names = ", ".join(f"{name} {count}" if count > 1 else name for name, count in ops.most_common())
                notes = [names, f"{count_bytes(block, step):,} bytes"]
                if step.updates:
                    notes.append("updates a copy" if copied else "updates in place")
                if kernels := self.kernels.get(step.key):
                    notes.append(f"kernels {' '.join(kernels)}")
                return f"region({numbers(step.inputs)}) {step.key[:8]}: {'; '.join(notes)}"
            case While():
                iterations = "" if step.trip_count is None else f", {step.trip_count:,} iterations"
                return f"while({numbers(step.carries)}; {numbers(step.captures)}){iterations}"
            case Case():
                return f"case %{step.index}({numbers(step.captures)})"
            case Call():
                return f"call @{step.name}({numbers(step.inputs)})"
            case Host():
                return f"host {step.name}({numbers(step.inputs)})"
            case Gemm():
                p = step.product
                batch = f"{'x'.join(map(str, p.batch))} of " if p.batch else ""
                marks = ["ᵀ" if x.transposed else "" for x in (p.a, p.b)]
                head = f"{p.letter}gemm({', '.join(f'%{n}{mark}' for n, mark in zip(step.inputs, marks))})"
                strides = " and ".join(str([*x.batch, x.leading]) for x in (p.a, p.b))
                size = f"{batch}{p.m}x{p.k}x{p.n}, strides {strides}"
                return f"{head}: {size}; {p.flops:,} flops, {count_bytes(block, step):,} bytes"
            case Convolution():
                w = step.windows
                head = f"convolution({numbers(step.inputs)}): {w.groups} of {w.rows}x{w.depth}x{w.features}"
                return f"{head}; {w.flops:,} flops, {count_bytes(block, step):,} bytes"
            case Attention() | AttentionGradients():
                h, name = step.heads, "attention" if isinstance(step, Attention) else "gradients of attention"
                changes = ", ".join(c.kind for c in h.changes)
                head = f"{name}({numbers(step.inputs)}): {'x'.join(map(str, h.sizes))} queries of {h.depth}"
                head += f", {h.keys} keys, values of {h.width}{changes and f', {changes}'}"
                return f"{head}; {work_of(step).flops:,} flops, {count_bytes(block, step):,} bytes"
            case Fourier():
                t = step.transform
                iterations = ", ".join(
                    f"{v.count} of {v.length}" + "".join(f" by {each.size}" for each in v.convolutions) for v in t.lines
                )
                head = f"{'inverse ' if t.inverse else ''}fourier({numbers(step.inputs)}): {iterations}"
                return f"{head}; {t.flops:,} flops, {count_bytes(block, step):,} bytes"
            case Lapack():
                calls = ", ".join(f"{c.items} {c.name}" for c in step.procedure.calls)
                return f"lapack({numbers(step.inputs)}): {calls or 'no call'}; {count_bytes(block, step):,} bytes"
            case Collective():
                groups = "; ".join(" ".join(map(str, group)) for group in step.groups)
                return f"{step.name}({numbers(step.inputs)}){f' among {groups}' if groups else ''}"
        raise TypeError(step)


def count_bytes(block: Block, step: Step) -> int:
    """The bytes of the buffers that a step reads and writes, each counted once."""
    return sum(byte_size(block.types[n]) for n in {*step.reads, *step.outputs})


def numbers(buffers: tuple[int, ...]) -> str:
    return ", ".join(f"%{b}" for b in buffers)


def written(block: Block, buffers: tuple[int, ...]) -> str:
    return ", ".join(f"%{b}: {block.types[b]}" for b in buffers)


def commands_text(commands: CommandList) -> str:
    """Print a command list and those that it runs, one line per command: what it writes to, its kind, what it reads."""
    return "\n".join([f"arena of {commands.total:,} bytes:", *command_lines(commands, "  ")])


def command_lines(commands: CommandList, indent: str) -> Iterator[str]:
    for command in commands.commands:
        yield indent + command_text(command)
        inner: Mapping[str, CommandList] = {}
        match command:
            case Loop():
                inner = {"condition": command.condition, "body": command.body}
            case Branch():
                inner = {f"branch {number}": branch for number, branch in enumerate(command.branches)}
            case Invoke():
                inner = {f"@{command.step.name}": command.callee}
        for title, each in inner.items():
            yield f"{indent}{title}, whose frame begins at +{commands.size}:"
            yield from command_lines(each, indent + "  ")


def command_text(command: Command) -> str:
    match command:
        case Copy():
            return f"{place_text(command.target)} = copy {command.size:,} bytes of {place_text(command.source)}"
        case Launch():
            reads = len(command.region.inputs)
            read, written = places_text(command.places[:reads]), places_text(command.places[reads:])
            producer = f", reading what {command_text(command.producer)}" if command.producer else ""
            return f"{written} = kernels {command.region.key[:8]}({read}){producer}"
        case Library():
            reads = len(command.step.inputs)
            kind = type(command.step).__name__.lower()
            return f"{places_text(command.places[reads:])} = {kind}({places_text(command.places[:reads])})"
        case HostCall():
            name = command.step.name if isinstance(command.step, Host) else "lapack"
            return f"{places_text(command.outputs)} = host {name}({places_text(command.inputs)})"
        case Exchange():
            return f"{places_text(command.outputs)} = {command.step.name}({places_text(command.inputs)})"
        case Invoke():
            return f"{places_text(command.results)} = call @{command.step.name}({places_text(command.arguments)})"
        case Branch():
            head = f"case {place_text(command.index)}({places_text(command.arguments)})"
            return f"{places_text(command.results)} = {head}"
        case Loop():
            count = command.step.trip_count
            times = f"{count:,} iterations" if count is not None else f"while {place_text(command.predicate)}"
            carries = ", ".join(f"{place_text(c.first)} and {place_text(c.second)}" for c in command.carries)
            return f"loop({places_text(command.arguments)}), {times}" + (f", carries {carries}" if carries else "")


def place_text(place: Place) -> str:
    return f"+{place.number}" if place.kind == "arena" else f"{place.kind} {place.number}"


def places_text(places: Sequence[Place]) -> str:
    return ", ".join(map(place_text, places)) or "nothing"
