"""What a rule does with LAPACK, as data: the rule runs on arrays without contents, and each of its steps is recorded.

So a rule is written once, and its procedure is carried out by numpy or by the code of a program.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress, count
from math import ceil, prod
from operator import index
from types import EllipsisType
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np

from ..errors import Error
from ..ir import Op, QuantizedType, TensorType, Value
from ..ir.dtypes import as_tensor, numpy_dtype, static_shape, strides_of
from ..ir.sizes import NeedsSize, is_open, is_size
from ..machine.libraries import LETTERS, Workspace, expect_integer, query_sizes
from ..records import dataclass
from .registry import RULES, Types, keywords_of, rule_name

# The types of number that generated code supports.
NUMBERS = frozenset(map(np.dtype, (np.float32, np.float64, np.complex64, np.complex128, np.int32)))
# An index of an array: a slice without a step, a new dimension, or all dimensions that are not listed.
ArrayIndex: TypeAlias = slice | EllipsisType | None
# What is known about an operand: the type and shape of an array, or the value of an integer.
KnownOperand: TypeAlias = tuple[np.dtype, tuple[int, ...]] | int


@dataclass(frozen=True)
class Array:
    """Numbers in one of a procedure's memories; an element is at the offset plus its indices times the strides."""

    memory: int
    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def is_contiguous(self) -> bool:
        return self.strides == strides_of(self.shape)

    @property
    def real(self) -> Array:
        return self._half(0)

    @property
    def imag(self) -> Array:
        return self._half(1)

    def _half(self, number: int) -> Array:
        strides = tuple(2 * stride for stride in self.strides)
        return Array(self.memory, real_dtype(self), self.shape, strides, 2 * self.offset + number)

    def reshape(self, shape: Sequence[int]) -> Array:
        if not self.is_contiguous:
            raise AssertionError(f"{self} is not contiguous")
        return Array(self.memory, self.dtype, tuple(shape), strides_of(shape), self.offset)

    def swapaxes(self, a: int, b: int) -> Array:
        order = list(range(self.ndim))
        order[a], order[b] = order[b], order[a]
        return replace(self, shape=tuple(self.shape[i] for i in order), strides=tuple(self.strides[i] for i in order))

    def __getitem__(self, index: tuple[ArrayIndex, ...]) -> Array:
        others = (slice(None),) * (self.ndim - sum(isinstance(i, slice) for i in index))
        at = index.index(...) if ... in index else len(index)
        shape, strides, offset, dimensions = [], [], self.offset, zip(self.shape, self.strides)
        for i in (*index[:at], *others, *index[at + 1 :]):
            size, stride = next(dimensions) if isinstance(i, slice) else (1, 0)
            begin, end, _ = i.indices(size) if isinstance(i, slice) and i != slice(None) else (0, size, 1)
            shape.append(max(0, end - begin))
            strides.append(stride)
            offset += begin * stride
        return Array(self.memory, self.dtype, tuple(shape), tuple(strides), offset)


@dataclass(frozen=True)
class Applied:
    """A numpy function applied element by element, with broadcasting of dimensions of size 1."""

    function: Callable[..., Any]
    arguments: tuple[Expression, ...]


Expression: TypeAlias = Array | Applied | float


@dataclass(frozen=True)
class Assign:
    """Write an expression's values into an array, element by element; both may be in the same memory."""

    target: Array
    value: Expression


@dataclass(frozen=True)
class RoutineCall:
    """Call a function of LAPACK or BLAS for each item of a batch, or for those where `where` is not 0.

    An array among the arguments has an item at each index of its first axis, or is the same for all items. In the array
    `info`, the function reports failures.
    """

    name: str
    items: int
    arguments: tuple[int | str | Array | None, ...]
    where: Array | None
    info: Array | None


@dataclass(frozen=True)
class HostRun:
    """Run a Python function, which writes to some of its arguments."""

    function: Callable[..., None]
    arguments: tuple[Array, ...]


Statement: TypeAlias = Assign | RoutineCall | HostRun


