"""What programs cost is bounded: regions by their size, whatever the program is; plans by the number of ops.

Counted, not timed: regions, kernels and the arena's bytes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import jax
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.plan import build, regions
from hlo2tiny.plan.aliasing import AliasAnalysis
from hlo2tiny.plan.lowering import computed_elsewhere, read_in_many_places
from hlo2tiny.plan.plan import Plan
from hlo2tiny.plan.regions import LARGEST_REGION, LONGEST_CHAIN, OpSizes, op_size
from hlo2tiny.targets.c.render import render_region
from hlo2tiny.tinygrad.settings import lowering_settings

T = "tensor<8xf32>"
OPS = ("add", "multiply", "subtract", "maximum")


def function(arguments: int, body: list[str], results: list[str], type: str = T) -> str:
    taken = ", ".join(f"%a{i}: {type}" for i in range(arguments))
    types = ", ".join([type] * len(results))
    lines = "\n".join(body)
    return f"func.func @main({taken}) -> ({types}) {{\n{lines}\nreturn {', '.join(results)} : {types}\n}}"


def chain(count: int, type: str = T, ops: tuple[str, ...] = OPS) -> str:
    choice = random.Random(0)
    body = [f"%r{i} = stablehlo.{choice.choice(ops)} %{f'r{i - 1}' if i else 'a0'}, %a0 : {type}" for i in range(count)]
    return function(1, body, [f"%r{count - 1}"], type)


def fan_out(count: int) -> str:
    choice, values, body = random.Random(0), ["%a0"], []
    for i in range(count):
        body.append(f"%r{i} = stablehlo.{choice.choice(OPS)} {values[-1]}, {choice.choice(values)} : {T}")
        values.append(f"%r{i}")
    return function(1, body, values[-1:])


def independent(count: int) -> str:
    body = [f"%r{i} = stablehlo.{OPS[i % 4]} %a0, %a0 : {T}" for i in range(count)]
    return function(1, body, [f"%r{i}" for i in range(count)])


def sum_of_arguments(count: int) -> str:
    body = [f"%r{i} = stablehlo.add %{f'r{i - 1}' if i > 1 else 'a0'}, %a{i} : {T}" for i in range(1, count)]
    return function(count, body, [f"%r{count - 1}"])


def stencils(count: int) -> str:
    body, last = ["%z = stablehlo.constant dense<0.0> : tensor<f32>"], "%a0"
    for i in range(count):
        body += [
            f"%u{i} = stablehlo.slice {last} [1:8] : ({T}) -> tensor<7xf32>",
            f"%v{i} = stablehlo.slice {last} [0:7] : ({T}) -> tensor<7xf32>",
            f"%s{i} = stablehlo.add %u{i}, %v{i} : tensor<7xf32>",
            f"%r{i} = stablehlo.pad %s{i}, %z, low = [0], high = [1], interior = [0]"
            f" : (tensor<7xf32>, tensor<f32>) -> {T}",
        ]
        last = f"%r{i}"
    return function(1, body, [last])


def rolls(count: int) -> str:
    choice, body, last = random.Random(0), [], "%a0"
    for i in range(count):
        k = choice.randint(1, 7)
        body += [
            f"%u{i} = stablehlo.slice {last} [{k}:8] : ({T}) -> tensor<{8 - k}xf32>",
            f"%v{i} = stablehlo.slice {last} [0:{k}] : ({T}) -> tensor<{k}xf32>",
            f"%r{i} = stablehlo.concatenate %u{i}, %v{i}, dim = 0 : (tensor<{8 - k}xf32>, tensor<{k}xf32>) -> {T}",
        ]
        last = f"%r{i}"
    return function(1, body, [last])


def movement(count: int) -> str:
    type, body, last = "tensor<2x4xf32>", [], "%a0"
    for i in range(count):
        body += [
            f"%b{i} = stablehlo.reshape {last} : ({type}) -> tensor<4x2xf32>",
            f"%c{i} = stablehlo.transpose %b{i}, dims = [1, 0] : (tensor<4x2xf32>) -> {type}",
            f"%d{i} = stablehlo.convert %c{i} : ({type}) -> tensor<2x4xf64>",
            f"%e{i} = stablehlo.convert %d{i} : (tensor<2x4xf64>) -> {type}",
            f"%p{i} = stablehlo.compare LT, %e{i}, %a0 : ({type}, {type}) -> tensor<2x4xi1>",
            f"%s{i} = stablehlo.select %p{i}, %e{i}, %a0 : tensor<2x4xi1>, {type}",
            f"%r{i} = stablehlo.add %s{i}, {last} : {type}",
        ]
        last = f"%r{i}"
    return function(1, body, [last], type)


def in_a_loop(count: int) -> str:
    inner = "\n".join(chain(count).splitlines()[1:-2]).replace("%a0", "%y")
    return f"""func.func @main(%x: {T}) -> {T} {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %r:2 = stablehlo.while(%y = %x, %i = %zero) : {T}, tensor<i32>
      cond {{
        %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        {inner}
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %r{count - 1}, %j : {T}, tensor<i32>
      }}
      return %r#0 : {T}
    }}"""


GRAPHS: dict[str, Callable[[int], str]] = {
    "chain": chain,
    "scalars": partial(chain, type="tensor<f32>"),
    "complex": partial(chain, type="tensor<4xcomplex<f32>>", ops=("add", "multiply", "subtract")),
    "bf16": partial(chain, type="tensor<4xbf16>"),
    "i8": partial(chain, type="tensor<4xi8>"),
    "fan-out": fan_out,
    "independent": independent,
    "arguments": sum_of_arguments,
    "stencils": stencils,
    "rolls": rolls,
    "movement": movement,
    "loop": in_a_loop,
}


def plan_of(text: str, native: bool = True) -> Plan:
    with lowering_settings("CPU"):
        return build(hlo2tiny.parse(text), products=native)


@pytest.mark.sampled(15, ci=3)
@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("name", GRAPHS)
def test_regions_are_bounded_and_plans_linear(name: str, native: bool) -> None:
    plan = plan_of(GRAPHS[name](3000), native)
    with lowering_settings("CPU"):
        known: OpSizes = {}
        sizes = [sum(op_size(op, native, False, known) for op in step.ops) for step in plan.kernels()]
        longest = max(op_size(op, native, False, known) for step in plan.kernels() for op in step.ops)
    # The constants before a region count in addition.
    assert max(sizes) <= LARGEST_REGION + 2 * longest
    # Each but the last of a run has half the ops, or half the longest chain, that it may, at least; loops have 3 runs.
    bound = LARGEST_REGION if name == "independent" else LONGEST_CHAIN
    assert len(sizes) <= 2 * sum(sizes) / bound + 3


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", GRAPHS)
def test_where_regions_are_cut_changes_no_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def results(text: str) -> list[bytes]:
        program = hlo2tiny.load(text, device="CPU")
        generator = np.random.default_rng(0)
        inputs = [(3 * generator.standard_normal(i.shape)).astype(i.dtype) for i in program.inputs]
        return [x.tobytes() for x in program.numpy(*inputs)]

    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    text = GRAPHS[name](12)
    whole = results(text)
    for size in (16, 60):
        monkeypatch.setattr(regions, "LARGEST_REGION", size)
        assert len(list(plan_of(text).kernels())) > 1
        assert results(text) == whole
        monkeypatch.setattr("hlo2tiny.plan.lowering.MOST_LOOKUPS", 1)
        assert results(text) == whole
        monkeypatch.setattr("hlo2tiny.plan.lowering.MOST_LOOKUPS", 256)


@pytest.mark.parametrize("build_text", [stencils, rolls, movement])
def test_kernels_look_values_up_in_a_bounded_number_of_ways(
    build_text: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without that, each op of such a chain doubles the work."""
    monkeypatch.setattr(regions, "LONGEST_CHAIN", LARGEST_REGION)
    for count in (20, 40):
        (step,) = plan_of(build_text(count)).kernels()
        apart = read_in_many_places(step)
        assert count / 10 <= len(apart) <= count
        kernels = render_region(step).kernels
        assert len(kernels) <= len(apart | computed_elsewhere(step)) + 1
        assert max(len(k.body) for k in kernels) < 60_000


