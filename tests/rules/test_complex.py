"""Elementary functions of complex numbers, against mpmath: errors of each half, infinities, NaN and signs of zeros.

That each op is registered and refuses what it must is the matter of its row, in test_elementary.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
import oracles
import pytest
from accuracy import errors
from hypothesis import given
from mpmath import mpc, mpf

import hlo2tiny
from hlo2tiny.program import Program
from hlo2tiny.rules.functions import FUNCTIONS as RULES

from .mlir import Call, module_text
from .numbers import c64, c128, f32, f64, seeds, special, type_of

# Not a multiple of 4: tinygrad would unroll the kernels, which compile four times as long.
POINTS = 37


def exponential_growth(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that grows with exp(x): beyond ±3000 nothing changes, and mpmath would not end."""
    return lambda z: function(mpc(min(max(z.real, -3000), 3000), z.imag))


def turned_growth(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda z: function(mpc(z.real, min(max(z.imag, -3000), 3000)))


def cube_root(z: Any) -> Any:
    return mpmath.exp(mpmath.log(z) / 3)


def power(z: Any, w: Any) -> Any:
    return mpmath.exp(w * mpmath.log(z))


def atan2(y: Any, x: Any) -> Any:
    j = mpc(0, 1)
    return -j * mpmath.log((x + j * y) / mpmath.sqrt(x * x + y * y))


@dataclass(frozen=True)
class Function:
    """The exact value; and which halves vanish on a curve: there an error is in ULP of the whole number."""

    exact: Callable[..., Any]
    vanishing: str = ""
    count: int = 1


FUNCTIONS: dict[str, Function] = {
    "chlo.acos": Function(mpmath.acos),
    "chlo.acosh": Function(mpmath.acosh),
    "chlo.asin": Function(mpmath.asin),
    "chlo.asinh": Function(mpmath.asinh),
    "chlo.atan": Function(mpmath.atan),
    "chlo.atanh": Function(mpmath.atanh),
    "chlo.cosh": Function(exponential_growth(mpmath.cosh)),
    "chlo.sinh": Function(exponential_growth(mpmath.sinh)),
    "chlo.tan": Function(turned_growth(mpmath.tan)),
    "stablehlo.atan2": Function(atan2, "real imag", 2),
    "stablehlo.cbrt": Function(cube_root),
    "stablehlo.cosine": Function(turned_growth(mpmath.cos)),
    "stablehlo.exponential": Function(exponential_growth(mpmath.exp)),
    "stablehlo.exponential_minus_one": Function(exponential_growth(lambda z: mpmath.exp(z) - 1), "real"),
    "stablehlo.log": Function(mpmath.log),
    "stablehlo.log_plus_one": Function(lambda z: mpmath.log(1 + z)),
    "stablehlo.logistic": Function(exponential_growth(lambda z: 1 / (1 + mpmath.exp(-z))), "real"),
    "stablehlo.power": Function(power, "real imag", 2),
    "stablehlo.rsqrt": Function(lambda z: 1 / mpmath.sqrt(z)),
    "stablehlo.sine": Function(turned_growth(mpmath.sin)),
    "stablehlo.sqrt": Function(mpmath.sqrt),
    "stablehlo.tan": Function(turned_growth(mpmath.tan)),
    "stablehlo.tanh": Function(exponential_growth(mpmath.tanh)),
}


def test_each_function_is_here() -> None:
    assert {op for op, function in RULES.items() if function.complex} == FUNCTIONS.keys()


def of(real: Any, imag: Any, dtype: np.dtype) -> np.ndarray:
    """Complex numbers of these halves: real + 1j * imag loses signs of zeros and makes NaN of infinities."""
    with np.errstate(over="ignore"):
        return np.stack([real, imag], -1).astype(f32 if dtype == c64 else f64).view(dtype)[..., 0]


def text_of(op: str, operands: Sequence[np.ndarray]) -> str:
    return module_text(op, [Call(operands)], [[type_of(operands[0])]])


def computed(op: str, *operands: np.ndarray) -> np.ndarray:
    (result,) = Program(hlo2tiny.parse(text_of(op, operands)), "CPU").numpy(*operands)
    return np.asarray(result)


def sizes(z: np.ndarray) -> np.ndarray:
    real = "f32" if z.dtype == c64 else "f64"
    types = type_of(z), f"tensor<{z.size}x{real}>"
    text = f"func.func @main(%z: {types[0]}) -> {types[1]} {{\n  %0 = stablehlo.abs %z : ({types[0]}) -> {types[1]}\n"
    (result,) = Program(hlo2tiny.parse(f"{text}  return %0 : {types[1]}\n}}"), "CPU").numpy(z)
    return np.asarray(result)


# ---------------------------------------------------------------- errors

# Where functions bend, end, overflow or iteration.
CENTRES = np.array([1, 0.5, math.pi / 2, math.pi, 1e5, 20, 45, 88.7, 104, 355, 709.8, 745.2, 1400])


def half_numbers(rng: np.random.Generator, count: int, dtype: np.dtype, kind: int) -> np.ndarray:
    limits = np.finfo(dtype)
    sign = rng.choice([-1, 1], count)
    match kind:
        case 0:  # of any exponent, subnormal ones too
            exponents = rng.integers(limits.minexp - limits.nmant, limits.maxexp, count)
            return np.asarray(np.ldexp(rng.uniform(1, 2, count), exponents) * sign)
        case 1:
            return np.asarray(np.exp2(rng.uniform(-60, 60, count)) * sign)
        case 2:
            return np.asarray(np.exp2(rng.uniform(-8, 5, count)) * sign)
    distance = np.exp2(-rng.uniform(1, limits.nmant + 3, count)) * rng.choice([-1, 0, 1], count)
    return np.asarray(rng.choice(CENTRES, count) * (1 + distance) * sign)


def points(seed: int, dtype: np.dtype, moderate: bool) -> np.ndarray:
    """Numbers whose halves have their own kinds, and a fifth of them on the unit circle."""
    rng = np.random.default_rng(seed)
    part = f32 if dtype == c64 else f64
    halves = []
    for _ in range(2):
        kinds = rng.integers(0, 4, POINTS)
        of_kinds = [half_numbers(rng, POINTS, part, 2 if moderate else kind) for kind in range(4)]
        halves.append(np.choose(kinds, of_kinds))
    angle, circle = rng.uniform(0, 7, POINTS), rng.random(POINTS) < 0.2
    return of(np.where(circle, np.cos(angle), halves[0]), np.where(circle, np.sin(angle), halves[1]), dtype)


def exact_values(op: str, operands: Sequence[np.ndarray]) -> list[Any]:
    """The exact values: with so many digits that halves of all exponents are kept beside each other."""
    results = []
    for numbers in zip(*(x.tolist() for x in operands)):
        halves = [half for z in numbers for half in (z.real, z.imag)]
        spread = max(abs(math.frexp(half)[1]) for half in halves)
        with mpmath.workprec(250 + 4 * spread):
            results.append(mpc(FUNCTIONS[op].exact(*map(mpc, numbers))))
    return results


def expect_errors_below(op: str, seed: int, dtype: np.dtype, most: float) -> None:
    function = FUNCTIONS[op]
    # Large exponents of power and small differences in atan2 are no measure: their operands' last bits decide.
    operands = [points(seed + i, dtype, function.count == 2) for i in range(function.count)]
    if op == "stablehlo.atan2":
        # Where their squares nearly cancel, at the ends of the arc tangent's cuts, the ratio's rounding decides.
        y, x = (z.astype(c128) for z in operands)
        kept = abs(x * x + y * y) > 2**-7 * (abs(x) ** 2 + abs(y) ** 2)
        operands = [z[kept] for z in operands]
    results, exact = computed(op, *operands), exact_values(op, operands)
    for name in ("real", "imag"):
        result, values = getattr(results, name), [getattr(value, name) for value in exact]
        error = errors(result, values)
        if name in function.vanishing:
            error = np.minimum(error, whole_errors(result, values, exact))
        worst = int(np.argmax(error))
        assert error[worst] <= most, f"{name}: {error[worst]:.3g} ULP at {[x[worst].item() for x in operands]}"


def whole_errors(results: np.ndarray, values: Sequence[Any], exact: Sequence[Any]) -> np.ndarray:
    limits = np.finfo(results.dtype)

    def error(result: float, value: Any, whole: Any) -> float:
        if not math.isfinite(result):
            return math.inf
        exponent = max(mpmath.frexp(abs(whole))[1], limits.minexp + 1)
        return float(abs(mpf(result) - value) * mpf(2) ** (limits.nmant + 1 - exponent))

    return np.array([error(*each) for each in zip(results.tolist(), values, exact)])


@pytest.mark.sampled(6, ci=3)
@pytest.mark.parametrize("op", FUNCTIONS)
@given(seed=seeds)
def test_float32(op: str, seed: int) -> None:
    expect_errors_below(op, seed, c64, 0.51)


@pytest.mark.sampled(6, ci=3, first=1)
@pytest.mark.parametrize("op", FUNCTIONS)
@given(seed=seeds)
def test_float64(op: str, seed: int) -> None:
    expect_errors_below(op, seed, c128, LARGER.get(op, 4))


@pytest.mark.parametrize("dtype", [c64, c128], ids=str)
def test_subnormal_numbers_beside_a_branch_point(dtype: np.dtype) -> None:
    """Near 1, acos is the root of the distance, of which no bit may get lost."""
    limits = np.finfo(dtype)
    small = np.arange(1, 40, dtype=limits.dtype) * limits.smallest_subnormal
    for op, z in (
        ("chlo.acos", of(np.ones_like(small), small, dtype)),
        ("chlo.asinh", of(small, -np.ones_like(small), dtype)),
    ):
        result, exact = computed(op, z), exact_values(op, [z])
        for name in ("real", "imag"):
            assert errors(getattr(result, name), [getattr(value, name) for value in exact]).max() <= 4


# The quotients of tan add the errors of four functions; atan2 rounds the ratio before the arc tangent.
LARGER = {"chlo.tan": 5.5, "stablehlo.tan": 5.5, "stablehlo.tanh": 5.5, "stablehlo.atan2": 30.0}


@pytest.mark.sampled(6, ci=3, first=2)
@pytest.mark.parametrize("op", FUNCTIONS)
def test_float32_without_float64(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", "tinygrad")
    expect_errors_below(op, 0, c64, LARGER.get(op, 4))


@pytest.mark.parametrize("executor", ["", "tinygrad"])
@pytest.mark.parametrize("dtype", [c64, c128], ids=str)
@given(seed=seeds)
def test_sizes(executor: str, dtype: np.dtype, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HLO2TINY_EXECUTOR", executor) if executor else None
        z = points(seed, dtype, moderate=False)
        with mpmath.workprec(5000):
            exact = [mpmath.sqrt(mpf(x.real) ** 2 + mpf(x.imag) ** 2) for x in z.tolist()]
        assert errors(sizes(z), exact).max() <= (0.51 if dtype == c64 and not executor else 2)
        z = special_points(dtype)
        expected = np.hypot(z.real, z.imag)  # infinite beside NaN, too
        np.testing.assert_allclose(sizes(z), expected, rtol=np.finfo(expected.dtype).eps)


@pytest.mark.ci
@pytest.mark.parametrize("op", FUNCTIONS)
def test_definitions_are_those_of_the_oracles(op: str) -> None:
    """Which branch of a function is meant; XLA has no cube root of complex numbers."""
    numbers = np.array([0.3, 1.0, 2.5, -0.4, -1.1, -3.0])
    z = of(*(x.reshape(-1) for x in np.meshgrid(numbers, numbers)), c128)
    operands = [z, z[::-1] * 0.7 - 0.2][: FUNCTIONS[op].count]
    (results,) = oracles.run("interpreter" if op == "stablehlo.cbrt" else "xla", text_of(op, operands), operands)
    exact = np.array([complex(value) for value in exact_values(op, operands)])
    np.testing.assert_allclose(results, exact, rtol=1e-11, atol=0)


# ---------------------------------------------------------------- special values

INFINITE = complex(math.inf, math.nan)
UNDEFINED = complex(math.nan, math.nan)


def by_parts(function: Callable[[float, float], tuple[float, float]]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda z: of(*np.transpose([function(x.real, x.imag) for x in z.tolist()]), z.dtype)


def finite(x: float, y: float) -> bool:
    return math.isfinite(x) and math.isfinite(y)


def expm1(x: float, y: float) -> tuple[float, float]:
    if finite(x, y):
        return float(mpmath.expm1(x)) if x else x, y  # of real numbers alone: see `special_points`
    value = np.exp(np.complex128(complex(x, y)))
    return value.real - 1, value.imag


def log1p(x: float, y: float) -> tuple[float, float]:
    if x == 0 and y == 0:
        return x, y
    value = np.log(of(x + 1, y, c128))
    return float(value.real), float(value.imag)


def rsqrt(x: float, y: float) -> tuple[float, float]:
    if math.isinf(x) or math.isinf(y):
        return 0.0, math.copysign(0, -y)
    if x == 0 and y == 0:
        return math.inf, math.nan
    if not finite(x, y):
        return math.nan, math.nan
    return (1 / math.sqrt(x), -y) if x > 0 else (0.0, math.copysign(1 / math.sqrt(-x), -y))


def cbrt(x: float, y: float) -> tuple[float, float]:
    if x == 0 and y == 0:
        return 0.0, y
    if math.isnan(x) or math.isnan(y):
        return math.nan, math.nan
    angle = math.atan2(y, x) / 3
    size = math.cbrt(math.hypot(x, y)) if hasattr(math, "cbrt") else float(np.cbrt(math.hypot(x, y)))
    return size * math.cos(angle), angle if angle == 0 else size * math.sin(angle)


def logistic(x: float, y: float) -> tuple[float, float]:
    if math.isinf(x):
        sine = math.sin(y) if math.isfinite(y) else y
        limit = 1.0 if x > 0 else math.copysign(0, 1 if not math.isfinite(y) else math.cos(y))
        return limit, math.copysign(0, sine)
    return (float(1 / (1 + mpmath.exp(-x))), y) if finite(x, y) else (math.nan, math.nan)


# Those of C's Annex G, which numpy's functions follow, and the limits of the functions that C does not have.
SPECIAL: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "chlo.acos": np.arccos,
    "chlo.acosh": np.arccosh,
    "chlo.asin": np.arcsin,
    "chlo.asinh": np.arcsinh,
    "chlo.atan": np.arctan,
    "chlo.atanh": np.arctanh,
    "chlo.cosh": np.cosh,
    "chlo.sinh": np.sinh,
    "chlo.tan": np.tan,
    "stablehlo.cbrt": by_parts(cbrt),
    "stablehlo.cosine": np.cos,
    "stablehlo.exponential": np.exp,
    "stablehlo.exponential_minus_one": by_parts(expm1),
    "stablehlo.log": np.log,
    "stablehlo.log_plus_one": by_parts(log1p),
    "stablehlo.logistic": by_parts(logistic),
    "stablehlo.rsqrt": by_parts(rsqrt),
    "stablehlo.sine": np.sin,
    "stablehlo.sqrt": np.sqrt,
    "stablehlo.tan": np.tan,
    "stablehlo.tanh": np.tanh,
}


def special_points(dtype: np.dtype) -> np.ndarray:
    """Infinities, NaN and zeros beside each other and beside numbers; real numbers, with imaginary halves ±0."""
    z = special(dtype)
    return z[~np.isfinite(z) | (z.imag == 0)]


def expect_same(got: np.ndarray, expected: np.ndarray, *operands: np.ndarray) -> None:
    """Equal to a few units of the last place, signs of zeros and infinities too unless the other half is NaN.

    There the standard leaves them open.
    """
    tolerance = 8 * np.finfo(got.dtype).eps
    for name, other in (("real", "imag"), ("imag", "real")):
        g, e = getattr(got, name), getattr(expected, name)
        with np.errstate(invalid="ignore"):
            near = (np.abs(g) == np.abs(e)) | (np.abs(g - e) <= tolerance * np.abs(e)) | (np.isnan(g) & np.isnan(e))
        signed = (np.signbit(g) == np.signbit(e)) | np.isnan(e) | np.isnan(getattr(expected, other))
        for at in np.flatnonzero(~(near & signed)):
            raise AssertionError(f"of {[x[at] for x in operands]}: {got[at]}, expected {expected[at]}")


@pytest.mark.sampled(6, ci=3)
@pytest.mark.parametrize("dtype", [c64, c128], ids=str)
@pytest.mark.parametrize("op", SPECIAL)
def test_special_values(op: str, dtype: np.dtype) -> None:
    z = special_points(dtype)
    with np.errstate(all="ignore"):
        expected = SPECIAL[op](z.astype(c128)).astype(dtype)
    expect_same(computed(op, z), expected, z)


POWERS: list[tuple[complex, complex, complex]] = [
    *((z, 0, 1) for z in (0, -0.0, 1, -2, 1j, math.inf, -math.inf, INFINITE, UNDEFINED)),
    *((1, w, 1) for w in (1, -2.5, 1j, math.inf, INFINITE, UNDEFINED)),
    *((0, w, 0) for w in (1, 0.5, 1 + 1j, 2 - 3j, math.inf)),
    *((0, w, INFINITE) for w in (-1, -0.5, -1 + 1j, -math.inf)),
    *((0, w, UNDEFINED) for w in (1j, -2j, UNDEFINED)),
    *((z, w, 0) for z in (math.inf, -math.inf, complex(1, math.inf)) for w in (-1, -0.5 + 1j)),
    *((z, w, INFINITE) for z in (-math.inf, complex(1, -math.inf)) for w in (1, 0.5 + 1j)),
    (math.inf, 2, complex(math.inf, 0)),
    (2, math.inf, complex(math.inf, 0)),
    (2, -math.inf, 0),
    (0.5, math.inf, 0),
    (-2, math.inf, INFINITE),
    (2, UNDEFINED, UNDEFINED),
    (UNDEFINED, 2, UNDEFINED),
    (4, 0.5, 2),
    (-4, 0.5, 2j),
    (1j, 1j, math.exp(-math.pi / 2)),
]


@pytest.mark.parametrize("dtype", [c64, c128], ids=str)
def test_special_powers(dtype: np.dtype) -> None:
    z, w, expected = (np.array(list(column), dtype) for column in zip(*POWERS))
    results = computed("stablehlo.power", z, w)
    for at in range(len(z)):
        for name in ("real", "imag"):
            g, e = getattr(results[at], name), getattr(expected[at], name)
            size = np.finfo(dtype).eps * np.abs(expected[at])
            fine = g == e or (np.isnan(g) and np.isnan(e)) or abs(g - e) <= size
            assert fine, f"{z[at]} to the power {w[at]}: {results[at]}, expected {expected[at]}"


def test_arc_tangents_of_real_numbers() -> None:
    y, x = (a.reshape(-1) for a in np.meshgrid([1.0, -2.0, 0.1, 1e-9, 1e9], [3.0, -4.0, 0.3, -0.2]))
    results = computed("stablehlo.atan2", y.astype(c128), x.astype(c128))
    np.testing.assert_allclose(results.real, np.arctan2(y, x), rtol=1e-15)
    np.testing.assert_allclose(results.imag, 0, atol=1e-15)


# ---------------------------------------------------------------- shapes, constants


def all_functions(argument: str, constant: str, type: str) -> str:
    """A module that gives every function of %x, an argument or a constant."""
    lines = []
    for number, (op, function) in enumerate(FUNCTIONS.items()):
        operands, types = ", ".join(["%x"] * function.count), ", ".join([type] * function.count)
        lines.append(f'  %{number} = "{op}"({operands}) : ({types}) -> {type}')
    types = ", ".join([type] * len(lines))
    returned = ", ".join(f"%{number}" for number in range(len(lines)))
    body = "\n".join([constant, *lines, f"  return {returned} : {types}"])
    return f"func.func @main({argument}) -> ({types}) {{\n{body}\n}}"


@pytest.mark.parametrize("number", [complex(0.5, -0.0), complex(-math.inf, 1)])
def test_constants(number: complex) -> None:
    """Functions of constants, which tinygrad folds, are those of variables."""
    x = np.full(POINTS, number, c64)
    bits, type = x.view(np.uint32), type_of(x)
    constant = f"  %x = stablehlo.constant dense<(0x{bits[0]:08X}, 0x{bits[1]:08X})> : {type}"
    folded = Program(hlo2tiny.parse(all_functions("", constant, type)), "CPU").numpy()
    variable = Program(hlo2tiny.parse(all_functions(f"%x: {type}", "", type)), "CPU").numpy(x)
    for op, got, expected in zip(FUNCTIONS, folded, variable, strict=True):
        np.testing.assert_array_equal(got, expected, op)
        if op != "stablehlo.atan2":  # of equal operands tinygrad knows a difference, but not the sign of its zero
            numbers = ~np.isnan(expected.view(f32))
            np.testing.assert_array_equal(np.signbit(got.view(f32))[numbers], np.signbit(expected.view(f32))[numbers])


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 1)])
def test_shapes(shape: tuple[int, ...]) -> None:
    result = computed("stablehlo.log", np.full(shape, 0.3 + 0.4j, c128))
    expected = complex(mpmath.log(mpc(0.3, 0.4)))
    np.testing.assert_allclose(result, np.full(shape, expected), rtol=1e-15, strict=True)
