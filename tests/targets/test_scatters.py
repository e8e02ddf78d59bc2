"""Scatters that add, or keep the largest or smallest, of each type on every target."""

from __future__ import annotations

from pathlib import Path

import everywhere
import numpy as np
import pytest

TEXT = """func.func @main(%x: tensor<9x3xTYPE>, %i: tensor<20x1xi32>, %new: tensor<20x3xTYPE>) -> tensor<9x3xTYPE> {
  %0 = "stablehlo.scatter"(%x, %i, %new) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<TYPE>, %b: tensor<TYPE>):
    %c = stablehlo.OP %a, %b : tensor<TYPE>
    stablehlo.return %c : tensor<TYPE>
  }) : (tensor<9x3xTYPE>, tensor<20x1xi32>, tensor<20x3xTYPE>) -> tensor<9x3xTYPE>
  return %0 : tensor<9x3xTYPE>
}"""
OPS = {"add": np.add, "maximum": np.maximum, "minimum": np.minimum}
TYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32, "ui32": np.uint32, "i64": np.int64}


@pytest.mark.parametrize("target", everywhere.targets("c"))
def test_scatters(target: str, tmp_path: Path) -> None:
    if reason := everywhere.lacking(target):
        pytest.skip(reason)
    random, cases, wanted = np.random.default_rng(0), [], []
    for name, dtype in TYPES.items():
        if name == "f64" and target in ("webgpu", "mesa"):
            continue
        x, new = (random.integers(0, 9, (count, 3)).astype(dtype) for count in (9, 20))
        at = random.integers(0, 9, (20, 1)).astype(np.int32)
        for op, function in OPS.items():
            expected = x.copy()
            function.at(expected, at[:, 0], new)
            cases.append(everywhere.Case(f"{op} {name}", TEXT.replace("TYPE", name).replace("OP", op), [[x, at, new]]))
            wanted.append(expected)
    for case, answer, expected in zip(cases, everywhere.run(target, cases, tmp_path), wanted, strict=True):
        assert not isinstance(answer, Exception), (case.name, answer)
        np.testing.assert_array_equal(answer[0][0], expected, case.name)
