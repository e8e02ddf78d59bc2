"""Convolutions by cuDNN: which ones it computes, and its calls.

The gradients of a convolution are convolutions too. Each is described by the convolution Y = X ∗ W that it belongs to,
and by which of the three is computed from the other two.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ...ir import Op
from ...ir.dimensions import convolution_window, decode_convolution
from ...ir.dtypes import static_shape
from ...ops import Trait, has
from ...ops.attributes import plain
from ...plan.gemm import element_name, strides_of
from ...plan.plan import Convolution
from .kernels import ALIGNMENT
from .products import is_exact

FORWARD, DATA, FILTER = "forward", "data", "filter"
# The operands and the result of each kind, in the order of the op's.
ORDER = {FORWARD: "xwy", DATA: "ywx", FILTER: "xyw"}
ITEM = 4  # bytes of a number
# Values of cuDNN's enumerations.
FLOAT, NCHW, NHWC, DETERMINISTIC, FMA_MATH = 0, 0, 1, 1, 3


@dataclass(frozen=True)
class Spec:
    """A convolution Y = X ∗ W: shapes and steps in memory, in the order batch (or output features), features, places.

    Y has (steps · stride) places; `low` is the padding before X, of which the window may need less or more after it.
    """

    kind: str
    exact: bool  # f32 rather than TF32
    groups: int
    flipped: bool
    x: tuple[tuple[int, ...], tuple[int, ...]]
    w: tuple[tuple[int, ...], tuple[int, ...]]
    y: tuple[tuple[int, ...], tuple[int, ...]]
    low: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]

    def __str__(self) -> str:
        kind = "convolution" if self.kind == FORWARD else f"convolution's {self.kind}"
        sizes = ("x".join(map(str, shape)) for shape, _ in (self.x, self.w))
        return f"{'' if self.exact else 'tf32 '}{kind} {' by '.join(sizes)}"

    @property
    def flops(self) -> int:
        return 2 * prod(self.y[0]) * prod(self.w[0][1:])

    @property
    def reach(self) -> tuple[int, ...]:
        """How many places of X the windows reach over, padding included."""
        places = zip(self.y[0][2:], self.stride, self.dilation, self.w[0][2:])
        return tuple((n - 1) * stride + dilation * (window - 1) + 1 for n, stride, dilation, window in places)

    @property
    def is_padded(self) -> bool:
        """Whether X has to be padded or cropped first: cuDNN pads by as much before X as after it."""
        return any(
            low < 0 or not reach <= size + 2 * low < reach + stride
            for low, reach, size, stride in zip(self.low, self.reach, self.x[0][2:], self.stride)
        )


def spec(step: Convolution) -> Spec | None:
    """A convolution as cuDNN computes it; None if it does not."""
    op = next(op for op in reversed(step.region.ops) if has(op, Trait.CONVOLUTION))
    made = spec_of(op)
    if made is None or tuple(step.region.parameters) != op.operands or is_depthwise(made):
        return None
    return made


def is_depthwise(made: Spec) -> bool:
    """Whether each feature is convolved on its own; cuDNN takes several times as long for that as a kernel."""
    return made.groups > 1 and made.w[0][1] == 1


def spec_of(op: Op) -> Spec | None:
    if {element_name(v) for v in (*op.operands, *op.results)} != {"f32"}:
        return None
    attributes: dict[str, Any] = {name: plain(a) for name, a in op.attributes.items()}
    n = decode_convolution(attributes["dimension_numbers"])
    shapes = [static_shape(v.type) for v in (*op.operands, *op.results)]
    groups = int(attributes["feature_group_count"])
    window = convolution_window(attributes, shapes[1])
    spatial = len(n.input_spatial)
    reversal = {r for r, size in zip(window.reversal, (shapes[1][d] for d in n.kernel_spatial)) if size > 1}
    if int(attributes["batch_group_count"]) != 1 or not 1 <= spatial <= 3 or len(reversal) > 1:
        return None
    flipped, exact, low = True in reversal, is_exact(op), tuple(window.low)

    def part(number: int, *dimensions: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        shape, steps = shapes[number], strides_of(shapes[number])
        sizes, strides = [shape[d] for d in dimensions], [steps[d] for d in dimensions]
        if spatial == 1:  # cuDNN wants two
            sizes.insert(2, 1)
            strides.insert(2, sizes[3] * strides[2])
        return tuple(sizes), tuple(strides)

    def each(numbers: Sequence[int], other: int) -> tuple[int, ...]:
        return (other, *numbers) if spatial == 1 else tuple(numbers)

    out = [shapes[2][d] for d in n.output_spatial]
    sizes = [shapes[1][d] for d in n.kernel_spatial]
    if any(b != 1 for b in window.base_dilations):
        if groups != 1 or any(s != 1 for s in window.strides):
            return None
        before = [d * (k - 1) - at for d, k, at in zip(window.window_dilations, sizes, low)]
        return Spec(
            DATA, exact, 1, not flipped and bool(reversal),
            part(2, n.output_batch, n.output_feature, *n.output_spatial),
            part(1, n.kernel_input_feature, n.kernel_output_feature, *n.kernel_spatial),
            part(0, n.input_batch, n.input_feature, *n.input_spatial),
            each(before, 0), each(window.base_dilations, 1), each(window.window_dilations, 1),
        )  # fmt: skip
    if prod(sizes) > prod(out) and groups == 1 and not flipped:
        return Spec(
            FILTER, exact, 1, False, part(0, n.input_feature, n.input_batch, *n.input_spatial),
            part(2, n.output_feature, n.output_batch, *n.output_spatial),
            part(1, n.kernel_input_feature, n.kernel_output_feature, *n.kernel_spatial),
            each(low, 0), each(window.window_dilations, 1), each(window.strides, 1),
        )  # fmt: skip
    return Spec(
        FORWARD, exact, groups, flipped, part(0, n.input_batch, n.input_feature, *n.input_spatial),
        part(1, n.kernel_output_feature, n.kernel_input_feature, *n.kernel_spatial),
        part(2, n.output_batch, n.output_feature, *n.output_spatial),
        each(low, 0), each(window.strides, 1), each(window.window_dilations, 1),
    )  # fmt: skip


def find_steps(shape: Sequence[int], layout: int) -> tuple[int, ...]:
    """The steps of a tensor without gaps, with its features first or last."""
    rank = len(shape)
    order = [0, *range(2, rank), 1] if layout == NHWC else list(range(rank))
    steps = dict(zip(order, strides_of([shape[d] for d in order])))
    return tuple(steps[d] for d in range(rank))


def same_memory(shape: Sequence[int], steps: Sequence[int], others: Sequence[int]) -> bool:
    return all(size == 1 or a == b for size, a, b in zip(shape, steps, others))


class Arrangement(ctypes.Structure):
    """The argument of `arrange` in control.cu."""

    _fields_ = [
        ("size", ctypes.c_longlong),
        ("shape", ctypes.c_longlong * 5),
        ("step", ctypes.c_longlong * 5),
        ("low", ctypes.c_longlong * 5),
        ("extent", ctypes.c_longlong * 5),
    ]


def arrangement(
    shape: Sequence[int], steps: Sequence[int], source: Sequence[int], source_steps: Sequence[int], low: Sequence[int]
) -> Arrangement:
    """How to write a tensor of a shape and steps from another one, which begins at `low` in it; the rest is 0."""
    order = sorted(range(len(shape)), key=lambda d: (shape[d] > 1, -steps[d]))
    rows = ((shape[d], source_steps[d], low[d], source[d]) for d in order)
    padded = [(1, 0, 0, 1)] * (5 - len(shape)) + list(rows)
    return Arrangement(prod(shape), *((ctypes.c_longlong * 5)(*column) for column in zip(*padded)))


# Launches `arrange`: the addresses of the target and of the source, and how.
Arrange = Callable[[int, int, Arrangement], None]


@dataclass(frozen=True, eq=False)
class Plan:
    """cuDNN's description of a convolution and the algorithm that it chose.

    `copies` are those tensors that it needs in another form: the offset of the copy in the working memory, and how to
    make it, or, for a result, how to make the result from it.
    """

    descriptors: dict[str, ctypes.c_void_p]
    algorithm: int
    copies: dict[str, tuple[int, Arrangement]]
    workspace: int
    size: int  # of the working memory with the copies


class Dnn:
    """cuDNN, loaded. Its handle may be used by one thread at a time."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._handle = ctypes.c_void_p()
        self._call("cudnnCreate", ctypes.byref(self._handle))
        self._plans: dict[Spec, Plan] = {}

    def _call(self, name: str, *arguments: Any) -> None:
        if status := getattr(self._library, name)(*arguments):
            raise RuntimeError(f"{name} of cuDNN failed with status {status}")

    def _new(self, kind: str) -> ctypes.c_void_p:
        made = ctypes.c_void_p()
        self._call(f"cudnnCreate{kind}Descriptor", ctypes.byref(made))
        return made

    def plan(self, s: Spec) -> Plan:
        """What a convolution needs, made once.

        Raises:
            RuntimeError: cuDNN cannot compute it.
        """
        if s in self._plans:
            return self._plans[s]
        layout = NHWC if any(same_memory(*t, find_steps(t[0], NHWC)) for t in (s.x, s.y)) else NCHW
        descriptors, copies, at = {}, {}, 0
        rank = len(s.low)
        needed = {name: shape for name, (shape, _) in zip("xwy", (s.x, s.w, s.y))}
        low = (0, 0, *s.low)
        if s.is_padded:
            needed["x"] = (*s.x[0][:2], *s.reach)
        for name, (shape, steps) in zip("xwy", (s.x, s.w, s.y)):
            wanted = find_steps(needed[name], layout)
            if needed[name] != shape or not same_memory(shape, steps, wanted):
                before = low if needed[name] != shape else (0,) * (rank + 2)
                if name == ORDER[s.kind][2]:  # the result, which is made from what cuDNN computes
                    how = arrangement(shape, steps, needed[name], wanted, [-n for n in before])
                else:
                    how = arrangement(needed[name], wanted, shape, steps, before)
                copies[name] = at, how
                at += -(-prod(needed[name]) * ITEM // ALIGNMENT) * ALIGNMENT
            sizes = (ctypes.c_int * (rank + 2))(*needed[name])
            if name == "w":
                descriptors[name] = self._new("Filter")
                self._call("cudnnSetFilterNdDescriptor", descriptors[name], FLOAT, layout, rank + 2, sizes)
            else:
                descriptors[name] = self._new("Tensor")
                strides = (ctypes.c_int * (rank + 2))(*wanted)
                self._call("cudnnSetTensorNdDescriptor", descriptors[name], FLOAT, rank + 2, sizes, strides)
        descriptors["convolution"] = convolution = self._new("Convolution")
        padding = (0,) * rank if s.is_padded else s.low
        numbers = ((ctypes.c_int * rank)(*each) for each in (padding, s.stride, s.dilation))
        self._call("cudnnSetConvolutionNdDescriptor", convolution, rank, *numbers, int(not s.flipped), FLOAT)
        self._call("cudnnSetConvolutionGroupCount", convolution, s.groups)
        if s.exact:
            self._call("cudnnSetConvolutionMathType", convolution, FMA_MATH)
        algorithm, workspace = self._choose(s, descriptors)
        plan = self._plans[s] = Plan(descriptors, algorithm, copies, workspace, at + workspace)
        return plan

    def _order(self, s: Spec, d: dict[str, ctypes.c_void_p]) -> tuple[str, list[ctypes.c_void_p]]:
        """The name of the kind in cuDNN's functions, and the descriptors in their order."""
        if s.kind == FORWARD:
            return "Forward", [d["x"], d["w"], d["convolution"], d["y"]]
        if s.kind == DATA:
            return "BackwardData", [d["w"], d["y"], d["convolution"], d["x"]]
        return "BackwardFilter", [d["x"], d["y"], d["convolution"], d["w"]]

    def _choose(self, s: Spec, descriptors: dict[str, ctypes.c_void_p]) -> tuple[int, int]:
        """The first algorithm that cuDNN proposes and that gives the same bits in each run, and its working memory."""
        name, ordered = self._order(s, descriptors)
        rows, count = (ctypes.c_int * (12 * 10))(), ctypes.c_int()
        search = f"cudnnGetConvolution{name}Algorithm_v7"
        self._call(search, self._handle, *ordered, 10, ctypes.byref(count), rows)
        for i in range(count.value):
            algorithm, status, determinism = rows[12 * i], rows[12 * i + 1], rows[12 * i + 6]
            size = ctypes.c_size_t()
            ask = getattr(self._library, f"cudnnGetConvolution{name}WorkspaceSize")
            fits = status == 0 and determinism == DETERMINISTIC
            if fits and not ask(self._handle, *ordered, algorithm, ctypes.byref(size)):
                return algorithm, size.value
        raise RuntimeError(f"cuDNN has no algorithm for a {s}")

    def run(self, s: Spec, places: Sequence[int], workspace: int, stream: int, arrange: Arrange) -> None:
        """Launch a convolution of tensors at these addresses, in the order of the op's operands and result."""
        plan = self.plan(s)
        self._call("cudnnSetStream", self._handle, ctypes.c_void_p(stream))
        given = dict(zip(ORDER[s.kind], places))
        used, result = dict(given), ORDER[s.kind][2]
        for name, (at, how) in plan.copies.items():
            used[name] = workspace + at
            if name != result:
                arrange(used[name], given[name], how)
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        name, ordered = self._order(s, plan.descriptors)
        names = {FORWARD: "xw", DATA: "wy", FILTER: "xy"}[s.kind]
        first, second, target = (ctypes.c_void_p(used[n]) for n in (*names, result))
        space = ctypes.c_void_p(workspace + plan.size - plan.workspace)
        self._call(
            f"cudnnConvolution{name}", self._handle, ctypes.byref(one), ordered[0], first, ordered[1], second,
            ordered[2], plan.algorithm, space, ctypes.c_size_t(plan.workspace), ctypes.byref(zero), ordered[3], target,
        )  # fmt: skip
        if result in plan.copies:
            arrange(given[result], used[result], plan.copies[result][1])
