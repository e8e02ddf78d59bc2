"""Checks a module before anything runs, and reports all problems at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from math import prod

from ..errors import Error, UnsupportedOp, VerifyError, about_file
from ..ir import (
    ArrayAttr,
    DialectAttr,
    Function,
    FutureType,
    Module,
    Op,
    OpaqueType,
    Region,
    SymbolAttr,
    TensorType,
    TokenType,
    TupleType,
    Type,
    about,
    error_at,
    walk,
)
from ..ir.dtypes import as_tensor, bit_width
from ..ir.entry import entry_function
from ..ops import OPS, Trait, find_violation, has, names_with
from ..rules import RULES, schema_problem
from ..rules.control import CONTROL, callee, control_problem
from ..rules.registry import attributes_of, rule_name
from ..specialise.dynamic import DYNAMIC, dynamic_problem
from ..tinygrad.dtypes import storage_dtype
from ..versions import known
from .refused import REFUSED, refusal
from .structure import SEVERAL_BLOCKS, STRUCTURED, structure_problem, structured

LISTED = 20
MOST_DIMENSIONS = 64  # of an array of numpy's
MOST_BITS = 8 << 62  # of which memory can be asked for
# Ops that need no rule: custom calls have one each.
NEITHER = Trait.TERMINATOR | Trait.SHAPES | Trait.CUSTOM
# What shape arithmetic has beside tensors; nothing of it is left when a program runs.
SHAPES = (OpaqueType("!shape.shape"), OpaqueType("!shape.size"), OpaqueType("!shape.witness"))


def support_table() -> list[tuple[str, str]]:
    """Each op of the specification, those of other dialects that have a rule, and custom calls ("@target").

    Each has its state: "yes"; "refused", where a file cannot bring what the op needs; "no".
    """
    supported = {*RULES, *CONTROL, *DYNAMIC, *STRUCTURED, *names_with(NEITHER)}
    names = sorted({*OPS, *supported, *REFUSED}, key=lambda name: (name.startswith("@"), name))
    return [(n, "yes" if n in supported else "refused" if n in REFUSED else "no") for n in names]


def verify(module: Module, targets: Collection[str] = ()) -> None:
    """Check a module against SSA's and the specification's rules, as far as types and signatures tell.

    Args:
        module: what `parse` gave.
        targets: the custom calls that have a function.

    Raises:
        VerifyError, UnsupportedOp: the problems, in the file's order; the first gives the place.
    """
    with about_file(module.source):
        problems = find_problems(module, targets)
    if not problems:
        return
    if len(problems) == 1:
        raise problems[0]
    kind = UnsupportedOp if all(isinstance(p, UnsupportedOp) for p in problems) else VerifyError
    text = "\n".join(str(p) for p in problems[:LISTED])
    more = f"\n… and {len(problems) - LISTED} more" if len(problems) > LISTED else ""
    raise kind(f"{len(problems)} problems:\n{text}{more}")


def find_problems(module: Module, targets: Collection[str] = ()) -> list[Error]:
    """All problems of a module, in the file's order."""
    module = structured(module)
    entry_function(module)
    problems: list[Error] = []
    reached = reachable(module, problems)
    # Most ops of a model are like another one that has been checked: same name, types and attributes.
    valid: set[object] = set()
    for function in module.functions.values():
        if function.name in reached and function.body is not None:
            if problem := structure_problem(function):
                problems.append(problem)
                continue
            before = len(problems)
            problems += function_problems(function, function.body)
            problems += early_terminators(function.body)
            for op in walk(function.body):
                key = key_of(op)
                if key is None or key not in valid:
                    try:
                        with about(op):
                            problem = op_problem(module, op, targets)
                    except Error as error:
                        problem = error
                    if problem is not None:
                        problems.append(problem)
                    elif key is not None:
                        valid.add(key)
                if op.regions and op.name not in CONTROL:
                    problems += nested_control_problems(op)
                for region in op.regions:
                    problems += early_terminators(region)
                    if region.blocks:
                        problems.append(error_at(op, SEVERAL_BLOCKS, UnsupportedOp))
                    elif region.ops and not has(region.ops[-1], Trait.TERMINATOR):
                        problems.append(error_at(region.ops[-1], "ends its region, which must end with a return"))
            if len(problems) == before:  # else an op that has a type of the signature says so
                problems += signature_problems(function)
    return problems


