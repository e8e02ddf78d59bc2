"""Calls that another thread ends."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.stopping import Stop, Stopped

ENDLESS = """func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %0, %y = %x) : tensor<i32>, tensor<?xi32>
  cond {
    %p = stablehlo.compare EQ, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %i : tensor<i32>
    %z = stablehlo.add %y, %y : tensor<?xi32>
    stablehlo.return %j, %z : tensor<i32>, tensor<?xi32>
  }
  return %r#1 : tensor<?xi32>
}"""
STATIC = ENDLESS.replace("?", "4")


@pytest.mark.parametrize("text", [ENDLESS, STATIC], ids=["open", "static"])
@pytest.mark.parametrize("device", ["CPU", "PYTHON"])
def test_another_thread_ends_a_call(text: str, device: str) -> None:
    program = hlo2tiny.load(text, device)
    stop, begun = Stop(), threading.Event()
    errors: list[BaseException] = []

    def call() -> None:
        with stop:
            begun.set()
            try:
                program.numpy(np.ones(4, np.int32))
            except Stopped as error:
                errors.append(error)

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    begun.wait(100)
    threading.Timer(0.3, stop.set).start()  # in native code, most likely, though earlier would do as well
    thread.join(100)
    assert len(errors) == 1


def test_a_stop_of_the_main_thread_ends_its_call() -> None:
    program = hlo2tiny.load(STATIC, "CPU")
    stop = Stop()
    threading.Timer(0.3, stop.set).start()
    with pytest.raises(Stopped), stop:
        program.numpy(np.ones(4, np.int32))


def test_a_stop_that_is_not_set_changes_nothing() -> None:
    program = hlo2tiny.load("func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {return %x : tensor<2xi32>}", "CPU")
    x = np.ones(2, np.int32)
    for _ in range(2):
        program.numpy(x)
        with Stop():
            np.testing.assert_array_equal(program.numpy(x)[0], x)
