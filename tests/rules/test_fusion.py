"""Reductions broadcast back through functions, as softmax and its kind do: kernels end and begin between all ops.

Whatever an op is fused with, its program is native code (a warning would be an error) and gives the same numbers as
the ops one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.ir import ComplexType, ElementType, ScalarType
from hlo2tiny.ops import OPS
from hlo2tiny.ops.types import is_of
from hlo2tiny.rules import RULES

from .numbers import expect_equal

SHAPE = (3, 5)
DTYPES = {
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f16": np.dtype(np.float16),
    "complex<f32>": np.dtype(np.complex64),
    "i32": np.dtype(np.int32),
}
REDUCTIONS = ("add", "multiply", "maximum", "minimum")
# Each op of one operand and no attributes, where it gives numbers or a truth value for each of its numbers.
UNARY = sorted(
    name
    for name, rule in RULES.items()
    if name.startswith(("stablehlo.", "chlo."))
    and rule.operands == (1, 1)
    and not (rule.host or rule.regions or any(rule.attributes.values()))
    and OPS[name].elements in ("Q -> Q", "Q -> B", "R -> Q")
)


def kind(element: str) -> str:
    return {"c": "c", "i": "i"}.get(element[0], "f")


def functions(element: str) -> list[str]:
    real = element.removeprefix("complex<").removesuffix(">")
    type: ElementType = ComplexType(ScalarType(real)) if real != element else ScalarType(element)
    return [name for name in UNARY if is_of(type, OPS[name].kinds)]


def reductions(element: str) -> Sequence[str]:
    return REDUCTIONS[:2] if kind(element) == "c" else REDUCTIONS


def gives(function: str, element: str) -> str:
    """The element type of an op's results."""
    if OPS[function].elements == "Q -> B":
        return "i1"
    real = OPS[function].elements == "R -> Q" and kind(element) == "c"
    return element[8:-1] if real else element


@dataclass(frozen=True)
class Stage:
    """A reduction along some axes, a function of it, and the same on all elements that were reduced."""

    function: str
    reduction: str
    axes: tuple[int, ...]
    reverses: bool = False

    def lines(self, element: str) -> list[list[str]]:
        """The ops from %x to %y, in parts that may be programs of their own: what a part gives is %y, too."""
        shape, kept = "3x5x", "".join(f"{1 if d in self.axes else size}x" for d, size in enumerate(SHAPE))
        less = "".join(f"{size}x" for d, size in enumerate(SHAPE) if d not in self.axes)
        found, zero = gives(self.function, element), "(0.0, 0.0)" if kind(element) == "c" else "0"
        if kind(element) == "f":
            zero = "0.0"
        axes = ", ".join(map(str, self.axes))
        reduce = [
            f"%z = stablehlo.constant dense<{zero}> : tensor<{element}>",
            f'%r = "stablehlo.reduce"(%x, %z) ({{ ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):',
            f"  %c = stablehlo.{self.reduction} %a, %b : tensor<{element}>",
            f"  stablehlo.return %c : tensor<{element}>",
            f"}}) {{dimensions = array<i64: {axes}>}} : (tensor<{shape}{element}>, tensor<{element}>)"
            f" -> tensor<{less}{element}>",
            f"%k = stablehlo.reshape %r : (tensor<{less}{element}>) -> tensor<{kept}{element}>",
        ]
        apply = [f'%f = "{self.function}"(%k) : (tensor<{kept}{element}>) -> tensor<{kept}{found}>']
        back = f"(tensor<{kept}{found}>) -> tensor<{shape}{found}>"
        combine = [f"%w = stablehlo.broadcast_in_dim %f, dims = [0, 1] : {back}"]
        source = "%x"
        if self.reverses:
            combine.append(f"%v = stablehlo.reverse %x, dims = [0, 1] : tensor<{shape}{element}>")
            source = "%v"
        if found == element:
            combine.append(f"%y = stablehlo.multiply {source}, %w : tensor<{shape}{element}>")
        elif found == "i1":
            types = f"tensor<{shape}i1>, tensor<{shape}{element}>"
            combine += [
                f"%u = stablehlo.add {source}, %x : tensor<{shape}{element}>",
                f"%y = stablehlo.select %w, {source}, %u : {types}",
            ]
        else:
            combine += [
                f"%u = stablehlo.complex %w, %w : tensor<{shape}{element}>",
                f"%y = stablehlo.multiply {source}, %u : tensor<{shape}{element}>",
            ]
        return [reduce, apply, combine]

    def whole(self, element: str) -> list[str]:
        return list(chain.from_iterable(self.lines(element)))

    def reduced(self, element: str) -> str:
        kept = "".join(f"{1 if d in self.axes else size}x" for d, size in enumerate(SHAPE))
        return f"tensor<{kept}{element}>"


