"""A finder of cliffs: programs of many families, drawn at random, beside XLA: `python tests/bench/families.py`.

Each program is one of a family (products, attention, sorts, …) whose types, sizes, layouts and spellings are drawn, so
nobody chooses what is measured. It is exported by JAX, run by hlo2tiny and XLA alternately, and its results are
compared. At the end come the distribution of the ratios, the worst programs, and where the time of these goes. With
--errors, results in float32 are compared with those in double, too, and programs named that XLA computes more exactly.

    python tests/bench/families.py --minutes 60                      what to do next on this processor
    python tests/bench/families.py --minutes 10 --device CUDA        on an NVIDIA GPU
    python tests/bench/families.py --only sort --seed 7 --keep DIR   one family; what is above 1.2 is kept as DIR/*.mlir
    python tests/bench/families.py --minutes 10 --errors             what XLA computes more exactly
    python tests/bench/families.py --minutes 10 --page               writes that section of docs/performance.md
    python tests/bench/families.py --file programs.py --scale 0.02   programs from elsewhere, in place of drawn ones: the
                                                                     file has PROGRAMS, each name's function of the scale
                                                                     that returns a function of arrays and its arguments
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import json
import math
import os
import runpy
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

os.environ["JAX_PLATFORMS"] = "cpu"  # of this process, which only exports
ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

import hlo2tiny  # noqa: E402
from hlo2tiny.commands import bench, profiling  # noqa: E402
from hlo2tiny.commands.contenders import write  # noqa: E402

# Above this ratio a program is shown with its profile.
SLOW = 1.2
# Below EXACT, errors of results in float32 are their last rounding; above the others, a program is named.
EXACT, LEAST_ERROR, LESS_EXACT = 2.0**-24, 5e-7, 3
# The limits of a program: elements of an array, and multiplications.
CPU, GPU = (1 << 22, 1 << 33), (1 << 26, 1 << 40)
PATIENCE = 60.0
# What results of one type may differ by, as a part of the largest one. Products on GPUs round to TF32.
TOLERANCES = {"float64": 1e-9, "complex128": 1e-9, "bfloat16": 4e-2, "float16": 1e-2, "float8_e4m3fn": 0.13}
BOUNDS = (0.25, 0.5, 0.75, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, math.inf)

Function = Callable[..., Any]


@dataclass
class Draw:
    """Draws the parameters of one program, and records them."""

    random: np.random.Generator
    elements: int
    work: int
    noted: list[str] = field(default_factory=list)

    def choose(self, *options: Any) -> Any:
        chosen = options[int(self.random.integers(len(options)))]
        self.noted.append(getattr(chosen, "__name__", str(chosen)))
        return chosen

    def size(self, least: int = 1, most: int = 1 << 30, whole: int = 1) -> int:
        """A size whose logarithm is uniform: a power of two, one beside it, or any; a multiple of `whole`."""
        value = round(2 ** self.random.uniform(math.log2(least), math.log2(max(least, most))))
        kind = self.random.integers(3)
        if kind < 2 and value > 2:
            value = (1 << round(math.log2(value))) + int(kind and self.random.integers(-1, 2))
        return max(least, min(most, value) // whole * whole, whole)

    def shape(self, rank: int, most: int | None = None, least: int = 1024) -> tuple[int, ...]:
        """Dimensions whose product is at most that of an array."""
        left = self.size(least, most or self.elements)
        sizes = list[int]()
        for _ in range(rank - 1):
            sizes.append(self.size(1, max(1, left)))
            left = max(1, left // sizes[-1])
        shape = [*sizes, left]
        self.random.shuffle(shape)
        self.noted.append("×".join(map(str, shape)))
        return tuple(shape)

    def sizes(self, **bounds: tuple[int, int]) -> list[int]:
        found = {name: self.size(*bound) for name, bound in bounds.items()}
        self.noted += [f"{name}={value}" for name, value in found.items()]
        return [*found.values()]

    def within(self, limit: int, *sizes: int) -> list[int]:
        """The sizes, the largest halved until their product is within a limit."""
        found = list(sizes)
        while math.prod(found) > limit:
            at = found.index(max(found))
            found[at] = max(1, found[at] // 2)
        return found

    def array(self, *shape: int, dtype: Any = "float32", below: int = 100) -> np.ndarray:
        kind = np.dtype(dtype)
        if kind.kind in "iu":
            low = 0 if kind.kind == "u" else -min(below, 100)
            return self.random.integers(low, min(below, 100), shape).astype(kind)
        if kind.kind == "c":
            real = np.float32 if kind.itemsize == 8 else np.float64
            return (self.random.standard_normal(shape, real) + 1j * self.random.standard_normal(shape, real)).astype(
                kind
            )
        return self.random.standard_normal(shape, np.float32).astype(kind)

    def indices(self, count: int, below: int) -> np.ndarray:
        return self.random.integers(0, below, count).astype(self.choose("int32", "int64"))

    def real(self) -> np.dtype:
        """The type of a model."""
        return self.dtype("float32", "float32", "bfloat16", "float16")

    def number(self) -> np.dtype:
        return self.dtype(
            "float32", "float32", "bfloat16", "float16", "float64", "complex64", "int8", "int32", "float8_e4m3fn"
        )

    def dtype(self, *names: str) -> np.dtype:
        return np.dtype(getattr(ml_dtypes, name := self.choose(*names), name))


@dataclass(frozen=True)
class Drawn:
    """A program: a function, its arguments, and how many of these are weights."""

    function: Function
    arguments: Sequence[np.ndarray]
    weights: int = 0


FAMILIES: dict[str, Callable[[Draw], Drawn]] = {}


def family(make: Callable[[Draw], Drawn]) -> Callable[[Draw], Drawn]:
    FAMILIES[make.__name__] = make
    return make


# ---------------------------------------------------------------- products


@family
def product(draw: Draw) -> Drawn:
    dtype, bound = draw.number(), draw.choose(0, 1)
    m, n, k = draw.within(draw.work, *(draw.size(1, 8192) for _ in range(3)))
    m, k = draw.within(draw.elements, m, k)
    k, n = draw.within(draw.elements, k, n)
    left, right = draw.choose("mk", "km"), draw.choose("kn", "nk")
    draw.noted.append(f"m={m} n={n} k={k}")
    wide = (
        np.int32
        if dtype.kind == "i"
        else np.float32
        if draw.choose("own", "f32") == "f32" and dtype.kind == "V"
        else None
    )
    arrays = [
        draw.array(*(k, n) if right == "kn" else (n, k), dtype=dtype),
        draw.array(*(m, k) if left == "mk" else (k, m), dtype=dtype),
    ]
    return Drawn(lambda w, x: jnp.einsum(f"{left},{right}->mn", x, w, preferred_element_type=wide), arrays, bound)


@family
def batched_product(draw: Draw) -> Drawn:
    dtype = draw.number()
    b, m, n, k = draw.within(draw.work, *(draw.size(1, 1024) for _ in range(4)))
    b, m, k = draw.within(draw.elements, b, m, k)
    b, k, n = draw.within(draw.elements, b, k, n)
    spelling = draw.choose(
        "bmk,bkn->bmn", "bmk,bnk->bmn", "mbk,bkn->bmn", "mbk,nbk->mbn", "bkm,bkn->bmn", "bmk,bkn->mbn"
    )
    draw.noted.append(f"b={b} m={m} n={n} k={k}")
    size = {"b": b, "m": m, "n": n, "k": k}
    left, right = spelling.partition("->")[0].split(",")
    arrays = [draw.array(*(size[c] for c in names), dtype=dtype) for names in (left, right)]
    wide = np.int32 if dtype.kind == "i" else None
    return Drawn(lambda x, y: jnp.einsum(spelling, x, y, preferred_element_type=wide), arrays)


@family
def narrow_product(draw: Draw) -> Drawn:
    """Many short rows, such as points or blocks of an image, times a small matrix, in any layout."""
    dtype = draw.dtype("float32", "float32", "bfloat16", "float64")
    terms, columns = draw.choose(1, 2, 3, 4, 8, 16), draw.choose(1, 3, 4, 8, 12, 16)
    rows, batch = draw.sizes(rows=(1024, max(2048, draw.elements // 16)), batch=(1, 8))
    spelled = draw.choose("nk,km->nm", "nk,mk->nm", "kn,km->nm", "kn,mk->mn", "nk,km->mn", "bnk,km->bnm", "nbk,km->bnm")
    batch, rows = draw.within(draw.elements // 16, batch, rows) if "b" in spelled else (1, rows)
    sizes, biased = {"n": rows, "k": terms, "m": columns, "b": batch}, draw.choose(False, True)
    shapes = [tuple(sizes[c] for c in part) for part in spelled.replace("->", ",").split(",")]
    draw.noted.append(f"{rows}×{terms}×{columns}")
    bias = draw.array(shapes[2][-1], dtype=dtype)
    call = lambda x, w, *b: jnp.einsum(spelled, x, w) + (b[0] if b else 0)
    return Drawn(call, [*(draw.array(*shape, dtype=dtype) for shape in shapes[:2]), *[bias] * biased])


@family
def perceptron(draw: Draw) -> Drawn:
    """Layers with activations, as programs have them that only predict."""
    dtype, layers, biased = draw.real(), draw.choose(1, 2, 4), draw.choose(True, False)
    activation = draw.choose(jax.nn.relu, jax.nn.relu, jax.nn.gelu, jax.nn.silu, jnp.tanh)
    rows, width = draw.sizes(rows=(1, 1 << 18), width=(8, 4096))
    rows, width, _ = draw.within(min(draw.work, 1 << 36) // layers // 2, rows, width, width)
    sizes = [draw.choose(width, 3, 60), *[width] * (layers - 1), draw.choose(width, 1, 4, 10)]
    arrays = [draw.array(rows, sizes[0], dtype=dtype)]
    for given, made in itertools.pairwise(sizes):
        arrays.append(draw.array(given, made, dtype=dtype) * np.array(given**-0.5, dtype))
        arrays += [draw.array(made, dtype=dtype)] * biased

    def call(x: Any, *arrays: Any) -> Any:
        for i in range(0, len(arrays), 1 + biased):
            x = activation(x @ arrays[i] + (arrays[i + 1] if biased else 0))
        return x

    return Drawn(call, arrays)


@family
def experts(draw: Draw) -> Drawn:
    """A mixture of experts, each of which has all tokens."""
    dtype = draw.real()
    tokens, width, inner, count = draw.sizes(tokens=(1, 1024), width=(32, 1024), inner=(32, 2048), count=(2, 16))
    tokens, width, inner, count = draw.within(min(draw.work // 4, draw.elements * 64), tokens, width, inner, count)
    arrays = [draw.array(count, width, inner, dtype=dtype), draw.array(count, inner, width, dtype=dtype)]
    arrays += [draw.array(width, count, dtype=dtype), draw.array(tokens, width, dtype=dtype)]

    def call(up: Any, down: Any, gate: Any, x: Any) -> Any:
        weights = jax.nn.softmax(x @ gate)
        hidden = jax.nn.silu(jnp.einsum("td,edf->tef", x, up))
        return jnp.einsum("tef,efd,te->td", hidden, down, weights)

    return Drawn(call, arrays, draw.choose(0, 3))


# ---------------------------------------------------------------- attention


def attention_of(draw: Draw) -> tuple[Function, list[np.ndarray]]:
    dtype = draw.real()
    batch, heads, head = draw.sizes(batch=(1, 8), heads=(1, 32), head=(16, 256))
    queries, keys = draw.choose("square", "one", "cross"), draw.size(16, 4096)
    group = draw.choose(1, 1, 2, 4)
    batch, keys, heads, head = draw.within(draw.elements, batch, keys, heads, head)
    count = {"square": keys, "one": 1, "cross": draw.size(16, 1024)}[queries]
    while batch * heads * count * keys * head * 2 > draw.work or batch * heads * count * keys > draw.elements * 16:
        batch, count, keys = max(1, batch // 2), max(1, count // 2) if count > 1 else 1, max(16, keys // 2)
    count = keys if queries == "square" else count
    draw.noted.append(f"q={count} k={keys} batch={batch} heads={heads}x{group} head={head}")
    arrays = [
        draw.array(batch, n, h, head, dtype=dtype) for n, h in ((count, heads * group), (keys, heads), (keys, heads))
    ]
    kind = (
        "by hand" if dtype.name == "float16" else draw.choose("library", "library", "by hand")
    )  # which CPUs lack there
    mask = draw.choose("none", "causal", "mask", "bias")
    given = (*arrays, draw.random.random((batch, 1, count, keys)) > 0.2) if mask == "mask" else tuple(arrays)
    if mask == "bias":
        given = (*arrays, draw.array(1, heads * group, count, keys, dtype=dtype))

    def library(q: Any, k: Any, v: Any, *more: Any) -> Any:
        options = {"mask": more[0]} if mask == "mask" else {"bias": more[0]} if mask == "bias" else {}
        return jax.nn.dot_product_attention(q, k, v, is_causal=mask == "causal" and count == keys, **options)

    def by_hand(q: Any, k: Any, v: Any, *more: Any) -> Any:
        k, v = jnp.repeat(k, group, 2), jnp.repeat(v, group, 2)
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * head**-0.5
        if mask == "bias":
            scores = scores + more[0]
        if mask == "mask":
            scores = jnp.where(more[0], scores, -1e9 if dtype.name != "float16" else -6e4)
        if mask == "causal" and count == keys:
            scores = jnp.where(jnp.tri(count, dtype=bool), scores, -jnp.inf)
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, -1), v)

    return library if kind == "library" else by_hand, list(given)


@family
def attention(draw: Draw) -> Drawn:
    return Drawn(*attention_of(draw))


@family
def attention_gradient(draw: Draw) -> Drawn:
    draw.work, draw.elements = draw.work // 4, draw.elements // 4
    function, arrays = attention_of(draw)
    loss = lambda q, k, v, *more: jnp.sum(function(q, k, v, *more).astype(jnp.float32) ** 2)
    return Drawn(jax.grad(loss, (0, 1, 2)), arrays)


# ---------------------------------------------------------------- convolutions


def convolution_of(draw: Draw, *kinds: str) -> tuple[Function, list[np.ndarray]]:
    dtype, rank = draw.dtype(*kinds), draw.choose(1, 2, 2, 2, 3)
    image, window = draw.size(4, {1: 4096, 2: 256, 3: 48}[rank]), draw.choose(1, 3, 3, 5, 7)
    stride, dilation = draw.choose(1, 1, 2), draw.choose(1, 1, 2)
    batch, before, after = draw.sizes(batch=(1, 32), before=(1, 512), after=(8, 512))
    groups = draw.choose(1, 1, 1, 2, before)
    before, after = max(groups, before // groups * groups), max(groups, after // groups * groups)
    while (
        batch * image**rank * before * after * window**rank // groups > draw.work
        or batch * image**rank * max(before, after) > draw.elements
    ):
        batch, image = max(1, batch // 2), max(window, image * 3 // 4)
        if batch == 1 and image <= 2 * window:
            before, after = max(groups, before // 2 // groups * groups), max(groups, after // 2 // groups * groups)
            if before == after == groups:
                break
    last = draw.choose(True, False)
    letters = "DHW"[-rank:]
    layouts = (
        (f"N{letters}C", f"{letters}IO", f"N{letters}C") if last else (f"NC{letters}", f"OI{letters}", f"NC{letters}")
    )
    draw.noted.append(f"{batch}×{image}^{rank}×{before}→{after} window={window} groups={groups} {layouts[0]}")
    x = (batch, *[image] * rank, before) if last else (batch, before, *[image] * rank)
    w = (*[window] * rank, before // groups, after) if last else (after, before // groups, *[window] * rank)

    def call(w: Any, x: Any) -> Any:
        return lax.conv_general_dilated(
            x,
            w,
            [stride] * rank,
            "SAME",
            rhs_dilation=[dilation] * rank,
            dimension_numbers=layouts,
            feature_group_count=groups,
            preferred_element_type=np.int32 if dtype.kind in "iu" else None,
        )

    return call, [draw.array(*w, dtype=dtype), draw.array(*x, dtype=dtype)]


@family
def convolution(draw: Draw) -> Drawn:
    function, arrays = convolution_of(draw, "float32", "float32", "bfloat16", "int8")
    after = draw.choose("alone", "relu")
    return Drawn((lambda w, x: jax.nn.relu(function(w, x))) if after == "relu" else function, arrays, draw.choose(0, 1))


@family
def convolution_gradient(draw: Draw) -> Drawn:
    draw.work, draw.elements = draw.work // 3, draw.elements // 2
    function, arrays = convolution_of(draw, "float32", "float32", "bfloat16")
    return Drawn(jax.grad(lambda w, x: jnp.sum(function(w, x).astype(jnp.float32) ** 2), (0, 1)), arrays)


# ---------------------------------------------------------------- norms and reductions


@family
def narrow_convolution(draw: Draw) -> Drawn:
    """Images of few features, such as filters of grey or coloured ones, and gradients."""
    dtype, inputs, outputs = draw.real(), draw.choose(1, 1, 2, 3, 4, 8), draw.choose(1, 1, 2, 3, 8, 16)
    window = draw.choose((3, 3), (5, 5), (7, 7), (1, 11), (11, 1))
    batch, height, width = draw.sizes(batch=(1, 32), height=(16, 1024), width=(16, 1024))
    batch, height, width = draw.within(
        min(draw.elements, draw.work // math.prod(window) // 2) // (inputs * outputs), batch, height, width
    )
    x, w = draw.array(batch, inputs, max(height, 16), max(width, 16)), draw.array(outputs, inputs, *window)
    call = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), draw_padding)
    draw_padding, arrays = draw.choose("SAME", "VALID"), [x.astype(dtype), w.astype(dtype)]
    if (wanted := draw.choose(None, None, 0, 1)) is not None:
        loss = lambda x, w: jnp.sum(jnp.sin(call(x, w).astype(jnp.float32)))
        return Drawn(jax.grad(loss, wanted), arrays)
    return Drawn(call, arrays)


@family
def norm(draw: Draw) -> Drawn:
    dtype, rank = draw.real(), draw.choose(2, 3, 4)
    shape = draw.shape(rank)
    kind = draw.choose("layer", "rms", "batch", "instance")
    axes = {
        "layer": (rank - 1,),
        "rms": (rank - 1,),
        "batch": tuple(range(rank - 1)),
        "instance": tuple(range(1, rank - 1)) or (0,),
    }[kind]
    rows = [draw.array(shape[-1], dtype=dtype) for _ in range(1 if kind == "rms" else 2)]
    arrays = [*rows, draw.array(*shape, dtype=dtype)]

    def call(*arrays: Any) -> Any:
        scale, *bias, x = arrays
        wide = x.astype(jnp.float32)
        if kind == "rms":
            wide = wide * lax.rsqrt(jnp.mean(wide**2, axes, keepdims=True) + 1e-6)
            return wide.astype(x.dtype) * scale
        mean = jnp.mean(wide, axes, keepdims=True)
        wide = (wide - mean) * lax.rsqrt(jnp.var(wide, axes, keepdims=True) + 1e-5)
        return wide.astype(x.dtype) * scale + bias[0]

    if draw.choose("forward", "forward", "gradient") == "gradient":
        # Not the sum of squares, whose gradient is rounding alone.
        loss = lambda *a: jnp.sum(jnp.sin(call(*a).astype(jnp.float32)) * a[-1].astype(jnp.float32))
        return Drawn(jax.grad(loss, tuple(range(len(arrays)))), arrays)
    return Drawn(call, arrays)


def some_axes(draw: Draw, rank: int) -> tuple[int, ...]:
    axes = tuple(sorted(draw.random.permutation(rank)[: draw.random.integers(1, rank + 1)].tolist()))
    draw.noted.append(f"over {axes}")
    return axes


@family
def reduction(draw: Draw) -> Drawn:
    dtype, rank = draw.number(), draw.choose(1, 2, 3, 4)
    shape, axes = draw.shape(rank), some_axes(draw, rank)
    of_reals = (jnp.max, jnp.min, jax.nn.logsumexp, jnp.var, jnp.std)
    reduce = draw.choose(jnp.sum, jnp.sum, jnp.mean, jnp.prod, *(() if dtype.kind in "ci" else of_reals))
    functions = (jnp.negative,) if dtype.kind in "ci" else (jnp.exp, jnp.tanh, jnp.cos, jnp.arctan, jnp.square)
    before = draw.choose(None, None, *functions)
    return Drawn(lambda x: reduce(before(x) if before else x, axis=axes), [draw.array(*shape, dtype=dtype)])


@family
def arg_reduction(draw: Draw) -> Drawn:
    dtype, rank = draw.choose("float32", "float16", "int32", "float64"), draw.choose(1, 2, 3)
    shape, reduce = draw.shape(rank), draw.choose(jnp.argmax, jnp.argmin)
    axis = draw.choose(*range(rank))
    return Drawn(lambda x: reduce(x, axis=axis), [draw.array(*shape, dtype=dtype)])


@family
def distances(draw: Draw) -> Drawn:
    """Between all rows of two arrays: sums that are no products, of elements that are read again and again."""
    dtype, kind = draw.dtype("float32", "float32", "bfloat16", "float64", "int32"), draw.choose("sum", "max", "square")
    rows, others, numbers = draw.sizes(rows=(1, 1 << 14), others=(1, 1 << 14), numbers=(1, 1 << 13))
    rows, others, numbers = draw.within(min(draw.work, 1 << 31) // 16, rows, others, numbers)
    nearest = draw.choose(False, False, True)
    draw.noted.append(f"{rows}×{others}×{numbers}")

    def function(x: Any, y: Any) -> Any:
        apart = x[:, None] - y[None]
        found = {"sum": jnp.abs(apart).sum, "max": jnp.abs(apart).max, "square": (apart * apart).sum}[kind](-1)
        return jnp.argmin(found, -1) if nearest else found

    return Drawn(function, [draw.array(rows, numbers, dtype=dtype), draw.array(others, numbers, dtype=dtype)])


@family
def pair_sums(draw: Draw) -> Drawn:
    """What all other points do to each, such as forces and densities, and gradients of what all pairs add up to."""
    dtype, kind = draw.dtype("float32", "float32", "float64"), draw.choose("forces", "density", "gradient")
    count, axes = draw.size(16, 1 << 13), draw.choose(1, 2, 3, 3)
    (count, _) = draw.within(min(draw.work, 1 << 32) // 64, count, count)
    falls = draw.choose(lambda d: jnp.exp(-d), lambda d: 1 / (1 + d), lambda d: (d + 0.1) ** -1.5)
    draw.noted.append(f"{count} points, {axes} axes")

    def call(x: Any, w: Any) -> Any:
        apart = x[:, None] - x[None]
        if kind == "density":
            return (falls((apart**2).sum(-1)) * w).sum(1)
        return ((falls((apart**2).sum(-1)) * w)[..., None] * apart).sum(1)

    def energy(x: Any, w: Any) -> Any:
        return (falls(((x[:, None] - x[None]) ** 2).sum(-1)) * w).mean()

    arrays = [draw.array(count, axes, dtype=dtype), np.abs(draw.array(count, dtype=dtype))]
    return Drawn(jax.grad(energy) if kind == "gradient" else call, arrays)


@family
def cumulative(draw: Draw) -> Drawn:
    dtype, rank = draw.choose("float32", "float32", "float64", "int32"), draw.choose(1, 2, 3)
    scan = draw.choose(lax.cumsum, lax.cummax, lax.cumprod, *([] if dtype == "int32" else [lax.cumlogsumexp]))
    shape, axis, backward = draw.shape(rank), draw.choose(*range(rank)), draw.choose(False, True)
    return Drawn(lambda x: scan(x, axis=axis, reverse=backward), [draw.array(*shape, dtype=dtype)])


@family
def linear_recurrence(draw: Draw) -> Drawn:
    """h[t] = a[t] h[t - 1] + b[t] for all t at once, as state-space models compute it."""
    dtype, backward = draw.choose("float32", "float32", "bfloat16", "complex64"), draw.choose(False, False, True)
    batch, width = draw.sizes(batch=(1, 16), width=(1, 512))
    steps = draw.size(2, max(2, min(4096, draw.elements // 4 // (batch * width))))
    draw.noted.append(f"steps={steps}")

    def join(first: Any, second: Any) -> Any:
        return first[0] * second[0], second[0] * first[1] + second[1]

    def call(a: Any, b: Any) -> Any:
        return lax.associative_scan(join, (a, b), axis=1, reverse=backward)[1]

    a, b = (draw.array(batch, steps, width, dtype=dtype) for _ in range(2))
    return Drawn(call, [(a / np.array(4, dtype)).astype(dtype), b])


@family
def windows(draw: Draw) -> Drawn:
    dtype, rank = draw.dtype("float32", "float32", "bfloat16", "float64", "int32"), draw.choose(1, 2, 2, 3)
    size, image = draw.size(2, {1: 1024, 2: 32, 3: 9}[rank]), draw.size(4, {1: 1 << 16, 2: 512, 3: 64}[rank])
    batch, features = draw.sizes(batch=(1, 32), features=(1, 256))
    image = max(image, size)
    while (
        batch * image**rank * features > draw.elements // 4
        or batch * (image * size) ** rank * features > draw.work // 16
    ):
        batch, features, image = max(1, batch // 2), max(1, features // 2), max(size, image * 3 // 4)
        if batch * features == 1 and image == size:
            break
    stride, padding, last = draw.choose(1, 1, 2, size), draw.choose("SAME", "VALID"), draw.choose(True, False)
    combine = draw.choose(lax.max, lax.add)
    around = lambda each, one: (one, *[each] * rank, one) if last else (one, one, *[each] * rank)
    shape = (batch, *[image] * rank, features) if last else (batch, features, *[image] * rank)
    draw.noted.append(f"{'×'.join(map(str, shape))} window={size}^{rank}")
    lowest = -np.inf if dtype.kind in "fV" else np.iinfo(dtype).min
    first = np.array(lowest if combine is lax.max else 0, dtype)

    def call(x: Any) -> Any:
        return lax.reduce_window(x, first, combine, around(size, 1), around(stride, 1), padding)

    def gradient(x: Any) -> Any:
        return jax.grad(lambda x: (call(x).astype(jnp.float32) ** 2).sum())(x)

    is_float = dtype.kind in "fV"
    return Drawn(draw.choose(call, call, gradient) if is_float else call, [draw.array(*shape, dtype=dtype)])


@family
def stencil(draw: Draw) -> Drawn:
    dtype, rank = draw.dtype("float32", "float32", "float64", "bfloat16"), draw.choose(1, 2, 3)
    shape, radius, steps = draw.shape(rank, draw.elements // 8), draw.choose(1, 1, 2, 3), draw.choose(1, 1, 10)
    edge, function = draw.choose("roll", "edge", "constant"), draw.choose(jnp.negative, jnp.tanh, jnp.square)

    def shifted(x: Any, by: int, axis: int) -> Any:
        if edge == "roll":
            return jnp.roll(x, by, axis)
        padded = jnp.pad(x, [(radius, radius) if d == axis else (0, 0) for d in range(rank)], mode=edge)
        return lax.slice_in_dim(padded, radius - by, radius - by + x.shape[axis], axis=axis)

    def step(x: Any) -> Any:
        y = function(x)
        offsets = [by for by in range(-radius, radius + 1) if by]
        return x + 0.01 * (sum(shifted(y, by, axis) / by for axis in range(rank) for by in offsets) - y)

    call = step if steps == 1 else lambda x: lax.fori_loop(0, steps, lambda _, x: step(x), x)
    return Drawn(call, [draw.array(*shape, dtype=dtype)])


@family
def shifted_sums(draw: Draw) -> Drawn:
    """Blurs: sums of slices of padded images, one axis after the other."""
    dtype, rank = draw.dtype("float32", "float32", "float64", "bfloat16"), draw.choose(1, 2, 3)
    features, radius = draw.choose(1, 3, 16), draw.choose(1, 2, 5, 10)
    shape, given = (*draw.shape(rank, draw.elements // 8 // features), features), draw.choose(True, False)
    mode = draw.choose("constant", "edge", "reflect", "symmetric", "wrap")
    radius = min(radius, max(shape[:rank]) - 1)
    long = [axis for axis in range(rank) if shape[axis] > radius]
    axes = [axis for axis in some_axes(draw, rank) if axis in long] or long[:1]
    weights = np.exp(-(np.linspace(-2, 2, 2 * radius + 1) ** 2)).astype(dtype)

    def blur(x: Any, axis: int, weights: Any) -> Any:
        padded = jnp.pad(x, [(radius, radius) if d == axis else (0, 0) for d in range(rank + 1)], mode=mode)
        slices = (lax.slice_in_dim(padded, i, i + x.shape[axis], axis=axis) for i in range(2 * radius + 1))
        return sum(each * weight for each, weight in zip(slices, weights))

    def call(x: Any, *given: Any) -> Any:
        for axis in axes:
            x = blur(x, axis, *(given or (weights.tolist(),)))
        return x

    return Drawn(call, [draw.array(*shape, dtype=dtype), *[weights] * given])


@family
def resize(draw: Draw) -> Drawn:
    dtype, method = draw.dtype("float32", "float32", "bfloat16"), draw.choose("nearest", "linear", "cubic", "lanczos3")
    batch, features, height, width = draw.sizes(batch=(1, 16), features=(1, 64), height=(4, 512), width=(4, 512))
    batch, features, height, width = draw.within(draw.elements // 8, batch, features, height, width)
    if method == "nearest":  # XLA's places are wrong where they are whole numbers, as some of an even size are
        height, width = (size - 1 | 1 for size in (height, width))
    scale, last = draw.choose(0.37, 0.5, 1.5, 2), draw.choose(True, False)
    layout = lambda height, width: (batch, height, width, features) if last else (batch, features, height, width)
    shape, target = layout(height, width), layout(max(1, round(scale * height)), max(1, round(scale * width)))
    draw.noted.append(" to ".join("×".join(map(str, sizes)) for sizes in (shape, target)))
    return Drawn(lambda x: jax.image.resize(x, target, method), [draw.array(*shape, dtype=dtype)])


# ---------------------------------------------------------------- sorts, gathers and scatters


@family
def sort(draw: Draw) -> Drawn:
    dtype, rank = (
        draw.dtype("float32", "float32", "float16", "bfloat16", "float64", "int32", "int64", "uint8"),
        draw.choose(1, 2, 3),
    )
    shape, axis = draw.shape(rank, draw.elements // 2), draw.choose(*range(rank))
    kind = draw.choose("sort", "argsort", "pairs", "descending", "median", "keys")
    x = draw.array(*shape, dtype=dtype)
    match kind:
        case "argsort":
            return Drawn(lambda x: jnp.argsort(x, axis), [x])
        case "pairs":
            return Drawn(lambda x, y: lax.sort((x, y), dimension=axis, num_keys=1), [x, draw.array(*shape)])
        case "keys":
            first = draw.random.integers(0, 8, shape).astype(np.int32)
            return Drawn(lambda x, y: lax.sort((x, y), dimension=axis, num_keys=2), [first, x])
        case "descending":
            return Drawn(lambda x: jnp.sort(x, axis, descending=True), [x])
        case "median":
            return Drawn(lambda x: jnp.median(x.astype(jnp.float32), axis), [x])
    return Drawn(lambda x: jnp.sort(x, axis), [x])


@family
def top_k(draw: Draw) -> Drawn:
    dtype = draw.dtype("float32", "bfloat16", "int32")
    shape = draw.shape(2)
    k = draw.size(1, min(shape[1], 256))
    draw.noted.append(f"k={k}")
    return Drawn(lambda x: lax.top_k(x, k), [draw.array(*shape, dtype=dtype)])


@family
def unique(draw: Draw) -> Drawn:
    (count,) = draw.shape(1, draw.elements // 8)
    x = draw.random.integers(0, max(2, count // 8), count).astype(np.int32)
    return Drawn(lambda x: jnp.unique(x, size=max(1, count // 8), return_counts=True), [x])


@family
def segment_sum(draw: Draw) -> Drawn:
    dtype, width = draw.real(), draw.choose(1, 1, 3, 16, 64, 256)
    (count,) = draw.shape(1, draw.elements // width)
    segments = draw.size(1, max(2, count))
    draw.noted.append(f"segments={segments}")
    ids, ordered = draw.indices(count, segments), draw.choose(False, True)
    reduce = draw.choose(jax.ops.segment_sum, jax.ops.segment_sum, jax.ops.segment_max)
    arrays = [draw.array(count, width, dtype=dtype), np.sort(ids) if ordered else ids]
    return Drawn(lambda x, i: reduce(x, i, segments, indices_are_sorted=ordered), arrays)


@family
def counts(draw: Draw) -> Drawn:
    """How many elements there are of each number, or between bounds."""
    (count,) = draw.shape(1)
    bins, kind = draw.size(2, 1 << 16), draw.choose("bincount", "segments", "histogram", "searched")
    draw.noted.append(f"bins={bins}")
    if kind in ("bincount", "segments"):
        dtype, ids = draw.choose("int32", "float32"), draw.indices(count, bins)
        if kind == "bincount":
            return Drawn(lambda i: jnp.bincount(i, length=bins), [ids])
        return Drawn(lambda i: jax.ops.segment_sum(jnp.ones(i.shape, dtype), i, bins), [ids])
    x = draw.array(count)
    if kind == "histogram":
        return Drawn(lambda x: jnp.histogram(x, min(bins, 1024), (-4, 4))[0], [x])
    return Drawn(lambda x, b: jnp.searchsorted(b, x), [x, np.sort(draw.array(bins))])


@family
def messages(draw: Draw) -> Drawn:
    """Rounds in which the nodes of a graph add up what their neighbours send."""
    dtype, width = draw.choose("float32", "float32", "bfloat16"), draw.choose(1, 8, 32, 128)
    edges, nodes = draw.size(1024, draw.elements // width), draw.size(16, 1 << 17)
    rounds, ordered, looped = draw.choose(1, 3, 10), draw.choose(False, True), draw.choose(False, True)
    draw.noted.append(f"edges={edges} nodes={nodes} width={width}")
    senders, receivers = (draw.random.integers(0, nodes, edges).astype(np.int32) for _ in range(2))
    weights = draw.array(width, width, dtype=dtype) * np.array(width**-0.5, dtype)

    def step(x: Any, i: Any, o: Any, *w: Any) -> Any:
        total = jax.ops.segment_sum(x[i], o, nodes, indices_are_sorted=ordered)
        return jnp.tanh(total @ w[0]) if w else 0.15 / nodes + 0.85 * total

    def call(x: Any, *given: Any) -> Any:
        if looped:
            return lax.fori_loop(0, rounds, lambda _, y: step(y, *given), x)
        for _ in range(rounds):
            x = step(x, *given)
        return x

    x = draw.array(nodes, width, dtype=dtype) * np.array(1 / 64, dtype)
    return Drawn(call, [x, senders, np.sort(receivers) if ordered else receivers, *[weights] * (width > 1)])


@family
def scatter(draw: Draw) -> Drawn:
    dtype, width = draw.choose("float32", "int32", "float64"), draw.choose(1, 1, 4, 128)
    (count,) = draw.shape(1, draw.elements // width)
    updates = draw.size(1, count)
    draw.noted.append(f"updates={updates}")
    kind = draw.choose("add", "set", "max", "multiply")
    unique = kind == "set" or draw.choose(False, True)  # which of equal indices is set is open
    indices = draw.random.permutation(count)[:updates].astype(np.int32) if unique else draw.indices(updates, count)
    arrays = [draw.array(count, width, dtype=dtype), indices, draw.array(updates, width, dtype=dtype)]
    return Drawn(lambda x, i, u: getattr(x.at[i], kind)(u, unique_indices=unique), arrays)


@family
def gather(draw: Draw) -> Drawn:
    dtype, width = draw.number(), draw.choose(1, 4, 64, 768)
    rows, taken = draw.sizes(rows=(8, draw.elements // width), taken=(1, draw.elements // width))
    axis = draw.choose(0, 1)
    shape = (rows, width) if axis == 0 else (width, rows)
    return Drawn(lambda x, i: jnp.take(x, i, axis=axis), [draw.array(*shape, dtype=dtype), draw.indices(taken, rows)])


@family
def trees(draw: Draw) -> Drawn:
    """Decision trees, one after the other or all at once: reads at places that earlier reads have found."""
    features, depth, count = draw.choose(4, 32, 200), draw.choose(2, 4, 6), draw.choose(1, 8, 50)
    rows = draw.size(16, max(32, draw.elements // 16 // count // depth))
    together, inner = draw.choose(False, True), 2**depth - 1
    draw.noted.append(f"rows={rows}")
    chosen = draw.random.integers(0, features, (count, inner)).astype(np.int32)
    arrays = [draw.array(rows, features), chosen, draw.array(count, inner), draw.array(count, inner + 1)]

    def call(x: Any, *trees: Any) -> Any:
        def tree(chosen: Any, limits: Any, leaves: Any) -> Any:
            node = jnp.zeros(rows, jnp.int32)
            for _ in range(depth):
                seen = jnp.take_along_axis(x, chosen[node][:, None], 1)[:, 0]
                node = 2 * node + 1 + (seen > limits[node])
            return leaves[node - inner]

        return jax.vmap(tree)(*trees).sum(0) if together else lax.map(lambda each: tree(*each), trees).sum(0)

    return Drawn(call, arrays)


@family
def interpolation(draw: Draw) -> Drawn:
    """Images read at points between their elements."""
    dtype, rank, last = (
        draw.dtype("float32", "float32", "float64", "bfloat16"),
        draw.choose(1, 2, 2, 3),
        draw.choose(1, 0),
    )
    batch, features, points = draw.sizes(batch=(1, 8), features=(1, 256), points=(16, 1 << 16))
    batch, features, points = draw.within(draw.elements, batch, features, points)
    shape = tuple(size + 1 for size in draw.shape(rank, max(16, draw.elements // batch // features), 16))
    edge, offset = draw.choose("clip", "fill"), draw.choose(0.0, 0.25)
    at = draw.random.uniform(0, 1, (batch, points, rank)) * (np.array(shape) - 1) + offset

    def read(x: Any, at: Any) -> Any:
        low = jnp.floor(at)
        part, index, total = (at - low).astype(x.dtype), low.astype(jnp.int32), 0
        for corner in itertools.product((0, 1), repeat=rank):
            places = tuple(index[:, d] + each for d, each in enumerate(corner))
            weight = math.prod(part[:, d] if each else 1 - part[:, d] for d, each in enumerate(corner))
            if last:
                total += x.at[places].get(mode=edge, fill_value=0) * weight[:, None]
            else:
                total += x.at[(slice(None), *places)].get(mode=edge, fill_value=0) * weight
        return total

    image = (batch, *shape, features) if last else (batch, features, *shape)
    return Drawn(jax.vmap(read), [draw.array(*image, dtype=dtype), at.astype(np.float32)])


# ---------------------------------------------------------------- linear algebra, transforms, random numbers


@family
def linear_algebra(draw: Draw) -> Drawn:
    dtype = draw.choose("float32", "float32", "float64", "complex64")
    n, batch = draw.sizes(n=(2, 512), batch=(1, 4096))
    batch, n, _ = draw.within(draw.work // 64 // n, batch, n, n)
    draw.noted.append(f"{batch}×{n}×{n}")
    kind = draw.choose(
        "cholesky", "cholesky solve", "solve", "lu", "qr", "eigh", "svd", "triangular", "inverse", "determinant"
    )
    a = draw.array(batch, n, n, dtype=dtype)
    if kind in ("cholesky", "cholesky solve", "eigh"):
        a = (a @ a.conj().swapaxes(1, 2) + n * np.eye(n, dtype=dtype)).astype(dtype)
    else:
        a = a + np.eye(n, dtype=dtype) * n
    b = draw.array(batch, n, draw.choose(1, 4, n), dtype=dtype)
    solve = lambda a, b: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(a), True), b)
    # Vectors are unique but for a factor, so what is returned is not.
    functions: dict[str, Function] = {
        "cholesky": lambda a: jnp.linalg.cholesky(a),
        "cholesky solve": jax.vmap(solve) if draw.choose("vmap", "batch") == "vmap" else solve,
        "solve": jnp.linalg.solve,
        "lu": lambda a: lax.linalg.lu(a)[0],
        "qr": lambda a: jnp.abs(jnp.linalg.qr(a)[1]),
        "eigh": lambda a: [(f := jnp.linalg.eigh(a))[0], jnp.abs(f[1])],
        "svd": lambda a: [(f := jnp.linalg.svd(a, full_matrices=False))[1], jnp.abs(f[0])],
        "triangular": lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True),
        "inverse": jnp.linalg.inv,
        "determinant": lambda a: jnp.linalg.slogdet(a),
    }
    return Drawn(functions[kind], [a, b] if kind in ("cholesky solve", "solve", "triangular") else [a])


@family
def fourier(draw: Draw) -> Drawn:
    rank, kind = draw.choose(1, 2, 2, 3), draw.choose("fft", "ifft", "rfft", "irfft", "fft2", "rfft2")
    shape = draw.shape(max(rank, 2), draw.elements // 4)
    axis = draw.choose(*range(-min(rank, 2), 0))
    transform = getattr(jnp.fft, kind)
    x = draw.array(*shape, dtype="float32" if kind.startswith("r") else "complex64")
    if kind == "irfft" and shape[axis] < 2:
        return Drawn(lambda x: jnp.fft.fft(x, axis=axis), [x])
    return Drawn((lambda x: transform(x)) if kind.endswith("2") else (lambda x: transform(x, axis=axis)), [x])


@family
def random_numbers(draw: Draw) -> Drawn:
    shape = draw.shape(draw.choose(1, 2))
    kind = draw.choose(
        "normal", "uniform", "bits", "bernoulli", "gumbel", "permutation", "categorical", "gamma", "truncated_normal"
    )
    dtype = draw.choose("float32", "float32", "bfloat16")
    key = np.array(draw.random.integers(0, 1 << 30, 2), np.uint32)

    def call(key: Any) -> Any:
        match kind:
            case "bits":
                return jax.random.bits(key, shape)
            case "bernoulli":
                return jax.random.bernoulli(key, 0.3, shape)
            case "permutation":
                return jax.random.permutation(key, math.prod(shape) // 8 + 1)
            case "categorical":
                return jax.random.categorical(key, jnp.arange(8.0), shape=(math.prod(shape) // 8 + 1,))
            case "gamma":
                return jax.random.gamma(key, 2.0, (math.prod(shape) // 64 + 1,))
            case "truncated_normal":
                return jax.random.truncated_normal(key, -1, 1, shape)
        found = getattr(jax.random, kind)(key, shape, dtype)
        return found if draw_sum == "as they are" else jnp.sum(found.astype(jnp.float32))

    draw_sum = draw.choose("as they are", "summed")
    return Drawn(call, [key])


# ---------------------------------------------------------------- elementwise, loops, training


@family
def elementwise(draw: Draw) -> Drawn:
    dtype, rank = draw.real(), draw.choose(1, 2, 3)
    shape = draw.shape(rank)
    if rank > 1 and draw.choose("any", "any", "pixels") == "pixels":
        shape = (*shape[:-1], draw.choose(2, 3, 4))
    unary = [
        jnp.tanh,
        jnp.exp,
        jax.nn.gelu,
        jax.nn.sigmoid,
        jnp.sin,
        jnp.abs,
        jnp.sqrt,
        jax.nn.silu,
        jnp.log1p,
        lax.erf,
    ]
    chain = [draw.choose(*unary) for _ in range(draw.choose(1, 2, 4, 8))]
    other = draw.choose("same", "row", "column", "transposed")
    of = {"same": shape, "row": (*[1] * (rank - 1), shape[-1]), "column": (*shape[:-1], 1), "transposed": shape[::-1]}

    def call(x: Any, y: Any) -> Any:
        y = y.T if other == "transposed" else y
        for f in chain:
            x = f(x) * y + x
        return x

    return Drawn(call, [draw.array(*shape, dtype=dtype), draw.array(*of[other], dtype=dtype)])


@family
def recurrent(draw: Draw) -> Drawn:
    """A scan over the time of a sequence."""
    dtype, kind = draw.real(), draw.choose("rnn", "gru", "lstm", "linear")
    steps, batch, width = draw.sizes(steps=(2, 512), batch=(1, 64), width=(8, 512))
    steps, batch, width, _ = draw.within(draw.work // 16, steps, batch, width, width)
    gates = {"rnn": 1, "gru": 3, "lstm": 4, "linear": 1}[kind]
    arrays = [draw.array(width, gates * width, dtype=dtype) / np.sqrt(width).astype(dtype)]
    arrays += [draw.array(width, gates * width, dtype=dtype) / np.sqrt(width).astype(dtype)]
    arrays += [draw.array(steps, batch, width, dtype=dtype)]

    def call(w: Any, u: Any, xs: Any) -> Any:
        def step(state: Any, x: Any) -> Any:
            h, c = state
            z = x @ w + h @ u
            match kind:
                case "rnn":
                    h = jnp.tanh(z)
                case "linear":
                    h = jax.nn.sigmoid(z) * h + x
                case "gru":
                    r, i, n = jnp.split(z, 3, -1)
                    h = (1 - jax.nn.sigmoid(i)) * jnp.tanh(n * jax.nn.sigmoid(r)) + jax.nn.sigmoid(i) * h
                case "lstm":
                    i, f, g, o = jnp.split(z, 4, -1)
                    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                    h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        start = jnp.zeros(xs.shape[1:], xs.dtype)
        return lax.scan(step, (start, start), xs)

    if draw.choose("forward", "forward", "gradient") == "gradient":
        return Drawn(jax.grad(lambda *a: jnp.sum(call(*a)[1].astype(jnp.float32) ** 2), (0, 1)), arrays)
    return Drawn(call, arrays, draw.choose(0, 2))


@family
def filters(draw: Draw) -> Drawn:
    """A recursive filter of many signals, or the discounted sums of what follows each moment."""
    dtype, backward = draw.dtype("float32", "float32", "bfloat16", "float64"), draw.choose(False, True)
    signals, steps = draw.sizes(signals=(1, 4096), steps=(16, 2048))
    signals, steps = draw.within(min(draw.elements, 1 << 20), signals, steps)

    def call(xs: Any) -> Any:
        def step(state: Any, x: Any) -> Any:
            before, twice = state
            y = x + before / 2 - twice / 4
            return (y, before), y

        zero = jnp.zeros(xs.shape[1:], xs.dtype)
        return lax.scan(step, (zero, zero), xs, reverse=backward)[1]

    return Drawn(call, [draw.array(steps, signals, dtype=dtype)])


@family
def states(draw: Draw) -> Drawn:
    """How likely sequences are for a hidden Markov model, or which states they most likely went through."""
    wide, best = draw.choose(np.float32, np.float64), draw.choose(False, True)
    batch, steps, count = draw.sizes(batch=(1, 32), steps=(4, 256), count=(4, 256))
    batch, steps, count = (max(2, n) for n in draw.within(max(8, draw.work >> 8) // count, batch, steps, count))
    transitions, scores = draw.array(count, count).astype(wide), draw.array(steps, batch, count).astype(wide)

    def call(transitions: Any, scores: Any) -> Any:
        transitions = jax.nn.log_softmax(transitions)

        def step(x: Any, seen: Any) -> Any:
            paths = x[:, :, None] + transitions
            return (paths.max(1) if best else jax.nn.logsumexp(paths, 1)) + seen, paths.argmax(1) if best else None

        last, back = lax.scan(step, scores[0], scores[1:])
        if not best:
            return jax.nn.logsumexp(last, -1)
        trace = lambda state, before: (jnp.take_along_axis(before, state[:, None], 1)[:, 0],) * 2
        return lax.scan(trace, last.argmax(-1), back, reverse=True)[1]

    return Drawn(call, [transitions, scores])


@family
def alignment(draw: Draw) -> Drawn:
    """Scores of pairs of sequences, cell by cell: a scan in a scan over small vectors."""
    dtype, most = draw.dtype("float32", "float32", "float64", "int32"), draw.choose(jnp.maximum, jnp.minimum, jnp.add)
    batch, rows, columns = draw.sizes(batch=(1, 64), rows=(2, 40), columns=(2, 300))
    gap, all_rows = np.array(draw.choose(1, 2), dtype), draw.choose(True, False)

    def row(above: Any, scores: Any) -> Any:
        def cell(left: Any, given: Any) -> Any:
            corner, top, score = given
            best = jnp.maximum(most(corner + score, top - gap), left - gap)
            return best, best

        first = above[:, 0] - gap
        _, rest = lax.scan(cell, first, (above[:, :-1].T, above[:, 1:].T, scores.T))
        found = jnp.concatenate([first[:, None], rest.T], 1)
        return found, found[:, -1] if all_rows else None

    def call(scores: Any) -> Any:
        start = jnp.tile(-gap * jnp.arange(columns + 1, dtype=dtype), (batch, 1))
        return lax.scan(row, start, scores.transpose(1, 0, 2))

    return Drawn(call, [draw.array(batch, rows, columns, dtype=dtype)])


@family
def scanned_layers(draw: Draw) -> Drawn:
    """A transformer whose layers are scanned, all tokens or one with a cache."""
    dtype, kind = draw.real(), draw.choose("all tokens", "one token")
    layers, tokens, heads = draw.sizes(layers=(2, 16), tokens=(8, 1024), heads=(2, 16))
    head = draw.choose(16, 32, 64, 128)
    while layers * 12 * (heads * head) ** 2 > draw.elements * 4 or layers * tokens * 12 * (
        heads * head
    ) ** 2 > draw.work * (1 if kind == "all tokens" else tokens):
        heads, tokens, layers = max(1, heads // 2), max(8, tokens // 2), max(2, layers // 2)
        if (heads, tokens, layers) == (1, 8, 2):
            break
    d = heads * head
    draw.noted.append(f"layers={layers} tokens={tokens} width={d}")
    scale = np.float32(d**-0.5)
    arrays = [(draw.array(layers, d, 3 * d) * scale).astype(dtype), (draw.array(layers, d, d) * scale).astype(dtype)]
    arrays += [
        (draw.array(layers, d, 4 * d) * scale).astype(dtype),
        (draw.array(layers, 4 * d, d) * scale / 2).astype(dtype),
    ]

    def norm(x: Any) -> Any:
        wide = x.astype(jnp.float32)
        return (wide * lax.rsqrt(jnp.mean(wide**2, -1, keepdims=True) + 1e-6)).astype(x.dtype)

    def mix(q: Any, k: Any, v: Any, seen: Any) -> Any:
        scores = jnp.einsum("qhd,khd->hqk", q, k).astype(jnp.float32) * head**-0.5
        shares = jax.nn.softmax(jnp.where(seen, scores, -1e30), -1).astype(q.dtype)
        return jnp.einsum("hqk,khd->qhd", shares, v).reshape(q.shape[0], d)

    def everything(qkv: Any, out: Any, up: Any, down: Any, x: Any) -> Any:
        def layer(x: Any, w: Any) -> Any:
            q, k, v = jnp.split((norm(x) @ w[0]).reshape(-1, heads, 3 * head), 3, -1)
            x = x + mix(q, k, v, jnp.tri(tokens, dtype=bool)) @ w[1]
            return x + jax.nn.gelu(norm(x) @ w[2]) @ w[3], None

        return lax.scan(layer, x, (qkv, out, up, down))[0]

    def one(qkv: Any, out: Any, up: Any, down: Any, x: Any, cache: Any, position: Any) -> Any:
        def layer(x: Any, w: Any) -> Any:
            q, k, v = jnp.split((norm(x) @ w[0]).reshape(-1, heads, 3 * head), 3, -1)
            kept = lax.dynamic_update_slice_in_dim(w[4], jnp.stack([k, v]), position, 1)
            x = x + mix(q, kept[0], kept[1], jnp.arange(tokens) <= position) @ w[1]
            return x + jax.nn.gelu(norm(x) @ w[2]) @ w[3], kept

        return lax.scan(layer, x, (qkv, out, up, down, cache))

    bound = draw.choose(0, 4)
    if kind == "all tokens":
        return Drawn(everything, [*arrays, draw.array(tokens, d, dtype=dtype)], bound)
    cache = draw.array(layers, 2, tokens, heads, head, dtype=dtype)
    return Drawn(one, [*arrays, draw.array(1, d, dtype=dtype), cache, np.int32(tokens // 2)], bound)


@family
def cross_entropy(draw: Draw) -> Drawn:
    """The loss of a classifier of words, and its gradient."""
    dtype, smooth, gradient = draw.real(), draw.choose(0.0, 0.1), draw.choose(True, True, False)
    words = draw.size(16, 1 << 16)
    (rows,) = draw.shape(1, max(1, draw.elements // words), 1)
    draw.noted.append(f"{rows}×{words}")

    def loss(x: Any, y: Any) -> Any:
        found = jax.nn.log_softmax(x.astype(jnp.float32))
        own = -jnp.take_along_axis(found, y[:, None], 1).mean()
        return own * (1 - smooth) - smooth * found.mean() if smooth else own

    labels = draw.random.integers(0, words, rows).astype(np.int32)
    return Drawn(jax.value_and_grad(loss) if gradient else loss, [draw.array(rows, words, dtype=dtype), labels])


@family
def training_step(draw: Draw) -> Drawn:
    """A step of stochastic gradient descent or Adam of a perceptron."""
    dtype, optimizer = draw.dtype("float32", "float32", "bfloat16"), draw.choose("sgd", "adam")
    per_example = draw.choose("mean", "mean", "clipped")
    depth, batch, width = draw.sizes(depth=(1, 6), batch=(1, 1024), width=(16, 1024))
    if per_example == "clipped":
        batch, width = draw.within(draw.elements, batch, width, width)[:2]
    depth, batch, width, _ = draw.within(draw.work // 8, depth, batch, width, width)
    weights = [(draw.array(width, width) / np.sqrt(width)).astype(np.float32) for _ in range(depth)]
    x, y = draw.array(batch, width), draw.array(batch, width)

    def loss(weights: Any, x: Any, y: Any) -> Any:
        h = x.astype(dtype)
        for w in weights:
            h = jax.nn.relu(h @ w.astype(dtype))
        return jnp.mean((h.astype(jnp.float32) - y) ** 2)

    def gradient(weights: Any, x: Any, y: Any) -> Any:
        if per_example == "mean":
            return jax.grad(loss)(weights, x, y)
        each = jax.vmap(jax.grad(loss), (None, 0, 0))(weights, x, y)
        length = jnp.sqrt(sum(jnp.sum(g**2, (1, 2)) for g in each))
        factor = jnp.minimum(1, 1 / length)
        return [jnp.einsum("bij,b->ij", g, factor) / batch for g in each]

    def call(*arrays: Any) -> Any:
        weights, (x, y) = list(arrays[:depth]), arrays[-2:]
        found = gradient(weights, x, y)
        if optimizer == "sgd":
            return [w - 0.01 * g for w, g in zip(weights, found)]
        means = [0.9 * m + 0.1 * g for m, g in zip(arrays[depth : 2 * depth], found)]
        squares = [0.99 * s + 0.01 * g * g for s, g in zip(arrays[2 * depth : 3 * depth], found)]
        return [w - 0.01 * m / (jnp.sqrt(s) + 1e-8) for w, m, s in zip(weights, means, squares)], means, squares

    # Adam's first step is the sign of the gradient, which rounding decides where that is tiny; a later step is drawn.
    state = [*map(np.zeros_like, weights), *map(np.ones_like, weights)] if optimizer == "adam" else []
    return Drawn(call, [*weights, *state, x, y])


@family
def transformer_step(draw: Draw) -> Drawn:
    """The gradients of a transformer's loss, whose layers are written out or scanned, and may be computed again."""
    dtype, layout = draw.dtype("float32", "bfloat16", "bfloat16"), draw.choose("written out", "scanned")
    again, kind, group = draw.choose(False, True), draw.choose("library", "by hand"), draw.choose(1, 1, 2)
    layers, batch, tokens, heads = draw.sizes(layers=(1, 4), batch=(1, 16), tokens=(16, 2048), heads=(1, 8))
    head = draw.choose(32, 64, 128)
    heads *= group
    while (
        layers * batch * tokens * (24 * (heads * head) ** 2 + 4 * tokens * heads * head) > draw.work * 2
        or batch * tokens * max(4 * heads * head, heads * tokens) > draw.elements
    ):
        batch, tokens, heads = max(1, batch // 2), max(8, tokens // 2), max(group, heads // 2 // group * group)
        if (batch, tokens, heads) == (1, 8, group):
            break
    d, kept = heads * head, heads // group * head
    draw.noted.append(f"width={d} heads={heads}/{heads // group} batch={batch} tokens={tokens}")
    scale = np.float32(d**-0.5)
    shapes = ((d, d + 2 * kept), (d, d), (d, 4 * d), (4 * d, d))
    weights = [draw.array(layers, *shape) * scale for shape in shapes]
    x, y = draw.array(batch, tokens, d, dtype=dtype), draw.array(batch, tokens, d)

    def norm(x: Any) -> Any:
        wide = x.astype(jnp.float32)
        return (wide * lax.rsqrt(jnp.mean(wide**2, -1, keepdims=True) + 1e-6)).astype(x.dtype)

    def mix(q: Any, k: Any, v: Any) -> Any:
        if kind == "library":
            return jax.nn.dot_product_attention(q, k, v, is_causal=True)
        k, v = jnp.repeat(k, group, 2), jnp.repeat(v, group, 2)
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) * head**-0.5
        shares = jax.nn.softmax(jnp.where(jnp.tri(tokens, dtype=bool), scores, -1e30), -1).astype(q.dtype)
        return jnp.einsum("bhqk,bkhd->bqhd", shares, v)

    def layer(x: Any, w: Any) -> Any:
        qkv, out, up, down = (each.astype(dtype) for each in w)
        q, k, v = jnp.split(norm(x) @ qkv, (d, d + kept), -1)
        mixed = mix(*(each.reshape(batch, tokens, -1, head) for each in (q, k, v)))
        x = x + mixed.reshape(batch, tokens, d) @ out
        return x + jax.nn.gelu(norm(x) @ up) @ down

    def loss(w: Any, x: Any, y: Any) -> Any:
        apply, h = jax.checkpoint(layer) if again else layer, x
        if layout == "scanned":
            h = lax.scan(lambda h, w: (apply(h, w), None), h, w)[0]
        else:
            for n in range(layers):
                h = apply(h, [each[n] for each in w])
        return jnp.mean((h.astype(jnp.float32) - y) ** 2)

    return Drawn(lambda *a: jax.value_and_grad(loss)(a[:4], *a[4:]), [*weights, x, y])


