"""Matrix products by cuBLASLt: which ones it computes, and its calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any, NamedTuple

from ...records import dataclass

# By letter and narrow type: cudaDataType of the operands and of the result, cublasComputeType_t, the operands' bytes.
TF32, F32, F64, I32 = 77, 68, 70, 72
TYPES = {
    ("s", ""): (0, 0, F32, 4), ("d", ""): (1, 1, F64, 8), ("c", ""): (4, 4, F32, 8), ("z", ""): (5, 5, F64, 16),
    ("s", "bf16"): (14, 0, F32, 2), ("s", "f16"): (2, 0, F32, 2), ("i", "i8"): (3, 10, I32, 1),
    ("s", "f8E4M3FN"): (28, 0, F32, 1), ("s", "f8E5M2"): (29, 0, F32, 1),
}  # fmt: skip
NARROW = {"bf16": 14, "f16": 2}
SIZES = {"s": 4, "d": 8, "c": 8, "z": 16, "i": 4}
# How the factors of a product and of what is added to it are given.
FACTORS: Mapping[str, Any] = {"d": ctypes.c_double, "z": ctypes.c_double, "i": ctypes.c_int32}
# Attributes of cublasLtMatmulDesc, and what values of the first are the sum of.
EPILOGUE, BIAS_POINTER = 7, 8
BIAS, RELU = 4, 2
# The most memory that cuBLASLt may use to split a product, as its own documentation advises for Hopper.
WORKSPACE = 32 << 20
# A batch may have more dimensions than one call takes: so many calls run at the same time, each with a part of that.
CALLS_AT_ONCE = 8


class CudaMatrix(NamedTuple):
    """How an operand is stored: in rows, or in columns if it is transposed, which are `leading` elements apart.

    `batch` is the stride of matrices along each dimension of the batch.
    """

    transposed: bool
    leading: int
    batch: tuple[int, ...]


@dataclass(frozen=True)
class ProductSpec:
    """A product C = A·B of row-major matrices for each index of a batch, and the precision of its f32 numbers."""

    letter: str
    narrow: str
    batch: tuple[int, ...]
    m: int
    n: int
    k: int
    a: tuple[bool, int, tuple[int, ...]]  # the fields of a Matrix
    b: tuple[bool, int, tuple[int, ...]]
    exact: bool  # f32 rather than TF32
    bias: bool = False  # whether a row is added to each row of C
    added: bool = False  # whether a matrix is added to C
    twice: bool = False  # whether these are as narrow as C, and A·B rounded before, which a library leaves out
    result: str = ""  # the type of C, if it is narrower than A·B's
    # How far apart C's rows are, and its matrices along each dimension of the batch; None if they follow each other.
    stored: tuple[int, tuple[int, ...]] | None = None
    other: str = ""  # the narrow type of B, if it is not that of A
    relu: bool = False  # whether negative numbers of the sum become 0

    def __str__(self) -> str:
        batch = f"{'x'.join(map(str, self.batch))} of " if self.batch else ""
        kind = self.narrow or ("tf32" if self.letter == "s" and not self.exact else self.letter)
        kind += f" by {self.other}" if self.other else ""
        more = "".join(f" + {name}" for name in ("bias", "added") if getattr(self, name))
        more += ", relu" * self.relu + (f" to {self.result}" if self.result else "")
        return f"{kind} product {batch}{self.m}x{self.k}x{self.n}{more}{', reordered' if self.stored else ''}"

    @property
    def storage(self) -> tuple[int, tuple[int, ...]]:
        """How far apart C's rows are, and its matrices along each dimension of the batch."""
        return self.stored or (
            self.n,
            tuple(prod(self.batch[i + 1 :]) * self.m * self.n for i in range(len(self.batch))),
        )

    @property
    def epilogue(self) -> int:
        """What cuBLASLt does to the product, as it counts that; 0 for nothing."""
        return BIAS * self.bias + RELU * self.relu

    @property
    def flops(self) -> int:
        return 2 * self.m * self.n * self.k * prod(self.batch) * (4 if self.letter in "cz" else 1)


