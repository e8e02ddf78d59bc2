"""The elements and expressions of LAPACK procedures in C, which CUDA's language includes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..rules.procedure import Applied, Array, Expression

NUMBERS = {"float32": "float", "float64": "double", "int32": "int"}
# How numpy's elementwise functions are written in C.
OPERATORS: Mapping[Callable[..., Any], str] = {
    np.equal: "({} == {})",
    np.greater: "({} > {})",
    np.less: "({} < {})",
    np.less_equal: "({} <= {})",
    np.logical_and: "({} && {})",
    np.negative: "(-{})",
    np.subtract: "({} - {})",
    np.where: "({} ? {} : {})",
}


def write_element(a: Array, indices: Sequence[str]) -> str:
    """Write an array's element, given the index along each of its last dimensions, which are long integers."""
    terms = [str(a.offset)] if a.offset else []
    terms += [
        index if stride == 1 else f"{index} * {stride}"
        for index, size, stride in zip(indices[len(indices) - a.ndim :], a.shape, a.strides)
        if size != 1 and stride
    ]
    return f"(({NUMBERS[a.dtype.name]} *)m{a.memory})[{' + '.join(terms) or '0'}]"


def write_exchanges(size: int, rows: int, element: Callable[[str], str], pivot: Callable[[str], str]) -> list[str]:
    """The statements of `exchange_pivots` for one item of a batch, given how its elements with an index are written."""
    here, there = element("row"), element("other")
    return [
        f"for (long row = 0; row < {size}; row++) {here} = row;",
        f"for (long row = 0; row < {rows}; row++) {{",
        f"  const long other = {pivot('row')};",
        f"  if (other < 0 || other >= {size}) continue;",
        f"  const int first = {there};",
        f"  {there} = {here};",
        f"  {here} = first;",
        "}",
    ]


def exchanges_of(permutation: Array, pivots: Array, item: str) -> list[str]:
    """These statements for an item of arrays in memory."""
    elements = (lambda index, a=a: write_element(a, [item, index]) for a in (permutation, pivots))
    return write_exchanges(permutation.shape[-1], pivots.shape[-1], *elements)


def write_value(expression: Expression, indices: Sequence[str]) -> str:
    """Write an expression of elements and numbers."""
    match expression:
        case Array():
            return write_element(expression, indices)
        case Applied(function, arguments):
            return OPERATORS[function].format(*(write_value(a, indices) for a in arguments))
    return '__builtin_nanf("")' if expression != expression else repr(expression)
