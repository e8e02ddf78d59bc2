"""Derivatives of products: dot products, convolutions, Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from ..ir import ComplexType, DialectAttr, ElementType, TensorType, dimensions
from ..ir.dimensions import ConvolutionNumbers, DotNumbers, WindowNumbers
from ..ops.build import Term, stablehlo
from .movement import inverse
from .tape import Contribution, Pullback, derivative

# The batching, contracting and free dimensions of an operand.
Side = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def common(terms: Sequence[Term], element: ElementType) -> list[Term]:
    """Factors converted to the result's element type, so that no intermediate product is rounded to a narrower one."""
    return [term.to(element) if not term.is_complex else term for term in terms]


def precision_of(op: Pullback) -> dict[str, Any]:
    return {name: a for name, a in op.op.attributes.items() if name == "precision_config"}


# ---------------------------------------------------------------- dots


def build_dot(a: Term, b: Term, numbers: DotNumbers, like: Pullback) -> Term:
    """The dot product of two terms, with the precision of the op `like`."""
    attributes = precision_of(like) | {"dot_dimension_numbers": numbers.attribute}
    type = TensorType(numbers.result_shape(a.shape, b.shape), a.element)
    return like.builder.op(stablehlo.dot_general, [a, b], [type], (), attributes)[0]


@derivative("stablehlo.dot_general", "stablehlo.dot")
def dot_general(op: Pullback) -> Sequence[Contribution]:
    (a, b), (ct,), n = op.inputs, op.cotangents, dimensions.dot_numbers(op.op)
    free_a, free_b = n.lhs_free(len(a.shape)), n.rhs_free(len(b.shape))
    # The result's dimensions: batch, then rows, then columns.
    batch, end = tuple(range(len(n.lhs_batching))), len(n.lhs_batching) + len(free_a)
    rows, columns = tuple(range(len(batch), end)), tuple(range(end, len(ct.shape)))

    def of(x: Term, y: Term, mine: Side, theirs: Side, other: tuple[int, ...]) -> Term:
        """The cotangent of x, from that of the result and the other operand y."""
        (batch_x, contract_x, free_x), (batch_y, contract_y, free_y) = mine, theirs
        (factor,) = common([y.conj()], ct.element)
        # The result's dimensions: batch, the free ones of x, and the contracted ones of y in y's order; or these first.
        partners = dict(zip(contract_y, contract_x))
        contracted = [partners[d] for d in sorted(contract_y)]
        order, swapped = [*batch_x, *free_x, *contracted], [*batch_x, *contracted, *free_x]
        if swapped == sorted(swapped):  # so that nothing is left to transpose
            return build_dot(factor, ct, DotNumbers(batch_y, batch, free_y, other), op).to(x.element)
        product = build_dot(ct, factor, DotNumbers(batch, batch_y, other, free_y), op)
        return product.transpose(inverse(order)).to(x.element)

    lhs, rhs = (n.lhs_batching, n.lhs_contracting, free_a), (n.rhs_batching, n.rhs_contracting, free_b)
    return [of(a, b, lhs, rhs, columns) if op.wants[0] else None, of(b, a, rhs, lhs, rows) if op.wants[1] else None]


# ---------------------------------------------------------------- convolution


def build_convolution(
    like: Pullback,
    x: Term,
    w: Term,
    shape: tuple[int, ...],
    numbers: ConvolutionNumbers,
    window: WindowNumbers,
    groups: int = 1,
    batch_groups: int = 1,
) -> Term:
    """The convolution of x with the kernel w, with the precision of the op `like`."""
    attributes = precision_of(like) | {
        "window_strides": window.strides,
        "padding": np.array(window.padding, np.int64).reshape(-1, 2),
        "lhs_dilation": window.base_dilations,
        "rhs_dilation": window.window_dilations,
        "dimension_numbers": numbers.attribute,
        "feature_group_count": groups,
        "batch_group_count": batch_groups,
    }
    type = TensorType(shape, x.element)
    return like.builder.op(stablehlo.convolution, [x, w], [type], (), attributes)[0]


