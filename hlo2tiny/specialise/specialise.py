"""Replaces a module's unknown dimensions and shape computations by the shapes of a call.

The argument types provide the first sizes. What is computed from sizes is folded on the host (ops/folding.py). An op
that takes its result's shape as an operand becomes the op that has it in its type (dynamic.py). The shapes of other
results follow from the op's row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ..errors import UnsupportedOp
from ..ir import (
    DenseAttr,
    Function,
    FunctionType,
    FutureType,
    IntegerAttr,
    Module,
    Op,
    Region,
    ScalarType,
    SymbolAttr,
    TensorType,
    TupleType,
    Type,
    Value,
    about,
    error_at,
    walk,
)
from ..ir.dtypes import expect_tensor, numpy_dtype
from ..ir.rewrite import Rewriter, clone_value
from ..ir.sizes import NeedsCondition, assume
from ..ops import Trait, Violation, has, schema_of
from ..ops.build import arith, stablehlo
from ..ops.definition import OPS, agree, are_compatible, check_op, merge_shapes, shape_text, types_text
from ..ops.folding import LARGEST_FOLDED, has_open_sizes
from ..rules import RULES
from ..rules.control import callee, callee_attribute
from ..rules.registry import attributes_of, resolve_composite, rule_name
from .dynamic import COMPUTED_LATE, DYNAMIC, Checked, Known, NeedsValues, with_shapes


def computes_shapes(module: Module) -> bool:
    """Whether a module must be specialised before it can run."""
    for function in module.functions.values():
        types = [*function.type.inputs, *function.type.results]
        ops = [] if function.body is None else list(walk(function.body))
        for op in ops:
            types += [v.type for v in (*op.operands, *op.results)]
            if op.name in DYNAMIC or rule_name(op) in DYNAMIC or has(op, Trait.SHAPES):
                return True
        if any(unknown(t) for t in types):
            return True
    return False


def unknown(type: Type) -> bool:
    if isinstance(type, TupleType | FutureType):
        return any(map(unknown, type.types))
    return isinstance(type, TensorType) and None in type.shape


def specialise(
    module: Module,
    entry: str,
    inputs: Sequence[Type],
    constants: Mapping[int, np.ndarray] | None = None,
    checks: list[Checked] | None = None,
) -> Module:
    """The module for arguments of static types, or of types whose sizes are expressions (see ir/sizes.py).

    Args:
        module: a verified module.
        entry: the function that a call runs; it keeps its name.
        inputs: the argument types, without unknown dimensions.
        constants: the values of arguments that shapes depend on, by argument number.
        checks: gets the constraints that the file asserts of open sizes, which runs have to check.

    Raises:
        NeedsValues: shapes depend on the values of arguments that `constants` lacks.
        InputError: the shapes violate a constraint that the file asserts.
        UnsupportedOp: a shape depends on values that the program computes as it runs.
    """
    work = Specialiser(module, [] if checks is None else checks)
    known = [
        Known(value, (constants or {}).get(i), frozenset([i]))
        for i, value in enumerate(Value(f"arg{i}", type) for i, type in enumerate(inputs))
    ]
    name, _ = work.function(entry, known)
    functions = {entry if new == name else new: function for new, function in work.functions.items()}
    functions[entry] = replace(functions[entry], name=entry)
    return replace(module, functions=functions)


T = TypeVar("T")


class Specialiser:
    """Specialises each function once for every combination of argument types and constants."""

    def __init__(self, module: Module, checks: list[Checked]) -> None:
        self.module, self.checks = module, checks
        self.functions: dict[str, Function] = {}
        self.instances: dict[tuple[str, object], tuple[str, list[Known]]] = {}
        # What is known about the values of specialised functions.
        self.known: dict[Value, Known] = {}

    def function(self, name: str, arguments: Sequence[Known]) -> tuple[str, list[Known]]:
        """The name of the function specialised for these arguments, and what is known about its results."""
        key = (name, tuple((a.value.type, constant_key(a.constant), a.arguments) for a in arguments))
        if key in self.instances:
            return self.instances[key]
        function = self.module.functions[name]
        parameters = [
            Known(clone_value(p, a.value.type), a.constant, a.arguments)
            for p, a in zip(function.code.arguments, arguments)
        ]
        body, results = self.region(function.code, parameters, Rewriter(hook=self.op))
        count = sum(1 for other in self.instances if other[0] == name)
        instance = name if not count else f"{name}.{count}"
        types = FunctionType(tuple(p.type for p in body.arguments), tuple(r.value.type for r in results))
        self.functions[instance] = replace(function, name=instance, type=types, body=body)
        self.instances[key] = instance, results
        return instance, results

    def region(self, region: Region, arguments: Sequence[Known], rewriter: Rewriter) -> tuple[Region, list[Known]]:
        """The region for these arguments, and what is known about the values that it returns."""
        self.define(region.arguments, arguments, rewriter)
        ops = rewriter.ops(region.ops)
        return Region(rewriter.lookup(region.arguments), tuple(ops)), [self.known[v] for v in ops[-1].operands]

    def define(self, values: Sequence[Value], known: Sequence[Known], rewriter: Rewriter) -> None:
        rewriter.values.update(zip(values, [k.value for k in known], strict=True))
        self.known.update((k.value, k) for k in known)

    def op(self, rewriter: Rewriter, op: Op) -> list[Op] | None:
        """The ops that replace an op."""
        if has(op, Trait.TERMINATOR):
            return None
        with about(op):
            ops, known = self.specialise_op(op, [self.known[v] for v in rewriter.lookup(op.operands)], rewriter)
            self.define(op.results, known, rewriter)
        return ops

    def specialise_op(self, op: Op, operands: list[Known], rewriter: Rewriter) -> tuple[list[Op], list[Known]]:
        op = resolve_composite(op)
        if has(op, Trait.CALL):
            return self.call(op, operands)
        if has(op, Trait.LOOP):
            return self.loop(op, operands, rewriter)
        if has(op, Trait.CHOICE):
            return self.branches(op, operands, rewriter)
        op = replace(op, operands=tuple(k.value for k in operands))
        if "indices_of_shape_operands" in op.attributes:
            op, operands = with_shapes(op, operands)
        if (name := rule_name(op)) in DYNAMIC:
            try:
                twin = DYNAMIC[name].function(self.module, op, operands)
            except Checked as check:
                self.checks.append(check)
                assume(check.condition)
                twin = None
            twins = [] if twin is None else twin if isinstance(twin, list) else [twin]
        else:
            twins = [op]
        ops, known = list[Op](), list[Known]()
        for twin in twins:
            values = rewriter.lookup(twin.operands)
            made, known = self.plain(replace(twin, operands=values), [self.known[v] for v in values], rewriter)
            self.define(twin.results, known, rewriter)
            ops += made
        return ops, known

    def plain(self, op: Op, operands: list[Known], rewriter: Rewriter) -> tuple[list[Op], list[Known]]:
        """An op that is folded, or whose result's shape its row infers."""
        schema = schema_of(op.name)
        fold = None if schema is None else schema.fold
        if fold is not None:
            arguments = together(operands)
            constant = self.assuming(fold, op, [k.constant for k in operands])
            if constant is None and op.name not in RULES:
                if arguments:
                    raise NeedsValues(arguments)
                raise error_at(op, f"its operands depend {COMPUTED_LATE}", UnsupportedOp)
            if constant is not None:
                declared = type = op.results[0].type
                if isinstance(declared, TensorType):
                    if not agree(constant.shape, declared.shape):
                        found = f"the result has the shape {shape_text(constant.shape)}"
                        raise error_at(op, f"{found}, but its declared type is {declared}")
                    type = TensorType(constant.shape, declared.element)
                value = clone_value(op.results[0], type)
                return constant_ops(op, value, constant), [Known(value, constant, arguments)]
        else:
            arguments = None
        regions = tuple(self.region(region, [Known(v) for v in region.arguments], rewriter)[0] for region in op.regions)
        op = replace(op, regions=regions)
        if has(op, Trait.CONSTANT):
            return [op], [Known(op.results[0], small_constant(op), frozenset())]
        if any(unknown(v.type) for v in op.results):
            op = replace(op, results=tuple(map(clone_value, op.results, self.assuming(result_types, op))))
        return [op], [Known(v, None, arguments, op, tuple(operands)) for v in op.results]

    def assuming(self, function: Callable[..., T], *arguments: Any) -> T:
        """The result of a function that may need conditions on open sizes, which runs then check."""
        while True:
            try:
                return function(*arguments)
            except NeedsCondition as needs:
                self.checks.append(Checked(needs.condition, needs.message))
                assume(needs.condition)

    def call(self, op: Op, operands: list[Known]) -> tuple[list[Op], list[Known]]:
        name, results = self.function(callee(op), operands)
        values = tuple(clone_value(v, r.value.type) for v, r in zip(op.results, results, strict=True))
        attributes = dict(op.attributes) | {callee_attribute(op): SymbolAttr((name,))}
        new = Op(op.name, tuple(k.value for k in operands), values, attributes, (), op.location)
        return [new], [Known(v, r.constant, r.arguments) for v, r in zip(values, results)]

    def loop(self, op: Op, operands: list[Known], rewriter: Rewriter) -> tuple[list[Op], list[Known]]:
        condition, body = op.regions
        # A carry that the body returns unchanged stays known, such as the trip count of a loop over a dimension.
        unchanged = [a is r for a, r in zip(body.arguments, body.ops[-1].operands)]
        regions: list[Region] = []
        returned: list[Known] = []
        for region in (condition, body):
            arguments = [
                Known(value, k.constant, k.arguments) if same else Known(value)
                for value, k, same in zip(clone_carries(region.arguments, operands), operands, unchanged, strict=True)
            ]
            new, returned = self.region(region, arguments, rewriter)
            regions.append(new)
        for number, (before, after) in enumerate(zip(operands, returned, strict=True)):
            if before.value.type != after.value.type:
                shapes = f"{before.value.type} to {after.value.type}"
                raise error_at(op, f"the body changes the type of carry {number} from {shapes} (C3)")
        carried = [k.value.type for k in operands]
        for values in (condition.arguments, body.arguments, op.results):
            if not are_compatible(carried, declared := [v.type for v in values]):
                raise error_at(op, f"the carries are {types_text(carried)}, but declared {types_text(declared)}")
        results = clone_carries(op.results, operands)
        new_op = replace(op, operands=tuple(k.value for k in operands), results=results, regions=tuple(regions))
        return [new_op], [
            Known(v, k.constant, k.arguments) if same else Known(v) for v, k, same in zip(results, operands, unchanged)
        ]

    def branches(self, op: Op, operands: list[Known], rewriter: Rewriter) -> tuple[list[Op], list[Known]]:
        regions, types = [], []
        for region in op.regions:
            new, returned = self.region(region, [], rewriter)
            regions.append(new)
            types.append([k.value.type for k in returned])
        if any(t != types[0] for t in types):
            raise error_at(op, "the branches return different shapes for these arguments", UnsupportedOp)
        declared = [v.type for v in op.results]
        if not are_compatible(types[0], declared):
            raise error_at(
                op, f"the branches return {types_text(types[0])}, but its declared types are {types_text(declared)}"
            )
        results = tuple(map(clone_value, op.results, types[0]))
        new_op = replace(op, operands=tuple(k.value for k in operands), results=results, regions=tuple(regions))
        return [new_op], [Known(v) for v in results]


