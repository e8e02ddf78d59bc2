"""The examples in docstrings and the README run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny import program
from hlo2tiny.rules.specification import SPECIFIED
from hlo2tiny.verify import support_table

ROOT = Path(__file__).parents[1]


def test_docstring_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(program, "_custom_calls", {})
    result = doctest.testmod(program)
    assert result.attempted >= 3
    assert result.failed == 0


def test_docstring_examples_that_export(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    from hlo2tiny import exporting, jitted

    results = [doctest.testmod(module, extraglobs={"folder": tmp_path}) for module in (exporting, jitted)]
    assert sum(result.attempted for result in results) >= 8
    assert not any(result.failed for result in results)


def test_every_public_name_has_a_docstring() -> None:
    for name in hlo2tiny.__all__:
        assert getattr(hlo2tiny, name).__doc__, name


def test_the_readmes_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exporting needs JAX; loading, naming and calling is the README's first block."""
    pytest.importorskip("jax")
    import jax

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(program, "_custom_calls", {})
    use, export, custom = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    names = {"model": lambda x: jax.numpy.tanh(x), "example_arguments": (np.zeros(3, np.float32),)}
    exec(export, names)
    x = np.array([0.5, -1, 2], np.float32)
    called = {"tensors": (x,), "arrays": (x,)}
    exec(use.replace("import hlo2tiny", "import hlo2tiny, os; os.environ.setdefault('DEV', 'CPU')"), called)
    np.testing.assert_allclose(called["array"], np.tanh(x), rtol=1e-6)
    exec(custom, {"hlo2tiny": hlo2tiny})


def test_the_readme_counts_the_ops_that_run() -> None:
    states = [state for name, state in support_table() if name in SPECIFIED]
    assert f"({states.count('yes')} of {len(states)} ops run)" in (ROOT / "README.md").read_text()
