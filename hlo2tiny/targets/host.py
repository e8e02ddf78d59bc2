"""Steps that run on the host, in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import InputError, UnsupportedOp
from ..ir import TensorType, Type, error_at
from ..ir.dtypes import as_tensor, expect_tensor, numpy_dtype, static_shape
from ..plan.plan import Block, Host
from ..rules import RULES
from ..rules.registry import apply_host
from ..tinygrad.buffers import truth_values
from . import HostFunction


def dtype_and_shape(type: Type) -> tuple[np.dtype, tuple[int, ...]]:
    tensor = expect_tensor(type)
    return numpy_dtype(tensor.element), static_shape(tensor)


def host_results(
    step: Host, block: Block, arrays: Sequence[np.ndarray], functions: Mapping[str, HostFunction]
) -> list[np.ndarray]:
    """What a host step gives for arrays that it must not change."""
    function = functions.get(step.name.removeprefix("@"))
    if function is not None and step.name not in RULES:
        # Copies, which a user's function may write to and keep.
        given = function(*(array.copy() for array in arrays))
        results = list(given) if isinstance(given, (tuple, list)) else [given]
    elif step.name in RULES:
        for array in arrays:
            array.flags.writeable = False
        results = apply_host(step.op, arrays)
    else:
        raise error_at(step.op, f"custom call {step.name[1:]!r} is not registered", UnsupportedOp)
    return [
        expect_declared(step, array, block.types[number])
        for number, array in zip(step.outputs, expect_results(step, results))
    ]


def expect_declared(step: Host, value: Any, type: Type) -> np.ndarray:
    array, type = np.asarray(value), as_tensor(type)
    assert isinstance(type, TensorType)
    shape, dtype = static_shape(type), numpy_dtype(type.element)
    if array.shape != shape or array.dtype != dtype:
        found = f"shape {array.shape} of {array.dtype}"
        raise error_at(
            step.op, f"{step.name.removeprefix('@')} returned {found}, declared is shape {shape} of {dtype}", InputError
        )
    return truth_values(array)


def expect_results(step: Host, results: list[Any]) -> list[Any]:
    if len(results) != len(step.outputs):
        message = f"{step.name.removeprefix('@')} returned {len(results)} results, {len(step.outputs)} are declared"
        raise error_at(step.op, message, InputError)
    return results
