"""The text of a syntax error: what was found and what was expected, in a user's words."""

from __future__ import annotations

import re

from lark import Lark

# What to call each of the grammar's terminals.
LABELS = {
    "an alias definition": "ALIAS LOCATION_ALIAS",
    "'<…>'": "ANGLES",
    "an attribute": "ARRAY DENSE SPARSE RESOURCE OTHER HASH",
    "a symbol such as @main": "SYMBOL",
    "'['": "AXES",
    "a binding such as %a = %b": "BINDINGS",
    "a block label": "BLOCK",
    "an operation": "BRANCH INDIRECT NAME ASSUMING UNTYPED RESULTS",
    "'{'": "BRACES AXIS_SET",
    "a clause such as 'dims = '": "CLAUSE",
    "dimension numbers such as [b, 0, f]x[0, i, o]->[b, 0, f]": "DIM_NUMBERS",
    "dimensions such as 2x3x": "DIMS",
    "a type": "FUNCTION_TYPE TYPE",
    "'('": "INITS",
    "a list of integers": "INTEGERS UNKNOWNS",
    "a name": "KEY",
    "a location": "LOCATION",
    "a number": "NUMBER",
    "an operand": "OPERANDS",
    "a flag such as overflow<nsw>": "FLAGS",
    "'<'": "RANGE",
    "an element type": "SCALAR",
    "a list of shardings": "SHARDINGS",
    "ranges such as [0:2, 1:3]": "SLICES",
    "an integer type": "STORAGE",
    "a string": "STRING",
    "a type alias": "TYPE_ALIAS",
    "'?'": "UNKNOWN",
    "a value such as %0": "VALUE",
    "'public' or 'private'": "VISIBILITY",
    "a keyword": "WORD",
    "a list of keywords": "WORDS",
    "the end of the file": "$END",
}
READABLE = {terminal: label for label, terminals in LABELS.items() for terminal in terminals.split()}
# The terminals that begin an operation or an attribute. If the first of them is expected, a message names the group.
OPERATION = ("RESULTS", "NAME", "STRING", "MODULE", "FUNC", "UNTYPED", "ASSUMING", "BRANCH", "INDIRECT")
ATTRIBUTE = (
    *("ARRAY", "DENSE", "RESOURCE", "SPARSE", "OTHER", "HASH", "SYMBOL", "TYPE", "FUNCTION_TYPE", "NUMBER", "STRING"),
    *("INTEGERS", "TRUE", "FALSE", "UNIT", "LSQB", "LBRACE", "LOCATION", "LOC"),
)
# What an unfinished token starts with, the terminal that it would be, and what is wrong with it.
UNFINISHED = (
    (r'"[^"\n]*$', "STRING", "this string has no closing quote"),
    (r"array\s*<", "ARRAY", "this array<…> is not closed, or holds something other than numbers"),
    (r"dense\s*<", "DENSE", "this dense<…> is not closed, or holds something other than numbers in brackets"),
    (r"(tensor|tuple|complex|vector|memref)\s*<", "TYPE", "this type is not closed, or nested too deeply"),
    (r"[#!][\w.$\-]+<", "TYPE", "this has no closing '>', or is nested too deeply"),
    (r"\([^()]*$", "FUNCTION_TYPE", "this parenthesis is not closed"),
)
MOST_NAMED = 6
# The dialects whose short forms this package reads.
DIALECTS = {"stablehlo", "mhlo", "chlo", "func", "builtin", "sdy", "arith", "tensor", "shape", "check", "cf"}
SHORT_FORM = re.compile(r"(?:^|=)[ \t]*([a-z]\w*\.\w[\w.]*)", re.MULTILINE)
REACH = 1000  # the characters that are searched for the op of an error


def describe(text: str, at: int, accepted: set[str], lark: Lark) -> str:
    """The message about unexpected text at an offset where the grammar accepts the terminals named in `accepted`."""
    rest = text[at : at + 200].partition("\n")[0]
    expected = _expected(set(accepted), lark)
    if at >= len(text.rstrip()):
        return f"the text ends too early: is the file truncated?{expected}"
    for start, terminal, reason in UNFINISHED:
        if terminal in accepted and re.match(start, rest):
            return reason
    word = re.match(r'"[^"\n]*"?|[%#@!^]?[\w$.\-]+|->|\S', rest)
    message = f"unexpected {word[0][:80] if word else rest[:1]}{expected}"
    foreign = foreign_op(text, at)
    return f"{message}; {unsupported(foreign)}" if foreign else message


def foreign_op(text: str, at: int) -> str:
    """The op whose short form contains an offset, if its dialect is not one of those that are read; otherwise ''."""
    start = text.rfind("\n", 0, max(0, at - REACH)) + 1
    last = None
    for found in SHORT_FORM.finditer(text, start, at + REACH):
        if found.start(1) > at:
            break
        last = found
    return last[1] if last and last[1].partition(".")[0] not in DIALECTS else ""


def unsupported(op: str) -> str:
    """What is wrong with an op in a short form that is not read, and what to do."""
    return (
        f"{op} is not supported, as ops of the {op.partition('.')[0]} dialect do not run: export the program as"
        " StableHLO; to read this file all the same, print it with --mlir-print-op-generic"
    )


def _expected(accepted: set[str], lark: Lark) -> str:
    names = set()
    for group, label in ((OPERATION, "an operation"), (ATTRIBUTE, "an attribute")):
        if group[0] in accepted:
            accepted = {name for name in accepted if not name.startswith(group)}
            names.add(label)
    names |= {READABLE.get(name) or _literal(name, lark) for name in accepted}
    listed = sorted(names - {""})
    return f"; expected {', '.join(listed[:MOST_NAMED])}{' …' if len(listed) > MOST_NAMED else ''}" if listed else ""


def _literal(name: str, lark: Lark) -> str:
    """The literal of a terminal, such as '(' for LPAR; "" if it has none."""
    try:
        pattern = lark.get_terminal(name).pattern
    except KeyError:
        return ""
    return f"'{pattern.value}'" if pattern.type == "str" else ""
