"""`hlo2tiny convert --quantize`: weights of matrix products as narrow integers with scales, in plain StableHLO.

A weight is a constant operand of a dot, possibly through transposes, reshapes, conversions and calls. It is written as
i8 numbers, with one f32 scale for each group of numbers that are summed. A table whose rows are read, too, such as an
embedding that is also the last layer, is read from the same numbers. In int4, a byte holds two of them, which shifts
separate: tensors of i4 cannot be in .safetensors, and XLA folds bitcasts to them wrongly.
"""

from __future__ import annotations

from dataclasses import field, replace
from math import prod
from typing import Any

import numpy as np

from ..errors import InputError, printable_name
from ..ir import DenseAttr, Function, Module, Op, ScalarType, SymbolAttr, TensorType, Value, walk
from ..ir.dimensions import DotNumbers, dot_numbers
from ..ir.dtypes import expect_tensor, numpy_dtype, static_shape
from ..ir.entry import named_functions
from ..ir.rewrite import Rewriter, clone_value
from ..ops import Trait, has
from ..ops.attributes import plain
from ..ops.build import Builder, stablehlo
from ..records import dataclass

BITS = {"int8": 8, "int4": 4}
I8, F32 = (ScalarType(name) for name in ("i8", "f32"))
FLOATS = tuple(ScalarType(name) for name in ("f32", "bf16", "f16"))
# Weights of fewer bytes stay as they are.
LARGE = 1 << 12
# How many numbers share a scale in int4, where their count allows it; in int8, all numbers of a sum do.
GROUP = 64


def quantise(module: Module, kind: str, group: int | None) -> Module:
    """The module with weights as "int8" or "int4".

    Raises:
        InputError: it has no weights, or they do not allow this.
    """
    if group is not None and (group < 1 or (kind == "int4" and group % 2)):
        raise InputError(f"--group {group}: expected a positive {'even ' * (kind == 'int4')}number")
    quantiser = Quantiser(module, kind, group)
    functions = {name: quantiser.function(function) for name, function in module.functions.items()}
    if not quantiser.count:
        raise InputError(
            "there is nothing to quantise: no matrix product reads a weight of f32, bf16 or f16 that has a value in the"
            f" file and at least {LARGE:,} bytes; --bake FILE.safetensors gives weights values"
        )
    named = set(named_functions(replace(module, functions=functions).walk()))
    # Functions that have been inlined would keep the weights.
    kept = {name: f for name, f in functions.items() if name in named or f.visibility != "private"}
    return replace(module, functions=kept)


@dataclass
class Weight:
    """A constant, in the order of dimensions in which ops read it, and the op that defines it."""

    data: np.ndarray
    constant: Op


