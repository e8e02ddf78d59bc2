"""`hlo2tiny convert`: programs of every format as text, the same in every respect; weights put in and taken out."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from formats.test_torch_folder import X0, X1, B, W
from formats.test_torch_folder import write as write_folder

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.cli import main
from hlo2tiny.commands.convert import LARGE, convert, text_for_xla
from hlo2tiny.errors import InputError
from hlo2tiny.formats import read, safetensors
from hlo2tiny.ir import Module
from hlo2tiny.ir.printer import print_module
from hlo2tiny.syntax.parser import parse

EXPORTED = Path(__file__).parent / "formats/exported"
F = np.float32


def located(module: Module) -> list[Any]:
    """What an error about each op or argument says about its location in the model."""
    values = [v for f in module.functions.values() if f.body is not None for v in f.body.arguments]
    ops = list(module.walk())
    values += [v for op in ops for region in op.regions for v in region.arguments]
    places = [op.location for op in ops] + [v.location for v in values]
    return [(place.name, place.frames) if place is not None else ("", ()) for place in places]


@pytest.mark.parametrize("name", ["lstm", "flax_convnet", "keras_resnet_block", "torchax_module", "top_k"])
def test_the_text_has_all_that_the_module_has(name: str) -> None:
    module = parse(BY_NAME[name].path)
    again = parse(print_module(module, locations=True))
    assert str(again) == str(module)
    assert located(again) == located(module)


def test_locations_that_refer_to_themselves() -> None:
    text = """func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> { return %a : tensor<3xf32> loc(#loc1) }
    #loc1 = loc("a"(#loc2))
    #loc2 = loc("b"(#loc1))
    #loc3 = loc("unused")"""
    with pytest.raises(hlo2tiny.ParseError, match="the location #loc2 is not defined"):
        parse(text)


def test_mlir_reads_the_text() -> None:
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    for name in ("model", "platforms", "symbolic"):
        text = print_module(read(EXPORTED / f"{name}-0.10.2.jax_exported").module, locations=True)
        with mlir.make_ir_context():
            module = ir.Module.parse(text)
            assert "jit(" in module.operation.get_asm(enable_debug_info=True)


# ---------------------------------------------------------------- formats


def test_an_exported_file(tmp_path: Path) -> None:
    params = {"w": np.ones((3, 4), F), "b": np.ones(4, F), "unused": np.ones(2, F)}
    files = convert(EXPORTED / "model-0.10.2.jax_exported", tmp_path / "model.mlir")
    assert [file.name for file in files] == ["model.mlir", "model.mlir.json"]
    first, second = hlo2tiny.load(EXPORTED / "model-0.10.2.jax_exported", device="CPU"), hlo2tiny.load(files[0], "CPU")
    assert first.inputs == second.inputs and first.outputs == second.outputs
    x = np.arange(6, dtype=F).reshape(2, 3)
    a, b = (p.numpy(params, x, scale=F(3)) for p in (first, second))
    assert list(a) == list(b) == ["all", "sum"]
    np.testing.assert_array_equal(a["sum"], b["sum"])


def test_symbolic_shapes(tmp_path: Path) -> None:
    path = tmp_path / "symbolic.mlir"
    convert(EXPORTED / "symbolic-0.10.2.jax_exported", path)
    program = hlo2tiny.load(path, device="CPU")
    assert program.inputs[0].layout == "float32[b, 2*c]"
    np.testing.assert_array_equal(program.numpy(np.ones((3, 4), F)), np.full(12, 2))
    with pytest.raises(hlo2tiny.InputError, match="'c'"):
        program.numpy(np.ones((3, 3), F))


def test_the_cpus_variant(tmp_path: Path) -> None:
    convert(EXPORTED / "platforms-0.10.2.jax_exported", tmp_path / "p.mlir")
    assert "stablehlo.case" not in (tmp_path / "p.mlir").read_text()


def test_plain_and_compressed_text(tmp_path: Path) -> None:
    entry = BY_NAME["lstm"]
    packed = tmp_path / "lstm.gz"
    packed.write_bytes(gzip.compress(entry.path.read_bytes()))
    stale = tmp_path / "lstm.mlir.json"
    stale.write_text('{"hlo2tiny": 1}', encoding="utf-8")
    assert convert(packed, tmp_path / "lstm.mlir") == [tmp_path / "lstm.mlir"]
    assert not stale.exists(), "it said how another text is called"
    assert str(parse(tmp_path / "lstm.mlir")) == str(parse(entry.path))


def test_another_programs_json_stays(tmp_path: Path) -> None:
    own = tmp_path / "lstm.mlir.json"
    own.write_text('{"labels": ["cat"]}', encoding="utf-8")
    convert(BY_NAME["lstm"].path, tmp_path / "lstm.mlir")
    with pytest.raises(InputError, match="was not written by hlo2tiny"):
        convert(EXPORTED / "model-0.10.2.jax_exported", tmp_path / "lstm.mlir")
    assert own.read_text(encoding="utf-8") == '{"labels": ["cat"]}'
    assert sorted(tmp_path.iterdir()) == [tmp_path / "lstm.mlir", own]


def test_a_folders_weights_come_along(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "folder")
    (tmp_path / "out").mkdir()
    files = convert(folder, tmp_path / "out/model.mlir")
    assert [file.name for file in files] == ["model.mlir", "model.safetensors", "model.mlir.json"]
    stored = safetensors.read(files[1])
    assert set(stored) == {"constants[0]", "layer.bias", "layer.weight"}
    found = hlo2tiny.load(files[0], device="CPU").numpy(X0, X1, 7)
    np.testing.assert_array_equal(found["y"], X1 @ W.T + B)


# ---------------------------------------------------------------- bake


def test_a_folders_weights_as_constants(tmp_path: Path) -> None:
    files = convert(write_folder(tmp_path / "folder"), tmp_path / "model.mlir", bake=True)
    assert [file.name for file in files] == ["model.mlir", "model.mlir.json"]
    program = hlo2tiny.load(files[0], device="CPU")
    found = program.numpy(X0, X1, 7)
    np.testing.assert_array_equal(found["y"], X1 @ W.T + B)
    np.testing.assert_array_equal(found["z"], X0 * 10)


def test_weights_by_name_as_constants(tmp_path: Path) -> None:
    weights = {"w": np.full((3, 4), 2, F), "b": np.ones(4, F)}
    safetensors.write(tmp_path / "w.safetensors", {f"params['{key}']": array for key, array in weights.items()})
    source = EXPORTED / "model-0.10.2.jax_exported"
    files = convert(source, tmp_path / "model.mlir", bake=tmp_path / "w.safetensors")
    program = hlo2tiny.load(files[0], device="CPU")
    assert [i.name for i in program.inputs] == ["x", "scale"]
    x = np.ones((2, 3), F)
    expected = hlo2tiny.load(source, device="CPU").numpy(weights | {"unused": np.ones(2, F)}, x, scale=F(2))
    np.testing.assert_array_equal(program.numpy(x, scale=F(2))["sum"], expected["sum"])


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"params['w']": np.ones((3, 4), F)}, r"params\['b'\]: missing"),
        ({"params['w']": np.ones((3, 4), F), "params['b']": np.ones(5, F)}, r"params\['b'\] is float32\[5\], expected"),
        ({"params['q']": np.ones(3, F)}, "no argument has this name"),
    ],
)
def test_weights_that_do_not_fit(tmp_path: Path, arrays: Any, message: str) -> None:
    safetensors.write(tmp_path / "w.safetensors", arrays)
    with pytest.raises(hlo2tiny.InputError, match=message):
        convert(EXPORTED / "model-0.10.2.jax_exported", tmp_path / "model.mlir", bake=tmp_path / "w.safetensors")


