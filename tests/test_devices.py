"""The corpus on tinygrad's other devices: OpenCL, which pocl gives to any processor, and Python itself."""

from __future__ import annotations

from functools import cache

import pytest

import hlo2tiny
from corpus import ENTRIES, Entry

# What pocl compiles for minutes; it has given the right results by hand.
LONG = ("special_functions",)
# What Python interprets in seconds.
SMALL = ("cond", "cumsum", "haiku_convnet", "handwritten_generic", "segment_sum", "switch", "while_loop")


@cache
def missing(device: str) -> str:
    """Why a device cannot be opened here, '' if it can."""
    try:
        hlo2tiny.load("func.func @main() {\n  return\n}", device=device)
    except hlo2tiny.InputError as error:
        return str(error)
    return ""


def expect_results(entry: Entry, device: str) -> None:
    program = hlo2tiny.load(entry.path, device=device)
    assert program.device == device
    entry.check(program.numpy(*entry.inputs()))


@pytest.mark.slow
@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.name not in LONG], ids=lambda entry: entry.name)
def test_opencl_gives_the_results_of_xla(entry: Entry) -> None:
    if reason := missing("CL"):
        pytest.skip(f"no OpenCL (.ci/run installs pocl): {reason}")
    expect_results(entry, "CL")


@pytest.mark.parametrize("name", SMALL)
def test_pythons_device_gives_the_results_of_xla(name: str) -> None:
    (entry,) = (entry for entry in ENTRIES if entry.name == name)
    expect_results(entry, "PYTHON")
