"""The SSA graph of a module: values, ops, regions, functions.

Everything is a frozen dataclass. Types and attributes compare by value; values, ops, regions and functions compare by
identity, since two ops with the same text are two ops. `str(module)` prints MLIR's generic form (`printer.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..errors import Source
from ..records import dataclass
from .attributes import Attribute
from .locations import Location
from .printer import print_module
from .types import ComplexType, FunctionType, ScalarType, TensorType, Type


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """An SSA value: `name` is its name in the file without %, for messages only; block arguments have a `location`."""

    name: str
    type: Type
    location: Location | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """An operation. `name` includes the dialect; attributes are in the generic form, however the file writes them."""

    name: str
    operands: tuple[Value, ...]
    results: tuple[Value, ...]
    attributes: Mapping[str, Attribute]
    regions: tuple[Region, ...]
    location: Location
    # The numbers of the blocks in its region to which a branch (cf.br, cf.cond_br, cf.switch) may go.
    successors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A region of one block: its arguments and ops, the terminator (stablehlo.return, func.return) last.

    StableHLO has no other regions. If a file branches between blocks, `blocks` holds those after the first, until
    `structure.py` turns them into loops and conditionals.
    """

    arguments: tuple[Value, ...]
    ops: tuple[Op, ...]
    blocks: tuple[Region, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A func.func. `body` is None for a declaration."""

    name: str
    type: FunctionType
    body: Region | None
    visibility: str
    argument_attributes: tuple[Mapping[str, Attribute], ...]
    result_attributes: tuple[Mapping[str, Attribute], ...]
    attributes: Mapping[str, Attribute]
    location: Location

    @property
    def code(self) -> Region:
        """The body of a function that has one."""
        assert self.body is not None
        return self.body


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A module: its functions by name, and other symbols such as sdy.mesh as ops, in the file's order."""

    name: str
    attributes: Mapping[str, Attribute]
    functions: Mapping[str, Function]
    symbols: tuple[Op, ...]
    source: Source

    def __str__(self) -> str:
        return print_module(self)

    def walk(self) -> Iterator[Op]:
        """All ops of all functions, outer before inner, in the file's order."""
        for function in self.functions.values():
            if function.body is not None:
                yield from walk(function.body)


def walk(region: Region) -> Iterator[Op]:
    """All ops of a region and of the regions inside it."""
    for op in region.ops:
        yield op
        for inner in op.regions:
            yield from walk(inner)
    for block in region.blocks:
        yield from walk(block)


DOUBLES = (ScalarType("f64"), ComplexType(ScalarType("f64")))


def find_doubles(ops: Iterable[Op]) -> Iterator[tuple[Op, TensorType]]:
    """The ops that read or write numbers of f64, with the types of these operands and results."""
    for op in ops:
        for value in (*op.operands, *op.results):
            if isinstance(value.type, TensorType) and value.type.element in DOUBLES:
                yield op, value.type
