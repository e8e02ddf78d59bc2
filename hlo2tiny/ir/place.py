"""Where the memory of a command begins. It is separate from the commands, since stored programs need no plan."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """An argument, result, constant or local variable of this number, or this offset of the arena in bytes. A "carried"
    place is that of a loop's result, the value of this number: whichever of two buffers the last iteration wrote. In an
    argument or constant, a place may be some bytes after its beginning.
    """

    kind: str
    number: int
    offset: int = 0


def overlap(place: Place, size: int, other: Place, length: int) -> bool:
    """Whether some bytes of the arena are others, or both are parts of the same argument, result or constant."""
    if place.kind != other.kind:
        return False
    if place.kind != "arena":
        return place.number == other.number
    return place.number < other.number + length and other.number < place.number + size
