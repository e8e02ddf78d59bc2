"""Elementary functions, real and complex, and power."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tinygrad import Tensor, dtypes

from ..errors import UnsupportedOp
from .elementwise import (
    SIGNED_BITS,
    UNSIGNED,
    absolute,
    copy_sign,
    hypot,
    is_float,
    is_nan,
    maximum,
    minimum,
    multiply,
    width,
)
from .registry import rule
from .values import Complex, work

# ---------------------------------------------------------------- elementary functions


def in_work(function: Callable[..., Tensor]) -> Callable[..., Any]:
    """Evaluate a function of real numbers in the work dtype and round its result once."""

    def apply(x: Any, *rest: Tensor) -> Any:
        if isinstance(x, Complex):
            raise UnsupportedOp(f"{function.__name__} of complex numbers has no rule yet")
        return function(x.cast(work(x)), *(r.cast(work(r)) for r in rest)).cast(x.dtype)

    return apply


def horner(x: Tensor, coefficients: list[float]) -> Tensor:
    """A polynomial, the constant term first."""
    result: Tensor = x.const_like(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        result = result * x + c
    return result


def exp(x: Tensor) -> Tensor:
    return (x * math.log2(math.e)).exp2()


def log(x: Tensor) -> Tensor:
    return x.log2() * math.log(2)


def expm1(x: Tensor) -> Tensor:
    # Near zero exp(x) - 1 loses digits; the series to x**15 is exact to the last bit there.
    series = x * horner(x, [1 / math.factorial(n + 1) for n in range(15)])
    return (absolute(x) < 0.5).where(series, exp(x) - 1)


def log1p(x: Tensor) -> Tensor:
    # log(1+x) = 2 atanh(x / (2+x)), a series that needs no 1+x.
    ratio = x / (2 + x)
    series = 2 * ratio * horner(ratio * ratio, [1 / (2 * n + 1) for n in range(9)])
    return (absolute(x) < 0.1).where(series, log(1 + x))


def tanh(x: Tensor) -> Tensor:
    bounded = minimum(maximum(x, x.const_like(-22.0)), x.const_like(22.0))
    e = expm1(2 * bounded)
    return (x == 0).where(x, e / (e + 2))


def logistic(x: Tensor) -> Tensor:
    return 1 / (1 + exp(-x))


def sine_cosine(x: Tensor) -> tuple[Tensor, Tensor]:
    """sin and cos by reduction to ±π/4 and the Taylor series there."""
    if x.dtype != dtypes.float64:
        return x.sin(), (math.pi / 2 - x).sin()
    turns = (x * (2 / math.pi)).round()
    r = x - turns * (math.pi / 2)
    square = r * r
    sine = r * horner(square, [(-1) ** n / math.factorial(2 * n + 1) for n in range(9)])
    cosine = horner(square, [(-1) ** n / math.factorial(2 * n) for n in range(9)])
    quadrant = (turns - 4 * (turns * 0.25).floor()).cast(dtypes.int32)
    odd = (quadrant & 1) != 0
    s, c = odd.where(cosine, sine), odd.where(sine, cosine)
    return (quadrant >= 2).where(-s, s), ((quadrant == 1) | (quadrant == 2)).where(-c, c)


def sine(x: Tensor) -> Tensor:
    return (x == 0).where(x, sine_cosine(x)[0])


def cosine(x: Tensor) -> Tensor:
    return sine_cosine(x)[1]


def tangent(x: Tensor) -> Tensor:
    s, c = sine_cosine(x)
    return (x == 0).where(x, s / c)


def atan(x: Tensor) -> Tensor:
    size = absolute(x)
    small = (size > 1).where(1 / size, size)
    # Twice atan(x) = 2 atan(x / (1 + sqrt(1 + x²))) brings the argument below 0.2.
    for _ in range(2):
        small = small / (1 + (1 + small * small).sqrt())
    series = 4 * small * horner(small * small, [(-1) ** n / (2 * n + 1) for n in range(12)])
    return copy_sign((size > 1).where(math.pi / 2 - series, series), x)


def atan2(y: Tensor, x: Tensor) -> Tensor:
    ax, ay = absolute(x), absolute(y)
    both_infinite = (ax == math.inf) & (ay == math.inf)
    ratio = both_infinite.where(1.0, minimum(ax, ay) / (maximum(ax, ay) == 0).where(1.0, maximum(ax, ay)))
    angle = atan(ratio)
    angle = (ay > ax).where(math.pi / 2 - angle, angle)
    negative = x.bitcast(SIGNED_BITS[x.dtype]) < 0
    return copy_sign(negative.where(math.pi - angle, angle), y)


def cbrt(x: Tensor) -> Tensor:
    size = absolute(x)
    root = exp(log((size == 0).where(1.0, size)) / 3)
    root = root - (root * root * root - size) / (3 * root * root)
    root = ((size == 0) | (size == math.inf) | is_nan(x)).where(size, root)
    return copy_sign(root, x)


def erf_series(x: Tensor) -> Tensor:
    """erf on |x| < 2: its Maclaurin series times exp(-x²), whose terms are all positive (A&S 7.1.6)."""
    square = x * x
    coefficients, term = [], 2 / math.sqrt(math.pi)
    for n in range(40):
        coefficients.append(term)
        term *= 2 / (2 * n + 3)
    return x * horner(square, coefficients) * exp(-square)


def erfc_fraction(x: Tensor) -> Tensor:
    """erfc on x ≥ 2: its continued fraction (A&S 7.1.14), evaluated from the far end."""
    fraction = x
    for n in range(60, 0, -1):
        fraction = x + (n / 2) / fraction
    return exp(-x * x) / (fraction * math.sqrt(math.pi))


def erf(x: Tensor) -> Tensor:
    size = absolute(x)
    bounded = minimum(size, size.const_like(6.0))
    inner = erf_series(minimum(bounded, bounded.const_like(2.0)))
    outer = 1 - erfc_fraction(maximum(bounded, bounded.const_like(2.0)))
    return copy_sign((size < 2).where(inner, outer), x)


def erfc(x: Tensor) -> Tensor:
    size = absolute(x)
    bounded = minimum(size, size.const_like(28.0))
    inner = 1 - erf_series(minimum(bounded, bounded.const_like(2.0)))
    tail = (size < 2).where(inner, erfc_fraction(maximum(bounded, bounded.const_like(2.0))))
    return (x < 0).where(2 - tail, tail)


def erf_inv(x: Tensor) -> Tensor:
    # Winitzki's closed form to 0.2 %, then Halley's steps, each of which triples the digits; near ±1 on erfc.
    size = absolute(x)
    logarithm = log1p(-size * size)
    a = 0.147
    half = 2 / (math.pi * a) + logarithm / 2
    guess = ((half * half - logarithm / a).sqrt() - half).sqrt()
    guess = (size < 1).where(guess, 1.0)
    for _ in range(2):
        series = erf_series(minimum(guess, guess.const_like(2.0)))
        tail = (guess < 2).where(1 - series, erfc_fraction(maximum(guess, guess.const_like(2.0))))
        error = (size < 0.5).where(series - size, (1 - size) - tail)
        step = error * (math.sqrt(math.pi) / 2) * exp(guess * guess)
        guess = guess - step / (1 + guess * step)
    result = (size == 1).where(math.inf, (size > 1).where(math.nan, (size == 0).where(0.0, guess)))
    return copy_sign(result, x)


# ---------------------------------------------------------------- complex elementary functions


def complex_exp(z: Complex) -> Complex:
    size = in_work(exp)(z.real)
    s, c = in_work(sine)(z.imag), in_work(cosine)(z.imag)
    return Complex(size * c, (z.imag == 0).where(z.imag, size * s))


def complex_log(z: Complex) -> Complex:
    return Complex(in_work(log)(hypot(z.real, z.imag)), in_work(atan2)(z.imag, z.real))


def complex_sqrt(z: Complex) -> Complex:
    size = hypot(z.real, z.imag)
    root = ((size + absolute(z.real)) * 0.5).sqrt()
    other = absolute(z.imag) / (root == 0).where(1.0, 2 * root)
    positive = z.real >= 0
    return Complex(positive.where(root, other), copy_sign(positive.where(other, root), z.imag))


COMPLEX = {exp: complex_exp, log: complex_log}


def elementary(function: Callable[..., Tensor]) -> Callable[..., Any]:
    real, of_complex = in_work(function), COMPLEX.get(function)

    def apply(*operands: Any, result_accuracy: Any = None) -> Any:
        if isinstance(operands[0], Complex) and of_complex is not None:
            return of_complex(operands[0])
        return real(*operands)

    return with_operands(apply, function.__code__.co_argcount)


def with_operands(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Give a row of the table the signature of its number of operands."""
    if count == 1:
        return lambda x, *, result_accuracy=None: function(x)
    return lambda x, y, *, result_accuracy=None: function(x, y)


