"""Run StableHLO programs, as JAX, PyTorch and TensorFlow export them, on tinygrad, with no JAX in the process.

    load(path)                load a program from a file of any supported format
    program(params, x)        run it on Tensors or numpy arrays; program.numpy(params, x) returns numpy arrays
    program.bind(params)      fix arguments, and return the program of the others
    program.lazy(params, x)   make a call part of tinygrad's graph, for gradients
    export(f, x, path=…)      write a JAX function as a file that load takes
    jit(f)                    run a JAX function on tinygrad
    gradient(program)         the program of a loss and its gradients; training_step(program) also updates parameters
    custom_call(name)         register a Python function for a custom call
    parse(path)               read the SSA graph of a file

Shapes are tuples of sizes; dtypes are numpy's, and those of ml_dtypes for bf16 and narrower types. All errors are
`Error`s: `ParseError` for damaged files, `VerifyError` for programs that break StableHLO's rules, `UnsupportedOp` for
ops without a rule, `InputError` for arguments and files that do not fit. An error about a file gives the location. The
warning `NoNativeCode` says that no native code could be built, so slower kernels run.

Examples:
    >>> import hlo2tiny, numpy as np
    >>> text = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {"
    >>> text += " %0 = stablehlo.tanh %x : tensor<3xf32> return %0 : tensor<3xf32> }"
    >>> program = hlo2tiny.load(text, device="CPU")
    >>> program.numpy(np.zeros(3, np.float32))
    (array([0., 0., 0.], dtype=float32),)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import Error, InputError, NoNativeCode, ParseError, UnsupportedOp, VerifyError
from .ir import Module
from .program import Program, custom_call, load
from .program.arguments import Argument
from .versions import __version__ as __version__

if TYPE_CHECKING:
    from .from_jax.exporting import export
    from .from_jax.jitted import jit
    from .program.training import gradient, training_step
    from .syntax.parser import parse

__all__ = [
    "Argument",
    "Error",
    "InputError",
    "Module",
    "NoNativeCode",
    "ParseError",
    "Program",
    "UnsupportedOp",
    "VerifyError",
    "custom_call",
    "export",
    "gradient",
    "jit",
    "load",
    "parse",
    "training_step",
]


# These are imported when they are first used: a program whose code is in the cache runs without them.
LATER = {
    "export": "from_jax.exporting",
    "gradient": "program.training",
    "jit": "from_jax.jitted",
    "parse": "syntax.parser",
    "training_step": "program.training",
}


def __getattr__(name: str) -> Any:
    if name in LATER:
        from importlib import import_module

        return getattr(import_module(f".{LATER[name]}", __name__), name)
    raise AttributeError(f"module 'hlo2tiny' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})
