"""Which function a call runs, of a module with several."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.cli import main
from hlo2tiny.commands.convert import text_for_xla
from hlo2tiny.ir.entry import entry_function, with_entry, with_main
from hlo2tiny.machine import cache
from hlo2tiny.syntax.parser import parse

SEVERAL = """module {
  func.func @double(%x: tensor<2xf32> loc("x")) -> tensor<2xf32> {
    %0 = func.call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func public @negate(%x: tensor<?xi32>) -> tensor<?xi32> {
    %0 = stablehlo.negate %x : tensor<?xi32>
    return %0 : tensor<?xi32>
  }
  func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %x, %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @linked(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = func.call @elsewhere(%x) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @elsewhere(tensor<2xf32>) -> tensor<2xf32>
}
"""
ONES = np.ones(2, np.float32)


def identity(name: str, visibility: str = "") -> str:
    return f"func.func {visibility} @{name}(%x: tensor<f32>) -> tensor<f32> {{\n  return %x : tensor<f32>\n}}\n"


@pytest.mark.parametrize(
    ("functions", "entry"),
    [
        ((("main", ""), ("f", "")), "main"),
        ((("f", ""), ("g", "private")), "f"),
        ((("main", "private"), ("g", "private")), "main"),
        ((("main", "private"), ("g", "public")), "g"),
        ((("f", "private"),), "f"),
    ],
)
def test_the_entry_that_nobody_names(functions: Any, entry: str) -> None:
    assert entry_function(parse("".join(identity(*each) for each in functions))).name == entry


def test_an_unclear_entry_lists_the_functions() -> None:
    with pytest.raises(hlo2tiny.VerifyError) as caught:
        hlo2tiny.load(SEVERAL, device="CPU")
    assert str(caught.value) == (
        "<text>: the module has no function @main, and 3 functions could be the entry;"
        ' choose one: load(path, entry="name"), or --entry NAME on the command line\n'
        "  @double(tensor<2xf32>) -> tensor<2xf32>\n"
        "  @negate(tensor<?xi32>) -> tensor<?xi32>\n"
        "  @linked(tensor<2xf32>) -> tensor<2xf32>"
    )


def test_functions_by_name(tmp_path: Path) -> None:
    path = tmp_path / "several.mlir"
    path.write_text(SEVERAL)
    for source in (path, SEVERAL, SEVERAL.encode()):
        np.testing.assert_array_equal(hlo2tiny.load(source, device="CPU", entry="double").numpy(x=ONES)[0], ONES * 2)
        program = hlo2tiny.load(source, device="CPU", entry="@negate")
        np.testing.assert_array_equal(program.numpy(np.arange(3, dtype=np.int32))[0], [0, -1, -2])
        np.testing.assert_array_equal(program.numpy(np.arange(2, dtype=np.int32))[0], [0, -1])
        private = hlo2tiny.load(source, device="CPU", entry="twice")
        np.testing.assert_array_equal(private.numpy(ONES)[0], ONES * 2)
    program = hlo2tiny.Program(parse(SEVERAL), "CPU", entry="double")
    assert set(program.module.functions) == {"double", "twice"}
    np.testing.assert_array_equal(program.numpy(ONES)[0], ONES * 2)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            "doubel",
            "there is no function @doubel in this module (did you mean @double?); it has\n  @double(tensor<2xf32>)",
        ),
        ("xyz", "there is no function @xyz in this module; it has\n  @double(tensor<2xf32>)"),
        ("", "there is no function @ in this module"),
        ("elsewhere", ":18:21: @elsewhere is only declared in this module, without a body: it cannot be the entry"),
        (3, "entry: expected a function's name, not 3"),
    ],
)
def test_entries_that_are_none(entry: Any, message: str) -> None:
    with pytest.raises(hlo2tiny.InputError) as caught:
        hlo2tiny.load(SEVERAL, device="CPU", entry=entry)
    assert message in str(caught.value)
    with pytest.raises(hlo2tiny.InputError):
        hlo2tiny.Program(parse(SEVERAL), "CPU", entry=entry)


def test_a_declaration_that_is_called_is_named() -> None:
    with pytest.raises(hlo2tiny.UnsupportedOp, match=r":15:10: func\.call: @elsewhere is only declared in this module"):
        hlo2tiny.load(SEVERAL, device="CPU", entry="linked")
    calling = identity("main").replace(
        "return %x", "%0 = func.call @claculate(%x) : (tensor<f32>) -> tensor<f32>\n  return %0"
    )
    with pytest.raises(hlo2tiny.VerifyError, match="no function @claculate in this module; did you mean @calculate\\?"):
        hlo2tiny.load(calling + identity("calculate", "private"), device="CPU")
    only = "func.func private @main(tensor<f32>) -> tensor<f32>\n"
    with pytest.raises(hlo2tiny.VerifyError, match=r"no function with a body, expected func\.func @main; @main is"):
        hlo2tiny.load(only, device="CPU")


def test_what_an_entry_refers_to_stays() -> None:
    text = identity("f") + identity("compare", "private") + identity("other", "private")
    call = '%0 = "stablehlo.custom_call"(%x) {call_target_name = "a", called_computations = [@compare]} : '
    text = text.replace("{\n  return %x", "{\n  " + call + "(tensor<f32>) -> tensor<f32>\n  return %x", 1)
    found = with_entry(parse(text), "f")
    assert [(f.name, f.visibility) for f in found.functions.values()] == [("f", ""), ("compare", "private")]


def test_the_entry_as_main() -> None:
    """XLA wants @main; the names of what is called follow."""
    text = identity("main", "private") + identity("f").replace(
        "return %x", "%0 = func.call @main(%x) : (tensor<f32>) -> tensor<f32>\n  return %0"
    )
    found = with_main(parse(text))
    assert [(f.name, f.visibility) for f in found.functions.values()] == [("main.0", "private"), ("main", "")]
    program = hlo2tiny.load(str(found), device="CPU")
    assert program.numpy(np.float32(3))[0] == 3


def test_the_cache_tells_entries_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    text = identity("f") + identity("g").replace("return %x", "%0 = stablehlo.negate %x : tensor<f32>\n  return %0")
    for _ in range(2):
        for entry, sign in (("f", 1), ("g", -1)):
            program = hlo2tiny.load(text, device="CPU", entry=entry)
            assert program.numpy(np.float32(3))[0] == 3 * sign
    assert cache.folder() is not None
    again = hlo2tiny.load(text, device="CPU", entry="g")
    assert again._specialisations._model is None
    assert list(again.module.functions) == ["g"]  # read again, with the entry


def test_the_signature_of_a_file_belongs_to_its_default_entry(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    jnp = pytest.importorskip("jax.numpy")

    def model(p: Any, x: Any) -> Any:
        return {"y": jnp.where(x > 0, x, 0) @ p["w"]}

    hlo2tiny.export(model, {"w": np.ones((2, 3), np.float32)}, np.ones((4, 2), np.float32), path=path)
    named = hlo2tiny.load(path, device="CPU", entry="main")
    found = named.numpy({"w": np.ones((2, 3), np.float32)}, np.ones((4, 2), np.float32))
    np.testing.assert_array_equal(found["y"], np.full((4, 3), 2))
    (other,) = set(parse(path).functions) - {"main"}  # jnp.where
    inner = hlo2tiny.load(path, device="CPU", entry=other)
    assert inner._structure is None and len(inner.inputs) == 3


def test_files_of_jax_export() -> None:
    jax = pytest.importorskip("jax")
    pytest.importorskip("jax.export")

    def by_platform(x: Any) -> Any:
        return jax.lax.platform_dependent(jax.nn.relu(x), cpu=lambda v: v + 1, cuda=lambda v: v * 2)

    data = bytes(jax.export.export(jax.jit(by_platform), platforms=["cuda", "cpu"])(ONES).serialize())
    np.testing.assert_array_equal(hlo2tiny.load(data, device="CPU", entry="main").numpy(ONES), [2, 2])
    # A function inside takes the number of the platform, where the file has several.
    inner = hlo2tiny.load(data, device="CPU", entry="relu")
    np.testing.assert_array_equal(inner.numpy(np.int32(0), -ONES)[0], [0, 0])
    data = bytes(jax.export.export(jax.jit(lambda x: jax.nn.relu(x) + 1))(ONES).serialize())
    np.testing.assert_array_equal(hlo2tiny.load(data, device="CPU", entry="relu").numpy(-ONES)[0], [0, 0])
    with pytest.raises(
        hlo2tiny.InputError, match=r"there is no function @rely in this module \(did you mean @relu\?\)"
    ):
        hlo2tiny.load(data, device="CPU", entry="rely")


def cli(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(a) for a in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.ci
def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "several.mlir"
    path.write_text(SEVERAL)
    code, out, err = cli(capsys, "inspect", path)
    assert code == 1 and "it is not clear which of these functions to call: choose one" in err
    assert out == (
        "functions:\n  @double(tensor<2xf32>) -> tensor<2xf32>\n  @negate(tensor<?xi32>) -> tensor<?xi32>\n"
        "  @linked(tensor<2xf32>) -> tensor<2xf32>\n"
    )
    code, out, _ = cli(capsys, "inspect", path, "--entry", "double", "--plan")
    assert code == 0 and out.startswith("functions:\n  @double") and "\ninputs:\n  0 x: float32[2]\n" in out
    assert "every op has a rule" in out
    assert cli(capsys, "run", path, "--device", "CPU", "--random", 0)[0] == 1
    code, out, _ = cli(capsys, "run", path, "--device", "CPU", "--random", 0, "--entry", "double")
    assert code == 0 and out.startswith("out0: float32[2]")
    code, _, err = cli(capsys, "run", path, "--device", "CPU", "--entry", "negat")
    assert code == 1 and "did you mean @negate?" in err
    code, out, _ = cli(capsys, "compile", path, "-o", tmp_path / "c", "--entry", "double")
    assert code == 0 and (tmp_path / "c" / "model.c").is_file()
    code, out, _ = cli(capsys, "check", path, "--device", "CPU", "--entry", "double")
    assert code == 0 and out.splitlines()[-1].startswith("out0: float32[2] differs by")
    written = tmp_path / "one.mlir"
    assert cli(capsys, "convert", path, written, "--entry", "negate")[0] == 0
    assert list(parse(written).functions) == ["negate"]
    assert cli(capsys, "diff", path, written, "--entry", "negate")[0] == 0
    assert cli(capsys, "diff", path, path, "--entry", "double")[0] == 0
    code, out, _ = cli(capsys, "bench", path, "--entry", "double", "--seconds", "0.05", "--json")
    assert code == 0 and json.loads(out)["programs"][0]["figures"]


def test_xla_runs_an_entry_that_is_not_main(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jax")
    path = tmp_path / "several.mlir"
    (tmp_path / "folder").mkdir()
    path.write_text(SEVERAL)
    code, out, _ = cli(capsys, "check", path, "--device", "CPU", "--entry", "double", "--vs-xla")
    assert code == 0 and "compared with XLA" in out
    one = tmp_path / "one.mlir"
    one.write_text(identity("f"))
    assert list(parse(text_for_xla(one, tmp_path / "folder")).functions) == ["main"]
