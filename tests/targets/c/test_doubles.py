"""The functions of float64, which are printed from the rules' formulas when a program first needs them."""

from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets.c import doubles, shipped
from hlo2tiny.targets.c.__main__ import print_functions

TEXT = """func.func @main(%x: tensor<3xf64>) -> tensor<3xf64> {
  %0 = chlo.cosh %x : tensor<3xf64> -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
"""


def test_a_function_is_printed_once_for_all_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("HLO2TINY_CACHE", raising=False)
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)  # an installation that compiled has the function already
    printed = list[str]()
    monkeypatch.setattr(
        doubles, "print_function", lambda name, real=doubles.print_function: printed.append(name) or real(name)
    )
    doubles.function_text.cache_clear()
    (result,) = hlo2tiny.load(TEXT, device="CPU").numpy(np.array([1e-9, 0.5, 3.0]))
    np.testing.assert_allclose(result, np.cosh([1e-9, 0.5, 3.0]), rtol=1e-15)
    assert printed == ["cosh_d"]
    doubles.function_text.cache_clear()
    monkeypatch.setattr(doubles, "print_function", lambda name: pytest.fail("it is in the store"))
    assert doubles.function_text("cosh_d").startswith("FUNCTION_OF_DOUBLES cosh_d(double x0) {")


def test_a_package_has_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr("hlo2tiny.targets.c.__main__.FORMULAS", {"cosh_d": doubles.FORMULAS["cosh_d"]})
    print_functions()
    found = shipped.find("cosh_d")
    assert found is not None
    assert found.decode() == doubles.print_function("cosh_d")
