"""The kernels of CUDA, compiled for the processor, compute what programs say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from emulation import Emulator
from gpu import flat
from ml_dtypes import bfloat16
from test_executable import plan_of

from corpus import ENTRIES, Entry
from hlo2tiny.targets.cuda.executable import CudaExecutable
from hlo2tiny.targets.cuda.native import executable_of

# Programs of the corpus whose kernels compile in seconds; `pytest -m ''` runs the others too.
QUICK = ("cond", "conv_variants", "cumsum", "keras_resnet_block", "lstm", "segment_sum", "sort", "switch", "while_loop")


def marks(entry: Entry) -> list[pytest.MarkDecorator]:
    """Convolutions have a file of their own, and so have the sums of segments."""
    if entry.name in ("conv_variants", "keras_resnet_block", "segment_sum"):
        return [pytest.mark.ci]
    return [] if entry.name in QUICK else [pytest.mark.night]


def emulator(source: object, folder: Path) -> tuple[CudaExecutable, Emulator]:
    plan = plan_of(source, highest=True)
    executable = executable_of(plan, "CUDA", "sm_90", frozenset(), lambda done, total: None)
    return executable, Emulator(plan, executable, folder)


@pytest.mark.parametrize("entry", [pytest.param(e, id=e.name, marks=marks(e)) for e in ENTRIES])
def test_the_corpus_gives_its_results(entry: Entry, tmp_path: Path) -> None:
    _, run = emulator(entry.path, tmp_path)
    results = run(list(flat(entry.inputs())))
    entry.check(results)


def test_sorts_and_folds_of_several_tiles(tmp_path: Path) -> None:
    def function(k: jax.Array, x: jax.Array) -> tuple[jax.Array, ...]:
        pairs = jax.lax.sort((k, x), num_keys=2)
        return *pairs, jnp.argsort(k), jnp.cumsum(x), jax.ops.segment_sum(x, k, num_segments=50)

    random = np.random.default_rng(0)
    k, x = (random.integers(0, 50, 4500).astype(np.int32) for _ in range(2))
    executable, run = emulator(jax.export.export(jax.jit(function))(k, x).mlir_module(), tmp_path)
    order = np.lexsort((x, k))
    expected = k[order], x[order], np.argsort(k, kind="stable"), np.cumsum(x), np.bincount(k, x, 50)
    for found, wanted in zip(run([k, x]), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert {"sort_tiles", "merge_tiles", "sort_rows", "merge_rows", "scan_tiles"} <= {
        name for kernel in executable.kernels for name in kernel.name.split("+")
    }


def test_large_numbers_sort_although_their_keys_wrap(tmp_path: Path) -> None:
    """The keys of a short row are read as vectors, and then shifted beyond the largest integer."""
    keys = np.array([2**32 - 1, 2**31, 5, 2**31 - 1, 0, 2**31 + 7, 3 * 2**30, 1, 2**31, 9, 2**32 - 2], np.uint32)
    _, run = emulator(jax.export.export(jax.jit(jnp.argsort))(keys).mlir_module(), tmp_path)
    np.testing.assert_array_equal(run([keys])[0], np.argsort(keys, kind="stable"))


@pytest.mark.parametrize("count", [2, 3, 7, 16])
def test_a_few_numbers_sort(count: int, tmp_path: Path) -> None:
    """In one kernel, whose second loop reads all that the first one has written: threads would not wait for that."""
    k = np.random.default_rng(count).permutation(count).astype(np.uint16)
    _, run = emulator(jax.export.export(jax.jit(lambda k: jax.lax.sort(k)))(k).mlir_module(), tmp_path)
    np.testing.assert_array_equal(run([k])[0], np.sort(k))


@pytest.mark.parametrize("rows", [5, pytest.param(40, marks=pytest.mark.ci), 3000])
def test_complex_numbers_sort(rows: int, tmp_path: Path) -> None:
    """A comparator takes both halves of one number, and then those of the other."""
    random = np.random.default_rng(rows)
    x = (random.integers(-2, 3, (rows, 2)) + 1j * random.integers(-2, 3, (rows, 2))).astype(np.complex64)
    _, run = emulator(jax.export.export(jax.jit(lambda x: jax.lax.sort(x, dimension=0)))(x).mlir_module(), tmp_path)
    np.testing.assert_array_equal(run([x])[0], np.sort(x, axis=0))


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint16])
def test_sums_and_products_of_threads_wrap(dtype: type, tmp_path: Path) -> None:
    def function(x: jax.Array) -> tuple[jax.Array, ...]:
        return tuple(f(x, axis=axis, dtype=x.dtype) for f in (jnp.sum, jnp.prod) for axis in (0, 1))

    x = np.random.default_rng(0).integers(0, np.iinfo(dtype).max, (40, 300), dtype)
    with jax.enable_x64(True):
        text, expected = jax.export.export(jax.jit(function))(x).mlir_module(), jax.jit(function)(x)
    _, run = emulator(text, tmp_path)
    for found, wanted in zip(run([x]), expected, strict=True):
        np.testing.assert_array_equal(found, np.asarray(wanted))


def rows(kind: str, shape: tuple[int, ...]) -> str:
    """A softmax, or a norm with an offset before it, of the last dimension."""
    t, r, c = ("tensor<" + "".join(f"{n}x" for n in s) + "f32>" for s in (shape, shape[:-1], shape[-1:]))
    last = len(shape) - 1
    outer = f"dims = [{', '.join(map(str, range(last)))}] : ({r}) -> {t}"
    head = f"""  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %n = stablehlo.constant dense<{shape[-1]}.0> : {r}
  %eps = stablehlo.constant dense<1.0e-5> : {r}
