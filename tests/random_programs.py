"""Random programs: what they are made of, how they are run by hlo2tiny and by XLA, and how a failure is made small.

A program is a graph of ops on tensors of several types, with loops, branches and functions of the same kind inside,
valid by construction. Each floating-point value carries how large it can be and how far from the exact number two
right implementations can be, so that results are compared with an honest tolerance; ops with jumps (comparisons,
rounding, conversions to integers) take only values that every implementation gets exactly.

    python tests/random_programs.py --seeds 100 --first 5000

A failure is shrunk and saved in `corpus/regressions/`, whose programs `test_random_programs.py` runs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, prod
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from oracles import Refused, run
from rules.numbers import ELEMENT, bf16, boolean, c64, f16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64

REGRESSIONS = Path(__file__).parents[1] / "corpus" / "regressions"
FLOATS = (f32, f32, f64, bf16, f16)
INTEGERS = (i32, i32, i8, u8, i16, u16, u32, i64, u64)
PRECISION = {f16: 11, bf16: 8, f32: 24, f64: 53, c64: 24}
LARGEST, COARSEST, STEADY = 64.0, 0.05, 0.01  # values that arithmetic takes: size and error; a carry's error

# ---------------------------------------------------------------- what is known of a floating-point value


@dataclass(frozen=True)
class Range:
    """At most `bound` in size; `error` from the exact number, or a multiple of `step` if that is 0."""

    bound: float
    error: float = 0
    step: float = 0


def rounded(dtype: np.dtype, bound: float, error: float, step: float, ulps: float = 1) -> Range:
    """A result of arithmetic: exact when its operands are and its bits suffice."""
    if error == 0 and step >= 2**-20 and bound <= step * 2 ** PRECISION[dtype]:
        return Range(bound, 0, step)
    tiny = float(ml_dtypes.finfo(f32 if dtype == c64 else dtype).tiny)  # XLA flushes below
    return Range(bound, error + ulps * bound * 2 ** -PRECISION[dtype] + 4 * tiny)


def widest(ranges: Sequence[Range]) -> Range:
    """One of several values, for movement and selection."""
    return Range(max(r.bound for r in ranges), max(r.error for r in ranges), min(r.step for r in ranges))


Ranges = list[Range | None]
Transfer = Callable[[np.dtype, list[Any]], Range]


def moved(dtype: np.dtype, operands: list[Any]) -> Range:
    return widest([r for r in operands if r])


def sums(count: int) -> Transfer:
    return lambda dtype, r: rounded(dtype, r[0].bound * count, r[0].error * count, r[0].step, count)


def added(dtype: np.dtype, r: list[Range]) -> Range:
    return rounded(dtype, r[0].bound + r[1].bound, r[0].error + r[1].error, min(r[0].step, r[1].step))


def products(count: int) -> Transfer:
    """Sums of `count` products."""

    def transfer(dtype: np.dtype, r: list[Range]) -> Range:
        error = count * (r[0].bound * r[1].error + r[1].bound * r[0].error)
        parts = 4 if dtype.kind == "c" else 1
        return rounded(dtype, count * r[0].bound * r[1].bound, error * parts, r[0].step * r[1].step, count * parts)

    return transfer


def function(slope: float, largest: Callable[[float], float]) -> Transfer:
    return lambda dtype, r: rounded(dtype, largest(r[0].bound), slope * r[0].error, 0, 64)


# ---------------------------------------------------------------- programs


@dataclass(frozen=True, eq=False)
class Value:
    dtype: np.dtype
    shape: tuple[int, ...]
    range: Range | None = None

    @property
    def type(self) -> str:
        return f"tensor<{''.join(f'{d}x' for d in self.shape)}{ELEMENT[self.dtype]}>"

    @property
    def exact(self) -> bool:
        return self.range is None or self.range.error == 0

    @property
    def usable(self) -> bool:
        return self.range is None or (self.range.bound <= LARGEST and self.range.error <= COARSEST)


@dataclass(frozen=True, eq=False)
class Block:
    arguments: tuple[Value, ...]
    statements: tuple[Statement, ...]
    results: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Statement:
    """An op; `blocks` are its regions, or the function that a call names."""

    op: str
    operands: tuple[Value, ...]
    results: tuple[Value, ...]
    attributes: str = ""
    blocks: tuple[Block, ...] = ()


CALLS = ("func.call", "stablehlo.composite")


@dataclass(frozen=True)
class Case:
    main: Block
    arrays: tuple[np.ndarray, ...]


def text_of(case: Case) -> str:
    names: dict[Value, str] = {}
    functions: list[str] = []

    def name(value: Value) -> str:
        return names.setdefault(value, f"%{len(names)}")

    def types(values: Sequence[Value]) -> str:
        return ", ".join(v.type for v in values)

    def block(b: Block, end: str, indent: str) -> list[str]:
        lines = [line for s in b.statements for line in statement(s, indent)]
        listed = ", ".join(map(name, b.results))
        return [*lines, f'{indent}"{end}"({listed}) : ({types(b.results)}) -> ()']

    def statement(s: Statement, indent: str) -> list[str]:
        attributes, regions = s.attributes, [""]
        if s.op in CALLS:
            attributes = attributes.replace("CALLEE", f"@f{len(functions)}")
            functions.append("")
            place = len(functions) - 1
            functions[place] = definition(f"f{place}", s.blocks[0], "private")
        elif s.blocks:
            regions = [" ("]
            for b in s.blocks:
                header = ", ".join(f"{name(a)}: {a.type}" for a in b.arguments)
                regions[-1] += "{"
                regions += [f"{indent}^bb0({header}):"] * bool(b.arguments)
                regions += [*block(b, "stablehlo.return", indent + "  "), f"{indent}}}, "]
            regions[-1] = regions[-1].removesuffix(", ") + ")"
        listed = ", ".join(map(name, s.operands))
        left = ", ".join(map(name, s.results))
        properties = f" <{{{attributes}}}>" * bool(attributes)
        head = f'{indent}{left} = "{s.op}"({listed}){properties}'
        lines = [head + regions[0], *regions[1:]]
        lines[-1] += f" : ({types(s.operands)}) -> ({types(s.results)})"
        return lines

    def definition(symbol: str, b: Block, visibility: str) -> str:
        header = ", ".join(f"{name(a)}: {a.type}" for a in b.arguments)
        body = block(b, "func.return", "  ")
        return "\n".join([f"func.func {visibility} @{symbol}({header}) -> ({types(b.results)}) {{", *body, "}"])

    main = definition("main", case.main, "public")
    return "\n".join(["module {", main, *functions, "}"]) + "\n"


# ---------------------------------------------------------------- making them


class Writer:
    """Writes one block, op after op, choosing operands among the values that it can see."""

    def __init__(self, rng: np.random.Generator, values: Sequence[Value], depth: int) -> None:
        self.rng, self.values, self.depth = rng, list(values), depth
        self.statements: list[Statement] = []

    # ---- choices

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def one(self, items: Sequence[Any]) -> Any:
        return items[int(self.rng.integers(len(items)))]

    def pick(self, wanted: Callable[[Value], bool]) -> Value:
        """A value, preferably a late one. Raises: LookupError, there is none."""
        found = [v for v in self.values if wanted(v)]
        if not found:
            raise LookupError
        return found[-1 - int(len(found) * self.rng.random() ** 2)]

    def like(self, value: Value) -> Value:
        return self.pick(lambda v: v.type == value.type and v.usable)

    def shape(self) -> tuple[int, ...]:
        return tuple(self.size(5) for _ in range(self.rng.integers(0, 4)))

    def size(self, most: int) -> int:
        """A size of at most that, rarely 0."""
        return 0 if most == 0 or self.chance(0.03) else int(self.rng.integers(1, most + 1))

    # ---- ops

    def emit(
        self,
        op: str,
        operands: Sequence[Value],
        shape: tuple[int, ...],
        dtype: np.dtype | None = None,
        attributes: str = "",
        range: Transfer | Range | None = moved,
        blocks: Sequence[Block] = (),
    ) -> Value:
        """Add an op of one result; `range` says what is known of the result from what is known of the operands."""
        dtype = operands[0].dtype if dtype is None else dtype
        known: Range | None = None
        if dtype in PRECISION:
            known = range(dtype, [v.range for v in operands]) if callable(range) else range
        result = Value(dtype, shape, known)
        name = op if "." in op else f"stablehlo.{op}"
        self.statements.append(Statement(name, tuple(operands), (result,), attributes, tuple(blocks)))
        self.values.append(result)
        return self.bounded(result)

    def bounded(self, value: Value) -> Value:
        """The value, brought back near zero when it can be large."""
        if value.range is None or value.range.bound <= LARGEST or value.dtype == c64:
            return value
        return self.clamp(value, -8, 8)

    def clamp(self, value: Value, low: float, high: float) -> Value:
        assert value.range
        known = replace(value.range, bound=min(value.range.bound, max(abs(low), abs(high))))
        limits = [self.constant(value.dtype, (), x) for x in (low, high)]
        return self.emit("clamp", [limits[0], value, limits[1]], value.shape, value.dtype, range=known)

    def constant(self, dtype: np.dtype, shape: tuple[int, ...], number: float | None = None) -> Value:
        if number is None:
            number = self.rng.integers(-8, 9) / 4 if dtype in PRECISION else self.number_of(dtype)
        value = Value(dtype, shape, Range(max(abs(number), 1), 0, 0.25) if dtype in PRECISION else None)
        self.statements.append(splat(value, number))
        return value

    def number_of(self, dtype: np.dtype) -> int:
        """A small integer, or one that results wrap around."""
        if dtype == boolean or self.chance(0.7):
            return int(self.rng.integers(0, 2 if dtype == boolean else 8))
        return int(self.one([np.iinfo(dtype).min, np.iinfo(dtype).max, 8 * dtype.itemsize - 1, 8 * dtype.itemsize]))

    def index(self) -> Value:
        try:
            return self.pick(lambda v: v.dtype.kind in "iu" and v.shape == () and v.dtype.itemsize > 1)
        except LookupError:
            return self.constant(self.one([i32, i64, u32]), (), int(self.rng.integers(0, 5)))

    def scalar_like(self, value: Value, number: float | None = None) -> Value:
        return self.constant(value.dtype, (), number)

    # Each method below adds one op or raises LookupError; ops() has how often each is chosen.

    def float_unary(self) -> None:
        x = self.pick(lambda v: v.dtype in FLOATS and v.usable)
        assert x.range
        size = x.range.bound
        table: dict[str, Transfer] = {
            "negate": moved,
            "abs": moved,
            "tanh": function(1, lambda b: 1),
            "sine": function(1, lambda b: 1),
            "cosine": function(1, lambda b: 1),
            "logistic": function(0.25, lambda b: 1),
            "chlo.erf": function(1.13, lambda b: 1),
            "exponential": function(exp(min(size, 8)), lambda b: exp(8)),
            "exponential_minus_one": function(exp(min(size, 8)), lambda b: exp(8)),
            "chlo.square": lambda dtype, r: products(1)(dtype, [r[0], r[0]]),
        }
        positive: dict[str, Transfer] = {
            "sqrt": function(1, lambda b: 3),
            "rsqrt": function(4, lambda b: 2),
            "log": function(4, lambda b: 2.1),
            "log_plus_one": function(1, lambda b: 2.2),
            "cbrt": function(1, lambda b: 2),
        }
        jumping = ("floor", "ceil", "round_nearest_even", "round_nearest_afz", "sign")
        op = self.one([*table, *positive, *(jumping if x.exact else ())])
        if (op == "chlo.erf" and x.dtype == f64) or (op == "logistic" and x.dtype == f64):
            op = "tanh"
        if op in positive:
            self.emit(op, [self.clamp(x, 0.25, 8)], x.shape, range=positive[op])
        elif op in jumping:
            self.emit(op, [x], x.shape, range=Range(ceil(size), 0, 1))
        else:
            if op.startswith("exponential") and size > 8:
                x = self.clamp(x, -8, 8)
            self.emit(op, [x], x.shape, range=table[op])

    def float_binary(self) -> None:
        x = self.pick(lambda v: v.dtype in (*FLOATS, c64) and v.usable)
        y = self.like(x) if self.chance(0.8) else self.constant(x.dtype, x.shape)
        table: dict[str, Transfer] = {"add": added, "subtract": added, "multiply": products(1)}
        if x.dtype != c64:
            table |= {"maximum": moved, "minimum": moved}
            if self.chance(0.2):
                y = self.clamp(y, 0.5, 8)
                ratio: Transfer = lambda d, r: rounded(
                    d, 2 * r[0].bound, 2 * r[0].error + 4 * r[0].bound * r[1].error, 0, 2
                )
                self.emit("divide", [x, y], x.shape, range=ratio)
                return
        op = self.one([*table])
        result = self.emit(op, [x, y], x.shape, range=table[op])
        if x.dtype == c64 and result.range and result.range.bound > LARGEST:
            self.values.remove(result)
            for part in ("real", "imag"):
                self.emit(part, [result], x.shape, f32)

    def complex_parts(self) -> None:
        if self.chance(0.4):
            x = self.pick(lambda v: v.dtype == f32 and v.usable)
            y = self.like(x)
            both: Transfer = lambda d, r: Range(
                2 * max(r[0].bound, r[1].bound), r[0].error + r[1].error, min(r[0].step, r[1].step)
            )
            self.emit("complex", [x, y], x.shape, c64, range=both)
        else:
            x = self.pick(lambda v: v.dtype == c64)
            op = self.one(["real", "imag", "negate", "chlo.conj"])
            self.emit(op, [x], x.shape, f32 if op in ("real", "imag") else c64)

    def integer_unary(self) -> None:
        x = self.pick(lambda v: v.dtype.kind in "iub")
        ops = ["not"]
        if x.dtype.kind != "b":
            ops += ["negate", "popcnt", "count_leading_zeros"] + ["abs", "sign"] * (x.dtype.kind == "i")
        self.emit(self.one(ops), [x], x.shape)

    def integer_binary(self) -> None:
        x = self.pick(lambda v: v.dtype.kind in "iub")
        y = self.like(x) if self.chance(0.8) else self.constant(x.dtype, x.shape)
        ops = ["and", "or", "xor", "maximum", "minimum", "add", "multiply"]
        if x.dtype.kind != "b":
            ops += ["subtract", "divide", "remainder"]
            ops += ["shift_left", "shift_right_arithmetic", "shift_right_logical"]
        op = self.one(ops)
        if op == "divide":  # by zero the result is up to the implementation; the newest XLA's 0 / 0 is 1 in x / x
            y = self.emit("or", [y, self.constant(x.dtype, x.shape, 1)], x.shape)
        self.emit(op, [x, y], x.shape)

    def compare(self) -> None:
        x = self.pick(lambda v: v.exact and v.dtype != c64)
        y = self.pick(lambda v: v.type == x.type and v.exact) if self.chance(0.5) else self.constant(x.dtype, x.shape)
        direction = self.one(["EQ", "NE", "LT", "LE", "GT", "GE"])
        attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
        self.emit("compare", [x, y], x.shape, boolean, attributes)

    def select(self) -> None:
        x = self.pick(lambda v: True)
        y = self.pick(lambda v: v.type == x.type)
        p = self.pick(lambda v: v.dtype == boolean and v.shape in (x.shape, ()))
        self.emit("select", [p, x, y], x.shape, x.dtype)

    def limit(self) -> None:
        x = self.pick(lambda v: v.dtype != c64 and v.dtype != boolean and v.usable)
        low, high = self.scalar_like(x, 1), self.scalar_like(x, 5)
        self.emit("clamp", [low, x, high], x.shape, x.dtype)

    def convert(self) -> None:
        x = self.pick(lambda v: v.dtype != c64)
        target = self.one([*FLOATS, *INTEGERS, boolean])
        if x.range is None:
            if target in FLOATS and x.dtype != boolean:  # small numbers, since all floats stay small
                x = self.emit("and", [x, self.constant(x.dtype, x.shape, 7)], x.shape)
            self.emit("convert", [x], x.shape, target, range=Range(7, 0, 1))
        elif target in FLOATS:
            self.emit("convert", [x], x.shape, target, range=lambda d, r: rounded(d, r[0].bound, r[0].error, r[0].step))
        elif x.exact:
            self.emit("convert", [x], x.shape, target)

    def bits(self) -> None:
        x = self.pick(lambda v: v.dtype.kind in "iu")  # not of floats: the sign of 0 is free in arithmetic
        kind = self.one(["i", "u"]) if x.dtype.kind == "u" else "u"
        self.emit("bitcast_convert", [x], x.shape, np.dtype(f"{kind}{x.dtype.itemsize}"))

    def any(self) -> Value:
        return self.pick(lambda v: True)

    def iota(self) -> None:
        shape = self.shape()
        if shape:
            dtype = self.one([*FLOATS, *INTEGERS])
            axis = self.rng.integers(len(shape))
            self.emit("iota", [], shape, dtype, f"iota_dimension = {axis} : i64", Range(5, 0, 1))

    def reshape(self) -> None:
        x = self.any()
        sizes = list(x.shape)
        if self.chance(0.5) and len(sizes) > 1:
            sizes[:2] = [sizes[0] * sizes[1]]
        else:
            sizes.insert(int(self.rng.integers(len(sizes) + 1)), 1)
        if len(sizes) < 5:
            self.emit("reshape", [x], tuple(sizes))

    def transpose(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 1)
        order = self.rng.permutation(len(x.shape)).tolist()
        self.emit("transpose", [x], tuple(x.shape[i] for i in order), attributes=f"permutation = {axes(order)}")

    def broadcast(self) -> None:
        x = self.pick(lambda v: len(v.shape) < 3)
        axis = int(self.rng.integers(len(x.shape) + 1))
        grown = [self.size(4) if d == 1 and self.chance(0.5) else d for d in x.shape]
        shape = (*grown[:axis], self.size(4), *grown[axis:])
        where = [i + (i >= axis) for i in range(len(x.shape))]
        self.emit("broadcast_in_dim", [x], shape, attributes=f"broadcast_dimensions = {axes(where)}")

    def slice(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 0)
        starts = [int(self.rng.integers(d + 1)) if self.chance(0.5) else 0 for d in x.shape]
        limits = [int(self.rng.integers(s, d + 1)) if self.chance(0.5) else d for s, d in zip(starts, x.shape)]
        strides = [int(self.rng.integers(1, 3)) for _ in x.shape]
        shape = tuple(-(-(b - a) // s) for a, b, s in zip(starts, limits, strides))
        if prod(shape) or self.chance(0.05):
            attributes = f"start_indices = {axes(starts)}, limit_indices = {axes(limits)}, strides = {axes(strides)}"
            self.emit("slice", [x], shape, attributes=attributes)

    def pad(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 0)
        low, high = (self.rng.integers(-1, 3, len(x.shape)).tolist() for _ in range(2))
        interior = self.rng.integers(0, 2, len(x.shape)).tolist()
        shape = tuple(a + d + max(d - 1, 0) * i + b for a, b, i, d in zip(low, high, interior, x.shape))
        if min(shape) >= 0 and prod(shape) < 600:
            attributes = f"edge_padding_low = {axes(low)}, edge_padding_high = {axes(high)}"
            attributes += f", interior_padding = {axes(interior)}"
            self.emit("pad", [x, self.scalar_like(x)], shape, attributes=attributes)

    def concatenate(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 0)
        axis = int(self.rng.integers(len(x.shape)))
        rest = x.shape[:axis] + x.shape[axis + 1 :]

        def fits(v: Value) -> bool:
            return v.dtype == x.dtype and len(v.shape) == len(x.shape) and v.shape[:axis] + v.shape[axis + 1 :] == rest

        parts = [x, *(self.pick(fits) for _ in range(self.rng.integers(0, 3)))]
        size = sum(v.shape[axis] for v in parts)
        if size * prod(rest) < 600:
            shape = (*x.shape[:axis], size, *x.shape[axis + 1 :])
            self.emit("concatenate", parts, shape, attributes=f"dimension = {axis} : i64")

    def reverse(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 0)
        chosen = [i for i in range(len(x.shape)) if self.chance(0.5)]
        self.emit("reverse", [x], x.shape, attributes=f"dimensions = {axes(chosen)}")

    def dynamic_slice(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 0)
        sizes = [self.size(d) for d in x.shape]
        first = self.index()
        starts = [first, *(self.constant(first.dtype, (), int(self.rng.integers(4))) for _ in x.shape[1:])]
        self.emit("dynamic_slice", [x, *starts], tuple(sizes), attributes=f"slice_sizes = {axes(sizes)}")

    def dynamic_update_slice(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 0)
        y = self.pick(
            lambda v: (
                v.dtype == x.dtype and len(v.shape) == len(x.shape) and all(a <= b for a, b in zip(v.shape, x.shape))
            )
        )
        first = self.index()
        starts = [first, *(self.constant(first.dtype, (), int(self.rng.integers(4))) for _ in x.shape[1:])]
        self.emit("dynamic_update_slice", [x, y, *starts], x.shape)

    def body(self, op: str, dtype: np.dtype) -> Block:
        a, b, result = (Value(dtype, ()) for _ in range(3))
        return Block((a, b), (Statement(f"stablehlo.{op}", (a, b), (result,)),), (result,))

    def monoid(self, x: Value, count: int) -> tuple[str, Value, Transfer]:
        """An associative op for x's type, its neutral element, and what becomes of ranges when it joins `count`."""
        if x.dtype == boolean:
            op = self.one(["and", "or"])
            return op, self.scalar_like(x, op == "and"), moved
        if x.dtype in PRECISION:
            op = self.one(["add", "maximum", "minimum"]) if x.dtype != c64 else "add"
            neutral = {"add": 0, "maximum": -LARGEST, "minimum": LARGEST}[op]
            return op, self.scalar_like(x, neutral), sums(count + 1) if op == "add" else moved
        limits = np.iinfo(x.dtype)
        table = {"add": 0, "multiply": 1, "maximum": limits.min, "minimum": limits.max, "and": limits.max, "xor": 0}
        if x.dtype.kind == "i":
            table["and"] = -1
        op = self.one([*table])
        return op, self.constant(x.dtype, (), int(table[op])), moved

    def reduce(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 0 and v.usable)
        over = [i for i in range(len(x.shape)) if self.chance(0.5)] or [0]
        kept = tuple(d for i, d in enumerate(x.shape) if i not in over)
        op, start, known = self.monoid(x, prod(x.shape[i] for i in over))
        self.emit("reduce", [x, start], kept, None, f"dimensions = {axes(over)}", known, [self.body(op, x.dtype)])

    def reduce_window(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 0 and v.usable and v.dtype != c64)
        window = [int(self.rng.integers(1, min(max(d, 1), 3) + 1)) for d in x.shape]
        strides = [int(self.rng.integers(1, 3)) for _ in x.shape]
        low, high = (self.rng.integers(0, 2, len(x.shape)).tolist() for _ in range(2))
        shape = tuple((a + d + b - w) // s + 1 for a, b, d, w, s in zip(low, high, x.shape, window, strides))
        op, start, known = self.monoid(x, prod(window))
        pairs = ", ".join(f"[{a}, {b}]" for a, b in zip(low, high))
        attributes = f"window_dimensions = {axes(window)}, window_strides = {axes(strides)}"
        attributes += f", padding = dense<[{pairs}]> : tensor<{len(low)}x2xi64>"
        self.emit("reduce_window", [x, start], shape, None, attributes, known, [self.body(op, x.dtype)])

    def dot(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 0 and v.usable and v.dtype != boolean)
        y = self.pick(lambda v: v.dtype == x.dtype and v.usable and bool(v.shape) and bool(set(v.shape) & set(x.shape)))
        i, j = self.one([(i, j) for i, a in enumerate(x.shape) for j, b in enumerate(y.shape) if a == b])
        batch = [
            (a, b)
            for a in range(len(x.shape))
            for b in range(len(y.shape))
            if a != i and b != j and x.shape[a] == y.shape[b]
        ][:1] * self.chance(0.5)
        left = [d for a, d in enumerate(x.shape) if a != i and a not in [p for p, _ in batch]]
        right = [d for b, d in enumerate(y.shape) if b != j and b not in [q for _, q in batch]]
        shape = (*(x.shape[a] for a, _ in batch), *left, *right)
        if len(shape) > 4 or prod(shape) > 600:
            raise LookupError
        numbers = (
            f"lhs_batching_dimensions = {[a for a, _ in batch]}, rhs_batching_dimensions = {[b for _, b in batch]}"
        )
        numbers += f", lhs_contracting_dimensions = [{i}], rhs_contracting_dimensions = [{j}]"
        attributes = f"dot_dimension_numbers = #stablehlo.dot<{numbers}>"
        self.emit("dot_general", [x, y], shape, None, attributes, products(x.shape[i]))

    def convolution(self) -> None:
        x = self.pick(lambda v: len(v.shape) == 3 and v.usable and v.dtype in FLOATS)
        features, width = x.shape[1:]  # batch, feature, space
        window = min(max(width, 1), 2)
        kernel = self.constant(x.dtype, (2, features, window))
        size = width - window + 1
        text = "#stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>"
        attributes = f"dimension_numbers = {text}, feature_group_count = 1 : i64, batch_group_count = 1 : i64"
        self.emit("convolution", [x, kernel], (x.shape[0], 2, size), None, attributes, products(features * window))

    def sort(self) -> None:
        x = self.pick(lambda v: len(v.shape) > 0 and v.exact and v.dtype not in (c64, boolean))
        axis = int(self.rng.integers(len(x.shape)))
        other = self.pick(lambda v: v.shape == x.shape)
        pair = [x, other] if self.chance(0.5) else [x]
        arguments = [Value(v.dtype, ()) for v in pair for _ in range(2)]
        less = Value(boolean, ())
        direction = f"comparison_direction = #stablehlo<comparison_direction {self.one(['LT', 'GT'])}>"
        body = Block(
            tuple(arguments), (Statement("stablehlo.compare", tuple(arguments[:2]), (less,), direction),), (less,)
        )
        results = tuple(Value(v.dtype, v.shape, v.range) for v in pair)
        attributes = f"dimension = {axis} : i64, is_stable = true"
        self.statements.append(Statement("stablehlo.sort", tuple(pair), results, attributes, (body,)))
        self.values += results

    def indices(self, count: int) -> Value:
        try:
            return self.pick(lambda v: v.dtype.kind in "iu" and v.dtype.itemsize > 1 and len(v.shape) == 1)
        except LookupError:
            return self.emit("iota", [], (count,), i32, "iota_dimension = 0 : i64")

    def gather(self) -> None:
        x = self.pick(lambda v: len(v.shape) == 2 and v.shape[0] > 0)
        at = self.indices(3)
        numbers = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
        attributes = f"dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = {axes([1, x.shape[1]])}"
        self.emit("gather", [x, at], (at.shape[0], x.shape[1]), attributes=f"{attributes}, indices_are_sorted = false")

    def scatter(self) -> None:
        x = self.pick(lambda v: len(v.shape) == 2 and v.usable)
        at = self.indices(2)
        new = self.constant(x.dtype, (at.shape[0], x.shape[1]))
        op, _, known = self.monoid(x, at.shape[0])
        numbers = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]"
        attributes = f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}, index_vector_dim = 1>"
        both: Transfer = lambda d, r: known(d, [widest([r[0], r[2]])])
        self.emit("scatter", [x, at, new], x.shape, None, attributes, both, [self.body(op, x.dtype)])

    # ---- ops with programs inside

    def inner(self, arguments: Sequence[Value], seen: Sequence[Value]) -> Writer:
        writer = Writer(self.rng, [*seen, *arguments], self.depth + 1)
        writer.write(int(self.rng.integers(1, 7)))
        return writer

    def fitting(self, writer: Writer, value: Value) -> Value:
        """A value of the same type, and within the same bound, from an inner block."""
        found = [v for v in writer.values if v.type == value.type and v is not value and v.usable and steady(v)]
        result = writer.one(found) if found else value
        if value.range and result.range and result.range.bound > value.range.bound:
            result = writer.clamp(result, -value.range.bound, value.range.bound)
        return result

    def branch(self) -> None:
        seen = [v for v in self.values if v.usable]
        kinds = [self.pick(lambda v: v.usable) for _ in range(self.rng.integers(1, 3))]
        several = self.chance(0.5)
        index = self.pick(lambda v: v.dtype == (i32 if several else boolean) and v.shape == ())
        blocks, ranges = [], []
        for _ in range(self.rng.integers(1, 4) if several else 2):
            writer = self.inner([], seen)
            results = [self.fitting(writer, kind) for kind in kinds]
            blocks.append(Block((), tuple(writer.statements), tuple(results)))
            ranges.append([v.range for v in results])
        results = [
            Value(k.dtype, k.shape, widest([r for r in each if r]) if k.range else None)
            for k, each in zip(kinds, zip(*ranges))
        ]
        op = "stablehlo.case" if several else "stablehlo.if"
        self.statements.append(Statement(op, (index,), tuple(results), "", tuple(blocks)))
        self.values += results

    def loop(self) -> None:
        """A counted loop. Its carries are integers, or floats that the body brings back to their first bound."""
        trips = int(self.rng.integers(0, 4))
        inits = [self.pick(lambda v: v.usable and v.dtype != c64 and steady(v)) for _ in range(self.rng.integers(1, 4))]
        counter = self.constant(i32, (), 0)
        seen = [v for v in self.values if v.usable and v.shape != ()] if self.chance(0.5) else []
        index = Value(i32, ())
        # A carry may be off by this much: the body takes it for inexact, and must not make it worse.
        carries = [Value(v.dtype, v.shape, v.range and Range(v.range.bound, STEADY)) for v in inits]
        writer = self.inner([index, *carries], seen)
        one, after = Value(i32, ()), Value(i32, ())
        writer.statements += [
            Statement("stablehlo.constant", (), (one,), "value = dense<1> : tensor<i32>"),
            Statement("stablehlo.add", (index, one), (after,)),
        ]
        results = [self.fitting(writer, carry) for carry in carries]
        known = [
            widest([r for r in (i.range, r.range if r is not c else i.range) if r]) if i.range else None
            for i, r, c in zip(inits, results, carries)
        ]
        body = Block((index, *carries), tuple(writer.statements), (after, *results))
        condition_arguments = (Value(i32, ()), *(Value(v.dtype, v.shape) for v in carries))
        limit, more = Value(i32, ()), Value(boolean, ())
        direction = "comparison_direction = #stablehlo<comparison_direction LT>"
        condition = Block(
            condition_arguments,
            (
                Statement("stablehlo.constant", (), (limit,), f"value = dense<{trips}> : tensor<i32>"),
                Statement("stablehlo.compare", (condition_arguments[0], limit), (more,), direction),
            ),
            (more,),
        )
        outs = [Value(v.dtype, v.shape, k) for v, k in zip(inits, known)]
        last = Value(i32, ())
        self.statements.append(Statement("stablehlo.while", (counter, *inits), (last, *outs), "", (condition, body)))
        self.values += [last, *outs]

    def call(self) -> None:
        inits = [self.pick(lambda v: v.usable) for _ in range(self.rng.integers(1, 4))]
        arguments = [Value(v.dtype, v.shape, v.range) for v in inits]
        writer = self.inner(arguments, [])
        chosen = [writer.one(writer.values) for _ in range(self.rng.integers(1, 3))]
        block = Block(tuple(arguments), tuple(writer.statements), tuple(chosen))
        results = tuple(Value(v.dtype, v.shape, v.range) for v in chosen)
        if self.chance(0.5):
            statement = Statement("func.call", tuple(inits), results, "callee = CALLEE", (block,))
        else:
            attributes = 'name = "test.part", decomposition = CALLEE, version = 1 : i32'
            statement = Statement("stablehlo.composite", tuple(inits), results, attributes, (block,))
        self.statements.append(statement)
        self.values += results

    def write(self, count: int) -> None:
        often = [
            *[self.float_unary, self.float_binary] * 3,
            *[self.integer_binary, self.convert, self.reduce, self.dot, self.compare, self.select] * 2,
            *[self.integer_unary, self.complex_parts, self.limit, self.bits, self.iota, self.reshape],
            *[self.transpose, self.broadcast, self.slice, self.pad, self.concatenate, self.reverse],
            *[self.dynamic_slice, self.dynamic_update_slice, self.reduce_window, self.convolution, self.sort],
            *[self.gather, self.scatter],
            *[self.branch, self.loop, self.call] * (self.depth < 2),
        ]
        last, tries = len(self.statements) + count, 0
        while len(self.statements) < last and tries < 5 * count:
            tries += 1
            before = len(self.statements), len(self.values)
            try:
                self.one(often)()
            except LookupError:  # nothing fits
                del self.statements[before[0] :]
                del self.values[before[1] :]


