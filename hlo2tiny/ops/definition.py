"""What a row of the table of ops holds, and how an op is checked against its row."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from ..ir import Attribute, DialectAttr, Op, Region, TensorType, Type
from .attributes import BOOLEANS, INTEGERS, Kind, Violation
from .folding import Fold
from .forms import Form, form_of
from .notes import is_note
from .traits import NO_TRAITS, Cost, Monoid, Trait
from .types import QuantizedScales, check_elements, check_quantized_type, counts_of

Shape = tuple[int | None, ...]


@dataclass(frozen=True, eq=False)
class Schema:
    """How an op is written: its attributes and its pretty form. What reads and prints files is derived from it.

    `attributes` are all that the op has, `former` those that only other files have: older ones, or mhlo's. `form`
    describes the pretty form (`forms`). `fold` is the op's meaning on what is known before a program runs.
    """

    name: str
    attributes: Mapping[str, Kind]
    former: Mapping[str, Kind]
    form: str
    traits: Trait = NO_TRAITS
    fold: Fold | None = None

    @cached_property
    def pretty(self) -> Form:
        return form_of(self.form)

    @cached_property
    def written(self) -> Mapping[str, Kind]:
        """The attributes that a file may have."""
        return {**self.attributes, **self.former}

    @cached_property
    def lists(self) -> Mapping[str, Kind]:
        """The attributes that are arrays today, and dense<…> : tensor<…xi64> in older files."""
        return {name: kind for name, kind in self.written.items() if kind.decode in (INTEGERS.decode, BOOLEANS.decode)}

    @cached_property
    def flags(self) -> Mapping[str, str]:
        """The attributes that words after the operands stand for, by these words."""
        return {word: name for name, kind in self.attributes.items() for word in kind.flags}

    def without_defaults(self, attributes: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
        """An op's attributes without those that change nothing."""
        known = self.written
        idle = [name for name, value in attributes.items() if name in known and known[name].changes_nothing(value)]
        return {name: value for name, value in attributes.items() if name not in idle} if idle else attributes


@dataclass(frozen=True, eq=False, kw_only=True)
class Definition(Schema):
    """An op's row.

    `elements` has a letter for each operand, then for each result, as "QQ -> Q" (see `types.KEYS`); a letter before *
    stands for any number of values. `kinds` are the letters of what the elements of the first operand (or the result)
    may be: b booleans, i integers, f floats, c complex numbers. `quantized` says which quantized tensors the op takes.

    `shapes` is the op's type inference, as far as shapes go, and its constraints. Its signature is that of a rule:
    operand types positional, attributes and regions keyword-only under the specification's names, and `out`, the
    declared result types, where it has that keyword. It gives the shape of each result (None for a dimension, or for a
    whole shape, that is not known), and raises `Violation` where a constraint is broken. `inferred` is the number of
    the constraint that the results have these shapes.

    `monoid` is what a reduction by the op is, and `same_as` the op that it is another form of: of another dialect, or
    of operands that are repeated to one shape. An op that takes its result's shape as a value becomes the op `static`
    when that is known.
    """

    elements: str
    kinds: str
    quantized: QuantizedScales
    regions: tuple[str, ...]
    shapes: Callable[..., Sequence[Shape | None]] | None
    inferred: str
    wants_out: bool
    tensors: bool
    cost: Cost
    monoid: Monoid | None
    same_as: str
    static: str

    def counts(self, side: int) -> tuple[int, int | None]:
        """The least and the greatest number of operands (side 0) or results (side 1)."""
        return counts_of(self.elements.split("->")[side])

    def inferred_shapes(
        self, operands: Sequence[Type], out: Sequence[Type], keywords: Mapping[str, Any]
    ) -> Sequence[Shape | None]:
        """The results' shapes, as far as they can be inferred from attributes as `decode_attributes` gives them."""
        assert self.shapes is not None
        return self.shapes(*operands, **keywords, **({"out": out} if self.wants_out else {}))


OPS: dict[str, Definition] = {}
# Those of dialects that are only read (`foreign`).
FOREIGN: dict[str, Schema] = {}
# The ops that rows say other ones are the same as.
TWINS: dict[str, str] = {}


