"""One row for each rule: what to draw, what numpy says, which errors to expect; and the runner of such rows.

A `Call` is one op with its operands. The runner prints calls as MLIR text in generic form, one on each line, runs the
module on the CPU and compares with the row's reference; the types that the text declares are those of the reference.
The reference itself is compared with XLA and with StableHLO's interpreter: where these part from the specification,
the row says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import ORACLES, Refused, run

import hlo2tiny
from hlo2tiny.program import Program

from .mlir import Body, Call, module_text, op_name, structure
from .numbers import bf16, equal, expect_equal, f32, f64, type_of

# Of which calls an oracle's word does not count, and why. It may also refuse these, or end its process.
Disagreement = str | tuple[str, Callable[[Call], bool]]


# Calls that share a module when they are drawn: to start a compiler takes longer than to compile one of them.
TOGETHER = 5
# One call in so many of a row's examples is for everybody.
FEWER = 4


@dataclass(frozen=True)
class Case:
    op: str
    ref: Callable[..., Any] | None
    draw: st.SearchStrategy[Call] | None
    examples: Sequence[Call]
    errors: Sequence[tuple[Call, str]]
    tol: float
    disagree: Mapping[str, Disagreement]

    def trusts(self, oracle: str, call: Call) -> bool:
        """Whether the reference must agree with the oracle on a call."""
        if oracle == "interpreter" and self.op.startswith("chlo."):  # it has no CHLO
            return False
        match self.disagree.get(oracle):
            case (_, when):
                return not when(call)
            case None:
                return True
        return False


CASES: dict[str, Case] = {}
TESTED: set[str] = set()


def case(
    op: str,
    *,
    ref: Callable[..., Any] | None,
    draw: st.SearchStrategy[Call] | None = None,
    examples: Sequence[Call] = (),
    errors: Sequence[tuple[Call, str]] = (),
    tol: float = 0,
    disagree: Mapping[str, Disagreement] | None = None,
) -> None:
    """Add a rule's row. `ref` takes operands and attributes, None where calls have a `result`; `tol` is in ULP.

    `disagree` says for "xla" or "interpreter" why its results are no evidence: of all calls, or, as a pair with a
    function, of those calls for which it is true.
    """
    assert op not in CASES, f"{op} has a row already"
    assert set(disagree or ()) <= set(ORACLES)
    CASES[op] = Case(op, ref, draw, examples, errors, tol, disagree or {})


def results_of(op: Case, call: Call) -> list[np.ndarray]:
    functions = {n: v.function if isinstance(v, Body) else v for n, v in call.attributes.items()}
    reference = op.ref if call.result is None else call.result
    assert reference is not None
    with np.errstate(all="ignore"):
        given_back = reference(*call.operands, **functions)
    return [np.asarray(r) for r in (given_back if isinstance(given_back, (list, tuple)) else [given_back])]


# ---------------------------------------------------------------- running


def check_values(op: Case, calls: Sequence[Call]) -> None:
    """Run calls in one module, twice with different inputs; the first results stay as they are."""
    expected = [results_of(op, call) for call in calls]
    others = [call.other() for call in calls]
    text = text_of(op, calls, expected)
    try:
        module = hlo2tiny.parse(text)
        assert structure(hlo2tiny.parse(str(module))) == structure(module), "the printed module is another one"
        program = Program(module, "CPU")
        first = program.numpy(*operands_of(calls))
        second = program.numpy(*operands_of(others))
        expect_equal(first, flat(expected), op.tol)
        expect_equal(second, flat(results_of(op, call) for call in others), op.tol)
    except Exception as error:
        error.add_note(text)
        raise


def check_drawn(op: Case, check: Callable[[Case, Sequence[Call]], None]) -> None:
    """Check calls that are drawn, several at a time."""
    assert op.draw is not None
    modules = st.lists(op.draw, min_size=TOGETHER, max_size=TOGETHER)
    examples = settings().max_examples // TOGETHER + 1  # the first of which holds the simplest calls
    settings(max_examples=examples)(given(modules)(lambda calls: check(op, calls)))()


def check_references(op: Case, calls: Sequence[Call]) -> None:
    for oracle in ORACLES:
        check_reference(op, [call for call in calls if op.trusts(oracle, call)], oracle)


def oracle_tol(op: Case, dtype: np.dtype) -> float:
    """An oracle's own error, where a row allows any: its accuracy is its matter, the functions' meaning the test's."""
    narrow = dtype.kind != "c" and dtype.itemsize < 4
    return 0 if not op.tol else max(8, op.tol) if narrow else 1000