# ---------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Row:
    """What was measured of a program, in seconds: the median of its calls, and the first one."""

    name: str
    ours: float
    xla: float
    first: float
    xla_first: float
    apart: float | None
    right: bool
    errors: tuple[float, float] | None = None  # of our results and XLA's, if known

    @property
    def less_exact(self) -> bool:
        return self.errors is not None and self.errors[0] > max(LEAST_ERROR, LESS_EXACT * self.errors[1])

    @property
    def family(self) -> str:
        return self.name.partition(":")[0].split()[1]

    @property
    def ratio(self) -> float:
        return self.ours / self.xla

    def __str__(self) -> str:
        times = (
            f"{1e3 * self.ours:9.3f} {1e3 * self.xla:9.3f} {self.ratio:7.2f}  {self.first:5.2f} {self.xla_first:5.2f}"
        )
        wrong = "" if self.right else f"  DIFFERS by {self.apart}"
        inexact = f"  ERROR {self.errors[0]:.1e}, XLA's {self.errors[1]:.1e}" if self.errors and self.less_exact else ""
        return f"{times}  {self.name}{wrong}{inexact}"


HEADS = f"{'ours, ms':>9} {'XLA, ms':>9} {'ratio':>7}  first calls, s"


def draw_program(seed: int, limits: tuple[int, int], only: Sequence[str] = ()) -> tuple[str, Drawn, bool]:
    """A program with its name, and whether JAX exports it with 64 bits."""
    names = only or [*FAMILIES]
    name = names[seed % len(names)]
    draw = Draw(np.random.default_rng(seed), *limits)
    drawn = FAMILIES[name](draw)
    wide = is_wide(drawn) or draw.random.random() < 0.2
    return f"{seed} {name}: {' '.join(filter(None, draw.noted))}{' x64' * wide}", drawn, wide


