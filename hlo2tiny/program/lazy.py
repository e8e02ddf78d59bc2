"""A program as part of tinygrad's graph: nothing runs before tinygrad realizes what depends on it.

The program is one node of the graph, so its loops, host functions and kernels are those of any other program. Its
gradient is another program (see derivatives/), and another node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir import ComplexType, TensorType
from ..tinygrad.buffers import Buffer, buffer_layout
from ..tinygrad.dtypes import tensor_dtype
from ..tinygrad.expressions import DType, Tensor, is_constant
from ..tinygrad.graph import Runnable, is_detached, results_of, with_gradient
from .compiled import Compiled

# Makes the program of a program's gradient with respect to some operands, and the numbers of the results whose
# cotangents it takes.
Gradient = Callable[[Compiled, tuple[int, ...]], tuple[Compiled, tuple[int, ...]]]


def layout_outside(type: TensorType) -> tuple[tuple[int, ...], DType]:
    """The shape and dtype of a value as the caller's Tensor."""
    shape, dtype = buffer_layout(type)
    return shape, dtype if isinstance(type.element, ComplexType) else tensor_dtype(type.element)


def lazy(
    program: Compiled, operands: Sequence[Tensor], fixed: Sequence[int], gradient: Gradient, device: str
) -> list[Tensor]:
    """The results of a program, unrealized.

    Args:
        operands: tensors of the declared types.
        fixed: the numbers of the operands whose gradient is not needed.
    """
    from ..derivatives import is_differentiable

    placed = [x.clone(device) if is_constant(x) else x.to(device) for x in operands]
    layouts = [layout_outside(type) for type in program.outputs]
    present = [i for i, (shape, _) in enumerate(layouts) if 0 not in shape]
    used = [i for i, x in enumerate(placed) if 0 not in x.shape]
    node = node_of(program, present, used)
    results = dict(zip(present, results_of(node, [layouts[i] for i in present], [placed[i] for i in used], device)))
    wanted = tuple(
        i for i in used if i not in fixed and is_differentiable(program.inputs[i]) and not is_detached(operands[i])
    )

    def pull(cotangents: list[Tensor | None]) -> list[Tensor | None]:
        gradients: list[Tensor | None] = [None] * len(placed)
        if wanted and any(c is not None for c in cotangents):
            backwards, seeds = gradient(program, wanted)
            known = dict(zip(present, cotangents))
            seeded = [seed(known.get(i), layouts[i], device) for i in seeds]
            all_fixed = [*fixed, *(i for i in range(len(placed)) if i not in wanted)]
            for i, x in zip(wanted, lazy(backwards, [*placed, *seeded], all_fixed, gradient, device)):
                gradients[i] = x
        return gradients

    ordered = dict(zip(present, with_gradient([results[i] for i in present], placed, pull)))
    return [
        ordered[i] if i in ordered else Tensor.zeros(*shape, dtype=dtype, device=device)
        for i, (shape, dtype) in enumerate(layouts)
    ]


def seed(cotangent: Tensor | None, layout: tuple[tuple[int, ...], DType], device: str) -> Tensor:
    """A cotangent as the gradient's program takes it; zeros if there is none."""
    shape, dtype = layout
    return Tensor.zeros(*shape, dtype=dtype, device=device) if cotangent is None else cotangent.cast(dtype)


def node_of(program: Compiled, present: Sequence[int], used: Sequence[int]) -> Runnable:
    """The node of a program in the graph. Results and operands that are not listed have no elements, and no buffers."""

    def run(buffers: list[Buffer]) -> None:
        rest = iter(buffers)
        outputs = [next(rest) if i in results else None for i in range(len(program.outputs))]
        inputs = [next(rest) if i in operands else None for i in range(len(program.inputs))]
        program.run(inputs, dict(enumerate(outputs)))

    results, operands = set(present), set(used)
    # The node keeps the program alive, so the address in its name stays unique.
    return Runnable(f"hlo2tiny {id(program):x}", run)
