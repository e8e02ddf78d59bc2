"""Ops that take shapes as operands, and the static op that each becomes once those operands are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InputError, UnsupportedOp
from ..ir import ArrayAttr, DenseAttr, DictAttr, Module, Op, Region, ScalarType, StringAttr, TensorType, Value, error_at
from ..ir.dtypes import expect_tensor, static_shape
from ..ir.rewrite import clone_value, with_shape
from ..ir.sizes import Condition, Size, largest
from ..ops import OPS, Monoid, monoid_of
from ..ops.attributes import plain
from ..ops.build import I32, Builder, Term, attribute, chlo, stablehlo
from ..ops.definition import shape_text
from ..records import dataclass
from ..rules.control import WITNESS


class NeedsValues(Exception):
    """Shapes depend on the values of these arguments of the entry function."""

    def __init__(self, arguments: frozenset[int]) -> None:
        self.arguments = arguments


class Checked(Exception):
    """A constraint of the file that the sizes of a run can break: the condition that has to hold, and a message."""

    def __init__(self, condition: Condition, message: str) -> None:
        self.condition, self.message = condition, message


@dataclass(frozen=True)
class Known:
    """What is known about a value before the program runs.

    `value` has its static type. `constant` is its contents if they are known. `arguments` are the entry function's
    arguments that determine them; None if they depend on anything else. `op` is the one that computes it, if that is in
    the same region, from `operands`.
    """

    value: Value
    constant: np.ndarray | None = None
    arguments: frozenset[int] | None = None
    op: Op | None = None
    operands: tuple[Known, ...] = ()


COMPUTED_LATE = "on values that the program computes as it runs; hlo2tiny needs shapes before it runs"


def constant_of(op: Op, known: Known, what: str) -> np.ndarray:
    """The contents of an operand that a shape depends on; `what` names it in errors."""
    if known.constant is not None:
        return known.constant
    if known.arguments:
        raise NeedsValues(known.arguments)
    raise error_at(op, f"{what} depends {COMPUTED_LATE}", UnsupportedOp)


def sizes(op: Op, known: Known, what: str) -> tuple[int, ...]:
    """The contents of an operand that is a list of sizes."""
    constant = constant_of(op, known, what)
    if constant.ndim > 1:
        raise error_at(op, f"{what} is {known.value.type}, expected a tensor of rank 1")
    listed = tuple(n if isinstance(n, Size) else int(n) for n in constant.reshape(-1))
    if any(n < 0 for n in listed):
        raise error_at(op, f"{what} is {list(listed)}, expected no negative sizes", InputError)
    return listed


def static(module: Module, op: Op, operands: list[Known]) -> Op:
    """The op that replaces an op whose last operands are its result's shape or attributes, as its row says."""
    row = OPS[op.name]
    twin, count = OPS[row.static], len(operands) - len(row.late)
    attributes = {n: a for n, a in op.attributes.items() if n in twin.attributes or n not in row.attributes}
    (result,) = op.results
    for name, known in zip(row.late, operands[count:]):
        if name == "shape":
            shape = sizes(op, known, "the result's shape")
            expect_compatible(op, result, shape)
            result = with_shape(result, shape)
        else:
            numbers = constant_of(op, known, f"the {name}").reshape(-1).tolist()
            attributes[name] = twin.attributes[name].encode(numbers)
    return Op(row.static, op.operands[:count], (result,), attributes, op.regions, op.location)


def expect_compatible(op: Op, value: Value, shape: Sequence[int | None]) -> None:
    declared = expect_tensor(value.type)
    if len(declared.shape) != len(shape) or any(d not in (None, s) for d, s in zip(declared.shape, shape)):
        text = shape_text(tuple(shape))
        raise error_at(op, f"the result has the shape {text}, but its declared type is {declared}", InputError)


def real_dynamic_slice(module: Module, op: Op, operands: list[Known]) -> Op | list[Op]:
    """A slice; if a run computes where it begins, but its sizes are known, a dynamic slice."""
    x, start, limit, strides = operands
    added = [k for k in limit.operands if k.value is not start.value and k.constant is not None]
    is_sum = limit.op is not None and monoid_of(limit.op) is Monoid.SUM and len(added) == 1
    if start.constant is not None or not is_sum or any(n != 1 for n in sizes(op, strides, "the strides")):
        return static(module, op, operands)
    shape, build = sizes(op, added[0], "the result's shape"), Builder(op.location)
    expect_compatible(op, op.results[0], shape)
    spare = [a - b for a, b in zip(static_shape(x.value.type), shape)]
    starts = [start_of(build, start, i, most) for i, most in enumerate(spare)]
    stablehlo.dynamic_slice(build.term(x.value), *starts, slice_sizes=shape)
    return build.ops


