"""Reverse-mode differentiation: from a program to the program that computes its gradients.

The gradient of a StableHLO program is another StableHLO program: the forward pass, followed by a backward pass that
visits the ops in reverse order and turns the cotangents of each op's results into cotangents of its operands. It is
planned, compiled and run like any other program, on every device, and can itself be differentiated.

A cotangent has the type of its value. The cotangent of a complex number z is ∂L/∂Re z + i ∂L/∂Im z, for a real loss L.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from .. import ir
from ..errors import Error, UnsupportedOp
from ..ir import ElementType, FunctionType, Module, Op, Region, ScalarType, TensorType, Type, Value, about, error_at
from ..ir.dtypes import as_tensor, byte_size, expect_tensor, static_shape
from ..ir.rewrite import Rewriter, clone_value, clone_values, free_values, live
from ..ops import Cost, Trait, cost_of, has, names_with
from ..ops.attributes import plain
from ..ops.build import Builder, Term, func
from ..records import dataclass
from ..rules.control import callee
from ..rules.registry import resolve_composite, rule_name
from ..tinygrad.dtypes import NARROW_FLOATS
from .branches import find_guards

# What an op adds to the cotangent of an operand: a term, a function that updates the cotangent so far, or nothing.
Contribution = Term | Callable[[Term], Term] | None
Cotangents = dict[Value, Term]


def is_differentiable(type: Type) -> bool:
    """Whether values of a type have gradients: floats and complex numbers do."""
    element = type.element if isinstance(type := as_tensor(type), TensorType) else None
    if isinstance(element, ir.ComplexType):
        return True
    return isinstance(element, ScalarType) and (element.name in NARROW_FLOATS or element.name in ("f32", "f64"))


@dataclass(frozen=True, eq=False)
class Pullback:
    """One op in the backward pass.

    Attributes:
        inputs, outputs: the op's operands and results.
        cotangents: those of the results; zeros where a result does not affect the loss.
        wants: for each operand, whether its cotangent is needed.
    """

    op: Op
    tape: Tape
    builder: Builder
    inputs: list[Term]
    outputs: list[Term]
    cotangents: list[Term]
    wants: list[bool]

    def attribute(self, name: str, default: Any = None) -> Any:
        value = plain(self.op.attributes.get(name, None))
        return default if value is None else value

    @property
    def attributes(self) -> dict[str, Any]:
        """All attributes as plain Python values."""
        return {name: plain(attribute) for name, attribute in self.op.attributes.items()}

    def refuse(self, why: str) -> Error:
        return refusal(self.op, why)


# A value is recomputed by at most MAX_RECOMPUTED ops, which may read at most MAX_READ_RATIO times its bytes.
MAX_RECOMPUTED, MAX_READ_RATIO = 24, 2

Derivative = Callable[[Pullback], Sequence[Contribution]]
DERIVATIVES: dict[str, Derivative] = {}
CONSTANT = names_with(Trait.STEPWISE)


def derivative(*names: str) -> Callable[[Derivative], Derivative]:
    """Register a function that returns what ops add to the cotangent of each operand, or None for nothing."""

    def register(function: Derivative) -> Derivative:
        for name in names:
            if name in DERIVATIVES:
                raise ValueError(f"{name} already has a derivative")
            DERIVATIVES[name] = function
        return function

    return register


def refusal(op: Op, why: str) -> Error:
    advice = "if you do not need this gradient, pass the inputs that it depends on as numpy arrays or detached Tensors"
    return error_at(op, f"hlo2tiny cannot differentiate this op: {why}; {advice}", UnsupportedOp)


class Tape:
    """A sequence of ops without control flow, and the cotangents of its values.

    `ops` is the forward pass, with calls inlined where a derivative passes through them. `active` holds the values that
    depend on the inputs of the derivative. A region gets its own tape, which starts with what the outer one knows.
    """

    def __init__(self, module: Module, outer: Tape | None = None, active: Iterable[Value] = ()) -> None:
        self.module = module
        # Which results of a function depend on active values, by its name and which of its arguments are active.
        self.returned: dict[tuple[str, tuple[bool, ...]], list[bool]] = outer.returned if outer else {}
        self.active: set[Value] = {*(outer.active if outer else ()), *active}
        self.definitions: dict[Value, Op] = dict(outer.definitions) if outer else {}
        self.ops: list[Op] = []
        self.local_definitions: dict[Value, Op] = {}
        self.cotangents: Cotangents = {}

    # ------------------------------------------------------------ forward

    def run(self, ops: Sequence[Op], names: Mapping[Value, Value]) -> tuple[Value, ...]:
        """Append copies of ops with renamed operands; return the terminator's operands."""
        clones = Rewriter(names, new=clone_value)
        for op in map(resolve_composite, ops):
            operands = clones.lookup(op.operands)
            if has(op, Trait.TERMINATOR):
                return operands
            with about(op):
                active = self.active_results(op, operands, clones.values)
            if has(op, Trait.CALL) and any(active):
                body = self.body(op)
                clones.values.update(zip(op.results, self.run(body.ops, dict(zip(body.arguments, operands)))))
                continue
            copy = clones.clone(op)
            self.ops.append(copy)
            self.active.update(v for v, is_active in zip(copy.results, active) if is_active)
            self.definitions.update((v, copy) for v in copy.results)
            self.local_definitions.update((v, copy) for v in copy.results)
        return ()

    def body(self, op: Op) -> Region:
        return self.module.functions[callee(op)].code

    def active_results(self, op: Op, operands: Sequence[Value], names: Mapping[Value, Value]) -> list[bool]:
        """Which results of an op depend on active values."""
        if rule_name(op) in CONSTANT:
            return [False] * len(op.results)
        free = [names.get(v, v) for v in free_values(op) if v not in op.operands]
        if not any(v in self.active for v in (*operands, *free)):
            return [False] * len(op.results)
        if has(op, Trait.CALL):
            key = callee(op), tuple(v in self.active for v in operands)
            if key not in self.returned:
                body = self.body(op)
                arguments = {a for a, is_active in zip(body.arguments, key[1]) if is_active}
                self.returned[key] = self.find_active_returns(body, arguments)
            return self.returned[key]
        outside = {v for v in free_values(op) if names.get(v, v) in self.active}
        if has(op, Trait.CHOICE):
            branches = [self.find_active_returns(region, outside) for region in op.regions]
            return [any(flags) for flags in zip(*branches)]
        if has(op, Trait.LOOP):
            _, body = op.regions
            carried = [v in self.active for v in operands]
            while True:
                before = {a for a, is_active in zip(body.arguments, carried) if is_active}
                after = [a or b for a, b in zip(carried, self.find_active_returns(body, before | outside))]
                if after == carried:
                    return carried
                carried = after
        return [is_differentiable(v.type) for v in op.results]

    def find_active_returns(self, region: Region, active: set[Value]) -> list[bool]:
        """Which of the values that a region returns depend on the given active values."""
        tape = Tape(self.module)
        tape.active, tape.returned = set(active), self.returned
        for op in map(resolve_composite, region.ops):
            if has(op, Trait.TERMINATOR):
                return [v in tape.active for v in op.operands]
            changes = tape.active_results(op, op.operands, {})
            tape.active.update(v for v, is_active in zip(op.results, changes) if is_active)
        return []

    def replace(self, op: Op, others: Sequence[Op]) -> None:
        """Replace an op by others; the results of the last one must begin with the op's results."""
        index = next(i for i, candidate in enumerate(self.ops) if candidate is op)
        self.ops[index : index + 1] = others

    def constant(self, value: Value) -> Any:
        """The number that all elements of a constant are equal to; None if they differ or the value is no constant."""
        source = self.definitions.get(value)
        while source is not None and cost_of(source) is Cost.FREE and source.operands:
            source = self.definitions.get(source.operands[0])
        number = source.attributes.get("value") if source is not None else None
        if isinstance(number, ir.DenseAttr) and number.data.size and (number.splat or number.data.size == 1):
            return number.data[(0,) * number.data.ndim].item()
        return None

    def is_finite(self, value: Value) -> bool:
        """Whether a value is a constant of equal, finite elements."""
        number = self.constant(value)
        return number is not None and bool(np.isfinite(number))

    # ------------------------------------------------------------ backward

    def pull(self, builder: Builder) -> None:
        """Visit the ops in reverse order and add what each contributes to the cotangents of its operands."""
        # An op that fuses with its operands computes them in its own kernel, so they need not be stored for it.
        readers = [op for op in self.ops if not (is_cheap(op) or has(op, Trait.FUSING))]
        stored = set(free_values(*readers))
        guards = find_guards(self.ops, self.cotangents, self.active.__contains__, self.is_finite)
        for op in reversed(list(self.ops)):
            if not any(v in self.cotangents for v in op.results):
                continue
            builder.location = op.location
            name = rule_name(op)
            function = DERIVATIVES.get(name)
            if function is None:
                raise refusal(op, f"it does not know the derivative of {name.removeprefix('@')}")
            with about(op):
                inputs, outputs = ([builder.term(v) for v in values] for values in (op.operands, op.results))
                cotangents = [self.cotangent_of(v, builder) for v in op.results]
                wants = [v in self.active for v in op.operands]
                pullback, start = Pullback(op, self, builder, inputs, outputs, cotangents, wants), len(builder.ops)
                for number, (value, contribution) in enumerate(zip(op.operands, function(pullback))):
                    if isinstance(contribution, Term):
                        for branch in guards.get((op, number), ()):
                            sides = contribution, contribution.like(0)
                            chosen, other = sides if branch.chosen else sides[::-1]
                            contribution = builder.term(branch.condition).where(chosen, other)
                    self.add(value, contribution, builder)
                self.recompute(builder, start, stored)

    def recompute(self, builder: Builder, start: int, stored: set[Value]) -> None:
        """Make the builder's ops from `start` on read recomputed copies of the values that are cheap to recompute."""
        ops = builder.ops[start:]
        copies: list[Op] = []
        clones = Rewriter(new=clone_value)
        for value in free_values(*ops):
            if value in stored or value not in self.local_definitions or value in clones.values:
                continue
            needed = self.recomputation(value, stored)
            copies += [clones.clone(op) for op in needed if op.results[0] not in clones.values]
        builder.ops[start:] = [*copies, *Rewriter(clones.values).ops(ops)]

    def recomputation(self, value: Value, stored: set[Value]) -> list[Op]:
        """The ops that recompute a value from stored ones; an empty list if that is not cheap."""
        ops: dict[Op, None] = {}
        sources: set[Value] = set()

        def visit(v: Value) -> None:
            op = self.local_definitions.get(v)
            if op is None or not is_cheap(op) or (v in stored and v is not value):
                sources.add(v)
            elif op not in ops and len(ops) <= MAX_RECOMPUTED:
                for operand in op.operands:
                    visit(operand)
                ops[op] = None

        visit(value)
        bytes_read = sum(byte_size(v.type) for v in sources)
        return list(ops) if len(ops) <= MAX_RECOMPUTED and bytes_read <= MAX_READ_RATIO * byte_size(value.type) else []

    def add(self, value: Value, contribution: Contribution, builder: Builder) -> None:
        """Add to the cotangent of a value, if the value is active."""
        if value not in self.active or contribution is None:
            return
        before = self.cotangents.get(value)
        if isinstance(contribution, Term):
            self.cotangents[value] = before + contribution if before else contribution
        else:
            self.cotangents[value] = contribution(self.cotangent_of(value, builder))

    def cotangent_of(self, value: Value, builder: Builder) -> Term:
        """The cotangent of a value; zeros if nothing was added to it."""
        return self.cotangents.get(value) or builder.zeros(builder.term(value).type)


