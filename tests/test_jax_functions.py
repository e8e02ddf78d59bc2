"""Every public function of jax.nn, jax.scipy.special and jax.scipy.stats: exported, run natively, compared with XLA.

The functions are found by inspection, so one that a new JAX adds is a case at once: it is called on as many arrays as
it has arguments without a default. `CALLS` says how to call the others, `NOT_EXPORTED` why some cannot be exported.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export
from jax.scipy import special, stats

import hlo2tiny

SHAPE = (3, 5)
# Functions that share a program.
TOGETHER = 12
TOLERANCE = 2e-5
Case = tuple[Callable[..., Any], Sequence[np.ndarray]]


def rng(name: str) -> np.random.Generator:
    return np.random.default_rng(list(name.encode()))


def floats(name: str, count: int, low: float = 0.1, high: float = 0.9) -> list[np.ndarray]:
    return [rng(f"{name}{i}").uniform(low, high, SHAPE).astype(np.float32) for i in range(count)]


def integers(name: str, count: int, low: int = 0, high: int = 5) -> list[np.ndarray]:
    return [rng(f"{name}{i}").integers(low, high, SHAPE).astype(np.int32) for i in range(count)]


def initializer(make: Callable[..., Any], shape: tuple[int, ...] = (4, 4), *arguments: Any) -> Case:
    return lambda key: make(*arguments)(key, shape, jnp.float32), [np.array([1, 2], np.uint32)]


def on(function: Callable[..., Any], *arrays: np.ndarray, **static: Any) -> Case:
    return partial(function, **static), arrays


X, Y = floats("x", 2)
WIDE = (6 * X - 3).astype(np.float32)
COUNTS = np.array([[1, 2, 0], [0, 1, 2]], np.int32)
P = np.array([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]], np.float32)
HEADS = rng("heads").standard_normal((3, 2, 6, 4, 8)).astype(np.float32)

CALLS: dict[str, Callable[[], Case]] = {
    "nn.dot_product_attention": lambda: on(jax.nn.dot_product_attention, *HEADS),
    "nn.glu": lambda: on(jax.nn.glu, WIDE[:, :4]),
    "nn.identity": lambda: on(jax.nn.identity, X),
    "nn.log1mexp": lambda: on(jax.nn.log1mexp, X),
    "nn.one_hot": lambda: on(jax.nn.one_hot, integers("one", 1)[0], num_classes=5),
    "nn.initializers.constant": lambda: initializer(jax.nn.initializers.constant, SHAPE, 1.5),
    "nn.initializers.delta_orthogonal": lambda: initializer(jax.nn.initializers.delta_orthogonal, (3, 4, 4)),
    "nn.initializers.ones": lambda: (lambda key: jax.nn.initializers.ones(key, SHAPE), [np.array([1, 2], np.uint32)]),
    "nn.initializers.zeros": lambda: (lambda key: jax.nn.initializers.zeros(key, SHAPE), [np.array([1, 2], np.uint32)]),
    "nn.initializers.variance_scaling": lambda: initializer(
        jax.nn.initializers.variance_scaling, (4, 4), 1.0, "fan_in", "normal"
    ),
    "special.bernoulli": lambda: (lambda x: x[:3] * special.bernoulli(7)[5:], [X[0]]),
    "special.bessel_jn": lambda: on(special.bessel_jn, 5 * X[0], v=3),
    "special.comb": lambda: on(special.comb, *integers("comb", 2, 1, 9)),
    "special.expn": lambda: on(special.expn, integers("expn", 1, 1, 5)[0], 3 * X),
    "special.factorial": lambda: on(special.factorial, integers("factorial", 1)[0]),
    "special.multigammaln": lambda: on(special.multigammaln, X + 3, d=3),
    "special.polygamma": lambda: on(special.polygamma, integers("polygamma", 1, 0, 3)[0], X + 1),
    "special.sph_harm_y": lambda: (
        lambda n, m, t, p: special.sph_harm_y(n, m, t, p, n_max=4),
        [np.array([3, 2, 4], np.int32), np.array([1, -2, 0], np.int32), X[0, :3], Y[0, :3]],
    ),
    "special.wofz": lambda: on(special.wofz, (WIDE + 1j * Y).astype(np.complex64)),
    "special.zeta": lambda: on(special.zeta, X + 1.5, Y + 1),
    "stats.bernoulli.logpmf": lambda: on(stats.bernoulli.logpmf, integers("b", 1, 0, 2)[0], X),
    "stats.bernoulli.pmf": lambda: on(stats.bernoulli.pmf, integers("b", 1, 0, 2)[0], X),
    "stats.betabinom.logpmf": lambda: on(stats.betabinom.logpmf, *integers("bb", 2, 1, 6), X + 1, Y + 1),
    "stats.betabinom.pmf": lambda: on(stats.betabinom.pmf, *integers("bb", 2, 1, 6), X + 1, Y + 1),
    "stats.binom.logpmf": lambda: on(stats.binom.logpmf, integers("bi", 1)[0], integers("bin", 1, 5, 9)[0], X),
    "stats.binom.pmf": lambda: on(stats.binom.pmf, integers("bi", 1)[0], integers("bin", 1, 5, 9)[0], X),
    "stats.dirichlet.logpdf": lambda: on(stats.dirichlet.logpdf, P[0], P[1] + 1),
    "stats.dirichlet.pdf": lambda: on(stats.dirichlet.pdf, P[0], P[1] + 1),
    "stats.gaussian_kde": lambda: (
        lambda x, y: [
            (k := stats.gaussian_kde(x)).evaluate(y),
            k.logpdf(y),
            k.integrate_box_1d(0.1, 0.7),
            k.integrate_gaussian(0.3, 0.2),
            k.integrate_kde(stats.gaussian_kde(y)),
        ],
        [X.reshape(-1), Y.reshape(-1)],
    ),
    "stats.geom.logpmf": lambda: on(stats.geom.logpmf, integers("geom", 1, 1, 5)[0], X),
    "stats.geom.pmf": lambda: on(stats.geom.pmf, integers("geom", 1, 1, 5)[0], X),
    "stats.mode": lambda: on(stats.mode, integers("mode", 1, 0, 3)[0]),
    "stats.multinomial.logpmf": lambda: on(stats.multinomial.logpmf, COUNTS, np.int32(3), P),
    "stats.multinomial.pmf": lambda: on(stats.multinomial.pmf, COUNTS, np.int32(3), P),
    "stats.multivariate_normal.logpdf": lambda: on(
        stats.multivariate_normal.logpdf, X[:, :2], Y[0, :2], np.array([[2, 0.5], [0.5, 1]], np.float32)
    ),
    "stats.multivariate_normal.pdf": lambda: on(
        stats.multivariate_normal.pdf, X[:, :2], Y[0, :2], np.array([[2, 0.5], [0.5, 1]], np.float32)
    ),
    "stats.nbinom.logpmf": lambda: on(stats.nbinom.logpmf, *integers("nbinom", 2, 1, 6), X),
    "stats.nbinom.pmf": lambda: on(stats.nbinom.pmf, *integers("nbinom", 2, 1, 6), X),
    "stats.pareto.ppf": lambda: on(stats.pareto.ppf, X, Y + 1),
    "stats.poisson.cdf": lambda: on(stats.poisson.cdf, integers("poisson", 1)[0], 3 * X),
    "stats.poisson.logpmf": lambda: on(stats.poisson.logpmf, integers("poisson", 1)[0], 3 * X),
    "stats.poisson.pmf": lambda: on(stats.poisson.pmf, integers("poisson", 1)[0], 3 * X),
    "stats.rankdata": lambda: on(stats.rankdata, integers("rank", 1)[0]),
}
# Functions of the truncated normal distribution lie between their second and third argument.
CALLS |= {
    f"stats.truncnorm.{name}": lambda name=name: on(getattr(stats.truncnorm, name), X, -Y, Y + 1)  # type: ignore[misc]
    for name in ("cdf", "logcdf", "logpdf", "logsf", "pdf", "sf")
}
NOT_EXPORTED = {
    "nn.get_scaled_dot_general_config": "gives a configuration, and no array",
    "nn.scaled_dot_general": "takes such a configuration, for GPUs",
    "nn.scaled_matmul": "is lowered for GPUs alone",
}


def public(module: ModuleType, prefix: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in dir(module):
        member = getattr(module, name)
        if name.startswith("_"):
            continue
        if isinstance(member, ModuleType):
            if member.__name__.startswith("jax."):
                yield from public(member, f"{prefix}.{name}")
        elif callable(member) and name[0].islower():
            yield f"{prefix}.{name}", member


FUNCTIONS = dict([*public(jax.nn, "nn"), *public(special, "special"), *public(stats, "stats")])


def call_of(name: str) -> Case:
    if name in CALLS:
        return CALLS[name]()
    function = FUNCTIONS[name]
    parameters = inspect.signature(function).parameters.values()
    required = [
        p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    if name.startswith("nn.initializers."):
        return initializer(function)
    return function, floats(name, len(required))


NAMES = [name for name in FUNCTIONS if name not in NOT_EXPORTED]


def test_what_is_listed_is_there() -> None:
    assert len(FUNCTIONS) > 200
    assert {*CALLS, *NOT_EXPORTED} <= set(FUNCTIONS)


@pytest.mark.ci
@pytest.mark.sampled(7, ci=7, first=2)
@pytest.mark.parametrize("start", range(0, len(NAMES), TOGETHER), ids=lambda start: NAMES[start])
def test_functions_run_as_native_code(start: int) -> None:
    names = NAMES[start : start + TOGETHER]
    cases = [call_of(name) for name in names]
    counts = [len(arrays) for _, arrays in cases]

    def together(*arrays: Any) -> list[Any]:
        rest = iter(arrays)
        return [function(*(next(rest) for _ in range(count))) for (function, _), count in zip(cases, counts)]

    inputs = [array for _, arrays in cases for array in arrays]
    exported = export.export(jax.jit(together, keep_unused=True))(*inputs)
    found = iter(hlo2tiny.load(exported.mlir_module(), device="CPU").numpy(*inputs))
    for name, expected in zip(names, jax.jit(together)(*inputs), strict=True):
        for wanted in jax.tree.leaves(expected):
            result = next(found)
            np.testing.assert_allclose(
                *(np.asarray(x, np.complex128 if x.dtype.kind == "c" else np.float64) for x in (result, wanted)),
                rtol=TOLERANCE,
                atol=TOLERANCE,
                err_msg=name,
            )
