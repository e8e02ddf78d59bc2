"""The sizes of a program's open dimensions, of which `--shape` may name several."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import TypeVar

from ..errors import Error, InputError, UnsupportedOp, printable_name
from ..formats.artifact import Signature
from ..formats.symbolic import is_name, names_in, size_of
from ..ir.sizes import Condition, Size, is_open, largest, open_dimension, relation, value_of
from ..program import Program
from ..program.arguments import Argument
from ..program.sizes import MOST, named_dimensions, open_names
from ..records import dataclass
from ..specialise.dynamic import Checked
from .inputs import find_input, read_shape

NamedSizes = Mapping[str, int]
Planned = TypeVar("Planned")


@dataclass(frozen=True)
class Choices:
    """The sizes that a program is compiled for.

    Attributes:
        names: the names of the sizes that differ, as in the file, or x_0 for dimension 0 of the input x if it has none.
        sizes: their values, for each choice. Those of the last one are open if there is a choice with sizes that only
            runs know; others are for some of its values.
        shapes: the inputs' shapes, for each choice.
        takes_all: whether a program for several sizes is for all, so that one that cannot be takes one size.
    """

    names: tuple[str, ...]
    sizes: tuple[tuple[int, ...], ...]
    shapes: tuple[tuple[tuple[int, ...], ...], ...]
    takes_all: bool = False

    @property
    def is_open(self) -> bool:
        return any(map(is_open, self.sizes[-1]))

    def text(self, choice: int) -> str:
        """The sizes of a choice for messages: b = 64, t = 16."""
        pairs = ((printable_name(name), size) for name, size in zip(self.names, self.sizes[choice]))
        return ", ".join(f"{n} from 1 to {largest(s)}" if is_open(s) else f"{n} = {s}" for n, s in pairs)


def named_arguments(program: Program, signature: Signature) -> tuple[Sequence[Argument], Sequence[Argument]]:
    """The inputs and results, with the names of their dimensions where the file has them."""

    def named(arguments: Sequence[Argument], dimensions: Sequence[Sequence[str]]) -> Sequence[Argument]:
        fits = len(dimensions) == len(arguments)
        return (
            [replace(a, dimensions=tuple(d)) if d else a for a, d in zip(arguments, dimensions)] if fits else arguments
        )

    return named(program.inputs, signature.dimensions), named(program.outputs, signature.output_dimensions)


def choices_of(arguments: Sequence[Argument], names: Sequence[str], items: Sequence[str]) -> Choices:
    """All sizes that options allow together.

    Args:
        arguments: the program's inputs.
        names: what users call them.
        items: the values of `--shape`: the name of an input and its shape, or of a dimension and its sizes. Several for
            the same one are that many choices.

    Raises:
        InputError: an option fits no input and no dimension, no choice fits all of them, or a dimension stays open.
    """
    dimensions = [named_dimensions(argument, name) for argument, name in zip(arguments, names)]
    groups: dict[str, list[NamedSizes]] = {}
    for item in items:
        name, numbers = read_shape(item)
        for key, sizes in meanings(name, numbers, arguments, names, dimensions):
            groups.setdefault(key, []).append(sizes)
    known: list[NamedSizes] = [{}]
    for group in groups.values():
        known = [{**sizes, **more} for sizes in known for more in group if agree(sizes, more)]
    if not known:
        raise InputError(f"none of the sizes in --shape {' '.join(items)} fit together")
    shapes: dict[tuple[tuple[int, ...], ...], NamedSizes] = {}
    for sizes in known:
        shapes.setdefault(tuple(shape_of(*given, sizes) for given in zip(arguments, names, dimensions)), sizes)
    chosen = [*shapes.values()]
    differing = [name for name in chosen[0] if len({sizes[name] for sizes in chosen}) > 1]
    # What can be computed from the others is not a size of its own.
    free = [n for n in differing if is_name(n) or any(size_of(n, named(s)) is None for s in chosen)]
    return Choices(tuple(free), tuple(tuple(sizes[name] for name in free) for sizes in chosen), tuple(shapes))


def open_choices(
    arguments: Sequence[Argument],
    names: Sequence[str],
    items: Sequence[str],
    most: Mapping[str, int],
    others: int = MOST,
    takes_all: bool = False,
) -> Choices:
    """All sizes that options allow together; those that `--shape` does not give stay open, and so do those of `most`.

    For values that `--shape` gives a dimension that stays open, there are choices of their own before the one for all.

    Args:
        most: the values of `--most`: the largest size of a dimension, by name.
        others: the largest size of other dimensions.
        takes_all: whether dimensions stay open, too, for which `--shape` gives several sizes.

    Raises:
        InputError: as for `choices_of`, or an option fits no open dimension.
    """
    dimensions = [named_dimensions(argument, name) for argument, name in zip(arguments, names)]
    known = open_names(arguments, dimensions)
    given = dict[str, tuple[int, ...]]()
    for name, numbers in map(read_shape, items):
        given[name] = (*given.get(name, ()), *numbers)
    fixed = [name for name, numbers in given.items() if name not in most and not (takes_all and len(numbers) > 1)]
    free = [name for name in known if name not in fixed]
    if unknown := [name for name in most if name not in free]:
        label, open_ones = printable_name(unknown[0]), ", ".join(map(printable_name, free)) or "none"
        raise InputError(f"--most {label}: the program has no open dimension of this name; open are {open_ones}")
    inputs = [name for name in given if name not in known]
    if inputs and most:
        raise InputError(f"--shape {inputs[0]}: beside --most, give the sizes of dimensions: {', '.join(known)}")
    if inputs or not free:  # what `--shape` says of inputs has to say everything
        return choices_of(arguments, names, items)
    for name, numbers in given.items():
        if name in fixed and len(numbers) > 1:
            label = printable_name(name)
            cure = f"--most {label}=SIZE compiles for all others, too"
            rest = ", ".join(map(printable_name, free))
            raise InputError(f"--shape {label}: several sizes need one for each other dimension, too: {rest}; {cure}")
        limit, origin = (most[name], ", its --most") if name in most else (others, "")
        if name in free and (wrong := [size for size in numbers if not 1 <= size <= limit]):
            raise InputError(f"--shape {printable_name(name)}={wrong[0]}: expected a size from 1 to {limit}{origin}")
    sizes, shapes = [], []
    for chosen in product(*([*dict.fromkeys(given.get(name, ())), None] for name in free)):
        facts = list[Size]()
        values: dict[str, int] = {name: numbers[0] for name, numbers in given.items()}
        for i, (name, size) in enumerate(zip(free, chosen)):
            values[name] = open_dimension(i, most.get(name, others), facts) if size is None else size
        sizes.append(tuple(values[name] for name in free))
        shapes.append(tuple(shape_of(*each, values) for each in zip(arguments, names, dimensions)))
    return Choices(tuple(free), tuple(sizes), tuple(shapes), takes_all)


def read_most(items: Sequence[str]) -> dict[str, int]:
    """The values of `--most`, NAME=SIZE, by name."""
    most = {}
    for item in items:
        name, numbers = read_shape(item)
        if len(numbers) != 1 or numbers[0] < 1:
            raise InputError(f"--most {item}: expected one size of at least 1")
        most[name] = numbers[0]
    return most


def only_shapes(
    arguments: Sequence[Argument], names: Sequence[str], items: Sequence[str]
) -> tuple[tuple[int, ...], ...]:
    """The inputs' shapes, where only one choice is allowed."""
    choices = choices_of(arguments, names, items)
    if len(choices.shapes) > 1:
        listed = "; ".join(map(choices.text, range(len(choices.shapes))))
        raise InputError(f"this target takes one choice of sizes, but the options give several, so leave one: {listed}")
    return choices.shapes[0]


