"""Of an array that ops compute, only those elements are computed that a program reads, if these are few."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from test_emulation import emulator

import hlo2tiny
from hlo2tiny.targets.c.render import render_region

ROWS, COLUMNS = 96, 250
Function = Callable[[jax.Array, jax.Array, jax.Array], Any]


def along(x: jax.Array, *places: jax.Array) -> jax.Array:
    return jnp.take_along_axis(x, jnp.stack(places, 1), 1)


FLOATS: dict[str, Function] = {
    "losses": lambda x, y, i: -along(jax.nn.log_softmax(x - y), i).mean(),
    "losses by two indices": lambda x, y, i: -jax.nn.log_softmax(x - y)[jnp.arange(ROWS), i].mean(),
    "probabilities": lambda x, y, i: jax.nn.softmax(x * y)[i % ROWS, i],
    "less the mean": lambda x, y, i: lax.dynamic_slice(x - y.mean(1, keepdims=True), (i[0], i[1]), (3, 4)),
}
FEW: dict[str, Function] = {
    "arithmetic": lambda x, y, i: along(x * y + 3, i, i + 1),
    "a column": lambda x, y, i: (x * y - x)[:, i[0]],
    "a row of what is turned": lambda x, y, i: (x * y).T[i[0]],
    "of a slice": lambda x, y, i: (x[5:, 7:] * y[5:, 7:])[i % 50, i],
    "of what is reversed": lambda x, y, i: (x[::-1] - y)[i % ROWS, i],
    "of padding": lambda x, y, i: (jnp.pad(x * y, ((1, 2), (3, 0))) + 2)[i % 99, i % 9],
    "of joined arrays": lambda x, y, i: (jnp.concatenate([x, y, x], 1) + 1)[i % ROWS, i * 3],
    "of other dimensions": lambda x, y, i: (x * y).reshape(48, 5, 2, 50)[i % 48, i % 5, i % 2, i % 50],
    "of counted places": lambda x, y, i: (x * jnp.arange(ROWS)[:, None] + jnp.arange(COLUMNS).astype(x.dtype))[
        i % ROWS, i
    ],
    "of gathered rows": lambda x, y, i: (x[i % ROWS] + y)[i % ROWS, i],
    "a slice": lambda x, y, i: lax.dynamic_slice(x * y, (i[0], i[1]), (3, 4)),
    "with other readers": lambda x, y, i: ((x * y)[i % ROWS, i], (x * y).sum(1)),
    "for all pairs": lambda x, y, i: (t := (x * y)[i % ROWS, i])[:, None] * t,
}
MANY: dict[str, Function] = {
    "most": lambda x, y, i: along(x * y, *[i] * COLUMNS),
    "twice": lambda x, y, i: [along(x * y, *[i + k] * 80) for k in (0, 1)],
    "of a result": lambda x, y, i: (x * y, (x * y)[i % ROWS, i]),
}  # fmt: skip


def arguments(dtype: str) -> list[np.ndarray]:
    """Few numbers, so that sums are exact."""
    random = np.random.default_rng(0)
    x, y = random.integers(0, 4, (2, ROWS, COLUMNS))
    return [x.astype(dtype), y.astype(dtype), random.integers(0, COLUMNS, ROWS).astype(np.int32)]


def check(found: list[np.ndarray], expected: list[jax.Array], exact: bool) -> None:
    for each, wanted in zip(found, expected, strict=True):
        tolerance = {} if exact else {"rtol": 1e-2 if wanted.dtype == jnp.bfloat16 else 3e-6}
        compare = np.testing.assert_array_equal if exact else np.testing.assert_allclose
        compare(np.asarray(each, complex), np.asarray(wanted, complex), **tolerance)


CASES = [
    *((name, dtype) for name in FLOATS for dtype in ("float32", "float64", "bfloat16")),
    *((name, dtype) for name in FEW for dtype in ("float32", "bfloat16", "int16", "complex64", "uint8")),
    *((name, "float32") for name in MANY),
]


@pytest.mark.sampled(30, ci=15)
@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_few_elements_are_computed_alone(name: str, dtype: str, tmp_path: Path) -> None:
    function, given = {**FLOATS, **FEW, **MANY}[name], arguments(dtype)
    with jax.enable_x64(dtype == "float64"):
        text = str(jax.export.export(jax.jit(function, keep_unused=True))(*given).mlir_module())
        expected = jax.tree.leaves(jax.jit(function)(*given))
    program = hlo2tiny.load(text, "CPU")
    check(program.numpy(*given), expected, name not in FLOATS)
    temporaries = [size for step in program.plan.kernels() for size in render_region(step).temporaries]
    executable, run = emulator(text, tmp_path)
    check(run(given), expected, name not in FLOATS)
    computes_all = name in ("most", "twice")
    assert any(size >= given[0].nbytes for size in temporaries) == computes_all
    assert (executable.arena >= given[0].nbytes) == computes_all
