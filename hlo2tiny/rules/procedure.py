"""What a rule does with LAPACK, as data: a rule is run on arrays without numbers, and each thing it does is recorded.

One rule serves whatever carries a procedure out: numpy, or the code of a program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, prod
from types import EllipsisType
from typing import Any

import numpy as np

from ..errors import Error
from ..ir import Op, QuantizedType, TensorType, Value
from ..ir.dtypes import as_tensor, numpy_dtype, static_shape
from ..libraries import Workspace, expect_integer, queried
from .registry import RULES, keywords_of, rule_name

# The types of number that code has.
NUMBERS = frozenset(map(np.dtype, (np.float32, np.float64, np.complex64, np.complex128, np.int32)))
# An index of an array: slices from and to, new dimensions, all that is between.
Index = slice | None | EllipsisType


@dataclass(frozen=True)
class Array:
    """Numbers in one of a procedure's memories, where an element's place is the offset and indices times strides."""

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
        return self._part(0)

    @property
    def imag(self) -> Array:
        return self._part(1)

    def _part(self, number: int) -> Array:
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

    def __getitem__(self, index: tuple[Index, ...]) -> Array:
        taken = sum(isinstance(i, slice) for i in index)
        every = (slice(None),) * (self.ndim - taken)
        at = index.index(...) if ... in index else len(index)
        shape, strides, offset, dimension = [], [], self.offset, 0
        for i in (*index[:at], *every, *index[at + 1 :]):
            if not isinstance(i, slice):
                shape.append(1)
                strides.append(0)
                continue
            begin, end, _ = i.indices(self.shape[dimension])
            shape.append(max(0, end - begin))
            strides.append(self.strides[dimension])
            offset += begin * self.strides[dimension]
            dimension += 1
        return Array(self.memory, self.dtype, tuple(shape), tuple(strides), offset)


@dataclass(frozen=True)
class Applied:
    """A function of numpy applied element by element, dimensions of 1 repeated."""

    function: Callable[..., Any]
    arguments: tuple[Expression, ...]


Expression = Array | Applied | float


@dataclass(frozen=True)
class Assign:
    """Write an expression's values into an array, element by element; both may be of one memory."""

    target: Array
    value: Expression


@dataclass(frozen=True)
class Call:
    """Call a function of LAPACK or BLAS for each item of a batch, or for those where `where` is not 0.

    Arrays among the arguments have an item at each index of their first axis, or are the same for all. A failed one's
    number is what `info` gets.
    """

    name: str
    items: int
    arguments: tuple[int | str | Array | None, ...]
    where: Array | None
    info: Array | None


@dataclass(frozen=True)
class Run:
    """Run a function of ours, which writes to the arrays it is given."""

    function: Callable[..., None]
    arguments: tuple[Array, ...]


Statement = Assign | Call | Run


@dataclass(frozen=True)
class Procedure:
    """Statements over memories: which buffers these are, operands, then results, then temporaries of so many bytes."""

    operands: int
    results: int
    temporaries: tuple[int, ...]
    memories: tuple[int, ...]
    statements: tuple[Statement, ...]

    @property
    def calls(self) -> Iterator[Call]:
        return (statement for statement in self.statements if isinstance(statement, Call))

    @property
    def is_plain(self) -> bool:
        """Whether code can carry it out, as well as numpy."""
        runs = (statement.function for statement in self.statements if isinstance(statement, Run))
        return set(runs) <= {finite, exchanged} and all(a.dtype in NUMBERS for a in self.arrays())

    def arrays(self) -> Iterator[Array]:
        """All arrays that statements read or write, but for those that become zero."""
        for statement in self.statements:
            match statement:
                case Assign(target, 0) if target.is_contiguous:
                    pass
                case Assign(target, value):
                    yield target
                    yield from arrays_of(value)
                case Call():
                    yield from (a for a in (*statement.arguments, statement.where) if isinstance(a, Array))
                case Run():
                    yield from statement.arguments


def arrays_of(value: Expression) -> Iterator[Array]:
    if isinstance(value, Array):
        yield value
    elif isinstance(value, Applied):
        for argument in value.arguments:
            yield from arrays_of(argument)


