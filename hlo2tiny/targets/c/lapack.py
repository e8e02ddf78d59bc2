"""LAPACK procedures in C: one function for each, which calls LAPACK through the addresses that a run is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from math import prod

from ...ir.sizes import is_open, largest, typical
from ...rules.procedure import (
    Applied,
    Array,
    Assign,
    Expression,
    HostRun,
    Procedure,
    RoutineCall,
    exchange_pivots,
    finite,
)
from ..arrays import ALIGNMENT
from ..procedures import NUMBERS, exchanges_of, write_element, write_value
from .templates import SIZES

# A matrix with at least LARGE rows and columns is transposed in tiles of TILE numbers, a cache line, in each direction.
LARGE, TILE = 64, 16
# A function copies arrays of fewer elements than this, whatever their strides are.
FEW = 4096
# The number of operations, n³ for a matrix of n rows, after which the code checks for signals.
UNINTERRUPTED = 2_000_000
# Threads share the items of a call from this many operations on. They take parts of the items, each of which has its
# own workspace: PARTS for each thread, or one if a workspace has more than LARGE_SPACE bytes.
LEAST_OPERATIONS, PARTS, LARGE_SPACE = 200_000, 4, 1 << 16
# Triangular systems of at most this many equations take less time than BLAS's call. How many right sides there are does
# not matter: a row has the same bits in any batch.
FEW_EQUATIONS = 8


def symbol(call: RoutineCall) -> str:
    """The function's name in libraries."""
    return f"{call.name}_"


def procedure_text(procedure: Procedure, name: str, library: Mapping[str, int], threads: int, is_open: bool) -> str:
    """Print a procedure as a function of its buffers, and of open sizes; `library` has the functions' indices."""
    functions: list[str] = []
    lines = [f"RUN_ONCE static int {name}(const struct context *k, char *const *b) {{", *[f"  {SIZES}"] * is_open]
    used = {a.memory for a in procedure.arrays()}
    used |= {s.target.memory for s in procedure.statements if isinstance(s, Assign)}
    lines += [f"  char *const m{m} = b[{procedure.memories[m]}]; (void)m{m};" for m in sorted(used)]
    for statement in procedure.statements:
        match statement:
            case Assign():
                lines += assignment(statement)
            case HostRun(function, arguments):
                lines += RUNS[function](*arguments)
            case RoutineCall() if parts_of(procedure, statement, threads) > 1:
                part = f"{name}_part{len(functions)}"
                functions += [part_text(procedure, statement, part, library, threads, is_open)]
                lines += shared_call(statement, part, parts_of(procedure, statement, threads))
            case RoutineCall():
                lines += call(statement, library)
    return "\n".join([*functions, *lines, "  (void)k;", "  return 0;", "}\n"])


# ---------------------------------------------------------------- elements


def strides(expression: Expression) -> Iterator[int]:
    """The strides along the last dimension of the arrays that an expression reads."""
    if isinstance(expression, Array):
        yield expression.strides[-1] if expression.ndim and expression.shape[-1] != 1 else 0
    elif isinstance(expression, Applied):
        for argument in expression.arguments:
            yield from strides(argument)


def loops(shape: tuple[int, ...], body: str, tiled: bool = False) -> list[str]:
    """Run a statement for each index i0, i1, …; `tiled` goes through the last two dimensions tile by tile.

    Loops over small matrices would be unrolled, which takes most of a compiler's time and saves less than LAPACK takes.
    """
    last = len(shape) - 1
    heads = []
    if tiled:
        heads = [f"for (long t{d} = 0; t{d} < {shape[d]}; t{d} += {TILE})" for d in (last - 1, last)]
    for d, size in enumerate(shape):
        if tiled and d >= last - 1:
            heads.append(f"for (long i{d} = t{d}; i{d} < t{d} + {TILE} && i{d} < {size}; i{d}++)")
        elif size != 1:
            heads.insert(d if tiled else len(heads), f"ROLLED for (long i{d} = 0; i{d} < {size}; i{d}++)")
    return [f"  {' '.join([*heads, body])}"]


