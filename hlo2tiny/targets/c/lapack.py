"""Procedures of LAPACK in C: a function for each, whose calls go through the addresses that a run is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ...rules.procedure import Applied, Array, Assign, Call, Expression, Procedure, Run, exchanged, finite

NUMBERS = {"float32": "float", "float64": "double", "int32": "int"}
# numpy's functions of elements.
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
# Matrices of at least so many rows and columns are transposed tile by tile, each a cache line wide.
LARGE, TILE = 64, 16
# Operations, a matrix's size to the third power each, after which a run may be ended.
UNINTERRUPTED = 2_000_000


def symbol(call: Call) -> str:
    """The function as libraries call it."""
    return f"{call.name}_"


def procedure_text(procedure: Procedure, name: str, library: Mapping[str, int]) -> str:
    """A procedure as a function of its buffers; `library` has the place of each function's address."""
    lines = [f"static int {name}(const struct context *k, char *const *b) {{"]
    used = sorted({a.memory for s in procedure.statements for a in procedure_arrays(s)})
    lines += [f"  char *const m{m} = b[{procedure.memories[m]}];" for m in used]
    for statement in procedure.statements:
        match statement:
            case Assign():
                lines += assignment(statement)
            case Run(function, arguments):
                lines += RUNS[function](*arguments)
            case Call():
                lines += call(statement, library)
    return "\n".join([*lines, "  (void)k;", "  return 0;", "}\n"])


def procedure_arrays(statement: Any) -> Iterator[Array]:
    yield from Procedure(0, 0, (), (), (statement,)).arrays()
    if isinstance(statement, Assign):
        yield statement.target


# ---------------------------------------------------------------- elements


def element(a: Array, variables: list[str]) -> str:
    """An element at loop variables of as many dimensions or more."""
    terms = [str(a.offset)] if a.offset else []
    terms += [
        variable if stride == 1 else f"{variable} * {stride}"
        for variable, size, stride in zip(variables[len(variables) - a.ndim :], a.shape, a.strides)
        if size > 1 and stride
    ]
    return f"(({NUMBERS[a.dtype.name]} *)m{a.memory})[{' + '.join(terms) or '0'}]"


def value(expression: Expression, variables: list[str]) -> str:
    match expression:
        case Array():
            return element(expression, variables)
        case Applied(function, arguments):
            return OPERATORS[function].format(*(value(a, variables) for a in arguments))
    return '__builtin_nanf("")' if expression != expression else repr(expression)


def strides(expression: Expression) -> Iterator[int]:
    """How far the numbers that an expression reads lie apart along the last dimension."""
    if isinstance(expression, Array):
        yield expression.strides[-1] if expression.ndim and expression.shape[-1] > 1 else 0
    elif isinstance(expression, Applied):
        for argument in expression.arguments:
            yield from strides(argument)


def loops(shape: tuple[int, ...], body: str, tiled: bool = False) -> list[str]:
    """A statement for each index, whose variables are i0, i1, …; the last two dimensions tile by tile if asked."""
    last = len(shape) - 1
    heads = []
    if tiled:
        heads = [f"for (long t{d} = 0; t{d} < {shape[d]}; t{d} += {TILE})" for d in (last - 1, last)]
    for d, size in enumerate(shape):
        if tiled and d >= last - 1:
            heads.append(f"for (long i{d} = t{d}; i{d} < t{d} + {TILE} && i{d} < {size}; i{d}++)")
        elif size > 1:
            heads.insert(d if tiled else len(heads), f"for (long i{d} = 0; i{d} < {size}; i{d}++)")
    return [f"  {' '.join([*heads, body])}"]


def assignment(statement: Assign) -> list[str]:
    target, source = statement.target, statement.value
    size = target.size * target.dtype.itemsize
    if target.is_contiguous and isinstance(source, int | float) and source == 0:
        return [f"  __builtin_memset(m{target.memory} + {target.offset * target.dtype.itemsize}, 0, {size});"]
    shape = target.shape
    variables = [f"i{d}" if shape[d] > 1 else "0" for d in range(len(shape))]
    body = f"{element(target, variables)} = {value(source, variables)};"
    wide = len(shape) > 1 and min(shape[-2:]) >= LARGE
    return loops(shape, body, tiled=wide and any(stride > 1 for stride in strides(source)))


# ---------------------------------------------------------------- functions


def finite_text(found: Array, a: Array) -> list[str]:
    parts = (a.real, a.imag) if a.dtype.kind == "c" else (a,)
    variables = ["item", "i0", "i1"]
    holds = " & ".join(f"__builtin_isfinite({element(part, variables)})" for part in parts)
    return [
        f"  for (long item = 0; item < {found.size}; item++) {{",
        "    int all = 1;",
        *("  " + line for line in loops(a.shape[1:], f"all &= {holds};")),
        f"    {element(found, ['item'])} = all;",
        "  }",
    ]


def exchanged_text(found: Array, pivots: Array) -> list[str]:
    size, rows = found.shape[-1], pivots.shape[-1]
    here, there = (element(found, ["item", variable]) for variable in ("row", "other"))
    return [
        f"  for (long item = 0; item < {found.shape[0]}; item++) {{",
        f"    for (long row = 0; row < {size}; row++) {here} = row;",
        f"    for (long row = 0; row < {rows}; row++) {{",
        f"      const long other = {element(pivots, ['item', 'row'])};",
        f"      if (other < 0 || other >= {size}) continue;",
        f"      const int first = {there};",
        f"      {there} = {here};",
        f"      {here} = first;",
        "    }",
        "  }",
    ]


RUNS: Mapping[Callable[..., None], Callable[..., list[str]]] = {finite: finite_text, exchanged: exchanged_text}


# ---------------------------------------------------------------- calls


def call(statement: Call, library: Mapping[str, int]) -> list[str]:
    """A call for each item, in Fortran's convention: addresses, then the lengths of strings."""
    given = [argument(a) for a in statement.arguments]
    lengths = ["1"] * sum(isinstance(a, str) for a in statement.arguments)
    types = ", ".join([*["const void *"] * len(given), *["long"] * len(lengths)])
    function = f"((void (*)({types}))k->library[{library[symbol(statement)]}])"
    numbers = [n for n in statement.arguments if isinstance(n, int)]
    turns = max(1, UNINTERRUPTED // max(1, *(min(n, 1000) for n in [1, *numbers])) ** 3)
    where = "" if statement.where is None else f"if ({element(statement.where, ['item'])}) "
    return [
        f"  for (long item = 0; item < {statement.items}; item++) {{",
        f"    {where}{function}({', '.join([*given, *lengths])});",
        f"    if ((item + 1) % {turns} == 0 && interrupted(k)) return 1;",
        "  }",
    ]


def argument(given: int | str | Array | None) -> str:
    match given:
        case str():
            return f'"{given}"'
        case int():
            return f"&(const int){{{given}}}"
        case Array():
            size = given.dtype.itemsize
            offset = f" + {given.offset * size}" if given.offset else ""
            step = f" + item * {given.strides[0] * size}" if given.shape[0] > 1 else ""
            return f"m{given.memory}{offset}{step}"
    return "0"
