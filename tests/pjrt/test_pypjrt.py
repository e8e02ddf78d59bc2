"""pypjrt, a client that knows nothing of hlo2tiny: its check of plugins, and what its documentation shows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pypjrt")

ROOT = Path(__file__).parents[2]
CHECK = """
import sys
from hlo2tiny import pjrt
from pypjrt import conform
sys.argv[1:] = [str(pjrt.path()), "--json", sys.argv[1]]
sys.exit(conform.main())
"""
SCRIPT = """
import ctypes
import jax, jax.numpy as jnp, numpy as np, pypjrt
from pypjrt import ffi
from hlo2tiny import pjrt

x = np.arange(8, dtype=np.float32)
mlir = jax.jit(lambda a, b: jnp.tanh(a * b + 1.0)).lower(x, x).as_text()
plugin = pypjrt.Plugin(str(pjrt.path()))
with pypjrt.Client.create(plugin) as client, client.devices() as devices:
    exe = client.compile(mlir)
    a = client.buffer_from_host(x, 11, [8], devices[0])
    (out,) = exe(a, a)
    result = np.empty(8, np.float32)
    out.to_host(result)
    np.testing.assert_allclose(result, np.tanh(x * x + 1), rtol=1e-6)
    np.testing.assert_array_equal(np.from_dlpack(out), result)
    np.testing.assert_array_equal(np.from_dlpack(client.from_dlpack(result)), result)

    @ffi.handler(plugin, "tests.add_three")
    def add_three(call):
        (x,), (y,) = call.args, call.rets
        ctypes.memmove(y.data, (np.ctypeslib.as_array((ctypes.c_float * 8).from_address(x.data)) + 3).ctypes.data, 32)

    kernel = client.compile('func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> { %0 = stablehlo.custom_call '
        '@tests.add_three(%x) {api_version = 4 : i32} : (tensor<8xf32>) -> tensor<8xf32> return %0 : tensor<8xf32> }')
    kernel(a)[0].to_host(result)
    np.testing.assert_array_equal(result, x + 3)
print("right")
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), "HLO2TINY_DEVICE": "CPU:0,CPU:1"}
    environment |= {"JAX_PLATFORMS": "cpu"}
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, env=environment, timeout=200)


@pytest.mark.ci
def test_its_check_of_plugins_finds_no_failure(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = run("-c", CHECK, str(report))
    assert done.returncode == 0, done.stdout + done.stderr
    results = [check["result"] for check in json.loads(report.read_text("utf-8"))["checks"]]
    assert results.count("fail") == 0 and results.count("pass") >= 48, done.stdout


def test_what_its_documentation_shows_runs() -> None:
    done = run("-c", SCRIPT)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr
