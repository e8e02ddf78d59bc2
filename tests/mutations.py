"""Bytes that are nearly a file."""

from __future__ import annotations

import numpy as np

# Numbers that lie at the edges of encodings: of one byte, of all, of sizes and signs.
ODD = [
    b"\0",
    b"\1",
    b"\x7f",
    b"\x80",
    b"\xff",
    b"\0" + b"\xff" * 8,
    b"\0" + (1 << 60).to_bytes(8, "little"),
    b"\xff" * 4,
    b"\x7f\xff\xff\xff",
    (1 << 31).to_bytes(4, "little"),
    (1 << 62).to_bytes(8, "little"),
]


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """A file with one to four small changes: bytes changed, removed, repeated, moved, or those of special numbers."""
    found = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        if not found:
            return bytes(found)
        at = int(rng.integers(len(found)))
        size = int(min(2 ** rng.integers(0, 8), len(found) - at))
        match int(rng.integers(8)):
            case 0:
                found[at] ^= 1 << int(rng.integers(8))
            case 1:
                found[at] = int(rng.integers(256))
            case 2:
                found[at] = (found[at] + int(rng.choice([-2, -1, 1, 2]))) % 256
            case 3:
                odd = ODD[int(rng.integers(len(ODD)))]
                found[at : at + len(odd)] = odd
            case 4:
                found[at:at] = ODD[int(rng.integers(len(ODD)))]
            case 5:
                del found[at : at + size]
            case 6:
                other = int(rng.integers(len(found)))
                found[other:other] = found[at : at + size]
            case 7:
                if rng.integers(4) == 0:
                    del found[at:]
                else:
                    other = int(rng.integers(len(found)))
                    piece = found[at : at + size]
                    found[other : other + len(piece)] = piece
    return bytes(found)
