"""The table of ops: what a row holds, and how an op is checked against its row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, field, replace
from functools import cache, cached_property
from math import prod
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from ..errors import count_text
from ..ir import Attribute, DialectAttr, Op, Region, TensorType, Type
from ..ir.dimensions import Shape
from ..ir.dtypes import as_tensor, static_shape
from ..records import dataclass
from .attributes import BOOLEANS, INTEGERS, Kind, Violation
from .folding import Fold, keywords_of
from .forms import Form, form_of
from .traits import NO_TRAITS, Cost, Monoid, Trait
from .types import QuantizedScales, check_elements, check_quantized_type, counts_of

Slope = Callable[[Any, Any], Any]
Flops = Callable[..., int]
P = ParamSpec("P")
R = TypeVar("R")
Item = TypeVar("Item")


NOTHING: Mapping[str, Kind] = MappingProxyType({})  # in Python 3.11 no default: it has no hash


@dataclass(frozen=True, eq=False)
class Schema:
    """How an op is written: its attributes and its pretty form, from which readers and printers are derived.

    `attributes` are those of the current specification; `former` are found only in older files or in mhlo. `form`
    describes the pretty form (see `forms`). `fold` computes the op on values that are known before a program runs.
    `parent` names the only op in whose regions this one may stand.
    """

    name: str
    _: KW_ONLY
    attributes: Mapping[str, Kind] = field(default_factory=lambda: NOTHING)
    former: Mapping[str, Kind] = field(default_factory=lambda: NOTHING)
    form: str = "%"
    traits: Trait = NO_TRAITS
    fold: Fold | None = None
    parent: str = ""

    @cached_property
    def pretty(self) -> Form:
        return form_of(self.form)

    @cached_property
    def written(self) -> Mapping[str, Kind]:
        """All attributes that the op may have in a file."""
        return {**self.attributes, **self.former}

    @cached_property
    def lists(self) -> Mapping[str, Kind]:
        """The attributes that are arrays today but were dense<…> : tensor<…xi64> in older files."""
        return {name: kind for name, kind in self.written.items() if kind.decode in (INTEGERS.decode, BOOLEANS.decode)}

    @cached_property
    def flags(self) -> Mapping[str, str]:
        """The attributes that are written as a word after the operands, by that word."""
        return {word: name for name, kind in self.attributes.items() for word in kind.flags}

    def without_defaults(self, attributes: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
        """An op's attributes without those that only state the default."""
        known = self.written
        stated = {name for name, value in attributes.items() if name in known and known[name].changes_nothing(value)}
        return {name: value for name, value in attributes.items() if name not in stated} if stated else attributes


@dataclass(frozen=True, eq=False)
class Definition(Schema):
    """An op's row.

    `elements` has one letter for each operand and each result, as in "QQ -> Q" (see `types.KEYS`); a letter followed
    by * stands for any number of values. `kinds` lists what the elements of the first operand (of the result if there
    are no operands) may be: b booleans, i integers, f floats, c complex numbers. `quantized` says which quantized
    tensors the op accepts. `regions` are the regions' names in order; "*branches" stands for one or more, "**" for any
    number that is ignored. `tensors` says whether all operands and results must be ranked tensors. `mhlo_name` is the
    op's name in mhlo, if that is not its own.

    `shapes` infers the results' shapes and checks the op's constraints. Operand types are positional; of the attributes
    and regions, it takes those that it needs, keyword-only under the specification's names, and maybe `out`, the
    declared result types. It returns the shape of each result (None for an unknown dimension or an unknown shape)
    and raises `Violation` if a constraint is broken. `inferred` is the number of the constraint which says that the
    results have the inferred shapes.

    `flops` counts the arithmetic operations of an op whose shapes are known. Its signature is that of `shapes`, except
    that for each region it takes the operations of one run of it. An elementwise op needs none: unless its cost says
    that it is free, it takes one operation per element.

    `monoid` says what a reduction by the op computes. `same_as` names the op that this one is a variant of: one of
    another dialect, or one that broadcasts its operands first. An op whose last operands are attributes of the op
    `static`, or the result's shape, becomes that op once they are known; `late` names them, and "shape" the shape.

    `slope` is dy/dx of an elementwise function y = f(x), given x and y as terms (see `build`); one that is defined for
    complex numbers is holomorphic.
    """

    elements: str
    kinds: str = "bifc"
    _: KW_ONLY
    quantized: QuantizedScales = "one"
    regions: tuple[str, ...] = ()
    shapes: Callable[..., Sequence[Shape | None]] | None = None
    inferred: str = ""
    tensors: bool = True
    cost: Cost = Cost.EXPENSIVE
    flops: Flops | None = None
    monoid: Monoid | None = None
    same_as: str = ""
    mhlo_name: str = ""
    static: str = ""
    late: tuple[str, ...] = ()
    slope: Slope | None = None

    @property
    def wants_out(self) -> bool:
        return self.shapes is not None and "out" in taken(self.shapes)

    def counts(self, side: int) -> tuple[int, int | None]:
        """The minimum and maximum number of operands (side 0) or results (side 1); no maximum is None."""
        return counts_of(self.elements.split("->")[side])

    def inferred_shapes(
        self, operands: Sequence[Type], out: Sequence[Type], keywords: Mapping[str, Any]
    ) -> Sequence[Shape | None]:
        """The results' shapes as far as they are known; `keywords` are decoded attributes and regions."""
        assert self.shapes is not None
        return call_with(self.shapes, operands, {**keywords, "out": out})


