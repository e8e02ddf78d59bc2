"""One library for all sizes of open dimensions: built, called for several of them, and compared with Python."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from targets.c.test_folder import CLANG, COMPILERS, Info, built
from targets.c.test_sizes import compiled, exported, floats, mlp, shape_of

import hlo2tiny
from hlo2tiny.cli import main

BATCHES = (1, 7, 64, 300)


class Sizes(ctypes.Structure):
    """`struct model_sizes` of model.h where sizes are open."""

    _fields_ = (
        ("count", ctypes.c_size_t),
        ("names", ctypes.POINTER(ctypes.c_char_p)),
        ("most", ctypes.POINTER(ctypes.c_int64)),
    )


class Library:
    """A shared library of a program whose sizes are open, called through model.h."""

    def __init__(self, path: Path, threads: int = 2) -> None:
        self.functions = f = ctypes.CDLL(str(path))
        f.model_describe_for.restype = ctypes.POINTER(Info)
        f.model_describe_sizes.restype = ctypes.POINTER(Sizes)
        f.model_error.restype = ctypes.c_char_p
        known = f.model_describe_sizes().contents
        self.most = {known.names[i].decode(): known.most[i] for i in range(known.count)}
        self.context = ctypes.c_void_p()
        weights = str(path.parent / "weights.safetensors").encode()
        assert f.model_create(ctypes.byref(self.context), weights, threads) == 0

    def run(self, sizes: Sequence[int], *inputs: np.ndarray) -> list[np.ndarray]:
        """The results for inputs; raises ValueError with what `model_error` says."""
        numbers = (ctypes.c_int64 * len(sizes))(*sizes)
        if code := self.functions.model_check_sizes(numbers):
            assert not self.functions.model_describe_for(numbers)
            raise ValueError(self.functions.model_error(code).decode())
        info = self.functions.model_describe_for(numbers).contents
        assert [shape_of(info.inputs[i]) for i in range(info.input_count)] == [a.shape for a in inputs]
        results = [np.full(shape_of(info.outputs[i]), 99, np.float32) for i in range(info.output_count)]
        places = [ctypes.c_void_p(a.ctypes.data) for a in (*inputs, *results)]
        code = self.functions.model_run(self.context, *map(ctypes.c_int64, sizes), *places)
        assert code == 0, self.functions.model_error(code)
        return results


def library_of(model: Path, folder: Path, *options: str) -> Library:
    return Library(built(compiled(model, folder, *options), CLANG, target="libmodel.so"))


def expect_same(library: Library, model: Path, sizes: Sequence[int], *inputs: np.ndarray) -> None:
    """The numbers of Python's program for these inputs."""
    expected = hlo2tiny.load(model, device="CPU").numpy(*inputs)
    for found, e in zip(
        library.run(sizes, *inputs), expected if isinstance(expected, tuple) else (expected,), strict=True
    ):
        np.testing.assert_allclose(found, e, rtol=1e-5, atol=1e-5)


def test_a_batch(tmp_path: Path) -> None:
    model = mlp(tmp_path)
    library = library_of(model, tmp_path / "c")
    assert library.most == {"b": 1 << 20}
    for b in (*BATCHES, 2):  # the working memory grows, and stays
        expect_same(library, model, (b,), floats(b, 784))
