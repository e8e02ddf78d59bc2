"""Products of few rows with a large matrix, in a kernel of our own that reads the matrix at memory's bandwidth.

Libraries compute them as if there were more rows, or start a second kernel that adds up parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ...templates import fill
from .arranging import Arranged, distance
from .in_order import ITEMS, ROUNDED, TYPES
from .kernels import (
    MOST_CLUSTER,
    WARP,
    CudaKernel,
    KernelParameter,
    constants_text,
    has_clusters,
    read_code,
    shared_by_two,
)
from .operands import KINDS
from .products import CudaMatrix, ProductSpec

# The most rows, the fewest columns and terms, and the fewest bytes of matrices: the libraries' kernels for smaller ones
# take little longer than it takes to start any.
MOST_ROWS, LEAST_SIZE, LEAST_BYTES = 4, 64, 1 << 18
BYTES = 16  # that a thread reads at once
# How many such reads of a thread wait for memory together in registers, if B's terms are along its rows. Otherwise the
# block's memory has as many as leaves room for those of another kernel.
WAITING = 8
# With how many blocks a GPU is busy enough; the most bytes of A that a block keeps.
BLOCKS, MOST_STAGED = 64, 32 << 10
# How many of them are waited for at once, and how many times as many are asked for at once before the kernel waits for
# others: with all at once, a token of a language model of 1.6 GB takes 2 or 3 % longer.
TOGETHER, AT_FIRST = 2, 2
# The fewest terms that a block of a cluster adds up.
LEAST_TERMS = 128
# What threads beside each other read of a row: on an H200, 128 bytes at 3.7 TB/s, 64 at 2.7 and 32 at 2.1.
NARROW, WIDE = 64, 128


def arrange(s: ProductSpec, arch: str = "") -> Arranged | None:
    """The kernel of a product; None if it has more rows and columns, or its matrix is small or not aligned."""
    if s.letter != "s" or (s.narrow or "f32") not in ITEMS or not (s.m <= MOST_ROWS or s.n <= MOST_ROWS):
        return None
    leading, strides = s.storage
    if s.m > MOST_ROWS:  # the transposed product has few rows
        return multiply(transposed_product(s), (1, leading), strides, arch, is_swapped=True)
    return multiply(s, (leading, 1), strides, arch)


def transposed_product(s: ProductSpec) -> ProductSpec:
    """Bᵀ·Aᵀ, whose result is stored as that of A·B is."""
    a, b = CudaMatrix(*s.b), CudaMatrix(*s.a)
    a, b = a._replace(transposed=not a.transposed), b._replace(transposed=not b.transposed)
    return replace(s, m=s.n, n=s.m, a=a, b=b)


def endings(s: ProductSpec, is_swapped: bool) -> tuple[list[str], list[str]]:
    """What is added to each number of a result, in C, and the statements that compute it, given `addends` and `x`."""
    addends = [f"bias[{'row' if is_swapped else 'column'}]"] * s.bias + ["added[to]"] * s.added
    if s.twice:
        addends = [f"widened<KIND>({each})" for each in addends]
    rounded = f"widened<KIND>({ROUNDED.get(s.result, 'x')})" if s.twice else "x"
    sums = [f"x = {rounded} + addends.of[{n}];" for n, _ in enumerate(addends)]
    return addends, [*sums, *["x = x <= 0 ? 0.0f : x;"] * s.relu]


def multiply(
    s: ProductSpec, steps: tuple[int, int], strides: Sequence[int], arch: str, is_swapped: bool = False
) -> Arranged | None:
    """The kernel of a product with few rows, given how far apart rows, columns and matrices of the result are."""
    element, items = s.narrow or "f32", prod(s.batch)
    each, a, b = BYTES // ITEMS[element], CudaMatrix(*s.a), CudaMatrix(*s.b)
    size = items * s.n * s.k * ITEMS[element]
    if size < LEAST_BYTES or min(s.n, s.k) < LEAST_SIZE:
        return None
    if any(n % each for n in (s.k if b.transposed else s.n, b.leading, *b.batch)):
        return None
    threads, lanes, columns, memory, waiting = 256, 1, 1, 0, 1
    divisible = 1 if b.transposed else max(1, min(MOST_CLUSTER, s.k // LEAST_TERMS))
    if b.transposed:
        while columns < 4 and items * s.n >= 4 * BLOCKS * (threads // WARP) * columns * 2:
            columns *= 2
        count = -(-s.k // (WARP * each))
        waiting = -(-count // -(-count // (WAITING // columns)))
        tiles = -(-s.n // (threads // WARP * columns))
    else:
        rows = items * s.n * ITEMS[element] * (divisible if has_clusters(arch) else 1)
        lanes = (WIDE if rows >= BLOCKS * WIDE else NARROW) // BYTES
        tiles = -(-s.n // (lanes * each))
        given = 4 * s.m * s.k if 4 * s.m * s.k <= MOST_STAGED else 0
        depth = -(-s.k // (threads // lanes * TOGETHER)) * TOGETHER
        sums = 4 * s.m * lanes * each
        memory = min(shared_by_two(arch), sums + 64 + max(given + depth * threads * BYTES, threads // WARP * sums))
    constants = {
        "ROWS": s.m, "COLUMNS": columns, "LANES": lanes, "THREADS": threads, "TILES": tiles, "N": s.n, "K": s.k,
        "KIND": KINDS[element], "WAITING": waiting, "MEMORY": memory, "TOGETHER": TOGETHER, "MOST_STAGED": MOST_STAGED,
        "AT_FIRST": AT_FIRST, "ADDENDS": s.bias + s.added,
    }  # fmt: skip
    distances = {
        "A_ROW": 1 if a.transposed else a.leading, "A_TERM": a.leading if a.transposed else 1, "LEADING": b.leading,
        "C_ROW": steps[0], "C_COLUMN": steps[1],
    }  # fmt: skip
    vector = not a.transposed and not any(n % each for n in (a.leading, *a.batch))
    flags = {"ALONG": b.transposed, "A_VECTOR": vector}
    names = ["b", "a"] if is_swapped else ["a", "b"]
    names += ["bias"] * s.bias + ["added"] * s.added
    starts = [f"{name} += {distance('item', s.batch, x.batch)};" for name, x in (("a", a), ("b", b))]
    starts.append(f"c += {distance('item', s.batch, tuple(strides))};")
    addends, statements = endings(s, is_swapped)
    finish = [*statements, f"c[to] = {ROUNDED.get(s.result, 'x')};"]
    text = [
        constants_text({"int": constants, "long long": distances, "bool": flags}),
        fill(
            read_code("few_rows.cu"),
            {
                "starts": "\n".join(starts),
                "addends": ", ".join(addends),
                "finish": "\n".join(finish),
                "memory": f"ASKED_FOR(memory, {memory}, {BYTES});",
            },
        ),
    ]
    types = {"a": element, "b": element} | ({"bias": s.result, "added": s.result} if s.twice else {})
    # They are not restricted, as the compiler would move what they read from one side of the wait to the other.
    parameters = (
        *(KernelParameter(f"{TYPES[types.get(name, 'f32')]}*", name, False) for name in names),
        KernelParameter(f"{TYPES[s.result or 'f32']}*", "c"),
    )
    moved = size + items * s.m * (s.k * ITEMS[element] + s.n * ITEMS[s.result or "f32"])
    kernel = CudaKernel(
        "product_of_few_rows", parameters, "\n".join(text), (), (items * tiles, 1, 1), (threads, 1, 1), False,
        (*range(len(parameters)),), s.flops, moved, early=(names.index("b"),), shared=memory, divisible=divisible,
    )  # fmt: skip
    return Arranged((kernel,))
