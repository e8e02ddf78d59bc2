"""The command line as a user types it: output, exit codes, errors of one line."""

from __future__ import annotations

import importlib
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from corpus import BY_NAME
from hlo2tiny.cli import OPTIMISERS, QUANTIZED, SYSTEMS, argument_parser, main
from hlo2tiny.commands import compile as compiling
from hlo2tiny.commands import run as running
from hlo2tiny.commands import terminal
from hlo2tiny.derivatives import optimisers
from hlo2tiny.machine.compiler import clang
from hlo2tiny.rules import RULES
from hlo2tiny.specialise import quantisation
from hlo2tiny.targets.c import systems
from hlo2tiny.tinygrad.device import open_device
from hlo2tiny.verify.problems import OF_PLANS

NO_NATIVE_CODE = "no native code could be built, so tinygrad's slower kernels run instead: no such flag"
CORPUS = Path(__file__).parents[1] / "corpus"
TINY = """func.func @main(%x: tensor<2xf32> loc("x"), %n: tensor<2xi32> loc("n")) -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.negate %x : tensor<2xf32>
  return %0, %n : tensor<2xf32>, tensor<2xi32>
}
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.mlir"
    path.write_text(TINY)
    np.save(tmp_path / "x.npy", np.array([1, 2], np.float32))
    np.save(tmp_path / "n.npy", np.array([3, 4], np.int32))
    np.savez(tmp_path / "both.npz", in0=np.array([1, 2], np.float32), n=np.array([3, 4], np.int32))
    return path


def cli(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    try:
        code = main([str(a) for a in arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_run_with_named_inputs_and_save(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tiny.parent
    code, out, err = cli(
        capsys, "run", tiny, "--device", "CPU", "--input", f"x={folder}/x.npy", "--input", f"n={folder}/n.npy",
        "--save", folder / "out.npz",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "out0: float32[2] min -2 max -1 mean -1.5 [-1, -2]"
    with np.load(folder / "out.npz") as saved:
        np.testing.assert_array_equal(saved["out0"], [-1, -2])
        np.testing.assert_array_equal(saved["out1"], [3, 4])


def test_run_with_threads_and_donated_inputs(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    donated = [text for name in ("x", "1") for text in ("--donate", name)]
    code, out, err = cli(
        capsys, "run", tiny, "--device", "CPU", "--inputs", tiny.parent / "both.npz", "--threads", 2, *donated
    )
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "out0: float32[2] min -2 max -1 mean -1.5 [-1, -2]"


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--threads", "0", "threads is 0, expected an integer from 1 to 256"),
        ("--donate", "y", "there is no argument 'y' to donate; the program takes (x, n)"),
    ],
)
def test_run_refuses_threads_and_donations(
    tiny: Path, capsys: pytest.CaptureFixture[str], option: str, value: str, message: str
) -> None:
    code, _, err = cli(capsys, "run", tiny, "--device", "CPU", "--random", 0, option, value)
    assert code == 1
    assert message in err and len(err.splitlines()) == 1, err


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A compiler that accepts tinygrad's kernels but no native code, here and in other processes."""
    refuse = 'case "$*" in *-fvisibility=*) echo no such flag >&2; exit 1;; esac'
    script = f'#!/bin/sh\n{refuse}\nexec {shlex.join(clang())} "$@"\n'
    (tmp_path / "clang").write_text(script)
    (tmp_path / "clang").chmod(0o755)
    open_device("CPU")  # with the compiler that the other tests have, as a device stays open
    monkeypatch.setenv("CC", str(tmp_path / "clang"))
    clang.cache_clear()
    yield
    clang.cache_clear()


