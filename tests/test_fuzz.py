"""Short runs of tests/fuzz.py: mutated files are read or refused as they should be, and what compiles is safe."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest
import sanitized
import structured
from fuzz import SEEDS, read, run
from limits import Exceeded

import hlo2tiny


@pytest.mark.parametrize("kind", SEEDS)
def test_run(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(kind, SEEDS[kind](), argparse.Namespace(seconds=60, runs=400, seed=0)) == 0
    assert "ParseError" in capsys.readouterr().out


def test_failures_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What raises anything else is written to a file, once for each line of code that raises."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fuzz.read", lambda data, binary: 1 // 0)
    assert run("text", [b"module {}"], argparse.Namespace(seconds=60, runs=5, seed=0)) == 1
    assert len(list(tmp_path.iterdir())) == 1
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_words() -> None:
    assert read(b"module { func.func @main() { return } }", False) == "valid"
    assert read(b"ML\xefR", True) == "ParseError"


@pytest.mark.ci
def test_an_input_may_take_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the error about it has been caught, as this package does with a MemoryError."""

    def endless(*_: object) -> None:
        while True:
            pass

    def hungry(*_: object) -> None:
        try:
            bytearray(3 << 30)
        except MemoryError as error:
            raise hlo2tiny.InputError("more memory than the machine has") from error

    monkeypatch.setattr("limits.SLOWEST", 0.1)
    for use, words in ((endless, "took more than 0.1 s"), (hungry, "took more than 2048 MiB")):
        monkeypatch.setattr("hlo2tiny.formats.read_contents", use)
        with pytest.raises(Exceeded, match=words):
            read(b"module {}", False)
        monkeypatch.setattr("hlo2tiny.parse", use)
        found = structured.verdict(PROGRAM)
        assert found.kind == "failed" and words in found.message
        monkeypatch.setattr(sanitized.compiling, "run", use)
        with pytest.raises(sanitized.Report, match=words):
            monkeypatch.setattr(sanitized.inputs, "signature", lambda module: [])
            monkeypatch.setattr("hlo2tiny.parse", lambda text: None)
            sanitized.check(PROGRAM, 0, "cc")
    bytearray(3 << 30)  # the limit is gone


# ---------------------------------------------------------------- programs

MODE: dict[str, Any] = {"seconds": float("inf"), "seed": 0, "only": None, "keep": None, "json": None, "listed": 100}
MODE |= {"execute": False, "mutants": False}


@pytest.mark.ci
def test_structured() -> None:
    """What MLIR rejects, load refuses, but for a few; what it takes, load takes; there are no errors of other kinds."""
    report = structured.run(argparse.Namespace(**MODE, runs=1500, every=5))
    assert not report.listed[structured.FAILED]
    assert not report.counts["valid programs refused"]
    assert report.counts["strict VerifyError"] <= 0.05 * report.mlir["valid"]
    refused, count = report.share("verifier")
    assert count > 300
    assert refused >= structured.SHARE * count


@pytest.mark.ci
def test_execution_of_mutants() -> None:
    report = structured.run(argparse.Namespace(**MODE | {"only": "multiply", "execute": True}, runs=30, every=20))
    assert report.ran["equal"]
    assert not any(report.ran[word] for word in structured.WRONG)


PROGRAM = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
CONTRADICTION = PROGRAM.replace(
    "stablehlo.add %x, %x : tensor<3xf32>",
    '"stablehlo.reverse"(%x) <{dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<3xf32>',
)


def test_verdicts() -> None:
    """What each says of a valid program, of an invalid one, and of text that is no program."""
    assert structured.mlir_verdict(PROGRAM) == "" and structured.verdict(PROGRAM).kind == "valid"
    reason = structured.mlir_verdict(CONTRADICTION)
    assert reason and not structured.is_of_text(reason)
    assert structured.is_of_text(structured.mlir_verdict(PROGRAM.replace("return", "retrun")))
    undefined = structured.verdict(PROGRAM.replace("%x, %x", "%x, %y"))
    assert (undefined.kind, undefined.parsed) == ("VerifyError", False)
    quantized = PROGRAM.replace("f32", "!quant.uniform<i8:f32, 0.5>")
    assert structured.mlir_verdict(quantized) == ""


def test_judgement(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What load accepts though it should not, what it refuses though it should not, and other errors are all listed."""
    verdicts = {
        structured.ACCEPTED: (structured.Verdict("valid"), CONTRADICTION),
        structured.STRICTER: (structured.Verdict("VerifyError", "no"), PROGRAM),
        structured.FAILED: (structured.Verdict("failed", "KeyError in somewhere"), PROGRAM),
    }
    for heading, (ours, text) in verdicts.items():
        monkeypatch.setattr(structured, "verdict", lambda text, ours=ours: ours)
        report = structured.Report(folder=tmp_path)
        structured.judge(report, text, "stablehlo.reverse", "number", "here")
        assert [*report.listed] == [heading]
        ((count, path),) = report.listed[heading].values()
        assert count == 1 and text in Path(path).read_text(encoding="utf-8")
    assert report.share("verifier") == (0, 0)


def test_an_error_of_another_class_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlo2tiny.parse", lambda text: 1 // 0)
    found = structured.verdict(PROGRAM)
    assert found.kind == "failed" and "ZeroDivisionError" in found.message


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (PROGRAM, "equal"),
        (PROGRAM.replace("3x", "?x"), "not run"),
        (PROGRAM.replace("3x", "3000000x"), "not run"),
    ],
)
def test_execution(text: str, word: str) -> None:
    assert structured.executed(text, 0)[0] == word


def test_differences() -> None:
    import numpy as np

    one = np.ones(3, np.float32)
    assert structured.difference([one], [one])[0] == "equal"
    assert structured.difference([one], [one * 2])[0] == "different"
    assert structured.difference([one], [one.astype(np.float64)])[0] == "different"


COMPILER = sanitized.compiler()
needs_sanitizers = pytest.mark.skipif(COMPILER is None, reason="no compiler here has the sanitizers")


@pytest.mark.ci
@pytest.mark.timeout(900)
@needs_sanitizers
def test_sanitized() -> None:
    outcome = sanitized.run(argparse.Namespace(**MODE, runs=6, every=13))
    assert outcome.counts["programs"] >= 3
    assert not outcome.reports


@needs_sanitizers
@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("return MODEL_OK;", "return ((const char *)inputs[0])[12] ? 1 : 0;", "heap-buffer-overflow"),
        ("return MODEL_OK;", "return 1 << (((const char *)inputs[0])[11] | 64);", "shift exponent"),
        ("return MODEL_OK;", "return no_such_name;", "no_such_name"),
    ],
)
def test_sanitizers_see(before: str, after: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read past the end of an input, an undefined shift, and code that does not compile are reported."""

    def damaged(options: argparse.Namespace) -> None:
        compile_program(options)
        path = Path(options.output) / "model.c"
        text = path.read_text()
        assert before in text
        first, name, last = text.partition("static int run(model_context *context, ")
        head, _, tail = last.partition(before)
        path.write_text(f"{first}{name}{head}{after}{tail}")

    compile_program = sanitized.compiling.run
    monkeypatch.setattr(sanitized.compiling, "run", damaged)
    with pytest.raises(sanitized.Report, match=found) as raised:
        sanitized.check(PROGRAM, 0, str(COMPILER))
    assert sanitized.headline(str(raised.value))
