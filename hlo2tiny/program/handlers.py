"""The compiled handlers of custom calls that a user names, and which of them a program calls."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from ..errors import InputError, UnsupportedOp, about_file
from ..ir import Module, error_at, walk
from ..ops import Trait, has
from ..ops.attributes import plain
from ..rules import RULES
from ..rules.registry import is_typed, rule_name
from ..targets import HostFunction, native_handlers, target_of
from ..targets.handlers import STAGES, Handler, expect_callable
from ..verify.refused import refusal

# A place in a library, as in "lib.so:RmsNorm", a PyCapsule, or a function of ctypes; or one for each stage.
HandlerPlace: TypeAlias = Any
FfiOption: TypeAlias = (
    str | PathLike[str] | Sequence[str | PathLike[str]] | Mapping[str, HandlerPlace | Mapping[str, HandlerPlace]] | None
)
EXPECTED = "expected libraries, as in ['lib.so'], or places by name, as in {'rms_norm': 'lib.so:RmsNorm'}"


@dataclass(frozen=True)
class Address:
    """A function of this process."""

    value: int

    def __reduce__(self) -> NoReturn:
        raise InputError(
            "a program with a handler that is a function of this process cannot be pickled; name its library"
        )


@dataclass(frozen=True)
class HandlersGiven:
    """What `load(…, ffi=…)` got: paths of libraries, and for each name the place of each stage's function."""

    libraries: tuple[str, ...] = ()
    places: tuple[tuple[str, tuple[tuple[str, tuple[str, str] | Address], ...]], ...] = ()


NO_HANDLERS = HandlersGiven()


def handlers_given(ffi: FfiOption) -> HandlersGiven:
    """Check what a user gives; NAME=LIBRARY:SYMBOL in a list, as on the command line, is a place by name.

    Raises:
        InputError: it is of another kind.
    """
    if ffi is None:
        return NO_HANDLERS
    if isinstance(ffi, str | PathLike):
        ffi = [ffi]
    if isinstance(ffi, Mapping):
        return HandlersGiven((), tuple((name_of(name), stages_of(name, given)) for name, given in ffi.items()))
    if not isinstance(ffi, Sequence) or not all(isinstance(each, str | PathLike) for each in ffi):
        raise InputError(f"ffi is {ffi!r:.60}, {EXPECTED}")
    texts = [os.fspath(each) for each in ffi]
    named = [text.partition("=") for text in texts if "=" in text and not Path(text).exists()]
    libraries = [library_path(text) for text in texts if text not in {"".join(parts) for parts in named}]
    return HandlersGiven(tuple(libraries), tuple((name, stages_of(name, place)) for name, _, place in named))


def name_of(name: Any) -> str:
    if not isinstance(name, str):
        raise InputError(f"ffi names {name!r:.60}, expected the name of a custom call")
    return name


def stages_of(name: str, given: Any) -> tuple[tuple[str, tuple[str, str] | Address], ...]:
    stages = dict(given) if isinstance(given, Mapping) else {"execute": given}
    if wrong := next((stage for stage in stages if stage not in STAGES), None):
        raise InputError(f"ffi: {name!r} has the stage {wrong!r:.60}, expected some of {', '.join(STAGES)}")
    if "execute" not in stages:
        raise InputError(f"ffi: {name!r} has no function for the stage 'execute', which every handler needs")
    return tuple((stage, place_of(name, place)) for stage, place in stages.items())


def place_of(name: str, place: Any) -> tuple[str, str] | Address:
    if isinstance(place, str):
        path, _, symbol = place.rpartition(":")
        if not path or not symbol or "/" in symbol or "\\" in symbol:
            raise InputError(f"ffi: the place of {name!r} is {place!r:.80}, expected LIBRARY:SYMBOL")
        return library_path(path), symbol
    if type(place).__name__ == "PyCapsule":
        return Address(capsule_address(place))
    try:
        return Address(ctypes.cast(place, ctypes.c_void_p).value or 0)
    except (ctypes.ArgumentError, TypeError):
        raise InputError(
            f"ffi: the place of {name!r} is {place!r:.80}, expected LIBRARY:SYMBOL, or a capsule"
        ) from None


def library_path(text: str) -> str:
    """An absolute path, as programs may be loaded again elsewhere; a bare name of no file here is the system's."""
    return os.path.abspath(text) if os.path.dirname(text) or os.path.exists(text) else text


def capsule_address(capsule: Any) -> int:
    """The address in a PyCapsule, whatever its name is."""
    name, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer(capsule, name(capsule)) or 0)


def with_handlers(
    functions: Mapping[str, HostFunction], module: Module, given: HandlersGiven, device: str
) -> Mapping[str, HostFunction]:
    """The functions of custom calls, and the handlers of those that the module calls.

    Raises:
        InputError: a library or a symbol is missing.
        UnsupportedOp: the device has no handlers, or a call has what no handler takes.
    """
    if given == NO_HANDLERS:
        return functions
    places, found = dict(given.places), dict[str, HostFunction]()
    with about_file(module.source):
        for function in module.functions.values():
            for op in walk(function.body) if function.body is not None else ():
                name = str(plain(op.attributes.get("call_target_name")))
                if not has(op, Trait.CUSTOM) or rule_name(op) in RULES:
                    continue
                if name not in places and (not given.libraries or name in functions or not is_typed(op)):
                    continue
                platform = target_of(device.upper()).platform
                if platform is None:
                    message = f"custom call {name!r} has a compiled handler, which {device} does not run"
                    raise error_at(op, f"{message}; load the program with device='CPU'", UnsupportedOp)
                if name not in found:
                    handler = named(name, places[name]) if name in places else first(name, given.libraries, platform)
                    if handler is None and refusal(module, op, 1):
                        continue
                    if handler is None:
                        raise error_at(op, missing(name, given.libraries), UnsupportedOp)
                    found[name] = handler
                expect_callable(op)
    return {**functions, **found}


def named(name: str, places: Sequence[tuple[str, tuple[str, str] | Address]]) -> Handler:
    """The handler of a custom call whose functions are at these places."""
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
    for path in libraries:
        native.open_library(path)
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
