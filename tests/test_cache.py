"""What is kept between processes: found again, bounded, and never loaded when it is not whole."""

from __future__ import annotations

import gzip
import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import lark
import numpy as np
import pytest

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.cli import main
from hlo2tiny.machine import cache
from hlo2tiny.plan.text import plan_text
from hlo2tiny.program import device
from hlo2tiny.syntax import parser, tables
from hlo2tiny.targets.c import code, linking, render
from hlo2tiny.tinygrad import device as tinygrad_device

FORMATS = Path(__file__).parent / "formats"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    forget(monkeypatch)
    return tmp_path / "hlo2tiny"


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process, which has built nothing."""
    monkeypatch.setattr(render.REGIONS, "regions", {})
    monkeypatch.setattr(code, "_libraries", WeakValueDictionary())
    monkeypatch.setattr(code, "_own_parts", {})
    code.thread_pool.cache_clear()
    code.addresses_of.cache_clear()
    code.tile_of.cache_clear()
    parser._builder.cache_clear()


def run() -> hlo2tiny.Program:
    entry = BY_NAME["lstm"]
    program = hlo2tiny.load(entry.path, device="CPU")
    entry.check(program.numpy(*entry.inputs()))
    return program


def test_a_second_process_builds_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    forget(monkeypatch)

    def fail(*arguments: object) -> None:
        raise AssertionError("built again")

    real = linking.run
    monkeypatch.setattr(render, "_render", fail)
    monkeypatch.setattr(linking, "run", fail)
    run()
    for path in place.iterdir():  # without the program's entry, its regions and their code are linked again
        if b'"names"' in path.read_bytes()[:200]:
            path.unlink()
    forget(monkeypatch)
    monkeypatch.setattr(linking, "run", lambda command, text="": fail() if text else real(command))
    run()


@pytest.mark.parametrize(
    "name",
    [
        *("lstm", "narrow_floats", "torchax_module"),
        *(pytest.param(name, marks=pytest.mark.ci) for name in ("complex_fft_free", "linear_algebra")),
    ],
)
def test_a_program_from_the_cache_is_the_same(name: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = BY_NAME[name]
    programs = []
    for _ in range(2):
        programs.append(hlo2tiny.load(entry.path, device="CPU"))
        entry.check(programs[-1].numpy(*entry.inputs()))
        forget(monkeypatch)
    first, second = programs
    assert second._specialisations._model is None
    assert (first.inputs, first.outputs, first.device) == (second.inputs, second.outputs, second.device)
    with pytest.raises(hlo2tiny.InputError, match="arguments were given"):
        second.numpy()
    for a, b in zip(as_tuple(first(*entry.inputs())), as_tuple(second(*entry.inputs())), strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    assert str(first.module) == str(second.module) and plan_text(first.plan) == plan_text(second.plan)
    entry.check(second.numpy(*entry.inputs()))


OPEN = """
func.func @main(%x: tensor<?x3xf32>, %y: tensor<?xf32>) -> (tensor<?x3xf32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.multiply %x, %x : tensor<?x3xf32>
  %s = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<?x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %d, %s : tensor<?x3xf32>, tensor<3xf32>
}
"""


def expect_squares(program: hlo2tiny.Program, rows: int) -> None:
    x = np.arange(3 * rows, dtype=np.float32).reshape(rows, 3)
    squares, total = program.numpy(x, np.zeros(2, np.float32))
    np.testing.assert_array_equal(squares, x * x)
    np.testing.assert_array_equal(total, (x * x).sum(0))


def test_a_program_with_open_dimensions_is_kept_for_each_shape(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "open.mlir"
    path.write_text(OPEN)
    first = hlo2tiny.load(path, device="CPU")
    for rows in (1, 4):
        expect_squares(first, rows)
    forget(monkeypatch)
    second = hlo2tiny.load(path, device="CPU")
    assert (first.inputs, first.outputs) == (second.inputs, second.outputs)
    with pytest.raises(hlo2tiny.InputError, match=r"argument 0 is float32\[2, 4\], expected float32\[\?, 3\]"):
        second.numpy(np.zeros((2, 4), np.float32), np.zeros(2, np.float32))
    for rows in (4, 1, 4):
        expect_squares(second, rows)
        assert second._specialisations._model is None
    assert plan_text(second.plan_for([(4, 3), (2,)])) == plan_text(first.plan_for([(4, 3), (2,)]))
    third = hlo2tiny.load(path, device="CPU")
    for rows in (4, 5):  # of which the second is new
        expect_squares(third, rows)
    assert (5, 3) in [t.shape for t in third.plan.main.types]
    environment = {**os.environ, "DEV": "CPU"}
    light = LIGHT.replace("i.shape", "(1, 3) if len(i.shape) == 2 else (2,)")
    subprocess.run([sys.executable, "-c", light.format(path=str(path))], env=environment, check=True)


def as_tuple(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def test_a_file_that_changed_has_no_module_to_show(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.mlir"
    text = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}\n"
    path.write_text(text)
    hlo2tiny.load(path, device="CPU").compile()
    program = hlo2tiny.load(path, device="CPU")
    path.write_text(text.replace("2xf32", "3xf32"))
    assert program.numpy(np.ones(2, np.float32))[0].shape == (2,)
    with pytest.raises(hlo2tiny.InputError, match=r"model\.mlir' has changed since it was loaded"):
        _ = program.module
    assert hlo2tiny.load(path, device="CPU").inputs[0].shape == (3,)


LIGHT = """
import os, sys
os.environ["PATH"], os.environ["CC"] = "", ""  # no compiler
sys.modules["ziglang"] = None
import numpy as np, hlo2tiny
program = hlo2tiny.load({path!r})
program.numpy(*(np.zeros(i.shape, i.dtype) for i in program.inputs))
assert not {{"tinygrad", "lark", "jax"}} & set(sys.modules), "the way from the text is not imported"
"""


def test_a_program_from_the_cache_needs_no_compiler_nor_parser(place: Path) -> None:
    path = BY_NAME["lstm"].path
    hlo2tiny.load(path, device="CPU").compile()
    environment = {**os.environ, "DEV": "CPU"}
    subprocess.run([sys.executable, "-c", LIGHT.format(path=str(path))], env=environment, check=True)


@pytest.mark.parametrize("kind", ["exported", "compressed", "folder", "external weights"])
def test_other_formats_start_from_the_cache(kind: str, place: Path, tmp_path: Path) -> None:
    """Without the module or what reads it, and its calls have the same structure."""
    exported = FORMATS / "exported/platforms-0.10.2.jax_exported"
    path, x = tmp_path / "program", np.ones(3, np.float32)
    if kind == "exported":
        path.write_bytes(exported.read_bytes())
    elif kind == "compressed":
        path.write_bytes(gzip.compress(exported.read_bytes()))
    elif kind == "external weights":
        hlo2tiny.export(lambda w, x: w + x, x, x, path=path, weights="external")
    else:
        for part in ("functions", "data"):
            (path / part).mkdir(parents=True)
        text = "func.func @main(%w: tensor<3xf32>, %x: tensor<3xf32>) -> tensor<3xf32> {\n"
        text += "%0 = stablehlo.add %w, %x : tensor<3xf32>\n return %0 : tensor<3xf32> }"
        (path / "functions/forward.mlir").write_text(text)
        locations = [{"type_": "parameter", "name": "w"}, {"type_": "input_arg", "position": 0}]
        (path / "functions/forward.meta").write_text(json.dumps({"input_locations": locations}))
        with open(path / "data/w", "wb") as file:
            np.save(file, x)
    source = f"""if True:
        import sys
        import numpy as np, hlo2tiny
        program = hlo2tiny.load({str(path)!r}, device="CPU")
        np.testing.assert_array_equal(np.ravel(program.numpy(np.ones(3, np.float32))), [2, 2, 2])
        print(*(m for m in sys.modules if m in ("lark", "tinygrad") or m.startswith("hlo2tiny.formats.")))
    """
    first, second = (subprocess.check_output([sys.executable, "-c", source], text=True).split() for _ in range(2))
    assert "tinygrad" in first
    others = {f"hlo2tiny.formats.{name}" for name in ("mapped", "npy", "safetensors", "torch_folder")}
    own = {"hlo2tiny.formats.artifact", "hlo2tiny.formats.inside", "hlo2tiny.formats.sidecar"}
    assert set(second) - others <= own


def test_the_default_device_is_looked_for_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEV", raising=False)
    opened = []
    monkeypatch.setattr(tinygrad_device, "open_device", lambda name: opened.append(name) or "CPU")
    monkeypatch.setattr(device, "has_accelerator", lambda: True)
    assert [device.default_device() for _ in range(3)] == ["CPU"] * 3
    assert len(opened) == (3 if sys.platform == "win32" else 1)
    monkeypatch.setenv("CUDA", "1")
    device.default_device()
    assert len(opened) == (4 if sys.platform == "win32" else 2), "the environment is part of the question"


@pytest.mark.parametrize(("system", "times"), [("darwin", [1, 2]), ("win32", [3, 4])])
def test_the_default_device_of_other_systems(
    system: str, times: list[int], place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """macOS's devices change with its version; Windows does not say when its devices change."""
    monkeypatch.delenv("DEV", raising=False)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(device.platform, "mac_ver", lambda: ("26.1", ("", "", ""), "arm64"))
    monkeypatch.setattr(device.os, "listdir", lambda path: (_ for _ in ()).throw(FileNotFoundError(path)))
    opened = []
    monkeypatch.setattr(tinygrad_device, "open_device", lambda name: opened.append(name) or "METAL")
    assert [device.default_device() for _ in range(3)] == ["METAL"] * 3
    assert len(opened) == times[0]
    monkeypatch.setattr(device.platform, "mac_ver", lambda: ("26.2", ("", "", ""), "arm64"))
    device.default_device()
    assert len(opened) == times[1]


