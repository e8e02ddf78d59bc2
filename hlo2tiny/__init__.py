"""Run compiled-model files: StableHLO programs on tinygrad, with no JAX in the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import Error, InputError, ParseError, UnsupportedOp, VerifyError
from .ir import Module
from .program import Argument, Program, custom_call, load

if TYPE_CHECKING:
    from .exporting import export
    from .jitted import jit
    from .syntax.parser import parse

__version__ = "0.2.0"

__all__ = [
    "Argument",
    "Error",
    "InputError",
    "Module",
    "ParseError",
    "Program",
    "UnsupportedOp",
    "VerifyError",
    "custom_call",
    "export",
    "jit",
    "load",
    "parse",
]


# A program whose code the cache has is run without these, which take as long to import.
LATER = {"export": "exporting", "jit": "jitted", "parse": "syntax.parser"}


def __getattr__(name: str) -> Any:
    if name in LATER:
        from importlib import import_module

        return getattr(import_module(f".{LATER[name]}", __name__), name)
    raise AttributeError(f"module 'hlo2tiny' has no attribute {name!r}")
