"""Long rows are sorted by digits, and whatever the ranks and the rows are, as XLA sorts them."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax
from test_emulation import emulator
from test_shared_reductions import text_of

from hlo2tiny.rules import digits
from hlo2tiny.rules.comparator import Ranks
from hlo2tiny.tinygrad.expressions import Tensor, dtypes

DTYPES = [
    np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.int32, np.int64, np.uint32, np.uint64, np.int8, np.uint8,
    np.int16,
]  # fmt: skip


def numbers(random: np.random.Generator, shape: tuple[int, ...], dtype: type) -> np.ndarray:
    """Numbers of all bits, some of them equal, and among floats zeros of both signs, infinities and NaN."""
    bits = np.dtype(f"u{np.dtype(dtype).itemsize}")
    x = random.integers(0, np.iinfo(bits).max, shape, bits, endpoint=True).view(dtype)
    flat = x.reshape(-1)
    flat[::7] = flat[:1]
    if np.dtype(dtype).kind in "fV":
        wide = x.astype(np.float64)  # XLA flushes the smallest ones on the CPU
        x = np.where(np.abs(wide) < ml_dtypes.finfo(dtype).tiny, 1, np.where(np.isnan(wide), np.nan, x)).astype(dtype)
        x.reshape(-1)[:4] = np.array([-0.0, 0.0, -np.inf, np.nan]).astype(dtype)
    return x


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of more than one tile are sorted by digits, whatever takes less time."""
    monkeypatch.setattr(digits, "MERGED", 1)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(12, ci=4)
def test_numbers_of_every_type_are_sorted_by_digits(dtype: type, always: None, tmp_path: Path) -> None:
    x = numbers(np.random.default_rng(0), (2, 4200) if np.dtype(dtype).itemsize == 1 else (4200,), dtype)

    def call(x: jax.Array) -> tuple[jax.Array, ...]:
        return jnp.sort(x), jnp.argsort(x, descending=True)

    with jax.enable_x64(True):
        expected = jax.jit(call)(x)
    executable, run = emulator(text_of(call, x), tmp_path)
    assert any(kernel.name == "sort_digits" for kernel in executable.kernels)
    for found, wanted in zip(run([x]), expected, strict=True):
        wide = np.float64 if np.dtype(dtype).kind == "V" else found.dtype
        np.testing.assert_array_equal(found.astype(wide), np.asarray(wanted).astype(wide))


