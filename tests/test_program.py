"""Calling a program: arguments of every kind, results that stay, threads, custom calls, and wrong input."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from tinygrad import Tensor, dtypes

import hlo2tiny
from hlo2tiny.formats import safetensors
from hlo2tiny.ir import DenseAttr
from hlo2tiny.program.custom_calls import _custom_calls

ADD = """
func.func public @main(%a: tensor<2x3xf32> loc("params['w']"), %b: tensor<2x3xf32> loc("x"))
    -> (tensor<2x3xf32> {jax.result_info = "result['sum']"}) {
  %0 = stablehlo.add %a, %b : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
"""
X = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture(scope="module")
def add() -> hlo2tiny.Program:
    return hlo2tiny.load(ADD, device="CPU")


def unary(body: str, kind: str, result: str | None = None) -> hlo2tiny.Program:
    text = f"func.func @main(%x: tensor<{kind}>) -> tensor<{result or kind}> {{\n{body}\n}}"
    return hlo2tiny.load(text, device="CPU")


def test_names_shapes_dtypes(add: hlo2tiny.Program) -> None:
    assert [str(i) for i in add.inputs] == ["params['w']: float32[2, 3]", "x: float32[2, 3]"]
    assert add.outputs == (hlo2tiny.Argument("result['sum']", (2, 3), np.dtype(np.float32)),)


def test_tensors_and_arrays_mix(add: hlo2tiny.Program) -> None:
    result = add(Tensor(X), X)
    assert isinstance(result, Tensor)
    np.testing.assert_array_equal(result.numpy(), X + X)


def test_the_same_tensor_twice(add: hlo2tiny.Program) -> None:
    x = Tensor(X).realize()
    np.testing.assert_array_equal(add(x, x).numpy(), X + X)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Tensor(X.T.copy()).realize().T,
        lambda: Tensor(np.stack([X, X])).realize()[1],
        lambda: Tensor(np.pad(X, 1)).realize()[1:3, 1:4],
        lambda: Tensor(X) * 2 - Tensor(X),
        lambda: Tensor(X, device="PYTHON"),
        lambda: Tensor(X[::-1, ::-1].copy()).flip((0, 1)),
    ],
    ids=["transposed", "row of a stack", "window", "unrealized", "other device", "flipped"],
)
def test_views_unrealized_and_foreign_tensors(add: hlo2tiny.Program, make) -> None:
    np.testing.assert_array_equal(add(make(), np.zeros_like(X)).numpy(), X)


def test_constant_tensors_without_a_buffer(add: hlo2tiny.Program) -> None:
    constant = Tensor.full((2, 3), 2.0, dtype=dtypes.float32, buffer=False)
    np.testing.assert_array_equal(add(constant, X).numpy(), X + 2)


def test_results_stay_when_the_program_runs_again(add: hlo2tiny.Program) -> None:
    first, kept = add(X, X), add.numpy(X, X)[0]
    for factor in range(3):
        add(X * factor, X)
        add.numpy(X * factor, X)
    np.testing.assert_array_equal(first.numpy(), 2 * X)
    np.testing.assert_array_equal(kept, 2 * X)


def test_a_returned_input_is_a_copy() -> None:
    program = unary("return %x : tensor<2x3xf32>", "2x3xf32")
    x = Tensor(X).realize()
    result = program(x)
    x.assign(Tensor(X * 5)).realize()
    np.testing.assert_array_equal(result.numpy(), X)


def test_a_result_returned_twice_is_two_buffers() -> None:
    text = """func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %0 = stablehlo.negate %x : tensor<3xf32>
      return %0, %0 : tensor<3xf32>, tensor<3xf32>
    }"""
    a, b = hlo2tiny.load(text, device="CPU")(np.ones(3, np.float32))
    a.assign(Tensor(np.full(3, 7, np.float32))).realize()
    np.testing.assert_array_equal(b.numpy(), -np.ones(3))


def test_results_feed_the_next_call(add: hlo2tiny.Program) -> None:
    x = add(X, X)
    for _ in range(3):
        x = add(x, x)
    np.testing.assert_array_equal(x.numpy(), 16 * X)


def test_numpy_arrays_need_not_be_contiguous_or_writeable(add: hlo2tiny.Program) -> None:
    wide = np.zeros((4, 6), np.float32)
    frozen = X.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(add.numpy(wide[::2, ::2], frozen)[0], X)


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        ("3xbf16", ml_dtypes.bfloat16),
        ("3xf16", np.float16),
        ("3xf64", np.float64),
        ("3xi4", ml_dtypes.int4),
        ("3xui8", np.uint8),
        ("3xi64", np.int64),
        ("3xi1", np.bool_),
        ("3xcomplex<f32>", np.complex64),
        ("3xcomplex<f64>", np.complex128),
        ("0xf32", np.float32),
        ("f32", np.float32),
    ],
)
def test_every_dtype_comes_back_exactly(kind: str, dtype) -> None:
    program = unary(f"%0 = stablehlo.reshape %x : (tensor<{kind}>) -> tensor<{kind}>\nreturn %0 : tensor<{kind}>", kind)
    shape = program.inputs[0].shape
    x = np.arange(-1, 2)[: int(np.prod(shape))].reshape(shape).astype(dtype)
    x = x * dtype(1 - 2j) if np.dtype(dtype).kind == "c" else x
    (found,) = program.numpy(x)
    assert found.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize(("kind", "dtype"), [("4xbf16", dtypes.bfloat16), ("4xf16", dtypes.float16)])
def test_narrow_float_tensors_have_tinygrads_dtype(kind: str, dtype) -> None:
    program = unary(f"%0 = stablehlo.add %x, %x : tensor<{kind}>\nreturn %0 : tensor<{kind}>", kind)
    result = program(Tensor([1.0, 2.5, -3.0, 0.0], device="CPU").cast(dtype))
    assert result.dtype == dtype
    np.testing.assert_array_equal(result.cast(dtypes.float32).numpy(), [2, 5, -6, 0])


def test_complex_tensors_are_pairs() -> None:
    kind = "2xcomplex<f32>"
    program = unary(f"%0 = stablehlo.multiply %x, %x : tensor<{kind}>\nreturn %0 : tensor<{kind}>", kind)
    result = program(Tensor([[1.0, 2.0], [0.0, -1.0]]))
    np.testing.assert_allclose(result.numpy(), [[-3, 4], [-1, 0]])


# What numpy takes for false, true, true and true.
MASK = np.array([0, 255, 1, 2], np.uint8).view(np.bool_)
MASKED = """func.func @main(%m: tensor<4xi1> loc("mask"), %p: tensor<i1>)
    -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi32>, tensor<4xi1>, tensor<i1>, tensor<4xi32>) {
  %k = stablehlo.constant dense<[true, false, true, true, true, false, true, true, true]> : tensor<9xi1>
  %0 = stablehlo.slice %k [0:4] : (tensor<9xi1>) -> tensor<4xi1>
  %1 = stablehlo.not %m : tensor<4xi1>
  %2 = stablehlo.convert %m : (tensor<4xi1>) -> tensor<4xi32>
  %3 = stablehlo.xor %m, %0 : tensor<4xi1>
  %4 = "stablehlo.if"(%p) ({
    stablehlo.return %2 : tensor<4xi32>
  }, {
    %5 = stablehlo.negate %2 : tensor<4xi32>
    stablehlo.return %5 : tensor<4xi32>
  }) : (tensor<i1>) -> tensor<4xi32>
  return %m, %1, %2, %3, %p, %4 : tensor<4xi1>, tensor<4xi1>, tensor<4xi32>, tensor<4xi1>, tensor<i1>, tensor<4xi32>
}"""


def check_masked(results: Sequence[Any]) -> None:
    expected = [[0, 1, 1, 1], [1, 0, 0, 0], [0, 1, 1, 1], [1, 1, 0, 0], 1, [0, 1, 1, 1]]
    for found, numbers in zip(results, expected, strict=True):
        array = found if isinstance(found, np.ndarray) else found.numpy()
        np.testing.assert_array_equal(array.view(np.uint8) if array.dtype == np.bool_ else array, numbers)


@pytest.mark.parametrize("executor", ["", "tinygrad"])
def test_any_byte_but_0_is_true(executor: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", executor)
    program, scalar = hlo2tiny.load(MASKED, device="CPU"), MASK[3:].reshape(())
    check_masked(program.numpy(MASK, scalar))
    check_masked(program(MASK, scalar))
    check_masked(program(Tensor(MASK, device="CPU"), scalar))
    check_masked(program.bind(MASK).numpy(scalar))
    check_masked(program.bind(Tensor(MASK, device="CPU")).numpy(scalar))
    check_masked(program.bind(MASK)(scalar))
    check_masked(program.lazy(Tensor(MASK, device="CPU"), Tensor(scalar, device="CPU")))
    wide = np.zeros((4, 3), np.bool_)
    wide[:, 1] = MASK
    check_masked(program.numpy(wide[:, 1], scalar))
    safetensors.write(tmp_path / "w.safetensors", {"mask": MASK})
    check_masked(program.with_weights(tmp_path / "w.safetensors").numpy(scalar))


@pytest.mark.parametrize("executor", ["", "tinygrad"])
def test_any_byte_but_0_is_true_in_constants_and_from_custom_calls(
    executor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", executor)
    monkeypatch.setattr("hlo2tiny.program.custom_calls._custom_calls", {"mask": lambda x: np.tile(MASK, 3)})
    text = """func.func @main(%x: tensor<12xi1>) -> (tensor<12xi1>, tensor<12xi1>) {
      %k = stablehlo.constant dense<"0x000000000000000000000001"> : tensor<12xi1>
      %m = stablehlo.custom_call @mask(%x) : (tensor<12xi1>) -> tensor<12xi1>
      %0 = stablehlo.not %k : tensor<12xi1>
      %1 = stablehlo.not %m : tensor<12xi1>
      return %0, %1 : tensor<12xi1>, tensor<12xi1>
    }"""
    module = hlo2tiny.parse(text)
    (constant,) = (op for op in module.walk() if op.name == "stablehlo.constant")
    value = constant.attributes["value"]
    assert isinstance(value, DenseAttr)
    assert isinstance(constant.attributes, dict)
    constant.attributes["value"] = DenseAttr(value.type, np.tile(MASK, 3))
    for found in hlo2tiny.Program(module, "CPU").numpy(np.zeros(12, np.bool_)):
        np.testing.assert_array_equal(found.view(np.uint8), [1, 0, 0, 0] * 3)


def test_two_threads_on_one_program_and_two_programs() -> None:
    add = hlo2tiny.load(ADD, device="CPU")
    loop = hlo2tiny.load(
        """func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
      %z = stablehlo.constant dense<0> : tensor<i32>
      %r:2 = stablehlo.while(%i = %z, %v = %x) : tensor<i32>, tensor<64xf32>
      cond {
        %n = stablehlo.constant dense<20> : tensor<i32>
        %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %j = stablehlo.add %i, %one : tensor<i32>
        %w = stablehlo.add %v, %x : tensor<64xf32>
        stablehlo.return %j, %w : tensor<i32>, tensor<64xf32>
      }
      return %r#1 : tensor<64xf32>
    }""",
        device="CPU",
    )
    wrong: list[object] = []

    def work(seed: int) -> None:
        try:
            calls(seed)
        except BaseException as error:
            wrong.append(error)

    def calls(seed: int) -> None:
        generator = np.random.RandomState(seed)
        for _ in range(10):
            a, b = (generator.standard_normal((2, 3)).astype(np.float32) for _ in range(2))
            v = generator.randint(-9, 9, 64).astype(np.float32)
            if not np.array_equal(add.numpy(a, b)[0], a + b):
                wrong.append("add")
            if not np.array_equal(add(Tensor(a), b).numpy(), a + b):
                wrong.append("add of tensors")
            if not np.array_equal(loop.numpy(v)[0], v * 21):
                wrong.append("loop")

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# ---------------------------------------------------------------- custom calls

CUSTOM = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @softsign_of_test(%x) {api_version = 2 : i32} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.add %0, %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}"""


