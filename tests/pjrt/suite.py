"""JAX's own tests on the plugin, next to XLA's CPU backend.

    python tests/pjrt/suite.py [--tests 400] [--seed 0] [--part 1/2] [--processes 2] [--seconds 600] [FILE…]

draws so many tests of the files (all without `--tests`), runs them on hlo2tiny, and those that fail also on XLA. What
fails only on hlo2tiny is printed. The process ends with 1 if fewer than 99 of 100 tests pass that pass on XLA. Several
processes have the processors in equal parts; after `--seconds`, no test begins on hlo2tiny; without, tests that did not
run are an error, too.

This file is also the plugin of pytest by which its processes take the tests that are theirs.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import os
import random
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any

ROOT = Path(__file__).parents[2]
ARCHIVES = ROOT.parent / "shared" / "jax-tests"
# How many tests a process runs if there are several.
AT_ONCE = 40
# For the processes: the file that their tests are listed in, and the one that they write outcomes to.
CHOSEN, OUTCOMES = "HLO2TINY_SUITE_CHOSEN", "HLO2TINY_SUITE_OUTCOMES"


def archive() -> Path:
    """The tests whose version is nearest to that of jax."""
    import jax

    return ARCHIVES / f"jax-v{'0.10.2' if jax.__version_info__ < (0, 11) else '0.11.0'}.tar.xz"


# ---------------------------------------------------------------- the plugin of pytest


class Missing:
    """What a version of jax lacks that the tests are not for: those that use it are skipped."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        raise unittest.SkipTest(f"this jax has no {self.name}")

    def __getattr__(self, attribute: str) -> Any:
        return self()


def pytest_configure(config: Any) -> None:
    """The tests skip what they do not know to be there: they are those for the CPU."""
    import jax
    from jax._src import test_util  # noqa: F401, which has the option

    jax.config.update("jax_test_dut", "cpu")


