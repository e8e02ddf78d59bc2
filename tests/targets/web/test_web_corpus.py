"""The corpus in node and in Chromium, as WebAssembly and on WebGPU, against XLA's results."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from browsers import answers, check, job, needs_browser

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
        places = [("node", "wasm"), ("chromium", "wasm"), *[("chromium", "webgpu")] * (reason is None)]
        jobs += [(entry, job(entry, folder, *place, work)) for place in places]
    for (entry, each), answer in zip(jobs, answers([each for _, each in jobs], work), strict=True):
        check(entry, each, answer)
        assert answer["device"] == each["options"]["device"]
        threaded = each["where"] == "chromium" and answer["device"] == "wasm"
        assert (answer["threads"] > 1) == threaded, "pages of the tests are isolated, so that they may have threads"


@needs_browser
@pytest.mark.slow
def test_a_sample_gives_xlas_results(tmp_path: Path) -> None:
    run_all([BY_NAME[name] for name in SAMPLE], tmp_path)


@needs_browser
@pytest.mark.night
@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.name not in NOT_IN_BROWSERS], ids=lambda entry: entry.name)
def test_all_give_xlas_results(entry: Entry, tmp_path: Path) -> None:
    run_all([entry], tmp_path)


def test_the_runtime_is_small() -> None:
    from hlo2tiny.targets.web.folder import runtime_file

    assert len(gzip.compress(runtime_file("hlo2tiny.js", "x"))) <= 12_000
