"""One library for all sizes of open dimensions: built, called for several of them, and compared with Python."""

from __future__ import annotations

import ctypes
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array
from targets.c.test_folder import CLANG, Info, built, openblas_options
from targets.c.test_sizes import RANDOM, compiled, expect_commands, exported, floats, mlp, shape_of

import hlo2tiny
from hlo2tiny.cli import main

BATCHES = (1, 7, 300)


class Sizes(ctypes.Structure):
    """`struct model_sizes` of model.h where sizes are open."""

    _fields_ = (
        ("count", ctypes.c_size_t),
        ("names", ctypes.POINTER(ctypes.c_char_p)),
        ("most", ctypes.POINTER(ctypes.c_int64)),
    )


class Library:
    """A shared library of a program whose sizes are open, called through model.h."""

    def __init__(self, path: Path, threads: int = 2) -> None:
        self.functions = f = ctypes.CDLL(str(path))
        f.model_describe_for.restype = ctypes.POINTER(Info)
        f.model_describe_sizes.restype = ctypes.POINTER(Sizes)
        f.model_error.restype = ctypes.c_char_p
        known = f.model_describe_sizes().contents
        self.most = {known.names[i].decode(): known.most[i] for i in range(known.count)}
        self.context = ctypes.c_void_p()
        weights = str(path.parent / "weights.safetensors").encode()
        assert f.model_create(ctypes.byref(self.context), weights, threads) == 0

    def run(self, sizes: Sequence[int], *inputs: np.ndarray) -> list[np.ndarray]:
        """The results for inputs; raises ValueError with what `model_error` says."""
        numbers = (ctypes.c_int64 * len(sizes))(*sizes)
        if code := self.functions.model_check_sizes(numbers):
            assert not self.functions.model_describe_for(numbers)
            raise ValueError(self.functions.model_error(code).decode())
        info = self.functions.model_describe_for(numbers).contents
        assert [shape_of(info.inputs[i]) for i in range(info.input_count)] == [a.shape for a in inputs]
        results = [np.full(shape_of(info.outputs[i]), 99, np.float32) for i in range(info.output_count)]
        places = [ctypes.c_void_p(a.ctypes.data) for a in (*inputs, *results)]
        code = self.functions.model_run(self.context, *map(ctypes.c_int64, sizes), *places)
        assert code == 0, self.functions.model_error(code)
        return results


def library_of(model: Path, folder: Path, *options: str) -> Library:
    return Library(built(compiled(model, folder, *options), CLANG, target="libmodel.so"))


def expect_same(library: Library, model: Path, sizes: Sequence[int], *inputs: np.ndarray) -> None:
    """The numbers of Python's program for these inputs."""
    expected = hlo2tiny.load(model, device="CPU").numpy(*inputs)
    expected = [*expected] if isinstance(expected, list | tuple) else [expected]
    for found, e in zip(library.run(sizes, *inputs), expected, strict=True):
        np.testing.assert_allclose(found, e, rtol=1e-5, atol=1e-5)


@pytest.mark.ci
def test_a_batch(tmp_path: Path) -> None:
    model = mlp(tmp_path)
    library = library_of(model, tmp_path / "c")
    assert library.most == {"b": 1 << 20}
    # Compilers use vectors only for loops whose index is as wide as their end.
    assert re.search(r"for \(int (\w+) = \(int\)\(begin\); \1 < \(int\)\(end\)", (tmp_path / "c/program.c").read_text())
    for b in (*BATCHES, 2):  # the working memory grows, and stays
        expect_same(library, model, (b,), floats(b, 784))


def layer_norm(x: Array, scale: Array, offset: Array) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * scale + offset


@pytest.mark.ci
def test_norms_and_softmax(tmp_path: Path) -> None:
    model = exported(
        tmp_path, lambda w, x: jax.nn.softmax(layer_norm(x, *w), axis=-1), [floats(64), floats(64)], "b, 16, 64"
    )
    library = library_of(model, tmp_path / "c")
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 16, 64))


