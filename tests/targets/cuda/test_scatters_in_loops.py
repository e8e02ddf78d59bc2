"""Scatters with the same indices, in each iteration of a loop or one after the other: these are sorted once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax
from test_emulation import emulator
from test_executable import plan_of, walk
from test_shared_reductions import text_of

import hlo2tiny
from hlo2tiny.plan.plan import Kernels, While
from hlo2tiny.rules.scatters import SORTED_CELLS
from hlo2tiny.targets.cuda.executable import CudaExecutable, GraphLaunch

NODES, EDGES = 20, 700
Step = Callable[..., Any]


def known(step: Step, x: Any, count: Any, *given: Any) -> Any:
    return lax.fori_loop(0, 4, lambda _, x: step(x, *given), x)


def counted(step: Step, x: Any, count: Any, *given: Any) -> Any:
    return lax.fori_loop(0, count, lambda _, x: step(x, *given), x)


def until(step: Step, x: Any, count: Any, *given: Any) -> Any:
    return lax.while_loop(lambda s: s[0] < count, lambda s: (s[0] + 1, step(s[1], *given)), (0, x))[1]


def scanned(step: Step, x: Any, count: Any, *given: Any) -> Any:
    return lax.scan(lambda x, i: (step(x + i, *given), x), x, jnp.arange(3).astype(x.dtype))


def nested(step: Step, x: Any, count: Any, *given: Any) -> Any:
    return lax.fori_loop(0, count, lambda _, x: lax.fori_loop(0, 2, lambda _, x: step(x, *given), x + 1), x)


LOOPS = known, counted, until, scanned, nested


def small(x: Any) -> Any:
    """Numbers whose sums are exact in each order."""
    return jnp.remainder(x, jnp.asarray(5, x.dtype))


STEPS: dict[str, Step] = {
    "sum": lambda x, i, o: small(jax.ops.segment_sum(x[i], o, NODES)),
    "max": lambda x, i, o: small(jax.ops.segment_max(x[i] + 1, o, NODES)),
    "min": lambda x, i, o: small(jax.ops.segment_min(x[i] + 1, o, NODES)),
    "product": lambda x, i, o: small(jax.ops.segment_prod(small(x[i]) - 2, o, NODES)),
    "added": lambda x, i, o: small(x.at[o].add(x[i], mode="drop")),
    "set": lambda x, i, o: small(x.at[o].set(jnp.ones((EDGES, 1), x.dtype) * x[0] + 1, mode="drop") + 1),
    "columns": lambda x, i, o: small(x.at[:, 1].add(x.at[o, 0].add(x[i, 1] + 1, mode="drop")[:, 0])),
    "places": lambda x, i, o: small(x.at[o, i % 3].add(x[i, 2] + 1, mode="drop")),
    "items": lambda x, i, o: small(
        jax.vmap(lambda x, o: x.at[o].add(x[0] + 1, mode="drop"), (1, 0), 1)(x, jnp.stack([o, i, i]))
    ),
    "twice": lambda x, i, o: small(jax.ops.segment_sum(jax.ops.segment_sum(x[i], o, NODES)[o], i, NODES)),
}


def arrays(dtype: Any) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    # Some receivers are dropped, and some senders are the last node.
    senders, receivers = (random.integers(low, NODES + 2, EDGES) for low in (-2, 0))
    return [random.integers(0, 5, (NODES, 3)).astype(dtype), senders.astype(np.int32), receivers.astype(np.int32)]


def sorts_in_loops(executable: CudaExecutable) -> tuple[int, int]:
    """How many launches there are that find out about the cells of updates, and how many of them in loops."""

    def count(actions: Any) -> int:
        launches = [action for action in actions if isinstance(action, GraphLaunch)]
        return sum("cells" in executable.kernels[each.kernel].name.split("+") for each in launches)

    return count(walk(executable.actions)), count(walk(executable.actions)) - count(executable.actions)


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.int32], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("loop", LOOPS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("kind", STEPS)
@pytest.mark.sampled(28, ci=7, first=3)
def test_indices_are_sorted_once(
    kind: str, loop: Step, dtype: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The results have the bits of loops that sort in each iteration; none is a number of iterations, too."""
    x, *indices = arrays(dtype)
    monkeypatch.setattr("hlo2tiny.rules.scatters.COMBINERS", {})  # integers are sorted as well
    call = lambda x, count, *indices: loop(STEPS[kind], x + count.astype(dtype), count, *indices)
    text = text_of(call, x, np.int32(3), *indices)
    executable, run = emulator(text, tmp_path)
    assert sorts_in_loops(executable) in ((1, 0), (2, 0))  # the scatters of "twice"
    monkeypatch.setattr("hlo2tiny.plan.scatters.is_sorted", lambda op, in_order: False)
    (tmp_path / "again").mkdir()
    executable, run_again = emulator(text, tmp_path / "again")
    assert sorts_in_loops(executable)[1] or loop in (known, scanned)  # which are unrolled
    for count in (3, 0):
        given = [x, np.array(count, np.int32), *indices]
        found, again = run(given), run_again(given)
        expected = jax.tree.leaves(jax.jit(call)(*given))
        for a, b, c in zip(found, again, expected, strict=True):
            assert a.tobytes() == b.tobytes()
            if kind != "set" and dtype is not ml_dtypes.bfloat16:  # which of equal indices is set is open
                np.testing.assert_array_equal(a, np.asarray(c))


