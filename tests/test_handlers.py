"""Handlers that others compiled for XLA's typed FFI: in Python, in compiled C, and next to JAX."""

from __future__ import annotations

import ctypes
import functools
import os
import pickle
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import compiled_handlers
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from compiled import run_make

import hlo2tiny
from hlo2tiny.cli import main
from hlo2tiny.machine.compiler import zig_clang
from hlo2tiny.targets import NotBuilt

f32 = np.float32
X = np.random.default_rng(0).standard_normal((3, 4, 8)).astype(f32)
CALL = "module {{ func.func @main({arguments}) -> {results} {{ {body} }} }}"


@pytest.fixture(scope="module")
def library() -> str:
    return compiled_handlers.library("handlers")


@pytest.fixture(scope="module")
def registered() -> str:
    return compiled_handlers.library("registered")


@functools.cache
def register(library: str) -> None:
    """Tell JAX of the handlers, under names of its own."""
    names = {"rms_norm_fwd": "RmsNormFwd", "rms_norm_bwd": "RmsNormBwd", "describe_buffers": "DescribeBuffers"}
    names |= {"attributes_as_text": "AttributesAsText", "is_odd": "IsOdd", "add_one_in_place": "AddOneInPlace"}
    for name, symbol in (names | {"twice": "DoubleLater"}).items():
        jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(getattr(ctypes.CDLL(library), symbol)), platform="cpu")


