"""Builds the plan of a module: cuts functions into regions, products, control flow and host calls."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import field, replace
from math import prod

import numpy as np

from ..ir import ComplexType, DenseAttr, Module, Op, Region, ScalarType, TensorType, Type, Value, about, walk
from ..ir.dtypes import byte_size, static_shape
from ..ir.rewrite import Rewriter, clone_value, free_values, last_uses, live
from ..ops import Cost, Trait, cost_of, has
from ..ops.attributes import plain
from ..ops.structure import structure
from ..records import dataclass
from ..rules.collectives import members_of
from ..rules.control import CONTROL, callee
from ..rules.eigen import solve_perturbed
from ..rules.procedure import procedure_of
from ..rules.registry import is_host, resolve_composite, rule_name
from .aliasing import pair_donors
from .attention import FoundStep, replace_attention
from .attention_graph import keeps_order
from .choices import hold_places
from .convolution import Windows, replace_convolutions
from .fourier import Pass, Transform, along_dimensions, table, transform_of
from .gemm import Product, is_broadcast, is_conversion, is_reshape, joins, replace_dots
from .groups import product_of_groups, resolve_groups
from .heads import Heads
from .loops import (
    counters,
    cut_at_numbers,
    fold_numbers,
    hoist_invariants,
    merge_tables,
    sink_broadcasts,
    trip_count,
    whole_number,
)
from .pieces import compute_in_pieces
from .plan import (
    Attention,
    AttentionGradients,
    Block,
    Call,
    Case,
    Collective,
    Convolution,
    Fourier,
    Gemm,
    Host,
    Kernels,
    Lapack,
    Plan,
    Step,
    While,
)
from .recomputing import recompute
from .regions import OpSizes, region_pieces
from .repeats import multiply_once, split_repeats
from .residuals import recompute_attention
from .rows import replace_computed_tables
from .scatters import (
    KnownWindow,
    is_slice_at,
    join_scatters,
    place_of_window,
    read_in_order,
    rows_of_scatter,
    sort_apart,
    sort_within,
)
from .stacks import multiply_stacks, share_stacks, split_products
from .vectors import sum_products
from .window_products import multiply_in_place, multiply_windows
from .zero_points import multiply_narrow

# A constant with more elements than this becomes a buffer. Smaller ones and splats become part of the kernels' code.
LARGEST_INLINE_CONSTANT = 8
# A function without control flow is inlined if it has at most this many ops, including those of its callees.
LARGEST_INLINE_FUNCTION = 400
# Collectives of fewer bytes wait for others: the training step of a ResNet-50 takes 1 or 2 % less time so on two H100s,
# with 4 to 24 MB alike. A product that shares its GPU with an exchange, however small, takes up to twice as long.
EXCHANGED_TOGETHER = 16 << 20
# To find which of so few joined arrays has an element costs less than memory for all elements.
FEW_JOINED = 2
# How many updates of a block are moved after the other readers of their targets: each costs a walk over the block.
MOST_MOVED = 64
# An update computes at most so many ops again for which the run before it has memory.
MOST_AGAIN = 8


def build(
    module: Module,
    entry: str = "main",
    donors: Mapping[int, int | None] = {},
    devices: tuple[str, ...] = (),
    lanes: int | None = None,
    **how: bool,
) -> Plan:
    """Build the plan of a verified module.

    Args:
        donors: the arguments whose memory a result may take, and the result, where the file names it.
        devices: those of the processes that run the plan together; with them, the module comes from
            `specialise.localise`.
        lanes: if given, transforms are steps of their own in any case, of so many lines at a time.
        how: which steps there are, and what they do; see PlanBuilder.
    """
    builder = PlanBuilder(module, len(devices) > 1, lanes, **how)
    main = builder.block(module.functions[entry].code, (), {})
    plan = Plan(main, builder.blocks, devices=devices, invariant=builder.invariant)
    return replace(plan, donated=pair_donors(plan, donors)) if donors else plan


@dataclass(eq=False)
class PlanBuilder:
    """Builds the blocks of a module's functions, each only once.

    Attributes:
        several: whether several processes run the plan.
        lanes: see `build`.
        products: whether dots, convolutions and transforms are steps of their own.
        attention: whether attention and its gradients are, too, which compute scores again rather than store them.
        stores_wide: whether scores are stored for gradients if heads are wide and as exact as f32.
        invariant: whether a row of a batch has the same bits however many there are.
        recomputes: whether cheap values are computed again rather than stored, as memory is slower than arithmetic.
        convolutions: whether those of bf16 and f16 are steps as they are, and those to few features, too.
        dimensions: whether transforms may be along any dimensions, and get tables; a library's are along the last ones.
        slices: whether products read slices that begin at an index where they lie.
        places: whether updates at known places compute what they write also from what is there, and at any cost.
        neighbours: whether products that share an operand follow each other, as they may run at the same time.
        library_types: whether products are of the types that a library multiplies, see `replace_dots`.
        few_terms: whether kernels compute products of few terms, see `dots_of_few_terms`.
        vectors: whether threads share sums and choices, see `sum_products` and `hold_places`.
        sorts: whether scatters sort their indices, which loops and several scatters with the same ones do once.
        perturbs: whether generated code solves tridiagonal systems whose pivots are moved from zero.
        groups: whether products of groups of rows with a matrix each are steps.
    """

    module: Module
    several: bool
    lanes: int | None
    products: bool = False
    attention: bool = False
    stores_wide: bool = False
    invariant: bool = False
    recomputes: bool = False
    convolutions: bool = False
    dimensions: bool = False
    slices: bool = False
    places: bool = False
    neighbours: bool = False
    library_types: bool = False
    few_terms: bool = False
    vectors: bool = False
    sorts: bool = False
    perturbs: bool = False
    groups: bool = False
    blocks: dict[str, Block] = field(init=False, default_factory=dict)
    sizes: dict[str, int | None] = field(init=False, default_factory=dict)
    op_sizes: OpSizes = field(init=False, default_factory=dict)

    def straight_size(self, name: str) -> int | None:
        """The number of ops of a function and its callees, or None if one has control flow or a host op."""
        if name not in self.sizes:
            self.sizes[name] = None
            total = 0
            for op in map(resolve_composite, walk(self.module.functions[name].code)):
                if has(op, Trait.CALL):
                    inner = self.straight_size(callee(op))
                    if inner is None:
                        return None
                    total += inner
                elif op.name in CONTROL or (is_host(op) and not has(op, Trait.FOURIER)):
                    return None
                total += 1
            self.sizes[name] = total
        return self.sizes[name]

    def inline(self, rewriter: Rewriter, op: Op) -> list[Op]:
        """A rewriter's hook: replace the call of a small function without control flow by the function's ops, and what
        an op changes nothing of by its operand: between steps, it would be copied. With `sorts`, see there."""
        op = resolve_composite(resolve_groups(op) if self.groups else op)
        if changes_nothing(op):
            rewriter.values.update(zip(op.results, rewriter.lookup(op.operands), strict=True))
            return []
        size = self.straight_size(callee(op)) if has(op, Trait.CALL) else None
        if size is None or size > LARGEST_INLINE_FUNCTION:
            op = rewriter.clone(op)
            return sort_apart(op, self.invariant) if self.sorts else [op]
        body = self.module.functions[callee(op)].code
        ops, returned = Rewriter(hook=self.inline, new=clone_value).inline(body, rewriter.lookup(op.operands))
        rewriter.values.update(zip(op.results, returned, strict=True))
        return ops

    def block(self, region: Region, captures: Sequence[Value], inline: Mapping[Value, Op]) -> Block:
        """Build the block of a region, whose inputs are the region's arguments, then the captured values."""
        return BlockBuilder(self, [*region.arguments, *captures], inline).build(region.ops)


def changes_nothing(op: Op) -> bool:
    """Whether an op's result is its operand, such as a number converted to its own type."""
    same = [v.type for v in op.operands] == [v.type for v in op.results]
    return same and (is_conversion(op) or keeps_elements(op))


class BlockBuilder:
    """Builds one block: collects runs of ops, and ends a run at each op that is a step of its own."""

    def __init__(self, builder: PlanBuilder, inputs: Sequence[Value], inline: Mapping[Value, Op]) -> None:
        self.builder = builder
        self.numbers: dict[Value, int] = {value: i for i, value in enumerate(inputs)}
        self.types: list[Type] = [value.type for value in inputs]
        self.inputs = len(inputs)
        self.steps: list[Step] = []
        self.run: list[Op] = []
        self.constants: list[tuple[int, np.ndarray]] = []
        # Constants that become part of the regions that read them, including those of enclosing blocks.
        self.inline: dict[Value, Op] = dict(inline)
        self.index = 0
        self.used_after: dict[Value, int] = {}
        self.attention: dict[Op, FoundStep] = {}
        self.products: dict[Op, tuple[Product, tuple[Op, ...]]] = {}
        self.of_products: set[Value] = set()  # their results
        self.convolutions: dict[Op, tuple[Windows | Product, tuple[Op, ...]]] = {}
        self.known_tables: dict[tuple[int, tuple[Pass, ...], str], int] = {}

    def build(self, ops: Sequence[Op]) -> Block:
        flat = fold_numbers(Rewriter(hook=self.builder.inline).ops(ops), self.inline)
        flat = hoist_invariants(join_scatters(flat, self.inline), read_in_order)
        flat = sink_broadcasts(sort_within(merge_tables(flat)))
        flat = split_products(flat, self.inline, self.builder.slices)
        flat = share_stacks(multiply_stacks(flat, self.inline), self.inline)
        if self.builder.attention and not self.builder.invariant:
            flat = recompute_attention(flat, self.inline, self.builder.stores_wide)
        flat = live(compute_in_pieces(replace_computed_tables(flat)), (), kept=has_effects)
        if self.builder.dimensions:
            flat = along_dimensions(flat)
        if self.builder.products:
            if self.builder.attention:
                # Products would rather read a copy than have another dimension of their batch.
                split = split_repeats(flat, self.builder.invariant)
                how = self.builder.invariant, self.builder.stores_wide
                fused, self.attention = replace_attention(split, self.inline, *how)
                if not self.attention and len(split) > len(flat):
                    fused, self.attention = replace_attention(flat, self.inline, *how)
                flat = fused
            if not self.builder.invariant:
                flat = live(multiply_once(flat), (), kept=has_effects)
            flat = multiply_narrow(flat)
            flat = [
                part for op in flat for part in multiply_windows(op, self.builder.invariant, self.builder.convolutions)
            ]
            if self.builder.convolutions and not self.builder.invariant:
                flat = [part for op in flat for part in multiply_in_place(op)]
            if self.builder.vectors and not self.builder.invariant:
                flat = [part for op in hold_places(flat) for part in sum_products(op)]
            builder = self.builder
            flat, self.products = replace_dots(
                flat, builder.invariant, builder.slices, builder.library_types, builder.few_terms
            )
            if builder.groups:
                groups = {op: product_of_groups(op) for op in flat}
                self.products |= {op: (product, (op,)) for op, product in groups.items() if product is not None}
            flat, self.convolutions = replace_convolutions(flat, self.builder.invariant, self.builder.convolutions)
            flat = live(flat, (), kept=has_effects)
            self.of_products = {v for op in self.products for v in op.results}
        flat = cut_at_numbers(flat, self.inline)  # which products read where they lie
        if self.builder.recomputes:
            flat = live(recompute(flat, self.is_step, self.inline), (), kept=has_effects)
        if self.builder.neighbours:
            flat = gather_products(flat, self.products, self.is_step)
        flat = move_after_readers(flat)
        if self.builder.several:
            flat = exchange_together(exchange_early(flat, self.ends_run))
        self.used_after = last_uses(flat)
        *body, terminator = flat
        for self.index, op in enumerate(body):
            with about(op):
                self.add(op)
        self.index = len(body)
        with about(terminator):
            outputs = self.read(terminator.operands)
        return Block(self.inputs, tuple(self.steps), outputs, tuple(self.types), tuple(self.constants))

    def ends_run(self, op: Op) -> bool:
        """Whether an op is certainly a step of its own, which ends the run before it."""
        return op in self.products or op in self.attention or op in self.convolutions or op.name in CONTROL

    def is_step(self, op: Op) -> bool:
        """Whether an op is a step of its own, or not a kernel's."""
        return self.ends_run(op) or bool(update_targets(op)) or is_host(op) or has(op, Trait.COLLECTIVE)

    def number(self, value: Value) -> int:
        if value not in self.numbers:
            self.numbers[value] = len(self.types)
            self.types.append(value.type)
        return self.numbers[value]

    def write(self, values: Sequence[Value]) -> tuple[int, ...]:
        """The buffers of values that a step computes."""
        return tuple(map(self.number, values))

    def add(self, op: Op) -> None:
        value = op.attributes.get("value")
        if has(op, Trait.CONSTANT) and isinstance(value, DenseAttr):
            if value.splat or value.data.size <= LARGEST_INLINE_CONSTANT:
                self.inline[op.results[0]] = op
            else:
                self.constants.append((self.number(op.results[0]), value.data))
        elif op in self.products:
            product, ops = self.products[op]
            self.steps.append(Gemm(product, *self.product_fields(op, ops)))
        elif op in self.attention:
            attended = self.attention[op]
            fields = self.product_fields(op, attended.parts)
            if isinstance(attended.work, Heads):
                self.steps.append(Attention(attended.work, *fields, attended.statistics))
            else:
                self.steps.append(AttentionGradients(attended.work, *fields))
        elif op in self.convolutions:
            how, ops = self.convolutions[op]
            fields = self.product_fields(op, ops)
            self.steps.append(Gemm(how, *fields) if isinstance(how, Product) else Convolution(how, *fields))
        elif targets := update_targets(op):
            self.steps.append(self.update(op, targets))
        elif op.name in CONTROL:
            self.control(op)
        elif self.builder.several and has(op, Trait.COLLECTIVE):
            inputs, outputs = self.read(op.operands), self.write(op.results)
            self.steps.append(Collective(op.name.rpartition(".")[2], groups_of(op), inputs, outputs, op))
        elif call := procedure_of(
            op, lambda value: whole_number(self.inline.get(value)), self.used_after.__contains__,
            [solve_perturbed] * self.builder.perturbs,
        ):  # fmt: skip
            procedure, operands = call
            self.steps.append(Lapack(procedure, self.read(operands), self.write(op.results), op))
        elif is_host(op):
            inputs, outputs = self.read(op.operands), self.write(op.results)
            host = Host(rule_name(op), inputs, outputs, op)
            builder = self.builder
            transform = transform_of(op, builder.lanes) if builder.products or builder.lanes else None
            if transform is not None:
                tables = self.tables(transform) if builder.dimensions else ()
                self.steps.append(Fourier(transform, host, (*inputs, *tables), outputs))
            else:
                self.steps.append(host)
        else:
            self.run.append(op)

    def read(self, values: Sequence[Value]) -> tuple[int, ...]:
        """The buffers of values, after closing the run that computes them."""
        self.close(values)
        return tuple(self.numbers[v] for v in values)

    def tables(self, transform: Transform) -> tuple[int, ...]:
        """The buffers of the tables for a transform's dimensions; equal tables in a block share one buffer."""
        keys = [(v.length, v.convolutions, transform.letter) for v in transform.lines]
        for key in keys:
            if key not in self.known_tables:
                data = table(*key)
                element = ComplexType(ScalarType("f32" if data.dtype == np.complex64 else "f64"))
                self.known_tables[key] = self.number(Value("", TensorType(data.shape, element)))
                self.constants.append((self.known_tables[key], data))
        return tuple(self.known_tables[key] for key in keys)

    def product_fields(self, op: Op, ops: tuple[Op, ...]) -> tuple[Kernels, tuple[int, ...], tuple[int, ...]]:
        """The region that computes a product with kernels, and the product's inputs and outputs."""
        inputs, outputs = self.read(op.operands), self.write(op.results)
        parameters = tuple(dict.fromkeys(op.operands))
        numbers = tuple(self.numbers[v] for v in parameters)
        return self.region(ops, parameters, op.results, numbers, outputs), inputs, outputs

    def update(self, op: Op, targets: tuple[Value, ...]) -> Kernels:
        """Make a region of an op that writes into its operands `targets`."""
        arguments = self.take_arguments(op, targets)
        others = [v for v in free_values(*arguments, op) if v not in targets]
        ops = (*(self.inline[v] for v in others if v in self.inline), *arguments, op)
        parameters = (*targets, *(v for v in others if v not in self.inline))
        inputs, outputs = self.read(parameters), self.write(op.results)
        return self.region(ops, parameters, op.results, inputs, outputs, len(targets))

    def take_arguments(self, op: Op, targets: Sequence[Value]) -> list[Op]:
        """The ops of the current run that only reshape what an update reads, or compute it, and whose results no later
        op needs: its indices, and, at little cost, what it computes from memory that it does not change; with
        `places`, see there."""
        place = place_of_window(op, self.run, self.inline) if self.builder.places else None
        taken = self.arguments_of(op, targets, place)
        others, again = {*self.run}.difference(taken), list[Op]()  # what the run computes anyway, and what it does too
        needed = {v for each in others for v in each.operands}
        for each in taken[::-1]:
            if not needed.isdisjoint(each.results):
                again.append(each)
                needed.update(each.operands)
        if sum(not is_broadcast(each) and not is_reshape(each) for each in again) > MOST_AGAIN:
            taken = self.arguments_of(op, targets, place, again)
        for each in taken[::-1]:
            self.used_after[each.results[0]] = -1
            for source in each.operands:
                self.used_after[source] = max(self.index, self.used_after.get(source, -1))
        return taken

    def arguments_of(
        self, op: Op, targets: Sequence[Value], place: KnownWindow | None, others: Container[Op] = ()
    ) -> list[Op]:
        """As `take_arguments`, without some others, given the place of the update if it matters."""
        needed, taken = set(op.operands).difference(targets), list[Op]()
        cheap, rest = set[Value](), set(targets)
        rows = rows_of_scatter(op, self.builder.invariant) if self.builder.sorts else None
        for each in self.run:
            repeats = is_broadcast(each) and each.operands[0] in self.inline
            there = place is not None and has_shape(each, place.shape)
            is_chosen = joins(each) and len(each.operands) <= FEW_JOINED
            is_known = repeats or ((is_computed(each, there) or is_chosen) and rest.isdisjoint(each.operands))
            is_known |= place is not None and each.operands[:1] == targets and is_slice_at(each, place)
            if rows is not None and has_shape(each, rows) and not {*targets}.intersection(each.operands):
                is_known |= is_computed(each, True) or has(each, Trait.SELECTING)
            (cheap if is_known else rest).update(each.results)
        for each in reversed(self.run):
            is_taken = keeps_elements(each) or is_index(each) or not cheap.isdisjoint(each.results)
            # A product narrows its result at no cost.
            is_taken &= not (is_conversion(each) and each.operands[0] in self.of_products)
            if needed.isdisjoint(each.results) or not is_taken or each in others:
                continue
            changes = not set(each.operands).isdisjoint(targets) and cheap.isdisjoint(each.results)
            if self.used_after[each.results[0]] > self.index or changes or each.results[0] in targets:
                continue
            taken.append(each)
            needed |= set(each.operands)
        return taken[::-1]

    def control(self, op: Op) -> None:
        if has(op, Trait.LOOP):
            captures = self.captures(op.regions)
            condition, body = (self.builder.block(region, captures, self.inline) for region in op.regions)
            carries, captured = self.read(op.operands), self.read(captures)
            counts = trip_count(op, self.inline), counters(op, self.inline)
            self.steps.append(While(condition, body, carries, captured, self.write(op.results), op, *counts))
        elif has(op, Trait.CHOICE):
            captures = self.captures(op.regions)
            branches = tuple(self.builder.block(region, captures, self.inline) for region in op.regions)
            (index,), captured = self.read(op.operands), self.read(captures)
            self.steps.append(Case(index, branches, captured, self.write(op.results), op))
        else:
            name = callee(op)
            if name not in self.builder.blocks:
                self.builder.blocks[name] = self.builder.block(self.builder.module.functions[name].code, (), {})
            self.steps.append(Call(name, self.read(op.operands), self.write(op.results), op))

    def captures(self, regions: Sequence[Region]) -> list[Value]:
        """The values that regions use but do not define, without constants: those are passed on in `inline`."""
        return [v for v in free_values(*regions) if v not in self.inline]

    def close(self, needed: Sequence[Value]) -> None:
        """End the current run; `needed` and the results that later ops read become buffers."""
        wanted = [v for op in self.run for v in op.results if self.used_after.get(v, -1) >= self.index]
        constants = [v for v in dict.fromkeys(needed) if v in self.inline and v not in self.numbers]
        writes = list(dict.fromkeys([*wanted, *constants]))
        if writes:
            region = [*(self.inline[v] for v in constants), *live(self.run, writes)]
            how = self.builder.products, self.builder.vectors, self.builder.op_sizes
            for ops, results in region_pieces(region, writes, *how):
                self.steps.append(self.kernels(ops, results))
        self.run = []

    def kernels(self, region: Sequence[Op], writes: Sequence[Value]) -> Kernels:
        """Make a region of ops that writes some of their results; inline constants that it reads precede its ops."""
        free = free_values(*region)
        reads = [v for v in free if v not in self.inline]
        ops = (*(self.inline[v] for v in free if v in self.inline), *region)
        inputs, outputs = tuple(self.numbers[v] for v in reads), self.write(writes)
        return self.region(ops, tuple(reads), tuple(writes), inputs, outputs)

    def region(
        self,
        ops: tuple[Op, ...],
        parameters: tuple[Value, ...],
        results: tuple[Value, ...],
        inputs: tuple[int, ...],
        outputs: tuple[int, ...],
        updates: int = 0,
    ) -> Kernels:
        key, in_order = structure(ops, parameters, results), self.builder.invariant
        key += " in order" * in_order
        return Kernels(ops, parameters, results, inputs, outputs, key, updates, in_order)


