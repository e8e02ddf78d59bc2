"""The demonstrations of docs/demo, built and used in Chromium on both devices."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from browsers import needs_browser, node

MAKE = Path(__file__).parents[3] / "docs" / "demo" / "make.py"


@pytest.fixture(scope="module")
def make() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_demo", MAKE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def use(name: str, folder: Path) -> list[dict[str, Any]]:
    """What was found on a page, as WebAssembly and on WebGPU."""
    (found,) = node("demo.mjs", name, folder, os.environ.get("HLO2TINY_ARTIFACTS", folder))
    assert not any(each["errors"] for each in found)
    return list(found)


@needs_browser
@pytest.mark.ci
def test_text_is_written_and_the_cache_stays_on_the_gpu(make: ModuleType, tmp_path: Path) -> None:
    make.make_text(tmp_path / "text", steps=10)
    wasm, webgpu = use("text", tmp_path)
    assert wasm["text"] == webgpu["text"] and wasm["text"].startswith("A kernel is ")
    assert len({*wasm["text"]}) > 15
    assert wasm["status"].startswith("WebAssembly, ") and webgpu["status"].startswith("WebGPU, ")
    # A number for each character leaves the GPU, and never the cache of 262,144 bytes.
    assert not wasm["read"] and len(webgpu["read"]) >= 40 and {*webgpu["read"]} == {4}


@needs_browser
@pytest.mark.night
def test_digits_are_learnt(make: ModuleType, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, 600)
    # Ten pictures, in place of scikit-learn's digits, with noise.
    images = np.clip(rng.integers(0, 2, (10, 64))[labels] * 12 + rng.normal(2, 1, (600, 64)), 0, 16)
    make.make_digits(tmp_path / "digits", (images, labels))
    for name, found in zip(("WebAssembly", "WebGPU"), use("digits", tmp_path), strict=True):
        assert found["status"] == name
        assert np.mean(found["losses"][-5:]) < 0.5 * found["losses"][0]
        assert found["rights"][-1][1] > 0.5
