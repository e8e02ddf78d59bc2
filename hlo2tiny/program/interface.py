"""What a program takes and returns: the names and declared types of its arguments and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..formats.artifact import Signature
from ..ir import BoolAttr, Function, IntegerAttr, Module, StringAttr, SymbolAttr, TensorType, Value
from ..ir.dtypes import expect_tensor
from ..ir.sharding import Placement
from ..records import dataclass

# What jax.export calls the model's function, inside main.
WRAPPED = "_wrapped_jax_export_main"


@dataclass(frozen=True, eq=False)
class Interface:
    """All arguments and results of a program's main function."""

    input_names: Sequence[str]  # '' if the module does not say
    output_names: Sequence[str]
    inputs: Sequence[TensorType]  # the declared types, which may leave dimensions open
    outputs: Sequence[TensorType]
    signature: Signature  # what the exporter says about calls
    # How several devices hold the arguments and the results; () for one device.
    placements: tuple[Sequence[Placement], Sequence[Placement]] = ((), ())

    @property
    def shardings(self) -> Sequence[Sequence[Sequence[str]]]:
        """For the arguments, and for the results, the axes along which each dimension is cut."""
        return [[placement.axes for placement in side] for side in self.placements]

    @property
    def is_static(self) -> bool:
        """Whether the shapes of all arguments are known."""
        return not any(None in type.shape for type in self.inputs)


def interface_of(module: Module, entry: Function, signature: Signature) -> Interface:
    inputs, outputs = ([expect_tensor(type) for type in side] for side in (entry.type.inputs, entry.type.results))
    return Interface(argument_names(module, entry), result_names(entry), inputs, outputs, signature)


def argument_names(module: Module, function: Function) -> list[str]:
    """The names that the exporter gave the arguments: loc("params['Dense_0']['kernel']").

    If shapes are symbolic, jax.export wraps the model's function in a main function without names. The platform's
    number, in an export for several platforms, has no name either.
    """
    inside: dict[Value, str] = {}
    for op in function.code.ops:
        symbol = op.attributes.get("callee")
        wrapped = module.functions.get(symbol.names[-1]) if isinstance(symbol, SymbolAttr) else None
        if wrapped is not None and wrapped.body is not None and wrapped.name.startswith(WRAPPED):
            inside = {v: own_name(argument) for v, argument in zip(op.operands, wrapped.body.arguments)}
    constants = [text_attribute(attributes, "jax.global_constant") for attributes in function.argument_attributes]
    return [
        own_name(v) or inside.get(v, "") or name for v, name in zip(function.code.arguments, constants, strict=True)
    ]


def own_name(value: Value) -> str:
    return value.location.name if value.location else ""


# The attributes that give up an argument's memory: for the result of that number, or for any.
DONATION = ("tf.aliasing_output", "jax.buffer_donor")


def donors_of(function: Function) -> dict[int, int | None]:
    """The arguments whose memory the file gives up for results, and the result where the file names it."""
    donors: dict[int, int | None] = {}
    for i, attributes in enumerate(function.argument_attributes):
        result, donor = map(attributes.get, DONATION)
        if isinstance(result, IntegerAttr) or donor == BoolAttr(True):
            donors[i] = result.value if isinstance(result, IntegerAttr) else None
    return donors


def result_names(function: Function) -> list[str]:
    """The names in jax.result_info."""
    return [text_attribute(attributes, "jax.result_info") for attributes in function.result_attributes]


def text_attribute(attributes: Mapping[str, Any], name: str) -> str:
    value = attributes.get(name)
    return value.value if isinstance(value, StringAttr) else ""
