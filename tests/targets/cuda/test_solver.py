"""LAPACK's procedures on a GPU, on machines without one: the kernels run as C++, and LAPACK stands for cuSOLVER.

Small matrices need none of it: test_matrices.py. What is tested is what the other kernels compute and in which order,
and which memory the calls get. tests/gpu.py tests how cuSOLVER is called.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from emulation import compile_kernels, launch
from test_executable import emitted, walk

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.ir import ComplexType, ScalarType, TensorType
from hlo2tiny.machine.libraries import address, call, store_argument
from hlo2tiny.plan import build
from hlo2tiny.plan.plan import Lapack
from hlo2tiny.rules.lapack import carry_out
from hlo2tiny.rules.procedure import Procedure, record_procedure
from hlo2tiny.rules.registry import RULES
from hlo2tiny.targets.cuda import procedures
from hlo2tiny.targets.cuda.compiling import compile_all, files
from hlo2tiny.targets.cuda.executable import Direct, GraphLaunch, OnHost
from hlo2tiny.targets.cuda.kernels import MOST_BLOCKS, MOST_THREADS, CudaKernel
from hlo2tiny.targets.cuda.procedures import parts_of
from hlo2tiny.targets.cuda.solver import Solver, SolverSpec
from hlo2tiny.tinygrad.settings import lowering_settings
from hlo2tiny.verify.problems import verify
from hlo2tiny.verify.unwrap import unwrap

LIBRARIES = ("cublas", "cublasLt", "cusolver")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take matrices as if they were too large for kernels."""
    monkeypatch.setattr(procedures, "work_of", lambda *_: None)


def call_lapack(spec: SolverSpec, buffers: list[np.ndarray]) -> None:
    lengths = sum(isinstance(a, str) for a in spec.arguments)
    for item in range(spec.items):
        values = [
            buffers[a[0]][a[1] + item * a[2] :] if isinstance(a, tuple) else store_argument(a) for a in spec.arguments
        ]
        if spec.where is None:
            call(spec.name, list(map(address, values)), lengths)
            continue
        buffer, offset, step = spec.where
        if buffers[buffer][offset + item * step :][:4].view(np.int32)[0]:
            call(spec.name, list(map(address, values)), lengths)


def expect_same(procedure: Procedure, operands: list[np.ndarray], folder: Path) -> None:
    """A procedure in parts computes what numpy and LAPACK compute."""
    made = parts_of(procedure)
    assert made is not None
    parts, temporaries = made
    kernels = [part for part in parts if isinstance(part, CudaKernel)]
    for kernel in kernels:
        assert 1 <= kernel.block[0] <= MOST_THREADS and 1 <= kernel.grid[0] <= MOST_BLOCKS[0]
    compiled, number = compile_kernels(kernels, folder), 0
    results = result_layouts(procedure)
    expected = carry_out(procedure, operands, results)
    found = [np.full(x.nbytes, 0xAB, np.uint8) for x in expected]
    spaces = [np.full(size, 0xAB, np.uint8) for size in temporaries]
    given = [np.ascontiguousarray(x).reshape(-1).view(np.uint8) for x in operands]
    buffers = [*given, *found, *spaces]
    for part in parts:
        if isinstance(part, CudaKernel):
            launch(part, compiled[number], [buffers[n] for n in part.buffers])
            number += 1
        else:
            call_lapack(part, buffers)
    for raw, array in zip(found, expected):
        same = raw.view(array.dtype).reshape(array.shape)
        if array.dtype.kind in "iub":
            np.testing.assert_array_equal(same, array)
        else:  # the same numbers from the other side are rounded in another order
            largest = np.nanmax(np.abs(array), initial=0)
            np.testing.assert_allclose(same, array, 0, 64 * np.finfo(array.dtype).eps * largest, equal_nan=True)


