"""Ops of the tensor dialect, which exporters use for the sizes of dimensions."""

from __future__ import annotations

from .definition import op


def row(name: str, elements: str, form: str = "%") -> None:
    op(f"tensor.{name}", elements, quantized="several", form=form, tensors=False)


row("cast", ". -> .")
row("dim", ".. -> .", "% : dim")
row("empty", "-> .", "(%) : extents")
row("extract", "..* -> .", "%[%] : extract")
row("from_elements", ".* -> .", "% : elements")
row("splat", ". -> .", "% : splat")
