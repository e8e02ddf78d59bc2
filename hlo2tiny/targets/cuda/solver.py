"""LAPACK's procedures on the GPU: their calls by cuSOLVER and cuBLAS, and kernels for what they do in between."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ...rules.procedure import (
    Array,
    Assign,
    Call,
    Expression,
    Procedure,
    Run,
    arrays_of,
    exchange_pivots,
    finite,
)
from ..procedures import NUMBERS, write_element, write_value
from .kernels import ALIGNMENT, CudaKernel, launch_size

# The threads that look at one matrix.
SHARED = 256
ITEMS = {"s": 4, "d": 8, "c": 8, "z": 16}
# Values of cuBLAS's and cuSOLVER's enumerations, by the position of the flag.
UPLO = {"L": 0, "U": 1}
SIDE = {"L": 0, "R": 1}
DIAG = {"N": 0, "U": 1}
TRANSPOSE = {"N": 0, "T": 1, "C": 2}
JOB = {"N": 0, "V": 1}
Place = tuple[int, int, int]


@dataclass(frozen=True)
class Spec:
    """A LAPACK function for each item of a batch, in place of its buffers.

    Each argument is a number, a letter, or an array: its buffer, where it begins in bytes, and how many bytes its items
    are apart. `where` holds an integer for each item, 0 for those whose info stays.
    """

    name: str  # with the letter of its type
    items: int
    arguments: tuple[int | str | Place, ...]
    where: Place | None = None

    def __str__(self) -> str:
        sizes = "x".join(str(a) for a in self.arguments if isinstance(a, int))
        return f"{self.name} {self.items} of {sizes}"

    flops = 0

    @property
    def library(self) -> str:
        return "cublas" if self.name[1:] == "trsm" else "cusolver"


# For each function but those of SINGULAR: the numbers of LAPACK's arguments that cuSOLVER takes, with the flags that
# they are, and how many of these the function that finds the size of the workspace takes. Workspace and info follow.
Signature = tuple[tuple[tuple[int, Mapping[str, int] | None], ...], int]


def plain(*numbers: int) -> tuple[tuple[int, None], ...]:
    return tuple((n, None) for n in numbers)


SIGNATURES: Mapping[str, Signature] = {
    "potrf": (((0, UPLO), *plain(1, 2, 3)), 4),
    "getrf": (plain(0, 1, 2, 3), 4),
    "geqrf": (plain(0, 1, 2, 3, 4), 4),
    "orgqr": (plain(0, 1, 2, 3, 4, 5), 6),
    "ormqr": (((0, SIDE), (1, TRANSPOSE), *plain(2, 3, 4, 5, 6, 7, 8, 9)), 10),
    "syevd": (((0, JOB), (1, UPLO), *plain(2, 3, 4, 5)), 6),
    "sytrd": (((0, UPLO), *plain(1, 2, 3, 4, 5, 6)), 7),
}
SIGNATURES = {**SIGNATURES, "ungqr": SIGNATURES["orgqr"], "unmqr": SIGNATURES["ormqr"],
              "heevd": SIGNATURES["syevd"], "hetrd": SIGNATURES["sytrd"]}  # fmt: skip
# From the job on, these have m, n, and A, the values, U and Vᴴ, with leading dimensions but for the values.
SINGULAR = ("gesvd", "gesdd")


# ---------------------------------------------------------------- from a procedure


# A kernel with the buffers that it takes, or a call with all of the procedure's.
Part = CudaKernel | Spec


def parts_of(procedure: Procedure) -> list[Part] | None:
    """What a procedure does on a GPU, in order; None if a library lacks one of its calls.

    Kernels' `buffers` are numbers of the procedure's buffers: its operands, then results, then temporaries.
    """
    parts: list[Part] = []
    for statement in procedure.statements:
        match statement:
            case Assign(target, 0) if target.is_contiguous:  # of any type
                size = target.dtype.itemsize * target.size
                body = f"m{target.memory}[{target.dtype.itemsize * target.offset} + thread] = 0;"
                parts.append(kernel_of(procedure, "clear", size, body, target))
            case Assign(target, value) if is_parallel(target, value):
                parts.append(kernel_of(procedure, "assign", target.size, assignment(target, value), target, value))
            case Assign():
                return None
            case Run(function, arguments):
                parts.append(RUNS[function](procedure, *arguments))
            case Call():
                made = list(calls_of(procedure, statement))
                if not made:
                    return None
                parts += made
    return [part for part in parts if not isinstance(part, CudaKernel) or part.grid[0]]


def is_parallel(target: Array, value: Expression) -> bool:
    """Whether no element of the target is read for another one."""
    return all(
        a.memory != target.memory or (a.shape, a.strides, a.offset) == (target.shape, target.strides, target.offset)
        for a in arrays_of(value)
    )


def kernel_of(
    procedure: Procedure, name: str, turns: int, body: str, *used: Expression, block: int | None = None
) -> CudaKernel:
    """A kernel of so many threads, or of so many blocks; `thread` or `item` is its number."""
    memories = sorted({a.memory for value in used for a in arrays_of(value)})
    parameters = tuple(f"char *m{memory}" for memory in memories)
    if block is None:
        blocks, threads = launch_size(turns) if turns else (0, 1)
        head = (
            f"const long long thread = (long long)blockIdx.x * {threads} + threadIdx.x;\nif (thread >= {turns}) return;"
        )
    else:
        blocks, threads, head = turns, block, "const long long item = blockIdx.x;"
    buffers = tuple(procedure.memories[memory] for memory in memories)
    return CudaKernel(
        name, parameters, f"{head}\n{body}", "", (blocks, 1, 1), (threads, 1, 1), False, buffers, updates=True
    )  # fmt: skip


def indices_of(shape: Sequence[int], number: str) -> list[str]:
    """The index along each dimension of the element with a number."""
    return [f"({number} / {prod(shape[d + 1 :])} % {size})" for d, size in enumerate(shape)]


def assignment(target: Array, value: Expression) -> str:
    indices = indices_of(target.shape, "thread")
    return f"{write_element(target, indices)} = {write_value(value, indices)};"


def finite_kernel(procedure: Procedure, result: Array, a: Array) -> CudaKernel:
    count = prod(a.shape[1:])
    indices = ["item", *indices_of(a.shape[1:], "i")]
    halves = (a.real, a.imag) if a.dtype.kind == "c" else (a,)
    holds = " && ".join(f"isfinite({write_element(half, indices)})" for half in halves)
    body = f"""int all = 1;
