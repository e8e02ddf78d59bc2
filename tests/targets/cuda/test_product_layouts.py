"""Products write their results in the order in which the program reads them, as cuBLASLt's descriptions say."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_epilogues import fused, text_of

from hlo2tiny.plan.plan import Gemm, Kernels
from hlo2tiny.targets import TINYGRAD
from hlo2tiny.targets.cuda.epilogues import Sum
from hlo2tiny.targets.cuda.products import CALLS_AT_ONCE, WORKSPACE, ProductLayout, ProductSpec, description_of
from hlo2tiny.targets.cuda.recorder import Recorder
from hlo2tiny.targets.cuda.specs import product_spec

SIZES = {"b": 3, "c": 2, "m": 24, "n": 20, "k": 16}


def carry_out(spec: ProductSpec, operands: list[np.ndarray], size: int) -> np.ndarray:
    """What cuBLASLt writes: column-major matrices, C = op(first)·op(second), at the places of each call."""
    d = description_of(spec)
    a, b = (np.ascontiguousarray(x).reshape(-1) for x in operands)
    out, written = np.zeros(size, a.dtype), np.zeros(size, int)

    def matrices(flat: np.ndarray, layout: ProductLayout, begin: int) -> np.ndarray:
        begin //= flat.itemsize
        last = (layout.batch - 1) * layout.stride + (layout.columns - 1) * layout.leading + layout.rows
        assert layout.leading >= layout.rows and begin + last <= flat.size
        steps = layout.stride, 1, layout.leading
        shape = layout.batch, layout.rows, layout.columns
        return np.lib.stride_tricks.as_strided(flat[begin:], shape, [n * flat.itemsize for n in steps])

    for first, second, target in d.offsets:
        x, y = matrices(b, d.layouts[0], second), matrices(a, d.layouts[1], first)
        x, y = (z.swapaxes(1, 2) if turned else z for z, turned in zip((x, y), d.transposed))
        matrices(out, d.layouts[2], target)[:] = x @ y
        matrices(written, d.layouts[2], target * written.itemsize // out.itemsize)[:] += 1
    assert (written == 1).all()
    return out


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize(
    ("spelling", "is_reordered"),
    [
        ("bmk,bkn->mbn", True),
        ("mbk,nbk->mbn", True),
        ("bmk,bkn->nbm", True),
        ("bmk,bkn->bnm", False),  # a plain product of the operands in the other order
        ("bcmk,bckn->bmcn", True),
        ("bcmk,bckn->mbcn", True),
        ("cbmk,bkcn->mcbn", True),
        ("bmk,ckn->bmcn", False),
        ("bmck,bkcn->bcmn", False),
        ("bmck,bkcn->bmcn", True),
        ("mk,kn->nm", False),
        ("bmk,bkn->bmn", False),
        ("bmk,bkn->mnb", False),  # neither rows nor columns are contiguous
    ],
)
@pytest.mark.sampled(14, ci=7)
def test_results_are_written_in_order(spelling: str, is_reordered: bool, dtype: type) -> None:
    names = spelling.partition("->")[0].split(",")
    random = np.random.default_rng(0)
    arrays = [random.integers(-3, 4, [SIZES[c] for c in name]).astype(dtype) for name in names]
    with jax.enable_x64(True):
        text = text_of(lambda x, y: jnp.einsum(spelling, x, y), tuple(arrays))
    _, after = fused(text)
    (product,) = (s for s in after.main.steps if isinstance(s, Gemm))
    spec = product_spec(product, "sm_90")
    assert isinstance(spec, ProductSpec)
    assert isinstance(product, Sum) is is_reordered is (spec.stored is not None) is ("reordered" in str(spec))
    if is_reordered:
        assert not any(isinstance(s, Kernels) for s in after.main.steps)
    (expected,) = TINYGRAD.compile(after, "CPU", {}).run_numpy(arrays)
    np.testing.assert_array_equal(expected, np.einsum(spelling, *arrays))
    if not any(isinstance(s, Kernels) for s in after.main.steps):
        found = carry_out(spec, [arrays[n] for n in product.inputs], expected.size)
        np.testing.assert_array_equal(found, expected.reshape(-1))


def test_the_largest_dimension_of_a_batch_is_that_of_calls() -> None:
    """Neither heads in the middle nor examples follow each other, so there is a call for each of the fewer ones."""
    for batch, heads, calls in ((5, 3, 3), (2, 7, 2), (1, 6, 1), (4, 4, 4)):
        x, y = np.ones((batch, 24, heads, 16), np.float32), np.ones((batch, 24, heads, 16), np.float32)
        _, after = fused(text_of(lambda x, y: jnp.einsum("bqhd,bkhd->bhqk", x, y), (x, y)))
        (product,) = (s for s in after.main.steps if isinstance(s, Gemm))
        spec = product_spec(product, "sm_90")
        assert isinstance(spec, ProductSpec) and len(description_of(spec).offsets) == calls


def test_what_follows_is_left() -> None:
    """A result in bf16, split into heads and merged again, and what is read twice or before its order changes."""

    def function(x: Any, w: Any) -> Any:
        y = jnp.einsum("bmk,bkn->mbn", x.astype(jnp.bfloat16), w.astype(jnp.bfloat16))
        return jnp.sin(y.reshape(24, 60).astype(jnp.float32))

    x, w = np.ones((3, 24, 16), np.float32), np.ones((3, 16, 20), np.float32)
    _, after = fused(text_of(function, (x, w)))
    (product,) = (s for s in after.main.steps if isinstance(s, Gemm))
    assert str(product_spec(product, "sm_90")) == "bf16 product 3 of 24x16x20 to bf16, reordered"
    assert [type(s) for s in after.main.steps][-2:] == [type(product), Kernels]
    twice = lambda x, w: (lambda y: (y, y.swapaxes(0, 1)))(jnp.einsum("bmk,bkn->bmn", x, w))
    _, after = fused(text_of(twice, (x, w)))
    assert not any(isinstance(s, Sum) for s in after.main.steps)


class Recording(Recorder):
    """A recorder whose nodes are numbers; it notes for which nodes each one waits."""

    def __init__(self) -> None:
        self.stream, self.last, self.waits = 1, [-1], list[list[int]]()

    def capture(self) -> tuple[Any, list[Any]]:
        return None, self.last

    def continue_after(self, nodes: Any, early: bool = False) -> None:
        self.last = [*nodes]

    def call(self) -> None:
        self.waits.append(self.last)
        self.last = [len(self.waits) - 1]


@pytest.mark.parametrize("count", [1, 5, CALLS_AT_ONCE, 3 * CALLS_AT_ONCE + 2])
def test_calls_wait_for_those_that_have_their_memory(count: int) -> None:
    recorder = Recording()
    recorder.launch_beside([recorder.call] * count)
    assert recorder.waits == [[i - CALLS_AT_ONCE] if i >= CALLS_AT_ONCE else [-1] for i in range(count)]
    assert sorted(recorder.last) == [*range(max(0, count - CALLS_AT_ONCE), count)]


def test_memory_of_calls() -> None:
    of = lambda *steps: (False, 16, steps)
    one = ProductSpec("s", "", (3, 2), 16, 16, 16, of(512, 256), of(512, 256), False)
    more = ProductSpec("s", "", (3, 2), 16, 16, 16, of(512, 256), of(256, 768), False)
    for spec, calls in ((one, 1), (more, 2)):
        d = description_of(spec)
        assert len(d.offsets) == calls and d.space * (1 if calls == 1 else CALLS_AT_ONCE) == WORKSPACE
