"""`hlo2tiny diff`: whether two modules are the same program, with the same functions, ops and constants.

Formats, names of values, locations, and defaults that one exporter writes and another leaves out make no difference.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import ir
from ..ir import Attribute, Function, Location, Module, Op, Region, Value
from ..ops import Trait, has
from ..ops.foreign import without_defaults
from ..records import dataclass
from .convert import embed_weights
from .terminal import show, waiting

LONGEST = 200  # characters of an attribute in a message
Places = tuple[Location | None, Location | None]  # in the two files


@dataclass(frozen=True)
class Difference:
    """Where two programs first differ: in words, and the locations in the two files if there are any."""

    words: str
    left: Location | None = None
    right: Location | None = None

    def __str__(self) -> str:
        sides = (("the first", self.left), ("the second", self.right))
        return "\n".join(
            [self.words, *(at.source.place_message(at.offset, side) for side, at in sides if at is not None)]
        )


class _Differ(Exception):
    """Carries the first difference out of the walk."""

    def __init__(self, difference: Difference) -> None:
        self.difference = difference


def difference(left: Module, right: Module) -> Difference | None:
    """The first difference between two programs; None if they are the same.

    Names of modules and values, locations and the order of functions do not count.

    Examples:
        >>> a = hlo2tiny.parse("func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
        >>> difference(a, a) is None
        True
    """
    try:
        _compare_attributes("the module", left.attributes, right.attributes, (None, None))
        _compare_names(left.functions, right.functions)
        _Walk("the module").ops(left.symbols, right.symbols, (None, None))
        for name, function in left.functions.items():
            _compare_functions(function, right.functions[name])
    except _Differ as error:
        return error.difference
    return None


def _differ(words: str, places: Places) -> None:
    raise _Differ(Difference(words, *places))


def _compare_names(left: Mapping[str, Function], right: Mapping[str, Function]) -> None:
    for name in (*left, *right):
        if name not in left or name not in right:
            side = "second" if name in left else "first"
            places = [function.location if function else None for function in (left.get(name), right.get(name))]
            _differ(f"the {side} has no function @{name}", (places[0], places[1]))


def _compare_functions(left: Function, right: Function) -> None:
    at = f"func.func @{left.name}"
    places = left.location, right.location
    if left.type != right.type:
        _differ(f"{at}: its type is {left.type}, not {right.type}", places)
    if left.visibility != right.visibility:
        _differ(f"{at}: its visibility is {left.visibility or 'public'}, not {right.visibility or 'public'}", places)
    _compare_attributes(at, left.attributes, right.attributes, places)
    for kind, ours, theirs in (
        ("argument", left.argument_attributes, right.argument_attributes),
        ("result", left.result_attributes, right.result_attributes),
    ):
        for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            _compare_attributes(f"{at}, {kind} {i}", a, b, places)
    if left.body is None or right.body is None:
        if left.body is not right.body:
            _differ(f"{at}: the {'first' if left.body is None else 'second'} has no body", places)
        return
    _Walk(at).regions(left.body, right.body, places)


class _Walk:
    """Compares two functions op by op; `partner` has the right value for each left one."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.partner: dict[Value, Value] = {}
        self.count = 0

    def regions(self, left: Region, right: Region, places: Places) -> None:
        takes = [[a.type for a in region.arguments] for region in (left, right)]
        if takes[0] != takes[1]:
            texts = [", ".join(map(str, types)) for types in takes]
            _differ(f"{self.function}: a region takes ({texts[0]}), not ({texts[1]})", places)
        if len(left.blocks) != len(right.blocks):
            counts = len(left.blocks) + 1, len(right.blocks) + 1
            _differ(f"{self.function}: a region has {counts[0]} blocks, not {counts[1]}", places)
        self.partner.update(zip(left.arguments, right.arguments))
        for ours, theirs in zip(left.blocks, right.blocks):  # a block may use values of a later one
            self.partner.update(zip(ours.arguments, theirs.arguments))
            for a, b in zip(ours.ops, theirs.ops):
                self.partner.update(zip(a.results, b.results))
        self.ops(left.ops, right.ops, places)
        for ours, theirs in zip(left.blocks, right.blocks):
            self.regions(ours, theirs, places)

    def ops(self, left: Sequence[Op], right: Sequence[Op], places: Places) -> None:
        for ours, theirs in zip(left, right):
            self.op(ours, theirs)
        if len(left) != len(right):
            more, side = (left, "first") if len(left) > len(right) else (right, "second")
            extra = more[min(len(left), len(right))]
            places = (extra.location, places[1]) if more is left else (places[0], extra.location)
            _differ(f"{self.function}: the {side} continues with {extra.name}, where the other ends", places)

    def op(self, left: Op, right: Op) -> None:
        self.count += 1
        places = left.location, right.location
        at = f"{self.function}, op {self.count}"
        if left.name != right.name:
            _differ(f"{at}: {left.name}, not {right.name}", places)
        at = f"{at}, {left.name}"
        if len(left.operands) != len(right.operands):
            _differ(f"{at}: it has {len(left.operands)} operands, not {len(right.operands)}", places)
        for i, (a, b) in enumerate(zip(left.operands, right.operands)):
            if self.partner.get(a) is not b:
                _differ(f"{at}: operand {i + 1} is a different value: %{a.name} and %{b.name}", places)
        types = [", ".join(str(value.type) for value in op.results) for op in (left, right)]
        if [value.type for value in left.results] != [value.type for value in right.results]:
            _differ(f"{at}: its type is {types[0] or '()'}, not {types[1] or '()'}", places)
        ours, theirs = (_meant(op) for op in (left, right))
        _compare_attributes(at, ours, theirs, places)
        if left.successors != right.successors:
            _differ(f"{at}: it branches to different blocks", places)
        if len(left.regions) != len(right.regions):
            _differ(f"{at}: it has {len(left.regions)} regions, not {len(right.regions)}", places)
        for one, other in zip(left.regions, right.regions):
            self.regions(one, other, places)
        self.partner.update(zip(left.results, right.results))


def _meant(op: Op) -> Mapping[str, Attribute]:
    """The attributes of an op that change its meaning. The type of a channel matters only to send and recv, since VHLO
    stores no others; channel 0 means that there is none."""
    attributes = dict(op.attributes)
    channel = attributes.get("channel_handle")
    if isinstance(channel, ir.DialectAttr) and not has(op, Trait.TRANSFERRING):
        number = channel.fields["handle"]
        attributes["channel_handle"] = ir.DialectAttr(channel.dialect, channel.name, {"handle": number})
        if not number:
            del attributes["channel_handle"]
    return without_defaults(op.name, attributes)


def _compare_attributes(at: str, left: Mapping[str, Attribute], right: Mapping[str, Attribute], places: Places) -> None:
    if left is right:
        return
    for name in (*left, *right):
        if name not in left or name not in right:
            side, attributes = ("second", left) if name in left else ("first", right)
            _differ(f"{at}: the {side} lacks '{name}', which is {shown(attributes[name])}", places)
        if not equal(left[name], right[name]):
            words = f"'{name}' is {shown(left[name])}, not {shown(right[name])}"
            if (
                isinstance(a := left[name], ir.DenseAttr)
                and isinstance(b := right[name], ir.DenseAttr)
                and a.type == b.type
            ):
                words = f"'{name}' differs at {first_difference(a.data, b.data)}"
            _differ(f"{at}: {words}", places)


def shown(attribute: Attribute) -> str:
    text = str(attribute)
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def first_difference(left: np.ndarray, right: np.ndarray) -> str:
    """Where two arrays of the same shape first differ, and the numbers there."""
    index = np.unravel_index(int(np.argmax(_unequal(left, right))), left.shape)
    return f"{[int(i) for i in index]}: {left[index]} and {right[index]}"


def _unequal(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Which elements have different bits."""
    if left.size and not any(left.strides) and not any(right.strides):  # one element each
        left, right = (x[(slice(0, 1),) * x.ndim] for x in (left, right))
    size = left.dtype.itemsize
    pairs = [np.ascontiguousarray(x).reshape(-1).view(np.uint8).reshape(-1, size) for x in (left, right)]
    unequal: np.ndarray = np.any(pairs[0] != pairs[1], axis=1)
    return unequal


def equal(left: Attribute, right: Attribute) -> bool:
    """Whether two attributes are the same. Numbers are compared by their bits."""
    if left is right:
        return True
    match left, right:
        case ir.DenseAttr(), ir.DenseAttr():
            same = left.type == right.type and left.data.dtype == right.data.dtype
            return same and left.data.shape == right.data.shape and not _unequal(left.data, right.data).any()
        case ir.FloatAttr(a, type), ir.FloatAttr(b, other):
            return type == other and _same_number(a, b)
        case ir.DenseArrayAttr(element, ours), ir.DenseArrayAttr(other, theirs):
            return element == other and len(ours) == len(theirs) and all(map(_same_number, ours, theirs))
        case ir.ArrayAttr(ours), ir.ArrayAttr(theirs):
            return len(ours) == len(theirs) and all(map(equal, ours, theirs))
        case ir.DictAttr(ours), ir.DictAttr(theirs):
            return ours.keys() == theirs.keys() and all(equal(ours[key], theirs[key]) for key in ours)
        case ir.DialectAttr(fields=ours), ir.DialectAttr(fields=theirs) if ours or theirs:
            return left.dialect == right.dialect and left.name == right.name and dict(ours) == dict(theirs)
    return left == right


def _same_number(left: Any, right: Any) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        return np.float64(left).tobytes() == np.float64(right).tobytes()
    return bool(left == right)


def run(options: argparse.Namespace) -> int:
    left, right = options.files
    with waiting(f"parsing {Path(left).name} and {Path(right).name}"):
        first = difference(*(embed_weights(file, options.entry).module for file in (left, right)))
    show(f"{left} and {right} differ: {first}" if first else f"{left} and {right} are the same program")
    return int(first is not None)
