"""Sorts by what comparators mean: keys of every type in the spellings of frameworks, one or several, with payloads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from everywhere import Case, lacking, run, targets
from hypothesis import given
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.rules.comparator import ComparatorReader

FLOATS = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2, "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
}  # fmt: skip
INTEGERS = {
    f"{'u' * unsigned}i{8 * size}": np.dtype(f"{'iu'[unsigned]}{size}") for unsigned in (0, 1) for size in (1, 2, 4, 8)
}
TYPES = {**FLOATS, **INTEGERS, "i1": np.dtype(bool), "i4": ml_dtypes.int4}
# How a float is compared: as `lax.lt` is, by the total order, or as jax sorts, zeros and NaNs of all signs as one each.
ORDERS = ("FLOAT", "TOTALORDER", "canonical")
# How a second key follows a first one.
CHAINS = ("or", "and first", "select", "select unequal")


@dataclass(frozen=True)
class Key:
    type: str
    order: str = "FLOAT"
    direction: str = "LT"
    swapped: bool = False  # b > a for a < b

    def compare(self, i: int) -> str:
        """The lines that compute %less{i}, %equal{i} and %unequal{i} of the arguments %a{i} and %b{i}."""
        scalar, lines = f"tensor<{self.type}>", []
        names = [f"%a{i}", f"%b{i}"]
        if self.type in FLOATS and self.order == "canonical":
            bits = np.array(np.nan, TYPES[self.type])
            nan = f"0x{int.from_bytes(bits.tobytes(), 'little'):0{2 * bits.itemsize}X}"
            lines += [f"%zero{i} = stablehlo.constant dense<0.0> : {scalar}"]
            lines += [f"%nan{i} = stablehlo.constant dense<{nan}> : {scalar}"]
            for x in names:
                both = f"({scalar}, {scalar}) -> tensor<i1>"
                lines += [f"{x}e = stablehlo.compare EQ, {x}, %zero{i}, FLOAT : {both}"]
                lines += [f"{x}z = stablehlo.select {x}e, %zero{i}, {x} : tensor<i1>, {scalar}"]
                lines += [f"{x}n = stablehlo.compare NE, {x}, {x}, FLOAT : {both}"]
                lines += [f"{x}c = stablehlo.select {x}n, %nan{i}, {x}z : tensor<i1>, {scalar}"]
            names = [f"{x}c" for x in names]
        a, b = names[::-1] if self.swapped else names
        unsigned = self.type == "i1" or self.type.startswith("u")
        kind = (
            ("UNSIGNED" if unsigned else "SIGNED")
            if self.type not in FLOATS
            else self.order.replace("canonical", "TOTALORDER")
        )
        for name, direction in (("less", self.direction), ("equal", "EQ"), ("unequal", "NE")):
            lines += [
                f"%{name}{i} = stablehlo.compare {direction}, {a}, {b}, {kind} : ({scalar}, {scalar}) -> tensor<i1>"
            ]
        return "\n".join(lines)

    def ranks(self, x: np.ndarray) -> np.ndarray:
        """Integers in the key's order."""
        descending = (self.direction == "GT") != self.swapped
        if self.type not in FLOATS:
            wide = x.astype(np.uint64) ^ np.uint64(1 << 63) if self.type == "ui64" else x.astype(np.int64)
            return ~wide.view(np.int64) if descending else wide.view(np.int64)
        wide = x if self.type == "f64" else x.astype(np.float32)
        if self.order != "TOTALORDER":
            wide = np.where(wide == 0, np.zeros_like(wide), wide)
        if self.order != "TOTALORDER" or "UZ" in self.type:
            wide = np.where(np.isnan(wide), np.full_like(wide, np.nan), wide)
        bits = wide.view(f"i{wide.itemsize}").astype(np.int64)
        bits = np.where(bits < 0, bits ^ (2 ** (8 * wide.itemsize - 1) - 1), bits)
        bits = ~bits if descending else bits
        # NaN is neither less nor more in the order of floats: it comes last in both directions.
        return np.where(np.isnan(wide), np.iinfo(np.int64).max, bits) if self.order == "FLOAT" else bits


