"""The gradients of attention in kernels that compute scores again: of queries, of keys and values, and of biases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ...plan.heads import BiasGradient, Change, Gradients, Heads, StoredGradient, Strides
from ...plan.plan import AttentionGradients
from ...records import dataclass
from ...templates import fill
from .arranging import ALIGNED, Arranged, distance
from .attention import (
    LEAST_ROUNDED,
    MASKS,
    STATISTICS,
    KeySteps,
    Tiling,
    needs_exact,
    replaced_scores,
    skips_steps,
    strides_where,
    suits_rounding,
    write_change,
    write_number,
)
from .kernels import (
    WARP,
    CudaKernel,
    KernelParameter,
    aligned,
    constants_text,
    launch_size,
    read_code,
    shared_text,
)
from .operands import BYTES, KINDS, NAMES, TOGETHER, Rounding, begin, copy, offset_numbers, offset_parameter

# The most columns of a gradient that a warp computes, by the bytes of a number, and if operands are rounded first.
WIDEST, WIDEST_ROUNDED = {2: 128, 4: 64}, 128
# The rows that blocks take at a time, and how many steps of others they have in memory.
TILINGS = ((64, 2), (64, 1), (32, 2), (32, 1), (16, 1))
# The bytes of shared memory that a processor has for two blocks, by the kind of GPU, and that one may have.
SHARED = {"sm_80": (80 << 10, 160 << 10), "sm_90": (112 << 10, 224 << 10), "sm_100": (112 << 10, 224 << 10)}
LEAST_SHARED = 46 << 10, 92 << 10
# With fewer blocks, several share the others, of which each takes so many steps.
ENOUGH_BLOCKS, LEAST_STEPS, MOST_SHARES = 264, 2, 32
# Blocks look up which steps to take if there are at most so many.
MOST_STEPS = 1 << 11
# Which of queries (0), keys (1), values (2) and cotangents (3) the gradients of the first three are products with.
MULTIPLIED = 1, 0, 3
# The warps of a block that adds up what all blocks ask about queries.
MEAN_WARPS = 8


@dataclass(frozen=True)
class GradientTiling:
    """Blocks have `tile` rows, and the others in `stages` places; a warp computes so many columns of each gradient.

    Others are in memory by columns, too, if all operands are `rounded` to TF32 first.
    """

    tile: int
    stages: int
    depth_chunk: int
    width_chunk: int
    rounded: bool = False

    @classmethod
    def of(cls, g: Gradients, arch: str, exact: bool) -> GradientTiling:
        """The largest tiles with which two blocks fit on a processor, or one."""
        h = g.heads
        rounded = max(h.depth, h.width) <= WIDEST_ROUNDED and h.keys >= LEAST_ROUNDED and suits_rounding(h, exact, arch)
        usual, most = SHARED.get(arch, LEAST_SHARED)
        tilings = [each for each in TILINGS if shared_bytes(g, *each, rounded) <= most]
        tile, stages = next((each for each in tilings[:2] if shared_bytes(g, *each, rounded) <= usual), tilings[0])
        multiple = TOGETHER if tile == 64 else ALIGNED * 2
        chunks = 1 if rounded else -(-max(h.depth, h.width) // WIDEST[BYTES[g.element]])
        depth_chunk, width_chunk = (aligned(-(-n // chunks), multiple) for n in (h.depth, h.width))
        return cls(tile, stages, depth_chunk, width_chunk, rounded)

    @property
    def queries(self) -> Tiling:
        """How attention would distribute as many queries and keys at a time."""
        return Tiling(1, self.tile // 16, 1, self.tile, staged=True)

    def shares(self, h: Heads, of_keys: bool) -> int:
        """How many blocks with the same rows take shares of the others, so that there are enough blocks."""
        own, others = (h.keys, h.rows) if of_keys else (h.rows, h.keys)
        return shares_of(prod(h.sizes) // h.rows * -(-own // self.tile), -(-others // self.tile))

    def skips(self, h: Heads) -> bool:
        """Whether blocks leave out others whose scores masks replace, where that changes nothing."""
        return skips_steps(h, self.queries) and max(h.rows, h.keys) <= MOST_STEPS * self.tile


def shares_of(blocks: int, steps: int) -> int:
    """How many blocks take a share of so many steps each, in place of one of so many blocks."""
    return max(1, min(ENOUGH_BLOCKS // blocks, steps // LEAST_STEPS, MOST_SHARES))


def tile_bytes(g: Gradients, tile: int) -> int:
    """The bytes of queries and their cotangents, or of keys and values, in a block's memory."""
    return tile * 128 * sum(-(-size // (128 // BYTES[g.element])) for size in (g.heads.depth, g.heads.width))


def shared_bytes(g: Gradients, tile: int, stages: int, rounded: bool = False) -> int:
    sizes, item = (g.heads.depth, g.heads.width), BYTES[g.element]
    by_columns = sum(aligned(size, TOGETHER) for size in sizes) * item if rounded else 0
    is_cut = max(sizes) > WIDEST[item]  # the last of a chunk's columns may lie behind the others
    return tile_bytes(g, tile) * (1 + stages) + tile * ((12 + by_columns) * stages + 128 * is_cut)


def arrange(step: AttentionGradients, arch: str = "") -> Arranged:
    """The kernels of a step, after copies of operands whose rows are not aligned, or of all, rounded."""
    original, exact, last = step.gradients, needs_exact(step), len(step.inputs)
    own = 2 + len(original.statistics)  # inputs that attention itself does not read
    h, first, tiling = original.heads, len(step.inputs) + len(step.outputs), GradientTiling.of(original, arch, exact)
    parts, temporaries = list[CudaKernel](), list[int]()

    def temporary(size: int) -> int:
        temporaries.append(size)
        return first + len(temporaries) - 1

    # Queries, keys, values and cotangents, which are copied as queries would be.
    as_queries = replace(h, queries=original.cotangents, depth=h.width, types=(original.element, *h.types[1:]))
    as_queries = replace(as_queries, offsets=(), begins=(0, *h.begins[1:]))
    operands = [(h, 0, 0), (h, 1, 1), (h, 2, 2), (as_queries, 0, last - 1)]

    def read(copies: dict[int, tuple[Strides, int]]) -> tuple[Gradients, list[int]]:
        """The gradients with some operands read from copies, and what kernels read."""
        layouts, numbers = [h.queries, h.key, h.values, original.cotangents], [*range(last)]
        for place, (strides, number) in copies.items():
            layouts[place], numbers[operands[place][2]] = strides, number
        left = tuple(offset for offset in h.offsets if offset.operand not in copies)
        gone = {n for n, offset in offset_numbers(h) if offset.operand in copies}
        q, k, v = (0 if place in copies else start for place, start in enumerate(h.begins))
        moved = replace(h, queries=layouts[0], key=layouts[1], values=layouts[2], offsets=left, begins=(q, k, v))
        kept = [numbers[n] for n in (*range(last - own), last - 1) if n not in gone]
        return replace(original, heads=moved, cotangents=layouts[3]), kept

    rounded, by_columns = dict[int, tuple[Strides, int]](), dict[int, tuple[Strides, int]]()
    for place, (each, operand, source) in enumerate(operands) if tiling.rounded else ():
        rounding, targets = Rounding(each, operand, tiling.tile), dict[bool, int]()
        for is_column, made in ((False, rounded), (True, by_columns)):
            if not is_column or any(wanted and MULTIPLIED[n] == place for n, wanted in enumerate(original.wanted)):
                strides, size = rounding.layout(is_column)
                made[place] = strides, temporary(size)
                targets[is_column] = made[place][1]
        parts.append(rounding.kernel(source, targets))
    aligned_copies = dict[int, tuple[Strides, int]]()
    longest = max(range(len(h.sizes)), key=lambda d: h.sizes[d] if h.queries[d] else 0)
    for place, (each, operand, source) in enumerate(operands) if original.biases or not tiling.rounded else ():
        if is_aligned(each, operand):
            continue
        kernel, strides, size = copy(each, operand, 0, longest if operand == 0 else len(h.sizes))
        aligned_copies[place] = strides, temporary(size)
        parts.append(replace(kernel, buffers=(source, aligned_copies[place][1], *kernel.buffers[2:])))
    plain, plain_buffers = read(aligned_copies)
    g, buffers = read(rounded) if tiling.rounded else (plain, plain_buffers)
    prepared = dict[Heads, list[int]]()

    def prepare(g: Gradients) -> list[int]:
        """The buffers of what kernels ask about each query, and about masks, which others find out first."""
        h = g.heads
        if h not in prepared:
            tiles = prod(h.sizes) // h.rows * -(-h.rows // tiling.tile)
            asked = prepared[h] = [temporary(3 * 4 * tiles * tiling.tile)]
            if tiling.skips(h):
                steps = KeySteps.of(h, tiling.queries, asks_values=False)
                asked += [temporary(steps.count), temporary(tiles)]
                parts.append(steps.kernel(h, [*range(last - own), asked[1]]))
            parts.append(means(g, tiling, [*range(last - own, last), *asked[::2]]))
        return prepared[h]

    results = iter(range(last, last + len(step.outputs)))
    outputs = [next(results) if wanted else -1 for wanted in g.wanted]
    for of_keys, group in ((False, (0,)), (True, (1, 2))):
        chosen = [n for n in group if outputs[n] >= 0]
        if not chosen:
            continue
        shares, after, found = tiling.shares(h, of_keys), list[CudaKernel](), [outputs[n] for n in chosen]
        if shares > 1:
            sizes = [prod(part_sizes(h, of_keys, n)) for n in chosen]
            places = [temporary(4 * shares * size) for size in sizes]
            after = [parts_of_rows(g, n, shares, of_keys, each) for n, *each in zip(chosen, places, found)]
            found = places
        others = [by_columns[MULTIPLIED[n]] for n in chosen] if tiling.rounded else []
        kernel = kernel_of(g, exact, tiling, of_keys, shares, [strides for strides, _ in others])
        given = (*buffers, *prepare(original), *(number for _, number in others), *found)
        parts.append(replace(kernel, buffers=given))
        parts += after
    for number, target in enumerate(results):
        tiles = BiasTiles.of(plain, number, tiling)
        statistics, *asked = prepare(BiasTiles.of(original, number, tiling).gradients)
        found = [target]
        if tiles.shares > 1:
            found.insert(0, temporary(4 * tiles.shares * prod(tiles.sizes)))
        given = (*plain_buffers, statistics, *asked[: tiles.skips], found[0])
        parts.append(replace(tiles.kernel(exact, arch), buffers=given))
        if tiles.shares > 1:
            stored = tiles.place("batch", "row", "column")
            parts.append(parts_kernel(tiles.sizes, tiles.shares, stored, tiles.bias.element, found))
    return Arranged(tuple(parts), tuple(temporaries))


def part_sizes(h: Heads, of_keys: bool, which: int) -> tuple[int, int, int]:
    """The batches, rows and columns of a gradient."""
    return prod(h.sizes) // h.rows, h.keys if of_keys else h.rows, h.width if which == 2 else h.depth


def row_place(h: Heads, strides: Strides, is_key: bool) -> str:
    """Where a row of queries or of keys is."""
    outer, rank = len(h.sizes) - h.shared, len(h.sizes)
    return f"row * {strides[rank]}ll" if is_key else distance("row", h.sizes[outer:], strides[outer:rank])


def parts_of_rows(g: Gradients, which: int, shares: int, of_keys: bool, buffers: Sequence[int]) -> CudaKernel:
    """The kernel that adds up what blocks with shares of the others have found of a gradient of rows."""
    h, gradient = g.heads, g.wanted[which]
    assert gradient is not None
    outer, strides = len(h.sizes) - h.shared, gradient.strides
    start = distance("batch", h.sizes[:outer], strides[:outer])
    place = f"{start} + {row_place(h, strides, of_keys)} + column * {strides[-1]}ll"
    return parts_kernel(part_sizes(h, of_keys, which), shares, place, gradient.element, buffers)


def parts_kernel(
    sizes: tuple[int, int, int], shares: int, place: str, element: str, buffers: Sequence[int]
) -> CudaKernel:
    """The kernel that adds up what blocks with shares of the others have found, and stores it at a place."""
    _, rows, columns = sizes
    count = prod(sizes)
    constants = {"ROWS": rows, "COLUMNS": columns, "SHARES": shares, "KIND": KINDS[element]}
    body = [
        constants_text({"int": constants, "long long": {"COUNT": count}}),
        fill(read_code("attention_parts.cu"), {"place": place}),
    ]
    parameters = (
        KernelParameter("float* __restrict__", "parts", False),
        KernelParameter(f"{NAMES[element]}* __restrict__", "out"),
    )
    (blocks, threads), moved = launch_size(count), count * (4 * shares + BYTES[element])
    return CudaKernel(
        "attention_parts", parameters, "\n".join(body), (), (blocks, 1, 1), (threads, 1, 1), False, tuple(buffers),
        count * shares, moved, alone=True,
    )  # fmt: skip


def is_aligned(h: Heads, operand: int) -> bool:
    """Whether an operand's rows can be copied by 16 bytes."""
    each, strides = 16 // BYTES[h.types[operand]], (h.queries, h.key, h.values)[operand]
    steps = [*strides[:-1], h.begins[operand], *(x.stride for x in h.offsets if x.operand == operand)]
    size = h.width if operand == 2 else h.depth
    return strides[-1] == 1 and not any(n % each for n in (*steps, size))


def place_text(name: str, where: str) -> str:
    """A function that says where a row of an operand, a query or a key, is."""
    return f"auto {name}_place = [&](int row) -> long long {{ return {where}; }};"


def kernel_of(
    g: Gradients, exact: bool, t: GradientTiling, of_keys: bool, shares: int, columns: Sequence[Strides]
) -> CudaKernel:
    """The kernel of queries' gradients, or of those of keys and values.

    Its arguments are queries, keys, values, what changes scores, offsets, cotangents, what means.cu finds out, the
    steps and which queries count if masks hide any, what results are products with by columns, with these strides, if
    there are such copies, and results.
    """
    h, tile = g.heads, t.tile
    outer, batches, queries = len(h.sizes) - h.shared, prod(h.sizes) // h.rows, -(-h.rows // tile)
    tiles = -(-h.keys // tile) if of_keys else queries
    first, second = (g.wanted[1], g.wanted[2]) if of_keys else (g.wanted[0], None)
    changes, skips = buffers_of(h), t.skips(h)
    memory, asked = shared_text(shared_bytes(g, tile, t.stages, t.rounded), "memory", 1024)
    cut = [(h.depth, t.depth_chunk)] * (first is not None) + [(h.width, t.width_chunk)] * (second is not None)
    chunks = max(-(-size // chunk) for size, chunk in cut)
    constants = {
        "TILE": tile, "STAGES": t.stages, "CHUNKS": chunks, "SHARES": shares, "NARROW": KINDS[g.element],
        "QUERIES": h.rows, "KEYS": h.keys, "OWN": h.keys if of_keys else h.rows,
        "OTHERS": h.rows if of_keys else h.keys, "TILES": tiles, "BATCHES": batches, "DEPTH": h.depth,
        "WIDTH": h.width, "DEPTH_CHUNK": t.depth_chunk, "WIDTH_CHUNK": t.width_chunk,
    }  # fmt: skip
    flags = {
        "OF_KEYS": of_keys, "EXACT": exact, "SKIPS": skips, "HAS_FIRST": first is not None,
        "HAS_SECOND": second is not None, "ROUNDED": t.rounded,
    }  # fmt: skip
    strides = {"q": h.queries, "k": h.key, "v": h.values, "cotangents": g.cotangents, **{n: s for n, _, s in changes}}
    wanted = [name for name, each in (("first_others", first), ("second_others", second)) if each is not None]
    others = dict(zip(wanted, columns))
    strides |= others
    results = {name: each for name, each in (("first", first), ("second", second)) if each is not None}
    columns_of = {"first": h.depth, "second": h.width}
    if shares > 1:  # which are stored one after the other
        results = {name: replace(each, element="f32", strides=(1,)) for name, each in results.items()}
    else:
        strides |= {name: each.strides for name, each in results.items()}
    starts = [f"{name} += {distance('batch', h.sizes[:outer], s[:outer])};" for name, s in strides.items()]
    starts += [line for operand, name in enumerate("qkv") for line in begin(h, operand, name)]
    is_key = {"k": True, "v": True, "first": of_keys, "second": of_keys}
    places = [place_text(name, row_place(h, s, is_key.get(name, False))) for name, s in strides.items()]
    places += [place_text(f"{name}_key", row_place(h, s, True)) for name, _, s in changes]
    if shares > 1:
        line = "(((long long)blockIdx.y * BATCHES + batch) * OWN + row)"
        places += [place_text(name, f"{line} * {columns_of[name]}") for name in results]
    reads = [read_text(name, *((f"{name}_key", name)[:: 1 if of_keys else -1])) for name, *_ in changes]
    written, undone = write_changes(h)
    known = "known[i] = of_masks[part * STEPS + i];"
    if skips:
        steps = KeySteps.of(h, t.queries, asks_values=False)
        begins = f"({steps.index(steps.masks)}) * {steps.tiles * steps.steps}ll"
        starts.append(f"const unsigned char *const of_masks = steps + {begins};")
        if of_keys:
            known = "known[i] = of_masks[i * TILES + part] | counted[batch * STEPS + i];"
    stores = [write_store(name, each, h, name == "second") for name, each in results.items()]
    parts = {
        "tiles": [tiles_text(memory)],
        "starts": starts,
        "places": places,
        "row_starts": reads,
        "known": [known] if skips else [],
        "changes": written,
        "derivatives": undone,
        "stores": stores,
    }
    text = [
        constants_text({"int": constants, "long long": {"COUNT": batches * queries * tile}, "bool": flags}),
        *(f"const float *const {name} = 0;" for name in ("first_others", "second_others") if name not in others),
        fill(read_code("attention_gradients.cu"), {name: "\n".join(lines) for name, lines in parts.items()}),
    ]
    parameters = (
        *read_parameters(g, ("steps", "counted") if skips else ()),
        *(KernelParameter("float* __restrict__", name, False) for name in others),
        *(KernelParameter(f"{NAMES[each.element]}* __restrict__", name) for name, each in results.items()),
    )
    products = (1 + (first is not None)) * h.depth + (1 + (second is not None)) * h.width
    item = BYTES[g.element]
    moved = item * (h.depth + h.width) * (prod(h.sizes) + batches * h.keys) + batches * sum(
        BYTES[each.element] * (h.keys if of_keys else h.rows) * (h.width if name == "second" else h.depth)
        for name, each in results.items()
    )
    name = f"attention_gradients_of_{'keys' if of_keys else 'queries'}"
    return CudaKernel(
        name, parameters, "\n".join(text), (), (batches * tiles, shares, 1), (2 * tile * chunks, 1, 1), False,
        tuple(range(len(parameters))), 2 * prod(h.sizes) * h.keys * products, moved, alone=True, shared=asked,
    )  # fmt: skip


def buffers_of(h: Heads) -> list[tuple[str, Change, Strides]]:
    """The names, changes and strides of the buffers that change scores."""
    return [(f"b{i}", c, c.strides or ()) for i, c in enumerate(c for c in h.changes if c.strides is not None)]


def tiles_text(memory: str) -> str:
    parts = {"floats": read_code("floats.cu"), "apart": read_code("apart.cu"), "memory": memory}
    return fill(read_code("attention_tiles.cu"), parts)


def read_parameters(g: Gradients, asked: Sequence[str]) -> tuple[KernelParameter, ...]:
    """What kernels of gradients read, with what they ask about masks."""
    h = g.heads
    pointers = [*zip(h.types, "qkv"), *((c.element, name) for name, c, _ in buffers_of(h))]
    return (
        *(KernelParameter(f"{NAMES[kind]}* __restrict__", name, False) for kind, name in pointers),
        *(offset_parameter(f"i{i}", x) for i, x in enumerate(h.offsets)),
        KernelParameter(f"{NAMES[g.element]}* __restrict__", "cotangents", False),
        KernelParameter("float* __restrict__", "statistics", False),
        *(KernelParameter("unsigned char* __restrict__", name, False) for name in asked),
    )


@dataclass(frozen=True)
class BiasTiles:
    """The tiles of a bias, which a block each computes the gradient of, or several that share the scores.

    The rows of `gradients`, queries that share keys, are the dimensions of such along which the bias varies, or those
    along which it does not, if these are more; the others are in the batch.
    """

    gradients: Gradients
    bias: BiasGradient
    tiling: GradientTiling

    @classmethod
    def of(cls, g: Gradients, number: int, tiling: GradientTiling) -> BiasTiles:
        h, strides = g.heads, g.biases[number].strides
        shared = range(len(h.sizes) - h.shared, len(h.sizes))
        varying, repeated = ([d for d in shared if bool(strides[d]) is varies] for varies in (True, False))
        rows = max(varying, repeated, key=lambda dimensions: prod(h.sizes[d] for d in dimensions))
        g = g.in_order([*(d for d in range(len(h.sizes)) if d not in rows), *rows], len(rows))
        return cls(g, g.biases[number], tiling)

    @property
    def batch(self) -> int:
        """How many dimensions come before the rows."""
        return len(self.gradients.heads.sizes) - self.gradients.heads.shared

    @property
    def varies(self) -> tuple[bool, bool]:
        """Whether the bias varies along queries, or along keys."""
        *_, keys = self.bias.strides
        return not self.gradients.heads.shared or self.bias.strides[self.batch] != 0, keys != 0

    @property
    def sizes(self) -> tuple[int, int, int]:
        """The batch, queries and keys of the bias."""
        h, (queries, keys) = self.gradients.heads, self.varies
        batch = prod(n for n, stride in zip(h.sizes[: self.batch], self.bias.strides) if stride)
        return batch, h.rows if queries else 1, h.keys if keys else 1

    @property
    def blocks(self) -> int:
        batch, *sizes = self.sizes
        return batch * prod(-(-n // self.tiling.tile) for n in sizes)

    @property
    def taken(self) -> int:
        """How many tiles of scores belong to one of the bias."""
        h = self.gradients.heads
        return prod(h.sizes) // h.rows * prod(-(-n // self.tiling.tile) for n in (h.rows, h.keys)) // self.blocks

    @property
    def shares(self) -> int:
        return shares_of(self.blocks, self.taken)

    @property
    def skips(self) -> bool:
        """Whether scores are left out that masks replace; of a bias that is added later, these count."""
        h = self.gradients.heads
        return self.tiling.skips(h) and not any(c.kind in MASKS for c in h.changes[: self.bias.before])

    def place(self, batch: str, row: str, key: str) -> str:
        """Where a number of the gradient is."""
        h, strides = self.gradients.heads, self.bias.strides
        varying = [d for d in range(self.batch) if strides[d]]
        start = distance(batch, [h.sizes[d] for d in varying], [strides[d] for d in varying])
        return f"{start} + {distance(row, h.sizes[self.batch :], strides[self.batch : -1])} + {key} * {strides[-1]}ll"

    def kernel(self, exact: bool, arch: str) -> CudaKernel:
        """The kernel, whose arguments are those of the other gradients' kernels, without the queries that count."""
        g, h, tile, outer = self.gradients, self.gradients.heads, self.tiling.tile, self.batch
        changes, (queries, keys), batches = buffers_of(h), self.varies, prod(h.sizes) // h.rows
        stages = 2 if 4 * tile_bytes(g, tile) <= SHARED.get(arch, LEAST_SHARED)[0] else 1
        memory, asked = shared_text(2 * stages * tile_bytes(g, tile), "memory", 1024)
        element = self.bias.element if self.shares == 1 else "f32"
        constants = {
            "TILE": tile, "STAGES": stages, "CHUNKS": 1, "SHARES": self.shares, "NARROW": KINDS[g.element],
            "QUERIES": h.rows, "KEYS": h.keys, "DEPTH": h.depth, "WIDTH": h.width, "TAKEN": self.taken,
            "KIND": KINDS[element],
        }  # fmt: skip
        flags = {
            "EXACT": exact, "SKIPS": self.skips, "ALL_QUERIES": not queries, "ALL_KEYS": not keys, "ROUNDED": False,
        }  # fmt: skip
        strides = {"q": h.queries, "k": h.key, "v": h.values, "cotangents": g.cotangents}
        strides |= {name: each for name, _, each in changes}
        places = [
            place_text(name, f"{distance('batch', h.sizes[:outer], s[:outer])} + {row_place(h, s, name in ('k', 'v'))}")
            for name, s in strides.items()
        ]
        places += [place_text(f"{name}_key", row_place(h, s, True)) for name, _, s in changes]
        # The index in the batch, of those along dimensions where the bias varies, and where it does not.
        steps = strides_where(h.sizes[:outer], [True] * outer)
        batch = [
            distance(
                name,
                *([each[d] for d in range(outer) if bool(self.bias.strides[d]) is varies] for each in (h.sizes, steps)),
            )
            for name, varies in (("item", True), ("number", False))
        ]
        known = KeySteps.of(h, self.tiling.queries, asks_values=False)
        at = f"({known.index(known.masks)}) * {known.tiles * known.steps}ll + part * {known.steps} + step"
        written, undone = write_changes(h, self.bias.before)
        whole, rows, columns = self.sizes
        parts = {
            "tiles": [tiles_text(memory)],
            "starts": [line for operand, name in enumerate("qkv") for line in begin(h, operand, name)],
            "batch": [" + ".join(batch)],
            "known": [f"steps[{at}]" if self.skips else "3"],
            "places": places,
            "row_starts": [read_text(name, name, f"{name}_key") for name, *_ in changes],
            "changes": written,
            "derivatives": undone,
            "place": [
                self.place("item", "row", "key")
                if self.shares == 1
                else f"((blockIdx.y * {whole}ll + item) * {rows} + row) * {columns} + key"
            ],
        }
        count = batches * -(-h.rows // tile) * tile
        text = [
            constants_text({"int": constants, "long long": {"COUNT": count}, "bool": flags}),
            f"constexpr float FACTOR = {write_number(self.bias.factor)};",
            fill(read_code("attention_bias.cu"), {name: "\n".join(lines) for name, lines in parts.items()}),
        ]
        parameters = (
            *read_parameters(g, ("steps",) if self.skips else ()),
            KernelParameter(f"{NAMES[element]}* __restrict__", "out"),
        )
        scores, numbers = prod(h.sizes) * h.keys, h.depth + h.width
        moved = BYTES[g.element] * numbers * (prod(h.sizes) + batches * h.keys) + BYTES[element] * prod(self.sizes)
        return CudaKernel(
            "attention_gradients_of_bias", parameters, "\n".join(text), (), (self.blocks, self.shares, 1),
            (2 * tile, 1, 1), False, tuple(range(len(parameters))), 2 * scores * numbers, moved, alone=True,
            shared=asked,
        )  # fmt: skip


def read_text(name: str, own: str, other: str) -> str:
    """A function that reads what changes the score of one of a lane's two own rows and another row."""
    places = f"const long long {name}_at[2] = {{{own}_place(rows[0]), {own}_place(rows[1])}};"
    return (
        f"{places}\nauto {name}_read = [&](int i, int other) {{ return {name}[{name}_at[i] + {other}_place(other)]; }};"
    )


def write_changes(h: Heads, before: int = 0) -> tuple[list[str], list[str]]:
    """How a score is changed, and how the gradient of the changed one becomes that before one of the changes."""
    written, undone, number = list[str](), list[str](), 0
    for place, change in enumerate(h.changes):
        read, number = f"b{number}_read(i, other)", number + (change.strides is not None)
        guard = "if (masked.count) " * (change.kind in MASKS)
        written.append(guard + write_change(read, change) + " tangent = x;" * (change.kind == "tanh"))
        undone[:0] = [guard + undo(change, read)] * (place >= before)
    return written, undone


def undo(change: Change, read: str) -> str:
    """How the gradient of a changed score becomes that of the score."""
    match change.kind:
        case "multiply":
            return f"y *= {write_number(change.number)};"
        case "divide":
            return f"y /= {write_number(change.number)};"
        case "tanh":
            return "y *= 1 - tangent * tangent;"
        case "keep":
            return f"y = {read} ? y : 0;"
        case "drop":
            return f"y = {read} ? 0 : y;"
    return ""


def write_store(name: str, gradient: StoredGradient, h: Heads, is_wide: bool) -> str:
    """The call that stores a gradient; two columns at once where they are adjacent and aligned."""
    most, chunk = (h.width, "SECOND") if is_wide else (h.depth, "FIRST")
    *apart, step = gradient.strides
    is_vector = step == 1 and not any(n % 2 for n in (*apart, most))
    kind = f"Count<{KINDS[gradient.element]}>()"
    given = f"{name}, {kind}, {name}_place, {name}_begin, {most}, {step}ll, {str(is_vector).lower()}"
    return f"store(Count<{chunk}_COLUMNS>(), {name}_results, {given});"


def means(g: Gradients, t: GradientTiling, buffers: Sequence[int]) -> CudaKernel:
    """The kernel of attention_means.cu; its arguments are results, statistics, cotangents and what it finds out."""
    h, tiles = g.heads, -(-g.heads.rows // t.tile)
    outer, rank, batches = len(h.sizes) - h.shared, len(h.sizes), prod(h.sizes) // h.rows
    highest, skips = replaced_scores(h)[0], t.skips(h)
    found = dict(zip(STATISTICS, g.statistics))
    strides = {"results": h.results, **found, "cotangents": g.cotangents}
    constants = {
        "TILE": t.tile, "TILES": tiles, "QUERIES": h.rows, "WIDTH": h.width, "WARPS": MEAN_WARPS,
        "KIND": KINDS[g.element], "RESULT_KIND": KINDS[h.types[3]],
    }  # fmt: skip
    distances = {
        "COUNT": batches * tiles * t.tile, "RESULTS_STEP": h.results[-1], "COTANGENTS_STEP": g.cotangents[-1]
    }  # fmt: skip
    parts = {
        "floats": [read_code("floats.cu")],
        "starts": [f"{n} += {distance('batch', h.sizes[:outer], s[:outer])};" for n, s in strides.items()],
        "rows": [
            f"const long long {n}_at = {distance('row', h.sizes[outer:], s[outer:rank])};" for n, s in strides.items()
        ],
    }
    text = [
        constants_text({"int": constants, "long long": distances, "bool": {"SKIPS": skips, "SHIFTED": h.shifted}}),
        *([] if h.shifted else ["const float *const highest = 0;\nconstexpr int highest_at = 0;"]),
        f"const float REPLACED = {write_number(highest)};",
        *([] if skips else ["unsigned char *const counted = 0;"]),
        fill(read_code("attention_means.cu"), {name: "\n".join(lines) for name, lines in parts.items()}),
    ]
    parameters = (
        KernelParameter(f"{NAMES[h.types[3]]}* __restrict__", "results", False),
        *(KernelParameter("float* __restrict__", name, False) for name in found),
        KernelParameter(f"{NAMES[g.element]}* __restrict__", "cotangents", False),
        KernelParameter("float* __restrict__", "statistics"),
        *([KernelParameter("unsigned char* __restrict__", "counted")] * skips),
    )
    moved = prod(h.sizes) * h.width * (BYTES[h.types[3]] + BYTES[g.element])
    return CudaKernel(
        "attention_means", parameters, "\n".join(text), (), (batches * tiles, 1, 1), (WARP * MEAN_WARPS, 1, 1), False,
        tuple(buffers), 2 * prod(h.sizes) * h.width, moved, alone=True,
    )  # fmt: skip