def read_programs(file: Path, scale: float) -> dict[str, Callable[[], Drawn]]:
    """The programs of a file, by name."""
    made = runpy.run_path(str(file))["PROGRAMS"]

    def drawn_of(make: Callable[[float], tuple[Function, Sequence[Any]]]) -> Drawn:
        function, arguments = make(scale)
        return Drawn(function, [np.asarray(x) for x in arguments])

    return {name: partial(drawn_of, make) for name, make in made.items()}


def is_wide(drawn: Drawn) -> bool:
    """Whether a program needs 64 bits."""
    return any(x.dtype.name in ("float64", "complex128", "int64", "uint64") for x in drawn.arguments)


def export(drawn: Drawn, wide: bool, platform: str) -> str:
    jax.config.update("jax_enable_x64", wide)
    specs = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in drawn.arguments]
    return str(jax.export.export(jax.jit(drawn.function), platforms=[platform])(*specs).mlir_module())


def tolerance_of(arrays: Sequence[np.ndarray], device: str) -> float:
    """By how much results may differ, given them and the arguments, as a part of the largest number."""
    return max(TOLERANCES.get(x.dtype.name, 1e-3 if device == "CPU" else 5e-3) for x in arrays)


def in_double(drawn: Drawn) -> list[np.ndarray] | None:
    """The results in double; None of a function that takes only the types that were drawn."""
    jax.config.update("jax_enable_x64", True)
    wide = {"f": np.float64, "V": np.float64, "c": np.complex128}
    exact = [x.astype(wide.get(x.dtype.kind, x.dtype)) for x in drawn.arguments]
    try:
        return [np.asarray(x) for x in jax.tree.leaves(jax.jit(drawn.function)(*exact))]
    except Exception:
        return None