def moved(x: Array) -> list[Array]:
    y = jnp.transpose(x, (1, 0, 2))
    flat = jnp.concatenate([y, y * 2], axis=0).reshape(6, -1)
    table = jnp.pad(x, ((0, 0), (1, 2), (0, 0)), constant_values=3.0)
    return [
        *(x.sum(0), x.max(), x.mean((0, 2)), x.min(0)),  # of an open dimension
        *(jnp.concatenate([x, x + 1], axis=0), flat, flat[1], table, x[:, 1:, ::2], x[::-1]),
        *(jnp.where(x > 0, x, 0.5), x.reshape(-1, 8) + 1, x[:, :, None, :] * x[:, None, :, :], y.reshape(-1, 2, 4)),
    ]


@pytest.mark.ci
def test_moves_and_reductions(tmp_path: Path) -> None:
    model = exported(tmp_path, moved, "b, 3, 8")
    library = library_of(model, tmp_path / "c")
    # No loop counts the numbers of the indices, which are from an iota, up to the largest size.
    assert f"< {1 << 20}" not in (tmp_path / "c" / "program.c").read_text()
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 3, 8))


def encoder(layers: Sequence[Sequence[Array]], x: Array) -> Array:
    for a, b, q, k, v, o, first, second in layers:
        h = layer_norm(x, a, b)
        q, k, v = ((h @ w).reshape(*h.shape[:2], 4, -1).transpose(0, 2, 1, 3) for w in (q, k, v))
        weights = jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k) / 4, axis=-1)
        x = x + jnp.einsum("bhqk,bhkd->bhqd", weights, v).transpose(0, 2, 1, 3).reshape(x.shape) @ o
        x = x + jax.nn.gelu(layer_norm(x, a, b) @ first) @ second
    return x


def encoder_weights(layers: int) -> list[list[np.ndarray]]:
    shapes = [(64,), (64,), *[(64, 64)] * 4, (64, 256), (256, 64)]
    return [[floats(*shape) / shape[0] ** 0.5 for shape in shapes] for _ in range(layers)]


@pytest.mark.ci
def test_an_encoder(tmp_path: Path) -> None:
    model = exported(tmp_path, encoder, encoder_weights(2), "b, 32, 64")
    library = library_of(model, tmp_path / "c")
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 32, 64))


def test_an_encoder_of_any_length(tmp_path: Path) -> None:
    model = exported(tmp_path, encoder, encoder_weights(1), "b, t, 64")
    library = library_of(model, tmp_path / "c", "--most", "b=64", "--most", "t=300")
    assert library.most == {"b": 64, "t": 300}
    for sizes in ((1, 1), (7, 33), (1, 300)):
        expect_same(library, model, sizes, floats(*sizes, 64))


def decoder_weights() -> dict[str, np.ndarray]:
    shapes = {"q": (64, 64), "k": (64, 64), "v": (64, 64), "o": (64, 64), "up": (64, 128), "down": (128, 64)}
    return {name: floats(2, *shape) / shape[0] ** 0.5 for name, shape in shapes.items()}


def attend(w: dict[str, Array], x: Array, keys: Array, values: Array, mask: Array | None) -> Array:
    scores = jnp.einsum("bqhd,bkhd->bhqk", (x @ w["q"]).reshape(*x.shape[:2], 4, 16), keys) / 4
    scores = scores if mask is None else jnp.where(mask, scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, axis=-1), values)
    x = x + mixed.reshape(x.shape) @ w["o"]
    return x + jax.nn.gelu(x @ w["up"]) @ w["down"]


def heads_of(w: dict[str, Array], x: Array) -> list[Array]:
    return [(x @ w[name]).reshape(*x.shape[:2], 4, 16) for name in "kv"]


def decode(weights: dict[str, Array], x: Array, place: Array, keys: Array, values: Array) -> tuple[Array, Array, Array]:
    """Some more tokens, from a place in the caches on."""
    t, s = x.shape[1], keys.shape[2]
    mask = jnp.arange(s) <= place + jnp.arange(t)[:, None]

    def layer(x: Array, each: tuple[dict[str, Array], Array, Array]) -> tuple[Array, tuple[Array, Array]]:
        w, *caches = each
        caches = [jax.lax.dynamic_update_slice_in_dim(c, n, place, 1) for c, n in zip(caches, heads_of(w, x))]
        return attend(w, x, *caches, mask), (caches[0], caches[1])

    x, (keys, values) = jax.lax.scan(layer, x, (weights, keys, values))
    return x[:, -1], keys, values


