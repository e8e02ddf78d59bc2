"""The numbers of dots, convolutions, einsums, gathers and windows: which dimensions belong together, where windows are.

An unknown size is None, as in types, and so is what follows from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from ..errors import count_text
from ..records import dataclass
from .attributes import DialectAttr
from .module import Op
from .sizes import is_open, limits_of, relation, require
from .types import TensorType

Sizes = Sequence[int | None]
Shape = tuple[int | None, ...]

SIDES = ("lhs", "rhs")

# ---------------------------------------------------------------- dots


@dataclass(frozen=True, slots=True)
class DotNumbers:
    """The pairs of dimensions of lhs and rhs in a dot: batching ones stay, contracting ones are summed over."""

    lhs_batching: tuple[int, ...]
    rhs_batching: tuple[int, ...]
    lhs_contracting: tuple[int, ...]
    rhs_contracting: tuple[int, ...]

    @property
    def attribute(self) -> DialectAttr:
        """The attribute of an op."""
        names = (f"{side}_{kind}_dimensions" for kind in ("batching", "contracting") for side in SIDES)
        lists = (self.lhs_batching, self.rhs_batching, self.lhs_contracting, self.rhs_contracting)
        return DialectAttr("stablehlo", "dot", {name: list(dims) for name, dims in zip(names, lists)})

    def lhs_free(self, rank: int) -> tuple[int, ...]:
        """The dimensions of lhs that are not paired."""
        return tuple(d for d in range(rank) if d not in self.lhs_batching and d not in self.lhs_contracting)

    def rhs_free(self, rank: int) -> tuple[int, ...]:
        """The dimensions of rhs that are not paired."""
        return tuple(d for d in range(rank) if d not in self.rhs_batching and d not in self.rhs_contracting)

    def result_shape(self, lhs: Sizes, rhs: Sizes) -> Shape:
        """The batch, then the free dimensions of lhs, then those of rhs."""
        batch = (known(lhs[d], rhs[e]) for d, e in zip(self.lhs_batching, self.rhs_batching))
        return (*batch, *(lhs[d] for d in self.lhs_free(len(lhs))), *(rhs[d] for d in self.rhs_free(len(rhs))))


def static(sizes: Sizes) -> tuple[int, ...]:
    """Sizes that must all be known."""
    known_sizes = tuple([size for size in sizes if size is not None])
    assert len(known_sizes) == len(sizes)
    return known_sizes


def known(a: int | None, b: int | None) -> int | None:
    """A size that two dimensions share, if either is known."""
    return b if a is None else a


def decode_dot(numbers: Mapping[str, Any]) -> DotNumbers:
    """The numbers of a dot_general, or of the products in a ragged_dot; missing lists are empty."""
    lists = (numbers.get(f"{side}_{kind}_dimensions", ()) for kind in ("batching", "contracting") for side in SIDES)
    return DotNumbers(*(tuple(map(int, dims)) for dims in lists))


def decode_ragged_dot(numbers: Mapping[str, Any]) -> tuple[DotNumbers, tuple[int, ...], tuple[int, ...]]:
    """The numbers of a ragged_dot: its products, the ragged dimensions of lhs, and the group dimensions of rhs."""
    ragged, groups = (tuple(map(int, numbers[f"{name}_dimensions"])) for name in ("lhs_ragged", "rhs_group"))
    return decode_dot(numbers), ragged, groups


def matrix_dot(lhs_rank: int) -> DotNumbers:
    """The implicit numbers of a dot of vectors and matrices."""
    return DotNumbers((), (), (lhs_rank - 1,), (0,))


def dot_numbers(op: Op) -> DotNumbers:
    """The numbers of a dot or a dot_general."""
    attribute = op.attributes.get("dot_dimension_numbers")
    if isinstance(attribute, DialectAttr):
        return decode_dot(attribute.fields)
    lhs = op.operands[0].type
    assert isinstance(lhs, TensorType)
    return matrix_dot(len(lhs.shape))


# ---------------------------------------------------------------- convolutions


@dataclass(frozen=True, slots=True)
class ConvolutionNumbers:
    """The batch, feature and spatial dimensions of a convolution's operands and result."""

    input_batch: int
    input_feature: int
    input_spatial: tuple[int, ...]
    kernel_input_feature: int
    kernel_output_feature: int
    kernel_spatial: tuple[int, ...]
    output_batch: int
    output_feature: int
    output_spatial: tuple[int, ...]

    @property
    def attribute(self) -> DialectAttr:
        """The attribute of an op."""
        numbers: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            is_list = isinstance(value, tuple)
            numbers[f"{field.name}_dimension{'s' * is_list}"] = list(value) if is_list else value
        return DialectAttr("stablehlo", "conv", numbers)

    @property
    def lhs(self) -> tuple[int, ...]:
        """lhs's batch, features and spatial dimensions."""
        return (self.input_batch, self.input_feature, *self.input_spatial)

    @property
    def rhs(self) -> tuple[int, ...]:
        """rhs's output features, input features and spatial dimensions."""
        return (self.kernel_output_feature, self.kernel_input_feature, *self.kernel_spatial)

    @property
    def result(self) -> tuple[int, ...]:
        """The result's batch, features and spatial dimensions."""
        return (self.output_batch, self.output_feature, *self.output_spatial)

    def result_shape(self, batch: int | None, features: int | None, spatial: Sizes) -> Shape:
        """The result's sizes in the order of its dimensions."""
        sizes = dict(zip(self.result, (batch, features, *spatial), strict=True))
        return tuple(sizes[d] for d in range(len(sizes)))