def merged_batch(
    batch: Sequence[int], strides: Sequence[Sequence[int]]
) -> tuple[list[int], list[list[int]], int, list[int]]:
    """Sizes and strides of a batch's dimensions, some merged into one, without the largest; then those of that one."""
    merged = list[tuple[int, list[int]]]()
    for size, *steps in zip(batch, *strides):
        if merged and all(outer == step * size for outer, step in zip(merged[-1][1], steps)):
            size *= merged.pop()[0]
        if size != 1:
            merged.append((size, steps))
    largest = max(merged, key=lambda each: each[0], default=(1, [0 for _ in strides]))
    others = [each for each in merged if each is not largest]
    return [size for size, _ in others], [[steps[i] for _, steps in others] for i in range(len(strides))], *largest


class ProductLayout(NamedTuple):
    """A batch of column-major matrices."""

    type: int
    rows: int
    columns: int
    leading: int
    batch: int
    stride: int


@dataclass(frozen=True)
class ProductDescription:
    """A product as cuBLASLt gets it. cuBLASLt is column-major, so it computes Cᵀ = Bᵀ·Aᵀ.

    Attributes:
        compute, scale: the types of the computation and of the factors.
        transposed: whether B and A are.
        layouts: of B, A and C.
        alignment: of the addresses, in bytes.
        offsets: where A, B and C of each call begin, in bytes.
    """

    compute: int
    scale: int
    transposed: tuple[bool, bool]
    layouts: tuple[ProductLayout, ProductLayout, ProductLayout]
    alignment: int
    offsets: tuple[tuple[int, int, int], ...]

    @property
    def space(self) -> int:
        """The most memory that a call may use."""
        return WORKSPACE if len(self.offsets) == 1 else WORKSPACE // CALLS_AT_ONCE


def description_of(s: ProductSpec) -> ProductDescription:
    kind, number, compute, size = TYPES[s.letter, s.narrow]
    other = TYPES[s.letter, s.other or s.narrow][0]
    result = NARROW[s.result] if s.result else number
    compute = TF32 if (s.letter, s.narrow) == ("s", "") and not s.exact else compute
    a, b = CudaMatrix(*s.a), CudaMatrix(*s.b)
    leading, result_strides = s.storage
    outer, steps, count, last = merged_batch(s.batch, [a.batch, b.batch, result_strides])

    def layout(kind: int, matrix: CudaMatrix, height: int, width: int, stride: int) -> ProductLayout:
        rows, columns = (height, width) if matrix.transposed else (width, height)
        return ProductLayout(kind, rows, columns, max(matrix.leading, rows), count, stride)

    layouts = (
        layout(other, b, s.k, s.n, last[1]),
        layout(kind, a, s.m, s.k, last[0]),
        ProductLayout(result, s.n, s.m, leading, count, last[2]),
    )
    inside = all(t * size % 16 == 0 for each in steps for t in each)
    sizes = size, size, 2 if s.result else SIZES[s.letter]
    offsets: list[tuple[int, ...]] = [(0, 0, 0)]
    for i, iterations in enumerate(outer):
        offsets = [
            tuple(at + j * step[i] * n for at, step, n in zip(each, steps, sizes))
            for each in offsets
            for j in range(iterations)
        ]
    transposed = b.transposed, a.transposed
    alignment = 16 if inside else size
    return ProductDescription(compute, number, transposed, layouts, alignment, tuple((x, y, z) for x, y, z in offsets))


