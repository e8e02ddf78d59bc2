"""Folders of torch_xla's, written here file by file as torch_xla/stablehlo.py does, PyTorch not being at hand."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.formats import safetensors

# y = x1 @ w.T + b, z = x0 * c
TEXT = """module {
  func.func @main(%arg0: tensor<f32>, %arg1: tensor<4xf32>, %arg2: tensor<2x3xf32>, %arg3: tensor<4x3xf32>,
      %arg4: tensor<5xf32>) -> (tensor<2x4xf32>, tensor<5xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [1]
      : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x4xf32>
    %3 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %4 = stablehlo.multiply %arg4, %3 : tensor<5xf32>
    return %2, %4 : tensor<2x4xf32>, tensor<5xf32>
  }
}
"""
W = np.arange(12, dtype=np.float32).reshape(4, 3)
B = np.array([1, 2, 3, 4], np.float32)
X0, X1 = np.ones(5, np.float32), np.ones((2, 3), np.float32)


def leaf() -> dict[str, Any]:
    return {"type": None, "context": None, "children_spec": []}


def node(kind: str, *children: Any, context: Any = None) -> dict[str, Any]:
    return {"type": kind, "context": json.dumps(context), "children_spec": list(children)}


def spec(root: Any) -> str:
    return json.dumps([1, root])


# x0 and x1 as they are, a third that nothing reads.
INPUTS = node("builtins.tuple", node("builtins.tuple", leaf(), leaf(), leaf()), node("builtins.dict", context=[]))


def place(kind: str, name: str = "", position: int = -1) -> dict[str, Any]:
    return {"type_": kind, "position": position, "name": name}


LOCATIONS = [
    place("constant", position=0),
    place("parameter", "layer.bias"),
    place("input_arg", position=1),
    place("parameter", "layer.weight"),
    place("input_arg", position=0),
]


def write(folder: Path, name: str = "forward", **changes: Any) -> Path:
    for part in ("functions", "data", "constants"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    arrays = {"data/layer.bias": B, "data/layer.weight": W, "constants/0": np.float32(10)}
    for file, array in arrays.items():
        with open(folder / file, "wb") as stream:
            np.save(stream, array)
    meta = {
        "name": name,
        "stablehlo_version": "0.0.0",
        "input_signature": [],
        "output_signature": [],
        "input_locations": LOCATIONS,
        "unused_inputs": [
            [place("input_arg", position=2), {"shape": [], "dtype": "<class 'int'>", "dynamic_dims": []}]
        ],
        "input_pytree_spec": spec(INPUTS),
        "output_pytree_spec": spec(node("builtins.dict", leaf(), leaf(), context=["y", "z"])),
    } | changes
    (folder / "functions" / f"{name}.meta").write_text(json.dumps(meta))
    (folder / "functions" / f"{name}.mlir").write_text(TEXT)
    return folder


def expect_results(program: hlo2tiny.Program, *unused: Any) -> None:
    found = program.numpy(X0, X1, *unused)
    found = found if isinstance(found, dict) else dict(zip("yz", found))
    np.testing.assert_array_equal(found["y"], X1 @ W.T + B)
    np.testing.assert_array_equal(found["z"], X0 * 10)


def test_a_folder(tmp_path: Path) -> None:
    expect_results(hlo2tiny.load(write(tmp_path), device="CPU"), 7)


def test_bytecode_is_what_counts(tmp_path: Path) -> None:
    import jax

    folder = write(tmp_path)

    def function(c: Any, b: Any, x1: Any, w: Any, x0: Any) -> Any:
        return x1 @ w.T + b, x0 * c

    exported = jax.export.export(jax.jit(function))(np.float32(0), B, X1, W, X0)
    (folder / "functions/forward.bytecode").write_bytes(exported.mlir_module_serialized)
    (folder / "functions/forward.mlir").write_text("no text")
    expect_results(hlo2tiny.load(folder, device="CPU"), 7)


def test_without_structures(tmp_path: Path) -> None:
    """As torch_xla wrote it at first."""
    folder = write(tmp_path, input_pytree_spec=None, output_pytree_spec=None)
    expect_results(hlo2tiny.load(str(folder), device="CPU"), 7)


def test_parameters_have_their_names(tmp_path: Path) -> None:
    program = hlo2tiny.load(write(tmp_path), device="CPU")
    assert len(program.inputs) == 2, "parameters are bound"


def test_other_parameters(tmp_path: Path) -> None:
    """By the names of a state_dict; the constants stay."""
    folder = write(tmp_path / "folder")
    safetensors.write(tmp_path / "w.safetensors", {"layer.weight": W + 1, "layer.bias": B * 2})
    (folder / "data/layer.weight").unlink()  # as with save_weights=False
    program = hlo2tiny.load(folder, device="CPU", weights=tmp_path / "w.safetensors")
    found = program.numpy(X0, X1, 7)
    np.testing.assert_array_equal(found["y"], X1 @ (W + 1).T + B * 2)
    np.testing.assert_array_equal(found["z"], X0 * 10)
    safetensors.write(tmp_path / "w.safetensors", {"layer.weight": W + 1})
    with pytest.raises(hlo2tiny.InputError, match=r"layer\.bias: missing"):
        hlo2tiny.load(folder, device="CPU", weights=tmp_path / "w.safetensors")


def test_one_of_several_functions(tmp_path: Path) -> None:
    folder = write(tmp_path, "encode")
    expect_results(hlo2tiny.load(folder, device="CPU"), 7)
    write(folder, "decode")
    with pytest.raises(hlo2tiny.InputError, match="has the functions decode, encode; choose one"):
        hlo2tiny.load(folder, device="CPU")
    expect_results(hlo2tiny.load(folder / "functions/decode.meta", device="CPU"), 7)
    expect_results(hlo2tiny.load(folder / "functions/decode.meta", device="CPU", entry="decode"), 7)
    for _ in range(2):  # read, and from the cache
        for name in ("encode", "decode"):
            expect_results(hlo2tiny.load(folder, device="CPU", entry=name), 7)
    with pytest.raises(hlo2tiny.InputError, match=r"has no function encod \(did you mean encode\?\)"):
        hlo2tiny.load(folder, device="CPU", entry="encod")
    with pytest.raises(hlo2tiny.InputError, match=r"decode\.meta: this is the function decode; for encode, pass"):
        hlo2tiny.load(folder / "functions/decode.meta", device="CPU", entry="encode")


def test_structures(tmp_path: Path) -> None:
    inputs = node(
        "builtins.tuple",
        node("builtins.tuple", node("collections.OrderedDict", leaf(), leaf(), context=["p", "q"])),
        node("builtins.dict", leaf(), context=["k"]),
    )
    program = hlo2tiny.load(write(tmp_path, input_pytree_spec=spec(inputs)), device="CPU")
    np.testing.assert_array_equal(program.numpy({"p": X0, "q": X1}, k=3)["z"], X0 * 10)


def test_arrays_are_mapped_not_copied(tmp_path: Path) -> None:
    from hlo2tiny.formats.artifact import Stored
    from hlo2tiny.formats.mapped import file_of

    np.save(tmp_path / "large.npy", np.zeros(10_000))
    assert file_of(Stored("large.npy").read(tmp_path)) is not None
    np.save(tmp_path / "none.npy", np.zeros((0, 3)))
    assert Stored("none.npy").read(tmp_path).shape == (0, 3)


@pytest.mark.ci
def test_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hlo2tiny", "run", str(write(tmp_path)), "--random", "0"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "float32[2, 4]" in found.stdout


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize("name", ["../secret", "a/b", "..", "", "a\\b", "/etc/passwd"])
def test_names_stay_in_the_folder(tmp_path: Path, name: str) -> None:
    locations = [*LOCATIONS[:1], place("parameter", name), *LOCATIONS[2:]]
    with pytest.raises(
        hlo2tiny.ParseError, match=r"forward\.meta: input_locations: .* is not the name of a file in data"
    ):
        hlo2tiny.load(write(tmp_path, input_locations=locations), device="CPU")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"input_locations": LOCATIONS[1:]}, "lists 4 arguments, but @main in .* takes 5"),
        ({"input_locations": 5}, "expected .*input_locations"),
        ({"input_locations": [*LOCATIONS[:4], place("input_arg", position=9)]}, "names input 9, but there are 3"),
        ({"input_locations": [*LOCATIONS[:4], place("input_arg", position=1)]}, "names an input twice"),
        (
            {"input_locations": [*LOCATIONS[:4], place("input_arg", position=-1)]},
            "not a parameter, constant or input_arg",
        ),
        ({"input_locations": [*LOCATIONS[:4], place("buffer", "x")]}, "not a parameter, constant or input_arg"),
        ({"input_pytree_spec": "[" * 9}, "input_pytree_spec is not JSON"),
        ({"input_pytree_spec": "[1, {}]"}, "is not a structure"),
        ({"input_pytree_spec": spec(node("builtins.dict", leaf(), context=["a", "b"]))}, "2 keys"),
        ({"input_pytree_spec": "[" * 100_000}, "input_pytree_spec is not JSON"),
    ],
)
def test_damaged_meta(tmp_path: Path, changes: Any, message: str) -> None:
    with pytest.raises(hlo2tiny.ParseError, match=message):
        hlo2tiny.load(write(tmp_path, **changes), device="CPU")


def test_a_structure_deeper_than_any(tmp_path: Path) -> None:
    inputs = leaf()
    for _ in range(300):
        inputs = node("builtins.tuple", inputs)
    with pytest.raises(hlo2tiny.ParseError, match="more than 200 levels"):
        hlo2tiny.load(write(tmp_path, input_pytree_spec=spec(inputs)), device="CPU")


@given(data=st.data())
def test_mutations(data: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = write(tmp_path_factory.mktemp("folder"))
    path = folder / data.draw(st.sampled_from(["functions/forward.meta", "data/layer.weight", "constants/0"]))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, min(len(content), 1500) - 1))
        content[at] = data.draw(st.sampled_from(b'{}[]",:0159-ax()\0\xff') | st.integers(0, 255))
    path.write_bytes(content)
    with contextlib.suppress(hlo2tiny.Error):
        hlo2tiny.load(folder, device="CPU").numpy(X0, X1, 7)


def test_no_pickle(tmp_path: Path) -> None:
    folder = write(tmp_path)
    with open(folder / "data/layer.weight", "wb") as stream:
        np.save(stream, np.array([print], object), allow_pickle=True)
    with pytest.raises(hlo2tiny.ParseError, match=r"layer\.weight: .*not an array in numpy's format"):
        hlo2tiny.load(folder, device="CPU").numpy(X0, X1, 7)


def test_a_missing_parameter(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "data/layer.weight").unlink()
    with pytest.raises(hlo2tiny.InputError, match=r"layer\.weight: cannot be read: No such file"):
        hlo2tiny.load(folder, device="CPU").numpy(X0, X1, 7)


def test_other_folders(tmp_path: Path) -> None:
    with pytest.raises(hlo2tiny.InputError, match="this directory has no functions"):
        hlo2tiny.load(tmp_path, device="CPU")
    (tmp_path / "x.meta").write_text("{}")
    with pytest.raises(hlo2tiny.Error):
        hlo2tiny.load(tmp_path / "x.meta", device="CPU")