def test_a_scan_by_halves_does_not_compute_each_half_from_all_before() -> None:
    """Of 1000 pairs, the kernels of one step computed 64 ways to read another; their lowering took 8 s."""
    scan = lambda *x: jax.lax.associative_scan(lambda f, g: (f[0] * g[0], g[0] * f[1] + g[1]), x)
    x = jax.ShapeDtypeStruct((1000, 20), np.float32)
    (step,) = plan_of(str(jax.export.export(jax.jit(scan))(x, x).mlir_module())).kernels()
    apart = read_in_many_places(step)
    assert 2 <= len(apart) <= 20
    assert sum(len(kernel.body) for kernel in render_region(step).kernels) < 80_000
    # Parts of a row of which each is read once are not stored first.
    text = """func.func @main(%x: tensor<64x64xf32>) -> tensor<16x64xf32> {
      %0 = stablehlo.tanh %x : tensor<64x64xf32>
      %1 = stablehlo.slice %0 [0:61:4, 0:64] : (tensor<64x64xf32>) -> tensor<16x64xf32>
      %2 = stablehlo.slice %0 [1:62:4, 0:64] : (tensor<64x64xf32>) -> tensor<16x64xf32>
      %3 = stablehlo.slice %0 [2:63:4, 0:64] : (tensor<64x64xf32>) -> tensor<16x64xf32>
      %4 = stablehlo.add %1, %2 : tensor<16x64xf32>
      %5 = stablehlo.add %4, %3 : tensor<16x64xf32>
      return %5 : tensor<16x64xf32>
    }"""
    (step,) = plan_of(text).kernels()
    assert not read_in_many_places(step)


