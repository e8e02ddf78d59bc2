"""The table of rules, and how one op is lowered by its rule.

A rule's Python signature is the op's schema: operands positional, attributes keyword-only under the specification's
names, regions keyword-only in the op's order. An attribute that the rule does not name is an error, never ignored.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import UnsupportedOp, VerifyError
from ..ir import Attribute, ComplexType, DictAttr, Op, QuantizedType, Region, TensorType, Type, Value, about, error_at
from ..ir.dtypes import as_tensor, static_shape
from ..ir.rewrite import free_values
from ..ops import OPS, Monoid, Trait, has, monoid_of
from ..ops.attributes import plain
from ..ops.notes import is_note
from ..ops.types import per_axis
from ..tinygrad.dtypes import storage_dtype
from ..tinygrad.expressions import DType, Tensor, added_nodes, dtypes, unplaced
from .quantization import dequantized, quantized
from .storage import decode, encode, expressed
from .values import Complex, repeated


@dataclass(frozen=True)
class Rule:
    """The meaning of an op.

    `storage`: operands and results are in the form that buffers hold, else in that of arithmetic (values.py).
    `host`: it runs on the host, on numpy arrays, as a step of its own. `procedure`: says what that does, as data.
    `given`: which of the keywords in GIVEN it takes.
    """

    name: str
    function: Callable[..., Any]
    regions: tuple[str, ...]
    attributes: Mapping[str, bool]
    operands: tuple[int, int | None]
    storage: bool
    host: bool
    given: frozenset[str]
    procedure: Callable[..., Any] | None


RULES: dict[str, Rule] = {}
# Keywords that are no attributes: the declared types of the results and operands, and how the op is lowered.
GIVEN = frozenset(("out", "types", "lowering"))


@dataclass(frozen=True)
class Lowering:
    """What rules may know of the kernels that their ops become.

    `calls_c`: these are C that may call the functions of targets/c/elementary.c. `in_place`: an op that updates a part
    of its operands writes into their buffers, else into copies.
    """

    calls_c: bool = False
    in_place: bool = False

    def work(self, x: Tensor) -> DType:
        """The dtype in which an elementary function of x is evaluated: its own, but in C the wider one is as fast."""
        return dtypes.float64 if self.calls_c else x.dtype


PLAIN = Lowering()


def rule(
    *names: str,
    regions: tuple[str, ...] = (),
    storage: bool = False,
    host: bool = False,
    procedure: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as the rule of one or more ops.

    Args:
        names: the ops' names with dialect; "@target" is a custom call.
        regions: the keyword of each of the op's regions, in order; they arrive as `Body`.
        storage: take and return values in storage form, for rules that move data and do no arithmetic.
        host: take and return numpy arrays of the declared types; the operands are not to be written to.
        procedure: the same on arrays without numbers, to be recorded.

    The keywords in GIVEN are given when the signature has them.

    Raises:
        ValueError: an op has a rule already.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        parameters = inspect.signature(function).parameters.values()
        positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
        keywords = {p.name: p.default is p.empty for p in parameters if p.kind is p.KEYWORD_ONLY}
        for name in names:
            if name in RULES:
                raise ValueError(f"{name} has a rule already")
            RULES[name] = Rule(
                name,
                function,
                regions,
                {k: required for k, required in keywords.items() if k not in GIVEN and k not in regions},
                (len([p for p in positional if p.default is p.empty]), None if variadic else len(positional)),
                storage,
                host,
                GIVEN & keywords.keys(),
                procedure,
            )
        return function

    return register


# What a custom call says about its call rather than about its meaning. Layouts tell how a buffer holds a matrix; the
# rules see the matrix itself.
CONVENTION = OPS["stablehlo.custom_call"].attributes.keys() - {"backend_config", "called_computations"}
CONVENTION |= {"indices_of_shape_operands"}


def rule_name(op: Op) -> str:
    """The name under which the table has an op: a custom call's is its target, "@Sharding"."""
    if not has(op, Trait.CUSTOM):
        return op.name
    target = str(plain(op.attributes.get("call_target_name", None)))
    # An op of CHLO or MHLO that a compiler kept through StableHLO, as @mhlo.erf.
    dialect, _, name = target.partition(".")
    twins = (f"{d}.{name}" for d in ("chlo", "stablehlo") if dialect in ("chlo", "mhlo"))
    return next((twin for twin in twins if twin in RULES), f"@{target}")


