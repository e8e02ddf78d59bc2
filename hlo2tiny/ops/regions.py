"""What the ops have in common whose regions fold or compare elements."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import ElementType, Region, ScalarType, TensorType, Type
from .attributes import Violation
from .definition import agree, counted, returned, taken, types_text
from .types import baseline, is_promotable

PREDICATE = TensorType((), ScalarType("i1"))


def check_arguments(region: Region, name: str, expected: Sequence[TensorType], number: str = "") -> None:
    """Check the types that a region takes; a dimension that is not known can be any."""
    found = taken(region)
    if len(found) != len(expected):
        raise Violation(f"{name} takes {counted(len(found), 'argument')}, expected {len(expected)}{numbered(number)}")
    for i, (type, wanted) in enumerate(zip(found, expected)):
        if not is_like(type, wanted):
            text = f"argument {i} of {name} is {type}, expected {wanted}"
            raise Violation(text + numbered(number))


def check_returned(region: Region, name: str, expected: Sequence[TensorType], number: str = "") -> None:
    """Check the types that a region returns; a dimension that is not known can be any."""
    found = returned(region)
    if len(found) != len(expected) or not all(map(is_like, found, expected)):
        raise Violation(f"{name} returns {types_text(found)}, expected {types_text(expected)}{numbered(number)}")


def is_like(type: Type, wanted: TensorType) -> bool:
    return isinstance(type, TensorType) and type.element == wanted.element and agree(type.shape, wanted.shape)


def numbered(number: str) -> str:
    return f" ({number})" if number else ""


def folded_elements(
    region: Region, name: str, inputs: Sequence[TensorType], initial: Sequence[TensorType], numbers: tuple[str, str]
) -> list[ElementType]:
    """The elements Ei that a fold's region (tensor<E0>, …, tensor<E0>, …) -> (tensor<E0>, …) works on.

    Inputs and init values are promoted to them.

    Args:
        initial: the init values, none where the op has none.
        numbers: those of the constraints on the init values and on the region.
    """
    results, count = returned(region), len(inputs)
    if len(results) != count:
        raise Violation(f"{name} returns {types_text(results)}, expected {counted(count, 'scalar')} ({numbers[1]})")
    elements = []
    for i, type in enumerate(results):
        if not isinstance(type, TensorType) or type.shape:
            raise Violation(f"{name} returns {type}, expected a scalar ({numbers[1]})")
        elements.append(type.element)
        if not is_promotable(inputs[i].element, type.element):
            found = f"operand {i} is {inputs[i]}"
            raise Violation(f"{found}, which is not promotable to {type.element} ({numbers[1]})")
    for i, start in enumerate(initial):
        # XLA and MLIR let the init value have the region's precision already.
        if start.shape or not (start.element == inputs[i].element or is_promotable(start.element, elements[i])):
            expected = TensorType((), inputs[i].element)
            raise Violation(f"init value {i} is {start}, expected {expected}, as operand {i} ({numbers[0]})")
    arguments = taken(region)
    if len(arguments) != 2 * count:
        raise Violation(f"{name} takes {counted(len(arguments), 'argument')}, expected {2 * count} ({numbers[1]})")
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
    """Check that results have the elements that a region returns."""
    for element, type in zip(elements, results):
        if type.element != element:
            raise Violation(f"{name} returns {element}, declared is {type} ({number})")
