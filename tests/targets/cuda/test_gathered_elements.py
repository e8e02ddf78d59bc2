"""The kernels that read a gather's elements in order compute where these lie, and no kernel stores them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from test_emulation import emulator
from test_shared_reductions import text_of

from hlo2tiny.plan.lowering import MOST_DEPTH

ROWS = 37


def found(call: Callable[..., object], folder: Path, *given: np.ndarray) -> tuple[list[str], list[np.ndarray]]:
    """The names of the kernels, and the results, which are compared with XLA's."""
    executable, run = emulator(text_of(call, *given), folder)
    results = run(list(given))
    for result, expected in zip(results, jax.tree.leaves(jax.jit(call)(*given)), strict=True):
        np.testing.assert_array_equal(result, np.asarray(expected))
    return [kernel.name for kernel in executable.kernels], results


@pytest.mark.parametrize("mode", ["fill", "clip", "wrap", None])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("width", [1, 4, 33])
@pytest.mark.sampled(6, ci=3)
def test_rows_are_taken_by_one_kernel(width: int, axis: int, mode: str | None, tmp_path: Path) -> None:
    random = np.random.default_rng(width)
    x = random.standard_normal((ROWS, width) if axis == 0 else (width, ROWS), np.float32)
    index = random.integers(-2 * ROWS, 2 * ROWS, (11, 13)).astype(np.int32)
    names, _ = found(lambda x, i: jnp.take(x, i, axis=axis, mode=mode), tmp_path, x, index)
    assert len(names) == 1 or mode == "wrap"


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.float16, ml_dtypes.bfloat16, np.complex64, bool])
@pytest.mark.parametrize("index", [np.int8, np.uint8, np.int32, np.uint32, np.int64])
@pytest.mark.sampled(6, ci=3)
def test_all_types(dtype: type, index: type, tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    x = random.integers(0, 2, (ROWS, 3)).astype(dtype)
    i = random.integers(0 if np.dtype(index).kind == "u" else -60, 60, 50).astype(index)
    with jax.enable_x64(True):
        names, _ = found(lambda x, i: jnp.take(x, i, axis=0, mode="fill", fill_value=1), tmp_path, x, i)
    assert len(names) == 1


def test_largest_indices_stay_out_of_bounds(tmp_path: Path) -> None:
    """Adding the number of rows wraps."""
    limits = np.iinfo(np.int32)
    index = np.array([limits.min, limits.min + ROWS, limits.max, limits.max - ROWS, -1, 0], np.int32)
    x = np.arange(ROWS, dtype=np.float32)
    assert len(found(lambda x, i: jnp.take(x, i + 5), tmp_path, x, index)[0]) == 1


def test_elements_are_computed_where_they_are_read(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    x, bias = random.standard_normal((ROWS, 5), np.float32), random.standard_normal(5, np.float32)
    index = random.integers(-ROWS, ROWS, 40).astype(np.int32)
    assert found(lambda x, b, i: jax.nn.relu(x[i] * 2 + b), tmp_path, x, bias, index)[0] == ["E_40_5"]


def corners(image: jax.Array, points: jax.Array) -> jax.Array:
    """Integers halfway between pixels, so that sums are exact."""
    low = jnp.floor(points).astype(int)
    y, x = low[..., 0], low[..., 1]
    at = lambda y, x: image[jnp.clip(y, 0, image.shape[0] - 1), jnp.clip(x, 0, image.shape[1] - 1)]
    return at(y, x) + 2 * at(y, x + 1) + 3 * at(y + 1, x) - at(y + 1, x + 1)


SAMPLES = {"pixels": lambda x, p: corners(x[:, :, 0], p), "features": corners}
PAIRS: dict[str, Callable[..., jax.Array]] = {
    "differences": lambda x, i, j: x[i] - x[j],
    "inner products": lambda x, i, j: (x[i, 0] * x[j, 1]).sum(-1),
    "columns": lambda x, i, j: x[:, i] * 2 + x[:, j],
    "searches": lambda x, i, j: jnp.where(x[i, 0, 0] < x[j, 1, 1], i, j),
    "scaled rows": lambda x, i, j: x[i, 0] * (x[j, 1, 1] * x[i, 1, 1])[:, None],
    "reshaped": lambda x, i, j: x[i].reshape(-1) + x[j].reshape(-1),
}


@pytest.mark.parametrize("name", [*SAMPLES, *PAIRS])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "complex64"])
@pytest.mark.sampled(7)
def test_elements_that_are_read_in_order_are_not_stored(dtype: str, name: str, tmp_path: Path) -> None:
    random = np.random.default_rng(6)
    x = random.integers(-3, 4, (7, 8, 12)).astype(dtype)
    points, places = random.uniform(-2, 9, (30, 2)).astype("f"), random.integers(-7, 7, (2, 30)).astype(np.int32)
    names, _ = found({**SAMPLES, **PAIRS}[name], tmp_path, x, *([points] if name in SAMPLES else places))
    assert "gather" not in "+".join(names)


