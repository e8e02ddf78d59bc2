"""Kernels made from expressions are those of tinygrad's scheduler."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tinygrad import Tensor, dtypes
from tinygrad.uop.ops import Ops, UOp

from hlo2tiny.tinygrad import schedule as module
from hlo2tiny.tinygrad.expressions import call_function, exact, with_fences
from hlo2tiny.tinygrad.schedule import KernelGraph, Schedule
from hlo2tiny.tinygrad.settings import lowering_settings

SHAPE = (4, 6)
FOUR = Tensor(4.0).reshape(1, 1).expand(SHAPE)


def rolled(x: Tensor, axis: int) -> Tensor:
    first, rest = x.split([1, int(x.shape[axis]) - 1], dim=axis)
    return rest.cat(first, dim=axis)


# What is stored, given matrices of one shape, and how many of the results have their kernels from their expressions.
Results = list[Tensor]
RESULTS: dict[str, tuple[Callable[..., Results], int]] = {
    "arithmetic": (lambda a, b, *_: [(a + b) * 2.0 - exact(a / b), (a < b).where(a, 1.0)], 2),
    "numbers": (lambda a, *_: [a.const_like(3.0), a * a.const_like(2.0).exp2(), a + FOUR], 3),
    "moves": (lambda a, b, *_: [a[1:3, ::-1] * b.reshape(6, 4).permute(1, 0)[:2], (a + b)[::-1]], 2),
    "rows": (lambda a, b, *_: [a + b[1:2].expand(SHAPE), a * b[:, :1].expand(SHAPE)], 2),
    "slices of a slice": (lambda a, b, *_: [a[:2].reshape(12)[:6] + a[:2].reshape(12)[6:]], 1),
    "copies": (lambda a, b, *_: [a, b.permute(1, 0)], 2),
    "stacked": (lambda a, b, *_: [Tensor.stack(a * 2, b, a + b, dim=-1), Tensor.stack(a, a + 1)], 2),
    "bits": (lambda a, *_: [a.bitcast(dtypes.uint32) & 255, a.cast(dtypes.int32).cast(dtypes.uint8)], 2),
    "other sizes of elements": (lambda a, *_: [a.bitcast(dtypes.uint8)], 0),
    "functions": (lambda a, b, *_: [call_function("exp_f", a) * call_function("power_f", a, b)], 1),
    "a scalar": (lambda a, b, *_: [a[:1, :1] + b[1:2, 2:3]], 1),
    "vanishing": (lambda a, b, *_: [(a < b).where(a, a) + b, ((a < b) & False).where(b, a)], 2),
    "sums": (lambda a, b, *_: [a.sum(axis=1), a + b.sum(axis=0), a * b], 1),
    "repeated": (lambda a, b, *_: [a + (a[:, :1] * b[:, :1]).exp2().expand(SHAPE)], 1),
    "repeated from many": (lambda a, b, c, d: [a + (a + b + c + d)[:1].sqrt().expand(SHAPE)], 0),
    "read at two places": (lambda a, b, *_: [(a + b)[1:] * (a + b)[:-1]], 1),
    "shared": (lambda a, b, *_: [(a + b).sqrt(), ((a + b) * 2).permute(1, 0), (a + b).sum(axis=0)], 2),
    "shared by many": (lambda a, b, c, d: [(a + b + c + d).sqrt(), (a + b + c + d) * 2, a * b], 1),
    "padded": (lambda a, b, c, _: [a * b, c.pad(((1, 0), (0, 2)))], 2),
    "joined": (lambda a, b, c, _: [(a * b)[1:].cat(a[:1] - b[:1]), (c + 1).pad(((2, 1), (1, 1)))], 2),
    "rolled": (lambda a, b, *_: [(x := rolled(a * b, 0)) + a * b, rolled(x, 1)], 2),
    "padded alike": (lambda a, b, *_: [(x := a * b).pad(((1, 0), None)) + x.pad(((1, 2), None))[:5]], 1),
    "a padded number": (lambda a, *_: [FOUR.pad(((1, 1), (0, 0))) + a.pad(((2, 0), None))], 1),
    "a scalar moved": (lambda a, *_: [(a[:1, :1].reshape(()) * 2).reshape(1).expand(4) + a[:, 0]], 1),
    "stored apart": (lambda a, b, *_: [(a + b).contiguous() * 2, a * b], 1),
}  # fmt: skip


def scheduled(results: Callable[..., Results], reads: bool, parameters: int = 4) -> Schedule:
    with lowering_settings("CPU"), with_fences(True):
        graph = KernelGraph("CPU", 0)
        matrices = [graph.parameter(i, (SHAPE, dtypes.float32)) for i in range(parameters)]
        stored = list[Tensor]()
        for x in results(*matrices):
            # Later results may read those that are stored.
            after = graph.store(
                x + stored[-1] if reads and stored and stored[-1].shape == x.shape else x, parameters + len(stored)
            )
            stored.append(x if after is None else after)
        return graph.schedule(parameters, [(tuple(map(int, x.shape)), x.dtype) for x in stored])


@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize("name", RESULTS)
def test_kernels_are_those_of_the_scheduler(name: str, reads: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    results, count = RESULTS[name]
    found, given = list[int](), module.with_kernels

    def with_kernels(graph: UOp) -> UOp:
        new = given(graph)
        found.append(sum(u.op is Ops.CALL for u in new.toposort()))
        return new

    monkeypatch.setattr(module, "with_kernels", with_kernels)
    ours = scheduled(results, reads)
    monkeypatch.setattr(module, "with_kernels", lambda graph: graph)
    expected = scheduled(results, reads)
    assert reads or found == [count]
    assert [call.src[0] for call in ours.linear.src] == [call.src[0] for call in expected.linear.src]
    assert ours.outlines == expected.outlines and ours.outputs == expected.outputs
    buffers = (
        [[s.arg.slot for s in call.src[1:] if s.op is Ops.PARAM] for call in each.linear.src]
        for each in (ours, expected)
    )
    assert next(buffers) == next(buffers)
