# ruff: noqa: E501  (programs)
"""Custom calls of JAX and XLA, and those that are refused."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.program import Program

from .cases import case, new_tests
from .mlir import Call
from .numbers import bf16, boolean, c64, f16, f32, f64, i4, i8, i32, i64, random, seeds, special, u8, u32


def one_of_each(*shape: int) -> list[np.ndarray]:
    return [random(1, shape, dtype) for dtype in (f32, i4, boolean, bf16, c64, i64)]


X = random(1, (2, 3), f32)
for target in (
    "Sharding",
    "LayoutConstraint",
    "annotate_device_placement",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.PropagationBarrier",
    "xla.sdy.GlobalToLocalShape",
    "xla.sdy.LocalToGlobalShape",
):
    case(
        f"@{target}",
        ref=lambda *xs, **_: list(xs),
        examples=[
            *(Call([x]) for x in one_of_each(2, 3)),
            Call([X], {"backend_config": '"unspecified_dims=[0]"', "mhlo.sharding": '"{replicated}"'}),
            Call([X, random(2, (), i32)], {"has_side_effect": True, "api_version": "1 : i32"}),
        ],
        errors=[
            (Call([X], {}, "tensor<1x3xf32>"), "cuts or joins shards: \\(2, 3\\) becomes \\(1, 3\\)"),
            (Call([X], {}, "tensor<2x3xf32>, tensor<2x3xf32>"), "has 1 operands but 2 results"),
        ],
    )
case("@xla.sdy.ShardingGroup", ref=lambda *xs, **_: [], examples=[Call([X], {"has_side_effect": True})])


def empty(*shape: int, dtype: np.dtype = f32) -> Call:
    return Call(result=lambda: np.zeros(shape, dtype))


case(
    "@AllocateBuffer",
    ref=None,
    examples=[empty(2, 3), empty(dtype=bf16), empty(0), empty(3, dtype=boolean), empty(2, dtype=c64)],
)


# ---------------------------------------------------------------- the k first


def ordered(x: np.ndarray) -> np.ndarray:
    """Keys in IEEE 754's total order."""
    if x.dtype.kind in "iub" or x.dtype in (i4,):
        return x.astype(np.int64)
    bits = x.astype(f64).view(np.int64)
    return np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits)


def top(x: np.ndarray, k: int, largest: bool = True) -> list[np.ndarray]:
    keys = ordered(x)
    order = np.argsort(~keys if largest else keys, axis=-1, kind="stable")[..., :k]
    return [np.take_along_axis(x, order, -1), order.astype(i32)]


def top_call(x: np.ndarray, k: int, largest: bool = True) -> Call:
    return Call([x], {"k": k, "largest": largest}, result=lambda x, k, largest: top(x, k, largest))


case(
    "@mhlo.topk",
    ref=None,
    draw=st.builds(
        lambda seed, dtype, k, largest: top_call(random(seed, (3, 5), dtype), k, largest),
        seeds,
        st.sampled_from([f32, bf16, f16, f64, i32, u8, i8, i64]),
        st.integers(0, 5),
        st.booleans(),
    ),
    examples=[top_call(special(dtype), 4, largest) for dtype in (f32, bf16, i32, u32) for largest in (True, False)],
    errors=[(Call([X], {"k": 2}, "tensor<2x1xf32>, tensor<2x1xi32>"), "has k = 2, but the result has 1")],
)
case(
    "@TopK",
    ref=None,
    examples=[
        Call([random(1, (7,), f32)], {"called_computations": "[@compare]"}, result=lambda x, **_: top(x, 3)),
        Call([random(1, (0, 4), f32)], result=lambda x, **_: top(x, 2)),
    ],
    errors=[
        (Call([X], {}, "tensor<2x4xf32>, tensor<2x4xi32>"), r"\[2, 4\], expected some of \[2, 3\] along dimension 1"),
        (Call([X], {}, "tensor<2xf32>, tensor<2xi32>"), r"\[2\], expected some of \[2, 3\] along dimension 1"),
        (Call([X[0, 0]], {}, "tensor<f32>, tensor<i32>"), r"the shape \[\], which has no dimension -1"),
    ],
)


