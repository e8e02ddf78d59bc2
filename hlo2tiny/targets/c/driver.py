"""A plan as C: the kernels that tinygrad renders, and a driver that calls them, with `for` and `if` for control flow.

Each block is one function of the addresses of its inputs, its results and its working memory. All working memory of a
call is one arena: a block's frame holds the buffers that its steps hand to each other, each for as long as it is
needed, and the frames of the blocks that it runs follow after it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ...ir import ScalarType, about
from ...ir.dtypes import expect_tensor
from ...plan.aliasing import AliasAnalysis, Aliasing
from ...plan.convolution import ACROSS, EACH, Windows
from ...plan.fourier import Lines
from ...plan.memory import ALIGNMENT, SMALL, Frame, lay_out
from ...plan.plan import Block, Call, Case, Convolution, Fourier, Gemm, Host, Kernels, Lapack, Plan, Step, While
from ...rules.control import chooses_by_boolean
from ...rules.procedure import Procedure
from . import lapack, templates
from .code import byte_size
from .kernels import LEAST_WORK, MOST_BUFFERS, MOST_TURN, Function, RenderedKernel, RenderedRegion
from .products import function_of, product

# With so many operations, a product, convolution or transform runs on several threads, and the driver checks for
# signals after it.
LEAST_FLOPS = 2_000_000
# A convolution with fewer output places is not handed to the next kernel piece by piece.
LEAST_ROWS = 512
# A function of calls alone is not worth optimising from so many steps or lines on.
MANY_STEPS = 40
MANY_LINES = 400


@dataclass(frozen=True, eq=False)
class Timer:
    """What a profiled driver measures: one kernel of a region, or another step with everything that it runs."""

    block: Block
    step: Step
    kernel: int | None = None


@dataclass(frozen=True)
class Source:
    """A program in C: its kernels, each a function of its own, the driver, and the size of the arena in bytes.

    `functions` has to precede the kernels and the driver, whether they are compiled together or separately. A result of
    `in_place` may be written to the memory of the argument that it is paired with.
    """

    kernels: tuple[Function, ...]
    driver: str
    arena: int
    hosts: tuple[tuple[Block, Host], ...]
    timers: tuple[Timer, ...] = ()
    functions: str = ""
    in_place: Mapping[int, int] = field(default_factory=dict)


def library_of(plan: Plan) -> tuple[str, ...]:
    """The library functions that a plan's code calls, in the order in which it expects their addresses."""
    steps = [step for block in plan.blocks() for step in block.steps]
    names = {function_of(step) for step in steps if isinstance(step, Gemm)}
    names |= {f"{step.transform.letter}transform" for step in steps if isinstance(step, Fourier)}
    names |= {lapack.symbol(call) for step in steps if isinstance(step, Lapack) for call in step.procedure.calls}
    return tuple(sorted(names))