def steady(value: Value) -> bool:
    return value.range is None or value.range.error <= STEADY


def splat(value: Value, number: float) -> Statement:
    """A constant."""
    written = f"{int(number)}"
    if value.dtype in PRECISION:
        written = f"({float(number)}, 0.0)" if value.dtype == c64 else f"{float(number)}"
    elif value.dtype == boolean:
        written = str(bool(number)).lower()
    return Statement("stablehlo.constant", (), (value,), f"value = dense<{written}> : {value.type}")


def axes(numbers: Sequence[int]) -> str:
    return f"array<i64{': ' * bool(len(numbers))}{', '.join(map(str, numbers))}>"


def random_array(rng: np.random.Generator, value: Value) -> np.ndarray:
    """Quarters between −2 and 2, and integers of all sizes."""
    if value.dtype == boolean:
        return np.asarray(rng.random(value.shape) < 0.5)
    if value.dtype == c64:
        return np.asarray((rng.integers(-8, 9, value.shape) + 1j * rng.integers(-8, 9, value.shape)) / 4).astype(c64)
    if value.dtype in PRECISION:
        return np.asarray(rng.integers(-8, 9, value.shape) / 4).astype(value.dtype)
    small, large = rng.integers(0, 9, value.shape), rng.integers(-(2**62), 2**62, value.shape)
    return np.asarray(np.where(rng.random(value.shape) < 0.6, small, large)).astype(value.dtype)


