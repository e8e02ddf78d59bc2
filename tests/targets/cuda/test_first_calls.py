"""Several processes render regions and compile kernels for CUDA; these processes are not pytest's, which has jax."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import textwrap
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_executable import emitted, plan_of
from test_shared_reductions import text_of

from hlo2tiny.ir.place import Place
from hlo2tiny.targets import NotBuilt
from hlo2tiny.targets.cuda import __main__ as cuda_main
from hlo2tiny.targets.cuda import compiling, merging, shipped
from hlo2tiny.targets.cuda.compiling import files
from hlo2tiny.targets.cuda.executable import CudaExecutable, GraphLaunch
from hlo2tiny.targets.cuda.kernels import SORTING, CudaKernel, KernelParameter, call_kernel
from hlo2tiny.targets.cuda.order import Uses
from hlo2tiny.targets.cuda.render import REGIONS
from hlo2tiny.tinygrad import codegen

forked = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
START = """
import os
import hlo2tiny
from hlo2tiny.targets import target_of
from hlo2tiny.targets.cuda import native
from hlo2tiny.targets.cuda.compiling import compile_all
from hlo2tiny.tinygrad.codegen import PROGRAMS
from hlo2tiny.tinygrad.settings import lowering_settings
from hlo2tiny.verify.problems import verify
from hlo2tiny.verify.unwrap import unwrap

forks, fork = [], os.fork
def counted():
    child = fork()
    if child:
        forks.append(child)
    return child
os.fork = counted

# What one process renders, and three, with how many were forked by then.
def rendered(program, libraries):
    module = hlo2tiny.parse(program)
    verify(module)
    with lowering_settings("CUDA"):
        plan = target_of("CUDA").plan(unwrap(module), "main")
    for native.count_processors in (lambda: 1, lambda: 3):
        native.REGIONS.regions.clear()
        PROGRAMS.clear()
        executable = native.executable_of(plan, "CUDA", "sm_90", libraries, lambda done, total: None)
        yield executable.actions, executable.kernels, len(forks)