def plan_choices(
    choices: Choices, plan: Callable[[Sequence[tuple[int, ...]], list[Checked]], Planned]
) -> tuple[list[Planned], list[tuple[list[Condition], str]]]:
    """Plan a program for each choice.

    Args:
        plan: plans it for some shapes of its inputs, and lists what it assumes of those sizes that are open.

    Returns:
        The plans, and the constraints on sizes: conditions, of which one has to hold, and a message.

    Raises:
        InputError: no run could have the sizes of a choice.
    """
    plans, constraints = list[Planned](), list[tuple[list[Condition], str]]()
    for i in reversed(range(len(choices.shapes))):  # the one for all sizes first, which says what sizes there may be
        sizes, checks = choices.sizes[i], list[Checked]()
        others = [Condition(choices.sizes[-1][n], "!=", s) for n, s in enumerate(sizes) if not is_open(s)]
        try:
            with needing_sizes(choices if any(map(is_open, sizes)) else None):
                plans.insert(0, plan(choices.shapes[i], checks))
        except InputError as error:
            if all(map(is_open, sizes)):
                raise
            raise InputError(f"for {choices.text(i)}: {error}") from error
        constraints += [([*others, check.condition], check.message) for check in checks]
        if choices.is_open and len(plans) == 1:
            expect_allowed(choices, checks)
    return plans, constraints