def random_case(seed: int) -> Case:
    rng = np.random.default_rng(seed)
    writer = Writer(rng, [], 0)
    kinds = [rng.choice(len(FLOATS + INTEGERS)) for _ in range(4)]
    dtypes = [f32, i32, boolean, *((FLOATS + INTEGERS)[k] for k in kinds)]
    arguments = []
    for dtype in dtypes:
        known = Range(2, 0, 0.25) if dtype in PRECISION else None
        shapes = [writer.shape(), (writer.size(4), writer.size(4))]
        arguments += [Value(dtype, shape, known) for shape in shapes]
    writer.values += [*arguments, Value(i32, ()), Value(boolean, ())]
    arguments = list(writer.values)
    writer.write(int(rng.integers(5, 61)))
    used = {v for s in writer.statements for v in (*s.operands, *captured(s))}
    ends = [v for v in writer.values if v not in used and v not in arguments]
    some = [v for v in writer.values if v in used and writer.chance(0.15)]
    results = (ends + some)[:24] or arguments[:1]
    main = Block(tuple(arguments), tuple(writer.statements), tuple(results))
    return pruned(Case(main, tuple(random_array(rng, v) for v in arguments)))


def captured(statement: Statement) -> Iterator[Value]:
    """The values that a statement's blocks use, their own among them."""
    for block in statement.blocks:
        yield from block.results
        for inner in block.statements:
            yield from inner.operands
            yield from captured(inner)


