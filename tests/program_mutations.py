"""Text that is nearly a valid program: numbers, types, shapes, names and lists in MLIR text, changed one at a time.

A `Document` is a text cut into tokens, each of which belongs to the op that it is written in. For ops in generic form
it also knows which type belongs to which operand and result, so that the type of one value can be changed in every
place that names it: what is then contradictory is an op's constraint, not the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

Rng = np.random.Generator
Edits = dict[int, str]  # the new text of tokens, by their numbers

# ---------------------------------------------------------------- tokens

TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<string>"(?:[^"\\]|\\.)*")
  | (?P<value>%[\w$.\-]+(?:\#\d+)?)
  | (?P<block>\^\w+)
  | (?P<symbol>@[\w$.\-]+)
  | (?P<alias>\#[\w$.\-]+)
  | (?P<arrow>->)
  | (?P<number>-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d*(?:[eE][-+]?\d+)?)?))
  | (?P<word>!?[A-Za-z_][\w$.]*)
  | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)
SCALAR = re.compile(r"u?i\d+|bf16|tf32|f\d+\w*|index|none")
DIALECTS = ("stablehlo.", "chlo.", "func.", "mhlo.", "shape.", "tensor.", "arith.", "sdy.")
OP_IN_QUOTES = re.compile(r'"[a-z_]\w*\.[\w.]+"')
PLACE = re.compile(r"""\ ?loc\((?:[^()"]|"(?:[^"\\]|\\.)*"|\((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^()]*\))*\))*\)""")
OPENING, CLOSING = "([{<", ")]}>"


@dataclass
class Token:
    kind: str
    text: str


@dataclass
class Statement:
    """An op as written: its name, the position of that name, and its tokens without those of the ops inside."""

    op: str
    at: int
    function: int
    tokens: list[int] = field(default_factory=list)
    # Of an op in generic form: where its operands, their types, and its results' types stand.
    operands: list[int] = field(default_factory=list)
    operand_types: list[int] = field(default_factory=list)
    result_types: list[int] = field(default_factory=list)


def without_places(text: str) -> str:
    """The text without source locations."""
    lines = [line for line in text.splitlines() if not line.startswith("#loc")]
    return PLACE.sub("", "\n".join(lines)) + "\n"


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text; a type such as tensor<4xcomplex<f32>> is one."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match is not None and match.lastgroup is not None
        kind, piece = match.lastgroup, match[0]
        if kind == "word":
            if piece.startswith("!") or piece in ("tensor", "tuple", "complex", "memref"):
                kind, piece = "type", piece + angles(text, match.end())
            elif SCALAR.fullmatch(piece):
                kind = "scalar"
        found.append(Token(kind, piece))
        at += len(piece)
    return found


def plain(name: str) -> str:
    """A value's name without the number of an op's first result: %0#0 is %0."""
    return name.removesuffix("#0")


def angles(text: str, at: int) -> str:
    """What stands in angle brackets from `at`, with them; '' where none do."""
    if not text.startswith("<", at):
        return ""
    depth = 0
    for end in range(at, len(text)):
        depth += {"<": 1, ">": -1}.get(text[end], 0)
        if depth == 0:
            return text[at : end + 1]
    return ""


class Document:
    """A text as tokens and statements."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens_of(text)
        self.statements: list[Statement] = []
        self.partner: dict[int, int] = {}
        # By function and name: the tokens that are the type of a value, and where a value is first named.
        self.types: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        self.values: defaultdict[int, dict[str, int]] = defaultdict(dict)
        self._match_brackets()
        self._find_statements()
        for statement in self.statements:
            if self.tokens[statement.at].kind == "string":
                self._read_generic(statement)

    def text(self, edits: Mapping[int, str]) -> str:
        return "".join(edits.get(i, token.text) for i, token in enumerate(self.tokens))

    def _match_brackets(self) -> None:
        stack: list[int] = []
        for i, token in enumerate(self.tokens):
            if token.kind != "sign":
                continue
            if token.text in OPENING:
                stack.append(i)
            elif token.text in CLOSING and stack:
                expected = OPENING[CLOSING.index(token.text)]
                while stack and self.tokens[stack[-1]].text == "<" and expected != "<":
                    stack.pop()
                if stack and self.tokens[stack[-1]].text == expected:
                    self.partner[stack[-1]] = i
                    self.partner[i] = stack.pop()

    def after(self, at: int) -> int:
        """The next token that is no space; the end is one too."""
        at += 1
        while at < len(self.tokens) and self.tokens[at].kind == "space":
            at += 1
        return at

    def before(self, at: int) -> int:
        at -= 1
        while at >= 0 and self.tokens[at].kind == "space":
            at -= 1
        return at

    def word(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def _names_op(self, at: int) -> bool:
        token, following, previous = self.tokens[at], self.word(self.after(at)), self.word(self.before(at))
        if token.kind == "string":
            return following == "(" and bool(OP_IN_QUOTES.fullmatch(token.text))
        if token.kind != "word" or following == "=":
            return False
        starts = (at > 0 and "\n" in self.tokens[at - 1].text) or previous in ("{", "}") or at == 0
        if token.text in ("return", "call"):
            return starts or previous == "="
        return token.text.startswith(DIALECTS) and (starts or previous == "=")

    def _find_statements(self) -> None:
        outer: list[Statement | None] = []
        current: Statement | None = None
        function = 0
        for i, token in enumerate(self.tokens):
            if token.kind == "space":
                continue
            if token.text == "{" and self.word(i + 1) == "-" and self.word(i + 2) == "#":
                break  # what follows are resources
            if self._names_op(i):
                name = token.text.strip('"')
                name = name if "." in name else f"func.{name}"
                function += name == "func.func"
                started = Statement(name, i, function)
                if current is not None:
                    self._take_results(current, started)
                self.statements.append(started)
                current = started
            if current is not None:
                current.tokens.append(i)
                if token.kind == "value":
                    self.values[function].setdefault(token.text, i)
            if token.text == "{":
                outer.append(current)
            elif token.text == "}" and outer:
                current = outer.pop()

    def _take_results(self, last: Statement, started: Statement) -> None:
        """The names of results stand before an op's own."""
        taken: list[int] = []
        if last.tokens and self.tokens[last.tokens[-1]].text == "=":
            taken.append(last.tokens.pop())
            while last.tokens and (
                self.tokens[last.tokens[-1]].kind in ("value", "number")
                or (self.tokens[last.tokens[-1]].text in (",", ":") and "\n" not in self.word(last.tokens[-1] + 1))
            ):
                taken.append(last.tokens.pop())
                if self.tokens[taken[-1]].kind == "value" and "\n" in self.word(taken[-1] - 1):
                    break
        started.tokens = taken[::-1]

    def _read_generic(self, statement: Statement) -> None:
        opening = self.after(statement.at)
        closing = self.partner.get(opening)
        if closing is None:
            return
        statement.operands = [i for i in range(opening, closing) if self.tokens[i].kind == "value"]
        at = self.after(closing)
        while self.word(at) in ("[", "<", "(", "{"):
            if self.word(at) == "(":
                self._read_arguments(at, statement)
            if at not in self.partner:
                return
            at = self.after(self.partner[at])
        if self.word(at) != ":" or (opening := self.after(at)) not in self.partner:
            return
        closing = self.partner[opening]
        statement.operand_types = [i for i in range(opening, closing) if self.tokens[i].kind == "type"]
        arrow = self.after(closing)
        if self.word(arrow) != "->":
            return
        first = self.after(arrow)
        last = self.partner.get(first, first)
        statement.result_types = [i for i in range(first, last + 1) if self.tokens[i].kind == "type"]
        if len(statement.operands) == len(statement.operand_types):
            for value, type in zip(statement.operands, statement.operand_types):
                self.types[statement.function, plain(self.tokens[value].text)].append(type)
        names = [i for i in statement.tokens if i < statement.at and self.tokens[i].kind == "value"]
        if len(names) == 1:
            name = self.tokens[names[0]].text
            for number, type in enumerate(statement.result_types):
                self.types[statement.function, plain(f"{name}#{number}")].append(type)
        if statement.op == "func.return":
            self._join_signature(statement, 1, [self.tokens[i].text for i in statement.operands])

    def _read_arguments(self, at: int, statement: Statement) -> None:
        """The arguments of a region's block, which a function's signature names too."""
        brace = self.after(at)
        label = self.after(brace)
        if self.word(brace) != "{" or label >= len(self.tokens) or self.tokens[label].kind != "block":
            return
        opening = self.after(label)
        names = []
        for i in range(opening, self.partner.get(opening, opening)):
            following = self.after(self.after(i))
            if (
                self.tokens[i].kind == "value"
                and self.word(self.after(i)) == ":"
                and self.tokens[following].kind == "type"
            ):
                names.append(self.tokens[i].text)
                self.types[statement.function, names[-1]].append(following)
        if statement.op == "func.func":
            self._join_signature(statement, 0, names)

    def _join_signature(self, statement: Statement, side: int, names: Sequence[str]) -> None:
        """Where the function's type has those of its arguments (side 0) or of what it returns (side 1)."""
        owner = next(s for s in self.statements if s.op == "func.func" and s.function == statement.function)
        start = next((i for i in owner.tokens if self.tokens[i].text == "function_type"), None)
        if start is None:
            return
        opening = self.after(self.after(start))
        if opening not in self.partner:
            return
        sides = [(opening, self.partner[opening])]
        first = self.after(self.after(self.partner[opening]))
        sides.append((first, self.partner.get(first, first)))
        types = [i for i in range(sides[side][0], sides[side][1] + 1) if self.tokens[i].kind == "type"]
        if len(types) == len(names):
            for name, type in zip(names, types):
                self.types[statement.function, plain(name)].append(type)

    @cached_property
    def by_op(self) -> dict[str, list[Statement]]:
        found: defaultdict[str, list[Statement]] = defaultdict(list)
        for statement in self.statements:
            found[statement.op].append(statement)
        return dict(found)

    def items(self, opening: int) -> list[tuple[int, int]]:
        """What stands between a bracket and its partner, separated by commas: the first and last token of each."""
        end = self.partner[opening]
        if self.word(opening) == "<" and self.word(opening + 1) == "{":
            return []
        found: list[tuple[int, int]] = []
        start = at = self.after(opening)
        while at < end:
            if at in self.partner and self.partner[at] > at:
                at = self.partner[at]
            elif self.word(at) == ",":
                found.append((start, self.before(at)))
                start = self.after(at)
            elif self.word(at) == ":" and self.tokens[self.before(at)].kind == "scalar":  # array<i64: 1, 2>
                start = self.after(at)
            at = self.after(at)
        return [*found, (start, self.before(end))] if start < end else found

    def attributes(self, statement: Statement) -> list[tuple[int, int]]:
        """The first and last tokens of `name = value` in the op."""
        return [
            (first, last)
            for opening in self.lists(statement)
            for first, last in self.items(opening)
            if self.tokens[first].kind in ("word", "string") and self.word(self.after(first)) == "="
        ]

    def lists(self, statement: Statement) -> list[int]:
        return [i for i in statement.tokens if self.tokens[i].text in OPENING and self.partner.get(i, -1) > i]

    def span(self, first: int, last: int) -> str:
        return "".join(self.tokens[i].text for i in range(first, last + 1))


# ---------------------------------------------------------------- what to write instead

ELEMENTS = (
    "f32 f64 f16 bf16 i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 i2 i4 ui4 f8E4M3FN f8E5M2 f4E2M1FN index none i128 i3 "
    "complex<f32> complex<f64> complex<bf16> complex<i32> !quant.uniform<i8:f32,0.5:3> "
    "!quant.uniform<i8:f32:0,{0.5,0.25}> !quant.uniform<u8:f32,2.0> !quant.uniform<i32:f32,0.25> !stablehlo.token"
).split()
TYPES = ("!stablehlo.token", "tensor<*xf32>", "tuple<tensor<f32>>", "f32", "i32", "none", "tensor<2xtensor<2xf32>>")
NUMBERS = (-1, 0, 1, 2, 3, 2**31 - 1, 2**31, -(2**31), 2**32, 2**62, 2**63 - 1, 2**63, -(2**63), 2**64)
KEYWORDS = [
    group.split()
    for group in (
        "EQ NE GE GT LE LT",
        "FLOAT TOTALORDER SIGNED UNSIGNED NOTYPE",
        "NO_TRANSPOSE TRANSPOSE ADJOINT TRANSPOSE_INVALID",
        "FFT IFFT RFFT IRFFT",
        "DEFAULT HIGH HIGHEST PACKED_NIBBLE",
        "UNIFORM NORMAL",
        "DEFAULT THREE_FRY PHILOX",
        "DEFAULT HIGHEST TOLERANCE",
        "true false",
        "comparison_direction comparison_type transpose fft_type precision rng_distribution rng_algorithm",
        "public private nested",
    )
]
ALTERNATIVES = {word: group for group in KEYWORDS for word in group}


def one(rng: Rng, items: Sequence[str]) -> str:
    return items[int(rng.integers(len(items)))]


def other_number(text: str, others: Sequence[str], rng: Rng) -> str:
    """Another number near it, at an edge, or of the same op."""
    if "." in text or text.startswith(("0x", "-0x")):
        return one(rng, ["0.0", "-1.0", "1.0e+400", "0x7FC00000", "1", "0x7F800000", text + "5"])
    if others and rng.integers(3) == 0:
        return one(rng, others)
    if rng.integers(2):
        return str(int(text) + int(rng.choice([-2, -1, 1, 2])))
    return str(one(rng, list(map(str, NUMBERS))))


TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)(.*)>", re.DOTALL)