# ---------------------------------------------------------------- split

HEX = np.arange(LARGE // 4, dtype=F).tobytes().hex()
SIZE = LARGE // 4
CONSTANTS = f"""
func.func public @main(%x: tensor<{SIZE}xf32> loc("x"), %n: tensor<i32>) -> tensor<{SIZE}xf32> {{
  %small = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %splat = stablehlo.constant dense<1.0> : tensor<{SIZE}xf32>
  %0 = call @twice(%x) : (tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32>
  %1 = call @twice(%0) : (tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %2 = stablehlo.compare GT, %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = "stablehlo.if"(%2) ({{
    %own = stablehlo.constant dense<"0x{HEX}"> : tensor<{SIZE}xf32> loc("table")
    %4 = stablehlo.add %1, %own : tensor<{SIZE}xf32>
    stablehlo.return %4 : tensor<{SIZE}xf32>
  }}, {{
    %5 = stablehlo.composite "a.b" %1 {{decomposition = @composed}} : (tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32>
    stablehlo.return %5 : tensor<{SIZE}xf32>
  }}) : (tensor<i1>) -> tensor<{SIZE}xf32>
  %6 = stablehlo.add %3, %splat : tensor<{SIZE}xf32>
  return %6 : tensor<{SIZE}xf32>
}}
func.func private @twice(%x: tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32> {{
  %0 = call @once(%x) : (tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32>
  %1 = call @once(%0) : (tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32>
  return %1 : tensor<{SIZE}xf32>
}}
func.func private @once(%x: tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32> {{
  %table = stablehlo.constant dense<"0x{HEX}"> : tensor<{SIZE}xf32> loc("table")
  %0 = stablehlo.multiply %x, %table : tensor<{SIZE}xf32>
  return %0 : tensor<{SIZE}xf32>
}}
func.func private @composed(%x: tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32> {{
  %0 = call @inside(%x) : (tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32>
  return %0 : tensor<{SIZE}xf32>
}}
func.func private @inside(%x: tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32> {{
  %table = stablehlo.constant dense<"0x{HEX}"> : tensor<{SIZE}xf32>
  %0 = stablehlo.subtract %x, %table : tensor<{SIZE}xf32>
  return %0 : tensor<{SIZE}xf32>
}}
"""


def test_large_constants_apart(tmp_path: Path) -> None:
    (tmp_path / "in.mlir").write_text(CONSTANTS)
    files = convert(tmp_path / "in.mlir", tmp_path / "out.mlir", split=tmp_path / "w.safetensors")
    assert [file.name for file in files] == ["out.mlir", "w.safetensors", "out.mlir.json"]
    stored = safetensors.read(files[1])
    assert list(stored) == ["table", "table1"], "that of the composite stays, and small and repeated numbers"
    program, whole = hlo2tiny.load(files[0], device="CPU"), hlo2tiny.load(tmp_path / "in.mlir", device="CPU")
    assert program.inputs == whole.inputs
    x = np.linspace(0, 1, SIZE, dtype=F)
    for n in (0, 1):
        np.testing.assert_array_equal(program.numpy(x, np.int32(n)), whole.numpy(x, np.int32(n)))
    # And in again.
    convert(files[0], tmp_path / "again.mlir", bake=True)
    again = hlo2tiny.load(tmp_path / "again.mlir", device="CPU")
    np.testing.assert_array_equal(again.numpy(x, np.int32(1)), whole.numpy(x, np.int32(1)))


def test_constants_of_an_exported_function(tmp_path: Path) -> None:
    import jax

    table = np.random.RandomState(0).standard_normal((64, 64)).astype(F)
    exported = jax.export.export(jax.jit(lambda tree: {"y": tree["x"] @ table}))({"x": np.ones((2, 64), F)})
    (tmp_path / "f").write_bytes(exported.serialize())
    files = convert(tmp_path / "f", tmp_path / "f.mlir", split=tmp_path / "f.safetensors")
    assert files[0].stat().st_size < table.nbytes
    program = hlo2tiny.load(files[0], device="CPU")
    x = np.ones((2, 64), F)
    np.testing.assert_allclose(program.numpy({"x": x})["y"], x @ table, rtol=1e-5, atol=1e-5)


def test_xla_gets_text_with_all_weights(tmp_path: Path) -> None:
    """As `bench --vs-xla` needs it."""
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    entry = BY_NAME["lstm"]
    assert text_for_xla(entry.path, tmp_path) == entry.path
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress(entry.path.read_bytes()))
    for source in (packed, write_folder(tmp_path / "folder"), EXPORTED / "symbolic-0.10.2.jax_exported"):
        path = text_for_xla(source, tmp_path)
        assert path == tmp_path / f"{source.stem}.mlir"
        with mlir.make_ir_context():
            ir.Module.parse(path.read_text())
    assert parse(tmp_path / "folder.mlir").functions["main"].type.inputs == tuple(
        parse(tmp_path / "folder/functions/forward.mlir").functions["main"].type.inputs[i] for i in (2, 4)
    )


