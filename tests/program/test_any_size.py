"""Programs of open dimensions in Python: two sets of shapes get code of their own, then one code serves all."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import Array
from targets.c.test_open_sizes import BATCHES, begin, convolutional, decode, decoder_weights, grow, shaped
from targets.c.test_sizes import exported, floats, mlp

import hlo2tiny
from hlo2tiny.errors import InputError, NoNativeCode
from hlo2tiny.ir.sizes import Size, open_dimension, size_as_json, size_from_json, sizes_for
from hlo2tiny.program import Program, specialisations
from hlo2tiny.targets import NotBuilt
from hlo2tiny.targets.c import native


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each compilation, whether sizes were open."""
    found, compile = list[bool](), native.compile_plan

    def count(plan: Any, *rest: Any, **named: Any) -> Any:
        found.append(plan.is_open)
        return compile(plan, *rest, **named)

    monkeypatch.setattr(native, "compile_plan", count)
    return found


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "store"))


def expect_open(program: Program) -> None:
    """Expect that one code serves all sizes from now on."""
    found = program._specialisations._open
    assert found and not callable(found.executor)


def single(path: Path) -> Program:
    """The program with code for known sizes only: for all those of this test."""
    program = hlo2tiny.load(path, device="CPU")
    program._specialisations._open = False
    return program


def expect_same(program: Program, other: Program, *arrays: np.ndarray) -> None:
    found, expected = program.numpy(*arrays), other.numpy(*arrays)
    for f, e in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(f, e, rtol=1e-5, atol=1e-5)


def growing(folder: Path) -> Path:
    cache = shaped("2, 1, s, 4, 16", jax.export.SymbolicScope())
    return exported(folder, grow, decoder_weights(), floats(1, 1, 64), cache, cache, weights="external")


@pytest.mark.ci
def test_a_decoder_that_meets_many_lengths_compiles_three_times(tmp_path: Path, compilations: list[bool]) -> None:
    path = growing(tmp_path)
    program = hlo2tiny.load(path, device="CPU")
    keys = values = floats(2, 1, 1, 4, 16)
    for _ in range(60):
        x = floats(1, 1, 64)
        _, keys, values = program.numpy(x, keys, values)
    assert keys.shape == (2, 1, 61, 4, 16) and compilations == [False, False, True]
    expect_open(program)
    again = hlo2tiny.load(path, device="CPU")  # as in another process: the code for all sizes is in the store
    x = floats(1, 1, 64)
    expect_same(again, single(path), x, keys[:, :, :50], values[:, :, :50])
    assert compilations == [False, False, True, False]  # the last one is what it is compared with


@pytest.fixture(scope="module")
def decoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    scope = jax.export.SymbolicScope(["t <= s"])
    cache, place = shaped("2, b, s, 4, 16", scope), jax.ShapeDtypeStruct((), jnp.int32)
    x = shaped("b, t, 64", scope)
    return exported(
        tmp_path_factory.mktemp("decoder"), decode, decoder_weights(), x, place, cache, cache, weights="external"
    )


