"""Attention of wide heads: two products of a library, and between them a kernel for the softmax of stored scores.

A warp has room for few queries if heads have more than 256 numbers, so the kernel of attention.py reads all keys for
each few. Products as exact as f32 take a library half of the time, and it rounds a tenth as much as three of TF32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ...plan.heads import Change, Heads
from ...plan.plan import Attention
from ...templates import fill
from .arranging import ALIGNED, Arranged, PlacedProduct, cut, distance
from .attention import narrow_kind, needs_exact, write_change
from .attention_tiles import WIDEST_HEADS
from .kernels import WARP, CudaKernel, KernelParameter, aligned, constants_text, read_code
from .operands import BYTES, KINDS, NAMES, copy
from .products import ProductSpec

# Heads of up to so many numbers that are as exact as f32, fewer queries for the same keys, fewer keys, and fewer scores
# are for attention.py.
WIDEST_EXACT, LEAST, LEAST_SCORES = 64, 64, 1 << 20
# The threads of a row and of a block; a thread has at most so many times four scores in registers.
THREADS, MOST_COUNT = 256, 16
# The most memory for scores, which attention.py does not store.
MOST_BYTES = 2 << 30


def arrange(step: Attention) -> Arranged | None:
    """The products and kernels of attention; None if attention.py's kernel is faster, or more accurate."""
    h, exact, last = step.heads, needs_exact(step), len(step.inputs)
    if step.statistics or not is_wide(h, exact):
        return None
    rank, kind = len(h.sizes), h.types[0]
    row = max(range(rank - h.shared, rank), key=lambda d: h.sizes[d])
    batch = [d for d in range(rank) if d != row]
    sizes, rows = tuple(h.sizes[d] for d in batch), h.sizes[row]
    parts, temporaries, numbers = list[CudaKernel | PlacedProduct](), list[int](), [0, 1, 2]

    def temporary(size: int) -> int:
        temporaries.append(size)
        return last + len(temporaries)

    strides, copied = [h.queries, h.key, h.values], [False] * 3
    along, lengths = (row, rank, rank), (h.depth, h.depth, h.width)
    stored = tuple(h.results[d] for d in batch)
    is_cut = any(n * BYTES[h.types[3]] % 16 for n in (h.results[row], *stored))
    for operand, (d, length) in enumerate(zip(along, lengths)):
        *outer, step_size = strides[operand]
        at_offset = h.begins[operand] > 0 or any(offset.operand == operand for offset in h.offsets)
        unaligned = any(n * BYTES[kind] % 16 for i, n in enumerate(outer) if i != d or length != 1)
        if at_offset or unaligned or step_size != 1 or outer[d] < length or (operand == 2 and is_cut):
            numbers[operand] = temporary(0)
            kernel, strides[operand], temporaries[-1] = copy(h, operand, numbers[operand], d)
            parts.append(kernel)
            copied[operand] = True
    q, k, v = ((strides[i][along[i]], tuple(strides[i][d] for d in batch)) for i in range(3))
    depth = aligned(h.depth, ALIGNED) if copied[0] and copied[1] else h.depth
    width = aligned(h.keys, ALIGNED)
    following = tuple(prod(sizes[i + 1 :]) * rows * width for i in range(len(sizes)))
    narrow = kind if kind != "f32" else ""
    # Scores that the program rounds, masked or not, are stored so, and weights of the same type take their place.
    change = next((c for c in h.changes if c.kind not in ("keep", "drop")), None)
    result = narrow if change == Change("round", element=kind) else ""
    scores = temporary(prod(h.sizes) * width * BYTES[result or "f32"])
    weights = scores if result == narrow else temporary(prod(h.sizes) * width * BYTES[narrow])
    first = ProductSpec(
        "s",
        narrow,
        sizes,
        rows,
        h.keys,
        depth,
        (False, *q),
        (True, *k),
        exact,
        result=result,
        stored=(width, following),
    )
    columns = aligned(h.width, ALIGNED) if is_cut else h.width
    second = ProductSpec(
        "s", narrow, sizes, rows, columns, h.keys, (False, width, following), (False, *v), exact,
        result=h.types[3] if h.types[3] != "f32" else "", stored=None if is_cut else (h.results[row], stored),
    )  # fmt: skip
    parts.append(PlacedProduct(first, (numbers[0], numbers[1], scores)))
    changed = replace(h, changes=h.changes[1:]) if result and h.changes[0] is change else h
    parts.append(softmax(changed, exact, (*batch, row), width, result or "f32", (scores, weights)))
    size = BYTES[h.types[3]]
    target = temporary(prod(h.sizes) * columns * size) if is_cut else last
    parts.append(PlacedProduct(second, (weights, numbers[2], target)))
    if is_cut:
        whole = (h.results[row], stored)
        parts.append(cut((rows, h.width), columns, whole, (target, last), sizes, NAMES[h.types[3]], size))
    return Arranged(tuple(parts), tuple(temporaries))


