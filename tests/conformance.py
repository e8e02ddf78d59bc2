"""Runs the suites of cases with known results, and records the results: `python tests/conformance.py`.

It prints what fails, and writes hlo2tiny/conformance.json, a part of the package, and docs/conformance.md. `--only
SUITE` runs one of them, and keeps what is recorded of the others; `--target T` runs them on another target than the
processor's native code, and writes that target's row; `--check` writes nothing. `--every N` takes one in so many groups
of cases, from the first or another one, and writes nothing either; `--processes N` divides a target's cases among so
many processes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(ROOT))
os.environ.setdefault("HLO2TINY_CACHE", "off")

import everywhere  # noqa: E402
import oracles  # noqa: E402
from conformance_page import page  # noqa: E402
from everywhere import Answer, Case  # noqa: E402

import hlo2tiny  # noqa: E402
from hlo2tiny.commands.conformance import ALL, FILE, Conformance, Suite, load  # noqa: E402
from hlo2tiny.ir import Module, Op, QuantizedType, Region, TensorType  # noqa: E402
from hlo2tiny.ir.dtypes import as_tensor  # noqa: E402
from hlo2tiny.ops import Trait, names_with  # noqa: E402
from hlo2tiny.rules.registry import rule_name  # noqa: E402

Exercised = set[tuple[str, str]]  # ops with element types


@dataclass(frozen=True)
class Group:
    """Cases that run together, as one program.

    Attributes:
        exercised: gives, for each case, the ops that it is about.
        case: makes the program, with arguments for one call.
        passed: whether each case passes, given the program's results; it may raise instead.
        single: makes a group of each case, to find out which of them fail.
    """

    suite: str
    name: str
    count: int
    exercised: Callable[[], list[Exercised]]
    case: Callable[[], Case]
    passed: Callable[[list[np.ndarray]], list[bool]]
    single: Callable[[], list[Group]] = list

    def outcome(self, answer: Answer) -> list[bool] | None:
        """Whether each case passes; None if a program of several cases fails, or one that the target cannot run."""
        try:
            if isinstance(answer, Exception):
                raise answer
            return self.passed(answer[0])
        except Exception as error:
            if not everywhere.is_lacking(error) and self.count == 1:
                print(f"{self.suite} {self.name}: {type(error).__name__}: {str(error)[:1000]}", file=sys.stderr)
                return [False]
            return None

    def run(self) -> list[bool]:
        """Whether each case passes in the processor's native code."""
        return [bool(found) for found in run([self], "c")[0]]


# How many programs a browser runs before another one is started.
AT_ONCE = 40


# WGSL lets implementations compute with 0 instead of subnormal numbers (15.7.2, "Floating Point Evaluation").
FLUSHING = ("webgpu", "mesa")


def dump(conformance: Conformance) -> str:
    """The text of conformance.json: a line for each op, so that a diff is readable."""
    lines = ['{"suites": [', ",\n".join(f"  {json.dumps(vars(suite))}" for suite in conformance.suites), "],"]
    tables = {"cases": conformance.cases, "failed": conformance.failed, "targets": conformance.targets}
    for name, table in tables.items():
        entries = ",\n".join(f"  {json.dumps(key)}: {json.dumps(row)}" for key, row in table.items())
        lines.append(f'"{name}": {{\n{entries}\n}}{"," if name != "targets" else "}"}')
    return "\n".join(lines) + "\n"


def answer_of(target: str, case: Case) -> Answer:
    with tempfile.TemporaryDirectory() as folder:
        (answer,) = everywhere.run(target, [case], Path(folder))
    return answer


def has_subnormals(case: Case) -> bool:
    """Whether an argument or a result has a number that is not 0, but smaller than all normal ones of its type."""
    answer = answer_of("c", case)
    arrays = [*case.calls[0], *([] if isinstance(answer, Exception) else answer[0])]
    floats = [x for x in arrays if x.dtype.name in ("float16", "bfloat16", "float32")]
    return any(bool(np.any((x != 0) & (np.abs(x) < ml_dtypes.finfo(x.dtype).smallest_normal))) for x in floats)


def attempt_case(group: Group) -> Case | Exception:
    try:
        return group.case()
    except Exception as error:
        return error


class Crashed(everywhere.Lacking):
    """The process ended while a driver compiled or ran the program."""


@cache
def worker() -> ProcessPoolExecutor:
    """A process that may end: pocl's compiler, LLVM 15, does on some kernels for processors with AVX-512."""
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def answers_of(target: str, cases: Sequence[Case]) -> Iterator[Answer]:
    if target != "opencl":
        with tempfile.TemporaryDirectory() as folder:
            yield from everywhere.run(target, cases, Path(folder))
        return
    for case in cases:
        try:
            yield worker().submit(answer_of, target, case).result()
        except BrokenProcessPool:
            worker.cache_clear()
            print(f"{target} {case.name}: the driver ended the process", file=sys.stderr)
            yield Crashed(case.name)