@pytest.mark.filterwarnings("default::hlo2tiny.errors.NoNativeCode")
def test_run_says_that_there_is_no_native_code(refused: None, tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = cli(capsys, "run", tiny, "--device", "CPU", "--random", 0)
    assert code == 0 and out.startswith("out0: ")
    assert err == f"hlo2tiny: warning: {NO_NATIVE_CODE}\n"


@pytest.mark.filterwarnings("default::hlo2tiny.errors.NoNativeCode")
def test_check_and_profile_fail_without_native_code(
    refused: None, tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["check", tiny], ["bench", tiny, "--profile", tiny.parent / "page.html"]):
        code, _, err = cli(capsys, *command)
        assert (code, err) == (1, f"hlo2tiny: error: {NO_NATIVE_CODE}\n")


@pytest.mark.ci
def test_bench_fails_without_native_code(refused: None, tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = cli(capsys, "bench", tiny, "--seconds", "0.1")
    assert code == 1
    assert f"hlo2tiny failed: NoNativeCode: {NO_NATIVE_CODE}" in out


def test_no_c_is_written_that_does_not_compile(
    tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "program_text", lambda source: "int f(float *x) { return exp_f(x }")
    code, _, err = cli(capsys, "compile", tiny, "-o", tiny.parent / "c")
    assert code == 1
    assert "the C of this program does not compile, a bug in hlo2tiny: <stdin>:1:" in err
    assert not (tiny.parent / "c").exists()


def test_run_with_an_archive(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = cli(capsys, "run", tiny, "--device", "CPU", "--input", tiny.parent / "both.npz")
    assert code == 0
    assert "out1: int32[2] min 3 max 4" in out


def test_random_inputs_repeat(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, again, other = (cli(capsys, "run", tiny, "--device", "CPU", "--random", seed)[1] for seed in (0, 0, 1))
    assert first == again != other


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "2 inputs are missing; use --input NAME=FILE.npy or --random SEED"),
        (("--input", "y={folder}/x.npy"), "the program has no input 'y'; it has x, n"),
        (("--input", "x={folder}/absent.npy"), "there is no file"),
        (("--input", "x={folder}/tiny.mlir"), "is not a valid .npy or .npz file"),
        (("--input", "x"), "expected NAME=FILE.npy or FILE.npz"),
        (("--input", "x={folder}/n.npy", "--random", "0"), "argument 0 (x) is int32[2], expected float32[2]"),
        (("--random", "0", "--save", "{folder}/absent/out.npz"), "there is no folder"),
        (("--random", "0", "--device", "NOSUCH"), "tinygrad cannot open device 'NOSUCH'"),
    ],
)
def test_run_errors(tiny: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    before = sorted(tiny.parent.iterdir())
    device = () if "--device" in arguments else ("--device", "CPU")
    code, _, err = cli(capsys, "run", tiny, *device, *(a.format(folder=tiny.parent) for a in arguments))
    assert code == 1
    assert err.startswith("hlo2tiny: error: ")
    assert message in err
    assert "Traceback" not in err
    assert sorted(tiny.parent.iterdir()) == before, "something half-written was left"


OPEN = """func.func @main(%x: tensor<?x2xf32> loc("x")) -> tensor<?x2xf32> {
  %0 = stablehlo.negate %x : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
"""


def test_open_shapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.mlir"
    path.write_text(OPEN)
    run = ("run", path, "--device", "CPU", "--random", "0")
    code, out, _ = cli(capsys, *run, "--shape", "x=3,2")
    assert code == 0 and "out0: float32[3, 2]" in out
    code, _, err = cli(capsys, *run)
    assert code == 1 and "the shape of input x: float32[?, 2] is open; use --shape x=SIZE,SIZE" in err
    assert "expected NAME=SIZE,SIZE" in cli(capsys, *run, "--shape", "x=3,two")[2]
    assert "argument 0 (x) is float32[3, 3], expected float32[?, 2]" in cli(capsys, *run, "--shape", "x=3,3")[2]
    assert "has no input 'y'" in cli(capsys, *run, "--shape", "y=3,3")[2]
    code, out, _ = cli(capsys, "inspect", path, "--plan")
    assert code == 0 and "0 x: float32[?, 2]" in out and "the plan depends on the arguments' shapes" in out


def test_debug_shows_the_traceback(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = cli(capsys, "run", tiny, "--device", "CPU", "--debug")
    assert code == 1
    assert "Traceback" in err


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02binary", b"ML\xefR\x01\x02", b"func.func @main(%x", b"hello"])
def test_files_that_are_not_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    path = tmp_path / "bad.mlir"
    path.write_bytes(content)
    for command in ("run", "inspect"):
        code, _, err = cli(capsys, command, path)
        assert code == 1
        assert "bad.mlir" in err
        assert "Traceback" not in err and "internal error" not in err


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = cli(capsys, "run", tmp_path / "absent.mlir", "--random", "0")
    assert code == 1
    assert "absent.mlir" in err and "internal error" not in err


def test_inspect(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = cli(capsys, "inspect", CORPUS / "flax_convnet.mlir")
    assert code == 0
    assert "params['Conv_0']['kernel']: float32[3, 3, 1, 32]" in out
    assert "2 stablehlo.convolution" in out
    assert "constants: " in out
    assert "every op has a rule" in out


def test_inspect_lists_missing_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.mlir"
    path.write_text(TINY.replace("stablehlo.negate %x : tensor<2xf32>", '"a.b"(%x) : (tensor<2xf32>) -> tensor<2xf32>'))
    code, out, _ = cli(capsys, "inspect", path)
    assert code == 1
    assert "odd.mlir:2:8: a.b: no rule for this op" in out


def test_inspect_plan(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = cli(capsys, "inspect", CORPUS / "while_loop.mlir", "--plan")
    assert code == 0
    assert "= while(" in out and "condition:" in out and "region(" in out


def test_ops_is_the_table_of_rules(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = cli(capsys, "ops")
    assert code == 0
    supported = {line[8:] for line in out.splitlines() if line.startswith("yes")}
    assert RULES.keys() - OF_PLANS <= supported
    assert "stablehlo.while" in supported


def test_wrong_usage_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli(capsys, "run")[0] == 2
    assert cli(capsys, "nonsense")[0] == 2
    assert cli(capsys)[0] == 2


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = cli(capsys, "--help")
    assert code == 0
    assert "hlo2tiny run model.mlir --random 0" in out


def test_the_parser_imports_nothing_of_a_target() -> None:
    """Nor those of a command, tinygrad or JAX, so that --help and wrong usage are answered at once."""
    script = "import sys, hlo2tiny.cli as cli; cli.argument_parser(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    targets = [path.name for path in (Path(terminal.__file__).parents[1] / "targets").iterdir() if path.is_dir()]
    heavy = ("tinygrad", "hlo2tiny.tinygrad", "jax", "tqdm", *(f"hlo2tiny.targets.{name}" for name in targets))
    found = [name for name in done.stdout.split() if f"{name}.".startswith(tuple(f"{start}." for start in heavy))]
    commands = [name for name in done.stdout.split() if name.startswith("hlo2tiny.commands.")]
    assert found == [] and commands == ["hlo2tiny.commands.terminal"]


def test_every_command_has_a_module() -> None:
    (commands,) = [action for action in argument_parser()._actions if isinstance(action.choices, dict)]
    assert isinstance(commands.choices, dict) and len(commands.choices) == 13
    for name, parser in commands.choices.items():
        assert parser.get_default("command") == name
        assert callable(importlib.import_module(f"hlo2tiny.commands.{name}").run)


def test_what_the_parser_lists_is_what_the_tables_have() -> None:
    assert list(systems.SYSTEMS) == SYSTEMS and tuple(quantisation.BITS) == QUANTIZED
    assert tuple(optimisers.OPTIMISERS) == OPTIMISERS


def test_progress_appears_on_a_terminal_only_and_after_a_while(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "SHOW_AFTER", 0.0)

    def shown() -> str:
        with terminal.waiting("compiling") as report:
            report(3, 7)
            time.sleep(0.5)
        return capsys.readouterr().err

    assert shown() == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert "compiling: 3/7" in shown()
    monkeypatch.setattr(terminal, "SHOW_AFTER", 60.0)
    assert shown() == ""


@pytest.mark.ci
def test_as_a_module_with_no_terminal_prints_no_progress() -> None:
    command = [sys.executable, "-m", "hlo2tiny", "run", str(BY_NAME["flax_convnet"].path), "--random", "0"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env={**os.environ})
    assert (result.returncode, result.stderr) == (0, "")
    assert "float32[512, 10]" in result.stdout


def test_who_reads_the_output_may_stop() -> None:
    """As head does, which then closes the pipe."""
    command = [sys.executable, "-m", "hlo2tiny", "ops"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


# ---------------------------------------------------------------- nonsense


def test_a_huge_array(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }".ljust(117) + b"\n"
    (tiny.parent / "huge.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00" + header)
    code, _, err = cli(capsys, "run", tiny, "--device", "CPU", "--random", "0", "--input", f"x={tiny.parent}/huge.npy")
    assert code == 1 and "not a valid .npy or .npz file" in err


@pytest.mark.parametrize("key", ["in0.finfo", "in0.DTypeLike", "in0.bfloat16", "in0.__name__", "in0.float32"])
def test_keys_of_an_archive_name_types_and_nothing_else(
    key: str, tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(tiny.parent / "odd.npz", **{key: np.zeros(2, np.uint8)})
    code, _, err = cli(capsys, "run", tiny, "--device", "CPU", "--random", "0", "--input", tiny.parent / "odd.npz")
    assert code == 1 and f"the program has no input '{key}'" in err


@pytest.mark.parametrize("seed", ["-1", "4294967296", "99999999999", "1.5", "²", "1_0", ""])
def test_seeds(seed: str, tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = cli(capsys, "run", tiny, "--random", seed)
    assert code == 2 and "expected an integer from 0 to 4294967295" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--shape", "0=²"),
        ("--shape", "²=1"),
        ("--shape", "0=" + "9" * 20),
        ("--shape", "0=9999999999999999"),
        ("--input", "in²=x.npy"),
    ],
)
def test_sizes_and_names(arguments: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.mlir"
    path.write_text(OPEN, encoding="utf-8")
    code, _, err = cli(capsys, "run", path, "--device", "CPU", "--random", "0", *arguments)
    assert code == 1 and "internal error" not in err


@pytest.mark.parametrize(
    "device", ["NULL", "NULL:1", "DISK", "DISK:/tmp/x", "NPY", "CPU:x", "CPU:-1", "", " ", "..", "A" * 5000]
)
def test_devices_that_are_none(device: str, tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = cli(capsys, "run", tiny, "--random", "0", "--device", device)
    assert code == 1 and ("tinygrad cannot open device" in err or "computes nothing" in err)
    assert err.count("\n") == 1


def test_no_file_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    lines = """run - | inspect - | diff - x | diff x - | convert - x | convert x - | compile - -o x | compile x -o -
        | bench - | check - | run x --save - | run x --weights - | convert x y --bake - | convert x y --split -
        | bench x --profile -"""
    for line in lines.split("|"):
        arguments = ["" if word == "-" else word for word in line.split()]
        code, _, err = cli(capsys, *arguments)
        assert code == 2 and "expected the path of a file" in err, arguments


def test_a_summary_takes_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of a result of 3 GB would take eight times as much in float64."""
    import tracemalloc

    array = np.zeros(50_000_000, np.int8)
    array[-1], array[7] = 100, -3
    tracemalloc.start()
    found = running.summary(array)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == "min -3 max 100 mean 1.94e-06 [0, 0, 0, 0, …]"
    assert peak < array.nbytes


@pytest.mark.parametrize("size", [0, 1, 5, 1 << 20, (1 << 20) + 3])
def test_a_summary_of_pieces_is_that_of_the_whole(size: int) -> None:
    values = np.random.RandomState(0).standard_normal(size).astype(np.float32)
    if not size:
        assert running.summary(values) == "empty"
        return
    wide = values.astype(np.float64)
    start = f"min {wide.min():.6g} max {wide.max():.6g} mean {wide.mean():.6g} ["
    assert running.summary(values).startswith(start)
    values[0] = np.nan
    assert size == 1 or " non-finite 1 [nan" in running.summary(values)


@pytest.mark.parametrize("closed", ["reader", "output", "full", "both"])
def test_standard_output_may_be_closed(closed: str, tiny: Path) -> None:
    shell = {"reader": "{} | true", "output": "{} >&-", "full": "{} > /dev/full", "both": "{} >&- 2>&-"}[closed]
    command = shell.format(f"{sys.executable} -m hlo2tiny inspect {tiny}")
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, timeout=100)
    error = done.stderr.decode("utf-8")
    if closed == "full":
        assert (done.returncode, error) == (1, "hlo2tiny: error: standard output: No space left on device\n")
    else:
        assert error == "" and done.returncode in ((0, 1) if closed == "reader" else (0,))


def test_help_whose_reader_has_enough() -> None:
    done = subprocess.run(["bash", "-c", f"{sys.executable} -m hlo2tiny --help > /dev/full"], capture_output=True)
    assert done.stderr == b""


def test_outputs_of_any_name_are_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also results whose names are equal, are parameters of numpy.savez, or are impossible in an archive."""
    names = ["file", "same", "same", r"bytes\FF", r"nul\00", "../up", "", "allow_pickle"]
    types = ", ".join(f'tensor<1xf32> {{jax.result_info = "{name}"}}' for name in names)
    values = ", ".join(["%x"] * len(names))
    returned = ", ".join(["tensor<1xf32>"] * len(names))
    text = f"func.func @main(%x: tensor<1xf32>) -> ({types}) {{ return {values} : {returned} }}"
    (tmp_path / "model.mlir").write_text(text, encoding="utf-8")
    save = ("--save", tmp_path / "out.npz")
    assert cli(capsys, "run", tmp_path / "model.mlir", "--device", "CPU", "--random", "0", *save)[0] == 0
    with np.load(tmp_path / "out.npz") as saved:
        assert len(saved.files) == len(names) and {"file", "same", "same1", "out6"} <= set(saved.files)
        assert all(saved[key].shape == (1,) for key in saved.files)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.mlir", "out.npz"]
    code, _, err = cli(capsys, "compile", tmp_path / "model.mlir", "-o", tmp_path / "C")
    assert (code, err) == (0, "")


def test_names_are_escaped_in_what_commands_print(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = r"a\1B[2J\0Ab\07"
    path = tmp_path / "names.mlir"
    path.write_text(TINY.replace('"x"', f'"{name}"'), encoding="utf-8")
    shown = r"a\x1b[2J\nb\x07"
    for command in (("run", path, "--device", "CPU"), ("inspect", path), ("inspect", path, "--plan")):
        _, out, err = cli(capsys, *command)
        assert shown in out + err and "\x1b" not in out + err and "\x07" not in out + err
    other = tmp_path / "other.mlir"
    other.write_text(path.read_text(encoding="utf-8").replace("negate", "cosine"), encoding="utf-8")
    for command in (("diff", path, other), ("check", path, "--device", "CPU")):
        _, out, err = cli(capsys, *command)
        assert "\x1b" not in out + err and "\x07" not in out + err


def test_view_of_a_file_without_its_elements(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "elided.mlir", tmp_path / "page.html"
    path.write_text(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.constant dense_resource<__elided__> : tensor<2xf32>\n"
        "  %1 = stablehlo.add %x, %0 : tensor<2xf32>\n"
        "  return %1 : tensor<2xf32>\n}"
    )
    assert cli(capsys, "view", path, "-o", page)[0] == 0
    assert "stablehlo.add" in page.read_text()
    code, _, error = cli(capsys, "run", path)
    assert code != 0
    assert "the file does not contain the elements of dense_resource<__elided__>" in error
