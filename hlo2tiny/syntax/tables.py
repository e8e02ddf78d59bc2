"""Lark's parser and its tables. Making them takes longer than reading most files, so they are stored.

Building the package makes them (grammar/build.py). If they are missing or outdated, the cache keeps them.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

STARTS = ["file", "type", "function_type", "struct", "attribute", "metadata"]
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
    from .. import cache  # only this file and Lark exist while the package is built

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
    name, data, memo = json.loads(text, object_hook=with_integer_keys)
    if name != digest():
        return None
    parser: Lark = Lark._load_from_dict(data, memo, transformer=actions)  # type: ignore[no-untyped-call]
    lexer = parser.parser.lexer
    for each in {lexer.root_lexer, *lexer.lexers.values()}:
        each.re = Expressions
    return parser


def with_integer_keys(value: dict[str, Any]) -> dict[Any, Any]:
    """An object of JSON with integer keys restored; no name in a grammar is an integer."""
    return {int(k) if k.isdigit() else k: v for k, v in value.items()}


# ---------------------------------------------------------------- lexing

# How often a parser's state looks for a token before the expressions of its tokens are compiled as one, which takes
# about as long as so many tries of one after the other.
TRIES = 300
_compile = lru_cache(None)(re.compile)


class Tokens:
    """The regular expression that Lark makes of the tokens that a state of the parser accepts."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags, self.tries = pattern, flags, 0

    @cached_property
    def parts(self) -> list[re.Pattern[str]]:
        """Each token's expression, in the order in which they are tried; many states share one."""
        first, *others = self.pattern.split("|(?P<")
        return [_compile(part, self.flags) for part in (first, *(f"(?P<{other}" for other in others))]

    def match(self, text: str, start: int, end: int) -> re.Match[str] | None:
        self.tries += 1
        if self.tries > TRIES:
            self.match = re.compile(self.pattern, self.flags).match  # type: ignore[method-assign, assignment]
            return self.match(text, start, end)
        return next((found for part in self.parts if (found := part.match(text, start, end))), None)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return next((found for part in self.parts if (found := part.fullmatch(text))), None)


class Expressions:
    """What Lark's lexers use in place of Python's module re. Compiling all their expressions would take longer than
    reading a small file."""

    error, compile, match = re.error, Tokens, staticmethod(lru_cache(None)(re.match))
