"""Convolution, against the specification's definition written as loops."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .cases import case, new_tests
from .mlir import Call
from .numbers import bf16, c64, f32, f64, i8, random, seeds

PLAIN = ("[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", (0, 1, 2, 3), (0, 1, 2, 3), (0, 1, 2, 3))
CHANNELS_LAST = ("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", (0, 3, 1, 2), (3, 2, 0, 1), (0, 3, 1, 2))


def convolved(
    lhs: tuple[int, ...],
    rhs: tuple[int, ...],
    dtype: np.dtype = f32,
    seed: int = 0,
    layout: tuple[Any, ...] = PLAIN,
    groups: int = 1,
    batch_groups: int = 1,
    strides: tuple[int, ...] = (1, 1),
    padding: tuple[tuple[int, int], ...] = ((0, 0), (0, 0)),
    lhs_dilation: tuple[int, ...] = (1, 1),
    rhs_dilation: tuple[int, ...] = (1, 1),
    reversal: tuple[bool, ...] = (False, False),
) -> Call:
    """Shapes are (batch, feature, spatial…) and (output feature, input feature, spatial…), laid out by `layout`."""
    text, x_order, w_order, y_order = layout

    def result(x: np.ndarray, w: np.ndarray, **_: Any) -> np.ndarray:
        x, w = x.transpose(x_order), w.transpose(w_order)
        work = np.complex128 if dtype.kind == "c" else f64
        wide = np.zeros((*x.shape[:2], *((s - 1) * d + 1 for s, d in zip(x.shape[2:], lhs_dilation))), work)
        wide[:, :, :: lhs_dilation[0], :: lhs_dilation[1]] = x
        wide = np.pad(wide, ((0, 0), (0, 0), *((max(lo, 0), max(hi, 0)) for lo, hi in padding)))
        cut = [slice(max(-lo, 0), s - max(-hi, 0)) for (lo, hi), s in zip(padding, wide.shape[2:])]
        wide = wide[:, :, cut[0], cut[1]]
        w = w[:, :, :: -1 if reversal[0] else 1, :: -1 if reversal[1] else 1].astype(work)
        out, inner, *kernel = w.shape
        reach = [(k - 1) * d + 1 for k, d in zip(kernel, rhs_dilation)]
        sizes = [max(0, (s - r) // t + 1) for s, r, t in zip(wide.shape[2:], reach, strides)]
        batch = x.shape[0] // batch_groups
        y = np.zeros((batch, out, *sizes), work)
        for o in range(out):
            first = o // (out // groups) * inner
            rows = slice(o // (out // batch_groups) * batch, (o // (out // batch_groups) + 1) * batch)
            for i, j in np.ndindex(*sizes):
                at = [slice(p * t, p * t + r, d) for p, t, r, d in zip((i, j), strides, reach, rhs_dilation)]
                y[:, o, i, j] = (wide[rows, first : first + inner, at[0], at[1]] * w[o]).sum((1, 2, 3))
        return y.transpose(np.argsort(y_order)).astype(dtype)

    whole = [random(seed, lhs, dtype, -4, 4), random(seed + 1, rhs, dtype, -4, 4)]
    whole = [x if dtype == i8 else np.round(x.astype(f64 if dtype.kind != "c" else dtype)).astype(dtype) for x in whole]
    operands = [x.transpose(np.argsort(order)).copy() for x, order in zip(whole, (x_order, w_order))]
    attributes = {
        "dimension_numbers": f"#stablehlo.conv<{text}>",
        "feature_group_count": groups,
        "batch_group_count": batch_groups,
        "window_strides": strides,
        "padding": np.array(padding),
        "lhs_dilation": lhs_dilation,
        "rhs_dilation": rhs_dilation,
        "window_reversal": reversal,
    }
    return Call(operands, attributes, result=result)


pairs = st.tuples(st.integers(1, 2), st.integers(1, 2))
case(
    "stablehlo.convolution",
    draw=st.builds(
        lambda seed, layout, strides, pad, dilations, reversal: convolved(
            (2, 2, 4, 5), (3, 2, 2, 3), f32, seed, layout, 1, 1, strides, (pad, pad[::-1]), *dilations, reversal
        ),
        seeds,
        st.sampled_from([PLAIN, CHANNELS_LAST]),
        pairs,
        st.tuples(st.integers(0, 2), st.integers(1, 2)),
        st.tuples(pairs, pairs),
        st.tuples(st.booleans(), st.booleans()),
    ),
    ref=None,
    tol=1,  # the sign of a zero sum
    examples=[
        *(convolved((1, 2, 3, 4), (2, 2, 2, 2), dtype) for dtype in (f64, bf16, i8, c64)),
        convolved((2, 4, 3, 3), (6, 2, 2, 2), groups=2),
        convolved((4, 3, 3, 3), (4, 3, 2, 2), batch_groups=2),
        convolved((1, 3, 4, 4), (3, 1, 3, 3), groups=3, padding=((1, 1), (1, 1)), layout=CHANNELS_LAST),
        # Each feature by itself.
        *(
            convolved(
                (2, 3, 6, 7),
                (3, 1, 2, 3),
                dtype,
                0,
                PLAIN,
                3,
                1,
                (2, 1),
                ((1, 0), (-1, 2)),
                (1, 2),
                (2, 1),
                (True, False),
            )
            for dtype in (f32, bf16, i8)
        ),
        convolved((2, 2, 9, 10), (2, 1, 7, 6), groups=2, padding=((3, 3), (2, 0)), layout=CHANNELS_LAST),  # two kernels
        convolved((1, 1, 5, 40), (1, 1, 2, 33), bf16, padding=((0, 1), (0, 0)), reversal=(False, True)),
        convolved((1, 1, 5, 5), (1, 1, 2, 2), padding=((-1, 2), (1, -2))),
        convolved((1, 1, 2, 2), (1, 1, 3, 3)),
        convolved((0, 2, 3, 3), (2, 2, 2, 2)),
        convolved((1, 2, 3, 3), (2, 2, 3, 3), lhs_dilation=(2, 3), padding=((2, 2), (2, 2)), reversal=(True, True)),
    ],
)

test_drawn, test_examples, _ = new_tests()
