"""What a client asks of a compilation: the few fields of XLA's CompileOptionsProto that matter here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import InputError

FieldValue = int | bytes

# The numbers of fields: in CompileOptionsProto, in its ExecutableBuildOptionsProto, and in its DeviceAssignmentProto.
BUILD = 3
REPLICAS, PARTITIONS, ASSIGNMENT = 4, 5, 9
COMPUTATION = 3
DEVICES = 1
# How a field's value is written; those of fixed size have so many bytes.
VARINT, BYTES, FIXED = 0, 2, {1: 8, 5: 4}


@dataclass(frozen=True)
class Options:
    """How often a program runs at the same time, and the number of its first device; -1: the client does not say."""

    replicas: int = 1
    partitions: int = 1
    device: int = -1


def read_options(message: bytes) -> Options:
    """Read a serialized CompileOptionsProto.

    Raises:
        InputError: it is damaged.
    """
    build = fields_by_number(part(fields_by_number(message).get(BUILD)))
    computations = fields_by_number(part(build.get(ASSIGNMENT))).get(COMPUTATION)
    devices = fields_by_number(part(computations)).get(DEVICES, -1)
    if isinstance(devices, bytes):  # several numbers in one field
        devices = varint(devices, 0)[0] if devices else -1
    return Options(number(build.get(REPLICAS)), number(build.get(PARTITIONS)), devices)


def fields_by_number(message: bytes) -> dict[int, FieldValue]:
    """The first field of each number."""
    found: dict[int, FieldValue] = {}
    for n, value in fields(message):
        found.setdefault(n, value)
    return found


def part(value: FieldValue | None) -> bytes:
    if isinstance(value, int):
        raise damaged()
    return value or b""


def number(value: FieldValue | None) -> int:
    """How many; a field that is missing, or 0, means one."""
    if isinstance(value, bytes):
        raise damaged()
    return value or 1


def fields(message: bytes) -> Iterator[tuple[int, FieldValue]]:
    """The numbers and values of a message's fields; those of fixed size are left out."""
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        if key & 7 == VARINT:
            value, at = varint(message, at)
            yield key >> 3, value
        elif key & 7 == BYTES:
            size, at = varint(message, at)
            if at + size > len(message):
                raise damaged()
            yield key >> 3, message[at : at + size]
            at += size
        elif key & 7 in FIXED:
            at += FIXED[key & 7]
        else:
            raise damaged()


def varint(message: bytes, at: int) -> tuple[int, int]:
    """The number at a place, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            break
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise damaged()


def damaged() -> InputError:
    return InputError("the compile options are no CompileOptionsProto")
