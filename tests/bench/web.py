"""Prints how fast programs run in Chromium beside onnxruntime-web and jax-js: `python tests/bench/web.py FOLDER`.

The folder is for the programs. With `--dawn`, node runs them on the machine's own GPU, through Dawn and Vulkan. Needs
onnx, and in HLO2TINY_NODE_MODULES (tests/targets/web/node_modules if unset) also `npm install onnxruntime-web
@jax-js/jax webgpu`. A contender that fails has its error in place of times. All times are in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from corpus import BY_NAME  # noqa: E402
from hlo2tiny.commands.conversion import convert  # noqa: E402
from hlo2tiny.commands.web import write_web  # noqa: E402
from hlo2tiny.formats import safetensors  # noqa: E402

TIMES = 8  # products that follow each other in one program, so that the copies to and from the GPU count little
Job = dict[str, Any]


def product_job(folder: Path, size: int) -> Job:
    """A matrix times another one, several times over."""
    weights = np.random.default_rng(0).normal(size=(size, size)).astype(np.float32) / np.sqrt(np.float32(size))

    def products(x: Any) -> Any:
        for _ in range(TIMES):
            x = x @ weights
        return x

    name = f"{TIMES} products of {size}"
    path = folder / f"product{size}.mlir"
    path.write_text(jax.jit(products).lower(jax.ShapeDtypeStruct((size, size), jnp.float32)).as_text())
    nodes = [("MatMul", [f"x{i}", "w"], [f"x{i + 1}"], {}) for i in range(TIMES)]
    model = write_onnx(path.with_suffix(".onnx"), nodes, {"w": weights}, ("x0", (size, size)), f"x{TIMES}")
    return job(name, path, model, [(size, size)], {"size": size, "times": TIMES, "weights": written(weights, path)})


def convnet_job(folder: Path) -> Job:
    """The corpus's ConvNet with its weights; as ONNX in the layout that its exporters write."""
    entry = BY_NAME["flax_convnet"]
    names = [row["name"] for row in entry.row["inputs"]]
    weights = {name: array for name, array in zip(names, entry.inputs()) if name != "x"}
    safetensors.write(folder / "convnet.in.safetensors", weights)
    path = folder / "convnet.mlir"
    convert(entry.path, path, split=folder / "convnet.safetensors", bake=folder / "convnet.in.safetensors")
    b0, k0, b1, k1, e0, d0, e1, d1 = weights.values()
    d0 = d0.reshape(7, 7, 64, 256).transpose(2, 0, 1, 3).reshape(3136, 256)
    tensors = {"k0": k0.transpose(3, 2, 0, 1), "b0": b0, "k1": k1.transpose(3, 2, 0, 1), "b1": b1}
    tensors |= {"d0": d0, "e0": e0, "d1": d1, "e1": e1}

    def silu(source: str, target: str) -> list[Any]:
        return [("Sigmoid", [source], [f"{target}s"], {}), ("Mul", [source, f"{target}s"], [target], {})]

    same, pool = {"pads": [1, 1, 1, 1]}, {"kernel_shape": [2, 2], "strides": [2, 2]}
    nodes = [
        *[("Conv", ["x", "k0", "b0"], ["a"], same), *silu("a", "b"), ("AveragePool", ["b"], ["c"], pool)],
        *[("Conv", ["c", "k1", "b1"], ["d"], same), *silu("d", "e"), ("AveragePool", ["e"], ["f"], pool)],
        *[("Flatten", ["f"], ["g"], {}), ("Gemm", ["g", "d0", "e0"], ["h"], {}), *silu("h", "i")],
        ("Gemm", ["i", "d1", "e1"], ["y"], {}),
    ]
    model = write_onnx(path.with_suffix(".onnx"), nodes, tensors, ("x", (512, 1, 28, 28)), "y")
    return job("ConvNet", path, model, [(512, 28, 28, 1)], {})


def decoder_job(folder: Path) -> Job:
    """The corpus's decoder; its arguments are random integers and numbers. It has no twin."""
    entry = BY_NAME["gpt_decoder"]
    path = folder / "decoder.mlir"
    shutil.copy(entry.path, path)
    found = job("decoder", path, None, [], {})
    return found | {"inputs": [written(x, path, i) for i, x in enumerate(entry.inputs())]}


def job(name: str, path: Path, model: str | None, shapes: list[tuple[int, ...]], facts: Job) -> Job:
    write_web(path, path.with_suffix(""))
    rng = np.random.default_rng(1)
    inputs = [written(rng.normal(size=shape).astype(np.float32), path, i) for i, shape in enumerate(shapes)]
    return {"name": name, "folder": str(path.with_suffix("")), "onnx": model, "inputs": inputs, **facts}


def written(array: np.ndarray, path: Path, number: int | str = "weights") -> str:
    target = path.with_suffix(f".{number}.bin")
    target.write_bytes(np.ascontiguousarray(array).tobytes())
    return str(target)


def write_onnx(
    path: Path, nodes: list[Any], tensors: dict[str, np.ndarray], x: tuple[str, tuple[int, ...]], y: str
) -> str:
    from onnx import TensorProto, helper, numpy_helper, save

    graph = helper.make_graph(
        [helper.make_node(op, inputs, outputs, **attributes) for op, inputs, outputs, attributes in nodes],
        "g",
        [helper.make_tensor_value_info(x[0], TensorProto.FLOAT, x[1])],
        [helper.make_tensor_value_info(y, TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in tensors.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    save(model, path)
    return str(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dawn", action="store_true", help="in node, on the machine's own GPU")
    parser.add_argument("--sizes", default="1024", help="of the products, separated by commas")
    parser.add_argument("--programs", default="products,convnet,decoder")
    parser.add_argument("--devices", default="wasm,webgpu")
    parser.add_argument("--threads", default="1,2", help="of WebAssembly")
    parser.add_argument("--calls", type=int, default=7)
    parser.add_argument("--rounds", type=int, default=2, help="contenders take turns so often")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    made = {"convnet": lambda: [convnet_job(options.folder)], "decoder": lambda: [decoder_job(options.folder)]}
    made["products"] = lambda: [product_job(options.folder, int(size)) for size in options.sizes.split(",")]
    jobs = [each for name in options.programs.split(",") for each in made[name]()]
    modules = os.environ.get("HLO2TINY_NODE_MODULES", str(HERE.parent / "targets" / "web" / "node_modules"))
    facts = {"jobs": jobs, "calls": options.calls, "rounds": options.rounds, "dawn": options.dawn, "modules": modules}
    facts["places"] = [
        [device, int(threads)]
        for device in options.devices.split(",")
        for threads in (options.threads.split(",") if device == "wasm" else ["1"])
    ]
    (options.folder / "jobs.json").write_text(json.dumps(facts))
    environment = os.environ | {"NODE_MODULES": modules, "CHROMIUM": shutil.which("chromium") or ""}
    command = ["node", str(HERE / "web.mjs"), str((options.folder / "jobs.json").resolve())]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            print(row(json.loads(line)), flush=True)
    sys.exit(process.returncode)


def row(found: Job) -> str:
    head = f"{found['name']:22} {found['device']:6} {found['threads']} {found['contender']:16}"
    if "error" in found:
        return f"{head} {found['error'][:200]}"
    times = f"load and first call {found['first']:7.0f}, call {found['median']:9.2f}, fastest {found['fastest']:9.2f}"
    return f"{head} {times}, longest task while loading {found['task']:5.0f}"


if __name__ == "__main__":
    main()
