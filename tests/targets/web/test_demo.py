"""The demonstrations of docs/demo, built and used in Chromium on both devices."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import digits
import numpy as np
import pytest
from browsers import needs_browser, node


def use(name: str, folder: Path) -> list[dict[str, Any]]:
    """What was found on a page, as WebAssembly and on WebGPU."""
    (found,) = node("demo.mjs", name, folder, os.environ.get("HLO2TINY_ARTIFACTS", folder))
    assert not any(each["errors"] for each in found)
    return list(found)


@needs_browser
@pytest.mark.ci
def test_text_is_written_and_the_cache_stays_on_the_gpu(tmp_path: Path) -> None:
    digits.make.make_text(tmp_path / "text", steps=10)
    wasm, webgpu = use("text", tmp_path)
    assert wasm["text"] == webgpu["text"] and wasm["text"].startswith("A kernel is ")
    assert len({*wasm["text"]}) > 15
    assert wasm["status"].startswith("WebAssembly, ") and webgpu["status"].startswith("WebGPU, ")
    # A number for each character leaves the GPU, and never the cache of 262,144 bytes.
    assert not wasm["read"] and len(webgpu["read"]) >= 40 and {*webgpu["read"]} == {4}


class PageOfDigits:
    """The numbers that the page draws with the generator of demo.mjs, and what it makes of them."""

    held_out = 297

    def __init__(self, images: np.ndarray, labels: np.ndarray) -> None:
        self.pixels, self.labels = (np.uint8(images) / 16).astype(np.float32), np.uint8(labels).astype(np.int32)
        self.count, self.seed = len(labels) - self.held_out, 1

    def random(self) -> float:
        self.seed = self.seed * 48271 % 2147483647
        return self.seed / 2147483647

    def batches(self, count: int) -> Iterator[digits.Batch]:
        for _ in range(count):
            x, y = np.zeros((digits.make.BATCH, 8, 8), np.float32), np.zeros(digits.make.BATCH, np.int32)
            for i in range(len(y)):
                n, dx, dy = int(self.random() * self.count), *(int(self.random() * 3) - 1 for _ in "xy")
                y[i], padded = self.labels[n], np.pad(self.pixels[n].reshape(8, 8), 1)
                x[i] = padded[1 + dy : 9 + dy, 1 + dx : 9 + dx]
            yield x.reshape(-1, 64), y

    def share_right(self, params: Any) -> float:
        chosen = self.count + np.arange(100) * self.held_out // 100
        return digits.share_right(params, self.pixels[chosen], self.labels[chosen])


@needs_browser
@pytest.mark.night
def test_digits_are_learnt_as_fast_as_by_jax(tmp_path: Path) -> None:
    images, labels = digits.pictures()
    digits.make.make_digits(tmp_path / "digits", (images, labels))
    page = PageOfDigits(images, labels)
    params = digits.make.new_params(int(page.random() * 1e6))
    trained, losses = digits.train_with_jax(params, page.batches(50), 0.003)
    jaxs = page.share_right(trained)
    assert jaxs > 0.5
    for name, found in zip(("WebAssembly", "WebGPU"), use("digits", tmp_path), strict=True):
        assert found["status"] == name
        np.testing.assert_allclose(found["losses"][:10], losses[:10], rtol=1e-3)
        assert found["losses"][49] < 1.1 * losses[49] + 0.01
        steps, share = found["rights"][0]
        assert steps == 50 and share >= jaxs - 0.02
