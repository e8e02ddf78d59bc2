"""Names of dimensions that only messages of assertions have."""

from __future__ import annotations

import pytest

import hlo2tiny
from hlo2tiny.formats.symbolic import open_dimensions, split
from hlo2tiny.syntax.parser import parse

TEXT = """
func.func public @main(%a: tensor<4xf32>, %b: tensor<?x3xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%0)
    {{error_message = "{message}", has_side_effect = true}} : (tensor<i1>) -> ()
  return %c : tensor<?xf32>
}}
"""
BEFORE, AFTER = (
    "x. Using the following polymorphic shapes specifications: ",
    ". Obtained dimension variables: 'b' = {0}",
)


def dimensions(specifications: str) -> list[tuple[str, ...]]:
    module = parse(TEXT.format(message=f"{BEFORE}{specifications}{AFTER.format('0')}"))
    return [tuple(sizes) for sizes in open_dimensions(module)]


@pytest.mark.parametrize(
    ("specifications", "found"),
    [
        ("args[0].shape = (b, 3),kwargs['c'].shape = (2*b + 1,)", [(), ("b", "3"), ("2*b + 1",)]),
        ("args[0]['w'].shape = (mod(b, max(2, c)), 3),x.shape = (c,)", [(), ("mod(b, max(2, c))", "3"), ("c",)]),
        ("args[0].shape = (b, 4),args[1].shape = (b,)", []),
        ("args[0].shape = (b, 3)", []),
        ("args[0].shape = (b, 3, 3),args[1].shape = (b,)", []),
        ("args[0].shape = b", []),
        ("", []),
    ],
)
def test_names(specifications: str, found: list[tuple[str, ...]]) -> None:
    assert dimensions(specifications) == found


def test_split() -> None:
    assert split("(a, f(b, c), 3),x") == ["a", "f(b, c)", "3"]
    assert split("(a,)") == ["a"]
    assert split("()") == split("") == split("b, c") == []


def test_no_assertion() -> None:
    text = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }"
    assert hlo2tiny.load(text, device="CPU").inputs[0].layout == "float32[?]"
