"""The entry of a module: the function that calls run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import count

from ..errors import InputError, VerifyError
from .attributes import ArrayAttr, Attribute, DictAttr, SymbolAttr
from .module import Function, Module, Op, walk
from .rewrite import Rewriter, rewrite_functions

MAIN = "main"
LISTED = 20
HOW = 'choose one: load(path, entry="name"), or --entry NAME on the command line'


def public_functions(module: Module) -> list[Function]:
    """The functions with a body that may be called from outside, in the file's order."""
    return [f for f in module.functions.values() if f.body is not None and f.visibility != "private"]


def default_entry(module: Module) -> Function | None:
    """The entry if none is named: @main, else the only public function, else the only function; None if unclear."""
    functions = [f for f in module.functions.values() if f.body is not None]
    public = public_functions(module)
    for candidates in ([f for f in public if f.name == MAIN], public, [f for f in functions if f.name == MAIN]):
        if len(candidates) == 1:
            return candidates[0]
    return functions[0] if len(functions) == 1 else None


def entry_function(module: Module) -> Function:
    """The entry of a module.

    Raises:
        VerifyError: there is no such function, or several could be meant.
    """
    if (entry := default_entry(module)) is not None:
        return entry
    functions = public_functions(module) or [f for f in module.functions.values() if f.body is not None]
    if functions:
        message = f"the module has no function @main, and {len(functions)} functions could be the entry; {HOW}"
        raise VerifyError(f"{message}{describe_functions(functions)}", module.source)
    declared = f"; @{next(iter(module.functions))} is only declared" if module.functions else ""
    raise VerifyError(f"the module has no function with a body, expected func.func @main{declared}", module.source)


def with_entry(module: Module, name: str) -> Module:
    """The part of a module that a function needs: it becomes public, the functions that it calls become private.

    Raises:
        InputError: there is no such function with a body.
    """
    name = name if name in module.functions else name.removeprefix("@")
    chosen = module.functions.get(name)
    if chosen is None:
        bodies = [f for f in module.functions.values() if f.body is not None]
        near = get_close_matches(name, [f.name for f in bodies], 1)
        hint = f" (did you mean @{near[0]}?)" if near else ""
        names = describe_functions(public_functions(module) or bodies) if bodies else " no functions with a body"
        raise InputError(f"there is no function @{name} in this module{hint}; it has{names}", module.source)
    if chosen.body is None:
        where = chosen.location
        message = f"@{name} is only declared in this module, without a body: it cannot be the entry"
        raise InputError(message, where.source, where.offset)
    used = reachable(module.functions, [name])
    needed = [f for f in module.functions.values() if f.name in used]
    functions = {f.name: replace(f, visibility="" if f is chosen else "private") for f in needed}
    return replace(module, functions=functions)


def with_main(module: Module) -> Module:
    """A module whose entry is called @main, as XLA needs it; a private function of that name is renamed."""
    entry = entry_function(module)
    if entry.name == MAIN:
        return module
    other = next(name for i in count() if (name := f"{MAIN}.{i}") not in module.functions)
    names = {entry.name: MAIN, MAIN: other}

    def rename_callees(rewriter: Rewriter, op: Op) -> list[Op]:
        return [rewriter.clone(op, attributes={key: _renamed_in(a, names) for key, a in op.attributes.items()})]

    module = rewrite_functions(module, rename_callees)
    renamed = (replace(f, name=names.get(name, name)) for name, f in module.functions.items())
    return replace(module, functions={function.name: function for function in renamed})


def _renamed_in(attribute: Attribute, names: Mapping[str, str]) -> Attribute:
    match attribute:
        case SymbolAttr((*outer, last)):
            return SymbolAttr((*outer, names.get(last, last)))
        case ArrayAttr(items):
            return ArrayAttr(tuple(_renamed_in(item, names) for item in items))
    return attribute


def reachable(functions: Mapping[str, Function], start: Iterable[str]) -> set[str]:
    """The names of the functions that are in `start` or that these refer to, directly or through others."""
    names: set[str] = set()
    pending = [name for name in start if name in functions]
    while pending:
        if (name := pending.pop()) not in names:
            names.add(name)
            body = functions[name].body
            pending += [n for n in named_functions(walk(body)) if n in functions] if body is not None else ()
    return names


def named_functions(ops: Iterable[Op]) -> Iterator[str]:
    """The functions that attributes of ops name."""
    for op in ops:
        for attribute in op.attributes.values():
            yield from _symbols(attribute)


def _symbols(attribute: Attribute) -> Iterator[str]:
    match attribute:
        case SymbolAttr(names):
            yield names[-1]
        case ArrayAttr(items):
            for item in items:
                yield from _symbols(item)
        case DictAttr(entries):
            for item in entries.values():
                yield from _symbols(item)


def describe_functions(functions: Sequence[Function]) -> str:
    """Functions with their types, one per line."""
    lines = "".join(f"\n  @{f.name}{f.type}" for f in functions[:LISTED])
    return lines + (f"\n  … and {len(functions) - LISTED} more" if len(functions) > LISTED else "")
