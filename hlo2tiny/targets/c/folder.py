"""Writes a program as a folder of C: the code that the native executor runs, its weights, and what both need.

The names of inputs and results come from an untrusted file. They occur in strings, in comments and as identifiers, as
`templates` writes them.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import resources
from math import prod
from pathlib import Path

import numpy as np

from ...errors import InputError, UnsupportedOp
from ...formats import safetensors
from ...ir import QuantizedType, TensorType, error_at
from ...ir.dtypes import numpy_dtype, static_shape
from ...ir.sizes import is_open, largest
from ...plan.memory import ALIGNMENT
from ...plan.plan import Block, Host, Plan
from ...templates import Identifiers, c_comment, c_string, fill
from .. import STAGES
from ..handlers import Handler, describe
from .driver import CSource, entry_name, library_of
from .templates import OWN_FUNCTIONS, TYPES_TEXT, handlers_text, read_code

# The first line of each file contains this; files that have it may be overwritten.
MARK = "written by hlo2tiny compile"
WEIGHTS = "weights.safetensors"
# Each folder that we write has one of these.
IN_EACH_FOLDER = ("model.h", "program.json", WEIGHTS)
# The file that each folder of a kind has, and no other.
KINDS = {"model.h": "in C", "program.json": "for browsers"}
# The files that are compiled code, and those of them that can be run.
EXECUTABLES = frozenset({"model", "model.exe", "model.wasm"})
COMPILED = EXECUTABLES | {"libmodel.so", "libmodel.a", "libmodel.dylib", "model.dll", "model.lib", "libmodel.wasm"}
# A program's functions are called from its own files only, and it has no Python to ask about signals.
HIDDEN = "#define EXPORTED\n#define STANDALONE\n"
# What model.c needs to know of program.c, which may be compiled several times, for different processors.
CODE_STRUCT = """struct model_code {
  int (*run[PLANS])(char **in, char **out, char *const *constants, char *arena,
                    int (*host)(void *, long, char **, char **), void *call, void *const *library,
                    void (*parallel)(void (*)(void *const *, long, long), void *const *, long), void *const *python);
  void *const *library;
};
"""
OPEN_CODE_STRUCT = CODE_STRUCT.replace("*python);", "*python, const int64 *sizes);")
# How much of the list of sizes is in the header.
MOST_CHOICES = 2000
# What C++ checks where sizes are open.
EXPECT_SIZE = """  static void expect_size(const char *name, std::size_t found, std::size_t expected) {
    if (found != expected)
      throw std::invalid_argument(std::string(name) + " has " + std::to_string(found) + " bytes, expected " +
                                  std::to_string(expected));
  }
"""
# The bytes that gemm.c uses at most.
GEMM_MEMORY = 5 << 20
# Clang's bit cast, for gcc.
BIT_CAST = """#ifndef __clang__
#define __builtin_bit_cast(T, x) ({ __auto_type from = (x); T to; __builtin_memcpy(&to, &from, sizeof to); to; })
#endif
"""


@dataclass(frozen=True)
class CTensor:
    """An input or result of a program in C: its name in the model, its type, and the names of open dimensions."""

    name: str
    type: TensorType
    dimensions: tuple[str, ...] = ()

    @property
    def element_size(self) -> int:
        return numpy_dtype(self.type.element).itemsize

    @property
    def size(self) -> int:
        return prod(static_shape(self.type)) * self.element_size

    @property
    def dtype(self) -> str:
        element = self.type.element
        return str(element.storage if isinstance(element, QuantizedType) else element)


Tensors = Sequence[CTensor]


@dataclass(frozen=True)
class Specialised:
    """A program in C for one choice of its open sizes, or for all.

    Attributes:
        checks: the constraints on sizes that stay open, as conditions in C, with a message for each.
        is_bounded: whether the arena is allocated for the largest of these, so that runs allocate nothing.
    """

    sizes: tuple[int, ...]
    plan: Plan
    source: CSource
    inputs: Tensors
    outputs: Tensors
    checks: Sequence[tuple[str, str]] = ()
    is_bounded: bool = False


Programs = Sequence[Specialised]


def declared(versions: Sequence[CTensor]) -> CTensor:
    """A tensor whose dimensions are open if they differ between choices of sizes."""
    first, *others = versions
    shapes = [version.type.shape for version in others]
    dimensions = enumerate(first.type.shape)
    shape = tuple(d if not is_open(d) and all(s[i] == d for s in shapes) else None for i, d in dimensions)
    return replace(first, type=replace(first.type, shape=shape))


@dataclass(frozen=True)
class Weights:
    """The file of a program's constants, in the format .safetensors, which begins with what identifies them."""

    constants: Sequence[np.ndarray]

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """By name, in the file's order, which aligns each for its elements, and large ones usually to 64 bytes."""
        given = self.constants
        order = sorted(range(len(given)), key=lambda i: (given[i].nbytes % ALIGNMENT != 0, -given[i].dtype.itemsize))
        return {f"constant{i}": safetensors.storable(given[i]) for i in order}

    @cached_property
    def header_and_places(self) -> tuple[bytes, dict[str, int]]:
        digest = hashlib.sha256()
        for array in self.arrays.values():
            digest.update(data_of(array))
        return safetensors.header_of(self.arrays, {"hlo2tiny": f"{MARK}: {digest.hexdigest()}"})

    @property
    def identity(self) -> bytes:
        header, _ = self.header_and_places
        return header[: header.index(MARK.encode()) + len(MARK) + 2 + 64]

    @property
    def places(self) -> list[int]:
        _, places = self.header_and_places
        return [places[f"constant{i}"] for i in range(len(self.constants))]

    @property
    def size(self) -> int:
        header, _ = self.header_and_places
        return len(header) + sum(array.nbytes for array in self.constants)

    def parts(self) -> Iterator[bytes | memoryview]:
        """The contents of the file, in pieces."""
        yield self.header_and_places[0]
        for array in self.arrays.values():
            yield data_of(array)


