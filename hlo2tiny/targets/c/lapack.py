"""LAPACK procedures in C: one function for each, which calls LAPACK through the addresses that a run is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...rules.procedure import Applied, Array, Assign, Call, Expression, Procedure, Run, exchange_pivots, finite
from ..procedures import write_element, write_value

# A matrix with at least LARGE rows and columns is transposed in tiles of TILE numbers, a cache line, in each direction.
LARGE, TILE = 64, 16
# The number of operations, n³ for a matrix of size n, after which the code checks for signals.
UNINTERRUPTED = 2_000_000


def symbol(call: Call) -> str:
    """The function's name in libraries."""
    return f"{call.name}_"


def procedure_text(procedure: Procedure, name: str, library: Mapping[str, int]) -> str:
    """Print a procedure as a function of its buffers; `library` has the index of each function's address."""
    lines = [f"static int {name}(const struct context *k, char *const *b) {{"]
    used = {a.memory for a in procedure.arrays()}
    used |= {s.target.memory for s in procedure.statements if isinstance(s, Assign)}
    lines += [f"  char *const m{m} = b[{procedure.memories[m]}];" for m in sorted(used)]
    for statement in procedure.statements:
        match statement:
            case Assign():
                lines += assignment(statement)
            case Run(function, arguments):
                lines += RUNS[function](*arguments)
            case Call():
                lines += call(statement, library)
    return "\n".join([*lines, "  (void)k;", "  return 0;", "}\n"])


# ---------------------------------------------------------------- elements


def strides(expression: Expression) -> Iterator[int]:
    """The strides along the last dimension of the arrays that an expression reads."""
    if isinstance(expression, Array):
        yield expression.strides[-1] if expression.ndim and expression.shape[-1] > 1 else 0
    elif isinstance(expression, Applied):
        for argument in expression.arguments:
            yield from strides(argument)


def loops(shape: tuple[int, ...], body: str, tiled: bool = False) -> list[str]:
    """Run a statement for each index i0, i1, …; `tiled` goes through the last two dimensions tile by tile."""
    last = len(shape) - 1
    heads = []
    if tiled:
        heads = [f"for (long t{d} = 0; t{d} < {shape[d]}; t{d} += {TILE})" for d in (last - 1, last)]
    for d, size in enumerate(shape):
        if tiled and d >= last - 1:
            heads.append(f"for (long i{d} = t{d}; i{d} < t{d} + {TILE} && i{d} < {size}; i{d}++)")
        elif size != 1:
            heads.insert(d if tiled else len(heads), f"for (long i{d} = 0; i{d} < {size}; i{d}++)")
    return [f"  {' '.join([*heads, body])}"]


def assignment(statement: Assign) -> list[str]:
    target, source = statement.target, statement.value
    size = target.size * target.dtype.itemsize
    if target.is_contiguous and isinstance(source, int | float) and source == 0:
        return [f"  __builtin_memset(m{target.memory} + {target.offset * target.dtype.itemsize}, 0, {size});"]
    shape = target.shape
    variables = [f"i{d}" if shape[d] > 1 else "0" for d in range(len(shape))]
    body = f"{write_element(target, variables)} = {write_value(source, variables)};"
    wide = len(shape) > 1 and min(shape[-2:]) >= LARGE
    return loops(shape, body, tiled=wide and any(stride > 1 for stride in strides(source)))


# ---------------------------------------------------------------- functions


def finite_text(result: Array, a: Array) -> list[str]:
    parts = (a.real, a.imag) if a.dtype.kind == "c" else (a,)
    variables = ["item", "i0", "i1"]
    holds = " & ".join(f"__builtin_isfinite({write_element(part, variables)})" for part in parts)
    return [
        f"  for (long item = 0; item < {result.size}; item++) {{",
        "    int all = 1;",
        *("  " + line for line in loops(a.shape[1:], f"all &= {holds};")),
        f"    {write_element(result, ['item'])} = all;",
        "  }",
    ]


def exchanged_text(permutation: Array, pivots: Array) -> list[str]:
    size, rows = permutation.shape[-1], pivots.shape[-1]
    here, there = (write_element(permutation, ["item", variable]) for variable in ("row", "other"))
    return [
        f"  for (long item = 0; item < {permutation.shape[0]}; item++) {{",
        f"    for (long row = 0; row < {size}; row++) {here} = row;",
        f"    for (long row = 0; row < {rows}; row++) {{",
        f"      const long other = {write_element(pivots, ['item', 'row'])};",
        f"      if (other < 0 || other >= {size}) continue;",
        f"      const int first = {there};",
        f"      {there} = {here};",
        f"      {here} = first;",
        "    }",
        "  }",
    ]


RUNS: Mapping[Callable[..., None], Callable[..., list[str]]] = {finite: finite_text, exchange_pivots: exchanged_text}


# ---------------------------------------------------------------- calls


def call(statement: Call, library: Mapping[str, int]) -> list[str]:
    """Call a function for each item, in Fortran's convention: addresses, then the lengths of strings."""
    addresses = [argument(a) for a in statement.arguments]
    lengths = ["1"] * sum(isinstance(a, str) for a in statement.arguments)
    types = ", ".join([*["const void *"] * len(addresses), *["long"] * len(lengths)])
    function = f"((void (*)({types}))k->library[{library[symbol(statement)]}])"
    numbers = [n for n in statement.arguments if isinstance(n, int)]
    turns = max(1, UNINTERRUPTED // max(1, *(min(n, 1000) for n in [1, *numbers])) ** 3)
    where = "" if statement.where is None else f"if ({write_element(statement.where, ['item'])}) "
    return [
        f"  for (long item = 0; item < {statement.items}; item++) {{",
        f"    {where}{function}({', '.join([*addresses, *lengths])});",
        f"    if ((item + 1) % {turns} == 0 && interrupted(k)) return 1;",
        "  }",
    ]


def argument(value: int | str | Array | None) -> str:
    """The address of an argument; None is a null pointer."""
    match value:
        case str():
            return f'"{value}"'
        case int():
            return f"&(const int){{{value}}}"
        case Array(dtype=dtype):
            offset = f" + {value.offset * dtype.itemsize}" if value.offset else ""
            step = f" + item * {value.strides[0] * dtype.itemsize}" if value.shape[0] > 1 else ""
            return f"m{value.memory}{offset}{step}"
    return "0"
