"""Scatters as kernels whose iterations are independent, for devices with many threads.

As in scans.py, a scatter takes a number of kernels that grows with the logarithm of the size, and its results are the
same in every run: nothing depends on the order in which threads write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import prod
from typing import Any

from ..ir import ScalarType
from ..ir.dimensions import IndexNumbers
from ..ir.dtypes import expect_tensor
from ..ops import Monoid
from ..records import dataclass
from ..tinygrad import loops as primitives
from ..tinygrad.expressions import BITS, DType, Tensor, dtypes, make_unplaced
from ..tinygrad.loops import Loops, Memory, Scalar, address, call_with_addresses, end
from .comparator import Ranks
from .digits import (
    MERGED,
    MOVED,
    PACKED,
    THREADS,
    TILE,
    WIDTHS,
    function_of_folds,
    functions_of_digits,
    kernel_of_call,
    sort_by_digit,
    sort_by_digits,
    types_of_folds,
)
from .loops import Combine, call, kernel
from .merging import OWN, merged_order, skew
from .registry import Body, Lowering
from .scans import scan_lanes

# What sorts the indices of a scatter: an op of plans, which no file has.
SORTED_CELLS = "sorted_cells"
# How many adjacent updates, in the order of the cells, a thread folds: OWN for MANY rows of less than NARROW numbers.
# If there is a function for it, those of a block fold MERGED of these, or as many runs as they have threads for WIDE
# columns at most. Runs are shorter, LONGEST if one block then folds all, or AHEAD, which a thread reads at once, if
# that keeps BLOCKS busy.
RUN, NARROW, MANY, WIDE, LONGEST, AHEAD, BLOCKS = 32, 8, 1 << 11, 32, 16, 8, 256
# What combines a number with an element while other threads do, by the target's functions. Integers are the same in any
# order, and so are extremes of floats, given the bits of their infinity. Rows of NARROW numbers or more are sorted if
# there are more updates of each than MOST_AT_ONCE, in the mean, or if they are floats; so is what several scatters or
# iterations sort once.
INTEGERS = {ScalarType(name) for name in ("i1", "i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")}
COMBINERS = {
    Monoid.SUM: "Sum",
    Monoid.MAXIMUM: "Largest",
    Monoid.MINIMUM: "Smallest",
    Monoid.ALL: "All",
    Monoid.ANY: "Any",
}
INFINITIES = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "f64": 0x7FF << 52}
MOST_AT_ONCE = 32
# Of at least so many numbers, rows of updates are computed where they are folded, if a target can do so.
LEAST_COMPUTED = 1 << 18
# With this many updates or more, a device with many threads sorts them.
MANY_UPDATES = 16
# Groups of so many threads, at most MOST_TABLES of them, have tables of so many bytes for at least so many updates; for
# REPEATED as many as there are cells if a table has no room for all of these.
COMBINING, MOST_TABLES, TABLE, LEAST_IN_TABLES, REPEATED = 512, 528, 1 << 15, 1 << 12, 8
# Floats are folded in tables of these types, and of the first of these sizes that has room for all elements, or for a
# part of these, if there are at most MOST_EMPTY elements for each number: updates are sorted by which part they change.
# A group takes TOGETHER numbers at a time. Then a warp takes ADJACENT elements, and SHARE tables or more, if there are
# as many.
FOLDING_TABLES, MOST_EMPTY, TOGETHER, ADJACENT, SHARE = (12 << 10, 47 << 10), 16, THREADS * AHEAD, 32, 4
WIDE_FLOATS = {"f32": dtypes.float32, "f64": dtypes.float64, "bf16": dtypes.float32, "f16": dtypes.float32}
# So many updates are read before a thread combines the first of them.
READ_AT_ONCE = 4


@dataclass(frozen=True)
class UpdateLayout:
    """Where updates go: a scatter's numbers, and the shapes of an operand and its updates."""

    numbers: IndexNumbers
    shape: Sequence[Any]
    updates: Sequence[Any]

    @cached_property
    def sizes(self) -> list[Any]:
        """Those of a window along the operand's dimensions."""
        within = dict(zip(self.numbers.window(len(self.shape)), self.numbers.offset))
        return [self.updates[within[d]] if d in within else 1 for d in range(len(self.shape))]

    @cached_property
    def fixed(self) -> list[int]:
        """The operand's dimensions of windows that no index moves."""
        return [d for d in self.numbers.window(len(self.shape)) if d not in self.numbers.index_map]

    @cached_property
    def dimensions(self) -> list[int]:
        """The operand's other dimensions, along which cells are counted."""
        return [d for d in range(len(self.shape)) if d not in self.fixed]

    @cached_property
    def axes(self) -> list[int]:
        """The updates' dimensions along the fixed ones, which lie within a cell."""
        return [axis for axis, d in zip(self.numbers.offset, self.numbers.window(len(self.shape))) if d in self.fixed]

    @cached_property
    def batch(self) -> list[int]:
        """The updates' dimensions of the indices."""
        return [axis for axis in range(len(self.updates)) if axis not in self.numbers.offset]

    @cached_property
    def items(self) -> list[int]:
        """Those along which updates are of different items of a batch, and have different targets."""
        return [self.batch[d - (d > self.numbers.index_vector)] for d in self.numbers.indices_batching]

    @property
    def has_wide_rows(self) -> bool:
        """Whether rows of updates are computed where they are folded."""
        width, count = prod(self.updates[axis] for axis in self.axes), prod(self.updates)
        return bool(width >= NARROW and LEAST_COMPUTED <= count < 2**31)

    @property
    def of_cells(self) -> UpdateLayout:
        """That of updates of one number each, which change an array with an element for each cell."""
        n, places = self.numbers, {d: i for i, d in enumerate(self.dimensions)}
        batching, index_map = (tuple(places[d] for d in some) for some in (n.operand_batching, n.index_map))
        inserted = tuple(i for i in places.values() if i not in batching)
        numbers = IndexNumbers((), inserted, batching, n.indices_batching, index_map, n.index_vector)
        return UpdateLayout(numbers, [self.shape[d] for d in places], [self.updates[axis] for axis in self.batch])

    @property
    def has_many_rows(self) -> bool:
        """Whether each window is a whole cell, and there are enough of them to sort them."""
        moved = self.numbers.index_map
        whole = all(self.sizes[d] == self.shape[d] for d in self.fixed) and all(self.sizes[d] == 1 for d in moved)
        of_item = prod(self.updates[axis] for axis in self.batch if axis not in self.items)
        return whole and of_item >= MANY_UPDATES and prod(self.shape) < 2**31

    @property
    def has_cells_in_order(self) -> bool:
        """Whether the elements of a cell follow each other, and those of the next cell follow them."""
        return [*self.dimensions, *self.fixed] == [*range(len(self.shape))]

    @property
    def has_many_narrow_rows(self) -> bool:
        """Whether updates are rows of a few numbers, and worth tables."""
        return bool(prod(self.shape[d] for d in self.fixed) < NARROW and LEAST_IN_TABLES <= prod(self.updates) < 2**30)

    @property
    def has_rows(self) -> bool:
        """Whether cells are rows that sorting keeps together."""
        return bool(prod(self.shape[d] for d in self.fixed) >= NARROW)

    @property
    def has_many_in_rows(self) -> bool:
        """Whether there are many updates for each element of such rows."""
        return bool(self.has_rows and prod(self.updates) > MOST_AT_ONCE * prod(self.shape))


