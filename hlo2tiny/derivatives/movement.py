"""Derivatives of ops that move data: they move the cotangents back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..ops.build import I32, Term, stablehlo
from .tape import Contribution, Pullback, derivative

# Slices with less than 1/SMALL_PART of their operand's elements are added in place instead of being padded to its size.
SMALL_PART = 4

derivative("stablehlo.reshape")(lambda op: [op.cotangents[0].reshape(op.inputs[0].shape)])
derivative("stablehlo.transpose")(lambda op: [op.cotangents[0].transpose(inverse(op.attribute("permutation")))])
derivative("stablehlo.reverse")(lambda op: [op.cotangents[0].reverse(op.attribute("dimensions"))])


def inverse(permutation: Sequence[int]) -> list[int]:
    return sorted(range(len(permutation)), key=lambda d: permutation[d])


@derivative("stablehlo.broadcast_in_dim")
def broadcast_in_dim(op: Pullback) -> Sequence[Contribution]:
    (x,), (ct,), dimensions = op.inputs, op.cotangents, op.attribute("broadcast_dimensions")
    summed = [d for d, size in enumerate(ct.shape) if d not in dimensions or x.shape[dimensions.index(d)] != size]
    remaining = [i for i, d in enumerate(dimensions) if d not in summed]
    # The sum has the remaining dimensions in the result's order.
    order = sorted(remaining, key=lambda i: dimensions[i])
    return [ct.sum(summed).transpose([order.index(i) for i in remaining]).reshape(x.shape)]


@derivative("stablehlo.broadcast")
def broadcast(op: Pullback) -> Sequence[Contribution]:
    (ct,) = op.cotangents
    return [ct.sum(range(len(ct.shape) - len(op.inputs[0].shape)))]


@derivative("stablehlo.concatenate")
def concatenate(op: Pullback) -> Sequence[Contribution]:
    (ct,), axis, offset, parts = op.cotangents, op.attribute("dimension"), 0, []
    for x in op.inputs:
        starts = [offset if d == axis else 0 for d in range(len(ct.shape))]
        offset += x.shape[axis]
        parts.append(ct.slice(starts, [offset if d == axis else size for d, size in enumerate(ct.shape)]))
    return parts


@derivative("stablehlo.slice")
def slice_(op: Pullback) -> Sequence[Contribution]:
    (x,), (ct,) = op.inputs, op.cotangents
    starts, limits, strides = (op.attribute(name) for name in ("start_indices", "limit_indices", "strides"))
    if x.size > SMALL_PART * ct.size > 0 and all(step == 1 for step in strides):

        def add_to(total: Term) -> Term:
            begins = [op.builder.array(np.array(start), I32) for start in starts]
            old = total.slice(starts, limits)
            return stablehlo.dynamic_update_slice(total, old + ct, *begins)

        return [add_to]
    extents = [(size - 1) * step + 1 if size else 0 for size, step in zip(ct.shape, strides)]
    high = [size - start - extent for size, start, extent in zip(x.shape, starts, extents)]
    return [ct.pad(starts, high, [step - 1 for step in strides])]


@derivative("stablehlo.pad")
def pad(op: Pullback) -> Sequence[Contribution]:
    (x, _), (ct,) = op.inputs, op.cotangents
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    low, high, interior = (op.attribute(name) for name in names)
    inner = ct.pad([-edge for edge in low], [-edge for edge in high], [0] * len(low))
    extents = [(size - 1) * (gap + 1) + 1 if size else 0 for size, gap in zip(x.shape, interior)]
    of_x = inner.slice([0] * len(low), extents, [gap + 1 for gap in interior])
    return [of_x, ct.sum() - of_x.sum() if op.wants[1] else None]