@dataclass
class Quantiser:
    """Replaces the weights of functions, one after the other."""

    module: Module
    kind: str
    group: int | None
    count: int = 0
    weights: dict[Value, Weight] = field(default_factory=dict)
    # What a function begins with: the narrow weights; and these by where and how the wide numbers are stored.
    first: list[Op] = field(default_factory=list)
    narrow: dict[object, Value] = field(default_factory=dict)
    gathers: list[Op] = field(default_factory=list)  # reads of rows of weights
    calls: list[str] = field(default_factory=list)

    def function(self, function: Function) -> Function:
        if function.body is None or function.body.blocks:
            return function
        self.first, self.narrow, self.gathers, self.calls = [], {}, [], [function.name]
        body = Rewriter(hook=self.rewrite).region(function.body)
        rows = {op: ops for op in self.gathers if (ops := self.narrow_rows(op))}
        body = Rewriter(hook=lambda _, op: rows.get(op)).region(body)
        used, unused = set[Value](), set[Op]()
        for op in reversed(list(walk(body))):
            if op.results and all(v in self.weights and v not in used for v in op.results):
                unused.add(op)
            else:
                used.update(op.operands)
        body = Rewriter(hook=lambda _, op: [] if op in unused else None).region(body)
        return replace(function, body=replace(body, ops=(*self.first, *body.ops)))

    def rewrite(self, rewriter: Rewriter, op: Op) -> list[Op] | None:
        operands = rewriter.lookup(op.operands)
        value = op.attributes.get("value")
        read = [self.weights[v] for v in operands if v in self.weights]
        if has(op, Trait.CONSTANT) and isinstance(value, DenseAttr) and not value.splat and is_float(op.results[0]):
            clone = rewriter.clone(op)
            self.weights[clone.results[0]] = Weight(value.data, clone)
            return [clone]
        if not read:
            return None
        if has(op, Trait.SELECTING) and "slice_sizes" in op.attributes and len(read) == 1:
            self.gathers.append(rewriter.clone(op))
            return self.gathers[-1:]
        if has(op, Trait.DOT) and op.attributes.get("algorithm") is None and len(read) == 1:
            return self.dot(rewriter, op, operands)
        if op.name == "func.call":
            return self.inline_callee(rewriter, op)
        moved = moved_data(op, read[0].data) if len(operands) == 1 else None
        if moved is None:
            return None
        clone = rewriter.clone(op)
        self.weights[clone.results[0]] = Weight(moved, read[0].constant)
        return [clone]

    def inline_callee(self, rewriter: Rewriter, op: Op) -> list[Op] | None:
        """The ops of a function that gets a weight as an argument; None if it cannot be inlined."""
        callee = op.attributes.get("callee")
        function = self.module.functions.get(callee.names[-1]) if isinstance(callee, SymbolAttr) else None
        if function is None or function.body is None or function.body.blocks or function.name in self.calls:
            return None
        self.calls.append(function.name)
        inner = Rewriter(hook=self.rewrite, new=clone_value)
        ops, returned = inner.inline(function.body, rewriter.lookup(op.operands))
        self.calls.pop()
        rewriter.values.update(zip(op.results, returned, strict=True))
        return ops

    def dot(self, rewriter: Rewriter, op: Op, operands: tuple[Value, ...]) -> list[Op] | None:
        """The ops that replace a dot with a weight, which becomes its right operand; None if it stays as it is."""
        at = 0 if operands[0] in self.weights else 1
        numbers, x, weight = dot_numbers(op), operands[1 - at], operands[at]
        sides = (numbers.lhs_contracting, numbers.rhs_contracting)
        summed, contracting = sides[at], sides[1 - at]
        if numbers.lhs_batching or not all(is_float(v) for v in (*operands, *op.results)):
            return None
        narrow = self.narrow_weight(weight, summed)
        if narrow is None:
            return None
        (result,), location, ops = op.results, op.location, []
        (defined,) = rewriter.define(op.results)
        final, wide = expect_tensor(result.type), expect_tensor(x.type)
        if wide.element != F32:
            ops.append(stablehlo.convert.op([x], [Value("", replace(wide, element=F32))], location))
            x = ops[-1].results[0]
        rank, columns = len(expect_tensor(weight.type).shape), len(expect_tensor(weight.type).shape) - len(summed)
        new = DotNumbers((), (), contracting, tuple(range(columns, rank)))
        order = tuple(range(len(final.shape)))
        if at == 0:  # the result's dimensions have to be exchanged
            order = (*order[len(order) - columns :], *order[: len(order) - columns])
        shape = [final.shape[order.index(d)] for d in range(len(order))]
        product = Value("", replace(final, shape=tuple(shape), element=F32))
        attributes: dict[str, Any] = {n: a for n, a in op.attributes.items() if n == "precision_config"}
        attributes["dot_dimension_numbers"] = new.attribute
        dot = stablehlo.dot_general.op([x, narrow], [product], location, **attributes)
        ops.append(dot)
        if at == 0:
            transposed = Value("", replace(final, element=F32))
            ops.append(stablehlo.transpose.op(ops[-1].results, [transposed], location, permutation=order))
        if final.element != F32:
            ops.append(stablehlo.convert.op(ops[-1].results, [defined], location))
        else:
            ops[-1] = replace(ops[-1], results=(defined,))
        return ops

    def narrow_rows(self, op: Op) -> list[Op] | None:
        """The ops that read rows of a weight from its narrow numbers; None if no dot that sums over rows reads it."""
        rank = len(expect_tensor(op.operands[0].type).shape)
        known = [layout(self.weights[v].data, n) for v in op.operands[:1] if v in self.weights for n in range(1, rank)]
        narrow = next((self.narrow[key] for key in known if key in self.narrow), None)
        if narrow is None:
            return None
        (result,) = op.results
        type = expect_tensor(result.type)
        rows = replace(op, operands=(narrow, *op.operands[1:]), results=(Value("", replace(type, element=F32)),))
        if type.element == F32:
            return [replace(rows, results=op.results)]
        return [rows, stablehlo.convert.op(rows.results, [result], op.location)]

    def narrow_weight(self, value: Value, summed: tuple[int, ...]) -> Value | None:
        """The weight as a product of narrow numbers and scales, with the dimensions that are summed last."""
        weight = self.weights[value]
        data = weight.data
        columns = [d for d in range(data.ndim) if d not in summed]
        depth = prod(data.shape[d] for d in summed)
        group = self.group or (GROUP if self.kind == "int4" and depth % GROUP == 0 else depth)
        transposed = data.transpose(*columns, *summed)
        known = layout(transposed, len(summed))
        if known in self.narrow:
            return self.narrow[known]
        if not columns or depth < 2 or data.nbytes < LARGE or (self.kind == "int4" and group % 2):
            return None
        name = weight.constant.location.name
        text = f"the weight {printable_name(name)}" if name else f"a weight of shape {list(data.shape)}"
        if depth % group:
            raise InputError(f"--group {group}: it does not divide the {depth:,} numbers in a column of {text}")
        rows = transposed.reshape(-1, depth // group, group).astype(np.float32)
        if not np.isfinite(rows).all():
            raise InputError(f"{text} has infinities or NaNs, which {self.kind} cannot hold")
        whole, scales = round_rows(rows, BITS[self.kind])
        location = weight.constant.location
        builder = Builder(location)
        if self.kind == "int4":
            packed = (whole[..., 0::2] & 15) | (whole[..., 1::2] << 4)
            pairs = (*packed.shape, 2)
            left = builder.array(np.array([4, 0]), I8).broadcast(pairs, (3,))
            twice = builder.array(packed, I8).broadcast(pairs, (0, 1, 2))
            numbers = stablehlo.shift_right_arithmetic(stablehlo.shift_left(twice, left), twice.like(4))
            numbers = numbers.reshape(whole.shape)
        else:
            numbers = builder.array(whole, I8)
        builder.location = location.named(f"{name}.scales") if name else location
        factors = builder.array(scales, F32).broadcast(whole.shape, (0, 1))
        builder.location = location
        result = (numbers.to(F32) * factors).reshape(transposed.shape)
        self.first += builder.ops
        self.count += 1
        self.narrow[known] = result.value
        return result.value


def layout(data: np.ndarray, summed: int) -> object:
    """Where and how the numbers of a weight are stored; the last dimensions are summed."""
    return data.__array_interface__["data"][0], data.dtype, data.shape, data.strides, summed


def is_float(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.element in FLOATS


def moved_data(op: Op, data: np.ndarray) -> np.ndarray | None:
    """The elements of an op's result if it only moves or converts those of its operand."""
    type = op.results[0].type
    if not isinstance(type, TensorType) or None in type.shape or type.element not in FLOATS:
        return None
    if op.name == stablehlo.transpose.name:
        return data.transpose([int(d) for d in plain(op.attributes["permutation"])])
    if op.name == stablehlo.reshape.name:
        return data.reshape(static_shape(type))
    if op.name != stablehlo.convert.name:
        return None
    dtype = numpy_dtype(type.element)
    return data if data.itemsize < dtype.itemsize else data.astype(dtype)  # the wider type has the same numbers


def round_rows(rows: np.ndarray, bits: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers, the largest of which are ±(2^(bits-1) - 1), and a scale for each row of the last dimension."""
    most = 2 ** (bits - 1) - 1
    largest = np.abs(rows).max(-1)
    scales = np.where(largest > 0, largest / most, 1).astype(np.float32)
    scales = np.maximum(scales, np.finfo(np.float32).tiny)
    whole = np.rint(rows / scales[..., None]).clip(-most, most).astype(np.int8)
    return whole, scales
