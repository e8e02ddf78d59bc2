"""Each rule has a row of tests, and each row a rule; what verification accepts, rules lower."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import Phase, given, settings
from mutated_ops import mutants

import hlo2tiny
from hlo2tiny.errors import UnsupportedOp
from hlo2tiny.ir import Module, Op, TensorType, Type
from hlo2tiny.ir.rewrite import clone_value
from hlo2tiny.ops import OPS
from hlo2tiny.rules import RULES
from hlo2tiny.rules.control import CONTROL
from hlo2tiny.rules.registry import PLAIN, graph_size
from hlo2tiny.specialise.specialise import result_types
from hlo2tiny.verify.problems import OF_PLANS, op_problem

from . import (  # noqa: F401  (fills CASES)
    test_broadcasting,
    test_collectives,
    test_convolution,
    test_custom_calls,
    test_dialects,
    test_dot,
    test_elementary,
    test_elementwise,
    test_fft,
    test_gather,
    test_integers,
    test_linalg,
    test_mapping,
    test_movement,
    test_normalization,
    test_quantization,
    test_random,
    test_reduction,
    test_selection,
    test_sort,
    test_special,
)
from .cases import CASES, Case, check_drawn, check_references, results_of, text_of
from .mlir import Call
from .test_control import COVERED


def test_each_rule_has_a_row() -> None:
    """Those of plans have examples in tests/targets: c/test_fourier.py and cuda/test_scatters_in_loops.py."""
    assert RULES.keys() - OF_PLANS == CASES.keys()


@pytest.mark.ci
@pytest.mark.sampled(4, ci=4)
@pytest.mark.parametrize("case", [case for case in CASES.values() if case.op[0] != "@"], ids=lambda case: case.op)
def test_references_say_what_others_compute(case: Case) -> None:
    """This changes with the rows, numpy and jax, not with hlo2tiny."""
    check_references(case, case.examples)
    if case.draw is not None:
        check_drawn(case, check_references)


def test_control_flow_is_covered() -> None:
    assert set(CONTROL) == COVERED


# A row does not know how many processes run, so not the sizes where groups are left out, as in these ops' cases.
OF_ALL_PROCESSES = ("stablehlo.all_gather", "stablehlo.reduce_scatter")
PROVED = [c for c in CASES.values() if c.op in OPS and not RULES[c.op].host and c.op not in OF_ALL_PROCESSES]


def module_of(case: Case, call: Call) -> tuple[Module, Op]:
    module = hlo2tiny.parse(text_of(case, [call], [results_of(case, call)]))
    return module, next(op for op in module.walk() if op.name == case.op)


def accepted(module: Module, op: Op) -> Iterator[tuple[str, Op]]:
    """The changed ops that verification accepts."""
    return ((what, each) for what, each in mutants(op) if op_problem(module, each, (), 1) is None)


@pytest.mark.sampled(16, ci=4)
@pytest.mark.parametrize("case", PROVED, ids=lambda case: case.op)
def test_rules_rely_on_what_rows_prove(case: Case) -> None:
    """Each op with a type or an attribute changed: verification refuses it, or its rule gives the declared types."""

    def check(call: Call) -> None:
        module, op = module_of(case, call)
        assert op_problem(module, op, (), 1) is None
        for what, changed in accepted(module, op):
            try:
                graph_size(changed, PLAIN)
            except UnsupportedOp:
                continue
            except Exception as error:
                error.add_note(f"verification accepts {what}\n{module}")
                raise

    for call in case.examples[:3]:
        check(call)
    if case.draw is not None:
        settings(max_examples=3, phases=[Phase.generate])(given(case.draw)(check))()


# What these give follows from no operand: it is declared.
DECLARED = (
    *("stablehlo.iota", "stablehlo.constant", "chlo.constant", "sdy.constant", "stablehlo.rng", "tensor.empty"),
    *("stablehlo.rng_bit_generator", "stablehlo.reshape", "stablehlo.broadcast_in_dim", "arith.constant"),
    *("stablehlo.partition_id", "stablehlo.replica_id", "tensor.from_elements", "tensor.splat"),
)


@pytest.mark.sampled(16, ci=4)
@pytest.mark.parametrize("case", [case for case in PROVED if case.op not in DECLARED], ids=lambda case: case.op)
def test_rows_infer_what_rules_compute(case: Case) -> None:
    """The types of results whose sizes a file leaves open."""

    def check(call: Call) -> None:
        _, op = module_of(case, call)
        opened = replace(op, results=tuple(clone_value(v, with_open_sizes(v.type)) for v in op.results))
        assert result_types(opened) == [v.type for v in op.results]

    for call in case.examples[:3]:
        check(call)
    if case.draw is not None:
        settings(max_examples=3, phases=[Phase.generate])(given(case.draw)(check))()


def with_open_sizes(type: Type) -> Type:
    return replace(type, shape=(None,) * len(type.shape)) if isinstance(type, TensorType) else type