for (long long i = threadIdx.x; i < {count}; i += {SHARED}) all &= {holds};
all = __syncthreads_and(all);
if (!threadIdx.x) {write_element(result, ["item"])} = all;"""
    return kernel_of(procedure, "finite", result.size, body, result, a, block=SHARED)


def exchanged_kernel(procedure: Procedure, permutation: Array, pivots: Array) -> CudaKernel:
    size, rows = permutation.shape[-1], pivots.shape[-1]
    here, there = (write_element(permutation, ["thread", index]) for index in ("row", "other"))
    body = f"""for (int row = 0; row < {size}; row++) {here} = row;
for (int row = 0; row < {rows}; row++) {{
  const long long other = {write_element(pivots, ["thread", "row"])};
  if (other < 0 || other >= {size}) continue;
  const int first = {there};
  {there} = {here};
  {here} = first;
}}"""
    return kernel_of(procedure, "exchanged", permutation.shape[0], body, permutation, pivots)


RUNS: Mapping[Callable[..., Any], Callable[..., CudaKernel]] = {
    finite: finite_kernel,
    exchange_pivots: exchanged_kernel,
}


def triangle_kernel(procedure: Procedure, call: Call) -> CudaKernel:
    """laset: numbers outside of the diagonal, and on it; all items of a batch."""
    uplo, m, n, outside, diagonal, a, leading = call.arguments
    assert isinstance(a, Array) and isinstance(outside, Array) and isinstance(diagonal, Array)
    step, height = a.strides[0] if a.shape[0] > 1 else 0, int(m)  # type: ignore[arg-type]
    turns = call.items * height * int(n)  # type: ignore[arg-type]
    condition = {"L": "row >= column", "U": "row <= column"}.get(str(uplo), "true")
    halves = [(x.real, x.imag) if x.dtype.kind == "c" else (x,) for x in (a, outside, diagonal)]
    width, number = len(halves[0]), NUMBERS[halves[0][0].dtype.name]
    writes = "\n".join(
        f"(({number} *)m{a.memory})[{target.offset} + (item * {step}LL + column * {leading}LL + row) * {width}]"
        f" = row == column ? {write_element(on, ['0'])} : {write_element(off, ['0'])};"
        for target, off, on in zip(*halves)
    )
    body = f"""const long long row = thread % {height}, column = thread / {height} % {n};
