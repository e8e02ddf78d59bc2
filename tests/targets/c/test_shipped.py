"""Code that the package may come with: it computes the same as what this machine compiles, and is found for it only."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.machine import cache
from hlo2tiny.targets.c import code, linking, shipped
from hlo2tiny.targets.c.__main__ import compile_all

NAMES = ("tile product", "threads", "sproduct")


def run(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[np.ndarray, ...]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_folder))
    code.thread_pool.cache_clear()
    code.addresses_of.cache_clear()
    code.tile_of.cache_clear()
    entry = BY_NAME["mnist_mlp_predict"]
    return hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs())


def test_shipped_code_computes_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "compiled")
    features = set(cache.machine_identity().split())
    levels = {key: level for key, level in shipped.LEVELS.items() if level.features <= features}
    expected = run(tmp_path / "own", monkeypatch)
    used = []
    monkeypatch.setattr(
        linking, "run", lambda command, text="", real=linking.run: used.append(text) or real(command, text)
    )
    monkeypatch.setattr(
        shipped, "LEVELS", {key: level._replace(names=NAMES) for key, level in list(levels.items())[:1]}
    )
    compile_all()
    assert all(map(shipped.find, NAMES)) == bool(shipped.LEVELS)
    used.clear()
    found = run(tmp_path / "shipped", monkeypatch)
    assert any("sproduct" in text and "UNIT 1" in text for text in used) != bool(shipped.LEVELS)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


def test_code_of_another_source_or_processor_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    for key in (levels := {key: level for key, level in shipped.LEVELS.items() if "pproduct" in level.names}):
        shipped.place("pproduct", key).write_text(key, encoding="utf-8")
    for key, level in levels.items():
        monkeypatch.setattr(cache, "machine_identity", lambda level=level: "flags : " + " ".join(level.features))
        assert shipped.find("pproduct") == key.encode()
        assert shipped.find("grid") is None
    monkeypatch.setattr(cache, "machine_identity", lambda: "flags : avx2")
    assert shipped.find("pproduct") is None
    monkeypatch.setattr(cache, "machine_identity", lambda: " ".join(shipped.LEVELS["amx"].features))
    monkeypatch.setattr(cache, "source_identity", lambda: "another source")
    assert shipped.find("pproduct") is None
