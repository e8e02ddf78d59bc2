"""A plan as C: the kernels that tinygrad renders, and a driver that calls them, with `for` and `if` for control flow.

Each block is one function over the addresses of its inputs, results and working memory. A call's working memory is one
arena: a block's frame holds what its steps leave to each other, each buffer while it is needed, and behind it lie the
frames of the blocks that it runs.
"""

from __future__ import annotations

import ast
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from math import prod

from ...ir import ScalarType, about
from ...ir.dtypes import expect_tensor
from ...plan.aliasing import AliasAnalysis, Aliasing
from ...plan.convolution import ACROSS, Windows
from ...plan.fourier import Lines
from ...plan.memory import ALIGNMENT, SMALL, Frame, arranged
from ...plan.plan import (
    Block,
    Call,
    Case,
    Convolution,
    Fourier,
    Gemm,
    Host,
    Kernels,
    Lapack,
    Plan,
    Step,
    While,
    place_of,
)
from ...rules.control import chooses_by_boolean
from ...rules.procedure import Procedure
from . import lapack
from .products import DECLARATIONS, function_of, product

PRELUDE = """
struct context {
  char *const *constants;
  int (*host)(void *call, long step, char **inputs, char **results);
  void *call;
  void *const *library;
  void (*parallel)(void (*kernel)(void *const *, long, long), void *const *buffers, long size);
  void *const *python; /* PyGILState_Ensure, PyErr_CheckSignals, PyErr_Clear, PyGILState_Release; or none */
  long *second;
};
long time(long *);

#define MAYBE_UNUSED __attribute__((unused))
/* A long function of calls, which nothing makes faster, but which compilers take long to optimise. */
#ifdef __clang__
#define UNOPTIMISED __attribute__((optnone, noinline))
#else
#define UNOPTIMISED __attribute__((optimize("O0"), noinline))
#endif

/* Whether a signal's handler wants the run to end: asked in loops and after long steps, once a second. */
MAYBE_UNUSED static int interrupted(const struct context *k) {
  const long now = time(0);
  if (!k->python || now == *k->second) return 0;
  *k->second = now;
  const int state = ((int (*)(void))k->python[0])(), stop = ((int (*)(void))k->python[1])();
  if (stop) ((void (*)(void))k->python[2])();
  ((void (*)(int))k->python[3])(state);
  return stop;
}

MAYBE_UNUSED static void run_parts(const struct context *k, void (*kernel)(void *const *, long, long),
                                   void *const *buffers, long size) {
  if (k->parallel)
    k->parallel(kernel, buffers, size);
  else
    kernel(buffers, 0, size);
}
"""
# Callers may take any byte for true that is not 0; kernels know of 1 alone.
TRUTH_VALUES = """
static char *truth_values(char *given, char *copy, long size) {
  unsigned char all = 0;
  for (long i = 0; i < size; i++) all |= (unsigned char)given[i];
  if (all <= 1) return given;
  for (long i = 0; i < size; i++) copy[i] = given[i] != 0;
  return copy;
}
"""
# Before a profiled driver: ours are systems where long has 64 bits, as clock_gettime's numbers have.
PROFILE = """
struct moment {{
  long seconds, nanoseconds;
}};
int clock_gettime(int, struct moment *);
__attribute__((visibility("default"))) long long profile_time[{count}], profile_turns[{count}];
static long long ticks(void) {{
  struct moment now;
  clock_gettime({clock}, &now);
  return now.seconds * 1000000000ll + now.nanoseconds;
}}
static void count(int timer, long long start) {{
  profile_time[timer] += ticks() - start;
  profile_turns[timer]++;
}}
"""
REGISTER = re.compile(r"^  (float|double) (\w+)\[1\];$", re.MULTILINE)


def code_of(file: str) -> str:
    return resources.files(__package__).joinpath(file).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Kernel:
    """One C function, and which of its region's buffers it takes: inputs, results, temporaries, counted through."""

    source: str
    buffers: tuple[int, ...]


