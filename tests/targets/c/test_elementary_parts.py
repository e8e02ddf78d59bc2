"""What a kernel needs of elementary.c, in place of the whole file."""

from __future__ import annotations

import re

import pytest

from hlo2tiny.targets import NotBuilt
from hlo2tiny.targets.c.linking import check_syntax
from hlo2tiny.targets.c.templates import TYPES_TEXT, read_code
from hlo2tiny.targets.elementary import elementary_text

FUNCTION = re.compile(r"^FUNCTION(?:_OF_DOUBLES)? ([a-z]\w*_[fhd1])\(([^)]*)\)", re.MULTILINE)
FUNCTIONS = dict(FUNCTION.findall(read_code("elementary.c")))


def caller(name: str, parameters: str) -> str:
    arguments = ", ".join(each.split()[-1] for each in parameters.split(", "))
    return f"{parameters.split()[0]} call({parameters.replace('*', '')}) {{ return {name}({arguments}); }}\n"


@pytest.mark.parametrize("name", [name for name, parameters in FUNCTIONS.items() if "*" not in parameters])
def test_a_function_has_what_it_calls(name: str) -> None:
    text = caller(name, FUNCTIONS[name])
    for slow in ("", "#define SLOW_DOUBLES\n"):
        check_syntax("".join([slow, TYPES_TEXT, elementary_text(text), text]))


def test_a_function_that_is_left_out_would_be_found() -> None:
    text = caller("exp_f", FUNCTIONS["exp_f"])
    with pytest.raises(NotBuilt, match="exp_f"):
        check_syntax("".join([TYPES_TEXT, elementary_text("tanh_f"), text]))


def test_other_functions_are_left_out() -> None:
    text = elementary_text("exp_f(x)")
    assert "exp_f(float x)" in text
    assert "tanh_f" not in text
    assert len(text) < len(read_code("elementary.c")) / 4