def op(
    name: str,
    elements: str,
    kinds: str = "bifc",
    *,
    quantized: QuantizedScales = "one",
    attributes: Mapping[str, Kind] = MappingProxyType({}),
    former: Mapping[str, Kind] = MappingProxyType({}),
    form: str = "%",
    regions: tuple[str, ...] = (),
    shapes: Callable[..., Sequence[Shape | None]] | None = None,
    inferred: str = "",
    tensors: bool = True,
    traits: Trait = NO_TRAITS,
    cost: Cost = Cost.EXPENSIVE,
    monoid: Monoid | None = None,
    fold: Fold | None = None,
    twins: Sequence[str] = (),
    static: str = "",
) -> None:
    """Add a row to `OPS`; see `Definition`.

    Args:
        regions: the regions' names, in order; "*branches" stands for one or more, "**" for any that nobody reads.
        tensors: whether all operands and results must be ranked tensors.
        twins: ops of other dialects that mean the same and have rows of their own, after this one; they fold like it.

    Raises:
        ValueError: the op has a row already.
    """
    if name in OPS:
        raise ValueError(f"{name} has a row already")
    wants_out = shapes is not None and "out" in inspect.signature(shapes).parameters
    TWINS.update(dict.fromkeys(twins, name))
    same_as = TWINS.get(name, "")
    OPS[name] = Definition(
        name=name,
        elements=elements,
        kinds=kinds,
        quantized=quantized,
        attributes=attributes,
        former=former,
        form=form,
        regions=regions,
        shapes=shapes,
        inferred=inferred,
        wants_out=wants_out,
        tensors=tensors,
        traits=traits,
        cost=cost,
        monoid=monoid,
        fold=OPS[same_as].fold if same_as and fold is None and not traits & Trait.BROADCASTING else fold,
        same_as=same_as,
        static=static,
    )


def schema_of(name: str) -> Schema | None:
    """How an op of a name is written; None where it is not known."""
    return OPS.get(name) or FOREIGN.get(name)


def names_with(traits: Trait) -> set[str]:
    """The ops that have one of some traits."""
    return {name for name, row in (*OPS.items(), *FOREIGN.items()) if row.traits & traits}


def has(op: Op, traits: Trait) -> bool:
    """Whether an op has one of some traits; one that is not known has none."""
    row = schema_of(op.name)
    return row is not None and bool(row.traits & traits)


def monoid_of(op: Op) -> Monoid | None:
    row = OPS.get(op.name)
    return None if row is None else row.monoid


def cost_of(op: Op) -> Cost:
    row = OPS.get(op.name)
    return Cost.EXPENSIVE if row is None else row.cost


def find_violation(op: Op, name: str, attributes: Mapping[str, Attribute]) -> str:
    """Which constraint of its row an op breaks, or ''.

    Args:
        name: the row's name; a custom call can be an op of CHLO.
        attributes: those of the op, without what belongs to its being a custom call.
    """
    definition = OPS[name]
    try:
        check_op(definition, op, attributes)
    except Violation as violation:
        return str(violation)
    return ""


def check_op(definition: Definition, op: Op, attributes: Mapping[str, Attribute]) -> None:
    """Check an op against its row.

    Raises:
        Violation: the first constraint that it breaks.
    """
    for values, side, noun in ((op.operands, 0, "operand"), (op.results, 1, "result")):
        check_count(len(values), *definition.counts(side), noun)
    keywords = decode_attributes(definition, attributes)
    keywords.update(named_regions(definition, op.regions))
    operands, results = [v.type for v in op.operands], [v.type for v in op.results]
    if definition.tensors:
        check_tensors(operands, "operand")
        check_tensors(results, "result")
    for type in (*operands, *results):
        check_quantized_type(type)
    check_elements(definition.elements, definition.kinds, definition.quantized, operands, results)
    if definition.shapes is None:
        return
    shapes = definition.inferred_shapes(operands, results, keywords)
    check_count(len(results), len(shapes), len(shapes), "result")
    for i, (shape, declared) in enumerate(zip(shapes, results)):
        if shape is not None and isinstance(declared, TensorType) and not agree(shape, declared.shape):
            which = f"result {i} has" if len(results) > 1 else "the result has"
            number = f" ({definition.inferred})" if definition.inferred else ""
            raise Violation(f"{which} the shape {shape_text(shape)}, declared is {declared}{number}")


def check_count(count: int, least: int, most: int | None, noun: str) -> None:
    if count < least or (most is not None and count > most):
        expected = f"{least}" if least == most else f"at least {least}" if most is None else f"{least} to {most}"
        raise Violation(f"has {counted(count, noun)}, expected {expected}")


def counted(count: int, noun: str) -> str:
    """A number of things in words: 1 operand, 2 operands."""
    return f"{count} {noun}{'s' * (count != 1)}"


