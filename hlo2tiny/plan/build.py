"""Module → Plan: cuts functions into regions, control flow and host calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..ir import (
    ComplexType,
    DenseAttr,
    Function,
    Module,
    Op,
    Region,
    ScalarType,
    TensorType,
    Type,
    Value,
    about,
    error_at,
    walk,
)
from ..ir.dtypes import static_shape
from ..ir.rewrite import Rewriter, clone_value, free_values, last_uses, live
from ..ops import Trait, has
from ..ops.structure import structure
from ..rules.control import CONTROL, callee
from ..rules.procedure import procedure_of
from ..rules.registry import composed, is_host, rule_name
from .convolution import Windows, with_windows
from .fourier import Transform, table, transform_of
from .gemm import Checked, Product, with_products
from .loops import trip_count, whole_number, without_invariants
from .plan import Block, Call, Case, Convolution, Fourier, Gemm, Host, Kernels, Lapack, Plan, Step, While
from .regions import region_pieces

# A constant of more elements than this is a buffer; a smaller one, or a repeated number, stands in the kernel's code.
LARGEST_INLINE_CONSTANT = 8
# A function of straight code is inlined while all its ops, callees included, are no more than this.
LARGEST_INLINE_FUNCTION = 400
# Updates in one block that wait for other readers: each costs a walk over the block.
MOST_MOVED = 64


def build(module: Module, entry: str = "main", products: bool = False) -> Plan:
    """Build the plan of a verified module; `products` makes dots steps of their own, for a library."""
    builder = Builder(module, products)
    main = builder.function_block(module.functions[entry])
    return Plan(main, builder.blocks)


class Builder:
    """Builds blocks, each function's once."""

    def __init__(self, module: Module, products: bool) -> None:
        self.module, self.products = module, products
        self.checked = Checked()
        self.blocks: dict[str, Block] = {}
        self.sizes: dict[str, int | None] = {}

    def function(self, op: Op) -> Function:
        return self.module.functions[callee(op)]

    def straight_size(self, name: str) -> int | None:
        """The number of ops of a function of straight code, callees included; None when it has steps of its own."""
        if name not in self.sizes:
            self.sizes[name] = None
            function, total = self.module.functions[name], 0
            assert function.body is not None
            for op in map(composed, walk(function.body)):
                if has(op, Trait.CALL):
                    inner = self.straight_size(callee(op))
                    if inner is None:
                        return None
                    total += inner
                elif op.name in CONTROL or is_host(op):
                    return None
                total += 1
            self.sizes[name] = total
        return self.sizes[name]

    def inlines(self, op: Op) -> bool:
        size = self.straight_size(callee(op))
        return size is not None and size <= LARGEST_INLINE_FUNCTION

    def inlined(self, rewriter: Rewriter, op: Op) -> list[Op]:
        """The ops of a small straight function in place of its call, else the op."""
        op = composed(op)
        if not has(op, Trait.CALL) or not self.inlines(op):
            return [rewriter.clone(op)]
        body = self.function(op).body
        assert body is not None
        ops, returned = Rewriter(hook=self.inlined, new=clone_value).inline(body, rewriter.lookup(op.operands))
        rewriter.values.update(zip(op.results, returned, strict=True))
        return ops

    def function_block(self, function: Function) -> Block:
        assert function.body is not None
        return self.block(function.body, (), {})

    def block(self, region: Region, captures: Sequence[Value], inline: Mapping[Value, Op]) -> Block:
        """A region as a block whose inputs are its arguments, then the captured values."""
        return BlockBuilder(self, [*region.arguments, *captures], inline).build(region.ops)