def has_effects(op: Op) -> bool:
    """Whether an op does more than compute its results, or may detect an error of the user when it runs."""
    return has(op, Trait.TERMINATOR) or op.name in CONTROL or is_host(op)


def groups_of(op: Op) -> tuple[tuple[int, ...], ...]:
    """The groups of a collective, or the pairs of a permutation."""
    listed = op.attributes.get("replica_groups", op.attributes.get("source_target_pairs"))
    return () if listed is None else members_of(plain(listed))


def keeps_elements(op: Op) -> bool:
    """Whether an op's result has its operand's elements in the same order."""
    if is_broadcast(op) and keeps_order(op):
        return prod(static_shape(op.operands[0].type)) == prod(static_shape(op.results[0].type))
    return is_reshape(op)


def has_shape(op: Op, shape: tuple[int, ...]) -> bool:
    type = op.results[0].type
    return isinstance(type, TensorType) and static_shape(type) == shape


def is_cheap(op: Op) -> bool:
    """Whether each element of an op's result is one of its operand's, or is computed at so little cost that it needs no
    memory."""
    return is_computed(op, False)


def is_computed(op: Op, at_any_cost: bool) -> bool:
    """Whether each element of an op's result is one of its operand's, or computed from one of each."""
    if not (has(op, Trait.ELEMENTWISE) or has(op, Trait.MOVEMENT)) or len(op.results) != 1:
        return False
    if cost_of(op) > Cost.CHEAP and not at_any_cost:
        return False
    return all(isinstance(v.type, TensorType) and v.type.shape for v in (*op.results, *op.operands))


