"""Selection of slices by an index tensor."""

from __future__ import annotations

from ..tinygrad.expressions import Tensor
from ..tinygrad.loops import Memory, Scalar, address
from .loops import clamp_index, read_at
from .registry import rule
from .values import AnyTensor, each, repeat_number


@rule("stablehlo.torch_index_select", storage=True)
def torch_index_select(x: AnyTensor, index: Tensor, *, dim: int, batch_dims: int) -> AnyTensor:
    """out[batch…, before…, i…, after…] = x[batch…, before…, index[batch…, i…], after…], clamped like gather."""
    shape, index_shape = [int(s) for s in x.shape], [int(s) for s in index.shape]
    count = len(index_shape) - batch_dims
    result = [*shape[:dim], *index_shape[batch_dims:], *shape[dim + 1 :]]

    def place(at: list[Scalar], indices: Memory) -> list[Scalar]:
        where = indices[address(index_shape, [*at[:batch_dims], *at[dim : dim + count]])].load()
        return [*at[:dim], clamp_index(where, shape[dim] - 1), *at[dim + count :]]

    def select(t: Tensor) -> Tensor:
        if shape[dim] == 0:  # nothing to select from
            return repeat_number(0, result, t.dtype)
        return read_at(t, result, [index], place, "index_select")

    return each(x, select)
