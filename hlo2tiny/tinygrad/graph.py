"""Nodes of tinygrad's graph that run programs, and graphs of launches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinygrad import Tensor
from tinygrad.device import Buffer
from tinygrad.dtype import DType
from tinygrad.engine import realize
from tinygrad.uop.ops import Ops, PatternMatcher, UOp, UPat


class Opaque(str):
    """What a node of tinygrad's graph runs on buffers: results first, then operands. As a string it is its own name."""

    run: Callable[[list[Buffer]], None]


def _run_opaque(ctx: Any, call: UOp, ast: UOp) -> list[float | None] | None:
    if not isinstance(ast.arg, Opaque):
        return None
    ast.arg.run([uop.buffer.ensure_allocated() for uop in realize.resolve_params(call, ctx.input_uops)])
    return []


def _name_of(call: UOp, *rest: Any) -> str:
    found = call.src[0].arg
    return f"{found}" if isinstance(found, Opaque) else _named(call, *rest)


# tinygrad has such nodes for what it cannot render itself, and a table of what runs each; one line of it is ours.
_named = realize.get_call_name
realize.get_call_name = _name_of
_opaque_calls = UPat(Ops.CALL, src=(UPat(Ops.CUSTOM_FUNCTION, name="ast"),), name="call", allow_any_len=True)
realize.pm_exec = PatternMatcher([(_opaque_calls, _run_opaque)]) + realize.pm_exec


def opaque_node(
    node: Opaque, results: Sequence[tuple[tuple[int, ...], DType]], operands: Sequence[Tensor], device: str
) -> list[Tensor]:
    """The results of a node, unrealized: it runs when tinygrad realizes one of them."""
    targets = [Tensor.empty(*shape, dtype=dtype, device=device).uop for shape, dtype in results]
    call = UOp(Ops.CUSTOM_FUNCTION, arg=node).call(*targets, *(x.contiguous().uop for x in operands))
    return [Tensor(target.after(call)) for target in targets]


def with_gradient(
    values: Sequence[Tensor],
    operands: Sequence[Tensor],
    pull: Callable[[list[Tensor | None]], Sequence[Tensor | None]],
) -> list[Tensor]:
    """The values, as a function of the operands whose gradient is `pull`.

    `pull` takes the values' gradients, None for each that has none, and gives the operands'. As tinygrad may run a node
    again for another of its results, these are values of their own, which nobody's in-place update can reach.
    """
    count = len(values)

    def backward(*given: UOp, call: UOp | None = None) -> tuple[UOp | None, ...]:
        # tinygrad leaves out the values without gradient; the others say which they are.
        cotangents: list[Tensor | None] = [None] * count
        for uop in given if call is not None else given[:1]:
            cotangents[uop.tag[1]] = Tensor(uop.replace(tag=None))
        found = pull(cotangents)
        return (*[None] * count, *(x.uop if x is not None else None for x in found))

    uops = [x.uop for x in values]
    body = UOp.maketuple(*(uop.param_like(i) for i, uop in enumerate(uops)))
    function = body.call(*uops, *(x.uop for x in operands), grad_fxn=backward)

    def numbered(i: int) -> Tensor:
        value = function.gettuple(i)
        named = value.param_like(0).call(value, grad_fxn=lambda uop, call: (uop.replace(tag=("value", i)),))
        return Tensor(named.gettuple(0))

    return [numbered(i) for i in range(count)]


def is_detached(tensor: Tensor) -> bool:
    return bool(tensor.uop.op is Ops.DETACH)
