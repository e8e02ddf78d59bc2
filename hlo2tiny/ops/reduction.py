"""Ops that fold, scan, map and sort."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..errors import count_text
from ..ir import Region, TensorType
from ..ir.dimensions import Shape, decode_window
from .attributes import BOOLEAN, I64, INTEGERS, PADDING, STEPS, Violation, optional, segments
from .definition import (
    agree,
    check_dimensions,
    check_list,
    check_padding,
    count_elements,
    op,
    returned_types,
    same,
    shape_text,
    shared_shape,
    without,
)
from .regions import PREDICATE, check_arguments, check_result_elements, check_returned, folded_elements
from .traits import Trait


def common_shape(types: Sequence[TensorType], number: str) -> Shape:
    """The shape that tensors share, as far as it is known."""
    return shared_shape(
        types,
        lambda i, shape: (
            f"operand {i} is {types[i]}, expected the shape {shape_text(shape)} of the operands before it ({number})"
        ),
    )


def split_operands(
    operands: Sequence[TensorType], out: Sequence[TensorType], number: str
) -> tuple[Sequence[TensorType], Sequence[TensorType]]:
    """A fold's inputs and init values; there are as many of each as results."""
    count = len(operands) // 2
    if not count or len(operands) % 2 or len(out) != count:
        counts = f"{count_text(len(operands), 'operand')} and {count_text(len(out), 'result')}"
        raise Violation(f"has {counts}, expected equal numbers of inputs, init values and results ({number})")
    return operands[:count], operands[count:]


# ---------------------------------------------------------------- folds


def reduce_shapes(
    *operands: TensorType, dimensions: Sequence[int], body: Region, out: Sequence[TensorType]
) -> Sequence[Shape]:
    inputs, initial = split_operands(operands, out, "C3")
    shape = common_shape(inputs, "C1")
    check_dimensions("dimensions", dimensions, len(shape), within="C4", distinct="C5")
    elements = folded_elements(body, "body", inputs, initial, ("C2", "C6"))
    check_result_elements(elements, out, "body", "C8")
    return (tuple(size for d, size in enumerate(shape) if d not in dimensions),) * len(inputs)


def reduce_window_shapes(
    *operands: TensorType,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None,
    base_dilations: Sequence[int] | None,
    window_dilations: Sequence[int] | None,
    padding: Sequence[tuple[int, int]] | None,
    body: Region,
    out: Sequence[TensorType],
) -> Sequence[Shape]:
    inputs, initial = split_operands(operands, out, "C1")
    shape = common_shape(inputs, "C2")
    check_window_sizes(window_dimensions, len(shape), ("C4", "C5"))
    check_list("window_strides", window_strides, len(shape), ("C6", "C7"))
    check_list("base_dilations", base_dilations, len(shape), ("C8", "C9"))
    check_list("window_dilations", window_dilations, len(shape), ("C10", "C11"))
    check_padding(padding, len(shape), "C12")
    elements = folded_elements(body, "body", inputs, initial, ("C3", "C13"))
    check_result_elements(elements, out, "body", "C16")
    window = decode_window(window_dimensions, window_strides, padding, base_dilations, window_dilations)
    return (window.counts(shape),) * len(inputs)


def check_window_sizes(sizes: Sequence[int], rank: int, numbers: tuple[str, str]) -> None:
    if not sizes and rank:
        expected = f"{count_text(rank, 'number')}, one for each dimension"
        raise Violation(f"window_dimensions is [], expected {expected} ({numbers[0]})")
    check_list("window_dimensions", sizes, rank, numbers)


def select_and_scatter_shapes(
    operand: TensorType,
    source: TensorType,
    init_value: TensorType,
    *,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None,
    padding: Sequence[tuple[int, int]] | None,
    select: Region,
    scatter: Region,
    out: Sequence[TensorType],
) -> Sequence[Shape]:
    rank = len(operand.shape)
    check_window_sizes(window_dimensions, rank, ("C4", "C5"))
    check_list("window_strides", window_strides, rank, ("C6", "C7"))
    check_padding(padding, rank, "C8")
    counts = decode_window(window_dimensions, window_strides, padding).counts(operand.shape)
    if source.element != operand.element:
        raise Violation(f"source is {source}, expected the elements of {operand} (C1)")
    if not agree(source.shape, counts):
        raise Violation(f"source is {source}, expected an element for each window, the shape {shape_text(counts)} (C2)")
    scalar = TensorType((), operand.element)
    check_arguments(select, "select", (scalar, scalar), "C9")
    check_returned(select, "select", (PREDICATE,), "C9")
    elements = folded_elements(scatter, "scatter", (operand,), (init_value,), ("C3", "C10"))
    check_result_elements(elements, out, "scatter", "C12")
    return (operand.shape,)


