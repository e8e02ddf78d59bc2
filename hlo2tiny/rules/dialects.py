"""Ops of other dialects that exporters use: Shardy (sdy), arith and tensor. Those of shape are folded (ops/shape.py).

Scalars of arith are tensors of rank 0 here. Its integers have no sign: the op says whether they are signed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from ..errors import UnsupportedOp
from ..ir import ScalarType, TensorType
from ..ir.dtypes import bit_width, numpy_dtype, static_shape
from ..ops import OPS, Trait, names_with
from ..ops.arith import is_unsigned
from ..tinygrad.dtypes import compute_dtype, storage_dtype
from ..tinygrad.expressions import BITS, Tensor
from .conversion import convert, convert_real
from .elementwise import COMPARE, add, divide, is_float, maximum, minimum, negate, remainder, subtract, unsigned_bits
from .floats import is_nan
from .gather import dynamic_slice
from .movement import constant as dense_constant
from .movement import fill_tensor
from .narrow import convert_integer
from .registry import RULES, Lowering, Types, rule
from .values import AnyTensor, broadcast_scalar, each, halfwise, repeat_number

# ---------------------------------------------------------------- Shardy: how values are distributed over devices


SHARDINGS = {attribute for name in names_with(Trait.IDENTITY) if name in OPS for attribute in OPS[name].attributes}


@rule(*names_with(Trait.IDENTITY), ignored=sorted(SHARDINGS), storage=True)
def keep_value(x: AnyTensor) -> AnyTensor:
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
    return fill_tensor(np.asarray(value).astype(numpy_dtype(out[0].element)), out[0])


@rule("chlo.constant_like", storage=True)
def constant_like(x: AnyTensor, *, value: float, out: Types) -> AnyTensor:
    return fill_tensor(np.asarray(value).astype(numpy_dtype(out[0].element)), out[0])


# ---------------------------------------------------------------- arith


def as_number(x: Tensor, type: TensorType, unsigned: bool) -> Tensor:
    """An operand as StableHLO's op takes it: integers with their sign, where the i1 true is -1, or as unsigned."""
    if is_float(x):
        return x
    if is_i1(type):
        return x.cast("uint32") if unsigned else negate(x.cast("int32"))
    return unsigned_bits(x, bit_width(type.element)) if unsigned else x


def is_i1(type: TensorType) -> bool:
    return type.element == ScalarType("i1")


def in_type(x: Tensor, type: TensorType) -> Tensor:
    """The result of arithmetic on numbers (see `as_number`), in the op's type."""
    if is_i1(type):
        return (x & 1) != 0
    dtype = compute_dtype(type.element)
    return x if x.dtype == dtype else x.bitcast(dtype)


def check_rounding(mode: int) -> None:
    if mode != 0:
        words = ("to nearest even", "downward", "upward", "toward zero", "to nearest away")[mode]
        raise UnsupportedOp(f"rounds {words}; hlo2tiny rounds to nearest even")


def applying(function: Callable[..., Tensor], context: Collection[str], unsigned: bool) -> Callable[..., Tensor]:
    """The function of an op that does the same as a StableHLO op on signed or unsigned numbers."""

    def apply(*xs: Tensor, types: Types, lowering: Lowering, roundingmode: int = 0) -> Tensor:
        check_rounding(roundingmode)
        given = {"types": types, "lowering": lowering}
        numbers = [as_number(x, type, unsigned) for x, type in zip(xs, types)]
        return in_type(function(*numbers, **{name: given[name] for name in context}), types[0])

    return apply


def converting(unsigned: bool) -> Callable[..., Tensor]:
    """The function of a cast. Integers keep their low bits; floats that are out of range, which arith leaves undefined,
    saturate, as in StableHLO's convert."""

    def convert(x: Tensor, *, types: Types, out: Types, lowering: Lowering, roundingmode: int = 0) -> Tensor:
        check_rounding(roundingmode)
        type, dtype = out[0], compute_dtype(out[0].element)
        if dtype in BITS:
            return convert_real(as_number(x, types[0], unsigned), type.element, lowering)
        if not is_float(x):
            x = as_number(x, types[0], unsigned)
            return (x & 1) != 0 if is_i1(type) else convert_integer(x, dtype)
        if is_i1(type):
            return x.trunc() != 0
        number = convert_real(x, ScalarType(f"{'u' * unsigned}i{bit_width(type.element)}"), lowering)
        return number if number.dtype == dtype else number.bitcast(dtype)

    return convert