def is_associative(body: Body) -> bool:
    """Whether updates may be combined with each other before they are combined with the operand."""
    region = body.region
    replaces = len(region.ops) == 1 and region.ops[0].operands == region.arguments[len(region.arguments) // 2 :]
    return body.monoid is not None or replaces


def combiner_of(body: Body) -> str | None:
    """What combines single integers in any order, if a function of the target does."""
    arguments = body.region.arguments
    if len(arguments) != 2 or expect_tensor(arguments[0].type).element not in INTEGERS or body.monoid is None:
        return None
    return COMBINERS.get(body.monoid)


@dataclass(frozen=True)
class FoldingTables:
    """Where groups fold updates in order: the size and type of a table, which has 2^shift cells, and how many of these
    all cells need."""

    size: int
    dtype: DType
    shift: int
    parts: int

    @property
    def digit(self) -> int:
        """The bits of the number of a part, by which updates are sorted."""
        return max(WIDTHS[0], (self.parts - 1).bit_length())


def tables_of(layout: UpdateLayout, body: Body) -> FoldingTables | None:
    """The tables in which updates are folded; None if these are sorted."""
    if not (layout.has_many_narrow_rows and layout.has_cells_in_order) or types_of_folds(body) is None:
        return None
    element = expect_tensor(body.region.arguments[0].type).element
    wide = WIDE_FLOATS.get(element.name) if isinstance(element, ScalarType) and len(body.region.ops) == 2 else None
    if wide is None:
        return None
    width = prod(layout.shape[d] for d in layout.fixed)
    cells, count, row = prod(layout.shape) // width, prod(layout.updates), width * wide.itemsize
    for size in FOLDING_TABLES:
        if cells * row <= size:
            return FoldingTables(size, wide, (cells - 1).bit_length(), 1)
    for size in FOLDING_TABLES:
        shift = (size // row).bit_length() - 1
        parts = -(-cells >> shift)
        if parts <= 1 << WIDTHS[-1] and count > TILE * width and MOST_EMPTY * count >= cells * width:
            return FoldingTables(size, wide, shift, parts)
    return None


@dataclass(frozen=True)
class TableFolds:
    """The target's functions that fold updates in tables and then these, the prefix of all, and the tables."""

    of_updates: str
    of_tables: str
    functions: str
    tables: FoldingTables


def table_folds(updates: Sequence[Tensor], layout: UpdateLayout, body: Body, lowering: Lowering) -> TableFolds | None:
    """How updates are folded in tables; None if they are sorted, or the target has no functions for it."""
    first, second = (function_of_folds(name, updates, body, lowering) for name in ("fold_in_tables", "fold_tables"))
    functions, tables = lowering.function("sort", dtypes.int32, False), tables_of(layout, body)
    if first is None or second is None or functions is None or tables is None:
        return None
    return TableFolds(f"{first.removesuffix('>')}, {tables.size}>", second, functions, tables)


def combiner_of_floats(body: Body) -> str | None:
    """The same for the extreme of floats."""
    arguments = body.region.arguments
    combiner = COMBINERS.get(body.monoid) if body.monoid in (Monoid.MAXIMUM, Monoid.MINIMUM) else None
    infinity = INFINITIES.get(str(expect_tensor(arguments[0].type).element))
    if len(arguments) != 2 or combiner is None or infinity is None:
        return None
    return f"{combiner}Float<{infinity.bit_length() + 1}, {infinity}ull>"


def sort_cells(cells: Tensor, count: int, lowering: Lowering) -> list[Tensor]:
    """Numbers of that many cells in order, and which update each belongs to; they are negative where one is dropped."""
    numbers = ranks_of_cells(cells, count)
    if functions := functions_of_digits([numbers], lowering):
        order, keys = sort_by_digits([numbers], functions)
    else:
        order, keys = merged_order([numbers.numbers], None, lowering)
    return [keys.reshape(-1), order.reshape(-1)]


def ranks_of_cells(cells: Tensor, count: int) -> Ranks:
    return Ranks(cells.reshape(1, -1), (count - 1).bit_length() + 1)  # and a sign


def scatter_cells(
    operands: Sequence[Tensor],
    updates: Sequence[Tensor],
    cells: Tensor,
    layout: UpdateLayout,
    body: Body,
    lowering: Lowering,
) -> list[Tensor]:
    """Combine updates into the operands as `scatter_sorted` does, given the numbers of their cells.

    Single numbers are sorted with their cells, if they are short, so that they are not read at random addresses then.
    """
    count, rows = prod(layout.of_cells.shape), rows_of(updates, layout)
    moves = len(rows) == 1 and rows[0].shape[1] == 1 and rows[0].dtype.itemsize <= MOVED and body.monoid is not None
    functions = functions_of_digits([numbers := ranks_of_cells(cells, count)], lowering) if moves else None
    if functions:
        values, keys = sort_by_digits([numbers], functions, rows[0].reshape(1, -1))
        return scatter_sorted(operands, [values.reshape(-1, 1)], keys.reshape(-1), None, layout, body, lowering)
    keys, order = sort_cells(cells, count, lowering)
    return scatter_sorted(operands, rows, keys, order, layout, body, lowering)


def rows_of(updates: Sequence[Tensor], layout: UpdateLayout) -> list[Tensor]:
    """Updates as rows of what belongs to a cell."""
    outer = [axis for axis in range(updates[0].ndim) if axis not in layout.axes]
    width = prod(layout.shape[d] for d in layout.fixed)
    return [u.permute(*outer, *layout.axes).reshape(-1, width) for u in updates]


def scatter_sorted(
    operands: Sequence[Tensor],
    values: Sequence[Tensor],
    keys: Tensor,
    order: Tensor | None,
    layout: UpdateLayout,
    body: Combine,
    lowering: Lowering,
) -> list[Tensor]:
    """Combine updates, as `rows_of` gives them, into the operands by an associative function, in order.

    The updates are sorted by the cell that they change, and folded in runs of neighbours. A run's partial result for a
    cell that is in other runs as well is an element of a shorter list, which is folded likewise. `keys` and `order` are
    those of `sort_cells`; several updates may be the same row. Without an order, the updates are in that of the keys.
    """
    shape, dimensions = [int(s) for s in layout.shape], layout.dimensions
    others = layout.fixed
    width = prod(shape[d] for d in others)
    results = list(operands) if lowering.in_place else copies_of(operands)

    def address_of(cell: Scalar, column: Scalar) -> Scalar:
        if layout.has_cells_in_order:
            return cell * width + column
        index: list[Scalar | int] = [0] * len(shape)
        for number, some in ((cell, dimensions), (column, others)):
            for d in reversed(some):
                index[d], number = number % shape[d], number // shape[d]
        return address(shape, index)

    if isinstance(body, Body) and body.monoid is None and order is not None:  # it replaces
        return write_last(results, values, keys, order, address_of)
    function = None
    if layout.has_cells_in_order:
        function = function_of_folds("fold_runs" if width < NARROW else "fold_columns", values, body, lowering)
    results, *lists = fold_runs(results, values, keys, order, address_of, body, function)
    while lists:
        values, keys = lists
        results, *lists = fold_runs(results, values, keys, None, address_of, body, function)
    return results


def fold_in_tables(operand: Tensor, update: Tensor, cells: Tensor, layout: UpdateLayout, folds: TableFolds) -> Tensor:
    """Combine updates into an operand, in an order that depends on their cells only.

    Groups fold parts of the updates in tables, which are then folded. If a table has no room for all elements, the
    updates are sorted by which part of these they change. `cells` are as in `sort_cells`.
    """
    shape, (values,) = [int(s) for s in operand.shape], rows_of([update], layout)
    rows, width = (int(s) for s in values.shape)
    elements, count, tables, inputs = prod(shape), rows * width, folds.tables, [cells, values]
    size = min(elements, width << tables.shift)
    # As many groups as keep BLOCKS busy, or more if the tables together are no larger than the updates. On average,
    # the last group of a part has half as many updates as others.
    halves = tables.parts // 2
    own = -(-count // ((min(MOST_TABLES, max(BLOCKS + halves, count // size)) - halves) * TOGETHER)) * TOGETHER
    groups, places = -(-count // own), (0, 1, 2, 3, 2)
    if tables.parts > 1:
        groups, places = count // own + tables.parts, (0, 1, 2, 3, 4)
        numbers, moved = cells.reshape(1, rows), values.reshape(1, rows, *[width][: width > 1])
        bits = tables.shift + tables.digit + 1  # what is dropped is at the end
        inputs = sort_by_digit(numbers, moved, bits, tables.shift, tables.digit, folds.functions)
    kinds = [((groups, size), tables.dtype), ((tables.parts + 1,), dtypes.int32)]
    sizes = [count, width, elements, size, (size - 1).bit_length(), own, tables.parts, -(-rows // TILE)]
    found = kernel_of_call("fold_in_tables", folds.of_updates, kinds, inputs, places, sizes, groups, THREADS)
    warps = THREADS // ADJACENT
    split = min(warps, 1 << max(1, groups // tables.parts // SHARE).bit_length() - 1)
    blocks, results = tables.parts * -(-size * split // (ADJACENT * warps)), [(tuple(shape), operand.dtype)]
    given = found, range(3), [elements, size, split], blocks, THREADS
    return kernel_of_call("fold_tables", folds.of_tables, results, *given, [operand])[0]


def write_last(
    targets: Sequence[Tensor],
    values: Sequence[Tensor],
    keys: Tensor,
    order: Tensor,
    address_of: Callable[[Scalar, Scalar], Scalar],
) -> list[Tensor]:
    """Write the last of each row of values with equal keys into the targets; see `fold_runs`."""
    m, width, count, loops = int(keys.shape[0]), int(values[0].shape[1]), len(values), Loops()

    def build(*buffers: Memory) -> Scalar:
        outs, (key_of, position_of), sources = buffers[:count], buffers[count : count + 2], buffers[count + 2 :]
        i, column = loops.range(m, independent=True), loops.range(width, independent=True)
        key, following = key_of[i].load(), key_of[primitives.smaller(i + 1, m - 1)].load()
        is_last = (key > -1) & ((i > m - 2) | (key.eq(following) != True))  # noqa: E712  (a graph node, not a bool)
        position = is_last.where(position_of[i].load(), 0).cast(dtypes.weakint)
        at = address_of(is_last.where(key, 0).cast(dtypes.weakint), column)
        stores = [out[at.valid(is_last)].store(s[position * width + column].load()) for out, s in zip(outs, sources)]
        return end(stores, [i, column])

    outputs = [([int(s) for s in t.shape], t.dtype) for t in targets]
    return kernel("write_last", outputs, [keys, order, *values], build, targets=targets)


def copies_of(x: Sequence[Tensor]) -> list[Tensor]:
    """The tensors, each in memory of its own."""
    shape, loops = [int(s) for s in x[0].shape], Loops()

    def build(*buffers: Memory) -> Scalar:
        i = loops.range(prod(shape))
        return end([out[i].store(old[i].load()) for out, old in zip(buffers, buffers[len(x) :])], [i])

    return kernel("copy", [(shape, t.dtype) for t in x], x, build)


def write_at_once(
    operand: Tensor,
    update: Tensor,
    indices: Tensor,
    locate: Callable[[list[Scalar], Memory], tuple[list[Scalar], Scalar]],
    functions: str,
    combiner: str,
    in_place: bool,
) -> Tensor:
    """The same as `write_at` by functions of the target that combine numbers with elements in any order.

    Groups of threads combine many updates in tables first.

    Args:
        functions: their prefix.
        combiner: that of these which combines two numbers.
    """
    shape, sizes, loops = [int(s) for s in operand.shape], [int(s) for s in update.shape], Loops()
    count, cells = prod(sizes), prod(shape)
    entry = max(4, operand.dtype.itemsize)
    keyed = cells * entry > TABLE
    is_many = count >= max(LEAST_IN_TABLES, REPEATED * cells * keyed) and cells < 2**31
    size = 1 << (TABLE // (4 + entry)).bit_length() - 1 if keyed else cells
    groups = min(-(-count // COMBINING), MOST_TABLES)
    each = min(-(-count // (groups * COMBINING)), READ_AT_ONCE)
    steps = -(-count // (groups * COMBINING * each))
    table = f"<{functions}{combiner}, {str(keyed).lower()}, {size}>"

    def run(function: str, out: Memory, given: Sequence[Scalar], where: Scalar) -> Scalar:
        # The function writes; what it returns is false, so nothing is stored, but the kernel counts as one that writes.
        is_left = call_with_addresses(functions + function, dtypes.bool, given)
        return out[where.valid(is_left)].store(primitives.constant(0, operand.dtype))

    def given_by(
        out: Memory, new: Memory, index: Memory, at: list[Scalar], exists: Scalar
    ) -> tuple[list[Scalar], Scalar]:
        target, inside = locate(at, index)
        where, inside = address(shape, target), inside & exists
        value = inside.where(new[address(sizes, at)].load(), 0)
        return [out[where], value.bitcast(BITS[value.dtype]) if value.dtype in BITS else value, inside], where

    def build(out: Memory, new: Memory, index: Memory) -> Scalar:
        if not is_many:
            at = [loops.range(size, independent=True) for size in sizes]
            given, where = given_by(out, new, index, at, primitives.all_of([]))
            return end([run(f"combine<{functions}{combiner}>", out, given, where)], at)
        group, lane = loops.grid(groups), loops.lane(COMBINING)
        out = out.after(primitives.wait(run(f"begin{table}", out, [out[0]], lane)))
        step = loops.range(steps)
        taken = []
        for part in range(each):
            number = (((group * steps + step) * each) + part) * COMBINING + lane
            exists = number < count
            number = exists.where(number, 0)
            at = [number // apart for apart in primitives.strides(sizes)]
            at[1:] = [place % size for place, size in zip(at[1:], sizes[1:])]
            given, where = given_by(out, new, index, at, exists)
            taken.append(run(f"take{table}", out, [out[0], *given], where))
        out = out.after(primitives.wait(end(taken, [step])))
        return end([run(f"finish{table}", out, [out[0]], lane)], [group, lane])

    targets = [operand] if in_place else copies_of([operand])
    once = [update, indices] if prod(indices.shape) >= count else [update]
    given = [update, indices], build
    return kernel("scatter", [(shape, operand.dtype)], *given, targets=targets, computes=True, once=once)[0]


def fold_runs(
    targets: Sequence[Tensor],
    values: Sequence[Tensor],
    keys: Tensor,
    order: Tensor | None,
    address_of: Callable[[Scalar, Scalar], Scalar],
    body: Combine,
    function: str | None = None,
) -> tuple[list[Tensor], list[Tensor], Tensor] | tuple[list[Tensor]]:
    """Fold rows of values with equal keys, and combine those that are whole into the targets.

    Equal keys are adjacent; there is no value where a key is negative. Returns the targets, and if there is more than
    one run, two rows and their keys for each run: its partial results for a cell shared with the run before it, and for
    one shared with the next run; or a key of -1.

    Args:
        order: which value belongs to each key; None if they are in the same order.
        address_of: where the column of a cell is in the targets.
        function: see `function_of_folds`; cells are in order then.
    """
    m, width = int(keys.shape[0]), int(values[0].shape[1])
    kinds, count, loops = [v.dtype for v in values], len(values), Loops()
    # Threads whose rows are narrow would read far from each other, so they read runs together, into shared memory.
    together = width < NARROW and m >= MANY
    columns = WIDE if width > WIDE // 2 else max(NARROW, 1 << (width - 1).bit_length())
    own = -(-m * columns // THREADS // AHEAD) * AHEAD  # if one block folds all
    if own > LONGEST:
        across = -(-width // columns)
        busy = (n for n in (RUN, LONGEST) if -(-m * columns // (THREADS * n)) * across >= BLOCKS)
        own = next(busy, AHEAD)
    size = OWN if together else RUN
    if function is not None:
        size = MERGED if width < NARROW else THREADS // columns * own
    lanes = scan_lanes([keys.reshape(1, m, 1), *(v.reshape(1, -1, 1) for v in values)]) if together else 1
    runs = -(-m // size)
    is_last = runs == 1

    def build(body: Combine, *buffers: Memory) -> Scalar:
        outs, parts = buffers[:count], buffers[count : count if is_last else 2 * count + 1]
        key_of, *rest = buffers[count + len(parts) :]
        sources, positions = rest[:count], rest[count:]
        if together:
            group, lane = loops.grid(-(-runs // lanes) * width), loops.lane(lanes)
            run, column, outer = group // width * lanes + lane, group % width, []
        else:
            run, column = loops.range(runs, independent=True), loops.range(width, independent=True)
            outer = [run, column]
        first, none = run * size, primitives.constant(-1, dtypes.int32)

        def key_at(position: Scalar, exists: Scalar) -> Scalar:
            return exists.where(key_of[exists.where(position, 0)].load(), none)

        def read(position: Scalar) -> tuple[Scalar, list[Scalar]]:
            """A key, and the value that belongs to it, if there is one."""
            key = key_at(position, position < m)
            position = (key > -1).where(position, 0)
            position = positions[0][position].load().cast(dtypes.weakint) if positions else position
            return key, [source[(key > -1).where(position, 0) * width + column].load() for source in sources]

        if together:
            memory = [loops.shared((OWN + 1) * lanes, kind) for kind in (dtypes.int32, *kinds)]
            step = loops.range(OWN, independent=True)
            i = lane + step * lanes
            key, new = read(group // width * (lanes * size) + i)
            filled = end([part[skew(i)].store(x) for part, x in zip(memory, [key, *new])], [step])
            memory = [part.after(primitives.wait(filled)) for part in memory]

        # The key of the element before the run; in a list of two rows per run, that of the row before it if none.
        exists = run < runs  # the last group may have more threads
        before = key_at(first - 1, exists & (first > 0))
        before = (before < 0).where(key_at(first - 2, exists & (first > 1)), before)
        # The key that is folded, whether there is a value of it, whether it begins in this run, the key of the first
        # row of the result, then the fold, and the first row.
        begin = [before, *(primitives.constant(False, dtypes.bool) for _ in range(2)), none]
        begin += [primitives.constant(0, kind) for kind in kinds] * 2
        registers = loops.carry([dtypes.int32, dtypes.bool, dtypes.bool, dtypes.int32, *kinds * 2], begin, outer)
        # The last iteration has the key that follows the run, and changes no register.
        step = loops.range(size + 1)
        is_over = step > size - 1
        following = key_at(first + size, first + size < m)
        current, has, begins, head_key, *old = (r.after(step)[0].load() for r in registers)
        old, head = old[:count], old[count:]
        if together:
            position = skew(lane * size + primitives.smaller(step, size - 1))
            key, *new = (part[position].load() for part in memory)
            key = is_over.where(following, key)
        else:
            key, new = read(first + step)
        exists = key > -1
        differs = (exists | is_over) & (key.eq(current) != True)  # noqa: E712  (a graph node, not a bool)
        ends, goes_on = differs & has, has & (differs != True)  # noqa: E712
        is_whole, is_head = ends & begins, ends & (begins != True)  # noqa: E712
        # Either a value is folded, or the fold of a whole cell is combined into the targets.
        at = address_of(is_whole.where(current, 0).cast(dtypes.weakint), column)
        left = [is_whole.where(out.after(step)[at].load(), o) for out, o in zip(outs, old)]
        folded = call(body, *left, *(is_whole.where(o, n) for o, n in zip(old, new)))[:count]
        stores = [out.after(step)[at.valid(is_whole)].store(value) for out, value in zip(outs, folded)]
        exists = exists & (is_over != True)  # noqa: E712
        fresh = [exists.where(key, current), has | exists, begins | (differs & exists)]
        fresh += [(is_head & exists).where(current, head_key)]
        fresh += [exists.where(goes_on.where(f, n), o) for f, n, o in zip(folded, new, old)]
        fresh += [(is_head & exists).where(o, h) for o, h in zip(old, head)]
        # What is stored is what the registers were.
        ready = loops.update([r.after(step, *stores) for r in registers], fresh, [step])
        done = end(ready, [step])
        current, has, begins, head_key, *old = (r.after(done)[0].load() for r in registers)
        old, head = old[:count], old[count:]
        goes_on = has & following.eq(current)
        stores = []
        if not is_last:
            is_head, is_tail = has & (begins != True), goes_on & begins  # noqa: E712
            *rows, part_keys = parts
            for row, o, h in zip(rows, old, head):
                at = 2 * run * width + column
                pair = is_head.where(o, h), o
                stores += [row[(at + n * width).valid(run < runs)].store(k) for n, k in enumerate(pair)]
            pair = is_head.where(current, head_key), is_tail.where(current, none)
            is_first = (column < 1) & (run < runs)
            stores += [part_keys[(2 * run + n).valid(is_first)].store(k) for n, k in enumerate(pair)]
        return end(stores or [done], [group, lane] if together else outer)

    given = [keys, *values, *([] if order is None else [order])]
    # The function gets lists in any case, so that its kernel is the same.
    has_lists = function is not None or not is_last
    lists = [make_unplaced((2 * runs, width), kind) for kind in kinds] if has_lists else []
    lists += [make_unplaced((2 * runs,), dtypes.int32)] if has_lists else []
    written = [*targets, *lists]
    outputs = [(tuple(int(s) for s in t.shape), t.dtype) for t in written]
    if function is None:
        found = kernel("fold_runs", outputs, given, build, [body], written)
    else:
        given, numbers = [keys, *values, keys if order is None else order], [m, width, own, int(order is not None)]
        groups, threads = runs * -(-width // columns), THREADS
        if width < NARROW:
            groups, threads, numbers = runs * width, MERGED // PACKED, [m, width, int(order is not None)]
        found = kernel_of_call("fold_runs", function, outputs, given, range(6), numbers, groups, threads, written)
    return (found[:count],) if is_last else (found[:count], found[count:-1], found[-1])
