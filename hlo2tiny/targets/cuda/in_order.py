"""Products and convolutions for programs in which a row has the same bits in any batch, in kernels of our own.

The libraries' algorithms depend on how many rows there are, and so does the order in which those add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd, prod

from ...ir.dtypes import static_shape
from ...ops import Trait, has
from ...plan.convolution import EACH, Windows
from ...plan.gemm import Matrix, element_name, is_exact
from ...plan.plan import Convolution, Gemm
from ...records import dataclass
from ...templates import fill
from .arranging import Arranged, distance
from .kernels import CudaKernel, KernelParameter, constants_text, launch_size, read_code
from .operands import KINDS

# How many terms are added up by themselves, and the most of such chunks: how many there are depends on the terms only.
CHUNK, MOST_CHUNKS, UNIT = 256, 16, 64
# With fewer parts of a result than this, processors are idle, so that blocks take one chunk each.
FEW = 264
LARGE = 132
BYTES = 16  # that a thread reads at once
# The blocks of a processor that multiply groups, one of which reads while the other one multiplies.
AT_ONCE = 2
ITEMS = {"f32": 4, "f64": 8, "bf16": 2, "f16": 2}
TYPES = {"f32": "float", "f64": "double", "bf16": "unsigned short", "f16": "unsigned short"}
BITS = "(uint)__float_as_int(x)"
ROUNDED = {
    "bf16": f"(unsigned short)round_to_bf16({BITS})",
    "f16": f"(unsigned short)(round_to_f16({BITS} & 0x7fffffffu) | ({BITS} >> 16 & 0x8000u))",
}
# Several of these numbers, which the compiler reads at once.
PACK = "template <class T, int count> struct alignas(sizeof(T) * count) Pack { T values[count]; };"
# Which part of the result a block computes, and of how many terms: of an item; of a group of terms; or of a group of
# rows, where there are less than one tile for each more than if all rows were one. What is in no group becomes 0.
IN_ITEM = """const int down = (M + ROWS - 1) / ROWS, end_row = M;
const int tile = blockIdx.x % (across * down), item = blockIdx.x / (across * down);
const int first_row = (M > N ? tile / across : tile % down) * ROWS;
const int first_column = (M > N ? tile % across : tile / down) * COLUMNS;
"""
ALL_TERMS = "constexpr int end_term = K;\n"
SOME_TERMS = """int before = 0, end_term = 0;
for (int n = 0; n <= item; n++) before += end_term, end_term = max(0, min(sizes[n], K - before));
"""
IN_ROWS = """const int first_column = blockIdx.x % across * COLUMNS;
int item = 0, before = 0, tile = blockIdx.x / across, count = 0;
for (; item < GROUPS; item++) {
  count = max(0, min(sizes[item], M - before));
  const int tiles = (count + ROWS - 1) / ROWS;
  if (tile < tiles) break;
  tile -= tiles, before += count;
}
const int first_row = before + tile * ROWS, end_row = item < GROUPS ? before + count : M;
if (first_row >= M) return;
if (item == GROUPS) {
  for (int i = threadIdx.x; i < ROWS * COLUMNS; i += THREADS) {
    const int row = first_row + i / COLUMNS, column = first_column + i % COLUMNS;
    if (row < M && column < N) c[c_at(0, row, column)] = 0;
  }
  return;
}
"""


@dataclass(frozen=True)
class OperandText:
    """How a kernel reads an operand.

    Attributes:
        element: its type.
        text: the offset in C of the number for a `row`, or column, of the result and a term `k`; -1 if there is none.
        along: whether the terms are next to each other in memory, rather than the rows.
        alignment: what sizes and distances have in common, along the other directions too.
    """

    element: str
    text: str
    along: bool
    alignment: int


@dataclass(frozen=True)
class OrderedProduct:
    """A product of m·k by k·n numbers for each of some items.

    Attributes:
        letter: the type of the sums, s or d.
        exact: whether f32 is multiplied as it is, rather than as TF32.
        starts: statements that move `a` and `b` to an item.
        result: the type of the result, and the offset of one of its numbers in C, given `item`, `row` and `column`.
        groups: how many parts the rows or terms have whose sizes only the GPU knows.
        place: statements that say which part of the result a block computes.
    """

    letter: str
    exact: bool
    items: int
    m: int
    n: int
    k: int
    a: OperandText
    b: OperandText
    starts: tuple[str, ...]
    result: tuple[str, str]
    groups: int = 0
    place: str = IN_ITEM + ALL_TERMS


def arranged(step: Gemm | Convolution) -> Arranged | None:
    """The kernels of a step; None if it is left to those of its region."""
    if isinstance(step, Gemm) and step.product.groups:
        return arrange(product_of_groups(step))
    made = product_of_matrices(step) if isinstance(step, Gemm) else product_of_windows(step)
    return None if made is None else arrange(made)


def product_of_matrices(step: Gemm) -> OrderedProduct | None:
    p = step.product
    if p.letter not in "sd" or p.group:
        return None
    dot = next(op for op in reversed(step.region.ops) if has(op, Trait.DOT | Trait.CONVOLUTION))
    own = {"s": "f32", "d": "f64"}[p.letter]
    a, b = operand(p.a, own, p.a.transposed, p.m, p.k), operand(p.b, own, not p.b.transposed, p.n, p.k)
    starts = tuple(f"{name} += {distance('item', p.batch, x.batch)};" for name, x in (("a", p.a), ("b", p.b)))
    offset = f"((long long)item * {p.m} + row) * {p.n} + column"
    return OrderedProduct(p.letter, is_exact(dot), prod(p.batch), p.m, p.n, p.k, a, b, starts, (own, offset))


def product_of_groups(step: Gemm) -> OrderedProduct:
    """A product of groups of rows, or of terms, whose result is stored as the program has it."""
    p, (result,) = step.product, step.region.results
    a, b = operand(p.a, "f32", p.a.transposed, p.m, p.k), operand(p.b, "f32", not p.b.transposed, p.n, p.k)
    size = p.m * p.n
    starts: tuple[str, ...] = (f"b += item * {p.k * p.n}ll;",)
    offset = f"row * {p.n}{suffix_of(size)} + column"
    if p.a.transposed:
        starts = tuple(f"{name} += before * {x.leading}ll;" for name, x in (("a", p.a), ("b", p.b)))
        offset = f"item * {size}ll + {offset}"
    items, exact = p.groups if p.a.transposed else 1, is_exact(step.region.op)
    place = IN_ITEM + SOME_TERMS if p.a.transposed else IN_ROWS + ALL_TERMS
    to = element_name(result), offset
    return OrderedProduct(p.letter, exact, items, p.m, p.n, p.k, a, b, starts, to, p.groups, place)


def operand(x: Matrix, own: str, across: bool, rows: int, terms: int) -> OperandText:
    """An operand whose terms are `leading` apart if they lie `across`, and whose rows are otherwise."""
    size, count = (rows, terms) if across else (terms, rows)
    by = f"{x.leading}{suffix_of(count * x.leading)}"
    text = f"k * {by} + row" if across else f"row * {by} + k"
    return OperandText(x.narrow or own, text, not across, gcd(size, x.leading, *x.batch))


def suffix_of(size: int) -> str:
    """That of C's integers for offsets in so many numbers: as short as possible, as registers are few."""
    return "" if size < 1 << 31 else "ll"