def test_custom_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(hlo2tiny.UnsupportedOp, match=r"hlo2tiny\.custom_call\('softsign_of_test'\)"):
        hlo2tiny.load(CUSTOM, device="CPU")
    monkeypatch.setitem(_custom_calls, "softsign_of_test", lambda x: x / (1 + abs(x)))
    x = np.array([-1, 0, 3], np.float32)
    np.testing.assert_allclose(hlo2tiny.load(CUSTOM, device="CPU").numpy(x)[0], 2 * x / (1 + abs(x)))


def test_custom_call_of_wrong_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_custom_calls, "softsign_of_test", lambda x: x[:2])
    with pytest.raises(hlo2tiny.InputError, match=r"returned shape \(2,\) of float32, but shape \(3,\)"):
        hlo2tiny.load(CUSTOM, device="CPU").numpy(np.zeros(3, np.float32))


def test_custom_call_registers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(_custom_calls, "registered_twice", raising=False)
    monkeypatch.setitem(_custom_calls, "registered_twice", abs)
    with pytest.raises(ValueError, match="already has a function"):
        hlo2tiny.custom_call("registered_twice")(abs)


# ---------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X,), "1 argument was given, but the program takes 2"),
        ((X, X.T), r"argument 1 \(x\) is float32\[3, 2\], expected float32\[2, 3\]"),
        ((X.astype(np.float64), X), r"argument 0 \(params\['w'\]\) is float64\[2, 3\], expected float32\[2, 3\]"),
        (("text", X), r"argument 0 \(params\['w'\]\) is <U4\[\]"),
        (([[1, 2], [3]], X), "that numpy cannot read"),
        ((None, X), r"argument 0 \(params\['w'\]\) is object\[\]"),
    ],
)
def test_wrong_arguments_are_named(add: hlo2tiny.Program, arguments, message: str) -> None:
    with pytest.raises(hlo2tiny.InputError, match=message):
        add.numpy(*arguments)
    with pytest.raises(hlo2tiny.InputError, match=message):
        add(*arguments)


