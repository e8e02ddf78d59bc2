"""Convolutions by cuDNN: which ones it computes, and its calls.

The gradients of a convolution are convolutions too. Each is described by the convolution Y = X ∗ W that it belongs to,
and by which of the three is computed from the other two.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

from ...ir.dtypes import strides_of
from ...records import dataclass
from .kernels import aligned

FORWARD, DATA, FILTER = "forward", "data", "filter"
# The operands and the result of each kind, in the order of the op's.
ORDER = {FORWARD: "xwy", DATA: "ywx", FILTER: "xyw"}
ITEMS = {"f32": 4, "bf16": 2, "f16": 2}  # the bytes of a number
AT_ONCE = 16  # bytes, of numbers that are adjacent in both tensors
MOST_RANK = 6  # of what `arrange` copies: groups, two kinds of features and three dimensions of places
# Values of cuDNN's enumerations.
FLOAT, NCHW, NHWC, DETERMINISTIC, TENSOR_MATH, FMA_MATH = 0, 0, 1, 1, 1, 3
TYPES = {"f32": FLOAT, "f16": 2, "bf16": 9}


@dataclass(frozen=True)
class ConvolutionSpec:
    """A convolution Y = X ∗ W: shapes and steps in memory, in the order batch (or output features), features, places.

    Y has (steps · stride) places; `low` is the padding before X, of which the window may need less or more after it.
    `apart` are the elements between W's groups, if its output features are not at equal steps from group to group.
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
    apart: int = 0
    element: str = "f32"

    def __str__(self) -> str:
        kind = "convolution" if self.kind == FORWARD else f"convolution's {self.kind}"
        sizes = ("x".join(map(str, shape)) for shape, _ in (self.x, self.w))
        element = self.element if self.element != "f32" else "" if self.exact else "tf32"
        return f"{element} {kind} {' by '.join(sizes)}".lstrip()

    @property
    def flops(self) -> int:
        return 2 * prod(self.y[0]) * prod(self.w[0][1:])

    @property
    def reach(self) -> tuple[int, ...]:
        """How many positions of X the windows span, including padding."""
        windows = zip(self.y[0][2:], self.stride, self.dilation, self.w[0][2:])
        return tuple((n - 1) * stride + dilation * (window - 1) + 1 for n, stride, dilation, window in windows)

    @property
    def is_padded(self) -> bool:
        """Whether X has to be padded or cropped first: cuDNN pads X by equal amounts before and after."""
        return any(
            low < 0 or not reach <= size + 2 * low < reach + stride
            for low, reach, size, stride in zip(self.low, self.reach, self.x[0][2:], self.stride)
        )

    @property
    def padding(self) -> tuple[int, ...]:
        """What cuDNN pads by."""
        return (0,) * len(self.low) if self.is_padded else self.low


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
        ("target", ctypes.c_longlong),
        ("source", ctypes.c_longlong),
        ("shape", ctypes.c_longlong * MOST_RANK),
        ("step", ctypes.c_longlong * MOST_RANK),
        ("low", ctypes.c_longlong * MOST_RANK),
        ("extent", ctypes.c_longlong * MOST_RANK),
    ]


