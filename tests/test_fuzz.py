"""A short run of tests/fuzz.py: mutated files of each format are read, or refused as they should be."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from fuzz import SEEDS, Failure, read, run


@pytest.mark.parametrize("kind", SEEDS)
def test_run(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(kind, SEEDS[kind](), argparse.Namespace(seconds=60, runs=400, seed=0)) == 0
    assert "ParseError" in capsys.readouterr().out


def test_failures_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What raises anything else is written to a file, once for each place."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fuzz.read", lambda data, binary: 1 // 0)
    assert run("text", [b"module {}"], argparse.Namespace(seconds=60, runs=5, seed=0)) == 1
    assert len(list(tmp_path.iterdir())) == 1
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_words() -> None:
    assert read(b"module { func.func @main() { return } }", False) == "valid"
    assert read(b"ML\xefR", True) == "ParseError"
    with pytest.raises(Failure, match="took"):
        read_slowly()


def read_slowly() -> None:
    import fuzz

    before, fuzz.SLOWEST = fuzz.SLOWEST, -1.0
    try:
        read(b"module { func.func @main() { return } }", False)
    finally:
        fuzz.SLOWEST = before
