"""Ops that read and write at indices which are known only at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from ..ir.dimensions import IndexNumbers, decode_gather, decode_scatter, selection_numbers, static
from ..ir.sizes import typical
from ..ops import Monoid
from ..tinygrad.expressions import Tensor, dtypes
from ..tinygrad.loops import Loops, Memory, Scalar, address, all_of, as_place, constant, end, is_static, read_elements
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
    write_at,
    write_in_parts,
)
from .movement import fill_tensor
from .reduction import MONOIDS
from .registry import Body, Lowering, Types, rule
from .scatters import scatter_sorted, write_at_once
from .values import AnyTensor, Complex, each, halfwise, halves, repeat_number


@rule("stablehlo.dynamic_slice", storage=True)
def dynamic_slice(x: AnyTensor, *starts: Tensor, slice_sizes: Sequence[int], lowering: Lowering) -> AnyTensor:
    shape = [*x.shape]
    if lowering.on_processor and is_static((*shape, *slice_sizes)) and 0 not in slice_sizes:
        places = repeat_number(0, slice_sizes, dtypes.int32 if prod(shape) < 2**31 else dtypes.int64)
        for d, (start, size) in enumerate(zip(starts, slice_sizes, strict=True)):
            along = Tensor.arange(size, dtype=places.dtype).reshape([size if i == d else 1 for i in range(len(shape))])
            first = clamp_start(start, shape[d] - size).cast(places.dtype)
            places = places + (along + first) * prod(shape[d + 1 :])
        return read_places(x, places)

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
        how = lowering.in_place, apart, lowering.on_processor
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
    if lowering.as_read or (lowering.on_processor and is_known and are_short(n, len(shape), slice_sizes)):
        places = places_of_elements(start_indices, operand_shape, shape, n, slice_sizes, lowering.on_processor)
        return read_places(x, places)

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


def read_places(x: AnyTensor, places: Tensor) -> AnyTensor:
    """The elements of x, seen as flat, at places that those who read them compute."""
    if is_stored(x):
        return Complex(*(read_elements(x.stored, places * 2 + half) for half in (0, 1)))
    return each(x, lambda t: read_elements(t, places))


# The places of the elements of a slice with at most so many are computed one by one.
SHORT_SLICE = 8


def are_short(n: IndexNumbers, rank: int, sizes: Sequence[int]) -> bool:
    """Whether a gather's slices have few elements, or none that are neighbours in the operand and in the result."""
    return prod(sizes) <= SHORT_SLICE or not has_rows(n, rank, sizes)


def has_rows(n: IndexNumbers, rank: int, sizes: Sequence[int]) -> bool:
    """Whether neighbours in a gather's result are neighbours in the operand."""
    kept = n.window(len(sizes))
    return bool(kept) and n.offset[-1] == rank - 1 and kept[-1] == len(sizes) - 1


def places_of_elements(
    starts: Tensor,
    operand: Sequence[int],
    shape: Sequence[int],
    n: IndexNumbers,
    sizes: Sequence[int],
    on_processor: bool,
) -> Tensor:
    """Which element of the flat operand each element of a gather's result is."""
    rank, vector = len(starts.shape), n.index_vector
    batch = [d for d in range(len(shape)) if d not in n.offset]
    dtype = dtypes.int32 if prod(operand) < 2**31 else dtypes.int64

    def along(d: int) -> Tensor:
        return Tensor.arange(shape[d], dtype=dtype).reshape([size if i == d else 1 for i, size in enumerate(shape)])

    terms = list[Tensor]()
    for component, d in enumerate(n.index_map):
        cut = tuple((component, component + 1) if i == vector else None for i in range(rank))
        start = clamp_start(starts.shrink(cut) if vector < rank else starts, operand[d] - sizes[d])
        start = start.cast(dtype).reshape([size if i in batch else 1 for i, size in enumerate(shape)])
        terms.append(start * prod(operand[d + 1 :]))
    if on_processor and terms and is_worth_storing(n, shape, sizes):
        terms = [sum(terms[1:], terms[0]).contiguous()]
    # Vectors read rows only at places that do not wrap.
    if on_processor and has_rows(n, len(shape), sizes) and sizes[-1] >= LEAST_ROW:
        dtype = dtypes.int64
        terms = [term.cast(dtype) for term in terms]
    moved = [(d, batch[i - (i > vector)]) for d, i in zip(n.operand_batching, n.indices_batching)]
    moved += [(d, output_dim) for d, output_dim in zip(n.window(len(operand)), n.offset) if sizes[d] > 1]
    terms += [along(output_dim) * prod(operand[d + 1 :]) for d, output_dim in moved]
    return sum(terms[1:], terms[0]).expand(tuple(shape)) if terms else repeat_number(0, shape, dtype)


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


# With this many updates or more, a device with many threads sorts them.
MANY_UPDATES = 16