def differentiate_as(op: Pullback, build: Callable[[Builder, list[Term]], Sequence[Term]]) -> Sequence[Contribution]:
    """Differentiate an op as the equivalent ops that `build` makes from its operands."""
    forward, backward = Builder(op.op.location), Builder(op.op.location)
    forward.return_terms(build(forward, [forward.term(v) for v in op.op.operands]))
    tape = Tape(op.tape.module, op.tape)
    for value, cotangent in zip(tape.run(forward.ops, {}), op.cotangents, strict=True):
        tape.add(value, backward.term(cotangent.value), backward)
    tape.pull(backward)
    op.builder.ops += [*tape.ops, *backward.ops]
    # An operand that occurs twice has one cotangent, which must count once: hence `pop`.
    cotangents = [tape.cotangents.pop(v, None) for v in op.op.operands]
    return [None if ct is None else op.builder.term(ct.value) for ct in cotangents]


def is_cheap(op: Op) -> bool:
    """Whether it costs less to recompute an op in the backward pass than to store its result and read it back.

    It does not if an operand is larger than the result, since most of what is read would not be used.
    """
    return cost_of(op) <= Cost.FUNCTION and all(size_of(v) <= size_of(op.results[0]) for v in op.operands)


def size_of(value: Value) -> int:
    return prod(static_shape(as_tensor(value.type)))