"""

    def reduce(name: str, value: str, function: str, init: str) -> str:
        return f"""  %{name} = stablehlo.reduce({value} init: {init}) applies stablehlo.{function} across
    dimensions = [{last}] : ({t}, tensor<f32>) -> {r}
"""

    if kind == "softmax":
        return (
            f"func.func @main(%x: {t}) -> {t} {{\n{head}"
            + reduce("m", "%x", "maximum", "%low")
            + f"  %mb = stablehlo.broadcast_in_dim %m, {outer}\n  %d = stablehlo.subtract %x, %mb : {t}\n"
            + f"  %e = stablehlo.exponential %d : {t}\n"
            + reduce("s", "%e", "add", "%zero")
            + f"  %sb = stablehlo.broadcast_in_dim %s, {outer}\n  %o = stablehlo.divide %e, %sb : {t}\n"
            + f"  return %o : {t}\n}}"
        )
    return (
        f"func.func @main(%x: {t}, %b: {c}, %g: {c}) -> ({t}, {t}) {{\n{head}"
        + f"  %bb = stablehlo.broadcast_in_dim %b, dims = [{last}] : ({c}) -> {t}\n  %y = stablehlo.add %x, %bb : {t}\n"
        + reduce("s", "%y", "add", "%zero")
        + f"  %m = stablehlo.divide %s, %n : {r}\n  %mb = stablehlo.broadcast_in_dim %m, {outer}\n"
        + f"  %d = stablehlo.subtract %y, %mb : {t}\n  %q = stablehlo.multiply %d, %d : {t}\n"
        + reduce("v", "%q", "add", "%zero")
        + f"  %w = stablehlo.divide %v, %n : {r}\n  %u = stablehlo.add %w, %eps : {r}\n"
        + f"  %i = stablehlo.rsqrt %u : {r}\n"
        + f"  %ib = stablehlo.broadcast_in_dim %i, {outer}\n  %z = stablehlo.multiply %d, %ib : {t}\n"
        + f"  %gb = stablehlo.broadcast_in_dim %g, dims = [{last}] : ({c}) -> {t}\n"
        + f"  %o = stablehlo.multiply %z, %gb : {t}\n  return %y, %o : {t}, {t}\n}}"
    )


@pytest.mark.sampled(10, ci=5)
@pytest.mark.parametrize("kind", ["softmax", "norm"])
@pytest.mark.parametrize(
    "shape", [(5, 7), (1, 3000), (3, 4, 64), (2, 5, 60), (64, 768), (2, 3, 17, 33), (300, 2), (40, 1)]
)
def test_kernels_of_the_same_rows_are_one(kind: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    executable, run = emulator(rows(kind, shape), tmp_path)
    random = np.random.default_rng(0)
    x, b, g = (random.standard_normal(s).astype(np.float32) for s in (shape, shape[-1:], shape[-1:]))
    if kind == "softmax":
        (found,) = run([x])
        e = np.exp(x.astype(np.float64) - x.max(-1, keepdims=True))
        expected = e / e.sum(-1, keepdims=True)
    else:
        offset, found = run([x, b, g])
        y = x.astype(np.float64) + b
        np.testing.assert_allclose(offset, y, rtol=1e-6)
        centred = y - y.mean(-1, keepdims=True)
        expected = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * g
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-6)
    if shape[-1] > 2:
        assert [k.name.count("+") for k in executable.kernels] == [3]


@pytest.mark.parametrize("masked", [False, True])
def test_rounding_to_bf16_is_an_instruction(masked: bool, tmp_path: Path) -> None:
    """But not what a program computes with bits that is only similar."""
    mask = 0x7FFFFFFF if not masked else 0x7FFF0000

    def convert(x: jax.Array) -> jax.Array:
        bits = jax.lax.bitcast_convert_type(x, jnp.uint32)
        code = (bits + (bits >> 16 & 1) + 0x7FFF) >> 16
        nan = 0x7FC0 | bits >> 16 & 0x8000
        own = jnp.where(bits & mask > 0x7F800000, nan, code).astype(jnp.uint16)
        return jax.lax.bitcast_convert_type(x.astype(jnp.bfloat16), jnp.uint16), own

    bits = np.array([0, 1, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x3F808000, 0x3F818000, 0x3F80FFFF, 0x8000])
    random = np.random.default_rng(0).integers(0, 1 << 31, 3000)
    x = np.concatenate([bits, random, bits + (1 << 31), random + (1 << 31)]).astype(np.uint32).view(np.float32)
    executable, run = emulator(jax.export.export(jax.jit(convert))(x).mlir_module(), tmp_path)
    found, own = run([x])
    np.testing.assert_array_equal(found, x.astype(bfloat16).view(np.uint16))
    np.testing.assert_array_equal(own, convert(x)[1])
    assert sum(kernel.body.count("round_to_bf16") for kernel in executable.kernels) == 1


@pytest.mark.parametrize("similar", [False, True])
def test_conversions_of_f16_are_instructions(similar: bool, tmp_path: Path) -> None:
    """But not what a program computes with bits that is only similar."""

    def convert(x: jax.Array, y: jax.Array) -> Any:
        if not similar:
            return jax.lax.bitcast_convert_type(x.astype(jnp.float16), jnp.uint16), y.astype(jnp.float32)
        size = (jax.lax.bitcast_convert_type(y, jnp.uint16) & 0x7FFF).astype(jnp.uint32)
        number = jax.lax.bitcast_convert_type(size << 13, jnp.float32) * 2.0**111
        bits = jax.lax.bitcast_convert_type(number, jnp.uint32)
        special = jnp.where(size != 0x7C00, 0x7FC00000, 0x7F800000).astype(jnp.uint32)
        return x, jax.lax.bitcast_convert_type(jnp.where(size > 0x7BFF, special, bits), jnp.float32)

    random = np.random.default_rng(0)
    edges = [0, 1, 0x33000000, 0x33000001, 0x387FE000, 0x38800000, 0x477FEFFF, 0x477FF000, 0x7F800000, 0x7F800001]
    bits = np.concatenate([edges, random.integers(0, 1 << 31, 500), random.integers(0x33000000, 0x47800000, 3000)])
    x = np.concatenate([bits, bits + (1 << 31)]).astype(np.uint32).view(np.float32)
    y = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    executable, run = emulator(jax.export.export(jax.jit(convert))(x, y).mlir_module(), tmp_path)
    first, second = run([x, y])
    with np.errstate(over="ignore", invalid="ignore"):
        wide = y.astype(np.float32)
        expected = np.where(np.isnan(x), np.copysign(np.nan, x), x).astype(np.float16).view(np.uint16)
    if similar:
        wide = np.where(np.isfinite(wide), abs(wide) / 2, abs(wide))
    else:
        np.testing.assert_array_equal(first, expected)
    np.testing.assert_array_equal(second, wide)
    text = "".join(kernel.body for kernel in executable.kernels)
    assert [text.count(name) > 0 for name in ("round_to_signed_f16", "widen_signed_f16")] == [not similar] * 2


def test_rows_that_a_later_kernel_reads_from_another_one_are_not_one_with_it(tmp_path: Path) -> None:
    """Differences between neighbouring rows of a softmax: they need all rows."""
    t = "tensor<8x40xf32>"
    differences = f"""  %r = stablehlo.reverse %o, dims = [0] : {t}
  %a = stablehlo.subtract %o, %r : {t}
  %t = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1]
    : ({t}, tensor<f32>) -> tensor<8xf32>
  return %t : tensor<8xf32>"""
    text = (
        rows("softmax", (8, 40)).replace(f"-> {t} {{", "-> tensor<8xf32> {").replace(f"  return %o : {t}", differences)
    )
    executable, run = emulator(text, tmp_path)
    x = np.random.default_rng(0).standard_normal((8, 40)).astype(np.float32)
    e = np.exp(x.astype(np.float64) - x.max(-1, keepdims=True))
    o = e / e.sum(-1, keepdims=True)
    np.testing.assert_allclose(run([x])[0], (o - o[::-1]).max(-1), rtol=2e-5)
    assert len(executable.kernels) > 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "shape, dims, dtype, op, at_once",
    [
        ((130, 8196), [1], "f32", "add", 4),
        ((64, 2, 8200), [2], "bf16", "maximum", 8),
        ((1 << 20,), [0], "i32", "add", 4),
        ((64, 16400), [1], "f64", "minimum", 2),
        ((70, 16386), [1], "f32", "add", 1),  # rows begin at multiples of 8 bytes
        ((1_048_583,), [0], "f32", "add", 1),  # a prime number, so the last part is shorter
    ],
)
def test_threads_that_share_a_large_reduction_read_16_bytes_at_once(
    shape: tuple[int, ...], dims: list[int], dtype: str, op: str, at_once: int, tmp_path: Path
) -> None:
    t, r = ("tensor<" + "".join(f"{n}x" for n in s) + f"{dtype}>" for s in (shape, shape[: dims[0]]))
    kind = {"bf16": bfloat16, "f32": np.float32, "f64": np.float64, "i32": np.int32}[dtype]
    low = {"add": "0.0", "maximum": "-1.0e38", "minimum": "1.0e38"}[op] if dtype != "i32" else "0"
    text = f"""func.func @main(%x: {t}) -> {r} {{
  %init = stablehlo.constant dense<{low}> : tensor<{dtype}>
  %o = stablehlo.reduce(%x init: %init) applies stablehlo.{op} across dimensions = {dims}
    : ({t}, tensor<{dtype}>) -> {r}
  return %o : {r}
}}"""
    executable, run = emulator(text, tmp_path)
    x = (np.random.default_rng(0).standard_normal(shape) * 1000).astype(kind)
    (found,) = run([x])
    function = {"add": np.sum, "maximum": np.max, "minimum": np.min}[op]
    expected = function(x.astype(np.int64 if dtype == "i32" else np.float64), axis=dims[0])
    np.testing.assert_allclose(found.astype(np.float64), expected, rtol=1e-5, atol=0.1 if dtype == "f32" else 0)
    head = executable.kernels[0].body
    assert ("read_from" in head) == (at_once > 1)
    assert at_once == 1 or f" + {at_once}; Ridx" in head
