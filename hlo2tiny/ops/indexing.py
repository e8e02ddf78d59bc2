"""Ops that read and write slices whose positions are operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import count_text
from ..ir import Region, ScalarType, TensorType
from ..ir.dimensions import GATHER_FIELDS, SCATTER_FIELDS, IndexNumbers, Shape, decode_gather, decode_scatter
from .attributes import BOOLEAN, I64, INTEGERS, Violation, optional, structure
from .definition import (
    agree,
    argument_types,
    check_count_of,
    check_dimensions,
    check_scalar,
    count_elements,
    op,
    returned_types,
    same,
    shape_text,
    shared_shape,
    types_text,
)
from .traits import Trait
from .types import is_promotable

IndexFields = Mapping[str, Any]

# ---------------------------------------------------------------- slices


def check_starts(starts: Sequence[TensorType], rank: int, count_number: str, type_number: str) -> None:
    if len(starts) != rank:
        raise Violation(f"has {len(starts)} start indices, expected {rank}, one for each dimension ({count_number})")
    for i, type in enumerate(starts):
        check_scalar(f"start index {i}", type)
        if type.element != starts[0].element:
            raise Violation(f"start index {i} is {type}, expected {starts[0]} ({type_number})")


def dynamic_slice(operand: TensorType, *start_indices: TensorType, slice_sizes: Sequence[int]) -> list[Shape]:
    check_starts(start_indices, len(operand.shape), "C2", "C3")
    check_count_of("slice_sizes", slice_sizes, len(operand.shape), "C2")
    check_parts("slice_sizes is", tuple(slice_sizes), operand.shape, "C4")
    return [tuple(slice_sizes)]


def check_parts(what: str, parts: Shape, shape: Shape, number: str) -> None:
    """Check that a slice's sizes do not exceed those of the tensor."""
    if any(part is not None and (part < 0 or (size is not None and part > size)) for part, size in zip(parts, shape)):
        raise Violation(f"{what} {shape_text(parts)}, expected sizes from 0 to those of {shape_text(shape)} ({number})")


def dynamic_update_slice(operand: TensorType, update: TensorType, *start_indices: TensorType) -> list[Shape]:
    if len(update.shape) != len(operand.shape):
        raise Violation(f"the update is {update}, expected a rank of {len(operand.shape)} (C3)")
    check_starts(start_indices, len(operand.shape), "C4", "C5")
    check_parts("the update has the shape", update.shape, operand.shape, "C6")
    return [operand.shape]


# ---------------------------------------------------------------- gather and scatter


def check_index_vector(
    n: IndexNumbers, names: Sequence[str], indices: TensorType, rank: int, *, numbers: Sequence[str]
) -> Shape:
    """Check how the components of an index vector are mapped to the operand's dimensions.

    Args:
        names: the fields' names.
        rank: the operand's rank.
        numbers: the numbers of the constraints on index_vector_dim's range, on the map's length, on distinct
            dimensions in it, and on its range.

    Returns:
        The shape of the indices without the index vector's dimension.
    """
    vector, index_map, batching, shape = n.index_vector, list(n.index_map), list(n.operand_batching), indices.shape
    _, _, batching_name, _, map_name, _ = names
    if not 0 <= vector <= len(shape):
        raise Violation(
            f"index_vector_dim is {vector}, expected 0 to {len(shape)} for indices {indices} ({numbers[0]})"
        )
    components = shape[vector] if vector < len(shape) else 1
    if not same(components, len(index_map)):
        size = f"an index vector has {components} component{'s' * (components != 1)}"
        raise Violation(f"{map_name} is {index_map}, but {size} ({numbers[1]})")
    check_dimensions(map_name, index_map, rank, within=numbers[3])
    if len({*index_map, *batching}) < len(index_map) + len(batching):
        both = f"{map_name} is {index_map} and {batching_name} is {batching}"
        raise Violation(f"{both}, expected distinct dimensions ({numbers[2]})")
    return n.batch_shape(shape)