# ---------------------------------------------------------------- the command


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_folder(tmp_path / "folder")
    assert main(["convert", str(folder), str(tmp_path / "model.mlir")]) == 0
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        str(tmp_path / name) for name in ("model.mlir", "model.safetensors", "model.mlir.json")
    ]
    assert main(["convert", str(folder), str(tmp_path / "baked.mlir"), "--bake"]) == 0
    assert not (tmp_path / "baked.safetensors").exists()
    assert main(["inspect", str(tmp_path / "model.mlir")]) == 0
    out = capsys.readouterr().out
    assert "  layer.weight: float32[4, 3], in model.safetensors\n" in out
    assert "\ncall: (arguments[0], arguments[1], arguments[2])\n" in out
    found = json.loads((tmp_path / "model.mlir.json").read_text())
    assert found["hlo2tiny"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.mlir", "out.mlir"], "there is no such file"),
        (["in.mlir", "nowhere/out.mlir"], "there is no folder nowhere"),
        (["in.mlir", "out.mlir", "--split", "elsewhere/w.safetensors"], "must be in the same folder as"),
        (["in.mlir", "w.safetensors"], "expected the name of the text to write"),
        (["in.mlir", "out.mlir", "--split", "out.mlir"], "different files"),
        (["in.mlir", "out.mlir", "--bake", "none.safetensors"], "cannot be read"),
    ],
)
def test_wrong_use(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(
        "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> { return %a : tensor<3xf32> }", encoding="utf-8"
    )
    assert main(["convert", *arguments]) == 1
    assert message in capsys.readouterr().err


def test_a_folder_as_c(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its weights are in the program."""
    folder = write_folder(tmp_path / "folder")
    assert main(["compile", str(folder), "-o", str(tmp_path / "c")]) == 0, capsys.readouterr().err
    header = (tmp_path / "c/model.h").read_text()
    assert "layer" not in header
