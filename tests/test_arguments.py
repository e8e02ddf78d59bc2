"""Calls in the structure of the exported function, by name, and with some arguments bound."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tinygrad import Tensor

import hlo2tiny
from hlo2tiny.errors import InputError, ParseError
from hlo2tiny.formats import safetensors, sidecar
from hlo2tiny.formats.artifact import Signature, Stored
from hlo2tiny.trees import LEAF, Tree

DENSE = """
func.func public @main(
    %b: tensor<2xf32> loc("params['dense']['bias']"), %k: tensor<3x2xf32> loc("params['dense']['kernel']"),
    %x: tensor<4x3xf32> loc("x"), %s: tensor<f32> loc("scale")) -> (tensor<4x2xf32>, tensor<f32>) {
  %0 = stablehlo.dot_general %x, %k, contracting_dims = [1] x [0]
    : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x2xf32>
  %3 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<4x2xf32>
  return %4, %s : tensor<4x2xf32>, tensor<f32>
}
"""
BIAS, KERNEL = np.array([1, -1], np.float32), np.arange(6, dtype=np.float32).reshape(3, 2)
X, SCALE = np.arange(12, dtype=np.float32).reshape(4, 3), np.float32(0.5)
PARAMS = {"dense": {"bias": BIAS, "kernel": KERNEL}}
RESULT = (X @ KERNEL + BIAS) * SCALE


class Moments:
    def __init__(self, mean: float, count: float, z: float = 0.0) -> None:
        self.mean, self.count, self.z = mean, count, z


DENSE_TREE = Tree("dict", (Tree("dict", (LEAF, LEAF), ("bias", "kernel")),), ("dense",))
INPUTS = Tree("tuple", (Tree("tuple", (DENSE_TREE, LEAF)), Tree("dict", (LEAF,), ("scale",))))
OUTPUTS = Tree("dict", (LEAF, LEAF), ("out", "scale"))


def saved(folder: Path, signature: Signature) -> Path:
    sidecar.write(folder / "dense.mlir", DENSE.encode(), signature)
    return folder / "dense.mlir"


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> hlo2tiny.Program:
    return hlo2tiny.load(saved(tmp_path_factory.mktemp("dense"), Signature(INPUTS, OUTPUTS)), device="CPU")


@pytest.fixture(scope="module")
def flat() -> hlo2tiny.Program:
    return hlo2tiny.load(DENSE, device="CPU")


def check(results: Any) -> None:
    assert list(results) == ["out", "scale"]
    np.testing.assert_allclose(results["out"], RESULT)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((PARAMS, X), {"scale": SCALE}),
        ((PARAMS,), {"x": X, "scale": 0.5}),
        ((), {"x": X, "scale": SCALE, "params": PARAMS}),
        ((BIAS, KERNEL, X, SCALE), {}),
        ((), {"x": X, "scale": SCALE, "params['dense']['bias']": BIAS, "params['dense']['kernel']": KERNEL}),
    ],
    ids=["structure", "names", "names only", "one by one", "names of leaves"],
)
def test_arguments_in_structure_by_name_and_one_by_one(dense: hlo2tiny.Program, arguments: Any, named: Any) -> None:
    check(dense.numpy(*arguments, **named))
    results = dense(*arguments, **named)
    assert all(isinstance(r, Tensor) for r in results.values())
    check({name: r.numpy() for name, r in results.items()})


def test_the_results_one_by_one(dense: hlo2tiny.Program) -> None:
    out, scale = dense.numpy_one_by_one([BIAS, KERNEL, X, SCALE])
    np.testing.assert_allclose(out, RESULT)
    assert scale == SCALE


def test_names_without_a_structure(flat: hlo2tiny.Program) -> None:
    out, _ = flat.numpy(BIAS, KERNEL, scale=SCALE, x=X)
    np.testing.assert_allclose(out, RESULT)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((PARAMS, X, SCALE), {}),
        ((PARAMS | {"unused": 1}, X), {"scale": SCALE}),
        ((), {"params": PARAMS, "x": X, "scale": SCALE}),
        ((BIAS, KERNEL.tolist(), X.tolist(), 0.5), {}),
    ],
)
def test_names_say_the_structure_where_no_file_does(flat: hlo2tiny.Program, arguments: Any, named: Any) -> None:
    arguments = [np.array(a, np.float32) if isinstance(a, list) else a for a in arguments]
    np.testing.assert_allclose(flat.numpy(*arguments, **named)[0], RESULT)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"dense": {"bias": BIAS}}, "params['dense']: there is no ['kernel'] in a dict with keys 'bias'"),
        ({"dense": None}, "params['dense']: there is no ['bias'] in None"),
        ([BIAS, KERNEL], "params: there is no ['dense'] in a list of 2 values"),
    ],
)
def test_structures_that_names_contradict(flat: hlo2tiny.Program, params: Any, message: str) -> None:
    with pytest.raises(InputError) as raised:
        flat.numpy(params, X, SCALE)
    assert str(raised.value) == message


def program_of(*names: str) -> hlo2tiny.Program:
    """Each result is an argument."""
    arguments = ", ".join(f"%a{i}: tensor<f32> loc({json.dumps(name)})" for i, name in enumerate(names))
    results, types = ", ".join(f"%a{i}" for i in range(len(names))), ", ".join(["tensor<f32>"] * len(names))
    return hlo2tiny.load(f"func.func @main({arguments}) -> ({types}) {{ return {results} : {types} }}", device="CPU")


@pytest.mark.parametrize(
    ("names", "arguments"),
    [
        (["state[0].mean", "state[0].count", "state[2]['a']"], [(Moments(1.0, 2.0), None, {"a": 3.0})]),
        (["args[0]['w']", "args[1]", "kw"], [{"w": 1.0}, 2.0, 3.0]),
        (["f['it\\'s']", "x", "y"], [1.0, 2.0, 3.0]),
        (["p['a']", "q", "p['b']"], [1.0, 2.0, 3.0]),
        (["p", "p['a']", "x"], [1.0, 2.0, 3.0]),
        (["", "p['a']", "x"], [1.0, 2.0, 3.0]),
        (["p" + "[0]" * 101, "q", "x"], [1.0, 2.0, 3.0]),
        (["p['a']['x y']", 'p["it\'s"].z', "x"], [{"a": {"x y": 1.0}, "it's": Moments(0.0, 0.0, z=2.0)}, 3.0]),
    ],
)
def test_names_of_many_kinds(names: list[str], arguments: list[Any]) -> None:
    program = program_of(*names)
    assert program.numpy(*arguments) == (1, 2, 3)
    assert program.numpy(1.0, 2.0, 3.0) == (1, 2, 3)


def bad(**changed: Any) -> dict[str, Any]:
    return {"params": PARAMS, "x": X, "scale": SCALE} | changed


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((PARAMS, X), {}, "argument scale is missing; the program takes (params, x, scale=…)"),
        ((PARAMS, X, SCALE), {}, "3 arguments were given; the program takes (params, x, scale=…)"),
        ((PARAMS, X), {"x": X, "scale": SCALE}, "argument x was given twice"),
        ((PARAMS, X), {"size": X}, "there is no argument 'size'; the program takes (params, x, scale=…)"),
        (
            (),
            bad(params={"dense": {"bias": BIAS}}),
            "params['dense']: expected a dict with keys 'bias', 'kernel', found",
        ),
        (
            (),
            bad(params={"dense": {"bias": X, "kernel": KERNEL}}),
            "(params['dense']['bias']) is float32[4, 3], expected",
        ),
        ((), bad(params=X), "params: expected a dict with keys 'dense', found an array float32[4, 3]"),
        ((), {"params": PARAMS, "scale": SCALE}, "argument x is missing"),
    ],
)
def test_wrong_calls(dense: hlo2tiny.Program, arguments: Any, named: Any, message: str) -> None:
    for call in (dense, dense.numpy):
        with pytest.raises(InputError) as raised:
            call(*arguments, **named)
        assert message in str(raised.value)


# ---------------------------------------------------------------- bind


def test_bound_arguments_are_not_passed(dense: hlo2tiny.Program) -> None:
    bound = dense.bind(PARAMS)
    assert [i.name for i in bound.inputs] == ["x", "scale"]
    check(bound.numpy(X, scale=SCALE))
    check(bound.numpy(X, SCALE))
    check({name: r.numpy() for name, r in bound(Tensor(X), scale=SCALE).items()})
    by_name = bound.bind(scale=SCALE)
    check(by_name.numpy(X))
    check(by_name.bind(x=X).numpy())
    assert len(dense.inputs) == 4


def test_binding_without_a_structure(flat: hlo2tiny.Program) -> None:
    bound = flat.bind(BIAS, KERNEL, scale=SCALE)
    np.testing.assert_allclose(bound.numpy(X)[0], RESULT)
    with pytest.raises(InputError, match="2 arguments were given"):
        bound.numpy(X, X)


@pytest.mark.parametrize("make", [Tensor, lambda x: Tensor(x, device="PYTHON"), lambda x: Tensor(x) * 1])
def test_tensors_are_bound(dense: hlo2tiny.Program, make: Any) -> None:
    bound = dense.bind({"dense": {"bias": make(BIAS), "kernel": make(KERNEL)}})
    for _ in range(2):
        check(bound.numpy(X, SCALE))
        check({name: r.numpy() for name, r in bound(X, SCALE).items()})


def test_what_is_assigned_to_a_bound_tensor_counts(dense: hlo2tiny.Program) -> None:
    bias = Tensor(BIAS).realize()
    bound = dense.bind({"dense": {"bias": bias, "kernel": KERNEL}})
    check(bound.numpy(X, SCALE))
    bias.assign(Tensor(BIAS + 2)).realize()
    np.testing.assert_allclose(bound.numpy(X, SCALE)["out"], RESULT + 2 * SCALE)
    np.testing.assert_allclose(bound(X, SCALE)["out"].numpy(), RESULT + 2 * SCALE)


def test_bound_arrays_stay_where_they_lie(flat: hlo2tiny.Program) -> None:
    kernel = KERNEL.copy()
    bound = flat.bind(BIAS, kernel)
    assert bound._arguments.bound[1].place().array is kernel


def test_binding_on_a_device_that_is_not_the_cpu() -> None:
    bound = hlo2tiny.load(DENSE, device="PYTHON").bind(BIAS, KERNEL, scale=SCALE)
    for _ in range(2):
        np.testing.assert_allclose(bound.numpy(X)[0], RESULT)
        np.testing.assert_allclose(bound(X)[0].numpy(), RESULT)
    assert bound._arguments.bound[1].place() is bound._arguments.bound[1].place()


def test_wrong_values_are_not_bound(dense: hlo2tiny.Program) -> None:
    with pytest.raises(
        InputError, match=r"params\['dense'\]\['kernel'\]\) is float32\[2, 3\], expected float32\[3, 2\]"
    ):
        dense.bind({"dense": {"bias": BIAS, "kernel": KERNEL.reshape(2, 3)}})
    with pytest.raises(InputError, match=r"params\['dense'\]\['kernel'\] has no value, but other leaves of params do"):
        dense.bind(**{"params['dense']['bias']": BIAS})
    with pytest.raises(InputError, match="no argument 'weights'"):
        dense.bind(weights=PARAMS)


def test_shapes_that_a_call_decides_with_bound_arguments() -> None:
    text = """func.func @main(%w: tensor<3xf32> loc("w"), %x: tensor<?x3xf32> loc("x")) -> tensor<?x3xf32> {
      %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
      %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
      %2 = stablehlo.constant dense<3> : tensor<1xi32>
      %3 = stablehlo.concatenate %1, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %4 = stablehlo.dynamic_broadcast_in_dim %w, %3, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
      %5 = stablehlo.add %x, %4 : tensor<?x3xf32>
      return %5 : tensor<?x3xf32>
    }"""
    bound = hlo2tiny.load(text, device="CPU").bind(np.ones(3, np.float32))
    assert bound.plan_for([(2, 3)]) is not None
    for rows in (4, 2):
        np.testing.assert_array_equal(bound.numpy(X[:rows])[0], X[:rows] + 1)
        np.testing.assert_array_equal(bound(Tensor(X[:rows])).numpy(), X[:rows] + 1)


# ---------------------------------------------------------------- the JSON next to the text


def test_arguments_that_nothing_reads_are_passed_all_the_same(tmp_path: Path) -> None:
    inputs = Tree("tuple", (Tree("tuple", (DENSE_TREE, LEAF, LEAF, LEAF)), Tree("dict")))
    program = hlo2tiny.load(saved(tmp_path, Signature(inputs, OUTPUTS, kept=[0, 1, 3, 4])), device="CPU")
    check(program.numpy(PARAMS, np.zeros(7), X, SCALE))
    check(program.numpy(BIAS, KERNEL, X, SCALE))
    check(program.bind(PARAMS, 3).numpy(X, SCALE))
    with pytest.raises(InputError, match=r"\(params, arguments\[1\], x, scale\)"):
        program.numpy(PARAMS, X, SCALE)


def test_weights_in_a_file_are_bound(tmp_path: Path) -> None:
    safetensors.write(tmp_path / "w.safetensors", {"b": BIAS, "k": KERNEL})
    inputs = Tree("tuple", (Tree("tuple", (LEAF,)), Tree("dict", (LEAF,), ("scale",))))
    bound = {0: Stored("w.safetensors", "b"), 1: Stored("w.safetensors", "k")}
    path = saved(tmp_path, Signature(inputs, OUTPUTS, bound))
    program = hlo2tiny.load(path, device="CPU")
    check(program.numpy(X, scale=SCALE))
    assert not program._arguments.bound[1].place().array.flags.owndata
    (tmp_path / "w.safetensors").unlink()
    with pytest.raises(InputError, match=r"w\.safetensors: the weights cannot be read: No such file"):
        hlo2tiny.load(path, device="CPU").numpy(X, scale=SCALE)


def test_another_texts_json_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, Signature(INPUTS, OUTPUTS))
    path.write_text(DENSE.replace("multiply", "add"))
    with pytest.raises(
        InputError, match=r"dense\.mlir\.json describes how to call a different text.*export both again"
    ):
        hlo2tiny.load(path, device="CPU")


def test_a_json_of_others_is_left_alone(tmp_path: Path) -> None:
    path = saved(tmp_path, Signature(INPUTS, OUTPUTS))
    sidecar.path_of(str(path)).write_text('{"train": {"epochs": 3}}')
    assert len(hlo2tiny.load(path, device="CPU").numpy(BIAS, KERNEL, X, SCALE)) == 2


def changed(change: Any) -> Any:
    def write(found: dict[str, Any]) -> str:
        change(found)
        return json.dumps(found)

    return write


@pytest.mark.parametrize(
    ("write", "error", "message"),
    [
        (lambda found: json.dumps(found)[:-9], ParseError, "dense.mlir.json: byte"),
        (lambda found: "[" * 100_000, ParseError, "not JSON"),
        (changed(lambda f: f.update(hlo2tiny=2)), InputError, "version 2, expected 1"),
        (changed(lambda f: f.pop("signature")), ParseError, "expected {"),
        (changed(lambda f: f.update(signature=[])), ParseError, "not a signature"),
        (changed(lambda f: f["signature"].update(inputs=["leaf"])), InputError, "does not fit its main function"),
        (
            changed(lambda f: f["signature"].update(inputs=[{"tuple": []}])),
            InputError,
            "does not fit its main function",
        ),
        (changed(lambda f: f["signature"].update(inputs=3)), ParseError, "not a signature"),
        (changed(lambda f: f["signature"].update(outputs=["leaf"])), InputError, "does not fit its main function"),
        (changed(lambda f: f["signature"].update(kept=[0, 1, 2, 9])), InputError, "does not fit its main function"),
        (changed(lambda f: f["signature"].update(kept=["x"])), ParseError, "not a signature"),
        (changed(lambda f: f["signature"].update(kept=3)), ParseError, "not a signature"),
        (changed(lambda f: f["signature"].update(names=["x"])), InputError, "does not fit its main function"),
        (changed(lambda f: f["signature"].update(dimensions=[3])), ParseError, "not a signature"),
        (changed(lambda f: f["signature"].update(bound=[[7, "a", ""]])), InputError, "does not fit its main function"),
        (changed(lambda f: f["signature"].update(bound=[[0]])), ParseError, "not a signature"),
    ],
)
def test_a_damaged_json(tmp_path: Path, write: Any, error: type[Exception], message: str) -> None:
    path = saved(tmp_path, Signature(INPUTS, OUTPUTS))
    where = sidecar.path_of(str(path))
    where.write_text(write(json.loads(where.read_text())))
    with pytest.raises(error) as raised:
        hlo2tiny.load(path, device="CPU")
    assert message in str(raised.value)


@pytest.mark.parametrize("name", ["../w.safetensors", "/etc/passwd"])
def test_files_outside_the_folder_are_not_read(tmp_path: Path, name: str) -> None:
    inputs = Tree("tuple", (Tree("tuple", (LEAF, LEAF, LEAF)), Tree("dict")))
    path = saved(tmp_path, Signature(inputs, None, {0: Stored(name, "b")}))
    with pytest.raises(InputError, match="only name files in its own folder"):
        hlo2tiny.load(path, device="CPU").numpy(KERNEL, X, SCALE)


# ---------------------------------------------------------------- what is shown


def test_a_notebook_shows_the_signature(dense: hlo2tiny.Program) -> None:
    page = dense.bind(PARAMS)._repr_html_()
    assert "<td>input</td><td>x</td><td>float32</td><td>(4, 3)</td>" in page
    assert "<td>bound</td><td>params[&#x27;dense&#x27;][&#x27;kernel&#x27;]</td><td>float32</td><td>(3, 2)</td>" in page
    assert page.count("<tr>") == page.count("</tr>") == 1 + 2 + 2 + 2


def test_a_notebook_shows_names_as_text_and_not_all_of_thousands() -> None:
    arguments = ", ".join(f'%a{i}: tensor<f32> loc("<b>{i}")' for i in range(150))
    page = hlo2tiny.load(f"func.func @main({arguments}) -> tensor<f32> {{ return %a0 : tensor<f32> }}")._repr_html_()
    assert "<b>" not in page and "&lt;b&gt;99<" in page and "… 50 more" in page


def test_a_program_is_shown_by_what_it_takes(dense: hlo2tiny.Program) -> None:
    assert repr(dense) == "<Program (params, x, scale=…) of 4 arrays on CPU>"
    assert repr(dense.bind(PARAMS, X)) == "<Program (scale=…) of 1 array on CPU>"


MASKED = np.ma.masked_array(np.ones(3, np.float32), [False, True, False])
DOUBLE = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}"""


@pytest.mark.parametrize(
    "call",
    [
        lambda program: program(MASKED),
        lambda program: program.numpy(MASKED),
        lambda program: program.bind(MASKED),
        lambda program: program.numpy([*MASKED]),
        lambda program: program.numpy(tuple(MASKED)),
        lambda program: hlo2tiny.jit(lambda x: x + 1)(MASKED),
        lambda program: program.numpy(np.ones(3, np.float32), out=[MASKED]),
    ],
)
def test_masks_are_not_ignored(call: Callable[[hlo2tiny.Program], object]) -> None:
    with pytest.raises(
        hlo2tiny.InputError, match=r"(is|holds) a masked array, and programs do not support masks; pass its \.fill"
    ):
        call(hlo2tiny.load(DOUBLE, "CPU"))


@pytest.mark.parametrize("donate", [1.5, [1.5], {"x": 1.0}, [None], object()])
def test_what_is_donated_has_names_or_numbers(donate: object) -> None:
    with pytest.raises(hlo2tiny.InputError, match=r"expected the name or the number|there is no argument"):
        hlo2tiny.load(DOUBLE, "CPU", donate=donate)  # type: ignore[arg-type]