def run(groups: Sequence[Group], target: str) -> list[list[bool | None]]:
    """For each group whether its cases pass; None for those that the target says it cannot run."""
    found: list[list[bool | None]] = []
    for first in range(0, len(groups), AT_ONCE):
        some = groups[first : first + AT_ONCE]
        # A reference that takes too long fails only its own group.
        cases = [attempt_case(group) for group in some]
        answers = answers_of(target, [case for case in cases if isinstance(case, Case)])
        for group, case in zip(some, cases, strict=True):
            answer = next(answers) if isinstance(case, Case) else case
            outcome = group.outcome(answer)
            flushes = target in FLUSHING and isinstance(case, Case)
            if outcome is not None and not all(outcome) and flushes and has_subnormals(case):
                # Its cases with subnormal numbers are not for this target.
                singles = group.single() if group.count > 1 else []
                found.append([case for cases in run(singles, target) for case in cases] if singles else [None])
            elif outcome is not None:
                found.append([*outcome])
                if wrong := [number for number, right in enumerate(outcome) if not right]:
                    print(f"{group.suite} {group.name}: wrong are {wrong} of {group.count}", file=sys.stderr)
            elif group.count == 1:
                found.append([None])
            else:
                found.append([case for cases in run(group.single(), target) for case in cases])
    return found


# ---------------------------------------------------------------- what a program exercises

# The regions of these are parts of the program; those of other ops combine two numbers.
CONTROL = ("stablehlo.while", "stablehlo.if", "stablehlo.case", "shape.assuming")
CARRIED = (*names_with(Trait.TERMINATOR), "stablehlo.constant", "func.call")


def ops_of(region: Region) -> Iterator[Op]:
    for op in region.ops:
        yield op
        if op.name in CONTROL:
            for inner in op.regions:
                yield from ops_of(inner)


def exercised(module: Module, about: str = "") -> Exercised:
    """The ops of a program, or the one that it is about, each with the element types of its operands and results."""
    found: Exercised = set()
    for function in module.functions.values():
        for op in ops_of(function.body) if function.body else ():
            if rule_name(op) == about if about else op.name not in CARRIED:
                types = [as_tensor(value.type) for value in (*op.operands, *op.results)]
                found |= {(rule_name(op), element_text(t)) for t in types if isinstance(t, TensorType)}
    return found


def element_text(type: TensorType) -> str:
    if isinstance(type.element, QuantizedType):
        return f"quantized {type.element.storage}"
    return str(type.element)


# ---------------------------------------------------------------- suites


