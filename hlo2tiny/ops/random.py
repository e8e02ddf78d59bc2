"""Random numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import ScalarType, TensorType
from ..ir.dimensions import Shape
from .attributes import Violation, enumeration
from .definition import check_scalar, check_static, op
from .movement import check_sizes
from .traits import Trait
from .types import is_of


def rng(
    a: TensorType, b: TensorType, shape: TensorType, *, rng_distribution: str, out: Sequence[TensorType]
) -> list[Shape]:
    check_scalar("a", a)
    check_scalar("b", b)
    if rng_distribution == "NORMAL" and not is_of(a.element, "f"):
        raise Violation(f"a is {a}, expected floats for NORMAL (C2)")
    check_sizes("shape", shape, len(out[0].shape), "C3")
    return [out[0].shape]


# How many numbers the state may have. Each implementation chooses what DEFAULT is; here it is PHILOX.
STATES = {"DEFAULT": (2, 3), "THREE_FRY": (2,), "PHILOX": (2, 3)}


def rng_bit_generator(initial_state: TensorType, *, rng_algorithm: str, out: Sequence[TensorType]) -> list[Shape]:
    sizes = STATES[rng_algorithm]
    if initial_state.element != ScalarType("ui64") or initial_state.shape not in [(n,) for n in (None, *sizes)]:
        expected = f"{' or '.join(map(str, sizes))} numbers of ui64"
        raise Violation(f"initial_state is {initial_state}, expected {expected} for {rng_algorithm} (C2)")
    check_static(out[1])
    if not is_of(out[1].element, "if"):
        raise Violation(f"result 1 is {out[1]}, expected integers or floats")
    return [initial_state.shape, out[1].shape]


# A table: a row takes a line or two.
# fmt: off
op("stablehlo.rng", "QQD -> Q", "bif", quantized="none",
    attributes={"rng_distribution": enumeration("rng_distribution")}, form="%, distribution = $rng_distribution",
    shapes=rng, traits=Trait.STEPWISE | Trait.RANDOM)
op("stablehlo.rng_bit_generator", "Q -> QA", quantized="none",
    attributes={"rng_algorithm": enumeration("rng_algorithm")}, form="%, algorithm = $rng_algorithm",
    shapes=rng_bit_generator, traits=Trait.STEPWISE)
