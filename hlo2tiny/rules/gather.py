"""Ops that read and write at indices which are known only at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import takewhile
from math import prod

from ..ir.dimensions import IndexNumbers, decode_gather, decode_scatter, selection_numbers, static
from ..ir.sizes import typical
from ..ops import Monoid
from ..tinygrad.expressions import Tensor, dtypes
from ..tinygrad.loops import (
    Loops,
    Memory,
    Scalar,
    address,
    all_of,
    as_place,
    constant,
    end,
    is_static,
    read_elements,
    strides,
)
from ..tinygrad.places import compute_at
from .folds import identity
from .loops import (
    PARTS,
    clamp_index,
    clamp_start,
    is_stored,
    join_halves,
    kernel,
    promote,
    read_each,
    sign_index,
    turns_of,
    write_at,
    write_in_parts,
)
from .movement import fill_tensor
from .reduction import MONOIDS
from .registry import Body, Lowering, Types, rule
from .scatters import (
    SORTED_CELLS,
    UpdateLayout,
    combiner_of,
    combiner_of_floats,
    copies_of,
    fold_in_tables,
    is_associative,
    rows_of,
    scatter_cells,
    scatter_sorted,
    sort_cells,
    table_folds,
    write_at_once,
)
from .values import AnyTensor, Complex, each, halfwise, halves, repeat_number


@rule("stablehlo.dynamic_slice", storage=True)
def dynamic_slice(x: AnyTensor, *starts: Tensor, slice_sizes: Sequence[int], lowering: Lowering) -> AnyTensor:
    shape = [*x.shape]
    as_read = lowering.on_processor or lowering.few or lowering.as_read
    if as_read and is_static((*shape, *slice_sizes)) and 0 not in slice_sizes:
        dtype = dtypes.int32 if prod(shape) < 2**31 else dtypes.int64
        parts = dict[int, list[Tensor]]()
        for d, (start, size) in enumerate(zip(starts, slice_sizes, strict=True)):
            along = Tensor.arange(size, dtype=dtype).reshape([size if i == d else 1 for i in range(len(shape))])
            parts[d] = [along + clamp_start(start, shape[d] - size).cast(dtype)]
        return read_places(x, parts, slice_sizes, lowering.few)

    def locate(at: list[Scalar], *indices: Memory) -> list[Scalar]:
        highest = [size - length for size, length in zip(shape, slice_sizes)]
        return [i + clamp_index(start[0].load(), high) for i, start, high in zip(at, indices, highest)]

    return read_each(x, slice_sizes, starts, locate, "dynamic_slice")


@rule("stablehlo.dynamic_update_slice", storage=True)
def dynamic_update_slice(x: AnyTensor, update: AnyTensor, *starts: Tensor, lowering: Lowering) -> AnyTensor:
    highest = [size - length for size, length in zip(x.shape, update.shape, strict=True)]

    def locate(at: list[Scalar], *indices: Memory) -> tuple[list[Scalar], Scalar]:
        target = [i + clamp_index(start[0].load(), high) for i, start, high in zip(at, indices, highest)]
        return target, all_of([])

    def write(old: Tensor, new: Tensor) -> Tensor:
        apart = range(new.ndim) if lowering.parallel else ()
        how = lowering.in_place, apart, lowering.native
        return write_at([old], [new], starts, locate, None, "dynamic_update_slice", *how)[0]

    return halfwise(write, x, update)


@rule("stablehlo.gather", ignored=("indices_are_sorted",), storage=True)
def gather(
    x: AnyTensor,
    start_indices: Tensor,
    *,
    dimension_numbers: Mapping[str, Sequence[int] | int],
    slice_sizes: Sequence[int],
    lowering: Lowering,
) -> AnyTensor:
    return gather_slices(x, start_indices, decode_gather(dimension_numbers), slice_sizes, lowering)


@rule("stablehlo.torch_index_select", storage=True)
def torch_index_select(
    x: AnyTensor, index: Tensor, *, dim: int, batch_dims: int, out: Types, lowering: Lowering
) -> AnyTensor:
    """Slices of x at indices along a dimension, which are clamped as in a gather."""
    if 0 in x.shape:  # nothing to select from
        return fill_tensor(0, out[0])
    sizes = [1 if d in (dim, *range(batch_dims)) else int(size) for d, size in enumerate(x.shape)]
    numbers = selection_numbers(len(sizes), len(index.shape), dim, batch_dims)
    return gather_slices(x, index, numbers, sizes, lowering)


def gather_slices(
    x: AnyTensor,
    start_indices: Tensor,
    n: IndexNumbers,
    slice_sizes: Sequence[int],
    lowering: Lowering,
) -> AnyTensor:
    index_shape, operand_shape = [*start_indices.shape], [*x.shape]
    window = n.window(len(operand_shape))
    shape = static(n.result_shape(index_shape, [slice_sizes[d] for d in window]))
    is_known = is_static((*operand_shape, *shape, *slice_sizes)) and 0 not in shape
    is_short = lowering.on_processor and is_known and are_short(n, len(shape), slice_sizes)
    if lowering.as_read or lowering.few or is_short:
        parts = parts_of_places(start_indices, operand_shape, shape, n, slice_sizes)
        if not lowering.few and lowering.on_processor:
            parts = suited_to_vectors(parts, operand_shape, shape, n, slice_sizes)
        return read_places(x, parts, shape, lowering.few)

    def locate(at: list[Scalar], indices: Memory) -> list[Scalar]:
        batch = [i for d, i in enumerate(at) if d not in n.offset]
        index: list[Scalar] = [0] * len(operand_shape)
        for d, output_dim in zip(window, n.offset):
            index[d] = index[d] + at[output_dim]
        for component, d in enumerate(n.index_map):
            start = indices[address(index_shape, with_component(batch, n, component, len(index_shape)))].load()
            index[d] = index[d] + clamp_index(start, operand_shape[d] - slice_sizes[d])
        for d, index_dim in zip(n.operand_batching, n.indices_batching):
            index[d] = index[d] + batch[index_dim - (index_dim > n.index_vector)]
        return index

    return read_each(x, shape, [start_indices], locate, "gather", lowering.epilogue, lowering.parallel)


def read_places(x: AnyTensor, parts: Mapping[int, Sequence[Tensor]], shape: Sequence[int], few: bool) -> AnyTensor:
    """The elements of x at places that those who read them compute: along each dimension, the sum of some parts."""
    if few:
        places = [sum(parts.get(d, ()), repeat_number(0, shape, dtypes.int32)) for d in range(len(x.shape))]
        return each(x, lambda t: compute_at(t, places))
    steps = strides([*x.shape])
    terms = [part * steps[d] for d, some in parts.items() for part in some]
    dtype = terms[0].dtype if terms else dtypes.int32
    flat = sum(terms, repeat_number(0, shape, dtype))
    if is_stored(x):
        return Complex(*(read_elements(x.stored, flat * 2 + half) for half in (0, 1)))
    return each(x, lambda t: read_elements(t, flat))


# The places of the elements of a slice with at most so many are computed one by one.
SHORT_SLICE = 8


def are_short(n: IndexNumbers, rank: int, sizes: Sequence[int]) -> bool:
    """Whether a gather's slices have few elements, or none that are neighbours in the operand and in the result."""
    return prod(sizes) <= SHORT_SLICE or not has_rows(n, rank, sizes)