@pytest.mark.parametrize(
    ("call", "count"),
    [
        (lambda x, i: jnp.abs(x[i][:, None] - x[i]).sum(1), 2),  # for each pair
        (lambda x, i: x[i][:, None] * 2 - x[i], 2),  # for each row
        (lambda x, i: (x[i] + 1, x[i].sum(), x[i].max()), 4),  # in more kernels than two
        (lambda x, i: x[i].reshape(5, 6).T + 1, 2),  # in another order
    ],
)
def test_elements_that_are_read_otherwise_are_stored(call: Callable[..., object], count: int, tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    x, i = random.integers(-9, 9, 50).astype("f"), random.integers(-50, 50, 30).astype(np.int32)
    names, _ = found(call, tmp_path, x, i)
    parts = [part for name in names for part in name.split("+")]
    assert len(parts) == count and "gather" in parts


def descend(x: jax.Array, chosen: jax.Array, limits: jax.Array, leaves: jax.Array) -> jax.Array:
    """The leaf of a decision tree for each row."""
    node = jnp.zeros(x.shape[0], jnp.int32)
    for _ in range(chosen.shape[0].bit_length()):
        seen = jnp.take_along_axis(x, chosen[node][:, None], 1)[:, 0]
        node = 2 * node + 1 + (seen > limits[node])
    return leaves[node - chosen.shape[0]]


TREES: dict[str, tuple[Callable[..., jax.Array], set[str]]] = {
    "one": (lambda x, *trees: descend(x, *(each[0] for each in trees)), {"E_50"}),
    "at once": (lambda x, *trees: jax.vmap(lambda *tree: descend(x, *tree))(*trees), {"E_3_50"}),
    "one after the other": (
        lambda x, *trees: jax.lax.map(lambda tree: descend(x, *tree), trees),
        {"E", "E_150", "E_50", "dynamic_update_slice"},
    ),
    "summed": (lambda x, *trees: descend(x, *(each[0] for each in trees)).sum(), {"r_50"}),
}


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("depth", [1, 4, 7])
@pytest.mark.sampled(3, first=1)
def test_levels_of_decision_trees_are_one_kernel(depth: int, name: str, tmp_path: Path) -> None:
    """Nothing but the leaves is stored, and slices of scanned trees are read where they lie."""
    random = np.random.default_rng(9)
    inner, (call, kernels) = 2**depth - 1, TREES[name]
    x, limits = random.standard_normal((50, 6), np.float32), random.standard_normal((3, inner), np.float32)
    chosen, leaves = random.integers(0, 6, (3, inner)).astype(np.int32), random.integers(0, 9, (3, inner + 1))
    names, _ = found(call, tmp_path, x, chosen, limits, leaves.astype("f"))
    assert {part for name in names for part in name.split("+")} == kernels


@pytest.mark.parametrize("count", [1, 2, MOST_DEPTH, 2 * MOST_DEPTH + 3])
@pytest.mark.parametrize("shape", [(1,), (20,), (4, 3, 5)])
@pytest.mark.sampled(4, first=3)
def test_gathers_at_places_that_gathers_have_found_are_one_kernel(
    shape: tuple[int, ...], count: int, tmp_path: Path
) -> None:
    """Of so many at most, for which kernels are compiled in little time. (XLA's takes exponentially long.)"""

    def call(following: jax.Array, at: jax.Array) -> tuple[jax.Array, jax.Array]:
        for _ in range(count):
            at = following[at]
        return at, at + 1

    random = np.random.default_rng(10)
    following, at = (random.integers(0, 50, size).astype(np.int32) for size in (50, shape))
    executable, run = emulator(text_of(call, following, at), tmp_path)
    results = run([following, at])
    for _ in range(count):
        at = following[at]
    np.testing.assert_array_equal(results, (at, at + 1))
    assert len(executable.kernels) <= 2 + 2 * (count // MOST_DEPTH)


def test_chains_that_many_kernels_read_are_stored(tmp_path: Path) -> None:
    def call(following: jax.Array, at: jax.Array) -> tuple[jax.Array, ...]:
        at = following[following[at]]
        return at + 1, at.sum(), at.max(), at[::-1] * 2

    random = np.random.default_rng(11)
    following, at = (random.integers(0, 50, size).astype(np.int32) for size in (50, 20))
    names, _ = found(call, tmp_path, following, at)
    assert "E_20" in "+".join(names) or "gather" in "+".join(names)


def test_costly_places_of_rows_are_computed_once(tmp_path: Path) -> None:
    def call(x: jax.Array, p: jax.Array) -> jax.Array:
        for _ in range(4):
            p = jnp.sin(jnp.exp(p) * 3)
        return x[(p * 100).astype(jnp.int32)] * 2

    random = np.random.default_rng(8)
    x, p = random.standard_normal((50, 16), np.float32), np.zeros(30, np.float32)
    assert len(found(call, tmp_path, x, p)[0]) == 2


def test_a_thread_reads_several_elements_of_rows_at_once(tmp_path: Path) -> None:
    x, i = np.zeros((3000, 4096), np.float32), np.zeros(2048, np.int32)
    for call in (lambda x, i: x[i] * 2, lambda x, i: (x[i] * x[i + 1]).sum(-1)):
        (kernel,) = emulator(text_of(call, x, i), tmp_path)[0].kernels
        assert "read_vector<4>" in kernel.body or "read_from<" in kernel.body


def test_floats_are_not_computed_with_in_places(tmp_path: Path) -> None:
    """As below, where another op reads the elements."""
    x, index = np.arange(ROWS, dtype=np.float32), np.array([2.0**30, 3.0, 5.5, -1.0], np.float32)
    call = lambda x, i: x[((i + 2.0**30) - 2.0**30).astype(jnp.int32)] * 2
    _, run = emulator(text_of(call, x, index), tmp_path)
    rounded = ((index + np.float32(2**30)) - np.float32(2**30)).astype(np.int32)
    np.testing.assert_array_equal(run([x, index])[0], 2 * x[rounded.clip(0, ROWS - 1)])


def test_floats_are_not_computed_with_what_indices_become(tmp_path: Path) -> None:
    """tinygrad would fold such arithmetic as that of real numbers, as some releases of XLA do."""
    x, index = np.arange(ROWS, dtype=np.float32), np.array([2.0**30, 3.0, 5.5, -1.0], np.float32)
    call = lambda x, i: x[((i + 2.0**30) - 2.0**30).astype(jnp.int32)]
    executable, run = emulator(text_of(call, x, index), tmp_path)
    rounded = ((index + np.float32(2**30)) - np.float32(2**30)).astype(np.int32)
    np.testing.assert_array_equal(run([x, index])[0], x[rounded.clip(0, ROWS - 1)])
    assert len(executable.kernels) == 2


def test_what_is_updated_in_place_is_not_computed_meanwhile(tmp_path: Path) -> None:
    """Each iteration's indices are made of the numbers that it changes."""

    def call(x: jax.Array) -> jax.Array:
        step = lambda _, x: x.at[(x * 7 + 3) % 40].add(1)
        return jax.lax.fori_loop(0, 5, step, x)

    found(call, tmp_path, np.random.default_rng(5).permutation(40).astype(np.int32))
