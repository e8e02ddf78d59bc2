"""What exporters leave on ops is passed over, as XLA does."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.ops.definition import MEANT

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def program(attributes: str) -> hlo2tiny.Program:
    text = f"""#info = #other.compilation_info<config = <tile_sizes = [[32, 32]]>, pipeline = <Expert>>
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {{
  %0 = stablehlo.transpose %x, dims = [1, 0] {{{attributes}}} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}}"""
    return hlo2tiny.load(text, device="CPU")


@pytest.mark.parametrize(
    "attribute", ['tag = "x"', "shard_count = 1 : i64", "surprise", "lowering_config = #info", "name = [1, 0]"]
)
def test_attributes_of_no_dialect(attribute: str) -> None:
    np.testing.assert_array_equal(program(attribute).numpy(X)[0], X.T)


def test_what_pytorch_xla_and_tensorflow_write() -> None:
    attributes = (
        'result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[3,2]{0,1}", _XlaSharding = "",'
        ' _class = ["a"],'
        ' mhlo.sharding = "{replicated}", mhlo.frontend_attributes = {a = "b"}, tf.note = 1 : i64, jax.note,'
        ' xla_framework.result_mapping = 0 : i32, torch.note = "x"'
    )
    np.testing.assert_array_equal(program(attributes).numpy(X)[0], X.T)


@pytest.mark.parametrize("name", MEANT)
def test_what_means_something_is_refused(name: str) -> None:
    with pytest.raises(hlo2tiny.VerifyError, match=f"has the attribute '{name}', whose value"):
        program(f'{name} = "x"')


def test_what_meant_something_in_mhlo_is_refused() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0, %1 = mhlo.topk(%x, k = 2, largest = LARGEST) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %0 : tensor<2xf32>
}"""
    x = np.array([3, 1, 4, 2], np.float32)
    np.testing.assert_array_equal(hlo2tiny.load(text.replace("LARGEST", "true")).numpy(x)[0], [4, 3])
    with pytest.raises(hlo2tiny.VerifyError, match="'largest', whose value false is not supported"):
        hlo2tiny.load(text.replace("LARGEST", "false"))


def test_attributes_of_custom_calls() -> None:
    """Beside the call's own attributes they are discardable; in its configuration, they are its target's."""
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {WHERE} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(hlo2tiny.load(text.replace("WHERE", "shard_count = 1 : i64")).numpy(x)[0], x)
    with pytest.raises(hlo2tiny.VerifyError, match="unknown attribute 'shard_count'"):
        hlo2tiny.load(text.replace("WHERE", "mhlo.backend_config = {shard_count = 1 : i64}"))


def test_a_layout_that_means_something_is_refused() -> None:
    """XLA's bitcast reads memory in another order: its layouts say in which."""
    text = """func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = mhlo.bitcast %x {result_layout = dense<[0, 1]> : tensor<2xindex>, source_layout = dense<[1, 0]> : tensor<2xindex>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}"""  # noqa: E501
    with pytest.raises(hlo2tiny.UnsupportedOp, match=r"mhlo\.bitcast: no rule for this op"):
        hlo2tiny.load(text, device="CPU")


def test_what_an_op_knows_by_that_name_is_read() -> None:
    """The name of a composite, and whatever a custom call's function reads."""
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "a.b" %x {decomposition = @f, xla_shape = "f32[2]"} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %x {name = "negate.2"} : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    np.testing.assert_array_equal(hlo2tiny.load(text, device="CPU").numpy(X[0, :2])[0], -X[0, :2])
