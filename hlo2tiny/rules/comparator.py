"""What a comparator compares: the keys of its order, as integers that sort by their digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod

from ..ir import Op, Region, ScalarType, TensorType, Value
from ..ir.dtypes import bit_width
from ..ops import Monoid, monoid_of
from ..ops.attributes import plain
from ..records import dataclass
from ..tinygrad.dtypes import NARROW_FLOATS, OTHER_SIGN
from ..tinygrad.expressions import Tensor, dtypes
from ..tinygrad.loops import Loops, Memory, Scalar, end, scalar_of
from .elementwise import is_float, select, total_order
from .loops import Combine, apply_body, kernel
from .registry import RULES, Body
from .storage import decode
from .values import AnyTensor, halves


@dataclass(frozen=True)
class Ranks:
    """Signed integers of this many bits in rows of int32, which compare as the keys of a sort do, or part of them."""

    numbers: Tensor
    bits: int


@dataclass(frozen=True)
class SortKey:
    """What a comparator computes from the first of two elements, and compares with the same for the second.

    Zeros are equal in the order of floats if it is not the `total` one. NaN is not ordered there, and comes last.
    """

    value: Value
    descending: bool
    total: bool

    @property
    def element(self) -> ScalarType:
        assert isinstance(self.value.type, TensorType) and isinstance(self.value.type.element, ScalarType)
        return self.value.type.element

    @property
    def bits(self) -> int:
        """Those of its ranks. A narrow float, widened to float32, ends in zeros."""
        form = NARROW_FLOATS.get(self.element.name)
        return bit_width(self.element) if form is None else 9 + max(form.mantissa, 1)


def rank(x: Tensor, bits: int, descending: bool, total: bool = True) -> Tensor:
    """The ranks of values in compute form; see `SortKey`."""
    if is_float(x):
        number = total_order(x)
        if not total:
            infinity = 0x7F800000 if x.dtype == dtypes.float32 else 0x7FF0 << 48
            last = number.dtype.min if descending else number.dtype.max
            number = ((number > infinity) | (number < ~infinity)).where(last, number.eq(-1).where(0, number))
        number = number >> 8 * x.dtype.itemsize - bits
    elif x.dtype in (dtypes.uint32, dtypes.uint64):
        signed = OTHER_SIGN[x.dtype]
        spare = 8 * x.dtype.itemsize - bits
        number = ((x << spare) ^ x.const_like(signed.max + 1)).bitcast(signed) >> spare
    else:
        number = x.cast(dtypes.int32) - 1 if x.dtype == dtypes.bool else x
    return number ^ -1 if descending else number


def ranks_of(keys: Sequence[AnyTensor], comparator: Combine) -> list[Ranks]:
    """Ranks that compare lexicographically as rows of keys do by a comparator; none if it is not understood."""
    found = list(ComparatorReader(comparator.region).read()) if isinstance(comparator, Body) else []
    if not found:
        return []
    assert isinstance(comparator, Body)
    region, types = comparator.region, [key.value.type for key in found]
    *ops, terminator = region.ops
    returned = replace(terminator, operands=tuple(key.value for key in found))
    body = replace(comparator, region=Region(region.arguments, (*ops, returned)))
    columns = list(joined([bits for key in found for bits in ([32, 32] if key.bits == 64 else [key.bits])]))
    shape, loops = tuple(keys[0].shape), Loops()

    def build(body: Combine, *buffers: Memory) -> Scalar:
        at = loops.range(prod(shape))
        rest = iter(buffers[len(columns) :])
        parts = [part for key in keys for part in 2 * [next(rest)[at].load() for _ in halves([key])]]
        wide = (
            rank(decode(x, t), key.bits, key.descending, key.total)
            for key, x, t in zip(found, apply_body(body, parts), types)
        )
        numbers = iter([part for x in wide for part in split(x)])
        stores = []
        for out, widths in zip(buffers, columns):
            joint = next(numbers)
            for bits in widths[1:]:
                joint = joint * (1 << bits) + (next(numbers) + (1 << (bits - 1)))
            stores.append(out[at].store(scalar_of(joint)))
        return end(stores, [at])

    ranked = kernel("ranks", [(shape, dtypes.int32)] * len(columns), halves(keys), build, [body])
    return [Ranks(numbers, sum(widths)) for numbers, widths in zip(ranked, columns)]


def ranks_of_integers(x: Tensor, descending: bool) -> list[Ranks]:
    """The ranks of rows of integers, from the smallest or from the largest on."""
    bits = 8 * x.dtype.itemsize
    wide = x if bits >= 32 else x.cast(dtypes.uint32 if x.dtype in dtypes.uints else dtypes.int32)
    return [Ranks(part, min(bits, 32)) for part in split(rank(wide, bits, descending))]


def split(x: Tensor) -> list[Tensor]:
    """Integers as one or two 32-bit integers, which compare lexicographically in the same way."""
    if x.dtype != dtypes.int64:
        return [x.cast(dtypes.int32)]
    return [(x >> 32).cast(dtypes.int32), ((x & 0xFFFFFFFF) - (1 << 31)).cast(dtypes.int32)]


def joined(widths: Sequence[int]) -> Iterator[list[int]]:
    """Group neighbours that have 32 bits together at most."""
    group: list[int] = []
    for bits in widths:
        if group and sum(group) + bits > 32:
            yield group
            group = []
        group.append(bits)
    if group:
        yield group


class ComparatorReader:
    """Finds out what a comparator's region compares, however that is computed from each of two elements."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self.definitions = {v: op for op in region.ops for v in op.results}

    def read(self) -> list[SortKey]:
        """The keys, the first one first; none if the region is another function."""
        return self.keys(self.region.ops[-1].operands[0])

    def keys(self, value: Value) -> list[SortKey]:
        """Those of a < b, of a < b or (a = b and …), and of a choice between … and a < b by whether a = b."""
        if (key := self.key(value, ("LT", "GT"))) is not None:
            return [key]
        op = self.definitions.get(value)
        if op is None:
            return []
        if monoid_of(op) is Monoid.ANY:
            for less, other in (op.operands, op.operands[::-1]):
                both = self.definitions.get(other)
                if both is not None and monoid_of(both) is Monoid.ALL:
                    for equal, rest in (both.operands, both.operands[::-1]):
                        if keys := self.followed(less, equal, rest, "EQ"):
                            return keys
        elif op.name in RULES and RULES[op.name].function is select:
            equal, first, second = op.operands
            return self.followed(second, equal, first, "EQ") or self.followed(first, equal, second, "NE")
        return []

    def followed(self, less: Value, equal: Value, rest: Value, direction: str) -> list[SortKey]:
        """The keys where one that is `equal` in both elements leaves the order to the `rest`."""
        first, second = self.key(less, ("LT", "GT")), self.key(equal, (direction,))
        if (
            first is None
            or second is None
            or first.total != second.total
            or not self.alike(first.value, second.value, 0)
        ):
            return []
        keys = self.keys(rest)
        return [first, *keys] if keys else []

    def key(self, value: Value, directions: Sequence[str]) -> SortKey | None:
        """The key of a comparison of scalars in one of these directions."""
        op = self.definitions.get(value)
        direction = None if op is None else op.attributes.get("comparison_direction")
        if op is None or direction is None or str(plain(direction)) not in directions:
            return None
        left, right = op.operands
        how = op.attributes.get("compare_type")
        total = how is not None and str(plain(how)) == "TOTALORDER"
        if not isinstance(left.type, TensorType) or not isinstance(left.type.element, ScalarType):
            return None
        descending = str(plain(direction)) == "GT"
        if self.alike(left, right, 1):
            return SortKey(left, descending, total)
        return SortKey(right, not descending, total) if self.alike(right, left, 1) else None

    def alike(self, a: Value, b: Value, apart: int) -> bool:
        """Whether a value is a function of the first element, and another value the same function of the second one."""
        arguments = self.region.arguments
        if a in arguments and b in arguments:
            position = arguments.index(a)
            return position % 2 == 0 and arguments.index(b) == position + apart
        x, y = self.definitions.get(a), self.definitions.get(b)
        if x is None or y is None:
            return a is b
        return same(x, y) and all(self.alike(p, q, apart) for p, q in zip(x.operands, y.operands))


def same(x: Op, y: Op) -> bool:
    """Whether two ops without regions are the same function of their operands."""
    if x.regions or y.regions or len(x.operands) != len(y.operands):
        return False
    types = [[v.type for v in op.results] for op in (x, y)]
    return x.name == y.name and x.attributes == y.attributes and types[0] == types[1]
