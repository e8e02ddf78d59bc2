"""The page of ops is what the rows say now."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlo2tiny.cli import main
from hlo2tiny.commands.ops import PARTS, page
from hlo2tiny.ops import OPS
from hlo2tiny.ops.definition import FOREIGN

PAGE = Path(__file__).parents[1] / "docs" / "ops.md"


def cells_of(name: str) -> list[str]:
    (line,) = [line for line in page().splitlines() if line.startswith(f"| `{name}` |")]
    return [cell.strip() for cell in line.strip("|").split(" |")]


def test_the_page_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "--table"]) == 0
    assert PAGE.read_text(encoding="utf-8") == capsys.readouterr().out, "run hlo2tiny ops --table > docs/ops.md"


def test_every_op_is_on_the_page() -> None:
    text = page()
    assert [name for name in OPS if f"\n| `{name}` |" not in text] == []
    others = {name for name in FOREIGN if not name.startswith("mhlo.")} - PARTS
    assert [name for name in others if f"`{name}`" not in text] == []


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("stablehlo.transpose", ["`permutation`: a list of integers", "`%, dims = $permutation`"]),
        ("chlo.top_k", ["`k`: an integer of 64 bits<br>`is_stable`: true or false, default true, since jaxlib 0.12"]),
        ("stablehlo.dot_general", ["`algorithm`: #stablehlo.dot_algorithm<…>, optional, since 1.6.0"]),
        ("stablehlo.while", ["loop", "control flow", "yes"]),
        ("stablehlo.floor", ["`Q -> Q`", "elementwise, stepwise", "kernels", "zero"]),
        ("stablehlo.cholesky", ["step", "yes"]),
        ("chlo.broadcast_and", ["bi", "kernels", "no"]),
        ("stablehlo.dynamic_iota", ["static"]),
        ("stablehlo.tuple", ["removed"]),
        ("stablehlo.infeed", ["refused"]),
    ],
)
def test_cells(name: str, cells: list[str]) -> None:
    for cell in cells:
        assert any(cell in found for found in cells_of(name)), (cell, cells_of(name))