def is_index(op: Op) -> bool:
    """Whether such an op computes integers, such as where to scatter."""
    types = [value.type for value in (*op.results, *op.operands)]
    integers = all(isinstance(t, TensorType) and str(t.element)[0] in "iu" for t in types)
    return integers and has(op, Trait.ELEMENTWISE) and is_cheap(op)


def update_targets(op: Op) -> tuple[Value, ...]:
    """The operands whose memory an op's results can take over, so that its kernel writes only what changes."""
    if not has(op, Trait.UPDATING):
        return ()
    targets = op.operands[: len(op.results)]
    # The body of a scatter may compute in wider types than the operands'.
    types = [v.type for v in (*op.operands, *(a for r in op.regions for a in r.arguments))]
    if not all(isinstance(t, TensorType) and isinstance(t.element, ScalarType) for t in types):
        return ()
    elements = [v.type.element for v in targets]  # type: ignore[union-attr]
    wider = any(a.type.element not in elements for r in op.regions for a in r.arguments)  # type: ignore[union-attr]
    apart = len(set(op.operands)) == len(set(op.operands[len(targets) :])) + len(targets)
    return targets if apart and not wider and not any(0 in static_shape(v.type) for v in op.operands) else ()


def exchange_early(ops: Sequence[Op], ends_run: Callable[[Op], bool]) -> list[Op]:
    """Move collectives before the first step that ends a run after what they need, so that they run beside it.

    No run ends earlier than before. The gradients of a layer are exchanged while those of other layers are computed.
    """
    ordered = list[Op]()
    for op in ops:
        index = len(ordered)
        if has(op, Trait.COLLECTIVE) and op.operands:
            needed = {*op.operands, *free_values(op)}
            for i, before in enumerate(reversed(ordered), 1):
                if not needed.isdisjoint(before.results):
                    break
                index = len(ordered) - i if ends_run(before) else index
        ordered.insert(index, op)
    return ordered


