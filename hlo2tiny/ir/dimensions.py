"""Which dimensions products pair and where windows lie: the numbers of dots, convolutions, einsums and windows.

A size that is not known is None, here as in types; what follows from it is None too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Sizes = Sequence[int | None]
Shape = tuple[int | None, ...]

# ---------------------------------------------------------------- dots


@dataclass(frozen=True, slots=True)
class DotDimensions:
    """The dimensions that a dot pairs, lhs's with rhs's: batching ones stay, contracting ones are summed over."""

    lhs_batching: tuple[int, ...]
    rhs_batching: tuple[int, ...]
    lhs_contracting: tuple[int, ...]
    rhs_contracting: tuple[int, ...]

    def lhs_free(self, rank: int) -> tuple[int, ...]:
        """The dimensions of lhs that have no partner."""
        return tuple(d for d in range(rank) if d not in self.lhs_batching and d not in self.lhs_contracting)

    def rhs_free(self, rank: int) -> tuple[int, ...]:
        """The dimensions of rhs that have no partner."""
        return tuple(d for d in range(rank) if d not in self.rhs_batching and d not in self.rhs_contracting)

    def result_shape(self, lhs: Sizes, rhs: Sizes) -> Shape:
        """The batch, then what lhs has alone, then what rhs has alone."""
        batch = (known(lhs[d], rhs[e]) for d, e in zip(self.lhs_batching, self.rhs_batching))
        return (*batch, *(lhs[d] for d in self.lhs_free(len(lhs))), *(rhs[d] for d in self.rhs_free(len(rhs))))


def known(a: int | None, b: int | None) -> int | None:
    """What is known of a size that two dimensions share."""
    return b if a is None else a


def decode_dot(numbers: Mapping[str, Any]) -> DotDimensions:
    """The numbers of a dot_general or a ragged_dot; lists that are left out are empty."""
    lists = (numbers.get(f"{side}_{kind}_dimensions", ()) for kind in ("batching", "contracting") for side in SIDES)
    return DotDimensions(*map(tuple, lists))


SIDES = ("lhs", "rhs")


def matrix_dot(lhs_rank: int) -> DotDimensions:
    """The numbers that a dot of vectors and matrices has without saying so."""
    return DotDimensions((), (), (lhs_rank - 1,), (0,))


# ---------------------------------------------------------------- convolutions


@dataclass(frozen=True, slots=True)
class ConvolutionDimensions:
    """Where operands and result of a convolution have their batch, their features and their spatial dimensions."""

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
        """The result's sizes, each where it belongs."""
        sizes = dict(zip(self.result, (batch, features, *spatial), strict=True))
        return tuple(sizes[d] for d in range(len(sizes)))


def decode_convolution(numbers: Mapping[str, Any]) -> ConvolutionDimensions:
    """The numbers of a convolution; each has to be there."""
    n = numbers
    return ConvolutionDimensions(
        n["input_batch_dimension"],
        n["input_feature_dimension"],
        tuple(n["input_spatial_dimensions"]),
        n["kernel_input_feature_dimension"],
        n["kernel_output_feature_dimension"],
        tuple(n["kernel_spatial_dimensions"]),
        n["output_batch_dimension"],
        n["output_feature_dimension"],
        tuple(n["output_spatial_dimensions"]),
    )


# ---------------------------------------------------------------- windows


@dataclass(frozen=True, slots=True)
class Window:
    """How windows of these sizes lie on a tensor that is dilated and padded first; an entry for each dimension."""

    sizes: Shape
    strides: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]
    base_dilations: tuple[int, ...]
    window_dilations: tuple[int, ...]

    def counts(self, shape: Sizes) -> Shape:
        """How many windows there are along each dimension of a tensor of this shape."""
        found: list[int | None] = []
        for d, (size, window) in enumerate(zip(shape, self.sizes, strict=True)):
            if size is None or window is None:
                found.append(None)
                continue
            padded = dilated(size, self.base_dilations[d]) + sum(self.padding[d])
            reach = dilated(window, self.window_dilations[d])
            empty = padded <= 0 or reach > padded
            found.append(0 if empty else (padded - reach) // self.strides[d] + 1)
        return tuple(found)


def dilated(size: int, dilation: int) -> int:
    """A size once its elements stand `dilation` apart."""
    return (size - 1) * dilation + 1 if size else 0


def decode_window(
    sizes: Sizes,
    strides: Sequence[int] | None = None,
    padding: Any = None,
    base_dilations: Sequence[int] | None = None,
    window_dilations: Sequence[int] | None = None,
) -> Window:
    """The numbers of windows; lists that are left out, or empty, change nothing.

    Args:
        padding: pairs, also as the rows of an array.
    """
    ones = (1,) * len(sizes)
    pairs = () if padding is None else tuple((int(low), int(high)) for low, high in padding)
    lists = (tuple(map(int, found)) if found else ones for found in (base_dilations, window_dilations))
    return Window(tuple(sizes), tuple(strides or ones), pairs or ((0, 0),) * len(sizes), *lists)


# ---------------------------------------------------------------- einsums


def einsum_terms(config: str, ranks: Sequence[int]) -> tuple[list[list[str]], list[str]]:
    """The labels of the operands' dimensions and of the result's; those that "..." stands for are named 0, 1, …

    Raises:
        ValueError: the formula is not one for operands of these ranks.
    """
    left, arrow, right = config.replace(" ", "").partition("->")
    texts = left.split(",")
    if not arrow or len(texts) != len(ranks):
        raise ValueError(f"has the formula {config!r}, expected {len(ranks)} terms and ->")
    hidden = max(0, *(rank - len(t.replace("...", "")) for t, rank in zip(texts, ranks) if "..." in t), 0)
    terms = [labels_of(text, rank, hidden) for text, rank in zip(texts, ranks)]
    result = labels_of(right, len(right.replace("...", "")) + hidden * ("..." in right), hidden)
    if len(set(result)) != len(result) or not set(result) <= {label for term in terms for label in term}:
        raise ValueError(f"has the formula {config!r}, whose result repeats a label or has one of its own")
    return terms, result


def labels_of(text: str, rank: int, hidden: int) -> list[str]:
    before, dots, after = text.partition("...")
    count = rank - len(before) - len(after)
    if any(not c.isalpha() for c in before + after) or count < 0 or (count and not dots):
        raise ValueError(f"has the term {text!r} for an operand of rank {rank}")
    return [*before, *(str(i) for i in range(hidden - count, hidden)), *after]


def einsum_shape(terms: Sequence[Sequence[str]], result: Sequence[str], shapes: Sequence[Sizes]) -> Shape:
    """The shape of an einsum's result; where "..." stands for a dimension, a size of 1 is broadcast.

    Raises:
        ValueError: a label stands for dimensions of different sizes.
    """
    sizes: dict[str, int | None] = {}
    for term, shape in zip(terms, shapes, strict=True):
        for label, size in zip(term, shape, strict=True):
            before, broadcasts = sizes.get(label, 1), label.isdigit()
            if label not in sizes or (broadcasts and before == 1):
                sizes[label] = size
            elif before is None:
                sizes[label] = None if broadcasts and size == 1 else size
            elif size not in (None, before) and not (broadcasts and size == 1):
                raise ValueError(f"has the label {label!r} for dimensions of {before} and {size}")
    return tuple(sizes[label] for label in result)