def like(x: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(x.shape, x.dtype)


def text_of(function: Callable[..., Any], *arguments: Any) -> str:
    return jax.jit(function).lower(*arguments).as_text()


# ---------------------------------------------------------------- jax.ffi's tutorial


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def rms_norm(x: jax.Array, eps: float = 1e-5) -> jax.Array:
    return rms_norm_fwd(x, eps)[0]


def rms_norm_fwd(x: jax.Array, eps: float) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
    types = like(x), jax.ShapeDtypeStruct(x.shape[:-1], x.dtype)
    y, scales = jax.ffi.ffi_call("rms_norm_fwd", types, vmap_method="broadcast_all")(x, eps=f32(eps))
    return y, (scales, x)


def rms_norm_bwd(eps: float, kept: tuple[jax.Array, jax.Array], ct: jax.Array) -> tuple[jax.Array]:
    scales, x = kept
    return (jax.ffi.ffi_call("rms_norm_bwd", like(ct), vmap_method="broadcast_all")(scales, x, ct),)


rms_norm.defvjp(rms_norm_fwd, rms_norm_bwd)


def loss(w: jax.Array, x: jax.Array) -> jax.Array:
    return jnp.sum(jnp.sin(rms_norm(x * w)) ** 2)


W = np.linspace(0.5, 2, 8, dtype=f32)
STEP = jax.value_and_grad(loss, argnums=(0, 1))


def test_the_tutorial_forward_and_backward(library: str) -> None:
    register(library)
    expected, gradients = STEP(W, X)
    program = hlo2tiny.load(text_of(STEP, W, X), device="CPU", ffi=[library])
    assert sorted(program.handlers) == ["rms_norm_bwd", "rms_norm_fwd"]
    for _ in range(3):
        results = program.numpy(W, X)
        for result, reference in zip(results, [expected, *gradients], strict=True):
            np.testing.assert_allclose(result, reference, rtol=2e-5, atol=2e-6)


def test_in_loops_and_functions(library: str) -> None:
    register(library)

    def iterations(x: jax.Array) -> jax.Array:
        return jax.lax.fori_loop(0, 5, lambda i, v: jax.jit(rms_norm)(v + i), x)

    program = hlo2tiny.load(text_of(iterations, X), device="CPU", ffi={"rms_norm_fwd": f"{library}:RmsNormFwd"})
    np.testing.assert_allclose(program.numpy(X)[0], iterations(X), rtol=2e-5, atol=2e-6)


def test_exported_with_open_dimensions(library: str, tmp_path: Path) -> None:
    register(library)
    path = tmp_path / "model.mlir"
    hlo2tiny.export(rms_norm, "b, 8", path=path)
    program = hlo2tiny.load(path, device="CPU", ffi=library)
    for rows in (1, 5):
        x = np.tile(X[0, :1], (rows, 1))
        np.testing.assert_allclose(program.numpy(x), rms_norm(x), rtol=2e-5, atol=2e-6)


def test_jit_finds_what_is_registered_with_jax(library: str) -> None:
    register(library)
    ours = hlo2tiny.jit(STEP, device="CPU")
    value, gradients = ours(W, X)
    expected, references = STEP(W, X)
    for result, reference in zip([value, *gradients], [expected, *references], strict=True):
        np.testing.assert_allclose(result.numpy(), reference, rtol=2e-5, atol=2e-6)
    with pytest.raises(hlo2tiny.InputError, match="function of this process cannot be pickled; name its library"):
        pickle.dumps(ours.program(W, X))


def test_capsules_and_functions_of_ctypes(library: str) -> None:
    register(library)
    text, function = text_of(rms_norm, X), ctypes.CDLL(library).RmsNormFwd
    for given in (jax.ffi.pycapsule(function), function, {"execute": function}):
        program = hlo2tiny.load(text, device="CPU", ffi={"rms_norm_fwd": given})
        np.testing.assert_allclose(program.numpy(X)[0], rms_norm(X), rtol=2e-5, atol=2e-6)


def test_pickled_programs_find_their_libraries(library: str, tmp_path: Path) -> None:
    path = tmp_path / "model.mlir"
    path.write_text(text_of(rms_norm, X))
    program = hlo2tiny.load(path, device="CPU", ffi=[os.path.relpath(library)])
    again = pickle.loads(pickle.dumps(program))
    assert again.numpy(X)[0].tobytes() == program.numpy(X)[0].tobytes()


# ---------------------------------------------------------------- what a call passes


def mlir_attributes(**items: str) -> str:
    given = {
        "flag": "true", "i8": "-3 : i8", "i64": "1099511627776 : i64", "u16": "65535 : ui16", "f64": "0.1 : f64",
        "text": r'"a \22b\22\0A\\\C3\A9"', "numbers": "array<i32: 1, -2, 3>",
        "floats": "dense<[0.5, -1.5]> : tensor<2xf32>", "pair": "{first = 7 : i32, second = 2.5 : f64}",
        "outer": '{z = 0 : i32, inner = {deep = -9 : i64}, a = "text"}',
    } | items  # fmt: skip
    config = ", ".join(f"{name} = {value}" for name, value in given.items())
    return (
        "func.func @main() -> tensor<200xui8> { %0 = stablehlo.custom_call @attributes_as_text() {api_version = 4"
        f" : i32, backend_config = {{{config}}}}} : () -> tensor<200xui8> return %0 : tensor<200xui8> }}"
    )


def test_attributes_of_every_kind(library: str) -> None:
    program = hlo2tiny.load(mlir_attributes(), device="CPU", ffi=[library])
    expected = '1 -3 1099511627776 65535 0.1 a "b"\n\\é[1 -2 3 0.5 -1.5 ]7 2.5 3 1 -9'
    assert program.numpy()[0].tobytes().rstrip(b"\0").decode() == expected


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"i64": "1 : i32"}, "Wrong scalar data type: expected S64 but got S32"),
        ({"text": "1 : i32"}, "Wrong attribute type: expected string but got scalar"),
        ({"numbers": "array<i64: 1>"}, "Wrong array data type: expected S32 but got S64"),
        ({"more": "1 : i32"}, "Wrong number of attributes: expected 10 but got 11 with name"),
        ({"pair": "{first = 7 : i32}"}, "Wrong number of attributes"),
    ],
)
def test_what_a_handler_says_of_attributes(library: str, changed: dict[str, str], message: str) -> None:
    program = hlo2tiny.load(mlir_attributes(**changed), device="CPU", ffi=[library])
    with pytest.raises(hlo2tiny.InputError) as caught:
        program.numpy()
    said = str(caught.value)
    assert re.search(r":1:\d+: stablehlo.custom_call: handler 'attributes_as_text' failed: ", said), said
    assert re.search(message, said), said
    assert "\nthe call passes () -> (tensor<200xui8>) with f64: f64, flag: i1, floats: array of f32, i64: i" in said
    assert "compile the handler for that, or change the call" in said


@pytest.mark.parametrize("value", ["[1, 2]", "@symbol", "tensor<2xf32>", "#stablehlo<precision HIGH>", "1 : i4"])
def test_attributes_that_have_no_equal_in_c(library: str, value: str) -> None:
    with pytest.raises(
        hlo2tiny.UnsupportedOp, match=r"has the attribute 'more', .* which handlers do not take; pass a n"
    ):
        hlo2tiny.load(mlir_attributes(more=value), device="CPU", ffi=[library])


TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 bfloat16"
TYPES += " float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz"
TYPES += " float8_e8m0fnu"


