"""How a program is called: which arguments a call passes, in what structure, and whether they fit its main function."""

from __future__ import annotations

import copy
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .bound import Bound, Value, is_tensor
from .errors import InputError, printable_name
from .formats import safetensors
from .formats.artifact import Signature
from .interface import Interface
from .ir import ComplexType, DialectAttr, TensorType
from .ir.dtypes import numpy_dtype
from .trees import Tree, described, flatten, registered_parts

if TYPE_CHECKING:
    from tinygrad import Tensor

ARRAY = {np.ndarray}
# Arguments that a message lists.
LISTED = 12


# What leads from an argument to one of its leaves: keys, numbers and names of fields.
Step = tuple[Literal["key", "index", "field"], Any]
Steps = tuple[Step, ...]
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
    paths: Sequence[Steps] = ()

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
        values, taken = self.taken(arguments, named)
        for i, part in enumerate(self.parts):
            if i not in taken and (part.keyword or not all(n in values for n in part.used) or not part.used):
                raise InputError(f"argument {self.called(i)} is missing; the program takes {self}")
        return [values[number] for number in self.free]

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
        values, taken = self.taken(arguments, named)
        return values, self.without(values, taken)

    def taken(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[dict[int, Any], set[int]]:
        """The values of main's arguments, by number, for some of a call's; which parts these were."""
        values: dict[int, Any] = {}
        given: dict[int, Any] = {}
        one_by_one = self.inputs is None and not any(map(is_container, arguments))
        places = self.free if one_by_one else [i for i, part in enumerate(self.parts) if not part.keyword]
        if len(arguments) > len(places):
            raise InputError(f"{len(arguments)} arguments were given; the program takes {self}")
        (values if one_by_one else given).update(zip(places, arguments))
        for name, value in named.items():
            meant = [i for i, part in enumerate(self.parts) if part.name == name]
            same = [number for number in self.free if self.names[number] == name]
            if len(meant) > 1 or (not meant and len(same) > 1):
                raise InputError(f"{len(meant or same)} arguments have the name {name}; pass them by their places")
            if meant and (meant[0] in given or any(n in values for n in self.parts[meant[0]].used)):
                raise InputError(f"argument {name} was given twice")
            if meant:
                given[meant[0]] = value
            elif same:
                values[same[0]] = value
            elif name in self.fixed:
                raise InputError(f"{name} is {self.fixed[name]} since the export; the program takes {self}")
            else:
                raise InputError(f"there is no argument {name!r}; the program takes {self}")
        for i, value in given.items():
            part = self.parts[i]
            leaves = part.leaves(value, self.called(i))
            values |= {place: leaf for place, leaf in zip(part.places, leaves) if place is not None}
        return values, set(given)

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
        trees = {p.name: p.tree for p in left if p.tree and p.keyword}
        keywords = replace(keywords, children=tuple(trees.values()), keys=tuple(trees))
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
    grouped: dict[str, tuple[list[int], list[Steps]]] = {}
    last = ""
    for number in free:
        split = path_of(names[number])
        if split is None or (split[0] in grouped and (split[0] != last or () in (split[1], *grouped[last][1]))):
            return tuple(Part(names[number], None, (number,), paths=((),)) for number in free)
        last, path = split
        places, paths = grouped.setdefault(last, ([], []))
        places.append(number)
        paths.append(path)
    return tuple(Part(root, None, places, paths=paths) for root, (places, paths) in grouped.items())


def path_of(name: str) -> tuple[str, Steps] | None:
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


def leaf_at(value: Any, path: Steps, name: str) -> Any:
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
        meant = spellings.get(key) or spellings.get(plain_name(key)) or set()
        if len(meant) == 1:
            numbers[key] = min(meant)
        else:
            several = f"which may be {' or '.join(calling.names[n] for n in sorted(meant))}"
            problems.append(f"{key}: {several if meant else 'no argument has this name'}")
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
        leaves = range(inputs.leaves) if signature.kept is None else signature.kept
        wrong |= len(leaves) != len(free) or any(not 0 <= leaf < inputs.leaves for leaf in leaves)
        taken = dict(zip(leaves, free))
        places = [taken.get(leaf) for leaf in range(inputs.leaves)]
    if wrong:
        raise InputError(
            f"the file describes other arguments or results than its main function has: {count} and {results}"
        )
    return Calling(names, free, inputs, places, outputs, signature.fixed)


# ---------------------------------------------------------------- the checks


@dataclass(frozen=True)
class Argument:
    """An input or output: its name in the user's model ('' when the file has none), shape and numpy dtype.

    A dimension that only a call makes known is None in the shape, and printed by its name in the model: `dimensions`
    are all sizes as text, such as ("b", "28"), () where the file does not say; then an open one is ?.
    """

    name: str
    shape: tuple[int | None, ...]
    dtype: np.dtype
    dimensions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{printable_name(self.name) or '(unnamed)'}: {printable_name(self.layout)}"

    @property
    def layout(self) -> str:
        """The dtype and shape as text: float32[b, 4], float32[?, 4]."""
        named = self.dimensions or ("?",) * len(self.shape)
        return f"{self.dtype}[{', '.join(n if d is None else str(d) for d, n in zip(self.shape, named))}]"

    def takes(self, shape: Sequence[int]) -> bool:
        return len(shape) == len(self.shape) and all(d is None or d == s for s, d in zip(shape, self.shape))


class Arguments:
    """What a call passes, and the values that the other arguments of the main function have.

    Attributes:
        passed: the arguments of a call, one by one.
        bound: the values of the others, by number.
        outputs: the structure of the results; None: one by one.
    """

    def __init__(self, interface: Interface, device: str, folder: Path = Path()) -> None:
        """Those of a loaded program, whose weights are in files of the folder."""
        self._types, self._device, self._stored = interface.inputs, device, interface.signature.bound
        calling = calling_of(interface.signature, interface.input_names, len(interface.outputs))
        self._all = arguments_of(calling.names, self._types, interface.signature.dimensions)
        self._take(calling, {i: self._bound(i, partial(each.read, folder)) for i, each in self._stored.items()})

    def _take(self, calling: Calling, bound: Mapping[int, Bound]) -> None:
        self._calling, self.bound, self.outputs = calling, bound, calling.outputs
        self.passed = tuple(self._all[i] for i in calling.free)
        self._direct = calling.direct
        self._count = -1 if bound else len(self._all)  # of arrays that need not be sorted
        self._values: list[Any] = [bound.get(i) for i in range(len(self._all))]

    def __str__(self) -> str:
        return str(self._calling)

    def described(self, number: int) -> Argument:
        """An argument of the main function."""
        return self._all[number]

    def listed(self) -> str:
        """The arguments of a call, each on a line of its own."""
        return "".join(f"\n  {i}: {argument}" for i, argument in enumerate(self.passed))

    # ---------------------------------------------------------------- what a call passes

    def arrays(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The values of all of main's arguments: arrays, and what is bound.

        Raises:
            InputError: the number, structure, shape or dtype of the arguments is not the program's.
        """
        # What passes all arguments one by one is as fast as can be.
        if not named and (self._direct or (len(arguments) == self._count and set(map(type, arguments)) == ARRAY)):
            if len(arguments) != len(self.passed):
                self.expect_count(len(arguments))
            return [self._array(i, x) for i, x in enumerate(arguments)]
        return self._checked(arguments, named, self._array)

    def values(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The same, with Tensors too."""
        return self._checked(arguments, named, self._value)

    def shapes(self, values: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
        """The shapes of the values of all arguments."""
        return tuple(map(array_shape, map(value_of, values), self._types))

    def shapes_with(self, shapes: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The shapes of all arguments, for those of the arguments of a call.

        Raises:
            InputError: they are not the program's.
        """
        self.expect_count(len(shapes))
        known = {i: array_shape(bound.value, self._types[i]) for i, bound in self.bound.items()}
        for i, shape in zip(self._calling.free, shapes):
            if not self._takes(i, shape):
                raise self._mismatch(i, f"of shape {list(shape)}")
            known[i] = shape
        return [known[i] for i in range(len(self._all))]

    def expect_count(self, count: int) -> None:
        if count != len(self.passed):
            raise InputError(f"{count} arguments were given, the program takes {len(self.passed)}:{self.listed()}")

    def _checked(
        self, arguments: Sequence[Any], named: Mapping[str, Any], check: Callable[[int, Any], Any]
    ) -> list[Any]:
        given = self._calling.values(arguments, named)
        self.expect_count(len(given))
        for file in {bound.file for bound in self.bound.values() if bound.file is not None}:
            file.expect_unchanged()
        values = self._values.copy()
        for i, x in zip(self._calling.free, given):
            values[i] = check(i, x)
        return values

    def _value(self, index: int, value: Any) -> np.ndarray | Tensor:
        return self._tensor(index, value) if is_tensor(value) else self._array(index, value)

    def _takes(self, index: int, shape: tuple[int, ...]) -> bool:
        limits = bounds_of(self._types[index])
        return self._all[index].takes(shape) and all(limit is None or d <= limit for d, limit in zip(shape, limits))

    def _mismatch(self, index: int, found: str) -> InputError:
        argument, free = self._all[index], self._calling.free
        name = f" ({argument.name})" if argument.name else ""
        bounds = f" with dimensions of at most {limits}" if (limits := bounds_of(self._types[index])) else ""
        number = free.index(index) if index in free else index
        return InputError(f"argument {number}{name} is {found}, expected {argument.layout}{bounds}")

    def _array(self, index: int, value: Any) -> np.ndarray:
        expected = self._all[index]
        if type(value) is np.ndarray and value.dtype == expected.dtype and value.shape == expected.shape:
            return value
        if str(getattr(value, "dtype", "")).startswith("key<"):  # JAX's typed random keys
            value = sys.modules["jax"].random.key_data(value)
        # A Python number takes the argument's dtype when that loses no kind: 1 may be a float, 1.5 not an integer.
        kinds = {bool: "b", int: "iufcV", float: "fcV", complex: "c"}.get(type(value), "")
        try:
            array = np.asarray(value, expected.dtype if expected.dtype.kind in kinds else None)
        except Exception as error:
            raise self._mismatch(index, f"a {type(value).__name__} that numpy cannot read ({error})") from error
        if not self._takes(index, array.shape) or array.dtype != expected.dtype:
            raise self._mismatch(index, f"{array.dtype}{list(array.shape)}")
        return array

    def _tensor(self, index: int, tensor: Tensor) -> Tensor:
        from .tinygrad.buffers import buffer_layout, tensor_dtype

        kind = self._types[index]
        paired = pairs(kind)
        shape = array_shape(tensor, kind)
        wanted = buffer_layout(replace(kind, shape=()))[1] if paired else tensor_dtype(kind)
        if not self._takes(index, shape) or (paired and tensor.shape[-1:] != (2,)) or tensor.dtype != wanted:
            pair = ", a complex one as a Tensor with a last axis of 2" if paired else ""
            raise self._mismatch(index, f"a Tensor of {tensor.dtype} {list(tensor.shape)}{pair}")
        return tensor

    # ---------------------------------------------------------------- binding

    def bind(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Arguments:
        """What is left to pass when the first arguments, and those with names, have values; see `Program.bind`."""
        values, calling = self._calling.bind(arguments, named)
        return self._with({i: self._bound(i, value) for i, value in values.items()}, calling)

    def with_weights(self, path: str | PathLike[str]) -> Arguments:
        """What is left to pass when a .safetensors file has values by name; see `Program.with_weights`."""
        arrays = safetensors.read(path)
        own = [number for number in self.bound if number not in self._stored or self._stored[number].weight]
        numbers, problems = weights_by_name(arrays, self._calling, own)
        values: dict[int, Bound] = {}
        for key, number in numbers.items():
            try:
                values[number] = self._bound(number, arrays[key])
            except InputError as error:
                problems.append(str(error))
        if problems:
            raise InputError(f"{fspath(path)}: these are not the program's weights:\n  " + "\n  ".join(problems))
        return self._with(values, self._calling.without(values))

    def _with(self, values: Mapping[int, Bound], calling: Calling) -> Arguments:
        smaller = copy.copy(self)
        smaller._take(calling, {**self.bound, **values})
        return smaller

    def _bound(self, index: int, value: Value) -> Bound:
        if callable(value) and not is_tensor(value):
            return Bound(lambda: self._array(index, value()), self._types[index], self._device)
        return Bound(self._value(index, value), self._types[index], self._device)


def value_of(value: Any) -> Any:
    return value.value if isinstance(value, Bound) else value


def array_shape(value: Any, type: TensorType) -> tuple[int, ...]:
    """An argument's shape; a complex Tensor is pairs along a last axis."""
    shape = tuple(int(d) for d in value.shape)
    return shape[:-1] if pairs(type) and is_tensor(value) else shape


def pairs(type: TensorType) -> bool:
    """Whether Tensors of a type are pairs of numbers."""
    return isinstance(type.element, ComplexType)


def bounds_of(type: TensorType) -> tuple[int | None, ...]:
    """#stablehlo.bounds<?, 4> as (None, 4); () where the type has none."""
    encoding = type.encoding
    if not isinstance(encoding, DialectAttr) or encoding.name != "bounds":
        return ()
    return tuple(encoding.fields["bounds"])


def arguments_of(
    names: Sequence[str], types: Sequence[TensorType], dimensions: Sequence[Sequence[str]]
) -> tuple[Argument, ...]:
    known = dimensions if len(dimensions) == len(types) else [()] * len(types)
    return tuple(map(argument_of, names, types, known))


def argument_of(name: str, type: TensorType, sizes: Sequence[str] = ()) -> Argument:
    return Argument(name, type.shape, numpy_dtype(type.element), tuple(sizes) if len(sizes) == len(type.shape) else ())
