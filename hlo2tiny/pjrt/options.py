"""What a client asks for in a compilation: the few fields of XLA's CompileOptionsProto that matter here."""

from __future__ import annotations

from ..errors import InputError
from ..records import dataclass
from ..targets.embedded import Message

# The numbers of fields: in CompileOptionsProto, in its ExecutableBuildOptionsProto, in its DeviceAssignmentProto, and
# in an option that is named.
BUILD, OVERRIDES = 3, 7
REPLICAS, PARTITIONS, ASSIGNMENT = 4, 5, 9
COMPUTATION = 3
DEVICES = 1
NAME = 1


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
    try:
        options = Message(message)
        names = [Message(option).text(NAME).decode("utf-8", "replace") for option in options.parts(OVERRIDES)]
        build = options.inner(BUILD)
        computations = [Message(part) for part in build.inner(ASSIGNMENT).parts(COMPUTATION)]
        columns = [each.numbers(DEVICES) for each in computations]
        replicas, partitions = (build.number(n) or 1 for n in (REPLICAS, PARTITIONS))
    except ValueError as error:
        raise InputError("the compile options are not a CompileOptionsProto") from error
    if unknown := [name for name in names if not name.startswith("xla_")]:
        raise InputError(f"No such compile option: {unknown[0]!r}. XLA's, which begin with xla_, have no effect here")
    devices = tuple(device for row in zip(*columns) for device in row)
    if devices and len(devices) != replicas * partitions:
        raise InputError(f"{len(devices)} devices are assigned to {replicas} replicas of {partitions} partitions")
    return CompileOptions(replicas, partitions, devices)
