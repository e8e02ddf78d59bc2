"""Tests are not skipped without a reason that conftest.py lists; each run has its cases; texts are compiled once."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import conftest
import pytest

from hlo2tiny.targets import NotBuilt
from hlo2tiny.targets.c import linking

ROOT = Path(__file__).parents[1]
TESTS = """
import pytest

def test_listed():
    pytest.skip("no OpenCL (…): x")

def test_another():
    pytest.skip("too slow")

def test_import():
    pytest.importorskip("no_such_package")

@pytest.mark.skipif(True, reason="not today")
def test_condition():
    pass

@pytest.mark.parametrize("x", [])
def test_of_nothing(x):
    pass

@pytest.mark.xfail(strict=True)
def test_known():
    assert False
"""
MODULE = """
import pytest
pytest.skip("later", allow_module_level=True)
"""


SAMPLED = """
import pytest

@pytest.mark.sampled(6, ci=3, first=1)
@pytest.mark.parametrize("x", range(9))
def test_some(x):
    print("default" if x in (1, 7) else "ci" if x == 4 else "night")

@pytest.mark.sampled(2)
@pytest.mark.parametrize("x", range(3))
def test_others(x):
    print("ci" if x == 1 else "default")

@pytest.mark.ci
@pytest.mark.sampled(2, ci=2)
@pytest.mark.parametrize("x", range(2))
def test_all_of_them_slow(x):
    print("night" if x else "ci")

def test_one():
    print("default")
"""


def run(folder: Path, tests: str, *options: str) -> str:
    (folder / "test_skips.py").write_text(tests, encoding="utf-8")
    for name in ("conftest.py", "compiled.py"):
        shutil.copy(Path(conftest.__file__).with_name(name), folder)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        "/dev/null",
        "--rootdir",
        str(folder),
    ]
    found = subprocess.run([*command, *options, str(folder)], capture_output=True, text=True)
    assert found.returncode in (0, 1, 2), found.stdout + found.stderr
    return found.stdout


def test_a_skip_without_a_listed_reason_fails(tmp_path: Path) -> None:
    printed = run(tmp_path, TESTS)
    assert "2 failed, 1 skipped, 1 xfailed, 2 errors" in printed
    assert "too slow: not one of the reasons" in printed


def test_a_module_that_is_skipped(tmp_path: Path) -> None:
    assert "later: not one of the reasons" in run(tmp_path, MODULE)


@pytest.mark.ci
def test_each_test_is_of_one_run(tmp_path: Path) -> None:
    """The expressions of pyproject.toml and .ci/run, and the marker of the night, divide the tests."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    default = options["addopts"].partition("-m ")[2].strip("'")
    (ci,) = re.findall(r'^pytest .*-m "(ci[^"]*)"', (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    for name, expression, count in (("default", default, 5), ("ci", ci, 3), ("night", "night", 7), ("", "", 15)):
        printed = run(tmp_path, SAMPLED, "-rP", "-m", expression)
        assert f"{count} passed" in printed
        assert not name or len(re.findall(rf"^{name}$", printed, re.MULTILINE)) == count, printed


def test_ci_runs_what_everybody_runs() -> None:
    with pytest.raises(AssertionError, match=r"sampled\(4, ci=3\)"):
        conftest.marker_of_case(0, 4, 3)


def test_a_text_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, real = [], subprocess.run

    def run(command: list[str], **options: Any) -> Any:
        compiled.extend([options["input"]] if "-c" in command else [])
        return real(command, **options)

    monkeypatch.setattr(subprocess, "run", run)
    for name, text in (("a.o", "int one = 1;"), ("b.o", "int one = 1;"), ("c.o", "int one = 2;")):
        linking.compile_text(text, tmp_path / name, (), linking.this_machine())
    assert compiled == [b"int one = 1;", b"int one = 2;"]
    a, b, c = ((tmp_path / f"{name}.o").read_bytes() for name in "abc")
    assert a == b != c
    for _ in range(2):
        with pytest.raises(NotBuilt):
            linking.compile_text("int", tmp_path / "d.o", (), linking.this_machine())
