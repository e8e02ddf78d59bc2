"""What a user of JAX does, on the platform that JAX_PLATFORMS names: a line for each check, with what went wrong."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

CHECKS: list[Callable[[], None]] = []
jax.config.update("jax_enable_x64", True)


def check(function: Callable[[], None]) -> Callable[[], None]:
    CHECKS.append(function)
    return function


def equal(found: object, expected: object) -> None:
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))


@check
def devices() -> None:
    assert jax.default_backend() == "hlo2tiny"
    assert [d.device_kind for d in jax.devices()] == ["CPU:0", "CPU:1"]
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
def threads() -> None:
    step, start = jax.jit(lambda x: x @ x / 100 + 1), jnp.ones((100, 100))

    def turns(n: int) -> jax.Array:
        x = start
        for _ in range(n):
            x = step(x)
        return x

    with ThreadPoolExecutor(8) as pool:
        for result in pool.map(turns, [50] * 8):
            equal(result, turns(50))


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


if __name__ == "__main__":
    for function in CHECKS:
        try:
            function()
            print(f"{function.__name__}: right")
        except Exception as error:
            print(f"{function.__name__}: {error!r}")
