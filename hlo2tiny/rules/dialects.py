"""What exporters leave of other dialects: Shardy (sdy), arith, tensor. Those of shape are folded (ops/shape.py).

Scalars of arith are tensors of rank 0 here. Its integers have no sign: an op says whether it reads them as signed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import UnsupportedOp
from ..ir import ScalarType, TensorType
from ..ir.dtypes import bit_width, numpy_dtype, static_shape
from ..ops import OPS, Trait, names_with
from ..tinygrad.dtypes import compute_dtype, storage_dtype
from ..tinygrad.expressions import Tensor
from .elementwise import (
    BINARY,
    COMPARE,
    add,
    bitcast_convert,
    convert_real,
    divide,
    maximum,
    minimum,
    negate,
    remainder,
    select,
    shift_left,
    shift_right_arithmetic,
    shift_right_logical,
    subtract,
    unsigned_bits,
)
from .floats import is_nan
from .gather import dynamic_slice
from .movement import constant as dense_constant
from .movement import filled
from .registry import rule
from .values import Complex, each, repeated

# ---------------------------------------------------------------- Shardy: how values are spread over devices


@rule(*names_with(Trait.IDENTITY), storage=True)
def placed(
    x: Any,
    *,
    sharding: Any = None,
    out_sharding: Any = None,
    gathering_axes: Any = None,
    slicing_axes: Any = None,
    reduction_axes: Any = None,
    reduce_scatter_axes: Any = None,
    params: Any = None,
    axes: Any = None,
    allowed_direction: Any = None,
) -> Any:
    """Shapes are those of the whole, so each of these hands on its value, whatever the mesh."""
    return x


@rule("sdy.sharding_group", storage=True)
def sharding_group(x: Any, *, group_id: int) -> Any:
    return []


# ---------------------------------------------------------------- constants


@rule("arith.constant", storage=True)
def constant(*, value: Any, out: Any) -> Any:
    if isinstance(value, np.ndarray):
        return dense_constant(value=value, out=out)
    return filled(np.asarray(value).astype(numpy_dtype(out[0].element)), out[0])


@rule("chlo.constant_like", storage=True)
def constant_like(x: Any, *, value: Any, out: Any) -> Any:
    return filled(np.asarray(value).astype(numpy_dtype(out[0].element)), out[0])


# ---------------------------------------------------------------- arith on integers


def with_sign(x: Tensor, type: TensorType) -> Tensor:
    """The integer read as signed: a true i1 is -1."""
    return negate(x.cast("int32")) if is_i1(type) else x


def without_sign(x: Tensor, type: TensorType) -> Tensor:
    """The integer read as unsigned."""
    return x.cast("uint32") if is_i1(type) else unsigned_bits(x, bit_width(type.element))


def is_i1(type: TensorType) -> bool:
    return type.element == ScalarType("i1")


def back(x: Tensor, type: TensorType) -> Tensor:
    """A result of `with_sign` or `without_sign` numbers in the op's type."""
    if is_i1(type):
        return (x & 1) != 0
    dtype = compute_dtype(type.element)
    return x if x.dtype == dtype else x.bitcast(dtype)


def ceiling(a: Tensor, b: Tensor) -> Tensor:
    rest = remainder(a, b)
    return add_one(divide(a, b), (rest != 0) & ((rest < 0) == (b < 0)), 1)


def floor(a: Tensor, b: Tensor) -> Tensor:
    rest = remainder(a, b)
    return add_one(divide(a, b), (rest != 0) & ((rest < 0) != (b < 0)), -1)


def add_one(x: Tensor, where: Tensor, amount: int) -> Tensor:
    one = where.where(x.const_like(abs(amount)), x.const_like(0))
    return add(x, one) if amount > 0 else subtract(x, one)