@pytest.mark.parametrize(
    ("kind", "good", "bad"), [("ui8", 255, 256), ("f32", 1, 1j), ("i32", -1, 1.5), ("i1", True, 1)]
)
def test_python_numbers_take_the_arguments_dtype(kind: str, good, bad) -> None:
    program = unary(f"return %x : tensor<{kind}>", kind)
    assert program.numpy(good)[0] == good
    with pytest.raises(hlo2tiny.InputError, match="argument 0 is"):
        program.numpy(bad)


def test_wrong_tensor(add: hlo2tiny.Program) -> None:
    message = r"argument 1 \(x\) is a Tensor of dtypes.int \[2, 3\], expected float32"
    with pytest.raises(hlo2tiny.InputError, match=message):
        add(X, Tensor(X).cast(dtypes.int32))


def test_custom_call_without_a_name() -> None:
    with pytest.raises(TypeError, match="takes the name of the call"):
        hlo2tiny.custom_call(abs)  # type: ignore[arg-type]


def test_a_device_that_is_not_a_name() -> None:
    with pytest.raises(hlo2tiny.InputError, match="expected the name of a tinygrad device"):
        hlo2tiny.load(ADD, device=5)  # type: ignore[arg-type]


def test_unknown_device() -> None:
    with pytest.raises(hlo2tiny.InputError, match="tinygrad cannot open device 'NOSUCH'"):
        hlo2tiny.load(ADD, device="NOSUCH")