# ---------------------------------------------------------------- map, sort and scan


def map_shapes(
    *inputs: TensorType, dimensions: Sequence[int], computation: Region, out: Sequence[TensorType]
) -> Sequence[Shape]:
    if not inputs:
        raise Violation("has no operands, expected at least 1 (C2)")
    shape = common_shape(inputs, "C1")
    if list(dimensions) != list(range(len(shape))):
        raise Violation(f"dimensions is {list(dimensions)}, expected {list(range(len(shape)))} (C3)")
    check_arguments(computation, "computation", [TensorType((), type.element) for type in inputs], "C4")
    check_returned(computation, "computation", [TensorType((), out[0].element)], "C4")
    return (shape,)


def sort_shapes(*inputs: TensorType, dimension: int, comparator: Region, out: Sequence[TensorType]) -> Sequence[Shape]:
    if not inputs:
        raise Violation("has no operands, expected at least 1 (C1)")
    if len(out) != len(inputs):
        operands = count_text(len(inputs), "operand")
        raise Violation(f"has {count_text(len(out), 'result')}, expected one for each of {operands} (C2)")
    shape = common_shape(inputs, "C3")
    rank = len(shape)
    if not -rank <= dimension < rank:
        expected = f"{-rank} to {rank - 1}" if rank else "a tensor of rank 1 or more"
        raise Violation(f"dimension is {dimension}, expected {expected} (C4)")
    pairs = [TensorType((), type.element) for type in inputs for _ in range(2)]
    check_arguments(comparator, "comparator", pairs, "C5")
    check_returned(comparator, "comparator", (PREDICATE,), "C5")
    return (shape,) * len(inputs)


def top_k_shapes(operand: TensorType, *, k: int) -> Sequence[Shape]:
    if not operand.shape:
        raise Violation(f"operand 0 is {operand}, expected rank 1 or more")
    *others, size = operand.shape
    if k < 0 or (size is not None and k > size):
        raise Violation(f"k is {k}, expected 0 to {'the size of the last dimension' if size is None else size}")
    return ((*others, k),) * 2


def scan_shapes(
    *operands: TensorType,
    dimension: int,
    operandSegmentSizes: Sequence[int],  # noqa: N803  (the attribute's name)
    resultSegmentSizes: Sequence[int],  # noqa: N803
    scan_dim_size: int | None,
    body: Region,
    out: Sequence[TensorType],
) -> Sequence[Shape]:
    """The body takes a slice of each input and the carries; it returns a slice of each output and the new carries."""
    for noun, sizes, count in (
        ("operands", operandSegmentSizes, len(operands)),
        ("results", resultSegmentSizes, len(out)),
    ):
        if len(sizes) != 2 or min(sizes) < 0 or sum(sizes) != count:
            raise Violation(f"splits its {noun} into {list(sizes)}, expected two numbers whose sum is {count}")
    inputs, initial = operands[: operandSegmentSizes[0]], operands[operandSegmentSizes[0] :]
    outputs = out[: resultSegmentSizes[0]]
    if resultSegmentSizes[1] != len(initial):
        counts = f"{count_text(len(initial), 'operand')} and {count_text(resultSegmentSizes[1], 'result')}"
        raise Violation(f"carries {counts}, expected equal numbers")
    length = scan_dim_size
    for noun, types in (("operand", inputs), ("result", outputs)):
        for i, type in enumerate(types):
            if not 0 <= dimension < len(type.shape):
                raise Violation(f"{noun} {i} is {type}, which has no dimension {dimension} to scan")
            if not same(type.shape[dimension], length):
                raise Violation(f"{noun} {i} is {type}, expected {length} slices along dimension {dimension}")
            length = type.shape[dimension] if length is None else length
    if not (inputs or outputs) and length is None:
        raise Violation("lacks the attribute 'scan_dim_size', which an op without inputs and outputs needs")
    for i, (carry, type) in enumerate(zip(initial, out[len(outputs) :]), len(outputs)):
        if type.element != carry.element:
            raise Violation(f"result {i} is {type}, expected the elements of its carry, {carry}")
    check_arguments(body, "body", [*(slice_type(type, dimension) for type in inputs), *initial])
    check_returned(body, "body", [*(slice_type(type, dimension) for type in outputs), *initial])
    shapes = [type.shape for type in returned_types(body) if isinstance(type, TensorType)]
    stacked = [(*shape[:dimension], length, *shape[dimension:]) for shape in shapes[: len(outputs)]]
    return [*stacked, *shapes[len(outputs) :]]