def is_wide(h: Heads, exact: bool) -> bool:
    """Whether heads are wider than blocks have room for, and scores as many, and computed as, as this is for."""
    widest = WIDEST_EXACT if exact else WIDEST_HEADS
    if max(h.depth, h.width) <= widest or not h.shared or h.usual or h.results[-1] != 1:
        return False
    if not narrow_kind(h, exact) and {*h.types, *h.rounded} != {"f32"}:
        return False
    if h.types[3] not in ("f32", h.types[0]) or not LEAST <= h.keys <= 4 * THREADS * MOST_COUNT:
        return False
    scores = prod(h.sizes) * aligned(h.keys, ALIGNED)
    return max(h.sizes[-h.shared :]) >= LEAST and LEAST_SCORES <= scores <= MOST_BYTES // 4


def write_read(name: str, strides: Sequence[int], element: str, keys: int) -> str:
    """Read what belongs to four neighbouring keys, at once if they are aligned."""
    *outer, step = strides
    if step == 1 and not any(n % 4 for n in (*outer, keys)):
        four = {"f32": "float4", "i1": "uchar4"}.get(element, "ushort4")
        names = ", ".join(f"{name}_read[{e}] = {name}_four.{part}" for e, part in enumerate("xyzw"))
        return f"const {four} {name}_four = *(const {four} *)({name} + min(at, KEYS - 4));\n{names};"
    return f"#pragma unroll\nfor (int e = 0; e < 4; e++) {name}_read[e] = {name}[min(at + e, KEYS - 1) * {step}ll];"


def softmax(
    h: Heads, exact: bool, order: tuple[int, ...], width: int, score: str, buffers: tuple[int, int]
) -> CudaKernel:
    """The kernel that replaces scores of a type, whose rows are in the order of these dimensions, by weights."""
    kind, total = h.types[0], prod(h.sizes)
    threads = WARP if h.keys <= 4 * WARP * MOST_COUNT // 2 else THREADS
    rows = next(n for n in (8, 4, 2, 1) if total % n == 0) if threads == WARP else 1
    constants = {
        "KEYS": h.keys, "WIDTH": width, "THREADS": threads, "COUNT": -(-h.keys // (4 * threads)), "KIND": KINDS[kind],
    }  # fmt: skip
    flags = {"EXACT": exact, "SHIFTED": h.shifted}
    changes = [(f"b{i}", c, c.strides) for i, c in enumerate(h.changes) if c.strides is not None]
    sizes = [h.sizes[d] for d in order]
    masks = [(name, c.kind) for name, c, _ in changes if c.kind in ("keep", "drop")]
    parts = {
        "floats": [read_code("floats.cu")],
        "declarations": [f"{NAMES[c.element]} {name}_read[4];" for name, c, _ in changes],
        "reads": [write_read(name, s, c.element, h.keys) for name, c, s in changes],
        "is_read": [" && ".join(f"{'!' * (kind == 'drop')}{name}_read[e]" for name, kind in masks) or "true"],
        "starts": [f"{name} += {distance('row', sizes, [s[d] for d in order])};" for name, _, s in changes],
        "changes": [write_change(f"b{i}_read[e]", c) for i, c in enumerate(h.changes)],
    }
    text = [
        constants_text({"int": constants, "bool": flags}),
        *([f"{NAMES[kind]} *weights = scores;"] if kind == score else []),
        fill(read_code("softmax.cu"), {name: "\n".join(lines) for name, lines in parts.items()}),
    ]
    stored = [KernelParameter(f"{NAMES[score]}* __restrict__", "scores", kind == score)]
    if kind != score:
        stored.append(KernelParameter(f"{NAMES[kind]}* __restrict__", "weights"))
    read = (KernelParameter(f"{NAMES[c.element]}* __restrict__", name, False) for name, c, _ in changes)
    numbers = (*dict.fromkeys(buffers), *range(3, 3 + len(changes)))
    moved = total * (
        h.keys * (BYTES[score] + BYTES[kind]) + sum(h.keys * BYTES.get(c.element, 1) for _, c, _ in changes)
    )
    return CudaKernel(
        "softmax", (*stored, *read), "\n".join(text), (), (total // rows, 1, 1), (threads * rows, 1, 1), False, numbers,
        8 * total * h.keys, moved, kind == score, alone=True,
    )  # fmt: skip
