"""Derivatives of products: dots, convolutions, Fourier transforms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from ..ir import ComplexType, DialectAttr, ElementType, TensorType
from ..ops.build import Term, stablehlo
from .movement import inverse
from .tape import Contribution, Pullback, derivative


def common(terms: Sequence[Term], element: ElementType) -> list[Term]:
    """Factors in the element type of the result, so that no product is rounded to a narrower one on the way."""
    return [term.to(element) if not term.is_complex else term for term in terms]


def kept_precision(op: Pullback) -> dict[str, Any]:
    return {name: a for name, a in op.op.attributes.items() if name == "precision_config"}


# ---------------------------------------------------------------- dots


def contracted(
    a: Term, b: Term, batch: Sequence[Sequence[int]], contract: Sequence[Sequence[int]], like: Pullback
) -> Term:
    """The dot product over pairs of dimensions, a's first: the result has batching dimensions, a's and b's others."""
    fields = {
        "lhs_batching_dimensions": list(batch[0]),
        "rhs_batching_dimensions": list(batch[1]),
        "lhs_contracting_dimensions": list(contract[0]),
        "rhs_contracting_dimensions": list(contract[1]),
    }
    others = [[d for d in range(len(x.shape)) if d not in (*batch[i], *contract[i])] for i, x in enumerate((a, b))]
    shape = [a.shape[d] for d in (*batch[0], *others[0])] + [b.shape[d] for d in others[1]]
    attributes = kept_precision(like) | {"dot_dimension_numbers": DialectAttr("stablehlo", "dot", fields)}
    type = TensorType(tuple(shape), a.element)
    return like.builder.op(stablehlo.dot_general, [a, b], [type], (), attributes)[0]


@derivative("stablehlo.dot_general", "stablehlo.dot")
def dot_general(op: Pullback) -> Sequence[Contribution]:
    (a, b), (ct,) = op.inputs, op.cotangents
    rank = len(a.shape)
    last = {"lhs_contracting_dimensions": [rank - 1], "rhs_contracting_dimensions": [0]}
    numbers = op.attribute("dot_dimension_numbers", last)
    batch_a, batch_b, contract_a, contract_b = (
        list(numbers.get(f"{side}_{kind}_dimensions", ()))
        for kind in ("batching", "contracting")
        for side in ("lhs", "rhs")
    )
    free_a = [d for d in range(rank) if d not in batch_a + contract_a]
    free_b = [d for d in range(len(b.shape)) if d not in batch_b + contract_b]
    batch = range(len(batch_a))
    rows = range(len(batch_a), len(batch_a) + len(free_a))
    columns = range(len(batch_a) + len(free_a), len(ct.shape))

    def of(x: Term, y: Term, mine: list[list[int]], theirs: list[list[int]], other: Sequence[int]) -> Term:
        """The cotangent of x, from the result's and the other operand y."""
        (batch_x, contract_x, free_x), (batch_y, contract_y, free_y) = mine, theirs
        (factor,) = common([y.conj()], ct.element)
        found = contracted(ct, factor, (batch, batch_y), (other, free_y), op)
        # Its dimensions: the batch, x's own, and those of y that were contracted, in y's order.
        partners = dict(zip(contract_y, contract_x))
        order = [*batch_x, *free_x, *(partners[d] for d in sorted(contract_y))]
        return found.transpose(inverse(order)).to(x.element)

    sides = [batch_a, contract_a, free_a], [batch_b, contract_b, free_b]
    return [
        of(a, b, *sides, columns) if op.wants[0] else None,
        of(b, a, sides[1], sides[0], rows) if op.wants[1] else None,
    ]


# ---------------------------------------------------------------- convolution


def convolved(
    x: Term,
    w: Term,
    shape: Sequence[int],
    numbers: Mapping[str, Any],
    strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    dilations: Sequence[Sequence[int]],
    groups: tuple[int, int],
    like: Pullback,
) -> Term:
    attributes = kept_precision(like) | {
        "window_strides": tuple(strides),
        "padding": np.array(padding, np.int64).reshape(-1, 2),
        "lhs_dilation": tuple(dilations[0]),
        "rhs_dilation": tuple(dilations[1]),
        "dimension_numbers": DialectAttr("stablehlo", "conv", dict(numbers)),
        "feature_group_count": groups[0],
        "batch_group_count": groups[1],
    }
    return like.builder.op(stablehlo.convolution, [x, w], [TensorType(tuple(shape), x.element)], attributes=attributes)[
        0
    ]


