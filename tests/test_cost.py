"""`Program.cost()` and `hlo2tiny inspect --cost`: counts against formulas, against XLA's own, and by hand."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax
from test_cli import OPEN, cli

import corpus
from hlo2tiny import InputError, load
from hlo2tiny.commands.inspect import amount
from hlo2tiny.cost import ProgramCost, cost_of_module
from hlo2tiny.formats import read
from hlo2tiny.ops import OPS, Cost, Trait
from hlo2tiny.ops.definition import MOVING
from hlo2tiny.ops.traits import CONTROL
from hlo2tiny.syntax.parser import parse
from hlo2tiny.verify.unwrap import unwrap


def cost_of(text: str) -> ProgramCost:
    return cost_of_module(unwrap(parse(text)))


def cost_of_jax(function: Callable[..., Any], *arguments: Any) -> ProgramCost:
    text = jax.jit(function).lower(*arguments).as_text(debug_info=True)
    return cost_of(text)


def tensor(*shape: int, dtype: Any = np.float32) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, dtype)


# ---------------------------------------------------------------- products and convolutions


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(1, 4), max_size=2), st.lists(st.integers(1, 5), max_size=2),
    st.lists(st.integers(1, 5), max_size=2), st.lists(st.integers(1, 6), max_size=2),
)  # fmt: skip
def test_products(batch: list[int], rows: list[int], columns: list[int], summed: list[int]) -> None:
    """Two operations for each product, also those of XLA's own count."""
    lhs, rhs = tensor(*batch, *rows, *summed), tensor(*summed, *columns, *batch)
    b, r, s, c = len(batch), len(rows), len(summed), len(columns)
    contracting = tuple(range(b + r, b + r + s)), tuple(range(s))
    batching = tuple(range(b)), tuple(range(s + c, s + c + b))

    def product(x: jax.Array, y: jax.Array) -> jax.Array:
        return lax.dot_general(x, y, (contracting, batching))

    expected = 2 * prod([*batch, *rows, *columns, *summed])
    assert cost_of_jax(product, lhs, rhs).flops == expected
    theirs = jax.jit(product).lower(lhs, rhs).cost_analysis()
    assert theirs is not None and theirs["flops"] == expected


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_convolutions(data: st.DataObject) -> None:
    """Every position of the kernel counts for every element of the result, also over padding, but not over holes."""
    draw = lambda least, most: data.draw(st.integers(least, most))
    groups, batch, kernel, size = draw(1, 3), draw(1, 3), (draw(1, 3), draw(1, 3)), (draw(5, 8), draw(5, 8))
    inputs, outputs = draw(1, 3), groups * draw(1, 3)

    def convolution(x: jax.Array, w: jax.Array) -> jax.Array:
        return lax.conv_general_dilated(
            x, w, strides, padding, lhs_dilation, rhs_dilation, ("NHWC", "HWIO", "NCHW"), groups
        )

    strides, lhs_dilation, rhs_dilation = ((draw(1, 2), draw(1, 2)) for _ in range(3))
    padding = [(draw(0, 2), draw(0, 2)) for _ in range(2)]
    x, w = tensor(batch, *size, groups * inputs), tensor(*kernel, inputs, outputs)
    n, c, *positions = jax.eval_shape(convolution, x, w).shape
    met = 1
    for d in range(2):
        places = np.arange(positions[d])[:, None] * strides[d] + np.arange(kernel[d]) * rhs_dilation[d] - padding[d][0]
        met *= int((places % lhs_dilation[d] == 0).sum())
    assert cost_of_jax(convolution, x, w).flops == 2 * n * c * met * inputs


