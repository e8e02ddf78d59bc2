"""`hlo2tiny bench`: what it reports of small programs, and what it says when it cannot. No test here asserts a time."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from test_cli import OPEN, TINY, cli

from corpus import BY_NAME
from hlo2tiny import bench

QUICK = ("--seconds", "0.02")


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.mlir"
    path.write_text(TINY)
    np.save(tmp_path / "x.npy", np.array([1, 2], np.float32))
    return path


def test_the_figures_of_two_programs_beside_xlas(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jax")
    files = (tiny, BY_NAME["bf16_mlp"].path)
    code, out, err = cli(capsys, "bench", *files, "--vs-xla", "--json", *QUICK)
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert [row["file"] for row in report["programs"]] == [str(file) for file in files]
    for row in report["programs"]:
        ours, theirs = row["figures"]["hlo2tiny"], row["figures"]["XLA"]
        assert list(ours) == list(theirs) and set(ours) == set(bench.FIGURES)
        assert all(value > 0 for value in (*ours.values(), *theirs.values()))
        assert ours["best"] <= ours["median"] and ours["first_cold"] < ours["start_cold"]
        assert row["ratios"]["XLA"] == {key: ours[key] / theirs[key] for key in bench.FIGURES}
        assert row["failed"] == {}
        assert row["differences"]["XLA"] < 1e-2
    assert report["programs"][0]["differences"]["XLA"] == 0
    means = report["geometric_means"]["XLA"]
    a, b = (row["ratios"]["XLA"]["median"] for row in report["programs"])
    assert math.isclose(means["median"], math.sqrt(a * b)) and set(means) == set(bench.FIGURES)
    assert set(report["call_overhead"]) == {"hlo2tiny", "XLA"}


def test_the_table_with_given_inputs(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tiny.parent / "both.npz", x=np.array([1, 2], np.float32), n=np.array([3, 4], np.int32))
    code, out, _ = cli(capsys, "bench", tiny, "--vs-tinygrad", "--input", tiny.parent / "both.npz", *QUICK)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == str(tiny) and lines[1].split() == ["hlo2tiny", "tinygrad", "ratio"]
    assert [line[2:46].strip() for line in lines[2 : 2 + len(bench.FIGURES)]] == list(bench.FIGURES.values())
    assert lines[-1].startswith("a call of one operation, numpy in and out: hlo2tiny ")


def test_a_contender_that_fails_is_named_and_the_others_are_measured(tmp_path: Path) -> None:
    path = tmp_path / "wrong.mlir"
    path.write_text(TINY.replace("negate", "no_such_op"))
    found = bench.measure(path, [np.zeros(2, np.float32), np.zeros(2, np.int32)], [], 0.01)
    assert list(found["failed"]) == ["hlo2tiny"] and found["figures"] == {}
    assert found["failed"]["hlo2tiny"].startswith("ParseError") or "no_such_op" in found["failed"]["hlo2tiny"]
    assert "hlo2tiny failed: " in bench.table("wrong.mlir", found)


def test_a_process_that_ends_is_a_failure(tiny: Path) -> None:
    with bench.process("hlo2tiny", bench.this_process_cores(), tiny.parent) as worker:
        worker.popen.kill()
        with pytest.raises(bench.ContenderFailed, match="its process ended with"):
            worker.ask("one op", seconds=0.01)


def test_errors(tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def message(*arguments: object) -> str:
        code, out, err = cli(capsys, "bench", *arguments)
        assert (code, out) == (1, "") and err.startswith("hlo2tiny: error: ")
        return err

    assert "--seconds 0.0: expected a number of seconds above 0" in message(tiny, "--seconds", "0")
    assert "--seconds nan: expected" in message(tiny, "--seconds", "nan")
    assert "--seconds inf: expected" in message(tiny, "--seconds", "inf")
    assert "absent.mlir" in message(tiny, tiny.parent / "absent.mlir")
    assert "the program has no input 'y'; it has x, n" in message(tiny, "--input", f"y={tiny.parent}/x.npy")
    path = tiny.parent / "open.mlir"
    path.write_text(OPEN)
    assert "use --shape x=SIZE,SIZE" in message(path)
    if bench.importlib.util.find_spec("jax") is not None:
        assert "leaves shapes open, which XLA does not take" in message(path, "--vs-xla", "--shape", "x=3,2")
    monkeypatch.setattr(bench.importlib.util, "find_spec", lambda name: None)
    assert "--vs-xla needs JAX, which is not installed: pip install 'hlo2tiny[jax]'" in message(tiny, "--vs-xla")
    assert cli(capsys, "bench")[0] == 2


def test_open_shapes_can_be_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.mlir"
    path.write_text(OPEN)
    code, out, _ = cli(capsys, "bench", path, "--shape", "x=3,2", *QUICK)
    assert code == 0 and "call, median" in out


def test_ratios_and_means() -> None:
    figures = {"hlo2tiny": {"median": 2.0, "best": 1.0}, "XLA": {"median": 4.0, "best": 0.0}}
    assert bench.ratios(figures) == {"XLA": {"median": 0.5}}
    assert bench.ratios({"XLA": {"median": 1.0}}) == {}
    rows = [{"ratios": {"XLA": {"median": m}}} for m in (0.5, 2.0, 8.0)] + [{"ratios": {}}]
    assert bench.geometric_means(rows) == {"XLA": {"median": pytest.approx(2.0)}}


def test_differences() -> None:
    x = np.array([1, -4, np.inf, np.nan], np.float32)
    assert bench.difference([x], [x.copy()]) == 0
    assert bench.difference([x], [x + np.array([0.5, 0, 0, 0], np.float32)]) == 0.125
    assert bench.difference([x], [np.nan_to_num(x)]) is None
    assert bench.difference([np.array([1 + 1j])], [np.array([2j])]) == pytest.approx(math.sqrt(2) / 2)
    assert bench.difference([np.array([True])], [np.array([False])]) == 1
    assert bench.difference([np.zeros(0)], [np.zeros(0)]) == 0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(250.0, "250 s"), (1.0, "1.00 s"), (0.0123, "12.3 ms"), (4.4e-6, "4.40 µs"), (2e-8, "0.02 µs")],
)
def test_durations(seconds: float, text: str) -> None:
    assert bench.duration(seconds) == text


def test_a_message_that_quotes_a_file_cannot_write_to_the_terminal() -> None:
    assert bench.one_line("bad \x1b[2J name\nmore") == "bad \N{REPLACEMENT CHARACTER}[2J name"
