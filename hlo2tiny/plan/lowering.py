"""Turns a region into kernels: the ops are lowered by their rules to one graph of expressions, which is scheduled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import prod
from typing import NamedTuple

from ..ir import ComplexType, Op, Region, ScalarType, TensorType, Type, Value
from ..ir.dimensions import decode_gather
from ..ir.dtypes import as_tensor, expect_tensor, static_shape
from ..ir.rewrite import Rewriter, clone_value, free_values, live
from ..ir.sizes import typical
from ..ops import Cost, Trait, cost_of, has
from ..ops.attributes import plain
from ..ops.build import stablehlo
from ..ops.structure import structure
from ..rules import lower, values
from ..rules.convolution import MOST_WRITTEN
from ..rules.gather import SHORT_SLICE, are_short
from ..rules.movement import LONGEST_WINDOW
from ..rules.registry import PLAIN, Body, Epilogue, Lowering
from ..rules.values import Complex
from ..tinygrad.branches import NEIGHBOURS
from ..tinygrad.buffers import buffer_layout
from ..tinygrad.device import has_int64
from ..tinygrad.expressions import Tensor, is_constant, with_fences
from ..tinygrad.loops import is_static, stored, without_repetition
from ..tinygrad.schedule import KernelGraph, Schedule
from .gemm import is_broadcast, is_conversion, is_large, is_reshape, joins, order_of, sizes_of
from .loops import is_table
from .plan import Kernels
from .problem import ConvolutionProblem, convolution_problem
from .recomputing import size_of
from .regions import expressions_for_sizes

ELEMENT_BY_ELEMENT = Trait.ELEMENTWISE | Trait.MOVEMENT
SUMS = Trait.REDUCTION | Trait.DOT


def schedule_region(step: Kernels, device: str, lowering: Lowering = PLAIN) -> Schedule:
    """Schedule a region as kernels that no renderer has printed yet."""
    with with_fences(lowering.native):
        return schedule(step, device, lowering)


def schedule(step: Kernels, device: str, lowering: Lowering) -> Schedule:
    layouts = [buffer_layout(value.type) for value in step.results]
    step = with_expressions(without_repeats(step))
    graph, results = KernelGraph(device, step.updates), {}
    for slot, value in enumerate(step.parameters):
        shape, dtype = buffer_layout(value.type)
        tensor = values.repeat_number(0, shape, dtype) if 0 in shape else graph.parameter(slot, (shape, dtype))
        results[value] = from_buffer_form(tensor, value.type)
    slots = {value: len(step.parameters) + number for number, value in enumerate(step.results)}
    kept: set[Value] = set()
    storing = PROCESSOR if lowering.on_processor else GPU
    few, needed = read_in_few_places(step, storing) if lowering.native else (set[Op](), set[Value]())
    whole = without_operands(step, few) if few else step
    apart = summed_and_read(whole, lowering.on_processor) | read_in_many_places(whole, lowering.on_processor)
    if lowering.on_processor:
        apart |= computed_often(whole) | computed_elsewhere(whole) | read_in_strides(whole) | costly_angles(whole)
    elif lowering.native:
        apart |= computed_elsewhere(whole, storing) | reduced_otherwise(whole) | reduced_again(whole)
        apart |= computed_often(whole, False) | around_convolutions(whole)

    def store(value: Value) -> Tensor | Complex:
        """Store a result, and return it as later ops should read it."""
        kept.add(value)
        loaded = graph.store(to_buffer_form(results[value]), slots[value])
        return results[value] if loaded is None else from_buffer_form(loaded, value.type)

    context = replace(lowering, in_place=step.updates > 0, int64=has_int64(device))
    rows, last = read_in_order(step, few, context.on_processor) if context.native else (set[Op](), set[Op]())
    apart |= {v for op in (few - rows) | last for v in op.results}
    apart |= {v for op in step.ops for v in op.results if has(op, SUMS) and v in needed}
    rows |= last
    chains = computed_as_read(step, context.on_processor, rows | few) if context.native else {}
    apart |= costly_places(step, rows, storing)
    delayed = {op for chain in chains.values() for op in chain[:-1]}
    for op in step.ops:
        if op in chains:
            lower_chain(chains[op], results, context)
        elif op not in delayed:
            lower((op,), results, replace(context, as_read=op in rows, few=op in few))
        for value in () if op in delayed else op.results:
            first = results[value]
            if value in slots:
                results[value] = store(value)
            if (value in apart or is_sum_of_constants(op, results)) and results[value] is first:
                flat = value in needed
                results[value] = values.each(first, lambda x: stored(x) if is_constant(x) or flat else x.contiguous())
    for value in step.results:
        if value not in kept:
            store(value)
    return graph.schedule(len(step.parameters), layouts, lowering.native and lowering.parallel)


def is_sum_of_constants(op: Op, results: Mapping[Value, Tensor | Complex]) -> bool:
    """Whether an op adds up known numbers that differ: tinygrad would do so again for each element that reads it."""
    if not has(op, SUMS):
        return False
    parts = values.halves([results[v] for v in (*op.operands, *op.results)])
    return all(map(is_constant, parts)) and any(repeated_number(results[v]) is None for v in op.operands)


# The most ops of which each of a few elements is computed.
MOST_OPS = 64


def read_in_few_places(step: Kernels, storing: Storing) -> tuple[set[Op], set[Value]]:
    """Ops that read so few elements of a value that no others of it should be computed, and what has to be in memory.

    The losses of a classifier are such elements, of the logarithms of all probabilities.
    """
    definitions = {v: op for op in step.ops for v in op.results}
    readers = [op for op in step.ops if selects(op) and all(map(is_plain, (*op.operands, *op.results)))]
    taken = Counter[Value]()
    for op in readers:
        taken[op.operands[0]] += elements_of(op.results[0])
    few, needed = set[Op](), {*taken}
    arrays, sliced = {*step.parameters}, set[Value]()  # sliced: what lies in one of these from some place on
    for op in step.ops if not storing.repeats else ():
        is_cut = is_slice(op) or "limit_indices" in op.attributes
        if op.operands and (is_cut or is_reshape(op)) and op.operands[0] in (arrays if is_cut else sliced):
            sliced.update(op.results)
            arrays.update(op.results)
    few.update(op for op in readers if is_gather(op) and op.operands[0] in sliced)
    for op in readers:
        found, sources = dict[Value, Op](), set[Value]()
        waiting = [value for value in op.operands[:1] if 2 * taken[value] <= elements_of(value)]
        while waiting and len(found) <= MOST_OPS:
            by = definitions.get(value := waiting.pop())
            computed = by is not None and has(by, ELEMENT_BY_ELEMENT) and not by.regions and value not in step.results
            if by is not None and computed and all(map(is_plain, by.operands)):
                waiting += by.operands if value not in found else ()
                found[value] = by
            elif by is None or not has(by, Trait.CONSTANT):
                sources.add(value)
        alone = 1 if is_gather(op) and reads_rows(op) else storing.alone
        work = GATHERED * len(sources) + alone * sum(weight_of(x) for x in found.values() if fuses(x) or joins(x))
        costs_less = work * taken[op.operands[0]] <= storing.near * elements_of(op.operands[0])
        if costs_less and not all(map(is_reshape, found.values())) and len(found) <= MOST_OPS:
            few.add(op)
            needed |= {*found} | sources
    return few, needed


def without_operands(step: Kernels, few: Container[Op]) -> Kernels:
    """The ops of a region but for those whose results are read in few places only."""
    cut = [replace(op, operands=op.operands[1:]) if op in few else op for op in step.ops]
    kept = {v for op in live(cut, step.results) for v in op.results}
    return replace(step, ops=tuple([op for op in step.ops if not kept.isdisjoint(op.results)]))


def read_in_order(step: Kernels, few: Container[Op], on_processor: bool) -> tuple[set[Op], set[Op]]:
    """Ops that read elements with which all readers compute in order, so that these are not stored; and gathers whose
    elements are stored, but not the places of these, which gathers have found.

    On a processor, these are of longer rows, as where a row lies is computed once for all of its elements. On a GPU,
    each thread computes that for its own element; but what is scattered, or computed, is not read by many kernels.
    """
    in_order: dict[Value, bool] = {}  # by value that is not stored: whether all its readers go along its rows
    kernels: dict[Value, set[Op]] = {}  # by such a value: what the kernels that compute with it end with
    depths: dict[Value, int] = {}  # by such a value: how many gathers they compute of which each finds the next place
    found, last = set[Op](), set[Op]()
    at_found = set[Value]()  # what is computed from elements of gathers
    for op in step.ops:
        keeps = has(op, Trait.ELEMENTWISE) or keeps_order(op)
        if is_gather(op) or (keeps and not at_found.isdisjoint(op.operands)):
            at_found.update(op.results)
    for op in reversed(step.ops):
        goes = all(in_order.get(v, True) for v in op.results if v not in step.results)
        ends = set[Op]().union(*(kernels.get(v, ()) for v in op.results))
        depth = max([0, *(depths.get(v, 0) for v in op.results)])
        chains = not on_processor and reads_an_element_each(op) and not at_found.isdisjoint(op.operands[1:])
        if op in few or (is_gather(op) and all(map(is_plain, (*op.operands, *op.results)))):
            rows, anywhere = is_gather(op) and reads_rows(op) and op not in few, op in few or not on_processor
            if goes and ((rows and (on_processor or ends)) or (anywhere and 0 < len(ends) <= MOST_KERNELS)):
                found.add(op)
            elif chains:
                last.add(op)
        if not on_processor and ends and is_slice(op) and all(map(is_plain, op.results)):
            found.add(op)
        # Neighbouring threads read the same element, for which they wait no longer than for one that is stored.
        repeats = not on_processor and repeats_along_rows(op) and all(has(end, Trait.ELEMENTWISE) for end in ends)
        places = chains and (op in last or (op in found and depth < MOST_DEPTH))
        keeps = is_reshape(op) or (not on_processor and (keeps_order(op) or joins(op)))
        passes = has(op, Trait.ELEMENTWISE) or keeps or repeats or places
        if not passes or not ends or op in last or any(v in step.results for v in op.results):
            ends, depth = {op}, 0
        for value in op.operands:
            updated = has(op, Trait.UPDATING) and value is op.operands[-1]
            along = goes and (goes_along_rows(op, value) or (not on_processor and (keeps or updated)) or repeats)
            along |= places and value is not op.operands[0]
            in_order[value] = in_order.get(value, True) and (along or (op in few and value is op.operands[0]))
            kernels[value] = kernels.get(value, set()) | ends
            depths[value] = max(depths.get(value, 0), depth + places)
    return found, last


def keeps_order(op: Op) -> bool:
    """Whether the elements of an op's results are in the order of those that they are computed from."""
    dims = [int(d) for d in plain(op.attributes["broadcast_dimensions"])] if is_broadcast(op) else []
    if not (is_reshape(op) or is_broadcast(op) or has(op, Trait.REDUCTION)) or dims != sorted(dims):
        return False
    return all(elements_of(v) == elements_of(op.operands[0]) for v in op.results)


