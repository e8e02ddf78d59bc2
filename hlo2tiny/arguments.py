"""How a program is called: which arguments a call passes, in what structure, and whether they fit its main function."""

from __future__ import annotations

import copy
import re
import sys
import weakref
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .bound import Bound, Value, is_tensor
from .errors import InputError, count_text, printable_name
from .formats import safetensors
from .formats.artifact import Signature
from .interface import Interface
from .ir import ComplexType, DialectAttr, TensorType
from .ir.dtypes import numpy_dtype
from .targets import targets_of
from .targets.arrays import Fixed, array_address
from .trees import Tree, describe_value, flatten, registered_parts

if TYPE_CHECKING:
    from tinygrad import Tensor

ARRAY = {np.ndarray}
# How many arguments a message lists.
LISTED = 12
# The path from an argument to one of its leaves: keys, indices and fields.
Step = tuple[Literal["key", "index", "field"], Any]
Steps = tuple[Step, ...]
STEP = re.compile(r"""\['([^'\\]*)'\]|\["([^"\\]*)"\]|\[(\d{1,9})\]|\.([A-Za-z_]\w*)""")
ROOT = re.compile(r"args\[\d+\]|[A-Za-z_]\w*")  # args[0] is an argument of a function with *args
LONGEST_PATH = 100