def test_buffers_of_every_type_and_shape(library: str) -> None:
    register(library)
    arrays = [np.arange(1, 7).reshape(2, 3).astype(getattr(ml_dtypes, name, None) or name) for name in TYPES.split()]
    arrays += [np.full((), 3, f32), np.empty((0, 4), np.int8), np.ones((1, 2, 1, 3, 1), np.int16)]

    def describe(*xs: jax.Array) -> list[jax.Array]:
        return jax.ffi.ffi_call("describe_buffers", [*map(like, xs), like(np.empty(4 * len(xs), np.int64))])(*xs)

    with jax.enable_x64(True):
        text, expected = text_of(describe, *arrays), jax.jit(describe)(*arrays)
    results = hlo2tiny.load(text, device="CPU", ffi=[library]).numpy(*arrays)
    for result, reference in zip(results, map(np.asarray, expected), strict=True):
        assert (result.dtype, result.shape) == (reference.dtype, reference.shape)
        assert result.tobytes() == reference.tobytes()


@pytest.mark.parametrize("element", ["i4", "ui2", "f4E2M1FN"])
def test_types_of_less_than_a_byte(library: str, element: str) -> None:
    call = f"%0 = stablehlo.custom_call @is_odd(%x) {{api_version = 4 : i32}} : (tensor<3x{element}>) -> tensor<3xi1>"
    text = CALL.format(
        arguments=f"%x: tensor<3x{element}>", results="tensor<3xi1>", body=f"{call} return %0 : tensor<3xi1>"
    )
    with pytest.raises(
        hlo2tiny.UnsupportedOp, match=f"operand 0 of custom call 'is_odd' is tensor<3x{element}>, which han"
    ):
        hlo2tiny.load(text, device="CPU", ffi=[library])


def test_results_in_the_memory_of_operands(library: str) -> None:
    register(library)

    def add(x: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        y = jax.ffi.ffi_call("add_one_in_place", like(x), input_output_aliases={0: 0})(x)
        return x, y, jax.ffi.ffi_call("add_one_in_place", like(x), input_output_aliases={0: 0})(y) * 2

    x = X.copy()
    results = hlo2tiny.load(text_of(add, X), device="CPU", ffi=[library]).numpy(x)
    for result, expected in zip(results, (X, X + 1, (X + 1 + 1) * 2), strict=True):
        np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(x, X)


def test_truth_values_become_0_or_1(library: str) -> None:
    register(library)
    x = np.arange(6, dtype=np.int32)

    def odd(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        found = jax.ffi.ffi_call("is_odd", jax.ShapeDtypeStruct(x.shape, bool))(x)
        return found, jnp.sum(found.astype(jnp.int32))

    found, count = hlo2tiny.load(text_of(odd, x), device="CPU", ffi=[library]).numpy(x)
    assert (found.view(np.uint8).tolist(), int(count)) == ([0, 1, 0, 1, 0, 1], 3)


def test_calls_without_results(library: str) -> None:
    ctypes.CDLL(library).take_noted()
    body = "stablehlo.custom_call @note(%x) {api_version = 4 : i32, has_side_effect = true} : (tensor<2xf32>) -> ()"
    text = CALL.format(arguments="%x: tensor<2xf32>", results="tensor<2xf32>", body=f"{body} return %x : tensor<2xf32>")
    program = hlo2tiny.load(text, device="CPU", ffi=[library])
    for _ in range(3):
        program.numpy(np.array([2, 5], f32))
    assert ctypes.CDLL(library).take_noted() == 21


# ---------------------------------------------------------------- how it ends


def unary(name: str, config: str = "", operands: str = "%x", results: str = "tensor<4xf32>") -> str:
    """A program of one call on four numbers, between other ops."""
    types = ", ".join(["tensor<4xf32>"] * operands.count("%"))
    attributes = f"{{api_version = 4 : i32, backend_config = {{{config}}}}}"
    call = f"%1 = stablehlo.custom_call @{name}({operands}) {attributes} : ({types}) -> {results}"
    body = f"%y = stablehlo.negate %x : tensor<4xf32>\n{call}\nreturn %1 : {results}"
    return CALL.format(arguments="%x: tensor<4xf32>", results=results, body=body)


FOUR = np.array([1, 2, 3, 4], f32)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (unary("fail_always", 'code = 5 : i32, message = "nothing \\22there\\22"', ""), 'failed: nothing "there"'),
        (unary("rms_norm_bwd", "", "%x, %x"), r"failed: \[execute\] Wrong number of arguments: expected 3 but got 2"),
        (
            unary("rms_norm_fwd", "eps = 1.0 : f32"),
            r"failed: \[execute\] Wrong number of results: expected 2 but got 1",
        ),
        (unary("is_odd"), r"failed: [^^]*bad operands at: 0, 1[^^]*Wrong buffer dtype: expected S32 but got F32"),
        (unary("needs_stream", "", ""), "failed: [^^]*there is no stream, because the program runs on the CPU"),
        (unary("double_later", "fails = true"), "failed: it failed later"),
    ],
    ids=lambda value: value[:10] if value.startswith("failed") else "",
)
def test_errors_of_handlers(library: str, text: str, message: str) -> None:
    program = hlo2tiny.load(text, device="CPU", ffi=[library])
    for _ in range(2):
        with pytest.raises(hlo2tiny.InputError, match=r":2:\d+: stablehlo.custom_call: handler '\w+' " + message):
            program.numpy(FOUR)


