"""Ops of the arith dialect, which exporters use for sizes and in shape functions.

Their values are scalars or tensors. MLIR does not number their constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..ir import ScalarType, TensorType, Type
from ..ir.dimensions import Shape
from ..ir.dtypes import as_tensor, bit_width
from . import elementwise, folding  # noqa: F401  (fills the rows that are named here)
from .attributes import FLAG, TYPED, Kind, Violation, make_flag_kind, make_number_kind, optional
from .build import Operation, stablehlo
from .definition import agree, are_compatible, op
from .movement import constant
from .traits import Cost, Trait
from .types import INDEX

I1 = ScalarType("i1")
OVERFLOW = {"overflowFlags": optional(make_flag_kind("overflow", "flags on overflow"), "none")}
FAST = make_flag_kind("fastmath", "flags on floats")
FASTMATH = {"fastmath": optional(FAST, "none")}
EXACT = {"isExact": optional(replace(FLAG, flags=("exact",)), False)}
NON_NEGATIVE = {"nonNeg": optional(replace(FLAG, flags=("nneg",)), False)}
MODES = make_number_kind(
    "rounding mode", "i32", "to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away", flags=True
)
INTEGER_PREDICATES = make_number_kind(
    "predicate", "i64", "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"
)
FLOAT_PREDICATES = make_number_kind(
    "predicate",
    "i64",
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)


def is_integer(type: TensorType) -> bool:
    """Whether the elements are signless integers: i8, not ui8."""
    return isinstance(type.element, ScalarType) and type.element.name[0] == "i" and type.element != INDEX


def is_integer_or_index(type: TensorType) -> bool:
    return is_integer(type) or type.element == INDEX


def is_float(type: TensorType) -> bool:
    return isinstance(type.element, ScalarType) and type.element.name[0] in "bf"


def is_number(type: TensorType) -> bool:
    return is_integer(type) or is_float(type)


def check_tensor(noun: str, type: Type, fits: Callable[[TensorType], bool], expected: str) -> TensorType:
    tensor = as_tensor(type)
    if not isinstance(tensor, TensorType) or not fits(tensor):
        raise Violation(f"the {noun} is {type}, expected {expected}")
    return tensor


def alike(fits: Callable[[TensorType], bool], expected: str) -> Callable[..., list[Shape]]:
    """A check that operands and result have one type."""

    def check(*operands: Type, out: Sequence[Type]) -> list[Shape]:
        first = check_tensor("first operand", operands[0], fits, expected)
        for i, type in enumerate((*operands[1:], *out), 1):
            # Specialisation may turn a scalar into a tensor of rank 0.
            is_operand = i < len(operands)
            if as_tensor(type) != first and (is_operand or not are_compatible([as_tensor(type)], [first])):
                noun = f"operand {i}" if is_operand else "the result"
                raise Violation(f"{noun} is {type}, expected the first operand's {operands[0]}")
        return [first.shape]

    return check


def check_comparison(fits: Callable[[TensorType], bool], expected: str) -> Callable[..., list[Shape]]:
    def check(lhs: Type, rhs: Type, *, out: Sequence[Type]) -> list[Shape]:
        alike(fits, expected)(lhs, rhs, out=[lhs])
        operand, result = as_tensor(lhs), as_tensor(out[0])
        assert isinstance(operand, TensorType)
        if not isinstance(result, TensorType) or result.element != I1 or not agree(result.shape, operand.shape):
            expected_type = str(TensorType(operand.shape, I1))
            raise Violation(f"the result is {out[0]}, expected the elements and shape of {expected_type}")
        return [operand.shape]

    return check


def select(condition: Type, true_value: Type, false_value: Type, *, out: Sequence[Type]) -> list[Shape]:
    tensor, chosen = as_tensor(condition), as_tensor(true_value)
    fits = isinstance(tensor, TensorType) and isinstance(chosen, TensorType) and tensor.element == I1
    if not fits or tensor.shape not in ((), chosen.shape):  # type: ignore[union-attr]
        raise Violation(f"the condition is {condition}, expected i1 or a tensor of i1 of the values' shape")
    return alike(lambda type: True, "a value")(true_value, false_value, out=out)


def cast(
    before: Callable[[TensorType], bool],
    after: Callable[[TensorType], bool],
    expected: str,
    widths: Callable[[int, int], bool] = lambda before, after: True,
) -> Callable[..., list[Shape]]:
    """A check of a conversion from one kind of elements to another; `widths` compares their sizes in bits."""

    def check(operand: Type, *, out: Sequence[Type]) -> list[Shape]:
        source, result = (
            check_tensor(noun, type, fits, expected)
            for noun, type, fits in (("operand", operand, before), ("result", out[0], after))
        )
        if not agree(source.shape, result.shape):
            raise Violation(f"the result is {out[0]}, expected the shape of {operand}")
        if not widths(bit_width(source.element), bit_width(result.element)):
            raise Violation(f"the operand is {operand} and the result is {out[0]}, expected {expected}")
        return [source.shape]

    return check


def signless_constant(*, value: Any, out: Sequence[Type]) -> Sequence[Shape | None]:
    element = getattr(as_tensor(out[0]), "element", None)
    if isinstance(element, ScalarType) and element.name.startswith("ui"):
        raise Violation(f"the result is {out[0]}, expected signless integers")
    return constant(value=value, out=out)


def on_numbers(fold: folding.Fold) -> folding.Fold:
    """A fold that leaves booleans to the op's rule, because the i1 true is -1 here."""
    return lambda op, constants: (
        None if any(c is not None and c.dtype == bool for c in constants) else fold(op, constants)
    )


