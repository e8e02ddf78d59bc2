"""Kernels written as loops: the loops, registers and places of one kernel, and tensors that such a kernel writes.

In a kernel stand scalars - numbers, conditions, places - with Python's operators, and memory: `memory[place].load()`,
`memory[place].store(value)`. What happens after something else says so: `memory.after(store)`; in a loop, what depends
on its turn is `after` the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

from tinygrad import Tensor, dtypes
from tinygrad.dtype import AddrSpace, DType
from tinygrad.uop.ops import AxisType, KernelInfo, Ops, UOp

from .expressions import UNPLACED, is_constant

Shape = Sequence[int]
Scalar: TypeAlias = UOp
Memory: TypeAlias = UOp


def written_by(
    name: str,
    outputs: Sequence[tuple[Shape, DType]],
    inputs: Sequence[Tensor],
    build: Callable[..., Scalar],
    targets: Sequence[Tensor] = (),
) -> list[Tensor]:
    """What the kernel `build(*outputs, *inputs)`, flat memory all, writes; `build` gives its last store.

    The outputs are new buffers on the inputs' device, or those of `targets`.
    """
    device = next((x.uop.device for x in inputs if not is_constant(x)), UNPLACED)
    results = [x.reshape(-1) for x in targets]
    results = results or [Tensor.empty(prod(shape), dtype=dtype, device=device) for shape, dtype in outputs]
    numbers = {i: number for i, x in enumerate(inputs) if (number := repeated_number(x)) is not None}
    operands = [stored(x.reshape(-1), device) for i, x in enumerate(inputs) if i not in numbers]

    def function(*given: UOp) -> UOp:
        rest = iter(given[len(outputs) :])
        buffers = [*given[: len(outputs)], *(numbers[i] if i in numbers else next(rest) for i in range(len(inputs)))]
        # tinygrad's optimisations unroll and reorder loops that carry state.
        return build(*buffers).sink(arg=KernelInfo(name=name, opts_to_apply=()))

    written = results[0].custom_kernel(*results[1:], *operands, fxn=function)
    return [w.reshape(tuple(shape)) for w, (shape, _) in zip(written, outputs)]


def tensor_of(scalar: Scalar) -> Tensor:
    """A scalar of a kernel as a tensor of no dimensions, on which rules compute."""
    return Tensor(scalar)


def scalar_of(tensor: Tensor) -> Scalar:
    """The opposite of `tensor_of`."""
    return tensor.uop


def constant(number: float | int | bool, dtype: DType) -> Scalar:
    return UOp.const(number, dtype)


def together(*stores: Scalar) -> Scalar:
    """Several stores as one."""
    return UOp.group(*stores)


def stored(x: Tensor, device: str) -> Tensor:
    """A tensor that has, or will have, a buffer: a kernel's operand."""
    if 0 in x.shape:  # no loop reads it, and no device allocates it
        x = Tensor.full((1,), 0, dtype=x.dtype, buffer=False)
    return x.clone(device) if is_constant(x) else x.contiguous()


@dataclass(frozen=True)
class Repeated:
    """Stands for a buffer all of whose elements are one number, which is then in the kernel's code."""

    number: UOp

    def __getitem__(self, place: Any) -> Repeated:
        return self

    def after(self, *loops: UOp) -> Repeated:
        return self

    def load(self) -> UOp:
        return self.number


def repeated_number(x: Tensor) -> Repeated | None:
    """The number that a signed integer operand is everywhere; tinygrad folds others as if they were real numbers."""
    if x.dtype not in (dtypes.int32, dtypes.int64):
        return None
    uop = x.uop
    while uop.op in (Ops.RESHAPE, Ops.EXPAND):
        uop = uop.src[0]
    return Repeated(uop) if uop.op is Ops.CONST and 0 not in x.shape else None


class Loops:
    """Numbers the loops and registers of one kernel."""

    def __init__(self) -> None:
        self.count = 0
        self.registers = 0

    def range(self, size: int) -> UOp:
        self.count += 1
        return UOp.range(size, self.count - 1, AxisType.LOOP)

    def over(self, shape: Shape) -> list[UOp]:
        return [self.range(size) for size in shape]

    def register(self, dtype: DType) -> UOp:
        self.registers += 1
        return UOp.placeholder((1,), dtype, self.registers - 1, addrspace=AddrSpace.REG)

    def carry(self, dtypes: Sequence[DType], initial: Sequence[UOp], outer: Sequence[UOp]) -> list[UOp]:
        """Registers set to `initial` in each turn of the outer loops."""
        registers = [self.register(dtype) for dtype in dtypes]
        registers = [r.after(*outer) if outer else r for r in registers]
        return [r.after(r[0].store(value)) for r, value in zip(registers, initial)]

    def update(self, registers: Sequence[UOp], values: Sequence[UOp], inner: Sequence[UOp]) -> list[UOp]:
        """Stores that set all registers at once: new values are complete before any register changes."""
        if len(registers) == 1:
            return [registers[0][0].store(values[0])]
        fresh = [self.register(v.dtype).after(*inner) for v in values]
        ready = [f[0].store(v) for f, v in zip(fresh, values)]
        return [r[0].store(f.after(*ready)[0].load()) for r, f in zip(registers, fresh)]


def strides(shape: Shape) -> list[int]:
    result, step = [], 1
    for size in reversed(shape):
        result.append(step)
        step *= size
    return result[::-1]


def address(shape: Shape, index: Sequence[UOp | int]) -> UOp:
    total: Any = constant(0, dtypes.weakint)
    for i, step in zip(index, strides(shape)):
        total = total + i * step
    return total


def end(stores: Sequence[UOp], loops: Sequence[UOp]) -> UOp:
    result = UOp.group(*stores)
    for loop in reversed(loops):
        result = result.end(loop)
    return result


def all_of(conditions: Sequence[UOp]) -> UOp:
    result = constant(True, dtypes.bool)
    for condition in conditions:
        result = result & condition
    return result


def smaller(a: UOp, b: int) -> UOp:
    return (a < b).where(a, b)
