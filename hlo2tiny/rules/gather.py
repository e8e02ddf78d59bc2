"""Reading and writing at indices that are known only at run time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..ir.dimensions import IndexNumbers, decode_gather, decode_scatter, static
from ..tinygrad.expressions import Tensor, dtypes
from ..tinygrad.loops import Memory, Scalar, address, all_of, constant
from .loops import clamped, joined, promoted, read_at, signed, write_at
from .registry import Lowering, halves, rule
from .values import Complex, each


@rule("stablehlo.dynamic_slice", storage=True)
def dynamic_slice(x: Any, *starts: Tensor, slice_sizes: Sequence[int]) -> Any:
    shape = [int(s) for s in x.shape]
    expect(len(starts) == len(slice_sizes) == len(shape), "needs a start and a size for each dimension (C2)")
    expect(all(0 <= part <= size for part, size in zip(slice_sizes, shape)), "has a slice larger than the operand (C4)")

    def place(at: list[Scalar], *indices: Memory) -> list[Scalar]:
        highest = [size - length for size, length in zip(shape, slice_sizes)]
        return [i + clamped(start[0].load(), high) for i, start, high in zip(at, indices, highest)]

    return each(x, lambda t: read_at(t, slice_sizes, starts, place, "dynamic_slice"))


@rule("stablehlo.dynamic_update_slice", storage=True)
def dynamic_update_slice(x: Any, update: Any, *starts: Tensor, lowering: Lowering) -> Any:
    if isinstance(x, Complex):
        pairs = ((x.real, update.real), (x.imag, update.imag))
        return Complex(*(dynamic_update_slice(old, new, *starts, lowering=lowering) for old, new in pairs))
    highest = [int(size) - int(length) for size, length in zip(x.shape, update.shape, strict=True)]
    expect(len(starts) == len(highest), "needs a start for each dimension (C4)")
    expect(min(highest, default=0) >= 0, "has an update larger than the operand (C6)")

    def place(at: list[Scalar], *indices: Memory) -> tuple[list[Scalar], Scalar]:
        target = [i + clamped(start[0].load(), high) for i, start, high in zip(at, indices, highest)]
        return target, all_of([])

    return write_at([x], [update], starts, place, None, "dynamic_update_slice", lowering.in_place)[0]


@rule("stablehlo.gather", storage=True)
def gather(
    x: Any,
    start_indices: Tensor,
    *,
    dimension_numbers: Mapping[str, Any],
    slice_sizes: Sequence[int],
    indices_are_sorted: bool = False,
) -> Any:
    n = decode_gather(dimension_numbers)
    index_shape, operand_shape = ([int(s) for s in t.shape] for t in (start_indices, x))
    window = n.window(len(operand_shape))
    shape = static(n.result_shape(index_shape, [slice_sizes[d] for d in window]))

    def place(at: list[Scalar], indices: Memory) -> list[Scalar]:
        batch = [i for d, i in enumerate(at) if d not in n.offset]
        index: list[Any] = [0] * len(operand_shape)
        for d, output_dim in zip(window, n.offset):
            index[d] = index[d] + at[output_dim]
        for component, d in enumerate(n.index_map):
            start = indices[address(index_shape, with_component(batch, n, component, len(index_shape)))].load()
            index[d] = index[d] + clamped(start, operand_shape[d] - slice_sizes[d])
        for d, index_dim in zip(n.operand_batching, n.indices_batching):
            index[d] = index[d] + batch[index_dim - (index_dim > n.index_vector)]
        return index

    return each(x, lambda t: read_at(t, shape, [start_indices], place, "gather"))


def expect(condition: bool, message: str) -> None:
    """A constraint of the specification, by its label there; kernels rely on it to stay in bounds."""
    if not condition:
        raise ValueError(message)


def with_component(batch: list[Scalar], numbers: IndexNumbers, component: int, rank: int) -> list[Any]:
    """The place of one component of an index vector; with index_vector_dim at the rank, indices are scalars."""
    vector = numbers.index_vector
    return batch if vector == rank else [*batch[:vector], component, *batch[vector:]]


@rule("stablehlo.scatter", regions=("update_computation",), storage=True)
def scatter(
    *operands: Any,
    scatter_dimension_numbers: Mapping[str, Any],
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    update_computation: Any,
    types: Any,
    lowering: Lowering,
) -> Any:
    count = (len(operands) - 1) // 2
    scatter_indices, kinds = operands[count], [*types[:count], *types[count + 1 :]]
    values = promoted([*operands[:count], *operands[count + 1 :]], kinds, update_computation)
    inputs, updates = values[:count], values[count:]
    n = decode_scatter(scatter_dimension_numbers)
    shape, index_shape = [int(s) for s in inputs[0].shape], [int(s) for s in scatter_indices.shape]
    window, sizes = n.window(len(shape)), [1] * len(shape)
    for d, update_dim in zip(window, n.offset):
        sizes[d] = int(updates[0].shape[update_dim])

    def place(at: list[Scalar], indices: Memory) -> tuple[list[Scalar], Scalar]:
        batch = [i for d, i in enumerate(at) if d not in n.offset]
        starts = {
            d: signed(indices[address(index_shape, with_component(batch, n, component, len(index_shape)))].load())
            for component, d in enumerate(n.index_map)
        }
        # A window of which a part is out of bounds is dropped whole, as by XLA; see docs/differences.md. That it is
        # asked of the window lets the C compiler see that its rows are contiguous.
        inside = all_of([(i > -1) & (i < shape[d] - sizes[d] + 1) for d, i in starts.items()])
        index: list[Any] = [constant(0, dtypes.weakint) for _ in shape]
        for d, start in starts.items():
            index[d] = inside.where(start, 0).cast(dtypes.weakint)
        for d, index_dim in zip(n.operand_batching, n.indices_batching):
            index[d] = index[d] + batch[index_dim - (index_dim > n.index_vector)]
        for d, update_dim in zip(window, n.offset):
            index[d] = index[d] + at[update_dim]
        return index, inside

    parts = halves(inputs), halves(updates)
    return joined(write_at(*parts, [scatter_indices], place, update_computation, "scatter", lowering.in_place), inputs)
