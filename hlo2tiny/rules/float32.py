"""The most frequent elementary functions of float32, evaluated in float64.

The result is rounded once, so a formula that is exact to 2⁻³⁰ is as good as an exact one: 0.51 units of the last place.
What overflows or vanishes in float32 is far from the ends of float64, and NaN passes through the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..tinygrad.expressions import Tensor, dtypes, exact
from .elementary import FLOAT32, horner, power_by, significand
from .elementwise import absolute
from .floats import copy_sign, is_nan

LOG2_E = 1.4426950408889634
LN2 = 0.6931471805599453
# Adding it rounds a number to a whole one, which stands in the lowest bits of the sum.
TO_WHOLE = 1.5 * 2.0**52

# (exp(r) - 1) / r for |r| ≤ ½ ln 2, to 2⁻³¹ of exp.
EXPM1 = (
    1.0, 0.5000000047146057, 0.16666666719028936, 0.04166635277111221, 0.00833329846980059, 0.0013941118895837,
    0.00019899285575896282,
)  # fmt: skip
# (log((1+s)/(1-s)) - 2s) / s³ over z = s², for numbers between √½ and √2.
LOG = (0.6666666655404201, 0.4000012221181065, 0.28550778633191964, 0.23331614471843498)
# The same to 2⁻⁴³ of log, which a power multiplies by up to 2⁷.
LOG_OF_POWER = (0.6666666666737545, 0.39999998796848674, 0.2857175463573282, 0.22191394493172326, 0.19362776836788823)
# erf(x) / x over x², for |x| ≤ 1.
ERF = (
    1.1283791670615435, -0.3761263846802871, 0.11283782495236845, -0.026865430727670243, 0.005221031807858023,
    -0.0008484080405535107, 0.00011265959025606609, -9.667044571486996e-06,
)  # fmt: skip
# erfc(x) · exp(x²) over 1 / (x + 2), for x from 1 to 4.2, beyond which erf rounds to 1.
ERFC = (
    -0.00015676374254860242, 0.5699080416745226, 1.037635828399717, 2.7905497786109335, -1.6925849200421181,
    18.112263119942433, -30.277316404231883, 15.346496546872379,
)  # fmt: skip


def bounded(x: Tensor, limit: float) -> Tensor:
    return (x > limit).where(limit, (x < -limit).where(-limit, x))


def exp_parts(x: Tensor) -> tuple[Tensor, Tensor]:
    """s, a power of two, and q with exp(x) = s · (1 + q); |x| is at most 300."""
    shifted = exact(x * LOG2_E + TO_WHOLE)
    r = x - exact(shifted - TO_WHOLE) * LN2
    power = ((shifted.bitcast(dtypes.int64) << 52) + (1023 << 52)).bitcast(dtypes.float64)
    return power, r * horner(r, EXPM1)


def exp(x: Tensor) -> Tensor:
    power, q = exp_parts(bounded(x, 200.0))
    return is_nan(x).where(x, power * q + power)


def expm1(x: Tensor) -> Tensor:
    power, q = exp_parts(bounded(x, 200.0))
    result = power * q + exact(power - 1)
    return (is_nan(x) | (x == 0)).where(x, result)


def logistic(x: Tensor) -> Tensor:
    power, q = exp_parts(-bounded(x, 200.0))
    return is_nan(x).where(x, 1 / (power * q + power + 1))


def tanh(x: Tensor) -> Tensor:
    """(e - 1) / (e + 1) with e = exp(2x)."""
    power, q = exp_parts(bounded(x, 20.0) * 2)
    less_one = power * q + exact(power - 1)
    return (is_nan(x) | (x == 0)).where(x, less_one / (less_one + 2))


def log_of_positive(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    m, n = significand(x)
    s = exact(m - 1) / (m + 1)
    z = s * s
    return n.cast(dtypes.float64) * LN2 + (s * 2 + s * z * horner(z, coefficients))


def log(x: Tensor) -> Tensor:
    usual = (x > 0) & (x < float("inf"))
    result = log_of_positive(usual.where(x, 1.0), LOG)
    return usual.where(result, (x == 0).where(-float("inf"), (x < 0).where(float("nan"), x)))


def log1p(x: Tensor) -> Tensor:
    small = absolute(x) < 2.0**-12
    near = small.where(x, 0.0)
    return small.where(near - near * near * (0.5 - near * (1 / 3)), log(small.where(0.0, x) + 1))


def power(x: Tensor, y: Tensor) -> Tensor:
    exponent = bounded(y, 2.0**40)  # infinity times log(1) is not a number

    def of_positive(size: Tensor) -> Tensor:
        first, q = exp_parts(bounded(exponent * log_of_positive(size, LOG_OF_POWER), 200.0))
        return first * q + first

    return power_by(of_positive, x, y)


def erf(x: Tensor) -> Tensor:
    size = absolute(x)
    near = size < 1
    inner = near.where(x, 0.0)
    outer = near.where(1.0, (size < 4.2).where(size, 4.2))
    power, q = exp_parts(-outer * outer)
    far = copy_sign(1 - (power * q + power) * horner(1 / (outer + 2), ERFC), x)
    return is_nan(x).where(x, near.where(inner * horner(inner * inner, ERF), far))


FLOAT32.update(
    {
        "chlo.erf": erf,
        "stablehlo.exponential": exp,
        "stablehlo.exponential_minus_one": expm1,
        "stablehlo.log": log,
        "stablehlo.log_plus_one": log1p,
        "stablehlo.logistic": logistic,
        "stablehlo.power": power,
        "stablehlo.tanh": tanh,
    }
)
