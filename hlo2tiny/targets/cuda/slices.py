"""Slices of arguments and constants that are read where they lie, such as weights that a loop takes from a stack.

Where an iteration's number is known, so is where its slices begin: what only reads them gets their addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...ir import DenseAttr, Op, TensorType, Value
from ...ir.dtypes import bit_width, expect_tensor, numpy_dtype
from ...ir.place import Place, overlap
from ...ops import OPS, Trait, has
from ...plan.commands import Branch, Carry, Command, Copy, Exchange, HostCall, Invoke, Launch, Library, Loop
from ...plan.gemm import begin_at_indices, find_slice, is_reshape
from ...plan.plan import Attention, AttentionGradients, Convolution, Fourier, Gemm, Kernels
from .kernels import ALIGNMENT, CudaKernel


def integers_of(region: Kernels, given: Mapping[Value, int]) -> dict[Value, int]:
    """The integers of a region that are known if some are given."""
    found = {value: np.array(given[value], type_of(value)) for value in region.parameters if value in given}
    for op in integer_ops(region):
        number = OPS[op.name].fold
        value = number(op, [found.get(v) for v in op.operands]) if number else constant_of(op)
        if value is not None:
            found[op.results[0]] = value
    return {value: int(array) for value, array in found.items()}


@lru_cache(maxsize=1024)
def integer_ops(region: Kernels) -> list[Op]:
    """The ops of a region that compute single integers or booleans from such numbers."""
    numbers = {value for value in region.parameters if is_integer(value)}
    ops = []
    for op in region.ops:
        computes = has(op, Trait.CONSTANT) or (op.name in OPS and OPS[op.name].fold)
        if computes and len(op.results) == 1 and is_integer(op.results[0]) and numbers.issuperset(op.operands):
            ops.append(op)
            numbers.update(op.results)
    return ops


def is_integer(value: Value) -> bool:
    type = value.type
    return isinstance(type, TensorType) and not type.shape and type_of(value).kind in "iub"


def type_of(value: Value) -> np.dtype:
    return numpy_dtype(expect_tensor(value.type).element)


def constant_of(op: Op) -> np.ndarray | None:
    value = op.attributes.get("value")
    return value.data.reshape(-1)[:1].reshape(()) if isinstance(value, DenseAttr) and value.data.size else None


def slices_of(
    command: Launch,
    later: Sequence[Command],
    kernels: Sequence[CudaKernel],
    integers: Mapping[Value, int],
    place_of: Callable[[Place], Place],
) -> dict[int, Place]:
    """Where the results of a region lie that are slices of an argument or constant, by the numbers of their buffers.

    Args:
        command: the region's launch.
        later: the commands that follow in its list.
        kernels: the region's.
        integers: those of the region that are known.
        place_of: gives a place of the list as one of the program.
    """
    region, found = command.region, dict[int, Place]()
    definitions = {value: op for op in region.ops for value in op.results}
    for number, result in enumerate(region.results, len(region.inputs)) if not region.updates else ():
        place, size = command.places[number], command.sizes[number]
        constants, op = begin_at_indices(definitions.get(shaped(result, definitions)))
        match = find_slice(op, 0)
        whole = match and shaped(match[0].operands[0], definitions)
        if match is None or whole not in region.parameters:
            continue
        known = {**integers, **{x.results[0]: int(n) for x in constants if (n := constant_of(x)) is not None}}
        source = place_of(command.places[region.parameters.index(whole)])
        if any(index not in known for index, _ in match[1]):
            continue
        begin = sum(min(max(known[index], 0), offset.most) * offset.stride for index, offset in match[1])
        begin = begin * bit_width(expect_tensor(result.type).element) // 8
        # A donated argument is a result.
        aligned = source.kind in ("argument", "constant") and begin % ALIGNMENT == 0
        if aligned and place.kind == "arena" and is_only_read(later, place, size):
            found[number] = Place(source.kind, source.number, source.offset + begin)
    # A kernel that writes something else, too, writes them all.
    for kernel in kernels:
        written = {number for number, writes in zip(kernel.buffers, kernel.writes) if writes}
        if not written <= found.keys():
            found = {number: place for number, place in found.items() if number not in written}
    return found


def shaped(value: Value, definitions: Mapping[Value, Op]) -> Value:
    """The value of which one is only a reshape."""
    while (op := definitions.get(value)) is not None and is_reshape(op):
        value = op.operands[0]
    return value


def is_only_read(commands: Sequence[Command], place: Place, size: int) -> bool:
    """Whether commands only read some bytes, as single steps, until others are written there."""
    for number, command in enumerate(commands):
        if isinstance(command, Launch) and place in command.places[: command.region.updates]:
            return False
        if (writes := writes_of(command)) is None:
            return not any(place in places_of(each) for each in commands[number:])
        if any(overlap(place, size, *each) for each in writes):
            return True
    return True


def writes_of(command: Command) -> list[tuple[Place, int]] | None:
    """The places that a single step writes to anew, with their sizes; None for commands that run lists, and others."""
    match command:
        case Launch(region=region, places=places, sizes=sizes):
            return [*zip(places, sizes)][len(region.inputs) :]
        case Library(
            step=Gemm() | Attention() | AttentionGradients() | Convolution() | Fourier() as step,
            places=places,
            sizes=sizes,
        ):
            return [*zip(places, sizes)][len(step.inputs) :]
        case Copy(target=target, size=size):
            return [(target, size)]
    return None


def places_of(value: Any) -> Iterator[Place]:
    """All places of a command."""
    if isinstance(value, Place):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from places_of(each)
    elif isinstance(value, Copy | Library | Launch | HostCall | Exchange | Invoke | Loop | Branch | Carry):
        for each in vars(value).values():
            yield from places_of(each)