def error_of(found: Sequence[np.ndarray], exact: Sequence[np.ndarray]) -> float:
    """How far results are from those in double, as a part of the largest number."""
    distance = bench.difference([x.astype(y.dtype) for x, y in zip(found, exact)], exact)
    return math.inf if distance is None else distance


def one_by_one(drawn: Drawn) -> list[np.ndarray] | None:
    """XLA's results of one op at a time, where it leaves out no conversions to bf16 and back; None if it refuses."""
    try:
        with jax.disable_jit():
            return [np.asarray(x) for x in jax.tree.leaves(drawn.function(*drawn.arguments))]
    except Exception:  # a function that has to be compiled
        return None


def is_right(drawn: Drawn, ours: Sequence[np.ndarray], xla: Sequence[np.ndarray], device: str) -> bool:
    """Whether each result is XLA's, nearer to that in double than XLA's, or XLA's of one op at a time."""
    most = tolerance_of([*drawn.arguments, *xla], device)

    def is_close(found: np.ndarray, expected: np.ndarray) -> bool:
        apart = bench.difference([found], [expected])
        return apart is not None and apart <= most

    left = [n for n, (x, y) in enumerate(zip(ours, xla)) if not is_close(x, y)]
    if left and (exact := in_double(drawn)) is not None:
        left = [n for n in left if error_of([ours[n]], [exact[n]]) >= error_of([xla[n]], [exact[n]])]
    if left and (written := one_by_one(drawn)) is not None:
        left = [n for n in left if not is_close(ours[n], written[n])]
    return not left


