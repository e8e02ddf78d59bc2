"""What GPUs run for sorts, cumulative ops and scatters, here as OpenCL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from devices import missing

import hlo2tiny
from hlo2tiny.plan.lowering import schedule_region
from hlo2tiny.targets.tinygrad import executor

RANDOM = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def parallel(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the kernels that are rendered."""
    if reason := missing("CL"):
        pytest.skip(f"no OpenCL (.ci/run installs pocl): {reason}")
    names: list[str] = []

    def schedule(*arguments: Any, **keywords: Any) -> Any:
        made = schedule_region(*arguments, **keywords)
        kernels = (call.src[0] for call in made.linear.src)
        names.extend(str(kernel.arg.name) for kernel in kernels if hasattr(kernel.arg, "name"))
        return made

    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    monkeypatch.setattr(executor, "schedule_region", schedule)
    yield names


def floats(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape).astype(np.float32)


def integers(low: int, high: int, *shape: int) -> np.ndarray:
    return RANDOM.integers(low, high, shape).astype(np.int32)


def with_ties(n: int) -> np.ndarray:
    """Floats with NaNs of both signs, both zeros, infinities and equal elements."""
    x = floats(n)
    x[: n // 3] = RANDOM.choice(np.array([np.nan, -np.nan, 0.0, -0.0, np.inf, -np.inf, 2.0], np.float32), n // 3)
    return RANDOM.permutation(x)


def folded(start: float, function: Callable[..., Any], window: int, low: int, high: int, x: Any) -> Any:
    sizes, padding = (1, window, 1), ((0, 0), (low, high), (0, 0))
    return jax.lax.reduce_window(x, np.float32(start), function, sizes, (1, 1, 1), padding)


SORTING = {
    "floats": (jnp.sort, with_ties(300)),
    "few": (jnp.argsort, with_ties(33)),
    "rows": (partial(jnp.sort, axis=0), floats(70, 3)),
    "descending": (partial(jnp.argsort, descending=True), integers(-9, 9, 100)),
    "unsigned": (jnp.sort, RANDOM.integers(0, 2**32, 100, dtype=np.uint32)),
    "pairs": (partial(jax.lax.sort, num_keys=1), (integers(0, 9, 100), floats(100))),
    "two keys": (partial(jax.lax.sort, num_keys=2), (integers(0, 5, 70), with_ties(70))),
    "short rows": (jnp.sort, integers(-9, 9, 300, 11)),
    "tiles": (jnp.argsort, with_ties(5000)),
    "rows of tiles": (jnp.argsort, integers(0, 50, 2, 2100)),
    "tiles of pairs": (partial(jax.lax.sort, num_keys=2), (integers(0, 5, 4100), with_ties(4100))),
    "half": (jnp.sort, floats(40).astype(np.float16)),
    "largest": (partial(jax.lax.top_k, k=5), floats(2, 400)),
    "largest of equal ones": (partial(jax.lax.top_k, k=6), integers(0, 5, 900)),
    "permutation": (lambda key: jax.random.permutation(key, 50), np.array([1, 2], np.uint32)),
}
FOLDING = {
    "sums": (partial(folded, 0, jax.lax.add, 100, 99, 0), floats(1, 100, 1)),
    "reversed": (partial(folded, 0, jax.lax.add, 70, 0, 69), floats(2, 70, 3)),
    "largest": (partial(folded, -np.inf, jax.lax.max, 1100, 1099, 0), with_ties(1100).reshape(1, 1100, 1)),
    "tiles": (partial(folded, 0, jax.lax.add, 5000, 4999, 0), floats(2, 5000, 2)),
    "reversed tiles": (partial(folded, 0, jax.lax.add, 3000, 0, 2999), floats(1, 3000, 1)),
    "exclusive": (partial(folded, 1, jax.lax.mul, 64, 64, -1), floats(1, 64, 2)),
}
SCATTERING = {
    "sums": (lambda x, i: jax.ops.segment_sum(x, i, num_segments=7), (floats(200), integers(-2, 9, 200))),
    "one segment": (lambda x, i: jax.ops.segment_sum(x, i, num_segments=3), (floats(100), np.full(100, 1, np.int32))),
    "rows": (lambda x, i: jax.ops.segment_sum(x, i, num_segments=7), (floats(40, 5), integers(0, 7, 40))),
    "tiles": (lambda x, i: jax.ops.segment_sum(x, i, num_segments=70), (floats(5000), integers(0, 70, 5000))),
    "largest": (lambda x, i: jax.ops.segment_max(x, i, num_segments=7), (floats(50), integers(0, 6, 50))),
    "the last one": (lambda x, i: jnp.zeros(9).at[i].set(x), (floats(100), integers(0, 9, 100))),
    "two indices": (
        lambda x, i, j: jnp.ones((9, 4, 3), x.dtype).at[i, :, j].add(x),
        (floats(50, 4), integers(0, 9, 50), integers(0, 3, 50)),
    ),
}


def expect_same(function: Callable[..., Any], given: Any, tolerance: float = 0.0) -> None:
    arguments = given if isinstance(given, tuple) else (given,)
    call = (lambda *x: function(x)) if isinstance(function, partial) and function.func is jax.lax.sort else function
    program = hlo2tiny.load(jax.export.export(jax.jit(call))(*arguments).mlir_module(), "CL")
    found, expected = program.numpy(*arguments), jax.tree.leaves(jax.jit(call)(*arguments))
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.asarray(a, np.float64), np.asarray(b, np.float64), tolerance, tolerance)


