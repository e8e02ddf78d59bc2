"""What a client asks for in a compilation: the few fields of XLA's CompileOptionsProto that matter here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import InputError
from ..records import dataclass

FieldValue = int | bytes

# The numbers of fields: in CompileOptionsProto, in its ExecutableBuildOptionsProto, in its DeviceAssignmentProto, and
# in an option that is named.
BUILD, OVERRIDES = 3, 7
REPLICAS, PARTITIONS, ASSIGNMENT = 4, 5, 9
COMPUTATION = 3
DEVICES = 1
NAME = 1
# How a field's value is written, and the bytes of those of fixed size.
VARINT, BYTES, FIXED = 0, 2, {1: 8, 5: 4}


@dataclass(frozen=True)
class CompileOptions:
    """How often a program runs at the same time, and the numbers of its devices; (): the client does not say.

    All partitions of a replica follow each other.
    """

    replicas: int = 1
    partitions: int = 1
    devices: tuple[int, ...] = ()


def read_options(message: bytes) -> CompileOptions:
    """Read a serialized CompileOptionsProto.

    Raises:
        InputError: it is damaged, or names an option that is not one of XLA's, which have no effect here.
    """
    for n, option in fields(message):
        if n == OVERRIDES:
            name = part(fields_by_number(part(option)).get(NAME)).decode("utf-8", "replace")
            if not name.startswith("xla_"):
                raise InputError(f"No such compile option: {name!r}. XLA's, which begin with xla_, have no effect here")
    build = fields_by_number(part(fields_by_number(message).get(BUILD)))
    assignment = part(build.get(ASSIGNMENT))
    computations = [part(value) for n, value in fields(assignment) if n == COMPUTATION]
    columns = [list(numbers(value for n, value in fields(c) if n == DEVICES)) for c in computations]
    devices = tuple(device for row in zip(*columns) for device in row)
    replicas, partitions = number(build.get(REPLICAS)), number(build.get(PARTITIONS))
    if devices and len(devices) != replicas * partitions:
        raise InputError(f"{len(devices)} devices are assigned to {replicas} replicas of {partitions} partitions")
    return CompileOptions(replicas, partitions, devices)


def numbers(values: Iterable[FieldValue]) -> Iterator[int]:
    """The numbers of a repeated field: one in each, or several in one."""
    for value in values:
        if isinstance(value, int):
            yield value
            continue
        at = 0
        while at < len(value):
            read, at = varint(value, at)
            yield read


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
    """The number at an offset, and where it ends."""
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
    return InputError("the compile options are not a CompileOptionsProto")
