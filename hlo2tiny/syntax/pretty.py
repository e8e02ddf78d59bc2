"""What the pretty forms leave out: which attribute a clause stands for, and which types one written type stands for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir import (
    ArrayAttr,
    Attribute,
    BoolAttr,
    ComplexType,
    DenseArrayAttr,
    DenseAttr,
    DialectAttr,
    IntegerAttr,
    OpaqueType,
    ScalarType,
    StringAttr,
    TensorType,
    TokenType,
    TupleType,
    Type,
    UnitAttr,
    UnrankedTensorType,
)
from ..ir.attributes import CONV_FIELDS, CONV_LETTERS
from ..ir.strings import unquote

I1, I32, I64, INDEX = ScalarType("i1"), ScalarType("i32"), ScalarType("i64"), ScalarType("index")
SHAPE, SIZE, WITNESS = (OpaqueType(f"!shape.{name}") for name in ("shape", "size", "witness"))
TOKEN = TokenType()
Attributes = dict[str, Attribute]

# ---------------------------------------------------------------- names

# Inside func.func, the func dialect's prefix may be left out.
DEFAULT_DIALECT = {name: f"func.{name}" for name in ("call", "call_indirect", "constant", "return")}
# mhlo is StableHLO's predecessor, op by op, but for these.
MHLO_ALONE = {
    "mhlo." + name
    for name in [
        "add_dependency",
        "async_done",
        "async_start",
        "async_update",
        "bitcast",
        "copy",
        "domain",
        "fusion",
        "minimum_broadcast_shapes",
        "mulhi",
        "ragged_dot",
        "scan",
        "stochastic_convert",
        "trace",
        "xla.rng_get_and_update_state",
    ]
}
MHLO_CHLO = {
    "mhlo." + name: "chlo." + name for name in ["acos", "acosh", "asin", "asinh", "atanh", "cosh", "sinh", "erf"]
} | {"mhlo.topk": "chlo.top_k"}


def op_name(name: str) -> str:
    """An op's full name of today."""
    if name.startswith("mhlo.") and name not in MHLO_ALONE:
        return MHLO_CHLO.get(name) or "stablehlo" + name[4:]
    return DEFAULT_DIALECT.get(name, name)


# ---------------------------------------------------------------- structured attributes

# Attributes of HLO dialects with fields: each field's type, and what it is when left out; a bare type must be given.
_DOT_FIELDS: dict[str, Any] = {
    f"{side}_{kind}_dimensions": [] for kind in ("batching", "contracting") for side in ("lhs", "rhs")
}
STRUCTS: dict[str, dict[str, Any]] = {
    "dot": _DOT_FIELDS,
    "ragged_dot": {**_DOT_FIELDS, "lhs_ragged_dimensions": [], "rhs_group_dimensions": []},
    "gather": {
        "offset_dims": [],
        "collapsed_slice_dims": [],
        "operand_batching_dims": [],
        "start_indices_batching_dims": [],
        "start_index_map": [],
        "index_vector_dim": 0,
    },
    "scatter": {
        "update_window_dims": [],
        "inserted_window_dims": [],
        "input_batching_dims": [],
        "scatter_indices_batching_dims": [],
        "scatter_dims_to_operand_dims": [],
        "index_vector_dim": 0,
    },
    "conv": {
        "input_batch_dimension": int,
        "input_feature_dimension": int,
        "input_spatial_dimensions": list,
        "kernel_input_feature_dimension": int,
        "kernel_output_feature_dimension": int,
        "kernel_spatial_dimensions": list,
        "output_batch_dimension": int,
        "output_feature_dimension": int,
        "output_spatial_dimensions": list,
    },
    "channel_handle": {"handle": int, "type": int},
    "output_operand_alias": {"output_tuple_indices": [], "operand_index": int, "operand_tuple_indices": []},
    "dot_algorithm": {
        "lhs_precision_type": str,
        "rhs_precision_type": str,
        "accumulation_type": str,
        "lhs_component_count": int,
        "rhs_component_count": int,
        "num_primitive_operations": int,
        "allow_imprecise_accumulation": bool,
    },
    "result_accuracy": {"atol": 0.0, "rtol": 0.0, "ulps": 0, "mode": DialectAttr},
    "bounds": {"bounds": list},
}


