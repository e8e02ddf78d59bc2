"""What stops tinygrad from taking floats for real numbers, and questions about the graph behind a tensor."""

from __future__ import annotations

import numpy as np
import pytest
from tinygrad import Tensor, dtypes
from tinygrad.uop.ops import Ops

from hlo2tiny.tinygrad import expressions
from hlo2tiny.tinygrad.device import open_device
from hlo2tiny.tinygrad.expressions import exact, hidden, rounding


@pytest.fixture(autouse=True, scope="module")
def device() -> None:
    open_device("CPU")


def realized(*values: float, dtype=dtypes.float32) -> Tensor:
    return Tensor(list(values), dtype=dtype, device="CPU").realize()


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64])
def test_a_sums_error_is_kept_where_the_sum_is_exact(dtype) -> None:
    big, small = realized(1.0, dtype=dtype), realized(2.0**-60, dtype=dtype)
    assert ((big + small) - big).tolist() == [2.0**-60], "tinygrad folds it, as in real numbers"
    assert (exact(big + small) - big).tolist() == [0.0]


@pytest.mark.parametrize("value", [0.0, -0.0, 1e-45, np.inf, -np.inf, np.nan, -1.5])
def test_exact_keeps_every_number(value: float) -> None:
    found = exact(realized(value)).numpy()
    np.testing.assert_array_equal(found.view(np.uint32), np.float32([value]).view(np.uint32))


def test_a_constant_has_to_be_hidden() -> None:
    x = realized(3.0)
    third = x.const_like(1 / 3)
    assert all(u.op is not Ops.FDIV for u in hidden(third, x).uop.toposort())
    assert hidden(third, x).numpy() == np.float32(1 / 3)
    # x / 3 by a reciprocal is not the nearest number to 5 / 3.
    quotient = rounding(lambda a, b: a / b)(realized(5.0), x.const_like(3.0))
    assert quotient.numpy() == np.float32(5) / np.float32(3)


def test_nan_stays_nan() -> None:
    x = realized(np.inf)
    assert np.isnan(rounding(lambda a, b: a - b, cancels=True)(x, x).numpy()).all()
    assert np.isnan(rounding(lambda a, b: a * b)(x, x.const_like(0.0)).numpy()).all()
    assert np.isnan(rounding(lambda a, b: a / b, cancels=True)(x, x).numpy()).all()


def test_constants_get_the_dtype_of_what_they_meet() -> None:
    x = realized(1.0, dtype=dtypes.float64)
    (found,) = expressions.typed_results(lambda place: [place * (place.const_like(1) * 2)], [x])
    assert found.dtype == dtypes.float64 and found.tolist() == [2.0]
    constants = [u for u in found.uop.toposort() if u.op is Ops.CAST and u.src[0].op is Ops.CONST]
    assert all(u.dtype not in dtypes.weaks for u in constants)


def test_calls_are_completed_once() -> None:
    call = expressions.call_function("exp_f", realized(1.0))
    complete = expressions.graph_rewrite(call.uop.sink(), expressions.with_loads)
    (found,) = [u.arg for u in complete.toposort() if u.op is Ops.CUSTOM]
    assert found == "exp_f({0})"


def test_questions_about_the_graph() -> None:
    x = realized(1.0, 2.0)
    assert expressions.is_constant(Tensor.full((2,), 1.0, buffer=False)) and not expressions.is_constant(x)
    assert expressions.is_same(x + 1, x + 1) and not expressions.is_same(x + 1, x + 2)
    assert expressions.is_costly(x.sqrt() + 1) and not expressions.is_costly(x.sqrt().contiguous() + 1)
    assert expressions.added_nodes([x], [x]) == 0 < expressions.added_nodes([x], [x * x])
