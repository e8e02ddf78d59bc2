"""Traits, costs and monoids: what rows say about an op apart from its types and attributes."""

from __future__ import annotations

from enum import Enum, Flag, IntEnum, auto
from math import inf


class Trait(Flag):
    """Properties of ops. Each result element of an op without traits may depend on all elements of its operands."""

    # Each element of a result is computed from the operands' elements at the same index.
    ELEMENTWISE = auto()
    # The results are constant in the operands, or change only in steps: the derivative is zero.
    STEPWISE = auto()
    # The result is the operand.
    IDENTITY = auto()
    # Each element of a result is a copy of an operand's element.
    MOVEMENT = auto()
    # The result is the attribute `value`.
    CONSTANT = auto()
    # An elementwise op that first broadcasts its operands to one shape.
    BROADCASTING = auto()
    # The op folds all elements along some dimensions into one.
    REDUCTION = auto()
    # The op's kernel computes the operands itself instead of reading them from memory.
    FUSING = auto()
    # The results are the first operands with some elements replaced.
    UPDATING = auto()
    # The op reads no more elements of its first operand than its result has.
    SELECTING = auto()
    # The op repeats itself: numbers far from 0 are first reduced to a period, which takes longer.
    PERIODIC = auto()
    # The op adds, and a compiler may skip the rounding of a product that it adds.
    ADDING = auto()
    # The op adds many numbers in any order.
    SUMMING = auto()
    # The results differ each time the op runs.
    RANDOM = auto()
    # A library may compute the op: a matrix product, a convolution, a Fourier transform.
    DOT = auto()
    CONVOLUTION = auto()
    FOURIER = auto()
    # The op exchanges data with a host or another program while it runs.
    TRANSFERRING = auto()
    # The op exchanges values between the processes that run a program, or tells them apart.
    COLLECTIVE = auto()
    # The target of the custom call defines what it means.
    CUSTOM = auto()
    # MLIR's short form has the op's attributes before its operands.
    ATTRIBUTES_FIRST = auto()
    # The op ends a region and returns its operands from it.
    TERMINATOR = auto()
    # The op calls a function of the module.
    CALL = auto()
    # The op runs its second region while its first one returns true.
    LOOP = auto()
    # The op runs one of its regions.
    CHOICE = auto()
    # The op runs its region once, in place.
    WRAPPER = auto()
    # The op packs or unpacks tuples, futures, tokens or witnesses; it is removed before a program runs.
    WRAPPING = auto()
    # The op computes shapes and is folded before a program runs.
    SHAPES = auto()


NO_TRAITS = Trait(0)
# Ops that become steps of a plan, or are removed before planning.
CONTROL = Trait.CALL | Trait.LOOP | Trait.CHOICE | Trait.WRAPPER | Trait.WRAPPING


class Cost(IntEnum):
    """What computing one element of the result costs a kernel."""

    # Nothing, or only an index or a type.
    FREE = 0
    # A few instructions, less than reading a number from memory.
    CHEAP = 1
    # More than reading a number, but less than storing it first.
    FUNCTION = 2
    # More than that, or unknown.
    EXPENSIVE = 3


class Monoid(Enum):
    """What a reduction computes. Its identity is infinite where integer types have their minimum or maximum."""

    SUM = auto()
    PRODUCT = auto()
    MAXIMUM = auto()
    MINIMUM = auto()
    ALL = auto()
    ANY = auto()

    @property
    def identity(self) -> float:
        return {Monoid.SUM: -0.0, Monoid.ANY: 0, Monoid.MAXIMUM: -inf, Monoid.MINIMUM: inf}.get(self, 1)
