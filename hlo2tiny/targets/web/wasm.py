"""A program as WebAssembly: the C of targets/c, whose memory is laid out here, for a page to fill in open sizes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

import numpy as np

from ...errors import InputError, UnsupportedOp
from ...ir import error_at
from ...ir.dtypes import byte_size
from ...ir.sizes import largest, upper_bound
from ...machine import cache, zig
from ...machine.compiler import FLAGS
from ...plan.memory import ALIGNMENT, align
from ...plan.plan import Lapack, Plan
from ...records import dataclass
from ...templates import fill
from ..c.folder import CODE_STRUCT, GEMM_MEMORY, OPEN_CODE_STRUCT, expect_no_host, own_texts, program_text
from ..c.source import CSource, library_of
from ..c.specialised import choosing_text
from ..c.templates import template
from ..c.writing import MARK

# 32 bits address this many bytes; the last pages stay free for the stack and the program's own tables.
MOST_MEMORY = (1 << 32) - (1 << 24)
# How many threads a program can use, the page's own included: each needs scratch memory.
THREADS = 8
TARGET = ("--target=wasm32-unknown-unknown", "-O3", "-std=gnu11", "-fno-math-errno", "-fno-trapping-math")
FEATURES = ("-msimd128", "-mbulk-memory", "-msign-ext", "-mnontrapping-fptoint", "-mmultivalue")
LINK = ("--no-entry", "--gc-sections", "--strip-all", "-z", "stack-size=1048576")
RELAXED = "-mrelaxed-simd"
# The files that have elementary functions, as a rule.
ELEMENTARY = {"program", "attention", "gradients"}
# By name: the further options of the compiler and of the linker. A page loads the first that its browser can run.
VARIANTS: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    f"model{relaxed and '-relaxed'}{shared and '-threads'}.wasm": (
        [*[RELAXED] * bool(relaxed), *["-matomics", "-DSHARED"] * bool(shared)],
        ["--import-memory", "--shared-memory", f"--max-memory={1 << 32}", "--export=__stack_pointer"] * bool(shared),
    )
    for shared in ("shared", "")
    for relaxed in ("relaxed", "")
}
# The working memory of gemm.c, which is called by one thread at a time.
LIBRARY_MEMORY = f"""static _Alignas({ALIGNMENT}) char library_memory[{GEMM_MEMORY}];
char *model_library_memory = library_memory;"""


@dataclass(frozen=True)
class MemoryLayout:
    """Where a program's memory holds its constants, and from `begin` on its arguments, results and arena, in bytes."""

    inputs: Sequence[int]
    outputs: Sequence[int]
    constants: Sequence[int]
    begin: int
    arena: int
    size: int


def lay_out(plan: Plan, source: CSource, constants: Sequence[np.ndarray]) -> MemoryLayout:
    """Lay out a program's memory. A result that is computed in the memory of an argument has that argument's offset.

    Raises:
        InputError: the program needs more memory than WebAssembly can address.
    """
    main = plan.main
    end: int = 0

    def places(sizes: Sequence[int]) -> Iterator[int]:
        nonlocal end
        for size in sizes:
            yield end
            end += align(upper_bound([1, size]))

    sizes = list(map(byte_size, main.types))
    held = list(places([array.nbytes for array in constants]))
    begin = end
    inputs = list(places(sizes[: main.inputs]))
    outputs = list(places([0 if i in source.in_place else sizes[n] for i, n in enumerate(main.outputs)]))
    outputs = [inputs[source.in_place[i]] if i in source.in_place else at for i, at in enumerate(outputs)]
    (arena,) = places([source.arena])
    if largest(end) > MOST_MEMORY:
        raise InputError(
            f"the program needs {largest(end):,} bytes of memory, of which {sum(c.nbytes for c in constants):,} for its"
            f" weights; WebAssembly addresses {MOST_MEMORY:,}. Use narrower weights (hlo2tiny convert --quantize) or"
            " smaller inputs"
        )
    return MemoryLayout(inputs, outputs, held, begin, arena, end)


def expect_runs(plan: Plan) -> None:
    """Raise UnsupportedOp if a step of a plan runs in Python or calls LAPACK."""
    expect_no_host(plan)
    for step in (step for block in plan.blocks() for step in block.steps if isinstance(step, Lapack)):
        cure = "compute this part outside the exported function"
        raise error_at(step.op, f"this calls LAPACK, which a browser does not have; {cure}", UnsupportedOp)