def test_a_program_runs_again_after_an_error(library: str) -> None:
    program = hlo2tiny.load(unary("fail_if_negative"), device="CPU", ffi=[library])
    out = np.zeros(4, f32)
    for _ in range(3):
        assert program.numpy(FOUR)[0].tolist() == [1, 2, 3, 4]
        for given in ({}, {"out": [out]}):
            with pytest.raises(hlo2tiny.InputError, match="handler 'fail_if_negative' failed: number 2 is negative"):
                program.numpy(np.array([1, 2, -3, -4], f32), **given)


def test_futures_threads_and_scratch_memory(library: str) -> None:
    for _ in range(3):
        later = hlo2tiny.load(unary("double_later", "fails = false"), device="CPU", ffi=[library])
        assert later.numpy(FOUR)[0].tolist() == [2, 4, 6, 8]
    threads = hlo2tiny.load(unary("in_threads"), device="CPU", ffi=[library])
    assert threads.numpy(FOUR)[0].tolist() == [3, 5, 7, 9]


def test_calls_in_several_threads_hold_no_lock(library: str) -> None:
    program, functions = (
        hlo2tiny.load(unary("wait_for_release", "", ""), device="CPU", ffi=[library]),
        ctypes.CDLL(library),
    )
    program.compile()
    results = list[float]()
    threads = [threading.Thread(target=lambda: results.append(program.numpy(FOUR)[0][0])) for _ in range(4)]
    for thread in threads:
        thread.start()
    while functions.count_waiting() < len(threads) and all(thread.is_alive() for thread in threads):
        time.sleep(0.001)
    functions.release()
    for thread in threads:
        thread.join()
    assert results == [1] * len(threads)