def assignment(statement: Assign) -> list[str]:
    target, source = statement.target, statement.value
    size = target.size * target.dtype.itemsize
    if target.is_contiguous and isinstance(source, int | float) and source == 0:
        return [f"  __builtin_memset(m{target.memory} + {target.offset * target.dtype.itemsize}, 0, {size});"]
    shape = target.shape
    if (
        isinstance(source, Array)
        and target.dtype == source.dtype
        and len(shape) <= 3
        and not is_open(target.size)
        and target.size < FEW
    ):
        return [copying(target, source)]
    variables = [f"i{d}" if shape[d] != 1 else "0" for d in range(len(shape))]
    body = f"{write_element(target, variables)} = {write_value(source, variables)};"
    wide = len(shape) > 1 and min(map(typical, shape[-2:])) >= LARGE
    return loops(shape, body, tiled=wide and any(stride > 1 for stride in strides(source)))


def copying(target: Array, source: Array) -> str:
    """The call that copies a small array."""
    type = NUMBERS[target.dtype.name]
    places = (f"({type} *)m{a.memory} + {a.offset}" for a in (target, source))
    steps = ([0 if size == 1 else step for size, step in zip(a.shape, a.strides)] for a in (target, source))
    numbers = ([*[fill] * (3 - len(n)), *n] for fill, n in zip((1, 0, 0), (target.shape, *steps)))
    longs = (f"(const long[]){{{', '.join(map(str, n))}}}" for n in numbers)
    return f"  copy_{type}({', '.join([*places, *longs])});"


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
    exchanges = ("    " + line for line in exchanges_of(permutation, pivots, "item"))
    return [f"  for (long item = 0; item < {permutation.shape[0]}; item++) {{", *exchanges, "  }"]


RUNS: Mapping[Callable[..., None], Callable[..., list[str]]] = {finite: finite_text, exchange_pivots: exchanged_text}


# ---------------------------------------------------------------- calls


