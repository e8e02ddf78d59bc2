"""One row for each rule: what to draw, what numpy says, which errors to expect; and the runner of such rows.

A `Call` is one op with its operands. The runner prints calls as MLIR text in generic form, one on each line, runs the
module on the CPU and compares with the row's reference; the types that the text declares are those of the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.program import Program

from .mlir import Body, Call, module_text
from .numbers import expect_equal, type_of


@dataclass(frozen=True)
class Case:
    op: str
    ref: Callable[..., Any] | None
    draw: st.SearchStrategy[Call] | None
    examples: Sequence[Call]
    errors: Sequence[tuple[Call, str]]
    tol: float


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
) -> None:
    """Add a rule's row. `ref` takes operands and attributes, None where calls have a `result`; `tol` is in ULP."""
    assert op not in CASES, f"{op} has a row already"
    CASES[op] = Case(op, ref, draw, examples, errors, tol)


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
    text = module_text(op.op, calls, [[*map(type_of, each)] for each in expected])
    try:
        program = Program(hlo2tiny.parse(text), "CPU")
        first = program.numpy(*(x for call in calls for x in call.operands))
        others = [call.other() for call in calls]
        second = program.numpy(*(x for call in others for x in call.operands))
        expect_equal(first, [r for each in expected for r in each], op.tol)
        expect_equal(second, [r for call in others for r in results_of(op, call)], op.tol)
    except Exception as error:
        error.add_note(text)
        raise


def check_error(op: Case, call: Call, message: str) -> None:
    """The op is refused, with its line and the message."""
    text = module_text(op.op, [call], [call.results.split(", ")])
    try:
        with pytest.raises(hlo2tiny.Error, match=message) as raised:
            Program(hlo2tiny.parse(text), "CPU").compile()
        assert raised.value.line == 4 and raised.value.message.startswith(op.op)
    except BaseException as error:
        error.add_note(text)
        raise


def new_tests() -> tuple[Any, Any, Any]:
    """The tests of the rows since the last call, that is of one file: drawn values, special values, errors."""
    rows = [op for op in CASES.values() if op.op not in TESTED]
    TESTED.update(op.op for op in rows)
    # Shrinking a failure would compile new kernels for minutes; the note on a failure has the module's text.
    phases = [Phase.explicit, Phase.generate]
    checks = list(HealthCheck)
    quick = settings(max_examples=6, derandomize=True, deadline=None, suppress_health_check=checks, phases=phases)

    @pytest.mark.parametrize("op", [r for r in rows if r.draw is not None], ids=lambda r: r.op)
    def drawn(op: Case) -> None:
        assert op.draw is not None
        quick(given(op.draw)(lambda call: check_values(op, [call])))()

    @pytest.mark.parametrize("op", [r for r in rows if r.examples], ids=lambda r: r.op)
    def examples(op: Case) -> None:
        check_values(op, op.examples)

    wrong = [(r, call, message) for r in rows for call, message in [*unknown_attribute(r), *r.errors]]

    @pytest.mark.parametrize(("op", "call", "message"), wrong, ids=[f"{r.op}-{m[:30]}" for r, _, m in wrong])
    def errors(op: Case, call: Call, message: str) -> None:
        check_error(op, call, message)

    return drawn, examples, errors


def unknown_attribute(op: Case) -> list[tuple[Call, str]]:
    """An attribute that the rule does not name is refused."""
    if not op.examples:
        return []
    call = op.examples[0]
    types = ", ".join(map(type_of, results_of(op, call)))
    return [(Call(call.operands, {**call.attributes, "no_such_attribute": 1}, types), "'no_such_attribute'")]