@dataclass(frozen=True)
class RenderedRegion:
    """A region's kernels in order, and the sizes in bytes of its results and of what they leave to each other."""

    kernels: tuple[Kernel, ...]
    results: tuple[int, ...]
    temporaries: tuple[int, ...]

    @property
    def names(self) -> list[str]:
        """The names that the renderer gave the kernels: what they compute, and of which sizes."""
        return [match[1] for kernel in self.kernels if (match := HEAD.search(kernel.source))]

    def to_text(self) -> str:
        kernels = [[k.source, k.buffers] for k in self.kernels]
        return json.dumps([kernels, self.results, self.temporaries])

    @staticmethod
    def from_text(text: str) -> RenderedRegion:
        kernels, results, temporaries = json.loads(text)
        found = tuple(Kernel(source, tuple(buffers)) for source, buffers in kernels)
        return RenderedRegion(found, tuple(results), tuple(temporaries))


@dataclass(frozen=True, eq=False)
class Timer:
    """What a profiled driver measures: one of a region's kernels, or another step with all that it runs."""

    block: Block
    step: Step
    kernel: int | None = None


@dataclass(frozen=True)
class Source:
    """A program in C: its kernels, each a function of its own, and the driver; the bytes of its arena.

    `functions` is what stands before kernels and the driver, whether they are compiled together or apart.
    """

    kernels: tuple[str, ...]
    driver: str
    arena: int
    hosts: tuple[tuple[Block, Host], ...]
    timers: tuple[Timer, ...] = ()
    functions: str = ""


HEAD = re.compile(r"^void (\w+)\(", re.MULTILINE)


def kernel_function(source: str, name: str) -> str:
    """A rendered kernel under a name of its own."""
    named = reassociated(HEAD.sub(f"void {name}(", source, count=1).strip())
    lines = split_at_edges(named.splitlines(), keep_outer=parts_of(source) > 0)
    if sum(map(len, lines)) > max(len(named), MOST_SPLIT_TEXT):
        lines = split_at_edges(named.splitlines(), innermost=True)
    return "\n".join(lines if sum(map(len, lines)) < max(len(named), MOST_SPLIT_TEXT) else [named]) + "\n"


LOOP = re.compile(r"^( *)for \(int (\w+) = 0; \2 < (\d+); \2\+\+\) {$")
# A loop with more edges is left as it is, and so is a kernel whose text would grow beyond this.
MOST_EDGES = 3
MOST_SPLIT_TEXT = 60_000


def split_at_edges(lines: Sequence[str], keep_outer: bool = False, innermost: bool = False) -> list[str]:
    """A kernel with its loops split where a comparison of their variable with a number changes.

    Padding, concatenations and rolls are such comparisons; within a part they are known, and its loop is a plain one.
    `keep_outer` leaves the outermost loop as it is, `innermost` all loops that hold others.
    """
    result: list[str] = []
    at = 0
    while at < len(lines):
        loop = LOOP.match(lines[at])
        if loop is None:
            result.append(lines[at])
            at += 1
            continue
        indent, name, size = loop[1], loop[2], int(loop[3])
        end = lines.index(f"{indent}}}", at)
        body = lines[at + 1 : end]
        at = end + 1
        compared = re.compile(rf"\((?:(\d+)<{name}|{name}(<|!=)(\d+))\)")
        edges = set()
        for low, operator, high in compared.findall("\n".join(body)):
            edges |= {int(low) + 1} if low else {int(high)} if operator == "<" else {int(high), int(high) + 1}
        inside = sorted(edge for edge in edges if 0 < edge < size)
        if keep_outer or len(inside) > MOST_EDGES or (innermost and any(map(LOOP.match, body))):
            inside = []
        for begin, stop in pairwise([0, *inside, size]):

            def known(found: re.Match[str], begin: int = begin) -> str:
                low, operator, high = found.groups()
                holds = int(low) < begin if low else begin < int(high) if operator == "<" else begin != int(high)
                return f"{holds:d}"

            part = [compared.sub(known, line) for line in body] if inside else body
            result.append(f"{indent}for (int {name} = {begin}; {name} < {stop}; {name}++) {{")
            result += split_at_edges(part, innermost=innermost)
            result.append(f"{indent}}}")
    return result


