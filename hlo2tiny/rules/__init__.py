"""The meaning of every op, one file per family; importing this package fills `RULES`."""

from . import (  # noqa: F401  (registers the rules)
    broadcasting,
    collectives,
    complex_elementary,
    convolution,
    custom_calls,
    dialects,
    dot,
    elementary,
    elementwise,
    fft,
    float32,
    gather,
    integers,
    linalg,
    mapping,
    movement,
    normalization,
    random,
    reduction,
    selection,
    sort,
    special,
)
from .registry import RULES, apply, lower, rule, schema_problem

__all__ = ["RULES", "apply", "lower", "rule", "schema_problem"]