taken = cache(keywords_of)


def call_with(function: Callable[..., R], operands: Sequence[Type], keywords: Mapping[str, Any]) -> R:
    """Call a function of a row with those of the keywords that it takes."""
    return function(*operands, **{name: keywords[name] for name in taken(function) if name in keywords})


# Attributes with a prefix that must not be ignored.
MEANT = ("mhlo.literal",)  # XLA: the contents of a constant
# Traits of ops that only move data, so that they take no operations; those of an exchange's reduction are not counted.
MOVING = (
    Trait.IDENTITY | Trait.MOVEMENT | Trait.SELECTING | Trait.UPDATING | Trait.CONSTANT | Trait.STEPWISE
    | Trait.TERMINATOR | Trait.COLLECTIVE | Trait.TRANSFERRING
)  # fmt: skip

OPS: dict[str, Definition] = {}
# Ops of dialects that are read but not checked (see `foreign`).
FOREIGN: dict[str, Schema] = {}
# The ops that have another name in mhlo, by that name.
RENAMED: dict[str, str] = {}


def adding(make: Callable[P, Definition]) -> Callable[P, None]:
    """The function that adds a row to `OPS`; it raises ValueError if the op has a row already."""

    def add(*args: P.args, **fields: P.kwargs) -> None:
        row = make(*args, **fields)
        if row.name in OPS:
            raise ValueError(f"{row.name} has a row already")
        OPS[row.name] = row
        if row.mhlo_name:
            RENAMED[row.mhlo_name] = row.name

    return add


op = adding(Definition)


def schema_of(name: str) -> Schema | None:
    """How the op of this name is written; None for an unknown op."""
    return OPS.get(name) or FOREIGN.get(name)


def names_with(traits: Trait) -> set[str]:
    """The names of the ops that have at least one of the traits."""
    return {name for name, row in (*OPS.items(), *FOREIGN.items()) if row.traits & traits}


def has(op: Op, traits: Trait) -> bool:
    """Whether an op has at least one of the traits; an unknown op has none."""
    row = OPS.get(op.name) or FOREIGN.get(op.name)
    return row is not None and row.traits._value_ & traits._value_ != 0  # flags take ten times as long


def monoid_of(op: Op) -> Monoid | None:
    row = OPS.get(op.name)
    return None if row is None else row.monoid


def cost_of(op: Op) -> Cost:
    row = OPS.get(op.name)
    return Cost.EXPENSIVE if row is None else row.cost


def flops_of(op: Op, body_flops: Callable[[Region], int]) -> int | None:
    """The arithmetic operations of an op whose shapes are known; None if its row does not say.

    Args:
        body_flops: the operations of one run of a region.
    """
    row = OPS.get(op.name)
    if row is None:
        return None
    if row.flops is not None:
        keywords = decode_attributes(row, op.attributes)
        bodies = named_regions(row, op.regions)
        keywords.update({name: body_flops(body) for name, body in bodies.items()})
        keywords["out"] = [v.type for v in op.results]
        return call_with(row.flops, [v.type for v in op.operands], keywords)
    if row.cost > Cost.FREE and row.traits & (Trait.ELEMENTWISE | Trait.BROADCASTING):
        return 0 if row.traits & Trait.IDENTITY else max((count_elements(v.type) for v in op.results), default=0)
    return 0 if row.cost == Cost.FREE or row.traits & MOVING else None


