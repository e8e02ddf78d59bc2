"""JAX on the plugin, in processes that find it in jax_plugins."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from script import CHECKS

ROOT = Path(__file__).parents[2]


def run(*command: str, **variables: str) -> str:
    """What a process prints."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | variables
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, env=environment, timeout=280)
    assert done.returncode == 0, done.stderr
    return done.stdout


QUICK = ("devices", "operations", "transformations", "donation", "several_devices", "callbacks", "errors")
OTHERS = tuple(name for function in CHECKS if (name := function.__name__) not in QUICK)


@pytest.fixture(scope="module")
def printed(request: pytest.FixtureRequest) -> dict[str, str]:
    """What one process says of several checks."""
    script = str(Path(__file__).with_name("script.py"))
    lines = run(script, *request.param, JAX_PLATFORMS="hlo2tiny", HLO2TINY_DEVICE="CPU:0,CPU:1").splitlines()
    return dict(line.split(": ", 1) for line in lines)


@pytest.mark.parametrize("printed", [QUICK], indirect=True, ids=[""])
@pytest.mark.parametrize("name", QUICK)
def test_a_user_of_jax(printed: dict[str, str], name: str) -> None:
    assert printed[name] == "right"


@pytest.mark.ci
@pytest.mark.parametrize("printed", [OTHERS], indirect=True, ids=[""])
@pytest.mark.parametrize("name", OTHERS)
def test_what_else_a_user_of_jax_does(printed: dict[str, str], name: str) -> None:
    assert printed[name] == "right"


def test_a_process_that_does_not_name_the_platform_has_nothing_of_it() -> None:
    script = "import jax, sys; print(jax.devices()[0].platform, 'hlo2tiny' in sys.modules)"
    assert run("-c", script, JAX_PLATFORMS="cpu") == "cpu False\n"


def test_a_device_that_is_not_there_is_an_error_of_one_sentence() -> None:
    script = "import jax\ntry: jax.devices()\nexcept RuntimeError as error: print(error)"
    printed = run("-c", script, JAX_PLATFORMS="hlo2tiny", HLO2TINY_DEVICE="NOTHING")
    assert "tinygrad cannot open device 'NOTHING'" in printed
