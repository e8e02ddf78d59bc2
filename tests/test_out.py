"""Results in arrays of the caller's: `program.numpy(…, out=…)`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets.c import code

TWO = """
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %s = stablehlo.add %x, %b : tensor<2x3xf32>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %s, %r : tensor<2x3xf32>, tensor<f32>
}
"""
X, Y = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([1, 2, 3], np.float32)
DEVICES = ["CPU", "PYTHON"]


def same(type: str) -> str:
    return f"func.func @main(%x: {type}) -> {type} {{ %y = stablehlo.add %x, %x : {type} return %y : {type} }}"


def places() -> list[np.ndarray]:
    return [np.full((2, 3), 77, np.float32), np.full((), 77, np.float32)]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", [list, tuple])
def test_results_are_the_arrays(device: str, kind: type) -> None:
    program, out = hlo2tiny.load(TWO, device), places()
    found = program.numpy(X, Y, out=kind(out))
    assert isinstance(found, tuple) and all(a is b for a, b in zip(found, out, strict=True))
    for result, expected in zip(found, program.numpy(X, Y)):
        np.testing.assert_array_equal(result, expected)


def test_nothing_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    program, out = hlo2tiny.load(TWO, "CPU"), places()
    program.numpy(X, Y)  # compiles, and makes working memory
    monkeypatch.setattr(code, "empty", None)
    program.numpy(X, Y, out=out)
    np.testing.assert_array_equal(out[0], X + Y)


TYPES = {"bf16": ml_dtypes.bfloat16, "complex<f32>": "c8", "i64": "i8", "i4": ml_dtypes.int4, "i1": "?"}


@pytest.mark.parametrize("type, dtype", TYPES.items())
@pytest.mark.parametrize("shape", [(), (0, 2), (3, 5)])
def test_element_types(type: str, dtype: Any, shape: tuple[int, ...]) -> None:
    program = hlo2tiny.load(same(f"tensor<{'x'.join([*map(str, shape), type])}>"), "CPU")
    x, out = np.ones(shape).astype(dtype), np.zeros(shape).astype(dtype)
    (found,) = program.numpy(x, out=out)  # an only result's array need not be in a tuple
    assert found is out and out.tobytes() == program.numpy(x)[0].tobytes()


def test_the_structure_of_the_results(tmp_path: Path) -> None:
    def model(x: Any) -> Any:
        return {"double": 2 * x, "rest": [x + 1]}

    hlo2tiny.export(model, np.zeros(3, np.float32), path=tmp_path / "model.mlir")
    program, out = (
        hlo2tiny.load(tmp_path / "model.mlir", "CPU"),
        {"rest": [np.empty(3, "f4")], "double": np.empty(3, "f4")},
    )
    found = program.numpy(Y, out=out)
    assert found["double"] is out["double"] and found["rest"][0] is out["rest"][0]
    assert (out["double"].tolist(), out["rest"][0].tolist()) == ([2, 4, 6], [2, 3, 4])
    with pytest.raises(hlo2tiny.InputError, match=r"^out: expected a dict with keys 'double', 'rest', found "):
        program.numpy(Y, out=(out["double"], out["rest"][0]))


def test_open_dimensions() -> None:
    program = hlo2tiny.load(same("tensor<?xf32>"), "CPU")
    for n in (3, 5):
        out = np.empty(n, np.float32)
        program.numpy(np.ones(n, np.float32), out=out)
        assert out.tolist() == [2] * n
    with pytest.raises(hlo2tiny.InputError, match=r"^out\[0\] is float32\[5\], expected float32\[4\]$"):
        program.numpy(np.ones(4, np.float32), out=out)


def read_only() -> np.ndarray:
    array = np.full((2, 3), 77, np.float32)
    array.flags.writeable = False
    return array


BAD = {
    r"out has 1 array, but there are 2 results": lambda: places()[:1],
    r"out has 3 arrays, but there are 2 results": lambda: [*places(), places()[1]],
    r"out\[0\] is float32\[3, 2\], expected float32\[2, 3\]": lambda: [np.full((3, 2), 77, "f4"), places()[1]],
    r"out\[0\] is float64\[2, 3\], expected float32\[2, 3\]": lambda: [np.full((2, 3), 77, "f8"), places()[1]],
    r"out\[0\] is >f4\[2, 3\], expected float32\[2, 3\]": lambda: [np.full((2, 3), 77, ">f4"), places()[1]],
    r"out\[1\] is 7, expected an array float32\[\]": lambda: [places()[0], 7],
    r"out\[1\] is None, expected an array float32\[\]": lambda: [places()[0], None],
    r"out\[0\] is not contiguous, so no result can be written there": lambda: [
        np.full((3, 2), 77, "f4").T, places()[1]
    ],
    r"out\[0\] is read-only, so no result can be written there": lambda: [read_only(), places()[1]],
    r"out\[0\] is unaligned, so no result can be written there": lambda: [
        np.full(25, 77, "u1")[1:].view("f4").reshape(2, 3), places()[1]
    ],
}  # fmt: skip


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("message", BAD)
def test_what_does_not_fit_is_not_written(message: str, device: str) -> None:
    out = BAD[message]()
    before = [x.copy() if isinstance(x, np.ndarray) else x for x in out]
    with pytest.raises(hlo2tiny.InputError, match=f"^{message}$"):
        hlo2tiny.load(TWO, device).numpy(X, Y, out=out)
    for array, expected in zip(out, before):
        np.testing.assert_array_equal(array, expected)


def test_what_overlaps_is_not_written() -> None:
    program, memory = hlo2tiny.load(TWO, "CPU"), np.arange(20, dtype=np.float32)
    x, y, middle = memory[:6].reshape(2, 3), memory[6:9], memory[4:10].reshape(2, 3)
    last = memory[19:].reshape(())
    for out, message in [
        ([x, last], r"argument 0 and out\[0\] overlap"),
        ([middle, last], r"argument 0 and out\[0\] overlap"),
        ([memory[9:15].reshape(2, 3), memory[8:9].reshape(())], r"argument 1 and out\[1\] overlap"),
        ([memory[9:15].reshape(2, 3), memory[14:15].reshape(())], r"out\[0\] and out\[1\] overlap"),
    ]:
        with pytest.raises(hlo2tiny.InputError, match=f"^{message}, but the call writes results to one of them$"):
            program.numpy(x, y, out=out)
    with pytest.raises(hlo2tiny.InputError, match=r"^argument 0 and out\[0\] overlap"):
        program.bind(x).numpy(y, out=[memory[8:14].reshape(2, 3), last])
    with pytest.raises(hlo2tiny.InputError, match=r"^bound argument 0 and out\[0\] overlap"):
        program.bind(x).numpy(y, out=[memory[5:11].reshape(2, 3), last])
    assert memory.tolist() == list(range(20))


def test_an_argument_that_is_copied_may_overlap() -> None:
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    expected = x.T + Y
    found, _ = hlo2tiny.load(TWO, "CPU").numpy(x.T, Y, out=[x.reshape(2, 3), np.empty((), np.float32)])
    np.testing.assert_array_equal(found, expected)


def test_threads_write_to_their_own_arrays() -> None:
    program = hlo2tiny.load(TWO, "CPU")

    def call(seed: int) -> bool:
        out = places()
        program.numpy(X + seed, Y, out=out)
        return bool(np.all(out[0] == X + seed + Y))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, range(40)))