def text_of(keys: list[Key], shape: tuple[int, ...], axis: int, chain: str, payload: str, stable: bool) -> str:
    types = [f"tensor<{'x'.join(map(str, shape))}x{t}>" for t in (*(key.type for key in keys), payload)]
    arguments = ", ".join(
        f"%{s}{i}: tensor<{t}>" for i, t in enumerate((*(key.type for key in keys), payload)) for s in "ab"
    )
    lines, last = [key.compare(i) for i, key in enumerate(keys)], f"%less{len(keys) - 1}"
    for i in reversed(range(len(keys) - 1)):
        match chain:
            case "or":
                lines += [f"%and{i} = stablehlo.and %equal{i}, {last} : tensor<i1>"]
                lines += [f"%or{i} = stablehlo.or %less{i}, %and{i} : tensor<i1>"]
            case "and first":
                lines += [f"%and{i} = stablehlo.and {last}, %equal{i} : tensor<i1>"]
                lines += [f"%or{i} = stablehlo.or %and{i}, %less{i} : tensor<i1>"]
            case "select":
                lines += [f"%or{i} = stablehlo.select %equal{i}, {last}, %less{i} : tensor<i1>, tensor<i1>"]
            case _:
                lines += [f"%or{i} = stablehlo.select %unequal{i}, %less{i}, {last} : tensor<i1>, tensor<i1>"]
        last = f"%or{i}"
    operands, names = ", ".join(f"%x{i}" for i in range(len(types))), ", ".join(types)
    results = ", ".join(f"%0#{i}" for i in range(len(types)))
    inner, stability = "\n".join(lines), str(stable).lower()
    return f"""func.func @main({", ".join(f"%x{i}: {t}" for i, t in enumerate(types))}) -> ({names}) {{
      %0:{len(types)} = "stablehlo.sort"({operands}) <{{dimension = {axis} : i64, is_stable = {stability}}}> ({{
        ^bb0({arguments}):
          {inner}
          stablehlo.return {last} : tensor<i1>
      }}) : ({names}) -> ({names})
      return {results} : {names}
    }}"""


