"""Compiled programs under AddressSanitizer and UndefinedBehaviorSanitizer: `python tests/fuzz.py sanitized`.

Programs of the test rows and of the corpus, and mutants that MLIR and `load` both take are written as C
(`hlo2tiny compile`), built with the sanitizers, and run on the numbers at which code goes wrong (`inputs.py`): NaN and
infinities, the ends of integers, indices far outside, truth values of 255, any bytes. What a sanitizer reports is a
failure, and so is code that no compiler takes, or that ends in a signal.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import tempfile
import time
import warnings
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import inputs
import numpy as np
from limits import MEMORY, Exceeded, limited

import hlo2tiny
from hlo2tiny.cli import argument_parser
from hlo2tiny.commands import compile as compiling

HARNESS = Path(__file__).with_name("sanitized.c")
# Truth values may be any bytes, which the model's header does not allow: memory must stay intact all the same.
CHECKS = "-fsanitize=address,undefined,float-cast-overflow -fno-sanitize=bool -fno-sanitize-recover=all"
SETS = 6  # of inputs for a program
SLOWEST = 60  # seconds for a program to run
LONGEST_BUILD = 300  # and to be built: products with all checks take gcc 17 seconds of a processor, which others share
RUNS = 3000  # programs, without --runs and --seconds
ENVIRONMENT = {
    "ASAN_OPTIONS": f"detect_leaks=0:detect_stack_use_after_return=1:hard_rss_limit_mb={MEMORY >> 20}",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


class Skipped(Exception):
    """A program that cannot be checked this way: the reason."""


class Report(Exception):
    """What a sanitizer, the compiler or a signal said."""


def compiler() -> str | None:
    """gcc or clang, if it has the sanitizers."""
    for name in ("gcc", "clang"):
        if shutil.which(name) is None:
            continue
        command = [name, *CHECKS.split(), "-x", "c", "-", "-o", os.devnull]
        if subprocess.run(command, input=b"int main(void) { return 0; }", capture_output=True).returncode == 0:
            return name
    return None


def check(text: str, seed: int, cc: str) -> int:
    """Build and run a program; how many sets of inputs it ran on.

    Raises:
        Skipped, Report
    """
    try:
        types = inputs.signature(hlo2tiny.parse(text))
    except hlo2tiny.Error as error:
        raise Skipped(f"not valid: {error.message[:80]}") from None
    if types is None:
        raise Skipped("open or large shapes")
    with tempfile.TemporaryDirectory(prefix="hlo2tiny-sanitized-") as name:
        folder = Path(name)
        path = folder / "model.mlir"
        path.write_text(text, encoding="utf-8")
        written = folder / "code"
        try:
            with contextlib.redirect_stdout(io.StringIO()), limited():
                compiling.run(argument_parser().parse_args(["compile", str(path), "-o", str(written), "--emit", "c"]))
        except hlo2tiny.Error as error:
            if "cannot be handled" in error.message:
                raise Report(f"error: {error.message}") from None
            raise Skipped(f"not compiled: {error.message[:80]}") from None
        except Exceeded as error:
            raise Report(f"error: compile {error}") from None
        shutil.copyfile(HARNESS, written / "main.c")
        # -O1, as code that has been removed reports nothing.
        flags = [f"CC={cc}", f"OPTIMISE=-O1 -g -march=native -Wno-psabi {CHECKS}", f"LDFLAGS={CHECKS}"]
        command = ["make", "-s", "-C", str(written), *flags, "model"]
        try:
            built = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_BUILD)
        except subprocess.TimeoutExpired:
            raise Report(f"error: the compiler took more than {LONGEST_BUILD} s") from None
        if built.returncode:
            if "calls LAPACK" in built.stderr:
                raise Skipped("calls LAPACK")
            raise Report(f"does not compile: {built.stderr[:2000]}")
        with (folder / "inputs").open("wb") as file:
            for number in range(SETS):
                for array in (inputs.plain if number == 0 else inputs.extreme)(types, seed + number):
                    file.write(array.tobytes())
        command = [str(written / "model"), str(folder / "inputs"), str(SETS)]
        try:
            ran = subprocess.run(
                command, cwd=written, capture_output=True, text=True, timeout=SLOWEST, env=os.environ | ENVIRONMENT
            )
        except subprocess.TimeoutExpired:
            raise Skipped(f"runs longer than {SLOWEST} s, as loops of mutants may") from None
        if ran.returncode:
            raise Report(f"exit code {ran.returncode} in set {ran.stdout.count('ran')}: {ran.stderr[:4000]}")
    return SETS


def headline(report: str) -> str:
    """The line of a report that says what is wrong, without addresses."""
    lines = [line for line in report.splitlines() if "ERROR: " in line or "runtime error" in line or "error:" in line]
    line = (lines or report.splitlines())[0]
    frame = re.search(r"#\d+ 0x\w+ in (\w+) [^\n]*?(\w+\.c):(\d+)", report)
    where = f" in {frame[1]} ({frame[2]})" if frame and frame[1] != "main" else ""
    return re.sub(r"0x\w+|==\d+==|^.*?(?=runtime error)|pc .*|\d{3,}", "", line).strip()[:160] + where


# ---------------------------------------------------------------- programs


def sources(options: Namespace) -> Iterator[tuple[str, str]]:
    """Programs with their names: a row of each op, corpus programs and mutants alternately, from `options.seed` on."""
    only = {name for name in (options.only or "").split(",") if name}
    own = [*rows(only, options.every).items(), *corpus().items()]
    mutated = accepted(options.seed, only, options.every)
    shuffled = np.random.default_rng(20).permutation(len(own))  # a short run has all kinds
    number = options.seed
    while True:
        if not options.mutants:
            yield own[shuffled[number % len(own)]]
        if options.mutants or number % 2:
            yield next(mutated)
        number += 1


def rows(only: set[str], every: int) -> dict[str, str]:
    """The calls of each test row in one program."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import rules.test_all_rules  # noqa: F401  (fills CASES)
        from rules.cases import CASES, results_of, text_of

        found = {}
        for name, row in [*CASES.items()][::every]:
            calls = row.examples[:6]
            if calls and (not only or {name, name.partition(".")[2]} & only):
                found[f"rows/{name}"] = text_of(row, calls, [results_of(row, call) for call in calls])
    return found