# tinygrad's own kernels, whose outermost loop is over elements of the result; ours in rules/loops.py may carry state.
INDEPENDENT = re.compile(r"^void (E|r)_", re.MULTILINE)
OUTERMOST = re.compile(r"^  for \(int (\w+) = 0; \1 < (\d+); \1\+\+\) {$", re.MULTILINE)
# A call of a function of elementary.c, and the statements that it stands for.
CALL = re.compile(r"\b(?:cos|erf|exp|log|logistic|sin|tanh)_[f1]\(")
CALLED = 20
# Statements, all turns of the loops counted, below which a kernel is not worth waking threads for.
LEAST_WORK = 400_000
LEAST_TURNS = 8
# The same for a convolution, in operations.
LEAST_FLOPS = 2_000_000
# A kernel of less work, and of a shorter text, is printed where a loop calls it.
MOST_INNER_WORK = 20_000
MOST_INNER_TEXT = 8_000
# Steps, and lines, of a function that is not worth optimising.
MANY_STEPS = 40
MANY_LINES = 400
EMPTY: Mapping[int, int] = {}


@lru_cache
def work_of(source: str) -> int:
    """A kernel's statements, all turns of its loops counted."""
    sizes = [int(n) for n in re.findall(r"for \(int \w+ = 0; \w+ < (\d+);", source)]
    return prod(sizes) * max(1, source.count(";\n") - len(sizes) + CALLED * len(CALL.findall(source)))


@lru_cache
def parts_of(source: str) -> int:
    """The turns of a kernel's outermost loop, when threads can share them; 0 when they cannot or it is not worth it."""
    outermost = OUTERMOST.findall(source)
    top = [line for line in source.splitlines() if re.match(r"  \S", line)]
    plain = all(re.match(r"  (for |}|\w[\w ]* \w+\[\d+\];)", line) for line in top)
    if len(outermost) != 1 or not plain or not INDEPENDENT.search(source):
        return 0
    turns = int(outermost[0][1])
    work = work_of(source)
    return turns if turns >= LEAST_TURNS and work >= LEAST_WORK else 0


# Places of a convolution that a kernel may take at a time, and those of one that is worth it; the kernel's buffers.
MOST_TURN = 256
LEAST_ROWS = 512
MOST_BUFFERS = 32
INDEX = re.compile(r"^ +int (\w+) = (.*);$", re.MULTILINE)


def reads_in_turn(source: str, position: int, size: int) -> bool:
    """Whether turn i of a kernel's outermost loop reads of one of its buffers elements i·size to (i + 1)·size alone."""
    parameters = re.findall(r"(\w+)(?=[,)])", source[source.index("(") : source.index(")") + 1])
    name, outer = parameters[position], OUTERMOST.findall(source)[0][0]
    sizes = {n: int(s) for n, s in re.findall(r"for \(int (\w+) = 0; \w+ < (\d+);", source)}
    indices = dict(INDEX.findall(source))
    body = source[source.index("{") :]
    for place in re.finditer(rf"\b{name}\b", body):
        rest = body[place.end() :]
        index = linear(f"({rest[1 : closing(rest)]})", indices, sizes) if rest.startswith("+") else None
        if index is None or index.pop(outer, 0) != size:
            return False
        low = high = index.pop("", 0)
        for variable, factor in index.items():
            bound = factor * (sizes[variable] - 1)
            low, high = low + min(0, bound), high + max(0, bound)
        if low < 0 or high >= size:
            return False
    return True


def closing(text: str) -> int:
    """The place of the parenthesis that closes one opened before the text."""
    depth = 1
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth:
            return at
    return len(text)


def linear(text: str, indices: Mapping[str, str], sizes: Mapping[str, int]) -> dict[str, int] | None:
    """An index as factors of loop variables, the constant under ""; None where it is something else."""

    def value(node: ast.expr) -> dict[str, int]:
        match node:
            case ast.Constant(int(number)):
                return {"": number}
            case ast.Name(name) if name in sizes:
                return {name: 1}
            case ast.Name(name) if name in indices:
                return value(ast.parse(indices[name], mode="eval").body)
            case ast.BinOp(left, ast.Add(), right):
                a, b = value(left), value(right)
                return {n: a.get(n, 0) + b.get(n, 0) for n in {*a, *b}}
            case ast.UnaryOp(ast.USub(), operand):
                return {n: -f for n, f in value(operand).items()}
            case ast.BinOp(left, ast.Mult() | ast.LShift() as operator, right):
                a, b = value(left), value(right)
                if not b.keys() - {""}:
                    factor = b.get("", 0) if isinstance(operator, ast.Mult) else 1 << b.get("", 0)
                    return {n: f * factor for n, f in a.items()}
        raise ValueError(text)

    try:
        return value(ast.parse(text, mode="eval").body)
    except (ValueError, SyntaxError):
        return None


