"""Open sizes are computed as integers are, for all values of their dimensions at once."""

from __future__ import annotations

import pickle
from itertools import product

import pytest

from hlo2tiny.ir.sizes import (
    Condition,
    NeedsSize,
    Size,
    assume,
    choose,
    is_open,
    largest,
    limits_of,
    open_dimension,
    relation,
    typical,
    upper_bound,
    value_of,
)

B, T = open_dimension(0, 9), open_dimension(1, 12)
VALUES = [*product(range(1, 10), range(1, 13))]
FORMULAS = {
    "3*b + 2": lambda b, t: 3 * b + 2,
    "a product": lambda b, t: (2 * b - 1) * (t + 4) - 7 * b * t,
    "a multiple of a dimension": lambda b, t: (12 * b * t + 4 * t) // (2 * t),
    "whole lines": lambda b, t: -(-4 * b * t // 64) * 64,
    "a remainder": lambda b, t: (5 * b + 3) % 4 + t,
    "a quotient of a quotient": lambda b, t: (b * t + 7) // 3 // 2,
    "an even part": lambda b, t: t - 2 * (t // 2),
    "windows": lambda b, t: (t - 4) // 2 + b + 2,
    "a sum in whole lines": lambda b, t: -(-(t + 1) // 64) * 64,
    "a multiple of a sum": lambda b, t: (12 * b * t + 12 * b + 4 * t + 4) // (2 * t + 2),
    "more than a multiple of a sum": lambda b, t: (b * t + b + t) // (t + 1),
}


def value(size: int, b: int, t: int) -> int:
    return size.value((b, t)) if is_open(size) else size


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula(name: str) -> None:
    formula = FORMULAS[name]
    size = formula(B, T)
    found = [formula(b, t) for b, t in VALUES]
    assert [value(size, b, t) for b, t in VALUES] == found
    assert [eval(str(size).replace("/", "//"), {"sizes": pair}) for pair in VALUES] == found  # as C computes it
    low, high = limits_of(size)
    assert low <= min(found) and max(found) <= high
    assert pickle.loads(pickle.dumps(size)) == size


def test_what_is_the_same_for_all_values() -> None:
    assert B * T == T * B != B and 2 * B - B == B and B - B == 0 and isinstance(B - B, int)
    assert B != 1 and B > 0 and B < 10 and B + 1 > B and max(0, B) == B and not B * 4 <= 3
    assert limits_of(T - 2 * (T // 2)) == (0, 1)
    assert relation(B, "<=", B * T + 9) is True and relation(B, ">=", 10) is False
    assert (largest(B * T), upper_bound([B, 2 * B, 3]), upper_bound([B, T])) == (108, 2 * B + 3, B + T)
    assert typical(B + 1) == 65 and typical(7) == 7


def test_what_constraints_say() -> None:
    facts = list[Size]()
    b, t = open_dimension(0, 9, facts), open_dimension(1, 12, facts)
    assert isinstance(relation(b, "<=", t), Condition)
    for condition in (Condition(b, "<=", t), Condition(t % 2, "==", 0)):
        assume(condition)
    assert b <= t and 16 * t - 16 * b >= 0 and t * t >= b * t and t % 2 < 1
    assert isinstance(relation(b, "<", t), Condition)
    assert pickle.loads(pickle.dumps(b)) == b == B  # what a run computes with does not depend on them
    assume(Condition(t, ">", b))
    assert b < t and limits_of(t) == (2, 12)


def test_what_differs_between_values() -> None:
    assert relation(B, "<", T) == Condition(B, "<", T)
    for wrong in (lambda: B < T, lambda: int(B), lambda: range(B), lambda: [0] * B, lambda: bool(relation(B, "==", 3))):
        with pytest.raises(NeedsSize):
            wrong()
    assert isinstance(B, Size) and not isinstance(B, int)


def test_what_is_rounded_up_is_one_quotient() -> None:
    h = open_dimension(0, 64)
    half = h - h // 2
    assert half == (h + 1) // 2 and limits_of(half - half // 2) == (1, 16)
    assert limits_of(h - 2 * (h // 2)) == (0, 1) and limits_of(2 * half - h + 1) == (1, 2)
    padding = (2 * half - h + 1) // 2  # of windows of 3, two apart
    products = half * (half - half // 2)
    for n in (1, 2, 7, 64):
        assert value_of(padding, [n]) == n % 2 and value_of(products, [n]) == -(-n // 2) * -(-n // 4)
    assert limits_of(products)[0] == 1 and (2 * h + 5) // 2 == h + 2


def test_a_choice_by_a_remainder_is_a_size() -> None:
    h = open_dimension(0, 64)
    odd = relation(h - 2 * (h // 2), "!=", 0)
    for n in (1, 2, 63, 64):
        assert value_of(choose(odd, h, 3), [n]) == (n if n % 2 else 3)
    with pytest.raises(NeedsSize):
        choose(relation(h, "<", 7), h, 3)