def struct(dialect: str, name: str, fields: dict[str, Any]) -> DialectAttr:
    """An attribute with fields, those left out filled in; mhlo's are StableHLO's.

    Raises:
        ValueError: a field is unknown, missing, or not of its type.
    """
    known = STRUCTS[name]
    for field in fields:
        if field not in known:
            raise ValueError(f"#{dialect}.{name} has no field '{field}'; it has {', '.join(known)}")
    found = {}
    for field, default in known.items():
        kind = default if isinstance(default, type) else type(default)
        if field not in fields and kind is default:
            raise ValueError(f"#{dialect}.{name} lacks the field '{field}'")
        found[field] = fields.get(field, default)
        if type(found[field]) is not kind:
            raise ValueError(f"the field '{field}' of #{dialect}.{name} is no {kind.__name__.lower()}")
    if name == "conv":
        for names in CONV_FIELDS:
            places = [found[names[0]], found[names[1]], *found[names[2]]]
            if sorted(places) != list(range(len(places))):
                raise ValueError(f"{', '.join(names)} must be 0, 1, … in some order, found {places}")
    return DialectAttr("stablehlo" if dialect == "mhlo" else dialect, name, found)


def dim_numbers(text: str) -> DialectAttr:
    """#stablehlo.conv from [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].

    Raises:
        ValueError: a letter or a number is missing, or there twice.
    """
    fields: dict[str, Any] = {}
    parts = re.findall(r"\[([^\]]*)\]", text)
    if len(parts) != len(CONV_FIELDS):
        raise ValueError("expected the dimensions of a convolution, such as [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]")
    for part, names, letters in zip(parts, CONV_FIELDS, CONV_LETTERS, strict=True):
        items = [item.strip() for item in part.split(",") if item.strip()]
        spatial = sorted((item for item in items if item.isdigit()), key=int)
        if [int(item) for item in spatial] != list(range(len(spatial))) or any(items.count(c) != 1 for c in letters):
            raise ValueError(f"[{part}] needs each of {letters[0]}, {letters[1]} and 0, 1, … once")
        fields[names[0]], fields[names[1]] = items.index(letters[0]), items.index(letters[1])
        fields[names[2]] = [items.index(item) for item in spatial]
    return DialectAttr("stablehlo", "conv", fields)


def enum(name: str, keyword: str, dialect: str = "stablehlo") -> DialectAttr:
    """#stablehlo<comparison_direction EQ>."""
    return DialectAttr(dialect, name, {}, keyword)


# ---------------------------------------------------------------- clauses


def integers(text: str) -> list[int]:
    """[0, 1]."""
    body = text[1:-1].strip()
    try:
        return [int(item) for item in body.split(",")] if body else []
    except ValueError:
        raise ValueError(f"expected a list of integers, found {text}") from None


def i64_array(values: list[int]) -> DenseArrayAttr:
    """array<i64: 0, 1>."""
    return DenseArrayAttr(I64, tuple(values))


Clause = Callable[[Attributes, Any], None]


def _array(name: str) -> Clause:
    def clause(attributes: Attributes, value: Any) -> None:
        attributes[name] = i64_array(integers(value))

    return clause


def _integer(name: str, type: ScalarType = I64) -> Clause:
    def clause(attributes: Attributes, value: Any) -> None:
        attributes[name] = IntegerAttr(int(value), type)

    return clause


def _enum(name: str, kind: str) -> Clause:
    def clause(attributes: Attributes, value: Any) -> None:
        if not re.fullmatch(r"\w+", value):
            raise ValueError(f"expected a keyword, found {value}")
        attributes[name] = enum(kind, str(value))

    return clause


