"""The corpus on tinygrad's other devices: OpenCL, which pocl gives to any processor, and Python itself."""

from __future__ import annotations

import numpy as np
import pytest
from devices import missing
from tinygrad.helpers import Context
from tinygrad.uop.ops import Ops

import hlo2tiny
from corpus import ENTRIES, Entry
from hlo2tiny.plan.lowering import schedule_region
from hlo2tiny.rules import reduction
from hlo2tiny.tinygrad.settings import lowering_settings

# Programs that pocl compiles for minutes; run by hand, they gave the right results.
LONG = ("special_functions",)
SLOW = ("x64_math",)  # it compiles this one for more than a minute
# Programs that Python interprets within seconds.
SMALL = ("cond", "cumsum", "haiku_convnet", "handwritten_generic", "segment_sum", "switch", "while_loop")


def expect_results(entry: Entry, device: str) -> None:
    program = hlo2tiny.load(entry.path, device=device)
    assert program.device == device
    entry.check(program.numpy(*entry.inputs()))


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(e, marks=pytest.mark.night if i % 12 or e.name in SLOW else pytest.mark.ci, id=e.name)
        for i, e in enumerate(e for e in ENTRIES if e.name not in LONG)
    ],
)
def test_opencl_gives_the_results_of_xla(entry: Entry) -> None:
    if reason := missing("CL"):
        pytest.skip(f"no OpenCL (.ci/run installs pocl): {reason}")
    expect_results(entry, "CL")


@pytest.mark.ci
def test_opencl_runs_kernels_that_leave_parameters_unused() -> None:
    """Each kernel of this sort reads one of two arrays, the real or the imaginary numbers."""
    if reason := missing("CL"):
        pytest.skip(f"no OpenCL (.ci/run installs pocl): {reason}")
    text = """func.func @main(%x: tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %1 = stablehlo.imag %a : (tensor<complex<f32>>) -> tensor<f32>
    %2 = stablehlo.imag %b : (tensor<complex<f32>>) -> tensor<f32>
    %3 = stablehlo.compare LT, %1, %2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>>
  return %0 : tensor<7xcomplex<f32>>
}"""
    numbers = np.array([3, 1 + 2j, 4 - 1j, 1 + 2j, 5j, 9 - 2j, 2], np.complex64)
    (result,) = hlo2tiny.load(text, device="CL").numpy(numbers)
    np.testing.assert_array_equal(result, numbers[np.argsort(numbers.imag, kind="stable")])


@pytest.mark.parametrize("name", SMALL)
def test_pythons_device_gives_the_results_of_xla(name: str) -> None:
    (entry,) = (entry for entry in ENTRIES if entry.name == name)
    expect_results(entry, "PYTHON")


@pytest.mark.parametrize("kind", ["f64", "complex<f64>"])
def test_a_device_without_float64_says_so(kind: str) -> None:
    text = f"""func.func @main(%x: tensor<3xf32>) -> tensor<3x{kind}> {{
  %0 = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3x{kind}>
  return %0 : tensor<3x{kind}>
}}"""
    hlo2tiny.load(text, device="PYTHON")
    # tinygrad has no float64 where it has to build int64 itself.
    with Context(EMULATED_DTYPES="long"), pytest.raises(hlo2tiny.UnsupportedOp) as caught:
        hlo2tiny.load(text, device="PYTHON")
    assert f":2:8: stablehlo.convert: tensor<3x{kind}>: the device PYTHON has no float64; run" in str(caught.value)


def test_a_device_that_lacks_int64_runs_it() -> None:
    text = """func.func @main(%x: tensor<3xi64>) -> tensor<3xi64> {
  %0 = stablehlo.multiply %x, %x : tensor<3xi64>
  return %0 : tensor<3xi64>
}"""
    with Context(EMULATED_DTYPES="long"):
        (found,) = hlo2tiny.load(text, device="PYTHON").numpy(np.array([1, -(1 << 30), 3 << 40]))
    np.testing.assert_array_equal(found, np.array([1, 1 << 60, (9 << 80) & ((1 << 64) - 1)], np.uint64).view(np.int64))


def test_kernels_of_constants_run_on_the_programs_device() -> None:
    """Rules know no device: what a loop makes of constants alone is on the device, like all the rest."""
    text = """func.func @main(%x: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %numbers = stablehlo.constant dense<[7, 3, 5]> : tensor<3xi32>
  %sorted = "stablehlo.sort"(%numbers) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %line = stablehlo.iota dim = 0 : tensor<3xi32>
  %update = stablehlo.constant dense<9> : tensor<1xi32>
  %updated = stablehlo.dynamic_update_slice %line, %update, %one
    : (tensor<3xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
  %sum = stablehlo.add %x, %sorted : tensor<3xi32>
  return %sum, %updated : tensor<3xi32>, tensor<3xi32>
}"""
    program = hlo2tiny.load(text, device="PYTHON")
    found, updated = program.numpy(np.array([10, 20, 30], np.int32))
    assert (found.tolist(), updated.tolist()) == ([13, 25, 37], [0, 9, 2])
    for region in program.plan.kernels():
        with lowering_settings("PYTHON"):
            nodes = schedule_region(region, "PYTHON").linear.toposort()
        assert {node.device for node in nodes if node.op in (Ops.BUFFER, Ops.PARAM)} <= {"PYTHON", None}


POOLING = """func.func @main(%x: tensor<1x7x6x2xf32>, %y: tensor<1x4x3x2xf32>) -> tensor<1x7x6x2xf32> {
  %zero = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %y, %zero) <{
    padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>,
    window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<1x7x6x2xf32>, tensor<1x4x3x2xf32>, tensor<f32>) -> tensor<1x7x6x2xf32>
  return %0 : tensor<1x7x6x2xf32>
}"""
SCATTER = """func.func @main(%x: tensor<5x4xf32>, %i: tensor<6x1xi32>, %y: tensor<6x4xf32>) -> tensor<5x4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %y) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
    inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<5x4xf32>, tensor<6x1xi32>, tensor<6x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}"""
SUM = """func.func @main(%x: tensor<3x71xf32>) -> (tensor<3xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] :
    (tensor<3x71xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [0, 1] :
    (tensor<3x71xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<3xf32>, tensor<f32>
}"""


@pytest.mark.parametrize("text", [POOLING, SCATTER, SUM], ids=["pooling's gradient", "scatter", "long sums"])
def test_what_threads_compute_in_parallel_is_what_the_cpu_computes(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reduction, "MANY_ELEMENTS", 64)
    monkeypatch.setattr(reduction, "FEW_RESULTS", 16)
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    program, random = hlo2tiny.load(text, device="CPU"), np.random.default_rng(7)
    arrays = [
        random.integers(-1, 6, a.shape).astype(a.dtype) if a.dtype.kind == "i" else random.integers(0, 9, a.shape) / 2
        for a in program.inputs
    ]
    arrays = [x.astype(a.dtype) for x, a in zip(arrays, program.inputs)]
    for found, expected in zip(hlo2tiny.load(text, device="PYTHON").numpy(*arrays), program.numpy(*arrays)):
        np.testing.assert_array_equal(found, expected)