def decoder_call(b: int, t: int, s: int) -> list[np.ndarray]:
    caches = floats(2, b, s, 4, 16), floats(2, b, s, 4, 16)
    return [floats(b, t, 64), np.array((s - t) // 2, np.int32), *caches]


@pytest.fixture
def from_the_first_call(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(specialisations, "FIRST", 0)
    yield


def test_a_decoder_of_any_batch_tokens_and_cache(decoder: Path, from_the_first_call: None) -> None:
    program, other = hlo2tiny.load(decoder, device="CPU"), single(decoder)

    @settings(max_examples=4, deadline=None, derandomize=True)
    @given(st.sampled_from(BATCHES[:3]), st.integers(1, 40), st.integers(0, 260))
    def check(b: int, t: int, more: int) -> None:
        expect_same(program, other, *decoder_call(b, t, t + more))

    check()
    expect_open(program)
    with pytest.raises(InputError, match="the arguments' shapes do not match the export: "):
        program.numpy(*decoder_call(1, 1, 1)[:2], *[floats(2, 1, 0, 4, 16)] * 2)


def test_a_batch_of_images(tmp_path: Path, from_the_first_call: None) -> None:
    weights = [floats(3, 3, 3, 16) / 5, floats(3, 3, 16, 32) / 12, floats(1, 1, 32, 64) / 6, floats(64, 10) / 8]
    path = exported(tmp_path, convolutional, weights, "b, 16, 16, 3")
    program, other = hlo2tiny.load(path, device="CPU"), single(path)
    for b in BATCHES[:3]:
        expect_same(program, other, floats(b, 16, 16, 3))
    expect_open(program)


def test_other_ways_to_call(tmp_path: Path, compilations: list[bool]) -> None:
    path = mlp(tmp_path)
    program, other = hlo2tiny.load(path, device="CPU"), single(path)
    x = {b: floats(b, 784) for b in range(1, 30)}
    expected = {b: other.numpy(x[b]) for b in (1, 7, 20, 29)}
    compilations.clear()
    program.numpy(x[3]), program.numpy(x[4])
    with ThreadPoolExecutor(8) as threads:  # of which one compiles
        found = list(threads.map(lambda b: program.numpy(x[b]), [*expected] * 4))
    assert compilations == [False, False, True]
    for b, result in zip([*expected] * 4, found):
        np.testing.assert_allclose(result, expected[b], rtol=1e-5, atol=1e-5)
    for b in expected:
        np.testing.assert_allclose(program(x[b]).numpy(), expected[b], rtol=1e-5, atol=1e-5)
        out = np.empty((b, 10), np.float32)
        assert program.numpy(x[b], out=out) is out
        np.testing.assert_allclose(out, expected[b], rtol=1e-5, atol=1e-5)
    expect_open(program)
    program.numpy(x[29])
    assert not program.plan.is_open, "the plan of the last call is that of its shapes"


def test_a_donated_cache(tmp_path: Path, from_the_first_call: None) -> None:
    def step(cache: Array, x: Array, at: Array) -> tuple[Array, Array]:
        cache = jax.lax.dynamic_update_slice_in_dim(cache, x, at, 0)
        return cache, cache.sum(0)

    place = jax.ShapeDtypeStruct((), jnp.int32)
    path = exported(tmp_path, step, shaped("s, 8", jax.export.SymbolicScope()), floats(1, 8), place)
    program = hlo2tiny.load(path, device="CPU", donate=0)
    for s in (1, 7, 300):
        cache, x = floats(s, 8), floats(1, 8)
        expected = cache.copy()
        expected[s // 2] = x[0]
        updated, total = program.numpy(cache, x, np.array(s // 2, np.int32))
        assert np.shares_memory(updated, cache)
        np.testing.assert_array_equal(cache, expected)
        np.testing.assert_allclose(total, expected.sum(0), rtol=1e-5, atol=1e-5)
    expect_open(program)


def test_what_needs_known_sizes_is_compiled_for_each(tmp_path: Path, compilations: list[bool]) -> None:
    path = exported(tmp_path, lambda x: jnp.linalg.cholesky(x @ x.T + jnp.eye(x.shape[0])), "b, 8")
    program = hlo2tiny.load(path, device="CPU")
    for b in (1, 2, 3, 4):
        x = floats(b, 8)
        expected = np.linalg.cholesky(x @ x.T + np.eye(b))
        np.testing.assert_allclose(program.numpy(x), expected, rtol=1e-4, atol=1e-4)
    assert compilations == [False] * 4


def test_code_that_cannot_be_built_for_all_is_built_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compilations: list[bool]
) -> None:
    compile = native.compile_plan

    def refuse(plan: Any, *rest: Any, **named: Any) -> Any:
        if plan.is_open:
            raise NotBuilt("not today")
        return compile(plan, *rest, **named)

    monkeypatch.setattr(native, "compile_plan", refuse)
    path = exported(tmp_path, lambda x: jnp.tanh(x).sum(0), "b, 8")
    program = hlo2tiny.load(path, device="CPU")
    for b in (1, 2, 3, 4):
        x = floats(b, 8)
        np.testing.assert_allclose(program.numpy(x), np.tanh(x).sum(0), rtol=1e-5, atol=1e-5)
    assert compilations == [False] * 4


def test_a_bug_in_code_for_all_sizes_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compile = native.compile_plan

    def fail(plan: Any, *rest: Any, **named: Any) -> Any:
        assert not plan.is_open
        return compile(plan, *rest, **named)

    monkeypatch.setattr(native, "compile_plan", fail)
    program = hlo2tiny.load(exported(tmp_path, jnp.tanh, "b, 8"), device="CPU")
    for b in (1, 2):
        program.numpy(floats(b, 8))
    with pytest.warns(NoNativeCode, match=r"^a bug in hlo2tiny: no code for all sizes .*AssertionError"):
        x = floats(3, 8)
        np.testing.assert_allclose(program.numpy(x), np.tanh(x), rtol=1e-5)


def test_rows_that_do_not_depend_on_others_keep_code_of_their_own(tmp_path: Path, compilations: list[bool]) -> None:
    path = exported(tmp_path, lambda x: jnp.tanh(x) + 1, "b, 8")
    program = hlo2tiny.load(path, device="CPU", batch_invariant=True)
    for b in (1, 2, 3):
        program.numpy(floats(b, 8))
    assert compilations == [False] * 3


@given(st.lists(st.integers(1, 99), min_size=2, max_size=2), st.integers(1, 9), st.integers(0, 9), st.integers(2, 5))
def test_sizes_are_found_from_shapes(sizes: list[int], factor: int, offset: int, divisor: int) -> None:
    b, t = (open_dimension(i, 99) for i in range(2))
    shape = (factor * b + offset, b * t, (b + t) // divisor, 7)
    shape = tuple(map(size_from_json, map(size_as_json, shape)))
    values = [size.value(sizes) if isinstance(size, Size) else size for size in shape]
    assert sizes_for([*zip(shape, values)], 2) == sizes
    assert sizes_for([*zip(shape, [*values[:-1], 8])], 2) is None
    assert sizes_for([(shape[0], values[0])], 2) is None


@pytest.mark.night
@pytest.mark.parametrize("b", BATCHES[:3])
def test_every_length(b: int, tmp_path: Path, from_the_first_call: None) -> None:
    path = exported(tmp_path, begin, decoder_weights(), "b, t, 64", weights="external")
    program, other = hlo2tiny.load(path, device="CPU"), single(path)
    for t in range(1, 301, 1 if b == 1 else 23):
        expect_same(program, other, floats(b, t, 64))
    expect_open(program)


KERNEL, TAPS, ALONE = floats(3, 3, 3, 8), floats(3, 4, 8), floats(3, 1, 4)
IMAGES, SERIES = ("NHWC", "HWIO", "NHWC"), ("NWC", "WIO", "NWC")


def convolve(x: Array, strides: int, padding: str, dilation: int = 1) -> Array:
    steps, dilations = (strides, strides), (dilation, dilation)
    return jax.lax.conv_general_dilated(
        x, KERNEL, steps, padding, rhs_dilation=dilations, dimension_numbers=IMAGES
    )  # fmt: skip


def pool(x: Array, window: int, strides: int) -> Array:
    return jax.lax.reduce_window(
        x, -jnp.inf, jax.lax.max, (1, window, window, 1), (1, strides, strides, 1), "VALID"
    )  # fmt: skip


def series(x: Array, kernel: np.ndarray, padding: object, groups: int) -> Array:
    return jax.lax.conv_general_dilated(
        x, kernel, (1,), padding, dimension_numbers=SERIES, feature_group_count=groups
    )  # fmt: skip


# Functions of open dimensions, their shapes, sizes that have code of their own, and sizes that the code for all serves.
FUNCTIONS: dict[str, tuple[Any, str, list[tuple[int, ...]], list[tuple[int, ...]]]] = {
    "VALID": (lambda x: convolve(x, 1, "VALID"), "b, h, w, 3", [(1, 2, 9, 3)], [(1, 3, 3, 3), (2, 9, 33, 3)]),
    "strided": (lambda x: convolve(x, 2, "VALID"), "b, h, w, 3", [], [(1, 3, 4, 3), (2, 33, 8, 3)]),
    "dilated": (lambda x: convolve(x, 1, "VALID", 2), "1, h, w, 3", [(1, 4, 9, 3)], [(1, 5, 6, 3), (1, 40, 9, 3)]),
    "SAME": (lambda x: convolve(x, 1, "SAME").mean((1, 2)), "b, h, w, 3", [], [(1, 1, 1, 3), (2, 9, 31, 3)]),
    "series": (lambda x: series(x, TAPS, "VALID", 1), "b, t, 4", [(1, 2, 4)], [(1, 3, 4), (2, 300, 4)]),
    "causal": (lambda x: series(x, ALONE, [(2, 0)], 4), "b, t, 4", [], [(1, 1, 4), (3, 300, 4)]),
    "pool": (lambda x: pool(x, 3, 1) + 1, "1, h, w, 3", [(1, 2, 9, 3)], [(1, 3, 3, 3), (1, 9, 33, 3)]),
    "halved": (lambda x: pool(x, 2, 2) + 1, "1, h, w, 3", [], [(1, 2, 3, 3), (1, 9, 64, 3)]),
    "roll": (lambda x: jnp.roll(x, 1, 0), "b, 4", [(1, 4)], [(2, 4), (64, 4)]),
    "rolls": (lambda x: jnp.roll(x, (-2, 1), (0, 1)), "b, t", [(1, 4)], [(3, 2), (64, 9)]),
    "edges": (lambda x: jnp.pad(x, ((1, 2), (0, 0)), mode="edge"), "b, 4", [], [(1, 4), (64, 4)]),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_open_dimensions(
    name: str, tmp_path: Path, from_the_first_call: None, compilations: list[bool]
) -> None:
    function, shape, small, sizes = FUNCTIONS[name]
    program = hlo2tiny.load(exported(tmp_path, function, shape), device="CPU")
    for each in (*sizes, *small):
        x = floats(*each)
        np.testing.assert_allclose(program.numpy(x), jax.jit(function)(x), rtol=1e-4, atol=1e-4)
    expect_open(program)
    assert sorted(compilations) == [False] * len(small) + [True]
