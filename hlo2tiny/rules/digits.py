"""Sorting and folding with functions of the target that threads call together (`targets/cuda/sorting.cu`).

By digits: for each one, the lowest one first, groups count the digits of their tiles, the counts are added up, and each
group sorts its tile and writes it to where it belongs. By merges: groups sort tiles, and then merge pairs of sorted
parts. Nothing depends on the order in which groups run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

import numpy as np

from ..ir import ScalarType
from ..ir.dtypes import expect_tensor, numpy_dtype
from ..ir.sizes import typical
from ..ops import Monoid
from ..tinygrad.dtypes import NARROW_FLOATS
from ..tinygrad.expressions import DType, Tensor, dtypes
from ..tinygrad.loops import Loops, Memory, Scalar, call_with_addresses, end, repeats
from .comparator import Ranks
from .folds import identity
from .loops import Combine, kernel
from .registry import Body, Lowering
from .sorting import permute_rows

# The numbers of a tile, the threads that sort it, and the least and most bits of a digit.
TILE, THREADS, WIDTHS = 4096, 256, range(5, 9)
# The most bytes of a value that a tile has in shared memory with its number.
MOVED = 4
# Merging begins with sorted parts of this many elements, of which a thread has PACKED.
MERGED, PACKED = 2048, 16


def passes_of(bits: int) -> int:
    return -(-bits // WIDTHS[-1])


def functions_of_digits(ranks: Sequence[Ranks], lowering: Lowering) -> str | None:
    """The prefix of the target's functions, if it has any and digits take less time than merges.

    A digit takes as long as two merges, of which there is one for each power of 2. Merges look up ranks of more than 32
    bits at random addresses.
    """
    rows, n = map(typical, ranks[0].numbers.shape)
    merges = max(0, -(-n // MERGED) - 1).bit_length() * (1 if len(ranks) == 1 else 3)
    if n <= TILE or rows * n >= 1 << 31 or 2 * sum(passes_of(part.bits) for part in ranks) > merges:
        return None
    return lowering.function("sort", dtypes.int32, False)


def sort_by_digits(ranks: Sequence[Ranks], functions: str, values: Tensor | None = None) -> list[Tensor]:
    """The stable sorting permutation of rows of ranks, and the first ranks in that order.

    Args:
        functions: the prefix of the target's functions.
        values: of up to 32 bits, which are sorted with the ranks, of which there is one, in place of the permutation.
    """
    order = values
    for part in reversed(ranks):
        numbers = part.numbers if order is values else permute_rows(part.numbers, order)
        passes = passes_of(part.bits)
        width = max(WIDTHS[0], -(-part.bits // passes))
        for shift in range(0, part.bits, width):
            numbers, order, _ = sort_by_digit(numbers, order, part.bits, shift, width, functions)
    assert order is not None
    return [order, numbers]


def sort_by_digit(
    numbers: Tensor, moved: Tensor | None, bits: int, shift: int, width: int, functions: str
) -> list[Tensor]:
    """Rows of numbers, signed and of this many bits, sorted by a digit, what moves, and what `count_digits` says.

    If nothing is given to move, that is their indices in the rows; it may be a row of values for each number.
    """
    rows, n = (int(s) for s in numbers.shape)
    starts = count_digits(numbers, bits, shift, width, functions)
    name, sizes = "sort_digits", [n, bits, shift]
    kinds: list[tuple[tuple[int, ...], DType]] = [((rows, n), dtypes.int32)] * 2
    inputs, places = [numbers, starts], (0, 1, 2, 2, 3)
    if moved is not None:
        shape = tuple(int(s) for s in moved.shape)
        kinds, inputs, places = [kinds[0], (shape, moved.dtype)], [numbers, moved, starts], (0, 1, 2, 3, 4)
        if len(shape) > 2 or moved.dtype.itemsize > MOVED:
            name, sizes = "sort_rows_by_digit", [*sizes, prod(shape[2:])]
    types = f"<{width}>" if name == "sort_rows_by_digit" else f"<{width}, {str(moved is not None).lower()}>"
    groups = rows * -(-n // TILE)
    return [*kernel_of_call(name, functions + name + types, kinds, inputs, places, sizes, groups, THREADS), starts]


def count_digits(numbers: Tensor, bits: int, shift: int, width: int, functions: str) -> Tensor:
    """How many numbers with each digit are in the tiles before each one of a row, and in all of them."""
    rows, n = (int(s) for s in numbers.shape)
    tiles, digits, call = -(-n // TILE), 1 << width, partial(kernel_of_call, threads=THREADS)
    counts, name = [((rows, digits, tiles), dtypes.int32)], f"{functions}count_digits<{width}>"
    found = call("count_digits", name, counts, [numbers], (0, 1), (n, bits, shift), rows * tiles)
    starts = [((rows, digits, tiles + 1), dtypes.int32)]
    return call("scan_digits", f"{functions}scan_digits", starts, found, (0, 1), (tiles,), rows * digits)[0]


def kernel_of_call(
    name: str,
    function: str,
    outputs: Sequence[tuple[tuple[int, ...], DType]],
    inputs: Sequence[Tensor],
    places: Sequence[int],
    numbers: Sequence[int],
    groups: int,
    threads: int,
    targets: Sequence[Tensor] = (),
) -> list[Tensor]:
    """What a function of the target writes that all threads of some groups call.

    Args:
        places: which of the outputs and inputs are its arguments, before the numbers.
        targets: as in `kernel`.
    """

    def build(*buffers: Memory) -> Scalar:
        loops = Loops()
        group, lane = loops.grid(groups), loops.lane(threads)
        given = [*(buffers[i][0] for i in places), group.cast(dtypes.int32), lane.cast(dtypes.int32)]
        # The function writes all; what it returns is false, so nothing is stored, but the outputs count as written.
        is_left = call_with_addresses(function, dtypes.bool, given, *numbers)
        stores = [out[lane.valid(is_left)].store(0) for out in buffers[: len(outputs)]]
        return end(stores, [group, lane])

    return kernel(name, outputs, inputs, build, targets=targets, in_memory=True)


def sort_by_merges(numbers: Tensor, functions: str) -> list[Tensor]:
    """The stable sorting permutation of rows of int32, and the sorted numbers.

    `functions` is the prefix of the target's functions.
    """
    n, size = int(numbers.shape[1]), MERGED
    *found, bits = sort_rows(numbers, functions)
    while size < n:
        size *= 2
        *found, bits = merge_rows(found[0], bits, size >= n, functions)
    return found


def packed(rows: int, n: int, is_last: bool) -> list[tuple[tuple[int, ...], DType]]:
    """What such a kernel writes: packed numbers, or indices and numbers; then the bits of its sorted parts' size."""
    kinds = [dtypes.int32] * 2 if is_last else [dtypes.int64]
    return [*(((rows, n), kind) for kind in kinds), ((1,), dtypes.int32)]