@pytest.mark.sampled(12, ci=4)
@pytest.mark.parametrize("name", SORTING)
def test_sorting(name: str, parallel: list[str]) -> None:
    expect_same(*SORTING[name])
    assert "sort_tiles" in parallel and "sort" not in parallel


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("name", FOLDING)
def test_cumulative_ops(name: str, parallel: list[str]) -> None:
    expect_same(*FOLDING[name], tolerance=1e-4)
    assert "scan_tiles" in parallel


@pytest.mark.parametrize("shape, axis", [((3000,), 0), ((2, 40, 3), 1)])
@pytest.mark.parametrize("reverse", [False, True])
def test_associative_scans(shape: tuple[int, ...], axis: int, reverse: bool, parallel: list[str]) -> None:
    """What JAX writes for a cumulative sum on a GPU, with an initial value for each sum."""
    whole, carry = (f"tensor<{'x'.join([*map(str, s), 'i32'])}>" for s in (shape, shape[:axis] + shape[axis + 1 :]))
    text = f"""func.func @main(%x: {whole}, %first: {carry}) -> ({whole}, {carry}) {{
  %0:2 = "chlo.scan"(%x, %first) <{{dimension = {axis} : i64, is_associative = true,
    is_reverse = {str(reverse).lower()}, operandSegmentSizes = array<i32: 1, 1>,
    resultSegmentSizes = array<i32: 1, 1>}}> ({{
  ^bb0(%a: {carry}, %b: {carry}):
    %1 = stablehlo.add %a, %b : {carry}
    stablehlo.return %1, %1 : {carry}, {carry}
  }}) : ({whole}, {carry}) -> ({whole}, {carry})
  return %0#0, %0#1 : {whole}, {carry}
}}"""
    x, first = integers(-9, 9, *shape), integers(-9, 9, *shape[:axis], *shape[axis + 1 :])
    sums, last = hlo2tiny.load(text, "CL").numpy(x, first)
    wanted = np.flip(np.cumsum(np.flip(x, axis), axis), axis) if reverse else np.cumsum(x, axis)
    np.testing.assert_array_equal(sums, wanted + np.expand_dims(first, axis))
    np.testing.assert_array_equal(last, x.sum(axis) + first)
    assert "scan_tiles" in parallel


def test_an_initial_value_counts_once() -> None:
    x = floats(2, 40, 1)
    function = jax.jit(partial(folded, 3, jax.lax.add, 40, 39, 0))
    (found,) = hlo2tiny.load(jax.export.export(function)(x).mlir_module(), "CL").numpy(x)
    np.testing.assert_allclose(found, 3 + np.cumsum(x, 1), 1e-5, 1e-5)


@pytest.mark.parametrize(
    "x",
    [with_ties(3000).reshape(3, 1000), integers(-5, 5, 4, 70), RANDOM.integers(0, 2**32, (2, 90), dtype=np.uint32)],
    ids=["floats", "integers", "without a sign"],
)
def test_the_largest_needs_no_sort(x: np.ndarray, parallel: list[str]) -> None:
    expect_same(partial(jax.lax.top_k, k=1), x)
    assert not any("sort" in name or "merge" in name for name in parallel)


@pytest.mark.sampled(4, ci=4)
@pytest.mark.parametrize("name", SCATTERING)
def test_scatters(name: str, parallel: list[str]) -> None:
    expect_same(*SCATTERING[name], tolerance=1e-4)
    assert ("write_last" if name == "the last one" else "fold_runs") in parallel


def test_a_comparator_that_gives_nan_no_place_is_left_to_one_thread(parallel: list[str]) -> None:
    x = with_ties(60)
    text = """func.func @main(%x: tensor<60xf32>) -> tensor<60xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.not %1 : tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<60xf32>) -> tensor<60xf32>
  return %0 : tensor<60xf32>
}"""
    found = hlo2tiny.load(text, "CL").numpy(x)[0]
    assert "sort" in parallel
    assert sorted(found.view(np.uint32)) == sorted(x.view(np.uint32))  # none is lost, none is there twice
