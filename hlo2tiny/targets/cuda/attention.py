"""Attention in one kernel of our own: its constants, and how its changes of scores are written."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from math import isfinite, prod

from ...ops import Trait, has
from ...plan.heads import Change, Heads
from ...plan.plan import Attention
from ...records import dataclass
from ...templates import fill
from .kernels import WARP, CudaKernel, KernelParameter
from .specs import is_exact

# The most numbers of a result that a block of threads computes.
WIDEST = 128
# How the kernel numbers types, and what it calls them.
KINDS = {"f32": 0, "bf16": 1, "f16": 2}
NAMES = {"f32": "float", "bf16": "unsigned short", "f16": "unsigned short", "i1": "unsigned char"}
# From this many tiles of 16 queries on, each warp reads all keys by itself.
MANY = 1024
# With so few tiles some processors are idle; from so many keys on a warp takes long.
FEW, LONG = 128, 512


@dataclass(frozen=True)
class Tiling:
    """How queries and keys are distributed: `tiles` of 16 queries for a warp, which takes `step` keys at a time.

    A block is `groups` · `splits` warps: the groups of queries, and the warps that share the keys of each group.
    """

    tiles: int
    groups: int
    splits: int
    step: int


def tiling_of(h: Heads, exact: bool = False) -> Tiling:
    """The fastest of those tried on an H200: latency counts most, so warps share keys unless there are many queries."""
    splits = 4 if h.keys < 256 or min(h.width, WIDEST) > 64 else 8
    while splits > 1 and 8 * splits > h.keys:
        splits //= 2
    tiles = prod(h.sizes) // h.rows * -(-h.rows // 16)
    if h.usual:  # how keys are distributed decides how sums round
        return Tiling(1, 1, 8 if h.keys >= LONG else splits, 16)
    if splits == 4 and tiles <= FEW and h.keys >= LONG:
        splits = 8  # there is room for more warps, which have much to wait for
    if tiles >= MANY and h.rows > 16:
        if exact or max(h.depth, h.width) > 64:
            return Tiling(1, 4, 1, 16) if narrow_kind(h, exact) else Tiling(1, 4, 2, 16)
        return Tiling(2, 4, 1, 16)
    return Tiling(1, 1, splits, 16)


def narrow_kind(h: Heads, exact: bool) -> int:
    """The kind of the numbers that are multiplied, if both products are of bf16 or of f16; 0 if they are of TF32.

    The weights are then rounded before they are divided by their sum, and the softmax is otherwise computed in f32, as
    accurate as the program's. Exponentials that are not of differences from the highest score may be too large for f16.
    """
    kind, *others = h.types[:3]
    same = all(other == kind for other in (*others, h.rounded[3]))
    return KINDS[kind] if same and not exact and (h.shifted or kind == "bf16") else 0


def kernel_of(step: Attention, tiling: Tiling | None = None) -> CudaKernel:
    """The kernel of a step, whose buffers are its inputs and its result."""
    exact = any(is_exact(op) for op in step.region.ops if has(op, Trait.DOT))
    h, t = step.heads, tiling or tiling_of(step.heads, exact)
    outer = len(h.sizes) - h.shared
    row_parts = -(-h.rows // (16 * t.tiles * t.groups))
    chunk, narrow = h.width if h.width <= WIDEST else WIDEST, narrow_kind(h, exact)
    assert not narrow or t.step % 16 == 0
    columns = -(-chunk // 8)
    inner_rows = [("q", h.queries), ("out", h.results)]
    changes = [(f"b{i}", c) for i, c in enumerate(h.changes) if c.strides is not None]
    inner_rows += [(name, c.strides) for name, c in changes if c.strides]

    def vector(strides: Sequence[int], last: int, size: int, every: int, most: int = 4) -> bool:
        """Whether the elements that a lane reads are adjacent, at an address that is aligned to their size."""
        return last == 1 and size % every == 0 and all(s % most == 0 for s in strides)

    steps = {o: [x for x in h.offsets if x.operand == o] for o in range(3)}

    def aligned(operand: int, strides: Sequence[int], size: int, every: int, most: int = 4) -> bool:
        return vector([*strides[:-1], *(x.stride for x in steps[operand])], strides[-1], size, every, most)

    whole, once = columns % 4 == 0 and chunk % 8 == 0, 16
    if narrow:
        once = at_once = 8 if h.depth > 16 else 4
        values_at_once = 4 if columns % 8 else 8
    else:
        at_once = values_at_once = 4
    constants: dict[str, int] = {
        "TILES": t.tiles, "GROUPS": t.groups, "SPLITS": t.splits, "STEP": t.step, "ROWS": h.rows,
        "ROW_PARTS": row_parts, "KEYS": h.keys, "DEPTH": h.depth, "WIDTH": h.width, "CHUNK": chunk,
        "PASSES": 1 if narrow else passes(h), "NARROW": narrow,
    }  # fmt: skip
    for name, kind in zip(("Q_KIND", "K_KIND", "V_KIND", "OUT_KIND"), h.types):
        constants[name] = KINDS[kind]
    for name, kind in zip(("DIFFERENCE", "POWER", "SUM", "WEIGHT"), h.rounded):
        constants[f"ROUNDED_{name}"] = 0 if narrow else KINDS[kind]
    rank = len(h.sizes)
    distances = {
        "KEY_STEP": h.key[rank], "VALUE_STEP": h.values[rank], "Q_STEP": h.queries[-1], "K_STEP": h.key[-1],
        "V_STEP": h.values[-1], "OUT_STEP": h.results[-1],
    }  # fmt: skip
    flags = {
        "EXACT": exact,
        "SHIFTED": h.shifted,
        "Q_VECTOR": aligned(0, h.queries, h.depth, once, at_once),
        "K_VECTOR": aligned(1, h.key, h.depth, once, at_once),
        "V_VECTOR": whole and aligned(2, h.values, h.width, chunk, values_at_once),
        "OUT_VECTOR": whole and vector(h.results[:-1], h.results[-1], h.width, chunk),
    }
    text = [
        f"constexpr int {', '.join(f'{name} = {value}' for name, value in constants.items())};",
        f"constexpr long long {', '.join(f'{name} = {value}' for name, value in distances.items())};",
        f"constexpr bool {', '.join(f'{name} = {str(value).lower()}' for name, value in flags.items())};",
    ]
    strides = {"q": h.queries, "k": h.key, "v": h.values, "out": h.results, **{n: c.strides or () for n, c in changes}}
    starts = [f"{n} += {distance('batch', h.sizes[:outer], s[:outer])};" for n, s in strides.items()]
    for i, x in enumerate(h.offsets):
        clamped = f"*i{i} < 0 ? 0 : *i{i} > {x.most} ? {x.most} : *i{i}"
        starts.append(f"{'qkv'[x.operand]} += ({clamped}) * {x.stride}ll;")
    row_starts = []
    for name, s in inner_rows:
        offset = distance("rows[i]", h.sizes[outer:], s[outer:rank])
        row_starts.append(f"long long {name}_at[2 * TILES];")
        row_starts.append(f"for (int i = 0; i < 2 * TILES; i++) {name}_at[i] = {offset};")
    pairs = [f"b{i}" for i, c in enumerate(h.changes) if read_in_pairs(c, h)]
    reads = [line for i, c in enumerate(h.changes) if f"b{i}" in pairs for line in write_reads(f"b{i}", c, h.keys)]
    lines = [write_change(f"b{i}", c, rank, f"b{i}" in pairs) for i, c in enumerate(h.changes)]
    body = resources.files(__package__).joinpath("attention.cu").read_text(encoding="utf-8")
    parts = {"starts": starts, "row_starts": row_starts, "reads": reads, "changes": lines}
    body = fill(body, {name: "\n".join(part) for name, part in parts.items()})
    named = (
        *((NAMES[kind], name) for name, kind in zip("qkv", h.types)),
        *((NAMES[c.element], name) for name, c in changes),
        *(("int" if x.index == "i32" else "long long", f"i{i}") for i, x in enumerate(h.offsets)),
        (NAMES[h.types[3]], "out"),
    )
    parameters = tuple(KernelParameter(f"{kind}* __restrict__", name, name == "out") for kind, name in named)
    grid = (prod(h.sizes) // h.rows * row_parts, -(-h.width // chunk), 1)
    block = (WARP * t.groups * t.splits, 1, 1)
    numbers, whole_body = tuple(range(len(parameters))), "\n".join([*text, body])
    q, k, v, o = (4 if kind == "f32" else 2 for kind in h.types)
    moved = prod(h.sizes) * (q * h.depth + o * h.width) + prod(h.sizes) // h.rows * h.keys * (k * h.depth + v * h.width)
    return CudaKernel("attention", parameters, whole_body, (), grid, block, False, numbers, h.flops, moved, alone=True)


def passes(h: Heads) -> int:
    """How often the keys are read: what is rounded needs the highest score, and the weights the sum, of all keys."""
    difference, power, *_ = (kind != "f32" for kind in h.rounded)
    return 1 + any(kind != "f32" for kind in h.rounded) + (h.shifted and (difference or power))


def distance(index: str, sizes: Sequence[int], strides: Sequence[int]) -> str:
    """How far an index into some dimensions is from the first element."""
    terms, after = [], 1
    for size, stride in reversed([*zip(sizes, strides)]):
        if stride and size > 1:
            terms.append(f"{index} / {after} % {size} * {stride}ll")
        after *= size
    return " + ".join(terms) or "0"


OPERATORS = {"add": "+", "multiply": "*", "subtract": "-", "divide": "/"}


def read_in_pairs(change: Change, h: Heads) -> bool:
    """Whether what belongs to two neighbouring keys, of which a lane has both, can be read at once."""
    strides = change.strides
    return strides is not None and strides[-1] == 1 and all(s % 2 == 0 for s in (*strides[:-1], h.keys))


def write_reads(name: str, change: Change, keys: int) -> list[str]:
    kind = {"f32": "float2", "i1": "uchar2"}.get(change.element, "ushort2")
    return [
        f"{kind} {name}_pairs[BLOCKS];",
        "#pragma unroll",
        f"for (int n = 0; n < BLOCKS; n++) {name}_pairs[n] = *(const {kind} *)({name} + {name}_at[i]"
        f" + min(first + 8 * n + 2 * place, {keys - 2}));",
    ]


def write_change(name: str, change: Change, rank: int, in_pairs: bool = False) -> str:
    number = f"{change.number.hex()}f" if isfinite(change.number) else f"({'-' * (change.number < 0)}infinity)"
    if change.number != change.number:
        number = "__int_as_float(0x7fc00000)"
    read = f"{name}[{name}_at[i] + key * {change.strides[rank]}ll]" if change.strides is not None else number
    if in_pairs:
        read = f"(j % 2 ? {name}_pairs[j / 2].y : {name}_pairs[j / 2].x)"
    if change.element in ("bf16", "f16"):
        read = f"read({KINDS[change.element]}, {read})"
    match change.kind:
        case "round":
            return f"x = round_to({KINDS[change.element]}, x);"
        case "tanh":
            return "x = tanhf(x);"
        case "keep":
            return f"x = {read} ? x : {number};"
        case "drop":
            return f"x = {read} ? {number} : x;"
    return f"x = x {OPERATORS[change.kind]} {read};"
