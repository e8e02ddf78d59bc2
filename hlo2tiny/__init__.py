"""Run compiled-model files: StableHLO programs on tinygrad, with no JAX in the process."""

from .errors import Error, InputError, ParseError, UnsupportedOp, VerifyError
from .ir import Module
from .program import Argument, Program, custom_call, load
from .syntax import parse

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