def reads_an_element_each(op: Op) -> bool:
    """Whether a gather reads an element at each index, of one number, so that these are in the order of its result."""
    count = elements_of(op.results[0])
    return is_gather(op) and all(elements_of(index) == count for index in op.operands[1:])


def reads_rows(op: Op) -> bool:
    """Whether a gather reads rows of neighbouring elements that are too long to compute the place of each."""
    if has_short_slices(op):
        return False
    return int(plain(op.attributes["slice_sizes"])[-1]) > SHORT_SLICE


def costly_places(step: Kernels, rows: Container[Op], storing: Storing) -> set[Value]:
    """Indices of rows that cost much: vectors, or few threads, compute them before each reader of a row would."""
    costs, apart = dict[Value, int](), set[Value]()
    for op in step.ops:
        if op in rows:
            apart.update(v for v in op.operands[1:] if costs.get(v, 0) > storing.place)
        elif has(op, ELEMENT_BY_ELEMENT) and not op.regions:
            own = weight_of(op) if fuses(op) or joins(op) else 0
            cost = own + sum(costs.get(v, 0) for v in op.operands)
            costs.update(dict.fromkeys(op.results, min(cost, storing.place + 1)))
    return apart


def goes_along_rows(op: Op, value: Value) -> bool:
    """Whether an op computes with all elements of a value once, one row after the other."""
    if op.regions:
        last = len(static_shape(value.type)) - 1
        return has(op, Trait.REDUCTION) and [int(d) for d in plain(op.attributes["dimensions"])] == [last]
    same = has(op, Trait.ELEMENTWISE) and shape_of(value) == shape_of(op.results[0])
    return same or (is_reshape(op) and static_shape(value.type)[-1:] == static_shape(op.results[0].type)[-1:])