def result_layouts(procedure: Procedure) -> list[Any]:
    """The dtypes and shapes of a procedure's results: of the largest arrays in their memories."""
    layouts: dict[int, Any] = {}
    arrays = [*procedure.arrays(), *(s.target for s in procedure.statements if hasattr(s, "target"))]
    for a in arrays:
        buffer = procedure.memories[a.memory] - procedure.operands
        size = 1 + a.offset + sum((n - 1) * step for n, step in zip(a.shape, a.strides))
        if 0 <= buffer < procedure.results:
            dtype, shape = layouts.get(buffer, (a.dtype, (0,)))
            nbytes = max(size * a.dtype.itemsize, shape[0] * dtype.itemsize)
            layouts[buffer] = a.dtype, (nbytes // a.dtype.itemsize,)
    nothing = np.dtype("u1"), (0,)  # of what nobody reads
    return [layouts.get(i, nothing) for i in range(procedure.results)]


def matrices(kind: str, *shape: int) -> np.ndarray:
    random = np.random.default_rng(sum(shape))
    real = random.standard_normal(shape)
    return (real + 1j * random.standard_normal(shape) if np.dtype(kind).kind == "c" else real).astype(kind)


def positive(kind: str, *shape: int) -> np.ndarray:
    a = matrices(kind, *shape)
    a = a @ a.conj().swapaxes(-1, -2) + 3 * np.eye(shape[-1])
    a[-1, 0, 0] = -1  # not positive definite
    return a.astype(kind)


def type_of(kind: str, *shape: int) -> TensorType:
    dtype = np.dtype(kind)
    if dtype.kind == "c":
        return TensorType(shape, ComplexType(ScalarType(f"f{4 * dtype.itemsize}")))
    return TensorType(shape, ScalarType(f"{dtype.kind}{8 * dtype.itemsize}"))


def with_nan(a: np.ndarray) -> np.ndarray:
    a[1, 0, 1] = np.nan
    return a


I32 = "i4"
CASES: list[tuple[str, list[np.ndarray], list[TensorType], dict[str, Any]]] = [
    *(
        ("stablehlo.cholesky", [positive(kind, 3, 4, 4)], [type_of(kind, 3, 4, 4)], {"lower": lower})
        for kind in ("f4", "c16")
        for lower in (False, True)
    ),
    (
        "stablehlo.triangular_solve", [matrices("f8", 2, 4, 4), matrices("f8", 2, 4, 3)], [type_of("f8", 2, 4, 3)],
        {"left_side": True, "lower": True, "unit_diagonal": False, "transpose_a": "ADJOINT"},
    ),
    *(
        ("stablehlo.cholesky", [positive(kind, 2, 5, 5)[0]], [type_of(kind, 5, 5)], {"lower": lower})
        for kind in ("f4", "f8", "c8", "c16")
        for lower in (False, True)
    ),
    *(
        (
            "stablehlo.triangular_solve", [matrices(kind, 4, 4) + 4 * np.eye(4, dtype=kind), matrices(kind, *shape)],
            [type_of(kind, *shape)],
            {"left_side": left, "lower": lower, "unit_diagonal": lower, "transpose_a": transpose},
        )
        for kind in ("f4", "c16")
        for left, shape in ((True, (4, 3)), (True, (4, 1)), (False, (3, 4)), (False, (1, 4)))
        for lower in (False, True)
        for transpose in ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
    ),
    (
        "@lapack_sgetrf_ffi", [matrices("f4", 2, 5, 3)],
        [type_of("f4", 2, 5, 3), type_of(I32, 2, 3), type_of(I32, 2)], {},
    ),
    ("@lapack_zgeqrf_ffi", [matrices("c16", 2, 5, 3)], [type_of("c16", 2, 5, 3), type_of("c16", 2, 3)], {}),
    ("@lapack_dorgqr_ffi", [matrices("f8", 5, 3), matrices("f8", 3)], [type_of("f8", 5, 3)], {}),
    (
        "@lapack_sormqr_ffi", [matrices("f4", 5, 3), matrices("f4", 3), matrices("f4", 5, 2)], [type_of("f4", 5, 2)],
        {"left": True, "transpose": True},
    ),
    (
        "@lapack_cheevd_ffi", [matrices("c8", 2, 4, 4)], [type_of("c8", 2, 4, 4), type_of("f4", 2, 4), type_of(I32, 2)],
        {"mode": ord("V"), "uplo": ord("L")},
    ),
    (
        "@lapack_dsytrd_ffi", [matrices("f8", 4, 4)],
        [type_of("f8", 4, 4), type_of("f8", 4), type_of("f8", 3), type_of("f8", 3), type_of(I32)], {"uplo": ord("U")},
    ),
    *(
        (
            f"@lapack_{letter}gesdd_ffi", [with_nan(matrices(kind, 3, 5, 3))],
            [type_of(kind, 3, 5, 3), type_of(real, 3, 3), type_of(kind, 3, 5, u), type_of(kind, 3, 3, 3),
             type_of(I32, 3)],
            {"mode": ord(mode)},
        )
        for letter, kind, real, mode, u in (("s", "f4", "f4", "S", 3), ("z", "c16", "f8", "A", 5))
    ),
    (
        "@lu_pivots_to_permutation", [np.array([[2, 1, 2], [0, 9, -1]], np.int32)], [type_of(I32, 2, 4)],
        {"permutation_size": 4},
    ),
]  # fmt: skip


@pytest.mark.sampled(24, ci=6)
@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("name, operands, out, keywords", CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)])
def test_a_procedure_in_parts_computes_the_same(
    name: str, operands: list[np.ndarray], out: list[TensorType], keywords: dict[str, Any], tmp_path: Path
) -> None:
    known = [(x.dtype, x.shape) for x in operands]
    procedure = record_procedure(RULES[name].procedure, known, keywords | {"out": out})
    expect_same(procedure, operands, tmp_path)


