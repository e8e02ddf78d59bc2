"""Pipes where files are expected: nothing waits for their writers."""

from __future__ import annotations

import os
import pickle
import signal
from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny import InputError
from hlo2tiny.cli import main
from hlo2tiny.files import open_regular, read_regular
from hlo2tiny.machine import cache

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
NEGATE = """func.func @main(%x: tensor<2xf32> loc("x")) -> tensor<2xf32> {
  %0 = stablehlo.negate %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def replace_by_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"contents")
    assert read_regular(tmp_path / "file") == b"contents"
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(InputError, match="expected a regular file, found a pipe, a device or a socket"):
            open_regular(path)
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "none")


def test_a_pipe_in_the_store_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HLO2TINY_CACHE", "")
    x = np.array([1, 2], np.float32)
    np.testing.assert_array_equal(hlo2tiny.load(NEGATE, "CPU").numpy(x)[0], -x)
    entries = list((tmp_path / "hlo2tiny").iterdir())
    assert entries
    for entry in entries:
        replace_by_pipe(entry)
    np.testing.assert_array_equal(hlo2tiny.load(NEGATE, "CPU").numpy(x)[0], -x)
    assert cache.read(entries[0].name) != b""
    os.mkfifo(tmp_path / "hlo2tiny" / "entry")
    assert cache.read("entry") is None
    cache.write("entry", b"contents")
    assert cache.read("entry") == b"contents"


@pytest.mark.parametrize("stored", [True, False])
def test_a_pipe_in_place_of_a_pickled_programs_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    if not stored:
        monkeypatch.setenv("HLO2TINY_CACHE", "off")
    path = tmp_path / "model.mlir"
    path.write_text(NEGATE)
    program = hlo2tiny.load(path, "CPU")
    program.compile()
    pickled = pickle.dumps(program)
    replace_by_pipe(path)
    with pytest.raises(InputError, match=r"model\.mlir: expected a regular file"):
        pickle.loads(pickled)


def test_a_pipe_in_place_of_pickled_weights(tmp_path: Path) -> None:
    def model(params: np.ndarray, x: np.ndarray) -> np.ndarray:
        return params * x

    weights = np.ones(1 << 16, np.float32)
    hlo2tiny.export(model, weights, weights, path=tmp_path / "model.mlir", weights="external")
    pickled = pickle.dumps(hlo2tiny.load(tmp_path / "model.mlir", "CPU"))
    replace_by_pipe(tmp_path / "model.safetensors")
    with pytest.raises(InputError, match=r"model\.safetensors: expected a regular file"):
        pickle.loads(pickled).numpy(weights)
    with pytest.raises(InputError, match=r"model\.safetensors: expected a regular file"):
        hlo2tiny.load(tmp_path / "model.mlir", "CPU").numpy(weights)
    replace_by_pipe(tmp_path / "model.mlir.json")
    with pytest.raises(InputError, match=r"model\.mlir\.json: expected a regular file"):
        hlo2tiny.load(tmp_path / "model.mlir", "CPU")


def test_a_pipe_as_an_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.mlir").write_text(NEGATE)
    os.mkfifo(tmp_path / "x.npy")
    os.mkfifo(tmp_path / "x.npz")
    for item in (f"x={tmp_path / 'x.npy'}", str(tmp_path / "x.npz")):
        assert main(["run", str(tmp_path / "model.mlir"), "--input", item]) == 1
        assert "expected a regular file, found a pipe, a device or a socket" in capsys.readouterr().err


def test_a_pipe_in_a_folder_of_torch_xla(tmp_path: Path) -> None:
    (tmp_path / "functions").mkdir()
    os.mkfifo(tmp_path / "functions" / "forward.meta")
    os.mkfifo(tmp_path / "functions" / "forward.bytecode")
    with pytest.raises(InputError, match="expected a regular file"):
        hlo2tiny.load(tmp_path, "CPU")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
@pytest.mark.parametrize("command", ["run", "inspect", "view", "check"])
def test_a_pipe_that_nobody_writes_to(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main([command, str(tmp_path / "pipe"), "--timeout", "0.2"]) == 1
    assert "not done in 0.2 s; give it more time with --timeout" in capsys.readouterr().err
