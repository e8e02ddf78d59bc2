"""What `load(…, ffi=…)` takes: where the compiled handlers of custom calls are. Nothing is loaded here."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from ..errors import InputError
from ..targets import STAGES

# Where a handler is: LIBRARY:SYMBOL, as in "lib.so:RmsNorm", a PyCapsule, or a function of ctypes; or one for each
# stage.
HandlerPlace: TypeAlias = Any
FfiOption: TypeAlias = (
    str | PathLike[str] | Sequence[str | PathLike[str]] | Mapping[str, HandlerPlace | Mapping[str, HandlerPlace]] | None
)
EXPECTED = "expected libraries, as in ['lib.so'], or LIBRARY:SYMBOL by name, as in {'rms_norm': 'lib.so:RmsNorm'}"
# What stands for the kernels that the file itself contains.
EMBEDDED = "embedded"


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
    """What `load(…, ffi=…)` got: paths of libraries, and for each name where each stage's function is.

    `embedded` says whether kernels that the file contains may run.
    """

    libraries: tuple[str, ...] = ()
    places: tuple[tuple[str, tuple[tuple[str, tuple[str, str] | Address], ...]], ...] = ()
    embedded: bool = False

    @property
    def files(self) -> list[str]:
        """The libraries, including those of named handlers."""
        places = [place for _, stages in self.places for _, place in stages]
        return [*self.libraries, *(place[0] for place in places if not isinstance(place, Address))]


NO_HANDLERS = HandlersGiven()


def handlers_given(ffi: FfiOption) -> HandlersGiven:
    """Check what a user gives; NAME=LIBRARY:SYMBOL in a list, as on the command line, names a single handler.

    Raises:
        InputError: it is of another kind.
    """
    if ffi is None:
        return NO_HANDLERS
    if isinstance(ffi, str | PathLike):
        ffi = [ffi]
    if isinstance(ffi, Mapping):
        places = ((name_of(name), stages_of(name, given)) for name, given in ffi.items() if given != EMBEDDED)
        return HandlersGiven((), tuple(places), EMBEDDED in ffi.values())
    if not isinstance(ffi, Sequence) or not all(isinstance(each, str | PathLike) for each in ffi):
        raise InputError(f"ffi is {ffi!r:.60}, {EXPECTED}")
    texts = [os.fspath(each) for each in ffi if each != EMBEDDED]
    named = [text.partition("=") for text in texts if "=" in text and not Path(text).exists()]
    libraries = [library_path(text) for text in texts if text not in {"".join(parts) for parts in named}]
    stages = tuple((name, stages_of(name, place)) for name, _, place in named)
    return HandlersGiven(tuple(libraries), stages, EMBEDDED in ffi)


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
            raise InputError(f"ffi: {name!r} is {place!r:.80}, expected LIBRARY:SYMBOL")
        return library_path(path), symbol
    if type(place).__name__ == "PyCapsule":
        return Address(capsule_address(place))
    try:
        return Address(ctypes.cast(place, ctypes.c_void_p).value or 0)
    except (ctypes.ArgumentError, TypeError):
        raise InputError(f"ffi: {name!r} is {place!r:.80}, expected LIBRARY:SYMBOL, or a capsule") from None


def library_path(text: str) -> str:
    """An absolute path, since programs may be reloaded elsewhere; a bare name without a file here is the system's."""
    return os.path.abspath(text) if os.path.dirname(text) or os.path.exists(text) else text


def capsule_address(capsule: Any) -> int:
    """The address in a PyCapsule, whatever its name is."""
    name, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer(capsule, name(capsule)) or 0)
