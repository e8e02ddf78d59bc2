"""A region of a plan as kernels: its ops are lowered by their rules to one graph of expressions, which is scheduled."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from math import prod
from typing import Any

from tinygrad import Tensor, helpers
from tinygrad.helpers import Context
from tinygrad.schedule import create_schedule
from tinygrad.schedule.rangeify import get_kernel_graph
from tinygrad.uop.ops import Ops, UOp, graph_rewrite
from tinygrad.uop.weak import pm_commit_weak

from ..ir import ComplexType, TensorType, Type, Value
from ..ir.dtypes import as_tensor
from ..ops import Cost, Trait, cost_of, has
from ..rules import lower, values
from ..rules.values import Complex
from ..tinygrad.buffers import buffer_layout
from ..tinygrad.device import building, default_device, supports_float64
from ..tinygrad.schedule import Schedule, as_flat, is_computed
from .plan import Kernels


@contextlib.contextmanager
def lowering(device: str, calls_c: bool = False) -> Iterator[None]:
    """Where rules may be applied: one thread at a time, knowing the device and whether its kernels may call C."""
    # Graphs are many small objects, which the garbage collector would look through again and again.
    with building, default_device(device), helpers.disable_gc():
        wide = values.wide.set(supports_float64(device))
        place = values.device.set(device)
        calls = values.calls_c.set(calls_c)
        try:
            yield
        finally:
            values.wide.reset(wide)
            values.device.reset(place)
            values.calls_c.reset(calls)


def scheduled(step: Kernels, device: str) -> Schedule:
    parameters = {}
    for slot, value in enumerate(step.parameters):
        shape, dtype = buffer_layout(value.type)
        if 0 in shape:
            tensor = values.repeated(0, shape, dtype)
        else:
            tensor = Tensor(UOp.param(slot, dtype, (prod(shape),), device)).reshape(shape)
        parameters[value] = from_buffer_form(tensor, value.type)
    results = dict(parameters)
    slots = {value: len(step.parameters) + number for number, value in enumerate(step.results)}
    stores: dict[Value, UOp | None] = {}
    own: dict[UOp, UOp] = {}  # by the buffer that a kernel of rules/loops.py makes, the result that it writes instead
    apart = summed_and_read(step) | read_in_many_places(step)
    for op in step.ops:
        with updating(step):
            lower((op,), results)
        for value in op.results:
            if value in slots:
                before = results[value]
                stores[value], results[value] = stored(before, value.type, slots[value], device, step.updates, own)
                if value in apart and results[value] is before:
                    results[value] = on_its_own(before)
            elif value in apart:
                results[value] = on_its_own(results[value])
    for value in step.results:
        if value not in stores:
            stores[value], _ = stored(results[value], value.type, slots[value], device, step.updates, own)
    outputs = tuple((prod(shape), dtype) for shape, dtype in (buffer_layout(v.type) for v in step.results))
    sinks = [store for store in stores.values() if store is not None]
    if not sinks:
        return Schedule(UOp(Ops.LINEAR), outputs, len(step.parameters))
    # tinygrad leaves Python's numbers without a dtype, and loses it where it folds operations on them.
    graph = graph_rewrite(UOp.sink(*sinks).substitute(own), pm_commit_weak)
    # Splitting a reduction in two would hide the indexed loads that a one-hot sum stands for; ordering the operands of
    # sums by their whole trees takes time that grows with the square of a chain's length.
    with Context(SPLIT_REDUCEOP=0, TUPLE_ORDER=0):
        linear = create_schedule(get_kernel_graph(graph))
    return Schedule(linear, outputs, len(step.parameters))


def summed_and_read(step: Kernels) -> set[Value]:
    """Values, as softmax's exponentials, that a reduction's kernel and another one would both compute."""
    readers: dict[Value, set[bool]] = {}
    for op in step.ops:
        for value in op.operands:
            readers.setdefault(value, set()).add(has(op, Trait.REDUCTION))
    costly = [op for op in step.ops if has(op, Trait.ELEMENTWISE) and cost_of(op) >= Cost.FUNCTION]
    return {v for op in costly for v in op.results if readers.get(v) == {True, False}}


# In how many ways the elements of a value may be looked up in one kernel. Expressions for places grow with each op that
# moves elements, and double where a roll or a stencil reads a value twice; no real program comes near.
MOST_LOOKUPS = 256


def read_in_many_places(step: Kernels) -> set[Value]:
    """Values that later ops look up in more ways than one kernel should: they get a kernel of their own."""
    along: dict[Value, int] = {}  # by the readers that take element by element, which share what they look up
    elsewhere: dict[Value, int] = {}  # by those that move elements, each of which looks them up in its own way
    apart: set[Value] = set()
    for op in reversed(step.ops):
        lookups = max([1, *(along.get(v, 0) + elsewhere.get(v, 0) for v in op.results)])
        if lookups > MOST_LOOKUPS and op.operands:
            apart.update(op.results)
            lookups = 1
        for value in op.operands:
            if not has(op, Trait.ELEMENTWISE) or any(shape_of(value) != shape_of(result) for result in op.results):
                elsewhere[value] = elsewhere.get(value, 0) + lookups + 1
            else:
                along[value] = max(along.get(value, 0), lookups)
    return apart


def shape_of(value: Value) -> object:
    type = as_tensor(value.type)
    return type.shape if isinstance(type, TensorType) else None


def on_its_own(value: Any) -> Any:
    """A value that a kernel of its own computes."""
    return value.each(Tensor.contiguous) if isinstance(value, Complex) else value.contiguous()


@contextlib.contextmanager
def updating(step: Kernels) -> Iterator[None]:
    """Where rules write into operands, if that is what the step does."""
    before = values.in_place.set(step.updates > 0)
    try:
        yield
    finally:
        values.in_place.reset(before)


def stored(value: Any, type: Type, slot: int, device: str, updates: int, own: dict[UOp, UOp]) -> tuple[UOp | None, Any]:
    """The store of a region's result, and the value as later ops read it: from there, unless it costs nothing anew."""
    tensor = to_buffer_form(value)
    size = prod(tensor.shape)
    if not size:
        return None, value
    target = UOp.param(slot, tensor.dtype, (int(size),), device)
    source = as_flat(tensor.uop)
    made = as_flat(source.src[0]) if source.op is Ops.AFTER else None
    if made is not None and made.op is Ops.PARAM and int(made.arg.slot) < updates:  # written where the operand is
        return source, value
    if made is not None and made.op is Ops.BUFFER and made not in own and int(made.max_numel()) == size:
        own[made] = target
        return source, value
    after = target.after(target.store(tensor.reshape(-1).uop))
    return after, from_buffer_form(Tensor(after).reshape(tensor.shape), type) if is_computed(source) else value


def from_buffer_form(tensor: Tensor, type: Type) -> Any:
    type = as_tensor(type)
    if isinstance(type, TensorType) and isinstance(type.element, ComplexType):
        return Complex(tensor[..., 0], tensor[..., 1])
    return tensor


def to_buffer_form(value: Any) -> Tensor:
    if isinstance(value, Complex):
        return value.real.stack(value.imag, dim=-1)
    assert isinstance(value, Tensor)
    return value
