"""Which ops have derivatives: all but those listed here."""

from __future__ import annotations

from hlo2tiny.derivatives import DERIVATIVES
from hlo2tiny.derivatives.tape import CONSTANT
from hlo2tiny.rules import RULES
from hlo2tiny.rules.control import CONTROL

# Of integers and booleans only, or quantized.
WHOLE = """and not or shift_left shift_right_arithmetic shift_right_logical uniform_dequantize uniform_quantize xor"""
MISSING = {
    *(f"stablehlo.{name}" for name in WHOLE.split()),
    "chlo.mulhi",
    # Rare where gradients are asked for.
    *("chlo.bessel_i1e", "chlo.ragged_dot", "chlo.scan", "stablehlo.batch_norm_grad"),
    *("stablehlo.einsum", "stablehlo.unary_einsum"),
}


def test_every_op_of_the_specification_has_a_derivative_or_is_listed() -> None:
    names = {name for name in RULES if name.startswith(("stablehlo.", "chlo."))}
    assert names - set(DERIVATIVES) - CONSTANT == MISSING
    assert set(DERIVATIVES) <= set(RULES) | set(CONTROL)
    assert not set(DERIVATIVES) & CONSTANT