def ceiling(a: Tensor, b: Tensor) -> Tensor:
    rest = remainder(a, b)
    return add(divide(a, b), ((rest != 0) & ((rest < 0) == (b < 0))).where(a.const_like(1), a.const_like(0)))


def floor(a: Tensor, b: Tensor) -> Tensor:
    rest = remainder(a, b)
    return subtract(divide(a, b), ((rest != 0) & ((rest < 0) != (b < 0))).where(a.const_like(1), a.const_like(0)))


def largest(a: Tensor, b: Tensor) -> Tensor:
    """The maximum; if one operand is NaN, the other one."""
    return is_nan(a).where(b, is_nan(b).where(a, maximum(a, b)))


def smallest(a: Tensor, b: Tensor) -> Tensor:
    return is_nan(a).where(b, is_nan(b).where(a, minimum(a, b)))


# The ops without a counterpart in StableHLO.
ARITH = {
    "arith.ceildivsi": ceiling,
    "arith.ceildivui": ceiling,
    "arith.floordivsi": floor,
    "arith.maxnumf": largest,
    "arith.minnumf": smallest,
}
FLAGS = ("overflowFlags", "isExact", "nonNeg", "fastmath")

for _name, _row in OPS.items():
    if _name.startswith("arith.") and (_row.same_as or _name in ARITH):
        _twin = RULES.get(_row.same_as)
        _unsigned = is_unsigned(_name)
        if _twin is None:
            rule(_name, ignored=FLAGS)(applying(ARITH[_name], (), _unsigned))
        elif _twin.storage:
            rule(_name, storage=True)(_twin.function)
        elif _twin.function is convert:
            rule(_name, ignored=FLAGS)(converting(_unsigned))
        else:
            rule(_name, ignored=FLAGS)(applying(_twin.function, _twin.context, _unsigned))

INTEGER_PREDICATES = ("EQ", "NE", "LT", "LE", "GT", "GE", "LT", "LE", "GT", "GE")


@rule("arith.cmpi")
def compare_integers(a: Tensor, b: Tensor, *, predicate: int, types: Types) -> Tensor:
    """Predicates are eq ne slt sle sgt sge ult ule ugt uge, numbered from 0."""
    a, b = (as_number(x, types[0], predicate >= 6) for x in (a, b))
    return COMPARE[INTEGER_PREDICATES[predicate]](a, b)


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


# ---------------------------------------------------------------- tensor


@rule("tensor.from_elements", storage=True)
def from_elements(*xs: AnyTensor, out: Types) -> AnyTensor:
    shape = static_shape(out[0])
    if not xs:
        return fill_tensor(0, out[0])
    return halfwise(lambda first, *others: first.stack(*others).reshape(shape), *xs)


@rule("tensor.splat", storage=True)
def splat(x: AnyTensor, *, out: Types) -> AnyTensor:
    return broadcast_scalar(x, static_shape(out[0]))


@rule("tensor.extract", storage=True)
def extract(x: AnyTensor, *at: Tensor, lowering: Lowering) -> AnyTensor:
    """One element; for indices that are out of range, which tensor leaves undefined, the nearest one."""
    part = dynamic_slice(x, *at, slice_sizes=(1,) * len(at), lowering=lowering) if at else x
    return each(part, lambda t: t.reshape(()))


@rule("tensor.dim", storage=True)
def dimension(x: AnyTensor, index: Tensor, *, out: Types) -> Tensor:
    result = repeat_number(0, (), storage_dtype(out[0].element))
    for number, size in enumerate(x.shape):
        result = (index == number).where(int(size), result)
    return result


rule("tensor.cast", storage=True)(lambda x: x)


@rule("tensor.empty", storage=True)
def empty(*, out: Types) -> AnyTensor:
    """Any contents will do."""
    return fill_tensor(0, out[0])
