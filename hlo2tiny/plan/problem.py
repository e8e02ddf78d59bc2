"""What a convolution multiplies, as whoever rewrites or computes it asks for it."""

from __future__ import annotations

from math import prod
from typing import Any

from ..ir import Op
from ..ir.dimensions import ConvolutionNumbers, WindowNumbers, convolution_window, decode_convolution
from ..ir.dtypes import static_shape
from ..ir.sizes import is_open
from ..ops.attributes import plain
from ..records import dataclass

# From so many features on that one becomes, cuDNN takes less time than a kernel: for 24 on an H200, 0.18 ms and 0.28.
# So it does if it multiplies more often for each place: 16 arrays of 3x512x512 by 7x7 take 0.93 ms in cuDNN, 0.13 in a
# kernel, those of 8x512x512 by 3x3 0.25 and 0.19. However many features there are, a kernel takes as long for a result
# of so few terms, more of one feature: for 1x80000 by 512x1x10, cuDNN takes ten times as long as memory does for the
# 262 MB that it writes, and for 1x256x256 by 64x1x5x5 three times as long as a kernel.
MANY_FEATURES, MOST_PRODUCTS, MOST_TERMS, MOST_OF_ONE = 16, 576, 16, 25
# In each of several groups, cuDNN multiplies fast only if its features fill vectors: of 7 features, 32 in each of
# 2 groups take 0.21 to 2.3 ms in cuDNN, in a kernel 0.16, and 64 take 0.41 to 4.2, and 0.32; the other way round, 32
# take 0.37 and 0.22; 128 of 12 take 0.16 to 1.2 and 0.15. If they fill one, a kernel takes half as long for up to
# 20 features, as long for 16 of 8 by 3x3x3, and longer for 16 of 16 by 3x3, 0.30 and 0.24.
VECTOR, MOST_IN_GROUPS, MOST_OF_VECTOR = 8, 128, 32


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
    def is_sum(self) -> bool:
        """Whether a GPU computes it in a kernel, as `is_kernel` says, with ops that read its elements one by one."""
        is_alone = self.groups > 1 and self.inputs == 1 and self.features < MANY_FEATURES
        is_few = is_kernel(self.inputs, self.features, prod(self.taps), self.groups > 1)
        return self.is_forward and (is_alone or is_few)

    @property
    def is_forward(self) -> bool:
        """Whether it is no gradient, as far as one sees, and its size is known."""
        if not self.is_known or any(map(is_open, self.input)) or self.batch_groups > 1:
            return False
        return {*self.window.base_dilations} <= {1} and prod(self.taps) <= prod(self.places)

    @property
    def is_known(self) -> bool:
        """Whether there are elements, and at most the batch has an open size."""
        return not self.is_empty and not any(map(is_open, (*self.sizes, *self.kernel, *self.places)))


def is_kernel(inputs: int, features: int, taps: int, in_groups: bool = False) -> bool:
    """Whether features are convolved with so few others, or sums have so few terms, that cuDNN takes longer than a
    kernel."""
    few, many = sorted((inputs, features))
    if in_groups and 1 < few < MANY_FEATURES and many <= (MOST_IN_GROUPS if few % VECTOR else MOST_OF_VECTOR):
        return True
    terms, most = inputs * taps, MOST_TERMS if inputs > 1 else MOST_OF_ONE
    return inputs < MANY_FEATURES and (terms * features <= MOST_PRODUCTS or terms <= most)


def convolution_problem(op: Op) -> ConvolutionProblem:
    """Describe a convolution whose shapes are known or open."""
    attributes: dict[str, Any] = {name: plain(a) for name, a in op.attributes.items()}
    x, w, y = (static_shape(v.type) for v in (*op.operands, *op.results))
    return ConvolutionProblem(
        decode_convolution(attributes["dimension_numbers"]), convolution_window(attributes, w),
        int(attributes["feature_group_count"]), int(attributes["batch_group_count"]), x, w, y,
    )  # fmt: skip