def data_of(array: np.ndarray) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def expect_no_host(plan: Plan, handlers: Container[str] = ()) -> None:
    """Refuse a plan with steps that run in Python: custom calls that no compiled handler carries out.

    Raises:
        UnsupportedOp: the plan has such a step.
    """
    for step in (step for block in plan.blocks() for step in block.steps if isinstance(step, Host)):
        if step.name[1:] in handlers:
            continue
        subject = f"{step.name[1:]} " if step.name.startswith("@") else ""
        cure = "compute this part outside the exported function, or use hlo2tiny run"
        message = f"{subject}runs in Python, which a program in C cannot call; {cure}"
        raise error_at(step.op, message, UnsupportedOp)


Files = Mapping[str, Iterable[bytes | memoryview]]


def folder_files(
    programs: Programs,
    sizes: Sequence[str],
    constants: Sequence[np.ndarray],
    embed: bool,
    handlers: Mapping[str, Handler] = {},
) -> Files:
    """The files of a program in C by name, with its Makefile and its weights, which model.c contains if `embed`.

    Args:
        programs: the program for each choice of its open sizes, all of which share their text and the constants.
        sizes: the names of these sizes.
        handlers: the compiled handlers that carry out its custom calls.
    """
    weights = Weights(constants)
    library = library_of(*(program.plan for program in programs))
    own = {kind: [name for name in library if name.endswith(kind)] for kind in OWN_FUNCTIONS}
    own_files = {f"{kind}.c": own_text(kind, names) for kind, names in own.items() if names}
    gemm = any(name.startswith("cblas_") for name in library)
    sources = ["program", "model", "threads", *(Path(name).stem for name in own_files), *["gemm"] * gemm]
    inputs, outputs = (
        [*map(declared, zip(*side))] for side in ([p.inputs for p in programs], [p.outputs for p in programs])
    )
    pairs = set.intersection(*(set(program.plan.donated.items()) for program in programs))
    donated = {result: n for result, n in programs[0].plan.donated.items() if (result, n) in pairs}
    parameters = parameters_of(inputs, outputs, donated, sizes)
    source = programs[0].source
    calls = source.calls
    sources += ["handlers", "calls"] if calls else []
    about = f"   sizes: {c_comment(choices_text(programs, sizes), MOST_CHOICES)}\n" if sizes else ""
    opens = programs[0].plan.is_open
    grows = (
        "" if programs[0].is_bounded else " The context's working memory grows if these need more than those before."
    )
    more = (
        fill(template(f"{'open' if opens else 'sizes'}.h"), {"COUNT": str(len(sizes)), "GROWS": grows}) if sizes else ""
    )
    more, failed = (more + FAILURE.format(count=len(calls)), FAILED) if calls else (more, "")
    texts = interface_texts(parameters, inputs, outputs, donated, about, more, failed, opens) | {
        "program.c": program_text(source, [*library, *["call_handler"] * bool(calls)], len(programs)),
        "model.c": model_text(programs, sizes, weights, parameters, gemm, embed),
        "threads.c": HIDDEN + TYPES_TEXT + "".join(map(read_code, ("clock.c", "threading.c", "threads.c"))),
        "Makefile": fill(
            template("Makefile"),
            {
                "OWN_OBJECTS": " ".join(f"{name}.o" for name in sources),
                "HANDLERS": make_variable(link_options(handlers)) if calls else "",
            },
        ),
    }
    if calls:
        texts |= {"handlers.c": HIDDEN + handlers_text("model"), "calls.c": calls_text(calls, handlers)}
    texts |= own_files
    if gemm:
        texts["gemm.c"] = template("gemm.c")
    return files_of(texts, weights)


