"""The gradients of attention in kernels that compute scores again: of queries, of keys and values, and of biases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ...plan.heads import Gradients, Heads, Strides
from ...plan.plan import AttentionGradients
from ...templates import fill
from .arranging import Arranged, distance
from .attention import (
    STATISTICS,
    KeySteps,
    needs_exact,
    replaced_scores,
    write_number,
)
from .attention_bias import BiasTiles
from .attention_tiles import (
    GradientTiling,
    buffers_of,
    place_text,
    read_parameters,
    read_text,
    row_place,
    tiles_text,
    write_changes,
    write_store,
)
from .kernels import WARP, CudaKernel, KernelParameter, constants_text, launch_size, read_code, shared_text
from .operands import BYTES, KINDS, NAMES, Rounding, begin, copy, is_aligned, read_copies

# The warps of a block that adds up what all blocks ask about queries.
MEAN_WARPS = 8


def arrange(step: AttentionGradients, arch: str = "") -> Arranged:
    """The kernels of a step, after copies of operands whose rows are not aligned, or of all, rounded."""
    original, exact, last = step.gradients, needs_exact(step), len(step.inputs)
    own = 2 + len(original.statistics)  # inputs that attention itself does not read
    h, first, tiling = original.heads, len(step.inputs) + len(step.outputs), GradientTiling.of(original, arch, exact)
    of_biases = GradientTiling.of(original, arch, exact, rounds=False)
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
        numbers, cotangents = [*range(last)], copies[3][0] if 3 in copies else original.cotangents
        for place, (_, number) in copies.items():
            numbers[operands[place][2]] = number
        moved, gone = read_copies(h, {place: strides for place, (strides, _) in copies.items()})
        kept = [numbers[n] for n in (*range(last - own), last - 1) if n not in gone]
        return replace(original, heads=moved, cotangents=cotangents), kept

    rounded = dict[int, tuple[Strides, int]]()
    for place, (each, operand, source) in enumerate(operands) if tiling.in_tiles else ():
        rounding = Rounding(each, operand, tiling.tile)
        strides, size = rounding.layout(False)
        rounded[place] = strides, temporary(size)
        parts.append(rounding.kernel(source, rounded[place][1], False))
    aligned_copies = dict[int, tuple[Strides, int]]()
    longest = max(range(len(h.sizes)), key=lambda d: h.sizes[d] if h.queries[d] else 0)
    for place, (each, operand, source) in enumerate(operands) if original.biases or not tiling.in_tiles else ():
        if is_aligned(each, operand):
            continue
        kernel, strides, size = copy(each, operand, 0, longest if operand == 0 else len(h.sizes))
        aligned_copies[place] = strides, temporary(size)
        parts.append(replace(kernel, buffers=(source, aligned_copies[place][1], *kernel.buffers[2:])))
    plain, plain_buffers = read(aligned_copies)
    g, buffers = read(rounded) if tiling.in_tiles else (plain, plain_buffers)
    prepared = dict[tuple[Heads, int], list[int]]()

    def prepare(g: Gradients, tiling: GradientTiling) -> list[int]:
        """The buffers of what kernels ask about each query, and about masks, which others find out first."""
        h, tile = g.heads, tiling.tile
        if (h, tile) not in prepared:
            tiles = prod(h.sizes) // h.rows * -(-h.rows // tile)
            asked = prepared[h, tile] = [temporary(3 * 4 * tiles * tile)]
            if tiling.skips(h):
                steps = KeySteps.of(h, tiling.queries)
                asked += [temporary(steps.of_masks), temporary(tiles)]
                parts.append(steps.mask_kernel(h, range(last - own), asked[1]))
            parts.append(means(g, tiling, [*range(last - own, last), *asked[::2]]))
        return prepared[h, tile]

    results = iter(range(last, last + len(step.outputs)))
    outputs = [next(results) if wanted else -1 for wanted in g.wanted]
    for of_keys, group in ((False, (0,)), *([(True, (1, 2))] if tiling.together else [(True, (1,)), (True, (2,))])):
        chosen = [n for n in group if outputs[n] >= 0]
        if not chosen:
            continue
        shares, after, found = tiling.shares(h, of_keys), list[CudaKernel](), [outputs[n] for n in chosen]
        if shares > 1:
            sizes = [prod(part_sizes(h, of_keys, n)) for n in chosen]
            places = [temporary(4 * shares * size) for size in sizes]
            after = [parts_of_rows(g, n, shares, of_keys, each) for n, *each in zip(chosen, places, found)]
            found = places
        kernel = kernel_of(g, exact, tiling, of_keys, shares, chosen)
        parts.append(replace(kernel, buffers=(*buffers, *prepare(original, tiling), *found)))
        parts += after
    for number, target in enumerate(results):
        tiles = BiasTiles.of(plain, number, of_biases)
        statistics, *asked = prepare(BiasTiles.of(original, number, of_biases).gradients, of_biases)
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


def kernel_of(
    g: Gradients, exact: bool, t: GradientTiling, of_keys: bool, shares: int, chosen: Sequence[int]
) -> CudaKernel:
    """The kernel of queries' gradients, or of those of keys and values that are chosen.

    Its arguments are queries, keys, values, what changes scores, offsets, cotangents, what means.cu finds out, the
    steps and which queries count if masks hide any, and results.
    """
    h, tile = g.heads, t.tile
    outer, batches, queries = len(h.sizes) - h.shared, prod(h.sizes) // h.rows, -(-h.rows // tile)
    tiles = -(-h.keys // tile) if of_keys else queries
    first, second = (g.wanted[n] if n in chosen else None for n in ((1, 2) if of_keys else (0, 2)))
    changes, skips = buffers_of(h), t.skips(h)
    memory, asked = shared_text(t.shared_bytes(g), "memory", 1024)
    cut = [(h.depth, t.depth_chunk)] * (first is not None) + [(h.width, t.width_chunk)] * (second is not None)
    chunks = 2 if t.rounded else max(-(-size // chunk) for size, chunk in cut)
    constants = {
        "TILE": tile, "STEP": t.step, "STAGES": t.stages, "CHUNKS": chunks, "SHARES": shares,
        "NARROW": KINDS[g.element], "QUERIES": h.rows, "KEYS": h.keys, "OWN": h.keys if of_keys else h.rows,
        "OTHERS": h.rows if of_keys else h.keys, "TILES": tiles, "BATCHES": batches, "DEPTH": h.depth,
        "WIDTH": h.width, "DEPTH_CHUNK": t.depth_chunk, "WIDTH_CHUNK": t.width_chunk,
    }  # fmt: skip
    flags = {
        "OF_KEYS": of_keys, "EXACT": exact, "SKIPS": skips, "HAS_FIRST": first is not None,
        "HAS_SECOND": second is not None, "ROUNDED": t.rounded, "IN_TILES": t.in_tiles,
    }  # fmt: skip
    strides = {"q": h.queries, "k": h.key, "v": h.values, "cotangents": g.cotangents, **{n: s for n, _, s in changes}}
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
    known = "known[i] = of_masks[part * OTHER_TILES + i];"
    if skips:
        steps = KeySteps.of(h, t.queries)
        begins = f"({steps.index(steps.masks)}) * {steps.tiles * steps.steps}ll"
        starts.append(f"const unsigned char *const of_masks = steps + {begins};")
        if of_keys:
            known = "known[i] = of_masks[i * TILES + part] | counted[batch * OTHER_TILES + i];"
    stores = list[str]()
    for name, each in results.items():
        columns = columns_of[name]
        if t.rounded:
            given = f"{name}, Count<{KINDS[each.element]}>(), {name}_place, {columns}, {each.strides[-1]}ll"
            stores.append(f"store_columns({str(name == 'first').lower()}, {given});")
        else:
            found = f"{name}_results", "part, OWN", f"{name}_begin"
            stores.append(write_store(name, *found, columns, each.strides, each.element))
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
        fill(read_code("attention_gradients.cu"), {name: "\n".join(lines) for name, lines in parts.items()}),
    ]
    parameters = (
        *read_parameters(g, ("steps", "counted") if skips else ()),
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