def test_no_device_is_looked_for_where_there_is_only_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    for choice in device.CHOICES:
        monkeypatch.delenv(choice, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    nodes = ["null", "vga_arbiter"]
    monkeypatch.setattr(device.os, "listdir", lambda path: nodes)
    monkeypatch.setattr(tinygrad_device, "open_device", lambda name: pytest.fail("a device was looked for"))
    assert device.default_device() == "CPU"
    nodes.append("nvidia0")
    assert device.has_accelerator()


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "damage", [lambda b: b[:-1], lambda b: b[:10], lambda b: b"", lambda b: b[:-9] + b"X" + b[-8:]]
)
def test_what_is_not_whole_is_built_again(damage, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    for path in place.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    forget(monkeypatch)
    run()
    assert {path.name for path in place.iterdir()} == before.keys()
    assert all(cache.read(name) is not None for name in before)


@pytest.mark.parametrize("kept_in", ["the package", "the cache"])
def test_the_grammars_tables_are_made_once(kept_in: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "FILE", "tables.json" if kept_in == "the package" else "none.json")

    def parsed() -> tuple[str, str]:
        parser._builder.cache_clear()
        module = str(hlo2tiny.parse(BY_NAME["gpt_decoder_scan"].path))
        with pytest.raises(hlo2tiny.ParseError) as raised:
            hlo2tiny.parse("func.func @main( {\n}")
        return module, str(raised.value)

    try:
        made = parsed()
        monkeypatch.setattr(tables, "Lark", NoTables)
        assert parsed() == made
    finally:
        parser._builder.cache_clear()


def test_tables_of_another_grammar_are_not_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = tables.as_json(tables.make_parser())
    assert tables.from_json(text, None) is not None
    monkeypatch.setattr(tables, "STARTS", ["file"])
    assert tables.from_json(text, None) is None


class NoTables:
    """A Lark that makes no tables."""

    _load_from_dict = lark.Lark._load_from_dict


def test_the_folder_is_the_users_alone(place: Path) -> None:
    run()
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    place.chmod(0o777)
    assert cache.folder() is None and cache.read("x") is None
    cache.write("x", b"1")
    assert not (place / "x").exists()


def test_off(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    run()
    assert not place.exists()


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cache.folder() is None
    run()


def test_the_oldest_entries_go_first(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "BOUND", 3 * (cache.HEADER + 100))
    for number in range(5):
        cache.write(f"entry{number}", bytes(100))
        os.utime(place / f"entry{number}", (number, number))
    cache.write("last", bytes(100))
    assert {path.name for path in place.iterdir()} == {"entry3", "entry4", "last"}


def test_few_writes_look_at_all_entries(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Path] = []
    monkeypatch.setattr(cache, "shrink", looked.append)
    names = [cache.key(str(n)) for n in range(300)]
    for name in names:
        cache.write(name, bytes(100))
    assert len(looked) < 3
    monkeypatch.setattr(cache, "BOUND", 100 * 100 * 10)  # of ten writes, one brings a hundredth of it
    for name in names:
        cache.write(name, bytes(100))
    assert 15 < len(looked) < 60


def test_names_depend_on_their_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.key("a", "b") == cache.key("a", "b") != cache.key("ab", "") != cache.key("b", "a")
    before = cache.key("a")
    monkeypatch.setattr(cache, "code_identity", lambda: "another version")
    assert cache.key("a") != before


@pytest.mark.ci
def test_processes_share_the_folder(place: Path) -> None:
    program = f"""
import numpy as np, hlo2tiny
program = hlo2tiny.load({str(BY_NAME["cond"].path)!r}, device="CPU")
print([r.tolist() for r in program.numpy(*(np.zeros(i.shape, i.dtype) for i in program.inputs))])
"""

    def process(_: int) -> str:
        return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(process, range(4)))) == 1
    assert all(cache.read(path.name) is not None for path in place.iterdir())


