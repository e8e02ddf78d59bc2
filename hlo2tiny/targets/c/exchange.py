"""Collectives in C: for each, tables of what processes copy from each other; `grid.c` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...plan.plan import Collective

STRUCT = """struct exchange {
  int step, parts;
  long bytes;
  const int *sources, *offsets, *meetings, *sizes;
};
"""


def function_of(step: Collective) -> str:
    """The library function that carries out a collective."""
    return "process_number" if step.name == "partition_id" else "exchange"


def teams_of(step: Collective) -> list[frozenset[int]]:
    """The processes that have to wait for each other."""
    teams: list[frozenset[int]] = []
    for group in map(frozenset, step.groups):
        near = [team for team in teams if team & group]
        teams = [team for team in teams if not team & group] + [group.union(*near)]
    return teams


class Exchanges:
    """The collectives of one driver.

    Attributes:
        steps: in the order of their numbers.
        meetings: the number of each group of processes that wait for each other.
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self.steps: list[Collective] = []
        self.meetings: dict[frozenset[int], int] = {}
        self._lines: list[str] = []

    def call(self, step: Collective, function: int, addresses: Sequence[str], size: int) -> str:
        """The call of a collective, whose library function has this number; the result has this many bytes."""
        *operands, result = addresses
        if function_of(step) == "process_number":
            return f"*(int *){result} = ((int (*)(void))k->library[{function}])();"
        number, people = len(self.steps), range(self.processes)
        self.steps.append(step)
        teams = teams_of(step)
        team_of = [next((team for team in teams if n in team and len(team) > 1), None) for n in people]
        parts = [step.sources(n) for n in people]
        tables = {
            "sources": [-1 if part is None else part[0] for row in parts for part in row],
            "offsets": [0 if part is None else part[1] for row in parts for part in row],
            "meetings": [-1 if t is None else self.meetings.setdefault(t, len(self.meetings)) for t in team_of],
            "sizes": [0 if t is None else len(t) for t in team_of],
        }
        for name, numbers in tables.items():
            self._lines.append(f"static const int {name}{number}[] = {{{write_numbers(numbers)}}};")
        count = len(parts[0])
        fields = [str(number), str(count), str(size // count), *(f"{name}{number}" for name in tables)]
        self._lines.append(f"static const struct exchange exchange{number} = {{{', '.join(fields)}}};")
        called = f"((int (*)(const struct exchange *, char *, char *))k->library[{function}])"
        return f"if ({called}(&exchange{number}, {operands[0]}, {result})) return 1;"

    def text(self) -> str:
        """The definitions that the calls need."""
        return "\n".join([STRUCT, *self._lines]) if self.steps else ""


def write_numbers(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