@pytest.mark.ci
def test_several_keys_and_values_are_sorted_by_digits(always: None, tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    first, second = random.integers(0, 9, 4200).astype(np.int32), numbers(random, (4200,), np.float32)
    value = np.arange(4200, dtype=np.uint16)
    call = lambda *x: lax.sort(x, num_keys=2)
    with jax.enable_x64(True):
        expected = jax.jit(call)(first, second, value)
    executable, run = emulator(text_of(call, first, second, value), tmp_path)
    assert (
        sum(k.name == "sort_digits" for k in executable.kernels) == 5
    )  # those of three digits are the same for both keys
    for found, wanted in zip(run([first, second, value]), expected, strict=True):
        np.testing.assert_array_equal(found, np.asarray(wanted))


def test_digits_are_used_where_they_take_less_time() -> None:
    def functions(n: int, *bits: int) -> str | None:
        ranks = [Ranks(Tensor.empty(1, n, dtype=dtypes.int32), each) for each in bits]
        lowering = digits.Lowering(parallel=True, function=lambda name, dtype, alone: name)
        return digits.functions_of_digits(ranks, lowering)

    assert functions(1 << 19, 32) and functions(1 << 17, 32, 32) and functions(1 << 15, 16) and functions(10**7, 11)
    assert not functions(4096, 8) and not functions(1 << 18, 32) and not functions(1 << 31, 8)


@pytest.mark.parametrize(
    "shape", [(1, 5), (3, 16), (7, 17), (70, 33), (300, 6), (2, 2048), (1, 2049), (3, 5000), (1, 20_001), (2, 4096)]
)
@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.uint8], ids=lambda t: np.dtype(t).name)
@pytest.mark.sampled(8, ci=4)
def test_rows_are_sorted_by_merges(
    shape: tuple[int, ...], dtype: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal numbers stay in their order."""
    monkeypatch.setattr(digits, "functions_of_digits", lambda *_: None)
    for module in ("sort", "scatters"):
        monkeypatch.setattr(f"hlo2tiny.rules.{module}.functions_of_digits", lambda *_: None)
    x = np.random.default_rng(3).integers(0, 200, shape).astype(dtype)
    call = lambda x: (jnp.sort(x), jnp.argsort(x, descending=True))
    executable, run = emulator(text_of(call, x), tmp_path)
    names = "+".join(kernel.name for kernel in executable.kernels)
    assert "sort_rows" in names and ("merge_rows" in names) == (shape[1] > digits.MERGED)
    with jax.enable_x64(True):
        expected = jax.jit(call)(x)
    for found, wanted in zip(run([x]), expected, strict=True):
        np.testing.assert_array_equal(found, np.asarray(wanted))


@pytest.mark.parametrize(
    "shape, k",
    [((3, 5), 3), ((70, 33), 5), ((2, 2048), 64), ((1, 2049), 64), ((3, 300), 2), ((2, 40_000), 3), ((5, 131), 2),
     ((1, 70_000), 40), ((2, 5000), 65)],
)  # fmt: skip
@pytest.mark.parametrize(
    "dtype", [np.float32, np.int32, np.uint32, np.int8, ml_dtypes.bfloat16], ids=lambda t: t.__name__
)
@pytest.mark.sampled(6, ci=2)
def test_few_of_many_are_selected(shape: tuple[int, int], k: int, dtype: type, tmp_path: Path) -> None:
    """Of equal numbers, the first come first, and NaN is the largest."""
    random = np.random.default_rng(5)
    x = numbers(random, shape, dtype)
    if dtype is np.int32:
        x = random.integers(0, 3, shape, np.int32)
        x[:, 1::2] = np.iinfo(np.int32).min
    executable, run = emulator(text_of(lambda x: lax.top_k(x, k), x), tmp_path)
    names = [kernel.name for kernel in executable.kernels]
    is_few = shape[1] <= min(2 * digits.BLOCK * k, digits.MERGED)  # one block sorts such a row
    assert ("smallest" in names) == (k <= digits.MOST_SMALLEST and not is_few)
    assert is_few or k > digits.MOST_SMALLEST or "sort_rows" not in names
    values, order = run([x])
    is_float = np.dtype(dtype).kind in "fV"
    keys = (x.view(f"i{x.itemsize}") if is_float else x).astype(np.int64)
    if is_float:
        keys = np.where(keys < 0, ~keys | -(1 << 62), keys)
        keys = np.where(np.isnan(x.astype(np.float64)), 1 << 62, keys)
    expected = np.argsort(-keys, axis=1, kind="stable")[:, :k]
    np.testing.assert_array_equal(order, expected)
    np.testing.assert_array_equal(
        values.view(f"u{x.itemsize}"), np.take_along_axis(x, expected, 1).view(f"u{x.itemsize}")
    )


def test_what_sorts_may_be_in_a_branch(tmp_path: Path) -> None:
    """A short branch is predicated: its kernels look at the index first."""
    x = numbers(np.random.default_rng(7), (3, 300), np.float32)
    call = lambda i, x: lax.switch(i, [lambda x: jnp.sort(x), lambda x: -x, lambda x: lax.top_k(x, 300)[0]], x)
    executable, run = emulator(text_of(call, np.int32(0), x), tmp_path)
    assert sum("block::" in kernel.body for kernel in executable.kernels) == 2
    for i in range(3):
        np.testing.assert_array_equal(run([np.int32(i), x])[0], np.asarray(jax.jit(call)(i, x)))