"""


def run(script: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3]), "HLO2TINY_CACHE": "off"}
    command = [sys.executable, "-c", START + textwrap.dedent(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert not done.returncode, done.stderr


@pytest.mark.ci
@forked
def test_several_processes_render_the_same_kernels() -> None:
    run("""
        found = [*rendered("corpus/kv_cache_decode.mlir", {"cublasLt"})]
        assert found[0][:2] == found[1][:2]
        assert (found[0][2], found[1][2]) == (0, 2)
    """)


@forked
def test_one_process_renders_a_few_small_regions() -> None:
    """Another would take 40 ms until it has memory of its own, in which this one renders all of them."""
    run("""
        loop = '''
            %{0}:2 = stablehlo.while(%i = %n, %a = {1}) : tensor<i32>, tensor<9xf32>
            cond {{
              %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %p : tensor<i1>
            }} do {{
              %j = stablehlo.add %i, %n : tensor<i32>
              %b = stablehlo.{2} %a : tensor<9xf32>
              stablehlo.return %j, %b : tensor<i32>, tensor<9xf32>
            }}'''
        text = f'''
          func.func @main(%x: tensor<9xf32>, %n: tensor<i32>) -> tensor<9xf32> {{
            {loop.format("y", "%x", "negate")}
            {loop.format("z", "%y#1", "abs")}
            return %z#1 : tensor<9xf32>
          }}'''
        found = [*rendered(text, ())]
        assert found[0] == found[1] and len(native.REGIONS.regions) >= native.LEAST_REGIONS
    """)


@pytest.mark.ci
@forked
def test_several_processes_lower_the_kernels_of_a_region() -> None:
    """A sorted scatter that no function folds has a dozen, each of which takes tinygrad 5 to 60 ms."""
    run("""
        text = '''
          func.func @main(%x: tensor<9000x3xcomplex<f32>>, %i: tensor<100000xi32>, %u: tensor<100000x3xcomplex<f32>>)
              -> tensor<9000x3xcomplex<f32>> {
            %0 = "stablehlo.scatter"(%x, %i, %u) <{
              scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
              scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
            ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
              %1 = stablehlo.multiply %a, %b : tensor<complex<f32>>
              stablehlo.return %1 : tensor<complex<f32>>
            }) : (tensor<9000x3xcomplex<f32>>, tensor<100000xi32>, tensor<100000x3xcomplex<f32>>)
              -> tensor<9000x3xcomplex<f32>>
            return %0 : tensor<9000x3xcomplex<f32>>
          }'''
        found = [*rendered(text, ())]
        assert found[0][:2] == found[1][:2] and len(found[0][1]) > 8
        assert (found[0][2], found[1][2]) == (0, 2)
    """)


@forked
def test_several_processes_compile_the_same_code() -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    run("""
        from hlo2tiny.targets import NotBuilt
        from hlo2tiny.targets.cuda import compiling

        sources = [f'extern "C" __global__ void kernel{i}(int *x) {{ x[{i}] = {i}; }}' for i in range(3)]
        compiling.count_processors = lambda: 3
        codes = compile_all(sources, "sm_90")
        assert len(forks) == 2 and codes == [compiling.compile_one(text, "sm_90") for text in sources]
        try:
            compile_all([sources[0], "this is not CUDA"], "sm_90")
        except NotBuilt as error:
            assert "nvrtc refused the kernels" in str(error)
        else:
            raise AssertionError("nvrtc takes anything")
    """)


@forked
@pytest.mark.parametrize(
    "executable", [sys.executable, "/bin/false", "no such program"], ids=("python", "false", "none")
)
def test_processes_compile_where_none_can_be_forked(executable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in this one, which has jax; it compiles itself what they fail to. Its threads would take turns in nvrtc."""
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    sources = [f'extern "C" __global__ void kernel{i}(int *x) {{ x[{i}] = {i}; }}' for i in range(7)]
    started, here, succeeds = list[Popen[bytes]](), compiling.compile_one, executable == sys.executable

    class Started(Popen[bytes]):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            started.append(self)

    def waits(*given: Any) -> bytes:
        deadline = time.monotonic() + 60
        while succeeds and len(compiled) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)  # until others have compiled some
        return here(*given)

    compiled = list[str]()
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    monkeypatch.setattr(compiling.cache, "write", lambda name, code: compiled.append(name))
    monkeypatch.setattr(compiling, "Popen", Started)
    monkeypatch.setattr(compiling, "compile_one", waits)
    monkeypatch.setattr(compiling, "count_processors", lambda: 3)
    monkeypatch.setattr(sys, "executable", executable)
    codes = compiling.compile_all(sources, "sm_90")
    assert len(started) == (0 if executable.startswith("no") else 2) and len(compiled) == len(sources)
    assert all(process.poll() is not None for process in started)
    assert codes == [here(text, "sm_90") for text in sources]
    with pytest.raises(NotBuilt, match="nvrtc refused the kernels: kernels"):
        compiling.compile_all([*sources, "this is not CUDA"], "sm_90")


def test_code_for_all_numbers_is_that_for_each() -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    kernel = sorts("scan_digits", [0, 1], (291,))
    ((text, _),) = files([kernel])
    assert "291" in text and compiling.compile_kernels([kernel], "sm_90") == [
        (compiling.compile_one(text, "sm_90"), [0])
    ]


def test_files_that_are_compiled_at_once_share_the_work() -> None:
    parameters = (KernelParameter("int*", "x"),)

    def kernel(size: int, called: str = "") -> CudaKernel:
        body = f"  x[{size}] = 0;  {called}".ljust(size)
        return CudaKernel("k", parameters, body, (), (1, 1, 1), (1, 1, 1), False, (0,))

    long = "matrices::qr(x);"
    kernels = [kernel(100), kernel(200), kernel(300, long), kernel(400, long), kernel(5000), kernel(4900)]
    assert [numbers for _, numbers in files(kernels, 6)] == [[3], [2], [4], [5], [1], [0]]
    # Alone, they are a file for each 20,000 characters, as many of which a kernel of any kind adds 2,500.
    assert [numbers for _, numbers in files(kernels)] == [[1, 2, 4], [0, 3, 5]]
    # What takes long is as much as many small kernels, others are not.
    assert [numbers for _, numbers in files(kernels[4:], 6)] == [[0], [1]]
    assert [numbers for _, numbers in files([kernel(300), kernel(400)], 6)] == [[0, 1]]


def sorts(function: str, places: list[int], numbers: tuple[int, ...]) -> CudaKernel:
    parameters = tuple(KernelParameter("int*", f"x{n}", n < 3) for n in range(4))
    given = parameters, "", (), (1, 1, 1), (128, 1, 1), False, (0, 1, 2, 3)
    return call_kernel(CudaKernel("k", *given, files=(SORTING,), numbers=numbers), f"block::{function}", places)


