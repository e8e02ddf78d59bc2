"""Regions for reductions, scatters and sorts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .mlir import Body
from .numbers import type_of


def scalars(count: int, dtype: np.dtype) -> tuple[str, str]:
    kind = type_of(np.zeros((), dtype))
    return ", ".join(f"%a{i}: {kind}" for i in range(count)), kind


def binary(op: str, dtype: np.dtype, function: Callable[..., Any]) -> Body:
    """A region of one op on its two arguments."""
    arguments, t = scalars(2, dtype)
    text = f'{{ ^bb0({arguments}): %r = "{op}"(%a0, %a1) : ({t}, {t}) -> {t} "stablehlo.return"(%r) : ({t}) -> () }}'
    return Body(text, lambda a, b: (np.asarray(function(a, b)).astype(dtype),))


def second(dtype: np.dtype) -> Body:
    """The region that keeps its second argument: a scatter that replaces."""
    arguments, t = scalars(2, dtype)
    return Body(f'{{ ^bb0({arguments}): "stablehlo.return"(%a1) : ({t}) -> () }}', lambda a, b: (b,))


def mixed(dtype: np.dtype) -> Body:
    """a * 3 + b, whose order matters."""
    arguments, t = scalars(2, dtype)
    text = f"""{{ ^bb0({arguments}): %c = "stablehlo.constant"() <{{value = dense<3> : {t}}}> : () -> {t}
 %m = "stablehlo.multiply"(%a0, %c) : ({t}, {t}) -> {t} %r = "stablehlo.add"(%m, %a1) : ({t}, {t}) -> {t}
 "stablehlo.return"(%r) : ({t}) -> () }}"""
    return Body(text.replace("\n", ""), lambda a, b: (np.asarray(a * 3 + b).astype(dtype),))


def compared(dtype: np.dtype, direction: str, pairs: int = 1, kind: str = "") -> Body:
    """A comparison of the first two arguments; `pairs` of one type in all."""
    arguments, t = scalars(2 * pairs, dtype)
    how = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
    how += f", compare_type = #stablehlo<comparison_type {kind}>" if kind else ""
    text = f"""{{ ^bb0({arguments}): %r = "stablehlo.compare"(%a0, %a1) <{{{how}}}> : ({t}, {t}) -> tensor<i1>
 "stablehlo.return"(%r) : (tensor<i1>) -> () }}"""
    functions = {"LT": np.less, "GT": np.greater, "GE": np.greater_equal, "LE": np.less_equal}
    return Body(text.replace("\n", ""), lambda a, b, *_: functions[direction](a, b))
