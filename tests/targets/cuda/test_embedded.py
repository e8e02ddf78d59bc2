"""Kernels that a file contains as PTX or machine code: how their launches are read, and what is launched."""

from __future__ import annotations

import base64
import ctypes
import json
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from emulation import Emulator, compile_text
from hypothesis import given
from hypothesis import strategies as st
from test_executable import plan_of

import hlo2tiny
from hlo2tiny import InputError, UnsupportedOp
from hlo2tiny.from_jax.registered import registered_handlers
from hlo2tiny.ir import Op, StringAttr, walk
from hlo2tiny.program import Program
from hlo2tiny.program.ffi import handlers_given
from hlo2tiny.program.handlers import with_handlers
from hlo2tiny.syntax.parser import parse
from hlo2tiny.targets.cuda import driver, launcher
from hlo2tiny.targets.cuda.code import tuples
from hlo2tiny.targets.cuda.native import executable_of
from hlo2tiny.targets.embedded import EmbeddedKernel, kernels_of
from hlo2tiny.verify.problems import verify

# What jaxlib's own TritonKernelCall wrote for 3 arrays and a number of each kind, and TritonAutotunedKernelCall for a
# kernel that needs more shared memory than GPUs have, and the one before it.
ONE = (
    "eJzjamLkUudiLU5OzEkVYJHoaGBWYgv2Dw1ydtViLynRSyvNSzaICmBKcMhoYBRglmBSYNRi4WISENDilvj7HwoYtVhtGRgUHLSYBBi12DUaQEBB"
    "i02h4cKaz3xa3AaNDVDAqMXpOKeUocPmiXmdFhsXC4cA0CAmLgYpltzUkkQl9txKhbzE3FQAI1Eqog=="
)
SEVERAL = (
    "eJwTOsPIxZJYWpIvZMClziXJxVqcnJiTKsAh8WC5kBJbsH9okLOrQVQAowCzBJMCoxYLF5OAgBBrWmZRcYlQLyNXEyNQF1QPi0RHAzNMjxZ7SYle"
    "WmleMlAzU4JDRgOKCVrcEn//QwGjFqstA4OCgxaTAKMWu0YDCChosSk0XFjzmU+L26CxAQoYtTgd55QydNg8Ma/TYuNi4RAAGsTExSDEVpyanJ+X"
    "IsUkISDFkptakqjEnlupkJeYmwoAUgA68Q=="
)
THREE = [("buffer", 0), ("buffer", 1), ("buffer", 2)]
PARAMETERS = (
    *[THREE[0], ("i32", 2**64 - 3), ("f32", 2.5), ("bool", 1), ("i64", 2**40), ("u32", 4_000_000_000)],
    *[("u64", 2**63 + 1), ("f64", 1e300), *THREE[1:]],
)
SCALED = EmbeddedKernel(
    "scale", "SOURCE", (6, 2, 1), (128, 1, 1), 2, 49160, 64 * 12, PARAMETERS, ((1, 16),)
)  # fmt: skip
FOUR = np.array([1, 2, 3, 4], np.float32)


# ---------------------------------------------------------------- messages, as jax_triton writes them


def number(value: int) -> bytes:
    value &= (1 << 64) - 1
    more = b""
    while value > 0x7F:
        more, value = more + bytes([value & 0x7F | 0x80]), value >> 7
    return more + bytes([value])


