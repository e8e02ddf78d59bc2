"""Ops of other dialects that exporters use: Shardy (sdy), arith and tensor. Those of shape are folded (ops/shape.py).

Scalars of arith are tensors of rank 0 here. Its integers have no sign: the op says whether they are signed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ..errors import UnsupportedOp
from ..ir import ScalarType, TensorType
from ..ir.dtypes import bit_width, numpy_dtype, static_shape
from ..ops import OPS, Trait, names_with
from ..tinygrad.dtypes import compute_dtype, storage_dtype
from ..tinygrad.expressions import Tensor
from . import elementwise
from .elementwise import BINARY, COMPARE, add, convert_real, divide, maximum, minimum, negate, remainder, subtract
from .floats import is_nan
from .gather import dynamic_slice
from .movement import constant as dense_constant
from .movement import filled
from .registry import Types, rule
from .values import AnyTensor, broadcast_scalar, each, halfwise, repeated

Binary: TypeAlias = Callable[[Tensor, Tensor], Tensor]

# ---------------------------------------------------------------- Shardy: how values are spread over devices


SHARDY = "sharding out_sharding gathering_axes slicing_axes reduction_axes reduce_scatter_axes params axes".split()


@rule(*names_with(Trait.IDENTITY), ignored=[*SHARDY, "allowed_direction"], storage=True)
def placed(x: AnyTensor) -> AnyTensor:
    """Shapes are global, so these ops return their operand, whatever the mesh."""
    return x


@rule("sdy.sharding_group", storage=True)
def sharding_group(x: AnyTensor, *, group_id: int) -> list[AnyTensor]:
    return []


# ---------------------------------------------------------------- constants


@rule("arith.constant", storage=True)
def constant(*, value: np.ndarray | float, out: Types) -> AnyTensor:
    if isinstance(value, np.ndarray):
        return dense_constant(value=value, out=out)
    return filled(np.asarray(value).astype(numpy_dtype(out[0].element)), out[0])


@rule("chlo.constant_like", storage=True)
def constant_like(x: AnyTensor, *, value: float, out: Types) -> AnyTensor:
    return filled(np.asarray(value).astype(numpy_dtype(out[0].element)), out[0])


# ---------------------------------------------------------------- arith on integers


def with_sign(x: Tensor, type: TensorType) -> Tensor:
    """An integer as signed; the i1 true is -1."""
    return negate(x.cast("int32")) if is_i1(type) else x


def without_sign(x: Tensor, type: TensorType) -> Tensor:
    """An integer as unsigned."""
    return x.cast("uint32") if is_i1(type) else elementwise.unsigned_bits(x, bit_width(type.element))


def is_i1(type: TensorType) -> bool:
    return type.element == ScalarType("i1")


def in_type(x: Tensor, type: TensorType) -> Tensor:
    """The result of arithmetic on `with_sign` or `without_sign` numbers, in the op's type."""
    if is_i1(type):
        return (x & 1) != 0
    dtype = compute_dtype(type.element)
    return x if x.dtype == dtype else x.bitcast(dtype)


def ceiling(a: Tensor, b: Tensor) -> Tensor:
    rest = remainder(a, b)
    return add(divide(a, b), ((rest != 0) & ((rest < 0) == (b < 0))).where(a.const_like(1), a.const_like(0)))


def floor(a: Tensor, b: Tensor) -> Tensor:
    rest = remainder(a, b)
    return subtract(divide(a, b), ((rest != 0) & ((rest < 0) != (b < 0))).where(a.const_like(1), a.const_like(0)))


# The functions of arith's ops that mean the same as an op of StableHLO.
SAME = {name: BINARY[row.same_as] for name, row in OPS.items() if name.startswith("arith.") and row.same_as in BINARY}
SIGNED: dict[str, Binary] = {
    **{name: function for name, function in SAME.items() if name.endswith("i")},
    "arith.ceildivsi": ceiling,
    "arith.floordivsi": floor,
}
UNSIGNED: dict[str, Binary] = {
    "arith.divui": divide,
    "arith.remui": remainder,
    "arith.ceildivui": ceiling,
    "arith.maxui": maximum,
    "arith.minui": minimum,
}
SHIFTS = {
    "arith.shli": elementwise.shift_left,
    "arith.shrsi": elementwise.shift_right_arithmetic,
    "arith.shrui": elementwise.shift_right_logical,
}
FLAGS = ("overflowFlags", "isExact")


def on_integers(function: Binary, convert: Callable[[Tensor, TensorType], Tensor]) -> Callable[..., Tensor]:
    def apply(a: Tensor, b: Tensor, *, types: Types) -> Tensor:
        return in_type(function(convert(a, types[0]), convert(b, types[0])), types[0])

    return apply


