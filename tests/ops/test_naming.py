"""In how many source files an op is named: its row, its rule, its derivative."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import hlo2tiny
from hlo2tiny.ir.structures import STRUCTURES
from hlo2tiny.ops import OPS
from hlo2tiny.rules import RULES

PACKAGE = Path(hlo2tiny.__file__).parent
NAMES = {name for name in {*OPS, *RULES} if not name.startswith("@")}
MOST = 3
# Counting full names, and lists of short names too, most of which are those of rows.
ON_AVERAGE = {True: 2.0, False: 2.13}


def named_in(source: str) -> Iterator[tuple[str, bool]]:
    """The ops that a file names, and whether in full, or by a short name where it puts a dialect before names."""
    tree = ast.parse(source)
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    yield from ((name, True) for name in NAMES.intersection(texts))
    joined = [n.values[0] for n in ast.walk(tree) if isinstance(n, ast.JoinedStr)]
    starts = [v.value for v in joined if isinstance(v, ast.Constant) and isinstance(v.value, str)]
    dialects = {text[:-1] for text in starts if re.fullmatch(r"\w+\.", text)}
    for text in texts:
        for dialect in dialects:
            full = {f"{dialect}.{word}" for word in text.split()}
            # Else it is a sentence, or the name of something else, as of the structure #stablehlo.gather<…>.
            if full <= NAMES and text not in STRUCTURES:
                yield from ((name, False) for name in full)


@cache
def files_of(in_full: bool = False) -> dict[str, set[str]]:
    """The files that name each op; `in_full` leaves out those that do so by its short name alone."""
    files: defaultdict[str, set[str]] = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).as_posix()
        for name, is_full in named_in(path.read_text(encoding="utf-8")):
            if is_full or not in_full:
                files[name].add(place)
    return files


def test_the_count_finds_names_in_full_and_in_lists() -> None:
    assert set(named_in('rule("stablehlo.add")')) == {("stablehlo.add", True)}
    listed = set(named_in('NAMES = [f"chlo.{name}" for name in "sinh cosh".split()]'))
    assert listed == {("chlo.sinh", False), ("chlo.cosh", False)}
    assert not set(named_in('"""stablehlo.add adds."""\nadd = "add"'))


def test_an_op_is_named_in_three_files_at_most() -> None:
    assert {name: sorted(files) for name, files in files_of().items() if len(files) > MOST} == {}


@pytest.mark.parametrize("in_full", [True, False])
def test_an_op_is_named_in_few_files_on_average(in_full: bool) -> None:
    assert sum(map(len, files_of(in_full).values())) / len(NAMES) <= ON_AVERAGE[in_full]
