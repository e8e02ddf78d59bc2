"""Products of 8-bit integers by cuBLASLt, which takes rows of A and columns of B, both of a multiple of 16 bytes.

Other operands are rearranged by kernels first, and a result whose rows have another size is cut afterwards. Where
cuBLASLt is missing, and for unsigned numbers, which it does not multiply, there is a kernel of our own.
"""

from __future__ import annotations

from math import prod

from ...plan.gemm import Matrix, Product
from ...templates import fill
from .arranging import Arranged, PlacedProduct, cut, distance, pack
from .kernels import CudaKernel, KernelParameter, aligned, constants_text, read_code
from .products import ProductSpec

# Rows and columns in memory are a multiple of this many numbers, and those of a result a multiple of this many.
ALIGNED, RESULT_ALIGNED = 16, 4
# With fewer rows or columns, rearranging the other operand costs more than the product.
LEAST = 16
# The rows and columns of the result that a block of our own kernel computes.
SIDE = 128


def spec_of(p: Product) -> ProductSpec | None:
    """The product that cuBLASLt computes for this one."""
    found = arrange(p)
    return next(iter(found.specs), None) if found is not None else None


def arrange(p: Product, library: bool = True) -> Arranged | None:
    """A product of 8-bit integers with a 32-bit result, by cuBLASLt if it may; None for others."""
    if p.letter != "i" or not {p.a.narrow, p.b.narrow} <= {"i8", "ui8"} or p.group:
        return None
    library &= (p.a.narrow, p.b.narrow) == ("i8", "i8")
    depth, width = aligned(p.k, ALIGNED), aligned(p.n, ALIGNED) if library and p.n % RESULT_ALIGNED else p.n
    sides = [(p.a, False, p.m, p.m), (p.b, True, p.n, width)]
    packed = [
        depth != p.k or rows != padded or x.transposed != transposed or any(n % ALIGNED for n in (x.leading, *x.batch))
        for x, transposed, rows, padded in sides
    ]
    if (packed[0] and p.n < LEAST) or (packed[1] and p.m < LEAST) or (not library and min(p.m, p.n) < LEAST):
        return None
    kernels: list[CudaKernel] = []
    temporaries: list[int] = []
    places, matrices = [0, 1, 2], [p.a, p.b]
    for number, (x, transposed, rows, padded) in enumerate(sides):
        if packed[number]:
            places[number] = 3 + len(temporaries)
            temporaries.append(prod(p.batch) * padded * depth)
            steps = (1, x.leading) if x.transposed != transposed else (x.leading, 1)
            kernels.append(pack(p.batch, x.batch, steps, (rows, p.k), (padded, depth), (number, places[number])))
            strides = tuple(prod(p.batch[i + 1 :]) * padded * depth for i in range(len(p.batch)))
            matrices[number] = Matrix(transposed, depth, strides, x.narrow)
    after = []
    if width != p.n:
        places[2] = 3 + len(temporaries)
        temporaries.append(4 * prod(p.batch) * p.m * width)
        after.append(cut((prod(p.batch) * p.m, p.n), width, (p.n, ()), (places[2], 2)))
    a, b = matrices
    used = places[0], places[1], places[2]
    product: PlacedProduct | CudaKernel = multiply(p, depth, a, b, used)
    if library:
        layouts = (a.transposed, a.leading, a.batch), (b.transposed, b.leading, b.batch)
        product = PlacedProduct(ProductSpec("i", "i8", p.batch, p.m, width, depth, *layouts, exact=True), used)
    return Arranged((*kernels, product, *after), tuple(temporaries))


def multiply(p: Product, depth: int, a: Matrix, b: Matrix, buffers: tuple[int, int, int]) -> CudaKernel:
    """The kernel of a product whose operands are arranged."""
    constants = {"M": p.m, "N": p.n, "K": depth}
    leading = {"A_LEADING": a.leading, "B_LEADING": b.leading}
    flags = {"A_SIGNED": a.narrow == "i8", "B_SIGNED": b.narrow == "i8"}
    starts = [f"{name} += {distance('item', p.batch, x.batch)};" for name, x in (("a", a), ("b", b))]
    operands = (KernelParameter("signed char* __restrict__", name, False) for name in "ab")
    parameters = (*operands, KernelParameter("int* __restrict__", "c"))
    grid = (prod(p.batch) * -(-p.m // SIDE) * -(-p.n // SIDE), 1, 1)
    moved = prod(p.batch) * (p.m * p.k + p.k * p.n + 4 * p.m * p.n)
    head = constants_text({"int": constants, "long long": leading, "bool": flags})
    text = f"{head}\n" + fill(read_code("integers.cu"), {"starts": "\n".join(starts)})
    return CudaKernel(
        "integer_product", parameters, text, (), grid, (256, 1, 1), False, buffers, p.flops, moved, alone=True
    )