def has_rows(n: IndexNumbers, rank: int, sizes: Sequence[int]) -> bool:
    """Whether neighbours in a gather's result are neighbours in the operand."""
    kept = n.window(len(sizes))
    return bool(kept) and n.offset[-1] == rank - 1 and kept[-1] == len(sizes) - 1


def parts_of_places(
    starts: Tensor, operand: Sequence[int], shape: Sequence[int], n: IndexNumbers, sizes: Sequence[int]
) -> dict[int, list[Tensor]]:
    """Along each dimension of the operand, what adds up to where each element of a gather's result is."""
    rank, vector = len(starts.shape), n.index_vector
    batch = [d for d in range(len(shape)) if d not in n.offset]
    dtype = dtypes.int32 if prod(operand) < 2**31 else dtypes.int64

    def along(d: int) -> Tensor:
        return Tensor.arange(shape[d], dtype=dtype).reshape([size if i == d else 1 for i, size in enumerate(shape)])

    parts = dict[int, list[Tensor]]()
    for component, d in enumerate(n.index_map):
        cut = tuple((component, component + 1) if i == vector else None for i in range(rank))
        start = clamp_start(starts.shrink(cut) if vector < rank else starts, operand[d] - sizes[d])
        parts[d] = [start.cast(dtype).reshape([size if i in batch else 1 for i, size in enumerate(shape)])]
    for d, index_dim in zip(n.operand_batching, n.indices_batching):
        parts[d] = [along(batch[index_dim - (index_dim > vector)])]
    for d, output_dim in zip(n.window(len(operand)), n.offset):
        parts.setdefault(d, []).extend([along(output_dim)] if sizes[d] > 1 else [])
    return parts


