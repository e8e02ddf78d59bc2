"""`hlo2tiny bench --profile`: where a program's time goes, by step of its plan and by line of the user's source.

A driver that measures its steps (targets/c) runs for a while. What a step takes is shared out to its ops, and so to
source lines, by how many numbers each op writes: inside a kernel nothing more is known.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, printable_name
from ..ir import Op, TensorType
from ..ir.dtypes import as_tensor, expect_tensor
from ..ops import Trait, has
from ..plan import Block, Call, Case, Convolution, Fourier, Gemm, Host, Kernels, Lapack, Plan, While
from ..plan.plan import Step, inner_blocks
from ..program import Program, custom_calls
from ..targets import NotBuilt
from ..targets.c.code import byte_size
from ..targets.c.driver import Timer
from ..targets.c.native import Profiled
from ..targets.c.render import render_region
from .bench import duration, one_line
from .contenders import durations

# What is not the user's own source: an op belongs to the innermost line outside of these.
LIBRARIES = re.compile(r"(^|[/\\])(site|dist)-packages[/\\]")
MOST_ROWS = 40  # of a table on a terminal


def profile(program: Program, arrays: Sequence[np.ndarray], seconds: float) -> dict[str, Any]:
    """Run a program for some seconds and tell where they went.

    Returns:
        {"calls": how many, "seconds": of a call, "plain": of one that measures nothing,
        "steps": [{"step", "where", "seconds" and "turns" of a call, "flops", "bytes" of a turn or None, "lines"}],
        "lines": [{"line", "seconds": what its own ops take, "total": and those of the calls that stand there}]}.
        The seconds of the steps add up to those of a call, and so do the lines'.

    Raises:
        InputError: there is no native code to measure.
    """
    program.numpy_one_by_one(arrays)
    plain = durations(lambda: program.numpy_one_by_one(arrays), seconds / 4)
    arrays = program.all_arrays(arrays)
    plan = program.plan
    try:
        profiled = Profiled(plan, program.device, custom_calls())
    except NotBuilt as error:
        raise InputError(f"a profile needs native code, which cannot be built here: {one_line(str(error))}") from error
    profiled.run_numpy(arrays)
    profiled.measured()  # forget the first call
    times = durations(lambda: profiled.run_numpy(arrays), seconds)
    steps = list(step_rows(plan, profiled.measured(), len(times), program.device))
    call = sum(times) / len(times)
    rest = {"step": "the call, and between steps", "where": "", "turns": 1.0, "flops": None, "bytes": None, "ops": ()}
    steps.append({**rest, "seconds": call - total(steps)})
    lines = line_rows(steps)
    steps = [
        {key: value for key, value in row.items() if key != "ops"}
        | {"lines": list(dict.fromkeys(map(own_line, row["ops"])))}
        for row in sorted(steps, key=lambda row: -row["seconds"])
    ]
    return {"calls": len(times), "seconds": call, "plain": sum(plain) / len(plain), "steps": steps, "lines": lines}


def total(rows: Iterable[Mapping[str, Any]]) -> float:
    return sum(float(row["seconds"]) for row in rows)


# ---------------------------------------------------------------- by step


def step_rows(
    plan: Plan, measured: Sequence[tuple[Timer, float, int]], calls: int, device: str
) -> Iterator[dict[str, Any]]:
    """A row for each kernel and each step, with the time that is its own."""
    whole: dict[tuple[Block, Step], float] = defaultdict(float)
    for timer, seconds, _ in measured:
        whole[timer.block, timer.step] += seconds

    def inside(*blocks: Block) -> float:
        return sum(whole[block, step] for block in blocks for step in block.steps)

    where = places(plan)
    called: dict[str, dict[str, Any]] = {}
    for timer, seconds, turns in measured:
        step = timer.step
        row: dict[str, Any] = {
            "step": described(timer, device),
            "where": where[timer.block],
            "flops": None,
            "bytes": None,
        }
        row |= {"seconds": seconds / calls, "turns": turns / calls, "ops": ops_of(step)}
        if timer.kernel is not None:
            yield row | {"bytes": bytes_of(timer, device)}
        elif isinstance(step, Call):
            # A function's steps are measured whoever calls it: its calls are one row.
            if step.name in called:
                called[step.name]["seconds"] += row["seconds"]
                called[step.name]["turns"] += row["turns"]
            else:
                called[step.name] = row
        else:
            row["seconds"] -= inside(*inner_blocks(step)) / calls
            if isinstance(step, Gemm | Convolution):
                row["flops"] = (step.product if isinstance(step, Gemm) else step.windows).flops
            elif isinstance(step, Fourier):
                row["flops"] = step.transform.flops
            yield row
    for name, row in called.items():
        row["seconds"] -= inside(plan.functions[name]) / calls
        yield row


def places(plan: Plan) -> dict[Block, str]:
    """Where blocks stand: main, @function, main/while body, …"""
    found: dict[Block, str] = {}

    def enter(block: Block, name: str) -> None:
        found[block] = name
        for step in block.steps:
            match step:
                case While():
                    enter(step.condition, f"{name}/condition")
                    enter(step.body, f"{name}/body")
                case Case():
                    for number, branch in enumerate(step.branches):
                        enter(branch, f"{name}/branch {number}")

    enter(plan.main, "main")
    for name, block in plan.functions.items():
        enter(block, f"@{name}")
    return found


def described(timer: Timer, device: str) -> str:
    match step := timer.step:
        case Kernels():
            return f"kernel {render_region(step, device).names[timer.kernel or 0]}"
        case Gemm():
            p = step.product
            batch = f"{'x'.join(map(str, p.batch))} of " if p.batch else ""
            return f"{p.letter}gemm {batch}{p.m}x{p.k}x{p.n}"
        case Convolution():
            w = step.windows
            return f"convolution {w.groups} of {w.rows}x{w.depth}x{w.features}"
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
    """The ops that a step's time belongs to, what writes most first. Constants are no work."""
    match step:
        case Kernels():
            ops = step.ops
        case Gemm() | Convolution():
            ops = step.region.ops
        case _:
            ops = (step.op,)
    return sorted([op for op in ops if not has(op, Trait.CONSTANT)] or ops, key=lambda op: -written(op))


