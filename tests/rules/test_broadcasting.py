"""CHLO's broadcasting ops: each gives what its twin gives for operands that numpy has broadcast."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracles import run

from hlo2tiny.rules import RULES
from hlo2tiny.rules.broadcasting import TWINS

from . import test_elementary, test_elementwise  # noqa: F401  (the twins' rows)
from .cases import CASES, case, new_tests, results_of
from .mlir import Call, module_text
from .numbers import FLOATS, INTEGERS, bf16, boolean, c64, f32, f64, i4, i8, i32, random, type_of, u8

SHAPES = [((2, 3), (2, 3)), ((3,), (4, 1)), ((), (2, 3)), ((2, 1, 3), (4, 1)), ((1,), (0,)), ((2, 0), (1, 1)), ((), ())]
# The smaller operand's dimensions among those of the other.
PLACED = [
    ((2, 3), (3,), (1,)),
    ((2, 3), (2,), (0,)),
    ((2,), (2, 3), (0,)),
    ((2, 4, 3), (2, 3), (0, 2)),
    ((2, 3), (), ()),
    ((1, 3), (2,), (0,)),
]
PLACED += [((2, 3), (2, 1), (0, 1))]


def unaligned(call: Call) -> bool:
    """Whether numpy would align the dimensions differently."""
    places, rank = call.attributes.get("broadcast_dimensions"), max(x.ndim for x in call.operands)
    return places is not None and list(places) != list(range(rank - len(places), rank))


XLA = {"xla": ("takes only the places that numpy has", unaligned)}


def placed(x: np.ndarray, rank: int, dimensions: tuple[int, ...] | None) -> np.ndarray:
    if dimensions is None or x.ndim != len(dimensions):
        return x
    sizes = dict(zip(dimensions, x.shape))
    return x.reshape([sizes.get(d, 1) for d in range(rank)])


def by_twin(twin: str) -> Any:
    """By its row's reference, which importing its module adds."""

    def reference(*operands: np.ndarray, broadcast_dimensions: Any = None, **attributes: Any) -> Any:
        rank = max(x.ndim for x in operands)
        whole = [np.array(x) for x in np.broadcast_arrays(*(placed(x, rank, broadcast_dimensions) for x in operands))]
        call = Call(whole, {n: v.replace("#chlo", "#stablehlo") for n, v in attributes.items()})
        (found,) = results_of(CASES[twin], call)
        return found.astype(whole[-1].dtype) if found.dtype.kind == "i" else found  # numpy widens i4

    return reference


def by_xla(op: str) -> Any:
    def reference(*operands: np.ndarray, **attributes: Any) -> Any:
        places = attributes.get("broadcast_dimensions")
        rank = max(x.ndim for x in operands)
        shape = np.broadcast_shapes(*(placed(x, rank, places).shape for x in operands))
        declared = type_of(np.zeros(shape, operands[0].dtype))
        return run("xla", module_text(op, [Call(operands, attributes)], [[declared]]), operands)[0]

    return reference


INTEGRAL = {"and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical"}
LONG = {"polygamma", "zeta"}  # to compile; test_special.py has their other types
REAL = {"atan2", "complex", "next_after", "polygamma", "zeta"}


def types(name: str) -> tuple[np.dtype, ...]:
    """A few element types of each kind that the op takes."""
    if name in INTEGRAL:
        return (i32, u8, i4, *([] if name.startswith("shift") else [boolean]))
    if name in REAL:
        return {"complex": (f32, f64), **dict.fromkeys(LONG, (f32,))}.get(name, (f32, f64, bf16))
    return (f32, bf16, i32, u8, *([c64] if name in ("add", "subtract", "multiply") else []))


def drawn(name: str, shapes: Any, dtype: np.dtype) -> list[np.ndarray]:
    """Numbers at which the functions are tame: their own edges are tested beside them."""
    low, high = (1, 8) if name in (*REAL, "divide", "power") else (-8, 8)
    operands = [random(i, s, dtype, low, high) for i, s in enumerate(shapes)]
    if dtype == f32 or name in REAL:
        operands = [np.round(x).astype(dtype) for x in operands]
    return operands


def wrong(*shapes: Any, **attributes: Any) -> Call:
    return Call([np.zeros(s, f32) for s in shapes], attributes, "tensor<2x3xf32>")


ERRORS = [
    (wrong((2, 3), (2,)), "broadcast"),
    (wrong((2, 3), (2,), broadcast_dimensions=(0, 1)), "broadcast_dimensions"),
    (wrong((2, 3), (2,), broadcast_dimensions=(2,)), "broadcast_dimensions"),
    (wrong((2, 3), (3, 2), broadcast_dimensions=(1, 0)), "broadcast_dimensions"),
    (wrong((2, 3), (3,), broadcast_dimensions=(0,)), "broadcast"),
    (Call([np.zeros(3, f32), np.zeros(3, f64)], results="tensor<3xf32>"), "expected elements of f32"),
]