# ---------------------------------------------------------------- running them


def difference(case: Case) -> str:
    """How hlo2tiny's results differ from XLA's, or ''; where those of StableHLO's interpreter do not, XLA is wrong.

    Raises:
        Refused: XLA cannot run the program.
    """
    text, ranges = text_of(case), [v.range for v in case.main.results]
    expected = run("xla", text, case.arrays)
    try:
        found = run("hlo2tiny", text, case.arrays)
    except Refused as error:
        return str(error)
    if message := compared(found, expected, ranges):
        try:
            if not compared(found, run("interpreter", text, case.arrays), ranges):
                print(f"only XLA differs: {message}\n{text}", flush=True)
                return ""
        except Refused:  # The interpreter lacks some ops.
            pass
    return message


def compared(found: Sequence[np.ndarray], expected: Sequence[np.ndarray], ranges: Sequence[Range | None]) -> str:
    for number, (f, e, known) in enumerate(zip(found, expected, ranges, strict=True)):
        if (f.shape, f.dtype) != (e.shape, e.dtype):
            return f"result {number} is {f.dtype}{list(f.shape)}, expected {e.dtype}{list(e.shape)}"
        with np.errstate(all="ignore"):
            if known is None or known.error == 0:
                same = np.asarray(f == e)
            else:
                wide = np.complex128 if f.dtype.kind == "c" else np.float64
                same = np.abs(f.astype(wide) - e.astype(wide)) <= 2 * known.error
        for index in np.argwhere(~same):
            at = tuple(index.tolist())
            allowed = 2 * known.error if known else 0
            return f"result {number} at {list(at)} is {f[at]!r}, XLA's is {e[at]!r}; {allowed:.2g} apart are allowed"
    return ""


