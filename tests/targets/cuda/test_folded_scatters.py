"""Updates of the same element are folded in their order, however many there are and wherever runs of them end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from test_emulation import emulator
from test_executable import emitted
from test_shared_reductions import check, text_of

from hlo2tiny.rules import scatters
from hlo2tiny.rules.scatters import NARROW, OWN, RUN
from hlo2tiny.targets.cuda import render
from hlo2tiny.targets.cuda.render import REGIONS


@pytest.fixture(autouse=True, params=["apart", "together"])
def narrow(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether threads read the narrow rows of their runs together."""
    monkeypatch.setattr(scatters, "MANY", 1 if request.param == "together" else 1 << 30)
    return bool(request.param == "together")


DTYPES = [np.float32, np.float64, ml_dtypes.bfloat16, np.float16, np.int32, np.int64, np.uint8, np.complex64]
COUNTS = [20, RUN, RUN + 1, 8 * RUN + 5, 40 * RUN + 1]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.sampled(80, ci=20, first=2)
def test_updates_are_combined(count: int, dtype: type, tmp_path: Path) -> None:
    """Sums of integers are exact; the last update is what is set."""
    random = np.random.default_rng(count)
    many, few = random.integers(-3, 90, count), np.sort(random.integers(0, 4, count))
    x, y = (random.integers(0, 4, shape).astype(dtype) for shape in ((70, 3), (5,)))
    rows, numbers = (random.integers(0, 4, shape).astype(dtype) for shape in ((count, 3), (count,)))
    ordered = np.dtype(dtype).kind != "c"

    def call(x: jax.Array, y: jax.Array, many: jax.Array, few: jax.Array, *updates: jax.Array) -> list[jax.Array]:
        rows, numbers = updates
        results = [x.at[many].add(rows, mode="drop"), y.at[few].add(numbers)]
        results += [jax.ops.segment_sum(rows, few, 5), x.at[:, 1].set(0).at[many, 2].add(numbers, mode="drop")]
        if ordered:
            results += [x.at[many].max(rows, mode="drop"), y.at[few].min(numbers), y.at[few].multiply(numbers)]
        return results

    is_short = dtype in (ml_dtypes.bfloat16, np.float16)
    if is_short:  # sums of these are rounded in another order
        call_of_all = call
        call = lambda *a: [r for n, r in enumerate(call_of_all(*a)) if n in (4, 5)]
    kernels = check(call, tmp_path, x, y, many.astype(np.int32), few.astype(np.int32), rows, numbers)
    assert any(kernel.name == ("scatter" if is_short else "fold_runs") for kernel in kernels)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8, np.float32], ids=lambda t: np.dtype(t).name)
def test_updates_may_be_one_number(dtype: type, tmp_path: Path) -> None:
    """Functions get the addresses of updates, so those are in memory, as in `jnp.bincount`."""
    ids = np.random.default_rng(5).integers(0, 4, 40 * RUN).astype(np.int32)

    def call(ids: jax.Array) -> list[jax.Array]:
        ones, rows = jnp.ones(ids.shape, dtype), jnp.full((*ids.shape, 3), 2, dtype)
        counts = jnp.bincount(ids, length=4), jax.ops.segment_sum(ones, ids, 5), jax.ops.segment_prod(ones, ids, 5)
        return [*counts, jnp.zeros((7, 3), dtype).at[ids].add(rows), jnp.zeros(5, dtype).at[ids].max(ones)]

    kernels = check(call, tmp_path, ids)
    assert any(kernel.name == "fold_runs" for kernel in kernels)


