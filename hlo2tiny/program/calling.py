"""What a call of a program passes, in what structure, and which of main's arguments that corresponds to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from os import PathLike, fspath
from typing import Any, Literal

from ..errors import InputError, count_text
from ..formats.artifact import Signature
from ..records import dataclass
from ..trees import Tree, describe_value, flatten, registered_parts

# How many arguments a message lists.
LISTED = 12
# The path from an argument to one of its leaves: keys, indices and fields.
PathStep = tuple[Literal["key", "index", "field"], Any]
Steps = tuple[PathStep, ...]
STEP = re.compile(r"""\['([^'\\]*)'\]|\["([^"\\]*)"\]|\[(\d{1,9})\]|\.([A-Za-z_]\w*)""")
ROOT = re.compile(r"args\[\d+\]|[A-Za-z_]\w*")  # args[0] is an argument of a function with *args
LONGEST_PATH = 100


@dataclass(frozen=True, eq=False)
class ArgumentPart:
    """An argument of a call.

    Attributes:
        name: its name in the model, or '' if the file does not say.
        tree: its structure; None if it is known only from the names of main's arguments.
        positions: for each leaf, the number of main's argument that takes it; None if main does not use the leaf.
        keyword: whether it is passed by name only.
        paths: without a tree, the path to each leaf; () if the argument is itself main's.
    """

    name: str
    tree: Tree | None
    positions: Sequence[int | None]
    keyword: bool = False
    paths: Sequence[Steps] = ()

    @property
    def used(self) -> list[int]:
        return [position for position in self.positions if position is not None]

    @property
    def is_leaf(self) -> bool:
        return self.tree.kind == "leaf" if self.tree else not any(self.paths)

    def leaves(self, value: Any, name: str) -> list[Any]:
        """The leaves of a value that is passed for this argument; errors call the value `name`."""
        if self.tree:
            return flatten(value, self.tree, name)
        return [leaf_at(value, path, name) for path in self.paths]


