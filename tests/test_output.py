"""Writing to the paths that a user names: devices, pipes and links stay what they are, and nothing is half written."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.cli import main
from hlo2tiny.commands.convert import convert
from hlo2tiny.errors import InputError
from hlo2tiny.formats import safetensors
from hlo2tiny.output import expect_writable, written

TEXT = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"


def write(path: Path, contents: bytes = b"new") -> None:
    with written(path) as file:
        file.write(contents)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    with pytest.raises(ZeroDivisionError), written(path) as file:
        file.write(b"half")
        _ = 1 // 0
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]
    write(path)
    assert path.read_bytes() == b"new" and list(tmp_path.iterdir()) == [path]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_files_permissions_are_the_users(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path / "file")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder/target", tmp_path / "link"
    link.symlink_to("folder/target")
    for contents in (b"first", b"2"):  # to where nothing is, and to a file
        write(link, contents)
        assert link.is_symlink() and target.read_bytes() == contents
    with pytest.raises(ZeroDivisionError), written(link) as file:
        file.write(b"half")
        _ = 1 // 0
    assert target.read_bytes() == b"2"


def test_a_device_stays(tmp_path: Path) -> None:
    write(Path("/dev/null"))
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    if os.geteuid() == 0:
        device = tmp_path / "null"
        try:
            os.mknod(device, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
            write(device)
        except PermissionError:  # this machine gives no devices, or does not let them be opened
            return
        except InputError as error:
            assert "Permission denied" in str(error)
        assert stat.S_ISCHR(device.stat().st_mode)


def test_a_pipe_is_written_to(tmp_path: Path, program: Path) -> None:
    pipe, found = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    assert main(["run", str(program), "--device", "CPU", "--random", "0", "--save", str(pipe)]) == 0
    reader.join()
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    (tmp_path / "read.npz").write_bytes(found[0])
    with np.load(tmp_path / "read.npz") as archive:
        assert archive["out0"].shape == (2,)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "expected the path of a file"),
        ("no/file", "there is no folder"),
        ("folder", "this is a folder"),
        ("circle", "Too many levels"),
        ("astray", "is not a folder"),
        ("socket", "expected a regular file"),
        ("a\0b", "NUL"),
        ("program.mlir/x", "there is no folder"),
    ],
)
def test_what_cannot_be_written_is_known_before(
    name: str, message: str, tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("circle").symlink_to("circle")
    Path("astray").symlink_to("no/where")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        before = sorted(Path().rglob("*"))
        with pytest.raises(InputError, match=message):
            expect_writable(name, "--save")
        with pytest.raises(InputError), written(name):
            raise AssertionError("it is refused before anything is written")
        with pytest.raises(InputError):
            safetensors.write(name, {"x": np.zeros(2)})
        with pytest.raises(InputError, match=message):
            convert(program, name)
        with pytest.raises(InputError, match=message):
            hlo2tiny.export(lambda x: x, np.zeros(2), path=name)
        # Before the program is read, which would end in another error.
        monkeypatch.setattr("hlo2tiny.commands.inputs.load", lambda *_: pytest.fail("the program was loaded"))
        arguments = ["program.mlir", "--random", "0"]
        for command in (["run", *arguments, "--save", name], ["bench", *arguments, "--profile", name]):
            try:
                assert main(command) == 1
            except SystemExit as stop:
                assert name == "" and stop.code == 2
        assert sorted(Path().rglob("*")) == before
