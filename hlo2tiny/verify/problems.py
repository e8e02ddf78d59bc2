"""Checks a module before anything runs and reports all problems at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from math import prod

from ..errors import Error, UnsupportedOp, VerifyError, about_file
from ..ir import (
    ArrayAttr,
    DialectAttr,
    ElidedAttr,
    Function,
    FutureType,
    Module,
    Op,
    OpaqueType,
    Region,
    ScalarType,
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
from ..ir.rewrite import free_values
from ..ir.sharding import parse_mesh
from ..ir.sizes import typical
from ..ops import OPS, Trait, find_violation, has, names_with, schema_of
from ..ops.types import INDEX
from ..rules import RULES, schema_problem
from ..rules.control import CONTROL, callee, control_problem
from ..rules.fft import FFT_ALONG
from ..rules.registry import attributes_of, is_typed, rule_name
from ..rules.scatters import SORTED_CELLS
from ..specialise.dynamic import DYNAMIC, dynamic_problem
from ..tinygrad.dtypes import storage_dtype
from ..versions import known
from .carried import called
from .refused import REFUSED, refusal
from .structure import SEVERAL_BLOCKS, STRUCTURED, structure_functions, structure_problem

LISTED = 20
MOST_DIMENSIONS = 64  # numpy's limit
MOST_BITS = 8 << 62  # more than any allocator accepts
# Ops that need no rule. For custom calls, each target has its own.
NEITHER = Trait.TERMINATOR | Trait.SHAPES | Trait.CUSTOM
# Ops that only plans have.
OF_PLANS = {FFT_ALONG, SORTED_CELLS}
# Ops whose regions see no value from outside.
ISOLATED = ("stablehlo.async_start", "sdy.manual_computation", "sdy.named_computation")
# Types of shape arithmetic other than tensors; folding removes them before a program runs.
SHAPES = (OpaqueType("!shape.shape"), OpaqueType("!shape.size"), OpaqueType("!shape.witness"))


def support_table() -> list[tuple[str, str]]:
    """The ops of the specification, supported ops of other dialects and custom calls ("@target"), with their state.

    The state is "yes", "no", or "refused" if the op needs something that a file cannot contain.
    """
    supported = {*RULES, *CONTROL, *DYNAMIC, *STRUCTURED, *names_with(NEITHER)} - OF_PLANS
    names = sorted({*OPS, *supported, *REFUSED}, key=lambda name: (name.startswith("@"), name))
    return [(n, "yes" if n in supported else "refused" if n in REFUSED else "no") for n in names]


def verify(module: Module, targets: Collection[str] = (), processes: int = 1) -> None:
    """Check a module against the rules of SSA and the constraints of the specification.

    Args:
        module: a parsed module.
        targets: the custom calls that have a registered function.
        processes: how many processes will run the program together.

    Raises:
        VerifyError, UnsupportedOp: all problems in the file's order; the error's location is that of the first.
    """
    with about_file(module.source):
        problems = find_problems(module, targets, processes)
    if not problems:
        return
    if len(problems) == 1:
        raise problems[0]
    kind = UnsupportedOp if all(isinstance(p, UnsupportedOp) for p in problems) else VerifyError
    text = "\n".join(str(p) for p in problems[:LISTED])
    more = f"\n… and {len(problems) - LISTED} more" if len(problems) > LISTED else ""
    raise kind(f"{len(problems)} problems:\n{text}{more}")


def find_problems(module: Module, targets: Collection[str] = (), processes: int = 1) -> list[Error]:
    """All problems of a module, in the file's order."""
    module = structure_functions(module)
    entry_function(module)
    problems = symbol_problems(module, targets, processes)
    reached = reachable(module, problems)
    # Most ops of a model repeat one that is already checked: same name, types and attributes.
    valid: set[object] = set()
    for function in module.functions.values():
        if function.body is None:
            if function.visibility != "private":
                problems.append(function_error(function, "is only declared, and so must be private"))
            continue
        found = problems_of(module, function, function.body, targets, processes, valid)
        if function.name not in reached:  # a function that nothing calls must be valid, but need not be supported
            found += filter(None, (call_problem(module, *call) for call in calls(module, function.body)))
            found = [problem for problem in found if not isinstance(problem, UnsupportedOp)]
        problems += found
    return problems


def symbol_problems(module: Module, targets: Collection[str], processes: int) -> list[Error]:
    """What is wrong with a module's ops other than functions. They need not be supported."""
    problems = list[Error | None]()
    for symbol in module.symbols:
        mesh = symbol.attributes.get("mesh")
        try:
            with about(symbol):
                if symbol.name == "sdy.mesh" and isinstance(mesh, DialectAttr):
                    parse_mesh(mesh.text)
        except Error as error:
            problems.append(error)
        if symbol.name != "builtin.module":
            problems += [op_problem(module, op, targets, processes) for op in walk(Region((), (symbol,)))]
    return [problem for problem in problems if problem and not isinstance(problem, UnsupportedOp)]