def strides_of(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(prod(shape[i + 1 :]) for i in range(len(shape)))


def real_dtype(a: Array) -> np.dtype:
    return np.dtype(np.finfo(a.dtype).dtype)


# ---------------------------------------------------------------- recording


class Record:
    """What a rule has done so far; a rule does what it does by its methods."""

    def __init__(self, operands: Sequence[Any], results: int) -> None:
        self.operands, self.result_count = 0, results
        self.sizes: list[int] = []  # of memories after the operands, in bytes
        self.statements: list[Statement] = []
        self.known: list[Any] = []
        for operand in operands:
            if not isinstance(operand, int):
                dtype, shape = operand
                operand = Array(self.operands, dtype, shape, strides_of(shape))
                self.operands += 1
            self.known.append(operand)

    def memory(self, size: int) -> int:
        self.sizes.append(size)
        return self.operands + len(self.sizes) - 1

    def procedure(self, found: Sequence[Array]) -> Procedure:
        """What was recorded, with what was found written to the results.

        A result that is the whole of a memory, as it lies there, is that memory.
        """
        buffers = {i: i for i in range(self.operands)}
        for i, array in enumerate(found):
            whole = array.is_contiguous and array.size * array.dtype.itemsize == self.sizes_of(array.memory)
            if whole and array.memory not in buffers:
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

    def sizes_of(self, memory: int) -> int | None:
        return self.sizes[memory - self.operands] if memory >= self.operands else None

    def assign(self, target: Array, value: Expression) -> None:
        if not target.size:
            return
        if target.dtype.kind == "c":
            self.assign(target.real, part(value, "real"))
            self.assign(target.imag, part(value, "imag"))
        else:
            self.statements.append(Assign(target, value))

    def empty(self, shape: Sequence[int], dtype: Any) -> Array:
        """An array of any numbers, in a memory of its own."""
        dtype, shape = np.dtype(dtype), tuple(shape)
        return Array(self.memory(prod(shape) * dtype.itemsize), dtype, shape, strides_of(shape))

    def filled(self, shape: Sequence[int], dtype: Any, value: Expression) -> Array:
        result = self.empty(shape, dtype)
        self.assign(result, value)
        return result

    def copied(self, source: Array, dtype: Any = None) -> Array:
        return self.filled(source.shape, dtype or source.dtype, source)

    def run(self, function: Callable[..., None], *arguments: Array) -> None:
        self.statements.append(Run(function, arguments))

    def lapack(self, name: str, items: int, *arguments: Any, where: Array | None = None) -> None:
        """Call a function for each item of a batch, or for those where `where` is not 0.

        Args:
            name: the function's, in lower case without underscores.
            items: how many there are.
            arguments: integers, one-letter strings, None, `Workspace`, and arrays, which hold an item at each index of
                their first axis. Arrays are read and written where they lie; one of 32-bit integers at the end is
                LAPACK's info.

        Raises:
            ValueError: a size is beyond a 32-bit integer, or the function refuses an argument.
            UnsupportedOp: LAPACK is not installed.
        """
        if not items:
            return
        last = arguments[-1]
        info = last if isinstance(last, Array) and last.dtype == np.int32 else None
        found: list[int | str | Array | None] = []
        sizes = queried(name, arguments) if any(isinstance(a, Workspace) for a in arguments) else []
        for argument in arguments:
            if isinstance(argument, Workspace):
                size = expect_integer(max(1, ceil(sizes.pop(0))))
                found += [self.empty((1, size), argument.dtype), size]
            else:
                found.append(expect_integer(argument) if isinstance(argument, int) else argument)
        self.statements.append(Call(name, items, tuple(found), where, info))

    def results(self, out: Sequence[Any], *found: Array | None, workspaces_first: bool = False) -> list[Array]:
        """What is found, in the declared types: zeros for nothing and for workspaces; the last may be left away."""
        spaces = [None] * (len(out) - len(found))
        values = [*spaces, *found] if workspaces_first else [*found, *spaces]
        return [self.result(type, value) for type, value in zip(out, values)]

    def result(self, type: Any, value: Array | None) -> Array:
        shape, dtype = static_shape(type), numpy_dtype(type.element)
        if value is None:
            return self.zero_bytes(shape, dtype)
        narrow = value.dtype == np.float32 and dtype.itemsize < 4 and dtype.kind in "fV"
        if value.shape != shape or not (narrow or value.dtype == dtype):
            raise ValueError(f"gives shape {list(value.shape)} of {value.dtype}, declared is {type}")
        return self.copied(value, dtype) if narrow else value

    def zero_bytes(self, shape: tuple[int, ...], dtype: np.dtype) -> Array:
        """An array of zeros: of any type, all of its bytes are zero."""
        found = self.empty(shape, dtype)
        if found.size:
            self.statements.append(Assign(found, 0))
        return found


def part(value: Expression, name: str) -> Expression:
    assert not isinstance(value, Applied)
    return getattr(value, name)  # type: ignore[no-any-return]


def recorded(
    function: Callable[..., Sequence[Array]],
    operands: Sequence[tuple[np.dtype, tuple[int, ...]] | int],
    keywords: Mapping[str, Any],
) -> Procedure:
    """What a rule does with operands of these types and shapes, or integers.

    Raises:
        ValueError: the rule refuses them.
        UnsupportedOp: LAPACK is not installed.
    """
    record = Record(operands, len(keywords["out"]))
    return record.procedure(function(record, *record.known, **keywords))


def procedure_of(op: Op, number: Callable[[Value], int | None]) -> tuple[Procedure, tuple[Value, ...]] | None:
    """What an op does with LAPACK, where code can do that, and the operands that it reads.

    None where it cannot, or where the op is wrong, which its rule says when it runs. `number` is a known value's.
    """
    found = RULES.get(rule_name(op))
    if found is None or found.procedure is None:
        return None
    types = [as_tensor(value.type) for value in (*op.operands, *op.results)]
    tensors = [t for t in types if isinstance(t, TensorType) and not isinstance(t.element, QuantizedType)]
    if len(tensors) < len(types):
        return None
    operands: list[tuple[np.dtype, tuple[int, ...]] | int] = []
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
        procedure = recorded(found.procedure, operands, keywords_of(op, found))
    except (Error, ValueError, TypeError, IndexError, KeyError):
        return None
    return (procedure, tuple(arrays)) if procedure.is_plain else None


def apply(function: Callable[..., Any], *arguments: Expression) -> Applied:
    return Applied(function, arguments)


# ---------------------------------------------------------------- functions that code has too


def finite(found: np.ndarray, a: np.ndarray) -> None:
    """For each matrix whether all of its numbers are finite."""
    found[...] = np.isfinite(a).all((-2, -1))


def exchanged(found: np.ndarray, pivots: np.ndarray) -> None:
    """The permutations that exchanges with the pivots, in turn, make; others than a row's number exchange nothing."""
    found[...] = np.arange(found.shape[-1], dtype=found.dtype)
    every = np.arange(len(pivots))
    rows = np.arange(pivots.shape[-1])
    pivots = np.where((pivots >= 0) & (pivots < found.shape[-1]), pivots, rows)
    for i, j in enumerate(pivots.T):
        found[every, j], found[:, i] = found[:, i].copy(), found[every, j]
