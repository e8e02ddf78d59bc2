"""Gradients of programs, as programs: one file of derivatives for each family of ops, as in rules/."""

from . import control, elementwise, indexing, linalg, movement, products, reductions  # noqa: F401  (they register derivatives)
from .tape import DERIVATIVES, differentiate, gradient, is_differentiable

__all__ = ["DERIVATIVES", "differentiate", "gradient", "is_differentiable"]
