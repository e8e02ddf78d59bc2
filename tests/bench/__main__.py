"""Measures hlo2tiny beside others: `python tests/bench [--quick] [--only NAME …] [--page] [--against CHECKOUT]`.

Programs of the corpus, and those of programs.py, are measured as `hlo2tiny bench --vs-xla` measures them, and models
beside onnxruntime and OpenVINO too if they are installed (see peers.py). What comes out is the tables of
docs/performance.md, which --page writes. --against measures another checkout of hlo2tiny instead of XLA and the peers.

A program whose framework is missing is left out by name; programs.py and peers.py can export programs elsewhere, into
the folder that --programs then names.
"""

from __future__ import annotations

import argparse
import compileall
import datetime
import json
import platform
import re
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import parsing
import peers
from programs import CACHED_TOKEN, LARGE, MODELS, ONE_TOKEN, PROGRAMS, Missing, bound, exported
from tables import (
    COLUMNS,
    COLUMNS_OF_COMMITS,
    FILE,
    Found,
    failures,
    machine,
    models_table,
    narrow_table,
    page,
    parts,
    program_row,
    programs_table,
    start_table,
    targets,
)

import hlo2tiny
from corpus import BY_NAME
from hlo2tiny.commands import bench
from hlo2tiny.formats import safetensors
from hlo2tiny.machine.compiler import clang

ROOT = Path(__file__).parents[2]
QUICK = ("gpt_decoder", "while_loop", "n_body", "scalar_while", "rows_1000", "layers_12", "ten_ops")
PATIENCE = 300.0  # seconds for an answer of a contender
SIZE_OF_CONSTANT = 500_000_000

for _name, _package in peers.PEERS.items():
    bench.CONTENDERS[_name] = bench.Start((peers.__file__, _package), keeps_code=False)


# ---------------------------------------------------------------- measuring


def measured(name: str, folder: Path, others: Sequence[str], seconds: float, patience: float = PATIENCE) -> Found:
    """What bench.measure finds, and how many bytes of weights and donated arrays the program has."""
    if name in BY_NAME:
        path, arrays, weights, donated = BY_NAME[name].path, BY_NAME[name].inputs(), 0, []
    else:
        path = exported(name, folder)
        inputs = hlo2tiny.load(path, "CPU").inputs
        arrays, weights = PROGRAMS[name].inputs(inputs), bound(inputs)
        donated = [each.name for each in inputs[weights : weights + PROGRAMS[name].carried]]
    files: dict[str, Path] = {}
    failed: dict[str, str] = {}
    if peer_names := [other for other in others if other in peers.PEERS]:
        try:
            files = dict.fromkeys(peer_names, peers.exported(name, folder, patience))
        except peers.NotExported as error:
            failed = dict.fromkeys(peer_names, bench.one_line(str(error)))
    names = [other for other in others if other not in failed]
    found = bench.measure(path, arrays, names, seconds, patience, files, weights, donated)
    found["failed"] |= failed
    return found | {"weights": sum(array.nbytes for array in arrays[: weights + len(donated)])}


