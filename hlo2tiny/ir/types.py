"""Types. Each prints itself as MLIR writes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..records import dataclass

if TYPE_CHECKING:
    from .attributes import Attribute


@dataclass(frozen=True, slots=True)
class ScalarType:
    """An element type by its MLIR name: i1 … i64, ui2 … ui64, f16, bf16, f32, f64, f8E4M3FN …, index."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ComplexType:
    """complex<f32> or complex<f64>."""

    element: ScalarType

    def __str__(self) -> str:
        return f"complex<{self.element}>"


@dataclass(frozen=True, slots=True)
class QuantizedType:
    """!quant.uniform<storage<low:high>:expressed:axis, {scale:zero_point, …}>; `axis` is None if per tensor.

    Sub-channel quantization, …:{0:2, 1:4}, {{…}, …}>, has its block sizes by axis in `blocks`, and its scales, which
    have the shape `scale_shape`, in row-major order.
    """

    storage: ScalarType
    expressed: ScalarType
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int | None = None
    storage_min: int | None = None
    storage_max: int | None = None
    blocks: tuple[tuple[int, int], ...] = ()
    scale_shape: tuple[int, ...] = ()

    def __str__(self) -> str:
        limits = "" if self.storage_min is None else f"<{self.storage_min}:{self.storage_max}>"
        axis = "" if self.axis is None else f":{self.axis}"
        if self.blocks:
            axis = ":{" + ", ".join(f"{axis}:{size}" for axis, size in self.blocks) + "}"
        scales = [
            print_double(scale) + (f":{zero_point}" if zero_point else "")
            for scale, zero_point in zip(self.scales, self.zero_points, strict=True)
        ]
        for extent in reversed(self.scale_shape or (len(scales),) * (self.axis is not None)):
            scales = ["{" + ", ".join(scales[i : i + extent]) + "}" for i in range(0, len(scales), extent)]
        storage = self.storage.name.replace("ui", "u")
        return f"!quant.uniform<{storage}{limits}:{self.expressed}{axis}, {scales[0]}>"


ElementType = ScalarType | ComplexType | QuantizedType


@dataclass(frozen=True, slots=True)
class TensorType:
    """tensor<2x?xf32, encoding>: an unknown dimension is None."""

    shape: tuple[int | None, ...]
    element: ElementType
    encoding: Attribute | None = None

    def __str__(self) -> str:
        dimensions = "".join(f"{'?' if d is None else repr(d)}x" for d in self.shape)
        return f"tensor<{dimensions}{self.element}{f', {self.encoding}' if self.encoding else ''}>"


@dataclass(frozen=True, slots=True)
class UnrankedTensorType:
    """tensor<*xf32>."""

    element: ElementType

    def __str__(self) -> str:
        return f"tensor<*x{self.element}>"


@dataclass(frozen=True, slots=True)
class TokenType:
    """!stablehlo.token."""

    def __str__(self) -> str:
        return "!stablehlo.token"


@dataclass(frozen=True, slots=True)
class TupleType:
    """tuple<tensor<f32>, …>."""

    types: tuple[Type, ...]

    def __str__(self) -> str:
        return f"tuple<{print_types(self.types)}>"


@dataclass(frozen=True, slots=True)
class FutureType:
    """!stablehlo.future<tensor<f32>, …>: the future results of an asynchronous op."""

    types: tuple[Type, ...]

    def __str__(self) -> str:
        return f"!stablehlo.future<{print_types(self.types)}>"


@dataclass(frozen=True, slots=True)
class FunctionType:
    """(tensor<f32>, …) -> tensor<f32>."""

    inputs: tuple[Type, ...]
    results: tuple[Type, ...]

    def __str__(self) -> str:
        return f"({print_types(self.inputs)}) -> {print_results(self.results)}"


@dataclass(frozen=True, slots=True)
class OpaqueType:
    """A type of another dialect, or one that tensor programs do not use, as text: !shape.shape, none."""

    text: str

    def __str__(self) -> str:
        return self.text


Type = (
    ScalarType | ComplexType | QuantizedType | TensorType | UnrankedTensorType | TokenType | TupleType
    | FutureType | FunctionType | OpaqueType
)  # fmt: skip


def print_types(types: Sequence[Type]) -> str:
    return ", ".join(map(str, types))


def print_results(types: Sequence[Type]) -> str:
    """The types after an arrow: a single one as it is, others in parentheses."""
    alone = len(types) == 1 and not isinstance(types[0], FunctionType)
    return print_types(types) if alone else f"({print_types(types)})"


def print_double(value: float) -> str:
    """A double such that reading it back gives the same bits."""
    number = np.float64(value)
    if not np.isfinite(number):
        return f"0x{int(number.view(np.uint64)):016X}"
    return np.format_float_scientific(number, trim="0", unique=True)
