"""Tests are not skipped without one of the reasons that conftest.py lists; of sampled tests CI runs some cases."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import conftest

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

@pytest.mark.sampled(3, first=1)
@pytest.mark.parametrize("x", range(8))
def test_some(x):
    assert x in (1, 4, 7), "not in CI"

@pytest.mark.sampled(2)
@pytest.mark.parametrize("x", range(2))
def test_others(x):
    assert x == 0, "not in CI"
"""


def run(folder: Path, tests: str, *options: str) -> str:
    (folder / "test_skips.py").write_text(tests, encoding="utf-8")
    (folder / "conftest.py").write_text(Path(conftest.__file__).read_text(encoding="utf-8"), encoding="utf-8")
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


def test_a_sample_is_fixed_and_the_night_runs_the_others(tmp_path: Path) -> None:
    assert "4 passed, 6 deselected" in run(tmp_path, SAMPLED, "-m", "not night")
    assert "6 failed, 4 passed" in run(tmp_path, SAMPLED)
