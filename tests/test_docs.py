"""The examples in docstrings run; the README's are in test_readme.py."""

from __future__ import annotations

import doctest
import pydoc
import re
from pathlib import Path

import pytest

import hlo2tiny
from hlo2tiny import LATER
from hlo2tiny.program import custom_calls, loading, program, training

ROOT = Path(__file__).parents[1]


def test_docstring_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(custom_calls, "_custom_calls", {})
    modules = hlo2tiny, program, loading, custom_calls, training
    results = [doctest.testmod(module, extraglobs={"load": hlo2tiny.load}) for module in modules]
    assert sum(result.attempted for result in results) >= 8
    assert not any(result.failed for result in results)


def test_docstring_examples_that_export(tmp_path: Path) -> None:
    from hlo2tiny.from_jax import exporting, jitted

    results = [doctest.testmod(module, extraglobs={"folder": tmp_path}) for module in (exporting, jitted)]
    assert sum(result.attempted for result in results) >= 8
    assert not any(result.failed for result in results)


def test_every_public_name_has_a_docstring() -> None:
    for name in hlo2tiny.__all__:
        assert getattr(hlo2tiny, name).__doc__, name
    for name, member in vars(hlo2tiny.Program).items():
        assert name.startswith("_") or member.__doc__, name


def test_help_lists_the_public_names() -> None:
    """All of them, including those that are imported on first use."""
    text = pydoc.plain(pydoc.render_doc(hlo2tiny))
    # A long signature has a line for each parameter since Python 3.13.
    text = re.sub(r"\(\n +", "(", text)
    for name in ("load(", "custom_call(", "class Program", "program.bind(params)", "export(function", "jit(function"):
        assert name in text, name
    functions = text.partition("\nFUNCTIONS\n")[2].partition("\nDATA\n")[0]
    classes = text.partition("\nCLASSES\n")[2].partition("\nFUNCTIONS\n")[0]
    for name in hlo2tiny.__all__:
        if isinstance(getattr(hlo2tiny, name), type):
            assert f"\n    class {name}(" in classes, name
        else:
            assert re.search(rf"^    {name}\(\w", functions, re.MULTILINE), name


@pytest.mark.parametrize("name", [*LATER, "Program"])
def test_help_on_a_name(name: str) -> None:
    """As `help(hlo2tiny.export)` gives it."""
    assert f"{name}(" in pydoc.plain(pydoc.render_doc(f"hlo2tiny.{name}"))


def test_the_reference_names_what_there_is() -> None:
    """Each `::: name` of docs/reference.md, which only the build of the site reads otherwise."""
    names = re.findall(r"^::: (\S+)$", (ROOT / "docs" / "reference.md").read_text("utf-8"), re.MULTILINE)
    assert len(names) > 8
    for name in names:
        assert pydoc.locate(name) is not None, name