@dataclass(frozen=True)
class Procedure:
    """Statements over memories. `memories` says which buffer each one is: operands come first, then results, then
    temporaries, whose sizes are in bytes.
    """

    operands: int
    results: int
    temporaries: tuple[int, ...]
    memories: tuple[int, ...]
    statements: tuple[Statement, ...]

    @property
    def calls(self) -> Iterator[RoutineCall]:
        return (statement for statement in self.statements if isinstance(statement, RoutineCall))

    def is_plain(self, others: Collection[Callable[..., None]]) -> bool:
        """Whether generated code can carry it out, which also has these other functions; numpy always can."""
        runs = (statement.function for statement in self.statements if isinstance(statement, HostRun))
        return set(runs) <= {finite, exchange_pivots, *others} and all(a.dtype in NUMBERS for a in self.arrays())

    def kept(self, number: int) -> set[int]:
        """The memories that somebody may read after a statement."""
        outlive = {m for m, buffer in enumerate(self.memories) if buffer < self.operands + self.results}
        return outlive | {a.memory for a in replace(self, statements=self.statements[number + 1 :]).arrays()}

    def arrays(self) -> Iterator[Array]:
        """All arrays that statements read or write, except for those that are set to zero."""
        for statement in self.statements:
            match statement:
                case Assign(target, 0) if target.is_contiguous:
                    pass
                case Assign(target, value):
                    yield target
                    yield from arrays_of(value)
                case RoutineCall():
                    yield from (a for a in (*statement.arguments, statement.where) if isinstance(a, Array))
                case HostRun():
                    yield from statement.arguments


def arrays_of(value: Expression) -> Iterator[Array]:
    if isinstance(value, Array):
        yield value
    elif isinstance(value, Applied):
        for argument in value.arguments:
            yield from arrays_of(argument)


def real_dtype(a: Array) -> np.dtype:
    return np.dtype(np.finfo(a.dtype).dtype)


def expect(holds: bool, message: str) -> None:
    if not holds:
        raise ValueError(message)


def stack_batches(x: Array, rank: int) -> Array:
    """Arrays of this rank as one batch, with a single batch dimension."""
    return x.reshape((prod(x.shape[:-rank]), *x.shape[-rank:]))


# ---------------------------------------------------------------- recording

# A routine's operand: flags and sizes are integers.
Operand: TypeAlias = Array | int
RANKS = ("a scalar", "a vector", "a matrix")
# Routines that have another name for complex types.
COMPLEX_NAMES = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd", "sytrd": "hetrd"}