class BlockBuilder:
    """Builds one block: collects straight runs, and closes them at each op that is a step of its own."""

    def __init__(self, builder: Builder, inputs: Sequence[Value], inline: Mapping[Value, Op]) -> None:
        self.builder = builder
        self.numbers: dict[Value, int] = {value: i for i, value in enumerate(inputs)}
        self.types: list[Type] = [value.type for value in inputs]
        self.inputs = len(inputs)
        self.steps: list[Step] = []
        self.run: list[Op] = []
        self.constants: list[tuple[int, np.ndarray]] = []
        # Constants that stand in the code of the regions that read them, those of enclosing blocks too.
        self.inline: dict[Value, Op] = dict(inline)
        self.index = 0
        self.used_after: dict[Value, int] = {}
        self.products: dict[Op, tuple[Product, tuple[Op, ...]]] = {}
        self.convolutions: dict[Op, Windows] = {}
        self.known_tables: dict[tuple[int, int, str], int] = {}

    def build(self, ops: Sequence[Op]) -> Block:
        flat = without_invariants(Rewriter(hook=self.builder.inlined).ops(ops))
        if self.builder.products:
            flat, self.products = with_products(flat, self.builder.checked)
            flat, self.convolutions = with_windows(flat, self.builder.checked)
        flat = after_readers(flat)
        self.used_after = last_uses(flat)
        for index, op in enumerate(flat):
            self.index = index
            if has(op, Trait.TERMINATOR):
                with about(op):
                    self.close(op.operands)
                outputs = tuple(self.numbers[v] for v in op.operands)
                return Block(self.inputs, tuple(self.steps), outputs, tuple(self.types), tuple(self.constants))
            with about(op):
                self.add(op)
        raise error_at(ops[-1], "the region has no terminator")

    def number(self, value: Value) -> int:
        if value not in self.numbers:
            self.numbers[value] = len(self.types)
            self.types.append(value.type)
        return self.numbers[value]

    def add(self, op: Op) -> None:
        value = op.attributes.get("value")
        if has(op, Trait.CONSTANT) and isinstance(value, DenseAttr):
            if value.splat or value.data.size <= LARGEST_INLINE_CONSTANT:
                self.inline[op.results[0]] = op
            else:
                self.constants.append((self.number(op.results[0]), value.data))
        elif op in self.products:
            product, ops = self.products[op]
            self.steps.append(Gemm(product, *self.library(op, ops)))
        elif op in self.convolutions:
            self.steps.append(Convolution(self.convolutions[op], *self.library(op, (op,))))
        elif targets := updated(op):
            self.steps.append(self.update(op, targets))
        elif op.name in CONTROL:
            self.control(op)
        elif (found := procedure_of(op, lambda value: whole_number(self.inline.get(value)))) is not None:
            procedure, operands = found
            self.steps.append(Lapack(procedure, self.read(operands), tuple(map(self.number, op.results)), op))
        elif is_host(op):
            inputs = self.read(op.operands)
            outputs = tuple(self.number(v) for v in op.results)
            host = Host(rule_name(op), inputs, outputs, op)
            transform = transform_of(op) if self.builder.products else None
            if transform is None:
                self.steps.append(host)
            else:
                tables = self.tables(transform)
                self.steps.append(Fourier(transform, host, (*inputs, *tables), outputs))
        else:
            self.run.append(op)

    def read(self, values: Sequence[Value]) -> tuple[int, ...]:
        """The buffers of values, after closing the run that computes them."""
        self.close(values)
        return tuple(self.numbers[v] for v in values)

    def tables(self, transform: Transform) -> tuple[int, ...]:
        """The tables of a transform's dimensions, one for all of a kind in the block."""
        found = []
        for v in transform.lines:
            key = v.length, v.size, transform.letter
            if key not in self.known_tables:
                data = table(*key)
                element = ComplexType(ScalarType("f32" if data.dtype == np.complex64 else "f64"))
                self.known_tables[key] = self.number(Value("", TensorType(data.shape, element)))
                self.constants.append((self.known_tables[key], data))
            found.append(self.known_tables[key])
        return tuple(found)

    def library(self, op: Op, ops: tuple[Op, ...]) -> tuple[Kernels, tuple[int, int], tuple[int, ...]]:
        """What a library's step has: the same as kernels, and its buffers."""
        a, b = self.read(op.operands)
        outputs = (self.number(op.results[0]),)
        parameters = tuple(dict.fromkeys(op.operands))
        key = structure(ops, parameters, op.results)
        region = Kernels(ops, parameters, op.results, tuple(self.numbers[v] for v in parameters), outputs, key)
        return region, (a, b), outputs

    def update(self, op: Op, targets: tuple[Value, ...]) -> Kernels:
        """An op that writes into operands, as a region of its own."""
        others = [v for v in free_values(op) if v not in targets]
        prologue = tuple(self.inline[v] for v in others if v in self.inline)
        parameters = (*targets, *(v for v in others if v not in self.inline))
        inputs, ops = self.read(parameters), (*prologue, op)
        outputs = tuple(self.number(v) for v in op.results)
        key = structure(ops, parameters, op.results)
        return Kernels(ops, parameters, op.results, inputs, outputs, key, len(targets))

    def control(self, op: Op) -> None:
        if has(op, Trait.LOOP):
            captures = self.captures(op.regions)
            condition, body = (self.builder.block(region, captures, self.inline) for region in op.regions)
            carries, captured = self.read(op.operands), self.read(captures)
            outputs = tuple(self.number(v) for v in op.results)
            turns = trip_count(op, self.inline)
            self.steps.append(While(condition, body, carries, captured, outputs, op, turns))
        elif has(op, Trait.CHOICE):
            captures = self.captures(op.regions)
            branches = tuple(self.builder.block(region, captures, self.inline) for region in op.regions)
            (index,), captured = self.read(op.operands), self.read(captures)
            self.steps.append(Case(index, branches, captured, tuple(self.number(v) for v in op.results), op))
        else:
            name = callee(op)
            if name not in self.builder.blocks:
                self.builder.blocks[name] = self.builder.function_block(self.builder.module.functions[name])
            inputs = self.read(op.operands)
            self.steps.append(Call(name, inputs, tuple(self.number(v) for v in op.results), op))

    def captures(self, regions: Sequence[Region]) -> list[Value]:
        """The values that regions use and do not define; constants travel in `inline`."""
        return [v for v in free_values(*regions) if v not in self.inline]

    def close(self, needed: Sequence[Value]) -> None:
        """End the current run; `needed`, and all that later ops read, become buffers."""
        wanted = [v for op in self.run for v in op.results if self.used_after.get(v, -1) >= self.index]
        constants = [v for v in dict.fromkeys(needed) if v in self.inline and v not in self.numbers]
        writes = list(dict.fromkeys([*wanted, *constants]))
        if writes:
            region = [*(self.inline[v] for v in constants), *live(self.run, writes)]
            for ops, results in region_pieces(region, writes, native=self.builder.products):
                self.steps.append(self.kernels(ops, results))
        self.run = []

    def kernels(self, region: Sequence[Op], writes: Sequence[Value]) -> Kernels:
        """A region that writes some of its results; constants that stand in its code are put before it."""
        free = free_values(*region)
        reads = [v for v in free if v not in self.inline]
        ops = (*(self.inline[v] for v in free if v in self.inline), *region)
        inputs = tuple(self.numbers[v] for v in reads)
        outputs = tuple(self.number(v) for v in writes)
        return Kernels(ops, tuple(reads), tuple(writes), inputs, outputs, structure(ops, reads, writes))


