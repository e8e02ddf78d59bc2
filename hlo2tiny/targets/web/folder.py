"""Writes a program as a folder that a web server serves as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import Error
from ...formats import safetensors
from ...ir import TensorType
from ...ir.dtypes import byte_size, numpy_dtype, static_shape
from ...ir.sizes import Condition, largest
from ...output import json_bytes
from ...plan.plan import Plan
from ...records import dataclass
from .. import Progress
from ..arrays import storage_array
from ..c.native import render_plans
from ..c.writing import MARK, WEIGHTS, expect_free, write_files
from . import wasm
from .webgpu import Commands

RUNTIME = ("hlo2tiny.js", "hlo2tiny.d.ts", "package.json", "index.html")
# A part of a call's structure: the number of an array, a list, a dict, or None for what the program does not use.
Structure = Any


@dataclass(frozen=True)
class PageCall:
    """What a call passes and returns.

    Attributes:
        inputs, outputs: the names and types of the arrays.
        parts: the arguments of a call: their names, structures, and whether they are passed by name only.
        results: the structure of the results.
        sizes: the names of open dimensions, and the largest size of each.
        choices: the sizes that there is code for; those of the last one are open.
        constraints: conditions on the sizes, of which one has to hold, and a message.
    """

    inputs: Sequence[tuple[str, TensorType]]
    outputs: Sequence[tuple[str, TensorType]]
    parts: Sequence[tuple[str, Structure, bool]]
    results: Structure
    sizes: Sequence[tuple[str, int]] = ()
    choices: Sequence[Sequence[int]] = ((),)
    constraints: Sequence[tuple[Sequence[Condition], str]] = ()


class PageWeights:
    """The constants of a program's devices: each array once."""

    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray] = {}
        self.names: dict[tuple[bytes, str, tuple[int, ...]], str] = {}

    def add(self, array: np.ndarray) -> str:
        """The name under which an array is stored; types that .safetensors lacks are stored as bytes."""
        array = safetensors.storable(array)
        key = (
            sha256(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data).digest(),
            str(array.dtype),
            array.shape,
        )
        name = self.names.setdefault(key, str(len(self.names)))
        self.arrays.setdefault(name, array)
        return name

    @property
    def identity(self) -> str:
        digest = sha256()
        for content, dtype, shape in self.names:
            digest.update(content + f"{dtype}{shape}".encode())
        return digest.hexdigest()


def write_folder(
    folder: Path,
    name: str,
    plans: Sequence[Plan],
    flatten: Callable[[], Commands],
    call: PageCall,
    report: Progress,
) -> list[Path]:
    """Write a program, and return the paths of the files.

    Args:
        folder: where to write; it is created if it is missing.
        name: what the page calls the program.
        plans: the program for the CPU, for each choice of its open sizes.
        flatten: makes the commands for WebGPU, for all sizes, or raises an Error that says why there are none.
        call: what a call passes and returns.
        report: called with the number of finished parts, and with their total.

    Raises:
        InputError: the folder has a file of the same name that this function did not write, the ziglang wheel is not
            installed, or the program is too large for a browser.
        UnsupportedOp: neither WebAssembly nor WebGPU can run the program; the message is WebAssembly's.
        OSError: a file cannot be written.
    """
    expect_free(folder, (*wasm.VARIANTS, *RUNTIME, "program.json", WEIGHTS))
    weights = PageWeights()
    failures: list[Error] = []

    def attempt(build: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        try:
            return build()
        except Error as error:
            failures.append(error)
            return {"refused": str(error), "error": type(error).__name__}

    modules: dict[str, bytes] = {}

    def webassembly() -> dict[str, Any]:
        for plan in plans:
            wasm.expect_runs(plan)
        sources, arrays = render_plans(plans, report, wasm.THREADS)
        layouts = [wasm.lay_out(plan, source, arrays) for plan, source in zip(plans, sources)]
        modules.update(wasm.modules(plans, sources[0], len(arrays), call.choices))
        constants = [(weights.add(a), a.nbytes, place) for a, place in zip(arrays, layouts[0].constants)]
        return {
            "files": {file: wasm.pages(text) for file, text in modules.items() if file.endswith("threads.wasm")},
            "threads": wasm.THREADS,
            # The bytes that it needs at first, and at most.
            "least": layouts[0].begin if call.sizes else layouts[0].size,
            "most": max(largest(layout.size) for layout in layouts),
            "constants": constants,
            # For each plan: where what runs read and write is, and the bytes of all.
            "layouts": [{"inputs": a.inputs, "outputs": a.outputs, "arena": a.arena, "size": a.size} for a in layouts],
        }

    def webgpu() -> dict[str, Any]:
        commands = flatten()
        arrays = [storage_array(array) for array in commands.constants]
        return {
            "arena": commands.arena,
            "gates": commands.gates,
            "bindings": commands.bindings,
            "shaders": commands.shaders,
            "places": commands.places,
            "constants": [[weights.add(array), array.nbytes] for array in arrays],
            "commands": commands.commands,
        }

    devices = {"wasm": attempt(webassembly), "webgpu": attempt(webgpu)}
    if len(failures) == len(devices):
        raise failures[0]
    folder.mkdir(parents=True, exist_ok=True)
    program: dict[str, Any] = {"about": f"program.json, {MARK}", "name": name}
    program |= {"inputs": [describe_tensor(*each) for each in call.inputs]}
    program |= {"outputs": [describe_tensor(*each) for each in call.outputs]}
    program |= {"parts": call.parts, "results": call.results, "donated": find_donors(plans[-1]), "weights": None}
    checks = [([(c.left, c.name, c.right) for c in conditions], message) for conditions, message in call.constraints]
    program |= {"sizes": call.sizes, "checks": checks}
    paths = []
    if weights.arrays:
        path = folder / WEIGHTS
        places = safetensors.write(path, weights.arrays, {"about": MARK, "identity": weights.identity})
        header = min(places.values())
        program["weights"] = {"size": path.stat().st_size, "header": header, "identity": weights.identity}
        paths.append(path)
        for device in devices.values():
            device["constants"] = [[places[constant[0]], *constant[1:]] for constant in device.get("constants", ())]
    program |= devices
    files = {"program.json": json_bytes(program, str)} | modules
    files |= {file: runtime_file(file) for file in RUNTIME}
    paths += write_files(folder, {file: [text] for file, text in files.items()})
    # Of an earlier program in this folder, which had what this one lacks.
    for stale in {*wasm.VARIANTS, WEIGHTS} - {path.name for path in paths}:
        (folder / stale).unlink(missing_ok=True)
    return paths


def find_donors(plan: Plan) -> Mapping[int, int]:
    from ...plan.aliasing import AliasAnalysis

    return AliasAnalysis(plan).in_place_of_main()


def describe_tensor(name: str, type: TensorType) -> dict[str, Any]:
    dtype, shape = numpy_dtype(type.element), static_shape(type)
    return {"name": name, "dtype": str(dtype), "shape": shape, "size": byte_size(type)}


def runtime_file(name: str) -> bytes:
    return wasm.read_code(f"runtime/{name}").encode()
