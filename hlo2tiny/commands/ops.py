"""`hlo2tiny ops`: which ops there are, and which of them run."""

from __future__ import annotations

import argparse
from collections import Counter

from ..verify.problems import support_table
from . import conformance
from .optable import page
from .terminal import show


def run(options: argparse.Namespace) -> int:
    if options.conformance:
        show(conformance.table(conformance.load()))
        return 0
    if options.table:
        show(page())
        return 0
    table = support_table()
    for name, state in table:
        show(f"{state:8}{name}")
    specified = [state for name, state in table if name.startswith(("stablehlo.", "chlo."))]
    counts = Counter(specified)
    show(f"{counts['yes']} of {len(specified)} ops of StableHLO and CHLO run, {counts['refused']} are refused by name")
    return 0
