"""The kernel of attention for NVIDIA's GPUs, run on the CPU beside numpy in double."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import emulation
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emulation import Emulator
from jax import lax, nn
from targets.c.test_attention import CHANGES, exact, heads, joined, masked, plain, split, text_of

import hlo2tiny
from hlo2tiny.plan import build
from hlo2tiny.plan.plan import Attention, Kernels, Plan
from hlo2tiny.targets.cuda import attention
from hlo2tiny.targets.cuda.attention import Tiling, arrange
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import GraphLaunch
from hlo2tiny.targets.cuda.native import executable_of

Arrays = tuple[np.ndarray, ...]


def plan_of(function: Callable[..., Any], arrays: Arrays, highest: bool) -> Plan:
    with jax.default_matmul_precision("highest" if highest else "default"):
        return build(hlo2tiny.parse(text_of(function, arrays)), products=True, attention=True)


def run(function: Callable[..., Any], arrays: Arrays, folder: Path, highest: bool = True) -> np.ndarray:
    """The result of a function whose only product is attention."""
    plan = plan_of(function, arrays, highest)
    (_,) = (s for s in plan.main.steps if not isinstance(s, Kernels))
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
    assert "attention" in {kernel.name for kernel in executable.kernels}
    return Emulator(plan, executable, folder)(arrays)[0]


def expect(function: Callable[..., Any], arrays: Arrays, expected: np.ndarray, folder: Path) -> None:
    np.testing.assert_allclose(run(function, arrays, folder), expected, rtol=1e-5, atol=4e-6)


# Batch, heads, queries, keys, depth and width; the tiling.
SIZES: dict[str, tuple[tuple[int, ...], Tiling | None]] = {
    "one query": ((1, 3, 1, 100, 64), None),
    "broken tiles": ((2, 2, 37, 45, 64), Tiling(1, 2, 2, 16)),
    "two tiles for a warp": ((1, 2, 70, 40, 32), Tiling(2, 2, 1, 16)),
    "two tiles, keys shared": ((1, 1, 40, 70, 32), Tiling(2, 1, 4, 32)),
    "no vectors": ((1, 2, 17, 20, 33, 41), None),
    "wide": ((1, 1, 16, 24, 200, 256), None),
    "fewer keys than warps": ((1, 2, 20, 12, 16), Tiling(1, 1, 4, 8)),
    "blocks share keys": ((1, 2, 5, 300, 64), Tiling(1, 1, 2, 16, 3)),
    "a share is broken, and one empty": ((1, 1, 20, 100, 33, 137), Tiling(1, 1, 2, 16, 5)),
    "one query of many keys": ((1, 3, 1, 1100, 64), None),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", SIZES)
def test_numbers_are_those_of_a_softmax_in_double(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, tiling = SIZES[name]
    if tiling:
        monkeypatch.setattr(attention, "tiling_of", lambda *_: tiling)
    arrays = heads(*sizes)
    expect(plain, arrays, exact(*arrays), tmp_path)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CHANGES)
def test_scores_may_change_before_the_softmax(name: str, tmp_path: Path) -> None:
    arrays = heads(2, 4, 70, 70, 32)

    def function(q: Any, k: Any, v: Any) -> Any:
        return plain(q, k, v, CHANGES[name])

    expect(function, arrays, exact(*arrays, CHANGES[name]), tmp_path)


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


@pytest.mark.parametrize("where", ["heads before keys", "keys before heads", "transposed and masked"])
def test_keys_and_values_that_a_program_repeats_are_read_where_they_lie(where: str, tmp_path: Path) -> None:
    """By `jnp.repeat`, or as torch expands them."""
    q, k, v = heads(2, 6, 33, 24, 16)
    k, v = k[:, :2], v[:, :2]
    mask = np.tri(33, 24, dtype=bool) if "mask" in where else np.ones((33, 24), bool)

    def function(q: Any, k: Any, v: Any) -> Any:
        if where == "heads before keys":
            k, v = (jnp.repeat(x, 3, 1) for x in (k, v))
        elif where == "keys before heads":
            k, v = (jnp.repeat(x.swapaxes(1, 2), 3, 2).swapaxes(1, 2) for x in (k, v))
        else:
            k, v = (jnp.broadcast_to(x[:, :, None], (2, 2, 3, 24, 16)).reshape(2, 6, 24, 16) for x in (k, v))
            return jnp.matmul(nn.softmax(masked(mask)(q @ k.swapaxes(2, 3) / 4)), v)
        return plain(q, k, v)

    arrays = q, k, v
    expected = exact(q, *(np.repeat(x, 3, 1) for x in (k, v)), masked(mask))
    expect(function, arrays, expected, tmp_path)
    (step,) = plan_of(function, arrays, False).main.steps
    assert isinstance(step, Attention) and step.inputs[:3] == (0, 1, 2) and step.heads.rows == 3 * 33


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

    expect(function, arrays, exact(*arrays, masked(mask)), tmp_path)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("operand", [0, 1, 2])
def test_special_numbers_reach_the_results_that_they_reach_in_a_softmax(
    special: float, operand: int, tmp_path: Path
) -> None:
    arrays = heads(1, 2, 20, 24, 16)
    arrays[operand][0, 1, 3, 5] = special
    with np.errstate(all="ignore"):
        expected = exact(*arrays)
    found = run(plain, arrays, tmp_path, highest=False)
    assert (np.isfinite(found) == np.isfinite(expected)).all()
    finite = np.isfinite(expected)
    np.testing.assert_allclose(found[finite], expected[finite], rtol=0, atol=2e-3)


def test_products_are_in_tf32_unless_more_is_asked_for(tmp_path: Path) -> None:
    arrays = heads(1, 2, 32, 40, 64)
    error = abs(run(plain, arrays, tmp_path, highest=False) - exact(*arrays)).max()
    assert 1e-5 < error < 2e-3


@pytest.mark.parametrize("highest", [False, True])
@pytest.mark.parametrize("sizes", [(1, 4, 70, 300, 64), (1, 16, 1030, 1030, 64), (1, 3, 1, 1100, 64)])
def test_nvrtc_compiles_it(sizes: tuple[int, ...], highest: bool) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    shapes = tuple(np.broadcast_to(np.float32(0), x) for x in (sizes[:3] + sizes[4:], sizes[:2] + sizes[3:]))
    (step,) = plan_of(plain, (shapes[0], shapes[1], shapes[1]), highest).main.steps
    assert isinstance(step, Attention)
    assert all(compile_all([text for text, _ in files([*arrange(step).parts])], "sm_80"))


NARROW = {"bf16": jnp.bfloat16, "f16": jnp.float16}
# Batch, heads, queries, keys, depth and width, where the words of a depth and of columns are whole or broken.
NARROW_SIZES: dict[str, tuple[tuple[int, ...], Tiling | None]] = {
    "whole": ((1, 2, 33, 48, 64), None),
    "one query": ((2, 3, 1, 100, 64), None),
    "one query of many keys": ((1, 3, 1, 1100, 64), None),
    "blocks share keys": ((1, 2, 21, 300, 130), Tiling(1, 2, 2, 16, 3)),
    "two tiles for a warp": ((1, 2, 70, 40, 32), Tiling(2, 2, 1, 16)),
    "keys shared, steps of 32": ((1, 1, 40, 70, 32), Tiling(2, 1, 4, 32)),
    "short": ((1, 2, 20, 24, 16), None),
    "a third of a word": ((1, 2, 20, 30, 40, 96), Tiling(1, 4, 1, 16)),
    "odd": ((1, 2, 17, 21, 63, 33), None),
    "wide": ((1, 1, 16, 24, 256, 256), None),
    "wider than a block": ((1, 1, 16, 24, 136, 200), None),
    "wide, steps of 32": ((1, 1, 70, 40, 136, 200), Tiling(1, 4, 1, 32)),
    "wide, broken steps of 32": ((1, 1, 70, 37, 231, 231), Tiling(1, 4, 1, 32)),
}


def narrow_exact(arrays: Arrays, changed: Callable[[Any], Any] = lambda s: s) -> np.ndarray:
    return exact(*(x.astype(np.float64) for x in arrays), changed)


def narrow_softmax(kind: Any, changed: Callable[[Any], Any] = lambda s: s, by_hand: bool = False) -> Callable[..., Any]:
    """Scores in f32 and weights of the narrow type, or all of it in this type."""

    def function(q: Any, k: Any, v: Any) -> Any:
        wide = None if by_hand else jnp.float32
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k, preferred_element_type=wide) / np.float32(math.sqrt(q.shape[-1]))
        return nn.softmax(changed(scores.astype(wide or kind)), -1).astype(kind) @ v

    return function


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("kind", NARROW)
@pytest.mark.parametrize("name", NARROW_SIZES)
@pytest.mark.sampled(15, ci=5)
def test_narrow_numbers_are_multiplied_as_they_are(
    name: str, kind: str, by_hand: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is at most that of a program which rounds all weights, and results are rounded once."""
    sizes, tiling = NARROW_SIZES[name]
    if tiling:
        monkeypatch.setattr(attention, "tiling_of", lambda *_: tiling)
    arrays = tuple(x.astype(NARROW[kind]) for x in heads(*sizes))
    found = run(narrow_softmax(NARROW[kind], by_hand=by_hand), arrays, tmp_path, highest=False)
    with jax.default_matmul_precision("highest"):
        theirs = np.asarray(jax.jit(narrow_softmax(NARROW[kind], by_hand=by_hand))(*arrays)).astype(np.float64)
    expected, unit = narrow_exact(arrays), 2**-8 if kind == "bf16" else 2**-11
    error = abs(found.astype(np.float64) - expected).max()
    assert error <= max(1.5 * abs(theirs - expected).max(), 1.5 * unit)


