"""Kernels written as loops: the loops, registers and indices of a kernel, and tensors that such a kernel writes.

A kernel computes with scalars (numbers, conditions, indices) using Python's operators, and accesses memory by
`memory[index].load()` and `memory[index].store(value)`. The order of accesses is explicit: `memory.after(store)` is the
memory after that store, and in a loop, whatever depends on the iteration is `after` the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from math import prod
from typing import Any, TypeAlias

from tinygrad import Tensor, dtypes
from tinygrad.dtype import AddrSpace, DType
from tinygrad.uop.ops import AxisType, GroupOp, KernelInfo, Ops, UOp

from ..records import dataclass
from . import elements
from .expressions import UNPLACED, as_flat, is_constant
from .kernel import INDEPENDENT, constant_of
from .sizes import has_open_sizes, inside_kernel

LoopShape = Sequence[int]
Scalar: TypeAlias = UOp
Memory: TypeAlias = UOp


def written_by(
    name: str,
    outputs: Sequence[tuple[LoopShape, DType]],
    inputs: Sequence[Tensor],
    build: Callable[..., Scalar],
    targets: Sequence[Tensor] = (),
    computes: bool = False,
    once: Sequence[Tensor] = (),
    in_memory: bool = False,
) -> list[Tensor]:
    """The tensors that a kernel writes.

    Args:
        name: the kernel's name.
        outputs: the shapes and dtypes of the tensors.
        inputs: the tensors that the kernel reads.
        build: takes the memory of the outputs, then of the inputs, all flat, and returns the kernel's last store.
        targets: tensors to write into; if there are none, new buffers on the inputs' device are written.
        computes: whether the kernel computes inputs, instead of reading them, that depend only on indices, or are cheap
            arithmetic with the elements of others.
        once: those inputs of which the kernel reads each element once: it may compute them by more arithmetic.
        in_memory: whether all inputs have to be in memory, as a function gets their addresses.
    """
    device = next((x.uop.device for x in inputs if not is_constant(x)), UNPLACED)
    results = [x.reshape(-1) if is_static(x.shape) else Tensor(as_flat(x.uop)) for x in targets]
    results = results or [Tensor.empty(most_elements(shape), dtype=dtype, device=device) for shape, dtype in outputs]
    numbers = dict[int, Any]()
    if not in_memory:
        numbers = {i: number for i, x in enumerate(inputs) if (number := known_numbers(x)) is not None}
    if computes:
        numbers |= {i: found for i, x in enumerate(inputs) if i not in numbers and (found := computed(x)) is not None}
    bases = {
        i: some
        for i, x in enumerate(inputs)
        if computes and i not in numbers and (some := bases_of(x, any(x is y for y in once)))
    }
    # What is written in place changes while other elements are computed.
    changed = {buffer_of(x.uop): i for i, x in enumerate(targets)}
    read, below = list[Tensor](), dict[UOp, None]()

    def function(*buffers: UOp) -> UOp:
        stored_inputs = iter(buffers[len(outputs) :])
        memory = dict(zip(below, buffers[len(outputs) + len(read) :]))
        memory |= {base: buffers[i] for some in bases.values() for base in some if (i := target_of(base)) is not None}
        computing = {i: Computed(partial(computed_element, inputs[i].uop, memory)) for i in bases}
        known = numbers | computing
        sources = [known[i] if i in known else next(stored_inputs) for i in range(len(inputs))]
        # Without options, as tinygrad's optimisations would unroll and reorder loops that carry state.
        stores = inside_kernel(build(*buffers[: len(outputs)], *sources))
        return stores.sink(arg=KernelInfo(name=name, opts_to_apply=()))

    def target_of(base: UOp) -> int | None:
        return changed.get(buffer_of(base))

    def choose() -> list[Tensor]:
        read[:] = [x for i, x in enumerate(inputs) if i not in numbers and i not in bases]
        found = dict.fromkeys(base for some in bases.values() for base in some if target_of(base) is None)
        below.clear()
        below.update(found)
        return [*read, *map(Tensor, below)]

    if any(target_of(base) is not None for some in bases.values() for base in some):
        given = [*results, *choose()]
        memory = [UOp.placeholder((int(x.numel()),), x.dtype, slot) for slot, x in enumerate(given)]
        if not reads_what_it_writes(function(*memory), memory[: len(outputs)]):
            bases = {i: some for i, some in bases.items() if all(target_of(base) is None for base in some)}
    operands = [realize_input(x, device) for x in choose()]
    written = results[0].custom_kernel(*results[1:], *operands, fxn=function)
    return [used_part(w, shape).reshape(tuple(shape)) for w, (shape, _) in zip(written, outputs)]


def reads_what_it_writes(kernel: UOp, memory: Sequence[UOp]) -> bool:
    """Whether a kernel reads of some memory only the elements that it then writes."""
    accesses = [(u.op, u.src[0].buf_uop, u.src[0].src[1]) for u in kernel.toposort() if u.op in (Ops.LOAD, Ops.STORE)]
    places = {buffer: index.simplify() for op, buffer, index in accesses if op is Ops.STORE}
    return all(places[buffer] is index.simplify() for _, buffer, index in accesses if buffer in memory)


def as_place(number: Scalar) -> Scalar:
    """An integer as an index; tinygrad computes with numbers, but not with casts of them."""
    known = constant_of(number.simplify())
    return number.cast(dtypes.weakint) if known is None else constant(known, dtypes.weakint)


def tensor_of(scalar: Scalar) -> Tensor:
    """A scalar of a kernel as a tensor of rank 0, for rules to compute with."""
    return Tensor(scalar)


def scalar_of(tensor: Tensor) -> Scalar:
    """The inverse of `tensor_of`."""
    return tensor.uop


def constant(number: float | int | bool, dtype: DType) -> Scalar:
    return UOp.const(number, dtype)


def together(*stores: Scalar) -> Scalar:
    """Several stores as one."""
    return UOp.group(*stores)


def call_with_addresses(name: str, dtype: DType, elements: Sequence[Scalar], *numbers: int) -> Scalar:
    """What a C function returns, given the addresses of elements and numbers. It may access all of their memory."""
    arguments = [f"{{{i}}}" for i in range(len(elements))] + [*map(str, numbers)]
    return UOp(Ops.CUSTOM, dtype, tuple(elements), arg=f"{name}({', '.join(arguments)})")


def realize_input(x: Tensor, device: str) -> Tensor:
    """The tensor, flat, with a buffer behind it, so that a kernel can read it."""
    if not is_static(x.shape):
        base = as_flat(x.uop)
        if base.op in (Ops.PARAM, Ops.AFTER) and is_static(base.shape):
            return Tensor(base)
        whole = Tensor.empty(most_elements(x.shape), dtype=x.dtype, device=device)
        target = used_part(whole, x.shape).reshape(x.shape).uop
        return Tensor(whole.uop.after(target.store(x.uop)))
    x = x.reshape(-1)
    base = x.uop
    while base.op is Ops.RESHAPE:
        base = base.src[0]
    if base.op in (Ops.AFTER, Ops.CONTIGUOUS) and base.shape == x.shape:  # what another kernel writes
        return Tensor(base)
    if 0 in x.shape:  # no loop reads it, and no device can allocate it
        x = Tensor.full((1,), 0, dtype=x.dtype, buffer=False)
    return x.clone(device) if is_constant(x) else x.contiguous()


def read_elements(x: Tensor, index: Tensor) -> Tensor:
    """The elements of x, seen as flat, at indices in its bounds: an expression, computed where it is read.

    For tinygrad's scheduler x has no shape, as the barrier around it, so that it leaves its elements alone.
    """
    memory = realize_input(x, UNPLACED).uop
    while memory.op is Ops.RESHAPE:
        memory = memory.src[0]
    return Tensor(UOp(elements.READING, x.dtype, (index.uop, UOp(Ops.BARRIER, src=(memory,))), "read"))


def stored(x: Tensor) -> Tensor:
    """A tensor, of an open shape too, in memory that a kernel of its own writes unless it is there."""
    if 0 in x.shape:  # no memory holds it
        return x
    memory = realize_input(x, UNPLACED if is_constant(x) else str(x.uop.device))
    return used_part(memory, x.shape).reshape(x.shape)


def is_static(shape: Sequence[Any]) -> bool:
    return all(isinstance(size, int) for size in shape)


def most_elements(shape: Sequence[Any]) -> int:
    """The elements of a tensor, at most if its size is open."""
    size: Any = prod(shape)
    return size if isinstance(size, int) else int(size.vmax)


def used_part(x: Tensor, shape: Sequence[Any]) -> Tensor:
    """The elements that a tensor of this shape has of a buffer that has room for more."""
    return x if is_static(shape) else x.shrink(((0, prod(shape)),))


def with_room(memory: Memory, begin: Scalar, count: Any) -> Memory:
    """Memory of which a kernel writes `count` elements from `begin` on at indices that it computes.

    If sizes are open, it first writes the last one, so that it is seen how many there are.
    """
    last = begin + count - 1
    return memory.after(memory[last].store(0)) if has_open_sizes([*last.toposort()]) else memory


@dataclass(frozen=True)
class Computed:
    """Replaces a buffer whose elements are computed from their indices."""

    element: Callable[[UOp], UOp]
    index: UOp | None = None

    def __getitem__(self, index: UOp | int) -> Computed:
        return Computed(self.element, constant(index, dtypes.weakint) if isinstance(index, int) else index)

    def after(self, *loops: UOp) -> Computed:
        return self

    def load(self) -> UOp:
        assert self.index is not None
        return self.element(self.index)


FEW_NUMBERS = 8


def known_numbers(x: Tensor) -> Computed | None:
    """The number that all elements of a signed integer tensor are, or a few, which become part of the kernel's code.

    tinygrad would fold other dtypes as real numbers.
    """
    if x.dtype not in (dtypes.int32, dtypes.int64):
        return None
    uop = x.uop
    while uop.op in (Ops.RESHAPE, Ops.EXPAND):
        uop = uop.src[0]
    if uop.op is Ops.CONST and 0 not in x.shape:
        return Computed(lambda index: uop)
    few = is_constant(x) and is_static(x.shape) and 0 < prod(x.shape) <= FEW_NUMBERS
    few = few and elements.WRITTEN.issuperset(u.op for u in elements.nodes_of(x.uop))
    return Computed(lambda index: computed_element(x.uop, {}, index).simplify()) if few else None


# What costs less than reading an element.
SIMPLE = {Ops.ADD, Ops.MUL, Ops.XOR, Ops.AND, Ops.SHL, Ops.SHR, Ops.CAST}


def computed(x: Tensor) -> Computed | None:
    """A sequence 0, 1, 2, … of integers, and what simple arithmetic makes of it."""
    shape = [*x.shape]
    if not is_static(shape) or sum(size > 1 for size in shape) != 1:
        return None
    size, steps = max(shape), 0

    def element(uop: UOp, index: UOp) -> UOp | None:
        nonlocal steps
        steps += 1
        if uop.op is Ops.CONST:
            return uop
        if uop.dtype not in (dtypes.int32, dtypes.int64) or steps > 16:
            return None
        if uop.op in (Ops.RESHAPE, Ops.EXPAND):
            return element(uop.src[0], index) if prod(int(s) for s in uop.src[0].shape) in (1, size) else None
        if uop.shape == (size,) and uop is Tensor.arange(size, dtype=uop.dtype).uop:
            return index.cast(uop.dtype)
        if uop.op not in SIMPLE:
            return None
        parts = [element(part, index) for part in uop.src]
        return None if any(part is None for part in parts) else uop.replace(src=tuple(parts))

    found = element(x.uop, UOp.variable("index", 0, size - 1))
    if found is None:
        return None

    def compute(index: UOp) -> UOp:
        nonlocal steps
        steps = 0
        value = element(x.uop, index)
        assert value is not None
        return value

    return Computed(compute)


# Arithmetic with integers and conditions that costs less than a kernel of its own, and what else may compute elements
# that are read once.
CHEAP = SIMPLE | {Ops.OR, Ops.WHERE, Ops.CMPLT, Ops.CMPNE, Ops.CMPEQ, Ops.BITCAST}
ARITHMETIC = CHEAP | {Ops.CUSTOM, Ops.FDIV, Ops.MAX, Ops.NEG, Ops.RECIPROCAL, Ops.SQRT, Ops.SUB, Ops.TRUNC}
CHOOSING = ARITHMETIC | {Ops.STACK}
MOST_CHEAP, MOST_BASES = 32, 2
# The same for elements that are read once.
MOST_COMPUTED, MOST_READ = 512, 8


def bases_of(x: Tensor, once: bool = False) -> list[UOp]:
    """The buffers of which cheap arithmetic makes a tensor, element by element; none if there are no such buffers.

    For elements that are read `once` it may be arithmetic with floats, and with parts of buffers.
    """
    size, most = prod(x.shape) if is_static(x.shape) else 0, MOST_COMPUTED if once else MOST_CHEAP
    bases, seen, steps = dict[UOp, None](), set[UOp](), 0

    def is_simple(uop: UOp) -> bool:
        nonlocal steps
        if uop in seen:
            return True
        seen.add(uop)
        steps += uop.op in CHOOSING
        if steps > most or not is_static(uop.shape):
            return False
        if not once and not (dtypes.is_int(uop.dtype) or uop.dtype == dtypes.bool):
            return False
        if uop.op in (Ops.PARAM, Ops.AFTER) and (uop.shape == (size,) or (once and len(uop.shape) == 1)):
            bases[uop] = None
        elif uop.op in (Ops.RESHAPE, Ops.EXPAND) or (once and uop.op in elements.MOVING):
            return (once or prod(uop.src[0].shape) in (1, size)) and is_simple(uop.src[0])
        elif uop.op is not Ops.CONST:
            return uop.op in (CHOOSING if once else CHEAP) and all(map(is_simple, uop.src))
        return True

    found = size > 1 and is_simple(x.uop) and len(bases) <= (MOST_READ if once else MOST_BASES)
    return [*bases] if found and steps else []


def buffer_of(uop: UOp) -> UOp:
    """The memory that one kernel after the other has written."""
    while uop.op in (Ops.RESHAPE, Ops.AFTER):
        uop = uop.src[0]
    return uop


def computed_element(root: UOp, memory: Mapping[UOp, UOp], index: UOp) -> UOp:
    """The element at an index of a tensor that `bases_of` has found to be simple, given the memory of its bases."""

    @cache
    def element(node: UOp, place: elements.Indices) -> UOp:
        return memory[node][place[0]].load() if node in memory else elements.computed(node, place, element)

    return element(root.reshape((prod(root.shape),)), (index,))


def without_repetition(x: Tensor) -> Tensor:
    """The tensor with one element along each dimension whose elements are all the same, as far as that is known."""
    known: dict[UOp, UOp] = {}
    for uop in x.uop.toposort(gate=may_repeat):
        known[uop] = without_repetition_of(uop, known)
    return Tensor(known.get(x.uop, x.uop))


def largest_operand(x: Tensor) -> tuple[int, ...]:
    """The shape of the largest tensor that a tensor is computed from, element by element: 1 where it is repeated."""
    seen, waiting, shapes = set[UOp](), [x.uop], list[tuple[int, ...]]([()])
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.op in GroupOp.Elementwise:
            waiting += node.src
        elif is_static(node.shape):
            inner = node.src[0] if node.op is Ops.PERMUTE else node
            shape = tuple(map(int, (inner.src[0] if inner.op is Ops.EXPAND else inner).shape))
            shape = (1,) * (len(node.shape) - len(shape)) + shape
            shapes.append(tuple(shape[d] for d in node.arg) if inner is not node else shape)
    return max(shapes, key=prod)


def repeats(x: Tensor, number: float) -> bool:
    """Whether all elements of a tensor are known to be a number, which for zeros means the sign, too."""
    each = without_repetition(x)
    return each.numel() == 1 and each.reshape(()).uop is constant(number, x.dtype)


def may_repeat(uop: UOp) -> bool:
    """Whether a tensor may have the same elements along a dimension: not if it has none."""
    return uop.op in REPEATING and bool(uop.shape) and is_static(uop.shape) and 0 not in uop.shape


SPREADING = {Ops.PERMUTE, Ops.EXPAND, Ops.RESHAPE}
REPEATING = SPREADING | GroupOp.Elementwise


def without_repetition_of(uop: UOp, known: Mapping[UOp, UOp]) -> UOp:
    shape, first = [int(size) for size in uop.shape], uop
    if uop.op in GroupOp.Elementwise:
        parts = [known.get(s, s) for s in uop.src]
        aligned = ([1] * (len(shape) - len(part.shape)) + [int(size) for size in part.shape] for part in parts)
        least = [max(sizes) for sizes in zip(*aligned)]
        if least == shape:
            return uop
        return uop.replace(src=tuple(Tensor(part).expand(least).uop if part.shape else part for part in parts))
    found: list[int | None] = [*range(len(shape))]  # for each dimension of the first one, that of the operand
    while uop.op in SPREADING:
        sizes = [int(size) for size in uop.src[0].shape]
        if uop.op is Ops.PERMUTE:
            found = [None if d is None else uop.arg[d] for d in found]
        elif uop.op is Ops.EXPAND:
            added = len(uop.shape) - len(sizes)
            found = [None if d is None or d < added else d - added for d in found]
        else:
            old, new = ([d for d, size in enumerate(some) if size != 1] for some in (uop.shape, sizes))
            if [uop.shape[d] for d in old] != [sizes[d] for d in new]:
                break
            moved = dict(zip(old, new))
            found = [None if d is None else moved.get(d) for d in found]
        uop = uop.src[0]
    inner = known.get(uop, uop)
    kept = [d for d in found if d is not None]
    others = [d for d in range(len(uop.shape)) if d not in kept]
    sizes = [1 if d is None else int(inner.shape[d]) for d in found]
    if sizes == shape or any(uop.shape[d] != 1 for d in others):
        return first
    return Tensor(inner).permute((*kept, *others)).reshape(sizes).uop


class Loops:
    """Numbers the loops and registers of one kernel."""

    def __init__(self) -> None:
        self.count = 0
        self.registers = 0

    def range(self, size: int, independent: bool = False) -> UOp:
        """A loop; `independent` asserts that no iteration accesses what another writes, if indices do not prove it."""
        self.count += 1
        return UOp.range(size, self.count - 1 + INDEPENDENT * independent, AxisType.LOOP)

    def over(self, shape: LoopShape) -> list[UOp]:
        return [self.range(size) for size in shape]

    def grid(self, size: int) -> UOp:
        """The number of the group of threads that computes; groups run in any order."""
        self.count += 1
        return UOp.range(size, self.count - 1, AxisType.GLOBAL)

    def lane(self, size: int) -> UOp:
        """The number of a thread in its group."""
        self.count += 1
        return UOp.range(size, self.count - 1, AxisType.LOCAL)

    def shared(self, size: int, dtype: DType) -> UOp:
        """Memory that the threads of a group share; reads `after` stores outside of loops wait for all threads."""
        self.registers += 1
        return UOp.placeholder((size,), dtype, self.registers - 1, addrspace=AddrSpace.LOCAL)

    def register(self, dtype: DType) -> UOp:
        return self.registers_of(1, dtype)

    def registers_of(self, count: int, dtype: DType) -> UOp:
        self.registers += 1
        return UOp.placeholder((count,), dtype, self.registers - 1, addrspace=AddrSpace.REG)

    def carry(self, dtypes: Sequence[DType], initial: Sequence[UOp], outer: Sequence[UOp]) -> list[UOp]:
        """Registers that are set to `initial` in each iteration of the outer loops."""
        registers = [self.register(dtype) for dtype in dtypes]
        registers = [r.after(*outer) if outer else r for r in registers]
        return [r.after(r[0].store(value)) for r, value in zip(registers, initial)]

    def update(self, registers: Sequence[UOp], values: Sequence[UOp], inner: Sequence[UOp]) -> list[UOp]:
        """Stores that set all registers at once: no register changes before all new values are computed."""
        if len(registers) == 1:
            return [registers[0][0].store(values[0])]
        fresh = [self.register(v.dtype).after(*inner) for v in values]
        ready = [f[0].store(v) for f, v in zip(fresh, values)]
        return [r[0].store(f.after(*ready)[0].load()) for r, f in zip(registers, fresh)]


def strides(shape: LoopShape) -> list[int]:
    return [prod(shape[d + 1 :]) for d in range(len(shape))]


def address(shape: LoopShape, index: Sequence[UOp | int]) -> UOp:
    """The index of a tensor's element in flat memory."""
    total: Any = constant(0, dtypes.weakint)
    for i, step in zip(index, strides(shape)):
        total = total + i * step
    return total


def end(stores: Sequence[UOp], loops: Sequence[UOp]) -> UOp:
    """End the loops, outermost first in the list, after the stores."""
    result = UOp.group(*stores)
    for loop in reversed(loops):
        result = result.end(loop)
    return result


def all_of(conditions: Sequence[UOp]) -> UOp:
    result = constant(True, dtypes.bool)
    for condition in conditions:
        result = result & condition
    return result


def wait(store: Scalar) -> Scalar:
    """After a store, or the end of a loop, the threads of a group wait for each other."""
    return store.barrier()


def smaller(a: UOp, b: int) -> UOp:
    return (a < b).where(a, b)
