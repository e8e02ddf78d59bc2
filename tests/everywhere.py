"""Runs a program on every target that this machine can stand in for, so that what is right on one is tested on all.

    for answer in run("cuda", [Case("a name", text, arrays)], tmp_path): …

Targets are "c" (native code of the processor), "tinygrad" (tinygrad's own kernels there), "opencl", "cuda" (the kernels
of CUDA and their order, emulated), "gpu" (CUDA on an NVIDIA GPU), "wasm" (in node), "webgpu" (in Chromium) and "mesa"
(WebGPU in Deno). "commands" is not a target: it interprets what all of them are given.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias
from unittest.mock import patch

import ml_dtypes
import numpy as np
from devices import missing
from interpreter import Interpreter
from targets.cuda.emulation import Emulator
from targets.web import browsers

import hlo2tiny
from hlo2tiny.commands.web import Opening, write_web
from hlo2tiny.errors import NotLowered
from hlo2tiny.formats import read
from hlo2tiny.ir.entry import entry_function
from hlo2tiny.plan.plan import Plan
from hlo2tiny.program.interface import donors_of
from hlo2tiny.program.model import Model
from hlo2tiny.program.options import Options
from hlo2tiny.specialise.dynamic import NeedsValues
from hlo2tiny.targets import target_of
from hlo2tiny.targets.arrays import storage_array
from hlo2tiny.targets.cuda.native import executable_of
from hlo2tiny.targets.web import wasm
from hlo2tiny.tinygrad.settings import lowering_settings


@dataclass(frozen=True)
class Case:
    """A program, as text or a file, and arguments for each call."""

    name: str
    source: str | Path
    calls: Sequence[Sequence[np.ndarray]]


def is_lacking(error: Exception) -> bool:
    """Whether a target refuses a program for what it lacks by nature."""
    return isinstance(error, hlo2tiny.UnsupportedOp | Lacking) and not isinstance(error, NotLowered)


# For each call its results; or why there are none.
Answer: TypeAlias = list[list[np.ndarray]] | Exception
Spec: TypeAlias = tuple[Any, tuple[int, ...]]  # a dtype and a shape


class Lacking(Exception):
    """The target cannot run the program, and says so: it needs what the target lacks by nature."""


def attempt(run: Callable[[], list[list[np.ndarray]]]) -> Answer:
    try:
        return run()
    except Exception as error:
        return error


@contextmanager
def executor(name: str) -> Iterator[None]:
    before = os.environ.get("HLO2TINY_EXECUTOR")
    os.environ["HLO2TINY_EXECUTOR"] = name
    try:
        yield
    finally:
        del os.environ["HLO2TINY_EXECUTOR"]
        if before is not None:
            os.environ["HLO2TINY_EXECUTOR"] = before


def loaded(case: Case, device: str, name: str = "") -> list[list[np.ndarray]]:
    with executor(name):
        program = hlo2tiny.load(case.source, device=device, precision="highest")  # as the suites' results are
        results = []
        for arrays in case.calls:
            given = [x.copy() for x in arrays]
            results.append(list(program.numpy(*given)))
            expect_same(given, arrays, "arguments were written to")
        # Numpy arrays are donated only where the caller says so.
        only = program._specialisations.only
        if only is not None and only.donated:
            donate = [program.inputs[i].name or i for i in only.donated.values()]
            program = hlo2tiny.load(case.source, device=device, precision="highest", donate=donate)
            for arrays, expected in zip(case.calls, results):
                found = list(program.numpy(*(x.copy() for x in arrays)))
                expect_same(found, expected, "results differ where arguments are donated")
        return results


def expect_same(found: Sequence[np.ndarray], expected: Sequence[np.ndarray], otherwise: str) -> None:
    """Compare all bits."""
    assert all(f.tobytes() == e.tobytes() for f, e in zip(found, expected, strict=True)), otherwise


def planned(case: Case, device: str) -> Plan:
    """The plan of a program for the shapes of its first call."""
    model = Model(read(case.source), Options("CPU", precision="highest"))
    shapes, sizes = [x.shape for x in case.calls[0]], dict[int, np.ndarray]()
    while True:
        try:
            module = model.plan(shapes, sizes).module
            break
        except NeedsValues as needs:
            sizes |= {i: case.calls[0][i] for i in needs.arguments}
    entry = entry_function(module)
    with lowering_settings(device):
        return target_of(device).plan(module, entry.name, donors_of(entry))


def emulated(case: Case, folder: Path) -> list[list[np.ndarray]]:
    plan = planned(case, "CUDA")
    run = Emulator(plan, executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None), folder)
    return [run(arrays) for arrays in case.calls]


def interpreted(case: Case) -> list[list[np.ndarray]]:
    interpreter = Interpreter(planned(case, "CPU"))
    return [interpreter.run(arrays) for arrays in case.calls]


def in_browser(cases: Sequence[Case], folder: Path, where: str, device: str) -> list[Answer]:
    """Run programs in one process, which takes a second to start."""
    # WebGPU needs no modules. Node loads one with threads only for programs that can use them.
    variants = wasm.VARIANTS if device == "wasm" else {}
    answers: list[Answer | None] = [None] * len(cases)
    jobs, whose = list[dict[str, Any]](), list[tuple[int, list[Spec]]]()
    for number, case in enumerate(cases):
        place = folder / f"program{number}"
        place.mkdir()
        path = case.source
        if isinstance(path, str):
            path = place / "program.mlir"
            path.write_text(case.source, encoding="utf-8")
        shapes = [f"in{i}={','.join(map(str, x.shape))}" for i, x in enumerate(case.calls[0])]
        try:
            with patch.object(wasm, "VARIANTS", variants):
                write_web(path, place / "web", opening=Opening(shapes))
            program = json.loads((place / "web" / "program.json").read_text(encoding="utf-8"))
            if "refused" in program[device]:
                reason, error = program[device]["refused"], program[device]["error"]
                raise (NotLowered if error == NotLowered.__name__ else Lacking)(reason)
        except Exception as error:
            answers[number] = error
            continue
        outputs = [(getattr(ml_dtypes, t["dtype"], t["dtype"]), tuple(t["shape"])) for t in program["outputs"]]
        for call, arrays in enumerate(case.calls):
            inputs = [browsers.written(storage_array(x), place / f"in{call}.{i}") for i, x in enumerate(arrays)]
            results = [str(place / f"out{call}.{i}") for i in range(len(outputs))]
            jobs.append(
                {"folder": str(place / "web"), "where": where, "options": {"device": device}, "inputs": inputs}
                | {"results": results, "calls": 1}
            )
            whose.append((number, outputs))
    found = browsers.answers(jobs, folder, browsers.deno if where == "deno" else browsers.node) if jobs else []
    for job, (number, outputs), answer in zip(jobs, whose, found, strict=True):
        if "error" in answer:
            answers[number] = RuntimeError(answer["error"])
        elif not isinstance(answers[number], Exception):
            files = [np.fromfile(file, dtype).reshape(shape) for file, (dtype, shape) in zip(job["results"], outputs)]
            answers[number] = [*(answers[number] or []), files]  # type: ignore[misc]
    return [answer if answer is not None else [] for answer in answers]


# For those that `load` serves: the device, and the executor that is asked for.
LOADED: Mapping[str, tuple[str, str]] = {
    "c": ("CPU", "c"),
    "tinygrad": ("CPU", "tinygrad"),
    "opencl": ("CL", "tinygrad"),
    "gpu": ("CUDA", "cuda"),
}
IN_A_BROWSER = {"wasm": ("node", "wasm"), "webgpu": ("chromium", "webgpu"), "mesa": ("deno", "webgpu")}
TARGETS = (*LOADED, "cuda", *IN_A_BROWSER)


def targets(*quick: str, of: Sequence[str] = TARGETS, nightly: Sequence[str] = ("opencl",)) -> list[Any]:
    """Targets as a test's parameters: everybody runs it on the quick ones, CI on others, the night on all.

    pocl compiles for minutes what other targets compile in seconds, so that CI leaves it to test_conformance_page.py
    and test_devices.py; and browsers take a while to start.
    """
    import pytest  # which measurements do without

    def marks(target: str) -> list[Any]:
        return [pytest.mark.night] if target in nightly else [] if target in quick else [pytest.mark.ci]

    return [pytest.param(target, marks=marks(target), id=target) for target in of]


@cache
def lacking(target: str) -> str:
    """What this machine lacks to stand in for a target; '' if nothing."""
    match target:
        case "opencl":
            return (reason := missing("CL")) and f"no OpenCL (.ci/run installs pocl): {reason}"
        case "gpu":
            return missing("CUDA") if shutil.which("nvidia-smi") else "no NVIDIA GPU"
        case "mesa":
            return "" if browsers.HAS_DENO else browsers.NO_DENO
        case "wasm":
            return "" if shutil.which("node") else browsers.MISSING
        case "webgpu":
            return "" if browsers.HAS_BROWSER else browsers.MISSING
    return ""


def run(target: str, cases: Sequence[Case], folder: Path) -> list[Answer]:
    """The results of programs on a target, and the errors of those that have none.

    Args:
        folder: an empty folder for what is compiled.
    """
    if target in IN_A_BROWSER:
        return in_browser(cases, folder, *IN_A_BROWSER[target])
    answers = []
    for number, case in enumerate(cases):
        place = folder / f"program{number}"
        place.mkdir()
        if target == "commands":
            answers.append(attempt(lambda case=case: interpreted(case)))
        elif target == "cuda":
            answers.append(attempt(lambda case=case, place=place: emulated(case, place)))
        else:
            answers.append(attempt(lambda case=case: loaded(case, *LOADED[target])))
    return answers
