"""Derivatives of elementwise ops. At kinks they agree with JAX's unless a comment says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir import Region, TensorType, Value
from ..ir.dtypes import expect_tensor
from ..ops import OPS, Trait, has, names_with
from ..ops.attributes import plain
from ..ops.build import Builder, Term, chlo, operation, stablehlo
from ..rules import RULES
from ..rules.broadcasting import TWINS
from ..rules.custom_calls import keep_values
from .branches import BILINEAR, CHOICES, LINEAR
from .tape import CONSTANT, Contribution, Derivative, Pullback, derivative, differentiate_as

CONSTANT.update(twin for twin, name in TWINS.items() if name in CONSTANT)

# The contributions of the result's cotangent to those of the operands.
CONTRIBUTIONS: dict[str, Callable[[Pullback, Term], Sequence[Contribution]]] = {
    "stablehlo.add": lambda op, ct: [ct, ct],
    "stablehlo.complex": lambda op, ct: [stablehlo.real(ct), stablehlo.imag(ct)],
    "stablehlo.convert": lambda op, ct: [ct.to(op.inputs[0].element)],
    "stablehlo.imag": lambda op, ct: [stablehlo.complex(ct.like(0), ct) if op.inputs[0].is_complex else None],
    "stablehlo.negate": lambda op, ct: [-ct],
    "stablehlo.real": lambda op, ct: [stablehlo.complex(ct, ct.like(0)) if op.inputs[0].is_complex else ct],
    "stablehlo.subtract": lambda op, ct: [ct, -ct],
    "chlo.conj": lambda op, ct: [ct.conj()],
    "chlo.next_after": lambda op, ct: [ct, None],
}


def unary(slope: Callable[[Term, Term], Term]) -> Derivative:
    return lambda op: [op.cotangents[0] * slope(op.inputs[0], op.outputs[0]).conj()]


def linear(contributions: Callable[[Pullback, Term], Sequence[Contribution]]) -> Derivative:
    return lambda op: contributions(op, op.cotangents[0])


for _name, _row in OPS.items():
    if _row.slope is not None:
        derivative(_name)(unary(_row.slope))
LINEAR.update(CONTRIBUTIONS, ("stablehlo.select", "stablehlo.reduce_precision"))
BILINEAR.add("stablehlo.multiply")
CHOICES.add("stablehlo.select")
for _name, _contributions in CONTRIBUTIONS.items():
    derivative(_name)(linear(_contributions))


@derivative("stablehlo.abs")
def absolute(op: Pullback) -> Sequence[Contribution]:
    """At 0 the slope is 0 (in JAX it is 1), so that the smooth max(x, 0) + log(1 + exp(-|x|)) has its true slope."""
    (x,), (ct,) = op.inputs, op.cotangents
    return [(ct.to(x.element) if x.is_complex else ct) * stablehlo.sign(x)]


# ---------------------------------------------------------------- several operands


@derivative("stablehlo.multiply")
def multiply(op: Pullback) -> Sequence[Contribution]:
    (x, y), (ct,) = op.inputs, op.cotangents
    return [ct * y.conj(), ct * x.conj()]


@derivative("stablehlo.divide")
def divide(op: Pullback) -> Sequence[Contribution]:
    (_, y), (quotient,), (ct,) = op.inputs, op.outputs, op.cotangents
    of_dividend = ct / y.conj()
    return [of_dividend, -(of_dividend * quotient.conj())]


@derivative("stablehlo.power")
def power(op: Pullback) -> Sequence[Contribution]:
    (x, y), (result,), (ct,) = op.inputs, op.outputs, op.cotangents
    # x⁰ does not depend on x, nor 0ʸ on y; the formulas would compute 0 · ∞ there.
    number = op.tape.constant(y.value)
    less = y - 1 if number is None else y.like(number - 1)  # a constant half has a rule of its own
    of_base = y.compare("EQ", 0).where(y.like(0), y * stablehlo.power(x, less))
    zero = x.compare("EQ", 0)
    of_exponent = zero.where(x.like(0), stablehlo.log(zero.where(x.like(1), x)) * result)
    return [ct * of_base.conj(), ct * of_exponent.conj()]


@derivative("stablehlo.remainder")
def remainder(op: Pullback) -> Sequence[Contribution]:
    (x, y), (ct,) = op.inputs, op.cotangents
    quotient = x / y
    whole = stablehlo.sign(quotient) * stablehlo.floor(stablehlo.abs(quotient))
    return [ct, -(ct * whole)]


@derivative("stablehlo.atan2")
def atan2(op: Pullback) -> Sequence[Contribution]:
    (y, x), (ct,) = op.inputs, op.cotangents
    if x.is_complex:
        raise op.refuse("its operands are complex")
    scaled = ct / (x * x + y * y)
    return [scaled * x, -(scaled * y)]


@derivative("chlo.polygamma")
def polygamma(op: Pullback) -> Sequence[Contribution]:
    (order, x), (ct,) = op.inputs, op.cotangents
    if op.wants[0]:
        raise op.refuse("the gradient of its first operand, the order, is wanted")
    return [None, ct * chlo.polygamma(order + 1, x)]


@derivative("chlo.zeta")
def zeta(op: Pullback) -> Sequence[Contribution]:
    (x, q), (ct,) = op.inputs, op.cotangents
    if op.wants[0]:
        raise op.refuse("the gradient of its first operand is wanted")
    return [None, -(ct * x * chlo.zeta(x + 1, q))]


# ---------------------------------------------------------------- choices


@derivative("stablehlo.maximum", "stablehlo.minimum")
def extremum(op: Pullback) -> Sequence[Contribution]:
    """Equal operands get half of the cotangent each.

    A rectifier, that is, a maximum with a constant, gets nothing where its operand equals the threshold, like relu in
    JAX, PyTorch and TensorFlow. But in a logarithm of a sum of exponentials, which also subtracts the operands and is
    smooth, a maximum with a constant is split like any other.
    """
    (a, b), (ct,) = op.inputs, op.cotangents
    if a.is_complex:
        raise op.refuse("its operands are complex")
    beyond, zero = ("GT" if op.op.name == "stablehlo.maximum" else "LT"), ct.like(0)
    rectifies = op.wants.count(True) == 1 and not is_subtracted(op)
    tie = a.compare("EQ", b).where(zero if rectifies else ct * 0.5, zero)
    return [x.compare(beyond, y).where(ct, tie) for x, y in ((a, b), (b, a))]


def is_subtracted(op: Pullback) -> bool:
    """Whether the program also subtracts an op's operands, or constants equal to them, from each other."""

    def key(value: Value) -> object:
        number = op.tape.constant(value)
        return value if number is None else number

    keys = set(map(key, op.op.operands))
    return any(other.name == "stablehlo.subtract" and set(map(key, other.operands)) == keys for other in op.tape.ops)