def test_transposed_convolutions_and_gradients() -> None:
    """Each costs what its transpose costs: a kernel meets every element of the smaller image."""

    def transposed(x: jax.Array, w: jax.Array) -> jax.Array:
        return lax.conv_transpose(x, w, (2, 2), "SAME")

    assert cost_of_jax(transposed, tensor(2, 14, 14, 3), tensor(4, 4, 3, 8)).flops == 2 * 2 * 14 * 14 * 16 * 3 * 8

    def loss(w: jax.Array, v: jax.Array, x: jax.Array) -> jax.Array:
        y = lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return (y.reshape(4, -1) @ v).sum()

    gradient = jax.grad(loss, (0, 1, 2))
    rows = cost_of_jax(gradient, tensor(3, 3, 8, 16), tensor(14 * 14 * 16, 10), tensor(4, 28, 28, 8)).ops
    once = 2 * 4 * 14 * 14 * 16 * 9 * 8
    convolutions = [row.flops for row in rows if row.name == "stablehlo.convolution"]
    assert len(convolutions) >= 2 and all(abs(flops - once) < 0.01 * once for flops in convolutions)
    products = [row.flops for row in rows if row.name == "stablehlo.dot_general"]
    assert products and set(products) == {2 * 4 * 14 * 14 * 16 * 10}


def test_a_convolution_without_padding_as_xla_counts_it() -> None:
    def convolution(x: jax.Array, w: jax.Array) -> jax.Array:
        return lax.conv_general_dilated(x, w, (2, 1), "VALID", rhs_dilation=(1, 2), feature_group_count=2)

    arguments = tensor(2, 4, 9, 10), tensor(6, 2, 3, 3)
    theirs = jax.jit(convolution).lower(*arguments).cost_analysis()
    assert theirs is not None and cost_of_jax(convolution, *arguments).flops == theirs["flops"]


def test_groups_of_the_batch_complex_numbers_and_ragged_products() -> None:
    def convolution(x: jax.Array, w: jax.Array) -> jax.Array:
        return lax.conv_general_dilated(x, w, (1, 1), "VALID", batch_group_count=2)

    assert cost_of_jax(convolution, tensor(4, 3, 5, 5), tensor(6, 3, 2, 2)).flops == 2 * (2 * 6 * 4 * 4) * (3 * 2 * 2)
    z = tensor(4, 5, dtype=np.complex64), tensor(5, 6, dtype=np.complex64)
    assert cost_of_jax(jnp.matmul, *z).flops == 8 * 4 * 5 * 6
    text = """func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<10x4xf32>,
        %d: tensor<3x4x5xf32>, %g: tensor<3xi64>) -> (tensor<2x4xf32>, tensor<2xf32>) {
      %0 = stablehlo.einsum %a, %b, config = "ij,jk->ik" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
      %1 = stablehlo.unary_einsum %a, config = "ij->i" : (tensor<2x3xf32>) -> tensor<2xf32>
      %2 = "chlo.ragged_dot"(%c, %d, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<
        lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0],
        rhs_group_dimensions = [0]>}> : (tensor<10x4xf32>, tensor<3x4x5xf32>, tensor<3xi64>) -> tensor<10x5xf32>
      return %0, %1 : tensor<2x4xf32>, tensor<2xf32>
    }"""
    assert [row.flops for row in cost_of(text).ops] == [2 * 2 * 3 * 4, 2 * 3, 2 * 10 * 4 * 5]


# ---------------------------------------------------------------- other ops


def test_elementwise_ops_reductions_and_free_ops() -> None:
    def f(x: jax.Array, b: jax.Array) -> jax.Array:
        return jnp.sum(jnp.tanh(x + b), axis=1)

    cost = cost_of_jax(f, tensor(8, 16), tensor(16))
    assert {row.name: (row.flops, row.bytes) for row in cost.ops} == {
        "stablehlo.add": (128, 4 * (128 + 16 + 128)),  # b is read as it is, not broadcast
        "stablehlo.tanh": (128, 4 * (128 + 128)),
        "stablehlo.reduce": (128 - 8, 4 * (128 + 1 + 8)),
    }
    assert cost.intensity == cost.flops / cost.bytes
    # The two arguments, the constant, and two of the three intermediate arrays.
    assert cost.peak_memory == 4 * (128 + 16 + 1 + 128 + 128)


