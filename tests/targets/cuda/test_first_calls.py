"""Several processes render regions and compile kernels for CUDA; these processes are not pytest's, which has jax."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest
from test_executable import emitted
from test_shared_reductions import text_of

from hlo2tiny.ir.place import Place
from hlo2tiny.targets.cuda import merging
from hlo2tiny.targets.cuda.compiling import files
from hlo2tiny.targets.cuda.executable import GraphLaunch
from hlo2tiny.targets.cuda.kernels import SORTING, CudaKernel, KernelParameter
from hlo2tiny.targets.cuda.order import Uses

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


@pytest.mark.ci
@forked
def test_several_processes_lower_the_kernels_of_a_region() -> None:
    """A sorted scatter has a dozen, each of which takes tinygrad 5 to 60 ms."""
    run("""
        text = '''
          func.func @main(%x: tensor<9000x3xf32>, %i: tensor<100000xi32>, %u: tensor<100000x3xf32>)
              -> tensor<9000x3xf32> {
            %0 = "stablehlo.scatter"(%x, %i, %u) <{
              scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
              scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
              %1 = stablehlo.add %a, %b : tensor<f32>
              stablehlo.return %1 : tensor<f32>
            }) : (tensor<9000x3xf32>, tensor<100000xi32>, tensor<100000x3xf32>) -> tensor<9000x3xf32>
            return %0 : tensor<9000x3xf32>
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


def test_files_that_are_compiled_at_once_share_the_work() -> None:
    parameters = (KernelParameter("int*", "x"),)

    def kernel(size: int, called: str = "") -> CudaKernel:
        body = f"  x[{size}] = 0;  {called}".ljust(size)
        files = (SORTING,) if called else ()
        return CudaKernel("k", parameters, body, (), (1, 1, 1), (1, 1, 1), False, (0,), files=files)

    sorts, counts = "block::sort_rows<64, 128, true>(x)", "block::scan(x)"
    kernels = [kernel(100), kernel(200), kernel(300, sorts), kernel(400, sorts), kernel(5000), kernel(4900)]
    assert [numbers for _, numbers in files(kernels, 6)] == [[3], [2], [4], [5], [1], [0]]
    # Alone, they are a file for each 20,000 characters, as many of which a kernel of any kind adds 2,500.
    assert [numbers for _, numbers in files(kernels)] == [[1, 2, 4], [0, 3, 5]]
    # What sorts takes as long as many small kernels, other functions do not.
    assert [numbers for _, numbers in files(kernels[4:], 6)] == [[0], [1]]
    assert [numbers for _, numbers in files([kernel(300, counts), kernel(400, counts)], 6)] == [[0, 1]]


def test_iterations_of_a_thread_that_read_before_they_write_are_loops() -> None:
    """Written one after the other they would take most of the time to render; threads do not wait between them."""
    x = np.zeros(50_000, np.float32)
    scans = [k for k in emitted(text_of(jax.lax.cummax, x)).kernels if k.name == "scan_tiles"]
    assert scans
    for kernel in scans:
        loops = [part.partition("\n  }")[0] for part in kernel.body.split("#pragma unroll\n")[1:]]
        assert len(loops) == 2 and not any("__syncthreads" in loop for loop in loops)


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
