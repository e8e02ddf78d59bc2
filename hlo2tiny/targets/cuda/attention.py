"""Attention in one kernel of our own: its constants, and how its changes of scores are written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import gcd, inf, isfinite, prod

from ...ops import Trait, has
from ...plan.gemm import is_exact
from ...plan.heads import Change, Heads, Strides
from ...plan.plan import Attending, Attention
from ...records import dataclass
from ...templates import fill
from .arranging import ALIGNED, Arranged, distance
from .kernels import WARP, CudaKernel, KernelParameter, aligned, constants_text, read_code, shared_text
from .operands import BYTES, KINDS, NAMES, TOGETHER, Rounding, begin, copy, offset_numbers, offset_parameter

# The most numbers of a result that a block of threads computes.
WIDEST = 128
# What a step may also compute of each query, in this order, and what the kernel calls it.
STATISTICS = ("sums", "highest")
# The changes that replace scores.
MASKS = ("keep", "drop")
# With fewer queries for the same keys, these are read too rarely to be copied first, or to be rounded to TF32 first.
LEAST_COPIED, LEAST_ROUNDED = 64, 256
# From this many tiles of 16 queries on, each warp reads all keys by itself.
MANY = 1024
# With so few tiles some processors are idle; from so many keys on a warp takes long.
FEW, LONG = 128, 512
# An H200 runs so many blocks at once, two on each processor.
PAIRED = 264
# From so many tiles on, blocks have keys and values in their memory, where there is a byte for each step of keys.
LEAST_STAGED, MOST_STAGED = 256, 1 << 17
# The GPUs on which four warps multiply together; their blocks have room for twice as many keys and values.
WARPGROUPS = "sm_90"
# The bytes that memory is asked for at once.
LINE = 128
# The threads of a block that finds out about a step.
STEP_THREADS = 128
# With so few tiles several blocks share the keys, so that there are about so many blocks of at least so many keys.
ENOUGH_BLOCKS, BLOCKS, MOST_SHARES, LEAST_SHARED = 64, 256, 32, 256


@dataclass(frozen=True)
class Tiling:
    """How queries and keys are distributed: `tiles` of 16 queries for a warp, which takes `step` keys at a time.

    A block is `groups` · `splits` warps: the groups of queries, and the warps that share the keys of each group. There
    may be `shares` blocks for the same queries, which share the keys. Keys that are `staged` are copied to each
    block's memory.
    """

    tiles: int
    groups: int
    splits: int
    step: int
    shares: int = 1
    staged: bool = False


def tiling_of(h: Heads, exact: bool = False, arch: str = "") -> Tiling:
    """The fastest of those tried on an H200: latency counts most, so warps share keys unless there are many queries."""
    splits = 4 if h.keys < 256 or min(h.width, WIDEST) > 64 else 8
    while splits > 1 and 8 * splits > h.keys:
        splits //= 2
    tiles = prod(h.sizes) // h.rows * -(-h.rows // 16)
    if h.usual:  # how keys are distributed decides how sums round
        return Tiling(1, 1, 8 if h.keys >= LONG else splits, 16)
    if splits == 4 and tiles <= FEW and h.keys >= LONG:
        splits = 8  # there is room for more warps, which have much to wait for
    if suits_rounding(h, exact, arch):
        twice = h.keys > TOGETHER and max(h.depth, h.width) <= WIDEST // 2
        return Tiling(1, 4, 1, TOGETHER * (1 + twice), staged=True)
    if suits_stages(h, exact) and is_aligned(h):
        if max(h.depth, h.width) > WIDEST:
            return Tiling(1, 4, 1, TOGETHER, staged=True) if has_room(h, arch) else Tiling(1, 8, 1, 32, staged=True)
        return Tiling(1, 4, 1, TOGETHER * (1 + (arch == WARPGROUPS and h.keys > TOGETHER)), staged=True)
    if tiles >= MANY and h.rows > 16:
        if exact or max(h.depth, h.width) > 64:
            if not narrow_kind(h, exact):
                return Tiling(1, 4, 2, 16)
            return Tiling(1, 4, 1, 32 if max(h.depth, h.width) > 128 else 16)
        return Tiling(2, 4, 1, 16)
    blocks = tiles * -(-h.width // chunk_of(h))
    if tiles > ENOUGH_BLOCKS or (not narrow_kind(h, exact) and passes(h) > 1):
        return Tiling(1, 1, splits, 16)
    shares = max(1, min(MOST_SHARES, BLOCKS // blocks, h.keys // LEAST_SHARED))
    # A warp's keys at once, if they fit in its registers.
    step = 32 if shares > 1 and splits * 32 * shares <= h.keys and narrow_kind(h, exact) and h.depth <= 128 else 16
    return Tiling(1, 1, splits, step, shares)


def narrow_kind(h: Heads, exact: bool) -> int:
    """The kind of the numbers that are multiplied, if both products are of bf16 or of f16; 0 if they are of TF32.

    The weights are then rounded before they are divided by their sum, and the softmax is otherwise computed in f32, as
    accurate as the program's. Exponentials that are not of differences from the highest score may be too large for f16.
    """
    kind, *others = h.types[:3]
    same = all(other == kind for other in (*others, h.rounded[3]))
    return KINDS[kind] if same and not exact and (h.shifted or kind == "bf16") else 0


def is_vector(h: Heads, operand: int, narrow: bool) -> bool:
    """Whether the elements of an operand that a lane reads are adjacent, at addresses that are aligned to their size.

    Beyond the width of values, a lane reads what it does not store; beyond the depth, it would multiply it.
    """
    strides = (h.queries, h.key, h.values)[operand]
    if operand == 2:
        size, most = 0, 4 if not narrow or chunk_of(h) % 64 else 8
    else:
        size, most = h.depth, 8 if narrow and h.depth > 16 else 4
    steps = [*strides[:-1], h.begins[operand], *(x.stride for x in h.offsets if x.operand == operand), size]
    return strides[-1] == 1 and all(s % most == 0 for s in steps)


def suits_stages(h: Heads, exact: bool) -> bool:
    """Whether enough queries read keys and values for blocks to copy these to their memory first."""
    return bool(narrow_kind(h, exact)) and has_enough(h, LEAST_COPIED)


def suits_rounding(h: Heads, exact: bool, arch: str) -> bool:
    """Whether four warps multiply numbers of TF32 together, to which keys and values are rounded first."""
    is_f32 = {*h.types[:3], *h.rounded} == {"f32"} and not exact
    return is_f32 and has_room(h, arch) and h.keys >= TOGETHER and has_enough(h, LEAST_ROUNDED)


def has_enough(h: Heads, least: int) -> bool:
    """Whether heads fit into blocks' memory, and so many queries or more read the same keys, of enough in all."""
    tiles = prod(h.sizes) // h.rows * -(-h.rows // 16)
    fits = 16 < h.depth <= 256 and h.keys <= MOST_STAGED
    return not h.usual and fits and h.rows >= least and tiles >= LEAST_STAGED


