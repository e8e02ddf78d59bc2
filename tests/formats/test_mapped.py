"""Arrays in files: where they lie while nobody changes the file, and an error once somebody does."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.formats import mapped, npy, safetensors, sidecar
from hlo2tiny.formats.artifact import Signature, Stored

LENGTH = 1 << 16
TEXT = f"""func.func @main(%w: tensor<{LENGTH}xf32> loc("w"), %x: tensor<f32> loc("x")) -> tensor<{LENGTH}xf32> {{
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<{LENGTH}xf32>
  %1 = stablehlo.multiply %w, %0 : tensor<{LENGTH}xf32>
  return %1 : tensor<{LENGTH}xf32>
}}
"""
WEIGHTS = np.arange(LENGTH, dtype=np.float32)
TWO = np.float32(2)


@pytest.fixture(params=["safetensors", "npy"])
def weights(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A program's weights; the program is beside them."""
    path = tmp_path / f"model.{request.param}"
    if request.param == "npy":
        np.save(path, WEIGHTS)
        stored = Stored(path.name)
    else:
        safetensors.write(path, {"w": WEIGHTS})
        stored = Stored(path.name, "w")
    sidecar.write(tmp_path / "model.mlir", TEXT.encode(), Signature(bound={0: stored}))
    return path


def load(weights: Path) -> hlo2tiny.Program:
    return hlo2tiny.load(weights.with_name("model.mlir"), device="CPU")


def cut(path: Path) -> None:
    os.truncate(path, 100)


def change(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(-8, os.SEEK_END)
        file.write(b"\1\2\3\4\5\6\7\x08")
    os.utime(path, ns=(0, 1))


@pytest.mark.parametrize("harm", [cut, change])
@pytest.mark.parametrize("runs", [0, 2])
def test_a_file_that_changes_is_an_error_and_no_end_of_the_process(weights: Path, harm: object, runs: int) -> None:
    program = load(weights)
    for _ in range(runs):
        assert np.array_equal(program.numpy(TWO)[0], WEIGHTS * 2)
    if not runs:  # read, but not used
        next(iter(program._arguments.bound.values())).array()
    harm(weights)  # type: ignore[operator]
    for call in (program.numpy, program, program.lazy):
        with pytest.raises(hlo2tiny.InputError, match="this file has changed since it was loaded"):
            call(TWO)


def test_a_file_that_is_replaced_stays_what_it_was(weights: Path) -> None:
    program = load(weights)
    program.numpy(TWO)
    other = weights.with_name("other")
    other.write_bytes(b"other")
    os.replace(other, weights)
    assert np.array_equal(program.numpy(TWO)[0], WEIGHTS * 2)


def test_a_file_that_others_may_write_to_is_copied(weights: Path) -> None:
    weights.chmod(0o666)
    program = load(weights)
    assert np.array_equal(program.numpy(TWO)[0], WEIGHTS * 2)
    cut(weights)
    assert np.array_equal(program.numpy(TWO)[0], WEIGHTS * 2)


def test_arrays_of_private_files_are_where_the_file_is(weights: Path) -> None:
    array = npy.read(weights) if weights.suffix == ".npy" else safetensors.read(weights)["w"]
    assert mapped.file_of(array) is not None
    assert mapped.file_of(array.reshape(2, -1)[:, 1:]) is mapped.file_of(array)
    assert mapped.file_of(array.copy()) is None
    assert not array.flags.writeable


def test_files_are_closed_with_the_last_array(weights: Path) -> None:
    safetensors.arrays_of.cache_clear()
    before = len(os.listdir("/proc/self/fd"))
    array = npy.read(weights) if weights.suffix == ".npy" else safetensors.read(weights)["w"]
    safetensors.arrays_of.cache_clear()
    assert len(os.listdir("/proc/self/fd")) > before
    del array
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("ending", ["npy", "safetensors"])
def test_what_is_not_a_regular_file_is_refused(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"fifo.{ending}"
    os.mkfifo(path)
    with pytest.raises(hlo2tiny.InputError, match="expected a regular file"):
        npy.read(path) if ending == "npy" else safetensors.read(path)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (5, 7), (300, 200)])
def test_npy_files_of_every_shape(tmp_path: Path, shape: tuple[int, ...], order: str) -> None:
    array = np.asarray(np.random.default_rng(0).random(shape), order=order)  # type: ignore[call-overload]
    np.save(tmp_path / "a.npy", array)
    found = npy.read(tmp_path / "a.npy")
    assert found.dtype == array.dtype and found.shape == array.shape and np.array_equal(found, array)
