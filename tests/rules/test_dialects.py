"""Ops of Shardy, arith and tensor that exporters leave in files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.program import Program

from .cases import case, new_tests
from .mlir import Call
from .numbers import (
    bf16,
    boolean,
    c64,
    c128,
    crossed,
    f16,
    f32,
    f64,
    i4,
    i8,
    i16,
    i32,
    i64,
    random,
    seeds,
    shapes,
    special,
)

# StableHLO's interpreter has none of these; XLA takes arith only inside its own passes.
NOWHERE: Any = {"xla": "it takes StableHLO only", "interpreter": "it takes StableHLO only"}
SIGNLESS = [i32, i64, i8, i16, boolean]
FLOATS = [f32, f64, bf16, f16]


def one_of_each(*shape: int) -> list[np.ndarray]:
    return [random(1, shape, dtype) for dtype in (f32, i4, boolean, bf16, c64)]


# ---------------------------------------------------------------- Shardy

SHARDING = "#sdy.sharding<@mesh, [{}, {}]>"
SDY: dict[str, dict[str, Any]] = {
    "all_gather": {"gathering_axes": '#sdy<list_of_axis_ref_lists[{"x"}, {}]>', "out_sharding": SHARDING},
    "all_reduce": {"reduction_axes": '#sdy<axis_ref_list{"x"}>', "out_sharding": SHARDING},
    "all_slice": {"slicing_axes": '#sdy<list_of_axis_ref_lists[{"x"}, {}]>', "out_sharding": SHARDING},
    "all_to_all": {"params": '#sdy<all_to_all_param_list[{"x"}: 0->1]>', "out_sharding": SHARDING},
    "collective_permute": {"out_sharding": SHARDING},
    "reduce_scatter": {"reduce_scatter_axes": '#sdy<list_of_axis_ref_lists[{"x"}, {}]>', "out_sharding": SHARDING},
    "replicated_to_unreduced": {"axes": '#sdy<axis_ref_list{"x"}>', "out_sharding": SHARDING},
    "sharded_to_unreduced": {"axes": '#sdy<list_of_axis_ref_lists[{"x"}, {}]>', "out_sharding": SHARDING},
    "reshard": {"sharding": SHARDING},
    "sharding_constraint": {"sharding": SHARDING},
    "propagation_barrier": {"allowed_direction": "1 : i32"},
    "data_flow_edge": {"sharding": SHARDING},
    "func_data_flow_edge": {},
}
for name, attributes in SDY.items():
    case(
        f"sdy.{name}",
        disagree=NOWHERE,
        ref=lambda x, **_: x,
        examples=[Call([x], attributes) for x in one_of_each(2, 3)],
        errors=[(Call([random(1, (2, 3), f32)], attributes, "tensor<1x3xf32>"), "declared type is tensor<1x3xf32>")],
    )
case(
    "sdy.sharding_group",
    disagree=NOWHERE,
    ref=lambda x, **_: [],
    examples=[Call([random(1, (2, 3), f32)], {"group_id": 3})],
)


# ---------------------------------------------------------------- constants

CONSTANTS = [
    Call([], {"value": np.array([1.5, -0.0, 3e-39], f32)}),
    Call([], {"value": np.full((3, 2), 7, i8)}),
    Call([], {"value": np.arange(40, dtype=i64).reshape(4, 10) - 2**62}),
]


for name in ("chlo.constant", "sdy.constant"):
    case(name, disagree=NOWHERE, ref=lambda value: value, examples=CONSTANTS)
case("arith.constant", disagree=NOWHERE, ref=lambda value: value, examples=CONSTANTS)
case(
    "chlo.constant_like",
    disagree=NOWHERE,
    ref=lambda x, value: np.full_like(x, float(value.split()[0])),
    examples=[
        Call([x], {"value": f"{value} : {element}"})
        for x, value, element in [
            (random(1, (2, 3), f32), "-2.5", "f32"),
            (random(1, (), bf16), "1.5", "bf16"),
            (random(1, (0,), i32), "7", "i32"),
            (random(1, (2,), i8), "-7", "i8"),
        ]
    ],
)


# ---------------------------------------------------------------- arith on integers


def width(x: np.ndarray) -> int:
    return 1 if x.dtype == boolean else 8 * x.dtype.itemsize


def signed(x: np.ndarray) -> np.ndarray:
    """Python's integers; a true i1 is -1."""
    return -x.astype(object) if x.dtype == boolean else x.astype(object)


