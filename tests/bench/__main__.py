"""Prints what the README claims about speed: `python tests/bench [--quick] [--only NAME …] [--programs FOLDER]`.

Programs of the corpus, and those of programs.py, are measured as `hlo2tiny bench --vs-xla` measures them. Two tables
come out: the figures that have a target, and all programs. A program whose framework is missing is left out by name;
`programs.py` can export it elsewhere, into the folder that --programs then names.
"""

from __future__ import annotations

import argparse
import compileall
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from programs import PROGRAMS, Missing, exported

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.commands import bench
from hlo2tiny.syntax import tables

QUICK = ("gpt_decoder", "while_loop", "n_body", "scalar_while", "rows_1000", "layers_12")
PATIENCE = 300.0  # seconds for an answer of XLA's or ours
STEPS = (10**3, 10**4, 10**5, 10**6)

Found = Mapping[str, Any]


def seconds_of(found: Found, figure: str) -> float:
    return float(found["figures"][bench.OURS][figure])


def ratio(found: Found, figure: str) -> float | None:
    return found["ratios"].get(bench.XLA, {}).get(figure)


# ---------------------------------------------------------------- figures with a target


def targets(found: Mapping[str, Found], parsing: Mapping[str, float], overhead: Mapping[str, float]) -> Iterator[str]:
    """Lines of a Markdown table: what, at most, measured."""
    failed = {name: f["failed"] for name, f in found.items() if f["failed"]}
    found = {name: f for name, f in found.items() if bench.OURS in f["figures"]}
    corpus = {name: f for name, f in found.items() if name in BY_NAME}
    yield "| ratio to XLA, median of calls (of the best calls) | at most | measured |"
    yield "|---|---|---|"
    yield from overall("corpus models", "worst corpus model", corpus, ("median", "best"), 0.8, 1.3)
    for name, label, most in (
        ("flax_convnet", "ConvNet, batch 512", 1.0),
        ("gpt2", "transformer of GPT-2 size, 64 tokens", 1.1),
        ("gpt2_one_token", "the same, one token", None),
        ("resnet50", "ResNet-50 from Keras", 1.2),
        ("n_body", "`fori_loop` of 500 steps, 64 bodies", 0.3),
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
    cold = ("first_cold",)
    yield from overall("first call, empty cache", "worst first call, empty cache", found, cold, None, 3)
    if {"layers_12", "layers_48"} <= set(found):
        few, many = (compiling(found[name], parsing[name]) for name in ("layers_12", "layers_48"))
        yield row("48 equal layers : 12, empty cache, without parsing", 1.3, f"{many / few:.2f}")
    if "gpt_decoder" in found:
        start = f"{seconds_of(found['gpt_decoder'], 'start_cached'):.2f} s"
        yield row("`gpt_decoder`, process start to first result, from cache", "0.6 s", start)
        yield row("the same beside importing JAX and compiling", 0.5, pair(found["gpt_decoder"], ("start_cached",)))
    yield row("a call of one operation, numpy in and out", "30 µs", bench.duration(overhead[bench.OURS]))
    yield from overall("peak memory", "worst peak memory", found, ("memory_cold",), None, 1.2)


def row(label: str, most: object, measured: str) -> str:
    return f"| {label} | {'' if most is None else most} | {measured} |"


def pair(found: Found, figures: tuple[str, ...]) -> str:
    """The ratio of medians, and in parentheses that of the best calls."""
    first, *rest = (ratio(found, figure) for figure in figures)
    return bench.ratio_text(first) + "".join(f" ({bench.ratio_text(other)})" for other in rest)


def why(failed: Mapping[str, str]) -> str:
    return "; ".join(f"{who}: {reason}" for who, reason in failed.items())


def overall(
    mean: str, worst: str, found: Mapping[str, Found], figures: tuple[str, ...], most: object, most_of_any: object
) -> Iterator[str]:
    with_ratio = {name: f for name, f in found.items() if ratio(f, figures[0])}
    if not with_ratio:
        return
    summary = {"ratios": bench.geometric_means(list(with_ratio.values()))}
    yield row(f"{mean}, geometric mean of {len(with_ratio)}", most, pair(summary, figures))
    name = max(with_ratio, key=lambda name: ratio(with_ratio[name], figures[-1]) or 0)
    yield row(f"{worst}: `{name}`", most_of_any, pair(with_ratio[name], figures))


def compiling(found: Found, parsing: float) -> float:
    return seconds_of(found, "load_cold") + seconds_of(found, "first_cold") - parsing


# ---------------------------------------------------------------- all programs


COLUMNS = {"median": "call, median", "best": "call, best", "first_cold": "first call", "memory_cold": "peak memory"}


def programs_table(found: Mapping[str, Found]) -> Iterator[str]:
    yield "| program | " + " | ".join(f"{c} | XLA | ratio" for c in COLUMNS.values()) + " | results differ by |"
    yield "|---" * (2 + 3 * len(COLUMNS)) + "|"
    for name, f in found.items():
        yield program_row(name, f)


def program_row(name: str, f: Found) -> str:
    cells = []
    for figure in COLUMNS:
        for contender in (bench.OURS, bench.XLA):
            value = f["figures"].get(contender, {}).get(figure)
            cells.append("" if value is None else bench.quantity(figure, value))
        cells.append(bench.ratio_text(ratio(f, figure)))
    differ = why(f["failed"])
    for value in f["differences"].values():
        differ = "not finite alike" if value is None else f"{value:.0e}" if value else "0"
    return f"| `{name}` | " + " | ".join(cells) + f" | {differ} |"


# ---------------------------------------------------------------- measuring


def measured(name: str, folder: Path, seconds: float, patience: float = PATIENCE) -> Found:
    if name in BY_NAME:
        path, arrays = BY_NAME[name].path, BY_NAME[name].inputs()
    else:
        path = exported(name, folder)
        arrays = PROGRAMS[name].inputs(hlo2tiny.load(path, "CPU").inputs)
    return bench.measure(path, arrays, [bench.XLA], seconds, patience)


def parse_seconds(path: Path) -> float:
    """Of a parse like that in a process with an empty cache."""
    text = path.read_text(encoding="utf-8")
    times = []
    for _ in range(3):
        start = time.perf_counter()
        hlo2tiny.parse(text)
        times.append(time.perf_counter() - start)
    return min(times)


def as_installed() -> None:
    """What an installation has beside the sources: bytecode, and the parser's tables. Git ignores both."""
    compileall.compile_dir(str(Path(hlo2tiny.__file__).parent), quiet=2)
    (tables.grammar_folder() / tables.FILE).write_text(tables.as_json(tables.make_parser()), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few programs, for a moment each")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only programs whose name contains one")
    parser.add_argument("--seconds", type=float, default=1.0, help="for how long each program is called")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds after which a program has failed")
    parser.add_argument("--programs", type=Path, metavar="FOLDER", help="where programs.py's exports are kept")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    options = parser.parse_args()
    as_installed()
    seconds = 0.1 if options.quick else options.seconds
    names = [
        name
        for name in (*BY_NAME, *PROGRAMS)
        if (name in QUICK or not options.quick) and (not options.only or any(part in name for part in options.only))
    ]
    try:
        bench.others(vs_xla=True, vs_tinygrad=False)
    except hlo2tiny.Error:
        print("the tables compare with XLA: pip install 'hlo2tiny[jax]'", file=sys.stderr)
        return 1
    found: dict[str, Found] = {}
    parsing: dict[str, float] = {}
    with ExitStack() as stack:
        folder = options.programs or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hlo2tiny-bench-")))
        for name in names:
            try:
                each = measured(name, folder, seconds, options.patience)
            except Missing as error:
                print(f"left out: {error}", file=sys.stderr)
                continue
            except KeyboardInterrupt:
                print(f"{name} was interrupted: the tables hold what came before", file=sys.stderr)
                break
            print(program_row(name, each), file=sys.stderr, flush=True)
            found[name] = each
            if name.startswith("layers_"):
                parsing[name] = parse_seconds(folder / f"{name}.mlir")
        overhead = bench.call_overhead([bench.XLA], seconds)
    print(*targets(found, parsing, overhead), "", *programs_table(found), sep="\n")
    if options.json:
        options.json.write_text(json.dumps({"programs": found, "call_overhead": overhead}, indent=1))
    return int(any(bench.OURS in f["failed"] for f in found.values()))


if __name__ == "__main__":
    sys.exit(main())
