"""How many threads a program uses, and that its calls run without the GIL."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.targets import MOST_THREADS, thread_count
from hlo2tiny.targets.c.code import thread_pool
from tests.targets.c.test_native import LARGE, large_inputs, large_results

# A convolution, a Fourier transform, a product and kernels, each with enough work for several threads.
MANY = """
func.func @main(%x: tensor<4x64x64x16xf32>, %k: tensor<3x3x16x40xf32>, %m: tensor<300x300xf32>, %z: tensor<64x4096xf32>)
    -> (tensor<4x64x64x40xf32>, tensor<300x300xf32>, tensor<64x2049xcomplex<f32>>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %c = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<4x64x64x16xf32>, tensor<3x3x16x40xf32>) -> tensor<4x64x64x40xf32>
  %d = stablehlo.dot_general %m, %m, contracting_dims = [1] x [0]
    : (tensor<300x300xf32>, tensor<300x300xf32>) -> tensor<300x300xf32>
  %f = stablehlo.fft %z, type = RFFT, length = [4096] : (tensor<64x4096xf32>) -> tensor<64x2049xcomplex<f32>>
  %e = stablehlo.exponential %c : tensor<4x64x64x40xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3]
    : (tensor<4x64x64x40xf32>, tensor<f32>) -> tensor<f32>
  return %e, %d, %f, %s
    : tensor<4x64x64x40xf32>, tensor<300x300xf32>, tensor<64x2049xcomplex<f32>>, tensor<f32>
}
"""


def many_inputs() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.normal(0, 0.1, i.shape).astype(i.dtype) for i in hlo2tiny.load(MANY, "CPU").inputs]


def test_results_are_the_same_for_each_number_of_threads() -> None:
    inputs = many_inputs()
    expected = hlo2tiny.load(MANY, "CPU", threads=1).numpy(*inputs)
    for threads in (2, 3, 7):
        for found, result in zip(hlo2tiny.load(MANY, "CPU", threads=threads).numpy(*inputs), expected):
            assert found.tobytes() == result.tobytes()


@pytest.mark.parametrize("m, k, n", [(1, 784, 256), (1, 600, 600), (2, 600, 512), (3, 512, 384), (7, 300, 300)])
@pytest.mark.parametrize("bound", [False, True])
def test_small_products_are_the_same_for_each_number_of_threads(m: int, k: int, n: int, bound: bool) -> None:
    text = f"""func.func @main(%w: tensor<{k}x{n}xf32>, %x: tensor<{m}x{k}xf32>) -> tensor<{m}x{n}xf32> {{
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
      return %0 : tensor<{m}x{n}xf32>
    }}"""
    rng = np.random.default_rng(0)
    w, x = (rng.standard_normal(shape).astype(np.float32) for shape in ((k, n), (m, k)))
    results = set()
    for threads in (1, 2, 3, 7):
        program = hlo2tiny.load(text, "CPU", threads=threads)
        (found,) = program.bind(w).numpy(x) if bound else program.numpy(w, x)
        np.testing.assert_allclose(found, x @ w, 1e-4, 1e-4)
        results.add(found.tobytes())
    assert len(results) == 1


# OpenBLAS would add in another order on two threads.
COMPLEX = """
func.func @main(%x: tensor<500x500xcomplex<f32>>) -> tensor<500x500xcomplex<f32>> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<500x500xcomplex<f32>>, tensor<500x500xcomplex<f32>>) -> tensor<500x500xcomplex<f32>>
  return %0 : tensor<500x500xcomplex<f32>>
}
"""
PRODUCT = """
import hashlib, sys
import numpy as np
import hlo2tiny

x = np.random.default_rng(0).normal(size=(2, 500, 500)).astype(np.float32)
print(hashlib.sha256(hlo2tiny.load(sys.argv[1], "CPU").numpy(x[0] + 1j * x[1])[0]).hexdigest())
"""


@pytest.mark.ci
def test_complex_products_are_the_same_for_each_number_of_threads() -> None:
    found = {
        subprocess.check_output(
            [sys.executable, "-c", PRODUCT, COMPLEX], text=True, env={**os.environ, "OMP_NUM_THREADS": str(threads)}
        )
        for threads in (1, 2, 3)
    }
    assert len(found) == 1


def test_programs_with_different_numbers_run_at_the_same_time() -> None:
    programs = [hlo2tiny.load(LARGE, "CPU", threads=threads) for threads in (1, 2, 3, 4)]
    assert len({thread_pool(threads) for threads in (1, 2, 3, 4)}) == 4 and thread_pool(1) is None
    with ThreadPoolExecutor(4) as pool:
        for seed, found in enumerate(pool.map(lambda i: programs[i % 4].numpy(*large_inputs(i)), range(24))):
            for result, expected in zip(found, large_results(*large_inputs(seed))):
                np.testing.assert_array_equal(result, expected)


COUNTED = """
import os, sys
import hlo2tiny

