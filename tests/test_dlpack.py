"""Arrays of numpy, JAX and PyTorch in and out by DLPack, without a copy on the CPU; tests/gpu.py does it on a GPU."""

from __future__ import annotations

import gc
import sys
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest

import hlo2tiny
from hlo2tiny import InputError, dlpack

CPU, CUDA = dlpack.DEVICES["CPU"], dlpack.DEVICES["CUDA"]


def program(kind: str, shape: str = "2x3") -> hlo2tiny.Program:
    t = f"tensor<{shape}x{kind}>"
    op = "or" if kind == "i1" else "add"
    return hlo2tiny.load(f"""func.func @main(%x: {t}, %y: {t}) -> {t} {{
  %0 = stablehlo.{op} %x, %y : {t}
  return %0 : {t}
}}""", "CPU")  # fmt: skip


KINDS = ("f32", "f64", "f16", "i8", "i64", "ui32", "i1")


def test_arrays_may_outlive_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter clears modules at its end in no certain order."""
    run, x, failed = program("f32"), np.ones((2, 3), np.float32), list[Any]()
    array = np.from_dlpack(run(x, x))
    monkeypatch.setattr(sys, "unraisablehook", failed.append)
    monkeypatch.setattr(dlpack, "_lent", None)
    del array
    gc.collect()
    assert not failed


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
def test_numpy_reads_a_result_where_it_is(kind: str) -> None:
    run = program(kind)
    x = np.arange(6).reshape(2, 3).astype(run.inputs[0].dtype)
    result = run(x, x)
    assert result.__dlpack_device__() == (1, 0)
    first, second = np.from_dlpack(result), np.from_dlpack(result)
    assert first.dtype == x.dtype and first.ctypes.data == second.ctypes.data
    np.testing.assert_array_equal(first, run.numpy(x, x)[0])
    del result, second, run
    gc.collect()
    np.testing.assert_array_equal(first, x if kind == "i1" else x + x)  # the memory stays as long as it is read


def test_nothing_stays_lent() -> None:
    gc.collect()
    before = len(dlpack._lent)
    result = program("f32")(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
    unread, array = result.__dlpack__(), np.from_dlpack(result)
    assert len(dlpack._lent) == before + 2
    del unread
    assert len(dlpack._lent) == before + 1
    del array
    assert len(dlpack._lent) == before


@pytest.mark.parametrize("kind", ["f32", "bf16", "i32"])
def test_jax_arrays_in_and_out(kind: str) -> None:
    run = program(kind)
    x = jax.numpy.arange(6).reshape(2, 3).astype(run.inputs[0].dtype)
    found = jax.dlpack.from_dlpack(run(x, x))
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(np.asarray(found), np.asarray(x + x))


@pytest.mark.parametrize("kind", ["f32", "bf16", "i64", "i1"])
def test_torch_tensors_in_and_out(kind: str) -> None:
    torch = pytest.importorskip("torch")
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16, "i64": torch.int64, "i1": torch.bool}[kind]
    run = program(kind)
    x = torch.arange(6).reshape(3, 2).T.to(dtype)  # not contiguous
    result = run(x, x)
    found = torch.from_dlpack(result)
    assert found.dtype == dtype
    assert torch.equal(found, x if kind == "i1" else x + x)
    found[0, 0] = 1  # the same memory
    assert torch.from_dlpack(result)[0, 0] == 1
    with_gradient = torch.ones(2, 3, requires_grad=True)
    with pytest.raises(InputError, match="detach"):
        program("f32")(with_gradient, with_gradient)


def test_memory_that_numpy_cannot_read_is_borrowed_in_place() -> None:
    class Lender:
        """An array of bf16 of another library, which numpy cannot read."""

        def __init__(self, array: np.ndarray) -> None:
            self.array, self.shape = array, array.shape

        def __array__(self, *arguments: object, **named: object) -> np.ndarray:
            raise TypeError("numpy has no bfloat16")

        def __dlpack_device__(self) -> tuple[int, int]:
            return CPU, 0

        def __dlpack__(self, **how: Any) -> object:
            if "max_version" in how and self.old:
                raise TypeError("unexpected keyword argument")
            array = self.array
            return dlpack.lend(array.ctypes.data, (1, 0), array.dtype, array.shape, array, not self.old)

        old = False

    run = program("bf16")
    lender = Lender(np.arange(6).reshape(2, 3).astype(ml_dtypes.bfloat16))
    before = len(dlpack._lent)
    for lender.old in (False, True):
        (found,) = run.numpy(lender, lender)
        np.testing.assert_array_equal(found, lender.array + lender.array)
        assert dlpack.borrow(lender).array().ctypes.data == lender.array.ctypes.data
    gc.collect()
    assert len(dlpack._lent) == before


def test_steps_between_numbers_are_kept() -> None:
    whole = np.arange(24, dtype=np.int32).reshape(4, 6)
    for part in (whole, whole[::2, 1:4], whole.T, whole[::-1, ::-2], whole[:0], whole[2:3, 3], np.array(5)):
        borrowed = dlpack.borrow(part)
        np.testing.assert_array_equal(borrowed.array(), part)
        assert borrowed.is_contiguous == part.flags.c_contiguous


class OnGpu:
    """An array that says where it is but does not lend its memory."""

    shape, dtype = (2, 3), np.dtype(np.float32)

    def __init__(self, kind: int) -> None:
        self.kind = kind

    def __array__(self, *arguments: object, **named: object) -> np.ndarray:
        raise TypeError("use .get()")

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.kind, 1

    def __dlpack__(self, **how: object) -> object:
        raise BufferError("not lent")


@pytest.mark.parametrize(
    "kind, message",
    [
        (
            dlpack.DEVICES["CUDA"],
            r"^argument 0 is on CUDA:1, but this call takes host arrays, expected float32\[2, 3\]$",
        ),
        (CPU, r"^argument 0 is a OnGpu that numpy cannot read \(not lent\), expected"),
        (10, r"^argument 0 is a OnGpu that numpy cannot read \(use \.get\(\)\), expected"),
    ],
)
def test_arrays_elsewhere_are_refused_in_one_sentence(kind: int, message: str) -> None:
    run = program("f32")
    with pytest.raises(InputError, match=message):
        run(OnGpu(kind), OnGpu(kind))


def test_what_a_result_does_not_lend() -> None:
    result = program("f32")(np.ones((2, 3), np.float32), np.ones((2, 3), np.float32))
    for how in ({"copy": True}, {"dl_device": (2, 0)}):
        with pytest.raises(BufferError, match="exported in place"):
            result.__dlpack__(**how)
    with pytest.raises(BufferError, match="type 3 with 64 bits"):
        dlpack.dtype_of(dlpack.ElementCode(3, 64, 1))
    with pytest.raises(BufferError, match="no type for int4"):
        dlpack.lend(0, (1, 0), np.dtype(ml_dtypes.int4), (2,), None, True)


def test_an_empty_result_is_lent() -> None:
    result = program("f32", "0x3")(np.ones((0, 3), np.float32), np.ones((0, 3), np.float32))
    assert np.from_dlpack(result).shape == (0, 3)