class Blas:
    """cuBLASLt, loaded. Its handle may be used by one thread at a time."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._handle = ctypes.c_void_p()
        self._call("cublasLtCreate", ctypes.byref(self._handle))
        self._plans: dict[ProductSpec, ProductPlan] = {}

    def _call(self, name: str, *arguments: Any) -> None:
        status = getattr(self._library, name)(*arguments)
        if status:
            raise RuntimeError(f"{name} of cuBLASLt failed with status {status}")

    def _new(self, name: str, *arguments: Any) -> ctypes.c_void_p:
        made = ctypes.c_void_p()
        self._call(name, ctypes.byref(made), *arguments)
        return made

    def _set(self, name: str, target: ctypes.c_void_p, attribute: int, value: Any) -> None:
        self._call(name, target, attribute, ctypes.byref(value), ctypes.c_size_t(ctypes.sizeof(value)))

    def _layout(self, kind: int, rows: int, columns: int, leading: int, count: int, stride: int) -> ctypes.c_void_p:
        sizes = ctypes.c_uint64(rows), ctypes.c_uint64(columns), ctypes.c_int64(leading)
        layout = self._new("cublasLtMatrixLayoutCreate", kind, *sizes)
        if count > 1:
            self._set("cublasLtMatrixLayoutSetAttribute", layout, 5, ctypes.c_int32(count))
            self._set("cublasLtMatrixLayoutSetAttribute", layout, 6, ctypes.c_int64(stride))
        return layout

    def plan(self, s: ProductSpec) -> ProductPlan:
        """What a product needs, made once.

        Raises:
            RuntimeError: cuBLASLt has no algorithm for it.
        """
        if s in self._plans:
            return self._plans[s]
        d = description_of(s)
        operation = self._new("cublasLtMatmulDescCreate", d.compute, d.scale)
        for attribute, transposed in zip((3, 4), d.transposed):
            self._set("cublasLtMatmulDescSetAttribute", operation, attribute, ctypes.c_int32(int(transposed)))
        if s.epilogue:
            self._set("cublasLtMatmulDescSetAttribute", operation, EPILOGUE, ctypes.c_int32(s.epilogue))
        layouts = [self._layout(*layout) for layout in d.layouts]
        preference = self._new("cublasLtMatmulPreferenceCreate")
        self._set("cublasLtMatmulPreferenceSetAttribute", preference, 1, ctypes.c_uint64(d.space))
        for attribute in (5, 6, 7, 8):  # how addresses are aligned
            value = ctypes.c_uint32(d.alignment)
            self._set("cublasLtMatmulPreferenceSetAttribute", preference, attribute, value)
        chosen, found = (ctypes.c_uint64 * 12)(), ctypes.c_int()
        arguments = self._handle, operation, *layouts, layouts[2], preference, 1, chosen, ctypes.byref(found)
        self._call("cublasLtMatmulAlgoGetHeuristic", *arguments)
        if not found.value:
            raise RuntimeError(f"cuBLASLt has no algorithm for a {s}")
        plan = self._plans[s] = ProductPlan(operation, layouts, chosen, d.space, d.offsets)
        return plan

    def calls(
        self, s: ProductSpec, addresses: Sequence[int], workspace: int, stream: int
    ) -> Iterator[Callable[[], None]]:
        """What launches a product of the matrices at these addresses: A, B, the bias, the matrix to add, and C.

        None of its calls waits for another one, but each CALLS_AT_ONCE-th has the same part of the workspace.
        """
        a, b, *more, c = addresses
        plan = self.plan(s)
        number = FACTORS.get(s.letter, ctypes.c_float)
        one, beta = (number * 2)(1, 0), (number * 2)(int(s.added), 0)
        if s.bias:
            value = ctypes.c_uint64(more[0])
            self._set("cublasLtMatmulDescSetAttribute", plan.operation, BIAS_POINTER, value)
        for i, (first, second, target) in enumerate(plan.offsets):
            result, space = ctypes.c_void_p(c + target), ctypes.c_void_p(workspace + i % CALLS_AT_ONCE * plan.space)
            added = ctypes.c_void_p(more[-1]) if s.added else result
            yield partial(
                self._call, "cublasLtMatmul", self._handle, plan.operation, one, ctypes.c_void_p(b + second),
                plan.layouts[0], ctypes.c_void_p(a + first), plan.layouts[1], beta, added, plan.layouts[2], result,
                plan.layouts[2], plan.chosen, space, ctypes.c_size_t(plan.space), ctypes.c_void_p(stream),
            )  # fmt: skip


@dataclass(frozen=True, eq=False)
class ProductPlan:
    """cuBLASLt's description of a product, and the algorithm that it chose.

    Attributes:
        space: the most memory that a call may use.
        offsets: where the operands of each call begin.
    """

    operation: ctypes.c_void_p
    layouts: list[ctypes.c_void_p]
    chosen: Any
    space: int
    offsets: Sequence[tuple[int, int, int]]
