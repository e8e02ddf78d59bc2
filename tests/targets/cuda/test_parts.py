"""Kernels compute of each element of a concatenation only the part that it is in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_emulation import emulator
from test_executable import plan_of
from test_gathered_elements import found
from test_shared_reductions import text_of

from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.native import executable_of


def costly(x: jax.Array) -> jax.Array:
    """Some operations with several elements. Nothing is rounded, so that XLA has the same bits."""
    x = x + jnp.flip(x, 0) * 2 - jnp.flip(x, -1)
    for number in range(1, 12):
        x = jnp.where(x < 0, jnp.abs(x) - number, x * 0.5)
    return x


def numbers(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return np.random.default_rng(sum(shape)).integers(-64, 64, shape).astype(dtype)


PROGRAMS: dict[str, Callable[..., jax.Array]] = {
    "stack": lambda x, y: jnp.stack([costly(x), costly(y), costly(x - y), y]),
    "parts of any size": lambda x, y: jnp.concatenate([costly(x), costly(y)[:1], x, costly(x)[2:5], costly(-y)]),
    "along rows": lambda x, y: jnp.concatenate([costly(x), y, costly(y)[:, 5:70]], 1),
    "rolls": lambda x, y: jnp.roll(costly(x), (3, -1), (0, 1)) + jnp.roll(costly(y), 1, 0),
    "rolls in a stack": lambda x, y: jnp.stack([jnp.roll(costly(x * i), (i, -i), (0, 1)) for i in (-1, 0, 1)]) + y,
    "much padding": lambda x, y: jnp.pad(costly(x), ((300, 0), (0, 0))),
    "little padding": lambda x, y: jnp.pad(costly(x), ((1, 2), (3, 0)), constant_values=7) * 2,
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.float16, np.int8])
def test_results(name: str, dtype: type, tmp_path: Path) -> None:
    names, _ = found(PROGRAMS[name], tmp_path, numbers(24, 96, dtype=dtype), numbers(24, 96, dtype=dtype))
    assert len(names) == 1 or dtype is np.float16  # whose roundings are many operations, some of which are stored


def test_branches_compute_the_parts(tmp_path: Path) -> None:
    """Those of half of the elements hold most statements."""
    x = numbers(200, 128)
    for name in ("stack", "parts of any size", "along rows", "rolls", "rolls in a stack", "much padding"):
        (kernel,) = emulator(text_of(PROGRAMS[name], x, x), tmp_path)[0].kernels
        assert kernel.body.count("else {") >= 1, name


@pytest.mark.parametrize("name", ["cheap", "few reads", "neighbours", "numbers"])
def test_selections_stay_where_branches_would_save_nothing(name: str, tmp_path: Path) -> None:
    """Where parts are cheap, or neighbouring threads would have to take several branches one after the other."""
    call = {
        "cheap": lambda x, y: jnp.concatenate([x * 2, y + 1]),
        "few reads": lambda x, y: jnp.concatenate([jnp.sin(x), jnp.exp(y)]),
        "neighbours": lambda x, y: jnp.stack([costly(x), costly(y)], -1),
        "numbers": lambda x, y: jnp.where(x < y, costly(x), costly(y)),
    }[name]
    (kernel,) = emulator(text_of(call, numbers(64, 128), numbers(64, 128)), tmp_path)[0].kernels
    assert "else {" not in kernel.body


@given(st.data())
@settings(max_examples=8, deadline=None)
def test_any_parts(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    shape = data.draw(st.lists(st.integers(1, 80), min_size=1, max_size=3))
    axis = data.draw(st.integers(0, len(shape) - 1))
    sizes = data.draw(st.lists(st.integers(1, 70), min_size=1, max_size=7))
    parts = [numbers(*(size if d == axis else n for d, n in enumerate(shape))) for size in sizes]
    for part in parts:
        part.flat[0] = -0.0
    shift = data.draw(st.integers(-9, 9))
    costs = data.draw(st.lists(st.booleans(), min_size=len(sizes), max_size=len(sizes)))

    def call(*parts: jax.Array) -> jax.Array:
        computed = [costly(x) if costs else x for x, costs in zip(parts, costs)]
        return jnp.roll(jnp.concatenate(computed, axis), shift, axis)

    _, (result,) = found(call, tmp_path_factory.mktemp("parts"), *parts)
    np.testing.assert_array_equal(np.signbit(result), np.signbit(np.asarray(jax.jit(call)(*parts))))


def test_a_fluid_takes_one_kernel_for_its_new_state() -> None:
    """Nine rolled arrays, each of which is computed from several, were six kernels and one that computed all nine."""

    def step(f: jax.Array, rho: jax.Array, u: jax.Array) -> jax.Array:
        f = f - 0.6 * (f - rho * (1 + 3 * u + 4.5 * u**2 - 1.5 * rho**2))
        return jnp.stack([jnp.roll(f[i], (i % 3 - 1, i // 3 - 1), (0, 1)) for i in range(9)])

    shapes = [(9, 512, 512), (512, 512), (9, 512, 512)]
    text = text_of(step, *(np.zeros(shape, np.float32) for shape in shapes))
    executable = executable_of(plan_of(text), "CUDA", "sm_90", frozenset(), lambda name, text: None)
    (kernel,) = executable.kernels
    assert kernel.body.count("else {") >= 8 + 8 * 2
    assert all(compile_all([text for text, _ in files([kernel])], "sm_90"))


def test_what_is_read_across_parts_is_stored() -> None:
    """Threads beside each other have the numbers of one place in all parts, as those of a median over neighbours: each
    would compute what the parts are slices of, in all of them."""

    def median(x: jax.Array) -> jax.Array:
        y = jnp.pad(x, 1, mode="edge")
        return jnp.median(jnp.stack([y[i : i + 600, j : j + 600] for i in range(3) for j in range(3)]), 0)

    text = text_of(median, np.zeros((600, 600), np.float32))
    executable = executable_of(plan_of(text), "CUDA", "sm_90", frozenset(), lambda name, text: None)
    assert any(kernel.name.endswith("E_602_602") for kernel in executable.kernels)
