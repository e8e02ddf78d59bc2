"""Run compiled-model files: StableHLO programs on tinygrad, with no JAX in the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import Error, InputError, ParseError, UnsupportedOp, VerifyError
from .ir import Module
from .program import Argument, Program, custom_call, load

if TYPE_CHECKING:
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
    "load",
    "parse",
]


def __getattr__(name: str) -> Any:
    # A program whose code the cache has is run without the parser, which takes as long to import.
    if name == "parse":
        from .syntax.parser import parse

        return parse
    raise AttributeError(f"module 'hlo2tiny' has no attribute {name!r}")
