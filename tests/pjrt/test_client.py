"""A client in C, client.c, in a process whose Python compiles for it, and in one whose Python knows nothing of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hlo2tiny.pjrt.library import INTERFACE, build
from hlo2tiny.targets.c.linking import shared_object

CLIENT = Path(__file__).with_name("client.c")
SCRIPT = """
import ctypes, sys
if sys.argv[3] == "1":
    from hlo2tiny import pjrt
    plugin = ctypes.CDLL(str(pjrt.path()))
else:
    plugin = ctypes.CDLL(sys.argv[1])
plugin.GetPjrtApi.restype = ctypes.c_void_p
client = ctypes.CDLL(sys.argv[2])
client.check.argtypes = [ctypes.c_void_p, ctypes.c_int]
print(client.check(plugin.GetPjrtApi(), int(sys.argv[3])))
"""


def client_library(folder: Path) -> Path:
    place, text = folder / "client.so", f'{INTERFACE}\n#line 1 "client.c"\n{CLIENT.read_text("utf-8")}'
    place.write_bytes(shared_object(f"pjrt client {text}", lambda: [text]))
    return place


@pytest.mark.parametrize("compiles", [True, False])
def test_a_client_in_c(compiles: bool, tmp_path: Path) -> None:
    place = client_library(tmp_path)
    command = [sys.executable, "-c", SCRIPT, str(build()), str(place), str(int(compiles))]
    environment = os.environ | {"HLO2TINY_DEVICE": "CPU:0,CPU:1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=200)
    assert (done.returncode, done.stdout) == (0, "0\n"), f"client.c, line {done.stdout}{done.stderr}"