hlo2tiny.load(sys.argv[1], "CPU", threads=int(sys.argv[2])).compile()
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.ci
@pytest.mark.skipif(sys.platform != "linux", reason="the thread pool is written for Linux")
def test_a_program_starts_as_many_threads() -> None:
    """A program that uses one thread starts none; all other threads of the process are there in each case."""
    commands = [[sys.executable, "-c", COUNTED, LARGE, str(threads)] for threads in (1, 2, 6)]
    alone, *more = [int(subprocess.check_output(command, text=True)) for command in commands]
    assert [count - alone for count in more] == [1, 5]


@pytest.mark.parametrize("threads", [0, -1, True, 2.5, "2", MOST_THREADS + 1, 10**90])
def test_what_is_no_number_of_threads(threads: object) -> None:
    with pytest.raises(hlo2tiny.InputError, match=r"^threads is .*, expected an integer from 1 to 256$"):
        hlo2tiny.load(LARGE, "CPU", threads=threads)  # type: ignore[arg-type]


def test_threads_are_for_the_cpu() -> None:
    with pytest.raises(
        hlo2tiny.InputError, match=r"^threads=2 is for programs on the CPU, and this one is for PYTHON$"
    ):
        hlo2tiny.load(LARGE, "PYTHON", threads=2)


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(5)), raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert thread_count() == 5 and thread_count(9) == 9
    for given, expected in [("3", 3), (" 2 ", 2), ("4,2", 4), ("64", 5), ("", 5)]:
        monkeypatch.setenv("OMP_NUM_THREADS", given)
        assert thread_count() == expected and thread_count(9) == 9
    for given in ("0", "-2", "two", "1.5", " ", ",2", "9" * 5000):
        monkeypatch.setenv("OMP_NUM_THREADS", given)
        with pytest.raises(hlo2tiny.InputError, match=r"OMP_NUM_THREADS is '.*, expected a positive integer$"):
            hlo2tiny.load(LARGE, "CPU")
        assert thread_count(9) == 9


# Iterations until another thread of Python has changed %x, from the number on that a function of Python returns.
WAITING = """
func.func @main(%x: tensor<64xi32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<63> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %begin = stablehlo.custom_call @begin(%zero) : (tensor<i32>) -> tensor<i32>
  %r = stablehlo.while(%i = %begin) : tensor<i32>
  cond {
    %v = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<64xi32>, tensor<i32>) -> tensor<1xi32>
    %s = stablehlo.reshape %v : (tensor<1xi32>) -> tensor<i32>
    %c = stablehlo.compare EQ, %s, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %n = stablehlo.add %i, %one : tensor<i32>
    %m = stablehlo.and %n, %last : tensor<i32>
    stablehlo.return %m : tensor<i32>
  }
  return %r : tensor<i32>
}
"""
WITHOUT_GIL = """
import sys, threading
import numpy as np
import hlo2tiny

sys.setswitchinterval(1000)  # no thread takes the GIL from one that does not give it away
x, begun = np.zeros(64, np.int32), threading.Event()

@hlo2tiny.custom_call("begin")
def begin(i):
    begun.set()
    return i

program = hlo2tiny.load(sys.argv[1], "CPU")
call = threading.Thread(target=program.numpy, args=(x,), daemon=True)
call.start()
begun.wait()
x[:] = 1
call.join()
print("ended")
"""


def test_a_call_releases_the_gil() -> None:
    """The call ends only after Python code has run in another thread; it would not end if it held the GIL."""
    command = [sys.executable, "-c", WITHOUT_GIL, WAITING]
    assert subprocess.check_output(command, text=True, timeout=120) == "ended\n"
