"""The C files of this folder, cut into parts that are printed once for each type that a program needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from ...plan.fourier import LARGEST_PRIME, Lines, Transform
from .convolution import Pieces
from .linking import preprocess
from .products import TYPES


def read_code(file: str) -> str:
    return (Path(__file__).parent / file).read_text(encoding="utf-8")  # importlib.resources would import zipfile


def template(file: str) -> str:
    """A file of a program in C, with placeholders."""
    return read_code(f"template/{file}")


# What precedes all other code.
TYPES_TEXT = read_code("types.c")
# The functions of selection.c, and the types of their numbers.
SELECTION = {name: type for type, name in re.findall(r"(?m)^LARGEST\((\w+), (\w+)", read_code("selection.c"))}
CLOCK = read_code("clock.c")
# The parts of driver.c: for every driver, for those with i1 arguments, for those with loops whose iterations threads
# run independently, for those with products of complex matrices, for profiled ones, and the entry of every one.
COMMON, COPIES, TRUTH_VALUES, ITERATIONS, COMPLEX, PROFILE, ENTRY = re.split(
    r"(?m)(?=^/\* (?:copies|truth values|iterations|complex|profile|entry):)", read_code("driver.c")
)
# The same for programs with open sizes.
OPEN_COMMON = COMMON.replace("  long *second;\n", "  long *second;\n  const int64 *sizes;\n")
# What their functions begin with.
SIZES = "const int64 *const sizes = k->sizes; (void)sizes;"
# What follows a driver that is called with numpy's arrays.
ARRAYS = read_code("arrays.c")

# What calls handlers that others compiled.
_CALLING = read_code("handlers.c")
# What the calls in a driver need.
CALL_HANDLER = "typedef int (*call_handler)(void *, long, char **, char **, const void *);"


def handlers_text(prefix: str) -> str:
    """The functions of handlers.c, with names that no other library has."""
    names = re.findall(r"(?m)^EXPORTED [^(]*?(\w+)\(", _CALLING)
    return "".join([TYPES_TEXT, *(f"#define {name} {prefix}_{name}\n" for name in names), _CALLING])


def selection_unit(name: str) -> str:
    """A function of selection.c as a translation unit."""
    common, *functions = re.split(r"(?m)^(?=LARGEST\()", read_code("selection.c"))
    return "".join([TYPES_TEXT, "#define LARGEST_OF\n", common, *(f for f in functions if f", {name}," in f)])


def selection_prototype(name: str) -> str:
    return f"int64 {name}(int64 *held, const {SELECTION[name]} *row, int size, int count);\n"


# ---------------------------------------------------------------- products

_SHARED = read_code("vectors.c")
_HEAD, _TYPED = read_code("product.c").split("/* types */\n")
_TYPED_NAMES = re.compile(
    r"\b(VECTOR|LANES|PANEL|PIECE_ROWS|PER|SAME|FEWEST|B_KIND|FLIP|EXCESS|ADD_BYTES|ALONE|ALONE_OF_B|SHORTS|PAIRS|WORDS|OCTETS|SIGNED_OCTETS|LOAD_WORDS|LOADED|LOAD|LOAD_RUN|LOAD_REST|LOAD_RUN_OF_B|ADD_PRODUCTS|ADD_TIMES|ADD_ROW|ADD_NARROW|ADD_PART|ADD_VECTORS|TILE\d?|WIDTHS|AHEAD|GROUP|GROUP_SHIFT|SHIFT|TRANSPOSED_SHIFT|STRIP|NUMBER|OTHER|TRANSPOSE|COPY|COPY_PLAIN|PACK|TOTAL|PART_END|DOTS|DOT|BY_COLUMNS|ADD_ROWS|BY_ROWS|NARROW_DOTS|BYTES_DOT|NARROW_COLUMNS|NUMBERS|WHOLE|LOW_BITS|WIDEN|OFFSET|GATHER|JOB|PIECE|PIECE_OF|IS_TURNED|TURNED_PIECE|TWO_PANELS|WHOLE_PIECE|BLOCK_COLUMNS|WORK|TAKE|FEED)\b"
)
# What is defined for the products of a letter, by which the code knows their types.
_MARKS = {"s": "BOTH_WIDE", "d": "BOTH_WIDE", "i": "BOTH_WIDE", "q": "SCALED"}
_MARKS |= {"p": "BOTH_BF16", "f": "BOTH_F16", "o": "BOTH_BYTES I8", "u": "BOTH_BYTES UI8"}
_CASE = re.compile(r"^ *case KIND:.*\n", re.MULTILINE)
_STRUCTS = "".join(re.findall(r"^struct (?:product|consumer) {.*?^};\n", _HEAD, re.MULTILINE | re.DOTALL))
# What the calls of matrix products in a driver need.
DECLARATIONS = f"""{_STRUCTS}typedef void (*product)(const struct product *, const void *, const void *, const void *,
                        void *, void (*)(void (*)(void *const *, long, long), void *const *, long),
                        const struct consumer *);