def test_errors_in_several_threads_stay_apart(library: str) -> None:
    program = hlo2tiny.load(unary("fail_if_negative"), device="CPU", ffi=[library])
    wrong: list[str] = []

    def run(place: int) -> None:
        x = np.where(np.arange(4) == place, -1, 1).astype(f32)
        for _ in range(200):
            with pytest.raises(hlo2tiny.InputError) as caught:
                program.numpy(x)
            wrong.extend([str(caught.value)] if f"number {place} is" not in str(caught.value) else [])

    threads = [threading.Thread(target=run, args=[place]) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_several_devices(library: str) -> None:
    call = "stablehlo.custom_call @fail_if_negative(%a) {api_version = 4 : i32} : (tensor<2xf32>) -> tensor<2xf32>"
    text = f"""module {{ sdy.mesh @mesh = <["d"=2]>
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
      %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{"d"}}]>] out_shardings=[<@mesh, [{{"d"}}]>]
          manual_axes={{"d"}} (%a: tensor<2xf32>) {{
        %b = {call}
        sdy.return %b : tensor<2xf32>
      }} : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32> }} }}"""
    program = hlo2tiny.load(text, device=("CPU:0", "CPU:1"), ffi=[library])
    assert program.numpy(FOUR)[0].tolist() == [1, 2, 3, 4]
    with pytest.raises(hlo2tiny.InputError, match=r":5:\d+: .*handler 'fail_if_negative' failed: number 1 is negative"):
        program.numpy(np.array([1, 2, 3, -4], f32))


# ---------------------------------------------------------------- stages, and libraries that register them


def counting(first: int) -> str:
    config = f"{{api_version = 4 : i32, backend_config = {{first = {first} : i64}}}}"
    body = f"%0 = stablehlo.custom_call @count() {config} : () -> tensor<2xi64> return %0 : tensor<2xi64>"
    return CALL.format(arguments="", results="tensor<2xi64>", body=body)


def test_stages_and_their_state(registered: str) -> None:
    """Each program counts for itself, from the number that its attribute says; its state ends with it."""
    programs = [hlo2tiny.load(counting(first), device="CPU", ffi=[registered]) for first in (5, 5, 100)]
    for call in range(3):
        for program, first in zip(programs, (5, 5, 100), strict=True):
            assert program.numpy()[0].tolist() == [first + call, first + 1]
    alive = ctypes.CDLL(registered).states_alive
    assert alive() == 3
    del program, programs
    assert alive() == 0


def test_a_first_stage_that_fails(registered: str) -> None:
    program = hlo2tiny.load(counting(-1), device="CPU", ffi=[registered])
    with pytest.raises(hlo2tiny.InputError, match=r":1:\d+: .* handler 'count' failed: a counter begins at 0 or later"):
        program.compile()


# ---------------------------------------------------------------- what is missing or does not fit


@pytest.mark.parametrize(
    ("ffi", "message"),
    [
        (
            ["lib/nothing.so"],
            r"ffi: the library '/.*/lib/nothing.so' cannot be loaded: there is no such file; compile it",
        ),
        (
            ["no_such_library.so"],
            "ffi: the library 'no_such_library.so' cannot be loaded: .*; compile it for this machine",
        ),
        (
            [__file__],
            "ffi: the library .* cannot be loaded: .*invalid ELF header; compile it for this machine, and give i",
        ),
        ({"is_odd": "LIB:Nothing"}, "ffi: '.*' has no symbol 'Nothing'; name what it exports, as `nm -D` lists it"),
        ({"is_odd": "LIB"}, "ffi: 'is_odd' is '.*', expected LIBRARY:SYMBOL"),
        ({"is_odd": 1.5}, "ffi: 'is_odd' is 1.5, expected LIBRARY:SYMBOL, or a capsule"),
        (
            {"is_odd": {"prepare": "LIB:IsOdd"}},
            "ffi: 'is_odd' has no function for the stage 'execute', which every handl",
        ),
        (
            {"is_odd": {"run": "LIB:IsOdd"}},
            "ffi: 'is_odd' has the stage 'run', expected some of instantiate, prepare, in",
        ),
        ({1: "LIB:IsOdd"}, "ffi names 1, expected the name of a custom call"),
        (
            7,
            r"ffi is 7, expected libraries, as in \['lib.so'\], or LIBRARY:SYMBOL by name, as in \{'rms_norm'",
        ),
        (["is_odd=LIB"], "ffi: 'is_odd' is '.*', expected LIBRARY:SYMBOL"),
    ],
)
def test_what_is_given_is_wrong(library: str, ffi: Any, message: str) -> None:
    def replace(given: Any) -> Any:
        if isinstance(given, dict):
            return {name: replace(value) for name, value in given.items()}
        if isinstance(given, list):
            return list(map(replace, given))
        return given.replace("LIB", library) if isinstance(given, str) else given

    with pytest.raises(hlo2tiny.InputError, match=message):
        hlo2tiny.load(unary("is_odd"), device="CPU", ffi=replace(ffi))


def with_layouts(text: str, *layouts: str) -> str:
    operand, result = (f"[dense<{layout}> : tensor<2xindex>]" for layout in layouts)
    return text.replace("backend_config", f"operand_layouts = {operand}, result_layouts = {result}, backend_config")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (unary("other_op"), r"custom call 'other_op' has no handler: \S+ has no symbol other_op or OtherOp; say where"),
        (unary("note").replace("4 : i32", "2 : i32").replace("{}}", '"" }'), "custom call 'note' has no function; r"),
        (
            with_layouts(unary("is_odd").replace("4xf32", "2x2xi32"), "[0, 1]", "[1, 0]"),
            "operand 0 of custom call 'is_odd' has a layout that is not row-major; export it without layouts, a",
        ),
    ],
    ids=["name", "version", "layout"],
)
def test_calls_that_no_handler_takes(library: str, text: str, message: str) -> None:
    with pytest.raises(hlo2tiny.UnsupportedOp, match=r":2:\d+: stablehlo.custom_call: " + message):
        hlo2tiny.load(text, device="CPU", ffi=[library])


