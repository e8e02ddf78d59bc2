"""One page for all sizes of open dimensions: called for several of them, and compared with Python."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from browsers import needs_browser, node, written
from targets.c.test_open_sizes import BATCHES, begin, convolutional, decode, decoder_weights, moved, shaped
from targets.c.test_sizes import exported, floats, mlp

import hlo2tiny
from hlo2tiny.cli import main
from hlo2tiny.commands import web
from hlo2tiny.commands.planning import plan_program
from hlo2tiny.commands.web import Opening, write_web
from hlo2tiny.program.compiled import Compiled
from hlo2tiny.program.model import Model
from hlo2tiny.specialise.dynamic import Checked
from hlo2tiny.targets.c.folder import program_text
from hlo2tiny.targets.web import wasm

Call = Sequence[np.ndarray]


def answers(model: Path, work: Path, calls: Sequence[Call], device: str = "wasm", where: str = "node") -> Any:
    """What sizes.mjs says of a program and these calls, whose results it writes."""
    counts = len(hlo2tiny.load(model, device="CPU").outputs)
    runs = []
    for n, arrays in enumerate(calls):
        files = [written(a, work / f"in{n}.{i}") for i, a in enumerate(arrays)]
        inputs = [[str(a.dtype), a.shape, file] for a, file in zip(arrays, files, strict=True)]
        runs.append({"inputs": inputs, "results": [str(work / f"out{n}.{i}") for i in range(counts)]})
    jobs = [{"folder": str(work / "web"), "options": {"device": device}, "where": where, "runs": runs}]
    (work / "jobs.json").write_text(json.dumps(jobs))
    (answer,) = node("sizes.mjs", work / "jobs.json")
    return answer


def expect_same(model: Path, work: Path, calls: Sequence[Call], device: str = "wasm", where: str = "node") -> Any:
    """The numbers of Python's programs for these sizes."""
    answer = answers(model, work, calls, device, where)
    for n, (arrays, found) in enumerate(zip(calls, answer["answers"], strict=True)):
        assert "error" not in found, found["error"]
        expected = hlo2tiny.load(model, device="CPU").numpy(*arrays)
        expected = [*expected] if isinstance(expected, list | tuple) else [expected]
        assert [tuple(shape) for shape in found["shapes"]] == [e.shape for e in expected]
        for i, e in enumerate(expected):
            result = np.fromfile(work / f"out{n}.{i}", e.dtype).reshape(e.shape)
            np.testing.assert_allclose(result, e, rtol=1e-5, atol=1e-5)
    return answer


@needs_browser
def test_a_batch(tmp_path: Path) -> None:
    model = mlp(tmp_path)
    assert main(["compile", str(model), "-o", str(tmp_path / "web"), "--target", "web", "--most", "b=300"]) == 0
    calls = [(floats(b, 784),) for b in (*BATCHES, 2)]
    answer = expect_same(model, tmp_path, calls)
    assert answer["sizes"] == [{"name": "b", "most": 300}] and answer["inputs"][0]["shape"] == ["b", 784]
    assert expect_same(model, tmp_path, calls, where="chromium")["threads"] > 1
    again = expect_same(model, tmp_path, [*calls, calls[0]], "webgpu", "chromium")
    assert [found["pipelines"] for found in again["answers"]] == [3] * len(calls) + [0]