def repeats_along_rows(op: Op) -> bool:
    """Whether an op repeats each element along the last dimension of its result."""
    if not is_broadcast(op) or not is_plain(op.operands[0]):
        return False
    source, shape = (static_shape(v.type) for v in (op.operands[0], op.results[0]))
    along = zip(source, plain(op.attributes["broadcast_dimensions"]))
    return not any(size != 1 and int(d) == len(shape) - 1 for size, d in along)


def computed_as_read(step: Kernels, on_processor: bool, rows: Container[Op]) -> dict[Op, list[Op]]:
    """Ops that read elements at indices, and then the cheap ones that alone compute with each, by the last one."""
    readers: dict[Value, list[Op]] = {}
    for op in step.ops:
        for value in free_values(op):
            readers.setdefault(value, []).extend([op] * max(1, op.operands.count(value)))
    found, taken = dict[Op, list[Op]](), set[Op]()
    for op in step.ops:
        if not is_gather(op) or op in rows or (on_processor and has_short_slices(op)):
            continue
        chain = [op]
        while (value := chain[-1].results[0]) not in step.results and len(readers.get(value, ())) == 1:
            (after,) = readers[value]
            others = [v for v in after.operands if v is not value]
            if not has(after, Trait.ELEMENTWISE) or cost_of(after) > Cost.CHEAP or after.regions or after in taken:
                break
            if any(shape_of(v) not in (shape_of(value), ()) for v in others) or not all(
                map(is_plain, (value, *others))
            ):
                break
            if len(after.results) != 1 or not is_plain(after.results[0]):
                break
            chain.append(after)
        if len(chain) > 1:
            taken.update(chain)
            found[chain[-1]] = chain
    return found


def is_gather(op: Op) -> bool:
    return selects(op) and not has(op, Trait.MOVEMENT)


def selects(op: Op) -> bool:
    """Whether an op reads slices that begin at indices."""
    return has(op, Trait.SELECTING) and "slice_sizes" in op.attributes


def is_slice(op: Op) -> bool:
    """Whether an op reads one slice that begins at indices."""
    return selects(op) and has(op, Trait.MOVEMENT)


def has_short_slices(op: Op) -> bool:
    """Whether a gather reads so few neighbours at each index that those who read the elements do it."""
    if not all(map(is_plain, (op.operands[0], *op.results))):
        return False
    numbers = decode_gather(plain(op.attributes["dimension_numbers"]))
    return are_short(numbers, len(static_shape(op.results[0].type)), [*map(int, plain(op.attributes["slice_sizes"]))])


