"""Windows of more elements than a kernel loads one by one: runs of elements that many windows share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import everywhere
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets.c.render import render_region

ARRAYS = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
TYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i8": np.int8, "ui16": np.uint16}


class Windows(NamedTuple):
    """The windows of a tensor, which overlap or not."""

    shape: Sequence[int]
    sizes: Sequence[int]
    strides: Sequence[int]
    dilations: Sequence[int]
    padding: Sequence[tuple[int, int]]


PLACED = [
    Windows((3, 200), (1, 50), (1, 1), (1, 1), ((0, 0), (49, 0))),  # sliding
    Windows((200, 3), (135, 1), (1, 1), (1, 1), ((3, 1), (0, 0))),
    Windows((400,), (133,), (2,), (2,), ((5, 7),)),
    Windows((2, 40, 41, 3), (1, 7, 7, 1), (1, 1, 1, 1), (1, 1, 1, 1), ((0, 0), (3, 3), (3, 3), (0, 0))),
    Windows((2, 40, 41, 3), (1, 9, 7, 1), (1, 2, 3, 1), (1, 3, 2, 1), ((0, 0), (0, 2), (1, 0), (0, 0))),
    Windows((2, 3, 65, 66), (1, 1, 32, 32), (1, 2, 32, 33), (1, 1, 1, 1), ((0, 0), (0, 0), (0, 0), (0, 0))),  # apart
    Windows((2, 7, 7, 5), (1, 7, 7, 1), (1, 1, 1, 1), (1, 1, 1, 1), ((0, 0), (0, 0), (0, 0), (0, 0))),  # one of all
    Windows((12, 1, 14), (5, 2, 5), (5, 4, 6), (1, 1, 1), ((3, 1), (3, 0), (3, 2))),  # some have only padding
]


def initial(op: str, type: str) -> tuple[float, str]:
    """The identity of an op, as a number and as text."""
    if op in ("add", "multiply"):
        return int(op == "multiply"), f"{int(op == 'multiply')}{'.0' * (type[0] == 'f')}"
    if type[0] == "f":
        bits = {"f32": ("0xFF800000", "0x7F800000"), "f64": ("0xFFF0000000000000", "0x7FF0000000000000")}[type]
        return (-np.inf, bits[0]) if op == "maximum" else (np.inf, bits[1])
    limits = np.iinfo(TYPES[type])
    number = limits.min if op == "maximum" else limits.max
    return int(number), str(number)


def expected(x: np.ndarray, op: str, start: float, w: Windows) -> np.ndarray:
    spans = [(size - 1) * dilation + 1 for size, dilation in zip(w.sizes, w.dilations)]
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, w.padding, constant_values=start), spans)
    steps = [slice(None, None, n) for n in (*w.strides, *w.dilations)]
    found = windows[tuple(steps)]
    return ARRAYS[op].reduce(found.reshape(*found.shape[: x.ndim], -1), -1, dtype=x.dtype)


def program(op: str, type: str, w: Windows, shape: Sequence[int]) -> str:
    named = lambda shape: f"tensor<{''.join(f'{n}x' for n in shape)}{type}>"
    listed = lambda numbers: f"array<i64: {', '.join(map(str, numbers))}>"
    return f"""func.func @main(%x: {named(w.shape)}) -> {named(shape)} {{
      %i = stablehlo.constant dense<{initial(op, type)[1]}> : {named(())}
      %r = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = {listed(w.sizes)},
        window_strides = {listed(w.strides)}, window_dilations = {listed(w.dilations)},
        padding = dense<{[list(p) for p in w.padding]}> : tensor<{len(w.shape)}x2xi64>}}> ({{
        ^bb0(%a: {named(())}, %b: {named(())}):
          %c = stablehlo.{op} %a, %b : {named(())}
          stablehlo.return %c : {named(())}
      }}) : ({named(w.shape)}, {named(())}) -> {named(shape)}
      return %r : {named(shape)}
    }}"""


def drawn(op: str, type: str, w: Windows) -> tuple[str, np.ndarray, np.ndarray]:
    """A program, its argument and its result, which is exact in any order."""
    random = np.random.default_rng(0)
    numbers = ([1, 3] if type[0] == "u" else [-1, 1]) if op == "multiply" else np.arange(0 if type[0] == "u" else -4, 5)
    x = random.choice(numbers, w.shape).astype(TYPES[type])
    y = expected(x, op, initial(op, type)[0], w)
    return program(op, type, w, y.shape), x, y


@pytest.mark.sampled(7)
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("op", ARRAYS)
@pytest.mark.parametrize("windows", PLACED, ids=str)
def test_long_windows(windows: Windows, op: str, type: str) -> None:
    text, x, y = drawn(op, type, windows)
    loaded = hlo2tiny.load(text, "CPU")
    kernels = [k.facts.name for step in loaded.plan.kernels() for k in render_region(step).kernels]
    assert "reduce_window" not in kernels  # which combines the elements of a window one after the other
    np.testing.assert_array_equal(loaded.numpy(x)[0], y)


@pytest.mark.parametrize("target", ["tinygrad", "cuda", "wasm"])
def test_long_windows_on_other_targets(target: str, tmp_path: Path) -> None:
    if reason := everywhere.lacking(target):
        pytest.skip(reason)
    each = [drawn(op, type, w) for w, op, type in zip(PLACED, 2 * [*ARRAYS], ["f32", "i32"] * 4)]
    cases = [everywhere.Case(str(n), text, [[x]]) for n, (text, x, _) in enumerate(each)]
    for answer, (_, _, y) in zip(everywhere.run(target, cases, tmp_path), each, strict=True):
        assert not isinstance(answer, Exception), answer
        np.testing.assert_array_equal(answer[0][0], y)
