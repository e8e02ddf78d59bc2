"""Shardy's ops that return their operand. What they say about devices is ignored, since values are whole here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir import DialectAttr, TensorType, Type
from ..ir.dimensions import Shape
from .attributes import ANYTHING, I64, Kind, as_written, make_number_kind, optional
from .definition import op
from .traits import Trait


def shardy(name: str, kind: str = "") -> Kind:
    """#sdy.name<…>, written as <…> in a pretty form; or #sdy<kind…>, written without the kind."""

    def encode(value: Any) -> DialectAttr:
        text = as_written(value)
        if not kind and not text.startswith("<"):
            raise ValueError(f"expected <@mesh, […]>, found {text}")
        return DialectAttr("sdy", name, {}, f"{kind}{text}" if kind else text[1:-1])

    return Kind("a Shardy attribute", ANYTHING.decode, encode)


SHARDING = shardy("sharding")
AXES, LISTS = shardy("", "axis_ref_list"), shardy("", "list_of_axis_ref_lists")


def same_shape(operand: Type) -> list[Shape | None]:
    return [operand.shape if isinstance(operand, TensorType) else None]


def rows(names: str, attributes: Mapping[str, Kind], form: str = "%") -> None:
    row: dict[str, Any] = {"quantized": "several", "tensors": False, "traits": Trait.IDENTITY, "shapes": same_shape}
    for name in names.split():
        op(f"sdy.{name}", "T -> T", attributes=attributes, form=form, **row)


def collective(names: str, axes: str, kind: Kind) -> None:
    rows(names, {axes: kind, "out_sharding": SHARDING}, f"${axes} % out_sharding = $out_sharding")


collective("all_gather", "gathering_axes", LISTS)
collective("all_reduce", "reduction_axes", AXES)
collective("all_slice", "slicing_axes", LISTS)
collective("all_to_all", "params", shardy("", "all_to_all_param_list"))
collective("reduce_scatter", "reduce_scatter_axes", LISTS)
collective("replicated_to_unreduced", "axes", AXES)
collective("sharded_to_unreduced", "axes", LISTS)
rows("collective_permute", {"out_sharding": SHARDING}, "% out_sharding = $out_sharding")
rows("reshard sharding_constraint", {"sharding": SHARDING}, "% <$sharding>")
rows("data_flow_edge func_data_flow_edge", {"sharding": optional(SHARDING)}, "% sharding = $sharding")
op(
    "sdy.sharding_group",
    ". ->",
    quantized="several",
    attributes={"group_id": I64},
    flops=lambda operand: 0,
    form="% group_id = $group_id : operands",
    tensors=False,
)
DIRECTIONS = make_number_kind("direction", "i32", "NONE", "FORWARD", "BACKWARD", "BOTH")
rows("propagation_barrier", {"allowed_direction": DIRECTIONS}, "% allowed_direction = $allowed_direction")