def pytest_pycollect_makemodule(module_path: Path) -> None:
    """Let a file of another version's tests import what is not there."""
    for node in ast.walk(ast.parse(module_path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jax"):
            module = importlib.import_module(str(node.module))
            for alias in node.names:
                try:
                    getattr(module, alias.name)
                except AttributeError:
                    try:
                        importlib.import_module(f"{node.module}.{alias.name}")
                    except ImportError:
                        setattr(module, alias.name, Missing(f"{node.module}.{alias.name}"))


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    if CHOSEN in os.environ:
        chosen = set(json.loads(Path(os.environ[CHOSEN]).read_text("utf-8")))
        items[:] = [item for item in items if item.nodeid in chosen]


def pytest_collection_finish(session: Any) -> None:
    if session.config.option.collectonly:
        write([item.nodeid for item in session.items])
    else:
        # Before the first test, which would find that `jax_platforms` has become "hlo2tiny,cpu" meanwhile.
        import jax

        jax.devices()


def pytest_runtest_logstart(nodeid: str) -> None:
    write([nodeid, "begun", ""])


def pytest_runtest_logreport(report: Any) -> None:
    if report.when == "call" or not report.passed:
        message = str(getattr(report.longrepr, "reprcrash", None) or "")
        write([report.nodeid, report.outcome, message or f"{report.duration:.0f} s"])


def write(what: list[str]) -> None:
    with Path(os.environ[OUTCOMES]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(what) + "\n")


# ---------------------------------------------------------------- the runs


class Suite:
    def __init__(self, folder: Path, processes: int = 1) -> None:
        with tarfile.open(archive()) as tar:
            tar.extractall(folder, filter="data")
        self.folder = folder
        self.tests = next(folder.glob("jax-*/tests"))
        (folder / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib -p no:cacheprovider\n", "utf-8")
        self.processors: Queue[list[int]] = Queue()
        available = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        for i in range(processes):
            self.processors.put(available[i::processes] or available)

    def pytest(
        self, platform: str, file: str, *options: str, chosen: list[str] | None = None, end: float | None = None
    ) -> list[list[str]]:
        """What a process of pytest wrote before it ended, or was ended at a time; with the last test, what ended it."""
        processors = self.processors.get()
        with tempfile.TemporaryDirectory() as folder:
            outcomes, tests, errors = (Path(folder) / name for name in ("outcomes", "chosen", "errors"))
            outcomes.write_text("", "utf-8")
            path = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
            variables = {"PYTHONPATH": path, "JAX_PLATFORMS": platform, OUTCOMES: str(outcomes)}
            variables["JAX_NUM_GENERATED_CASES"] = os.environ.get("JAX_NUM_GENERATED_CASES", "3")
            if chosen is not None:
                tests.write_text(json.dumps(chosen), "utf-8")
                variables[CHOSEN] = str(tests)
            command = [
                sys.executable,
                "-X",
                "faulthandler",
                "-m",
                "pytest",
                "-c",
                str(self.folder / "pytest.ini"),
                "-q",
            ]
            command += ["-p", "suite", "--rootdir", str(self.tests), "--timeout", "600", *options]
            command.append(str(self.tests / file))
            with errors.open("wb") as output:
                process = subprocess.Popen(
                    command, env=os.environ | variables, cwd=self.tests, stdout=output, stderr=subprocess.STDOUT
                )
            if processors:
                os.sched_setaffinity(process.pid, processors)
            try:
                process.wait(end and max(0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            self.processors.put(processors)
            written = [json.loads(line) for line in outcomes.read_text("utf-8").splitlines()]
            text = errors.read_text("utf-8", "replace")
            if chosen and not written and not (end and time.monotonic() >= end):
                print(
                    f"{file}: pytest ended with {process.returncode} before its first test: {text[-2000:]}", flush=True
                )
            if chosen is not None and written and written[-1][1] == "begun":
                trace = text[max(text.find("Fatal Python error"), 0) :]
                written[-1][2] = f"the process ended with {process.returncode}: {trace}"
            return written

    def listed(self, file: str) -> list[str]:
        return [name for names in self.pytest("cpu", file, "--collect-only") for name in names]

    def outcomes(
        self, platform: str, file: str, chosen: list[str], end: float | None = None
    ) -> dict[str, tuple[str, str]]:
        """What became of each test. A process that a test ends is followed by one with the tests that are left."""
        found: dict[str, tuple[str, str]] = {}
        while (left := [test for test in chosen if test not in found]) and (not end or time.monotonic() < end):
            before = len(found)
            for test, outcome, message in self.pytest(platform, file, chosen=left, end=end):
                found[test] = (outcome, message)
            if end and time.monotonic() >= end:
                return {test: of for test, of in found.items() if of[0] != "begun"}
            if len(found) == before:
                break
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="by default all")
    parser.add_argument("--tests", type=int, help="how many are drawn; by default all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--times", action="store_true", help="print how long each test takes")
    parser.add_argument("--part", default="1/1", help="only the first, or another, of so many parts of what is drawn")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="how long tests may begin on hlo2tiny")
    arguments = parser.parse_args()
    end = arguments.seconds and time.monotonic() + arguments.seconds
    with (
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(arguments.processes) as pool,
        ThreadPoolExecutor(64) as waiting,
    ):
        suite = Suite(Path(folder), arguments.processes)
        files = arguments.files or sorted(file.name for file in suite.tests.glob("*_test.py"))
        drawn = [(file, test) for file, tests in zip(files, pool.map(suite.listed, files)) for test in tests]
        if arguments.tests and arguments.tests < len(drawn):
            drawn = random.Random(arguments.seed).sample(drawn, arguments.tests)
        number, parts = map(int, arguments.part.split("/"))
        drawn = sorted(drawn)[number - 1 :: parts]
        chosen = {file: [test for name, test in drawn if name == file] for file in files}
        # Neighbours compile the same programs.
        most = AT_ONCE if arguments.processes > 1 else max(1, len(drawn))
        pieces = {
            file: [
                pool.submit(suite.outcomes, "hlo2tiny", file, tests[i : i + most], end)
                for i in range(0, len(tests), most)
            ]
            for file, tests in chosen.items()
        }

        def finished(file: str) -> tuple[dict[str, tuple[str, str]], list[str], list[str]]:
            """What became of a file's tests, which failed, and which of them only here."""
            ours = {test: of for piece in pieces[file] for test, of in piece.result().items()}
            failed = [test for test in ours if ours[test][0] in ("failed", "begun")]
            theirs = suite.outcomes("cpu", file, failed) if failed else {}
            return ours, failed, [test for test in failed if theirs.get(test, ("",))[0] == "passed"]

        passed = skipped = left = 0
        wrong: list[str] = []
        for (file, tests), (ours, failed, here) in zip(chosen.items(), waiting.map(finished, chosen)):
            count = Counter(outcome for outcome, _ in ours.values())
            skipped += count["skipped"]
            passed += count["passed"]
            left += len(tests) - len(ours)
            print(
                f"{file}: {count['passed']} pass, {len(here)} fail here only, {len(failed) - len(here)} on XLA, too,"
                f" {count['skipped']} skipped, {len(tests) - len(ours)} not run, of {len(tests)}",
                flush=True,
            )
            if arguments.times:
                print(*(f"  {ours[test][1]:>6} {test}" for test in ours if ours[test][0] == "passed"), sep="\n")
            for test in here:
                print(f"  {test}\n    {ours[test][1][:1500]}", flush=True)
            wrong += here
        print(f"{passed} pass, {len(wrong)} fail that pass on XLA's CPU, {skipped} are skipped, {left} did not run")
        return 100 * len(wrong) > passed + len(wrong) or bool(left and not end)


if __name__ == "__main__":
    sys.exit(main())
