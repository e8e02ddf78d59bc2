"""The plan: what is cut where, and what is shared."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from interpreter import Interpreter

import hlo2tiny
from hlo2tiny.ir import ScalarType
from hlo2tiny.ir.dtypes import numpy_dtype
from hlo2tiny.ops.attributes import plain
from hlo2tiny.plan import build
from hlo2tiny.plan.plan import Block, Call, Case, Gemm, Kernels, While
from hlo2tiny.plan.text import plan_text
from hlo2tiny.targets import target_of
from hlo2tiny.targets.c.render import render_region


def plan_of(text: str):
    return build(hlo2tiny.parse(text))


CHAIN = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  %2 = stablehlo.abs %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}"""


def test_straight_code_is_one_region_without_dead_ops() -> None:
    (step,) = plan_of(CHAIN).main.steps
    assert isinstance(step, Kernels)
    assert [op.name for op in step.ops] == ["stablehlo.negate", "stablehlo.add"]


MOVED = """func.func @main(%x: tensor<64x32xf32>, %y: tensor<64x48xf32>, %f: tensor<64x8xf32>) -> tensor<48x32x8xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0] : (tensor<64x32xf32>, tensor<64x48xf32>) -> tensor<64x32x48xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<64x32x48xf32>) -> tensor<64x48x32xf32>
  %2 = stablehlo.dot_general %1, %f, contracting_dims = [0] x [0] : (tensor<64x48x32xf32>, tensor<64x8xf32>) -> tensor<48x32x8xf32>
  return %2 : tensor<48x32x8xf32>
}"""  # fmt: skip # noqa: E501


def test_a_transpose_that_makes_an_operand_a_matrix_is_not_undone() -> None:
    """Its rows are no longer contiguous where it comes from: per-example gradients are such operands."""
    plan = build(hlo2tiny.parse(MOVED), products=True)
    outer, product = plan.main.steps
    assert isinstance(outer, Kernels) and isinstance(product, Gemm)
    (result,) = (plan.main.types[n] for n in outer.outputs)
    assert str(result) == "tensor<64x48x32xf32>" and product.product.a.transposed
    random = np.random.default_rng(0)
    x, y, f = (random.standard_normal(shape).astype(np.float32) for shape in ((64, 32), (64, 48), (64, 8)))
    (found,) = hlo2tiny.load(MOVED, device="CPU").numpy(x, y, f)
    np.testing.assert_allclose(found, np.einsum("bi,bj,bk->jik", x, y, f), 1e-4, 1e-4)


@pytest.mark.parametrize(
    ("m", "n", "more", "swapped"),
    [(24, 40, "", True), (40, 8, "", True), (8, 40, "", False), (24, 40, "%0", False)],
    ids=["whole", "few columns", "few rows", "read twice"],
)
@pytest.mark.parametrize("element", ["f32", "f16"])
def test_a_product_that_is_only_transposed_is_the_transposed_product(
    m: int, n: int, more: str, swapped: bool, element: str
) -> None:
    c, moved = f"tensor<3x{m}x{n}x{element}>", f"tensor<3x{n}x{m}x{element}>"
    results = (f"%1, {more}", f"{moved}, {c}") if more else ("%1", moved)
    text = f"""func.func @main(%a: tensor<3x16x{m}x{element}>, %b: tensor<3x16x{n}x{element}>) -> ({results[1]}) {{
      %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1],
           precision = [DEFAULT, HIGHEST] : (tensor<3x16x{m}x{element}>, tensor<3x16x{n}x{element}>) -> {c}
      %1 = stablehlo.transpose %0, dims = [0, 2, 1] : ({c}) -> {moved}
      return {results[0]} : {results[1]}
    }}"""
    first, *_ = build(hlo2tiny.parse(text), products=True).main.steps
    assert isinstance(first, Gemm) and (first.product.m == n) is swapped
    (dot,) = (op for op in first.region.ops if op.name == "stablehlo.dot_general")
    assert [str(word) for word in plain(dot.attributes["precision_config"])] == (
        ["HIGHEST", "DEFAULT"] if swapped else ["DEFAULT", "HIGHEST"]
    )
    random = np.random.default_rng(0)
    a, b = (random.standard_normal((3, 16, size)).astype(np.dtype(f"f{int(element[1:]) // 8}")) for size in (m, n))
    found, *_ = hlo2tiny.load(text, device="CPU").numpy_one_by_one([a, b])
    wide = np.einsum("bki,bkj->bji", a.astype(np.float64), b.astype(np.float64))
    np.testing.assert_allclose(found, wide, 2e-3 if element == "f16" else 1e-5, 1e-3 if element == "f16" else 1e-5)


