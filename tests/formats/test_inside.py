"""A model's files are in its folder: no name and no symbolic link leads elsewhere."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from formats.test_torch_folder import X0, X1
from formats.test_torch_folder import write as write_folder

import hlo2tiny
from hlo2tiny.errors import InputError
from hlo2tiny.formats import safetensors, sidecar
from hlo2tiny.formats.artifact import Signature, Stored
from hlo2tiny.formats.inside import inside

TEXT = b"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"


def model(folder: Path, path: str, key: str = "x") -> Path:
    """A program whose argument is an array of a file that its JSON names."""
    folder.mkdir(exist_ok=True)
    sidecar.write(folder / "model.mlir", TEXT, Signature(names=["x"], bound={0: Stored(path, key)}))
    return folder / "model.mlir"


@pytest.mark.parametrize("path", ["a\0b", "", "/etc/passwd", "../x", "x/../../y", "a" * 5000, "\udcff", "\ud800"])
@pytest.mark.parametrize("key", ["x", ""])
def test_names_that_are_refused(path: str, key: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        hlo2tiny.load(model(tmp_path, path, key), device="CPU").numpy()


def test_links_that_lead_outside(tmp_path: Path) -> None:
    secret = tmp_path / "secret.safetensors"
    safetensors.write(secret, {"x": np.array([1, 2], np.float32)})
    path = model(tmp_path / "model", "w.safetensors")
    (path.parent / "w.safetensors").symlink_to(secret)
    with pytest.raises(InputError, match="outside the model's folder"):
        hlo2tiny.load(path, device="CPU").numpy()
    (path.parent / "w.safetensors").unlink()
    shutil.copy(secret, path.parent / "here.safetensors")
    (path.parent / "w.safetensors").symlink_to("here.safetensors")  # which stays inside
    np.testing.assert_array_equal(hlo2tiny.load(path, device="CPU").numpy()[0], [1, 2])
    # The folder itself, and the program, may be links: the user named them.
    (tmp_path / "link").symlink_to("model")
    np.testing.assert_array_equal(hlo2tiny.load(tmp_path / "link/model.mlir", device="CPU").numpy()[0], [1, 2])


def test_a_folder_in_the_models_that_leads_outside(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    safetensors.write(tmp_path / "elsewhere/w.safetensors", {"x": np.zeros(2, np.float32)})
    path = model(tmp_path / "model", "data/w.safetensors")
    (path.parent / "data").symlink_to("../elsewhere")
    with pytest.raises(InputError, match="outside the model's folder"):
        hlo2tiny.load(path, device="CPU").numpy()


def test_a_json_elsewhere(tmp_path: Path) -> None:
    path = model(tmp_path / "model", "w.safetensors")
    json_path = sidecar.path_of(str(path))
    json_path.rename(tmp_path / "elsewhere.json")
    json_path.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(InputError, match="outside the model's folder"):
        hlo2tiny.load(path, device="CPU")
    json_path.unlink()
    json_path.symlink_to(json_path.name)
    with pytest.raises(InputError, match="cannot be read"):
        hlo2tiny.load(path, device="CPU")


@pytest.mark.parametrize("pattern", ["functions/*.meta", "functions/*.mlir", "data/*", "constants/*"])
def test_folders_of_torch_xla(pattern: str, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "folder")
    assert hlo2tiny.load(folder, device="CPU").numpy(X0, X1, 7)
    file = next(iter(folder.glob(pattern)))
    file.rename(tmp_path / file.name)
    file.symlink_to(tmp_path / file.name)
    with pytest.raises(InputError, match="outside the model's folder"):
        hlo2tiny.load(folder, device="CPU").numpy(X0, X1, 7)


def test_a_name_that_is_not_utf8_can_be_written_and_read(tmp_path: Path) -> None:
    """Names of locations are bytes; JSON holds what they are read as."""
    safetensors.write(tmp_path / "w.safetensors", {"w\udcff": np.zeros(2, np.float32)})
    assert list(safetensors.read(tmp_path / "w.safetensors")) == ["w\udcff"]
    sidecar.write(tmp_path / "m.mlir", TEXT, Signature(names=["w\udcff"]))
    found = sidecar.signature_of(sidecar.contents(str(tmp_path / "m.mlir")), str(tmp_path / "m.mlir"), TEXT)
    assert found is not None and found.names == ["w\udcff"]
    assert json.loads((tmp_path / "m.mlir.json").read_bytes())


def test_inside(tmp_path: Path) -> None:
    assert inside(tmp_path, "a/b.npy") == tmp_path / "a/b.npy"
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(InputError):
        hlo2tiny.load(model(tmp_path, "circle"), device="CPU").numpy()
