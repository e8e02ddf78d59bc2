"""Where a program's bytes come from: files, pipes, standard input; each is read once."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny import formats
from hlo2tiny.commands.convert import text_for_xla
from hlo2tiny.formats import ProgramFile, sidecar
from hlo2tiny.formats.artifact import Artifact
from hlo2tiny.ir import ArrayAttr, DenseAttr, ScalarType, TensorType
from hlo2tiny.machine import cache
from hlo2tiny.ops.structure import attribute_key

TEXT = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
TIMEOUT = 120


def run(*arguments: str, given: str | None = None, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hlo2tiny", *arguments]
    stdin = {"stdin": subprocess.DEVNULL} if given is None else {"input": given}
    return subprocess.run(command, text=True, capture_output=True, timeout=TIMEOUT, **stdin, **options)


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input(name: str) -> None:
    done = run("run", name, "--random", "0", given=TEXT)
    assert done.returncode == 0, done.stderr
    assert "float32[2]" in done.stdout


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "arguments",
    [["inspect", "-"], ["diff", "-", "model.mlir"], ["convert", "-", "out.mlir"], ["compile", "-", "-o", "out"]],
    ids=lambda found: found[0],
)
def test_every_command_takes_standard_input(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "model.mlir").write_text(TEXT)
    done = run(*arguments, given=TEXT, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.ci
def test_errors_about_standard_input_name_it() -> None:
    done = run("run", "-", given=TEXT.replace("add", "bad"))
    assert done.returncode == 1
    assert "<stdin>:2" in done.stderr
    listed = run(
        "inspect",
        "-",
        given=TEXT.replace(
            "stablehlo.add %x, %x : tensor<2xf32>", '"stablehlo.transpose"(%x) : (tensor<2xf32>) -> tensor<2xf32>'
        ),
    )
    assert "<stdin>:2:8: stablehlo.transpose: lacks the attribute 'permutation'" in listed.stdout


def test_a_fifo_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=[TEXT], daemon=True)
    writer.start()
    program = hlo2tiny.load(path, device="CPU")
    writer.join(TIMEOUT)
    assert program.numpy(np.ones(2, np.float32))[0].tolist() == [2, 2]
    assert len(program.module.functions) == 1


@pytest.mark.parametrize(
    ("path", "message"),
    [("/dev/zero", "may never end"), ("/dev/urandom", "may never end"), ("/dev/null", "empty"), ("/", "directory")],
)
def test_what_is_not_a_file_is_refused(path: str, message: str) -> None:
    with pytest.raises(hlo2tiny.Error, match=message):
        hlo2tiny.load(Path(path), device="CPU")


def test_sockets_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        with pytest.raises(hlo2tiny.InputError, match="this is a socket"):
            hlo2tiny.load(Path("socket"), device="CPU")


def test_a_stream_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlo2tiny.syntax.source.MOST_STREAMED", 1000)
    reader, writer = os.pipe()
    os.write(writer, b" " * 2000)
    with pytest.raises(hlo2tiny.InputError, match="more than 1,000 bytes"):
        hlo2tiny.load(Path(f"/proc/self/fd/{reader}"), device="CPU")
    os.close(reader)
    os.close(writer)


def test_a_row_is_all_that_a_new_format_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/extend/format.md adds one with weights."""

    def read(data: bytes, path: str, device: str | None) -> Artifact | None:
        return formats.read_text(data[4:], path, device) if data[4:5] != b"?" else None

    row = formats.Format("tiny", lambda head: head.startswith(b"TINY"), read)
    monkeypatch.setattr(formats, "FORMATS", [row, *formats.FORMATS])
    path = tmp_path / "model.tiny"
    path.write_bytes(b"TINY" + TEXT.encode())
    assert hlo2tiny.load(path, device="CPU").numpy(np.ones(2, np.float32))[0].tolist() == [2, 2]
    assert text_for_xla(path, tmp_path).read_bytes().startswith(b'"builtin.module"')
    path.write_bytes(b"TINY?")
    with pytest.raises(hlo2tiny.ParseError, match=r"unexpected \?"):
        hlo2tiny.load(path, device="CPU")


def test_the_bytes_that_are_hashed_are_those_that_are_read(tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(TEXT)
    file = ProgramFile(path)
    digest = file.digest
    path.write_text(TEXT.replace("add", "subtract"))
    assert next(op.name for op in file.read().module.walk()) == "stablehlo.add"
    assert file.digest == digest != ProgramFile(path).digest


def test_a_file_that_changes_while_it_is_read_is_not_kept_under_another_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(TEXT)
    read = formats.read_unpacked

    def changing(*arguments: object) -> object:
        path.write_text(TEXT.replace("add", "subtract"))
        return read(*arguments)

    monkeypatch.setattr(formats, "read_unpacked", changing)
    hlo2tiny.load(path, device="CPU").compile()
    monkeypatch.undo()
    ones = np.ones(2, np.float32)
    assert hlo2tiny.load(path, device="CPU").numpy(ones)[0].tolist() == [0, 0]
    path.write_text(TEXT)
    assert hlo2tiny.load(path, device="CPU").numpy(ones)[0].tolist() == [2, 2]


def test_a_text_and_its_json_are_told_apart(tmp_path: Path) -> None:
    first, second = tmp_path / "first.mlir", tmp_path / "second.mlir"
    note = json.dumps({"note": 1})
    first.write_text(TEXT)
    sidecar.path_of(str(first)).write_text("// " + note)
    second.write_text(TEXT + "// " + note)
    assert ProgramFile(first).digest != ProgramFile(second).digest


def test_parts_of_a_cache_key_are_told_apart() -> None:
    assert len({cache.key(*parts) for parts in [("a", "b"), ("a\0b",), ("a", "b", ""), ("", "a", "b"), ("ab",)]}) == 5


def test_region_keys_tell_long_nested_arrays_apart() -> None:
    def attribute(middle: int) -> ArrayAttr:
        data = np.zeros(5000, np.int32)
        data[2500] = middle
        return ArrayAttr((DenseAttr(TensorType((5000,), ScalarType("i32")), data),))

    assert attribute_key(attribute(0)) == attribute_key(attribute(0)) != attribute_key(attribute(1))
