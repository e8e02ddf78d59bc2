"""Where the memory of a command begins. It stands apart from the commands, as stored programs need no plan."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """An argument, result, constant or local variable of this number, or this offset in bytes of the arena.

    A "carried" place is that of a loop's result, the value of this number: whichever of two the last iteration wrote.
    """

    kind: str
    number: int
