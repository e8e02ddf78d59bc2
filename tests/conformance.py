"""Runs the suites of cases with known results, and writes what comes out: `python tests/conformance.py`.

It prints what fails, and writes hlo2tiny/conformance.json, a part of the package, and docs/conformance.md. `--only
SUITE` runs one of them, and keeps what is recorded of the others.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(ROOT))
os.environ["HLO2TINY_CACHE"] = "off"

import hlo2tiny  # noqa: E402
from hlo2tiny.commands.conformance import ALL, FILE, Conformance, Suite, dump, load, page  # noqa: E402
from hlo2tiny.ir import Module, Op, QuantizedType, Region, TensorType  # noqa: E402
from hlo2tiny.ir.dtypes import as_tensor  # noqa: E402
from hlo2tiny.ops import Trait, names_with  # noqa: E402
from hlo2tiny.program import Program  # noqa: E402
from hlo2tiny.rules.registry import rule_name  # noqa: E402

Exercised = set[tuple[str, str]]  # ops with element types


@dataclass(frozen=True)
class Group:
    """Cases that run together. `exercised` and `run` give, for each, the ops it is about, and whether it passes."""

    suite: str
    name: str
    count: int
    exercised: Callable[[], list[Exercised]]
    run: Callable[[], list[bool]]


# ---------------------------------------------------------------- what a program exercises

# Of these the regions are parts of the program; those of others say how two numbers become one.
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
        from rules.cases import CASES, operands_of, results_of, text_of
        from rules.numbers import equal

    for name, row in CASES.items():

        def about(row=row, name=name):  # type: ignore[no-untyped-def]
            found = []
            for call in row.examples:
                module = hlo2tiny.parse(text_of(row, [call], [results_of(row, call)]))
                found.append(exercised(module, name))
            return found

        def run(row=row):  # type: ignore[no-untyped-def]
            def passed(calls):  # type: ignore[no-untyped-def]
                expected = [results_of(row, call) for call in calls]
                program = Program(hlo2tiny.parse(text_of(row, calls, expected)), "CPU")
                results = program.numpy(*operands_of(calls))
                ends = np.cumsum([len(each) for each in expected])
                return [
                    all(map(same, results[end - len(each) : end], each))
                    for each, end in zip(expected, ends, strict=True)
                ]

            def same(result: np.ndarray, wanted: np.ndarray) -> bool:
                alike = (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
                return alike and bool(np.all(equal(result, wanted, row.tol)))

            try:
                return passed(row.examples)
            except Exception:  # one after the other: which is it
                return [attempt(lambda call=call: passed([call])[0]) for call in row.examples]

        if row.examples:
            yield Group("rules", name, len(row.examples), about, run)


def attempt(run: Callable[[], bool | None]) -> bool:
    """Whether a case passes; why not is printed."""
    try:
        return run() is not False
    except Exception:
        traceback.print_exc(limit=-1)
        return False


def alone(suite: str, name: str, read: Callable[[], Module], run: Callable[[], bool | None]) -> Group:
    return Group(suite, name, 1, lambda: [exercised(read())], lambda: [attempt(run)])


def stablehlo() -> Iterator[Group]:
    import test_conformance as cases

    for name in cases.names:
        path = cases.FOLDER / f"{name}.mlir"
        run = lambda name=name: cases.test_program_gives_the_recorded_results(name)
        yield alone("StableHLO", name, lambda path=path: hlo2tiny.parse(path), run)


def corpus() -> Iterator[Group]:
    from corpus import ENTRIES

    for entry in ENTRIES:

        def run(entry=entry):  # type: ignore[no-untyped-def]
            entry.check(hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs()))

        yield alone("corpus", entry.name, lambda entry=entry: hlo2tiny.parse(entry.path), run)


def jax() -> Iterator[Group]:
    """Without those that are refused, whose results nobody can give on this machine."""
    import test_jax_back_compat as cases

    for name, export in cases.EXPORTS.items():
        if cases.entry_of(cases.REFUSALS, name) is None:
            read = lambda export=export: hlo2tiny.parse(export["mlir_module_text"])
            yield alone("JAX", name, read, lambda name=name: cases.test_export(name))


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
    """Run the suites, or some of them: of the others stays what is recorded."""
    counts: dict[str, Counter[tuple[str, str]]] = {}
    wrong: dict[str, Counter[tuple[str, str]]] = {}
    found = []
    for name, (about, groups) in suites().items():
        if only and name not in only:
            suite, counts[name], wrong[name] = recorded(name)
            found.append(suite)
            continue
        counts[name], wrong[name] = Counter(), Counter()
        cases = passed = 0
        start = time.monotonic()
        for group in groups():
            outcome = group.run()
            cases, passed = cases + len(outcome), passed + sum(outcome)
            if not all(outcome):
                print(f"{name} {group.name}: {len(outcome) - sum(outcome)} of {len(outcome)} fail", file=sys.stderr)
            for each, right in zip(group.exercised(), outcome, strict=True):
                keys = [*each, *{(op, ALL) for op, _ in each}]
                counts[name].update(keys)
                wrong[name].update(() if right else keys)
        found.append(Suite(name, about, cases, passed))
        print(f"{name}: {passed} of {cases} cases pass, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    return Conformance(tuple(found), by_op([*counts.values()]), by_op([*wrong.values()]))


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], choices=suites(), help="run this one")
    found = measured(parser.parse_args().only)
    (ROOT / "hlo2tiny" / FILE).write_text(dump(found), encoding="utf-8")
    (ROOT / "docs").mkdir(exist_ok=True)
    (ROOT / "docs" / "conformance.md").write_text(page(found), encoding="utf-8")
    return int(any(suite.passed < suite.cases for suite in found.suites))


if __name__ == "__main__":
    sys.exit(main())
