"""The specification's ops are all known, each has a rule or a refusal that says why, and each has tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest

import hlo2tiny
from hlo2tiny.formats.bytecode.properties import variants
from hlo2tiny.ops import OPS
from hlo2tiny.rules import RULES
from hlo2tiny.verify.problems import support_table
from hlo2tiny.verify.refused import REFUSED

from . import test_all_rules  # noqa: F401  (fills CASES)
from .cases import CASES
from .test_control import COVERED

STATE = dict(support_table())
TESTS = "\n".join(path.read_text() for path in sorted(Path(__file__).parents[1].rglob("test_*.py")))


def defined(dialect: ModuleType) -> set[str]:
    classes = (x for x in vars(dialect).values() if isinstance(x, type))
    return {c.OPERATION_NAME for c in classes if hasattr(c, "OPERATION_NAME")}


def expect_none(names: Iterable[str]) -> None:
    listed = sorted(names)
    assert not listed, ", ".join(listed)


def test_no_op_of_the_installed_dialects_is_unknown() -> None:
    from jaxlib.mlir.dialects import _chlo_ops_gen, _stablehlo_ops_gen

    expect_none((defined(_stablehlo_ops_gen) | defined(_chlo_ops_gen)) - set(OPS))


def attributes_of(operation: type) -> set[str]:
    """What jaxlib's class of an op lets one set: its attributes."""
    return {name for name, member in vars(operation).items() if isinstance(member, property) and member.fset}


def test_no_attribute_of_the_installed_dialects_is_unknown() -> None:
    """Neither to bytecode's reader nor to the op's rule. Ops without attributes, or without a rule, have none here."""
    from jaxlib.mlir.dialects import _chlo_ops_gen, _stablehlo_ops_gen

    classes = [c for dialect in (_stablehlo_ops_gen, _chlo_ops_gen) for c in vars(dialect).values()]
    found = {c.OPERATION_NAME: attributes_of(c) for c in classes if hasattr(c, "OPERATION_NAME") and attributes_of(c)}
    assert len(found) > 60 and found["stablehlo.dot_general"] >= {"dot_dimension_numbers", "precision_config"}
    for op, names in found.items():
        read = {each.name for variant in variants(op) or [] for each in variant}
        expect_none(f"{op}: {name} in bytecode" for name in names - read)
        if op in RULES:
            expect_none(f"{op}: {name} in its rule" for name in names - set(RULES[op].attributes))


def test_each_op_has_a_rule_or_a_refusal() -> None:
    expect_none(name for name, state in STATE.items() if state == "no")


def test_each_op_has_tests() -> None:
    """A row, or, for what is no rule of one op, a test of a program in which it stands."""
    expect_none(n for n in OPS if n not in {*CASES, *COVERED, *REFUSED} and n not in TESTS)


@pytest.mark.parametrize("op", [name for name in REFUSED if not name.startswith("@")])
def test_refused_ops_say_why(op: str) -> None:
    text = f'func.func @main() -> tensor<f32> {{\n  %r = "{op}"() : () -> tensor<f32>\n  return %r : tensor<f32>\n}}'
    with pytest.raises(hlo2tiny.UnsupportedOp, match=re.escape(f"<text>:2:8: {op}: {REFUSED[op]}")):
        hlo2tiny.load(text, device="CPU")


def test_refusals_say_what_to_do() -> None:
    expect_none(name for name, reason in REFUSED.items() if not {"export", "make", "return"} & set(reason.split()))


def test_a_rule_takes_what_its_row_lists() -> None:
    """Verification reads the row alone, so the rule must know all that passes it."""
    for name in OPS.keys() & RULES.keys():
        row, found = OPS[name], RULES[name]
        # One function stands for ops of arith and Shardy whose attributes differ.
        if not name.startswith(("arith.", "sdy.")):
            assert found.attributes.keys() == row.attributes.keys(), name
            assert all(found.attributes[n] for n in row.attributes.keys() - found.ignored), f"{name} repeats a default"
        assert row.attributes.keys() <= found.attributes.keys(), name
        assert len(row.regions) == len(found.regions), name
        (least, most), (fewest, largest) = row.counts(0), found.operands
        assert fewest <= least and (largest is None or (most is not None and most <= largest)), name
