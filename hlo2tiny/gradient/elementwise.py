"""Derivatives of elementwise ops. At kinks they are those that JAX takes, where nothing else is said."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..ir import Region, TensorType, Value
from ..ir.dtypes import expect_tensor
from ..ops import Trait, has, names_with
from ..ops.attributes import plain
from ..ops.build import Builder, Term, chlo, operation, stablehlo
from ..rules.broadcasting import TWINS
from .tape import CONSTANT, Contribution, Pullback, derivative, expanded

CONSTANT.update(twin for twin, name in TWINS.items() if name in CONSTANT)

reciprocal_root, exponential = stablehlo.rsqrt, stablehlo.exponential

# dy/dx of y = f(x), given x and y. All but those of reals only are holomorphic.
UNARY: dict[str, Callable[[Term, Term], Term]] = {
    "stablehlo.cbrt": lambda x, y: y / (x * 3),
    "stablehlo.cosine": lambda x, y: -stablehlo.sine(x),
    "stablehlo.exponential": lambda x, y: y,
    "stablehlo.exponential_minus_one": lambda x, y: y + 1,
    "stablehlo.log": lambda x, y: 1 / x,
    "stablehlo.log_plus_one": lambda x, y: 1 / (x + 1),
    "stablehlo.logistic": lambda x, y: y * (1 - y),
    "stablehlo.rsqrt": lambda x, y: y / x * -0.5,
    "stablehlo.sine": lambda x, y: stablehlo.cosine(x),
    "stablehlo.sqrt": lambda x, y: 0.5 / y,
    "stablehlo.tan": lambda x, y: y * y + 1,
    "stablehlo.tanh": lambda x, y: (1 - y) * (1 + y),
    "chlo.acos": lambda x, y: -reciprocal_root((1 - x) * (1 + x)),
    "chlo.acosh": lambda x, y: reciprocal_root(x - 1) * reciprocal_root(x + 1),
    "chlo.asin": lambda x, y: reciprocal_root((1 - x) * (1 + x)),
    "chlo.asinh": lambda x, y: reciprocal_root(x * x + 1),
    "chlo.atan": lambda x, y: 1 / (x * x + 1),
    "chlo.atanh": lambda x, y: 1 / ((1 - x) * (1 + x)),
    "chlo.cosh": lambda x, y: chlo.sinh(x),
    "chlo.digamma": lambda x, y: chlo.polygamma(x.like(1), x),
    "chlo.erf": lambda x, y: exponential(-(x * x)) * (2 / math.sqrt(math.pi)),
    "chlo.erf_inv": lambda x, y: exponential(y * y) * (math.sqrt(math.pi) / 2),
    "chlo.erfc": lambda x, y: exponential(-(x * x)) * (-2 / math.sqrt(math.pi)),
    "chlo.lgamma": lambda x, y: chlo.digamma(x),
    "chlo.sinh": lambda x, y: chlo.cosh(x),
    "chlo.square": lambda x, y: x * 2,
    "chlo.tan": lambda x, y: y * y + 1,
}


def unary(slope: Callable[[Term, Term], Term]) -> Callable[[Pullback], Sequence[Contribution]]:
    def pull(op: Pullback) -> Sequence[Contribution]:
        (x,), (y,), (ct,) = op.inputs, op.outputs, op.cotangents
        return [ct * slope(x, y).conj()]

    return pull


for _name, _slope in UNARY.items():
    derivative(_name)(unary(_slope))


@derivative("stablehlo.abs")
def absolute(op: Pullback) -> Sequence[Contribution]:
    """At 0 there is none, where JAX takes 1: so max(x, 0) + log(1 + exp(-|x|)), which is smooth, has its slope."""
    (x,), (ct,) = op.inputs, op.cotangents
    return [(ct.to(x.element) if x.is_complex else ct) * stablehlo.sign(x)]


@derivative("stablehlo.negate")
def negate(op: Pullback) -> Sequence[Contribution]:
    return [-op.cotangents[0]]


# ---------------------------------------------------------------- of two numbers


@derivative("stablehlo.add")
def add(op: Pullback) -> Sequence[Contribution]:
    return op.cotangents * 2


@derivative("stablehlo.subtract")
def subtract(op: Pullback) -> Sequence[Contribution]:
    (ct,) = op.cotangents
    return [ct, -ct]


@derivative("stablehlo.multiply")
def multiply(op: Pullback) -> Sequence[Contribution]:
    (x, y), (ct,) = op.inputs, op.cotangents

    def times(factor: Term) -> Term:
        number = op.constant(factor.value)
        if number is None or np.isfinite(number):
            return ct * factor.conj()
        # What a select has not chosen, as JAX's erf_inv its ends, has the cotangent 0, and 0 · ∞ would be NaN.
        return ct.compare("EQ", 0).where(ct, ct * factor.conj())

    return [times(y), times(x)]


@derivative("stablehlo.divide")
def divide(op: Pullback) -> Sequence[Contribution]:
    (_, y), (quotient,), (ct,) = op.inputs, op.outputs, op.cotangents
    along = ct / y.conj()
    return [along, -(along * quotient.conj())]


@derivative("stablehlo.power")
def power(op: Pullback) -> Sequence[Contribution]:
    (x, y), (result,), (ct,) = op.inputs, op.outputs, op.cotangents
    # x⁰ does not change with x, and 0ʸ not with y; the formulas would have 0 · ∞ there.
    of_base = y.compare("EQ", 0).where(y.like(0), y * stablehlo.power(x, y - 1))
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
        raise op.refuse("of complex numbers")
    along = ct / (x * x + y * y)
    return [along * x, -(along * y)]


@derivative("chlo.polygamma")
def polygamma(op: Pullback) -> Sequence[Contribution]:
    (order, x), (ct,) = op.inputs, op.cotangents
    if op.wants[0]:
        raise op.refuse("with respect to its order")
    return [None, ct * chlo.polygamma(order + 1, x)]


@derivative("chlo.zeta")
def zeta(op: Pullback) -> Sequence[Contribution]:
    (x, q), (ct,) = op.inputs, op.cotangents
    if op.wants[0]:
        raise op.refuse("with respect to its first operand")
    return [None, -(ct * x * chlo.zeta(x + 1, q))]


# ---------------------------------------------------------------- choices


@derivative("stablehlo.maximum", "stablehlo.minimum")
def extremum(op: Pullback) -> Sequence[Contribution]:
    """Equal operands have half each.

    But a rectifier, which is a maximum with a constant, has nothing where its operand is at the threshold: JAX, PyTorch
    and TensorFlow say so of relu. A logarithm of added exponentials, which has the operands' difference too, is smooth.
    """
    (a, b), (ct,) = op.inputs, op.cotangents
    if a.is_complex:
        raise op.refuse("of complex numbers")
    beyond, zero = ("GT" if op.op.name == "stablehlo.maximum" else "LT"), ct.like(0)
    rectifies = op.wants.count(True) == 1 and not subtracted(op)
    tie = a.compare("EQ", b).where(zero if rectifies else ct * 0.5, zero)
    return [x.compare(beyond, y).where(ct, tie) for x, y in ((a, b), (b, a))]


def subtracted(op: Pullback) -> bool:
    """Whether the operands of an op, or equal constants, are subtracted from each other too."""

    def key(value: Value) -> object:
        number = op.constant(value)
        return value if number is None else number

    keys = set(map(key, op.op.operands))
    return any(each.name == "stablehlo.subtract" and set(map(key, each.operands)) == keys for each in op.tape.ops)


@derivative("stablehlo.clamp")
def clamp(op: Pullback) -> Sequence[Contribution]:
    (low, x, high), (ct,) = op.inputs, op.cotangents
    wide = [e.broadcast(x.shape, ()) if e.shape != x.shape else e for e in (low, high)]
    zero = ct.like(0)
    below, above = x.compare("LT", wide[0]), x.compare("GT", wide[1])
    inside = x.compare("GT", wide[0]) & x.compare("LT", wide[1])

    def at(end: Term, outside: Term) -> Contribution:
        found = outside.where(ct, zero)
        return found if end.shape == x.shape else found.sum()

    return [at(low, below), inside.where(ct, zero), at(high, above)]


@derivative("stablehlo.select")
def select(op: Pullback) -> Sequence[Contribution]:
    (condition, _, _), (ct,) = op.inputs, op.cotangents
    zero = ct.like(0)
    return [None, condition.where(ct, zero), condition.where(zero, ct)]


# ---------------------------------------------------------------- types


@derivative("stablehlo.convert")
def convert(op: Pullback) -> Sequence[Contribution]:
    return [op.cotangents[0].to(op.inputs[0].element)]


@derivative("stablehlo.reduce_precision")
def reduce_precision(op: Pullback) -> Sequence[Contribution]:
    (ct,) = op.cotangents
    return op.builder.op(operation(op.op.name), [ct], [ct.type], attributes=op.op.attributes)


@derivative("stablehlo.complex")
def make_complex(op: Pullback) -> Sequence[Contribution]:
    (ct,) = op.cotangents
    return [stablehlo.real(ct), stablehlo.imag(ct)]


@derivative("stablehlo.real")
def real(op: Pullback) -> Sequence[Contribution]:
    (x,), (ct,) = op.inputs, op.cotangents
    return [stablehlo.complex(ct, ct.like(0)) if x.is_complex else ct]


@derivative("stablehlo.imag")
def imag(op: Pullback) -> Sequence[Contribution]:
    (x,), (ct,) = op.inputs, op.cotangents
    return [stablehlo.complex(ct.like(0), ct) if x.is_complex else None]


@derivative("chlo.conj")
def conj(op: Pullback) -> Sequence[Contribution]:
    return [op.cotangents[0].conj()]


# ---------------------------------------------------------------- by other ops


def vectorised(builder: Builder, region: Region, arguments: Sequence[Term], op: Pullback) -> list[Term]:
    """A region of scalars applied to tensors of one shape, element by element."""
    shape = arguments[0].shape
    known = dict(zip(region.arguments, arguments, strict=True))

    def tensor(value: Value) -> Term:
        return known[value] if value in known else builder.term(value).broadcast(shape, ())

    for inner in region.ops:
        operands = [tensor(v) for v in inner.operands]
        if has(inner, Trait.TERMINATOR):
            return operands
        types = [TensorType(shape, expect_tensor(v.type).element) for v in inner.results]
        if has(inner, Trait.CONSTANT):
            number = plain(inner.attributes["value"]).reshape(-1)[0]
            results = [builder.repeated(number, types[0])]
        elif not has(inner, Trait.ELEMENTWISE):
            raise op.refuse(f"its function has {inner.name}, which is not elementwise")
        else:
            results = builder.op(operation(inner.name), operands, types, (), inner.attributes)
        known.update(zip(inner.results, results))
    return []


@derivative("stablehlo.map")
def map_(op: Pullback) -> Sequence[Contribution]:
    return expanded(op, lambda builder, xs: vectorised(builder, op.op.regions[0], xs, op))


@derivative(*(twin for twin, name in TWINS.items() if name not in CONSTANT))
def broadcasting(op: Pullback) -> Sequence[Contribution]:
    """CHLO's twins of elementwise ops, which repeat their operands to one shape."""
    shape, name = op.outputs[0].shape, TWINS[op.op.name]
    ranks = [len(x.shape) for x in op.inputs]
    places = op.attribute("broadcast_dimensions")

    def build(builder: Builder, xs: list[Term]) -> list[Term]:
        wide = []
        for x, rank in zip(xs, ranks):
            given = places if places is not None and rank < len(shape) else range(len(shape) - rank, len(shape))
            wide.append(x.broadcast(shape, list(given)))
        return [operation(name)(*wide)]

    return expanded(op, build)


# ---------------------------------------------------------------- what hands values on


@derivative(
    "stablehlo.optimization_barrier",
    *names_with(Trait.IDENTITY),
    "@Sharding",
    "@LayoutConstraint",
    "@annotate_device_placement",
    "@SPMDFullToShardShape",
    "@SPMDShardToFullShape",
    "@xla.sdy.FuncResultSharding",
    "@xla.sdy.PropagationBarrier",
    "@xla.sdy.GlobalToLocalShape",
    "@xla.sdy.LocalToGlobalShape",
)
def handed_on(op: Pullback) -> Sequence[Contribution]:
    return op.cotangents
