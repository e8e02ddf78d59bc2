"""Fourier transforms by cuFFT: which ones it computes, and its calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from math import log2, prod
from typing import Any

from ...records import dataclass
from .kernels import aligned

# Values of cufftType, by kind and letter; a complex transform also has a direction.
TYPES = {
    ("RFFT", "s"): 0x2A, ("IRFFT", "s"): 0x2C, ("FFT", "s"): 0x29, ("IFFT", "s"): 0x29,
    ("RFFT", "d"): 0x6A, ("IRFFT", "d"): 0x6C, ("FFT", "d"): 0x69, ("IFFT", "d"): 0x69,
}  # fmt: skip
COMPLEX_TYPES = {"s": 0x29, "d": 0x69}
FUNCTIONS = {0x29: "C2C", 0x2A: "R2C", 0x2C: "C2R", 0x69: "Z2Z", 0x6A: "D2Z", 0x6C: "Z2D"}
FORWARD, INVERSE = -1, 1
REAL_SIZES = {"s": 4, "d": 8}


@dataclass(frozen=True)
class TransformSpec:
    """`count` transforms of tensors whose lengths, before a real one is halved, are `lengths`.

    `apart` asks for a call for each, which rounds as it would alone.
    """

    letter: str
    kind: str
    count: int
    lengths: tuple[int, ...]
    apart: bool = False

    def __str__(self) -> str:
        letter = "" if self.letter == "s" else "double "
        return f"{letter}{self.kind.lower()} {self.count} of {'x'.join(map(str, self.lengths))}"

    @property
    def flops(self) -> int:
        """The usual estimate, 5·n·log2(n) for complex numbers and half of it for real ones."""
        n = prod(self.lengths)
        return int((5 if self.kind in ("FFT", "IFFT") else 2.5) * self.count * n * log2(max(2, n)))

    @property
    def half(self) -> tuple[int, ...]:
        """The lengths of the complex side of a real transform."""
        return (*self.lengths[:-1], self.lengths[-1] // 2 + 1)

    @property
    def one(self) -> TransformSpec:
        return replace(self, count=1, apart=False)

    @property
    def sizes(self) -> tuple[int, int]:
        """The bytes of a transform's operand and of its result."""
        whole = prod(self.lengths)
        real, half = whole * self.item // 2, prod(self.half) * self.item
        return {"RFFT": (real, half), "IRFFT": (half, real)}.get(self.kind, (whole * self.item, whole * self.item))

    @property
    def item(self) -> int:
        """The bytes of a complex number."""
        return 2 * REAL_SIZES[self.letter]


@dataclass(frozen=True)
class TransformCall:
    """Some transforms as cuFFT gets them.

    Attributes:
        lengths: of the transform, whose operand and result are dense except for the stride between numbers.
        before, after: the lengths of operands and results.
        apart: the strides of operands and of results.
        count: the number of transforms.
    """

    type: int
    lengths: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    step: int
    apart: tuple[int, int]
    count: int


@dataclass(frozen=True)
class TransformDescription:
    """The calls of a transform: for the inverse of several dimensions of reals, first that of the outer ones.

    `copied` are the bytes of the working memory in which that begins.
    """

    last: TransformCall
    outer: TransformCall | None
    copied: int


def description_of(s: TransformSpec) -> TransformDescription:
    whole, half, type = prod(s.lengths), prod(s.half), TYPES[s.kind, s.letter]
    if s.kind != "IRFFT":
        return TransformDescription(
            call_of(type, s.lengths, 1, (whole, half if s.kind == "RFFT" else whole), s.count), None, 0
        )
    last, row = s.lengths[-1], s.half[-1]  # one dimension after the other, on a copy
    made = call_of(type, (last,), 1, (row, last), s.count * prod(s.lengths[:-1]))
    outer = call_of(COMPLEX_TYPES[s.letter], s.lengths[:-1], row, (1, 1), row) if len(s.lengths) > 1 else None
    return TransformDescription(made, outer, aligned(s.count * half * s.item))


def call_of(type: int, lengths: tuple[int, ...], step: int, apart: tuple[int, int], count: int) -> TransformCall:
    half, name = (*lengths[:-1], lengths[-1] // 2 + 1), FUNCTIONS[type]
    before, after = (half if name[at] in "CZ" and name[2 - at] in "RD" else lengths for at in (0, 2))
    return TransformCall(type, lengths, before, after, step, apart, count)


@dataclass(frozen=True, eq=False)
class TransformPlan:
    """cuFFT's plans of a `TransformDescription`, and the working memory of all."""

    last: int
    outer: int | None
    copied: int
    size: int


# Launches a kernel of control.cu for this many iterations, given its arguments.
LaunchFunction = Callable[..., None]


class Fft:
    """cuFFT, loaded. Its plans may be used by one thread at a time."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._plans: dict[TransformSpec, TransformPlan] = {}

    def _call(self, name: str, *arguments: Any) -> None:
        if status := getattr(self._library, name)(*arguments):
            raise RuntimeError(f"{name} of cuFFT failed with status {status}")

    def _new(self, c: TransformCall) -> tuple[int, int]:
        """A plan, and the size of its working memory."""
        plan, size, rank = ctypes.c_int(), ctypes.c_size_t(), len(c.lengths)
        self._call("cufftCreate", ctypes.byref(plan))
        self._call("cufftSetAutoAllocation", plan, 0)
        sizes = [(ctypes.c_longlong * rank)(*each) for each in (c.lengths, c.before, c.after)]
        step, first, second, count = map(ctypes.c_longlong, (c.step, *c.apart, c.count))
        self._call(
            "cufftMakePlanMany64", plan, rank, sizes[0], sizes[1], step, first, sizes[2], step, second, c.type, count,
            ctypes.byref(size),
        )  # fmt: skip
        return plan.value, size.value

    def plan(self, s: TransformSpec) -> TransformPlan:
        """What a transform needs, made once.

        Raises:
            RuntimeError: cuFFT cannot compute it.
        """
        if s.apart:  # with room for an operand and a result
            made = self.plan(s.one)
            return replace(made, size=aligned(made.size) + sum(map(aligned, s.sizes)))
        if s not in self._plans:
            d = description_of(s)
            outer, size = (None, 0) if d.outer is None else self._new(d.outer)
            last, other = self._new(d.last)
            self._plans[s] = TransformPlan(last, outer, d.copied, d.copied + max(size, other))
        return self._plans[s]

    def run(
        self, s: TransformSpec, source: int, target: int, workspace: int, stream: int, launch: LaunchFunction
    ) -> None:
        """Launch a transform of the tensor at an address."""
        if s.apart:
            for item in range(s.count):
                self._run_item(s, item, source, target, workspace, stream, launch)
            return
        plan, type = self.plan(s), TYPES[s.kind, s.letter]
        real = REAL_SIZES[s.letter]
        if s.kind == "IRFFT":
            half, row = prod(s.half), s.half[-1]
            launch("copy_numbers", s.count * half * 2, workspace, source, ctypes.c_int(real))
            for item in range(s.count if plan.outer is not None else 0):
                address = workspace + item * half * s.item
                self._execute(
                    plan.outer or 0, COMPLEX_TYPES[s.letter], address, address, workspace + plan.copied, stream, INVERSE
                )
            # What must be real for the result to be real is not read, as numpy and XLA do not on the CPU.
            even = ctypes.c_int(s.lengths[-1] % 2 == 0)
            launch(
                "clear_imaginary", s.count * half // row, workspace, ctypes.c_longlong(row), even, ctypes.c_int(real)
            )
            source = workspace
        self._execute(
            plan.last, type, source, target, workspace + plan.copied, stream, FORWARD if s.kind == "FFT" else INVERSE
        )
        if s.kind in ("IFFT", "IRFFT"):
            numbers = s.count * prod(s.lengths) * (2 if s.kind == "IFFT" else 1)
            launch("scale", numbers, target, ctypes.c_double(1 / prod(s.lengths)), ctypes.c_int(real))

    def _run_item(
        self, s: TransformSpec, item: int, source: int, target: int, workspace: int, stream: int, launch: LaunchFunction
    ) -> None:
        """Launch one of the transforms; where an array does not begin at a multiple of a complex number, on a copy."""
        (before, after), real = s.sizes, REAL_SIZES[s.letter]
        given, made = source + item * before, target + item * after
        room = workspace + aligned(self.plan(s.one).size)
        operand, result = room if given % s.item else given, room + aligned(before) if made % s.item else made
        if operand != given:
            launch("copy_numbers", before // real, operand, given, ctypes.c_int(real))
        self.run(s.one, operand, result, workspace, stream, launch)
        if result != made:
            launch("copy_numbers", after // real, made, result, ctypes.c_int(real))

    def _execute(
        self, plan: int, type: int, source: int, target: int, workspace: int, stream: int, direction: int
    ) -> None:
        self._call("cufftSetStream", plan, ctypes.c_void_p(stream))
        self._call("cufftSetWorkArea", plan, ctypes.c_void_p(workspace))
        name, pointers = FUNCTIONS[type], (ctypes.c_void_p(source), ctypes.c_void_p(target))
        self._call(f"cufftExec{name}", plan, *pointers, *((direction,) if name in ("C2C", "Z2Z") else ()))
