"""A client that does everything wrong, hostile.c, in one program with the library, both compiled with sanitizers."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from hlo2tiny.pjrt import path
from hlo2tiny.pjrt.library import INTERFACE, text

sys.path.insert(0, str(Path(__file__).parent))

# Its first argument is donated, and is where the first result is written.
PROGRAM = """
func.func @main(%x: tensor<96x96xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<96x96xf32>)
    -> (tensor<96x96xf32>, tensor<f32>) {
  %product = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<96x96xf32>, tensor<96x96xf32>) -> tensor<96x96xf32>
  %seven = stablehlo.constant dense<7.0> : tensor<96x96xf32>
  %all = stablehlo.add %product, %seven : tensor<96x96xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%all init: %zero) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<96x96xf32>, tensor<f32>) -> tensor<f32>
  return %all, %sum : tensor<96x96xf32>, tensor<f32>
}
"""
CLIENT = Path(__file__).with_name("hostile.c")
MEMORY = "-O1 -g -w -fsanitize=address,undefined -fno-sanitize-recover=undefined".split()
RACES = "-O1 -g -w -fsanitize=thread".split()


def has_sanitizers(options: list[str], folder: Path) -> bool:
    """Whether this machine's gcc has the libraries of sanitizers."""
    command = ["gcc", *options, "-x", "c", "-", "-o", str(folder / "empty")]
    try:
        made = subprocess.run(command, input="int main(void) { return 0; }", text=True, capture_output=True)
    except OSError:
        return False
    return made.returncode == 0 and subprocess.run([folder / "empty"], capture_output=True).returncode == 0


def serialized(folder: Path) -> bytes:
    """What a process with Python makes of the program."""
    from test_client import client_library

    plugin, client = ctypes.CDLL(str(path())), ctypes.CDLL(str(client_library(folder)))
    plugin.GetPjrtApi.restype, client.serialize.restype = ctypes.c_void_p, ctypes.c_long
    client.serialize.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
    room = ctypes.create_string_buffer(1 << 22)
    length = client.serialize(plugin.GetPjrtApi(), PROGRAM.encode(), len(PROGRAM), room)
    assert length > 0, f"client.c, line {-length}"
    return room.raw[:length]


@pytest.mark.parametrize(
    ("options", "long"),  # what takes longer, in ns, goes on in the background
    [(MEMORY, 300_000), pytest.param(MEMORY, -1, marks=pytest.mark.night), (RACES, -1)],
)
@pytest.mark.ci
def test_a_client_that_does_everything_wrong_gets_errors(options: list[str], long: int, tmp_path: Path) -> None:
    if not has_sanitizers(options, tmp_path):
        pytest.skip("there is no gcc with sanitizers")
    sources = {"library.c": text(), "client.c": f'{INTERFACE}\n#line 1 "hostile.c"\n{CLIENT.read_text("utf-8")}'}
    for name, source in sources.items():
        (tmp_path / name).write_text(source, "utf-8")
    subprocess.run(["gcc", *options, f"-DLONG_RUN={long}", *sources, "-o", "client"], cwd=tmp_path, check=True)
    (tmp_path / "executable").write_bytes(serialized(tmp_path))
    done = subprocess.run(["./client", "executable"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "0 wrong\n"), done.stdout + done.stderr[-8000:]
