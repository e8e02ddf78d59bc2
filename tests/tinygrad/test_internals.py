"""Each internal of tinygrad that hlo2tiny/tinygrad/ relies on: what a new version moves is a list of failures here."""

from __future__ import annotations

import importlib
import inspect
import weakref
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from tinygrad import Device, Tensor, dtypes
from tinygrad.codegen import to_program, to_program_key
from tinygrad.device import Buffer, Compiler
from tinygrad.engine.jit import GraphRunner, MultiGraphRunner
from tinygrad.engine.realize import runtime_cache
from tinygrad.helpers import ContextVar
from tinygrad.runtime.support.compiler_cpu import ClangCompiler
from tinygrad.schedule import create_schedule
from tinygrad.schedule.rangeify import get_kernel_graph
from tinygrad.tensor import all_tensors
from tinygrad.uop import ops
from tinygrad.uop.ops import KernelInfo, Ops, PatternMatcher, ProgramInfo, UOp

from hlo2tiny.errors import InputError
from hlo2tiny.tinygrad.device import open_device
from hlo2tiny.tinygrad.graph import NodeRuntime, Runnable, results_of
from hlo2tiny.tinygrad.render import exact_renderer
from hlo2tiny.tinygrad.settings import OurClang, lowering_settings, user_settings
from hlo2tiny.tinygrad.tensors import give_up


@pytest.fixture(autouse=True, scope="module")
def device() -> None:
    open_device("CPU")


# What is called, and the parameters that it is called with.
CALLED = {
    "codegen:do_estimates": ["prg", "sink", "lin"],
    "codegen:memory_coalescing": ["sink", "ctx"],
    "codegen.late.gater:move_where_load": ["gate", "l", "a", "w"],
    "codegen.simplify:mark_range_mod": ["ctx", "r", "c"],
    "codegen.simplify:simplify_merge_adjacent": ["u"],
    "device:Buffer.__init__": ["self", "device", "size", "dtype", "opaque"],
    "device:Buffer.ensure_allocated": ["self"],
    "device:Buffer.get_buf": ["self", "device"],
    "device:Buffer.view": ["self", "size", "dtype", "offset"],
    "device:Compiler.compile": ["self", "src"],
    "device:Compiler.compile_cached": ["self", "src"],
    "engine.jit:graph_class": ["dev"],
    "engine.realize:compile_linear": ["linear"],
    "engine.realize:get_runtime": ["device", "ast"],
    "schedule:create_schedule": ["sched_sink"],
    "schedule.rangeify:remove_bufferize": ["src", "buf", "idx"],
    "uop.ops:UOp.after": ["self"],
    "uop.ops:UOp.custom_kernel": ["fxn"],
    "uop.ops:UOp.from_buffer": ["opaque"],
    "uop.ops:UOp.has_buffer_identity": ["self"],
    "uop.ops:UOp.to_elf": ["self"],
    "uop.ops:UOp.param": ["slot", "dtype", "shape", "device"],
    "uop.ops:UOp.placeholder": ["shape", "dtype", "slot", "addrspace"],
    "uop.ops:UOp.substitute": ["self", "dvars", "name", "extra_pm", "walk", "enter_calls"],
    "uop.ops:UOp.toposort": ["self", "gate", "enter_calls"],
    "uop.ops:UPat.match": ["self", "uop", "store"],
    "uop.ops:PatternMatcher.rewrite": ["self", "uop", "ctx"],
    "uop.ops:RewriteContext.__init__": ["self", "pm", "bpm", "ctx", "enter_calls"],
    "uop.ops:RewriteContext.unified_rewrite": ["self", "root"],
    "uop.ops:RewriteContext.walk_rewrite": ["self", "root"],
    "uop.ops:_rebuild_dtype": ["n", "new_src"],
    "codegen.decomp.dtype:split_l2i": ["ctx", "op", "dt", "uops"],
    "codegen.decomp.dtype:l2i": ["op", "dt", "uops"],
    "uop.ops:recursive_property.__init__": ["self", "fxn"],
    "schedule.indexing:_apply_reshape": ["in_shape", "out_shape", "urngs"],
}


@pytest.mark.parametrize("name", CALLED)
def test_a_function_takes_what_it_is_given(name: str) -> None:
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(f"tinygrad.{module}")
    for part in path.split("."):
        found = getattr(found, part)
    parameters = [*inspect.signature(found).parameters]
    assert [p for p in CALLED[name] if p not in parameters] == []


@pytest.mark.parametrize(
    "name", ["BEAM", "DEV", "NOOPT", "PCONTIG", "SPEC", "SPLIT_REDUCEOP", "TRACEMETA", "TUPLE_ORDER"]
)
def test_a_setting_is_there(name: str) -> None:
    assert name in ContextVar._cache or name == "DEV"


def a_kernel() -> UOp:
    x = Tensor(UOp.param(0, dtypes.float32, (4,), "CPU"))
    target = UOp.param(1, dtypes.float32, (4,), "CPU")
    (call,) = create_schedule(get_kernel_graph(UOp.sink(target.after(target.store((x + 1).uop))))).src
    return call