for op, twin in TWINS.items():
    if op in ("chlo.broadcast_compare", "chlo.broadcast_select"):  # above
        continue
    name = op.removeprefix("chlo.broadcast_")
    forms = SHAPES if name == "add" else SHAPES[1:3]
    places = PLACED if name == "add" else PLACED[:1]
    case(
        op,
        ref=by_xla(op) if twin.startswith("chlo.") else by_twin(twin),
        tol=64 if twin.startswith("chlo.") else 4 if name in (*REAL, "divide", "multiply", "power", "remainder") else 0,
        examples=[
            *(Call(drawn(name, shapes, types(name)[0])) for shapes in forms),
            *(Call(drawn(name, ((3,), (2, 1)), dtype)) for dtype in types(name)[1:]),
            *(Call(drawn(name, (a, b), types(name)[0]), {"broadcast_dimensions": d}) for a, b, d in places),
        ],
        errors=ERRORS if name == "add" else ERRORS[:1],
        disagree=XLA,
    )


def comparison(direction: str, kind: str = "", dtype: np.dtype = f32) -> Call:
    attributes = {"comparison_direction": f"#chlo<comparison_direction {direction}>"}
    if kind:
        attributes["compare_type"] = f"#chlo<comparison_type {kind}>"
    special = np.array([0.0, -0.0, 1, np.nan]) if dtype == f32 else np.array([0, 1, 2, 7])
    return Call([special.astype(dtype), special.astype(dtype)[:, None]], attributes)


case(
    "chlo.broadcast_compare",
    ref=by_twin("stablehlo.compare"),
    examples=[
        *(comparison(direction) for direction in ("EQ", "NE", "LT", "LE", "GT", "GE")),
        comparison("LT", "TOTALORDER"),
        comparison("LT", "FLOAT"),
        comparison("LT", "SIGNED", i8),
        comparison("LT", "UNSIGNED", u8),
        Call(
            [random(1, (2, 3), i32), random(2, (2,), i32)], comparison("LT").attributes | {"broadcast_dimensions": (0,)}
        ),
    ],
    errors=[(Call(wrong((2, 3), (2,)).operands, comparison("LT").attributes, "tensor<2x3xi1>"), "broadcast")],
    disagree=XLA,
)

case(
    "chlo.broadcast_select",
    ref=lambda p, a, b: np.where(*np.broadcast_arrays(p, a, b)),
    examples=[
        Call([random(0, shapes[0], boolean), *(random(i, s, dtype) for i, s in enumerate(shapes[1:]))])
        for shapes, dtype in [
            (((2, 3), (2, 3), (2, 3)), f32),
            (((), (3,), (2, 1)), i8),
            (((3,), (), (2, 1)), bf16),
            (((2, 1), (3,), ()), c64),
            (((2, 1), (1, 0), ()), f64),
        ]
    ],
    errors=[
        (Call([np.zeros(2, bool), np.zeros(3, f32), np.zeros(3, f32)], results="tensor<3xf32>"), "broadcast"),
    ],
)

case(
    "stablehlo.broadcast",
    ref=lambda x, *, broadcast_sizes: np.broadcast_to(x, (*broadcast_sizes, *x.shape)),
    examples=[
        *(
            Call([random(1, (2, 3), dtype)], {"broadcast_sizes": (4,)})
            for dtype in (*FLOATS, *INTEGERS, boolean, c64, i4)
        ),
        Call([random(1, (3,), f32)], {"broadcast_sizes": (2, 1)}),
        Call([random(1, (3,), f32)], {"broadcast_sizes": (0,)}),
        Call([random(1, (0,), f32)], {"broadcast_sizes": (2,)}),
        Call([random(1, (), f32)], {"broadcast_sizes": (2, 3)}),
        Call([random(1, (3,), f32)], {"broadcast_sizes": ()}),
    ],
    errors=[
        (Call([np.zeros(3, f32)], {"broadcast_sizes": (-1,)}, "tensor<3xf32>"), "no negative sizes"),
        (Call([np.zeros(3, f32)], {"broadcast_sizes": (2,)}, "tensor<3x2xf32>"), "declared type is"),
    ],
    disagree={"interpreter": "has no broadcast"},
)

_, test_examples, test_errors = new_tests(3)


def test_each_twin_has_a_rule() -> None:
    assert set(TWINS.values()) <= set(RULES)


def test_twins_are_all_of_chlo() -> None:
    listed = {op for op in RULES if op.startswith("chlo.broadcast_")}
    assert listed == set(TWINS)