def check_reference(op: Case, calls: Sequence[Call], oracle: str) -> None:
    """Compare the row's reference with what an oracle says. XLA on the CPU takes subnormal numbers for zero."""
    if not calls or op.op.startswith("@"):
        return
    if oracle == "xla":
        calls = [replace(call, operands=[*map(flushed, call.operands)]) for call in calls]
    expected = [results_of(op, call) for call in calls]
    text = text_of(op, calls, expected)
    try:
        results = run(oracle, text, operands_of(calls))
        for result, reference in zip(results, flat(expected), strict=True):
            if oracle == "xla":  # what it computes with may be smaller than the result
                reference = np.where(equal(result, flushed(reference, 4)), result, reference)
            expect_equal([result], [reference], oracle_tol(op, reference.dtype))
    except (Refused, AssertionError) as error:
        error.add_note(f"{oracle} and the row's reference part; see `disagree` of case()\n{text}")
        raise


def flushed(x: np.ndarray, least: float = 1) -> np.ndarray:
    """Subnormal numbers as zeros of their sign; `least` is in smallest normal numbers."""
    if x.dtype.kind == "c":
        halves = np.empty_like(x)
        halves.real, halves.imag = flushed(x.real, least), flushed(x.imag, least)
        return halves
    if x.dtype not in (f32, f64, bf16):  # narrower floats are computed as f32
        return x
    return np.where(np.abs(x) < least * ml_dtypes.finfo(x.dtype).tiny, np.copysign(x.dtype.type(0), x), x)


def text_of(op: Case, calls: Sequence[Call], results: Sequence[Sequence[np.ndarray]]) -> str:
    return module_text(op.op, calls, [[*map(type_of, each)] for each in results])


def operands_of(calls: Sequence[Call]) -> list[np.ndarray]:
    return [x for call in calls for x in call.operands]


def flat(results: Iterable[Sequence[np.ndarray]]) -> list[np.ndarray]:
    return [r for each in results for r in each]


def check_error(op: Case, call: Call, message: str) -> None:
    """The op is refused, with its line and the message."""
    text = module_text(op.op, [call], [[t for t in call.results.split(", ") if t]])
    try:
        with pytest.raises(hlo2tiny.Error, match=message or None) as raised:
            Program(hlo2tiny.parse(text), "CPU").compile()
        assert raised.value.line == 4 and raised.value.message.startswith(op_name(op.op))
    except BaseException as error:
        error.add_note(text)
        raise


def new_tests(every: int = 1) -> tuple[Any, Any, Any]:
    """The tests of the rows since the last call, that is of one file: drawn values, special values, errors.

    Everybody runs some special values of one row in `every`, CI those of all.
    """
    rows = [op for op in CASES.values() if op.op not in TESTED]
    TESTED.update(op.op for op in rows)

    @pytest.mark.sampled(8, ci=2)
    @pytest.mark.parametrize("op", [r for r in rows if r.draw is not None], ids=lambda r: r.op)
    def drawn(op: Case) -> None:
        check_drawn(op, check_values)

    tested = [row for row in rows if row.examples]
    some = [pytest.param(row, FEWER, id=f"some-{row.op}") for row in tested[::every]]
    whole = [pytest.param(row, 1, id=f"all-{row.op}", marks=pytest.mark.ci) for row in tested]

    @pytest.mark.parametrize(("op", "number"), [*some, *whole])
    def examples(op: Case, number: int) -> None:
        check_values(op, op.examples[::number])

    wrong = [(r, call, message) for r in rows for call, message in [*unknown_attribute(r), *r.errors]]

    @pytest.mark.parametrize(("op", "call", "message"), wrong, ids=[f"{r.op}-{m[:30]}" for r, _, m in wrong])
    def errors(op: Case, call: Call, message: str) -> None:
        check_error(op, call, message)

    return drawn, examples, errors


def unknown_attribute(op: Case) -> list[tuple[Call, str]]:
    """An attribute of a custom call's configuration that the rule does not name is refused; others are discardable."""
    if not op.examples or not op.op.startswith("@"):
        return []
    call, configuration = op.examples[0], {"mhlo.backend_config": "{no_such_attribute = 1 : i64}"}
    types = ", ".join(map(type_of, results_of(op, call)))
    return [(Call(call.operands, {**call.attributes, **configuration}, types), "'no_such_attribute'")]
