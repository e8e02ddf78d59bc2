"""Programs for processors without an operating system: one file of C, the weights as constant arrays, and no context.

Nothing here needs files, threads, a heap or a math library. Regions compute products, too, as loops that take a few
bytes of stack; all working memory is one static array.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from ...errors import UnsupportedOp
from ...ir import Op, QuantizedType, ScalarType, TensorType, error_at
from ...ir.numbers import is_float
from ...machine import zig
from ...machine.compiler import FLAGS
from ...ops import Trait, has
from ...plan.fourier import Transform
from ...plan.plan import Fourier, Host, Lapack, Plan
from ...rules.registry import RULES, rule_name
from ...templates import c_string, fill
from .driver import Printer
from .folder import BIT_CAST, align_size, copied_results
from .interface import Parameter, Tensors, c_parameters, parameters_of, pointers, signature_text
from .render import render_scalar_region
from .source import CSource, library_of
from .systems import System
from .templates import TYPES_TEXT, rounding_text, scalar_transforms, template
from .weights import data_of
from .writing import MARK, Files, first_line

# What the Makefile and `library_files` compile with; the Makefile says what the results depend on. Unrolled loops would
# double the code.
OPTIMISE = ("-O2", "-fno-unroll-loops")
MEANING = ("-std=gnu99", "-fno-strict-aliasing", "-fno-math-errno", "-fno-trapping-math", *FLAGS)
LAYOUT: tuple[str, ...] = ("-ffreestanding", "-ffunction-sections", "-fdata-sections", "-fno-pic", "-fno-ident")
LAYOUT += ("-fno-asynchronous-unwind-tables",)
# All functions except `model_run` are local to this file, there is no Python to ask about signals, and there are no
# vectors that need more alignment than numbers.
ALONE = """#define EXPORTED static
#define STANDALONE
#define _Alignas(size) __attribute__((aligned(8)))
"""
# The functions that a compiler expects on any system; all others that it calls are its own, which begin with `__`.
EXPECTED = frozenset("memcpy memset memmove memcmp".split())


def expect_no_library(plan: Plan, target: str) -> None:
    """Refuse steps that call Python or LAPACK.

    Raises:
        UnsupportedOp: the plan has such a step.
    """
    for step in (step for block in plan.blocks() for step in block.steps if isinstance(step, Host | Lapack)):
        what = "LAPACK" if isinstance(step, Lapack) else "Python"
        cure = "compute this part outside the exported function, or use hlo2tiny run"
        raise error_at(step.op, f"{what} computes this op, but {target} has none; {cure}", UnsupportedOp)


def render_plan(plan: Plan) -> CSource:
    """A plan in C for one thread without vectors."""
    regions = {step.key: render_scalar_region(step) for step in plan.kernels()}
    kernels = dict.fromkeys(kernel for region in regions.values() for kernel in region.kernels)
    return Printer(plan, regions, {kernel: f"kernel{i}" for i, kernel in enumerate(kernels)}, threads=1).print()


# ---------------------------------------------------------------- text


def folder_files(
    plan: Plan, source: CSource, constants: Sequence[np.ndarray], inputs: Tensors, outputs: Tensors, system: System
) -> Files:
    """The files of a program in C by name, with its Makefile; the weights are constant arrays in weights.c."""
    parameters = parameters_of(inputs, outputs, plan.donated)
    listed = c_parameters(parameters).removeprefix(",") or "void"
    stored = sum(array.nbytes for array in constants)
    arithmetic = "floats, and integers" if computes_floats(plan) else "integers only, no floats"
    header = {"SIGNATURE": signature_text(inputs, outputs, plan.donated), "PARAMETERS": listed}
    header |= {"WEIGHTS": f"{stored:,}", "ARENA": f"{arena_size(plan, source, outputs):,}", "ARITHMETIC": arithmetic}
    objects = ["model.o", *["weights.o"] * bool(constants)]
    make = {"COMPILER": system.compiler, "ARCHIVER": system.compiler.replace("gcc", "ar")}
    make |= {"PROCESSOR": " ".join(system.processors), "OPTIMISE": " ".join(OPTIMISE), "OBJECTS": " ".join(objects)}
    texts = {
        "model.h": fill(template("bare.h"), header),
        "model.c": model_text(plan, source, constants, outputs, parameters),
        "Makefile": fill(template("bare.mk"), make),
    }
    files = {name: [f"{first_line(name)}\n{text}".encode()] for name, text in texts.items()}
    return {**files, **({"weights.c": [*weights_text(constants)]} if constants else {})}


def computes_floats(plan: Plan) -> bool:
    """Whether some op computes floats."""
    return bool(transforms_of(plan) or float_ops(plan))


def transforms_of(plan: Plan) -> list[Transform]:
    return [step.transform for block in plan.blocks() for step in block.steps if isinstance(step, Fourier)]


def float_ops(plan: Plan) -> list[Op]:
    """The ops that compute floats, as those of quantized numbers do unless they only move them."""

    def has_floats(op: Op) -> bool:
        rule = RULES.get(rule_name(op))
        elements = [v.type.element for v in (*op.operands, *op.results) if isinstance(v.type, TensorType)]
        # Numbers with other scales are converted before they are moved.
        scales = {(e.scales, e.zero_points) for e in elements if isinstance(e, QuantizedType) and e.axis is None}
        moves = (rule is None or rule.storage or has(op, Trait.CONSTANT)) and len(scales) <= 1
        computed = [e for e in elements if not (isinstance(e, QuantizedType) and moves)]
        inner = any(has_floats(other) for region in op.regions for other in region.ops)
        return inner or any(not isinstance(e, ScalarType) or is_float(e) for e in computed)

    return [op for step in plan.kernels() for op in step.ops if has_floats(op)]


def arena_size(plan: Plan, source: CSource, outputs: Tensors) -> int:
    """The bytes of the static memory, which begins with the arena."""
    copies = sum(align_size(outputs[result].size) for result in copied_results(plan, source))
    return max(8, -(-source.arena // 8) * 8 + copies)


def model_text(
    plan: Plan, source: CSource, constants: Sequence[np.ndarray], outputs: Tensors, parameters: Sequence[Parameter]
) -> str:
    """The kernels, the driver and the interface as one file."""
    kernels = "".join(kernel.text(static=True) for kernel in source.kernels.values())
    functions = source.functions.removeprefix(TYPES_TEXT)
    exact = rounding_text() if computes_floats(plan) else ""
    names = [f"model_constant{i}" for i in range(len(constants))]
    weights = [f"extern const {word_of(array)} {name}[];" for name, array in zip(names, constants)]
    addresses = ", ".join(f"(char *){name}" for name in names) or "0"
    weights.append(f"static char *const constants[] = {{{addresses}}};")
    given, written = pointers(parameters)
    at, results, copies = -(-source.arena // 8) * 8, [f"outputs[{i}]" for i in range(len(outputs))], []
    for result in copied_results(plan, source):
        results[result] = f"arena + {at}"
        copies.append(f"  __builtin_memcpy(outputs[{result}], {results[result]}, {outputs[result].size});\n")
        at += align_size(outputs[result].size)
    parts = {"COMPILER": c_string(MARK.encode()), "WEIGHTS": "\n".join(weights), "INPUTS": given, "OUTPUTS": written}
    parts |= {"ARENA": str(arena_size(plan, source, outputs)), "RESULTS": ", ".join(results) or "0"}
    parts |= {"COPIES": "".join(copies), "PARAMETERS": c_parameters(parameters).removeprefix(",") or "void"}
    library = library_of(plan)
    own = scalar_transforms(transforms_of(plan))
    parts["LIBRARY"] = "library" if library else "0"
    table = f"static void *const library[] = {{{', '.join(f'(void *){name}' for name in library)}}};\n"
    own = own + table if library else ""
    head = ['#include "model.h"\n', ALONE, BIT_CAST, TYPES_TEXT, exact, functions, kernels, source.driver, "\n", own]
    return "".join([*head, fill(template("bare.c"), parts)])


def word_of(array: np.ndarray) -> str:
    """The type of the words in which a constant is written: as wide as its elements need to be aligned."""
    return "uint64_t" if array.dtype.alignment > 4 else "uint32_t"


def weights_text(constants: Sequence[np.ndarray]) -> Iterator[bytes]:
    """The constants as arrays of words, which little-endian processors read as the bytes that they are."""
    yield f"{first_line('weights.c')}\n#include <stdint.h>\n\n".encode()
    yield b"/* Attributes of the weights, such as the section of a memory that is not the program's own. */\n"
    yield b"#ifndef MODEL_WEIGHTS\n#define MODEL_WEIGHTS\n#endif\n"
    for i, array in enumerate(constants):
        word, data = word_of(array), bytes(data_of(array))
        size = 8 if word == "uint64_t" else 4
        words = np.frombuffer(data + bytes(-len(data) % size), f"<u{size}").tolist()
        name = f"model_constant{i}[{len(words)}]"
        yield f"extern const {word} {name};\nconst {word} {name} MODEL_WEIGHTS = {{\n".encode()
        for row in range(0, len(words), 12):
            yield (", ".join(map(hex, words[row : row + 12])) + ",\n").encode()
        yield b"};\n"


# ---------------------------------------------------------------- code


def library_files(files: Files, system: System) -> tuple[Files, str]:
    """Compile a program; return the library by its name, and a text about the sizes of its parts.

    Raises:
        InputError: zig is not installed.
        UnsupportedOp: the code does not compile, or needs a function that no processor has.
    """
    with tempfile.TemporaryDirectory(prefix="hlo2tiny-") as name:
        folder = Path(name)
        for file, parts in files.items():
            with (folder / file).open("wb") as written:
                written.writelines(parts)
        sources = [file for file in files if file.endswith(".c")]
        options = [f"--target={system.triple}", *system.processors, *OPTIMISE, *MEANING, *LAYOUT, "-fstack-usage"]
        options += ["-nostdinc", "-isystem", str(zig.headers())]
        objects = [folder / f"{Path(file).stem}.o" for file in sources]
        for file, target in zip(sources, objects):
            zig.run("clang", [*options, "-c", folder / file, "-o", target])
        archive = folder / "libmodel.a"
        zig.run("ar", ["rcs", archive, *objects])
        found = [Object(path.read_bytes()) for path in objects]
        expect_linkable(found)
        frames = read_frames((folder / "model.su").read_text())
        return {archive.name: [archive.read_bytes()]}, describe(found, deepest(found[0], frames))


def describe(objects: Sequence[Object], stack: int) -> str:
    code, constant, static = (sum(o.size(kind) for o in objects) for kind in ("code", "constant", "static"))
    return f"code {code:,} bytes, constants {constant:,}, static memory {static:,}, stack at most {stack:,}"


def expect_linkable(objects: Sequence[Object]) -> None:
    """Refuse code that calls a function which is neither the program's own nor the compiler's."""
    defined = {name for o in objects for name in o.defined}
    for name in sorted({name for o in objects for name in o.undefined} - defined - EXPECTED):
        if not name.startswith("__"):
            raise UnsupportedOp(f"the code of this program calls {name}, a bug in hlo2tiny; hlo2tiny run computes it")


def read_frames(text: str) -> dict[str, int]:
    """The bytes of stack that each function takes, as the compiler lists them."""
    rows = (line.split("\t") for line in text.splitlines())
    return {label.rpartition(":")[2]: int(size) for label, size, _ in rows}


def deepest(code: Object, frames: Mapping[str, int]) -> int:
    """The most bytes of stack that a run takes, besides those of the compiler's own functions and of interrupts.

    A function takes its frame, and at most that of any function whose address it, or what it reads, contains.
    """

    @cache
    def below(section: int) -> int:
        used = (below(other) for other in code.references.get(section, ()))
        return frames.get(code.names[section].removeprefix(".text."), 0) + max(used, default=0)

    return below(code.names.index(".text.model_run"))


class Object:
    """A 32-bit ELF object file: its sections, and which of them reads the address of which."""

    def __init__(self, data: bytes) -> None:
        (begin,), (size, count, strings) = struct.unpack_from("<I", data, 32), struct.unpack_from("<3H", data, 46)
        rows = [struct.unpack_from("<10I", data, begin + i * size) for i in range(count)]

        def text(table: int, at: int) -> str:
            start = rows[table][4] + at
            return data[start : data.index(0, start)].decode()

        self.names = [text(strings, row[0]) for row in rows]
        self.rows = rows
        self.references: dict[int, set[int]] = {}
        self.defined, self.undefined = set[str](), set[str]()
        sections: list[int] = []
        for row in rows:
            if row[1] == 2:  # the symbols
                for at in range(row[4], row[4] + row[5], 16):
                    name, _, _, _, _, section = struct.unpack_from("<3I2BH", data, at)
                    sections.append(section)
                    if name:
                        (self.defined if section else self.undefined).add(text(row[6], name))
        for row in rows:
            if row[1] in (4, 9):  # relocations of the section row[7], with and without addends
                for at in range(row[4], row[4] + row[5], 12 if row[1] == 4 else 8):
                    section = sections[struct.unpack_from("<I", data, at + 4)[0] >> 8]
                    if section not in (0, row[7]) and section < len(rows):
                        self.references.setdefault(row[7], set()).add(section)

    def size(self, kind: str) -> int:
        """The bytes of the sections that are loaded and are code, constant or static memory."""
        total = 0
        for _, type, flags, _, _, size, *_ in self.rows:
            found = "code" if flags & 4 else "static" if flags & 1 else "constant"
            if flags & 2 and found == kind and type in (1, 8):  # the program's, and zeros
                total += size
        return total
