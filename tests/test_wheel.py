"""The wheel in a fresh environment without JAX: it holds the grammar, and runs a model."""

from __future__ import annotations

import importlib.util
import os
import platform
import subprocess
import sys
import venv
import zipfile
from importlib import resources
from pathlib import Path

import pytest

from hlo2tiny.targets.c import shipped
from hlo2tiny.targets.c.doubles import FORMULAS
from hlo2tiny.targets.cuda.__main__ import places as kernels_of_wheels

ROOT = Path(__file__).parents[1]
BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("jax", "jaxlib", "flax"):
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
import numpy as np
import hlo2tiny
from corpus import BY_NAME
entry = BY_NAME["gpt_decoder_scan"]
entry.check(hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs()))
assert not {"jax", "jaxlib", "flax"} & {name.split(".")[0] for name in sys.modules}
print("ran")
"""


@pytest.mark.ci
def test_no_jax_in_the_process() -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
        "HLO2TINY_CACHE": "off",
    }
    command = [sys.executable, "-c", BLOCKED]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=environment)
    assert (result.returncode, result.stdout) == (0, "ran\n"), result.stderr


@pytest.mark.ci
def test_the_wheel_runs_a_model_in_a_fresh_environment(tmp_path: Path) -> None:
    def run(*command: object) -> str:
        others = ("PYTHONPATH", "CC", "VIRTUAL_ENV", "XDG_CACHE_HOME")
        environment = {k: v for k, v in os.environ.items() if k not in others} | {"HLO2TINY_CACHE": "off"}
        arguments = [str(c) for c in command]
        result = subprocess.run(
            arguments, capture_output=True, text=True, timeout=1200, check=False, cwd=tmp_path, env=environment
        )
        assert result.returncode == 0, f"{arguments}\n{result.stdout}\n{result.stderr}"
        return result.stdout

    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path / "wheels", ROOT)
    (wheel,) = (tmp_path / "wheels").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    data = {"py.typed", "conformance.json", "grammar/mlir.lark", "grammar/stablehlo.lark"}
    data |= {"pjrt/interface.c", "pjrt/plugin.c"}
    if sys.platform == "linux" and platform.machine() == "x86_64":
        compiled = (shipped.place(name, key) for key, level in shipped.LEVELS.items() for name in level.names)
        printed = (shipped.place(name, "common") for name in FORMULAS)
        data |= {f"targets/c/compiled/{place.name}" for place in (*compiled, *printed)}
        if importlib.util.find_spec("cuda"):
            data |= {f"targets/cuda/compiled/{place.name}" for place in kernels_of_wheels()}
    assert {f"hlo2tiny/{name}" for name in data} <= set(names)
    assert "jax_plugins/hlo2tiny/__init__.py" in names
    code = resources.files("hlo2tiny.targets.c")
    sources = {f"hlo2tiny/targets/c/{f.name}" for f in code.iterdir() if f.name.endswith(".c")}
    assert sources | {f"hlo2tiny/targets/c/template/{f.name}" for f in code.joinpath("template").iterdir()} <= set(
        names
    )
    assert not [n for n in names if n.startswith(("tests", "corpus", "grammar"))]
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", f"{wheel}[cc]")
    assert "jax" not in run(python, "-m", "pip", "list").lower().split()
    model = ROOT / "corpus" / "mnist_mlp_predict.mlir"
    printed = run(python, "-m", "hlo2tiny", "run", model, "--random", "0", "--device", "CPU")
    assert "float32[32, 10]" in printed
