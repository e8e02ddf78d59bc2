"""LAPACK's functions for batches of matrices: one kernel, in which each matrix has a block of threads.

A matrix is in shared memory while a block works on it, or stays in global memory if it does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isqrt
from typing import Any

from ...records import dataclass
from ...rules.procedure import Array, RoutineCall
from .kernels import MATRICES, MOST_SHARED, WARP, shared_text
from .solver import BATCHED, LISTED, SINGULAR

# The most rows and columns of a matrix that has a block in any case. Larger ones are a library's if it has one call for
# the whole batch. Where it computes one after the other, blocks take less time, up to MOST_LARGE rows or columns, if
# there are enough matrices: for singular values, one for each MOST rows; for other functions, whose blocks are limited
# by memory, as many as each is times larger than LARGE_BYTES (on an H200, 2.5 of 256 rows and 6 of 512 in float32).
MOST, MOST_LARGE = 128, 512
LARGE_BYTES = 8 * MOST**2
# Functions in which a warp has columns of its own. In these and in those for singular values, matrices may be longer in
# one direction: up to this many bytes, which a warp has in registers.
REFLECTORS, MOST_COLUMN = ("geqrf", "orgqr", "ormqr"), 8 << 10
# Bytes of another operand in shared memory, and of eigenvectors that take the library less time if there are more.
SHARED = 40 << 10
# The most columns of another operand, such as a right-hand side, that a block takes.
MOST_COLUMNS = 32
NUMBERS = {
    "float32": "float", "float64": "double", "complex64": "matrices::Complex<float>",
    "complex128": "matrices::Complex<double>", "int32": "int",
}  # fmt: skip


@dataclass(frozen=True)
class Work:
    """What a kernel does with arrays for each `item`, or for so many `together`, in `parts` blocks.

    `extra` is the size in bytes of a buffer of its own, and `shared` what it asks for of a block's memory. Its
    functions are in `files`. Another kernel, with the same buffer, may follow.
    """

    parts: int
    threads: int
    body: str
    arrays: tuple[Array, ...]
    extra: int = 0
    shared: int = 0
    together: int = 1
    files: tuple[str, ...] = (MATRICES,)
    then: Work | None = None


@dataclass
class Room:
    """Shared memory that is being handed out."""

    dtype: Any
    left: int = MOST_SHARED

    def matrix(self, rows: int, columns: int) -> str | None:
        """A view of a matrix in shared memory, whose columns begin in different banks; None if it does not fit."""
        leading = rows | 1
        size = leading * columns * self.dtype.itemsize
        if size > self.left:
            return None
        begin, self.left = MOST_SHARED - self.left, self.left - -(-size // 16) * 16
        kind = NUMBERS[self.dtype.name]
        return f"matrices::View<{kind}, 1, {leading}>{{({kind} *)(shared + {begin})}}"

    @property
    def declared(self) -> tuple[str, int]:
        return shared_text(max(16, MOST_SHARED - self.left))


def work_of(call: RoutineCall, alone: bool = False, invariant: bool = False) -> Work | None:
    """The work of a call for blocks; None if it is left to a library, and for functions that are not among these.

    `alone` says that there is none. Else eigenvalues of a batch whose matrices do not fit in shared memory take it less
    time. If the work is `invariant`, how many matrices there are does not matter.
    """
    name = {"ungqr": "orgqr", "unmqr": "ormqr", "heevd": "syevd"}.get(call.name[1:], call.name[1:])
    if name == "syevd" and not alone:
        job, _, n, a, *_ = call.arguments
        assert isinstance(a, Array) and isinstance(n, int)
        room = Room(a.dtype, SHARED)
        if not all(room.matrix(n, n) for _ in range(1 + (job == "V"))):
            return None
    return FUNCTIONS[name](call, most_rows(name, call, alone, invariant)) if name in FUNCTIONS else None


def most_rows(name: str, call: RoutineCall, alone: bool, invariant: bool) -> int:
    """The most rows and columns of a matrix that has a block."""
    m, n = call.arguments[:2]
    if not alone and name in (*LISTED, *BATCHED) and (name != "getrf" or m == n):
        return MOST
    is_long = name in REFLECTORS or name in SINGULAR
    large = max(MOST_LARGE, MOST_COLUMN // dtype_of(call).itemsize) if is_long else MOST_LARGE
    if invariant or (alone and name not in SINGULAR):
        return large
    enough = MOST * call.items if name in SINGULAR else isqrt(call.items * LARGE_BYTES // dtype_of(call).itemsize)
    return max(MOST, min(enough, large))


def is_larger(most: int, m: int, n: int) -> bool:
    return max(m, n) > most or min(m, n) > MOST_LARGE


def threads_for(n: int) -> int:
    return WARP if n <= 8 else 2 * WARP if n <= 16 else 4 * WARP if n <= 32 else 8 * WARP


def address(a: Array, item: str = "item") -> str:
    """The address of an item's numbers."""
    step = a.strides[0] if a.ndim and a.shape[0] > 1 else 0
    return f"(({NUMBERS[a.dtype.name]} *)m{a.memory} + {a.offset}ll + {item} * {step}ll)"


