"""Makes `tests/` importable, and says who runs which cases of sampled tests, and how many examples property tests draw.

No test ends or stops the run. A test that takes longer than the timeout ends its process (pyproject.toml), as does one
whose native code crashes; `pytest -n 2` reports either as that test's failure, starts another process and goes on.
`pytest --hypothesis-profile=night` draws many new examples for each rule instead of CI's few and fixed ones.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

sys.path.insert(0, str(Path(__file__).parent))
# Processes that tests start lack pytest's filter for this warning, which is recognised by its text here.
os.environ["PYTHONWARNINGS"] = "error:no native code"
# Where there are other devices, tinygrad's default is one of them, and results' Tensors are there.
os.environ.setdefault("DEV", "CPU")
# Processes that test side by side share the processors: on 16 of them, tests took thirty times as long when each
# process started a thread for every processor.
shared_processors = (os.cpu_count() or 1) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, str(max(2, shared_processors)))
# A shell lets what it starts in the background ignore Ctrl-C, and so would the processes that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    import compiled

    compiled.install(config)


@pytest.fixture(scope="session", autouse=True)
def processor() -> None:
    """The device that tests' Tensors are on: where hlo2tiny did not open it, tinygrad looks for a clang on PATH."""
    from hlo2tiny.tinygrad.device import open_device

    open_device("CPU")


# Shrinking a failure would compile new kernels for minutes; the note on a failure has the module's text.
brief = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": [Phase.explicit, Phase.generate],
}
settings.register_profile("ci", max_examples=6, derandomize=True, **brief)
settings.register_profile("night", max_examples=200, derandomize=False, database=None, **brief)
settings.load_profile("ci")


# What a machine may lack. Any other reason to skip a test fails it: a skip hides that something is not tested. What
# the extra [test] installs is there, and a test that depends on a version says on which, and what holds before it.
MAY_LACK = (
    "no OpenCL",
    "hlo2tiny[cuda] is not installed",
    "no NVIDIA GPU",
    "another kind of processor",
    "a processor without ",
    "zig's linker wants all",
    "limits of memory are Linux's",
    "there is no fork",
    "needs fork",
    "needs /proc",
    "mounting needs Linux's root",
    "this machine gives no mount namespaces",
    "no compiler here has the sanitizers",
    "signals are another matter",
    "the ziglang wheel is not installed",
    "the conformance programs are not here",
    "shared/conformance",
    "shared/pjrt",
    "no emulator: ",
    "no Python for aarch64",
    "no compiler of this language: ",
    "could not import 'torch",
    "could not import 'ray",
    "no browser with its packages",
    "no adapter with shader-f16",
    "of another release of jax",
)


def without_hidden_gaps(report: Any) -> Any:
    """A report of a skipped test, as a failure if its reason is not one of those above."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not any(words in reason for words in MAY_LACK):
            report.outcome = "failed"
            report.longrepr = f"{reason}: not one of the reasons for which conftest.py lets tests be skipped"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Any:
    return without_hidden_gaps((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Any:
    return without_hidden_gaps((yield))


def marker_of_case(number: int, every: int, ci: int = 1, first: int = 0) -> str | None:
    """The marker of a case of a sampled test: `ci`, `night`, or None if everybody runs it."""
    assert every % ci == 0, f"sampled({every}, ci={ci}): CI runs what everybody runs, so {every} must be a multiple"
    return "night" if (number - first) % ci else "ci" if (number - first) % every else None


@pytest.hookimpl(tryfirst=True)  # before pytest deselects by -m
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    cases: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        cases.setdefault((item.path, getattr(item, "originalname", item.name)), []).append(item)
    for same in cases.values():
        sampled = same[0].get_closest_marker("sampled")
        if sampled is not None and len(same) > 1:  # a single one was asked for by name
            for number, item in enumerate(same):
                if marker := marker_of_case(number, *sampled.args, **sampled.kwargs):
                    item.add_marker(marker)
