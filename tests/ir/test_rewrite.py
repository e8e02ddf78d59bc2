"""Clones of ops and regions, and which values they read."""

from __future__ import annotations

from hlo2tiny import parse
from hlo2tiny.ir import Op, Region, TensorType, Value, walk
from hlo2tiny.ir.rewrite import Rewriter, clone_region, clone_value, clone_values, free_values, last_uses, live

TEXT = """
func.func @main(%x: tensor<4xf32>, %n: tensor<i32>, %unused: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
  %sine = stablehlo.sine %x : tensor<4xf32>
  %chosen = "stablehlo.case"(%n) ({
    %twice = stablehlo.add %sine, %sine : tensor<4xf32>
    %inner = "stablehlo.case"(%n) ({
      %product = stablehlo.multiply %twice, %x : tensor<4xf32>
      stablehlo.return %product : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    stablehlo.return %inner : tensor<4xf32>
  }, {
    stablehlo.return %x : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  %cosine = stablehlo.cosine %chosen : tensor<4xf32>
  return %chosen, %sine : tensor<4xf32>, tensor<4xf32>
}
"""
BLOCKS = """
func.func @main(%n: i1, %x: tensor<f32>) -> tensor<f32> {
  cf.cond_br %n, ^a(%x : tensor<f32>), ^b
^a(%y: tensor<f32>):
  %z = stablehlo.sine %y : tensor<f32>
  return %z : tensor<f32>
^b:
  return %x : tensor<f32>
}
"""


def body(text: str = TEXT) -> Region:
    region = parse(text).functions["main"].body
    assert region is not None
    return region


def named(values: list[Value] | tuple[Value, ...]) -> list[str]:
    return [value.name for value in values]


def defined(region: Region) -> list[Value]:
    inner = [value for op in walk(region) for value in op.results]
    arguments = [value for op in walk(region) for r in op.regions for value in r.arguments]
    return [*region.arguments, *inner, *arguments, *(v for block in region.blocks for v in block.arguments)]


def names_of_ops(region: Region) -> list[str]:
    return [op.name.removeprefix("stablehlo.") for op in walk(region)]


# ---------------------------------------------------------------- clones


def test_a_clone_defines_values_of_its_own() -> None:
    for text in (TEXT, BLOCKS):
        original = body(text)
        clone = clone_region(original)
        assert names_of_ops(clone) == names_of_ops(original)
        assert set(defined(clone)).isdisjoint(defined(original))
        assert named(defined(clone)) == named(defined(original))
        assert not free_values(clone)  # nothing of it reads what the original defines
        assert [op.successors for op in walk(clone)] == [op.successors for op in walk(original)]


def test_copies_use_replaced_values_inside_regions_too() -> None:
    original = body()
    x, other = original.arguments[0], Value("other", original.arguments[0].type)
    copy = Rewriter({x: other}).region(original)
    assert defined(copy) == defined(original)  # without `new` the values are the same
    assert named(free_values(copy)) == ["other"]
    assert free_values(*Rewriter({x: other}).ops(original.ops)) == [other, original.arguments[1]]


def test_a_hook_replaces_drops_and_keeps_ops() -> None:
    original = body()

    def hook(rewriter: Rewriter, op: Op) -> list[Op] | None:
        if op.name == "stablehlo.cosine":
            return []
        if op.name == "stablehlo.add":  # becomes its first operand
            rewriter.values[op.results[0]] = rewriter.lookup(op.operands)[0]
            return []
        if op.name == "stablehlo.multiply":  # becomes two ops
            (operand, _), (result,) = rewriter.lookup(op.operands), op.results
            middle = clone_value(result)
            first = Op("stablehlo.abs", (operand,), (middle,), {}, (), op.location)
            return [first, rewriter.clone(op, "stablehlo.negate", (middle,))]
        return None

    found = Rewriter(hook=hook).region(original)
    assert names_of_ops(found) == ["sine", "case", "case", "abs", "negate", "return", "return", "return", "func.return"]
    sine = found.ops[0].results[0]
    absolute = next(op for op in walk(found) if op.name == "stablehlo.abs")
    assert absolute.operands == (sine,)
    assert not free_values(found)


def test_a_region_is_inlined_on_operands() -> None:
    """Twice into one function: what it defines is there twice, under values of each."""
    original = body()
    operands = [Value(name, a.type) for name, a in zip("abc", original.arguments)]
    inlined = [Rewriter(new=clone_value).inline(original, operands) for _ in range(2)]
    for ops, returned in inlined:
        assert named(free_values(*ops)) == ["a", "b"]
        assert named(returned) == ["chosen", "sine"]
        assert returned == (ops[1].results[0], ops[0].results[0])
    (first, _), (second, _) = inlined
    assert {v for op in first for v in op.results}.isdisjoint(v for op in second for v in op.results)


def test_the_values_of_clones_may_have_other_types() -> None:
    scalar = TensorType((), body().arguments[0].type.element)  # type: ignore[union-attr]
    found = Rewriter(new=lambda v: clone_value(v, scalar)).region(body())
    assert {v.type for v in defined(found)} == {scalar}


def test_clones_of_values_keep_names_and_places() -> None:
    x, *_ = originals = body().arguments
    clones = clone_values(originals)
    assert set(clones).isdisjoint(originals)
    assert [(v.name, v.type, v.location) for v in clones] == [(v.name, v.type, v.location) for v in originals]
    assert clone_value(x, originals[1].type).type == originals[1].type


def test_regions_that_are_as_deep_as_files_may_have_them() -> None:
    depth = 70
    lines = ["func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {"]
    lines += [f'  %r{i} = "stablehlo.case"(%n) ({{' for i in range(depth)]
    lines += ["  stablehlo.return %x : tensor<f32>"]
    for i in reversed(range(depth)):
        end = f"stablehlo.return %r{i}" if i else "return %r0"
        lines += ["  }) : (tensor<i32>) -> tensor<f32>", f"  {end} : tensor<f32>"]
    original = body("\n".join([*lines, "}"]))
    clone = clone_region(original)
    assert len(list(walk(clone))) == 2 * depth + 1
    assert free_values(*clone.ops) == list(clone.arguments)


# ---------------------------------------------------------------- reads


def test_free_values_are_in_the_order_of_their_first_use() -> None:
    region = body()
    sine, case, cosine, _ = region.ops
    assert named(free_values(case)) == ["n", "sine", "x"]
    assert named(free_values(*case.regions)) == ["sine", "n", "x"]
    assert named(free_values(sine, case)) == ["x", "n"]
    assert named(free_values(cosine, sine)) == ["chosen", "x"]
    assert not free_values(region) and not free_values()


def test_what_one_block_defines_is_not_free_in_another() -> None:
    region = body(BLOCKS)
    assert not free_values(region)
    assert named(free_values(*region.blocks)) == ["x"]


def test_last_uses_are_found_inside_regions() -> None:
    region = body()
    x, n, unused = region.arguments
    uses = last_uses(region.ops)
    assert (uses[x], uses[n], uses[region.ops[0].results[0]]) == (1, 1, 3)
    assert unused not in uses


def test_ops_that_results_do_not_depend_on_are_not_live() -> None:
    sine, case, cosine, _ = ops = body().ops
    assert live(ops, case.results) == [sine, case]
    assert live(ops, cosine.results) == [sine, case, cosine]
    assert live(ops, ()) == []