def square_root(x: Any) -> Any:
    return complex_sqrt(x) if isinstance(x, Complex) else x.sqrt()


def reciprocal_square_root(x: Any) -> Any:
    if isinstance(x, Complex):
        one = Complex(x.real.const_like(1), x.imag.const_like(0))
        return one / complex_sqrt(x)
    return (1 / x.cast(work(x)).sqrt()).cast(x.dtype)


def power(a: Any, b: Any) -> Any:
    if isinstance(a, Complex):
        raise UnsupportedOp("power of complex numbers has no rule yet")
    if not is_float(a):
        return integer_power(a, b)
    x, y = a.cast(work(a)), b.cast(work(a))
    whole = y == y.trunc()
    odd = whole & ((y * 0.5).trunc() != y * 0.5)
    size = absolute(x)
    result = exp(log(size) * y)
    result = (y == 0).where(1.0, result)
    result = (size == 0).where((y < 0).where(math.inf, (y == 0).where(1.0, is_nan(y).where(y, 0.0))), result)
    infinite_y = absolute(y) == math.inf
    limit = (size == 1).where(1.0, ((size > 1) == (y > 0)).where(math.inf, 0.0))
    result = infinite_y.where(is_nan(x).where(x, limit), result)
    negative = x.bitcast(SIGNED_BITS[x.dtype]) < 0
    result = (negative & odd).where(-result, result)
    finite_negative = (x < 0) & (x > -math.inf)
    result = (finite_negative & ~whole & ~infinite_y).where(math.nan, result)
    return (x == 1).where(1.0, result).cast(a.dtype)


