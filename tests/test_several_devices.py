"""Programs for several devices, next to XLA on as many devices of the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hlo2tiny
from tests.several import Reference

MESHES = [
    [["x", 2]],
    [["x", 4]],
    [["x", 8]],
    [["x", 2], ["y", 2]],
    [["x", 2], ["y", 4]],
    [["x", 2], ["y", 2], ["z", 2]],
]
COLLECTIVES = "psum pmax all_gather psum_scatter all_to_all ppermute axis_index while".split()


def devices(count: int) -> tuple[str, ...]:
    return tuple(f"CPU:{i}" for i in range(count))


@pytest.fixture(scope="module")
def xla() -> Iterator[Reference]:
    process = Reference()
    yield process
    process.close()


@st.composite
def requests(draw: Any) -> dict[str, Any]:
    mesh = draw(st.sampled_from(MESHES))
    names = [name for name, _ in mesh]
    sizes = dict(mesh)
    order = draw(st.permutations(names))
    cut = draw(st.integers(0, len(names)))
    first = draw(st.integers(0, cut))
    spec = [order[:first], order[first:cut]]
    shape = [int(np.prod([sizes[a] for a in axes])) * draw(st.integers(1, 3)) for axes in spec]
    dtype = draw(st.sampled_from(["int32", "float32"]))
    steps = []
    for _ in range(draw(st.integers(1, 3))):
        axes = draw(st.permutations(names))[: draw(st.integers(1, len(names)))]
        count = int(np.prod([sizes[a] for a in axes]))
        step = {"name": draw(st.sampled_from(COLLECTIVES)), "axes": axes, "dimension": draw(st.integers(0, 1))}
        steps.append(step | {"seed": draw(st.integers(0, 99)), "kept": draw(st.integers(0, count))})
    request = {"mesh": mesh, "spec": spec, "out": spec, "shape": shape, "dtype": dtype, "steps": steps}
    return request | {"seed": draw(st.integers(0, 99)), "declared": draw(st.booleans()), "around": draw(st.booleans())}


def expect_xlas_results(xla: Reference, folder: Path, request: dict[str, Any]) -> hlo2tiny.Program:
    text, arrays, expected = xla.ask(request, folder / "case.npz")
    count = int(np.prod([size for _, size in request["mesh"]]))
    program = hlo2tiny.load(text, device=devices(count))
    found = program.numpy(*arrays)
    for ours, theirs in zip(found, expected):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-4, err_msg=text)
    for ours, again in zip(found, program.numpy(*arrays)):
        assert ours.tobytes() == again.tobytes()
    return program


def step(name: str, *axes: str, dimension: int = 0) -> dict[str, Any]:
    return {"name": name, "axes": axes, "dimension": dimension, "seed": 1, "kept": 3}


def request_of(mesh: list[list[Any]], spec: list[list[str]], *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    request = {"mesh": mesh, "spec": spec, "out": spec, "shape": [8, 8], "dtype": "int32", "seed": 3}
    return request | {"steps": list(steps)} | more


ALL = [step(name, "x", dimension=i % 2) for i, name in enumerate(COLLECTIVES)]
EXAMPLES = {
    "two": request_of([["x", 2]], [["x"], []], *ALL),
    "four": request_of([["x", 4]], [["x"], []], *ALL),
    "eight": request_of([["x", 8]], [[], ["x"]], *ALL),
    "two axes": request_of([["x", 2], ["y", 4]], [["y"], ["x"]], *[step(n, "y", "x") for n in COLLECTIVES]),
    "one axis of two": request_of([["x", 2], ["y", 4]], [["x"], []], *ALL, manual=["x"]),
    "nested": request_of([["x", 2], ["y", 2]], [["x"], []], step("psum", "y"), manual=["x"], nested="y"),
    "arithmetic around": request_of([["x", 2], ["y", 2]], [["x"], ["y"]], *ALL[:2], declared=True, around=True),
    # Large enough for a sum in parts.
    "large": request_of([["x", 4]], [["x"], []], *ALL[:4], shape=[256, 257], dtype="float32"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_collectives_give_xlas_results(name: str, xla: Reference, tmp_path: Path) -> None:
    expect_xlas_results(xla, tmp_path, EXAMPLES[name])


DRAWN = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture], "derandomize": True}


@settings(max_examples=12, **DRAWN)  # type: ignore[arg-type]
@given(requests())
def test_drawn_programs_give_xlas_results(xla: Reference, tmp_path: Path, request: dict[str, Any]) -> None:
    expect_xlas_results(xla, tmp_path, request)


@pytest.mark.night
@pytest.mark.timeout(1800)
@settings(max_examples=150, **{**DRAWN, "derandomize": False})  # type: ignore[arg-type]
@given(requests())
def test_many_drawn_programs_give_xlas_results(xla: Reference, tmp_path: Path, request: dict[str, Any]) -> None:
    expect_xlas_results(xla, tmp_path, request)
