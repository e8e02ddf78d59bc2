"""Folders for browsers: what is written, what is refused, and what calls do."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import everywhere
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from browsers import MODULES, needs_browser, node

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.cli import main
from hlo2tiny.commands.web import write_web
from hlo2tiny.errors import NotLowered, UnsupportedOp
from hlo2tiny.ir.entry import entry_function
from hlo2tiny.plan import build
from hlo2tiny.plan.rendering import Rendered
from hlo2tiny.targets.web import render
from hlo2tiny.targets.web.render import DEVICE, ShaderRegion, render_region
from hlo2tiny.targets.web.webgpu import Flattener
from hlo2tiny.tinygrad.settings import lowering_settings

FILES = {
    *("program.json", "hlo2tiny.js", "hlo2tiny.d.ts", "package.json", "index.html"),
    *(f"model{relaxed}{threads}.wasm" for relaxed in ("", "-relaxed") for threads in ("", "-threads")),
}


def step(params: dict[str, Any], x: Any) -> tuple[dict[str, Any], Any]:
    return {"w": params["w"] + x, "b": params["b"] + 1}, params["w"].sum()


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with a state, as a folder."""
    folder = tmp_path_factory.mktemp("state")
    x = jax.ShapeDtypeStruct((3,), jnp.float32)
    params = {"w": x, "b": jax.ShapeDtypeStruct((), jnp.int32)}
    (folder / "state.bin").write_bytes(jax.export.export(jax.jit(step))(params, x).serialize())
    write_web(folder / "state.bin", folder / "web")
    return folder / "web"


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with two weights of 512 KiB."""
    folder = tmp_path_factory.mktemp("dense")
    first, second = np.random.default_rng(0).normal(size=(2, 256, 512)).astype(np.float32) / 16
    text = (
        jax.jit(lambda x: jnp.tanh(jnp.tanh(x @ first) @ second.T))
        .lower(jax.ShapeDtypeStruct((1, 256), jnp.float32))
        .as_text()
    )
    (folder / "dense.mlir").write_text(text)
    write_web(folder / "dense.mlir", folder / "web")
    return folder / "web"


def test_a_folder_is_written_again_without_what_the_new_program_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weighted = tmp_path / "weighted.mlir"
    weighted.write_text(
        jax.jit(lambda x: x + np.arange(999.0, dtype=np.float32)).lower(np.zeros(999, np.float32)).as_text()
    )
    folder = tmp_path / "web"
    for source, weights in ((weighted, {"weights.safetensors"}), (BY_NAME["cond"].path, set())):
        assert main(["compile", str(source), "-o", str(folder), "--target", "web"]) == 0
        assert {path.name for path in folder.iterdir()} == FILES | weights
    assert "http.server" in capsys.readouterr().out


def test_a_folder_holds_one_kind_of_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compile = ["compile", str(BY_NAME["cond"].path), "-o"]
    for first, second, held in (([], ["--target", "web"], "in C"), (["--target", "web"], [], "for browsers")):
        folder = tmp_path / held
        assert main([*compile, str(folder), *first]) == 0
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert main([*compile, str(folder), *second]) == 1
        assert f"{folder} holds a program {held}, expected one" in capsys.readouterr().err
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_file_of_somebody_else_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "index.html").write_text("mine")
    assert main(["compile", str(BY_NAME["cond"].path), "-o", str(tmp_path), "--target", "web"]) == 1
    assert "was not written by hlo2tiny" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_what_no_browser_has_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedOp, match=r"linear_algebra.mlir:\d+:\d+: .*custom_call: this calls LAPACK"):
        write_web(BY_NAME["linear_algebra"].path, tmp_path / "web")
    assert not (tmp_path / "web").exists()


def test_a_program_larger_than_the_memory_is_refused_with_the_figure(tmp_path: Path) -> None:
    text = (
        "func.func @main(%x: tensor<1100000000xf32>) -> tensor<1100000000xf32> { return %x : tensor<1100000000xf32> }"
    )
    (tmp_path / "large.mlir").write_text(text)
    write_web(tmp_path / "large.mlir", tmp_path / "web")
    text = (tmp_path / "web" / "program.json").read_text()
    assert '"refused": "the program needs 8,800,000,' in text and '"error": "InputError"' in text


def test_what_is_not_lowered_is_no_lack_of_the_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("of tinygrad")

    monkeypatch.setattr(render, "REGIONS", Rendered())
    monkeypatch.setattr(render, "schedule_region", fail)
    text = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.sine %x : tensor<3xf32>
      return %0 : tensor<3xf32>
    }"""
    (answer,) = everywhere.in_browser(
        [everywhere.Case("sine", text, [[np.ones(3, np.float32)]])], tmp_path, "", "webgpu"
    )
    assert isinstance(answer, NotLowered) and not everywhere.is_lacking(answer)


def test_weights_are_a_file_that_others_read(dense: Path) -> None:
    from safetensors.numpy import load_file

    assert any(array.shape == (256, 512) for array in load_file(dense / "weights.safetensors").values())


EVERY = ["wasm false", "webgpu false", "wasm true", "webgpu true"]


