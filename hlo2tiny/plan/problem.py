"""What a convolution multiplies, as whoever rewrites or computes it asks for it."""

from __future__ import annotations

from typing import Any

from ..ir import Op
from ..ir.dimensions import ConvolutionNumbers, WindowNumbers, convolution_window, decode_convolution
from ..ir.dtypes import static_shape
from ..ir.sizes import is_open
from ..ops.attributes import plain
from ..records import dataclass


@dataclass(frozen=True)
class ConvolutionProblem:
    """The attributes of a convolution, and the shapes of its operands and its result."""

    numbers: ConvolutionNumbers
    window: WindowNumbers
    feature_groups: int
    batch_groups: int
    input: tuple[int, ...]
    kernel: tuple[int, ...]
    output: tuple[int, ...]

    @property
    def groups(self) -> int:
        """Those of features or of the batch."""
        return self.feature_groups * self.batch_groups

    @property
    def features(self) -> int:
        """The output features of a group."""
        return self.kernel[self.numbers.kernel_output_feature] // self.groups

    @property
    def inputs(self) -> int:
        """The input features of a group."""
        return self.kernel[self.numbers.kernel_input_feature]

    @property
    def sizes(self) -> list[int]:
        """The sizes of the input's spatial dimensions."""
        return [self.input[d] for d in self.numbers.input_spatial]

    @property
    def taps(self) -> list[int]:
        """The sizes of the kernel's spatial dimensions."""
        return [self.kernel[d] for d in self.numbers.kernel_spatial]

    @property
    def places(self) -> list[int]:
        """The sizes of the output's spatial dimensions."""
        return [self.output[d] for d in self.numbers.output_spatial]

    @property
    def is_empty(self) -> bool:
        return 0 in (*self.input, *self.kernel, *self.output)

    @property
    def is_known(self) -> bool:
        """Whether there are elements, and at most the batch has an open size."""
        return not self.is_empty and not any(map(is_open, (*self.sizes, *self.kernel, *self.places)))


def convolution_problem(op: Op) -> ConvolutionProblem:
    """Describe a convolution whose shapes are known or open."""
    attributes: dict[str, Any] = {name: plain(a) for name, a in op.attributes.items()}
    x, w, y = (static_shape(v.type) for v in (*op.operands, *op.results))
    return ConvolutionProblem(
        decode_convolution(attributes["dimension_numbers"]), convolution_window(attributes, w),
        int(attributes["feature_group_count"]), int(attributes["batch_group_count"]), x, w, y,
    )  # fmt: skip
