"""Sizes that only a run knows: expressions of a program's open dimensions, which shapes may have in place of integers.

Sizes are compared for all values of the dimensions at once. Two are equal if they are the same polynomial: what treats
some sizes apart, such as 1, has to be right for them without it, too. An order that is not the same for all values, or
a number that has to be known, raises `NeedsSize`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import reduce
from math import gcd
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, TypeGuard

import numpy as np

from ..errors import UnsupportedOp
from ..records import dataclass

# For type checkers, sizes are integers: what plans do with those, they do with these.
if TYPE_CHECKING:
    Base = int
else:
    Base = object
# What choices that only change how long a run takes take an open dimension for.
TYPICAL = 64


class NeedsSize(UnsupportedOp):
    """Something needs to know the size of an open dimension before the program runs."""


class NeedsBounds(NeedsSize):
    """Sizes may be too large for something; smaller bounds help."""


class NeedsCondition(NeedsSize):
    """Something needs sizes for which a condition holds; if runs check it, it may be assumed."""

    def __init__(self, condition: Condition, message: str) -> None:
        super().__init__(message)
        self.condition = condition


@dataclass(frozen=True, slots=True)
class OpenDimension:
    """An open dimension by its number among the program's; it is between 1 and `most`.

    `facts` are sizes that are at least 0, as the program's constraints say: one list for all its dimensions.
    """

    number: int
    most: int
    facts: list[Size] = field(default_factory=list, compare=False, repr=False)

    @property
    def limits(self) -> tuple[int, int]:
        return 1, self.most

    def value(self, sizes: Sequence[int]) -> int:
        return sizes[self.number]

    def __str__(self) -> str:
        return f"sizes[{self.number}]"

    def __reduce__(self) -> Any:
        return OpenDimension, (self.number, self.most)


@dataclass(frozen=True, slots=True)
class Quotient:
    """The whole quotient of an expression and a positive integer; the expression has these terms and is at least 0."""

    terms: tuple[tuple[tuple[Any, ...], int], ...]
    divisor: int

    @property
    def dividend(self) -> Size:
        return Size(dict(self.terms))

    @property
    def limits(self) -> tuple[int, int]:
        dividend = self.dividend
        low, high = dividend.limits_by([fact for fact in dividend.facts if not fact.has_quotients])
        return low // self.divisor, high // self.divisor

    def value(self, sizes: Sequence[int]) -> int:
        return self.dividend.value(sizes) // self.divisor

    def __str__(self) -> str:
        return f"({self.dividend}/{self.divisor})"


Factors: TypeAlias = "tuple[OpenDimension | Quotient, ...]"
Terms: TypeAlias = Mapping[Factors, int]  # the number before each product of factors; () for the constant


class Size(Base):
    """A polynomial in open dimensions, and whole quotients of such. Its text is an expression of C.

    Args:
        terms: the factor of each product of dimensions, whose factors are sorted; none is 0.
    """

    __slots__ = ("terms",)

    if TYPE_CHECKING:
        terms: Terms

        def __new__(cls, terms: Terms) -> Size: ...

    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the largest value that it may have, as far as that is known."""
        return self.limits_by(self.facts)

    @property
    def facts(self) -> Sequence[Size]:
        return next((f.facts for f in self.dimensions if f.facts), ())

    @property
    def facts_of_dimensions(self) -> list[Size]:
        """The list of all facts, which dimensions share."""
        return self.dimensions[0].facts

    @property
    def quotient(self) -> Quotient | None:
        """The quotient that this is and nothing else."""
        ((factors, count), *others) = self.terms.items()
        return factors[0] if not others and count == len(factors) == 1 and isinstance(factors[0], Quotient) else None

    @property
    def quotients(self) -> list[Quotient]:
        """The quotients that are no factors of others, those of the most quotients first."""
        found = [factors[0] for factors in self.terms if len(factors) == 1 and isinstance(factors[0], Quotient)]
        return sorted(found, key=depth, reverse=True)

    @property
    def has_quotients(self) -> bool:
        return any(isinstance(f, Quotient) for factors in self.terms for f in factors)

    def with_dividend(self, quotient: Quotient, times: int, scale: int = 1) -> Terms:
        """The terms times `scale`, with that of a quotient replaced by `times` times its dividend."""
        terms = {factors: count * scale for factors, count in self.terms.items() if factors != (quotient,)}
        for factors, count in quotient.terms:
            terms[factors] = terms.get(factors, 0) + count * times
        return terms

    def limits_by(self, facts: Sequence[Size]) -> tuple[int, int]:
        """The same as far as some facts say."""
        low, high = self.free_limits
        if max(map(len, self.terms)) > 1 and not self.has_quotients:
            ends = self.limits_from_least()
            low, high = max(low, ends[0]), min(high, ends[1])
        for fact in facts:
            quotient, rest = long_division(self, fact)
            (least, most), ends = free_limits(quotient), free_limits(rest)
            low, high = max(low, ends[0]) if least >= 0 else low, min(high, ends[1]) if most <= 0 else high
        return low, high

    def limits_from_least(self) -> tuple[int, int]:
        """Those of the polynomial in what dimensions have beyond their least values, whose terms say more."""
        ends: dict[OpenDimension | Quotient, tuple[int, int]] = {d: Size({(d,): 1}).limits for d in self.dimensions}
        beyond: int = 0
        for factors, count in self.terms.items():
            beyond = beyond + reduce(lambda a, f: a * (Size({(f,): 1}) + ends[f][0]), factors, count)
        low = high = 0
        for factors, count in terms_of(beyond).items():
            end = reduce(lambda a, f: a * (ends[f][1] - ends[f][0]), factors, count)
            low, high = low + (min(0, end) if factors else end), high + (max(0, end) if factors else end)
        return low, high

    @property
    def dimensions(self) -> list[OpenDimension]:
        found = {f for factors in self.terms for f in factors if isinstance(f, OpenDimension)}
        return sorted(found, key=lambda f: (f.number, f.most))

    @property
    def free_limits(self) -> tuple[int, int]:
        """The same without constraints on the dimensions."""
        low = high = 0
        for factors, count in self.terms.items():
            ends = [reduce(lambda a, b: a * b, (f.limits[end] for f in factors), count) for end in (0, 1)]
            low, high = low + min(ends), high + max(ends)
        if not self.quotients:
            return low, high
        # A multiple of the same without the quotient of the most quotients, and what a remainder takes from that.
        quotient = self.quotients[0]
        count, divisor = self.terms[quotient,], quotient.divisor
        scale = divisor // gcd(divisor, count)
        times = scale * count // divisor
        bounds = free_limits(made(self.with_dividend(quotient, times, scale)))
        least, most = sorted((0, times * (divisor - 1)))
        return max(low, -(-(bounds[0] - most) // scale)), min(high, (bounds[1] - least) // scale)

    def value(self, sizes: Sequence[int]) -> int:
        """Its value for the sizes of all open dimensions."""
        return sum(reduce(lambda a, b: a * b, (f.value(sizes) for f in fs), n) for fs, n in self.terms.items())

    def __add__(self, other: Any) -> Any:
        if not is_size(other):
            return NotImplemented
        terms = dict(self.terms)
        for factors, count in terms_of(other).items():
            terms[factors] = terms.get(factors, 0) + count
        return made(terms)

    def __mul__(self, other: Any) -> Any:
        if not is_size(other):
            return NotImplemented
        terms: dict[tuple[OpenDimension | Quotient, ...], int] = {}
        for factors, count in self.terms.items():
            for others, times in terms_of(other).items():
                product = tuple(sorted((*factors, *others), key=lambda f: (isinstance(f, Quotient), str(f))))
                terms[product] = terms.get(product, 0) + count * times
        return made(terms)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other if is_size(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return -self + other if is_size(other) else NotImplemented

    def __abs__(self) -> Any:
        if self.limits[0] < 0 < self.limits[1]:
            require(relation(self, ">=", 0), "sizes are too small: the program computes a negative number from them")
        return -self if self < 0 else self

    def __divmod__(self, other: Any) -> Any:
        return divided(self, other) if is_size(other) else NotImplemented

    def __rdivmod__(self, other: Any) -> Any:
        return divided(other, self) if is_size(other) else NotImplemented

    def __floordiv__(self, other: Any) -> Any:
        return divided(self, other)[0] if is_size(other) else NotImplemented

    def __rfloordiv__(self, other: Any) -> Any:
        return divided(other, self)[0] if is_size(other) else NotImplemented

    def __mod__(self, other: Any) -> Any:
        return divided(self, other)[1] if is_size(other) else NotImplemented

    def __rmod__(self, other: Any) -> Any:
        return divided(other, self)[1] if is_size(other) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and dict(self.terms) == dict(other.terms)

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __lt__(self, other: int) -> bool:
        low, high = limits_of(self - other)
        if low < 0 <= high:
            self.needed()
        return high < 0

    def __le__(self, other: int) -> bool:
        return self < other + 1

    def __gt__(self, other: int) -> bool:
        return not self < other + 1

    def __ge__(self, other: int) -> bool:
        return not self < other

    def __bool__(self) -> bool:
        return True

    def needed(self, *_: object) -> NoReturn:
        raise NeedsSize("needs sizes that are known before the program runs")

    __int__ = __index__ = __float__ = needed

    def __str__(self) -> str:
        terms = ("*".join([*([str(n)] * (n != 1 or not fs)), *map(str, fs)]) for fs, n in sorted_terms(self.terms))
        return f"({' + '.join(terms)})"

    def __repr__(self) -> str:
        """The same with the limits of the dimensions, which code depends on."""
        return f"{self}{[Size({(d,): 1}).limits for d in self.dimensions]}"

    def __format__(self, specification: str) -> str:
        return str(self)

    def __reduce__(self) -> Any:
        return Size, (dict(self.terms),)


@dataclass(frozen=True)
class Condition:
    """A relation of two sizes that is true for some values only: `name` is an operator of C."""

    left: int
    name: str
    right: int

    def __str__(self) -> str:
        return f"{self.left} {self.name} {self.right}"

    def __and__(self, other: object) -> Any:
        if isinstance(other, Condition):
            for first, then in ((self, other), (other, self)):  # one may decide the other
                known = assume(first)
                holds = relation(then.left, then.name, then.right)
                for fact in known:
                    fact.facts_of_dimensions.remove(fact)
                if not isinstance(holds, Condition):
                    return first if holds else False
            bool(self)
        return self if other is True else False if other is False else NotImplemented

    __rand__ = __and__

    def __bool__(self) -> NoReturn:
        raise NeedsSize("needs sizes that are known before the program runs")


def relation(left: int, name: str, right: int) -> bool | Condition:
    """Whether two sizes are in a relation: a condition if that differs between the values of dimensions."""
    low, high = limits_of(left - right)
    holds = {"<": (high < 0, low >= 0), "<=": (high <= 0, low > 0), "==": (low == high == 0, low > 0 or high < 0)}
    mirrored = {">": "<=", ">=": "<", "!=": "=="}
    true, false = holds[name] if name in holds else holds[mirrored[name]][::-1]
    if true or false:
        return bool(true)
    if name == "!=" and 0 in (low, high):
        name = "<" if high == 0 else ">"
    if name == "<" and is_open(left) and isinstance(right, int) and (quotient := left.quotient) is not None:
        return Condition(quotient.dividend, name, right * quotient.divisor)
    return Condition(left, name, right)


def require(holds: bool | Condition, message: str) -> None:
    """Let sizes be only those for which a condition holds, if that differs between the values of dimensions."""
    if isinstance(holds, Condition):
        raise NeedsCondition(holds, message)


def open_dimension(number: int, most: int, facts: list[Size] | None = None) -> Size:
    return Size({(OpenDimension(number, most, [] if facts is None else facts),): 1})


def sign(size: int) -> int:
    """-1, 0 or 1."""
    if not is_open(size) or not limits_of(size)[0] == 0 < (most := limits_of(size)[1]):
        return (size > 0) - (size < 0)
    return size if most == 1 else divided(size + most, most + 1)[0]


def choose(condition: bool | Condition, yes: int, no: int) -> int:
    """One of two sizes, by a condition that may be different for each run."""
    if not isinstance(condition, Condition):
        return yes if condition else no
    less, more = (
        (condition.left, condition.right) if condition.name in ("<", ">=") else (condition.right, condition.left)
    )
    if condition.name in ("==", "!=") and limits_of(more - less)[0] < 0:
        less, more = more, less
    if limits_of(more - less)[0] < 0:
        raise NeedsSize("needs sizes that are known before the program runs")
    if condition.name in ("==", "<=", ">="):
        yes, no = no, yes
    return no + (yes - no) * sign(more - less)


def assume(condition: Condition) -> list[Size]:
    """Let sizes know what a run checks before it does anything else; return the facts that they know now."""
    sizes = [condition.left, condition.right]
    less, more = sizes if condition.name in ("<", "<=", "==") else sizes[::-1]
    facts = [more - less - (condition.name in ("<", ">"))] if condition.name != "!=" else []
    facts += [less - more] if condition.name == "==" else []
    known = [fact for fact in facts if is_open(fact) and fact.dimensions]
    for fact in known:
        fact.facts_of_dimensions.append(fact)
    return known


def is_size(x: object) -> TypeGuard[int]:
    return isinstance(x, (int, np.integer, Size))


def is_open(x: object) -> TypeGuard[Size]:
    return isinstance(x, Size)


def typical(size: int) -> int:
    """A size for choices that only change how long a run takes."""
    if isinstance(size, int):
        return int(size)
    if is_open(size):
        return size.value(_Typical())
    return TYPICAL  # one in a rule, an expression of tinygrad


class _Typical:
    def __getitem__(self, number: int) -> int:
        return TYPICAL


def limits_of(size: int) -> tuple[int, int]:
    return size.limits if is_open(size) else (int(size), int(size))


def free_limits(size: int) -> tuple[int, int]:
    return size.free_limits if is_open(size) else (int(size), int(size))


def largest(size: int) -> int:
    return size.limits[1] if is_open(size) else int(size)


def upper_bound(sizes: Iterable[int]) -> int:
    """The largest of some sizes, or if that differs between the values of dimensions, what is as large as any."""

    def larger(a: int, b: int) -> int:
        return b if relation(a, "<=", b) is True else a if relation(b, "<=", a) is True else a + b

    return reduce(larger, sizes, 0)


def sizes_for(pairs: Sequence[tuple[int, int]], count: int) -> list[int] | None:
    """The sizes of all dimensions for which some expressions have these values; None if there are none, or several."""
    found: dict[int, int] = {}
    waiting = [(size, value, [d.number for d in size.dimensions]) for size, value in pairs if is_open(size)]
    for _ in range(count):
        for size, value, numbers in waiting:
            unknown = [n for n in numbers if n not in found]
            if len(unknown) == 1:
                least, next = (size.value(found | {unknown[0]: n}) for n in (0, 1))  # type: ignore[arg-type]
                if next != least:
                    found[unknown[0]] = (value - least) // (next - least)
    if len(found) < count:
        return None
    sizes = [found[i] for i in range(count)]
    return sizes if all(value_of(size, sizes) == value for size, value in pairs) else None


def value_of(size: int, sizes: Sequence[int]) -> int:
    """The value of a size for those of all open dimensions."""
    return size.value(sizes) if is_open(size) else size


def size_as_json(size: int) -> Any:
    """An expression as lists and dictionaries, without what is known of its dimensions but their limits."""
    if not is_open(size):
        return size

    def factor(f: OpenDimension | Quotient) -> dict[str, Any]:
        if isinstance(f, OpenDimension):
            return {"dimension": f.number, "most": f.most}
        return {"dividend": size_as_json(f.dividend), "divisor": f.divisor}

    return [[count, *map(factor, factors)] for factors, count in size.terms.items()]


def size_from_json(size: Any) -> int:
    if not isinstance(size, list):
        return size  # type: ignore[no-any-return]

    def factor(f: dict[str, Any]) -> OpenDimension | Quotient:
        if "dimension" in f:
            return OpenDimension(f["dimension"], f["most"])
        return Quotient(tuple(sorted_terms(terms_of(size_from_json(f["dividend"])))), f["divisor"])

    return Size({tuple(map(factor, factors)): count for count, *factors in size})


def split_terms(size: int, factors: Factors, count: int) -> tuple[Terms, Terms]:
    """The terms that are multiples of a product of factors and a number, divided by it; and the others as they are."""
    whole, rest = dict[Factors, int](), dict(terms_of(size))
    for given, times in terms_of(size).items():
        left = list(given)
        fits = times % count == 0
        for factor in factors:
            fits = fits and factor in left
            if fits:
                left.remove(factor)
        if fits:
            whole[tuple(left)] = rest.pop(given) // count
    return whole, rest


def terms_of(size: int) -> Terms:
    return size.terms if is_open(size) else {(): int(size)} if size else {}


def depth(factor: OpenDimension | Quotient) -> int:
    """How many quotients are inside each other."""
    return 1 + max(depth(f) for fs, _ in factor.terms for f in fs) if isinstance(factor, Quotient) else 0


def degree(factors: Factors) -> tuple[int, list[str]]:
    """What orders products of factors; that of two products grows with that of either."""
    return len(factors), sorted(map(str, factors))


def sorted_terms(terms: Mapping[tuple[Any, ...], int]) -> list[tuple[tuple[Any, ...], int]]:
    return sorted(terms.items(), key=lambda item: (-len(item[0]), str(item[0])))


def made(terms: Terms) -> int:
    terms = {factors: count for factors, count in terms.items() if count}
    for factors, count in terms.items():  # x - x/n is a quotient that is rounded up, (x*(n-1) + n-1)/n
        if len(factors) == 1 and isinstance(quotient := factors[0], Quotient):
            rest = Size(terms).with_dividend(quotient, count)
            if sum(n != 0 for others, n in rest.items() if others) < sum(map(bool, terms)) - 1:
                less = quotient.divisor - 1
                rounded = divided(quotient.dividend * less + less, quotient.divisor)[0]
                return made(rest) - rounded * count
    return Size(terms) if any(terms) else terms.get((), 0)


def divided(size: int, divisor: int) -> tuple[int, int]:
    """The whole part of a quotient, rounded down, and the remainder."""
    if limits_of(divisor)[0] <= 0:
        raise NeedsSize("divides by a size that has to be known before the program runs")
    low, high = limits_of(size)
    if not is_open(divisor) and high - low == 1:  # what has two values is a line
        ends = low // divisor, high // divisor
        whole = ends[0] + (size - low) * (ends[1] - ends[0])
        return whole, size - whole * divisor
    quotient, remainder = long_division(size, divisor)
    if not is_open(remainder) and not is_open(divisor):
        return quotient + remainder // divisor, remainder % divisor
    low, high = limits_of(remainder)
    if is_open(divisor) and high < 0:
        quotient, remainder = quotient - 1, remainder + divisor
    elif low < 0 < high and not is_open(divisor):  # whole parts of the constant term may be what makes it negative
        less = -(terms_of(remainder).get((), 0) // divisor)
        quotient, remainder = quotient - less, remainder + less * divisor
    low, high = limits_of(remainder)
    if remainder == 0 or (low >= 0 and relation(remainder, "<", divisor) is True):
        return quotient, remainder
    if is_open(divisor):
        # Not a multiple of it for all sizes: what asks for no more than that gets an answer.
        holds = relation(remainder, "<", divisor) if low >= 0 else False
        unknown = Unknown(holds if isinstance(holds, Condition) else None)
        return unknown, unknown  # type: ignore[return-value]
    if high <= 0:  # rounded up
        more = -divided(-remainder + (divisor - 1), divisor)[0]
    elif low >= 0:
        more = Size({(Quotient(tuple(sorted_terms(terms_of(remainder))), divisor),): 1})
    else:
        raise NeedsSize("divides what may be negative for some sizes")
    return quotient + more, remainder - more * divisor


def long_division(size: int, divisor: int) -> tuple[int, int]:
    """A quotient and what its product with the divisor lacks, in which no term is a multiple of the divisor's first."""
    (factors, count), *others = sorted(terms_of(divisor).items(), key=lambda term: degree(term[0]), reverse=True)
    quotient: int = 0
    while whole := split_terms(size, factors, count)[0]:
        # The term of the highest degree first: those that the others add are lower.
        part = made(dict([max(whole.items(), key=lambda term: degree(term[0]))])) if others else made(whole)
        quotient, size = quotient + part, size - part * divisor
    return quotient, size


@dataclass(frozen=True, eq=False)
class Unknown:
    """A quotient or remainder that is no expression of sizes, but is one if a condition holds; it is not always 0."""

    condition: Condition | None = None

    def known(self) -> NoReturn:
        """Raise an error that says what would have to be known."""
        message = "sizes are too small: the program computes a quotient of them"
        raise NeedsSize(message) if self.condition is None else NeedsCondition(self.condition, message)

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]
