"""Operands that kernels copy first, so that a product reads them at addresses which are multiples of 16 bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ...records import dataclass
from .kernels import THREADS, CudaKernel, KernelParameter, aligned, launch_size
from .products import ProductSpec

TILE = 64
# Rows in a copy are a multiple of this many 16-bit numbers, which are so many bytes.
ALIGNED, WORD = 8, 16
# How many operations of a product take as much longer, where operands are not aligned, as it takes to move a byte for a
# copy, and to start a kernel: on an H200, products of 16 and of 32 bits lose 7 ms in 10¹² operations.
FOR_BYTE, FOR_KERNEL = 60, 450_000_000


@dataclass(frozen=True)
class PlacedProduct:
    """A library's product, and the numbers of its buffers: A, B, what is added, and C."""

    spec: ProductSpec
    buffers: tuple[int, ...]


@dataclass(frozen=True)
class Arranged:
    """The kernels and the libraries' products that carry out a step, in order.

    Their buffers are the step's operands, its result and temporaries, whose sizes are in bytes.
    """

    parts: tuple[CudaKernel | PlacedProduct, ...]
    temporaries: tuple[int, ...] = ()

    @property
    def specs(self) -> list[ProductSpec]:
        return [part.spec for part in self.parts if isinstance(part, PlacedProduct)]


def distance(index: str, sizes: Sequence[int], strides: Sequence[int]) -> str:
    """How far an index into some dimensions is from the first element."""
    terms, after = [], 1
    for size, stride in reversed([*zip(sizes, strides)]):
        if stride and size > 1:
            terms.append(f"{index} / {after} % {size} * {stride}ll")
        after *= size
    return " + ".join(terms) or "0"


