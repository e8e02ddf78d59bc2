"""Arrays for programs without recorded inputs: plain numbers, or those at which code goes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import ml_dtypes
import numpy as np

from hlo2tiny.ir import Module, TensorType, walk
from hlo2tiny.ir.dtypes import numpy_dtype
from hlo2tiny.program.arguments import random_array
from hlo2tiny.verify.problems import entry_function

LARGEST = 1 << 16  # elements of a tensor in a program that is run


def signature(module: Module) -> list[tuple[tuple[int, ...], np.dtype]] | None:
    """The shapes and dtypes of a program's arguments; None where something is no tensor, of open shape, or large."""
    entry = entry_function(module)
    values = [*entry.type.inputs, *entry.type.results]
    values += [v.type for f in module.functions.values() if f.body for op in walk(f.body) for v in op.results]
    for each in values:
        if not isinstance(each, TensorType) or None in each.shape or prod(d or 0 for d in each.shape) > LARGEST:
            return None
    found = []
    for each in entry.type.inputs:
        assert isinstance(each, TensorType)
        found.append((tuple(d or 0 for d in each.shape), numpy_dtype(each.element)))
    return found


def plain(types: Sequence[tuple[tuple[int, ...], np.dtype]], seed: int) -> list[np.ndarray]:
    """Numbers of moderate size, as the command line makes them."""
    generator = np.random.RandomState(seed)
    return [random_array(shape, dtype, generator) for shape, dtype in types]


def edges(dtype: np.dtype) -> np.ndarray:
    """The numbers of a type at which code goes wrong."""
    if dtype.kind == "b":
        return np.array([0, 1, 255, 2], np.uint8).view(bool)
    if dtype.kind == "c":
        parts = edges(np.dtype(f"f{dtype.itemsize // 2}"))
        both = np.empty(len(parts) ** 2, dtype)
        both.real, both.imag = np.repeat(parts, len(parts)), np.tile(parts, len(parts))
        return both
    if dtype.kind in "iu" or "int" in dtype.name:
        info = ml_dtypes.iinfo(dtype)
        wanted = [info.min, info.min + 1, -1, 0, 1, 2, 3, 7, info.max - 1, info.max, 2**31 - 1, 2**31, -(2**31), 2**32]
        return np.array([x for x in wanted if info.min <= x <= info.max]).astype(dtype)
    info = ml_dtypes.finfo(dtype)
    wanted = [0.0, -0.0, 1, -1, 0.5, 1.5, 1e-3, 1e3, 2.0**31, -(2.0**63), 2.0**64, 1e30, np.inf, -np.inf, np.nan]
    with np.errstate(all="ignore"):
        some = np.array(wanted).astype(dtype)
    return np.concatenate([some, np.array([info.max, info.min, info.tiny, info.smallest_subnormal], dtype)])


def extreme(types: Sequence[tuple[tuple[int, ...], np.dtype]], seed: int) -> list[np.ndarray]:
    """Edge cases of each type: one everywhere, or mixed; or arbitrary bytes."""
    rng = np.random.default_rng([seed, 7])
    found = []
    for shape, dtype in types:
        some = edges(dtype)
        match int(rng.integers(4)):
            case 0:
                array = np.full(shape, some[int(rng.integers(len(some)))])
            case 1 if dtype.kind in "iufc":
                array = rng.integers(0, 256, prod(shape) * dtype.itemsize, np.uint8).view(dtype).reshape(shape)
            case _:
                array = some[rng.integers(0, len(some), shape)]
        found.append(np.asarray(array, dtype))
    return found
