"""Reverse-mode differentiation: from a program to the program that computes its gradients.

The gradient of a StableHLO program is a StableHLO program: its forward pass, then, for each op in the opposite order,
ops that turn the gradients of its results (cotangents) into those of its operands. So it is planned, compiled and run
like any other, on every device, and has a gradient itself.

A cotangent has the type of its value. That of a complex number z is ∂L/∂Re z + i ∂L/∂Im z, for a real loss L.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from ..errors import Error, UnsupportedOp
from ..ir import (
    ComplexType,
    DenseAttr,
    Function,
    FunctionType,
    Module,
    Op,
    Region,
    ScalarType,
    TensorType,
    Type,
    Value,
    about,
    error_at,
)
from ..ir.dtypes import as_tensor, expect_tensor, numpy_dtype, static_shape
from ..ir.rewrite import Rewriter, clone_value, clone_values, free_values, live
from ..ops import Cost, Trait, cost_of, has, names_with
from ..ops.attributes import plain
from ..ops.build import Builder, Term, func
from ..rules.control import callee
from ..rules.registry import composed, rule_name
from ..tinygrad.dtypes import NARROW_FLOATS

# What an op adds to the cotangent of an operand: a term, or a function that puts it into what is there already.
Contribution = Term | Callable[[Term], Term] | None
Cotangents = dict[Value, Term]


def is_differentiable(type: Type) -> bool:
    """Whether a value of a type has a gradient: floats and complex numbers do."""
    element = type.element if isinstance(type := as_tensor(type), TensorType) else None
    if isinstance(element, ComplexType):
        return True
    return isinstance(element, ScalarType) and (element.name in NARROW_FLOATS or element.name in ("f32", "f64"))


@dataclass(frozen=True, eq=False)
class Pullback:
    """An op on its way back.

    Attributes:
        inputs, outputs: the op's operands and results.
        cotangents: of the results, zeros for those that have none.
        wants: for each operand, whether its cotangent matters.
    """

    op: Op
    tape: Tape
    builder: Builder
    inputs: list[Term]
    outputs: list[Term]
    cotangents: list[Term]
    wants: list[bool]

    def attribute(self, name: str, default: Any = None) -> Any:
        found = plain(self.op.attributes.get(name, None))
        return default if found is None else found

    @property
    def attributes(self) -> dict[str, Any]:
        """All attributes as plain Python."""
        return {name: plain(attribute) for name, attribute in self.op.attributes.items()}

    def constant(self, value: Value) -> Any:
        """The one number that a value is made of everywhere, None if it is not such a constant."""
        made = self.tape.definitions.get(value)
        while made is not None and cost_of(made) is Cost.FREE and made.operands:
            made = self.tape.definitions.get(made.operands[0])
        number = made.attributes.get("value") if made is not None else None
        if isinstance(number, DenseAttr) and number.data.size and (number.splat or number.data.size == 1):
            return number.data[(0,) * number.data.ndim].item()
        return None

    def refuse(self, why: str) -> Error:
        return refusal(self.op, why)


# So many ops are computed again at most, from tensors of so many times the size.
MOST_AGAIN, MOST_READ = 24, 2

Derivative = Callable[[Pullback], Sequence[Contribution]]
DERIVATIVES: dict[str, Derivative] = {}
CONSTANT = names_with(Trait.STEPWISE)


def derivative(*names: str) -> Callable[[Derivative], Derivative]:
    """Register what the cotangents of ops' results add to those of their operands; None is nothing."""

    def register(function: Derivative) -> Derivative:
        for name in names:
            if name in DERIVATIVES:
                raise ValueError(f"{name} has a derivative already")
            DERIVATIVES[name] = function
        return function

    return register


def refusal(op: Op, why: str) -> Error:
    advice = "pass the inputs that it depends on as numpy arrays or detached Tensors if their gradient is not wanted"
    return error_at(op, f"has no gradient here: {why}; {advice}", UnsupportedOp)


