"""Elements of a tensor at places that are known only at run time, computed for these places alone."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from tinygrad import Tensor, dtypes
from tinygrad.uop.ops import Ops, UOp

from .elements import COMPUTING, READING, Indices, sources_place
from .loops import read_elements, strides


def compute_at(x: Tensor, places: Sequence[Tensor]) -> Tensor:
    """The elements of x at some places, all of one shape.

    What is not computed element by element, such as a sum, has all its elements in memory.
    """
    zero = places[0].const_like(0)
    wanted = x.uop, tuple([place.uop for place in places])
    known, stack = dict[tuple[UOp, Indices], UOp](), [wanted]
    while stack:
        sources = sources_at(*stack[-1], zero)
        if missing := [source for source in sources if source not in known]:
            stack += missing
        else:
            node, place = stack.pop()
            known[node, place] = value_at(node, place, [known[source] for source in sources], zero)
    return Tensor(known[wanted])


def sources_at(node: UOp, place: Indices, zero: Tensor) -> list[tuple[UOp, Indices]]:
    """The elements that one of a node is computed from; none if it is a number, or in memory."""
    if counts(node):
        return []
    if node.op is READING:
        return [(node.src[0], place)]
    if node.op in COMPUTING and (node.op is not Ops.BITCAST or node.dtype.itemsize == node.src[0].dtype.itemsize):
        # What repeats along a dimension may have one element there.
        aligned = ((s, place[len(place) - len(s.shape) :]) for s in node.src)
        return [(s, tuple([zero.uop if n == 1 else i for i, n in zip(own, s.shape)])) for s, own in aligned]
    if node.op is Ops.STACK and place:
        return [(s, place[1:]) for s in node.src]
    along = [*map(Tensor, place)]
    match node.op:
        case Ops.PERMUTE | Ops.EXPAND:
            return [(node.src[0], sources_place(node, place))]
        case Ops.RESHAPE:
            sizes, source = ([int(size) for size in some] for some in (node.shape, node.src[0].shape))
            along = reshaped(along, sizes, source, zero)
        case Ops.FLIP:
            along = [size - 1 - i if flipped else i for i, size, flipped in zip(along, node.shape, node.marg)]
        case Ops.SHRINK:
            along = [i + begin for i, (begin, _) in zip(along, node.marg)]
        case Ops.PAD:
            inside = is_inside(node, along, zero)
            along = [inside.where(i - begin, 0) for i, (begin, _) in zip(along, node.marg)]
        case _:
            return []
    return [(node.src[0], tuple([i.uop for i in along]))]


def value_at(node: UOp, place: Indices, sources: Sequence[UOp], zero: Tensor) -> UOp:
    """An element of a node, given those that it is computed from."""
    along = [*map(Tensor, place)]
    if node.op is Ops.PAD:
        (value,) = map(Tensor, sources)
        return is_inside(node, along, zero).where(value, value.const_like(0)).uop
    if node.op is Ops.STACK and place:
        value, *others = map(Tensor, sources)
        for number, other in enumerate(others, 1):
            value = (along[0] == number).where(other, value)
        return value.uop
    if sources and node.op in COMPUTING | {READING}:
        return node.replace(src=(*sources, *node.src[len(sources) :]))
    if sources:
        return sources[0]
    if node.op is Ops.CONST:
        return node
    if counts(node):
        return along[0].cast(node.dtype).uop
    sizes = [int(size) for size in node.shape]
    wide = dtypes.int32 if prod(sizes) < 2**31 else dtypes.int64
    terms = [i.cast(wide) * step for i, step in zip(along, strides(sizes))]
    return read_elements(Tensor(node), sum(terms, zero.cast(wide))).uop


def counts(node: UOp) -> bool:
    """Whether a node is the numbers 0, 1, 2, …, which are a sum to tinygrad."""
    if len(node.shape) != 1 or node.dtype not in (dtypes.int32, dtypes.int64):
        return False
    return node is Tensor.arange(int(node.shape[0]), dtype=node.dtype).uop


def is_inside(padded: UOp, place: Sequence[Tensor], zero: Tensor) -> Tensor:
    """Whether elements of a padded tensor are not padding."""
    inside = zero == 0
    for i, size, (begin, _) in zip(place, padded.src[0].shape, padded.marg):
        inside = inside & (i >= begin) & (i < begin + size)
    return inside


def reshaped(place: Sequence[Tensor], sizes: Sequence[int], source: Sequence[int], zero: Tensor) -> list[Tensor]:
    """Where an element of a reshaped tensor is in the tensor before."""
    old, new = ([d for d, size in enumerate(some) if size != 1] for some in (sizes, source))
    found = [zero for _ in source]
    while old:  # dimensions that become others, from the last ones on
        flat, count, group, other = place[old[-1]], sizes[old.pop()], list[int](), 1
        while count != other:
            if count < other:
                flat, count = flat + place[old[-1]] * count, count * sizes[old.pop()]
            else:
                group.append(new.pop())
                other *= source[group[-1]]
        for d in group[:-1]:
            found[d], flat = flat % source[d], flat // source[d]
        found[group[-1]] = flat
    return found
