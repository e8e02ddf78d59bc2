"""What users of a GPU are told, on machines without one: a small object stands for NVIDIA's driver.

`FakeLibrary` is the driver as ctypes loads it, and `FakeDriver` the same as cuda-bindings offers it. Both count what is
called, and report the errors that a test asks for.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import IntEnum
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from test_team import FakeNccl

import hlo2tiny
from hlo2tiny import InputError, NoNativeCode
from hlo2tiny.ir import ScalarType, TensorType
from hlo2tiny.ir.place import Place
from hlo2tiny.targets import NotBuilt
from hlo2tiny.targets.cuda import code, driver, loaded, native, nccl, recorder, team
from hlo2tiny.targets.cuda.compiling import PRELUDE
from hlo2tiny.targets.cuda.driver import Gpu, Interrupted, Watch
from hlo2tiny.targets.cuda.executable import (
    CudaExecutable,
    GraphCombine,
    GraphExchange,
    GraphLaunch,
    GraphLoop,
    Multiply,
    OnHost,
    describe,
)
from hlo2tiny.targets.cuda.kernels import CudaKernel, KernelParameter
from hlo2tiny.targets.cuda.team import GpuTeam
from hlo2tiny.tinygrad import device, nvidia

ADD = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


# ---------------------------------------------------------------- opening a GPU


class FakeLibrary:
    """The driver's library: how many GPUs it finds, and the status that it starts with."""

    def __init__(self, count: int = 1, status: int = 0) -> None:
        self.count, self.status, self.retained = count, status, list[int]()

    def cuDeviceGet(self, gpu: Any, number: int) -> int:  # noqa: N802
        gpu._obj.value = number
        return 0 if number < self.count else 101

    def cuDevicePrimaryCtxRetain(self, context: Any, gpu: Any) -> int:  # noqa: N802
        self.retained.append(gpu.value)
        return 0

    def cuInit(self, flags: int) -> int:  # noqa: N802
        return self.status

    def cuDeviceGetCount(self, count: Any) -> int:  # noqa: N802
        count._obj.value = self.count
        return 0

    def cuGetErrorString(self, status: int, text: Any) -> int:  # noqa: N802
        text._obj.value = b"system has unsupported display driver"
        return 0


def missing() -> Any:
    raise OSError("libcuda.so.1: cannot open shared object file")


@pytest.mark.parametrize(
    "library, name, message",
    [
        (
            missing, "CUDA",
            "device CUDA needs NVIDIA's driver, which is not installed (libcuda.so.1: cannot open shared object file):"
            " install it, or use device CPU",
        ),
        (
            lambda: FakeLibrary(status=803), "CUDA",
            "device CUDA: NVIDIA's driver cannot start (system has unsupported display driver); if `nvidia-smi` fails"
            " too, install the driver again or restart the machine",
        ),
        (
            lambda: FakeLibrary(0, status=100), "cuda",
            "there is no device CUDA: NVIDIA's driver finds 0 GPUs; use device CPU",
        ),
        (
            lambda: FakeLibrary(1), "CUDA:9",
            "there is no device CUDA:9: NVIDIA's driver finds 1 GPU; use CUDA",
        ),
        (
            lambda: FakeLibrary(4), "CUDA:4",
            "there is no device CUDA:4: NVIDIA's driver finds 4 GPUs; use CUDA to CUDA:3",
        ),
        (
            lambda: FakeLibrary(4), "CUDA:100",
            "there is no device CUDA:100: NVIDIA's driver finds 4 GPUs; use CUDA to CUDA:3",
        ),
    ],
)  # fmt: skip
def test_a_gpu_that_cannot_be_opened(monkeypatch: pytest.MonkeyPatch, library: Any, name: str, message: str) -> None:
    monkeypatch.setattr(nvidia, "driver_library", library)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with pytest.raises(InputError) as caught:
        hlo2tiny.load(ADD, name)
    assert str(caught.value) == message


def test_the_variable_that_hides_gpus_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvidia, "driver_library", FakeLibrary)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    with pytest.raises(InputError, match=r"finds 1 GPU, as CUDA_VISIBLE_DEVICES=3 lets this process see; use CUDA$"):
        hlo2tiny.load(ADD, "CUDA:1")


@pytest.mark.parametrize("opened, retained", [(set(), [1]), ({"CUDA:1"}, [])])
def test_loading_opens_a_gpu_in_the_background_once(
    monkeypatch: pytest.MonkeyPatch, opened: set[str], retained: list[int]
) -> None:
    """tinygrad itself has no driver here, so it cannot be opened afterwards."""
    library = FakeLibrary(2)
    monkeypatch.setattr(nvidia, "_begun", set[int]())
    monkeypatch.setattr(device.Device, "_opened_devices", opened)
    monkeypatch.setattr(nvidia, "driver_library", lambda: library)
    for _ in range(2):
        with pytest.raises(InputError):
            hlo2tiny.load(ADD, "CUDA:1")
        for thread in threading.enumerate():
            if thread.name == "hlo2tiny opens CUDA:1":
                thread.join()
    assert library.retained == retained


