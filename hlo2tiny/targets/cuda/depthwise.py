"""The gradient of the weights of a convolution of each feature on its own, in a kernel of our own.

It has few results, each of which is a sum over all positions of two large arrays. A kernel for each result would read
these as often as a window has elements.
"""

from __future__ import annotations

from math import prod

from ...templates import fill
from .arranging import Arranged
from .convolutions import FILTER, ConvolutionSpec
from .in_order import ITEMS, ROUNDED, TYPES
from .kernels import WARP, CudaKernel, KernelParameter, constants_text, launch_size, read_code
from .operands import KINDS

# The most elements of a window that a thread has sums of, the threads of a block, and how many blocks keep a GPU busy.
MOST_TAPS, THREADS, BLOCKS = 49, 128, 1024
# The fewest positions of a thread, and the fewest multiplications: fewer take less time than a second kernel.
LEAST_POSITIONS, LEAST_WORK = 16, 1 << 20
SPATIAL = 3


def arrange(s: ConvolutionSpec) -> Arranged | None:
    """The kernels of a gradient; None for other convolutions, small ones, and windows of long rows."""
    features, positions = s.w[0][0], s.y[0][0] * prod(s.y[0][2:])
    if s.kind != FILTER or s.w[0][1] != 1 or s.flipped:
        return None
    if features * positions * prod(s.w[0][2:]) < LEAST_WORK or max(positions, prod(s.x[0])) >= 1 << 31:
        return None
    # Along each dimension, in the order of memory: places, elements of X and of the window, their steps, and the rest.
    rows = zip(*(each[2:] for each in (*s.y, *s.x, *s.w)), s.stride, s.dilation, s.low, s.reach)
    spatial = [(1, 0, 1, 0, 1, 0, 1, 1, 0, 1)] * (SPATIAL - len(s.low)) + sorted(rows, key=lambda row: -row[1])
    places, y_steps, sizes, x_steps, window, w_steps, strides, dilations, low, reach = zip(*spatial)
    counts = [*window]
    for d in range(SPATIAL - 1):
        if prod(counts) > MOST_TAPS:
            counts[d] = 1
    if prod(counts) > MOST_TAPS:
        return None
    slices, lanes = prod(window) // prod(counts), 1
    while s.y[1][1] == 1 and lanes < WARP and 2 * lanes <= features:
        lanes *= 2
    blocks = -(-features // lanes) * slices
    parts = max(1, min(BLOCKS // blocks, positions * lanes // (THREADS * LEAST_POSITIONS)))
    length = -(-positions // parts)
    integers = {
        "KIND": KINDS[s.element], "THREADS": THREADS, "LANES": lanes, "FEATURES": features, "SLICES": slices,
        "EACH": features // s.groups, "PARTS": parts, "LENGTH": length, "POSITIONS": positions,
    }  # fmt: skip
    steps = {"X_BATCH": s.x[1][0], "X_FEATURE": s.x[1][1], "Y_BATCH": s.y[1][0], "Y_FEATURE": s.y[1][1]}
    lists = {
        "COUNT": counts, "WINDOW": window, "PLACES": places, "SIZE": sizes, "STRIDE": strides, "DILATION": dilations,
        "LOW": low,
    }  # fmt: skip
    integers |= {f"{name}_{d}": n for name, each in lists.items() for d, n in enumerate(each)}
    steps |= {f"{name}_{d}": n for name, each in (("X", x_steps), ("Y", y_steps)) for d, n in enumerate(each)}
    inside = all(before <= 0 and far - before <= size for before, far, size in zip(low, reach, sizes))
    total, element, last = features * prod(window), TYPES[s.element], 2
    at = "feature * {0}ll + tap / {1} * {2}ll + tap / {3} % {4} * {5}ll + tap % {3} * {6}ll".format(
        s.w[1][0], window[1] * window[2], w_steps[0], window[2], window[1], w_steps[1], w_steps[2]
    )
    store = f"w[{at}] = {ROUNDED.get(s.element, 'x')};"
    whole = f"w[part * {total}ll + feature * {prod(window)} + tap] = x;"
    text = [
        constants_text({"int": integers, "long long": steps, "bool": {"INSIDE": inside}}),
        fill(read_code("depthwise.cu"), {"store": store if parts == 1 else whole}),
    ]
    operands = [KernelParameter(f"{element}* __restrict__", name, False) for name in "xy"]
    target = KernelParameter(f"{element if parts == 1 else 'float'}*", "w")
    moved = slices * (s.y[0][0] * prod(s.x[0][1:]) + features * positions) * ITEMS[s.element]
    kernel = CudaKernel(
        "depthwise_gradient", (*operands, target), "\n".join(text), (), (blocks * parts, 1, 1), (THREADS, 1, 1), False,
        (0, 1, last + (parts > 1)), 2 * positions * total, moved,
    )  # fmt: skip
    if parts == 1:
        return Arranged((kernel,))
    grid, threads = launch_size(total)
    body = f"""const int i = blockIdx.x * {threads} + threadIdx.x;
if (i >= {total}) return;
const int feature = i / {prod(window)}, tap = i % {prod(window)};
float x = 0;
for (int part = 0; part < {parts}; part++) x += parts[part * {total}ll + i];
{store}"""
    parameters = KernelParameter("float* __restrict__", "parts", False), KernelParameter(f"{element}*", "w")
    after = CudaKernel(
        "depthwise_parts", parameters, body, (), (grid, 1, 1), (threads, 1, 1), False, (last + 1, last),
        parts * total, 4 * parts * total,
    )  # fmt: skip
    return Arranged((kernel, after), (4 * parts * total,))