def one_by_one(element: str, stages: Sequence[Stage], inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """What stages give when their parts are in programs of their own: reductions, functions and the rest."""
    lines = [[renamed(part, i, f"%x{i}") for part in s.lines(element)] for i, s in enumerate(stages)]
    whole = f"tensor<3x5x{element}>"
    before = [s.reduced(element) for s in stages]
    after = [s.reduced(gives(s.function, element)) for s in stages]
    reduces, applies, combines = (list(chain.from_iterable(parts)) for parts in zip(*lines))
    given = [(f"%x{i}", whole) for i in range(len(stages))]
    reduced = [(f"%k{i}", type) for i, type in enumerate(before)]
    applied = [(f"%f{i}", type) for i, type in enumerate(after)]
    ks = run(given, reduces, reduced, inputs)
    fs = run(reduced, applies, applied, ks)
    return list(run([*given, *applied], combines, [(f"%y{i}", whole) for i in range(len(stages))], [*inputs, *fs]))


def run(
    arguments: Sequence[tuple[str, str]],
    lines: Sequence[str],
    results: Sequence[tuple[str, str]],
    inputs: Sequence[np.ndarray],
) -> tuple[np.ndarray, ...]:
    """The results of a program of these lines; arguments and results are names with types."""
    names, types = (", ".join(column) for column in zip(*results))
    taken = ", ".join(f"{name}: {type}" for name, type in arguments)
    body = "\n  ".join([*lines, f"return {names} : {types}"])
    text = f"func.func @main({taken}) -> ({types}) {{\n  {body}\n}}"
    return hlo2tiny.load(text, device="CPU").numpy(*inputs)


def renamed(lines: Sequence[str], number: int, source: str) -> list[str]:
    """A stage's ops with names of their own."""
    values = [(f"%{letter}", f"%{letter}{number}") for letter in "zrabckfwvuy"]
    result = []
    for line in lines:
        for old, new in values:
            for end in " ,:)":
                line = line.replace(f"{old}{end}", f"{new}{end}")
        for end in " ,:)":
            line = line.replace(f"%x{end}", f"{source}{end}")
        result.append(line)
    return result


def numbers(element: str, seed: int) -> np.ndarray:
    """Numbers on whose sums and products most functions are defined."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0.05, 0.19, SHAPE)
    if kind(element) == "i":
        return rng.integers(-9, 9, SHAPE).astype(DTYPES[element])
    return (x + 1j * rng.uniform(0.05, 0.19, SHAPE) if kind(element) == "c" else x).astype(DTYPES[element])


@pytest.mark.sampled(8, ci=8)
@pytest.mark.parametrize("element", DTYPES)
def test_a_reduction_is_broadcast_back_through_each_function(element: str) -> None:
    names = functions(element)
    assert names
    axes = ((1,), (0,), (0, 1))
    stages = [
        Stage(name, reductions(element)[i % len(reductions(element))], axes[i % 3], i % 5 == 4)
        for i, name in enumerate(names)
    ]
    lines = [line for i, s in enumerate(stages) for line in renamed(s.whole(element), i, f"%x{i}")]
    whole = f"tensor<3x5x{element}>"
    inputs = [numbers(element, i) for i in range(len(stages))]
    places = range(len(stages))
    found = run([(f"%x{i}", whole) for i in places], lines, [(f"%y{i}", whole) for i in places], inputs)
    expect_equal(found, one_by_one(element, stages, inputs))


@st.composite
def chains(draw: st.DrawFn) -> tuple[str, list[Stage]]:
    element = draw(st.sampled_from(list(DTYPES)))
    stage = st.builds(
        Stage,
        st.sampled_from(functions(element)),
        st.sampled_from(reductions(element)),
        st.sampled_from([(0,), (1,), (0, 1)]),
        st.booleans(),
    )
    return element, draw(st.lists(stage, min_size=2, max_size=3))


@pytest.mark.ci
@given(chains())
def test_reductions_of_what_was_broadcast_back(drawn: tuple[str, list[Stage]]) -> None:
    element, stages = drawn
    x = expected = numbers(element, len(stages))
    lines, source = [], "%x"
    for i, stage in enumerate(stages):
        (expected,) = one_by_one(element, [stage], [expected])
        lines += renamed(stage.whole(element), i, source)
        source = f"%y{i}"
    whole = f"tensor<3x5x{element}>"
    expect_equal(run([("%x", whole)], lines, [(source, whole)], [x]), [expected])