class FakeGpus:
    """Two GPUs for tinygrad's own calls: who may read whose memory, and which context is the thread's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from tinygrad.runtime.autogen import cuda

        self.current, self.pairs = 0, set[tuple[int, int]]()
        for name in vars(FakeGpus):
            if name.startswith("cu"):
                monkeypatch.setattr(cuda, {"cuCtxCreate": "cuCtxCreate_v2"}.get(name, name), getattr(self, name))

    def cuInit(self, flags: int) -> int:  # noqa: N802
        return 0

    def cuDeviceGet(self, gpu: Any, number: int) -> int:  # noqa: N802
        gpu._obj.value = number
        return 0

    def cuCtxCreate(self, *arguments: object) -> int:  # noqa: N802
        raise AssertionError("a context of tinygrad's own")

    def cuDevicePrimaryCtxRetain(self, context: Any, gpu: Any) -> int:  # noqa: N802
        return self.write(context, 0x1000 + gpu.value)

    def write(self, context: Any, address: int) -> int:
        ctypes.c_void_p.from_address(ctypes.addressof(context._obj)).value = address
        return 0

    def address(self, context: Any) -> int:
        return ctypes.c_void_p.from_address(ctypes.addressof(context)).value or 0

    def cuDeviceComputeCapability(self, major: Any, minor: Any, number: int) -> int:  # noqa: N802
        major._obj.value, minor._obj.value = 9, 0
        return 0

    def cuDeviceCanAccessPeer(self, answer: Any, gpu: Any, other: Any) -> int:  # noqa: N802
        answer._obj.value = 1
        return 0

    def cuCtxGetCurrent(self, context: Any) -> int:  # noqa: N802
        return self.write(context, self.current)

    def cuCtxSetCurrent(self, context: Any) -> int:  # noqa: N802
        self.current = self.address(context)
        return 0

    def cuCtxEnablePeerAccess(self, context: Any, flags: int) -> int:  # noqa: N802
        pair = self.current, self.address(context)
        if pair in self.pairs:
            return 704
        self.pairs.add(pair)
        return 0


class FakeDevices(dict[str, Any]):
    """tinygrad's table of the devices that are open."""

    def __missing__(self, name: str) -> Any:
        from tinygrad.runtime import ops_cuda

        self[name] = ops_cuda.CUDADevice(name)
        return self[name]

    def canonicalize(self, name: str) -> str:
        return name


@pytest.mark.parametrize("before", [0, 0x1000, 0x1001], ids=["none", "the first GPU's", "the second GPU's"])
@pytest.mark.parametrize("known", [True, False], ids=["others first", "we first"])
def test_gpus_that_another_library_has_opened(monkeypatch: pytest.MonkeyPatch, known: bool, before: int) -> None:
    """jax and torch let the GPUs read each other's memory too, which the driver says to whoever comes second."""
    from tinygrad.runtime import ops_cuda
    from tinygrad.runtime.autogen import cuda

    gpus, both = FakeGpus(monkeypatch), {(0x1000, 0x1001), (0x1001, 0x1000)}
    monkeypatch.setattr(nvidia, "driver_library", lambda: FakeLibrary(2))
    monkeypatch.setattr(ops_cuda.CUDADevice, "devices", [])
    monkeypatch.setattr(ops_cuda.CUDADevice, "peer_access", False)
    monkeypatch.setattr(device, "allocators", {})
    monkeypatch.setattr(device, "Device", FakeDevices())
    if known:
        gpus.pairs |= both
    assert device.open_device("CUDA") == "CUDA"
    gpus.current = before
    assert device.open_device("CUDA:1") == "CUDA:1"
    assert gpus.pairs == both and ops_cuda.CUDADevice.peer_access
    assert not before or gpus.current == before  # a GPU that is another library's remains it
    assert cuda.cuCtxEnablePeerAccess.__self__ is gpus  # nothing of tinygrad's stays replaced


def test_a_gpu_that_other_processes_fill_cannot_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(FakeDevices):
        def __missing__(self, name: str) -> Any:
            raise RuntimeError("CUDA Error 2, out of memory")

    FakeGpus(monkeypatch)
    monkeypatch.setattr(nvidia, "driver_library", lambda: FakeLibrary(2))
    monkeypatch.setattr(device, "allocators", {})
    monkeypatch.setattr(device, "Device", Full())
    with pytest.raises(InputError, match=r"^device CUDA:1 cannot be opened: other processes have taken its memory"):
        device.open_device("CUDA:1")


# ---------------------------------------------------------------- an open GPU