def begin(weights: dict[str, Array], x: Array) -> tuple[Array, Array, Array]:
    """The first tokens, from which the caches are made."""
    mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))

    def layer(x: Array, w: dict[str, Array]) -> tuple[Array, tuple[Array, Array]]:
        k, v = heads_of(w, x)
        return attend(w, x, k, v, mask), (k, v)

    x, (keys, values) = jax.lax.scan(layer, x, weights)
    return x[:, -1], keys, values


def grow(weights: dict[str, Array], x: Array, keys: Array, values: Array) -> tuple[Array, Array, Array]:
    """One more token, which makes the caches longer."""

    def layer(x: Array, each: tuple[dict[str, Array], Array, Array]) -> tuple[Array, tuple[Array, Array]]:
        w, *caches = each
        caches = [jnp.concatenate([c, new], axis=1) for c, new in zip(caches, heads_of(w, x))]
        return attend(w, x, *caches, None), (caches[0], caches[1])

    x, (keys, values) = jax.lax.scan(layer, x, (weights, keys, values))
    return x[:, -1], keys, values


def shaped(text: str, scope: jax.export.SymbolicScope) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(jax.export.symbolic_shape(text, scope=scope), jnp.float32)


def test_a_decoder_with_a_cache(tmp_path: Path) -> None:
    scope = jax.export.SymbolicScope(["t <= s"])
    cache = shaped("2, b, s, 4, 16", scope)
    place = jax.ShapeDtypeStruct((), jnp.int32)
    model = exported(
        tmp_path, decode, decoder_weights(), shaped("b, t, 64", scope), place, cache, cache, weights="external"
    )
    library = library_of(model, tmp_path / "c", "--most", "b=8", "--most", "t=300", "--most", "s=300")
    assert "sattention" in (tmp_path / "c" / "program.c").read_text()
    for b, t, s in ((1, 1, 1), (3, 5, 64), (1, 40, 299)):
        caches = floats(2, b, s, 4, 16), floats(2, b, s, 4, 16)
        expect_same(library, model, (b, t, s), floats(b, t, 64), np.array((s - t) // 2, np.int32), *caches)
    with pytest.raises(ValueError, match="arguments' shapes do not match the export: "):
        library.run((1, 2, 1), floats(1, 1, 1))


@pytest.mark.night
@pytest.mark.parametrize("t", [1, 2, 7, 64, 299, 300])
def test_a_decoder_of_any_length(t: int, tmp_path: Path) -> None:
    scope = jax.export.SymbolicScope(["t <= s"])
    cache = shaped("2, 1, s, 4, 16", scope)
    types = shaped("1, t, 64", scope), jax.ShapeDtypeStruct((), jnp.int32), cache, cache
    model = exported(tmp_path, decode, decoder_weights(), *types, weights="external")
    library = library_of(model, tmp_path / "c", "--most", "t=300", "--most", "s=300")
    for s in sorted({t, *RANDOM.integers(t, 301, 8).tolist(), 300}):
        caches = floats(2, 1, s, 4, 16), floats(2, 1, s, 4, 16)
        expect_same(library, model, (t, s), floats(1, t, 64), np.array((s - t) // 2, np.int32), *caches)


def test_a_decoder_whose_cache_grows(tmp_path: Path) -> None:
    scope = jax.export.SymbolicScope()
    cache = shaped("2, 1, s, 4, 16", scope)
    model = exported(tmp_path, grow, decoder_weights(), floats(1, 1, 64), cache, cache, weights="external")
    library = library_of(model, tmp_path / "c", "--most", "s=299")
    text = (tmp_path / "c" / "program.c").read_text()
    assert "sattention" in text and "%(data" not in text and "%((data" not in text  # places are not divided
    for s in (1, 64, 299):
        expect_same(library, model, (s,), floats(1, 1, 64), floats(2, 1, s, 4, 16), floats(2, 1, s, 4, 16))


def test_gradients_of_attention_store_no_scores(tmp_path: Path) -> None:
    def loss(q: Array, k: Array, v: Array) -> Array:
        return (jax.nn.dot_product_attention(q, k, v, is_causal=True) ** 2).sum()

    types = [shaped("b, t, 2, 24", scope) for scope in [jax.export.SymbolicScope()] for _ in range(3)]
    model = exported(tmp_path, jax.grad(loss, (0, 1, 2)), *types)
    library = library_of(model, tmp_path / "c", "--most", "b=4", "--most", "t=300")
    assert "sgradients" in (tmp_path / "c" / "program.c").read_text()
    for b, t in ((1, 1), (4, 50), (1, 300)):
        expect_same(library, model, (b, t), *(floats(b, t, 2, 24) for _ in range(3)))


def test_a_decoder_of_any_number_of_tokens(tmp_path: Path) -> None:
    model = exported(tmp_path, begin, decoder_weights(), "1, t, 64", weights="external")
    library = library_of(model, tmp_path / "c")  # memory for scores grows, too
    text = (tmp_path / "c" / "program.c").read_text()
    assert "sattention" in text
    for t in (1, 12, 13, 300):
        expect_same(library, model, (t,), floats(1, t, 64))


def convolve(x: Array, kernel: Array, stride: int) -> Array:
    numbers = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=numbers)


def convolutional(w: Sequence[Array], x: Array) -> Array:
    x = jax.nn.relu(convolve(x, w[0], 1))
    x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = jax.nn.relu(convolve(x, w[1], 2))
    x = convolve(x, w[2], 1)  # each element by itself: a product
    return x.mean((1, 2)) @ w[3]


def test_convolutions(tmp_path: Path) -> None:
    weights = [floats(3, 3, 3, 16) / 5, floats(3, 3, 16, 32) / 12, floats(1, 1, 32, 64) / 6, floats(64, 10) / 8]
    model = exported(tmp_path, convolutional, weights, "b, 16, 16, 3")
    library = library_of(model, tmp_path / "c")
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 16, 16, 3))


def pooled(x: Array) -> list[Array]:
    whole = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return [whole, jax.lax.reduce_window(x, 0.0, jax.lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME")]


def test_pools_of_any_image(tmp_path: Path) -> None:
    model = exported(tmp_path, pooled, "1, h, w, 3")
    library = library_of(model, tmp_path / "c", "--most", "h=64", "--most", "w=64")
    for h, w in ((2, 2), (7, 64), (64, 33), (1, 5)):  # the last one has no windows
        expect_same(library, model, (h, w), floats(1, h, w, 3))


def strided(weights: Sequence[Array], x: Array) -> list[Array]:
    h = x
    for kernel in weights[:3]:
        h = jax.nn.relu(convolve(h, kernel, 2))
    window = lambda first, f, k: jax.lax.reduce_window(x, first, f, (1, k, k, 1), (1, 2, 2, 1), "SAME")
    pools = window(-jnp.inf, jax.lax.max, 3), window(-jnp.inf, jax.lax.max, 2), window(0.0, jax.lax.add, 3)
    return [h, h.mean((1, 2)), convolve(x, weights[3], 2), *pools]


@pytest.mark.ci
def test_strides_that_divide_no_image(tmp_path: Path) -> None:
    shapes = (7, 7, 3, 8), (3, 3, 8, 8), (5, 5, 8, 4), (1, 1, 3, 4)
    weights = [floats(*shape) / shape[0] / shape[2] ** 0.5 for shape in shapes]
    model = exported(tmp_path, strided, weights, "b, h, w, 3")
    library = library_of(model, tmp_path / "c", "--most", "b=8", "--most", "h=64", "--most", "w=64")
    for sizes in ((1, 1, 1), (2, 2, 3), (1, 7, 64), (2, 64, 33), (1, 13, 30)):
        expect_same(library, model, sizes, floats(*sizes, 3))


def test_windows_that_have_to_fit(tmp_path: Path) -> None:
    def function(x: Array) -> Array:
        x = jax.lax.reduce_window(jnp.roll(x, 1, 1), -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 1, 1, 1), "VALID")
        return jax.nn.relu(x) @ jnp.ones((3, 4))

    model = exported(tmp_path, function, "1, h, w, 3")
    library = library_of(model, tmp_path / "c", "--most", "h=64", "--most", "w=64")
    for h, w in ((3, 3), (7, 64), (64, 33)):
        expect_same(library, model, (h, w), floats(1, h, w, 3))
    with pytest.raises(ValueError, match=r"^sizes are too small for windows of 3$"):
        library.run((7, 2), floats(1, 7, 2, 3))
    with pytest.raises(ValueError, match=r"^sizes are too small: the program computes a quotient of them$"):
        library.run((1, 7), floats(1, 1, 7, 3))


def test_rows_of_a_table(tmp_path: Path) -> None:
    tokens = jax.ShapeDtypeStruct(jax.export.symbolic_shape("b, t"), jnp.int32)
    model = exported(tmp_path, lambda table, at: jnp.tanh(table[at]) * 2, floats(50, 8), tokens, weights="external")
    library = library_of(model, tmp_path / "c")
    for sizes in ((1, 1), (7, 5), (3, 300)):
        expect_same(library, model, sizes, RANDOM.integers(-50, 50, sizes, np.int32))


def repeated(w: Array, x: Array) -> tuple[Array, Array]:
    """A loop whose carries are open: one with two buffers that iterations swap, and one that they update in place."""

    def step(i: Array, carries: tuple[Array, Array]) -> tuple[Array, Array]:
        h, kept = carries
        h = jnp.tanh(h @ w)
        return h, kept.at[i].set(h[:, 0])

    return jax.lax.fori_loop(0, 5, step, (x, jnp.zeros((8, x.shape[0]))))


def test_a_donated_cache(tmp_path: Path) -> None:
    def step(cache: Array, x: Array, at: Array) -> tuple[Array, Array]:
        cache = jax.lax.dynamic_update_slice_in_dim(cache, x, at, 0)
        return cache, cache.sum(0)

    types = shaped("s, 8", jax.export.SymbolicScope()), floats(1, 8), jax.ShapeDtypeStruct((), jnp.int32)
    donating = jax.export.export(jax.jit(step, donate_argnums=0))(*types)
    (tmp_path / "model.mlir").write_text(donating.mlir_module())
    folder = compiled(tmp_path / "model.mlir", tmp_path / "c")
    assert "which becomes result 0: f32[s, 8]" in (folder / "model.h").read_text()
    library = Library(built(folder, CLANG, target="libmodel.so"))
    for s in (1, 7, 300):
        cache, x, at, total = floats(s, 8), floats(1, 8), np.array(s // 2, np.int32), np.empty(8, np.float32)
        expected = cache.copy()
        expected[s // 2] = x[0]
        places = [ctypes.c_void_p(a.ctypes.data) for a in (cache, x, at, total)]
        assert library.functions.model_run(library.context, ctypes.c_int64(s), *places) == 0
        np.testing.assert_array_equal(cache, expected)
        np.testing.assert_allclose(total, expected.sum(0), rtol=1e-5, atol=1e-5)


def test_a_loop_and_a_choice(tmp_path: Path) -> None:
    def function(w: Array, x: Array) -> tuple[Array, Array]:
        h, kept = repeated(w, x)
        return jax.lax.cond(h.sum() > 0, lambda: h, lambda: -h), kept

    model = exported(tmp_path, function, floats(32, 32) / 6, "b, 32", weights="external")
    library = library_of(model, tmp_path / "c")
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 32))


def ordered(x: Array) -> list[Array]:
    few = jnp.round(x * 2)  # some are equal
    pairs = jax.lax.sort([few, x], dimension=0, num_keys=2)
    largest, places = jax.lax.top_k(few, 3)
    whole = jnp.sort(jax.lax.complex(few, x), axis=0)
    return [
        *(jnp.sort(x, axis=0), jnp.sort(few, axis=1, descending=True), *pairs, whole.imag, jnp.median(x, axis=1)),
        *(jnp.argsort(few, axis=d).astype(jnp.float32) for d in (0, 1)),
        *(largest, places.astype(jnp.float32), jax.lax.top_k(few.T, 1)[1].astype(jnp.float32)),
    ]


@pytest.mark.parametrize(
    "columns", [pytest.param(5, marks=pytest.mark.ci), pytest.param(1100, marks=pytest.mark.night)]
)
def test_sorts(columns: int, tmp_path: Path) -> None:
    model = exported(tmp_path, ordered, f"b, {columns}")
    library = library_of(model, tmp_path / "c", "--most", "b=300")
    for b in (1, 65, 300):
        expect_same(library, model, (b,), floats(b, columns))


def cumulative(x: Array) -> list[Array]:
    functions = (jnp.cumsum, jax.lax.cummax, jax.lax.cumlogsumexp)
    found = [f(x, axis=d) for f in functions for d in (0, 1)]
    largest = [jnp.argmax(jnp.round(x), axis=d).astype(jnp.float32) for d in (0, 1)]
    return [*found, *largest, jax.lax.cummin(x, axis=0, reverse=True)]


@pytest.mark.ci
def test_cumulative_ops(tmp_path: Path) -> None:
    model = exported(tmp_path, cumulative, "b, 6")
    library = library_of(model, tmp_path / "c")
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 6) / 4)