def view(a: Array, leading: int, transposed: bool = False, conjugated: bool = False, begin: str = "0") -> str:
    """A view of an item's columns, or of their transpose, from an element on."""
    steps = f"{leading}, 1" if transposed else f"1, {leading}"
    conjugated = conjugated and a.dtype.kind == "c"
    kind = NUMBERS[a.dtype.name]
    pointer = address(a) if begin == "0" else f"{address(a)} + {begin}"
    return f"matrices::View<{kind}, {steps}, {str(conjugated).lower()}>{{{pointer}}}"


def kernel(
    call: RoutineCall, threads: int, room: Room, arrays: Sequence[Array], lines: Sequence[str],
    extra: int = 0, parts: int = 1,
) -> Work:  # fmt: skip
    where = () if call.where is None else (call.where,)
    skipped = [f"if (!*{address(each)}) return;" for each in where]
    declaration, shared = room.declared
    return Work(parts, threads, "\n".join([declaration, *skipped, *lines]), (*arrays, *where), extra, shared)


def set_info(info: Array, value: str) -> str:
    return f"if (!threadIdx.x) *{address(info)} = {value};"


def arguments_of(call: RoutineCall) -> list[Any]:
    return list(call.arguments)


def in_place(
    call: RoutineCall, most: int, name: str, sizes: Sequence[int], arrays: Sequence[Array], given: str, info: Array,
    result: bool,
) -> Work | None:  # fmt: skip
    """A function that changes a matrix, the view `given` of the first array, in place; None if the matrix is large.

    `sizes` are those of the function, which begin with the matrix's. If it has a `result`, that becomes the info.
    """
    m, n = sizes[:2] if len(sizes) > 1 else (*sizes, *sizes)
    if is_larger(most, m, n):
        return None
    # All of them update what is left of the matrix; solves take longer with so many.
    room, threads = Room(dtype_of(call)), 16 * WARP if max(m, n) > 64 else threads_for(max(m, n))
    if name in REFLECTORS:
        threads = min(threads, WARP * max(1, n))
    staged = room.matrix(m, n)
    lines = [f"const auto given = {given};", f"const auto a = {staged or 'given'};"]
    copy = f"matrices::copy<{threads}, {m}, {n}>"
    lines += [f"{copy}(given, a);"] if staged else []
    run = f"matrices::{name}<{', '.join(map(str, (threads, *sizes)))}>({', '.join(['a', *map(address, arrays[1:])])})"
    lines += [f"const int info = {run};" if result else f"{run};"]
    lines += ["__syncthreads();", f"{copy}(a, given);"] if staged else []
    lines.append(set_info(info, "info" if result else "0"))
    return kernel(call, threads, room, [*arrays, info], lines)


def dtype_of(call: RoutineCall) -> Any:
    return next(a.dtype for a in call.arguments if isinstance(a, Array))