def is_single(drawn: Drawn) -> bool:
    """Whether all floats are in float32: narrower ones round more than sums do, and double is what is compared with."""
    floats = {x.dtype.name for x in drawn.arguments if x.dtype.kind in "fcV"}
    return bool(floats) and floats <= {"float32", "complex64"}


class Course:
    """Both contenders, each in a process that stays for the next program."""

    def __init__(self, device: str, seconds: float, folder: Path, errors: bool = False) -> None:
        self.device, self.seconds, self.folder, self.errors = device, seconds, folder, errors
        self.stack = ExitStack()
        self.running = dict[str, bench.Process]()

    def worker(self, name: str) -> bench.Process:
        if name not in self.running:
            cores = bench.this_process_cores()
            started = bench.process(name, cores, self.folder / "cache", PATIENCE, self.device)
            self.running[name] = self.stack.enter_context(started)
            self.running[name].ask("one op", seconds=0.0)  # what a process starts with is not a program's first call
        return self.running[name]

    def measure(self, name: str, drawn: Drawn, texts: dict[str, str]) -> Row:
        """Raises ContenderFailed, with the contender's name in front."""
        # Arguments that no result depends on are none of the exported program's.
        inputs = hlo2tiny.parse(texts[bench.OURS]).functions["main"].body.arguments  # type: ignore[union-attr]
        assert len(inputs) == len(drawn.arguments), "an argument is not used"
        stored = [write(x, str(self.folder / f"in{i}")) for i, x in enumerate(drawn.arguments)]
        first, results = dict[str, float](), dict[str, list[np.ndarray]]()
        times = defaultdict[str, list[float]](list)
        for iteration in range(4):
            for contender in (bench.OURS, bench.XLA) if iteration % 2 else (bench.XLA, bench.OURS):
                try:
                    worker = self.worker(contender)
                    if iteration == 0:
                        path = self.folder / f"{contender}.mlir"
                        path.write_text(texts[contender], encoding="utf-8")
                        request = {"file": str(path), "inputs": stored, "bound": drawn.weights}
                        begun = worker.ask("start", **request, carried=0, options={})
                        first[contender] = begun["load"] + begun["first"]
                        results[contender] = bench.results_of(worker, self.folder)
                    elif iteration < 3 or sum(times[contender]) < self.seconds:
                        times[contender] += worker.ask("time", seconds=self.seconds / 3)["times"]
                except bench.ContenderFailed as error:
                    self.running.pop(contender).popen.kill()
                    raise bench.ContenderFailed(f"{contender}: {error}") from None
        ours, xla = (statistics.median(times[each]) for each in (bench.OURS, bench.XLA))
        apart = bench.difference(results[bench.OURS], results[bench.XLA])
        right, errors = is_right(drawn, results[bench.OURS], results[bench.XLA], self.device), None
        if self.errors and is_single(drawn) and (exact := in_double(drawn)) is not None:
            errors = error_of(results[bench.OURS], exact), error_of(results[bench.XLA], exact)
        return Row(name, ours, xla, first[bench.OURS], first[bench.XLA], apart, right, errors)