def problems_of(
    module: Module,
    function: Function,
    body: Region,
    targets: Collection[str],
    processes: int,
    valid: set[object],
) -> list[Error]:
    """The problems of a function; keys of valid ops are added to `valid`."""
    if problem := structure_problem(function):
        return [problem]
    problems = [*function_problems(function, body), *terminator_problems("func.func", body)]
    for op in walk(body):
        key = key_of(op)
        if key is None or key not in valid:
            problem = op_problem(module, op, targets, processes)
            if problem is not None:
                problems.append(problem)
            elif key is not None:
                valid.add(key)
        if op.regions and op.name not in CONTROL:
            problems += nested_control_problems(op)
        if op.name in ISOLATED and (outside := free_values(*op.regions)):
            problems.append(error_at(op, f"its region reads %{outside[0].name}, which is defined outside of it"))
        for region in op.regions:
            problems += terminator_problems(op.name, region)
            if region.blocks:
                problems.append(error_at(op, SEVERAL_BLOCKS, UnsupportedOp))
            elif region.ops and not has(region.ops[-1], Trait.TERMINATOR):
                problems.append(error_at(region.ops[-1], "is the last op of its region, which must end with a return"))
    if not problems:  # otherwise an op has already reported the signature's types
        problems += signature_problems(function)
    return problems


def key_of(op: Op) -> object:
    """A key that ops share if they are all valid or all invalid; None for an op that has no such key.

    Types are compared by identity, as the parser creates one object for each.
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
    """An attribute as something hashable."""
    if isinstance(value, DialectAttr):
        return value.dialect, value.name, value.text, *value.fields, *map(frozen, value.fields.values())
    items = value.items if isinstance(value, ArrayAttr) else value
    return tuple(map(frozen, items)) if isinstance(items, (list, tuple)) else items


def reachable(module: Module, problems: list[Error]) -> set[str]:
    """The functions that the entry calls, directly or not; adds problems for missing functions and recursion."""
    finished: set[str] = set()
    active: list[str] = []
    stack: list[tuple[str, Iterator[tuple[Op, str]]]] = []

    def enter(name: str) -> None:
        body = module.functions[name].body
        active.append(name)
        stack.append((name, iter(()) if body is None else calls(module, body)))

    enter(entry_function(module).name)
    while stack:
        name, pending = stack[-1]
        op, target = next(pending, (None, ""))
        if op is None:
            stack.pop()
            active.pop()
            finished.add(name)
            continue
        if problem := call_problem(module, op, target):
            problems.append(problem)
        elif target in active:
            problems.append(error_at(op, f"@{target} calls itself; StableHLO has no recursion"))
        elif target not in finished:
            enter(target)
    return finished


def call_problem(module: Module, op: Op, target: str) -> Error | None:
    """Why an op cannot call the function that it names."""
    if not target:
        return error_at(op, "does not name a function")
    if target not in module.functions:
        near = get_close_matches(target, module.functions, 1)
        hint = f"; did you mean @{near[0]}?" if near else ""
        return error_at(op, f"there is no function @{target} in this module{hint}")
    if module.functions[target].body is None:
        message = f"@{target} is only declared in this module; link the file that contains its body"
        return error_at(op, message, UnsupportedOp)
    return None


def calls(module: Module, body: Region) -> Iterator[tuple[Op, str]]:
    """The ops that call functions, each with the function's name; '' if it does not name one."""
    for op in walk(body):
        if has(op, Trait.CALL):
            try:
                yield op, callee(op)
            except Error:
                yield op, ""
        elif has(op, Trait.CUSTOM):
            # Names of functions that the module does not contain are left to the target.
            yield from ((op, name) for name in called(op) if name in module.functions)


def function_problems(function: Function, body: Region) -> Iterator[Error]:
    if tuple(v.type for v in body.arguments) != function.type.inputs:
        yield function_error(function, "the types of the body's arguments differ from the signature")
    terminator = body.ops[-1] if body.ops else None
    if terminator is None or not has(terminator, Trait.TERMINATOR):
        yield function_error(function, "the body does not end with a return")
    elif tuple(v.type for v in terminator.operands) != function.type.results:
        returned = ", ".join(str(v.type) for v in terminator.operands)
        declared = ", ".join(str(t) for t in function.type.results)
        yield error_at(terminator, f"returns ({returned}), but @{function.name} declares ({declared})")


