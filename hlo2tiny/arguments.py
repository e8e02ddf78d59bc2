"""How a program is called: which of its main function's arguments a call passes, and in what structure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from .errors import InputError
from .formats.artifact import Signature
from .trees import Tree, described, flatten, registered_parts

# Arguments that a message lists.
LISTED = 12


# What leads from an argument to one of its leaves: keys, numbers and names of fields.
Step = tuple[Literal["key", "index", "field"], Any]
Path = tuple[Step, ...]
STEP = re.compile(r"""\['([^'\\]*)'\]|\["([^"\\]*)"\]|\[(\d{1,9})\]|\.([A-Za-z_]\w*)""")
ROOT = re.compile(r"args\[\d+\]|[A-Za-z_]\w*")  # what a function takes as *args are arguments of their own
LONGEST_PATH = 100


@dataclass(frozen=True, eq=False)
class Part:
    """An argument of a call.

    Attributes:
        name: as in the model, '' where the file does not say.
        tree: its structure; None: what the names of main's arguments say, as far as they do.
        places: for each leaf, the number of main's argument that takes it; None: nothing reads it.
        keyword: whether it is passed by its name only.
        paths: where there is no tree, what leads to each leaf; () where it is main's argument itself.
    """

    name: str
    tree: Tree | None
    places: Sequence[int | None]
    keyword: bool = False
    paths: Sequence[Path] = ()

    @property
    def used(self) -> list[int]:
        return [place for place in self.places if place is not None]

    @property
    def is_leaf(self) -> bool:
        return self.tree.kind == "leaf" if self.tree else not any(self.paths)

    def leaves(self, value: Any, name: str) -> list[Any]:
        """The leaves of a value for this argument, which errors call `name`."""
        if self.tree:
            return flatten(value, self.tree, name)
        return [leaf_at(value, path, name) for path in self.paths]


