"""The error functions of real numbers and their inverse, as elementary.py has other functions."""

from __future__ import annotations

import math
from fractions import Fraction

from ..tinygrad.expressions import Tensor, dtypes, exact
from .elementary import chosen, exp_terms, log_sum
from .elementwise import absolute
from .floats import copy_sign, is_nan
from .pairs import halves, head, high_low, horner, plus_constant, quotient, scale

# erfc is zero above this number.
ERFC_LIMIT = {dtypes.float32: 11.0, dtypes.float64: 28.0}
# erf(x) / x - 1 as a polynomial in x², for |x| ≤ ½; error below 2⁻³⁶ and 2⁻⁶⁵.
ERF = {
    dtypes.float32: (
        0.12837916708248617, -0.37612638527634995, 0.11283774070474477, -0.026863148441894816, 0.0052004336154296595,
        -0.0007694774935764009,
    ),
    dtypes.float64: (
        0.1283791670955126, -0.3761263890318375, 0.1128379167095487, -0.02686617064500007, 0.005223977622023477,
        -0.0008548326511407179, 0.00012055286243361882, -1.4923004808813674e-05, 1.6371261008467915e-06,
        -1.4621112923614405e-07,
    ),
}  # fmt: skip
# (1 + 2x) exp(x²) erfc(x) for x between ½ and `ERFC_LIMIT` as a polynomial in (x - 3.75) / (x + 3.75); errors below
# 2⁻³⁴ and 2⁻⁵⁶, relative.
ERFC = {
    dtypes.float32: (
        1.237512630815274, -0.14024059810995215, 0.003585420261596945, 0.0822767070254105, -0.10880410428901856,
        0.09230486677244822, -0.058690972325157395, 0.028358848214737532, -0.009762162718076341, 0.001762007943756022,
        0.0003397087820941174, -0.0002820670485917565,
    ),
    dtypes.float64: (
        1.2375126308378275, -0.1402405985855468, 0.0035854154854671316, 0.08227673849012251, -0.1088039301419298,
        0.09230432116129123, -0.05869339858491635, 0.02836227740236921, -0.009746579621151908, 0.0017556260165113402,
        0.0002937141581270579, -0.0002901550434058942, 5.1646699548111685e-05, 2.2387776892804165e-05,
        -1.1436615620326603e-05, -9.817699269870272e-07, 1.7363578639081182e-06, -4.545214308254728e-08,
        -2.391695142745357e-07, 1.3595708459620352e-08, 2.4179783660704733e-08,
    ),
}  # fmt: skip
# erf⁻¹(x) / x as polynomials, one for each of three intervals, with w = -log(1 - x²) and s = √w. float32: in x² for
# w ≤ ½, in w - 2.5 for w ≤ 5, in s - 3 above; relative errors below 2⁻²⁶. float64: in w - 2.5 for w ≤ 5, in s - 3 for
# w ≤ 14, in s - 4.875 for w ≤ 36.1; relative errors below 2⁻⁵⁴.
ERF_INVERSE = {
    dtypes.float32: (
        (
            0.8862269254070554, 0.23201368868882757, 0.12755439923371767, 0.08660721076168248, 0.0640972582620982,
            0.059407369193849965, 0.0019469747708689372, 0.16723768849449583, -0.20602228980045414, 0.2315218596159776,
        ),
        (
            1.5014093540310238, 0.24664029561936893, -0.004177344815270971, -0.0012527726842540884,
            0.00021829381094821073, -4.9360884634245476e-06, -3.4435159048615132e-06, 4.572182525136194e-07,
            2.098051645690834e-08, -7.810780547218134e-09,
        ),
        (
            2.832976801671734, 1.0016749619814111, 0.009445261937878402, -0.0076372033151386924, 0.005687185719703717,
            -0.0035978136847804915, 0.0014845286728543646, -5.600158636488794e-05, -0.00030911507065759696,
            0.00011517675320473605,
        ),
    ),
    dtypes.float64: (
        (
            1.5014093511107918, 0.2466402767441668, -0.004177317724381887, -0.0012527079078084049,
            0.00021825026433398305, -4.996079608543593e-06, -3.4166195736784723e-06, 4.787252347271448e-07,
            1.3416777025118941e-08, -1.0861183692561e-08, 9.073219054193928e-10, 1.196150084891786e-10,
            -3.1110575224075795e-11, 9.088481169099173e-13, 5.377718015353339e-13, -7.554761098508795e-14,
            -3.25845255337463e-15, 1.8213481258868586e-15, -9.521180355816686e-17, -2.1352470799892503e-17,
            2.3395830396043042e-18,
        ),
        (
            2.8329767987282706, 1.0016752766933992, 0.009445522011994386, -0.007643805569979108, 0.005685182417579764,
            -0.003558794019247322, 0.001483737352282995, -0.00014889804121687668, -0.0002831245373420351,
            0.00020551597049560234, -4.645947850065041e-05, -2.2869376975956728e-05, 2.1929930203959974e-05,
            -5.961399974538833e-06, -1.6386645024629309e-06, 2.0315069941816586e-06, -6.692963991521704e-07,
            -1.2384684574999053e-07, 1.9488016450135297e-07, -2.9682745311350164e-08, -1.8515147973280615e-08,
        ),
        (
            4.7236171149637975, 1.010324446562391, -5.0556819529339046e-05, -0.0002562887347991169,
            8.942926140494664e-05, -2.3429531222675097e-05, 5.507980071984567e-06, -1.2683320650090513e-06,
            3.3147675194103033e-07, -1.2097619752784964e-07, 6.034163130820283e-08, -3.234509713929552e-08,
            1.579250932955111e-08, -6.495672072339978e-09, 2.1293686716263427e-09, -4.715769683448522e-10,
            -2.340864258513098e-11, 8.464443401256304e-11, -3.432149989760874e-11, 4.628686292523006e-12, 0.0,
        ),
    ),
}  # fmt: skip