# ---------------------------------------------------------------- making failures small


def pruned(case: Case) -> Case:
    """Without the statements and arguments that no result needs."""
    needed, kept = set(case.main.results), []
    for statement in reversed(case.main.statements):
        if needed & set(statement.results):
            kept.append(statement)
            needed |= {*statement.operands, *captured(statement)}
    pairs = [(v, x) for v, x in zip(case.main.arguments, case.arrays) if v in needed]
    block = Block(tuple(v for v, _ in pairs), tuple(reversed(kept)), case.main.results)
    return Case(block, tuple(x for _, x in pairs))


def smaller(case: Case) -> Iterator[Case]:
    """Programs with less in them, those with much less first."""
    main = case.main
    if len(main.results) > 1:
        for result in main.results:
            yield Case(replace(main, results=(result,)), case.arrays)
    for number, statement in enumerate(main.statements):
        if statement.op == "stablehlo.constant":
            continue
        # Its results become arguments.
        rest = main.statements[:number] + main.statements[number + 1 :]
        rng = np.random.default_rng(number)
        arrays = tuple(random_array(rng, v) for v in statement.results)
        yield Case(replace(main, arguments=main.arguments + statement.results, statements=rest), case.arrays + arrays)
    for number, statement in enumerate(main.statements):
        for less in smaller_inside(statement):
            yield Case(
                replace(main, statements=(*main.statements[:number], less, *main.statements[number + 1 :])),
                case.arrays,
            )