def shifting(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def apply(a: Tensor, b: Tensor, *, types: Types) -> Tensor:
        bits = TensorType(types[0].shape, ScalarType(f"i{bit_width(types[0].element)}"))
        return function(a, b, types=[bits, bits])

    return apply


for _table, _convert in ((SIGNED, with_sign), (UNSIGNED, without_sign)):
    for _name, _function in _table.items():
        rule(_name, ignored=FLAGS)(on_integers(_function, _convert))
for _name, _shift in SHIFTS.items():
    rule(_name, ignored=FLAGS)(shifting(_shift))

INTEGER_PREDICATES = ("EQ", "NE", "LT", "LE", "GT", "GE", "LT", "LE", "GT", "GE")


@rule("arith.cmpi")
def compare_integers(a: Tensor, b: Tensor, *, predicate: int, types: Types) -> Tensor:
    """Predicates are eq ne slt sle sgt sge ult ule ugt uge, numbered from 0."""
    convert = with_sign if predicate < 6 else without_sign
    return COMPARE[INTEGER_PREDICATES[predicate]](convert(a, types[0]), convert(b, types[0]))


FLOAT_PREDICATES = ("EQ", "GT", "GE", "LT", "LE", "NE")


@rule("arith.cmpf", ignored=("fastmath",))
def compare_floats(a: Tensor, b: Tensor, *, predicate: int) -> Tensor:
    """Predicates are false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true, numbered from 0."""
    unordered = is_nan(a) | is_nan(b)
    if predicate in (0, 15):
        return unordered.const_like(predicate == 15)
    if predicate in (7, 14):
        return unordered if predicate == 14 else unordered.logical_not()
    holds = COMPARE[FLOAT_PREDICATES[(predicate - 1) % 7]](a, b)
    return unordered.where(predicate > 7, holds)


rule("arith.select", storage=True)(elementwise.select)


# ---------------------------------------------------------------- arith on floats

FLOATS: dict[str, Binary] = {
    **{name: function for name, function in SAME.items() if name.endswith("f")},
    # If one operand is NaN, these return the other one.
    "arith.maxnumf": lambda a, b: is_nan(a).where(b, is_nan(b).where(a, maximum(a, b))),
    "arith.minnumf": lambda a, b: is_nan(a).where(b, is_nan(b).where(a, minimum(a, b))),
}


def check_rounding(mode: int) -> None:
    if mode != 0:
        words = ("to nearest even", "downward", "upward", "toward zero", "to nearest away")[mode]
        raise UnsupportedOp(f"rounds {words}; hlo2tiny rounds to nearest even")


def on_floats(function: Binary) -> Callable[..., Tensor]:
    def apply(a: Tensor, b: Tensor, *, roundingmode: int = 0) -> Tensor:
        check_rounding(roundingmode)
        return function(a, b)

    return apply


for _name, _function in FLOATS.items():
    rule(_name, ignored=("fastmath",))(on_floats(_function))
rule("arith.negf", ignored=("fastmath",))(negate)
rule("arith.remf", ignored=("fastmath",))(remainder)

# ---------------------------------------------------------------- arith's casts


@rule("arith.extsi", "arith.trunci", "arith.index_cast", ignored=("overflowFlags",))
def cast_signed(x: Tensor, *, types: Types, out: Types) -> Tensor:
    return low_bits(with_sign(x, types[0]), out[0])


@rule("arith.extui", "arith.index_castui", ignored=("nonNeg",))
def cast_unsigned(x: Tensor, *, types: Types, out: Types) -> Tensor:
    return low_bits(without_sign(x, types[0]), out[0])


def low_bits(x: Tensor, type: TensorType) -> Tensor:
    return (x & 1) != 0 if is_i1(type) else x.cast(compute_dtype(type.element))


@rule("arith.sitofp")
def signed_to_float(x: Tensor, *, types: Types, out: Types) -> Tensor:
    return convert_real(with_sign(x, types[0]), out[0].element)


@rule("arith.uitofp", ignored=("nonNeg",))
def unsigned_to_float(x: Tensor, *, types: Types, out: Types) -> Tensor:
    return convert_real(without_sign(x, types[0]), out[0].element)


rule("arith.fptosi")(lambda x, *, out: truncated(x, out[0], "i"))
rule("arith.fptoui")(lambda x, *, out: truncated(x, out[0], "ui"))


def truncated(x: Tensor, type: TensorType, kind: str) -> Tensor:
    """arith leaves numbers that are out of range undefined; here they saturate, as in StableHLO's convert."""
    if is_i1(type):
        return x.trunc() != 0
    number = convert_real(x, ScalarType(f"{kind}{bit_width(type.element)}"))
    dtype = compute_dtype(type.element)
    return number if number.dtype == dtype else number.bitcast(dtype)


@rule("arith.extf", "arith.truncf", ignored=("fastmath",))
def convert_float(x: Tensor, *, roundingmode: int = 0, out: Types) -> Tensor:
    check_rounding(roundingmode)
    return convert_real(x, out[0].element)


rule("arith.bitcast", storage=True)(elementwise.bitcast_convert)

# ---------------------------------------------------------------- tensor


@rule("tensor.from_elements", storage=True)
def from_elements(*xs: AnyTensor, out: Types) -> AnyTensor:
    shape = static_shape(out[0])
    if not xs:
        return filled(0, out[0])
    return halfwise(lambda first, *others: first.stack(*others).reshape(shape), *xs)


@rule("tensor.splat", storage=True)
def splat(x: AnyTensor, *, out: Types) -> AnyTensor:
    return broadcast_scalar(x, static_shape(out[0]))


@rule("tensor.extract", storage=True)
def extract(x: AnyTensor, *at: Tensor) -> AnyTensor:
    """One element; for indices that are out of range, which tensor leaves undefined, the nearest one."""
    part = dynamic_slice(x, *at, slice_sizes=(1,) * len(at)) if at else x
    return each(part, lambda t: t.reshape(()))


@rule("tensor.dim", storage=True)
def dimension(x: AnyTensor, index: Tensor, *, out: Types) -> Tensor:
    result = repeated(0, (), storage_dtype(out[0].element))
    for number, size in enumerate(x.shape):
        result = (index == number).where(int(size), result)
    return result


rule("tensor.cast", storage=True)(lambda x: x)


@rule("tensor.empty", storage=True)
def empty(*, out: Types) -> AnyTensor:
    """Any contents will do."""
    return filled(0, out[0])
