"""Weights that products read are packed once, when a program that they are bound to first runs."""

from __future__ import annotations

import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny import Program
from hlo2tiny.formats import safetensors
from hlo2tiny.targets.arrays import Fixed, allocate_aligned
from hlo2tiny.targets.c.packing import Packing

# Products and a convolution, some of which a kernel consumes piece by piece; the last weight is read in two ways.
NETWORK = """
func.func @main(%k: tensor<3x3x16x40xf32>, %p: tensor<1x1x40x72xf32>, %w: tensor<72x50xf32>, %u: tensor<30x50xf32>,
                %t: tensor<30x30xf32>, %x: tensor<2x24x24x16xf32>) -> tensor<1152x30xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x24x24x16xf32>, tensor<3x3x16x40xf32>) -> tensor<2x24x24x40xf32>
  %1 = stablehlo.tanh %0 : tensor<2x24x24x40xf32>
  %2 = stablehlo.convolution(%1, %p) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x24x24x40xf32>, tensor<1x1x40x72xf32>) -> tensor<2x24x24x72xf32>
  %3 = stablehlo.tanh %2 : tensor<2x24x24x72xf32>
  %4 = stablehlo.reshape %3 : (tensor<2x24x24x72xf32>) -> tensor<1152x72xf32>
  %5 = stablehlo.dot_general %4, %w, contracting_dims = [1] x [0]
    : (tensor<1152x72xf32>, tensor<72x50xf32>) -> tensor<1152x50xf32>
  %6 = stablehlo.dot_general %5, %u, contracting_dims = [1] x [1]
    : (tensor<1152x50xf32>, tensor<30x50xf32>) -> tensor<1152x30xf32>
  %7 = stablehlo.dot_general %6, %t, contracting_dims = [1] x [0]
    : (tensor<1152x30xf32>, tensor<30x30xf32>) -> tensor<1152x30xf32>
  %8 = stablehlo.dot_general %7, %t, contracting_dims = [1] x [1]
    : (tensor<1152x30xf32>, tensor<30x30xf32>) -> tensor<1152x30xf32>
  return %8 : tensor<1152x30xf32>
}
"""


def arrays(program: Program) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    return [random.standard_normal(i.shape).astype(np.float32) / 4 for i in program.inputs]


def fixed(program: Program) -> list[Fixed]:
    return [value.ready for _, value in sorted(program._arguments.bound.items())]


@pytest.mark.parametrize("threads", [1, 2])
def test_bound_weights_give_the_same_numbers(threads: int) -> None:
    program = hlo2tiny.load(NETWORK, "CPU", threads=threads)
    *weights, x = arrays(program)
    (expected,) = program.numpy(*weights, x)
    bound = program.bind(*weights)
    for _ in range(2):
        np.testing.assert_array_equal(bound.numpy(x)[0], expected)
    assert [len(each._packed) for each in fixed(bound)] == [1, 1, 1, 1, 0]
    np.testing.assert_array_equal(bound(x).numpy(), expected)


def test_what_is_packed_is_replaced_unless_it_is_shared() -> None:
    program = hlo2tiny.load(NETWORK, "CPU")
    *weights, x = arrays(program)
    copies = [w.copy() for w in weights]
    weights[1] = np.frombuffer(weights[1].tobytes(), np.float32).reshape(
        weights[1].shape
    )  # its memory is not an array's
    bound, kept = program.bind(*weights), weights[0]
    dead = [weakref.ref(w) for w in weights]
    del weights
    expected = program.numpy(*copies, x)[0]
    np.testing.assert_array_equal(bound.numpy(x)[0], expected)
    # The last one is not packed, and copied only if it does not begin at a cache line.
    assert [ref() is None for ref in dead[:-1]] == [False, False, True, True]
    for array, weight in zip(copies, fixed(bound)):
        np.testing.assert_array_equal(weight.array, array)
    np.testing.assert_array_equal(bound.numpy(x)[0], expected)
    for array, weight in zip(copies, bound.weights.values()):
        np.testing.assert_array_equal(weight.numpy(), array)
    np.testing.assert_array_equal(bound.numpy(x)[0], expected)  # the weights are Tensors now, which are not packed
    assert kept is not None


