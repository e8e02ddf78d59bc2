"""`hlo2tiny check`: how far results are from a reference's, and the first op that differs."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import export, lax

from hlo2tiny import load
from hlo2tiny.cli import main
from hlo2tiny.commands.check import (
    RunModule,
    Search,
    compare,
    half_of_the_digits,
    largest,
    ours,
    tinygrad,
    xla,
)
from hlo2tiny.errors import InputError
from hlo2tiny.ir import Module
from hlo2tiny.rules import RULES
from hlo2tiny.targets.c import render as kernels
from hlo2tiny.targets.tinygrad import executor
from hlo2tiny.timeout import time_limit

# ---------------------------------------------------------------- comparing arrays


def float32(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float32)


def test_units_in_the_last_place() -> None:
    x = float32(1, 2, -3)
    y = np.nextafter(x, float32(9))
    found = compare(y, x, 1.0)
    assert (found.ulps, found.beyond, found.index) == (1.0, 0, (0,))
    assert compare(y, x, 0.5).beyond == 3
    assert found.absolute == pytest.approx(2.0**-22)


def test_units_of_the_largest_number() -> None:
    x, y = float32(1024, 1), float32(1024, 1.0001)
    assert compare(y, x, 2.0).beyond == 1
    assert compare(y, x, 2.0, largest(x)).beyond == 0


def test_what_is_not_finite() -> None:
    x = float32(np.nan, np.inf, -np.inf, 0.0)
    assert compare(x, float32(np.nan, np.inf, -np.inf, -0.0), 0.0).beyond == 0
    for y in (float32(1, np.inf, -np.inf, 0), float32(np.nan, 1, -np.inf, 0), float32(np.nan, np.inf, np.inf, 0)):
        assert compare(y, x, 1e9).beyond == 1
        assert compare(y, x, 1e9).absolute == np.inf


def test_numbers_too_small_to_be_normal_may_be_zero() -> None:
    assert compare(float32(1e-38, 1), float32(0, 1), 1.0).beyond == 0


def test_narrow_floats_and_whole_numbers() -> None:
    x = np.array([1, 2], ml_dtypes.bfloat16)
    assert compare(np.array([1.0078125, 2], ml_dtypes.bfloat16), x, 1.0).ulps == 1.0
    assert half_of_the_digits(x.dtype) == pytest.approx(2**3.5)
    lowest, highest = (np.array([limit], np.int64) for limit in (-(2**63), 2**63 - 1))
    assert compare(lowest, highest, 1e9).absolute == 2.0**64
    assert compare(lowest, highest, 1e9).ulps is None
    assert compare(np.array([True]), np.array([False]), 1e9).beyond == 1
    assert compare(np.array([1 + 1j], np.complex64), np.array([1 + 2j], np.complex64), 1.0).beyond == 1
    assert compare(np.zeros((0, 3)), np.zeros((0, 3)), 0.0).beyond == 0


# ---------------------------------------------------------------- the first op that differs


@pytest.fixture(scope="module")
def reference() -> Iterator[RunModule]:
    with xla() as run:
        yield run


@pytest.fixture
def wrong_tanh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that is wrong above 0.9, in kernels that no other test has."""
    right = RULES["stablehlo.tanh"]

    def wrong(x: Any, **keywords: Any) -> Any:
        return (x > 0.9).where(x * 0, right.function(x, **keywords))

    monkeypatch.setitem(RULES, "stablehlo.tanh", replace(right, function=wrong))
    monkeypatch.setattr(kernels.REGIONS, "regions", {})
    monkeypatch.setattr(executor.REGIONS, "regions", {})


def module_of(function: Callable[..., Any], *arrays: np.ndarray) -> tuple[Module, Sequence[np.ndarray]]:
    program = load(export.export(jax.jit(function))(*arrays).mlir_module(), device="CPU")
    return program.static_module(arrays), arrays


X = np.linspace(-2, 2, 21, dtype=np.float32).reshape(3, 7)


def text_of(function: Callable[..., Any], reference: RunModule) -> str:
    module, arrays = module_of(function, X)
    found = Search(ours("CPU"), reference).first(module, arrays)
    assert found is not None
    assert found.op.name == "stablehlo.tanh"
    text = str(found)
    assert f"<text>:{found.op.location.line}:{found.op.location.column}: stablehlo.tanh: tensor<" in text
    return text