@pytest.mark.usefixtures("large")
def test_what_the_libraries_lack_is_left_to_the_host() -> None:
    wide = [(np.dtype(np.float32), (3, 5))]
    out = [type_of("f4", 3, 5), type_of("f4", 3), type_of("f4", 3, 3), type_of("f4", 3, 5), type_of(I32)]
    procedure = record_procedure(RULES["@lapack_sgesdd_ffi"].procedure, wide, {"mode": ord("S"), "out": out})
    assert parts_of(procedure) is None
    path = BY_NAME["linear_algebra"].path
    without = emitted(path)
    assert set(without.lacking) == {"cublas", "cusolver"} and sum(isinstance(a, OnHost) for a in walk(without.actions))


@pytest.mark.usefixtures("large")
def test_linear_algebra_is_kernels_and_calls() -> None:
    executable = emitted(BY_NAME["linear_algebra"].path, LIBRARIES)
    names = {str(executable.products[a.product]).split()[0] for a in walk(executable.actions) if isinstance(a, Direct)}
    assert names == {"spotrf", "strsm", "sgetrf", "sgeqrf", "sorgqr", "ssyevd", "sgesdd"}
    hosts = [step for _, step in executable.hosts]
    assert [c.name for step in hosts if isinstance(step, Lapack) for c in step.procedure.calls] == ["sgeev"]
    kernels = {executable.kernels[a.kernel].name for a in walk(executable.actions) if isinstance(a, GraphLaunch)}
    assert {"assign", "clear", "finite"} <= {part for name in kernels for part in name.split("+")}
    pytest.importorskip("cuda.bindings.nvrtc", reason="hlo2tiny[cuda] is not installed")
    procedures = [kernel for kernel in executable.kernels if kernel.name in ("assign", "clear", "finite")]
    compile_all([text for text, _ in files(procedures)], "sm_90")


@pytest.mark.usefixtures("large")
def test_the_procedures_of_the_corpus_compute_the_same(tmp_path: Path) -> None:
    module = hlo2tiny.parse(BY_NAME["linear_algebra"].path)
    verify(module, {})
    with lowering_settings("CUDA"):
        plan = build(unwrap(module), products=True)
    steps = [step for block in plan.blocks() for step in block.steps if isinstance(step, Lapack)]
    checked = 0
    for number, step in enumerate(steps):
        if parts_of(step.procedure) is None:
            continue
        layouts = [(v.type.shape, v.type.element) for v in step.op.operands[: step.procedure.operands]]
        kinds = {"f32": "f4", "i32": "i4"}
        operands = [matrices(kinds[str(element)], *shape) for shape, element in layouts]
        folder = tmp_path / str(number)
        folder.mkdir()
        expect_same(step.procedure, operands, folder)
        checked += 1
    assert checked >= 6


def test_large_systems_are_solved_from_the_side_that_takes_less_time() -> None:
    """Cholesky decompositions read the lower triangle, and few columns are solved from the left, whatever their order
    in memory: matrices in the order of rows are transposed ones for NVIDIA's libraries."""
    import jax
    import jax.numpy as jnp

    def solve(a: jax.Array, y: jax.Array) -> list[jax.Array]:
        factor = jnp.linalg.cholesky(a)
        systems = jax.scipy.linalg.solve_triangular
        return [jax.scipy.linalg.cho_solve((factor, True), y[:, 0]), systems(factor, y, lower=True), systems(a.T, y)]

    given = jax.ShapeDtypeStruct((300, 300), np.float32), jax.ShapeDtypeStruct((300, 7), np.float32)
    executable = emitted(str(jax.export.export(jax.jit(solve))(*given).mlir_module()), LIBRARIES)
    calls = [product for product in executable.products if isinstance(product, SolverSpec)]
    assert {(call.name, call.arguments[0]) for call in calls} == {("spotrf", "L"), ("strsm", "L")}


class FakeLibrary:
    """Records the calls of cuSOLVER, which all succeed."""

    def __init__(self, *functions: str) -> None:
        self.functions, self.calls = functions, list[tuple[str, tuple[Any, ...]]]()

    def __getattr__(self, name: str) -> Any:
        if name not in self.functions:
            raise AttributeError(name)
        return lambda *arguments: self.calls.append((name, tuple(getattr(a, "value", a) for a in arguments)))


ONE_BY_ONE = ("cusolverDnCreateParams", "cusolverDnSetStream", "cublasSetStream_v2", "cusolverDnSsyevd",
              "cusolverDnSsyevd_bufferSize")  # fmt: skip
LISTED = ("cublasSgetrfBatched", "cublasDtrsmBatched", "cusolverDnCpotrfBatched")
TOGETHER = ("cusolverDnXsyevBatched", "cusolverDnXsyevBatched_bufferSize")


