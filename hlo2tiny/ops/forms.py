"""The pretty forms of ops, given by one-line descriptions that look like the forms themselves.

In a description, % stands for the operands, $name or ${name} for an attribute, and $name.field for a field of one. The
word after " : " says what the types in the text mean if they are not a function type (see syntax/pretty.py); without a
word, a single type is that of all operands and results.

    %, dims = $permutation
    % [$start_indices:$limit_indices:$strides]
    $comparison_direction, %, $compare_type
    (%, k = $k, is_stable = $is_stable)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ..records import dataclass

CLAUSE = re.compile(r"(\w+) ?= ?(\{[^}]*\}|[^\s,()]*\$[^\s,()]*(?: x [^\s,()]+)?)")
NAME = re.compile(r"\$\{?(\w+)\}?(?:\.(\w+))?")


@dataclass(frozen=True)
class Clause:
    """What `key = …` stands for: attributes, or fields of one, and the text around them."""

    names: tuple[tuple[str, str], ...]  # attributes, each with a field or ''
    pattern: re.Pattern[str] | None  # matches a word that contains several numbers, such as e5m10
    parts: Mapping[str, str]  # for keys in braces, the attribute of each
    example: str  # a text that `pattern` matches


@dataclass(frozen=True)
class Form:
    """A pretty form.

    `outline` is the description without clauses, names and spaces, such as "%[$:$:$]"; `names` are its attributes.
    """

    outline: str
    names: tuple[str, ...]
    clauses: Mapping[str, Clause]
    types: str

    @property
    def parenthesised(self) -> bool:
        return self.outline == "(%)"


@cache
def form_of(text: str) -> Form:
    """The form that a description stands for."""
    body, _, types = text.partition(" : ")
    rest = CLAUSE.sub("", body)
    names = tuple(name for name, _ in NAME.findall(rest))
    outline = re.sub(r"[\s,]", "", NAME.sub("$", rest))
    return Form(outline or "%", names, {key: clause_of(value) for key, value in CLAUSE.findall(body)}, types)


def clause_of(value: str) -> Clause:
    if value.startswith("{"):
        return Clause((), None, dict(re.findall(r"(\w+) = \$(\w+)", value)), "")
    names = tuple(NAME.findall(value))
    around = NAME.split(value)[::3]
    pattern = re.compile(r"(\d+)".join(map(re.escape, around))) if len(names) > 1 and " x " not in around else None
    return Clause(names, pattern, {}, "5".join(around))
