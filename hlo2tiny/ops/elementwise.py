"""Ops that compute each element from the operands' elements at the same index."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ..ir import QuantizedType, TensorType
from ..ir.dimensions import Shape
from . import folding as fold
from .attributes import ACCURACY, I32, INTEGERS, Kind, Violation, enumeration, has_no_demand, optional
from .build import chlo, stablehlo
from .definition import agree, merge_shapes, op, same, shape_text
from .traits import NO_TRAITS, Cost, Monoid, Trait
from .types import QuantizedScales

ACCURATE = {"result_accuracy": optional(ACCURACY, neutral=has_no_demand, since="1.10.0")}
BROADCASTING = {"broadcast_dimensions": optional(INTEGERS)}
# The comparison type is not checked against the elements (C3), as exporters do not respect it: the elements decide.
COMPARISON = {
    "comparison_direction": enumeration("comparison_direction"),
    "compare_type": optional(enumeration("comparison_type", "WEAKORDER"), "NOTYPE"),
}


def same_shape(*operands: TensorType) -> list[Shape | None]:
    shape = operands[0].shape
    for i, operand in enumerate(operands[1:], 1):
        if not agree(shape, operand.shape):
            raise Violation(f"operand {i} is {operand}, expected the shape {shape_text(shape)} (C1)")
        shape = merge_shapes(shape, operand.shape)
    return [shape]


def add_shape(lhs: TensorType, rhs: TensorType, *, out: Sequence[TensorType]) -> list[Shape | None]:
    if isinstance(lhs.element, QuantizedType):
        axes = {t.element.axis for t in (lhs, rhs) if isinstance(t.element, QuantizedType)} - {None}
        result = out[0].element
        if isinstance(result, QuantizedType) and axes != {result.axis} - {None}:
            raise Violation("the operands and the result have different quantization dimensions (C5, C6, C7)")
    return same_shape(lhs, rhs)


def select_shape(pred: TensorType, on_true: TensorType, on_false: TensorType) -> list[Shape | None]:
    (shape,) = same_shape(on_true, on_false)
    assert shape is not None
    if pred.shape != () and not agree(pred.shape, shape):
        raise Violation(f"pred is {pred}, expected a scalar or the shape {shape_text(shape)} (C1)")
    return [shape if pred.shape == () else merge_shapes(shape, pred.shape)]


def clamp_shape(min: TensorType, operand: TensorType, max: TensorType) -> list[Shape | None]:
    for name, bound, number in (("min", min, 1), ("max", max, 2)):
        if bound.shape != () and not agree(bound.shape, operand.shape):
            shape = shape_text(operand.shape)
            raise Violation(f"{name} is {bound}, expected a scalar or the shape {shape} (C{number})")
    return [operand.shape]


def reduce_precision_shape(operand: TensorType, *, exponent_bits: int, mantissa_bits: int) -> list[Shape | None]:
    if exponent_bits < 1:
        raise Violation(f"exponent_bits is {exponent_bits}, expected at least 1 (C2)")
    if mantissa_bits < 0:
        raise Violation(f"mantissa_bits is {mantissa_bits}, expected at least 0 (C3)")
    return [operand.shape]


def broadcast_shape(*operands: TensorType, broadcast_dimensions: Sequence[int] | None = None) -> list[Shape | None]:
    """CHLO's broadcasting: last dimensions are aligned unless `broadcast_dimensions` places the smaller operand's."""
    shapes = [t.shape for t in operands]
    if broadcast_dimensions is not None:
        shapes = placed_shapes(shapes, broadcast_dimensions)
    rank = max(map(len, shapes))
    result: list[int | None] = [1] * rank
    for i, shape in enumerate(shapes):
        for d, size in enumerate(shape, rank - len(shape)):
            if result[d] == 1:
                result[d] = size
            elif size != 1:
                if not same(result[d], size):
                    others = shape_text(tuple(result))
                    raise Violation(f"operand {i} is {operands[i]}, which does not broadcast to the others' {others}")
                result[d] = size if result[d] is None else result[d]
    return [tuple(result)]


def placed_shapes(shapes: Sequence[Shape], dimensions: Sequence[int]) -> list[Shape]:
    """Two shapes of equal rank: the dimensions of the smaller one are placed as `dimensions` says."""
    small = 1 if len(shapes[0]) > len(shapes[1]) else 0
    rank, narrow = len(shapes[1 - small]), shapes[small]
    in_order = sorted(set(dimensions)) == list(dimensions) and all(0 <= d < rank for d in dimensions)
    if len(dimensions) != len(narrow) or not in_order:
        expected = f"{len(narrow)} of the dimensions 0 to {rank - 1} in ascending order"
        raise Violation(f"broadcast_dimensions is {list(dimensions)}, expected {expected}")
    sizes = dict(zip(dimensions, narrow))
    widened = tuple(sizes.get(d, 1) for d in range(rank))
    return [widened, shapes[1]] if small == 0 else [shapes[0], widened]


def elementwise(
    name: str,
    elements: str,
    kinds: str = "bifc",
    *,
    cost: Cost,
    traits: Trait = NO_TRAITS,
    attributes: Mapping[str, Kind] = MappingProxyType({}),
    shapes: Callable[..., Sequence[Shape | None]] = same_shape,
    broadcasts: bool = False,
    broadcast_kinds: str = "",
    quantized: QuantizedScales | None = None,
    **row: Any,
) -> None:
    """Add the row of an elementwise op, and that of its broadcasting twin in CHLO.

    Args:
        broadcasts: whether CHLO has a broadcasting twin.
        broadcast_kinds: the kinds that the twin accepts; by default those of the op.
        quantized: see `op`; by default "none" in CHLO.
    """
    row["quantized"] = quantized or ("none" if name.startswith("chlo.") else "one")
    op(name, elements, kinds, traits=Trait.ELEMENTWISE | traits, cost=cost, attributes=attributes, shapes=shapes, **row)
    if broadcasts:
        shared = {key: kind for key, kind in attributes.items() if key != "result_accuracy"}
        op(
            f"chlo.broadcast_{name.partition('.')[2]}",
            elements,
            broadcast_kinds or kinds,
            quantized="none",
            traits=Trait.BROADCASTING,
            cost=cost,
            attributes=shared | (BROADCASTING if elements.startswith("QQ") else {}),
            form=row.get("form", "%") if shared else "%",
            shapes=broadcast_shape,
            same_as=name,
        )


def function(name: str, kinds: str, cost: Cost, **row: Any) -> None:
    """Add the row of an elementary function of one operand, whose accuracy a file may specify."""
    elementwise(name, "Q -> Q", kinds, cost=cost, attributes=ACCURATE, **row)


# A table: a row takes a line or two.
# fmt: off
elementwise("stablehlo.abs", "R -> Q", "sfc", cost=Cost.CHEAP, fold=fold.elementwise(np.abs))
elementwise("stablehlo.add", "QQ -> Q", cost=Cost.CHEAP, quantized="several", shapes=add_shape, monoid=Monoid.SUM,
    fold=fold.elementwise(fold.add), broadcasts=True, traits=Trait.ADDING)
elementwise("stablehlo.and", "QQ -> Q", "bi", cost=Cost.CHEAP, quantized="none", monoid=Monoid.ALL,
    fold=fold.elementwise(np.bitwise_and), broadcasts=True)
elementwise("stablehlo.atan2", "QQ -> Q", "fc", cost=Cost.EXPENSIVE, attributes=ACCURATE, broadcasts=True)
function("stablehlo.cbrt", "fc", Cost.EXPENSIVE, slope=lambda x, y: y / (x * 3))
elementwise("stablehlo.ceil", "Q -> Q", "f", cost=Cost.CHEAP, traits=Trait.STEPWISE)
elementwise("stablehlo.clamp", "QQQ -> Q", cost=Cost.CHEAP, shapes=clamp_shape, fold=fold.elementwise(fold.clamp))
elementwise("stablehlo.compare", "QQ -> B", cost=Cost.CHEAP, attributes=COMPARISON,
    form="$comparison_direction, %, $compare_type", fold=fold.of_values(fold.compare), broadcasts=True,
    traits=Trait.STEPWISE)
elementwise("stablehlo.complex", "QQ -> C", "f", cost=Cost.CHEAP, form="% : complex", quantized="none", broadcasts=True)
elementwise("stablehlo.convert", "A -> A", cost=Cost.FREE, quantized="none", fold=fold.identity)
function("stablehlo.cosine", "fc", Cost.EXPENSIVE, traits=Trait.PERIODIC, slope=lambda x, y: -stablehlo.sine(x))
elementwise("stablehlo.count_leading_zeros", "Q -> Q", "i", cost=Cost.CHEAP, quantized="none", traits=Trait.STEPWISE)
elementwise("stablehlo.divide", "QQ -> Q", "ifc", cost=Cost.CHEAP,
    fold=fold.elementwise(fold.wrap_integers(fold.quotient)), broadcasts=True)
function("stablehlo.exponential", "fc", Cost.FUNCTION, slope=lambda x, y: y)
function("stablehlo.exponential_minus_one", "fc", Cost.FUNCTION, slope=lambda x, y: y + 1)
elementwise("stablehlo.floor", "Q -> Q", "f", cost=Cost.CHEAP, traits=Trait.STEPWISE)
elementwise("stablehlo.imag", "R -> Q", "fc", cost=Cost.CHEAP, quantized="none")
elementwise("stablehlo.is_finite", "Q -> B", "f", cost=Cost.CHEAP, traits=Trait.STEPWISE)
function("stablehlo.log", "fc", Cost.FUNCTION, slope=lambda x, y: 1 / x)
function("stablehlo.log_plus_one", "fc", Cost.FUNCTION, slope=lambda x, y: 1 / (x + 1))
function("stablehlo.logistic", "fc", Cost.FUNCTION, slope=lambda x, y: y * (1 - y))
elementwise("stablehlo.maximum", "QQ -> Q", cost=Cost.CHEAP, monoid=Monoid.MAXIMUM, fold=fold.elementwise(np.maximum),
    broadcasts=True)
elementwise("stablehlo.minimum", "QQ -> Q", cost=Cost.CHEAP, monoid=Monoid.MINIMUM, fold=fold.elementwise(np.minimum),
    broadcasts=True)
elementwise("stablehlo.multiply", "QQ -> Q", cost=Cost.CHEAP, monoid=Monoid.PRODUCT,
    fold=fold.elementwise(fold.multiply), broadcasts=True)
elementwise("stablehlo.negate", "Q -> Q", "ifc", cost=Cost.CHEAP, fold=fold.elementwise(fold.negative))
elementwise("stablehlo.not", "Q -> Q", "bi", cost=Cost.CHEAP, quantized="none", fold=fold.elementwise(np.invert))
elementwise("stablehlo.or", "QQ -> Q", "bi", cost=Cost.CHEAP, quantized="none", monoid=Monoid.ANY,
    fold=fold.elementwise(np.bitwise_or), broadcasts=True)
elementwise("stablehlo.popcnt", "Q -> Q", "i", cost=Cost.CHEAP, quantized="none", traits=Trait.STEPWISE)
elementwise("stablehlo.power", "QQ -> Q", "ifc", cost=Cost.EXPENSIVE, attributes=ACCURATE, broadcasts=True)
elementwise("stablehlo.real", "R -> Q", "fc", cost=Cost.CHEAP, quantized="none")
elementwise("stablehlo.reduce_precision", "Q -> Q", "f", cost=Cost.CHEAP,
    attributes={"exponent_bits": I32, "mantissa_bits": I32}, form="%, format = e${exponent_bits}m${mantissa_bits}",
    shapes=reduce_precision_shape)
elementwise("stablehlo.remainder", "QQ -> Q", "ifc", cost=Cost.EXPENSIVE,
    fold=fold.elementwise(fold.wrap_integers(fold.remainder)), broadcasts=True, broadcast_kinds="if")
elementwise("stablehlo.round_nearest_afz", "Q -> Q", "f", cost=Cost.CHEAP, traits=Trait.STEPWISE)
elementwise("stablehlo.round_nearest_even", "Q -> Q", "f", cost=Cost.CHEAP, traits=Trait.STEPWISE)
function("stablehlo.rsqrt", "fc", Cost.CHEAP, slope=lambda x, y: y / x * -0.5)
elementwise("stablehlo.select", "BQQ -> Q", "b", cost=Cost.CHEAP, shapes=select_shape,
    fold=fold.elementwise(fold.select), broadcasts=True, form="% : choice")
elementwise("stablehlo.shift_left", "QQ -> Q", "i", cost=Cost.CHEAP, quantized="none", broadcasts=True)
elementwise("stablehlo.shift_right_arithmetic", "QQ -> Q", "i", cost=Cost.CHEAP, quantized="none", broadcasts=True)
elementwise("stablehlo.shift_right_logical", "QQ -> Q", "i", cost=Cost.CHEAP, quantized="none", broadcasts=True)
elementwise("stablehlo.sign", "Q -> Q", "sfc", cost=Cost.CHEAP, fold=fold.elementwise(fold.sign), traits=Trait.STEPWISE)
function("stablehlo.sine", "fc", Cost.EXPENSIVE, traits=Trait.PERIODIC, slope=lambda x, y: stablehlo.cosine(x))
function("stablehlo.sqrt", "fc", Cost.CHEAP, slope=lambda x, y: 0.5 / y)
elementwise("stablehlo.subtract", "QQ -> Q", "ifc", cost=Cost.CHEAP, fold=fold.elementwise(fold.subtract),
    broadcasts=True, traits=Trait.ADDING)
for name in ("stablehlo.tan", "chlo.tan"):
    function(name, "fc", Cost.EXPENSIVE, traits=Trait.PERIODIC, slope=lambda x, y: y * y + 1)
function("stablehlo.tanh", "fc", Cost.FUNCTION, slope=lambda x, y: (1 - y) * (1 + y))
elementwise("stablehlo.xor", "QQ -> Q", "bi", cost=Cost.CHEAP, quantized="none", fold=fold.elementwise(np.bitwise_xor),
    broadcasts=True)
elementwise("chlo._asin_acos_kernel", "Q* -> Q", cost=Cost.EXPENSIVE)
function("chlo.acos", "fc", Cost.EXPENSIVE, slope=lambda x, y: -stablehlo.rsqrt((1 - x) * (1 + x)))
function("chlo.acosh", "fc", Cost.EXPENSIVE, slope=lambda x, y: stablehlo.rsqrt(x - 1) * stablehlo.rsqrt(x + 1))
function("chlo.asin", "fc", Cost.EXPENSIVE, slope=lambda x, y: stablehlo.rsqrt((1 - x) * (1 + x)))
function("chlo.asinh", "fc", Cost.EXPENSIVE, slope=lambda x, y: stablehlo.rsqrt(x * x + 1))
function("chlo.atan", "fc", Cost.EXPENSIVE, slope=lambda x, y: 1 / (x * x + 1))
function("chlo.atanh", "fc", Cost.EXPENSIVE, slope=lambda x, y: 1 / ((1 - x) * (1 + x)))
function("chlo.bessel_i1e", "f", Cost.EXPENSIVE)
elementwise("chlo.conj", "Q -> Q", "fc", cost=Cost.CHEAP)
function("chlo.cosh", "fc", Cost.EXPENSIVE, slope=lambda x, y: chlo.sinh(x))
function("chlo.digamma", "f", Cost.EXPENSIVE, slope=lambda x, y: chlo.polygamma(x.like(1), x))
function("chlo.erf", "f", Cost.EXPENSIVE, slope=lambda x, y: stablehlo.exponential(-(x * x)) * (2 / math.sqrt(math.pi)))
function("chlo.erf_inv", "f", Cost.EXPENSIVE,
    slope=lambda x, y: stablehlo.exponential(y * y) * (math.sqrt(math.pi) / 2))
function("chlo.erfc", "f", Cost.EXPENSIVE,
    slope=lambda x, y: stablehlo.exponential(-(x * x)) * (-2 / math.sqrt(math.pi)))
elementwise("chlo.is_inf", "Q -> B", "f", cost=Cost.CHEAP, traits=Trait.STEPWISE)
elementwise("chlo.is_neg_inf", "Q -> B", "f", cost=Cost.CHEAP, traits=Trait.STEPWISE)
elementwise("chlo.is_pos_inf", "Q -> B", "f", cost=Cost.CHEAP, traits=Trait.STEPWISE)
function("chlo.lgamma", "f", Cost.EXPENSIVE, slope=lambda x, y: chlo.digamma(x))
elementwise("chlo.mulhi", "QQ -> Q", "i", cost=Cost.CHEAP)
elementwise("chlo.next_after", "QQ -> Q", "f", cost=Cost.CHEAP, broadcasts=True)
elementwise("chlo.polygamma", "QQ -> Q", "f", cost=Cost.EXPENSIVE, attributes=ACCURATE, broadcasts=True)
function("chlo.sinh", "fc", Cost.EXPENSIVE, slope=lambda x, y: chlo.cosh(x))
elementwise("chlo.square", "Q -> Q", "fc", cost=Cost.CHEAP, slope=lambda x, y: x * 2)
elementwise("chlo.zeta", "QQ -> Q", "f", cost=Cost.EXPENSIVE, attributes=ACCURATE, broadcasts=True)