def token_seconds(found: Mapping[str, Found], folder: Path, seconds: float) -> dict[str, float]:
    """The median call of GPT-2 for one token, by the bits of its weights. `convert --quantize` makes those of fewer."""
    figures = found[ONE_TOKEN]["figures"].get(bench.OURS, {}) if ONE_TOKEN in found else {}
    if "median" not in figures:
        return {}
    medians = {"f32": figures["median"]}
    inputs = hlo2tiny.load(exported(ONE_TOKEN, folder), "CPU").inputs
    arrays, weights = PROGRAMS[ONE_TOKEN].inputs(inputs), bound(inputs)
    with tempfile.TemporaryDirectory(prefix="hlo2tiny-bench-") as temporary:
        values = Path(temporary, "weights.safetensors")
        safetensors.write(values, {each.name: array for each, array in zip(inputs[:weights], arrays)})
        for kind in ("int8", "int4"):
            path = Path(temporary, f"{kind}.mlir")
            command = [sys.executable, "-m", "hlo2tiny", "convert", exported(ONE_TOKEN, folder), path, "--bake", values]
            subprocess.run([*command, "--quantize", kind], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
            measured = bench.measure(path, arrays[weights:], [], seconds, PATIENCE)
            medians[kind] = measured["figures"][bench.OURS]["median"]
    return medians


def parse_seconds(path: Path) -> float:
    """Of a parse like that in a process with an empty cache."""
    text = path.read_text(encoding="utf-8")
    return parsing.best(lambda: hlo2tiny.parse(text), 3)


def as_installed(root: Path) -> None:
    """What an installation has beside a checkout's sources: bytecode, the parser's tables, code. Git ignores it all."""
    compileall.compile_dir(str(root / "hlo2tiny"), quiet=2)
    hook = runpy.run_path(str(root / "grammar" / "build.py"))["Tables"]
    hook.initialize(SimpleNamespace(root=str(root)), "", {"force_include": {}})
    if (root / "hlo2tiny" / "targets" / "c" / "__main__.py").exists():  # not in older checkouts
        subprocess.run([sys.executable, "-m", "hlo2tiny.targets.c"], cwd=root, check=True)


def checkout(root: Path) -> str:
    """Make another checkout a contender, and return its name."""
    if not (root / "hlo2tiny" / "__init__.py").exists():
        raise SystemExit(f"--against {root}: expected a checkout of hlo2tiny")
    name = commit(root) or root.resolve().name
    bench.CONTENDERS[name] = bench.Start(root=root.resolve())
    as_installed(root)
    return name


# ---------------------------------------------------------------- what was measured


def commit(root: Path) -> str:
    """A checkout's commit, with a + if files were changed since; an empty string without git."""
    with suppress(OSError, subprocess.CalledProcessError):
        command = ["git", "-C", str(root), "describe", "--always", "--exclude=*", "--dirty=+"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return ""


def versions(peer_names: Sequence[str]) -> dict[str, str]:
    """The versions of all that figures depend on, by name."""
    printed = subprocess.run([*clang(), "--version"], capture_output=True, text=True).stdout
    found = {
        "hlo2tiny": f"{hlo2tiny.__version__}, commit {commit(ROOT) or 'unknown'}",
        "CPython": platform.python_version(),
        "clang": "".join(re.findall(r"clang version (\S+)", printed)[:1]) or "unknown",
    }
    packages = ["tinygrad", "numpy", "jax", "jaxlib", *(["jax2onnx"] if peer_names else [])]
    for name in (*packages, *(peers.PEERS[name] for name in peer_names)):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


# ---------------------------------------------------------------- the command


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few programs, for a moment each")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only programs whose name contains one")
    parser.add_argument("--seconds", type=float, default=1.0, help="for how long each program is called")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds after which a program has failed")
    parser.add_argument("--programs", type=Path, metavar="FOLDER", help="where exported programs are kept")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there too")
    parser.add_argument("--page", type=Path, metavar="FILE", nargs="?", const=FILE, help="write docs/performance.md")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="measure this checkout instead of XLA")
    options = parser.parse_args()
    if options.page and options.against:
        parser.error("--page holds figures beside XLA, so it cannot be combined with --against")
    written = parts(options.page.read_text(encoding="utf-8")) if options.page and options.page.exists() else {}
    as_installed(ROOT)
    seconds = 0.1 if options.quick else options.seconds
    names = [
        name
        for name in (*BY_NAME, *PROGRAMS)
        if (name in QUICK or not options.quick)
        and (any(part in name for part in options.only) if options.only else name not in LARGE)
    ]
    if options.against:
        other, peer_names, columns = checkout(options.against), [], COLUMNS_OF_COMMITS
    else:
        other, peer_names, columns = bench.XLA, peers.installed(), COLUMNS
        try:
            bench.others(vs_xla=True, vs_tinygrad=False)
        except hlo2tiny.Error:
            print("the tables compare with XLA: pip install 'hlo2tiny[jax]'", file=sys.stderr)
            return 1
    found: dict[str, Found] = {}
    parse: dict[str, float] = {}
    with ExitStack() as stack:
        folder = options.programs or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hlo2tiny-bench-")))
        for name in names:
            others = [other, *(peer_names if name in MODELS or name == CACHED_TOKEN else [])]
            try:
                found[name] = measured(name, folder, others, seconds, options.patience)
            except Missing as error:
                print(f"left out: {error}", file=sys.stderr)
                continue
            except KeyboardInterrupt:
                print(f"{name} was interrupted: the tables hold what came before", file=sys.stderr)
                break
            print(program_row(name, found[name], other, columns), file=sys.stderr, flush=True)
            if name.startswith("layers_"):
                parse[name] = parse_seconds(folder / f"{name}.mlir")
        figures = {
            "date": datetime.date.today().isoformat(),
            "machine": machine(),
            "versions": versions(peer_names),
            "peers": peer_names,
            "programs": found,
            "parse_seconds": parse,
            "token_seconds": {} if options.against else token_seconds(found, folder, seconds),
            "call_overhead": bench.call_overhead([other], seconds),
            "parsing": list(parsing.rows(SIZE_OF_CONSTANT, folder)) if options.page else [],
        }
    show(figures, other)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))
    if options.page:
        options.page.write_text(page(figures, written), encoding="utf-8")
    return int(any(bench.OURS in f["failed"] for f in found.values()))


def show(figures: Mapping[str, Any], other: str) -> None:
    found = figures["programs"]
    if other == bench.XLA:
        print(*start_table(found, figures["parsing"], figures["call_overhead"]), "", sep="\n")
        print(*targets(found, figures["parse_seconds"]), "", sep="\n")
        print(*models_table(found, [other, *figures["peers"]]), "", sep="\n")
        print(*narrow_table(figures["token_seconds"]), "", sep="\n")
        print(*failures(found), "", sep="\n")
        print(*programs_table(found, other), sep="\n")
    else:
        print(*programs_table(found, other, COLUMNS_OF_COMMITS), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
