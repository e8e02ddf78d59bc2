"""Products of matrices and convolutions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import gcd, prod
from typing import Any

from ..errors import count_text
from ..ir import ComplexType, QuantizedType, TensorType
from ..ir.dimensions import (
    ConvolutionNumbers,
    DotNumbers,
    Shape,
    decode_convolution,
    decode_dot,
    decode_ragged_dot,
    decode_window,
    einsum_shape,
    einsum_terms,
    matrix_dot,
)
from .attributes import (
    BOOLEANS,
    I64,
    PADDING,
    STEPS,
    STRING,
    Violation,
    all_are,
    enumeration,
    list_of,
    optional,
    structure,
)
from .definition import agree, check_dimensions, check_list, check_padding, count_elements, op, same, shape_text
from .traits import Trait
from .types import as_expressed, element_of, per_axis

# ---------------------------------------------------------------- dots

# The algorithms that hardware implements: the types that the operands are rounded to, the type of the sum, and how many
# products compute one; f8 is any signed float of 8 bits.
ALGORITHMS = {
    ("f8", "f8", "f32", 1),
    ("f16", "f16", "f16", 1),
    ("f16", "f16", "f32", 1),
    ("bf16", "bf16", "bf16", 1),
    *(("bf16", "bf16", "f32", count) for count in (1, 3, 6, 9)),
    *(("tf32", "tf32", "f32", count) for count in (1, 3)),
    ("f32", "f32", "f32", 1),
    ("f64", "f64", "f64", 1),
}
COUNTS = ("lhs_component_count", "rhs_component_count", "num_primitive_operations")


def check_precision(precision: Sequence[str] | None, number: str) -> None:
    if precision is not None and len(precision) > 2:
        words = count_text(len(precision), "word")
        raise Violation(f"precision_config has {words}, expected one for each operand ({number})")


def check_algorithm(algorithm: Mapping[str, Any], precision: Sequence[str] | None) -> None:
    if precision is not None and any(word != "DEFAULT" for word in precision):
        raise Violation(
            f"precision_config is [{', '.join(precision)}], expected DEFAULT together with an algorithm (C21)"
        )
    for label, name in enumerate(COUNTS, 22):
        if algorithm[name] < 1:
            raise Violation(f"{name} is {algorithm[name]}, expected a positive number (C{label})")
    types = [algorithm[name] for name in ("lhs_precision_type", "rhs_precision_type", "accumulation_type")]
    components, products = {algorithm[name] for name in COUNTS[:2]}, algorithm[COUNTS[2]]
    narrow = ["f8" if type.startswith("f8") and type != "f8E8M0FNU" else type for type in types[:2]]
    known = components == {1} and (*narrow, types[2], products) in ALGORITHMS
    if not known or (algorithm["allow_imprecise_accumulation"] and narrow != ["f8", "f8"]):
        algorithm_text = f"({', '.join(types)}, {count_text(products, 'product')})"
        raise Violation(f"the algorithm {algorithm_text} is not supported by any hardware")


def check_complex(types: Sequence[TensorType], result: TensorType) -> None:
    """Check that a product of complex numbers has a complex result."""
    for i, type in enumerate(types):
        if isinstance(type.element, ComplexType) and not isinstance(result.element, ComplexType):
            raise Violation(f"operand {i} is {type}, but the declared type is {result}, which is not complex")


def check_pairs(numbers: DotNumbers, lhs: Shape, rhs: Shape) -> None:
    """Check that the dimensions exist and are distinct, and that paired dimensions have equal sizes."""
    n = numbers
    for label, kind, xs, ys in (
        (1, "batching", n.lhs_batching, n.rhs_batching),
        (2, "contracting", n.lhs_contracting, n.rhs_contracting),
    ):
        if len(xs) != len(ys):
            raise Violation(f"has {count_text(len(xs), f'{kind} dimension')} of lhs but {len(ys)} of rhs (C{label})")
    for label, side, shape, batching, contracting in (
        (3, "lhs", lhs, n.lhs_batching, n.lhs_contracting),
        (4, "rhs", rhs, n.rhs_batching, n.rhs_contracting),
    ):
        check_dimensions(f"{side}_batching_dimensions", batching, len(shape), within=f"C{2 * label - 1}")
        check_dimensions(f"{side}_contracting_dimensions", contracting, len(shape), within=f"C{2 * label}")
        both = [*batching, *contracting]
        if len(set(both)) != len(both):
            raise Violation(f"names a dimension of {side} twice: {list(batching)} and {list(contracting)} (C{label})")
    for label, kind, xs, ys in (
        (9, "batching", n.lhs_batching, n.rhs_batching),
        (10, "contracting", n.lhs_contracting, n.rhs_contracting),
    ):
        for x, y in zip(xs, ys):
            if not same(lhs[x], rhs[y]):
                raise Violation(
                    f"the {kind} dimensions {x} of lhs and {y} of rhs have the sizes {lhs[x]} and {rhs[y]} (C{label})"
                )


def check_quantized_product(
    lhs: TensorType, rhs: TensorType, result: TensorType, first: int, storage: int, real: int
) -> bool:
    """Check the quantized types of a dot or a convolution; returns whether there are any.

    Args:
        first: the number of the constraint on which types are quantized.
        storage: the number of the constraint on storage types; expressed types and scales have the next two.
        real: the number of the constraint on the elements of an lhs that is not quantized.
    """
    a, b, c = lhs.element, rhs.element, result.element
    quantized = [isinstance(e, QuantizedType) for e in (a, b, c)]
    if not any(quantized):
        return False
    if not isinstance(b, QuantizedType) or quantized[0] != quantized[2]:
        types = f"lhs is {lhs}, rhs is {rhs} and the result is {result}"
        raise Violation(f"{types}, expected rhs to be quantized, and both or neither of the others (C{first})")
    if not as_expressed(a) == b.expressed == as_expressed(c):
        expressed = ", ".join(str(as_expressed(e)) for e in (a, b, c))
        number = storage + 1 if quantized[0] else real
        raise Violation(f"lhs, rhs and result have the expressed types {expressed}, expected equal ones (C{number})")
    if isinstance(a, QuantizedType) and a.storage != b.storage:
        raise Violation(f"lhs is stored as {a.storage}, rhs as {b.storage}, expected equal types (C{storage})")
    if per_axis(a):
        raise Violation(f"lhs is {lhs}, expected a single scale")
    if per_axis(c) and not per_axis(b):
        raise Violation(f"the result is {result}, expected a single scale, like rhs (C{storage + 2})")
    return True


def dot_general_shapes(
    lhs: TensorType,
    rhs: TensorType,
    *,
    dot_dimension_numbers: Mapping[str, Any],
    precision_config: Sequence[str] | None,
    algorithm: Mapping[str, Any] | None,
    out: Sequence[TensorType],
) -> Sequence[Shape]:
    numbers = decode_dot(dot_dimension_numbers)
    check_pairs(numbers, lhs.shape, rhs.shape)
    check_precision(precision_config, "C11")
    if algorithm is not None:
        check_algorithm(algorithm, precision_config)
    check_complex((lhs, rhs), out[0])
    if check_quantized_product(lhs, rhs, out[0], 14, 17, 20):
        assert isinstance(rhs.element, QuantizedType)
        if any(rhs.element.zero_points):
            raise Violation(f"rhs is {rhs}, expected zero points of 0 (C15)")
        if rhs.element.axis is not None and rhs.element.axis in numbers.rhs_contracting:
            raise Violation(f"the quantization dimension of rhs, {rhs.element.axis}, is contracted (C16)")
    return (numbers.result_shape(lhs.shape, rhs.shape),)


def dot_shapes(
    lhs: TensorType, rhs: TensorType, *, precision_config: Sequence[str] | None, out: Sequence[TensorType]
) -> Sequence[Shape]:
    for side, type in (("lhs", lhs), ("rhs", rhs)):
        if len(type.shape) not in (1, 2):
            raise Violation(f"{side} is {type}, expected a vector or a matrix")
    numbers = matrix_dot(len(lhs.shape))
    check_pairs(numbers, lhs.shape, rhs.shape)
    check_precision(precision_config, "dot_general C11")
    check_complex((lhs, rhs), out[0])
    return (numbers.result_shape(lhs.shape, rhs.shape),)


def ragged_dot_shapes(
    lhs: TensorType,
    rhs: TensorType,
    group_sizes: TensorType,
    *,
    ragged_dot_dimension_numbers: Mapping[str, Any],
    precision_config: Sequence[str] | None,
    out: Sequence[TensorType],
) -> Sequence[Shape]:
    """A dot_general with one dimension, the ragged one, that is divided into groups."""
    numbers, ragged, groups = decode_ragged_dot(ragged_dot_dimension_numbers)
    a, b = lhs.shape, rhs.shape
    check_pairs(numbers, a, b)
    check_precision(precision_config, "dot_general C11")
    check_complex((lhs, rhs), out[0])
    if len(ragged) != 1 or not 0 <= ragged[0] < len(a):
        raise Violation(f"lhs_ragged_dimensions is {list(ragged)}, expected one dimension of lhs")
    (axis,) = ragged
    free_a, free_b = numbers.lhs_free(len(a)), numbers.rhs_free(len(b))
    is_free = axis in free_a
    if len(groups) != is_free or any(d not in free_b for d in groups):
        expected = "one free dimension of rhs" if is_free else "none, as the ragged dimension is not free"
        raise Violation(f"rhs_group_dimensions is {list(groups)}, expected {expected}")
    # One row of sizes for each index of the dimensions outside the ragged one, or a single row for all.
    outer = free_a if is_free else numbers.lhs_contracting if axis in numbers.lhs_contracting else ()
    before = (*numbers.lhs_batching, *outer)
    prefix = tuple(a[d] for d in before[: before.index(axis)])
    if not group_sizes.shape:
        raise Violation(f"operand 2 is {group_sizes}, expected a list of group sizes")
    count = group_sizes.shape[-1]
    if len(group_sizes.shape) != 1 and not agree(group_sizes.shape, (*prefix, count)):
        shapes = " or ".join(sorted({shape_text(sizes) for sizes in ((count,), (*prefix, count))}))
        raise Violation(f"operand 2 is {group_sizes}, expected the shape {shapes}")
    if groups and not same(b[groups[0]], count):
        size = b[groups[0]]
        raise Violation(f"dimension {groups[0]} of rhs has the size {size}, expected {count}, the number of groups")
    shape = numbers.result_shape(a, b)
    if axis in numbers.lhs_contracting:
        return ((count, *shape),)
    if groups:
        at = len(numbers.lhs_batching) + len(free_a) + free_b.index(groups[0])
        shape = (*shape[:at], *shape[at + 1 :])
    return (shape,)


# ---------------------------------------------------------------- einsums


def einsum_shapes(
    lhs: TensorType, rhs: TensorType, *, einsum_config: str, out: Sequence[TensorType]
) -> Sequence[Shape]:
    check_complex((lhs, rhs), out[0])
    return (infer_einsum(einsum_config, [lhs.shape, rhs.shape]),)


def infer_einsum(config: str, shapes: Sequence[Shape]) -> Shape:
    try:
        terms, result = einsum_terms(config, [len(shape) for shape in shapes])
        return einsum_shape(terms, result, shapes)
    except ValueError as error:
        raise Violation(str(error)) from error


# ---------------------------------------------------------------- convolutions


def check_layout(numbers: ConvolutionNumbers, rank: int) -> None:
    """Check that the dimension numbers name all dimensions of operands and result, each once."""
    n = numbers
    for label, name, spatial, dimensions in (
        (12, "input", n.input_spatial, n.lhs),
        (17, "kernel", n.kernel_spatial, n.rhs),
        (19, "output", n.output_spatial, n.result),
    ):
        if len(spatial) != rank - 2:
            raise Violation(
                f"has {count_text(len(spatial), f'{name} spatial dimension')}, expected {rank - 2} (C{label})"
            )
        check_dimensions(f"{name} dimensions", dimensions, rank, within=f"C{label + 1}", distinct=f"C{label + 1}")


def check_groups(
    numbers: ConvolutionNumbers, lhs: Shape, rhs: Shape, feature_group_count: int, batch_group_count: int
) -> None:
    """Check that the group counts divide the dimensions that they split."""
    features, batch = lhs[numbers.input_feature], lhs[numbers.input_batch]
    inputs, outputs = rhs[numbers.kernel_input_feature], rhs[numbers.kernel_output_feature]
    for label, name, count in (
        (21, "feature_group_count", feature_group_count),
        (22, "batch_group_count", batch_group_count),
    ):
        if count < 1:
            raise Violation(f"{name} is {count}, expected a positive number (C{label})")
    if feature_group_count > 1 and batch_group_count > 1:
        counts = f"feature_group_count is {feature_group_count} and batch_group_count is {batch_group_count}"
        raise Violation(f"{counts}, expected one of them to be 1 (C23)")
    for label, which, size, name, count in (
        (10, "batch dimension of lhs", batch, "batch_group_count", batch_group_count),
        (11, "input feature dimension of lhs", features, "feature_group_count", feature_group_count),
        (15, "output feature dimension of rhs", outputs, "batch_group_count", batch_group_count),
        (16, "output feature dimension of rhs", outputs, "feature_group_count", feature_group_count),
    ):
        if size is not None and size % count:
            raise Violation(f"the {which} has the size {size}, expected a multiple of {name}, {count} (C{label})")
    if features is not None and inputs is not None and inputs != features // feature_group_count:
        expected = f"{features // feature_group_count}, the {features} of lhs divided by feature_group_count"
        raise Violation(f"the input feature dimension of rhs has the size {inputs}, expected {expected} (C14)")


def convolution_shapes(
    lhs: TensorType,
    rhs: TensorType,
    padding_operand: TensorType | None = None,
    *,
    window_strides: Sequence[int] | None,
    padding: Sequence[tuple[int, int]] | None = None,
    lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None,
    window_reversal: Sequence[bool] | None,
    dimension_numbers: Mapping[str, Any],
    feature_group_count: int,
    batch_group_count: int,
    precision_config: Sequence[str] | None,
    out: Sequence[TensorType],
) -> Sequence[Shape]:
    """The result's shape of a convolution, and of a dynamic_conv, whose padding is an operand."""
    rank = len(lhs.shape)
    if rank != len(rhs.shape) or rank < 2:
        raise Violation(f"lhs is {lhs} and rhs is {rhs}, expected equal ranks of at least 2 (C1)")
    numbers, spatial = decode_convolution(dimension_numbers), rank - 2
    check_layout(numbers, rank)
    check_list("window_strides", window_strides, spatial, ("C2", "C3"))
    check_padding(padding, spatial, "C4")
    check_list("lhs_dilation", lhs_dilation, spatial, ("C5", "C6"))
    check_list("rhs_dilation", rhs_dilation, spatial, ("C7", "C8"))
    if window_reversal and len(window_reversal) != spatial:
        raise Violation(f"window_reversal has {count_text(len(window_reversal), 'boolean')}, expected {spatial} (C9)")
    check_groups(numbers, lhs.shape, rhs.shape, feature_group_count, batch_group_count)
    check_precision(precision_config, "C24")
    kernel = [rhs.shape[d] for d in numbers.kernel_spatial]
    if 0 in kernel:
        raise Violation(f"rhs is {rhs}, expected spatial dimensions of at least 1")
    check_convolution_elements(lhs, rhs, out[0], numbers)
    counts: Shape = (None,) * spatial
    if padding_operand is None:
        window = decode_window(kernel, window_strides, padding, lhs_dilation, rhs_dilation)
        counts = window.counts([lhs.shape[d] for d in numbers.input_spatial])
    elif padding_operand.shape != (spatial, 2):
        raise Violation(f"operand 2 is {padding_operand}, expected the shape [{spatial}, 2] (C4)")
    batch = lhs.shape[numbers.input_batch]
    batch = None if batch is None else batch // batch_group_count
    return (numbers.result_shape(batch, rhs.shape[numbers.kernel_output_feature], counts),)


