"""Products of 8-bit numbers by cuBLASLt, which takes rows of A and columns of B, both of a multiple of 16 bytes.

Other operands are rearranged by kernels first, and a result whose rows have another size is cut afterwards. Where
cuBLASLt is missing, and for unsigned integers, which it does not multiply, there is a kernel of our own for integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np

from ...ir.dtypes import numpy_dtype
from ...ir.types import ScalarType
from ...plan.gemm import EIGHT_BITS, LEAST_EIGHT_BITS, Matrix, Product
from ...templates import fill
from .arranging import Arranged, PlacedProduct, cut, distance, pack
from .kernels import CudaKernel, KernelParameter, aligned, constants_text, generation_of, launch_size, read_code
from .products import ProductSpec

# The integers that cuBLASLt multiplies.
INTEGERS = ("i8", "i8")
# Rows and columns in memory are a multiple of this many numbers, and those of a result, by letter, of this many.
ALIGNED, RESULT_ALIGNED = 16, {"i": 4, "s": 16}
# The oldest kind of GPU that multiplies 8-bit floats.
LEAST_ARCH = 89
# With fewer rows or columns, rearranging the other operand costs more than the product.
LEAST = LEAST_EIGHT_BITS
# The rows and columns of the result that a block of our own kernel computes.
SIDE = 128


def is_of_eight_bits(p: Product) -> bool:
    """Whether a product is of integers, of 8 bits or more, or of 8-bit floats."""
    return p.letter == "i" or (p.a.narrow, p.b.narrow) in EIGHT_BITS


def spec_of(p: Product, result: str = "") -> ProductSpec | None:
    """The product that cuBLASLt computes for this one."""
    found = arrange(p, result=result)
    return next(iter(found.specs), None) if found is not None else None


def arrange(p: Product, library: bool = True, result: str = "") -> Arranged | None:
    """A product of 8-bit numbers with a 32-bit result, or one rounded to `result`; None for others.

    That of integers is cuBLASLt's if it may (`library`).
    """
    kinds, is_float = (p.a.narrow, p.b.narrow), p.letter == "s"
    if p.group or not (kinds in EIGHT_BITS if is_float else p.letter == "i" and {*kinds} <= {"i8", "ui8"}):
        return None
    library &= is_float or kinds == INTEGERS
    depth = aligned(p.k, ALIGNED)
    width = aligned(p.n, ALIGNED) if library and p.n % RESULT_ALIGNED[p.letter] else p.n
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
        kind, size = ("unsigned short", 2) if result else ("int", 4)
        temporaries.append(size * prod(p.batch) * p.m * width)
        after.append(cut((prod(p.batch) * p.m, p.n), width, (p.n, ()), (places[2], 2), (), kind, size))
    a, b = matrices
    used = places[0], places[1], places[2]
    product: PlacedProduct | CudaKernel
    if library:
        layouts = (a.transposed, a.leading, a.batch), (b.transposed, b.leading, b.batch)
        spec = ProductSpec(p.letter, kinds[0], p.batch, p.m, width, depth, *layouts, exact=not is_float, result=result)
        product = PlacedProduct(spec if len({*kinds}) == 1 else replace(spec, other=kinds[1]), used)
    else:
        product = multiply(p, depth, a, b, used)
    return Arranged((*kernels, product, *after), tuple(temporaries))


def has_floats(arch: str) -> bool:
    """Whether GPUs of a kind such as sm_90 multiply 8-bit floats."""
    return generation_of(arch) >= LEAST_ARCH


def convert_first(product: Arranged, kinds: Sequence[str], sizes: Sequence[int]) -> Arranged:
    """A product of bf16 with kernels that convert its first operands to that, of these types and sizes, before it."""
    inputs = max(n for part in product.parts for n in part.buffers) - len(product.temporaries)
    first = inputs + 1 + len(product.temporaries)
    numbers = [*range(first, first + len(kinds)), *range(len(kinds), first)]
    kernels = [to_bf16(kind, size, (n, first + n)) for n, (kind, size) in enumerate(zip(kinds, sizes))]
    parts = [replace(part, buffers=tuple(numbers[n] for n in part.buffers)) for part in product.parts]
    return Arranged((*kernels, *parts), (*product.temporaries, *(2 * size for size in sizes)))


def to_bf16(kind: str, size: int, buffers: tuple[int, int]) -> CudaKernel:
    """A kernel that converts 8-bit floats to bf16."""
    numbers = np.arange(256, dtype=np.uint8).view(numpy_dtype(ScalarType(kind))).astype(numpy_dtype(ScalarType("bf16")))
    blocks, threads = launch_size(size)
    name, listed = f"bf16_of_{kind}", ", ".join(map(str, numbers.view(np.uint16)))
    table = f"__device__ const unsigned short {name}[256] = {{{listed}}};"
    body = f"""__shared__ unsigned short table[256];
for (int i = threadIdx.x; i < 256; i += {threads}) table[i] = {name}[i];
__syncthreads();
const long long i = (long long)blockIdx.x * {threads} + threadIdx.x;
if (i < {size}) target[i] = table[source[i]];"""
    parameters = (
        KernelParameter("unsigned char* __restrict__", "source", False),
        KernelParameter("unsigned short* __restrict__", "target"),
    )
    grid, block = (blocks, 1, 1), (threads, 1, 1)
    return CudaKernel("convert", parameters, body, (table,), grid, block, False, buffers, bytes=3 * size, alone=True)


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
