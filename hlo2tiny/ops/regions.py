"""Checks that ops share whose regions fold or compare elements."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import count_text
from ..ir import ElementType, Region, ScalarType, TensorType, Type
from .attributes import Violation
from .definition import agree, argument_types, returned_types, types_text
from .types import baseline, is_promotable

PREDICATE = TensorType((), ScalarType("i1"))


def check_arguments(region: Region, name: str, expected: Sequence[TensorType], number: str = "") -> None:
    """Check the types of a region's arguments; an unknown dimension matches any size."""
    types = argument_types(region)
    if len(types) != len(expected):
        raise Violation(
            f"{name} takes {count_text(len(types), 'argument')}, expected {len(expected)}{cite_number(number)}"
        )
    for i, (type, wanted) in enumerate(zip(types, expected)):
        if not is_like(type, wanted):
            raise Violation(f"argument {i} of {name} is {type}, expected {wanted}{cite_number(number)}")


def check_returned(region: Region, name: str, expected: Sequence[TensorType], number: str = "") -> None:
    """Check the types that a region returns; an unknown dimension matches any size."""
    types = returned_types(region)
    if len(types) != len(expected) or not all(map(is_like, types, expected)):
        raise Violation(f"{name} returns {types_text(types)}, expected {types_text(expected)}{cite_number(number)}")


def is_like(type: Type, wanted: TensorType) -> bool:
    return isinstance(type, TensorType) and type.element == wanted.element and agree(type.shape, wanted.shape)


def cite_number(number: str) -> str:
    return f" ({number})" if number else ""


def folded_elements(
    region: Region, name: str, inputs: Sequence[TensorType], initial: Sequence[TensorType], numbers: tuple[str, str]
) -> list[ElementType]:
    """The element types Ei of a fold's region, (tensor<E0>, …, tensor<E0>, …) -> (tensor<E0>, …).

    Inputs and init values are promoted to them.

    Args:
        numbers: the numbers of the constraints on the init values and on the region.
    """
    results, count = returned_types(region), len(inputs)
    if len(results) != count:
        raise Violation(f"{name} returns {types_text(results)}, expected {count_text(count, 'scalar')} ({numbers[1]})")
    elements = []
    for i, type in enumerate(results):
        if not isinstance(type, TensorType) or type.shape:
            raise Violation(f"{name} returns {type}, expected a scalar ({numbers[1]})")
        elements.append(type.element)
        if not is_promotable(inputs[i].element, type.element):
            raise Violation(f"operand {i} is {inputs[i]}, which is not promotable to {type.element} ({numbers[1]})")
    for i, start in enumerate(initial):
        # XLA and MLIR also accept an init value in the region's precision.
        if start.shape or not (start.element == inputs[i].element or is_promotable(start.element, elements[i])):
            expected = TensorType((), inputs[i].element)
            raise Violation(f"init value {i} is {start}, expected {expected}, as operand {i} ({numbers[0]})")
    arguments = argument_types(region)
    if len(arguments) != 2 * count:
        raise Violation(f"{name} takes {count_text(len(arguments), 'argument')}, expected {2 * count} ({numbers[1]})")
    for i, argument in enumerate(arguments):
        wanted = elements[i % count]
        fits = isinstance(argument, TensorType) and not argument.shape
        if not fits or baseline(argument.element) != baseline(wanted):  # type: ignore[union-attr]
            expected = TensorType((), wanted)
            raise Violation(f"argument {i} of {name} is {argument}, expected {expected} ({numbers[1]})")
    return elements


def check_result_elements(
    elements: Sequence[ElementType], results: Sequence[TensorType], name: str, number: str
) -> None:
    """Check that the results have the element types that a region returns."""
    for element, type in zip(elements, results):
        if type.element != element:
            raise Violation(f"{name} returns {element}, but the declared type is {type} ({number})")
