"""`hlo2tiny bench`: what it reports of small programs, and what it says when it cannot. No test here asserts a time."""

from __future__ import annotations

import json
import math
import runpy
import shlex
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_cli import OPEN, TINY, cli

from corpus import BY_NAME
from hlo2tiny.commands import bench
from hlo2tiny.commands.profiling import microseconds
from hlo2tiny.machine.compiler import clang
from hlo2tiny.program.arguments import Argument
from hlo2tiny.targets import NotBuilt
from hlo2tiny.targets.c import native

QUICK = ("--seconds", "0.02")


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.mlir"
    path.write_text(TINY)
    np.save(tmp_path / "x.npy", np.array([1, 2], np.float32))
    return path


@pytest.mark.ci
def test_the_figures_of_two_programs_beside_xlas(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


@pytest.mark.ci
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


def test_other_kernels_than_native_ones_are_not_taken_for_ours(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tiny.parent / "clang"  # one that does not link
    real = shlex.join(clang())
    compiler.write_text(f'#!/bin/sh\ncase "$*" in *-shared*) exit 1;; esac\nexec {real} "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    found = bench.measure(tiny, [np.zeros(2, np.float32), np.zeros(2, np.int32)], [], 0.01)
    assert "no native code" in found["failed"]["hlo2tiny"]


def test_a_process_that_ends_is_a_failure(tiny: Path) -> None:
    with bench.process("hlo2tiny", bench.this_process_cores(), tiny.parent) as worker:
        worker.popen.kill()
        with pytest.raises(bench.ContenderFailed, match="its process exited with"):
            worker.ask("one op", seconds=0.01)


def test_a_process_that_takes_too_long_is_a_failure(tiny: Path) -> None:
    found = bench.measure(tiny, [np.zeros(2, np.float32), np.zeros(2, np.int32)], [], 0.01, patience=0.001)
    assert found["failed"] == {"hlo2tiny": "no answer in 0.001 s"}


def test_errors(tiny: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def message(*arguments: object) -> str:
        code, out, err = cli(capsys, "bench", *arguments)
        assert (code, out) == (1, "") and err.startswith("hlo2tiny: error: ")
        return err

    for wrong in ("0", "nan", "inf", "long"):
        code, _, err = cli(capsys, "bench", tiny, "--seconds", wrong)
        assert code == 2 and f"--seconds: expected a number of seconds above 0, found '{wrong}'" in err
    assert "absent.mlir" in message(tiny, tiny.parent / "absent.mlir")
    assert "the program has no input 'y'; it has x, n" in message(tiny, "--input", f"y={tiny.parent}/x.npy")
    path = tiny.parent / "open.mlir"
    path.write_text(OPEN)
    assert "use --shape x=SIZE,SIZE" in message(path)
    if bench.importlib.util.find_spec("jax") is not None:
        assert "leaves shapes open, which --vs-xla does not support" in message(path, "--vs-xla", "--shape", "x=3,2")
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
    assert bench.one_line("bad \x1b[2J name\nmore") == r"bad \x1b[2J name"


# ---------------------------------------------------------------- tests/bench


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What `python tests/bench` defines."""
    folder = Path(__file__).parent / "bench"
    monkeypatch.syspath_prepend(str(folder))
    return runpy.run_path(str(folder / "__main__.py"))


def measured(ours: float, theirs: float) -> dict[str, Any]:
    figures = {"hlo2tiny": dict.fromkeys(bench.FIGURES, ours), "XLA": dict.fromkeys(bench.FIGURES, theirs)}
    return {"figures": figures, "ratios": bench.ratios(figures), "failed": {}, "differences": {"XLA": 0.0}}


def test_the_table_of_targets(tables: dict[str, Any]) -> None:
    found = {"cond": measured(1, 2), "switch": measured(2, 1), "n_body": measured(1, 10)}
    found |= {f"rows_{10**n}": measured(10**n * 5e-9, 1) for n in (3, 4, 5, 6)}
    found |= {"layers_12": measured(2, 1), "layers_48": measured(3, 1), "ten_ops": measured(0.5, 1)}
    found |= {"vit_base": measured(3, 1) | {"weights": 30_000_000}}
    found["life"] = {"figures": {}, "ratios": {}, "failed": {"hlo2tiny": "no answer in 1 s"}, "differences": {}}
    lines = list(tables["targets"](found, {"layers_12": 1.0, "layers_48": 3.0}))
    assert "| corpus, geometric mean of 2 | 0.4 | 1.00 (1.00) |" in lines
    assert "| corpus, worst: `switch` | 1.05 | 2.00 (2.00) |" in lines
    assert "| `fori_loop` of 500 steps, 64 bodies | 0.3 | 0.10 (0.10) |" in lines
    assert "| `scan` of 100 game-of-life steps, 64×64 | 0.3 | hlo2tiny: no answer in 1 s |" in lines
    assert "| its time per step, 10^3 to 10^6 steps | constant | 5.0, 5.0, 5.0, 5.0 ns |" in lines
    assert "| 48 equal layers : 12, empty cache, without parsing | 1.3 | 1.00 |" in lines
    lines = list(tables["start_table"](found, [("a file", "1 s")], {"hlo2tiny": 1.2e-5}))
    assert "| a file |  | 1 s |" in lines
    assert "| import, load and call of ten operations, empty cache | 0.4 s | 500 ms |" in lines
    assert "| a call of one operation, numpy in and out | 30 µs | 12.0 µs |" in lines
    assert "| the same, worst: `vit_base` | 1.15 | 0.00 |" in lines
    assert len({line.count("|") for line in tables["programs_table"](found, "XLA")}) == 1


def test_the_table_of_narrow_weights(tables: dict[str, Any]) -> None:
    _, _, *lines = tables["narrow_table"]({"f32": 0.02, "int4": 0.004})
    assert lines == ["| f32 | 50 | 1.00 |  |", "| int4 | 250 | 5.00 | 5 |"]


def test_the_table_of_models_compares_with_the_best_of_all(tables: dict[str, Any]) -> None:
    found = {"gpt2": measured(4, 2), "llama": measured(1, 2), "vit_base": measured(1, 2)}
    found["gpt2"]["figures"]["onnxruntime"] = dict.fromkeys(bench.FIGURES, 1)
    found["llama"]["failed"] = {"onnxruntime": "it has no such op"}
    del found["vit_base"]["figures"]["hlo2tiny"]
    lines = list(tables["models_table"](found, ["XLA", "onnxruntime"]))
    assert lines[2:] == [
        "| GPT-2, 64 tokens | 4.00 s | 2.00 s | 1.00 s | 4.00 | 1.1 |",
        "| Llama-like, 8 layers, 64 tokens | 1.00 s | 2.00 s | – | 0.50 | 1.1 |",
        "| ViT-base | – | 2.00 s | – |  | 1.1 |",
        "| geometric mean of 2 | | | | 1.41 | 0.8 |",
    ]
    found["gpt2"]["differences"]["onnxruntime"] = 0.5
    assert list(tables["failures"](found)) == [
        "- `gpt2`: onnxruntime: its results are not ours, 5e-01",
        "- `llama`: onnxruntime: it has no such op",
    ]


@pytest.mark.ci
def test_a_program_of_the_benchmark_is_exported_once_and_gives_xlas_results(
    tables: dict[str, Any], tmp_path: Path
) -> None:
    path = tables["exported"]("life", tmp_path)
    assert path.read_text().count("stablehlo.while") == 1
    path.write_text(path.read_text() + "// kept\n")
    assert tables["exported"]("life", tmp_path).read_text().endswith("// kept\n")
    found = tables["measured"]("life", tmp_path, ["XLA"], 0.01)
    assert found["failed"] == {} and found["differences"] == {"XLA": 0} and found["weights"] == 0
    found = tables["measured"]("small_mlp", tmp_path, ["XLA"], 0.01)
    assert found["failed"] == {} and found["differences"]["XLA"] < 1e-6
    assert found["weights"] == 4 * (784 * 256 + 256 + 256 * 128 + 128 + 128 * 10 + 10)


def test_another_checkout_is_measured_as_it_is(tables: dict[str, Any], tmp_path: Path) -> None:
    other = tmp_path / "other"
    with pytest.raises(SystemExit, match="expected a checkout of hlo2tiny"):
        tables["checkout"](other)
    (other / "hlo2tiny").mkdir(parents=True)
    (other / "hlo2tiny" / "__init__.py").write_text("raise ValueError('an older one')")
    (other / "grammar").mkdir()
    (other / "grammar" / "build.py").write_text("class Tables:\n    def initialize(self, version, data): pass\n")
    name = tables["checkout"](other)
    found = tables["measured"]("life", tmp_path, [name], 0.01)
    assert found["failed"] == {name: "ValueError: an older one"} and list(found["figures"]) == ["hlo2tiny"]


def test_what_a_peer_cannot_take_is_said(tables: dict[str, Any], tmp_path: Path) -> None:
    """jax2onnx is not installed for the tests."""
    found = tables["measured"]("small_mlp", tmp_path, ["onnxruntime"], 0.01, patience=100)
    assert list(found["failed"]) == ["onnxruntime"] and found["failed"]["onnxruntime"].startswith("jax2onnx: ")
    assert list(found["figures"]) == ["hlo2tiny"]


def test_no_program_of_the_benchmark_has_the_name_of_one_in_the_corpus(tables: dict[str, Any]) -> None:
    assert not set(tables["PROGRAMS"]) & set(BY_NAME)


def test_the_benchmarks_inputs_follow_their_names(tables: dict[str, Any]) -> None:
    def array(name: str, *shape: int) -> np.ndarray:
        return tables["PROGRAMS"]["gpt2"].inputs([Argument(name, shape, np.dtype(np.float32))])[0]

    plain = array("x", 64, 64)
    np.testing.assert_array_equal(array("weights['conv/kernel']", 64, 64), plain / 8)
    np.testing.assert_array_equal(array("params['layers'][0]['norm_1']['scale']", 64, 64), 1 + plain / 10)
    (tokens,) = tables["PROGRAMS"]["gpt2"].inputs([Argument("tokens", (1, 64), np.dtype(np.int32))])
    assert tokens.dtype == np.int32 and tokens.min() >= 0 and tokens.max() < 50_257


def test_a_missing_framework_is_named(tables: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(tables["Missing"], match="life needs JAX"):
        tables["exported"]("life", tmp_path)


# ---------------------------------------------------------------- the profile

HOSTILE = "<script>alert(1)</script>\\1B[2J"
PROFILED = """#user = loc("model.py":7:3)
#library = loc(callsite("/usr/lib/python3/site-packages/flax/linear.py":12:5 at #user))
#hostile = loc("NAME":3:1)
func.func @main(%x: tensor<64x64xf32> loc("x"), %n: tensor<i32> loc("n")) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc(#library)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %1:2 = stablehlo.while(%i = %c, %y = %0) : tensor<i32>, tensor<64x64xf32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("model.py":8:1)
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32> loc("model.py":9:1)
    %z = func.call @step(%y) : (tensor<64x64xf32>) -> tensor<64x64xf32> loc("model.py":9:5)
    stablehlo.return %j, %z : tensor<i32>, tensor<64x64xf32>
  } loc("model.py":8:9)
  %2 = func.call @step(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32> loc("model.py":10:5)
  return %1#1, %2 : tensor<64x64xf32>, tensor<64x64xf32>
}
func.func private @step(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.sine %x : tensor<64x64xf32> loc(#hostile)
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
""".replace("NAME", HOSTILE)


@pytest.fixture
def profiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # Calls of functions are kept.
    monkeypatch.setattr(sys.modules["hlo2tiny.plan.build"], "LARGEST_INLINE_FUNCTION", 0)
    path = tmp_path / "profiled.mlir"
    path.write_text(PROFILED)
    np.save(tmp_path / "n.npy", np.array(5, np.int32))
    return path


def test_a_profiles_steps_and_lines_add_up(profiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = profiled.parent / "page.html"
    given = ("--input", f"n={profiled.parent}/n.npy", "--json", *QUICK)
    code, out, _ = cli(capsys, "bench", profiled, "--profile", page, *given)
    assert code == 0
    found = json.loads(out)
    steps, lines = found["steps"], {row["line"]: row for row in found["lines"]}
    for rows in (steps, lines.values()):
        assert sum(row["seconds"] for row in rows) == pytest.approx(found["seconds"])
        assert all(row["seconds"] >= 0 for row in rows)
    iterations = {(row["step"], row["where"]): row["iterations"] for row in steps}
    assert iterations["sgemm 64x64x64", "main"] == 1
    assert iterations["sgemm 64x64x64", "@step"] == iterations["call @step", "main/body"] == 6
    assert [row["iterations"] for row in steps if row["where"] == "main/condition"] == [6]
    (first,) = (row for row in steps if (row["step"], row["where"]) == ("sgemm 64x64x64", "main"))
    assert first["flops"] == 2 * 64**3 and first["lines"] == ["model.py:7"]
    (sine,) = (row for row in steps if row["step"].startswith("kernel") and row["where"] == "@step")
    assert sine["bytes"] == 2 * 4 * 64**2
    assert lines["/usr/lib/python3/site-packages/flax/linear.py:12"]["seconds"] == 0
    assert lines["/usr/lib/python3/site-packages/flax/linear.py:12"]["total"] == lines["model.py:7"]["seconds"] > 0
    assert any(line.startswith("profiled.mlir:") for line in lines), "an op without a place has its line in the file"


def test_a_profile_as_a_table_and_as_a_page(profiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = profiled.parent / "page.html"
    code, out, _ = cli(capsys, "bench", profiled, "--profile", page, *QUICK)
    assert code == 0
    assert "model.py:7" in out and "GFLOP/s" in out and "GB/s" in out
    assert "\x1b" not in out, "a name in a file cannot write to the terminal"
    assert "<script>alert(1)</script>" in out
    text = page.read_text(encoding="utf-8")
    assert "model.py:7" in text and "sgemm 64x64x64" in text and "main/body" in text
    assert "<script" not in text and "&lt;script&gt;alert(1)&lt;/script&gt;" in text and "\x1b" not in text
    assert "http" not in text and "src=" not in text, "the page needs nothing else"


def test_times_of_a_trace_are_whole_nanoseconds() -> None:
    for n in (*range(100_000), *np.random.default_rng(0).integers(0, 1 << 50, 1000).tolist()):
        assert int(microseconds(n) * 1000.0) == n


def test_a_profile_as_a_trace(profiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Slices nest as steps do, and last as long as the profile says, to the nanosecond."""
    page, trace = profiled.parent / "page.html", profiled.parent / "trace.json"
    given = ("--input", f"n={profiled.parent}/n.npy", "--json", *QUICK)
    code, out, _ = cli(capsys, "bench", profiled, "--profile", page, "--trace", trace, *given)
    assert code == 0
    found, written = json.loads(out), json.loads(trace.read_text(encoding="utf-8"))
    slices = [event for event in written["traceEvents"] if event["ph"] == "X"]
    steps = {row["number"]: row for row in found["steps"]}
    assert [event["name"] for event in slices] == [steps[n]["step"] for n in sorted(steps)]
    # As "Trace Event Format" has it, which Perfetto reads: complete events, metadata, and the unit of the display.
    assert set(written) == {"traceEvents", "displayTimeUnit"} and written["displayTimeUnit"] in ("ms", "ns")
    for event in written["traceEvents"]:
        assert type(event["name"]) is str and type(event["args"]) is dict
        assert type(event["pid"]) is type(event["tid"]) is int
        if event["ph"] == "X":
            assert type(event["cat"]) is str and all(
                type(event[x]) in (int, float) and event[x] >= 0 for x in ("ts", "dur")
            )
        else:
            assert (event["ph"], set(event["args"])) == ("M", {"name"}) and event["name"] in (
                "process_name",
                "thread_name",
            )
    # Perfetto cuts off what is less than a nanosecond, and drops slices that overlap without being nested.
    begins = [int(event["ts"] * 1000.0) for event in slices]
    ends = [begin + int(event["dur"] * 1000.0) for begin, event in zip(begins, slices)]
    own = [end - begin for begin, end in zip(begins, ends)]
    for number, row in sorted(steps.items()):
        around = row["inside"]
        if around is not None:
            assert begins[around] <= begins[number] <= ends[number] <= ends[around]
            own[around] -= ends[number] - begins[number]
    for number, row in steps.items():
        assert own[number] == pytest.approx(row["seconds"] * 1e9, abs=1)
    siblings = [(begins[n], ends[n]) for n, row in sorted(steps.items()) if row["inside"] is None]
    assert siblings[0][0] == 0 and all(a[1] == b[0] for a, b in pairwise(siblings))
    names = {n: row["step"] for n, row in steps.items()}
    inside = {(row["step"], names.get(row["inside"], "")) for row in steps.values()}
    assert {("call @step", "while"), ("while", ""), ("sgemm 64x64x64", "call @step"), ("sgemm 64x64x64", "")} <= inside
    lines = [event["args"].get("lines") for event in slices]
    assert ["model.py:7"] in lines and ["model.py:8"] in lines
    code, out, err = cli(capsys, "bench", profiled, "--trace", trace, *QUICK)
    assert (code, out) == (1, "") and "--trace writes what --profile measures, so give both" in err


def test_errors_of_a_profile(
    profiled: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def message(*arguments: object) -> str:
        code, out, err = cli(capsys, "bench", *arguments)
        assert (code, out) == (1, "")
        return err

    page = profiled.parent / "page.html"
    assert "put the program's file before --profile" in message(profiled, "--profile", profiled)
    assert "--profile measures one file, and cannot be combined with --vs-xla" in message(
        profiled, profiled, "--profile", page
    )
    assert "cannot be combined with" in message(profiled, "--vs-tinygrad", "--profile", page)
    assert "there is no folder" in message(profiled, "--profile", profiled.parent / "absent" / "page.html")

    def refuse(*_: object) -> None:
        raise NotBuilt("no compiler\nmore")

    monkeypatch.setattr(native, "Build", refuse)
    assert "no native code could be built, so tinygrad's slower kernels run instead: no compiler\n" in message(
        profiled, "--profile", page, *QUICK
    )
    assert not page.exists()


@pytest.mark.ci
def test_threads_and_donated_inputs(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Results for inputs that calls overwrite are not compared with those of others."""
    options = ("--threads", 2, "--donate", "x", "--donate", "1")
    code, out, err = cli(capsys, "bench", tiny, "--vs-tinygrad", "--json", *options, *QUICK)
    assert (code, err) == (0, "")
    (row,) = json.loads(out)["programs"]
    assert row["failed"] == {} and row["differences"] == {} and row["figures"]["hlo2tiny"]["median"] > 0
    page = tiny.parent / "page.html"
    assert cli(capsys, "bench", tiny, "--profile", page, *options, *QUICK)[0] == 0
    code, out, _ = cli(capsys, "bench", tiny, "--json", "--threads", 0, *QUICK)
    assert code == 1
    assert "threads is 0, expected an integer from 1 to 256" in json.loads(out)["programs"][0]["failed"]["hlo2tiny"]
