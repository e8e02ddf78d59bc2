"""The benchmark's tables in Markdown, and docs/performance.md, which is made of them."""

from __future__ import annotations

import platform
import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from programs import CACHED_TOKEN, MODELS, ONE_TOKEN

from corpus import BY_NAME
from hlo2tiny.commands import bench

STEPS = (10**3, 10**4, 10**5, 10**6)
# Of results, as a fraction of the largest number: by more, somebody computes something else.
LARGE_DIFFERENCE = 0.05

Found = Mapping[str, Any]


def seconds_of(found: Found, figure: str) -> float:
    return float(found["figures"][bench.OURS][figure])


def ratio(found: Found, figure: str, other: str = bench.XLA) -> float | None:
    value: float | None = found["ratios"].get(other, {}).get(figure)
    return value


def row(label: str, most: object, measured: str) -> str:
    return f"| {label} | {'' if most is None else most} | {measured} |"


def pair(found: Found, figures: Sequence[str]) -> str:
    """The ratio of the first figure, and in parentheses those of the others."""
    first, *rest = (ratio(found, figure) for figure in figures)
    return bench.ratio_text(first) + "".join(f" ({bench.ratio_text(other)})" for other in rest)


def why(failed: Mapping[str, str]) -> str:
    reasons = dict.fromkeys(failed.values())
    return "; ".join(f"{', '.join(who for who in failed if failed[who] == reason)}: {reason}" for reason in reasons)


# ---------------------------------------------------------------- figures with a target


def start_table(found: Mapping[str, Found], parsing: Sequence[Sequence[str]], overhead: Found) -> Iterator[str]:
    """Reading files, starting, memory."""
    found = {name: f for name, f in found.items() if bench.OURS in f["figures"]}
    yield "| figure | at most | measured |"
    yield "|---|---|---|"
    for label, figure in parsing:
        yield row(label, None, figure)
    if "ten_ops" in found:
        duration = bench.duration(seconds_of(found["ten_ops"], "start_cold"))
        yield row("import, load and call of ten operations, empty cache", "0.4 s", duration)
    if "gpt_decoder" in found:
        duration = bench.duration(seconds_of(found["gpt_decoder"], "start_cached"))
        yield row("`gpt_decoder`, process start to first result, from cache", "0.6 s", duration)
        yield row("the same to importing JAX and compiling", 0.5, pair(found["gpt_decoder"], ("start_cached",)))
    yield row("a call of one operation, numpy in and out", "30 µs", bench.duration(overhead[bench.OURS]))
    start = "process start to first result, empty cache, to that with JAX"
    yield from overall(start, found, ("start_cold",), 0.9, 1.3)
    yield from overall("first call, empty cache, to XLA's", found, ("first_cold",), 2, 5)
    yield from overall("peak memory to XLA's", found, ("memory_cold",), None, 1.2)
    weights = {name: f["figures"][bench.OURS]["memory_cached"] / f["weights"] for name, f in found.items() if large(f)}
    if weights:
        worst = max(weights, key=weights.__getitem__)
        mean = statistics.geometric_mean(weights.values())
        yield row(f"peak memory to the weights, from cache, geometric mean of {len(weights)}", None, f"{mean:.2f}")
        yield row(f"the same, worst: `{worst}`", 1.15, f"{weights[worst]:.2f}")


def large(found: Found) -> bool:
    """Whether most of a program's memory is its weights."""
    return bool(found.get("weights", 0) > 20e6)


def targets(found: Mapping[str, Found], parse_seconds: Mapping[str, float]) -> Iterator[str]:
    """Calls beside XLA's and the peers'."""
    failed = {name: f["failed"] for name, f in found.items() if bench.OURS in f["failed"] or bench.XLA in f["failed"]}
    found = {name: f for name, f in found.items() if bench.OURS in f["figures"]}
    corpus = {name: f for name, f in found.items() if name in BY_NAME}
    yield "| ratio to XLA, median of calls (of the best calls) | at most | measured |"
    yield "|---|---|---|"
    yield from overall("corpus", corpus, ("median", "best"), 0.4, 1.05)
    yield from overall("all programs", found, ("median", "best"), None, 1.05)
    for name, label, most in (
        ("flax_convnet", "ConvNet, batch 512", 1.0),
        (ONE_TOKEN, "GPT-2, one token", None),
        ("n_body", "`fori_loop` of 500 steps, 64 bodies", 0.3),
        ("n_body_power", "the same with `power(r, 1.5)`", 0.2),
        ("mandelbrot", "40 iterations of a Mandelbrot set, 48×64", 0.5),
        ("life", "`scan` of 100 game-of-life steps, 64×64", 0.3),
        ("life_history", "the same, every generation kept", None),
        ("scalar_while", "while loop of 10^5 scalar steps", 0.3),
        ("rows_1000000", "scan that writes 10^6 rows", 1.0),
    ):
        if name in failed:
            yield row(label, most, why(failed[name]))
        elif name in found:
            yield row(label, most, pair(found[name], ("median", "best")))
    if all(f"rows_{steps}" in found for steps in STEPS):
        each = (seconds_of(found[f"rows_{steps}"], "best") / steps * 1e9 for steps in STEPS)
        yield row("its time per step, 10^3 to 10^6 steps", "constant", ", ".join(f"{t:.1f}" for t in each) + " ns")
    if {"layers_12", "layers_48"} <= set(found):
        few, many = (compiling(found[name], parse_seconds[name]) for name in ("layers_12", "layers_48"))
        yield row("48 equal layers : 12, empty cache, without parsing", 1.3, f"{many / few:.2f}")