def _boolean(name: str) -> Clause:
    def clause(attributes: Attributes, value: Any) -> None:
        attributes[name] = BoolAttr({"true": True, "false": False}[value])

    return clause


def _string(name: str) -> Clause:
    def clause(attributes: Attributes, value: Any) -> None:
        attributes[name] = StringAttr(unquote(value))

    return clause


def _sharding(name: str) -> Clause:
    def clause(attributes: Attributes, value: Any) -> None:
        if not value.startswith("<"):
            raise ValueError(f"expected <@mesh, […]>, found {value}")
        attributes[name] = DialectAttr("sdy", "sharding", {}, str(value[1:-1]))

    return clause


def _format(attributes: Attributes, value: Any) -> None:
    match = re.fullmatch(r"e(\d+)m(\d+)", value)
    if match is None:
        raise ValueError(f"expected a format such as e5m10, found {value}")
    attributes["exponent_bits"] = IntegerAttr(int(match[1]), I32)
    attributes["mantissa_bits"] = IntegerAttr(int(match[2]), I32)


def _precision(attributes: Attributes, value: Any) -> None:
    words = value[1:-1].split(",")
    attributes["precision_config"] = ArrayAttr(tuple(enum("precision", word.strip()) for word in words if word.strip()))


def _dot_dims(kind: str) -> Clause:
    def clause(attributes: Attributes, value: Any) -> None:
        lhs, rhs = (integers(part) for part in value)
        before = attributes.get("dot_dimension_numbers")
        fields = dict(before.fields) if isinstance(before, DialectAttr) else {}
        fields |= {f"lhs_{kind}_dimensions": lhs, f"rhs_{kind}_dimensions": rhs}
        attributes["dot_dimension_numbers"] = struct("stablehlo", "dot", fields)

    return clause


def _dim_numbers(attributes: Attributes, value: Any) -> None:
    attributes["dimension_numbers"] = dim_numbers(value)


def _window(attributes: Attributes, value: Any) -> None:
    names = {"stride": "window_strides", "lhs_dilate": "lhs_dilation", "rhs_dilate": "rhs_dilation"}
    for name, item in value.items():
        values = _plain(item)
        if name in names:
            attributes[names[name]] = i64_array(values)
        elif name == "reverse":
            attributes["window_reversal"] = DenseArrayAttr(I1, tuple(bool(v) for v in values))
        elif name == "pad":
            data = np.array(values, np.int64).reshape(-1, 2)
            attributes["padding"] = DenseAttr(TensorType((len(data), 2), I64), data)
        else:
            raise ValueError(f"a window has no '{name}'; it has stride, pad, lhs_dilate, rhs_dilate, reverse")


def _plain(attribute: Attribute) -> Any:
    match attribute:
        case ArrayAttr(items):
            return [_plain(item) for item in items]
        case IntegerAttr(value) | BoolAttr(value):
            return value
    raise ValueError("expected a list of integers")


def _algorithm(attributes: Attributes, value: Any) -> None:
    attributes["algorithm"] = value