def product_of_windows(step: Convolution) -> OrderedProduct | None:
    """A convolution as the product of its windows, whose numbers are read where they are, and its kernel."""
    w, op = step.windows, next(op for op in reversed(step.region.ops) if has(op, Trait.CONVOLUTION))
    names = [element_name(v) for v in (*step.region.parameters, *step.region.results)]
    if w.kind == EACH or len(names) != 3 or not set(names) <= {*TYPES}:
        return None
    letter = "d" if names[2] == "f64" else "s"
    ends = [suffix_of(prod(static_shape(v.type))) for v in step.region.parameters]
    a = OperandText(names[0], windows_text(w, ends[0]), *windows_layout(w))
    along = w.depth_step == 1
    size, other = (w.depth, w.kernel_feature_step) if along else (w.features, w.depth_step)
    text = f"row * {w.kernel_feature_step}{ends[1]} + k * {w.depth_step}{ends[1]}"
    adjacent = along or w.kernel_feature_step == 1
    b = OperandText(names[1], text, along, gcd(size, other, w.group_kernel if w.groups > 1 else 0) if adjacent else 1)
    starts = f"a += item * {w.group_input}ll;", f"b += item * {w.group_kernel}ll;"
    terms = [f"item * {w.group_output}ll", f"column * {w.feature_step}ll"]
    rows = indices(w, [d.places for d in w.dimensions], w.place_order, "row")
    terms += [f"{at} * {d.out}ll" for d, at in zip(w.dimensions, rows) if d.places > 1]
    result = names[2], " + ".join(terms)
    m = prod(d.places for d in w.dimensions)
    return OrderedProduct(letter, is_exact(op), w.groups, m, w.features, w.depth, a, b, starts, result)


