"""The compiler of the ziglang wheel: found, refused where it is missing, and its errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlo2tiny.errors import InputError, UnsupportedOp
from hlo2tiny.machine import zig


def test_objects_for_another_system(tmp_path: Path) -> None:
    zig.run("clang", ["--target=wasm32", "-x", "c", "-c", "-", "-o", tmp_path / "one.o"], "int one(void) { return 1; }")
    assert (tmp_path / "one.o").read_bytes()[:4] == b"\0asm"


def test_an_error_is_told() -> None:
    with pytest.raises(UnsupportedOp, match=r"bug in hlo2tiny: zig clang: .*error: expected"):
        zig.run("clang", ["-x", "c", "-fsyntax-only", "-"], "int one(")


def test_the_wheel_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zig, "wheel", lambda: None)
    zig.command.cache_clear()
    with pytest.raises(InputError, match=r"pip install 'hlo2tiny\[cc\]'"):
        zig.command()
    monkeypatch.setattr(zig, "wheel", lambda: Path("missing/zig"))
    with pytest.raises(InputError, match="does not run on this machine"):
        zig.command()
    zig.command.cache_clear()