def suited_to_vectors(
    parts: Mapping[int, Sequence[Tensor]],
    operand: Sequence[int],
    shape: Sequence[int],
    n: IndexNumbers,
    sizes: Sequence[int],
) -> dict[int, list[Tensor]]:
    """The same places as parts along the last dimension of the operand: where slices begin is stored if that pays, and
    vectors read rows only at places that do not wrap."""
    steps = strides(operand)
    starts = [parts[d][0] * steps[d] for d in n.index_map]
    if starts and is_worth_storing(n, shape, sizes):
        starts = [sum(starts[1:], starts[0]).contiguous()]
    moved = [part * steps[d] for d, some in parts.items() for part in some[d in n.index_map :]]
    if has_rows(n, len(shape), sizes) and sizes[-1] >= LEAST_ROW:
        starts, moved = ([term.cast(dtypes.int64) for term in terms] for terms in (starts, moved))
    return {len(operand) - 1: [*starts, *moved]}


# What a component of an index costs that is clamped, and what storing where a slice begins costs, in operations; and
# for how many altogether it pays. Those of a row are clamped once, but one by one, which takes as long as some.
CLAMPED, ONE_BY_ONE, STORED, LEAST_STORED = 4, 3, 16, 1 << 13
# Fewer elements than that are no row.
LEAST_ROW = 4


def is_worth_storing(n: IndexNumbers, shape: Sequence[int], sizes: Sequence[int]) -> bool:
    """Whether a kernel of its own computes where slices begin, if others compute the places of their elements."""
    rows = has_rows(n, len(shape), sizes)
    work = CLAMPED * len(n.index_map) * ((ONE_BY_ONE if rows else prod(sizes)) - 1)
    return work > STORED and work * prod(shape) // prod(sizes) > LEAST_STORED


def with_component(batch: list[Scalar], numbers: IndexNumbers, component: int, rank: int) -> list[Scalar | int]:
    """The index of one component of an index vector; if index_vector_dim is the rank, the indices are scalars."""
    vector = numbers.index_vector
    return batch if vector == rank else [*batch[:vector], component, *batch[vector:]]


# In C, many updates of an operand with at most MOST_CELLS elements are combined in parts, whatever the number of
# threads is: if there are at least LEAST_UPDATES, and each element gets FEWEST from each part on average.
MOST_CELLS, LEAST_UPDATES, FEWEST = 1 << 14, 1 << 15, 8


def worth_parts(operand: Tensor, updates: Sequence[int], axis: int) -> bool:
    if not is_static((*operand.shape, *updates)):
        return False
    cells, count = prod(operand.shape), prod(updates)
    many = count >= max(LEAST_UPDATES, PARTS * FEWEST * cells) and updates[axis] >= PARTS * FEWEST
    return many and 0 < cells <= MOST_CELLS and operand.dtype.itemsize >= 4


SORTED = ("indices_are_sorted", "unique_indices")