@dataclass(frozen=True, eq=False)
class Part:
    """An argument of a call.

    Attributes:
        name: its name in the model, or '' if the file does not say.
        tree: its structure; None if it is known only from the names of main's arguments.
        places: for each leaf, the number of main's argument that takes it; None if main does not use the leaf.
        keyword: whether it is passed by name only.
        paths: without a tree, the path to each leaf; () if the argument is itself main's.
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
        places: for each leaf of `inputs`, the number of main's argument that takes it; None if main does not use it.
        outputs: the structure of the results; None if they are returned one by one.
        fixed: the values that the export has fixed, as text by name.
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
        """The name of an argument, from the name of one of its leaves: params, from params['w']."""
        for path, place in zip(tree.paths(), places):
            if place is not None and self.names[place].endswith(path):
                return self.names[place].removesuffix(path)
        return ""

    @property
    def direct(self) -> bool:
        """Whether a call passes exactly main's arguments, in order."""
        places = [number for part in self.parts for number in part.places]
        return places == list(range(len(self.names))) and all(p.is_leaf and not p.keyword for p in self.parts)

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
        """The values of main's arguments, by number, for some arguments of a call; and the call that is left."""
        values, passed = self.match(arguments, named)
        return values, self.without(values, passed)

    def match(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[dict[int, Any], set[int]]:
        """The values of main's arguments, by number, for some arguments of a call; and the parts that were passed."""
        values: dict[int, Any] = {}
        passed: dict[int, Any] = {}
        one_by_one = self.inputs is None and not any(map(is_container, arguments))
        places = self.free if one_by_one else [i for i, part in enumerate(self.parts) if not part.keyword]
        if len(arguments) > len(places):
            raise InputError(
                f"{count_text(len(arguments), 'argument was', 'arguments were')} given; the program takes {self}"
            )
        (values if one_by_one else passed).update(zip(places, arguments))
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
            values |= {place: leaf for place, leaf in zip(part.places, leaves) if place is not None}
        return values, set(passed)

    def without(self, numbers: Collection[int], parts: Collection[int] = ()) -> Calling:
        """The call that is left when some of main's arguments have values.

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
        positional, keywords = self.inputs.children
        positional = replace(positional, children=tuple(p.tree for p in left if p.tree and not p.keyword))
        trees = {p.name: p.tree for p in left if p.tree and p.keyword}
        keywords = replace(keywords, children=tuple(trees.values()), keys=tuple(trees))
        places = [place for part in left for place in part.places]
        return replace(self, free=free, inputs=replace(self.inputs, children=(positional, keywords)), places=places)

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


def parts_by_name(names: Sequence[str], free: Sequence[int]) -> tuple[Part, ...]:
    """The arguments of a call whose leaves have these names: params['w'] and params['b'] belong to params.

    If any name is of another form, each leaf is an argument of the call.
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
    """The argument that a leaf belongs to, by its name, and the path to it; None for a name of another form."""
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
    return hasattr(value, "shape") or isinstance(value, (int, float, complex))


def is_container(value: Any) -> bool:
    """Whether a value holds arrays rather than being one; a list of numbers is an array."""
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
    places: list[int | None] = []
    if inputs is not None:
        wrong |= [child.kind for child in inputs.children] != ["tuple", "dict"]
        leaves = range(inputs.leaves) if signature.kept is None else signature.kept
        wrong |= len(leaves) != len(free) or any(not 0 <= leaf < inputs.leaves for leaf in leaves)
        numbers = dict(zip(leaves, free))
        places = [numbers.get(leaf) for leaf in range(inputs.leaves)]
    if wrong:
        takes = f"{count_text(count, 'argument')} and {count_text(results, 'result')}"
        raise InputError(f"the file's description of calls does not fit its main function, which has {takes}")
    return Calling(names, free, inputs, places, outputs, signature.fixed)


# ---------------------------------------------------------------- the checks


@dataclass(frozen=True)
class Argument:
    """An input or output: its name in the user's model ('' if the file has none), shape and numpy dtype.

    An open dimension is None in the shape. `dimensions` has all sizes as text, with open ones by their names in the
    model, such as ("b", "28"); it is () if the file does not say, and open dimensions are printed as ?.
    `sharding` has, for each dimension, the axes of the mesh along which several devices cut it, or ''; it is () if each
    device holds the whole.
    """

    name: str
    shape: tuple[int | None, ...]
    dtype: np.dtype
    dimensions: tuple[str, ...] = ()
    sharding: tuple[str, ...] = ()

    def __str__(self) -> str:
        """x: float32[4, 8], and for one that is cut: x: float32[4, 8] sharded (x, -)."""
        cut = f" sharded ({', '.join(axes or '-' for axes in self.sharding)})" if self.sharding else ""
        return f"{printable_name(self.name) or '(unnamed)'}: {printable_name(self.layout + cut)}"

    @property
    def layout(self) -> str:
        """The dtype and shape as text: float32[b, 4], float32[?, 4]."""
        named = self.dimensions or ("?",) * len(self.shape)
        return f"{self.dtype}[{', '.join(n if d is None else str(d) for d, n in zip(self.shape, named))}]"

    def takes(self, shape: Sequence[int]) -> bool:
        return len(shape) == len(self.shape) and all(d is None or d == s for s, d in zip(shape, self.shape))


class Arguments:
    """The arguments of a program's main function: those that a call passes, and those that have values.

    Attributes:
        passed: the arguments that a call passes, one by one.
        bound: the values of the others, by number.
        calling: what a call passes and returns.
        outputs: the structure of the results; None if they are returned one by one.
        donated: the numbers of the arguments that the user donates; None: the file says which.
    """

    def __init__(
        self, interface: Interface, device: str, folder: Path = Path(), donate: Sequence[str | int] | None = None
    ) -> None:
        """The arguments of a program whose weights are in files of the folder.

        Raises:
            InputError: `donate` names an argument that does not exist.
        """
        self._types, self._device, self._stored = interface.inputs, device, interface.signature.bound
        self._several, self._borrows = bool(interface.placements[0]), targets_of(device)[0].borrows
        calling = calling_of(interface.signature, interface.input_names, len(interface.outputs))
        dimensions, shardings = interface.signature.dimensions, interface.shardings[0]
        self._all = arguments_of(calling.names, self._types, dimensions, shardings)
        self._set(calling, {i: self._bound(i, partial(stored.read, folder)) for i, stored in self._stored.items()})
        self.donated = None if donate is None else frozenset(n for x in donate for n in calling.numbers(x))

    def _set(self, calling: Calling, bound: Mapping[int, Bound]) -> None:
        self.calling, self.bound, self.outputs = calling, bound, calling.outputs
        self.passed = tuple(self._all[i] for i in calling.free)
        self._direct = calling.direct
        self._count = -1 if bound else len(self._all)  # of arrays that may be passed as they are
        self._values: list[Any] = [bound.get(i) for i in range(len(self._all))]
        self._checked: dict[int, weakref.ref[Any]] = {}  # the values of the Tensors of earlier calls

    def __str__(self) -> str:
        return str(self.calling)

    def describe_argument(self, number: int) -> Argument:
        """An argument of the main function, by number."""
        return self._all[number]

    def list_arguments(self) -> str:
        """The arguments of a call, one per line."""
        return "".join(f"\n  {i}: {argument}" for i, argument in enumerate(self.passed))

    # ---------------------------------------------------------------- what a call passes

    def arrays(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The values of all of main's arguments, arrays or `Bound`; raises InputError if a call does not fit."""
        # A fast path for calls that pass all arguments one by one.
        if not named and (self._direct or (len(arguments) == self._count and set(map(type, arguments)) == ARRAY)):
            if len(arguments) != len(self.passed):
                self.expect_count(len(arguments))
            return [self._array(i, x) for i, x in enumerate(arguments)]
        return self._check(arguments, named, self._array)

    def values(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The same, but a call may pass Tensors too."""
        return self._check(arguments, named, self._value)

    def shapes(self, values: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
        """The shapes of all of main's arguments, from their values."""
        return tuple(map(array_shape, map(value_of, values), self._types))

    def shapes_with(self, shapes: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The shapes of all of main's arguments, from those of a call's; raises InputError if they do not fit."""
        self.expect_count(len(shapes))
        known = {i: array_shape(bound.value, self._types[i]) for i, bound in self.bound.items()}
        for i, shape in zip(self.calling.free, shapes):
            if not self._takes(i, shape):
                raise self._mismatch(i, f"of shape {list(shape)}")
            known[i] = shape
        return [known[i] for i in range(len(self._all))]

    def expect_count(self, count: int) -> None:
        if count != len(self.passed):
            given = count_text(count, "argument was", "arguments were")
            raise InputError(f"{given} given, but the program takes {len(self.passed)}:{self.list_arguments()}")

    def _check(self, arguments: Sequence[Any], named: Mapping[str, Any], check: Callable[..., Any]) -> list[Any]:
        passed = self.calling.values(arguments, named)
        self.expect_count(len(passed))
        for file in {bound.file for bound in self.bound.values() if bound.file is not None}:
            file.expect_unchanged()
        values = self._values.copy()
        for i, x in zip(self.calling.free, passed):
            values[i] = check(i, x)
        return values

    def _value(self, index: int, value: Any) -> np.ndarray | Tensor:
        if not is_tensor(value):
            if type(value) is np.ndarray or not self._borrows:
                return self._array(index, value)
            tensor = self._on_device(index, value)
            return self._array(index, value) if tensor is None else self._tensor(index, tensor)
        from .tinygrad.buffers import value_of

        own, checked = value_of(value), self._checked.get(index)
        if checked is None or checked() is not own:  # a weight has the same one in each call
            self._tensor(index, value)
            self._checked[index] = weakref.ref(own)
        return value

    def _takes(self, index: int, shape: tuple[int, ...]) -> bool:
        limits = bounds_of(self._types[index])
        return self._all[index].takes(shape) and all(limit is None or d <= limit for d, limit in zip(shape, limits))

    def _mismatch(self, index: int, actual: str) -> InputError:
        bounds = f" with dimensions of at most {limits}" if (limits := bounds_of(self._types[index])) else ""
        return InputError(f"{self.label(index)} is {actual}, expected {self._all[index].layout}{bounds}")

    def label(self, index: int) -> str:
        """What messages call an argument of main."""
        free, name = self.calling.free, self._all[index].name
        number = f"argument {free.index(index)}" if index in free else f"bound argument {index}"
        return f"{number} ({name})" if name else number

    def _array(self, index: int, value: Any) -> np.ndarray:
        expected = self._all[index]
        if type(value) is np.ndarray and value.dtype == expected.dtype and value.shape == expected.shape:
            return value
        expect_no_mask(value, self.label(index))
        if str(getattr(value, "dtype", "")).startswith("key<"):  # JAX's typed random keys
            value = sys.modules["jax"].random.key_data(value)
        # A Python number takes the argument's dtype if the kind allows it: 1 may become a float, but 1.5 no integer.
        kinds = {bool: "b", int: "iufcV", float: "fcV", complex: "c"}.get(type(value), "")
        try:
            array = np.asarray(value, expected.dtype if expected.dtype.kind in kinds else None)
        except Exception as error:
            array = self._borrow(index, value, error)
        if not self._takes(index, array.shape) or array.dtype != expected.dtype:
            raise self._mismatch(index, f"{array.dtype}{list(array.shape)}")
        return array

    def _borrow(self, index: int, value: Any, error: Exception) -> np.ndarray:
        """An array that numpy cannot read, such as one of bf16 from PyTorch, in place."""
        from . import dlpack

        device = dlpack.device_of(value)
        if device is not None and not targets_of(device)[0].on_host:
            raise self._mismatch(index, f"on {device}, but this call takes host arrays") from error
        try:
            if device is None:
                raise error
            return dlpack.borrow(value).array()
        except Exception as reason:
            text = f"a {type(value).__name__} that numpy cannot read ({reason})"
            raise self._mismatch(index, text) from reason

    def _on_device(self, index: int, value: Any) -> Tensor | None:
        """An array of another library on the program's device as a Tensor, without a copy; None for other values.

        Raises:
            InputError: it is on another device, or its library does not lend it.
        """
        from . import dlpack

        device = dlpack.device_of(value)
        if device is None or targets_of(device)[0].on_host:
            return None
        if device != self._device:
            raise InputError(f"{self.label(index)} is on {device}, and the program is on {self._device}")
        from .tinygrad.buffers import DEFAULT_STREAM, borrow_tensor
        from .tinygrad.device import open_device

        open_device(self._device)
        try:
            return borrow_tensor(dlpack.borrow(value, DEFAULT_STREAM), self._device)
        except Exception as error:
            raise InputError(f"{self.label(index)} cannot be read on the GPU ({error})") from error

    def _tensor(self, index: int, tensor: Tensor) -> Tensor:
        from .tinygrad.buffers import buffer_layout, tensor_dtype

        kind = self._types[index]
        paired = pairs(kind)
        shape = array_shape(tensor, kind)
        dtype = buffer_layout(replace(kind, shape=()))[1] if paired else tensor_dtype(kind)
        if not self._takes(index, shape) or (paired and tensor.shape[-1:] != (2,)) or tensor.dtype != dtype:
            pair = " (complex numbers are passed as a Tensor with a last axis of 2)" if paired else ""
            raise self._mismatch(index, f"a Tensor of {tensor.dtype} {list(tensor.shape)}{pair}")
        return tensor

    # ---------------------------------------------------------------- where results are written

    def places(
        self, out: Any, values: Sequence[Any], types: Sequence[TensorType], donated: Mapping[int, int]
    ) -> dict[int, np.ndarray]:
        """The arrays that a call writes results to, by number: those of `out`, else those that the user donates.

        Args:
            out: what `Program.numpy` takes.
            values: the values of all of main's arguments, as an executor takes them.
            types: the static types of the results.
            donated: the results that may take the memory of an argument, and the argument.

        Raises:
            InputError: an array does not fit, or overlaps another one.
        """
        if out is None:
            places = {result: values[i] for result, i in donated.items()}
            names = {result: self.label(i) for result, i in donated.items()}
        else:
            places = dict(enumerate(self.arrays_of_results(out, len(types))))
            names = {i: f"out[{i}]" for i in places}
            for i, (array, type) in enumerate(zip(places.values(), types)):
                expect_no_mask(array, names[i])
                if not isinstance(array, np.ndarray):
                    raise InputError(
                        f"out[{i}] is {describe_value(array)}, expected an array {argument_of('', type).layout}"
                    )
                if array.shape != type.shape or array.dtype != numpy_dtype(type.element):
                    found = f"{array.dtype}{list(array.shape)}"
                    raise InputError(f"out[{i}] is {found}, expected {argument_of('', type).layout}")
        for result, array in places.items():
            flags = array.flags
            if not flags.carray:
                fault = (
                    "read-only" if not flags.writeable else "not contiguous" if not flags.c_contiguous else "unaligned"
                )
                raise InputError(f"{names[result]} is {fault}, so no result can be written there")
        written = {result: place_of(array) for result, array in places.items()}
        read = {i: place_of(x) for i, x in enumerate(values)}
        for result, i in donated.items():
            if written.get(result) == read[i]:
                read[i] = None
        expect_apart(
            [(place, names[result]) for result, place in written.items() if place is not None],
            [(place, self.label(i)) for i, place in read.items() if place is not None],
        )
        return places

    def arrays_of_results(self, out: Any, count: int) -> Sequence[Any]:
        """The arrays of `out` in the order of the results."""
        if self.outputs is not None:
            return flatten(out, self.outputs, "out")
        arrays = out if isinstance(out, (tuple, list)) else [out]
        if len(arrays) != count:
            raise InputError(f"out has {count_text(len(arrays), 'array')}, but there are {count_text(count, 'result')}")
        return arrays

    # ---------------------------------------------------------------- binding

    def bind(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Arguments:
        """The arguments when a call's first ones, and those with names, have values; see `Program.bind`."""
        values, calling = self.calling.bind(arguments, named)
        return self.with_bound({i: self._bound(i, value) for i, value in values.items()}, calling)

    def with_weights(self, path: str | PathLike[str]) -> Arguments:
        """The arguments when a .safetensors file has the weights; see `Program.with_weights`."""
        arrays = safetensors.read(path)
        bound = [number for number in self.bound if number not in self._stored or self._stored[number].weight]
        numbers, problems = weights_by_name(arrays, self.calling, bound)
        values: dict[int, Bound] = {}
        for key, number in numbers.items():
            try:
                values[number] = self._bound(number, arrays[key])
            except InputError as error:
                problems.append(str(error))
        if problems:
            raise weights_mismatch(path, problems)
        return self.with_bound(values, self.calling.without(values))

    def with_arrays(self, arrays: Mapping[int, np.ndarray], calling: Calling) -> Arguments:
        """The arguments when a call passes fewer, since main's arguments have these values, by number."""
        return self.with_bound({i: self._bound(i, array) for i, array in arrays.items()}, calling)

    def with_bound(self, values: Mapping[int, Bound], calling: Calling) -> Arguments:
        """The same, for values that are on the device, or will be."""
        for i in sorted(values.keys() & (self.donated or ())):
            raise InputError(f"{self.label(i)} is donated, so it cannot be bound")
        smaller = copy.copy(self)
        smaller._set(calling, {**self.bound, **values})
        return smaller

    def _bound(self, index: int, value: Value) -> Bound:
        how = self._types[index], self._device, self._several
        if callable(value) and not is_tensor(value):
            return Bound(lambda: self._array(index, value()), *how)
        return Bound(self._value(index, value), *how)


Place = tuple[int, int]  # the addresses where some memory begins and ends


def place_of(value: Any) -> Place | None:
    """The memory of an array that a call reads or writes; None if it reads a copy, or nothing."""
    array = value.unpacked if isinstance(value, Fixed) else value
    if not isinstance(array, np.ndarray) or not array.flags.c_contiguous or not array.nbytes:
        return None
    begin = array_address(array)
    return begin, begin + array.nbytes


def expect_apart(written: Iterable[tuple[Place, str]], read: Iterable[tuple[Place, str]]) -> None:
    """Raise InputError if a place that is written overlaps another one; with each place is what messages call it."""
    places = [*((*place, True, name) for place, name in written), *((*place, False, name) for place, name in read)]
    ends = {True: (0, ""), False: (0, "")}  # the furthest end so far of what is written, and of what is read
    for begin, end, writes, name in sorted(places):
        for kind in (True, False) if writes else (True,):
            if begin < ends[kind][0]:
                raise InputError(f"{ends[kind][1]} and {name} overlap, but the call writes results to one of them")
        ends[writes] = max(ends[writes], (end, name))


def expect_no_mask(value: Any, label: str) -> None:
    """Refuse numpy's masked arrays, since programs would compute with the elements that are masked."""
    if has_mask(value):
        is_array = isinstance(value, np.ma.MaskedArray)
        cure = "pass its .filled(…) with a number for the masked elements, or its .data"
        raise InputError(
            f"{label} {'is' if is_array else 'holds'} a masked array, and programs do not support masks; {cure}"
        )


def has_mask(value: Any) -> bool:
    """Whether a value is a masked array, or holds one in lists, of which numpy would make a plain array."""
    if isinstance(value, (list, tuple)) or (type(value) is np.ndarray and value.dtype == object):
        return any(map(has_mask, value.flat if isinstance(value, np.ndarray) else value))
    return isinstance(value, np.ma.MaskedArray)


def value_of(value: Any) -> Any:
    return value.value if isinstance(value, Bound) else value


def array_shape(value: Any, type: TensorType) -> tuple[int, ...]:
    """The shape of a value for an argument, without the last axis of a Tensor of complex numbers."""
    shape = tuple(int(d) for d in value.shape)
    return shape[:-1] if pairs(type) and is_tensor(value) else shape


def pairs(type: TensorType) -> bool:
    """Whether a Tensor of a type has pairs of numbers, since the type is complex."""
    return isinstance(type.element, ComplexType)


def bounds_of(type: TensorType) -> tuple[int | None, ...]:
    """#stablehlo.bounds<?, 4> as (None, 4); () if the type has no bounds."""
    encoding = type.encoding
    if not isinstance(encoding, DialectAttr) or encoding.name != "bounds":
        return ()
    return tuple(encoding.fields["bounds"])


def arguments_of(
    names: Sequence[str],
    types: Sequence[TensorType],
    dimensions: Sequence[Sequence[str]],
    shardings: Sequence[Sequence[str]] = (),
) -> tuple[Argument, ...]:
    none = [()] * len(types)
    known = dimensions if len(dimensions) == len(types) else none
    return tuple(map(argument_of, names, types, known, shardings or none))


def argument_of(name: str, type: TensorType, sizes: Sequence[str] = (), sharding: Sequence[str] = ()) -> Argument:
    dimensions = tuple(sizes) if len(sizes) == len(type.shape) else ()
    return Argument(name, type.shape, numpy_dtype(type.element), dimensions, tuple(sharding))


def random_array(shape: tuple[int, ...], dtype: np.dtype, generator: np.random.RandomState) -> np.ndarray:
    """Random booleans, integers from 0 to 7 (to 1 for 2-bit types), or floats of the standard normal distribution."""
    if dtype.kind == "b":
        return generator.randint(0, 2, shape).astype(dtype)
    if dtype.kind in "iu" or "int" in dtype.name:
        return generator.randint(0, 2 if "int2" in dtype.name else 8, shape).astype(dtype)
    values: Any = generator.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * generator.standard_normal(shape)
    return np.asarray(values).astype(dtype)