# Those that mean the same as an op of StableHLO, by arith's names.
SAME = {name: BINARY[row.same_as] for name, row in OPS.items() if name.startswith("arith.") and row.same_as in BINARY}
SIGNED: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    **{name: function for name, function in SAME.items() if name.endswith("i")},
    "arith.ceildivsi": ceiling,
    "arith.floordivsi": floor,
}
UNSIGNED: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "arith.divui": divide,
    "arith.remui": remainder,
    "arith.ceildivui": ceiling,
    "arith.maxui": maximum,
    "arith.minui": minimum,
}
SHIFTS = {"arith.shli": shift_left, "arith.shrsi": shift_right_arithmetic, "arith.shrui": shift_right_logical}


def register_integers() -> None:
    def binary(function: Callable[[Tensor, Tensor], Tensor], read: Callable[..., Tensor]) -> Callable[..., Tensor]:
        def apply(a: Tensor, b: Tensor, *, overflowFlags: Any = None, isExact: Any = None, types: Any) -> Tensor:  # noqa: N803  (arith's names)
            return back(function(read(a, types[0]), read(b, types[0])), types[0])

        return apply

    for name, function in SIGNED.items():
        rule(name)(binary(function, with_sign))
    for name, function in UNSIGNED.items():
        rule(name)(binary(function, without_sign))
    for name, shift in SHIFTS.items():
        rule(name)(shifting(shift))