typedef void (*cgemm)(int, int, int, int, int, int, const void *, const void *, int, const void *, int, const void *,
                      void *, int);
typedef cgemm zgemm;
MAYBE_UNUSED static const float cone[2] = {{1, 0}}, czero[2];
MAYBE_UNUSED static const double zone[2] = {{1, 0}}, zzero[2];
"""


def library_text(letters: Sequence[str] = tuple(TYPES)) -> str:
    """The functions `sproduct`, `dproduct` and so on, for all letters or some, as one translation unit."""
    tiles = read_code("tiles.c") if set(letters) & set("oup") else ""
    return (
        TYPES_TEXT + _SHARED + _HEAD + tiles + "".join(product_functions(letter, *TYPES[letter]) for letter in letters)
    )


def product_functions(letter: str, number: str, size: int, narrow: Sequence[str]) -> str:
    text = _TYPED_NAMES.sub(rf"\g<0>_{letter}", _TYPED).replace("LANES_SIZE", f"LANES_{size}")
    text = _CASE.sub(lambda case: "".join(case[0].replace("KIND", kind.upper()) for kind in narrow), text)
    text = text.replace("WIDENED", "widened_int" if number == "int" else "widened_float")
    text = re.sub(r"\bT\b", number, text).replace("MULTIPLY", f"{letter}product")
    mark = _MARKS.get(letter)
    return f"#define {mark}\n{text}#undef {mark.split()[0]}\n" if mark else text


# ---------------------------------------------------------------- convolutions and transforms

# The parts of convolution.c: the struct; constants; a product, printed once for each number of vectors; and the other
# functions, printed once for each type that is needed.
WINDOWS_STRUCT, _SIZES, _PRODUCT, _FUNCTIONS = re.split(
    r"/\* (?:sizes|product|functions) \*/", read_code("convolution.c")
)
_NAMES = re.compile(
    r"\b(FILL|FILL_PANEL|COPY_FEW|COPY_SECOND|PRODUCT\d?|APART\d?|ALONE|MULTIPLY|OFFSETS|POINTERS|PACK|PIECE|WORK|JOB|PANEL"
    r"|NEAR|VECTOR|FOUR|COUNT|T)\b"
)


def substitute_type(text: str, names: re.Pattern[str], letter: str) -> str:
    """Replace T by a type's name in C, and add the type's letter to the other names."""
    return names.sub(lambda name: TYPES[letter][0] if name[0] == "T" else f"{name[0].lower()}_{letter}", text)


def convolution_functions(letter: str) -> str:
    vector = f"typedef {TYPES[letter][0]} VECTOR __attribute__((vector_size(BYTES), aligned(sizeof(T)), may_alias));\n"
    products = [re.sub(r"\b(PRODUCT|APART)\b", rf"\g<1>{n}", _PRODUCT).replace("COUNT", str(n)) for n in (1, 2, 3, 4)]
    return substitute_type("".join([vector, *products, _FUNCTIONS]), _NAMES, letter).replace(
        "CONVOLVE", f"{letter}convolve"
    )


def convolution_text(letters: Sequence[str]) -> str:
    """The functions `sconvolve` and `dconvolve`, or one of them, as one translation unit."""
    return "".join([TYPES_TEXT, COMMON, WINDOWS_STRUCT, _SIZES, *map(convolution_functions, letters)])


def windows_fields(p: Pieces) -> str:
    """The fields of a `struct convolution` in the order of convolution.c."""
    w = p.windows
    rows = [(d.places, d.window, d.stride, d.dilation, d.padding, d.base, d.size, d.step) for d in w.dimensions]
    outer = [w.dimensions[d].out for d in w.outer]
    numbers = [w.groups, w.group_input, w.group_kernel, w.group_output, w.rows, w.depth, w.features, w.row_step]
    numbers += [w.depth_step, w.kernel_feature_step, w.feature_step, w.kind, w.run]
    numbers += [p.part_rows, p.part_features, p.part_depth, p.scratch, p.width, p.portion, p.held]
    lists = [write_initializer(column) for column in (*zip(*rows), w.place_order, w.window_order)]
    fields = [len(w.dimensions), *lists, len(w.outer), write_initializer(w.outer), write_initializer(outer), *numbers]
    return ", ".join(map(str, fields))


# The parts of fourier.c. A function for all lengths has passes of these factors, and one for all others.
LINES_STRUCT, _VECTORS, _PLANES, _PAIRS, _BUTTERFLIES, _SHUFFLES, _PASSES, _EACH, _LINES = re.split(
    r"/\* (?:functions|planes|pairs|butterflies|shuffles|passes|each factor|lines) \*/\n", read_code("fourier.c")
)
OWN_FACTORS = (2, 3, 4, 5, 7, 8)
_REAL_NAMES = re.compile(r"\b(PAIRS|SPREAD|REALS|FOLD|UNFOLD)\b")
_LINES_NAMES = re.compile(
    r"\b((?:PAIRS|SPREAD|REALS|FOLD|UNFOLD)[1V]|PASS\d?|PLANES|VECTOR|SINGLE|QUARTER|BUTTERFLY|TRANSPOSE|TURNS|SCATTER|NARROW|GROUP"
    r"|NARROW_PASS|WIDE|EXCHANGED|MOVED|SWAP|TIMES|COPY|CLEAR|DIRECT|CONVOLVE|PASSES|SIDE|SIDE_OF|LOAD_SQUARE|STORE_SQUARE"
    r"|LOAD|STORE|PLACE|MOST|TOGETHER|LINES|SHARE|SOME|T)\b"
)


def fourier_functions(
    letter: str, own: Sequence[int] = OWN_FACTORS, most: int = LARGEST_PRIME, vectors: bool = True
) -> str:
    """The passes of the factors in `own` are printed one by one; others are at most `most`."""
    kinds = {"V": ("VECTOR", "(LINE_BYTES / (long)sizeof(T))"), "1": ("SINGLE", "1")}
    define = {mark: f"#undef V\n#undef W\n#define V {kind}\n#define W {w}\n" for mark, (kind, w) in kinds.items()}
    parts = [_PLANES]
    for mark in "1V"[: 1 + vectors]:
        parts += [define[mark], _REAL_NAMES.sub(rf"\g<0>{mark}", _PAIRS)]
    parts += [_BUTTERFLIES, _SHUFFLES if vectors else "", _PASSES]
    parts += [_EACH.replace("PASSFACTOR", f"PASS{f}").replace("FACTOR", str(f or "factor")) for f in (*own, 0)]
    cases = [f"{f'case {f}' if f else 'default'}: PASS{f}(factor, w, parts, apart, run, *x, *y);" for f in (*own, 0)]
    parts.append(_LINES.replace("CASES", " break;\n      ".join(cases)))
    text = "".join(parts).replace("TRANSFORM", f"{letter}transform").replace("MOST_FACTOR", str(most))
    text = text if vectors else re.sub(r"\b(\w+)1 : \1V\b", r"\g<1>1 : \g<1>1", text)
    return f"#undef LIST\n#define LIST LIST_{letter}\n{substitute_type(text, _LINES_NAMES, letter)}"


def transform_text(letters: Sequence[str]) -> str:
    """The functions `stransform` and `dtransform`, or one of them, as one translation unit."""
    return "".join([TYPES_TEXT, COMMON, LINES_STRUCT, _SHARED, _VECTORS, *map(fourier_functions, letters)])


def scalar_transforms(transforms: Sequence[Transform]) -> str:
    """The same for some transforms only, without vectors, for a file that has the types and structs."""
    factors = {p.factor for t in transforms for v in t.lines for p in v.passes if not p.size}
    own, letters = sorted(f for f in factors if f % 2 == 0), sorted({t.letter for t in transforms})
    functions = [fourier_functions(letter, own, max(factors, default=2), vectors=False) for letter in letters]
    return "".join([_SHARED, _VECTORS, *functions] if letters else [])


def lines_fields(v: Lines) -> str:
    """The fields of a `struct lines`, in the order of fourier.c."""
    numbers = [v.length, v.size, v.count, v.inner, v.before, v.after, v.source, v.target, v.lanes, v.scratch, v.plane]
    passes = [write_initializer([p.factor, p.size, p.generator, p.inner]) for p in v.passes]
    return f"{', '.join(map(str, numbers))}, {len(passes)}, (const struct pass[]){{{', '.join(passes) or '{0}'}}}"


# ---------------------------------------------------------------- rounding

# The types of rounding.c: an integer with the same bits, their number, those of the fraction, the end of names, bytes.
_ROUNDED = {"float": ("unsigned", 32, 23, "f", 4), "double": ("uint64", 64, 52, "", 8)}
_ROUNDING_NAMES = re.compile(r"\b(T|BITS|WIDTH|FRACTION|TRUNC|SQRT)\b")


def rounding_text() -> str:
    """Square roots and integral parts, under the names by which kernels call them."""
    text, parts = read_code("rounding.c"), ["#define MAYBE_UNUSED __attribute__((unused))\n"]
    for number, (bits, width, fraction, end, size) in _ROUNDED.items():
        names = {"T": number, "BITS": bits, "WIDTH": str(width), "FRACTION": str(fraction)}
        names |= {"TRUNC": f"model_trunc{end}", "SQRT": f"model_sqrt{end}"}
        parts.append(_ROUNDING_NAMES.sub(lambda name, names=names: names[name[0]], text))  # type: ignore[misc]
        parts.append(f"#define __builtin_trunc{end} model_trunc{end}\n")
        parts.append(f"#if !(__ARM_FP & {size}) && !(__riscv_flen + 0 >= {8 * size})\n")
        parts.append(f"#define __builtin_sqrt{end} model_sqrt{end}\n#endif\n")
    return "".join(parts)


# ---------------------------------------------------------------- attention

# What the calls of attention in a driver need.
_CHANGES, _RESULTS = read_code("attention.c").split("/* results */\n")
_GRADIENTS = read_code("attention_gradients.c")
ATTENTION_STRUCTS = "".join(
    re.findall(r"(?ms)^struct (?:change|heads|attention|gradients) {.*?^};\n", _CHANGES + _RESULTS + _GRADIENTS)
) + (
    """typedef void (*attention)(const struct attention *, const void *, const void *, const void *,
                          const void *const *, void *const *, char *, long,
                          void (*)(void (*)(void *const *, long, long), void *const *, long));