class Tape:
    """A straight run of ops and the cotangents of its values.

    `ops` is the forward pass, in which calls that matter are inlined; `active` are the values that change with what is
    differentiated by. A region has a tape of its own, which knows what its surroundings know.
    """

    def __init__(self, module: Module, outer: Tape | None = None, active: Iterable[Value] = ()) -> None:
        self.module = module
        self.active: set[Value] = {*(outer.active if outer else ()), *active}
        self.definitions: dict[Value, Op] = dict(outer.definitions) if outer else {}
        self.ops: list[Op] = []
        self.own: dict[Value, Op] = {}
        self.cotangents: Cotangents = {}

    # ------------------------------------------------------------ forward

    def run(self, ops: Sequence[Op], names: Mapping[Value, Value]) -> tuple[Value, ...]:
        """Append copies of ops, with operands renamed; the results are what the terminator hands on."""
        clones = Rewriter(names, new=clone_value)
        for op in map(composed, ops):
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
            self.own.update((v, copy) for v in copy.results)
        return ()

    def body(self, op: Op) -> Region:
        body = self.module.functions[callee(op)].body
        assert body is not None
        return body

    def active_results(self, op: Op, operands: Sequence[Value], names: Mapping[Value, Value]) -> list[bool]:
        """Which results of an op change with the active values."""
        if rule_name(op) in CONSTANT:
            return [False] * len(op.results)
        free = [names.get(v, v) for v in free_values(op) if v not in op.operands]
        if not any(v in self.active for v in (*operands, *free)):
            return [False] * len(op.results)
        if has(op, Trait.CALL):
            body = self.body(op)
            return self.active_returned(body, {a for a, v in zip(body.arguments, operands) if v in self.active})
        outside = {v for v in free_values(op) if names.get(v, v) in self.active}
        if has(op, Trait.CHOICE):
            found = [self.active_returned(region, outside) for region in op.regions]
            return [any(branch) for branch in zip(*found)]
        if has(op, Trait.LOOP):
            _, body = op.regions
            carried = [v in self.active for v in operands]
            while True:
                begun = {a for a, is_active in zip(body.arguments, carried) if is_active}
                turned = [a or b for a, b in zip(carried, self.active_returned(body, begun | outside))]
                if turned == carried:
                    return carried
                carried = turned
        return [is_differentiable(v.type) for v in op.results]

    def active_returned(self, region: Region, active: set[Value]) -> list[bool]:
        """Which of the values that a region returns change with active values, those of its surroundings given."""
        tape = Tape(self.module)
        tape.active = set(active)
        for op in map(composed, region.ops):
            if has(op, Trait.TERMINATOR):
                return [v in tape.active for v in op.operands]
            changes = tape.active_results(op, op.operands, {})
            tape.active.update(v for v, is_active in zip(op.results, changes) if is_active)
        return []

    def replace(self, op: Op, others: Sequence[Op]) -> None:
        """Put ops in an op's place: the last one's results begin with its results."""
        place = next(i for i, each in enumerate(self.ops) if each is op)
        self.ops[place : place + 1] = others

    # ------------------------------------------------------------ backward

    def pull(self, builder: Builder) -> None:
        """Go back through the ops: `cotangents` has those of what they return, and after it those of what they read."""
        # What fuses with what it reads computes that in its kernel.
        readers = [op for op in self.ops if not (is_cheap(op) or has(op, Trait.FUSING))]
        kept = set(free_values(*readers))
        for op in reversed(list(self.ops)):
            if not any(v in self.cotangents for v in op.results):
                continue
            builder.location = op.location
            name = rule_name(op)
            function = DERIVATIVES.get(name)
            if function is None:
                called = name.removeprefix("@")
                raise refusal(
                    op, f"hlo2tiny does not know the derivative of {called if called != op.name else 'this op'}"
                )
            with about(op):
                inputs, outputs = ([builder.term(v) for v in values] for values in (op.operands, op.results))
                cotangents = [self.cotangents.get(v) or builder.zeros(builder.term(v).type) for v in op.results]
                wants = [v in self.active for v in op.operands]
                given, start = Pullback(op, self, builder, inputs, outputs, cotangents, wants), len(builder.ops)
                for value, contribution in zip(op.operands, function(given)):
                    self.add(value, contribution, builder)
                self.compute_again(builder, start, kept)

    def compute_again(self, builder: Builder, start: int, kept: set[Value]) -> None:
        """Let the ops since `start` read copies of what is cheap; those of one kernel are one."""
        ops = builder.ops[start:]
        copies: list[Op] = []
        again = Rewriter(new=clone_value)
        for value in free_values(*ops):
            if value in kept or value not in self.own or value in again.values:
                continue
            copies += [again.clone(op) for op in self.cheaply(value, kept) if op.results[0] not in again.values]
        builder.ops[start:] = [*copies, *Rewriter(again.values).ops(ops)]

    def cheaply(self, value: Value, kept: set[Value]) -> list[Op]:
        """The ops that compute a value again; none if that is not cheap."""
        ops: dict[Op, None] = {}
        sources: set[Value] = set()

        def visit(v: Value) -> None:
            op = self.own.get(v)
            if op is None or not is_cheap(op) or (v in kept and v is not value):
                sources.add(v)
            elif op not in ops and len(ops) <= MOST_AGAIN:
                for operand in op.operands:
                    visit(operand)
                ops[op] = None

        visit(value)
        read = sum(byte_size(v) for v in sources)
        return list(ops) if len(ops) <= MOST_AGAIN and read <= MOST_READ * byte_size(value) else []

    def add(self, value: Value, contribution: Contribution, builder: Builder) -> None:
        """Add to the cotangent of a value, if it matters."""
        if value not in self.active or contribution is None:
            return
        before = self.cotangents.get(value)
        if isinstance(contribution, Term):
            self.cotangents[value] = before + contribution if before else contribution
        else:
            self.cotangents[value] = contribution(before or builder.zeros(builder.term(value).type))

    def taken(self, value: Value, builder: Builder) -> Term:
        """The cotangent of a value, zeros if nothing was added to it."""
        return self.cotangents.get(value) or builder.zeros(builder.term(value).type)