def is_plain(value: Value) -> bool:
    """Whether a value is a tensor of numbers, at least one, that are not quantized, in sizes that are known."""
    type = as_tensor(value.type)
    if not isinstance(type, TensorType) or not isinstance(type.element, ScalarType | ComplexType):
        return False
    return all(isinstance(size, int) and size for size in type.shape)


def lower_chain(chain: Sequence[Op], results: dict[Value, Tensor | Complex], context: Lowering) -> None:
    """Lower an op that reads elements, and those that compute with each, to one kernel."""
    read, *after = chain
    rest = [v for op in after for v in op.operands if not any(v in each.results for each in chain)]
    fixed = {v: number for v in dict.fromkeys(rest) if (number := repeated_number(results[v])) is not None}
    others = [v for v in dict.fromkeys(rest) if v not in fixed]
    # The region is of elements, whose values its ops name as they do the whole ones.
    region = Region((read.results[0], *others), (*after, stablehlo.return_.op(after[-1].results, (), read.location)))
    rewriter = Rewriter(new=lambda v: clone_value(v, replace(expect_tensor(v.type), shape=())))
    given = dict(zip(rewriter.define([*fixed]), fixed.values()))
    body = Body(rewriter.region(region), given, context)
    epilogue = Epilogue(body, [results[v] for v in others], expect_tensor(after[-1].results[0].type))
    lower((replace(read, results=after[-1].results),), results, replace(context, epilogue=epilogue))


def repeated_number(value: Tensor | Complex) -> Tensor | Complex | None:
    """The number that all elements of a value are, if that is known."""
    parts = map(without_repetition, values.halves([value]))
    if not all(is_constant(part) and prod(part.shape) == 1 for part in parts):
        return None
    return values.each(value, lambda part: without_repetition(part).reshape(()))


def with_expressions(step: Kernels) -> Kernels:
    """The region with tinygrad's expressions for open sizes."""
    rewriter = expressions_for_sizes()
    parameters = rewriter.define(step.parameters)
    ops = tuple(rewriter.ops(step.ops))
    return replace(step, ops=ops, parameters=parameters, results=rewriter.lookup(step.results))


def without_repeats(step: Kernels) -> Kernels:
    """The region with each value computed once that a caller's function computes for each call, such as a padded image.

    The graph of expressions has it once in any case, which those who count the readers of a value have to know.
    """
    known = dict[object, list[Op]]()
    merger, kept, results = Rewriter(), list[Op](), {*step.results}
    form = cache(lambda op: structure([op], op.operands, op.results))
    for op in step.ops:
        op = merger.clone(op) if merger.values else op
        if is_table(op) and results.isdisjoint(op.results):
            alike = known.setdefault((op.name, op.operands), [])
            if same := next((each for each in alike if form(each) == form(op)), None):
                merger.values.update(zip(op.results, same.results))
                continue
            alike.append(op)
        kept.append(op)
    return replace(step, ops=tuple(kept)) if merger.values else step


def summed_and_read(step: Kernels, on_processor: bool) -> set[Value]:
    """Costly values, such as softmax's exponentials, that a reduction's kernel and another would both compute.

    A processor reads narrow ones faster than it computes them again, so there a conversion may come before the sum.
    """
    readers: dict[Value, set[bool]] = {}
    for op in reversed(step.ops):
        kinds = {has(op, Trait.REDUCTION)}
        if on_processor and has(op, Trait.ELEMENTWISE) and len(op.operands) == 1 and cost_of(op) <= Cost.CHEAP:
            kinds = readers.get(op.results[0], {False})
        for value in op.operands:
            readers.setdefault(value, set()).update(kinds)
    costly = [op for op in step.ops if has(op, Trait.ELEMENTWISE) and cost_of(op) >= Cost.FUNCTION]
    return {v for op in costly for v in op.results if readers.get(v) == {True, False}}


# With so many elements a reduction waits for memory.
LARGE = 1 << 20


def reduced_otherwise(step: Kernels) -> set[Value]:
    """What is reduced over other dimensions than what it is combined with: threads share a kernel's reductions in one
    way, so that for one of two, neighbours would not read neighbouring elements."""
    reduced, apart = dict[Value, object](), set[Value]()  # by value: how a large operand is reduced for it
    for op in step.ops:
        if has(op, Trait.REDUCTION) and "dimensions" in op.attributes and elements_of(op.operands[0]) >= LARGE:
            how = op.operands[0].type, str(op.attributes["dimensions"])
            reduced.update(dict.fromkeys(op.results, how))
        elif has(op, ELEMENT_BY_ELEMENT | Trait.REDUCTION):
            found = [value for value in op.operands if value in reduced]
            if found and all(elements_of(value) == elements_of(op.results[0]) for value in found):
                first, *others = (reduced[value] for value in found)
                apart.update(value for value, how in zip(found[1:], others) if how != first)
                reduced.update(dict.fromkeys(op.results, first))
    return apart


