"""Whole programs of real frameworks against XLA's results."""

from __future__ import annotations

import numpy as np
import pytest

import hlo2tiny
from corpus import BY_NAME, ENTRIES, Entry


@pytest.mark.sampled(3)
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_results_equal_xla(entry: Entry) -> None:
    program = hlo2tiny.load(entry.path, device="CPU")
    inputs = entry.inputs()
    first = program.numpy(*inputs)
    entry.check(first)
    kept = [array.copy() for array in first]
    changed = [np.flip(array) if array.dtype.kind == "f" else array for array in inputs]
    program.numpy(*changed)
    for array, copy in zip(first, kept):
        np.testing.assert_array_equal(array, copy, err_msg="a later call changed a result")
    entry.check(program.numpy(*inputs))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_signature_has_the_models_names(entry: Entry) -> None:
    program = hlo2tiny.load(entry.path, device="CPU")
    described = [(i.shape, i.dtype.name) for i in program.inputs]
    assert described == [(tuple(row["shape"]), row["dtype"]) for row in entry.row["inputs"]]
    if entry.name != "handwritten_generic":
        assert [i.name for i in program.inputs] == [row["name"] for row in entry.row["inputs"]]


def test_convnet_is_closer_than_the_promise() -> None:
    entry = BY_NAME["flax_convnet"]
    (found,) = hlo2tiny.load(entry.path, device="CPU").numpy(*entry.inputs())
    np.testing.assert_allclose(found, entry.results()[0], rtol=1e-3, atol=1e-5)


def test_counted_ops_are_those_of_the_manifest() -> None:
    for entry in ENTRIES:
        found = {op.name for op in hlo2tiny.parse(entry.path).walk()}
        assert found == {name for name in entry.row["ops"] if not name.startswith(("builtin.", "func.func"))}, (
            entry.name
        )