def clone_carries(values: Sequence[Value], known: Sequence[Known]) -> tuple[Value, ...]:
    """New values for a loop's carries, with their static types."""
    return tuple(clone_value(v, k.value.type) for v, k in zip(values, known, strict=True))


def result_types(op: Op) -> list[Type]:
    """The static result types of an op with static operands, from its row; those of a custom call, from its rule."""
    name, declared = rule_name(op), [v.type for v in op.results]
    if name in OPS:
        try:
            shapes = check_op(OPS[name], op, attributes_of(op))
        except Violation as violation:
            raise error_at(op, str(violation)) from None
        if has(op, Trait.COLLECTIVE):  # groups that a file omits contain all processes: this one
            shapes = [
                merge_shapes(s, expect_tensor(v.type).shape) for s, v in zip(shapes, op.operands) if s is not None
            ]
    elif name in RULES and RULES[name].same_shapes and len(op.operands) >= len(declared):
        shapes = [t.shape if isinstance(t, TensorType) else None for t in (v.type for v in op.operands)]
    else:
        shapes = [None] * len(declared)
    found = [
        TensorType(s, t.element) if s is not None and isinstance(t, TensorType) else t for s, t in zip(shapes, declared)
    ]
    if any(map(unknown, found)):
        message = "its result's shape is unknown; expected indices_of_shape_operands or fixed shapes"
        raise error_at(op, message, UnsupportedOp)
    return found


