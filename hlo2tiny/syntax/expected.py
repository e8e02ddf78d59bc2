"""What a syntax error says: what was found, and what could stand there, in a reader's words."""

from __future__ import annotations

import re

from lark import Lark

READABLE = {
    "ALIAS": "an alias definition",
    "LOCATION_ALIAS": "an alias definition",
    "ANGLES": "'<…>'",
    "ARRAY": "an attribute",
    "DENSE": "an attribute",
    "RESOURCE": "an attribute",
    "OTHER": "an attribute",
    "HASH": "an attribute",
    "SYMBOL": "a symbol such as @main",
    "AXES": "'['",
    "BINDINGS": "a binding such as %a = %b",
    "BLOCK": "a block label",
    "BRACES": "'{'",
    "CLAUSE": "a clause such as 'dims = '",
    "DIM_NUMBERS": "dimension numbers such as [b, 0, f]x[0, i, o]->[b, 0, f]",
    "DIMS": "dimensions such as 2x3x",
    "FUNCTION_TYPE": "a type",
    "INITS": "'('",
    "INTEGERS": "a list of integers",
    "KEY": "a name",
    "LOCATION": "a location",
    "NAME": "an operation",
    "NUMBER": "a number",
    "OPERANDS": "an operand",
    "OUT_SHARDING": "'out_sharding='",
    "RANGE": "'<'",
    "RESULTS": "an operation",
    "SCALAR": "an element type",
    "SHARDINGS": "a list of shardings",
    "SLICES": "ranges such as [0:2, 1:3]",
    "STORAGE": "an integer type",
    "STRING": "a string",
    "TYPE": "a type",
    "TYPE_ALIAS": "a type alias",
    "UNKNOWN": "'?'",
    "UNKNOWNS": "a list of integers",
    "VALUE": "a value such as %0",
    "VISIBILITY": "'public' or 'private'",
    "WORD": "a keyword",
    "WORDS": "a list of keywords",
    "$END": "the end of the file",
}
# The start of something that did not end as its kind does, and what is missing.
UNFINISHED: tuple[tuple[str, str], ...] = (
    (r'"[^"\n]*$', "this string has no closing quote"),
    (r"array<", "this array<…> is not closed, or holds something that is no number"),
    (r"dense<", "dense<…> is not closed, or its elements are not numbers in brackets"),
    (r"(tensor|tuple|complex|vector|memref)\s*<", "this type is not closed, or nested too deeply"),
    (r"loc\(", "this location is not closed"),
    (r"#[\w.$\-]+<", "this attribute is not closed, or nested too deeply"),
    (r"\((?=[^()]*$)", "this parenthesis is not closed"),
    (r"stablehlo\.\w+\s*\Z", "the file ends in the middle of an operation"),
)
MOST_NAMED = 6


def describe(text: str, at: int, accepted: set[str], lark: Lark) -> str:
    """The message for an unexpected text at an offset, where the named terminals could have stood."""
    rest = text[at : at + 200]
    names = sorted({READABLE.get(name) or _literal(name, lark) for name in accepted} - {""})
    expected = ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")
    expected = f"; expected {expected}" if expected else ""
    if at >= len(text.rstrip()):
        return f"the text ends too early: is the file truncated?{expected}"
    line = rest.partition("\n")[0]
    for start, reason in UNFINISHED:
        if re.match(start, line) and (
            start.startswith('"') or "TYPE" in accepted or "LOCATION" in accepted or "DENSE" in accepted
        ):
            return reason + expected
    found = re.match(r'"[^"\n]*"?|[%#@!^]?[\w$.\-]+|->|\S', rest)
    return f"unexpected {found[0] if found else rest[:1]}{expected}"


def _literal(name: str, lark: Lark) -> str:
    """'(' for LPAR."""
    try:
        pattern = lark.get_terminal(name).pattern
    except KeyError:
        return ""
    return f"'{pattern.value}'" if pattern.type == "str" else ""
