"""An operand that is a constant of the program gives the results of one that is an argument.

tinygrad folds operations on constants by rules for real numbers, and prints what is left of them in C.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.rules.functions import FUNCTIONS

from .numbers import ELEMENT, bf16, c64, c128, f16, f32, f64

ROUNDING = ("abs", "ceil", "floor", "negate", "round_nearest_afz", "round_nearest_even", "sign")
TESTS = ("stablehlo.is_finite", "chlo.is_inf", "chlo.is_neg_inf", "chlo.is_pos_inf")
OF_TWO = ("stablehlo.atan2", "stablehlo.power", "chlo.polygamma", "chlo.zeta", "chlo.next_after")
BINARY = (*OF_TWO, *(f"stablehlo.{n}" for n in "add subtract multiply divide remainder maximum minimum".split()))
COMPARISONS = tuple(f"stablehlo.compare {d}" for d in ("EQ", "NE", "GE", "GT", "LE", "LT"))
UNARY = (*(f"stablehlo.{name}" for name in ROUNDING), *TESTS, *(f for f in FUNCTIONS if f not in OF_TWO))
TERNARY = ("stablehlo.clamp",)
OF_COMPLEX = tuple(name for name, function in FUNCTIONS.items() if function.complex)
# How many operations share a program: to start a compiler takes longer than to compile some of them.
TOGETHER = 4
LEAST = {f32: 1e-45, f64: 5e-324, f16: 6e-8, bf16: 1e-40}
# Of functions whose formulas for some constants are others, and of complex ones: in units in the last place.
CLOSE = 4


def numbers(dtype: np.dtype) -> np.ndarray:
    if dtype.kind == "c":
        halves = np.array([0.0, -0.0, np.inf, np.nan, 2.0, 0.5])
        return np.array([complex(a, b) for a in halves for b in (0.0, -0.0, 0.5)] + [complex(0, -np.inf)], dtype)
    values = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.0, 0.5, 3.0, LEAST[dtype], -LEAST[dtype]]
    return np.array(values).astype(dtype)


def literal(number: np.ndarray) -> str:
    if number.dtype.kind == "c":
        return f"({literal(number.real)}, {literal(number.imag)})"
    return f"0x{int.from_bytes(number.tobytes(), 'little'):0{2 * number.dtype.itemsize}X}"


def program_text(ops: Sequence[str], dtype: np.dtype, count: int) -> tuple[str, int]:
    """Each op with each number as each operand: first all that have it as a constant, then as an argument."""
    values, element = numbers(dtype), ELEMENT[dtype]
    type = f"tensor<{len(values)}x{element}>"
    lines = [f'%k{i} = "stablehlo.constant"() {{value = dense<{literal(v)}> : {type}}} : () -> {type}'
             for i, v in enumerate(values)]  # fmt: skip
    results, types = [], []
    for kind in "ka":
        for op in ops:
            name, _, direction = op.partition(" ")
            boolean = direction or name in TESTS
            given = f" {{comparison_direction = #stablehlo<comparison_direction {direction}>}}" if direction else ""
            result = f"tensor<{len(values)}xi1>" if boolean else type
            for place in range(count):
                for i in range(len(values)):
                    operands = ["%x", "%y", "%x"][:count]
                    operands[place] = f"%{kind}{i}"
                    results.append(f"%r{len(results)}")
                    types.append(result)
                    of = ", ".join([type] * count)
                    lines.append(f'{results[-1]} = "{name}"({", ".join(operands)}){given} : ({of}) -> {result}')
    arguments = ", ".join(f"%{name}: {type}" for name in ("x", "y", *(f"a{i}" for i in range(len(values)))))
    end = f"return {', '.join(results)} : {', '.join(types)}"
    body = "\n  ".join([*lines, end])
    return f"func.func @main({arguments}) -> ({', '.join(types)}) {{\n  {body}\n}}", len(results) // 2


def run_in_c(text: str, arrays: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
    return hlo2tiny.load(text, device="CPU").numpy(*arrays)


def differences(
    ops: Sequence[str],
    dtype: np.dtype,
    count: int,
    run: Callable[[str, Sequence[np.ndarray]], Sequence[np.ndarray]] = run_in_c,
) -> Iterator[str]:
    text, size = program_text(ops, dtype, count)
    values = numbers(dtype)
    given = [values, values[::-1].copy(), *(np.full(values.shape, v, dtype) for v in values)]
    with np.errstate(all="ignore"):
        results = run(text, given)
    for i, (found, expected) in enumerate(zip(results[:size], results[size:])):
        op, rest = divmod(i, count * len(values))
        place, number = divmod(rest, len(values))
        for j in np.flatnonzero(~agree(found, expected)):
            yield f"{ops[op]}, operand {place} = {values[number]}: {found[j]}, expected {expected[j]} (element {j})"


def agree(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if a.dtype.kind == "c":
        return agree(a.real, b.real) & agree(a.imag, b.imag)
    if a.dtype.kind == "b":
        return a == b
    wide = np.result_type(a.dtype, np.float32) if a.dtype != bf16 else f32
    nan = np.isnan(a.astype(wide))
    same_sign = np.signbit(a.astype(wide)) == np.signbit(b.astype(wide))
    close = np.abs(bits(a) - bits(b)) <= CLOSE * (a != 0) * (b != 0) * np.isfinite(a.astype(wide))
    return (nan & np.isnan(b.astype(wide))) | (~nan & same_sign & ((a == b) | close))


def bits(a: np.ndarray) -> np.ndarray:
    return a.view(f"u{a.dtype.itemsize}").astype(np.int64)


def groups() -> Iterator[tuple[tuple[str, ...], np.dtype, int]]:
    for dtype in (f32, f64, f16, bf16):
        for ops, count in ((BINARY, 2), (UNARY, 1), (COMPARISONS, 2), (TERNARY, 3)):
            for i in range(0, len(ops), TOGETHER):
                yield ops[i : i + TOGETHER], dtype, count
    for dtype in (c64, c128):
        for op in OF_COMPLEX:
            yield (op,), dtype, 2 if op in OF_TWO else 1


@pytest.mark.sampled(72, ci=24, first=36)
@pytest.mark.parametrize(("ops", "dtype", "count"), groups(), ids=lambda x: x[0] if isinstance(x, tuple) else str(x))
def test_a_constant_is_as_good_as_an_argument(ops: tuple[str, ...], dtype: np.dtype, count: int) -> None:
    assert not list(differences(ops, dtype, count))


@pytest.mark.parametrize("dtype", [f32, f64], ids=str)
def test_atan2_of_zero(dtype: np.dtype) -> None:
    """Its C had a bit cast of an int to a double: tinygrad folds 0 & -1 to a number without a dtype."""
    values = np.array([1, -1, 0, -0.0], dtype)
    text = f"""func.func @main(%x: tensor<4x{ELEMENT[dtype]}>) -> tensor<4x{ELEMENT[dtype]}> {{
      %c = stablehlo.constant dense<0.0> : tensor<4x{ELEMENT[dtype]}>
      %0 = stablehlo.atan2 %c, %x : tensor<4x{ELEMENT[dtype]}>
      return %0 : tensor<4x{ELEMENT[dtype]}>
    }}"""
    (found,) = hlo2tiny.load(text, device="CPU").numpy(values)
    np.testing.assert_array_equal(found, np.arctan2(np.zeros(4, dtype), values))


NUMBERS = {"c": 0.1, "d": -3.0}
ARITHMETIC = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}


@pytest.mark.parametrize("dtype", [f32, f64], ids=str)
def test_each_operation_with_constants_rounds(dtype: np.dtype) -> None:
    """As real numbers, x · c · d would be one product, x + c - c nothing, and x · c + x · d one product."""
    x = np.array([1 / 3, -7.1, 1e-9, 3e7, 0.0, -0.0], dtype)
    type = f"tensor<{len(x)}x{ELEMENT[dtype]}>"
    lines, expected = list[str](), list[tuple[str, np.ndarray]]()
    for name, number in NUMBERS.items():
        value = literal(dtype.type(number))
        lines.append(f'%{name} = "stablehlo.constant"() {{value = dense<{value}> : {type}}} : () -> {type}')

    def compute(op: str, *operands: tuple[str, np.ndarray]) -> tuple[str, np.ndarray]:
        (a, x), (b, y) = operands
        lines.append(f"%r{len(lines)} = stablehlo.{op} {a}, {b} : {type}")
        return lines[-1].split()[0], ARITHMETIC[op](x, y)

    c, d = ((f"%{name}", np.full(x.shape, number, dtype)) for name, number in NUMBERS.items())
    given = "%x", x
    with np.errstate(all="ignore"):
        for inner in ARITHMETIC:
            for first in (compute(inner, given, c), compute(inner, c, given)):
                for outer in ARITHMETIC:
                    for other in (c, d, compute(inner, given, d)):
                        expected += [compute(outer, first, other), compute(outer, other, first)]
    names, arrays = zip(*expected)
    types = ", ".join([type] * len(names))
    body = "\n  ".join([*lines, f"return {', '.join(names)} : {types}"])
    results = run_in_c(f"func.func @main(%x: {type}) -> ({types}) {{\n  {body}\n}}", [x])
    for name, found, right in zip(names, results, arrays, strict=True):
        np.testing.assert_array_equal(found, right, name)
        same = np.isnan(right) | (np.signbit(found) == np.signbit(right))
        assert same.all(), name
