"""The meaning of every op, one file per family; importing this package fills `RULES`."""

from . import convolution, dot, elementary, elementwise, gather, movement, reduction, sort  # noqa: F401  (registers the rules)
from .registry import RULES, apply, lower, rule, schema_problem

__all__ = ["RULES", "apply", "lower", "rule", "schema_problem"]
