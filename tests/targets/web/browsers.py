"""What tests in browsers need: Chromium, and the npm packages of package.json, which .ci/run installs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpus import Entry

HERE = Path(__file__).parent
# Where the npm packages are.
MODULES = Path(os.environ.get("HLO2TINY_NODE_MODULES", HERE / "node_modules"))
MISSING = "no browser with its packages: install chromium and node, and run `npm install` in tests/targets/web"
HAS_BROWSER = bool(shutil.which("node") and shutil.which("chromium") and (MODULES / "playwright-core").exists())


def needs_browser(test: Callable[..., None]) -> Callable[..., None]:
    """Browsers are CI's: one takes a second to start, and computes WebGPU on the processor."""
    return pytest.mark.ci(pytest.mark.skipif(not HAS_BROWSER, reason=MISSING)(test))


def node(script: str, *arguments: str | Path, timeout: int = 240) -> list[Any]:
    """Run a script of this folder, and return the lines of JSON that it prints."""
    environment = os.environ | {"NODE_MODULES": str(MODULES), "CHROMIUM": shutil.which("chromium") or ""}
    return run_script(["node", HERE / script, *arguments], environment, timeout)


def run_script(command: Sequence[str | Path], environment: Mapping[str, str], timeout: int) -> list[Any]:
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=timeout, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


# Deno has WebGPU, too. Mesa computes it on the processor, and has the feature shader-f16.
MESA = next(Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json"), None)
DENO = MODULES / ".bin" / "deno"
HAS_DENO = bool(MESA and DENO.exists())
NO_DENO = "no adapter with shader-f16: install mesa-vulkan-drivers, and run `npm install` in tests/targets/web"


def deno(script: str, *arguments: str | Path, timeout: int = 240) -> list[Any]:
    """The same in Deno."""
    environment = os.environ | {"VK_DRIVER_FILES": str(MESA), "XDG_RUNTIME_DIR": str(HERE), "DENO_NO_UPDATE_CHECK": "1"}
    command = [DENO, "run", "--allow-all", "--no-config", HERE / script, *arguments]
    return run_script(command, environment, timeout)


def written(array: np.ndarray, path: Path) -> str:
    path.write_bytes(np.ascontiguousarray(array).tobytes())
    return str(path)


def job(entry: Entry, folder: Path, where: str, device: str, work: Path) -> dict[str, Any]:
    """A job of drive.mjs: run a program of the corpus twice."""
    inputs = [written(array, work / f"{entry.name}.in{i}") for i, array in enumerate(entry.inputs())]
    results = [str(work / f"{entry.name}.{where}.{device}.out{i}") for i in range(len(entry.results()))]
    options = {"device": device}
    return {"folder": str(folder), "where": where, "options": options, "inputs": inputs, "results": results, "calls": 2}


def answers(jobs: Sequence[dict[str, Any]], work: Path, run: Callable[..., list[Any]] = node) -> list[dict[str, Any]]:
    (work / "jobs.json").write_text(json.dumps(jobs))
    return run("drive.mjs", work / "jobs.json", timeout=280)


def check(entry: Entry, job: dict[str, Any], answer: dict[str, Any]) -> None:
    """Compare what a job wrote with XLA's results."""
    assert "error" not in answer, f"{entry.name}: {answer['error']}"
    found = [
        np.frombuffer(Path(path).read_bytes(), e.dtype).reshape(e.shape)
        for path, e in zip(job["results"], entry.results())
    ]
    entry.check(tuple(found))
