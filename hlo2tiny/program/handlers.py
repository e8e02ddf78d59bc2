"""The compiled handlers, out of those that a user names, that carry out a program's custom calls."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ..errors import InputError, UnsupportedOp, about_file
from ..ir import Module, error_at, walk
from ..ops import Trait, has
from ..ops.attributes import plain
from ..rules import RULES
from ..rules.registry import is_typed, rule_name
from ..targets import HostFunction, native_handlers, target_of
from ..targets.embedded import PLATFORM, TARGETS, Embedded, kernels_of
from ..targets.handlers import Handler, expect_callable
from ..verify.refused import refusal
from .ffi import NO_HANDLERS, Address, HandlersGiven


def with_handlers(
    functions: Mapping[str, HostFunction], module: Module, given: HandlersGiven, device: str
) -> Mapping[str, HostFunction]:
    """The functions of custom calls, and the handlers and kernels of those that the module calls.

    Raises:
        InputError: a library or a symbol is missing.
        UnsupportedOp: the device has no handlers, or a call passes something that no handler takes.
    """
    if given == NO_HANDLERS:
        return functions
    # All at once: one of them may change which code makes the calls.
    for path in given.files:
        native_handlers().open_library(path)
    places, found = dict(given.places), dict[str, HostFunction]()
    with about_file(module.source):
        for function in module.functions.values():
            for op in walk(function.body) if function.body is not None else ():
                name = str(plain(op.attributes.get("call_target_name")))
                if not has(op, Trait.CUSTOM) or rule_name(op) in RULES:
                    continue
                platform = target_of(device.upper()).platform
                if given.embedded and name in TARGETS and name not in places and name not in functions:
                    if platform != PLATFORM:
                        message = f"custom call {name!r} is a kernel for NVIDIA GPUs, which {device} does not run"
                        raise error_at(op, f"{message}; load the program with device='CUDA'", UnsupportedOp)
                    kernels_of(op)
                    found[name] = Embedded()
                    continue
                if name not in places and (not given.libraries or name in functions or not is_typed(op)):
                    continue
                if platform is None:
                    message = f"custom call {name!r} has a compiled handler, which {device} does not run"
                    raise error_at(op, f"{message}; load the program with device='CPU'", UnsupportedOp)
                if name not in found:
                    handler = named(places[name]) if name in places else first(name, given.libraries, platform)
                    if handler is None and refusal(module, op, 1):
                        continue
                    if handler is None:
                        raise error_at(op, missing(name, given.libraries), UnsupportedOp)
                    found[name] = handler
                expect_callable(op)
    return {**functions, **found}


def named(places: Sequence[tuple[str, tuple[str, str] | Address]]) -> Handler:
    """The handler of a custom call, given where its functions are."""
    native, stages, symbols = native_handlers(), dict[str, int](), dict[str, tuple[str, str]]()
    for stage, place in places:
        if isinstance(place, Address):
            stages[stage] = place.value
            continue
        at = native.symbol_address(*place)
        if at is None:
            path, symbol = place
            raise InputError(f"ffi: {path!r} has no symbol {symbol!r}; name what it exports, as `nm -D` lists it")
        stages[stage], symbols[stage] = at, place
    return Handler(stages, symbols, native.calling())


def first(name: str, libraries: Sequence[str], platform: str) -> Handler | None:
    """The handler that the first of some libraries registers for a custom call, or has as a symbol of its name."""
    native = native_handlers()
    if stages := native.registered_stages(name, platform):
        return Handler(stages, {path: (path, "") for path in libraries}, native.calling())
    for path in libraries:
        for symbol in spellings(name):
            if (at := native.symbol_address(path, symbol)) is not None:
                return Handler({"execute": at}, {"execute": (path, symbol)}, native.calling())
    return None


def spellings(name: str) -> list[str]:
    """The symbols that a handler of this name may have: rms_norm, RmsNorm."""
    return list(dict.fromkeys([name, "".join(word[:1].upper() + word[1:] for word in name.split("_"))]))


def missing(name: str, libraries: Sequence[str]) -> str:
    where = ", ".join(map(os.path.basename, libraries))
    cure = f"say where it is, as in ffi={{{name!r}: {f'{libraries[0]}:SYMBOL'!r}}}"
    return f"custom call {name!r} has no handler: {where} has no symbol {' or '.join(spellings(name))}; {cure}"