class Record:
    """The steps of a rule so far; the rule calls these methods instead of computing."""

    def __init__(self, operands: Sequence[KnownOperand], results: int) -> None:
        self.result_count = results
        self.sizes: list[int] = []  # of the memories after those of the operands, in bytes
        self.statements: list[Statement] = []
        numbers = count()
        self.known = [x if isinstance(x, int) else Array(next(numbers), x[0], x[1], strides_of(x[1])) for x in operands]
        self.operands = next(numbers)

    def memory(self, size: int) -> int:
        self.sizes.append(size)
        return self.operands + len(self.sizes) - 1

    def procedure(self, results: Sequence[Array], wanted: Sequence[bool]) -> Procedure:
        """The recorded statements, which then write those of these arrays to the results that are wanted.

        An array that fills its memory contiguously needs no copy: the memory becomes the result's buffer.
        """
        buffers = {i: i for i in range(self.operands)}
        for i, array in compress(enumerate(results), wanted):
            size = self.sizes[array.memory - self.operands] if array.memory >= self.operands else None
            is_whole = array.is_contiguous and array.size * array.dtype.itemsize == size
            if is_whole and array.memory not in buffers:
                buffers[array.memory] = self.operands + i
            else:
                target = Array(self.memory(0), array.dtype, array.shape, strides_of(array.shape))
                buffers[target.memory] = self.operands + i
                self.assign(target, array)
        temporaries: list[int] = []
        for i, size in enumerate(self.sizes):
            if self.operands + i not in buffers:
                buffers[self.operands + i] = self.operands + self.result_count + len(temporaries)
                temporaries.append(size)
        memories = tuple(buffers[i] for i in range(len(buffers)))
        return Procedure(self.operands, self.result_count, tuple(temporaries), memories, tuple(self.statements))

    def assign(self, target: Array, value: Expression) -> None:
        if not target.size:
            return
        if target.dtype.kind == "c":
            assert not isinstance(value, Applied)
            self.assign(target.real, value.real)
            self.assign(target.imag, value.imag)
        else:
            self.statements.append(Assign(target, value))

    def empty(self, shape: Sequence[int], dtype: type | np.dtype) -> Array:
        """An array of arbitrary numbers in a new memory."""
        dtype, shape = np.dtype(dtype), tuple(shape)
        return Array(self.memory(prod(shape) * dtype.itemsize), dtype, shape, strides_of(shape))

    def fill(self, shape: Sequence[int], dtype: type | np.dtype, value: Expression) -> Array:
        result = self.empty(shape, dtype)
        self.assign(result, value)
        return result

    def copy_array(self, source: Array, dtype: type | np.dtype | None = None) -> Array:
        return self.fill(source.shape, dtype or source.dtype, source)

    def run(self, function: Callable[..., None], *arguments: Array) -> None:
        self.statements.append(HostRun(function, arguments))

    def lapack(self, name: str, items: int, *arguments: Any, where: Array | None = None) -> None:
        """Call a LAPACK function for each item of a batch, or for those for which `where` is not 0.

        Args:
            name: the function's name, in lower case without underscores.
            items: the number of items.
            arguments: integers, one-letter strings, None, `Workspace`, and arrays, which hold an item at each index of
                their first axis and are modified in place. If the last one holds 32-bit integers, it is LAPACK's info.

        Raises:
            ValueError: a size does not fit in a 32-bit integer, or the function refuses an argument.
            UnsupportedOp: LAPACK is not installed.
        """
        if not items:
            return
        # A size has to be known: only batches may be open.
        arguments = tuple(expect_integer(index(a)) if is_size(a) else a for a in arguments)
        last = arguments[-1]
        info = last if isinstance(last, Array) and last.dtype == np.int32 else None
        values: list[int | str | Array | None] = []
        sizes = query_sizes(name, arguments) if any(isinstance(a, Workspace) for a in arguments) else []
        for argument in arguments:
            if isinstance(argument, Workspace):
                size = expect_integer(max(1, ceil(sizes.pop(0))))
                values += [self.empty((1, size), argument.dtype), size]
            else:
                values.append(argument)
        self.statements.append(RoutineCall(name, items, tuple(values), where, info))

    def results(self, out: Types, *values: Array | None, workspaces_first: bool = False) -> list[Array]:
        """The values in the declared types, and zeros for None and for declared results that are workspaces.

        Values for which no result is declared are dropped.
        """
        spaces = [None] * (len(out) - len(values))
        values = (*spaces, *values) if workspaces_first else (*values, *spaces)
        return [self.result(type, value) for type, value in zip(out, values)]

    def result(self, type: TensorType, value: Array | None) -> Array:
        shape, dtype = static_shape(type), numpy_dtype(type.element)
        if value is None:
            zeros = self.empty(shape, dtype)
            if zeros.size:  # of any type, even a complex one: all bytes are 0
                self.statements.append(Assign(zeros, 0))
            return zeros
        is_narrow = value.dtype == np.float32 and dtype.itemsize < 4 and dtype.kind in "fV"
        if value.shape != shape or not (is_narrow or value.dtype == dtype):
            raise ValueError(
                f"a result has the shape {list(value.shape)} of {value.dtype}, but its declared type is {type}"
            )
        return self.copy_array(value, dtype) if is_narrow else value

    # ------------------------------------------------------------ batches of matrices

    def split_operands(
        self, operands: Sequence[Operand], *ranks: int, integers: int = 0
    ) -> tuple[list[int], list[Array]]:
        """The scalar integers, which are flags and sizes, and the arrays, with narrow floats converted to f32.

        LAPACK does not check its arguments. Here the arrays are checked to have one type and one batch; `ranks` are
        their ranks without the dimensions of the batch, and the last `integers` of them hold integers.
        """
        flags = [x for x in operands if isinstance(x, int)]
        arrays = [x for x in operands if not isinstance(x, int)]
        batches = {x.shape[: x.ndim - rank] for x, rank in zip(arrays, ranks) if x.ndim >= rank}
        expect(
            len(arrays) == len(ranks) and all(x.ndim >= rank for x, rank in zip(arrays, ranks)) and len(batches) <= 1,
            f"has arrays of shapes {', '.join(str(list(x.shape)) for x in arrays) or '(none)'}, "
            f"expected {' and '.join(RANKS[rank] for rank in ranks)}, or batches of one shape of them",
        )
        floats, others = arrays[: len(arrays) - integers], arrays[len(arrays) - integers :]
        types = {x.dtype for x in floats}
        expect(len(types) <= 1, f"has arrays of {' and '.join(sorted(map(str, types)))}, expected a single type (C1)")
        for x in others:
            expect(x.dtype == np.int32, f"has an array of {x.dtype}, expected 32-bit integers")
        return flags, [*(self.widen(x) for x in floats), *others]

    def widen(self, x: Array) -> Array:
        """Floats or complex numbers in a type that LAPACK supports."""
        if x.dtype in LETTERS:
            return x
        try:
            ml_dtypes.finfo(x.dtype)  # type: ignore[no-untyped-call]
        except ValueError:
            raise ValueError(f"has an array of {x.dtype}, but LAPACK takes floats or complex numbers") from None
        return self.copy_array(x, np.float32)

    def columns(self, a: Array) -> Array:
        """A copy of the matrices as one batch, stored column by column."""
        expect(a.ndim >= 2, f"has an operand of shape {list(a.shape)}, expected matrices")
        return self.copy_array(stack_batches(a, 2).swapaxes(-1, -2))

    def zeros(self, a: Array, *shape: int, dtype: type | np.dtype | None = None) -> Array:
        """An array of zeros for each matrix of a batch."""
        return self.fill((prod(a.shape[:-2]), *shape), dtype or a.dtype, 0)

    def infos(self, a: Array) -> Array:
        return self.zeros(a, dtype=np.int32)

    def finite_matrices(self, a: Array, info: Array) -> Array:
        """Which matrices are finite. For the others an iteration might not end; their info says that they failed."""
        result = self.empty(info.shape, np.int32)
        self.run(finite, result, stack_batches(a, 2))
        self.assign(info, apply(np.where, result, 0, -4))
        return result

    def set_nan(self, results: Sequence[Array], where: Array) -> None:
        """Set those items of a batch to NaN for which `where` is 0."""
        for x in results:
            valid = where.reshape((where.size, *[1] * (x.ndim - 1)))
            for half, number in ((x.real, np.nan), (x.imag, 0)) if x.dtype.kind == "c" else ((x, np.nan),):
                self.assign(half, apply(np.where, valid, half, number))

    def scratch(self, size: int, dtype: type | np.dtype) -> Array:
        return self.empty((1, max(1, size)), dtype)

    def call(self, name: str, a: Array, *arguments: object, where: Array | None = None) -> None:
        """Call a routine, in its variant for the type of `a`, for each matrix of a batch that is not empty."""
        name = COMPLEX_NAMES.get(name, name) if a.dtype.kind == "c" else name
        items = 0 if 0 in a.shape else prod(a.shape[:-2])
        self.lapack(LETTERS[a.dtype] + name, items, *arguments, where=where)