def test_a_schedule_is_calls_of_kernels_on_parameters() -> None:
    call = a_kernel()
    assert (call.op, call.src[0].op) == (Ops.CALL, Ops.SINK)
    assert sorted(s.arg.slot for s in call.src[1:]) == [0, 1]


def test_a_program_has_these_parts() -> None:
    program = to_program(a_kernel().src[0], Device["CPU"].renderer)
    assert [s.op for s in program.src] == [Ops.SINK, Ops.LINEAR, Ops.SOURCE, Ops.BINARY]
    assert {"globals", "outs", "ins", "local_size"} <= {f.name for f in fields(ProgramInfo)}
    assert isinstance(program.src[0].arg, KernelInfo)


def test_programs_are_known_by_the_class_of_their_renderer() -> None:
    """So none of ours, compiled with our flags, is taken for a user's."""
    kernel, renderer = a_kernel().src[0], Device["CPU"].renderer
    assert to_program_key(kernel, renderer) != to_program_key(kernel, exact_renderer(renderer))


@pytest.mark.parametrize("name", ["SPEC", "REWRITE_STACK_LIMIT"])
def test_a_graph_is_rewritten_under_settings_that_may_be_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(getattr(ops, name), ContextVar)
    compared = []

    class Number(int):
        def __gt__(self, other: int) -> bool:
            compared.append(other)
            return int(self) > other

        def __lt__(self, other: int) -> bool:
            compared.append(other)
            return int(self) < other

    monkeypatch.setattr(ops, name, Number(getattr(ops, name).value))
    ops.graph_rewrite(UOp.sink(tag=name), PatternMatcher([]))
    assert compared, f"uop/ops.py no longer compares {name}"


def test_compilers_are_called_through_the_method_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "compile_cached" not in vars(ClangCompiler)
    before, rewrite = Compiler.compile_cached, ops.RewriteContext.unified_rewrite
    with lowering_settings("CPU"):
        assert Compiler.compile_cached is not before and ops.RewriteContext.unified_rewrite is not rewrite
    with user_settings():
        assert Compiler.compile_cached is not before and ops.RewriteContext.unified_rewrite is rewrite
    assert Compiler.compile_cached is before and ops.RewriteContext.unified_rewrite is rewrite


def test_our_clang_is_for_the_same_processor() -> None:
    other = ClangCompiler(["x86_64", "native"])
    ours = OurClang(other)
    assert (ours.arch, ours.args) == ("x86_64", ["-march=native"])
    assert (other.cachekey or "") != ours.cachekey or other.cachekey is None


def test_settings_are_put_back_after_an_error() -> None:
    before = Compiler.compile_cached
    with pytest.raises(ZeroDivisionError), lowering_settings("CPU"):
        raise ZeroDivisionError
    assert Compiler.compile_cached is before


def test_what_runs_a_program_is_looked_up_in_a_table() -> None:
    """Which a node of ours relies on, see tinygrad/graph.py."""
    given = []

    def run(buffers: list[Buffer]) -> None:
        result, operand = (np.frombuffer(b.as_memoryview(force_zero_copy=True), np.float32) for b in buffers)
        given.append(operand.tolist())
        result[:] = operand * 2

    node = Runnable("a node of a test", run)
    (result,) = results_of(node, [((3,), dtypes.float32)], [Tensor([1.0, 2.0, 3.0], device="CPU")], "CPU")
    assert given == [] and any(isinstance(r, NodeRuntime) for r in runtime_cache.values())
    assert (result + 1).tolist() == [3.0, 5.0, 7.0]
    assert given == [[1.0, 2.0, 3.0]]


def test_a_node_is_not_part_of_a_devices_graph() -> None:
    node = Runnable("another node of a test", lambda buffers: None)
    (result,) = results_of(node, [((3,), dtypes.float32)], [], "CPU")
    call = next(u for u in result.uop.toposort() if u.op is Ops.CALL)
    cpu = Device["CPU"]
    assert not GraphRunner.supports_uop([cpu], call) and not MultiGraphRunner.supports_uop([cpu], call)


def test_a_buffer_holds_its_memory_by_device() -> None:
    buffer = Buffer("CPU", 4, dtypes.float32).allocate()
    assert [*buffer._bufs] == ["CPU"] and buffer._buf is buffer.get_buf("CPU")
    assert buffer.allocator is Device["CPU"].allocator
    assert Tensor(UOp.from_buffer(buffer)).uop.realized is buffer


def test_a_tensor_can_be_given_up() -> None:
    """All uses of a tensor read its slot `uop`, and tinygrad's list of tensors can forget it."""
    tensor = Tensor([1.0]).clone("CPU").realize()
    assert weakref.ref(tensor) in all_tensors
    give_up(tensor)
    assert weakref.ref(tensor) not in all_tensors
    for use in (lambda: tensor.shape, lambda: tensor.dtype, lambda: tensor + 1, tensor.realize, tensor.numpy):
        with pytest.raises(InputError, match=r"^this Tensor was donated"):
            use()
    assert (Tensor([1.0]).clone("CPU") + 1).tolist() == [2]
