"""Runs Lark on a text, whose aliases and locations it knows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NoReturn

from lark import Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from .. import ir
from ..errors import FAULTS, Error, InputError, ParseError, Source, explain_fault
from ..ir.locations import ALIAS_OR_STRING
from ..ir.strings import unquote
from . import dense
from .expected import describe
from .source import Payloads
from .tables import lark_parser

# The limit for Lark's stack, of which each nested construct takes a few entries. Python's own stack is finite.
DEEPEST = 400
DEEPEST_ALIAS = 20
MOST_PARTS = 1_000_000
MOST_EXPANDED = 10_000_000  # letters
# The limit for types in types, as in the grammar's terminals for them.
DEEPEST_TYPE = 6
# How types that are single tokens begin, and the rule for their text.
INSIDE = {r"\(": "function_type", r"(?:tensor|tuple|complex)\s*<|!quant\.uniform": "type"}
# Locations as most are written, with the aliases in them; others are parsed.
LABEL = re.compile(r"#(?:[A-Za-z_][\w$.\-]*|\d+)")
_L = f"({LABEL.pattern})"
_PLACED = rf'"[^"\\\n]*"(?::\d{{1,9}}:\d{{1,9}}|\({_L}\))?'
_JOINED = rf"callsite\({_L} at {_L}\)|fused\[({LABEL.pattern}(?:, {LABEL.pattern})*)\]"
PLACE = re.compile(rf"\s*(?:unknown|{_PLACED}|{_JOINED})\s*")
COMMENT = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\n]*')


def blank_comments(text: str) -> str:
    """The text with its comments blanked, so that positions stay; // in a string does not begin a comment."""
    if "//" not in text:
        return text
    return COMMENT.sub(lambda match: match[0] if match[0][0] == '"' else " " * len(match[0]), text)


