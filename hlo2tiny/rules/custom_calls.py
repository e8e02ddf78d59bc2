"""Custom calls that JAX and XLA write where StableHLO has no op; linalg.py and eigen.py have those for LAPACK."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..errors import UnsupportedOp
from ..ir.dtypes import static_shape
from ..tinygrad.expressions import Tensor, dtypes
from .elementwise import COMPARE, is_float, total_order
from .movement import fill_tensor
from .random import threefry
from .registry import Lowering, Types, rule
from .sort import largest_indices, rows_along, take_along
from .sorting import sorted_order
from .values import AnyTensor

# ---------------------------------------------------------------- where values are


@rule(
    *("@Sharding", "@LayoutConstraint", "@annotate_device_placement", "@SPMDFullToShardShape", "@SPMDShardToFullShape"),
    *("@xla.sdy.FuncResultSharding", "@xla.sdy.PropagationBarrier"),
    *("@xla.sdy.GlobalToLocalShape", "@xla.sdy.LocalToGlobalShape"),
    ignored=("backend_config",),
    storage=True,
    same_shapes=True,
)
def keep_values(*xs: AnyTensor, out: Types) -> list[AnyTensor]:
    """How values are distributed over devices or placed in memory; on one device that changes nothing."""
    if len(xs) != len(out):
        raise ValueError(f"has {len(xs)} operands but {len(out)} results, expected equal numbers")
    for x, type in zip(xs, out):
        if tuple(x.shape) != static_shape(type):
            raise UnsupportedOp(
                f"cuts or joins shards: {tuple(x.shape)} becomes {static_shape(type)}, but one device was named; name"
                " all of them, as in load(…, device=('CPU:0', 'CPU:1')), or export the program for one device"
            )
    return list(xs)


@rule("@xla.sdy.ShardingGroup", ignored=("backend_config",), storage=True)
def sharding_group(x: AnyTensor) -> list[AnyTensor]:
    return []


@rule("@AllocateBuffer", storage=True)
def allocate_buffer(*, out: Types) -> AnyTensor:
    """Memory with any contents (jax.lax.empty): zeros, so that all runs are the same."""
    return fill_tensor(0, out[0])


# ---------------------------------------------------------------- the first k elements


def first_along(
    xs: Sequence[Tensor],
    axis: int,
    count: int,
    key: Tensor,
    lowering: Lowering,
    before: Callable[[Tensor, Tensor], Tensor] | None = None,
) -> list[Tensor]:
    """The first `count` elements of each tensor along an axis, sorted by a key, where equal keys keep their order.

    Without `before`, the key is an integer, and the elements with the largest keys come first.
    """
    shape = [int(s) for s in key.shape]
    if 0 in shape or count == 0:
        return [x.shrink(tuple((0, count if d == axis else s) for d, s in enumerate(shape))) for x in xs]
    rows = rows_along(key, axis)
    if before is None:
        order = largest_indices(rows, count, lowering)
    else:
        order = sorted_order([rows], lambda a, b: [before(a, b)])[:, :count]
    return [take_along(x, axis, order) for x in xs]


def count_along(axis: int, x: Tensor, out: Types) -> int:
    """How many elements along an axis of an operand a result has."""
    shape, given = static_shape(out[0]) if out else (), tuple(map(int, x.shape))
    if not 0 <= axis < len(given):
        raise ValueError(f"operand 0 has the shape {list(given)}, which has no dimension {axis}")
    wanted = [*given[:axis], shape[axis], *given[axis + 1 :]] if len(shape) == len(given) else []
    if list(shape) != wanted or shape[axis] > given[axis]:
        raise ValueError(f"the result is {list(shape)}, expected some of {list(given)} along dimension {axis}")
    return shape[axis]


@rule("@mhlo.topk", "@TopK", ignored=("called_computations", "is_stable"))
def top_k(x: Tensor, *, k: int | None = None, largest: bool = True, out: Types, lowering: Lowering) -> list[Tensor]:
    """The k largest (or smallest) elements along the last axis in IEEE 754's total order, and their indices."""
    axis = len(x.shape) - 1
    count = count_along(axis, x, out)
    if k not in (None, count):
        raise ValueError(f"has k = {k}, but the result has {count} elements along its last dimension")
    key = total_order(x) if is_float(x) else x
    indices = Tensor.arange(int(x.shape[axis])).cast("int32").expand(x.shape)
    key = key if largest else key.bitwise_not()  # which reverses the order of integers
    return first_along([x, indices], axis, count, key, lowering)


@rule("@ApproxTopK", ignored=("recall_target", "reduction_input_size_override", "is_fallback"))
def approx_top_k(
    *operands: Tensor,
    top_k: int,
    reduction_dim: int,
    called_computations: Sequence[str],
    aggregate_to_topk: bool = True,
    out: Types,
    lowering: Lowering,
) -> list[Tensor]:
    """The k best elements, exactly: this meets any recall target. Without aggregation, more than k are returned."""
    direction = re.search(r"_(gt|lt)_", called_computations[0])
    if direction is None or len(operands) != 4:
        raise UnsupportedOp(f"has the comparator {called_computations[0]}, expected one of jax.lax.approx_max_k")
    values, indices, *_ = operands
    count = count_along(reduction_dim, values, out)
    if aggregate_to_topk and count != top_k:
        raise ValueError(f"has top_k = {top_k}, but the result has {count} elements along dimension {reduction_dim}")
    return first_along([values, indices], reduction_dim, count, values, lowering, COMPARE[direction[1].upper()])


# ---------------------------------------------------------------- random numbers


@rule(
    *(f"@{v}_threefry2x32{suffix}" for v in ("cu", "hip") for suffix in ("", "_ffi")),
    ignored=("backend_config",),
    same_shapes=True,
)
def threefry2x32(k0: Tensor, k1: Tensor, x0: Tensor, x1: Tensor) -> list[Tensor]:
    """The bits for a counter of two words, under a key of two words."""
    if len({x.shape for x in (k0, k1, x0, x1)}) > 1 or any(x.dtype != dtypes.uint32 for x in (k0, k1, x0, x1)):
        raise ValueError("expected four operands of ui32 of one shape, the words of keys and counters")
    return threefry([k0, k1], [x0, x1])