def constant_key(constant: np.ndarray | None) -> object:
    if constant is not None and has_open_sizes(constant):
        return constant.shape, tuple(map(str, constant.flat))
    return None if constant is None else (constant.shape, str(constant.dtype), constant.tobytes())


def together(operands: Sequence[Known]) -> frozenset[int] | None:
    """The entry's arguments that determine all operands; None if one depends on anything else."""
    result: frozenset[int] = frozenset()
    for known in operands:
        if known.arguments is None:
            return None
        result |= known.arguments
    return result


def small_constant(op: Op) -> np.ndarray | None:
    value = op.attributes.get("value")
    if isinstance(value, DenseAttr) and value.data.size <= LARGEST_FOLDED and value.data.dtype.kind in "iubO":
        return np.ascontiguousarray(value.data).reshape(value.data.shape)
    return None


def constant_ops(op: Op, value: Value, constant: np.ndarray) -> list[Op]:
    """A folded op's result as a constant; a `!shape.shape` has no value at run time."""
    if isinstance(value.type, TensorType):
        data = constant if has_open_sizes(constant) else constant.astype(numpy_dtype(value.type.element))
        number = DenseAttr(value.type, data)
        return [stablehlo.constant.op((), [value], op.location, value=number)]
    if isinstance(value.type, ScalarType):
        return [arith.constant.op((), [value], op.location, value=IntegerAttr(int(constant), value.type))]
    return []