def test_constraints_are_checked_where_the_program_runs(tmp_path: Path) -> None:
    shape = jax.export.symbolic_shape("b, t", constraints=["b <= 2*t", "mod(t, 2) == 0"])
    function = lambda x: jnp.tanh(x) + 1
    model = exported(tmp_path, function, jax.ShapeDtypeStruct(shape, jnp.float32))
    library = library_of(model, tmp_path / "c", "--most", "b=64")
    for sizes in ((1, 2), (7, 4), (64, 300)):
        expect_same(library, model, sizes, floats(*sizes))
    for sizes, message in (
        ((0, 4), "b has to be from 1 to 64"),
        ((65, 4), "b has to be from 1 to 64"),
        ((1, -2), "t has to be from 1 to 1048576"),
        ((7, 2), "the arguments' shapes do not match the export: "),
        ((1, 3), "the arguments' shapes do not match the export: "),
    ):
        with pytest.raises(ValueError, match="^" + message):
            library.run(sizes, floats(1, 1))


def test_one_size_given_and_one_open(tmp_path: Path) -> None:
    model = exported(tmp_path, encoder, encoder_weights(1), "b, t, 64")
    library = library_of(model, tmp_path / "c", "--shape", "t=16", "--most", "b=8")
    assert library.most == {"b": 8}
    for b in (1, 8):
        expect_same(library, model, (b,), floats(b, 16, 64))


