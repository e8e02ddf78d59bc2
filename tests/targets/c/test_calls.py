"""Calls with arrays that C checks: they give what other calls give, and leave to those what they do not take."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets.c import calls, code

TWO = """
func.func @main(%x: tensor<2x3xf32> loc("x"), %y: tensor<3xf32> loc("y"), %b: tensor<i1> loc("b"))
    -> (tensor<2x3xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %w = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %n = stablehlo.negate %x : tensor<2x3xf32>
  %c = stablehlo.select %b, %x, %n : tensor<i1>, tensor<2x3xf32>
  %s = stablehlo.add %c, %w : tensor<2x3xf32>
  %r = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %s, %r : tensor<2x3xf32>, tensor<f32>
}
"""
X, Y, TRUE = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([1, 2, 3], np.float32), np.array(True)


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A loaded program after its first call; and the calls since then that took the other way."""
    program = hlo2tiny.load(TWO, "CPU")
    program.numpy(X, Y, TRUE)
    others: list[object] = []
    run = code.CCode.run_numpy
    monkeypatch.setattr(code.CCode, "run_numpy", lambda *arguments: others.append(1) or run(*arguments))
    return program, others


def check(found: tuple[np.ndarray, ...], x: np.ndarray = X, y: np.ndarray = Y) -> None:
    np.testing.assert_array_equal(found[0], np.asarray(x) + y)
    assert found[1] == found[0].sum()


def test_numpy_and_this_python_have_the_fields() -> None:
    assert calls.arrays_are_known()


def test_later_calls(prepared: Any) -> None:
    program, others = prepared
    for x in (X, X + 1, np.zeros_like(X)):
        check(program.numpy(x, Y, TRUE), x)
        check(program.numpy_one_by_one([x, Y, TRUE]), x)
        check(program.numpy(x, y=Y, b=TRUE), x)
        out = np.empty((2, 3), np.float32), np.empty((), np.float32)
        assert program.numpy(x, Y, TRUE, out=out)[0] is out[0]
        check(out, x)
    any_true = np.array(2, np.uint8).view(bool)
    check(program.numpy(X, Y, any_true))
    first = program.numpy(X, Y, TRUE)
    program.numpy(X + 5, Y, TRUE)
    check(first)  # results are not overwritten
    assert not others


class Own(np.ndarray):
    pass


