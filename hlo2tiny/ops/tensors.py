"""Ops of the tensor dialect, which exporters use for the sizes of dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .definition import op
from .folding import Fold, identity, of_shape, of_values, to_shape
from .traits import Cost, Trait


def row(name: str, elements: str, form: str = "%", fold: Fold | None = None) -> None:
    row: dict[str, Any] = {"traits": Trait.SHAPES, "cost": Cost.FREE, "fold": fold}
    op(f"tensor.{name}", elements, quantized="several", form=form, tensors=False, **row)


row("cast", ". -> .", fold=identity)
row("dim", ".. -> .", "% : dim", of_shape(lambda shape, index: shape[int(index)]))
row("empty", "-> .", "(%) : extents")
row("extract", "..* -> .", "%[%] : extract", of_values(lambda x, *at: x[tuple(int(i) for i in at)]))
listed = to_shape(lambda *xs, shape: np.array([int(x) for x in xs], object).reshape(shape))
row("from_elements", ".* -> .", "% : elements", listed)
row("splat", ". -> .", "% : splat")
