"""Which values a plan stores for later runs of ops, and which these compute again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.plan import recomputing
from hlo2tiny.plan.plan import Kernels, Plan
from hlo2tiny.targets import target_of
from hlo2tiny.tinygrad.settings import lowering_settings
from hlo2tiny.verify.problems import verify
from hlo2tiny.verify.unwrap import unwrap

ROWS, WIDTH = 8192, 128  # 4 MiB of f32, 1 MiB of booleans
Shapes = Sequence[tuple[int, ...]]
SHAPES: Shapes = ((ROWS, WIDTH), (WIDTH, WIDTH), (WIDTH,))


def plan_of(
    function: Callable[..., Any], shapes: Shapes = SHAPES, device: str = "CUDA", dtype: Any = np.float32
) -> Plan:
    arguments = [jax.ShapeDtypeStruct(shape, dtype) for shape in shapes]
    module = hlo2tiny.parse(str(jax.export.export(jax.jit(function))(*arguments).mlir_module()))
    verify(module, ())
    with lowering_settings(device):
        return target_of(device).plan(unwrap(module), "main")


def stored(plan: Plan) -> list[str]:
    """The types of the large values that regions write, other than results."""
    block, found = plan.main, []
    for step in block.steps:
        for n in step.outputs if isinstance(step, Kernels) else ():
            size = recomputing.size_of(step.results[step.outputs.index(n)])
            if n not in block.outputs and size >= recomputing.LEAST:
                found.append(str(block.types[n]).removeprefix("tensor<").removesuffix(">"))
    return found


WHOLE = f"{ROWS}x{WIDTH}xf32"


def normed(x: jax.Array) -> jax.Array:
    mean = x.mean(0)
    return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(0) + 1e-3)


def loss(x: jax.Array, w: jax.Array, b: jax.Array) -> jax.Array:
    """Two layers with batch norm and a mask."""
    for _ in range(2):
        x = jax.nn.relu(normed(x @ w) + b)
    return jnp.sum(x * x)


def test_the_backward_pass_computes_differences_and_masks_again() -> None:
    """What remains are operands of products."""
    gradients = plan_of(jax.grad(loss, (1, 2)))
    operands = {n for step in gradients.main.steps if not isinstance(step, Kernels) for n in step.reads}
    found = stored(gradients)
    assert found and set(found) == {WHOLE}
    written = [n for s in gradients.main.steps if isinstance(s, Kernels) for n in s.outputs]
    large = [n for n in written if str(gradients.main.types[n]) == f"tensor<{WHOLE}>"]
    assert set(large) <= operands | set(gradients.main.outputs)


def test_the_cpu_stores_them() -> None:
    assert f"{ROWS}x{WIDTH}xi1" in stored(plan_of(jax.grad(loss, (1, 2)), device="CPU"))


def test_narrow_arrays_are_widened_again() -> None:
    def function(x: jax.Array, w: jax.Array, b: jax.Array) -> Any:
        wide = x.astype(jnp.float32) * 2
        y = (wide.sum(0) @ w.astype(jnp.float32)) @ w.astype(jnp.float32)
        return (wide + y).sum(1)

    assert stored(plan_of(function, dtype=jnp.bfloat16)) == []


# Values that later runs read, and that stay stored.
KEPT: dict[str, tuple[Callable[..., Any], int]] = {
    # Two arrays would be read instead of one, and both of them kept.
    "a sum of two": (lambda x, w, b: (s := jnp.cos(x) + jnp.sin(x), (s.sum(0) @ w) @ w + s), 1),
    "a costly function": (lambda x, w, b: (s := jnp.exp(x), (s.sum(0) @ w) @ w + s), 1),
    # The product adds the bias itself, so that its own result is never stored.
    "a product and its bias": (lambda x, w, b: (s := x @ w + b, (jnp.tanh(s) @ w) @ w + s), 2),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_would_cost_more_is_stored(name: str) -> None:
    function, count = KEPT[name]
    assert stored(plan_of(lambda *x: jnp.sum(function(*x)[1], 1))) == [WHOLE] * count


def decays(x: jax.Array, w: jax.Array, b: jax.Array) -> Any:
    """What differences of small numbers are a function of, as in a linear attention with decays."""
    return jnp.exp(x[:, :1] - b) * (x @ w)


# Functions that only one op after a product reads.
MOVED: dict[str, Callable[..., Any]] = {
    "a gate": lambda x, w, b: jax.nn.silu(x) * (x @ w),
    "decays": decays,
    "a costly function": lambda x, w, b: (jnp.tanh(x) ** b) / (x @ w),
}


@pytest.mark.parametrize("name", MOVED)
def test_functions_that_are_read_once_are_computed_there(name: str) -> None:
    assert stored(plan_of(lambda *x: jnp.sum(MOVED[name](*x), 1))) == []


# Functions that would be computed more often than before.
REPEATED: dict[str, Callable[..., Any]] = {
    "two readers": lambda x, w, b: ((s := jnp.exp(x)) * (x @ w)) / (s + 1),
    "for all of a batch": lambda x, w, b: jnp.exp(x) * (x * jnp.arange(3.0)[:, None, None] @ w),
}


@pytest.mark.parametrize("name", REPEATED)
def test_functions_are_not_computed_more_often(name: str) -> None:
    computed = [
        op.name
        for step in plan_of(lambda *x: jnp.sum(REPEATED[name](*x), 1)).main.steps
        if isinstance(step, Kernels)
        for op in step.ops
        if op.name == "stablehlo.exponential"
    ]
    assert len(computed) == 1


def test_small_values_are_stored() -> None:
    function = lambda x, w, b: (s := x * 2, (s.sum(0) @ w) @ w + s)[1]
    plan = plan_of(function, ((64, WIDTH), (WIDTH, WIDTH), (WIDTH,)))
    assert plan.main.steps and recomputing.LEAST > 4 * 64 * WIDTH
    first = next(step for step in plan.main.steps if isinstance(step, Kernels))
    assert any(str(plan.main.types[n]) == f"tensor<64x{WIDTH}xf32>" for n in first.outputs)


def update_read(x: jax.Array, w: jax.Array, b: jax.Array) -> Any:
    wide = x * 2
    y = (wide.sum(0) @ w) @ w
    return jax.lax.dynamic_update_slice(wide, y[None], (jnp.int32(b[0]), 0)), y


def update_before(x: jax.Array, w: jax.Array, b: jax.Array) -> Any:
    """x would have to stay as it was."""
    wide = x * 2
    y = (wide.sum(0) @ w) @ w
    new = jax.lax.dynamic_update_slice(x, y[None], (0, 0))
    return new, wide + y + (new.sum(0) @ w) @ w


@pytest.mark.parametrize("function", [update_read, update_before])
def test_nothing_is_computed_again_for_updates_or_after_them(function: Callable[..., Any]) -> None:
    computed = [op for step in plan_of(function).main.steps if isinstance(step, Kernels) for op in step.ops]
    assert sum(op.name == "stablehlo.multiply" for op in computed) == 1
