"""Collectives with one process."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .bodies import binary
from .cases import case, new_tests
from .mlir import Call
from .numbers import bf16, boolean, c64, f32, i4, i32, i64, random, seeds, shapes

ALONE = "dense<0> : tensor<1x1xi64>"
NO_GROUPS = "dense<> : tensor<0x0xi64>"
PADDED = "dense<[[0, -1]]> : tensor<1x2xi64>"
TWO = "dense<[[0, 1]]> : tensor<1x2xi64>"
TWICE = "dense<[[0, 0]]> : tensor<1x2xi64>"
CHANNEL = "#stablehlo.channel_handle<handle = 1, type = 0>"
NO_CHANNEL = "#stablehlo.channel_handle<handle = 0, type = 0>"
MESH_AXES = '#stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = ["x"]>'


def one_of_each(*shape: int) -> list[np.ndarray]:
    return [random(1, shape, dtype) for dtype in (f32, i4, boolean, bf16, c64, i64)]


X = random(1, (2, 3), f32)
T = "tensor<2x3xf32>"
GROUPS = [
    {"replica_groups": ALONE},
    {"replica_groups": NO_GROUPS},
    {"replica_groups": PADDED, "channel_handle": NO_CHANNEL},
    {"replica_groups": ALONE, "channel_handle": CHANNEL},
]
GLOBAL = {"replica_groups": ALONE, "channel_handle": CHANNEL, "use_global_device_ids": "unit"}
ONE_PROCESS = "one process, number 0: export the program for one device"
WRONG_IDS = (
    {"replica_groups": ALONE, "use_global_device_ids": "unit"},
    "needs a channel_handle with a positive handle",
)


def wrong(more: dict[str, Any], *others: Any, of_two: str = T, for_two: str = ONE_PROCESS) -> list[tuple[Call, str]]:
    """What is wrong with groups, whatever the op; `of_two` is the result's type where groups have two processes."""
    return [
        (Call([X], {"replica_groups": TWO} | more, of_two), for_two),
        (Call([X], {"replica_groups": TWICE} | more, T), "replica_groups names a process twice"),
        (Call([X], {"replica_groups": MESH_AXES} | more, T), "axes of a mesh"),
        *((Call([X], groups | more, T), message) for groups, message in others),
    ]


# What oracles leave open.
ALONE_ONLY = "it runs collectives only for several processes"


def odd(call: Call) -> bool:
    groups = call.attributes.get("replica_groups", "")
    return groups == PADDED or any(x.size == 0 or x.dtype == i4 for x in call.operands)


# XLA writes a byte for each int4 where it has half of one.
ODD = "XLA wants groups of one size, and numbers in them that have bytes of their own"
DISAGREE: Any = {"interpreter": ALONE_ONLY, "xla": (ODD, odd)}


def same(*xs: Any, **attributes: Any) -> Any:
    return list(xs)


