"""Finds the dots that a library computes as matrix products, and how it reads their operands.

An operand is described as a matrix, transposed or not, with the stride of its rows, and with the strides of the
matrices of a batch. These strides can also express a transpose before the dot, which then costs nothing.
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import prod
from typing import Any

import numpy as np

from ..ir import ArrayAttr, ComplexType, DenseAttr, Op, ScalarType, TensorType, Value
from ..ir.dimensions import DotNumbers, dot_numbers
from ..ir.dtypes import SMALL_FLOATS, static_shape, strides_of
from ..ir.rewrite import free_values, with_element, with_shape
from ..ir.sizes import is_open, largest, relation, typical
from ..ops import Cost, Monoid, Trait, cost_of, has, monoid_of
from ..ops.attributes import plain
from ..ops.build import stablehlo
from ..records import dataclass
from .heads import INDICES, Offset

# The letter of an element type: BLAS's letters, and one for 32-bit integers, which wrap in the same way if signed or
# unsigned.
LETTERS = {"f32": "s", "f64": "d", "complex<f32>": "c", "complex<f64>": "z", "i32": "i", "ui32": "i"}
# A product with fewer multiplications, in total or in each matrix of a batch, is computed in kernels with its
# neighbours.
LEAST = 4096
LEAST_MATRIX = 512
# So is one of at most so many terms by so many columns, on processors: vectors are along short rows of the result.
FEW_TERMS, FEW_COLUMNS = 8, 16
# And one of rows of a vector by at most so many columns, or of rows of at most so many numbers by one: vectors are
# along what is summed.
ONE_VECTOR, FEWEST_COLUMNS, SHORT_ROW = 16, 4, 64
# Vectors along long rows of the result take numbers of short rows one by one, which pays if these have so few bytes.
MOST_TURNED = 32
# A product of fewer rows is faster than its transpose, whose rows would be shorter than vectors, and is small.
SHORT = 16
# How often an operand's elements are multiplied if it is converted first.
OFTEN = 4
# BLAS uses 32-bit integers for sizes.
MOST = 2**31 - 1
# What rounds differently with few rows is done as with so many, which no product has, in programs that are to give a
# row the same bits in any batch.
USUAL_ROWS = MOST


@dataclass(frozen=True)
class Matrix:
    """How an operand is stored: in rows, or in columns if it is transposed, which are `leading` elements apart.

    `batch` is the stride of matrices along each batching dimension. `narrow` is the element type if the product
    widens it.
    """

    transposed: bool
    leading: int
    batch: tuple[int, ...]
    narrow: str = ""


@dataclass(frozen=True)
class Product:
    """C = A·B for matrices of m×k and k×n elements, for each index of the batch; C is row-major.

    If `group` is not 0, B is narrow, and each `group` elements of a column have a scale, by which they are multiplied.
    How sums round depends on `usual`, the rows that a product like this has, or on m if that is 0. The buffers of the
    indices that the `offsets` are about come last. If there are `groups` of A's rows in memory, whose sizes are in a
    third buffer, each has a matrix of its own in B, and what is in none of them becomes 0; or in C, if A is transposed.
    """

    letter: str
    batch: tuple[int, ...]
    m: int
    n: int
    k: int
    a: Matrix
    b: Matrix
    group: int = 0
    usual: int = 0
    offsets: tuple[Offset, ...] = ()
    groups: int = 0

    @property
    def flops(self) -> int:
        return 2 * self.m * self.n * self.k * prod(self.batch) * (4 if self.letter in "cz" else 1)


@dataclass(frozen=True)
class View:
    """A value as the buffer of `source` with its dimensions in another order; `ops` compute the value from the source.

    It begins at the buffer's element `begin`. `scales`, if there are any, multiply each `group` numbers of the buffer,
    whose type is `narrow`.
    """

    source: Value
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    ops: tuple[Op, ...]
    scales: tuple[Value, ...] = ()
    group: int = 0
    narrow: str = ""
    begin: int = 0


def view(
    value: Value,
    definitions: Mapping[Value, Op],
    through: Callable[[Op], bool] = lambda op: False,
    slices: bool = False,
) -> View:
    """Trace a value back through transposes, reshapes and broadcasts, as far as strides can express them.

    Conversions for which `through` is true are traced, too, and so are slices if the caller asks for these.
    """
    op, shape = definitions.get(value), static_shape(value.type)
    whole = View(value, shape, strides_of(shape), ())
    if op is None:
        return whole
    is_slice = slices and op.name == stablehlo.slice.name
    order = order_of(op)
    if not (through(op) or is_slice or order is not None or is_reshape(op) or is_broadcast(op)):
        return whole
    inner = view(op.operands[0], definitions, through, slices)
    begin, moved = inner.begin, None
    if through(op):
        moved = inner.strides
    elif is_slice:
        starts, steps = (map(int, plain(op.attributes[name])) for name in ("start_indices", "strides"))
        begin += sum(start * stride for start, stride in zip(starts, inner.strides))
        moved = tuple(step * stride for step, stride in zip(steps, inner.strides))
    elif order is not None:
        moved = tuple(inner.strides[d] for d in order)
    elif is_reshape(op):
        moved = reshape_view(inner, shape)
    else:
        moved = broadcast(inner, shape, op)
    return whole if moved is None else View(inner.source, shape, moved, (*inner.ops, op), begin=begin)


def reshape_view(inner: View, shape: Sequence[int]) -> tuple[int, ...] | None:
    """The strides of a view in another shape, or None if the new dimensions have none."""
    if 0 in shape:
        return None
    old = [(size, stride) for size, stride in zip(inner.shape, inner.strides) if size != 1][::-1]
    strides = []
    for size in reversed(shape):
        taken: list[tuple[int, int]] = []
        while old and prod(n for n, _ in taken) % size:  # the dimensions that this one is a part of
            taken.append(old.pop(0))
        count, stride = prod(n for n, _ in taken), merged_stride(taken[::-1])
        if stride is None or count % size:
            return None
        strides.append(stride)
        if count > size:
            old.insert(0, (count // size, stride * size))
    return tuple(reversed(strides))


def broadcast(inner: View, shape: Sequence[int], op: Op) -> tuple[int, ...]:
    """The strides of a view that is repeated along dimensions, which are 0 there."""
    strides = [0] * len(shape)
    for d, size, stride in zip(plain(op.attributes["broadcast_dimensions"]), inner.shape, inner.strides):
        strides[int(d)] = stride if size == shape[int(d)] else 0
    return tuple(strides)


class Tracer:
    """Follows a value back through the ops that compute it, which it collects."""

    def __init__(self, definitions: Mapping[Value, Op]) -> None:
        self.definitions = definitions
        self.ops: list[Op] = []

    def operands(self, value: Value, fits: Callable[[Op], bool]) -> tuple[Value, ...]:
        """The operands of the op that defines a value, if it is one that fits; otherwise ()."""
        op = self.definitions.get(value)
        if op is None or not fits(op):
            return ()
        self.ops.insert(0, op)
        return op.operands

    def find_broadcast(self, value: Value, dimensions: Sequence[int]) -> Value | None:
        """What is broadcast to a value, as these dimensions of it."""
        operands = self.operands(value, is_broadcast)
        found = plain(self.ops[0].attributes["broadcast_dimensions"]) if operands else ()
        return operands[0] if operands and [*found] == [*dimensions] else None

    def constant(self, value: Value | None) -> set[Any]:
        """The numbers of a small constant, each with its index; those of a splat have none."""
        op = self.definitions.get(value) if value is not None else None
        data = op.attributes.get("value") if op is not None and has(op, Trait.CONSTANT) else None
        if op is None or not isinstance(data, DenseAttr) or (data.data.size > 2 and not data.splat):
            return set()
        self.ops.insert(0, op)
        numbers = data.data.reshape(-1).tolist()
        return {numbers[0]} if data.splat else set(enumerate(numbers))

    def find_packed_bytes(self, value: Value) -> Value | None:
        """The bytes whose low and high halves are the numbers of a value, as `convert --quantize int4` takes them."""
        wide = static_shape(value.type)
        (pairs,) = self.operands(value, is_reshape) or (value,)
        if pairs is value or static_shape(pairs.type) != (*wide[:-1], wide[-1] // 2, 2):
            return None
        shifted = self.operands(pairs, lambda op: op.name == "stablehlo.shift_right_arithmetic")
        twice = self.operands(shifted[0], lambda op: op.name == "stablehlo.shift_left") if shifted else ()
        if not twice or self.constant(shifted[1]) != {4}:
            return None
        by = self.find_broadcast(twice[1], (len(wide),))
        return self.find_broadcast(twice[0], range(len(wide))) if self.constant(by) == {(0, 4), (1, 0)} else None


def scaled_view(value: Value, definitions: Mapping[Value, Op]) -> View | None:
    """The view of f32 numbers that are narrow integers times scales, as `convert --quantize` writes them."""
    tracer = Tracer(definitions)
    shape = static_shape(value.type)
    product = tracer.operands(value, is_reshape) or (value,)
    factors = tracer.operands(product[0], lambda op: monoid_of(op) is Monoid.PRODUCT)
    if len(factors) != 2 or element_name(factors[0]) != "f32":
        return None
    whole = tracer.operands(factors[0], is_conversion)
    if not whole or element_name(whole[0]) != "i8":
        return None
    grouped = static_shape(whole[0].type)
    scales = tracer.find_broadcast(factors[1], range(len(grouped) - 1)) if grouped else None
    if scales is None or static_shape(scales.type) != grouped[:-1]:
        return None
    found = len(tracer.ops)
    source = tracer.find_packed_bytes(whole[0])
    if source is None:
        del tracer.ops[: len(tracer.ops) - found]
    narrow = "i8" if source is None else "i4"
    return View(source or whole[0], shape, strides_of(shape), tuple(tracer.ops), (scales,), grouped[-1], narrow)


def joins(op: Op) -> bool:
    """Whether an element of an op's result is one of an operand that depends on where it is."""
    return has(op, Trait.MOVEMENT) and "dimension" in op.attributes and len(op.operands) > 1


def is_conversion(op: Op) -> bool:
    return has(op, Trait.ELEMENTWISE) and cost_of(op) is Cost.FREE


def is_reshape(op: Op) -> bool:
    return has(op, Trait.MOVEMENT) and len(op.operands) == 1 and not op.attributes


def order_of(op: Op) -> list[int] | None:
    """The order in which a transpose has the dimensions of its operand; None of another op."""
    moves = has(op, Trait.MOVEMENT) and "permutation" in op.attributes
    return [int(d) for d in plain(op.attributes["permutation"])] if moves else None


def is_broadcast(op: Op) -> bool:
    return has(op, Trait.MOVEMENT) and "broadcast_dimensions" in op.attributes


def is_widening(op: Op) -> bool:
    if not is_conversion(op):
        return False
    source, target = element_name(op.operands[0]), element_name(op.results[0])
    return source in (NARROW_INTEGERS if LETTERS.get(target) == "i" else NARROW if target == "f32" else ())


def element_name(value: Value) -> str:
    """The name of a scalar or complex element type, "" for another."""
    assert isinstance(value.type, TensorType)
    element = value.type.element
    return str(element) if isinstance(element, ScalarType | ComplexType) else ""


def letter_of(op: Op) -> str:
    """The letter of a dot's element type, "" if no library has it."""
    names = {element_name(v) for v in (*op.operands, *op.results)}
    return LETTERS.get(names.pop(), "") if len(names) == 1 and op.attributes.get("algorithm") is None else ""


def product_of(
    op: Op,
    definitions: Mapping[Value, Op],
    widening: Sequence[Op] = (),
    scales: bool = True,
    alike: bool = False,
    widened: bool = True,
) -> tuple[Product, View, View] | None:
    """A dot as a product for BLAS, with the views of its operands; None if BLAS lacks its layout or type.

    Args:
        widening: conversions that the product does itself, besides those of `is_widening`.
        scales: whether the second operand may have scales.
        alike: whether 16-bit floats are widened before if the other operand is of another type, unless that costs more.
        widened: whether narrower operands are multiplied as they are at all.
    """
    letter = letter_of(op) if has(op, Trait.DOT) else ""
    if not letter:
        return None
    shapes = [static_shape(v.type) for v in op.operands]
    numbers = dot_numbers(op)
    rows, columns = numbers.lhs_free(len(shapes[0])), numbers.rhs_free(len(shapes[1]))
    scaled = scaled_view(op.operands[1], definitions) if letter == "s" and scales else None

    def widens(op: Op) -> bool:
        return scaled is None and widened and (is_widening(op) or op in widening)

    left, right = (view(v, definitions, widens) for v in op.operands)
    right = scaled or right
    # An operand that is no matrix where it comes from may be one as the program moves it, which is computed then.
    moved = [
        view(v, {v: before} if (before := definitions.get(v)) is not None and widens(before) else {}, widens)
        for v in op.operands
    ]
    sides = (left, rows), (right, columns), (left, numbers.lhs_contracting)
    m, n, k = (prod(x.shape[d] for d in group) for x, group in sides)
    batch = tuple(left.shape[d] for d in numbers.lhs_batching)
    too_large = lambda size: (letter in "cz" or not is_open(size)) and largest(size) > MOST
    if any(map(too_large, (m, n, k))):
        return None
    choices = (left, moved[0]), (right, moved[1]) if scaled is None else (right,)
    for x, y in product(*choices):
        # The contracting dimensions may be in any order: try the order of either operand's memory.
        for side, dims in ((x, numbers.lhs_contracting), (y, numbers.rhs_contracting)):
            order = sorted(range(len(dims)), key=lambda i: -side.strides[dims[i]])
            a = matrix(x, numbers.lhs_batching, rows, [numbers.lhs_contracting[i] for i in order])
            b = matrix(y, numbers.rhs_batching, [numbers.rhs_contracting[i] for i in order], columns)
            if a is None or b is None or any(map(too_large, (a.leading, b.leading))):
                continue
            narrow = {a.narrow, b.narrow}
            if alike and len(narrow) > 1 and not narrow.isdisjoint(NARROW) and min(typical(m), typical(n)) >= OFTEN:
                return product_of(op, definitions, widening, scales, widened=False)
            if scaled is None or (not batch and b == Matrix(True, k, (), scaled.narrow) and not k % scaled.group):
                return Product(letter, batch, m, n, k, a, b, y.group), x, y
    return product_of(op, definitions, widening, scales=False) if scaled else None


