"""What runs programs for other systems here: qemu, wine and Node."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

WASI = Path(__file__).with_name("wasi.mjs")
# What runs a target's executables here.
RUNNERS: Mapping[str, Sequence[str]] = {
    "aarch64-linux": ("qemu-aarch64-static",),
    "x86_64-windows": ("wine",),
    # Collecting garbage in fast calls of WASI ends Node with a fault of memory: github.com/nodejs/node/issues/46777.
    "wasm32-wasi": ("node", "--no-warnings", "--no-turbo-fast-api-calls", str(WASI)),
    "x86_64-linux": (),
}
# One folder of wine's for all tests and processes, without what no test needs: .NET, a browser, menus and services.
PREFIX = Path.home() / ".cache" / "hlo2tiny-wine"
WITHOUT = "mscoree,mshtml,winemenubuilder.exe,services.exe,explorer.exe="
WINE = {"WINEDEBUG": "-all", "WINEPREFIX": str(PREFIX), "WINEDLLOVERRIDES": WITHOUT}


@cache
def prepare_wine() -> None:
    """Let wine fill its folder, which takes seconds, unless another process has done it."""
    PREFIX.parent.mkdir(parents=True, exist_ok=True)
    with PREFIX.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (PREFIX / "system.reg").exists():
            subprocess.run(["wineboot", "--init"], env=os.environ | WINE, capture_output=True, timeout=240)
            subprocess.run(["wineserver", "--wait"], env=os.environ | WINE, timeout=240)


def emulate(runner: Sequence[str], command: Sequence[str], folder: Path) -> str:
    """What a program prints that is run in its folder."""
    if runner and not shutil.which(runner[0]):
        pytest.skip(f"no emulator: {runner[0]}")
    if "wine" in runner:
        prepare_wine()
    done = subprocess.run(
        [*runner, *command], cwd=folder, env=os.environ | WINE, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_executable(
    runner: Sequence[str], folder: Path, inputs: Sequence[np.ndarray], like: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """The results of the executable in a folder, read as the dtypes of those that are expected."""
    (name,) = (name for name in ("model", "model.exe", "model.wasm") if (folder / name).exists())
    for i, array in enumerate(inputs):
        np.save(folder / f"in{i}.npy", array)
    files = [f"in{i}.npy" for i in range(len(inputs))]
    emulate(runner, [name if "node" in runner else f"./{name}", "-o", ".", *files], folder)
    results = [np.load(folder / f"out{i}.npy") for i in range(len(like))]
    return [r.view(e.dtype) if r.dtype.kind == "V" else r for r, e in zip(results, like)]
