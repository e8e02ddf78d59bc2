"""What is kept between processes: found again, bounded, and never loaded when it is not whole."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import lark
import numpy as np
import pytest

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny import cache
from hlo2tiny.cli import main
from hlo2tiny.run import native, tinygrad
from hlo2tiny.syntax import parser, tables


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    forget(monkeypatch)
    return tmp_path / "hlo2tiny"


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a new process, that has built nothing."""
    monkeypatch.setattr(tinygrad, "_rendered", {})
    monkeypatch.setattr(native, "_libraries", {})


def run() -> None:
    entry = BY_NAME["lstm"]
    entry.check(hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs()))


def test_a_second_process_builds_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    forget(monkeypatch)

    def fail(*arguments: object) -> None:
        raise AssertionError("built again")

    monkeypatch.setattr(tinygrad, "_render", fail)
    monkeypatch.setattr(native, "built", fail)
    run()


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


def test_the_grammars_tables_are_made_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed() -> tuple[str, str]:
        parser._builder.cache_clear()
        module = str(hlo2tiny.parse(BY_NAME["gpt_decoder_scan"].path))
        with pytest.raises(hlo2tiny.ParseError) as raised:
            hlo2tiny.parse("func.func @main( {\n}")
        return module, str(raised.value)

    try:
        made = parsed()
        monkeypatch.setattr(tables, "Lark", Kept)
        assert parsed() == made
    finally:
        parser._builder.cache_clear()


class Kept:
    """Lark that makes no tables."""

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
    monkeypatch.setattr(cache, "BOUND", 3 * 132)
    for number in range(5):
        cache.write(f"entry{number}", bytes(100))
        os.utime(place / f"entry{number}", (number, number))
    cache.write("last", bytes(100))
    assert {path.name for path in place.iterdir()} == {"entry3", "entry4", "last"}


def test_names_depend_on_their_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.key("a", "b") == cache.key("a", "b") != cache.key("ab", "") != cache.key("b", "a")
    before = cache.key("a")
    monkeypatch.setattr(cache, "code_identity", lambda: "another version")
    assert cache.key("a") != before


def test_processes_share_the_folder(place: Path) -> None:
    program = f"""
import numpy as np, hlo2tiny
program = hlo2tiny.load({str(BY_NAME["lstm"].path)!r}, device="CPU")
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