class CUresult(IntEnum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_VALUE = 1
    CUDA_ERROR_OUT_OF_MEMORY = 2
    CUDA_ERROR_NOT_READY = 600
    CUDA_ERROR_ILLEGAL_STATE = 401
    CUDA_ERROR_ILLEGAL_ADDRESS = 700
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901
    CUDA_ERROR_UNKNOWN = 999


class Names:
    """Constants and classes of the driver, by name."""

    def __getattr__(self, name: str) -> Any:
        return name


class FakeDriver(ModuleType):
    """The functions of the driver that programs call, on 1,000,000 bytes of the host's memory.

    Attributes:
        failures: for each function, the statuses of its next calls.
        faulty: the handle of a kernel after which the GPU stops; it may be recorded.
        calls: the names of the functions that were called.
        capturing: the streams that record.
    """

    def __init__(self, version: int = 13000) -> None:
        super().__init__("driver")
        self.version, self.free, self.failures, self.calls = version, 1_000_000, {}, []
        self.faulty: object = None
        self.stopped = False
        self.memory: dict[int, Any] = {}
        self.capturing = set[object]()
        self.recording = threading.local()
        self.decisions: list[int] = []  # what the next graphs write to the host
        self.iterations: list[int] = []  # how often the next watched loops decide; they do not end if that is negative
        self.stuck: dict[object, Watch] = {}  # such loops, by context
        self.kinds = ("WAIT_EVENT", "KERNEL", "EVENT_RECORD")  # of the nodes that NCCL records
        self.CUdevice_attribute = self.CUstreamCaptureMode = Names()
        self.CUgraphNodeType = self.CUgraphConditionalNodeType = Names()
        self.CUstreamUpdateCaptureDependencies_flags = SimpleNamespace(CU_STREAM_SET_CAPTURE_DEPENDENCIES=1)
        self.CUgraph = type("CUgraph", (), {})

    def CUcontext(self, address: int) -> int:  # noqa: N802
        return address

    def cuCtxSetCurrent(self, context: object) -> Any:  # noqa: N802
        self.recording.context = context
        return (CUresult(0),)  # also of a GPU that has stopped

    def cuMemAlloc(self, size: int) -> Any:  # noqa: N802
        status = self.status("cuMemAlloc")
        if status or size > self.free:
            return status or CUresult.CUDA_ERROR_OUT_OF_MEMORY, 0
        made = ctypes.create_string_buffer(size + 256)
        address = -(-ctypes.addressof(made) // 256) * 256
        self.memory[address] = made
        self.free -= size
        return status, address

    def cuMemcpyHtoD(self, target: int, source: int, size: int) -> Any:  # noqa: N802
        ctypes.memmove(target, source, size)
        return (self.status("cuMemcpyHtoD"),)

    def cuMemcpyDtoH(self, target: int, source: int, size: int) -> Any:  # noqa: N802
        ctypes.memmove(target, source, size)
        return (self.status("cuMemcpyDtoH"),)

    def cuModuleGetFunction(self, module: object, name: bytes) -> Any:  # noqa: N802
        return self.status("cuModuleGetFunction"), name.decode()

    def cuLaunchKernel(self, function: object, *sizes: object) -> Any:  # noqa: N802
        status, stream = self.status("cuLaunchKernel"), sizes[7]
        if stream:
            self.recording.streams[stream].append(function)
            if function == "repeat_while" and (watch := word(sizes[8], 2)):
                self.recording.streams[stream].append(("watch", watch))
        else:
            self.stopped |= function == self.faulty
        return (status,)

    def cuGraphLaunch(self, graph: Any, stream: object) -> Any:  # noqa: N802
        self.stopped |= self.faulty in graph
        for kind, at in dict.fromkeys(node for node in graph if isinstance(node, tuple)):
            if kind == "flag":
                ctypes.c_uint8.from_address(at).value = self.decisions.pop(0)
                continue
            watch, iterations = Watch.from_address(at), self.iterations.pop(0)
            assert (watch.word, watch.stop) == (0, 0)
            watch.word = abs(iterations) | (iterations >= 0) << 31
            if iterations < 0:
                self.stuck[self.recording.context] = watch
        return (self.status("cuGraphLaunch"),)

    def cuStreamQuery(self, stream: object) -> Any:  # noqa: N802
        waits = self.recording.context in self.stuck
        return (self.status("cuStreamQuery") or CUresult(600 if waits else 0),)

    def cuCtxSynchronize(self) -> Any:  # noqa: N802
        if (watch := self.stuck.pop(self.recording.context, None)) is not None:
            assert watch.stop  # or this would wait for ever
        unsupported = CUresult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
        return (self.status("cuCtxSynchronize") or (unsupported if self.capturing else CUresult(0)),)

    def cuGraphGetNodes(self, graph: object, count: int) -> Any:  # noqa: N802
        return self.status("cuGraphGetNodes"), self.kinds, len(self.kinds)

    def cuGraphNodeGetType(self, node: str) -> Any:  # noqa: N802
        return self.status("cuGraphNodeGetType"), f"CU_GRAPH_NODE_TYPE_{node}"

    def cuStreamBeginCapture(self, stream: object, mode: object) -> Any:  # noqa: N802
        self.recording.streams = {**getattr(self.recording, "streams", {}), stream: []}
        self.capturing.add(stream)
        return (self.status("cuStreamBeginCapture"),)

    def cuStreamBeginCaptureToGraph(self, stream: object, graph: list[Any], *rest: object) -> Any:  # noqa: N802
        self.recording.streams[stream] = graph  # a part is one with the whole here
        self.capturing.add(stream)
        return (self.status("cuStreamBeginCaptureToGraph"),)

    def cuStreamEndCapture(self, stream: object) -> Any:  # noqa: N802
        if stream not in self.capturing:
            return CUresult.CUDA_ERROR_ILLEGAL_STATE, None
        self.capturing.remove(stream)
        return self.status("cuStreamEndCapture"), self.recording.streams[stream]

    def cuStreamCreate(self, flags: int) -> Any:  # noqa: N802
        return self.status("cuStreamCreate"), 1000 + len(self.calls)

    def cuMemHostAlloc(self, size: int, flags: int) -> Any:  # noqa: N802
        made = ctypes.create_string_buffer(size)
        self.memory[ctypes.addressof(made)] = made
        return self.status("cuMemHostAlloc"), ctypes.addressof(made)

    def cuMemcpyDtoHAsync(self, target: int, source: int, size: int, stream: object) -> Any:  # noqa: N802
        self.recording.streams[stream].append(("flag", target))
        return (self.status("cuMemcpyDtoHAsync"),)

    def cuCtxGetCurrent(self) -> Any:  # noqa: N802
        return CUresult(0), getattr(self.recording, "context", 0)

    def cuCtxGetDevice(self) -> Any:  # noqa: N802
        return CUresult(0), 0

    def cuStreamGetCaptureInfo(self, stream: object) -> Any:  # noqa: N802
        self.recording.part = self.recording.streams[stream]
        return self.status("cuStreamGetCaptureInfo"), 1, self.CUgraph(), []

    def cuGraphConditionalHandleCreate(self, *arguments: object) -> Any:  # noqa: N802
        return self.status("cuGraphConditionalHandleCreate"), 7

    def CUgraphNodeParams(self) -> Any:  # noqa: N802
        return SimpleNamespace(conditional=SimpleNamespace(phGraph_out=[self.recording.part]))

    def cuGraphInstantiate(self, graph: object, flags: int) -> Any:  # noqa: N802
        return self.status("cuGraphInstantiate"), graph

    def cuGetErrorString(self, status: CUresult) -> Any:  # noqa: N802
        return CUresult(0), status.name.removeprefix("CUDA_ERROR_").replace("_", " ").lower().encode()

    def cuMemGetInfo(self) -> Any:  # noqa: N802
        return CUresult(0), self.free, 1_000_000

    def cuDriverGetVersion(self) -> Any:  # noqa: N802
        return CUresult(0), self.version

    def cuDeviceGetName(self, size: int, device: object) -> Any:  # noqa: N802
        return CUresult(0), b"a GPU\0"

    def cuDeviceGetAttribute(self, attribute: str, device: object) -> Any:  # noqa: N802
        return CUresult(0), 9 if attribute.endswith("MAJOR") else 0

    def status(self, name: str) -> CUresult:
        self.calls.append(name)
        if self.stopped:
            return CUresult.CUDA_ERROR_ILLEGAL_ADDRESS
        return CUresult(self.failures[name].pop(0) if self.failures.get(name) else 0)

    def __getattr__(self, name: str) -> Any:
        """Any other function succeeds, and returns an object."""
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments: (self.status(name), f"{name} {len(self.calls)}")


def word(arguments: Any, number: int) -> int:
    """An argument of a kernel, a number of 64 bits."""
    place = (ctypes.c_void_p * (number + 1)).from_address(arguments)[number]
    return ctypes.c_uint64.from_address(place or 0).value


@contextmanager
def faked(monkeypatch: pytest.MonkeyPatch, fake: FakeDriver) -> Iterator[FakeDriver]:
    """Let cuda-bindings be the fake driver, and tinygrad know a GPU that it has opened."""
    nvrtc = SimpleNamespace(nvrtcVersion=lambda: (0, 13, 0))
    bindings = SimpleNamespace(driver=fake, nvrtc=nvrtc)
    monkeypatch.setitem(sys.modules, "cuda", SimpleNamespace(bindings=bindings))
    monkeypatch.setitem(sys.modules, "cuda.bindings", bindings)
    monkeypatch.setitem(sys.modules, "cuda.bindings.driver", fake)
    monkeypatch.setitem(device.allocators, "CUDA", SimpleNamespace(free_cache=lambda: None))

    monkeypatch.setattr(loaded, "compile_one", lambda *arguments: b"")
    driver.driver.cache_clear()
    try:
        yield fake
    finally:
        driver.driver.cache_clear()


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDriver]:
    with faked(monkeypatch, FakeDriver()) as made:
        yield made


def place(kind: str, number: int) -> Place:
    return Place(kind, number)


def executable(kernels: int, arena: int = 256) -> CudaExecutable:
    """Kernels one after the other, the last one in a loop, each from a line of its own."""
    parameters = KernelParameter("float*", "a"), KernelParameter("float*", "b")
    made = tuple(
        CudaKernel(f"E_{i}", parameters, f"// {i}", (), (1, 1, 1), (32, 1, 1), False, (0, 1)) for i in range(kernels)
    )
    launches = [GraphLaunch(i, (place("argument", 0), place("result", 0)), (16, 16), i) for i in range(kernels)]
    actions = (*launches[:-1], GraphLoop((), (launches[-1],), place("arena", 0), 3))
    return CudaExecutable(
        actions, made, (), arena, lines=tuple(f"model.mlir:{2 + i} jit(f)/add" for i in range(kernels))
    )


def program(fake: FakeDriver, made: CudaExecutable, size: int = 4) -> code.CudaCode:
    type = TensorType((size,), ScalarType("f32"))
    return code.CudaCode(Gpu("CUDA", 1), made, [(b"", range(len(made.kernels)))], [], [type], [type])


X = np.arange(4, dtype=np.float32)


@pytest.mark.parametrize("version, found", [(12080, "12.8"), (11040, "11.4")])
def test_an_old_driver_is_named_with_the_version_that_is_needed(
    monkeypatch: pytest.MonkeyPatch, version: int, found: str
) -> None:
    with faked(monkeypatch, FakeDriver(version)), pytest.raises(NotBuilt) as caught:
        Gpu("CUDA", 1).expect_version(driver.compiler_version())
    assert str(caught.value) == (
        f"the driver of CUDA supports CUDA {found}, but the installed libraries need 13.0 or later; update the driver"
    )


def test_without_cuda_bindings_the_warning_says_what_they_bring(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cuda", "cuda.bindings"):
        monkeypatch.setitem(sys.modules, name, None)
    driver.driver.cache_clear()
    with pytest.raises(NotBuilt, match=r"^cuda-bindings is not installed; with `pip install 'hlo2tiny\[cuda\]'`"):
        driver.gpu_of("CUDA")


def test_a_missing_wheel_is_named_with_what_is_slower(fake: FakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for each wheel that the program would use, and for no other."""
    monkeypatch.setattr(driver, "library", lambda name: None)
    monkeypatch.setattr(native, "gpu_of", lambda name: Gpu(name, 1))
    monkeypatch.setattr(native, "compile_kernels", lambda kernels, arch, at_once: [(b"", [*range(len(kernels))])])
    module = hlo2tiny.parse("""func.func @main(%x: tensor<130x130xcomplex<f32>>) -> tensor<130x130xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = FFT, length = [130]
    : (tensor<130x130xcomplex<f32>>) -> tensor<130x130xcomplex<f32>>
  %1 = stablehlo.cholesky %0, lower = true : tensor<130x130xcomplex<f32>>
  return %1 : tensor<130x130xcomplex<f32>>
}""")
    from hlo2tiny.plan import build
    from hlo2tiny.tinygrad.settings import lowering_settings

    with lowering_settings("CUDA"):
        plan = build(module, products=True)
    with pytest.warns(NoNativeCode) as caught:
        native.compile(plan, "CUDA", {}, lambda done, total: None, 1)
    install = "`pip install 'hlo2tiny[cuda]'` brings it"
    assert sorted(str(w.message) for w in caught) == [
        f"nvidia-cublas is not installed, so triangular systems are solved on the host; {install}",
        f"nvidia-cufft is not installed, so Fourier transforms run on the host; {install}",
        f"nvidia-cusolver is not installed, so linear algebra runs on the host; {install}",
    ]


def test_too_little_memory_is_known_before_anything_is_allocated(fake: FakeDriver) -> None:
    run = program(fake, executable(1, arena=3_000_000), size=2_000_000)
    with pytest.raises(InputError) as caught:
        run.run_numpy([np.zeros(2_000_000, np.float32)])
    assert str(caught.value) == (
        "device CUDA has too little memory for its constants, working memory and results: 11,000,000 bytes are needed,"
        " and 1,000,000 of 1,000,000 are free; delete Tensors and programs, or run smaller batches"
    )
    assert "cuMemAlloc" not in fake.calls


def test_large_arguments_at_many_addresses_are_copied(fake: FakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph knows addresses, so that each new one would cost a recording."""
    monkeypatch.setattr(code, "MOST_COPIED", 1000)
    fake.free = 100_000_000
    run = program(fake, executable(1), size=100_000)
    loaded = run._prepare()
    for n in range(5 * code.MOST_GRAPHS):
        run._run(loaded, [(n + 1) << 20], [1 << 40])
    assert code.MOST_GRAPHS <= fake.calls.count("cuGraphInstantiate") <= code.MOST_GRAPHS + 3
    copies = fake.calls.count("cuMemcpyDtoDAsync")
    run._run(loaded, [99 << 20], [1 << 41])
    run._run(loaded, [99 << 20], [1 << 41])
    assert fake.calls.count("cuMemcpyDtoDAsync") == copies + 2


def test_memory_in_pieces_is_too_little_memory(fake: FakeDriver) -> None:
    fake.failures["cuMemAlloc"] = [2]
    with pytest.raises(InputError, match="too little memory for its constants and working memory: 768 bytes"):
        program(fake, executable(1)).run_numpy([X])


def test_a_step_that_cannot_start_is_named_with_its_place(fake: FakeDriver) -> None:
    run = program(fake, executable(3))
    fake.failures["cuLaunchKernel"] = [0, 1]
    with pytest.raises(InputError) as caught:
        run.run_numpy([X])
    assert str(caught.value) == (
        "kernel E_1 (model.mlir:3 jit(f)/add) cannot start: CUDA: invalid value (CUDA_ERROR_INVALID_VALUE)"
    )
    run.run_numpy([X])  # as if nothing had happened


def test_a_call_leaves_the_gpu_that_the_thread_had(fake: FakeDriver) -> None:
    run, torchs = program(fake, executable(2)), 2
    fake.cuCtxSetCurrent(torchs)
    fake.failures["cuLaunchKernel"] = [1]
    with pytest.raises(InputError):
        run.run_numpy([X])
    assert fake.cuCtxGetCurrent()[1] == torchs
    run.run_numpy([X])
    assert fake.cuCtxGetCurrent()[1] == torchs


STOPPED = (
    "illegal address (CUDA_ERROR_ILLEGAL_ADDRESS); NVIDIA's driver refuses all further work of this process; start a"
    " new one"
)


def test_a_gpu_that_stops_says_how_to_find_the_step(fake: FakeDriver) -> None:
    run = program(fake, executable(3))
    run.run_numpy([X])
    fake.faulty = "kernel1"
    for _ in range(2):  # every later call, too
        with pytest.raises(InputError) as caught:
            run.run_numpy([X])
        assert str(caught.value) == (f"CUDA stopped: {STOPPED}, with CUDA_LAUNCH_BLOCKING=1 to see in which step")


@pytest.mark.parametrize("number", [0, 2])
def test_step_by_step_the_one_that_stops_the_gpu_is_named(
    fake: FakeDriver, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """The last one is in a loop."""
    monkeypatch.setenv("CUDA_LAUNCH_BLOCKING", "1")
    run = program(fake, executable(3))
    run.run_numpy([X])
    assert "cuGraphLaunch" not in fake.calls
    fake.faulty = f"kernel{number}"
    with pytest.raises(InputError) as caught:
        run.run_numpy([X])
    assert str(caught.value) == (f"CUDA stopped in kernel E_{number} (model.mlir:{2 + number} jit(f)/add): {STOPPED}")


# ---------------------------------------------------------------- recording


def test_a_recording_that_another_thread_interrupts_is_repeated(fake: FakeDriver) -> None:
    """Another library that synchronizes the GPU ends a recording; the next one is on a new stream."""
    run = program(fake, executable(2))
    fake.failures["cuStreamEndCapture"] = [901, 901, 901]
    run.run_numpy([X])
    # Twice a loop ends in an error and the recording around it is given up, then both are recorded.
    assert fake.calls.count("cuStreamEndCapture") == 6 and fake.calls.count("cuStreamCreate") >= 6
    before = len(fake.calls)
    run.run_numpy([X])
    assert "cuStreamEndCapture" not in fake.calls[before:]  # the graph is kept


def test_a_recording_that_is_always_interrupted_says_why(fake: FakeDriver) -> None:
    run = program(fake, executable(2))
    fake.failures["cuStreamEndCapture"] = [901] * (2 * recorder.TRIES)
    with pytest.raises(InputError, match=r"^another thread keeps synchronizing the GPU, .* call the program once"):
        run.run_numpy([X])
    run.run_numpy([X])


def test_a_recording_that_fails_leaves_the_gpu_to_others(fake: FakeDriver) -> None:
    """While a stream records, nobody can wait for the GPU, so that one program's error would end all of them."""
    run = program(fake, executable(2))
    fake.failures["cuLaunchKernel"] = [0, 1]
    with pytest.raises(InputError, match="invalid value"):
        run.run_numpy([X])
    assert not fake.capturing
    other = program(fake, executable(2))
    other.run_numpy([X])
    other.gpu.finish()
    run.run_numpy([X])


def test_statuses_become_the_errors_that_they_are(fake: FakeDriver) -> None:
    assert driver.check((CUresult(0),)) == []
    assert driver.check((CUresult(0), 5)) == 5
    with pytest.raises(Interrupted):
        driver.check((CUresult.CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,))
    with pytest.raises(driver.GraphStopped):
        driver.check((CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,))
    with pytest.raises(InputError, match=r"^CUDA: invalid value \(CUDA_ERROR_INVALID_VALUE\)$"):
        driver.check((CUresult.CUDA_ERROR_INVALID_VALUE,))


def test_actions_are_named_for_messages() -> None:
    made = executable(1)
    assert describe(made, made.actions[0]) == "loop" and "NAN" in PRELUDE
    assert describe(made, GraphLaunch(0, (), (), -1)) == "kernel E_0"
    assert describe(CudaExecutable((), (), ("a product",), 0), Multiply(0, (), ())) == "a product"  # type: ignore[arg-type]


# ---------------------------------------------------------------- several GPUs


@pytest.fixture
def two(fake: FakeDriver, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[CudaExecutable], GpuTeam]]:
    """Makes the team of an executable on two GPUs, whose exchanges happen when they are recorded."""
    library = FakeNccl()
    for module in (nccl, team):
        monkeypatch.setattr(module, "nccl", lambda: library)
    gpus = [Gpu("CUDA", 1), Gpu("CUDA:1", 2)]
    type = TensorType((4,), ScalarType("f32"))

    def make(made: CudaExecutable) -> GpuTeam:
        kernels = [(b"", range(len(made.kernels)))]
        return GpuTeam([code.CudaCode(gpu, made, kernels, [], [type], [type]) for gpu in gpus])

    yield make
    for grid in [*nccl._grids.values()]:
        grid.abort()
    nccl._grids.clear()


def until() -> CudaExecutable:
    """A kernel, then a sum over both GPUs until something is small."""
    made = executable(2)
    (kernel, loop), arena = made.actions, place("arena", 64)
    sources = (((0, 0), (1, 0)),) * 2
    total = GraphCombine(sources, (place("arena", 0), arena), 16, 0, "AllReduce", "Sum", "f32", 4, ((0, 1),), 16)
    return replace(made, actions=(kernel, total, GraphLoop((total,), (*loop.body, total), place("arena", 128), None)))


@pytest.mark.timeout(20)
def test_two_gpus_exchange_several_values_in_one_call(
    fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam]
) -> None:
    """Also parts of values, which go from one to the other."""
    total = until().actions[1]
    assert isinstance(total, GraphCombine)
    ring = GraphExchange((((1, 0),), ((0, 0),)), (place("arena", 0), place("arena", 128)), 4)
    made, library = two(replace(executable(1), actions=(total, ring), arena=256)), nccl.nccl()
    made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
    assert isinstance(library, FakeNccl) and library.groups == 2  # of each GPU one


def test_two_gpus_run_a_loop_themselves(fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam]) -> None:
    """NCCL's kernels are copied to the part on a condition, without its events; a call is one launch for each GPU."""
    made = two(until())
    for call in range(3):
        fake.iterations, before = [3, 3], len(fake.calls)
        results = [np.zeros(4, np.float32) for _ in range(2)]
        made.run_each([[X], [X]], [[result] for result in results])
        calls = fake.calls[before:]
        assert calls.count("cuGraphLaunch") == 2 and not fake.iterations
        # Of the sums before and in the loop, those of an iteration are two.
        assert calls.count("cuGraphAddKernelNode") == (0 if call else 2 * 2)
        assert calls.count("cuGraphInstantiate") == (0 if call else 2)
    made.codes[0].forget()
    assert fake.calls.count("cuGraphDestroy") == 1 + 2  # what NCCL recorded stays as long as its kernels do


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "iterations", [[5, 6], [5, -5], [-4, 4]], ids=["both end", "the second waits", "the first waits"]
)
def test_one_of_two_that_goes_on_with_a_loop_is_an_error(
    fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam], iterations: list[int]
) -> None:
    """Within a second, also if it waits in an exchange; the host ends its loop, which exchanges nothing any more."""
    made, leaves = two(until()), int(iterations[0] < 0)
    fake.iterations = [*iterations]
    message = f"device {1 - leaves} waits here, but device {leaves} has left the loop"
    start = time.perf_counter()
    with pytest.raises(InputError, match=rf"^AllReduce of 16 bytes .*: {message}$"):
        made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
    assert time.perf_counter() - start < 1 and not fake.stuck
    fake.iterations = [4, 4]
    made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])  # with new communicators


