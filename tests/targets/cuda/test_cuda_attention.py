"""The kernel of attention for NVIDIA's GPUs, run on the CPU beside numpy in double."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, nn
from targets.c.test_attention import CHANGES, exact, heads, joined, masked, plain, split, text_of

import hlo2tiny
from hlo2tiny.compiler import zig_clang
from hlo2tiny.plan import Attention, Kernels, build
from hlo2tiny.targets.cuda.attention import Tiling, kernel_of, tiling_of
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.kernels import CudaKernel

Arrays = tuple[np.ndarray, ...]
COMPILER = [zig_clang()[0], "cc", "-nostdlib++"]
HEADER = Path(__file__).with_name("tensor_cores.h").read_text()


def step_of(function: Callable[..., Any], arrays: Arrays, highest: bool = True) -> tuple[Attention, tuple[Any, ...]]:
    """The attention of a function that is nothing else, and which arrays it reads."""
    with jax.default_matmul_precision("highest" if highest else "default"):
        plan = build(hlo2tiny.parse(text_of(function, arrays)), products=True, attention=True)
    (step,) = (s for s in plan.main.steps if not isinstance(s, Kernels))
    assert isinstance(step, Attention)
    known = {**dict(plan.main.constants), **dict(enumerate(arrays))}
    return step, tuple(known.get(n, arrays[-1]) for n in step.inputs)  # JAX computes indices from the last one


def emulate(kernel: CudaKernel, arrays: Arrays, size: int, folder: Path) -> np.ndarray:
    """The result of a kernel, `size` numbers of f32."""
    kinds = [parameter.replace("__restrict__", "").rpartition("*")[0] + "*" for parameter in kernel.parameters]
    called = ", ".join(f"({kind})arguments[{i}]" for i, kind in enumerate(kinds))
    text = [HEADER, kernel.text("kernel"), f"static void call(void **arguments) {{ kernel({called}); }}"]
    (folder / "kernel.cc").write_text("\n".join(text))
    command = [*COMPILER, "-O1", "-std=c++17", "-fPIC", "-shared", "-pthread", "-ffp-contract=off", "-fno-exceptions"]
    subprocess.run([*command, "kernel.cc", "-o", "kernel.so"], check=True, cwd=folder)
    out = np.full(size, 7, np.float32)
    places = (ctypes.c_void_p * (len(arrays) + 1))(*(x.ctypes.data for x in (*arrays, out)))
    ctypes.CDLL(str(folder / "kernel.so")).run(kernel.grid[0], kernel.grid[1], kernel.block[0], places)
    return out


def expect(function: Callable[..., Any], arrays: Arrays, expected: np.ndarray, folder: Path, **tiling: int) -> None:
    step, buffers = step_of(function, arrays)
    kernel = kernel_of(step, replace(tiling_of(step.heads), **tiling))
    found = emulate(kernel, buffers, expected.size, folder).reshape(expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=4e-6)


# Batch, heads, queries, keys, depth and width; how the work is spread.
SIZES: dict[str, tuple[tuple[int, ...], dict[str, int]]] = {
    "one query": ((1, 3, 1, 100, 64), {}),
    "broken tiles": ((2, 2, 37, 45, 64), {"groups": 2, "splits": 2}),
    "two tiles for a warp": ((1, 2, 70, 40, 32), {"tiles": 2, "groups": 2, "splits": 1}),
    "two tiles, keys shared": ((1, 1, 40, 70, 32), {"tiles": 2, "splits": 4, "step": 32}),
    "no vectors": ((1, 2, 17, 20, 33, 41), {}),
    "wide": ((1, 1, 16, 24, 200, 256), {}),
    "fewer keys than warps": ((1, 2, 20, 12, 16), {"splits": 4}),
}


@pytest.mark.parametrize("name", SIZES)
def test_numbers_are_those_of_a_softmax_in_double(name: str, tmp_path: Path) -> None:
    sizes, tiling = SIZES[name]
    arrays = heads(*sizes)
    expect(plain, arrays, exact(*arrays), tmp_path, **tiling)


@pytest.mark.parametrize("name", CHANGES)
def test_scores_may_change_before_the_softmax(name: str, tmp_path: Path) -> None:
    arrays = heads(2, 4, 70, 70, 32)

    def function(q: Any, k: Any, v: Any) -> Any:
        return plain(q, k, v, CHANGES[name])

    expect(function, arrays, exact(*arrays, CHANGES[name]), tmp_path, groups=1, splits=2)


def test_heads_are_read_and_written_where_they_lie(tmp_path: Path) -> None:
    arrays = heads(2, 2, 33, 41, 16)

    def function(q: Any, k: Any, v: Any) -> Any:
        return joined(plain(*(split(x, 2) for x in (q, k, v))))

    expect(function, tuple(joined(x) for x in arrays), joined(exact(*arrays)), tmp_path)


def test_queries_may_share_heads_of_keys(tmp_path: Path) -> None:
    q, k, v = heads(2, 2, 60, 24, 16)

    def function(q: Any, k: Any, v: Any) -> Any:
        grouped = q.reshape(2, 2, 3, 20, 16)
        scores = jnp.einsum("bhgqd,bhkd->bhgqk", grouped, k) / 4
        return jnp.einsum("bhgqk,bhkd->bhgqd", nn.softmax(scores), v)

    expect(function, (q, k, v), exact(q, k, v).reshape(2, 2, 3, 20, 16), tmp_path)


@pytest.mark.parametrize("layer", [-3, 9])
def test_keys_and_values_may_be_slices_of_a_stack(layer: int, tmp_path: Path) -> None:
    q, k, v = heads(1, 3, 9, 40, 16)
    stacks = tuple(np.stack([x, 2 * x, 3 * x]) for x in (k, v))

    def function(q: Any, k: Any, v: Any, layer: Any) -> Any:
        return plain(q, *(lax.dynamic_slice(x, (layer, 0, 0, 0, 0), (1, *x.shape[1:]))[0] for x in (k, v)))

    scale = min(max(layer, 0), 2) + 1
    expect(function, (q, *stacks, np.array(layer, np.int32)), exact(q, k * scale, v * scale), tmp_path)


def test_a_query_that_may_read_no_key_gives_nan_and_one_that_may_read_few_does_not(tmp_path: Path) -> None:
    arrays = heads(1, 2, 40, 40, 16)
    mask = np.triu(np.ones((40, 40), bool), 1)  # the first keys are not for anyone, the last query has none

    def function(q: Any, k: Any, v: Any) -> Any:
        return plain(q, k, v, masked(mask))

    expect(function, arrays, exact(*arrays, masked(mask)), tmp_path, splits=2, step=8)


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("operand", [0, 1, 2])
def test_special_numbers_reach_the_results_that_they_reach_in_a_softmax(
    special: float, operand: int, tmp_path: Path
) -> None:
    arrays = heads(1, 2, 20, 24, 16)
    arrays[operand][0, 1, 3, 5] = special
    with np.errstate(all="ignore"):
        expected = exact(*arrays)
    step, buffers = step_of(plain, arrays, highest=False)
    found = emulate(kernel_of(step), buffers, expected.size, tmp_path).reshape(expected.shape)
    assert (np.isfinite(found) == np.isfinite(expected)).all()
    finite = np.isfinite(expected)
    np.testing.assert_allclose(found[finite], expected[finite], rtol=0, atol=2e-3)


def test_products_are_in_tf32_unless_more_is_asked_for(tmp_path: Path) -> None:
    arrays = heads(1, 2, 32, 40, 64)
    step, buffers = step_of(plain, arrays, highest=False)
    expected = exact(*arrays)
    error = abs(emulate(kernel_of(step), buffers, expected.size, tmp_path).reshape(expected.shape) - expected).max()
    assert 1e-5 < error < 2e-3


def test_nvrtc_compiles_it() -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    step, _ = step_of(plain, heads(1, 4, 70, 300, 64))
    tilings = [tiling_of(step.heads), Tiling(2, 4, 1, 16)]
    for text, _ in files([kernel_of(step, tiling) for tiling in tilings]):
        assert compile_all([text], "sm_80")
