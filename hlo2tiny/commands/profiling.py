"""`hlo2tiny bench --profile`: where a program's time goes, by step of its plan and by line of the user's source.

On the CPU, a driver that measures its steps (targets/c) runs for a while; on an NVIDIA GPU, each kernel runs several
times (targets/cuda/measuring.py). The time of a step is divided among its ops, and so among source lines, by how many
numbers each op writes: the time inside a kernel is not measured.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, printable_name
from ..ir import Op, TensorType
from ..ir.dtypes import as_tensor, byte_size, expect_tensor
from ..ops import Trait, has
from ..plan.plan import (
    Attention,
    AttentionGradients,
    Block,
    Call,
    Case,
    Convolution,
    Fourier,
    Gemm,
    Host,
    Kernels,
    Lapack,
    Plan,
    Step,
    While,
    inner_blocks,
    work_of,
)
from ..program import Program
from ..targets import NotBuilt, targets_of
from ..targets.c.native import Profiled
from ..targets.c.render import render_region
from ..targets.c.source import Timer
from ..templates import fill
from .contenders import durations
from .terminal import duration, one_line

# Files that are not the user's: the line of an op is the innermost one outside of these.
LIBRARIES = re.compile(r"(^|[/\\])(site|dist)-packages[/\\]")
MOST_ROWS = 40  # of a table on a terminal
PAGE = Path(__file__).parent / "page"


def profile(
    program: Program, arrays: Sequence[np.ndarray], seconds: float, threads: int | None = None
) -> dict[str, Any]:
    """Run a program for some seconds, and measure its steps; `threads` is as in `load`.

    Returns:
        {"calls": how many, "seconds": per call, "plain": seconds per call without measuring, "chip": what the GPU is,
        "steps": [{"number": its index in the plan, "inside": the number of the step that runs it, or None, "step",
        "where", "seconds" and "iterations" per call, "flops" and "bytes" per iteration or None, "most": how much of
        that the GPU does in a second, if it is known, "lines"}],
        "lines": [{"line", "seconds": the time of its own ops, "total": also that of ops in the calls that it makes}],
        "ops": {where an op is in the file, in characters: its seconds}}.
        The seconds of all steps add up to those of a call, and so do those of all lines.

    Raises:
        InputError: there is no native code to measure, or the device is neither the CPU nor CUDA.
    """
    device = program.device
    run = PROFILES.get(targets_of(device)[0].name) if isinstance(device, str) else None
    if run is None:
        raise InputError(f"--profile measures programs on CPU and CUDA, and this one is on {device}")
    return run(program, arrays, seconds, threads)


def profile_on_processor(
    program: Program, arrays: Sequence[np.ndarray], seconds: float, threads: int | None
) -> dict[str, Any]:
    """See `profile`."""
    program.numpy_one_by_one(arrays)
    plain = durations(lambda: program.numpy_one_by_one(arrays), seconds / 4)
    arrays = program.all_arrays(arrays)
    plan = program.plan
    try:
        profiled = Profiled(plan, program.custom_calls, threads)
    except NotBuilt as error:
        raise InputError(f"a profile needs native code, which cannot be built here: {one_line(str(error))}") from error
    places = {result: arrays[number] for result, number in profiled.in_place.items()}
    profiled.run_numpy(arrays, places)
    profiled.read_timers()  # discards the first call
    times = durations(lambda: profiled.run_numpy(arrays, places), seconds)
    steps = step_rows(plan, profiled.read_timers(), len(times))
    call = sum(times) / len(times)
    measured = {"calls": len(times), "seconds": call, "plain": sum(plain) / len(plain), "chip": ""}
    return measured | tables(steps, call, "the call, and between steps")


def profile_on_gpu(
    program: Program, arrays: Sequence[np.ndarray], seconds: float, threads: int | None
) -> dict[str, Any]:
    """See `profile`. All arguments of a call are on the GPU, and a kernel is timed among others of its kind."""
    from ..targets.cuda.measuring import chip_of, measure
    from ..targets.cuda.native import compile_each
    from ..tinygrad.buffers import from_numpy

    program.numpy_one_by_one(arrays)
    device, values = str(program.device), program.all_arrays(arrays)
    try:
        (code,) = compile_each(program.plan, device, program.custom_calls, lambda done, total: None)
    except NotBuilt as error:
        raise InputError(f"a profile needs native code, which cannot be built here: {one_line(str(error))}") from error
    held = [from_numpy(x, t, device) if isinstance(x, np.ndarray) else x for x, t in zip(values, code.inputs)]

    def call() -> None:
        code.run(held)
        code.gpu.finish()

    call()
    times = durations(call, seconds)
    merged: dict[tuple[str, str, tuple[int, ...]], dict[str, Any]] = {}
    for m in measure(code, values):
        ops = [op for n in m.steps for op in ops_of(code.executable.steps[n])]
        row = {"step": m.name, "where": m.where, "seconds": 0.0, "iterations": 0.0, "ops": ops}
        row |= {"flops": m.flops, "bytes": m.bytes, "most": m.most}
        first = merged.setdefault((m.name, m.where, m.steps), row)  # iterations of an unrolled loop share a row
        first["seconds"] += m.seconds * m.iterations
        first["iterations"] += m.iterations
    chip, average = chip_of(code.gpu), sum(times) / len(times)
    rates = [f"{chip.bandwidth / 1e9:,.0f} GB/s", *(f"{v / 1e12:,.0f} TFLOP/s in {k}" for k, v in chip.flops.items())]
    measured = {"calls": len(times), "seconds": average, "plain": average, "chip": f"{chip.name} ({', '.join(rates)})"}
    return measured | tables(list(merged.values()), average, "the call, and between kernels")


# How programs of a target are measured.
PROFILES: dict[str, Callable[..., dict[str, Any]]] = {"c": profile_on_processor, "cuda": profile_on_gpu}


def tables(steps: list[dict[str, Any]], call: float, others: str) -> dict[str, Any]:
    """The rows of steps, with one for the rest of a call, and those of lines, the slowest first."""
    for number, row in enumerate(steps):
        row.setdefault("inside", None)
        row["number"] = number
    rest = {"step": others, "where": "", "iterations": 1.0, "flops": None, "bytes": None, "ops": (), "inside": None}
    # Steps that run at the same time add up to more than the call.
    steps.append({**rest, "seconds": max(0.0, call - total(steps)), "number": len(steps)})
    shares = op_shares(steps)
    lines = line_rows(steps)
    steps.sort(key=lambda row: -row["seconds"])
    for row in steps:
        row["lines"] = list(dict.fromkeys(map(own_line, row.pop("ops"))))
    return {"steps": steps, "lines": lines, "ops": shares}


def total(rows: Iterable[Mapping[str, Any]]) -> float:
    return sum(float(row["seconds"]) for row in rows)


# ---------------------------------------------------------------- by step


def step_rows(plan: Plan, measured: Sequence[tuple[Timer, float, int]], calls: int) -> list[dict[str, Any]]:
    """A row for each kernel and each other step, without the time of the steps inside it."""
    whole: dict[tuple[Block, Step], float] = defaultdict(float)
    for timer, seconds, _ in measured:
        whole[timer.block, timer.step] += seconds

    def inside(*blocks: Block) -> float:
        return sum(whole[block, step] for block in blocks for step in block.steps)

    steps = list(walk(plan))
    where = {block: name for name, block, _ in steps}
    order = {(block, step): number for number, (_, block, step) in enumerate(steps)}
    rows: list[dict[str, Any]] = []
    called: dict[str, dict[str, Any]] = {}
    running: dict[Block, int] = {}  # the number of the row of what runs a block
    for timer, seconds, iterations in sorted(measured, key=lambda row: order[row[0].block, row[0].step]):
        step = timer.step
        row: dict[str, Any] = {"step": describe_timer(timer), "where": where[timer.block]}
        row |= {
            "flops": None,
            "bytes": None,
            "seconds": seconds / calls,
            "iterations": iterations / calls,
            "ops": ops_of(step),
        }
        row["inside"] = running.get(timer.block)
        if timer.kernel is not None:
            row["bytes"] = bytes_of(timer)
        elif isinstance(step, Call):
            # The steps of a function are measured for all callers together, so its calls share a row.
            first = called.setdefault(step.name, row)
            running.setdefault(plan.functions[step.name], len(rows))
            if first is not row:
                first["seconds"] += row["seconds"]
                first["iterations"] += row["iterations"]
                continue
        else:
            row["seconds"] -= inside(*inner_blocks(step)) / calls
            running |= dict.fromkeys(inner_blocks(step), len(rows))
            if isinstance(step, Gemm | Convolution | Attention | AttentionGradients | Fourier):
                row["flops"] = work_of(step).flops
        rows.append(row)
    for name, row in called.items():
        row["seconds"] -= inside(plan.functions[name]) / calls
    return rows


def walk(plan: Plan) -> Iterator[tuple[str, Block, Step]]:
    """All steps with their blocks and the blocks' names, main, @function, main/body, …, each after what runs it."""
    blocks = {"main": plan.main}
    waiting = ["main"]

    def enter(block: Block, name: str) -> Iterator[tuple[str, Block, Step]]:
        for step in block.steps:
            yield name, block, step
            match step:
                case While():
                    yield from enter(step.condition, f"{name}/condition")
                    yield from enter(step.body, f"{name}/body")
                case Case():
                    for number, branch in enumerate(step.branches):
                        yield from enter(branch, f"{name}/branch {number}")
                case Call() if (function := f"@{step.name}") not in blocks:
                    blocks[function] = plan.functions[step.name]
                    waiting.append(function)

    for name in waiting:  # which grows
        yield from enter(blocks[name], name)


