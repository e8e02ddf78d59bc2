"""Compiled handlers of custom calls on CUDA: they get addresses in the GPU's memory, and its stream."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import compiled_handlers
import numpy as np
import pytest
from emulation import Emulator
from test_executable import plan_of

from hlo2tiny.errors import InputError
from hlo2tiny.program.ffi import handlers_given
from hlo2tiny.program.handlers import with_handlers
from hlo2tiny.syntax.parser import parse
from hlo2tiny.targets.cuda import handlers
from hlo2tiny.targets.cuda.native import executable_of
from hlo2tiny.targets.handlers import handlers_in

FOUR = np.array([1, 2, 3, 4], np.float32)
KEPT: dict[int, Any] = {}  # what handlers have allocated, by address


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t, ctypes.c_void_p)
def allocate(address: Any, size: int, stream: int | None) -> int:
    made = ctypes.create_string_buffer(size + 256)
    address[0] = ctypes.addressof(made) + -ctypes.addressof(made) % 256
    KEPT[address[0]] = made
    return 0


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
def release(address: int, stream: int | None) -> int:
    return int(KEPT.pop(address, None) is None)


@pytest.fixture(autouse=True)
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The GPU's memory is the host's."""

    def copy(target: int, source: int, size: int, stream: int) -> tuple[int]:
        ctypes.memmove(target, source, size)
        return (0,)

    functions = tuple(ctypes.cast(function, ctypes.c_void_p).value or 0 for function in (allocate, release))
    monkeypatch.setattr(handlers, "memory_functions", lambda: functions)
    monkeypatch.setattr(handlers, "driver", lambda: SimpleNamespace(cuMemcpyDtoDAsync=copy))
    yield
    assert not KEPT


def emulator(text: str, folder: Path) -> Emulator:
    given = handlers_given([compiled_handlers.library("handlers")])
    functions = with_handlers({}, parse(text), given, "CUDA")
    plan = plan_of(text, custom_calls=functions)
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
    assert len(executable.hosts) == len(handlers_in(functions)) == 1
    return Emulator(plan, executable, folder, functions)


def program(name: str, config: str = "", more: str = "") -> str:
    """A call between kernels, which compute 2x before it and negate its result."""
    attributes = f"{{api_version = 4 : i32, backend_config = {{{config}}}{more}}}"
    return f"""func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {{
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  %1 = stablehlo.custom_call @{name}(%0) {attributes} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2, %0 : tensor<4xf32>, tensor<4xf32> }}"""


def test_a_handler_between_kernels(tmp_path: Path) -> None:
    run = emulator(program("fail_if_negative"), tmp_path)
    for _ in range(2):
        assert [x.tolist() for x in run([FOUR])] == [[-2, -4, -6, -8], [2, 4, 6, 8]]
    with pytest.raises(
        InputError, match=r":3:8: stablehlo.custom_call: handler 'fail_if_negative' failed: number 0 is n"
    ):
        run([-FOUR])


def test_scratch_memory_and_the_number_of_the_gpu(tmp_path: Path) -> None:
    run = emulator(program("in_threads"), tmp_path)
    assert [x.tolist() for x in run([FOUR])] == [[-5, -9, -13, -17], [2, 4, 6, 8]]
    run.name = "CUDA:1"
    with pytest.raises(InputError, match="handler 'in_threads' failed: the context is wrong"):
        run([FOUR])


def test_the_stream(tmp_path: Path) -> None:
    text = program("needs_stream").replace("(%0) {", "() {").replace("} : (tensor<4xf32>)", "} : ()")
    assert [x.tolist() for x in emulator(text, tmp_path)([FOUR])] == [[-7] * 4, [2, 4, 6, 8]]


def test_a_result_in_the_memory_of_an_operand(tmp_path: Path) -> None:
    alias = "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>"
    text = program("add_one_in_place", more=f", output_operand_aliases = [{alias}]")
    assert [x.tolist() for x in emulator(text, tmp_path)([FOUR])] == [[-3, -5, -7, -9], [2, 4, 6, 8]]