def smaller_inside(statement: Statement) -> Iterator[Statement]:
    """The statement with one op of its blocks replaced by constants."""
    for i, block in enumerate(statement.blocks):
        for j, inner in enumerate(block.statements):
            choices = [[less] for less in smaller_inside(inner)]
            if inner.op != "stablehlo.constant":
                choices.insert(0, [splat(v, 1) for v in inner.results])
            if not set(inner.results) & {
                *block.results,
                *(v for s in block.statements for v in (*s.operands, *captured(s))),
            }:
                choices.insert(0, [])
            for choice in choices:
                less = replace(block, statements=(*block.statements[:j], *choice, *block.statements[j + 1 :]))
                yield replace(statement, blocks=(*statement.blocks[:i], less, *statement.blocks[i + 1 :]))


def shrunk(case: Case, seconds: float = 120) -> Case:
    """A smaller program that still differs from XLA in the same way."""
    kind, end = symptom(difference(case)), time.monotonic() + seconds
    while time.monotonic() < end:
        for less in smaller(case):
            less = pruned(less)
            try:
                if size(less) < size(case) and symptom(difference(less)) == kind:
                    case = less
                    break
            except Refused:
                continue
            if time.monotonic() > end:
                return case
        else:
            return case
    return case


def size(case: Case) -> tuple[int, int]:
    def ops(block: Block) -> int:
        return sum((1 if s.op == "stablehlo.constant" else 3) + sum(map(ops, s.blocks)) for s in block.statements)

    return ops(case.main), len(case.main.results) + len(case.main.arguments)