def check_window_dimensions(
    n: IndexNumbers, names: Sequence[str], operand: Shape, indices: Shape, *, numbers: Sequence[str]
) -> None:
    """Check the operand's dimensions that are not in the window: those dropped, and those shared with the indices.

    Args:
        names: the fields' names.
        numbers: the constraints' numbers in the specification's order, but that on all dimensions last.
    """
    dropped, batching, index_batching = list(n.collapsed), list(n.operand_batching), list(n.indices_batching)
    window, rank = list(n.offset), len(operand)
    window_name, *names = names[:4]
    if len({*dropped, *batching}) < len(dropped) + len(batching):
        both = f"{names[0]} is {dropped} and {names[1]} is {batching}"
        raise Violation(f"{both}, expected distinct dimensions ({numbers[0]})")
    check_dimensions(names[0], dropped, rank, within=numbers[2], ascending=numbers[1])
    check_dimensions(names[1], batching, rank, within=numbers[4], ascending=numbers[3])
    check_dimensions(names[2], index_batching, len(indices), within=numbers[6], distinct=numbers[5])
    if n.index_vector in index_batching:
        raise Violation(f"{names[2]} is {index_batching}, which contains the index_vector_dim ({numbers[7]})")
    if len(batching) != len(index_batching):
        both = f"{names[1]} is {batching} and {names[2]} is {index_batching}"
        raise Violation(f"{both}, expected equal lengths ({numbers[8]})")
    for d, index_dimension in zip(batching, index_batching):
        if not same(operand[d], indices[index_dimension]):
            sizes = f"{operand[d]} and {indices[index_dimension]}"
            raise Violation(f"batching dimensions {d} and {index_dimension} have the sizes {sizes} ({numbers[9]})")
    if rank != len(window) + len(dropped) + len(batching):
        lists = f"{window_name}, {names[0]} and {names[1]} are {window}, {dropped} and {batching}"
        raise Violation(f"{lists}, expected {rank} dimensions in all ({numbers[10]})")


def gather(
    operand: TensorType,
    start_indices: TensorType,
    *,
    dimension_numbers: IndexFields,
    slice_sizes: Sequence[int | None],
) -> list[Shape]:
    n, rank, sizes = decode_gather(dimension_numbers), len(operand.shape), tuple(slice_sizes)
    offsets, collapsed, batching = list(n.offset), list(n.collapsed), list(n.operand_batching)
    numbers = ("C6", "C7", "C8", "C10", "C11", "C13", "C14", "C15", "C16", "C17", "C1")
    check_window_dimensions(n, GATHER_FIELDS, operand.shape, start_indices.shape, numbers=numbers)
    batch = check_index_vector(n, GATHER_FIELDS, start_indices, rank, numbers=("C2", "C3", "C18", "C19"))
    check_dimensions("offset_dims", offsets, len(batch) + len(offsets), within="C5", distinct="C4", ascending="C4")
    check_count_of("slice_sizes", sizes, rank, "C20")
    check_parts("slice_sizes is", sizes, operand.shape, "C21")
    for dimensions, number in ((collapsed, "C9"), (batching, "C12")):
        if any((sizes[d] or 0) > 1 for d in dimensions):
            raise Violation(
                f"slice_sizes is {shape_text(sizes)}, expected 0 or 1 in dimensions {dimensions} ({number})"
            )
    return [n.result_shape(start_indices.shape, [sizes[d] for d in n.window(rank)])]


def dynamic_gather(
    operand: TensorType, start_indices: TensorType, slice_sizes: TensorType, *, dimension_numbers: IndexFields
) -> list[Shape]:
    rank = len(operand.shape)
    if slice_sizes.shape != (rank,):
        raise Violation(f"slice_sizes is {slice_sizes}, expected the shape [{rank}] (C20)")
    return gather(operand, start_indices, dimension_numbers=dimension_numbers, slice_sizes=(None,) * rank)


def scatter(
    *operands: TensorType, scatter_dimension_numbers: IndexFields, update_computation: Region, out: Sequence[TensorType]
) -> list[Shape]:
    count = len(operands) // 2
    if len(operands) % 2 == 0 or count == 0:
        layout = "inputs, scatter_indices and an update for each input"
        raise Violation(f"has {count_text(len(operands), 'operand')}, expected {layout} (C5)")
    if len(out) != count:
        raise Violation(f"has {count_text(len(out), 'result')}, expected {count}, one for each input (C24)")
    inputs, indices, updates = operands[:count], operands[count], operands[count + 1 :]
    element = indices.element
    if not isinstance(element, ScalarType) or element.name[0] not in "iu" or element.name in ("i1", "index"):
        raise Violation(f"scatter_indices is {indices}, expected integers")
    shape, update = (
        shared_shape(types, lambda i, _: f"the {name} are {types_text(types)}, expected equal shapes ({number})")
        for name, types, number in (("inputs", inputs, "C1"), ("updates", updates, "C3"))
    )
    n, rank = decode_scatter(scatter_dimension_numbers), len(shape)
    window = list(n.offset)
    numbers = ("C9", "C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18", "C2")
    check_window_dimensions(n, SCATTER_FIELDS, shape, indices.shape, numbers=numbers)
    batch = check_index_vector(n, SCATTER_FIELDS, indices, rank, numbers=("C22", "C19", "C20", "C21"))
    check_dimensions("update_window_dims", window, len(update), within="C8", distinct="C7", ascending="C7")
    sizes = tuple(update[d] for d in window)
    expected = n.result_shape(indices.shape, sizes) if len(update) == len(batch) + len(window) else None
    if expected is None or not agree(update, expected):
        outer = shape_text(tuple(size for d, size in enumerate(update) if d not in window))
        raise Violation(f"the updates have the scatter dimensions {outer}, expected {shape_text(batch)} (C4)")
    check_parts("the updates' windows have the shape", sizes, tuple(shape[d] for d in n.window(rank)), "C4")
    check_update(update_computation, inputs, updates, out)
    return [shape] * count