def test_bytes_of_any_kind_are_a_program() -> None:
    """`Exported.serialize()` gives a bytearray."""
    text = b"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    for given in (text, bytearray(text), memoryview(text)):
        assert hlo2tiny.load(given, device="CPU").numpy(np.ones(2, np.float32))[0].tolist() == [1, 1]


ADDED = (
    "func.func @main(%a: tensor<3xf32>, %b: tensor<f32>) -> tensor<3xf32> {\n"
    "  %c = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<3xf32>\n"
    "  %d = stablehlo.add %a, %c : tensor<3xf32>\n  return %d : tensor<3xf32>\n}"
)


def test_a_call_with_the_same_tensors_sees_what_was_assigned_to_them() -> None:
    program = hlo2tiny.load(ADDED, "CPU")
    a, b = (Tensor(x, device="CPU").contiguous().realize() for x in ([1.0, 2, 3], [5.0]))
    b = b.reshape(())
    for _ in range(3):
        assert program(a, b).tolist() == [6, 7, 8]
    other = Tensor([0.0, 0, 0], device="CPU").contiguous().realize()
    assert program(other, b).tolist() == [5, 5, 5]
    assert program(a, b).tolist() == [6, 7, 8]
    a.assign(Tensor([10.0, 20, 30], device="CPU")).realize()
    assert program(a, b).tolist() == [15, 25, 35]
    with pytest.raises(hlo2tiny.InputError, match="expected float32"):
        program(b, a)
    assert program.bind(a)(b).tolist() == [15, 25, 35]


