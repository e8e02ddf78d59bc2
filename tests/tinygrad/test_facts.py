"""Facts about tinygrad that this project rests on: a new version that changes one fails here first."""

from __future__ import annotations

import numpy as np
import pytest
from tinygrad import Tensor, dtypes
from tinygrad.uop.ops import Ops, UOp

from hlo2tiny.tinygrad.device import open_device


@pytest.fixture(autouse=True, scope="module")
def device() -> None:
    open_device("CPU")


def realized(*values: float, dtype=dtypes.float32) -> Tensor:
    return Tensor(list(values), dtype=dtype, device="CPU").realize()


def test_unsigned_comparisons_are_folded_as_if_nothing_wrapped() -> None:
    """Why rules compute integers in the other signedness (`wrapping`)."""
    d = realized(1, 13, dtype=dtypes.uint32)
    assert ((32 - d) < 32).tolist() == [False, False]


def test_a_bitcast_stops_that_folding() -> None:
    d = realized(1, 13, dtype=dtypes.uint32)
    assert ((32 - d.bitcast(dtypes.int32)).bitcast(dtypes.uint32) < 32).tolist() == [True, True]


def test_narrow_integers_do_not_wrap_inside_a_kernel() -> None:
    x = realized(200, dtype=dtypes.uint8)
    assert (x + 100).cast(dtypes.int32).tolist() == [300]


def test_a_cast_from_a_wide_integer_wraps() -> None:
    x = realized(200, dtype=dtypes.uint8).cast(dtypes.int32)
    assert (x + 100).cast(dtypes.uint8).cast(dtypes.int32).tolist() == [44]


def test_less_or_equal_is_true_for_nan() -> None:
    assert (realized(float("nan")) <= realized(1.0)).tolist() == [True]


def test_maximum_loses_nan_on_the_right() -> None:
    assert not np.isnan(realized(1.0).maximum(realized(float("nan"))).numpy()).any()


def test_full_makes_a_buffer_unless_told_not_to() -> None:
    assert Tensor.full((2,), 1.0).uop.device is not None
    assert Tensor.full((2,), 1.0, buffer=False).uop.device is None


def test_parameters_are_values_of_a_graph() -> None:
    graph = (Tensor(UOp.param(0, dtypes.float32, (4,), "CPU")) + 1).uop
    assert any(u.op is Ops.PARAM for u in graph.toposort())