@pytest.mark.parametrize("count, sizes", [(128, [128]), (129, [32, 97]), (1000, [32, 128, 840])])
def test_the_gpu_begins_before_many_actions_are_launched(
    fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam], count: int, sizes: list[int]
) -> None:
    """The GPUs get their first graphs one after the other, then the next ones."""
    made, launch, launched = executable(2), fake.cuGraphLaunch, list[tuple[object, int]]()

    def seen(graph: Any, stream: object) -> Any:
        launched.append((fake.recording.context, len(graph)))
        return launch(graph, stream)

    fake.cuGraphLaunch = seen  # type: ignore[method-assign]
    run = two(replace(made, actions=made.actions[:1] * count))
    for _ in range(2):
        launched.clear()
        run.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
        assert launched == [(context, size) for size in sizes for context in (1, 2)]


def test_what_is_done_meanwhile(fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam]) -> None:
    """Once: while the GPUs compute, if that takes long enough."""
    made = executable(2)
    run = two(replace(made, actions=made.actions[:1]))
    for busy in (0, 1):
        fake.failures["cuStreamQuery"], before, seen = [600] * 2 * busy, fake.calls.count("cuMemcpyDtoH"), list[int]()
        outputs = [[np.zeros(4, np.float32)] for _ in range(2)]
        run.run_each([[X], [X]], outputs, lambda seen=seen: seen.append(fake.calls.count("cuMemcpyDtoH")))  # type: ignore[misc]
        assert seen == [before + 2 * (1 - busy)]