def decode_convolution(numbers: Mapping[str, Any]) -> ConvolutionNumbers:
    """The numbers of a convolution, which are all required."""
    decoded: dict[str, Any] = {}
    for field in fields(ConvolutionNumbers):
        if field.name.endswith("spatial"):
            decoded[field.name] = tuple(map(int, numbers[f"{field.name}_dimensions"]))
        else:
            decoded[field.name] = int(numbers[f"{field.name}_dimension"])
    return ConvolutionNumbers(**decoded)


# ---------------------------------------------------------------- gather and scatter

GATHER_FIELDS = ("offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
                 "start_index_map", "index_vector_dim")  # fmt: skip
SCATTER_FIELDS = ("update_window_dims", "inserted_window_dims", "input_batching_dims", "scatter_indices_batching_dims",
                  "scatter_dims_to_operand_dims", "index_vector_dim")  # fmt: skip


@dataclass(frozen=True, slots=True)
class IndexNumbers:
    """How the dimensions of an operand, its windows and the indices correspond in a gather or a scatter.

    The names are a gather's; a scatter has those of the gather that reads where it writes.
    """

    offset: tuple[int, ...]
    collapsed: tuple[int, ...]
    operand_batching: tuple[int, ...]
    indices_batching: tuple[int, ...]
    index_map: tuple[int, ...]
    index_vector: int

    def window(self, rank: int) -> tuple[int, ...]:
        """The dimensions of an operand of a rank that correspond to `offset` in the result or the updates."""
        return tuple(d for d in range(rank) if d not in self.collapsed and d not in self.operand_batching)

    def batch_shape(self, indices: Sizes) -> Shape:
        """The shape of the indices without the index vector's dimension."""
        return (*indices[: self.index_vector], *indices[self.index_vector + 1 :])

    def result_shape(self, indices: Sizes, window: Sizes) -> Shape:
        """The shape of the result or the updates, for a window's shape without collapsed and batching dimensions."""
        sizes, rest = dict(zip(self.offset, window)), iter(self.batch_shape(indices))
        rank = len(window) + len(self.batch_shape(indices))
        return tuple(sizes[d] if d in sizes else next(rest) for d in range(rank))

    @property
    def gather_attribute(self) -> DialectAttr:
        """The attribute of a gather."""
        return DialectAttr("stablehlo", "gather", self._name_lists(GATHER_FIELDS))

    @property
    def scatter_attribute(self) -> DialectAttr:
        """The attribute of a scatter."""
        return DialectAttr("stablehlo", "scatter", self._name_lists(SCATTER_FIELDS))

    def _name_lists(self, names: Sequence[str]) -> dict[str, Any]:
        lists = (self.offset, self.collapsed, self.operand_batching, self.indices_batching, self.index_map)
        return dict(zip(names, (*map(list, lists), self.index_vector)))


def selection_numbers(rank: int, index_rank: int, dimension: int, batch: int) -> IndexNumbers:
    """The numbers of a gather that selects positions along a dimension of an operand by a tensor of indices.

    Its result has the indices' dimensions in place of that one; the first `batch` dimensions are those of both.
    """
    selected, shared = index_rank - batch, tuple(range(batch))
    offset = (*range(batch, dimension), *range(dimension + selected, rank - 1 + selected))
    return IndexNumbers(offset, (dimension,), shared, shared, (dimension,), index_rank)


