"""An op gives the same numbers whether an operand is an argument or a constant, of which tinygrad folds what it can."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from everywhere import TARGETS, Case, Lacking, lacking, run

from hlo2tiny.ops import Trait, names_with

from .cases import CASES
from .numbers import FLOATS, boolean, c64, c128, equal, i8, i32, special, type_of, u8
from .test_all_rules import RULES  # which fills CASES

DTYPES = (*FLOATS, c64, c128, i32, i8, u8, boolean)


def constants(dtype: np.dtype) -> list[np.generic]:
    """Numbers of which some operation is simpler than of others."""
    if dtype == boolean:
        return [np.False_, np.True_]
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return [dtype.type(n) for n in dict.fromkeys((0, 1, 2, limits.max, limits.min, 7, *([-1] * (limits.min < 0))))]
    if dtype.kind == "c":
        halves = (0.0, -0.0, 1.0, -np.inf, np.nan, 0.5)
        return [dtype.type(complex(a, b)) for a in halves for b in halves[:4]]
    tiny = float(ml_dtypes.finfo(dtype).smallest_subnormal)
    return [dtype.type(x) for x in (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.0, 0.5, -3.0, tiny)]


def literal(x: np.generic) -> str:
    """The bits of a number as MLIR's text."""
    if x.dtype.kind == "c":
        return f"({literal(x.real)}, {literal(x.imag)})"
    if x.dtype == boolean or x.dtype.kind in "iu":
        return str(x).lower()
    return f"0x{np.asarray(x).view(f'u{x.dtype.itemsize}').item():0{2 * x.dtype.itemsize}X}"


def elementwise() -> Iterator[tuple[str, np.dtype, int, str]]:
    """The elementwise ops on operands of one type: the op, that type, how many operands, and the type of the result."""
    for op in sorted(names_with(Trait.ELEMENTWISE) & CASES.keys()):
        row, seen = CASES[op], set()
        for call in row.examples:
            types = {np.asarray(x).dtype for x in call.operands}
            plain = not call.attributes and call.result is None and row.ref is not None and call.operands
            if plain and len(types) == 1 and (dtype := types.pop()) in DTYPES and dtype not in seen:
                seen.add(dtype)
                sample = [np.ones(1, dtype)] * len(call.operands)
                with np.errstate(all="ignore"):
                    result = np.asarray(row.ref(*sample))
                if result.shape == (1,):
                    yield op, dtype, len(call.operands), type_of(result).replace("1x", "", 1)


CALLS = list(elementwise())


def program(op: str, dtype: np.dtype, count: int, result: str) -> tuple[str, list[np.ndarray]]:
    """Pairs of calls that differ only in whether one operand is a constant, or all but one if they are the same."""
    numbers = special(dtype)
    x = np.resize(numbers, len(numbers) + 1)
    wide = f"tensor<{len(x)}x"
    t, r = type_of(x), result.replace("tensor<", wide)
    arguments, lines, arrays, results = [], [], [], []
    for number, value in enumerate(constants(dtype)):
        lines += [f"  %c{number} = stablehlo.constant dense<{literal(value)}> : {t}"]
        arguments.append(f"%a{number}: {t}")
        arrays.append(np.full(x.shape, value))
        for place in range(count):
            for kind in ("a", "c"):
                operands = ", ".join(f"%{kind}{number}" if i == place else f"%x{i}" for i in range(count))
                name = f"%{kind}{number}_{place}"
                lines.append(f'  {name} = "{op}"({operands}) : ({", ".join([t] * count)}) -> {r}')
                results.append(name)
    arguments += [f"%x{i}: {t}" for i in range(count)]
    arrays += [np.roll(x, 3 * i) for i in range(count)]
    types = ", ".join([r] * len(results))
    body = "\n".join(lines)
    text = (
        f"func.func @main({', '.join(arguments)}) -> ({types}) {{\n{body}\n  return {', '.join(results)} : {types}\n}}"
    )
    return text, arrays


def check(target: str, calls: list[tuple[str, np.dtype, int, str]], folder: Path) -> None:
    if reason := lacking(target):
        pytest.skip(reason)
    cases = []
    for op, dtype, count, result in calls:
        text, arrays = program(op, dtype, count, result)
        cases.append(Case(f"{op} of {dtype}", text, [arrays]))
    for (op, dtype, count, _), case, answer in zip(calls, cases, run(target, cases, folder), strict=True):
        if isinstance(answer, Lacking):
            continue
        assert not isinstance(answer, Exception), (case.name, answer)
        (results,) = answer
        # A constant exponent can have a shorter formula, and so another rounding.
        within = max(2 * CASES[op].tol, 1) if op.endswith("power") else 0
        for place, (given, constant) in enumerate(zip(results[::2], results[1::2])):
            number, operand = divmod(place, count)
            same = equal(constant, given, within)
            assert np.all(same), (
                f"{case.name}: operand {operand} is {constants(dtype)[number]!r}, "
                f"as an argument: {given[~same][:3]}, as a constant: {constant[~same][:3]}"
            )


def test_there_are_ops_of_each_kind() -> None:
    assert len(CALLS) > 150 and len({op for op, *_ in CALLS}) > 60 and set(RULES)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_native_code(dtype: np.dtype, tmp_path: Path) -> None:
    check("c", [call for call in CALLS if call[1] == dtype], tmp_path)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("target", [target for target in TARGETS if target != "c"])
@pytest.mark.night
def test_targets(target: str, dtype: np.dtype, tmp_path: Path) -> None:
    check(target, [call for call in CALLS if call[1] == dtype], tmp_path)