def key_of(op: Op) -> object:
    """What an op has in common with those that are valid where it is; None where that cannot be compared.

    A module has one object for each type, as far as it was read from text.
    """
    types = (op.name, *[id(v.type) for v in op.operands], None, *[id(v.type) for v in op.results])
    if op.regions:
        if op.name in CONTROL:
            return None
        for region in op.regions:  # its ops are checked by themselves
            returned = region.ops[-1].operands if region.ops else ()
            types = (*types, None, *[id(v.type) for v in region.arguments], None, *[id(v.type) for v in returned])
    if not op.attributes:
        return types
    key = (types, *[(name, frozen(attribute)) for name, attribute in op.attributes.items()])
    try:
        hash(key)
    except TypeError:
        return None
    return key


def frozen(value: object) -> object:
    """An attribute that can be compared and hashed, also one of named fields."""
    if isinstance(value, DialectAttr):
        fields = value.fields
        return value.dialect, value.name, value.text, *fields, *map(frozen, fields.values())
    items = value.items if isinstance(value, ArrayAttr) else value
    return tuple(map(frozen, items)) if isinstance(items, (list, tuple)) else items


def reachable(module: Module, problems: list[Error]) -> set[str]:
    """The functions that the entry calls; a call of a missing function or in a circle is a problem."""
    finished: set[str] = set()
    active: list[str] = []
    stack: list[tuple[str, Iterator[tuple[Op, str]]]] = []

    def enter(name: str) -> None:
        body = module.functions[name].body
        active.append(name)
        stack.append((name, iter(()) if body is None else calls(module, body)))

    enter(entry_function(module).name)
    while stack:
        name, found_calls = stack[-1]
        op, target = next(found_calls, (None, ""))
        if op is None:
            stack.pop()
            active.pop()
            finished.add(name)
            continue
        found = module.functions.get(target)
        if not target:
            problems.append(error_at(op, "names no function"))
        elif found is None:
            near = get_close_matches(target, module.functions, 1)
            hint = f"; is @{near[0]} meant?" if near else ""
            problems.append(error_at(op, f"there is no function @{target} in this module{hint}"))
        elif found.body is None:
            message = (
                f"@{target} is only declared in this module: its body is in another file, which has to be linked in"
            )
            problems.append(error_at(op, message, UnsupportedOp))
        elif target in active:
            problems.append(error_at(op, f"@{target} calls itself; StableHLO has no recursion"))
        elif target not in finished:
            enter(target)
    return finished


def calls(module: Module, body: Region) -> Iterator[tuple[Op, str]]:
    """The ops that call functions, each with the function's name, or '' where it names none."""
    for op in walk(body):
        if has(op, Trait.CALL):
            try:
                yield op, callee(op)
            except Error:
                yield op, ""
        elif has(op, Trait.CUSTOM):
            # What a target does with functions that the module lacks is the target's matter.
            named = op.attributes.get("called_computations")
            symbols = named.items if isinstance(named, ArrayAttr) else ()
            names = [symbol.names[-1] for symbol in symbols if isinstance(symbol, SymbolAttr)]
            yield from ((op, name) for name in names if name in module.functions)