typedef void (*gradients)(const struct gradients *, const void *, const void *, const void *, const void *const *,
                          const void *, const float *, const float *, const void *, void *const *, char *, long,
                          void (*)(void (*)(void *const *, long, long), void *const *, long));
"""
)


def attention_text(letters: Sequence[str]) -> str:
    """The function `sattention` as one translation unit, which has the parts of matrix products that it uses."""
    return "".join([_products_of_attention(), read_code("elementary.c"), _CHANGES, _RESULTS])


def attention_gradients_text(letters: Sequence[str]) -> str:
    """The function `sgradients` likewise."""
    return "".join([_products_of_attention(), read_code("elementary.c"), _CHANGES, _GRADIENTS])


def _products_of_attention() -> str:
    return library_text("sp").replace("EXPORTED void", "MAYBE_UNUSED static void")


# Our own library functions, by what they compute: their text, given their letters.
OWN_FUNCTIONS: dict[str, Callable[[Sequence[str]], str]] = {
    "product": library_text,
    "convolve": convolution_text,
    "transform": transform_text,
    "attention": attention_text,
    "gradients": attention_gradients_text,
}


# The sizes of a tile, which the C files choose for the processor.
TILE = re.compile(r"enum {[^}]*\bBYTES = (\d+)[^}]*\bVECTORS = (\d+) }")


def tile_size(kind: str, machine: Sequence[str] = ()) -> str:
    """The two numbers of `code.tile_of`; `machine` is as in `Build`."""
    found = TILE.search(preprocess(OWN_FUNCTIONS[kind]("s"), machine))
    assert found is not None
    return " ".join(found.groups())


def units_of(name: str) -> list[str]:
    """The translation units of code that all programs share; those that take longest to compile come first."""
    if name in ("threads", "grid"):
        own = ("semaphores.c", "threads.c") if name == "threads" else ("grid.c",)
        return ["".join(map(read_code, ("types.c", "clock.c", "threading.c", *own)))]
    if name == "handlers":
        return [handlers_text("hlo2tiny")]
    letter, kind = name[0], name[1:]
    text = OWN_FUNCTIONS[kind](letter)
    if kind == "product":
        return [unit(number, text) for number in (1, 2, 0)]
    if kind in ("attention", "gradients"):
        products = [unit(1, library_text(letter)), unit(1, library_text("p"))]
        return [unit(3, text), *products, *[unit(2, library_text(letter))] * (kind == "attention")]
    return [text]


def unit(number: int, text: str) -> str:
    """One unit of product.c and what follows it."""
    return f"#define UNIT {number}\n{text}"


def write_initializer(numbers: Sequence[int]) -> str:
    return "{" + (", ".join(map(str, numbers)) or "0") + "}"