@pytest.mark.parametrize("columns", [24, 1])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("element", "dtype", "index"), [("f32", "f4", "i32"), ("f16", "f2", "i64"), ("i8", "i1", "i32")]
)
def test_products_read_slices_of_stacks_where_they_lie(
    columns: int, side: int, element: str, dtype: str, index: str
) -> None:
    result = f"tensor<{columns}x170x{element[0]}32>"
    operands, types = ["%x", "%part"], [f"tensor<40x{columns}x{element}>", f"tensor<40x170x{element}>"]
    if side:
        operands, types, result = operands[::-1], types[::-1], f"tensor<170x{columns}x{element[0]}32>"
    text = f"""func.func @main(%x: tensor<40x{columns}x{element}>, %w: tensor<5x3x40x170x{element}>,
                               %i: tensor<{index}>, %j: tensor<{index}>) -> {result} {{
      %c = stablehlo.constant dense<0> : tensor<{index}>
      %0 = stablehlo.dynamic_slice %w, %i, %j, %c, %c, sizes = [1, 1, 40, 170] :
           (tensor<5x3x40x170x{element}>, tensor<{index}>, tensor<{index}>, tensor<{index}>, tensor<{index}>)
           -> tensor<1x1x40x170x{element}>
      %part = stablehlo.reshape %0 : (tensor<1x1x40x170x{element}>) -> tensor<40x170x{element}>
      %1 = stablehlo.dot_general {", ".join(operands)}, contracting_dims = [0] x [0] : ({", ".join(types)}) -> {result}
      return %1 : {result}
    }}"""
    (step,) = target_of("CPU").plan(hlo2tiny.parse(text), "main").main.steps
    assert isinstance(step, Gemm) and [offset.operand for offset in step.product.offsets] == [1 - side] * 2
    random = np.random.default_rng(0)
    x, w = ((9 * random.standard_normal(shape)).astype(dtype) for shape in ((40, columns), (5, 3, 40, 170)))
    program = hlo2tiny.load(text, device="CPU")
    for i, j in ((0, 0), (3, 1), (-2, 2), (7, 9)):
        (found,) = program.numpy(x, w, *(np.dtype(f"i{int(index[1:]) // 8}").type(n) for n in (i, j)))
        part = w[min(max(i, 0), 4), min(max(j, 0), 2)].astype(float)
        np.testing.assert_allclose(found, part.T @ x if side else x.T @ part, 1e-4, 1e-3)


DEAD = """
!t = tensor<32x32xf32>
func.func @main(%x: !t) -> !t {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (!t, !t) -> !t
  %1 = stablehlo.tanh %0 : !t
  %2 = stablehlo.dot_general %1, %x, contracting_dims = [1] x [0] : (!t, !t) -> !t
  %3 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (!t, !t) -> !t
  return %3 : !t
}"""


def test_dead_products_are_no_steps() -> None:
    (step,) = build(hlo2tiny.parse(DEAD), products=True).main.steps
    assert isinstance(step, Gemm) and step.product.b.transposed


def test_equal_regions_have_equal_keys_whatever_the_names() -> None:
    renamed = CHAIN.replace("%0", "%first").replace("%x", "%argument")
    (a,), (b,), (c,) = (plan_of(t).main.steps for t in (CHAIN, renamed, CHAIN.replace("4xf32", "5xf32")))
    assert a.key == b.key != c.key


