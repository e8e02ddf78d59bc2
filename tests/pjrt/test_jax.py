"""JAX on the plugin, in processes that find it in jax_plugins."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
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


@pytest.mark.parametrize("names", [QUICK, pytest.param(OTHERS, marks=pytest.mark.ci)], ids=["first", "others"])
def test_a_user_of_jax(names: tuple[str, ...]) -> None:
    """Several checks in one process, whose start takes longer than most of them."""
    script = str(Path(__file__).with_name("script.py"))
    printed = run(script, *names, JAX_PLATFORMS="hlo2tiny", HLO2TINY_DEVICE="CPU:0,CPU:1").splitlines()
    assert dict(line.split(": ", 1) for line in printed) == dict.fromkeys(names, "right")


# Loops without an end: on one device, with calls of Python, and on two devices that wait for each other. Ctrl-C ends
# the wait for a run, and pressed again, the run.
INTERRUPTED = """
import os, signal, threading, time
signal.alarm(280)  # it would run for ever if the tests were ended
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import PartitionSpec

def forever(step):
    return lambda x: lax.while_loop(lambda x: x[0] < 2, step, x)

def interrupted(use):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        try:
            return use()
        finally:
            time.sleep(0.5)
    except KeyboardInterrupt:
        return "interrupted"

called = lambda x: jax.pure_callback(lambda x: np.asarray(x) / 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
mesh = jax.sharding.Mesh(np.array(jax.devices()), ("d",))
summed = jax.shard_map(forever(lambda x: lax.psum(x, "d") / 2), mesh=mesh, in_specs=PartitionSpec("d"),
                       out_specs=PartitionSpec("d"), check_vma=False)
x = jnp.ones(4)
for function in (forever(lambda x: jnp.sin(x) + x / 8), forever(called), summed):
    result = jax.jit(function)(x) + 1
    print(interrupted(result.block_until_ready), result.is_ready(), interrupted(result.block_until_ready))
    try:
        result.block_until_ready()
    except jax.errors.JaxRuntimeError as error:
        print(error)
# What ends by itself has its results.
long = jax.jit(lambda x: lax.while_loop(lambda x: x[0] < 2, lambda x: x + 1e-8, x))
with jax.enable_x64(True):
    result = long(jnp.ones(4, jnp.float64))
    print(interrupted(result.block_until_ready), float(result[0]) >= 2)
jax.jit(forever(jnp.sin))(x).block_until_ready()
"""


@pytest.mark.ci
def test_ctrl_c_ends_waits_and_then_runs_in_the_background() -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "hlo2tiny", "HLO2TINY_DEVICE": "CPU:0,CPU:1"}
    command = [sys.executable, "-u", "-c", INTERRUPTED]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        for _ in range(3):
            assert process.stdout.readline() == "interrupted False interrupted\n"
            assert process.stdout.readline() == "CANCELLED: the run was interrupted\n"
        assert process.stdout.readline() == "interrupted True\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)  # and the process ends, although a loop has none
        assert "KeyboardInterrupt" in process.stderr.read()


def test_a_process_that_does_not_name_the_platform_has_nothing_of_it() -> None:
    script = "import jax, sys; print(jax.devices()[0].platform, 'hlo2tiny' in sys.modules)"
    assert run("-c", script, JAX_PLATFORMS="cpu") == "cpu False\n"


def test_arrays_pass_between_platforms() -> None:
    script = """import jax, numpy as np
ours, xlas = jax.devices()[0], jax.devices("cpu")[0]
array = np.arange(256.0)
print(ours.platform, np.array_equal(jax.device_put(jax.device_put(array, ours), xlas), array))
print(np.array_equal(jax.device_put(jax.device_put(array, xlas), ours) + 1, array + 1))"""
    assert run("-c", script, JAX_PLATFORMS="hlo2tiny,cpu") == "hlo2tiny True\nTrue\n"


def test_a_device_that_is_not_there_is_an_error_of_one_sentence() -> None:
    script = "import jax\ntry: jax.devices()\nexcept RuntimeError as error: print(error)"
    printed = run("-c", script, JAX_PLATFORMS="hlo2tiny", HLO2TINY_DEVICE="NOTHING")
    assert "tinygrad cannot open device 'NOTHING'" in printed
