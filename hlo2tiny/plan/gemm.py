"""Matrix products that a library computes: which dots are ones, and how it reads their operands.

An operand's dimensions are reduced to a matrix whose rows have some distance, transposed or not, and the distances
between the matrices of a batch. A transpose before a dot is such distances too, so it need not be carried out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod

from ..ir import ComplexType, Op, ScalarType, TensorType, Value, about
from ..ir.dimensions import DotNumbers, dot_numbers
from ..ir.dtypes import static_shape
from ..ir.rewrite import clone_value
from ..ops import Cost, Trait, cost_of, has
from ..ops.attributes import plain
from ..ops.build import stablehlo
from ..rules.registry import inferred_types

# The letter of an element type: BLAS's, and that of integers, which wrap alike whatever their sign.
LETTERS = {"f32": "s", "f64": "d", "complex<f32>": "c", "complex<f64>": "z", "i32": "i", "ui32": "i"}
# A product of fewer multiplications stays among the kernels, where its neighbours are computed too.
LEAST = 4096
# The same for each matrix of a batch.
LEAST_MATRIX = 512
# BLAS counts in integers of 32 bits.
MOST = 2**31 - 1


@dataclass(frozen=True)
class Matrix:
    """How an operand lies: rows that are `leading` elements apart, or columns if it is transposed.

    `batch` has the distance between matrices along each batching dimension; `narrow` is the type of its numbers where
    the product widens them.
    """

    transposed: bool
    leading: int
    batch: tuple[int, ...]
    narrow: str = ""


@dataclass(frozen=True)
class Product:
    """C = A·B for matrices of m×k and k×n, one product for each place of the batch; C lies row by row."""

    letter: str
    batch: tuple[int, ...]
    m: int
    n: int
    k: int
    a: Matrix
    b: Matrix

    @property
    def flops(self) -> int:
        each = 2 * self.m * self.n * self.k * prod(self.batch)
        return each * (4 if self.letter in "cz" else 1)


@dataclass(frozen=True)
class View:
    """A value's buffer with its dimensions in another order."""

    source: Value
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    ops: tuple[Op, ...]


def view(value: Value, definitions: Mapping[Value, Op], widens: bool = False) -> View:
    """A value as transposes of another one leave it, and if asked for the widening of narrow numbers."""
    op = definitions.get(value)
    if widens and op is not None and is_widening(op):
        inner = view(op.operands[0], definitions)
        return View(inner.source, inner.shape, inner.strides, (*inner.ops, op))
    if op is not None and has(op, Trait.MOVEMENT) and "permutation" in op.attributes:
        inner = view(op.operands[0], definitions, widens)
        order = [int(d) for d in plain(op.attributes["permutation"])]
        shape, strides = (tuple(x[d] for d in order) for x in (inner.shape, inner.strides))
        return View(inner.source, shape, strides, (*inner.ops, op))
    shape = static_shape(value.type)
    strides = tuple(prod(shape[d + 1 :]) for d in range(len(shape)))
    return View(value, shape, strides, ())


def is_widening(op: Op) -> bool:
    if not (has(op, Trait.ELEMENTWISE) and cost_of(op) is Cost.FREE):
        return False
    source, target = element_name(op.operands[0]), element_name(op.results[0])
    return source in (NARROW_INTEGERS if LETTERS.get(target) == "i" else NARROW if target == "f32" else ())


def element_name(value: Value) -> str:
    type = value.type
    assert isinstance(type, TensorType)
    match type.element:
        case ScalarType(name):
            return name
        case ComplexType(ScalarType(name)):
            return f"complex<{name}>"
    return ""


def product_of(op: Op, definitions: Mapping[Value, Op]) -> tuple[Product, View, View] | None:
    """A dot as a product for BLAS, with the buffers it reads; None when its layout or type is none of BLAS's."""
    if not has(op, Trait.DOT) or op.attributes.get("algorithm") is not None:
        return None
    names = {element_name(v) for v in (*op.operands, *op.results)}
    letter = LETTERS.get(names.pop()) if len(names) == 1 else None
    if letter is None:
        return None
    shapes = [static_shape(v.type) for v in op.operands]
    numbers = dot_numbers(op)
    rows, columns = numbers.lhs_free(len(shapes[0])), numbers.rhs_free(len(shapes[1]))
    left, right = (view(v, definitions, widens=True) for v in op.operands)
    sides = (left, rows), (right, columns), (left, numbers.lhs_contracting)
    m, n, k = (prod(x.shape[d] for d in group) for x, group in sides)
    batch = tuple(left.shape[d] for d in numbers.lhs_batching)
    if max(m, n, k) > MOST:
        return None
    # The pairs that are summed over may come in any order: in that of either operand's memory.
    for side, dims in ((left, numbers.lhs_contracting), (right, numbers.rhs_contracting)):
        order = sorted(range(len(dims)), key=lambda i: -side.strides[dims[i]])
        a = matrix(left, numbers.lhs_batching, rows, [numbers.lhs_contracting[i] for i in order])
        b = matrix(right, numbers.rhs_batching, [numbers.rhs_contracting[i] for i in order], columns)
        if a is not None and b is not None and max(a.leading, b.leading) <= MOST:
            return Product(letter, batch, m, n, k, a, b), left, right
    return None


def matrix(x: View, batch: Sequence[int], rows: Sequence[int], columns: Sequence[int]) -> Matrix | None:
    """The operand as matrices, when its rows or its columns are contiguous."""
    row, column = merged(x, rows), merged(x, columns)
    if row is None or column is None:
        return None
    (height, row_stride), (width, column_stride) = row, column
    strides = tuple(x.strides[d] for d in batch)
    name = element_name(x.source)
    narrow = "" if name in LETTERS else name
    if (width == 1 or column_stride == 1) and (height == 1 or row_stride >= width):
        return Matrix(False, row_stride if height > 1 else width, strides, narrow)
    if (height == 1 or row_stride == 1) and (width == 1 or column_stride >= height):
        return Matrix(True, column_stride if width > 1 else height, strides, narrow)
    return None


def merged(x: View, group: Sequence[int]) -> tuple[int, int] | None:
    """Dimensions as one, with its stride, when they lie one inside the other."""
    kept = [d for d in group if x.shape[d] != 1]
    for outer, inner in pairwise(kept):
        if x.strides[outer] != x.strides[inner] * x.shape[inner]:
            return None
    return prod(x.shape[d] for d in group), x.strides[kept[-1]] if kept else 1


# ---------------------------------------------------------------- dots among ops

NARROW = ("bf16", "f16")
NARROW_INTEGERS = ("i8", "ui8", "i16", "ui16")
INTEGERS = (*NARROW_INTEGERS, "i32", "ui32", "i64", "ui64")


class Checked:
    """Applies the rules of a library's ops to their types, once for each form: they know the constraints."""

    def __init__(self) -> None:
        self.forms: set[str] = set()

    def check(self, op: Op) -> None:
        """Raise the located error of an op that breaks a constraint."""
        types = [v.type for v in (*op.operands, *op.results)]
        form = f"{op.name}{types}{sorted((n, repr(a)) for n, a in op.attributes.items() if '.' not in n)}"
        if form not in self.forms:
            inferred_types(op)
            self.forms.add(form)


def is_large(op: Op) -> bool:
    """Whether an op could have enough work for a library."""
    types = [v.type for v in (*op.operands, *op.results)]
    sizes = [prod(t.shape) for t in types if isinstance(t, TensorType) and None not in t.shape]  # type: ignore[arg-type]
    return len(sizes) == 3 and max(sizes) ** 2 >= LEAST and 0 not in sizes


def is_product(op: Op) -> bool:
    """Whether an op is a dot with enough work for a library: in all its matrices, and in each."""
    if not has(op, Trait.DOT) or not is_large(op):
        return False
    a, b = (static_shape(v.type) for v in op.operands)
    numbers = dot_numbers(op)
    depth, count = prod(a[d] for d in numbers.lhs_contracting), prod(a[d] for d in numbers.lhs_batching)
    each = prod(a) * prod(b) // max(1, depth * count * count)
    return depth > 1 and each >= LEAST_MATRIX and each * count >= LEAST


def with_products(ops: Sequence[Op], checked: Checked) -> tuple[list[Op], dict[Op, tuple[Product, tuple[Op, ...]]]]:
    """Ops with dots replaced by products of buffers, each with the ops that it stands for."""
    result: list[Op] = []
    definitions: dict[Value, Op] = {}
    products = {}
    for op in ops:
        with about(op):
            is_dot = is_product(op)
            if is_dot:
                checked.check(op)
        for each in widened(op) if is_dot else (op,):
            found = product_of(each, definitions) if is_dot and has(each, Trait.DOT) else None
            if found is None and is_dot and has(each, Trait.DOT) and (arranged := in_order(each, definitions)):
                *moves, each = arranged
                result += moves
                found = product_of(each, {})
            if found is None:
                result.append(each)
                definitions.update((v, each) for v in each.results)
                continue
            product, left, right = found
            gemm = Op("gemm", (left.source, right.source), each.results, {}, (), each.location)
            products[gemm] = product, tuple(dict.fromkeys((*left.ops, *right.ops, each)))
            result.append(gemm)
    return result, products


def widened(op: Op) -> tuple[Op, ...]:
    """A dot of narrow numbers as one of f32 or of integers of 32 bits, whose result is rounded at the end.

    Products of bf16 and f16 are exact then, and their sums are rounded as they are. Integers wrap at any size.
    """
    names = [element_name(v) for v in (*op.operands, *op.results)]
    if op.attributes.get("algorithm") is not None:
        return (op,)
    if set(names) & set(NARROW) and set(names) <= {*NARROW, "f32"}:
        wide = "f32"
    elif set(names) <= set(INTEGERS) and names[2] not in ("i64", "ui64"):
        wide = names[2] if names[2] in LETTERS else "i32"
    else:
        return (op,)
    values = [v if name == wide else retyped(v, wide) for v, name in zip((*op.operands, *op.results), names)]
    before = [convert(v, w, op) for v, w in zip(op.operands, values) if v is not w]
    dot = Op(op.name, tuple(values[:2]), (values[2],), op.attributes, (), op.location)
    after = [convert(values[2], v, op) for v in op.results if v is not values[2]]
    return (*before, dot, *after)


def retyped(value: Value, element: str) -> Value:
    assert isinstance(value.type, TensorType)
    return clone_value(value, TensorType(value.type.shape, ScalarType(element)))


def convert(source: Value, target: Value, op: Op) -> Op:
    return stablehlo.convert.op([source], [target], op.location)


def in_order(op: Op, definitions: Mapping[Value, Op]) -> tuple[Op, ...]:
    """A dot whose operands are transposed first, so that the dimensions of each kind stand together.

    () where BLAS has no product for it.
    """
    if op.attributes.get("algorithm") is not None or LETTERS.get(element_name(op.results[0])) is None:
        return ()
    m, n = (len(static_shape(v.type)) for v in op.operands)
    numbers = dot_numbers(op)
    orders = (
        (*numbers.lhs_batching, *numbers.lhs_free(m), *numbers.lhs_contracting),
        (*numbers.rhs_batching, *numbers.rhs_contracting, *numbers.rhs_free(n)),
    )
    moves = [transposed(v, order, op) for v, order in zip(op.operands, orders)]
    batch, depth = len(numbers.lhs_batching), len(numbers.lhs_contracting)
    side = tuple(range(batch))
    arranged = DotNumbers(side, side, tuple(range(m - depth, m)), tuple(range(batch, batch + depth)))
    how = arranged.attribute
    operands = tuple(move.results[0] for move in moves)
    return (*moves, stablehlo.dot_general.op(operands, op.results, op.location, dot_dimension_numbers=how))


def transposed(value: Value, order: Sequence[int], op: Op) -> Op:
    assert isinstance(value.type, TensorType)
    shape = static_shape(value.type)
    result = clone_value(value, TensorType(tuple(shape[d] for d in order), value.type.element))
    return stablehlo.transpose.op([value], [result], op.location, permutation=tuple(order))
