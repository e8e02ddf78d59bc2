"""How many cases of which suite each op passes, by element type: `hlo2tiny ops --conformance`, docs/conformance.md.

`tests/conformance.py` runs the suites and writes conformance.json, which is a part of the package.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from ..verify.problems import support_table

FILE = "conformance.json"
ALL = "all"  # stands for the element types of an op together: a case may have several


@dataclass(frozen=True)
class Suite:
    """A set of cases: its short name, what it is, and how many it has and pass."""

    name: str
    about: str
    cases: int
    passed: int


@dataclass(frozen=True)
class Conformance:
    """What the suites gave. `cases` has their numbers of cases, in their order, by op and element type; so `failed`."""

    suites: tuple[Suite, ...]
    cases: Mapping[str, Mapping[str, Sequence[int]]]
    failed: Mapping[str, Mapping[str, Sequence[int]]]

    def rows(self) -> Iterator[tuple[str, str, list[str]]]:
        """An op, element types that have the same numbers, and the numbers of each suite as text."""
        for op, types in self.cases.items():
            groups: dict[tuple[str, ...], list[str]] = {}
            for element, counts in types.items():
                failed = self.failed.get(op, {}).get(element, [0] * len(counts))
                cells = tuple(cell(count, count - wrong) for count, wrong in zip(counts, failed))
                groups.setdefault(cells if element != ALL else (*cells, ALL), []).append(element)
            for key, elements in groups.items():
                yield op, ", ".join(elements), list(key[: len(self.suites)])

    def without(self) -> list[str]:
        """The ops of StableHLO and CHLO that run, but of which no suite has a case."""
        ops = [name for name, state in support_table() if state == "yes" and name.startswith(("stablehlo.", "chlo."))]
        return [name for name in ops if name not in self.cases]


def cell(cases: int, passed: int) -> str:
    return "" if not cases else str(cases) if passed == cases else f"{passed} of {cases}"


def load() -> Conformance:
    """The package's own."""
    data = json.loads(resources.files("hlo2tiny").joinpath(FILE).read_text(encoding="utf-8"))
    return Conformance(tuple(Suite(**suite) for suite in data["suites"]), data["cases"], data["failed"])


def dump(found: Conformance) -> str:
    """As the package stores it: a line for each op, so that changes can be read."""
    lines = ['{"suites": [', ",\n".join(f"  {json.dumps(vars(suite))}" for suite in found.suites), "],"]
    for name, table in (("cases", found.cases), ("failed", found.failed)):
        entries = ",\n".join(f"  {json.dumps(op)}: {json.dumps(types)}" for op, types in table.items())
        lines.append(f'"{name}": {{\n{entries}\n}}{"," if name == "cases" else "}"}')
    return "\n".join(lines) + "\n"


def table(found: Conformance) -> str:
    """For a terminal."""
    heads = ("op", "element types", *(suite.name for suite in found.suites))
    rows = [heads, *((op, elements, *cells) for op, elements, cells in found.rows())]
    widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
    widths[1] = min(widths[1], 60)
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
    lines += ["", *(f"{suite.name}: {suite.about}, {suite.passed} of {suite.cases} pass" for suite in found.suites)]
    lines += [f"tested in other ways, without a case here: {', '.join(found.without())}"]
    return "\n".join(lines)


PAGE = """# Conformance

What each op was tested with, by element type: how many cases of which suite give the expected numbers. Written by
`python tests/conformance.py`, which runs all of them; `hlo2tiny ops --conformance` prints the same table.

{suites}

A case counts for the op that it is about, where there is one, else for each op of its program; and for each element
type that the op's operands and results have there, so that the types' numbers may add up to more than those of all. A
number alone says that all cases pass. {without}

| op | element types | {names} |
|---|---|{lines}
{rows}
"""


def page(found: Conformance) -> str:
    """For the documentation, in Markdown."""
    suites = "\n".join(f"- **{s.name}**: {s.about}; {s.passed:,} of {s.cases:,} pass." for s in found.suites)
    rows = "\n".join(f"| `{op}` | {elements} | {' | '.join(cells)} |" for op, elements, cells in found.rows())
    without = f"Tested in other ways, without a case here: {', '.join(f'`{op}`' for op in found.without())}."
    names = " | ".join(suite.name for suite in found.suites)
    return PAGE.format(suites=suites, without=without, names=names, lines="---:|" * len(found.suites), rows=rows)
