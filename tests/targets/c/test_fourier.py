"""Fourier transforms in C: any length, beside numpy's in more digits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlo2tiny
from hlo2tiny.plan.fourier import convolution_of, passes_of, roots, table
from hlo2tiny.plan.plan import Fourier
from hlo2tiny.program import Program
from hlo2tiny.targets import TINYGRAD

TRANSFORMS = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn, "IRFFT": np.fft.irfftn}
# Products of small factors, primes whose passes are direct, and convolutions by Rader and by Bluestein (1823).
LENGTHS = [1, 2, 3, 4, 5, 6, 8, 9, 16, 30, 31, 37, 64, 74, 94, 210, 961, 1023, 1024, 1369, 1823, 4099]
# Batches that are no multiple of the lines that are transformed side by side, and other dimensions than the last.
SHAPES = [((17, 12), 1), ((3, 5, 7), 2), ((2, 9, 4, 10), 3), ((2, 37, 6), 2), ((33, 2, 3), 3), ((300, 1009), 1)]


Each = tuple[str, tuple[int, ...], int]


def program(each: Sequence[Each], wide: bool) -> Program:
    """A program of transforms: each one's kind, the shape of its complete side, and of how many dimensions it is."""
    number = "f64" if wide else "f32"
    arguments, lines, results = [], [], []
    for i, (kind, shape, rank) in enumerate(each):
        half = (*shape[:-1], shape[-1] // 2 + 1)
        sides = half if kind == "IRFFT" else shape, half if kind == "RFFT" else shape
        numbers = [number if kind == real else f"complex<{number}>" for real in ("RFFT", "IRFFT")]
        x, y = (f"tensor<{''.join(f'{d}x' for d in side)}{n}>" for side, n in zip(sides, numbers))
        lengths = ", ".join(map(str, shape[-rank:]))
        arguments.append(f"%x{i}: {x}")
        lines.append(f"  %{i} = stablehlo.fft %x{i}, type = {kind}, length = [{lengths}] : ({x}) -> {y}")
        results.append(y)
    body = "\n".join([*lines, f"  return {', '.join(f'%{i}' for i in range(len(each)))} : {', '.join(results)}"])
    head = f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)})"
    return Program(hlo2tiny.parse(f"{head} {{\n{body}\n}}"), "CPU")


def expect_exact(each: Sequence[Each], wide: bool) -> None:
    """The largest error is a few units of the last place of a typical number."""
    found = program(each, wide)
    assert {type(step) for step in found.plan.main.steps} == {Fourier}
    random = np.random.RandomState(0)
    inputs = []
    for argument in found.inputs:
        x = random.standard_normal(argument.shape) + 1j * random.standard_normal(argument.shape)
        inputs.append((x if argument.dtype.kind == "c" else x.real).astype(argument.dtype))
    for (kind, shape, rank), x, y in zip(each, inputs, found.numpy(*inputs)):
        more = x.astype(np.longdouble if x.dtype.kind == "f" else np.clongdouble)
        expected = TRANSFORMS[kind](more, s=shape[-rank:], axes=range(-rank, 0))
        typical = np.sqrt(np.mean(np.abs(expected) ** 2))
        assert np.abs(y - expected).max() <= 14 * np.finfo(y.dtype).eps * typical, (kind, shape)


@pytest.mark.parametrize("wide", [False, True], ids=["f32", "f64"])
@pytest.mark.parametrize("kind", TRANSFORMS)
def test_lengths_and_dimensions(kind: str, wide: bool) -> None:
    expect_exact([*((kind, (length,), 1) for length in LENGTHS), *((kind, *each) for each in SHAPES)], wide)


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_drawn_lengths(data: st.DataObject) -> None:
    """Any lengths, primes among them, of one line and of a few, along the last dimension and the one before."""
    lengths = data.draw(st.lists(st.integers(1, 5000), min_size=6, max_size=6))
    kinds, lines = st.sampled_from([*TRANSFORMS]), st.integers(1, 40)
    each: list[Each] = [(data.draw(kinds), (data.draw(lines) if n < 500 else 2, n), 1) for n in lengths]
    each += [(data.draw(kinds), (n % 61 + 1, data.draw(lines)), 2) for n in lengths[:2]]
    expect_exact(each, data.draw(st.booleans()))


@pytest.mark.night
@pytest.mark.parametrize("kind", TRANSFORMS)
def test_every_short_length(kind: str) -> None:
    for first in range(1, 1200, 60):
        expect_exact([(kind, (17, n), 1) for n in range(first, first + 60)], False)