def overall(what: str, found: Mapping[str, Found], figures: Sequence[str], most: object, any: object) -> Iterator[str]:
    """The geometric mean of ratios, and the worst of the last figure."""
    with_ratio = {name: f for name, f in found.items() if ratio(f, figures[0])}
    if not with_ratio:
        return
    summary = {"ratios": bench.geometric_means(list(with_ratio.values()))}
    yield row(f"{what}, geometric mean of {len(with_ratio)}", most, pair(summary, figures))
    name = max(with_ratio, key=lambda name: ratio(with_ratio[name], figures[-1]) or 0)
    yield row(f"{what}, worst: `{name}`", any, pair(with_ratio[name], figures))


def compiling(found: Found, parsing: float) -> float:
    return seconds_of(found, "load_cold") + seconds_of(found, "first_cold") - parsing


# ---------------------------------------------------------------- models beside all peers


def models_table(found: Mapping[str, Found], others: Sequence[str]) -> Iterator[str]:
    """The median call of each contender, and ours to the best of the others; then who failed, and why."""
    yield "| model | hlo2tiny | " + " | ".join(others) + " | ratio to the best of these | at most |"
    yield "|---" * (len(others) + 4) + "|"
    ratios = []
    for name, label in {**MODELS, CACHED_TOKEN: "GPT-2's next token, 1,024 cached"}.items():
        if name == CACHED_TOKEN and ratios:
            mean = f"{statistics.geometric_mean(ratios):.2f}"
            yield f"| geometric mean of {len(ratios)} |" + " |" * (len(others) + 1) + f" {mean} | 0.8 |"
        if name not in found:
            continue
        medians = {who: figures["median"] for who, figures in found[name]["figures"].items()}
        cells = [bench.duration(medians[who]) if who in medians else "–" for who in (bench.OURS, *others)]
        theirs = [medians[who] for who in others if who in medians]
        to_best = medians[bench.OURS] / min(theirs) if bench.OURS in medians and theirs else None
        if to_best is not None and name != CACHED_TOKEN:
            ratios.append(to_best)
        most = 0.9 if name == CACHED_TOKEN else 1.1
        yield f"| {label} | {' | '.join(cells)} | {bench.ratio_text(to_best)} | {most} |"


def narrow_table(medians: Mapping[str, float]) -> Iterator[str]:
    """Tokens a second by the bits of the weights."""
    yield "| weights | tokens a second | ratio to f32's | at least |"
    yield "|---|---|---|---|"
    for kind, most in (("f32", ""), ("int8", "3"), ("int4", "5")):
        if kind in medians:
            yield f"| {kind} | {1 / medians[kind]:.0f} | {medians['f32'] / medians[kind]:.2f} | {most} |"


def failures(found: Mapping[str, Found]) -> Iterator[str]:
    """Who could not run which program, and why, or has other results."""
    lines = []
    for name, f in found.items():
        problems = dict(f["failed"])
        for who, value in f["differences"].items():
            if value is None or value > LARGE_DIFFERENCE:
                problems[who] = f"its results are not ours, {differ_by(value)}"
        if problems:
            lines.append(f"- `{name}`: {why(problems)}")
    yield from lines or ["- nobody failed"]


def differ_by(value: float | None) -> str:
    return "not finite alike" if value is None else f"{value:.0e}" if value else "0"


# ---------------------------------------------------------------- all programs


COLUMNS = ("median", "best", "first_cold", "memory_cold")
# What two commits are compared by.
COLUMNS_OF_COMMITS = ("median", "best", "first_cold", "start_cached", "memory_cold")
HEADS = {
    "median": "call, median",
    "best": "call, best",
    "first_cold": "first call",
    "start_cached": "warm start",
    "memory_cold": "peak memory",
}


def programs_table(found: Mapping[str, Found], other: str, columns: Sequence[str] = COLUMNS) -> Iterator[str]:
    yield "| program | " + " | ".join(f"{HEADS[c]} | {other} | ratio" for c in columns) + " | results differ by |"
    yield "|---" * (2 + 3 * len(columns)) + "|"
    for name, f in found.items():
        yield program_row(name, f, other, columns)
    means = bench.geometric_means(list(found.values())).get(other, {})
    if means:
        cells = (f" | | {bench.ratio_text(means.get(c))}" for c in columns)
        yield f"| geometric mean of {len(found)} |{' |'.join(cells)} | |"