def test_two_gpus_take_iterations_in_one_thread(fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam]) -> None:
    """Where NCCL uses the host, an iteration of a loop is one launch, and the host reads what the GPU has decided."""
    made = two(until())
    fake.kinds = ("KERNEL", "HOST")
    fake.decisions = [0, 0]
    made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
    made.codes[0].forget()
    made.codes[1].forget()
    for call in range(3):
        fake.decisions = [1, 1, 1, 1, 0, 0]  # one GPU after the other: before the loop, and after two iterations
        before = len(fake.calls)
        results = [np.zeros(4, np.float32) for _ in range(2)]
        made.run_each([[X], [X]], [[result] for result in results])
        calls = fake.calls[before:]
        assert calls.count("cuGraphLaunch") == 2 * (1 + 1 + 2) and not fake.decisions
        assert calls.count("cuGraphInstantiate") == calls.count("cuGraphUpload") == (0 if call else 2 * 3)
        assert calls.count("cuMemcpyDtoH") == 2  # the results, once


def test_one_of_two_that_iterations_more_often_is_an_error(
    fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam]
) -> None:
    made = two(until())
    fake.kinds = ("HOST",)
    fake.decisions = [1, 0, 1]
    with pytest.raises(InputError, match=r"AllReduce of 16 bytes .*: device 0 waits here, but device 1 h"):
        made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
    fake.decisions = [0, 0]
    made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])  # with new communicators