class TextReader:
    """Runs Lark on a text, and has the actions for its aliases and locations.

    An action has the name of its rule or terminal, and gets its children or its token. The Lark parser is built once
    and keeps its actions, so the state here is that of the current text.
    """

    def __init__(self) -> None:
        self.lark = lark_parser(self)
        self._begin(Source("", ""), Payloads([]))

    def __getattr__(self, name: str) -> Any:
        """The action of an imported rule, whose name Lark prefixes with that of its grammar."""
        if name.startswith("mlir__"):
            return getattr(self, name.removeprefix("mlir__"))
        raise AttributeError(name)

    def _begin(self, source: Source, payloads: Payloads) -> None:
        self.source, self.payloads = source, payloads
        self.text = blank_comments(source.text)
        self.base = 0  # where the text being parsed begins in the source
        self.type_texts: dict[str, ir.Type] = {}
        self.attribute_texts: dict[str, ir.Attribute] = {}
        self.labels: dict[str, str] = {}
        self.places: dict[str, str] = {}  # the locations so far, by their texts
        self.expanded = 0  # the length of those in which aliases of attributes have been expanded
        self.awaited: dict[str, int] = {}  # the aliases that are locations of ops, and where: their definitions follow
        self.defined: set[str] = set()  # the names of aliases whose definitions have been passed
        self.aliases: dict[str, ir.Attribute] = {}
        self.resolving: set[str] = set()
        self.sizes: dict[int, int] = {}  # by the identity of attributes and types, which aliases keep alive
        self.blobs: dict[str, str] | None = None

    # ------------------------------------------------------------ driving Lark

    def _parse(self, text: str, start: str, offset: int) -> Any:
        """Parse a text that begins at an offset of the file."""
        parser = self.lark.parse_interactive(text, start)
        state, lexer = parser.parser_state, parser.lexer_thread
        stack = state.state_stack
        token: Token | None = None
        self.base += offset
        try:
            for token in lexer.lex(state):  # type: ignore[no-untyped-call]
                state.feed_token(token)
                if len(stack) > DEEPEST:
                    self._fail("this is nested too deeply", token)
            return parser.feed_eof(token)  # type: ignore[no-untyped-call]
        except FAULTS as error:  # from an action, such as for a number with thousands of digits
            self._fault(error, token or 0)
        except UnexpectedInput as error:
            ended = isinstance(error, UnexpectedToken) and error.token.type == "$END"
            at = len(text.rstrip()) if ended else error.pos_in_stream or 0
            self._pinpoint(text, at)
            accepted = parser.accepts()  # type: ignore[no-untyped-call]
            self._fail(describe(text, at, accepted, self.lark), at)
        finally:
            self.base -= offset

    def _pinpoint(self, text: str, at: int, depth: int = 0) -> None:
        """Raise the error inside a type, if there is one: a type that is wrong inside is not a token."""
        for opening, start in INSIDE.items():
            if re.compile(opening).match(text, at):
                inside = text[at:].partition("\n")[0]
                parser = self.lark.parse_interactive(inside, start)
                self.base += at
                try:
                    parser.exhaust_lexer()
                except UnexpectedInput as error:
                    accepted = parser.accepts()  # type: ignore[no-untyped-call]
                    where = error.pos_in_stream or 0
                    if where and accepted != {"$END"}:
                        if depth < DEEPEST_TYPE:
                            self._pinpoint(inside, where, depth + 1)
                        self._fail(describe(inside, where, accepted, self.lark), where)
                finally:
                    self.base -= at

    def _fault(self, error: Exception, place: Token | int) -> NoReturn:
        """Raise an action's exception as an error about a location."""
        if isinstance(error, MemoryError):
            raise InputError(f"{self.source.path}: {explain_fault(error)}") from error
        at = place if isinstance(place, int) else place.start_pos or 0
        raise ParseError(explain_fault(error), self.source, self.base + at) from error

    def _fail(self, message: str, place: Token | int, kind: type[Error] = ParseError) -> NoReturn:
        """Raise an error about a location in the text being parsed."""
        at = place if isinstance(place, int) else place.start_pos or 0
        raise kind(message, self.source, self.base + at) from None

    # ------------------------------------------------------------ aliases and locations

    def alias(self, children: list[Any]) -> None:
        _, token, value = children
        name = self._new_alias(token)
        if isinstance(value, ir.DialectAttr) and value.text.startswith("loc("):
            self.labels[name] = value.text[4:-1]
        elif name not in self.aliases:
            self._define_alias(name, value, token)

    def _new_alias(self, token: Token) -> str:
        """The name that a definition gives."""
        name = token.partition("=")[0].rstrip()
        if "." in name:
            self._fail(f"the alias {name} has a dot in its name, as only attributes and types of dialects have", token)
        if name in self.defined:
            self._fail(f"the alias {name} is defined twice", token)
        self.defined.add(name)
        return name

    def _define_alias(self, name: str, value: ir.Attribute, token: Token) -> None:
        """Store an alias's value. Values are shared, but walks visit every occurrence, so their number is limited."""
        if self._size(value) > MOST_PARTS:
            self._fail(f"the alias {name} expands to more than {MOST_PARTS} attributes", token)
        self.aliases[name] = value

    def _size(self, value: ir.Attribute | ir.Type) -> int:
        """The number of attributes and types in a value, its aliases expanded."""
        if id(value) not in self.sizes:
            inner: Iterable[ir.Attribute | ir.Type] = ()
            match value:
                case ir.ArrayAttr(items):
                    inner = items
                case ir.DictAttr(entries):
                    inner = entries.values()
                case ir.TypeAttr(type):
                    inner = (type,)
                case ir.TupleType(types) | ir.FutureType(types):
                    inner = types
                case ir.FunctionType(inputs, results):
                    inner = inputs + results
            size = 1 + sum(map(self._size, inner))
            if size == 1:
                return size
            self.sizes[id(value)] = size
        return self.sizes[id(value)]

    def location_alias(self, children: list[Any]) -> None:
        token = children[1]
        value = token.partition("=")[2].strip()
        label = self._place(value[4:-1], token.start_pos + len(token) - len(value) + 4)
        self.labels[self._new_alias(token)] = label

    def _alias(self, name: str, token: Token) -> ir.Attribute | None:
        """An alias's value; None if it is undefined. Its definition, one line, may be further down in the text."""
        if name in self.aliases:
            return self.aliases[name]
        if name in self.resolving:
            self._fail(f"the alias {name} is defined in terms of itself", token)
        if len(self.resolving) > DEEPEST_ALIAS:
            self._fail("aliases of aliases are nested too deeply", token)
        match = re.search(rf"^[ \t]*{re.escape(name)}\s*=\s*(.*)", self.text, re.MULTILINE)
        if match is None:
            return None
        if match[1].startswith("loc("):
            return location_attribute_of(name)
        self.resolving.add(name)
        value: ir.Attribute = self._parse(match[1], "attribute", match.start(1) - self.base)
        self.resolving.discard(name)
        self._define_alias(name, value, token)
        return value

    def LOCATION(self, token: Token) -> str:  # noqa: N802
        text, offset = token[4:-1], (token.start_pos or 0) + 4
        label = self.places.get(text)
        if label is None:
            if LABEL.fullmatch(text):
                label, self.awaited[text] = text, self.base + offset
            else:
                label = self._place(text, offset)
            self.places[text] = label
        return label

    def deep_location(self, children: list[Any]) -> str:
        start, end = children[0].end_pos, children[-1].start_pos
        return self._expand(self.text[self.base + start : self.base + end], start)

    def _place(self, text: str, offset: int) -> str:
        """A location, its aliases of attributes expanded. Aliases in it are defined above, as MLIR prints them."""
        match = PLACE.fullmatch(text)
        if match is None:
            self._parse(f"{text})", "placed", offset)
            return self._expand(text, offset)
        for names in filter(None, match.groups()):
            for name in names.split(", "):
                self._check_label(name, offset)
        return text

    def _expand(self, text: str, offset: int) -> str:
        """A location with attributes instead of their aliases: printers only know aliases of locations."""
        label = ALIAS_OR_STRING.sub(lambda m: str(self.aliases[m[1]]) if m[1] in self.aliases else m[0], text)
        if label != text:
            self.expanded += len(label)
            if self.expanded > MOST_EXPANDED:
                self._fail("the aliases in the locations of this file expand to too much text", offset)
        return label

    def _check_label(self, name: str, place: Token | int) -> None:
        if name not in self.labels:
            known = name in self.aliases
            found = f"{name} is not a location" if known else f"the location {name} is not defined"
            self._fail(f"{found}; define it as {name} = loc(…), before other locations that name it", place)

    def place(self, children: list[Any]) -> None:
        for child in children:
            match child:
                case Token(type="NUMBER") if not re.fullmatch(r"\d+|0x\w+", child) or dense.integer(child) >> 32:
                    self._fail(f"found {child}, expected a line or a column: a number of up to 32 bits", child)
                case Token(type="STRING"):
                    self._unquote(child)
                case Token(type="HASH"):
                    self._check_label(str(child), child)

    placed = place

    def check_awaited(self) -> None:
        """Fail unless all locations of ops that are aliases have been defined, here or below."""
        for name, offset in self.awaited.items():
            if name not in self.labels:
                self._check_label(name, offset - self.base)

    def _symbol(self, token: Token) -> ir.SymbolAttr:
        names = re.findall(r'@("[^"\\\n]*(?:\\.[^"\\\n]*)*"|[\w$.\-]+)', token)
        return ir.SymbolAttr(tuple(self._unquote(n) if n.startswith('"') else n for n in names))

    def _unquote(self, literal: str) -> str:
        try:
            return unquote(literal)
        except ValueError as error:
            self._fail(str(error), literal if isinstance(literal, Token) else 0)


def location_attribute_of(label: str) -> ir.DialectAttr:
    """A location as an attribute."""
    return ir.DialectAttr("builtin", "", {}, f"loc({label})")
