"""Long sums are as exact as those of blocks, whatever a kernel reads; how many terms there are decides their order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from targets.c.bare import compiled, run_here
from targets.c.test_columns import bodies
from targets.c.test_folder import COMPILERS
from targets.c.test_open_sizes import exported, library_of

import hlo2tiny
from hlo2tiny.tinygrad.blocks import ADJACENT, APART, IN_ORDER

# The largest root mean square of errors: as parts of a sum of positive numbers, or of the root of how many signed ones
# there are, in halves of a unit in the last place. Most are below 2 and 5.
POSITIVE, SIGNED = 5, 10
Function = Callable[[Any, Any], Any]
# How many numbers are added to each result at most, what has them, and the shape of the argument.
SUMS: dict[str, tuple[int, Function, tuple[int, ...]]] = {
    "all": (300_001, lambda xp, x: x.sum(), (300_001,)),
    "rows": (100_000, lambda xp, x: x.sum(1), (8, 100_000)),
    "rows of whole blocks": (8 * ADJACENT, lambda xp, x: x.sum(1), (16, 8 * ADJACENT)),
    "function": (50_000, lambda xp, x: xp.exp(x * 0.1).sum(1), (8, 50_000)),
    "squares": (70_001, lambda xp, x: (x * x).mean(1), (8, 70_001)),
    "variance": (200_000, lambda xp, x: x.var(1), (4, 200_000)),
    "softmax": (20_000, lambda xp, x: (y := xp.exp(x)) / y.sum(1, keepdims=True), (4, 20_000)),
    "outer and inner": (60_000, lambda xp, x: x.sum((0, 2)), (20_000, 3, 3)),
    "long inner rows": (600_000, lambda xp, x: x.sum((0, 2)), (300, 8, 2_000)),
    "columns": (100_000, lambda xp, x: x.sum(0), (100_000, 9)),
    "narrow columns": (100_000, lambda xp, x: x.sum(0), (100_000, 3)),
    "columns of several": (60_000, lambda xp, x: x.sum((0, 2)), (20_000, 2, 3, 16)),
    "middle": (50_000, lambda xp, x: x.sum(1), (2, 50_000, 8)),
    "every third": (50_000, lambda xp, x: x[:, ::3].sum(1), (4, 150_000)),
    "gathered": (50_000, lambda xp, x: x[:, (xp.arange(50_000) * 7) % 50_000].sum(1), (4, 50_000)),
    "complex": (
        50_000,
        lambda xp, x: xp.abs((x * xp.asarray(0.75 + 0.5j, xp.result_type(x, xp.complex64))).sum(1)),
        (4, 50_000),
    ),
    "running": (5_000, lambda xp, x: xp.cumsum(x, 1), (2, 5_000)),
    "running along columns": (100_000, lambda xp, x: xp.cumsum(x, 0), (100_000, 3)),
}

SQUARES = {"function", "squares", "variance", "softmax"}  # sums of what is never negative


def expect_exact(found: np.ndarray, expected: Any, terms: int, signed: bool) -> None:
    error = np.asarray(found, expected.dtype) - expected
    scale = np.sqrt(terms) if signed else expected
    measured = float(np.sqrt(np.mean((error / scale) ** 2)) / np.finfo(found.dtype).eps * 2)
    assert measured < (SIGNED if signed else POSITIVE)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("invariant", [False, True], ids=["", "invariant"])
@pytest.mark.parametrize("type", ["float32", "float64", "bfloat16"])
@pytest.mark.parametrize(
    ("name", "signed"),
    [(name, signed) for name in SUMS for signed in (False, True) if not (signed and name in SQUARES)],
)
def test_long_sums_are_exact(name: str, type: str, invariant: bool, signed: bool) -> None:
    terms, function, shape = SUMS[name]
    rng, dtype = np.random.default_rng(terms), jnp.dtype(type)
    x = (rng.standard_normal(shape) if signed else rng.random(shape)).astype(dtype)
    wide = np.longdouble if type == "float64" else np.float64

    def call(x: jax.Array) -> jax.Array:
        return function(jnp, x.astype(jnp.float32) if type == "bfloat16" else x)

    with jax.enable_x64(type == "float64"):
        text = str(jax.export.export(jax.jit(call))(x).mlir_module())
    found = [hlo2tiny.load(text, "CPU", threads=n, batch_invariant=invariant).numpy(x)[0] for n in (1, 2)]
    assert found[0].tobytes() == found[1].tobytes()
    expect_exact(found[0], function(np, x.astype(wide)), terms, signed)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [([np.inf], np.inf), ([np.inf, -np.inf], np.nan), ([-np.inf, np.nan], np.nan), ([3e38] * 4, np.inf), ([], -0.0)],
    ids=str,
)
@pytest.mark.parametrize("type", ["float32", "float64"])
def test_special_numbers_in_blocks(numbers: list[float], expected: float, type: str) -> None:
    """What infinite sums lose is no number, and zeros keep their sign."""
    x = np.full(5 * ADJACENT, -0.0, type)
    x[7 :: len(x) // 5][: len(numbers)] = np.array(numbers) * (1 if type == "float32" else 5e269)
    name = {"float32": "f32", "float64": "f64"}[type]
    text = f"""func.func @main(%x: tensor<{len(x)}x{name}>) -> tensor<{name}> {{
      %zero = stablehlo.constant dense<-0.0> : tensor<{name}>
      %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<{len(x)}x{name}>, tensor<{name}>) -> tensor<{name}>
      return %r : tensor<{name}>
    }}"""
    for invariant in (False, True):
        found = hlo2tiny.load(text, "CPU", batch_invariant=invariant).numpy(x)[0]
        np.testing.assert_array_equal(found, np.array(expected, type))
        assert np.signbit(found) == np.signbit(expected) or np.isnan(expected)


@pytest.mark.parametrize("rows", [IN_ORDER - 1, IN_ORDER, IN_ORDER + 1, 70_000])
def test_rows_and_columns_are_added_up_in_one_order(rows: int) -> None:
    x = np.random.default_rng(rows).standard_normal((rows, 9), dtype=np.float32)
    sums = [(lambda x: x.sum(1), x.T.copy()), (lambda x: x.sum(0), x), (lambda x: x.sum(1), x.T[:1].copy())]
    texts = [str(jax.export.export(jax.jit(f))(y).mlir_module()) for f, y in sums]
    along, across, alone = (hlo2tiny.load(t, "CPU", batch_invariant=True).numpy(y)[0] for t, (_, y) in zip(texts, sums))
    assert along.tobytes() == across.tobytes() and along[:1].tobytes() == alone.tobytes()


@pytest.mark.parametrize(("outer", "inner"), [(5000, 3), (1000, 40), (300, 5000), (70_000, 2)])
def test_sums_over_several_dimensions_have_one_order(outer: int, inner: int) -> None:
    x = np.random.default_rng(inner).standard_normal((outer, 9, inner), dtype=np.float32)
    y = np.repeat(x.transpose(0, 2, 1)[:, None], 2, 1)
    texts = [str(jax.export.export(jax.jit(lambda x: x.sum((0, 2))))(z).mlir_module()) for z in (x, y)]
    rows, columns = (hlo2tiny.load(t, "CPU", batch_invariant=True).numpy(z)[0] for t, z in zip(texts, (x, y)))
    assert columns.tobytes() == 2 * rows.tobytes()


@pytest.mark.parametrize(("length", "blocks"), [(ADJACENT, False), (ADJACENT + 1, True), (8, False)])
def test_only_long_sums_have_blocks(length: int, blocks: bool) -> None:
    text = str(jax.export.export(jax.jit(lambda x: x.sum(1)))(np.ones((40, length), np.float32)).mlir_module())
    assert any("total_" in body for body in bodies(hlo2tiny.load(text, "CPU"))) == blocks


def test_sums_of_open_sizes_have_blocks(tmp_path: Path) -> None:
    library = library_of(exported(tmp_path, lambda x: [x.sum(0), x.sum(), x.mean(1)], "b, 3"), tmp_path / "c")
    for b in (1, APART, APART + 1, 300_000):
        x = np.random.default_rng(b).random((b, 3), dtype=np.float32)
        wide = x.astype(np.float64)
        for found, expected in zip(library.run((b,), x), (wide.sum(0), wide.sum(), wide.mean(1)), strict=True):
            expect_exact(found, expected, b, False)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_sums_without_vectors_have_blocks(compiler: str, tmp_path: Path) -> None:
    model = exported(tmp_path, lambda x: x.sum(1), "4, 30000")
    x = np.random.default_rng(0).random((4, 30_000), dtype=np.float32)
    (found,) = run_here(compiler, compiled(model, tmp_path / "made", "bare-arm"), [x], [np.zeros(4, np.float32)])
    expect_exact(found, x.astype(np.float64).sum(1), 30_000, False)