def matrix(x: View, batch: Sequence[int], rows: Sequence[int], columns: Sequence[int]) -> Matrix | None:
    """The operand as matrices if its rows or its columns are contiguous."""
    row_stride, column_stride = (merged_stride([(x.shape[d], x.strides[d]) for d in dims]) for dims in (rows, columns))
    if row_stride is None or column_stride is None:
        return None
    height, width = (prod(x.shape[d] for d in dims) for dims in (rows, columns))
    strides = tuple(x.strides[d] for d in batch)
    name = x.narrow or element_name(x.source)
    narrow = "" if name in LETTERS else name
    if (width == 1 or column_stride == 1) and (height == 1 or relation(row_stride, ">=", width) is True):
        return Matrix(False, width if height in (0, 1) else row_stride, strides, narrow)
    if (height == 1 or row_stride == 1) and (width == 1 or relation(column_stride, ">=", height) is True):
        return Matrix(True, height if width in (0, 1) else column_stride, strides, narrow)
    return None


def merged_stride(dimensions: Sequence[tuple[int, int]]) -> int | None:
    """The stride of dimensions, given as sizes and strides, merged into one; None if they cannot be merged."""
    dimensions = [(size, stride) for size, stride in dimensions if size != 1]
    for (_, outer), (size, inner) in pairwise(dimensions):
        if outer != inner * size:
            return None
    return dimensions[-1][1] if dimensions else 1


# ---------------------------------------------------------------- dots among ops

NARROW = ("bf16", "f16")
# The pairs of 8-bit floats that GPUs multiply, and the fewest rows, columns and terms of such a product.
EIGHT_BITS = {("f8E4M3FN", "f8E4M3FN"), ("f8E4M3FN", "f8E5M2"), ("f8E5M2", "f8E4M3FN")}
LEAST_EIGHT_BITS = 16
NARROW_INTEGERS = ("i8", "ui8", "i16", "ui16")
INTEGERS = (*NARROW_INTEGERS, "i32", "ui32", "i64", "ui64")


def is_large(op: Op, invariant: bool = False) -> bool:
    """Whether an op of two operands and one result could have enough work for a library, or, if `invariant`, any."""
    types = [v.type for v in (*op.operands, *op.results)]
    shapes = [t.shape for t in types if isinstance(t, TensorType) and None not in t.shape]
    sizes = [typical(prod(shape)) for shape in shapes]  # type: ignore[arg-type]
    return len(sizes) == 3 and (invariant or max(sizes) ** 2 >= LEAST) and 0 not in sizes


