"""The elementary and special functions: one row for each op, with its formulas.

Each is computed in the dtype of its operands; only C code may compute float32 in float64, where that is as fast.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..errors import UnsupportedOp
from ..tinygrad.expressions import DType, Tensor, call_function, dtypes, repeated_number, typed_results
from . import complex_elementary as complex_
from . import elementary as real
from . import special
from .elementary import Pair
from .elementwise import is_float
from .registry import Lowering, rule
from .values import Complex


@dataclass(frozen=True)
class Function:
    """The formulas of an op.

    Attributes:
        real: takes and returns tensors of one dtype.
        complex: takes the real and imaginary parts of the operands, and returns those of the result.
        double: the function of targets/c/doubles.c that C code calls instead of `real` in float64.
        pair: how the names of its functions begin that C code calls instead of `complex`, for each part of the result.
        c: the function of targets/c/elementary.c that C code calls instead of `real` in float32; without one, C code
            computes `real` in float64 and rounds once.
        single: another such function, with a shorter chain of dependent operations, for tensors of one element.
        short: takes the first operand, the number that the second repeats, and the dtype to compute in; returns the
            result if there is a shorter formula for that number, else None.
    """

    real: Callable[..., Tensor]
    complex: Callable[..., Pair] | None = None
    double: str = ""
    pair: str = ""
    c: str = ""
    single: str = ""
    short: Callable[[Tensor, float, DType], Tensor | None] | None = None

    def __call__(self, lowering: Lowering, *operands: Any) -> Tensor | Complex:
        x = operands[0]
        if isinstance(x, Complex):
            return self.of_complex(lowering, *operands)
        if not is_float(x):
            return self.real(*operands)
        if self.short is not None and (number := repeated_number(operands[1])) is not None:
            result = self.short(x, number, lowering.work(x))
            if result is not None:
                return result
        if self.c and x.dtype == dtypes.float32 and lowering.calls_c:
            name = self.single if self.single and x.numel() == 1 else self.c
            (result,) = typed_results(lambda *xs: [call_function(name, *xs)], operands)
        else:
            operands = tuple(operand.cast(lowering.work(x)) for operand in operands)
            called = self.double and lowering.on_processor
            formula = partial(call_function, self.double) if called else self.real
            (result,) = typed_results(lambda *xs: [formula(*xs)], operands)
        return result.cast(x.dtype)

    def of_complex(self, lowering: Lowering, *operands: Complex) -> Complex:
        if self.complex is None:
            raise UnsupportedOp("hlo2tiny does not support complex operands of this op yet")
        dtype = operands[0].real.dtype
        parts = [part.cast(lowering.work(part)) for z in operands for part in (z.real, z.imag)]
        called = self.pair and lowering.on_processor
        real, imag = typed_results(partial(call_pair, self.pair) if called else self.complex, parts)
        return Complex(real.cast(dtype), imag.cast(dtype))


# How the names of functions end that compute a part of a complex number.
PARTS = ("re", "im")


def call_pair(name: str, *parts: Tensor) -> Pair:
    real, imag = (call_function(f"{name}_{part}", *parts) for part in PARTS)
    return real, imag


FUNCTIONS = {
    "chlo.acos": Function(real.acos, complex_.acos, double="acos_d", pair="acos_z"),
    "chlo.acosh": Function(real.acosh, complex_.acosh, double="acosh_d", pair="acosh_z"),
    "chlo.asin": Function(real.asin, complex_.asin, double="asin_d", pair="asin_z"),
    "chlo.asinh": Function(real.asinh, complex_.turn_function(complex_.asin), double="asinh_d", pair="asinh_z"),
    "chlo.atan": Function(real.atan, complex_.turn_function(complex_.atanh), double="atan_d", pair="atan_z"),
    "chlo.atanh": Function(real.atanh, complex_.atanh, double="atanh_d", pair="atanh_z"),
    "chlo.bessel_i1e": Function(special.bessel_i1e, double="bessel_i1e_d"),
    "chlo.cosh": Function(real.cosh, complex_.cosh, double="cosh_d", pair="cosh_z"),
    "chlo.digamma": Function(special.digamma, double="digamma_d"),
    "chlo.erf": Function(real.erf, double="erf_d", c="erf_f"),
    "chlo.erf_inv": Function(real.erf_inv, double="erf_inv_d"),
    "chlo.erfc": Function(real.erfc, double="erfc_d"),
    "chlo.lgamma": Function(special.lgamma, double="lgamma_d"),
    "chlo.polygamma": Function(special.polygamma, double="polygamma_d"),
    "chlo.sinh": Function(real.sinh, complex_.sinh, double="sinh_d", pair="sinh_z"),
    "chlo.tan": Function(real.tangent, complex_.turn_function(complex_.tanh), double="tan_d", pair="tan_z", c="tan_f"),
    "chlo.zeta": Function(special.zeta, double="zeta_d"),
    "stablehlo.atan2": Function(real.atan2, complex_.complex_atan2, double="atan2_d", pair="atan2_z"),
    "stablehlo.cbrt": Function(real.cbrt, complex_.cbrt, double="cbrt_d", pair="cbrt_z"),
    "stablehlo.cosine": Function(
        lambda x: real.sine_cosine(x)[1], complex_.cosine, double="cos_d", pair="cos_z", c="cos_f", single="cos_1"
    ),
    "stablehlo.exponential": Function(real.exp, complex_.exp, double="exp_d", pair="exp_z", c="exp_f"),
    "stablehlo.exponential_minus_one": Function(
        real.expm1, complex_.expm1, double="expm1_d", pair="expm1_z", c="expm1_f"
    ),
    "stablehlo.log": Function(real.log, complex_.log, double="log_d", pair="log_z", c="log_f"),
    "stablehlo.log_plus_one": Function(real.log1p, complex_.log1p, double="log1p_d", pair="log1p_z", c="log1p_f"),
    "stablehlo.logistic": Function(
        real.logistic, complex_.logistic, double="logistic_d", pair="logistic_z", c="logistic_f"
    ),
    "stablehlo.power": Function(
        real.power, complex_.power, double="power_d", pair="power_z", c="power_f", short=real.short_power
    ),
    "stablehlo.rsqrt": Function(lambda x: 1 / x.sqrt(), complex_.rsqrt, pair="rsqrt_z"),
    "stablehlo.sine": Function(
        real.sine, complex_.turn_function(complex_.sinh), double="sin_d", pair="sin_z", c="sin_f", single="sin_1"
    ),
    "stablehlo.sqrt": Function(Tensor.sqrt, complex_.sqrt, pair="sqrt_z"),
    "stablehlo.tan": Function(
        real.tangent, complex_.turn_function(complex_.tanh), double="tan_d", pair="tan_z", c="tan_f"
    ),
    "stablehlo.tanh": Function(real.tanh, complex_.tanh, double="tanh_d", pair="tanh_z", c="tanh_f"),
}
SQUARE_ROOT = FUNCTIONS["stablehlo.sqrt"]


def unary(function: Function) -> Callable[..., Any]:
    return lambda x, *, lowering: function(lowering, x)


def binary(function: Function) -> Callable[..., Any]:
    return lambda x, y, *, lowering: function(lowering, x, y)


for name, function in FUNCTIONS.items():
    required = [p for p in inspect.signature(function.real).parameters.values() if p.default is p.empty]
    rule(name, ignored=("result_accuracy",))(unary(function) if len(required) == 1 else binary(function))
