"""The elementary and special functions: one row for each op, with its formulas.

Each is computed in the dtype of its operands; only a CPU may compute float32 in float64, where that is as fast. If the
target has a function of its own, kernels call it instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..errors import UnsupportedOp
from ..ir import TensorType, Type
from ..records import dataclass
from ..signatures import parameters_of
from ..tinygrad.dtypes import tensor_dtype
from ..tinygrad.expressions import DType, Tensor, call_function, computed_number, exact, typed_results
from . import complex_elementary as complex_
from . import elementary as real
from . import error_functions, roots, special
from .elementwise import is_float
from .pairs import Pair
from .registry import Lowering, Types, is_short, rule
from .values import Complex


@dataclass(frozen=True)
class ElementaryFunction:
    """The formulas of an op.

    Attributes:
        real: takes and returns tensors of one dtype.
        complex: takes the real and imaginary parts of the operands, and returns those of the result.
        name: its name for `Lowering.function`; each part of a complex result has a name of its own, as in cos_re.
        short: takes the first operand, the number that the second repeats, and the dtype to compute in; returns the
            result if there is a shorter formula for that number, else None.
    """

    real: Callable[..., Tensor]
    complex: Callable[..., Pair] | None = None
    name: str = ""
    short: Callable[[Tensor, float, DType], Tensor | None] | None = None

    @property
    def operands(self) -> int:
        return parameters_of(self.real).required

    def __call__(self, lowering: Lowering, *operands: Any, type: Type | None = None) -> Tensor | Complex:
        """The result; `type` is the declared one, for which there may be a shorter function."""
        x = operands[0]
        if isinstance(x, Complex):
            return self.of_complex(lowering, *operands)
        if not is_float(x):
            return self.real(*operands)
        dtype = lowering.work(x)
        if self.short is not None and (number := computed_number(operands[1])) is not None:
            result = self.short(x, number, dtype)
            if result is not None:
                return result
        called = None
        if isinstance(type, TensorType) and is_short(type):
            called = lowering.function(self.name, tensor_dtype(type.element), False)
        called = called or lowering.function(self.name, x.dtype, x.numel() == 1 and not lowering.in_order)
        if called:
            dtype = x.dtype
        else:
            called = lowering.function(self.name, dtype, False)
        formula = partial(call_function, called) if called else self.real
        (result,) = typed_results(lambda *xs: [formula(*xs)], [operand.cast(dtype) for operand in operands])
        # tinygrad combines it with what follows in the same kernel: a · (1 / b) becomes a / b.
        result = exact(result) if lowering.in_order else result
        return result.cast(x.dtype)

    def of_complex(self, lowering: Lowering, *operands: Complex) -> Complex:
        if self.complex is None:
            raise UnsupportedOp("hlo2tiny does not support complex operands of this op yet")
        dtype = operands[0].real.dtype
        for work in (dtype, lowering.work(operands[0].real)):
            if names := [name for part in PARTS if (name := lowering.function(f"{self.name}_{part}", work, False))]:
                break
        parts = [part.cast(work) for z in operands for part in (z.real, z.imag)]
        formula = partial(call_pair, names) if names else self.complex
        real, imag = (exact(x) if lowering.in_order else x for x in typed_results(formula, parts))
        return Complex(real.cast(dtype), imag.cast(dtype))


# How the names of functions end that compute a part of a complex number.
PARTS = ("re", "im")


def call_pair(names: Sequence[str], *parts: Tensor) -> Pair:
    real, imag = (call_function(name, *parts) for name in names)
    return real, imag


TANGENT = ElementaryFunction(real.tangent, complex_.turn_function(complex_.tanh), name="tan")
FUNCTIONS = {
    "chlo.acos": ElementaryFunction(real.acos, complex_.acos, name="acos"),
    "chlo.acosh": ElementaryFunction(real.acosh, complex_.acosh, name="acosh"),
    "chlo.asin": ElementaryFunction(real.asin, complex_.asin, name="asin"),
    "chlo.asinh": ElementaryFunction(real.asinh, complex_.turn_function(complex_.asin), name="asinh"),
    "chlo.atan": ElementaryFunction(real.atan, complex_.turn_function(complex_.atanh), name="atan"),
    "chlo.atanh": ElementaryFunction(real.atanh, complex_.atanh, name="atanh"),
    "chlo.bessel_i1e": ElementaryFunction(special.bessel_i1e, name="bessel_i1e"),
    "chlo.cosh": ElementaryFunction(real.cosh, complex_.cosh, name="cosh"),
    "chlo.digamma": ElementaryFunction(special.digamma, name="digamma"),
    "chlo.erf": ElementaryFunction(error_functions.erf, name="erf"),
    "chlo.erf_inv": ElementaryFunction(error_functions.erf_inv, name="erf_inv"),
    "chlo.erfc": ElementaryFunction(error_functions.erfc, name="erfc"),
    "chlo.lgamma": ElementaryFunction(special.lgamma, name="lgamma"),
    "chlo.polygamma": ElementaryFunction(special.polygamma, name="polygamma"),
    "chlo.sinh": ElementaryFunction(real.sinh, complex_.sinh, name="sinh"),
    "chlo.tan": TANGENT,
    "chlo.zeta": ElementaryFunction(special.zeta, name="zeta"),
    "stablehlo.atan2": ElementaryFunction(real.atan2, complex_.complex_atan2, name="atan2"),
    "stablehlo.cbrt": ElementaryFunction(roots.cbrt, complex_.cbrt, name="cbrt"),
    "stablehlo.cosine": ElementaryFunction(lambda x: real.sine_cosine(x)[1], complex_.cosine, name="cos"),
    "stablehlo.exponential": ElementaryFunction(real.exp, complex_.exp, name="exp"),
    "stablehlo.exponential_minus_one": ElementaryFunction(real.expm1, complex_.expm1, name="expm1"),
    "stablehlo.log": ElementaryFunction(real.log, complex_.log, name="log"),
    "stablehlo.log_plus_one": ElementaryFunction(real.log1p, complex_.log1p, name="log1p"),
    "stablehlo.logistic": ElementaryFunction(real.logistic, complex_.logistic, name="logistic"),
    "stablehlo.power": ElementaryFunction(roots.power, complex_.power, name="power", short=roots.short_power),
    "stablehlo.rsqrt": ElementaryFunction(lambda x: 1 / x.sqrt(), complex_.rsqrt, name="rsqrt"),
    "stablehlo.sine": ElementaryFunction(real.sine, complex_.turn_function(complex_.sinh), name="sin"),
    "stablehlo.sqrt": ElementaryFunction(Tensor.sqrt, complex_.sqrt, name="sqrt"),
    "stablehlo.tan": TANGENT,
    "stablehlo.tanh": ElementaryFunction(real.tanh, complex_.tanh, name="tanh"),
}
SQUARE_ROOT = FUNCTIONS["stablehlo.sqrt"]


def unary(function: ElementaryFunction) -> Callable[..., Any]:
    return lambda x, *, lowering, out: function(lowering, x, type=out[0])


def binary(function: ElementaryFunction) -> Callable[..., Any]:
    return lambda x, y, *, lowering: function(lowering, x, y)


for name, function in FUNCTIONS.items():
    if name != "stablehlo.atan2":
        kind = unary if function.operands == 1 else binary
        rule(name, ignored=("result_accuracy",))(kind(function))


@rule("stablehlo.atan2", ignored=("result_accuracy",))
def angle(y: Any, x: Any, *, lowering: Lowering, out: Types) -> Any:
    """JAX's inverse tangent of y is the angle of the point (1, y)."""
    if isinstance(x, Tensor) and is_float(x) and computed_number(x) == 1:
        return FUNCTIONS["chlo.atan"](lowering, y, type=out[0])
    return FUNCTIONS["stablehlo.atan2"](lowering, y, x)
