"""Dataclasses whose fields are looked at, and whose functions are made, when they are first needed.

Python's `dataclass` looks at every field, and prints and compiles up to seven functions, which takes 0.4 ms a class.
A process that loads a program imports 200 such classes, of which it makes few, and compares, hashes and prints fewer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **options):
        """Python's `dataclass`, of whose options it takes `frozen`, `eq` and `slots`, without ClassVar and InitVar."""
        return (lambda cls: record(cls, **options)) if cls is None else record(cls, **options)


def record(cls: type[Any], frozen: bool = False, eq: bool = True, slots: bool = False) -> Any:
    cls.__doc__ = cls.__doc__ or cls.__name__  # Python's would print a signature, which takes long
    own = cls.__annotations__
    given = {name: vars(cls)[name] for name in own if name in vars(cls)}
    made: Any = with_slots(cls, own) if slots else cls
    for name, value in given.items():
        if isinstance(value, Field) and not slots:
            delattr(made, name)
            if value.default is not MISSING:
                setattr(made, name, value.default)
    made.__dataclass_fields__, made.__frozen_record__ = Fields(made, own, given), frozen
    made.__match_args__ = Positional()  # type: ignore[misc]
    names = ["__init__", "__repr__", *(["__eq__"] if eq else []), *(["__hash__"] if eq and frozen else [])]
    for name in names:
        if name not in vars(cls):
            setattr(made, name, Unmade(made, name, PRINTERS[name]))
    if eq and not frozen and "__hash__" not in vars(cls):
        made.__hash__ = None
    if frozen:
        keep_fields(made)
        if slots and "__getstate__" not in vars(cls):
            made.__getstate__, made.__setstate__ = values_of, restore
    return made


def with_slots(cls: Any, own: Mapping[str, Any]) -> Any:
    """The class again, whose instances have slots for its own fields."""
    inherited = {name for base in cls.__mro__[1:] for name in vars(base).get("__slots__", ())}
    left_out = {*own, "__dict__", "__weakref__"}
    namespace = {name: value for name, value in vars(cls).items() if name not in left_out}
    namespace["__slots__"] = tuple(name for name in own if name not in inherited)
    return type(cls)(cls.__name__, cls.__bases__, namespace)


class Fields:
    """Stands for the fields of a class until they are looked up."""

    def __init__(self, cls: Any, own: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        self.cls, self.own, self.given = cls, own, given

    def __get__(self, instance: Any, owner: Any = None) -> dict[str, Field[Any]]:
        bases = [getattr(base, "__dataclass_fields__", {}) for base in self.cls.__mro__[-1:0:-1]]
        found = {name: each for fields in bases for name, each in fields.items()} | self.own_fields()
        self.cls.__dataclass_fields__ = found
        return found

    def own_fields(self) -> dict[str, Any]:
        """As Python's `dataclass` describes them, for its functions `fields`, `replace` and so on."""
        found: dict[str, Any] = {}
        by_name = False
        for name, type in self.own.items():
            if type == "KW_ONLY":
                by_name = True
                continue
            value = self.given.get(name, MISSING)
            each: Any = value if isinstance(value, Field) else dataclasses.field(default=value)
            found[name], each.name, each.type = each, name, type
            each._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
            each.kw_only = by_name if each.kw_only is MISSING else each.kw_only
        return found


class Positional:
    """Stands for the names of the fields that a pattern without names matches."""

    def __get__(self, _: Any, owner: Any) -> tuple[str, ...]:
        found = tuple(f.name for f in dataclasses.fields(owner) if f.init and not f.kw_only)
        owner.__match_args__ = found  # type: ignore[misc]
        return found


class Unmade:
    """Stands for a function of a class until it is looked up."""

    def __init__(self, cls: Any, name: str, lines: Callable[[Any, dict[str, Any]], Iterator[str]]) -> None:
        self.cls, self.name, self.lines = cls, name, lines

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        values: dict[str, Any] = {}
        head, *body = self.lines(self.cls, values)
        exec("\n ".join([f"def {self.name}({head}):", *body]), values)
        function = values[self.name]
        function.__qualname__, function.__module__ = f"{self.cls.__qualname__}.{self.name}", self.cls.__module__
        setattr(self.cls, self.name, function)
        return function.__get__(instance, owner)


def parameters_and_values(cls: Any, values: dict[str, Any]) -> Iterator[str]:
    """The parameters of `__init__`, then its statements; `values` gets the defaults."""
    fields = dataclasses.fields(cls)
    values |= {"_set": object.__setattr__, "_MISSING": MISSING}
    for field in fields:
        default = field.default_factory if field.default is MISSING else field.default
        values |= {f"_default_{field.name}": default} if default is not MISSING else {}
    taken = [field for field in fields if field.init]
    by_name = [parameter(field) for field in taken if field.kw_only]
    positional = [parameter(field) for field in taken if not field.kw_only]
    yield ", ".join(["self", *positional, *(["*", *by_name] if by_name else [])])
    for field in fields:
        made, given = field.default_factory is not MISSING, field.name
        if not field.init and not made:
            continue  # a default is the class's
        if made:
            call = f"_default_{field.name}()"
            given = f"{call} if {field.name} is _MISSING else {field.name}" if field.init else call
        yield f"_set(self, {field.name!r}, {given})" if cls.__frozen_record__ else f"self.{field.name} = {given}"
    yield "self.__post_init__()" if hasattr(cls, "__post_init__") else "pass"


def parameter(field: Field[Any]) -> str:
    if field.default is not MISSING:
        return f"{field.name}=_default_{field.name}"
    return f"{field.name}=_MISSING" if field.default_factory is not MISSING else field.name


def compare_fields(cls: Any, values: dict[str, Any]) -> Iterator[str]:
    yield "self, other"
    compared = [f"self.{field.name} == other.{field.name}" for field in dataclasses.fields(cls) if field.compare]
    yield "if self is other: return True"
    yield f"return {' and '.join(compared) or True} if other.__class__ is self.__class__ else NotImplemented"


def hash_fields(cls: Any, values: dict[str, Any]) -> Iterator[str]:
    yield "self"
    hashed = [field for field in dataclasses.fields(cls) if (field.compare if field.hash is None else field.hash)]
    yield f"return hash(({''.join(f'self.{field.name}, ' for field in hashed)}))"


def print_fields(cls: Any, values: dict[str, Any]) -> Iterator[str]:
    yield "self"
    printed = ", ".join(f"{field.name}={{self.{field.name}!r}}" for field in dataclasses.fields(cls) if field.repr)
    yield f'return f"{{self.__class__.__qualname__}}({printed})"'


PRINTERS = {
    "__init__": parameters_and_values,
    "__repr__": print_fields,
    "__eq__": compare_fields,
    "__hash__": hash_fields,
}


def keep_fields(cls: Any) -> None:
    """Let nothing assign to the fields of an instance."""

    def set_attribute(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete_attribute(self: Any, name: str) -> None:
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    cls.__setattr__, cls.__delattr__ = set_attribute, delete_attribute


def values_of(self: Any) -> list[Any]:
    """What a pickle has of an instance with slots."""
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def restore(self: Any, values: Sequence[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), values, strict=True):
        object.__setattr__(self, field.name, value)
