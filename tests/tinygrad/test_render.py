"""What all printed kernels have in common."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

import numpy as np
import pytest
from tinygrad import dtypes
from tinygrad.uop.ops import Ops, UOp

import hlo2tiny
from hlo2tiny.plan import build
from hlo2tiny.plan.plan import Plan
from hlo2tiny.targets.c import render as c
from hlo2tiny.targets.cuda import render as cuda
from hlo2tiny.targets.web import render as web
from hlo2tiny.tinygrad.render import deep_operations

# Of brackets inside each other, which older versions of clang take.
MOST = 256


def chain(count: int, ops: tuple[str, ...], type: str) -> str:
    lines = [f"%r{i + 1} = stablehlo.{ops[i % len(ops)]} %r{i}, %y : {type}" for i in range(count)]
    body = "\n".join([*lines, f"return %r{count} : {type}"])
    return f"func.func @main(%r0: {type}, %y: {type}) -> {type} {{\n{body}\n}}"


def plan_of(text: str, native: bool) -> Plan:
    return build(hlo2tiny.parse(text), products=native)


def in_c(text: str) -> list[str]:
    return [kernel.body for step in plan_of(text, True).kernels() for kernel in c.render_region(step).kernels]


def in_cuda(text: str) -> list[str]:
    steps = plan_of(text, False).kernels()
    return [kernel.body for step in steps for kernel in cuda.render_region(step, "CUDA", "sm_90").kernels]


def in_wgsl(text: str) -> list[str]:
    return [kernel.text for step in plan_of(text, False).kernels() for kernel in web.render_region(step).kernels]


def depth(text: str) -> int:
    return max(accumulate({"(": 1, ")": -1}.get(c, 0) for c in text))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("render", [in_c, in_cuda, in_wgsl])
@pytest.mark.parametrize("ops", [("add",), ("multiply", "add", "maximum", "divide", "subtract")], ids=lambda x: x[0])
@pytest.mark.parametrize("type", ["tensor<4xf32>", "tensor<f32>"])
def test_expressions_end(render: Callable[[str], list[str]], ops: tuple[str, ...], type: str) -> None:
    """A chain of 342 additions had more than 2,048 brackets inside each other, which no compiler takes."""
    texts = render(chain(500, ops, type))
    assert texts and max(map(depth, texts)) < MOST


@pytest.mark.parametrize(
    ("executor", "type"), [("", "tensor<f32>"), ("", "tensor<4xf16>"), ("tinygrad", "tensor<f32>")]
)
def test_long_chains_compute_what_short_ones_do(executor: str, type: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", executor)
    ops = ("add", "multiply", "subtract", "maximum", "divide")
    dtype = np.float16 if "f16" in type else np.float32
    shape = () if "<f" in type else (4,)
    x, y = (np.full(shape, n, dtype) for n in (0.3, 1.7))
    (found,) = hlo2tiny.load(chain(500, ops, type), device="CPU").numpy(x, y)
    for i in range(500):
        x = getattr(np, ops[i % len(ops)])(x, y)
    np.testing.assert_array_equal(found, x)


def test_an_expression_ends_once_for_each_depth() -> None:
    x = UOp.param(0, dtypes.float32, ())
    uops = [x]
    for _ in range(1000):
        uops.append(UOp(Ops.SQRT, src=(uops[-1],)))
    ends = deep_operations(uops)
    assert 1000 // 64 - 1 <= len(ends) <= 1000 // 64 + 1


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_signs_are_changed_by_arithmetic(type: str) -> None:
    """Not by bits, which rules write, as compilers then find no vectors where a kernel reads neighbours."""
    text = f"""func.func @main(%x: tensor<5x{type}>) -> (tensor<5x{type}>, tensor<5x{type}>) {{
      %0 = stablehlo.negate %x : tensor<5x{type}>
      %1 = stablehlo.abs %x : tensor<5x{type}>
      return %0, %1 : tensor<5x{type}>, tensor<5x{type}>
    }}"""
    assert not any("^" in body or "&" in body for body in in_c(text))
    x = np.array([-0.0, 0, -np.inf, 3, np.nan], f"f{type[1:]}".replace("32", "4").replace("64", "8"))
    negated, sizes = hlo2tiny.load(text, "CPU").numpy(x)
    assert negated.tobytes() == (-x).tobytes() and sizes.tobytes() == np.abs(x).tobytes()