def region_of(arguments: Sequence[Value], ops: Sequence[Op]) -> Region:
    """A region with those ops that the last one, its terminator, needs."""
    *rest, terminator = ops
    return Region(tuple(arguments), (*live(rest, terminator.operands), terminator))


def scalar_region(builder: Builder, elements: Sequence[ElementType], build: Callable[..., Sequence[Term]]) -> Region:
    """A region of scalar arguments of some element types; `build` takes them and makes what the region returns."""
    arguments = tuple(Value("", TensorType((), element)) for element in elements)
    inner = Builder(builder.location)
    inner.return_terms(build(*map(inner.term, arguments)))
    return Region(arguments, tuple(inner.ops))


def gradient(module: Module, entry: str, wanted: Sequence[int]) -> tuple[Module, tuple[int, ...]]:
    """Build the program that computes the gradient of a program.

    Args:
        module: a verified module with static shapes.
        entry: the name of its entry function, which the new one keeps.
        wanted: the indices of the arguments to differentiate with respect to; the gradients of those that are neither
            floats nor complex numbers are zero.

    Returns:
        The new module, and the indices of the results that its entry function takes cotangents of. That function takes
        the arguments, then these cotangents, and returns the gradients in the order of `wanted`.

    Raises:
        UnsupportedOp: an op has no derivative, or the trip count of a loop is known only at run time.
    """
    function = module.functions[entry]
    tape, arguments, returned = record(module, function, wanted)
    differentiated = tuple(i for i, v in enumerate(returned) if v in tape.active)
    cotangents = tuple(Value("", expect_tensor(returned[i].type), returned[i].location) for i in differentiated)
    builder = Builder(function.location)
    for i, cotangent in zip(differentiated, cotangents):
        tape.add(returned[i], builder.term(cotangent), builder)
    results = pull_back(tape, [arguments[i] for i in wanted], builder)
    new = function_of(function, (*arguments, *cotangents), builder, results)
    return replace(module, functions={**module.functions, entry: new}), differentiated