_DOT: dict[str, Clause] = {
    "contracting_dims": _dot_dims("contracting"),
    "batching_dims": _dot_dims("batching"),
    "precision": _precision,
    "algorithm": _algorithm,
}
# Which attribute the axes before the operand are, and of which kind.
_LISTS, _SET = "list_of_axis_ref_lists", "axis_ref_list"
AXES = {
    "sdy.all_gather": ("gathering_axes", _LISTS),
    "sdy.all_reduce": ("reduction_axes", _SET),
    "sdy.all_slice": ("slicing_axes", _LISTS),
    "sdy.all_to_all": ("params", "all_to_all_param_list"),
    "sdy.reduce_scatter": ("reduce_scatter_axes", _LISTS),
    "sdy.replicated_to_unreduced": ("axes", _SET),
    "sdy.sharded_to_unreduced": ("axes", _LISTS),
}
CLAUSES: dict[str, dict[str, Clause]] = {
    "stablehlo.broadcast": {"sizes": _array("broadcast_sizes")},
    "stablehlo.broadcast_in_dim": {"dims": _array("broadcast_dimensions")},
    "stablehlo.cholesky": {"lower": _boolean("lower")},
    "stablehlo.concatenate": {"dim": _integer("dimension")},
    "stablehlo.convolution": {"dim_numbers": _dim_numbers, "window": _window},
    "stablehlo.dot": {"precision": _precision},
    "stablehlo.dot_general": _DOT,
    "stablehlo.dynamic_conv": {"dim_numbers": _dim_numbers, "window": _window},
    "stablehlo.dynamic_broadcast_in_dim": {"dims": _array("broadcast_dimensions")},
    "stablehlo.dynamic_iota": {"dim": _integer("iota_dimension")},
    "stablehlo.dynamic_slice": {"sizes": _array("slice_sizes")},
    "stablehlo.einsum": {"config": _string("einsum_config")},
    "stablehlo.fft": {"type": _enum("fft_type", "fft_type"), "length": _array("fft_length")},
    "stablehlo.get_dimension_size": {"dim": _integer("dimension")},
    "stablehlo.iota": {"dim": _integer("iota_dimension")},
    "stablehlo.pad": {
        "low": _array("edge_padding_low"),
        "high": _array("edge_padding_high"),
        "interior": _array("interior_padding"),
    },
    "stablehlo.reduce_precision": {"format": _format},
    "stablehlo.reverse": {"dims": _array("dimensions")},
    "stablehlo.rng": {"distribution": _enum("rng_distribution", "rng_distribution")},
    "stablehlo.rng_bit_generator": {"algorithm": _enum("rng_algorithm", "rng_algorithm")},
    "stablehlo.set_dimension_size": {"dim": _integer("dimension")},
    "stablehlo.transpose": {"dims": _array("permutation")},
    "stablehlo.unary_einsum": {"config": _string("einsum_config")},
    "chlo.top_k": {"k": _integer("k"), "largest": _boolean("largest"), "is_stable": _boolean("is_stable")},
    **{name: {"error": _string("error")} for name in ("shape.broadcast", "shape.meet")},
    **{name: {"out_sharding": _sharding("out_sharding")} for name in ("sdy.collective_permute", *AXES)},
    "sdy.data_flow_edge": {"sharding": _sharding("sharding")},
    "sdy.sharding_group": {"group_id": _integer("group_id")},
    "sdy.propagation_barrier": {
        "allowed_direction": lambda attributes, value: attributes.update(
            allowed_direction=IntegerAttr(["NONE", "FORWARD", "BACKWARD", "BOTH"].index(value), I32)
        )
    },
}
ARITH_PREDICATES = {
    "arith.cmpi": ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"],
    "arith.cmpf": [
        "false",
        "oeq",
        "ogt",
        "oge",
        "olt",
        "ole",
        "one",
        "ord",
        "ueq",
        "ugt",
        "uge",
        "ult",
        "ule",
        "une",
        "uno",
        "true",
    ],
}

ROUNDING_MODES = ["to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"]


def flag(word: str, inside: str) -> tuple[str, Attribute]:
    """The attribute of arith that a flag before the types stands for."""
    if word in ROUNDING_MODES:
        return "roundingmode", IntegerAttr(ROUNDING_MODES.index(word), I32)
    if word in ("overflow", "fastmath"):
        return "overflowFlags" if word == "overflow" else word, DialectAttr("arith", word, {}, inside)
    return {"exact": "isExact", "nneg": "nonNeg"}[word], UnitAttr()


# Ops written without types, and their results'.
UNTYPED = {"shape.assuming_all": WITNESS, "shape.cstr_require": WITNESS, "shape.index_to_size": SIZE}

# Ops that take their operands in parentheses.
PARENTHESISED = {"stablehlo.convolution", "stablehlo.dynamic_conv", "chlo.top_k", "tensor.empty"}