def unsigned(x: np.ndarray) -> np.ndarray:
    return np.asarray(signed(x) % 2 ** width(x))


def wrapped(numbers: Any, dtype: np.dtype) -> np.ndarray:
    numbers = np.asarray(numbers, object)
    if dtype == boolean:
        return np.asarray(numbers % 2 == 1, boolean)
    bits = 8 * dtype.itemsize
    return np.asarray((numbers + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1), np.int64).astype(dtype)


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def each(function: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    return lambda a, b: np.frompyfunc(function, 2, 1)(a, b)


READ_SIGNED = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "maxsi": each(max),
    "minsi": each(min),
    "andi": each(lambda a, b: a & b),
    "ori": each(lambda a, b: a | b),
    "xori": each(lambda a, b: a ^ b),
}
READ_UNSIGNED = {"maxui": each(max), "minui": each(min)}
SIGNED_QUOTIENTS = {
    "divsi": each(truncated),
    "remsi": each(lambda a, b: a - b * truncated(a, b)),
    "ceildivsi": each(lambda a, b: -(-a // b)),
    "floordivsi": each(lambda a, b: a // b),
}
UNSIGNED_QUOTIENTS = {
    "divui": each(lambda a, b: a // b),
    "remui": each(lambda a, b: a % b),
    "ceildivui": each(lambda a, b: -(-a // b)),
}


def pairs(dtype: np.dtype, quotients: bool) -> Call:
    """All pairs of special numbers; for a quotient those that arith gives a meaning."""
    a, b = crossed(special(dtype), special(dtype))
    if quotients:
        kept = (b != 0) & ~((signed(b) == -1) & (signed(a) == -(2 ** (width(a) - 1))))
        a, b = a[kept], b[kept]
    return Call([a, b])


for table, read in ((READ_SIGNED, signed), (READ_UNSIGNED, unsigned)):
    for name, function in table.items():
        flags = {"overflowFlags": "#arith.overflow<nsw>"} if name in ("addi", "subi", "muli") else {}
        case(
            f"arith.{name}",
            disagree=NOWHERE,
            ref=lambda a, b, function=function, read=read, **_: wrapped(function(read(a), read(b)), a.dtype),
            draw=st.builds(
                lambda seed, shape, dtype: Call([random(seed, shape, dtype), random(seed + 1, shape, dtype)]),
                seeds,
                shapes(),
                st.sampled_from(SIGNLESS),
            ),
            examples=[
                *(pairs(dtype, False) for dtype in SIGNLESS),
                Call([random(1, (), i32)] * 2, flags),
            ],
        )
for table, read in ((SIGNED_QUOTIENTS, signed), (UNSIGNED_QUOTIENTS, unsigned)):
    for name, function in table.items():
        case(
            f"arith.{name}",
            disagree=NOWHERE,
            ref=lambda a, b, function=function, read=read, **_: wrapped(function(read(a), read(b)), a.dtype),
            examples=[*(pairs(dtype, True) for dtype in SIGNLESS[:-1])],
        )


def shifted(name: str, x: np.ndarray, by: np.ndarray) -> np.ndarray:
    amount = by.astype(object)
    number = unsigned(x) if name == "shrui" else signed(x)
    return wrapped(number * 2**amount if name == "shli" else number // 2**amount, x.dtype)


for name in ("shli", "shrsi", "shrui"):
    case(
        f"arith.{name}",
        disagree=NOWHERE,
        ref=lambda x, by, name=name, **_: shifted(name, x, by),
        examples=[
            Call(crossed(special(dtype), np.array([0, 1, 5, 8 * dtype.itemsize - 1], dtype))) for dtype in SIGNLESS[:-1]
        ],
    )

PREDICATES = [
    *(("EQ", signed, np.equal), ("NE", signed, np.not_equal)),
    *(
        (f"s{n}", signed, f)
        for n, f in (("LT", np.less), ("LE", np.less_equal), ("GT", np.greater), ("GE", np.greater_equal))
    ),
    *(
        (f"u{n}", unsigned, f)
        for n, f in (("LT", np.less), ("LE", np.less_equal), ("GT", np.greater), ("GE", np.greater_equal))
    ),
]


def compared(a: np.ndarray, b: np.ndarray, predicate: int) -> np.ndarray:
    _, read, function = PREDICATES[predicate]
    return np.asarray(function(read(a), read(b)), boolean)


case(
    "arith.cmpi",
    disagree=NOWHERE,
    ref=compared,
    examples=[
        Call(pairs(dtype, False).operands, {"predicate": number})
        for number in range(10)
        for dtype in (i32, i8, boolean)
    ],
)


# ---------------------------------------------------------------- arith on floats


def ordered_or_not(a: np.ndarray, b: np.ndarray, predicate: int, fastmath: Any = None) -> np.ndarray:
    a, b = a.astype(f64), b.astype(f64)
    unordered = np.isnan(a) | np.isnan(b)
    if predicate in (0, 15):
        return np.full(a.shape, predicate == 15)
    if predicate in (7, 14):
        return unordered if predicate == 14 else ~unordered
    function = (np.equal, np.greater, np.greater_equal, np.less, np.less_equal, np.not_equal)[(predicate - 1) % 7]
    return np.where(unordered, predicate > 7, function(a, b))


case(
    "arith.cmpf",
    disagree=NOWHERE,
    ref=ordered_or_not,
    examples=[
        *(Call(crossed(special(f32), special(f32)), {"predicate": number}) for number in range(16)),
        *(Call(crossed(special(dtype), special(dtype)), {"predicate": 4}) for dtype in FLOATS),
        Call([random(1, (2,), f32)] * 2, {"predicate": 1, "fastmath": "#arith.fastmath<nnan>"}),
    ],
)


def of_f64(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    """Computed more widely than its numbers, and rounded once."""
    return lambda *xs, fastmath=None: np.asarray(function(*xs)).astype(xs[0].dtype)


def extreme(a: np.ndarray, b: np.ndarray, larger: bool, nan: bool) -> np.ndarray:
    x, y = a.astype(f64), b.astype(f64)
    first = (x > y) | ((x == y) & ~np.signbit(x)) if larger else (x < y) | ((x == y) & np.signbit(x))
    chosen = np.where(first, x, y)
    if nan:
        return np.where(np.isnan(x) | np.isnan(y), np.nan, chosen)
    return np.where(np.isnan(x), y, np.where(np.isnan(y), x, chosen))


FLOAT_OPS: dict[str, Callable[..., Any]] = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "divf": np.divide,
    "remf": np.fmod,
    "maximumf": lambda a, b: extreme(a, b, True, True),
    "minimumf": lambda a, b: extreme(a, b, False, True),
    "maxnumf": lambda a, b: extreme(a, b, True, False),
    "minnumf": lambda a, b: extreme(a, b, False, False),
}
for name, function in FLOAT_OPS.items():
    numbers = [-2.5, -0.0, 0.0, 1.0, 3.0, np.inf, -np.inf, np.nan]
    case(
        f"arith.{name}",
        disagree=NOWHERE,
        ref=of_f64(function),
        tol=1 if name == "divf" else 0,
        examples=[
            *(Call(crossed(np.array(numbers, dtype), np.array(numbers, dtype))) for dtype in FLOATS),
            Call([random(1, (2,), f32)] * 2, {"fastmath": "#arith.fastmath<fast>"}),
        ],
    )
case(
    "arith.negf",
    disagree=NOWHERE,
    ref=of_f64(np.negative),
    examples=[Call([special(dtype)]) for dtype in FLOATS],
)


# ---------------------------------------------------------------- casts


def cast(x: np.ndarray, dtype: np.dtype, function: Callable[..., Any], **attributes: Any) -> Call:
    return Call([x], attributes, result=lambda x, **_: function(x, dtype))


INTEGER_CASTS = [(i8, i32), (i8, i64), (boolean, i32), (i32, i64)]
case(
    "arith.extsi",
    disagree=NOWHERE,
    ref=None,
    examples=[cast(special(a), b, lambda x, t: wrapped(signed(x), t)) for a, b in INTEGER_CASTS],
)
case(
    "arith.extui",
    disagree=NOWHERE,
    ref=None,
    examples=[cast(special(a), b, lambda x, t: wrapped(unsigned(x), t), nonNeg="unit") for a, b in INTEGER_CASTS],
)
case(
    "arith.trunci",
    disagree=NOWHERE,
    ref=None,
    examples=[cast(special(b), a, lambda x, t: wrapped(signed(x), t)) for a, b in INTEGER_CASTS],
)
for name, read in (("index_cast", signed), ("index_castui", unsigned)):
    case(
        f"arith.{name}",
        disagree=NOWHERE,
        ref=None,
        examples=[cast(special(a), b, lambda x, t, read=read: wrapped(read(x), t)) for a, b in INTEGER_CASTS],
    )


def to_float(x: np.ndarray, dtype: np.dtype, read: Callable[..., Any]) -> np.ndarray:
    return np.asarray(read(x).astype(f64) if x.dtype != i64 else read(x)).astype(dtype)


for name, read in (("sitofp", signed), ("uitofp", unsigned)):
    case(
        f"arith.{name}",
        disagree=NOWHERE,
        ref=None,
        examples=[
            cast(special(a), b, lambda x, t, read=read: to_float(x, t, read))
            for a, b in [(i8, f32), (i32, f64), (i32, f32), (boolean, f32), (i16, f64), (i64, f64)]
        ],
    )
WITHIN = np.array([-0.0, 0.9, 1.5, 2.5, 100.0], f32)
for name in ("fptosi", "fptoui"):
    case(
        f"arith.{name}",
        disagree=NOWHERE,
        ref=None,
        examples=[
            cast(WITHIN.astype(a), b, lambda x, t: np.trunc(x.astype(f64)).astype(t))
            for a, b in [(f32, i32), (f64, i64), (bf16, i8), (f32, i16)]
        ],
    )
case(
    "arith.extf",
    disagree=NOWHERE,
    ref=None,
    examples=[cast(special(a), b, lambda x, t: x.astype(t)) for a, b in [(f32, f64), (bf16, f32), (f16, f64)]],
)
case(
    "arith.truncf",
    disagree=NOWHERE,
    ref=None,
    examples=[
        cast(special(a), b, lambda x, t: x.astype(t), **more)
        for a, b, more in [(f64, f32, {}), (f32, bf16, {}), (f32, f16, {"roundingmode": "0 : i32"})]
    ],
    errors=[
        (
            Call([random(1, (2,), f64)], {"roundingmode": "1 : i32"}, "tensor<2xf32>"),
            "rounds downward; hlo2tiny rounds to nearest even",
        )
    ],
)
case(
    "arith.bitcast",
    disagree=NOWHERE,
    ref=None,
    examples=[cast(special(a)[:-1], b, lambda x, t: x.view(t)) for a, b in [(f32, i32), (i64, f64), (bf16, i16)]],
)
case(
    "arith.select",
    disagree=NOWHERE,
    ref=np.where,
    examples=[
        *(Call([random(1, (2, 3), boolean), random(2, (2, 3), t), random(3, (2, 3), t)]) for t in (f32, i4, c64, bf16)),
        Call([np.array(True), random(2, (2, 3), i32), random(3, (2, 3), i32)]),
    ],
)


# ---------------------------------------------------------------- tensor

case(
    "tensor.from_elements",
    disagree=NOWHERE,
    ref=lambda *xs: np.array(xs),
    examples=[
        *(Call([random(i, (), dtype) for i in range(3)]) for dtype in (f32, i32, boolean, c128)),
        Call([random(i, (), i64) for i in range(6)], result=lambda *xs: np.array(xs).reshape(2, 3)),
        Call([], result=lambda: np.zeros((0,), f32)),
    ],
)
case(
    "tensor.splat",
    disagree=NOWHERE,
    ref=lambda x: np.broadcast_to(x, (2, 3)),
    examples=[Call([random(1, (), dtype)]) for dtype in (f32, i4, boolean, bf16, c64)],
)
case(
    "tensor.extract",
    disagree=NOWHERE,
    ref=lambda x, *at: x[tuple(int(i) for i in at)],
    examples=[
        *(Call([x, np.array(1, i64), np.array(2, i64)]) for x in one_of_each(2, 3)),
        Call([random(1, (), f32)]),
    ],
)
case(
    "tensor.dim",
    disagree=NOWHERE,
    ref=lambda x, at: np.array(x.shape[int(at)], i64),
    examples=[Call([random(1, (2, 0, 3), f32), np.array(i, i64)]) for i in range(3)],
)
case("tensor.cast", disagree=NOWHERE, ref=lambda x: x, examples=[Call([x]) for x in one_of_each(2, 3)])
case(
    "tensor.empty",
    disagree=NOWHERE,
    ref=None,
    examples=[Call(result=lambda dtype=dtype: np.zeros((2, 3), dtype)) for dtype in (f32, i8, boolean, bf16, c64)],
)


# ---------------------------------------------------------------- scalars, and all of it together


def run(text: str, *arrays: Any) -> tuple[np.ndarray, ...]:
    return Program(hlo2tiny.parse(text), "CPU").numpy(*arrays)


SCALAR = """
func.func @main(%a: tensor<4xi32>, %k: tensor<i32>, %f: f32) -> (tensor<2xi64>, index, i32, f32, i1) {
  %c0 = arith.constant 0 : index
  %k1 = tensor.extract %k[] : tensor<i32>
  %ki = arith.index_cast %k1 : i32 to index
  %e = tensor.extract %a[%ki] : tensor<4xi32>
  %f1 = arith.muli %e, %k1 overflow<nsw> : i32
  %g = arith.extsi %f1 : i32 to i64
  %d = tensor.dim %a, %c0 : tensor<4xi32>
  %h = arith.index_cast %d : index to i64
  %r = tensor.from_elements %g, %h : tensor<2xi64>
  %half = arith.constant -0.5 : f32
  %m = arith.mulf %f, %half fastmath<contract> : f32
  %p = arith.cmpf olt, %m, %half : f32
  return %r, %ki, %f1, %m, %p : tensor<2xi64>, index, i32, f32, i1
}
"""


def test_scalars_are_tensors_of_rank_0() -> None:
    r, ki, f1, m, p = run(SCALAR, np.arange(10, 14, dtype=i32), np.int32(2), np.float32(4))
    assert (r.tolist(), ki, f1, m, bool(p)) == ([24, 4], 2, 24, -2, True)
    assert (ki.dtype, f1.dtype, m.dtype, p.dtype) == (i64, i32, f32, boolean)


LOOP = """
func.func @main(%n: index) -> (index, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant dense<1.0> : tensor<f32>
  %r:2 = stablehlo.while(%i = %c0, %a = %x) : index, tensor<f32> cond {
    %more = arith.cmpi slt, %i, %n : index
    %p = tensor.from_elements %more : tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = arith.addi %i, %c1 : index
    %b = stablehlo.add %a, %a : tensor<f32>
    stablehlo.return %j, %b : index, tensor<f32>
  }
  return %r#0, %r#1 : index, tensor<f32>
}
"""


def test_scalars_are_carried_by_loops() -> None:
    assert run(LOOP, np.int64(5)) == (5, 32)


SHAPES = """
func.func @main(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<2xindex>, tensor<index>) {
  %s = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>
  %t = shape.shape_of %b : tensor<?x3xf32> -> tensor<2xindex>
  %w = shape.cstr_broadcastable %s, %t : tensor<2xindex>, tensor<2xindex>
  %v = shape.cstr_eq %s, %t : tensor<2xindex>, tensor<2xindex>
  %both = shape.assuming_all %w, %v
  %n = shape.num_elements %s : tensor<2xindex> -> index
  %five = shape.const_size 5
  %f = shape.size_to_index %five : !shape.size
  %m = shape.mul %n, %f : index, index -> index
  %e = tensor.from_elements %m : tensor<index>
  %r = shape.assuming %both -> (tensor<?x3xf32>) {
    %c = stablehlo.add %a, %b : tensor<?x3xf32>
    shape.assuming_yield %c : tensor<?x3xf32>
  }
  return %r, %s, %e : tensor<?x3xf32>, tensor<2xindex>, tensor<index>
}
"""


def test_shapes_are_computed_and_their_constraints_checked() -> None:
    program = Program(hlo2tiny.parse(SHAPES), "CPU")
    x = random(1, (4, 3), f32)
    r, s, e = program.numpy(x, x)
    np.testing.assert_array_equal(r, x + x)
    assert (s.tolist(), e) == ([4, 3], 60)
    with pytest.raises(hlo2tiny.InputError, match=r"\(4, 3\), \(2, 3\) do not broadcast"):
        program.numpy(x, x[:2])
    with pytest.raises(hlo2tiny.InputError, match=r"\(4, 3\), \(1, 3\) are not equal"):
        program.numpy(x, x[:1])


def test_a_requirement_that_does_not_hold_is_an_error() -> None:
    text = """
    func.func @main() {
      %p = arith.constant false
      %w = shape.cstr_require %p, "sizes must agree"
      return
    }"""
    with pytest.raises(hlo2tiny.InputError, match="sizes must agree") as raised:
        run(text)
    assert raised.value.line == 4


QUERIES = {
    "shape.is_broadcastable %s, %t : tensor<2xindex>, tensor<2xindex>": False,
    "shape.is_broadcastable %s, %s : tensor<2xindex>, tensor<2xindex>": True,
    "shape.shape_eq %s, %t : tensor<2xindex>, tensor<2xindex>": False,
    "shape.shape_eq %s, %s : tensor<2xindex>, tensor<2xindex>": True,
}


@pytest.mark.parametrize("query", QUERIES)
def test_shapes_are_compared(query: str) -> None:
    text = f"""
    func.func @main(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> i1 {{
      %s = shape.shape_of %a : tensor<2x3xf32> -> tensor<2xindex>
      %t = shape.shape_of %b : tensor<4x3xf32> -> tensor<2xindex>
      %r = {query}
      return %r : i1
    }}"""
    assert run(text, np.zeros((2, 3), f32), np.zeros((4, 3), f32)) == (QUERIES[query],)


SIZES = {  # of 7 and 3, and of the shapes [2, 5] and [4, 3]
    "%r = shape.add %a, %b : index, index -> index": 10,
    "%r = shape.mul %a, %b : index, index -> index": 21,
    "%r = shape.div %a, %b : index, index -> index": 2,
    "%r = shape.max %a, %b : index, index -> index": 7,
    "%r = shape.min %a, %b : index, index -> index": 3,
    "%m = shape.max %s, %t : !shape.shape, !shape.shape -> !shape.shape": 20,
    "%m = shape.min %s, %t : !shape.shape, !shape.shape -> !shape.shape": 6,
    "%m = shape.any %s, %s : !shape.shape, !shape.shape -> !shape.shape": 10,
    "%m = shape.concat %s, %t : !shape.shape, !shape.shape -> !shape.shape": 120,
    "%m = shape.value_as_shape %v : tensor<2xindex> -> !shape.shape": 63,
}


def of_sizes(line: str) -> str:
    elements = "%r = shape.num_elements %m : !shape.shape -> index"
    return f"""
    func.func @main(%x: tensor<2x5xf32>, %y: tensor<4x3xf32>) -> index {{
      %s = shape.shape_of %x : tensor<2x5xf32> -> !shape.shape
      %t = shape.shape_of %y : tensor<4x3xf32> -> !shape.shape
      %a = arith.constant 7 : index
      %b = arith.constant 3 : index
      %zero = arith.constant 0 : index
      %v = stablehlo.constant dense<[21, 3]> : tensor<2xindex>
      {line}
      {elements if line.startswith("%m") else ""}
      return %r : index
    }}"""


@pytest.mark.parametrize("line", SIZES)
def test_sizes_are_computed(line: str) -> None:
    assert run(of_sizes(line), np.zeros((2, 5), f32), np.zeros((4, 3), f32)) == (SIZES[line],)


IMPOSSIBLE = {
    "%r = shape.div %a, %zero : index, index -> index": "the size 7 is divided by zero",
    "%r = shape.get_extent %s, %b : !shape.shape, index -> index": "asks for dimension 3 of a shape of rank 2",
    "%r = shape.dim %x, %b : tensor<2x5xf32>, index -> index": "asks for dimension 3 of a shape of rank 2",
}


@pytest.mark.parametrize("line", IMPOSSIBLE)
def test_sizes_that_do_not_exist_are_errors(line: str) -> None:
    with pytest.raises(hlo2tiny.VerifyError, match=IMPOSSIBLE[line]) as raised:
        run(of_sizes(line), np.zeros((2, 5), f32), np.zeros((4, 3), f32))
    assert raised.value.line == 9


test_drawn, test_examples, test_errors = new_tests(3)