def unaligned(array: np.ndarray) -> np.ndarray:
    place = np.empty(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    place[...] = array
    return place


@pytest.mark.parametrize(
    "x",
    [
        np.asfortranarray(X),
        X.repeat(2, 1)[:, ::2],
        X.view(Own),
        unaligned(X),
        X.astype(np.dtype(np.float32, metadata={"unit": "m"})),
    ],
    ids=["columns", "gaps", "subclass", "unaligned", "metadata"],
)
def test_other_arrays(prepared: Any, x: Any) -> None:
    program, others = prepared
    check(program.numpy(x, Y, TRUE), x)
    assert others


@pytest.mark.parametrize(
    "x", [X[:1], X.reshape(3, 2), X.astype("f8"), X.astype(">f4"), X[None], X.astype("O"), 1.5], ids=repr
)
def test_what_does_not_fit(prepared: Any, x: Any) -> None:
    with pytest.raises(hlo2tiny.InputError, match=r"^argument 0 \(x\) is .*, expected float32\[2, 3\]$"):
        prepared[0].numpy(x, Y, TRUE)
    with pytest.raises(hlo2tiny.InputError, match=r"^2 arguments were given"):
        prepared[0].numpy(X, Y)


def test_where_results_cannot_be_written(prepared: Any) -> None:
    program, total = prepared[0], np.empty((), np.float32)
    x, memory = X.copy(), np.zeros(9, np.float32)
    locked = np.zeros((2, 3), np.float32)
    locked.flags.writeable = False
    for out, message in [
        ((x, total), r"^out\[0\] and argument 0 \(x\) overlap|^argument 0 \(x\) and out\[0\] overlap"),
        ((memory[:6].reshape(2, 3), memory[5:6].reshape(())), r"overlap"),
        ((locked, total), r"^out\[0\] is read-only"),
        ((np.zeros((3, 2), np.float32).T, total), r"^out\[0\] is not contiguous"),
        ((np.zeros((2, 3)), total), r"^out\[0\] is float64"),
    ]:
        with pytest.raises(hlo2tiny.InputError, match=message):
            program.numpy(x, Y, TRUE, out=out)
        np.testing.assert_array_equal(x, X)
    check(program.numpy(x, Y, TRUE, out=(memory[:6].reshape(2, 3), memory[6:7].reshape(()))))


def test_bound_arguments(prepared: Any) -> None:
    _, others = prepared
    y = Y.copy()
    program = hlo2tiny.load(TWO, "CPU").bind(y=y, b=TRUE)
    program.numpy(X)
    others.clear()
    check(program.numpy(X))
    assert not others
    weights = program.weights  # which may be assigned to from now on
    check(program.numpy(X))
    weights["y"].assign(weights["y"] + 1).realize()
    check(program.numpy(X), y=Y + 1)


def test_a_bound_array_is_not_overwritten(prepared: Any) -> None:
    x, total = X.copy(), np.empty((), np.float32)
    program = hlo2tiny.load(TWO, "CPU").bind(x)
    program.numpy(Y, TRUE)
    for _ in range(2):
        with pytest.raises(hlo2tiny.InputError, match="overlap"):
            program.numpy(Y, TRUE, out=(x, total))
    check(program.numpy(Y, TRUE, out=(x + 1, total)))
    np.testing.assert_array_equal(x, X)


TYPES = {"bf16": ml_dtypes.bfloat16, "complex<f32>": "c8", "i64": "i8", "i4": ml_dtypes.int4, "ui2": ml_dtypes.uint2}


@pytest.mark.parametrize("type, dtype", TYPES.items())
@pytest.mark.parametrize("shape", [(), (0, 2), (3, 5)])
def test_element_types(type: str, dtype: Any, shape: tuple[int, ...]) -> None:
    tensor = f"tensor<{'x'.join([*map(str, shape), type])}>"
    text = f"func.func @main(%x: {tensor}) -> {tensor} {{ %y = stablehlo.add %x, %x : {tensor} return %y : {tensor} }}"
    program, x = hlo2tiny.load(text, "CPU"), np.ones(shape).astype(dtype)
    expected, *others = [program.numpy(x)[0] for _ in range(3)]
    assert all(other.tobytes() == expected.tobytes() for other in others)


def test_no_results_and_no_arguments() -> None:
    nothing = hlo2tiny.load("func.func @main(%x: tensor<2xf32>) { return }", "CPU")
    assert [nothing.numpy(np.zeros(2, np.float32)) for _ in range(3)] == [()] * 3
    one = "%c = stablehlo.constant dense<1.0> : tensor<f32> return %c : tensor<f32>"
    program = hlo2tiny.load(f"func.func @main() -> tensor<f32> {{ {one} }}", "CPU")
    assert [program.numpy()[0] for _ in range(3)] == [1] * 3


def test_references_are_kept(prepared: Any) -> None:
    program, _ = prepared
    x = X.copy()
    counts = sys.getrefcount(x), sys.getrefcount(Y), sys.getrefcount(X.dtype)
    results = [program.numpy(x, Y, TRUE) for _ in range(50)]
    for found in results:
        check(found)
    del results, found
    program.numpy(X, Y, TRUE)
    assert (sys.getrefcount(x), sys.getrefcount(Y), sys.getrefcount(X.dtype)) == counts


def test_threads_and_many_programs(prepared: Any) -> None:
    programs = [prepared[0], *(hlo2tiny.load(TWO.replace("0.0", f"{n}.0"), "CPU") for n in range(1, 20))]

    def call(number: int) -> None:
        x = X + number
        for _ in range(20):
            result, total = programs[number % 20].numpy(x, Y, TRUE)
            np.testing.assert_array_equal(result, x + Y)
            assert total == result.sum() + number % 20

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(call, range(80)))
