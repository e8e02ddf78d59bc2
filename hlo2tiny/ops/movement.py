"""Ops that create tensors and move data."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..ir import BoolAttr, ComplexType, DenseAttr, FloatAttr, IntegerAttr, QuantizedType, ScalarType, TensorType, Type
from ..ir.dimensions import Shape
from ..ir.dtypes import as_tensor, bit_width
from . import folding as fold
from .attributes import ELEMENTS, I64, INTEGERS, TYPED, Violation, optional
from .definition import (
    agree,
    check_bounded,
    check_count_of,
    check_dimensions,
    check_scalar,
    check_static,
    merge_shapes,
    op,
    same,
    shape_text,
    without,
)
from .traits import Cost, Trait
from .types import per_axis

# ---------------------------------------------------------------- constants


TypedAttr = IntegerAttr | FloatAttr | BoolAttr | DenseAttr


def type_of(value: TypedAttr) -> Type:
    return ScalarType("i1") if isinstance(value, BoolAttr) else value.type


def constant(*, value: TypedAttr, out: Sequence[Type]) -> list[Shape]:
    type, result = as_tensor(type_of(value)), as_tensor(out[0])
    if not isinstance(type, TensorType) or not isinstance(result, TensorType):
        raise Violation(f"the value is {type_of(value)}, but the declared type is {out[0]} (C1)")
    check_static(result)
    # A quantized constant may be given in its storage type.
    elements = [result.element, *([result.element.storage] if isinstance(result.element, QuantizedType) else [])]
    if type.shape != result.shape or type.element not in elements:
        raise Violation(f"the value is {type_of(value)}, but the declared type is {out[0]} (C1)")
    return [type.shape]


def constant_like(operand: TensorType, *, value: TypedAttr, out: Sequence[TensorType]) -> list[Shape]:
    if type_of(value) != out[0].element:
        raise Violation(f"the value is {type_of(value)}, but the declared type is {out[0]}")
    return [operand.shape]


def iota(*, iota_dimension: int, out: Sequence[TensorType]) -> list[Shape]:
    check_dimensions("iota_dimension", iota_dimension, len(out[0].shape), within="C1")
    check_static(out[0])
    return [out[0].shape]


def dynamic_iota(output_shape: TensorType, *, iota_dimension: int, out: Sequence[TensorType]) -> list[Shape]:
    check_dimensions("iota_dimension", iota_dimension, len(out[0].shape), within="C1")
    check_sizes("output_shape", output_shape, len(out[0].shape), "C2")
    return [out[0].shape]


def check_sizes(name: str, type: TensorType, rank: int, number: str = "") -> None:
    """Check an operand that holds one number for each dimension of a tensor of this rank."""
    if type.shape != (rank,):
        raise Violation(f"{name} is {type}, expected the shape [{rank}]{f' ({number})' if number else ''}")


def check_lists(names: Sequence[str], types: Sequence[TensorType], rank: int, number: str = "") -> None:
    """Check operands of one type that hold one number each for each dimension of a tensor of this rank."""
    for name, type in zip(names, types):
        check_sizes(name, type, rank, number)
    if len(set(types)) > 1:
        raise Violation(f"{', '.join(names)} are {', '.join(map(str, types))}, expected equal types")


# ---------------------------------------------------------------- shapes


def reshape(operand: TensorType, *, out: Sequence[TensorType]) -> list[Shape]:
    check_bounded(out[0])
    return infer_reshape(operand, out[0])


def dynamic_reshape(operand: TensorType, output_shape: TensorType, *, out: Sequence[TensorType]) -> list[Shape]:
    check_sizes("output_shape", output_shape, len(out[0].shape), "C4")
    return infer_reshape(operand, out[0])


def infer_reshape(operand: TensorType, result: TensorType) -> list[Shape]:
    before, after = operand.shape, result.shape
    if None not in before and None not in after and count(before) != count(after):
        raise Violation(f"{operand} and {result} have different numbers of elements (C2)")
    if axes := moved_axes(operand, result, "C3"):
        old, new = axes
        whole = count(before[:old]) == count(after[:new]) and same(before[old], after[new])
        check_moved_scales(operand, result, whole, "C3", "C1")
    return [after]


def count(shape: Shape) -> int:
    return prod(-1 if d is None else d for d in shape)


def transpose(operand: TensorType, *, permutation: Sequence[int], out: Sequence[TensorType]) -> list[Shape]:
    rank = len(operand.shape)
    if sorted(permutation) != list(range(rank)):
        raise Violation(f"permutation is {list(permutation)}, expected each dimension from 0 to {rank - 1} once (C2)")
    if axes := moved_axes(operand, out[0], "C4"):
        check_moved_scales(operand, out[0], permutation[axes[1]] == axes[0], "C4", "C1")
    return [tuple(operand.shape[d] for d in permutation)]


def moved_axes(operand: TensorType, result: TensorType, number: str) -> tuple[int, int] | None:
    """The quantization dimensions of an operand and a result that only moves its data; None if they have none."""
    old, new = operand.element, result.element
    if not isinstance(old, QuantizedType) or not isinstance(new, QuantizedType):
        return None
    if per_axis(old) != per_axis(new):
        raise Violation(f"operand and result must both have a single scale, or both several ({number})")
    return None if old.axis is None or new.axis is None else (old.axis, new.axis)


def check_moved_scales(
    operand: TensorType, result: TensorType, corresponds: bool, axes: str, scales: str, repeats: int = 1
) -> None:
    """Check that the quantization dimension moves to the result's, and its scales with it.

    Args:
        axes, scales: the numbers of these constraints.
    """
    old, new = operand.element, result.element
    assert isinstance(old, QuantizedType) and isinstance(new, QuantizedType)
    if not corresponds:
        both = f"the operand's quantization dimension {old.axis} does not correspond to the result's, {new.axis}"
        raise Violation(f"{both} ({axes})")
    if (old.scales * repeats, old.zero_points * repeats) != (new.scales, new.zero_points):
        raise Violation(f"operand and result have different scales or zero points ({scales})")


def broadcast(operand: TensorType, *, broadcast_sizes: Sequence[int]) -> list[Shape]:
    if any(size < 0 for size in broadcast_sizes):
        raise Violation(f"broadcast_sizes is {list(broadcast_sizes)}, expected no negative sizes")
    return [(*broadcast_sizes, *operand.shape)]


def broadcast_in_dim(
    operand: TensorType, *, broadcast_dimensions: Sequence[int], out: Sequence[TensorType]
) -> list[Shape]:
    check_bounded(out[0])
    return infer_broadcast(operand, out[0], broadcast_dimensions)


def infer_broadcast(operand: TensorType, result: TensorType, dimensions: Sequence[int]) -> list[Shape]:
    before, after = operand.shape, result.shape
    check_count_of("broadcast_dimensions", dimensions, len(before), "C2")
    check_dimensions("broadcast_dimensions", dimensions, len(after), within="C3", distinct="C4")
    for d, (size, dimension) in enumerate(zip(before, dimensions)):
        if size not in (1, None) and not same(size, after[dimension]):
            raise Violation(f"dimension {d} of size {size} cannot be broadcast to the size {after[dimension]} (C5)")
    if axes := moved_axes(operand, result, "C6"):
        old, new = axes
        repeats = (after[new] or 1) if before[old] == 1 else 1
        check_moved_scales(operand, result, dimensions[old] == new, "C6", "C6", repeats)
    return [after]


def dynamic_broadcast_in_dim(
    operand: TensorType,
    output_dimensions: TensorType,
    *,
    broadcast_dimensions: Sequence[int],
    known_expanding_dimensions: Sequence[int],
    known_nonexpanding_dimensions: Sequence[int],
    out: Sequence[TensorType],
) -> list[Shape]:
    rank = len(operand.shape)
    check_sizes("output_dimensions", output_dimensions, len(out[0].shape), "C7")
    check_dimensions("known_expanding_dimensions", known_expanding_dimensions, rank, within="C9")
    check_dimensions("known_nonexpanding_dimensions", known_nonexpanding_dimensions, rank, within="C10")
    expanding, others = list(known_expanding_dimensions), list(known_nonexpanding_dimensions)
    if len({*expanding, *others}) < len(expanding) + len(others):
        both = f"known_expanding_dimensions is {expanding} and known_nonexpanding_dimensions is {others}"
        raise Violation(f"{both}, expected distinct dimensions (C8)")
    return infer_broadcast(operand, out[0], broadcast_dimensions)


def bitcast_convert(operand: TensorType, *, out: Sequence[TensorType]) -> list[Shape]:
    before, after = operand.element, out[0].element
    if isinstance(before, ComplexType) != isinstance(after, ComplexType):
        raise Violation(f"converts {before} to {after}, expected both or neither to be complex (C2)")
    size, wanted = bit_width(before), bit_width(after)
    large, small = max(size, wanted), min(size, wanted)
    if large % small:
        raise Violation(
            f"converts elements of {size} bits to {wanted} bits, expected {large} to be a multiple of {small} (C1)"
        )
    if size >= wanted:
        return [operand.shape if size == wanted else (*operand.shape, size // wanted)]
    if not operand.shape or not same(operand.shape[-1], wanted // size):
        parts = wanted // size
        conversion = f"converts {parts} elements of {size} bits to one of {wanted}"
        raise Violation(f"{conversion}, expected a last dimension of {parts} in {operand} (C1)")
    return [operand.shape[:-1]]


def get_dimension_size(operand: TensorType, *, dimension: int) -> list[Shape]:
    check_dimensions("dimension", dimension, len(operand.shape), within="C1")
    return [()]


def set_dimension_size(operand: TensorType, size: TensorType, *, dimension: int) -> list[Shape]:
    check_dimensions("dimension", dimension, len(operand.shape), within="C1")
    check_scalar("the size", size)
    return [tuple(None if d == dimension else n for d, n in enumerate(operand.shape))]


# ---------------------------------------------------------------- parts


def concatenate(*inputs: TensorType, dimension: int) -> list[Shape]:
    result = inputs[0].shape
    check_dimensions("dimension", dimension, len(result), within="C4")
    for i, type in enumerate(inputs[1:], 1):
        if len(type.shape) != len(result) or not agree(without(type.shape, dimension), without(result, dimension)):
            expected = f"the shape {shape_text(inputs[0].shape)} except for dimension {dimension}"
            raise Violation(f"operand {i} is {type}, expected {expected} (C2)")
        result = merge_shapes(result, type.shape)
    sizes = [type.shape[dimension] for type in inputs]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    return [(*result[:dimension], total, *result[dimension + 1 :])]


def reverse(operand: TensorType, *, dimensions: Sequence[int]) -> list[Shape]:
    check_dimensions("dimensions", dimensions, len(operand.shape), within="C3", distinct="C2")
    return [operand.shape]


def slice_(
    operand: TensorType, *, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int]
) -> list[Shape]:
    rank = len(operand.shape)
    for name, numbers in zip(BOUNDS, (start_indices, limit_indices, strides)):
        check_count_of(name, numbers, rank, "C2")
    result = []
    for d, (start, limit, stride, size) in enumerate(zip(start_indices, limit_indices, strides, operand.shape)):
        if not 0 <= start <= limit or (size is not None and limit > size):
            end = "" if size is None else f" <= {size}"
            raise Violation(f"slices {start}:{limit} of dimension {d}, expected 0 <= start <= limit{end} (C3)")
        if stride < 1:
            raise Violation(f"slices dimension {d} with the stride {stride}, expected at least 1 (C4)")
        result.append(-(-(limit - start) // stride))
    return [tuple(result)]


def real_dynamic_slice(operand: TensorType, *bounds: TensorType) -> list[Shape]:
    check_lists(list(BOUNDS), bounds, len(operand.shape))
    return [(None,) * len(operand.shape)]


def pad(
    operand: TensorType,
    padding_value: TensorType,
    *,
    edge_padding_low: Sequence[int],
    edge_padding_high: Sequence[int],
    interior_padding: Sequence[int],
) -> list[Shape]:
    check_scalar("padding_value", padding_value)
    lists = edge_padding_low, edge_padding_high, interior_padding
    for name, numbers in zip(PADDING, lists):
        check_count_of(name, numbers, len(operand.shape), "C2")
    if any(gap < 0 for gap in interior_padding):
        raise Violation(f"interior_padding is {list(interior_padding)}, expected no negative numbers (C3)")
    result: list[int | None] = []
    for d, (size, low, high, gap) in enumerate(zip(operand.shape, *lists)):
        padded = None if size is None else low + size + max(size - 1, 0) * gap + high
        if padded is not None and padded < 0:
            raise Violation(f"pads dimension {d} of size {size} to the size {padded}, expected at least 0 (C4)")
        result.append(padded)
    return [tuple(result)]


def dynamic_pad(operand: TensorType, padding_value: TensorType, *paddings: TensorType) -> list[Shape]:
    check_scalar("padding_value", padding_value)
    check_lists(list(PADDING), paddings, len(operand.shape), "C2")
    return [(None,) * len(operand.shape)]


WITH_DIMENSIONS = {
    "broadcast_dimensions": INTEGERS,
    "known_expanding_dimensions": optional(INTEGERS, ()),
    "known_nonexpanding_dimensions": optional(INTEGERS, ()),
}
PADDING = dict.fromkeys(("edge_padding_low", "edge_padding_high", "interior_padding"), INTEGERS)
BOUNDS = dict.fromkeys(("start_indices", "limit_indices", "strides"), INTEGERS)

# Movement that costs a kernel nothing when it reads the result.
FREELY_MOVED: dict[str, Any] = {"traits": Trait.MOVEMENT, "cost": Cost.FREE}
IN_THE_CODE: dict[str, Any] = {"traits": Trait.CONSTANT | Trait.STEPWISE, "cost": Cost.FREE}

# A table: a row takes a line or two.
# fmt: off
op("stablehlo.bitcast_convert", "A -> A", quantized="several", shapes=bitcast_convert,
    traits=Trait.STEPWISE | Trait.ELEMENTWISE, cost=Cost.CHEAP, flops=lambda operand: 0)
op("stablehlo.broadcast", "T -> T", attributes={"broadcast_sizes": INTEGERS}, form="%, sizes = $broadcast_sizes",
    shapes=broadcast, **FREELY_MOVED)
op("stablehlo.broadcast_in_dim", "T -> T", quantized="several", attributes={"broadcast_dimensions": INTEGERS},
    form="%, dims = $broadcast_dimensions", shapes=broadcast_in_dim, fold=fold.to_shape(fold.broadcast_in_dim),
    **FREELY_MOVED)
op("stablehlo.concatenate", "TT* -> T", attributes={"dimension": I64}, form="%, dim = $dimension", shapes=concatenate,
    traits=Trait.MOVEMENT, fold=fold.of_values(fold.concatenate))
op("stablehlo.constant", "-> .", quantized="several", attributes={"value": ELEMENTS}, form="$value", shapes=constant,
    **IN_THE_CODE)
op("stablehlo.dynamic_broadcast_in_dim", "TD -> T", quantized="several", attributes=WITH_DIMENSIONS,
    form="%, dims = $broadcast_dimensions", shapes=dynamic_broadcast_in_dim, static="stablehlo.broadcast_in_dim",
    late=("shape",))
op("stablehlo.dynamic_iota", "D -> A", attributes={"iota_dimension": I64}, form="%, dim = $iota_dimension",
    shapes=dynamic_iota, static="stablehlo.iota", late=("shape",))
op("stablehlo.dynamic_pad", "TTDDD -> T", shapes=dynamic_pad, static="stablehlo.pad", late=tuple(PADDING))
op("stablehlo.dynamic_reshape", "TD -> T", quantized="several", shapes=dynamic_reshape, static="stablehlo.reshape",
    late=("shape",))
op("stablehlo.get_dimension_size", "A -> S", quantized="several", attributes={"dimension": I64},
    form="%, dim = $dimension", shapes=get_dimension_size, static="stablehlo.constant", traits=Trait.STEPWISE)
op("stablehlo.iota", "-> Q", "ifc", attributes={"iota_dimension": I64}, form="dim = $iota_dimension", shapes=iota,
    cost=Cost.FREE, fold=fold.to_shape(fold.iota), traits=Trait.STEPWISE)
op("stablehlo.pad", "TT -> T", attributes=PADDING,
    form="%, low = $edge_padding_low, high = $edge_padding_high, interior = $interior_padding", shapes=pad,
    traits=Trait.MOVEMENT)
op("stablehlo.real_dynamic_slice", "TDDD -> T", shapes=real_dynamic_slice, static="stablehlo.slice", late=tuple(BOUNDS))
op("stablehlo.reshape", "T -> T", quantized="several", shapes=reshape, fold=fold.to_shape(fold.reshape), **FREELY_MOVED)
op("stablehlo.reverse", "T -> T", attributes={"dimensions": INTEGERS}, form="%, dims = $dimensions", shapes=reverse,
    traits=Trait.MOVEMENT, fold=fold.of_values(fold.reverse))
op("stablehlo.set_dimension_size", "TS -> T", attributes={"dimension": I64}, form="%, dim = $dimension",
    shapes=set_dimension_size, static="stablehlo.slice")
op("stablehlo.slice", "T -> T", attributes=BOUNDS, form="% [$start_indices:$limit_indices:$strides]", shapes=slice_,
    traits=Trait.MOVEMENT | Trait.FUSING, cost=Cost.FREE, fold=fold.of_values(fold.slice_))
op("stablehlo.transpose", "T -> T", quantized="several", attributes={"permutation": INTEGERS},
    form="%, dims = $permutation", shapes=transpose, traits=Trait.MOVEMENT | Trait.FUSING)
op("sdy.constant", "-> .", quantized="several", attributes={"value": ELEMENTS}, form="$value", shapes=constant,
    **IN_THE_CODE)
op("chlo.constant", "-> .", quantized="none", attributes={"value": ELEMENTS}, form="$value", shapes=constant,
    **IN_THE_CODE)
op("chlo.constant_like", "A -> A", quantized="none", attributes={"value": TYPED}, shapes=constant_like,
    traits=Trait.STEPWISE)
op("chlo.dynamic_reshape", "TD -> T", quantized="none", shapes=dynamic_reshape, static="stablehlo.reshape",
    late=("shape",))