def test_a_view_is_read_in_each_call() -> None:
    program = hlo2tiny.load(ADDED, "CPU")
    whole = Tensor([[1.0, 2, 3], [4, 5, 6]], device="CPU").contiguous().realize()
    view, one = whole[1], Tensor(1.0, device="CPU", dtype=dtypes.float32)
    assert [program(view, one).tolist() for _ in range(2)] == [[5, 6, 7]] * 2
    whole.assign(Tensor([[1.0, 2, 3], [7, 8, 9]], device="CPU")).realize()
    assert program(whole[1], one).tolist() == [8, 9, 10]


def test_a_constant_is_placed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    program = hlo2tiny.load(ADDED, "CPU")
    a, one = Tensor([1.0, 2, 3], device="CPU").contiguous().realize(), Tensor(1.0, device="CPU", dtype=dtypes.float32)
    assert program(a, one).tolist() == [2, 3, 4]
    realized: list[object] = []
    monkeypatch.setattr(Tensor, "realize", lambda self, *others: realized.append(self) or self)
    results = [program(a, one) for _ in range(2)]
    monkeypatch.undo()
    assert not realized and [x.tolist() for x in results] == [[2, 3, 4]] * 2


def test_results_compute_with_other_tensors() -> None:
    """tinygrad takes an operand for a Tensor if it is of the other operand's class."""
    text = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }"
    x, one = np.array([1, 2, 3], np.float32), Tensor([1.0, 1.0, 1.0])
    result = hlo2tiny.load(text, device="CPU")(x)
    assert isinstance(result, Tensor)
    for value, expected in [
        (result + one, x + 1),
        (one - result, 1 - x),
        (result * result, x * x),
        (result[Tensor([2, 0])], x[[2, 0]]),
        ((result > 1).where(result, one), np.where(x > 1, x, 1)),
        (Tensor.stack(result, one), np.stack([x, [1, 1, 1]])),
        (result.assign(result - one), x - 1),
    ]:
        np.testing.assert_array_equal(value.numpy(), expected)