def test_keys_tell_constants_and_attributes_apart() -> None:
    def key(value: str) -> str:
        text = f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
          %c = stablehlo.constant dense<{value}> : tensor<2xf32>
          %0 = stablehlo.add %x, %c : tensor<2xf32>
          return %0 : tensor<2xf32>
        }}"""
        return next(plan_of(text).kernels()).key

    assert len({key(v) for v in ("1.0", "2.0", "[1.0, 2.0]", "[2.0, 1.0]", "0.0", "-0.0")}) == 6


WHILE = """func.func @main(%x: tensor<f32>, %n: tensor<f32>) -> tensor<f32> {
  %k = stablehlo.constant dense<2.0> : tensor<f32>
  %m = stablehlo.negate %n : tensor<f32>
  %r = stablehlo.while(%i = %x) : tensor<f32>
  cond {
    %c = stablehlo.compare LT, %i, %m : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.multiply %i, %k : tensor<f32>
    stablehlo.return %j : tensor<f32>
  }
  %s = stablehlo.add %r, %m : tensor<f32>
  return %s : tensor<f32>
}"""


def test_a_loop_captures_values_and_takes_constants_along() -> None:
    plan = plan_of(WHILE)
    before, loop, after = plan.main.steps
    assert isinstance(before, Kernels) and isinstance(loop, While) and isinstance(after, Kernels)
    assert loop.captures == before.outputs, "the bound is captured; the constant stands in the body's code"
    (body,) = loop.body.steps
    assert [op.name for op in body.ops] == ["stablehlo.constant", "stablehlo.multiply"]
    assert loop.body.inputs == 2


def test_small_functions_are_inlined_and_large_ones_called() -> None:
    def text(count: int) -> str:
        ops = "\n".join(f"%{i + 1} = stablehlo.negate %{i} : tensor<f32>" for i in range(count))
        return f"""func.func private @f(%0: tensor<f32>) -> tensor<f32> {{
          {ops}
          return %{count} : tensor<f32>
        }}
        func.func @main(%x: tensor<f32>) -> tensor<f32> {{
          %a = call @f(%x) : (tensor<f32>) -> tensor<f32>
          %b = call @f(%a) : (tensor<f32>) -> tensor<f32>
          return %b : tensor<f32>
        }}"""

    (step,) = plan_of(text(3)).main.steps
    assert isinstance(step, Kernels) and len(step.ops) == 6
    steps = plan_of(text(1000)).main.steps
    assert [type(s) for s in steps] == [Call, Call]


def test_large_constants_are_buffers() -> None:
    text = """func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
      %c = stablehlo.constant dense<[0.,1.,2.,3.,4.,5.,6.,7.,8.,9.,10.,11.,12.,13.,14.,15.]> : tensor<16xf32>
      %0 = stablehlo.add %x, %c : tensor<16xf32>
      return %0 : tensor<16xf32>
    }"""
    block = plan_of(text).main
    assert [number for number, _ in block.constants] == [1]
    assert sorted(block.steps[0].inputs) == [0, 1]


def test_case_is_a_step() -> None:
    text = """func.func @main(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
      %0 = "stablehlo.case"(%i) ({
        stablehlo.return %x : tensor<f32>
      }, {
        %1 = stablehlo.negate %x : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<i32>) -> tensor<f32>
      return %0 : tensor<f32>
    }"""
    (step,) = plan_of(text).main.steps
    assert isinstance(step, Case) and step.captures == (1,)
    assert "branch 1:" in plan_text(plan_of(text))


def test_a_function_without_arguments_is_copied_for_each_call() -> None:
    text = """func.func private @k() -> tensor<2xf32> {
      %c = stablehlo.constant dense<3.0> : tensor<2xf32>
      %0 = stablehlo.negate %c : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @main() -> tensor<2xf32> {
      %a = call @k() : () -> tensor<2xf32>
      %b = call @k() : () -> tensor<2xf32>
      %s = stablehlo.add %a, %b : tensor<2xf32>
      return %s : tensor<2xf32>
    }"""
    (step,) = plan_of(text).main.steps
    defined = [v for op in step.ops for v in op.results]
    assert len(defined) == len(set(defined)) == 5
    assert hlo2tiny.load(text, device="CPU").numpy()[0].tolist() == [-6, -6]


def test_an_operand_that_repeats_elements_along_its_last_dimension_is_a_product() -> None:
    text = """func.func @main(%x: tensor<8xf32>, %w: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> tensor<8x4096xf32>
  %1 = stablehlo.reshape %0 : (tensor<8x4096xf32>) -> tensor<8x64x64xf32>
  %2 = stablehlo.dot_general %1, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<8x64x64xf32>, tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  return %2 : tensor<8x64x64xf32>
}"""
    x, w = np.arange(8, dtype=np.float32), np.ones((8, 64, 64), np.float32)
    (found,) = hlo2tiny.load(text, device="CPU").numpy(x, w)
    np.testing.assert_array_equal(found, 64 * np.broadcast_to(x[:, None, None], found.shape))


INVARIANT = """!t = tensor<8xf32>
func.func @main(%n: tensor<i32>, %w: tensor<4xf32>, %x: !t) -> (!t, !t) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %v = %w, %a = %x, %b = %x) :
      tensor<i32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %m:2 = stablehlo.while(%k = %zero, %d = %a) : tensor<i32>, tensor<8xf32>
    cond {
      %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %l = stablehlo.add %k, %one : tensor<i32>
      %e = stablehlo.exponential %v : tensor<4xf32>
      %f = stablehlo.concatenate %v, %e, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
      %g = stablehlo.abs %b : tensor<8xf32>
      %h = stablehlo.add %f, %g : tensor<8xf32>
      %o = stablehlo.add %d, %h : tensor<8xf32>
      stablehlo.return %l, %o : tensor<i32>, tensor<8xf32>
    }
    %p = stablehlo.subtract %b, %m#1 : tensor<8xf32>
    stablehlo.return %j, %v, %m#1, %p : tensor<i32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>
  }
  return %r#2, %r#3 : tensor<8xf32>, tensor<8xf32>
}"""


def op_names(block: Block) -> list[str]:
    return [op.name.split(".")[1] for step in block.steps if isinstance(step, Kernels) for op in step.ops]


def test_loop_invariants_are_computed_before_the_loop() -> None:
    main = plan_of(INVARIANT).main
    (outer,) = (step for step in main.steps if isinstance(step, While))
    (inner,) = (step for step in outer.body.steps if isinstance(step, While))
    assert {"exponential", "concatenate"} <= set(op_names(main)), "they depend on nothing that changes"
    assert {"abs", "add"} <= set(op_names(outer.body)), "these change with the outer loop"
    assert sorted(op_names(inner.body)) == ["add", "add", "constant"]


def test_moving_invariants_changes_no_number() -> None:
    program = hlo2tiny.load(INVARIANT, device="CPU")
    w, x = np.arange(4, dtype=np.float32) / 4, np.arange(8, dtype=np.float32)
    for n in (0, 1, 3):
        a, b = x, x
        for _ in range(n):
            for _ in range(n):
                a = a + (np.concatenate([w, np.exp(w)]) + np.abs(b))
            b = b - a
        for found, expected in zip(program.numpy(np.int32(n), w, x), (a, b)):
            np.testing.assert_allclose(found, expected, rtol=1e-6)


# Each iteration rounds the same angles, %w, the number %s, and what repeats the angles.
ROUNDED = """
func.func @main(%n: tensor<i32>, %p: tensor<6xf32>, %w: tensor<6x4xf32>, %s: tensor<f32>, %x: tensor<6x4xbf16>)
    -> tensor<6x4xbf16> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<6x4xbf16>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.cosine %p : tensor<6xf32>
    %b = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %d = stablehlo.convert %b : (tensor<6x1xf32>) -> tensor<6x1xbf16>
    %e = stablehlo.broadcast_in_dim %d, dims = [0, 1] : (tensor<6x1xbf16>) -> tensor<6x4xbf16>
    %f = stablehlo.multiply %a, %e : tensor<6x4xbf16>
    %g = stablehlo.convert %w : (tensor<6x4xf32>) -> tensor<6x4xbf16>
    %h = stablehlo.add %f, %g : tensor<6x4xbf16>
    %k = stablehlo.convert %s : (tensor<f32>) -> tensor<bf16>
    %l = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<bf16>) -> tensor<6x4xbf16>
    %m = stablehlo.cosine %p : tensor<6xf32>
    %o = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<6xf32>) -> tensor<6x4xf32>
    %q = stablehlo.convert %o : (tensor<6x4xf32>) -> tensor<6x4xbf16>
    %u = stablehlo.multiply %h, %l : tensor<6x4xbf16>
    %v = stablehlo.add %u, %q : tensor<6x4xbf16>
    stablehlo.return %j, %v : tensor<i32>, tensor<6x4xbf16>
  }
  return %r#1 : tensor<6x4xbf16>
}"""


def test_invariants_are_rounded_before_the_loop_and_computed_once() -> None:
    """Narrow numbers take less time to read, but a single one, or one of a few that are repeated, takes none."""
    main = plan_of(ROUNDED).main
    (loop,) = (step for step in main.steps if isinstance(step, While))
    assert [op_names(main).count(name) for name in ("cosine", "convert")] == [1, 2]
    assert [op_names(loop.body).count(name) for name in ("cosine", "convert")] == [0, 2]
    random = np.random.default_rng(0)
    p, w, s = (random.standard_normal(shape).astype(np.float32) for shape in (6, (6, 4), ()))
    x = random.standard_normal((6, 4)).astype(ml_dtypes.bfloat16)
    cosines = np.cos(p).astype(x.dtype)[:, None]
    for n in (0, 1, 3):
        expected = x
        for _ in range(n):
            expected = (expected * cosines + w.astype(x.dtype)) * s.astype(x.dtype) + cosines
        (found,) = hlo2tiny.load(ROUNDED, "CPU").numpy(np.int32(n), p, w, s, x)
        np.testing.assert_array_equal(found.astype(np.float32), expected.astype(np.float32))


@pytest.mark.parametrize("element", ["f32", pytest.param("bf16", marks=pytest.mark.ci)])
@pytest.mark.parametrize("index", ["%i", "%r"])
@pytest.mark.parametrize("iterations", [7, 5])
def test_products_of_a_stacks_rows_are_one_product_before_the_loop(iterations: int, index: str, element: str) -> None:
    text = f"""func.func @main(%xs: tensor<7x24x40x{element}>, %w: tensor<40x48x{element}>, %h: tensor<24x48xf32>)
                   -> tensor<24x48xf32> {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %end = stablehlo.constant dense<{iterations}> : tensor<i32>
      %last = stablehlo.constant dense<6> : tensor<i32>
      %s:3 = stablehlo.while(%i = %zero, %a = %h, %v = %w) : tensor<i32>, tensor<24x48xf32>, tensor<40x48x{element}>
      cond {{
        %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        %j = stablehlo.add %i, %one : tensor<i32>
        %r = stablehlo.subtract %last, %i : tensor<i32>
        %0 = stablehlo.dynamic_slice %xs, {index}, %zero, %zero, sizes = [1, 24, 40] :
             (tensor<7x24x40x{element}>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x24x40x{element}>
        %1 = stablehlo.reshape %0 : (tensor<1x24x40x{element}>) -> tensor<24x40x{element}>
        %2 = stablehlo.convert %1 : (tensor<24x40x{element}>) -> tensor<24x40xf32>
        %3 = stablehlo.convert %v : (tensor<40x48x{element}>) -> tensor<40x48xf32>
        %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0] :
             (tensor<24x40xf32>, tensor<40x48xf32>) -> tensor<24x48xf32>
        %5 = stablehlo.subtract %4, %a : tensor<24x48xf32>
        stablehlo.return %j, %5, %v : tensor<i32>, tensor<24x48xf32>, tensor<40x48x{element}>
      }}
      return %s#1 : tensor<24x48xf32>
    }}"""
    plan = target_of("CPU").plan(hlo2tiny.parse(text), "main")
    rows = [step.product.m for step in plan.main.steps if isinstance(step, Gemm)]
    assert rows == [7 * 24] * (iterations == 7), "a loop that takes some rows only needs no others"
    random, dtype = np.random.default_rng(0), numpy_dtype(ScalarType(element))
    xs, w = (random.standard_normal(shape).astype(dtype) for shape in ((7, 24, 40), (40, 48)))
    h = expected = random.standard_normal((24, 48)).astype(np.float32)
    for i in range(iterations):
        expected = xs[6 - i if index == "%r" else i].astype(np.float32) @ w.astype(np.float32) - expected
    np.testing.assert_allclose(hlo2tiny.load(text, device="CPU").numpy(xs, w, h)[0], expected, 1e-4, 1e-4)


@pytest.mark.parametrize("element", ["f32", "bf16", "i32"])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("order", [("row", "state"), ("state", "row", "state"), ("state", "state")])
def test_products_of_a_row_joined_with_the_state_are_split(
    order: tuple[str, ...], transposed: bool, element: str
) -> None:
    depth = 32 * len(order)
    matrix, contracting = (f"48x{depth}", 1) if transposed else (f"{depth}x48", 0)
    parts = ", ".join({"row": "%1", "state": "%2"}[part] for part in order)
    types = ", ".join([f"tensor<16x32x{element}>"] * len(order))
    text = f"""func.func @main(%xs: tensor<7x16x32x{element}>, %w: tensor<{matrix}x{element}>,
                               %h: tensor<16x48x{element}>) -> tensor<16x48x{element}> {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %end = stablehlo.constant dense<7> : tensor<i32>
      %s:2 = stablehlo.while(%i = %zero, %a = %h) : tensor<i32>, tensor<16x48x{element}>
      cond {{
        %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        %j = stablehlo.add %i, %one : tensor<i32>
        %0 = stablehlo.dynamic_slice %xs, %i, %zero, %zero, sizes = [1, 16, 32] :
             (tensor<7x16x32x{element}>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32x{element}>
        %1 = stablehlo.reshape %0 : (tensor<1x16x32x{element}>) -> tensor<16x32x{element}>
        %2 = stablehlo.slice %a [0:16, 8:40] : (tensor<16x48x{element}>) -> tensor<16x32x{element}>
        %3 = stablehlo.concatenate {parts}, dim = 1 : ({types}) -> tensor<16x{depth}x{element}>
        %4 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [{contracting}] :
             (tensor<16x{depth}x{element}>, tensor<{matrix}x{element}>) -> tensor<16x48x{element}>
        stablehlo.return %j, %4 : tensor<i32>, tensor<16x48x{element}>
      }}
      return %s#1 : tensor<16x48x{element}>
    }}"""
    plan = target_of("CPU").plan(hlo2tiny.parse(text), "main")
    (loop,) = (step for step in plan.main.steps if isinstance(step, While))
    products = [[step.product.m for step in block.steps if isinstance(step, Gemm)] for block in (plan.main, loop.body)]
    moved, joined = order.count("row"), 1 + (order[1:2] == ("row",))
    assert products == [[7 * 16] * moved, [16] * joined], "the rows' product is moved, and neighbours stay joined"
    random, dtype = np.random.default_rng(0), numpy_dtype(ScalarType(element))
    shapes = (7, 16, 32), (48, depth) if transposed else (depth, 48), (16, 48)
    scale = 1 if element == "i32" else depth**-0.5
    xs, w, h = (
        (random.integers(-2, 3, shape) if element == "i32" else scale * random.standard_normal(shape)).astype(dtype)
        for shape in shapes
    )
    wide = np.int32 if element == "i32" else np.float32
    state = h
    for row in xs:
        values = {"row": row, "state": state[:, 8:40]}
        whole = np.concatenate([values[part] for part in order], 1).astype(wide)
        state = (whole @ (w.T if transposed else w).astype(wide)).astype(dtype)
    tolerance = {"f32": 1e-5, "bf16": 2e-2, "i32": 0}[element]
    (found,) = hlo2tiny.load(text, device="CPU").numpy(xs, w, h)
    np.testing.assert_allclose(found.astype(wide), state.astype(wide), tolerance, tolerance)


def test_random_numbers_are_not_loop_invariants() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      %shape = stablehlo.constant dense<2> : tensor<1xi64>
      %r = stablehlo.while(%a = %x) : tensor<2xf32>
      cond {
        %s = stablehlo.slice %a [0:1] : (tensor<2xf32>) -> tensor<1xf32>
        %t = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>
        %c = stablehlo.compare LT, %t, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %u = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM
          : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
        %b = stablehlo.add %a, %u : tensor<2xf32>
        stablehlo.return %b : tensor<2xf32>
      }
      return %r : tensor<2xf32>
    }"""
    plan = plan_of(text)
    assert all(isinstance(step, While) or "rng" not in str(step) for step in plan.main.steps)


