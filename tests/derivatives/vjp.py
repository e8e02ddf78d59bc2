"""Gradients of exported JAX functions beside JAX's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import jax
import numpy as np
from jax import export

from hlo2tiny import parse
from hlo2tiny.derivatives import gradient
from hlo2tiny.formats.artifact import Artifact
from hlo2tiny.ir import Module
from hlo2tiny.program.model import Model
from hlo2tiny.program.options import Options
from hlo2tiny.verify.problems import entry_function
from hlo2tiny.verify.unwrap import unwrap


@cache
def generator(test: str) -> np.random.RandomState:
    """Each test has its own, so that its numbers do not depend on which tests ran before it."""
    return np.random.RandomState(0)


def normal(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    """Standard normal numbers, complex ones too."""
    random = generator(os.environ.get("PYTEST_CURRENT_TEST", ""))
    values: Any = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return np.asarray(values).astype(dtype)


def exported(function: Callable[..., Any], arguments: list[np.ndarray]) -> Module:
    return unwrap(parse(export.export(jax.jit(function))(*arguments).mlir_module()))


def differentiated(function: Callable[..., Any], arguments: list[np.ndarray]) -> tuple[Module, tuple[int, ...]]:
    """The program of a function's gradient by all its arguments, and the results of which it takes cotangents."""
    module = exported(function, arguments)
    return gradient(module, entry_function(module).name, range(len(arguments)))


@dataclass(frozen=True)
class Gradient:
    """The program of a gradient, its arguments, and what `jax.vjp` gives."""

    test: str
    module: Module
    arrays: list[np.ndarray]
    expected: list[np.ndarray]
    tolerance: float

    def expect_equal(self, found: Sequence[np.ndarray]) -> None:
        for number, (f, e) in enumerate(zip(found, self.expected, strict=True)):
            if e.dtype == jax.dtypes.float0:
                assert not np.any(f)
                continue
            assert (f.dtype, f.shape) == (e.dtype, e.shape)
            f, e = (x if x.dtype.kind == "c" else x.astype(np.float64) for x in (f, e.conj()))
            np.testing.assert_allclose(f, e, rtol=self.tolerance, atol=self.tolerance, err_msg=f"argument {number}")


# Where `check` puts what it would run, for tests/conformance.py, which runs it on other targets; None: it runs it.
collected: list[Gradient] | None = None


def check(function: Callable[..., Any], *given: Any, tolerance: float = 2e-5, forward: Module | None = None) -> None:
    """Compare a gradient, for random cotangents of the results, with what `jax.vjp` gives of a function.

    It is that of the exported function, or of `forward`, which means the same.
    """
    arguments = [np.asarray(x, np.int32) if np.asarray(x).dtype.kind in "iu" else np.asarray(x) for x in given]
    forward = forward or exported(function, arguments)
    module, taken = gradient(forward, entry_function(forward).name, range(len(arguments)))
    assert str(parse(str(module))) == str(module)
    leaves, structure = jax.tree.flatten(jax.eval_shape(function, *arguments))
    cotangents = [
        normal(*x.shape, dtype=x.dtype) if jax.numpy.issubdtype(x.dtype, np.inexact) else zero(x) for x in leaves
    ]
    # JAX's cotangents of complex numbers are the conjugates of ours.
    conjugates = jax.tree.unflatten(structure, [c.conj() if c.dtype.kind == "c" else c for c in cotangents])
    # As one program: XLA would take three times as long to compile its ops one by one.
    expected = jax.jit(lambda given: jax.vjp(function, *given)[1](conjugates))(arguments)
    given = [*arguments, *(cotangents[i] for i in taken)]
    test = os.environ["PYTEST_CURRENT_TEST"].rpartition("::")[2].removesuffix(" (call)")
    each = Gradient(test, module, given, [*map(np.asarray, expected)], tolerance)
    if collected is not None:
        collected.append(each)
        return
    compiled = Model(Artifact(module), Options("CPU")).specialise([x.shape for x in given], {})  # verifies the module
    assert compiled is not None
    each.expect_equal(compiled.run_numpy(given))


def zero(x: Any) -> np.ndarray:
    return np.zeros(x.shape, jax.dtypes.float0)
