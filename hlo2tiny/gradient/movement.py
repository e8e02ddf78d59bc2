"""Derivatives of ops that move data: the cotangents move back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..ops.build import I32, Term, stablehlo
from .tape import Contribution, Pullback, derivative

# A slice of less than this part of its operand is added in place, rather than as a tensor of the operand's size.
SMALL_PART = 4


@derivative("stablehlo.reshape")
def reshape(op: Pullback) -> Sequence[Contribution]:
    return [op.cotangents[0].reshape(op.inputs[0].shape)]


@derivative("stablehlo.transpose")
def transpose(op: Pullback) -> Sequence[Contribution]:
    permutation = op.attribute("permutation")
    return [op.cotangents[0].transpose(inverse(permutation))]


def inverse(permutation: Sequence[int]) -> list[int]:
    return sorted(range(len(permutation)), key=lambda d: permutation[d])


@derivative("stablehlo.broadcast_in_dim")
def broadcast_in_dim(op: Pullback) -> Sequence[Contribution]:
    (x,), (ct,), places = op.inputs, op.cotangents, op.attribute("broadcast_dimensions")
    repeated = [d for d, size in enumerate(ct.shape) if d not in places or x.shape[places.index(d)] != size]
    kept = [i for i, d in enumerate(places) if d not in repeated]
    # What is left has the kept dimensions in the result's order.
    order = sorted(kept, key=lambda i: places[i])
    return [ct.sum(repeated).transpose([order.index(i) for i in kept]).reshape(x.shape)]


@derivative("stablehlo.broadcast")
def broadcast(op: Pullback) -> Sequence[Contribution]:
    (ct,) = op.cotangents
    return [ct.sum(range(len(ct.shape) - len(op.inputs[0].shape)))]


@derivative("stablehlo.reverse")
def reverse(op: Pullback) -> Sequence[Contribution]:
    return [op.cotangents[0].reverse(op.attribute("dimensions"))]


@derivative("stablehlo.concatenate")
def concatenate(op: Pullback) -> Sequence[Contribution]:
    (ct,), axis, at, parts = op.cotangents, op.attribute("dimension"), 0, []
    for x in op.inputs:
        starts = [at if d == axis else 0 for d in range(len(ct.shape))]
        at += x.shape[axis]
        parts.append(ct.slice(starts, [at if d == axis else size for d, size in enumerate(ct.shape)]))
    return parts


@derivative("stablehlo.slice")
def slice_(op: Pullback) -> Sequence[Contribution]:
    (x,), (ct,) = op.inputs, op.cotangents
    starts, limits, strides = (op.attribute(name) for name in ("start_indices", "limit_indices", "strides"))
    if x.size > SMALL_PART * ct.size > 0 and all(step == 1 for step in strides):

        def put(total: Term) -> Term:
            places = [op.builder.array(np.array(start), I32) for start in starts]
            old = total.slice(starts, limits)
            return stablehlo.dynamic_update_slice(total, old + ct, *places, type=total.type)

        return [put]
    spread = [(size - 1) * step + 1 if size else 0 for size, step in zip(ct.shape, strides)]
    high = [size - start - length for size, start, length in zip(x.shape, starts, spread)]
    return [ct.pad(starts, high, [step - 1 for step in strides])]


@derivative("stablehlo.pad")
def pad(op: Pullback) -> Sequence[Contribution]:
    (x, _), (ct,) = op.inputs, op.cotangents
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    low, high, interior = (op.attribute(name) for name in names)
    inner = ct.pad([-edge for edge in low], [-edge for edge in high], [0] * len(low))
    spread = [(size - 1) * (gap + 1) + 1 if size else 0 for size, gap in zip(x.shape, interior)]
    found = inner.slice([0] * len(low), spread, [gap + 1 for gap in interior])
    return [found, ct.sum() - found.sum() if op.wants[1] else None]