def in_parts(kernel: str, name: str) -> str:
    """A kernel that does some turns of its outermost loop, with its buffers in an array."""
    head = re.search(rf"^void {name}\((.*)\) {{$", kernel, re.MULTILINE)
    assert head is not None
    inner = kernel.replace(head[0], f"static void part_of_{name}({head[1]}, const int begin, const int end) {{")
    inner = OUTERMOST.sub(r"  for (int \1 = begin; \1 < end; \1++) {", inner, count=1)
    arguments = ", ".join(f"buffers[{i}]" for i in range(len(head[1].split(","))))
    return (
        f"{inner}void {name}(void *const *buffers, long begin, long end) {{\n"
        f"  part_of_{name}({arguments}, begin, end);\n}}\n"
    )


def prototype(kernel: str) -> str:
    *_, last = re.finditer(r"^void \w+\(.*\)(?= {)", kernel, re.MULTILINE)
    return last[0] + ";"


REASSOCIATE = "#ifdef __clang__\n#pragma clang fp reassociate(on)\n#endif\n"


def reassociated(source: str) -> str:
    """Let the compiler reorder the additions of a sum over a loop, and nothing else: so it can use vectors.

    Such a sum starts from -0, which changes no number it is added to.
    """
    for dtype, register in REGISTER.findall(source):
        place = rf"\*\({register}\+0\)"
        added = f"*({register}+0) = *({register}+0) + term;"
        total = rf"\1{{ {dtype} term = \2; {{\n{REASSOCIATE}\1{added} }} }}"
        pattern = rf"^( +){place} = \(\({place}\)\+(.*)\);$"
        source, count = re.subn(pattern, total, source, flags=re.MULTILINE)
        if count:
            source = re.sub(rf"^( +{place} = )(0\.0f?;)$", r"\1-\2", source, flags=re.MULTILINE)
    return source


def print_plan(
    plan: Plan,
    regions: Mapping[str, RenderedRegion],
    sizes: Mapping[Block, Sequence[int]],
    threads: int,
    profile: bool = False,
) -> Source:
    """A plan in C.

    Args:
        plan: what to print.
        regions: its regions' kernels, by key.
        sizes: for each block, the bytes of each buffer.
        threads: how many may work at the same time, for which there is memory.
        profile: whether the driver measures how long its steps take.
    """
    return Printer(plan, regions, sizes, threads, profile).printed()


def library_of(plan: Plan) -> tuple[str, ...]:
    """The functions of libraries that a plan's code calls, in the order of their addresses."""
    steps = [step for block in plan.blocks() for step in block.steps]
    names = {function_of(step) for step in steps if isinstance(step, Gemm)}
    names |= {lapack.symbol(call) for step in steps if isinstance(step, Lapack) for call in step.procedure.calls}
    return tuple(sorted(names))