@rule("stablehlo.scatter", regions=("update_computation",), ignored=SORTED, storage=True)
def scatter(
    *operands: AnyTensor,
    scatter_dimension_numbers: Mapping[str, Sequence[int] | int],
    update_computation: Body,
    types: Types,
    lowering: Lowering,
) -> list[AnyTensor]:
    """Combine updates into the operands at indices; plans may have what `sort_cells` gives in place of these."""
    count = len(update_computation.region.arguments) // 2
    places = operands[count : len(operands) - count]
    value_types = [*types[:count], *types[count + len(places) :]]
    values = promote([*operands[:count], *operands[count + len(places) :]], value_types, update_computation)
    inputs, updates = values[:count], values[count:]
    n = decode_scatter(scatter_dimension_numbers)
    shape, lengths = [*inputs[0].shape], [*updates[0].shape]
    layout = UpdateLayout(n, shape, lengths)
    old, new, in_place = halves(inputs), halves(updates), lowering.in_place
    if len(places) > 1:
        keys, order = places
        in_order = None if order is keys else order  # see `plan.scatters.read_in_order`
        rows = rows_of(new, layout)
        return join_halves(scatter_sorted(old, rows, keys, in_order, layout, update_computation, lowering), inputs)
    (scatter_indices,), monoid = places, update_computation.monoid
    locate = partial(locate_update, layout, [*scatter_indices.shape])
    # Runs and parts of updates begin where those of other rows end.
    rounds = lowering.in_order and old[0].dtype in dtypes.floats and monoid in (Monoid.SUM, Monoid.PRODUCT)
    many = lowering.parallel and lowering.int64 and layout.has_many_rows
    is_sorted = many and is_associative(update_computation) and not rounds
    combiner = combiner_of(update_computation)
    if is_sorted and combiner:
        combiner = None if layout.has_many_in_rows else combiner
    elif is_sorted and not layout.has_rows:
        combiner = combiner_of_floats(update_computation)
    functions = lowering.function("at_once", old[0].dtype, False) if combiner else None
    if combiner and functions and 0 not in (*shape, *lengths):
        parts = old[0], new[0], scatter_indices
        return join_halves([write_at_once(*parts, locate, functions, combiner, in_place)], inputs)
    if is_sorted:
        cells = number_cells(scatter_indices, layout.of_cells)
        if folds := table_folds(new, layout, update_computation, lowering):
            (target,) = old if in_place else copies_of(old)
            return join_halves([fold_in_tables(target, new[0], cells, layout, folds)], inputs)
        return join_halves(scatter_cells(old, new, cells, layout, update_computation, lowering), inputs)
    axis = max(layout.batch, key=lambda d: typical(lengths[d]), default=0)
    one_in_c = lowering.on_processor and len(old) == 1
    if one_in_c and not rounds and monoid in MONOIDS and worth_parts(old[0], lengths, axis):
        none = identity(monoid, old[0].dtype)
        along = dict(zip(n.offset, n.window(len(shape))))
        given = locate, update_computation, none, axis, along, in_place
        result = write_in_parts(old[0], new[0], [scatter_indices], *given)
        return join_halves([result], inputs)
    # Dimensions of windows that no index moves, and those of batches. Processors keep the order of loops.
    apart = [*layout.axes, *layout.items] if lowering.native else []
    body, computes, turns = update_computation, lowering.on_processor, 1
    if lowering.on_processor:
        apart = [*takewhile(apart.__contains__, range(len(lengths)))]
        turns = turns_of(old[0], lengths, apart, n.offset)
    results = write_at(old, new, [scatter_indices], locate, body, "scatter", in_place, apart, computes, turns)
    return join_halves(results, inputs)


@rule(SORTED_CELLS, storage=True)
def sorted_cells(
    indices: Tensor,
    *,
    scatter_dimension_numbers: Mapping[str, Sequence[int] | int],
    shape: Sequence[int],
    lowering: Lowering,
) -> list[Tensor]:
    numbers = decode_scatter(scatter_dimension_numbers)
    return sort_indices(indices, UpdateLayout(numbers, shape, static(numbers.batch_shape(indices.shape))), lowering)


def sort_indices(indices: Tensor, layout: UpdateLayout, lowering: Lowering) -> list[Tensor]:
    """What `sort_cells` gives, for a layout of cells."""
    return sort_cells(number_cells(indices, layout), prod(layout.shape), lowering)


def number_cells(indices: Tensor, layout: UpdateLayout) -> Tensor:
    """The number of the cell that each update changes; -1 if it is dropped."""
    index_shape, loops = [*indices.shape], Loops()

    def build(out: Memory, indices: Memory) -> Scalar:
        at = loops.over(layout.updates)
        index, inside = locate_update(layout, index_shape, at, indices)
        cell = inside.where(address(layout.shape, index), -1)
        return end([out[address(layout.updates, at)].store(cell.cast(dtypes.int32))], at)

    outputs, given = [(tuple(layout.updates), dtypes.int32)], [indices]
    return kernel("cells", outputs, given, build, computes=True, once=given)[0]


def locate_update(
    layout: UpdateLayout, index_shape: Sequence[int], at: list[Scalar], indices: Memory
) -> tuple[list[Scalar], Scalar]:
    """The index in the operand of an element of the updates, and whether it is not dropped."""
    n, shape, sizes = layout.numbers, layout.shape, layout.sizes
    batch = [i for d, i in enumerate(at) if d not in n.offset]
    starts = {
        d: sign_index(indices[address(index_shape, with_component(batch, n, component, len(index_shape)))].load())
        for component, d in enumerate(n.index_map)
    }
    # A window that is partly out of bounds is dropped as a whole, as in XLA; see docs/differences.md. Testing the
    # window, not its elements, lets the C compiler see that its rows are contiguous.
    inside = all_of([(i > -1) & (i < shape[d] - sizes[d] + 1) for d, i in starts.items()])
    index = [constant(0, dtypes.weakint) for _ in shape]
    for d, start in starts.items():
        index[d] = as_place(inside.where(start, 0))
    for d, index_dim in zip(n.operand_batching, n.indices_batching):
        index[d] = index[d] + batch[index_dim - (index_dim > n.index_vector)]
    for d, update_dim in zip(n.window(len(shape)), n.offset):
        index[d] = index[d] + at[update_dim]
    return index, inside