def symptom(message: str) -> str:
    return message.split(":")[0] if not message.startswith("result") else "result"


# ---------------------------------------------------------------- keeping them


def save(case: Case, name: str) -> Path:
    """Keep a program with its inputs, XLA's results, and how far from these a result may be."""
    REGRESSIONS.mkdir(parents=True, exist_ok=True)
    text = text_of(case)
    data: dict[str, np.ndarray] = {
        "tolerance": np.array([2 * v.range.error if v.range else 0 for v in case.main.results])
    }
    for prefix, arrays in (("in", case.arrays), ("out", run("xla", text, case.arrays))):
        for number, x in enumerate(arrays):
            narrow = x.dtype.name if x.dtype == bf16 else ""
            data[f"{prefix}{number}{'.' * bool(narrow)}{narrow}"] = x.view(np.uint16) if narrow else x
    np.savez_compressed(REGRESSIONS / f"{name}.npz", **data)
    path = REGRESSIONS / f"{name}.mlir"
    path.write_text(text)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seeds", type=int, default=100, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--keep", action="store_true", help="save shrunk failures in corpus/regressions")
    arguments = parser.parse_args()
    failures = refused = 0
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        case = random_case(seed)
        try:
            message = difference(case)
        except Refused as reason:
            refused += 1
            print(f"seed {seed}: XLA refuses: {reason}", flush=True)
            continue
        if message:
            failures += 1
            case = shrunk(case)
            print(f"seed {seed}: {difference(case)}\n{text_of(case)}", flush=True)
            for number, x in enumerate(case.arrays):
                print(f"  argument {number}: {x.dtype} {x.tolist()}", flush=True)
            if arguments.keep:
                print(f"  saved as {save(case, f'seed_{seed}')}", flush=True)
    print(f"{arguments.seeds} programs, {failures} differ, {refused} refused by XLA")
    return min(failures + refused, 1)


if __name__ == "__main__":
    sys.exit(main())