def check_tensors(types: Sequence[Type], noun: str) -> None:
    for i, type in enumerate(types):
        if not isinstance(type, TensorType):
            raise Violation(f"{noun} {i} is {type}, expected a tensor")


def decode_attributes(definition: Definition, attributes: Mapping[str, Attribute]) -> dict[str, Any]:
    """The attributes that the row names, as plain Python; those left out have their defaults."""
    found: dict[str, Any] = {}
    known = definition.attributes
    for name, kind in known.items():
        if name in attributes:
            found[name] = kind.value(name, attributes[name])
        elif kind.required:
            raise Violation(f"lacks the attribute '{name}', {kind.text}")
        else:
            found[name] = kind.default
    for name, attribute in attributes.items():
        if name not in known and not is_note(name, attribute):
            raise Violation(f"has the attribute '{name}', which is not one of this op's; known are {sorted(known)}")
    return found


def named_regions(definition: Definition, regions: Sequence[Region]) -> dict[str, Any]:
    """The regions by the names that the row gives them."""
    names = definition.regions
    if names == ("**",):
        return {}
    for i, region in enumerate(regions):
        if not region.ops:
            raise Violation(f"region {i} is empty, expected ops that end with a return")
    if names and names[-1].startswith("*"):
        if not regions:
            raise Violation(f"has no {names[-1][1:]}, expected at least one region")
        return {names[-1][1:]: regions}
    check_count(len(regions), len(names), len(names), "region")
    return dict(zip(names, regions, strict=True))


# ---------------------------------------------------------------- shapes


def agree(a: Shape, b: Shape) -> bool:
    """Whether two shapes can be the same when all dimensions are known."""
    return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))


def same(a: int | None, b: int | None) -> bool:
    """Whether two sizes can be the same when both are known."""
    return a is None or b is None or a == b


def merged(a: Shape, b: Shape) -> Shape:
    """What is known of a shape from two that agree."""
    return tuple(y if x is None else x for x, y in zip(a, b))


def check_dimensions(
    name: str, dimensions: Sequence[int] | int, rank: int, *, within: str, distinct: str = "", ascending: str = ""
) -> None:
    """Check one or several of a tensor's dimensions; the keywords are the constraints' numbers, "C3"."""
    if isinstance(dimensions, int):
        if not 0 <= dimensions < rank:
            raise Violation(f"{name} is {dimensions}, expected a dimension of a tensor of rank {rank} ({within})")
        return
    found = list(dimensions)
    if any(not 0 <= d < rank for d in found):
        raise Violation(f"{name} is {found}, expected dimensions of a tensor of rank {rank} ({within})")
    if distinct and len(set(found)) < len(found):
        raise Violation(f"{name} is {found}, expected no dimension twice ({distinct})")
    if ascending and found != sorted(found):
        raise Violation(f"{name} is {found}, expected ascending dimensions ({ascending})")


def check_static(result: TensorType) -> None:
    """Check that the shape of a result is known, where nothing else says what it is."""
    if None in result.shape:
        raise Violation(f"the result is {result}, expected known dimensions")


def check_bounded(result: TensorType) -> None:
    """Check that the shape of a result is known but for one dimension, of which a bound is known."""
    bounds = result.encoding
    if not isinstance(bounds, DialectAttr) or bounds.name != "bounds" or result.shape.count(None) > 1:
        check_static(result)


def check_scalar(name: str, type: TensorType, number: str = "") -> None:
    if type.shape:
        raise Violation(f"{name} is {type}, expected a scalar{f' ({number})' if number else ''}")


def check_count_of(name: str, numbers: Sequence[Any], count: int, number: str) -> None:
    """Check that a list has one entry for each dimension of an operand of rank `count`."""
    if len(numbers) != count:
        raise Violation(
            f"{name} is {list(numbers)}, expected as many numbers as the operand's rank, {count} ({number})"
        )


def shape_text(shape: Shape) -> str:
    """A shape as messages have it: [2, ?, 3]."""
    return f"[{', '.join('?' if d is None else str(d) for d in shape)}]"


def returned(region: Region) -> tuple[Type, ...]:
    """The types that a region returns."""
    return tuple(v.type for v in region.ops[-1].operands) if region.ops else ()


def taken(region: Region) -> tuple[Type, ...]:
    """The types of a region's arguments."""
    return tuple(v.type for v in region.arguments)


def types_text(types: Sequence[Type]) -> str:
    return f"({', '.join(map(str, types))})"


def require(holds: bool, message: str) -> None:
    """Raise a `Violation` unless a constraint holds. For messages that are costly to make, write the `if`."""
    if not holds:
        raise Violation(message)
