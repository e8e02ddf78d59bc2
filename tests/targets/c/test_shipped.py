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
from hlo2tiny.targets.c.products import TYPES

NAMES = ("tile product", "threads", "sproduct")


def run(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[np.ndarray, ...]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_folder))
    code.thread_pool.cache_clear()
    code.addresses_of.cache_clear()
    code.tile_of.cache_clear()
    entry = BY_NAME["mnist_mlp_predict"]
    return hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs())


def test_the_package_has_the_products_of_all_types() -> None:
    ours = {f"{letter}product" for letter in TYPES}
    assert ours - {*shipped.LEVELS["avx2"].names} == set()


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


def test_selections_of_the_package_are_linked_into_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "compiled")
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    text = """func.func @main(%x: tensor<3x5000xf32>, %y: tensor<2x3000xui32>) -> (tensor<3x7xi32>, tensor<2x5xi32>) {
      %0, %1 = chlo.top_k(%x, k = 7) : tensor<3x5000xf32> -> (tensor<3x7xf32>, tensor<3x7xi32>)
      %2, %3 = chlo.top_k(%y, k = 5) : tensor<2x3000xui32> -> (tensor<2x5xui32>, tensor<2x5xi32>)
      return %1, %3 : tensor<3x7xi32>, tensor<2x5xi32>
    }"""
    draw = np.random.default_rng(5)
    x, y = draw.normal(size=(3, 5000)).astype(np.float32), draw.integers(0, 2**32, (2, 3000), np.uint32)
    expected = [np.argsort(-a.astype(np.float64), kind="stable")[:, :k] for a, k in ((x, 7), (y, 5))]
    features = set(cache.machine_identity().split())
    names = ("largest_float", "largest_unsigned")
    levels = {key: level._replace(names=names) for key, level in shipped.LEVELS.items() if level.features <= features}
    compiled = []
    monkeypatch.setattr(
        linking, "run", lambda command, text="", real=linking.run: compiled.append(text) or real(command, text)
    )
    for is_shipped in (False, True):
        if is_shipped:
            monkeypatch.setattr(shipped, "LEVELS", dict(list(levels.items())[:1]))
            compile_all()
        compiled.clear()
        for found, indices in zip(hlo2tiny.load(text, device="CPU").numpy(x, y), expected, strict=True):
            np.testing.assert_array_equal(found, indices)
        assert any("#define LARGEST_OF\n" in text for text in compiled) != (is_shipped and bool(levels))


def test_code_of_another_source_or_processor_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    for key in (levels := {key: level for key, level in shipped.LEVELS.items() if "pproduct" in level.names}):
        shipped.place("pproduct", key).write_text(key, encoding="utf-8")
    for key, level in levels.items():
        monkeypatch.setattr(cache, "machine_identity", lambda level=level: "flags : " + " ".join(level.features))
        assert shipped.find("pproduct") == key.encode()
        assert shipped.find("zproduct") is None
    monkeypatch.setattr(cache, "machine_identity", lambda: "flags : avx2")
    assert shipped.find("pproduct") is None
    monkeypatch.setattr(cache, "machine_identity", lambda: " ".join(shipped.LEVELS["amx"].features))
    monkeypatch.setattr(cache, "source_identity", lambda: "another source")
    assert shipped.find("pproduct") is None
