"""The programs that tests/gpu.py runs on two GPUs: their texts are lowered here, where jax is, and run on the CPU."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.ir.entry import entry_function

PATH = Path(__file__).parent / "on_two" / "__main__.py"


def load_module() -> Any:
    spec = importlib.util.spec_from_file_location("on_two", PATH)
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


on_two = load_module()
NAMES = list(on_two.programs())
SLOW = {"resnet step": pytest.mark.night}  # a minute of compiling


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("small")
    subprocess.run([sys.executable, PATH, "small", found], check=True)
    return found


@pytest.mark.ci
@pytest.mark.parametrize("name", [pytest.param(n, marks=SLOW.get(n, ())) for n in NAMES])
def test_small_ones_give_xlas_numbers(folder: Path, name: str) -> None:
    program = on_two.programs(on_two.SMALL)[name]
    with np.load(folder / f"{name}.npz") as archive:
        expected = [archive[key] for key in archive]
    for count, device in ((1, "CPU"), (2, ("CPU:0", "CPU:1"))):
        if name in ("pipeline", "resnet step") and count == 1:  # one stage of the two; norms over all images
            continue
        found = hlo2tiny.load(on_two.text_path(name, count, folder), device).numpy_one_by_one(program.arrays())
        for a, b in zip(found, expected, strict=True):
            limit = 0.03 if "bfloat16" in program.dtypes[:1] else 1e-4
            assert np.max(np.abs(a.astype(np.float32) - b)) <= limit * np.max(np.abs(b))


@pytest.mark.ci
@pytest.mark.parametrize("name", NAMES)
def test_the_kept_texts_are_of_these_programs(folder: Path, name: str) -> None:
    """Apart from sizes, what jax lowers now has the same arguments and results; `python tests/on_two` writes it."""
    for count in (1, 2):
        kept, small = (
            entry_function(hlo2tiny.parse(path)).type
            for path in (on_two.text_path(name, count), on_two.text_path(name, count, folder))
        )
        for made, types in ((on_two.programs()[name], kept), (on_two.programs(on_two.SMALL)[name], small)):
            shapes = made.shapes if count > 1 else made.shapes_alone
            assert [t.shape for t in types.inputs] == [*shapes]  # type: ignore[union-attr]
        assert [t.element for t in kept.inputs] == [t.element for t in small.inputs]  # type: ignore[union-attr]
        assert len(kept.results) == len(small.results)
        hlo2tiny.load(on_two.text_path(name, count), "CPU" if count == 1 else ("CPU:0", "CPU:1"))


def test_the_kept_cases_give_xlas_numbers() -> None:
    cases = on_two.cases()
    assert len(cases) == len(on_two.STEPS)
    for text, x, expected in cases:
        (found,) = hlo2tiny.load(text, ("CPU:0", "CPU:1")).numpy_one_by_one([x])
        np.testing.assert_allclose(found, expected, rtol=1e-6)
