"""mhlo, StableHLO's predecessor: what its ops are called today, and how those that differ are written."""

from __future__ import annotations

from .definition import OPS, RENAMED
from .foreign import foreign

# Its only ops without a counterpart in StableHLO or CHLO.
ALONE = {
    f"mhlo.{name}"
    for name in (
        "add_dependency async_done async_start async_update bitcast copy domain fusion minimum_broadcast_shapes mulhi"
        " ragged_dot scan stochastic_convert trace xla.rng_get_and_update_state"
    ).split()
}


def current_name(name: str) -> str:
    """The op of StableHLO or CHLO that an op of mhlo is today; the same name if it is neither."""
    if name in ALONE:
        return name
    twin, special = (name.replace("mhlo", dialect, 1) for dialect in ("stablehlo", "chlo"))
    return RENAMED.get(name) or (special if special in OPS and twin not in OPS else twin)


# Attributes in addition to those of StableHLO's ops of the same names.
foreign("mhlo.all_to_all", "channel_handle? concat_dimension? replica_groups split_count? split_dimension?")
foreign("mhlo.async_start", "called_computation execution_thread")
foreign("mhlo.copy", "cross_program_prefetch_index?")
foreign(
    "mhlo.custom_call",
    "api_version? backend_config? call_target_name called_computations? custom_call_schedule? has_side_effect?"
    " operand_layouts? output_operand_aliases? result_layouts?",
)
foreign(
    "mhlo.dynamic_conv",
    "batch_group_count dimension_numbers feature_group_count lhs_dilation? padding? precision_config? rhs_dilation?"
    " window_reversal? window_strides?",
)
foreign("mhlo.domain", "entry_metadata exit_metadata kind")
foreign("mhlo.fusion", "fusion_kind? output_operand_aliases?")
foreign("mhlo.ragged_dot", "precision_config? ragged_dot_dimension_numbers")
foreign("mhlo.scan", "dimension is_associative? is_reverse? operandSegmentSizes:2 resultSegmentSizes:2 scan_dim_size?")
foreign("mhlo.topk", "k largest?")
foreign("mhlo.trace", "tag")
foreign("mhlo.xla.rng_get_and_update_state", "delta")
