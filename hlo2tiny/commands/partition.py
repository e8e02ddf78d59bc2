"""`hlo2tiny partition`: a program with shardings as one with collectives."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..errors import InputError
from ..from_jax.partitioning import partition
from ..output import expect_writable
from ..targets import MOST_THREADS
from .terminal import waiting


def run(options: argparse.Namespace) -> int:
    if not 2 <= options.devices <= MOST_THREADS:
        raise InputError(f"--devices {options.devices}: expected 2 to {MOST_THREADS}")
    expect_writable(options.output, "-o")
    with waiting("partitioning"):
        partition(Path(options.file), options.output, options.devices, options.entry)
    return 0