def is_associative(body: Body) -> bool:
    """Whether updates may be combined with each other before they are combined with the operand."""
    region = body.region
    replaces = len(region.ops) == 1 and region.ops[0].operands == region.arguments[len(region.arguments) // 2 :]
    return body.monoid is not None or replaces


# In C, many updates of an operand with at most MOST_CELLS elements are combined in parts, whatever the number of
# threads is: if there are at least LEAST_UPDATES, and each element gets FEWEST from each part on average.
MOST_CELLS, LEAST_UPDATES, FEWEST = 1 << 14, 1 << 15, 8


def worth_parts(operand: Tensor, updates: Sequence[int], axis: int) -> bool:
    if not is_static((*operand.shape, *updates)):
        return False
    cells, count = prod(operand.shape), prod(updates)
    many = count >= max(LEAST_UPDATES, PARTS * FEWEST * cells) and updates[axis] >= PARTS * FEWEST
    return many and 0 < cells <= MOST_CELLS and operand.dtype.itemsize >= 4


# The functions of a target that combine a number with an element while other threads do. Integers are the same in any
# order. With more updates of each element than MOST_AT_ONCE, in the mean, the threads would wait for each other.
AT_ONCE = {Monoid.SUM: "at_once::add", Monoid.MAXIMUM: "at_once::largest", Monoid.MINIMUM: "at_once::smallest"}
MOST_AT_ONCE = 32

SORTED = ("indices_are_sorted", "unique_indices")


@rule("stablehlo.scatter", regions=("update_computation",), ignored=SORTED, storage=True)
def scatter(
    *operands: AnyTensor,
    scatter_dimension_numbers: Mapping[str, Sequence[int] | int],
    update_computation: Body,
    types: Types,
    lowering: Lowering,
) -> list[AnyTensor]:
    count = (len(operands) - 1) // 2
    scatter_indices, value_types = operands[count], [*types[:count], *types[count + 1 :]]
    values = promote([*operands[:count], *operands[count + 1 :]], value_types, update_computation)
    inputs, updates = values[:count], values[count:]
    n = decode_scatter(scatter_dimension_numbers)
    shape, index_shape = [*inputs[0].shape], [*scatter_indices.shape]
    window, sizes = n.window(len(shape)), [1] * len(shape)
    for d, update_dim in zip(window, n.offset):
        sizes[d] = updates[0].shape[update_dim]

    def locate(at: list[Scalar], indices: Memory) -> tuple[list[Scalar], Scalar]:
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
        for d, update_dim in zip(window, n.offset):
            index[d] = index[d] + at[update_dim]
        return index, inside

    fixed = [d for d in window if d not in n.index_map]
    whole = all(sizes[d] == shape[d] for d in fixed) and all(sizes[d] == 1 for d in n.index_map)
    batch_dims = [d for d in range(len(updates[0].shape)) if d not in n.offset]
    batch_shape = [updates[0].shape[d] for d in batch_dims]
    # Updates of different items of a batch have different targets.
    items = [batch_dims[d - (d > n.index_vector)] for d in n.indices_batching]
    of_item = prod(updates[0].shape[d] for d in batch_dims if d not in items)
    is_large = lowering.parallel and of_item >= MANY_UPDATES and prod(shape) < 2**31
    old, new, in_place = halves(inputs), halves(updates), lowering.in_place
    monoid, lengths = update_computation.monoid, [*updates[0].shape]
    # Runs and parts of updates begin where those of other rows end.
    rounds = lowering.in_order and old[0].dtype in dtypes.floats and monoid in (Monoid.SUM, Monoid.PRODUCT)
    is_sorted = is_large and lowering.int64 and whole and is_associative(update_computation) and not rounds
    at_once = lowering.function(AT_ONCE.get(monoid, ""), old[0].dtype, False) if len(old) == 1 and monoid else None
    if at_once and 0 not in (*shape, *lengths) and (prod(lengths) <= MOST_AT_ONCE * prod(shape) or not is_sorted):
        return join_halves([write_at_once(old[0], new[0], scatter_indices, locate, at_once, in_place)], inputs)
    if is_sorted:
        dimensions = [d for d in range(len(shape)) if d not in fixed]
        loops, cells_shape = Loops(), [shape[d] for d in dimensions]

        def build(out: Memory, indices: Memory) -> Scalar:
            batch = loops.over(batch_shape)
            at, rest = [constant(0, dtypes.weakint)] * len(updates[0].shape), iter(batch)
            at = [x if d in n.offset else next(rest) for d, x in enumerate(at)]
            index, inside = locate(at, indices)
            cell = address(cells_shape, [index[d] for d in dimensions])
            return end([out[address(batch_shape, batch)].store(inside.where(cell, -1).cast(dtypes.int32))], batch)

        (cells,) = kernel("cells", [(batch_shape, dtypes.int32)], [scatter_indices], build, computes=True)
        axes = [update_dim for d, update_dim in zip(window, n.offset) if d in fixed]
        return join_halves(scatter_sorted(old, new, cells, dimensions, axes, update_computation, lowering), inputs)
    axis = max((d for d in range(len(lengths)) if d not in n.offset), key=lambda d: typical(lengths[d]), default=0)
    one_in_c = lowering.on_processor and len(old) == 1
    if one_in_c and not rounds and monoid in MONOIDS and worth_parts(old[0], lengths, axis):
        none = identity(monoid, old[0].dtype)
        along = dict(zip(n.offset, window))
        given = locate, update_computation, none, axis, along, in_place
        result = write_in_parts(old[0], new[0], [scatter_indices], *given)
        return join_halves([result], inputs)
    # Dimensions of windows that no index moves, and those of batches.
    still = [update_dim for d, update_dim in zip(window, n.offset) if d not in n.index_map]
    apart = [*still, *items] if lowering.parallel else []
    body, computes = update_computation, lowering.on_processor
    results = write_at(old, new, [scatter_indices], locate, body, "scatter", in_place, apart, computes)
    return join_halves(results, inputs)