def expanded(op: Pullback, build: Callable[[Builder, list[Term]], Sequence[Term]]) -> Sequence[Contribution]:
    """The derivative of an op by those of other ops, which `build` makes of its operands and which mean the same."""
    forward, backward = Builder(op.op.location), Builder(op.op.location)
    forward.returned(build(forward, [forward.term(v) for v in op.op.operands]))
    tape = Tape(op.tape.module, op.tape)
    for value, cotangent in zip(tape.run(forward.ops, {}), op.cotangents, strict=True):
        tape.add(value, backward.term(cotangent.value), backward)
    tape.pull(backward)
    op.builder.ops += [*tape.ops, *backward.ops]
    # An operand that is there twice has one cotangent.
    found = [tape.cotangents.pop(v, None) for v in op.op.operands]
    return [None if ct is None else op.builder.term(ct.value) for ct in found]


def is_cheap(op: Op) -> bool:
    """Whether an op is computed again on the way back, where it is read, rather than kept: that costs a kernel less
    than memory does. Of operands larger than the result, little would be used."""
    return cost_of(op) <= Cost.FUNCTION and all(size_of(v) <= size_of(op.results[0]) for v in op.operands)


def size_of(value: Value) -> int:
    return prod(static_shape(as_tensor(value.type)))


def byte_size(value: Value) -> int:
    return size_of(value) * numpy_dtype(expect_tensor(value.type).element).itemsize


def region_of(arguments: Sequence[Value], ops: Sequence[Op]) -> Region:
    """A region of the ops that its terminator, the last of them, needs."""
    *rest, terminator = ops
    return Region(tuple(arguments), (*live(rest, terminator.operands), terminator))


def gradient(module: Module, entry: str, wanted: Sequence[int]) -> tuple[Module, tuple[int, ...]]:
    """The program that computes the gradient of a program.

    Args:
        module: a verified module with static shapes.
        entry: its entry function, which keeps its name.
        wanted: the numbers of the arguments whose gradients are wanted; those of other types than floats and complex
            numbers are zero.

    Returns:
        The module, whose entry function takes the arguments, then cotangents of some results, and returns the
        gradients of the arguments in the order wanted; and the numbers of these results.

    Raises:
        UnsupportedOp: an op on the way has no derivative, or a loop's number of turns is known only when it runs.
    """
    function = module.functions[entry]
    assert function.body is not None
    arguments = clone_values(function.body.arguments)
    tape = Tape(module, active=(arguments[i] for i in wanted if is_differentiable(arguments[i].type)))
    returned = tape.run(function.body.ops, dict(zip(function.body.arguments, arguments)))
    taken = tuple(i for i, v in enumerate(returned) if v in tape.active)
    cotangents = tuple(Value("", expect_tensor(returned[i].type), returned[i].location) for i in taken)
    builder = Builder(function.location)
    for i, cotangent in zip(taken, cotangents):
        tape.add(returned[i], builder.term(cotangent), builder)
    tape.pull(builder)
    builder.location = function.location
    results = [tape.taken(arguments[i], builder) for i in wanted]
    builder.op(func.return_, results, ())
    body = region_of((*arguments, *cotangents), [*tape.ops, *builder.ops])
    types = FunctionType(tuple(v.type for v in body.arguments), tuple(r.type for r in results))
    new = Function(
        entry, types, body, "public", ({},) * len(body.arguments), ({},) * len(results), {}, function.location
    )
    return replace(module, functions={**module.functions, entry: new}), taken


def captured(regions: Sequence[Region], tape: Tape) -> list[Value]:
    """The active values of their surroundings that regions read."""
    return [v for v in free_values(*regions) if v in tape.active]