def pack(
    batch: tuple[int, ...], strides: tuple[int, ...], steps: tuple[int, int], sizes: tuple[int, int],
    padded: tuple[int, int], buffers: tuple[int, int], kind: str = "signed char", size: int = 1,
) -> CudaKernel:  # fmt: skip
    """A kernel that stores matrices with numbers of one row side by side, and zeros where there are none.

    There is one copy for all indices along dimensions of the batch whose stride is 0.
    `steps` are from row to row and from column to column, `sizes` the numbers of these, and `padded` those in the copy,
    whose rows are a multiple of 4 bytes. Numbers have `size` bytes. Tiles are transposed in shared memory.
    """
    (rows, columns), (row_step, step) = padded, steps
    batch, strides = zip(*each) if (each := [(n, s) for n, s in zip(batch, strides) if n > 1 and s]) else ((), ())
    across, down, once = -(-columns // TILE), -(-rows // TILE), 4 // size
    row, column = ("inner", "outer") if row_step < step else ("outer", "inner")
    body = f"""__shared__ __align__(4) {kind} tile[{TILE}][{TILE + once}];
const long long item = blockIdx.x / {across * down};
const int first_row = blockIdx.x / {across} % {down} * {TILE}, first = blockIdx.x % {across} * {TILE};
source += {distance("item", batch, strides)};
target += item * {rows * columns}ll;
for (int e = threadIdx.x; e < {TILE * TILE}; e += {THREADS}) {{
  const int inner = e % {TILE}, outer = e / {TILE}, row = first_row + {row}, column = first + {column};
  const bool exists = row < {sizes[0]} && column < {sizes[1]};
  tile[{row}][{column}] = exists ? source[row * {row_step}ll + column * {step}ll] : 0;
}}
__syncthreads();
for (int e = threadIdx.x; e < {TILE * TILE // once}; e += {THREADS}) {{
  const int row = e / {TILE // once}, column = e % {TILE // once} * {once};
  if (first_row + row < {rows} && first + column < {columns})
    *(int *)(target + (first_row + row) * {columns}ll + first + column) = *(const int *)&tile[row][column];
}}"""
    pointer = f"{kind}* __restrict__"
    parameters = KernelParameter(pointer, "source", False), KernelParameter(pointer, "target")
    grid, moved = (prod(batch) * across * down, 1, 1), prod(batch) * size * (prod(sizes) + rows * columns)
    return CudaKernel("arrange", parameters, body, (), grid, (THREADS, 1, 1), False, buffers, bytes=moved, alone=True)


def strides_of_copy(
    batch: Sequence[int], strides: Sequence[int], padded: tuple[int, int]
) -> tuple[tuple[int, ...], int]:
    """How far the matrices of a copy by `pack` are apart, and how many numbers it has."""
    made, size = [0] * len(batch), prod(padded)
    for d in reversed(range(len(batch))):
        if batch[d] > 1 and strides[d]:
            made[d], size = size, size * batch[d]
    return tuple(made), size


def cut(
    sizes: tuple[int, int], width: int, stored: tuple[int, tuple[int, ...]], buffers: tuple[int, int],
    batch: tuple[int, ...] = (), kind: str = "int", size: int = 4,
) -> CudaKernel:  # fmt: skip
    """A kernel that stores the first columns of matrices whose rows follow each other `width` numbers apart.

    `stored` is how far rows of the result are apart, and matrices along each dimension of the batch.
    """
    (rows, columns), (leading, strides) = sizes, stored
    count = prod(batch) * rows * columns
    blocks, threads = launch_size(count)
    body = f"""const long long i = (long long)blockIdx.x * {threads} + threadIdx.x;
if (i >= {count}) return;
const long long line = i / {columns}, column = i % {columns}, item = line / {rows}, row = line % {rows};
target[{distance("item", batch, strides)} + row * {leading}ll + column] = source[line * {width} + column];"""
    pointer = f"{kind}* __restrict__"
    parameters = KernelParameter(pointer, "source", False), KernelParameter(pointer, "target")
    grid, block = (blocks, 1, 1), (threads, 1, 1)
    return CudaKernel("cut", parameters, body, (), grid, block, False, buffers, bytes=2 * size * count)


def arrange(s: ProductSpec, operands: int) -> Arranged | None:
    """A product on tensor cores whose operands and result are aligned: copies of those that are not.

    None if all are, or if copies take longer than they save. `operands` are A, B and what is added.
    """
    if s.letter != "s" or (s.exact and not s.narrow):
        return None
    stored = s.storage
    item, size = 2 if s.narrow else 4, 2 if s.result else 4
    whole = WORD // item
    is_cut = any(n * size % WORD for n in (stored[0], *stored[1])) and not s.bias and not s.added
    width = aligned(s.n, whole) if is_cut else s.n
    sides = (s.a, (s.m, s.k)), (s.b, (s.k, s.n))
    copied = [any(n % whole for n in (leading, *strides)) for (_, leading, strides), _ in sides]
    copied[1] |= width != s.n
    if not any((*copied, is_cut)):
        return None
    if any(copied) and s.k % whole:  # with terms that are no whole words, the product is as slow as before
        copied = [True, True]
    depth = aligned(s.k, whole) if all(copied) else s.k
    numbers, matrices = [*range(operands + 1)], [s.a, s.b]
    before, after, temporaries = list[CudaKernel](), list[CudaKernel](), list[int]()

    def temporary(number: int, count: int, item: int) -> tuple[int, int]:
        numbers[number] = operands + 1 + len(temporaries)
        temporaries.append(count * item)
        return number, numbers[number]

    kinds = {2: "unsigned short", 4: "float"}
    for number, padded_to in enumerate(((s.m, depth), (depth, width))):
        (transposed, leading, strides), sizes = sides[number]
        if not copied[number]:
            continue
        if transposed:
            sizes, padded_to = sizes[::-1], padded_to[::-1]
        padded = padded_to[0], aligned(padded_to[1], whole)
        made, count = strides_of_copy(s.batch, strides, padded)
        buffers = temporary(number, count, item)
        before.append(pack(s.batch, strides, (leading, 1), sizes, padded, buffers, kinds[item], item))
        matrices[number] = transposed, padded[1], made
    if is_cut:
        result, place = temporary(operands, prod(s.batch) * s.m * width, size)
        after.append(cut((s.m, s.n), width, stored, (place, result), s.batch, kinds[size], size))
    copies = (*before, *after)
    if s.flops < FOR_BYTE * sum(each.bytes for each in copies) + FOR_KERNEL * len(copies):
        return None
    product = replace(s, n=width, k=depth, a=matrices[0], b=matrices[1], stored=None if is_cut else s.stored)
    return Arranged((*before, PlacedProduct(product, tuple(numbers)), *after), tuple(temporaries))
