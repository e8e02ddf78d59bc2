"""Each rule has a row of tests, and each row a rule."""

from __future__ import annotations

from hlo2tiny.rules import RULES
from hlo2tiny.rules.control import CONTROL

from . import (  # noqa: F401  (fills CASES)
    test_broadcasting,
    test_collectives,
    test_convolution,
    test_custom_calls,
    test_dialects,
    test_dot,
    test_elementary,
    test_elementwise,
    test_fft,
    test_gather,
    test_integers,
    test_linalg,
    test_mapping,
    test_movement,
    test_normalization,
    test_quantization,
    test_random,
    test_reduction,
    test_selection,
    test_sort,
    test_special,
)
from .cases import CASES
from .test_control import COVERED


def test_each_rule_has_a_row() -> None:
    assert RULES.keys() == CASES.keys()


def test_control_flow_is_covered() -> None:
    assert set(CONTROL) == COVERED
