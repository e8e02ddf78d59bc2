"""What loops carry unchanged, and what repeats it, is computed where they read it."""

from __future__ import annotations

from math import prod

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlo2tiny
from hlo2tiny.plan import build
from hlo2tiny.plan.plan import Plan, While


def sizes_of(plan: Plan) -> set[int]:
    return {prod(type.shape) for block in plan.blocks() for type in block.types}


def steps_of(kept: str) -> str:
    """A loop that carries a mask of 64 numbers repeated 1,000 times, and a number repeated as often."""

    def function(x, mask, number):
        large = jnp.broadcast_to(mask, x.shape), jnp.broadcast_to(number, x.shape)

        def body(carry):
            i, x, mask, number = carry
            return i + 1, jnp.where(mask, x * 1.5, number), mask, number

        _, x, mask, number = lax.while_loop(lambda c: c[0] < 5, body, (0, x, *large))
        return (x, mask.sum()) if kept == "kept" else x

    shapes = (1000, 64), (64,), ()
    types = np.float32, np.bool_, np.float32
    arrays = [jax.ShapeDtypeStruct(*each) for each in zip(shapes, types)]
    return str(jax.export.export(jax.jit(function))(*arrays).mlir_module())


@pytest.mark.parametrize("kept", ["kept", "not kept"])
def test_repeated_carries_are_no_buffers(kept: str) -> None:
    text = steps_of(kept)
    plan = build(hlo2tiny.parse(text))
    (loop,) = (step for step in plan.main.steps if isinstance(step, While))
    assert len(loop.carries) == 2 and len(loop.captures) == 2
    random = np.random.default_rng(0)
    x, mask, number = random.standard_normal((1000, 64), np.float32), random.random(64) > 0.5, np.float32(0.25)
    found = hlo2tiny.load(text).numpy(x, mask, number)
    results = found if isinstance(found, tuple | list) else [found]
    np.testing.assert_allclose(results[0], np.where(mask, x * np.float32(1.5) ** 5, number), rtol=1e-6)
    if kept == "kept":
        assert int(results[1]) == 1000 * mask.sum()


def test_a_loop_of_no_iterations_gives_what_it_began_with() -> None:
    def function(x, n):
        large = jnp.broadcast_to(x, (50, 8))
        return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1], c[2] + c[1]), (0, large, large))

    arrays = jax.ShapeDtypeStruct((8,), np.float32), jax.ShapeDtypeStruct((), np.int32)
    program = hlo2tiny.load(str(jax.export.export(jax.jit(function))(*arrays).mlir_module()))
    x = np.arange(8, dtype=np.float32)
    for n in (0, 3):
        count, same, summed = program.numpy(x, np.int32(n))
        assert int(count) == n
        np.testing.assert_array_equal(same, np.broadcast_to(x, (50, 8)))
        np.testing.assert_array_equal(summed, np.broadcast_to(x * (n + 1), (50, 8)))