def program_row(name: str, f: Found, other: str, columns: Sequence[str] = COLUMNS) -> str:
    cells = []
    for figure in columns:
        for contender in (bench.OURS, other):
            value = f["figures"].get(contender, {}).get(figure)
            cells.append("" if value is None else bench.quantity(figure, value))
        cells.append(bench.ratio_text(ratio(f, figure, other)))
    differ = why({who: reason for who, reason in f["failed"].items() if who in (bench.OURS, other)})
    if other in f["differences"]:
        differ = differ_by(f["differences"][other])
    return f"| `{name}` | " + " | ".join(cells) + f" | {differ} |"


# ---------------------------------------------------------------- the page

FILE = Path(__file__).parents[2] / "docs" / "performance.md"
PAGE = """# Performance

`python tests/bench --page` measures what is on this page, in one run, and writes it; only the section
[Remarks](#remarks) is written by hand. This run was on {date}, on {machine}.

| measured | version |
|---|---|
{versions}

Each program runs in a process of its own for each contender, on the same cores; their calls take turns, and a time is
the median of a contender's calls. Numbers are f32 and the batch is 1 unless a name says otherwise; weights are random,
and are bound, or on the device, before the first call. A ratio of 0.5 is half of the other's time or memory. What is
above its target has a remark.

## Reading, starting, memory

{starts}

## Calls beside XLA

{targets}

## Models beside all peers

The median of calls. onnxruntime and OpenVINO run what jax2onnx writes, and compute in f32 too.

{models}

GPT-2, one token, with weights of fewer bits, as `hlo2tiny convert --quantize` writes them:

{narrow}

## Programs that nobody chose

`python tests/bench/families.py` draws programs of 27 families at random, with their types, sizes, layouts, spellings.
Each runs beside XLA, both in processes that stay for the next one; the store has what the programs before left there.

{families}

## Remarks
{remarks}
## All programs

{programs}

Who could not run a program, or has other results:

{failures}

## Commands

| command | what it prints |
|---|---|
| `python tests/bench` | the tables above; with `--page`, it writes this page, apart from the section of the next row |
| `python tests/bench --quick` | those of a few programs, for a first look |
| `python tests/bench --against CHECKOUT` | two commits, in turns in one run: another checkout takes XLA's place |
| `python tests/bench/families.py` | programs drawn at random, and the slowest; with `--page`, it writes their section |
| `python tests/bench/parsing.py` | the speed of the parser |
| `python tests/bench/products.py` | matrix products beside OpenBLAS |
| `hlo2tiny bench FILE… --vs-xla` | the same for files of yours |
| `hlo2tiny bench FILE --profile` | where the time goes, by step and by line of the model's source |
| `python tests/accuracy.py` | the largest errors of elementary functions |

An optimisation comes with its measurement beside the newest release of the best peer in the same run, and with the test
that the numbers did not change.
"""


INSTRUCTION_SETS = {
    "avx2": "AVX2",
    "avx512f": "AVX-512",
    "avx512_vnni": "VNNI",
    "avx512_bf16": "AVX-512 bf16",
    "amx_tile": "AMX",
    "asimd": "NEON",
    "sve": "SVE",
}


def machine() -> str:
    """The cores and instruction sets of this machine."""
    flags: set[str] = set()
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.lower().startswith(("flags", "features")):
                flags.update(line.partition(":")[2].split())
    sets = [name for flag, name in INSTRUCTION_SETS.items() if flag in flags]
    return f"{len(bench.this_process_cores())} cores of {platform.machine()} ({', '.join(sets) or platform.system()})"


def page(figures: Mapping[str, Any], written: Mapping[str, str]) -> str:
    """docs/performance.md from what a run measured, and what the page keeps: remarks, and what families.py measured."""
    found, others = figures["programs"], figures["peers"]
    return PAGE.format(
        date=figures["date"],
        machine=figures["machine"],
        versions="\n".join(f"| {name} | {version} |" for name, version in figures["versions"].items()),
        starts="\n".join(start_table(found, figures["parsing"], figures["call_overhead"])),
        targets="\n".join(targets(found, figures["parse_seconds"])),
        models="\n".join(models_table(found, [bench.XLA, *others])),
        narrow="\n".join(narrow_table(figures["token_seconds"])),
        remarks=written.get("remarks", "\n"),
        families=written.get("families", ""),
        programs="\n".join(programs_table(found, bench.XLA)),
        failures="\n".join(failures(found)),
    )


def parts(text: str) -> dict[str, str]:
    """What stands in each place of a page that `page` wrote; ValueError if another text was changed by hand."""
    fixed = re.split(r"\{(\w+)\}", PAGE)
    pattern = "".join(f"(?P<{part}>.*?)" if i % 2 else re.escape(part) for i, part in enumerate(fixed))
    match = re.fullmatch(pattern, text, re.DOTALL)
    if match is None:
        raise ValueError("the page is not as `python tests/bench --page` writes it, apart from figures and remarks")
    return match.groupdict()