@needs_browser
@pytest.mark.ci
def test_calls(state: Path, dense: Path, tmp_path: Path) -> None:
    artifacts = Path(os.environ.get("HLO2TINY_ARTIFACTS", tmp_path))
    (found,) = node(
        "behaviour.mjs", state, dense, *(tmp_path / name for name in ("cut", "other", "strange")), artifacts / "page"
    )
    for where in EVERY:
        calls = found["calls"][where]
        assert calls["structure"] == [[11, 22, 33], [6], [6]], where
        assert calls["named"] == [[11, 22, 33], [6]] and calls["flat"] == [[11, 22, 33]], where
        assert calls["kept"] == [[101, 202, 303], [10], [546]], where
        assert calls["old"] == [[11, 22, 33], [51, 102, 153]], "a later call changed a result"
        assert calls["together"] == [2, 3, 4], where
        assert [i[1:] for i in calls["inputs"]] == [["int32", []], ["float32", [3]], ["float32", [3]]]
        assert "has 4 elements, expected 3 for float32[3]" in calls["shape"]
        assert "is Int32Array, expected Float32Array" in calls["dtype"]
        assert "there is no w in" in calls["missing"]
        assert "3 arguments were given; the program takes (params, x)" in calls["many"]
        assert "there is no argument y" in calls["unknown"] and "was disposed of" in calls["disposed"]
        assert "int32[] is missing" in calls["nothing"] and "is null, expected a number" in calls["none"]
        assert "number 1, is text, expected a number for float32[3]" in calls["text"]
        assert "is 1.5, expected an integer for int32[]" in calls["fraction"]
        assert "is 2147483648, which int32 cannot hold" in calls["range"]
        assert "has lists whose shape is not that of float32[3]" in calls["nested"]
        assert calls["passed"] == [[6 + 1, 21, 42, 63]] * 2 + [[8 + 1, 21, 42, 63]] * 2, where
        assert all("was disposed of; load it again" in each for each in calls["ended"]), where
        assert calls["lost"].endswith("load it again") or calls["lost"].endswith("load the model again"), where
    assert found["progress"][:2] == [True, True] and found["progress"][2] > 256 * 512 * 4
    assert found["cut"].startswith("ModelError") and "has 100000 bytes, expected" in found["cut"]
    assert "has the weights of another program" in found["other"]
    assert "is not a program; is this the folder that hlo2tiny compile wrote?" in found["strange"]
    assert "the server returned 404" in found["absent"]
    assert found["aborted"].startswith("AbortError") and found["late"].startswith("AbortError")
    assert 'expected "auto", "webgpu" or "wasm"' in found["device"]
    assert found["split"] == [2, True] and "maxBufferSize 524,288; this GPU has 500,000" in found["small"]
    assert found["own"] == [2]
    assert all("ModelError: the GPU device was lost" in found[each] for each in ("lost", "cut_off"))
    assert found["workers"] == [0, 1, 1]
    assert found["auto"][0] == "wasm" and "computes on the processor" in found["auto"][1][0]
    for scheme in ("light", "dark"):
        assert found[scheme] == ["dense", "", 1, []]


USER = """import { load, Tensor, type Model } from "./web/hlo2tiny.js";
const onProgress = ({ loaded, total }: { loaded: number; total: number }) => console.log(loaded / total);
const model: Model = await load("web/", { device: "auto", worker: true, onProgress });
const y = await model(new Float32Array(3));
const next = await model.run({ params: { w: new Float32Array(3), b: 1 }, x: [1, 2, 3] }, { keep: true });
const kept: Tensor = next[0];
const data = await kept.data();
console.log(data.length, y, model.inputs.map((i) => `${i.name}: ${i.dtype}[${i.shape}]`));
// @ts-expect-error: there is no such device
await load("web/", { device: "cuda" });
model.dispose();
"""


@needs_browser
@pytest.mark.ci
def test_types_and_a_bundler(state: Path, tmp_path: Path) -> None:
    shutil.copytree(state, tmp_path / "web")
    (tmp_path / "main.ts").write_text(USER)
    (tmp_path / "index.html").write_text('<!doctype html><script type="module" src="main.ts"></script>')
    os.symlink(MODULES, tmp_path / "node_modules")
    options = "--noEmit --strict --target es2022 --module es2022 --moduleResolution bundler --lib es2022,dom main.ts"
    for command in (["tsc", *options.split()], ["vite", "build", "--target", "es2022", "--logLevel", "warn"]):
        run = [str(tmp_path / "node_modules" / ".bin" / command[0]), *command[1:]]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert len(list((tmp_path / "dist" / "assets").glob("*.js"))) >= 2, "the runtime is also a worker"


def test_pipelines_are_made_while_the_page_goes_on(state: Path) -> None:
    runtime = (state / "hlo2tiny.js").read_text(encoding="utf-8")
    assert "createComputePipelineAsync(" in runtime and "createComputePipeline(" not in runtime


def test_all_places_have_whole_words() -> None:
    text = jax.jit(lambda x: jnp.sort(x > x.sum())).lower(jax.ShapeDtypeStruct((37,), jnp.float32)).as_text()
    module = hlo2tiny.parse(text)
    function = entry_function(module)
    with lowering_settings(DEVICE):
        plan = build(module, function.name, products=True)
    regions = [render_region(step) for step in plan.kernels(products=True)]
    assert any(size % 4 for region in regions for size in region.temporaries)
    assert [ShaderRegion.from_text(region.to_text()) for region in regions] == regions  # as the cache keeps them
    assert all(offset % 256 == 0 and size % 4 == 0 for _, offset, size in Flattener(plan).flatten().places)


def test_a_folder_needs_no_package(state: Path) -> None:
    assert "import " not in (state / "hlo2tiny.js").read_text(encoding="utf-8").replace("import.meta", "")