def interface_texts(
    parameters: Sequence[Parameter],
    inputs: Tensors,
    outputs: Tensors,
    donated: Mapping[int, int],
    about: str = "",
    more: str = "",
    failed: str = "",
    is_open: bool = False,
) -> dict[str, str]:
    """The files that say how to call a program, and the command that calls it.

    Args:
        about: what to say about the program besides its inputs and results.
        more: what else the interface contains.
        failed: what else a call may return.
        is_open: whether sizes are open.
    """
    signature = {"SIGNATURE": signature_text(inputs, outputs, donated), "ABOUT": about, "MORE": more, "FAILED": failed}
    return {
        "model.h": fill(template("model.h"), signature | {"PARAMETERS": c_parameters(parameters)}),
        "model.hpp": fill(template("model.hpp"), cpp_parts(parameters, is_open)),
        "main.c": fill(template("main.c"), {"COMPILER": MARK} | (OPEN_COMMAND if is_open else COMMAND)),
    }


# What the command does with sizes.
COMMAND = {
    "FIRST_SIZES": "memcpy(sizes, model_describe_sizes()->values, sizeof sizes);",
    "NO_SIZES": "MODEL_NO_SIZES",
    "OTHERWISE": "the first ones that there is code for",
}
OPEN_COMMAND = {
    "FIRST_SIZES": "for (size_t i = 0; i < MODEL_SIZES; i++) sizes[i] = 1;",
    "NO_SIZES": "model_check_sizes(sizes)",
    "OTHERWISE": "1",
}


def files_of(texts: Mapping[str, str], weights: Weights) -> Files:
    """The files of a folder, given its texts."""
    files: dict[str, Iterable[bytes | memoryview]] = {}
    files |= {name: [f"{first_line(name)}\n{text}".encode()] for name, text in texts.items()}
    if weights.constants:
        files[WEIGHTS] = weights.parts()
    return files


def first_line(name: str) -> str:
    return f"# {name}, {MARK}" if name == "Makefile" else f"/* {name}, {MARK} */"


def template(name: str) -> str:
    return resources.files(__package__).joinpath("template", name).read_text(encoding="utf-8")


# ---------------------------------------------------------------- files


def expect_free(folder: Path, names: Iterable[str]) -> None:
    """Refuse a folder that contains anything else, another kind of program, or files that we did not write.

    Args:
        folder: where to write.
        names: the files to write.

    Raises:
        InputError: it is such a folder, or no folder.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file, expected a folder to write to")
    if folder.exists() and any(folder.iterdir()) and not any(is_ours(folder / name) for name in IN_EACH_FOLDER):
        raise InputError(f"{folder} is not empty and was not {MARK}; choose another folder")
    for name in names:
        held = [kind for file, kind in KINDS.items() if file != name and is_ours(folder / file)]
        if name in KINDS and held:
            raise InputError(f"{folder} holds a program {held[0]}, expected one {KINDS[name]}; choose another folder")
        if os.path.lexists(folder / name) and not is_ours(folder / name):
            raise InputError(
                f"{folder / name} already exists and was not {MARK}; choose another folder or move the file away"
            )


def is_ours(path: Path) -> bool:
    """Whether we wrote a file: a text or weights say so at the beginning, and compiled code has it as a string."""
    if not path.is_file() or path.is_symlink():
        return False
    with path.open("rb") as file:
        if path.name == "model.lib":  # the names that model.dll exports
            return b"model_compiler" in file.read()
        return MARK.encode() in (file.read() if path.name in COMPILED else file.read(200))


def write_files(folder: Path, files: Files) -> list[Path]:
    """Write each file completely or not at all."""
    expect_free(folder, files)
    folder.mkdir(parents=True, exist_ok=True)
    for name, parts in files.items():
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(parts)
            Path(temporary).chmod(0o755 if name in EXECUTABLES else 0o644)
            os.replace(temporary, folder / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    return [folder / name for name in files]


# ---------------------------------------------------------------- handlers that others compiled

# What else model.h says if a program calls such handlers.
FAILED = """,
  MODEL_HANDLER_FAILED = 6 /* a handler of a library failed; model_failure says why */"""
FAILURE = """
/* How often the program calls handlers of libraries. */
#define MODEL_HANDLERS {count}