@dataclass(frozen=True, eq=False)
class Calling:
    """What a call passes and returns.

    Attributes:
        names: the names of all of main's arguments.
        free: the numbers of the arguments that a call passes; the others have values.
        inputs: the structure of (args, kwargs); None if the free arguments are passed one by one.
        positions: for each leaf of `inputs`, the number of main's argument that takes it; None if main does not use it.
        outputs: the structure of the results; None if they are returned one by one.
        fixed: the values that the export has fixed, as text by name.
    """

    names: Sequence[str]
    free: tuple[int, ...]
    inputs: Tree | None = None
    positions: Sequence[int | None] = ()
    outputs: Tree | None = None
    fixed: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def parts(self) -> tuple[ArgumentPart, ...]:
        """A call's arguments."""
        if self.inputs is None:
            return parts_by_name(self.names, self.free)
        positional, keywords = self.inputs.children
        parts, at = [], 0
        for i, tree in enumerate((*positional.children, *keywords.children)):
            positions = self.positions[at : at + tree.leaves]
            at += tree.leaves
            if i < len(positional.children):
                parts.append(ArgumentPart(self.root(tree, positions), tree, positions))
            else:
                parts.append(
                    ArgumentPart(str(keywords.keys[i - len(positional.children)]), tree, positions, keyword=True)
                )
        return tuple(parts)

    def root(self, tree: Tree, positions: Sequence[int | None]) -> str:
        """The name of an argument, from the name of one of its leaves: params, from params['w']."""
        for path, position in zip(tree.paths(), positions):
            if position is not None and self.names[position].endswith(path):
                return self.names[position].removesuffix(path)
        return ""

    @property
    def direct(self) -> bool:
        """Whether a call passes exactly main's arguments, in order."""
        positions = [number for part in self.parts for number in part.positions]
        return positions == list(range(len(self.names))) and all(p.is_leaf and not p.keyword for p in self.parts)

    def values(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Sequence[Any]:
        """The values of the free arguments, in order, from the arguments of a call.

        A call passes the structure `inputs`, or the free arguments one by one.

        Raises:
            InputError: the number or the structure of the arguments is wrong.
        """
        if self.is_flat(arguments, named):
            return arguments
        values, passed = self.match(arguments, named)
        for i, part in enumerate(self.parts):
            if i not in passed and (part.keyword or not all(n in values for n in part.used) or not part.used):
                raise InputError(f"argument {self.label(i)} is missing; the program takes {self}")
        return [values[number] for number in self.free]

    def is_flat(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> bool:
        """Whether a call passes the free arguments one by one."""
        if self.inputs is None:
            return not named and not any(map(is_container, arguments))
        return not named and len(arguments) == len(self.free) and all(map(is_array, arguments))

    def bind(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[dict[int, Any], Calling]:
        """The values of main's arguments, by number, for some arguments of a call, and the remaining call."""
        values, passed = self.match(arguments, named)
        return values, self.without(values, passed)

    def match(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[dict[int, Any], set[int]]:
        """The values of main's arguments, by number, for some arguments of a call; and the parts that were passed."""
        values: dict[int, Any] = {}
        passed: dict[int, Any] = {}
        one_by_one = self.inputs is None and not any(map(is_container, arguments))
        positions = self.free if one_by_one else [i for i, part in enumerate(self.parts) if not part.keyword]
        if len(arguments) > len(positions):
            raise InputError(
                f"{count_text(len(arguments), 'argument was', 'arguments were')} given; the program takes {self}"
            )
        (values if one_by_one else passed).update(zip(positions, arguments))
        for name, value in named.items():
            parts = [i for i, part in enumerate(self.parts) if part.name == name]
            numbers = [number for number in self.free if self.names[number] == name]
            if len(parts or numbers) > 1:
                raise InputError(f"{len(parts or numbers)} arguments have the name {name}; pass them by position")
            if parts and (parts[0] in passed or any(n in values for n in self.parts[parts[0]].used)):
                raise InputError(f"argument {name} was given twice")
            if parts:
                passed[parts[0]] = value
            elif numbers:
                values[numbers[0]] = value
            elif name in self.fixed:
                raise InputError(f"the export has fixed {name} at {self.fixed[name]}; the program takes {self}")
            else:
                raise InputError(f"there is no argument {name!r}; the program takes {self}")
        for i, value in passed.items():
            part = self.parts[i]
            leaves = part.leaves(value, self.label(i))
            values |= {position: leaf for position, leaf in zip(part.positions, leaves) if position is not None}
        return values, set(passed)

    def without(self, numbers: Collection[int], parts: Collection[int] = ()) -> Calling:
        """The remaining call when some of main's arguments have values.

        Args:
            numbers: the arguments of main that have values.
            parts: the arguments of the call that are no longer passed, even if main uses none of their leaves.

        Raises:
            InputError: only some leaves of an argument would have values.
        """
        free = tuple(n for n in self.free if n not in numbers)
        if self.inputs is None:
            return replace(self, free=free)
        left = []
        for i, part in enumerate(self.parts):
            missing = [n for n in part.used if n not in numbers]
            if i in parts or (part.used and not missing):
                continue
            if len(missing) < len(part.used):
                raise InputError(f"{self.names[missing[0]]} has no value, but other leaves of {self.label(i)} do")
            left.append(part)
        return replace(self, free=free).passing(left)

    def passing(self, parts: Sequence[ArgumentPart]) -> Calling:
        """The call that passes these arguments, all of which have structures."""
        positional, keywords = ([part for part in parts if part.keyword == keyword] for keyword in (False, True))
        trees = [tuple(part.tree for part in side if part.tree is not None) for side in (positional, keywords)]
        inputs = Tree("tuple", trees[0]), Tree("dict", trees[1], tuple(part.name for part in keywords))
        positions = [position for part in (*positional, *keywords) for position in part.positions]
        return replace(self, inputs=Tree("tuple", inputs), positions=positions)

    def numbers(self, argument: str | int) -> list[int]:
        """The numbers of main's arguments that an argument of a call consists of, by its position or name."""
        for i, part in enumerate(self.parts):
            if argument == part.name or (argument == i and not isinstance(argument, bool)):
                return part.used
        numbers = [number for number in self.free if self.names[number] == argument]
        if len(numbers) != 1 or not argument:
            raise InputError(f"there is no argument {argument!r:.60} to donate; the program takes {self}")
        return numbers

    def label(self, part: int) -> str:
        """What messages call an argument of a call."""
        return self.parts[part].name or f"arguments[{part}]"

    def __str__(self) -> str:
        names = [self.label(i) + "=…" * part.keyword for i, part in enumerate(self.parts)]
        if len(names) > LISTED:
            names[LISTED - 1 :] = [f"… ({len(names)} in all)"]
        return f"({', '.join(names)})"


def parts_by_name(names: Sequence[str], free: Sequence[int]) -> tuple[ArgumentPart, ...]:
    """The arguments of a call whose leaves have these names: params['w'] and params['b'] belong to params.

    If any name is of another form, each leaf is an argument of the call.
    """
    grouped: dict[str, tuple[list[int], list[Steps]]] = {}
    last = ""
    for number in free:
        split = path_of(names[number])
        if split is None or (split[0] in grouped and (split[0] != last or () in (split[1], *grouped[last][1]))):
            return tuple(ArgumentPart(names[number], None, (number,), paths=((),)) for number in free)
        last, path = split
        positions, paths = grouped.setdefault(last, ([], []))
        positions.append(number)
        paths.append(path)
    return tuple(ArgumentPart(root, None, positions, paths=paths) for root, (positions, paths) in grouped.items())


def path_of(name: str) -> tuple[str, Steps] | None:
    """The argument that a leaf belongs to, by its name, and the path to it; None for a name of another form."""
    root = ROOT.match(name)
    if root is None:
        return None
    steps: list[PathStep] = []
    at = root.end()
    while at < len(name):
        step = STEP.match(name, at)
        if step is None or len(steps) == LONGEST_PATH:
            return None
        single, double, index, attribute = step.groups()
        key = single if single is not None else double
        if key is not None:
            steps.append(("key", key))
        else:
            steps.append(("index", int(index)) if index else ("field", attribute))
        at = step.end()
    return root[0], tuple(steps)


def leaf_at(value: Any, path: Steps, name: str) -> Any:
    """The leaf of a value at the end of a path; raises InputError, which says where the path ends."""
    for kind, step in path:
        try:
            if kind == "field" and not isinstance(value, Mapping):
                part, name = getattr(value, step), f"{name}.{step}"
            elif kind == "index" and not isinstance(value, (tuple, list)):
                part, name = (registered_parts(value) or ())[step], f"{name}[{step}]"
            else:
                part, name = value[step], f"{name}[{step!r}]"
        except (KeyError, IndexError, AttributeError, TypeError):
            missing = f".{step}" if kind == "field" else f"[{step!r}]"
            raise InputError(f"{name}: there is no {missing} in {describe_value(value)}") from None
        value = part
    return value


def is_array(value: Any) -> bool:
    # A class says so without computing the shape.
    return hasattr(type(value), "shape") or hasattr(value, "shape") or isinstance(value, (int, float, complex))


def is_container(value: Any) -> bool:
    """Whether a value contains arrays rather than being one; a list of numbers is an array."""
    if is_array(value) or value is None or isinstance(value, (str, bytes)):
        return False
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
        if isinstance(value, (int, float, complex)):
            return False
    return True


def weights_by_name(keys: Iterable[str], calling: Calling, bound: Collection[int]) -> tuple[dict[str, int], list[str]]:
    """The number of main's argument that each array of a file is for, by name; and what is wrong with the names.

    The name of an array may be spelled params['w'], params.w or w. All bound arguments need an array, and if one leaf
    of a call's argument has one, the other leaves need one too.
    """
    spellings: dict[str, set[int]] = {}
    for number, name in enumerate(calling.names):
        plain = plain_name(name)
        for spelling in {name, plain, plain.partition(".")[2]} - {""}:
            spellings.setdefault(spelling, set()).add(number)
    numbers, problems = {}, []
    for key in keys:
        candidates = spellings.get(key) or spellings.get(plain_name(key)) or set()
        if len(candidates) == 1:
            numbers[key] = min(candidates)
        else:
            several = f"this could be {' or '.join(calling.names[n] for n in sorted(candidates))}"
            problems.append(f"{key}: {several if candidates else 'no argument has this name'}")
    roots = [plain_name(name).partition(".")[0] for name in calling.names]
    replaced = {roots[number] for number in numbers.values()}
    needed = {*bound, *(number for number in calling.free if roots[number] in replaced)}
    problems += [f"{calling.names[number]}: missing" for number in sorted(needed.difference(numbers.values()))]
    return numbers, problems


def weights_mismatch(path: str | PathLike[str], problems: Sequence[str]) -> InputError:
    return InputError("\n  ".join([f"{fspath(path)}: these are not the program's weights:", *problems]))


def plain_name(name: str) -> str:
    """params['Dense_0']['kernel'] as params.Dense_0.kernel, and params/w as params.w."""
    return re.sub(r"\['?(.*?)'?\]", r".\1", name).replace("/", ".")


def calling_of(signature: Signature, names: Sequence[str], results: int) -> Calling:
    """How a program is called.

    Args:
        signature: what its file says about calls.
        names: the names of main's arguments.
        results: the number of main's results.

    Raises:
        InputError: the signature does not fit the main function.
    """
    count = len(names)
    names = [name or other for name, other in zip(names, signature.names)] if signature.names else names
    free = tuple(i for i in range(count) if i not in signature.bound)
    inputs, outputs = signature.inputs, signature.outputs
    wrong = len(names) != count or any(not 0 <= i < count for i in signature.bound)
    wrong |= outputs is not None and outputs.leaves != results
    positions: list[int | None] = []
    if inputs is not None:
        wrong |= [child.kind for child in inputs.children] != ["tuple", "dict"]
        leaves = range(inputs.leaves) if signature.kept is None else signature.kept
        wrong |= len(leaves) != len(free) or any(not 0 <= leaf < inputs.leaves for leaf in leaves)
        numbers = dict(zip(leaves, free))
        positions = [numbers.get(leaf) for leaf in range(inputs.leaves)]
    if wrong:
        takes = f"{count_text(count, 'argument')} and {count_text(results, 'result')}"
        raise InputError(f"the file's description of calls does not fit its main function, which has {takes}")
    return Calling(names, free, inputs, positions, outputs, signature.fixed)