def test_a_gpu_of_two_that_stops_ends_the_call(fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam]) -> None:
    made = two(until())
    fake.iterations = [1, 1, 1, 1]
    made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
    fake.faulty = "kernel0"
    start = time.perf_counter()
    for _ in range(2):  # every later call, too: the driver reports the error for all GPUs, and not which one stopped
        with pytest.raises(InputError) as caught:
            made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
        said = f"CUDA or CUDA:1 stopped: {STOPPED}, with CUDA_LAUNCH_BLOCKING=1 to see in which step"
        assert str(caught.value) == said
    alone = code.CudaCode(made.codes[0].gpu, executable(1), [(b"", [0])], [], made.codes[0].inputs, [])
    with pytest.raises(InputError, match=r"^CUDA stopped: illegal address"):
        alone.run_numpy([X])
    assert time.perf_counter() - start < 1


@pytest.mark.timeout(20)
def test_a_gpu_of_two_that_disappears_is_named(fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam]) -> None:
    """Within a second, although the other one waits for it; that one can be used afterwards."""
    made = two(until())
    fake.iterations, fake.failures["cuStreamQuery"] = [3, -2], [0, 999]  # the second one has not ended
    start = time.perf_counter()
    with pytest.raises(InputError, match=r"^CUDA:1 does not respond: CUDA: unknown \(CUDA_ERROR_UNKNOWN\)$"):
        made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
    assert time.perf_counter() - start < 1
    fake.iterations = [3, 3]
    made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])