def expect_allowed(choices: Choices, checks: Sequence[Checked]) -> None:
    """Refuse sizes with code of their own that no run could have."""
    for i, sizes in enumerate(choices.sizes):
        for check in checks:
            left, right = (value_of(side, sizes) for side in (check.condition.left, check.condition.right))
            if relation(left, check.condition.name, right) is False:
                raise InputError(f"for {choices.text(i)}: {check.message}")


@contextmanager
def needing_sizes(choices: Choices | None) -> Iterator[None]:
    """Tell the user of an error what to do about a program that cannot be compiled for all sizes."""
    try:
        yield
    except Error as error:
        if choices is None or not choices.is_open:
            raise
        more = "" if choices.takes_all else ",…"
        names = " ".join(f"--shape {printable_name(name)}=SIZE{more}" for name in choices.names)
        text = re.sub(
            r"(?<=\))\[\(\d+, \d+\)(, \(\d+, \d+\))*\]", "", str(error)
        )  # types list the limits of their sizes
        text = re.sub(r"sizes\[(\d+)\]", lambda match: printable_name(choices.names[int(match[1])]), text)
        raise UnsupportedOp(f"{text}\nit cannot be compiled for all sizes yet; use {names}") from error


def meanings(
    name: str,
    numbers: tuple[int, ...],
    arguments: Sequence[Argument],
    names: Sequence[str],
    dimensions: Sequence[Sequence[str]],
) -> list[tuple[str, NamedSizes]]:
    """What an option says about the sizes: the shape of an input, or the values of a dimension, each with its key."""
    number = find_input(name, names)
    known = [text for listed in dimensions for text in listed if not text.isdecimal()]
    known += [inner for argument in arguments for text in argument.dimensions for inner in names_in(text)]
    if name in known and (number is None or len(arguments[number].shape) != len(numbers)):
        return [(f"={name}", {name: value}) for value in numbers]
    if number is None:
        inputs, sizes = (", ".join(map(printable_name, dict.fromkeys(listed))) for listed in (names, known))
        raise InputError(f"the program has no input or dimension {name!r}; it has the inputs {inputs}"
                         + (f" and the dimensions {sizes}" if sizes else ""))  # fmt: skip
    argument = arguments[number]
    if not argument.takes(numbers):
        label = f"input {printable_name(names[number])}"
        raise InputError(f"{label} cannot be of shape {list(numbers)}, expected {argument.layout}")
    pairs = zip(dimensions[number], argument.shape, numbers)
    return [(str(number), {text: value for text, size, value in pairs if size is None})]


def agree(sizes: NamedSizes, others: NamedSizes) -> bool:
    return all(sizes.get(name, size) == size for name, size in others.items())


def named(sizes: NamedSizes) -> NamedSizes:
    return {name: size for name, size in sizes.items() if is_name(name)}


def shape_of(argument: Argument, name: str, dimensions: Sequence[str], sizes: NamedSizes) -> tuple[int, ...]:
    """The shape of an input for some sizes."""
    shape = [size_of(text, sizes) if size is None else size for text, size in zip(dimensions, argument.shape)]
    known = [size for size in shape if size is not None and size >= 0]
    if len(known) == len(shape):
        return tuple(known)
    label = printable_name(name)
    text = next(text for text, size in zip(dimensions, shape) if size is None or size < 0)
    wanted = next((n for n in names_in(text) if argument.dimensions and n not in sizes), text)
    raise InputError(
        f"the shape of input {label}: {argument.layout} is open; use --shape {label}=SIZE,SIZE,…, or"
        f" --shape {printable_name(wanted)}=SIZE for a dimension"
    )