/* Why the last run of a context failed, or why there is no context, if it is null: the message of the handler. */
const char *model_failure(const model_context *context);
"""
SYMBOL = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def calls_text(calls: Sequence[tuple[Block, Host]], handlers: Mapping[str, Handler]) -> str:
    """The tables of what a program calls, and of what it passes: calls.c.

    Raises:
        InputError: a handler is a function of this process, or has a name that is not valid in C.
    """
    functions, names, descriptions, lines = list[str](), list[str](), list[int](), list[str]()
    declared: dict[str, None] = {}
    for number, (block, step) in enumerate(calls):
        handler, description = handlers[step.name[1:]], describe(step, block)
        for stage in STAGES:
            _, symbol = handler.symbols.get(stage, ("", ""))
            known = stage not in handler.stages or any(not symbol for _, symbol in handler.symbols.values())
            if not known and not SYMBOL.fullmatch(symbol):
                message = (
                    f"handler {step.name[1:]!r} has no name that C can call; name it, as in ffi={{…: 'lib.so:name'}}"
                )
                raise InputError(message)
            declared |= {f"extern model_function {symbol};": None} if symbol else {}
            functions.append(symbol or "0")
        names.append(c_string(encode(step.name[1:])))
        descriptions.append(len(description))
        lines.append(f"static const _Alignas(8) unsigned char description{number}[] = {{")
        lines += [f"  {', '.join(map(str, description[at : at + 24]))}," for at in range(0, len(description), 24)]
        lines.append("};")
    listed = ", ".join(f"(const char *)description{number}" for number in range(len(calls)))
    lines += [
        f"model_function *const model_handlers[] = {{{', '.join(functions)}}};",
        f"const char *const model_handler_names[] = {{{', '.join(names)}}};",
        f"const char *const model_descriptions[] = {{{listed}}};",
        f"const __INTPTR_TYPE__ model_description_sizes[] = {{{', '.join(map(str, descriptions))}}};",
    ]
    return "\n".join(["typedef void model_function(void);", *declared, *lines, ""])


def link_options(handlers: Mapping[str, Handler]) -> list[str]:
    """The options that link the libraries of handlers, and let the program find them where they are now."""
    files = dict.fromkeys(file for handler in handlers.values() for file, _ in handler.symbols.values())
    folders = dict.fromkeys(os.path.dirname(file) for file in files if os.path.dirname(file))
    kept = [] if sys.platform in ("darwin", "win32") else ["-Wl,--no-as-needed"]
    return [*kept, *files, *(f"-Wl,-rpath,{folder}" for folder in folders)]


def make_variable(options: Sequence[str]) -> str:
    """The libraries of handlers as a variable of make, which its caller may change."""
    value = " ".join(shlex.quote(option) for option in options).replace("$", "$$").replace("#", "\\#")
    comment = "# the libraries of the handlers that the program calls, on this machine"
    return f"\n{comment}\nHANDLERS = {value}\nLIBRARIES += $(HANDLERS)"


# ---------------------------------------------------------------- text


def program_text(source: CSource, library: Sequence[str] = (), plans: int = 1) -> str:
    """The kernels, the driver and the table of library functions as one file, which exports `model_code` alone."""
    kernels = (kernel.text(static=True) for kernel in source.kernels.values())
    table = library_table(library) if library else ["static void *const *const library = 0;"]
    runs = ", ".join(map(entry_name, range(plans)))
    struct = OPEN_CODE_STRUCT if source.is_open else CODE_STRUCT
    code = [f"enum {{ PLANS = {plans} }};", struct, *table]
    code.append(f"const struct model_code model_code = {{{{{runs}}}, library}};\n")
    return "".join([HIDDEN, BIT_CAST, source.functions, *kernels, source.driver, "\n", "\n".join(code)])


def own_text(kind: str, functions: Sequence[str]) -> str:
    """Our own functions of a kind that a program calls, with names that no other library has."""
    names = (f"#define {name} model_{name}\n" for name in functions)
    return "".join([HIDDEN, *names, OWN_FUNCTIONS[kind]([name[0] for name in functions])])


def choices_text(programs: Programs, sizes: Sequence[str]) -> str:
    """The sizes that a program has code for: b = 1, 64, or for several sizes (b, t) = (1, 16), (64, 128)."""
    if programs[0].plan.is_open:
        return ", ".join(f"{name} from 1 to {largest(size)}" for name, size in zip(sizes, programs[0].sizes))
    if len(sizes) == 1:
        return f"{sizes[0]} = {', '.join(str(program.sizes[0]) for program in programs)}"
    return f"({', '.join(sizes)}) = {', '.join(str(program.sizes) for program in programs)}"


def signature_text(inputs: Tensors, outputs: Tensors, donated: Mapping[int, int]) -> str:
    """The inputs and results, for a comment."""
    lines = []
    for title, tensors in (("input", inputs), ("result", outputs)):
        lines += [f"   {title} {i}: {description(t)}" for i, t in enumerate(tensors)]
    lines += [f"   result {result} may be in the memory of input {n}" for result, n in donated.items()]
    return "\n".join(lines)


def description(tensor: CTensor) -> str:
    shape = tensor.type.shape
    names = tensor.dimensions if len(tensor.dimensions) == len(shape) else ("?",) * len(shape)
    sizes = ", ".join(c_comment(name) if size is None else str(size) for name, size in zip(names, shape))
    return f"{tensor.dtype}[{sizes}] {c_comment(tensor.name)}".rstrip()


# ---------------------------------------------------------------- the function's parameters

# The types of elements in C; of those that are not listed, an element is a byte.
C_TYPES = {"f32": "float", "f64": "double", "f16": "uint16_t", "bf16": "uint16_t", "index": "int64_t"}
C_TYPES |= {"complex<f32>": "float", "complex<f64>": "double"}
C_TYPES |= {f"{sign}i{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
C_TYPES |= {f"i{bits}": "int8_t" for bits in (2, 4)}
# What else the functions of model.c and model.hpp with these parameters use.
OTHER_IDENTIFIERS = (
    "context",
    "expect",
    "expect_size",
    "inputs",
    "main",
    "model_context",
    "model_describe_for",
    "model_run",
    "model_run_arrays",
    "model_run_for",
    "outputs",
    "std",
)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a program's function: an input, a result, a donated input that becomes a result, or a size.

    `count` is how many elements it has; None if that depends on sizes.
    """

    name: str
    type: str
    count: int | None
    comment: str
    input: int | None = None
    result: int | None = None

    @property
    def is_size(self) -> bool:
        return self.input is None and self.result is None

    @property
    def mark(self) -> str:
        return "const " if self.result is None else ""