def approximate(x: np.ndarray, k: int, axis: int, largest: bool, count: int | None = None) -> Call:
    places = np.broadcast_to(np.expand_dims(np.arange(x.shape[axis]), [d for d in range(x.ndim) if d != axis]), x.shape)
    initial = np.array(-np.inf if largest else np.inf, x.dtype)

    def result(x: np.ndarray, places: np.ndarray, *_: Any, **__: Any) -> list[np.ndarray]:
        first = np.argsort(-x if largest else x, axis=axis, kind="stable").take(range(count or k), axis)
        return [np.take_along_axis(x, first, axis), np.take_along_axis(places, first, axis)]

    attributes = {
        "called_computations": f"[@top_k_{'gt' if largest else 'lt'}_f32_comparator]",
        "top_k": k,
        "reduction_dim": axis,
        "recall_target": "0.95 : f32",
        "aggregate_to_topk": count is None,
        "reduction_input_size_override": -1,
        "is_fallback": True,
    }
    return Call([x, places.astype(i32), initial, np.array(-1, i32)], attributes, result=result)


unknown = approximate(X, 1, 0, True).attributes | {"called_computations": "[@compare]"}
case(
    "@ApproxTopK",
    ref=None,
    examples=[
        approximate(random(2, (9,), f32), 3, 0, True),
        approximate(random(3, (4, 5, 2), f32), 2, 1, False),
        approximate(random(3, (6, 2), bf16), 2, 0, True, 4),
    ],
    errors=[
        (Call([X, X, X[0, 0], X[0, 0]], unknown, "tensor<1x3xf32>, tensor<1x3xf32>"), "has the comparator compare"),
        (
            Call([X, X, X[0, 0], X[0, 0]], approximate(X, 1, 0, True).attributes, "tensor<2x3xf32>, tensor<2x3xf32>"),
            "has top_k = 1, but the result has 2 elements",
        ),
    ],
)


@pytest.mark.parametrize("function", [jax.lax.approx_max_k, jax.lax.approx_min_k])
@pytest.mark.parametrize("aggregate", [True, False])
def test_approximate_top_k_is_that_of_jax(function: Any, aggregate: bool) -> None:
    def f(x: Any) -> Any:
        return function(x, 3, reduction_dimension=1, aggregate_to_topk=aggregate)

    x = np.random.default_rng(1).permutation(200).reshape(2, 100).astype(f32)
    text = jax.jit(f).lower(x).as_text()
    assert "@ApproxTopK" in text
    found = Program(hlo2tiny.parse(text), "CPU").numpy(x)
    for mine, theirs in zip(found, f(x), strict=True):
        np.testing.assert_array_equal(mine, theirs)


# ---------------------------------------------------------------- random numbers


def threefry(*words: np.ndarray, **_: Any) -> list[np.ndarray]:
    from jax._src.random.threefry2x32 import threefry2x32_p

    return [np.asarray(x) for x in threefry2x32_p.bind(*words)]


