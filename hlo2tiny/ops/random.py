"""Random numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import ScalarType, TensorType
from .attributes import Violation, enumeration
from .definition import Shape, check_scalar, check_static, op
from .traits import Trait
from .types import is_of


def rng(
    a: TensorType, b: TensorType, shape: TensorType, *, rng_distribution: str, out: Sequence[TensorType]
) -> list[Shape]:
    check_scalar("a", a)
    check_scalar("b", b)
    if rng_distribution == "NORMAL" and not is_of(a.element, "f"):
        raise Violation(f"NORMAL of {a}, expected floats (C2)")
    rank = len(out[0].shape)
    if shape.shape != (rank,):
        raise Violation(f"the shape is {shape}, expected the shape [{rank}] (C3)")
    return [out[0].shape]


# How many numbers the state has. What DEFAULT is, each implementation says: here it is PHILOX.
STATES = {"DEFAULT": (2, 3), "THREE_FRY": (2,), "PHILOX": (2, 3)}


def rng_bit_generator(initial_state: TensorType, *, rng_algorithm: str, out: Sequence[TensorType]) -> list[Shape]:
    sizes = STATES[rng_algorithm]
    if initial_state.element != ScalarType("ui64") or initial_state.shape not in [(n,) for n in (None, *sizes)]:
        found = str(initial_state)
        raise Violation(f"the state is {found}, expected {' or '.join(map(str, sizes))} ui64 for {rng_algorithm} (C2)")
    check_static(out[1])
    if not is_of(out[1].element, "if"):
        raise Violation(f"gives integers or floats, declared is {out[1]}")
    return [initial_state.shape, out[1].shape]


# A table: a row takes a line or two.
# fmt: off
op("stablehlo.rng", "QQD -> Q", "bif", quantized="none",
    attributes={"rng_distribution": enumeration("rng_distribution")}, form="%, distribution = $rng_distribution",
    shapes=rng, traits=Trait.STEPWISE | Trait.RANDOM)
op("stablehlo.rng_bit_generator", "Q -> QA", quantized="none",
    attributes={"rng_algorithm": enumeration("rng_algorithm")}, form="%, algorithm = $rng_algorithm",
    shapes=rng_bit_generator, traits=Trait.STEPWISE)