def sort_rows(numbers: Tensor, functions: str) -> list[Tensor]:
    """Each tile of a row sorted, or several short rows sorted by one group."""
    rows, n = (int(s) for s in numbers.shape)
    bits, is_last = (min(MERGED, max(PACKED, n)) - 1).bit_length(), n <= MERGED
    groups = -(-rows // (MERGED >> bits)) * -(-n // MERGED)
    name, places = f"{functions}sort_rows<{str(is_last).lower()}>", (0, 1, 2, 3) if is_last else (0, 0, 1, 2)
    given = packed(rows, n, is_last), [numbers], places, (rows, n, bits), groups, MERGED // PACKED
    return kernel_of_call("sort_rows", name, *given)


# The smallest numbers of a row are found in blocks of this many, with the smallest minima, and so many at most.
BLOCK = 32
MOST_SMALLEST = MERGED // BLOCK


def smallest_indices(numbers: Tensor, k: int, functions: str, are_minima: bool = False) -> Tensor:
    """The indices of the k smallest numbers of each row, from the smallest; of equal ones, the first comes first.

    They lie in the k blocks with the smallest minima, of which again the first come first.
    """
    rows, n = (int(s) for s in numbers.shape)
    blocks, given, has_blocks, size = list[Tensor](), (0, 1, 1), n > min(2 * BLOCK * k, MERGED), n
    if has_blocks:
        count = -(-n // BLOCK)
        if are_minima:
            name, kinds = f"{functions}minima", [((rows, count), dtypes.int32)]
            groups = -(-rows * count * BLOCK // THREADS)
            (minima,) = kernel_of_call("minima", name, kinds, [numbers], (0, 1), (rows, n), groups, THREADS)
        else:  # in the kernel that computes the numbers
            numbers, n = numbers.pad((None, (0, -n % BLOCK)), value=dtypes.int32.max), count * BLOCK
            minima = numbers.reshape(rows, count, BLOCK).min(-1)
        blocks, given, size = [smallest_indices(minima, k, functions, True)], (0, 1, 2), k * BLOCK
    bits = (max(PACKED, size) - 1).bit_length()
    name, groups = f"{functions}smallest<{str(has_blocks).lower()}>", -(-rows // (MERGED >> bits))
    kinds, parts = [((rows, k), dtypes.int32)], (rows, n, k, bits)
    return kernel_of_call("smallest", name, kinds, [numbers, *blocks], given, parts, groups, MERGED // PACKED)[0]


def merge_rows(numbers: Tensor, bits: Tensor, is_last: bool, functions: str) -> list[Tensor]:
    """Neighbouring sorted parts of rows of packed numbers, merged."""
    rows, n = (int(s) for s in numbers.shape)
    name = f"{functions}merge_rows<{str(is_last).lower()}>"
    places = (0, 1, 2, 3, 4) if is_last else (0, 0, 1, 2, 3)
    given = packed(rows, n, is_last), [numbers, bits], places, (n,), rows * -(-n // MERGED), MERGED // PACKED
    return kernel_of_call("merge_rows", name, *given)


# The names of types and operations in the target's functions.
KINDS = {
    "bf16": "Bf16", "f16": "F16", "f32": "Plain<float>", "f64": "Plain<double>", "i8": "Plain<signed char>",
    "i16": "Plain<short>", "i32": "Plain<int>", "i64": "Plain<long>", "ui8": "Plain<unsigned char>",
    "ui16": "Plain<unsigned short>", "ui32": "Plain<unsigned int>", "ui64": "Plain<unsigned long>",
}  # fmt: skip
FOLDS = {
    Monoid.SUM: "Sum", Monoid.PRODUCT: "Product", Monoid.MAXIMUM: "Extreme<true>", Monoid.MINIMUM: "Extreme<false>",
}  # fmt: skip


def function_of_folds(
    name: str, values: Sequence[Tensor], body: Combine, lowering: Lowering, widened: bool = False
) -> str | None:
    """The target's function of this name that folds such values, or narrow floats as f32, if it has one.

    A kernel that calls it is not built and compiled anew for each size.
    """
    prefix, types = lowering.function("sort", dtypes.int32, False), types_of_folds(body)
    if prefix is None or len(values) > 1 or types is None:
        return None
    fold, kind = types
    return f"{prefix}{name}<{prefix}{fold}, {prefix}{KINDS['f32'] if widened else kind}>"


def types_of_folds(body: Combine) -> tuple[str, str] | None:
    """The names of a body's operation and type in the target's functions, if these fold values by it."""
    if not isinstance(body, Body) or body.monoid not in FOLDS:
        return None
    arguments = body.region.arguments
    element = expect_tensor(arguments[0].type).element
    if not isinstance(element, ScalarType) or element.name not in KINDS or body.region.ops[0].operands != arguments:
        return None
    return FOLDS[body.monoid], KINDS[element.name]


def begins_with_nothing(body: Body, dtype: DType, initial: Sequence[Tensor]) -> bool:
    """Whether folds of values that memory has as this dtype begin with what changes nothing, if with anything."""
    assert body.monoid is not None
    element = expect_tensor(body.region.arguments[0].type).element
    narrow = isinstance(element, ScalarType) and element.name in NARROW_FLOATS  # whose bits are in memory
    number = body.monoid.identity if narrow else identity(body.monoid, dtype)
    number += 0  # the zero with which a sum begins has no sign
    if narrow:
        number = int(np.array(number, numpy_dtype(element)).view(f"u{dtype.itemsize}"))
    return all(repeats(t, number) for t in initial)


# The elements of a block's windows, and of a row of these: the most, and the fewest words, which are read together.
WINDOWED, MOST_COLUMNS, LEAST_WORDS = 2048, 32, 8


def columns_of_windows(inner: int, reach: int, itemsize: int) -> int:
    """How many adjacent columns a block has, whose windows reach over so many rows; 0 if most would have no room.

    They are a power of two, as threads would take longer to divide by others than to leave some columns out.
    """
    columns, least = 1 << (min(inner, MOST_COLUMNS) - 1).bit_length(), LEAST_WORDS * 4 // max(4, itemsize)
    while columns > least and WINDOWED // columns < 4 * reach:
        columns = max(least, columns // 2)
    return columns if WINDOWED // columns >= 2 * reach else 0


def fold_windows(
    x: Tensor, axis: int, numbers: tuple[int, int, int, int], count: int, columns: int, function: str
) -> Tensor:
    """The folds of windows along an axis; the numbers are their size, stride, dilation and the padding before them."""
    shape = [int(s) for s in x.shape]
    inner, (size, stride, dilation, _) = prod(shape[axis + 1 :]), numbers
    windows = (WINDOWED // columns - 1 - (size - 1) * dilation) // stride + 1
    groups = prod(shape[:axis]) * -(-count // windows) * -(-inner // columns)
    given = shape[axis], inner, count, *numbers, columns
    kinds = [((*shape[:axis], count, *shape[axis + 1 :]), x.dtype)]
    return kernel_of_call("fold_windows", function, kinds, [x], (0, 1), given, groups, THREADS)[0]
