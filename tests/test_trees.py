"""Structures of arguments: values into leaves and back, through JSON, and values of another structure."""

from __future__ import annotations

import json
from collections import namedtuple
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlo2tiny.errors import InputError
from hlo2tiny.trees import DEEPEST, LEAF, MOST_PARTS, NONE, Tree, flatten, from_json, to_json, unflatten

Point = namedtuple("Point", "x y")
PARAMS = Tree("dict", (Tree("dict", (LEAF, LEAF), ("bias", "kernel")), LEAF), ("Dense_0", "scale"))
POINT = Tree("named", (LEAF, LEAF), ("x", "y"), "shapes.Point")

keys = st.text() | st.integers() | st.tuples(st.text(), st.integers())


def containers(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    children = st.lists(inner, max_size=3).map(tuple)
    names = st.sampled_from(["x", "y", "count", "_hidden", "class"])

    def keyed(kind: Any, keys: st.SearchStrategy[Any]) -> st.SearchStrategy[Tree]:
        pairs = st.lists(st.tuples(keys, inner), max_size=3, unique_by=lambda pair: pair[0])
        return pairs.map(lambda p: Tree(kind, tuple(c for _, c in p), tuple(k for k, _ in p), "A.B" * (kind != "dict")))

    return st.one_of(
        children.map(lambda c: Tree("tuple", c)),
        children.map(lambda c: Tree("list", c)),
        children.map(lambda c: Tree("custom", c, (), "a.Class")),
        keyed("dict", keys),
        keyed("named", names),
    )


structures = st.recursive(
    st.sampled_from([LEAF, NONE, Tree("static", (), (), "<function relu>")]), containers, max_leaves=12
)


@given(structures)
def test_leaves_survive_a_structure_and_back(tree: Tree) -> None:
    leaves = list(range(tree.leaves))
    assert flatten(unflatten(leaves, tree), tree) == leaves


@given(structures)
def test_a_structure_survives_json(tree: Tree) -> None:
    assert from_json(json.loads(json.dumps(to_json(tree)))) == tree


@given(structures)
def test_every_leaf_has_a_path(tree: Tree) -> None:
    paths = list(tree.paths())
    assert len(paths) == len(set(paths)) == tree.leaves


def test_paths_are_pythons() -> None:
    assert list(PARAMS.paths("params")) == [
        "params['Dense_0']['bias']",
        "params['Dense_0']['kernel']",
        "params['scale']",
    ]
    assert list(Tree("tuple", (POINT, Tree("list", (LEAF,)))).paths("r")) == ["r[0].x", "r[0].y", "r[1][0]"]


def test_a_dicts_order_does_not_matter_and_any_mapping_is_one() -> None:
    value = MappingProxyType({"scale": 3, "Dense_0": {"kernel": 2, "bias": 1}})
    assert flatten(value, PARAMS) == [1, 2, 3]


@dataclass
class Pair:
    x: int
    y: int


@pytest.mark.parametrize("value", [Point(1, 2), Pair(1, 2), {"y": 2, "x": 1}, (1, 2), [1, 2]])
def test_named_containers_are_objects_dicts_or_sequences(value: Any) -> None:
    assert flatten(value, POINT) == [1, 2]


def test_named_containers_come_back_as_namedtuples() -> None:
    point = unflatten([1, 2], POINT)
    assert (type(point).__name__, point.x, point.y) == ("Point", 1, 2)
    assert type(point) is type(unflatten([3, 4], POINT))
    assert unflatten([1], Tree("named", (LEAF,), ("_private",), "C")) == {"_private": 1}


def test_classes_that_jax_knows_are_taken_apart() -> None:
    from jax import tree_util

    class Bag:
        def __init__(self, *parts: Any) -> None:
            self.parts = parts

    tree_util.register_pytree_node(Bag, lambda bag: (bag.parts, None), lambda aux, parts: Bag(*parts))
    assert flatten(Bag(1, {"a": 2}), Tree("custom", (LEAF, Tree("dict", (LEAF,), ("a",))), (), "Bag")) == [1, 2]


@pytest.mark.parametrize(
    ("value", "tree", "message"),
    [
        (
            {"Dense_0": {"bias": 1, "weight": 2}, "scale": 3},
            PARAMS,
            "params['Dense_0']: expected a dict with keys 'bias', 'kernel', found a dict with keys 'bias', 'weight'"
            " (missing 'kernel'; unexpected 'weight')",
        ),
        (
            {"Dense_0": {"bias": 1, "kernel": {"a": 1}}, "scale": 3},
            PARAMS,
            "params['Dense_0']['kernel']: expected an array, found a dict with keys 'a'",
        ),
        (
            {"Dense_0": {"bias": 1, "kernel": None}, "scale": 3},
            PARAMS,
            "params['Dense_0']['kernel']: expected an array, found None",
        ),
        (
            {"Dense_0": np.zeros((2, 3), np.float32), "scale": 3},
            PARAMS,
            "params['Dense_0']: expected a dict with keys 'bias', 'kernel', found an array float32[2, 3]",
        ),
        ((1, 2, 3), Tree("tuple", (LEAF, LEAF)), "params: expected a tuple of 2 values, found a tuple of 3 values"),
        (1, NONE, "params: expected None, found 1"),
        ("b", Tree("static", (), (), "'a'"), "params: expected 'a', which the export has fixed, found 'b'"),
        (
            namedtuple("Size", "width height")(1, 2),
            POINT,
            "params: expected shapes.Point with fields x, y, found Size with fields width, height",
        ),
        ({"x": 1}, POINT, "params: expected shapes.Point with fields x, y, found a dict with keys 'x' (missing 'y')"),
        (
            "text",
            Tree("custom", (LEAF,), (), "Bag"),
            "params: expected Bag of 1 value, or a sequence of them, found 'text'",
        ),
        (
            {},
            Tree("dict", tuple([LEAF] * 8), tuple("abcdefgh")),
            "params: expected a dict with keys 'a', 'b', 'c', 'd', 'e', 'f', …, found an empty dict"
            " (missing 'a', 'b', 'c', 'd', 'e', 'f', …)",
        ),
    ],
)
def test_a_mismatch_names_the_path_and_both_sides(value: Any, tree: Tree, message: str) -> None:
    with pytest.raises(InputError) as raised:
        flatten(value, tree, "params")
    assert str(raised.value) == message


@pytest.mark.parametrize("leaves", [[], [1, 2, 3, 4]])
def test_the_number_of_leaves_is_checked(leaves: list[int]) -> None:
    with pytest.raises(ValueError, match=r"fewer|more"):
        unflatten(leaves, PARAMS)


def deep(levels: int) -> Any:
    value: Any = "leaf"
    for _ in range(levels):
        value = [value]
    return value


def hostile() -> Iterator[Any]:
    yield from (
        1,
        True,
        "tree",
        {},
        {"tuple": 3},
        {"tuple": [], "list": []},
        {"dict": [["a"]]},
        {"dict": {"a": "leaf"}},
    )
    yield {"dict": [["a", "leaf"], ["a", "leaf"]]}
    yield {"named": 3, "fields": []}
    yield {"dict": [[{"tuple": deep(5)}, "leaf"]]}
    yield deep(DEEPEST)
    yield deep(900)


@pytest.mark.parametrize("value", hostile(), ids=lambda value: str(value)[:30])
def test_json_that_is_not_a_structure(value: Any) -> None:
    with pytest.raises(ValueError):
        from_json(value)


def test_a_structure_that_repeats_itself_is_bounded() -> None:
    tree = Tree("tuple")
    with pytest.raises(ValueError, match="parts"):
        while tree.size <= MOST_PARTS:
            tree = Tree("tuple", (tree, tree))