def move_groups(x: Term, source: int, target: int, groups: int) -> Term:
    """Split groups off the dimension `source` and make them the outer part of the dimension `target`."""
    shape = list(x.shape)
    split = [*shape[:source], groups, shape[source] // groups, *shape[source + 1 :]]
    # Without the groups, the dimensions have the numbers that they had.
    rest = [d for d in range(len(split)) if d != source]
    order = [*rest[:target], source, *rest[target:]]
    shape[source] //= groups
    shape[target] *= groups
    return x.reshape(split).transpose(order).reshape(shape)


@derivative("stablehlo.convolution")
def convolution(op: Pullback) -> Sequence[Contribution]:
    """For y[o] = Σ x[(o · stride + k · dilation - low) / base] w[k]: both cotangents are convolutions too."""
    (x, w), (ct,) = op.inputs, op.cotangents
    n, window = (
        dimensions.decode_convolution(op.attribute("dimension_numbers")),
        dimensions.convolution_window(op.attributes, w.shape),
    )
    groups, batch_groups = op.attribute("feature_group_count", 1), op.attribute("batch_group_count", 1)
    backwards = [d for d, is_reversed in zip(n.kernel_spatial, window.reversal) if is_reversed]
    batch, feature, inputs, outputs = n.input_batch, n.input_feature, n.kernel_input_feature, n.kernel_output_feature
    wide, kernel = common([x.conj(), w.conj()], ct.element)
    kernel = kernel.reverse(backwards)
    if batch_groups > 1:  # turn groups of the batch into groups of features
        wide, groups = move_groups(wide, batch, feature, batch_groups), batch_groups
    sizes, counts = [x.shape[d] for d in n.input_spatial], [ct.shape[d] for d in n.output_spatial]
    if 0 in (*wide.shape, *kernel.shape, *ct.shape):
        return [op.builder.zeros(x.type), op.builder.zeros(w.type)]

    def of_input() -> Term:
        # x[i] contributes where o · stride = i · base + low - k · dilation: a convolution with the reversed kernel.
        grouped = move_groups(kernel, outputs, inputs, groups) if groups > 1 else kernel
        flipped = grouped.reverse(n.kernel_spatial)
        result = n.output_batch, n.output_feature, n.output_spatial
        numbers = ConvolutionNumbers(*result, outputs, inputs, n.kernel_spatial, batch, feature, n.input_spatial)
        back = window.transpose(sizes, counts)
        of_x = build_convolution(op, ct, flipped, wide.shape, numbers, back, groups)
        return (move_groups(of_x, feature, batch, batch_groups) if batch_groups > 1 else of_x).to(x.element)

    def of_kernel() -> Term:
        # A sum over o: the cotangent is the kernel, and batch and features are exchanged.
        result = n.output_batch, n.output_feature, n.output_spatial
        numbers = ConvolutionNumbers(feature, batch, n.input_spatial, *result, inputs, outputs, n.kernel_spatial)
        exchanged = window.exchange(sizes, counts)
        of_w = build_convolution(op, wide, ct, kernel.shape, numbers, exchanged, batch_groups=groups)
        return of_w.reverse(backwards).to(w.element)

    return [of_input() if op.wants[0] else None, of_kernel() if op.wants[1] else None]


# ---------------------------------------------------------------- Fourier transforms


@derivative("stablehlo.fft")
def fft(op: Pullback) -> Sequence[Contribution]:
    """The adjoint of each transform is another transform, up to a factor."""
    (x,), (ct,), kind = op.inputs, op.cotangents, str(op.attribute("fft_type"))
    lengths = tuple(op.attribute("fft_length"))
    total = prod(lengths)
    if not total:
        return [op.builder.zeros(x.type)]

    def transform_term(term: Term, name: str, type: TensorType) -> Term:
        how = DialectAttr("stablehlo", "fft_type", {}, name)
        return stablehlo.fft(term, type=type, fft_type=how, fft_length=lengths)

    match kind:
        case "FFT":
            return [transform_term(ct, "IFFT", x.type) * total]
        case "IFFT":
            return [transform_term(ct, "FFT", x.type) / total]
        case "RFFT":
            missing = lengths[-1] - ct.shape[-1]
            edges = [0] * len(ct.shape)
            whole = ct.pad(edges, [*edges[:-1], missing], edges)
            return [stablehlo.real(transform_term(whole, "IFFT", whole.type)) * total]
    # IRFFT reads each frequency twice, for itself and for its mirror image, except the first one and, if the length is
    # even, the last one.
    weights = np.full(x.shape[-1], 2 / total)
    weights[0] = 1 / total
    if lengths[-1] % 2 == 0:
        weights[-1] = 1 / total
    assert isinstance(x.element, ComplexType)
    factors = op.builder.array(weights, x.element).broadcast(x.shape, [len(x.shape) - 1])
    return [transform_term(ct, "RFFT", x.type) * factors]
