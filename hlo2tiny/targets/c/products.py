"""Matrix products in C: our own in product.c for real numbers and integers, BLAS's for complex numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from ...plan.gemm import Matrix
from ...plan.plan import Gemm

# The types that a matrix's numbers may have, as product.c numbers them; the first means the type of the product.
NARROW = ("", "bf16", "f16", "i8", "ui8", "i16", "ui16", "i4")
# By letter: the C type, its size, and the narrow types that are widened to it (code without widening compiles faster).
# The products of "q" scale what they widen.
TYPES: dict[str, tuple[str, int, tuple[str, ...]]] = {
    "s": ("float", 4, ()), "d": ("double", 8, ()), "i": ("int", 4, ()),
    "h": ("float", 4, NARROW[1:3]), "b": ("int", 4, NARROW[3:7]),
    "q": ("float", 4, ("i8", "i4")),
}  # fmt: skip
WIDENING = {"s": "h", "i": "b"}
SIZES = {"c": 8, "z": 16}
ROW_MAJOR, AS_IT_IS, TRANSPOSED = 101, 111, 112


def function_of(step: Gemm) -> str:
    """The name of the function that computes a product."""
    p = step.product
    if p.letter in "cz":
        return f"cblas_{p.letter}gemm"
    if p.group:
        return "qproduct"
    return f"{WIDENING[p.letter] if p.a.narrow or p.b.narrow else p.letter}product"


def product(step: Gemm, number: int, structs: dict[str, str]) -> Iterator[str]:
    """Yield the call of library function `number` for a product.

    The first argument is a struct with the sizes and distances. Equal products share one: `structs` maps their contents
    to names.
    """
    p = step.product
    if p.letter in "cz":
        yield from complex_product(step, number)
        return
    (a_row, a_column), (b_row, b_column) = distances(p.a), distances(p.b)
    a, b, *scales = step.inputs
    m, n, batches, narrow = p.m, p.n, (p.a.batch, p.b.batch), (p.a.narrow, p.b.narrow)
    if n == 1:  # a column has the same memory layout as the row that the transposed product gives
        m, n, a, b, batches, narrow = n, m, b, a, batches[::-1], narrow[::-1]
        a_row, a_column, b_row, b_column = b_column, b_row, a_column, a_row
    sizes = [m, n, p.k, a_row, a_column, b_row, b_column, *map(NARROW.index, narrow), p.group, len(p.batch)]
    lists = (f"(const long[]){{{', '.join(map(str, numbers)) or '0'}}}" for numbers in (p.batch, *batches))
    name = structs.setdefault(", ".join([*map(str, sizes), *lists]), f"product{len(structs)}")
    buffers = f"v{a}, v{b}, {f'v{scales[0]}' if scales else 0}, v{step.outputs[0]}"
    yield f"((product)k->library[{number}])(&{name}, {buffers}, k->parallel);"


def distances(matrix: Matrix) -> tuple[int, int]:
    """The distances between the elements of neighbouring rows and of neighbouring columns."""
    return (1, matrix.leading) if matrix.transposed else (matrix.leading, 1)


def complex_product(step: Gemm, number: int) -> Iterator[str]:
    """Yield a loop over the batch that calls BLAS for each matrix."""
    p = step.product
    pointers = [f"v{n}" for n in (*step.inputs, *step.outputs)]
    result_strides = [prod(p.batch[i + 1 :]) * p.m * p.n for i in range(len(p.batch))]
    for i, count in enumerate(p.batch):
        yield f"for (long b{i} = 0; b{i} < {count}; b{i}++) {{"
        for j, strides in enumerate((p.a.batch, p.b.batch, result_strides)):
            pointers[j] += f" + b{i} * {strides[i] * SIZES[p.letter]}"
    a, b, c = pointers
    marks = [TRANSPOSED if x.transposed else AS_IT_IS for x in (p.a, p.b)]
    yield (
        f"(({p.letter}gemm)k->library[{number}])({ROW_MAJOR}, {marks[0]}, {marks[1]}, {p.m}, {p.n}, {p.k}, "
        f"{p.letter}one, {a}, {p.a.leading}, {b}, {p.b.leading}, {p.letter}zero, {c}, {p.n});"
    )
    yield "}" * len(p.batch)
