"""Regions applied to each element, or to one slice after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.program import Program

from .bodies import binary, mixed
from .cases import case, new_tests
from .mlir import Body, Call
from .numbers import (
    COMPLEXES,
    FLOATS,
    INTEGERS,
    bf16,
    boolean,
    c64,
    f32,
    i4,
    i8,
    i32,
    is_floating,
    random,
    seeds,
    shapes,
    type_of,
)

Arrays = Sequence[np.ndarray]


def whole(seed: int, shape: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Numbers whose sums are exact."""
    return np.round(random(seed, shape, dtype, -4, 4)).astype(dtype) if is_number(dtype) else random(seed, shape, dtype)


def is_number(dtype: np.dtype) -> bool:
    return dtype.kind == "c" or is_floating(dtype)


# ---------------------------------------------------------------- map


def mapped(*xs: np.ndarray, dimensions: Any, computation: Callable[..., Any]) -> np.ndarray:
    columns = [x.reshape(-1) for x in xs]
    results = [np.asarray(computation(*row)[0]) for row in zip(*columns)]
    kind = np.asarray(computation(*(np.ones((), x.dtype)[()] for x in xs))[0]).dtype
    return np.array(results, kind).reshape(xs[0].shape)


def on(body: Body, *xs: np.ndarray) -> Call:
    return Call(xs, {"dimensions": tuple(range(xs[0].ndim)), "computation": body})


def plus(dtype: np.dtype) -> Body:
    return binary("stablehlo.add", dtype, np.add)


def tripled(dtype: np.dtype) -> Body:
    """a * 3 + b."""
    body = mixed(dtype)
    return Body(body.text.replace("dense<3>", "dense<3.0>") if is_floating(dtype) else body.text, body.function)


def larger_of_three() -> Body:
    """Three operands of two types, and a result of a third."""
    text = """{ ^bb0(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>):
 %s = "stablehlo.select"(%p, %x, %y) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
 %r = "stablehlo.convert"(%s) : (tensor<f32>) -> tensor<i8> "stablehlo.return"(%r) : (tensor<i8>) -> () }"""
    return Body(text.replace("\n", ""), lambda p, x, y: (np.asarray(x if p else y).astype(i8),))


def constant() -> Body:
    text = """{ ^bb0(%x: tensor<f32>):
 %c = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
 "stablehlo.return"(%c) : (tensor<i32>) -> () }"""
    return Body(text.replace("\n", ""), lambda x: (np.array(7, i32),))


def as_complex() -> Body:
    text = """{ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %c = "stablehlo.complex"(%x, %y) :
 (tensor<f32>, tensor<f32>) -> tensor<complex<f32>> "stablehlo.return"(%c) : (tensor<complex<f32>>) -> () }"""
    return Body(text.replace("\n", ""), lambda x, y: (np.array(complex(x, y), c64),))


def wrong(result: str, dimensions: tuple[int, ...] = (0, 1), second: Any = (2, 3), dtype: Any = f32) -> Call:
    operands = [np.zeros((2, 3), f32), np.zeros(second, dtype)]
    return Call(operands, {"dimensions": dimensions, "computation": plus(f32)}, result)


case(
    "stablehlo.map",
    ref=mapped,
    draw=st.builds(
        lambda seed, shape, dtype: on(tripled(dtype), *(whole(seed + i, shape, dtype) for i in (0, 1))),
        seeds,
        shapes(),
        st.sampled_from([f32, i32, bf16]),
    ),
    examples=[
        *(
            on(plus(dtype), *(whole(i, (2, 3), dtype) for i in (0, 1)))
            for dtype in (*FLOATS, *INTEGERS, *COMPLEXES, i4)
        ),
        *(on(tripled(f32), *(whole(i, shape, f32) for i in (0, 1))) for shape in ((), (5,), (2, 3, 4), (0,), (2, 0))),
        on(larger_of_three(), random(0, (2, 3), boolean), whole(1, (2, 3), f32), whole(2, (2, 3), f32)),
        on(constant(), whole(1, (2, 3), f32)),
        on(as_complex(), whole(1, (2, 3), f32), whole(2, (2, 3), f32)),
    ],
    errors=[
        (wrong("tensor<2x3xf32>", dimensions=(0,)), "C3"),
        (wrong("tensor<2x3xf32>", dimensions=(1, 0)), "C3"),
        (wrong("tensor<2x3xf32>", second=(2, 1)), "C1"),
        (wrong("tensor<3x2xf32>"), "declared type is"),
        (wrong("tensor<2x3xf32>", dtype=i32), "C4"),
    ],
)

# ---------------------------------------------------------------- scan


