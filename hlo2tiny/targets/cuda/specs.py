"""Which of a plan's steps NVIDIA's libraries compute, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ...ir import Op
from ...ir.dtypes import expect_tensor, static_shape, strides_of
from ...ops import Trait, has
from ...ops.attributes import plain
from ...plan.fourier import LETTERS
from ...plan.gemm import element_name, is_exact
from ...plan.plan import Convolution, Fourier, Gemm
from ...plan.problem import MANY_FEATURES, convolution_problem, is_kernel
from . import convolutions, eight_bits, products, transforms
from .convolutions import DATA, FILTER, FORWARD
from .epilogues import Sum

# The most places for each number between zeros: for 4, a kernel takes 0.36 ms and cuDNN 0.50.
MOST_ZEROS = 4


def product_spec(step: Gemm, arch: str) -> products.ProductSpec | None:
    """The product as cuBLASLt computes it on a kind of GPU; None if it has no such types or layouts."""
    p = step.product
    if eight_bits.is_of_eight_bits(p):
        if p.letter == "s" and not eight_bits.has_floats(arch):
            return None
        if not isinstance(step, Sum):
            return eight_bits.spec_of(p)
        fits = not (step.bias or step.added or step.relu) and step.stored is None and step.narrow == "bf16"
        return eight_bits.spec_of(p, step.narrow) if fits else None
    if p.a.narrow != p.b.narrow or (p.letter, p.a.narrow) not in products.TYPES or p.group or p.groups:
        return None
    dot = next(op for op in reversed(step.region.ops) if has(op, Trait.DOT | Trait.CONVOLUTION))
    a, b = ((x.transposed, x.leading, x.batch) for x in (p.a, p.b))
    made = products.ProductSpec(p.letter, p.a.narrow, p.batch, p.m, p.n, p.k, a, b, is_exact(dot))
    if isinstance(step, Sum):
        if step.narrow != p.a.narrow and step.narrow:
            return None
        made = replace(made, bias=step.bias, added=step.added, relu=step.relu, twice=step.twice)
        return replace(made, result=step.narrow, stored=step.stored)
    return made


def convolution_spec(step: Convolution) -> convolutions.ConvolutionSpec | None:
    """A convolution as cuDNN computes it; None if it does not."""
    made = described(step)
    return None if made is None or has_few_features(made) else made


def described(step: Convolution) -> convolutions.ConvolutionSpec | None:
    """A convolution as cuDNN describes it; None if it has no such types or layouts."""
    op = next(op for op in reversed(step.region.ops) if has(op, Trait.CONVOLUTION))
    elements = {element_name(v) for v in (*step.region.parameters, *step.region.results)}
    made = spec_of(op)
    if made is None or len(step.region.parameters) != 2:
        return None
    (element,) = elements
    return made if element == "f32" else replace(made, exact=False, element=element)


def has_few_features(made: convolutions.ConvolutionSpec) -> bool:
    """Whether features are convolved on their own or with few others: cuDNN takes several times as long as a kernel."""
    outputs, inputs, alone = made.w[0][0] // made.groups, made.w[0][1], made.groups > 1 and made.w[0][1] == 1
    summed = inputs if made.kind == FORWARD else outputs
    if alone or made.kind == FILTER:
        return inputs == 1 and outputs < MANY_FEATURES
    results, taps = made.y if made.kind == FORWARD else made.x, prod(made.w[0][2:])
    # A kernel also multiplies the zeros between what gradients of strided ones read.
    zeros = prod(made.stride) if made.kind == DATA else 1
    in_groups = made.groups > 1 and taps <= prod(results[0][2:]) and zeros <= MOST_ZEROS
    return is_kernel(summed, inputs * outputs // summed, taps, in_groups)


def spec_of(op: Op) -> convolutions.ConvolutionSpec | None:
    if {element_name(v) for v in (*op.operands, *op.results)} != {"f32"}:
        return None
    problem = convolution_problem(op)
    n, window, sizes, out = problem.numbers, problem.window, problem.taps, problem.places
    shapes = (problem.input, problem.kernel, problem.output)
    groups, batch_groups, spatial = problem.feature_groups, problem.batch_groups, len(sizes)
    reversal = {r for r, size in zip(window.reversal, sizes) if size > 1}
    if (groups > 1 and batch_groups > 1) or not 1 <= spatial <= 3 or len(reversal) > 1:
        return None
    flipped, exact, low = True in reversal, is_exact(op), tuple(window.low)

    def part(number: int, *dimensions: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        shape, steps = shapes[number], strides_of(shapes[number])
        counts, strides = [shape[d] for d in dimensions], [steps[d] for d in dimensions]
        if spatial == 1:  # cuDNN wants two
            counts.insert(2, 1)
            strides.insert(2, counts[3] * strides[2])
        return tuple(counts), tuple(strides)

    def each(numbers: Sequence[int], other: int) -> tuple[int, ...]:
        return (other, *numbers) if spatial == 1 else tuple(numbers)

    if any(b != 1 for b in window.base_dilations):
        if batch_groups != 1 or any(s != 1 for s in window.strides):
            return None
        before = [d * (k - 1) - at for d, k, at in zip(window.window_dilations, sizes, low)]
        # The features of Y in a group are W's first dimension here, and those of X in all groups its second one.
        (ys, xs, *taps), steps = part(1, n.kernel_input_feature, n.kernel_output_feature, *n.kernel_spatial)
        return convolutions.ConvolutionSpec(
            DATA, exact, groups, not flipped and bool(reversal),
            part(2, n.output_batch, n.output_feature, *n.output_spatial),
            ((ys * groups, xs // groups, *taps), steps),
            part(0, n.input_batch, n.input_feature, *n.input_spatial),
            each(before, 0), each(window.base_dilations, 1), each(window.window_dilations, 1),
            xs // groups * steps[1] if groups > 1 else 0,
        )  # fmt: skip
    if batch_groups > 1 and flipped:
        return None
    if batch_groups > 1 or (prod(sizes) > prod(out) and groups == 1 and not flipped):
        return convolutions.ConvolutionSpec(
            FILTER, exact, batch_groups, False, part(0, n.input_feature, n.input_batch, *n.input_spatial),
            part(2, n.output_feature, n.output_batch, *n.output_spatial),
            part(1, n.kernel_input_feature, n.kernel_output_feature, *n.kernel_spatial),
            each(low, 0), each(window.window_dilations, 1), each(window.strides, 1),
        )  # fmt: skip
    return convolutions.ConvolutionSpec(
        FORWARD, exact, groups, flipped, part(0, n.input_batch, n.input_feature, *n.input_spatial),
        part(1, n.kernel_output_feature, n.kernel_input_feature, *n.kernel_spatial),
        part(2, n.output_batch, n.output_feature, *n.output_spatial),
        each(low, 0), each(window.strides, 1), each(window.window_dilations, 1),
    )  # fmt: skip


def transform_spec(step: Fourier) -> transforms.TransformSpec | None:
    """A transform as cuFFT computes it; None for an empty one."""
    op = step.op
    kind, lengths = str(plain(op.attributes["fft_type"])), tuple(map(int, plain(op.attributes["fft_length"])))
    shapes = [static_shape(expect_tensor(v.type)) for v in (op.operands[0], op.results[0])]
    if not all(map(prod, shapes)) or step.transform.letter not in LETTERS.values():
        return None
    return transforms.TransformSpec(
        step.transform.letter, kind, prod(shapes[0][: len(shapes[0]) - len(lengths)]), lengths
    )
