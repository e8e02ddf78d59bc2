"""The meaning of every op, one file per family; importing this package fills `RULES`."""

from . import (  # noqa: F401  (registers the rules)
    broadcasting,
    collectives,
    conversion,
    convolution,
    custom_calls,
    dialects,
    dot,
    eigen,
    elementwise,
    fft,
    functions,
    gather,
    linalg,
    mapping,
    movement,
    normalization,
    random,
    reduction,
    sort,
    special,
)
from .registry import RULES, apply, lower, rule, schema_problem

__all__ = ["RULES", "apply", "lower", "rule", "schema_problem"]
