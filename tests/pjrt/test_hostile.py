"""A client that does everything wrong, hostile.c, in one program with the library, both compiled with sanitizers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlo2tiny.pjrt.library import INTERFACE, text

CLIENT = Path(__file__).with_name("hostile.c")
OPTIONS = "-O1 -g -w -fsanitize=address,undefined -fno-sanitize-recover=undefined".split()


def has_sanitizers(folder: Path) -> bool:
    """Whether this machine's gcc has the libraries of sanitizers."""
    command = ["gcc", *OPTIONS, "-x", "c", "-", "-o", str(folder / "empty")]
    try:
        made = subprocess.run(command, input="int main(void) { return 0; }", text=True, capture_output=True)
    except OSError:
        return False
    return made.returncode == 0 and subprocess.run([folder / "empty"], capture_output=True).returncode == 0


def test_a_client_that_does_everything_wrong_gets_errors(tmp_path: Path) -> None:
    if not has_sanitizers(tmp_path):
        pytest.skip("there is no gcc with sanitizers")
    sources = {"library.c": text(), "client.c": f'{INTERFACE}\n#line 1 "hostile.c"\n{CLIENT.read_text("utf-8")}'}
    for name, source in sources.items():
        (tmp_path / name).write_text(source, "utf-8")
    subprocess.run(["gcc", *OPTIONS, *sources, "-o", "client"], cwd=tmp_path, check=True)
    done = subprocess.run(["./client"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "0 wrong\n"), done.stdout + done.stderr[-8000:]