def test_the_op_its_place_and_its_numbers(wrong_tanh: None, reference: RunModule) -> None:
    text = text_of(lambda x: jnp.exp(jnp.tanh(jnp.sin(x) * 2)) + 1, reference)
    assert "in the model: jit(<lambda>)/tanh" in text
    assert ": 0.0, expected 0.7" in text or ": 0.0, expected 0.9" in text
    assert "the operands there: " in text
    assert "elements differ by more than is allowed" in text


def test_in_a_function_a_branch_and_a_iteration_of_a_loop(wrong_tanh: None, reference: RunModule) -> None:
    @jax.jit
    def called(x: Any) -> Any:
        return lax.cond(x.sum() > 0, lambda x: x * 2, lambda x: jnp.tanh(x), x)

    def looped(x: Any) -> Any:
        def iteration(i: Any, c: Any) -> Any:
            return called(c - i)

        return lax.fori_loop(0, 5, iteration, x + 0.8) * 3

    text = text_of(looped, reference)
    lines = text.splitlines()
    assert lines[0].startswith("in stablehlo.while at <text>:")
    assert lines[0].endswith(", iteration 2:")
    assert any(line.strip().startswith("in func.call at <text>:") for line in lines)
    assert any("in stablehlo.case at" in line and line.endswith(", branch 0:") for line in lines)


def test_nothing_differs(reference: RunModule) -> None:
    def function(x: Any) -> Any:
        y, _ = lax.scan(lambda c, r: (jnp.tanh(c @ r.T + 1), c.sum()), x @ x.T, jnp.stack([x @ x.T] * 4))
        return jax.nn.softmax(y), jnp.sort(x, 0), jnp.argmax(x), x.astype(jnp.bfloat16)

    module, arrays = module_of(function, X)
    assert Search(ours("CPU"), reference).first(module, arrays) is None
    assert Search(ours("CPU"), tinygrad()).first(module, arrays) is None