def other_dimensions(text: str, rng: Rng) -> str | None:
    """The tensor type with a dimension changed, unknown, added or removed."""
    if (match := TENSOR.fullmatch(text)) is None:
        return None
    sizes = match[1].split("x")[:-1]
    at = int(rng.integers(len(sizes))) if sizes else 0
    match int(rng.integers(7)):
        case 0 | 1 if sizes:
            known = int(sizes[at]) if sizes[at] != "?" else 2
            sizes[at] = str(max(known + int(rng.choice([-1, 1])), 0))
        case 2 if sizes:
            sizes[at] = one(rng, ["0", "1", "2", "7", "?", "?", str(2**31), str(2**63 - 1), str(2**63), "-1"])
        case 3:
            sizes.insert(at, one(rng, ["1", "2", "?", "3"]))
        case 4 if sizes:
            del sizes[at]
        case 5 if len(sizes) > 1:
            sizes = sizes[1:] + sizes[:1]
        case _:
            sizes = ["?" for _ in sizes] if sizes else ["1"]
    return f"tensor<{''.join(f'{size}x' for size in sizes)}{match[2]}>"


def other_element(text: str, rng: Rng) -> str | None:
    if (match := TENSOR.fullmatch(text)) is None:
        return None
    element, comma, encoding = match[2], "", ""
    if "," in element and not element.startswith("!"):
        element, comma, encoding = element.partition(",")
    return f"tensor<{match[1]}{one(rng, ELEMENTS)}{comma}{encoding}>"


