"""The names of dimensions in a module that jax.export wrote for symbolic shapes.

A type says only that a dimension is open. Its name is in the messages of the constraints that main asserts.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence

from ..ir import Module, StringAttr, TensorType
from ..ir.entry import default_entry

SPECIFICATIONS = re.compile(r"polymorphic shapes specifications: (.*?)\. Obtained dimension variables", re.DOTALL)
LONGEST_MESSAGE = 100_000


def open_dimensions(module: Module) -> Sequence[Sequence[str]]:
    """The dimensions of the entry's tensors as text, () for a static one; () for all if the module does not say."""
    main = default_entry(module)
    if main is None or main.body is None:
        return ()
    tensors = [t for t in main.type.inputs if isinstance(t, TensorType)]
    shapes = [t.shape for t in tensors if None in t.shape]
    if not shapes:
        return ()
    for op in main.body.ops:
        message = op.attributes.get("error_message")
        if op.name != "stablehlo.custom_call" or not isinstance(message, StringAttr):
            continue
        match = SPECIFICATIONS.search(message.value[:LONGEST_MESSAGE])
        written = [split(text) for text in match[1].split(".shape = ")[1:]] if match else []
        if len(written) == len(shapes) and all(map(fits, written, shapes)):
            names = iter(written)
            return [next(names) if None in shape else () for shape in (t.shape for t in tensors)]
    return ()


def split(text: str) -> list[str]:
    """The dimensions of the shape at the start of a text such as (b, mod(a, 2)), where they may be calls themselves."""
    depth, parts = 0, [""]
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth == 0:
            break
        if c == "," and depth == 1:
            parts.append("")
        elif depth > 1 or c != "(":
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def fits(written: Sequence[str], shape: Sequence[int | None]) -> bool:
    return len(written) == len(shape) and all(size is None or w == str(size) for w, size in zip(written, shape))


def power(base: int, exponent: int) -> int:
    if not 0 <= exponent <= MOST_POWER:
        raise ValueError(exponent)
    return int(base**exponent)


FUNCTIONS: Mapping[str, Callable[[int, int], int]] = {
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "max": max,
    "min": min,
}
OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: power,
}
# Files are not trusted: what is longer or larger has no size.
LONGEST_DIMENSION, MOST_POWER, LARGEST_SIZE = 200, 8, 2**63


def is_name(dimension: str) -> bool:
    """Whether a dimension is a name, not computed from others."""
    return dimension.isidentifier()


def names_in(dimension: str) -> list[str]:
    """The names of a dimension such as 2*t + 1."""
    return [name for name in re.findall(r"[^\W\d]\w*", dimension) if name not in FUNCTIONS]


def size_of(dimension: str, sizes: Mapping[str, int]) -> int | None:
    """The size of a dimension such as b, 2*t + 1 or floordiv(b, 2), given the sizes of names; None if they lack one."""
    if dimension in sizes:
        return sizes[dimension]

    def value(node: ast.expr) -> int:
        found = computed(node)
        if abs(found) >= LARGEST_SIZE:
            raise ValueError(found)
        return found

    def computed(node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int(number)):
                return number
            case ast.Name(id=name):
                return sizes[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -value(operand)
            case ast.BinOp(left=left, op=kind, right=right):
                return OPERATORS[type(kind)](value(left), value(right))
            case ast.Call(func=ast.Name(id=name), args=[left, right], keywords=[]):
                return FUNCTIONS[name](value(left), value(right))
        raise KeyError(node)

    if len(dimension) > LONGEST_DIMENSION:
        return None
    try:
        return value(ast.parse(dimension.replace("^", "**"), mode="eval").body)
    except (KeyError, SyntaxError, ZeroDivisionError, ValueError, RecursionError, MemoryError):
        return None