def test_what_sorts_has_one_code_for_all_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another size takes no compiler; PTX, which drivers compile, has the numbers."""
    kernels = [sorts("sort_rows<true>", [0, 1, 2, 3], (28, n, 9)) for n in (291, 300)]
    texts = [text for text, _ in files(kernels, 6)]
    assert ["{28, 291, 9}" in texts[0], "{28, 300, 9}" in texts[1]] == [True, True]
    unknown, compiled = struct.pack("<3i", *compiling.UNKNOWN[:3]), list[list[str]]()

    def compile_all(texts: list[str], arch: str) -> list[bytes]:
        compiled.append(texts)
        return [b"before" + unknown + b"after"] * len(texts)

    monkeypatch.setattr(compiling, "compile_all", compile_all)
    codes = compiling.compile_kernels(kernels, "sm_90", 6)
    assert codes == [(b"before" + struct.pack("<3i", 28, n, 9) + b"after", [i]) for i, n in enumerate((291, 300))]
    compiling.compile_kernels(kernels, "compute_90", 6)
    assert compiled[0][0] == compiled[0][1] and compiled[1] == texts


def test_wheels_have_what_sorts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every kernel that calls a function of sorting.cu is one of those."""
    shipped_texts = {*map(compiling.text_with_numbers, cuda_main.kernels())}

    def extremes_of(new: Any, shape: tuple[int, ...], dtype: Any) -> Any:
        """Two scatters, for which the same indices are sorted."""
        cells = jnp.zeros(shape, dtype)
        return lambda x: [cells.at[x].max(new(x)), cells.at[x].min(new(x))]

    for call, x in [
        (jnp.argsort, np.zeros((1, 50), np.float32)),
        (jnp.argsort, np.zeros((3, 50_000), np.float32)),
        (jnp.sort, np.zeros((1, 1 << 20), np.float32)),
        (jnp.sort, np.zeros((2, 1 << 20), np.int16)),
        (jnp.sort, np.zeros((1, 1 << 23), np.float32)),
        (lambda x: jnp.zeros(9000, np.float32).at[x].add(1.5), np.zeros(1 << 20, np.int32)),
        (lambda x: jnp.zeros(90_000, np.float32).at[x].add(1.5), np.zeros(1 << 20, np.int32)),
        (lambda x: jnp.zeros((90_000, 3), jnp.bfloat16).at[x].multiply(1.5), np.zeros(1 << 20, np.int32)),
        (lambda x: jnp.zeros(1 << 20).at[x.astype(int)].add(x), np.zeros(1 << 20, np.float64)),
        (extremes_of(lambda x: jnp.bfloat16(2), (1 << 22, 3), jnp.bfloat16), np.zeros(1 << 20, np.int32)),
        (extremes_of(lambda x: jnp.sin(x).astype(np.float16), (1 << 22,), np.float16), np.zeros(1 << 20, np.int32)),
        (lambda x: jnp.zeros((9, 30)).at[x].add(jnp.sin(x)[:, None]), np.zeros(1 << 16, np.int32)),
        (lambda x: jnp.cumsum(x, 0), np.zeros((1000, 70), np.float32)),
        (lambda x: jax.lax.cummax(x, 1), np.zeros((3, 9000), np.float64)),
        (jnp.sort, np.zeros((1, 1 << 23), np.float32)),
    ]:
        texts = {compiling.text_with_numbers(k) for k in emitted(text_of(call, x)).kernels if k.numbers}
        assert texts and texts <= shipped_texts
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    kernel = sorts("merge_rows<true>", [0, 1, 2, 3, 3], (5,))
    code = b"code" + struct.pack("<i", compiling.UNKNOWN[0])
    shipped.place(compiling.text_with_numbers(kernel), "sm_80").write_bytes(code)
    monkeypatch.setattr(compiling, "code_name", lambda text, *_: text)  # which asks nvrtc for its version
    monkeypatch.setattr(compiling, "compile_one", lambda *_: b"compiled" + code)
    assert compiling.compile_kernels([kernel], "sm_86") == [(b"code" + struct.pack("<i", 5), [0])]
    assert compiling.compile_kernels([kernel], "sm_90") == [(b"compiledcode" + struct.pack("<i", 5), [0])]


