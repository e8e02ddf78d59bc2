"""The corpus in node and in Chromium, as WebAssembly and on WebGPU, against XLA's results."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from browsers import HAS_DENO, NO_DENO, answers, check, deno, job, needs_browser, written

from corpus import BY_NAME, ENTRIES, Entry
from hlo2tiny.commands.web import write_web

# f64, and LAPACK, which no browser has.
NOT_ON_WEBGPU = {"x64_math": "WebGPU has no f64", "linear_algebra": "WebAssembly"}
NOT_IN_BROWSERS = {"linear_algebra"}
# Loops of known and unknown length, a choice, an update in place, a scatter, a Fourier transform, a product, a sort.
SAMPLE = ["while_loop", "switch", "kv_cache_decode", "segment_sum", "fourier", "mnist_mlp_predict", "top_k", "x64_math"]
LARGEST_MODULE = 150_000


def run_all(entries: list[Entry], work: Path) -> None:
    jobs = []
    for entry in entries:
        folder = work / entry.name
        write_web(entry.path, folder)
        program = json.loads((folder / "program.json").read_text())
        for module in folder.glob("*.wasm"):
            assert module.stat().st_size <= LARGEST_MODULE, f"{module}: {module.stat().st_size:,} bytes"
        reason = NOT_ON_WEBGPU.get(entry.name)
        assert reason is None or reason in program["webgpu"]["refused"]
        assert reason is not None or "refused" not in program["webgpu"], program["webgpu"]["refused"]
        places = [("node", "wasm"), ("chromium", "wasm")]
        if reason is None:
            places += [("chromium", "webgpu"), *[("deno", "webgpu")] * HAS_DENO]
        jobs += [(entry, job(entry, folder, *place, work)) for place in places]
    jobs.sort(key=lambda pair: pair[1]["where"] == "deno")
    count = sum(each["where"] != "deno" for _, each in jobs)
    found = answers([each for _, each in jobs[:count]], work)
    found += answers([each for _, each in jobs[count:]], work, deno) if jobs[count:] else []
    for (entry, each), answer in zip(jobs, found, strict=True):
        check(entry, each, answer)
        assert answer["device"] == each["options"]["device"]
        threaded = each["where"] == "chromium" and answer["device"] == "wasm"
        assert (answer["threads"] > 1) == threaded, "pages of the tests are isolated, so that they may have threads"


@needs_browser
@pytest.mark.ci
def test_a_sample_gives_xlas_results(tmp_path: Path) -> None:
    run_all([BY_NAME[name] for name in SAMPLE], tmp_path)


@needs_browser
@pytest.mark.night
@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.name not in NOT_IN_BROWSERS], ids=lambda entry: entry.name)
def test_all_give_xlas_results(entry: Entry, tmp_path: Path) -> None:
    run_all([entry], tmp_path)


# Products of a batch, and the sizes m, n and k: rows of vectors, in tiles that they fill or do not, and other rows.
SHAPES = [(1, 16, 16, 16), (1, 17, 20, 64), (3, 100, 132, 36), (1, 130, 68, 20), (2, 256, 512, 32), (1, 33, 96, 4)]
SHAPES += [(1, 3, 64, 20), (2, 40, 30, 64), (1, 64, 66, 18)]
NARROW_SHAPES = [(1, 33, 96, 4), (3, 100, 132, 36), (2, 40, 30, 64)]
Shape = tuple[int, int, int, int]


def products(shapes: Sequence[Shape], types: Sequence[str], folder: Path) -> tuple[dict[str, Any], list[np.ndarray]]:
    """A job that computes products of all shapes and of some types, and the results."""
    arrays, lines, signature, expected = [], [], [], []
    for i, ((batch, m, n, k), type) in enumerate(itertools.product(shapes, types)):
        random = np.random.default_rng(i)
        pair = [random.standard_normal((batch, *s), np.float32).astype(DTYPES[type]) for s in ((m, k), (k, n))]
        a, b = (f"tensor<{batch}x{rows}x{columns}x{type}>" for rows, columns in ((m, k), (k, n)))
        c = f"tensor<{batch}x{m}x{n}xf32>"
        lines.append(
            f"  %{i} = stablehlo.dot_general %a{i}, %b{i}, batching_dims = [0] x [0], contracting_dims = [2] x [1]"
            f" : ({a}, {b}) -> {c}"
        )
        signature.append((f"%a{i}: {a}, %b{i}: {b}", c))
        arrays += pair
        expected.append(pair[0].astype(np.float64) @ pair[1].astype(np.float64))
    arguments, results = (", ".join(each) for each in zip(*signature))
    values = ", ".join(f"%{i}" for i in range(len(expected)))
    path, body = folder / "products.mlir", "\n".join(lines)
    path.write_text(f"func.func @main({arguments}) -> ({results}) {{\n{body}\n  return {values} : {results}\n}}")
    write_web(path, folder / "products")
    files = [str(folder / f"out{i}") for i in range(len(expected))]
    inputs = [written(array, folder / f"in{i}") for i, array in enumerate(arrays)]
    job = {"folder": str(folder / "products"), "options": {"device": "webgpu"}}
    return job | {"inputs": inputs, "results": files, "calls": 1}, expected


DTYPES = {"f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}


def check_products(job: dict[str, Any], expected: list[np.ndarray], answer: dict[str, Any]) -> None:
    assert "error" not in answer, answer["error"]
    for file, e in zip(job["results"], expected, strict=True):
        np.testing.assert_allclose(np.fromfile(file, np.float32).reshape(e.shape), e, rtol=0, atol=3e-5)


@pytest.mark.night
@needs_browser
def test_products_of_many_shapes(tmp_path: Path) -> None:
    job, expected = products(SHAPES, ["f32"], tmp_path)
    (answer,) = answers([job | {"where": "chromium"}], tmp_path)
    check_products(job, expected, answer)


@pytest.mark.ci
@needs_browser
def test_products_of_narrow_numbers(tmp_path: Path) -> None:
    """Where the adapter has shader-f16, shaders read f16 as such: the adapter of Mesa has it, that of Chromium not."""
    job, expected = products(NARROW_SHAPES, ["f16", "bf16"], tmp_path)
    (answer,) = answers([job | {"where": "chromium"}], tmp_path)
    check_products(job, expected, answer)
    assert answer["halves"] == 0
    if not HAS_DENO:
        pytest.skip(NO_DENO)
    (answer,) = answers([job | {"where": "deno"}], tmp_path, deno)
    check_products(job, expected, answer)
    assert answer["halves"] == len(NARROW_SHAPES)


def test_the_runtime_is_small() -> None:
    from hlo2tiny.targets.web.folder import runtime_file

    assert len(gzip.compress(runtime_file("hlo2tiny.js"))) <= 14_000
