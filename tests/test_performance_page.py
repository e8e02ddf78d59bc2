"""docs/performance.md is as its command writes it, except for the figures and the remarks. No test here measures."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from test_bench import measured

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "bench"))
    import tables

    yield tables
    for name in ("tables", "programs"):
        del sys.modules[name]


def test_the_fixed_text_is_the_commands(tables: ModuleType) -> None:
    parts = tables.parts(PAGE.read_text(encoding="utf-8"))
    heads = {
        "starts": tables.start_table({}, [], {"hlo2tiny": 1.0}),
        "targets": tables.targets({}, {}),
        "narrow": tables.narrow_table({}),
        "programs": tables.programs_table({}, "XLA"),
    }
    for part, lines in heads.items():
        assert parts[part].startswith(next(lines)), "run python tests/bench --page"
    assert parts["models"].startswith("| model | hlo2tiny | XLA |")
    named = {line.split(" | ")[0].removeprefix("| ") for line in parts["versions"].splitlines()}
    assert {"hlo2tiny", "CPython", "jax", "tinygrad"} <= named


def test_remarks_and_families_are_kept_and_other_changes_are_seen(tables: ModuleType) -> None:
    figures = {
        "date": "2026-11-22",
        "machine": "2 cores",
        "versions": {"hlo2tiny": "1"},
        "peers": ["onnxruntime"],
        "programs": {"life": measured(1, 2), "gpt2": measured(1, 2)},
        "parse_seconds": {},
        "token_seconds": {"f32": 0.02, "int8": 0.005},
        "call_overhead": {"hlo2tiny": 1e-6},
        "parsing": [("a file", "1 s")],
    }
    kept = {"remarks": "\nThe scalar loop\nwaits. {braces}\n\n", "families": "38 programs"}
    text = tables.page(figures, kept)
    assert {name: tables.parts(text)[name] for name in kept} == kept
    assert tables.page(figures, tables.parts(text)) == text
    with pytest.raises(ValueError, match="is not as"):
        tables.parts(text.replace("on the same cores", "anywhere"))
