"""What exporters leave on ops: notes are passed over, anything else is refused."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.ops.notes import MEANT, NOTES

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def program(attributes: str) -> hlo2tiny.Program:
    text = f"""#info = #other.compilation_info<config = <tile_sizes = [[32, 32]]>, pipeline = <Expert>>
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {{
  %0 = stablehlo.transpose %x, dims = [1, 0] {{{attributes}}} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}}"""
    return hlo2tiny.load(text, device="CPU")


# For each row of the table: what it takes, and what it refuses.
EXAMPLES = {
    "xla_shape": ('"f32[3,2]{0,1}"', "7 : i64"),
    "result_layout": ("dense<[0, 1]> : tensor<2xindex>", "dense<[0, 2]> : tensor<2xi64>"),
    "source_layout": ("dense<[1, 0]> : tensor<2xindex>", '"{1,0}"'),
    "minor_to_major": ("dense<[0, 1]> : tensor<2xindex>", "dense<[1, 1]> : tensor<2xindex>"),
    "operand_layouts": ("[dense<[0, 1]> : tensor<2xindex>]", "[dense<[[0, 1]]> : tensor<1x2xindex>]"),
    "result_layouts": ("[dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]", "1 : i64"),
    "execution_thread": ('"main"', "1 : i64"),
    "name": ('"transpose.4"', "[1, 0]"),
    "device": ('""', "1 : i64"),
    "onnx_node_name": ('"/Transpose_3"', "unit"),
    "compilation_info": ("#info", '"fast"'),
    "lowering_config": ("#other.config<tile_sizes = [[8]]>", "#stablehlo<precision HIGH>"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_notes(name: str) -> None:
    note, other = EXAMPLES[name]
    np.testing.assert_array_equal(program(f"{name} = {note}").numpy(X)[0], X.T)
    with pytest.raises(hlo2tiny.VerifyError, match=f":3:8: stablehlo.transpose: has the unknown attribute '{name}'"):
        program(f"{name} = {other}")


def test_every_row_is_tried() -> None:
    assert {note.name for note in NOTES} == {*EXAMPLES, "_*"}
    assert all(note.source for note in NOTES)


def test_what_pytorch_xla_and_tensorflow_write() -> None:
    attributes = (
        'result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[3,2]{0,1}", _XlaSharding = "",'
        ' _class = ["a"],'
        ' mhlo.sharding = "{replicated}", mhlo.frontend_attributes = {a = "b"}, tf.note = 1 : i64, jax.note,'
        ' xla_framework.result_mapping = 0 : i32, torch.note = "x"'
    )
    np.testing.assert_array_equal(program(attributes).numpy(X)[0], X.T)


@pytest.mark.parametrize("name", ["surprise", "layout", "permutations", *MEANT])
def test_what_may_mean_something_is_refused(name: str) -> None:
    with pytest.raises(hlo2tiny.VerifyError, match=f"has the unknown attribute '{name}'"):
        program(f'{name} = "x"')


def test_a_layout_that_means_something_is_refused() -> None:
    """XLA's bitcast reads memory in another order: its layouts say in which."""
    text = """func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = mhlo.bitcast %x {result_layout = dense<[0, 1]> : tensor<2xindex>, source_layout = dense<[1, 0]> : tensor<2xindex>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}"""  # noqa: E501
    with pytest.raises(hlo2tiny.UnsupportedOp, match=r"mhlo\.bitcast: no rule for this op"):
        hlo2tiny.load(text, device="CPU")


def test_what_an_op_knows_by_that_name_is_not_a_note() -> None:
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