# About as many threads as a GPU has.
FULL = 1 << 17
# With so few terms altogether, one thread adds them up as fast as several do in two kernels.
FEW_TERMS = 64
# Threads share a loop whose terms are results of loops of so many iterations, or of fewer if there are few results.
SHORT, SHORTEST = 16, 4


def reduced_again(step: Kernels) -> set[Value]:
    """What reductions compute and others reduce again: threads do not share loops inside each other. The norm of a
    matrix is such a result, and a loss the sum of what rows add up to."""
    terms, apart = dict[Value, int](), set[Value]()  # by value: of how many terms loops compute an element
    stored = {*step.results}  # these, and what is repeated for more elements
    for op in reversed(step.ops):
        if is_broadcast(op) or is_reshape(op):
            repeats = elements_of(op.results[0]) > elements_of(op.operands[0])
            stored.update(op.operands if repeats or op.results[0] in stored else ())
    for op in step.ops:
        inside, count = max([1, *(terms.get(v, 1) for v in op.operands)]), 1
        if has(op, Trait.DOT):
            count = sizes_of(op)[2]
        elif has(op, Trait.REDUCTION) and "dimensions" in op.attributes:
            count = elements_of(op.operands[0]) // max(1, elements_of(op.results[0]))
        short = SHORT if elements_of(op.results[0]) >= FULL and not step.in_order else SHORTEST
        if inside > short and count > 1 and inside * count > FEW_TERMS:
            apart.update(v for v in op.operands if v in terms)
            inside = 1
        if count > 1 or has(op, ELEMENT_BY_ELEMENT):
            terms.update((v, inside * count) for v in op.results if v not in stored and inside * count > 1)
    return apart


# So many kernels may compute a costly value again. Its memory takes longer to write than to read.
MOST_KERNELS = 2
# A window of fewer elements costs less: on an H200, sums of 26 million windows of 9 take five times as long as stored
# ones.
LEAST_ADDED = 5


def computed_often(step: Kernels, on_processor: bool = True) -> set[Value]:
    """Costly values that more kernels than that would compute, such as the cosines that a norm's gradient adds up.

    Where a single cheap op reads one of these, it is that op's result. On a GPU, they are what windows add up to, or
    what a single op narrows that to.
    """
    readers = Counter(value for op in step.ops for value in {*op.operands})
    costly, stored = set[Value](), {*step.results}
    for op in step.ops:
        alone = {v for v in op.operands if v in costly and readers[v] == 1 and v not in stored}
        if on_processor:
            is_costly = fuses(op) and bool(alone or is_gather(op) or cost_of(op) >= Cost.FUNCTION)
        else:
            is_costly = adds_windows(op) or bool(alone and narrows(op))
        if is_costly:
            costly -= alone
            costly.update(op.results)
    kernels: dict[Value, list[Value]] = {}  # by value: some of what the kernels that compute it end with
    apart = set[Value]()
    for op in reversed(step.ops):
        found = dict.fromkeys(end for value in op.results for end in kernels.get(value, ()))
        if not costly.isdisjoint(op.results) and stored.isdisjoint(op.results) and len(found) > MOST_KERNELS:
            apart.update(op.results)
            stored.update(op.results)
        if not stored.isdisjoint(op.results) or not (has(op, ELEMENT_BY_ELEMENT) or fuses(op)):
            found = dict.fromkeys(op.results)
        for value in op.operands:
            kernels[value] = [*dict.fromkeys([*kernels.get(value, ()), *found])][: MOST_KERNELS + 1]
    return apart


def narrows(op: Op) -> bool:
    return is_conversion(op) and size_of(op.results[0]) < size_of(op.operands[0])


def widens(op: Op) -> bool:
    return is_conversion(op) and size_of(op.operands[0]) < size_of(op.results[0])


def adds_windows(op: Op) -> bool:
    """Whether what reads the results of a convolution adds up its windows, which takes longer than to read them."""
    if not has(op, Trait.CONVOLUTION) or not all(map(is_plain, (*op.operands, *op.results))):
        return False
    p = convolution_problem(op)
    return is_written_out(p) and prod(p.taps) >= LEAST_ADDED


def is_written_out(p: ConvolutionProblem) -> bool:
    """Whether a GPU adds up windows without a loop, as ops that compute an element from others."""
    return p.inputs == p.features == p.batch_groups == 1 and prod(p.taps) <= MOST_WRITTEN


def around_convolutions(step: Kernels) -> set[Value]:
    """What is stored so that convolutions compute nothing but sums of products: what they read, as its type and order
    may be another, and what is read of these sums, and of what ops compute of each, by others than such ops."""
    definitions = {v: op for op in step.ops for v in op.results}
    passes = [has(op, Trait.ELEMENTWISE) and not op.regions for op in step.ops]
    read = {v for op, alone in zip(step.ops, passes) if not alone for v in op.operands}
    sums, waiting = set[Value](), list[Value]()  # waiting: what convolutions read
    for op, alone in zip(step.ops, passes):
        convolution = convolution_problem(op) if has(op, Trait.CONVOLUTION) and is_large(op) else None
        if convolution is not None and convolution.is_forward and not is_written_out(convolution):
            waiting += op.operands
            sums.update(op.results)
        elif alone and any(v in sums and v not in read for v in op.operands):
            sums.update(op.results)
    apart = {definitions[v].operands[0] if widens(definitions[v]) else v for v in sums & read}
    while waiting:
        value = waiting.pop()
        by = definitions.get(value)
        if by is not None and (is_conversion(by) or has(by, Trait.MOVEMENT)):
            waiting += by.operands
        elif by is not None and not has(by, Trait.CONSTANT):
            apart.add(value)
    return apart