def describe_timer(timer: Timer) -> str:
    match step := timer.step:
        case Kernels():
            return f"kernel {render_region(step).names[timer.kernel or 0]}"
        case Gemm():
            p = step.product
            batch = f"{'x'.join(map(str, p.batch))} of " if p.batch else ""
            return f"{p.letter}gemm {batch}{p.m}x{p.k}x{p.n}"
        case Convolution():
            w = step.windows
            return f"convolution {w.groups} of {w.rows}x{w.depth}x{w.features}"
        case Attention() | AttentionGradients():
            h, name = step.heads, "attention" if isinstance(step, Attention) else "gradients of attention"
            return f"{name} {'x'.join(map(str, h.sizes))} queries, {h.keys} keys"
        case Fourier():
            return "fourier " + ", ".join(f"{v.count} of {v.length}" for v in step.transform.lines)
        case Lapack():
            return "lapack " + ", ".join(f"{c.items} {c.name}" for c in step.procedure.calls)
        case Host():
            return f"host {step.name}"
        case Call():
            return f"call @{step.name}"
        case Case():
            return step.op.name.split(".")[-1]
        case While():
            return "while"
    raise TypeError(step)


def ops_of(step: Step) -> list[Op]:
    """The ops of a step, those that write most first. Constants do not count, unless there is nothing else."""
    match step:
        case Kernels():
            ops = step.ops
        case Gemm() | Convolution() | Attention() | AttentionGradients():
            ops = step.region.ops
        case _:
            ops = (step.op,)
    return sorted([op for op in ops if not has(op, Trait.CONSTANT)] or ops, key=lambda op: -written(op))