def erf_near(x: Tensor) -> Tensor:
    return x + x * horner(x * x, ERF[x.dtype])


def erfc_far(x: Tensor) -> Tensor:
    """erfc(x) for x ≥ ½: exp(-x²) times a quotient, with x² as a pair."""
    limit = ERFC_LIMIT[x.dtype]
    x = (x < limit).where((x < 0.5).where(0.5, x), limit)
    first, second = halves(x)
    k, r, t = exp_terms(-first * first, -second * (x + first))
    ratio, coefficients = (x - 3.75) / (x + 3.75), ERFC[x.dtype]
    dividend = plus_constant(Fraction(coefficients[0]), ratio * horner(ratio, coefficients[1:]))
    divisor = head(2 * x + 1)
    value, low = quotient(dividend, (divisor, 2 * x + exact(1 - divisor)))
    return scale(((r + t) * (low + value) + low) + value, k)


def erf(x: Tensor) -> Tensor:
    size = absolute(x)
    result = copy_sign((size < 0.5).where(erf_near(size), 1 - erfc_far(size)), x)
    return is_nan(x).where(x, result)


def erfc(x: Tensor) -> Tensor:
    size = absolute(x)
    far = erfc_far(size)
    near = 1 - erf_near((size < 0.5).where(x, 0.0))
    return is_nan(x).where(x, (size < 0.5).where(near, (x < 0).where(2 - far, far)))


def erf_inv(x: Tensor) -> Tensor:
    size = absolute(x)
    a = (size < 1).where(size, 0.0)
    w = -log_sum((1 - a) * (1 + a))
    s = w.sqrt()
    if x.dtype == dtypes.float32:
        intervals = [w < 0.5, w < 5]
        t = intervals[0].where(a * a, intervals[1].where(w - 2.5, s - 3))
    else:
        intervals = [w < 5, w < 14]
        t = intervals[0].where(w - 2.5, intervals[1].where(s - 3, s - 4.875))
    high, low = zip(*(high_low(Fraction(numbers[0]), x.dtype) for numbers in ERF_INVERSE[x.dtype]))
    others = [chosen(intervals, numbers, x) for numbers in zip(*(numbers[1:] for numbers in ERF_INVERSE[x.dtype]))]
    first, second = halves(size)
    top = chosen(intervals, high, x)
    result = (size * (t * horner(t, others) + chosen(intervals, low, x)) + second * top) + first * top
    return copy_sign((size < 1).where(result, (size == 1).where(x.const_like(math.inf), math.nan)), x)
