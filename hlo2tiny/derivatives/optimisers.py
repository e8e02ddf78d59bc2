"""Optimisers as ops: how a step changes parameters by their gradients, and what it keeps for the next one.

Parameters of fewer than 32 bits are updated in f32, and what is kept for them is f32; others keep their own type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import log

from ..ir import Op, ScalarType, TensorType, Value
from ..ir.rewrite import free_values
from ..ops.build import I32, Term, stablehlo
from ..records import dataclass
from ..tinygrad.dtypes import NARROW_FLOATS

F32 = ScalarType("f32")
STEP = TensorType((), I32)
RATE = TensorType((), F32)

Numbers = Mapping[str, float]
# From a parameter, its gradient and what is kept for it, to their new values: the parameter's, and what is kept.
Update = Callable[..., Sequence[Term]]


@dataclass(frozen=True)
class Optimiser:
    """An optimiser.

    Attributes:
        kept: the names of what it keeps for each parameter, which starts as zeros.
        counts: whether it also keeps the number of steps so far.
        numbers: its hyperparameters, besides the learning rate, and their defaults.
        update: makes the update, from the learning rate, the number of this step and the hyperparameters.
    """

    kept: tuple[str, ...]
    counts: bool
    numbers: Numbers
    update: Callable[[Term | float, Term | None, Numbers], Update]


def like(scalar: Term | float, other: Term) -> Term:
    """A number with the type of a term."""
    return scalar.to(other.element).broadcast(other.shape, ()) if isinstance(scalar, Term) else other.like(scalar)


def sgd(rate: Term | float, step: Term | None, numbers: Numbers) -> Update:
    return lambda parameter, slope: [parameter - like(rate, parameter) * slope]


def momentum(rate: Term | float, step: Term | None, numbers: Numbers) -> Update:
    def update(parameter: Term, slope: Term, velocity: Term) -> Sequence[Term]:
        velocity = velocity * numbers["momentum"] + slope
        return [parameter - like(rate, parameter) * velocity, velocity]

    return update


def adamw(rate: Term | float, step: Term | None, numbers: Numbers) -> Update:
    assert step is not None
    first, second = numbers["beta1"], numbers["beta2"]
    # 1 - βᵗ, without cancellation where β is close to 1.
    corrections = [-stablehlo.exponential_minus_one(step.to(F32) * log(beta)) for beta in (first, second)]

    def update(parameter: Term, slope: Term, mean: Term, square: Term) -> Sequence[Term]:
        mean = mean * first + slope * (1 - first)
        square = square * second + slope * slope * (1 - second)
        unbiased, scale = (x / like(c, x) for x, c in zip((mean, square), corrections))
        change = unbiased / (stablehlo.sqrt(scale) + numbers["epsilon"])
        if numbers["weight_decay"]:
            change = change + parameter * numbers["weight_decay"]
        return [parameter - like(rate, parameter) * change, mean, square]

    return update


OPTIMISERS = {
    "sgd": Optimiser((), False, {}, sgd),
    "momentum": Optimiser(("velocity",), False, {"momentum": 0.9}, momentum),
    "adamw": Optimiser(
        ("mean", "square"), True, {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 1e-4}, adamw
    ),
}


def wide(element: object) -> ScalarType:
    assert isinstance(element, ScalarType)
    return F32 if element.name in NARROW_FLOATS else element


def state_types(optimiser: Optimiser, parameters: Sequence[TensorType]) -> list[TensorType]:
    """What an optimiser keeps: all of the first kind, then of the second, and the number of steps."""
    kept = [TensorType(p.shape, wide(p.element)) for _ in optimiser.kept for p in parameters]
    return [*kept, STEP] if optimiser.counts else kept


def updated(
    optimiser: Optimiser,
    parameters: Sequence[Term],
    gradients: Sequence[Term],
    state: Sequence[Term],
    rate: Term | float,
    numbers: Numbers,
) -> tuple[list[Term], list[Term]]:
    """The parameters and the state after a step.

    Each parameter is updated as soon as its gradient is known, so that gradients need not be kept.
    """
    builder, count = parameters[0].builder, len(parameters)
    before = len(builder.ops)
    step = state[-1] + 1 if optimiser.counts else None
    update = optimiser.update(rate, step, numbers)
    ends, changed = [before, len(builder.ops)], []
    for i, (parameter, slope) in enumerate(zip(parameters, gradients, strict=True)):
        element = wide(parameter.element)
        kept = state[i : count * len(optimiser.kept) : count]
        new, *others = update(parameter.to(element), slope.to(element), *kept)
        changed.append([new.to(parameter.element), *others])
        ends.append(len(builder.ops))
    groups = [builder.ops[begin:end] for begin, end in pairwise(ends)]
    builder.ops[:] = with_early(builder.ops[:before], groups)
    moved = [new[1 + k] for k in range(len(optimiser.kept)) for new in changed]
    return [new for new, *_ in changed], [*moved, *([] if step is None else [step])]


def with_early(ops: Sequence[Op], groups: Sequence[Sequence[Op]]) -> list[Op]:
    """The ops, with each group as early as possible, but not before another op that reads the same arguments."""
    indices: dict[Value, int] = {}
    defined: set[Value] = set()
    for i, op in enumerate(ops):
        indices.update((v, i) for v in (*free_values(op), *op.results) if v not in defined)
        defined.update(op.results)
    after: dict[int, list[Op]] = {}
    for group in groups:
        index = max((indices.get(v, -1) for v in free_values(*group)), default=-1)
        indices.update((v, index) for op in group for v in op.results)
        after.setdefault(index, []).extend(group)
    return [*after.get(-1, []), *(each for i, op in enumerate(ops) for each in (op, *after.get(i, [])))]
