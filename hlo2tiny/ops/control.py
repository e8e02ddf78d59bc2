"""Control flow, tuples, tokens, calls and transfers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import count_text
from ..ir import FutureType, Region, ScalarType, TensorType, TokenType, TupleType, Type, UnrankedTensorType
from ..ir.dimensions import Shape
from .attributes import (
    ANYTHING,
    BOOLEAN,
    DICTIONARY,
    I32,
    STRING,
    SYMBOL,
    SYMBOLS,
    Violation,
    is_empty,
    list_of,
    optional,
    structure,
)
from .definition import are_compatible, argument_types, op, returned_types, types_text
from .regions import PREDICATE
from .traits import Trait

INDEX = TensorType((), ScalarType("i32"))
TYPED = 4  # the version of custom calls whose configuration is a dictionary
NAMESPACED = re.compile(r"[a-zA-Z]\w*(\.[a-zA-Z]\w*)+")


def branches_shapes(
    name: str, operand: Type, expected: Type, branches: Sequence[Region], out: Sequence[Type]
) -> list[None]:
    """The checks that `case` and `if` share; the constraint numbers are those of `case`."""
    if operand != expected:  # the generated code relies on the operand's width
        raise Violation(f"{name} is {operand}, expected {expected} (I1)")
    for i, branch in enumerate(branches):
        if branch.arguments:
            raise Violation(f"branch {i} takes {count_text(len(branch.arguments), 'argument')}, expected none (C2)")
        if not are_compatible(returned_types(branch), out):
            types = types_text(returned_types(branch))
            raise Violation(f"branch {i} returns {types}, but the declared results are {types_text(out)} (C3, C4)")
    return [None] * len(out)


def check_like(subject: str, types: Sequence[Type], operand: Sequence[Type], number: str) -> None:
    """Check that what a region takes or returns, or an op's results, have the operands' types."""
    if not are_compatible(types, operand):
        raise Violation(f"{subject} {types_text(types)}, expected the operands' types {types_text(operand)} ({number})")


def while_shapes(*operand: Type, cond: Region, body: Region, out: Sequence[Type]) -> list[None]:
    check_like("cond takes", argument_types(cond), operand, "C1")
    check_like("body takes", argument_types(body), operand, "C2")
    if returned_types(cond) != (PREDICATE,):
        raise Violation(f"cond returns {types_text(returned_types(cond))}, expected {PREDICATE} (C1)")
    check_like("body returns", returned_types(body), operand, "C2")
    check_like("the results are", out, operand, "C3")
    return [None] * len(out)


def same_types(*operand: Type, out: Sequence[Type]) -> list[Shape | None]:
    check_like("the results are", out, operand, "C1")
    return [type.shape if isinstance(type, TensorType) else None for type in operand]


def tuple_shapes(*val: Type, out: Sequence[Type]) -> list[None]:
    if out[0] != TupleType(val):
        raise Violation(f"the result is {out[0]}, expected {TupleType(val)} (C1)")
    return [None]


def get_tuple_element_shapes(operand: Type, *, index: int, out: Sequence[Type]) -> list[None]:
    if not isinstance(operand, TupleType):
        raise Violation(f"the operand is {operand}, expected a tuple")
    if not 0 <= index < len(operand.types):
        raise Violation(f"index is {index}, expected 0 to {len(operand.types) - 1} (C1)")
    if out[0] != operand.types[index]:
        raise Violation(f"the result is {out[0]}, expected the tuple's element {operand.types[index]!s} (C2)")
    return [None]


def token_shapes(*inputs: Type, out: Sequence[Type]) -> list[None]:
    for noun, types in (("operand", inputs), ("result", out)):
        for i, type in enumerate(types):
            if type != TokenType():
                raise Violation(f"{noun} {i} is {type}, expected {TokenType()}")
    return [None]


def async_start_shapes(*operands: Type, body: Region, out: Sequence[Type]) -> list[None]:
    # The body of the specification's example takes no arguments and uses the operands directly.
    if argument_types(body) not in (operands, ()):
        types = types_text(argument_types(body))
        raise Violation(f"body takes {types}, expected the operands' types {types_text(operands)}")
    expected = FutureType(returned_types(body))
    if list(out) != [expected]:
        raise Violation(f"the result is {types_text(out)}, expected {expected}")
    return [None]


def async_done_shapes(future: Type, *, out: Sequence[Type]) -> list[None]:
    if not isinstance(future, FutureType):
        raise Violation(f"the operand is {future}, expected a future")
    if future.types != tuple(out):
        raise Violation(f"the results are {types_text(out)}, expected the future's types {types_text(future.types)}")
    return [None] * len(out)


def composite_shapes(*inputs: Type, name: str, out: Sequence[Type]) -> list[Shape | None]:
    if not NAMESPACED.fullmatch(name):
        raise Violation(f"name is {name!r}, expected an op's name with a namespace, such as 'my.op' (C1)")
    return [None] * len(out)


def custom_call_shapes(
    *operands: Type,
    api_version: int,
    backend_config: Any,
    operand_layouts: Sequence[Any],
    output_operand_aliases: Sequence[Mapping[str, Any]],
    result_layouts: Sequence[Any],
    out: Sequence[Type],
) -> list[None]:
    """What the call says about its values; what its target does with them is not known."""
    if not 0 <= api_version <= TYPED:
        raise Violation(f"api_version is {api_version}, expected 0 to {TYPED}")
    if backend_config is not None and not isinstance(backend_config, dict if api_version == TYPED else str):
        expected = "a dictionary" if api_version == TYPED else "a string"
        raise Violation(f"backend_config is {backend_config!r:.100}, expected {expected}: api_version is {api_version}")
    returned = out[0].types if len(out) == 1 and isinstance(out[0], TupleType) else out
    if operand_layouts or result_layouts:
        check_layouts("operand", operands, operand_layouts)
        check_layouts("result", returned, result_layouts)
    for alias in output_operand_aliases:
        index = alias["operand_index"]
        if not 0 <= index < len(operands):
            raise Violation(f"has an alias of operand {index}, but {count_text(len(operands), 'operand')}")
        taken = element_type(operands[index], alias["operand_tuple_indices"])
        given = element_type(out[0] if len(out) == 1 else TupleType(tuple(out)), alias["output_tuple_indices"])
        if taken is None or taken != given:
            raise Violation(f"has an alias of operand {index}, {taken}, for the result {given}, expected equal types")
    return [None] * len(out)


def check_layouts(noun: str, types: Sequence[Type], layouts: Sequence[Any]) -> None:
    """Check that there is a layout for each value, and that it orders the value's dimensions."""
    if len(layouts) != len(types):
        values = count_text(len(types), noun)
        raise Violation(f"has {count_text(len(layouts), 'layout')} for {values}, expected one for each, or none at all")
    for i, (type, layout) in enumerate(zip(types, layouts)):
        order = [int(d) for d in layout.flat] if isinstance(layout, np.ndarray) and layout.ndim == 1 else None
        if isinstance(type, UnrankedTensorType) and order is not None:
            continue
        rank = len(type.shape) if isinstance(type, TensorType) else 0
        if isinstance(type, TupleType) or order is None or sorted(order) != list(range(rank)):
            found = layout if order is None else order
            raise Violation(
                f"{noun} {i} is {type}, whose layout is {found}, expected an order of its {rank} dimensions"
            )