@pytest.mark.parametrize(
    "call, x",
    [
        (jnp.argsort, np.zeros((3, 50_000), np.float32)),
        (lambda x: jax.lax.top_k(x, 3), np.zeros((2, 40_000), np.float32)),
        (lambda x: jnp.zeros((9, 30)).at[x].add(jnp.sin(x)[:, None]), np.zeros(1 << 16, np.int32)),
        (partial(jnp.cumsum, axis=0), np.zeros((1000, 70), np.float32)),
    ],
)
def test_a_kernel_that_only_calls_a_function_is_what_the_passes_make(
    call: Any, x: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    text, found = text_of(call, x), list[CudaExecutable]()
    for program_of_call in (codegen.program_of_call, lambda *_: None):
        monkeypatch.setattr(codegen, "program_of_call", program_of_call)
        monkeypatch.setattr(codegen, "PROGRAMS", OrderedDict())
        monkeypatch.setattr(REGIONS, "regions", {})
        found.append(emitted(text))
    assert found[0].actions == found[1].actions
    for one, other in zip(*(each.kernels for each in found), strict=True):
        assert asdict(one) == asdict(other)
    assert any(kernel.numbers for kernel in found[0].kernels)


def test_iterations_of_a_thread_that_read_before_they_write_are_loops() -> None:
    """Written one after the other they would take most of the time to render; threads do not wait between them."""
    x = np.zeros(50_000, np.complex64)  # no function scans these
    scans = [k for k in emitted(text_of(jax.lax.cumsum, x)).kernels if k.name == "scan_tiles"]
    assert scans
    for kernel in scans:
        loops = [part.partition("\n  }")[0] for part in kernel.body.split("#pragma unroll\n")[1:]]
        assert len(loops) == 2 and not any("__syncthreads" in loop for loop in loops)


def test_what_a_scan_does_with_an_element_is_compiled_once_if_it_is_costly() -> None:
    """A sum of exponentials was written out for each of a thread's 16 elements, which took nvrtc 0.3 s."""
    for scan, dtype, costly in [
        (jax.lax.cumlogsumexp, np.float32, True),
        (jax.lax.cumlogsumexp, np.float16, True),
        (jax.lax.cumsum, np.complex64, False),
        (jax.lax.cumprod, np.complex64, False),
    ]:
        scans = [k for k in emitted(text_of(scan, np.zeros(50_000, dtype))).kernels if k.name == "scan_tiles"]
        assert len(scans) == 3
        for kernel in scans:
            loops = [line for line in kernel.body.splitlines() if line.lstrip().startswith("for (")]
            once = kernel.body.count("#pragma unroll 1\n")
            assert once == (len(loops) - kernel.body.count("#pragma unroll\n") if costly else 0)


def test_doubles_call_functions_and_what_is_done_with_an_element_is_compiled_once_if_it_is_long() -> None:
    """Nine hyperbolic tangents of doubles were written out for each of a thread's four elements: 0.7 s of Python, and
    0.8 s of nvrtc."""

    def stencil(x: jax.Array, count: int) -> jax.Array:
        return sum(jnp.roll(jnp.tanh(x + n), n, -1) for n in range(count))  # type: ignore[return-value]

    for dtype, count, copies in [(np.float64, 3, 4), (np.float64, 12, 1), (np.float32, 12, 4), (np.float32, 50, 1)]:
        (kernel,) = emitted(text_of(lambda x, n=count: stencil(x, n), np.zeros((2048, 1000), dtype))).kernels
        assert kernel.calls and ("tanh_d(" in kernel.body) is (dtype == np.float64)
        assert f"#pragma unroll {copies}\n" in kernel.body


def test_a_long_term_of_few_is_written_once() -> None:
    """It was for each of 8 terms of 3 results: half a second of Python, and as much of nvrtc, for random choices."""
    rows = 3_670_017, 8
    drawn, short = lambda key: jax.random.gumbel(key, rows, np.float32).max(-1), lambda x: jnp.exp(x).max(-1)
    (long,) = emitted(text_of(drawn, np.array([1, 2], np.uint32))).kernels
    (few,) = emitted(text_of(short, np.zeros(rows, np.float32))).kernels
    assert (long.body.count("log_f("), few.body.count("exp_f(")) == (2, 24)


def test_files_have_what_their_kernels_name() -> None:
    """nvrtc took 7 ms to read all of elementary.c, and 3 for the rest, of 24 for any file."""
    code = {"exp_f(float": jnp.exp, "tanh_f(float": jnp.tanh, "mma.sync": jnp.sum}
    for name, function in code.items():
        executable = emitted(text_of(function, np.zeros((300, 3000), np.float32)))
        texts = "".join(text for text, _ in files(executable.kernels))
        assert [each for each in code if each in texts] == [name][: function is not jnp.sum]
        assert "combine_lanes(" in texts
    body = "x[0] = widened<1>(1);"
    kernel = CudaKernel("k", (KernelParameter("float*", "x"),), body, (), (1, 1, 1), (1, 1, 1), False, (0,))
    assert compiling.TENSOR in files([kernel])[0][0] and compiling.COMBINING not in files([kernel])[0][0]


def test_loops_that_threads_share_are_unrolled_as_often_as_a_thread_has_iterations() -> None:
    """Four copies of a loop with at most three iterations, and another loop for these, took nvrtc twice as long."""

    def fractions(x: jax.Array) -> jax.Array:
        return x / (1 + jnp.abs(x).sum(-1, keepdims=True))

    for width, copies, is_known in [(66, 2, False), (64, 2, True), (97, 3, False), (96, 3, True), (20, 1, False)]:
        (kernel,) = emitted(text_of(fractions, np.zeros((2000, width), np.float32))).kernels
        assert kernel.block[0] == (16 if width == 20 else 32)
        heads = [line for line in kernel.body.splitlines() if "#pragma unroll" in line]
        assert {*map(str.strip, heads)} == {f"#pragma unroll {copies}"}
        assert ("_first = 0;" in kernel.body) is is_known


def test_numbers_that_are_rounded_as_written_take_no_operation_on_their_bits() -> None:
    """nvrtc does not compute with floats as with real numbers, so that nothing has to be hidden from it."""
    (kernel,) = emitted(text_of(lambda x: ((x + 1.1) - 1.1) * 3.3 / 7, np.zeros(1 << 20, np.float32))).kernels
    assert "tg_bitcast" not in kernel.body and "+-1.1" in kernel.body and "/7.0f)" in kernel.body


def test_functions_of_small_matrices_do_not_write_out_divisions() -> None:
    """nvrtc cannot see that loops over a matrix's rows end after one iteration if a block has as many threads."""
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    for function, most in [(jnp.linalg.cholesky, 18_000), (jax.lax.linalg.lu, 18_000)]:
        text = text_of(function, np.zeros((100, 4, 4), np.complex64))
        executable = emitted(text, ("cusolver",))
        (number,) = (n for n, k in enumerate(executable.kernels) if k.name in ("cpotrf", "cgetrf"))
        (code,) = (code for code, numbers in compiling.compile_kernels([executable.kernels[number]], "sm_90"))
        assert len(code) < most, function.__name__


def test_no_tables_are_made_for_transforms_that_a_library_computes() -> None:
    """Those of a convolution with a million numbers took a second, and 100 MB."""
    x = np.zeros(1_049_999, np.float32)
    text = text_of(lambda x: jnp.fft.irfft(jnp.fft.rfft(x) ** 2, x.size), x)
    assert len(emitted(text, ("cufft",)).products) == 2 and not plan_of(text).main.constants


def test_a_thread_sorts_its_numbers_by_few_comparisons() -> None:
    """Neighbours in turns are 120 comparisons of 16 numbers, and 38 kB of code; Batcher's network has 63."""
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    kernel = sorts("smallest<false>", [0, 1, 1], (9, 9, 9, 9))
    assert len(compiling.compile_one(compiling.text_with_numbers(kernel), "sm_90")) < 34_000


def test_what_waits_is_found_among_buffers_not_among_all_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 iterations that read the same argument were each compared with all before: 10 s for a loop of 256 turns."""
    found, before = [0], Uses.before

    def counted(uses: Uses[Any], *given: Any) -> Iterator[Any]:
        for use in before(uses, *given):
            found[0] += 1
            yield use

    monkeypatch.setattr(Uses, "before", counted)
    parameters = tuple(KernelParameter("float*", name, name == "y") for name in "wxy")
    kernel = CudaKernel("add", parameters, "y[0] = w[0] + x[0];", (), (1, 1, 1), (1, 1, 1), False, (0, 1, 2))
    places = [Place("arena", 0), Place("arena", 64)]
    actions = [GraphLaunch(0, (Place("argument", 0), places[i % 2], places[1 - i % 2]), (4, 4, 4)) for i in range(2000)]
    assert len(merging.in_turns(actions, [kernel])) == 2000
    assert found[0] < 4 * len(actions)