def test_dimensions_that_are_computed(tmp_path: Path) -> None:
    def function(x: Array, y: Array) -> tuple[Array, Array]:
        return jnp.concatenate([x, x]) + y.mean(), x.reshape(-1)

    model = exported(tmp_path, function, "b, 2*t", "t, b")
    library = library_of(model, tmp_path / "c", "--most", "b=99", "--most", "t=300")
    assert "f32[2*b, 2*t] result[0]" in (tmp_path / "c" / "model.h").read_text()
    for b, t in ((1, 1), (7, 300), (99, 2)):
        expect_same(library, model, (b, t), floats(b, 2 * t), floats(t, b))


def transformed(x: Array) -> list[Array]:
    whole = jnp.fft.fft2(x)
    return [
        *(whole.real, whole.imag, jnp.abs(jnp.fft.rfft(x)), jnp.abs(jnp.fft.ifft(x, 37)), jnp.fft.irfft(whole)),
        jnp.abs(jnp.fft.rfft2(x)) + jnp.fft.irfft2(jnp.fft.rfft2(x), (8, 10)).sum(),
    ]


@pytest.mark.ci
def test_transforms_of_a_batch(tmp_path: Path) -> None:
    model = exported(tmp_path, transformed, "b, 8, 12")
    library = library_of(model, tmp_path / "c")
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 8, 12))