def attributes_of(op: Op) -> Mapping[str, Attribute]:
    """An op's attributes, those of a custom call's configuration among them."""
    if not has(op, Trait.CUSTOM):
        return op.attributes
    result: dict[str, Attribute] = {}
    for name, attribute in op.attributes.items():
        if name in ("backend_config", "mhlo.backend_config", "mhlo.attributes") and isinstance(attribute, DictAttr):
            result.update(attribute.items)
        elif name not in CONVENTION and not (isinstance(found := plain(attribute), (str, tuple)) and not found):
            result[name] = attribute
    return result


def composed(op: Op) -> Op:
    """A composite as the op that its name says, where that has a rule: JAX exports chlo.top_k so."""
    name, attributes = (op.attributes.get(n) for n in ("name", "composite_attributes"))
    if not has(op, Trait.CALL) or plain(name) not in RULES:
        return op
    items = attributes.items if isinstance(attributes, DictAttr) else {}
    twin = Op(plain(name), op.operands, op.results, items, op.regions, op.location)
    return op if schema_problem(twin) else twin


def is_host(op: Op) -> bool:
    """Whether an op is a step of its own on the host: its rule says so, or it is a custom call of the user's."""
    found = RULES.get(rule_name(op))
    return has(op, Trait.CUSTOM) if found is None else found.host


def schema_problem(op: Op) -> str:
    """What is wrong with an op beside its rule's signature, or ''."""
    found = RULES[rule_name(op)]
    attributes = attributes_of(op)
    least, most = found.operands
    # Operands that tell the results' shapes are gone once these are known.
    shapes = plain(op.attributes.get("indices_of_shape_operands", None))
    count = len(op.operands) - (np.unique(shapes).size if isinstance(shapes, np.ndarray) else 0)
    if count < least or (most is not None and count > most):
        expected = f"{least}" if least == most else f"at least {least}" if most is None else f"{least} to {most}"
        return f"has {count} operands, expected {expected}"
    for name, required in found.attributes.items():
        if required and name not in attributes:
            return f"lacks the attribute '{name}'"
    for name, attribute in attributes.items():
        if name not in found.attributes and not is_note(name, attribute):
            return f"has the attribute '{name}', which its rule does not know; known are {sorted(found.attributes)}"
    if len(op.regions) != len(found.regions) and not (found.regions and found.regions[-1].startswith("*")):
        return f"has {len(op.regions)} regions, expected {len(found.regions)}"
    return ""


@dataclass(frozen=True)
class Body:
    """A region as a callable over values in storage form."""

    region: Region
    outer: Mapping[Value, Any]
    lowering: Lowering = PLAIN

    def __call__(self, *arguments: Any) -> list[Any]:
        values = dict(self.outer)
        values.update(zip(self.region.arguments, arguments, strict=True))
        return lower(self.region.ops, values, self.lowering)

    @property
    def operation(self) -> str:
        """The op's name when the region is one binary op on its two arguments, else ''.

        On quantized numbers no op is a monoid: each result is rounded to its scale.
        """
        if (
            len(self.region.arguments) != 2
            or len(self.region.ops) != 2
            or any(map(is_quantized, self.region.arguments))
        ):
            return ""
        op, terminator = self.region.ops
        if set(op.operands) != set(self.region.arguments) or terminator.operands != op.results:
            return ""
        return op.name

    @property
    def monoid(self) -> Monoid | None:
        return monoid_of(self.region.ops[0]) if self.operation else None


def lower(ops: Sequence[Op], values: dict[Value, Any], lowering: Lowering = PLAIN) -> list[Any]:
    """Lower ops in order, adding their results to `values`; the terminator's operands are the result.

    Values are in storage form. Lazy: nothing runs here.

    Raises:
        UnsupportedOp, VerifyError: with the place of the op.
    """
    for op in ops:
        operands = [values[operand] for operand in op.operands]
        if has(op, Trait.TERMINATOR):
            return operands
        values.update(zip(op.results, apply(op, operands, values, lowering), strict=True))
    return []


def apply(op: Op, operands: list[Any], values: Mapping[Value, Any], lowering: Lowering = PLAIN) -> list[Any]:
    """Lower one op by its rule, and check the results against the declared types."""
    found = RULES.get(rule_name(op))
    if found is None:
        raise error_at(op, "no rule for this op", UnsupportedOp)
    types = [as_tensor(operand.type) for operand in op.operands]
    out = [as_tensor(result.type) for result in op.results]
    with about(op):
        keywords = keywords_of(op, found)
        if "lowering" in found.given:
            keywords["lowering"] = lowering
        keywords.update({name: Body(region, values, lowering) for name, region in zip(found.regions, op.regions)})
        if found.storage:
            operands = quantized_alike(op, operands)
        else:
            operands = [decode(value, type) for value, type in zip(operands, types)]
        results = found.function(*operands, **keywords)
        results = list(results) if isinstance(results, (list, tuple)) else [results]
        if len(results) != len(out):
            raise VerifyError(f"gives {len(results)} results, {len(out)} are declared")
        if not found.storage:
            results = [encode(value, type) for value, type in zip(results, out)]
        for value, type in zip(results, out):
            check(value, type)
    return results