def is_unsigned(name: str) -> bool:
    """Whether an op treats integers as unsigned, as divui and uitofp do."""
    return "ui" in name


def rows(
    names: Mapping[str, Operation | None],
    elements: str,
    attributes: Mapping[str, Kind],
    shapes: Callable[..., list[Shape]],
    form: str = "%",
    fold: folding.Fold | None = None,
    cost: Cost = Cost.CHEAP,
) -> None:
    """Add rows; `names` says which StableHLO op each is the same as."""
    row: dict[str, Any] = {"quantized": "none", "tensors": False, "traits": Trait.ELEMENTWISE, "cost": cost}
    for name, twin in names.items():
        same = twin.row.fold if twin is not None and elements == ".. -> ." and not is_unsigned(name) else None
        same = same if same is None or name in BITWISE else on_numbers(same)
        same_as = "" if twin is None else twin.name
        op(
            f"arith.{name}",
            elements,
            attributes=attributes,
            form=form,
            shapes=shapes,
            fold=fold or same,
            same_as=same_as,
            **row,
        )


# A table: a row takes a line or two.
# fmt: off
BITWISE: dict[str, Operation | None] = {"andi": stablehlo.and_, "ori": stablehlo.or_, "xori": stablehlo.xor}
INTEGERS = "signless integers or indices"
COMPARED = "$predicate, % : compared"
on_integers, on_floats = alike(is_integer_or_index, INTEGERS), alike(is_float, "floats")
rows({"addi": stablehlo.add, "subi": stablehlo.subtract, "muli": stablehlo.multiply, "shli": stablehlo.shift_left},
    ".. -> .", OVERFLOW, on_integers)
rows({"divsi": stablehlo.divide, "divui": stablehlo.divide, "shrsi": stablehlo.shift_right_arithmetic,
      "shrui": stablehlo.shift_right_logical}, ".. -> .", EXACT, on_integers)
rows({"remsi": stablehlo.remainder, "maxsi": stablehlo.maximum, "minsi": stablehlo.minimum,
      "remui": stablehlo.remainder, "maxui": stablehlo.maximum, "minui": stablehlo.minimum,
      "ceildivsi": None, "ceildivui": None, "floordivsi": None, **BITWISE}, ".. -> .", {}, on_integers)
rows({"addf": stablehlo.add, "subf": stablehlo.subtract, "mulf": stablehlo.multiply, "divf": stablehlo.divide},
    ".. -> .", FASTMATH | {"roundingmode": optional(MODES, 0, since="LLVM 23")}, on_floats)
rows({"remf": stablehlo.remainder, "maximumf": stablehlo.maximum, "minimumf": stablehlo.minimum, "maxnumf": None,
      "minnumf": None}, ".. -> .", FASTMATH, on_floats)
rows({"negf": stablehlo.negate}, ". -> .", FASTMATH, on_floats)
rows({"cmpi": None}, ".. -> .", {"predicate": INTEGER_PREDICATES}, check_comparison(is_integer_or_index, INTEGERS),
    COMPARED, folding.of_values(folding.signed_compare))
rows({"cmpf": None}, ".. -> .",
    {"predicate": FLOAT_PREDICATES, "fastmath": optional(FAST, "none", since="LLVM 18")},
    check_comparison(is_float, "floats"), COMPARED)
rows({"select": stablehlo.select}, "... -> .", {}, select, "% : condition", stablehlo.select.row.fold)

ROUNDING = FASTMATH | {"roundingmode": optional(MODES, 0, since="LLVM 19")}
WIDER, NARROWER = (lambda before, after: before < after), (lambda before, after: before > after)
wider = cast(is_integer, is_integer, "integers converted to wider ones", WIDER)
to_float = cast(is_integer, is_float, "integers converted to floats")
to_integer = cast(is_float, is_integer, "floats converted to integers")
between = cast(is_integer_or_index, is_integer_or_index, "integers and indices")
rows({"extsi": stablehlo.convert}, ". -> .", {}, wider)
rows({"extui": stablehlo.convert}, ". -> .", NON_NEGATIVE, wider)
rows({"trunci": stablehlo.convert}, ". -> .", OVERFLOW,
    cast(is_integer, is_integer, "integers converted to narrower ones", NARROWER))
rows({"extf": stablehlo.convert}, ". -> .", FASTMATH, cast(is_float, is_float, "floats converted to wider ones", WIDER))
rows({"truncf": stablehlo.convert}, ". -> .", ROUNDING,
    cast(is_float, is_float, "floats converted to narrower ones", NARROWER))
rows({"sitofp": stablehlo.convert}, ". -> .", {}, to_float)
rows({"uitofp": stablehlo.convert}, ". -> .", NON_NEGATIVE, to_float)
rows({"fptosi": stablehlo.convert, "fptoui": stablehlo.convert}, ". -> .", {}, to_integer)
rows({"index_cast": stablehlo.convert}, ". -> .", {}, between, fold=folding.identity, cost=Cost.FREE)
rows({"index_castui": stablehlo.convert}, ". -> .", NON_NEGATIVE, between)
rows({"bitcast": stablehlo.bitcast_convert}, ". -> .", {},
    cast(is_number, is_number, "integers or floats of the same width", lambda before, after: before == after))
op("arith.constant", "-> .", quantized="none", attributes={"value": TYPED}, form="$value", shapes=signless_constant,
    tensors=False, traits=Trait.CONSTANT, cost=Cost.FREE, fold=folding.of_values(lambda *, value: value))