def decode_gather(numbers: Mapping[str, Any], names: Sequence[str] = GATHER_FIELDS) -> IndexNumbers:
    """The numbers of a gather; missing lists are empty."""
    offset, collapsed, batching, indices_batching, index_map = (tuple(map(int, numbers.get(n, ()))) for n in names[:5])
    vector = int(numbers.get(names[5], 0))
    return IndexNumbers(offset, collapsed, batching, indices_batching, index_map, vector)


def decode_scatter(numbers: Mapping[str, Any]) -> IndexNumbers:
    """The numbers of a scatter; missing lists are empty."""
    return decode_gather(numbers, SCATTER_FIELDS)


# ---------------------------------------------------------------- windows


@dataclass(frozen=True, slots=True)
class WindowNumbers:
    """How windows of these sizes lie on a tensor, the base, after its dilation and padding; one entry per dimension.

    A convolution has entries for its spatial dimensions; its kernel has the sizes, and lhs is its base.
    """

    sizes: Shape
    strides: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]
    base_dilations: tuple[int, ...]
    window_dilations: tuple[int, ...]
    reversal: tuple[bool, ...]

    @property
    def low(self) -> tuple[int, ...]:
        """The padding before each dimension."""
        return tuple(low for low, _ in self.padding)

    @property
    def high(self) -> tuple[int, ...]:
        """The padding after each dimension."""
        return tuple(high for _, high in self.padding)

    @property
    def interior(self) -> list[int]:
        """The number of padding elements between neighbours, in each dimension."""
        return [dilation - 1 for dilation in self.base_dilations]

    def transpose(self, shape: Sequence[int], counts: Sequence[int]) -> WindowNumbers:
        """The windows of the transposed op, which gradients use: one for each element of a tensor of this shape.

        It covers the results that depend on the element, in reverse order. `counts` is the shape of the results.
        """
        padding = []
        for d, (size, window, count) in enumerate(zip(shape, self.sizes, counts, strict=True)):
            assert window is not None
            reach = dilate(window, self.window_dilations[d])
            low = reach - 1 - self.padding[d][0]
            high = dilate(size, self.base_dilations[d]) + reach - 1 - dilate(count, self.strides[d]) - low
            padding.append((low, high))
        strides, base = self.base_dilations, self.strides
        return WindowNumbers(self.sizes, strides, tuple(padding), base, self.window_dilations, self.reversal)

    def exchange(self, shape: Sequence[int], counts: Sequence[int]) -> WindowNumbers:
        """The same windows with positions and elements exchanged, over which a kernel's gradient sums."""
        padding = []
        for d, (size, window, count) in enumerate(zip(shape, self.sizes, counts, strict=True)):
            assert window is not None
            low = self.padding[d][0]
            reach = dilate(window, self.window_dilations[d]) - 1 + dilate(count, self.strides[d])
            padding.append((low, reach - dilate(size, self.base_dilations[d]) - low))
        strides = self.window_dilations
        return WindowNumbers(tuple(counts), strides, tuple(padding), self.base_dilations, self.strides, self.reversal)

    def counts(self, shape: Sizes) -> Shape:
        """The number of windows along each dimension of a tensor of this shape."""
        counts: list[int | None] = []
        for d, (size, window) in enumerate(zip(shape, self.sizes, strict=True)):
            if size is None or window is None:
                counts.append(None)
                continue
            if (window, self.strides[d], self.base_dilations[d], self.padding[d]) == (1, 1, 1, (0, 0)):
                counts.append(size)  # which may be open
                continue
            padded = dilate(size, self.base_dilations[d]) + sum(self.padding[d])
            reach = dilate(window, self.window_dilations[d])
            if is_open(padded - reach) and limits_of((padded - reach) // self.strides[d])[0] < -1:
                require(relation(padded, ">=", reach), f"sizes are too small for windows of {reach}")
            count = (padded - reach) // self.strides[d] + 1
            counts.append(0 if count < 0 or padded <= 0 else count)
        return tuple(counts)


def dilate(size: int, dilation: int) -> int:
    """The size of a dimension after its elements are spread `dilation` apart."""
    return (size - 1) * dilation + 1 if size else 0


def plain_sizes(sizes: Iterable[int]) -> list[int]:
    """Those that are known as Python has them."""
    return [int(size) if isinstance(size, np.integer) else size for size in sizes]


def decode_window(
    sizes: Sizes,
    strides: Sequence[int] | None = None,
    padding: Iterable[Iterable[int]] | None = None,
    base_dilations: Sequence[int] | None = None,
    window_dilations: Sequence[int] | None = None,
    reversal: Sequence[bool] | None = None,
) -> WindowNumbers:
    """The numbers of windows; missing or empty lists have no effect. `padding` has pairs, or rows of an array."""
    ones = (1,) * len(sizes)
    pairs = () if padding is None else tuple((low, high) for low, high in map(plain_sizes, padding))
    strides, base, window = (tuple(map(int, dims or ones)) for dims in (strides, base_dilations, window_dilations))
    reversed = tuple(map(bool, reversal or (False,) * len(sizes)))
    return WindowNumbers(tuple(sizes), strides, pairs or ((0, 0),) * len(sizes), base, window, reversed)


def convolution_window(attributes: Mapping[str, Any], kernel: Sizes) -> WindowNumbers:
    """The windows of a convolution with these attributes, as Python values, and a kernel of this shape."""
    spatial = decode_convolution(attributes["dimension_numbers"]).kernel_spatial
    names = ("window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal")
    return decode_window([kernel[d] for d in spatial], *map(attributes.get, names))


def reduction_window(attributes: Mapping[str, Any], rank: int) -> WindowNumbers:
    """The windows of a reduce_window or a select_and_scatter with these attributes, as Python values."""
    names = ("window_strides", "padding", "base_dilations", "window_dilations")
    return decode_window(attributes.get("window_dimensions") or (1,) * rank, *map(attributes.get, names))


# ---------------------------------------------------------------- einsums


def einsum_terms(config: str, ranks: Sequence[int]) -> tuple[list[list[str]], list[str]]:
    """The labels of the operands' dimensions and of the result's; the dimensions of "..." are named 0, 1, …

    Without ->, the result has the labels that occur once, in alphabetical order, after those of "...".

    Raises:
        ValueError: the formula does not fit operands of these ranks.
    """
    inputs, arrow, output = config.replace(" ", "").partition("->")
    texts = inputs.split(",")
    if len(texts) != len(ranks):
        raise ValueError(f"has the formula {config!r}, expected {count_text(len(ranks), 'term')}")
    if not arrow:
        letters = inputs.replace(",", "").replace("...", "")
        output = "..." * ("..." in inputs) + "".join(c for c in sorted(letters) if letters.count(c) == 1)
    hidden = max(0, *(rank - len(t.replace("...", "")) for t, rank in zip(texts, ranks) if "..." in t), 0)
    terms = [labels_of(text, rank, hidden) for text, rank in zip(texts, ranks)]
    result = labels_of(output, len(output.replace("...", "")) + hidden * ("..." in output), hidden)
    if len(set(result)) != len(result) or not set(result) <= {label for term in terms for label in term}:
        raise ValueError(f"has the formula {config!r}, whose result repeats a label or has one that no operand has")
    return terms, result


def labels_of(text: str, rank: int, hidden: int) -> list[str]:
    before, dots, after = text.partition("...")
    count = rank - len(before) - len(after)
    if any(not c.isalpha() for c in before + after) or count < 0 or (count and not dots):
        raise ValueError(f"has the term {text!r} for an operand of rank {rank}")
    return [*before, *(str(i) for i in range(hidden - count, hidden)), *after]


def einsum_shape(terms: Sequence[Sequence[str]], result: Sequence[str], shapes: Sequence[Sizes]) -> Shape:
    """The shape of an einsum's result; dimensions of size 1 are broadcast to those of the other term.

    Raises:
        ValueError: a label stands for dimensions of different sizes.
    """
    sizes: dict[str, int | None] = {}
    for term, shape in zip(terms, shapes, strict=True):
        own: dict[str, int | None] = {}
        for label, size in zip(term, shape, strict=True):
            own[label] = joined_size(label, own.get(label), size)
        for label, size in own.items():
            before = sizes.get(label, 1)
            sizes[label] = size if before == 1 else before if size == 1 else joined_size(label, before, size)
    return tuple(sizes[label] for label in result)


def joined_size(label: str, before: int | None, size: int | None) -> int | None:
    if None not in (before, size) and before != size:
        raise ValueError(f"has the label {label!r} for dimensions of {before} and {size}")
    return size if before is None else before
