"""Rewriting in less time: the same results as tinygrad's own, pattern by pattern and kernel by kernel."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from tinygrad import dtypes
from tinygrad.codegen.decomp import dtype as decompositions
from tinygrad.codegen.opt.postrange import Scheduler
from tinygrad.schedule.rangeify import pm_gate_substitute
from tinygrad.uop import ops
from tinygrad.uop.ops import Ops, PatternMatcher, UOp, UPat, graph_rewrite
from tinygrad.uop.symbolic import sym, symbolic_simple

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.ir.entry import entry_function
from hlo2tiny.plan import build, lowering
from hlo2tiny.targets.c import native, render
from hlo2tiny.targets.web import render as web
from hlo2tiny.tinygrad import codegen, rewriting, settings
from hlo2tiny.tinygrad.rewriting import RewriteRule, compile_pattern
from hlo2tiny.tinygrad.settings import lowering_settings


def texts(name: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(render.REGIONS, "regions", {})
    codegen.PROGRAMS.clear()
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    plan = hlo2tiny.load(BY_NAME[name].path, "CPU").plan
    with native.render_regions(native.regions_of([plan]), lambda done, total: None) as regions:
        return [region.to_text() for _, region in regions]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["gpt_decoder", "lstm", "reduce_window", "sort", "narrow_floats", "gather_scatter"])
def test_kernels_are_those_of_tinygrads_own_rewriting(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of expressions without fences, which tinygrad would drop. Which of two loops is split depends on the order in
    which nodes are visited: those of a gather that is read by rows do the same work in other loops."""
    monkeypatch.setattr(lowering, "with_fences", nullcontext)
    ours = texts(name, monkeypatch)
    with monkeypatch.context() as patch:
        for function, original in (
            ("rewrite", PatternMatcher.rewrite),
            ("unified_rewrite", ops.RewriteContext.unified_rewrite),
            ("walk_rewrite", ops.RewriteContext.walk_rewrite),
            ("PROPERTIES", {}),
            ("toposort", UOp.toposort),
            ("substitute", UOp.substitute),
            ("has_operation", UOp.op_in_backward_slice_with_self),
        ):
            patch.setattr(rewriting, function, original)
        theirs = texts(name, patch)
    assert len(ours) == len(theirs)
    for found, expected in zip(ours, theirs):
        if name == "gpt_decoder" and found != expected:
            found, expected = map(work_of, (found, expected))
        assert found == expected


def work_of(text: str) -> list[tuple[str, int]]:
    """What each kernel of a region is called, and the bytes that it reads and writes."""
    return [(kernel["facts"]["name"], kernel["facts"]["bytes"]) for kernel in json.loads(text)["kernels"]]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["gather_scatter", "lstm", "reduce_window", "while_loop"])
def test_kernels_are_the_same_without_passes_for_other_devices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = texts(name, monkeypatch)
    monkeypatch.setattr(codegen.codegen, "memory_coalescing", codegen.memory_coalescing)
    monkeypatch.setattr(codegen, "NOTHING", codegen.barriers)
    monkeypatch.setattr(rewriting, "is_unchanged", lambda root, rules: False)
    assert texts(name, monkeypatch) == ours