def exchange_together(ops: Sequence[Op]) -> list[Op]:
    """Let collectives of few bytes wait until others join them in one exchange, unless their results are needed first.

    They move only to where other collectives are, so that no run ends earlier.
    """
    readers: dict[Value, int] = {}
    for index, op in enumerate(ops):
        for value in free_values(op):
            readers.setdefault(value, index)
    indices = [index for index, op in enumerate(ops) if has(op, Trait.COLLECTIVE) and op.operands]
    after, ordered, waiting = dict(zip(indices, [*indices[1:], len(ops)])), list[Op](), list[Op]()
    for index, op in enumerate(ops):
        if index not in after:
            ordered.append(op)
            continue
        waiting.append(op)
        enough = sum(byte_size(v.type) for each in waiting for v in each.operands) >= EXCHANGED_TOGETHER
        if enough or any(readers.get(v, 0) <= after[index] for each in waiting for v in each.results):
            ordered += waiting
            waiting = []
    return ordered


def gather_products(ops: Sequence[Op], products: Container[Op], is_step: Callable[[Op], bool]) -> list[Op]:
    """Move products after the ones before that share an operand, if there is no other step between them.

    What follows them, such as the elementwise work on both, is one region then.
    """
    ordered, readers = list[Op](), dict[Value, Op]()
    for op in ops:
        ordered.append(op)
        if is_step(op):
            if op in products and (first := next((readers[v] for v in op.operands if v in readers), None)) is not None:
                index = ordered.index(first) + 1
                if {v for each in ordered[index:-1] for v in each.results}.isdisjoint(op.operands):
                    ordered.insert(index, ordered.pop())
            else:
                readers.clear()
            if op in products:
                readers.update(dict.fromkeys(op.operands, op))
    return ordered


def move_after_readers(ops: Sequence[Op]) -> list[Op]:
    """Move updates after the other readers of their targets where possible, so that they need no copy of them."""
    ordered, uses = list(ops), last_uses(ops)
    moved = 0
    for update in [op for op in ops if update_targets(op)]:
        start, end = ordered.index(update), max(uses[target] for target in update_targets(update))
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
        if not any(target in free_values(*after[1:]) for target in update_targets(update)):
            ordered[start : end + 1] = [*before, *after]
            uses = last_uses(ordered)
    return ordered
