"""Training scripts of libraries on JAX: the same losses as on XLA's CPU backend."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = {path.stem.removeprefix("train_"): path for path in Path(__file__).with_name("libraries").glob("train_*.py")}


def losses(script: Path, platform: str) -> list[float]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "JAX_PLATFORMS": platform}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return [float(line) for line in done.stdout.splitlines()]


@pytest.mark.night
@pytest.mark.timeout(900)
@pytest.mark.parametrize("library", sorted(SCRIPTS))
def test_training_has_the_losses_of_xla(library: str) -> None:
    if not find_spec(library) or not find_spec("optax"):
        pytest.skip(f"{library} or optax is not installed")
    found, wanted = (losses(SCRIPTS[library], platform) for platform in ("hlo2tiny", "cpu"))
    assert len(found) >= 6
    np.testing.assert_allclose(found, wanted, rtol=1e-4)
