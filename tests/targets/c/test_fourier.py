"""Fourier transforms in C: any length, beside numpy's in more digits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import hlo2tiny
from hlo2tiny.plan.fourier import convolution_of, passes_of, roots, table
from hlo2tiny.plan.plan import Fourier
from hlo2tiny.program import Program

TRANSFORMS = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn, "RFFT": np.fft.rfftn, "IRFFT": np.fft.irfftn}
# Products of small factors, one of them as large as they may be, and primes beyond.
LENGTHS = [1, 2, 3, 4, 5, 6, 8, 9, 16, 30, 31, 37, 64, 74, 210, 961, 1024, 1369, 4099]
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