@pytest.mark.ci
@pytest.mark.skipif(not shutil.which("node"), reason="no node")
def test_code_of_its_own_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this page, the code for all sizes is replaced by some that stops."""
    function = lambda w, x: (jnp.tanh(x.reshape(-1, 4) @ w).reshape(x.shape), x.sum(1))
    model = exported(tmp_path, function, floats(4, 4), "b, t, 4", weights="external")

    def text(*given: Any) -> str:
        head, begin, rest = program_text(*given).rpartition("  long second = time(0);")
        return f"{head}  return 1;\n{begin}{rest}"

    monkeypatch.setattr(wasm, "program_text", text)
    monkeypatch.setattr(wasm, "VARIANTS", {n: o for n, o in wasm.VARIANTS.items() if "threads" not in n})
    write_web(model, tmp_path / "web", opening=Opening(["b=1,3"], {"t": 300}))
    expect_same(model, tmp_path, [(floats(b, t, 4),) for b, t in ((1, 1), (3, 300), (1, 7))])
    (found,) = answers(model, tmp_path, [(floats(2, 7, 4),)])["answers"]
    assert found["error"] == "ModelError: the program failed: the program stopped"


@needs_browser
def test_sizes_with_code_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, web = mlp(tmp_path), tmp_path / "web"
    command = ["compile", str(model), "-o", str(web), "--target", "web"]
    assert main([*command, "--shape", "b=1,64", "--most", "b=300"]) == 0
    calls = [(floats(b, 784),) for b in (1, 7, 64, 300, 64)]
    assert expect_same(model, tmp_path, calls)["sizes"] == [{"name": "b", "most": 300}]
    assert expect_same(model, tmp_path, calls, where="chromium")["threads"] > 1
    found = expect_same(model, tmp_path, calls, "webgpu", "chromium")
    assert [each["pipelines"] for each in found["answers"]] == [3, 3, 3, 3, 0]
    kept = (web / "program.json").read_bytes()
    assert main([*command, "--shape", "b=1,301", "--most", "b=300"]) == 1
    assert "--shape b=301: expected a size from 1 to 300, its --most\n" in capsys.readouterr().err
    assert (web / "program.json").read_bytes() == kept


@needs_browser
@pytest.mark.night
def test_one_token_and_many_at_any_length(tmp_path: Path) -> None:
    scope = jax.export.SymbolicScope(["t <= s"])
    cache = shaped("2, 1, s, 4, 16", scope)
    types = shaped("1, t, 64", scope), jax.ShapeDtypeStruct((), jnp.int32), cache, cache
    model = exported(tmp_path, decode, decoder_weights(), *types, weights="external")
    write_web(model, tmp_path / "web", opening=Opening(["t=1,8"], {"s": 300}))

    def call(t: int, s: int) -> Call:
        caches = floats(2, 1, s, 4, 16), floats(2, 1, s, 4, 16)
        return floats(1, t, 64), np.array((s - t) // 2, np.int32), *caches

    calls = [call(*each) for each in ((1, 1), (8, 300), (1, 300), (7, 40), (8, 8))]
    expect_same(model, tmp_path, calls)
    (found,) = answers(model, tmp_path, [call(8, 7)])["answers"]
    assert found["error"].startswith("ModelError: the arguments' shapes do not match the export: ")


@needs_browser
def test_what_a_call_has_to_pass(tmp_path: Path) -> None:
    model = exported(tmp_path, lambda x, y: (jnp.tanh(x) + 1, y + x.sum()), "b, 2*t", "t, b")
    write_web(model, tmp_path / "web")
    calls = [
        *((floats(b, 2 * t), floats(t, b)) for b, t in ((1, 1), (7, 300), (64, 2))),
        (floats(3, 4), floats(2, 4)),
        (floats(3, 5), floats(2, 3)),
        (floats(3, 0), floats(0, 3)),
    ]
    found = answers(model, tmp_path, calls)["answers"]
    assert [f.get("shapes") for f in found[:3]] == [[[b, 2 * t], [t, b]] for b, t in ((1, 1), (7, 300), (64, 2))]
    assert found[3]["error"] == "ModelError: argument y has the shape [2,4], expected float32[2, 3]"
    assert found[4]["error"] == "ModelError: argument x has the shape [3,5], expected float32[3, 4]"
    assert found[5]["error"].startswith("ModelError: t is 0; it has to be from 1 to ")


@needs_browser
@pytest.mark.night
def test_a_decoder_with_a_cache(tmp_path: Path) -> None:
    scope = jax.export.SymbolicScope(["t <= s"])
    cache, place = shaped("2, b, s, 4, 16", scope), jax.ShapeDtypeStruct((), jnp.int32)
    model = exported(
        tmp_path, decode, decoder_weights(), shaped("b, t, 64", scope), place, cache, cache, weights="external"
    )
    write_web(model, tmp_path / "web", opening=Opening(most={"b": 64, "t": 64, "s": 300}))

    def call(b: int, t: int, s: int) -> Call:
        caches = floats(2, b, s, 4, 16), floats(2, b, s, 4, 16)
        return floats(b, t, 64), np.array((s - t) // 2, np.int32), *caches

    calls = [call(*each) for each in ((1, 1, 1), (1, 1, 300), (7, 7, 64), (64, 1, 40), (1, 40, 299))]
    expect_same(model, tmp_path, calls)
    expect_same(model, tmp_path, calls, "webgpu", "chromium")
    (found,) = answers(model, tmp_path, [call(1, 2, 1)])["answers"]
    assert found["error"].startswith("ModelError: the arguments' shapes do not match the export: ")


@needs_browser
@pytest.mark.night
def test_a_convnet(tmp_path: Path) -> None:
    weights = [floats(3, 3, 3, 16) / 5, floats(3, 3, 16, 32) / 12, floats(1, 1, 32, 64) / 6, floats(64, 10) / 8]
    model = exported(tmp_path, convolutional, weights, "b, 16, 16, 3")
    write_web(model, tmp_path / "web")
    calls = [(floats(b, 16, 16, 3),) for b in BATCHES]
    expect_same(model, tmp_path, calls)
    expect_same(model, tmp_path, calls, "webgpu", "chromium")


@needs_browser
def test_moves_and_reductions(tmp_path: Path) -> None:
    model = exported(tmp_path, moved, "b, 3, 8")
    write_web(model, tmp_path / "web", opening=Opening(["b=1,7"], {"b": 300}))
    calls = [(floats(b, 3, 8),) for b in BATCHES]
    expect_same(model, tmp_path, calls)
    expect_same(model, tmp_path, calls, "webgpu", "chromium")


@needs_browser
@pytest.mark.night
def test_every_length(tmp_path: Path) -> None:
    model = exported(tmp_path, begin, decoder_weights(), "b, t, 64", weights="external")
    write_web(model, tmp_path / "web", opening=Opening(most={"b": 64, "t": 300}))  # by itself 256 each
    expect_same(model, tmp_path, [(floats(b, t, 64),) for b, t in zip(itertools.cycle((1, 7, 64)), range(1, 301, 13))])


def test_each_size_is_planned_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = list[object]()

    def count(source: Path, model: Model, given: Any, checks: list[Checked]) -> Compiled:
        shapes.append(given)
        return plan_program(source, model, given, checks)

    monkeypatch.setattr(web, "plan_program", count)
    monkeypatch.setattr(web, "write_folder", lambda *_: [])
    write_web(exported(tmp_path, lambda x: x @ x.T, "b, 8"), tmp_path / "web")
    assert len(shapes) > 1 and all(one != other for one, other in itertools.combinations(shapes, 2))