# ---------------------------------------------------------------- mutations

Mutation = Callable[["Document", Statement, "Pool", Rng], Edits | None]


@dataclass
class Pool:
    """What programs are made of: values of attributes by name, types, and names of ops by how they are written."""

    attributes: dict[str, list[str]] = field(default_factory=dict)
    types: list[str] = field(default_factory=list)
    ops: dict[tuple[int, int, int], list[str]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Pool:
        # Dictionaries are sets that keep the order: a seed's mutants are the same in every process.
        attributes: defaultdict[str, dict[str, None]] = defaultdict(dict)
        ops: defaultdict[tuple[int, int, int], dict[str, None]] = defaultdict(dict)
        types: dict[str, None] = {}
        names: dict[str, None] = {}
        for document in documents:
            types.update((token.text, None) for token in document.tokens if token.kind == "type")
            for statement in document.statements:
                for first, last in document.attributes(statement):
                    value = document.span(document.after(document.after(first)), last)
                    if len(value) < 200:
                        attributes[document.word(first).strip('"')][value] = None
                names[statement.op] = None
                ops[form(document, statement)][statement.op] = None
        return cls(
            {name: [*values] for name, values in attributes.items()},
            [*types],
            {written: [*found] for written, found in ops.items()},
            [*names],
        )


def form(document: Document, statement: Statement) -> tuple[int, int, int]:
    """How an op is written: the number of operands, of results, and of regions; of a pretty form, of values."""
    braces = sum(document.tokens[i].text == "{" for i in statement.tokens)
    if document.tokens[statement.at].kind == "string":
        return len(statement.operands), len(statement.result_types), braces
    return -1, sum(document.tokens[i].kind == "value" for i in statement.tokens), braces


def numbers_of(document: Document, statement: Statement) -> list[int]:
    return [i for i in statement.tokens if i > statement.at and document.tokens[i].kind == "number"]


def number(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """A changed number."""
    numbers = numbers_of(document, statement)
    if not numbers:
        return None
    at = int(rng.choice(numbers))
    others = [document.tokens[i].text for i in numbers if document.tokens[i].text != document.tokens[at].text]
    return {at: other_number(document.tokens[at].text, others, rng)}


def swapped_numbers(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """Two numbers of an op, swapped."""
    numbers = numbers_of(document, statement)
    if len(numbers) < 2:
        return None
    a, b = map(int, rng.choice(numbers, 2, replace=False))
    return {a: document.tokens[b].text, b: document.tokens[a].text}


def type_edits(document: Document, statement: Statement, at: int, text: str, rng: Rng) -> Edits:
    """A type changed in one place; everywhere for its value; or in all places that have the same one."""
    before = document.tokens[at].text
    how = int(rng.integers(6))
    if how > 1:
        for (function, _), places in document.types.items():
            if function == statement.function and at in places:
                return {i: text for i in places if document.tokens[i].text == before}
    if how > 0:
        return {i: text for i, token in enumerate(document.tokens) if token.kind == "type" and token.text == before}
    return {at: text}


def a_type(document: Document, statement: Statement, rng: Rng) -> int | None:
    found = [i for i in statement.tokens if document.tokens[i].kind == "type"]
    return int(rng.choice(found)) if found else None


def dimensions(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """A tensor's shape changed."""
    if (at := a_type(document, statement, rng)) is None:
        return None
    text = other_dimensions(document.tokens[at].text, rng)
    return None if text is None else type_edits(document, statement, at, text, rng)


def element(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """An element type changed: a tensor's, or that of a scalar attribute."""
    scalars = [i for i in statement.tokens if document.tokens[i].kind == "scalar"]
    if scalars and rng.integers(6) == 0:
        return {int(rng.choice(scalars)): one(rng, ["i64", "i32", "i1", "ui64", "f32", "index"])}
    if (at := a_type(document, statement, rng)) is None:
        return None
    text = other_element(document.tokens[at].text, rng)
    return None if text is None else type_edits(document, statement, at, text, rng)


def another_type(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """A type of another value, or one that is no tensor."""
    if (at := a_type(document, statement, rng)) is None:
        return None
    own = [document.tokens[i].text for i in statement.tokens if document.tokens[i].kind == "type"]
    text = one(rng, (own, own, pool.types, TYPES)[int(rng.integers(4))])
    return type_edits(document, statement, at, text, rng)


def operand(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """Another value of the function as operand; where the form has their types, with its type."""
    known = [name for name, at in document.values[statement.function].items() if at < statement.at]
    if statement.operands and known and rng.integers(4):
        k = int(rng.integers(len(statement.operands)))
        name = one(rng, known)
        places = document.types.get((statement.function, plain(name)))
        if places and k < len(statement.operand_types):
            return {statement.operands[k]: name, statement.operand_types[k]: document.tokens[places[0]].text}
    values = [i for i in statement.tokens if i > statement.at and document.tokens[i].kind == "value"]
    return {int(rng.choice(values)): one(rng, known)} if values and known else None


def operand_count(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """One operand fewer or more, with its type."""
    count = len(statement.operands)
    if not count or len(statement.operand_types) != count:
        return None
    k = int(rng.integers(count))
    value, type = statement.operands[k], statement.operand_types[k]
    if rng.integers(2):
        return {i: f"{document.tokens[i].text}, {document.tokens[i].text}" for i in (value, type)}
    return removed(document, value, value) | removed(document, type, type)


def result_count(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """One result fewer or more."""
    if not statement.result_types:
        return None
    arrow = document.before(statement.result_types[0])
    names = [i for i in statement.tokens if i < statement.at and document.tokens[i].kind == "value"]
    if len(names) != 1:
        return None
    count = len(statement.result_types)
    before = document.span(statement.result_types[0], statement.result_types[-1])
    after = f"{before}, {document.tokens[statement.result_types[-1]].text}"
    if document.word(arrow) == "->":
        after = f"({after})"
    end = statement.result_types[-1]
    edits = dict.fromkeys(range(statement.result_types[0], end + 1), "") | {end: after}
    named = [i for i in statement.tokens if i < statement.at and document.tokens[i].kind == "number"]
    return edits | ({named[0]: str(count + 1)} if named else {names[0]: f"{document.tokens[names[0]].text}:2"})


def op_name(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """Another op, preferably one that is written the same way."""
    inner = [
        i
        for i in statement.tokens
        if document.word(document.before(i)) == "applies" and document.tokens[i].kind == "word"
    ]
    names = pool.ops.get(form(document, statement), pool.names) if rng.integers(4) else pool.names
    name = one(rng, names)
    if inner and rng.integers(2):
        return {inner[0]: name}
    text = document.tokens[statement.at].text
    return {statement.at: f'"{name}"' if text.startswith('"') else name}


def keyword(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """Another word of an enumeration."""
    found = [i for i in statement.tokens if document.tokens[i].text in ALTERNATIVES]
    if not found:
        return None
    at = int(rng.choice(found))
    return {at: one(rng, ALTERNATIVES[document.tokens[at].text])}


def attribute(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """An attribute removed, duplicated, under another name, or with a value that it has elsewhere."""
    found = document.attributes(statement)
    if not found:
        return None
    first, last = found[int(rng.integers(len(found)))]
    name = document.tokens[first].text
    match int(rng.integers(6)):
        case 0:
            return removed(document, first, last)
        case 1:
            return {last: f"{document.tokens[last].text}, {document.span(first, last)}"}
        case 2:
            return {first: one(rng, [*pool.attributes, "no_such_attribute"])}
        case 3:
            other = one(rng, [*pool.attributes])
            return {last: f"{document.tokens[last].text}, {other} = {one(rng, pool.attributes[other])}"}
    values = pool.attributes.get(name.strip('"'), [])
    if rng.integers(8) == 0:
        values = pool.attributes[one(rng, [*pool.attributes])]
    at = document.after(document.after(first))
    return dict.fromkeys(range(at, last + 1), "") | {at: one(rng, values or ["unit"])}


def item(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """An item of a list removed, duplicated, or in another's place: an operand, a type, a number, a region."""
    lists = [
        document.items(opening) for opening in document.lists(statement) if opening != document.after(statement.at)
    ]
    lists = [items for items in lists if items and items[0][0] not in statement.operand_types]
    if not lists:
        return None
    items = lists[int(rng.integers(len(lists)))]
    first, last = items[int(rng.integers(len(items)))]
    text = document.span(first, last)
    match int(rng.integers(4)):
        case 0:
            return removed(document, first, last)
        case 1:
            return {last: f"{document.tokens[last].text}, {text}"}
        case 2 if len(items) > 1:
            start, end = items[int(rng.integers(len(items)))]
            if start == first:
                return None
            edits = dict.fromkeys((*range(first, last + 1), *range(start, end + 1)), "")
            return edits | {first: document.span(start, end), start: text}
    return dict.fromkeys(range(first, last + 1), "")


def removed(document: Document, first: int, last: int) -> Edits:
    """An item of a list and a comma beside it."""
    edits = dict.fromkeys(range(first, last + 1), "")
    for beside in (document.after(last), document.before(first)):
        if document.word(beside) == ",":
            return edits | {beside: ""}
    return edits


def whole_op(document: Document, statement: Statement, pool: Pool, rng: Rng) -> Edits | None:
    """An op removed, such as a region's terminator."""
    if statement.op == "builtin.module":
        return None
    return dict.fromkeys(range(statement.tokens[0], statement.tokens[-1] + 1), "") if statement.tokens else None


MUTATIONS: Mapping[str, tuple[int, Mutation]] = {
    "number": (6, number),
    "swapped numbers": (1, swapped_numbers),
    "dimensions": (6, dimensions),
    "element type": (5, element),
    "type": (3, another_type),
    "operand": (2, operand),
    "operand count": (1, operand_count),
    "result count": (1, result_count),
    "op name": (2, op_name),
    "keyword": (2, keyword),
    "attribute": (5, attribute),
    "item": (4, item),
    "op gone": (1, whole_op),
}
FREQUENT = ("stablehlo.constant", "stablehlo.return", "func.return", "func.func", "builtin.module")


def of_interest(document: Document, only: Collection[str]) -> list[str]:
    """The ops of a text that are to be mutated: those of `only`, else all."""
    return [op for op in document.by_op if not only or op in only or op.partition(".")[2] in only]


def mutant(document: Document, pool: Pool, rng: Rng, only: Collection[str] = ()) -> tuple[str, str, str] | None:
    """A text that differs in one or two places, the op that was changed, and what was; None if nothing could be."""
    ops = of_interest(document, only)
    weights = [0.3 if op in FREQUENT else 1.0 for op in ops]
    kinds, shares = [*MUTATIONS], [share for share, _ in MUTATIONS.values()]
    edits: Edits = {}
    changed, what = "", []
    wanted = 1 if rng.integers(5) else 2
    for _ in range(20):
        op = changed or ops[int(rng.choice(len(ops), p=np.array(weights) / sum(weights)))]
        statements = document.by_op[op]
        kind = kinds[int(rng.choice(len(kinds), p=np.array(shares) / sum(shares)))]
        found = MUTATIONS[kind][1](document, statements[int(rng.integers(len(statements)))], pool, rng)
        if found and any(document.tokens[i].text != text for i, text in found.items()):
            edits |= found
            changed = op
            what.append(kind)
            if len(what) == wanted:
                break
    return (document.text(edits), changed, " and ".join(what)) if edits else None


def mutants(
    documents: Sequence[Document], pool: Pool, first: int, only: Collection[str] = ()
) -> Iterator[tuple[int, str, str, str]]:
    """Endless mutants, each by its number alone: the number of the program, the text, the op, what was changed."""
    while True:
        rng = np.random.default_rng([first, 20])
        which = int(rng.integers(len(documents)))
        found = mutant(documents[which], pool, rng, only)
        if found is not None:
            yield which, *found
        first += 1