case(
    "stablehlo.all_gather",
    draw=st.builds(
        lambda seed, shape, dtype: Call([random(seed, shape, dtype)], GLOBAL | {"all_gather_dim": len(shape) - 1}),
        seeds,
        shapes(1),
        st.sampled_from([f32, i4, boolean, bf16, c64, i64]),
    ),
    disagree=DISAGREE,
    ref=same,
    examples=[
        *(Call([X], groups | {"all_gather_dim": 1}) for groups in [*GROUPS, GLOBAL]),
        *(Call([x], GROUPS[0] | {"all_gather_dim": 0}) for x in one_of_each(3, 2)),
        Call([X, random(2, (0, 4), i32)], GLOBAL | {"all_gather_dim": 0}),
    ],
    errors=[
        *wrong({"all_gather_dim": 0}, WRONG_IDS, of_two="tensor<4x3xf32>"),
        (Call([X], GROUPS[0] | {"all_gather_dim": 2}, T), "all_gather_dim is 2, expected a dimension of"),
        (Call([X], GROUPS[0] | {"all_gather_dim": 0}, "tensor<4x3xf32>"), "declared type is tensor<4x3xf32>"),
    ],
)
ADD = {"computation": binary("stablehlo.add", f32, np.add)}
case(
    "stablehlo.all_reduce",
    disagree=DISAGREE,
    ref=same,
    examples=[
        *(Call([X], groups | ADD) for groups in [*GROUPS, GLOBAL]),
        Call([random(2, (2, 3), i32)], GLOBAL | {"computation": binary("stablehlo.maximum", i32, np.maximum)}),
        Call([X, random(3, (0,), f32)], GLOBAL | ADD),
    ],
    errors=wrong(ADD, WRONG_IDS),
)
case(
    "stablehlo.reduce_scatter",
    disagree=DISAGREE,
    ref=lambda x, **_: x,
    examples=[
        *(Call([X], groups | ADD | {"scatter_dimension": 0}) for groups in [*GROUPS, GLOBAL]),
        Call([random(3, (2, 0), f32)], GLOBAL | ADD | {"scatter_dimension": 1}),
    ],
    errors=[
        *wrong(ADD | {"scatter_dimension": 0}, WRONG_IDS, of_two="tensor<1x3xf32>"),
        (Call([X], GROUPS[0] | ADD | {"scatter_dimension": -1}, T), "scatter_dimension is -1"),
    ],
)
EXCHANGE = {"split_dimension": 0, "concat_dimension": 1, "split_count": 1}
case(
    "stablehlo.all_to_all",
    disagree=DISAGREE
    | {
        "xla": (
            "its variadic form is another op, and it divides by the number of groups",
            lambda c: odd(c) or NO_GROUPS in c.attributes.values() or len(c.operands) > 1,
        )
    },
    ref=same,
    examples=[
        *(Call([X], groups | EXCHANGE) for groups in GROUPS),
        *(Call([x], GROUPS[0] | EXCHANGE) for x in one_of_each(2, 3)),
        Call([X, -X], GROUPS[0] | EXCHANGE),
    ],
    errors=[
        *wrong(EXCHANGE, for_two="split_count is 1, but the groups have 2"),
        (Call([X], GROUPS[0] | EXCHANGE | {"split_count": 2}, T), "split_count is 2, but the groups have 1 process "),
        (Call([X], GROUPS[0] | EXCHANGE | {"split_dimension": 2}, T), "split_dimension is 2"),
        (Call([X], GROUPS[0] | EXCHANGE | {"concat_dimension": 2}, T), "concat_dimension is 2"),
    ],
)
DYNAMIC = {"has_dynamic_root": "unit"}
# StableHLO has them since VHLO 1.19 and 1.20.
ROOTED: Any = {"interpreter": ALONE_ONLY, "xla": "its CPU has no kernel for it"}
WRONG_ROOTS = [
    (
        Call([X], GROUPS[0] | DYNAMIC, T),
        "the last operand is tensor<2x3xf32>, expected tensor<0xi32>, the root of each",
    ),
    (
        Call([X, np.zeros(2, np.int32)], GROUPS[0] | DYNAMIC, T),
        "the last operand is tensor<2xi32>, expected tensor<1xi32>",
    ),
    (
        Call([X, np.zeros(1, np.int64)], GROUPS[0] | DYNAMIC, T),
        "the last operand is tensor<1xi64>, expected tensor<1xi32>",
    ),
]


def at_root(*xs: Any, replica_groups: str, has_dynamic_root: str = "", **attributes: Any) -> Any:
    """What process 0 has if it is the root; a dynamic root is an index into the group."""
    *data, roots = xs if has_dynamic_root else (*xs, np.zeros(len(xs), np.int32))
    return [np.where(root == 0, x, np.zeros_like(x)) for x, root in zip(data, roots)]


def broadcast(*xs: Any, replica_groups: str, **attributes: Any) -> Any:
    found = at_root(*xs, replica_groups=replica_groups, **attributes)
    return [np.zeros_like(x) for x in found] if replica_groups == NO_GROUPS else found