def parameters_of(
    inputs: Tensors, outputs: Tensors, donated: Mapping[int, int], sizes: Sequence[str] = ()
) -> list[Parameter]:
    identifiers, parameters = Identifiers([*C_TYPES.values(), *OTHER_IDENTIFIERS]), list[Parameter]()
    result_of = {n: result for result, n in donated.items()}

    def add(tensor: CTensor, kind: str, number: int, comment: str, input: int | None, result: int | None) -> None:
        name = identifiers.add(tensor.name, kind, number)
        parts = 2 if tensor.dtype.startswith("complex") else 1
        count = None if None in tensor.type.shape else prod(static_shape(tensor.type)) * parts
        parameters.append(Parameter(name, c_type(tensor), count, f"{comment}: {description(tensor)}", input, result))

    for i, size in enumerate(sizes):
        comment = f"size {i}: {c_comment(size)}"
        parameters.append(Parameter(identifiers.add(size, "size", i), "int64_t", 1, comment))
    for i, tensor in enumerate(inputs):
        if i in result_of:
            add(tensor, "input", i, f"input {i}, which becomes result {result_of[i]}", i, result_of[i])
        else:
            add(tensor, "input", i, f"input {i}", i, None)
    for i, tensor in enumerate(outputs):
        if i not in donated:
            add(tensor, "result", i, f"result {i}", None, i)
    return parameters


def c_type(tensor: CTensor) -> str:
    return C_TYPES.get(tensor.dtype, "uint8_t")


def c_parameters(parameters: Sequence[Parameter]) -> str:
    lines = []
    for i, p in enumerate(parameters):
        comma = "," if i + 1 < len(parameters) else ""
        declared = f"{p.type} {p.name}" if p.is_size else f"{p.mark}{p.type} *{p.name}"
        lines.append(f"{declared}{comma} /* {p.comment} */")
    return "".join([",", *(f"\n              {line}" for line in lines), "\n             "]) if lines else ""


