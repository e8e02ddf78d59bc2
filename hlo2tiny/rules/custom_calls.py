"""Custom calls that JAX and XLA write for what StableHLO has no op for. Those of linear algebra have their own file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import UnsupportedOp
from ..ir import ComplexType
from ..ir.dtypes import static_shape
from ..tinygrad.dtypes import storage_dtype
from ..tinygrad.expressions import Tensor
from .elementwise import is_float, total_order
from .loops import sorted_order
from .random import threefry
from .registry import rule
from .sort import largest as largest_places
from .sort import permuted
from .values import Complex, repeated

# ---------------------------------------------------------------- where values lie


@rule("@Sharding", "@LayoutConstraint", "@annotate_device_placement", storage=True)
@rule("@SPMDFullToShardShape", "@SPMDShardToFullShape", storage=True)
@rule("@xla.sdy.FuncResultSharding", "@xla.sdy.PropagationBarrier", storage=True)
@rule("@xla.sdy.GlobalToLocalShape", "@xla.sdy.LocalToGlobalShape", storage=True)
def placed(*xs: Any, backend_config: str = "", out: Any) -> Any:
    """How values are spread over devices, and where in memory: with one device they are what they were."""
    for x, type in zip(xs, out, strict=True):
        if tuple(x.shape) != static_shape(type):
            raise UnsupportedOp(
                f"cuts or joins shards: {tuple(x.shape)} becomes {static_shape(type)}; hlo2tiny runs on one device:"
                " export the program for one device"
            )
    return list(xs)


@rule("@xla.sdy.ShardingGroup", storage=True)
def sharding_group(x: Any, *, backend_config: str = "") -> Any:
    return []


@rule("@AllocateBuffer", storage=True)
def allocate_buffer(*, out: Any) -> Any:
    """Memory with any contents (jax.lax.empty): zeros, so that runs are the same."""
    shape, dtype = static_shape(out[0]), storage_dtype(out[0].element)
    parts = [repeated(0, shape, dtype) for _ in "ri"]
    return Complex(*parts) if isinstance(out[0].element, ComplexType) else parts[0]


# ---------------------------------------------------------------- the k first


def first_along(
    xs: Sequence[Tensor],
    axis: int,
    count: int,
    key: Tensor,
    before: Callable[[Tensor, Tensor], Tensor] | None = None,
) -> list[Tensor]:
    """The first `count` elements along an axis of tensors of one shape, in the order of a key; equal keys stay so.

    Without `before`, those of the largest keys, which are integers.
    """
    shape = [int(s) for s in key.shape]
    others = [d for d in range(len(shape)) if d != axis]
    back = [*(shape[d] for d in others), count]
    inverse = [*range(axis), len(shape) - 1, *range(axis, len(shape) - 1)]
    if 0 in back or shape[axis] == 0:
        return [x.shrink(tuple((0, count if d == axis else s) for d, s in enumerate(shape))) for x in xs]

    def rows(x: Tensor) -> Tensor:
        return x.permute(*others, axis).reshape(-1, shape[axis])

    if before is None:
        order = largest_places(rows(key), count)
    else:
        order = sorted_order([rows(key)], lambda a, b: [before(a, b)])[:, :count]
    return [permuted(rows(x), order).reshape(back).permute(inverse) for x in xs]


@rule("@mhlo.topk", "@TopK")
def top_k(
    x: Tensor,
    *,
    k: int | None = None,
    largest: bool = True,
    called_computations: Any = (),
    out: Any,
) -> Any:
    """The k largest (or smallest) along the last axis in IEEE 754's total order, with their places."""
    axis = len(x.shape) - 1
    count = static_shape(out[0])[axis]
    if k not in (None, count):
        raise ValueError(f"has k = {k}, the result has {count} elements along its last dimension")
    key = total_order(x) if is_float(x) else x
    places = Tensor.arange(int(x.shape[axis])).cast("int32").expand(x.shape)
    return first_along([x, places], axis, count, key if largest else key ^ -1)  # ^ reverses the order of integers


@rule("@ApproxTopK")
def approx_top_k(
    *operands: Tensor,
    top_k: int,
    reduction_dim: int,
    called_computations: Sequence[str],
    recall_target: float = 1.0,
    aggregate_to_topk: bool = True,
    reduction_input_size_override: int = -1,
    is_fallback: bool = False,
    out: Any,
) -> Any:
    """The k best, exactly: a recall of 1 is what any target allows. Without aggregation there are more than k."""
    direction = re.search(r"_(gt|lt)_", called_computations[0])
    if direction is None or len(operands) != 4:
        raise UnsupportedOp(f"has the comparator {called_computations[0]}, expected one of jax.lax.approx_max_k")
    values, places, *_ = operands
    count = static_shape(out[0])[reduction_dim]
    if aggregate_to_topk and count != top_k:
        raise ValueError(f"has top_k = {top_k}, the result has {count} elements along dimension {reduction_dim}")
    before: Callable[[Tensor, Tensor], Tensor] = (lambda a, b: b < a) if direction[1] == "gt" else (lambda a, b: a < b)
    return first_along([values, places], reduction_dim, count, values, before)


# ---------------------------------------------------------------- random numbers


@rule(
    "@cu_threefry2x32",
    "@cu_threefry2x32_ffi",
    "@hip_threefry2x32",
    "@hip_threefry2x32_ffi",
)
def threefry2x32(k0: Tensor, k1: Tensor, x0: Tensor, x1: Tensor, *, backend_config: str = "") -> Any:
    """Two words of a counter under two words of a key."""
    return threefry([k0, k1], [x0, x1])
