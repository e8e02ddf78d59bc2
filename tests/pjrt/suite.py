"""JAX's own tests on the plugin, next to XLA's CPU backend.

    python tests/pjrt/suite.py [--tests 400] [--seed 0] [--part 1/2] [FILE…]

draws so many tests of the files (all without `--tests`), runs them on hlo2tiny, and those that fail also on XLA. What
fails only on hlo2tiny is printed. The process ends with 1 if fewer than 99 of 100 tests pass that pass on XLA.

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
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ARCHIVES = ROOT.parent / "shared" / "jax-tests"
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
    def __init__(self, folder: Path) -> None:
        with tarfile.open(archive()) as tar:
            tar.extractall(folder, filter="data")
        self.folder = folder
        self.tests = next(folder.glob("jax-*/tests"))
        (folder / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib -p no:cacheprovider\n", "utf-8")

    def pytest(self, platform: str, file: str, *options: str, chosen: list[str] | None = None) -> list[list[str]]:
        """What a process of pytest wrote."""
        outcomes, tests = self.folder / "outcomes", self.folder / "chosen"
        outcomes.write_text("", "utf-8")
        path = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
        variables = {"PYTHONPATH": path, "JAX_PLATFORMS": platform, OUTCOMES: str(outcomes)}
        variables["JAX_NUM_GENERATED_CASES"] = os.environ.get("JAX_NUM_GENERATED_CASES", "3")
        if chosen is not None:
            tests.write_text(json.dumps(chosen), "utf-8")
            variables[CHOSEN] = str(tests)
        command = [sys.executable, "-m", "pytest", "-c", str(self.folder / "pytest.ini"), "-p", "suite", "-q"]
        command += ["--rootdir", str(self.tests), "--timeout", "600", *options, str(self.tests / file)]
        subprocess.run(command, env=os.environ | variables, cwd=self.tests, capture_output=True)
        return [json.loads(line) for line in outcomes.read_text("utf-8").splitlines()]

    def listed(self, file: str) -> list[str]:
        return [name for names in self.pytest("cpu", file, "--collect-only") for name in names]

    def outcomes(self, platform: str, file: str, chosen: list[str]) -> dict[str, tuple[str, str]]:
        """What became of each test. A process that a test ends is followed by one with the tests that are left."""
        found: dict[str, tuple[str, str]] = {}
        while left := [test for test in chosen if test not in found]:
            before = len(found)
            for test, outcome, message in self.pytest(platform, file, chosen=left):
                found[test] = (outcome, message)
            if len(found) == before:
                raise SystemExit(f"no tests of {file} ran on {platform}")
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE", help="by default all")
    parser.add_argument("--tests", type=int, help="how many are drawn; by default all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--times", action="store_true", help="print how long each test takes")
    parser.add_argument("--part", default="1/1", help="only the first, or another, of so many parts of what is drawn")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(Path(folder))
        files = arguments.files or sorted(file.name for file in suite.tests.glob("*_test.py"))
        listed = {file: suite.listed(file) for file in files}
        drawn = [(file, test) for file, tests in listed.items() for test in tests]
        if arguments.tests and arguments.tests < len(drawn):
            drawn = random.Random(arguments.seed).sample(drawn, arguments.tests)
        number, parts = map(int, arguments.part.split("/"))
        drawn = sorted(drawn)[number - 1 :: parts]
        passed = skipped = 0
        wrong: list[str] = []
        for file in files:
            tests = [test for name, test in drawn if name == file]
            ours = suite.outcomes("hlo2tiny", file, tests) if tests else {}
            failed = [test for test, (outcome, _) in ours.items() if outcome in ("failed", "begun")]
            theirs = suite.outcomes("cpu", file, failed) if failed else {}
            here = [test for test in failed if theirs[test][0] == "passed"]
            good = sum(outcome == "passed" for outcome, _ in ours.values())
            skipped += sum(outcome == "skipped" for outcome, _ in ours.values())
            passed += good
            print(f"{file}: {good} pass, {len(here)} fail here only, of {len(tests)}", flush=True)
            if arguments.times:
                print(*(f"  {ours[test][1]:>6} {test}" for test in tests if ours[test][0] == "passed"), sep="\n")
            for test in here:
                message = "the process ended" if ours[test][0] == "begun" else ours[test][1]
                print(f"  {test}\n    {message[:1500]}", flush=True)
            wrong += here
        print(f"{passed} pass, {len(wrong)} fail that pass on XLA's CPU, {skipped} are skipped")
        return 100 * len(wrong) > passed + len(wrong)


if __name__ == "__main__":
    sys.exit(main())
