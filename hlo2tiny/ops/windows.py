"""Attributes and checks that ops with windows share."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import count_text
from .attributes import INTEGERS, PAIRS, Violation, all_are, optional

STEPS = optional(INTEGERS, neutral=all_are(1))
PADDING = optional(PAIRS, neutral=all_are(0))


def check_list(name: str, values: Sequence[int] | None, count: int, numbers: tuple[str, str]) -> None:
    """Check a list of positive integers, one for each dimension; an empty list counts as left out.

    Args:
        numbers: the numbers of the constraints on the list's length and on its values.
    """
    if not values:
        return
    if len(values) != count:
        expected = f"{count_text(count, 'number')}, one for each dimension"
        raise Violation(f"{name} is {list(values)}, expected {expected} ({numbers[0]})")
    if any(value < 1 for value in values):
        raise Violation(f"{name} is {list(values)}, expected positive numbers ({numbers[1]})")


def check_padding(padding: Sequence[Sequence[int]] | None, count: int, number: str) -> None:
    if padding is not None and len(padding) != count:
        expected = f"{count_text(count, 'pair')}, one for each dimension"
        raise Violation(f"padding has {count_text(len(padding), 'pair')}, expected {expected} ({number})")