def differentiate(
    module: Module, entry: str, of: int, wanted: Sequence[int]
) -> tuple[Builder, tuple[Value, ...], list[Term], list[Term]]:
    """Differentiate a result of a program, which is a real number, by some of its arguments.

    Returns:
        A builder with the ops of both passes, the function's arguments, its results, and the gradients in the order of
        `wanted`, all of them new values.

    Raises:
        UnsupportedOp: as for `gradient`.
    """
    function = module.functions[entry]
    tape, arguments, returned = record(module, function, wanted)
    builder = Builder(function.location)
    tape.add(returned[of], builder.fill(1, expect_tensor(returned[of].type)), builder)
    gradients = pull_back(tape, [arguments[i] for i in wanted], builder)
    return builder, arguments, [builder.term(v) for v in returned], gradients


def record(
    module: Module, function: ir.Function, wanted: Sequence[int]
) -> tuple[Tape, tuple[Value, ...], tuple[Value, ...]]:
    """The forward pass of a function, its arguments and its results."""
    arguments = clone_values(function.code.arguments)
    tape = Tape(module, active=(arguments[i] for i in wanted if is_differentiable(arguments[i].type)))
    return tape, arguments, tape.run(function.code.ops, dict(zip(function.code.arguments, arguments)))


def pull_back(tape: Tape, arguments: Sequence[Value], builder: Builder) -> list[Term]:
    """The cotangents of some arguments; the builder then has the ops of both passes."""
    location = builder.location
    tape.pull(builder)
    builder.location = location
    cotangents = [tape.cotangent_of(v, builder) for v in arguments]
    builder.ops[:0] = tape.ops
    return cotangents


def function_of(
    function: ir.Function,
    arguments: Sequence[Value],
    builder: Builder,
    results: Sequence[Term],
    attributes: Sequence[Sequence[Mapping[str, ir.Attribute]]] = (),
) -> ir.Function:
    """A function with the name of another one, which returns terms of a builder.

    Args:
        attributes: those of the arguments, and those of the results; (): none.
    """
    builder.op(func.return_, results, ())
    body = region_of(arguments, builder.ops)
    types = FunctionType(tuple(v.type for v in arguments), tuple(r.type for r in results))
    taken, returned = attributes or ([{}] * len(arguments), [{}] * len(results))
    return ir.Function(function.name, types, body, "public", tuple(taken), tuple(returned), {}, function.location)


def active_captures(regions: Sequence[Region], tape: Tape) -> list[Value]:
    """The active values that regions capture."""
    return [v for v in free_values(*regions) if v in tape.active]
