"""Exports that JAX keeps to test that old files still run: for CPU, CUDA, ROCm and TPU, with inputs and results.

They come with jax itself, `jax._src.internal_test_util.export_back_compat_test_data`, one dictionary for each export.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from typing import Any

import numpy as np
import pytest
from jax._src.internal_test_util import export_back_compat_test_data as DATA  # noqa: N812

import hlo2tiny
from hlo2tiny.rules import RULES
from hlo2tiny.specialise.dynamic import DYNAMIC
from hlo2tiny.verify.refused import REFUSED


def exports() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each export by the names of its module and of what leads to it there."""
    for module in pkgutil.walk_packages(DATA.__path__, f"{DATA.__name__}."):
        name = module.name.removeprefix(f"{DATA.__name__}.")
        for variable, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, dict) and not variable.startswith("__"):
                yield from inside(value, f"{name}:{variable}")


def inside(value: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if "mlir_module_text" in value:
        yield name, value
        return
    for key, inner in value.items():
        yield from inside(inner, f"{name}.{key}")


EXPORTS = dict(exports())

# ---------------------------------------------------------------- what results must satisfy

Arrays = list[np.ndarray]


def expect_close(got: np.ndarray, expected: Any) -> None:
    """Equal within some units of the last place of the largest number. What a TPU gave is the least precise."""
    assert got.shape == np.shape(expected)
    largest = 1 + np.abs(np.asarray(expected)[np.isfinite(expected)]).max(initial=0)
    np.testing.assert_allclose(got, expected, 0, 150 * np.finfo(got.dtype).eps * largest)


def adjoint(x: np.ndarray) -> np.ndarray:
    return np.conj(x.swapaxes(-1, -2))


def expect_orthonormal(q: np.ndarray) -> None:
    expect_close(adjoint(q) @ q, np.broadcast_to(np.eye(q.shape[-1]), (*q.shape[:-2], *2 * q.shape[-1:])))


def equal(inputs: Arrays, results: Arrays, expected: Arrays) -> None:
    for got, wanted in zip(results, expected, strict=True):
        if got.dtype.kind in "fc":
            expect_close(got, wanted)
        else:
            np.testing.assert_array_equal(got, wanted)


def of_one_type(inputs: Arrays, results: Arrays, expected: Arrays) -> None:
    """Only this is checked in `equal_types` below: the numbers depend on an order that no one promises."""


def hermitian(inputs: Arrays, results: Arrays, expected: Arrays) -> None:
    """Some eigenvalues are zero many times over: the vectors have to make the same matrix."""
    (v, w), (v2, w2) = results, expected
    expect_close(np.sort(w), np.sort(w2))
    expect_orthonormal(v)
    expect_close(v * w @ adjoint(v), v2 * w2 @ adjoint(v2))


def eigenvectors(inputs: Arrays, results: Arrays, expected: Arrays) -> None:
    """Two eigenvalues are zero, and any basis of their space will do: the matrix is that of JAX's test."""
    w, left, right = results
    a = np.arange(16).reshape(4, 4).astype(w.real.dtype)
    expect_close(np.sort(np.abs(w)), np.sort(np.abs(expected[0])))
    expect_close(a @ right, right * w)
    expect_close(adjoint(left) @ a, (w[:, None] * adjoint(left)))
    for vectors in (left, right):
        expect_close(np.linalg.norm(vectors, axis=0), np.ones(4))


def schur(inputs: Arrays, results: Arrays, expected: Arrays) -> None:
    """Unique up to the vectors' phases, and on the diagonal up to its order."""
    (a,), (form, vectors) = inputs, results
    expect_orthonormal(vectors)
    expect_close(vectors @ form @ adjoint(vectors), a)
    assert not np.tril(form, -1 if form.dtype.kind == "c" else -2).any()
    expect_close(np.sort(np.abs(np.diag(form))), np.sort(np.abs(np.diag(expected[0]))))


def singular(inputs: Arrays, results: Arrays, expected: Arrays) -> None:
    """Two of four singular values are zero: the vectors have to make the given matrix."""
    (a,), (u, s, vt) = inputs, results
    expect_close(s, expected[1])
    expect_orthonormal(u)
    expect_orthonormal(adjoint(vt))
    expect_close(u * s[..., None, :] @ vt, a)


# Results that are one of many right ones, by the export's name; all others must be equal.
CHECKS: dict[str, Callable[[Arrays, Arrays, Arrays], None]] = {
    "*_eig_*": eigenvectors,
    "*_eigh_*": hermitian,
    "tpu_Eigh*": hermitian,
    "cpu_schur_*": schur,
    "*_svd_*": singular,
    # It subtracts, so the result depends on the order in which a window is reduced; that is free (specification,
    # reduce_window).
    "tpu_stablehlo_dynamic_reduce_window:data_variadic*": of_one_type,
}
# What is refused, and words of the error.
REFUSALS = {
    "pallas.mosaic_gpu_*": "Pallas kernel.*compiled for NVIDIA GPUs",
    "pallas.mosaic_*": "Pallas kernel.*compiled for",
    "pallas.triton_*": "Pallas kernel.*in Triton's IR",
    "shardy_sharding_ops_with_different_meshes*": "written for 2 devices",
    "tpu_Sharding:*.gspmd": "cuts or joins shards",
    "tpu_Sharding:*.shardy": "written for 2 devices",
}


def entry_of(table: dict[str, Any], name: str) -> Any:
    return next((value for pattern, value in table.items() if fnmatch(name, pattern)), None)


@pytest.mark.sampled(6, ci=2)
@pytest.mark.parametrize("name", EXPORTS)
def test_export(name: str) -> None:
    export = EXPORTS[name]
    if words := entry_of(REFUSALS, name):
        with pytest.raises(hlo2tiny.UnsupportedOp, match=f"(?s){words}") as raised:
            hlo2tiny.load(export["mlir_module_text"], "CPU").compile()
        assert raised.value.line
        if "arding" in name:
            inputs, (expected,) = export["inputs"], export["expected_outputs"]
            (result,) = hlo2tiny.load(export["mlir_module_text"], ("CPU:0", "CPU:1")).numpy(*map(np.asarray, inputs))
            np.testing.assert_array_equal(result, np.asarray(expected))
        return
    expect_right(name, list(hlo2tiny.load(export["mlir_module_text"], "CPU").numpy(*arrays(export)[0])))


def arrays(export: dict[str, Any]) -> tuple[Arrays, Arrays]:
    """An export's arguments and results."""
    inputs, expected = (list(map(np.asarray, export[key])) for key in ("inputs", "expected_outputs"))
    return inputs, expected


def expect_right(name: str, results: Arrays) -> None:
    inputs, expected = arrays(EXPORTS[name])
    assert [(r.shape, r.dtype) for r in results] == [(e.shape, e.dtype) for e in expected]
    (entry_of(CHECKS, name) or equal)(inputs, results, expected)


def test_tables_have_no_rest() -> None:
    """Each line of the tables is about an export of this jax, and all platforms are there."""
    for pattern in (*CHECKS, *REFUSALS):
        assert any(fnmatch(name, pattern) for name in EXPORTS), pattern
    assert {"cpu", "cuda", "rocm", "tpu"} <= {export["platform"] for export in EXPORTS.values()}


def test_targets_that_jax_keeps() -> None:
    """Each custom call that JAX promises to keep, and all of its LAPACK, has a rule or is refused with the reason."""
    kept = importlib.import_module("jax._src.export._export")._CUSTOM_CALL_TARGETS_GUARANTEED_STABLE
    lapack = importlib.import_module("jaxlib.cpu._lapack").registrations()
    targets = {f"@{target}" for target in (*kept, *lapack)}
    assert len(targets) > 90
    missing = [t for t in targets if t not in RULES and t not in DYNAMIC and not entry_of(REFUSED, t)]
    assert missing == []


# ---------------------------------------------------------------- files that lie

CUSTOM_CALL = re.compile(r"stablehlo\.custom_call @\w+")
PLACES = re.compile(r"(?<=tensor<)\d+(?=x)|(?<=x)\d+(?=x)|(?<=x)(?:f32|f64|i32)(?=>)|\d+(?= : ui8)|true|false")
LINALG = [name for name, export in EXPORTS.items() if re.search("lapack|solver|sparse|blas", str(export))]


def changed(text: str, rng: np.random.Generator) -> str:
    """One size, type or flag of a custom call's line changed; everywhere in the file if it is a size or type."""
    lines = [line for line in text.splitlines() if CUSTOM_CALL.search(line)]
    line = lines[rng.integers(len(lines))]
    places = list(PLACES.finditer(line))
    found = places[rng.integers(len(places))]
    others = [w for w in ("0", "1", "3", "5", "40", "f32", "f64", "i32", "true", "false") if kind(w) == kind(found[0])]
    word = str(rng.choice([w for w in others if w != found[0]]))
    if rng.integers(2) and kind(word) in ("size", "type"):
        return re.sub(rf"(?<=[x<]){found[0]}(?=[x>])", word, text)
    return text.replace(line, line[: found.start()] + word + line[found.end() :])


def kind(word: str) -> str:
    return "size" if word.isdigit() else "type" if word[-1].isdigit() else "flag"


@pytest.mark.sampled(8, ci=4)
@pytest.mark.parametrize("name", LINALG)
def test_changed_export(name: str) -> None:
    """A file may ask for anything: it runs, or is refused with a reason."""
    rng = np.random.default_rng(sum(name.encode()))
    for _ in range(2):
        text = changed(EXPORTS[name]["mlir_module_text"], rng)
        try:
            program = hlo2tiny.load(text, "CPU")
            shapes = [[d or 0 for d in argument.shape] for argument in program.inputs]
            program.numpy(*(rng.random(s).astype(a.dtype) for s, a in zip(shapes, program.inputs)))
        except hlo2tiny.Error as error:
            assert error.message
