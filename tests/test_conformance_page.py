"""The conformance table is that of the suites as they are now: their cases are counted, and a sample runs again."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import everywhere
import numpy as np
import pytest
from conformance import OF_TARGETS, ROOT, Group, by_op, dump, exercised, suites
from conformance_page import page

import hlo2tiny
from hlo2tiny.cli import main
from hlo2tiny.commands.conformance import ALL, Conformance, Suite, load, table

FOUND = load()
PLACE = {suite.name: i for i, suite in enumerate(FOUND.suites)}
UPDATE = "run python tests/conformance.py"


def groups(suite: str) -> list[Group]:
    """The cases of a suite, where it is on this machine."""
    about, found = suites()[suite]
    if suite == "StableHLO" and not (ROOT.parent / "shared" / "conformance").exists():
        pytest.skip("the conformance programs are not here")
    if about != FOUND.suites[PLACE[suite]].about:  # which test_jax_back_compat.py runs, whatever this jax keeps
        pytest.skip(f"of another release of jax: recorded were {FOUND.suites[PLACE[suite]].about}; here are {about}")
    return [*found()]


def counted(some: list[Group], suite: str) -> dict[str, dict[str, list[int]]]:
    counts: Counter[tuple[str, str]] = Counter()
    for group in some:
        for each in group.exercised():
            counts.update([*each, *{(op, ALL) for op, _ in each}])
    return by_op([counts])


def recorded(suite: str) -> dict[str, dict[str, list[int]]]:
    i = PLACE[suite]
    of_suite = {op: {t: [row[i]] for t, row in types.items() if row[i]} for op, types in FOUND.cases.items()}
    return {op: types for op, types in of_suite.items() if types}


def test_suites() -> None:
    assert [*PLACE] == [*suites()], UPDATE
    for suite in FOUND.suites:
        assert suite.passed == suite.cases, f"{suite.name}: {suite.passed} of {suite.cases} pass"


@pytest.mark.parametrize("suite", [name for name in PLACE if name != "rules"])
def test_cases_of_whole_programs(suite: str) -> None:
    found = groups(suite)
    assert sum(group.count for group in found) == FOUND.suites[PLACE[suite]].cases, UPDATE
    assert counted(found, suite) == recorded(suite), UPDATE


def test_cases_of_rows() -> None:
    found = groups("rules")
    assert sum(group.count for group in found) == FOUND.suites[PLACE["rules"]].cases, UPDATE
    table = recorded("rules")
    assert {group.name: group.count for group in found} == {op: types[ALL][0] for op, types in table.items()}, UPDATE


@pytest.mark.parametrize("suite", [pytest.param("rules", marks=pytest.mark.ci), "StableHLO"])
def test_a_sample_runs_again(suite: str) -> None:
    found = groups(suite)
    sample = [found[i] for i in np.random.default_rng(len(found)).choice(len(found), 10, replace=False)]
    for group in sample:
        assert all(group.run()), f"{group.name}: {UPDATE}"
    if suite == "rules":
        table = recorded(suite)
        assert counted(sample, suite) == {group.name: table[group.name] for group in sorted(sample, key=order)}, UPDATE


@pytest.mark.ci
@pytest.mark.parametrize("target", everywhere.TARGETS)
def test_a_sample_passes_on_each_target(target: str) -> None:
    """Of all suites, in a process of its own; .ci/night runs all of each."""
    if reason := everywhere.lacking(target):
        pytest.skip(reason)
    which = ["--every", "240", "--first", str(7 * everywhere.TARGETS.index(target) + 1)]
    tests = ["--gradients", str(ROOT / "tests" / "derivatives" / "test_movement.py"), "--check"]
    command = [sys.executable, ROOT / "tests" / "conformance.py", "--target", target, *which, *tests]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
    suites_run = set(re.findall(rf"^{target}: ([\w ]+): [1-9]", done.stdout, re.MULTILINE))
    assert suites_run >= {"rules", "random programs", "shared memory", "gradients"}, done.stdout


def test_targets_pass() -> None:
    """What is recorded of each target: all suites, in which all cases pass but those that it refuses."""
    assert [*FOUND.targets] == [*everywhere.TARGETS]
    for target, row in FOUND.targets.items():
        assert {*row} == {*suites(), *OF_TARGETS}, target
        for suite, (passed, refused, cases) in row.items():
            assert passed + refused == cases, f"{target}: {suite}: {passed} of {cases - refused} pass"


def order(group: Group) -> tuple[bool, str]:
    return group.name.startswith("@"), group.name


def test_the_page_shows_the_table() -> None:
    assert (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8") == page(FOUND), UPDATE
    assert (ROOT / "hlo2tiny" / "conformance.json").read_text(encoding="utf-8") == dump(FOUND)


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ops", "--conformance"]) == 0
    printed = capsys.readouterr().out
    assert printed == table(FOUND) + "\n"
    assert {line.split()[0] for line in printed.splitlines()[1:] if line} >= {*FOUND.cases}


def test_tables() -> None:
    """Types with the same numbers share a line; failures are shown."""
    found = Conformance(
        (Suite("a", "some", 5, 4), Suite("b", "others", 1, 1)),
        {"x.add": {ALL: [5, 1], "f32": [2, 0], "f64": [2, 0], "i8": [1, 1]}},
        {"x.add": {ALL: [1, 0], "i8": [1, 0]}},
    )
    rows = [("x.add", ALL, ["4 of 5", "1"]), ("x.add", "f32, f64", ["2", ""]), ("x.add", "i8", ["0 of 1", "1"])]
    assert [*found.rows()] == rows
    assert "| `x.add` | f32, f64 | 2 |  |" in page(found).partition("<summary>x: 1 ops")[2]  # folded away
    assert "Cases of `x.add` fail." in page(found) and "| x | 1 | 1 | 1 |" in page(found).partition("<details")[0]
    assert "a: some, 4 of 5 pass" in table(found)


def test_what_a_program_exercises(tmp_path: Path) -> None:
    """Ops of bodies of loops count, those of reductions do not, and neither do constants."""
    text = """func.func @main(%x: tensor<4xbf16>) -> tensor<i1> {
      %c = stablehlo.constant dense<0.0> : tensor<bf16>
      %0 = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<4xbf16>, tensor<bf16>) -> tensor<bf16>
      %1 = stablehlo.while(%v = %0) : tensor<bf16>
        cond { %2 = stablehlo.is_finite %v : (tensor<bf16>) -> tensor<i1> stablehlo.return %2 : tensor<i1> }
        do { %3 = stablehlo.negate %v : tensor<bf16> stablehlo.return %3 : tensor<bf16> }
      %4 = stablehlo.is_finite %1 : (tensor<bf16>) -> tensor<i1>
      return %4 : tensor<i1>
    }"""  # noqa: E501
    found = exercised(hlo2tiny.parse(text))
    names = {f"stablehlo.{name}" for name in ("reduce", "while", "negate", "is_finite")}
    assert found == {(name, "bf16") for name in names} | {("stablehlo.is_finite", "i1")}
