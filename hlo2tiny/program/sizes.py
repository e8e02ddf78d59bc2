"""The open dimensions of a program, and how large they may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..formats.symbolic import names_in, size_of
from ..ir.dtypes import byte_size
from ..ir.sizes import NeedsBounds, Size, is_open, largest, open_dimension
from ..plan.plan import Host, Plan
from .arguments import Argument

# The largest size of an open dimension if nobody says.
MOST = 1 << 20
# If dimensions have to be smaller than this, a plan is not for all sizes.
SMALLEST = 1 << 10
# A run has fewer bytes than this.
MOST_BYTES = 1 << 61


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
    while most > 1:
        try:
            memory = memory_of(plan(most))
        except NeedsBounds:
            if most < SMALLEST:
                raise
            most >>= 5
            continue
        if largest(memory) < limit:
            break
        most //= 2
        while most > 1 and is_open(memory) and memory.value([most] * count) >= limit:
            most //= 2
    return most


def open_shapes(
    arguments: Sequence[Argument], dimensions: Sequence[Sequence[str]], most: int
) -> list[tuple[int, ...]] | None:
    """The shapes of arguments as expressions of their open dimensions; None if one is none."""
    facts = list[Size]()
    sizes = {name: open_dimension(i, most, facts) for i, name in enumerate(open_names(arguments, dimensions))}
    shapes = []
    for argument, texts in zip(arguments, dimensions):
        shape = [size_of(text, sizes) if size is None else size for text, size in zip(texts, argument.shape)]
        known = tuple(size for size in shape if size is not None)
        if len(known) < len(shape):
            return None
        shapes.append(known)
    return shapes


def calls_host(plan: Plan) -> bool:
    """Whether functions or handlers carry out a part of a plan, which get arrays of known shapes."""
    return any(isinstance(step, Host) for block in plan.blocks() for step in block.steps)