def cpp_parts(parameters: Sequence[Parameter], is_open: bool = False) -> dict[str, str]:
    """The parts of model.hpp. Identifiers that end in `_` are never those of parameters."""
    spans, data, checks = [], "", list[str]()
    for p in parameters:
        if p.is_size:
            spans.append(f"std::int64_t {p.name}")
            data += f", {p.name}"
            continue
        size = "" if p.count is None else f", {p.count}"
        spans.append(f"std::span<{p.mark}{p.type}{size}> {p.name}")
        data += f", {p.name}.data()"
        if p.count is None:
            place = f"inputs[{p.input}]" if p.input is not None else f"outputs[{p.result}]"
            checks.append(f'    expect_size("{p.name}", {p.name}.size_bytes(), info_->{place}.size);\n')
    sizes = [p.name for p in parameters if p.is_size]
    if sizes:
        head = f"    const std::int64_t sizes_[] = {{{', '.join(sizes)}}};\n"
        check = "    expect(model_check_sizes(sizes_), context);\n"
        head += check * is_open + "    const struct model_info *const info_ = model_describe_for(sizes_);\n"
        checks.insert(0, head if is_open else f"{head}    if (!info_) expect(MODEL_NO_SIZES, context);\n")
    parts = {"SPANS": ", ".join(spans), "DATA": data, "CHECKS": "".join(checks)}
    return parts | {"EXPECT_SIZE": EXPECT_SIZE if sizes else ""}


def pointers(parameters: Sequence[Parameter]) -> tuple[str, str]:
    """The names of the parameters that are inputs, and of those that are results, in the program's order."""
    names = {("input", p.input): p.name for p in parameters} | {("result", p.result): p.name for p in parameters}
    listed = tuple(
        ", ".join(
            name
            for (k, i), name in sorted(names.items(), key=lambda pair: pair[0][1] or 0)
            if k == kind and i is not None
        )
        for kind in ("input", "result")
    )
    return listed[0] or "0", listed[1] or "0"


# ---------------------------------------------------------------- tables


def model_text(
    programs: Programs,
    sizes: Sequence[str],
    weights: Weights,
    parameters: Sequence[Parameter],
    gemm: bool,
    embed: bool,
) -> str:
    """The tables of a program, in the template of the functions that are the same for all programs."""
    if opens := programs[0].plan.is_open:
        bound = align_size(largest(programs[0].source.arena)) if programs[0].is_bounded else 0
        arena = max(ALIGNMENT, bound)
    else:
        arena = max(ALIGNMENT, *(align_size(program.source.arena) for program in programs))
    copies, copied = 0, list[str]()
    for plan, program in enumerate(programs):
        end = 0
        for result, n in copied_results(program.plan, program.source).items():
            copied.append(f"{{{plan}, {n}, {result}, {end}}}")
            end += align_size(program.outputs[result].size)
        copies = max(copies, end)
    arrays = [] if opens else [(program.inputs, program.outputs) for program in programs]
    tables = interface_tables(weights, arrays, embed)
    infos = ", ".join(f"&info{plan or ''}" for plan in range(len(programs)))
    if opens:
        tables += open_tables(programs[0], sizes)
    else:
        tables.append(f"static const struct model_info *const infos[] = {{{infos}}};")
    if sizes and not opens:
        numbers = ", ".join(str(size) for program in programs for size in program.sizes)
        names_of_sizes = ", ".join(c_string(encode(size)) for size in sizes)
        message = encode(f"there is no code for these sizes; there is for {choices_text(programs, sizes)}")
        tables += [
            "/* The sizes that there is code for, and their names. */",
            f"static const int64_t choices[] = {{{numbers}}};",
            f"static const char *const size_names[] = {{{names_of_sizes}}};",
            f"static const char no_sizes[] = {c_string(message)};",
        ]
    tables += [
        "/* Donated inputs whose results are computed elsewhere and then copied: the input, the result, and where. */",
        f"enum {{ RESULTS = {max(1, len(programs[0].outputs))}, COPIED = {len(copied)} }};",
        f"static const struct {{ size_t plan, input, result, place; }} copied[] = {{{', '.join(copied) or '{0}'}}};",
        "/* The sizes of a run's working memory, of that of gemm.c, and of the results that are copied. */",
        f"static const size_t arena_size = {arena}, library_size = {GEMM_MEMORY * gemm}, copies_size = {copies};",
        "#define USE_LIBRARY_MEMORY(memory) " + ("model_library_memory = memory" if gemm else "(void)0"),
        *["_Thread_local char *model_library_memory;"] * gemm,
        "#ifdef MODEL_LEVELS",
        "extern const struct model_code model_code_baseline, model_code_avx2, model_code_avx512;",
        "extern const struct model_code model_code_avx512bf16;",
        "#else",
        "extern const struct model_code model_code;",
        "#endif",
    ]
    listed = ", ".join(p.name for p in parameters if p.is_size)
    run = f"model_run_for(context, (const int64_t[]){{{listed}}}, inputs, outputs)" if listed else None
    code = f"enum {{ PLANS = {len(programs)} }};\n{OPEN_CODE_STRUCT if opens else CODE_STRUCT}"
    parts = {"CODE_STRUCT": code, "TYPES": TYPES_TEXT, "TABLES": "\n".join(tables)}
    parts["RUN"] = run or "model_run_arrays(context, inputs, outputs)"
    parts |= open_parts(programs[0]) if opens else STATIC_PARTS | {"SIZES_CODE": template("sizes.c")}
    return fill(template("model.c"), parts | interface_parts(parameters))


