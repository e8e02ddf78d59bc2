"""How many cases of each test suite an op passes, by element type: `hlo2tiny ops --conformance`.

`tests/conformance.py` runs the suites and writes conformance.json, which is part of the package.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from importlib import resources

from ..records import dataclass
from ..verify.problems import support_table

FILE = "conformance.json"
ALL = "all"  # all element types of an op together; a case may have several


@dataclass(frozen=True)
class Suite:
    """A test suite: its short name, what it is, how many cases it has, and how many pass."""

    name: str
    about: str
    cases: int
    passed: int


@dataclass(frozen=True)
class Conformance:
    """The results of the suites: for each op and element type, how many cases each suite has, and how many failed.

    `targets` says for each target and suite how many cases pass, how many the target refuses, and how many there are.
    """

    suites: tuple[Suite, ...]
    cases: Mapping[str, Mapping[str, Sequence[int]]]
    failed: Mapping[str, Mapping[str, Sequence[int]]]
    targets: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)

    def rows(self) -> Iterator[tuple[str, str, list[str]]]:
        """The op, the element types that have the same numbers, and each suite's numbers as text."""
        for op, types in self.cases.items():
            groups: dict[tuple[str, ...], list[str]] = {}
            for element, counts in types.items():
                failed = self.failed.get(op, {}).get(element, [0] * len(counts))
                cells = tuple(cell(count, count - wrong) for count, wrong in zip(counts, failed))
                groups.setdefault(cells if element != ALL else (*cells, ALL), []).append(element)
            for key, elements in groups.items():
                yield op, ", ".join(elements), list(key[: len(self.suites)])

    def without(self) -> list[str]:
        """The ops of StableHLO and CHLO that run, but are in no suite."""
        ops = [name for name, state in support_table() if state == "yes" and name.startswith(("stablehlo.", "chlo."))]
        return [name for name in ops if name not in self.cases]


def cell(cases: int, passed: int) -> str:
    return "" if not cases else str(cases) if passed == cases else f"{passed} of {cases}"


def load() -> Conformance:
    """The conformance of this version, as stored in the package."""
    data = json.loads(resources.files("hlo2tiny").joinpath(FILE).read_text(encoding="utf-8"))
    suites = tuple(Suite(**suite) for suite in data["suites"])
    return Conformance(suites, data["cases"], data["failed"], data["targets"])


def table(conformance: Conformance) -> str:
    """The table for a terminal."""
    suites = conformance.suites
    heads = ("op", "element types", *(suite.name for suite in suites))
    rows = [heads, *((op, elements, *cells) for op, elements, cells in conformance.rows())]
    widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
    widths[1] = min(widths[1], 60)
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
    lines += ["", *(f"{suite.name}: {suite.about}, {suite.passed} of {suite.cases} pass" for suite in suites)]
    lines += [f"tested in other ways only: {', '.join(conformance.without())}"]
    return "\n".join(lines)