def test_tokens_and_tuples(library: str) -> None:
    """A tuple of results is passed as several; tokens are not passed."""
    several = "(tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<f32>>"
    call = "stablehlo.custom_call @rms_norm_fwd(%x) {api_version = 4 : i32, backend_config = {eps = 0.0 : f32}}"
    take = "stablehlo.get_tuple_element %1[0] : (tuple<tensor<4xf32>, tensor<f32>>) -> tensor<4xf32>"
    body = f"%1 = {call} : {several}\n%2 = {take}\nreturn %2 : tensor<4xf32>"
    text = CALL.format(arguments="%x: tensor<4xf32>", results="tensor<4xf32>", body=body)
    (y,) = hlo2tiny.load(text, device="CPU", ffi=[library]).numpy(FOUR)
    np.testing.assert_allclose(y, FOUR / np.sqrt((FOUR**2).mean()), rtol=1e-6)
    token = "%1:2 = stablehlo.custom_call @is_odd(%x, %t) {api_version = 4 : i32} : (tensor<4xf32>, !stablehlo.token)"
    body = f"%t = stablehlo.create_token : !stablehlo.token {token} -> (tensor<4xf32>, !stablehlo.token) return %1#0"
    text = CALL.format(arguments="%x: tensor<4xf32>", results="tensor<4xf32>", body=f"{body} : tensor<4xf32>")
    with pytest.raises(
        hlo2tiny.UnsupportedOp, match=r"operand 1 of custom call 'is_odd' is !stablehlo.token, which handl"
    ):
        hlo2tiny.load(text, device="CPU", ffi=[library])


def test_layouts_that_are_row_major(library: str) -> None:
    text = with_layouts(unary("is_odd").replace("4xf32", "2x2xi32"), "[1, 0]", "[1, 0]")
    assert hlo2tiny.load(text, device="CPU", ffi=[library]).handlers


def test_an_untyped_call_of_a_named_handler(library: str) -> None:
    text = unary("is_odd").replace("4 : i32", "2 : i32").replace("{}}", '""}')
    with pytest.raises(hlo2tiny.UnsupportedOp, match=r"'is_odd' uses the untyped API; export it again with jax.ffi"):
        hlo2tiny.load(text, device="CPU", ffi={"is_odd": f"{library}:IsOdd"})


def test_without_a_library_the_message_says_how_to_name_one() -> None:
    message = (
        r"custom call 'is_odd' has no function; .*, or name the library of a compiled handler: load\(…, ffi=\{'is_odd'"
    )
    with pytest.raises(hlo2tiny.UnsupportedOp, match=message):
        hlo2tiny.load(unary("is_odd"), device="CPU")


def test_a_handler_of_a_later_version(library: str) -> None:
    program = hlo2tiny.load(unary("of_the_future"), device="CPU", ffi=[library])
    with pytest.raises(
        hlo2tiny.InputError, match=r"compiled for a newer version of XLA's typed FFI than 0\.5; compile it w"
    ):
        program.compile()


def test_other_devices_have_no_handlers(library: str) -> None:
    message = (
        "custom call 'fail_if_negative' has a compiled handler, which PYTHON does not run; load the program with devic"
    )
    with pytest.raises(hlo2tiny.UnsupportedOp, match=message):
        hlo2tiny.load(unary("fail_if_negative"), device="PYTHON", ffi=[library])


def test_functions_of_python_beside_handlers(library: str) -> None:
    @hlo2tiny.custom_call("test_handlers.negate")
    def negate(x: np.ndarray) -> np.ndarray:
        return -x

    call = "stablehlo.custom_call @test_handlers.negate(%x) {api_version = 4 : i32} : (tensor<4xf32>) -> tensor<4xf32>"
    text = unary("fail_if_negative", "", "%y").replace("stablehlo.negate %x : tensor<4xf32>", call)
    program = hlo2tiny.load(text, device="CPU", ffi=[library])
    assert program.numpy(-FOUR)[0].tolist() == [1, 2, 3, 4]
    with pytest.raises(hlo2tiny.InputError, match="number 0 is negative"):
        program.numpy(FOUR)


# ---------------------------------------------------------------- without Python


def compiled(text: str, ffi: str, folder: Path, *options: str) -> Path:
    model = folder / "model.mlir"
    model.write_text(text)
    assert main(["compile", str(model), "-o", str(folder / "c"), "--ffi", ffi, *options]) == 0
    return folder / "c"