# As above, for blocks that have keys and values in their memory.
STAGED: dict[str, tuple[tuple[int, ...], Tiling]] = {
    "whole": ((1, 2, 128, 128, 64), Tiling(1, 4, 1, 64, staged=True)),
    "wide, broken": ((1, 1, 133, 150, 128), Tiling(1, 8, 1, 64, staged=True)),
    "narrow": ((1, 2, 128, 190, 24), Tiling(1, 4, 1, 64, staged=True)),
    "padded rows": ((1, 1, 70, 100, 72, 88), Tiling(1, 4, 1, 64, staged=True)),
    "values wider than a block": ((1, 1, 70, 100, 128, 200), Tiling(1, 4, 1, 64, staged=True)),
    "keys shared, none for the last": ((1, 2, 70, 96, 128), Tiling(1, 4, 2, 32, staged=True)),
    "rows that threads do not divide": ((1, 1, 70, 100, 72, 88), Tiling(1, 4, 2, 32, staged=True)),
    "wider than a block": ((1, 1, 130, 100, 256, 200), Tiling(1, 8, 1, 32, staged=True)),
    "wide queries, too": ((1, 1, 130, 100, 256), Tiling(1, 4, 1, 64, staged=True)),
    "wide queries only": ((1, 2, 70, 131, 200, 72), Tiling(1, 4, 1, 64, staged=True)),
    "blocks share keys": ((1, 1, 70, 200, 40), Tiling(1, 4, 2, 16, 3, staged=True)),
    "two tiles for a warp": ((1, 1, 140, 131, 32), Tiling(2, 4, 1, 16, staged=True)),
    "128 keys at once": ((1, 2, 130, 300, 128), Tiling(1, 4, 1, 128, staged=True)),
    "128 keys at once, narrow": ((1, 1, 70, 131, 40, 48), Tiling(1, 4, 1, 128, staged=True)),
}


