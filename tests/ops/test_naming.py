"""In how many source files an op is named: its row, its rule, its derivative."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import hlo2tiny
from hlo2tiny.ir.structures import STRUCTURES
from hlo2tiny.ops import OPS
from hlo2tiny.rules import RULES

PACKAGE = Path(hlo2tiny.__file__).parent
NAMES = {name for name in {*OPS, *RULES} if not name.startswith("@")}
MOST = 3
ON_AVERAGE = 2


def named_in(source: str) -> Iterator[str]:
    """The ops that a file names, in full or by a short name where it puts a dialect before names."""
    tree = ast.parse(source)
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    yield from NAMES.intersection(texts)
    joined = [n.values[0] for n in ast.walk(tree) if isinstance(n, ast.JoinedStr)]
    starts = [v.value for v in joined if isinstance(v, ast.Constant) and isinstance(v.value, str)]
    dialects = {text[:-1] for text in starts if re.fullmatch(r"\w+\.", text)}
    for text in texts:
        for dialect in dialects:
            full = {f"{dialect}.{word}" for word in text.split()}
            # Else it is a sentence, or the name of something else, as of the structure #stablehlo.gather<…>.
            if full <= NAMES and text not in STRUCTURES:
                yield from full


@cache
def files_of() -> dict[str, set[str]]:
    """The files that name each op."""
    files: defaultdict[str, set[str]] = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).as_posix()
        for name in named_in(path.read_text(encoding="utf-8")):
            files[name].add(place)
    return files


def test_the_count_finds_names_in_full_and_in_lists() -> None:
    assert set(named_in('rule("stablehlo.add")')) == {"stablehlo.add"}
    listed = set(named_in('NAMES = [f"chlo.{name}" for name in "sinh cosh".split()]'))
    assert listed == {"chlo.sinh", "chlo.cosh"}
    assert not set(named_in('"""stablehlo.add adds."""\nadd = "add"'))


def test_an_op_is_named_in_three_files_at_most() -> None:
    assert {name: sorted(files) for name, files in files_of().items() if len(files) > MOST} == {}


def test_an_op_is_named_in_few_files_on_average() -> None:
    assert sum(map(len, files_of().values())) / len(NAMES) <= ON_AVERAGE