def test_only_what_is_selected_is_read_and_only_what_is_replaced_is_written() -> None:
    rows = cost_of_jax(lambda x, i: x[i], tensor(1000, 8), tensor(3, dtype=np.int32)).ops
    gathered = next(row for row in rows if row.name == "stablehlo.gather")
    assert gathered.bytes <= 4 * (3 * 8 * 2 + 3)
    cost = cost_of_jax(lambda x, y, i: lax.dynamic_update_slice(x + 1, y, (i, 0)), tensor(1000, 8), tensor(2, 8), 3)
    updated = next(row for row in cost.ops if row.name == "stablehlo.dynamic_update_slice")
    assert updated.bytes < 300
    assert 2 * 32000 < cost.peak_memory < 2 * 32000 + 200  # the argument, and the result, which reuses the sum's memory


def test_a_body_that_calls_a_function() -> None:
    text = """func.func private @most(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.maximum %a, %b : tensor<f32>
      %1 = stablehlo.add %0, %a : tensor<f32>
      return %1 : tensor<f32>
    }
    func.func @main(%x: tensor<5x7xf32>, %i: tensor<f32>) -> tensor<5xf32> {
      %0 = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<5x7xf32>, tensor<f32>) -> tensor<5xf32>
        reducer(%a: tensor<f32>, %b: tensor<f32>) {
          %1 = func.call @most(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }
      return %0 : tensor<5xf32>
    }"""
    assert cost_of(text).flops == 2 * (35 - 5)


def test_every_row_says_what_the_op_takes_or_is_named_here() -> None:
    """Ops with `static` become others before anything is counted."""
    known = MOVING | CONTROL | Trait.ELEMENTWISE | Trait.BROADCASTING
    rows = [row for row in OPS.values() if row.flops is None and row.cost > Cost.FREE and not row.static]
    assert [row.name for row in rows if not row.traits & known] == ["stablehlo.custom_call"]


# ---------------------------------------------------------------- control flow


def test_loops() -> None:
    step = tensor(16, 16)
    once = cost_of_jax(lambda x: jnp.tanh(x @ x), step)
    many = cost_of_jax(lambda x: lax.fori_loop(0, 12, lambda i, x: jnp.tanh(x @ x), x), step)
    assert many.open_loops == 0 and 12 * once.flops < many.flops < 12 * once.flops + 100
    product = next(row for row in many.ops if row.name == "stablehlo.dot_general")
    assert (product.iterations, product.flops) == (12, 12 * 2 * 16**3)
    unknown = cost_of_jax(lambda x: lax.while_loop(lambda x: x[0, 0] < 1, lambda x: jnp.tanh(x @ x), x), step)
    assert unknown.open_loops == 1 and once.flops < unknown.flops < once.flops + 100


def test_the_dearest_branch_counts() -> None:
    def f(p: jax.Array, x: jax.Array) -> jax.Array:
        return lax.cond(p, lambda x: x @ x, lambda x: x + 1, x)

    cost = cost_of_jax(f, tensor(dtype=np.bool_), tensor(8, 8))
    assert cost.flops == 2 * 8**3
    assert [(row.iterations, row.flops) for row in cost.ops if row.flops or not row.iterations] == [(0, 0), (1, 1024)]


def chain(length: int) -> str:
    """Functions of which each calls the next one twice."""
    t = "tensor<4xf32>"
    text = f"func.func @main(%x: {t}) -> {t} {{ %0 = func.call @f0(%x) : ({t}) -> {t} return %0 : {t} }}\n"
    for i in range(length):
        calls = f"%0 = func.call @f{i + 1}(%x) : ({t}) -> {t} %1 = func.call @f{i + 1}(%0) : ({t}) -> {t}"
        text += f"func.func private @f{i}(%x: {t}) -> {t} {{ {calls} return %1 : {t} }}\n"
    last = f"%0 = stablehlo.add %x, %x : {t} return %0 : {t}"
    return text + f"func.func private @f{length}(%x: {t}) -> {t} {{ {last} }}\n"