def function_problems(function: Function, body: Region) -> Iterator[Error]:
    where = function.location

    def problem(message: str) -> Error:
        return VerifyError(f"func.func @{function.name}: {message}", where.source, where.offset, where.name)

    if tuple(v.type for v in body.arguments) != function.type.inputs:
        yield problem("the body's arguments do not have the signature's types")
    terminator = body.ops[-1] if body.ops else None
    if terminator is None or not has(terminator, Trait.TERMINATOR):
        yield problem("the body does not end with return")
    elif tuple(v.type for v in terminator.operands) != function.type.results:
        found = ", ".join(str(v.type) for v in terminator.operands)
        expected = ", ".join(str(t) for t in function.type.results)
        yield error_at(terminator, f"returns ({found}), @{function.name} declares ({expected})")


def signature_problems(function: Function) -> Iterator[Error]:
    """Arguments and results of types that cannot be run."""
    where = function.location
    found = (type_problem(type) for type in (*function.type.inputs, *function.type.results))
    for problem in dict.fromkeys(filter(None, found)):
        yield UnsupportedOp(f"func.func @{function.name}: {problem}", where.source, where.offset, where.name)


def early_terminators(region: Region) -> list[Error]:
    return [error_at(op, "stands before the end of its region") for op in region.ops[:-1] if has(op, Trait.TERMINATOR)]


def nested_control_problems(op: Op) -> list[Error]:
    """Control flow in the region of an op that runs for each element, such as a reduction's body."""
    nested = [inner for region in op.regions for inner in walk(region) if has(inner, Trait.LOOP | Trait.CHOICE)]
    message = f"control flow in a region of {op.name} has no rule; choose values by stablehlo.select there"
    return [error_at(inner, message, UnsupportedOp) for inner in nested]


def op_problem(module: Module, op: Op, targets: Collection[str]) -> Error | None:
    if has(op, Trait.TERMINATOR):
        return None
    name = rule_name(op)
    if name.removeprefix("@") not in targets and (reason := refusal(module, op)):
        return error_at(op, reason, UnsupportedOp)
    if op.name in CONTROL:
        if message := control_problem(module, op):
            return error_at(op, message)
    elif name in DYNAMIC:
        if name not in OPS and (message := dynamic_problem(op, name)):
            return error_at(op, message)
    elif name.removeprefix("@") in targets and name.startswith("@"):
        pass
    elif name not in RULES and name.startswith("@"):
        target = name[1:]
        cure = f"register one with @hlo2tiny.custom_call({target!r})"
        return error_at(op, f"custom call {target!r} has no function; {cure}", UnsupportedOp)
    elif name not in RULES and has(op, Trait.SHAPES):
        return None  # gone once the shapes are known; its values may be sizes of types that are not tensors
    elif name not in RULES:
        later = "; " + known() if name.startswith(("stablehlo.", "chlo.")) and name not in OPS else ""
        return error_at(op, f"no rule for this op{later}", UnsupportedOp)
    elif name not in OPS and (message := schema_problem(op)):
        return error_at(op, message)
    for value in (*op.operands, *op.results):
        if problem := type_problem(value.type):
            return error_at(op, problem, UnsupportedOp)
    if name in OPS and (message := find_violation(op, name, attributes_of(op))):
        return error_at(op, message)
    return None


def type_problem(type: Type) -> str:
    """Why a value of this type cannot be run, or ''."""
    if isinstance(type, TupleType | FutureType):
        return next(filter(None, map(type_problem, type.types)), "")
    if isinstance(type, TokenType) or type in SHAPES:
        return ""
    type = as_tensor(type)
    if not isinstance(type, TensorType):
        return f"values of type {type} are not tensors"
    try:
        storage_dtype(type.element)
    except UnsupportedOp as error:
        return f"{type}: {error.message}"
    if any(d is not None and d < 0 for d in type.shape):
        return f"{type} has a dimension below zero"
    if len(type.shape) > MOST_DIMENSIONS:
        return f"a tensor of rank {len(type.shape)}, hlo2tiny takes {MOST_DIMENSIONS} at most, as numpy does"
    # Those of no elements too: sizes are multiplied before one of them is 0.
    if prod(d for d in type.shape if d) * bit_width(type.element) > MOST_BITS:
        return f"{type} is larger than any memory"
    return ""