def regrouped(x: Term, source: int, target: int, groups: int) -> Term:
    """The outer part of a dimension, of size `groups`, becomes the outer part of another one."""
    shape = list(x.shape)
    split = [*shape[:source], groups, shape[source] // groups, *shape[source + 1 :]]
    outer, rest = source, [d for d in range(len(split)) if d != source]
    # Among `rest` the dimensions have the places that they had.
    order = [*rest[:target], outer, *rest[target:]]
    shape[source] //= groups
    shape[target] *= groups
    return x.reshape(split).transpose(order).reshape(shape)


@derivative("stablehlo.convolution")
def convolution(op: Pullback) -> Sequence[Contribution]:
    """y[o] = Σ x[(o · stride + k · dilation - low) / spread] w[k]: both cotangents are convolutions too."""
    (x, w), (ct,) = op.inputs, op.cotangents
    n = op.attribute("dimension_numbers")
    spatial = len(n["input_spatial_dimensions"])
    ones = (1,) * spatial
    strides, spread, dilation = (op.attribute(k, ones) for k in ("window_strides", "lhs_dilation", "rhs_dilation"))
    low = [int(edge) for edge in np.asarray(op.attribute("padding", np.zeros((spatial, 2)))).reshape(-1, 2)[:, 0]]
    groups, batch_groups = op.attribute("feature_group_count", 1), op.attribute("batch_group_count", 1)
    backwards = [
        d for d, is_reversed in zip(n["kernel_spatial_dimensions"], op.attribute("window_reversal", ())) if is_reversed
    ]
    batch, feature = n["input_batch_dimension"], n["input_feature_dimension"]
    inputs, outputs = n["kernel_input_feature_dimension"], n["kernel_output_feature_dimension"]
    wide, kernel = common([x.conj(), w.conj()], ct.element)
    kernel = kernel.reverse(backwards)
    if batch_groups > 1:  # groups of the batch become groups of features
        wide, groups = regrouped(wide, batch, feature, batch_groups), batch_groups
    sizes = [wide.shape[d] for d in n["input_spatial_dimensions"]]
    taps = [kernel.shape[d] for d in n["kernel_spatial_dimensions"]]
    counts = [ct.shape[d] for d in n["output_spatial_dimensions"]]
    if 0 in (*wide.shape, *kernel.shape, *ct.shape):
        return [op.builder.zeros(x.type), op.builder.zeros(w.type)]

    def of_input() -> Term:
        # x is reached by o · stride = i · spread + low - k · dilation, which is a convolution by the reversed kernel.
        turned = regrouped(kernel, outputs, inputs, groups) if groups > 1 else kernel
        turned = turned.reverse(n["kernel_spatial_dimensions"])
        padding = []
        for size, k, d, s, b, count, edge in zip(sizes, taps, dilation, strides, spread, counts, low):
            reach, before = (k - 1) * d + 1, (k - 1) * d - edge
            padding.append((before, (size - 1) * b + reach - ((count - 1) * s + 1) - before))
        numbers = {
            "input_batch_dimension": n["output_batch_dimension"],
            "input_feature_dimension": n["output_feature_dimension"],
            "input_spatial_dimensions": n["output_spatial_dimensions"],
            "kernel_input_feature_dimension": outputs,
            "kernel_output_feature_dimension": inputs,
            "kernel_spatial_dimensions": n["kernel_spatial_dimensions"],
            "output_batch_dimension": batch,
            "output_feature_dimension": feature,
            "output_spatial_dimensions": n["input_spatial_dimensions"],
        }
        found = convolved(ct, turned, wide.shape, numbers, spread, padding, (strides, dilation), (groups, 1), op)
        return (regrouped(found, feature, batch, batch_groups) if batch_groups > 1 else found).to(x.element)

    def of_kernel() -> Term:
        # Σ over o: the cotangent is the kernel, and batch and features change places.
        padding = []
        for size, k, d, s, b, count, edge in zip(sizes, taps, dilation, strides, spread, counts, low):
            reach = (k - 1) * d + (count - 1) * s + 1
            padding.append((edge, reach - ((size - 1) * b + 1) - edge))
        numbers = {
            "input_batch_dimension": feature,
            "input_feature_dimension": batch,
            "input_spatial_dimensions": n["input_spatial_dimensions"],
            "kernel_input_feature_dimension": n["output_batch_dimension"],
            "kernel_output_feature_dimension": n["output_feature_dimension"],
            "kernel_spatial_dimensions": n["output_spatial_dimensions"],
            "output_batch_dimension": inputs,
            "output_feature_dimension": outputs,
            "output_spatial_dimensions": n["kernel_spatial_dimensions"],
        }
        found = convolved(wide, ct, kernel.shape, numbers, dilation, padding, (spread, strides), (1, groups), op)
        return found.reverse(backwards).to(w.element)

    return [of_input() if op.wants[0] else None, of_kernel() if op.wants[1] else None]


# ---------------------------------------------------------------- Fourier transforms


@derivative("stablehlo.fft")
def fft(op: Pullback) -> Sequence[Contribution]:
    """Each transform's adjoint is another one, up to a factor."""
    (x,), (ct,), kind = op.inputs, op.cotangents, str(op.attribute("fft_type"))
    lengths = tuple(op.attribute("fft_length"))
    total = prod(lengths)
    if not total:
        return [op.builder.zeros(x.type)]

    def transformed(term: Term, name: str, type: TensorType) -> Term:
        how = DialectAttr("stablehlo", "fft_type", {}, name)
        return stablehlo.fft(term, type=type, fft_type=how, fft_length=lengths)

    match kind:
        case "FFT":
            return [transformed(ct, "IFFT", x.type) * total]
        case "IFFT":
            return [transformed(ct, "FFT", x.type) / total]
        case "RFFT":
            missing = lengths[-1] - ct.shape[-1]
            edges = [0] * len(ct.shape)
            whole = ct.pad(edges, [*edges[:-1], missing], edges)
            return [stablehlo.real(transformed(whole, "IFFT", whole.type)) * total]
    # IRFFT reads each frequency for its mirror image too, but the first and, of an even length, the last.
    weights = np.full(x.shape[-1], 2 / total)
    weights[0] = 1 / total
    if lengths[-1] % 2 == 0:
        weights[-1] = 1 / total
    assert isinstance(x.element, ComplexType)
    factors = op.builder.array(weights, x.element).broadcast(x.shape, [len(x.shape) - 1])
    return [transformed(ct, "RFFT", x.type) * factors]
