"""Attributes that other projects leave on ops for their own compilers, and that do not affect the op's results.

An attribute that is neither in an op's row nor in this table is refused. Attributes with a dialect's prefix
(mhlo.sharding, mhlo.frontend_attributes, tf.aliasing_output, jax.arg_info, sdy.sharding, xla_framework.…) are
discardable by MLIR's rules, so the table lists only the exceptions among them.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy as np

from ..ir import ArrayAttr, Attribute, DenseAttr, DialectAttr, StringAttr


class Note(NamedTuple):
    """An attribute that may be ignored."""

    name: str  # * stands for any characters
    source: str  # who writes it and why
    fits: Callable[[Attribute], bool]  # whether a value is such a note


def is_text(attribute: Attribute) -> bool:
    return isinstance(attribute, StringAttr)


def is_layout(attribute: Attribute) -> bool:
    """Whether an attribute lists all dimensions, as a layout does: fastest varying in memory first."""
    if not isinstance(attribute, DenseAttr) or len(attribute.type.shape) != 1:
        return False
    return bool(np.array_equal(np.sort(attribute.data), np.arange(attribute.data.size)))


def are_layouts(attribute: Attribute) -> bool:
    return isinstance(attribute, ArrayAttr) and all(map(is_layout, attribute.items))


def is_foreign(attribute: Attribute) -> bool:
    """Whether an attribute belongs to a dialect that is not read here."""
    known = ("builtin", "stablehlo", "mhlo", "chlo", "vhlo", "sdy", "quant")
    return isinstance(attribute, DialectAttr) and attribute.dialect not in known


def is_anything(attribute: Attribute) -> bool:
    return True


NOTES = (
    Note("xla_shape", "XLA and PyTorch/XLA: the result's type and layout in HLO text", is_text),
    Note("result_layout", "XLA and PyTorch/XLA: the result's layout in memory", is_layout),
    Note("source_layout", "XLA: the operand's layout in memory (matters for mhlo.bitcast only)", is_layout),
    Note("minor_to_major", "XLA until 2021: the result's layout in memory", is_layout),
    Note("operand_layouts", "XLA: the operands' layouts in memory", are_layouts),
    Note("result_layouts", "XLA: the results' layouts in memory", are_layouts),
    Note("execution_thread", "XLA: the thread that an asynchronous computation runs on", is_text),
    Note("name", "XLA until 2021: the instruction's name in HLO text", is_text),
    Note("device", "TensorFlow: the device that the op was placed on", is_text),
    Note("_*", "TensorFlow: internal attributes such as _XlaSharding and _output_shapes", is_anything),
    Note("onnx_node_name", "onnx-mlir: the node that the op comes from", is_text),
    Note("compilation_info", "IREE: how to compile the op", is_foreign),
    Note("lowering_config", "IREE: how to tile the op", is_foreign),
)
# Attributes with a prefix that must not be ignored.
MEANT = {"mhlo.literal"}  # XLA: the contents of a constant


def is_note(name: str, attribute: Attribute) -> bool:
    """Whether an attribute that is not in an op's row may be ignored."""
    if "." in name:
        return name not in MEANT
    return any(fnmatchcase(name, note.name) and note.fits(attribute) for note in NOTES)