def test_the_executor_may_be_what_differs() -> None:
    module, arrays = module_of(lambda x: jnp.cos(x @ x.T), X)
    right = ours("CPU")

    def wrong(module: Module, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        return [x + 1 if x.shape == (3, 3) else x for x in right(module, arrays)]

    found = Search(wrong, tinygrad()).first(module, arrays)
    assert found is not None
    assert found.op.name == "stablehlo.dot_general"


# ---------------------------------------------------------------- the command line


def test_the_command(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file, inputs = tmp_path / "model.mlir", tmp_path / "in.npz"
    file.write_text(export.export(jax.jit(lambda x: (jnp.sin(x), x.astype(jnp.bfloat16))))(X).mlir_module())
    assert main(["check", str(file)]) == 0
    assert "compared with tinygrad's own kernels:" in capsys.readouterr().out
    bits = X.astype(ml_dtypes.bfloat16).view(np.uint16)
    np.savez(inputs, **{"x": X, "out0": np.sin(X), "out1.bfloat16": bits})
    assert main(["check", str(file), "--inputs", str(inputs), "--bisect"]) == 0
    out = capsys.readouterr().out
    assert "compared with the recorded results:" in out
    assert "result[1]: bfloat16[3, 7] differs by nothing" in out
    assert "no op differs" in out
    np.savez(inputs, **{"x": X, "out0": np.sin(X) + 0.5, "out1.bfloat16": bits})
    assert main(["check", str(file), "--inputs", str(inputs)]) == 1
    assert "result[0]: float32[3, 7] differs by 0.5, " in capsys.readouterr().out
    assert main(["check", str(file), "--inputs", str(inputs), "--tolerance", "1e9"]) == 0
    np.savez(inputs, x=X, out0=np.sin(X))
    capsys.readouterr()
    assert main(["check", str(file), "--inputs", str(inputs)]) == 1
    assert "the results out0, the program has result[0], result[1]" in capsys.readouterr().err
    assert main(["check", str(file), "--tolerance", "-1"]) == 1


@pytest.mark.ci
def test_the_command_beside_xla(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "model.mlir"
    file.write_text(export.export(jax.jit(lambda x: jax.nn.softmax(x)))(X).mlir_module())
    assert main(["check", str(file), "--vs-xla", "--bisect"]) == 0
    out = capsys.readouterr().out
    assert "compared with XLA:" in out
    assert "no op differs" in out


def test_every_op_has_a_difference_also_those_in_loops_and_calls() -> None:
    """The reference is shifted by one unit, so that no op agrees."""
    text = """func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.sine %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %end = stablehlo.constant dense<3> : tensor<i32>
      %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<4xf32>
        cond {
          %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %n = stablehlo.add %i, %one : tensor<i32>
          %t = stablehlo.tanh %v : tensor<4xf32>
          %w = func.call @inner(%t) : (tensor<4xf32>) -> tensor<4xf32>
          stablehlo.return %n, %w : tensor<i32>, tensor<4xf32>
        }
      return %r#1 : tensor<4xf32>
    }"""
    run = ours("CPU")

    def shifted(module: Module, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        return [np.nextafter(x, np.float32(9)) if x.dtype == np.float32 else x for x in run(module, arrays)]

    errors = Search(run, shifted).compare_ops(load(text, "CPU").module, [float32(0.1, 0.2, 0.3, 0.4)])
    found = {op.name.removeprefix("stablehlo."): ulps for op, ulps in errors.items()}
    assert set(found) == {"while", "compare", "add", "tanh", "func.call", "sine"}
    assert found["tanh"] == found["sine"] == 1.0 and found["compare"] == found["add"] == 0.0


# ---------------------------------------------------------------- runs that do not end

ENDLESS = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = stablehlo.while(%v = %x) : tensor<4xf32> cond {
    %more = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.cosine %v : tensor<4xf32>
    stablehlo.return %next : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}"""
CURE = ": if a loop does not end on these inputs, give others with --input, or more time with --timeout"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
@pytest.mark.parametrize(
    "command, found",
    [
        ("check", f"no result in 4 s{CURE}"),
        pytest.param("check --vs-xla", f"XLA has no result in 4 s{CURE}", marks=pytest.mark.ci),
        pytest.param("view --time --seconds 0.1 -o PAGE", f"no result in 4.1 s{CURE}", marks=pytest.mark.ci),
        pytest.param("view --vs-xla -o PAGE", f"XLA has no result in 4 s{CURE}", marks=pytest.mark.ci),
        pytest.param("bench --profile PAGE", f"no result in 5 s{CURE}", marks=pytest.mark.ci),
        pytest.param("bench --seconds 0.01", "hlo2tiny failed: no answer in 4 s", marks=pytest.mark.ci),
        ("check --timeout 0", "argument --timeout: expected a number of seconds above 0, found '0'"),
    ],
)
def test_commands_end(command: str, found: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "endless.mlir", tmp_path / "page.html"
    path.write_text(ENDLESS, encoding="utf-8")
    name, *options = command.replace("PAGE", str(page)).split()
    assert main(["inspect", str(path), "--plan"]) == 0  # so that nothing slow is imported within the limit
    capsys.readouterr()
    before = signal.getsignal(signal.SIGALRM)
    with suppress(SystemExit):  # for wrong options
        assert main([name, str(path), "--timeout", "4", *options]) == 1
    printed = capsys.readouterr()
    assert found in printed.out + printed.err and not page.exists()
    assert signal.getsignal(signal.SIGALRM) == before and signal.getitimer(signal.ITIMER_REAL)[0] == 0


COMMANDS = [
    "run FILE --random 0",
    "view FILE -o PAGE",
    "compile FILE -o PAGE",
    "partition FILE --devices 2 -o PAGE",
    "diff FILE FILE",
    "inspect FILE",
    "convert FILE PAGE",
    "convert FILE PAGE --quantize int8",
    "bench FILE",
    "bench FILE --profile PAGE",
    "check FILE",
    "serve FILE",
    "map FILE --input none.parquet --output PAGE",
]


@pytest.mark.sampled(4)
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
@pytest.mark.parametrize("command", COMMANDS)
def test_loading_ends(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.mlir").write_text(ENDLESS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HLO2TINY_CACHE", "off")  # or nothing would be parsed

    def parse_for_ever(*_: object) -> NoReturn:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr("hlo2tiny.syntax.parser.parse_contents", parse_for_ever)
    arguments = command.replace("PAGE", "page").replace("FILE", "model.mlir").split()
    assert main([*arguments, "--timeout", "1"]) == 1
    end = capsys.readouterr().err.splitlines()[-1]
    assert end == "hlo2tiny: error: not done in 1 s; give it more time with --timeout"
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
def test_a_limit_within_another_leaves_that_as_it_was() -> None:
    with pytest.raises(InputError, match=r"no result in 1 s"), time_limit(1):
        with time_limit(1000):
            pass
        with pytest.raises(InputError, match=r"no result in 0\.01 s"), time_limit(0.01):
            time.sleep(60)
        time.sleep(60)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


class EndedLate:
    """Python ignores an exception that is raised while it deletes this object."""

    def __del__(self) -> None:
        time.sleep(60)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_limit_that_comes_while_an_object_is_deleted_is_not_lost() -> None:
    with pytest.raises(InputError, match=r"no result in 0\.1 s"), time_limit(0.1):
        EndedLate()
        time.sleep(60)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
