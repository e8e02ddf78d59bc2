"""Elementwise kernels of many elements: neighbouring threads write neighbours, and transposes are read in tiles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from test_shared_reductions import check, draw

from hlo2tiny.targets.cuda.elements import EACH, RESIDENT

DTYPES = [np.float32, ml_dtypes.bfloat16, np.float64, np.int8]
Function = Callable[..., jax.Array]
# Programs of one kernel, the shapes of their arguments, and whether a tile is read.
PROGRAMS: dict[str, tuple[Function, tuple[tuple[int, ...], ...], bool]] = {
    "in order": (lambda x, y: x + y, ((RESIDENT + 5,), (RESIDENT + 5,)), False),
    "a row and a column": (lambda x, y, z: x + y + z[:, None], ((517, 531), (531,), (517,)), False),
    "outer products": (lambda x, y: x[:, :, None] * y[:, None], ((9, 173), (9, 177)), False),
    "transposed": (lambda x: x.T + 1, ((517, 531),), True),
    "whole tiles": (lambda x: x.T + 1, ((512, 544),), True),
    "transposed items": (lambda x: x.transpose(0, 2, 1) + 1, ((5, 257, 211),), True),
    "short rows": (lambda x: x.T + 1, ((3, 90001),), True),
    "short columns": (lambda x: x.T + 1, ((90001, 3),), True),
    "reversed dimensions": (lambda x: x.transpose(3, 2, 1, 0) + 1, ((33, 4, 65, 37),), True),
    "heads": (lambda x: x.transpose(0, 2, 1, 3) + 1, ((2, 131, 5, 211),), False),
    "beside its transpose": (lambda x: x + x.T, ((521, 521),), True),
    "every second row of a transpose": (lambda x: x.T[::2] + 1, ((517, 1062),), True),
    "windows of a transpose": (
        lambda x: (x := x.T)[:-1, 1:] * x[1:, :-1] - x[:-1, :-1] * x[1:, 1:],
        ((517, 531),),
        True,
    ),
}


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sampled(15, ci=5)
def test_many_elements(name: str, dtype: type, tmp_path: Path) -> None:
    function, shapes, in_tiles = PROGRAMS[name]
    random = np.random.default_rng(0)
    (kernel,) = check(function, tmp_path, *(draw(random, shape, dtype) for shape in shapes))
    assert ("const int left" in kernel.body) is in_tiles
    assert ("row = top + i %" in kernel.body) is name.startswith(
        "windows"
    )  # where neighbouring threads read neighbours
    at_once = "write_vector" in kernel.body
    assert at_once or f"#pragma unroll {EACH}" in kernel.body
    assert at_once is (name == "in order") and kernel.block == (256, 1, 1)
    assert all("__restrict__" in parameter.type for parameter in kernel.parameters)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("parts", [2, 3, 4, 7])
@pytest.mark.parametrize("rows", [2048, 2053])
@pytest.mark.sampled(8, ci=2)
def test_a_thread_computes_what_needs_the_same_elements(rows: int, parts: int, dtype: type, tmp_path: Path) -> None:
    """As rotated halves do, which a program joins."""
    x, y = (draw(np.random.default_rng(3), (rows, parts, 131), dtype) for _ in range(2))

    def function(x: jax.Array, y: jax.Array) -> jax.Array:
        return jnp.concatenate([x[:, n] * y[:, -1] + x[:, -1 - n] for n in range(parts)], 1)

    (kernel,) = check(function, tmp_path, x, y)
    assert f"= i % {parts};" in kernel.body and np.prod(kernel.grid) == -(-rows * 131 // (256 * max(1, EACH // parts)))


def test_a_thread_computes_stacked_results_that_share_work(tmp_path: Path) -> None:
    """Indicators of a market, say: each of seven passes would read what only some of them need. A GPU has threads for
    each of fewer elements."""

    def indicators(x: jax.Array, y: jax.Array) -> jax.Array:
        z = jnp.maximum(x, y) - 1
        return jnp.stack([x + y, z, z * x, z - y, x * y, y - jnp.roll(z, 1, 1), z * z]).astype(jnp.float16)

    for rows, each in ((700, 7), (70, 4)):
        (folder := tmp_path / str(rows)).mkdir()
        x, y = (draw(np.random.default_rng(rows), (rows, 601), np.float32) for _ in range(2))
        (kernel,) = check(indicators, folder, x, y)
        assert f"i < {each};" in kernel.body


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x * y[0] + y[:, :1],
        lambda x, y: x[:, None, 8:-8] * x[:, None, 16:],
        lambda x, y: jnp.concatenate([x[:, ::-1] + 1, y + 1]),
        lambda x, y: jnp.concatenate([x * y - 1, x * y], 1).astype(np.float32),
        lambda x, y: jax.lax.dynamic_update_slice(x, y[16:, 32:], (8, y[0, 0].astype(int) + 7)),
    ],
    ids=["rows", "slices", "reversed", "parts", "updates"],
)
@pytest.mark.sampled(6, ci=2, first=1)
def test_adjacent_elements_are_read_and_written_at_once(function: Function, dtype: type, tmp_path: Path) -> None:
    """Where they are aligned; others are not."""
    check(function, tmp_path, *(draw(np.random.default_rng(4), (1100, 256), dtype) for _ in range(2)))


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.int8])
def test_vectors_of_narrow_elements(dtype: type, tmp_path: Path) -> None:
    """As many as have 16 bytes, if threads enough are left; the last thread has fewer."""
    for extra, count in ((1, 4), (4 * RESIDENT + 3, 16 // np.dtype(dtype).itemsize)):
        (folder := tmp_path / str(extra)).mkdir()
        x = draw(np.random.default_rng(5), (RESIDENT + extra,), dtype)
        (kernel,) = check(lambda x: x + x, folder, x)
        assert f"write_vector<{count}>" in kernel.body


@pytest.mark.parametrize("parts", [3, 5, 9])
def test_parts_of_adjacent_elements_are_written_at_once(parts: int, tmp_path: Path) -> None:
    """Of 5 narrow numbers, as many as three parts have room for, a thread had no words."""
    x, y = (draw(np.random.default_rng(parts), (1200, 320), ml_dtypes.bfloat16) for _ in range(2))
    (kernel,) = check(lambda x, y: jnp.stack([x * n - y for n in range(parts)], 1), tmp_path, x, y)
    assert parts > 8 or "write_vector<" in kernel.body


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.int8], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x.transpose(0, 2, 1) + 1,
        lambda x, y: x.transpose(0, 2, 1) * y[:, :, :1],
        lambda x, y: jnp.pad(x.transpose(0, 2, 1), ((0, 0), (4, 8), (0, 0)))[:, 4:-8] + y,
        lambda x, y: jnp.concatenate([x.transpose(0, 2, 1), y], 1),
        lambda x, y: [x.transpose(0, 2, 1), x.transpose(0, 2, 1) - y],
    ],
    ids=["one", "scaled", "beside rows", "joined", "two"],
)
@pytest.mark.parametrize("rows, columns", [(132, 340), (1092, 44)])
@pytest.mark.sampled(6, ci=2, first=1)
def test_squares_of_narrow_elements_are_transposed_in_words(
    function: Function, dtype: type, rows: int, columns: int, tmp_path: Path
) -> None:
    random = np.random.default_rng(rows)
    x, y = draw(random, (25, rows, columns), dtype), draw(random, (25, columns, rows), dtype)
    kernels = check(function, tmp_path, x, y)
    assert any("[i / 4]" in kernel.body for kernel in kernels)


def test_few_elements_have_a_thread_each(tmp_path: Path) -> None:
    (kernel,) = check(lambda x: x.T + 1, tmp_path, draw(np.random.default_rng(1), (70, 33), np.float32))
    assert "#pragma unroll" not in kernel.body and np.prod(kernel.grid) * kernel.block[0] >= 70 * 33


def test_an_argument_is_written_over_in_place(tmp_path: Path) -> None:
    """Each thread reads several elements before it writes one, of memory that is also the result's."""
    x = draw(np.random.default_rng(2), (RESIDENT + 77,), np.float32)
    check(lambda x: jax.lax.fori_loop(0, 3, lambda i, x: x * 2 + jnp.roll(x, 1), x), tmp_path, x)