def start_of(build: Builder, indices: Known, number: int, most: int) -> Term:
    """One of several indices, which its reader clamps to 0 … `most`."""
    element = expect_tensor(indices.value.type).element
    if most == 0:
        return build.fill(0, TensorType((), element))
    op, parts = indices.op, indices.operands
    if op is not None and op.name == stablehlo.clamp.name:
        low, high = (k.constant for k in (parts[0], parts[2]))
        if low is not None and high is not None and (low.flat[number], high.flat[number]) == (0, most):
            return start_of(build, parts[1], number, most)
    if op is not None and op.name == stablehlo.concatenate.name:
        for part in parts:
            (size,) = static_shape(part.value.type)
            if number < size:
                return start_of(build, part, number, most)
            number -= size
    if op is not None and op.name == stablehlo.reshape.name and not static_shape(parts[0].value.type):
        return build.term(parts[0].value)
    return build.term(indices.value).slice([number], [number + 1]).reshape(())


def get_dimension_size(module: Module, op: Op, operands: list[Known]) -> Op:
    type, dimension = expect_tensor(op.operands[0].type), int(plain(op.attributes["dimension"]))
    if largest(extent := type.shape[dimension] or 0) > np.iinfo(np.int32).max:
        raise error_at(op, f"dimension {dimension} has {extent:,} elements, which does not fit the result, tensor<i32>")
    size = np.array(extent, object if isinstance(extent, Size) else np.int32)
    value = DenseAttr(TensorType((), I32), size)
    return stablehlo.constant.op((), op.results, op.location, value=value)


def set_dimension_size(module: Module, op: Op, operands: list[Known]) -> Op:
    type, dimension = expect_tensor(op.operands[0].type), int(plain(op.attributes["dimension"]))
    shape = [d or 0 for d in type.shape]
    (size,) = sizes(op, operands[1], "the dimension's size")
    shape[dimension] = size
    if size > (type.shape[dimension] or 0):
        message = f"grows dimension {dimension} from {type.shape[dimension]} to {size}; its new elements have no values"
        raise error_at(op, message, UnsupportedOp)
    # If bounds are declared, the declared size is the upper bound.
    value = with_shape(op.results[0], shape)
    cut: dict[str, Any] = {"start_indices": [0] * len(shape), "limit_indices": shape, "strides": [1] * len(shape)}
    return stablehlo.slice.op(op.operands[:1], [value], op.location, **cut)


def shape_assertion(module: Module, op: Op, operands: list[Known]) -> None:
    """Check a constraint on dimensions that `jax.export` has written."""
    holds = constant_of(op, operands[0], "the assertion").item()
    if isinstance(holds, Condition) or not holds:
        text = plain(op.attributes.get("error_message", StringAttr("the shapes break a constraint of the model")))
        later = isinstance(holds, Condition)  # by a run, whose sizes are not in the message
        found = [str(k.constant) if k.constant is not None else "?" for k in operands[1:]]
        numbers = ["another number" for _ in found] if later else found
        message = re.sub(r"\{(\d+)\}", lambda m: numbers[int(m[1])] if int(m[1]) < len(numbers) else m[0], str(text))
        raise Checked(holds, concise(message, not later)) if later else InputError(concise(message))


JAXS_MESSAGE = re.compile(
    r"Input shapes do not match the (?:polymorphic shapes specification\.|symbolic shape) (?P<what>.*?)\.? +"
    r"Using the following polymorphic shapes specifications: (?P<shapes>.*?)\. "
    r"Obtained dimension variables: (?P<variables>.*?)[ ,]*\. Please see .*",
    re.DOTALL,
)


def concise(message: str, with_sizes: bool = True) -> str:
    """The message of a failed assertion, shortened if jax.export wrote it; `with_sizes` says which sizes broke it."""
    match = JAXS_MESSAGE.fullmatch(message)
    if match is None:
        return message
    variables = f"; {match['variables']}" if match["variables"] and with_sizes else ""
    return f"the arguments' shapes do not match the export: {match['what']}; exported for {match['shapes']}{variables}"


def cstr_broadcastable(module: Module, op: Op, operands: list[Known]) -> None:
    shapes = [sizes(op, k, "a shape") for k in operands]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        raise error_at(op, f"the shapes {', '.join(map(str, shapes))} do not broadcast", InputError) from None


def cstr_eq(module: Module, op: Op, operands: list[Known]) -> None:
    shapes = [sizes(op, k, "a shape") for k in operands]
    if any(shape != shapes[0] for shape in shapes):
        raise error_at(op, f"the shapes {', '.join(map(str, shapes))} are not equal", InputError)


def cstr_require(module: Module, op: Op, operands: list[Known]) -> None:
    if not constant_of(op, operands[0], "the constraint"):
        raise error_at(op, str(plain(op.attributes["msg"])), InputError)


def dynamic_rng_bit_generator(module: Module, op: Op, operands: list[Known]) -> Op:
    shape = sizes(op, operands[1], "the result's shape")
    state, bits = op.results
    results = clone_value(state, op.operands[0].type), with_shape(bits, shape)
    algorithm = op.attributes["rng_algorithm"]
    return stablehlo.rng_bit_generator.op(op.operands[:1], results, op.location, rng_algorithm=algorithm)


def dynamic_top_k(module: Module, op: Op, operands: list[Known]) -> Op:
    (k,) = sizes(op, operands[1], "k")
    attributes: dict[str, Any] = {name: a for name, a in op.attributes.items() if name == "is_stable"}
    return chlo.top_k.op(op.operands[:1], op.results, op.location, k=k, **attributes)