for target in ("cu_threefry2x32", "cu_threefry2x32_ffi", "hip_threefry2x32", "hip_threefry2x32_ffi"):
    case(
        f"@{target}",
        ref=threefry,
        examples=[
            Call([random(i, shape, u32) for i in range(4)], {"mhlo.backend_config": "{}"})
            for shape in ((), (5,), (2, 3), (0,))
        ],
        errors=[
            (Call([X] * 4, {}, "tensor<2x3xf32>, tensor<2x3xf32>"), "expected four operands of ui32 of one shape"),
            (
                Call([random(i, (5 + i // 3,), u32) for i in range(4)], {}, "tensor<5xui32>, tensor<5xui32>"),
                "expected four operands of ui32 of one shape",
            ),
        ],
    )


# ---------------------------------------------------------------- kept ops of CHLO, refusals


@pytest.mark.parametrize("target", ["mhlo.erf", "chlo.erf", "mhlo.tan"])
def test_an_op_kept_as_a_custom_call_is_that_op(target: str) -> None:
    name = target.partition(".")[2]
    op = "chlo.erf" if name == "erf" else "stablehlo.tan"
    text = f"""
    func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {{
      %a = stablehlo.custom_call @{target}(%x) {{mhlo.attributes = {{}}, mhlo.version = 1 : i64}} : (tensor<4xf32>) -> tensor<4xf32>
      %b = "{op}"(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %a, %b : tensor<4xf32>, tensor<4xf32>
    }}"""
    a, b = Program(hlo2tiny.parse(text), "CPU").numpy(np.array([-1, -0.0, 0.5, np.nan], f32))
    np.testing.assert_array_equal(a, b)


def test_topk_kept_as_a_custom_call_has_its_attributes_in_a_dictionary() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
      %a:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
      return %a#0, %a#1 : tensor<2xf32>, tensor<2xi32>
    }"""
    a, b = Program(hlo2tiny.parse(text), "CPU").numpy(np.array([3, -1, 2, 0], f32))
    assert (a.tolist(), b.tolist()) == ([-1, 0], [1, 3])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("dtype", [boolean, i8, u8, i64, f16, bf16], ids=str)
def test_topk_kept_as_a_custom_call_takes_all_numbers(dtype: Any, largest: bool) -> None:
    x = random(3, (2, 7), dtype)
    element = {boolean: "i1", i8: "i8", u8: "ui8", i64: "i64", f16: "f16", bf16: "bf16"}[dtype]
    attributes = f'k = 3 : i64, largest = {str(largest).lower()}, is_stable = true, mhlo.sharding = "{{replicated}}"'
    text = f"""
    func.func @main(%x: tensor<2x7x{element}>) -> (tensor<2x3x{element}>, tensor<2x3xi32>) {{
      %a:2 = stablehlo.custom_call @mhlo.topk(%x) {{mhlo.attributes = {{{attributes}}}}} : (tensor<2x7x{element}>) -> (tensor<2x3x{element}>, tensor<2x3xi32>)
      return %a#0, %a#1 : tensor<2x3x{element}>, tensor<2x3xi32>
    }}"""
    values, places = Program(hlo2tiny.parse(text), "CPU").numpy(x)
    keys = x.astype(np.float64)
    expected = np.argsort(-keys if largest else keys, axis=1, kind="stable")[:, :3]
    np.testing.assert_array_equal(places, expected)
    np.testing.assert_array_equal(values, np.take_along_axis(x, expected, 1))


SCAN = """
func.func @main(%x: tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<2xi32>) {
  %init = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = stablehlo.custom_call @mhlo.scan(%x, %init) {called_computations = [@body], ATTRIBUTES} : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<2xi32>
}
func.func private @body(%x: tensor<2xi32>, %carry: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %ten = stablehlo.constant dense<10> : tensor<2xi32>
  %0 = stablehlo.multiply %carry, %ten : tensor<2xi32>
  %1 = stablehlo.add %x, %0 : tensor<2xi32>
  RETURN %1, %1 : tensor<2xi32>, tensor<2xi32>
}"""
SCANNED = (
    "mhlo.attributes = {dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 1>,"
    " resultSegmentSizes = array<i32: 1, 1>, is_reverse = true}"
)


@pytest.mark.parametrize("returned", ["return", "stablehlo.return"])
def test_a_scan_kept_as_a_custom_call_has_its_body_in_a_function(returned: str) -> None:
    text = SCAN.replace("RETURN", returned).replace("ATTRIBUTES", SCANNED)
    x = np.array([[1, 2, 3], [4, 5, 6]], i32)
    stacked, carried = Program(hlo2tiny.parse(text), "CPU").numpy(x)
    assert stacked.tolist() == [[1321, 132, 13], [2654, 265, 26]]  # which XLA returns, too
    assert carried.tolist() == [1321, 2654]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("called_computations = [@body], ", "", "has 0 called_computations, expected 1, the regions of chlo.scan"),
        ("[@body]", "[@body, @body]", "has 2 called_computations, expected 1"),
        ("[@body]", "[@other]", "there is no function @other in this module"),
        (SCANNED, "mhlo.version = 1 : i64", "lacks the attribute 'dimension'"),
        (SCANNED, SCANNED.replace("}", ", scan_dim_size = 4 : i64}"), "expected 4 slices along dimension 1"),
        ("  RETURN %1, %1 : tensor<2xi32>, tensor<2xi32>", "", "does not end with a return"),
        (
            "%0 = stablehlo.multiply %carry, %ten : tensor<2xi32>",
            f"%0 = stablehlo.custom_call @mhlo.scan(%carry) {{called_computations = [@body], {SCANNED}}} : (tensor<2xi32>) -> tensor<2xi32>",
            "@body calls itself; StableHLO has no recursion",
        ),
    ],
)
def test_a_scan_kept_as_a_custom_call_is_checked(old: str, new: str, message: str) -> None:
    text = SCAN.replace("ATTRIBUTES", SCANNED).replace(old, new).replace("RETURN", "return")
    with pytest.raises(hlo2tiny.Error, match=message):
        Program(hlo2tiny.parse(text), "CPU")


TRITON = 'mhlo.backend_config = {name = "add_kernel", grid_x = 1 : i32}'
REFUSALS = [
    ("@xla_ffi_python_cpu_callback", "", "calls a Python function of the process that exported the model"),
    ("@xla_ffi_partitioned_python_cpu_callback", "", "jax.debug.print"),
    ("@xla_python_cpu_callback", "", "jax.pure_callback"),
    ("@xla_python_gpu_callback", "", "io_callback"),
    (
        "@tpu_custom_call",
        'kernel_name = "add_kernel"',
        "is the Pallas kernel 'add_kernel', compiled for TPU; export with",
    ),
    ("@tpu_custom_call", "", "is the Pallas kernel, compiled for TPU"),
    ("@mosaic_gpu_v2", "", "compiled for NVIDIA GPUs; export with pallas_call\\(…, interpret=True\\)"),
    ("@__gpu$xla.gpu.triton", TRITON, "is the Pallas kernel 'add_kernel' in Triton's IR, which only Triton's compiler"),
    ("@triton_kernel_call_ffi", TRITON, "is a kernel for NVIDIA GPUs that the file contains; if you trust the file"),
    ("@triton_kernel_call", "", "or compile it to a handler: load"),
    ("@__gpu$xla.gpu.ptx", "", "load it with device='CUDA', ffi='embedded'"),
    ("@__cudnn$fmhaSoftmax", "", "is a cuDNN kernel; export with"),
    ("@tf.call_tf_function", "", "calls a TensorFlow function that the file does not contain"),
]


@pytest.mark.parametrize(("target", "attributes", "message"), REFUSALS, ids=[f"{t}-{a[:10]}" for t, a, _ in REFUSALS])
def test_what_needs_its_exporter_is_refused(target: str, attributes: str, message: str) -> None:
    text = f"""
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %a = stablehlo.custom_call {target}(%x) {{{attributes}}} : (tensor<4xf32>) -> tensor<4xf32>
      return %a : tensor<4xf32>
    }}"""
    with pytest.raises(hlo2tiny.UnsupportedOp, match=message) as raised:
        Program(hlo2tiny.parse(text), "CPU")
    assert raised.value.line == 3
    assert raised.value.message.startswith(f"stablehlo.custom_call: custom call {target[1:]!r} ")


@pytest.mark.parametrize(
    ("op", "types", "message"),
    [
        ("infeed", "(!stablehlo.token) -> (tensor<f32>, !stablehlo.token)", "make the data an argument"),
        ("outfeed", "(!stablehlo.token) -> !stablehlo.token", "return the data"),
        ("send", "(!stablehlo.token) -> !stablehlo.token", "return the data; callbacks of TPU models"),
        ("recv", "(!stablehlo.token) -> (tensor<f32>, !stablehlo.token)", "make the data an argument; callbacks"),
    ],
)
def test_what_needs_a_connected_host_is_refused(op: str, types: str, message: str) -> None:
    results = ":2" if "tensor" in types else ""
    text = f"""
    func.func @main() {{
      %t = stablehlo.create_token : !stablehlo.token
      %a{results} = "stablehlo.{op}"(%t) : {types}
      return
    }}"""
    with pytest.raises(
        hlo2tiny.UnsupportedOp, match=f"stablehlo.{op}: exchanges data with a host .*{message}"
    ) as raised:
        Program(hlo2tiny.parse(text), "CPU")
    assert raised.value.line == 4


def test_a_function_for_a_refused_custom_call_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlo2tiny.program.custom_calls._custom_calls", {"tpu_custom_call": lambda x: x + 1})
    text = """
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %a = stablehlo.custom_call @tpu_custom_call(%x) {kernel_name = "k"} : (tensor<2xf32>) -> tensor<2xf32>
      return %a : tensor<2xf32>
    }"""
    (result,) = Program(hlo2tiny.parse(text), "CPU").numpy(np.array([1, 2], f32))
    assert result.tolist() == [2, 3]


test_drawn, test_examples, test_errors = new_tests()