def field(place: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return number(place << 3) + number(value)
    return number(place << 3 | 2) + number(len(value)) + value


def message(fields: Mapping[int, Any]) -> bytes:
    """A message with fields by number, of which a list repeats one."""
    parts = ((n, x) for n, value in fields.items() for x in (value if isinstance(value, list) else [value]))
    return b"".join(field(n, message(x) if isinstance(x, dict) else x) for n, x in parts)


def array(zeroed: int = 0) -> dict[int, Any]:
    return {1: {1: zeroed, 2: 16}}


def escaped(data: bytes) -> str:
    """Bytes as a string of MLIR."""
    return '"' + "".join(f"\\{byte:02X}" for byte in data) + '"'


def opaque_of(code: bytes | dict[int, Any], parameters: list[Any], **more: int) -> bytes:
    kernel = {1: b"scale", 2: 1, 3: more.get("shared", 0), **({11: code} if isinstance(code, dict) else {4: code})}
    if "scratch" in more:
        kernel[12] = more["scratch"]
    return zlib.compress(message({1: {1: kernel, 2: more.get("grid", 1), 3: 1, 4: 1, 5: parameters}}))


def call(opaque: bytes, operands: str = "%0", types: str = "tensor<4xf32>", more: str = "", version: int = 4) -> str:
    config = f"{{opaque = {escaped(opaque)}}}" if version == 4 else escaped(opaque)
    name = "triton_kernel_call_ffi" if version == 4 else "triton_kernel_call"
    attributes = f"{{api_version = {version} : i32, backend_config = {config}{more}}}"
    return f"%1 = stablehlo.custom_call @{name}({operands}) {attributes} : ({types}) -> tensor<4xf32>"


def program(line: str) -> str:
    """A call between kernels, which compute 2x before it and negate its result."""
    return f"""func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {{
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  {line}
  %2 = stablehlo.negate %1 : tensor<4xf32>
  return %2, %0 : tensor<4xf32>, tensor<4xf32> }}"""


def op_of(text: str) -> Op:
    (function,) = parse(text).functions.values()
    return next(op for op in walk(function.body) if op.name == "stablehlo.custom_call")


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize("version", [2, 4])
def test_what_jaxlib_writes(version: int) -> None:
    text = program(call(base64.b64decode(ONE), "%0, %x", "tensor<4xf32>, tensor<4xf32>", version=version))
    assert kernels_of(op_of(text)) == [SCALED]


def test_the_choices_of_autotuning() -> None:
    text = program(call(base64.b64decode(SEVERAL), "%0, %x", "tensor<4xf32>, tensor<4xf32>"))
    first, second = kernels_of(op_of(text))
    assert (first.shared, first.block, first.parameters, second) == (300_000, (256, 1, 1), (THREE[0],), SCALED)


def test_machine_code_comes_before_ptx() -> None:
    (kernel,) = kernels_of(op_of(program(call(opaque_of({1: b"\x7fELF\xff\0"}, [array()])))))
    assert kernel.code.encode("latin-1") == b"\x7fELF\xff\0"


def test_a_kernel_survives_the_store() -> None:
    assert EmbeddedKernel(**tuples(json.loads(json.dumps(asdict(SCALED))))) == SCALED


PTX = (
    'name = "scale", kernel_type = "ptx", kernel_data = "SOURCE", grid_x = 5 : i32, grid_y = 1 : i32, grid_z = 1 : i32,'
    " block_x = 32 : i32, block_y = 2 : i32, block_z = 1 : i32, shared_mem_bytes = 16 : i32"
)


@pytest.mark.parametrize(
    ("places", "order"),
    [("", [0, 1, 2]), (", output_indices = [2 : i32]", [0, 1, 2]), (", output_indices = [1 : i32]", [0, 2, 1])],
)
def test_the_call_of_xla(places: str, order: list[int]) -> None:
    line = f"%1 = stablehlo.custom_call @__gpu$xla.gpu.ptx(%0, %x) {{mhlo.backend_config = {{{PTX}{places}}}}}"
    (kernel,) = kernels_of(op_of(program(f"{line} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>")))
    parameters = tuple(THREE[n] for n in order)
    assert kernel == EmbeddedKernel("scale", "SOURCE", (5, 1, 1), (32, 2, 1), 1, 16, 0, parameters)


@pytest.mark.parametrize(
    ("opaque", "kind", "expected"),
    [
        (
            opaque_of(b"", [array()]),
            UnsupportedOp,
            "is the kernel 'scale' in Triton's IR, which only Triton's compiler",
        ),
        (opaque_of(b"x", [{9: {1: {1: 7}}}]), UnsupportedOp, "has a parameter that is neither an array nor a number"),
        (opaque_of(b"x", [array()] * 3), InputError, "takes more buffers than the 2 of the call"),
        (opaque_of(b"x", [array(), array(17)]), InputError, "clears 17 bytes of buffer 1, which is tensor<4xf32>"),
        (
            opaque_of(b"x", [array()], grid=0),
            InputError,
            r"has a grid of \(0, 1, 1\) and blocks of \(32, 1, 1\), which",
        ),
        (opaque_of(b"x", [array()], shared=1 << 31), InputError, "has 2147483648 bytes of shared memory"),
        (opaque_of(b"x", [array()])[:-5], InputError, "its compressed message does not end"),
        (zlib.compress(b"\x0a\x05ab"), InputError, "has a field that does not fit into it"),
        (zlib.compress(b"\x0a"), InputError, "a number of its message does not end"),
        (zlib.compress(b""), InputError, "it has no kernel"),
        (b"plain", InputError, "is damaged: Error -3"),
    ],
)
def test_what_cannot_be_launched_is_refused_with_its_place(opaque: bytes, kind: Any, expected: str) -> None:
    with pytest.raises(kind, match=expected) as caught:
        with_handlers({}, parse(program(call(opaque))), handlers_given("embedded"), "CUDA")
    assert caught.value.line == 3 and "custom call 'triton_kernel_call_ffi'" in str(caught.value)


@given(st.binary(max_size=60), st.integers(0, 200), st.integers(0, 255))
def test_any_message_is_a_kernel_or_an_error(data: bytes, at: int, byte: int) -> None:
    changed = bytearray(zlib.decompress(base64.b64decode(SEVERAL)))
    changed[at % len(changed)] = byte
    op = op_of(program(call(b"")))
    for raw in (data, bytes(changed)):
        text = zlib.compress(raw).decode("utf-8", "surrogateescape")
        damaged = Op(
            op.name, op.operands, op.results, {**op.attributes, "backend_config": StringAttr(text)}, (), op.location
        )
        with suppress(hlo2tiny.Error):
            kernels_of(damaged)


# ---------------------------------------------------------------- who may run them


@pytest.mark.parametrize("device", ["CPU", "CUDA"])
def test_a_file_alone_launches_nothing(device: str) -> None:
    module = parse(program(call(opaque_of(b"x", [array()]))))
    functions = with_handlers({}, module, handlers_given(None), device)
    cure = "that the file contains; if you trust the file, load it with device='CUDA', ffi='embedded'"
    with pytest.raises(UnsupportedOp, match=cure):
        verify(module, functions)


def test_only_nvidia_gpus_run_them() -> None:
    text = program(call(opaque_of(b"x", [array()])))
    with pytest.raises(
        UnsupportedOp, match="is a kernel for NVIDIA GPUs, which CPU does not run; load the program with"
    ):
        Program(parse(text), "CPU", ffi="embedded")


def test_functions_that_are_traced_here_are_trusted() -> None:
    text = program(call(opaque_of(b"x", [array()]))).encode()
    found = registered_handlers(text, "CUDA")
    assert found == {"triton_kernel_call": "embedded", "triton_kernel_call_ffi": "embedded"}
    assert handlers_given(found) == handlers_given("embedded")
    assert registered_handlers(text, "CPU") == {}


# ---------------------------------------------------------------- launches


class FakeDriver(SimpleNamespace):
    """The driver of a GPU whose memory is the host's, and whose code is C: functions of the addresses of arguments."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder=folder, configs=[], loaded=[], limits=[])
        self.CUlaunchConfig = self.CUlaunchAttribute = lambda: SimpleNamespace(
            value=SimpleNamespace(clusterDim=SimpleNamespace())
        )
        self.CUdevice_attribute = SimpleNamespace(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN=0)
        self.CUfunction_attribute = SimpleNamespace(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES=8)
        self.CUlaunchAttributeID = SimpleNamespace(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION=4)
        self.cuCtxGetDevice = lambda: (0, 0)
        self.cuDeviceGetAttribute = lambda attribute, device: (0, 232448)
        self.cuModuleGetFunction = lambda module, name: (0, getattr(module, name.decode()))
        self.cuFuncSetAttribute = lambda *given: (0, self.limits.append(given[1:]))[:1]

    def cuModuleLoadData(self, code: bytes) -> Any:  # noqa: N802
        assert code.endswith(b"\0")
        self.loaded.append(code)
        return 0, ctypes.CDLL(str(compile_text([code[:-1].decode()], self.folder / f"code{len(self.loaded)}.cpp")))

    def cuMemsetD8Async(self, target: int, value: int, size: int, stream: Any) -> Any:  # noqa: N802
        ctypes.memset(target, value, size)
        return (0,)

    def cuLaunchKernelEx(self, config: Any, function: Any, arguments: int, extra: int) -> Any:  # noqa: N802
        self.configs.append(config)
        function(ctypes.c_void_p(arguments))
        return (0,)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeDriver:
    made = FakeDriver(tmp_path)
    for module in (launcher, driver):
        monkeypatch.setattr(module, "driver", lambda: made)
    return made


def emulator(text: str, folder: Path) -> Emulator:
    functions = with_handlers({}, parse(text), handlers_given(["embedded"]), "CUDA")
    plan = plan_of(text, custom_calls=functions)
    made = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None, (), functions)
    assert not made.hosts
    return Emulator(plan, made, folder, functions)


def code(statement: str) -> bytes:
    """A kernel that computes y[i], given x, a and y; what follows these are working memory and null."""
    return f"""extern "C" void scale(void **given) {{
      const float *x = *(const float **)given[0], a = *(float *)given[1];
      float *y = *(float **)given[2];
      char *scratch = *(char **)given[3], *profile = *(char **)given[4];
      if (profile) __builtin_trap();
      for (int i = 0; i < 4; i++) {{ {statement} }}
    }}""".encode()


FLOAT = b"\x3d" + np.float32(0.5).tobytes()  # field 7, of 32 bits


def test_a_kernel_between_kernels(fake: FakeDriver, tmp_path: Path) -> None:
    opaque = opaque_of(code("y[i] = x[i] * a;"), [array(), FLOAT, array()], shared=70_000, grid=3)
    run = emulator(program(call(opaque)), tmp_path)
    for _ in range(2):
        assert [x.tolist() for x in run([FOUR])] == [[-1, -2, -3, -4], [2, 4, 6, 8]]
    (config, _) = fake.configs
    assert (config.gridDimX, config.gridDimY, config.blockDimX, config.sharedMemBytes) == (3, 1, 32, 70_000)
    assert fake.limits == [(8, 70_000)] and len(fake.loaded) == 1


def test_a_result_that_begins_with_zeros_and_working_memory(fake: FakeDriver, tmp_path: Path) -> None:
    statement = "scratch[i] = 1; y[i] += x[i] * a * scratch[i];"
    opaque = opaque_of(code(statement), [array(), FLOAT, array(16)], scratch=4)
    assert emulator(program(call(opaque)), tmp_path)([FOUR])[0].tolist() == [-1, -2, -3, -4]


def test_a_result_in_the_memory_of_an_operand(fake: FakeDriver, tmp_path: Path) -> None:
    alias = "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>"
    statement = "((float *)x)[i] *= a; if (x != y) __builtin_trap();"
    opaque = opaque_of(code(statement), [array(), FLOAT, array()])
    run = emulator(program(call(opaque, more=f", output_operand_aliases = [{alias}]")), tmp_path)
    assert [x.tolist() for x in run([FOUR])] == [[-1, -2, -3, -4], [2, 4, 6, 8]]


def test_a_kernel_with_two_results_in_a_loop(fake: FakeDriver, tmp_path: Path) -> None:
    source = b"""extern "C" void scale(void **given) {
      const float *x = *(const float **)given[0], *y = *(const float **)given[1];
      float *a = *(float **)given[2], *b = *(float **)given[3];
      for (int i = 0; i < 4; i++) { a[i] = x[i] + y[i]; b[i] = x[i]; }
    }"""
    config = f"{{opaque = {escaped(opaque_of(source, [array()] * 4))}}}"
    text = f"""func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %x) : tensor<i32>, tensor<4xf32>, tensor<4xf32> cond {{
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %1:2 = stablehlo.custom_call @triton_kernel_call_ffi(%a, %b) {{api_version = 4 : i32, backend_config = {config}}}
      : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    stablehlo.return %j, %1#0, %1#1 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }}
  return %0#1 : tensor<4xf32> }}"""
    run = emulator(text, tmp_path)
    assert [run([FOUR, np.int32(n)])[0].tolist() for n in (0, 1, 5)] == [(FOUR * k).tolist() for k in (1, 2, 13)]


def test_clusters_and_every_kind_of_number(fake: FakeDriver) -> None:
    """The addresses of arguments are what the driver reads, so their bits are what a kernel gets."""
    source = """extern "C" void scale(void **given) {
      long long *out = *(long long **)given[8], n = 0;
      out[n++] = *(int *)given[1]; out[n++] = *(float *)given[2] * 2; out[n++] = *(bool *)given[3];
      out[n++] = *(long long *)given[4]; out[n++] = *(unsigned *)given[5];
      out[n++] = *(unsigned long long *)given[6] - (1ull << 63); out[n++] = *(double *)given[7] / 1e299;
      out[n++] = *(long long *)given[10] == 512;
    }"""
    kernel = EmbeddedKernel(**{**vars(SCALED), "code": source, "zeroed": ()})
    found = np.zeros(8, np.int64)
    launcher.Launcher().run(kernel, [0, found.ctypes.data, 0], 512, 0)
    assert found.tolist() == [-3, 5, 1, 2**40, 4_000_000_000, 1, 10, 1]
    (config,) = fake.configs
    assert config.numAttrs == 1 and vars(config.attrs[0].value.clusterDim) == {"x": 2, "y": 1, "z": 1}


def test_the_first_kernel_that_fits_is_launched(fake: FakeDriver) -> None:
    text = program(call(base64.b64decode(SEVERAL), "%0, %x", "tensor<4xf32>, tensor<4xf32>"))
    functions = with_handlers({}, parse(text), handlers_given(["embedded"]), "CUDA")
    plan, refused = plan_of(text, custom_calls=functions), list[Any]()
    for shared in (300_000, 49_160):
        made = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None, refused, functions)
        assert [spec.shared for spec in made.products] == [shared]  # type: ignore[union-attr]
        refused += made.products
    with pytest.raises(RuntimeError, match="300,000 bytes of shared memory"):
        launcher.Launcher().function(refused[0])
    with pytest.raises(UnsupportedOp, match="none of its kernels runs on this GPU"):
        executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None, refused, functions)
