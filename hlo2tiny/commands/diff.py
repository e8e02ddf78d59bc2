"""`hlo2tiny diff`: whether two files are the same program."""

from __future__ import annotations

import argparse
from pathlib import Path

from .comparison import difference
from .conversion import embed_weights
from .terminal import show, waiting


def run(options: argparse.Namespace) -> int:
    left, right = options.files
    with waiting(f"parsing {Path(left).name} and {Path(right).name}"):
        first = difference(*(embed_weights(file, options.entry).module for file in (left, right)))
    show(f"{left} and {right} differ: {first}" if first else f"{left} and {right} are the same program")
    return int(first is not None)
