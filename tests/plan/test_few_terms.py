"""On processors, products of few terms and columns are kernels, which write the results where they belong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.ir import ScalarType
from hlo2tiny.ir.dtypes import numpy_dtype
from hlo2tiny.plan.lowering import computed_elsewhere
from hlo2tiny.plan.plan import Gemm, Kernels

ROWS = 700
SIZES = {"n": ROWS, "b": 3}
EXACT = {"f32": 1e-6, "f64": 1e-15, "bf16": 2**-8, "f16": 2**-11}
# As JAX spells products: of two matrices with the dimensions of the result, and what it is transposed to.
SPELLED = ["nk,km->nm", "nk,mk->nm", "kn,km->nm", "nk,mk->nm->mn", "km,nk->mn", "km,nk->mn->nm", "km,nbk->mnb->bnm"]
READ_BY_COLUMNS = ["kn,km->nm->mn", "km,kn->mn"]  # whose long rows are contiguous


def program(spelled: str, terms: int, columns: int, element: str, function: str = "") -> str:
    operands, result, *turned = spelled.split("->")
    left, right = operands.split(",")
    sizes = SIZES | {"k": terms, "m": columns}

    def type_of(part: str) -> str:
        return f"tensor<{'x'.join(str(sizes[c]) for c in part)}x{element}>"

    final = turned[0] if turned else result
    order = ", ".join(str(result.index(c)) for c in final)
    moved = f"%2 = stablehlo.transpose %1, dims = [{order}] : ({type_of(result)}) -> {type_of(final)}" * bool(turned)
    summed = f"contracting_dims = [{left.index('k')}] x [{right.index('k')}]"
    x, given = ("%0", f"%0 = stablehlo.{function} %x : {type_of(left)}") if function else ("%x", "")
    found = "%2" if turned else "%1"
    return f"""
    func.func @main(%x: {type_of(left)}, %y: {type_of(right)}, %z: {type_of(final)}) -> {type_of(final)} {{
      {given}
      %1 = stablehlo.dot_general {x}, %y, {summed} : ({type_of(left)}, {type_of(right)}) -> {type_of(result)}
      {moved}
      %3 = stablehlo.add {found}, %z : {type_of(final)}
      return %3 : {type_of(final)}
    }}"""


def draw(program: hlo2tiny.Program) -> list[np.ndarray]:
    generator = np.random.default_rng(0)
    return [generator.normal(size=each.shape).astype(each.dtype) for each in program.inputs]


def check(program: hlo2tiny.Program, spelled: str, element: str, arrays: Sequence[np.ndarray]) -> None:
    operands, result, *turned = spelled.split("->")
    x, y, z = (each.astype(np.float64) for each in arrays)
    (found,) = program.numpy(*arrays)
    wide = np.einsum(f"{operands}->{(turned or [result])[0]}", x, y)
    expected = wide.astype(numpy_dtype(ScalarType(element))).astype(np.float64) + z
    assert np.abs(found.astype(np.float64) - expected).max() <= EXACT[element] * np.abs(expected).max()


@pytest.mark.parametrize("element", [*EXACT])
@pytest.mark.parametrize("spelled", SPELLED)
@pytest.mark.parametrize(("terms", "columns"), [(2, 16), (3, 5), (4, 12), (8, 1), (8, 7)])
def test_they_are_one_kernel_with_what_follows(spelled: str, terms: int, columns: int, element: str) -> None:
    loaded = hlo2tiny.load(program(spelled, terms, columns, element), "CPU")
    turns = spelled.endswith("mn") and columns > 1
    long = turns and terms > 4 and element == "f64"  # rows that are longer than vectors
    few = turns or columns <= 4  # or no vectors of narrow numbers
    if not long and (element in ("f32", "f64") or few or ("km" in spelled and (element == "f16" or terms <= 4))):
        assert [type(step) for step in loaded.plan.main.steps] == [Kernels]
    check(loaded, spelled, element, draw(loaded))


OTHERS = [*((s, 8, 12, "f32") for s in READ_BY_COLUMNS), (SPELLED[0], 9, 12, "f32"), (SPELLED[0], 8, 17, "f32")]
# Columns that are not adjacent, and terms that compilers take one by one.
OTHERS += [("nk,mk->nm", 4, 12, "bf16"), ("kn,mk->nm", 2, 5, "f16"), ("nk,km->nm", 8, 3, "bf16")]
OTHERS += [
    ("nk,km->nm", 9, 1, "f32"),
    ("nk,km->nm", 65, 1, "f64"),
    ("nk,km->nm", 16, 1, "bf16"),
    ("kn,km->nm", 32, 1, "f32"),
]


@pytest.mark.parametrize(("spelled", "terms", "columns", "element"), OTHERS)
def test_others_are_steps(spelled: str, terms: int, columns: int, element: str) -> None:
    loaded = hlo2tiny.load(program(spelled, terms, columns, element), "CPU")
    assert any(isinstance(step, Gemm) for step in loaded.plan.main.steps)
    check(loaded, spelled, element, draw(loaded))


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize(("terms", "columns"), [(16, 1), (23, 1), (64, 1), (16, 2), (16, 4)])
@pytest.mark.parametrize("spelled", ["nk,km->nm", "nk,mk->nm"])
def test_rows_of_whole_vectors_are_multiplied_by_few_columns(
    spelled: str, terms: int, columns: int, element: str
) -> None:
    loaded = hlo2tiny.load(program(spelled, terms, columns, element), "CPU")
    assert [type(step) for step in loaded.plan.main.steps] == [Kernels]
    check(loaded, spelled, element, draw(loaded))


@pytest.mark.parametrize(("function", "apart"), [("exponential", 1), ("negate", 0)])
def test_what_costs_more_than_storing_it_is_computed_once(function: str, apart: int) -> None:
    """A kernel would compute what it multiplies again for each column."""
    loaded = hlo2tiny.load(program(SPELLED[0], 8, 12, "f32", function), "CPU")
    (step,) = loaded.plan.kernels()
    assert len(computed_elsewhere(step)) == apart
    x, *others = draw(loaded)
    (found,) = loaded.numpy(x, *others)
    given = np.exp(x) if function == "exponential" else -x
    np.testing.assert_allclose(found, given @ others[0] + others[1], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("function", "kind"), [("tanh", Gemm), ("negate", Kernels)])
def test_functions_of_short_rows_are_computed_by_whole_vectors(function: str, kind: type) -> None:
    text = program(SPELLED[0], 3, 14, "f32")
    result = f"tensor<{ROWS}x14xf32>"
    text = text.replace("return %3", f"%4 = stablehlo.{function} %3 : {result} return %4")
    loaded = hlo2tiny.load(text, "CPU")
    assert isinstance(loaded.plan.main.steps[0], kind)
    x, y, z = draw(loaded)
    (found,) = loaded.numpy(x, y, z)
    expected = np.tanh(x @ y + z) if function == "tanh" else -(x @ y + z)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_a_row_keeps_its_bits_in_any_batch() -> None:
    loaded = hlo2tiny.load(program(SPELLED[0], 4, 12, "f32"), "CPU", batch_invariant=True)
    assert any(isinstance(step, Gemm) for step in loaded.plan.main.steps)