def shifting(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def apply(a: Tensor, b: Tensor, *, overflowFlags: Any = None, isExact: Any = None, types: Any) -> Tensor:  # noqa: N803
        bits = TensorType(types[0].shape, ScalarType(f"i{bit_width(types[0].element)}"))
        return function(a, b, types=[bits, bits])

    return apply


register_integers()

INTEGER_PREDICATES = ("EQ", "NE", "LT", "LE", "GT", "GE", "LT", "LE", "GT", "GE")


@rule("arith.cmpi")
def compare_integers(a: Tensor, b: Tensor, *, predicate: int, types: Any) -> Tensor:
    """eq ne slt sle sgt sge ult ule ugt uge, numbered from 0."""
    read = with_sign if predicate < 6 else without_sign
    return COMPARE[INTEGER_PREDICATES[predicate]](read(a, types[0]), read(b, types[0]))


FLOAT_PREDICATES = ("EQ", "GT", "GE", "LT", "LE", "NE")


@rule("arith.cmpf")
def compare_floats(a: Tensor, b: Tensor, *, predicate: int, fastmath: Any = None) -> Tensor:
    """false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true, numbered from 0."""
    unordered = is_nan(a) | is_nan(b)
    if predicate in (0, 15):
        return unordered.const_like(predicate == 15)
    if predicate in (7, 14):
        return unordered if predicate == 14 else unordered.logical_not()
    holds = COMPARE[FLOAT_PREDICATES[(predicate - 1) % 7]](a, b)
    return unordered.where(predicate > 7, holds)


rule("arith.select", storage=True)(lambda predicate, on_true, on_false: select(predicate, on_true, on_false))


# ---------------------------------------------------------------- arith on floats

FLOATS: dict[str, Callable[[Any, Any], Any]] = {
    **{name: function for name, function in SAME.items() if name.endswith("f")},
    # These prefer a number to NaN.
    "arith.maxnumf": lambda a, b: is_nan(a).where(b, is_nan(b).where(a, maximum(a, b))),
    "arith.minnumf": lambda a, b: is_nan(a).where(b, is_nan(b).where(a, minimum(a, b))),
}


def check_rounding(mode: int) -> None:
    if mode != 0:
        words = ("to nearest even", "downward", "upward", "toward zero", "to nearest away")[mode]
        raise UnsupportedOp(f"rounds {words}; hlo2tiny rounds to nearest even")


def register_floats() -> None:
    def binary(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
        def apply(a: Any, b: Any, *, fastmath: Any = None, roundingmode: int = 0) -> Any:
            check_rounding(roundingmode)
            return function(a, b)

        return apply

    for name, function in FLOATS.items():
        rule(name)(binary(function))
    rule("arith.negf")(lambda x, *, fastmath=None: negate(x))
    rule("arith.remf")(lambda a, b, *, fastmath=None, lowering: remainder(a, b, lowering))


register_floats()

# ---------------------------------------------------------------- arith's casts


@rule("arith.extsi", "arith.trunci", "arith.index_cast")
def cast_signed(x: Tensor, *, overflowFlags: Any = None, types: Any, out: Any) -> Tensor:  # noqa: N803
    return to_integer(with_sign(x, types[0]), out[0])


@rule("arith.extui", "arith.index_castui")
def cast_unsigned(x: Tensor, *, nonNeg: Any = None, types: Any, out: Any) -> Tensor:  # noqa: N803
    return to_integer(without_sign(x, types[0]), out[0])


def to_integer(x: Tensor, type: TensorType) -> Tensor:
    """Keeps the low bits."""
    return (x & 1) != 0 if is_i1(type) else x.cast(compute_dtype(type.element))


@rule("arith.sitofp")
def signed_to_float(x: Tensor, *, types: Any, out: Any) -> Any:
    return convert_real(with_sign(x, types[0]), out[0].element, ScalarType("i64"))


@rule("arith.uitofp")
def unsigned_to_float(x: Tensor, *, nonNeg: Any = None, types: Any, out: Any) -> Any:  # noqa: N803
    return convert_real(without_sign(x, types[0]), out[0].element, ScalarType("ui64"))


@rule("arith.fptosi")
def float_to_signed(x: Tensor, *, out: Any) -> Any:
    return truncated(x, out[0], "i")


@rule("arith.fptoui")
def float_to_unsigned(x: Tensor, *, out: Any) -> Any:
    return truncated(x, out[0], "ui")


def truncated(x: Tensor, type: TensorType, kind: str) -> Tensor:
    """Out of range arith leaves open; here it saturates, as StableHLO's convert does."""
    if is_i1(type):
        return x.trunc() != 0
    number = convert_real(x, ScalarType(f"{kind}{bit_width(type.element)}"))
    dtype = compute_dtype(type.element)
    return number if number.dtype == dtype else number.bitcast(dtype)


@rule("arith.extf", "arith.truncf")
def convert_float(x: Tensor, *, roundingmode: int = 0, fastmath: Any = None, types: Any, out: Any) -> Any:
    check_rounding(roundingmode)
    return convert_real(x, out[0].element, types[0].element)


rule("arith.bitcast", storage=True)(lambda x, *, types, out: bitcast_convert(x, types=types, out=out))

# ---------------------------------------------------------------- tensor


@rule("tensor.from_elements", storage=True)
def from_elements(*xs: Any, out: Any) -> Any:
    shape = static_shape(out[0])
    if not xs:
        return filled(np.zeros((), numpy_dtype(out[0].element)), out[0])
    if isinstance(xs[0], Complex):
        return Complex(*(from_elements(*(getattr(x, half) for x in xs), out=out) for half in ("real", "imag")))
    return xs[0].reshape(1).cat(*(x.reshape(1) for x in xs[1:])).reshape(shape)


@rule("tensor.splat", storage=True)
def splat(x: Any, *, out: Any) -> Any:
    shape = static_shape(out[0])
    return each(x, lambda t: t.reshape((1,) * len(shape)).expand(shape))


@rule("tensor.extract", storage=True)
def extract(x: Any, *at: Tensor) -> Any:
    """One element; out of range, which tensor leaves open, it is the nearest."""
    part = dynamic_slice(x, *at, slice_sizes=(1,) * len(at)) if at else x
    return each(part, lambda t: t.reshape(()))


@rule("tensor.dim", storage=True)
def dimension(x: Any, index: Tensor, *, out: Any) -> Any:
    size = repeated(0, (), storage_dtype(out[0].element))
    for number, each_size in enumerate(x.shape):
        size = (index == number).where(int(each_size), size)
    return size


rule("tensor.cast", storage=True)(lambda x: x)


@rule("tensor.empty", storage=True)
def empty(*, out: Any) -> Any:
    """Any contents will do."""
    return filled(np.zeros((), numpy_dtype(out[0].element)), out[0])
