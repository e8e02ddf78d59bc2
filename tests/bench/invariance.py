"""What `batch_invariant=True` costs: `python tests/bench/invariance.py [--seconds S] [NAME …]`.

Each program of the corpus is loaded with and without the option, and calls of the two alternate on the same cores.
What is printed is the table of docs/performance.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import hlo2tiny
from corpus import BY_NAME

LEAST_CALLS = 20
WORST = 5  # programs that the table names


def medians(calls: Sequence[Callable[[], Any]], seconds: float) -> list[float]:
    """The median seconds of each call; the calls alternate."""
    times: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times[0]) < LEAST_CALLS:
        for call, found in zip(calls, times):
            begun = time.perf_counter()
            call()
            found.append(time.perf_counter() - begun)
    return [*map(median, times)]


def price(name: str, seconds: float) -> float:
    """The time of a call with the option, as a multiple of that without it."""
    arrays = BY_NAME[name].inputs()
    programs = [hlo2tiny.load(BY_NAME[name].path, "CPU", batch_invariant=on) for on in (True, False)]
    with_option, without = medians([lambda p=p: p.numpy_one_by_one(arrays) for p in programs], seconds)
    return with_option / without


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long the two are called (default: 1)")
    parser.add_argument("names", nargs="*", help="programs of the corpus (default: all)")
    options = parser.parse_args()
    found = {name: price(name, options.seconds) for name in options.names or BY_NAME}
    worst = sorted(found, key=lambda name: -found[name])[:WORST]
    print("| time of a call, to that without the option | measured |\n|---|---|")
    print(f"| corpus, geometric mean of {len(found)} | {geometric_mean(found.values()):.2f} |")
    for name in worst:
        print(f"| `{name}` | {found[name]:.2f} |")


if __name__ == "__main__":
    main()
