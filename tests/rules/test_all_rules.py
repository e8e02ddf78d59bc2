"""Each rule has a row of tests, and each row a rule."""

from __future__ import annotations

from hlo2tiny.rules import RULES
from hlo2tiny.rules.control import CONTROL

from . import (  # noqa: F401  (fills CASES)
    test_convolution,
    test_dot,
    test_elementwise,
    test_gather,
    test_movement,
    test_reduction,
    test_sort,
)
from .cases import CASES
from .test_control import COVERED

# Values that are no tensors: test_control.py has them.
WITHOUT_TENSORS = {
    "stablehlo.create_token",
    "stablehlo.after_all",
    "stablehlo.tuple",
    "stablehlo.get_tuple_element",
}


def test_each_rule_has_a_row() -> None:
    assert RULES.keys() - WITHOUT_TENSORS == CASES.keys()


def test_control_flow_is_covered() -> None:
    assert set(CONTROL) == COVERED