def check_update(
    region: Region, inputs: Sequence[TensorType], updates: Sequence[TensorType], out: Sequence[TensorType]
) -> None:
    """Check the type of an update_computation, which maps elements of inputs and updates to new elements."""
    arguments, results = argument_types(region), returned_types(region)
    if len(arguments) != 2 * len(inputs) or not results == arguments[: len(inputs)] == arguments[len(inputs) :]:
        signature = f"takes {types_text(arguments)} and returns {types_text(results)}"
        raise Violation(f"the region {signature}, expected two scalar arguments and one result for each input (C23)")
    for i, (input, update, result, declared) in enumerate(zip(inputs, updates, results, out)):
        if not isinstance(result, TensorType) or result.shape:
            raise Violation(f"the region returns {types_text(results)}, expected scalars (C23)")
        for name, type in (("input", input), ("update", update)):
            if not is_promotable(type.element, result.element):
                raise Violation(f"{name} {i} is {type}, which is not promotable to {result.element} (C23)")
        if declared.element != result.element:
            raise Violation(f"the region returns {result}, but the declared type is {declared} (C25)")


def torch_index_select(operand: TensorType, index: TensorType, *, dim: int, batch_dims: int) -> list[Shape]:
    shape, indices = operand.shape, index.shape
    if not 0 <= batch_dims <= dim < len(shape) or batch_dims > len(indices):
        raise Violation(
            f"has dim {dim} and batch_dims {batch_dims} for {types_text([operand, index])}, expected "
            "0 <= batch_dims <= dim, dim below the operand's rank and batch_dims at most the index's"
        )
    if not agree(shape[:batch_dims], indices[:batch_dims]):
        sizes = f"{shape_text(shape[:batch_dims])} and {shape_text(indices[:batch_dims])}"
        raise Violation(f"operand and index have the batch dimensions {sizes}, expected equal ones")
    return [(*shape[:dim], *indices[batch_dims:], *shape[dim + 1 :])]


SORTED = {"indices_are_sorted": optional(BOOLEAN, False)}
GATHER = {"dimension_numbers": structure("gather"), **SORTED}
SCATTER = {"scatter_dimension_numbers": structure("scatter"), "unique_indices": optional(BOOLEAN, False), **SORTED}

# A table: a row takes a line or two.
# fmt: off
op("stablehlo.dynamic_gather", "TID -> T", attributes=GATHER, shapes=dynamic_gather, static="stablehlo.gather",
    late=("slice_sizes",))
op("stablehlo.dynamic_slice", "TI* -> T", attributes={"slice_sizes": INTEGERS}, form="%, sizes = $slice_sizes",
    shapes=dynamic_slice, traits=Trait.MOVEMENT | Trait.SELECTING)
op("stablehlo.dynamic_update_slice", "TTI* -> T", shapes=dynamic_update_slice, traits=Trait.UPDATING)
op("stablehlo.gather", "TI -> T", attributes={**GATHER, "slice_sizes": INTEGERS}, shapes=gather,
    traits=Trait.SELECTING)
op("stablehlo.scatter", "A* -> A*", regions=("update_computation",), attributes=SCATTER, shapes=scatter,
    traits=Trait.UPDATING | Trait.SUMMING,
    flops=lambda *operands, update_computation: count_elements(operands[-1]) * update_computation)
op("stablehlo.torch_index_select", "TI -> T", quantized="none", attributes={"dim": I64, "batch_dims": I64},
    shapes=torch_index_select, traits=Trait.SELECTING)