def slice_type(type: TensorType, dimension: int) -> TensorType:
    """The type of a tensor's slice at one index of a dimension."""
    return TensorType(without(type.shape, dimension), type.element)


# ---------------------------------------------------------------- counts of operations


def select_and_scatter_flops(
    operand: TensorType,
    source: TensorType,
    init_value: TensorType,
    *,
    window_dimensions: Sequence[int],
    select: int,
    scatter: int,
) -> int:
    return count_elements(source) * ((prod(window_dimensions) - 1) * select + scatter)


def sort_flops(*inputs: TensorType, dimension: int, comparator: int) -> int:
    """n·log2(n) comparisons for n numbers, rounded up."""
    return count_elements(inputs[0]) * ((inputs[0].shape[dimension] or 1) - 1).bit_length() * comparator


def scan_flops(
    *operands: TensorType,
    dimension: int,
    operandSegmentSizes: Sequence[int],  # noqa: N803  (the attribute's name)
    body: int,
    scan_dim_size: int | None,
    out: Sequence[TensorType],
) -> int:
    scanned = [*operands[: operandSegmentSizes[0]], *out][:1]
    return (scan_dim_size or (scanned[0].shape[dimension] if scanned else 0) or 0) * body


# A table: a row takes a line or two.
# fmt: off
op("stablehlo.map", "A* -> A", attributes={"dimensions": INTEGERS}, regions=("computation",), shapes=map_shapes,
    inferred="C1", flops=lambda *inputs, computation, out: count_elements(out[0]) * computation)
op("stablehlo.reduce", "A* -> A*", attributes={"dimensions": INTEGERS},
    form="(% init: %) across dimensions = $dimensions", regions=("body",), shapes=reduce_shapes, inferred="C7",
    traits=Trait.REDUCTION | Trait.FUSING | Trait.SUMMING,
    flops=lambda *operands, body, out: max(0, count_elements(operands[0]) - count_elements(out[0])) * body)
op("stablehlo.reduce_window", "A* -> A*",
    attributes={"window_dimensions": INTEGERS, "window_strides": STEPS, "base_dilations": STEPS,
                "window_dilations": STEPS, "padding": PADDING},
    regions=("body",), shapes=reduce_window_shapes, inferred="C15", traits=Trait.FUSING | Trait.SUMMING,
    flops=lambda *_, window_dimensions, body, out: count_elements(out[0]) * (prod(window_dimensions) - 1) * body)
op("stablehlo.select_and_scatter", "AAA -> A",
    attributes={"window_dimensions": optional(INTEGERS, ()), "window_strides": STEPS, "padding": PADDING},
    regions=("select", "scatter"), shapes=select_and_scatter_shapes, inferred="C11", traits=Trait.SUMMING,
    flops=select_and_scatter_flops)
op("stablehlo.sort", "E* -> E*", attributes={"dimension": optional(I64, -1), "is_stable": optional(BOOLEAN, False)},
    regions=("comparator",), shapes=sort_shapes, inferred="C3", flops=sort_flops)
op("chlo.scan", "A* -> A*", quantized="none",
    attributes={"dimension": I64, "operandSegmentSizes": segments(2), "resultSegmentSizes": segments(2),
                "scan_dim_size": optional(I64), "is_reverse": optional(BOOLEAN, False),
                "is_associative": optional(BOOLEAN)},
    form="(%) inits (%) dimension = $dimension", regions=("body",), shapes=scan_shapes, flops=scan_flops)
op("chlo.top_k", "T -> TS", "bif", quantized="none",
    attributes={"k": I64, "is_stable": optional(BOOLEAN, True, since="jaxlib 0.12")},
    former={"largest": optional(BOOLEAN, True)},  # mhlo.topk's
    form="(%, k = $k, largest = $largest, is_stable = $is_stable)", shapes=top_k_shapes, mhlo_name="mhlo.topk",
    flops=lambda operand, *, k: count_elements(operand) * max(1, k.bit_length()))  # comparisons with a heap of k
