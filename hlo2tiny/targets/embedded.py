"""Kernels for NVIDIA GPUs that a file contains as PTX or machine code: Triton's, and those of XLA's own custom call.

jax_triton writes a message of protocol buffers, compressed, whose fields jaxlib's triton.proto numbers.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import prod
from typing import Any, NoReturn

import numpy as np

from ..errors import InputError, UnsupportedOp
from ..ir import Attribute, Op, StringAttr, Type, error_at
from ..ir.dtypes import byte_size
from ..records import dataclass

# Their names in a file, and XLA's name of the devices that run them.
TRITON, PTX = ("triton_kernel_call", "triton_kernel_call_ffi"), "__gpu$xla.gpu.ptx"
TARGETS, PLATFORM = (*TRITON, PTX), "CUDA"
WARP = 32
# A message may be at most this large, so that a small file does not take all memory.
MOST_BYTES = 256 << 20
# What every GPU allows: the blocks of a grid along each dimension, those of a cluster, and the threads of a block.
MOST_BLOCKS, MOST_CLUSTER, MOST_THREADS = (2**31 - 1, 65535, 65535), 16, 1024
# The scalars of a call, by the numbers of their fields; a buffer is field 1.
SCALARS = {2: "bool", 3: "i32", 4: "u32", 5: "i64", 6: "u64", 7: "f32", 8: "f64"}
BUFFER = "buffer"
REALS = {"f32": (np.uint32, np.float32), "f64": (np.uint64, np.float64)}
PTX_CURE = "export it with jax_triton.triton_call, which compiles it to PTX, or with platforms=['cpu']"


class Embedded:
    """Stands for the function of a custom call whose kernel is in the file."""

    def __call__(self, *arrays: Any) -> NoReturn:
        raise UnsupportedOp("a kernel that the file contains is launched by native code only, and none could be built")


@dataclass(frozen=True)
class EmbeddedKernel:
    """A kernel and its launch.

    Attributes:
        name: the name of the function in the code.
        code: PTX or a cubin, a character for each byte.
        cluster: how many blocks of a dimension are a cluster.
        shared, scratch: the bytes of shared memory of a block, and of working memory of all.
        parameters: scalars, and for "buffer" the number of an operand, or of a result after the operands.
        zeroed: buffers of which so many bytes are 0 when the kernel begins.
    """

    name: str
    code: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: int
    shared: int
    scratch: int
    parameters: tuple[tuple[str, int | float], ...]
    zeroed: tuple[tuple[int, int], ...] = ()

    flops = 0

    def __str__(self) -> str:
        return f"kernel {self.name} of the file"


def kernels_of(op: Op) -> list[EmbeddedKernel]:
    """The kernels of a custom call, of which any computes the same.

    Raises:
        UnsupportedOp: it has none, or one that hlo2tiny does not launch.
        InputError: it is damaged.
    """
    # These take long to import, and a program that has been stored does not need them.
    from ..ops.attributes import plain
    from .handlers import configuration, expect_buffers, result_types

    expect_buffers(op)
    name, types = plain(op.attributes.get("call_target_name")), [*(v.type for v in op.operands), *result_types(op)]
    try:
        if name == PTX:
            items = {name: plain(attribute) for name, attribute in configuration(op).items()}
            found = [of_configuration(items, len(op.operands), len(types) - len(op.operands))]
        else:
            found = [*of_triton(message_of(configuration(op).get("opaque", op.attributes.get("backend_config"))))]
        if not found:
            raise ValueError("it has no kernel")
        for kernel in found:
            expect_launch(kernel, types)
    except UnsupportedOp as error:
        raise error_at(op, f"custom call {name!r} {error.message}", UnsupportedOp) from error
    except (ValueError, ArithmeticError, zlib.error) as error:
        raise error_at(op, f"custom call {name!r} is damaged: {error}", InputError) from error
    except KeyError as error:
        raise error_at(op, f"custom call {name!r} lacks the attribute {error}", InputError) from error
    return found


def expect_launch(kernel: EmbeddedKernel, types: Sequence[Type]) -> None:
    """Check a kernel against the types of the call's operands and results."""
    if any(kind == BUFFER and value >= len(types) for kind, value in kernel.parameters):
        raise ValueError(f"kernel {kernel.name!r} takes more buffers than the {len(types)} of the call")
    for n, size in kernel.zeroed:
        if size > byte_size(types[n]):
            raise ValueError(f"kernel {kernel.name!r} clears {size} bytes of buffer {n}, which is {types[n]}")
    sizes_fit = all(1 <= n <= most for n, most in zip(kernel.grid, MOST_BLOCKS)) and min(kernel.block) >= 1
    if not sizes_fit or prod(kernel.block) > MOST_THREADS or not 1 <= kernel.cluster <= MOST_CLUSTER:
        raise ValueError(
            f"kernel {kernel.name!r} has a grid of {kernel.grid} and blocks of {kernel.block}, which no GPU runs"
        )
    if not 0 <= kernel.shared < 1 << 31:
        raise ValueError(f"kernel {kernel.name!r} has {kernel.shared} bytes of shared memory")


# ---------------------------------------------------------------- XLA's own custom call


