"""A program for NVIDIA GPUs as C: its executable and its kernels as tables, which template/model.c reads.

Everything that Python computes before it records a graph is computed when the C is written: which actions wait for
which, what cuBLASLt and cuDNN are told about each product, and which copies form one launch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import resources
from itertools import groupby
from math import prod
from typing import Any, NamedTuple

from ...errors import InputError
from ...ir.place import Place
from ...templates import c_string
from . import convolutions, products, transforms
from .compiling import compile_kernels, compile_one, control, files
from .driver import compiler
from .executable import Action, CudaExecutable, GraphBranch, GraphCopy, GraphLaunch, GraphLoop, Multiply, describe
from .kernels import ALIGNMENT
from .loaded import CONTROL_OPTIONS, MOST_MOVES, PRODUCTS_AT_ONCE, overlap
from .order import BufferAccess, Order, batches
from .products import CALLS_AT_ONCE, WORKSPACE

# The libraries that the C calls; what others would compute runs on the host, and is refused.
LIBRARIES = frozenset({"cublasLt", "cudnn", "cufft"})
# Kinds of GPUs: those of data centres since 2020, the oldest one first.
ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
KINDS = {"arena": "ARENA", "constant": "CONSTANT", "argument": "INPUT", "result": "RESULT"}
# For finding out which actions share memory, the distances between kinds of memory and between buffers of a kind; after
# the last kind comes the working memory of products.
APART, BUFFERS_APART = 1 << 61, 1 << 40
SPACE = len(KINDS) * APART
OTHERWISE = "use hlo2tiny run --device CUDA, which has a kernel for it"


def expect_architectures(text: str | None) -> tuple[str, ...]:
    """The kinds of GPUs that `--arch` names, the oldest one first.

    Raises:
        InputError: one is not a kind that the compiler knows.
    """
    names = ARCHITECTURES if text is None else [name.strip() for name in text.split(",")]
    known = known_architectures()
    for name in names:
        if name not in known:
            raise InputError(f"--arch {name!r:.40}: expected some of {', '.join(known)}, separated by commas")
    return tuple(name for name in known if name in names)


def known_architectures() -> list[str]:
    """The kinds of GPUs that nvrtc compiles for, the oldest one first."""
    nvrtc = compiler()
    _, count = nvrtc.nvrtcGetNumSupportedArchs()
    return [f"sm_{number}" for number in nvrtc.nvrtcGetSupportedArchs()[1][:count]]


# ---------------------------------------------------------------- code


def kernels_text(executable: CudaExecutable, architectures: Sequence[str]) -> str:
    """The machine code of the kernels for each kind of GPU, and PTX that the driver compiles for later ones.

    Raises:
        NotBuilt: nvrtc is not installed, or refuses a file.
    """
    rows, lines = list[str](), list[str]()
    for name in (*architectures, architectures[-1].replace("sm_", "compute_")):
        codes = [code for code, _ in compile_kernels(executable.kernels, name)]
        codes.append(compile_one(control(), name, CONTROL_OPTIONS))
        for number, code in enumerate(codes):
            lines += array_of(f"{name}_{number}", code)
        listed = ", ".join(f"{name}_{number}" for number in range(len(codes)))
        lines.append(f"static const void *const {name}[] = {{{listed}}};")
        major, minor = divmod(int(name.rpartition("_")[2]), 10)
        rows.append(f"{{{major}, {minor}, {int(name.startswith('compute'))}, {name}}}")
    struct = "const struct images {\n  int major, minor, is_ptx;\n  const void *const *files;\n} model_images[] = "
    return "\n".join([*lines, f"{struct}{{{', '.join(rows)}}};", ""])


def array_of(name: str, code: bytes) -> Iterator[str]:
    """Code as an array of words: compilers take long for each number."""
    padded = code + bytes(-len(code) % 8)
    words = [f"{int.from_bytes(padded[i : i + 8], 'little'):#x}" for i in range(0, len(padded), 8)]
    yield f"static const unsigned long long {name}[] = {{"
    for i in range(0, len(words), 16):
        yield ",".join(words[i : i + 16]).replace("0x0,", "0,") + ","
    yield "};"


# ---------------------------------------------------------------- tables


class List(NamedTuple):
    first: int
    length: int


class Tables:
    """The tables of an executable."""

    def __init__(self, executable: CudaExecutable) -> None:
        self.executable = executable
        self.steps: list[str] = []
        self.buffers: list[str] = []
        self.waits: list[int] = []
        self.sizes: list[int] = []
        self.loops: list[str] = []
        self.branches: list[str] = []
        self.lists: list[List] = []
        self.products: dict[products.ProductSpec, int] = {}
        self.convolutions: dict[convolutions.ConvolutionSpec, int] = {}
        self.transforms: dict[transforms.TransformSpec, int] = {}
        self.most_places = 1
        self.started = 0
        self.main = self.add_list(executable.actions)

    # ------------------------------------------------------------ steps

    def add_list(self, actions: Sequence[Action]) -> List:
        """The number of the first step of a list, and how many it has."""
        rows: list[Callable[[Sequence[int]], str]] = []
        waits: list[Sequence[int]] = []
        order = Order(lambda: [len(rows)], waits.append)

        def add(row: Callable[[Sequence[int]], str], accesses: Sequence[BufferAccess] | None = None) -> None:
            order.begin(accesses)
            rows.append(row)
            order.end()

        for is_copy, group in groupby(actions, lambda action: isinstance(action, GraphCopy)):
            if is_copy:
                moves = (action for action in group if isinstance(action, GraphCopy))
                for copies in batches(moves, wait_for_each_other, MOST_MOVES):
                    add(self.copy(copies), [access for each in copies for access in accesses_of(each)])
                continue
            for action in group:
                match action:
                    case GraphLaunch():
                        writes = self.executable.kernels[action.kernel].writes
                        row = self.step("KERNEL", action.kernel, action.places, describe(self.executable, action))
                        add(row, [*zip(map(virtual, action.places), action.sizes, writes)])
                    case Multiply():
                        add(*self.multiply(action))
                    case GraphLoop():
                        add(self.loop(action))
                    case GraphBranch():
                        add(self.branch(action))
                    case _:
                        raise TypeError(action)
        add(self.step("END", 0, ()))
        first = len(self.steps)
        self.steps += [row(wait) for row, wait in zip(rows, waits, strict=True)]
        return List(first, len(rows))

    def step(
        self, kind: str, number: int, places: Sequence[Place], what: str = "", slot: int = 0
    ) -> Callable[[Sequence[int]], str]:
        """A step, given what it waits for."""
        begin = len(self.buffers)
        self.buffers += (f"{{{KINDS[p.kind]}, {p.number}, {p.offset}}}" for p in places)
        self.most_places = max(self.most_places, len(places))

        def row(waits: Sequence[int]) -> str:
            fields = number, begin, len(places), len(self.waits), len(waits), slot
            self.waits += waits
            return f"{{{kind}, {', '.join(map(str, fields))}, {c_string(what.encode('utf-8', 'surrogateescape'))}}}"

        return row

    def copy(self, copies: Sequence[GraphCopy]) -> Callable[[Sequence[int]], str]:
        begin = len(self.sizes)
        self.sizes += (each.size for each in copies)
        return self.step("COPY", begin, [place for each in copies for place in (each.target, each.source)])

    def multiply(self, action: Multiply) -> tuple[Callable[[Sequence[int]], str], list[BufferAccess]]:
        spec, what = self.executable.products[action.product], describe(self.executable, action)
        used = [*zip(map(virtual, action.places), action.sizes, action.writes)]
        if isinstance(spec, convolutions.ConvolutionSpec):
            number = self.convolutions.setdefault(spec, len(self.convolutions))
            return self.step("CONVOLUTION", number, action.places, what), [(SPACE, APART, True), *used]
        if isinstance(spec, transforms.TransformSpec):
            number = self.transforms.setdefault(spec, len(self.transforms))
            return self.step("TRANSFORM", number, action.places, what), [(SPACE, APART, True), *used]
        assert isinstance(spec, products.ProductSpec)
        self.started += 1
        slot, number = self.started % PRODUCTS_AT_ONCE, self.products.setdefault(spec, len(self.products))
        row = self.step("PRODUCT", number, action.places, what, slot)
        return row, [(SPACE + slot * WORKSPACE, WORKSPACE, True), *used]

    def loop(self, action: GraphLoop) -> Callable[[Sequence[int]], str]:
        condition = self.add_list(action.condition) if action.iterations is None else List(0, 0)
        body, number = self.add_list(action.body), len(self.loops)
        self.loops.append(braced((action.iterations or 0, braced(condition), braced(body))))
        return self.step("LOOP", number, [action.predicate])

    def branch(self, action: GraphBranch) -> Callable[[Sequence[int]], str]:
        lists = [self.add_list(each) if each else List(0, 0) for each in action.branches]
        self.branches.append(braced((int(action.is_bool), len(self.lists), len(lists))))
        self.lists += lists
        return self.step("BRANCH", len(self.branches) - 1, [action.index])

    # ------------------------------------------------------------ text

    def text(
        self, architectures: Sequence[str], version: int, booleans: Sequence[bool], results: int, sizes: Sequence[int]
    ) -> str:
        """The tables in C.

        Args:
            architectures: the kinds of GPUs.
            version: the version of CUDA that the driver must support.
            booleans: which inputs are booleans.
            results: how many there are.
            sizes: of the constants, in bytes.
        """
        numbers = {n: i for i, (_, group) in enumerate(files(self.executable.kernels)) for n in group}
        updated = {argument: result for result, argument in self.executable.in_place.items()}
        offsets, described = list[tuple[int, int, int]](), list[str]()
        for product in self.products:
            described.append(product_row(product, len(offsets)))
            offsets += products.description_of(product).offsets
        forms, convolved = list[str](), list[str]()
        for convolution in self.convolutions:
            found = convolutions.forms(convolution)
            convolved.append(convolution_row(convolution, len(forms), len(found)))
            forms += map(form_row, found)
        ffts, transformed = list[str](), list[str]()
        for transform in self.transforms:
            transformed.append(transform_row(transform, len(ffts)))
            called = transforms.description_of(transform)
            ffts += (fft_row(call) for call in (called.outer, called.last) if call is not None)
        enumerated = {
            "INPUTS": len(booleans),
            "RESULTS": results,
            "KERNELS": max(1, len(self.executable.kernels)),
            "FILES": len(files(self.executable.kernels)) + 1,
            "IMAGES": len(architectures) + 1,
            "PRODUCTS": len(self.products),
            "CONVOLUTIONS": len(self.convolutions),
            "TRANSFORMS": len(self.transforms),
            "FFTS": len(ffts),
            "MOST_PLACES": max(self.most_places, 2 * MOST_MOVES),
            "WORKSPACE": WORKSPACE,
            "WORKSPACES": PRODUCTS_AT_ONCE,
            "CALLS_AT_ONCE": CALLS_AT_ONCE,
            "CUDA_VERSION": version,
        }
        kernels = [
            f"{{{numbers[n]}, {braced(kernel.grid)}, {braced(kernel.block)}, {kernel.shared}}}"
            for n, kernel in enumerate(self.executable.kernels)
        ]
        return "\n".join(
            [
                f"enum {{ {', '.join(f'{name} = {value}' for name, value in enumerated.items())} }};",
                f"#define ARCHITECTURES {c_string(', '.join(architectures).encode())}",
                f"#define OTHERWISE {c_string(OTHERWISE.encode())}",
                "extern const struct images model_images[];",
                f"static const size_t arena_size = {self.executable.arena + ALIGNMENT};",
                *table("size_t constant_sizes", map(str, sizes), "0"),
                *table("char booleans", (str(int(x)) for x in booleans), "0"),
                "/* Results that are computed in the place of an input, and such inputs; -1: none. */",
                *table("int updates", (str(self.executable.in_place.get(i, -1)) for i in range(results)), "0"),
                *table("int updated_by", (str(updated.get(i, -1)) for i in range(len(booleans))), "0"),
                *table("struct kernel kernels", kernels, "{-1, {0}, {0}}"),
                *table("struct place buffers", self.buffers, "{0}"),
                *table("size_t sizes", map(str, self.sizes), "0"),
                *table("int waits", map(str, self.waits), "0"),
                *table("struct step steps", self.steps, "{0}"),
                f"static const struct list main_list = {braced(self.main)};",
                *table("struct list lists", map(braced, self.lists), "{0, 0}"),
                *table("struct loop loops", self.loops, "{0}"),
                *table("struct branch branches", self.branches, "{0}"),
                *table("unsigned long long offsets", map(braced, offsets), "{0}", "[3]"),
                *table("struct product products", described, "{0}"),
                *table("char *const product_names", named(self.products), "0"),
                *table("struct form forms", forms, "{0}"),
                *table("struct convolution convolutions", convolved, "{0}"),
                *table("char *const convolution_names", named(self.convolutions), "0"),
                *table("struct fft ffts", ffts, "{0}"),
                *table("struct transform transforms", transformed, "{0}"),
            ]
        )


def virtual(place: Place) -> int:
    """A place as an address: no two arguments or results share memory in a run."""
    kind = list(KINDS).index(place.kind)
    return kind * APART + place.number * (1 if place.kind == "arena" else BUFFERS_APART) + place.offset


def accesses_of(move: GraphCopy) -> list[BufferAccess]:
    return [(virtual(move.target), move.size, True), (virtual(move.source), move.size, False)]


def wait_for_each_other(one: GraphCopy, other: GraphCopy) -> bool:
    return overlap(*((virtual(move.target), virtual(move.source), move.size) for move in (one, other)))


def braced(values: Iterable[object]) -> str:
    return f"{{{', '.join(map(str, values))}}}"


def table(declaration: str, rows: Iterable[str], otherwise: str, dimension: str = "") -> list[str]:
    """A table, which has at least one row."""
    listed = [*rows] or [otherwise]
    return [f"static const {declaration}[]{dimension} = {{", *(f"  {row}," for row in listed), "};"]


def named(specs: Iterable[object]) -> list[str]:
    return [c_string(str(spec).encode()) for spec in specs]


def product_row(spec: products.ProductSpec, call: int) -> str:
    d = products.description_of(spec)
    layouts = braced(map(braced, d.layouts))
    fields = d.compute, d.scale, braced(map(int, d.transposed)), spec.epilogue, int(spec.added), layouts
    return braced((*fields, d.alignment, d.space, call, len(d.offsets)))


def form_row(form: convolutions.ConvolutionForm) -> str:
    tensors, copies = [form.tensors[name] for name in "xwy"], [form.copies.get(name) for name in "xwy"]
    sizes, steps = (braced(braced(tensor[i]) for tensor in tensors) for i in range(2))
    hows = braced("{0}" if copy is None else arrangement_row(copy[1]) for copy in copies)
    copied = braced(int(copy is not None) for copy in copies), braced(copy[0] if copy else 0 for copy in copies)
    kind = convolutions.TYPES[form.element]
    return braced((form.layout, kind, sizes, steps, *copied, hows, form.size))


def arrangement_row(how: convolutions.Arrangement) -> str:
    columns: Mapping[str, Any] = {name: getattr(how, name) for name, *_ in how._fields_}
    return braced(value if isinstance(value, int) else braced(value) for value in columns.values())


def convolution_row(spec: convolutions.ConvolutionSpec, form: int, count: int) -> str:
    kind = [convolutions.FORWARD, convolutions.DATA, convolutions.FILTER].index(spec.kind)
    flags = kind, int(spec.exact), spec.groups, int(spec.flipped), len(spec.low)
    return braced((*flags, braced(spec.padding), braced(spec.stride), braced(spec.dilation), form, count))


def fft_row(call: transforms.TransformCall) -> str:
    lengths = braced(call.lengths), braced(call.before), braced(call.after)
    return braced((call.type, len(call.lengths), *lengths, call.step, braced(call.apart), call.count))


def transform_row(spec: transforms.TransformSpec, first: int) -> str:
    """A transform whose calls begin with the first one."""
    d, half, is_inverse = transforms.description_of(spec), prod(spec.half), spec.kind in ("IFFT", "IRFFT")
    outer, last = (-1, first) if d.outer is None else (first, first + 1)
    direction = transforms.FORWARD if spec.kind == "FFT" else transforms.INVERSE
    numbers = 2 * spec.count * half, spec.count, spec.count * half // spec.half[-1], spec.half[-1]
    scaled = spec.count * prod(spec.lengths) * (2 if spec.kind == "IFFT" else 1) if is_inverse else 0
    kinds = direction, transforms.REAL_SIZES[spec.letter], int(spec.kind == "IRFFT"), d.copied
    return braced((last, outer, *kinds, *numbers, int(spec.lengths[-1] % 2 == 0), scaled, 1 / prod(spec.lengths)))


def template(name: str) -> str:
    return resources.files(__package__).joinpath("template", name).read_text(encoding="utf-8")
