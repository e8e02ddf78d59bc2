"""How ops without a row are written: ops of dialects that are only read, those of mhlo are in `mhlo`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from ..ir import Attribute
from .attributes import ANYTHING, SYMBOL, Kind, optional, segments
from .definition import FOREIGN, Schema, schema_of
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