def is_quantized(value: Value) -> bool:
    return isinstance(value.type, TensorType) and isinstance(value.type.element, QuantizedType)


def quantized_alike(op: Op, operands: list[Any]) -> list[Any]:
    """Quantized operands in the results' quantized types (specification, dequantize_select_quantize and promotion)."""
    count = len(op.results)
    if op.name == "stablehlo.bitcast_convert" or not any(map(is_quantized, op.results)) or len(operands) % count:
        return operands
    alike = []
    for i, (value, operand) in enumerate(zip(operands, op.operands)):
        source, target = operand.type, op.results[i % count].type
        if is_quantized(operand) and is_quantized(op.results[i % count]):
            assert isinstance(source, TensorType) and isinstance(target, TensorType)
            if source.element != target.element and not per_axis(target.element):
                value = encode(decode(value, source), replace(source, element=target.element))
        alike.append(value)
    return alike


def keywords_of(op: Op, found: Rule) -> dict[str, Any]:
    """The keywords that a rule is called with, beside its regions."""
    keywords = {name: plain(a) for name, a in attributes_of(op).items() if name in found.attributes}
    for name, values in (("out", op.results), ("types", op.operands)):
        if name in found.given:
            stored = [as_tensor(value.type) for value in values]
            keywords[name] = stored if found.storage else [expressed(type) for type in stored]
    return keywords


def apply_host(op: Op, arrays: Sequence[Any]) -> list[Any]:
    """Run an op's host rule on numpy arrays."""
    found = RULES[rule_name(op)]
    arrays = [dequantized(array, operand.type) for array, operand in zip(arrays, op.operands)]
    with about(op), np.errstate(all="ignore"):
        results = found.function(*arrays, **keywords_of(op, found))
    results = list(results) if isinstance(results, (list, tuple)) else [results]
    return [quantized(array, result.type) for array, result in zip(results, op.results)]


def inferred_types(op: Op) -> list[Type]:
    """The result types of an op whose operands' shapes are known: those that its rule gives."""
    values = {v: placeholder(v.type) for v in free_values(op)}
    results = apply(op, [values[v] for v in op.operands], values)
    return [
        TensorType(tuple(int(d) for d in value.shape), v.type.element) if isinstance(v.type, TensorType) else v.type
        for value, v in zip(results, op.results)
    ]


def graph_size(op: Op, lowering: Lowering) -> int:
    """The number of nodes that an op adds to tinygrad's graph.

    Raises:
        UnsupportedOp, VerifyError: see `lower`.
    """
    values = {v: placeholder(v.type) for v in free_values(op)}
    results = apply(op, [values[v] for v in op.operands], values, lowering)
    return added_nodes(halves(values.values()), halves(results))


def halves(values: Iterable[Any]) -> list[Tensor]:
    """Each complex value as its two halves."""
    return [half for v in values for half in ((v.real, v.imag) if isinstance(v, Complex) else (v,))]


def placeholder(type: Type) -> Any:
    """A value of a type in storage form, that has no numbers."""
    type = as_tensor(type)
    if not isinstance(type, TensorType):
        return repeated(False, (), dtypes.bool)
    parts = [unplaced(static_shape(type), storage_dtype(type.element)) for _ in "ri"]
    return Complex(*parts) if isinstance(type.element, ComplexType) else parts[0]


def type_name(value: object) -> str:
    return type(value).__name__


def check(value: Any, type: Type) -> None:
    """Compare a result with its declared type: tinygrad is lazy and promotes types in silence."""
    if not isinstance(type, TensorType):
        return
    if isinstance(value, Complex):
        shape, dtype = value.real.shape, value.real.dtype
    elif isinstance(value, Tensor):
        shape, dtype = value.shape, value.dtype
    else:
        raise VerifyError(f"gives {type_name(value)}, declared is {type}")
    # A declared dimension that is not known is what `inferred_types` asks for.
    fits = len(shape) == len(type.shape) and all(d is None or d == s for s, d in zip(shape, type.shape))
    if not fits or dtype != storage_dtype(type.element):
        raise VerifyError(f"gives shape {tuple(shape)} of {dtype}, declared is {type}")
