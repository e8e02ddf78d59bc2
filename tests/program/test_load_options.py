"""What `load` takes besides a file: all of it is checked, in one place, before the file is read."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.program.options import Options, options_of

TEXT = """func.func @main(%x: tensor<2xf32> loc("x"), %y: tensor<2xf32> loc("y")) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
DONATE = "expected the name or the number of an argument, or a list of these"
WRONG = [
    ({"entry": 1}, "entry: expected a function's name, not 1"),
    ({"entry": b"main"}, "entry: expected a function's name, not b'main'"),
    ({"donate": {"x": 1}}, f"donate is {{'x': 1}}, {DONATE}"),
    ({"donate": b"x"}, f"donate is b'x', {DONATE}"),
    ({"donate": bytearray(b"x")}, f"donate is bytearray(b'x'), {DONATE}"),
    ({"donate": memoryview(b"x")}, DONATE),
    ({"donate": [0, None]}, f"donate is [0, None], {DONATE}"),
    ({"donate": 0.5}, f"donate is 0.5, {DONATE}"),
    ({"donate": [b"x"]}, f"donate is [b'x'], {DONATE}"),
    ({"threads": 0}, "threads is 0, expected"),
    ({"threads": True}, "threads is True, expected"),
    ({"precision": 1}, "precision is 1, expected"),
    ({"deterministic": None}, "deterministic is None, expected"),
    ({"device": 1}, "device is 1, expected"),
    ({"device": b"CPU"}, "device is b'CPU', expected"),
]


@pytest.mark.parametrize("given, message", WRONG, ids=[message for _, message in WRONG])
def test_what_is_no_option_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(hlo2tiny.InputError, match=re.escape(message)):
        hlo2tiny.load(TEXT, **{"device": "CPU", **given})


def test_options_come_before_the_file() -> None:
    with pytest.raises(hlo2tiny.InputError, match="entry: expected"):
        hlo2tiny.load("absent.mlir", "CPU", entry=1)  # type: ignore[arg-type]


def test_a_module_has_the_same_checks() -> None:
    with pytest.raises(hlo2tiny.InputError, match="entry: expected"):
        hlo2tiny.Program(hlo2tiny.parse(TEXT), "CPU", entry=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("donate", ["x", 0, ["x"], (0,), {"x"}, {"x": 1}.keys(), range(1)], ids=str)
def test_arguments_are_donated_by_name_or_number(donate: Any) -> None:
    x, y = np.ones(2, np.float32), np.ones(2, np.float32)
    (result,) = hlo2tiny.load(TEXT, "CPU", donate=donate).numpy(x, y)
    assert result is x and x.tolist() == [2, 2]


def test_options_are_those_that_were_given() -> None:
    assert options_of("CPU") == Options("CPU")
    several = options_of(["cpu:0", "CPU:1"], "main", 2, 1, "highest", "order")
    assert several == Options("CPU", ("CPU", "CPU:1"), "main", 2, (1,), "highest", "order")