def signature_problems(function: Function) -> Iterator[Error]:
    """Arguments and results whose types are not supported."""
    problems = map(type_problem, (*function.type.inputs, *function.type.results))
    for problem in dict.fromkeys(filter(None, problems)):
        yield function_error(function, problem, UnsupportedOp)


def function_error(function: Function, message: str, kind: type[Error] = VerifyError) -> Error:
    where = function.location
    return kind(f"func.func @{function.name}: {message}", where.source, where.offset, where.name)


def terminator_problems(name: str, region: Region) -> Iterator[Error]:
    """Returns in a region of the op of this name that are not at its end, or that belong to another op."""
    for i, op in enumerate(region.ops, 1):
        if not has(op, Trait.TERMINATOR):
            continue
        schema = schema_of(op.name)
        if i < len(region.ops):
            yield error_at(op, "must be the last op of its region")
        elif schema is not None and schema.parent not in ("", name):
            yield error_at(op, f"ends a region of {name}, expected one of {schema.parent}")


def nested_control_problems(op: Op) -> list[Error]:
    """Control flow in a region that runs for each element, such as a reduction's body."""
    nested = [inner for region in op.regions for inner in walk(region) if has(inner, Trait.LOOP | Trait.CHOICE)]
    message = f"control flow is not supported in a region of {op.name}; choose values with stablehlo.select there"
    return [error_at(inner, message, UnsupportedOp) for inner in nested]


def op_problem(module: Module, op: Op, targets: Collection[str], processes: int) -> Error | None:
    try:
        with about(op):
            return find_op_problem(module, op, targets, processes)
    except Error as error:
        return error


def find_op_problem(module: Module, op: Op, targets: Collection[str], processes: int) -> Error | None:
    if has(op, Trait.TERMINATOR):
        return None
    for key, attribute in attributes_of(op).items():
        if isinstance(attribute, ElidedAttr) and "." not in key:
            message = f"the file does not contain the elements of dense_resource<{attribute.resource}>"
            return error_at(
                op, f"{message}; print the module without eliding large elements and resources", UnsupportedOp
            )
    if has(op, Trait.CUSTOM) and op.name in OPS:
        own = {key: op.attributes[key] for key in OPS[op.name].attributes if key in op.attributes}
        if message := find_violation(op, op.name, own):
            return error_at(op, message)
    name = rule_name(op)
    if name.removeprefix("@") not in targets and (reason := refusal(module, op, processes)):
        return error_at(op, reason, UnsupportedOp)
    if name.startswith("@") and (message := custom_call_problem(op)):
        return error_at(op, message)
    if op.name in CONTROL:
        if message := control_problem(module, op, processes):
            return error_at(op, message)
    elif name in DYNAMIC:
        if name not in OPS and (message := dynamic_problem(op, name)):
            return error_at(op, message)
    elif name.removeprefix("@") in targets and name.startswith("@"):
        pass
    elif name not in RULES and name.startswith("@"):
        target = name[1:]
        cure = f"register one with @hlo2tiny.custom_call({target!r})"
        if is_typed(op):
            cure += f", or name the library of a compiled handler: load(…, ffi={{{target!r}: 'lib.so:symbol'}})"
        return error_at(op, f"custom call {target!r} has no function; {cure}", UnsupportedOp)
    elif name not in RULES and has(op, Trait.SHAPES):
        # Folded once the shapes are known; its values need not be tensors.
        message = find_violation(op, name, attributes_of(op)) if name in OPS else ""
        return error_at(op, message) if message else None
    elif name not in RULES or name in OF_PLANS:
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


def custom_call_problem(op: Op) -> str:
    """Which operand or result no custom call can have, or ''."""
    for values, noun in ((op.operands, "operand"), (op.results, "result")):
        for i, value in enumerate(values):
            element = value.type.element if isinstance(value.type, TensorType) else value.type
            if isinstance(value.type, ScalarType) or element == INDEX:
                return f"{noun} {i} is {value.type}, expected a tensor of numbers, a token or a tuple"
    return ""


def type_problem(type: Type) -> str:
    """Why values of this type are not supported, or ''."""
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
        return f"{type} has a negative dimension"
    if len(type.shape) > MOST_DIMENSIONS:
        return f"tensors of rank {len(type.shape)} are not supported, the limit is {MOST_DIMENSIONS}, as in numpy"
    # Empty tensors are checked too, as sizes are multiplied before one of them is 0.
    if typical(prod(d for d in type.shape if d)) * bit_width(type.element) > MOST_BITS:
        return f"{type} is larger than any memory"
    return ""
