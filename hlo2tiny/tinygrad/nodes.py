"""The nodes of tinygrad's graphs, made and forgotten as tinygrad does it, in less time; `settings` installs it.

A kernel takes thousands of nodes, of most of which tinygrad finds the dtype and the shape by a list of a hundred cases.
"""

from __future__ import annotations

from typing import Any
from weakref import ref

from tinygrad.dtype import DType, dtypes
from tinygrad.uop import ops
from tinygrad.uop.ops import GroupOp, Ops, UOp

known = ops.UOpMetaClass.ucache
new = object.__new__
# Operations whose operands' dtype is that of the result, if all have the same one.
PROMOTED = GroupOp.Binary - {*GroupOp.Comparison, Ops.SHL, Ops.SHR}
# Operations whose operands' shape is that of the result, if all have the same one.
ELEMENTWISE = GroupOp.Broadcastable | GroupOp.Unary | {Ops.CAST}
SCALAR = {Ops.CONST, Ops.RANGE, Ops.SPECIAL}


def make_node(
    kind: type[UOp],
    op: Ops,
    dtype: DType | None = None,
    src: tuple[UOp, ...] = (),
    arg: Any = None,
    tag: Any = None,
    metadata: Any = None,
    _buffer: Any = None,
) -> UOp:
    """Replaces UOpMetaClass.__call__: the node that has these parts, or a new one."""
    if dtype is None:
        dtype = dtype_of(op, src, arg) or dtypes.void
    key = op, dtype, src, arg, tag
    if (kept := known.get(key)) is not None and (found := kept()) is not None:
        return found
    if metadata is not None or _buffer is not None:
        return make_original(kind, op, dtype, src, arg, tag, metadata, _buffer)
    node = new(kind)
    node.op, node.dtype, node.src, node.arg, node.tag = key
    known[key] = ref(node)
    return node


make_original = ops.UOpMetaClass.__call__


def forget_node(self: UOp) -> None:
    """Replaces UOp.__del__."""
    if self.op is Ops.BUFFER:
        forget_original(self)
        return
    known.pop((self.op, self.dtype, self.src, self.arg, self.tag), None)


forget_original = UOp.__del__


def dtype_of(op: Ops, src: tuple[UOp, ...], arg: Any) -> DType | None:
    """Replaces tinygrad's function: the dtype of a node, None if its parts do not say."""
    if op in PROMOTED and src[0].dtype is src[1].dtype:
        return src[0].dtype
    return dtype_from_parts(op, src, arg)


dtype_from_parts = ops.dtype_from_uop


def rebuild(node: UOp, src: tuple[UOp, ...]) -> UOp:
    """A node with other sources."""
    dtype = node.dtype
    for before, after in zip(node.src, src):
        if before.dtype is not after.dtype:
            dtype = dtype_of(node.op, src, node.arg) or dtype
            break
    return make_node(UOp, node.op, dtype, src, node.arg, node.tag)


def shape_of(node: UOp) -> Any:
    """Replaces the function of UOp._shape, given the shapes of the sources."""
    if node.op in SCALAR:
        return ()
    if node.op in ELEMENTWISE:
        first, *others = [s.__dict__["_shape"] for s in node.src]
        if first is not None and all(shape == first for shape in others):
            return first
    return shape_from_parts(node)


shape_from_parts = vars(UOp)["_shape"].fxn