# So many gathers, each at a place that the one before has found, are one kernel.
MOST_DEPTH = 32


# The elements of a GPU's threads that wait for each other where they compute different parts of what is joined.
TOGETHER = 128
# The bytes of an element that takes a GPU as long to store as `Storing` says: narrower ones take less.
USUAL_ITEM = 4
# What an element costs in cheap ops, which vectors compute. A function of doubles takes as long as so many of floats.
WEIGHTS = {Cost.FREE: 0, Cost.CHEAP: 1, Cost.FUNCTION: 12, Cost.EXPENSIVE: 24}
OF_DOUBLES = 3
# An element that is read at an index.
GATHERED = 6
# Each operand that is joined with others, of which an element may be, and each element of a window.
JOINED = 2
# A value for fewer cheap ops altogether costs less than a kernel of its own, on a processor.
LEAST_WORK = 1 << 12
# What a row costs at least that is not computed again for each row of an array.
LEAST_REPEATED = 6
# How many numbers a vector has, roughly: what is the same along a kernel's rows is computed one by one.
LANES = 8
# What an element costs at most that is looked at and then computed again.
MOST_LOOKED_AT = 8
# The most ops that are counted for an element.
MOST_COUNTED = 64


class Storing(NamedTuple):
    """What storing a value costs, in cheap ops.

    Attributes:
        near, far: to store an element and read it again, in a cache, and in memory where there is no room in one.
        room: that of a cache, in bytes.
        kernel: to run a kernel of its own.
        repeats: whether computing again what is repeated costs anything: threads that wait for memory do so meanwhile.
        place: what the index of a row costs at most that is not stored.
        alone: how often as much an element costs that is computed alone, and not in a vector.
    """

    near: int
    far: int
    room: int
    kernel: int
    repeats: bool
    place: int
    alone: int


PROCESSOR, GPU = Storing(16, 64, 1 << 20, LEAST_WORK, True, 11, 32), Storing(128, 128, 0, 1 << 26, False, 128, 1)


def computed_elsewhere(step: Kernels, storing: Storing = PROCESSOR) -> set[Value]:
    """Values whose kernels would compute so many elements more than once that storing them costs less.

    A roll reads two slices, both of which vectors compute for each element, and a stencil reads several rolls.
    """
    counted: dict[Value, frozenset[Op]] = {}  # what computes an element
    for op in step.ops:
        if (has(op, ELEMENT_BY_ELEMENT) or fuses(op)) and not op.regions and len(op.results) == 1:
            found = frozenset[Op]().union(*(counted.get(v, ()) for v in op.operands[is_gather(op) :]))
            counts = (fuses(op) or joins(op)) and len(found) < MOST_COUNTED
            counted[op.results[0]] = found | {op} if counts else found
        elif terms_of_windows(op) and not storing.repeats:
            counted[op.results[0]] = frozenset({op})
    readers = Counter(v for op in step.ops for v in {*op.operands} if not (is_gather(op) and fuses(op)))
    columns = {v for op in step.ops if is_gather(op) for v in op.operands[1:] if v not in readers}
    along: dict[Value, float] = {}  # the elements that readers at the same indices need, which they share
    elsewhere: dict[Value, float] = {}  # those that each of the others needs
    apart: set[Value] = set()
    reduced: dict[Value, frozenset[int]] = {}  # the dimensions that a reduction of computed elements reduces
    turned: set[Value] = set()  # read by kernels whose threads beside each other have no elements beside each other
    for op in reversed(step.ops):
        is_fused = any(v in counted for v in op.results)
        size = max([1, *map(elements_of, op.results)])
        needed = max([size, *(along.get(v, 0) + elsewhere.get(v, 0) for v in op.results if v not in step.results)])
        adds = terms_of_windows(op) > 0  # what is in memory
        for value in op.results if is_fused and needed > size and (fuses(op) or joins(op) or adds) else ():
            work = (needed - size) * sum(map(weight_of, counted[value]))
            width = 1.0 if storing.repeats else min(1.0, size_of(value) / (size * USUAL_ITEM))
            stored = width * size * (storing.near if size_of(value) <= storing.room else storing.far)
            if work > max(storing.kernel, stored):
                apart.add(value)
                needed = size
        turns = has(op, SUMS) or order_of(op) is not None
        if turns or any(v in turned and v not in apart and v not in step.results for v in op.results if is_fused):
            turned.update(op.operands)
        is_fused &= not adds
        if has(op, Trait.REDUCTION) and "dimensions" in op.attributes:
            dimensions = frozenset(map(int, plain(op.attributes["dimensions"])))
            reduced.update(dict.fromkeys(op.operands, dimensions))
        elif has(op, Trait.ELEMENTWISE) and op.results[0] in reduced:
            reduced.update(dict.fromkeys(op.operands, reduced[op.results[0]]))
        for value in {*op.operands}:
            count = elements_of(value)
            same = has(op, Trait.ELEMENTWISE) or is_broadcast(op) or is_reshape(op) or is_gather(op)
            if has(op, Trait.DOT) and storing.repeats:  # computed again for each row or column of the other operand
                elsewhere[value] = elsewhere.get(value, 0) + size * sizes_of(op)[2]
            elif not columns.isdisjoint(op.results) and has(op, Trait.MOVEMENT):  # each column of indices by itself
                along[value] = max(along.get(value, 0), count)
            elif not is_fused or (same and count == size) or (is_gather(op) and value is op.operands[0]):
                along[value] = max(along.get(value, 0), needed if is_fused and count == size else count)
            elif is_in_branches(op, storing) and turned.isdisjoint(op.results):  # a thread computes one of them
                times = op.operands.count(value) * max(1.0, TOGETHER / length_of_parts(op))
                elsewhere[value] = elsewhere.get(value, 0) + needed * times * count / size
            else:
                gathered = any(map(is_gather, counted.get(value, ())))  # vectors take as long as their elements
                repeated = count < size and (same or count == 1) and not gathered
                if repeated and not storing.repeats:
                    copies = times_reduced(op, reduced[op.results[0]]) if op.results[0] in reduced else 1
                    along[value] = max(along.get(value, 0), count * copies)
                    continue
                times = 1.0 if not repeated else count / size * times_computed(op, counted)
                elsewhere[value] = elsewhere.get(value, 0) + needed * times
    return apart


