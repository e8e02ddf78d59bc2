"""Carries out a procedure of LAPACK calls with numpy, where generated code cannot or where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..machine.libraries import address, call, expect_accepted, store_argument
from .procedure import Applied, Array, Assign, Expression, HostRun, Procedure, RoutineCall


def carry_out(
    procedure: Procedure, operands: Sequence[np.ndarray], results: Sequence[tuple[np.dtype, tuple[int, ...]]]
) -> list[np.ndarray]:
    """Carry out a procedure and return its results, of these types and shapes. The operands are not written to.

    Raises:
        ValueError: LAPACK refuses an argument.
    """
    outputs = [np.empty(shape, dtype) for dtype, shape in results]
    spaces = [np.empty(size, np.uint8) for size in procedure.temporaries]
    buffers = [np.ascontiguousarray(a).reshape(-1).view(np.uint8) for a in (*operands, *outputs, *spaces)]
    memories = [buffers[i] for i in procedure.memories]

    def view(a: Array) -> np.ndarray:
        memory, size = memories[a.memory], a.dtype.itemsize
        return np.ndarray(a.shape, a.dtype, memory, a.offset * size, [s * size for s in a.strides])

    def value(expression: Expression) -> Any:
        match expression:
            case Array():
                return view(expression)
            case Applied(function, arguments):
                return function(*map(value, arguments))
        return expression

    with np.errstate(all="ignore"):
        for statement in procedure.statements:
            match statement:
                case Assign(target, source):
                    view(target)[...] = value(source)
                case HostRun(function, arguments):
                    function(*map(view, arguments))
                case RoutineCall():
                    call_lapack(statement, [view(a) if isinstance(a, Array) else a for a in statement.arguments], value)
    return outputs


def call_lapack(statement: RoutineCall, arguments: Sequence[Any], value: Callable[[Expression], Any]) -> None:
    storages = list(map(store_argument, arguments))  # which keep the memory of the addresses alive
    addresses = list(map(address, storages))
    steps = [a.strides[0] if isinstance(a, np.ndarray) and a.shape[0] > 1 else 0 for a in arguments]
    lengths = sum(isinstance(a, str) for a in arguments)
    items: Iterable[int] = range(statement.items)
    if statement.where is not None:
        items = np.flatnonzero(value(statement.where)).tolist()
    for item in items:
        call(statement.name, [a and a + item * step for a, step in zip(addresses, steps)], lengths)
        if statement.info is not None:
            expect_accepted(statement.name, int(arguments[-1][item]))