def factored(x: Array) -> list[Array]:
    positive = x @ x.transpose(0, 2, 1) + 4 * jnp.eye(5)
    lower = jnp.linalg.cholesky(positive)
    return [
        *(lower, jax.scipy.linalg.solve_triangular(lower, x, lower=True), jnp.linalg.inv(positive)),
        *(jnp.linalg.eigvalsh(positive), jnp.linalg.svd(x, compute_uv=False), jnp.linalg.det(positive)),
        *(jnp.abs(jnp.linalg.qr(x)[1]), jnp.linalg.solve(positive, x[:, 0, :, None])),
    ]


@pytest.mark.ci
@pytest.mark.skipif(not shutil.which("gcc"), reason="zig's linker wants all that a shared library needs")
def test_factors_of_a_batch(tmp_path: Path) -> None:
    model = exported(tmp_path, factored, "b, 5, 5")
    folder = compiled(model, tmp_path / "c")
    library = Library(built(folder, "gcc", *openblas_options(), target="libmodel.so"))
    for b in BATCHES:
        expect_same(library, model, (b,), floats(b, 5, 5))


def test_matrices_have_a_known_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, function in enumerate((jnp.linalg.cholesky, lambda x: jnp.linalg.qr(x)[1], jnp.linalg.eigvalsh)):
        (tmp_path / str(number)).mkdir()
        model = exported(tmp_path / str(number), function, "3, n, n")
        error = error_of(capsys, model, tmp_path / "c")
        assert (
            "stablehlo.custom_call: needs sizes of matrices that are known" in error and "use --shape n=SIZE,…" in error
        )