def with_shapes(op: Op, operands: list[Known]) -> tuple[Op, list[Known]]:
    """A custom call without the operands that hold its results' shapes."""
    indices = [int(i) for i in np.asarray(plain(op.attributes["indices_of_shape_operands"])).reshape(-1)]
    if len(indices) != len(op.results) or not all(0 <= p < len(operands) for p in indices):
        raise error_at(op, f"indices_of_shape_operands is {indices}, expected an operand for each of its results")
    results = []
    for value, index in zip(op.results, indices):
        shape = sizes(op, operands[index], "the result's shape")
        expect_compatible(op, value, shape)
        results.append(with_shape(value, shape))
    data = [k for i, k in enumerate(operands) if i not in indices]
    attributes = {n: a for n, a in op.attributes.items() if n != "indices_of_shape_operands"}
    layouts = attributes.get("operand_layouts")
    if isinstance(layouts, ArrayAttr):
        attributes["operand_layouts"] = ArrayAttr(tuple(a for i, a in enumerate(layouts.items) if i not in indices))
    return replace(op, operands=tuple(k.value for k in data), results=tuple(results), attributes=attributes), data


def dynamic_approx_top_k(module: Module, op: Op, operands: list[Known]) -> Op:
    """ApproxTopK, with k as the last operand."""
    (k,) = sizes(op, operands[-1], "k")
    configuration = op.attributes.get("mhlo.backend_config")
    items = dict(configuration.items) if isinstance(configuration, DictAttr) else {}
    attributes = dict(op.attributes) | {
        "call_target_name": StringAttr("ApproxTopK"),
        "mhlo.backend_config": DictAttr(items | {"top_k": attribute(k)}),
    }
    return replace(op, operands=op.operands[:-1], attributes=attributes)


def dynamic_reduce_window(module: Module, op: Op, operands: list[Known]) -> Op:
    """The operands are inputs, init values, window sizes, strides, base dilations, window dilations and padding."""
    inputs = (len(operands) - 5) // 2
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    attributes: dict[str, Any] = {n: sizes(op, k, f"the {n}") for n, k in zip(names, operands[2 * inputs :])}
    attributes["padding"] = constant_of(op, operands[-1], "the padding").reshape(-1, 2)
    (name,) = plain(op.attributes["called_computations"])
    body = module.functions[name].code
    *ops, end = body.ops
    region = Region(body.arguments, (*ops, stablehlo.return_.op(end.operands, (), end.location)))
    return stablehlo.reduce_window.op(op.operands[: 2 * inputs], op.results, op.location, [region], **attributes)


@dataclass(frozen=True)
class Dynamic:
    """How an op becomes static ones (None removes it), and the schema of ops that have no row in `ops`."""

    function: Callable[[Module, Op, list[Known]], Op | list[Op] | None]
    operands: int | None = None
    attributes: tuple[str, ...] = ()


# Names after "@" are targets of custom calls.
DYNAMIC = {name: Dynamic(static) for name, row in OPS.items() if row.late} | {
    "stablehlo.get_dimension_size": Dynamic(get_dimension_size),
    "stablehlo.real_dynamic_slice": Dynamic(real_dynamic_slice),
    "stablehlo.set_dimension_size": Dynamic(set_dimension_size),
    "shape.cstr_broadcastable": Dynamic(cstr_broadcastable),
    "shape.cstr_eq": Dynamic(cstr_eq),
    "shape.cstr_require": Dynamic(cstr_require, 1, ("msg",)),
    "cf.assert": Dynamic(cstr_require, 1, ("msg",)),
    "@shape_assertion": Dynamic(shape_assertion),
    "@stablehlo.dynamic_approx_top_k": Dynamic(dynamic_approx_top_k),
    "@stablehlo.dynamic_reduce_window": Dynamic(dynamic_reduce_window, None, ("called_computations",)),
    "@stablehlo.dynamic_rng_bit_generator": Dynamic(dynamic_rng_bit_generator, 2, ("rng_algorithm",)),
    "@stablehlo.dynamic_top_k": Dynamic(dynamic_top_k, 2),
}


def dynamic_problem(op: Op, name: str) -> str:
    """What is wrong with the operands, results or attributes of an op of the table, or ''."""
    expected = DYNAMIC[name]
    if expected.operands is not None and len(op.operands) != expected.operands:
        return f"has {len(op.operands)} operands, expected {expected.operands}"
    if not op.operands:
        return "has 0 operands, expected at least 1"
    if name.startswith("shape.") and [v.type for v in op.results] != [WITNESS]:
        return "must have one result, of type !shape.witness"
    if "msg" in expected.attributes and op.operands[0].type != ScalarType("i1"):
        return f"its condition is {op.operands[0].type}, expected i1"
    if not isinstance(op.attributes.get("msg", StringAttr("")), StringAttr):
        return f"msg is {op.attributes['msg']}, expected a string"
    missing = [a for a in expected.attributes if a not in op.attributes]
    return f"lacks the attribute '{missing[0]}'" if missing else ""
