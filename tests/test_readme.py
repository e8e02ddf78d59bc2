"""The README's Python runs, section by section, in a folder of its own, and does what the text beside it says."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tinygrad
from formats import test_torch_folder
from tinygrad import Tensor

import hlo2tiny
from hlo2tiny import program
from hlo2tiny.formats import safetensors
from hlo2tiny.ops import OPS
from hlo2tiny.verify.problems import support_table

README = (Path(__file__).parents[1] / "README.md").read_text()
SECTIONS: dict[str, list[str]] = {
    section.partition("\n")[0]: re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    for section in README.split("\n## ")[1:]
    if "```python" in section
}
X = np.random.RandomState(0).standard_normal((2, 784)).astype(np.float32)
Y = np.ones((2, 10), np.float32)
PARAMS = {"w": np.linspace(-0.1, 0.1, 7840, dtype=np.float32).reshape(784, 10), "b": np.ones(10, np.float32)}


def model(params: Any, x: Any) -> Any:
    import jax

    return jax.nn.relu(x @ params["w"] + params["b"])


WANT = np.maximum(X @ PARAMS["w"] + PARAMS["b"], 0)


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the README's examples are about; they run in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    tensors = {name: Tensor(value).realize() for name, value in PARAMS.items()}
    return {"hlo2tiny": hlo2tiny, "model": model, "params": PARAMS, "tensors": tensors, "x": X, "y": Y}


@pytest.fixture
def exporting(names: dict[str, Any]) -> dict[str, Any]:
    """The same when the first section's program has been exported."""
    import jax

    names["jax"] = jax
    exec(SECTIONS["From JAX in one line"][0], names)
    return names


def check(found: Any, want: np.ndarray = WANT) -> None:
    np.testing.assert_allclose(found.numpy() if isinstance(found, Tensor) else found, want, rtol=1e-4, atol=1e-5)


def test_every_section_is_tested_here() -> None:
    assert {title: len(blocks) for title, blocks in SECTIONS.items()} == {
        "From JAX in one line": 2,
        "Load and run": 1,
        "Serialized artifacts": 1,
        "Weights apart": 1,
        "Fine-tuning": 1,
        "Another device": 1,
        "From PyTorch": 2,
        "What it takes": 1,
    }


def test_from_jax_in_one_line(exporting: dict[str, Any]) -> None:
    assert sorted(path.name for path in Path().iterdir()) == ["model.mlir", "model.mlir.json", "model.safetensors"]
    exec(SECTIONS["From JAX in one line"][1], exporting)
    gradients = exporting["jax"].grad(lambda params: ((model(params, X) - Y) ** 2).mean())(PARAMS)
    for name, gradient in gradients.items():
        check(exporting["tensors"][name].grad, gradient)


def test_load_and_run(exporting: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    exec(SECTIONS["Load and run"][0], exporting)
    assert capsys.readouterr().out == "x: float32[b, 784]\nresult: float32[b, 10]\n"
    assert isinstance(exporting["result"], Tensor)
    check(exporting["result"])
    check(exporting["array"])


def test_serialized_artifacts(exporting: dict[str, Any]) -> None:
    exec(SECTIONS["Serialized artifacts"][0], exporting)
    check(exporting["result"])


def test_weights_apart(exporting: dict[str, Any]) -> None:
    exec(SECTIONS["Serialized artifacts"][0], exporting)
    tuned = {"params['w']": PARAMS["w"], "params['b']": PARAMS["b"] + 1}
    safetensors.write("tuned.safetensors", tuned)
    exec(SECTIONS["Weights apart"][0], exporting)
    check(exporting["tuned"](X), np.maximum(X @ PARAMS["w"] + PARAMS["b"] + 1, 0))
    check(exporting["bound"](X))


def test_fine_tuning(exporting: dict[str, Any]) -> None:
    exporting |= {"tinygrad": tinygrad, "Tensor": Tensor}
    exec(SECTIONS["Fine-tuning"][0], exporting)
    jax, params = exporting["jax"], PARAMS
    for _ in range(3):
        value, gradients = jax.value_and_grad(lambda params: ((model(params, X) - Y) ** 2).mean())(params)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)
    check(exporting["loss"], np.asarray(value))
    check(exporting["program"](X), np.maximum(X @ params["w"] + params["b"], 0))


def test_another_device(exporting: dict[str, Any]) -> None:
    exec(SECTIONS["Another device"][0].replace('"CUDA"', '"PYTHON"'), exporting)
    assert exporting["result"].device == "PYTHON"
    check(exporting["result"])


def test_a_folder_of_torch_xla(names: dict[str, Any]) -> None:
    test_torch_folder.write(Path("torch_xla_folder"))
    names["x"] = test_torch_folder.X0, test_torch_folder.X1, 7
    exec(SECTIONS["From PyTorch"][0].replace("program(x)", "program(*x)"), names)
    np.testing.assert_array_equal(names["result"]["z"].numpy(), test_torch_folder.X0 * 10)


def test_torchax(names: dict[str, Any]) -> None:
    if os.environ.get("HLO2TINY_TORCH") != "1":  # see test_torch.py
        pytest.importorskip("torchax.export")
    import torch

    module = torch.nn.Sequential(torch.nn.Linear(784, 10), torch.nn.ReLU()).eval()
    exec(SECTIONS["From PyTorch"][1], names | {"module": module})
    found = hlo2tiny.load("torch.mlir", device="CPU").numpy((X,))
    check(found[0] if isinstance(found, (tuple, list)) else found, module(torch.tensor(X)).detach().numpy())


def test_custom_calls(names: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_custom_calls", {})
    exec(SECTIONS["What it takes"][0], names)
    assert list(program.custom_calls()) == ["my_op"]


def test_the_readme_counts_the_ops_that_run() -> None:
    states = [state for name, state in support_table() if name in OPS and name.startswith(("stablehlo.", "chlo."))]
    assert f"({states.count('yes')} of {len(states)} ops run)" in README