def check_convolution_elements(
    lhs: TensorType, rhs: TensorType, result: TensorType, numbers: ConvolutionNumbers
) -> None:
    if check_quantized_product(lhs, rhs, result, 28, 31, 34):
        for label, name, type, feature in (
            (29, "rhs", rhs, numbers.kernel_output_feature),
            (30, "the result", result, numbers.output_feature),
        ):
            axis = type.element.axis if isinstance(type.element, QuantizedType) else None
            if axis not in (None, feature):
                expected = f"{feature}, its feature dimension"
                raise Violation(f"the quantization dimension of {name} is {axis}, expected {expected} (C{label})")
    elif element_of(lhs) != element_of(rhs):
        # The result's elements may differ: sums are often wider than products.
        raise Violation(f"lhs is {lhs} and rhs is {rhs}, expected equal element types (C27)")
    check_complex((lhs, rhs), result)


# ---------------------------------------------------------------- counts of operations

# For more positions, a count is an average.
MOST_COUNTED = 100_000


def scale_flops(products: int, *types: TensorType) -> int:
    """The operations of this many multiply-adds; a complex one takes four times as many as a real one."""
    return products * (8 if any(isinstance(type.element, ComplexType) for type in types) else 2)


def dot_flops(lhs: TensorType, out: Sequence[TensorType], numbers: DotNumbers) -> int:
    summed = prod(size or 0 for d, size in enumerate(lhs.shape) if d in numbers.lhs_contracting)
    return scale_flops(count_elements(out[0]) * summed, lhs, *out)