# The parts of model.c that are others where sizes are open.
STATIC_PARTS = dict.fromkeys(("FIELDS", "FREE", "SIZES_GIVEN", "GROW", "SIZES", "OTHERWISE", "ONES"), "")
STATIC_PARTS |= {"INFO": "infos[plan]", "ARENA": "context->arena", "DESCRIBED": "&info"}
STATIC_PARTS |= {"NO_SIZES": "#ifdef MODEL_SIZES\n    case MODEL_NO_SIZES: return no_sizes;\n#endif\n"}
GROW = """
  const size_t needed = @ARENA@;
  if (needed > context->grown_size) {
    free(context->grown);
    context->grown = malloc(needed + ALIGNMENT);
    context->grown_size = context->grown ? needed : 0;
    if (!context->grown) return __atomic_store_n(&context->busy, 0, __ATOMIC_RELEASE), MODEL_NO_MEMORY;
  }
  char *const arena = (char *)(((uintptr_t)context->grown + ALIGNMENT - 1) & -(uintptr_t)ALIGNMENT);"""
COPY_SIZES = """
  int64 own[MODEL_SIZES];
  for (size_t i = 0; i < MODEL_SIZES; i++) own[i] = sizes[i];"""


def open_parts(program: Specialised) -> dict[str, str]:
    """The parts of model.c where sizes are open."""
    ones = ", ".join("1" for _ in program.sizes)
    parts = {"SIZES_GIVEN": ", const int64_t *sizes", "INFO": "described(sizes)", "SIZES": ", own", "NO_SIZES": ""}
    parts |= {"ONES": f", (const int64_t[]){{{ones}}}", "DESCRIBED": f"described((const int64_t[]){{{ones}}})"}
    count = "(int)(sizeof broken / sizeof *broken)"
    known = f"code >= MODEL_NO_SIZES && code < MODEL_NO_SIZES + {count}"
    parts["OTHERWISE"] = f"{known} ? broken[code - MODEL_NO_SIZES] : "
    checks = (f"  if (!({condition})) return MODEL_NO_SIZES + {i};" for i, (condition, _) in enumerate(program.checks))
    parts["SIZES_CODE"] = fill(template("open.c"), {"CHECKS": "\n".join(checks)})
    if program.is_bounded:
        return parts | {"FIELDS": "", "FREE": "", "GROW": COPY_SIZES, "ARENA": "context->arena"}
    grow = fill(GROW, {"ARENA": f"(size_t){program.source.arena}"})
    fields = "\n  char *grown; /* the working memory, allocated apart */\n  size_t grown_size;"
    return parts | {"FIELDS": fields, "FREE": "\n  free(context->grown);", "GROW": COPY_SIZES + grow, "ARENA": "arena"}


def open_tables(program: Specialised, sizes: Sequence[str]) -> Iterator[str]:
    """What model.c knows of open sizes: their names and limits, what may be wrong, and the arrays for each."""
    names = ", ".join(c_string(encode(name)) for name in sizes)
    yield f"static const char *const size_names[] = {{{names}}};"
    yield f"static const int64_t most_sizes[] = {{{', '.join(str(largest(size)) for size in program.sizes)}}};"
    messages = ", ".join(c_string(encode(message)) for _, message in program.checks)
    yield f"static const char *const broken[] = {{{messages}}};"
    tensors = *program.inputs, *program.outputs
    counts = len(program.inputs), len(program.outputs)
    numbers = [size for tensor in tensors for size in static_shape(tensor.type)]
    yield "static const struct model_info *described(const int64_t *sizes) {"
    yield f"  static _Thread_local size_t shapes[{max(1, len(numbers))}];"
    yield f"  static _Thread_local struct model_tensor tensors[{max(1, len(tensors))}];"
    yield "  static _Thread_local struct model_info info;"
    yield from (f"  shapes[{i}] = {size};" for i, size in enumerate(numbers))
    at = 0
    for i, t in enumerate(tensors):
        rank = len(t.type.shape)
        fields = f"{t.element_size}, {rank}, shapes + {at}, {t.size}"
        name, dtype = c_string(encode(t.name)), c_string(t.dtype.encode())
        yield f"  tensors[{i}] = (struct model_tensor){{{name}, {dtype}, {fields}}};"
        at += rank
    yield f"  info = (struct model_info){{{counts[0]}, {counts[1]}, tensors, tensors + {counts[0]}}};"
    yield "  return &info;"
    yield "}"