def run_program(
    folder: Path, *arrays: np.ndarray, runs: int = 1, sizes: tuple[str, ...] = ()
) -> tuple[list[np.ndarray], str]:
    """The results of the program in a folder, and what it says instead if it fails."""
    for i, array in enumerate(arrays):
        np.save(folder / f"in{i}.npy", array)
    command = [str(folder / "model"), "-o", str(folder), "-n", str(runs), *sizes]
    command += [f"in{i}.npy" for i in range(len(arrays))]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    results = [np.load(path) for path in sorted(folder.glob("out*.npy"))]
    return ([], done.stderr) if done.returncode else (results, "")


def make(folder: Path, compiler: str) -> None:
    made = run_make(["make", f"CC={compiler}", "OPTIMISE=-O1 -march=native", "CFLAGS=-Werror", "model"], folder)
    assert made.returncode == 0, made.stderr[-4000:]


CC = "gcc" if shutil.which("gcc") else f"{zig_clang()[0]} cc"


def test_the_tutorial_in_c(library: str, tmp_path: Path) -> None:
    register(library)
    folder = compiled(text_of(STEP, W, X), library, tmp_path)
    make(folder, CC)
    results, _ = run_program(folder, W, X)
    value, gradients = STEP(W, X)
    for result, reference in zip(results, [value, *gradients], strict=True):
        np.testing.assert_allclose(result, reference, rtol=2e-5, atol=2e-6)


def test_errors_in_c(library: str, tmp_path: Path) -> None:
    folder = compiled(unary("fail_if_negative"), f"fail_if_negative={library}:FailIfNegative", tmp_path)
    make(folder, CC)
    assert run_program(folder, FOUR, runs=3)[0][0].tolist() == [1, 2, 3, 4]
    _, said = run_program(folder, -FOUR)
    assert said == "model: error: handler 'fail_if_negative' failed: number 0 is negative\n"


def test_stages_in_c(registered: str, tmp_path: Path) -> None:
    folder = compiled(counting(5), registered, tmp_path)
    make(folder, CC)
    assert run_program(folder, runs=4)[0][0].tolist() == [5 + 3, 6]
    (tmp_path / "wrong").mkdir()
    wrong = compiled(counting(-1), registered, tmp_path / "wrong")
    make(wrong, CC)
    assert run_program(wrong)[1] == "model: error: handler 'count' failed: a counter begins at 0 or later\n"


def test_libraries_and_executables(library: str, tmp_path: Path) -> None:
    folder = compiled(unary("in_threads"), library, tmp_path, "--emit", "library,executable")
    assert run_program(folder, FOUR)[0][0].tolist() == [3, 5, 7, 9]