def bytes_of(timer: Timer) -> int:
    """The bytes of a kernel's buffers, each counted once."""
    step, block = timer.step, timer.block
    assert isinstance(step, Kernels) and timer.kernel is not None
    region = render_region(step)
    sizes = [*(byte_size(expect_tensor(block.types[n])) for n in (*step.inputs, *step.outputs)), *region.temporaries]
    return sum(sizes[n] for n in set(region.kernels[timer.kernel].buffers))


# ---------------------------------------------------------------- by line


def line_rows(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    own: dict[str, float] = defaultdict(float)
    reached: dict[str, float] = defaultdict(float)
    for row in steps:
        for op, seconds in shares_of(row):
            own[own_line(op)] += seconds
            for line in {own_line(op), *op.location.frames}:
                reached[line] += seconds
        if not row["ops"]:
            own[""] += row["seconds"]
            reached[""] += row["seconds"]
    order = sorted(reached, key=lambda line: (-own[line], -reached[line]))
    return [{"line": line, "seconds": own[line], "total": reached[line]} for line in order]


def written(op: Op) -> int:
    """How many numbers an op writes, plus 1."""
    types = (as_tensor(value.type) for value in op.results)
    return 1 + sum(prod(d or 1 for d in t.shape) for t in types if isinstance(t, TensorType))


def shares_of(row: Mapping[str, Any]) -> Iterator[tuple[Op, float]]:
    """The ops of a step with their parts of its seconds."""
    weights = [written(op) for op in row["ops"]]
    for op, weight in zip(row["ops"], weights):
        yield op, row["seconds"] * weight / sum(weights)


def op_shares(steps: Sequence[Mapping[str, Any]]) -> dict[int, float]:
    """The seconds of ops, by their offsets in the file, as their locations have them."""
    shares: dict[int, float] = defaultdict(float)
    for row in steps:
        for op, seconds in shares_of(row):
            shares[op.location.offset] += seconds
    return dict(shares)


def own_line(op: Op) -> str:
    """The innermost source line of an op: the user's, else a library's, else the program's with the op's name."""
    place, frames = op.location, op.location.frames
    users = [frame for frame in frames if not LIBRARIES.search(frame)]
    return (users or frames or [f"{Path(place.source.path).name}:{place.line} {place.name}".rstrip()])[0]


# ---------------------------------------------------------------- as text and as a page


def share(seconds: float, measured: Mapping[str, Any]) -> float:
    return 100 * seconds / float(measured["seconds"])


def rate(row: Mapping[str, Any]) -> str:
    """What a step does per second, in GFLOP/s or GB/s, and what share of the GPU's peak that is."""
    work, unit = (row["flops"], "GFLOP/s") if row["flops"] else (row["bytes"], "GB/s")
    if not work or row["seconds"] <= 0:
        return ""
    done = work * row["iterations"] / row["seconds"]
    return f"{done / 1e9:.1f} {unit}" + (f", {100 * done / row['most']:.0f}%" if row.get("most") else "")


def summary(measured: Mapping[str, Any]) -> str:
    calls, plain = measured["calls"], duration(measured["plain"])
    if measured["chip"]:
        return f"{calls} calls of {plain} on average on {measured['chip']}"
    return f"{calls} calls of {duration(measured['seconds'])} on average, {plain} without a profile"


def few(lines: Sequence[str]) -> str:
    return ", ".join(map(one_line, lines[:2])) + f" +{len(lines) - 2}" * (len(lines) > 2)


def profile_text(title: str, measured: Mapping[str, Any]) -> str:
    """Two tables, of steps and of lines, the slowest first."""

    def time(seconds: float) -> str:
        return f"{duration(seconds):>10}{share(seconds, measured):7.1f}%"

    def rest(rows: Sequence[Mapping[str, Any]]) -> list[str]:
        return [f"{time(total(rows[MOST_ROWS:]))}  {len(rows) - MOST_ROWS} more"] * (len(rows) > MOST_ROWS)

    lines = [
        f"{title}: {summary(measured)}",
        f"{'time':>10}{'share':>8}{'iterations':>12}  {'rate':20}  step, place, lines",
    ]
    for row in measured["steps"][:MOST_ROWS]:
        where = ", ".join(filter(None, [row["where"], few(row["lines"])]))
        cells = f"{time(row['seconds'])}{row['iterations']:12.0f}  {rate(row):20}  {one_line(row['step'])}  {where}"
        lines.append(cells.rstrip())
    lines += [*rest(measured["steps"]), "", f"{'own':>10}{'share':>8}{'in all':>10}  line"]
    for row in measured["lines"][:MOST_ROWS]:
        lines.append(f"{time(row['seconds'])}{duration(row['total']):>10}  {one_line(row['line']) or '(none)'}")
    return "\n".join([*lines, *rest(measured["lines"])])


def profile_page(title: str, measured: Mapping[str, Any]) -> str:
    """The same as a self-contained HTML page. Texts from files are not trusted, so they are escaped."""

    def row_of(row: Mapping[str, Any], numbers: Sequence[str], texts: Sequence[str], lines: Sequence[str]) -> str:
        code = "<br>".join(f"<code>{escape_text(line)}</code>" for line in lines)
        cells = [cell(duration(row["seconds"]), "n"), bar(row["seconds"], measured)]
        return "".join([*cells, *(cell(n, "n") for n in numbers), *map(cell, texts), f"<td>{code}</td>"])

    steps = [
        row_of(row, (f"{row['iterations']:.0f}", rate(row)), (row["step"], row["where"]), row["lines"])
        for row in measured["steps"]
    ]
    lines = [row_of(row, (duration(row["total"]),), (), (row["line"] or "(none)",)) for row in measured["lines"]]
    parts = {
        "TITLE": escape_text(title),
        "SUMMARY": escape_text(summary(measured)),
        "STEPS": page_table(["n time", "n share", "", "n iterations", "n rate", "step", "place", "lines"], steps),
        "LINES": page_table(["n own", "n share", "", "n in all", "line"], lines),
    }
    return fill((PAGE / "profile.html").read_text(encoding="utf-8"), parts)


def page_table(headings: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f"<th class=n>{h[2:]}</th>" if h.startswith("n ") else f"<th>{h}</th>" for h in headings)
    return f"<table>\n<tr>{head}</tr>\n" + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>"


def cell(text: str, kind: str = "") -> str:
    return f"<td class={kind}>{escape_text(text)}</td>" if kind else f"<td>{escape_text(text)}</td>"


def bar(seconds: float, measured: Mapping[str, Any]) -> str:
    part = share(seconds, measured)
    return cell(f"{part:.1f}%", "n") + f"<td class=bar><div style='width:{max(0.0, min(100.0, part)):.1f}%'></div></td>"


def escape_text(text: str) -> str:
    return html.escape(printable_name(text))


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