def element_type(type: Type, indices: Sequence[int]) -> Type | None:
    """The type inside nested tuples; None if there is none."""
    for index in indices:
        if not isinstance(type, TupleType) or not 0 <= index < len(type.types):
            return None
        type = type.types[index]
    return type


def values(elements: str, name: str, **row: Any) -> None:
    """Add the row of an op whose operands and results need not be tensors."""
    op(f"stablehlo.{name}", elements, quantized="several", tensors=False, **row)


# A table: a row takes a line or two.
# fmt: off
values(".* -> .", "after_all", shapes=token_shapes, traits=Trait.WRAPPING)
values(". -> .*", "async_done", shapes=async_done_shapes, traits=Trait.WRAPPING)
values(".* -> .", "async_start", former={"called_computation": optional(SYMBOL, until="1.15.0")}, regions=("body",),
    shapes=async_start_shapes, traits=Trait.WRAPPER)
values(". -> .*", "case", regions=("*branches",), traits=Trait.CHOICE,
    shapes=lambda index, *, branches, out: branches_shapes("index", index, INDEX, branches, out))
values(".* -> .*", "composite",
    attributes={"name": STRING, "decomposition": SYMBOL,
                "composite_attributes": optional(DICTIONARY, {}), "version": optional(I32, 0)},
    form='"$name" %', regions=("**",), shapes=composite_shapes, traits=Trait.CALL)
values("-> .", "create_token", shapes=token_shapes, traits=Trait.WRAPPING)
LAYOUTS = optional(list_of(ANYTHING), ())
# The target decides which of these attributes matter and which others it accepts.
values(".* -> .*", "custom_call",
    attributes={
        "api_version": optional(I32, 1),
        "backend_config": optional(ANYTHING, neutral=is_empty),
        "call_target_name": STRING,
        "called_computations": optional(SYMBOLS, ()),
        "has_side_effect": optional(BOOLEAN, False),
        "operand_layouts": LAYOUTS,
        "output_operand_aliases": optional(list_of(structure("output_operand_alias")), ()),
        "result_layouts": LAYOUTS,
        "result_tilings": optional(ANYTHING, neutral=is_empty, since="1.18.0"),
    },
    form="@$call_target_name(%)", regions=("**",), shapes=custom_call_shapes,
    traits=Trait.CUSTOM | Trait.SUMMING)
values(". -> .", "get_tuple_element", attributes={"index": I32}, form="%[$index]", shapes=get_tuple_element_shapes,
    traits=Trait.WRAPPING)
values(". -> .*", "if", regions=("true_branch", "false_branch"), traits=Trait.CHOICE,
    shapes=lambda pred, *, true_branch, false_branch, out:
        branches_shapes("pred", pred, PREDICATE, (true_branch, false_branch), out))
values(". -> .*", "infeed",
    attributes={"infeed_config": optional(STRING, ""), "layout": optional(ANYTHING, neutral=is_empty)},
    traits=Trait.TRANSFERRING)
values(".* -> .*", "optimization_barrier", form="% : each", shapes=same_types,
    traits=Trait.ELEMENTWISE | Trait.ATTRIBUTES_FIRST, flops=lambda *operands: 0)
values(".* -> .", "outfeed", attributes={"outfeed_config": optional(STRING, "")}, traits=Trait.TRANSFERRING)
TRANSFER = {
    "channel_handle": structure("channel_handle"),
    "is_host_transfer": optional(BOOLEAN, False),
    "source_target_pairs": optional(ANYTHING, neutral=is_empty, since="1.12.0"),
}
values(". -> .*", "recv", attributes=TRANSFER, traits=Trait.TRANSFERRING)
values(".* ->", "return", form="% : operands", traits=Trait.TERMINATOR)
values(".* -> .", "send", attributes=TRANSFER, traits=Trait.TRANSFERRING)
values(".* -> .", "tuple", form="% : tuple", shapes=tuple_shapes, traits=Trait.WRAPPING)
values(".* -> .*", "while", regions=("cond", "body"), shapes=while_shapes, traits=Trait.LOOP)