def profile_of(text: str, drawn: Drawn, device: str) -> Iterator[str]:
    """The slowest steps of a program."""
    try:
        program = hlo2tiny.load(text, device)
        found = profiling.profile(program, list(drawn.arguments), 0.3)
    except Exception as error:
        yield f"no profile: {bench.one_line(str(error))}"
        return
    for row in found["steps"][:3]:
        yield f"{1e3 * row['seconds']:9.3f} ms  {row['iterations']:g} × {row['step']}  {row['where']}"


def distribution(ratios: Sequence[float]) -> Iterator[str]:
    """A histogram of the ratios, as a table for the documentation."""
    yield "| at most | programs | |\n|---:|---:|---|"
    below = 0.0
    for bound in BOUNDS:
        count = sum(below < ratio <= bound for ratio in ratios)
        label = "more" if bound == math.inf else f"{bound:g}"
        yield f"| {label} | {count} | {'█' * round(40 * count / len(ratios))} |"
        below = bound


def families_table(rows: Sequence[Row]) -> Iterator[str]:
    found = defaultdict[str, list[float]](list)
    for row in rows:
        found[row.family].append(row.ratio)
    yield "| family | programs | mean | worst |\n|---|---:|---:|---:|"
    for name, ratios in sorted(found.items(), key=lambda each: -statistics.geometric_mean(each[1])):
        yield f"| {name} | {len(ratios)} | {statistics.geometric_mean(ratios):.2f} | {max(ratios):.2f} |"


