"""doubles.c is what doubles.py prints from the rules' formulas."""

import pytest

from hlo2tiny.targets.c.doubles import FORMULAS, print_function
from hlo2tiny.targets.c.templates import double_functions

LARGE = ("polygamma_d", "zeta_d")


def test_the_file_has_each_function_that_rules_call():
    assert list(double_functions()) == sorted(FORMULAS)


@pytest.mark.sampled(4, ci=4)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.night) if name in LARGE else name for name in sorted(FORMULAS)]
)
def test_the_file_has_the_formulas(name):
    printed = print_function(name)
    again = "write it again: python -m hlo2tiny.targets.c.doubles"
    assert double_functions()[name].strip() == printed.strip(), again