def numbers(random: np.random.Generator, key: Key, shape: tuple[int, ...]) -> np.ndarray:
    """Special numbers, many of which are equal, among others of all sizes."""
    dtype = np.dtype(TYPES[key.type])
    if key.type in FLOATS:
        special = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1, -1, 0.5, 1.5], np.float64).astype(dtype)
        special = np.concatenate([special, np.array([np.nan], np.float64).astype(dtype).copy()])
        sign = special[-1:].view(f"u{dtype.itemsize}")
        sign ^= sign.dtype.type(0 if "UZ" in key.type else 1 << (8 * dtype.itemsize - 1))
        with np.errstate(over="ignore"):
            drawn = (random.standard_normal(shape) * 10.0 ** random.integers(-6, 6, shape)).astype(dtype)
    elif key.type in ("i1", "i4"):
        drawn = random.integers(*((0, 2) if key.type == "i1" else (-8, 8)), shape).astype(dtype)
        special = drawn.reshape(-1)[:1]
    else:
        info = np.iinfo(dtype)
        special = np.array([info.min, info.max, 0, 1, info.max // 2], dtype)
        drawn = random.integers(info.min, info.max, shape, dtype, endpoint=True)
    return np.where(random.random(shape) < 0.4, random.choice(special, shape), drawn).astype(dtype)


def sorted_by_numpy(keys: list[Key], arrays: list[np.ndarray], axis: int) -> list[np.ndarray]:
    order = np.lexsort([key.ranks(x) for key, x in zip(keys, arrays)][::-1], axis=axis)
    return [np.take_along_axis(x, order, axis) for x in arrays]


def expect_same_bits(found: list[np.ndarray], expected: list[np.ndarray], text: str) -> None:
    for i, (f, e) in enumerate(zip(found, expected, strict=True)):
        if f.dtype == ml_dtypes.int4:  # the upper half of its bytes has no meaning
            f, e = f.astype(np.int8), e.astype(np.int8)
        assert f.dtype == e.dtype
        different = f.view(f"u{f.itemsize}") != e.view(f"u{e.itemsize}")
        assert not different.any(), f"result {i} of\n{text}\nis {f[different]}, expected {e[different]}"


def drawn_keys(count: int = 3, types: tuple[str, ...] = tuple(TYPES)) -> st.SearchStrategy[list[Key]]:
    one = st.builds(Key, st.sampled_from(types), st.sampled_from(ORDERS), st.sampled_from(["LT", "GT"]), st.booleans())
    return st.lists(one, min_size=1, max_size=count)


def case_of(
    seed: int, keys: list[Key], shape: tuple[int, ...], axis: int, chain: str, payload: str, stable: bool = True
) -> tuple[str, list[np.ndarray]]:
    random = np.random.default_rng(seed)
    places = np.arange(np.prod(shape)).reshape(shape).astype(TYPES[payload])  # tells which of equal elements is where
    arrays = [*(numbers(random, key, shape) for key in keys), places]
    return text_of(keys, shape, axis, chain, payload, stable), arrays


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("order", ORDERS)
def test_keys_are_read_in_every_spelling(chain: str, order: str) -> None:
    """What is not understood is sorted by the comparator, which takes far longer."""
    keys = [Key("f16", order), Key("ui8", direction="GT", swapped=True), Key("f64", order, "GT")]
    module = hlo2tiny.parse(text_of(keys, (4,), 0, chain, "i64", True))
    (region,) = (region for op in module.walk() for region in op.regions if op.name == "stablehlo.sort")
    read = [(key.element.name, key.descending, key.total) for key in ComparatorReader(region).read()]
    assert read == [("f16", False, order != "FLOAT"), ("ui8", False, False), ("f64", True, order != "FLOAT")]


def test_a_comparison_of_other_values_is_no_key() -> None:
    """An equality of another order or of another value, and a comparison that is not of both elements alike."""
    text = text_of([Key("f32", "TOTALORDER"), Key("f32", "TOTALORDER")], (4,), 0, "or", "i32", True)
    for part, other in (
        ("EQ, %a0, %b0, TOTALORDER", "EQ, %a0, %b0, FLOAT"),
        ("EQ, %a0, %b0", "EQ, %a1, %b1"),
        ("LT, %a1, %b1", "LT, %a1, %b0"),
        ("LT, %a1, %b1", "LE, %a1, %b1"),
        ("LT, %a0, %b0", "LT, %a0, %a0"),
    ):
        assert part in text
        module = hlo2tiny.parse(text.replace(part, other))
        (region,) = (region for op in module.walk() for region in op.regions if op.name == "stablehlo.sort")
        assert ComparatorReader(region).read() == [], other


@given(st.data())
def test_sorts_are_those_of_numpy(data: st.DataObject) -> None:
    """Rows of one to thousands of numbers, along any dimension: each length has a way of its own."""
    shape = data.draw(st.sampled_from([(1,), (7,), (64,), (300,), (20_000,), (3, 70), (70, 3), (2, 600, 2), (4, 5, 6)]))
    arguments = data.draw(
        st.tuples(
            st.integers(0, 2**32 - 1), drawn_keys(), st.just(shape), st.integers(0, len(shape) - 1),
            st.sampled_from(CHAINS), st.sampled_from(["i32", "i64", "f16", "f64", "ui8"]), st.booleans(),
        )
    )  # fmt: skip
    text, arrays = case_of(*arguments)
    found = hlo2tiny.load(text, "CPU").numpy(*arrays)
    expect_same_bits(list(found), sorted_by_numpy(arguments[1], arrays, arguments[3]), text)


@pytest.mark.parametrize("target", targets("c"))
def test_sorts_are_the_same_everywhere(target: str, tmp_path: Path) -> None:
    if reason := lacking(target):
        pytest.skip(reason)
    keys = [
        [Key("f32", "canonical")],
        [Key("f32", "FLOAT", "GT")],
        [Key("f16", "TOTALORDER")],
        [Key("bf16", "FLOAT"), Key("i32", "", "GT")],
        [Key("i8"), Key("f16", "canonical", "LT", True), Key("ui32", "", "GT", True)],
    ]
    if target not in ("webgpu", "mesa"):  # which have 32 bits
        keys += [[Key(t, "canonical")] for t in ("f64", "i64", "ui64")]
        keys += [[Key("f64", "FLOAT", "GT"), Key("i1")]]
    shapes = (((3, 130), 1), ((9, 4), 0))
    drawn = [(i, own, *shapes[i % 2], CHAINS[i % len(CHAINS)], "i32") for i, own in enumerate(keys)]
    texts = [case_of(*arguments) for arguments in drawn]
    if target in ("webgpu", "mesa"):  # which may take subnormal numbers for 0
        for x in (x for _, arrays in texts for x in arrays if x.dtype == np.float16):
            x[(x != 0) & (np.abs(x) < np.finfo(np.float16).tiny)] = 1
    cases = [Case(str(own), text, [arrays]) for (text, arrays), own in zip(texts, keys)]
    for (_, own, _, axis, *_), case, answer in zip(drawn, cases, run(target, cases, tmp_path), strict=True):
        assert not isinstance(answer, Exception), (case.name, answer)
        expect_same_bits(answer[0], sorted_by_numpy(own, list(case.calls[0]), axis), case.name)
