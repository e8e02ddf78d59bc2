"""What the rows say of an op beside its types: how it reads its operands, what it costs, what it is to a program."""

from __future__ import annotations

from enum import Enum, Flag, IntEnum, auto
from math import inf


class Trait(Flag):
    """What else is known of an op. One without traits may read any element of its operands for each of its results'."""

    # Each element of a result is computed from the operands' elements at its place.
    ELEMENTWISE = auto()
    # The results do not change with the operands, or in steps only: their derivative is zero.
    STEPWISE = auto()
    # The result is the operand.
    IDENTITY = auto()
    # Each element of a result is one of the operands'.
    MOVEMENT = auto()
    # The result is the attribute `value`.
    CONSTANT = auto()
    # An elementwise op, after its operands were repeated to one shape.
    BROADCASTING = auto()
    # It folds all elements along dimensions into one.
    REDUCTION = auto()
    # Its kernel computes what it reads, rather than reading it from memory.
    FUSING = auto()
    # The results begin as its first operands, and are these but for some elements.
    UPDATING = auto()
    # It adds, and a compiler may leave out the rounding of a product that it adds.
    ADDING = auto()
    # It adds up many numbers, in any order.
    SUMMING = auto()
    # It gives other numbers each time that it runs.
    RANDOM = auto()
    # A library may compute it: a matrix product, a convolution, a Fourier transform.
    DOT = auto()
    CONVOLUTION = auto()
    FOURIER = auto()
    # It talks to a host, or to another program, as it runs.
    TRANSFERRING = auto()
    # What it means is its target's matter.
    CUSTOM = auto()
    # It hands its operands on to what its region stands in.
    TERMINATOR = auto()
    # It calls a function of the module.
    CALL = auto()
    # It runs its second region as long as its first one says so.
    LOOP = auto()
    # It runs one of its regions.
    CHOICE = auto()
    # It runs its region once, where it stands.
    WRAPPER = auto()
    # It makes tuples, futures, tokens or witnesses, or takes them apart; nothing of it is left when a program runs.
    WRAPPING = auto()
    # It computes shapes, and is folded before a program runs.
    SHAPES = auto()


NO_TRAITS = Trait(0)
# Steps of a plan, and what is taken off before there is one.
CONTROL = Trait.CALL | Trait.LOOP | Trait.CHOICE | Trait.WRAPPER | Trait.WRAPPING


class Cost(IntEnum):
    """What an op adds to a kernel that reads its result, for each element."""

    # Nothing, or a place or a type.
    FREE = 0
    # A few instructions, which take less time than to read a number from memory.
    CHEAP = 1
    # More than to read a number, and less than to write it first.
    FUNCTION = 2
    # More than that; or nobody knows.
    EXPENSIVE = 3


class Monoid(Enum):
    """What a reduction by an op is. Its identity changes nothing; it is infinite where integers have their last one."""

    SUM = auto()
    PRODUCT = auto()
    MAXIMUM = auto()
    MINIMUM = auto()
    ALL = auto()
    ANY = auto()

    @property
    def identity(self) -> float:
        return {Monoid.SUM: -0.0, Monoid.ANY: 0, Monoid.MAXIMUM: -inf, Monoid.MINIMUM: inf}.get(self, 1)
