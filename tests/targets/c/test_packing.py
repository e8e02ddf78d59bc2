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
from hlo2tiny.targets.arrays import Fixed
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
    assert [ref() is None for ref in dead] == [False, False, True, True, False]
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
    assert weight.packed(packing) == weight.packed(packing) != at == weight.address


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