def test_calls_of_calls() -> None:
    short = cost_of(chain(3))
    assert [row.flops for row in short.ops] == [4] * 8 and short.flops == 32
    long = cost_of(chain(2000))  # more rows than fit into memory, deeper than Python's calls
    assert long.flops == 4 << 2000 and sum(row.flops for row in long.ops) == long.flops and len(long.ops) == 1
    assert amount(long.flops) == "over 1e36 "


# ---------------------------------------------------------------- scopes


def test_scopes_of_functions_that_are_called_twice() -> None:
    @jax.jit
    def inner(x: jax.Array) -> jax.Array:
        with jax.named_scope("inside"):
            return jnp.sin(x)

    def model(x: jax.Array) -> jax.Array:
        with jax.named_scope("first"):
            x = inner(x @ x)
        with jax.named_scope("second"):
            return inner(x)

    cost = cost_of_jax(model, tensor(4, 4))
    flops = {row.place: row.flops for row in cost.scopes}
    top = "jit(model)"
    assert flops[top] == cost.flops == 128 + 16 + 16
    assert flops[f"{top}/first"] == 128 + 16 and flops[f"{top}/second"] == 16
    assert flops[f"{top}/first/jit(inner)/inside"] == flops[f"{top}/second/jit(inner)/inside"] == 16


@pytest.mark.sampled(4)
@pytest.mark.parametrize("entry", corpus.ENTRIES, ids=lambda entry: entry.name)
def test_the_corpus(entry: corpus.Entry) -> None:
    cost = cost_of_module(unwrap(read(entry.path, "CPU", None).module))
    for figure in ("flops", "bytes"):
        assert sum(getattr(row, figure) for row in cost.ops) == getattr(cost, figure) > 0
        outermost = sum(getattr(row, figure) for row in cost.scopes if not row.scope)
        assert outermost <= getattr(cost, figure)
    assert all(0 < row.peak_memory <= cost.peak_memory for row in cost.ops)
    arrays = [*entry.inputs(), *entry.results()]
    assert cost.peak_memory >= max(array.nbytes for array in arrays)


# ---------------------------------------------------------------- users' ways to it


def test_open_shapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.mlir"
    path.write_text(OPEN)
    program = load(path, device="CPU")
    with pytest.raises(InputError, match="the file has open dimensions, and their sizes are needed here:"):
        program.cost()
    known = program.cost([(3, 2)])
    assert (known.flops, known.bytes) == (6, 2 * 4 * 6)
    for command in (["inspect", path, "--cost"], ["view", path, "-o", tmp_path / "page.html"]):
        code, _, err = cli(capsys, *command)
        assert code == 1 and "x: float32[?, 2] is open; use --shape" in err
    code, out, _ = cli(capsys, "inspect", path, "--cost", "--shape", "x=3,2")
    assert code == 0 and f"a call: {known.flops} flop" in out


def test_inspect(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = cli(capsys, "inspect", corpus.BY_NAME["keras_resnet_block"].path, "--cost")
    assert (code, err) == (0, "")
    assert "    1.18 M    67.8 k    17.39    70.4 k           1    conv2d\n" in out and "a call: 2.50 Mflop, " in out
    code, out, _ = cli(capsys, "inspect", corpus.BY_NAME["while_loop"].path, "--cost")
    assert code == 0 and "2 loops of unknown trip count: one iteration is counted" in out
    code, out, _ = cli(capsys, "inspect", corpus.BY_NAME["linear_algebra"].path, "--cost")
    assert code == 0 and "ops whose operations are unknown and not counted: 20 stablehlo.custom_call" in out


def test_amounts() -> None:
    assert [amount(n) for n in (0, 999, 1000, 12_345, 999_999, 10**9)] == [
        "0 ", "999 ", "1.00 k", "12.3 k", "1000 k", "1.00 G"
    ]  # fmt: skip