def indices(w: Windows, sizes: Sequence[int], order: Sequence[int], number: str) -> list[str]:
    """The index along each dimension, in C, that belongs to a number in the order of these dimensions."""
    found, after = ["0"] * len(w.dimensions), 1
    for d in reversed(order):
        found[d] = f"({number} / {after} % {sizes[d]})"
        after *= sizes[d]
    return found


def windows_text(w: Windows, end: str) -> str:
    """The offset of an element of a window, as a call of a function; -1 in the padding. For `end`, see `suffix_of`."""
    positions = indices(w, [d.places for d in w.dimensions], w.place_order, "row")
    elements = indices(w, [d.window for d in w.dimensions], w.window_order, "k")
    lines, terms, outside = list[str](), list[str](), list[str]()
    for number, (d, at, element) in enumerate(zip(w.dimensions, positions, elements)):
        name = f"x{number}"
        lines.append(f"const int {name} = {at} * {d.stride} + {element} * {d.dilation} - {d.padding};")
        if not d.inside:
            limit = (d.size - 1) * d.base + 1
            outside += [f"{name} < 0", f"{name} >= {limit}"] + [f"{name} % {d.base}"] * (d.base > 1)
        terms.append(f"{name}{f' / {d.base}' if d.base > 1 else ''} * {d.step}{end}")
    value = " + ".join(terms)
    value = f"{' || '.join(outside)} ? -1{end} : {value}" if outside else value
    return f"[&]() {{ {' '.join(lines)} return {value}; }}()"


def windows_layout(w: Windows) -> tuple[bool, int]:
    """Whether elements of a window, rather than positions, are next to each other, and how many can be read at once."""
    inner = w.dimensions[w.window_order[-1]]
    along = inner.step * inner.dilation == 1 and inner.window > 1
    if not along or inner.base != 1 or not inner.inside:
        return along, 1
    numbers = [inner.window, w.group_input if w.groups > 1 else 0]
    for d in w.dimensions:
        if d.base != 1:
            return along, 1
        numbers += [d.padding * d.step, d.stride * d.step if d.places > 1 else 0]
        numbers += [d.dilation * d.step if d.window > 1 and d is not inner else 0]
    return along, gcd(*numbers)