def times_reduced(op: Op, dimensions: Container[int]) -> int:
    """How often the elements are computed that a broadcast repeats, where some dimensions of its result are reduced.

    What is the same along these is computed once for each result.
    """
    if not is_broadcast(op):
        return 1
    source, shape = (static_shape(v.type) for v in (op.operands[0], op.results[0]))
    along = {int(d) for size, d in zip(source, plain(op.attributes["broadcast_dimensions"])) if size != 1}
    if all(d not in dimensions for d in along):
        return 1
    return prod(typical(size) for d, size in enumerate(shape) if d not in along)


def terms_of_windows(op: Op) -> int:
    """How many elements a kernel that reads what windows add up to adds for each; 0 of ops that are computed apart."""
    if "window_dimensions" not in op.attributes or len(op.operands) != 2:
        return 0
    sizes = plain(op.attributes["window_dimensions"])
    return terms if is_static(sizes) and (terms := prod(sizes)) <= LONGEST_WINDOW else 0


def is_in_branches(op: Op, storing: Storing) -> bool:
    """Whether an op joins parts of which neighbouring threads compute the same one, which processors do not."""
    if not joins(op) or storing.repeats:
        return False
    return length_of_parts(op) >= NEIGHBOURS


def length_of_parts(op: Op) -> float:
    """How many neighbours are of the same part of what an op joins."""
    rows = static_shape(op.results[0].type)[int(plain(op.attributes["dimension"])) :]
    return prod(map(typical, rows)) / len(op.operands)


def costly_angles(step: Kernels) -> set[Value]:
    """Values at some cost that periodic functions read, whose kernels look whether all are near 0 before they compute.

    Looking at what is not stored would compute it once more.
    """
    costs, apart = dict[Value, int](), set[Value]()
    for op in step.ops:
        if has(op, Trait.PERIODIC) and element_of(op.operands[0]) != ScalarType("f64"):
            apart |= {v for v in op.operands if costs.get(v, 0) > MOST_LOOKED_AT and elements_of(v) >= LEAST_WORK}
        if fuses(op):
            cost = weight_of(op) + sum(0 if v in apart else costs.get(v, 0) for v in op.operands)
            costs.update(dict.fromkeys(op.results, min(cost, MOST_LOOKED_AT + 1)))
    return apart


def fuses(op: Op) -> bool:
    """Whether those that read the elements of an op's results compute them, one by one."""
    return (has(op, Trait.ELEMENTWISE) and not op.regions) or (is_gather(op) and has_short_slices(op))


def weight_of(op: Op) -> int:
    """What an element costs in cheap ops."""
    if is_gather(op):
        return GATHERED
    if joins(op):
        return JOINED * len(op.operands)
    if terms := terms_of_windows(op):
        return JOINED * terms
    cost, element = cost_of(op), element_of(op.results[0])
    number = element.element if isinstance(element, ComplexType) else element
    return WEIGHTS[cost] * (OF_DOUBLES if cost >= Cost.FUNCTION and number == ScalarType("f64") else 1)


