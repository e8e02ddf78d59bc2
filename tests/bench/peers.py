"""onnxruntime and OpenVINO, which run the benchmark's models if they are installed: `pip install onnxruntime openvino
jax2onnx`. jax2onnx writes the models, with their weights.

`python tests/bench/peers.py FOLDER NAME…` writes NAME.onnx there; the benchmark also starts this as a contender.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path += [str(HERE), str(HERE.parents[1] / "hlo2tiny" / "commands")]

# What each is imported as, by its name in tables.
PEERS = {"onnxruntime": "onnxruntime", "OpenVINO": "openvino"}


class NotExported(Exception):
    """jax2onnx cannot write a program."""


def installed() -> list[str]:
    """The peers that can be measured here."""
    if importlib.util.find_spec("jax2onnx") is None:
        return []
    return [name for name, package in PEERS.items() if importlib.util.find_spec(package) is not None]


def exported(name: str, folder: Path, patience: float) -> Path:
    """The program as an ONNX model in the folder, written now when it is not there.

    Raises:
        NotExported: jax2onnx cannot write it.
    """
    path = folder / f"{name}.onnx"
    if not path.exists():
        environment = os.environ | {"JAX_PLATFORMS": "cpu", "JAX_TRACEBACK_FILTERING": "off"}
        command = [sys.executable, __file__, str(folder), name]
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=patience)
        except subprocess.TimeoutExpired:
            raise NotExported(f"jax2onnx was not done in {patience:g} s") from None
        if done.returncode:
            raise NotExported(f"jax2onnx: {done.stderr.strip().splitlines()[-1]}")
    return path


def export(name: str, folder: Path) -> None:
    import jax
    import jax2onnx
    import onnx
    from programs import PROGRAMS, weights_of

    function, (first, *inputs) = PROGRAMS[name].build()
    fixed = [jax.tree.map(jax.numpy.asarray, weights_of(name, first))] if isinstance(first, dict) else []
    leaves, structure = jax.tree.flatten([first, *inputs][len(fixed) :])

    def call(*leaves: Any) -> Any:
        return tuple(jax.tree.leaves(function(*fixed, *jax.tree.unflatten(structure, leaves))))

    model = jax2onnx.to_onnx(call, leaves, model_name=name)
    pool_images(model.graph)
    onnx.save(model, folder / f"{name}.partial")
    (folder / f"{name}.partial").rename(folder / f"{name}.onnx")


def pool_images(graph: Any) -> None:
    """Let a MaxPool whose window is as high and wide as its image's, one in the other dimensions, pool images in ONNX's
    own layout: jax2onnx writes it with four spatial dimensions, and no peer runs it so."""
    from onnx import helper

    makers = {output: node for node in graph.node for output in node.output}
    readers = {name: node for node in graph.node for name in node.input}
    for pool in [node for node in graph.node if node.op_type == "MaxPool"]:
        fields = {field.name: list(field.ints) for field in pool.attribute}
        if len(fields["kernel_shape"]) != 4:
            continue
        before, after = makers[pool.input[0]], readers[pool.output[0]]
        first = makers[before.input[0]]
        pads = fields.get("pads", [0] * 8)
        whole = (*pads[:1], *pads[3:5], *pads[7:], *(size - 1 for size in fields["kernel_shape"][::3]))
        if any(whole) or [node.op_type for node in (first, before, after)] != ["Unsqueeze", "Unsqueeze", "Squeeze"]:
            continue
        image, pooled = f"{pool.name}_image", f"{pool.name}_pooled"
        middle = {"kernel_shape": fields["kernel_shape"][1:3], "strides": fields["strides"][1:3]}
        nodes = [
            helper.make_node("Transpose", first.input[:1], [image], perm=[0, 3, 1, 2]),
            helper.make_node("MaxPool", [image], [pooled], pads=[*pads[1:3], *pads[5:7]], **middle),
            helper.make_node("Transpose", [pooled], after.output, perm=[0, 2, 3, 1]),
        ]
        index = list(graph.node).index(first)
        for node in (first, before, pool, after):
            graph.node.remove(node)
        for node in reversed(nodes):
            graph.node.insert(index, node)


# ---------------------------------------------------------------- contenders


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def without_weights(loaded: Any, arrays: Iterable[np.ndarray], bound: int) -> tuple[Any, list[Any]]:
    """The model has its weights already."""
    return loaded, list(arrays)[bound:]


def contender(
    load: Callable[[str, Mapping[str, Any]], Any], compile: Callable[[Any], Callable[..., Sequence[np.ndarray]]]
) -> Any:
    from contenders import Contender

    def no_op() -> Any:
        raise NotImplementedError("one operation is measured of XLA and hlo2tiny")

    return Contender(load, compile, lambda loaded, call, results, carried: call, without_weights, no_op)


def onnxruntime(device: str) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = cores()

    def compile(path: str) -> Callable[..., Sequence[np.ndarray]]:
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        names = [value.name for value in session.get_inputs()]
        return lambda *arrays: session.run(None, dict(zip(names, arrays, strict=True)))

    return contender(lambda path, options: path, compile)


def openvino(device: str) -> Any:
    import openvino

    core = openvino.Core()
    # Its own choice on processors with bf16 is to compute in that.
    settings = {"INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": cores()}

    def compile(model: Any) -> Callable[..., Sequence[np.ndarray]]:
        request = core.compile_model(model, "CPU", settings).create_infer_request()

        def call(*arrays: np.ndarray) -> list[np.ndarray]:
            results = request.infer(list(arrays), share_inputs=True)
            return [results[i] for i in range(len(results))]

        return call

    return contender(lambda path, options: core.read_model(path), compile)


if __name__ == "__main__":
    if sys.argv[1] in ("onnxruntime", "openvino"):
        import contenders

        contenders.main({"onnxruntime": onnxruntime, "openvino": openvino}[sys.argv[1]], *sys.argv[2:])
    else:
        for each in sys.argv[2:]:
            export(each, Path(sys.argv[1]))
