"""A program as a part of the graph of tinygrad's tensors: nothing runs before tinygrad realizes what depends on it.

It is one node, which the program runs: so loops, host steps and exact kernels are in a lazy program as they
are in any other, on every device. Its gradient is another program (see gradient/), and so another such node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .compiled import Compiled
from .ir import ComplexType, TensorType
from .tinygrad.buffers import Buffer, buffer_layout, tensor_dtype
from .tinygrad.expressions import DType, Tensor, is_constant
from .tinygrad.graph import Runnable, is_detached, results_of, with_gradient

# Gives the program of a program's gradient by some operands, and of which results that takes cotangents.
Gradient = Callable[[Compiled, tuple[int, ...]], tuple[Compiled, tuple[int, ...]]]


def layout_outside(type: TensorType) -> tuple[tuple[int, ...], DType]:
    """Shape and dtype of a value as a Tensor of the caller."""
    shape, dtype = buffer_layout(type)
    return shape, dtype if isinstance(type.element, ComplexType) else tensor_dtype(type)


def lazy(
    program: Compiled, operands: Sequence[Tensor], fixed: Sequence[int], gradient: Gradient, device: str
) -> list[Tensor]:
    """The results of a program, unrealized.

    Args:
        operands: tensors of the declared types.
        fixed: the numbers of those whose gradient is not wanted.
    """
    from .gradient import is_differentiable

    placed = [x.clone(device) if is_constant(x) else x.to(device) for x in operands]
    layouts = [layout_outside(type) for type in program.outputs]
    present = [i for i, (shape, _) in enumerate(layouts) if 0 not in shape]
    taken = [i for i, x in enumerate(placed) if 0 not in x.shape]
    node = node_of(program, present, taken)
    results = dict(zip(present, results_of(node, [layouts[i] for i in present], [placed[i] for i in taken], device)))
    wanted = tuple(
        i for i in taken if i not in fixed and is_differentiable(program.inputs[i]) and not is_detached(operands[i])
    )

    def pull(cotangents: list[Tensor | None]) -> list[Tensor | None]:
        gradients: list[Tensor | None] = [None] * len(placed)
        if wanted and any(c is not None for c in cotangents):
            backwards, seeds = gradient(program, wanted)
            known = dict(zip(present, cotangents))
            given = [seed(known.get(i), layouts[i], device) for i in seeds]
            all_fixed = [*fixed, *(i for i in range(len(placed)) if i not in wanted)]
            pulled = lazy(backwards, [*placed, *given], all_fixed, gradient, device)
            for i, x in zip(wanted, pulled):
                gradients[i] = x
        return gradients

    ordered = dict(zip(present, with_gradient([results[i] for i in present], placed, pull)))
    return [
        ordered[i] if i in ordered else Tensor.zeros(*shape, dtype=dtype, device=device)
        for i, (shape, dtype) in enumerate(layouts)
    ]


def seed(cotangent: Tensor | None, layout: tuple[tuple[int, ...], DType], device: str) -> Tensor:
    """A cotangent as the gradient's program takes it."""
    shape, dtype = layout
    if cotangent is None:
        return Tensor.zeros(*shape, dtype=dtype, device=device)
    return cotangent.cast(dtype)


def node_of(program: Compiled, present: Sequence[int], taken: Sequence[int]) -> Runnable:
    """What the graph runs for a program, whose tensors of no elements have no buffers."""

    def run(buffers: list[Buffer]) -> None:
        rest = iter(buffers)
        outputs = [next(rest) if i in results else None for i in range(len(program.outputs))]
        inputs = [next(rest) if i in operands else None for i in range(len(program.inputs))]
        program.run_into(inputs, outputs)

    results, operands = set(present), set(taken)
    # The node holds the program, so no other one has its address while there is a node of this name.
    return Runnable(f"hlo2tiny {id(program):x}", run)
