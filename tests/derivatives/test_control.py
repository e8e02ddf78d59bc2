from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from derivatives.vjp import check, differentiated, normal
from hlo2tiny import UnsupportedOp, parse
from hlo2tiny.derivatives import gradient, tape


@pytest.mark.parametrize("chosen", [0, 1])
def test_cond(chosen: int) -> None:
    check(
        lambda p, x, y: lax.cond(p > 0, lambda a, b: (jnp.sin(a) * b, a), lambda a, b: (a, jnp.exp(b)), x, y),
        chosen,
        normal(3),
        normal(3),
    )


def test_switch() -> None:
    check(lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda v: v * 2, jnp.zeros_like], x), 1, normal(3))


def recurrent(x: Any, w: Any, h: Any) -> Any:
    def step(c: Any, r: Any) -> Any:
        c = jnp.tanh(c @ w + r)
        return c, (c * 2).sum()

    return lax.scan(step, h, x)


def test_scan() -> None:
    check(recurrent, normal(6, 3), normal(3, 3), normal(3))


def test_scan_backwards() -> None:
    check(lambda x: lax.scan(lambda c, r: (c * r, c + r), 1.0, x, reverse=True), normal(6))


def test_loops_in_loops() -> None:
    def nested(x: Any, w: Any) -> Any:
        def outer(c: Any, _: Any) -> Any:
            d, ys = lax.scan(lambda d, r: (jnp.sin(d) * r, d), c, w)
            return d + ys.sum(0), d

        return lax.scan(outer, x, None, length=3)

    check(nested, normal(4), normal(5, 4))


def test_choices_in_loops() -> None:
    rows = normal(5, 3)

    def function(x: Any, w: Any) -> Any:
        def step(c: Any, r: Any) -> Any:
            return lax.cond(r.sum() > 0, lambda c: jnp.tanh(c) * r, lambda c: c @ w, c), c

        return lax.scan(step, x, rows)

    check(function, normal(3), normal(3, 3))


def test_fori_loop() -> None:
    check(lambda x: lax.fori_loop(0, 5, lambda i, c: jnp.sin(c) * (i + 1), x), normal(4))


def test_a_loop_that_does_not_iteration() -> None:
    check(lambda x: lax.scan(lambda c, _: (c * 2, c), x, None, length=0), normal(4))


def test_a_loop_of_unknown_length_is_named() -> None:
    with pytest.raises(UnsupportedOp) as found:
        differentiated(lambda x: lax.while_loop(lambda c: c.sum() < 10, lambda c: c * 2, x), [normal(3)])
    message = str(found.value)
    assert "stablehlo.while: hlo2tiny cannot differentiate this op: the loop's trip count" in message
    assert found.value.line is not None
    assert "in the model: jit(<lambda>)/while" in message


def test_a_loop_of_unknown_length_that_does_not_matter() -> None:
    def function(x: Any) -> Any:
        count = lax.while_loop(lambda c: c < 100, lambda c: c * 3, x.shape[0])
        iterations, _ = lax.while_loop(
            lambda c: c[1] < 9.0, lambda c: (c[0] + 1, c[1] * 2), (0, lax.stop_gradient(x).sum())
        )
        return x * count * iterations

    check(function, np.array([1, 2, 3], np.float32))


def chain(calls: int) -> str:
    """Functions of which each calls the next one."""
    names = ["main", *(f"f{i}" for i in range(calls))]
    functions = [
        f"""func.func {"" if name == "main" else "private "}@{name}(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = func.call @{called}(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}}
"""
        for name, called in zip(names, [*names[1:], "last"])
    ]
    last = "  %0 = stablehlo.sine %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}"
    return "".join(functions) + "func.func private @last(%x: tensor<4xf32>) -> tensor<4xf32> {\n" + last


def test_a_chain_of_calls_costs_as_much_as_its_ops(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of a function is found once, and not again for each function that calls it."""
    asked: list[str] = []
    original = tape.Tape.active_results

    def active_results(self: tape.Tape, op: Any, *rest: Any) -> list[bool]:
        asked.append(op.name)
        return original(self, op, *rest)

    monkeypatch.setattr(tape.Tape, "active_results", active_results)
    counts = []
    for calls in (10, 20, 30):
        asked.clear()
        gradient(parse(chain(calls)), "main", [0])
        counts.append(len(asked))
    assert counts[2] - counts[1] == counts[1] - counts[0] <= 10 * 4, counts