def times_computed(op: Op, counted: Mapping[Value, frozenset[Op]]) -> float:
    """How often a kernel computes an element of a value that an op repeats, in terms of one that vectors compute.

    Loops around those along a costly value compute it again. What rows repeat is computed one by one: that takes no
    longer than short rows if no vector has them. A row's condition stays: compilers branch on one that is read.
    """
    value, cost = op.operands[0], sum(map(weight_of, counted.get(op.operands[0], ())))
    if not is_broadcast(op) or cost < LEAST_REPEATED or element_of(value) == ScalarType("i1"):
        return 1
    source, target = (static_shape(v.type) for v in (value, op.results[0]))
    changing = [d for size, d in zip(source, plain(op.attributes["broadcast_dimensions"])) if size != 1]
    row, repeats = prod(map(typical, target[max(changing, default=-1) + 1 :])), elements_of(op.results[0])
    if row > 1 and cost < WEIGHTS[Cost.FUNCTION]:
        return 1
    repeats //= elements_of(value)
    one_by_one = row > 1 and repeats <= LANES * WEIGHTS[Cost.FUNCTION]
    return repeats / row * (LANES if one_by_one else 1)


def element_of(value: Value) -> object:
    type = as_tensor(value.type)
    return type.element if isinstance(type, TensorType) else None


def elements_of(value: Value) -> int:
    type = as_tensor(value.type)
    return prod(map(typical, static_shape(type))) if isinstance(type, TensorType) else 1


# In how many ways one kernel may index a value. Index expressions grow with each op that moves elements, and double
# where a roll or a stencil reads a value twice; no real program comes near this limit. They grow faster where every
# second element is read, or written, as in scans by halves, each of whose steps reads what the one before computes.
MOST_LOOKUPS, MOST_STRIDED = 256, 32


def read_in_many_places(step: Kernels, on_processor: bool = True) -> set[Value]:
    """Values that later ops index in more ways than a single kernel should; they get a kernel of their own.

    What only has the elements of a parameter in another order is read where it lies.
    """
    along: dict[Value, int] = {}  # by elementwise readers, which share their index expressions
    elsewhere: dict[Value, int] = {}  # by readers that move elements, each of which has an index expression of its own
    apart: set[Value] = set()
    strided: set[Value] = set()  # read in strides
    lying = {*step.parameters}
    for op in step.ops:
        if has(op, Trait.MOVEMENT) and len(op.operands) == 1 and op.operands[0] in lying:
            lying.update(op.results)
    for op in reversed(step.ops):
        lookups = max([1, *(along.get(v, 0) + elsewhere.get(v, 0) for v in op.results)])
        is_strided = not strided.isdisjoint(op.results)
        if lookups > (MOST_STRIDED if is_strided else MOST_LOOKUPS) and op.operands and lying.isdisjoint(op.results):
            apart.update(op.results)
            lookups, is_strided = 1, False
        if is_strided or has_gaps(op):
            strided.update(op.operands)
        for value in op.operands:
            is_same = has(op, Trait.ELEMENTWISE) and all(shape_of(value) == shape_of(result) for result in op.results)
            is_place = reads_an_element_each(op) and value is not op.operands[0]
            if not is_same and (on_processor or not (is_place or keeps_order(op))):
                elsewhere[value] = elsewhere.get(value, 0) + lookups + 1
            else:
                along[value] = max(along.get(value, 0), lookups)
    return apart


# What says how far elements are apart that an op reads or writes, and what it says of neighbours.
GAPS = {"strides": 1, "interior_padding": 0}


def has_gaps(op: Op) -> bool:
    """Whether an op moves elements from or to places that are apart."""
    given = ((plain(op.attributes[name]), near) for name, near in GAPS.items() if name in op.attributes)
    return has(op, Trait.MOVEMENT) and any(number != near for numbers, near in given for number in numbers)


# Smaller values are computed again from elements that are apart.
LEAST_STRIDED = 1 << 10


def read_in_strides(step: Kernels) -> set[Value]:
    """Values computed from every second element, or such, that are read like this again, as in pyramids and scans.

    Kernels would read elements that are ever further apart, and more of them, for which compilers take long, too.
    """
    apart, found = set[Value](), dict[Value, bool]()  # by value that is read so: whether it is computed since
    for op in step.ops:
        if has(op, Trait.MOVEMENT) and "strides" in op.attributes and [1, *plain(op.attributes["strides"])][-1] > 1:
            if found.get(value := op.operands[0]) and elements_of(value) >= LEAST_STRIDED:
                apart.add(value)
                found[value] = False
            found[op.results[0]] = found.get(value, False)
        elif has(op, ELEMENT_BY_ELEMENT) and not op.regions and any(v in found for v in op.operands):
            computes = has(op, Trait.ELEMENTWISE) or any(found.get(v) for v in op.operands)
            found |= {v: computes for v in op.results if v not in step.results}
    return apart


def shape_of(value: Value) -> object:
    type = as_tensor(value.type)
    return type.shape if isinstance(type, TensorType) else None


def from_buffer_form(tensor: Tensor, type: Type) -> Tensor | Complex:
    """A buffer's contents as rules see them: complex numbers as two tensors."""
    type = as_tensor(type)
    if isinstance(type, TensorType) and isinstance(type.element, ComplexType):
        return Complex.of_pairs(tensor)
    return tensor


def to_buffer_form(value: Tensor | Complex) -> Tensor:
    if isinstance(value, Complex):
        return value.pairs
    assert isinstance(value, Tensor)
    return value