def test_gpus_that_another_process_fills_cannot_be_connected(
    fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, usual = two(until()), FakeNccl.call

    def call(library: FakeNccl, name: str, *arguments: Any) -> None:
        if name == "ncclCommInitAll":
            raise RuntimeError("ncclCommInitAll of NCCL failed: out of memory")
        usual(library, name, *arguments)

    monkeypatch.setattr(FakeNccl, "call", call)
    with pytest.raises(InputError) as caught:
        made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
    assert str(caught.value) == (
        "the GPUs cannot be connected: ncclCommInitAll of NCCL failed: out of memory (CUDA has 1,000,000 bytes of free"
        " memory, CUDA:1 has 1,000,000 bytes of free memory)"
    )


@pytest.mark.parametrize("name", ["cuGraphInstantiate", "cuLaunchKernel"])
def test_what_fails_while_two_gpus_record(
    fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam], name: str
) -> None:
    made = two(until())
    fake.failures[name] = [1]
    with pytest.raises(InputError, match=r"invalid value \(CUDA_ERROR_INVALID_VALUE\)"):
        made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
    fake.iterations = [1, 1]
    made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])


def test_a_step_on_the_host_fails_for_one_of_two(fake: FakeDriver, two: Callable[[CudaExecutable], GpuTeam]) -> None:
    """It runs in a thread; `where` says which GPU's it was."""
    made, seen = (
        two(CudaExecutable((OnHost(0, (place("input", 0),), (place("result", 0),)),), (), (), 256)),
        list[str](),
    )

    def fail(number: int, arrays: Sequence[np.ndarray], where: str) -> Sequence[np.ndarray]:
        seen.append(where)
        if "CUDA:1" in where:
            raise InputError(f"failed for {where}")
        return arrays

    for each in made.codes:
        each._host, each._host_types = fail, [each.inputs]
    with pytest.raises(InputError, match=r"^failed for device 1 \(CUDA:1\)$"):
        made.run_each([[X], [X]], [[np.zeros(4, np.float32)] for _ in range(2)])
    assert {*seen} <= {"device 0 (CUDA)", "device 1 (CUDA:1)"}


def test_a_program_whose_libraries_need_no_working_memory() -> None:
    """As the first one on a GPU: there was none yet, and none was allocated."""
    asked: list[int] = []
    gpu = SimpleNamespace(kept={}, allocate=lambda size, what: asked.append(size) or 4096)
    assert [loaded.workspace_of(gpu, size) for size in (0, 0, 100, 50)] == [4096] * 4 and asked == [1, 100]