COUNTING = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %first = stablehlo.constant dense<FIRST> : tensor<i32>
  %limit = stablehlo.constant dense<LIMIT> : tensor<i32>
  %r = stablehlo.while(%i = %first) : tensor<i32>
  cond {
    %c = stablehlo.compare DIRECTION, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %by = stablehlo.constant dense<STEP> : tensor<i32>
    %j = stablehlo.add %by, %i : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %r : tensor<i32>
}"""


def counting(first: int, limit: int, direction: str, step: int) -> str:
    names = {"FIRST": first, "LIMIT": limit, "DIRECTION": direction, "STEP": step}
    text = COUNTING
    for name, value in names.items():
        text = text.replace(name, str(value))
    return text


@pytest.mark.parametrize(
    ("first", "limit", "direction", "step"),
    [
        (0, 500, "LT", 1), (0, 500, "LE", 1), (3, 500, "LT", 7), (3, 10, "LE", 7), (9, 3, "LT", 1), (9, -3, "GT", -2),
        (9, -3, "GE", -3), (0, 12, "NE", 4), (5, 5, "NE", 1),
    ],
)  # fmt: skip
def test_the_trip_count_of_a_loop_that_counts_are_known(first: int, limit: int, direction: str, step: int) -> None:
    compared = {"LT": "<", "LE": "<=", "GT": ">", "GE": ">=", "NE": "!="}[direction]
    iterations, i = 0, first
    while eval(f"{i} {compared} {limit}"):
        iterations, i = iterations + 1, i + step
    text = counting(first, limit, direction, step)
    (loop,) = (s for s in plan_of(text).main.steps if isinstance(s, While))
    assert loop.trip_count == iterations
    assert hlo2tiny.load(text, device="CPU").numpy(np.int32(0))[0] == i


CARRIED = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %first = stablehlo.constant dense<2> : tensor<i32>
  %limit = stablehlo.constant dense<9> : tensor<i32>
  %r:3 = stablehlo.while(%i = %first, %l = %limit, %by = %first) : tensor<i32>, tensor<i32>, tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %l : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %by : tensor<i32>
    stablehlo.return %j, %l, %by : tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %r#0 : tensor<i32>
}"""