def worst_table(rows: Sequence[Row], profiles: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The slowest programs beside XLA, with the slowest step of each."""
    yield "| program | ours, ms | XLA, ms | ratio | slowest step |\n|---|---:|---:|---:|---|"
    for row in rows:
        where = " ".join(profiles[row.name][0].replace("|", " ").split()) if row.name in profiles else ""
        yield f"| {row.name} | {1e3 * row.ours:.3g} | {1e3 * row.xla:.3g} | {row.ratio:.2f} | {where} |"


def summary(rows: Sequence[Row], failed: Sequence[str]) -> str:
    ratios, firsts = [row.ratio for row in rows], [row.first / row.xla_first for row in rows]
    share = sum(ratio <= SLOW for ratio in ratios) / len(ratios)
    wrong = ", ".join(row.name for row in rows if not row.right) or "none"
    return (
        f"{len(rows)} programs take {statistics.geometric_mean(ratios):.2f} of XLA's time in the geometric mean, and"
        f" {max(ratios):.2f} at worst; {100 * share:.0f} % take at most {SLOW}.\nFirst calls, with `load`, take"
        f" {statistics.geometric_mean(firsts):.2f} in the mean, and {max(firsts):.2f} at worst.\n"
        f"Different results: {wrong}. No time: {'; '.join(failed) or 'none'}." + exactness(rows)
    )


def exactness(rows: Sequence[Row]) -> str:
    """How exact results in float32 are, if they were compared with those in double."""
    known = [row for row in rows if row.errors is not None and all(map(math.isfinite, row.errors))]
    if not known:
        return ""
    ratios = [max(row.errors[0], EXACT) / max(row.errors[1], EXACT) for row in known if row.errors is not None]
    worse = ", ".join(row.name for row in known if row.less_exact) or "none"
    mean = f"{statistics.geometric_mean(ratios):.2f} of XLA's in the mean"
    return f"\nErrors of {len(known)} in float32 are {mean}; more than {LESS_EXACT} times XLA's: {worse}."


def write_page(rows: Sequence[Row], failed: Sequence[str], profiles: Mapping[str, Sequence[str]]) -> None:
    """The section of docs/performance.md that is made of a run."""
    sys.path.append(str(ROOT / "tests"))
    import tables

    worst = sorted(rows, key=lambda row: -row.ratio)[:10]
    given = [x for x, before in zip(sys.argv[1:], sys.argv) if "--json" not in (x, before)]  # whose file is elsewhere
    command = " ".join(["python tests/bench/families.py", *given])
    section = (
        f"`{command}`, on {datetime.date.today().isoformat()},\non {tables.machine()}, beside jax {jax.__version__}:",
        summary(rows, failed),
        "\nHow many take at most how much of XLA's time:\n",
        *distribution([row.ratio for row in rows]),
        "\nThe ten slowest beside XLA:\n",
        *worst_table(worst, profiles),
        "\nBy family, the geometric mean and the worst:\n",
        *families_table(rows),
    )
    page = tables.parts(tables.FILE.read_text(encoding="utf-8")) | {"families": "\n".join(section)}
    tables.FILE.write_text(tables.PAGE.format(**page), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60, help="how long to go on")
    parser.add_argument("--seed", type=int, default=0, help="of the first program; the next one's is one more")
    parser.add_argument("--programs", type=int, default=1 << 30, help="how many at most")
    parser.add_argument("--only", action="append", default=[], help="this family, or this program of a file")
    parser.add_argument("--file", type=Path, help="programs from elsewhere")
    parser.add_argument("--scale", type=float, default=1, help="of a file's programs")
    parser.add_argument("--device", default="CPU", help="CPU or CUDA")
    parser.add_argument("--seconds", type=float, default=0.3, help="of calls for each contender")
    parser.add_argument("--profiles", type=int, default=10, help="how many of the slowest to profile")
    parser.add_argument("--errors", action="store_true", help="compare results in float32 with those in double, too")
    parser.add_argument("--keep", type=Path, help="a folder for the text of the programs that are slow")
    parser.add_argument("--json", type=Path, help="a file for what was measured")
    parser.add_argument("--page", action="store_true", help="write the section of docs/performance.md")
    options = parser.parse_args()
    device = bench.expect_device(options.device)
    limits, platform = (CPU, "cpu") if device == "CPU" else (GPU, "cuda")
    from_file = read_programs(options.file, options.scale) if options.file else {}
    if unknown := {*options.only} - {*(from_file or FAMILIES)}:
        parser.error(f"{', '.join(sorted(unknown))}: not one of {', '.join(from_file or FAMILIES)}")
    names = options.only or [*from_file]

    def draw(seed: int) -> tuple[str, Drawn, bool]:
        if not from_file:
            return draw_program(seed, limits, options.only)
        name = names[seed - options.seed]
        drawn = from_file[name]()
        return f"{seed} {name}: scale {options.scale:g}", drawn, is_wide(drawn)

    end, count = time.monotonic() + 60 * options.minutes, len(names) if from_file else options.programs
    rows, failed = dict[int, Row](), list[str]()
    print(HEADS, flush=True)
    with tempfile.TemporaryDirectory(prefix="hlo2tiny-families-") as folder:
        course = Course(device, options.seconds, Path(folder), options.errors)
        with course.stack:
            for seed in range(options.seed, options.seed + count):
                if time.monotonic() > end:
                    break
                name = str(seed)
                try:
                    name, drawn, wide = draw(seed)
                    text = export(drawn, wide, "cpu")
                    theirs = export(drawn, wide, platform) if platform != "cpu" else text
                    rows[seed] = course.measure(name, drawn, {bench.OURS: text, bench.XLA: theirs})
                    print(rows[seed], flush=True)
                    if options.keep and rows[seed].ratio > SLOW:
                        options.keep.mkdir(parents=True, exist_ok=True)
                        (options.keep / f"{seed}-{rows[seed].family}.mlir").write_text(text)
                except Exception as error:
                    failed.append(f"{name}: {type(error).__name__}: {bench.one_line(str(error))}")
                    print(f"FAILED {failed[-1]}", flush=True)
    if not rows:
        print("no program was measured")
        return 1
    worst = sorted(rows, key=lambda seed: -rows[seed].ratio)[: options.profiles]
    profiles = dict[str, list[str]]()
    print(f"\nThe slowest beside XLA:\n{HEADS}")
    for seed in worst:
        if rows[seed].ratio > SLOW or options.page:
            name, drawn, wide = draw(seed)
            profiles[name] = [*profile_of(export(drawn, wide, "cpu"), drawn, device)]
            print(rows[seed], *profiles[name], sep="\n    ", flush=True)
    found = [*rows.values()]
    print("", *families_table(found), "", *distribution([row.ratio for row in found]), sep="\n")
    print("", summary(found, failed), sep="\n")
    if options.page:
        write_page(found, failed, profiles)
    if options.json:
        options.json.write_text(json.dumps([vars(row) for row in rows.values()], indent=1))
    return int(bool(failed) or not all(row.right for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
