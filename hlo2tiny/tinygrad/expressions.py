"""Expressions. Together with `loops`, this is all that rules know about tinygrad.

Rules compute with the public operations of tensors. In addition they need a way to stop tinygrad from treating floats
as real numbers, calls of C functions, and a few questions about the graph behind a tensor.

tinygrad folds (a + b) - b to a, x * 0 to 0 and x - x to 0, and turns a division by a constant into a multiplication by
its reciprocal. It does not look through operations on bits, so `exact` masks all bits of a number: the number stays the
same, its graph does not. A C compiler sees through this and emits no code for it. With a constant, tinygrad
would fold these operations too, so `hidden` flips the lowest bit by a bit of another value that is always 0.

Compilers of shaders fold floats, too, if they see them. Where a C compiler comes next, `with_fences` takes one node
instead: a bitcast of a number to its own dtype, which tinygrad's rules would drop, and those of `rewriting` keep.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import product

from tinygrad import Tensor as Tensor
from tinygrad import dtypes as dtypes
from tinygrad.dtype import DType as DType
from tinygrad.dtype import can_lossless_cast as can_lossless_cast
from tinygrad.uop.ops import GroupOp, Ops, PatternMatcher, UOp, UPat, graph_rewrite
from tinygrad.uop.weak import pm_commit_weak

from .kernel import drop_unused
from .lowered import LoweredKernel
from .rewriting import is_fence

# For each float dtype that is computed in, the unsigned integers of the same width.
BITS = {dtypes.float32: dtypes.uint32, dtypes.float64: dtypes.uint64}

# The device of buffers in a graph that are not bound to one yet; `Graph.schedule` puts them on its own device.
UNPLACED = "CPU"


def make_unplaced(shape: Sequence[int], dtype: DType) -> Tensor:
    """A tensor without contents, not bound to a device."""
    return Tensor.empty(*shape, dtype=dtype, device=UNPLACED)


# ---------------------------------------------------------------- floats are not real numbers


def exact(x: Tensor) -> Tensor:
    """The same number, in a form that tinygrad does not simplify. A C compiler sees through it."""
    if fences.get():
        return fenced(x, x)
    return opaque(x.bitcast(BITS[x.dtype])).bitcast(x.dtype)


def opaque(bits: Tensor) -> Tensor:
    """The same unsigned integers, in a form that tinygrad does not simplify."""
    # The mask has a dtype: tinygrad folds 0 & 255 to a 0 with the dtype of 255, and a bitcast needs one.
    return bits & UOp.const(bits.dtype.max, bits.dtype)


def hidden(constant: Tensor, other: Tensor) -> Tensor:
    """A constant in a form that tinygrad does not recognise as one; it would fold `exact` of a constant."""
    if fences.get():
        return fenced(constant, other)
    bits = BITS[constant.dtype]
    return (constant.bitcast(bits) ^ ((other.bitcast(bits) * 2) & 1)).bitcast(constant.dtype)


fences = ContextVar("fences", default=False)
# What tinygrad computes itself.
LITERAL = {*GroupOp.ALU, Ops.CONST, Ops.STACK, Ops.CAST, Ops.BITCAST, Ops.RESHAPE, Ops.EXPAND, Ops.PERMUTE}


@contextmanager
def with_fences(wanted: bool) -> Iterator[None]:
    """Let `exact` and `hidden` add one node only."""
    token = fences.set(wanted)
    try:
        yield
    finally:
        fences.reset(token)


def fenced(x: Tensor, other: Tensor) -> Tensor:
    """The same number in a bitcast, unless `other` consists of written numbers."""
    if is_constant(other) and all(u.op in LITERAL for u in other.uop.toposort()):
        return x
    return x._apply_uop(lambda u: UOp(Ops.BITCAST, x.dtype, (u,), x.dtype))


def rounding(function: Callable[[Tensor, Tensor], Tensor], cancels: bool = False) -> Callable[..., Tensor]:
    """A binary operation on floats that rounds as written: it is neither folded nor combined with others.

    `cancels` says that compilers may take the result of two equal numbers for known, which it is not for 0 or ∞.
    """

    def apply(a: Tensor, b: Tensor) -> Tensor:
        first = hidden(a, b) if must_hide(a) else a
        second = hidden(b, a) if must_hide(b) or (cancels and is_same(a, b)) else b
        return exact(function(first, second))

    return apply


def must_hide(x: Tensor) -> bool:
    """Whether a constant has to be hidden. `rewriting` has no rule that folds a number with a fence."""
    return is_constant(x) and not (fences.get() and repeated_number(x) is not None)


def typed_results(function: Callable[..., Iterable[Tensor]], operands: Sequence[Tensor]) -> list[Tensor]:
    """The results of a function, with a dtype for every constant in it.

    tinygrad gives Python's numbers no dtype. If it folds an operation to such a number, as in 1 · 2 to 2, the result
    has no dtype either, and a bitcast of it takes the bits of another dtype.
    """
    placeholders = [make_unplaced(x.shape, x.dtype) for x in operands]
    operand_of = {placeholder.uop: x.uop for placeholder, x in zip(placeholders, operands)}
    results = function(*placeholders)
    return [Tensor(graph_rewrite(result.uop, pm_commit_weak).substitute(operand_of)) for result in results]


# ---------------------------------------------------------------- functions of C


def call_function(name: str, x: Tensor, *others: Tensor) -> Tensor:
    """A call of a C function of numbers of x's dtype, which `with_loads` completes.

    `exact` makes its result that of an operation of tinygrad's, so that a kernel may end after it.
    """
    return exact(x._apply_uop(lambda *operands: UOp(Ops.CUSTOM, x.dtype, operands, arg=name), *others))


def _complete_call(call: UOp) -> UOp | None:
    """A call of a C function as it is printed, with values as arguments instead of the memory that they are in.

    tinygrad inserts loads only for the operands of its own operations, so the arguments become results of those.
    """
    if "(" in call.arg:
        return None
    arguments = ", ".join(f"{{{i}}}" for i in range(len(call.src)))
    return call.replace(src=tuple(map(exact, call.src)), arg=f"{call.arg}({arguments})")


def as_written(kernel: LoweredKernel) -> LoweredKernel:
    """A kernel without loops, without what `exact` and `hidden` have added, which a C compiler does not need."""
    new: dict[UOp, UOp] = {}
    for u in kernel.uops:
        plain = u.replace(src=tuple(new.get(s, s) for s in u.src))
        is_mask = plain.op is Ops.AND and is_integer(plain.src[1], plain.dtype.max) and plain.dtype in BITS.values()
        if is_mask or is_fence(plain) or (plain.op is Ops.XOR and is_zero_bit(plain.src[1])):
            plain = plain.src[0]
        elif plain.op is Ops.BITCAST and plain.src[0].op is Ops.BITCAST and plain.src[0].src[0].dtype == plain.dtype:
            plain = plain.src[0].src[0]
        new[u] = plain
    needed = {plain for plain in new.values() if plain.dtype is dtypes.void}
    for plain in reversed(new.values()):
        if plain in needed:
            needed.update(plain.src)
    return replace(kernel, uops=[plain for plain in dict.fromkeys(new.values()) if plain in needed])


def without_zero_bits(kernel: LoweredKernel) -> LoweredKernel:
    """A kernel without the bits that hide numbers of its loops, which a compiler would have to find out are 0."""
    if not any(u.op is Ops.XOR and is_zero_bit(u.src[1]) for u in kernel.uops):
        return kernel
    new, inside = dict[UOp, UOp](), dict[UOp, tuple[UOp, ...]]()
    loops = list[UOp]()
    for u in kernel.uops:
        plain = u if new.keys().isdisjoint(u.src) else u.replace(src=tuple([new.get(s, s) for s in u.src]))
        if u.op is Ops.END:
            loops.pop()
        elif plain.op is Ops.XOR and is_zero_bit(plain.src[1]):
            plain = plain.src[0]
        elif inside.setdefault(plain, (*loops,)) != (*loops,)[: len(inside[plain])]:
            return kernel  # it would be read outside the loop that computes it
        if u.op is Ops.RANGE:
            loops.append(u)
        if plain is not u:
            new[u] = plain
    uops = drop_unused([*dict.fromkeys(new.get(u, u) for u in kernel.uops)])
    return replace(kernel, uops=uops, stored=None if kernel.stored is None else new.get(kernel.stored, kernel.stored))


def is_zero_bit(u: UOp) -> bool:
    """Whether a node is the bit of `hidden`, (x · 2) & 1."""
    if u.op is not Ops.AND or not is_integer(u.src[1], 1):
        return False
    factor = {Ops.MUL: 2, Ops.SHL: 1}.get(u.src[0].op)
    return factor is not None and is_integer(u.src[0].src[1], factor)


def is_integer(u: UOp, number: int) -> bool:
    while u.op is Ops.CAST:
        u = u.src[0]
    return bool(u.op is Ops.CONST and u.val == number)


def _load_element(read: UOp) -> UOp | None:
    """An expression of `loops.read_elements` as a kernel has it."""
    if len(read.src) < 2 or read.src[1].op is not Ops.BARRIER:
        return None
    index, memory = read.src
    return memory.src[0].index(index.load() if index.op is Ops.INDEX else index).load()


with_loads = PatternMatcher(
    [(UPat(Ops.CUSTOM, name="call"), _complete_call), (UPat(Ops.CUSTOMI, name="read"), _load_element)]
)


def call_lanes(call: UOp) -> UOp | None:
    """A call for each element of a vector: tinygrad splits vectors only for its own operations."""
    if call.shape == () or any(s.shape not in ((), call.shape) for s in call.src):
        return None
    indices = product(*(map(UOp.const, range(size)) for size in call.shape))
    parts = (tuple(s if s.shape == () else s.index(*index) for s in call.src) for index in indices)
    return UOp.stack(*(call.replace(src=part) for part in parts)).reshape(call.shape)


# ---------------------------------------------------------------- the graph behind a tensor

COSTLY = {Ops.SQRT, Ops.FDIV, Ops.RECIPROCAL, Ops.CUSTOM}
READY = {Ops.PARAM, Ops.BUFFER, Ops.CONTIGUOUS, Ops.AFTER, Ops.REDUCE}


def as_flat(uop: UOp) -> UOp:
    """The value below any reshapes; where sizes are open, the buffer that has room for all that there may be."""
    while uop.op is Ops.RESHAPE or is_used_part(uop):
        uop = uop.src[0]
    return uop


def is_used_part(uop: UOp) -> bool:
    """Whether a value is the first elements of a flat buffer, of which an open size says how many are used."""
    if uop.op is not Ops.SHRINK or isinstance(uop.shape[0], int) or len(uop.shape) > 1:
        return False
    return uop.src[0].op in (Ops.PARAM, Ops.BUFFER, Ops.AFTER)


def is_constant(x: Tensor) -> bool:
    """Whether a tensor is made of constants only, without a buffer of any device."""
    return x.uop.device is None


def repeated_number(x: Tensor) -> float | None:
    """The number that a tensor of one repeated constant consists of; None if it is another tensor."""
    node = x.uop
    while node.op in (Ops.RESHAPE, Ops.EXPAND, Ops.CAST):
        node = node.src[0]
    return float(node.val) if node.op is Ops.CONST else None


def computed_number(x: Tensor) -> float | None:
    """The number that all elements of a tensor are, which may be computed of constants, such as a bf16's bits; None of
    another tensor."""
    if not is_constant(x):
        return None
    known = dict[UOp, UOp | None]()
    for u in x.uop.toposort():
        sources = [source for s in u.src if (source := known[s]) is not None]
        if u.op is Ops.CONST:
            known[u] = u
        elif u.op in (Ops.RESHAPE, Ops.EXPAND, Ops.PERMUTE):
            known[u] = known[u.src[0]]
        else:
            is_known = u.op in GroupOp.Elementwise and len(sources) == len(u.src)
            known[u] = u.replace(src=tuple(sources)) if is_known else None
    number = known[x.uop]
    number = None if number is None else number.simplify()
    return float(number.val) if number is not None and number.op is Ops.CONST else None


def is_same(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors are the same expression."""
    return a.uop is b.uop


