"""Dataclasses whose functions are made late: they are what Python's are."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import KW_ONLY, FrozenInstanceError, field
from functools import cached_property
from typing import Any

import pytest

from hlo2tiny.records import dataclass


@dataclass
class Plain:
    set: int
    names: list[str] = field(default_factory=list)
    made: str = field(default="x", init=False)

    def __post_init__(self) -> None:
        self.made = f"{self.set} {self.names}"


@dataclass(frozen=True)
class Base:
    """Fields that other classes inherit."""

    first: float
    _: KW_ONLY
    second: tuple[int, ...] = (1,)
    third: Any = field(default=None, compare=False, repr=False)

    @cached_property
    def twice(self) -> float:
        return 2 * self.first


@dataclass(frozen=True)
class Derived(Base):
    fourth: str = "d"

    def __repr__(self) -> str:
        return "derived"


@dataclass(frozen=True, slots=True)
class Slots:
    left: int
    right: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Itself:
    value: int


PYTHONS = {
    "plain": dataclasses.make_dataclass("Plain", ["set", ("names", list, field(default_factory=list))]),
    "frozen": dataclasses.make_dataclass(
        "Base", ["first", ("second", Any, field(default=(1,), kw_only=True))], frozen=True
    ),
}


def test_they_print_compare_and_hash_as_pythons() -> None:
    assert repr(Base(1.0)) == repr(PYTHONS["frozen"](1.0)) == "Base(first=1.0, second=(1,))"
    assert Base(1.0, third=2) == Base(1.0, third=3) != Base(2.0)
    assert hash(Base(1.0)) == hash(Base(1.0, third=5)) == hash((1.0, (1,)))
    assert (Base(1.0) == Derived(1.0), Base(1.0) == 1) == (False, False)
    assert (repr(Derived(1.0)), Derived(1.0, fourth="e").fourth, Derived(3.0).twice) == ("derived", "e", 6.0)
    assert Base(float("nan")) != Base(float("nan"))
    assert repr(Plain(1)) == "Plain(set=1, names=[], made='1 []')"
    assert Plain(1).names is not Plain(1).names
    assert Itself(1) != Itself(1) and len({Itself(1), Itself(1)}) == 2
    with pytest.raises(TypeError, match="unhashable type: 'Plain'"):
        hash(Plain(1))


@pytest.mark.parametrize("value", [Base(1.0, second=(2, 3)), Derived(2.0), Slots(1, [2])], ids=repr)
def test_nothing_assigns_to_the_fields_of_frozen_ones(value: Any) -> None:
    (first, *_) = dataclasses.fields(value)
    with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{first.name}'"):
        setattr(value, first.name, 5)
    with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{first.name}'"):
        delattr(value, first.name)
    with pytest.raises((FrozenInstanceError, AttributeError)):
        value.other = 1


@pytest.mark.parametrize("value", [Plain(3), Base(1.0, second=(2, 3)), Derived(2.0), Slots(1, [2])], ids=repr)
def test_they_are_copied_pickled_and_replaced(value: Any) -> None:
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
    (first, *_) = dataclasses.fields(value)
    changed = dataclasses.replace(value, **{first.name: 7})
    assert (getattr(changed, first.name), type(changed)) == (7, type(value))
    assert dataclasses.asdict(value)[first.name] == getattr(value, first.name)


def test_arguments_are_those_of_the_fields() -> None:
    with pytest.raises(TypeError, match=r"Base.__init__\(\) missing 1 required positional argument: 'first'"):
        Base()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
        Base(1.0, (2,))  # type: ignore[misc]
    match Slots(1, [2]):
        case Slots(left, right):
            assert (left, right) == (1, [2])


def test_a_function_is_made_when_it_is_called() -> None:
    @dataclass(frozen=True)
    class New:
        value: int

    assert type(vars(New)["__init__"]).__name__ == "Unmade"
    assert New(1).value == 1
    assert callable(vars(New)["__init__"]) and type(vars(New)["__eq__"]).__name__ == "Unmade"
