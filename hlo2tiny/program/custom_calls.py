"""Python functions for custom calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..targets import HostFunction

_custom_calls: dict[str, HostFunction] = {}


def custom_call(target: str) -> Callable[[HostFunction], HostFunction]:
    """Register a Python function for custom calls of this name, in programs that are loaded from now on.

    The function takes one numpy array for each operand and returns an array, or a tuple of arrays, of the declared
    shapes and dtypes. It runs on the host. An exception that it raises ends the call of the program and reaches the
    caller. Names that hlo2tiny has a rule for, such as those of LAPACK, keep that rule.

    Examples:
        >>> @custom_call("my_softsign")
        ... def softsign(x):
        ...     return x / (1 + abs(x))

    Raises:
        TypeError: the name is not a string.
        ValueError: the name already has a function.
    """

    if not isinstance(target, str):
        raise TypeError(f"custom_call takes the name of the call, as in @custom_call('my_op'), not {target!r}")

    def register(function: HostFunction) -> HostFunction:
        if target in _custom_calls:
            raise ValueError(f"custom call {target!r} already has a function")
        _custom_calls[target] = function
        return function

    return register


def forget_custom_call(target: str) -> None:
    """Programs that are loaded from now on have no function for custom calls of this name."""
    _custom_calls.pop(target, None)


def custom_calls() -> Mapping[str, HostFunction]:
    """The registered functions by target."""
    return dict(_custom_calls)
