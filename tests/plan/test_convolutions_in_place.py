"""Convolutions by windows of one element, and gradients of these, as products of operands where they lie."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlo2tiny
from hlo2tiny.ir import Op
from hlo2tiny.ops import Trait, has
from hlo2tiny.plan.window_products import multiply_in_place

Call = Callable[..., Any]


def all_three(rank: int, letters: str, **options: Any) -> Call:
    """A convolution and the gradients of both operands, in a layout of the input and of the result."""
    images, spatial = letters.replace("S", "DHW"[-rank:]), "DHW"[-rank:]
    numbers = images, f"OI{spatial}", images
    options = {"window_strides": (1,) * rank, "padding": "VALID", "dimension_numbers": numbers} | options

    def call(x: jax.Array, w: jax.Array, y: jax.Array) -> Any:
        result, pull = jax.vjp(lambda x, w: lax.conv_general_dilated(x, w, **options), x, w)
        return result, *pull(y)

    return call


def arrays_of(letters: str, sizes: tuple[int, ...], dtype: Any, window: int = 1) -> list[np.ndarray]:
    random, sides = np.random.default_rng(len(sizes)), {"N": (3,), "C": (24,), "S": sizes}
    w = random.standard_normal((40, 24, *[window] * len(sizes)), np.float32).astype(dtype)
    x = random.standard_normal([n for c in letters for n in sides[c]], np.float32).astype(dtype)
    sides |= {"C": (40,), "S": tuple(size - window + 1 for size in sizes)}
    y = random.standard_normal([n for c in letters for n in sides[c]], np.float32).astype(dtype)
    return [x, w, y]


def text_of(call: Call, arrays: list[np.ndarray]) -> str:
    return str(jax.export.export(jax.jit(call), platforms=["cpu"])(*arrays).mlir_module())


def convolutions_of(text: str) -> list[Op]:
    return [op for op in hlo2tiny.load(text, "CPU").module.walk() if has(op, Trait.CONVOLUTION)]


@pytest.mark.parametrize(
    "dtype", [jnp.float32, jnp.float64, jnp.bfloat16, jnp.float16], ids=lambda t: jnp.dtype(t).name
)
@pytest.mark.parametrize("letters", ["NCS", "CNS", "NSC"])
@pytest.mark.parametrize("sizes", [(96,), (8, 12), (4, 6, 4)], ids=str)
@pytest.mark.sampled(4, ci=2)
def test_windows_of_one_element_are_products(
    dtype: Any, letters: str, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with jax.enable_x64(dtype == jnp.float64):
        call = all_three(len(sizes), letters)
        arrays = arrays_of(letters, sizes, dtype)
        text, expected = text_of(call, arrays), jax.jit(call)(*arrays)
        kept = [multiply_in_place(op) == (op,) for op in convolutions_of(text)]
        # Windows that are rows as they lie are read as such.
        assert kept == {"NCS": [False] * 3, "CNS": [False] * 3, "NSC": [True, False, True]}[letters]
        monkeypatch.setattr(
            import_module("hlo2tiny.plan.build"), "multiply_windows", lambda op, *how: multiply_in_place(op)
        )
        tolerance = 20 * float(jnp.finfo(dtype).eps)
        for found, wanted in zip(hlo2tiny.load(text, "CPU").numpy(*arrays), expected, strict=True):
            scale = np.abs(np.asarray(wanted, np.float64)).max()
            difference = np.abs(np.asarray(found, np.float64) - np.asarray(wanted, np.float64)).max()
            assert difference <= tolerance * scale


@pytest.mark.parametrize(
    ("sizes", "options", "window"),
    [
        ((7, 7), {}, 1),  # rows that are not aligned
        ((4, 8), {}, 1),  # short ones
        ((16, 16), {"window_strides": (2, 2)}, 1),
        ((16, 16), {"padding": ((1, 0), (0, 1))}, 1),
        ((16, 16), {}, 3),
    ],
)  # fmt: skip
def test_others_stay_convolutions(sizes: tuple[int, ...], options: dict[str, Any], window: int) -> None:
    call = all_three(2, "NCS", **options)
    x, w, _ = arrays_of("NCS", sizes, np.float32, window)
    how: dict[str, Any] = {"window_strides": (1, 1), "padding": "VALID"} | options
    y = jax.eval_shape(lambda x, w: lax.conv_general_dilated(x, w, **how), x, w)
    text = text_of(call, [x, w, np.zeros(y.shape, np.float32)])
    assert all(multiply_in_place(op) == (op,) for op in convolutions_of(text))


def test_gradients_of_small_images_with_many_features_stay() -> None:
    """The products of each example would be more memory than the operands."""
    x, w = np.zeros((8, 512, 8, 8), np.float32), np.zeros((512, 512, 1, 1), np.float32)
    ops = convolutions_of(text_of(all_three(2, "NCS"), [x, w, x]))
    assert [multiply_in_place(op) == (op,) for op in ops] == [False, True, False]
