"""Ctrl-C ends a command in silence, with the exit code that shells give it."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes have no SIGINT there")

ENDLESS = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %r = stablehlo.while(%a = %x) : tensor<f32>
  cond {
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %b = stablehlo.add %a, %c : tensor<f32>
    stablehlo.return %b : tensor<f32>
  }
  return %r : tensor<f32>
}
"""
COMMANDS = ["run --random 0", "bench", "check", "check --vs-xla --bisect", "view --time -o page.html"]
# The exception of the signal is raised in __del__, where Python ignores it.
LOST = """
import signal, sys, time
import hlo2tiny.__main__, hlo2tiny.cli
class Deleted:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
def run():
    Deleted()
    time.sleep(30)
hlo2tiny.cli.main = run
sys.exit(hlo2tiny.__main__.main())
"""


def test_every_command_ends(tmp_path: Path) -> None:
    (tmp_path / "endless.mlir").write_text(ENDLESS)
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True, "cwd": tmp_path}
    started = []
    for command in COMMANDS:
        name, *options = command.split()
        arguments = [sys.executable, "-m", "hlo2tiny", name, "endless.mlir", *options]
        started.append(subprocess.Popen(arguments, **pipes))  # type: ignore[call-overload]
    time.sleep(5)  # until they run
    for process in started:
        process.send_signal(signal.SIGINT)
    found = {}
    for command, process in zip(COMMANDS, started, strict=True):
        try:
            found[command] = process.communicate(timeout=50)[1], process.returncode
        finally:
            process.kill()
    assert found == dict.fromkeys(COMMANDS, ("", 130))


def test_an_interrupt_that_python_ignores_comes_again() -> None:
    start = time.monotonic()
    process = subprocess.run([sys.executable, "-c", LOST], capture_output=True, text=True, timeout=50)
    assert (process.stderr, process.returncode) == ("", 130)
    assert time.monotonic() - start < 25