def has_room(h: Heads, arch: str) -> bool:
    """Whether four warps that multiply together, on a kind of GPU, have room for all numbers of a result."""
    return arch == WARPGROUPS and h.width <= 2 * WIDEST


def is_aligned(h: Heads) -> bool:
    """Whether keys and values can be copied by 16 bytes."""
    steps = [*h.key[:-1], *h.values[:-1], *h.begins[1:], h.depth, *(x.stride for x in h.offsets if x.operand)]
    return h.key[-1] == h.values[-1] == 1 and not any(s % 8 for s in steps)


def chunk_of(h: Heads) -> int:
    """How many numbers of a result a block computes: its 8 lanes beside each other have a multiple of 4 each."""
    return -(-h.width // -(-h.width // WIDEST) // 32) * 32


def needs_exact(step: Attending) -> bool:
    """Whether products of f32 ask for more than TF32."""
    return any(is_exact(op) for op in step.region.ops if has(op, Trait.DOT))


def arrange(step: Attention, arch: str = "") -> Arranged:
    """The kernel of a step on a kind of GPU, after copies of operands whose rows are not aligned, if read often."""
    exact = needs_exact(step)
    h, last, results = step.heads, len(step.inputs), len(step.outputs)
    numbers, narrow = [*range(last + results)], bool(narrow_kind(h, exact))
    span = tiling_of(h, exact, arch).step if suits_rounding(h, exact, arch) else 0
    unaligned = [o for o in range(3) if not is_vector(h, o, narrow)] if h.rows >= LEAST_COPIED else []
    copied = [1, 2] if span else unaligned  # into tiles, whether aligned or not
    layouts, before, temporaries = [h.queries, h.key, h.values], list[CudaKernel](), list[int]()
    rank = len(h.sizes)
    longest = max(range(rank), key=lambda d: h.sizes[d] if h.queries[d] else 0)
    for operand in copied:
        numbers[operand] = last + results + len(temporaries)
        if span:
            rounding, by_columns = Rounding(h, operand, span, span), operand == 2
            layouts[operand], size = rounding.layout(by_columns)
            kernel = rounding.kernel(operand, numbers[operand], by_columns)
        else:
            kernel, layouts[operand], size = copy(h, operand, numbers[operand], rank if operand else longest)
        before.append(kernel)
        temporaries.append(size)
    gone = [n for n, offset in offset_numbers(h) if offset.operand in copied]
    left = tuple(offset for offset in h.offsets if offset.operand not in copied)
    q, k, v = (0 if operand in copied else begin for operand, begin in enumerate(h.begins))
    queries, key, values = layouts
    depth = aligned(h.depth, ALIGNED) if {0, 1} <= {*copied} else h.depth
    h = replace(h, queries=queries, key=key, values=values, offsets=left, depth=depth, begins=(q, k, v))
    tiling = tiling_of(h, exact, arch)
    if tiling.shares > 1:
        numbers[last] = last + results + len(temporaries)
        temporaries.append(4 * tiling.shares * prod(h.sizes) * (h.width + 2))
        buffers = numbers[last], *range(last, last + results)
        after = [shares_kernel(h, exact, tiling.shares, step.statistics, buffers)]
    else:
        after = []
    given, asked = [n for n in numbers if n not in gone], list[int]()
    if skips_steps(h, tiling):
        steps = KeySteps.of(h, tiling)
        for count, find in ((steps.of_masks, steps.mask_kernel), (steps.of_values, steps.value_kernel)):
            asked.append(last + results + len(temporaries))
            temporaries.append(count)
            before.append(find(h, given, asked[-1]))
    kernel = replace(kernel_of(h, exact, tiling, step.statistics), buffers=(*given, *asked))
    return Arranged((*before, kernel, *after), tuple(temporaries))


def shares_kernel(
    h: Heads, exact: bool, shares: int, statistics: tuple[Strides, ...], buffers: tuple[int, ...]
) -> CudaKernel:
    """The kernel that adds up what blocks with shares of the keys have found, and stores it with statistics."""
    outer, rank, total = len(h.sizes) - h.shared, len(h.sizes), prod(h.sizes)
    whole = aligned(h.width, WARP)
    constants = {"SHARES": shares, "ROWS": h.rows, "WIDTH": h.width, "WHOLE": whole, "OUT_KIND": KINDS[h.types[3]]}
    found = dict(zip(STATISTICS, statistics))
    constants["STATISTICS"] = len(found)

    def place(strides: Strides) -> str:
        batch = distance("batch", h.sizes[:outer], strides[:outer])
        return f"{batch} + {distance('row', h.sizes[outer:], strides[outer:rank])}"

    places = {f"{name}_offset": place(found[name]) if name in found else "0" for name in STATISTICS}
    places["offset"] = f"{place(h.results)} + column * {h.results[-1]}ll"
    body = [
        constants_text({"int": constants, "long long": {"QUERIES": total}, "bool": {"EXACT": exact}}),
        *missing_statistics(found),
        fill(read_code("shares.cu"), places),
    ]
    threads = 2 * WARP  # on many processors, as each reads all shares
    blocks = -(-total * whole // threads)
    parameters = (
        KernelParameter("float* __restrict__", "parts", False),
        KernelParameter(f"{NAMES[h.types[3]]}* __restrict__", "out"),
        *(KernelParameter("float* __restrict__", f"{name}_found") for name in found),
    )
    moved = total * h.width * (4 * shares + BYTES[h.types[3]])
    return CudaKernel(
        "attention_shares", parameters, "\n".join(body), (), (blocks, 1, 1), (threads, 1, 1), False, buffers,
        3 * total * h.width * shares, moved, alone=True,
    )  # fmt: skip


def missing_statistics(found: Collection[str]) -> list[str]:
    """Declarations of those that are not asked for."""
    names = [f"{name}_found" for name in STATISTICS][len(found) :]
    return [f"float *const {name} = 0;\nconst long long *const {name}_at = 0;" for name in names]


def kernel_of(h: Heads, exact: bool, t: Tiling, statistics: tuple[Strides, ...] = ()) -> CudaKernel:
    """The kernel whose arguments are queries, keys, values, what changes scores, offsets and the result.

    It also writes those statistics that have strides.
    """
    outer, rank = len(h.sizes) - h.shared, len(h.sizes)
    rows = 16 * t.tiles * t.groups
    row_parts = -(-h.rows // rows)
    is_wide = t.staged and t.step >= 64 and max(h.depth, h.width) > WIDEST
    chunk, narrow = aligned(h.width, WARP) if is_wide else chunk_of(h), narrow_kind(h, exact)
    assert not narrow or t.step % 16 == 0
    changes = [(f"b{i}", c) for i, c in enumerate(h.changes) if c.strides is not None]
    masks = [(name, c) for name, c in changes if c.kind in MASKS]
    masked = any(c.kind in MASKS for c in h.changes)
    highest, skips = replaced_scores(h)[0], skips_steps(h, t)
    # Whether each thread copies the same 16 bytes of some rows, and queries are not copied.
    words = (aligned(h.depth, 16) // 8, -(-chunk // 8)) if narrow else (1,)
    even = h.depth <= WIDEST and all(WARP * t.groups * t.splits % n == 0 for n in words)
    memory, asked = (
        "__shared__ __align__(WARPGROUPS ? 1024 : 16) uint4 memory[(STAGE > SHARED ? STAGE : SHARED) / 16 + 1];",
        0,
    )
    if t.staged and (t.step > TOGETHER or is_wide or not narrow):
        part = 64 if narrow else 32
        of_depth, of_values = -(-h.depth // part) * 128, -(-chunk // 64) * (128 if narrow else 256)
        of_queries = 16 * t.groups * of_depth * (is_wide and h.depth > WIDEST)
        stages = 1 + (even and t.step > TOGETHER)  # of keys
        memory, asked = shared_text(t.step * (stages * of_depth + of_values) + of_queries, "memory", 1024)
    inner_rows = [("q", h.queries), ("out", h.results), *((name, c.strides) for name, c in changes if c.strides)]
    found = {f"{name}_found": strides for name, strides in zip(STATISTICS, statistics)}
    inner_rows += found.items()
    constants: dict[str, int] = {
        "TILES": t.tiles, "GROUPS": t.groups, "SPLITS": t.splits, "STEP": t.step, "ROWS": h.rows,
        "ROW_PARTS": row_parts, "KEYS": h.keys, "DEPTH": h.depth, "WIDTH": h.width, "CHUNK": chunk,
        "PASSES": 1 if narrow else passes(h), "NARROW": narrow, "SHARES": t.shares, "STATISTICS": len(found),
        "LENGTH": -(-h.keys // (t.shares * t.splits * t.step)) * t.splits * t.step,
        "BATCHES": prod(h.sizes) // h.rows, "INNER": h.sizes[-1] // rows if h.sizes[-1] % rows == 0 else row_parts,
    }  # fmt: skip
    for name, kind in zip(("Q_KIND", "K_KIND", "V_KIND", "OUT_KIND"), h.types):
        constants[name] = KINDS[kind]
    for name, kind in zip(("DIFFERENCE", "POWER", "SUM", "WEIGHT"), h.rounded):
        constants[f"ROUNDED_{name}"] = 0 if narrow else KINDS[kind]
    distances = {
        "KEY_STEP": h.key[rank], "VALUE_STEP": h.values[rank], "Q_STEP": h.queries[-1], "K_STEP": h.key[-1],
        "V_STEP": h.values[-1], "OUT_STEP": h.results[-1],
    }  # fmt: skip
    flags = {
        "EXACT": exact,
        "SHIFTED": h.shifted,
        "MASKED": masked,
        "STAGED": t.staged,
        "EVEN": even,
        "SKIPS": skips,
        "PAIRED": prod(h.sizes) // h.rows * row_parts <= PAIRED,
        **{f"{name}_VECTOR": is_vector(h, operand, bool(narrow)) for operand, name in enumerate("QKV")},
        "OUT_VECTOR": h.results[-1] == 1 and all(s % 4 == 0 for s in (*h.results[:-1], h.width)),
    }
    text = [
        constants_text({"int": constants, "long long": distances, "bool": flags}),
        f"const float REPLACED = {write_number(highest + abs(highest) / 128 if isfinite(highest) else highest)};",
        f"float *const parts = {'out' if t.shares > 1 else '0'};",
    ]
    text += missing_statistics(found)
    strides = {"q": h.queries, "k": h.key, "v": h.values, "out": h.results, **{n: c.strides or () for n, c in changes}}
    strides |= found
    starts = [f"{n} += {distance('batch', h.sizes[:outer], s[:outer])};" for n, s in strides.items()]
    starts += [line for operand, name in enumerate("qkv") for line in begin(h, operand, name)]
    none = ["const unsigned char *const of_masks = 0, *const of_values = 0;"]
    starts += KeySteps.of(h, t).starts() if skips else none
    row_starts = []
    for name, s in inner_rows:
        offset = distance("rows[i]", h.sizes[outer:], s[outer:rank])
        row_starts.append(f"long long {name}_at[HALVES];")
        row_starts.append(f"for (int i = 0; i < HALVES; i++) {name}_at[i] = {offset};")
    parts = {
        "floats": [read_code("floats.cu")],
        "apart": [read_code("apart.cu")],
        "query_place": [distance("row", h.sizes[outer:], h.queries[outer:rank])],
        "starts": starts,
        "row_starts": row_starts,
        "declarations": [f"uint {name}_words[HALVES][(NEAR * {BYTES[c.element]} + 3) / 4];" for name, c in changes],
        "reads": [write_read(name, c, h, t.step // 4) for name, c in changes if not (skips and c.kind in MASKS)],
        "mask_reads": [write_read(name, c, h, t.step // 4) for name, c in masks],
        "changes": [
            f"if (masked.count) {text}" if c.kind in MASKS else text
            for i, c in enumerate(h.changes)
            for text in [write_change(read_word(f"b{i}", c), c)]
        ],
        "is_read": [
            " && ".join(f"differs({n}_words[i], {'0x01010101' if c.kind == 'drop' else 0})" for n, c in masks) or "true"
        ],
        "memory": [memory],
    }
    body = fill(read_code("attention.cu"), {name: "\n".join(part) for name, part in parts.items()})
    pointers = [*zip(h.types, "qkv"), *((c.element, name) for name, c in changes)]
    parameters = (
        *(KernelParameter(f"{NAMES[kind]}* __restrict__", name, False) for kind, name in pointers),
        *(offset_parameter(f"i{i}", x) for i, x in enumerate(h.offsets)),
        KernelParameter(f"{'float' if t.shares > 1 else NAMES[h.types[3]]}* __restrict__", "out"),
        *(KernelParameter("float* __restrict__", name) for name in found),
        *(KernelParameter("unsigned char* __restrict__", name, False) for name in ("of_masks", "of_values") if skips),
    )
    grid = (prod(h.sizes) // h.rows * row_parts, -(-h.width // chunk), t.shares)
    block = (WARP * t.groups * t.splits, 1, 1)
    numbers, whole_body = tuple(range(len(parameters))), "\n".join([*text, body])
    q, k, v, o = (BYTES[kind] for kind in h.types)
    moved = prod(h.sizes) * (q * h.depth + o * h.width) + prod(h.sizes) // h.rows * h.keys * (k * h.depth + v * h.width)
    return CudaKernel(
        "attention", parameters, whole_body, (), grid, block, False, numbers, h.flops, moved, alone=True, shared=asked,
        ahead=keys_ahead(h, t, constants["LENGTH"]) if t.shares > 1 else "",
    )  # fmt: skip


def keys_ahead(h: Heads, t: Tiling, length: int) -> str:
    """Ask for the keys and values of a block before queries are there; what moves pointers may be old."""
    outer, rank, lines = len(h.sizes) - h.shared, len(h.sizes), list[str]()
    for name, operand, strides, size in (("k", 1, h.key, h.depth), ("v", 2, h.values, h.width)):
        if strides[-1] != 1:
            continue
        lines.append(f"{name} += {distance('batch', h.sizes[:outer], strides[:outer])};")
        lines += begin(h, operand, name)
        row, each = -(-size * BYTES[h.types[operand]] // LINE), LINE // BYTES[h.types[operand]]
        at = f"(first + i / {row}) * {strides[rank]}ll + i % {row} * {each}"
        lines.append(f"for (int i = threadIdx.x; i < count * {row}; i += blockDim.x) read_later({name} + {at});")
    parts = -(-h.rows // (16 * t.tiles * t.groups))
    count = f"count = min({length}, {h.keys} - first)"
    numbers = f"const int batch = blockIdx.x / {parts}, first = blockIdx.z * {length}, {count};"
    return "\n".join([numbers, *lines])


def skips_steps(h: Heads, t: Tiling) -> bool:
    """Whether blocks leave out keys whose scores masks replace, where that changes nothing."""
    return t.staged and any(c.kind in MASKS for c in h.changes) and replaced_scores(h)[1]


@dataclass(frozen=True)
class KeySteps:
    """What blocks ask about their steps of `span` keys, found once for all of them by two kernels.

    That is a byte for each step of each tile of `tile` queries, for the indices of dimensions along which masks differ,
    and one for each step of values, for the indices along which these differ. `sizes` are those of the batch.
    """

    sizes: tuple[int, ...]
    span: int
    steps: int
    tile: int
    tiles: int
    masks: tuple[bool, ...]
    values: tuple[bool, ...]

    @classmethod
    def of(cls, h: Heads, t: Tiling) -> KeySteps:
        outer, span, tile = len(h.sizes) - h.shared, t.splits * t.step, 16 * t.tiles * t.groups
        strides = [c.strides for c in h.changes if c.kind in MASKS and c.strides is not None]
        differ = tuple(any(s[d] for s in strides) for d in range(outer))
        values = tuple(h.values[d] != 0 for d in range(outer))
        return cls(h.sizes[:outer], span, -(-h.keys // span), tile, -(-h.rows // tile), differ, values)

    @property
    def of_masks(self) -> int:
        """How many bytes are of masks."""
        return prod(n for n, differs in zip(self.sizes, self.masks) if differs) * self.tiles * self.steps

    @property
    def of_values(self) -> int:
        return prod(n for n, differs in zip(self.sizes, self.values) if differs) * self.steps

    def index(self, differ: Sequence[bool]) -> str:
        """The number of a batch's index among those along dimensions where something differs."""
        strides = strides_where(self.sizes, differ)
        return distance("batch", self.sizes, [s * each for s, each in zip(strides, differ)])

    def starts(self) -> list[str]:
        """Where attention finds what it asks about."""
        return [
            f"of_masks += (({self.index(self.masks)}) * {self.tiles} + part) * {self.steps};",
            f"of_values += ({self.index(self.values)}) * {self.steps};",
        ]

    def place_of(self, strides: Sequence[int], chosen: Sequence[bool]) -> str:
        """How far what has these strides is from its beginning, for an index into some of the dimensions only."""
        along = [n for n, _ in enumerate(self.sizes) if chosen[n]]
        return distance("batch", [self.sizes[n] for n in along], [strides[n] for n in along])

    def mask_kernel(self, h: Heads, numbers: Sequence[int], target: int) -> CudaKernel:
        """The kernel of masks, whose arguments are these and the bytes, given the buffers of attention."""
        outer, rank = len(h.sizes) - h.shared, len(h.sizes)
        changes = [c for c in h.changes if c.strides is not None]
        masks = [(i, c, c.strides) for i, c in enumerate(changes) if c.kind in MASKS and c.strides is not None]
        adjacent = gcd(8, h.keys, self.span, *(n for *_, s in masks for n in (s[:-1] if s[-1] == 1 else (1,))))
        word = {1: "unsigned char", 2: "unsigned short", 4: "uint", 8: "unsigned long long"}[adjacent]
        ones = f"({word})0x0101010101010101ull"
        starts, reads = list[str](), list[str]()
        for i, change, strides in masks:
            starts.append(f"b{i} += {self.place_of(strides, self.masks)};")
            row = distance("row", h.sizes[outer:], strides[outer:rank])
            read = f"*(const {word} *)(b{i} + {row} + key * {strides[-1]}ll)"
            reads.append(f"kept &= {read}{f' ^ {ones}' if change.kind == 'drop' else ''};")
        constants = {
            "ROWS": h.rows, "KEYS": h.keys, "SPAN": self.span, "STEPS": self.steps, "TILE": self.tile,
            "ROW_PARTS": self.tiles, "ADJACENT": adjacent, "THREADS": STEP_THREADS,
        }  # fmt: skip
        text = [
            constants_text({"int": constants}),
            f"typedef {word} WORD;\nconstexpr WORD ONES = {ones};",
            fill(read_code("mask_steps.cu"), {"starts": "\n".join(starts), "masks": "\n".join(reads)}),
        ]
        parameters = tuple(KernelParameter("unsigned char* __restrict__", f"b{i}", False) for i, *_ in masks)
        buffers = (*(numbers[3 + i] for i, *_ in masks), target)
        moved = self.of_masks * self.tile * self.span
        return step_kernel("attention_masks", text, parameters, buffers, self.of_masks, moved)

    def value_kernel(self, h: Heads, numbers: Sequence[int], target: int) -> CudaKernel:
        """The kernel of values, whose arguments are these, their offsets and the bytes, given the same."""
        rank, each = len(h.sizes), 16 // BYTES[h.types[2]]
        offsets = [(i, x) for i, x in enumerate(h.offsets) if x.operand == 2]
        if h.types[2] == "f32":  # values lie in tiles
            chunks = h.values[rank] // each
            place = f"first * {h.values[rank]}ll + at * {each}"
        else:
            chunks = -(-h.width // each)
            line = f"min(first + at / {chunks}, KEYS - 1)"
            place = f"{line} * {h.values[rank]}ll + at % {chunks} * {each}"
        constants = {
            "KEYS": h.keys, "SPAN": self.span, "STEPS": self.steps, "CHUNKS": self.span * chunks,
            "KIND": KINDS[h.types[2]], "THREADS": STEP_THREADS,
        }  # fmt: skip
        starts = [f"v += {self.place_of(h.values, self.values)};", *begin(h, 2, "v")]
        text = [
            constants_text({"int": constants}),
            fill(read_code("value_steps.cu"), {"starts": "\n".join(starts), "place": place}),
        ]
        parameters = (
            KernelParameter(f"{NAMES[h.types[2]]}* __restrict__", "v", False),
            *(offset_parameter(f"i{i}", x) for i, x in offsets),
        )
        changes = sum(c.strides is not None for c in h.changes)
        buffers = (numbers[2], *(numbers[3 + changes + i] for i, _ in offsets), target)
        moved = self.of_values * BYTES[h.types[2]] * self.span * h.width
        return step_kernel("attention_values", text, parameters, buffers, self.of_values, moved)


def step_kernel(
    name: str, text: Sequence[str], read: tuple[KernelParameter, ...], buffers: tuple[int, ...], count: int, moved: int
) -> CudaKernel:
    """A kernel whose blocks find a byte each."""
    parameters = (*read, KernelParameter("unsigned char* __restrict__", "steps"))
    grid, block = (count, 1, 1), (STEP_THREADS, 1, 1)
    return CudaKernel(name, parameters, "\n".join(text), (), grid, block, False, buffers, 0, moved, alone=True)


def strides_where(sizes: Sequence[int], chosen: Sequence[bool]) -> list[int]:
    """The strides of some of the dimensions, if elements along these follow each other."""
    return [prod(n for n, each in zip(sizes[d + 1 :], chosen[d + 1 :]) if each) for d in range(len(sizes))]


def replaced_scores(h: Heads) -> tuple[float, bool]:
    """The highest number that the last changes put in place of scores, and whether no other change is like them."""
    left, highest = [*h.changes], -inf
    while left and left[-1].kind == "round":
        left.pop()
    while left and left[-1].kind in MASKS:
        highest = max(highest, left.pop().number)
    return highest, not any(c.kind in MASKS or c.number != c.number for c in left)


def passes(h: Heads) -> int:
    """How often the keys are read: what is rounded needs the highest score, and the weights the sum, of all keys."""
    difference, power, *_ = (kind != "f32" for kind in h.rounded)
    return 1 + any(kind != "f32" for kind in h.rounded) + (h.shifted and (difference or power))


OPERATORS = {"add": "+", "multiply": "*", "subtract": "-", "divide": "/"}


def write_read(name: str, change: Change, h: Heads, near: int) -> str:
    """Read what belongs to the keys of a lane, which has `near` adjacent ones; as many at once as are aligned."""
    assert change.strides is not None
    *strides, step = change.strides
    adjacent = gcd(near, h.keys, *strides) if step == 1 else 1
    return f"read_words(Count<{adjacent}>(), {name} + {name}_at[i], at, {step}ll, {name}_words[i]);"


def read_word(name: str, change: Change) -> str:
    """The number of bits that `write_read` has read for a lane's key j."""
    word = f"{name}_words[i]"
    match BYTES[change.element]:
        case 4:
            return f"__uint_as_float({word}[j])"
        case 2:
            return f"(unsigned short)({word}[j / 2] >> j % 2 * 16)"
    return f"({word}[j / 4] >> j % 4 * 8 & 255)"


def write_number(x: float) -> str:
    if x != x:
        return "__int_as_float(0x7fc00000)"
    return f"{x.hex()}f" if isfinite(x) else f"({'-' * (x < 0)}__int_as_float(0x7f800000))"


def write_change(read: str, change: Change) -> str:
    number = write_number(change.number)
    if change.strides is None:
        read = number
    elif change.element in ("bf16", "f16"):
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
