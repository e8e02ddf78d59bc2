"""How a program in C is called: its inputs and results, and what model.h, model.hpp and model.c say about them.

The names of inputs and results come from an untrusted file. They occur in strings, in comments and as identifiers, as
`templates` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from ...ir import QuantizedType, TensorType
from ...ir.dtypes import numpy_dtype, static_shape
from ...ir.sizes import is_open
from ...records import dataclass
from ...templates import Identifiers, c_comment, c_string, fill
from .templates import template
from .weights import Weights
from .writing import MARK, WEIGHTS

# What C++ checks where sizes are open.
EXPECT_SIZE = """  static void expect_size(const char *name, std::size_t found, std::size_t expected) {
    if (found != expected)
      throw std::invalid_argument(std::string(name) + " has " + std::to_string(found) + " bytes, expected " +
                                  std::to_string(expected));
  }
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


def declared(versions: Sequence[CTensor]) -> CTensor:
    """A tensor whose dimensions are open if they differ between choices of sizes."""
    first, *others = versions
    shapes = [version.type.shape for version in others]
    dimensions = enumerate(first.type.shape)
    shape = tuple(d if not is_open(d) and all(s[i] == d for s in shapes) else None for i, d in dimensions)
    return replace(first, type=replace(first.type, shape=shape))


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
        c_type, about = C_TYPES.get(tensor.dtype, "uint8_t"), f"{comment}: {description(tensor)}"
        parameters.append(Parameter(name, c_type, count, about, input, result))

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


def c_parameters(parameters: Sequence[Parameter]) -> str:
    lines = []
    for i, p in enumerate(parameters):
        comma = "," if i + 1 < len(parameters) else ""
        declared = f"{p.type} {p.name}" if p.is_size else f"{p.mark}{p.type} *{p.name}"
        lines.append(f"{declared}{comma} /* {p.comment} */")
    return "".join([",", *(f"\n              {line}" for line in lines), "\n             "]) if lines else ""


def cpp_parts(parameters: Sequence[Parameter], is_open: bool) -> dict[str, str]:
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

    def names(number: Callable[[Parameter], int | None]) -> str:
        numbered = {i: p.name for p in parameters if (i := number(p)) is not None}
        return ", ".join(numbered[i] for i in sorted(numbered)) or "0"

    return names(lambda p: p.input), names(lambda p: p.result)


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
        f"static const size_t places[] = {{{', '.join(map(str, weights.offsets)) or '0'}}};",
    ]
    if embed and has:
        tables += ["#define EMBEDDED", "static const _Alignas(64) unsigned char embedded[] = {"]
        tables += [f'#embed "{WEIGHTS}"', "};"]
    return tables


def encode(name: str) -> bytes:
    """The bytes that a name has in its file."""
    return name.encode("utf-8", "surrogateescape")


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