@pytest.mark.skipif(sys.platform != "linux", reason="the system says elsewhere what is in memory")
def test_packed_weights_of_a_file_leave_memory(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    text = """func.func @main(%w: tensor<1024x512xf32> loc("w"), %x: tensor<40x1024xf32>) -> tensor<40x512xf32> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<40x1024xf32>, tensor<1024x512xf32>) -> tensor<40x512xf32>
      return %0 : tensor<40x512xf32>
    }"""
    program = hlo2tiny.load(text, "CPU")
    w, x = arrays(program)
    safetensors.write(path, {"w": w})
    expected, bound = program.numpy(w, x)[0], program.with_weights(path)
    for _ in range(2):
        np.testing.assert_array_equal(bound.numpy(x)[0], expected)
        maps = Path("/proc/self/smaps").read_text(encoding="utf-8").partition(str(path))[2]
        assert 0 <= int(maps.partition("Rss:")[2].split()[0]) < 64  # kB, of 2,048
    np.testing.assert_array_equal(bound.weights["w"].numpy(), w)


def test_an_address_that_was_given_stays() -> None:
    weight = Fixed(np.arange(12.0))
    at, packing = weight.address, Packing(3, 4, 4, 1, 8)
    assert weight.pack(packing) == weight.pack(packing) != at == weight.address


@pytest.mark.parametrize("offset", [0, 4, 16])
def test_small_arrays_begin_at_cache_lines(offset: int) -> None:
    """A vector that crosses a cache line takes twice as long to load, which a loop notices in each iteration."""
    memory = allocate_aligned(1100, np.dtype(np.float32))
    array = memory[offset // 4 :][:1000]
    array[...] = np.arange(1000)
    fixed = Fixed(array)
    assert fixed.address % 64 == 0
    assert (fixed.address == array.ctypes.data) == (offset == 0)
    np.testing.assert_array_equal(fixed.array, array)


def test_calls_that_write_to_given_arrays_unpack_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether these arrays overlap a weight is asked in each call."""
    program = hlo2tiny.load(NETWORK, "CPU")
    *weights, x = arrays(program)
    bound, out = program.bind(*weights), np.empty((1152, 30), np.float32)
    del weights
    expected = bound.numpy(x)[0]
    monkeypatch.setattr(Packing, "unpack", lambda *_: pytest.fail("a weight was unpacked"))
    assert bound.numpy(x, out=[out])[0] is out
    np.testing.assert_array_equal(out, expected)


def test_threads_pack_a_weight_once() -> None:
    program = hlo2tiny.load(NETWORK, "CPU")
    *weights, x = arrays(program)
    expected = program.numpy(*weights, x)[0]
    bound = program.bind(*weights)
    del weights
    with ThreadPoolExecutor(4) as pool:
        for (found,) in pool.map(lambda _: bound.numpy(x), range(8)):
            np.testing.assert_array_equal(found, expected)
    assert [len(each._packed) for each in fixed(bound)] == [1, 1, 1, 1, 0]


def test_code_from_the_store_packs_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    results = []
    for _ in range(2):
        program = hlo2tiny.load(NETWORK, "CPU")
        *weights, x = arrays(program)
        bound = program.bind(*weights)
        results += [bound.numpy(x)[0]]
        assert [len(each._packed) for each in fixed(bound)] == [1, 1, 1, 1, 0]
    assert program._specialisations._model is None  # the second one comes from the store
    np.testing.assert_array_equal(*results)


def test_constants_are_packed_when_they_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And stored so. One that is read in two ways stays as it is, as does one that is a result too."""
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    program = hlo2tiny.load(NETWORK, "CPU")
    *weights, x = arrays(program)
    (expected,) = program.bind(*weights).numpy(x)
    types = [f"tensor<{'x'.join(map(str, w.shape))}xf32>" for w in weights]
    body = NETWORK.split("{\n", 1)[1]
    result = "tensor<1152x30xf32>"
    text = f"func.func @main(%x: tensor<2x24x24x16xf32>) -> ({result}, {types[3]}) {{\n"
    for name, type, w in zip("kpwut", types, weights):
        text += f'%{name} = stablehlo.constant dense<"0x{w.tobytes().hex().upper()}"> : {type}\n'
    text += body.replace(f"return %8 : {result}", f"return %8, %u : {result}, {types[3]}")
    for _ in range(2):
        baked = hlo2tiny.load(text, "CPU")
        found, u = baked.numpy(x)
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(u, weights[3])
        constants = baked._specialisations.only._executor.constants  # type: ignore[union-attr]
        assert [c.nbytes > w.nbytes for c, w in zip(constants, weights)] == [True, True, True, False, False]
        assert all(c.ctypes.data % 64 == 0 for c in constants[:3])
    assert baked._specialisations._model is None  # the second one comes from the store


def test_packed_weights_of_a_file_are_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = """func.func @main(%w: tensor<256x300xf32> loc("w"), %x: tensor<40x256xf32>) -> tensor<40x300xf32> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<40x256xf32>, tensor<256x300xf32>) -> tensor<40x300xf32>
      return %0 : tensor<40x300xf32>
    }"""
    path = tmp_path / "weights.safetensors"
    program = hlo2tiny.load(text, "CPU")
    w, x = arrays(program)
    packings = []
    pack = Packing.pack

    def counted(self: Packing, array: np.ndarray) -> np.ndarray:
        packings.append(self)
        return pack(self, array)

    monkeypatch.setattr(Packing, "pack", counted)
    for number, scale in enumerate((1, 2), 1):  # the second file has the name and size of the first
        safetensors.write(tmp_path / "new", {"w": w * scale})
        (tmp_path / "new").replace(path)
        expected = program.numpy(w * scale, x)[0]
        for _ in range(2):
            bound = program.with_weights(path)
            np.testing.assert_array_equal(bound.numpy(x)[0], expected)
            assert len(packings) == number
            np.testing.assert_array_equal(bound.weights["w"].numpy(), w * scale)
    for entry in (tmp_path / "hlo2tiny").iterdir():
        entry.write_bytes(entry.read_bytes()[:-1])  # what is damaged is packed again
    np.testing.assert_array_equal(program.with_weights(path).numpy(x)[0], expected)
    assert len(packings) == 3