MOST_DIMENSIONS = 1 << 10
# Attributes that older exporters wrote as dense<…> : tensor<…xi64>, today arrays.
ARRAYS = {
    "broadcast_dimensions",
    "broadcast_sizes",
    "permutation",
    "dimensions",
    "slice_sizes",
    "start_indices",
    "limit_indices",
    "strides",
    "edge_padding_low",
    "edge_padding_high",
    "interior_padding",
    "window_dimensions",
    "window_strides",
    "base_dilations",
    "window_dilations",
    "fft_length",
    "lhs_dilation",
    "rhs_dilation",
    "window_reversal",
    "known_expanding_dimensions",
    "known_nonexpanding_dimensions",
}


def modernise(name: str, attributes: Attributes) -> Attributes:
    """An HLO op's attributes as today's generic form has them."""
    for key, attribute in attributes.items():
        if key not in ARRAYS or not isinstance(attribute, DenseAttr) or len(attribute.type.shape) != 1:
            continue
        if attribute.data.dtype.kind in "biu":
            if attribute.data.size > MOST_DIMENSIONS:
                raise ValueError(f"'{key}' has {attribute.data.size} numbers, more than a tensor has dimensions")
            element = I1 if attribute.data.dtype == np.bool_ else I64
            attributes[key] = DenseArrayAttr(element, tuple(attribute.data.tolist()))
    if name == "chlo.top_k" and attributes.get("largest") == BoolAttr(True):
        del attributes["largest"]  # mhlo.topk has it, and so it always is here
    return attributes


# ---------------------------------------------------------------- types


def operand_and_result_types(name: str, operands: int, written: tuple[Type, ...]) -> tuple[list[Type], list[Type]]:
    """The types that a list of types without -> stands for, op by op.

    Raises:
        ValueError: it cannot stand for the op's types.
    """
    first = written[0]
    if name.endswith((".return", "yield")) or name.startswith("check.expect") or name == "sdy.sharding_group":
        return list(written) if len(written) == operands else [first] * operands, []
    match name:
        case "stablehlo.optimization_barrier":
            return list(written), list(written)
        case "stablehlo.tuple":
            if not isinstance(first, TupleType):
                raise ValueError("expected a tuple type")
            return list(first.types), [first]
        case "stablehlo.complex":
            if not isinstance(first, TensorType) or not isinstance(first.element, ComplexType):
                raise ValueError("expected a tensor of complex numbers")
            return [TensorType(first.shape, first.element.element, first.encoding)] * operands, [first]
        case "stablehlo.select" | "arith.select" if len(written) == 2:
            return [first, written[1], written[1]], [written[1]]
        case "arith.select":
            return [I1, first, first], [first]
        case "arith.cmpi" | "arith.cmpf":
            return [first, first], [TensorType(first.shape, I1) if isinstance(first, TensorType) else I1]
        case "tensor.dim":
            return [first, ScalarType("index")], [ScalarType("index")]
        case "tensor.extract" if isinstance(first, TensorType | UnrankedTensorType):
            return [first, *[ScalarType("index")] * (operands - 1)], [first.element]
        case "tensor.from_elements" if isinstance(first, TensorType):
            return [first.element] * operands, [first]
        case "tensor.splat" if isinstance(first, TensorType):
            return [first.element, *[INDEX] * (operands - 1)], [first]
        case "tensor.empty":
            return [INDEX] * operands, [first]
        case "shape.cstr_broadcastable" | "shape.cstr_eq":
            return list(written), [WITNESS]
        case "shape.is_broadcastable" | "shape.shape_eq":
            return list(written), [I1]
        case "shape.from_extents" | "shape.from_extent_tensor":
            return list(written), [SHAPE]
        case "shape.size_to_index":
            return list(written), [INDEX]
    if len(written) != 1:
        raise ValueError(f"expected one type, or (operand types) -> result types, found {len(written)} types")
    return [first] * operands, [first]