const long long item = thread / {turns // call.items};
if (!({condition})) return;
{writes}"""
    return kernel_of(procedure, "triangle", turns, body, a, outside, diagonal)


def calls_of(procedure: Procedure, call: Call) -> Iterator[Part]:
    """A call of LAPACK as calls of NVIDIA's libraries; nothing if they lack it."""
    name = call.name[1:]
    if name == "laset":
        yield triangle_kernel(procedure, call)
        return
    if name not in (*SIGNATURES, *SINGULAR, "trsm"):
        return
    if name in SINGULAR:
        m, n = call.arguments[1 if name == "gesdd" else 2 :][:2]
        if int(m) < int(n):  # type: ignore[arg-type]  # cuSOLVER decomposes no wide matrices
            return
    arguments: list[int | str | Place] = []
    for argument in call.arguments:
        if argument is None:
            return
        arguments.append(place_of(procedure, argument) if isinstance(argument, Array) else argument)
    where = None if call.where is None else place_of(procedure, call.where)
    yield Spec(call.name, call.items, tuple(arguments), where)


def place_of(procedure: Procedure, a: Array) -> Place:
    step = a.strides[0] if a.ndim and a.shape[0] > 1 else 0
    return procedure.memories[a.memory], a.offset * a.dtype.itemsize, step * a.dtype.itemsize


# ---------------------------------------------------------------- the calls

# Writes an item's info, if it was asked for: the addresses of the info, of whether, and of what was found.
KeepInfo = Callable[[int, int, int], None]


class Solver:
    """cuSOLVER and cuBLAS, loaded. Their handles may be used by one thread at a time."""

    def __init__(self, cusolver: str, cublas: str) -> None:
        self._solver, self._blas = ctypes.CDLL(cusolver), ctypes.CDLL(cublas)
        self._handle, self._products = ctypes.c_void_p(), ctypes.c_void_p()
        self._call(self._solver, "cusolverDnCreate", ctypes.byref(self._handle))
        self._call(self._blas, "cublasCreate_v2", ctypes.byref(self._products))
        self._call(self._blas, "cublasSetPointerMode_v2", self._products, 1)  # scales are on the GPU
        self._sizes: dict[Spec, int] = {}

    def _call(self, library: Any, name: str, *arguments: Any) -> None:
        if status := getattr(library, name)(*arguments):
            raise RuntimeError(f"{name} failed with status {status}")

    def size(self, s: Spec) -> int:
        """The bytes of working memory that a function needs besides its arguments."""
        if s not in self._sizes:
            self._sizes[s] = ALIGNMENT + (0 if s.library == "cublas" else self._workspace(s) * ITEMS[s.name[0]])
        return self._sizes[s]

    def _workspace(self, s: Spec) -> int:
        """The numbers in the workspace of a function of cuSOLVER."""
        numbers, letter, name = ctypes.c_int(), s.name[0].upper(), s.name[1:]
        if name in SINGULAR:
            first = 1 if name == "gesvd" else 0
            given: list[Any] = list(s.arguments[first + 1 : first + 3])
            name = "gesvd"
        else:
            order, count = SIGNATURES[name]
            given = [as_argument(s.arguments[n], flags, None) for n, flags in order[:count]]
        self._call(self._solver, f"cusolverDn{letter}{name}_bufferSize", self._handle, *given, ctypes.byref(numbers))
        return numbers.value

    def run(self, s: Spec, places: Sequence[int], workspace: int, stream: int, keep_info: KeepInfo) -> None:
        """Launch a function for all items on buffers at these addresses."""
        self._call(self._solver, "cusolverDnSetStream", self._handle, ctypes.c_void_p(stream))
        self._call(self._blas, "cublasSetStream_v2", self._products, ctypes.c_void_p(stream))
        letter, name = s.name[0].upper(), s.name[1:]

        def address(place: Place, item: int) -> int:
            buffer, offset, step = place
            return places[buffer] + offset + item * step

        for item in range(s.items):
            arguments = [address(a, item) if isinstance(a, tuple) else a for a in s.arguments]
            numbers: list[Any] = list(arguments)
            if name == "trsm":
                flags = [table[str(a)] for table, a in zip((SIDE, UPLO, TRANSPOSE, DIAG), arguments)]
                sizes = [ctypes.c_void_p(x) if i in (2, 3, 5) else x for i, x in enumerate(numbers[4:])]
                self._call(self._blas, f"cublas{letter}trsm_v2", self._products, *flags, *sizes)
                continue
            info = numbers[-1]
            found = workspace if s.where is not None else info
            space = ctypes.c_void_p(workspace + ALIGNMENT)
            count = (self.size(s) - ALIGNMENT) // ITEMS[s.name[0]]
            if name in SINGULAR:
                first = 1 if name == "gesvd" else 0
                job, m, n, a, lda, values, u, ldu, vt, ldvt = (
                    ctypes.c_void_p(x) if i in (3, 5, 6, 8) else x for i, x in enumerate(numbers[first : first + 10])
                )
                jobs = ctypes.c_byte(ord(str(job))), ctypes.c_byte(ord(str(job)))
                self._call(
                    self._solver, f"cusolverDn{letter}gesvd", self._handle, *jobs, m, n, a, lda, values, u, ldu, vt,
                    ldvt, space, count, ctypes.c_void_p(0), ctypes.c_void_p(found),
                )  # fmt: skip
            else:
                order, _ = SIGNATURES[name]
                given = [as_argument(s.arguments[n], flags, numbers[n]) for n, flags in order]
                if name == "getrf":  # its workspace comes before the pivots, and without a size
                    pivots = ctypes.c_void_p(numbers[4])
                    rest: list[Any] = [space, pivots, ctypes.c_void_p(found)]
                else:
                    rest = [space, count, ctypes.c_void_p(found)]
                self._call(self._solver, f"cusolverDn{letter}{name}", self._handle, *given, *rest)
            if s.where is not None:
                keep_info(info, address(s.where, item), found)


def as_argument(argument: int | str | Place, flags: Mapping[str, int] | None, value: Any) -> Any:
    """An argument as C takes it; an array is at the address `value`."""
    if flags is not None:
        return flags[str(argument)]
    return ctypes.c_void_p(value or 0) if isinstance(argument, tuple) else argument