def count_elements(type: Type) -> int:
    """How many elements a tensor of known shape has; 0 for anything else."""
    return prod(static_shape(tensor)) if isinstance(tensor := as_tensor(type), TensorType) else 0


def find_violation(op: Op, name: str, attributes: Mapping[str, Attribute]) -> str:
    """The message about the first constraint that an op breaks, or ''.

    Args:
        name: the row's name, which differs from the op's if a custom call stands for an op of CHLO.
        attributes: the op's attributes without those of a custom call.
    """
    try:
        check_op(OPS[name], op, attributes)
    except Violation as violation:
        return str(violation)
    return ""


def check_op(definition: Definition, op: Op, attributes: Mapping[str, Attribute]) -> Sequence[Shape | None]:
    """Check an op against its row, and return the shapes of its results as far as they are known.

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
        return [None] * len(results)
    shapes = definition.inferred_shapes(operands, results, keywords)
    check_count(len(results), len(shapes), len(shapes), "result")
    for i, (shape, declared) in enumerate(zip(shapes, results)):
        if shape is not None and isinstance(declared, TensorType) and not agree(shape, declared.shape):
            which = f"result {i} has" if len(results) > 1 else "the result has"
            number = f" ({definition.inferred})" if definition.inferred else ""
            raise Violation(f"{which} the shape {shape_text(shape)}, but its declared type is {declared}{number}")
    return shapes


def check_count(count: int, least: int, most: int | None, noun: str) -> None:
    if count < least or (most is not None and count > most):
        raise Violation(f"has {count_text(count, noun)}, expected {range_text(least, most)}")


def range_text(least: int, most: int | None) -> str:
    return f"{least}" if least == most else f"at least {least}" if most is None else f"{least} to {most}"


def check_tensors(types: Sequence[Type], noun: str) -> None:
    for i, type in enumerate(types):
        if not isinstance(type, TensorType):
            raise Violation(f"{noun} {i} is {type}, expected a tensor")


def decode_attributes(definition: Definition, attributes: Mapping[str, Attribute]) -> dict[str, Any]:
    """The values of all attributes of the row, as plain Python; defaults stand in for those that are left out."""
    values: dict[str, Any] = {}
    known = definition.attributes
    for name, kind in known.items():
        if name in attributes:
            values[name] = kind.value(name, attributes[name])
        elif kind.required:
            raise Violation(f"lacks the attribute '{name}', {kind.text}")
        else:
            values[name] = kind.default
    for name, attribute in attributes.items():
        former = definition.former.get(name)
        # Other attributes are discardable, as in MLIR: annotations by exporters and compilers.
        if name in MEANT or (former is not None and not former.changes_nothing(attribute)):
            raise Violation(f"has the attribute '{name}', whose value {attribute} is not supported")
    return values


def named_regions(definition: Definition, regions: Sequence[Region]) -> dict[str, Any]:
    """The regions under the row's names for them."""
    names = definition.regions
    if names == ("**",):
        return {}
    for i, region in enumerate(regions):
        if not region.ops:
            raise Violation(f"region {i} is empty, expected it to end with a return")
    if names and names[-1].startswith("*"):
        if not regions:
            raise Violation(f"has no {names[-1][1:]}, expected at least one region")
        return {names[-1][1:]: regions}
    check_count(len(regions), len(names), len(names), "region")
    return dict(zip(names, regions, strict=True))


# ---------------------------------------------------------------- shapes


def agree(a: Shape, b: Shape) -> bool:
    """Whether two shapes can be equal once all dimensions are known."""
    return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))


def same(a: int | None, b: int | None) -> bool:
    """Whether two sizes can be equal once both are known."""
    return a is None or b is None or a == b


def are_compatible(found: Sequence[Type], wanted: Sequence[Type]) -> bool:
    """Whether two lists of types can be equal once all dimensions are known."""
    return len(found) == len(wanted) and all(
        agree(a.shape, b.shape) and replace(a, shape=b.shape) == b
        if isinstance(a, TensorType) and isinstance(b, TensorType)
        else a == b
        for a, b in zip(found, wanted)
    )


