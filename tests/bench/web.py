"""Prints how fast programs run in Chromium beside onnxruntime-web and jax-js: `python tests/bench/web.py FOLDER`.

The folder is for the programs. With `--dawn`, node runs them on the machine's own GPU, through Dawn and Vulkan. Needs
onnx, and in HLO2TINY_NODE_MODULES (tests/targets/web/node_modules if unset) also `npm install onnxruntime-web
@jax-js/jax webgpu`. If a contender fails, its error is printed instead of times. All times are in milliseconds.
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
sys.path[:0] = [str(HERE.parent), str(HERE), str(HERE.parent / "targets" / "web")]

from corpus import BY_NAME, ENTRIES  # noqa: E402
from hlo2tiny.commands.convert import convert  # noqa: E402
from hlo2tiny.commands.web import write_web  # noqa: E402
from hlo2tiny.formats import safetensors  # noqa: E402

TIMES = 8  # products that follow each other in one program, so that the copies to and from the GPU count little
Job = dict[str, Any]


def product_job(folder: Path, size: int) -> Job:
    """A matrix times another one, several times over."""
    rng = np.random.default_rng(0)
    # Few different numbers, so that files are small when packed.
    weights = rng.choice(np.float32([-1, 1]), (size, size)) / np.sqrt(np.float32(size))
    x = rng.choice(np.float32([-1, 0.5]), (size, size))

    def products(x: Any) -> Any:
        for _ in range(TIMES):
            x = x @ weights
        return x

    name = f"{TIMES} products of {size}"
    path = folder / f"product{size}.mlir"
    path.write_text(jax.jit(products).lower(jax.ShapeDtypeStruct((size, size), jnp.float32)).as_text())
    nodes = [("MatMul", [f"x{i}", "w"], [f"x{i + 1}"], {}) for i in range(TIMES)]
    model = write_onnx(path.with_suffix(".onnx"), nodes, {"w": weights}, ("x0", (size, size)), f"x{TIMES}")
    facts = {"size": size, "times": TIMES, "weights": written(weights, path), "chained": True}
    return job(name, path, model, [x], facts)


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
    return job("ConvNet", path, model, [(512, 28, 28, 1)], {"onnx_inputs": [{"shape": (512, 1, 28, 28)}]})


def decoder_job(folder: Path) -> Job:
    """A small GPT-2 with 64 tokens, its weights in the file."""
    import jax2onnx
    import onnx
    from models import decoder

    layers, width, vocabulary, tokens = 6, 256, 4096, 64
    function, (shapes, *_) = decoder(layers, width, vocabulary, tokens)
    rng = np.random.default_rng(0)
    weights = {
        name: jnp.asarray(rng.integers(-8, 8, s.shape) * np.float32(0.01) + ("scale" in name), jnp.float32)
        for name, s in sorted(shapes.items())
    }

    def forward(tokens: Any) -> Any:
        return function(weights, tokens)

    given = jax.ShapeDtypeStruct((1, tokens), jnp.int32)
    path = folder / "decoder.mlir"
    path.write_text(jax.jit(forward).lower(given).as_text())
    onnx.save(jax2onnx.to_onnx(forward, [given], model_name="decoder"), path.with_suffix(".onnx"))
    values = rng.integers(0, vocabulary, (1, tokens)).astype(np.int32)
    return job("decoder", path, str(path.with_suffix(".onnx")), [values], {})


def corpus_jobs(folder: Path) -> list[Job]:
    """The programs of the corpus that run on WebGPU, as jobs of drive.mjs."""
    from browsers import job
    from test_web_corpus import NOT_ON_WEBGPU

    entries = [entry for entry in ENTRIES if entry.name not in NOT_ON_WEBGPU]
    for entry in entries:
        write_web(entry.path, folder / entry.name)
    return [job(entry, folder / entry.name, "dawn", "webgpu", folder) for entry in entries]


def check_corpus(folder: Path) -> int:
    """Compare the corpus' results with XLA's, and return how many programs are wrong."""
    from browsers import check

    wrong = 0
    answers = map(json.loads, (folder / "answers.json").read_text().splitlines())
    jobs = json.loads((folder / "corpus.json").read_text())
    for each, answer in zip(jobs, answers, strict=True):
        name = Path(each["folder"]).name
        try:
            check(BY_NAME[name], each, answer)
        except AssertionError as error:
            wrong += 1
            print(f"{name}: WRONG: {str(error).strip().splitlines()[0]}")
    print(f"{len(jobs) - wrong} of {len(jobs)} programs of the corpus give XLA's results")
    return wrong


def job(name: str, path: Path, model: str | None, given: list[tuple[int, ...] | np.ndarray], facts: Job) -> Job:
    """What web.mjs runs; inputs of which only the shape is given are random."""
    write_web(path, path.with_suffix(""))
    rng = np.random.default_rng(1)
    arrays = [x if isinstance(x, np.ndarray) else rng.normal(size=x).astype(np.float32) for x in given]
    inputs = [{"path": written(x, path, i), "dtype": x.dtype.name, "shape": x.shape} for i, x in enumerate(arrays)]
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
    parser.add_argument("--corpus", action="store_true", help="instead check the corpus' numbers, with --dawn")
    parser.add_argument("--only-write", action="store_true", help="for another machine: node web.mjs FOLDER/jobs.json")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    modules = os.environ.get("HLO2TINY_NODE_MODULES", str(HERE.parent / "targets" / "web" / "node_modules"))
    environment = os.environ | {"NODE_MODULES": modules, "CHROMIUM": shutil.which("chromium") or ""}
    if options.corpus:
        jobs = options.folder.resolve() / "corpus.json"
        jobs.write_text(json.dumps(corpus_jobs(options.folder.resolve())))
        if not options.only_write:
            with (options.folder / "answers.json").open("w") as target:
                command = ["node", str(HERE.parent / "targets" / "web" / "drive.mjs"), str(jobs)]
                subprocess.run(command, env=environment, stdout=target, check=True)
            sys.exit(check_corpus(options.folder) > 0)
        return
    made = {"convnet": lambda: [convnet_job(options.folder)], "decoder": lambda: [decoder_job(options.folder)]}
    made["products"] = lambda: [product_job(options.folder, int(size)) for size in options.sizes.split(",")]
    jobs = [each for name in options.programs.split(",") for each in made[name]()]
    facts = {"jobs": jobs, "calls": options.calls, "rounds": options.rounds, "dawn": options.dawn, "modules": modules}
    facts["places"] = [
        [device, int(threads)]
        for device in options.devices.split(",")
        for threads in (options.threads.split(",") if device == "wasm" else ["1"])
    ]
    (options.folder / "jobs.json").write_text(json.dumps(facts))
    if options.only_write:
        return
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
    if "each" in found:
        times += f", in a chain {found['each']:8.2f}"
    return f"{head} {times}, longest task while loading {found['task']:5.0f}, differs by {found['apart']:.0e}"


if __name__ == "__main__":
    main()