class Printer:
    def __init__(
        self,
        plan: Plan,
        regions: Mapping[str, RenderedRegion],
        sizes: Mapping[Block, Sequence[int]],
        threads: int,
        profile: bool,
    ) -> None:
        self.plan, self.regions, self.sizes, self.threads = plan, regions, sizes, threads
        self.timers: list[Timer] | None = [] if profile else None
        self.names: dict[str, str] = {}  # of kernels, by their source without a name
        self.blocks: dict[Block, str] = {}
        self.frames: dict[Block, Frame] = {}
        self.totals: dict[Block, int] = {}
        self.functions: list[str] = []
        self.windows: dict[Windows, str] = {}
        self.turns: dict[Step, int] = {}  # of convolutions that run with the next step's kernel; see `joined`
        self.lines: dict[Lines, str] = {}
        self.products: dict[str, str] = {}
        self.procedures: dict[Procedure, str] = {}
        self.library = {name: number for number, name in enumerate(library_of(plan))}
        self.hosts: list[tuple[Block, Host]] = []
        self.analysis = AliasAnalysis(plan)
        self.loops = 0  # around what is printed
        self.inner: set[str] = set()  # kernels, by name, that the driver holds itself
        self.calls = 0  # of anything that may take long
        self.constants = {
            (block, n): i for i, (block, n) in enumerate((b, n) for b in plan.blocks() for n, _ in b.constants)
        }

    def printed(self) -> Source:
        entry = self.block(self.plan.main)
        kernels = []
        inner = []
        for source, name in self.names.items():
            kernel = kernel_function(source, name)
            if name in self.inner:
                inner.append(HEAD.sub(f"static void {name}(", kernel, count=1))
            else:
                kernels.append(in_parts(kernel, name) if parts_of(source) else kernel)
        prototypes = map(prototype, kernels)
        taken, arena = self.truth_values()
        run = (
            '__attribute__((visibility("default")))\n'
            "int run_plan(char **in, char **out, char *const *constants, char *arena,\n"
            "             int (*host)(void *, long, char **, char **), void *call, void *const *library,\n"
            "             void (*parallel)(void (*)(void *const *, long, long), void *const *, long),\n"
            "             void *const *python) {\n"
            "  long second = time(0);\n"
            "  struct context context = {constants, host, call, library, parallel, python, &second};\n"
            f"{taken}"
            f"  return {entry}(&context, in, out, arena);\n}}\n"
        )
        structs = [windows_struct(w, name) for w, name in self.windows.items()]
        structs += [f"static const struct product {name} = {{{numbers}}};" for numbers, name in self.products.items()]
        letters = sorted({w.letter for w in self.windows})
        code = [STRUCT, *map(convolving, letters)] if letters else []
        transforms = {s.transform.letter for b in self.plan.blocks() for s in b.steps if isinstance(s, Fourier)}
        if transforms:
            code += [LINES_STRUCT, *map(transforming, sorted(transforms))]
            structs += [lines_struct(v, name) for v, name in self.lines.items()]
        code += [lapack.procedure_text(p, name, self.library) for p, name in self.procedures.items()]
        if self.timers is not None:
            code.append(PROFILE.format(count=max(1, len(self.timers)), clock=time.CLOCK_MONOTONIC))
        if taken:
            code.append(TRUTH_VALUES)
        driver = "\n".join([PRELUDE, DECLARATIONS, *code, *structs, *prototypes, *inner, *self.functions, run])
        functions = code_of("elementary.c") if any(map(CALL.search, [*kernels, *inner])) else ""
        hosts, timers = tuple(self.hosts), tuple(self.timers or ())
        return Source(tuple(kernels), driver, arena, hosts, timers, functions)

    def truth_values(self) -> tuple[str, int]:
        """The code that takes the arguments of type i1, and the bytes of the arena with room for copies of these."""
        main, end = self.plan.main, self.totals[self.plan.main]
        lines = []
        for n in range(main.inputs):
            size = self.sizes[main][n]
            if size and expect_tensor(main.types[n]).element == ScalarType("i1"):
                lines.append(f"  taken[{n}] = truth_values(in[{n}], arena + {end}, {size});\n")
                end += -(-size // ALIGNMENT) * ALIGNMENT
        if lines:
            head = f"  char *taken[{main.inputs}];\n  __builtin_memcpy(taken, in, sizeof taken);\n"
            lines = [head, *lines, "  in = taken;\n"]
        return "".join(lines), end

    def timed(self, timer: Timer, lines: Iterable[str]) -> Iterator[str]:
        """The code of what a timer measures; without a profile, the code alone."""
        if self.timers is None:
            yield from lines
            return
        number = len(self.timers)
        self.timers.append(timer)
        yield f"{{ const long long start{number} = ticks();"
        yield from lines
        yield f"count({number}, start{number}); }}"

    def block(self, block: Block, in_place: Mapping[int, int] = EMPTY) -> str:
        """The name of a block's function, printed when it is first asked for.

        `in_place` are results that stay where an argument is; the function writes them there, if at all.
        """
        if block in self.blocks:
            return self.blocks[block]
        name = self.blocks[block] = f"block{len(self.blocks)}"
        aliasing = self.analysis.of(block, in_place)
        joined = self.joined(block, aliasing)
        self.turns.update((block.steps[index], turn) for index, turn in joined.items())
        temporaries = {index: self.working(step) for index, step in enumerate(block.steps)}
        sizes = list(self.sizes[block])
        for index in joined:  # no buffer holds all of it
            sizes[block.steps[index].outputs[0]] = 0
        frame = self.frames[block] = arranged(block, sizes, temporaries, in_place, aliasing, joined)
        inner: list[int] = [0]
        lines = list(self.body(block, frame, in_place, inner))
        self.totals[block] = frame.size + max(inner)
        # The turns of a loop are in the function of the block around it.
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
            with about(place_of(step)):
                lines = self.step(block, frame, index, inner)
                yield from lines if isinstance(step, Kernels) else self.timed(Timer(block, step), lines)
            if self.may_take_long(step):
                yield "if (interrupted(k)) return 1;"
        for i, n in enumerate(block.outputs):
            if i not in in_place and frame.direct.get(aliasing.memory[n]) != i and self.sizes[block][n]:
                yield f"__builtin_memcpy(out[{i}], v{n}, {self.sizes[block][n]});"

    def may_take_long(self, step: Step) -> bool:
        """Whether a user may want to end the run after a step: for less, asking is too dear."""
        match step:
            case Kernels():
                return any(work_of(kernel.source) >= LEAST_WORK for kernel in self.regions[step.key].kernels)
            case Gemm():
                return step.product.flops >= LEAST_FLOPS
            case Convolution():
                return step.windows.flops >= LEAST_FLOPS
            case Fourier():
                return step.transform.flops >= LEAST_FLOPS
        return False

    def step(self, block: Block, frame: Frame, index: int, inner: list[int]) -> Iterator[str]:
        step = block.steps[index]
        self.calls += not isinstance(step, Kernels)
        match step:
            case Kernels():
                before = block.steps[index - 1] if index else None
                if isinstance(before, Convolution) and before in self.turns:
                    yield from self.launches(
                        step, block, frame.temporaries[index], before, frame.temporaries[index - 1][0]
                    )
                else:
                    yield from self.launches(step, block, frame.temporaries[index])
            case While():
                yield from self.loop(step, block, frame, index, inner)
            case Case():
                yield from self.branches(step, inner)
            case Call():
                function = self.plan.functions[step.name]
                name = self.block(function, self.analysis.in_place(step))
                inner.append(self.totals[function])
                yield f"{{ {arrays(self.analysis.taken(step), step.outputs)} if ({name}(k, a, r, frame)) return 1; }}"
            case Gemm():
                yield from product(step, self.library[function_of(step)], self.products)
            case Lapack():
                name = self.procedures.setdefault(step.procedure, f"lapack{len(self.procedures)}")
                buffers = [*(f"v{n}" for n in (*step.inputs, *step.outputs)), *map(place, frame.temporaries[index])]
                yield f"{{ char *const b[] = {{{', '.join(buffers)}}}; if ({name}(k, b)) return 1; }}"
            case Convolution() if step in self.turns:
                pass  # in the kernel's turn
            case Convolution():
                yield self.convolution(step, frame.temporaries[index][0])
            case Fourier():
                yield from self.fourier(step, frame.temporaries[index])
            case Host():
                number = len(self.hosts)
                self.hosts.append((block, step))
                yield f"{{ {arrays(step.inputs, step.outputs)} if (k->host(k->call, {number}, a, r)) return 1; }}"

    def working(self, step: Step) -> Sequence[int]:
        """The bytes that a step needs for itself."""
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
        flops = step.windows.flops if isinstance(step, Convolution) else step.transform.flops
        return self.threads if flops >= LEAST_FLOPS else 1

    def fourier(self, step: Fourier, places: Sequence[int]) -> Iterator[str]:
        t, (operand, *tables) = step.transform, step.inputs
        source, result = f"v{operand}", f"v{step.outputs[0]}"
        for i, (lines, number) in enumerate(zip(t.lines, tables)):
            name = self.lines.setdefault(lines, f"lines{len(self.lines)}")
            target = f"({place(places[1])})" if t.between and i + 1 < len(t.lines) else result
            buffers = ", ".join(f"(void *){at}" for at in (source, f"v{number}", target))
            function = f"transform_{t.letter}"
            yield f"{function}(k, &{name}, {self.threads_of(step)}, {int(t.inverse)}, {buffers}, {place(places[0])});"
            source = target

    def convolution(self, step: Convolution, scratch: int, kernel: str = "0, 0, 0, 0") -> str:
        w = self.windows_of(step)
        name = self.windows.setdefault(w, f"windows{len(self.windows)}")
        buffers = ", ".join(f"(void *)v{n}" for n in (*step.inputs, *step.outputs))
        return f"convolve_{w.letter}(k, &{name}, {self.threads_of(step)}, {buffers}, {place(scratch)}, {kernel});"

    def joined(self, block: Block, aliasing: Aliasing) -> dict[int, int]:
        """Convolutions whose places are given to the next step's last kernel piece by piece, which alone reads them.

        By the convolution's index, the rows of the product that a turn of the kernel's outermost loop reads.
        """
        if self.timers is not None:  # a profile tells them apart
            return {}
        read = Counter(n for step in block.steps for n in step.reads)
        places = Counter(aliasing.memory.values())
        found = {}
        for index, (step, after) in enumerate(pairwise(block.steps)):
            if not isinstance(step, Convolution) or not isinstance(after, Kernels):
                continue
            w, result = step.windows, step.outputs[0]
            alone = (
                read[result] == 1 == places[result] and result not in block.outputs and not self.analysis.aliases(after)
            )
            dense = w.kind != ACROSS and w.groups == 1 and not w.outer and w.row_step == w.features
            if not alone or not dense or w.rows < LEAST_ROWS or result not in after.inputs:
                continue
            *others, kernel = self.regions[after.key].kernels
            number = after.inputs.index(result)
            if any(number in k.buffers for k in others) or kernel.buffers.count(number) != 1:
                continue
            turns = parts_of(kernel.source)
            if not turns or w.rows % turns or len(kernel.buffers) > MOST_BUFFERS or w.rows // turns > MOST_TURN:
                continue
            size = w.rows // turns * w.features
            if reads_in_turn(kernel.source, kernel.buffers.index(number), size):
                found[index] = w.rows // turns
        return found

    def launches(
        self,
        step: Kernels,
        block: Block,
        temporaries: Sequence[int],
        before: Convolution | None = None,
        scratch: int = 0,
    ) -> Iterator[str]:
        region = self.regions[step.key]
        numbers = (*self.analysis.taken(step), *step.outputs)
        buffers = [*(f"v{n}" for n in numbers), *map(place, temporaries)]
        for number, kernel in enumerate(region.kernels):
            name = self.names.setdefault(kernel.source, f"kernel{len(self.names)}")
            arguments = ", ".join(f"(void *)({buffers[n]})" for n in kernel.buffers)
            if before is not None and kernel is region.kernels[-1]:
                where = kernel.buffers.index(step.inputs.index(before.outputs[0]))
                call = self.convolution(before, scratch, f"{name}, b, {len(kernel.buffers)}, {where}")
                line = f"{{ void *const b[] = {{{arguments}}}; {call} }}"
            elif parts := parts_of(kernel.source):
                line = f"{{ void *const b[] = {{{arguments}}}; run_parts(k, {name}, b, {parts}); }}"
            else:
                line = f"{name}({arguments});"
            # In a loop, a small kernel's call would take as long as its work.
            if self.loops and work_of(kernel.source) < MOST_INNER_WORK and len(kernel.source) < MOST_INNER_TEXT:
                self.inner.add(name)
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
        # A turn reads the carries where they are and writes the next ones elsewhere: two buffers for each that changes
        # and is not updated in place. Small ones are copied back, larger ones change their roles.
        copied = {i: f"v{step.outputs[i]}" for i in carries if i not in in_place and sizes[step.outputs[i]] <= SMALL}
        swapped = {i: f"v{step.outputs[i]}" for i in carries if i not in in_place and i not in copied}
        yield "{"
        for i, first in copied.items():
            yield f"  __builtin_memcpy({first}, v{step.carries[i]}, {sizes[step.outputs[i]]});"
        taken = [copied.get(i, f"v{n}") for i, n in enumerate(self.analysis.taken(step))]
        yield f"  char *a[] = {{{', '.join(taken) or '0'}}};"
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
        yield f"{{ {arrays(self.analysis.taken(step), step.outputs)}"
        last = len(names) - 1
        if chooses_by_boolean(step.op):
            chosen = f"*v{step.index} ? 0 : 1"
        else:
            chosen = f"*(int *)v{step.index}"
        yield f"  int chosen = {chosen}; if (chosen < 0 || chosen > {last}) chosen = {last};"
        for i, name in enumerate(names):
            yield f"  if (chosen == {i} && {name}(k, a, r, frame)) return 1;"
        yield "}"


# The parts of convolution.c: the struct; a product, printed for each number of vectors; and the functions, which are
# printed for each type that is needed.
STRUCT, _PRODUCT, _FUNCTIONS = re.split(r"/\* (?:product|functions) \*/", code_of("convolution.c"))
_NAMES = re.compile(r"\b(FILL|PRODUCT\d?|MULTIPLY|POINTERS|PACK|PIECE|WORK|CONVOLVE|JOB|PANEL|VECTOR|COUNT|T)\b")


def convolving(letter: str) -> str:
    number = {"s": "float", "d": "double"}[letter]
    vector = f"typedef {number} VECTOR __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias));\n"
    products = [re.sub(r"\bPRODUCT\b", f"PRODUCT{n}", _PRODUCT).replace("COUNT", str(n)) for n in (1, 2, 3, 4)]

    def named(found: re.Match[str]) -> str:
        return number if found[0] == "T" else f"{found[0].lower()}_{letter}"

    return _NAMES.sub(named, "".join([vector, *products, _FUNCTIONS]))


def windows_struct(w: Windows, name: str) -> str:
    columns = zip(
        *[(d.places, d.window, d.stride, d.dilation, d.padding, d.base, d.size, d.step) for d in w.dimensions]
    )
    outer = [w.dimensions[d].out for d in w.outer]
    numbers = [w.groups, w.group_input, w.group_kernel, w.group_output, w.rows, w.depth, w.features, w.row_step]
    numbers += [w.depth_step, w.kernel_feature_step, w.feature_step, w.kind, w.run]
    numbers += [w.part_rows, w.part_features, w.part_depth, w.scratch, w.turn, w.held]
    lists = [braced(c) for c in (*columns, w.place_order, w.window_order)]
    fields = [len(w.dimensions), *lists, len(w.outer), braced(w.outer), braced(outer), *numbers]
    return f"static const struct convolution {name} = {{{', '.join(map(str, fields))}}};"


# The same for fourier.c, of which the passes are printed for vectors and for single numbers.
LINES_STRUCT, _PLANES, _PASSES, _LINES = re.split(
    r"/\* (?:functions|passes|lines) \*/\n",
    resources.files(__package__).joinpath("fourier.c").read_text(encoding="utf-8"),
)
_PASS_NAMES = re.compile(r"\b(TWO|THREE|FOUR|ODD|PASS)\b")
_LINES_NAMES = re.compile(
    r"\b(PLANES|VECTOR|(?:TWO|THREE|FOUR|ODD|PASS)[1V]|PASSES|EXCHANGED|TIMES|ADJACENT|LOAD|STORE|LINES|SHARE|SOME|TRANSFORM|T)\b"
)


def transforming(letter: str) -> str:
    number = {"s": "float", "d": "double"}[letter]
    passes = []
    for mark, kind, width in (("V", "VECTOR", "(LINE_BYTES / (long)sizeof(T))"), ("1", "T", "1")):
        text = _PASS_NAMES.sub(rf"\g<1>{mark}", _PASSES)
        passes += [f"#define V {kind}\n#define W {width}\n", text, "#undef V\n#undef W\n"]
    return _LINES_NAMES.sub(
        lambda found: number if found[0] == "T" else f"{found[0].lower()}_{letter}", "".join([_PLANES, *passes, _LINES])
    )


def lines_struct(v: Lines, name: str) -> str:
    numbers = [v.length, v.size, v.count, v.inner, v.before, v.after, v.source, v.target, v.lanes, v.scratch]
    fields = [*map(str, numbers), str(len(v.factors)), braced(v.factors)]
    return f"static const struct lines {name} = {{{', '.join(fields)}}};"


def place(offset: int) -> str:
    """Memory of a block: in the arena, or a variable."""
    return f"arena + {offset}" if offset >= 0 else f"small{-1 - offset}"


def braced(numbers: Sequence[int]) -> str:
    return "{" + (", ".join(map(str, numbers)) or "0") + "}"


def arrays(inputs: Sequence[int], outputs: Sequence[int]) -> str:
    a, r = (", ".join(f"v{n}" for n in numbers) or "0" for numbers in (inputs, outputs))
    return f"char *a[] = {{{a}}}, *r[] = {{{r}}};"
