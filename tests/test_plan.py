"""The plan: what is cut where, and what is shared."""

from __future__ import annotations

import hlo2tiny
from hlo2tiny.plan import Call, Case, Kernels, While, build


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


def test_buffers_are_given_back_after_their_last_read() -> None:
    block = plan_of(WHILE).main
    given_back = [set(numbers) for numbers in block.last_reads]
    assert sum(map(len, given_back)) == len(set().union(*given_back))
    assert not set(block.outputs) & set().union(*given_back)


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
    assert "branch 1:" in str(plan_of(text))


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