@derivative("stablehlo.clamp")
def clamp(op: Pullback) -> Sequence[Contribution]:
    (low, x, high), (ct,) = op.inputs, op.cotangents
    wide_low, wide_high = (end.broadcast(x.shape, ()) if end.shape != x.shape else end for end in (low, high))
    zero = ct.like(0)
    below, above = x.compare("LT", wide_low), x.compare("GT", wide_high)
    inside = x.compare("GT", wide_low) & x.compare("LT", wide_high)

    def of_end(end: Term, outside: Term) -> Contribution:
        cotangent = outside.where(ct, zero)
        return cotangent if end.shape == x.shape else cotangent.sum()

    return [of_end(low, below), inside.where(ct, zero), of_end(high, above)]


@derivative("stablehlo.select")
def select(op: Pullback) -> Sequence[Contribution]:
    (condition, _, _), (ct,) = op.inputs, op.cotangents
    zero = ct.like(0)
    return [None, condition.where(ct, zero), condition.where(zero, ct)]


@derivative("stablehlo.reduce_precision")
def reduce_precision(op: Pullback) -> Sequence[Contribution]:
    (ct,) = op.cotangents
    return op.builder.op(operation(op.op.name), [ct], [ct.type], attributes=op.op.attributes)


# ---------------------------------------------------------------- by equivalent ops


def vectorise(builder: Builder, region: Region, arguments: Sequence[Term], op: Pullback) -> list[Term]:
    """Apply a region of scalars to tensors of one shape, element by element; return its results."""
    shape = arguments[0].shape
    tensors = dict(zip(region.arguments, arguments, strict=True))

    def tensor(value: Value) -> Term:
        return tensors[value] if value in tensors else builder.term(value).broadcast(shape, ())

    for inner in region.ops:
        operands = [tensor(v) for v in inner.operands]
        if has(inner, Trait.TERMINATOR):
            return operands
        types = [TensorType(shape, expect_tensor(v.type).element) for v in inner.results]
        if has(inner, Trait.CONSTANT):
            number = plain(inner.attributes["value"]).reshape(-1)[0]
            results = [builder.fill(number, types[0])]
        elif not has(inner, Trait.ELEMENTWISE):
            raise op.refuse(f"its region contains {inner.name}, which is not elementwise")
        else:
            results = builder.op(operation(inner.name), operands, types, (), inner.attributes)
        tensors.update(zip(inner.results, results))
    return []


derivative("stablehlo.map")(
    lambda op: differentiate_as(op, lambda builder, xs: vectorise(builder, op.op.regions[0], xs, op))
)


@derivative(*(twin for twin, name in TWINS.items() if name not in CONSTANT))
def broadcasting(op: Pullback) -> Sequence[Contribution]:
    """CHLO's variants of elementwise ops that broadcast their operands to one shape."""
    shape, name = op.outputs[0].shape, TWINS[op.op.name]
    dimensions = op.attribute("broadcast_dimensions")

    def widen(x: Term) -> Term:
        rank = len(x.shape)
        trailing = range(len(shape) - rank, len(shape))
        return x.broadcast(shape, list(dimensions if dimensions is not None and rank < len(shape) else trailing))

    return differentiate_as(op, lambda builder, xs: [operation(name)(*map(widen, xs))])


# ---------------------------------------------------------------- identities

KEPT = [name for name, rule in RULES.items() if rule.function is keep_values]
derivative("stablehlo.optimization_barrier", *names_with(Trait.IDENTITY), *KEPT)(lambda op: op.cotangents)
