"""`hlo2tiny bench --profile --trace`: a profile as a trace of one call, for Perfetto and Chrome's about:tracing.

The steps are those of the average call, each as long as all its iterations together: a loop is a slice that holds its
steps once, in order. https://perfetto.dev reads the format, Chrome's trace events.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

PROCESS = {"pid": 1, "tid": 1}
NANOSECOND = 1e-9


def trace_text(title: str, measured: Mapping[str, Any]) -> str:
    """What `profiling.profile` returned, as JSON."""
    names = [("process_name", f"hlo2tiny {title}"), ("thread_name", "the average call")]
    events: list[dict[str, Any]] = [
        {"ph": "M", "name": kind, **PROCESS, "args": {"name": name}} for kind, name in names
    ]
    steps = sorted(measured["steps"], key=lambda row: row["number"])
    inside: dict[int | None, list[Mapping[str, Any]]] = defaultdict(list)
    for row in steps:
        inside[row["inside"]].append(row)
    # Whole nanoseconds, since slices that overlap by a rounding error would not nest.
    lengths: dict[int, int] = {}
    for row in reversed(steps):  # a step begins before those inside it
        own = max(0, round(row["seconds"] / NANOSECOND))
        lengths[row["number"]] = own + sum(lengths[inner["number"]] for inner in inside[row["number"]])
    begins: dict[int | None, int] = {None: 0}  # where the next step inside a step begins
    for row in steps:
        begin = begins[row["inside"]]
        begins[row["inside"]] += lengths[row["number"]]
        begins[row["number"]] = begin
        events.append(slice_of(row, begin, lengths[row["number"]]))
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}, indent=1)


def microseconds(nanoseconds: int) -> float:
    """A number whose product with 1000 is not smaller: Perfetto rounds down, and drops slices that overlap."""
    close = nanoseconds / 1000
    return close if int(close * 1000.0) == nanoseconds else math.nextafter(close, math.inf)


def slice_of(row: Mapping[str, Any], begin: int, length: int) -> dict[str, Any]:
    """The event of a step, whose times are in nanoseconds here and in microseconds in the file."""
    known = {name: row[name] for name in ("where", "iterations", "flops", "bytes") if row[name]}
    if row["lines"]:
        known["lines"] = row["lines"]
    kind = row["step"].partition(" ")[0]
    times = {"ts": microseconds(begin), "dur": microseconds(length)}
    return {"ph": "X", "name": row["step"], "cat": kind, **PROCESS, **times, "args": known}
