"""Structures of arguments and results: pytrees without their values.

A structure comes from a file, so it is checked and bounded data; no class is looked up and nothing is imported for it.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import islice
from keyword import iskeyword
from typing import Any, Literal

from .errors import InputError, count_text
from .records import dataclass

Key = str | int | float | bool | None | tuple[Any, ...]
TreeKind = Literal["leaf", "none", "static", "tuple", "list", "dict", "named", "custom"]

# Limits for files. Real models have a few levels and thousands of leaves.
DEEPEST = 200
MOST_PARTS = 1 << 24
# How many keys of a dict a message lists.
LISTED = 6


@dataclass(frozen=True, slots=True)
class Tree:
    """A structure of values.

    Attributes:
        kind: a value (leaf), None, a value that is not an array and so was fixed by the export (static), or a
            container. A "named" container has fields: a namedtuple, a dataclass, an equinox module. For a "custom"
            container only the number of its parts is known.
        children: the parts of a container, in the order of their leaves.
        keys: the keys of a dict, or the field names of a "named" container, in the order of the children.
        name: for messages, the class of a "named" or "custom" container; for a static value, its repr.
        leaves: how many values the structure holds; `size` counts the containers too.

    Raises:
        ValueError: the structure is deeper or larger than any model's.
    """

    kind: TreeKind
    children: tuple[Tree, ...] = ()
    keys: tuple[Key, ...] = ()
    name: str = ""
    leaves: int = field(init=False, compare=False)
    size: int = field(init=False, compare=False, repr=False)
    depth: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        leaves = 1 if self.kind == "leaf" else sum(child.leaves for child in self.children)
        depth = 1 + max((child.depth for child in self.children), default=0)
        expect_depth(depth)
        size = 1 + sum(child.size for child in self.children)
        if size > MOST_PARTS:
            raise ValueError(f"a structure has more than {MOST_PARTS:,} parts")
        if self.kind in ("dict", "named") and len(self.keys) != len(self.children):
            raise ValueError(f"a {self.kind} has {len(self.children)} parts, but {len(self.keys)} keys")
        if self.kind in ("dict", "named") and len(set(self.keys)) != len(self.keys):
            raise ValueError(f"a {self.kind} has the same key twice")
        object.__setattr__(self, "leaves", leaves)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "depth", depth)

    def step(self, child: int) -> str:
        """The step to a child, as in Python: ['kernel'], [0], .mean."""
        match self.kind:
            case "dict":
                return f"[{self.keys[child]!r}]"
            case "named":
                return f".{self.keys[child]}"
            case _:
                return f"[{child}]"

    def paths(self, prefix: str = "") -> Iterator[str]:
        """The path to each leaf, in order."""
        if self.kind == "leaf":
            yield prefix
        for i, child in enumerate(self.children):
            yield from child.paths(prefix + self.step(i))


def expect_depth(depth: int) -> None:
    if depth > DEEPEST:
        raise ValueError(f"a structure has more than {DEEPEST} levels")


LEAF, NONE = Tree("leaf"), Tree("none")


# ---------------------------------------------------------------- values


def flatten(value: Any, tree: Tree, path: str = "") -> list[Any]:
    """The leaves of a value that has a structure, in the structure's order.

    Lists and tuples may stand for each other, and the order of a dict does not matter. A named container may be any
    object with the fields as attributes, a dict of them, or a sequence of the same length. A custom one may be a
    sequence, or, in a process that has imported JAX, an instance of a class that JAX knows as a pytree.

    Args:
        path: what errors call the value.

    Raises:
        InputError: the value has another structure; the message says where, what was expected and what was found.
    """
    leaves: list[Any] = []
    try:
        collect(value, tree, leaves)
    except Mismatch as error:
        raise mismatch(path + "".join(reversed(error.steps)), error.tree, error.value) from None
    return leaves


class Mismatch(Exception):
    """A value and a structure that differ, and the path to them, last step first."""

    def __init__(self, tree: Tree, value: Any) -> None:
        self.tree, self.value, self.steps = tree, value, list[str]()


def collect(value: Any, tree: Tree, leaves: list[Any]) -> None:
    """Append the leaves of a value to `leaves`."""
    parts: Sequence[Any] | None
    match tree.kind:
        case "leaf":
            parts = None if value is None or isinstance(value, Mapping) else ()
            leaves.append(value)
        case "none":
            parts = () if value is None else None
        case "static":
            # Only strings are compared: the repr of other values may differ between processes.
            compared = isinstance(value, str) and tree.name.startswith(("'", '"'))
            parts = None if compared and repr(value) != tree.name else ()
        case "dict":
            parts = parts_by_key(value, tree)
        case "named":
            parts = parts_by_field(value, tree)
        case "custom":
            parts = registered_parts(value)
            parts = sequence(value) if parts is None else parts
        case _:
            parts = sequence(value)
    if parts is None or len(parts) != len(tree.children):
        raise Mismatch(tree, value)
    for i, (part, child) in enumerate(zip(parts, tree.children)):
        if child.kind == "leaf" and part is not None and not isinstance(part, Mapping):
            leaves.append(part)
            continue
        try:
            collect(part, child, leaves)
        except Mismatch as error:
            error.steps.append(tree.step(i))
            raise


def sequence(value: Any) -> Sequence[Any] | None:
    return value if isinstance(value, (tuple, list)) else None


def parts_by_key(value: Any, tree: Tree) -> Sequence[Any] | None:
    if not isinstance(value, Mapping):
        parts = registered_parts(value)
        return parts if parts is not None and not isinstance(value, (tuple, list)) else None
    try:
        return [value[key] for key in tree.keys] if len(value) == len(tree.keys) else None
    except KeyError:
        return None


def parts_by_field(value: Any, tree: Tree) -> Sequence[Any] | None:
    if isinstance(value, Mapping):
        return parts_by_key(value, tree)
    if getattr(value, "_fields", tree.keys) != tree.keys:  # a different namedtuple
        return None
    if all(isinstance(key, str) and hasattr(value, key) for key in tree.keys) and tree.keys:
        return [getattr(value, str(key)) for key in tree.keys]
    return registered_parts(value) if sequence(value) is None else sequence(value)


def registered_parts(value: Any) -> Sequence[Any] | None:
    """The parts of an instance of a class that JAX, if it has been imported, knows as a pytree."""
    jax = sys.modules.get("jax.tree_util")
    if jax is None or value is None:
        return None
    parts = jax.default_registry.flatten_one_level(value)
    return None if parts is None else list(parts[0])


def unflatten(leaves: Iterable[Any], tree: Tree) -> Any:
    """The value of a structure with these leaves.

    The classes of named and custom containers are the exporting program's, and not in the file. So a named container
    becomes a namedtuple of the same name and fields, a custom one a tuple.

    Raises:
        ValueError: there are more or fewer leaves than the structure has.
    """
    remaining = iter(leaves)
    value = build(remaining, tree)
    if next(remaining, remaining) is not remaining:
        raise ValueError(f"there are more values than the {tree.leaves} of the structure")
    return value


def build(leaves: Iterator[Any], tree: Tree) -> Any:
    if tree.kind == "leaf":
        for leaf in leaves:
            return leaf
        raise ValueError("there are fewer values than the structure has")
    if tree.kind in ("none", "static"):
        return tree.name or None
    parts = [build(leaves, child) for child in tree.children]
    match tree.kind:
        case "list":
            return parts
        case "dict":
            return dict(zip(tree.keys, parts))
        case "named":
            return named_class(tree.name, tree.keys)(*parts)
        case _:
            return tuple(parts)


@lru_cache
def named_class(name: str, fields: tuple[Key, ...]) -> Any:
    """A namedtuple, or a function that makes a dict if the fields cannot be those of a namedtuple."""
    last = name.rpartition(".")[2]
    if any(not is_name(f) or str(f).startswith("_") for f in fields):
        return lambda *parts: dict(zip(fields, parts))
    return namedtuple(last if is_name(last) else "Named", [str(f) for f in fields])


def is_name(text: object) -> bool:
    return isinstance(text, str) and text.isascii() and text.isidentifier() and not iskeyword(text)


# ---------------------------------------------------------------- messages


def mismatch(path: str, tree: Tree, value: Any) -> InputError:
    """The error about a value at a path that does not have the structure."""
    where = f"{path}: " if path else ""
    message = f"{where}expected {describe_expected(tree)}, found {describe_value(value)}"
    if tree.kind in ("dict", "named") and isinstance(value, Mapping):
        differences = {
            "missing": [key for key in tree.keys if key not in value],
            "unexpected": [key for key in value if key not in set(tree.keys)],
        }
        message += f" ({'; '.join(f'{word} {list_keys(keys)}' for word, keys in differences.items() if keys)})"
    return InputError(message)


def describe_expected(tree: Tree) -> str:
    match tree.kind:
        case "leaf":
            return "an array"
        case "none":
            return "None"
        case "static":
            return f"{tree.name}, which the export has fixed"
        case "dict":
            return f"a dict with keys {list_keys(tree.keys)}" if tree.keys else "an empty dict"
        case "named":
            return f"{tree.name or 'an object'} with fields {', '.join(map(str, tree.keys))}"
        case "custom":
            return f"{tree.name or 'an object'} of {count_text(len(tree.children), 'value')}, or a sequence of them"
        case kind:
            return f"a {kind} of {count_text(len(tree.children), 'value')}"


def describe_value(value: Any) -> str:
    """What messages call a value."""
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if value is None:
        return "None"
    if isinstance(value, Mapping):
        return f"a dict with keys {list_keys(value)}" if value else "an empty dict"
    if hasattr(value, "_fields"):
        return f"{type(value).__name__} with fields {', '.join(map(str, value._fields))}"
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {count_text(len(value), 'value')}"
    if shape is not None and dtype is not None:
        return f"an array {dtype}{list(shape)}"
    if isinstance(value, (bool, int, float, complex, str)):
        return f"{value!r:.60}"
    return f"an object of class {type(value).__name__}"


def list_keys(keys: Iterable[Any]) -> str:
    first = list(islice(iter(keys), LISTED + 1))
    return ", ".join(map(repr, first[:LISTED])) + ", …" * (len(first) > LISTED)


# ---------------------------------------------------------------- JSON


def to_json(tree: Tree) -> Any:
    """A structure as JSON: "leaf", null, [children], {"tuple": [children]}, {"dict": [[key, child], …]},
    {"named": name, "fields": [[field, child], …]}, {"custom": name, "children": […]}, {"static": text}.
    """
    children = [to_json(child) for child in tree.children]
    match tree.kind:
        case "leaf":
            return "leaf"
        case "none":
            return None
        case "static":
            return {"static": tree.name}
        case "list":
            return children
        case "dict":
            return {"dict": [[key_to_json(k), c] for k, c in zip(tree.keys, children)]}
        case "named":
            return {"named": tree.name, "fields": [[k, c] for k, c in zip(tree.keys, children)]}
        case "custom":
            return {"custom": tree.name, "children": children}
        case _:
            return {"tuple": children}


def from_json(value: Any, depth: int = 0) -> Tree:
    """The structure that `to_json` wrote; raises ValueError if the value is not a structure."""
    expect_depth(depth)

    def children(values: Any) -> tuple[Tree, ...]:
        return tuple(from_json(child, depth + 1) for child in expect_list(values))

    def pairs(values: Any) -> tuple[tuple[Tree, ...], tuple[Key, ...]]:
        entries = [expect_list(entry, 2) for entry in expect_list(values)]
        return children([child for _, child in entries]), tuple(key_from_json(key) for key, _ in entries)

    match value:
        case "leaf":
            return LEAF
        case None:
            return NONE
        case list():
            return Tree("list", children(value))
        case {"tuple": parts, **rest} if not rest:
            return Tree("tuple", children(parts))
        case {"dict": parts, **rest} if not rest:
            return Tree("dict", *pairs(parts))
        case {"named": str(name), "fields": parts, **rest} if not rest:
            return Tree("named", *pairs(parts), name)
        case {"custom": str(name), "children": parts, **rest} if not rest:
            return Tree("custom", children(parts), (), name)
        case {"static": str(name), **rest} if not rest:
            return Tree("static", (), (), name)
    raise ValueError(f"{str(value)[:60]!r} is not a structure of arguments or results")


def key_to_json(key: Key) -> Any:
    return {"tuple": [key_to_json(part) for part in key]} if isinstance(key, tuple) else key


def key_from_json(value: Any, depth: int = 0) -> Key:
    expect_depth(depth)
    match value:
        case None | bool() | int() | float() | str():
            return value
        case {"tuple": list(parts), **rest} if not rest:
            return tuple(key_from_json(part, depth + 1) for part in parts)
    raise ValueError(f"{str(value)[:60]!r} is not a key of a dict")


def expect_list(value: Any, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise ValueError(f"found {str(value)[:60]!r}, expected a list{f' of {length}' if length is not None else ''}")
    return value