@pytest.mark.parametrize(
    "functions, step, together",
    [
        ((*ONE_BY_ONE, *TOGETHER), 4 * 80 * 80, True), (ONE_BY_ONE, 4 * 80 * 80, False),
        ((*ONE_BY_ONE, *TOGETHER), 4 * 81 * 80, False),
    ],
    ids=["together", "no function for it", "gaps"],
)  # fmt: skip
def test_eigenvalues_of_a_batch_are_one_call(functions: tuple[str, ...], step: int, together: bool) -> None:
    solver, library = Solver.__new__(Solver), FakeLibrary(*functions)
    solver.__dict__.update(
        _solver=library, _blas=library, _handle=1, _products=1, _parameters=2, _sizes={}, _host={},
        _call=lambda of, name, *arguments: getattr(of, name)(*arguments),
    )  # fmt: skip
    spec = SolverSpec("ssyevd", 3, ("V", "L", 80, (0, 0, step), 80, (1, 16, 4 * 80), (2, 0, 4)))
    solver.run(spec, [1000, 2000, 3000], 5000, 7, lambda *_: None)
    calls = [arguments for name, arguments in library.calls if name in ("cusolverDnXsyevBatched", "cusolverDnSsyevd")]
    assert len(calls) == (1 if together else 3)
    if together:
        assert calls[0][:11] == (1, 2, 1, 0, 80, 0, 1000, 80, 0, 2016, 0) and calls[0][-2:] == (3000, 3)


def listed(spec: SolverSpec, *functions: str) -> list[tuple[str, tuple[Any, ...]]]:
    """The calls of a library that has these functions, and the lists of addresses that are made before."""
    solver, library = Solver.__new__(Solver), FakeLibrary(*ONE_BY_ONE, *functions)
    solver.__dict__.update(
        _solver=library, _blas=library, _handle=1, _products=1, _parameters=2, _sizes={}, _host={},
        _call=lambda of, name, *arguments: getattr(of, name)(*arguments),
    )  # fmt: skip
    note = lambda name, *values: library.calls.append((name, tuple(v.value for v in values)))
    solver.run(spec, [1000, 2000, 3000, 4000], 1 << 20, 7, note)
    return [call for call in library.calls if "Stream" not in call[0]]


def test_large_matrices_of_a_batch_are_one_call() -> None:
    lists, n = (1 << 20) + 256, 300
    lu = SolverSpec("sgetrf", 3, (n, n, (0, 64, 4 * n * n), n, (1, 0, 4 * n), (2, 0, 4)))
    assert listed(lu, *LISTED) == [
        ("list_items", (lists, 1064, 4 * n * n, 3)), ("cublasSgetrfBatched", (1, n, lists, n, 2000, 3000, 3)),
    ]  # fmt: skip
    cholesky = SolverSpec("cpotrf", 3, ("L", n, (0, 0, 8 * n * n), n, (1, 0, 4)))
    assert listed(cholesky, *LISTED) == [
        ("list_items", (lists, 1000, 8 * n * n, 3)), ("cusolverDnCpotrfBatched", (1, 0, n, lists, n, 2000, 3)),
    ]  # fmt: skip
    solve = SolverSpec("dtrsm", 3, ("L", "U", "N", "U", n, 5, (3, 0, 0), (0, 0, 8 * n * n), n, (1, 0, 40 * n), n))
    assert listed(solve, *LISTED) == [
        ("list_items", (lists, 1000, 8 * n * n, 3)), ("list_items", (lists + 24, 2000, 40 * n, 3)),
        ("cublasDtrsmBatched", (1, 0, 1, 0, 1, n, 5, 4000, lists, n, lists + 24, n, 3)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "spec",
    [
        SolverSpec("sgetrf", 3, (300, 299, (0, 0, 4 * 300 * 299), 300, (1, 0, 4 * 299), (2, 0, 4))),
        SolverSpec("sgetrf", 3, (300, 300, (0, 0, 4 * 300 * 300), 300, (1, 0, 4 * 301), (2, 0, 4))),
        SolverSpec("sgetrf", 2, (300, 300, (0, 0, 4 * 300 * 300), 300, (1, 0, 4 * 300), (2, 0, 4))),
        SolverSpec("sgetrf", 1, (100, 100, (0, 0, 4 * 100 * 100), 100, (1, 0, 4 * 100), (2, 0, 4))),
    ],
    ids=["not square", "gaps", "few items", "one item"],
)
def test_others_are_called_one_by_one(spec: SolverSpec) -> None:
    solver, library = Solver.__new__(Solver), FakeLibrary(*ONE_BY_ONE, *LISTED)
    solver.__dict__.update(_solver=library, _blas=library)
    assert not solver._takes_list(spec)