def calls_functions(x: Tensor) -> bool:
    """Whether reading a tensor means calling functions."""
    return is_costly(x, {Ops.CUSTOM})


def is_costly(x: Tensor, costly: Container[Ops] = COSTLY) -> bool:
    """Whether reading a tensor means computing divisions, roots or calls."""
    seen, waiting = set(), [x.uop]
    while waiting:
        node = waiting.pop()
        if node in seen or node.op in READY:
            continue
        if node.op in costly:
            return True
        seen.add(node)
        waiting += node.src
    return False


# More of them are more than a kernel does to look which element it reads.
MOST_OPERATIONS = 8


def is_long(x: Tensor) -> bool:
    """Whether reading an element of a tensor means adding up others, or many operations."""
    seen, waiting = set(), [x.uop]
    while waiting:
        node = waiting.pop()
        if node.op is Ops.REDUCE:
            return True
        if node not in seen and node.op not in READY:
            seen.add(node)
            waiting += node.src
    return sum(node.op in GroupOp.ALU for node in seen) > MOST_OPERATIONS


# What only says where the elements of memory are, and the most operations on a narrow integer that cost less than to
# read a wider one.
PLACING = {
    Ops.CAST,
    Ops.BITCAST,
    Ops.RESHAPE,
    Ops.EXPAND,
    Ops.PERMUTE,
    Ops.PAD,
    Ops.SHRINK,
    Ops.FLIP,
    Ops.CONST,
    Ops.STACK,
}
MOST_ON_NARROW = 4


def is_widened(x: Tensor) -> bool:
    """Whether a tensor has integers in memory that are narrower, and little else is to be done to read one of them."""
    seen, waiting, widens = set(), [x.uop], False
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.op in READY:
            widens |= node.dtype.itemsize < x.dtype.itemsize and node.max_numel() > 1
        elif node.op in PLACING or (node.op in GroupOp.ALU and node.dtype in dtypes.ints):
            waiting += node.src
        else:
            return False
    return widens and x.dtype in dtypes.ints and sum(node.op in GroupOp.ALU for node in seen) <= MOST_ON_NARROW


def added_nodes(operands: Iterable[Tensor], results: Iterable[Tensor]) -> int:
    """The number of nodes that the graph of some results adds to that of the operands."""
    seen, waiting = {x.uop for x in operands}, [x.uop for x in results]
    count = 0
    while waiting:
        if (node := waiting.pop()) not in seen:
            seen.add(node)
            waiting += node.src
            count += 1
    return count
