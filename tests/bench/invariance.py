"""What `batch_invariant=True` costs: `python tests/bench/invariance.py [--device CUDA] [--seconds S] [NAME …]`.

Each program, of the corpus or a file, is loaded with and without the option, and calls of the two alternate on the same
cores. The table of docs/performance.md follows the times of all programs.
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

from gpu import inputs_of
from gpu import placed as place

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


def calls_of(name: str, device: str) -> list[Callable[[], Any]]:
    """A program of the corpus, or in a file, with the option and without it, as calls on arrays that are in place."""
    path = BY_NAME[name].path if name in BY_NAME else Path(name)
    programs = [hlo2tiny.load(path, device, batch_invariant=on, donate=()) for on in (True, False)]
    arrays = BY_NAME[name].inputs() if name in BY_NAME else inputs_of(programs[0])
    if device == "CPU":
        return [lambda p=p: p.numpy_one_by_one(arrays) for p in programs]
    from tinygrad import Device, Tensor

    placed = [place(x, Tensor) for x in arrays]

    def call(program: hlo2tiny.Program) -> None:
        held = program(*placed)
        Device[device].synchronize()
        del held

    return [lambda p=p: call(p) for p in programs]


def price(name: str, seconds: float, device: str) -> float:
    """The time of a call with the option, as a multiple of that without it."""
    with_option, without = medians(calls_of(name, device), seconds)
    print(f"{name}: {1e6 * with_option:.1f} µs, {1e6 * without:.1f} without the option", flush=True)
    return with_option / without


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long the two are called (default: 1)")
    parser.add_argument("--device", default="CPU", help="default: CPU")
    parser.add_argument("names", nargs="*", help="programs of the corpus, or files (default: the corpus)")
    options = parser.parse_args()
    found = {name: price(name, options.seconds, options.device) for name in options.names or BY_NAME}
    worst = sorted(found, key=lambda name: -found[name])[:WORST]
    print("| time of a call, to that without the option | measured |\n|---|---|")
    print(f"| geometric mean of {len(found)} | {geometric_mean(found.values()):.2f} |")
    for name in worst:
        print(f"| `{name}` | {found[name]:.2f} |")


if __name__ == "__main__":
    main()