def test_a_cut_is_where_least_passes() -> None:
    """Of groups of ops with nothing between them, none is cut in two."""
    group = 40
    body, results = [], []
    for g in range(40):
        body += [
            f"%g{g}_{i} = stablehlo.{OPS[i % 4]} {f'%g{g}_{i - 1}' if i else '%a0'}, %a0 : {T}" for i in range(group)
        ]
        results.append(f"%g{g}_{group - 1}")
    plan = plan_of(function(1, body, results))
    steps = list(plan.kernels())
    assert len(steps) > 2
    assert all(len(step.parameters) == 1 and len(step.ops) % group == 0 for step in steps)


def test_no_large_value_waits_for_what_reads_a_few_of_its_elements() -> None:
    """The probabilities of all words, say, while random numbers are drawn that choose one."""
    large = "tensor<1000x1000xf32>"
    body = "\n".join(f"%r{i} = stablehlo.tanh %{f'r{i - 1}' if i else 'a0'} : {T}" for i in range(900))
    text = f"""func.func @main(%a0: {T}, %x: {large}) -> {T} {{
      %e = stablehlo.tanh %x : {large}
      {body}
      %s = stablehlo.slice %e [7:8, 0:8] : ({large}) -> tensor<1x8xf32>
      %t = stablehlo.reshape %s : (tensor<1x8xf32>) -> {T}
      %y = stablehlo.add %t, %r899 : {T}
      return %y : {T}
    }}"""
    plan = plan_of(text)
    assert len(list(plan.kernels())) > 1
    assert {str(plan.main.types[n]) for step in plan.main.steps for n in step.outputs} == {T}


def test_cuts_do_not_depend_on_what_was_planned_before() -> None:
    """An op's size was that of the first one with its element types in a process, of whatever shape."""
    text = GRAPHS["stencils"](400)
    regions._sizes.clear()
    first = [step.key for step in plan_of(text).kernels()]
    regions._sizes.clear()
    padded = """func.func @main(%x: tensor<4x1x4x1xf32>, %z: tensor<f32>) -> tensor<9x7x9x3xf32> {
      %0 = stablehlo.pad %x, %z, low = [1, 3, 1, 1], high = [1, 3, 1, 1], interior = [1, 0, 1, 0]
        : (tensor<4x1x4x1xf32>, tensor<f32>) -> tensor<9x7x9x3xf32>
      return %0 : tensor<9x7x9x3xf32>
    }"""
    assert [*plan_of(padded).kernels()]
    assert len(first) > 1
    assert [step.key for step in plan_of(text).kernels()] == first


def test_large_ops_are_regions_of_their_own() -> None:
    body = [f"%r{i} = chlo.polygamma %{f'r{i - 1}' if i else 'a0'}, %a0 : {T}, {T} -> {T}" for i in range(3)]
    plan = plan_of(function(1, body, ["%r2"]), native=False)  # where it is no function of C
    assert len(list(plan.kernels())) == 3


@pytest.mark.parametrize("count", [200, 800])
def test_memory_does_not_grow_with_a_chain(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regions, "LARGEST_REGION", 200)
    program = hlo2tiny.load(chain(count, "tensor<4096xf32>", ("add",)), device="CPU")
    program.compile()
    arena = program._for([]).compile().arena  # type: ignore[attr-defined]
    assert arena <= 3 * 4 * 4096


@pytest.mark.ci
@pytest.mark.parametrize("count", [5_000, pytest.param(20_000, marks=pytest.mark.night)])
def test_many_arguments_and_results(count: int) -> None:
    """Nothing walks over the plan once for each."""
    plan = plan_of(sum_of_arguments(count))
    assert sorted({n for step in plan.main.steps for n in step.reads if n < count}) == list(range(count))
    plan = plan_of(independent(count))
    assert len(AliasAnalysis(plan).of(plan.main, {}).memory) == count + 1


@pytest.mark.parametrize("count", [5_000, pytest.param(20_000, marks=pytest.mark.night)])
def test_long_programs_run(count: int) -> None:
    """Deeper than Python's stack; all pieces are alike, so this takes no longer than one."""
    program = hlo2tiny.load(chain(count, "tensor<2xi32>", ("add",)), device="CPU")
    x = np.array([1, 3], np.int32)
    assert program.numpy(x)[0].tolist() == [count + 1, 3 * (count + 1)]
    steps = list(program.plan.kernels())
    assert len({step.key for step in steps}) <= 3 < len(steps)
