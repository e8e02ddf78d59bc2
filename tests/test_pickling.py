"""Programs in other processes: what is pickled, what is mapped again, and the error if a file has changed."""

from __future__ import annotations

import concurrent.futures
import copy
import multiprocessing
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from tinygrad import Tensor

import hlo2tiny
from hlo2tiny.formats import mapped, safetensors

TEXT = """func.func @main(%w: tensor<300x200xf32> loc("w"), %x: tensor<?x300xf32> loc("x"))
    -> (tensor<?x200xf32> {jax.result_info = "y"}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x300xf32>, tensor<300x200xf32>)
    -> tensor<?x200xf32>
  return %0 : tensor<?x200xf32>
}
func.func @other(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
"""
W = np.random.RandomState(0).standard_normal((300, 200)).astype(np.float32)
X = np.random.RandomState(1).standard_normal((4, 300)).astype(np.float32)


@pytest.fixture(params=[0o600, 0o666], ids=["mapped", "copied"])
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    (tmp_path / "model.mlir").write_text(TEXT)
    safetensors.write(tmp_path / "w.safetensors", {"w": W})
    (tmp_path / "w.safetensors").chmod(request.param)
    return tmp_path


def result_in_this_process(program: hlo2tiny.Program, x: np.ndarray) -> tuple[int, np.ndarray, int]:
    """This process, the result, and how many bytes of it the program's pickle takes."""
    return os.getpid(), program.numpy(x)[0], len(pickle.dumps(program))


@pytest.mark.parametrize("folder", [0o600], indirect=True)
def test_a_spawned_process_maps_the_weights_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    program = hlo2tiny.load("model.mlir", "CPU", weights="w.safetensors", threads=1)
    want = program.numpy(X)[0]
    monkeypatch.chdir("/")  # the path is kept whole
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
        process, found, size = pool.submit(result_in_this_process, program, X).result()
    assert process != os.getpid()
    np.testing.assert_array_equal(found, want)
    assert size < 4000 < W.nbytes
    assert len(pickle.dumps(program)) < 4000


def test_weights_lie_in_the_files_memory_again(folder: Path) -> None:
    program = hlo2tiny.load(folder / "model.mlir", "CPU", weights=folder / "w.safetensors")
    again = pickle.loads(pickle.dumps(program))
    assert mapped.memory_of(again._arguments.bound[0].value) is not None
    assert [str(i) for i in again.inputs] == [str(i) for i in program.inputs] == ["x: float32[?, 300]"]


def test_options_come_along(folder: Path) -> None:
    program = hlo2tiny.load(folder / "model.mlir", "CPU", entry="other", threads=1, donate=0)
    again = pickle.loads(pickle.dumps(program))
    assert (again._source, again._options) == (program._source, program._options)
    x = np.ones(2, np.float32)
    assert again.numpy(x)[0] is x


@pytest.mark.parametrize("bound", [W, Tensor(W)], ids=["array", "Tensor"])
def test_a_text_and_what_was_bound_travel(bound: object) -> None:
    program = hlo2tiny.load(TEXT, "CPU").bind(w=bound)
    again = pickle.loads(pickle.dumps(program))
    np.testing.assert_array_equal(again.numpy(X)[0], program.numpy(X)[0])
    assert len(pickle.dumps(program)) > W.nbytes


def test_a_parsed_module_travels_as_text() -> None:
    program = hlo2tiny.Program(hlo2tiny.parse(TEXT), "CPU", entry="other")
    x = np.ones(2, np.float32)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(program)).numpy(x)[0], x)


def test_several_devices_come_along() -> None:
    path = Path(__file__).parents[1] / "corpus/several/ring_all_reduce.mlir"
    devices = tuple(f"CPU:{i}" for i in range(8))
    program = hlo2tiny.load(path, devices)
    again = pickle.loads(pickle.dumps(program))
    assert again.device == program.device
    arrays = [np.ones(i.shape, i.dtype) for i in program.inputs]
    for ours, theirs in zip(again.numpy(*arrays), program.numpy(*arrays)):
        np.testing.assert_array_equal(ours, theirs)


def test_a_changed_program_is_one_error(folder: Path) -> None:
    pickled = pickle.dumps(hlo2tiny.load(folder / "model.mlir", "CPU"))
    (folder / "model.mlir").write_text(TEXT + "\n")
    with pytest.raises(hlo2tiny.InputError, match=r"model\.mlir' has changed since it was loaded; load it again$"):
        pickle.loads(pickled)


def test_changed_weights_are_one_error(folder: Path) -> None:
    weights = folder / "w.safetensors"
    program = hlo2tiny.load(folder / "model.mlir", "CPU", weights=weights)
    pickled = pickle.dumps(program)
    os.utime(weights, (1, 1))  # as a copy on another machine: only the contents count
    np.testing.assert_array_equal(pickle.loads(pickled).numpy(X)[0], hlo2tiny.load(TEXT, "CPU").numpy(W, X)[0])
    weights.unlink()
    with pytest.raises(hlo2tiny.InputError, match=r"w\.safetensors: cannot be read in this process: No such file"):
        pickle.loads(pickled)
    safetensors.write(weights, {"w": W + 1})
    with pytest.raises(hlo2tiny.InputError, match=r"w\.safetensors: this file has changed since the program was"):
        pickle.loads(pickled)
    with pytest.raises(hlo2tiny.InputError, match=r"w\.safetensors: this file has changed since it was loaded"):
        pickle.dumps(program)


def test_a_copy_is_the_same_program() -> None:
    program = hlo2tiny.load(TEXT, "CPU")
    assert copy.copy(program)._specialisations is program._specialisations


def sent(type: str, elements: str) -> np.ndarray:
    """The array of a constant, in a module that a process got from another one."""
    body = f"%0 = stablehlo.constant dense<{elements}> : {type}\n  return %0 : {type}"
    module = hlo2tiny.parse(f"func.func @main() -> {type} {{\n  {body}\n}}")
    text = pickle.dumps(module)
    assert len(text) < 10_000
    again = pickle.loads(text)
    assert str(again) == str(module)
    (value,) = (op.attributes["value"] for op in again.functions["main"].body.ops if "value" in op.attributes)
    return value.data


def test_a_module_keeps_repeated_elements_as_one() -> None:
    """A process that reads a file for another one sends its module: a splat of a gigabyte is one element there, too."""
    assert not any(sent("tensor<100000x3000xf32>", "1.5").strides)


def test_a_module_keeps_numbers_as_arrays() -> None:
    for element, number in (("f32", "1.5"), ("bf16", "1.5"), ("i4", "3"), ("complex<f32>", "(1.0, 2.0)")):
        data = sent(f"tensor<{element}>", number)
        assert isinstance(data, np.ndarray) and data.shape == ()
