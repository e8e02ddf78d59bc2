"""Programs for several devices, next to XLA on as many devices of the CPU."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.tinygrad.device import open_device
from tests.several import Reference

MESHES = [
    [["x", 2]],
    [["x", 4]],
    [["x", 8]],
    [["x", 2], ["y", 2]],
    [["x", 2], ["y", 4]],
    [["x", 2], ["y", 2], ["z", 2]],
]
COLLECTIVES = "psum pmax all_gather psum_scatter all_to_all ppermute axis_index while until branch scan".split()


def devices(count: int) -> tuple[str, ...]:
    return tuple(f"CPU:{i}" for i in range(count))


@pytest.fixture(scope="module", autouse=True)
def processors() -> None:
    """The devices of tests' Tensors, as in conftest.py."""
    for name in devices(8):
        open_device(name)


@pytest.fixture(scope="module")
def xla() -> Iterator[Reference]:
    process = Reference()
    yield process
    process.close()


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@st.composite
def requests(draw: Any) -> dict[str, Any]:
    mesh = draw(st.sampled_from(MESHES))
    names = [name for name, _ in mesh]
    sizes = dict(mesh)
    order = draw(st.permutations(names))
    cut = draw(st.integers(0, len(names)))
    first = draw(st.integers(0, cut))
    spec = [order[:first], order[first:cut]]
    shape = [int(np.prod([sizes[a] for a in axes])) * draw(st.integers(1, 3)) for axes in spec]
    dtype = draw(st.sampled_from(["int32", "float32"]))
    steps = []
    for _ in range(draw(st.integers(1, 3))):
        axes = draw(st.permutations(names))[: draw(st.integers(1, len(names)))]
        count = int(np.prod([sizes[a] for a in axes]))
        step = {"name": draw(st.sampled_from(COLLECTIVES)), "axes": axes, "dimension": draw(st.integers(0, 1))}
        steps.append(step | {"seed": draw(st.integers(0, 99)), "kept": draw(st.integers(0, count))})
    request = {"mesh": mesh, "spec": spec, "out": spec, "shape": shape, "dtype": dtype, "steps": steps}
    request["gspmd"] = draw(st.booleans())
    return request | {"seed": draw(st.integers(0, 99)), "declared": draw(st.booleans()), "around": draw(st.booleans())}


def expect_xlas_results(xla: Reference, folder: Path, request: dict[str, Any]) -> hlo2tiny.Program:
    text, arrays, expected = xla.ask(request, folder / "case.npz")
    count = int(np.prod([size for _, size in request["mesh"]]))
    program = hlo2tiny.load(text, device=devices(count))
    found = program.numpy(*arrays)
    for ours, theirs in zip(found, expected):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-4, err_msg=text)
    for ours, again in zip(found, program.numpy(*arrays)):
        assert ours.tobytes() == again.tobytes()
    return program


def step(name: str, *axes: str, dimension: int = 0) -> dict[str, Any]:
    return {"name": name, "axes": axes, "dimension": dimension, "seed": 1, "kept": 3}


