"""The open dimensions of a program, for plans that serve all their sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..formats.symbolic import names_in
from ..ir.dtypes import byte_size
from ..ir.sizes import is_open, largest
from ..plan.plan import Plan
from .arguments import Argument

# The largest size of an open dimension if nobody says.
MOST = 1 << 20


def named_dimensions(argument: Argument, name: str) -> list[str]:
    """The dimensions of an input as text; those that the file does not name are named for the input."""
    given = argument.dimensions or ("",) * len(argument.shape)
    return [
        str(size) if size is not None else written or f"{name}_{i}"
        for i, (size, written) in enumerate(zip(argument.shape, given))
    ]


def open_names(arguments: Sequence[Argument], dimensions: Sequence[Sequence[str]]) -> list[str]:
    """The names of all open dimensions, given the text of each argument's dimensions."""
    listed = [(text, size) for a, texts in zip(arguments, dimensions) for text, size in zip(texts, a.shape)]
    return list(dict.fromkeys(inner for text, size in listed if size is None for inner in names_in(text)))


def memory_of(plan: Plan) -> int:
    """At least the bytes of all that a run of a plan computes."""
    memory: int = 0
    for block in plan.blocks():
        for type in block.types:
            memory = memory + byte_size(type)
    return memory


def most_within(limit: int, count: int, plan: Callable[[int], Plan]) -> int:
    """The largest size that dimensions may have, a power of 2, for which a run takes less memory; at least 1.

    Args:
        count: how many dimensions are open.
        plan: makes the plan for dimensions that may be so large.
    """
    most = MOST
    while most > 1 and largest(memory := memory_of(plan(most))) >= limit:
        most //= 2
        while most > 1 and is_open(memory) and memory.value([most] * count) >= limit:
            most //= 2
    return most