FFT = """
func.func @main(%a: tensor<3x?xcomplex<f32>> loc("a")) -> tensor<3x?xcomplex<f32>> {
  %0 = stablehlo.fft %a, type = FFT, length = [8] : (tensor<3x?xcomplex<f32>>) -> tensor<3x?xcomplex<f32>>
  return %0 : tensor<3x?xcomplex<f32>>
}
"""


def test_transforms_have_the_length_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.mlir").write_text(FFT)
    error = error_of(capsys, tmp_path / "model.mlir", tmp_path / "c")
    expected = "operand 0 of FFT is tensor<3x(a_1)xcomplex<f32>>, expected the last dimensions [8] (C4, C5)\n"
    assert expected in error and "use --shape a_1=SIZE,…" in error
    error = error_of(capsys, tmp_path / "model.mlir", tmp_path / "c", "--target", "web", "--shape", "a_1=4,8")
    assert expected in error and error.endswith("it cannot be compiled for all sizes yet; use --shape a_1=SIZE\n")
    compiled(tmp_path / "model.mlir", tmp_path / "c", "--shape", "a_1=8")


# What a file does not name gets its input's name; a donated input is only read.
UNNAMED = """
func.func @main(%a: tensor<?xf32> {tf.aliasing_output = 0 : i32} loc("a")) -> (tensor<?xf32>, tensor<f32>) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<?xf32>
  %1 = stablehlo.add %a, %0 : tensor<?xf32>
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %2 = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  return %1, %2 : tensor<?xf32>, tensor<f32>
}
"""