def interface_parts(parameters: Sequence[Parameter]) -> dict[str, str]:
    """The parts of a template model.c that say how the program is called."""
    given, written = pointers(parameters)
    parts = {"INPUTS": given, "OUTPUTS": written, "PARAMETERS": c_parameters(parameters)}
    return parts | {"COMPILER": c_string(MARK.encode()), "WEIGHTS": template("weights.c")}


def interface_tables(weights: Weights, arrays: Sequence[tuple[Tensors, Tensors]], embed: bool) -> list[str]:
    """What model.c knows about the program's arrays: the inputs and results for each choice of its sizes."""
    has, tables = bool(weights.constants), list[str]()
    for i, (inputs, outputs) in enumerate(arrays):
        end = i or ""
        tables += [*tensor_table(f"inputs{end}", inputs), *tensor_table(f"outputs{end}", outputs)]
        fields = f"{len(inputs)}, {len(outputs)}, inputs{end}, outputs{end}"
        tables.append(f"static const struct model_info info{end} = {{{fields}}};")
    tables += [
        "",
        "/* The file of the weights: its size, its first bytes, and the offset of each constant. */",
        f"enum {{ HAS_WEIGHTS = {int(has)}, CONSTANTS = {max(1, len(weights.constants))} }};",
        f"static const size_t weights_size = {weights.size};",
        f"static const char identity[] = {c_string(weights.identity if has else MARK.encode())};",
        f"static const size_t places[] = {{{', '.join(map(str, weights.places)) or '0'}}};",
    ]
    if embed and has:
        tables += ["#define EMBEDDED", "static const _Alignas(64) unsigned char embedded[] = {"]
        tables += [f'#embed "{WEIGHTS}"', "};"]
    return tables


def copied_results(plan: Plan, source: CSource) -> dict[int, int]:
    """Results in the memory of a donated input that are computed elsewhere and then copied, and that input."""
    return {result: n for result, n in plan.donated.items() if result not in source.in_place}


def encode(name: str) -> bytes:
    """The bytes that a name has in its file."""
    return name.encode("utf-8", "surrogateescape")


def align_size(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def tensor_table(name: str, tensors: Tensors) -> Iterator[str]:
    yield f"static const struct model_tensor {name}[] = {{"
    for tensor in tensors:
        shape = static_shape(tensor.type)
        sizes = f"(const size_t[]){{{', '.join(map(str, shape)) or '1'}}}"
        fields = f"{tensor.element_size}, {len(shape)}, {sizes}, {tensor.size}"
        yield f"  {{{c_string(encode(tensor.name))}, {c_string(tensor.dtype.encode())}, {fields}}},"
    if not tensors:
        yield "  {0},"
    yield "};"


def library_table(library: Sequence[str]) -> Iterator[str]:
    """The table of library functions; the macros CBLAS and LAPACK can change their names."""
    yield from ("#ifdef MODEL_BLAS", "#ifndef CBLAS", "#define CBLAS(name) cblas_##name", "#endif")
    yield from ("#ifndef LAPACK", "#define LAPACK(name) name##_", "#endif")
    yield from ("#else", "#define CBLAS(name) model_##name")
    if any(name.endswith("_") for name in library):
        yield '#error "this program calls LAPACK: make BLAS=-lopenblas, or link another library that has it"'
    yield "#endif"
    functions = list(map(function_text, library))
    yield f"void {', '.join(f'{function}(void)' for function in functions)};"
    yield f"static void *const library[] = {{{', '.join(f'(void *){function}' for function in functions)}}};"


def function_text(name: str) -> str:
    if name.endswith("_"):
        return f"LAPACK({name[:-1]})"
    return f"CBLAS({name.removeprefix('cblas_')})" if name.startswith("cblas_") else f"model_{name}"
