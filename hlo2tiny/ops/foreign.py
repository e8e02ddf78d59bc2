"""How ops without a row are written: ops of dialects that are only read, and those that mhlo has in addition."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from ..ir import Attribute
from .attributes import ANYTHING, SYMBOL, Kind, optional, segments
from .definition import FOREIGN, OPS, RENAMED, Schema, schema_of
from .traits import NO_TRAITS, Trait


def without_defaults(name: str, attributes: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
    """An op's attributes without those that only state the default."""
    schema = schema_of(name)
    return attributes if schema is None else schema.without_defaults(attributes)


def foreign(
    names: str,
    attributes: str = "",
    form: str = "%",
    kinds: Mapping[str, Kind] = MappingProxyType({}),
    traits: Trait = NO_TRAITS,
    parent: str = "",
) -> None:
    """Add ops to `FOREIGN`; the arguments that are not named here are those of `Schema`.

    Args:
        names: "dialect: name name …", or one full name.
        attributes: their names. ? marks one that may be left out, + one that older versions lack (++ one that even
            older versions lack), name:2 the sizes of two groups of values.
    """
    dialect, _, listed = names.rpartition(": ")
    known: dict[str, Kind] = {}
    for plus, key, count, mark in re.findall(r"(\+*)(\w+)(?::(\d))?(\??)", attributes):
        kind = segments(int(count)) if count else kinds.get(key, ANYTHING)
        if mark:
            kind = optional(kind)
        known[key] = replace(kind, since=f"{len(plus)}" if plus else "")
    for name in listed.split():
        full = f"{dialect}.{name}" if dialect else name
        FOREIGN[full] = Schema(full, attributes=known, form=form, traits=traits, parent=parent)


foreign("builtin.module", "sym_name? sym_visibility?")
foreign("func.call", "+arg_attrs? callee ++no_inline? +res_attrs?", "@$callee(%)", {"callee": SYMBOL}, Trait.CALL)
foreign("func.call_indirect", "arg_attrs? res_attrs?")
foreign("func.constant", "value", "$value")
foreign("func.func", "arg_attrs? function_type +no_inline? res_attrs? sym_name sym_visibility?")
RETURN = Trait.TERMINATOR | Trait.ATTRIBUTES_FIRST
foreign("func.return", "", "% : operands", traits=RETURN, parent="func.func")
foreign("cf.assert", "msg", "%, $msg : flags")
foreign("cf.cond_br", "+branch_weights? operandSegmentSizes:3")
foreign("cf.switch", "case_operand_segments case_values? operandSegmentSizes:3")
foreign("sdy.manual_computation", "in_shardings manual_axes out_shardings", traits=Trait.WRAPPER)
foreign("sdy.mesh", "mesh sym_name")
foreign("sdy.named_computation", "in_shardings? name out_shardings?", traits=Trait.WRAPPER)
foreign("sdy.return", "", "% : operands", traits=RETURN)
foreign("tensor.collapse_shape", "reassociation")
foreign("tensor.concat", "dim")
foreign("tensor.expand_shape", "reassociation +static_output_shape")
foreign("tensor.extract_slice", "operandSegmentSizes:4 static_offsets static_sizes static_strides")
foreign("tensor.insert_slice", "operandSegmentSizes:5 static_offsets static_sizes static_strides")
foreign("check.expect_almost_eq_const", "+tolerance? value", "%, $value : operands")
foreign("check.expect_close", "max_ulp_difference? min_ulp_difference?", "% : operands")
foreign("check.expect_eq_const", "value", "%, $value : operands")
foreign("check: expect_almost_eq expect_eq", "", "% : operands")
foreign("check.expect_serialized_eq", "iteration probe_id", "% : operands")
foreign("arith: convertf scaling_truncf", "fastmath? +roundingmode?")
foreign("arith: flush_denormals scaling_extf", "fastmath?")
foreign(
    "math: absf acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 floor fma"
    " fpowi isfinite isinf isnan isnormal log log10 log1p log2 powf round roundeven rsqrt sin sincos sinh sqrt tan tanh"
    " trunc",
    "fastmath?",
)


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
