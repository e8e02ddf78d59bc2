"""The C functions that kernels call instead of computing formulas, by the formulas' names in rules/functions.py."""

from __future__ import annotations

from ..rules.functions import PARTS
from ..tinygrad.expressions import DType, dtypes

# In c/elementary.c; some have a variant with a shorter chain of dependent operations, for tensors of one element.
OF_FLOATS = frozenset("cos erf exp expm1 log log1p logistic power sin tan tanh".split())
ALONE = frozenset(("cos", "sin"))
# Those of doubles there; c/doubles.py prints the others.
OF_DOUBLES = frozenset("exp expm1 tanh".split())
# Shorter ones of floats of 16 bits.
OF_SHORT = {
    dtypes.float16: frozenset("asin cos erf erfc exp expm1 log1p logistic sin tanh".split()),
    dtypes.bfloat16: frozenset("acos asin atan erf log1p tanh".split()),
}
# Those of floats that are for CPUs: all but one compute in doubles, which are as fast there.
ON_PROCESSORS = frozenset("acos acosh asin asinh atan atan2 atanh cosh erfc exp_im exp_re rsqrt sinh".split())
# Those of floats that are for GPUs, where doubles and divisions are slow.
ON_GPUS = frozenset(("atan", "atan2"))
# C's own operations compute these, of doubles.
OPERATIONS = frozenset(("rsqrt", "sqrt"))
# In c/selection.c.
LARGEST = {dtypes.float32: "largest_float", dtypes.int32: "largest_int", dtypes.uint32: "largest_unsigned"}


def function_of_floats(name: str, dtype: DType, alone: bool) -> str | None:
    """The function of c/elementary.c for formulas in float32, or of floats of 16 bits."""
    if dtype in OF_SHORT:
        return f"{name}_h" if name in OF_SHORT[dtype] else None
    if dtype != dtypes.float32 or name not in OF_FLOATS:
        return None
    return f"{name}_1" if alone and name in ALONE else f"{name}_f"


def function_of_doubles(name: str) -> str | None:
    """The function of c/doubles.py."""
    base, _, part = name.rpartition("_")
    if part in PARTS:
        return f"{base}_z_{part}" if base else None
    return f"{name}_d" if name and name not in OPERATIONS and "::" not in name else None  # with :: it is CUDA's


def function_of_processor(name: str, dtype: DType, alone: bool) -> str | None:
    """The function that kernels for CPUs call."""
    if name == "largest":
        return LARGEST.get(dtype)
    if dtype == dtypes.float32 and name in ON_PROCESSORS:
        return f"{name}_f"
    return function_of_doubles(name) if dtype == dtypes.float64 else function_of_floats(name, dtype, alone)