def call(statement: RoutineCall, library: Mapping[str, int]) -> list[str]:
    iterations = max(1, UNINTERRUPTED // operations(statement))
    return [
        f"  for (long item = 0; item < {statement.items}; item++) {{",
        f"    {call_of_item(statement, library)}",
        f"    if ((item + 1) % {iterations} == 0 && interrupted(k)) return 1;",
        "  }",
    ]


def call_of_item(statement: RoutineCall, library: Mapping[str, int], spaces: Mapping[int, int] = {}) -> str:
    """Call a function in Fortran's convention: addresses, then the lengths of strings.

    Args:
        spaces: the memories of which each part of the items has its own piece, and the pieces' sizes.
    """
    where = "" if statement.where is None else f"if ({write_element(statement.where, ['item'])}) "
    if (solved := solve_few(statement, spaces)) is not None:
        return where + solved
    addresses = [argument(a, spaces) for a in statement.arguments]
    lengths = ["1"] * sum(isinstance(a, str) for a in statement.arguments)
    types = ", ".join([*["const void *"] * len(addresses), *["long"] * len(lengths)])
    function = f"((void (*)({types}))k->library[{library[symbol(statement)]}])"
    return f"{where}{function}({', '.join([*addresses, *lengths])});"


def solve_few(statement: RoutineCall, spaces: Mapping[int, int]) -> str | None:
    """The call of our own function for triangular systems of few equations; None for other calls."""
    kind = {"strsm": "float", "dtrsm": "double"}.get(statement.name)
    if kind is None:
        return None
    side, uplo, transposed, diagonal, rows, columns, factor, a, a_step, x, step = statement.arguments
    if side != "R" or not isinstance(columns, int) or is_open(columns) or not 0 < columns <= FEW_EQUATIONS:
        return None
    flags = int(uplo == "U"), int(transposed != "N"), int(diagonal == "U")
    one, triangle, sides = (f"({kind} *)({argument(each, spaces)})" for each in (factor, a, x))
    return f"solve_{kind}({', '.join(map(str, (*flags, rows, columns, f'*{one}', triangle, a_step, sides, step)))});"


def operations(statement: RoutineCall) -> int:
    """Roughly how many operations an item takes, up to a factor that depends on the function."""
    return max(1, *(int(prod(a.shape[1:]) ** 1.5) for a in statement.arguments if isinstance(a, Array)))


def argument(value: int | str | Array | None, spaces: Mapping[int, int]) -> str:
    """The address of an argument; None is a null pointer."""
    match value:
        case str():
            return f'"{value}"'
        case int():
            return f"&(const int){{{value}}}"
        case Array(dtype=dtype):
            offset = f" + {value.offset * dtype.itemsize}" if value.offset else ""
            step = f" + item * {value.strides[0] * dtype.itemsize}" if value.shape[0] != 1 else ""
            if value.memory in spaces:
                step = f" + part * {spaces[value.memory]}"
            return f"m{value.memory}{offset}{step}"
    return "0"


# ---------------------------------------------------------------- items that threads share


def parts_of(procedure: Procedure, statement: RoutineCall, threads: int) -> int:
    """Into how many parts the items of a call are divided; 1: one thread runs them all."""
    if threads == 1 or typical(statement.items) * operations(statement) < LEAST_OPERATIONS:
        return 1
    small = sum(workspaces(procedure, statement).values()) <= LARGE_SPACE
    return min(largest(statement.items), threads * (PARTS if small else 1))


def workspaces(procedure: Procedure, statement: RoutineCall) -> dict[int, int]:
    """The memories that a call uses afresh for each item, and the bytes of their pieces: nothing else uses them."""
    uses = Counter(a.memory for a in procedure.arrays())
    uses.update(s.target.memory for s in procedure.statements if isinstance(s, Assign))
    first = procedure.operands + procedure.results
    return {
        a.memory: -(-a.size * a.dtype.itemsize // ALIGNMENT) * ALIGNMENT
        for a in statement.arguments
        if isinstance(a, Array) and a.shape[0] == 1 and uses[a.memory] == 1 and procedure.memories[a.memory] >= first
    }


def temporary_sizes(procedure: Procedure, threads: int) -> list[int]:
    """The sizes of a procedure's temporaries, with a piece of each workspace for each part of the items."""
    sizes = list(procedure.temporaries)
    for statement in procedure.calls:
        if (parts := parts_of(procedure, statement, threads)) > 1:
            for memory, size in workspaces(procedure, statement).items():
                sizes[procedure.memories[memory] - procedure.operands - procedure.results] = size * parts
    return sizes


def part_text(
    procedure: Procedure,
    statement: RoutineCall,
    name: str,
    library: Mapping[str, int],
    threads: int,
    is_open: bool,
) -> str:
    """The function that calls a function for the items of some parts."""
    parts = parts_of(procedure, statement, threads)
    arrays = [a for a in (*statement.arguments, statement.where) if isinstance(a, Array)]
    lines = [f"static void {name}(void *const *buffers, long begin, long end) {{"]
    lines += [
        "  const struct context *const k = buffers[0];",
        *[f"  {SIZES}"] * is_open,
        "  char *const *const b = buffers[1];",
    ]
    lines += ["  const long first = ((const long *)buffers[2])[0], count = ((const long *)buffers[2])[1];"]
    memories = sorted({a.memory for a in arrays})
    lines += [f"  char *const m{m} = b[{procedure.memories[m]}];" for m in memories]
    lines += ["  for (long part = begin; part < end; part++) {"]
    lines += [f"    const long last = first + count * (part + 1) / {parts};"]
    lines += [f"    for (long item = first + count * part / {parts}; item < last; item++) {{"]
    lines += [f"      {call_of_item(statement, library, workspaces(procedure, statement))}", "    }", "  }", "}\n"]
    return "\n".join(lines)


def shared_call(statement: RoutineCall, part: str, parts: int) -> list[str]:
    """Call a function for all items, a limited number at a time, so that the code checks for signals now and then."""
    together = max(1, UNINTERRUPTED // operations(statement)) * parts
    return [
        f"  for (long first = 0; first < {statement.items}; first += {together}) {{",
        f"    const long left = {statement.items} - first, range[] = {{first, left < {together} ? left : {together}}};",
        f"    share_items(k, {part}, ((void *const[]){{(void *)k, (void *)b, (void *)range}}), {parts});",
        "    if (interrupted(k)) return 1;",
        "  }",
    ]
