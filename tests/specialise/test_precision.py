"""`load(…, precision=…)`: which products it changes, and that it changes nothing on the CPU."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny import InputError
from hlo2tiny.ir import walk
from hlo2tiny.ops.attributes import plain
from hlo2tiny.plan.gemm import is_exact
from hlo2tiny.plan.plan import Gemm

M = "tensor<4x4xf32>"
DOT = f"""func.func @main(%a: {M}, %b: {M}) -> ({M}, {M}, {M}) {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] CONFIG : ({M}, {M}) -> {M}
  %1 = stablehlo.dot %a, %b : ({M}, {M}) -> {M}
  %2 = stablehlo.add %a, %b : {M}
  return %0, %1, %2 : {M}, {M}, {M}
}}"""


def configs(program: hlo2tiny.Program) -> list[object]:
    ops = [op for function in program.module.functions.values() for op in walk(function.body)]
    return [plain(op.attributes["precision_config"]) for op in ops if "precision_config" in op.attributes]


@pytest.mark.parametrize("config", ["", ", precision = [HIGH, DEFAULT]"])
def test_highest_is_asked_of_each_product_and_of_nothing_else(config: str) -> None:
    text = DOT.replace("CONFIG", config)
    assert configs(hlo2tiny.load(text, "CPU", precision="highest")) == [("HIGHEST",) * 2] * 2
    before = configs(hlo2tiny.load(text, "CPU", precision="default"))
    assert before == configs(hlo2tiny.load(text, "CPU")) and ("HIGHEST",) * 2 not in before


def test_a_product_that_names_its_algorithm_keeps_it() -> None:
    algorithm = """, algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
      allow_imprecise_accumulation = false>"""
    program = hlo2tiny.load(DOT.replace("CONFIG", algorithm), "CPU", precision="highest")
    assert configs(program) == [("HIGHEST",) * 2]
    x = np.random.default_rng(0).standard_normal((4, 4)).astype(np.float32)
    usual = hlo2tiny.load(DOT.replace("CONFIG", algorithm), "CPU")
    assert [a.tobytes() for a in program.numpy(x, x)] == [a.tobytes() for a in usual.numpy(x, x)]


@pytest.mark.parametrize("name", ["mnist_mlp_predict", "flax_convnet"])
def test_on_the_cpu_the_bits_are_the_same(name: str) -> None:
    entry = BY_NAME[name]
    default, highest = (hlo2tiny.load(entry.path, "CPU", precision=word) for word in ("default", "highest"))
    ops = [op for f in highest.module.functions.values() for op in walk(f.body) if "precision_config" in op.attributes]
    assert ops and all(map(is_exact, ops))
    arrays = entry.inputs()
    expected, found = (program.numpy_one_by_one(arrays) for program in (default, highest))
    assert [x.tobytes() for x in found] == [x.tobytes() for x in expected]


@pytest.mark.parametrize("word", ["high", "", None, 3, ["highest"]])
def test_other_words_are_refused(word: object) -> None:
    with pytest.raises(InputError, match=r"^precision is .*, expected 'default' or 'highest'$"):
        hlo2tiny.load(DOT.replace("CONFIG", ""), "CPU", precision=word)  # type: ignore[arg-type]


def test_the_store_keeps_the_precisions_apart(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text, x = DOT.replace("CONFIG", ""), np.eye(4, dtype=np.float32)
    for word in ("default", "highest") * 2:
        program = hlo2tiny.load(text, "CPU", precision=word)
        program.numpy(x, x)
        assert len(configs(program)) == 2 * (word == "highest")


NAMED = """func.func @main(%a: tensor<60x50xA>, %b: tensor<50x70xB>) -> tensor<60x70xR> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = P,
    rhs_precision_type = P, accumulation_type = T, lhs_component_count = 1, rhs_component_count = 1,
    num_primitive_operations = COUNT, allow_imprecise_accumulation = false>
    : (tensor<60x50xA>, tensor<50x70xB>) -> tensor<60x70xR>
  return %0 : tensor<60x70xR>
}"""
KINDS = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "f16": np.float16}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("precision", "total", "count"),
    [
        ("bf16", "f32", 1),
        ("bf16", "bf16", 1),
        ("bf16", "f32", 6),
        ("f16", "f16", 1),
        ("f32", "f32", 1),
        ("f64", "f64", 1),
    ],
)
@pytest.mark.parametrize(("a", "b", "result"), [("f32", "bf16", "f32"), ("bf16", "bf16", "f32"), ("f32", "f32", "f16")])
def test_algorithms_are_spelled_out(precision: str, total: str, count: int, a: str, b: str, result: str) -> None:
    """As conversions and a product of its own step, which libraries compute."""
    text = NAMED
    for name, value in {"A>": a + ">", "B>": b + ">", "R>": result + ">", "= P": "= " + precision}.items():
        text = text.replace(name, value)
    text = text.replace("= T", "= " + total).replace("COUNT", str(count))
    program = hlo2tiny.load(text, "CPU")
    dots = [op for op in walk(program.module.functions["main"].body) if op.name == "stablehlo.dot_general"]
    assert ["algorithm" in op.attributes for op in dots] == [False]
    assert any(isinstance(step, Gemm) for step in program.plan.main.steps)
    random = np.random.default_rng(0)
    x, y = (random.standard_normal(s, np.float32).astype(KINDS[k]) for s, k in (((60, 50), a), ((50, 70), b)))
    kept = (precision if count == 1 else None) or total
    rounded = [v.astype(KINDS[kept if count == 1 else k]).astype(np.float64) for v, k in ((x, a), (y, b))]
    expected = (rounded[0] @ rounded[1]).astype(KINDS[total])
    found = program.numpy(x, y)[0].astype(np.float64)
    tolerance = max(2.0 ** -{"f16": 9, "bf16": 7}.get(kind, 20) for kind in (total, result))
    np.testing.assert_allclose(found, expected.astype(np.float64), tolerance, 50 * tolerance)