def is_product(op: Op, invariant: bool = False) -> bool:
    """Whether an op is a dot with enough work for a library, in total and in each matrix of its batch.

    If `invariant`, how many rows there are does not matter. Of complex numbers, BLAS rounds few rows differently.
    """
    if not has(op, Trait.DOT) or not is_large(op, invariant):
        return False
    if invariant and any(isinstance(v.type.element, ComplexType) for v in op.operands):  # type: ignore[union-attr]
        return False
    a, b = ([typical(size) for size in static_shape(v.type)] for v in op.operands)
    numbers = dot_numbers(op)
    depth, count = prod(a[d] for d in numbers.lhs_contracting), prod(a[d] for d in numbers.lhs_batching)
    work = prod(a) * prod(b) // max(1, depth * count * count)  # of a matrix
    return depth > 1 and (invariant or (work >= LEAST_MATRIX and work * count >= LEAST))


def dots_of_few_terms(ops: Sequence[Op]) -> set[Op]:
    """The dots of a long matrix and a small one that kernels compute in less time than products, with their neighbours.

    Kernels write a result where it belongs if it is transposed, too, and read short rows in place of copying them.
    """
    definitions = {v: op for op in ops for v in op.results}
    readers = Counter(value for op in ops for value in free_values(op))
    turns = {op.operands[0]: (op.results[0], turn) for op in ops if (turn := order_of(op)) is not None}
    # What functions are of: vectors along all elements take less time than those along short rows.
    costly = set[Value]()
    for op in reversed(ops):
        is_passed = has(op, Trait.ELEMENTWISE) or has(op, Trait.MOVEMENT)
        is_function = has(op, Trait.ELEMENTWISE) and cost_of(op) >= Cost.FUNCTION
        if is_function or (is_passed and not costly.isdisjoint(op.results)):
            costly.update(op.operands)

    def has_few_terms(op: Op) -> bool:
        value, numbers = op.results[0], dot_numbers(op)
        name, sizes = element_name(value), static_shape(value.type)
        if numbers.lhs_batching or name not in (*NARROW, "f32", "f64") or value in costly:
            return False
        order = [*range(len(sizes))]
        while readers[value] == 1 and value in turns:
            value, turn = turns[value]
            order = [order[d] for d in turn]
        left, summed = static_shape(op.operands[0].type), (numbers.lhs_contracting, numbers.rhs_contracting)
        terms, rows = largest(prod(left[d] for d in summed[0])), len(left) - len(summed[0])
        lengths = [largest(prod(group)) for group in (sizes[:rows], sizes[rows:])]
        columns = min(lengths)
        # The operand along whose dimensions results are contiguous.
        inner = int(next((d for d in reversed(order) if sizes[d] != 1), 0) >= rows)
        is_short, long = columns == 1 or lengths[inner] <= FEW_COLUMNS, int(lengths[1] > lengths[0])

        def has_near(side: int, summing: bool) -> bool:
            strides = view(op.operands[side], definitions, is_conversion).strides
            return any(stride == 1 and (d in summed[side]) is summing for d, stride in enumerate(strides))

        if name in NARROW and is_short and columns > 1:
            # Where numbers for neighbours are not adjacent, compilers have no vectors that widen or round them.
            few, most = (ONE_VECTOR, FEW_TERMS // 2) if name == "bf16" else (FEWEST_COLUMNS * FEW_TERMS, FEW_TERMS)
            if columns > FEWEST_COLUMNS or terms * columns > few:
                return columns <= FEW_COLUMNS and terms <= most and has_near(1 - long, False)
        if terms > FEW_TERMS:
            if columns > FEWEST_COLUMNS or name in NARROW:
                return False
            if columns > 1:
                return is_short and terms == ONE_VECTOR
            return ONE_VECTOR <= terms <= SHORT_ROW and has_near(long, True)
        row = terms * (8 if name == "f64" else 4)
        return columns <= FEW_COLUMNS and (is_short or (row <= MOST_TURNED and has_near(inner, True)))

    return {op for op in ops if is_product(op) and has_few_terms(op)}


def replace_dots(
    ops: Sequence[Op], invariant: bool, slices: bool, library_types: bool, few_terms: bool
) -> tuple[list[Op], dict[Op, tuple[Product, tuple[Op, ...]]]]:
    """Replace dots by products of buffers; for each product, also return the ops that it replaces.

    Args:
        invariant: whether a row has the same bits however many there are.
        slices: whether products read slices that begin at an index where they lie, such as the weights of a layer.
        library_types: whether some products are of 8-bit floats as they are, see `EIGHT_BITS`, and others of two alike.
        few_terms: whether those that `dots_of_few_terms` finds stay.
    """
    rewritten: list[Op] = []
    definitions: dict[Value, Op] = {}
    products = {}
    ops = ops if invariant else swap_operands(ops)
    kept = dots_of_few_terms(ops) if few_terms and not invariant else set()
    for op in ops:
        parts, found = tuple[Op, ...]((op,)), None
        if is_product(op, invariant) and op not in kept:
            is_small = library_types and not invariant and is_of_small_floats(op)
            *moves, op = (op,) if is_small else in_bf16(op, definitions, invariant)
            rewritten += moves
            definitions.update((v, move) for move in moves for v in move.results)
            parts = widen(op, is_small)
            found = find_product(parts, definitions, library_types and not invariant)
            if found is None and letter_of(dot_of(parts)):
                *moves, op = move_operands(op, definitions)  # not of wider types
                rewritten += moves  # which views do not go through
                parts = widen(op, is_small)
                found = find_product(parts, definitions, library_types and not invariant)
        for part in parts:
            if found is not None and has(part, Trait.DOT):
                product, left, right = found
                product = replace(product, usual=USUAL_ROWS) if invariant else product
                sources, indices, moves = [left.source, right.source], list[Value](), list[Op]()
                for i, value in (
                    enumerate(sources) if slices and product.letter not in "cz" and not product.group else ()
                ):
                    numbers, cut = begin_at_indices(definitions.get(value))
                    if begun := find_slice(cut, i):
                        move, starts = begun
                        rewritten += numbers
                        moves.append(move)
                        sources[i] = move.operands[0]
                        indices += [index for index, _ in starts]
                        product = replace(product, offsets=(*product.offsets, *(offset for _, offset in starts)))
                operands = (*sources, *right.scales, *indices)
                gemm = Op("gemm", operands, part.results, {}, (), part.location)
                products[gemm] = product, tuple(dict.fromkeys((*moves, *left.ops, *right.ops, part)))
                rewritten.append(gemm)
                continue
            rewritten.append(part)
            definitions.update((v, part) for v in part.results)
    return rewritten, products


def begin_at_indices(op: Op | None) -> tuple[list[Op], Op | None]:
    """A slice of adjacent elements at known places as one that begins at indices, and the constants that these are."""
    if op is None or op.name != stablehlo.slice.name or {*map(int, plain(op.attributes["strides"]))} > {1}:
        return [], op
    (source,), sizes = op.operands, static_shape(op.results[0].type)
    starts = [Value("", TensorType((), ScalarType("i32"))) for _ in sizes]
    numbers = [np.array(begin, np.int32) for begin in plain(op.attributes["start_indices"])]
    constants = [stablehlo.constant.op((), [x], op.location, value=number) for x, number in zip(starts, numbers)]
    return constants, stablehlo.dynamic_slice.op([source, *starts], op.results, op.location, slice_sizes=sizes)


def find_slice(op: Op | None, operand: int) -> tuple[Op, list[tuple[Value, Offset]]] | None:
    """The slice of an array that is contiguous there, with only the indices at which it begins, and these."""
    if op is None or op.name != stablehlo.dynamic_slice.name:
        return None
    source, *indices = op.operands
    whole, part = static_shape(source.type), static_shape(op.results[0].type)
    cut = [d for d, (n, size) in enumerate(zip(whole, part)) if n != size]
    if any(map(is_open, whole)) or not cut or any(size != 1 for size in part[: cut[-1]]):
        return None
    strides, names = strides_of(whole), [element_name(index) for index in indices]
    starts = [(indices[d], Offset(operand, names[d], whole[d] - part[d], strides[d])) for d in cut]
    # Along a dimension that it has all of, it begins at 0 whatever the index says.
    begins = [indices[d if d in cut else cut[0]] for d in range(len(whole))]
    move = Op(op.name, (source, *begins), op.results, op.attributes, (), op.location)
    return (move, starts) if set(names) <= {*INDICES} else None


def swap_operands(ops: Sequence[Op]) -> list[Op]:
    """The ops with each dot whose result is only transposed replaced by the transposed dot: Cᵀ = Bᵀ·Aᵀ."""
    swapped: dict[Op, tuple[Op, ...]] = {}
    readers = Counter(value for op in ops for value in free_values(op))
    dots = {op.results[0]: op for op in ops if is_product(op) and readers[op.results[0]] == 1}
    for op in ops:
        turn = order_of(op)
        dot = None if turn is None else dots.get(op.operands[0])
        if dot is None:
            continue
        numbers, shape = dot_numbers(dot), static_shape(dot.results[0].type)
        batch = len(numbers.lhs_batching)
        end = batch + len(numbers.lhs_free(len(static_shape(dot.operands[0].type))))
        order = [*range(batch), *range(end, len(shape)), *range(batch, end)]
        m, n = typical(prod(shape[batch:end])), typical(prod(shape[end:]))
        if turn != order or m < min(n, SHORT) or dot.attributes.get("algorithm"):
            continue
        sides = (numbers.rhs_batching, numbers.lhs_batching, numbers.rhs_contracting, numbers.lhs_contracting)
        attributes: dict[str, Any] = dict(dot.attributes, dot_dimension_numbers=DotNumbers(*sides).attribute)
        if isinstance(precision := attributes.get("precision_config"), ArrayAttr):
            attributes["precision_config"] = ArrayAttr(precision.items[::-1])
        swapped[dot] = ()
        swapped[op] = (stablehlo.dot_general.op(dot.operands[::-1], op.results, dot.location, **attributes),)
    return [part for op in ops for part in swapped.get(op, (op,))]


def find_product(parts: Sequence[Op], definitions: dict[Value, Op], alike: bool) -> tuple[Product, View, View] | None:
    """The product that a dot is, with the ops that widen its operands before it; see `product_of`."""
    dot = dot_of(parts)
    known = ChainMap({v: part for part in parts for v in part.results}, definitions)
    widening = [part for part in parts if part is not dot and element_name(part.operands[0]) in SMALL_FLOATS]
    return product_of(dot, known, widening, alike=alike)


def dot_of(parts: Sequence[Op]) -> Op:
    return next(part for part in parts if has(part, Trait.DOT))


def in_bf16(op: Op, definitions: Mapping[Value, Op], invariant: bool) -> tuple[Op, ...]:
    """A dot whose floats of 8 bits or fewer are converted first, unless each is multiplied only a few times.

    A kernel then reads them as they are, except that this must not matter if the program is `invariant`.
    """
    if op.attributes.get("algorithm") is not None or not has_small_floats(op):
        return (op,)
    rows, columns, _ = sizes_of(op)
    return (op,) if min(rows, columns) < OFTEN and not invariant else convert_small_floats(op, definitions)


def sizes_of(op: Op) -> tuple[int, int, int]:
    """The rows, columns and terms of a dot, of each matrix of a batch."""
    a, b = ([typical(size) for size in static_shape(v.type)] for v in op.operands)
    numbers = dot_numbers(op)
    sides = (a, numbers.lhs_free(len(a))), (b, numbers.rhs_free(len(b))), (a, numbers.lhs_contracting)
    rows, columns, terms = (prod(shape[d] for d in dims) for shape, dims in sides)
    return rows, columns, terms


def has_small_floats(op: Op) -> bool:
    return any(element_name(v) in SMALL_FLOATS for v in op.operands)


def convert_small_floats(op: Op, definitions: Mapping[Value, Op]) -> tuple[Op, ...]:
    """An op after conversions of its operands to bf16, which has all floats of 8 bits or fewer.

    They are converted where they are in memory, and then moved as the program moves them.
    """
    converted, moves = dict[Value, Value](), list[Op]()

    def convert(value: Value) -> Value:
        if value not in converted:
            found, wide = view(value, definitions), with_element(value, ScalarType("bf16"))
            before = None if found.source is value else found.ops[-1]
            source = value if before is None else convert(before.operands[0])
            made = before and Op(before.name, (source,), (wide,), before.attributes, (), before.location)
            moves.append(made or stablehlo.convert.op([value], [wide], op.location))
            converted[value] = wide
        return converted[value]

    operands = [convert(v) if element_name(v) in SMALL_FLOATS else v for v in op.operands]
    return (*moves, Op(op.name, tuple(operands), op.results, op.attributes, (), op.location))


def is_exact(op: Op) -> bool:
    """Whether an op asks for more precision than tensor cores have by default."""
    config = plain(op.attributes["precision_config"]) if "precision_config" in op.attributes else ()
    algorithm = plain(op.attributes["algorithm"]) if op.attributes.get("algorithm") is not None else {}
    return any("HIGH" in str(word) for word in config or ()) or algorithm.get("lhs_precision_type") == "f32"


def is_of_small_floats(op: Op) -> bool:
    """Whether a dot is of 8-bit floats that GPUs multiply, and not too small."""
    if (element_name(op.operands[0]), element_name(op.operands[1])) not in EIGHT_BITS:
        return False
    usual = op.attributes.get("algorithm") is None and not is_exact(op)
    return usual and min(sizes_of(op)) >= LEAST_EIGHT_BITS


def widen(op: Op, is_small: bool = False) -> tuple[Op, ...]:
    """Compute a dot or convolution of narrow numbers in f32, or a dot in 32-bit integers, and round its result.

    Products of bf16, f16 or, if it `is_small`, of 8-bit floats are exact then, and sums are rounded once at the end.
    Integers wrap at any size.
    """
    names = [element_name(v) for v in (*op.operands, *op.results)]
    if op.attributes.get("algorithm") is not None:
        return (op,)
    floats = {*NARROW, "f32"}
    if (is_small or (set(names) & set(NARROW) and set(names[:2]) <= floats)) and names[2] in (*floats, *SMALL_FLOATS):
        wide = "f32"
    elif has(op, Trait.DOT) and set(names) <= set(INTEGERS) and names[2] not in ("i64", "ui64"):
        wide = names[2] if names[2] in LETTERS else "i32"
    else:
        return (op,)
    values = [
        v if name == wide else with_element(v, ScalarType(wide)) for v, name in zip((*op.operands, *op.results), names)
    ]
    before = [stablehlo.convert.op([v], [w], op.location) for v, w in zip(op.operands, values) if v is not w]
    product = Op(op.name, tuple(values[:2]), (values[2],), op.attributes, (), op.location)
    after = [stablehlo.convert.op([values[2]], [v], op.location) for v in op.results if v is not values[2]]
    return (*before, product, *after)


def move_operands(op: Op, definitions: Mapping[Value, Op]) -> tuple[Op, ...]:
    """The dot with a transpose before each operand that is not a matrix, of as few elements as possible."""
    numbers, views = dot_numbers(op), [view(v, definitions) for v in op.operands]
    batching, contracting = ((numbers.lhs_batching, numbers.rhs_batching),
                             (numbers.lhs_contracting, numbers.rhs_contracting))  # fmt: skip
    free = numbers.lhs_free(len(views[0].shape)), numbers.rhs_free(len(views[1].shape))
    choices = []
    for x, dims in zip(views, contracting):
        order = sorted(range(len(dims)), key=lambda i: -x.strides[dims[i]])
        summed = [[dims[i] for i in order] for dims in contracting]
        groups = (free[0], summed[0]), (summed[1], free[1])
        fits = [matrix(x, batch, *group) is not None for x, batch, group in zip(views, batching, groups)]
        orders = [(*batch, *rows, *columns) for batch, (rows, columns) in zip(batching, groups)]
        choices.append((sum(prod(x.shape) for x, fit in zip(views, fits) if not fit), fits, orders, summed))
    _, fits, orders, summed = min(choices, key=lambda choice: choice[0])
    moves = [transpose(v, order, op) for v, order, fit in zip(op.operands, orders, fits) if not fit]
    moved = iter(moves)
    operands = tuple(v if fit else next(moved).results[0] for v, fit in zip(op.operands, fits))
    pairs = [
        (tuple(batch), tuple(dims)) if fit else (tuple(range(len(batch))), tuple(map(order.index, dims)))
        for fit, order, batch, dims in zip(fits, orders, batching, summed)
    ]
    (left_batch, left), (right_batch, right) = pairs
    numbers = DotNumbers(left_batch, right_batch, left, right)
    attributes: dict[str, Any] = {**op.attributes, "dot_dimension_numbers": numbers.attribute}
    return (*moves, stablehlo.dot_general.op(operands, op.results, op.location, **attributes))


def transpose(value: Value, order: Sequence[int], op: Op) -> Op:
    shape = static_shape(value.type)
    result = with_shape(value, [shape[d] for d in order])
    return stablehlo.transpose.op([value], [result], op.location, permutation=tuple(order))
