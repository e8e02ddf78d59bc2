"""Calls of one op as MLIR text, in generic form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

import numpy as np

from hlo2tiny.ir import Module, Value

from .numbers import type_of


@dataclass(frozen=True)
class Body:
    """A region: `{…}` text of one line over scalars, and the same as a Python function of numpy scalars."""

    text: str
    function: Callable[..., Any]


@dataclass(frozen=True)
class Call:
    """One op: attributes are Python values under the specification's names, strings are MLIR text, a Body is a region.

    `results` overrides the declared types, for calls that are wrong; `result` is the reference where the row has none.
    """

    operands: Sequence[Any] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    results: str = ""
    result: Callable[..., Any] | None = None

    def other(self) -> Call:
        """The same op with the operands' values in reverse: other inputs for a second run."""
        return replace(self, operands=[np.flip(x.reshape(-1)).reshape(x.shape) for x in self.operands])


def types_of(arrays: Sequence[np.ndarray]) -> str:
    return ", ".join(map(type_of, arrays))


# Integer attributes that MLIR declares as i32; the rest are i64.
SHORT = {"exponent_bits", "mantissa_bits"}


def attribute_text(name: str, value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return f"{value} : {'i32' if name in SHORT else 'i64'}"
        case str():
            return value
        case np.ndarray():
            numbers = str(value.tolist()).replace("True", "true").replace("False", "false")
            return f"dense<{numbers if value.size else ''}> : {type_of(value)}"
    if value and isinstance(value[0], bool):
        return f"array<i1: {str(list(value)).lower()[1:-1]}>"
    return f"array<i64{': ' * bool(value)}{str(list(value))[1:-1]}>"


def op_name(op: str) -> str:
    """The op of a row; "@target" is a custom call."""
    return "stablehlo.custom_call" if op.startswith("@") else op


def module_text(op: str, calls: Sequence[Call], results: Sequence[Sequence[str]]) -> str:
    """A module whose @main takes all operands and returns all results, of these types; call i is on line i + 4."""
    operands = [x for call in calls for x in call.operands]
    returned = ", ".join(r for each in results for r in each)
    lines, given_back, at = [], [], 0
    for number, (call, each) in enumerate(zip(calls, results)):
        arguments = ", ".join(f"%x{at + i}" for i in range(len(call.operands)))
        at += len(call.operands)
        named = {n: v for n, v in call.attributes.items() if not is_body(v)}
        if op.startswith("@"):
            named["call_target_name"] = f'"{op[1:]}"'
        attributes = ", ".join(f"{n} = {attribute_text(n, v)}" for n, v in named.items())
        regions = ", ".join(v.text for v in call.attributes.values() if is_body(v))
        types = f"({types_of(call.operands)}) -> ({', '.join(each)})"
        properties = f" <{{{attributes}}}>" if attributes else ""
        names = f"%r{number}:{len(each)} = " if each else ""
        lines.append(f'  {names}"{op_name(op)}"({arguments}){properties}{f" ({regions})" * bool(regions)} : {types}')
        given_back += [f"%r{number}#{i}" for i in range(len(each))]
    signature = f"({types_of(operands)}) -> ({returned})"
    header = ", ".join(f"%x{i}: {type_of(x)}" for i, x in enumerate(operands))
    return "\n".join(
        [
            '"builtin.module"() ({',
            f'"func.func"() <{{sym_name = "main", function_type = {signature}}}> ({{',
            f"^bb0({header}):",
            *lines,
            f'  "func.return"({", ".join(given_back)}) : ({returned}) -> ()',
            "}) : () -> ()",
            "}) : () -> ()",
        ]
    )


def is_body(value: Any) -> bool:
    return isinstance(value, Body)


def structure(module: Module) -> Any:
    """A module as tuples that are equal when modules are: values by their order, without their names or locations."""
    numbers: dict[Value, int] = {}

    def plain(x: Any) -> Any:
        match x:
            case Value():
                return numbers.setdefault(x, len(numbers)), plain(x.type)
            case np.ndarray():
                return str(x.dtype), x.shape, x.tobytes()
            case Mapping():
                return tuple((name, plain(x[name])) for name in sorted(x))
            case list() | tuple():
                return tuple(map(plain, x))
            case _ if is_dataclass(x):
                return type(x).__name__, *(plain(getattr(x, f.name)) for f in fields(x) if f.name not in PLACES)
        return x

    return plain(module)


PLACES = ("location", "source")
