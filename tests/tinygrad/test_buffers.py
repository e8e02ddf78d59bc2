"""Results before and after something asks for their node in tinygrad's graph, and parts of buffers."""

from __future__ import annotations

import gc
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tinygrad.device import Buffer
from tinygrad.dtype import dtypes
from tinygrad.tensor import Tensor, all_tensors

import hlo2tiny
from hlo2tiny.ir import ComplexType, ScalarType, TensorType
from hlo2tiny.tinygrad import buffers, tensors
from hlo2tiny.tinygrad.buffers import Part
from hlo2tiny.tinygrad.device import open_device
from hlo2tiny.tinygrad.dtypes import tensor_dtype
from hlo2tiny.tinygrad.tensors import Pending, Result

PAIR = TensorType((2,), ScalarType("f32"))
ADD = """func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = stablehlo.multiply %x, %x : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}"""


def is_pending(tensor: Tensor) -> bool:
    return isinstance(tensors.value_of(tensor), Pending)


def parts(count: int) -> list[Part]:
    results, whole = buffers.allocate_results(((2, dtypes.float32),) * count, "CPU", {})
    assert whole is not None and all(isinstance(part, Part) and part.whole is whole for part in results)
    return results  # type: ignore[return-value]


def test_a_result_stays_out_of_the_graph_until_something_asks_for_it() -> None:
    run = hlo2tiny.load(ADD, "CPU")
    gc.collect()  # what other tests have left
    before = len(all_tensors)
    for _ in range(3):  # results are arguments
        total, product = run(np.array([1, 2], np.float32))
        again, _ = run(total)
        assert (total.shape, total.dtype, total.device) == ((2,), dtypes.float32, "CPU")
        assert all(map(is_pending, (total, product, again))) and len(all_tensors) == before
    assert again.tolist() == [4, 8] and not is_pending(again) and is_pending(total)
    assert len(all_tensors) == before + 1
    assert (total + product).tolist() == [3, 8] and not is_pending(total)
    del again, total, product, _
    gc.collect()
    assert len(all_tensors) == before


def test_a_result_that_outlives_its_module_goes_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    """When Python ends, it sets the names of modules to None before it deletes what other libraries still hold."""
    raised: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", raised.append)
    results = hlo2tiny.load(ADD, "CPU")(np.ones(2, np.float32))
    for name in ("own_value_of", "Pending"):
        monkeypatch.setattr(tensors, name, None)
    del results
    gc.collect()
    assert not raised


def test_threads_that_ask_at_the_same_time_find_one_value() -> None:
    run = hlo2tiny.load(ADD, "CPU")
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            total, _ = run(np.array([1, 2], np.float32))
            assert len({id(value) for value in pool.map(lambda x: x.uop, [total] * 8)}) == 1


@pytest.mark.parametrize("element", [ScalarType("f32"), ScalarType("bf16"), ComplexType(ScalarType("f32"))])
def test_a_pending_result_says_what_it_will_be(element: ScalarType | ComplexType) -> None:
    for shape in ((2, 3), (), (0, 3)):
        type = TensorType(shape, element)
        layout, stored = buffers.buffer_layout(type)
        memory = buffers.allocate(int(np.prod(layout)), stored, "CPU")
        result = tensors.to_tensor(memory, type, "CPU")
        said = result.shape, result.dtype, result.device
        assert is_pending(result) and isinstance(result, Result)
        assert said == (result.uop.shape, result.uop.dtype, result.uop.device)


def test_parts_share_no_memory_with_each_other() -> None:
    first, second = parts(2)
    wide = Part(first.whole, second.offset - 4, 2, dtypes.float32)
    assert buffers.shared([first, first]) == buffers.shared([first.buffer, first]) == {0, 1}
    assert buffers.shared([first, wide, None, second]) == {1, 3} and not buffers.shared([first, second])
    assert not any(buffers.shared([a, b]) for a in (first, first.buffer) for b in (second, second.buffer, None))


def test_parts_are_arguments_and_can_be_donated() -> None:
    states = [tensors.to_tensor(part, PAIR, "CPU") for part in parts(2)]
    for tensor, value in zip(states, (3, 5)):
        buffers.memory(tensors.own_buffer(tensor, PAIR, "CPU"), np.dtype(np.float32))[:] = value  # type: ignore[arg-type]
    run = hlo2tiny.load(ADD, "CPU", donate=(0,))
    total, product = run(states[0])
    assert total.tolist() == [6, 6] and product.tolist() == [9, 9]
    with pytest.raises(hlo2tiny.InputError, match="was donated"):
        run(states[0])
    assert states[1].tolist() == [5, 5]


@pytest.mark.parametrize("element", ["f32", "bf16", "f16", "i1", "ui8"])
def test_tensors_of_tinygrad_are_read_where_they_are(element: str) -> None:
    """A copy in each call takes a millisecond of Python."""
    type = TensorType((4, 3), ScalarType(element))
    open_device("CPU")
    tensor = Tensor(np.arange(12).reshape(4, 3), device="CPU").cast(tensor_dtype(type.element)).realize()
    found = tensors.from_tensor(tensor, type, "CPU")
    assert isinstance(found, Buffer) and found._buf.va_addr == tensor.uop.base.buffer._buf.va_addr
    text = f"""func.func @main(%x: tensor<4x3x{element}>) -> tensor<3x4x{element}> {{
      %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x3x{element}>) -> tensor<3x4x{element}>
      return %0 : tensor<3x4x{element}>
    }}"""
    run = hlo2tiny.load(text, "CPU")
    for _ in range(2):
        assert run(tensor).tolist() == tensor.T.tolist()


def test_only_small_results_are_parts() -> None:
    layouts = ((1 << 20, dtypes.float32), (2, dtypes.float32), (0, dtypes.float32), (3, dtypes.uint8))
    given = buffers.allocate(1, dtypes.uint8, "CPU")
    large, small, empty, same = buffers.allocate_results(layouts, "CPU", {3: given})[0]
    assert isinstance(small, Part) and empty is None and same is given and large is not None and large.nbytes == 4 << 20
    (alone,), whole = buffers.allocate_results(layouts[1:2], "CPU", {})
    assert not isinstance(alone, Part) and whole is None