@pytest.mark.parametrize("most", [1, 5])
def test_what_a_stencil_would_compute_many_times_is_stored(most: int, tmp_path: Path) -> None:
    x = draw(np.random.default_rng(4), (1024, 1024), np.float64)

    def function(x: jax.Array) -> jax.Array:
        y = jnp.floor(4 * jnp.tanh(x))  # whole numbers, whose sums are exact
        return sum((jnp.roll(y, by, 0) for by in range(1, most + 1)), start=y)

    assert len(check(function, tmp_path, x)) == (1 if most == 1 else 2)


def lift(x: jax.Array, axis: int) -> list[jax.Array]:
    """A step of a wavelet transform, of every second element and its neighbours, along one dimension."""
    x = jnp.moveaxis(x, axis, -1)
    e, o = x[..., ::2], x[..., 1::2]
    d = o - (e + jnp.concatenate([e[..., 1:], e[..., -1:]], -1)) // 2
    s = e + (jnp.concatenate([d[..., :1], d[..., :-1]], -1) + d + 2) // 4
    return [jnp.moveaxis(s, -1, axis), jnp.moveaxis(d, -1, axis)]


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("dtype", [np.int16, np.int8, np.int32], ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(3, ci=1)
def test_stencils_of_moved_dimensions_are_read_where_they_lie(axis: int, dtype: type, tmp_path: Path) -> None:
    """No copy comes first, and edges, which are joined with the rest, have no kernels of their own."""
    shape = [6, 170, 320]
    shape[axis] *= 2
    kernels = check(lambda x: lift(x, axis), tmp_path, draw(np.random.default_rng(6), shape, dtype))
    assert len(kernels) <= 2 and not any("const int left" in kernel.body for kernel in kernels)


NARROW: dict[str, tuple[Function, tuple[int, ...], str]] = {
    # What is padded, and the fewest elements that a thread writes at once.
    "along rows": (lambda x: jax.lax.pad(x, x[0, 0, 0], ((0, 0, 0), (2, 1, 0), (0, 0, 0))), (19, 61, 1024), "16>"),
    "beside rows": (lambda x: jax.lax.pad(x, x[0, 0, 0], ((0, 0, 0), (0, 0, 0), (32, 64, 0))), (19, 61, 1024), "16>"),
    "beside rows, not aligned": (
        lambda x: jax.lax.pad(x, x[0, 0, 0], ((0, 0, 0), (0, 0, 0), (1, 3, 0))),
        (19, 61, 1024),
        "4>",
    ),
    "even rows": (lambda x: jax.lax.pad(x, x[0, 0, 0], ((0, 0, 0), (1, 1, 0), (1, 1, 0))), (300, 56, 56), "2>"),
    "cut": (lambda x: jax.lax.pad(x, x[0, 0, 0], ((0, 0, 0), (-1, 3, 0), (-16, 32, 0))), (19, 61, 1024), "16>"),
    "shifted": (lambda x: jnp.pad(x, ((0, 0), (0, 0), (1, 1)))[:, :, 2:] + x, (19, 61, 1024), "4>"),
    "patches": (
        lambda x: jnp.concatenate([jnp.pad(x, ((0, 0), (1, 1), (0, 0)))[:, n : n + 61] for n in range(3)], 2),
        (19, 61, 1024),
        "4>",
    ),
}


@pytest.mark.parametrize("dtype", [np.int8, np.uint8])
@pytest.mark.parametrize("name", NARROW)
@pytest.mark.sampled(6, ci=2, first=1)
def test_padded_narrow_elements_are_written_in_words(name: str, dtype: type, tmp_path: Path) -> None:
    function, shape, count = NARROW[name]
    x = draw(np.random.default_rng(7), shape, dtype)
    kernels = check(function, tmp_path, x)
    assert f"write_vector<{count}" in kernels[-1].body