def integer_power(a: Tensor, b: Tensor) -> Tensor:
    result, base = a.const_like(1), a
    for bit in range(width(a) if a.dtype not in UNSIGNED else width(a) - 1):
        result = ((b >> bit) & 1 != 0).where(multiply(result, base), result)
        base = multiply(base, base)
    if a.dtype not in UNSIGNED:
        return result
    odd = (b & 1) != 0
    negative = (a == 1).where(1, (a == -1).where(odd.where(-1, 1), (a == 0).where(-1, 0)))
    return (b < 0).where(negative.cast(a.dtype), result)


# ---------------------------------------------------------------- the table

ELEMENTARY: dict[str, Callable[..., Any]] = {
    "stablehlo.atan2": atan2,
    "stablehlo.cbrt": cbrt,
    "stablehlo.cosine": cosine,
    "stablehlo.exponential": exp,
    "stablehlo.exponential_minus_one": expm1,
    "stablehlo.log": log,
    "stablehlo.log_plus_one": log1p,
    "stablehlo.logistic": logistic,
    "stablehlo.sine": sine,
    "stablehlo.tan": tangent,
    "stablehlo.tanh": tanh,
    "chlo.erf": erf,
    "chlo.erf_inv": erf_inv,
    "chlo.erfc": erfc,
}


def register_table() -> None:
    for name, function in ELEMENTARY.items():
        rule(name)(elementary(function))
    rule("stablehlo.power")(lambda a, b: power(a, b))
    rule("stablehlo.sqrt")(with_operands(square_root, 1))
    rule("stablehlo.rsqrt")(with_operands(reciprocal_square_root, 1))


register_table()
