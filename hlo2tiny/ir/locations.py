"""Readable names of locations in the user's model, from the text of MLIR locations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING

from ..errors import Error, Source, VerifyError, reported
from ..records import dataclass
from .strings import quote, unquote

if TYPE_CHECKING:
    from .module import Op

TOKEN = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|#[\w$.\-]+|[A-Za-z_]\w*|\d+|<|\S')
# A string, or an alias, whose name has no dot, in a location. What a dialect's attribute holds is part of its name.
ALIAS_OR_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|#[\w$\-]*[.<][\w$.\-]*|(#[\w$\-]+)')
# The limit for nested aliases and locations; real ones are far less deep.
DEEPEST = 100
MOST_FRAMES = 50
PLACE = re.compile(r":\d+(:\d+)?$")  # file:line:column
LONGEST = 1000  # the name of a fusion


def location_name(label: str, aliases: Mapping[str, str]) -> str:
    """The name of a location: its own name, a call's callee, a fusion's parts, or file:line:col; '' if unknown.

    Args:
        label: the text inside `loc(…)`.
        aliases: the same text for each alias, by its name with #.
    """
    name, _ = _place(TOKEN.findall(label), 0, aliases, {}, 0)
    return name


def without_aliases(text: str) -> str:
    """A location, with unknown ones instead of aliases."""
    return ALIAS_OR_STRING.sub(lambda match: match[0] if match[1] is None else "unknown", text)


def _place(
    tokens: list[str], at: int, aliases: Mapping[str, str], known: dict[str, str], depth: int
) -> tuple[str, int]:
    """The name of the location that begins at a token, and the index after it; `known` has the names of aliases."""
    token = tokens[at] if at < len(tokens) else ""
    if depth > DEEPEST or not token:
        return "", len(tokens)
    if token == "loc" and tokens[at + 1 : at + 2] == ["("]:
        name, at = _place(tokens, at + 2, aliases, known, depth + 1)
        return name, at + 1
    if token.startswith("#"):
        if token not in known:
            known[token] = ""  # an alias that refers to itself names nothing
            known[token] = _place(TOKEN.findall(aliases.get(token, "")), 0, aliases, known, depth + 1)[0]
        return known[token], at + 1
    if token.startswith('"'):
        name = _text(token)
        if tokens[at + 1 : at + 2] == [":"]:
            parts = 5 if tokens[at + 3 : at + 4] == [":"] else 3  # the column may be left out
            name += "".join(tokens[at + 1 : at + parts])
            at += parts
            if tokens[at : at + 1] == ["to"]:
                at += 1
                while at < len(tokens) and (tokens[at] == ":" or tokens[at].isdigit()):
                    at += 1
            return name, at
        if tokens[at + 1 : at + 2] == ["("]:
            inside, at = _place(tokens, at + 2, aliases, known, depth + 1)
            return name or inside, at + 1
        return name, at + 1
    if token == "callsite":
        callee, at = _place(tokens, at + 2, aliases, known, depth + 1)
        caller, at = _place(tokens, at + 1, aliases, known, depth + 1)
        return callee or caller, at + 1
    if token == "fused":
        at = _after_metadata(tokens, at + 1)
        names: list[str] = []
        at += 1
        while at < len(tokens) and tokens[at] != "]":
            name, at = _place(tokens, at, aliases, known, depth + 1)
            if name and name not in names:
                names.append(name)
            at += tokens[at : at + 1] == [","]
        return ", ".join(names)[:LONGEST], at + 1
    return "", at + 1


def name_parts(name: str) -> tuple[str, ...]:
    """The scopes of an op with this name, the outermost first, and its own: jit(f), Dense_0, dot_general.

    A location in a file has no parts. Of the names of a fusion, the first counts.
    """
    parts, depth = [""], 0
    for letter in "" if PLACE.search(name) else name:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth <= 0:
            break
        if letter == "/" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(filter(None, parts))


def location_frames(label: str, aliases: Mapping[str, str]) -> tuple[str, ...]:
    """The file:line parts of a location, the innermost frame of a call first."""
    known: dict[str, tuple[str, ...]] = {}

    def frames(text: str, depth: int) -> tuple[str, ...]:
        tokens = TOKEN.findall(text)
        places: dict[str, None] = {}
        for at, token in enumerate(tokens):
            if token.startswith('"') and tokens[at + 1 : at + 2] == [":"] and tokens[at + 2 : at + 3]:
                places[f"{_text(token)}:{tokens[at + 2]}"] = None
            elif token.startswith("#") and depth < DEEPEST:
                if token not in known:
                    known[token] = ()  # an alias that refers to itself names nothing
                    known[token] = frames(aliases.get(token, ""), depth + 1)
                places.update(dict.fromkeys(known[token]))
            if len(places) >= MOST_FRAMES:
                break
        return tuple(places)

    return frames(label, 0)


def _after_metadata(tokens: list[str], at: int) -> int:
    """Skip the <…> after `fused`."""
    depth = 0
    while at < len(tokens):
        depth += (tokens[at] == "<") - (tokens[at] == ">" and tokens[at - 1] != "-")
        if depth <= 0 and tokens[at] == "[":
            return at
        at += 1
    return at


def _text(literal: str) -> str:
    try:
        return unquote(literal)
    except ValueError:
        return literal[1:-1]


# ---------------------------------------------------------------- locations of ops


@dataclass(frozen=True, slots=True, eq=False)
class Location:
    """The location of an op in the file (`offset` in `source.text`) and in the user's model (`label`).

    `label` is the text of the trailing `loc(…)`, or its alias, which `name` resolves only when a message needs it.
    """

    source: Source
    offset: int
    label: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def line(self) -> int:
        return self.source.position(self.offset)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.offset)[1]

    @property
    def name(self) -> str:
        """The name in the user's model, such as params['Dense_0']['kernel'], or file:line:col, or ''."""
        return location_name(self.label, self.aliases)

    def named(self, name: str) -> Location:
        """This location in the file, with another name in the user's model."""
        return replace(self, label=quote(name))

    @property
    def frames(self) -> tuple[str, ...]:
        """The user's source lines as file:line, the innermost frame of a call first."""
        return location_frames(self.label, self.aliases)


def error_at(op: Op, message: str, kind: type[Error] = VerifyError) -> Error:
    """An error about an op, with its location in the file and in the model."""
    where = op.location
    return kind(f"{op.name}: {message}", where.source, where.offset, where.name)


def about(op: Op) -> reported:
    """`with about(op):` turns whatever goes wrong inside into an error about this op, with its location."""
    return reported(partial(error_at, op))
