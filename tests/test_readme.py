"""The README's Python runs, section by section, in a folder of its own, and does what the text beside it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tinygrad import Tensor

from hlo2tiny.ops import OPS
from hlo2tiny.verify.problems import support_table

README = (Path(__file__).parents[1] / "README.md").read_text()
SECTIONS: dict[str, list[str]] = {
    section.partition("\n")[0]: re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    for section in README.split("\n## ")[1:]
    if "```python" in section
}
X = np.random.RandomState(0).standard_normal((2, 784)).astype(np.float32)
PARAMS = {"w": np.linspace(-0.1, 0.1, 7840, dtype=np.float32).reshape(784, 10), "b": np.ones(10, np.float32)}


def model(params: Any, x: Any) -> Any:
    import jax

    return jax.nn.relu(x @ params["w"] + params["b"])


WANT = np.maximum(X @ PARAMS["w"] + PARAMS["b"], 0)


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the README's examples are about; they run in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    return {"model": model, "params": PARAMS, "x": X}


@pytest.fixture
def exporting(names: dict[str, Any]) -> dict[str, Any]:
    """The same when the first section's program has been exported."""
    exec(SECTIONS["From JAX in one line"][0], names)
    return names


def check(found: Any, want: np.ndarray = WANT) -> None:
    np.testing.assert_allclose(found.numpy() if isinstance(found, Tensor) else found, want, rtol=1e-4, atol=1e-5)


def test_every_section_is_tested_here() -> None:
    assert {title: len(blocks) for title, blocks in SECTIONS.items()} == {
        "From JAX in one line": 1,
        "Load and run": 1,
    }


def test_from_jax_in_one_line(exporting: dict[str, Any]) -> None:
    assert sorted(path.name for path in Path().iterdir()) == ["model.mlir", "model.mlir.json", "model.safetensors"]


def test_load_and_run(exporting: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    exec(SECTIONS["Load and run"][0], exporting)
    assert capsys.readouterr().out == "x: float32[b, 784]\nresult: float32[b, 10]\n"
    assert isinstance(exporting["result"], Tensor)
    check(exporting["result"])
    check(exporting["array"])


def test_the_readme_counts_the_ops_that_run() -> None:
    states = [state for name, state in support_table() if name in OPS and name.startswith(("stablehlo.", "chlo."))]
    assert f"({states.count('yes')} of {len(states)} ops run;" in README