def test_the_command(place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    count = len(list(place.iterdir()))
    assert main(["cache", "info"]) == 0 and f"{count} entries" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0 and f"removed {count} entries" in capsys.readouterr().out
    assert not list(place.iterdir())
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    assert main(["cache", "info"]) == 0 and "nothing is kept" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["cache", "shred"])


def test_configurations_of_custom_calls_are_part_of_a_regions_key() -> None:
    """largest = true and false are two regions."""
    text = """
    func.func @main(%x: tensor<9xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
      %r:2 = stablehlo.custom_call @mhlo.topk(%x) {
        mhlo.attributes = {k = 2 : i64, largest = LARGEST}, mhlo.version = 1 : i64
      } : (tensor<9xf32>) -> (tensor<2xf32>, tensor<2xi32>)
      return %r#0, %r#1 : tensor<2xf32>, tensor<2xi32>
    }
    """
    x = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5], np.float32)
    most, least = (hlo2tiny.load(text.replace("LARGEST", v), device="CPU").numpy(x)[0] for v in ("true", "false"))
    np.testing.assert_array_equal(most, [9, 6])
    np.testing.assert_array_equal(least, [1, 1])


@pytest.mark.parametrize("package", ["tinygrad", "numpy", "lark"])
def test_an_installed_packages_version_is_found(package: str) -> None:
    assert cache.installed_version(package) == metadata.version(package)
    assert cache.installed_version("no_such_package") == "(version unknown)"