def record_procedure(
    function: Callable[..., Sequence[Array]],
    operands: Sequence[KnownOperand],
    keywords: Mapping[str, Any],
    wanted: Sequence[bool] | None = None,
) -> Procedure:
    """The procedure of a rule for operands of known types and shapes; for scalar integers, of known values.

    Only the `wanted` results are written, by default all.

    Raises:
        ValueError: the rule refuses them.
        UnsupportedOp: LAPACK is not installed.
    """
    record = Record(operands, len(keywords["out"]))
    results = function(record, *record.known, **keywords)
    return record.procedure(results, wanted or [True] * len(results))


def procedure_of(
    op: Op,
    number: Callable[[Value], int | None],
    used: Callable[[Value], bool],
    others: Collection[Callable[..., None]],
) -> tuple[Procedure, tuple[Value, ...]] | None:
    """The LAPACK procedure of an op, and the operands that it reads, if generated code can carry it out, else None.

    It is also None for an invalid op, which its rule refuses at run time. `number` returns the known value of a scalar,
    and `used` says whether anything reads a result. Generated code has these `others` of the rules' functions, too.
    """
    entry = RULES.get(rule_name(op))
    if entry is None or entry.procedure is None:
        return None
    types = [as_tensor(value.type) for value in (*op.operands, *op.results)]
    tensors = [t for t in types if isinstance(t, TensorType) and not isinstance(t.element, QuantizedType)]
    if len(tensors) < len(types):
        return None
    operands: list[KnownOperand] = []
    arrays = []
    for value, type in zip(op.operands, tensors):
        dtype, shape = numpy_dtype(type.element), static_shape(type)
        if shape or dtype.kind not in "iu":
            operands.append((dtype, shape))
            arrays.append(value)
        elif (known := number(value)) is None:
            return None
        else:
            operands.append(known)
    try:
        wanted = [used(value) for value in op.results]
        procedure = record_procedure(entry.procedure, operands, keywords_of(op, entry), wanted)
    except (Error, ValueError, TypeError, IndexError, KeyError):
        if any(is_open(size) for t in tensors for size in t.shape):
            raise NeedsSize("needs sizes of matrices that are known before the program runs") from None
        return None
    return (procedure, tuple(arrays)) if procedure.is_plain(others) else None


def apply(function: Callable[..., Any], *arguments: Expression) -> Applied:
    return Applied(function, arguments)


# ---------------------------------------------------------------- functions that generated code has, too


def finite(result: np.ndarray, a: np.ndarray) -> None:
    """For each matrix, whether all of its numbers are finite."""
    result[...] = np.isfinite(a).all((-2, -1))


def exchange_pivots(result: np.ndarray, pivots: np.ndarray) -> None:
    """The permutations that result from exchanging each row with its pivot, in turn; invalid pivots are skipped."""
    result[...] = np.arange(result.shape[-1], dtype=result.dtype)
    items, rows = np.arange(len(pivots)), np.arange(pivots.shape[-1])
    pivots = np.where((pivots >= 0) & (pivots < result.shape[-1]), pivots, rows)
    for i, j in enumerate(pivots.T):
        result[items, j], result[:, i] = result[:, i].copy(), result[items, j]
