"""Attention as data: which numbers of which buffers it reads, and what happens to scores on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ..ir.sizes import typical
from ..records import dataclass

# Strides along the dimensions of Heads, then along the keys, then along the numbers of a key, a value or a result.
Strides = tuple[int, ...]
# The types of indices at which operands may begin.
INDICES = ("i32", "i64")


@dataclass(frozen=True)
class Change:
    """What happens to each score: an operation with a number, or, if there are strides, with elements of a buffer.

    "keep" leaves the scores for which the buffer's element is true and replaces the others by the number; "drop" is the
    opposite. "round" rounds to `element`, which is otherwise the type of the buffer's elements.
    """

    kind: str
    number: float = 0.0
    strides: Strides | None = None
    element: str = "f32"


@dataclass(frozen=True)
class Offset:
    """Where an operand begins in its buffer: at an index in another buffer, from 0 to `most`, times a stride.

    `operand` is 0 for queries, 1 for keys and 2 for values, or the number of a product's matrix; `index` is the index's
    type.
    """

    operand: int
    index: str
    most: int
    stride: int


@dataclass(frozen=True)
class Heads:
    """Attention for each index of some dimensions, such as batch, heads and queries: softmax(changed q·Kᵀ)·V.

    There are `keys` keys and values, of `depth` and `width` numbers. All queries along the last `shared` dimensions
    read the same keys and values. After the buffers of queries, keys and values come those of the changes, then those
    of the offsets. `begins` are the elements at which queries, keys and values begin, from where the offsets move them.

    `types` are those of queries, keys, values and results. `rounded` are the types to which the softmax rounds the
    scores less the highest one, their exponentials, the sum of these, and the weights. A softmax that is not `shifted`
    takes the exponentials of the scores themselves. How sums round depends on `usual`, the queries that usually read
    the same keys, or on `rows` if that is 0.
    """

    sizes: tuple[int, ...]
    shared: int
    keys: int
    depth: int
    width: int
    queries: Strides
    key: Strides
    values: Strides
    results: Strides
    changes: tuple[Change, ...]
    offsets: tuple[Offset, ...] = ()
    types: tuple[str, str, str, str] = ("f32", "f32", "f32", "f32")
    rounded: tuple[str, str, str, str] = ("f32", "f32", "f32", "f32")
    shifted: bool = True
    usual: int = 0
    begins: tuple[int, int, int] = (0, 0, 0)

    @property
    def rows(self) -> int:
        """How many queries read the same keys."""
        return prod(self.sizes[len(self.sizes) - self.shared :])

    @property
    def flops(self) -> int:
        return 2 * prod(self.sizes) * self.keys * (self.depth + self.width)

    def in_order(self, order: Sequence[int], shared: int) -> Heads:
        """The same with its dimensions in another order, of which the last ones read the same keys and values."""
        strides = {name: reorder(getattr(self, name), order) for name in ("queries", "key", "values", "results")}
        changes = tuple(replace(c, strides=c.strides and reorder(c.strides, order)) for c in self.changes)
        sizes = tuple(self.sizes[d] for d in order)
        return replace(self, sizes=sizes, shared=shared, changes=changes, **strides)  # type: ignore[arg-type]


def reorder(strides: Strides, order: Sequence[int]) -> Strides:
    return (*(strides[d] for d in order), *strides[len(order) :])


@dataclass(frozen=True)
class StoredGradient:
    """A gradient of attention: its strides, as those of what it belongs to, and the type of its elements."""

    strides: Strides
    element: str


@dataclass(frozen=True)
class BiasGradient:
    """The gradient of what is added to scores, along whose dimensions and the keys it has these strides.

    It is that of the scores before the change of number `before`, times `factor`, added up along dimensions without a
    stride.
    """

    strides: Strides
    element: str
    before: int
    factor: float


@dataclass(frozen=True)
class Gradients:
    """The gradients of attention's queries, keys and values, of which some may not be wanted, given that of its result.

    Those of `biases` come after them. After the buffers of the attention come those of its result, of its statistics
    and of the result's gradient, whose strides are `cotangents`. The statistics are the sums of exponentials and, if
    these are of scores less the highest one, the highest scores, as f32. `element` is the type in which products are
    multiplied. Gradients of keys and values are added up along the last `heads.shared` dimensions.
    """

    heads: Heads
    statistics: tuple[Strides, ...]
    cotangents: Strides
    element: str
    wanted: tuple[StoredGradient | None, StoredGradient | None, StoredGradient | None]
    biases: tuple[BiasGradient, ...] = ()

    @property
    def flops(self) -> int:
        h = self.heads
        q, k, v = (each is not None for each in self.wanted)
        products = (1 + q + k) * h.depth + (1 + v) * h.width
        return 2 * prod(h.sizes) * h.keys * products

    def rows_of(self, bias: BiasGradient) -> list[int]:
        """The dimensions of queries that share keys along which a bias varies, or the others, if these are more."""
        h = self.heads
        shared = range(len(h.sizes) - h.shared, len(h.sizes))
        varying, repeated = ([d for d in shared if bool(bias.strides[d]) is varies] for varies in (True, False))
        return max(varying, repeated, key=lambda dimensions: typical(prod(h.sizes[d] for d in dimensions)))

    def in_order(self, order: Sequence[int], shared: int) -> Gradients:
        """The same with the dimensions of its attention in another order."""
        return replace(
            self,
            heads=self.heads.in_order(order, shared),
            statistics=tuple(reorder(each, order) for each in self.statistics),
            cotangents=reorder(self.cotangents, order),
            wanted=tuple(w and replace(w, strides=reorder(w.strides, order)) for w in self.wanted),  # type: ignore[arg-type]
            biases=tuple(replace(b, strides=reorder(b.strides, order)) for b in self.biases),
        )