def attend(x: Any, i: Any, o: Any) -> Any:
    """A softmax of each node's edges, of which numbers and rows are added up."""
    scores = jnp.tanh(x[i] * x[o]).sum(-1)
    weights = jnp.exp(scores - jax.ops.segment_max(scores, o, NODES)[o])
    weights /= jax.ops.segment_sum(weights, o, NODES)[o]
    return jax.ops.segment_sum(weights[:, None] * x[i], o, NODES)


@pytest.mark.parametrize("rounds", [0, 3], ids=["alone", "in a loop"])
def test_scatters_with_the_same_indices_share_their_order(
    rounds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of numbers and those of rows, and of both ways along the edges."""
    x, *indices = arrays(np.float32)

    def call(x: Any, *indices: Any) -> Any:
        there_and_back = lambda x: attend(attend(x, *indices), *indices[::-1])
        return there_and_back(x) if not rounds else lax.fori_loop(0, rounds, lambda _, x: there_and_back(x), x)

    assert steps_of(call, x, *indices) == [False] * 2
    text = text_of(call, x, *indices)
    found = emulator(text, tmp_path)[1]([x, *indices])
    monkeypatch.setattr("hlo2tiny.plan.scatters.is_sorted", lambda op, in_order: False)
    (tmp_path / "again").mkdir()
    again = emulator(text, tmp_path / "again")[1]([x, *indices])
    assert found[0].tobytes() == again[0].tobytes()
    np.testing.assert_allclose(found[0], jax.jit(call)(x, *indices), rtol=1e-5, equal_nan=True)


def steps_of(call: Step, *given: np.ndarray, invariant: bool = False) -> list[bool]:
    """Whether each region that sorts the indices of a scatter is in a loop."""
    plan = plan_of(text_of(call, *given), invariant=invariant)
    inside = {step for each in plan.main.walk() if isinstance(each, While) for step in each.body.walk()}
    regions = [step for step in plan.main.walk() if isinstance(step, Kernels)]
    return [step in inside for step in regions for op in step.ops if op.name == SORTED_CELLS]


def test_only_indices_that_no_iteration_changes_are_sorted_before_a_loop() -> None:
    x, i, o = arrays(np.float32)

    def call(x: Any, i: Any, o: Any) -> Any:
        def step(_: Any, s: Any) -> Any:
            x, o = s
            return jax.ops.segment_sum(x[i], o, NODES), jnp.roll(o, 1)

        return lax.fori_loop(0, 3, step, (x, o))

    assert steps_of(call, x, i, o) == []
    assert steps_of(lambda *given: known(STEPS["sum"], x, 4, i, o), x) == [False]  # of known indices, too


def test_rows_of_a_batch_and_integers_are_not_sorted() -> None:
    """The order of their sums must not depend on other rows; integers are added in any order."""
    x, i, o = arrays(np.float32)
    call = lambda x, i, o: known(STEPS["sum"], x, 4, i, o)
    assert steps_of(call, x, i, o) == [False]
    assert steps_of(call, x, i, o, invariant=True) == []
    assert steps_of(lambda x, i, o: known(STEPS["sum"], x, 4, i, o), x.astype(np.int32), i[:60], o[:60]) == []


@pytest.mark.parametrize("kind, gathers", [("sum", 0), ("max", 1), ("added", 1)])
def test_rows_that_are_always_the_same_are_read_where_they_lie(kind: str, gathers: int) -> None:
    """The function of "max" adds to what is gathered, and a sum in place would have to copy its rows."""
    x, *indices = arrays(np.float32)
    call = lambda x, count, *indices: counted(STEPS[kind], x, count, *indices)
    plan = plan_of(text_of(call, x, np.int32(4), *indices))
    (loop,) = (step for step in plan.main.steps if isinstance(step, While))
    ops = [op.name for step in loop.body.walk() if isinstance(step, Kernels) for op in step.ops]
    assert ops.count("stablehlo.gather") == gathers and "stablehlo.scatter" in ops


WEIGHTED: dict[str, Step] = {
    "numbers": lambda x, v, i, o: x[:, 0] + jax.ops.segment_sum(v * x[:, 0][i], o, NODES),
    "rows": lambda x, v, i, o: x / 2 + jax.ops.segment_sum(v[:, None] * x[i] + 1, o, NODES),
    "differences": lambda x, v, i, o: x / 2 + jax.ops.segment_sum(jnp.tanh(x[i] - x[o]) * v[:, None], o, NODES),
    "largest": lambda x, v, i, o: x.at[o].max(x[i] * v[:, None]),
}


@pytest.mark.parametrize("kind", WEIGHTED)
def test_updates_are_computed_in_the_order_of_their_cells(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights and indices that are always the same are sorted once; the results have the same bits."""
    x, i, o = arrays(np.float32)
    given = x, np.random.default_rng(5).standard_normal(len(i), np.float32), i, o

    def call(count: Any, x: Any, *given: Any) -> Any:
        step = WEIGHTED[kind]
        follow = (lambda y: x + y[:, None]) if kind == "numbers" else (lambda y: y)
        return lax.fori_loop(0, count, lambda _, x: follow(step(x, *given)), x)

    text = text_of(call, np.int32(3), *given)
    executable, run = emulator(text, tmp_path)
    found = run([np.array(3, np.int32), *given])
    folds = [kernel.numbers for kernel in executable.kernels if kernel.name == "fold_runs"]
    assert folds and not any(has_order for _, _, has_order in folds)
    monkeypatch.setattr("hlo2tiny.plan.scatters.MOST_MOVED", -1)
    (tmp_path / "again").mkdir()
    executable, run = emulator(text, tmp_path / "again")
    assert any(kernel.numbers[2:] == (1,) for kernel in executable.kernels if kernel.name == "fold_runs")
    assert run([np.array(3, np.int32), *given])[0].tobytes() == found[0].tobytes()
    np.testing.assert_allclose(found[0], jax.jit(call)(3, *given), rtol=1e-4, atol=1e-4)


def test_updates_that_other_values_change_are_read_in_their_order() -> None:
    """Weights that each iteration changes, and those that replace elements."""
    x, i, o = arrays(np.float32)
    weights = np.ones(len(i), np.float32)

    def orders(call: Step) -> list[bool]:
        plan = plan_of(text_of(lambda *given: lax.fori_loop(0, given[0], lambda _, s: call(*s), given[1:]), *given))
        ops = [op for step in plan.main.walk() if isinstance(step, Kernels) for op in step.ops]
        return [op.operands[1] is op.operands[2] for op in ops if op.name == "stablehlo.scatter"]

    given = np.int32(3), x, weights, i, o
    assert orders(lambda x, v, i, o: (WEIGHTED["rows"](x, v, i, o), v, i, o)) == [True]
    assert orders(lambda x, v, i, o: (WEIGHTED["rows"](x, v, i, o), v * 0.9, i, o)) == [False]
    assert orders(lambda x, v, i, o: (x.at[o].set(x[i] * v[:, None]), v, i, o)) == [False]


def test_several_arrays_are_set_in_the_same_order(tmp_path: Path) -> None:
    x, y, rows, numbers = "tensor<30x2xf32>", "tensor<30x2xi32>", "tensor<700x2xf32>", "tensor<700x2xi32>"
    text = f"""func.func @main(%a: {x}, %b: {y}, %i: tensor<700x1xi32>, %u: {rows}, %v: {numbers}, %n: tensor<i32>)
        -> ({x}, {y}) {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %r:3 = "stablehlo.while"(%zero, %a, %b) ({{
      ^bb0(%k: tensor<i32>, %x: {x}, %y: {y}):
        %0 = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %0 : tensor<i1>
      }}, {{
      ^bb0(%k: tensor<i32>, %x: {x}, %y: {y}):
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %k, %one : tensor<i32>
        %all = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<i32>) -> {numbers}
        %new = stablehlo.add %v, %all : {numbers}
        %s:2 = "stablehlo.scatter"(%x, %y, %i, %u, %new) ({{
        ^bb0(%p: tensor<f32>, %q: tensor<i32>, %w: tensor<f32>, %z: tensor<i32>):
          stablehlo.return %w, %z : tensor<f32>, tensor<i32>
        }}) {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}
          : ({x}, {y}, tensor<700x1xi32>, {rows}, {numbers}) -> ({x}, {y})
        stablehlo.return %next, %s#0, %s#1 : tensor<i32>, {x}, {y}
      }}) : (tensor<i32>, {x}, {y}) -> (tensor<i32>, {x}, {y})
      return %r#1, %r#2 : {x}, {y}
    }}"""
    random = np.random.default_rng(1)
    a, b = random.standard_normal((30, 2), np.float32), random.integers(0, 9, (30, 2), np.int32)
    u, v = random.standard_normal((700, 2), np.float32), random.integers(0, 9, (700, 2), np.int32)
    index = random.integers(-2, 32, (700, 1), np.int32)
    executable, run = emulator(text, tmp_path)
    found = run([a, b, index, u, v, np.array(3, np.int32)])
    for place, row, numbers_of_row in zip(index[:, 0], u, v + 2):
        if 0 <= place < 30:
            a[place], b[place] = row, numbers_of_row
    np.testing.assert_array_equal(found[0], a)
    np.testing.assert_array_equal(found[1], b)
    assert sorts_in_loops(executable) == (1, 0)


def test_no_file_has_the_sort_by_itself() -> None:
    text = f"""func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {{
      %0 = "{SORTED_CELLS}"(%x) : (tensor<4xi32>) -> tensor<4xi32>
      return %0 : tensor<4xi32>
    }}"""
    with pytest.raises(hlo2tiny.Error, match=SORTED_CELLS):
        hlo2tiny.load(text, "CPU")


@pytest.mark.parametrize("loop", [None, counted], ids=["alone", "in a loop"])
def test_numbers_are_folded_in_tables_unless_a_loop_has_sorted_them(loop: Step | None, tmp_path: Path) -> None:
    """Where nothing else needs the order; several scatters with the same indices then sort nothing, either."""
    random = np.random.default_rng(1)
    x, (senders, receivers) = random.integers(0, 5, NODES).astype(np.float32), random.integers(0, NODES, (2, 5000))

    def step(x: Any, i: Any, o: Any) -> Any:
        return small(jax.ops.segment_sum(x[i], o, NODES) + jax.ops.segment_max(x[i], o, NODES))

    call = lambda x, count, *given: step(x + count, *given) if loop is None else loop(step, x, count, *given)
    given = [x, np.int32(3), senders.astype(np.int32), receivers.astype(np.int32)]
    executable, run = emulator(text_of(call, *given), tmp_path)
    names = {name for kernel in executable.kernels for name in kernel.name.split("+")}
    assert ("fold_tables" in names) == (loop is None) and any("sort" in name for name in names) == (loop is not None)
    np.testing.assert_array_equal(run(given)[0], jax.jit(call)(*given))