@pytest.mark.parametrize("count", [RUN + 3, 20 * RUN])
def test_the_last_of_equal_indices_is_set(count: int, tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    index, rows = random.integers(0, 6, count).astype(np.int32), np.arange(2 * count, dtype=np.int32).reshape(count, 2)
    x, expected = np.zeros((2, 7), np.int32), np.zeros((7, 2), np.int32)
    for place, row in zip(index, rows):
        expected[place] = row
    text = text_of(lambda x, i, u: x.at[:, i].set(u.T), x, index, rows)
    np.testing.assert_array_equal(emulator(text, tmp_path)[1]([x, index, rows])[0], expected.T)


def test_sums_are_the_same_in_each_order_of_threads(tmp_path: Path) -> None:
    """Each run adds its updates from the first to the last, and runs follow each other."""
    random = np.random.default_rng(2)
    count = 8 * OWN  # so that what runs have of a segment is folded at once
    x, ids = random.standard_normal((count, 3), np.float32), np.sort(random.integers(0, 3, count)).astype(np.int32)
    found = emulator(text_of(lambda x, i: jax.ops.segment_sum(x, i, 3), x, ids), tmp_path)[1]([x, ids])[0]
    expected, size = np.zeros((3, 3), np.float32), OWN
    for segment in range(3):
        parts = []
        for begin in range(0, count, size):
            own = [row for row, i in zip(x[begin : begin + size], ids[begin : begin + size]) if i == segment]
            if own:
                parts.append(np.add.accumulate(own, dtype=np.float32)[-1])
        expected[segment] = np.add.accumulate(parts, dtype=np.float32)[-1]
    np.testing.assert_array_equal(found, expected)


def test_rows_are_read_once_and_in_place() -> None:
    executable = emitted(
        text_of(
            lambda x, i: jax.ops.segment_sum(x, i, 500), np.zeros((8192, 256), np.float32), np.zeros(8192, np.int32)
        )
    )
    (first, *others) = (kernel for kernel in executable.kernels if kernel.name == "fold_runs")
    assert np.prod(first.grid) * first.block[0] == 8192 // RUN * 256 and len(others) == 1
    assert not any(kernel.name in ("permute", "scan_tiles") for kernel in executable.kernels)


@pytest.mark.parametrize("count, passes", [(128, 1), (129, 2), (32768, 2), (32769, 3)])
def test_cells_are_sorted_by_as_few_digits_as_they_have(
    count: int, passes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scatters, "FOLDING_TABLES", ())
    given = np.zeros(100_000, np.float32), np.zeros(100_000, np.int32)
    executable = emitted(text_of(lambda x, i: jax.ops.segment_sum(x, i, count), *given))
    assert sum(executable.kernels[launch.kernel].name == "sort_digits" for launch in executable.actions) == passes


@pytest.mark.sampled(8, ci=4)
@pytest.mark.parametrize("count", [1, 3, 20])
@pytest.mark.parametrize("kind", ["set", "add", "max"])
def test_items_of_a_batch_are_updated_at_the_same_time(kind: str, count: int, tmp_path: Path) -> None:
    """A few updates each need no sort; equal indices, indices out of bounds, and rows."""
    random = np.random.default_rng(3)
    x, rows = (random.integers(-9, 9, (70, n, 3)).astype(np.float32) for n in (11, count))
    index = random.integers(-2, 13, (70, count)).astype(np.int32)
    call = jax.vmap(lambda x, i, u: getattr(x.at[i], kind)(u, mode="drop"))
    if kind != "set":  # the order of updates is seen in XLA's as well
        kernels = check(call, tmp_path, x, index, rows)
        assert any("fold_" in kernel.name for kernel in kernels) == (count > 16 and kind == "add")
        return
    expected = x.copy()
    for item, own in enumerate(index):
        for place, row in zip(own + 11 * (own < 0), rows[item]):
            if 0 <= place < 11:
                expected[item, place] = row
    np.testing.assert_array_equal(emulator(text_of(call, x, index, rows), tmp_path)[1]([x, index, rows])[0], expected)


INTEGERS = [np.dtype(kind + size) for kind in "iu" for size in "1248"]
COMBINED = {"add": np.add, "maximum": np.maximum, "minimum": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or}


def scatter_text(combiner: str, element: str, x: np.ndarray, index: np.ndarray, updates: np.ndarray) -> str:
    """A scatter of numbers, or of rows, along the first dimension."""
    a, i, u, e = (f"tensor<{''.join(f'{n}x' for n in s)}" for s in (x.shape, (len(index), 1), updates.shape, ()))
    window = "update_window_dims = [1], " * (x.ndim - 1)
    return f"""func.func @main(%x: {a}{element}>, %i: {i}i32>, %u: {u}{element}>) -> {a}{element}> {{
      %r = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{window}
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
      ^bb0(%a: {e}{element}>, %b: {e}{element}>):
        %c = stablehlo.{combiner} %a, %b : {e}{element}>
        stablehlo.return %c : {e}{element}>
      }}) : ({a}{element}>, {i}i32>, {u}{element}>) -> {a}{element}>
      return %r : {a}{element}>
    }}"""


@pytest.mark.parametrize("count", [900, 4 * 528], ids=["few steps", "many steps"])
@pytest.mark.parametrize("how", ["apart", "in tables", "in small tables"])
@pytest.mark.parametrize("dtype", [*INTEGERS, np.dtype(bool)], ids=str)
@pytest.mark.parametrize("combiner", COMBINED)
@pytest.mark.sampled(45, ci=15, first=7)
def test_integers_are_combined_in_any_order(
    combiner: str, dtype: np.dtype, how: str, count: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Equal indices, indices out of bounds, rows, and numbers that wrap: no sort is needed.

    Tables have a place for each element, or a few, which some elements do not find.
    """
    random = np.random.default_rng(count)
    monkeypatch.setattr(scatters, "LEAST_IN_TABLES", 1 << 30 if how == "apart" else 1)
    monkeypatch.setattr(scatters, "COMBINING", 64)
    monkeypatch.setattr(scatters, "MOST_TABLES", 8)
    monkeypatch.setattr(scatters, "TABLE", 100 if how == "in small tables" else 1 << 12)
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    monkeypatch.setattr(REGIONS, "regions", {})
    low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    element = {"b": "i1", "i": f"i{8 * dtype.itemsize}", "u": f"ui{8 * dtype.itemsize}"}[dtype.kind]
    for shape in ((37,), (91, 3)):
        x, updates = (random.integers(low, high, (n, *shape[1:]), dtype, endpoint=True) for n in (shape[0], count))
        index = np.where(random.random(count) < 0.5, 5, random.integers(-3, shape[0] + 3, count)).astype(np.int32)
        expected, kept = x.copy(), (index >= 0) & (index < shape[0])
        COMBINED[combiner].at(expected, index[kept], updates[kept])
        text = scatter_text(combiner, element, x, index, updates)
        (folder := tmp_path / str(len(shape))).mkdir()
        executable, run = emulator(text, folder)
        np.testing.assert_array_equal(run([x, index, updates])[0], expected)
        kernel = executable.kernels[-1]
        assert kernel.name == "scatter" and ("at_once::combine<" in kernel.body) == (how == "apart")
        assert kernel.writes[0] and not any(kernel.calls for kernel in executable.kernels)
        assert ("true" in kernel.body) == (how == "in small tables")


@pytest.mark.parametrize("how", ["apart", "in tables", "in small tables"])
@pytest.mark.parametrize(
    "dtype", [np.float32, np.float64, ml_dtypes.bfloat16, np.float16], ids=lambda t: np.dtype(t).name
)
@pytest.mark.parametrize("combiner", ["maximum", "minimum"])
@pytest.mark.sampled(8, ci=4, first=2)
def test_extremes_of_floats_are_combined_in_any_order(
    combiner: str, dtype: type, how: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With zeros of both signs, of which +0 is the larger, infinities, and NaN: in another order, bits are the same."""
    random = np.random.default_rng(5)
    monkeypatch.setattr(scatters, "LEAST_IN_TABLES", 1 << 30 if how == "apart" else 1)
    monkeypatch.setattr(scatters, "COMBINING", 64)
    monkeypatch.setattr(scatters, "MOST_TABLES", 4)
    monkeypatch.setattr(scatters, "TABLE", 100 if how == "in small tables" else 1 << 12)
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    monkeypatch.setattr(REGIONS, "regions", {})
    cells, count = 91, 1500
    bits = np.dtype(f"u{np.dtype(dtype).itemsize}")
    x, updates = (random.standard_normal((n, 3)).astype(dtype) for n in (cells, count))
    for some, special in ((x, [0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan]), (updates, [0.0, -0.0])):
        some[::2] = random.choice(np.array(special, dtype), some[::2].shape)
    updates[1:90:7] = np.array([np.nan, -np.nan, -np.inf], dtype)
    updates[1:90:7].view(bits)[:, 0] += 1
    index = random.integers(-3, cells + 3, count).astype(np.int32)
    kept = (index >= 0) & (index < cells)
    # Numbers next to 0 show the sign of a zero.
    tiny = np.finfo(np.float64).smallest_subnormal
    wide, new = (np.where(y == 0, np.copysign(tiny, y), y) for y in (x.astype(np.float64), updates.astype(np.float64)))
    COMBINED[combiner].at(wide, index[kept], new[kept])
    element = {"bfloat16": "bf16"}.get(np.dtype(dtype).name, f"f{8 * bits.itemsize}")
    executable, run = emulator(scatter_text(combiner, element, x, index, updates), tmp_path)
    (found,) = run([x, index, updates])
    is_nan = np.isnan(wide)
    assert 0.01 < is_nan.mean() < 0.99
    np.testing.assert_array_equal(found.astype(np.float64), np.where(np.abs(wide) == tiny, 0, wide))
    np.testing.assert_array_equal(np.signbit(found[~is_nan]), np.signbit(wide[~is_nan]))
    order = random.permutation(count)
    assert run([x, index[order], updates[order]])[0].tobytes() == found.tobytes()
    kernel = executable.kernels[-1]
    assert kernel.name == "scatter" and "Float<" in kernel.body and len(executable.kernels) == 2
    assert ("at_once::combine<" in kernel.body) == (how == "apart")


def test_updates_that_are_one_number_are_counted_as_they_are_read(tmp_path: Path) -> None:
    """Neither the places nor the updates of `jnp.bincount` are stored, whether a block's memory has room for all."""
    for bins, count in ((300, 5000), (20_000, 170_000), (20_000, 5000)):
        ids = np.random.default_rng(0).integers(-5, 300, count).astype(np.int32)
        (folder := tmp_path / f"{bins} {count}").mkdir()
        kernels = check(lambda i, bins=bins: jnp.bincount(i, length=bins), folder, ids)
        assert [kernel.name for kernel in kernels if "E_" not in kernel.name] == ["scatter"]
        # Few updates of many bins rarely change the same ones.
        is_direct = count < scatters.REPEATED * bins and bins == 20_000
        assert ("at_once::combine<" in kernels[-1].body) == is_direct
        assert is_direct or kernels[-1].block[0] == scatters.COMBINING


@pytest.mark.parametrize("rows, cells, updates", [(128, 64, 64), (32, 200, 1024), (2, 30_000, 300_000), (60, 40, 100)])
def test_threads_of_several_dimensions_combine_each_entry_once(
    rows: int, cells: int, updates: int, tmp_path: Path
) -> None:
    """The rows of a batch are a dimension of their own; each of them added what the table had for all."""
    random = np.random.default_rng(4)
    x, u = random.integers(-9, 9, (rows, cells)), random.integers(-9, 9, (rows, updates))
    arrays = x.astype(np.int32), random.integers(0, cells, (rows, updates)).astype(np.int32), u.astype(np.int32)
    kernels = check(jax.vmap(lambda x, i, u: x.at[i].add(u)), tmp_path, *arrays)
    assert any("at_once::finish<" in kernel.body for kernel in kernels)


BINS: dict[str, tuple[Callable[[jax.Array], jax.Array], int]] = {
    "numbers": (lambda x: jnp.zeros(40, jnp.int32).at[jnp.floor(x * 7).astype(jnp.int32) + 20].add(1), 1),
    "pairs": (
        lambda x: (
            jnp.zeros((9, 7), jnp.int32).at[x.astype(jnp.int32), (x * 2).astype(jnp.int32)].max(x.astype(jnp.int32))
        ),
        1,
    ),
    "rows": (lambda x: jnp.zeros((40, 3), jnp.int16).at[x.astype(jnp.int32)].add(x[:, None].astype(jnp.int16) * 2), 2),
}


@pytest.mark.parametrize("name", BINS)
def test_kernels_compute_the_places_of_integers(name: str, tmp_path: Path) -> None:
    """Those that they need once: places of rows are stored."""
    call, count = BINS[name]
    x = np.random.default_rng(0).standard_normal(5000).astype(np.float32) * 3
    kernels = check(call, tmp_path, x)
    names = [name for kernel in kernels for name in kernel.name.split("+")]
    assert len(names) == 1 + count and names[-1] == "scatter"


def test_many_updates_of_wide_rows_of_integers_are_folded(tmp_path: Path) -> None:
    """Blocks have no room for many rows, and those of each segment are read once."""
    index, rows = np.arange(900, dtype=np.int32) % 3, np.arange(900 * NARROW, dtype=np.int32).reshape(900, NARROW)
    kernels = check(lambda i, u: jax.ops.segment_sum(u, i, 3), tmp_path, index, rows)
    assert any(kernel.name == "fold_runs" for kernel in kernels)


@pytest.mark.parametrize("dtype", DTYPES[:-1], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("count, width", [(2100, 3), (70, 7), (1281, 1), (20, 8), (1281, 11), (9000, 40), (4200, 17)])
@pytest.mark.sampled(10, ci=2, first=1)
def test_the_function_that_folds_gives_the_numbers_of_a_kernel_that_is_built(
    count: int, width: int, dtype: type, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With zeros of both signs, infinities and NaN; sums and products of integers wrap.

    Bits are the same, but of sums and products of floats, which are of shorter or longer runs.
    """
    random = np.random.default_rng(count)
    x = random.standard_normal((count, width)) * 1e9
    ids = np.sort(random.integers(-2, count // 9, count)).astype(np.int32)
    if np.dtype(dtype).kind not in "iu":
        x /= 1e9
        special = [0.0, -0.0, np.inf, -np.inf, np.nan]
        x.reshape(-1)[::29] = random.choice(special, -(-x.size // 29))
    given = [x.astype(dtype), ids]

    def call(x: jax.Array, ids: jax.Array) -> list[jax.Array]:
        functions = jax.ops.segment_sum, jax.ops.segment_prod, jax.ops.segment_max, jax.ops.segment_min
        return [f(x, ids, count // 10) for f in functions]

    monkeypatch.setattr("hlo2tiny.rules.scatters.COMBINERS", {})
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    monkeypatch.setattr(REGIONS, "regions", {})
    executable, run = emulator(text_of(call, *given), tmp_path)
    assert sum(kernel.body.count("block::fold_") for kernel in executable.kernels) >= 4
    monkeypatch.setattr(scatters, "function_of_folds", lambda *_: None)
    monkeypatch.setattr(REGIONS, "regions", {})
    (tmp_path / "built").mkdir()
    built, run_built = emulator(text_of(call, *given), tmp_path / "built")
    assert not any("block::fold_" in kernel.body for kernel in built.kernels)
    for number, (found, expected) in enumerate(zip(run(given), run_built(given), strict=True)):
        if number > 1 or np.dtype(dtype).kind in "iu":
            assert found.tobytes() == expected.tobytes()
            continue
        unit, least = 16 * float(jnp.finfo(dtype).eps), 16 * float(jnp.finfo(dtype).smallest_subnormal)
        found, expected = (each.astype(np.float64) for each in (found, expected))
        if number:  # in one of the orders a product may become 0 before it is multiplied by an infinity
            is_known = np.isfinite(found) & np.isfinite(expected)
            assert is_known.mean() > 0.5
            found, expected = found[is_known], expected[is_known]
        np.testing.assert_allclose(found, expected, rtol=unit, atol=least if number else 4 * unit)


MESSAGES = {
    "weighted": lambda x, w, s, d: jax.ops.segment_sum(x[s] * w[:, None], d, 50),
    "of two ends": lambda x, w, s, d: jax.ops.segment_max(jnp.abs(x[s] - x[d]) - w[:, None], d, 50),
    "of narrow floats": lambda x, w, s, d: jax.ops.segment_max(
        x.astype(jnp.bfloat16)[s] + w[:, None].astype(jnp.bfloat16), d, 50
    ),
    "into a matrix": lambda x, w, s, d: x.at[d].add(x[s] + w[:, None]),
    "and the array": lambda x, w, s, d: [jax.ops.segment_sum(y := x[s] * w[:, None], d, 50), y],
}


@pytest.mark.parametrize("name", MESSAGES)
@pytest.mark.parametrize("width", [8, 20, 64])
def test_rows_are_computed_where_they_are_folded(
    name: str, width: int, narrow: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Unless something else reads them, too. Sums of integers are exact."""
    monkeypatch.setattr(scatters, "LEAST_COMPUTED", 1)
    monkeypatch.setattr("hlo2tiny.targets.cuda.joining.LEAST_COMPUTED", 1)
    monkeypatch.setattr(render, "RESIDENT", 1)
    monkeypatch.setattr(REGIONS, "regions", {})
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    random = np.random.default_rng(width)
    count = 20 * RUN + 3
    x, w = (random.integers(-9, 9, shape).astype(np.float32) for shape in ((50, width), (count,)))
    ends = [random.integers(-3, 60, count).astype(np.int32) for _ in range(2)]
    kernels = check(MESSAGES[name], tmp_path, x, w, *ends)
    assert any("block::Computed" in kernel.body for kernel in kernels) == (name != "and the array")


# Updates, their width, cells, and the parts of tables of f32.
TABLES = [(5000, 1, 16, 1), (40_000, 1, 5000, 1), (2100, 3, 7, 1), (5000, 2, 500, 1), (9000, 5, 2400, 1)]
TABLES += [
    (9000, 1, 20_000, 10),
    (8192, 2, 30_000, 30),
    (30_000, 1, 400_000, 196),
    (4200, 3, 5000, 5),
    (4097, 7, 3000, 12),
]
FOLDED = {"add": np.add, "multiply": np.multiply, "max": np.maximum, "min": np.minimum}


@pytest.mark.parametrize("dtype", DTYPES[:4], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("kind", FOLDED)
@pytest.mark.parametrize("count, width, cells, parts", TABLES)
@pytest.mark.parametrize("ids", ["mixed", "sorted", "one"])
@pytest.mark.sampled(40, ci=10, first=2)
def test_floats_are_folded_in_tables(
    ids: str, count: int, width: int, cells: int, parts: int, kind: str, dtype: type, tmp_path: Path
) -> None:
    """If a table has no room for all elements, updates are sorted once, by part. All orders have the same results.

    Extremes need no order at all.
    """
    random = np.random.default_rng(count)
    index = random.integers(-cells - 3, cells + 3, count).astype(np.int32)
    index = {"mixed": index, "sorted": np.sort(index), "one": np.full_like(index, 5)}[ids]
    shape = (cells, width)[: 1 + (width > 1)]
    x, rows = (random.integers(-4, 5, (n, *shape[1:])) for n in (cells, count))
    if kind == "multiply":
        x, rows = (np.where(each < -3, -1, 1) for each in (x, rows))
    x, rows = x.astype(dtype), rows.astype(dtype)
    if kind in ("max", "min"):
        flat = rows.reshape(-1)
        flat[::97] = random.choice(np.array([0.0, -0.0, np.inf, -np.inf, np.nan]), -(-flat.size // 97)).astype(dtype)
    text = text_of(lambda x, i, u: getattr(x.at[i], kind)(u, mode="drop"), x, index, rows)
    executable, run = emulator(text, tmp_path)
    names = [kernel.name for kernel in executable.kernels]
    if kind in ("add", "multiply"):  # others are combined in any order
        assert "fold_tables" in names and "fold_runs" not in names
        (folds,) = (kernel.numbers for kernel in executable.kernels if kernel.name == "fold_in_tables")
        assert folds[6] == parts or dtype is np.float64
        assert sum("sort" in each for each in names) == (folds[6] > 1)
    expected, places = x.astype(np.float64), np.where(index < 0, index + cells, index)
    kept = (places >= 0) & (places < cells)
    FOLDED[kind].at(expected, places[kept], rows[kept].astype(np.float64))
    np.testing.assert_array_equal(
        run([x, index, rows])[0].astype(np.float64), expected.astype(dtype).astype(np.float64)
    )


def test_tables_keep_the_signs_of_zeros(tmp_path: Path) -> None:
    """A sum of nothing but -0 is -0, and so is an element that nothing is added to."""
    x, index = np.full(9, -0.0, np.float32), np.arange(5000, dtype=np.int32) % 8
    rows = np.where(index == 3, 0.0, -0.0).astype(np.float32)
    executable, run = emulator(text_of(lambda x, i, u: x.at[i].add(u), x, index, rows), tmp_path)
    assert any(kernel.name == "fold_tables" for kernel in executable.kernels)
    np.testing.assert_array_equal(np.signbit(run([x, index, rows])[0]), np.arange(9) != 3)


@pytest.mark.parametrize("cells", [40, 20_000])
def test_sums_in_tables_are_as_exact_as_those_of_pairs(cells: int, tmp_path: Path) -> None:
    """Chains of additions are short, whatever the indices: neither lanes nor blocks add one number after the other."""
    random = np.random.default_rng(8)
    x, index = random.random(60_000, np.float32), np.zeros(60_000, np.int32)
    _, run = emulator(text_of(lambda x, i: jax.ops.segment_sum(x, i, cells), x, index), tmp_path)
    np.testing.assert_allclose(run([x, index])[0][0], x.sum(dtype=np.float64), rtol=2.0**-23)


@pytest.mark.parametrize("dtype", [*DTYPES[:4], np.int16], ids=lambda t: np.dtype(t).name)
@pytest.mark.parametrize("shape", [(9000,), (2, 4500), (4500, 2)])
@pytest.mark.sampled(6, ci=2)
def test_numbers_are_sorted_with_their_cells(
    shape: tuple[int, ...], dtype: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of up to 32 bits: the last kernels then read them one after the other. Sums have the same bits."""
    monkeypatch.setattr("hlo2tiny.rules.digits.MERGED", 1)  # digits are used in any case
    monkeypatch.setattr(scatters, "FOLDING_TABLES", ())
    monkeypatch.setattr(scatters, "COMBINERS", {})
    monkeypatch.setenv("HLO2TINY_CACHE", "off")
    monkeypatch.setattr(REGIONS, "regions", {})
    random = np.random.default_rng(4)
    index, x = random.integers(-3, 700, shape).astype(np.int32), np.zeros(600, dtype)
    rows = (random.standard_normal(shape) * 9).astype(dtype)
    text = text_of(lambda x, i, u: x.at[i].add(u, mode="drop"), x, index, rows)
    executable, run = emulator(text, tmp_path)
    types = [kernel.parameters[1].type for kernel in executable.kernels if kernel.name == "sort_digits"]
    assert types and all((each == "int*") == (dtype is np.float64) for each in types)
    found = run([x, index, rows])[0]
    monkeypatch.setattr(scatters, "MOVED", 0)
    monkeypatch.setattr(REGIONS, "regions", {})
    (tmp_path / "apart").mkdir()
    executable, run = emulator(text, tmp_path / "apart")
    assert all(kernel.parameters[1].type == "int*" for kernel in executable.kernels if kernel.name == "sort_digits")
    assert found.tobytes() == run([x, index, rows])[0].tobytes()
