"""The names of dimensions in a module that jax.export wrote for symbolic shapes.

A type says only that a dimension is open. Its name is in the messages of the constraints that main asserts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..ir import Module, StringAttr, TensorType
from ..ir.entry import default_entry

SPECIFICATIONS = re.compile(r"polymorphic shapes specifications: (.*?)\. Obtained dimension variables", re.DOTALL)
LONGEST_MESSAGE = 100_000


def open_dimensions(module: Module) -> Sequence[Sequence[str]]:
    """The dimensions of the entry's tensors as text, () for a static one; () for all if the module does not say."""
    main = default_entry(module)
    if main is None or main.body is None:
        return ()
    tensors = [t for t in main.type.inputs if isinstance(t, TensorType)]
    shapes = [t.shape for t in tensors if None in t.shape]
    if not shapes:
        return ()
    for op in main.body.ops:
        message = op.attributes.get("error_message")
        if op.name != "stablehlo.custom_call" or not isinstance(message, StringAttr):
            continue
        match = SPECIFICATIONS.search(message.value[:LONGEST_MESSAGE])
        written = [split(text) for text in match[1].split(".shape = ")[1:]] if match else []
        if len(written) == len(shapes) and all(map(fits, written, shapes)):
            names = iter(written)
            return [next(names) if None in shape else () for shape in (t.shape for t in tensors)]
    return ()


def split(text: str) -> list[str]:
    """The dimensions of the shape at the start of a text such as (b, mod(a, 2)), where they may be calls themselves."""
    depth, parts = 0, [""]
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth == 0:
            break
        if c == "," and depth == 1:
            parts.append("")
        elif depth > 1 or c != "(":
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def fits(written: Sequence[str], shape: Sequence[int | None]) -> bool:
    return len(written) == len(shape) and all(size is None or w == str(size) for w, size in zip(written, shape))
