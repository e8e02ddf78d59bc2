"""Facts of kernels, taken from UOps that are written by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tinygrad import dtypes
from tinygrad.codegen import to_program
from tinygrad.helpers import Context
from tinygrad.renderer.cstyle import OpenCLRenderer
from tinygrad.uop.ops import AxisType, KernelInfo, Ops, UOp

from hlo2tiny.rules.loops import Loops
from hlo2tiny.tinygrad.kernel import MAX_EDGES, MAX_SPLIT_SIZE, Kernel, kernel_of, split_at_edges
from hlo2tiny.tinygrad.render import exact_renderer
from hlo2tiny.tinygrad.renderers.c import CRenderer, shared_loops


def buffer(slot: int, size: int = 900, dtype: Any = dtypes.float32) -> UOp:
    return UOp.placeholder((size,), dtype, slot)


def loop(iterations: int, number: int = 0) -> UOp:
    return UOp.range(iterations, number, AxisType.LOOP)


def linear(last: UOp) -> Sequence[UOp]:
    """The UOps of a kernel, in order."""
    with Context(NOOPT=1):
        program = to_program(last.sink(arg=KernelInfo(name="kernel", opts_to_apply=())), CRenderer())
    return next(s.src for s in program.src if s.op is Ops.LINEAR)


def described(last: UOp) -> Kernel:
    uops = linear(last)
    return kernel_of("kernel", uops, tuple(range(sum(u.op is Ops.PARAM for u in uops))))


def test_a_kernel_says_what_it_does() -> None:
    out, x, y = map(buffer, range(3))
    i, j = loop(30), loop(20, 1)
    kernel = described(out[i * 20 + j].store(x[j * 30 + i + 5].load() * y[i].load() + 1.0).end(j).end(i))
    assert [(each.iterations, each.outer, each.independent) for each in kernel.loops] == [
        (30, None, True),
        (20, 0, True),
    ]
    (write,), (first, second) = kernel.writes, sorted(kernel.reads, key=lambda read: read.buffer)
    assert write == (0, 1, (0, 20, 1))
    assert first == (1, 1, (5, 1, 30))
    assert second == (2, 0, (0, 1, 0))
    assert kernel.flops == 2 * 600 and kernel.bytes == 4 * (600 + 600 + 30)
    assert kernel.parallel == 30 and kernel.calls == ()
    assert [kernel.own_elements(buffer) for buffer in range(3)] == [20, 0, 1]
    assert [kernel.own_elements(buffer, 2) for buffer in range(3)] == [1, 0, 0]  # of both loops together


def test_what_data_decide_has_no_place() -> None:
    out, x, y = buffer(0), buffer(1), buffer(2, dtype=dtypes.int32)
    i = loop(30)
    kernel = described(out[i].store(x[y[i].load().cast(dtypes.weakint)].load()).end(i))
    assert {read.buffer: read.offset for read in kernel.reads} == {1: None, 2: (0, 1)}
    assert kernel.loops[0].independent


def copied(out: UOp, x: UOp, y: UOp) -> UOp:
    i = loop(30)
    return out[i].store(x[i].load()).end(i)


def transposed(out: UOp, x: UOp, y: UOp) -> UOp:
    i, j = loop(30), loop(20, 1)
    return out[j * 30 + i].store(x[i * 20 + j].load()).end(j).end(i)


def updated(out: UOp, x: UOp, y: UOp) -> UOp:
    i, j = loop(30), loop(20, 1)
    return out[j * 30 + i].store(out[j * 30 + i].load() + x[j].load()).end(j).end(i)


def stretches(out: UOp, x: UOp, y: UOp) -> UOp:
    """Each iteration reads and writes elements of its own, and some of them twice."""
    i, j = loop(30), loop(19, 1)
    return out[i * 20 + j].store(out[i * 20 + j + 1].load()).end(j).end(i)


def rows_summed(out: UOp, x: UOp, y: UOp) -> UOp:
    loops = Loops()
    i, j = loops.range(30), loops.range(20)
    (total,) = loops.carry([dtypes.float32], [UOp.const(0.0, dtypes.float32)], [i])
    done = total.after(j)[0].store(total.after(j)[0].load() + x[i * 20 + j].load()).end(j)
    return out[i].store(total.after(done)[0].load()).end(i)


def number_read_before(out: UOp, x: UOp, y: UOp) -> UOp:
    i = loop(30)
    return out[i].store(x[i].load() * y[0].load()).end(i)


INDEPENDENT = [copied, transposed, updated, stretches, rows_summed, number_read_before]


def running(out: UOp, x: UOp, y: UOp) -> UOp:
    loops = Loops()
    i = loops.range(30)
    (total,) = loops.carry([dtypes.float32], [UOp.const(0.0, dtypes.float32)], [])
    sum = total.after(i)[0].load() + x[i].load()
    return UOp.group(out[i].store(sum), total.after(i)[0].store(sum)).end(i)


def moved(out: UOp, x: UOp, y: UOp) -> UOp:
    i = loop(30)
    return out[i].store(out[i + 1].load()).end(i)


def overlapping(out: UOp, x: UOp, y: UOp) -> UOp:
    i, j = loop(30), loop(21, 1)
    return out[i * 20 + j].store(x[j].load()).end(j).end(i)


def one_place(out: UOp, x: UOp, y: UOp) -> UOp:
    i = loop(30)
    return out[0].store(x[i].load()).end(i)


def scattered(out: UOp, x: UOp, y: UOp) -> UOp:
    i = loop(30)
    return out[y[i].load().cast(dtypes.weakint)].store(x[i].load()).end(i)


DEPENDENT = [running, moved, overlapping, one_place, scattered]


@pytest.mark.parametrize("build", [*INDEPENDENT, *DEPENDENT])
def test_iterations_are_independent_where_none_touches_what_another_writes(build: Callable[..., UOp]) -> None:
    kernel = described(
        build(buffer(0), buffer(1), buffer(2, dtype=dtypes.int32 if build is scattered else dtypes.float32))
    )
    assert kernel.loops[0].independent == (build in INDEPENDENT)
    assert kernel.parallel == (30 if build in INDEPENDENT else None)


def test_trip_count_of_two_loops_are_not_shared() -> None:
    out, other, x = map(buffer, range(3))
    i, j = loop(30), loop(30, 1)
    first = out[i].store(x[i].load()).end(i)
    kernel = described(other[j].store(out.after(first)[j].load() + 1.0).end(j))
    assert [each.independent for each in kernel.loops] == [True, True] and kernel.parallel is None


def padded(*edges: int, iterations: int = 9) -> UOp:
    out, x = map(buffer, range(2))
    i, j = loop(iterations), loop(iterations, 1)
    inside: UOp = UOp.const(True, dtypes.bool)
    for edge in edges:
        inside = inside & (j != edge)
    place = i * iterations + j
    return out[place].store((inside & (i < 4)).where(x[place].load(), 0.0)).end(j).end(i)


def ranges(uops: Sequence[UOp], begins: dict[UOp, int]) -> list[tuple[int, int]]:
    return [(begins.get(u, 0), int(u.src[0].src[0].val)) for u in uops if u.op is Ops.RANGE]


def test_loops_are_split_where_a_comparison_changes() -> None:
    uops = linear(padded(2))
    inner = [(0, 2), (2, 3), (3, 9)]
    split, begins = split_at_edges(uops)
    assert ranges(split, begins) == [(0, 4), *inner, (4, 9), *inner]
    assert not any(u.op in (Ops.CMPLT, Ops.CMPNE) for u in split)
    assert [(begins.get(u, 0), int(u.src[0].src[0].val)) for u in shared_loops(split, [9])] == [(0, 4), (4, 9)]


def test_loops_with_many_edges_are_left_as_they_are() -> None:
    uops = linear(padded(*range(1, 2 + 2 * MAX_EDGES, 2)))
    assert ranges(*split_at_edges(uops)) == [(0, 4), (0, 9), (4, 9), (0, 9)]


def test_loops_with_many_edges_are_split_around_a_long_part() -> None:
    """What has one value in a part is constant there, and other comparisons stay."""
    split, begins = split_at_edges(linear(padded(1, 3, 97, iterations=100)))
    inner = [(0, 4), (4, 97), (97, 100)]
    assert ranges(split, begins) == [(0, 4), *inner, (4, 100), *inner]
    assert sum(u.op is Ops.CMPNE for u in split) == 3  # where i < 4
    begin = next(i for i, u in enumerate(split) if begins.get(u) == 4 and int(u.src[0].src[0].val) == 97)
    body = split[begin : next(i for i, u in enumerate(split) if i > begin and u.op is Ops.END)]
    assert not any(u.op in (Ops.CMPLT, Ops.CMPNE) for u in body)


@pytest.mark.parametrize(("after", "parts"), [(0, 5), (400, 1)])
def test_loops_that_join_arrays_are_split_into_these(after: int, parts: int) -> None:
    """Unless what follows, which each part has, would be repeated too often."""
    out, arrays, i, begin = buffer(0), [*map(buffer, range(1, 6))], loop(100), 0
    value: UOp = UOp.const(0.0, dtypes.float32)
    for array, end in zip(arrays, (20, 40, 60, 80, 100)):
        value = value + ((i < end) & ((i < begin) != True)).where(array[i - begin].load(), 0.0)  # noqa: E712
        begin = end
    for number in range(after):
        value = value * value + float(number)
    split, begins = split_at_edges(linear(out[i].store(value).end(i)))
    assert ranges(split, begins) == [(100 * n // parts, 100 * (n + 1) // parts) for n in range(parts)]
    assert sum(u.op is Ops.LOAD for u in split) == 5
    assert any(u.op is Ops.CMPLT for u in split) == (parts == 1)


def one_after_another(size: int, first: int, iterations: int) -> UOp:
    """The numbers from a place on of an array, and of another one again and again."""
    out, x, y, i = *map(buffer, range(3)), loop(iterations)
    quotient, remainder = (i + first) // size, (i + first) % size
    return out[i].store((quotient != first // size).where(x[remainder].load(), y[remainder].load())).end(i)


@pytest.mark.parametrize(
    ("size", "first", "iterations", "expected"),
    [
        (80, 0, 120, [(0, 80), (80, 120)]),
        (80, 40, 120, [(0, 40), (40, 120)]),
        (80, 70, 120, [(0, 10), (10, 90), (90, 120)]),
        (64, 0, 120, [(0, 64), (64, 120)]),
        (80, 0, 80 * MAX_EDGES + 1, [(80 * n, min(80 * n + 80, 80 * MAX_EDGES + 1)) for n in range(MAX_EDGES + 1)]),
        (80, 0, 80 * MAX_EDGES + 90, [(0, 80 * MAX_EDGES + 90)]),
        (10, 0, 15, [(0, 15)]),
    ],
)
def test_loops_are_split_where_a_quotient_changes(
    size: int, first: int, iterations: int, expected: list[tuple[int, int]]
) -> None:
    uops = linear(one_after_another(size, first, iterations))
    split, begins = split_at_edges(uops)
    assert ranges(split, begins) == expected
    dividing = {Ops.CDIV, Ops.CMOD, Ops.FLOORDIV, Ops.FLOORMOD, Ops.SHR, Ops.AND}
    assert any(u.op in dividing for u in split) == (len(expected) == 1)
    assert sum(u.op is Ops.LOAD for u in split) == (2 if len(expected) == 1 else len(expected))  # of one array in each


def test_kernels_do_not_grow_without_bound() -> None:
    uops = list(linear(padded(2)))
    inner = [i for i, u in enumerate(uops) if u.op is Ops.RANGE][1]
    filler = [UOp.cconst(i, dtypes.int32) for i in range(MAX_SPLIT_SIZE // 4)]
    long = [*uops[: inner + 1], *filler, *uops[inner + 1 :]]
    assert ranges(*split_at_edges(long)) == [(0, 9), (0, 2), (2, 3), (3, 9)]
    assert ranges(*split_at_edges([*long[: inner + 1], *filler, *long[inner + 1 :]])) == [(0, 9), (0, 9)]


def test_sums_are_printed_in_the_order_in_which_they_are_computed() -> None:
    """By our own renderers, and by copies of tinygrad's, which stay as they are."""
    out, x, y, z = map(buffer, range(4))
    i = loop(30)
    last = out[i].store(x[i].load() + (y[i].load() + z[i].load())).end(i)
    uops = list(linear(last))
    theirs = object.__new__(OpenCLRenderer)
    assert "(val0+(val1+val2))" in exact_renderer(theirs).render(uops)
    assert "(val0+val1+val2)" in theirs.render(uops)