def test_the_trip_count_of_a_loop_that_carries_its_limit_are_known() -> None:
    (loop,) = (s for s in plan_of(CARRIED).main.steps if isinstance(s, While))
    assert loop.trip_count == 4
    assert hlo2tiny.load(CARRIED, device="CPU").numpy(np.int32(0))[0] == 10


@pytest.mark.parametrize(
    "text",
    [
        CARRIED.replace("return %j, %l, %by", "return %j, %by, %l"), CARRIED.replace("%l = %limit", "%l = %n"),
        counting(0, 5, "LT", 0), counting(0, 5, "LT", -1), counting(0, 5, "NE", 2), counting(9, 5, "GT", 1),
        counting(0, 5, "LT", 1).replace("add %by, %i", "multiply %by, %i"),
        counting(0, 5, "LT", 1).replace("LT, %i, %limit", "LT, %i, %n"),
        counting(0, 5, "LT", 1).replace("%i = %first", "%i = %n"),
        counting(0, 5, "LT", 1).replace("add %by, %i", "add %i, %i"), WHILE, counting(0, 2**31 - 1, "LE", 1),
        counting(0, 2**31 - 2, "LT", 2**30),
    ],
)  # fmt: skip
def test_the_trip_count_of_other_loops_are_not(text: str) -> None:
    (loop,) = (s for s in plan_of(text).main.steps if isinstance(s, While))
    assert loop.trip_count is None


