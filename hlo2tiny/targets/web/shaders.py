"""Shaders that are written by hand: copies, gates, matrix products, Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from ...plan.fourier import HALF, REAL, Lines
from ...plan.gemm import Matrix, Product

Groups = tuple[int, int, int]
# The most groups along a dimension of a dispatch.
MOST_GROUPS = 65535
# A copy's group has so many invocations, each of which copies 16 bytes.
COPIERS = 64


@dataclass(frozen=True)
class Shader:
    """A shader without the declarations of its buffers: their element types by name, and how many groups run it."""

    text: str
    buffers: Sequence[tuple[str, str]]
    groups: Groups

    def declared(self, read_only: Sequence[bool]) -> str:
        lines = (
            f"@group(0) @binding({i}) var<storage, {'read' if fixed else 'read_write'}> {name}: array<{type}>;\n"
            for i, ((name, type), fixed) in enumerate(zip(self.buffers, read_only))
        )
        return "".join(lines) + self.text


def spread(count: int) -> Groups:
    """So many groups, or a few more, as two dimensions."""
    y = -(-count // MOST_GROUPS)
    return -(-count // y), y, 1


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
    """Words that say whether a part of a plan runs: a flag, the number of turns, and the groups of each dispatch.

    The groups are in the form that an indirect dispatch reads, all zero while the gate is closed. `begin` is the place
    of the flag, in words.
    """

    parent: Gate | None = None
    groups: dict[Groups, int] = field(default_factory=dict)
    begin: int = 0

    @property
    def words(self) -> int:
        return 2 + 3 * len(self.groups)

    def slot(self, groups: Groups) -> int:
        return self.groups.setdefault(groups, len(self.groups))

    def offset(self, slot: int) -> int:
        """Where an indirect dispatch finds its groups, in bytes."""
        return 4 * (self.begin + 2 + 3 * slot)

    def shader(self, condition: str, turns: str) -> Shader:
        """A shader that opens or closes the gate: the condition and the new number of turns in WGSL.

        They can use `open` and `turns`, the old number of turns, and `values`, the words of the second buffer if any.
        """
        parent = f"gates[{self.parent.begin}] != 0u && " if self.parent else ""
        lines = [f"let turns = gates[{self.begin + 1}];", f"let open = {parent}({condition});"]
        lines.append(f"gates[{self.begin + 1}] = {turns};")
        lines.append(f"gates[{self.begin}] = u32(open);")
        for groups, slot in self.groups.items():
            for i, count in enumerate(groups):
                lines.append(f"gates[{self.offset(slot) // 4 + i}] = select(0u, {count}u, open);")
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
# invocation. The last is for products with few rows.
TILES = ((64, 64, 4, 2), (32, 64, 4, 1), (16, 64, 2, 1), (4, 128, 1, 1))


def product_shader(p: Product) -> Shader | None:
    """The product of two matrices of f32, for each matrix of a batch; None for other types."""
    if p.letter != "s" or p.a.narrow or p.b.narrow or p.group:
        return None
    count = prod(p.batch)
    rows, columns, tall, wide = next((t for t in TILES if t[0] <= p.m), TILES[-1])
    groups = -(-p.n // columns), -(-p.m // rows), count
    if any(size > MOST_GROUPS for size in groups):
        return None
    across = columns // (4 * wide)
    threads = across * rows // tall
    begins = [start(p, matrix) for matrix in (p.a, p.b)]
    sums = "\n  ".join(f"var s{r}_{v} = vec4<f32>();" for r in range(tall) for v in range(wide))
    loads = "\n      ".join(f"let y{v} = right[k * {columns // 4}u + x * {wide}u + {v}u];" for v in range(wide))
    terms = "\n      ".join(
        f"let x{r} = left[k * {rows}u + y * {tall}u + {r}u]; "
        + " ".join(f"s{r}_{v} = s{r}_{v} + x{r} * y{v};" for v in range(wide))
        for r in range(tall)
    )
    stores = "\n  ".join(
        f"store(id.z, row + y * {tall}u + {r}u, column + (x * {wide}u + {v}u) * 4u, s{r}_{v});"
        for r in range(tall)
        for v in range(wide)
    )
    text = f"""var<workgroup> left: array<f32, {DEPTH * rows}>;
