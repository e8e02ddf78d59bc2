"""Lark's parser and its tables. Making them takes longer than reading most files, so they are stored.

Building the package makes them (grammar/build.py). If they are missing or outdated, the cache keeps them.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

STARTS = ["file", "type", "function_type", "struct", "attribute", "metadata", "placed"]
FILE = "tables.json"


def grammar_folder() -> Path:
    """The folder of the .lark files: inside the package in a wheel, next to it in a checkout."""
    here = Path(__file__).resolve().parent.parent
    return here / "grammar" if (here / "grammar").is_dir() else here.parent / "grammar"


def digest() -> str:
    """A digest of everything that the tables depend on."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(grammar_folder().glob("*.lark"))]
    return hashlib.sha256("\0".join([lark.__version__, *STARTS, *texts]).encode()).hexdigest()


def make_parser(actions: object = None) -> Lark:
    """The LALR parser of the grammar's start rules."""
    return Lark(
        (grammar_folder() / "stablehlo.lark").read_text(encoding="utf-8"),
        parser="lalr",
        start=STARTS,
        transformer=actions,
        import_paths=[str(grammar_folder())],
    )


def as_json(parser: Lark) -> str:
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"].pop("transformer")
    return json.dumps([digest(), data, memo])


def lark_parser(actions: object) -> Lark:
    """The parser with its actions, from the package's tables or from the cache."""
    from ..machine import cache  # only this file and Lark exist while the package is built

    packaged = grammar_folder() / FILE
    if packaged.is_file() and (parser := from_json(packaged.read_text(encoding="utf-8"), actions)):
        return parser
    name = cache.key("tables", digest())
    stored = cache.read(name)
    if stored is not None and (parser := from_json(stored.decode(), actions)):
        return parser
    parser = make_parser(actions)
    cache.write(name, as_json(parser).encode())
    return parser


def from_json(text: str, actions: object) -> Lark | None:
    """The parser of stored tables; None if they belong to another grammar."""
    name, data, memo = json.loads(text)
    if name != digest():
        return None
    table = data["parser"]["parser"]
    table["tokens"] = with_integer_keys(table["tokens"])
    table["states"] = {int(state): with_integer_keys(actions) for state, actions in table["states"].items()}
    memo = with_integer_keys(memo)
    parser: Lark = Lark._load_from_dict(data, memo, transformer=actions)  # type: ignore[no-untyped-call]
    lexer = parser.parser.lexer
    for each in {lexer.root_lexer, *lexer.lexers.values()}:
        each.re = LexerExpressions
    return parser


def with_integer_keys(value: dict[str, Any]) -> dict[int, Any]:
    """A JSON object whose keys were integers."""
    return {int(k): v for k, v in value.items()}


# ---------------------------------------------------------------- lexing

# How often a parser's state looks for a token before the expressions of its tokens are compiled as one, which takes
# about as long as this many tries one after the other.
TRIES = 300
_compile = lru_cache(None)(re.compile)
NAMED = re.compile(r"\(\?P<(\w+)>")
BEGINNING = re.compile(r"(?:\\(\W)|([^\\.^$*+?{}\[\]|()]))(?![?*{|])")


@lru_cache(None)
def beginning(pattern: str) -> str:
    """The character with which all matches of a terminal begin; '' if that is not plain. None is a choice outside of
    parentheses."""
    found = BEGINNING.match(pattern)
    return (found[1] or found[2]) if found else ""


class Found(NamedTuple):
    """A token, in the form of a match."""

    lastgroup: str
    text: str

    def group(self, _: int = 0) -> str:
        return self.text


class Tokens:
    """The regular expression that Lark builds from the tokens that a state of the parser accepts."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags, self.tries = pattern, flags, 0

    @cached_property
    def parts(self) -> list[tuple[str, str, str]]:
        """Each token's name, expression and `beginning`, in the order in which they are tried."""
        _, *parts = NAMED.split(f"{self.pattern}|")
        return [(name, part[:-2], beginning(part[:-2])) for name, part in zip(parts[::2], parts[1::2])]

    def match(self, text: str, start: int, end: int) -> Found | re.Match[str] | None:
        self.tries += 1
        if self.tries > TRIES:
            self.match = re.compile(self.pattern, self.flags).match  # type: ignore[method-assign, assignment]
            return self.match(text, start, end)
        return self._first("match", text, start, end)

    def fullmatch(self, text: str) -> Found | None:
        return self._first("fullmatch", text, 0, len(text))

    def _first(self, how: str, text: str, *limits: int) -> Found | None:
        """The first token that matches. Many expressions are never needed, and are not compiled then."""
        first = text[limits[0]]
        for name, part, begin in self.parts:
            if begin in ("", first) and (found := getattr(_compile(part, self.flags), how)(text, *limits)):
                return Found(name, found[0])
        return None


@lru_cache(None)
def match(pattern: str, text: str, flags: int) -> re.Match[str] | None:
    """Replaces re.match."""
    return _compile(pattern, flags).match(text) if beginning(pattern) in ("", text[0]) else None


class LexerExpressions:
    """What Lark's lexers use instead of Python's module re. Compiling all their expressions would take longer than
    reading a small file."""

    error, compile, match = re.error, Tokens, staticmethod(match)