def test_the_plans_text_says_what_is_updated_in_place_and_what_steps_move() -> None:
    text = """func.func @main(%x: tensor<9xf32>, %u: tensor<2xf32>, %i: tensor<i32>) -> (tensor<9xf32>, tensor<9xf32>) {
      %y = stablehlo.negate %x : tensor<9xf32>
      %a = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<9xf32>, tensor<2xf32>, tensor<i32>) -> tensor<9xf32>
      %b = stablehlo.dynamic_update_slice %y, %u, %i : (tensor<9xf32>, tensor<2xf32>, tensor<i32>) -> tensor<9xf32>
      return %a, %b : tensor<9xf32>, tensor<9xf32>
    }"""
    negate, first, second = (line for line in plan_text(plan_of(text)).splitlines() if "region" in line)
    assert "negate; 72 bytes" in negate
    assert "84 bytes; updates a copy" in first, "the caller's array stays as it is"
    assert "84 bytes; updates in place" in second
    assert "500 iterations" in plan_text(plan_of(counting(0, 500, "LT", 1)))


ROTATIONS = """
func.func @main(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<4x6xf32>
  %a = stablehlo.cosine %i : tensor<4x6xf32>
  %0 = stablehlo.multiply %x, %a : tensor<4x6xf32>
  %j = stablehlo.iota dim = 0 : tensor<4x6xf32>
  %b = stablehlo.cosine %j : tensor<4x6xf32>
  %1 = stablehlo.add %x, %b : tensor<4x6xf32>
  %k = stablehlo.iota dim = 1 : tensor<4x6xf32>
  %c = stablehlo.cosine %k : tensor<4x6xf32>
  %2 = stablehlo.add %x, %c : tensor<4x6xf32>
  return %0, %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}"""


def test_equal_tables_are_computed_once() -> None:
    (step,) = plan_of(ROTATIONS).main.steps
    assert [op.name for op in step.ops].count("stablehlo.cosine") == 2
    x, (i, j) = np.ones((4, 6), np.float32), np.indices((4, 6), np.float32)
    results = hlo2tiny.load(ROTATIONS, "CPU").numpy(x)
    for found, expected in zip(results, (np.cos(i), 1 + np.cos(i), 1 + np.cos(j))):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
    of_arguments = ROTATIONS.replace("%x: tensor<4x6xf32>", "%x: tensor<4x6xf32>, %y: tensor<4x6xf32>")
    for name in "ijk":
        line = next(line for line in ROTATIONS.splitlines() if f"%{name} =" in line)
        argument = "y" if name == "k" else "x"
        of_arguments = of_arguments.replace(line, f"  %{name} = stablehlo.negate %{argument} : tensor<4x6xf32>")
    (step,) = plan_of(of_arguments).main.steps
    assert [op.name for op in step.ops].count("stablehlo.cosine") == 2
    results = hlo2tiny.load(of_arguments, "CPU").numpy(x, 2 * x)
    for found, expected in zip(results, (np.cos(1), 1 + np.cos(1), 1 + np.cos(2))):
        np.testing.assert_allclose(found, np.full((4, 6), expected), rtol=1e-6, atol=1e-6)


RESHAPED = """
func.func @main(%x: tensor<5xf32>, %i: tensor<3xi32>, %u: tensor<1x3xf32>) -> (tensor<5xf32>, tensor<3xf32>) {
  %0 = stablehlo.negate %x : tensor<5xf32>
  %1 = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
  %2 = stablehlo.reshape %u : (tensor<1x3xf32>) -> tensor<3xf32>
  %3 = "stablehlo.scatter"(%0, %1, %2) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
    index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %4 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %4 : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<5xf32>
  %5 = stablehlo.negate %2 : tensor<3xf32>
  return %3, %5 : tensor<5xf32>, tensor<3xf32>
}"""