def potrf(call: RoutineCall, most: int) -> Work | None:
    uplo, n, a, leading, info = arguments_of(call)
    return in_place(call, most, "potrf", (n,), [a], view(a, leading, uplo == "U", uplo == "U"), info, True)


def getrf(call: RoutineCall, most: int) -> Work | None:
    m, n, a, leading, pivots, info = arguments_of(call)
    return in_place(call, most, "getrf", (m, n), [a, pivots], view(a, leading), info, True)


def geqrf(call: RoutineCall, most: int) -> Work | None:
    m, n, a, leading, taus, _, _, info = arguments_of(call)
    return in_place(call, most, "geqrf", (m, n), [a, taus], view(a, leading), info, False)


def orgqr(call: RoutineCall, most: int) -> Work | None:
    m, n, k, a, leading, taus, _, _, info = arguments_of(call)
    return in_place(call, most, "orgqr", (m, n, k), [a, taus], view(a, leading), info, False)


def beside(
    call: RoutineCall, arrays: Sequence[Array], a: str, shape: tuple[int, int], b: Callable[[str], str], rows: int,
    columns: int, scale: str, function: Callable[[int, int], str], info: Array | None,
) -> Work:  # fmt: skip
    """A function of a matrix that changes columns of another one; each block takes some of these columns."""
    room = Room(dtype_of(call))
    size = min(columns, MOST_COLUMNS, max(1, SHARED // 2 // ((rows | 1) * room.dtype.itemsize)))
    parts, threads = -(-columns // size), threads_for(max(rows, min(rows * size // 8, MOST)))
    target = room.matrix(rows, size)
    staged = room.matrix(*shape)
    scaled = f"matrices::product({scale}, given.get(i, j))" if scale else "given.get(i, j)"
    lines = [
        f"const int part = blockIdx.x % {parts};",
        f"const int count = {columns} - part * {size} < {size} ? {columns} - part * {size} : {size};",
        f"const auto matrix = {a};",
        f"const auto a = {staged or 'matrix'};",
        f"const auto given = {b(f'part * {size}ll')};",
        f"const auto b = {target};",
        f"const matrices::Groups<{threads}, {rows}> group;",
        "for (int j = group.number; j < count; j += group.count)",
        f"  for (int i = group.lane; i < {rows}; i += group.width) b.set(i, j, {scaled});",
        f"matrices::copy<{threads}, {shape[0]}, {shape[1]}>(matrix, a);" if staged else "__syncthreads();",
        f"{function(threads, size)};",
        "__syncthreads();",
        "for (int j = group.number; j < count; j += group.count)",
        f"  for (int i = group.lane; i < {rows}; i += group.width) given.set(i, j, b.get(i, j));",
    ]
    if info is not None:
        lines.append(f"if (!part) {set_info(info, '0')}")
        arrays = [*arrays, info]
    return kernel(call, threads, room, arrays, lines, parts=parts)


def trsm(call: RoutineCall, most: int) -> Work | None:
    side, uplo, transpose, diagonal, m, n, factor, a, leading, b, leading_b = arguments_of(call)
    left = side == "L"
    size, columns = (m, n) if left else (n, m)
    if size > most:
        return None
    # X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ.
    transposed = (transpose != "N") == left
    forward = (uplo == "L") != transposed
    flags = f"{str(forward).lower()}, {str(diagonal == 'U').lower()}"
    return beside(
        call, [factor, a, b], view(a, leading, transposed, transpose == "C"), (size, size),
        lambda begin: view(b, leading_b, not left, begin=f"{begin} * {leading_b}" if left else begin), size, columns,
        f"*{address(factor)}", lambda threads, most: f"matrices::trsm<{threads}, {size}, {most}, {flags}>(a, b, count)",
        None,
    )  # fmt: skip


def ormqr(call: RoutineCall, most: int) -> Work | None:
    side, transpose, m, n, k, a, leading, taus, c, leading_c, _, _, info = arguments_of(call)
    left = side == "L"
    size, columns = (m, n) if left else (n, m)
    if is_larger(most, size, k):
        return None
    # C·Q is the conjugate transpose of Qᴴ·Cᴴ.
    transposed = str((transpose != "N") == left).lower()
    run = f"{size}, {k}, {transposed}>(a, {address(taus)}, b, count)"
    return beside(
        call, [a, taus, c], view(a, leading), (size, k),
        lambda begin: view(c, leading_c, not left, not left, f"{begin} * {leading_c}" if left else begin), size,
        columns, "", lambda threads, _: f"matrices::ormqr<{threads}, {run}", info,
    )  # fmt: skip


def extra_matrix(call: RoutineCall, n: int) -> tuple[str, int]:
    """A view of an n×n matrix of each item in the temporary buffer, and the bytes of this."""
    kind = NUMBERS[dtype_of(call).name]
    pointer = f"({kind} *)extra + item * {n * n}ll"
    return f"matrices::View<{kind}, 1, {n}>{{{pointer}}}", call.items * n * n * dtype_of(call).itemsize


def syevd(call: RoutineCall, most: int) -> Work | None:
    job, uplo, n, a, leading, values, *_, info = arguments_of(call)
    if n > most:
        return None
    room, threads, vectors = Room(a.dtype), threads_for(n), job == "V"
    # The function has up to 28 bytes of shared memory for each row, so larger matrices stay where they are.
    staged = room.matrix(n, n) if n <= MOST else None
    v, extra = room.matrix(n, n) if vectors and n <= MOST else None, 0
    if vectors and v is None:
        v, extra = extra_matrix(call, n)
    lines = [
        f"const auto given = {view(a, leading, uplo == 'U', uplo == 'U')};",
        f"const auto out = {view(a, leading)};",
        f"const auto a = {staged or 'given'};",
        f"const auto v = {v or 'given'};",
        f"const int info = matrices::syevd<{threads}, {n}, {str(vectors).lower()}>"
        f"(given, a, v, out, {address(values)});",
        set_info(info, "info"),
    ]
    return kernel(call, threads, room, [a, values, info], lines, extra)


def gesdd(call: RoutineCall, most: int) -> Work | None:
    job, m, n, a, leading, values, u, leading_u, vt, leading_vt, *_, info = arguments_of(call)
    rows, least = max(m, n), min(m, n)
    count = rows if job == "A" else least
    if is_larger(most, rows, count):
        return None
    wide, vectors, room = m < n, job != "N", Room(a.dtype)
    threads = 16 * WARP if least > MOST else 8 * WARP if least > 8 else 2 * WARP
    # The function has up to 32 bytes of shared memory for each row, so larger matrices stay where they are.
    staged = room.matrix(rows, least) if rows <= MOST else None
    v, extra = room.matrix(least, least) if vectors and rows <= MOST else None, 0
    if vectors and v is None:
        v, extra = extra_matrix(call, least)
    # A wide matrix is decomposed as its conjugate transpose, whose left and right vectors are exchanged.
    left, right = view(u, leading_u), view(vt, leading_vt, True, True)
    sizes = f"{rows}, {least}, {count}, {str(vectors).lower()}"
    lines = [
        f"const auto given = {view(a, leading, wide, wide)};",
        f"const auto a = {staged or 'given'};",
        f"const auto v = {v or 'given'};",
        f"const auto u = {right if wide else left};",
        f"const auto w = {left if wide else right};",
        f"const int info = matrices::gesvd<{threads}, {sizes}>(given, a, v, u, w, {address(values)});",
        set_info(info, "info"),
    ]
    return kernel(call, threads, room, [a, values, u, vt, info], lines, extra)


def gesvd(call: RoutineCall, most: int) -> Work | None:
    job, other, *rest = call.arguments
    same = RoutineCall(call.name, call.items, (job, *rest), call.where, call.info)
    return gesdd(same, most) if job == other else None


FUNCTIONS: Mapping[str, Callable[[RoutineCall, int], Work | None]] = {
    "potrf": potrf, "getrf": getrf, "trsm": trsm, "geqrf": geqrf, "orgqr": orgqr, "ormqr": ormqr, "syevd": syevd,
    "gesdd": gesdd, "gesvd": gesvd,
}  # fmt: skip
