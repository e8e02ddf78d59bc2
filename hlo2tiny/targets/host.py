"""Steps that run on the host, in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import InputError, UnsupportedOp
from ..ir import error_at
from ..plan.plan import Block, Host
from ..rules import RULES
from ..rules.registry import apply_host
from ..tinygrad.buffers import truth_values
from . import HostFunction
from .arrays import dtype_and_shape


def host_results(
    step: Host, block: Block, arrays: Sequence[np.ndarray], functions: Mapping[str, HostFunction], where: str = ""
) -> list[np.ndarray]:
    """Run a host step, which must not change `arrays`, and check the types of its results.

    What a user's function raises passes through, unless `where` says for which of several devices it ran.
    """
    name = step.name.removeprefix("@")
    if step.name in RULES:
        for array in arrays:
            array.flags.writeable = False
        results = apply_host(step.op, arrays)
    elif name in functions:
        # A user's function gets copies, which it may write to and keep.
        try:
            returned = functions[name](*(array.copy() for array in arrays))
        except Exception as error:
            if not where:
                raise
            text = f"{type(error).__name__}: {error}".removesuffix(": ")
            raise error_at(step.op, f"{name} failed for {where}: {text}", InputError) from error
        results = list(returned) if isinstance(returned, (tuple, list)) else [returned]
    else:
        raise error_at(step.op, f"custom call {step.name[1:]!r} is not registered", UnsupportedOp)
    if len(results) != len(step.outputs):
        message = f"{name} returned {len(results)} results, but {len(step.outputs)} are declared"
        raise error_at(step.op, message, InputError)
    checked = []
    for number, result in zip(step.outputs, results):
        array, (dtype, shape) = np.asarray(result), dtype_and_shape(block.types[number])
        if (array.shape, array.dtype) != (shape, dtype):
            message = f"{name} returned shape {array.shape} of {array.dtype}, but shape {shape} of {dtype} is declared"
            raise error_at(step.op, message, InputError)
        checked.append(truth_values(array))
    return checked
