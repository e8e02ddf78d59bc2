"""`hlo2tiny convert --quantize`: narrow weights in plain StableHLO, and the products that read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.cli import main
from hlo2tiny.commands import check
from hlo2tiny.commands.convert import convert
from hlo2tiny.errors import InputError
from hlo2tiny.formats import safetensors
from hlo2tiny.ir.dtypes import expect_tensor, static_shape
from hlo2tiny.plan import build
from hlo2tiny.plan.plan import Gemm
from hlo2tiny.specialise.quantisation import round_rows
from hlo2tiny.syntax.parser import parse

F = np.float32
# One unit of the narrow type, as a fraction of the largest number.
UNIT = {"int8": 1 / 127, "int4": 1 / 7}


def product(
    shape: tuple[int, ...], other: tuple[int, ...], numbers: str, result: tuple[int, ...], kind: str, left: bool
) -> str:
    """A program that multiplies its argument by a constant weight, which is on the left or on the right."""
    data = np.random.default_rng(0).standard_normal(other).astype(F)
    array = data if kind == "f32" else data.astype(ml_dtypes.bfloat16)
    x, w, y = (f"tensor<{'x'.join(map(str, (*s, kind)))}>" for s in (shape, other, result))
    operands, types = ("%w, %x", f"{w}, {x}") if left else ("%x, %w", f"{x}, {w}")
    return f"""func.func @main(%x: {x}) -> {y} {{
      %w = stablehlo.constant dense<"0x{array.tobytes().hex()}"> : {w}
      %y = stablehlo.dot_general {operands}, contracting_dims = {numbers} : ({types}) -> {y}
      return %y : {y}
    }}"""


CASES: dict[str, tuple[Any, ...]] = {
    "a row": ((1, 192), (192, 70), "[1] x [0]", (1, 70), "f32", False),
    "a vector": ((192,), (192, 70), "[0] x [0]", (70,), "f32", False),
    "three rows": ((3, 192), (70, 192), "[1] x [1]", (3, 70), "f32", False),
    "many rows": ((33, 192), (192, 70), "[1] x [0]", (33, 70), "f32", False),
    "the weight on the left": ((192, 5), (70, 192), "[1] x [0]", (70, 5), "f32", True),
    "heads": ((2, 5, 4, 48), (4, 48, 70), "[2, 3] x [0, 1]", (2, 5, 70), "f32", False),
    "to heads": ((5, 192), (192, 4, 16), "[1] x [0]", (5, 4, 16), "f32", False),
    "rows in columns": ((192, 3), (192, 70), "[0] x [0]", (3, 70), "f32", False),
    "a column": ((192, 3), (192, 1, 16), "[0] x [0]", (3, 1, 16), "f32", False),
    "bf16": ((2, 192), (192, 70), "[1] x [0]", (2, 70), "bf16", False),
}  # fmt: skip


@pytest.mark.sampled(14, ci=2)
@pytest.mark.parametrize(
    "kind, group", [("int8", None), ("int8", 6), ("int8", 64), ("int4", None), ("int4", 6), ("int4", 192)]
)
@pytest.mark.parametrize("case", CASES)
def test_products(case: str, kind: str, group: int | None, tmp_path: Path) -> None:
    shape, _, _, _, element, _ = CASES[case]
    source, target = tmp_path / "a.mlir", tmp_path / "b.mlir"
    source.write_text(product(*CASES[case]), encoding="utf-8")
    assert convert(source, target, quantize=kind, group=group) == [target]
    x = np.random.default_rng(1).standard_normal(shape).astype(F)
    x = x if element == "f32" else x.astype(ml_dtypes.bfloat16)
    wide, narrow = (hlo2tiny.load(p, device="CPU").numpy(x)[0].astype(np.float64) for p in (source, target))
    # Errors of half a unit at most, whose signs are random.
    bound = 4 * UNIT[kind] * 4 / 2 * np.sqrt(192)
    assert 0 < np.abs(narrow - wide).max() < bound
    found = check.tinygrad()(parse(target), [x])[0].astype(np.float64)
    np.testing.assert_allclose(
        narrow, found, rtol=1e-5 if element == "f32" else 1e-2, atol=1e-4 if element == "f32" else 0.2
    )
    plan = build(hlo2tiny.load(target, device="CPU").static_module([x]), products=True)
    scaled = [step for step in plan.main.steps if isinstance(step, Gemm) and step.product.group]
    assert len(scaled) == 1, "no step computes the wide weight"


MODEL = """func.func private @dense(%x: tensor<?x64xf32>, %w: tensor<64x64xf32>) -> tensor<?x64xf32> {
  %y = stablehlo.dot %x, %w : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
func.func @main(%x: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<64xf32>) {
  %w = stablehlo.constant dense<"0xHEX"> : tensor<64x64xf32>
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = call @dense(%x, %w) : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %b = call @dense(%a, %t) : (tensor<?x64xf32>, tensor<64x64xf32>) -> tensor<?x64xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<?x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %b, %s : tensor<?x64xf32>, tensor<64xf32>
}"""
WEIGHT = np.random.default_rng(2).standard_normal((64, 64)).astype(F) / 8


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.mlir"
    path.write_text(MODEL.replace("HEX", WEIGHT.tobytes().hex()), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["int8", "int4"])
def test_xla_reads_it(kind: str, tmp_path: Path) -> None:
    source, target = tmp_path / "a.mlir", tmp_path / "b.mlir"
    source.write_text(product(*CASES["three rows"]), encoding="utf-8")
    convert(source, target, quantize=kind, group=64)
    x = np.random.default_rng(1).standard_normal((3, 192)).astype(F)
    with check.xla() as run:
        (found,) = run(parse(target), [x])
    np.testing.assert_allclose(hlo2tiny.load(target, device="CPU").numpy(x)[0], found, rtol=1e-5, atol=1e-4)


def test_calls_and_transposes(model: Path, tmp_path: Path) -> None:
    target = tmp_path / "narrow.mlir"
    convert(model, target, quantize="int8")
    module = parse(target)
    assert set(module.functions) == {"main"}, "the function that got the weight is inlined"
    constants = [str(op.results[0].type) for op in module.walk() if op.name == "stablehlo.constant"]
    assert "tensor<64x64xf32>" not in constants, "nothing reads the wide weight"
    x = np.random.default_rng(3).standard_normal((5, 64)).astype(F)
    for a, b in zip(*(hlo2tiny.load(p, device="CPU").numpy(x) for p in (model, target))):
        np.testing.assert_allclose(a, b, atol=0.2)


@pytest.mark.parametrize("kind", ["int8", "int4"])
@pytest.mark.parametrize("element", ["float32", "bfloat16"])
def test_a_table_that_a_product_reads_too_is_narrow(element: str, kind: str, tmp_path: Path) -> None:
    """The embedding of a language model that is also its last layer; another table stays as it is."""
    import jax.numpy as jnp

    random = np.random.default_rng(4)
    params = {"e": random.standard_normal((512, 64)).astype(element), "p": random.standard_normal((64, 64)).astype(F)}

    def model(p: Any, tokens: Any, x: Any) -> Any:
        rows = jnp.take(p["e"], tokens, axis=0, mode="clip")
        return rows, (x + rows.astype(x.dtype) + p["p"][tokens % 64]) @ p["e"].T.astype(x.dtype)

    source, target = tmp_path / "model.mlir", tmp_path / "narrow.mlir"
    tokens, x = np.array([3, 511, 0], np.int32), random.standard_normal((3, 64)).astype(element)
    hlo2tiny.export(model, params, tokens, x, path=source, weights="external")
    stored = safetensors.read(convert(source, target, quantize=kind)[1])
    assert {name: array.dtype.name for name, array in stored.items() if array.size > 512} == {
        "p['e']": "int8",
        "p['p']": "float32",
    }
    loaded = [hlo2tiny.load(p, device="CPU") for p in (source, target)]
    (wide, large), (rows, product) = (program.numpy(tokens, x) for program in loaded)
    e = np.asarray(params["e"], F)
    groups = np.abs(e.reshape(512, -1, 64)).max(-1).repeat(64, 1).reshape(512, 64)[tokens]
    assert (np.abs(np.asarray(rows, F) - np.asarray(wide, F)) <= 0.51 * UNIT[kind] * groups + 0.01 * np.abs(wide)).all()
    error = np.abs(np.asarray(product, F) - np.asarray(large, F)).max()
    assert 0 < error < 8 * UNIT[kind] * 4 * np.sqrt(64)
    plan = build(loaded[1].static_module([tokens, x]), products=True)
    assert any(isinstance(step, Gemm) and step.product.group for step in plan.main.steps)
    computed = [expect_tensor(plan.main.types[n]) for step in plan.main.steps for n in step.outputs]
    assert all(np.prod(static_shape(type)) < 512 * 64 for type in computed), "no step computes the wide table"


def test_weights_in_files_stay_in_files(tmp_path: Path) -> None:
    weight = np.tile(WEIGHT, (2, 2))
    params = {"w": weight, "b": np.ones(128, F)}
    source, target = tmp_path / "model.mlir", tmp_path / "narrow.mlir"
    hlo2tiny.export(lambda p, x: x @ p["w"] + p["b"], params, "b, 128", path=source, weights="external")
    files = convert(source, target, quantize="int4")
    assert [f.suffix for f in files] == [".mlir", ".safetensors", ".json"]
    stored = safetensors.read(files[1])
    assert {name: array.dtype.name for name, array in stored.items()} == {"p['w']": "int8"}
    assert stored["p['w']"].nbytes == weight.nbytes // 8
    x = np.ones((2, 128), F)
    wide, narrow = (hlo2tiny.load(p, device="CPU").numpy(x) for p in (source, target))
    np.testing.assert_allclose(wide, narrow, atol=1)


def test_errors_of_results(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "narrow.mlir"
    assert main(["convert", str(model), str(target), "--quantize", "int8", "--shape", "in0=3,64"]) == 0
    printed = capsys.readouterr().out
    assert "out0: largest error 0.0" in printed and "out1: largest error 0.0" in printed and "mean error" in printed


@pytest.mark.parametrize(
    "options, message",
    [
        ({"quantize": "int8", "group": 10}, "--group 10: it does not divide the 64 numbers"),
        ({"quantize": "int4", "group": 3}, "expected a positive even number"),
        ({"quantize": "int8", "group": 0}, "expected a positive number"),
    ],
)
def test_groups_that_do_not_fit(model: Path, tmp_path: Path, options: dict[str, Any], message: str) -> None:
    target = tmp_path / "narrow.mlir"
    target.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        convert(model, target, **options)
    assert target.read_text(encoding="utf-8") == "mine"


def test_nothing_to_quantise(tmp_path: Path) -> None:
    source, target = tmp_path / "model.mlir", tmp_path / "narrow.mlir"
    hlo2tiny.export(lambda w, x: x @ w, WEIGHT, "b, 64", path=tmp_path / "open.mlir")
    with pytest.raises(InputError, match="there is nothing to quantise"):
        convert(tmp_path / "open.mlir", target, quantize="int8")
    source.write_text(
        MODEL.replace("f32", "i32").replace("0.0", "0").replace("HEX", WEIGHT.tobytes().hex()), encoding="utf-8"
    )
    with pytest.raises(InputError, match="there is nothing to quantise"):
        convert(source, target, quantize="int8")
    source.write_text(MODEL.replace("HEX", np.full_like(WEIGHT, np.nan).tobytes().hex()), encoding="utf-8")
    with pytest.raises(InputError, match="has infinities or NaNs, which int8 cannot hold"):
        convert(source, target, quantize="int8")
    assert not target.exists()


def test_a_group_alone(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(model), str(tmp_path / "b.mlir"), "--group", "64"]) == 1
    assert "--group needs --quantize" in capsys.readouterr().err


def test_rounding() -> None:
    rows = np.array([[0, 0, 0], [1e-45, 0, 0], [3, -7, 3.4], [1e38, 3e38, -3e38]], F)
    for bits in (8, 4):
        whole, scales = round_rows(rows, bits)
        assert np.isfinite(scales).all() and np.abs(whole).max() == 2 ** (bits - 1) - 1
        wide = whole.astype(np.float64) * scales[:, None]
        assert (np.abs(wide - rows) <= np.abs(rows).max(-1, keepdims=True) / (2**bits - 2) * 1.001 + 2e-38).all()
