"""The table of rules, and how one op is lowered by its rule.

A rule's Python signature is the op's schema: operands are positional, attributes are keyword-only under the
specification's names, and regions are keyword-only in the op's order. Attributes that an op leaves out have the
defaults of its row; custom calls have no row, so only their rules have defaults. An attribute that neither the
signature nor `ignored` names is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np

from ..errors import UnsupportedOp, VerifyError
from ..ir import (
    Attribute,
    ComplexType,
    DictAttr,
    Op,
    QuantizedType,
    Region,
    ScalarType,
    TensorType,
    Type,
    Value,
    about,
    error_at,
)
from ..ir.dtypes import as_tensor, static_shape
from ..ir.rewrite import free_values
from ..ops import OPS, Monoid, Trait, find_violation, has, monoid_of, schema_of
from ..ops.attributes import plain
from ..ops.control import TYPED
from ..ops.definition import range_text
from ..ops.types import per_axis
from ..records import dataclass
from ..signatures import Parameters, parameters_of
from ..tinygrad.dtypes import NARROW_FLOATS, NarrowFloat, storage_dtype
from ..tinygrad.expressions import DType, Tensor, added_nodes, dtypes, make_unplaced
from .quantization import dequantize_on_host, quantize_on_host
from .storage import decode, encode, express_type
from .values import AnyTensor, Complex, halves, repeat_number

# A rule's function, from operands and keywords to one result or several.
RuleFunction: TypeAlias = Callable[..., Any]
F = TypeVar("F", bound=RuleFunction)


@dataclass(frozen=True)
class Rule:
    """The meaning of an op; see `rule` for the arguments with which it is registered.

    `attributes`: the names of the attributes that the op may have, and whether it must. `operands`: how many it has at
    least and at most. `context`: which of the keywords in CONTEXT the function takes.
    """

    name: str
    function: RuleFunction
    regions: tuple[str, ...]
    attributes: Mapping[str, bool]
    ignored: frozenset[str]
    operands: tuple[int, int | None]
    storage: bool
    host: bool
    same_shapes: bool
    context: frozenset[str]
    procedure: RuleFunction | None
    bits: RuleFunction | None


RULES: dict[str, Rule] = {}
# The declared types of an op's operands or results.
Types: TypeAlias = Sequence[TensorType]
# Keywords that are not attributes: the declared types of the results and of the operands, and how the op is lowered.
CONTEXT = frozenset(("out", "types", "lowering"))
Functions: TypeAlias = Callable[[str, DType, bool], str | None]


@dataclass(frozen=True)
class Lowering:
    """What rules may know about the kernels that their ops become.

    `native`: our own renderers print the kernels, for a compiler of the target's language. `in_place`: an op that
    updates part of its operands writes into their buffers; otherwise it writes into copies. `parallel`: kernels run
    on many threads, so an op may do more work in fewer dependent steps. `in_order`: the order in which floats are added
    depends on nothing but how many of them there are. `int64`: kernels may compute with int64.
    `epilogue`: what an op that reads elements computes of each. `as_read`: those who read the elements of a gather's
    result compute where they lie. `few`: so few elements of what is computed are read that no others should be
    computed. `function`: the name of the function that kernels call
    instead of computing a formula, or None, given the formula's name (see functions.py), the dtype of the operands, and
    whether they have one element.
    """

    native: bool = False
    in_place: bool = False
    parallel: bool = False
    in_order: bool = False
    int64: bool = True
    epilogue: Epilogue | None = None
    as_read: bool = False
    few: bool = False
    function: Functions = lambda name, dtype, alone: None

    def work(self, x: Tensor) -> DType:
        """The dtype in which an elementary function of x is evaluated: double on the CPU, as fast there, else x's."""
        return dtypes.float64 if self.on_processor else x.dtype

    @property
    def on_processor(self) -> bool:
        """Whether the kernels are native code for the CPU."""
        return self.native and not self.parallel

    def short_float(self, type: Type) -> NarrowFloat | None:
        """The format of floats of 16 bits, if kernels compare them by their bits: twice as many as float32 at once."""
        if not (self.on_processor and isinstance(type, TensorType) and is_short(type)):
            return None
        return NARROW_FLOATS[str(type.element)]