@dataclass(frozen=True, eq=False)
class Calling:
    """What a call passes and gets.

    Attributes:
        names: the names of main's arguments, all of them.
        free: those that a call passes, by number; the others have values.
        inputs: the structure of (args, kwargs); None: the free arguments one by one.
        places: for each leaf of `inputs`, the number of main's argument that takes it; None: nothing reads it.
        outputs: the structure of the results; None: one by one.
        fixed: what the export has fixed the values of, as text by name.
    """

    names: Sequence[str]
    free: tuple[int, ...]
    inputs: Tree | None = None
    places: Sequence[int | None] = ()
    outputs: Tree | None = None
    fixed: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """A call's arguments."""
        if self.inputs is None:
            return parts_by_name(self.names, self.free)
        positional, keywords = self.inputs.children
        parts, at = [], 0
        for i, tree in enumerate((*positional.children, *keywords.children)):
            places = self.places[at : at + tree.leaves]
            at += tree.leaves
            if i < len(positional.children):
                parts.append(Part(self.root(tree, places), tree, places))
            else:
                parts.append(Part(str(keywords.keys[i - len(positional.children)]), tree, places, keyword=True))
        return tuple(parts)

    def root(self, tree: Tree, places: Sequence[int | None]) -> str:
        """The name of an argument, from that of one of its leaves: params, of params['w']."""
        for path, place in zip(tree.paths(), places):
            if place is not None and self.names[place].endswith(path):
                return self.names[place].removesuffix(path)
        return ""

    @property
    def direct(self) -> bool:
        """Whether a call's positional arguments are main's, all of them and in order."""
        leaves = all(part.is_leaf for part in self.parts)
        places = [number for part in self.parts for number in part.places]
        return leaves and places == list(range(len(self.names))) and not any(part.keyword for part in self.parts)

    def values(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Sequence[Any]:
        """The values of the free arguments, in order.

        The arguments of a call have the structure `inputs`, or they are the free arguments themselves.

        Raises:
            InputError: there are more or fewer, or they are of another structure.
        """
        if self.is_flat(arguments, named):
            return arguments
        found, taken = self.taken(arguments, named)
        for i, part in enumerate(self.parts):
            if i not in taken and (part.keyword or not all(n in found for n in part.used) or not part.used):
                raise InputError(f"argument {self.called(i)} is missing; the program takes {self}")
        return [found[number] for number in self.free]

    def is_flat(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> bool:
        """Whether a call's arguments are main's free ones, one by one."""
        if self.inputs is None:
            return not named and not any(map(is_container, arguments))
        return not named and len(arguments) == len(self.free) and all(map(is_array, arguments))

    def bind(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[dict[int, Any], Calling]:
        """The values of main's arguments, by number, for a call's first arguments and named ones; what is left to pass.

        Raises:
            InputError: these are not the program's arguments, or of another structure.
        """
        found, taken = self.taken(arguments, named)
        return found, self.without(found, taken)

    def taken(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[dict[int, Any], set[int]]:
        """The values of main's arguments, by number, for some of a call's; which parts these were."""
        found: dict[int, Any] = {}
        given: dict[int, Any] = {}
        one_by_one = self.inputs is None and not any(map(is_container, arguments))
        places = self.free if one_by_one else [i for i, part in enumerate(self.parts) if not part.keyword]
        if len(arguments) > len(places):
            raise InputError(f"{len(arguments)} arguments were given; the program takes {self}")
        (found if one_by_one else given).update(zip(places, arguments))
        for name, value in named.items():
            meant = [i for i, part in enumerate(self.parts) if part.name == name]
            leaves = [number for number in self.free if self.names[number] == name]
            if len(meant) > 1 or (not meant and len(leaves) > 1):
                raise InputError(f"{len(meant or leaves)} arguments have the name {name}; pass them by their places")
            if meant and (meant[0] in given or any(n in found for n in self.parts[meant[0]].used)):
                raise InputError(f"argument {name} was given twice")
            if meant:
                given[meant[0]] = value
            elif leaves:
                found[leaves[0]] = value
            elif name in self.fixed:
                raise InputError(f"{name} is {self.fixed[name]} since the export; the program takes {self}")
            else:
                raise InputError(f"there is no argument {name!r}; the program takes {self}")
        for i, value in given.items():
            part = self.parts[i]
            values = part.leaves(value, self.called(i))
            found |= {place: leaf for place, leaf in zip(part.places, values) if place is not None}
        return found, set(given)

    def without(self, numbers: Collection[int], parts: Collection[int] = ()) -> Calling:
        """What a call passes when some of main's arguments have values: parts of it, and others by their numbers.

        Raises:
            InputError: some leaves of an argument have values and others have not.
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
                raise InputError(f"{self.names[missing[0]]} has no value, but other leaves of {self.called(i)} have")
            left.append(part)
        positional, keywords = self.inputs.children
        positional = replace(positional, children=tuple(p.tree for p in left if p.tree and not p.keyword))
        kept = {p.name: p.tree for p in left if p.tree and p.keyword}
        keywords = replace(keywords, children=tuple(kept.values()), keys=tuple(kept))
        places = [place for part in left for place in part.places]
        return replace(self, free=free, inputs=replace(self.inputs, children=(positional, keywords)), places=places)

    def called(self, part: int) -> str:
        """What to call an argument of a call."""
        return self.parts[part].name or f"arguments[{part}]"

    def __str__(self) -> str:
        names = [self.called(i) + "=…" * part.keyword for i, part in enumerate(self.parts)]
        if len(names) > LISTED:
            names[LISTED - 1 :] = [f"… ({len(names)} in all)"]
        return f"({', '.join(names)})"


def parts_by_name(names: Sequence[str], free: Sequence[int]) -> tuple[Part, ...]:
    """The arguments of a call whose leaves have these names: params['w'] and params['b'] are of params.

    Where names do not say that of all, each is an argument of its own.
    """
    grouped: dict[str, tuple[list[int], list[Path]]] = {}
    last = ""
    for number in free:
        found = path_of(names[number])
        if found is None or (found[0] in grouped and (found[0] != last or () in (found[1], *grouped[last][1]))):
            return tuple(Part(names[number], None, (number,), paths=((),)) for number in free)
        last, path = found
        places, paths = grouped.setdefault(last, ([], []))
        places.append(number)
        paths.append(path)
    return tuple(Part(root, None, places, paths=paths) for root, (places, paths) in grouped.items())


def path_of(name: str) -> tuple[str, Path] | None:
    """The argument that a leaf is of, by its name, and what leads to it; None for names of another kind."""
    root = ROOT.match(name)
    if root is None:
        return None
    steps: list[Step] = []
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


def leaf_at(value: Any, path: Path, name: str) -> Any:
    """The part of a value that a path leads to.

    Raises:
        InputError: there is none; the message says where.
    """
    for kind, step in path:
        try:
            if kind == "field" and not isinstance(value, Mapping):
                part, name = getattr(value, step), f"{name}.{step}"
            elif kind == "index" and not isinstance(value, (tuple, list)):
                part, name = (registered_parts(value) or ())[step], f"{name}[{step}]"
            else:
                part, name = value[step], f"{name}[{step!r}]"
        except (KeyError, IndexError, AttributeError, TypeError):
            wanted = f".{step}" if kind == "field" else f"[{step!r}]"
            raise InputError(f"{name}: there is no {wanted} in {described(value)}") from None
        value = part
    return value


def is_array(value: Any) -> bool:
    return hasattr(value, "shape") or isinstance(value, (int, float, complex))


def is_container(value: Any) -> bool:
    """Whether a value holds arrays, rather than to be one: a list of numbers is one."""
    if is_array(value) or value is None or isinstance(value, (str, bytes)):
        return False
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
        if isinstance(value, (int, float, complex)):
            return False
    return True


def weights_by_name(keys: Iterable[str], calling: Calling, bound: Collection[int]) -> tuple[dict[str, int], list[str]]:
    """Which arguments of main the arrays of a file are for, by their names there; and what is wrong with the names.

    An array is for an argument of its name, spelled as Python or as others do: params['w'], params.w, or w. All
    arguments that have values need new ones, and of an argument of a call either all leaves or none.
    """
    spellings: dict[str, set[int]] = {}
    for number, name in enumerate(calling.names):
        plain = plain_name(name)
        for spelling in {name, plain, plain.partition(".")[2]} - {""}:
            spellings.setdefault(spelling, set()).add(number)
    numbers, problems = {}, []
    for key in keys:
        found = spellings.get(key) or spellings.get(plain_name(key)) or set()
        if len(found) == 1:
            numbers[key] = min(found)
        else:
            several = f"which may be {' or '.join(calling.names[n] for n in sorted(found))}"
            problems.append(f"{key}: {several if found else 'no argument has this name'}")
    needed = set(bound)
    given = {plain_name(calling.names[number]).partition(".")[0] for number in numbers.values()}
    for number in calling.free:
        if plain_name(calling.names[number]).partition(".")[0] in given:
            needed.add(number)
    problems += [f"{calling.names[number]}: missing" for number in sorted(needed.difference(numbers.values()))]
    return numbers, problems


def plain_name(name: str) -> str:
    """params['Dense_0']['kernel'] as params.Dense_0.kernel, and params/w as params.w."""
    return re.sub(r"\['?(.*?)'?\]", r".\1", name).replace("/", ".")


def calling_of(signature: Signature, names: Sequence[str], results: int) -> Calling:
    """How a program of a file is called, whose main function has arguments of these names and a number of results.

    Raises:
        InputError: what the file says does not fit its main function.
    """
    count = len(names)
    names = [given or other for given, other in zip(names, signature.names)] if signature.names else names
    free = tuple(i for i in range(count) if i not in signature.bound)
    inputs, outputs = signature.inputs, signature.outputs
    wrong = len(names) != count or any(not 0 <= i < count for i in signature.bound)
    wrong |= outputs is not None and outputs.leaves != results
    places: list[int | None] = []
    if inputs is not None:
        wrong |= [child.kind for child in inputs.children] != ["tuple", "dict"]
        kept = range(inputs.leaves) if signature.kept is None else signature.kept
        wrong |= len(kept) != len(free) or any(not 0 <= leaf < inputs.leaves for leaf in kept)
        taken = dict(zip(kept, free))
        places = [taken.get(leaf) for leaf in range(inputs.leaves)]
    if wrong:
        raise InputError(
            f"the file describes other arguments or results than its main function has: {count} and {results}"
        )
    return Calling(names, free, inputs, places, outputs, signature.fixed)
