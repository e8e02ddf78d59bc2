"""Batch normalisation, against the specification's formulas in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .cases import case, new_tests
from .mlir import Call
from .numbers import FLOATS, f32, f64, random, seeds


class Formulas:
    """Ops that round to the operand's type; sums are exact before that."""

    def __init__(self, x: np.ndarray, epsilon: str, feature_index: int) -> None:
        self.x, self.dtype = x, x.dtype
        self.epsilon = np.asarray(float(epsilon.split()[0])).astype(x.dtype)
        self.axes = tuple(d for d in range(x.ndim) if d != feature_index)
        self.shape = [size if d == feature_index else 1 for d, size in enumerate(x.shape)]

    def broadcast(self, v: np.ndarray) -> np.ndarray:
        return v.reshape(self.shape)

    def sum(self, v: np.ndarray) -> np.ndarray:
        return np.asarray(v.astype(f64).sum(self.axes)).astype(self.dtype)

    @property
    def count(self) -> np.ndarray:
        return np.asarray(np.prod([self.x.shape[d] for d in self.axes])).astype(self.dtype)

    def mean(self, v: np.ndarray) -> np.ndarray:
        return self.sum(v) / self.count

    def deviation(self, variance: np.ndarray) -> np.ndarray:
        return np.sqrt(self.broadcast(variance + self.epsilon))


def inference(x: Any, scale: Any, offset: Any, mean: Any, variance: Any, *, epsilon: str, feature_index: int) -> Any:
    f = Formulas(x, epsilon, feature_index)
    unit = (x - f.broadcast(mean)) / f.deviation(variance)
    return f.broadcast(scale) * unit + f.broadcast(offset)


def training(x: Any, scale: Any, offset: Any, *, epsilon: str, feature_index: int) -> Any:
    f = Formulas(x, epsilon, feature_index)
    mean = f.mean(x)
    variance = f.mean((x - f.broadcast(mean)) ** 2)
    return inference(x, scale, offset, mean, variance, epsilon=epsilon, feature_index=feature_index), mean, variance


def gradient(x: Any, scale: Any, mean: Any, variance: Any, grad: Any, *, epsilon: str, feature_index: int) -> Any:
    f = Formulas(x, epsilon, feature_index)
    centred, deviation = x - f.broadcast(mean), f.deviation(variance)
    along = f.broadcast(f.sum(grad * centred)) * centred / f.broadcast(variance + f.epsilon)
    total = grad * f.count - f.broadcast(f.sum(grad)) - along
    grad_scale = f.sum(grad * (centred / deviation))
    return f.broadcast(scale) / deviation / f.count * total, grad_scale, f.sum(grad)


def call(shape: tuple[int, ...], axis: int, dtype: np.dtype, kinds: str, seed: int = 0, epsilon: float = 0.125) -> Call:
    """Operands by kind: x of the whole shape, f one for each feature, v likewise but not negative, o large."""
    ranges = {"v": (0.5, 4), "o": (20, 24)}
    operands = []
    for i, kind in enumerate(kinds):
        size = shape if kind == "x" else (shape[axis],)
        drawn = random(seed + i, size, f64, *ranges.get(kind, (-4, 4)))
        # Sixteenths: sums of few are exact, so that only the steps round.
        operands.append((np.round(drawn * 16) / 16).astype(dtype))
    return Call(operands, {"epsilon": f"{epsilon} : f32", "feature_index": axis})


INFERENCE, TRAINING, GRADIENT = "xfofv", "xfo", "xffvx"
SHAPES = [
    ((4, 3), 1),
    ((4, 3), 0),
    ((2, 3, 4, 2), 1),
    ((2, 3, 4, 2), 3),
    ((3,), 0),
    ((1, 3), 1),
    ((2, 0, 3), 2),
    ((2, 0), 1),
]


def rows(kinds: str) -> list[Call]:
    return [
        *(call((2, 3, 4), 1, dtype, kinds) for dtype in FLOATS),
        *(call(shape, axis, f32, kinds) for shape, axis in SHAPES),
        call((2, 3, 4), 2, f64, kinds, epsilon=0.0),
        call((2, 3, 4), 2, f32, kinds, epsilon=1e-3),
    ]


def drawn(kinds: str) -> st.SearchStrategy[Call]:
    return st.builds(
        lambda seed, form, dtype: call(*form, dtype, kinds, seed),
        seeds,
        st.sampled_from(SHAPES[:5]),
        st.sampled_from(FLOATS),
    )


def errors(kinds: str, results: int) -> list[tuple[Call, str]]:
    good = call((2, 3), 1, f32, kinds)
    types = ", ".join(["tensor<2x3xf32>", "tensor<3xf32>", "tensor<3xf32>"][:results])
    short = [x[:2] if x.ndim == 1 else x for x in good.operands]
    mixed = [x.astype(f64) if x.ndim == 1 else x for x in good.operands]
    return [
        (Call(good.operands, {**good.attributes, "feature_index": 2}, types), "C1"),
        (Call(mixed, good.attributes, types), "expected elements of f32"),
        (Call(short, good.attributes, types), "the shape .3."),
    ]


# Divisions round otherwise than numpy's, by one unit, and the sums after them may cancel.
TOL = 16
ORACLES = {
    "interpreter": "has no batch normalisation",
    "xla": ("rounds other steps to 16 bits, which cancel", lambda call: call.operands[0].dtype.itemsize == 2),
}
case(
    "stablehlo.batch_norm_inference",
    ref=inference,
    tol=TOL,
    disagree=ORACLES,
    draw=drawn(INFERENCE),
    examples=rows(INFERENCE),
    errors=errors(INFERENCE, 1),
)
case(
    "stablehlo.batch_norm_training",
    ref=training,
    tol=TOL,
    disagree=ORACLES,
    draw=drawn(TRAINING),
    examples=rows(TRAINING),
    errors=errors(TRAINING, 3),
)
case(
    "stablehlo.batch_norm_grad",
    ref=gradient,
    tol=4 * TOL,  # the terms of a scale's gradient may cancel
    disagree=ORACLES,
    draw=drawn(GRADIENT),
    examples=rows(GRADIENT),
    errors=errors(GRADIENT, 3),
)

test_drawn, test_examples, test_errors = new_tests()