def of_configuration(c: Mapping[str, Any], operands: int, results: int) -> EmbeddedKernel:
    """The kernel of a call with the attributes of `jax.experimental`'s kernel calls."""
    code = c["kernel_data"] if "kernel_data" in c else c["source"]
    if (kind := c.get("kernel_type", "ptx")) not in ("ptx", "cubin"):
        raise UnsupportedOp(f"has a kernel of the type {kind!r}, expected ptx or cubin")
    grid, block = (tuple(int(c[f"{name}_{axis}"]) for axis in "xyz") for name in ("grid", "block"))
    places = [int(n) for n in c.get("output_indices") or ()] or [*range(operands, operands + results)]
    if len(places) != results or len({*places} & {*range(operands + results)}) != results:
        raise ValueError(f"output_indices is {places} for {operands} operands and {results} results")
    given, made = iter(range(operands)), dict(zip(places, range(operands, operands + results)))
    buffers = [made[n] if n in made else next(given) for n in range(operands + results)]
    return EmbeddedKernel(
        str(c["name"]), characters(str(code).encode("utf-8", "surrogateescape")), grid, block, 1,  # type: ignore[arg-type]
        int(c["shared_mem_bytes"]), 0, tuple((BUFFER, n) for n in buffers),
    )  # fmt: skip


# ---------------------------------------------------------------- jax_triton's messages


def message_of(opaque: Attribute | None) -> Message:
    """The message in a custom call, which the interface before version 4 passes as its whole configuration."""
    if not isinstance(opaque, StringAttr):
        raise ValueError("it has no text 'opaque'")
    stream = zlib.decompressobj()
    message = stream.decompress(opaque.value.encode("utf-8", "surrogateescape"), MOST_BYTES)
    if not stream.eof:
        raise ValueError("its compressed message does not end, or is too large")
    return Message(message)


FieldValue = int | bytes


class Message:
    """The fields of a message by number: of each the values in order, numbers of any width as bits."""

    def __init__(self, data: bytes) -> None:
        at = 0
        self.fields: dict[int, list[FieldValue]] = {}
        while at < len(data):
            tag, at = number_at(data, at)
            values, kind = self.fields.setdefault(tag >> 3, []), tag & 7
            if kind == 0:
                value, at = number_at(data, at)
                values.append(value)
                continue
            size = {1: 8, 5: 4}.get(kind, len(data))
            if kind == 2:
                size, at = number_at(data, at)
            part, at = data[at : at + size], at + size
            if at > len(data):
                raise ValueError("its message has a field that does not fit into it")
            values.append(part if kind == 2 else int.from_bytes(part, "little"))

    def number(self, field: int, otherwise: int = 0) -> int:
        value = self.fields.get(field, [otherwise])[-1]
        if isinstance(value, bytes):
            raise ValueError(f"field {field} of its message is not a number")
        return value

    def numbers(self, field: int) -> list[int]:
        """Those of a repeated field: one in each, or several in one."""
        found = list[int]()
        for value in self.fields.get(field, []):
            at, data = 0, value if isinstance(value, bytes) else b""
            found += [value] if isinstance(value, int) else []
            while at < len(data):
                read, at = number_at(data, at)
                found.append(read)
        return found

    def parts(self, field: int) -> list[bytes]:
        values = self.fields.get(field, [])
        if not all(isinstance(value, bytes) for value in values):
            raise ValueError(f"field {field} of its message is a number")
        return values  # type: ignore[return-value]

    def text(self, field: int) -> bytes:
        return (self.parts(field) or [b""])[-1]

    def inner(self, field: int) -> Message:
        return Message(self.text(field))


def number_at(data: bytes, at: int) -> tuple[int, int]:
    """The number at an offset, and where it ends."""
    result = 0
    for shift, byte in zip(range(0, 70, 7), data[at : at + 10]):
        result, at = result | (byte & 0x7F) << shift, at + 1
        if byte < 0x80:
            return result & (1 << 64) - 1, at
    raise ValueError("a number of its message does not end")


def of_triton(message: Message) -> Iterator[EmbeddedKernel]:
    """The kernels of a call: one, or those among which it chooses the fastest."""
    if 1 in message.fields:
        yield triton_kernel(message.inner(1))
    for config in message.inner(2).parts(2):
        yield triton_kernel(Message(config).inner(1))


def triton_kernel(call: Message) -> EmbeddedKernel:
    kernel = call.inner(1)
    name = kernel.text(1).decode()
    # Machine code, if the kernel was compiled ahead of time; else PTX.
    code = kernel.inner(11).text(1) or kernel.text(4)
    if not code:
        raise UnsupportedOp(
            f"is the kernel {name!r} in Triton's IR, which only Triton's compiler turns into code; {PTX_CURE}"
        )
    clusters, grid = kernel.number(10, 1), [call.number(n) for n in (2, 3, 4)]
    parameters, zeroed, buffers = list[tuple[str, int | float]](), list[tuple[int, int]](), count()
    for kind, value in map(parameter_of, map(Message, call.parts(5))):
        if kind == BUFFER:
            cleared, value = int(value), next(buffers)
            zeroed += [(value, cleared)] * (cleared > 0)
        parameters.append((kind, value))
    return EmbeddedKernel(
        name, characters(code), (grid[0] * clusters, grid[1], grid[2]), (WARP * kernel.number(2), 1, 1), clusters,
        kernel.number(3), kernel.number(12) * prod(grid) * clusters, tuple(parameters), tuple(zeroed),
    )  # fmt: skip


def parameter_of(message: Message) -> tuple[str, int | float]:
    """A scalar and its type, or of a buffer how many bytes are cleared."""
    for field in message.fields:
        if field == 1:
            return BUFFER, message.inner(field).number(1)
        if field in SCALARS:
            kind, value = SCALARS[field], message.number(field)
            if kind in REALS:
                return kind, float(np.array(value, REALS[kind][0]).view(REALS[kind][1]))
            return kind, value
    raise UnsupportedOp(
        "has a parameter that is neither an array nor a number, such as a descriptor for TMA; export the kernel without"
        " it"
    )


def characters(code: bytes) -> str:
    """Bytes as text that JSON can hold."""
    return code.decode("latin-1")