class Printer:
    """Prints a plan in C.

    Args:
        plan: the plan.
        regions: the kernels of its regions, by key.
        threads: the most threads that may work at the same time; the arena has scratch memory for each.
        profile: whether the driver measures how long its steps take.
    """

    def __init__(self, plan: Plan, regions: Mapping[str, RenderedRegion], threads: int, profile: bool) -> None:
        self.plan, self.regions, self.threads = plan, regions, threads
        # For each block, the bytes of each buffer.
        self.sizes = {block: list(map(byte_size, block.types)) for block in plan.blocks()}
        self.timers: list[Timer] | None = [] if profile else None
        self.names: dict[RenderedKernel, str] = {}
        self.blocks: dict[Block, str] = {}
        self.frames: dict[Block, Frame] = {}
        self.totals: dict[Block, int] = {}
        self.functions: list[str] = []
        self.windows: dict[Windows, str] = {}
        self.turns: dict[Step, int] = {}  # for convolutions that feed the next step's kernel; see `fed_kernels`
        self.lines: dict[Lines, str] = {}
        self.products: dict[str, str] = {}
        self.procedures: dict[Procedure, str] = {}
        self.library = {name: number for number, name in enumerate(library_of(plan))}
        self.hosts: list[tuple[Block, Host]] = []
        self.analysis = AliasAnalysis(plan)
        self.loops = 0  # the depth of loops around the current position
        self.inner: set[RenderedKernel] = set()  # kernels that become part of the driver
        self.calls = 0  # printed calls of kernels and other steps that may take long
        constants = ((block, n) for block in plan.blocks() for n, _ in block.constants)
        self.constants = {constant: i for i, constant in enumerate(constants)}

    def print(self) -> Source:
        in_place = self.analysis.in_place_of_main()
        entry = self.block(self.plan.main, in_place)
        functions = {kernel: kernel.function(name) for kernel, name in self.names.items()}
        inner = [function.text(static=True) for kernel, function in functions.items() if kernel in self.inner]
        kernels = tuple(function for kernel, function in functions.items() if kernel not in self.inner)
        prototypes = [f"{function.head};" for function in kernels]
        prepared, arena = self.prepared(in_place)
        run = templates.ENTRY.replace("PREPARE\n", prepared).replace("MAIN", entry)
        structs = [templates.windows_struct(w, name) for w, name in self.windows.items()]
        structs += [f"static const struct product {name} = {{{numbers}}};" for numbers, name in self.products.items()]
        letters = sorted({w.letter for w in self.windows})
        code = [templates.STRUCT, *map(templates.convolution_functions, letters)] if letters else []
        if self.lines:
            code.append(templates.LINES_STRUCT)
            structs += [templates.lines_struct(v, name) for v, name in self.lines.items()]
        code += [lapack.procedure_text(p, name, self.library) for p, name in self.procedures.items()]
        if self.timers is not None:
            numbers = {"TIMERS": max(1, len(self.timers)), "CLOCK": time.CLOCK_MONOTONIC}
            code += [*(f"#define {name} {number}" for name, number in numbers.items()), templates.PROFILE]
        if "truth_values" in prepared:
            code.append(templates.TRUTH_VALUES)
        parts = [templates.COMMON, templates.DECLARATIONS, *code, *structs, *prototypes, *inner, *self.functions, run]
        driver = "\n".join(parts)
        called = templates.TYPES_TEXT + (
            templates.read_code("elementary.c") if any(k.facts.calls for k in functions) else ""
        )
        return Source(kernels, driver, arena, tuple(self.hosts), tuple(self.timers or ()), called, in_place)

    def prepared(self, in_place: Mapping[int, int]) -> tuple[str, int]:
        """The code that prepares the arguments, and the size of the arena with room for copies of them.

        An argument in whose memory a result is computed is copied there unless it is the same memory. Arguments of type
        i1 become 0 or 1.
        """
        main, end = self.plan.main, self.totals[self.plan.main]
        lines = []
        for result, n in in_place.items():
            if size := self.sizes[main][n]:
                lines.append(f"  if (out[{result}] != in[{n}]) __builtin_memcpy(out[{result}], in[{n}], {size});\n")
                lines.append(f"  taken[{n}] = out[{result}];\n")
        for n in range(main.inputs):
            size = self.sizes[main][n]
            if size and expect_tensor(main.types[n]).element == ScalarType("i1"):
                changed = n in in_place.values()
                copy = f"taken[{n}]" if changed else f"arena + {end}"
                lines.append(f"  taken[{n}] = truth_values(taken[{n}], {copy}, {size});\n")
                end += 0 if changed else -(-size // ALIGNMENT) * ALIGNMENT
        if lines:
            head = f"  char *taken[{main.inputs}];\n  __builtin_memcpy(taken, in, sizeof taken);\n"
            lines = [head, *lines, "  in = taken;\n"]
        return "".join(lines), end

    def timed(self, timer: Timer, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines of code, between those that measure their time if the driver is profiled."""
        if self.timers is None:
            yield from lines
            return
        number = len(self.timers)
        self.timers.append(timer)
        yield f"{{ const int64 start{number} = ticks();"
        yield from lines
        yield f"count({number}, start{number}); }}"

    def block(self, block: Block, in_place: Mapping[int, int] = {}) -> str:
        """Return the name of a block's function, and print the function the first time.

        `in_place` maps results to the arguments whose memory they share; the function writes them there, if at all.
        """
        if block in self.blocks:
            return self.blocks[block]
        name = self.blocks[block] = f"block{len(self.blocks)}"
        aliasing = self.analysis.of(block, in_place)
        fed = self.fed_kernels(block, aliasing)
        self.turns.update((block.steps[index], turn) for index, turn in fed.items())
        temporaries = {index: self.working(step) for index, step in enumerate(block.steps)}
        sizes = list(self.sizes[block])
        for index in fed:  # their whole output never exists at once
            sizes[block.steps[index].outputs[0]] = 0
        frame = self.frames[block] = lay_out(block, sizes, temporaries, in_place, aliasing, fed)
        inner: list[int] = [0]
        lines = list(self.body(block, frame, in_place, inner))
        self.totals[block] = frame.size + max(inner)
        # A loop is printed in the function of the block around it, where optimising does pay.
        calls = not self.loops and not any(isinstance(step, While) for step in block.steps)
        many = len(block.steps) >= MANY_STEPS or len(lines) >= MANY_LINES
        mark = "UNOPTIMISED " if calls and many else ""
        head = f"{mark}static int {name}(const struct context *k, char **in, char **out, char *arena) {{"
        self.functions.append("\n".join([head, *(f"  {line}" for line in lines), "  return 0;", "}\n"]))
        return name

    def body(self, block: Block, frame: Frame, in_place: Mapping[int, int], inner: list[int]) -> Iterator[str]:
        aliasing = self.analysis.of(block, in_place)
        places = {n: f"in[{n}]" for n in range(block.inputs)}
        places |= {n: f"k->constants[{self.constants[block, n]}]" for n, _ in block.constants}
        places |= {n: place(offset) for n, offset in frame.offsets.items()}
        places |= {n: f"out[{i}]" for n, i in frame.direct.items()}
        yield from (f"_Alignas({ALIGNMENT}) char small{i}[{size}];" for i, size in enumerate(frame.small))
        values = sorted({*range(block.inputs), *aliasing.memory})
        yield from (f"char *v{n} = {places[aliasing.memory[n]]}; (void)v{n};" for n in values)
        yield f"char *frame = arena + {frame.size}; (void)frame;"
        for index, step in enumerate(block.steps):
            for pair in self.analysis.aliases(step):
                if pair in aliasing.copied[index]:
                    yield f"__builtin_memcpy(v{pair.result}, v{pair.operand}, {self.sizes[block][pair.result]});"
                else:
                    yield f"v{pair.result} = v{pair.operand};"
            with about(step.op):
                lines = self.step(block, frame, index, inner)
                yield from lines if isinstance(step, Kernels) else self.timed(Timer(block, step), lines)
            if self.may_take_long(step):
                yield "if (interrupted(k)) return 1;"
        for i, n in enumerate(block.outputs):
            if i not in in_place and frame.direct.get(aliasing.memory[n]) != i and self.sizes[block][n]:
                yield f"__builtin_memcpy(out[{i}], v{n}, {self.sizes[block][n]});"

    def may_take_long(self, step: Step) -> bool:
        """Whether to check for signals after a step: after a shorter one, the check would cost too much."""
        match step:
            case Kernels():
                return any(kernel.facts.work >= LEAST_WORK for kernel in self.regions[step.key].kernels)
            case Gemm(product=work) | Convolution(windows=work) | Fourier(transform=work):
                return work.flops >= LEAST_FLOPS
        return False

    def step(self, block: Block, frame: Frame, index: int, inner: list[int]) -> Iterator[str]:
        step = block.steps[index]
        self.calls += not isinstance(step, Kernels)
        match step:
            case Kernels():
                before, temporaries = block.steps[index - 1] if index else None, frame.temporaries[index]
                if isinstance(before, Convolution) and before in self.turns:
                    yield from self.launches(step, block, temporaries, before, frame.temporaries[index - 1][0])
                else:
                    yield from self.launches(step, block, temporaries)
            case While():
                yield from self.loop(step, block, frame, index, inner)
            case Case():
                yield from self.branches(step, inner)
            case Call():
                function = self.plan.functions[step.name]
                name = self.block(function, self.analysis.in_place(step))
                inner.append(self.totals[function])
                declared = arrays(self.analysis.arguments(step), step.outputs)
                yield f"{{ {declared} if ({name}(k, a, r, frame)) return 1; }}"
            case Gemm():
                yield from product(step, self.library[function_of(step)], self.products)
            case Lapack():
                name = self.procedures.setdefault(step.procedure, f"lapack{len(self.procedures)}")
                buffers = [*(f"v{n}" for n in (*step.inputs, *step.outputs)), *map(place, frame.temporaries[index])]
                yield f"{{ char *const b[] = {{{', '.join(buffers)}}}; if ({name}(k, b)) return 1; }}"
            case Convolution():
                if step not in self.turns:  # otherwise it is printed with the kernel that it feeds
                    yield self.convolution(step, frame.temporaries[index][0])
            case Fourier():
                yield from self.fourier(step, frame.temporaries[index])
            case Host():
                number = len(self.hosts)
                self.hosts.append((block, step))
                yield f"{{ {arrays(step.inputs, step.outputs)} if (k->host(k->call, {number}, a, r)) return 1; }}"

    def working(self, step: Step) -> Sequence[int]:
        """The sizes in bytes of the temporary memory that a step needs."""
        match step:
            case Kernels():
                return self.regions[step.key].temporaries
            case Convolution():
                return [self.threads_of(step) * self.windows_of(step).scratch]
            case Fourier():
                scratch = self.threads_of(step) * max((v.scratch for v in step.transform.lines), default=0)
                return [size for size in (scratch, step.transform.between) if size]
            case Lapack():
                return step.procedure.temporaries
        return ()

    def windows_of(self, step: Convolution) -> Windows:
        return replace(step.windows, turn=self.turns.get(step, 0))

    def threads_of(self, step: Convolution | Fourier) -> int:
        if isinstance(step, Convolution) and step.windows.kind == EACH:  # its work is as a kernel's, mostly reads
            return self.threads if step.windows.flops >= LEAST_WORK else 1
        flops = step.windows.flops if isinstance(step, Convolution) else step.transform.flops
        return self.threads if flops >= LEAST_FLOPS else 1

    def fourier(self, step: Fourier, places: Sequence[int]) -> Iterator[str]:
        t, (operand, *tables) = step.transform, step.inputs
        source, result = f"v{operand}", f"v{step.outputs[0]}"
        for i, (lines, number) in enumerate(zip(t.lines, tables)):
            name = self.lines.setdefault(lines, f"lines{len(self.lines)}")
            target = f"({place(places[1])})" if t.between and i + 1 < len(t.lines) else result
            buffers = ", ".join(f"(void *){at}" for at in (source, f"v{number}", target))
            function = f"((transform)k->library[{self.library[f'{t.letter}transform']}])"
            yield f"{function}(k, &{name}, {self.threads_of(step)}, {int(t.inverse)}, {buffers}, {place(places[0])});"
            source = target

    def convolution(self, step: Convolution, scratch: int, kernel: str = "0, 0, 0, 0") -> str:
        w = self.windows_of(step)
        name = self.windows.setdefault(w, f"windows{len(self.windows)}")
        buffers = ", ".join(f"(void *)v{n}" for n in (*step.inputs, *step.outputs))
        return f"convolve_{w.letter}(k, &{name}, {self.threads_of(step)}, {buffers}, {place(scratch)}, {kernel});"

    def fed_kernels(self, block: Block, aliasing: Aliasing) -> dict[int, int]:
        """Find convolutions whose output only the next step's last kernel reads, to hand it over piece by piece.

        Returns the number of rows of the product that one turn of the kernel's outermost loop reads, by the index of
        the convolution.
        """
        if self.timers is not None:  # a profile measures the two separately
            return {}
        readers = Counter(n for step in block.steps for n in step.reads)
        places = Counter(aliasing.memory.values())
        turns_of_rows = {}
        for index, (step, after) in enumerate(pairwise(block.steps)):
            if not isinstance(step, Convolution) or not isinstance(after, Kernels):
                continue
            w, result = step.windows, step.outputs[0]
            if readers[result] != 1 or places[result] != 1 or result in block.outputs or self.analysis.aliases(after):
                continue
            dense = w.kind != ACROSS and w.groups == 1 and not w.outer and w.row_step == w.features
            if not dense or w.rows < LEAST_ROWS or result not in after.inputs:
                continue
            *others, kernel = self.regions[after.key].kernels
            number = after.inputs.index(result)
            buffers, turns = kernel.buffers, kernel.shared_turns
            if any(number in k.buffers for k in others) or buffers.count(number) != 1:
                continue
            if not turns or w.rows % turns or len(buffers) > MOST_BUFFERS or w.rows // turns > MOST_TURN:
                continue
            if kernel.facts.stays_in_turn(buffers.index(number), w.rows // turns * w.features):
                turns_of_rows[index] = w.rows // turns
        return turns_of_rows

    def launches(
        self, step: Kernels, block: Block, temporaries: Sequence[int], fed: Convolution | None = None, scratch: int = 0
    ) -> Iterator[str]:
        """Yield the calls of a region's kernels; the last one runs piece by piece as the convolution `fed` proceeds."""
        region = self.regions[step.key]
        numbers = (*self.analysis.arguments(step), *step.outputs)
        buffers = [*(f"v{n}" for n in numbers), *map(place, temporaries)]
        for number, kernel in enumerate(region.kernels):
            name = self.names.setdefault(kernel, f"kernel{len(self.names)}")
            arguments = ", ".join(f"(void *)({buffers[n]})" for n in kernel.buffers)
            if fed is not None and kernel is region.kernels[-1]:
                where = kernel.buffers.index(step.inputs.index(fed.outputs[0]))
                call = self.convolution(fed, scratch, f"{name}, b, {len(kernel.buffers)}, {where}")
                line = f"{{ void *const b[] = {{{arguments}}}; {call} }}"
            elif kernel.shared_turns:
                line = f"{{ void *const b[] = {{{arguments}}}; run_parts(k, {name}, b, {kernel.shared_turns}); }}"
            else:
                line = f"{name}({arguments});"
            # In a loop, calling a small kernel would take as long as its work.
            if self.loops and kernel.is_small:
                self.inner.add(kernel)
            else:
                self.calls += 1
            yield from self.timed(Timer(block, step, number), [line])

    def loop(self, step: While, block: Block, frame: Frame, index: int, inner: list[int]) -> Iterator[str]:
        carries, in_place, sizes = range(len(step.carries)), self.analysis.in_place(step), self.sizes[block]
        self.loops += 1
        before = self.calls
        condition, body = self.block(step.condition), self.block(step.body, in_place)
        turns = 16 if self.calls > before else 1024
        self.loops -= 1
        inner += [self.totals[step.condition], self.totals[step.body]]
        places = {i: place(offset) for i, offset in frame.loops[index].carries.items()}
        # A turn reads the carries and writes the next ones elsewhere, so a carry that is not updated in place has two
        # buffers. A small carry is copied back after each turn; the buffers of a larger one swap their roles.
        copied = {i: f"v{step.outputs[i]}" for i in carries if i not in in_place and sizes[step.outputs[i]] <= SMALL}
        swapped = {i: f"v{step.outputs[i]}" for i in carries if i not in in_place and i not in copied}
        yield "{"
        for i, first in copied.items():
            yield f"  __builtin_memcpy({first}, v{step.carries[i]}, {sizes[step.outputs[i]]});"
        arguments = [copied.get(i, f"v{n}") for i, n in enumerate(self.analysis.arguments(step))]
        yield f"  char *a[] = {{{', '.join(arguments) or '0'}}};"
        written = [places[i] if i in copied else swapped.get(i, "0") for i in carries]
        yield f"  char *r[] = {{{', '.join(written) or '0'}}};"
        if swapped:
            yield f"  char *s[] = {{{', '.join(places[i] if i in swapped else '0' for i in carries)}}};"
        yield f"  char *p[] = {{{place(frame.loops[index].predicate)}}};"
        yield "  for (long turn = 1;; turn++) {"
        yield f"    if ({condition}(k, a, p, frame)) return 1;"
        yield "    if (!*p[0]) break;"
        yield f"    if ({body}(k, a, r, frame) || (turn % {turns} == 0 && interrupted(k))) return 1;"
        for i, first in copied.items():
            yield f"    __builtin_memcpy({first}, {places[i]}, {sizes[step.outputs[i]]});"
        for i in swapped:
            yield f"    a[{i}] = r[{i}]; r[{i}] = s[{i}]; s[{i}] = a[{i}];"
        yield "  }"
        for i, first in swapped.items():
            if step.outputs[i] in frame.direct:
                yield f"  if (a[{i}] != {first}) __builtin_memcpy({first}, a[{i}], {sizes[step.outputs[i]]});"
            else:
                yield f"  {first} = a[{i}];"
        yield "}"

    def branches(self, step: Case, inner: list[int]) -> Iterator[str]:
        in_place = self.analysis.in_place(step)
        names = [self.block(branch, in_place) for branch in step.branches]
        inner += [self.totals[branch] for branch in step.branches]
        yield f"{{ {arrays(self.analysis.arguments(step), step.outputs)}"
        last = len(names) - 1
        chosen = f"*v{step.index} ? 0 : 1" if chooses_by_boolean(step.op) else f"*(int *)v{step.index}"
        yield f"  int chosen = {chosen}; if (chosen < 0 || chosen > {last}) chosen = {last};"
        for i, name in enumerate(names):
            yield f"  if (chosen == {i} && {name}(k, a, r, frame)) return 1;"
        yield "}"


def place(offset: int) -> str:
    """The address of a block's memory in C: in the arena, or a variable if the offset is negative."""
    return f"arena + {offset}" if offset >= 0 else f"small{-1 - offset}"


def arrays(inputs: Sequence[int], outputs: Sequence[int]) -> str:
    """Declarations of the arrays of argument and result addresses that a block's function takes."""
    a, r = (", ".join(f"v{n}" for n in numbers) or "0" for numbers in (inputs, outputs))
    return f"char *a[] = {{{a}}}, *r[] = {{{r}}};"