var<workgroup> right: array<vec4<f32>, {DEPTH * columns // 4}>;
fn at_a(z: u32, r: u32, k: u32) -> f32 {{
  if (r >= {p.m}u || k >= {p.k}u) {{ return 0.0; }}
  return a[{begins[0]} + {element(p.a, "r", "k")}];
}}
fn at_b(z: u32, k: u32, c: u32) -> f32 {{
  if (c >= {p.n}u || k >= {p.k}u) {{ return 0.0; }}
  return b[{begins[1]} + {element(p.b, "k", "c")}];
}}
fn store(z: u32, r: u32, c: u32, s: vec4<f32>) {{
  if (r >= {p.m}u) {{ return; }}
  let at = (z * {p.m}u + r) * {p.n}u + c;
  for (var i = 0u; i < 4u && c + i < {p.n}u; i++) {{ product[at + i] = s[i]; }}
}}
@compute @workgroup_size({threads}) fn main(@builtin(workgroup_id) id: vec3<u32>,
    @builtin(local_invocation_index) i: u32) {{
  let row = id.y * {rows}u; let column = id.x * {columns}u; let x = i % {across}u; let y = i / {across}u;
  {sums}
  for (var begin = 0u; begin < {p.k}u; begin += {DEPTH}u) {{
    for (var e = i; e < {DEPTH * rows}u; e += {threads}u) {{
      {fill_left(p.a, rows)}
    }}
    for (var e = i; e < {DEPTH * columns // 4}u; e += {threads}u) {{
      {fill_right(p.b, columns)}
    }}
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
    return Shader(text, (("product", "f32"), ("a", "f32"), ("b", "f32")), groups)


def fill_left(a: Matrix, rows: int) -> str:
    """Copy one element of A, so that neighbouring invocations read neighbouring elements."""
    if a.transposed:
        return f"left[e] = at_a(id.z, row + e % {rows}u, begin + e / {rows}u);"
    return f"left[(e % {DEPTH}u) * {rows}u + e / {DEPTH}u] = at_a(id.z, row + e / {DEPTH}u, begin + e % {DEPTH}u);"


def fill_right(b: Matrix, columns: int) -> str:
    """Copy four elements of a row of B."""
    vectors = columns // 4
    k, c = (f"e % {DEPTH}u", f"e / {DEPTH}u") if b.transposed else (f"e / {vectors}u", f"e % {vectors}u")
    values = ", ".join(f"at_b(id.z, begin + {k}, column + ({c}) * 4u + {i}u)" for i in range(4))
    return f"right[({k}) * {vectors}u + {c}] = vec4<f32>({values});"


def element(matrix: Matrix, row: str, column: str) -> str:
    """The place of an element in its matrix."""
    row, column = (column, row) if matrix.transposed else (row, column)
    return f"{row} * {matrix.leading}u + {column}"


def start(p: Product, matrix: Matrix) -> str:
    """Where matrix `z` of a batch begins."""
    terms, after = [], 1
    for size, stride in zip(p.batch[::-1], matrix.batch[::-1]):
        if stride and size > 1:
            terms.append(f"z / {after}u % {size}u * {stride}u")
        after *= size
    return " + ".join(terms) or "0u"


# ---------------------------------------------------------------- Fourier transforms

# A group transforms so many numbers of a stage.
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

    After stages whose radices multiply to L, place k·n/L + s of a line holds the transform, at frequency k, of the L
    numbers s, s + n/L, …. A stage of radix r combines r of these, which are turned by powers of exp(-2πi/n), for each
    of its results. The first stage reads the operand, and the last one writes the result: both in their own layouts.
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
    let w = turns[k * q % {size}u * {n // size}u];
    sum += vec2<f32>(x.x * w.x - x.y * {sign}w.y, x.x * {sign}w.y + x.y * w.x);
  }}
  {store}
}}
"""
    return Shader(text, (("made", made), ("given", given), ("turns", "vec2<f32>")), groups)
