"""The elementary and special functions of float64 in C, printed from the formulas of their rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ...rules.functions import FUNCTIONS, PARTS
from ...rules.pairs import Pair
from ...tinygrad.expressions import Tensor, as_written, dtypes, typed_results
from ...tinygrad.renderers.c import CRenderer
from ...tinygrad.schedule import KernelGraph
from ...tinygrad.settings import lowering_settings
from ..functions import OF_DOUBLES, function_of_doubles
from .linking import made_once


def part_of(formula: Callable[..., Pair], part: int) -> Callable[..., Tensor]:
    """One part of what a formula of complex numbers returns."""
    return lambda *parts: formula(*parts)[part]


# What elementary.c has, with shorter formulas.
WRITTEN = frozenset(map(function_of_doubles, OF_DOUBLES))
# The formulas of the others by the functions' names, and how many operands they take.
FORMULAS: dict[str, tuple[Callable[..., Tensor], int]] = {}
for function in FUNCTIONS.values():
    if (called := function_of_doubles(function.name)) is not None and called not in WRITTEN:
        FORMULAS[called] = function.real, function.operands
    for part, suffix in enumerate(PARTS):
        called = function_of_doubles(f"{function.name}_{suffix}")
        if called is not None and function.complex is not None:
            FORMULAS[called] = part_of(function.complex, part), 2 * function.operands


def print_function(name: str) -> str:
    """The definition of a function of doubles in C."""
    (formula, count), number = FORMULAS[name], ((), dtypes.float64)
    with lowering_settings("CPU"):
        graph = KernelGraph("CPU", 0)
        (result,) = typed_results(lambda *xs: [formula(*xs)], [graph.parameter(i, number) for i in range(count)])
        graph.store(result, count)
        schedule = graph.schedule(count, [number])
        renderer = CRenderer()
        renderer.has_address = False
        (kernel,) = schedule.kernels(schedule.programs(renderer, optimised=False), [])
        types, parameters, body = renderer.function(as_written(kernel))
    assert not types
    for parameter, n in zip(parameters, kernel.buffers):
        element = f"*({parameter.name}+0)"
        body = body.replace(f"({element})", f"x{n}") if n < count else body.replace(f"{element} = ", "return ")
    arguments = ", ".join(f"double x{n}" for n in range(count))
    return f"FUNCTION_OF_DOUBLES {name}({arguments}) {{\n{body}\n}}\n"


@cache
def function_text(name: str) -> str:
    """The same, which is printed once per machine: it takes a tenth of a second, the largest more than one."""
    return made_once(name, lambda: print_function(name).encode()).decode()