def updated(op: Op) -> tuple[Value, ...]:
    """The operands that an op's results begin as, when its kernel can write into them."""
    if not has(op, Trait.UPDATING):
        return ()
    targets = op.operands[: len(op.results)]
    # The body of a scatter may compute in wider types than the operands'.
    numbers = [v.type for v in (*op.operands, *(a for r in op.regions for a in r.arguments))]
    if not all(isinstance(t, TensorType) and isinstance(t.element, ScalarType) for t in numbers):
        return ()
    elements = [v.type.element for v in targets]  # type: ignore[union-attr]
    wider = any(a.type.element not in elements for r in op.regions for a in r.arguments)  # type: ignore[union-attr]
    apart = len(set(op.operands)) == len(set(op.operands[len(targets) :])) + len(targets)
    return targets if apart and not wider and not any(0 in static_shape(v.type) for v in op.operands) else ()


def after_readers(ops: Sequence[Op]) -> list[Op]:
    """Ops with each update after what else reads its targets, where that is possible: it then needs no copy of them."""
    ordered, uses = list(ops), last_uses(ops)
    moved = 0
    for update in [op for op in ops if updated(op)]:
        start, end = ordered.index(update), max(uses[target] for target in updated(update))
        if end == start or has(ordered[end], Trait.TERMINATOR) or moved == MOST_MOVED:
            continue
        moved += 1
        changed, before, after = set(update.results), [], [update]
        for op in ordered[start + 1 : end + 1]:
            if changed.isdisjoint(free_values(op)):
                before.append(op)
            else:
                changed.update(op.results)
                after.append(op)
        if not any(target in free_values(*after[1:]) for target in updated(update)):
            ordered[start : end + 1] = [*before, *after]
            uses = last_uses(ordered)
    return ordered
