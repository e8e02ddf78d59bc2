"""Text is UTF-8 in every locale, in files and on standard output."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Python as it is where no locale is set: text is ASCII unless somebody says otherwise.
PLAIN = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
NAME = "naïve 日本"
TEXT = f"""func.func @main(%x: tensor<2xf32> loc("{NAME}")) -> tensor<2xf32> {{
  %0 = stablehlo.tanh %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}}
"""
# Where our own code leaves an encoding to the locale, Python says so; other packages may.
RUNNER = """import sys, warnings
warnings.filterwarnings("ignore", category=EncodingWarning)
warnings.filterwarnings("error", category=EncodingWarning, module=r"hlo2tiny")
from hlo2tiny.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(folder: Path, *arguments: str | bytes) -> tuple[int, str, str]:
    script = folder / "runner.py"
    script.write_text(RUNNER, encoding="utf-8")
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONIOENCODING", "LANG")}
    environment |= PLAIN | {"PYTHONPATH": str(ROOT), "HLO2TINY_CACHE": "on", "XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-X", "warn_default_encoding", str(script), *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=250)
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def test_ops(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, "ops")
    assert (code, err) == (0, "") and "stablehlo.add" in out


def test_commands_on_files_with_other_names(tmp_path: Path) -> None:
    (tmp_path / "modèle.mlir").write_text(TEXT, encoding="utf-8")
    code, out, err = run(tmp_path, "inspect", "modèle.mlir", "--plan")
    assert (code, err) == (0, "") and f"0 {NAME}: float32[2]" in out
    code, out, err = run(tmp_path, "convert", "modèle.mlir", "zweites_é.mlir")
    assert (code, err) == (0, "") and "zweites_é.mlir" in out
    code, out, err = run(tmp_path, "run", "zweites_é.mlir", "--random", "0", "--device", "CPU", "--save", "é.npz")
    assert (code, err) == (0, "") and out.startswith("out0: float32[2]")
    code, out, err = run(tmp_path, "run", "modèle.mlir", "--device", "CPU", "--input", f"{NAME}=é.npy")
    assert (code, out, err) == (1, "", f"hlo2tiny: error: --input {NAME}=é.npy: there is no file é.npy\n")
    code, out, err = run(tmp_path, "run", "kein_é.mlir", "--random", "0")
    assert (code, err) == (1, "hlo2tiny: error: kein_é.mlir: there is no such file\n")
    assert (tmp_path / "é.npz").exists()


@pytest.mark.ci
def test_all_other_commands(tmp_path: Path) -> None:
    (tmp_path / "modèle.mlir").write_text(TEXT, encoding="utf-8")
    for arguments in (
        ("diff", "modèle.mlir", "modèle.mlir"),
        ("compile", "modèle.mlir", "-o", "é"),
        ("bench", "modèle.mlir", "--seconds", "0.05", "--profile", "é.html"),
        ("cache", "info"),
    ):
        code, _, err = run(tmp_path, *arguments)
        assert (code, err) == (0, ""), arguments
    assert "modèle.mlir:2" in (tmp_path / "é.html").read_text(encoding="utf-8")
