"""Collectives that start and end in two ops, as the ops that they stand for.

jax starts and ends one by custom calls, such as @all-gather-start; mhlo has ops that start and end a function's call.
Work may as well be finished when it starts, so the op that ends it returns its operand, or the function's results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import UnsupportedOp, VerifyError
from ..ir import Attribute, DialectAttr, DictAttr, Module, Op, StringAttr, SymbolAttr, Type, Value, about
from ..ir.rewrite import Rewriter, rewrite_functions
from ..ops import OPS, Trait, has
from ..ops.build import attribute, func
from .carried import called_bodies

# The rows of ops that exchange values, by their names in HLO.
COLLECTIVES = {
    row.name.partition(".")[2].replace("_", "-"): row.name
    for row in OPS.values()
    if row.traits & Trait.COLLECTIVE and not row.traits & Trait.STEPWISE
}
STARTS = {f"{name}-start": op for name, op in COLLECTIVES.items()}
ENDS = {f"{name}-done" for name in COLLECTIVES}


START, UPDATE, END = (f"mhlo.async_{name}" for name in ("start", "update", "done"))
PASSED = (UPDATE, END)


def matrix(value: Any) -> np.ndarray:
    return np.array(value, np.int64).reshape(len(value), -1)


def channel(value: Any) -> Attribute:
    return DialectAttr("stablehlo", "channel_handle", {"handle": int(value), "type": 1})


# What the configuration of a start says, by the name of the op's attribute.
CONFIGURED: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "all_gather_dimension": ("all_gather_dim", int),
    "channel_id": ("channel_handle", channel),
    "concat_dimension": ("concat_dimension", int),
    "permutation": ("source_target_pairs", matrix),
    "replica_groups": ("replica_groups", matrix),
    "scatter_dimension": ("scatter_dimension", int),
    "split_count": ("split_count", int),
    "split_dimension": ("split_dimension", int),
    "use_global_device_ids": ("use_global_device_ids", bool),
}


def with_collectives(module: Module) -> Module:
    """A module whose asynchronous collectives are ops.

    Raises:
        UnsupportedOp, VerifyError: the configuration of one cannot be read, or it starts no function.
    """
    if not any(target_of(op) in STARTS or target_of(op) in ENDS or op.name == START for op in module.walk()):
        return module
    bundles: dict[Value, tuple[Value, ...]] = {}  # what mhlo's ops return, and the results that it stands for

    def replaced(rewriter: Rewriter, op: Op) -> list[Op] | None:
        """A rewriter's hook."""
        if op.name == START:
            with about(op):
                call = func.call.op(rewriter.lookup(op.operands), results_of(module, op), op.location)
            bundles[op.results[0]] = call.results
            return [replace(call, attributes={"callee": op.attributes["called_computation"]})]
        if op.name in PASSED and op.operands[0] in bundles:
            given = bundles[op.operands[0]]
            if op.name == UPDATE:
                bundles[op.results[0]] = given
            else:
                with about(op):
                    expect_types(op, [value.type for value in given])
                rewriter.values.update(zip(op.results, given))
            return []
        target = target_of(op)
        if target in ENDS and [v.type for v in op.operands] == [v.type for v in op.results]:
            rewriter.values.update(zip(op.results, rewriter.lookup(op.operands)))
            return []
        if target not in STARTS:
            return None
        with about(op):
            start = replace(op, name=STARTS[target], attributes=configured(op), regions=called_bodies(module, op))
        return [rewriter.clone(start)]

    return rewrite_functions(module, replaced)


def results_of(module: Module, op: Op) -> list[Value]:
    """New values for the results of the function that an op of mhlo starts."""
    symbol = op.attributes.get("called_computation")
    function = module.functions.get(symbol.names[-1]) if isinstance(symbol, SymbolAttr) else None
    if function is None or len(op.results) != 1:
        raise UnsupportedOp(f"starts the function {symbol}, which is not in this module")
    return [Value("", type) for type in function.type.results]


def expect_types(op: Op, types: Sequence[Type]) -> None:
    if [value.type for value in op.results] != types:
        found, expected = (", ".join(map(str, side)) or "nothing" for side in ((v.type for v in op.results), types))
        raise VerifyError(f"returns {found}, but the started function returns {expected}")


def target_of(op: Op) -> str:
    target = op.attributes.get("call_target_name") if has(op, Trait.CUSTOM) else None
    return target.value if isinstance(target, StringAttr) else ""


def configured(op: Op) -> dict[str, Attribute]:
    """The attributes of the op that a start stands for."""
    given = op.attributes.get("mhlo.frontend_attributes")
    text = given.items.get("async_collective_config") if isinstance(given, DictAttr) else None
    if not isinstance(text, StringAttr):
        raise UnsupportedOp("has no async_collective_config in its mhlo.frontend_attributes")
    config = {name: value for name, value in json.loads(text.value).items() if name != "tiled"}
    if unknown := config.keys() - CONFIGURED.keys():
        raise UnsupportedOp(f"its async_collective_config has the unknown entry {min(unknown)!r}")
    return {CONFIGURED[name][0]: attribute(CONFIGURED[name][1](value)) for name, value in config.items()}