def masks(queries: int, keys: int) -> dict[str, np.ndarray]:
    """What each query may read: of the first, some may read nothing of what others do, or nothing at all."""
    late = np.broadcast_to(np.arange(keys) >= keys - 30, (queries, keys)).copy()
    late[3] = False
    random = np.random.default_rng(0)
    return {"causal": np.tri(queries, keys, dtype=bool), "late": late, "any": random.random((queries, keys)) > 0.3}


def change_of(name: str, sizes: tuple[int, ...]) -> Callable[[Any], Any]:
    """How scores change: a mask of `masks` replaces some, or a bias is added."""
    mask = masks(*sizes[2:4]).get(name.split()[0])
    bias = np.random.default_rng(1).standard_normal(sizes[1:4]).astype(np.float32)

    def changed(s: Any) -> Any:
        if mask is not None:
            return (np if isinstance(s, np.ndarray) else jnp).where(mask, s, -np.inf if "inf" in name else -3e4)
        return s + bias if name == "bias" else s

    return changed


@pytest.mark.parametrize("change", ["none", "bias", "causal", "late", "any", "causal to -inf", "causal by hand"])
@pytest.mark.parametrize("kind", NARROW)
@pytest.mark.parametrize("warpgroups", [True, False])
@pytest.mark.parametrize("name", STAGED)
@pytest.mark.sampled(48, ci=12)
def test_blocks_have_keys_and_values_in_their_memory(
    name: str, warpgroups: bool, kind: str, change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, tiling = STAGED[name]
    if not warpgroups:  # which alone have room for wide results
        tiling = replace(tiling, step=min(tiling.step, 32 if max(sizes[4:]) > 128 else 64))
    monkeypatch.setattr(emulation, "OPTIONS", [*emulation.OPTIONS, f"-DHAS_WARPGROUPS={warpgroups:d}"])
    monkeypatch.setattr(attention, "tiling_of", lambda *_: tiling)
    arrays = tuple(x.astype(NARROW[kind]) for x in heads(*sizes))
    changed = change_of(change, sizes)
    found = run(narrow_softmax(NARROW[kind], changed, "hand" in change), arrays, tmp_path, highest=False)
    allowed = (2**-7 if kind == "bf16" else 2**-10) * (3 if "hand" in change else 1)
    np.testing.assert_allclose(found.astype(np.float64), narrow_exact(arrays, changed), rtol=0, atol=allowed)


# Of f32, whose keys and values are rounded to TF32 before: batch, heads, queries, keys, depth and width.
ROUNDED = {
    "narrow": (1, 2, 128, 190, 24),
    "one step of keys": (1, 2, 70, 64, 64),
    "64 numbers": (2, 2, 130, 300, 64),
    "wide, broken": (1, 1, 133, 150, 128),
    "no vectors": (1, 2, 70, 131, 97, 33),
    "wide values": (1, 1, 70, 100, 72, 200),
    "wide queries, too": (1, 1, 130, 100, 256),
    "wide queries only": (1, 1, 70, 131, 199, 72),
}


@pytest.mark.parametrize("change", ["none", "bias", "causal", "late", "any", "causal to -inf"])
@pytest.mark.parametrize("name", ROUNDED)
@pytest.mark.sampled(16, ci=4)
def test_keys_and_values_of_f32_are_rounded_first(
    name: str, change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = ROUNDED[name]
    monkeypatch.setattr(attention, "LEAST_ROUNDED", 1)
    monkeypatch.setattr(attention, "LEAST_STAGED", 1)
    arrays = heads(*sizes)
    changed = change_of(change, sizes)

    def function(q: Any, k: Any, v: Any) -> Any:
        return plain(q, k, v, changed)

    found = run(function, arrays, tmp_path, highest=False)
    wide = tuple(x.astype(np.float64) for x in arrays)
    np.testing.assert_allclose(found, exact(*wide, changed), rtol=0, atol=2e-3)


@pytest.mark.parametrize("special", [np.inf, np.nan])
@pytest.mark.parametrize("kind", [*NARROW, "f32"])
@pytest.mark.sampled(3)
def test_infinite_values_that_a_mask_hides_give_nan(
    kind: str, special: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their weights are 0, as in the program; a block leaves out values only if they are numbers."""
    for name in ("LEAST_ROUNDED", "LEAST_STAGED"):
        monkeypatch.setattr(attention, name, 1)
    element = NARROW.get(kind, np.float32)
    q, k, v = (x.astype(element) for x in heads(1, 1, 130, 130, 32))
    v[0, 0, 120, 7] = special
    function = narrow_softmax(element, masked(masks(130, 130)["causal"]))
    found = run(function, (q, k, v), tmp_path, highest=False).astype(np.float64)
    with np.errstate(all="ignore"):
        theirs = np.asarray(jax.jit(function)(q, k, v)).astype(np.float64)
    assert np.isnan(found[0, 0, :120, 7]).all()
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(theirs))


def test_iterations_of_a_loop_look_at_a_mask_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has values of its own, and the last ones a mask of their own."""
    monkeypatch.setattr(attention, "tiling_of", lambda *_: Tiling(1, 4, 1, 64, staged=True))
    q, k, v = (x.astype(jnp.bfloat16) for x in heads(1, 2, 130, 130, 32))
    stacks = tuple(np.stack([x, x[:, ::-1], -x]) for x in (k, v))
    stacks[1][1, 0, 1, 120, 7] = np.inf

    def function(q: Any, keys: Any, values: Any) -> Any:
        def layer(q: Any, given: Any) -> Any:
            x = narrow_softmax(jnp.bfloat16, masked(masks(130, 130)["causal"]))(q, *given)
            return x, x

        return lax.scan(layer, q, (keys, values))[1], narrow_softmax(
            jnp.bfloat16, masked(np.triu(np.ones((130, 130), bool)))
        )(q, keys[0], values[0])

    plan = plan_of(function, (q, *stacks), False)
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
    names = [executable.kernels[each.kernel].name for each in executable.actions if isinstance(each, GraphLaunch)]
    assert [names.count(f"attention{what}") for what in ("", "_masks", "_values")] == [4, 2, 4]
    found = Emulator(plan, executable, tmp_path)((q, *stacks))
    for ours, theirs in zip(found, jax.jit(function)(q, *stacks)):
        wide = np.asarray(theirs).astype(np.float64)
        np.testing.assert_allclose(ours.astype(np.float64), wide, rtol=2**-5, atol=2**-5)
    assert np.isnan(found[0][1].astype(np.float64)).any() and not np.isnan(found[0][0].astype(np.float64)).any()


@pytest.mark.parametrize("batches", [(3, 1), (1, 4), (3, 4), (1, 1)])
@pytest.mark.parametrize("step", [64, 128])
@pytest.mark.sampled(4, ci=2, first=1)
def test_steps_that_masks_of_some_heads_hide(
    step: int, batches: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Masks may differ along any dimensions, and an infinite value is hidden from some queries of one batch."""
    monkeypatch.setattr(attention, "tiling_of", lambda *_: Tiling(1, 4, 1, step, staged=True))
    q, k, v = (x.astype(jnp.bfloat16) for x in heads(3, 4, 150, 300, 64))
    k, v = k[:, :2], v[:, :2].copy()
    v[1, 1, 290, 5] = np.inf
    parts = np.random.default_rng(3).integers(0, 3, (*batches, 3, 5)).repeat(50, 2).repeat(60, 3)
    mask = np.where(parts == 2, np.random.default_rng(4).random(parts.shape) < 0.5, parts == 1)
    mask[..., :2] = True

    def function(q: Any, k: Any, v: Any) -> Any:
        return narrow_softmax(jnp.bfloat16, masked(mask))(q, *(jnp.repeat(x, 2, 1) for x in (k, v)))

    found = run(function, (q, k, v), tmp_path, highest=False).astype(np.float64)
    theirs = np.asarray(jax.jit(function)(q, k, v)).astype(np.float64)
    assert np.isnan(theirs[1]).any() and not np.isnan(theirs[0]).any()
    np.testing.assert_allclose(found, theirs, rtol=2**-6, atol=2**-6)


@pytest.mark.parametrize("special", [0.5, np.inf])
@pytest.mark.parametrize("tiling", [Tiling(1, 4, 1, 64, staged=True), Tiling(1, 1, 4, 32, 2)])
def test_blocks_read_slices_of_one_array(
    tiling: Tiling, special: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that look which steps masks hide, and whether values are numbers."""
    monkeypatch.setattr(attention, "tiling_of", lambda *_: tiling)
    x = np.concatenate(heads(1, 2, 260, 260, 32), -1).astype(jnp.bfloat16)
    x[0, 1, 250, -3] = special
    function = narrow_softmax(jnp.bfloat16, masked(masks(260, 260)["causal"]))
    found = run(lambda x: function(*jnp.split(x, 3, -1)), (x,), tmp_path, highest=False).astype(np.float64)
    with np.errstate(all="ignore"):
        theirs = np.asarray(jax.jit(function)(*jnp.split(x, 3, -1))).astype(np.float64)
    np.testing.assert_allclose(found, theirs, rtol=2**-6, atol=2**-6)


def test_stages_are_for_many_queries_whose_rows_are_aligned(tmp_path: Path) -> None:
    """Keys and values may be slices of stacks, which heads of several queries share."""
    q, k, v = (x.astype(jnp.bfloat16) for x in heads(1, 64, 64, 40, 32))
    stacks = tuple(np.stack([x, 2 * x])[:, :, ::2] for x in (k, v))

    def function(q: Any, k: Any, v: Any, layer: Any) -> Any:
        k, v = (lax.dynamic_slice(x, (layer, 0, 0, 0, 0), (1, *x.shape[1:]))[0] for x in (k, v))
        return narrow_softmax(jnp.bfloat16)(q, *(jnp.repeat(x, 2, 1) for x in (k, v)))

    arrays = (q, *stacks, np.array(1, np.int32))
    (step,) = (s for s in plan_of(function, arrays, False).main.steps if isinstance(s, Attention))
    assert attention.tiling_of(step.heads).staged
    assert not attention.tiling_of(replace(step.heads, key=(*step.heads.key[:-2], 33, 1))).staged
    found = run(function, arrays, tmp_path, highest=False)
    wanted = narrow_exact((q, *(np.repeat(x[1], 2, 1) for x in stacks)))
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=2**-7, atol=2**-7)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("keys", [40, 41])
@pytest.mark.parametrize("name", ["mask", "bias", "causal"])
def test_narrow_scores_may_change(name: str, keys: int, tmp_path: Path) -> None:
    """What belongs to two keys is read at once, if their number is even."""
    arrays = tuple(x.astype(jnp.bfloat16) for x in heads(2, 2, 40, keys, 32))
    random = np.random.default_rng(0)
    masks = {"mask": random.random((2, 1, 40, keys)) > 0.3, "causal": np.tri(40, keys, dtype=bool)}
    bias = random.standard_normal((1, 2, 40, keys)).astype(np.float32)
    change = (lambda s: s + bias) if name == "bias" else masked(masks[name])
    found = run(narrow_softmax(jnp.bfloat16, change), arrays, tmp_path, highest=False)
    np.testing.assert_allclose(found.astype(np.float64), narrow_exact(arrays, change), rtol=0, atol=2**-7)


@pytest.mark.parametrize("kind", NARROW)
def test_narrow_attention_is_one_pass_of_one_product_for_16_numbers(kind: str) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    arrays = tuple(np.broadcast_to(NARROW[kind](0), x) for x in [(1, 16, 1030, 64)] * 3)
    (step,) = plan_of(narrow_softmax(NARROW[kind], by_hand=True), arrays, highest=False).main.steps
    assert isinstance(step, Attention)
    (kernel,) = arrange(step).parts
    assert "PASSES = 1," in kernel.body and f"NARROW = {attention.KINDS[kind]}" in kernel.body
    ((text, _),) = files([kernel])
    assert compile_all([text], "sm_90")


@pytest.mark.parametrize("depth, stages", [(64, 2), (80, 1), (128, 2)])
def test_keys_of_the_next_step_are_copied_while_scores_are_multiplied(depth: int, stages: int) -> None:
    """If threads have the same part of all rows that they copy; others have no registers left for that."""
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    arrays = tuple(np.broadcast_to(jnp.bfloat16(0), x) for x in [(1, 16, 1030, depth)] * 3)
    (step,) = plan_of(narrow_softmax(jnp.bfloat16), arrays, highest=False).main.steps
    assert isinstance(step, Attention)
    (kernel,) = arrange(step, "sm_90").parts
    row = 128 * -(-depth // 64)  # the bytes of one that are multiplied together
    assert kernel.shared == 128 * (stages + 1) * row and f"EVEN = {str(stages == 2).lower()}" in kernel.body
    ((text, _),) = files([kernel])
    assert compile_all([text], "sm_90")


def test_a_block_may_have_keys_that_are_all_masked(tmp_path: Path) -> None:
    """Its highest score is -inf, and its sum 0."""
    q, k, v = heads(1, 2, 1, 1100, 32)
    mask = np.arange(1100) < 100
    plan = plan_of(lambda q, k, v: plain(q, k, v, masked(mask)), (q, k, v), True)
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
    assert "attention_shares" in {kernel.name for kernel in executable.kernels}
    found = Emulator(plan, executable, tmp_path)((q, k, v))[0]
    np.testing.assert_allclose(found, exact(q, k, v, masked(mask)), rtol=1e-5, atol=4e-6)
