"""The page of the documentation about conformance, which `conformance.py` writes: docs/conformance.md."""

from __future__ import annotations

from itertools import groupby

from hlo2tiny.commands.conformance import Conformance

PAGE = """# Conformance

How many cases of each test suite give the expected numbers. `python tests/conformance.py` runs all suites and writes
this page; `hlo2tiny ops --conformance` prints the table of ops.

{suites}

{failing}

{targets}## Ops

How many ops of each dialect each suite tests:

| dialect | ops | {names} |
|---|---:|{lines}
{dialects}

In the tables below, a case counts for the op that it tests, or for every op of its program if it tests no op in
particular. It counts for each element type of the op's operands and results, so the counts of the types may add up to
more than "all". A single number means that all cases pass.

{tables}

Ops that run but are in no suite are tested in other ways: {without}.
"""
# Folded on the site and on GitHub, both of which read Markdown inside it.
FOLDED = """<details markdown="1">
<summary>{dialect}: {count} ops by element type</summary>

| op | element types | {names} |
|---|---|{lines}
{rows}

</details>"""


# What each target is, and what stands in for it on a machine without it.
TARGETS = {
    "c": "C, compiled for the CPU",
    "tinygrad": "tinygrad's own kernels on the CPU",
    "opencl": "OpenCL (pocl)",
    "gpu": "CUDA on an NVIDIA GPU",
    "cuda": "CUDA: kernels and their order, emulated",
    "wasm": "WebAssembly in node",
    "webgpu": "WebGPU in Chromium (SwiftShader)",
    "mesa": "WebGPU in Deno (Mesa)",
}
TABLE = """## Targets

`python tests/conformance.py --target T` runs the suites on a target, and with them programs drawn at random, programs
whose loops share memory, and gradients. Programs that need what a target lacks by nature, such as f64 on WebGPU or
LAPACK in browsers, are refused when they are compiled; the number of such cases follows that of the cases that pass.

| target | {names} |
|---|{lines}
{rows}

"""


def targets_table(conformance: Conformance) -> str:
    """A row for each target, and a column for each suite."""
    if not conformance.targets:
        return ""
    names = list(dict.fromkeys(name for row in conformance.targets.values() for name in row))
    rows = [
        f"| {TARGETS[target]} | {' | '.join(target_cell(*row[name]) if name in row else '' for name in names)} |"
        for target, row in conformance.targets.items()
    ]
    return TABLE.format(names=" | ".join(names), lines="---:|" * len(names), rows="\n".join(rows))


def target_cell(passed: int, lacking: int, cases: int) -> str:
    whole = passed + lacking == cases
    return (f"{passed:,}" if whole else f"**{passed:,} of {cases - lacking:,}**") + f" ({lacking:,} refused)" * bool(
        lacking
    )


def dialect_of(op: str) -> str:
    """The dialect of an op; targets of custom calls are a group of their own."""
    return "custom calls" if op.startswith("@") else op.partition(".")[0]


def page(conformance: Conformance) -> str:
    """The page of the documentation, in Markdown: a summary, and a folded table for each dialect."""
    suites = "\n".join(f"- **{s.name}**: {s.about}; {s.passed:,} of {s.cases:,} pass." for s in conformance.suites)
    columns = {
        "names": " | ".join(suite.name for suite in conformance.suites),
        "lines": "---:|" * len(conformance.suites),
    }
    failing = sorted({f"`{op}`" for op, types in conformance.failed.items() if any(map(any, types.values()))})
    dialects, tables = [], []
    for dialect, group in groupby(conformance.rows(), lambda row: dialect_of(row[0])):
        rows = list(group)
        whole = {op: conformance.cases[op].values() for op, _, _ in rows}
        tested = [
            sum(any(counts[i] for counts in types) for types in whole.values()) for i in range(len(conformance.suites))
        ]
        dialects.append(f"| {dialect} | {len(whole)} | {' | '.join(map(str, tested))} |")
        lines = "\n".join(f"| `{op}` | {elements} | {' | '.join(cells)} |" for op, elements, cells in rows)
        tables.append(FOLDED.format(dialect=dialect, count=len(whole), rows=lines, **columns))
    return PAGE.format(
        suites=suites,
        failing=f"Cases of {', '.join(failing)} fail." if failing else "No case fails.",
        targets=targets_table(conformance),
        dialects="\n".join(dialects),
        tables="\n\n".join(tables),
        without=", ".join(f"`{op}`" for op in conformance.without()),
        **columns,
    )