def test_without_names(tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_text(UNNAMED)
    library = library_of(tmp_path / "model.mlir", tmp_path / "c")
    assert library.most == {"a_0": 1 << 20}
    for n in BATCHES:
        expect_same(library, tmp_path / "model.mlir", (n,), floats(n))


def error_of(capsys: pytest.CaptureFixture[str], model: Path, folder: Path, *options: str) -> str:
    assert main(["compile", str(model), "-o", str(folder), *options]) == 1
    return capsys.readouterr().err


def test_what_cannot_be_open_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = exported(tmp_path, lambda x: jnp.linalg.cholesky(x @ x.T + jnp.eye(x.shape[0])), "b, 8")
    error = error_of(capsys, model, tmp_path / "c")
    assert (
        "stablehlo.custom_call: needs sizes of matrices" in error
        and "it cannot be compiled for all sizes yet; use --shape b=SIZE,…" in error
    )
    assert not (tmp_path / "c").exists()
    assert error_of(capsys, model, tmp_path / "c", "--most", "n=3") == (
        "hlo2tiny: error: --most n: the program has no open dimension of this name; open are b\n"
    )
    assert "--most b=0: expected" in error_of(capsys, model, tmp_path / "c", "--most", "b=0")
    for target in ("cuda", "bare-arm"):
        error = error_of(capsys, model, tmp_path / "c", "--target", target, "--most", "b=3")
        expected = f"hlo2tiny: error: --most b: {target} takes one size for each dimension; use --shape b=SIZE\n"
        assert error == expected
        error = error_of(capsys, model, tmp_path / "c", "--target", target)
        assert "the shape of input x: float32[b, 8] is open; use --shape x=SIZE,SIZE,…, or --shape b=SIZE" in error
    (tmp_path / "large").mkdir()
    large = exported(tmp_path / "large", lambda x: x[:, :, None] + x[:, None, :] + 1, "b, t")
    error = error_of(capsys, large, tmp_path / "c")
    assert "bytes; bound them with --most b=SIZE --most t=SIZE" in error


def only_specialised(folder: Path) -> Library:
    """A library of a copy of the program in which the code for all sizes does nothing."""
    copied = Path(shutil.copytree(folder, folder.with_name("own")))
    head, begin, rest = (copied / "program.c").read_text().rpartition("  long second = time(0);")
    (copied / "program.c").write_text(f"{head}  return 1;\n{begin}{rest}")
    return Library(built(copied, CLANG, target="libmodel.so"))


def test_sizes_with_code_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = mlp(tmp_path)
    library = library_of(model, tmp_path / "c", "--shape", "b=1,64", "--most", "b=300")
    about = "   sizes: b from 1 to 300; with code of their own: b = 1; b = 64\n"
    assert about in (tmp_path / "c" / "model.h").read_text()
    assert library.most == {"b": 300}
    for b in (1, 7, 64, 300):
        expect_same(library, model, (b,), floats(b, 784))
    with pytest.raises(ValueError, match=r"^b has to be from 1 to 300$"):
        library.run((301,), floats(301, 784))
    own = only_specialised(tmp_path / "c")
    for b in (1, 64):
        expect_same(own, model, (b,), floats(b, 784))
    assert (own.run((7,), floats(7, 784))[0] == 99).all()
    for options, message in (
        (["--shape", "b=1,301", "--most", "b=300"], "--shape b=301: expected a size from 1 to 300, its --most"),
        (["--shape", "b=0", "--most", "b=300"], "--shape b=0: expected a size from 1 to 300, its --most"),
        (["--shape", "x=7,784", "--most", "b=300"], "--shape x: beside --most, give the sizes of dimensions: b"),
    ):
        assert error_of(capsys, model, tmp_path / "no", *options) == f"hlo2tiny: error: {message}\n"
    assert not (tmp_path / "no").exists()


@pytest.mark.ci
def test_one_token_and_many_at_any_length(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scope = jax.export.SymbolicScope(["t <= s"])
    cache = shaped("2, 1, s, 4, 16", scope)
    types = shaped("1, t, 64", scope), jax.ShapeDtypeStruct((), jnp.int32), cache, cache
    model = exported(tmp_path, decode, decoder_weights(), *types, weights="external")
    options = ("--shape", "t=1,8", "--most", "t=64")  # the cache's length stays open, and has no bound of ours
    library = library_of(model, tmp_path / "c", *options)
    assert "with code of their own: t = 1; t = 8" in (tmp_path / "c" / "model.h").read_text()

    def expect(library: Library, t: int, s: int) -> None:
        caches = floats(2, 1, s, 4, 16), floats(2, 1, s, 4, 16)
        expect_same(library, model, (t, s), floats(1, t, 64), np.array((s - t) // 2, np.int32), *caches)

    for t, s in ((1, 1), (1, 300), (8, 40), (7, 40)):
        expect(library, t, s)
    with pytest.raises(ValueError, match="arguments' shapes do not match the export: "):
        library.run((8, 7), floats(1, 1, 1))
    own = only_specialised(tmp_path / "c")
    for t, s in ((1, 17), (8, 8)):
        expect(own, t, s)
    refused = error_of(capsys, model, tmp_path / "no", *options, "--shape", "s=4,300", "--most", "s=300")
    assert refused.startswith("hlo2tiny: error: for t = 8, s = 4: the arguments' shapes do not match the export: ")


def test_sizes_that_no_run_could_have(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shape = jax.export.symbolic_shape("b, t", constraints=["b <= 2*t", "mod(t, 2) == 0"])
    model = exported(tmp_path, lambda x: jnp.tanh(x) + 1, jax.ShapeDtypeStruct(shape, jnp.float32))
    for size in ("3", "4,3"):
        error = error_of(capsys, model, tmp_path / "c", "--shape", f"t={size}", "--most", "t=300")
        expected = "hlo2tiny: error: for b from 1 to 1048576, t = 3: the arguments' shapes do not match the export: "
        assert error.startswith(expected) and error.count("\n") == 1
    windows = lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (3,), (1,), "VALID")
    (tmp_path / "windows").mkdir()
    model = exported(tmp_path / "windows", windows, "h")
    error = error_of(capsys, model, tmp_path / "c", "--shape", "h=2", "--most", "h=64")
    assert error == "hlo2tiny: error: for h = 2: sizes are too small for windows of 3\n"


@pytest.mark.ci
def test_with_every_compiler_and_by_the_command(tmp_path: Path) -> None:
    expect_commands(tmp_path, ["--most", "b=64"], "b=65", "b has to be from 1 to 64")  # without b, it is 1