def modules(
    plans: Sequence[Plan], source: CSource, constants: int, choices: Sequence[Sequence[int]]
) -> dict[str, bytes]:
    """The module of each variant, by its file's name.

    Args:
        source: that of one of the plans, which have the same text.
        constants: how many there are.
        choices: the sizes of open dimensions that each plan is for.

    Raises:
        InputError: the ziglang wheel is not installed.
        UnsupportedOp: the compiler failed, a bug in hlo2tiny.
    """
    library, main = library_of(*plans), plans[0].main
    counts = main.inputs, len(main.outputs), constants
    module_code = [f"enum {{ PLANS = {len(plans)} }};", OPEN_CODE_STRUCT if source.is_open else CODE_STRUCT]
    if source.is_open:
        module_code += [f"#define MODEL_SIZES {len(choices[0])}", choosing_text(choices)]
    texts = {"program": program_text(source, (), len(plans)), "module": module_text(counts, library, module_code)}
    texts |= own_texts(library)
    if any(name.startswith("cblas_") for name in library):
        texts["gemm"] = "#define _Thread_local\n" + template("gemm.c")
    with ThreadPoolExecutor() as pool:
        return dict(zip(VARIANTS, pool.map(lambda name: module(name, texts), VARIANTS)))


def read_code(file: str) -> str:
    return resources.files(__package__).joinpath(file).read_text(encoding="utf-8")


def module(name: str, texts: Mapping[str, str]) -> bytes:
    """Compile and link one variant, or take it from the cache."""
    compile_options, link_options = VARIANTS[name]
    options = [*FLAGS, *TARGET, *FEATURES, *compile_options]
    key = cache.key("wasm", read_code("fused.c"), *texts, *texts.values(), *options, *LINK, *link_options)
    found = cache.read(key)
    if found is not None:
        return found
    with tempfile.TemporaryDirectory(prefix="hlo2tiny-") as temporary:
        folder = Path(temporary)
        for stem, text in texts.items():
            source = folder / f"{stem}.c"
            source.write_text(text, encoding="utf-8")
            if RELAXED in options and stem in ELEMENTARY:
                source = compile_fused(source, options)
            zig.run("clang", [*options, "-c", source, "-o", folder / f"{stem}.o"])
        objects = [folder / f"{stem}.o" for stem in texts]
        zig.run("wasm-ld", [*LINK, *link_options, *objects, "-o", folder / name])
        built = mark_module((folder / name).read_bytes())
    cache.write(key, built)
    return built


def compile_fused(source: Path, options: Sequence[str]) -> Path:
    """Clang's intermediate code for a file, in which products and sums of elementary functions are rounded once.

    No option or declaration of clang does this; see fused.c for what it is worth.
    """
    source.write_text(read_code("fused.c") + source.read_text(encoding="utf-8"), encoding="utf-8")
    code = source.with_suffix(".ll")
    zig.run("clang", [*options, "-S", "-emit-llvm", source, "-o", code])
    lines = code.read_text(encoding="utf-8").replace("@llvm.fmuladd.", "@fused_").splitlines()
    kept = [line for line in lines if not (line.startswith("declare") and "@fused_" in line)]
    code.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return code


def module_text(counts: tuple[int, int, int], library: Sequence[str], code: Sequence[str]) -> str:
    """module.c with a program's tables, given how many inputs, results and constants it has."""
    functions = [name if not name.startswith("cblas_") else name.removeprefix("cblas_") for name in library]
    functions = [f"model_{name}" for name in functions]
    tables = [
        *[LIBRARY_MEMORY] * any(name.startswith("cblas_") for name in library),
        "enum {{ INPUTS = {}, OUTPUTS = {}, CONSTANTS = {}, THREADS = {} }};".format(*counts, THREADS),
        *code,
        *(f"void {function}(void);" for function in functions),
        f"static void *const library[] = {{{', '.join(f'(void *){function}' for function in functions) or '0'}}};",
    ]
    return fill(read_code("module.c"), {"TABLES": "\n".join(tables)})


def mark_module(module: bytes) -> bytes:
    """A module that begins with a custom section, which says who wrote it."""
    name = MARK.encode()
    return module[:8] + bytes([0, len(name) + 1, len(name)]) + name + module[8:]


def pages(module: bytes) -> int:
    """The minimum size of the memory that a module imports, in pages of 64 KiB."""
    at = module.index(b"\x03env\x06memory\x02") + len(b"\x03env\x06memory\x02") + 1
    number = shift = 0
    while True:  # a number of seven bits in each byte, the lowest first
        number |= (module[at] & 0x7F) << shift
        if module[at] < 0x80:
            return number
        at, shift = at + 1, shift + 7