def chunks_of(k: int) -> tuple[int, int]:
    """How many terms are added up by themselves, and the number of such chunks."""
    chunk = max(CHUNK, -(-k // (MOST_CHUNKS * UNIT)) * UNIT)
    return chunk, -(-k // chunk)


@dataclass(frozen=True)
class OrderedTiling:
    """The rows and columns of the result that a block computes, its warps along each, and the terms of a step."""

    rows: int
    columns: int
    row_warps: int
    column_warps: int
    step: int

    def count(self, m: int, n: int) -> int:
        return -(-m // self.rows) * -(-n // self.columns)


def tiling_of(p: OrderedProduct, tensor: bool, narrow: bool) -> OrderedTiling:
    """The fastest one for a size: this changes no sum."""
    wide = 2 if narrow else 1
    if not tensor:
        return OrderedTiling(16 if p.m <= 16 else 64, 64, 1, 1, 16)
    large = OrderedTiling(128, 128, 2, 4, 16 * wide)
    if min(p.m, p.n) > 64 and p.items * large.count(p.m, p.n) >= LARGE:
        return large
    if p.m <= 16:
        return OrderedTiling(16, 64, 1, 4, 32 * wide)
    return OrderedTiling(64, 16, 4, 1, 32 * wide) if p.n <= 16 else OrderedTiling(64, 64, 2, 2, 32 * wide)


def arrange(p: OrderedProduct) -> Arranged:
    """The kernel of a product, and one that adds up its chunks if blocks take one each."""
    same = p.a.element == p.b.element and p.a.element in ("bf16", "f16")
    narrow, tensor = KINDS[p.a.element] if same else 0, p.letter == "s" and (same or not p.exact)
    are_rows = p.groups > 0 and p.items == 1
    typical = replace(p, items=p.groups, m=-(-p.m // p.groups)) if are_rows else p
    t, (chunk, chunks) = tiling_of(typical, tensor, bool(narrow)), (p.k, 1) if p.groups else chunks_of(p.k)
    tiles = p.items * t.count(p.m, p.n) + are_rows * p.groups * -(-p.n // t.columns)
    split = chunks > 1 and tiles < FEW and t.rows < 128 and not p.groups
    threads = 32 * t.row_warps * t.column_warps if tensor else 256
    number = {"s": "float", "d": "double"}[p.letter]
    kept = number if not tensor else "unsigned short" if narrow else "uint"

    def once(x: OperandText, size: int) -> int:
        """How many numbers a thread reads at once."""
        most = min(BYTES // ITEMS[x.element], size * t.step // threads, 8 if narrow else 4)
        return gcd(x.alignment, most)

    onces = once(p.a, t.rows), once(p.b, t.columns)
    sizes = (ITEMS[x.element] * count for x, count in zip((p.a, p.b), onces))
    words = ["uint" if size >= 4 else "unsigned short" for size in sizes]
    constants = {
        "M": p.m, "N": p.n, "K": p.k, "ITEMS": p.items, "CHUNK": chunk, "CHUNKS": chunks, "ROWS": t.rows,
        "COLUMNS": t.columns, "ROW_WARPS": t.row_warps, "COLUMN_WARPS": t.column_warps, "STEP": t.step,
        "NARROW": narrow, "A_ONCE": onces[0], "B_ONCE": onces[1],
        "A_KIND": KINDS.get(p.a.element, 0), "B_KIND": KINDS.get(p.b.element, 0),
        "GROUPS": p.groups,
    }  # fmt: skip
    flags = {"TENSOR": tensor, "SPLIT": split, "A_ALONG": p.a.along, "B_ALONG": p.b.along}
    element, offset = p.result
    finish = [
        f"auto c_at = [](int item, int row, int column) -> long long {{ return {offset}; }};",
        f"auto finish = [](auto x) {{ return {ROUNDED.get(element, 'x')}; }};",
    ]
    text = [
        f"typedef {TYPES[p.a.element]} A; typedef {TYPES[p.b.element]} B;",
        f"typedef {number} Number; typedef {kept} Kept;",
        *(f"typedef {word} Word{name};" for name, word in zip("AB", words)),
        constants_text({"int": constants, "bool": flags}),
        f"auto a_at = [](int row, int k) {{ return {p.a.text}; }};",
        f"auto b_at = [](int row, int k) {{ return {p.b.text}; }};",
        *(["auto finish = [](auto x) { return x; };"] if split else finish),
    ]
    body = read_code("in_order.cu")
    size = p.items * p.m * p.n
    flops = 2 * size * p.k
    kinds = TYPES[p.a.element], TYPES[p.b.element]
    operands = [KernelParameter(f"{kind}* __restrict__", name, False) for kind, name in zip(kinds, "ab")]
    operands += [KernelParameter("int* __restrict__", "sizes", False)] * bool(p.groups)
    target = KernelParameter(f"{number}*", "parts") if split else KernelParameter(f"{TYPES[element]}*", "c")
    moved = p.items * (p.m * p.k * ITEMS[p.a.element] + p.k * p.n * ITEMS[p.b.element]) + size * ITEMS[element]
    part = f"parts[chunk * {size}ll + ((long long)item * M + to) * N + at]"
    written = {"starts": "\n".join(p.starts), "target": part if split else "c[c_at(item, to, at)]"}
    written["place"] = p.place
    product = CudaKernel(
        "product_in_order", (*operands, target), "\n".join([*text, fill(body, written)]), (PACK,),
        (tiles, chunks if split else 1, 1), (threads, 1, 1), False, (*range(len(operands)), len(operands) + split),
        flops, moved, alone=True, at_once=AT_ONCE if p.groups else 0,
    )  # fmt: skip
    if not split:
        return Arranged((product,))
    blocks, own = launch_size(size)
    lines = [
        f"const long long i = (long long)blockIdx.x * {own} + threadIdx.x;",
        f"if (i >= {size}) return;",
        *finish,
        f"{number} total = parts[i];",
        f"for (int chunk = 1; chunk < {chunks}; chunk++) total += parts[chunk * {size}ll + i];",
        f"c[c_at(i / {p.m * p.n}ll, i / {p.n} % {p.m}, i % {p.n})] = finish(total);",
    ]
    added = CudaKernel(
        "chunks_in_order", (KernelParameter(f"{number}*", "parts", False), KernelParameter(f"{TYPES[element]}*", "c")),
        "\n".join(lines), (), (blocks, 1, 1), (own, 1, 1), False, (3, 2), chunks * size, (chunks + 1) * size * 4,
    )  # fmt: skip
    return Arranged((product, added), (chunks * size * ITEMS["f64" if p.letter == "d" else "f32"],))