def is_short(type: TensorType) -> bool:
    """Whether it has floats of 16 bits."""
    return type.element in (ScalarType("f16"), ScalarType("bf16"))


PLAIN = Lowering()


def rule(
    *names: str,
    regions: tuple[str, ...] = (),
    ignored: Sequence[str] = (),
    storage: bool = False,
    host: bool = False,
    same_shapes: bool = False,
    procedure: RuleFunction | None = None,
    bits: RuleFunction | None = None,
    parameters: Parameters | None = None,
) -> Callable[[F], F]:
    """Register a function as the rule of one or more ops.

    The function is called with the op's operands, attributes and regions, and with those keywords in CONTEXT that its
    signature has.

    Args:
        names: the ops' names with dialect; "@target" is a custom call.
        regions: the keyword of each of the op's regions, in order; the function gets them as `Body`.
        ignored: attributes and regions of the op that change no number; the function does not get them.
        storage: the function takes and returns values in storage form, because it moves data and does no arithmetic.
            By default they are in compute form.
        host: the function runs on the host as a step of its own. It takes and returns numpy arrays of the declared
            types, and must not write to the operands.
        same_shapes: of a custom call, which has no row: its results have the shapes of its first operands.
        procedure: does the same with arrays that have no numbers, so that its LAPACK calls can be recorded. Its first
            parameter is the record; the others are the rule's.
        bits: does the same with `short_float`s in storage form; it takes their format first.
        parameters: those of the function, if its signature does not say them.

    Raises:
        ValueError: one of the ops has a rule already.
    """

    def register(function: F) -> F:
        own = parameters or parameters_of(procedure or function)
        keywords, positional = own.keywords, [*own.positional.values()][procedure is not None :]
        for name in names:
            if name in RULES:
                raise ValueError(f"{name} has a rule already")
            known = {**keywords, **dict.fromkeys(ignored, False)}
            RULES[name] = Rule(
                name,
                function,
                regions,
                {k: v for k, v in known.items() if k not in {*CONTEXT, *regions}},
                frozenset(ignored),
                (sum(positional), None if own.variadic else len(positional)),
                storage,
                host,
                same_shapes,
                CONTEXT & keywords.keys(),
                procedure,
                bits,
            )
        return function

    return register


# A custom call's attributes that describe the call and not its meaning. Layouts, too: they say how a buffer holds a
# matrix, but rules see the matrix itself.
CONVENTION = OPS["stablehlo.custom_call"].attributes.keys() - {"backend_config", "called_computations"}
CONVENTION |= {"indices_of_shape_operands"}


def rule_name(op: Op) -> str:
    """The name of an op in `RULES`; that of a custom call is its target, such as "@Sharding"."""
    if not has(op, Trait.CUSTOM):
        return op.name
    target = str(plain(op.attributes.get("call_target_name", None)))
    # A compiler may carry an op of CHLO or MHLO through StableHLO as a custom call, such as @mhlo.erf.
    dialect, _, name = target.partition(".")
    twins = (f"{d}.{name}" for d in ("chlo", "stablehlo") if dialect in ("chlo", "mhlo"))
    return next((twin for twin in twins if twin in RULES), f"@{target}")


def attributes_of(op: Op) -> Mapping[str, Attribute]:
    """An op's attributes, including those in the configuration of a custom call."""
    if not has(op, Trait.CUSTOM):
        return op.attributes
    result: dict[str, Attribute] = {}
    for name, attribute in op.attributes.items():
        if name in ("backend_config", "mhlo.backend_config", "mhlo.attributes") and isinstance(attribute, DictAttr):
            result.update((n, a) for n, a in attribute.items.items() if "." not in n)  # others are discardable
        elif name not in CONVENTION and not (isinstance(value := plain(attribute), str | tuple) and not value):
            result[name] = attribute
    return result


def is_typed(op: Op) -> bool:
    """Whether a custom call is for a handler of XLA's typed FFI; JAX says so by the name of its configuration."""
    version, dictionary = plain(op.attributes.get("api_version")), op.attributes.get("mhlo.backend_config")
    return version == TYPED or isinstance(dictionary, DictAttr)


