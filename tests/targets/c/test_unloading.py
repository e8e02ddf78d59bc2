"""Code that nothing refers to any more is unloaded."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.program.specialisations import MOST_SPECIALISATIONS

pytestmark = pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs /proc")

OPEN = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def mapped() -> set[str]:
    """The programs that are mapped into this process's memory."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return {line.split(maxsplit=5)[5] for line in lines if "program.so" in line}


def fixed(size: int) -> str:
    return OPEN.replace("?", str(size))


@pytest.fixture(autouse=True)
def _what_programs_share() -> None:
    """The pool of threads stays loaded once a program has run."""
    hlo2tiny.load(fixed(3), device="CPU").compile()


@pytest.mark.parametrize("cached", [False, True])
def test_shapes_that_are_not_kept_are_unloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: bool) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(OPEN)
    monkeypatch.setattr("hlo2tiny.program.specialisations.MOST_SPECIALISATIONS", 2)
    sizes = range(301, 306)
    if cached:
        program = hlo2tiny.load(path, device="CPU")
        for size in sizes:
            program.numpy(np.ones(size, np.float32))
        del program
    before = mapped()
    program = hlo2tiny.load(path, device="CPU")
    results = [program.numpy(np.full(size, size, np.float32))[0] for size in sizes]
    assert 1 <= len(mapped() - before) <= 2
    assert [int(x[0]) for x in results] == [2 * size for size in sizes]
    del program
    assert not mapped() - before
    assert [int(x[-1]) for x in results] == [2 * size for size in sizes]
    assert MOST_SPECIALISATIONS > 2


@pytest.mark.parametrize("cached", [False, True])
def test_a_program_that_dies_is_unloaded_without_the_garbage_collector(tmp_path: Path, cached: bool) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(fixed(311 + cached))
    if cached:
        hlo2tiny.load(path, device="CPU").compile()
    before = mapped()
    gc.disable()
    try:
        program = hlo2tiny.load(path, device="CPU")
        result = program(np.ones(311 + cached, np.float32))
        assert len(mapped() - before) == 1
        del program
        assert not mapped() - before
    finally:
        gc.enable()
    assert result.numpy()[0] == 2


def test_programs_with_steps_on_the_host_are_unloaded() -> None:
    text = """func.func @main(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
      %0 = "stablehlo.custom_call"(%x) {call_target_name = "unloading_test"} : (tensor<8xcomplex<f32>>) ->
        tensor<8xcomplex<f32>>
      return %0 : tensor<8xcomplex<f32>>
    }"""
    from hlo2tiny.program import custom_calls as module

    module._custom_calls["unloading_test"] = lambda x: x * 2
    try:
        before = mapped()
        program = hlo2tiny.load(text, device="CPU")
        assert program.numpy(np.ones(8, np.complex64))[0][0] == 2
        assert mapped() - before
        del program
        assert not mapped() - before
    finally:
        del module._custom_calls["unloading_test"]


def test_code_stays_while_a_thread_is_inside_it() -> None:
    text = """func.func @main(%n: tensor<i32>) -> tensor<i32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %r:2 = stablehlo.while(%i = %zero, %y = %n) : tensor<i32>, tensor<i32>
      cond {
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %j = stablehlo.add %i, %one : tensor<i32>
        %z = stablehlo.xor %y, %j : tensor<i32>
        stablehlo.return %j, %z : tensor<i32>, tensor<i32>
      }
      return %r#1 : tensor<i32>
    }"""
    before = mapped()
    program = hlo2tiny.load(text, device="CPU")
    program.compile()
    results: list[np.ndarray] = []
    begun = threading.Event()

    def run(program: hlo2tiny.Program) -> None:
        begun.set()
        results.extend(program.numpy(np.int32(20_000_000)))

    thread = threading.Thread(target=run, args=[program])
    del program
    thread.start()
    begun.wait()
    gc.collect()
    thread.join()
    del thread
    assert int(results[0]) == 20_000_000 ^ np.bitwise_xor.reduce(np.arange(1, 20_000_001, dtype=np.int32))
    assert not mapped() - before


FORK = """
import os, sys, threading, time
import numpy as np
import hlo2tiny
text = {text!r}
wait = float(sys.argv[1])

def load():
    hlo2tiny.load(text, device="CPU").numpy(np.ones(5, np.float32))

thread = threading.Thread(target=load)
thread.start()
time.sleep(wait)
child = os.fork()
if child == 0:
    result = hlo2tiny.load(text.replace("add", "multiply"), device="CPU")(np.full(5, 3, np.float32)).numpy()
    os._exit(0 if result.tolist() == [9] * 5 else 1)
_, status = os.waitpid(child, 0)
thread.join()
os._exit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.sampled(4)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("wait", [0.0, 0.02, 0.1, 0.3])
def test_a_fork_while_another_thread_loads_for_the_first_time(wait: float) -> None:
    command = [sys.executable, "-c", FORK.format(text=fixed(5)), str(wait)]
    environment = os.environ | {"HLO2TINY_CACHE": "off"}
    assert subprocess.run(command, timeout=180, env=environment).returncode == 0