def names(name: str, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    return [[kernel["facts"]["name"] for kernel in json.loads(text)["kernels"]] for text in texts(name, monkeypatch)]


@pytest.mark.parametrize("name", ["gpt_decoder", "lstm", "random_normal"])
def test_fences_change_no_kernel_but_its_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = names(name, monkeypatch)
    monkeypatch.setattr(lowering, "with_fences", nullcontext)
    assert names(name, monkeypatch) == ours


def fence(x: UOp) -> UOp:
    return UOp(Ops.BITCAST, x.dtype, (x,), x.dtype)


def test_fences_stay_and_bitcasts_are_joined_around_them() -> None:
    x, y = (UOp.param(i, dtypes.float32, (4,), "CPU").index(UOp.const(i)) for i in range(2))
    number = UOp.param(2, dtypes.uint32, (4,), "CPU").index(UOp.const(0))
    bits, one = x.bitcast(dtypes.uint32), UOp.const(1.0, dtypes.float32)
    cases = {
        fence(x + y) - y: fence(x + y) - y,
        x / fence(one): x / fence(one),
        fence(one): fence(one),
        fence(fence(x)): fence(x),
        fence(bits.bitcast(dtypes.float32)): fence(x),
        fence(number.bitcast(dtypes.float32)): number.bitcast(dtypes.float32),
        fence(x).bitcast(dtypes.uint32): fence(x).bitcast(dtypes.uint32),
        fence(x).bitcast(dtypes.uint32).bitcast(dtypes.float32): fence(x),
        bits.bitcast(dtypes.float32): x,
        one.bitcast(dtypes.uint32): UOp.const(0x3F800000, dtypes.uint32),
        x.cast(dtypes.float32): x,
    }
    with lowering_settings("CPU"):
        for before, after in cases.items():
            assert graph_rewrite(before, sym) is after, before


def shaders(name: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of kernels for WebGPU, which has no integers of 64 bits."""
    codegen.PROGRAMS.clear()
    monkeypatch.setattr(web.REGIONS, "regions", {})
    module = hlo2tiny.parse(BY_NAME[name].path)
    function = entry_function(module)
    with lowering_settings(web.DEVICE):
        plan = build(module, function.name, products=True)
    return [kernel.text for step in plan.kernels(products=True) for kernel in web.render_region(step).kernels]


@pytest.mark.parametrize("name", ["top_k", pytest.param("random_uniform", marks=pytest.mark.night)])
def test_halves_of_long_numbers_are_those_of_tinygrad(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = shaders(name, monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(rewriting, "split_l2i", decompositions.split_l2i)
        assert shaders(name, patch) == ours


@pytest.mark.parametrize("name", ["while_loop", "lstm"])
def test_patterns_match_the_same_before_and_after_they_are_compiled(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for tries in (10**9, 0):
        monkeypatch.setattr(rewriting, "TRIES", tries)
        monkeypatch.setattr(rewriting, "_rules", WeakKeyDictionary())
        rewriting.rule.cache_clear()
        found.append(texts(name, monkeypatch))
    assert found[0] == found[1]


def nodes() -> list[UOp]:
    """Nodes on which many rules try their luck."""
    x, y = (UOp.param(i, dtypes.float32, (4,), "CPU").index(UOp.const(i)) for i in range(2))
    i, j = UOp.range(12, 0), UOp.range(5, 1)
    indices = [i, (i * 5 + j) // 5, (i * 5 + j) % 5, (i + 0) * 1, i < 12, (i < 3).where(j, j), (i * -1) * -1, i * 0 + j]
    values = [x + y, x * 1.0, x + x, (x * 2.0) * 3.0, x.cast(dtypes.int32).cast(dtypes.float32), x.maximum(x)]
    return [node for each in (*indices, *values, UOp.sink(*indices), UOp.sink(*values)) for node in each.toposort()]


@pytest.mark.parametrize("matcher", [symbolic_simple, sym], ids=["simple", "all"])
def test_a_compiled_pattern_matches_what_an_interpreted_one_does(matcher: PatternMatcher) -> None:
    tried, changed = 0, 0
    for pattern, function in matcher.patterns:
        rule = RewriteRule(pattern, function)
        code = compile_pattern(pattern, function, rule.takes_context)
        for node in nodes() if code is not None else ():
            if node.op in pattern.op:
                found = rule.match(node, None)
                assert found is code(node, None), (pattern, node)
                tried, changed = tried + 1, changed + (found is not None)
    assert tried > 300 and changed > 10


def constants(*values: int) -> list[UOp]:
    return [UOp.const(value, dtypes.int32) for value in values]


ANY, REPEATED, NAMED_TWICE = (
    UPat(Ops.SINK, src=(UPat.any(UPat(Ops.CONST, name="x"), UPat(Ops.NOOP, src=(UPat.var("x"),))), UPat.var("y"))),
    UPat(Ops.SINK, src=UPat(Ops.CONST), name="x"),
    UPat(Ops.SINK, src=[UPat.var("x"), UPat(Ops.NOOP, src=(UPat.var("x"),))]),
)


@pytest.mark.parametrize("pattern", [ANY, REPEATED, NAMED_TWICE], ids=["any", "repeated", "named twice"])
def test_alternatives_repetitions_and_names_are_matched_in_order(pattern: UPat) -> None:
    one, two = constants(1, 2)
    noop = UOp(Ops.NOOP, src=(one,))
    taken: list[dict[str, UOp]] = []

    def take(**bindings: UOp) -> None:
        taken.append(bindings)

    def each(x: UOp, y: UOp | None = None) -> None:
        take(x=x, **({} if y is None else {"y": y}))

    code = compile_pattern(pattern, each, False)
    assert code is not None
    for sources in ((one, two), (noop, two), (noop, one), (one, noop), (one,), (one, one, two)):
        node, before = UOp.sink(*sources), len(taken)
        code(node, None)
        assert taken[before:] == pattern.match(node, {})


def test_a_rule_that_is_tried_often_is_compiled() -> None:
    (one,) = constants(1)
    rule = RewriteRule(UPat(Ops.CONST, name="x"), lambda ctx, x: ctx if x.arg == 1 else None)
    for iteration in range(2 * rewriting.TRIES):
        assert rule.match(one, iteration) == iteration
        assert (rule.match.__name__ == "match") is (iteration >= rewriting.TRIES)


@pytest.mark.parametrize("larger", [True, False])
def test_rules_that_undo_each_other_end_in_an_error(larger: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[tuple[UPat, Any]] = [(UPat(Ops.NEG, name="x"), lambda x: x.alu(Ops.NEG))]
    if not larger:
        rows = [
            (UPat(a, src=(UPat.var("x"),), name="y"), turned) for a, turned in ((Ops.NEG, sine), (Ops.SIN, negative))
        ]
    monkeypatch.setattr(ops.REWRITE_STACK_LIMIT, "value", 1000)
    with lowering_settings("CPU"), pytest.raises(RuntimeError, match="does not end"):
        graph_rewrite(constants(1)[0].cast(dtypes.float32).alu(Ops.NEG), PatternMatcher(rows))


def sine(x: UOp, y: UOp) -> UOp:
    return x.alu(Ops.SIN)


def negative(x: UOp, y: UOp) -> UOp:
    return x.alu(Ops.NEG)


def test_what_is_replaced_is_put_back() -> None:
    def in_place() -> list[Any]:
        return [PatternMatcher.rewrite, ops.RewriteContext.unified_rewrite, vars(UOp)["_shape"]]

    before = in_place()
    with lowering_settings("CPU"):
        assert all(new is not old for new, old in zip(in_place(), before, strict=True))
    assert in_place() == before


def test_nodes_come_in_tinygrads_order() -> None:
    x, y = (UOp.param(i, dtypes.float32, (4,), "CPU").index(UOp.const(i)) for i in range(2))
    shared = (x + y) * x
    root = UOp.sink(shared * y, y * shared + x, shared, UOp.const(1.0))
    for node in (root, shared, x, root.src[-1]):
        assert [*rewriting.toposort(node)] == [*UOp.toposort(node)]
    gate = lambda node: node is not shared
    assert [*rewriting.toposort(root, gate)] == [*UOp.toposort(root, gate)]


def test_a_substitution_makes_what_tinygrads_does() -> None:
    x, y = (UOp.param(i, dtypes.float32, (4,), "CPU").index(UOp.const(i)) for i in range(2))
    loop, other = (UOp.range(4, i) for i in range(2))
    root = UOp.sink(x * y + x, (loop + 1) * 2, x * (y + 1))
    for known in ({}, {x: y}, {x: x}, {x: y + 1}, {x: y, y: loop}, {loop: other + 1, x * y: x}):
        assert rewriting.substitute(root, known) is UOp.substitute(root, known)
    gated = root.substitute({loop: other}, extra_pm=pm_gate_substitute)
    assert rewriting.substitute(root, {loop: other}, extra_pm=pm_gate_substitute) is gated
    with lowering_settings("CPU"), pytest.raises(RuntimeError, match="does not end"):
        rewriting.substitute(root, {x: y, y: x})


def try_constant(ctx: tuple[list[UOp], float | None], c: UOp) -> UOp | None:
    tried, changed = ctx
    tried.append(c)
    return UOp.const(100.0) if c.arg == changed else None


@pytest.mark.parametrize("changed", [None, 2.0, 9.0], ids=["nothing", "a number of two operations", "the last number"])
def test_a_pass_tries_each_node_once_in_tinygrads_order(changed: float | None) -> None:
    x, y = (UOp.param(i, dtypes.float32, (4,), "CPU").index(UOp.const(i)) for i in range(2))
    root = UOp.sink((x * 2.0 + y) * 3.0, (x * 2.0).sqrt(), x * 9.0)
    matcher = PatternMatcher([(UPat(Ops.CONST, name="c"), try_constant)])
    found = []
    for rewrite in (rewriting.unified_rewrite, rewriting.original_rewrite):
        tried: list[UOp] = []
        result = rewrite(ops.RewriteContext(matcher, None, (tried, changed)), root)
        assert (result is root) == (changed is None)
        assert len(tried) == len({*tried}) > 3
        found.append((result, tried))
    assert found[0] == found[1]


def test_the_operations_below_a_node_are_found_in_deep_graphs() -> None:
    """tinygrad's own function goes through all of them for each node: its time is quadratic in a chain's length."""
    node = UOp.variable("x", 0, 9)
    for _ in range(3000):
        node = node.alu(Ops.ADD, UOp.const(1))
    wanted = [Ops.ADD, Ops.CONST, Ops.PARAM, Ops.MUL, Ops.INDEX]
    assert [rewriting.has_operation(node, op) for op in wanted] == [
        op in {u.op for u in node.toposort()} for op in wanted
    ]
    assert rewriting.has_operation(node, Ops.MUL, Ops.ADD) and not rewriting.has_operation(node.src[1], Ops.ADD)


def moved_values() -> list[UOp]:
    """Values of 2·3·4 elements that movements make of others."""
    buffer = UOp.param(0, dtypes.float, (24,))
    numbers = UOp.stack(*(buffer.index(UOp.const(n)) for n in range(24)))
    cube = numbers.reshape((2, 3, 4))
    pairs = UOp.stack(*numbers.src[:2])
    memory = buffer.index(UOp.stack(*map(UOp.const, range(24))))
    return [
        cube,
        numbers.reshape((4, 2, 3)).permute((1, 2, 0)),
        pairs.expand((3, 4, 2)).permute((2, 0, 1)),
        UOp.stack(cube.permute((0, 2, 1)).reshape((3, 8)), cube.reshape((3, 8)))
        .reshape((2, 24))
        .shrink(((1, 2), (0, 24))),
        memory.reshape((2, 3, 4)),
    ]


def test_elements_of_an_operation_are_those_that_tinygrad_finds_by_rules() -> None:
    def taken_apart(value: UOp, function: Any) -> UOp:
        rules = codegen.with_functions(codegen.codegen.devectorizer2, {codegen.compute_elements: function})
        return graph_rewrite(value, symbolic_simple + rules)

    with lowering_settings():
        for value in moved_values():
            value = value.reshape((2, 3, 4)) if value.shape != (2, 3, 4) else value
            for product in (value * value, value.sin()):
                ours = taken_apart(product, codegen.compute_elements)
                assert ours is taken_apart(product, codegen.codegen.do_devectorize)
                assert ours.shape == (2, 3, 4)


@pytest.mark.parametrize(("size", "found"), [(1, 1), (16, 16), (28, 32), (31, 32), (32, 32), (64, 64)])
def test_threads_compute_no_more_results_once_they_have_enough(
    size: int, found: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tinygrad gives those with less than 32 up to four times as many."""
    monkeypatch.setattr(settings, "original_upcast_size", lambda kernel: size)
    with lowering_settings():
        assert Scheduler.upcast_size(None) == found
