"""Expressions: with `loops`, all that rules know of tinygrad.

A rule computes with tensors, by their public operations. Here is what it needs beside those: what stops tinygrad from
taking floats for real numbers, calls of C functions, and a few questions about the graph behind a tensor.

tinygrad folds (a + b) - b to a, x * 0 to 0, x - x to 0, and divides by a constant by multiplying with its reciprocal.
It does not look through operations on the bits, so `exact` flips the lowest bit by one that is always 0: the number
is the same, its graph is not. A C compiler sees through it and leaves no trace of it. A constant would be folded
together with its bits, so `hidden` takes that bit from another value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tinygrad import Tensor, dtypes
from tinygrad.dtype import DType
from tinygrad.uop.ops import Ops, PatternMatcher, UOp, UPat, graph_rewrite
from tinygrad.uop.weak import pm_commit_weak

__all__ = [
    "BITS",
    "UNPLACED",
    "DType",
    "Tensor",
    "added_nodes",
    "called",
    "dtypes",
    "exact",
    "hidden",
    "is_constant",
    "is_costly",
    "is_same",
    "rounding",
    "typed_results",
    "unplaced",
    "with_loads",
]

# The integers of the same width as a float that is computed with.
BITS = {dtypes.float32: dtypes.uint32, dtypes.float64: dtypes.uint64}

# Where a graph has its buffers of numbers that come from no device: `Graph.schedule` puts them on its own one.
UNPLACED = "CPU"


def unplaced(shape: Sequence[int], dtype: DType) -> Tensor:
    """A tensor that has no numbers yet, on no device in particular."""
    return Tensor.empty(*shape, dtype=dtype, device=UNPLACED)


# ---------------------------------------------------------------- floats are not real numbers


def exact(x: Tensor) -> Tensor:
    """The same number, about which tinygrad knows nothing. The C compiler sees through it."""
    bits = x.bitcast(BITS[x.dtype])
    return (bits ^ ((bits * 2) & 1)).bitcast(x.dtype)


def hidden(constant: Tensor, other: Tensor) -> Tensor:
    """A constant that tinygrad does not know for one; it would fold `exact` of a constant."""
    bits = BITS[constant.dtype]
    return (constant.bitcast(bits) ^ ((other.bitcast(bits) * 2) & 1)).bitcast(constant.dtype)


def rounding(function: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """A binary operation on floats that rounds as written, whatever its operands and its result are used for."""

    def apply(a: Tensor, b: Tensor) -> Tensor:
        if a.uop is b.uop:
            b = exact(b)
        elif is_constant(b):
            b = hidden(b, a)
        elif is_constant(a):
            a = hidden(a, b)
        return exact(function(a, b))

    return apply


def typed_results(function: Callable[..., Iterable[Tensor]], operands: Sequence[Tensor]) -> list[Tensor]:
    """The results of a function, each constant of which has its dtype.

    tinygrad leaves Python's numbers without one. Where it folds all operands of an operation, such as 1 · 2 to that 2,
    the result has none either, and its bits are those of another type.
    """
    places = [unplaced(x.shape, x.dtype) for x in operands]
    known = {place.uop: x.uop for place, x in zip(places, operands)}
    return [Tensor(graph_rewrite(result.uop, pm_commit_weak).substitute(known)) for result in function(*places)]


# ---------------------------------------------------------------- functions of C


def called(name: str, x: Tensor, *others: Tensor) -> Tensor:
    """A call of a function of C, of float32, which `with_loads` completes.

    Its result is one of tinygrad's own, so that a kernel may end behind it as behind them.
    """
    return exact(x._apply_uop(lambda *operands: UOp(Ops.CUSTOM, dtypes.float32, operands, arg=name), *others))


def _complete_call(call: UOp) -> UOp | None:
    """A call of a function of C, as it is printed, on values and not on the memory that they are in.

    tinygrad loads what its own operations take, wherever a kernel begins, so the operands are made results of these.
    """
    if "(" in call.arg:
        return None
    places = ", ".join(f"{{{i}}}" for i in range(len(call.src)))
    return call.replace(src=tuple(map(exact, call.src)), arg=f"{call.arg}({places})")


_calls = PatternMatcher([(UPat(Ops.CUSTOM, name="call"), _complete_call)])


def with_loads(kernel: UOp) -> UOp:
    """A kernel whose calls of C functions are complete."""
    return graph_rewrite(kernel, _calls)


# ---------------------------------------------------------------- the graph behind a tensor

COSTLY = {Ops.SQRT, Ops.FDIV, Ops.RECIPROCAL, Ops.CUSTOM}
READY = {Ops.PARAM, Ops.BUFFER, Ops.CONTIGUOUS, Ops.AFTER, Ops.REDUCE}


def is_constant(x: Tensor) -> bool:
    """Whether a tensor is made of numbers alone: no buffer of any device is behind it."""
    return x.uop.device is None


def is_same(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors are one expression."""
    return a.uop is b.uop


def is_costly(x: Tensor) -> bool:
    """Whether divisions, roots or calls are left to do where a tensor is read."""
    seen, left = set(), [x.uop]
    while left:
        node = left.pop()
        if node in seen or node.op in READY:
            continue
        if node.op in COSTLY:
            return True
        seen.add(node)
        left += node.src
    return False


def added_nodes(operands: Iterable[Tensor], results: Iterable[Tensor]) -> int:
    """The number of nodes in the graph of some results that are not those of the operands."""
    seen, waiting = {x.uop for x in operands}, [x.uop for x in results]
    count = 0
    while waiting:
        if (node := waiting.pop()) not in seen:
            seen.add(node)
            waiting += node.src
            count += 1
    return count
