"""Arguments whose memory a call takes for results: `load(…, donate=…)`, and what a file says itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import export
from safetensors.numpy import save_file
from tinygrad import Tensor

import hlo2tiny
from hlo2tiny.errors import InputError
from hlo2tiny.ir.dtypes import byte_size
from hlo2tiny.plan.aliasing import AliasAnalysis
from hlo2tiny.plan.text import plan_text
from hlo2tiny.program.arguments import Arguments
from hlo2tiny.targets.c.native import render_plan
from hlo2tiny.tinygrad.tensors import own_buffer

HEADS, DEPTH = 2, 8


def update(k: Any, v: Any, x: Any, position: Any) -> Any:
    """Add keys and values to a cache."""
    return jax.lax.dynamic_update_slice(k, x[:, None], (0, position, 0)), v.at[:, position].set(2 * x)


def decode(k: Any, v: Any, x: Any, position: Any) -> Any:
    """One step of attention with a cache."""
    k, v = update(k, v, x, position)
    scores = jnp.einsum("hd,htd->ht", x, k)
    scores = jnp.where(jnp.arange(k.shape[1]) <= position, scores, -jnp.inf)
    return jnp.einsum("ht,htd->hd", jax.nn.softmax(scores), v), k, v


def layers(k: Any, x: Any, position: Any) -> Any:
    """Layers in a loop that carries their caches."""

    def layer(i: Any, carry: Any) -> Any:
        x, k = carry
        k = jax.lax.dynamic_update_slice(k, x[None, :, None], (i, 0, position, 0))
        return x + jax.lax.dynamic_index_in_dim(k, i, 0, False).sum(1), k

    return jax.lax.fori_loop(0, k.shape[0], layer, (x, k))


def scanned(k: Any, v: Any, x: Any, position: Any) -> Any:
    """Layers whose caches `lax.scan` walks over."""

    def layer(x: Any, caches: Any) -> Any:
        y, k, v = decode(*caches, x, position)
        return x + y, (k, v)

    def decode(k: Any, v: Any, x: Any, position: Any) -> Any:
        k = jax.lax.dynamic_update_slice(k, x[:, None], (0, position, 0))
        v = jax.lax.dynamic_update_slice(v, 2 * x[:, None], (0, position, 0))
        scores = jnp.where(jnp.arange(k.shape[1]) <= position, jnp.einsum("hd,htd->ht", x, k), -jnp.inf)
        return jnp.einsum("ht,htd->hd", jax.nn.softmax(scores), v), k, v

    x, (k, v) = jax.lax.scan(layer, x, (k, v))
    return x, k, v


def cache(capacity: int, *more: int) -> np.ndarray:
    return np.zeros((*more, HEADS, capacity, DEPTH), np.float32)


X = np.random.default_rng(0).normal(size=(12, HEADS, DEPTH)).astype(np.float32)


def text(function: Any, *arguments: Any, donated: Any = ()) -> str:
    return str(jax.jit(function, donate_argnums=donated, keep_unused=True).lower(*arguments).as_text())


def decoding(capacity: int = 12, donated: Any = ()) -> str:
    return text(decode, cache(capacity), cache(capacity), X[0], 0, donated=donated)


def position(i: int) -> np.ndarray:
    return np.int32(i)  # type: ignore[return-value]


def expected() -> Iterator[tuple[np.ndarray, ...]]:
    """The results of each step without donation."""
    program, k, v = hlo2tiny.load(decoding(), "CPU"), cache(12), cache(12)
    for i, x in enumerate(X):
        y, k, v = program.numpy(k, v, x, position(i))
        yield y, k.copy(), v.copy()


@pytest.fixture(params=["c", "tinygrad"])
def executor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("HLO2TINY_EXECUTOR", request.param)
    return str(request.param)


def test_arrays_are_updated_and_returned(executor: str) -> None:
    program, k, v = hlo2tiny.load(decoding(), "CPU", donate=(0, 1)), cache(12), cache(12)
    for i, (x, results) in enumerate(zip(X, expected())):
        found = program.numpy(k, v, x, position(i))
        assert found[1] is k and found[2] is v
        for result, other in zip(found, results):
            np.testing.assert_allclose(result, other, 1e-6 if executor == "tinygrad" else 0)


def test_tensors_are_given_up(executor: str) -> None:
    """What the file donates is donated without `donate`."""
    program = hlo2tiny.load(decoding(donated=(0, 1)), "CPU")
    k, v = (Tensor(cache(12)).clone().realize() for _ in range(2))
    for i, (x, results) in enumerate(zip(X, expected())):
        places = [own_buffer(c, program.plan.main.types[0], "CPU") for c in (k, v)]  # type: ignore[arg-type]
        before = k, v
        y, k, v = program(*before, x, position(i))
        for tensor, place in zip((k, v), places):
            assert own_buffer(tensor, program.plan.main.types[0], "CPU") is place  # type: ignore[arg-type]
        for result, other in zip((y, k, v), results):
            np.testing.assert_allclose(result.numpy(), other, 1e-6)
        used: Any
        for used in (
            lambda c=before[0]: program(c, v, x, position(i)),
            lambda c=before[1]: program(k, c, x, position(i)),
            before[0].numpy,
            lambda c=before[1]: c + 1,
            lambda c=before[1]: c.shape,
        ):
            with pytest.raises(hlo2tiny.InputError, match=r"^this Tensor was donated to an earlier call"):
                used()
        assert repr(before[0]) == "<Tensor donated to a call>"
    assert (Tensor([1.0]) + 1).tolist() == [2]  # tinygrad does not stumble over what was given up


def test_numpy_keeps_what_only_the_file_donates() -> None:
    program, k, v = hlo2tiny.load(decoding(donated=(0, 1)), "CPU"), cache(12), cache(12)
    y, *caches = program.numpy(k, v, X[0], position(0))
    assert not k.any() and not v.any()
    out = np.empty_like(y), k, v  # but this says that they are to be overwritten
    assert program.numpy(k, v, X[0], position(0), out=out)[1] is k
    for found, other in zip(out, (y, *caches)):
        np.testing.assert_array_equal(found, other)


def test_donate_replaces_what_the_file_says() -> None:
    program = hlo2tiny.load(decoding(donated=(0, 1)), "CPU", donate=())
    k, v = (Tensor(cache(12)).clone().realize() for _ in range(2))
    program(k, v, X[0], position(0))
    assert not k.numpy().any() and not program.plan.donated


def written_bytes(program: hlo2tiny.Program) -> int:
    """How much a call copies, and writes to buffers that are not updated in place."""
    plan, analysis, total = program.plan, AliasAnalysis(program.plan), 0
    todo = [(plan.main, analysis.in_place_of_main())]
    for block, in_place in todo:
        aliasing = analysis.of(block, in_place)
        for index, step in enumerate(block.steps):
            aliased = {pair.result for pair in analysis.aliases(step)} - {p.result for p in aliasing.copied[index]}
            total += sum(byte_size(block.types[n]) for n in step.outputs if n not in aliased)
            if hasattr(step, "body"):
                todo.append((step.body, analysis.in_place(step)))
    return total


def copies(program: hlo2tiny.Program) -> list[int]:
    """The sizes of the copies in the driver, except those of donated arguments that a call keeps."""
    source = render_plan(program.plan, lambda done, total: None, 1)
    lines = [line for line in source.driver.splitlines() if "memcpy" in line and "if (out[" not in line]
    return [int(size) for line in lines for size in re.findall(r"memcpy\([^;]*, (\d+)\);", line)]


def test_the_work_does_not_depend_on_the_capacity() -> None:
    """Attention reads the cache, so its scores do; nothing else is written that depends on it."""

    small, large = (hlo2tiny.load(text(update, cache(n), cache(n), X[0], 0, donated=(0, 1)), "CPU") for n in (16, 4096))
    assert written_bytes(small) == written_bytes(large) < 1000
    assert copies(small) == copies(large) == []
    scores = HEADS * 4 * (4096 - 16)
    small, large = (hlo2tiny.load(decoding(n), "CPU", donate=(0, 1)) for n in (16, 4096))
    assert written_bytes(large) - written_bytes(small) <= 4 * scores
    assert max(copies(large), default=0) < 1000
    loop = hlo2tiny.load(text(layers, cache(512, 3), X[0], 0), "CPU", donate=0)
    assert "updates a copy" not in plan_text(loop.plan) and max(copies(loop), default=0) < 1000


def test_a_cache_in_a_loop() -> None:
    program, k = hlo2tiny.load(text(layers, cache(12, 3), X[0], 0), "CPU", donate=0), cache(12, 3)
    plain, other = hlo2tiny.load(text(layers, cache(12, 3), X[0], 0), "CPU"), cache(12, 3)
    for i, x in enumerate(X):
        y, k_again = program.numpy(k, x, position(i))
        y_other, other = plain.numpy(other, x, position(i))
        assert k_again is k
        np.testing.assert_array_equal(y, y_other)
        np.testing.assert_array_equal(k, other)


def test_caches_that_a_scan_walks_over_are_updated_in_place() -> None:
    module = text(scanned, cache(512, 3), cache(512, 3), X[0], 0)
    program = hlo2tiny.load(module, "CPU", donate=(0, 1))
    assert "updates a copy" not in plan_text(program.plan) and max(copies(program), default=0) < 1000
    rows = HEADS * 512 * DEPTH * 4
    assert written_bytes(program) < rows // 4
    k, v = cache(512, 3), cache(512, 3)
    other_k, other_v = jnp.asarray(k), jnp.asarray(v)
    step = jax.jit(scanned)
    for i, x in enumerate(X):
        wanted, other_k, other_v = step(other_k, other_v, x, i)
        found, k_again, v_again = program.numpy(k, v, x, position(i))
        assert k_again is k and v_again is v
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(k, other_k, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(v, other_v, rtol=1e-5, atol=1e-5)


def test_a_scan_leaves_the_stack_that_it_reads() -> None:
    """If no argument is donated, or the first stack is read later or elsewhere in the loop."""

    def kept(k: Any, x: Any) -> Any:
        def layer(x: Any, row: Any) -> Any:
            return x + row.sum(), row.at[1].set(x)

        return *jax.lax.scan(layer, x, k), k.sum()

    def read(k: Any, x: Any) -> Any:
        def layer(x: Any, i: Any) -> Any:
            return x + k[-1].sum(), jax.lax.dynamic_index_in_dim(k, i, 0, False).at[1].set(x)

        return jax.lax.scan(layer, x, jnp.arange(4))

    def backwards(k: Any, x: Any) -> Any:
        return jax.lax.scan(lambda x, row: (x + row.sum(), row.at[1].set(x)), x, k, reverse=True)

    k, x = np.random.default_rng(1).normal(size=(4, 9)).astype(np.float32), np.float32(1)
    for function in (kept, read, backwards):
        given = k.copy()
        found = hlo2tiny.load(text(function, k, x), "CPU").numpy(given, np.asarray(x))
        np.testing.assert_array_equal(given, k)
        for a, b in zip(found, jax.tree.leaves(function(jnp.asarray(k), x)), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


NOT_IN_PLACE = {
    "elementwise": (lambda a, b: (a - b, a * 2), (0,)),
    "swapped": (lambda a, b: (b, a), (0, 1)),
    "both": (lambda a, b: (a + b, a - b), (0, 1)),
    "returned twice": (lambda a, b: (a, a), (0,)),
    "updated, and read later": (lambda a, b: (a.at[1].set(7.0), a + b), (0,)),
    "updated, and returned": (lambda a, b: (a, a.at[1].set(7.0), b), (0,)),
    "a constant": (lambda a, b: (jnp.arange(99, dtype=a.dtype).reshape(a.shape) + 1, b), (0, 1)),
}


@pytest.mark.parametrize("name", NOT_IN_PLACE)
def test_what_cannot_be_updated_in_place_is_copied(name: str, executor: str) -> None:
    function, donated = NOT_IN_PLACE[name]
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-9, 9, (33, 3)).astype(np.float32) for _ in range(2))
    wanted = [np.asarray(r) for r in function(jnp.asarray(a), jnp.asarray(b))]
    module = text(function, a, b)
    tensors = [Tensor(x.copy()).clone().realize() for x in (a, b)]
    for found, other in zip(hlo2tiny.load(module, "CPU", donate=donated)(*tensors), wanted, strict=True):
        np.testing.assert_array_equal(found.numpy(), other)
    program, given = hlo2tiny.load(module, "CPU", donate=donated), [a.copy(), b.copy()]
    results = program.numpy(*given)
    for result, other in zip(results, wanted, strict=True):
        np.testing.assert_array_equal(result, other)
    for argument, array in enumerate(given):
        assert any(result is array for result in results) == (argument in donated)


def test_the_result_that_can_be_in_place_is_chosen() -> None:
    """Not the first one of the type."""
    program = hlo2tiny.load(text(lambda k, x: (k * 2, k.at[1].set(x)), cache(5), X[0][0]), "CPU", donate=0)
    assert program.plan.donated == {1: 0}
    named = hlo2tiny.load(
        "func.func @main(%x: tensor<3xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<3xf32>, tensor<3xf32>) "
        "{ %0 = stablehlo.add %x, %x : tensor<3xf32> return %x, %0 : tensor<3xf32>, tensor<3xf32> }",
        "CPU",
    )
    assert named.plan.donated == {1: 0}


ATTRIBUTES = {
    "tf.aliasing_output = 7 : i32": True,
    "tf.aliasing_output = 0 : i32": True,
    'tf.aliasing_output = "x"': False,
    "jax.buffer_donor = true": True,
    "jax.buffer_donor = false": False,
}


@pytest.mark.parametrize("attribute, donated", ATTRIBUTES.items())
def test_what_a_file_may_say(attribute: str, donated: bool) -> None:
    """Attributes that do not fit are no error, as in XLA."""
    program = hlo2tiny.load(
        f"func.func @main(%x: tensor<3xf32> {{{attribute}}}) -> (tensor<i32>, tensor<3xf32>) {{ "
        "%c = stablehlo.constant dense<1> : tensor<i32> return %c, %x : tensor<i32>, tensor<3xf32> }",
        "CPU",
    )
    assert program.plan.donated == ({1: 0} if donated else {})
    x = np.ones(3, np.float32)
    assert program.numpy(x)[1].tolist() == [1, 1, 1]


@pytest.mark.parametrize("dtype", ["bfloat16", "bool", "complex64", "int8"])
def test_element_types(dtype: str, executor: str) -> None:
    def update(k: Any, x: Any, i: Any) -> Any:
        return jax.lax.dynamic_update_slice(k, x, (i, 0)), k.shape[0]

    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    k, x = np.zeros((9, 4), kind), np.ones((1, 4), kind)
    program = hlo2tiny.load(text(update, k, x, 0), "CPU", donate=0)
    if dtype == "bool":
        k.view(np.uint8)[3] = 2  # true, too
    assert program.numpy(k, x, position(5))[0] is k
    assert k.astype(bool).sum(1).tolist() == [0, 0, 0, 4 * (dtype == "bool"), 0, 4, 0, 0, 0]
    first = program(k, x, position(6))[0]
    type = program._for([]).inputs[0]
    place = own_buffer(first, type, "CPU")
    second = program(first, x, position(7))[0]
    assert place is not None
    assert (own_buffer(second, type, "CPU") is place) == (dtype != "complex64")  # updates of pairs are not in place
    assert hlo2tiny.load(text(update, k, x, 0), "CPU").numpy(k, x, position(6))[0].astype(bool).sum() == k.sum() + 4


def structured(tmp_path: Path) -> Path:
    def model(params: Any, cache: Any, x: Any) -> Any:
        return {"cache": [{"k": c["k"].at[0].set(x)} for c in cache], "y": x * params}

    shapes = np.zeros(3, np.float32), [{"k": np.zeros((2, 3), np.float32)} for _ in range(2)], np.zeros(3, np.float32)
    hlo2tiny.export(model, *shapes, path=tmp_path / "model.mlir")
    return tmp_path / "model.mlir"


@pytest.mark.parametrize("donate", ["cache", 1, ["cache"], [1], ("cache[0]['k']", "cache[1]['k']")])
def test_names_positions_and_structures(donate: Any, tmp_path: Path) -> None:
    program = hlo2tiny.load(structured(tmp_path), "CPU", donate=donate)
    cache = [{"k": np.zeros((2, 3), np.float32)} for _ in range(2)]
    found = program.numpy(np.ones(3, np.float32), cache, np.array([1, 2, 3], np.float32))
    assert all(a["k"] is b["k"] for a, b in zip(found["cache"], cache, strict=True))
    assert [c["k"].tolist() for c in cache] == [[[1, 2, 3], [0, 0, 0]]] * 2
    assert hlo2tiny.load(structured(tmp_path), "CPU", donate="cache[1]['k']").plan.donated == {1: 2}


@pytest.mark.parametrize("donate", ["caches", "", 3, -1, True])
def test_what_is_no_argument(donate: Any, tmp_path: Path) -> None:
    with pytest.raises(hlo2tiny.InputError, match=rf"^there is no argument {donate!r} to donate; the program takes \("):
        hlo2tiny.load(structured(tmp_path), "CPU", donate=[donate])


@pytest.mark.parametrize("donate", [1.5, [1.5], [None]])
def test_what_is_no_name(donate: Any, tmp_path: Path) -> None:
    message = (
        rf"^donate is {re.escape(repr(donate))}, expected the name or the number of an argument, or a list of these"
    )
    with pytest.raises(hlo2tiny.InputError, match=message):
        hlo2tiny.load(structured(tmp_path), "CPU", donate=donate)


def test_no_result_of_the_type() -> None:
    with pytest.raises(
        hlo2tiny.InputError, match=r"^argument position is donated, but no unclaimed result has its type, tensor<i32>"
    ):
        module = export.export(jax.jit(decode))(cache(12), cache(12), X[0], position(0)).serialize()
        hlo2tiny.load(bytes(module), "CPU", donate=("k", "position"))


def test_what_does_not_fit_is_not_written() -> None:
    program = hlo2tiny.load(decoding(), "CPU", donate=(0, 1))
    memory = np.zeros(3 * HEADS * 12 * DEPTH, np.float32)
    k, v, frozen = cache(12), cache(12), cache(12)
    frozen.flags.writeable = False
    apart = memory[: k.size].reshape(k.shape), memory[k.size - 1 : 2 * k.size - 1].reshape(k.shape)
    for arguments, message in [
        ((k, frozen, X[0]), "argument 1 is read-only, so no result can be written there"),
        ((np.asfortranarray(k), v, X[0]), "argument 0 is not contiguous, so no result can be written there"),
        ((k, k, X[0]), "argument 0 and argument 1 overlap, but the call writes results to one of them"),
        ((*apart, X[0]), "argument 0 and argument 1 overlap, but the call writes results to one of them"),
        ((k, v, k.reshape(-1)[: HEADS * DEPTH].reshape(HEADS, DEPTH)), "argument [02] and argument [02] overlap"),
    ]:
        with pytest.raises(hlo2tiny.InputError, match=f"^{message}"):
            program.numpy(*arguments, position(0))
        assert not any(map(np.any, (k, v, frozen, memory)))
    tensor = Tensor(k).clone().realize()
    for arguments in ((tensor, tensor), (tensor, tensor.reshape(-1).reshape(k.shape))):
        with pytest.raises(
            hlo2tiny.InputError, match=r"^argument 0 is donated, but another argument shares its memory$"
        ):
            program(*arguments, X[0], position(0))
    assert not tensor.numpy().any()
    with pytest.raises(hlo2tiny.InputError, match=r"^argument 0 is donated, so it cannot be bound$"):
        program.bind(k)


def test_weights_are_not_donated(tmp_path: Path) -> None:
    caches = {f"cache[{i}]['k']": np.zeros((2, 3), np.float32) for i in range(2)}
    save_file(caches, tmp_path / "caches.safetensors")
    with pytest.raises(
        hlo2tiny.InputError, match=r"^argument 1 \(cache\[0\]\['k'\]\) is donated, so it cannot be bound$"
    ):
        hlo2tiny.load(structured(tmp_path), "CPU", donate="cache", weights=tmp_path / "caches.safetensors")


def test_bound_arguments_are_not_given_up() -> None:
    program = hlo2tiny.load(decoding(donated=(0, 1)), "CPU")
    k, v = cache(12), Tensor(cache(12)).clone().realize()
    bound = program.bind(k, v)
    for _ in range(2):
        y, *_ = bound(X[0], position(0))
        np.testing.assert_array_equal(y.numpy(), next(expected())[0])
    assert not k.any() and not v.numpy().any()


def test_tensors_that_are_views_or_not_realized() -> None:
    program = hlo2tiny.load(decoding(), "CPU", donate=(0, 1))
    both = Tensor(np.zeros((2, HEADS, 12, DEPTH), np.float32)).clone().realize()
    y, k, v = program(both[0], both[1], X[0], position(0))
    for found, other in zip((y, k, v), next(expected())):
        np.testing.assert_array_equal(found.numpy(), other)
    assert not both.numpy().any()
    zeros = Tensor.zeros(HEADS, 12, DEPTH), Tensor.zeros(HEADS, 12, DEPTH) + 0
    for found, other in zip(program(*zeros, X[0], position(0)), next(expected())):
        np.testing.assert_array_equal(found.numpy(), other)


def test_a_part_of_a_graph_gives_nothing_up() -> None:
    program = hlo2tiny.load(decoding(donated=(0, 1)), "CPU")
    k, v = (Tensor(cache(12)).clone().realize() for _ in range(2))
    for _ in range(2):
        y, *_ = program.lazy(k, v, Tensor(X[0]), position(0))
        np.testing.assert_array_equal(y.numpy(), next(expected())[0])
    assert not k.numpy().any()


def test_open_dimensions_and_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLO2TINY_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (n,) = export.symbolic_shape("n")
    caches = jax.ShapeDtypeStruct((HEADS, n, DEPTH), jnp.float32)
    exported = export.export(jax.jit(decode, donate_argnums=(0, 1)))(caches, caches, X[0], position(0))
    for file in (bytes(exported.serialize()), decoding()):
        for _ in range(2):  # the second time from the store
            program, k, v = hlo2tiny.load(file, "CPU", donate=(0, 1)), cache(12), cache(12)
            for i, results in enumerate(expected()):
                found = program.numpy(k, v, X[i], position(i))
                assert found[1] is k and found[2] is v
                for result, other in zip(found, results):
                    np.testing.assert_array_equal(result, other)
            k, v = cache(12), cache(12)
            hlo2tiny.load(file, "CPU").numpy(k, v, X[0], position(0))  # other code
            assert not k.any()
            assert max(copies(program)) < k.nbytes


def test_later_calls_find_the_memory_of_earlier_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weights are the same Tensors again, and what a call donates are results of the last one: nothing is checked."""
    kept, steps = np.arange(65536, dtype=np.float32).reshape(256, 256), list[int]()
    program = hlo2tiny.load(text(lambda a, b, w: (a + w, b * 2, w[0]), kept, kept, kept), "CPU", donate=(0, 1))
    checked = Arguments.values
    monkeypatch.setattr(Arguments, "values", lambda *given: steps.append(1) or checked(*given))
    w, a, b = (Tensor(kept).realize() for _ in range(3))
    for _ in range(5):
        before = a, b
        a, b, row = program(a, b, w)
        assert len(steps) == 1 and row.tolist() == kept[0].tolist()
        for given in before:
            with pytest.raises(InputError, match="was donated to an earlier call"):
                given.numpy()
    np.testing.assert_array_equal(a.numpy(), kept * 6)
    np.testing.assert_array_equal(b.numpy(), kept * 32)
    a, b, _ = program(Tensor(kept).realize(), b, w)  # a Tensor that is no result
    np.testing.assert_array_equal(a.numpy(), kept * 2)
    a, b, _ = program(a, b, Tensor(2 * kept).realize())  # and other weights
    np.testing.assert_array_equal(a.numpy(), kept * 4)
    for given in ((a, a, w), (a, w, w), (w, b, w)):
        with pytest.raises(InputError, match="shares its memory"):
            program(*given)
    np.testing.assert_array_equal(program(a, b, w)[1].numpy(), kept * 256)
