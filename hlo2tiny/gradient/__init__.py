"""Gradients of programs, as programs: one file of derivatives per family of ops, as in rules/."""

from . import control, elementwise, indexing, linalg, movement, products, reductions  # noqa: F401  (register derivatives)
from .tape import DERIVATIVES, gradient, is_differentiable

__all__ = ["DERIVATIVES", "gradient", "is_differentiable"]