def test_updates_read_what_is_only_reshaped_where_it_lies() -> None:
    """%1 is no buffer; %2 is one, as another op reads it too."""
    main = plan_of(RESHAPED).main
    (update,) = (step for step in main.steps if isinstance(step, Kernels) and step.updates)
    assert [op.name for op in update.ops] == ["stablehlo.broadcast_in_dim", "stablehlo.scatter"]
    assert 1 in update.inputs and 2 not in update.inputs
    x, i, u = np.arange(5, dtype=np.float32), np.array([4, 0, 4], np.int32), np.ones((1, 3), np.float32)
    found, other = hlo2tiny.load(RESHAPED, "CPU").numpy(x, i, u)
    np.testing.assert_array_equal(found, [1, -1, -2, -3, -2])
    np.testing.assert_array_equal(other, [-1, -1, -1])


UNCHANGED = """func.func @main(%x: tensor<5x3xf32>, %i: tensor<1xi32>, %u: tensor<3xf32>) -> tensor<5x3xf32> {
  %0 = stablehlo.convert %x : tensor<5x3xf32>
  %1 = UPDATE
  %2 = stablehlo.convert %1 : tensor<5x3xf32>
  %3 = stablehlo.reshape %2 : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %5 = UPDATE
  %6 = stablehlo.convert %5 : tensor<5x3xf32>
  return %6 : tensor<5x3xf32>
}"""
UPDATE = """"stablehlo.scatter"(%VALUE, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
    update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<5x3xf32>"""


def test_what_changes_nothing_is_no_copy_between_steps() -> None:
    """JAX converts what it scatters to its own type, before and after."""
    first, text = UPDATE.replace("VALUE", "0"), UNCHANGED
    text = text.replace("UPDATE", first, 1).replace("UPDATE", UPDATE.replace("VALUE", "4"))
    steps = plan_of(text).main.steps
    assert [[op.name for op in step.ops] for step in steps if isinstance(step, Kernels)] == [["stablehlo.scatter"]] * 2
    x, i, u = np.arange(15, dtype=np.float32).reshape(5, 3), np.array([3], np.int32), np.ones(3, np.float32)
    expected = x.copy()
    expected[3] += 2
    np.testing.assert_array_equal(hlo2tiny.load(text, "CPU").numpy(x, i, u)[0], expected)
    np.testing.assert_array_equal(x, np.arange(15).reshape(5, 3))


def test_a_broadcast_that_exchanges_equal_dimensions_is_no_copy_left_out() -> None:
    text = """func.func @main(%x: tensor<3x3xi32>) -> tensor<3x3xi32> {
      %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<3x3xi32>) -> tensor<3x3xi32>
      return %0 : tensor<3x3xi32>
    }"""
    x = np.arange(9, dtype=np.int32).reshape(3, 3)
    np.testing.assert_array_equal(hlo2tiny.load(text, "CPU").numpy(x)[0], x.T)


WRAPPED = """
func.func @main(%x: tensor<5xf32>, %i: tensor<3xi64>, %u: tensor<3xf32>) -> (tensor<5xf32>RESULTS) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<3xi32>
  %size = stablehlo.constant dense<5> : tensor<3xi32>
  %1 = stablehlo.convert %i : (tensor<3xi64>) -> tensor<3xi32>
  %2 = stablehlo.compare LT, %1, %0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  %3 = stablehlo.add %1, %size : tensor<3xi32>
  %4 = stablehlo.select %2, %3, %1 : tensor<3xi1>, tensor<3xi32>
  %5 = stablehlo.reshape %4 : (tensor<3xi32>) -> tensor<3x1xi32>
  %6 = stablehlo.negate %x : tensor<5xf32>
  %7 = "stablehlo.scatter"(%6, %5, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
    index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %8 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %8 : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<5xf32>
  return %7VALUES : tensor<5xf32>RESULTS
}"""


@pytest.mark.parametrize("returned", [False, True])
def test_updates_compute_their_indices(returned: bool) -> None:
    """One kernel does both, unless something else needs the indices."""
    text = WRAPPED.replace("RESULTS", ", tensor<3xi32>" * returned).replace("VALUES", ", %4" * returned)
    program = hlo2tiny.load(text, "CPU")
    (update,) = (step for step in program.plan.main.steps if isinstance(step, Kernels) and step.updates)
    assert (len(update.ops) > 4) != returned
    assert [kernel.facts.name for kernel in render_region(update).kernels] == ["scatter"]
    x, i, u = np.arange(5, dtype=np.float32), np.array([-1, 0, 4]), np.ones(3, np.float32)
    found, *others = program.numpy(x, i, u)
    np.testing.assert_array_equal(found, [1, -1, -2, -3, -2])
    assert [other.tolist() for other in others] == [[4, 0, 4]] * returned


HALF_STEPS = {
    "right": lambda e, h: h.at[:, :-1].add(3 * (e[:, 1:] - e[:, :-1])),
    "below": lambda e, h: h.at[1:].set(e[:-1] * e[1:] - 1),
    "column": lambda e, h: h.at[:, 0].set(e[:, 1] - 2),
    "turned": lambda e, h: h.at[2:5, 1:].multiply(e.T[1:, 2:5].T),
    "flipped": lambda e, h: h.at[::2].min(e[::-2]),
    "slice": lambda e, h: jax.lax.dynamic_update_slice(h, e[1:4, 1:3] + 1, (2, 3)),
    "itself": lambda e, h: h.at[:, :-1].add(e[:, 1:] - h[:, 1:]),
    "there": lambda e, h: h.at[:, :-1].set(2 * h[:, :-1] - e[:, 1:]),
    "middle": lambda e, h: h.at[1:-1, 1:-1].multiply(jnp.where(h[1:-1, 1:-1] > e[2:, 1:-1], -1, 1)),
    "function": lambda e, h: h.at[1:].set(jnp.tanh(h[1:]).astype(h.dtype)),
    "rows": lambda e, h: h.at[1:].set(e[:-1] - jnp.tanh(e[0]).astype(h.dtype)),
    "shifted": lambda e, h: h.at[1:-1].set(h[1:-1] - 2 * h[2:]),
    "both": lambda e, h: jax.lax.dynamic_update_slice(h, h[1:4, 1:3] * e[1:4, 1:3], (1, 1)),
    "twice": lambda e, h: (lambda d: h.at[:, :-1].add(d) + jnp.sum(d))(e[:, 1:] - e[:, :-1]),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "bfloat16"])