def resolve_composite(op: Op) -> Op:
    """A composite as the op that it is named after, if that has a rule; JAX exports chlo.top_k like this."""
    name, attributes = (op.attributes.get(n) for n in ("name", "composite_attributes"))
    if not has(op, Trait.CALL) or plain(name) not in RULES:
        return op
    items = attributes.items if isinstance(attributes, DictAttr) else {}
    twin = Op(plain(name), op.operands, op.results, items, op.regions, op.location)
    return op if find_violation(twin, twin.name, items) else twin


def is_host(op: Op) -> bool:
    """Whether an op is a step of its own on the host: because of its rule, or as one of the user's custom calls."""
    entry = RULES.get(rule_name(op))
    return has(op, Trait.CUSTOM) if entry is None else entry.host


def schema_problem(op: Op) -> str:
    """How a custom call differs from its rule's signature, or ''."""
    entry = RULES[rule_name(op)]
    attributes = attributes_of(op)
    schema = schema_of(op.name)
    least, most = entry.operands
    # Operands that give the results' shapes have been removed once the shapes are known.
    shapes = plain(op.attributes.get("indices_of_shape_operands", None))
    count = len(op.operands) - (np.unique(shapes).size if isinstance(shapes, np.ndarray) else 0)
    if count < least or (most is not None and count > most):
        return f"has {count} operands, expected {range_text(least, most)}"
    for name, required in entry.attributes.items():
        if required and name not in attributes:
            return f"lacks the attribute '{name}'"
    for name in attributes:
        # A call's configuration is its target's; apart from that, unknown attributes are discardable.
        if name not in entry.attributes and (name not in op.attributes or (schema and name in schema.written)):
            return f"has the unknown attribute '{name}'; its attributes are {sorted(entry.attributes)}"
    if len(op.regions) != len(entry.regions):
        return f"has {len(op.regions)} regions, expected {len(entry.regions)}"
    return ""


@dataclass(frozen=True)
class Body:
    """A region as a callable over values in storage form."""

    region: Region
    outer: Mapping[Value, AnyTensor]
    lowering: Lowering = PLAIN

    def __call__(self, *arguments: AnyTensor) -> list[AnyTensor]:
        values = dict(self.outer)
        values.update(zip(self.region.arguments, arguments, strict=True))
        return lower(self.region.ops, values, self.lowering)

    @property
    def operation(self) -> str:
        """The name of the op if the region is one binary op on its two arguments, else ''.

        It is '' for quantized numbers, too: there no op is a monoid, because each result is rounded to its scale.
        """
        arguments, ops = self.region.arguments, self.region.ops
        if len(arguments) != 2 or len(ops) != 2 or any(map(is_quantized, arguments)):
            return ""
        op, terminator = ops
        return op.name if set(op.operands) == set(arguments) and terminator.operands == op.results else ""

    @property
    def monoid(self) -> Monoid | None:
        return monoid_of(self.region.ops[0]) if self.operation else None


@dataclass(frozen=True)
class Epilogue:
    """What becomes of each element that an op reads: a region of it and of the same element of other values."""

    body: Body
    others: Sequence[AnyTensor]
    type: TensorType


def lower(ops: Sequence[Op], values: dict[Value, AnyTensor], lowering: Lowering = PLAIN) -> list[AnyTensor]:
    """Lower ops in order, add their results to `values`, and return the terminator's operands.

    Values are in storage form. They are lazy: nothing runs here.

    Raises:
        UnsupportedOp, VerifyError: with the location of the op.
    """
    for op in ops:
        operands = [values[operand] for operand in op.operands]
        if has(op, Trait.TERMINATOR):
            return operands
        values.update(zip(op.results, apply(op, operands, values, lowering), strict=True))
    return []