def merge_shapes(a: Shape, b: Shape) -> Shape:
    """A shape with every size that is known in either of two shapes that agree."""
    return tuple(y if x is None else x for x, y in zip(a, b))


def shared_shape(types: Sequence[TensorType], expected: Callable[[int, Shape], str]) -> Shape:
    """The shape that tensors share, as far as it is known.

    Args:
        expected: the message about a tensor of another shape, given its number and the shape of those before it.
    """
    shape = types[0].shape
    for i, type in enumerate(types):
        if not agree(shape, type.shape):
            raise Violation(expected(i, shape))
        shape = merge_shapes(shape, type.shape)
    return shape


def without(items: Sequence[Item], number: int) -> tuple[Item, ...]:
    return (*items[:number], *items[number + 1 :])


def check_dimensions(
    name: str, dimensions: Sequence[int] | int, rank: int, *, within: str, distinct: str = "", ascending: str = ""
) -> None:
    """Check that dimensions exist in a tensor of this rank; the keywords are constraint numbers such as "C3"."""
    if isinstance(dimensions, int):
        if not 0 <= dimensions < rank:
            raise Violation(f"{name} is {dimensions}, expected a dimension of a tensor of rank {rank} ({within})")
        return
    listed = list(dimensions)
    if any(not 0 <= d < rank for d in listed):
        raise Violation(f"{name} is {listed}, expected dimensions of a tensor of rank {rank} ({within})")
    if distinct and len(set(listed)) < len(listed):
        raise Violation(f"{name} is {listed}, expected distinct dimensions ({distinct})")
    if ascending and listed != sorted(listed):
        raise Violation(f"{name} is {listed}, expected dimensions in ascending order ({ascending})")


def check_static(result: TensorType) -> None:
    """Check that the declared shape of a result is known, for ops whose shape does not follow from anything else."""
    if None in result.shape:
        raise Violation(f"the result is {result}, expected known dimensions")


def check_bounded(result: TensorType) -> None:
    """Check that the declared shape of a result is known, except for at most one dimension if bounds are declared."""
    bounds = result.encoding
    if not isinstance(bounds, DialectAttr) or bounds.name != "bounds" or result.shape.count(None) > 1:
        check_static(result)


def check_scalar(name: str, type: TensorType) -> None:
    if type.shape:
        raise Violation(f"{name} is {type}, expected a scalar")


def check_count_of(name: str, numbers: Sequence[Any], count: int, number: str) -> None:
    """Check that a list has one entry for each dimension of an operand of rank `count`."""
    if len(numbers) != count:
        expected = f"{count_text(count, 'number')}, the operand's rank"
        raise Violation(f"{name} is {list(numbers)}, expected {expected} ({number})")


def check_list(name: str, values: Sequence[int] | None, count: int, numbers: tuple[str, str]) -> None:
    """Check a list of positive integers, one for each dimension; an empty list counts as left out.

    Args:
        numbers: the numbers of the constraints on the list's length and on its values.
    """
    if not values:
        return
    if len(values) != count:
        expected = f"{count_text(count, 'number')}, one for each dimension"
        raise Violation(f"{name} is {list(values)}, expected {expected} ({numbers[0]})")
    if any(value < 1 for value in values):
        raise Violation(f"{name} is {list(values)}, expected positive numbers ({numbers[1]})")


def check_padding(padding: Sequence[Sequence[int]] | None, count: int, number: str) -> None:
    if padding is not None and len(padding) != count:
        expected = f"{count_text(count, 'pair')}, one for each dimension"
        raise Violation(f"padding has {count_text(len(padding), 'pair')}, expected {expected} ({number})")


def shape_text(shape: Shape) -> str:
    """A shape as messages show it: [2, ?, 3]."""
    return f"[{', '.join('?' if d is None else str(d) for d in shape)}]"


def returned_types(region: Region) -> tuple[Type, ...]:
    """The types that a region returns."""
    return tuple(v.type for v in region.ops[-1].operands) if region.ops else ()


def argument_types(region: Region) -> tuple[Type, ...]:
    """The types of a region's arguments."""
    return tuple(v.type for v in region.arguments)


def types_text(types: Sequence[Type]) -> str:
    return f"({', '.join(map(str, types))})"


def require(holds: bool, message: str) -> None:
    """Raise a `Violation` unless a constraint holds."""
    if not holds:
        raise Violation(message)