@pytest.mark.parametrize("name", HALF_STEPS)
def test_updates_compute_what_they_write(name: str, dtype: str) -> None:
    """A loop gives what XLA's does; on a CPU, one kernel computes and writes, unless it would read what it changes."""
    random = np.random.default_rng(0)
    e, h = (random.integers(-4, 5, (6, 6)).astype(jnp.dtype(dtype)) for _ in "eh")

    def steps(e: jax.Array, h: jax.Array) -> jax.Array:
        step = HALF_STEPS[name]
        return jax.lax.fori_loop(0, 3, lambda _, state: (step(*state), state[0]), (h, e))[0]

    with jax.enable_x64(dtype == "float64"):
        text = jax.export.export(jax.jit(steps))(e, h).mlir_module()
        expected = np.asarray(jax.jit(steps)(e, h))
    program = hlo2tiny.load(text, "CPU")
    found = np.asarray(program.numpy(e, h)[0], expected.dtype)
    np.testing.assert_allclose(found.astype(float), expected.astype(float), rtol=1e-5 if "tanh" in text else 0)
    updates = [step for step in program.plan.kernels() if step.updates]
    functions = [op for step in updates for op in step.ops if op.name == "stablehlo.tanh"]
    assert bool(functions) == (name == "function")
    alone = ("right", "below", "column", "slice", "there", "middle", "function", "both")
    if name in alone and dtype != "bfloat16":
        assert [len(render_region(step).kernels) for step in updates] == [1]
        assert all("stablehlo.slice" in [op.name for op in step.ops] for step in updates)


@pytest.mark.parametrize(("count", "taken"), [(4, True), (20, False)])
def test_updates_do_not_compute_much_that_others_need_too(count: int, taken: bool) -> None:
    """A loop that stores each of its states computes a state once, unless that is little more than reading it."""

    def steps(x: jax.Array) -> jax.Array:
        def step(state: jax.Array, row: jax.Array) -> tuple[jax.Array, jax.Array]:
            for number in range(count):
                state = (state ^ row) if number % 2 else state - 1
            return state * 3, state

        return jax.lax.scan(step, x[0], x)[1]

    x = np.random.default_rng(0).integers(-100, 100, (5, 40)).astype(np.int32)
    program = hlo2tiny.load(jax.export.export(jax.jit(steps))(x).mlir_module(), "CPU")
    np.testing.assert_array_equal(program.numpy(x)[0], np.asarray(jax.jit(steps)(x)))
    (update,) = (step for step in program.plan.kernels() if step.updates)
    assert ("stablehlo.xor" in [op.name for op in update.ops]) is taken


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("iterations", "straight"), [(0, True), (5, True), (8, True), (9, False)])
def test_short_loops_of_elementwise_ops_are_straight_code_on_cuda(iterations: int, straight: bool) -> None:
    text = f"""func.func @main(%x: tensor<700xf32>) -> (tensor<700xf32>, tensor<i32>) {{
      %n = stablehlo.constant dense<{iterations}> : tensor<i32>
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %r:2 = stablehlo.while(%v = %x, %i = %zero) : tensor<700xf32>, tensor<i32>
        cond {{ %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }}
        do {{
          %w = stablehlo.tanh %v : tensor<700xf32>
          %j = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %w, %j : tensor<700xf32>, tensor<i32>
        }}
      return %r#0, %r#1 : tensor<700xf32>, tensor<i32>
    }}"""  # noqa: E501
    module = hlo2tiny.parse(text)
    plan = target_of("CUDA").plan(module, "main")
    assert any(isinstance(step, While) for step in plan.main.steps) == (not straight)
    assert len(plan.main.steps) <= 1 or not straight
    unrolled, x = Interpreter(plan), np.linspace(-2, 2, 700, dtype=np.float32)
    expected = x
    for _ in range(iterations):
        expected = np.tanh(expected)
    found, count = unrolled.run([x])
    np.testing.assert_allclose(found, expected, 1e-5)
    assert count == iterations


def test_what_computes_the_target_of_an_update_is_not_a_part_of_it() -> None:
    """As in `jnp.unique`, which writes differences of neighbours where the numbers were."""

    def unique(x: jax.Array) -> list[jax.Array]:
        return [*jnp.unique(x, size=64, return_inverse=True, return_counts=True)]

    x = np.random.default_rng(0).integers(0, 50, 300).astype(np.int32)
    text = str(jax.export.export(jax.jit(unique))(x).mlir_module())
    for found, expected in zip(hlo2tiny.load(text, "CPU").numpy(x), unique(x), strict=True):
        np.testing.assert_array_equal(found, expected)
