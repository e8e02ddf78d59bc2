"""The layouts and kinds of memory that a program asks for its arguments and results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..errors import UnsupportedOp
from ..formats import ProgramFile
from ..ir import Attribute, BoolAttr, Module, Op, Region
from ..ir.entry import entry_function
from ..ir.printer import print_file
from ..ir.rewrite import clone_value
from ..ir.types import FunctionType, TensorType, Type
from ..ops.attributes import plain
from ..ops.build import stablehlo
from ..program.interface import DONATION, donors_of
from ..records import dataclass

LAYOUT, MEMORY = "mhlo.layout_mode", "mhlo.memory_kind"
# In the order of their numbers.
MEMORY_KINDS = ("device", "pinned_host", "unpinned_host")


@dataclass(frozen=True)
class Placed:
    """An argument or result: the number of its kind of memory, and its dimensions, minor to major; (): row-major."""

    memory: int = 0
    order: tuple[int, ...] = ()

    def logical(self, shape: Sequence[int]) -> list[int]:
        """The shape of an array that lies in memory with this one."""
        return [shape[axis] for axis in self.axes] if self.order else [*shape]

    @property
    def axes(self) -> tuple[int, ...]:
        """For each dimension, which one of the row-major array that lies in memory it is."""
        return tuple(len(self.order) - 1 - self.order.index(d) for d in range(len(self.order)))


def placed(code: bytes, alone: bool) -> tuple[bytes, dict[int, Placed], dict[int, Placed]]:
    """A program, and what it asks for some of its arguments and results.

    If it runs alone, on one device, it takes and returns what lies in memory, as row-major arrays; else, its caller has
    to arrange them.

    Raises:
        UnsupportedOp: it asks for layouts or memory that are not here.
    """
    if not any(name.encode() in code for name in (LAYOUT, MEMORY)):
        return code, {}, {}
    module = ProgramFile(code).read().module
    main = entry_function(module)
    sides = (
        ("argument", main.type.inputs, main.argument_attributes),
        ("result", main.type.results, main.result_attributes),
    )
    inputs, outputs = (
        {i: asked(f"{noun} {i}", types[i], named) for i, named in enumerate(attributes) if {LAYOUT, MEMORY} & {*named}}
        for noun, types, attributes in sides
    )
    if alone and any(each.order for each in (*inputs.values(), *outputs.values())):
        code = print_file(in_row_major(module, inputs, outputs))
    return code, inputs, outputs


def asked(noun: str, type: Type, attributes: Mapping[str, Attribute]) -> Placed:
    memory = plain(attributes[MEMORY]) if MEMORY in attributes else MEMORY_KINDS[0]
    if memory not in MEMORY_KINDS:
        raise UnsupportedOp(f"{noun} is to be in {memory} memory, and there is only {', '.join(MEMORY_KINDS)}")
    layout = plain(attributes[LAYOUT]) if LAYOUT in attributes else "default"
    rank = len(type.shape) if isinstance(type, TensorType) else 0
    rows = tuple(reversed(range(rank)))
    order = rows
    if layout not in ("default", "auto"):
        order = tuple(map(int, re.findall(r"\d+", layout))) if re.fullmatch(r"\{[\d,]*\}", layout) else ()
        if sorted(order) != [*range(rank)]:
            raise UnsupportedOp(
                f"{noun} is to have the layout {layout}, but only the order of dimensions can be chosen, not tiles"
            )
    return Placed(MEMORY_KINDS.index(memory), () if order == rows else order)


def in_row_major(module: Module, inputs: Mapping[int, Placed], outputs: Mapping[int, Placed]) -> Module:
    """The program on arrays as they lie in memory: what has another order is transposed after or before."""
    main = entry_function(module)
    body = main.code
    *ops, terminator = body.ops
    arguments, results = list(body.arguments), list(terminator.operands)
    before, after = list[Op](), list[Op]()
    for i, each in inputs.items():
        if each.order:
            value = arguments[i]
            arguments[i] = clone_value(value, in_memory(value.type, each.order))
            before.append(stablehlo.transpose.op([arguments[i]], [value], main.location, permutation=each.axes))
    for i, each in outputs.items():
        if each.order:
            value = results[i]
            results[i] = clone_value(value, in_memory(value.type, each.order))
            order = tuple(reversed(each.order))
            after.append(stablehlo.transpose.op([value], [results[i]], main.location, permutation=order))
    code = Region(tuple(arguments), (*before, *ops, *after, replace(terminator, operands=tuple(results))), body.blocks)
    types = FunctionType(*(tuple(value.type for value in side) for side in (arguments, results)))
    # Shardings name dimensions, and a result may be of another type now than the argument that is given up for it.
    bare = {LAYOUT, "sdy.sharding", "mhlo.sharding", *DONATION}
    given, wanted = (
        tuple({name: value for name, value in named.items() if name not in bare} for named in side)
        for side in (main.argument_attributes, main.result_attributes)
    )
    for i in donors_of(main):
        given[i][DONATION[1]] = BoolAttr(True)
    function = replace(main, type=types, body=code, argument_attributes=given, result_attributes=wanted)
    return replace(module, functions={**module.functions, main.name: function})


def in_memory(type: Type, order: Sequence[int]) -> TensorType:
    """The row-major array that has its elements where one with another order of dimensions has them."""
    assert isinstance(type, TensorType)
    return replace(type, shape=tuple(type.shape[d] for d in reversed(order)))
