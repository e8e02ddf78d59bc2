"""Products and convolutions of integers that are widened and shifted first are those of 8 bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlo2tiny
from hlo2tiny.ir import Op
from hlo2tiny.ir.entry import entry_function
from hlo2tiny.ops import Trait, has
from hlo2tiny.plan.gemm import element_name
from hlo2tiny.plan.zero_points import multiply_narrow

Call = Callable[..., jax.Array]
LAST, FIRST = ("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW")
# Options of convolutions, in two layouts, and how many groups of features they have.
CONVOLUTIONS: dict[str, dict[str, Any]] = {
    "padded": {"padding": ((1, 1), (1, 2))},
    "cropped": {"padding": ((-1, 2), (0, 0))},
    "inside": {"padding": "VALID"},
    "strides": {"window_strides": (2, 3), "padding": "SAME"},
    "dilated": {"padding": ((2, 2), (2, 2)), "rhs_dilation": (2, 2)},
    "transposed": {"padding": ((1, 2), (2, 2)), "lhs_dilation": (2, 2)},
    "groups": {"padding": "SAME", "feature_group_count": 2},
}


def numbers(kind: Any, *shape: int) -> np.ndarray:
    limits = np.iinfo(kind)
    return np.random.default_rng(sum(shape)).integers(limits.min, limits.max + 1, shape, kind)


def load(call: Call, *arrays: Any) -> tuple[hlo2tiny.Program, list[Op]]:
    """A program, and its ops."""
    exported = jax.export.export(jax.jit(call, keep_unused=True), platforms=["cpu"])(*arrays)
    program = hlo2tiny.load(str(exported.mlir_module()), "CPU")
    body = entry_function(program.module).body
    assert body is not None
    return program, [*body.ops]


def check(call: Call, *arrays: Any) -> None:
    program, ops = load(call, *arrays)
    ops = multiply_narrow(ops)
    kinds = {element_name(op.operands[0]) for op in ops if has(op, Trait.DOT) or has(op, Trait.CONVOLUTION)}
    assert kinds & {"i8", "ui8"}
    np.testing.assert_array_equal(program.numpy(*arrays)[0], np.asarray(jax.jit(call)(*arrays)))


@pytest.mark.parametrize("name", CONVOLUTIONS)
@pytest.mark.parametrize("layout", [LAST, FIRST], ids=["last", "first"])
@pytest.mark.parametrize("kind", [np.int8, np.uint8], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("zero", [None, -300, "given"])
@pytest.mark.sampled(6, ci=2, first=1)
def test_convolutions(name: str, layout: tuple[str, str, str], kind: Any, zero: Any) -> None:
    options: dict[str, Any] = {"window_strides": (1, 1)} | CONVOLUTIONS[name]
    x, w = numbers(kind, 3, 14, 13, 16), numbers(np.int8, 3, 3, 16 // options.get("feature_group_count", 1), 24)
    if layout is FIRST:
        x, w = x.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1)

    def call(x: jax.Array, w: jax.Array, z: jax.Array) -> jax.Array:
        wide = x.astype(jnp.int32)
        wide = wide if zero is None else wide - (z if zero == "given" else zero)
        return lax.conv_general_dilated(wide, w.astype(jnp.int32), dimension_numbers=layout, **options)

    check(call, np.ascontiguousarray(x), np.ascontiguousarray(w), np.int32(1 << 30))


@pytest.mark.parametrize("kinds", [(np.uint8, np.int8), (np.int8, np.uint8), (np.uint8, np.uint8)], ids=str)
@pytest.mark.parametrize("spelling", ["mk,kn->mn", "bkm,bnk->bmn", "abk,kn->abn", "bmk,nbk->bmn"])
@pytest.mark.parametrize("shifted", ["left", "right", "both"])
@pytest.mark.sampled(6, ci=2, first=1)
def test_products(kinds: tuple[Any, Any], spelling: str, shifted: str) -> None:
    sizes = {"m": 40, "k": 72, "n": 24, "b": 20, "a": 3}
    first, _, rest = spelling.partition(",")
    shapes = ([sizes[c] for c in letters] for letters in (first, rest.partition("->")[0]))
    x, w = (numbers(kind, *shape) for kind, shape in zip(kinds, shapes))

    def call(x: jax.Array, w: jax.Array, z: jax.Array, other: jax.Array) -> jax.Array:
        a, b = x.astype(jnp.int32), w.astype(jnp.int32)
        a = a if shifted == "right" else a - z
        return jnp.einsum(spelling, a, b if shifted == "left" else b - other)

    check(call, x, w, np.int32(121), np.int32(-(1 << 29)))


def test_others_stay() -> None:
    """Zero points of each row, which are no numbers, and products that are not of integers of 8 bits."""
    x, w, z = numbers(np.uint8, 64, 64), numbers(np.int16, 64, 64), np.arange(64, dtype=np.int32)
    calls: list[Call] = [
        lambda x, w, z: (x.astype(jnp.int32) - z) @ x.astype(jnp.int32),
        lambda x, w, z: (x.astype(jnp.int32) - 3) @ w.astype(jnp.int32),
    ]
    for call in calls:
        _, ops = load(call, x, w, z)
        assert multiply_narrow(ops) == ops
