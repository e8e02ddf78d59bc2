"""The parameters of Python functions that are schemas of ops. Python's `inspect` takes twenty times as long."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, NamedTuple


class Parameters(NamedTuple):
    """Names of parameters, and whether a call has to pass them."""

    positional: Mapping[str, bool]
    keywords: Mapping[str, bool]
    variadic: bool  # whether a call may pass any number of positional arguments

    @property
    def required(self) -> int:
        """How many arguments a call passes by position at least."""
        return sum(self.positional.values())


def of_any(names: Sequence[str]) -> Parameters:
    """Any number of positional arguments, and these keywords."""
    return Parameters({}, dict.fromkeys(names, True), True)


def parameters_of(function: Callable[..., Any]) -> Parameters:
    if type(function) is not FunctionType or "__wrapped__" in vars(function):
        return inspected(function)
    code, defaults = function.__code__, function.__kwdefaults__ or {}
    count, names = code.co_argcount, code.co_varnames
    least = count - len(function.__defaults__ or ())
    keywords = names[count : count + code.co_kwonlyargcount]
    variadic = bool(code.co_flags & inspect.CO_VARARGS)
    return Parameters(
        {name: i < least for i, name in enumerate(names[:count])},
        {name: name not in defaults for name in keywords},
        variadic,
    )


def inspected(function: Callable[..., Any]) -> Parameters:
    """The same for anything that can be called, such as a class."""
    found = inspect.signature(function).parameters.values()
    positional = {p.name: p.default is p.empty for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)}
    keywords = {p.name: p.default is p.empty for p in found if p.kind is p.KEYWORD_ONLY}
    return Parameters(positional, keywords, any(p.kind is p.VAR_POSITIONAL for p in found))
