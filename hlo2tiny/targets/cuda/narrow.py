"""Products of a long matrix with a small one, in a kernel of our own at memory's bandwidth: each thread has some rows.

Libraries have no tiles that are so narrow: on an H200, cuBLASLt multiplies 2,097,152 rows of 8 numbers with a matrix of
8 by 8 in 47 to 130 µs, as the layouts are.
"""

from __future__ import annotations

from math import gcd, prod

from ...templates import fill
from . import few_rows, small_results
from .arranging import Arranged, distance
from .few_rows import BYTES, ROWS_OF_BYTE, SHORT, endings, transposed_product
from .in_order import ITEMS, PACK, ROUNDED, TYPES
from .kernels import CudaKernel, KernelParameter, constants_text, read_code
from .operands import KINDS
from .products import CudaMatrix, ProductSpec

# The most columns of either matrix, whose rows may be anywhere, the fewest rows of the long one, and the threads of a
# block.
MOST, LEAST_ROWS, THREADS = 16, 1 << 10, 128
# The most rows of a thread, with how many threads a GPU is busy, if each waits for MOST reads, and for how many rows of
# more terms these are faster than threads that share them.
MOST_EACH, BUSY, LONG = 4, 1 << 15, 1 << 17
# So few blocks of a processor leave room for all reads in registers, where the compiler would read later; half as many,
# if these and the sums are more bytes.
AT_ONCE, MOST_KEPT = 4, 384


def arrange(s: ProductSpec, arch: str = "") -> Arranged | None:
    """The kernels of a product on a kind of GPU; None if neither a matrix nor its result is small."""
    own = multiply(s) or small_results.arrange_small(s) or few_rows.arrange(s, arch)
    return own or small_results.arrange_long(s)


def multiply(s: ProductSpec) -> Arranged | None:
    """The kernel of a product whose rows are not shared by threads; None if it is not narrow, or not long."""
    if s.letter not in "sd" or (s.narrow or "f32") not in ITEMS or min(s.m, s.n) > MOST:
        return None
    if max(s.m, s.n) < LEAST_ROWS:
        return None
    leading, strides = s.storage
    is_swapped, steps = s.n > s.m, (leading, 1)
    if is_swapped:
        s, steps = transposed_product(s), steps[::-1]
    wide = "f64" if s.letter == "d" else "f32"
    element, result, items = s.narrow or wide, s.result or wide, prod(s.batch)
    x, y = CudaMatrix(*s.a), CudaMatrix(*s.b)
    x_steps, y_steps = ((1, m.leading) if m.transposed else (m.leading, 1) for m in (x, y))
    of_x = BYTES // ITEMS[element]
    # Rows that follow each other, as many as are aligned; or else the terms of a row.
    each = gcd(min(of_x, MOST_EACH), s.m, x_steps[1], *x.batch) if x_steps[0] == 1 else 1
    if s.k > MOST:
        while each > 1 and items * s.m < BUSY * each:
            each //= 2
        is_small = s.n <= ROWS_OF_BYTE * ITEMS[s.narrow or "f32"] and s.k * ITEMS[element] < SHORT
        if x_steps[0] != 1 or not is_small or items * s.m < max(LONG, BUSY * each):
            return None
    x_once = gcd(of_x, s.k, x_steps[0], *x.batch) if x_steps[1] == 1 and each == 1 else 1
    of_c = BYTES // ITEMS[result]
    c_rows = each if steps[0] == 1 and gcd(each, steps[1], *strides) == each and each <= of_c else 1
    c_once = gcd(of_c, s.n, steps[0], *strides) if steps[1] == 1 and c_rows == 1 else 1
    parts, kept = -(-s.m // (THREADS * each)), each * (s.n + min(s.k, MOST)) * ITEMS[wide]
    constants = {
        "ROWS": s.m, "COLUMNS": s.n, "K": s.k, "TERMS": min(s.k, MOST), "EACH": each, "THREADS": THREADS,
        "PARTS": parts, "KIND": KINDS.get(element, 0), "X_ONCE": x_once, "C_ONCE": c_once, "C_ONCE_ROWS": c_rows,
        "ADDENDS": s.bias + s.added,
    }  # fmt: skip
    distances = {
        "X_ROW": x_steps[0], "X_TERM": x_steps[1], "Y_TERM": y_steps[0], "Y_COLUMN": y_steps[1], "C_ROW": steps[0],
        "C_COLUMN": steps[1],
    }  # fmt: skip
    addends, sums = endings(s, is_swapped)
    starts = [f"{name} += {distance('item', s.batch, m.batch)};" for name, m in (("x", x), ("y", y))]
    starts.append(f"c += {distance('item', s.batch, strides)};")
    parts_of_text = {
        "starts": "\n".join(starts), "addends": ", ".join(addends), "sums": "\n".join(sums),
        "rounded": f"(Result)({ROUNDED.get(s.result, 'x')})",
    }  # fmt: skip
    number = TYPES[wide]
    text = [
        constants_text({"int": constants, "long long": distances}),
        f"typedef {TYPES[element]} Element; typedef {TYPES[result]} Result; typedef {number} Number;",
        fill(read_code("narrow.cu"), parts_of_text),
    ]
    names = ["y", "x"] if is_swapped else ["x", "y"]
    more = ["bias"] * s.bias + ["added"] * s.added
    of_more = TYPES[result] if s.twice else number
    parameters = (
        *(KernelParameter(f"{TYPES[element]}* __restrict__", name, False) for name in names),
        *(KernelParameter(f"{of_more}*", name, False) for name in more),
        KernelParameter(f"{TYPES[result]}*", "c"),
    )
    moved = items * s.m * (s.k * ITEMS[element] + s.n * ITEMS[result])
    kernel = CudaKernel(
        "narrow_product", parameters, "\n".join(text), (PACK,), (items * parts, 1, 1), (THREADS, 1, 1), False,
        (*range(len(parameters)),), s.flops, moved, alone=True, at_once=AT_ONCE if kept <= MOST_KEPT else AT_ONCE // 2,
    )  # fmt: skip
    return Arranged((kernel,))
