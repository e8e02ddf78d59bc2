"""Affine maps, integer sets and strided layouts, as MLIR prints them. Older bytecode holds them as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ...ir import DialectAttr
from .file import Entry

_, PERMUTATION, PROJECTION, GENERAL = range(4)  # 0 is the identity
DIMENSION, SYMBOL, CONSTANT, ADD, MULTIPLY = range(5)
DIVISIONS = {5: "mod", 6: "floordiv", 7: "ceildiv"}
DYNAMIC = -(1 << 63)
MOST_DIMENSIONS = 1 << 10
DEEPEST = 40  # of an expression


class AffineExpression(NamedTuple):
    """An expression's text: alone, as a factor, after a minus; and the text of its opposite, if it is negative."""

    text: str
    factor: str
    subtrahend: str
    opposite: str = ""
    constant: int | None = None


def affine_map(entry: Entry) -> DialectAttr:
    at, head = entry.at, entry.varint()
    dimensions, kind = head >> 2, head & 3
    symbols = entry.varint() if kind == GENERAL else 0
    space = space_of(entry, dimensions, symbols, at)
    if kind == GENERAL:
        results = [result.text for result in entry.read_list(lambda: expression(entry, dimensions, symbols))]
    else:
        indices: Iterable[int] = range(dimensions)
        if kind == PERMUTATION:
            indices = [entry.varint() for _ in indices]
        elif kind == PROJECTION:
            indices = entry.read_list(entry.varint)
        results = [variable(entry, "d", index, dimensions) for index in indices]
    return spelled(entry, f"affine_map<{space} -> ({', '.join(results)})>")


def affine_set(entry: Entry) -> DialectAttr:
    at, dimensions, symbols = entry.at, entry.varint(), entry.varint()
    space = space_of(entry, dimensions, symbols, at)
    sides = [side.text for side in entry.read_list(lambda: expression(entry, dimensions, symbols))]
    signs = ["==" if equal else ">=" for equal in entry.bytes(len(sides))]
    return spelled(entry, f"affine_set<{space} : ({', '.join(f'{a} {b} 0' for a, b in zip(sides, signs))})>")


def strided(entry: Entry) -> DialectAttr:
    offset, strides = entry.signed_varint(), entry.signed_list()
    shown = ["?" if stride == DYNAMIC else str(stride) for stride in (*strides, offset)]
    start = f", offset: {shown[-1]}" if offset else ""
    return spelled(entry, f"strided<[{', '.join(shown[:-1])}]{start}>")


def spelled(entry: Entry, text: str) -> DialectAttr:
    entry.spend(len(text))
    return DialectAttr("builtin", "", {}, text)


def space_of(entry: Entry, dimensions: int, symbols: int, at: int) -> str:
    """The names of the dimensions and symbols, such as (d0, d1)[s0]."""
    if dimensions > MOST_DIMENSIONS or symbols > MOST_DIMENSIONS:
        entry.fail(f"found {dimensions} dimensions and {symbols} symbols, expected at most {MOST_DIMENSIONS}", at)
    names = [", ".join(f"{letter}{i}" for i in range(count)) for letter, count in (("d", dimensions), ("s", symbols))]
    return f"({names[0]})[{names[1]}]" if symbols else f"({names[0]})"


def variable(entry: Entry, letter: str, index: int, count: int) -> str:
    if index >= count:
        entry.fail(f"there is no {letter}{index} in an affine map of {count}")
    return f"{letter}{index}"


def expression(entry: Entry, dimensions: int, symbols: int, depth: int = 0) -> AffineExpression:
    """The expression at an entry: its kind, then its number or its two operands."""
    if depth >= DEEPEST:
        entry.fail("an affine expression is nested too deeply")
    at, kind = entry.at, entry.varint()
    if kind in (DIMENSION, SYMBOL):
        letter, count = ("d", dimensions) if kind == DIMENSION else ("s", symbols)
        name = variable(entry, letter, entry.varint(), count)
        return AffineExpression(name, name, name)
    if kind == CONSTANT:
        value = entry.signed_varint()
        return AffineExpression(str(value), str(value), str(value), str(-value) if value < 0 else "", value)
    if kind > max(DIVISIONS):
        entry.unknown(f"there is no known affine expression with the code {kind}", at)
    a, b = (expression(entry, dimensions, symbols, depth + 1) for _ in range(2))
    if kind == ADD:
        text = f"{a.text} - {b.opposite}" if b.opposite else f"{a.text} + {b.text}"
        return AffineExpression(text, f"({text})", f"({text})")
    if kind == MULTIPLY and b.constant == -1:
        return AffineExpression(f"-{a.factor}", f"(-{a.factor})", f"-{a.factor}", a.subtrahend)
    text = f"{a.factor} {DIVISIONS.get(kind, '*')} {b.factor}"
    negative = kind == MULTIPLY and b.constant is not None and b.constant < 0
    return AffineExpression(text, f"({text})", text, f"{a.factor} * {b.opposite}" if negative else "")


ATTRIBUTES: dict[int, Callable[[Entry], DialectAttr]] = {23: affine_map, 24: affine_set, 25: strided}