def request_of(mesh: list[list[Any]], spec: list[list[str]], *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    request = {"mesh": mesh, "spec": spec, "out": spec, "shape": [8, 8], "dtype": "int32", "seed": 3}
    return request | {"steps": list(steps)} | more


ALL = [step(name, "x", dimension=i % 2) for i, name in enumerate(COLLECTIVES)]
EXAMPLES = {
    "two": request_of([["x", 2]], [["x"], []], *ALL),
    "four": request_of([["x", 4]], [["x"], []], *ALL),
    "eight": request_of([["x", 8]], [[], ["x"]], *ALL),
    "two axes": request_of([["x", 2], ["y", 4]], [["y"], ["x"]], *[step(n, "y", "x") for n in COLLECTIVES]),
    "one axis of two": request_of([["x", 2], ["y", 4]], [["x"], []], *ALL, manual=["x"]),
    "nested": request_of([["x", 2], ["y", 2]], [["x"], []], step("psum", "y"), manual=["x"], nested=["y"]),
    "nested over two axes": request_of(
        [["x", 2], ["y", 2], ["z", 2]],
        [["x"], []],
        *[step(name, "z", "y", dimension=1) for name in COLLECTIVES[:6]],
        manual=["x"],
        nested=["y", "z"],
    ),
    "arithmetic around": request_of([["x", 2], ["y", 2]], [["x"], ["y"]], *ALL[:2], declared=True, around=True),
    "custom calls": request_of([["x", 2], ["y", 4]], [["y"], ["x"]], *ALL, declared=True, around=True, gspmd=True),
    "custom calls for one axis of two": request_of(
        [["x", 2], ["y", 4]], [["x"], []], step("psum", "x"), step("ppermute", "x"), manual=["x"], gspmd=True
    ),  # XLA itself ends the process for others
    # Large enough for a sum in parts.
    "large": request_of([["x", 4]], [["x"], []], *ALL[:4], shape=[256, 257], dtype="float32"),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", EXAMPLES)
def test_collectives_give_xlas_results(name: str, xla: Reference, tmp_path: Path) -> None:
    expect_xlas_results(xla, tmp_path, EXAMPLES[name])


@pytest.mark.ci
@pytest.mark.parametrize("axes", [pytest.param(["x"], marks=pytest.mark.night), ["y", "x"]], ids=["one", "two"])
def test_gradients_are_those_of_jax(axes: list[str], xla: Reference, tmp_path: Path) -> None:
    from tinygrad import Tensor

    names = ["psum", "sin", "all_gather", "sin", "psum_scatter", "sin", "all_to_all", "sin", "ppermute", "axis_index"]
    steps = [step(name, *axes, dimension=i // 2 % 2) for i, name in enumerate(names)]
    mesh = [["x", 2], ["y", 2]]
    request = request_of(mesh, [["x"], ["y"]], *steps, dtype="float32", gradient=True, around=True)
    text, (x,), (result, expected) = xla.ask(request, tmp_path / "case.npz")
    tensor = Tensor(x)
    found = hlo2tiny.load(text, device=devices(4)).lazy(tensor)
    np.testing.assert_allclose(found.numpy(), result, rtol=1e-4, atol=1e-4)
    weights = np.arange(result.size, dtype=x.dtype).reshape(result.shape) % 7
    (gradient,) = (found * Tensor(weights)).sum().gradient(tensor)
    np.testing.assert_allclose(gradient.numpy(), expected, rtol=1e-3, atol=1e-3 * np.abs(expected).max())


DRAWN = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture], "derandomize": True}


@settings(max_examples=12, **DRAWN)  # type: ignore[arg-type]
@given(requests())
def test_drawn_programs_give_xlas_results(xla: Reference, tmp_path: Path, request: dict[str, Any]) -> None:
    expect_xlas_results(xla, tmp_path, request)


@pytest.mark.night
@pytest.mark.timeout(1800)
@settings(max_examples=150, **{**DRAWN, "derandomize": False})  # type: ignore[arg-type]
@given(requests())
def test_many_drawn_programs_give_xlas_results(xla: Reference, tmp_path: Path, request: dict[str, Any]) -> None:
    expect_xlas_results(xla, tmp_path, request)


# ---------------------------------------------------------------- whole programs

CORPUS = Path(__file__).parents[1] / "corpus" / "several"


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.mlir")), ids=lambda path: path.stem)
def test_programs_of_the_corpus_give_xlas_results(path: Path) -> None:
    partitions = re.search(r"num_partitions = (\d+)", path.read_text(encoding="utf-8"))
    assert partitions is not None
    program = hlo2tiny.load(path, device=devices(int(partitions[1])))
    with np.load(path.with_suffix(".npz")) as archive:
        arrays = [archive[f"in{i}"] for i in range(len(program.inputs))]
        expected = [archive[f"out{i}"] for i in range(len(program.outputs))]
    for found, result in zip(program.numpy(*arrays), expected):
        np.testing.assert_allclose(found, result, rtol=1e-5, atol=1e-6)


LOSS = """
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>) -> (tensor<f32>, tensor<4x5xf32>) {
  %0, %1 = sdy.manual_computation(%x, %w) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>]
      out_shardings=[<@mesh, []>, <@mesh, [{"x"}, {}]>] manual_axes={"x"}
      (%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) {
    %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
    %t = stablehlo.tanh %c : tensor<2x5xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.reduce(%t init: %z) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<2x5xf32>, tensor<f32>) -> tensor<f32>
    BEFORE
    %r = "stablehlo.all_reduce"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %u = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %u : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    AFTER
    sdy.return %r, %t : tensor<f32>, tensor<2x5xf32>
  } : (tensor<4x3xf32>, tensor<3x5xf32>) -> (tensor<f32>, tensor<4x5xf32>)
  return %0, %1 : tensor<f32>, tensor<4x5xf32>
}
}
"""
TWO = devices(2)
X, W = (np.random.RandomState(i).standard_normal(shape).astype(np.float32) for i, shape in enumerate([(4, 3), (3, 5)]))


def loss(before: str = "", after: str = "") -> str:
    return LOSS.replace("BEFORE", before).replace("AFTER", after)


def test_what_a_program_says_of_itself() -> None:
    program = hlo2tiny.load(loss(), device=TWO)
    assert program.device == ("CPU", "CPU:1") and "on CPU, CPU:1" in repr(program)
    assert [str(i) for i in program.inputs] == ["(unnamed): float32[4, 3] sharded (x, -)", "(unnamed): float32[3, 5]"]
    assert [i.sharding for i in (*program.inputs, *program.outputs)] == [("x", ""), (), (), ("x", "")]


def nested_calls(depth: int, calls: int) -> str:
    """A manual computation in a function that others call, each of them several times."""
    body = (
        '%r = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]'
        ' manual_axes={"x"} (%a: tensor<2xf32>) { %b = stablehlo.add %a, %a : tensor<2xf32> sdy.return %b'
        " : tensor<2xf32> } : (tensor<4xf32>) -> tensor<4xf32>"
    )
    functions = [f"func.func private @f0(%x: tensor<4xf32>) -> tensor<4xf32> {{ {body} return %r : tensor<4xf32> }}"]
    for n in range(1, depth + 1):
        names = ["%x", *(f"%{i}" for i in range(calls))]
        lines = [f"%{i} = call @f{n - 1}({names[i]}) : (tensor<4xf32>) -> tensor<4xf32>" for i in range(calls)]
        head = f"func.func {'public @main' if n == depth else f'private @f{n}'}(%x: tensor<4xf32>) -> tensor<4xf32>"
        functions.append("\n".join([f"{head} {{", *lines, f"return {names[-1]} : tensor<4xf32> }}"]))
    return "\n".join(["module {", 'sdy.mesh @mesh = <["x"=2]>', *functions, "}"])


def test_shards_pass_through_calls() -> None:
    """Unless there would be many copies of a function."""
    x = np.arange(4, dtype=np.float32)
    text = nested_calls(3, 1)
    constrained = '%y = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<4xf32> %r = sdy.manual_computation(%y)'
    program = hlo2tiny.load(text.replace("%r = sdy.manual_computation(%x)", constrained), device=TWO)
    assert [i.sharding for i in (*program.inputs, *program.outputs)] == [("x",), ("x",)]
    assert "stablehlo.all_gather" not in {op.name for op in program.module.functions["main"].body.ops}
    np.testing.assert_array_equal(program.numpy(x)[0], 2 * x)
    for depth, calls in ((40, 1), (40, 2)):
        deep = hlo2tiny.load(nested_calls(depth, calls), device=TWO)
        assert deep.inputs[0].sharding == ()
    np.testing.assert_array_equal(hlo2tiny.load(nested_calls(2, 2), device=TWO).numpy(x)[0], 16 * x)


def test_tensors_are_spread_over_the_devices() -> None:
    from tinygrad import Tensor

    program = hlo2tiny.load(loss(), device=TWO)
    for x in (Tensor(X), Tensor(X).shard(TWO, 0), Tensor(X).shard(TWO), X):
        total, values = program(x, Tensor(W))
        assert total.device == values.device == ("CPU", "CPU:1") and values.uop.axis == 0
        np.testing.assert_allclose(values.numpy(), np.tanh(X @ W), atol=1e-6)
        np.testing.assert_allclose(total.item(), np.tanh(X @ W).sum(), rtol=1e-5)


def test_sharded_tensors_are_read_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    from tinygrad import Tensor

    from hlo2tiny.tinygrad import tensors

    program = hlo2tiny.load(loss(), device=TWO)
    _, values = program(X, W)
    cut, w = (values * 1).realize(), Tensor(W).shard(TWO).realize()  # tinygrad computes on our shards
    again = hlo2tiny.load(loss(), device=TWO)
    x = Tensor(X).shard(TWO, 0).realize()
    monkeypatch.setattr(tensors, "from_tensor", None)
    total, found = again(x, w)
    assert found.numpy().tobytes() == values.numpy().tobytes() == cut.numpy().tobytes()
    assert total.numpy() == np.float32(program.numpy(X, W)[0])


def test_the_same_sharded_tensors_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And small results of each device are parts of one buffer."""
    from tinygrad import Tensor

    from hlo2tiny.tinygrad import tensors

    program, x, w = hlo2tiny.load(loss(), device=TWO), Tensor(X).shard(TWO, 0).realize(), Tensor(W).shard(TWO).realize()
    first, usual = program(x, w), tensors.shards_of
    monkeypatch.setattr(tensors, "shards_of", None)
    again = program(x, w)
    for results in (first, again):
        shards = [tensors.value_of(each).buffers for each in results]  # type: ignore[union-attr]
        assert all(total.whole is values.whole for total, values in zip(*shards))
        assert not {*shards[0]} & {*shards[1]}
    assert [each.numpy().tobytes() for each in first] == [each.numpy().tobytes() for each in again]
    monkeypatch.setattr(tensors, "shards_of", usual)
    other = program((2 * x).realize(), w)[1].numpy()
    np.testing.assert_allclose(other, np.tanh(2 * X @ W), atol=1e-6)
    np.testing.assert_array_equal(program(x, w)[1].numpy(), first[1].numpy())


def test_tinygrad_learns_of_results_when_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its graph takes long to build: a later call reads their shards, and looks up those of other Tensors once."""
    from tinygrad import Tensor

    from hlo2tiny.tinygrad import tensors

    text, ones = (
        """
module attributes {mhlo.num_partitions = 2 : i32} {
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%a: tensor<2x3xf32>) {
    %r = stablehlo.add %a, %a : tensor<2x3xf32>
    sdy.return %r : tensor<2x3xf32>
  } : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
}""",
        np.ones((4, 3), np.float32),
    )
    program, x = hlo2tiny.load(text, device=TWO), Tensor(ones).shard(TWO, 0).realize()
    twice, found = program(x), tensors._find_shards
    monkeypatch.setattr(tensors, "_find_shards", None)
    result = program(program(x))
    assert isinstance(tensors.value_of(result), tensors.Shards)
    assert (result.shape, result.dtype, result.device) == (x.shape, x.dtype, x.device)
    monkeypatch.setattr(tensors, "_find_shards", found)
    assert result.uop.axis == 0 and result.numpy().tolist() == (twice + twice).numpy().tolist() == (4 * ones).tolist()
    for other in (Tensor(ones).shard(TWO), Tensor(ones).shard(TWO, 0), Tensor(ones)):
        for _ in range(2):
            np.testing.assert_array_equal(program(other).numpy(), 2 * ones)


def test_gradients_reach_sharded_and_whole_arguments() -> None:
    from tinygrad import Tensor

    x, w = Tensor(X), Tensor(W)
    total, values = hlo2tiny.load(loss(), device=TWO).lazy(x, w)
    found = (total + (values * 3).sum()).gradient(x, w)
    slope = 4 * (1 - np.tanh(X @ W) ** 2)
    np.testing.assert_allclose(found[0].numpy(), slope @ W.T, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(found[1].numpy(), X.T @ slope, rtol=1e-4, atol=1e-5)


def test_gradients_of_collectives_are_finite_differences() -> None:
    """Of each collective along one axis; the float64 program is linear, so that differences are exact."""
    from tinygrad import Tensor

    exchange = """%g = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, GROUPS}>
        : (tensor<2x3xf64>) -> tensor<4x3xf64>
      %h = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, CHANNEL}> : (tensor<2x3xf64>) -> tensor<2x3xf64>
      %i = "stablehlo.collective_permute"(%h) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, CHANNEL}>
        : (tensor<2x3xf64>) -> tensor<2x3xf64>
      %j = "stablehlo.collective_broadcast"(%h) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, CHANNEL}>
        : (tensor<2x3xf64>) -> tensor<2x3xf64>
      %k = stablehlo.slice %g [1:3, 0:3] : (tensor<4x3xf64>) -> tensor<2x3xf64>
      %l = stablehlo.add %i, %j : tensor<2x3xf64>
      %m = stablehlo.add %k, %l : tensor<2x3xf64>"""
    channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
    groups = f"replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, {channel}, use_global_device_ids"
    text = f"""module attributes {{mhlo.num_partitions = 2 : i32}} {{
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<4x3xf64>) -> tensor<4x3xf64> {{
      %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{"x"}}, {{}}]>] out_shardings=[<@mesh, [{{"x"}}, {{}}]>]
        manual_axes={{"x"}} (%a: tensor<2x3xf64>) {{
      {exchange.replace("GROUPS", groups).replace("CHANNEL", channel)}
      sdy.return %m : tensor<2x3xf64>
      }} : (tensor<4x3xf64>) -> tensor<4x3xf64>
      return %0 : tensor<4x3xf64>
    }}
    }}"""
    program = hlo2tiny.load(text, device=TWO)
    x, seeds = np.random.RandomState(0).randint(-9, 9, (2, 4, 3)).astype(np.float64)
    tensor = Tensor(x)
    (found,) = (program.lazy(tensor) * Tensor(seeds)).sum().gradient(tensor)
    base = (program.numpy(x)[0] * seeds).sum()
    for place in np.ndindex(4, 3):
        moved = x.copy()
        moved[place] += 1
        assert found.numpy()[place] == (program.numpy(moved)[0] * seeds).sum() - base


def test_donated_arguments_take_their_results() -> None:
    text = loss().replace(
        "%x: tensor<4x3xf32>, %w: tensor<3x5xf32>", "%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %y: tensor<4x5xf32>"
    )
    program = hlo2tiny.load(text, device=TWO, donate=2)
    y = np.zeros((4, 5), np.float32)
    _, values = program.numpy(X, W, y)
    assert values is y
    np.testing.assert_allclose(y, np.tanh(X @ W), atol=1e-6)


def test_calls_from_several_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    program = hlo2tiny.load(loss(), device=TWO)
    first = program.numpy(X, W)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: program.numpy(X, W), range(40)):
            assert [a.tobytes() for a in found] == [b.tobytes() for b in first]


# ---------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("device", "message"),
    [
        (("CPU:0",), "device has 1 name, expected 2 to 256, or a single one as a string"),
        (("CPU:0", "CPU"), "device names CPU twice"),
        (("CPU:1", "CPU:01"), "device names CPU:1 twice"),
        (("CPU:0", "CPU:x"), "device names 'CPU:x', expected names such as 'CPU:0' and 'CPU:1'"),
        (("CPU:0", "CPU:-1"), "device names 'CPU:-1', expected names"),
        (("CPU:0", "CUDA:0"), "device names CPU and CUDA, but a program uses only CPU devices or only CUDA"),
        (devices(4), "the program is for 2 devices (its mesh is x=2), but 4 were named"),
        (7, "device is 7, expected the name of a tinygrad device, such as 'CPU', or several"),
        ("CPU", "is written for 2 devices, but one was named"),
    ],
)
def test_devices_that_do_not_fit(device: Any, message: str) -> None:
    with pytest.raises(hlo2tiny.Error, match=re.escape(message)):
        hlo2tiny.load(loss(), device=device)


def test_options_for_several_devices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from hlo2tiny.cli import main

    expected = hlo2tiny.load(loss(), device=TWO).numpy(X, W)
    for threads in (1, 5):
        found = hlo2tiny.load(loss(), device=TWO, threads=threads).numpy(X, W)
        assert [a.tobytes() for a in found] == [b.tobytes() for b in expected]
    with pytest.raises(
        hlo2tiny.InputError, match="0 is donated, but no unclaimed result has its type, tensor<4x3xf32>"
    ):
        hlo2tiny.load(loss(), device=TWO, donate=0)
    path = tmp_path / "loss.mlir"
    path.write_text(loss(), encoding="utf-8")
    assert main(["run", str(path), "--random", "0", "--device", "CPU:0,CPU:1"]) == 0
    assert "out1: float32[4, 5]" in capsys.readouterr().out


COMMANDS = {
    "inspect --plan --cost": "0 (unnamed): float32[4, 3] sharded (x, -)",
    "view -o PAGE": "the page is ",
    "check --input RECORDED": "out1: float32[4, 5] differs by nothing",
    "check": "a program for several devices is compared with recorded results only: --input FILE.npz with out0",
    "check --input RECORDED --bisect": "is compared with recorded results only",
    "view -o PAGE --time": "--device CPU:0,CPU:1: --time and --vs-xla need one device",
    "bench --vs-xla": "--device CPU:0,CPU:1: --vs-xla and --vs-tinygrad need one device",
    "bench --profile": "--device CPU:0,CPU:1: --profile measures programs on one device",
    "bench --seconds 0.01": "call, median",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_for_several_devices(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from hlo2tiny.cli import main

    path, recorded, page = tmp_path / "loss.mlir", tmp_path / "recorded.npz", tmp_path / "page.html"
    path.write_text(loss(), encoding="utf-8")
    out0, out1 = hlo2tiny.load(loss(), device=TWO).numpy(X, W)
    np.savez(recorded, in0=X, in1=W, out0=out0, out1=out1)
    name, *options = command.replace("PAGE", str(page)).replace("RECORDED", str(recorded)).split()
    code = main([name, str(path), *options, "--device", "CPU:0,CPU:1"])
    printed = capsys.readouterr()
    assert COMMANDS[command] in printed.out + printed.err
    assert (code == 0) == (not printed.err) and page.exists() == ("the page" in printed.out)
    if "--plan" in command:
        assert "all_gather(" in printed.out and "B of memory at its peak" in printed.out


def test_shapes_that_a_sharding_does_not_divide() -> None:
    with pytest.raises(
        hlo2tiny.UnsupportedOp, match="dimension 0 has the size 5, which axis 'x' of 2 devices does not"
    ):
        hlo2tiny.load(loss().replace("tensor<4x", "tensor<5x"), device=TWO)
    with pytest.raises(hlo2tiny.UnsupportedOp, match=r"operand 0 is .*, whose shards are not of type tensor<2x3xf32>"):
        hlo2tiny.load(loss().replace("tensor<4x", "tensor<6x"), device=TWO)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('[{"x"}, {}]', '[{"z"}, {}]', ":5:.*sdy.manual_computation: the mesh has no axis 'z'; it has x"),
        ('[{"x"}, {}]', '[{"x"}, {"x"}]', ":5:.*sdy.manual_computation: a sharding cuts along axis 'x' twice"),
        ('[{"x"}, {}]', '[{"x"}]', ":4:24: argument x: a sharding of 1 dimensions, for a value of rank 2"),
        ("%x: tensor<4x3xf32>", "%x: tensor<?x3xf32>", ":4:24: argument x: dimension 0 is open, but axis 'x' of 2 dev"),
        ('sdy.mesh @mesh = <["x"=2]>', "", ":5:.*sdy.manual_computation: there is no mesh @mesh in this module"),
    ],
)
def test_shardings_that_do_not_fit(old: str, new: str, message: str) -> None:
    text = (
        loss().replace(old, new).replace("(tensor<4x3xf32>, tensor", f"({new.removeprefix('%x: ')}, tensor", "?" in new)
    )
    with pytest.raises(hlo2tiny.Error, match=f"(?s){message}"):
        hlo2tiny.load(text, device=TWO)


def test_dimensions_that_are_not_cut_may_be_open(cached: None) -> None:
    text = loss().replace("%w: tensor<3x5xf32>)", "%w: tensor<3x5xf32>, %o: tensor<?x2xf32>)")
    text = text.replace("(tensor<f32>, tensor<4x5xf32>) {", "(tensor<f32>, tensor<4x5xf32>, tensor<?x2xf32>) {")
    text = text.replace("return %0, %1 : tensor<f32>,", "return %0, %1, %o : tensor<f32>,")
    text = "".join(
        [text[: (end := text.rindex("tensor<4x5xf32>"))], "tensor<4x5xf32>, tensor<?x2xf32>", text[end + 15 :]]
    )
    replicas = """module attributes {mhlo.num_replicas = 2 : i32} {
    func.func @main(%x: tensor<?xf32>, %y: tensor<3xf32>) -> (tensor<?xf32>, tensor<3xf32>) {
      %r = "stablehlo.collective_permute"(%y) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>
        : (tensor<3xf32>) -> tensor<3xf32>
      %s = stablehlo.negate %x : tensor<?xf32>
      return %s, %r : tensor<?xf32>, tensor<3xf32>
    } }"""
    y = np.arange(6, dtype=np.float32).reshape(2, 3)
    for _ in range(2):  # the second time from the cache
        program, swap = hlo2tiny.load(text, device=TWO), hlo2tiny.load(replicas, device=TWO)
        for rows in (2, 5):
            o = np.random.RandomState(rows).standard_normal((rows, 2)).astype(np.float32)
            np.testing.assert_array_equal(program.numpy(X, W, o)[2], o)
            for found, expected in zip(swap.numpy(o.T, y), (-o.T, y[::-1])):
                np.testing.assert_array_equal(found, expected)
    with pytest.raises(hlo2tiny.UnsupportedOp, match=r"exchanges tensor<\?xf32>, whose size is open; export it"):
        hlo2tiny.load(replicas.replace("3xf32", "?xf32"), device=TWO)


def test_a_program_without_collectives() -> None:
    text = "module { func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> } }"
    with pytest.raises(hlo2tiny.InputError, match="the program is for one device: run it on one device, or"):
        hlo2tiny.load(text, device=TWO)


@hlo2tiny.custom_call("fail_on_the_second")
def fail_on_the_second(number: np.ndarray) -> np.ndarray:
    if number == 1:
        raise ArithmeticError("the second process fails")
    return number


NUMBER = "%id = stablehlo.partition_id : tensor<ui32>\n%in = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>"


def test_a_process_that_fails_ends_the_call_of_all() -> None:
    call = f"{NUMBER}\n%n = stablehlo.custom_call @fail_on_the_second(%in) : (tensor<i32>) -> tensor<i32>"
    program = hlo2tiny.load(loss(call), device=TWO)
    program.compile()
    begin = time.monotonic()
    for _ in range(3):
        failed = r":\d+:\d+: stablehlo.custom_call: fail_on_the_second failed for device 1: ArithmeticError: the"
        with pytest.raises(hlo2tiny.InputError, match=failed) as caught:
            program.numpy(X, W)
        assert isinstance(caught.value.__cause__, ArithmeticError)
    assert time.monotonic() - begin < 60  # nothing hangs


def test_a_process_that_fails_ends_a_loop_of_another() -> None:
    """The first one iterates for minutes, without a collective."""
    loop = f"""{NUMBER}
    %none = stablehlo.constant dense<0> : tensor<i32>
    %many = stablehlo.constant dense<2000000000> : tensor<i32>
    %first = stablehlo.compare EQ, %in, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %iterations = stablehlo.select %first, %many, %none : tensor<i1>, tensor<i32>
    %l:2 = stablehlo.while(%i = %none, %v = %t) : tensor<i32>, tensor<2x5xf32> cond {{
      %more = stablehlo.compare LT, %i, %iterations : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      %turned = stablehlo.cosine %v : tensor<2x5xf32>
      stablehlo.return %next, %turned : tensor<i32>, tensor<2x5xf32>
    }}
    %n = stablehlo.custom_call @fail_on_the_second(%in) : (tensor<i32>) -> tensor<i32>"""
    program = hlo2tiny.load(loss(loop).replace("sdy.return %r, %t", "sdy.return %r, %l#1"), device=TWO)
    program.compile()
    begin = time.monotonic()
    for _ in range(3):
        failed = r":\d+:\d+: stablehlo.custom_call: fail_on_the_second failed for device 1: ArithmeticError: the"
        with pytest.raises(hlo2tiny.InputError, match=failed) as caught:
            program.numpy(X, W)
        assert isinstance(caught.value.__cause__, ArithmeticError)
    assert time.monotonic() - begin < 60


@pytest.mark.parametrize("stored", [False, True])
def test_processes_that_part_ways_get_an_error(stored: bool, cached: None) -> None:
    """Only the second one comes to the collective."""
    before = f'{NUMBER}\n%r = "stablehlo.case"(%in) ({{ stablehlo.return %s : tensor<f32> }}, {{'
    after = "stablehlo.return %rr : tensor<f32> }) : (tensor<i32>) -> tensor<f32>"
    text = loss(before, after).replace('%r = "stablehlo.all_reduce"', '%rr = "stablehlo.all_reduce"')
    if stored:
        hlo2tiny.load(text, TWO).compile()
    program = hlo2tiny.load(text, TWO)
    for _ in range(3):
        with pytest.raises(hlo2tiny.InputError) as caught:
            program.numpy(X, W)
        assert re.match(r"<text>:\d+:\d+: stablehlo.all_gather: device 1 waits here, but", str(caught.value))


# ---------------------------------------------------------------- their threads

# Each process iterates until the sum of its part of the first argument is no longer positive, so it never does.
WHILE_POSITIVE = """%l:2 = stablehlo.while(%v = %s, %k = %t) : tensor<f32>, tensor<2x5xf32> cond {
      %more = stablehlo.compare GT, %v, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %turned = stablehlo.cosine %k : tensor<2x5xf32>
      stablehlo.return %v, %turned : tensor<f32>, tensor<2x5xf32>
    }"""
STANDING = """
import gc, hlo2tiny, numpy, os, signal, sys, threading, time, warnings
def threads(): return set(os.listdir("/proc/self/task"))
def left(count):  # threads that compiled end soon after
    for _ in range(500):
        if len(threads()) > count: time.sleep(0.02)
    return threads()
before = threads()
warnings.filterwarnings("ignore", ".*use of fork.*", DeprecationWarning)  # from Python 3.12 on: it is what is tested
program = hlo2tiny.load(sys.stdin.read(), device=["CPU:0", "CPU:1"], threads=1)
w = numpy.ones((3, 5), numpy.float32)
def call(*rows): return program.numpy(numpy.array([[x] * 3 for x in rows], numpy.float32), w)[0]
expected = call(-1, -1, -1, -1)
standing = left(len(before) + 1) - before
for _ in range(9): assert call(-1, -1, -1, -1) == expected
assert len(standing) == 1 and threads() - before == standing, threads()  # OpenBLAS ends its own before a fork

child = os.fork()  # which has threads of its own
if not child:
    assert call(-1, -1, -1, -1) == expected and len(left(2)) == 2
    del program
    gc.collect()
    os._exit(len(left(1)) - 1)
assert os.waitpid(child, 0)[1] == 0

signal.signal(signal.SIGINT, signal.default_int_handler)
for rows in ((1, 1, -1, -1), (-1, -1, 1, 1)):  # where the other waits for one
    threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
    try:
        call(*rows)
    except KeyboardInterrupt:
        print("interrupted")
    assert call(-1, -1, -1, -1) == expected
del program
gc.collect()
assert left(len(before)) <= before, (threads(), before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc lists the threads")
def test_threads_stay_for_the_next_call(cached: None) -> None:
    """One after the other: in the same process, a forked one, after Ctrl-C, and until the program is gone."""
    text = loss(WHILE_POSITIVE).replace("sdy.return %r, %t", "sdy.return %r, %l#1")
    process = subprocess.run([sys.executable, "-c", STANDING], input=text, capture_output=True, text=True, timeout=60)
    assert (process.stdout, process.stderr, process.returncode) == ("interrupted\n" * 2, "", 0)


# ---------------------------------------------------------------- later processes

LATER = """
import os, sys
os.environ["PATH"], os.environ["CC"] = "", ""  # no compiler
sys.modules["ziglang"] = None
import numpy as np, hlo2tiny
program = hlo2tiny.load({path!r}, device={devices!r})
print(*program.inputs, *program.outputs, sep="\\n")
arrays = np.load({archive!r})
(result,) = program.numpy(*(arrays[f"in{{i}}"] for i in range(len(program.inputs))))
print(result.tobytes().hex())
assert not {{"tinygrad", "lark", "jax"}} & set(sys.modules), "the way from the text is not imported"
"""


def test_a_later_process_builds_nothing(cached: None) -> None:
    path, names = CORPUS / "tensor_parallel_mlp.mlir", devices(8)
    archive = path.with_suffix(".npz")
    program = hlo2tiny.load(path, device=names)
    with np.load(archive) as arrays:
        (result,) = program.numpy(*(arrays[f"in{i}"] for i in range(3)))
    source = LATER.format(path=str(path), devices=names, archive=str(archive))
    printed = subprocess.check_output([sys.executable, "-c", source], text=True).splitlines()
    assert printed == [*map(str, (*program.inputs, *program.outputs)), result.tobytes().hex()]
    with pytest.raises(hlo2tiny.InputError, match="but 4 were named"):
        hlo2tiny.load(path, device=devices(4))


def test_a_program_from_the_cache_is_the_same(cached: None) -> None:
    from tinygrad import Tensor

    first = hlo2tiny.load(loss(), device=TWO)
    first.compile()
    second = hlo2tiny.load(loss(), device=TWO)
    assert second._specialisations._model is None
    assert [a.tobytes() for a in first.numpy(X, W)] == [b.tobytes() for b in second.numpy(X, W)]
    assert second(X, W)[1].uop.axis == 0 and second.device == ("CPU", "CPU:1")
    w = Tensor(W)
    slopes = [program.lazy(X, w)[0].gradient(w)[0].numpy() for program in (first, second)]
    np.testing.assert_array_equal(*slopes)


# ---------------------------------------------------------------- partitioning

JIT = """
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func public @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %w: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<8xf32>, tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
  %1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.maximum across dimensions = [0]
    : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %2, %0 : tensor<8xf32>, tensor<4x8xf32>
}
}
"""


def test_partition_writes_explicit_collectives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from hlo2tiny.cli import main

    source, out = tmp_path / "jit.mlir", tmp_path / "out.mlir"
    source.write_text(JIT, encoding="utf-8")
    assert main(["partition", str(source), "-o", str(out), "--devices", "4"]) == 0
    assert {"stablehlo.all_reduce", "sdy.manual_computation"} <= {op.name for op in hlo2tiny.parse(out).walk()}
    program = hlo2tiny.load(out, device=devices(4))
    assert [i.sharding for i in (*program.inputs, *program.outputs)] == [("x", "y"), ("y", ""), (), ("x", "")]
    x, w = (np.random.RandomState(i).standard_normal(s).astype(np.float32) for i, s in enumerate([(4, 6), (6, 8)]))
    most, product = program.numpy(x, w)
    np.testing.assert_allclose(product, x @ w, atol=1e-5)
    np.testing.assert_array_equal(most, product.max(0))
    assert main(["partition", str(source), "-o", str(out), "--devices", "8"]) == 1
    assert "has no shardings on 8 devices: its mesh is x=2, y=2" in capsys.readouterr().err
    source.write_text(JIT.replace("4x6xf32", "5x6xf32").replace("4x8xf32", "5x8xf32"), encoding="utf-8")
    assert main(["partition", str(source), "-o", str(out), "--devices", "4"]) == 1
    message = "dimension 0 has the size 5, which axis 'x' of 2 devices does not divide"
    assert f"hlo2tiny: error: {source}: {message}\n" in capsys.readouterr().err


ANNOTATED = """
module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
func.func public @main(%x: tensor<8x16xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}, %y: tensor<16xf32>)
    -> (tensor<16xf32>, tensor<8x16xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}) {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"}
    : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0]
    : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  %3 = stablehlo.add %2, %y : tensor<16xf32>
  %4 = stablehlo.negate %0 : tensor<8x16xf32>
  return %3, %4 : tensor<16xf32>, tensor<8x16xf32>
}
}
"""


def test_partition_reads_gspmds_notation(tmp_path: Path) -> None:
    from hlo2tiny.from_jax.partitioning import partition

    source, out = tmp_path / "jit.mlir", tmp_path / "out.mlir"
    source.write_text(ANNOTATED, encoding="utf-8")
    with pytest.raises(hlo2tiny.InputError, match="no shardings on 4 devices: they are on 8 devices"):
        partition(source, out, 4)
    partition(source, out, 8)
    program = hlo2tiny.load(out, device=devices(8))
    arguments, results = ([i.sharding for i in side] for side in (program.inputs, program.outputs))
    assert (arguments, results) == ([("2 parts", "4 parts"), ()], [(), ("2 parts", "")])
    x, y = (np.random.RandomState(i).standard_normal(s).astype(np.float32) for i, s in enumerate([(8, 16), (16,)]))
    total, negative = program.numpy(x, y)
    np.testing.assert_allclose(total, x.sum(0) + y, atol=1e-5)
    np.testing.assert_array_equal(negative, -x)


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("mesh['a'=4,'b'=2] {'b'}", ((0, 1), (2, 3), (4, 5), (6, 7))),
        ("mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'a'}", ((0, 1, 2, 3), (4, 5, 6, 7))),
        ("mesh['a'=4,'b'=2], device_ids=([2,2,2]T(0,2,1)) {'a':(2)2}", ((0, 1), (2, 3), (4, 5), (6, 7))),
        ("mesh['a'=2,'b'=2], device_ids=(3,1,0,2) {'b','a'}", ((3, 0, 1, 2),)),
    ],
)
def test_groups_of_xlas_partitioner(text: str, groups: tuple[tuple[int, ...], ...]) -> None:
    from hlo2tiny.from_jax.partitioning import read_groups

    assert sorted(read_groups(text)) == sorted(groups)


def test_partition_refuses_what_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the partitioner added where the program takes the maximum."""
    from hlo2tiny.from_jax import partitioning

    source, out = tmp_path / "jit.mlir", tmp_path / "out.mlir"
    source.write_text(
        JIT.replace("applies stablehlo.maximum", "applies stablehlo.add").replace("0xFF800000", "0.0"), encoding="utf-8"
    )
    wrong = partitioning.run_partitioner(hlo2tiny.parse(source), 4, "shardy")
    source.write_text(JIT, encoding="utf-8")
    monkeypatch.setattr(partitioning, "run_partitioner", lambda module, devices, notation: wrong)
    with pytest.raises(hlo2tiny.InputError, match="result 0 of the partitioned program differs from the program"):
        partitioning.partition(source, out, 4)
    assert not out.exists()


