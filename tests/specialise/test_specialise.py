"""Programs whose shapes only a call makes known: JAX's symbolic exports against JAX, and each dynamic op by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

import hlo2tiny
from hlo2tiny.ops import OPS
from hlo2tiny.program.specialisations import MOST_SPECIALISATIONS
from hlo2tiny.rules import RULES
from hlo2tiny.specialise.dynamic import DYNAMIC


def numbers(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    rng = np.random.default_rng(sum(shape))
    return rng.standard_normal(shape).astype(dtype) if np.dtype(dtype).kind == "f" else rng.integers(0, 9, shape, dtype)


# ---------------------------------------------------------------- JAX's symbolic exports


def mixed(x: Any, w: Any) -> Any:
    y = jnp.tanh(x @ w) + jnp.arange(x.shape[0] * 2, dtype=jnp.float32).reshape(2, -1)[0][:, None]
    return y.reshape(-1), jnp.concatenate([x, x]).sum(0), jnp.pad(x, ((1, 2), (0, 0)))


def loop(x: Any) -> Any:
    return jax.lax.fori_loop(0, x.shape[0], lambda i, total: total + x[i], jnp.zeros(x.shape[1:]))


def scan(x: Any) -> Any:
    return jax.lax.scan(lambda c, row: (c + row, c * row), jnp.zeros(x.shape[1:]), x)


def window(x: Any) -> Any:
    return jax.lax.reduce_window(x, 0.0, jax.lax.add, (x.shape[0], 1), (1, 1), "SAME"), jnp.cumsum(x, axis=0)


def indexing(x: Any) -> Any:
    rows = x[jnp.arange(x.shape[0]) % 2]
    return rows, x.at[jnp.arange(x.shape[0])].add(1.0), x[::2], x[1:], jnp.roll(x, 1, 0), x[-1]


def branches(x: Any) -> Any:
    return jax.lax.cond(x.sum() > 0, lambda v: v * 2, lambda v: v - 1, x)


def random_bits(x: Any) -> Any:
    return jax.random.uniform(jax.random.key(0), x.shape)


def attention(x: Any) -> Any:
    scores = jnp.where(jnp.tril(jnp.ones((x.shape[0], x.shape[0]), bool)), x @ x.T, -jnp.inf)
    return jax.nn.softmax(scores) @ x


def convolution(x: Any, k: Any) -> Any:
    return jax.lax.conv_general_dilated(x, k, (2, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


IMAGES = [("b, h, w, 3", (3, 3, 3, 4)), [(1, 5, 6, 3), (2, 8, 3, 3)]]
ROWS = ["b, 4", [(2, 4), (7, 4), (3, 4)]]
MODELS: dict[str, tuple[Callable[..., Any], Any, list[Any], list[tuple[int, ...]]]] = {
    "mixed": (mixed, *ROWS, [(4, 3)]),
    "loop": (loop, *ROWS, []),
    "scan": (scan, *ROWS, []),
    "window": (window, *ROWS, []),
    "indexing": (indexing, *ROWS, []),
    "branches": (branches, *ROWS, []),
    "random": (random_bits, "a, b", [(2, 3), (3, 2), (5, 5)], []),
    "attention": (attention, "n, n + 1", [(2, 3), (5, 6)], []),
    "gradient": (jax.grad(lambda x: jnp.sum(jnp.sort(x, axis=0) ** 2 * x.shape[0])), *ROWS, []),
    "top_k": (lambda x: jax.lax.top_k(x, 2), *ROWS, []),
    "means": (lambda x: (x.mean(0), x.var(), jnp.argmax(x, 0), jnp.median(x)), *ROWS, []),
    "products": (lambda x: (jnp.einsum("ij,kj->ik", x, x), x.reshape(-1)[: x.shape[0]]), *ROWS, []),
    "division": (lambda x: x.reshape(2, -1).sum(0), "2*b, 4", [(2, 4), (6, 4)], []),
    "convolution": (convolution, "b, h, w, 3", [(1, 5, 6, 3), (2, 8, 3, 3)], [(3, 3, 3, 4)]),
}


def exported(function: Callable[..., Any], symbolic: str, fixed: list[tuple[int, ...]], **how: Any) -> str:
    shapes = [export.symbolic_shape(symbolic, **how), *fixed]
    arguments = [jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes]
    return str(export.export(jax.jit(function))(*arguments).mlir_module())


def test_top_k_of_a_number_that_the_shape_gives() -> None:
    """JAX says whether it has to be stable since 0.12; it always is."""

    def function(x: Any) -> Any:
        return jax.lax.top_k(x, x.shape[1] - 1)

    text = exported(function, "2, b", [])
    unstable = text.replace("{api_version = 2 : i32}", "{api_version = 2 : i32, is_stable = false}")
    assert unstable.count("is_stable = false") == unstable.count("@stablehlo.dynamic_top_k") == 1
    x = np.array([[1, 3, 3, 2], [5, 5, 5, 5]], np.float32)
    for program in (hlo2tiny.load(each, device="CPU") for each in (text, unstable)):
        for f, e in zip(program.numpy(x), function(x), strict=True):
            np.testing.assert_array_equal(f, e)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", MODELS)
def test_symbolic_export_equals_jax_at_each_shape(name: str) -> None:
    function, symbolic, shapes, fixed = MODELS[name]
    program = hlo2tiny.load(exported(function, symbolic, fixed), device="CPU")
    assert None in program.inputs[0].shape
    for shape in [*shapes, shapes[0]]:
        arguments = [numbers(*s) for s in (shape, *fixed)]
        expected = jax.tree.leaves(jax.jit(function)(*arguments))
        results = program.numpy(*arguments)
        assert [(r.shape, r.dtype) for r in results] == [(e.shape, e.dtype) for e in expected]
        for result, wanted in zip(results, expected):
            np.testing.assert_allclose(result, wanted, rtol=2e-5, atol=1e-5)


def test_constraints_of_a_symbolic_export_are_reported() -> None:
    text = exported(lambda x: x.reshape(2, -1), "2*b, c", [], constraints=["c >= 3"])
    program = hlo2tiny.load(text, device="CPU")
    assert program.numpy(numbers(4, 3))[0].shape == (2, 6)
    with pytest.raises(hlo2tiny.InputError, match=r"Division had remainder 1 when computing the value of 'b'"):
        program.numpy(numbers(3, 3))
    with pytest.raises(hlo2tiny.InputError, match=r"constraint c >= 3\. Expected 'c - 3'.* but found -1"):
        program.numpy(numbers(4, 2))
    with pytest.raises(hlo2tiny.InputError, match=r"argument 0 \(x\) is float32\[4\], expected float32\[2\*b, c\]"):
        program.numpy(numbers(4))
    with pytest.raises(hlo2tiny.InputError, match=r"float64\[4, 3\], expected float32\[2\*b, c\]"):
        program.numpy(numbers(4, 3, dtype=np.float64))


def test_plans_are_kept_within_bounds_and_by_shape() -> None:
    program = hlo2tiny.load(
        "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n return %x : tensor<?xf32>\n}", "CPU"
    )
    with pytest.raises(hlo2tiny.InputError, match="depends on the arguments"):
        _ = program.plan
    for size in [*range(MOST_SPECIALISATIONS + 3), 4, 4]:
        assert program.numpy(np.ones(size, np.float32))[0].shape == (size,)
    assert len(program._specialisations._compiled) == MOST_SPECIALISATIONS
    assert program.plan.main.types


def test_threads_with_different_shapes() -> None:
    program = hlo2tiny.load(exported(mixed, "b, 4", [(4, 3)]), device="CPU")
    wrong: list[str] = []

    def work(size: int) -> None:
        for _ in range(3):
            x, w = numbers(size, 4), numbers(4, 3)
            for result, wanted in zip(program.numpy(x, w), mixed(x, w)):
                if not np.allclose(result, wanted, 1e-4, 1e-5):
                    wrong.append(f"at size {size}")

    threads = [threading.Thread(target=work, args=(size,)) for size in (1, 2, 3, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---------------------------------------------------------------- each dynamic op


def run(signature: str, body: str, result: str, *arguments: np.ndarray) -> np.ndarray:
    text = f"func.func @main({signature}) -> {result} {{\n{body}\n  return %r : {result}\n}}"
    return hlo2tiny.load(text, device="CPU").numpy(*arguments)[0]


def test_dynamic_reshape_by_a_constant_and_by_an_argument() -> None:
    x = numbers(2, 3)
    body = "%s = stablehlo.constant dense<[3, 2]> : tensor<2xi32>\n"
    op = "%r = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>"
    assert np.array_equal(run("%x: tensor<2x3xf32>", body + op, "tensor<?x?xf32>", x), x.reshape(3, 2))
    signature = "%x: tensor<2x3xf32>, %s: tensor<2xi32>"
    for shape in ((6, 1), (1, 6)):
        got = run(signature, op, "tensor<?x?xf32>", x, np.array(shape, np.int32))
        assert np.array_equal(got, x.reshape(shape))


def test_chlo_dynamic_reshape() -> None:
    op = "%r = chlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>"
    op = op.replace("chlo.dynamic_reshape %x, %s", '"chlo.dynamic_reshape"(%x, %s)')
    signature = "%x: tensor<6xf32>, %s: tensor<2xi32>"
    assert run(signature, op, "tensor<?x?xf32>", numbers(6), np.array([2, 3], np.int32)).shape == (2, 3)


def test_dynamic_broadcast_in_dim() -> None:
    op = (
        "%r = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>"
    )
    x = numbers(3)
    got = run("%x: tensor<?xf32>, %s: tensor<2xi64>", op, "tensor<?x?xf32>", x, np.array([2, 3]))
    assert np.array_equal(got, np.broadcast_to(x, (2, 3)))


def test_dynamic_iota() -> None:
    op = "%r = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi64>"
    got = run("%s: tensor<2xi32>", op, "tensor<?x?xi64>", np.array([2, 4], np.int32))
    assert np.array_equal(got, np.broadcast_to(np.arange(4), (2, 4)))


def test_dynamic_pad() -> None:
    op = (
        "%r = stablehlo.dynamic_pad %x, %v, %l, %h, %i : "
        "(tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>"
    )
    signature = "%x: tensor<?xf32>, %v: tensor<f32>, %l: tensor<1xi64>, %h: tensor<1xi64>, %i: tensor<1xi64>"
    value, one = np.float32(7), np.array([1])
    got = run(signature, op, "tensor<?xf32>", np.array([1, 2], np.float32), value, one, np.array([-1]), one)
    assert got.tolist() == [7, 1, 7]


def test_real_dynamic_slice() -> None:
    op = (
        "%r = stablehlo.real_dynamic_slice %x, %a, %b, %c : "
        "(tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>"
    )
    signature = "%x: tensor<?xf32>, %a: tensor<1xi64>, %b: tensor<1xi64>, %c: tensor<1xi64>"
    x = numbers(9)
    got = run(signature, op, "tensor<?xf32>", x, np.array([1]), np.array([8]), np.array([3]))
    assert np.array_equal(got, x[1:8:3])
    with pytest.raises(hlo2tiny.VerifyError, match="C3"):
        run(signature, op, "tensor<?xf32>", x, np.array([1]), np.array([12]), np.array([3]))


def test_real_dynamic_slice_that_begins_where_the_program_computes() -> None:
    """If its sizes are known, it is a dynamic slice, and no program for each place."""
    ops = """
      %one = stablehlo.constant dense<1> : tensor<2xi32>
      %three = stablehlo.constant dense<3> : tensor<1xi32>
      %d = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
      %width = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
      %sizes = stablehlo.concatenate %three, %width, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %start = stablehlo.add %i, %i : tensor<2xi32>
      %limit = stablehlo.add %sizes, %start : tensor<2xi32>
      %r = stablehlo.real_dynamic_slice %x, %start, %limit, %one
        : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>"""
    signature = "%x: tensor<?x?xf32>, %i: tensor<2xi32>"
    program = hlo2tiny.load(
        f"func.func @main({signature}) -> tensor<?x?xf32> {{{ops}\n return %r : tensor<?x?xf32> }}", "CPU"
    )
    x = numbers(9, 4)
    for i in (0, 2, 3):
        assert np.array_equal(program.numpy(x, np.array([i, 0], np.int32))[0], x[2 * i : 2 * i + 3])
    assert len(program._specialisations._compiled) == 1


def test_scan_over_symbolic_caches() -> None:
    def layer(x: Any, each: tuple[Any, Any]) -> tuple[Any, Any]:
        w, cache = each
        cache = jax.lax.dynamic_update_slice(cache, (x @ w)[None], (2, 0))
        return jnp.tanh(cache).sum(0), cache

    def function(x: Any, w: Any, cache: Any) -> Any:
        return jax.lax.scan(layer, x, (w, cache))

    exported = export.export(jax.jit(function))(
        *(jax.ShapeDtypeStruct(s, jnp.float32) for s in ((4,), (3, 4, 4), export.symbolic_shape("3, s, 4")))
    )
    program = hlo2tiny.load(exported.mlir_module(), device="CPU")
    for s in (3, 8):
        arguments = numbers(4), numbers(3, 4, 4), numbers(3, s, 4)
        for found, expected in zip(program.numpy(*arguments), jax.jit(function)(*arguments)):
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_dynamic_gather() -> None:
    op = """%r = "stablehlo.dynamic_gather"(%x, %i, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}
      : (tensor<5x4xf32>, tensor<?xi64>, tensor<2xi64>) -> tensor<?x?xf32>"""
    x = numbers(5, 4)
    signature = "%x: tensor<5x4xf32>, %i: tensor<?xi64>, %s: tensor<2xi64>"
    got = run(signature, op, "tensor<?x?xf32>", x, np.array([3, 9, 0]), np.array([1, 2]))
    assert np.array_equal(got, x[[3, 4, 0], :2])


def test_dynamic_conv() -> None:
    op = """%r = "stablehlo.dynamic_conv"(%x, %k, %p) {
      dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64,
      batch_group_count = 1 : i64} : (tensor<1x?x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x?x1xf32>"""
    signature = "%x: tensor<1x?x1xf32>, %k: tensor<2x1x1xf32>, %p: tensor<1x2xi64>"
    x, k = np.array([1, 2, 3], np.float32).reshape(1, 3, 1), np.array([1, 10], np.float32).reshape(2, 1, 1)
    got = run(signature, op, "tensor<1x?x1xf32>", x, k, np.array([[1, 0]]))
    assert got.reshape(-1).tolist() == [10, 21, 32]


def test_get_and_set_dimension_size() -> None:
    size = "%r = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>"
    assert run("%x: tensor<2x?xf32>", size, "tensor<i32>", numbers(2, 5)) == 5
    cut = """%c = stablehlo.set_dimension_size %x, %n, dim = 0 :
        (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %r = stablehlo.reduce(%c init: %z) applies stablehlo.add across dimensions = [0] :
        (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<f32>"""
    x = np.array([1, 2, 4, 8], np.float32)
    for count in range(5):
        got = run("%x: tensor<4xf32>, %n: tensor<i32>", cut, "tensor<f32>", x, np.int32(count))
        assert got == x[:count].sum()
    with pytest.raises(hlo2tiny.UnsupportedOp, match="grows dimension 0 from 4 to 5"):
        run("%x: tensor<4xf32>, %n: tensor<i32>", cut, "tensor<f32>", x, np.int32(5))
    with pytest.raises(hlo2tiny.InputError, match=r"size is \[-1\], expected no negative sizes"):
        run("%x: tensor<4xf32>, %n: tensor<i32>", cut, "tensor<f32>", x, np.int32(-1))


def test_bounded_dimensions_are_checked() -> None:
    kind = "tensor<?x2xf32, #stablehlo.bounds<3, ?>>"
    text = f"func.func @main(%x: {kind}) -> {kind} {{\n  %r = stablehlo.negate %x : {kind}\n  return %r : {kind}\n}}"
    program = hlo2tiny.load(text, device="CPU")
    assert program.numpy(numbers(3, 2))[0].shape == (3, 2)
    with pytest.raises(
        hlo2tiny.InputError, match=r"float32\[4, 2\], expected float32\[\?, 2\] with dimensions of at mo"
    ):
        program.numpy(numbers(4, 2))


def test_shape_assertion_without_jax() -> None:
    op = """stablehlo.custom_call @shape_assertion(%p, %n) {error_message = "n is {0}, {1} and {x}",
        has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
      %r = stablehlo.negate %n : tensor<i32>"""
    signature = "%p: tensor<i1>, %n: tensor<i32>"
    assert run(signature, op, "tensor<i32>", np.array(True), np.int32(3)) == -3
    with pytest.raises(hlo2tiny.InputError, match=r"n is \?, \{1\} and \{x\}|n is 3, \{1\} and \{x\}"):
        run(signature, op, "tensor<i32>", np.array(False), np.int32(3))


def test_dynamic_custom_calls() -> None:
    window = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %w = stablehlo.constant dense<2> : tensor<1xi64>
      %o = stablehlo.constant dense<1> : tensor<1xi64>
      %p = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
      %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
      %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
      %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %w, %o, %o, %o, %p)
        {called_computations = [@add]} : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>,
        tensor<1xi64>, tensor<1x2xi64>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }
    func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
      %c = stablehlo.add %a, %b : tensor<f32>
      return %c : tensor<f32>
    }"""
    assert hlo2tiny.load(window, "CPU").numpy(np.array([1, 2, 4], np.float32))[0].tolist() == [1, 3, 6]


def test_a_shape_that_the_program_computes_is_refused_with_words() -> None:
    body = """%z = stablehlo.constant dense<0> : tensor<i32>
      %n = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0]
        : (tensor<100xi32>, tensor<i32>) -> tensor<i32>
      %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
      %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>"""
    with pytest.raises(
        hlo2tiny.UnsupportedOp, match=r"stablehlo\.dynamic_iota: the result's shape depends on values that the"
    ):
        run("%x: tensor<100xi32>", body, "tensor<?xi32>", numbers(100, dtype=np.int32))


def test_a_loop_that_changes_a_shape_is_refused() -> None:
    body = """%0:2 = stablehlo.while(%a = %n, %b = %x) : tensor<i32>, tensor<?xf32>
      cond {
        %z = stablehlo.constant dense<0> : tensor<i32>
        %c = stablehlo.compare GT, %a, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %o = stablehlo.constant dense<1> : tensor<i32>
        %d = stablehlo.subtract %a, %o : tensor<i32>
        %e = stablehlo.concatenate %b, %b, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        stablehlo.return %d, %e : tensor<i32>, tensor<?xf32>
      }
      %r = stablehlo.negate %0#1 : tensor<?xf32>"""
    with pytest.raises(hlo2tiny.VerifyError, match=r"the body changes the type of carry 1 from tensor<2xf32>"):
        run("%n: tensor<i32>, %x: tensor<?xf32>", body, "tensor<?xf32>", np.int32(1), numbers(2))


def test_declared_sizes_are_compared_with_the_call() -> None:
    op = "%r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<3xi32>"
    assert run("%s: tensor<1xi32>", op, "tensor<3xi32>", np.array([3], np.int32)).shape == (3,)
    with pytest.raises(
        hlo2tiny.InputError, match=r"the result has the shape \[4\], but its declared type is tensor<3xi32>"
    ):
        run("%s: tensor<1xi32>", op, "tensor<3xi32>", np.array([4], np.int32))


@pytest.mark.parametrize("name", sorted(n for n in DYNAMIC if not n.startswith("@")))
def test_dynamic_ops_without_operands_or_attributes_are_refused(name: str) -> None:
    op = f'  %r = "{name}"() : () -> tensor<i32>'
    text = f"func.func @main(%x: tensor<i32>) -> tensor<i32> {{\n{op}\n  return %r : tensor<i32>\n}}"
    with pytest.raises(hlo2tiny.VerifyError, match=f"{name}: has 0 operands, expected"):
        hlo2tiny.load(text, device="CPU")


# ---------------------------------------------------------------- folding

I32 = np.dtype(np.int32)
EDGES = np.array([0, 1, -1, 5, -7, 2**31 - 1, -(2**31)], np.int32)
PAIRS = [x.reshape(-1) for x in np.meshgrid(EDGES, EDGES)]
UNSIGNED = [x.astype(np.uint32) for x in PAIRS]
FOLDED: dict[str, tuple[list[np.ndarray], str, str]] = {
    **{
        f"stablehlo.{name}": (PAIRS, "", "49xi32")
        for name in ("add", "and", "divide", "maximum", "minimum", "multiply", "or", "remainder", "subtract", "xor")
    },
    **{f"stablehlo.{name}": (PAIRS[:1], "", "49xi32") for name in ("abs", "negate", "not", "sign")},
    "stablehlo.clamp": ([PAIRS[0] // 2, PAIRS[1], PAIRS[0] // 2 + 3], "", "49xi32"),
    "stablehlo.compare": (UNSIGNED, "{comparison_direction = #stablehlo<comparison_direction LT>}", "49xi1"),
    "stablehlo.concatenate": (PAIRS, "{dimension = 0 : i64}", "98xi32"),
    "stablehlo.convert": (PAIRS[:1], "", "49xui8"),
    "stablehlo.select": ([PAIRS[0] > 0, *PAIRS], "", "49xi32"),
    "stablehlo.broadcast_in_dim": ([EDGES.reshape(7, 1)], "{broadcast_dimensions = array<i64: 2, 0>}", "1x2x7xi32"),
    "stablehlo.reshape": ([EDGES[:6]], "", "2x3xi32"),
    "stablehlo.reverse": ([EDGES], "{dimensions = array<i64: 0>}", "7xi32"),
    "stablehlo.slice": (
        [EDGES],
        "{start_indices = array<i64: 1>, limit_indices = array<i64: 6>, strides = array<i64: 2>}",
        "3xi32",
    ),
    "stablehlo.iota": ([], "{iota_dimension = 1 : i64}", "2x3xi32"),
}


BITS = [np.array(x, bool) for x in ([0, 0, 1, 1], [0, 1, 0, 1])]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", FOLDED)
def test_folding_is_the_rule(name: str) -> None:
    """The op on arguments runs its rule; folded on constants it gives the same."""
    operands, attributes, result = FOLDED[name]
    operands = [x[:21] if x.shape == (49,) else x for x in operands]
    result = result.replace("49x", "21x").replace("98x", "42x")
    assert name not in expect_rule(name, operands, attributes, result)


@pytest.mark.parametrize("name", [n for n, row in OPS.items() if row.fold and row.same_as and n.endswith("i")])
def test_arith_on_numbers_is_folded_as_by_its_rule(name: str) -> None:
    assert name not in expect_rule(name, [x[:21] for x in PAIRS], "", "21xi32")


@pytest.mark.parametrize("name", [n for n, row in OPS.items() if row.fold and row.same_as and n.endswith("i")])
def test_arith_on_bits_is_folded_as_by_its_rule(name: str) -> None:
    """The i1 true is -1 in arith, and 1 in StableHLO."""
    expect_rule(name, BITS, "", "4xi1")


@pytest.mark.parametrize("predicate", range(10))
def test_arith_compares_bits_as_by_its_rule(predicate: int) -> None:
    expect_rule("arith.cmpi", BITS, f"{{predicate = {predicate} : i64}}", "4xi1")


def expect_rule(name: str, operands: list[np.ndarray], attributes: str, result: str) -> set[str]:
    """Compare an op on constants with its rule; returns the names of the ops that are left."""
    kinds = {np.dtype(np.int32): "i32", np.dtype(np.uint32): "ui32", np.dtype(np.bool_): "i1"}
    types = [f"tensor<{''.join(f'{d}x' for d in x.shape)}{kinds[x.dtype]}>" for x in operands]
    values = ", ".join(f"%x{i}" for i in range(len(operands)))
    op = f'  %r = "{name}"({values}) {attributes} : ({", ".join(types)}) -> tensor<{result}>\n'
    signature = ", ".join(f"%x{i}: {t}" for i, t in enumerate(types))
    expected = run(signature, op, f"tensor<{result}>", *operands)
    constants = "".join(
        f"  %x{i} = stablehlo.constant dense<{str(x.tolist()).lower()}> : {t}\n"
        for i, (x, t) in enumerate(zip(operands, types))
    )
    # An op whose shape is a value makes the module one to specialise.
    dynamic = f"  %n = stablehlo.get_dimension_size %r, dim = 0 : (tensor<{result}>) -> tensor<i32>\n"
    text = f"func.func @main() -> tensor<{result}> {{\n{constants}{op}{dynamic}  return %r : tensor<{result}>\n}}"
    program = hlo2tiny.load(text, device="CPU")
    assert np.array_equal(program.numpy()[0], expected)
    return {op.name for op in program.static_module([]).walk()}


def test_each_folded_op_of_stablehlo_is_compared_with_its_rule() -> None:
    assert {n for n, row in OPS.items() if row.fold and n.startswith("stablehlo.")} == set(FOLDED) <= set(RULES)


def test_shape_dialect_is_folded() -> None:
    body = """%s = shape.shape_of %x : tensor<?x3xf32> -> tensor<2xindex>
      %n = shape.num_elements %s : tensor<2xindex> -> index
      %c = arith.index_cast %n : index to i32
      %t = tensor.from_elements %c : tensor<1xi32>
      %r = stablehlo.dynamic_iota %t, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>"""
    assert run("%x: tensor<?x3xf32>", body, "tensor<?xi32>", numbers(4, 3)).tolist() == list(range(12))


X = "tensor<?x3xf32>"
WORDS = "tensor<?xui32>"
FOUR = ", ".join([WORDS] * 4)
ALL = "all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>"


@pytest.mark.parametrize(
    "line",
    [
        f"stablehlo.custom_call @Sharding(%x) : ({X}) -> {X}",
        f"stablehlo.custom_call @LayoutConstraint(%x) : ({X}) -> {X}",
        f"sdy.reshard %x <@mesh, [{{}}, {{}}]> : {X}",
        f"stablehlo.custom_call @cu_threefry2x32_ffi(%k, %k, %k, %k) : ({FOUR}) -> ({WORDS}, {WORDS})",
        f'"stablehlo.all_gather"(%x) <{{{ALL}}}> : ({X}) -> {X}',
        f"stablehlo.optimization_barrier %x : {X}",
    ],
)  # fmt: skip
def test_results_of_ops_that_keep_shapes(line: str) -> None:
    text = f"""
sdy.mesh @mesh = <["i"=1]>
func.func @main(%x: {X}, %k: {WORDS}) -> tensor<i32> {{
  %y{":2" if WORDS in line else ""} = {line}
  %n = stablehlo.get_dimension_size %y{"#0" if WORDS in line else ""}, dim = 0 : ({WORDS if WORDS in line else X}) -> tensor<i32>
  return %n : tensor<i32>
}}"""  # noqa: E501
    assert hlo2tiny.load(text, "CPU").numpy(np.ones((5, 3), np.float32), np.ones(5, np.uint32))[0] == 5