def ragged_dot_flops(
    lhs: TensorType,
    rhs: TensorType,
    group_sizes: TensorType,
    *,
    ragged_dot_dimension_numbers: Mapping[str, Any],
    out: Sequence[TensorType],
) -> int:
    """Each element of lhs belongs to one group, so it meets one matrix of rhs."""
    numbers, _, groups = decode_ragged_dot(ragged_dot_dimension_numbers)
    columns = prod(rhs.shape[d] or 0 for d in numbers.rhs_free(len(rhs.shape)) if d not in groups)
    return scale_flops(count_elements(lhs) * columns, lhs, *out)


def einsum_flops(*operands: TensorType, einsum_config: str, out: Sequence[TensorType]) -> int:
    """One operation for each combination of indices, or a multiply-add if there are two operands."""
    terms, _ = einsum_terms(einsum_config, [len(type.shape) for type in operands])
    labels = list(dict.fromkeys(label for term in terms for label in term))
    count = prod(size or 0 for size in einsum_shape(terms, labels, [type.shape for type in operands]))
    return scale_flops(count, *operands, *out) // (1 if len(operands) > 1 else 2)


def convolution_flops(
    lhs: TensorType,
    rhs: TensorType,
    *,
    window_strides: Sequence[int] | None,
    padding: Sequence[tuple[int, int]] | None,
    lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None,
    dimension_numbers: Mapping[str, Any],
    out: Sequence[TensorType],
) -> int:
    """Each element of the result meets the whole kernel of its feature, including padding but no holes."""
    numbers = decode_convolution(dimension_numbers)
    kernel = [rhs.shape[d] for d in numbers.kernel_spatial]
    window = decode_window(kernel, window_strides, padding, lhs_dilation, rhs_dilation)
    features = rhs.shape[numbers.kernel_output_feature] or 0
    products = count_elements(out[0]) * (count_elements(rhs) // max(1, features))
    for d, (size, result) in enumerate(zip(window.sizes, numbers.output_spatial)):
        if (holes := window.base_dilations[d]) > 1 and products:
            count = out[0].shape[result] or 0
            steps = window.strides[d], window.window_dilations[d]
            met = count_multiples(count, size or 0, *steps, window.padding[d][0], holes)
            products = products // (count * (size or 0)) * met
    return scale_flops(products, lhs, *out)


def count_multiples(rows: int, columns: int, down: int, along: int, before: int, of: int) -> int:
    """How many numbers `i * down + j * along - before` are multiples, for i below `rows` and j below `columns`."""
    if min(columns, of) > MOST_COUNTED:
        return rows * columns // of  # nearly exact for so many
    common = gcd(down, of)
    period = of // common
    inverse = pow(down // common, -1, period)
    found = 0
    for j in range(min(columns, of)):
        rest = (before - j * along) % of
        if rest % common == 0:
            first = rest // common * inverse % period
            repeated = (columns - j - 1) // of + 1
            found += repeated * max(0, (rows - first - 1) // period + 1)
    return found


PRECISION = optional(list_of(enumeration("precision")), neutral=all_are("DEFAULT"))
CONVOLUTION = {
    "window_strides": STEPS,
    "lhs_dilation": STEPS,
    "rhs_dilation": STEPS,
    "window_reversal": optional(BOOLEANS, neutral=all_are(False)),
    "dimension_numbers": structure("conv"),
    "feature_group_count": I64,
    "batch_group_count": I64,
    "precision_config": PRECISION,
}
# The clauses of a window that are not at their defaults.
WINDOW = (
    "stride = $window_strides, pad = $padding, lhs_dilate = $lhs_dilation, rhs_dilate = $rhs_dilation,"
    " reverse = $window_reversal"
)
CONVOLUTION_FORM = f"(%) dim_numbers = $dimension_numbers, window = {{{WINDOW}}}"
DOT = "$dot_dimension_numbers"

# A table: a row takes a line or two.
# fmt: off
op("stablehlo.convolution", "AA -> A", quantized="several",
    attributes={**CONVOLUTION, "padding": PADDING}, form=CONVOLUTION_FORM,
    shapes=convolution_shapes, inferred="C25", traits=Trait.CONVOLUTION | Trait.SUMMING,
    flops=convolution_flops)
op("stablehlo.dot", "AA -> A", quantized="none", attributes={"precision_config": PRECISION},
    form="%, precision = $precision_config", shapes=dot_shapes, traits=Trait.DOT | Trait.SUMMING,
    flops=lambda lhs, rhs, *, out: dot_flops(lhs, out, matrix_dot(len(lhs.shape))))
op("stablehlo.dot_general", "AA -> A", quantized="several",
    attributes={"dot_dimension_numbers": structure("dot"), "precision_config": PRECISION,
                "algorithm": optional(structure("dot_algorithm"), since="1.6.0")},
    form=f"%, batching_dims = {DOT}.lhs_batching_dimensions x {DOT}.rhs_batching_dimensions,"
         f" contracting_dims = {DOT}.lhs_contracting_dimensions x {DOT}.rhs_contracting_dimensions,"
         " precision = $precision_config, algorithm = $algorithm",
    shapes=dot_general_shapes, inferred="C12", traits=Trait.DOT | Trait.SUMMING,
    flops=lambda lhs, rhs, *, dot_dimension_numbers, out: dot_flops(lhs, out, decode_dot(dot_dimension_numbers)))
op("stablehlo.dynamic_conv", "AAI -> A", quantized="several", attributes=CONVOLUTION,
    former={"padding": replace(PADDING, until="0.20.0")}, form=CONVOLUTION_FORM,
    shapes=convolution_shapes, inferred="C25", static="stablehlo.convolution", late=("padding",), traits=Trait.SUMMING)
op("stablehlo.einsum", "AA -> A", quantized="none", attributes={"einsum_config": STRING},
    form="%, config = $einsum_config", shapes=einsum_shapes, traits=Trait.SUMMING, flops=einsum_flops)
op("stablehlo.unary_einsum", "Q -> Q", quantized="none", attributes={"einsum_config": STRING},
    form="%, config = $einsum_config", 
    shapes=lambda operand, *, einsum_config: (infer_einsum(einsum_config, [operand.shape]),),
    flops=einsum_flops)
op("chlo.ragged_dot", "AAI -> A", quantized="none",
    attributes={"ragged_dot_dimension_numbers": structure("ragged_dot"), "precision_config": PRECISION},
    shapes=ragged_dot_shapes, traits=Trait.SUMMING, flops=ragged_dot_flops)