def scanned(
    *operands: np.ndarray,
    dimension: int,
    operandSegmentSizes: str,  # noqa: N803  (the attribute's name)
    body: Callable[..., Any],
    **attributes: Any,
) -> list[np.ndarray]:
    count = int(operandSegmentSizes.split(":")[1].split(",")[0])
    xs, carried = operands[:count], list(operands[count:])
    length = attributes.get("scan_dim_size", xs[0].shape[dimension] if xs else 0)
    rows = []
    for i in reversed(range(length)) if attributes.get("is_reverse") else range(length):
        results = list(body(*(x.take(i, dimension) for x in xs), *carried))
        rows.append(results[: len(results) - len(carried)])
        carried = results[len(results) - len(carried) :]
    columns = [np.stack(column, dimension) for column in zip(*(rows[::-1] if attributes.get("is_reverse") else rows))]
    return [*columns, *carried]


def scan_body(
    slices: Arrays, carried: Arrays, lines: str, returned: str, results: Arrays, function: Callable[..., Any]
) -> Body:
    """A region whose arguments are %a0, %a1, …"""
    arguments = ", ".join(f"%a{i}: {type_of(x)}" for i, x in enumerate([*slices, *carried]))
    kinds = ", ".join(map(type_of, results))
    text = f'{{ ^bb0({arguments}): {lines} "stablehlo.return"({returned}) : ({kinds}) -> () }}'
    return Body(text, function)


def scanning(xs: Arrays, carried: Arrays, dimension: int, body: Body, outputs: int, **attributes: Any) -> Call:
    sizes = {
        "operandSegmentSizes": f"array<i32: {len(xs)}, {len(carried)}>",
        "resultSegmentSizes": f"array<i32: {outputs}, {len(carried)}>",
    }
    return Call([*xs, *carried], {"dimension": dimension, **sizes, **attributes, "body": body})


