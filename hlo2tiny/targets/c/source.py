"""The text of a program in C: its kernels, what these and the drivers of its plans call, and the facts to run it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from ...ir.sizes import typical
from ...plan.convolution import EACH
from ...plan.fourier import Lines
from ...plan.heads import Gradients, Heads, Strides
from ...plan.memory import SMALL
from ...plan.plan import (
    Attention,
    AttentionGradients,
    Block,
    Call,
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
    inner_blocks,
    work_of,
)
from ...records import dataclass
from ...rules.procedure import Procedure
from ..elementary import elementary_text
from . import exchange, lapack, templates
from .convolution import Pieces
from .doubles import FORMULAS, function_text
from .iterations import MOST_CARRIES
from .kernels import LEAST_WORK, CFunction, RenderedKernel
from .packing import Packing
from .products import MARKS, attention_fields, function_of, gradients_fields

# With this many operations, a product, convolution or transform runs on several threads, and the driver checks for
# signals after it.
LEAST_FLOPS = 2_000_000


@dataclass(frozen=True, eq=False)
class Timer:
    """What a profiled driver measures: one kernel of a region, or another step with everything that it runs."""

    block: Block
    step: Step
    kernel: int | None = None


@dataclass(frozen=True)
class CSource:
    """A program in C: its kernels, each a function of its own, the driver, and the size of the arena in bytes.

    `functions` must precede the kernels and the driver, whether they are compiled together or separately. A result of
    `in_place` may be written to the memory of the argument that it is paired with. The addresses of packed arguments,
    or null, follow those of all arguments; `packings` says which they are, and how they are packed. Of the constants,
    `packed_constants` are packed. `collectives` are in the order of their numbers, and `meetings` is how many groups of
    processes wait for each other in them. `calls` are those of compiled handlers; the function that makes them follows
    the library functions. The driver of an `is_open` program takes its sizes;
    one that `reorders` adds up sums in an order that depends on how the compiler optimises. Threads share the copying
    of a buffer if it `shares_copies`.
    """

    kernels: Mapping[RenderedKernel, CFunction]
    driver: str
    arena: int
    hosts: tuple[tuple[Block, Host], ...]
    timers: tuple[Timer, ...] = ()
    functions: str = ""
    in_place: Mapping[int, int] = field(default_factory=dict)
    packings: Mapping[int, Packing] = field(default_factory=dict)
    packed_constants: Mapping[tuple[Block, int], Packing] = field(default_factory=dict)
    collectives: tuple[Collective, ...] = ()
    meetings: int = 0
    calls: tuple[tuple[Block, Host], ...] = ()
    is_open: bool = False
    reorders: bool = False
    shares_copies: bool = False


def entry_name(number: int) -> str:
    """The name of the function that runs a plan, by its number among those that share a driver."""
    return f"run_plan{number or ''}"


def library_of(*plans: Plan) -> tuple[str, ...]:
    """The library functions that the code of plans calls, in the order in which it expects their addresses."""
    steps = [step for plan in plans for block in plan.blocks() for step in block.steps]
    names = {function_of(step) for step in steps if isinstance(step, Gemm)}
    names |= {f"{step.windows.letter}convolve" for step in steps if isinstance(step, Convolution)}
    names |= {f"{step.transform.letter}transform" for step in steps if isinstance(step, Fourier)}
    names |= {"sattention" for step in steps if isinstance(step, Attention)}
    names |= {"sgradients" for step in steps if isinstance(step, AttentionGradients)}
    names |= {exchange.function_of(step) for step in steps if isinstance(step, Collective)}
    names |= {lapack.symbol(call) for step in steps if isinstance(step, Lapack) for call in step.procedure.calls}
    return tuple(sorted(names))


def may_share(step: Step) -> bool:
    """Whether threads may share the work of a step that is not a region; a product decides that itself."""
    match step:
        case Gemm():
            return True
        case Convolution(windows=w):  # if it is not a product, its work is like a kernel's, mostly reads
            return typical(w.flops) >= (LEAST_WORK if w.kind == EACH else LEAST_FLOPS)
        case Attention() | AttentionGradients() | Fourier():
            return typical(work_of(step).flops) >= LEAST_FLOPS
        case Lapack():
            return any(lapack.parts_of(step.procedure, call, 2) > 1 for call in step.procedure.calls)
    return False


def regions_in_loops(plan: Plan) -> set[str]:
    """The keys of the regions that a loop runs, whose kernels may become parts of the driver."""
    loops = [step for block in plan.blocks() for step in block.steps if isinstance(step, While)]
    waiting, found, seen = [block for loop in loops for block in inner_blocks(loop)], set(), set[Block]()
    while waiting:
        block = waiting.pop()
        if block not in seen:
            seen.add(block)
            for step in block.steps:
                waiting += [plan.functions[step.name]] if isinstance(step, Call) else inner_blocks(step)
                if isinstance(step, Kernels):
                    found.add(step.key)
    return found


def called_functions(kernels: Iterable[RenderedKernel], alone: bool = True) -> str:
    """The types and functions that kernels use, which have to precede them.

    Other translation units have the functions of selection.c if this one does not stand `alone`.
    """
    kernels = list(kernels)
    names = dict.fromkeys(name for kernel in kernels for name in kernel.facts.calls)
    selection = [*filter(templates.SELECTION.__contains__, names)]
    texts = (
        [templates.read_code("selection.c")] if selection and alone else map(templates.selection_prototype, selection)
    )
    doubles = "".join(map(function_text, filter(FORMULAS.__contains__, names)))
    functions = len(selection) < len(names)
    elementary = elementary_text("".join([doubles, *(k.body for k in kernels)])) if functions else ""
    return "".join([templates.TYPES_TEXT, *texts, elementary, doubles])


class Driver:
    """What the drivers of several plans have in common: each function and struct is in the text only once.

    Args:
        library: the library functions that the plans call, in the order in which the code expects their addresses.
        processes: how many processes run the plans.
    """

    def __init__(self, library: Sequence[str], processes: int = 1) -> None:
        self.library = {name: number for number, name in enumerate(library)}
        self.functions: dict[str, str] = {}  # the names of functions, by what follows the name
        self.windows: dict[Pieces, str] = {}
        self.lines: dict[Lines, str] = {}
        self.products: dict[str, str] = {}
        self.heads: dict[tuple[Heads, tuple[Strides, ...]], str] = {}
        self.gradients: dict[Gradients, str] = {}
        self.procedures: dict[Procedure, str] = {}
        self.exchanges = exchange.Exchanges(processes)
        self.inner: set[RenderedKernel] = set()  # kernels that become part of the driver
        self.apart = False  # whether threads run all iterations of some loop
        self.calls_of_handlers: list[tuple[Block, Host]] = []
        self.entries: list[str] = []
        self.is_open = False  # whether a plan depends on open sizes
        self.has_bools = False  # whether an argument is of type i1
        self.shares_copies = False  # whether threads share the copying of a buffer

    def text(
        self, names: Mapping[RenderedKernel, str], threads: int, timers: int | None
    ) -> tuple[dict[RenderedKernel, CFunction], str]:
        """The kernels that are functions of their own, and the driver; `timers` is how many it has, if it measures."""
        kernels = {kernel: kernel.function(name) for kernel, name in names.items()}
        inner = [kernels.pop(kernel).text(static=True) for kernel in names if kernel in self.inner]
        prototypes = [f"{function.head};" for function in kernels.values()]
        windows = ((templates.windows_fields(pieces), name) for pieces, name in self.windows.items())
        structs = [f"static const struct convolution {name} = {{{numbers}}};" for numbers, name in windows]
        structs += [f"static const struct product {name} = {{{numbers}}};" for numbers, name in self.products.items()]
        code = [templates.WINDOWS_STRUCT] if any(name.endswith("convolve") for name in self.library) else []
        if any(name.endswith("transform") for name in self.library):
            code.append(templates.LINES_STRUCT)
            fields = ((templates.lines_fields(v), name) for v, name in self.lines.items())
            structs += [f"static const struct lines {name} = {{{numbers}}};" for numbers, name in fields]
        if {"sattention", "sgradients"} & self.library.keys():
            code.append(templates.ATTENTION_STRUCTS)
            heads = ((attention_fields(*each), name) for each, name in self.heads.items())
            structs += [f"static const struct attention {name} = {{{numbers}}};" for numbers, name in heads]
            gradients = ((gradients_fields(each), name) for each, name in self.gradients.items())
            structs += [f"static const struct gradients {name} = {{{numbers}}};" for numbers, name in gradients]
        procedures = ((p, name, self.library, threads, self.is_open) for p, name in self.procedures.items())
        code += [templates.COPIES] * bool(self.procedures)
        code += [lapack.procedure_text(*each) for each in procedures]
        if timers is not None:
            code += [f"#define TIMERS {max(1, timers)}", templates.CLOCK, templates.PROFILE]
        code.append(self.exchanges.text())
        code += [templates.CALL_HANDLER] * bool(self.calls_of_handlers)
        if self.has_bools:
            code.append(templates.TRUTH_VALUES)
        if {"cblas_cgemm", "cblas_zgemm"} & self.library.keys():
            code += [MARKS, templates.COMPLEX]
        if self.apart:
            code += [f"enum {{ CARRIES = {MOST_CARRIES}, SMALL = {SMALL} }};", templates.ITERATIONS]
        functions = [text.replace("@", name, 1) for text, name in self.functions.items()]
        common = templates.OPEN_COMMON if self.is_open else templates.COMMON
        parts = [common, templates.DECLARATIONS, *code, *structs, *prototypes, *inner, *functions]
        return kernels, "\n".join([*parts, *self.entries])