def corpus() -> dict[str, str]:
    from structured import CORPUS

    small = [path for path in sorted(CORPUS.rglob("*.mlir")) if path.stat().st_size < 60_000]
    return {str(path.relative_to(CORPUS)): path.read_text("utf-8") for path in small}


def accepted(seed: int, only: set[str], every: int) -> Iterator[tuple[str, str]]:
    """Mutants that MLIR and `load` take."""
    from program_mutations import mutants
    from structured import mlir_verdict, programs, seeds_of, verdict

    seeds = seeds_of(programs(only, every), only)
    for which, text, op, what in mutants(seeds.documents, seeds.pool, seed, only):
        if verdict(text).kind == "valid" and not mlir_verdict(text):
            yield f"{seeds.names[which]}, {op}: {what}", text


# ---------------------------------------------------------------- the mode


@dataclass
class Outcome:
    counts: Counter[str] = field(default_factory=Counter)
    reports: dict[str, list[str]] = field(default_factory=dict)


def run(options: Namespace) -> Outcome:
    cc = compiler()
    if cc is None:
        raise SystemExit("neither gcc nor clang has the sanitizers")
    outcome = Outcome()
    end = time.monotonic() + options.seconds
    for number, (name, text) in enumerate(sources(options)):
        if number >= options.runs or time.monotonic() > end:
            break
        try:
            outcome.counts["runs"] += check(text, options.seed + number, cc)
            outcome.counts["programs"] += 1
        except Skipped as reason:
            outcome.counts[f"skipped: {re.sub(r'[0-9]+', 'N', str(reason))[:60]}"] += 1
        except Report as report:
            outcome.counts["reported"] += 1
            found = outcome.reports.setdefault(headline(str(report)), [])
            found.append(name)
            if len(found) == 1:
                kept = keep(options.keep, text, str(report))
                print(f"{name}: {headline(str(report))}{f'; written: {kept}' if kept else ''}", flush=True)
    counts = outcome.counts
    print(f"{counts['programs']} programs ran on {counts['runs']} sets of inputs, {counts['reported']} were reported")
    for name, count in counts.most_common():
        if name.startswith("skipped"):
            print(f"  {count} {name}")
    for line, names in sorted(outcome.reports.items(), key=lambda item: -len(item[1])):
        print(f"  {len(names)} {line}: {', '.join(names[:4])}")
    return outcome


def keep(folder: Path | None, text: str, report: str) -> Path | None:
    if folder is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"sanitized-{len(list(folder.iterdir()))}.mlir"
    path.write_text("".join(f"// {line}\n" for line in report.splitlines()) + text, encoding="utf-8")
    return path


def main(options: Namespace) -> int:
    return int(bool(run(options).reports))