def cumulative(
    shape: tuple[int, ...],
    dimension: int,
    dtype: np.dtype = i32,
    op: str = "stablehlo.add",
    function: Any = np.add,
    **attributes: Any,
) -> Call:
    x = whole(len(shape), shape, dtype)
    first = whole(7, shape[:dimension] + shape[dimension + 1 :], dtype)
    kind = type_of(first)
    lines = f'%r = "{op}"(%a0, %a1) : ({kind}, {kind}) -> {kind}'

    def body(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        result = np.asarray(function(a, b)).astype(dtype)
        return result, result

    return scanning(
        [x], [first], dimension, scan_body([first], [first], lines, "%r, %r", [first] * 2, body), 1, **attributes
    )


def weighted(x: np.ndarray) -> Call:
    """Two carries and two outputs, a constant that is broadcast, and an order that matters: s = 2 s + x, n = n + 1."""
    row, count = np.zeros(x.shape[1:], x.dtype), np.zeros(x.shape[1:], i32)
    r, n = type_of(row), type_of(count)
    lines = f"""%c = "stablehlo.constant"() <{{value = dense<2> : tensor<i32>}}> : () -> tensor<i32>
 %k = "stablehlo.convert"(%c) : (tensor<i32>) -> tensor<{r.removesuffix(">").split("x")[-1].removeprefix("tensor<")}>
 %t = "stablehlo.broadcast_in_dim"(%k) <{{broadcast_dimensions = array<i64>}}> :
 (tensor<{r.removesuffix(">").split("x")[-1].removeprefix("tensor<")}>) -> {r}
 %one = "stablehlo.constant"() <{{value = dense<1> : {n}}}> : () -> {n}
 %d = "stablehlo.multiply"(%a1, %t) : ({r}, {r}) -> {r} %s = "stablehlo.add"(%d, %a0) : ({r}, {r}) -> {r}
 %m = "stablehlo.add"(%a2, %one) : ({n}, {n}) -> {n}"""

    def body(a: np.ndarray, s: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, ...]:
        total = (s * 2 + a).astype(x.dtype)
        return m, a, total, (m + 1).astype(i32)

    region = scan_body([row], [row, count], lines.replace("\n", ""), "%a2, %a0, %s, %m", [count, row, row, count], body)
    return scanning([x], [row + 1, count + 3], 0, region, 2)


def reversing(x: np.ndarray) -> Call:
    """A body that is not elementwise: what it carries is turned round at each step."""
    row = np.zeros(x.shape[:1], x.dtype)
    t = type_of(row)
    lines = f'%s = "stablehlo.reverse"(%a1) <{{dimensions = array<i64: 0>}}> : ({t}) -> {t}'
    lines += f' %r = "stablehlo.add"(%a0, %s) : ({t}, {t}) -> {t}'
    region = scan_body([row], [row], lines, "%r, %r", [row, row], lambda a, c: ((a + c[::-1]).astype(x.dtype),) * 2)
    return scanning([x], [row + 1], 1, region, 1)


def counting(length: int) -> Call:
    """No inputs: the length is an attribute."""
    first = np.array(5, i32)
    lines = '%r = "stablehlo.add"(%a0, %a0) : (tensor<i32>, tensor<i32>) -> tensor<i32>'
    region = scan_body([], [first], lines, "%a0, %r", [first, first], lambda c: (c, (c + c).astype(i32)))
    return scanning([], [first], 0, region, 1, scan_dim_size=length)


def without_outputs(x: np.ndarray) -> Call:
    kind = type_of(x[0])
    lines = f'%r = "stablehlo.add"(%a0, %a1) : ({kind}, {kind}) -> {kind}'
    region = scan_body([x[0]], [x[0]], lines, "%r", [x[0]], lambda a, b: (a + b,))
    return scanning([x], [x[0]], 0, region, 0)


def without_carries(x: np.ndarray) -> Call:
    kind = type_of(x[0])
    lines = f'%r = "stablehlo.add"(%a0, %a0) : ({kind}, {kind}) -> {kind}'
    return scanning([x], [], 0, scan_body([x[0]], [], lines, "%r", [x[0]], lambda a: (a + a,)), 1)


def broken(**attributes: Any) -> Call:
    call = cumulative((2, 3), 1)
    return Call(
        call.operands,
        {**call.attributes, **attributes, "body": call.attributes["body"]},
        "tensor<2x3xi32>, tensor<2xi32>",
    )


MAXIMUM: dict[str, Any] = {"op": "stablehlo.maximum", "function": np.maximum}
case(
    "chlo.scan",
    ref=scanned,
    draw=st.builds(
        lambda shape, reverse: cumulative((*shape, 3), len(shape), is_reverse=reverse), shapes(most=2), st.booleans()
    ),
    examples=[
        *(cumulative((2, 3), 1, dtype) for dtype in (*FLOATS, *INTEGERS, c64, i4)),
        cumulative((5,), 0),
        cumulative((3000,), 0),  # in one kernel: repeated, it would not end
        cumulative((1,), 0),
        cumulative((2, 3, 4), 1),
        cumulative((2, 3, 4), 0, is_reverse=True, is_associative=True),
        cumulative((2, 3, 4), 2, is_reverse=True, scan_dim_size=4),
        cumulative((0, 3), 1),
        cumulative((4, 3), 0, **MAXIMUM),
        weighted(whole(1, (4, 3), i32)),
        weighted(whole(1, (4,), i32)),
        weighted(whole(1, (4, 3), f32)),
        reversing(whole(1, (3, 4), i32)),
        reversing(whole(1, (3, 4), c64)),
        counting(5),
        without_outputs(whole(1, (4, 3), f32)),
        without_carries(whole(1, (4, 3), f32)),
    ],
    errors=[
        (broken(dimension=2), "dimension 2"),
        (broken(dimension=0), "argument 0 of body"),
        (broken(scan_dim_size=4), "expected 4 slices"),
        (broken(operandSegmentSizes="array<i32: 2, 0>"), "carries 0 operands and 1 result,"),
        (broken(resultSegmentSizes="array<i32: 2, 0>"), "carries 1 operand and 0 results"),
    ],
)

test_drawn, test_examples, test_errors = new_tests()

CAPTURING = """
func.func @main(%x: tensor<3xf32>, %k: tensor<f32>, %m: tensor<2x3xf32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) {
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %r = stablehlo.multiply %a, %k : tensor<f32>
    %s = stablehlo.add %r, %c : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  %1:2 = chlo.scan(%x) inits(%c) dimension=0 {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.multiply %b, %k : tensor<f32>
    %s = stablehlo.add %r, %a : tensor<f32>
    stablehlo.return %s, %s : tensor<f32>, tensor<f32>
  } : (tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<f32>)
  %2:2 = chlo.scan(%m) inits(%x) dimension=0 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %r = stablehlo.multiply %b, %x : tensor<3xf32>
    %s = stablehlo.add %r, %a : tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return %0, %1#0, %2#0 : tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>
}
"""


def test_regions_use_what_is_around_them() -> None:
    x, k, m = np.array([1, 2, 3], f32), np.array(5, f32), np.array([[1, 2, 3], [4, 5, 6]], f32)
    mapped, scanned, rows = Program(hlo2tiny.parse(CAPTURING), "CPU").numpy(x, k, m)
    np.testing.assert_array_equal(mapped, x * 5 + 2)
    np.testing.assert_array_equal(scanned, [11, 57, 288])
    np.testing.assert_array_equal(rows, [x * x + m[0], (x * x + m[0]) * x + m[1]])


DYNAMIC = """
func.func @main(%x: tensor<?xi32>, %c: tensor<i32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>):
    %r = stablehlo.multiply %a, %a : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<?xi32>) -> tensor<?xi32>
  %1:2 = chlo.scan(%x) inits(%c) dimension=0 {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r, %r : tensor<i32>, tensor<i32>
  } : (tensor<?xi32>, tensor<i32>) -> (tensor<?xi32>, tensor<i32>)
  return %0, %1#0 : tensor<?xi32>, tensor<?xi32>
}
"""


def test_sizes_that_only_the_call_knows() -> None:
    program = Program(hlo2tiny.parse(DYNAMIC), "CPU")
    for size in (4, 0, 2):
        x = np.arange(size, dtype=i32)
        squares, sums = program.numpy(x, np.array(1, i32))
        np.testing.assert_array_equal(squares, x * x)
        np.testing.assert_array_equal(sums, np.cumsum(x) + 1)