@pytest.mark.parametrize("kind", TRANSFORMS)
def test_a_line_has_the_same_bits_among_others(kind: str) -> None:
    """Alone, among lines that fill vectors, and among those that are left."""
    for length in (15, 16, 37, 74, 96, 1373, 2734, 5000):
        alone, together = (program([(kind, (count, length), 1)], False) for count in (1, 27))
        (argument,) = together.inputs
        x = np.random.RandomState(1).standard_normal((*argument.shape, 2)).astype(np.float32)
        x = x[..., 0] if argument.dtype.kind == "f" else x.view(np.complex64)[..., 0]
        (expected,) = together.numpy(x)
        for line in (0, 16, 26):
            np.testing.assert_array_equal(alone.numpy(x[line : line + 1])[0][0], expected[line])


@pytest.mark.parametrize("kind", TRANSFORMS)
def test_transforms_between_transposes_are_along_a_dimension(kind: str) -> None:
    """As jax.numpy writes them; native code and the host agree with numpy."""
    real, whole, half = "f32", "complex<f32>", 6 // 2 + 1
    sides = {"RFFT": (6, half, real, whole), "IRFFT": (half, 6, whole, real)}.get(kind, (6, 6, whole, whole))
    x, y = (f"5x{size}x19x{number}" for size, number in zip(sides, sides[2:]))
    moved_x, moved_y = (f"19x5x{size}x{number}" for size, number in zip(sides, sides[2:]))
    text = f"""func.func @main(%x: tensor<{x}>) -> tensor<{y}> {{
      %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<{x}>) -> tensor<{moved_x}>
      %1 = stablehlo.fft %0, type = {kind}, length = [6] : (tensor<{moved_x}>) -> tensor<{moved_y}>
      %2 = stablehlo.transpose %1, dims = [1, 2, 0] : (tensor<{moved_y}>) -> tensor<{y}>
      return %2 : tensor<{y}>
    }}"""
    found = Program(hlo2tiny.parse(text), "CPU")
    (step,) = found.plan.main.steps
    assert isinstance(step, Fourier)
    random = np.random.RandomState(0)
    numbers = random.standard_normal((5, sides[0], 19)) + 1j * random.standard_normal((5, sides[0], 19))
    numbers = (numbers if sides[2] == whole else numbers.real).astype(np.complex64 if sides[2] == whole else np.float32)
    expected = TRANSFORMS[kind](numbers, s=(6,), axes=(1,))
    np.testing.assert_allclose(found.numpy(numbers)[0], expected, atol=2e-6)
    (on_host,) = TINYGRAD.compile(found.plan, "CPU", {}).run_numpy([numbers])
    np.testing.assert_allclose(on_host, expected, atol=2e-6)


def test_numbers_that_are_not_finite_and_both_zeros() -> None:
    x = np.array([[np.inf, 1, 2, 3], [np.nan, 1, 2, 3], [-0.0, 0, 0, 0], [1, 2, 3, 4]], np.complex64)
    (y,) = program([("FFT", (4, 4), 1)], False).numpy(x)
    assert not np.isfinite(y[:2]).any()
    np.testing.assert_array_equal(y[2:], np.fft.fft(x[2:]))


def test_tables() -> None:
    """Roots of unity to the last bit or the one before, and factors that give the length."""
    for size in (1, 2, 7, 64, 1000, 12345):
        angle = -2 * np.pi * np.arange(size, dtype=np.longdouble) / size
        pi_error = np.longdouble(-2.4492935982947064e-16) * np.arange(size) / size  # of 2π in 53 bits
        exact = np.cos(angle + pi_error) + 1j * np.sin(angle + pi_error)
        assert np.abs(roots(np.arange(size), size) - exact).max() < 2.3e-16
    for number in (1, 2, 8, 16, 36, 1009, 2 * 31 * 49, 3**9):
        factors = [each.factor for each in passes_of(number)]
        assert np.prod(factors[:1] if number == 1009 else factors) == number
    assert [convolution_of(p)[0].size for p in (37, 193, 1373)] == [36, 192, 1372]
    assert table(37, convolution_of(37)[:1], "s").shape == (37 + 36 + 36,)


def test_a_file_cannot_say_along_which_dimension_a_transform_is() -> None:
    """That is an op of plans: an attribute that no row lists changes nothing."""
    text = """func.func @main(%x: tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>> {
      %0 = "stablehlo.fft"(%x) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>, dimension = 0 : i64}
        : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
      return %0 : tensor<4x4xcomplex<f32>>
    }"""
    x = np.random.default_rng(0).standard_normal((4, 4)).astype(np.complex64)
    np.testing.assert_allclose(hlo2tiny.load(text, "CPU").numpy(x)[0], np.fft.fft(x), 1e-5, 1e-5)
    with pytest.raises(hlo2tiny.Error, match="fft"):
        hlo2tiny.load(text.replace("stablehlo.fft", "fft"), "CPU")