def bytes_of(timer: Timer, device: str) -> int:
    """The bytes of a kernel's buffers, each counted once."""
    step, block = timer.step, timer.block
    assert isinstance(step, Kernels) and timer.kernel is not None
    region = render_region(step, device)
    sizes = [*(byte_size(expect_tensor(block.types[n])) for n in (*step.inputs, *step.outputs)), *region.temporaries]
    return sum(sizes[n] for n in set(region.kernels[timer.kernel].buffers))


# ---------------------------------------------------------------- by line


def line_rows(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    own: dict[str, float] = defaultdict(float)
    reached: dict[str, float] = defaultdict(float)
    for row in steps:
        ops = row["ops"]
        weights = [written(op) for op in ops]
        for op, weight in zip(ops, weights):
            share = row["seconds"] * weight / sum(weights)
            own[own_line(op)] += share
            for line in {own_line(op), *op.location.frames}:
                reached[line] += share
        if not ops:
            own[""] += row["seconds"]
            reached[""] += row["seconds"]
    order = sorted(reached, key=lambda line: (-own[line], -reached[line]))
    return [{"line": line, "seconds": own[line], "total": reached[line]} for line in order]


def written(op: Op) -> int:
    """The numbers that an op writes, one at least."""
    types = (as_tensor(value.type) for value in op.results)
    return 1 + sum(prod(d or 1 for d in t.shape) for t in types if isinstance(t, TensorType))


def own_line(op: Op) -> str:
    """The innermost line of the user's, a library's if there is none; else the line of the program, and its name."""
    where = op.location
    frames = where.frames
    users = [frame for frame in frames if not LIBRARIES.search(frame)]
    return (users or frames or [f"{Path(where.source.path).name}:{where.line} {where.name}".rstrip()])[0]


# ---------------------------------------------------------------- as text and as a page


def share(seconds: float, found: Mapping[str, Any]) -> float:
    return 100 * seconds / float(found["seconds"])


def rate(row: Mapping[str, Any]) -> str:
    """GFLOP/s or GB/s."""
    seconds = row["seconds"] / row["turns"] if row["turns"] else 0
    if seconds <= 0:
        return ""
    if row["flops"]:
        return f"{row['flops'] / seconds / 1e9:.1f} GFLOP/s"
    return f"{row['bytes'] / seconds / 1e9:.1f} GB/s" if row["bytes"] else ""


def summary(found: Mapping[str, Any]) -> str:
    return (
        f"{found['calls']} calls of {duration(found['seconds'])} on average, "
        f"{duration(found['plain'])} without a profile"
    )


def few(lines: Sequence[str]) -> str:
    more = f" +{len(lines) - 2}" if len(lines) > 2 else ""
    return ", ".join(map(one_line, lines[:2])) + more


def profile_text(title: str, found: Mapping[str, Any]) -> str:
    """Two tables, of steps and of lines, the slowest first."""
    lines = [f"{title}: {summary(found)}", f"{'time':>10}{'share':>8}{'turns':>10}  {'rate':14}  step, place, lines"]
    for row in found["steps"][:MOST_ROWS]:
        turns = f"{row['turns']:.0f}"
        where = ", ".join(filter(None, [row["where"], few(row["lines"])]))
        cells = f"{duration(row['seconds']):>10}{share(row['seconds'], found):7.1f}%{turns:>10}  {rate(row):14}  "
        lines.append(f"{cells}{one_line(row['step'])}  {where}".rstrip())
    lines += left_out(found["steps"], found)
    lines += ["", f"{'own':>10}{'share':>8}{'in all':>10}  line"]
    for row in found["lines"][:MOST_ROWS]:
        cells = f"{duration(row['seconds']):>10}{share(row['seconds'], found):7.1f}%{duration(row['total']):>10}  "
        lines.append(cells + (one_line(row["line"]) or "(none)"))
    return "\n".join([*lines, *left_out(found["lines"], found)])


def left_out(rows: Sequence[Mapping[str, Any]], found: Mapping[str, Any]) -> list[str]:
    rest = rows[MOST_ROWS:]
    if not rest:
        return []
    seconds = total(rest)
    return [f"{duration(seconds):>10}{share(seconds, found):7.1f}%  {len(rest)} more"]


STYLE = """body { font: 14px system-ui, sans-serif; margin: 2em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0 }
th, td { text-align: left; padding: 2px 10px; border-bottom: 1px solid #ddd; vertical-align: top }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
td.bar { width: 160px } td.bar div { background: #4a7dbd; height: 1em }
code { font: 13px ui-monospace, monospace }"""


def profile_page(title: str, found: Mapping[str, Any]) -> str:
    """The same as an HTML page that needs nothing else. What stands in the file is untrusted, and escaped."""
    steps = [
        cell(duration(row["seconds"]), "n")
        + bar(row["seconds"], found)
        + cell(f"{row['turns']:.0f}", "n")
        + cell(rate(row), "n")
        + cell(row["step"])
        + cell(row["where"])
        + "<td>"
        + "<br>".join(f"<code>{escaped(line)}</code>" for line in row["lines"])
        + "</td>"
        for row in found["steps"]
    ]
    lines = [
        cell(duration(row["seconds"]), "n")
        + bar(row["seconds"], found)
        + cell(duration(row["total"]), "n")
        + f"<td><code>{escaped(row['line'] or '(none)')}</code></td>"
        for row in found["lines"]
    ]
    return "\n".join(
        [
            f"<!doctype html>\n<html lang=en><meta charset=utf-8><title>{escaped(title)}</title>",
            f"<style>\n{STYLE}\n</style>",
            f"<h1>{escaped(title)}</h1>\n<p>{escaped(summary(found))}. A kernel's rate counts each buffer once. "
            "What measuring costs is the loops', branches' and calls' own time.",
            "<h2>Steps</h2>",
            page_table(["n time", "n share", "", "n turns", "n rate", "step", "place", "lines"], steps),
            "<h2>Lines</h2>\n<p>What a step takes is shared out to its ops by the numbers that they write.",
            page_table(["n own", "n share", "", "n in all", "line"], lines),
            "</html>\n",
        ]
    )


def page_table(headings: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f"<th class=n>{h[2:]}</th>" if h.startswith("n ") else f"<th>{h}</th>" for h in headings)
    return f"<table>\n<tr>{head}</tr>\n" + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>"


def cell(text: str, kind: str = "") -> str:
    return f"<td class={kind}>{escaped(text)}</td>" if kind else f"<td>{escaped(text)}</td>"


def bar(seconds: float, found: Mapping[str, Any]) -> str:
    part = share(seconds, found)
    return cell(f"{part:.1f}%", "n") + f"<td class=bar><div style='width:{max(0.0, min(100.0, part)):.1f}%'></div></td>"


def escaped(text: str) -> str:
    return html.escape(printable_name(text))