def test_export_for_several_devices(tmp_path: Path) -> None:
    import jax

    spec = jax.sharding.PartitionSpec
    mesh = jax.sharding.AbstractMesh((2,), ("x",))
    cut, whole = (jax.sharding.NamedSharding(mesh, s) for s in (spec("x"), spec()))
    function = jax.jit(lambda x, w: {"most": (x @ w).max(0)}, in_shardings=(cut, whole))
    path = hlo2tiny.export(function, "4, 3", "3, 5", path=tmp_path / "model.mlir", devices=2)
    assert "stablehlo.all_reduce" in {op.name for op in hlo2tiny.parse(path).walk()}
    found = hlo2tiny.load(path, device=TWO).numpy(x=X, w=W)
    np.testing.assert_allclose(found["most"], (X @ W).max(0), rtol=1e-5)
    with pytest.raises(hlo2tiny.InputError, match="has no shardings on 4 devices"):
        hlo2tiny.export(function, "4, 3", "3, 5", path=tmp_path / "other.mlir", devices=4)
    assert not (tmp_path / "other.mlir").exists() and not (tmp_path / "other.mlir.json").exists()


def test_the_order_of_reductions_is_an_option() -> None:
    """On the CPU it is always that of the processes."""
    text = (CORPUS / "tensor_parallel_mlp.mlir").read_text(encoding="utf-8")
    devices = [f"CPU:{n}" for n in range(8)]
    with pytest.raises(hlo2tiny.InputError, match="deterministic is 'yes', expected 'runs' or 'order'"):
        hlo2tiny.load(text, devices, deterministic="yes")
    both = [hlo2tiny.load(text, devices, deterministic=word) for word in ("runs", "order")]
    arrays = [np.full(i.shape, 0.1, np.float32) for i in both[0].inputs]
    found = [program.numpy_one_by_one(arrays)[0] for program in both]
    np.testing.assert_array_equal(*found)


def test_processes_of_gpus_reduce_as_their_library_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a model is localised to, and where the store keeps it, depends on the devices and on the option."""
    asked: list[bool] = []

    def localised(module: object, count: int, native: bool) -> object:
        asked.append(native)
        raise hlo2tiny.InputError("enough")

    monkeypatch.setattr("hlo2tiny.program.model.localise", localised)
    for device, word in (("CPU", "runs"), ("CUDA", "runs"), ("CUDA", "order")):
        with pytest.raises(hlo2tiny.InputError, match="enough"):
            hlo2tiny.load(loss(""), [f"{device}:0", f"{device}:1"], deterministic=word)
    assert asked == [False, True, False]
