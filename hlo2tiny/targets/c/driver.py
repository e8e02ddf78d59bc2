"""A plan as C: the kernels that tinygrad renders, and a driver that calls them, with `for` and `if` for control flow.

Each block is one function of the addresses of its inputs, its results and its working memory. All working memory of a
call is one arena: a block's frame holds the buffers that its steps pass to each other, each for as long as it is
needed, followed by the frames of the blocks that it runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import pairwise

from ...ir import ScalarType, Type, about
from ...ir.dtypes import byte_size, expect_tensor
from ...ir.place import Place
from ...ir.sizes import is_open, largest, typical, upper_bound
from ...plan.aliasing import Aliasing
from ...plan.commands import Branch, Command, CommandList, Copy, Exchange, HostCall, Invoke, Launch, Library, Loop
from ...plan.convolution import ACROSS, EACH
from ...plan.lower import Choice, Chooser, PlanLowering
from ...plan.memory import ALIGNMENT, SMALL
from ...plan.plan import (
    Attending,
    Attention,
    AttentionGradients,
    Block,
    Convolution,
    Fourier,
    Gemm,
    Host,
    Kernels,
    Lapack,
    Plan,
    Step,
    work_of,
)
from ...rules.control import chooses_by_boolean
from ...templates import fill
from . import exchange, lapack, templates
from .chains import chain_text, chains_of, rows_together
from .convolution import Pieces
from .iterations import Apart
from .kernels import LEAST_APART, LEAST_WORK, MOST_BUFFERS, MOST_ITERATION, CFunction, RenderedKernel, RenderedRegion
from .packing import Packing
from .products import (
    PIECE_ROWS,
    attention,
    attention_fields,
    attention_scratch,
    consumer,
    function_of,
    gradients,
    gradients_fields,
    gradients_scratch,
    packings,
    parts_of,
    product,
    rows_consumed,
)
from .source import LEAST_FLOPS, CSource, Driver, Timer, called_functions, entry_name, library_of, may_share

# A convolution that is a product and has fewer rows is not passed to the next kernel piece by piece: unlike rows, parts
# of its features can be computed separately.
LEAST_ROWS = 512
# A function that consists only of calls is not worth optimising from this many steps or lines on.
MANY_STEPS = 40
MANY_LINES = 400
# Threads share a copy of at least this many bytes.
LEAST_SHARED = 1 << 20


class Printer(Chooser):
    """Prints a plan in C.

    Args:
        plan: the plan.
        regions: the kernels of its regions, by key.
        names: the names of the kernels' functions.
        threads: the most threads that may work at the same time; the arena has scratch memory for each.
        profile: whether the driver measures how long its steps take.
        widths: the width of packed panels for a library function and a number of columns; None: nothing is packed.
        handlers: the custom calls that compiled handlers carry out.
        driver: the driver that the plan shares with others; None: it has its own.
        constants: the numbers of its constants there.
    """

    def __init__(
        self,
        plan: Plan,
        regions: Mapping[str, RenderedRegion],
        names: Mapping[RenderedKernel, str],
        threads: int,
        profile: bool = False,
        widths: Callable[[str, int], int] | None = None,
        handlers: Container[str] = (),
        driver: Driver | None = None,
        constants: Sequence[int] = (),
    ) -> None:
        self.plan, self.regions, self.names, self.threads = plan, regions, names, threads
        self.driver = Driver(library_of(plan), plan.processes) if driver is None else driver
        self.constants = constants
        self.packings: dict[int, Packing] = {}
        self.packed_constants: dict[tuple[Block, int], Packing] = {}
        if widths is not None:
            kept = (*plan.main.outputs, *plan.donated.values())
            self.packings = packings(plan.main, range(plan.main.inputs), kept, widths)
            for block in plan.blocks():
                found = packings(block, [n for n, _ in block.constants], block.outputs, widths)
                self.packed_constants |= {(block, n): packing for n, packing in found.items()}
        self.is_open = plan.is_open
        self.driver.is_open |= self.is_open
        self.timers: list[Timer] | None = [] if profile else None
        self.lists: dict[CommandList, str] = {}
        self.given: dict[Place, None] = {}  # what the function being printed uses of what it is given
        self.iterations: dict[Step, int] = {}  # for convolutions that feed the next step's kernel; see `find_producers`
        self.parts: dict[Step, int] = {}  # of a row that a product passes to an iteration
        self.hosts: list[tuple[Block, Host]] = []
        self.handlers = handlers
        self.lowering = PlanLowering(plan, self)
        self.loops = 0  # the depth of loops around the current position
        self.calls = 0  # printed calls of kernels and other steps that may take long

    def print(self) -> CSource:
        arena = self.print_entry()
        timers = None if self.timers is None else len(self.timers)
        return self.source(arena, *self.driver.text(self.names, self.threads, timers))

    def print_entry(self) -> int:
        """Print the function that runs the plan, which is called `entry_name`; return the size of the arena."""
        commands = self.lowering.lower()
        entry = self.function(commands)
        prepared, arena = self.prepare_arguments(self.lowering.in_place, commands.total)
        name = entry_name(number := len(self.driver.entries))
        linkage = "static" if number else "EXPORTED"  # several are called through a table
        parts = {"LINKAGE": linkage, "NAME": name, "PREPARE": prepared, "MAIN": entry}
        opens = self.driver.is_open
        parts |= {"SIZES": ", const int64 *sizes" * opens, "FIELD": ", sizes" * opens}
        self.driver.entries.append(fill(templates.ENTRY, parts))
        return arena

    def source(self, arena: int, kernels: Mapping[RenderedKernel, CFunction], driver: str) -> CSource:
        """The plan's source, given the size of its arena and the text of the whole driver."""
        exchanges, timers = self.driver.exchanges, tuple(self.timers or ())
        collectives, meetings = tuple(exchanges.steps), len(exchanges.meetings)
        packed = self.packings, self.packed_constants
        facts = called_functions(self.names), self.lowering.in_place, *packed, collectives, meetings
        reorders = any(kernel.reorders for kernel in self.driver.inner)
        calls, kinds = tuple(self.driver.calls_of_handlers), (self.driver.is_open, reorders, self.driver.shares_copies)
        return CSource(kernels, driver, arena, tuple(self.hosts), timers, *facts, calls, *kinds)

    def prepare_arguments(self, in_place: Mapping[int, int], end: int) -> tuple[str, int]:
        """The code that prepares the arguments, and the size of the arena, whose end is for copies of them.

        An argument in whose memory a result is computed is copied to the result unless that is the same memory.
        Arguments of type i1 become 0 or 1.
        """
        types, lines = self.plan.inputs, []
        sizes = [*map(byte_size, types)]
        for result, n in in_place.items():
            if size := sizes[n]:
                copied = self.copying(f"out[{result}]", f"in[{n}]", types[n], "&context")
                lines.append(f"  if (out[{result}] != in[{n}]) {copied}\n")
                lines.append(f"  taken[{n}] = out[{result}];\n")
        for n, (type, size) in enumerate(zip(types, sizes)):
            if size and type.element == ScalarType("i1"):
                changed = n in in_place.values()
                self.driver.has_bools = True
                copy = f"taken[{n}]" if changed else f"arena + {end}"
                lines.append(f"  taken[{n}] = truth_values(taken[{n}], {copy}, {size});\n")
                end += 0 if changed else -(-size // ALIGNMENT) * ALIGNMENT
        if lines:
            head = f"  char *taken[{len(types) + len(self.packings)}];\n  __builtin_memcpy(taken, in, sizeof taken);\n"
            lines = [head, *lines, "  in = taken;\n"]
        return "".join(lines), end

    def time_lines(self, timer: Timer, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines of code, between those that measure their time if the driver is profiled."""
        if self.timers is None:
            yield from lines
            return
        number = len(self.timers)
        self.timers.append(timer)
        yield f"{{ const int64 start{number} = nanoseconds();"
        yield from lines
        yield f"count({number}, start{number}); }}"

    def function(self, commands: CommandList) -> str:
        """Return the name of a command list's function, and print the function the first time."""
        if commands in self.lists:
            return self.lists[commands]
        around, self.given = self.given, {}
        body = [line for command in commands.commands for line in self.command(command, commands)]
        given = [f"char *const {name_of(place)} = {GIVEN[place.kind]}[{place.number}];" for place in self.given]
        self.given = around
        local = [f"_Alignas({ALIGNMENT}) char small{i}[{size}];" for i, size in enumerate(commands.frame.small)]
        if self.is_open:
            given.append(templates.SIZES)
        lines = [*local, *given, f"char *frame = arena + {commands.size}; (void)frame;", *body]
        # A loop is printed in the function of the block around it, where optimising does pay.
        calls = not self.loops and not any(isinstance(command, Loop) for command in commands.commands)
        many = len(commands.block.steps) >= MANY_STEPS or len(lines) >= MANY_LINES
        mark = "UNOPTIMISED " if calls and many else "" if self.loops else "RUN_ONCE "
        head = f"{mark}static int @(const struct context *k, char **in, char **out, char *arena) {{"
        text = "\n".join([head, *(f"  {line}" for line in lines), "  return 0;", "}\n"])
        functions = self.driver.functions
        name = self.lists[commands] = functions.setdefault(text, f"block{len(functions)}")
        return name

    def address(self, place: Place) -> str:
        """The address of a place in the function that is being printed."""
        match place.kind:
            case "arena":
                return f"(arena + {place.number})"
            case "local" | "carried":
                return name_of(place)
            case "constant" if self.constants:
                place = Place("constant", self.constants[place.number])
        self.given.setdefault(place)
        return name_of(place)

    def addresses(self, places: Iterable[Place]) -> list[str]:
        return [*map(self.address, places)]

    def values(self, command: Library) -> dict[int, str]:
        """The addresses of the values that a step reads and writes, by number."""
        return dict(zip((*command.step.inputs, *command.step.outputs), self.addresses(command.places)))

    def command(self, command: Command, commands: CommandList) -> Iterator[str]:
        """The lines of a command."""
        block = commands.block
        if isinstance(command, Copy):
            yield self.copying(self.address(command.target), self.address(command.source), command.type)
            return
        if isinstance(command, Launch):
            self.calls += command.producer is not None
            yield from self.launches(command, block)
        else:
            self.calls += 1
            if isinstance(command, Loop):
                yield from (f"char *carried{c.value};" for c in command.carries if not c.settled)
            with about(command.step.op) if isinstance(command, Library) else nullcontext():
                lines = [*self.lines_of(command, commands)]
            yield from self.time_lines(Timer(block, command.step), lines)
        steps = [command.step, *([command.producer.step] if isinstance(command, Launch) and command.producer else [])]
        if any(map(self.may_take_long, steps)):
            yield "if (interrupted(k)) return 1;"

    def copying(self, target: str, source: str, type: Type, context: str = "k") -> str:
        """A statement that copies a buffer. A single float is copied as a float: compilers would use an integer."""
        size = byte_size(type)
        for name, element, bytes in (("float", ScalarType("f32"), 4), ("double", ScalarType("f64"), 8)):
            if size == bytes and expect_tensor(type).element == element:
                return f"*({name} *)({target}) = *({name} *)({source});"
        if typical(size) >= LEAST_SHARED:
            self.driver.shares_copies = True
            return f"share_copy({context}, {target}, {source}, {size});"
        return f"__builtin_memcpy({target}, {source}, {size});"

    def lines_of(self, command: Command, commands: CommandList) -> Iterator[str]:
        block = commands.block
        match command:
            case Loop():
                yield from self.loop(command)
            case Branch():
                yield from self.branches(command)
            case Invoke():
                declared = arrays(self.addresses(command.arguments), self.addresses(command.results))
                yield f"{{ {declared} if ({self.function(command.callee)}(k, a, r, frame)) return 1; }}"
            case Exchange():
                addresses = self.addresses((*command.inputs, *command.outputs))
                number = self.driver.library[exchange.function_of(command.step)]
                yield self.driver.exchanges.call(command.step, number, addresses, command.sizes[-1])
            case HostCall(step=Host() as step):
                calls, function, end = self.hosts, "k->host", ""
                if step.name[1:] in self.handlers:
                    calls, end = self.driver.calls_of_handlers, ", 0"
                    function = f"((call_handler)k->library[{len(self.driver.library)}])"
                declared = arrays(self.addresses(command.inputs), self.addresses(command.outputs))
                calls.append((block, step))
                yield f"{{ {declared} if ({function}(k->call, {len(calls) - 1}, a, r{end})) return 1; }}"
            case Library(step=Gemm()):
                yield from self.product(command, block)
            case Library(step=Convolution()):
                yield self.convolution(command, block)
            case Library(step=Lapack() as step):
                name = self.driver.procedures.setdefault(step.procedure, f"lapack{len(self.driver.procedures)}")
                buffers = ", ".join(self.addresses(command.places))
                yield f"{{ char *const b[] = {{{buffers}}}; if ({name}(k, b)) return 1; }}"
            case Library(step=Attention() as step):
                if is_open(step.heads.flops):
                    name = f"(const struct attention){{{attention_fields(step.heads, step.statistics)}}}"
                else:
                    key = step.heads, step.statistics
                    name = self.driver.heads.setdefault(key, f"heads{len(self.driver.heads)}")
                number, threads = self.driver.library["sattention"], self.threads_of(step)
                yield attention(step, self.values(command), name, number, threads, self.address(command.scratch[0]))
            case Library(step=AttentionGradients() as step):
                number, threads, outputs = self.driver.library["sgradients"], self.threads_of(step), iter(step.outputs)
                scratch, values = self.address(command.scratch[0]), self.values(command)
                for part in parts_of(step.gradients):
                    if is_open(step.heads.flops):
                        name = f"(const struct gradients){{{gradients_fields(part)}}}"
                    else:
                        name = self.driver.gradients.setdefault(part, f"gradients{len(self.driver.gradients)}")
                    yield gradients(part, step.inputs, outputs, values, name, number, threads, scratch)
            case Library(step=Fourier()):
                yield from self.fourier(command)

    # ---------------------------------------------------------------- what lowering asks

    local_size = SMALL

    def choose(self, step: Step) -> Choice:
        match step:
            case Kernels():
                return Choice(step, self.regions[step.key].temporaries)
            case Convolution():
                return Choice("library", [self.threads_of(step) * self.pieces_of(step).scratch])
            case Gemm() if step in self.iterations:
                _, size = consumer(step, self.iterations[step], self.threads)
                return Choice("library", [self.threads_of(step) * size])
            case Attention():
                return Choice("library", [self.threads_of(step) * attention_scratch(step.heads)])
            case AttentionGradients():
                scratch = upper_bound(map(gradients_scratch, parts_of(step.gradients)))
                return Choice("library", [self.threads_of(step) * scratch])
            case Fourier():
                scratch = self.threads_of(step) * max((v.scratch for v in step.transform.lines), default=0)
                return Choice("library", [size for size in (scratch, step.transform.between) if size])
            case Lapack():
                return Choice("library", lapack.temporary_sizes(step.procedure, self.threads))
            case Host():
                return Choice("host")
        return Choice("library")

    def may_take_long(self, step: Step) -> bool:
        """Whether to check for signals after a step: after a shorter one, the check would cost too much."""
        match step:
            case Kernels():
                return any(kernel.facts.work >= LEAST_WORK for kernel in self.regions[step.key].kernels)
            case Gemm() | Convolution() | Attention() | AttentionGradients() | Fourier():
                return typical(work_of(step).flops) >= LEAST_FLOPS
        return False

    def pieces_of(self, step: Convolution, width: int = 0) -> Pieces:
        return Pieces(step.windows, self.iterations.get(step, 0), width)

    def threads_of(self, step: Gemm | Convolution | Attending | Fourier) -> int:
        worthwhile = typical(work_of(step).flops) >= LEAST_FLOPS if isinstance(step, Gemm) else may_share(step)
        return self.threads if worthwhile else 1

    def fourier(self, command: Library) -> Iterator[str]:
        step = command.step
        assert isinstance(step, Fourier)
        t, v, (operand, *tables) = step.transform, self.values(command), step.inputs
        scratch = self.addresses(command.scratch)
        source, result = v[operand], v[step.outputs[0]]
        for i, (lines, number) in enumerate(zip(t.lines, tables)):
            name = f"(const struct lines){{{templates.lines_fields(lines)}}}"
            if not is_open(lines.count):
                name = self.driver.lines.setdefault(lines, f"lines{len(self.driver.lines)}")
            target = scratch[1] if t.between and i + 1 < len(t.lines) else result
            buffers = ", ".join(f"(void *){at}" for at in (source, v[number], target))
            function = f"((transform)k->library[{self.driver.library[f'{t.letter}transform']}])"
            yield f"{function}(k, &{name}, {self.threads_of(step)}, {int(t.inverse)}, {buffers}, {scratch[0]});"
            source = target

    def convolution(self, command: Library, block: Block, kernel: str = "0, 0, 0, 0") -> str:
        step, v = command.step, self.values(command)
        assert isinstance(step, Convolution)
        packed = self.find_packing(step, block, v)
        what, right = f"&{self.windows_name(self.pieces_of(step))}", v[step.inputs[1]]
        if packed is not None:
            at, packing = packed
            what = f"{at} ? &{self.windows_name(self.pieces_of(step, packing.width))} : {what}"
            right = f"{at} ? {at} : {right}"
        function = f"((convolve)k->library[{self.driver.library[f'{step.windows.letter}convolve']}])"
        buffers = f"{v[step.inputs[0]]}, {right}, {v[step.outputs[0]]}"
        scratch = self.address(command.scratch[0])
        return f"{function}(k, {what}, {self.threads_of(step)}, {buffers}, {scratch}, {kernel});"

    def windows_name(self, pieces: Pieces) -> str:
        if is_open(pieces.windows.flops):  # known where the convolution runs
            return f"(const struct convolution){{{templates.windows_fields(pieces)}}}"
        return self.driver.windows.setdefault(pieces, f"windows{len(self.driver.windows)}")

    def product(self, command: Library, block: Block, kernel: str = "0") -> Iterator[str]:
        step, v = command.step, self.values(command)
        assert isinstance(step, Gemm)
        number, packed = self.driver.library[function_of(step)], self.find_packing(step, block, v)
        return product(step, v, number, self.driver.products, packed, kernel)

    def find_packing(self, step: Gemm | Convolution, block: Block, v: Mapping[int, str]) -> tuple[str, Packing] | None:
        """The index of the address of the step's packed matrix, and how it is packed; None if it cannot be."""
        number = step.inputs[1]
        if (block, number) in self.packed_constants:
            return v[number], self.packed_constants[block, number]
        if block is not self.plan.main or number not in self.packings:
            return None
        return f"in[{block.inputs + list(self.packings).index(number)}]", self.packings[number]

    def find_producers(self, block: Block, aliasing: Aliasing) -> Container[int]:
        """Find products and convolutions whose output only one kernel of the next step reads, piece by piece.

        The number of rows that one iteration of the kernel's outermost loop reads is kept for each of these steps.
        """
        if self.timers is not None:  # a profile measures the two separately
            return ()
        readers = Counter(n for step in block.steps for n in step.reads)
        places = Counter(aliasing.memory.values())
        found = set()
        for index, (step, after) in enumerate(pairwise(block.steps)):
            if not isinstance(step, Gemm | Convolution) or not isinstance(after, Kernels):
                continue
            result, (rows, features) = step.outputs[0], rows_of(step)
            if readers[result] != 1 or places[result] != 1 or result in block.outputs or after.updates:
                continue
            if typical(rows) < self.least_rows(step) or result not in after.inputs:
                continue
            number = after.inputs.index(result)
            reading = [kernel for kernel in self.regions[after.key].kernels if number in kernel.buffers]
            if len(reading) != 1 or reading[0].buffers.count(number) != 1:
                continue
            (kernel,) = reading
            buffers, portion, parts = kernel.buffers, kernel.portion_of(rows), 1
            if not portion and isinstance(step, Gemm):
                portion, parts = 1, kernel.parts_of_row(rows)
            if not portion or not parts or len(buffers) + kernel.is_open > MOST_BUFFERS or portion > MOST_ITERATION:
                continue
            if features % parts == 0 and kernel.own_elements(buffers.index(number)) == portion * features // parts:
                self.iterations[step], self.parts[step] = portion, parts
                found.add(index)
        return found

    def least_rows(self, step: Gemm | Convolution) -> int:
        """How many rows it takes for passing them piece by piece to the next kernel to keep all threads busy."""
        if isinstance(step, Gemm):
            return max(2, self.threads) * PIECE_ROWS
        return 1 if step.windows.kind == EACH else LEAST_ROWS

    def launches(self, command: Launch, block: Block) -> Iterator[str]:
        """Yield the calls of a region's kernels; the one that reads what a producer computes runs as that proceeds."""
        step, region, producer = command.step, self.regions[command.region.key], command.producer
        buffers = self.addresses(command.places)
        result = command.region.inputs.index(producer.step.outputs[0]) if producer is not None else -1
        apart = self.timers is not None or producer is not None
        chains = [*zip(region.kernels)] if apart else chains_of(region.kernels, command.places, command.sizes)
        for number, (kernel, *others) in enumerate(chains):
            name = self.chain_name([kernel, *others], command) if others else self.names[kernel]
            given = [f"(void *)({buffers[n]})" for each in (kernel, *others) for n in each.buffers]
            given += ["(void *)sizes"] * kernel.is_open
            arguments = ", ".join(given)
            if producer is not None and result in kernel.buffers:
                what = f"{name}, b, {len(given)}, {kernel.buffers.index(result)}"
                if isinstance(producer.step, Gemm):
                    iteration, threads = self.iterations[producer.step], self.threads_of(producer.step)
                    rows, size = consumer(producer.step, iteration, self.threads)
                    rest = f"{self.parts[producer.step]}, {self.address(producer.scratch[0])}, {size}, {threads}"
                    fields = f"{what}, {rows}, {iteration}, {rest}"
                    (call,) = self.product(producer, block, "&consumer")
                    call = f"const struct consumer consumer = {{{fields}}}; {call}"
                else:
                    call = self.convolution(producer, block, what)
                line = f"{{ void *const b[] = {{{arguments}}}; {call} }}"
            elif kernel.shared_iterations:
                run = "run_parts" if sum(each.facts.work for each in (kernel, *others)) >= LEAST_APART else "run_alone"
                line = f"{{ void *const b[] = {{{arguments}}}; {run}(k, {name}, b, {kernel.shared_iterations}); }}"
            elif iterations := kernel.open_iterations:
                run = f"if ({iterations} >= {kernel.least_shared}) run_parts(k, {name}, b, {iterations})"
                line = f"{{ void *const b[] = {{{arguments}}}; {run}; else {name}(b, 0, {iterations}); }}"
            else:
                line = f"{name}({arguments});"
            # In a loop, calling a small kernel would take as long as its work.
            if self.loops and kernel.is_small:
                self.driver.inner.add(kernel)
            else:
                self.calls += 1
            yield from self.time_lines(Timer(block, step, number), [line])

    def chain_name(self, chain: Sequence[RenderedKernel], command: Launch) -> str:
        """The function that runs a chain."""
        rows = rows_together(chain, command.places, command.sizes)
        text = chain_text([self.names[kernel] for kernel in chain], [len(kernel.buffers) for kernel in chain], rows)
        return self.driver.functions.setdefault(text, f"rows{len(self.driver.functions)}")

    def loop(self, command: Loop) -> Iterator[str]:
        carries = range(len(command.step.carries))
        self.loops += 1
        before = self.calls
        condition, body = self.function(command.condition), self.function(command.body)
        iterations = 16 if self.calls > before else 1024
        self.loops -= 1
        # An iteration reads the carries and writes the next ones elsewhere, so a carry that is not updated in place has
        # two buffers. A small carry is copied back after each iteration; the buffers of a larger one swap their roles.
        first = {c.number: self.address(c.first) for c in command.carries}
        second = {c.number: self.address(c.second) for c in command.carries}
        copied = {c.number: c for c in command.carries if largest(c.size) <= SMALL}
        swapped = {c.number: c for c in command.carries if c.number not in copied}
        arguments = self.addresses(command.arguments)
        yield "{"
        for i, c in copied.items():
            yield f"  {self.copying(first[i], arguments[i], c.type)}"
            arguments[i] = first[i]
        written = [second[i] if i in copied else first.get(i, "0") for i in carries]
        others = [second[i] if i in swapped else "0" for i in carries]
        alone = self.timers is not None or self.is_open
        apart = None if alone else Apart(command, self.regions, self.lowering.analysis)
        if apart is not None and apart.parts:
            self.driver.apart = True
            small = [str(copied[i].size if i in copied else 0) for i in carries]
            for name, values in (("a", arguments), ("r", written), ("s", others)):
                yield f"  char *{name}[CARRIES] = {{{', '.join(values)}}};"
            yield f"  const char small[CARRIES] = {{{', '.join(small)}}};"
            yield f"  struct iterations iterations = {{{condition}, {body}, a, r, s, frame, {apart.most}, 0, small}};"
            yield f"  if (run_iterations(k, &iterations, {apart.parts})) return 1;"
        else:
            yield f"  char *a[] = {{{', '.join(arguments) or '0'}}};"
            yield f"  char *r[] = {{{', '.join(written) or '0'}}};"
            if swapped:
                yield f"  char *s[] = {{{', '.join(others)}}};"
            yield f"  char *p[] = {{{self.address(command.predicate)}}};"
            yield "  for (long iteration = 1;; iteration++) {"
            yield f"    if ({condition}(k, a, p, frame)) return 1;"
            yield "    if (!*p[0]) break;"
            yield f"    if ({body}(k, a, r, frame) || (iteration % {iterations} == 0 && interrupted(k))) return 1;"
            for i, c in copied.items():
                yield f"    {self.copying(first[i], second[i], c.type)}"
            for i in swapped:
                yield f"    a[{i}] = r[{i}]; r[{i}] = s[{i}]; s[{i}] = a[{i}];"
            yield "  }"
        for i, c in {**copied, **swapped}.items():
            last = f"a[{i}]" if i in swapped else first[i]
            if not c.settled:
                yield f"  carried{c.value} = {last}; (void)carried{c.value};"
            elif i in swapped:
                yield f"  if (a[{i}] != {first[i]}) __builtin_memcpy({first[i]}, a[{i}], {c.size});"
        yield "}"

    def branches(self, command: Branch) -> Iterator[str]:
        names = [*map(self.function, command.branches)]
        yield f"{{ {arrays(self.addresses(command.arguments), self.addresses(command.results))}"
        last, index = len(names) - 1, self.address(command.index)
        chosen = f"*{index} ? 0 : 1" if chooses_by_boolean(command.step.op) else f"*(int *){index}"
        yield f"  int chosen = {chosen}; if (chosen < 0 || chosen > {last}) chosen = {last};"
        for i, name in enumerate(names):
            yield f"  if (chosen == {i} && {name}(k, a, r, frame)) return 1;"
        yield "}"


def rows_of(step: Gemm | Convolution) -> tuple[int, int]:
    """The rows of a step's output, one after the other, and the features of each; 0 rows if it has none."""
    if isinstance(step, Gemm):
        return rows_consumed(step.product), step.product.n
    w = step.windows
    dense = w.kind != ACROSS and w.groups == 1 and not w.outer and w.row_step == w.features
    return (w.rows, w.features) if dense else (0, 0)


# The arrays that a list's function is given, by the kind of place.
GIVEN = {"argument": "in", "result": "out", "constant": "k->constants"}


def name_of(place: Place) -> str:
    """The C variable that holds the address of a place."""
    return f"{'small' if place.kind == 'local' else place.kind}{place.number}"


def arrays(inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """Declarations of the arrays of argument and result addresses that a list's function takes."""
    return f"char *a[] = {{{', '.join(inputs) or '0'}}}, *r[] = {{{', '.join(outputs) or '0'}}};"