case(
    "stablehlo.collective_broadcast",
    disagree=ROOTED,
    ref=broadcast,
    examples=[
        *(Call([X], groups) for groups in GROUPS),
        *(Call([x], {"replica_groups": groups}) for x in one_of_each(2, 3) for groups in (ALONE, NO_GROUPS)),
        Call([X, random(2, (0, 4), i32)], GROUPS[0]),
        *(Call([*one_of_each(2), np.array([0, 0, 1, 0, 1, 3], i32)], groups | DYNAMIC) for groups in GROUPS),
    ],
    errors=[*wrong({}), *WRONG_ROOTS],
)
case(
    "stablehlo.collective_reduce",
    disagree=ROOTED,
    ref=at_root,
    examples=[
        *(Call([X], groups | ADD) for groups in [*GROUPS, GLOBAL]),
        Call([random(2, (2, 3), i32)], GLOBAL | {"computation": binary("stablehlo.maximum", i32, np.maximum)}),
        Call([X, random(3, (0,), f32)], GLOBAL | ADD),
        Call([X, -X, random(3, (0,), f32), np.array([0, 1, 0], i32)], GLOBAL | ADD | DYNAMIC),
    ],
    errors=[
        *wrong(ADD, WRONG_IDS),
        *((Call(call.operands, call.attributes | ADD, T), message) for call, message in WRONG_ROOTS),
        (
            Call([X, X], GROUPS[0] | ADD, "tensor<2x3xf32>, tensor<2x3xf64>"),
            "result 1 is tensor<2x3xf64>, but computation returns tensor<f32>",
        ),
    ],
)


def pairs(text: str, count: int) -> dict[str, Any]:
    return {"source_target_pairs": f"dense<{text}> : tensor<{count}x2xi64>"}


case(
    "stablehlo.collective_permute",
    disagree={"interpreter": ALONE_ONLY},
    ref=lambda x, *, source_target_pairs, channel_handle=None: x if "[[0, 0]]" in source_target_pairs else 0 * x,
    examples=[
        *(Call([abs(x) if x.dtype == f32 else x], pairs("[[0, 0]]", 1)) for x in one_of_each(2, 3)),
        Call([X], pairs("[[0, 0]]", 1) | {"channel_handle": CHANNEL}),
        Call([abs(X)], pairs("", 0)),
        Call([random(4, (3,), i32)], pairs("", 0)),
    ],
    errors=[
        (Call([X], pairs("[[0, 1]]", 1), T), "source_target_pairs names process 1"),
        (Call([X], pairs("[[1, 0]]", 1), T), "source_target_pairs names process 1"),
        (Call([X], pairs("[[0, -1]]", 1), T), "names the process -1 .C4."),
        (Call([X], {"source_target_pairs": "dense<0> : tensor<1x3xi64>"}, T), "not a list of pairs"),
        (Call([X], {"source_target_pairs": "dense<0> : tensor<2xi64>"}, T), "it has rank 1, expected 2"),
        (Call([X], pairs("[[0, 0], [0, 0]]", 2), T), "names a source twice"),
    ],
)
case(
    "stablehlo.cross-replica-sum",
    disagree={"interpreter": "it does not know the op"},
    ref=lambda x, *, replica_groups: x,
    examples=[
        *(Call([X], {"replica_groups": groups}) for groups in (ALONE, NO_GROUPS)),
        *(Call([x], {"replica_groups": ALONE}) for x in one_of_each(2)),
    ],
    errors=wrong({}),
)
for name in ("stablehlo.partition_id", "stablehlo.replica_id"):
    case(
        name,
        disagree={"interpreter": ALONE_ONLY},
        ref=lambda: np.zeros((), np.uint32),
        examples=[Call()],
        errors=[
            (Call([], {}, "tensor<2xui32>"), "expected tensor<ui32>"),
            (Call([X], {}, "tensor<ui32>"), "1 operand, expected 0"),
        ],
    )

test_drawn, test_examples, test_errors = new_tests()
