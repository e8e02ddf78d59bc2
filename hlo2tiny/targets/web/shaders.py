"""Shaders that are written by hand: copies, gates, matrix products, Fourier transforms.

Open sizes are expressions in their texts, which a page replaces by numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from math import prod

from ...ir.sizes import is_open, largest, typical
from ...plan.convolution import EACH, Windows
from ...plan.fourier import HALF, REAL, Lines
from ...plan.gemm import Matrix, Product
from ...records import dataclass

WorkGroups = tuple[int, int, int]
# The most groups along a dimension of a dispatch.
MOST_GROUPS = 65535
# A copy's group has this many invocations, each of which copies 16 bytes.
COPIERS = 64


@dataclass(frozen=True)
class Shader:
    """A shader without the declarations of its buffers: their element types by name, and how many groups run it.

    `half` computes the same where the adapter has shader-f16.
    """

    text: str
    buffers: Sequence[tuple[str, str]]
    groups: WorkGroups
    half: Shader | None = None

    def declare(self, read_only: Sequence[bool]) -> str:
        lines = (
            f"@group(0) @binding({i}) var<storage, {'read' if fixed else 'read_write'}> {name}: array<{type}>;\n"
            for i, ((name, type), fixed) in enumerate(zip(self.buffers, read_only))
        )
        extension = "enable f16;\n" if any(type.endswith(("f16", "f16>")) for _, type in self.buffers) else ""
        return extension + "".join(lines) + self.text


def spread(count: int) -> WorkGroups:
    """This many groups, or a few more, in two dimensions; a page does it with an open count."""
    if is_open(count):
        return count, 1, 1
    y = -(-count // MOST_GROUPS)
    return -(-count // y), y, 1


def exceed(groups: Sequence[int]) -> bool:
    """Whether there may be more groups along a dimension than a dispatch may have."""
    return any(largest(count) > MOST_GROUPS for count in groups)


def copy_shader(size: int) -> Shader:
    """A copy of `size` bytes, which has to be a multiple of 16."""
    text = f"""@compute @workgroup_size({COPIERS}) fn main(@builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>) {{
  let i = id.x + id.y * groups.x * {COPIERS}u;
  if (i < arrayLength(&copied)) {{ copied[i] = given[i]; }}
}}
"""
    buffers = ("copied", "vec4<u32>"), ("given", "vec4<u32>")
    return Shader(text, buffers, spread(-(-size // 16 // COPIERS)))


# ---------------------------------------------------------------- gates


@dataclass(eq=False)
class Gate:
    """Words that say whether a part of a plan runs: a flag, the number of iterations, and the groups of each dispatch.

    The groups are in the form that an indirect dispatch reads, all zero while the gate is closed. `begin` is the offset
    of the flag, in words.
    """

    parent: Gate | None = None
    groups: dict[WorkGroups, int] = field(default_factory=dict)
    begin: int = 0

    @property
    def words(self) -> int:
        return 2 + 3 * len(self.groups)

    def slot(self, groups: WorkGroups) -> int:
        return self.groups.setdefault(groups, len(self.groups))

    def offset(self, slot: int) -> int:
        """The offset at which an indirect dispatch finds its groups, in bytes."""
        return 4 * (self.begin + 2 + 3 * slot)

    def shader(self, condition: str, iterations: str) -> Shader:
        """A shader that opens or closes the gate: the condition and the new number of iterations in WGSL.

        They can use `open` and `iterations`, the old number of iterations, and `values`, the words of the second buffer
        if any.
        """
        parent = f"gates[{self.parent.begin}] != 0u && " if self.parent else ""
        lines = [f"let iterations = gates[{self.begin + 1}];", f"let open = {parent}({condition});"]
        lines.append(f"gates[{self.begin + 1}] = {iterations};")
        lines.append(f"gates[{self.begin}] = u32(open);")
        for groups, slot in self.groups.items():
            counts = [f"{count}u" for count in groups]
            if largest(groups[0]) > MOST_GROUPS:
                lines.append(f"let rows{slot} = ({counts[0]} + {MOST_GROUPS - 1}u) / {MOST_GROUPS}u;")
                counts[:2] = f"({counts[0]} + rows{slot} - 1u) / rows{slot}", f"rows{slot}"
            for i, count in enumerate(counts):
                lines.append(f"gates[{self.offset(slot) // 4 + i}] = select(0u, {count}, open);")
        body = "\n  ".join(lines)
        return Shader(
            f"@compute @workgroup_size(1) fn main() {{\n  {body}\n}}\n",
            (("gates", "u32"), ("values", "u32")),
            (1, 1, 1),
        )


# ---------------------------------------------------------------- matrix products

# A group computes ROWS × COLUMNS elements of a product, each invocation TALL × 4·WIDE of them, DEPTH terms at a time.
DEPTH = 16
# Shapes of a group's tile, of which the first that fits a product is used: rows, columns, rows and vectors of each
# invocation. The last is for products with few rows. A group has this many invocations in each of them.
TILES = ((64, 64, 4, 2), (32, 64, 4, 1), (16, 64, 2, 1), (4, 128, 1, 1))
THREADS = 128
# What stands for f16 where shaders have the type.
HALF_TYPE = "half"
# How a number of 16 bits becomes f32, by its type; `half` is a word whose low bits it is.
WIDENED = {"f16": "unpack2x16float(half).x", "bf16": "bitcast<f32>(half << 16u)"}
# The same for the four numbers in a pair of words.
FOUR_WIDENED = {
    "f16": "vec4<f32>(unpack2x16float({0}.x), unpack2x16float({0}.y))",
    "bf16": "bitcast<vec4<f32>>(vec4<u32>({0}.x << 16u, {0}.x & 0xffff0000u, {0}.y << 16u, {0}.y & 0xffff0000u))",
    HALF_TYPE: "vec4<f32>({0})",
}


@dataclass(frozen=True)
class Tile:
    """The shape of a group's tile for a product of m×k and k×n elements."""

    m: int
    n: int
    k: int

    @property
    def shape(self) -> tuple[int, int, int, int]:
        return next((tile for tile in TILES if tile[0] <= typical(self.m)), TILES[-1])

    def groups(self, count: int) -> WorkGroups | None:
        """The groups that compute this many products; None if they are more than a dispatch may have."""
        rows, columns, _, _ = self.shape
        groups = -(-self.n // columns), -(-self.m // rows), count
        return None if exceed(groups) else groups

    def text(self, functions: str, before: str, left: str, right: str) -> str:
        """A shader that multiplies.

        Args:
            functions: `store`, which stores four elements of a row, and those that the other texts call.
            before: what each invocation does first, given `i`, its number, and `row`, the tile's first row.
            left, right: copy DEPTH columns of A and DEPTH rows of B, from `begin` on, to the arrays `left` and `right`.
        """
        rows, columns, tall, wide = self.shape
        across = columns // (4 * wide)
        sums = "\n  ".join(f"var s{r}_{v} = vec4<f32>();" for r in range(tall) for v in range(wide))
        loads = "\n      ".join(f"let y{v} = right[k * {columns // 4}u + x * {wide}u + {v}u];" for v in range(wide))
        terms = "\n      ".join(
            f"let x{r} = left[k * {rows + 1}u + y * {tall}u + {r}u]; "
            + " ".join(f"s{r}_{v} = fma(vec4<f32>(x{r}), y{v}, s{r}_{v});" for v in range(wide))
            for r in range(tall)
        )
        stores = "\n  ".join(
            f"store(id.z, row + y * {tall}u + {r}u, column + (x * {wide}u + {v}u) * 4u, s{r}_{v});"
            for r in range(tall)
            for v in range(wide)
        )
        # Rows of `left` are one longer than they need be, so that neighbours write to different banks of the memory.
        return f"""var<workgroup> left: array<f32, {DEPTH * (rows + 1)}>;
var<workgroup> right: array<vec4<f32>, {DEPTH * columns // 4}>;
{functions}@compute @workgroup_size({THREADS}) fn main(@builtin(workgroup_id) id: vec3<u32>,
    @builtin(local_invocation_index) i: u32) {{
  let row = id.y * {rows}u; let column = id.x * {columns}u; let x = i % {across}u; let y = i / {across}u;
  {sums}
  {before}
  for (var begin = 0u; begin < {self.k}u; begin += {DEPTH}u) {{
    {left}
    {right}
    workgroupBarrier();
    for (var k = 0u; k < {DEPTH}u; k++) {{
      {loads}
      {terms}
    }}
    workgroupBarrier();
  }}
  {stores}
}}
"""

    def loop(self, body: str, size: int) -> str:
        return f"for (var e = i; e < {size}u; e += {THREADS}u) {{ {body} }}"

    def fill_left(self, transposed: bool) -> str:
        """Copy elements of A, so that neighbouring invocations read neighbouring elements."""
        rows = self.shape[0]
        r, k = (f"e % {rows}u", f"e / {rows}u") if transposed else (f"e / {DEPTH}u", f"e % {DEPTH}u")
        return self.loop(f"left[({k}) * {rows + 1}u + {r}] = at_a(id.z, row + {r}, begin + {k});", DEPTH * rows)

    def fill_right(self, transposed: bool) -> str:
        """Copy elements of B, four of a row at a time."""
        vectors = self.shape[1] // 4
        k, c = (f"e % {DEPTH}u", f"e / {DEPTH}u") if transposed else (f"e / {vectors}u", f"e % {vectors}u")
        values = ", ".join(f"at_b(id.z, begin + {k}, column + ({c}) * 4u + {i}u)" for i in range(4))
        return self.loop(f"right[({k}) * {vectors}u + {c}] = vec4<f32>({values});", DEPTH * vectors)

    def store(self, place: str, step: int) -> str:
        """The function that stores elements of row `r` from column `c` on, which are `step` apart."""
        by = f" * {step}u" if step != 1 else ""
        return f"""fn store(z: u32, r: u32, c: u32, s: vec4<f32>) {{
  if (r >= {self.m}u) {{ return; }}
  let at = {place};
  for (var i = 0u; i < 4u && c + i < {self.n}u; i++) {{ product[at + (c + i){by}] = s[i]; }}
}}
"""


def reader(name: str, buffer: str, row: tuple[str, int], column: tuple[str, int], place: str, narrow: str = "") -> str:
    """A function that reads an element of a matrix, and returns 0 outside it; rows and columns have their counts."""
    head = f"""fn {name}(z: u32, {row[0]}: u32, {column[0]}: u32) -> f32 {{
  if ({row[0]} >= {row[1]}u || {column[0]} >= {column[1]}u) {{ return 0.0; }}
  let at = {place};
"""
    if narrow in ("", HALF_TYPE):
        return head + (f"  return f32({buffer}[at]);\n}}\n" if narrow else f"  return {buffer}[at];\n}}\n")
    return head + f"  let half = ({buffer}[at / 2u] >> (at % 2u * 16u)) & 0xffffu;\n  return {WIDENED[narrow]};\n}}\n"


def product_shader(p: Product) -> Shader | None:
    """The product of two matrices for each matrix of a batch, computed in f32; None for other types."""
    narrow = p.a.narrow, p.b.narrow
    if p.letter != "s" or p.group or not {*narrow} <= {"", *WIDENED}:
        return None
    build = vector_shader if has_vectors(p) else number_shader
    shader = build(p, narrow)
    if shader is None or "f16" not in narrow:
        return shader
    left, right = (HALF_TYPE if each == "f16" else each for each in narrow)
    return replace(shader, half=build(p, (left, right)))


def number_shader(p: Product, narrow: tuple[str, str]) -> Shader | None:
    """A product that reads and writes number by number."""
    tile = Tile(p.m, p.n, p.k)
    groups = tile.groups(prod(p.batch))
    if groups is None:
        return None
    functions = (
        reader("at_a", "a", ("r", p.m), ("k", p.k), f"{start(p, p.a)} + {element(p.a, 'r', 'k')}", narrow[0]),
        reader("at_b", "b", ("k", p.k), ("c", p.n), f"{start(p, p.b)} + {element(p.b, 'k', 'c')}", narrow[1]),
        tile.store(f"(z * {p.m}u + r) * {p.n}u", 1),
    )
    text = tile.text("".join(functions), "", tile.fill_left(p.a.transposed), tile.fill_right(p.b.transposed))
    types = [{"": "f32", HALF_TYPE: "f16"}.get(each, "u32") for each in narrow]
    return Shader(text, (("product", "f32"), ("a", types[0]), ("b", types[1])), groups)


# A group computes 16 · TALL × 64 elements, each invocation TALL rows of two vectors; this many groups keep a GPU busy.
TALLEST, ACROSS, DOWN, WIDE, BUSY = 8, 8, 16, 2, 192


def has_vectors(p: Product) -> bool:
    """Whether all rows of a product consist of vectors of four, and there are enough of them."""
    lengths = [p.k, p.n, p.a.leading, p.b.leading, *p.a.batch, *p.b.batch]
    return not (p.a.transposed or p.b.transposed or any(length % 4 for length in lengths)) and typical(p.m) >= DOWN


def vector_shader(p: Product, narrow: tuple[str, str]) -> Shader | None:
    """A product of rows that consist of vectors of four: all that it reads and writes are such vectors.

    What the next iteration multiplies is read before the products of this one. Rows of `left` are one vector longer
    than they need be, and an invocation's rows and columns are not neighbours, so that reads hit different banks.
    """
    count, depth = prod(p.batch), DEPTH // 4
    columns, tall = ACROSS * WIDE, TALLEST
    m, n = typical(p.m), typical(p.n)
    while tall > 1 and (DOWN * tall > m or -(-n // (4 * columns)) * -(-m // (DOWN * tall)) * typical(count) < BUSY):
        tall //= 2
    groups = -(-p.n // (4 * columns)), -(-p.m // (DOWN * tall)), count
    if exceed(groups):
        return None
    from_a, from_b = DOWN * tall * depth // THREADS or 1, DEPTH * columns // THREADS
    some = "" if DOWN * tall * depth >= THREADS else f"if (i < {DOWN * tall * depth}u) "
    known, last = p.k % DEPTH == 0, p.k // 4 - 1
    types = [{"": "vec4<f32>", HALF_TYPE: "vec4<f16>"}.get(each, "vec2<u32>") for each in narrow]
    read_a, read_b = (FOUR_WIDENED.get(each, "{0}").format for each in narrow)

    def read(target: str, value: str, inside: str) -> str:
        return f"{target} = {value};" if known else f"{target} = select(vec4<f32>(), {value}, {inside});"

    def reads(begin: str) -> str:
        at = f"{begin} + own" if known else f"min({begin} + own, {last}u)"
        lines = [read(f"a{e}", read_a(f"a[row{e} + {at}]"), f"{begin} + own <= {last}u") for e in range(from_a)]
        for e in range(from_b):
            k = f"{begin} * 4u + i / {columns}u + {e * THREADS // columns}u"
            place = k if known else f"min({k}, {p.k - 1}u)"
            lines.append(read(f"b{e}", read_b(f"b[at_b + ({place}) * {p.b.leading // 4}u]"), f"{k} < {p.k}u"))
        return "\n    ".join(lines)

    rows = [
        f"let row{e} = ({start(p, p.a)}) / 4u + min(first + i / {depth}u + {e * THREADS // depth}u, {p.m - 1}u)"
        f" * {p.a.leading // 4}u; var a{e} = vec4<f32>();"
        for e in range(from_a)
    ]
    rows += [f"var b{e} = vec4<f32>();" for e in range(from_b)]
    rows += [f"var s{r}_{v} = vec4<f32>();" for r in range(tall) for v in range(WIDE)]
    fill = [f"{some}left[(i / {depth}u + {e * THREADS // depth}u) * {depth + 1}u + own] = a{e};" for e in range(from_a)]
    fill = [line.replace(some, f"{some}{{ ") + " }" if some else line for line in fill]
    fill += [f"right[i + {e * THREADS}u] = b{e};" for e in range(from_b)]
    terms = [
        f"let y{j}_{v} = right[(k * 4u + {j}u) * {columns}u + x + {v * ACROSS}u];"
        for j in range(4)
        for v in range(WIDE)
    ]
    for r in range(tall):
        terms.append(f"let x{r} = left[(y + {r * DOWN}u) * {depth + 1}u + k];")
        terms += [
            f"s{r}_{v} = fma(vec4<f32>(x{r}.{'xyzw'[j]}), y{j}_{v}, s{r}_{v});" for j in range(4) for v in range(WIDE)
        ]
    stores = [
        f"if (first + y + {r * DOWN}u < {p.m}u && column + x + {v * ACROSS}u < {p.n // 4}u) {{"
        f" product[(id.z * {p.m}u + first + y + {r * DOWN}u) * {p.n // 4}u + column + x + {v * ACROSS}u] = s{r}_{v}; }}"
        for r in range(tall)
        for v in range(WIDE)
    ]
    line = "\n  "
    text = f"""var<workgroup> left: array<vec4<f32>, {DOWN * tall * (depth + 1)}>;
var<workgroup> right: array<vec4<f32>, {DEPTH * columns}>;
@compute @workgroup_size({THREADS}) fn main(@builtin(workgroup_id) id: vec3<u32>,
    @builtin(local_invocation_index) i: u32) {{
  let first = id.y * {DOWN * tall}u; let column = id.x * {columns}u; let x = i % {ACROSS}u; let y = i / {ACROSS}u;
  let z = id.z; let own = i % {depth}u;
  let at_b = ({start(p, p.b)}) / 4u + min(column + i % {columns}u, {p.n // 4 - 1}u);
  {line.join(rows)}
  {reads("0u")}
  for (var begin = {depth}u; begin < {-(-p.k // DEPTH) * depth + depth}u; begin += {depth}u) {{
    {line.join(fill)}
    workgroupBarrier();
    if (begin <= {last}u) {{
    {reads("begin")}
    }}
    for (var k = 0u; k < {depth}u; k++) {{
      {line.join(terms)}
    }}
    workgroupBarrier();
  }}
  {line.join(stores)}
}}
"""
    return Shader(text, (("product", "vec4<f32>"), ("a", types[0]), ("b", types[1])), groups)


def element(matrix: Matrix, row: str, column: str) -> str:
    """The offset of an element in its matrix."""
    row, column = (column, row) if matrix.transposed else (row, column)
    return f"{row} * {matrix.leading}u + {column}"


def start(p: Product, matrix: Matrix) -> str:
    """Where matrix `z` of a batch begins."""
    terms, after = [], 1
    for size, stride in zip(p.batch[::-1], matrix.batch[::-1]):
        if stride and size != 1:
            terms.append(f"z / {after}u % {size}u * {stride}u")
        after *= size
    return " + ".join(terms) or "0u"


# ---------------------------------------------------------------- convolutions


def convolution_shader(w: Windows) -> Shader | None:
    """A convolution as the product of the windows at all positions and the kernel; None for other types and layouts.

    An invocation copies elements of one column of the windows, whose position in the window it computes once for all of
    them, and always of the same rows, whose positions it computes before the first iteration.
    """
    places = prod(d.places for d in w.dimensions)
    tile = Tile(places, w.features, w.depth)
    groups = tile.groups(w.groups)
    if w.letter != "s" or w.kind == EACH or groups is None:
        return None
    rows, each = tile.shape[0], THREADS // DEPTH
    before, loads = [], []
    place = {d: f"i32(p / {after}u % {w.dimensions[d].places}u)" for d, after in steps(w, w.place_order, "places")}
    taps = {d: f"i32(k / {after}u % {w.dimensions[d].window}u)" for d, after in steps(w, w.window_order, "window")}
    dimensions = list(enumerate(w.dimensions))
    checked = [(d, v) for d, v in dimensions if not v.inside]
    loads.append(f"{{ let c = i % {DEPTH}u; let k = min(begin + c, {w.depth - 1}u);")
    loads.append(
        "let tap = " + sum_of(f"{taps[d]} * {v.dilation * v.step}" for d, v in dimensions if v.base == 1) + ";"
    )
    loads += [f"let t{d} = {taps[d]} * {v.dilation};" for d, v in checked]
    for j in range(-(-rows // each)):
        before.append(f"let r{j} = i / {DEPTH}u + {each * j}u; var a{j} = 0i;")
        before += [f"var c{j}_{d} = 0i;" for d, _ in checked]
        before.append(f"{{ let p = min(row + r{j}, {places - 1}u);")
        starts = {d: f"({place[d]} * {v.stride} - {v.padding})" for d, v in dimensions}
        before.append(f"a{j} = " + sum_of(f"{starts[d]} * {v.step}" for d, v in dimensions if v.base == 1) + ";")
        before += [*(f"c{j}_{d} = {starts[d]};" for d, _ in checked), "}"]
        at, inside = [f"id.z * {w.group_input}u + u32(a{j} + tap"], []
        for d, v in checked:
            q = f"c{j}_{d} + t{d}"
            if v.base > 1:
                at.append(f"({q}) / {v.base} * {v.step}")
                inside.append(f"(({q}) % {v.base} == 0)")
            # A negative coordinate is a large one, too.
            inside.append(f"(u32({q}) < {(v.size - 1) * v.base + 1}u)")
        value = f"given[{' + '.join(at)})]"
        condition = " && ".join(inside)
        loads.append(f"if (r{j} < {rows}u) {{ var value = 0.0;")
        loads.append(f"if ({condition}) {{ value = {value}; }}" if condition else f"value = {value};")
        loads.append(f"left[c * {rows + 1}u + r{j}] = select(0.0, value, begin + c < {w.depth}u); }}")
    loads.append("}")
    offset = f"z * {w.group_kernel}u + k * {w.depth_step}u + c * {w.kernel_feature_step}u"
    out = {d: f"r / {after}u % {w.dimensions[d].places}u" for d, after in steps(w, w.place_order, "places")}
    stored = [f"z * {w.group_output}u", *(f"{out[d]} * {v.out}u" for d, v in dimensions if v.places != 1)]
    functions = reader("at_b", "kernel", ("k", w.depth), ("c", w.features), offset)
    functions += tile.store(" + ".join(stored), w.feature_step)
    right = tile.fill_right(w.kernel_feature_step != 1)
    text = tile.text(functions, "\n  ".join(before), "\n    ".join(loads), right)
    return Shader(text, (("product", "f32"), ("given", "f32"), ("kernel", "f32")), groups)


def steps(w: Windows, order: Sequence[int], name: str) -> Iterator[tuple[int, int]]:
    """For each dimension, how many positions or elements of the window come before its next one, in this order."""
    after = 1
    for d in reversed(order):
        yield d, after
        after *= getattr(w.dimensions[d], name)


def sum_of(terms: Iterable[str]) -> str:
    return " + ".join(terms) or "0i"


# ---------------------------------------------------------------- Fourier transforms

# A group transforms this many numbers of a stage.
TRANSFORMERS = 64
# Stages of these radices take fewer passes over memory than stages of prime factors, and hardly more arithmetic.
RADICES = (8, 4, 2)


def stages_of(length: int) -> list[tuple[int, int]]:
    """The radix of each stage of a transform, and the product of those before it."""
    stages, done = [], 1
    while done < length:
        rest = length // done
        radix = next((r for r in RADICES if rest % r == 0), 0) or next(r for r in range(3, rest + 1) if rest % r == 0)
        stages.append((radix, done))
        done *= radix
    return stages or [(1, 1)]


def stage_shader(v: Lines, stage: int, inverse: bool) -> Shader:
    """One stage of the transforms of all lines along a dimension.

    After stages whose radices multiply to L, element k·n/L + s of a line holds the transform, at frequency k, of the L
    numbers s, s + n/L, …. A stage of radix r combines r of these, multiplied by powers of exp(-2πi/n), for each of its
    results. The first stage reads the operand, and the last one writes the result: both in their own layouts.
    """
    stages, n = stages_of(v.length), v.length
    radix, done = stages[stage]
    first, last = stage == 0, stage == len(stages) - 1
    size, apart = done * radix, n // (done * radix)
    count = v.count * n
    groups = spread(-(-count // TRANSFORMERS))
    sign = "-" if inverse else ""
    scale = f" * {1 / n!r}" if inverse else ""
    given, made = (
        "f32" if first and v.source == REAL else "vec2<f32>",
        "f32" if last and v.target == REAL else "vec2<f32>",
    )
    at = f"(line / {v.inner}u * {v.before}u + PLACE) * {v.inner}u + line % {v.inner}u"
    if not first:
        load = f"return given[line * {n}u + j];"
    elif v.source == REAL:
        load = f"return vec2<f32>(given[{at.replace('PLACE', 'j')}], 0.0);"
    elif v.source == HALF:
        there = at.replace("PLACE", "place")
        load = f"let place = min(j, {n}u - j); let x = given[{there}];\n"
        # The parts that a real result does not have are ignored.
        load += f"  if (j == 0u || j * 2u == {n}u) {{ return vec2<f32>(x.x, 0.0); }}\n"
        load += "  return select(x, vec2<f32>(x.x, -x.y), place != j);"
    else:
        load = f"return given[{at.replace('PLACE', 'j')}];"
    place = f"(line / {v.inner}u * {v.after}u + at) * {v.inner}u + line % {v.inner}u" if last else f"line * {n}u + at"
    store = (
        f"if (at < {v.after}u) {{ made[{place}] = sum{'.x' if made == 'f32' else ''}{scale}; }}"
        if last
        else f"made[{place}] = sum;"
    )
    text = f"""fn load(line: u32, j: u32) -> vec2<f32> {{
  {load}
}}
@compute @workgroup_size({TRANSFORMERS}) fn main(@builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>) {{
  let i = id.x + id.y * groups.x * {TRANSFORMERS}u;
  if (i >= {count}u) {{ return; }}
  let line = i / {n}u; let at = i % {n}u; let k = at / {apart}u; let s = at % {apart}u;
  var sum = vec2<f32>();
  for (var q = 0u; q < {radix}u; q++) {{
    let x = load(line, k % {done}u * {n // done}u + s + q * {apart}u);
    let w = iterations[k * q % {size}u * {n // size}u];
    sum += vec2<f32>(x.x * w.x - x.y * {sign}w.y, x.x * {sign}w.y + x.y * w.x);
  }}
  {store}
}}
"""
    return Shader(text, (("made", made), ("given", given), ("iterations", "vec2<f32>")), groups)
