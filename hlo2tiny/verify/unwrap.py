"""Removes what has no meaning at run time: tuples, futures, tokens, and regions that run once in place.

A tuple becomes its elements, even as an argument or result of functions, loops and branches. So does a future:
asynchronous work may as well be finished when it starts. A token orders side effects; the only ones here are those of
registered custom calls, which run in the file's order. Afterwards, all values are tensors and scalars.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from ..ir import Function, FunctionType, FutureType, Module, Op, Region, TokenType, TupleType, Type, Value, walk
from ..ir.rewrite import Rewriter
from ..ops import Trait, has
from ..ops.attributes import plain
from ..rules.control import WITNESS
from .structure import structure_functions

T = TypeVar("T")
WRAPPERS = Trait.WRAPPER | Trait.WRAPPING


def leaves(type: Type) -> tuple[Type, ...]:
    """The types of the values that a value of this type becomes."""
    match type:
        case TupleType(types) | FutureType(types):
            return tuple(leaf for inner in types for leaf in leaves(inner))
        case TokenType():
            return ()
    # A witness is dropped: its constraint has been checked.
    return () if type == WITNESS else (type,)


def is_plain(values: Sequence[Value]) -> bool:
    return all(leaves(v.type) == (v.type,) for v in values)


def unwrap(module: Module) -> Module:
    """A verified module without tuples, tokens, wrapping regions and blocks."""
    module = structure_functions(module)
    functions = {}
    for name, function in module.functions.items():
        functions[name] = function if function.body is None or is_bare(function.body) else unwrap_function(function)
    return replace(module, functions=functions)


def is_bare(region: Region) -> bool:
    """Whether there is nothing to remove."""
    if not is_plain(region.arguments):
        return False
    return all(
        not has(op, WRAPPERS) and is_plain((*op.operands, *op.results, *(a for r in op.regions for a in r.arguments)))
        for op in walk(region)
    )


def unwrap_function(function: Function) -> Function:
    body = Unwrapper().region(function.code)
    inputs = tuple(leaf for t in function.type.inputs for leaf in leaves(t))
    results = tuple(leaf for t in function.type.results for leaf in leaves(t))
    return replace(
        function,
        body=body,
        type=FunctionType(inputs, results),
        argument_attributes=tuple(per_leaf(function.type.inputs, function.argument_attributes)),
        result_attributes=tuple(per_leaf(function.type.results, function.result_attributes)),
    )


def per_leaf(types: Sequence[Type], items: Sequence[T]) -> Iterator[T]:
    for type, item in zip(types, items, strict=True):
        yield from [item] * len(leaves(type))


class Unwrapper(Rewriter):
    """Replaces a value by several or none, which `unwrapped` holds."""

    def __init__(self) -> None:
        super().__init__()
        self.unwrapped: dict[Value, tuple[Value, ...]] = {}

    def lookup(self, values: Iterable[Value]) -> tuple[Value, ...]:
        return tuple([inner for value in values for inner in self.unwrapped[value]])

    def define(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """New values for the elements of tuples; plain values stay as they are."""
        for value in values:
            parts = tuple(Value(f"{value.name}.{i}", type) for i, type in enumerate(leaves(value.type)))
            self.unwrapped[value] = (value,) if is_plain([value]) else parts
        return self.lookup(values)

    def rewrite(self, op: Op) -> Sequence[Op]:
        if has(op, Trait.WRAPPER):
            (body,) = op.regions
            self.unwrapped.update((a, self.unwrapped[v]) for a, v in zip(body.arguments, op.operands))
            ops = self.ops(body.ops[:-1])
            self.assign(op.results, body.ops[-1].operands)
            return ops
        if not has(op, Trait.WRAPPING):
            return (self.clone(op),)
        if "index" in op.attributes:
            (whole,), index = op.operands, int(plain(op.attributes["index"]))
            assert isinstance(whole.type, TupleType)
            sizes = [len(leaves(t)) for t in whole.type.types]
            start = sum(sizes[:index])
            self.unwrapped[op.results[0]] = self.unwrapped[whole][start : start + sizes[index]]
        else:
            self.assign(op.results, op.operands)
        return ()

    def assign(self, values: Sequence[Value], sources: Sequence[Value]) -> None:
        """Let values stand for others, element by element: one tuple or future may stand for several values."""
        elements = iter(self.lookup(sources))
        self.unwrapped.update((v, tuple(islice(elements, len(leaves(v.type))))) for v in values)
