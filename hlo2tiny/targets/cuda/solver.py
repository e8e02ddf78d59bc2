"""LAPACK's functions on the GPU, through cuSOLVER and cuBLAS."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...records import dataclass
from .kernels import ALIGNMENT

ITEMS = {"s": 4, "d": 8, "c": 8, "z": 16}
# Values of cuBLAS's and cuSOLVER's enumerations, by the position of the flag.
UPLO = {"L": 0, "U": 1}
SIDE = {"L": 0, "R": 1}
DIAG = {"N": 0, "U": 1}
TRANSPOSE = {"N": 0, "T": 1, "C": 2}
JOB = {"N": 0, "V": 1}
SolverArray = tuple[int, int, int]


@dataclass(frozen=True)
class SolverSpec:
    """A LAPACK function for each item of a batch, in place of its buffers.

    Each argument is a number, a letter, or an array: its buffer, its offset in bytes, and the stride of its items in
    bytes. `where` holds an integer for each item, 0 for those whose info stays. `apart` asks for a call for each item.
    """

    name: str  # with the letter of its type
    items: int
    arguments: tuple[int | str | SolverArray, ...]
    where: SolverArray | None = None
    apart: bool = False

    def __str__(self) -> str:
        sizes = "x".join(str(a) for a in self.arguments if isinstance(a, int))
        return f"{self.name} {self.items} of {sizes}"

    flops = 0

    @property
    def library(self) -> str:
        return "cublas" if self.name[1:] == "trsm" else "cusolver"


# For each function but those of SINGULAR: the numbers of LAPACK's arguments that cuSOLVER takes, with the flags that
# they are, and how many of these the function that finds the size of the workspace takes. Workspace and info follow.
SolverSignature = tuple[tuple[tuple[int, Mapping[str, int] | None], ...], int]


def plain(*numbers: int) -> tuple[tuple[int, None], ...]:
    return tuple((n, None) for n in numbers)


SIGNATURES: Mapping[str, SolverSignature] = {
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


# The functions that cuSOLVER has for all items of a batch at once, and how it numbers types.
BATCHED = ("syevd", "heevd")
TYPES = {"s": 0, "d": 1, "c": 4, "z": 5}

# The functions that take a list of the addresses of all items. They are faster where matrices have at most this many
# rows per item of the batch.
LISTED = {"getrf": "cublas{}getrfBatched", "potrf": "cusolverDn{}potrfBatched", "trsm": "cublas{}trsmBatched"}
ROWS_FOR_EACH = 128

# Starts a function of control.cu on the stream, given its name and arguments.
Control = Callable[..., None]


class Solver:
    """cuSOLVER and cuBLAS, loaded. Their handles may be used by one thread at a time."""

    def __init__(self, cusolver: str, cublas: str) -> None:
        self._solver, self._blas = ctypes.CDLL(cusolver), ctypes.CDLL(cublas)
        self._handle, self._products = ctypes.c_void_p(), ctypes.c_void_p()
        self._call(self._solver, "cusolverDnCreate", ctypes.byref(self._handle))
        self._call(self._blas, "cublasCreate_v2", ctypes.byref(self._products))
        self._call(self._blas, "cublasSetPointerMode_v2", self._products, 1)  # scales are on the GPU
        self._parameters = ctypes.c_void_p()
        self._call(self._solver, "cusolverDnCreateParams", ctypes.byref(self._parameters))
        self._sizes: dict[SolverSpec, int] = {}
        self._host: dict[SolverSpec, ctypes.Array[ctypes.c_char]] = {}  # working memory of batches

    def _call(self, library: Any, name: str, *arguments: Any) -> None:
        if status := getattr(library, name)(*arguments):
            raise RuntimeError(f"{name} failed with status {status}")

    def size(self, s: SolverSpec) -> int:
        """The bytes of working memory that a function needs besides its arguments."""
        if s not in self._sizes:
            if self._takes_batch(s):
                sizes = ctypes.c_size_t(), ctypes.c_size_t()
                given = self._batch(s, [0] * len(s.arguments))
                self._call(
                    self._solver, "cusolverDnXsyevBatched_bufferSize", *given, *map(ctypes.byref, sizes),
                    ctypes.c_int64(s.items),
                )  # fmt: skip
                self._host[s] = ctypes.create_string_buffer(max(1, sizes[1].value))
                self._sizes[s] = ALIGNMENT + sizes[0].value
            elif self._takes_list(s):
                self._sizes[s] = ALIGNMENT + 2 * 8 * s.items
            else:
                self._sizes[s] = ALIGNMENT + (0 if s.library == "cublas" else self._workspace(s) * ITEMS[s.name[0]])
        return self._sizes[s]

    def _takes_batch(self, s: SolverSpec) -> bool:
        """Whether one call computes all items: they and their results are contiguous."""
        if s.name[1:] not in BATCHED or s.items == 1 or s.where is not None or s.apart:
            return False
        _, _, n, a, leading, values, *_, info = s.arguments
        assert isinstance(a, tuple) and isinstance(values, tuple) and isinstance(info, tuple)
        assert isinstance(n, int) and isinstance(leading, int)
        real = 4 if s.name[0] in "sc" else 8
        steps = ITEMS[s.name[0]] * leading * n, real * n, 4
        together = (a[2], values[2], info[2]) == steps
        return together and hasattr(self._solver, "cusolverDnXsyevBatched")

    def _takes_list(self, s: SolverSpec) -> bool:
        """Whether one call computes all items, given lists of the addresses of their matrices."""
        name, a = s.name[1:], s.arguments
        if name not in LISTED or s.items == 1 or s.where is not None or s.apart:
            return False
        if name == "trsm":  # all have one scale
            rows, fits = a[4 if a[0] == "L" else 5], steps_of(a[6:7]) == [0]
        elif name == "potrf":
            rows, fits = a[1], steps_of(a[4:]) == [4]
        else:  # of square matrices; the pivots and infos of all items follow each other
            rows, fits = a[1], a[0] == a[1] and steps_of(a[4:]) == [4 * int(a[1]), 4]  # type: ignore[arg-type]
        library = self._solver if name == "potrf" else self._blas
        has = hasattr(library, LISTED[name].format(s.name[0].upper()))
        return fits and has and int(rows) <= ROWS_FOR_EACH * s.items  # type: ignore[arg-type]

    def _run_list(self, s: SolverSpec, numbers: Sequence[Any], workspace: int, control: Control) -> None:
        """Launch a function for all items, given its arguments for the first one."""
        name, lists = s.name[1:], list[int]()
        for number in {"getrf": (2,), "potrf": (2,), "trsm": (7, 9)}[name]:
            lists.append(workspace + ALIGNMENT + 8 * s.items * len(lists))
            (step,) = steps_of(s.arguments[number : number + 1])
            values = *map(ctypes.c_uint64, (lists[-1], numbers[number])), *map(ctypes.c_longlong, (step, s.items))
            control("list_items", *values)
        first = ctypes.c_void_p(lists[0])
        given: list[Any]
        if name == "trsm":
            scale, second = ctypes.c_void_p(numbers[6]), ctypes.c_void_p(lists[1])
            given = [*triangular_flags(numbers), *numbers[4:6], scale, first, numbers[8], second, numbers[10]]
        elif name == "potrf":
            given = [UPLO[str(numbers[0])], numbers[1], first, numbers[3], ctypes.c_void_p(numbers[4])]
        else:
            given = [numbers[0], first, numbers[3], *map(ctypes.c_void_p, numbers[4:])]
        library, handle = (self._solver, self._handle) if name == "potrf" else (self._blas, self._products)
        self._call(library, LISTED[name].format(s.name[0].upper()), handle, *given, s.items)

    def _batch(self, s: SolverSpec, numbers: Sequence[Any]) -> list[Any]:
        """The first arguments of a function for all items, given the addresses of the arrays."""
        job, uplo, n, _, leading, *_ = s.arguments
        own, real = TYPES[s.name[0]], TYPES["s" if s.name[0] in "sc" else "d"]
        return [
            self._handle, self._parameters, JOB[str(job)], UPLO[str(uplo)], ctypes.c_int64(int(n)),  # type: ignore[arg-type]
            own, ctypes.c_void_p(numbers[3]), ctypes.c_int64(int(leading)), real, ctypes.c_void_p(numbers[5]), own,  # type: ignore[arg-type]
        ]  # fmt: skip

    def _workspace(self, s: SolverSpec) -> int:
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

    def run(self, s: SolverSpec, addresses: Sequence[int], workspace: int, stream: int, control: Control) -> None:
        """Launch a function for all items on buffers at these addresses."""
        self._call(self._solver, "cusolverDnSetStream", self._handle, ctypes.c_void_p(stream))
        self._call(self._blas, "cublasSetStream_v2", self._products, ctypes.c_void_p(stream))
        letter, name = s.name[0].upper(), s.name[1:]
        numbers: list[Any]

        def address(array: SolverArray, item: int) -> int:
            buffer, offset, step = array
            return addresses[buffer] + offset + item * step

        numbers = [address(a, 0) if isinstance(a, tuple) else a for a in s.arguments]
        if self._takes_batch(s):
            size = self.size(s)  # which also finds out how much memory of the host is needed
            self._call(
                self._solver, "cusolverDnXsyevBatched", *self._batch(s, numbers),
                ctypes.c_void_p(workspace + ALIGNMENT), ctypes.c_size_t(size - ALIGNMENT), self._host[s],
                ctypes.c_size_t(len(self._host[s])), ctypes.c_void_p(numbers[-1]), ctypes.c_int64(s.items),
            )  # fmt: skip
            return
        if self._takes_list(s):
            return self._run_list(s, numbers, workspace, control)
        for item in range(s.items):
            arguments = [address(a, item) if isinstance(a, tuple) else a for a in s.arguments]
            numbers = list(arguments)
            if name == "trsm":
                sizes = [ctypes.c_void_p(x) if i in (2, 3, 5) else x for i, x in enumerate(numbers[4:])]
                self._call(self._blas, f"cublas{letter}trsm_v2", self._products, *triangular_flags(arguments), *sizes)
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
                control("keep_info", *map(ctypes.c_uint64, (info, address(s.where, item), found)))


def triangular_flags(arguments: Sequence[Any]) -> list[int]:
    """The flags at the beginning of trsm's arguments."""
    return [table[str(x)] for table, x in zip((SIDE, UPLO, TRANSPOSE, DIAG), arguments)]


def steps_of(arguments: Sequence[int | str | SolverArray]) -> list[int]:
    """The strides of the items of arrays, in bytes."""
    return [a[2] for a in arguments if isinstance(a, tuple)]


def as_argument(argument: int | str | SolverArray, flags: Mapping[str, int] | None, value: Any) -> Any:
    """An argument as C takes it; an array is at the address `value`."""
    if flags is not None:
        return flags[str(argument)]
    return ctypes.c_void_p(value or 0) if isinstance(argument, tuple) else argument