def apply(
    op: Op, operands: list[AnyTensor], values: Mapping[Value, AnyTensor], lowering: Lowering = PLAIN
) -> list[AnyTensor]:
    """Lower one op by its rule, and check the results against the declared types."""
    entry = RULES.get(rule_name(op))
    if entry is None:
        raise error_at(op, "no rule for this op", UnsupportedOp)
    types = [as_tensor(operand.type) for operand in op.operands]
    out = [as_tensor(result.type) for result in op.results]
    with about(op):
        keywords = keywords_of(op, entry)
        if "lowering" in entry.context:
            keywords["lowering"] = lowering
        bodies = zip(entry.regions, op.regions)
        keywords.update({n: Body(region, values, lowering) for n, region in bodies if n not in entry.ignored})
        form = lowering.short_float(out[0]) if entry.bits else None
        function, storage = (
            (partial(entry.bits, form), True) if entry.bits and form else (entry.function, entry.storage)
        )
        if storage:
            operands = align_quantized(op, operands)
        else:
            operands = [decode(value, type) for value, type in zip(operands, types)]
        results = as_list(function(*operands, **keywords))
        if len(results) != len(out):
            raise VerifyError(f"has {len(results)} results, but {len(out)} are declared")
        if not storage:
            results = [encode(value, type) for value, type in zip(results, out)]
        for value, type in zip(results, out):
            check(value, type)
    return results


def as_list(results: Any) -> list[Any]:
    """What a rule returned, one result or several, as a list."""
    return list(results) if isinstance(results, (list, tuple)) else [results]


def is_quantized(value: Value) -> bool:
    return isinstance(value.type, TensorType) and isinstance(value.type.element, QuantizedType)


def align_quantized(op: Op, operands: list[AnyTensor]) -> list[AnyTensor]:
    """Convert quantized operands to the results' quantized types (specification: dequantize_select_quantize)."""
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


def keywords_of(op: Op, entry: Rule) -> dict[str, Any]:
    """The keyword arguments of a rule's function, except for regions and `lowering`."""
    attributes, row = attributes_of(op), OPS.get(entry.name)
    defaults = {} if row is None else {n: kind.default for n, kind in row.attributes.items() if not kind.required}
    given = defaults | {name: plain(attribute) for name, attribute in attributes.items()}
    keywords = {name: given[name] for name in entry.attributes.keys() - entry.ignored if name in given}
    for name, values in (("out", op.results), ("types", op.operands)):
        if name in entry.context:
            stored = [as_tensor(value.type) for value in values]
            keywords[name] = stored if entry.storage else [express_type(type) for type in stored]
    return keywords


def apply_host(op: Op, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Run an op's host rule on numpy arrays."""
    entry = RULES[rule_name(op)]
    arrays = [dequantize_on_host(array, operand.type) for array, operand in zip(arrays, op.operands)]
    with about(op), np.errstate(all="ignore"):
        results = as_list(entry.function(*arrays, **keywords_of(op, entry)))
    return [quantize_on_host(array, result.type) for array, result in zip(results, op.results)]


def graph_size(op: Op, lowering: Lowering) -> int:
    """The number of nodes that an op adds to tinygrad's graph. Raises what `lower` raises."""
    values = {v: placeholder(v.type) for v in free_values(op)}
    results = apply(op, [values[v] for v in op.operands], values, lowering)
    return added_nodes(halves(values.values()), halves(results))


def placeholder(type: Type) -> AnyTensor:
    """A value of a type, in storage form, that has no numbers."""
    type = as_tensor(type)
    if not isinstance(type, TensorType):
        return repeat_number(False, (), dtypes.bool)
    parts = [make_unplaced(static_shape(type), storage_dtype(type.element)) for _ in "ri"]
    return Complex(*parts) if isinstance(type.element, ComplexType) else parts[0]


def check(value: AnyTensor, type: Type) -> None:
    """Compare a result with its declared type: tinygrad is lazy and promotes types without a warning."""
    if not isinstance(type, TensorType):
        return
    half = value.real if isinstance(value, Complex) else value
    if not isinstance(half, Tensor):
        raise VerifyError(f"the result is a {half.__class__.__name__}, but its declared type is {type}")
    if half.shape != type.shape or half.dtype != storage_dtype(type.element):
        dtype = "" if half.dtype == storage_dtype(type.element) else f" of {half.dtype.name}"
        raise VerifyError(f"the result has the shape {list(half.shape)}{dtype}, but its declared type is {type}")
