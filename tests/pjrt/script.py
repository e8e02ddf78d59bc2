"""What a user of JAX does, on the platform that JAX_PLATFORMS names: a line for each check, with what went wrong.

`script.py NAME…` makes only the checks of these names.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import io
import logging
import resource
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
from jax.experimental import io_callback
from jax.experimental.buffer_callback import buffer_callback
from jax.experimental.layout import Format, Layout
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec

sys.path.insert(0, str(Path(__file__).parents[1]))
from compiled_handlers import library

CHECKS: list[Callable[[], None]] = []


def check(function: Callable[[], None]) -> Callable[[], None]:
    CHECKS.append(function)
    return function


def equal(found: object, expected: object) -> None:
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))


@check
def devices() -> None:
    assert jax.default_backend() == "hlo2tiny"
    assert [d.device_kind for d in jax.devices()] == ["CPU:0", "CPU:1"]
    assert jax.config.jax_platforms == "hlo2tiny"
    assert not jax.devices()[1].memory_stats()


@check
def operations() -> None:
    equal(jnp.arange(3) + 1, [1, 2, 3])
    equal(jnp.sort(jnp.array([3, 1, 2])), [1, 2, 3])
    equal(jnp.zeros((0, 3)) + 1, np.zeros((0, 3)))


@check
def transformations() -> None:
    slope = jax.jit(jax.grad(lambda x: jnp.sum(jnp.sin(x) ** 2)))(jnp.ones(3))
    np.testing.assert_allclose(slope, np.full(3, np.sin(2)), rtol=1e-12)
    equal(jax.vmap(lambda x: x @ x)(jnp.ones((4, 3))), np.full(4, 3))
    equal(lax.scan(lambda c, x: (c + x, c * x), 0.0, jnp.arange(5.0))[0], 10)
    equal(lax.while_loop(lambda n: n < 10, lambda n: n + 1, 0), 10)


@check
def random_numbers() -> None:
    numbers = jax.random.normal(jax.random.key(0), (5,), np.float32)
    np.testing.assert_allclose(numbers[0], 1.6226422, rtol=1e-5)  # as on XLA


@check
def linear_algebra() -> None:
    equal(jnp.linalg.solve(2 * jnp.eye(3), jnp.ones(3)), np.full(3, 0.5))
    np.testing.assert_allclose(jnp.linalg.eigvalsh(jnp.diag(jnp.arange(3.0))), np.arange(3), atol=1e-12)


@check
def layouts() -> None:
    array = np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1)[::-1]
    equal(jax.device_put(array), array)


@check
def dtypes() -> None:
    numbers = np.array([[1, 0, 1], [1, 1, 0]])
    names = (
        "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128",
        "bfloat16 int2 int4 uint2 uint4 float8_e4m3fn float8_e5m2 float4_e2m1fn",
    )
    for name in " ".join(names).split():
        dtype = np.dtype(getattr(ml_dtypes, name, name))
        array = numbers.astype(dtype)
        there = jnp.asarray(array)
        assert there.dtype == dtype
        equal(there, array)
        equal(jax.jit(lambda x: x.T)(there), array.T)
    negative = np.array([-1, -2, 1], ml_dtypes.int4)
    equal(jnp.asarray(negative).astype(jnp.int32), [-1, -2, 1])


@check
def donation() -> None:
    cache = jnp.zeros(1000) + 0
    address = cache.unsafe_buffer_pointer()
    update = jax.jit(lambda x: lax.dynamic_update_slice(x, jnp.ones(1), (2,)), donate_argnums=0)
    result = update(cache)
    assert cache.is_deleted() and result.unsafe_buffer_pointer() == address
    equal(result[:4], [0, 0, 1, 0])
    kept = np.asarray(result)
    other = jax.jit(lambda x: x * 0 + 7, donate_argnums=0)(result)
    equal(kept[:4], [0, 0, 1, 0])
    equal(other, np.full(1000, 7))


@check
def several_results() -> None:
    a, b, c = jax.jit(lambda x: (x + 1, x.sum(), x > 1))(jnp.arange(3))
    equal(a, [1, 2, 3])
    equal(b, 3)
    equal(c, [False, False, True])


@check
def several_devices() -> None:
    second = jax.devices()[1]
    there = jax.device_put(jnp.arange(3), second)
    result = jax.jit(lambda x: x + 1)(there)
    assert result.devices() == {second}
    equal(result, [1, 2, 3])


@check
def shardings() -> None:
    mesh = Mesh(np.array(jax.devices()), ("x",))
    rows = NamedSharding(mesh, PartitionSpec("x"))
    x = jax.device_put(jnp.arange(8.0).reshape(4, 2), rows)
    equal(jax.jit(lambda x: x @ x.T, out_shardings=rows)(x), np.asarray(x) @ np.asarray(x).T)
    doubled = jax.jit(lambda x: x * 2)(x)
    assert doubled.sharding.is_fully_replicated
    equal(doubled, np.asarray(x) * 2)
    with jax.set_mesh(mesh):
        total = jax.shard_map(lambda x: lax.psum(x, "x"), in_specs=PartitionSpec("x"), out_specs=PartitionSpec())
        equal(jax.jit(total)(x), [[4, 6], [8, 10]])


@check
def unreduced() -> None:
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    with jax.set_mesh(jax.make_mesh((2,), ("x",), axis_types=(AxisType.Explicit,))):
        left, right = jax.device_put(x, PartitionSpec(None, "x")), jax.device_put(x.T, PartitionSpec("x", None))
        spec = PartitionSpec(None, None, unreduced={"x"})
        terms = jax.jit(lambda a, b: jnp.einsum("ij,jk->ik", a, b, out_sharding=spec))(left, right)
        assert terms.sharding.spec.unreduced == {"x"}
        for n, shard in enumerate(terms.addressable_shards):
            part = x[:, 2 * n : 2 * n + 2]
            equal(shard.data, part @ part.T)
        for whole in (PartitionSpec(None, None), PartitionSpec("x", None)):
            equal(jax.sharding.reshard(terms, whole), x @ x.T)
        both = jax.shard_map(lambda a: a + a, in_specs=spec, out_specs=spec)
        equal(jax.sharding.reshard(jax.jit(both)(terms), PartitionSpec(None, None)), 2 * x @ x.T)


@check
def pmap() -> None:
    equal(jax.pmap(lambda x: lax.psum(x, "i") + x, axis_name="i")(jnp.arange(2.0)), [1, 2])


def doubled(x: jax.Array) -> jax.Array:
    return jax.pure_callback(lambda x: np.asarray(x) * 2, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


@check
def callbacks() -> None:
    equal(jax.jit(lambda x: doubled(x) + 1)(jnp.arange(3.0)), [1, 3, 5])
    seen: list[float] = []
    note = lambda x: (seen.append(float(x)), np.float32(x))[1]

    @jax.jit
    def noted(x: jax.Array) -> jax.Array:
        step = lambda c, x: (c + io_callback(note, jax.ShapeDtypeStruct((), np.float32), x, ordered=True), None)
        return lax.scan(step, jnp.float32(0), x)[0]

    equal(noted(jnp.arange(4, dtype=np.float32)), 6)
    equal(noted(jnp.arange(2, dtype=np.float32)), 1)
    assert seen == [0, 1, 2, 3, 0, 1]


@check
def callbacks_on_several_devices() -> None:
    mesh = Mesh(np.array(jax.devices()), ("x",))
    rows = NamedSharding(mesh, PartitionSpec("x"))
    numbers = np.arange(8.0).reshape(4, 2)
    x = jax.device_put(numbers, rows)
    seen: list[tuple[int, ...]] = []

    def noted(x: jax.Array, ordered: bool) -> jax.Array:
        note = lambda x: (seen.append(x.shape), np.asarray(x) * 2)[1]
        return io_callback(note, jax.ShapeDtypeStruct(x.shape, x.dtype), x, ordered=ordered)

    # On arrays as a whole, once; on the shards of each device, on each.
    for ordered in (False, True):
        equal(jax.jit(lambda x: noted(x, ordered) + 1, out_shardings=rows)(x), numbers * 2 + 1)
    assert seen == [(4, 2)] * 2
    with jax.set_mesh(mesh):
        shards = jax.shard_map(lambda x: noted(x, False), in_specs=PartitionSpec("x"), out_specs=PartitionSpec("x"))
        equal(jax.jit(shards)(x), numbers * 2)
    equal(jax.pmap(lambda x: doubled(x) + 1)(jnp.arange(2.0)), [1, 3])
    assert seen == [(4, 2)] * 2 + [(2, 2)] * 2
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        jax.jit(lambda x: (jax.debug.print("{}", x.sum()), x)[1])(x)
        jax.effects_barrier()
    assert text.getvalue() == "28.0\n"


@check
def printing() -> None:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        for ordered in (True, False):
            jax.jit(lambda x: (jax.debug.print("x = {}", x, ordered=ordered), x)[1])(jnp.float32(2))
        jax.effects_barrier()
    assert text.getvalue() == "x = 2.0\n" * 2


@check
def errors_of_callbacks() -> None:
    def fails(x: jax.Array) -> np.ndarray:
        raise ValueError("no such value")

    logging.disable(logging.ERROR)
    for function, message in ((fails, "ValueError: no such value"), (lambda x: np.zeros(2), "Incorrect output shape")):
        call = lambda x: jax.pure_callback(function, jax.ShapeDtypeStruct((), np.float32), x)
        try:
            jax.jit(call)(jnp.float32(0))  # as on XLA's CPU, small programs have run when the call returns
        except jax.errors.JaxRuntimeError as error:
            assert message in str(error), error
        else:
            raise AssertionError("nothing was raised")


@check
def functions_of_callbacks_are_let_go() -> None:
    from hlo2tiny.program.custom_calls import custom_calls

    jax.clear_caches()
    gc.collect()
    before = len(custom_calls())
    equal(jax.jit(doubled)(jnp.ones(5)), np.full(5, 2))
    assert len(custom_calls()) == before + 1
    jax.clear_caches()
    gc.collect()
    assert len(custom_calls()) == before


@check
def threads() -> None:
    step, start = jax.jit(lambda x: x @ x / 100 + 1), jnp.ones((100, 100))

    def iterations(n: int) -> jax.Array:
        x = start
        for _ in range(n):
            x = step(x)
        return x

    with ThreadPoolExecutor(8) as pool:
        for result in pool.map(iterations, [50] * 8):
            equal(result, iterations(50))


@check
def memory_is_given_back() -> None:
    step, x = jax.jit(lambda x: x + 1), jnp.zeros(1 << 20)
    unit = 1 if sys.platform == "darwin" else 1024
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    for _ in range(500):  # 4 GB, if results stayed
        x = step(x)
    assert float(x[0]) == 500
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - before < 200 << 20


@check
def many_calls_from_threads() -> None:
    step, start = jax.jit(lambda x: x + 1), jnp.zeros(8)

    def calls(n: int) -> float:
        x = start
        for _ in range(n):
            x = step(x)
        return float(x[0])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(calls, [200] * 8)) == [200] * 8
        unit = 1 if sys.platform == "darwin" else 1024
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
        assert list(pool.map(calls, [12500] * 8)) == [12500] * 8
    # 100,000 results: a hundred bytes that stay of each would be ten million.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit - before < 8 << 20


@check
def errors() -> None:
    call = jax.ffi.ffi_call("no_such_function", jax.ShapeDtypeStruct((3,), np.float32))
    try:
        jax.jit(call)(jnp.ones(3, np.float32))
    except jax.errors.JaxRuntimeError as error:
        assert "UNIMPLEMENTED" in str(error) and "'no_such_function' has no function" in str(error)
    else:
        raise AssertionError("nothing was raised")


@check
def costs_and_serialization() -> None:
    from jax.experimental import serialize_executable

    compiled = jax.jit(lambda x: x @ x).lower(jnp.ones((8, 8))).compile()
    assert compiled.cost_analysis()["flops"] == 2 * 8**3
    assert compiled.memory_analysis().argument_size_in_bytes == 512
    serialized = serialize_executable.serialize(compiled)
    again = serialize_executable.deserialize_and_load(*serialized, execution_devices=jax.devices()[:1])
    equal(again(jnp.ones((8, 8))), np.full((8, 8), 8))


@check
def steps_on_the_host() -> None:
    import hlo2tiny

    hlo2tiny.custom_call("tests.double")(lambda x: x * 2)
    call = jax.ffi.ffi_call("tests.double", jax.ShapeDtypeStruct((3,), np.float32))
    equal(jax.jit(call)(jnp.ones(3, np.float32)), np.full(3, 2))


def called(name: str, x: jax.Array, **attributes: object) -> jax.Array:
    return jax.jit(lambda x: jax.ffi.ffi_call(name, jax.ShapeDtypeStruct(x.shape, x.dtype))(x, **attributes) + 1)(x)


@check
def handlers_that_are_registered_with_jax() -> None:
    handlers = ctypes.CDLL(library("handlers"))
    for name, symbol, platform in (
        ("for_hlo2tiny", "DoubleLater", "hlo2tiny"),
        ("for_the_cpu", "DoubleLater", "cpu"),
        ("fails", "FailIfNegative", "hlo2tiny"),
    ):
        jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(getattr(handlers, symbol)), platform=platform)
    for name in ("for_hlo2tiny", "for_the_cpu"):
        equal(called(name, jnp.arange(3, dtype=np.float32), fails=False), [1, 3, 5])
    equal(called("fails", jnp.ones(3, np.float32)), np.full(3, 2))
    for _ in range(2):
        try:
            called("fails", -jnp.ones(3, np.float32)).block_until_ready()
        except jax.errors.JaxRuntimeError as error:
            assert "INVALID_ARGUMENT: handler 'fails' failed: number 0 is negative" in str(error), error
        else:
            raise AssertionError("nothing was raised")
    with ThreadPoolExecutor(8) as pool:
        call = lambda n: called("for_the_cpu", jnp.full(3, n, np.float32), fails=False)
        for n, result in enumerate(pool.map(call, range(40))):
            equal(result, np.full(3, 2 * n + 1))


@check
def states_of_handlers() -> None:
    handlers = ctypes.CDLL(library("stateful"))
    pointer = lambda name: jax.ffi.pycapsule(getattr(handlers, name))
    type = {}
    for key in ("type", "info"):
        place = getattr(handlers, f"counter_{key}")
        place.restype = ctypes.c_void_p
        type[f"type_{'id' if key == 'type' else key}"] = jax.ffi.pycapsule(ctypes.CFUNCTYPE(None)(place()))
    jax.ffi.register_ffi_type("counter", type, platform="hlo2tiny")
    stages = {"instantiate": pointer("Begin"), "execute": pointer("Count")}
    jax.ffi.register_ffi_target("counts", stages, platform="hlo2tiny")
    count = jax.jit(lambda: jax.ffi.ffi_call("counts", jax.ShapeDtypeStruct((), np.int64))(first=np.int64(7)))
    equal([count(), count()], [7, 8])
    assert handlers.counters_alive() == 1
    del count
    jax.clear_caches()
    gc.collect()
    assert handlers.counters_alive() == 0


@check
def dlpack() -> None:
    for dtype in (np.float32, np.int8, np.bool_, np.complex64, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn):
        array = jnp.arange(64).reshape(8, 8).astype(dtype)
        again = jax.dlpack.from_dlpack(array)
        assert again.dtype == dtype and again.unsafe_buffer_pointer() == array.unsafe_buffer_pointer()
        assert again.devices() == array.devices()
        equal(again, array)
    array = jnp.arange(64.0)
    view = np.from_dlpack(array)
    assert view.ctypes.data == array.unsafe_buffer_pointer() and not view.flags.writeable
    array.delete()
    del array
    equal(view, np.arange(64.0))
    assert np.from_dlpack(jax.device_put(jnp.ones(3), jax.devices()[1]))[2] == 1
    try:
        jnp.ones(4, jnp.int4).__dlpack__()
    except BufferError as error:
        assert "int4" in str(error)
    else:
        raise AssertionError("nothing was raised")


@check
def arrays_of_others() -> None:
    aligned = np.zeros(1040, np.uint8)
    aligned = aligned[-aligned.ctypes.data % 16 :][:1024].view(np.float32).reshape(16, 16)
    aligned[:] = np.arange(256).reshape(16, 16)
    taken = jax.dlpack.from_dlpack(aligned)
    assert taken.unsafe_buffer_pointer() == aligned.ctypes.data and taken.devices() == {jax.devices()[0]}
    equal(jax.jit(lambda x: x + 1)(taken), aligned + 1)
    # What cannot be used where it lies is copied.
    odd = np.zeros(1025, np.uint8)[1:].view(np.float32).reshape(16, 16)
    odd[:] = aligned
    for other in (odd, aligned.T, odd.T):
        equal(jax.jit(lambda x: x * 2)(jax.dlpack.from_dlpack(other)), other * 2)


@check
def layouts_on_the_device() -> None:
    array = jnp.arange(6.0).reshape(2, 3)
    compiled = jax.jit(lambda x: x.T).lower(array).compile()
    rows = array.format.layout
    assert rows.major_to_minor == (0, 1)
    assert compiled.output_formats.layout == rows and compiled.input_formats[0][0].layout == rows
    sharding = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    for layout in (Layout((0, 1)), Layout.AUTO):
        equal(jax.jit(lambda x: x + 1, out_shardings=Format(layout, sharding))(array), np.asarray(array) + 1)
    columns = Format(Layout((1, 0)), sharding)
    put = jax.device_put(array, columns)
    assert put.format.layout.major_to_minor == (1, 0)
    equal(put, array)
    equal(jax.jit(lambda x: x.T @ x)(put), np.asarray(array).T @ np.asarray(array))
    for choice in ({"in_shardings": columns}, {"out_shardings": columns}):
        equal(jax.jit(lambda x: x + 1, **choice)(put if "in_shardings" in choice else array), np.asarray(array) + 1)
    turned = Format(Layout((2, 0, 1)), sharding)
    block = jnp.arange(24.0).reshape(2, 3, 4)
    both = jax.jit(lambda x, y: (x.sum(1), x * 2 + y), in_shardings=(turned, None), out_shardings=(None, turned))
    total, doubled = both(jax.device_put(block, turned), block)
    assert doubled.format.layout.major_to_minor == (2, 0, 1)
    equal(total, np.asarray(block).sum(1))
    equal(doubled, np.asarray(block) * 3)
    given_up = jax.jit(lambda x: x + 1, donate_argnums=0, in_shardings=columns, out_shardings=columns)
    equal(given_up(put), np.asarray(array) + 1)
    assert put.is_deleted()


@check
def layouts_on_several_devices() -> None:
    mesh = Mesh(np.array(jax.devices()), ("x",))
    array = np.arange(24.0).reshape(2, 3, 4)
    columns = Format(Layout((2, 0, 1)), NamedSharding(mesh, PartitionSpec("x")))
    put = jax.device_put(array, columns)
    assert put.format.layout.major_to_minor == (2, 0, 1)
    equal(put, array)
    twice = jax.jit(lambda x, y: (x * 2 + y, y.sum(0)), in_shardings=(columns, None), out_shardings=(columns, None))
    doubled, total = twice(put, array)
    assert doubled.format.layout.major_to_minor == (2, 0, 1) and doubled.sharding == columns.sharding
    equal(doubled, array * 3)
    equal(total, array.sum(0))
    everywhere = Format(Layout((0, 2, 1)), NamedSharding(mesh, PartitionSpec()))
    equal(jax.jit(lambda x: x + 1, in_shardings=everywhere)(jax.device_put(array, everywhere)), array + 1)
    given_up = jax.jit(lambda x: x + x.sum(), donate_argnums=0, in_shardings=columns, out_shardings=columns)
    equal(given_up(put), array + array.sum())


@check
def results_of_programs_that_nothing_shards() -> None:
    """Their devices are those of the mesh, on which each has the whole."""
    mesh = jax.make_mesh((2,), ("x",), axis_types=(AxisType.Explicit,))
    with jax.set_mesh(mesh):
        one = jax.jit(lambda: jnp.ones(()))()
        assert one.sharding == NamedSharding(mesh, PartitionSpec(), memory_kind="device"), one.sharding
        equal(jax.reshard(one, PartitionSpec()), 1)
        terms = jax.reshard(jnp.arange(8.0), PartitionSpec(unreduced={"x"}))
        scattered = jax.shard_map(
            lambda x: lax.psum_scatter(x, "x", tiled=True),
            out_specs=PartitionSpec("x"),
            mesh=mesh,
            in_specs=terms.sharding.spec,
        )
        equal(scattered(terms), np.arange(8.0))
        equal(jax.grad(lambda x: scattered(x).sum())(terms), np.ones(8))


@check
def branches_by_platform() -> None:
    """Those for the CPU are taken where there is none for the platform itself; so are functions exported for it."""
    x = jnp.arange(3.0)

    def chosen(**branches: Any) -> Any:
        return lambda x: lax.platform_dependent(x, **branches)

    for function, expected in (
        (chosen(cpu=jnp.sin, tpu=jnp.cos, default=jnp.tan), np.sin),
        (chosen(tpu=jnp.sin, cpu=jnp.cos), np.cos),
        (chosen(cpu=jnp.sin, hlo2tiny=jnp.cos), np.cos),
        (chosen(tpu=jnp.sin, default=jnp.cos), np.cos),
    ):
        for f in (function, jax.jit(function), jax.vmap(function)):
            np.testing.assert_allclose(f(x), expected(np.arange(3.0)), rtol=1e-12)
    for platforms in (("cpu",), ("tpu", "cpu"), ("hlo2tiny",), ("cpu", "hlo2tiny")):
        exported = jax.export.export(jax.jit(jnp.sin), platforms=platforms)(x)
        np.testing.assert_allclose(exported.call(x), np.sin(np.arange(3.0)), rtol=1e-12)
    for refused in (chosen(tpu=jnp.sin), jax.export.export(jax.jit(jnp.sin), platforms=("tpu",))(x).call):
        try:
            jax.jit(refused)(x)
        except (NotImplementedError, ValueError) as error:
            assert "hlo2tiny" in str(error), error
        else:
            raise AssertionError("nothing was raised")


@check
def callbacks_that_write_in_place() -> None:
    def add(context: Any, out: Any, x: Any, *, by: Any) -> None:
        assert out.writeable and not x.writeable
        np.asarray(out)[...] = np.asarray(x) + np.asarray(by)

    x = jnp.arange(6.0).reshape(2, 3)
    for options in ({}, {"input_output_aliases": {0: 0}}, {"has_side_effect": True, "vmap_method": "sequential"}):
        function = buffer_callback(add, jax.ShapeDtypeStruct.like(x), **options)
        equal(jax.jit(lambda x: function(x * 2, by=x))(x), np.asarray(x) * 3)
        equal(x, np.arange(6.0).reshape(2, 3))
    equal(jax.vmap(function)(jnp.stack([x, x + 1]), by=jnp.stack([x, x])), [2 * x, 2 * x + 1])


@check
def layouts_that_are_not_there() -> None:
    """Tiles are refused in one sentence, for an array and for a program."""
    array = jnp.arange(64.0).reshape(8, 8)
    tiled = Format(Layout((0, 1), tiling=((2, 4),)), jax.sharding.SingleDeviceSharding(jax.devices()[0]))
    message = "result 0 is to have the layout {1,0:T(2,4)}, but only the order of dimensions can be chosen, not tiles"
    for use in (lambda: jax.device_put(array, tiled), lambda: jax.jit(lambda x: x + 1, out_shardings=tiled)(array)):
        try:
            use()
        except jax.errors.JaxRuntimeError as error:
            assert message in str(error), error
        else:
            raise AssertionError("nothing was raised")


@check
def weights_that_many_calls_use() -> None:
    """They are packed after some calls; the results stay the same to the bit, and the weights may change or end."""
    generator = np.random.default_rng(0)
    step = jax.jit(lambda x, w: jnp.tanh(x @ w) @ w.T, donate_argnums=())
    for shape in ((300, 70), (64, 64), (5, 33)):
        w, x = (jnp.asarray(generator.standard_normal(s), np.float32) for s in (shape, (7, shape[0])))
        if shape[0] == 64:  # memory of numpy's that is used where it lies, and is not aligned for vectors
            memory = np.zeros(w.nbytes + 80, np.uint8)
            begin = -memory.ctypes.data % 64 + 16
            memory[begin : begin + w.nbytes] = np.asarray(w).view(np.uint8).ravel()
            w = jax.device_put(memory[begin : begin + w.nbytes].view(np.float32).reshape(shape))
        first = np.asarray(step(x, w))
        for _ in range(6):
            equal(step(x, w), first)
        again = jax.jit(lambda w: w + 1, donate_argnums=0)(w)  # where the weights were
        np.testing.assert_allclose(
            step(x, again), np.tanh(x @ np.asarray(again)) @ np.asarray(again).T, rtol=2e-4, atol=1e-4
        )


@check
def kinds_of_memory() -> None:
    device = jax.devices()[0]
    assert [m.kind for m in device.addressable_memories()] == ["device", "pinned_host", "unpinned_host"]
    assert device.default_memory().kind == "device"
    for kind in ("pinned_host", "unpinned_host", "device"):
        there = jax.device_put(jnp.arange(3.0), jax.sharding.SingleDeviceSharding(device, memory_kind=kind))
        assert there.sharding.memory_kind == kind
        equal(jax.jit(lambda x: x + 1, out_shardings=there.sharding)(there), [1, 2, 3])
        back = jax.jit(lambda x: jax.device_put(x, jax.memory.Space.Device) * 2)(there)
        assert back.sharding.memory_kind == "device"
        equal(back, [0, 2, 4])


@check
def calls_that_go_on() -> None:
    """A call returns before a long program has ended, and what uses its results waits or gets its error."""
    matrix = jnp.full((700, 700), 1 / 700)
    power = jax.jit(lambda x: lax.fori_loop(0, 200, lambda i, y: y @ x, x))
    power(matrix).block_until_ready()
    results = [power(matrix) for _ in range(3)]
    assert not results[-1].is_ready()
    following = [jnp.sum(result) for result in results]
    del results
    for total in following:
        np.testing.assert_allclose(total, 700, rtol=1e-9)
    given = power(matrix)
    moved = jax.jit(lambda x: x * 2, donate_argnums=0)(given)
    assert given.is_deleted()
    np.testing.assert_allclose(moved, np.asarray(matrix) * 2, rtol=1e-9)
    handlers = ctypes.CDLL(library("handlers"))
    jax.ffi.register_ffi_target("fails_later", jax.ffi.pycapsule(handlers.FailIfNegative), platform="hlo2tiny")
    failing = jax.jit(lambda x, y: jax.ffi.ffi_call("fails_later", y)(y + 0 * x[0, 0].astype(y.dtype)))
    failed = failing(power(matrix), -jnp.ones(3, np.float32))
    for use in (lambda: failed.block_until_ready(), lambda: np.asarray(failed), lambda: np.asarray(failed + 1)):
        try:
            use()
        except jax.errors.JaxRuntimeError as error:
            assert "number 0 is negative" in str(error), error
        else:
            raise AssertionError("nothing was raised")


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    for function in (check for check in CHECKS if check.__name__ in sys.argv[1:] or not sys.argv[1:]):
        try:
            function()
            print(f"{function.__name__}: right")
        except Exception as error:
            print(f"{function.__name__}: {error!r}")