def test_what_cannot_be_compiled(library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.mlir").write_text(unary("in_threads"))
    command = ["compile", str(tmp_path / "model.mlir"), "-o", str(tmp_path / "c"), "--ffi", library]
    assert main([*command, "--target", "web"]) == 1
    assert "--ffi: a page cannot call compiled handlers; compile the program in C" in capsys.readouterr().err
    assert main([*command, "--target", "aarch64-linux"]) == 1
    assert "--ffi: the libraries are this machine's; use --emit c, and link the C on aarch64" in capsys.readouterr().err
    assert main([*command, "--target", "bare-arm"]) == 1
    assert "--ffi: bare-arm cannot call compiled handlers; compile the program for native" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()


def test_several_sizes_in_c(library: str, tmp_path: Path) -> None:
    """Each has calls of its own."""
    register(library)
    hlo2tiny.export(lambda x: (rms_norm(x), rms_norm(x + 1)), "b, 8", path=tmp_path / "model.mlir")
    sizes = ("--shape", "b=1,5", "--ffi", f"rms_norm_fwd={library}:RmsNormFwd")
    folder = tmp_path / "c"
    assert main(["compile", str(tmp_path / "model.mlir"), "-o", str(folder), *sizes]) == 0
    assert "#define MODEL_HANDLERS 4" in (folder / "model.h").read_text()
    make(folder, CC)
    for rows in (5, 1):
        x = X.reshape(-1, 8)[:rows]
        results, said = run_program(folder, x, sizes=(f"b={rows}",))
        assert not said
        for result, reference in zip(results, (rms_norm(x), rms_norm(x + 1)), strict=True):
            np.testing.assert_allclose(result, reference, rtol=2e-5, atol=2e-6)


def test_failures_for_several_sizes_in_c(library: str, tmp_path: Path) -> None:
    hlo2tiny.export(lambda x: jax.ffi.ffi_call("fail_if_negative", like(x))(x), "b", path=tmp_path / "model.mlir")
    options = ("--shape", "b=2,4", "--ffi", f"fail_if_negative={library}:FailIfNegative")
    folder = tmp_path / "c"
    assert main(["compile", str(tmp_path / "model.mlir"), "-o", str(folder), *options]) == 0
    make(folder, CC)
    for size in (2, 4):
        sizes = (f"b={size}",)
        assert run_program(folder, FOUR[:size], sizes=sizes)[0][0].tolist() == FOUR[:size].tolist()
        said = run_program(folder, -FOUR[:size], sizes=sizes)[1]
        assert said == "model: error: handler 'fail_if_negative' failed: number 0 is negative\n"


def test_on_the_command_line(library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.mlir").write_text(unary("in_threads"))
    np.save(tmp_path / "x.npy", FOUR)
    command = ["run", str(tmp_path / "model.mlir"), "--input", f"0={tmp_path / 'x.npy'}", "--device", "CPU"]
    for ffi in (library, f"in_threads={library}:InThreads"):
        assert main([*command, "--ffi", ffi]) == 0
        assert "[3, 5, 7, 9]" in capsys.readouterr().out


@pytest.fixture
def file_of_handler(tmp_path: Path) -> str:
    (tmp_path / "model.mlir").write_text(unary("fail_if_negative"))
    return str(tmp_path / "model.mlir")


@pytest.mark.parametrize(
    "words",
    [
        ["inspect", "--plan"],
        ["check", "--device", "CPU"],
        ["check", "--device", "CPU", "--bisect"],
        pytest.param(["bench", "--seconds", "0.01"], marks=pytest.mark.ci),
        ["bench", "--seconds", "0.1", "--profile", "page.html"],
        ["view", "--time", "--seconds", "0.1", "-o", "page.html"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_commands_that_load_programs(
    library: str, file_of_handler: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command, *others = words
    np.save("x.npy", FOUR)
    given = ["--input", "0=x.npy"] * (command != "inspect")
    assert main([command, file_of_handler, *others, *given, "--ffi", library]) == 0
    assert main([command, file_of_handler, *others, *given]) == 1


def test_programs_over_tables(library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = unary("fail_if_negative").replace("%x: tensor<4xf32>", '%x: tensor<4xf32> loc("x")')
    (tmp_path / "model.mlir").write_text(text)
    rows = [[1.0, 2, 3, 4], [-1, 2, 3, 4]]
    pq.write_table(pa.table({"x": pa.array(rows, pa.list_(pa.float32()))}), tmp_path / "rows.parquet")
    words = ["map", tmp_path / "model.mlir", "--input", tmp_path / "rows.parquet", "--output", tmp_path / "out"]
    assert main([*map(str, words), "--device", "CPU", "--ffi", library]) == 0
    assert "1 row written" in (said := capsys.readouterr().out) and "1 row failed" in said


def test_programs_that_are_served(library: str, file_of_handler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    served = []

    async def serve(models: Any, *others: Any) -> None:
        served.append(models)

    monkeypatch.setattr("hlo2tiny.serving.server.serve", serve)
    assert main(["serve", file_of_handler, "--device", "CPU", "--ffi", library]) == 0
    ((model,),) = [list(models) for models in served]
    assert model.program.numpy(FOUR)[0].tolist() == FOUR.tolist()


@pytest.mark.filterwarnings("ignore::hlo2tiny.NoNativeCode")
def test_handlers_beside_the_kernels_of_tinygrad(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Aliases, truth values, states and errors, as in native code."""

    def compile(*arguments: Any) -> Any:
        raise NotBuilt("not now")

    monkeypatch.setattr("hlo2tiny.targets.c.native.compile", compile)
    test_results_in_the_memory_of_operands(library)
    test_truth_values_become_0_or_1(library)
    test_a_program_runs_again_after_an_error(library)
    test_in_loops_and_functions(library)
    program = hlo2tiny.load(counting(3), device="CPU", ffi=[compiled_handlers.library("registered")])
    assert [program.numpy()[0].tolist() for _ in range(2)] == [[3, 4], [4, 4]]


@pytest.mark.night
def test_libraries_that_zig_compiles() -> None:
    library = compiled_handlers.library("registered", compiled_handlers.ZIG)
    code = f"import hlo2tiny; print(hlo2tiny.load({counting(3)!r}, device='CPU', ffi=[{library!r}]).numpy()[0])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "[3 4]\n", done.stderr