def arrangement(
    shape: Sequence[int],
    steps: Sequence[int],
    source: Sequence[int],
    source_steps: Sequence[int],
    low: Sequence[int],
    elements: tuple[str, str] = ("f32", "f32"),
) -> Arrangement:
    """How to write a tensor of a shape and strides from another one, which begins at `low` in it; the rest is 0.

    `elements` are the types of the first and of the other one.
    """
    order = sorted(range(len(shape)), key=lambda d: (shape[d] > 1, -steps[d]))
    rows = [(shape[d], source_steps[d], low[d], source[d]) for d in order]
    size, types = prod(shape), [TYPES[element] for element in elements]
    count, step, begin, extent = rows.pop()
    together = AT_ONCE // ITEMS[elements[0]]
    whole = elements[0] == elements[1] and (step, begin) == (1, 0) and count == extent
    if whole and count % together == 0 and all(row[1] % together == 0 for row in rows):
        rows = [(count, step // together, begin, extent) for count, step, begin, extent in rows]
        count, extent, size, types = count // together, extent // together, size // together, [AT_ONCE, AT_ONCE]
    padded = [(1, 0, 0, 1)] * (MOST_RANK - len(shape)) + [*rows, (count, step, begin, extent)]
    return Arrangement(size, *types, *((ctypes.c_longlong * MOST_RANK)(*column) for column in zip(*padded)))


def filter_of_groups(s: ConvolutionSpec, wanted: Sequence[int], element: str = "") -> Arrangement:
    """How to write W with the steps `wanted` from one whose groups are `apart`, and in another type."""
    shape, steps = s.w
    parts = (s.groups, shape[0] // s.groups, *shape[1:])
    elements = element or s.element, s.element
    return arrangement(parts, (parts[1] * wanted[0], *wanted), parts, (s.apart, *steps), (0,) * len(parts), elements)


@dataclass(frozen=True)
class ConvolutionForm:
    """The tensors of a convolution as cuDNN takes them: their shapes and steps.

    `copies` are those that have to be copied for that: the offset of the copy in the working memory, and how to make
    it, or, for a result, how to make the result from it. `size` is the memory that they take.
    """

    layout: int
    element: str
    tensors: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]
    copies: Mapping[str, tuple[int, Arrangement]]
    size: int


def forms(s: ConvolutionSpec) -> list[ConvolutionForm]:
    """The forms to try, the best one first: there are fewer algorithms for groups if features are last.

    f32 has more algorithms than narrow types.
    """
    last = any(same_memory(*t, find_steps(t[0], NHWC)) for t in (s.x, s.y))
    layouts = (NHWC, NCHW) if last else (NCHW,)
    return [form_of(s, layout, element) for element in dict.fromkeys((s.element, "f32")) for layout in layouts]


def form_of(s: ConvolutionSpec, layout: int, element: str) -> ConvolutionForm:
    tensors, copies, at = {}, {}, 0
    needed = {name: shape for name, (shape, _) in zip("xwy", (s.x, s.w, s.y))}
    low = (0, 0, *s.low)
    if s.is_padded:
        needed["x"] = (*s.x[0][:2], *s.reach)
    for name, (shape, steps) in zip("xwy", (s.x, s.w, s.y)):
        wanted = find_steps(needed[name], layout)
        tensors[name] = needed[name], wanted
        if name == "w" and s.apart:
            copies[name] = at, filter_of_groups(s, wanted, element)
            at += aligned(prod(shape) * ITEMS[element])
        elif element != s.element or needed[name] != shape or not same_memory(shape, steps, wanted):
            before = low if needed[name] != shape else (0,) * len(low)
            if name == ORDER[s.kind][2]:  # the result, which is made from what cuDNN computes
                elements = s.element, element
                how = arrangement(shape, steps, needed[name], wanted, [-n for n in before], elements)
            else:
                how = arrangement(needed[name], wanted, shape, steps, before, (element, s.element))
            copies[name] = at, how
            at += aligned(prod(needed[name]) * ITEMS[element])
    return ConvolutionForm(layout, element, tensors, copies, at)


# Launches `arrange`: the addresses of the target and of the source, and how.
Arrange = Callable[[int, int, Arrangement], None]


@dataclass(frozen=True, eq=False)
class ConvolutionPlan:
    """cuDNN's description of a convolution, the algorithm that it chose, and the copies of its `ConvolutionForm`."""

    descriptors: dict[str, ctypes.c_void_p]
    algorithm: int
    copies: Mapping[str, tuple[int, Arrangement]]
    workspace: int
    size: int  # of the working memory with the copies


class Dnn:
    """cuDNN, loaded. Its handle may be used by one thread at a time."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._handle = ctypes.c_void_p()
        self._call("cudnnCreate", ctypes.byref(self._handle))
        self._plans: dict[ConvolutionSpec, ConvolutionPlan] = {}

    def _call(self, name: str, *arguments: Any) -> None:
        if status := getattr(self._library, name)(*arguments):
            raise RuntimeError(f"{name} of cuDNN failed with status {status}")

    def _new(self, kind: str) -> ctypes.c_void_p:
        made = ctypes.c_void_p()
        self._call(f"cudnnCreate{kind}Descriptor", ctypes.byref(made))
        return made

    def plan(self, s: ConvolutionSpec) -> ConvolutionPlan:
        """What a convolution needs, made once.

        Raises:
            RuntimeError: cuDNN cannot compute it.
        """
        if s not in self._plans:
            for form in (tried := forms(s)):
                try:
                    self._plans[s] = self._plan(s, form)
                    break
                except RuntimeError:
                    if form is tried[-1]:
                        raise
        return self._plans[s]

    def _plan(self, s: ConvolutionSpec, form: ConvolutionForm) -> ConvolutionPlan:
        descriptors, rank, kind = {}, len(s.low), TYPES[form.element]
        for name, (shape, steps) in form.tensors.items():
            sizes = (ctypes.c_int * (rank + 2))(*shape)
            if name == "w":
                descriptors[name] = self._new("Filter")
                self._call("cudnnSetFilterNdDescriptor", descriptors[name], kind, form.layout, rank + 2, sizes)
            else:
                descriptors[name] = self._new("Tensor")
                strides = (ctypes.c_int * (rank + 2))(*steps)
                self._call("cudnnSetTensorNdDescriptor", descriptors[name], kind, rank + 2, sizes, strides)
        descriptors["convolution"] = convolution = self._new("Convolution")
        numbers = ((ctypes.c_int * rank)(*each) for each in (s.padding, s.stride, s.dilation))
        self._call("cudnnSetConvolutionNdDescriptor", convolution, rank, *numbers, int(not s.flipped), FLOAT)
        self._call("cudnnSetConvolutionGroupCount", convolution, s.groups)
        if s.exact or form.element != "f32":
            math = FMA_MATH if s.exact else TENSOR_MATH
            self._call("cudnnSetConvolutionMathType", convolution, math)
        algorithm, workspace = self._choose(s, descriptors)
        return ConvolutionPlan(descriptors, algorithm, form.copies, workspace, form.size + workspace)

    def _order(self, s: ConvolutionSpec, d: dict[str, ctypes.c_void_p]) -> tuple[str, list[ctypes.c_void_p]]:
        """The name of the kind in cuDNN's functions, and the descriptors in their order."""
        if s.kind == FORWARD:
            return "Forward", [d["x"], d["w"], d["convolution"], d["y"]]
        if s.kind == DATA:
            return "BackwardData", [d["w"], d["y"], d["convolution"], d["x"]]
        return "BackwardFilter", [d["x"], d["y"], d["convolution"], d["w"]]

    def _choose(self, s: ConvolutionSpec, descriptors: dict[str, ctypes.c_void_p]) -> tuple[int, int]:
        """The first algorithm that cuDNN proposes and that is deterministic, and its working memory."""
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

    def run(self, s: ConvolutionSpec, addresses: Sequence[int], workspace: int, stream: int, arrange: Arrange) -> None:
        """Launch a convolution of tensors at these addresses, in the order of the op's operands and result."""
        plan = self.plan(s)
        self._call("cudnnSetStream", self._handle, ctypes.c_void_p(stream))
        given = dict(zip(ORDER[s.kind], addresses))
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
