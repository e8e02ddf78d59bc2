"""Matrix products, against numpy.einsum."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .cases import case, new_tests
from .mlir import Call
from .numbers import bf16, boolean, c64, f32, f64, i8, i32, is_floating, random, seeds, u8

LETTERS = "abcdefgh"


def product(a: np.ndarray, b: np.ndarray, formula: str, out: np.dtype) -> np.ndarray:
    if a.dtype == boolean:
        return np.einsum(formula, a.astype(i32), b.astype(i32)) > 0
    if a.dtype.kind == "c":
        return np.einsum(formula, a, b).astype(out)
    work = f64 if is_floating(a.dtype) else np.dtype(np.int64)
    return np.einsum(formula, a.astype(work), b.astype(work)).astype(out)


def dotted(a: str, b: str, dtype: np.dtype, seed: int = 0, out: np.dtype | None = None, size: int = 0) -> Call:
    """Operands named by letters as in einsum: A in both operands is a batch dimension, x and y are contracted."""
    sizes = {"A": 2, "B": 3, "x": size or 3, "y": 2, "m": 2, "n": 4, "k": 1, "z": 0}
    whole = [random(seed + i, [sizes[d] for d in dims], dtype) for i, dims in enumerate((a, b))]
    if is_floating(dtype) or dtype.kind == "c":
        whole = [np.round(x.astype(dtype if dtype.kind == "c" else f64)).astype(dtype) for x in whole]
    batch, contracted = ([d for d in a if d in b and d.isupper() == upper] for upper in (True, False))
    free = [d for d in a if d not in b] + [d for d in b if d not in a]
    formula = f"{a},{b}->{''.join(batch + free)}"
    numbers = {
        "lhs_batching_dimensions": [a.index(d) for d in batch],
        "rhs_batching_dimensions": [b.index(d) for d in batch],
        "lhs_contracting_dimensions": [a.index(d) for d in contracted],
        "rhs_contracting_dimensions": [b.index(d) for d in contracted],
    }
    text = f"#stablehlo.dot<{', '.join(f'{n} = {v}' for n, v in numbers.items())}>"
    return Call(whole, {"dot_dimension_numbers": text}, result=lambda a, b, **_: product(a, b, formula, out or dtype))


FORMS = [
    ("mx", "xn"),
    ("x", "x"),
    ("Amx", "Axn"),
    ("xAm", "nxA"),
    ("mxy", "yxn"),
    ("m", "n"),
    ("mBxA", "AxBn"),
    ("", "n"),
]
WRONG = (random(0, (2, 3), f32), random(0, (4, 2), f32))
NUMBERS = "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"

case(
    "stablehlo.dot_general",
    draw=st.builds(
        lambda seed, form, dtype: dotted(*form, dtype, seed),
        seeds,
        st.sampled_from(FORMS),
        st.sampled_from([f32, f64, i32, bf16, i8]),
    ),
    ref=None,
    tol=1,  # the sign of a zero sum
    examples=[
        *(dotted("Amx", "Axn", dtype) for dtype in (f32, c64, boolean, u8, bf16)),
        *(dotted(a, b, f32) for a, b in FORMS),
        # The result's type may be wider than the operands'.
        dotted("mx", "xn", i8, out=i32),
        dotted("mx", "xn", bf16, out=f32),
        dotted("mz", "zn", f32),
        dotted("zx", "xn", f32),
    ],
    errors=[
        (Call(WRONG, {"dot_dimension_numbers": NUMBERS}, "tensor<2x2xf32>"), ""),
        (Call(WRONG, {}, "tensor<2x2xf32>"), "lacks the attribute 'dot_dimension_numbers'"),
    ],
)


def simple(a: tuple[int, ...], b: tuple[int, ...], dtype: np.dtype, seed: int = 0) -> Call:
    whole: list[Any] = [np.round(random(seed + i, s, dtype).astype(f64)).astype(dtype) for i, s in enumerate((a, b))]
    return Call(whole, result=lambda a, b: np.asarray(np.dot(a.astype(f64), b.astype(f64))).astype(dtype))


case(
    "stablehlo.dot",
    draw=st.builds(
        lambda seed, m, k, n: simple((m, k), (k, n), f32, seed),
        seeds,
        st.integers(1, 4),
        st.integers(0, 3),
        st.integers(1, 3),
    ),
    ref=None,
    examples=[
        simple((3,), (3,), f32),
        simple((2, 3), (3,), bf16),
        simple((3,), (3, 2), f64),
        simple((2, 3), (3, 4), f32),
    ],
    errors=[(Call(WRONG, results="tensor<2x2xf32>"), "")],
)

test_drawn, test_examples, test_errors = new_tests()
