"""Matrix products in C: our own in product.c for real numbers and integers, BLAS's for complex numbers; attention."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite, isnan, prod
from typing import Any

from ...ir import ScalarType
from ...ir.dtypes import numpy_dtype
from ...ir.sizes import is_open, largest, relation, typical
from ...plan.convolution import COPIED, READ
from ...plan.gemm import Matrix, Product
from ...plan.heads import BiasGradient, Change, Gradients, Heads, Offset, Strides
from ...plan.plan import Attention, Block, Convolution, Gemm
from .packing import Packing

# The types that a matrix's numbers may have, as product.c numbers them; the first means the type of the product.
NARROW = ("", "bf16", "f16", "i8", "ui8", "i16", "ui16", "i4")
BYTES = NARROW[3:5]
# By letter: the C type, its size, and the narrow types that are widened to it (code without widening compiles faster).
# The products of "p" and "f" are of two bf16 or f16 matrices, those of "o" and "u" of two of bytes, whose left ones are
# signed or not; those of "q" scale what they widen.
TYPES: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "s": ("float", 4, ()), "d": ("double", 8, ()), "i": ("int", 4, ()),
    "h": ("float", 4, NARROW[1:3]), "b": ("int", 4, NARROW[3:7]), "p": ("float", 4, NARROW[1:2]),
    "f": ("float", 4, NARROW[2:3]), "q": ("float", 4, ("i8", "i4")), "o": ("int", 4, BYTES), "u": ("int", 4, BYTES),
}  # fmt: skip
WIDENING = {"s": "h", "i": "b"}
SIZES = {"c": 8, "z": 16}
# The pieces that a kernel consumes: how many per thread, the bytes that stay in a near cache, the minimum of rows.
PIECES, HELD, PIECE_ROWS = 8, 1 << 18, 24
ROW_MAJOR, AS_IT_IS, TRANSPOSED = 101, 111, 112


def is_transposed(p: Product) -> bool:
    """Whether the transposed product is computed: a column has the same memory layout as the row that this gives."""
    return p.n == 1


def function_of(step: Gemm) -> str:
    """The name of the function that computes a product."""
    p = step.product
    if p.letter in "cz":
        return f"cblas_{p.letter}gemm"
    if p.group:
        return "qproduct"
    if p.a.narrow == p.b.narrow and (letter := {"bf16": "p", "f16": "f"}.get(p.a.narrow)):
        return f"{letter}product"
    if p.a.narrow in BYTES and p.b.narrow in BYTES:
        left = p.b if is_transposed(p) else p.a
        return "oproduct" if left.narrow == "i8" else "uproduct"
    return f"{WIDENING[p.letter] if p.a.narrow or p.b.narrow else p.letter}product"


# With at most this many rows, a product reads contiguous columns in place; see FEW in product.c.
FEW = 12


def packing_of(step: Gemm | Convolution, widths: Callable[[str, int], int]) -> Packing | None:
    """How the right matrix of a product, or the kernel of a convolution, can be packed; None if that gains nothing.

    `widths` gives the width of panels for a library function and a number of columns.
    """
    if isinstance(step, Convolution):
        w = step.windows
        if w.groups > 1 or w.kind not in (READ, COPIED) or is_open(w.depth * w.features):
            return None
        return Packing(
            w.depth, w.features, w.depth_step, w.kernel_feature_step, widths(f"{w.letter}convolve", w.features)
        )
    p = step.product
    row, column = distances(p.b)
    few = relation(p.usual or p.m, "<=", FEW) is True and p.b.transposed
    if (
        any(offset.operand for offset in p.offsets)
        or is_open(p.k * p.n)
        or p.letter not in "sd"
        or p.batch
        or few
        or p.n == 1
        or p.a.narrow
        or p.b.narrow
    ):
        return None
    return Packing(p.k, p.n, row, column, widths(function_of(step), p.n))


def rows_consumed(p: Product) -> int:
    """The rows that a product, with those of a whole batch one after the other, can pass to a kernel, or 0.

    Pieces of a matrix convert B again, which is worth it only where a piece has about as many rows as B.
    """
    if p.letter not in "sd" or p.group or p.n <= 1 or p.a.transposed:
        return 0
    held = max(PIECE_ROWS, HELD // (typical(p.n) * TYPES[p.letter][1]))
    is_plain = not (p.a.narrow or p.b.narrow or p.batch)
    return prod(p.batch) * p.m if is_plain or typical(p.m) <= held or typical(p.k) <= 2 * held else 0


def consumer(step: Gemm, iteration: int, threads: int) -> tuple[int, int]:
    """The rows of a piece that the next kernel consumes, `iteration` of them at a time, and the bytes of a piece."""
    p = step.product
    size = p.n * TYPES[p.letter][1]
    m = typical(prod(p.batch) * p.m)
    most = max(min(m // (PIECES * threads), HELD // size), PIECE_ROWS, iteration)
    rows = -(-m // (max(1, m // most) * iteration)) * iteration  # about as many in each piece
    return rows, -(-rows * size // 64) * 64


def product(
    step: Gemm,
    v: Mapping[int, str],
    number: int,
    structs: dict[str, str],
    packed: tuple[str, Packing] | None = None,
    consumer: str = "0",
) -> Iterator[str]:
    """Yield the call of library function `number` for a product of values at the addresses `v`.

    The first argument is a struct with the sizes and strides. Equal products share one: `structs` maps their contents
    to names. `packed` is the index of the packed right matrix's address, which may be null, and how it is packed;
    `consumer` is the address of the struct that describes what consumes the rows.
    """
    p = step.product
    if p.letter in "cz":
        yield from complex_product(step, v, number)
        return
    (a_row, a_column), (b_row, b_column) = distances(p.a), distances(p.b)
    a, b, *others = step.inputs
    places = [v[a], v[b]]
    for offset, index in zip(p.offsets, others[len(others) - len(p.offsets) :]):
        size = bytes_per_number(p, offset.operand)
        places[offset.operand] = f"(char *){places[offset.operand]} + {start(offset, v[index])} * {size}"
    scales = v[others[0]] if p.group else "0"
    m, n, batches, narrow = p.m, p.n, (p.a.batch, p.b.batch), (p.a.narrow, p.b.narrow)
    if is_transposed(p):
        m, n, places, batches, narrow = n, m, places[::-1], batches[::-1], narrow[::-1]
        a_row, a_column, b_row, b_column = b_column, b_row, a_column, a_row
    lists = [f"(const long[]){{{', '.join(map(str, numbers)) or '0'}}}" for numbers in (p.batch, *batches)]

    def struct(b_row: int, b_column: int, width: int) -> str:
        types, usual = map(NARROW.index, narrow), m if p.letter == "i" else p.usual or m  # integers never round
        sizes = [m, n, p.k, a_row, a_column, b_row, b_column, *types, usual, p.group, width, len(p.batch)]
        fields = ", ".join([*map(str, sizes), *lists])
        if any(map(is_open, (*sizes, *p.batch, *batches[0], *batches[1]))):  # known where the product runs
            return f"(const struct product){{{fields}}}"
        return structs.setdefault(fields, f"product{len(structs)}")

    what, (left, right) = f"&{struct(b_row, b_column, 0)}", places
    if packed is not None:
        at, packing = packed
        what, right = f"{at} ? &{struct(packing.width, 1, packing.width)} : {what}", f"{at} ? {at} : {right}"
    buffers = f"{left}, {right}, {scales}, {v[step.outputs[0]]}"
    yield f"((product)k->library[{number}])({what}, {buffers}, k->parallel, {consumer});"


def bytes_per_number(p: Product, operand: int) -> int:
    """The bytes of a number of the left (0) or right matrix (1)."""
    narrow = (p.a, p.b)[operand].narrow
    return numpy_dtype(ScalarType(narrow)).itemsize if narrow else TYPES[p.letter][1]


def start(offset: Offset, index: str) -> str:
    """How many numbers an operand begins after its buffer; the buffer of the index is at an address."""
    return f"within(*({INTEGERS[offset.index]} *){index}, {offset.most}) * {offset.stride}"


def distances(matrix: Matrix) -> tuple[int, int]:
    """The strides of rows and of columns."""
    return (1, matrix.leading) if matrix.transposed else (matrix.leading, 1)


# The rows of a complex product that BLAS computes at once, and in how many parts, whatever the number of threads is. A
# product with fewer operations than LEAST_COMPLEX is left to one thread.
PART_ROWS, MOST_PARTS, LEAST_COMPLEX = 128, 8, 1_000_000
# What the function for such products needs to know about BLAS.
MARKS = f"enum {{ ROW_MAJOR = {ROW_MAJOR}, AS_IT_IS = {AS_IT_IS} }};"


def complex_product(step: Gemm, v: Mapping[int, str], number: int) -> Iterator[str]:
    """Yield the call of BLAS for each matrix of the batch, and for parts of the rows of large ones."""
    p, size = step.product, SIZES[step.product.letter]
    parts, rank = min(MOST_PARTS, max(1, p.m // PART_ROWS)), len(p.batch)
    result = [prod(p.batch[i + 1 :]) * p.m * p.n for i in range(rank)]
    distances = [[n * size for n in strides] for strides in (p.a.batch, p.b.batch, result)]
    lists = [f"(const long[]){{{', '.join(map(str, numbers)) or '0'}}}" for numbers in (p.batch, *distances)]
    marks = [TRANSPOSED if x.transposed else AS_IT_IS for x in (p.a, p.b)]
    fields = [*marks, p.m, p.n, p.k, p.a.leading, p.b.leading, f"{p.letter}one", f"{p.letter}zero", size, parts, rank]
    yield f"{{ const struct complex_product p = {{{', '.join(map(str, [*fields, *lists]))}}};"
    buffers = ", ".join(v[n] for n in (*step.inputs, *step.outputs))
    yield f"  void *const b[] = {{(void *)&p, k->library[{number}], {buffers}}};"
    count = prod(p.batch) * parts
    few = count == 1 or p.flops < LEAST_COMPLEX
    yield f"  multiply_rows(b, 0, {count}); }}" if few else f"  share_rows(k, b, {count}); }}"


# ---------------------------------------------------------------- attention

# The C types of indices at which operands begin.
INTEGERS = {"i32": "int", "i64": "int64"}
# Changes of scores, as attention.c numbers them.
KINDS = ("add", "multiply", "subtract", "divide", "tanh", "keep", "drop", "round")
# The types of numbers, as product.c numbers them; a mask has none.
ELEMENTS = {"f32": 0, "i1": 0, "bf16": 1, "f16": 2}
# The most scores that a thread computes at once, and the most and least queries to which they belong.
MOST_SCORES = 65_536
MOST_QUERIES, LEAST_QUERIES = 48, 6
# The queries and keys whose scores a thread has at once for gradients.
TILE_QUERIES, TILE_KEYS = 48, 192
# The tiles of queries in a part of a bias, as attention_gradients.c says.
BIAS_TILES = 2
# The most numbers of a bias for the same keys whose sums a thread has while it computes other gradients.
MOST_SUMS = 1 << 20
# The changes that multiply scores by a number.
SCALES = ("multiply", "divide")
# With at most this many queries, keys and values are read in place; more would read lines of values that are far apart
# again and again, which share few places of a near cache.
FEW = 12
# Panels, and the numbers in a vector, are at most this wide on any processor.
WIDEST_PANEL, WIDEST_VECTOR = 64, 16


def copies(h: Heads) -> tuple[int | str, int | str]:
    """How keys are copied: not (0), to panels (1), or to rows (2); and whether values are copied to panels.

    They are expressions of C if they differ between the sizes of open dimensions.
    """
    _, key, value, _ = h.types
    few = relation(h.usual or h.rows, "<=", FEW)

    def choose(readable: bool, in_place: int) -> int | str:
        if not readable or few is False:
            return 1
        return in_place if few is True else f"({few} ? {in_place} : 1)"

    in_place = h.width % WIDEST_VECTOR == 0 and h.values[-1] == 1 and value == "f32"
    return choose(h.key[-1] == 1, 0 if key == "f32" else 2), choose(in_place, 0)


def round_to_panel(count: int) -> int:
    return -(-count // WIDEST_PANEL) * WIDEST_PANEL


def round_to_vector(count: int) -> int:
    return -(-count // WIDEST_VECTOR) * WIDEST_VECTOR


def attention_scratch(h: Heads) -> int:
    """The bytes that a thread needs at most."""
    keys, values = copies(h)
    columns, rows = round_to_panel(h.keys), min(largest(h.rows), MOST_QUERIES)
    scores = rows * columns
    if largest(scores) > MOST_SCORES:
        scores = MOST_SCORES + min(rows, LEAST_QUERIES) * columns
    length = round_to_vector(h.depth)
    numbers = scores + rows * (length + round_to_panel(h.width))
    numbers += bool(keys) * (columns + WIDEST_PANEL) * length + bool(values) * h.keys * round_to_panel(h.width)
    if any(c.strides and ELEMENTS[c.element] for c in h.changes):
        numbers += columns
    return -(-4 * numbers // 64) * 64


def parts_of(g: Gradients) -> list[Gradients]:
    """Those of queries, keys and values, with that of the first bias if it is computed together with them, and others.

    A bias varies along all dimensions of queries that share keys, or along none: alone, it has only those along which
    it varies, or does not, if these are more. Before them come the others along which it varies.
    """
    parts, rank = [replace(g, biases=())] if any(g.wanted) else [], len(g.heads.sizes)
    for bias in g.biases:
        rows, shared = g.rows_of(bias), bias.strides[rank - g.heads.shared : rank]
        is_even = all(shared) or not any(shared)
        joins = bool(parts) and bias is g.biases[0] and is_even and is_multiple(g.heads, bias)
        order = [*sorted((d for d in range(rank) if d not in rows), key=lambda d: not bias.strides[d]), *rows]
        wanted = g.wanted if joins else (None, None, None)
        parts[len(parts) - joins :] = [replace(g, wanted=wanted, biases=(bias,)).in_order(order, len(rows))]
    return parts


def is_multiple(h: Heads, bias: BiasGradient) -> bool:
    """Whether the gradient of a bias is a multiple of that of the first scores."""
    changes = h.changes[: bias.before]
    return not any(c.kind in ("tanh", "keep", "drop") or (c.kind in SCALES and not c.number) for c in changes)


def gradients_scratch(g: Gradients) -> int:
    """The bytes that a thread needs at most for gradients, or for that of a bias."""
    h, (of_q, of_k, of_v) = g.heads, (each is not None for each in g.wanted)
    deep, wide = round_to_vector(h.depth), round_to_vector(h.width)
    numbers = round_to_panel(h.keys) * (deep + wide) + (h.keys + 1) * (deep * (of_q + of_k) + wide * of_v)
    numbers += TILE_QUERIES * (3 * deep + 2 * wide + 3 * (TILE_KEYS + WIDEST_VECTOR) + 3) + TILE_KEYS
    numbers += 2 * wide + WIDEST_PANEL * max(deep, wide)
    if g.biases:
        rows = h.rows if joins_bias(g) else BIAS_TILES * TILE_QUERIES
        numbers += (rows + WIDEST_VECTOR) * (h.keys + WIDEST_VECTOR)
    return -(-4 * (numbers + 18 * WIDEST_VECTOR) // 64) * 64


def joins_bias(g: Gradients) -> bool:
    """Whether the gradient of a bias may be computed together with others, with sums in scratch memory."""
    return any(g.wanted) and bool(g.biases) and largest(g.heads.rows * g.heads.keys) <= MOST_SUMS


def write_numbers(numbers: Sequence[int] | None) -> str:
    return f"(const long[]){{{', '.join(map(str, numbers)) or '0'}}}" if numbers is not None else "0"


def heads_fields(h: Heads) -> str:
    """The fields of a `struct heads` in the order of attention.c."""

    def change(c: Change) -> str:
        strides = write_numbers(c.strides) if c.strides else 0
        return f"{{{KINDS.index(c.kind)}, {literal(c.number)}, {strides}, {ELEMENTS[c.element]}}}"

    strides = (write_numbers(x) for x in (h.queries, h.key, h.values, h.results))
    changes = f"(const struct change[]){{{', '.join(map(change, h.changes)) or '{0}'}}}"
    sizes = len(h.sizes), h.shared, write_numbers(h.sizes), h.keys, h.depth, h.width
    fields = [*sizes, *strides, len(h.changes), changes, write_types(h.types), int(h.shifted)]
    return ", ".join(map(str, fields))


def write_types(types: Sequence[str]) -> str:
    return f"{{{', '.join(str(ELEMENTS[x]) for x in types)}}}"


def attention_fields(h: Heads, statistics: Sequence[Strides] = ()) -> str:
    """The fields of a `struct attention` in the order of attention.c."""
    fields = [f"{{{heads_fields(h)}}}", LEAST_QUERIES, MOST_QUERIES, MOST_SCORES, *copies(h), attention_scratch(h)]
    fields += [write_types(h.rounded), *map(write_numbers, pad(statistics))]
    return ", ".join(map(str, fields))


def gradients_fields(g: Gradients) -> str:
    """The fields of a `struct gradients` in the order of attention_gradients.c."""
    wanted = ", ".join(write_numbers(each.strides) if each else "0" for each in g.wanted)
    types = [each.element if each else "f32" for each in (*g.wanted, *g.biases)]
    fields = [f"{{{heads_fields(g.heads)}}}", *map(write_numbers, (g.cotangents, *pad(g.statistics)))]
    fields += [str(ELEMENTS[g.element]), f"{{{wanted}}}", write_types(types)]
    if g.biases:
        (bias,), sizes = g.biases, g.heads.sizes[: len(g.heads.sizes) - g.heads.shared]
        repeated = prod(n for n, stride in zip(sizes, bias.strides) if not stride)
        before, factor = bias.before, bias.factor
        if any(g.wanted):
            before = 0
            for c in g.heads.changes[: bias.before]:
                if c.kind == "multiply":
                    factor /= c.number
                elif c.kind == "divide":
                    factor *= c.number
        fields += [write_numbers(bias.strides), str(repeated), str(before), literal(factor), str(int(joins_bias(g)))]
    else:
        fields += ["0", "1", "0", "1", "0"]
    return ", ".join([*fields, *map(str, (TILE_QUERIES, TILE_KEYS, gradients_scratch(g)))])


def pad(statistics: Sequence[Any]) -> list[Any]:
    """Both statistics of attention, None for those that are not stored."""
    return [*statistics, None, None][:2]


def literal(number: float) -> str:
    if isfinite(number):
        return f"{number.hex()}f"
    return '__builtin_nanf("")' if isnan(number) else f"{'-' if number < 0 else ''}__builtin_inff()"


def attention(step: Attention, v: Mapping[int, str], name: str, number: int, threads: int, scratch: str) -> str:
    """The call of library function `number` for attention with a named struct, on values at the addresses `v`."""
    outputs = ", ".join(v[n] if n is not None else "0" for n in (step.outputs[0], *pad(step.outputs[1:])))
    arguments = f"&{name}, {operands_of(step.heads, step.inputs, v)}, (void *const[]){{{outputs}}}, {scratch}"
    return f"((attention)k->library[{number}])({arguments}, {threads}, k->parallel);"


def gradients(
    g: Gradients, inputs: Sequence[int], outputs: Iterator[int], v: Mapping[int, str], name: str, number: int,
    threads: int, scratch: str,
) -> str:  # fmt: skip
    """The same for its gradients, or a part of them, which takes its outputs."""
    *given, cotangents = inputs
    results, *statistics = given[-1 - len(g.statistics) :]
    operands = operands_of(g.heads, given[: -1 - len(g.statistics)], v)
    found = ", ".join(f"(const float *){v[n]}" if n is not None else "0" for n in pad(statistics))
    listed = ", ".join(v[next(outputs)] if each else "0" for each in (*g.wanted, *g.biases))
    arguments = f"&{name}, {operands}, {v[results]}, {found}, {v[cotangents]}, (void *const[]){{{listed}}}, {scratch}"
    return f"((gradients)k->library[{number}])({arguments}, {threads}, k->parallel);"


def operands_of(h: Heads, inputs: Sequence[int], v: Mapping[int, str]) -> str:
    """The arguments for queries, keys, values and what changes scores."""
    queries, keys, values, *others = inputs
    kinds = ("unsigned short" if ELEMENTS[x] else "float" for x in h.types)
    operands = [f"({kind} *){v[n]} + {begin}" for kind, n, begin in zip(kinds, (queries, keys, values), h.begins)]
    for offset, n in zip(h.offsets, others[len(others) - len(h.offsets) :]):
        operands[offset.operand] += f" + {start(offset, v[n])}"
    buffers = ", ".join(v[others.pop(0)] if c.strides else "0" for c in h.changes) or "0"
    return f"{', '.join(operands)}, (const void *const[]){{{buffers}}}"


def packings(
    block: Block, numbers: Iterable[int], kept: Iterable[int], widths: Callable[[str, int], int]
) -> dict[int, Packing]:
    """The buffers that only products and convolutions read, all as the same matrix, except those `kept`."""
    found: dict[int, set[Packing | None]] = {n: {None} for n in kept}
    for step in block.steps:
        packing = packing_of(step, widths) if isinstance(step, Gemm | Convolution) else None
        for index, n in enumerate(step.reads):
            found.setdefault(n, set()).add(packing if index == 1 else None)
    single = ((n, next(iter(found[n]))) for n in numbers if len(found.get(n, ())) == 1)
    return {n: packing for n, packing in single if packing is not None}
