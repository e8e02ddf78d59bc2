"""What .ci's scripts find and name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import everywhere
import fuzz
import pytest

ROOT = Path(__file__).parents[1]
CI = ROOT / ".ci"
HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"


def pythons(*folders: Path, pyenv: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": os.pathsep.join(map(str, folders)), "PYENV_ROOT": str(pyenv)}
    return subprocess.run([sys.executable, CI / "pythons"], env=environment, capture_output=True, text=True)


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_pythons_are_found_on_the_path_and_in_pyenvs_folder(tmp_path: Path) -> None:
    """Each minor version once, oldest first; those that are too old or do not run are named, and are no error."""
    here = script(tmp_path / "bin" / f"python{HERE}", f'exec {sys.executable} "$@"')
    shim = script(tmp_path / "shims" / "python3.98", "exit 127")
    new = script(tmp_path / "pyenv" / "versions" / "3.99.0" / "bin" / "python3.99", "echo 3 99")
    old = script(tmp_path / "pyenv" / "versions" / "3.9.1" / "bin" / "python3.9", "echo 3 9")
    script(tmp_path / "bin" / f"python{HERE}-config", "echo 3 77")
    found = pythons(here.parent, shim.parent, tmp_path / "nowhere", pyenv=tmp_path / "pyenv")
    assert found.returncode == 0
    assert found.stdout.splitlines() == [f"{HERE} {here}", f"3.99 {new}"]
    assert f"left out: {shim} does not run here" in found.stderr and f"left out: {old} is older than" in found.stderr
    alone = pythons(here.parent, pyenv=tmp_path / "nowhere")
    assert (alone.returncode, alone.stdout.splitlines()) == (0, [f"{HERE} {here}"])
    none = pythons(shim.parent, pyenv=tmp_path / "nowhere")
    assert none.returncode != 0 and "no Python of 3.11 or later was found" in none.stderr


@pytest.mark.parametrize(
    "name", [path.name for path in CI.iterdir() if path.read_bytes().startswith(b"#!/usr/bin/env bash")]
)
def test_scripts_are_bash(name: str) -> None:
    subprocess.run(["bash", "-n", CI / name], check=True)


def test_the_tests_under_the_oldest_python_are_there() -> None:
    names = [
        line.strip()
        for line in (CI / "oldest").read_text(encoding="utf-8").splitlines()
        if line.partition("#")[0].strip()
    ]
    assert len(names) >= 15 and all((ROOT / name).exists() for name in names)
    assert len({*names}) == len(names)


def test_the_night_runs_all_kinds_of_mutations_and_all_targets() -> None:
    """It names them, as it cannot ask before it has made an environment."""
    night = (CI / "night").read_text(encoding="utf-8")
    assert re.search(r"for kind in (.*);", night)[1].split() == [*fuzz.SEEDS, *fuzz.OF_PROGRAMS]
    assert {*re.search(r"for target in (.*);", night)[1].split()} == {*everywhere.TARGETS}