def rows() -> Iterator[Group]:
    """The examples of this repository's test rows: numbers at which definitions differ, and ordinary ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import rules.test_all_rules  # noqa: F401  (fills CASES)
        from rules.cases import CASES

    for name, row in CASES.items():
        if row.examples:
            yield group_of_row(name, row, row.examples)


def group_of_row(name: str, row: Any, calls: Sequence[Any]) -> Group:
    from rules.cases import operands_of, results_of, text_of
    from rules.numbers import equal

    def exercised_by() -> list[Exercised]:
        texts = [text_of(row, [call], [results_of(row, call)]) for call in calls]
        return [exercised(hlo2tiny.parse(text), name) for text in texts]

    def passed(results: list[np.ndarray]) -> list[bool]:
        wanted = [results_of(row, call) for call in calls]
        ends = np.cumsum([len(each) for each in wanted])
        return [all(map(same, results[end - len(each) : end], each)) for each, end in zip(wanted, ends, strict=True)]

    def same(result: np.ndarray, wanted: np.ndarray) -> bool:
        alike = (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
        return alike and bool(np.all(equal(result, wanted, row.tol)))

    return Group(
        "rules",
        name,
        len(calls),
        exercised_by,
        lambda: Case(name, text_of(row, calls, [results_of(row, call) for call in calls]), [operands_of(calls)]),
        passed,
        lambda: [group_of_row(name, row, [call]) for call in calls],
    )


def alone(suite: str, case: Callable[[], Case], name: str, check: Callable[[list[np.ndarray]], object]) -> Group:
    """A program of its own; `check` raises if its results are wrong."""

    def passed(results: list[np.ndarray]) -> list[bool]:
        check(results)
        return [True]

    return Group(suite, name, 1, lambda: [exercised(hlo2tiny.parse(case().source))], case, passed)


def stablehlo() -> Iterator[Group]:
    import test_conformance as cases

    for name in cases.names:
        path = cases.FOLDER / f"{name}.mlir"
        case = lambda name=name, path=path: Case(name, path, [cases.stored(name)[0]])
        yield alone("StableHLO", case, name, lambda results, name=name: cases.expect_recorded(name, results))


def corpus() -> Iterator[Group]:
    from corpus import ENTRIES

    for entry in ENTRIES:
        case = lambda entry=entry: Case(entry.name, entry.path, [entry.inputs()])
        yield alone("corpus", case, entry.name, lambda results, entry=entry: entry.check(tuple(results)))


def jax() -> Iterator[Group]:
    """All but those that are refused: nothing on this machine can compute their results."""
    import test_jax_back_compat as cases

    for name, export in cases.EXPORTS.items():
        if cases.entry_of(cases.REFUSALS, name) is None:
            case = lambda name=name, export=export: Case(name, export["mlir_module_text"], [cases.arrays(export)[0]])
            yield alone("JAX", case, name, lambda results, name=name: cases.expect_right(name, results))


# ---------------------------------------------------------------- suites that only compare targets


def random_programs() -> Iterator[Group]:
    import random_programs as programs

    for seed in range(100):
        drawn = programs.random_case(seed)
        case = lambda drawn=drawn, seed=seed: Case(f"seed {seed}", programs.text_of(drawn), [drawn.arrays])

        def check(results: list[np.ndarray], drawn: Any = drawn) -> None:
            expected = oracles.run("xla", programs.text_of(drawn), drawn.arrays)
            message = programs.compared(results, expected, [v.range for v in drawn.main.results])
            assert not message, message

        yield alone("random programs", case, f"seed {seed}", check)


def shared_memory() -> Iterator[Group]:
    from shared_memory import draw_program, expect_equal

    for seed in range(100):
        random = np.random.default_rng(seed)
        drawn = draw_program(lambda n, random=random: int(random.integers(n)))
        case = lambda drawn=drawn, seed=seed: Case(f"seed {seed}", drawn.text(), drawn.calls[:1])
        check = lambda results, drawn=drawn: expect_equal(results, drawn.results()[0])
        yield alone("shared memory", case, f"seed {seed}", check)


GRADIENTS = ROOT / "tests" / "derivatives"


def gradients(tests: Path = GRADIENTS, share: Callable[[list[Any]], list[Any]] = list) -> Iterator[Group]:
    """The programs of gradients that tests/derivatives, or a share of its tests, compares with JAX's."""
    import pytest
    from derivatives import vjp

    class Shared:
        @staticmethod
        def pytest_collection_modifyitems(items: list[Any]) -> None:
            items[:] = share(items)

    vjp.collected = []
    try:
        arguments = ["-q", "-m", "", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts="]
        pytest.main([*arguments, str(tests)], plugins=[Shared()])
        found = list(vjp.collected)
    finally:
        vjp.collected = None
    for number, each in enumerate(found):
        name = f"{number}, {each.test}"
        case = lambda each=each, name=name: Case(name, str(each.module), [each.arrays])
        yield alone("gradients", case, name, each.expect_equal)


OF_TARGETS: dict[str, Callable[[], Iterator[Group]]] = {
    "random programs": random_programs,
    "shared memory": shared_memory,
    "gradients": gradients,
}


def suites() -> dict[str, tuple[str, Callable[[], Iterator[Group]]]]:
    from importlib.metadata import version

    return {
        "rules": ("the examples of this repository's tests of each rule (tests/rules), against numpy or mpmath", rows),
        "StableHLO": ("programs of StableHLO's own test data, with the results that its authors recorded", stablehlo),
        "corpus": ("programs of real frameworks (corpus/), with XLA's results", corpus),
        "JAX": (f"the old exports that jax {version('jax')} keeps to test compatibility, with their results", jax),
    }


# ---------------------------------------------------------------- the table


def measured(only: Sequence[str] = ()) -> Conformance:
    """Run the suites, or some of them; the record of the others stays."""
    counts: dict[str, Counter[tuple[str, str]]] = {}
    wrong: dict[str, Counter[tuple[str, str]]] = {}
    found = []
    for name, (about, groups) in suites().items():
        if only and name not in only:
            suite, counts[name], wrong[name] = recorded(name)
            found.append(suite)
            continue
        counts[name], wrong[name] = Counter(), Counter()
        some, start = [*groups()], time.monotonic()
        cases = passed = 0
        for group, outcome in zip(some, run(some, "c"), strict=True):
            cases, passed = cases + len(outcome), passed + sum(map(bool, outcome))
            for each, right in zip(group.exercised(), outcome, strict=True):
                keys = [*each, *{(op, ALL) for op, _ in each}]
                counts[name].update(keys)
                wrong[name].update(() if right else keys)
        found.append(Suite(name, about, cases, passed))
        print(f"{name}: {passed} of {cases} cases pass, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    return Conformance(tuple(found), by_op([*counts.values()]), by_op([*wrong.values()]), load().targets)


def recorded(name: str) -> tuple[Suite, Counter[tuple[str, str]], Counter[tuple[str, str]]]:
    """A suite's part of the table as it is: the suite, its cases, and those that fail."""
    known = load()
    i = next(i for i, suite in enumerate(known.suites) if suite.name == name)
    tables = (known.cases, known.failed)
    parts = [Counter({(op, t): row[i] for op, types in each.items() for t, row in types.items()}) for each in tables]
    return known.suites[i], *parts


def by_op(counts: Sequence[Counter[tuple[str, str]]]) -> dict[str, dict[str, list[int]]]:
    found: defaultdict[str, dict[str, list[int]]] = defaultdict(dict)
    keys = {key for counter in counts for key, count in counter.items() if count}
    for op, element in sorted(keys, key=lambda key: (key[0].startswith("@"), key[0], key[1] != ALL, key[1])):
        found[op][element] = [counter[op, element] for counter in counts]
    return dict(found)


@dataclass(frozen=True)
class Sample:
    """Which groups of cases run: one in `every`, from the first or another one; of these, a process's share.

    Attributes:
        tests: the folder whose gradients are compared.
    """

    every: int = 1
    first: int = 0
    processes: int = 1
    tests: Path = GRADIENTS

    def of(self, suite: str, share: int) -> list[Group]:
        taken = lambda all_: all_[self.first % min(self.every, len(all_)) :: self.every][share :: self.processes]
        if suite == "gradients":
            # Their tests are what takes time, so these are shared.
            return [*gradients(self.tests, taken)]
        makers = {name: groups for name, (_, groups) in suites().items()} | OF_TARGETS
        return taken([*makers[suite]()])


def row_of(target: str, only: Sequence[str], sample: Sample) -> dict[str, list[int]]:
    """For each suite, how many cases pass on a target, how many it says it cannot run, and how many there are."""
    row = {}
    with ProcessPoolExecutor(sample.processes, mp_context=get_context("spawn")) as pool:
        for name in [*suites(), *OF_TARGETS]:
            if only and name not in only:
                continue
            start = time.monotonic()
            count = partial(counts_of, target, name, sample)
            counts = [*(pool.map if sample.processes > 1 else map)(count, range(sample.processes))]
            row[name] = [sum(numbers) for numbers in zip(*counts, strict=True)]
            passed, lacking, cases = row[name]
            spent = time.monotonic() - start
            print(f"{target}: {name}: {passed} of {cases} pass, {lacking} are not for it, {spent:.0f} s", flush=True)
    return row


def counts_of(target: str, suite: str, sample: Sample, share: int) -> list[int]:
    """The same three numbers for a process's share of a suite."""
    outcomes = [each for outcome in run(sample.of(suite, share), target) for each in outcome]
    return [outcomes.count(True), outcomes.count(None), len(outcomes)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*suites(), *OF_TARGETS]
    parser.add_argument("--only", action="append", default=[], choices=names, help="run this one")
    parser.add_argument("--target", choices=everywhere.TARGETS, help="the target to run them on")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of its groups of cases, one in so many")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the first of these")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="run the target's cases in so many")
    parser.add_argument("--gradients", type=Path, default=GRADIENTS, metavar="PATH", help="tests of gradients")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    if options.target and (reason := everywhere.lacking(options.target)):
        print(f"{options.target}: {reason}", file=sys.stderr)
        return 1
    if options.target is None:
        found = measured(options.only)
        wrong = any(suite.passed < suite.cases for suite in found.suites)
    else:
        sample = Sample(options.every, options.first, options.processes, options.gradients)
        row = row_of(options.target, options.only, sample)
        known = load()
        targets = {**known.targets, options.target: {**known.targets.get(options.target, {}), **row}}
        found = replace(known, targets={name: targets[name] for name in everywhere.TARGETS if name in targets})
        wrong = any(passed + lacking < cases for passed, lacking, cases in row.values())
    if options.every == 1 and options.gradients == GRADIENTS and not options.check:
        (ROOT / "hlo2tiny" / FILE).write_text(dump(found), encoding="utf-8")
        (ROOT / "docs" / "conformance.md").write_text(page(found), encoding="utf-8")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
