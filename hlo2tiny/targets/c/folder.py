"""Writes a program as a folder of C: the code that the native executor runs, its weights, and what both need.

The names of inputs and results come from an untrusted file. They occur in strings, escaped, and in one comment, from
which all but harmless characters are removed.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from math import prod
from pathlib import Path

import numpy as np

from ...errors import InputError, UnsupportedOp
from ...ir import QuantizedType, TensorType, error_at
from ...ir.dtypes import numpy_dtype, static_shape
from ...plan.memory import ALIGNMENT
from ...plan.plan import Host, Plan
from .driver import Source, library_of
from .templates import OWN_FUNCTIONS

# The first line of each file contains this; files that have it may be overwritten.
MARK = "written by hlo2tiny compile"
WEIGHTS = "weights.bin"
# A program's functions are called from its own files only.
HIDDEN = "#define EXPORTED\n"
# Clang's bit cast, for gcc.
BIT_CAST = """#ifndef __clang__
#define __builtin_bit_cast(T, x) ({ __auto_type from = (x); T to; __builtin_memcpy(&to, &from, sizeof to); to; })
#endif
"""


@dataclass(frozen=True)
class CTensor:
    """An input or result of a program in C: its name in the model and its type."""

    name: str
    type: TensorType

    @property
    def element_size(self) -> int:
        return numpy_dtype(self.type.element).itemsize

    @property
    def dtype(self) -> str:
        element = self.type.element
        return str(element.storage if isinstance(element, QuantizedType) else element)


Tensors = Sequence[CTensor]


@dataclass(frozen=True)
class Weights:
    """The file of a program's constants: a line that identifies them, then each at an aligned offset."""

    constants: Sequence[np.ndarray]

    @cached_property
    def identity(self) -> bytes:
        digest = hashlib.sha256()
        for array in self.constants:
            digest.update(array.tobytes() if array.dtype.kind == "V" else array.data)
        return f"{MARK}: weights {digest.hexdigest()}\n".encode()

    @cached_property
    def places(self) -> list[int]:
        places, end = [], len(self.identity)
        for array in self.constants:
            places.append(-(-end // ALIGNMENT) * ALIGNMENT)
            end = places[-1] + array.nbytes
        return places

    @property
    def size(self) -> int:
        return self.places[-1] + self.constants[-1].nbytes if self.constants else len(self.identity)

    def parts(self) -> Iterator[bytes]:
        """The contents of the file, in pieces."""
        yield self.identity
        end = len(self.identity)
        for place, array in zip(self.places, self.constants):
            yield bytes(place - end)
            yield array.tobytes()
            end = place + array.nbytes


def expect_no_host(plan: Plan) -> None:
    """Refuse a plan with steps that run in Python.

    Raises:
        UnsupportedOp: the plan has such a step.
    """
    for step in (step for block in plan.blocks() for step in block.steps if isinstance(step, Host)):
        subject = f"{step.name[1:]} " if step.name.startswith("@") else ""
        cure = "compute this part outside the exported function, or use hlo2tiny run"
        message = f"{subject}runs in Python, which a program in C cannot call; {cure}"
        raise error_at(step.op, message, UnsupportedOp)


def write_folder(
    folder: Path, plan: Plan, source: Source, constants: Sequence[np.ndarray], inputs: Tensors, outputs: Tensors
) -> list[Path]:
    """Write a program and its Makefile, and return the paths of the files.

    Raises:
        InputError: the folder has a file of the same name that this function did not write.
        OSError: a file cannot be written.
    """
    weights = Weights(constants)
    library = library_of(plan)
    own = {kind: [name for name in library if name.endswith(kind)] for kind in OWN_FUNCTIONS}
    own_files = {f"{kind}.c": own_text(kind, names) for kind, names in own.items() if names}
    gemm = any(name.startswith("cblas_") for name in library)
    sources = ["program", "model", *(Path(name).stem for name in own_files), *["gemm"] * gemm]
    texts = {
        "program.c": program_text(source),
        "model.h": template("model.h").replace("SIGNATURE", signature_text(inputs, outputs, source.in_place)),
        "model.c": model_text(source, weights, inputs, outputs, library),
        "main.c": template("main.c"),
        "threads.c": resources.files(__package__).joinpath("threads.c").read_text(encoding="utf-8"),
        "Makefile": template("Makefile").replace("OWN_OBJECTS", " ".join(f"{name}.o" for name in sources)),
    }
    texts |= own_files
    if gemm:
        texts["gemm.c"] = template("gemm.c")
    files: dict[str, Iterable[bytes]] = {}
    files |= {name: [f"{first_line(name)}\n{text}".encode()] for name, text in texts.items()}
    if constants:
        files[WEIGHTS] = weights.parts()
    return write_files(folder, files)


def first_line(name: str) -> str:
    return f"# {name}, {MARK}" if name == "Makefile" else f"/* {name}, {MARK} */"


def template(name: str) -> str:
    return resources.files(__package__).joinpath("template", name).read_text(encoding="utf-8")


# ---------------------------------------------------------------- files


def write_files(folder: Path, files: Mapping[str, Iterable[bytes]]) -> list[Path]:
    """Write each file completely or not at all, and overwrite only files that we wrote."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file, expected a folder to write to")
    for name in files:
        expect_ours(folder / name)
    folder.mkdir(parents=True, exist_ok=True)
    for name, parts in files.items():
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(parts)
            Path(temporary).chmod(0o644)
            os.replace(temporary, folder / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    return [folder / name for name in files]


def expect_ours(path: Path) -> None:
    if not os.path.lexists(path):
        return
    if path.is_file() and not path.is_symlink():
        with path.open("rb") as file:
            if MARK.encode() in file.read(200):
                return
    raise InputError(f"{path} already exists and was not {MARK}; choose another folder or move the file away")


# ---------------------------------------------------------------- text


def program_text(source: Source) -> str:
    """The kernels and the driver as one file, which exports `run_plan` alone."""
    kernels = (kernel.text(static=True) for kernel in source.kernels)
    return "".join([HIDDEN, BIT_CAST, source.functions, *kernels, source.driver])


def own_text(kind: str, functions: Sequence[str]) -> str:
    """Our own functions of a kind that a program calls, under names that no other library has."""
    names = (f"#define {name} model_{name}\n" for name in functions)
    return "".join([HIDDEN, *names, OWN_FUNCTIONS[kind]([name[0] for name in functions])])


def signature_text(inputs: Tensors, outputs: Tensors, in_place: Mapping[int, int]) -> str:
    """The inputs and results, for a comment."""
    lines = []
    for title, tensors in (("input", inputs), ("result", outputs)):
        lines += [f"   {title} {i}: {description(t)}" for i, t in enumerate(tensors)]
    lines += [f"   result {result} may be in the memory of input {n}" for result, n in in_place.items()]
    return "\n".join(lines)


def description(tensor: CTensor) -> str:
    shape = ", ".join(map(str, static_shape(tensor.type)))
    name = re.sub(r"[^A-Za-z0-9_.,:;()\[\]<>'= +-]", "_", tensor.name)[:200]
    return f"{tensor.dtype}[{shape}] {name}".rstrip()


def model_text(source: Source, weights: Weights, inputs: Tensors, outputs: Tensors, library: Sequence[str]) -> str:
    """The tables of a program, in the template of the functions that are the same for all programs."""
    arena = max(ALIGNMENT, -(-source.arena // ALIGNMENT) * ALIGNMENT)
    tables = [
        *tensor_table("inputs", inputs),
        *tensor_table("outputs", outputs),
        '__attribute__((visibility("default"))) const struct model_info model_info = '
        f"{{{len(inputs)}, {len(outputs)}, inputs, outputs}};",
        "",
        "/* The file of the weights: its size, its first line, and the offset of each constant. */",
        f"enum {{ HAS_WEIGHTS = {int(bool(weights.constants))} }};",
        f"static const size_t weights_size = {weights.size};",
        f"static const char identity[] = {c_string(weights.identity if weights.constants else b'')};",
        f"static const size_t places[] = {{{', '.join(map(str, weights.places)) or '0'}}};",
        "/* The size of a run's working memory. */",
        f"static const size_t arena_size = {arena};",
        "",
        *(library_table(library) if library else ["static void *const *const library = 0;"]),
    ]
    return template("model.c").replace("TABLES", "\n".join(tables))


def tensor_table(name: str, tensors: Tensors) -> Iterator[str]:
    yield f"static const struct model_tensor {name}[] = {{"
    for tensor in tensors:
        shape = static_shape(tensor.type)
        sizes = f"(const size_t[]){{{', '.join(map(str, shape)) or '1'}}}"
        fields = f"{tensor.element_size}, {len(shape)}, {sizes}, {prod(shape) * tensor.element_size}"
        name_bytes = tensor.name.encode("utf-8", "surrogateescape")  # the bytes that the file has
        yield f"  {{{c_string(name_bytes)}, {c_string(tensor.dtype.encode())}, {fields}}},"
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


def c_string(text: bytes) -> str:
    """A string literal of printable ASCII, with no trigraph and no escape that runs into the next character."""
    plain = (chr(c) if 32 <= c < 127 and chr(c) not in '"\\?' else f"\\{c:03o}" for c in text)
    return f'"{"".join(plain)}"'
