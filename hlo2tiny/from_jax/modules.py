"""Modules of PyTorch as functions of JAX: torch.export traces them, and torchax has JAX's version of each of their ops.

PyTorch is imported only inside functions, since it need not be installed.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import wraps
from math import prod
from typing import Any, TypeVar, cast

import numpy as np

from ..errors import InputError, UnsupportedOp
from ..formats.symbolic import names_in, size_of
from .tracing import jax_module

# The sizes of open dimensions for torch.export, which takes 0 and 1 for constants and may relate sizes that are equal.
SIZES = (5, 7, 11, 13, 17, 19, 23, 29)
MODULE_LINE = re.compile(r'File "(.*)", line (\d+)')

Exporting = TypeVar("Exporting", bound=Callable[..., Any])


class ModuleFunction:
    """A module as a function of JAX, for arguments of known types.

    Attributes:
        weights: parameters, buffers and constants, by the names that the module's `state_dict` has for them.
    """

    __name__ = "forward"

    def __init__(self, exported: Any) -> None:
        signature = exported.graph_signature
        held = {**exported.state_dict, **exported.constants}
        names = (*signature.parameters, *signature.buffers, *signature.lifted_tensor_constants)
        self.weights = {name: array_of(held[name]) for name in names}
        self._exported, self._updated = exported, len(signature.buffers_to_mutate)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.call(self.weights, *args, **kwargs)

    def call(self, weights: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
        """The module's results with these weights."""
        from torch.utils import _pytree as pytree

        taken, returned = self._exported.call_spec
        leaves = pytree.tree_leaves((args, {name: kwargs[name] for name in keyword_names(taken)}))
        run = interpreter(self._exported.graph_module).run
        held = [jax_module().numpy.asarray(weights[name]) for name in self.weights]
        values = run(*held, *leaves, enable_io_processing=False)
        # What the module writes to its buffers comes before its results.
        return plain(pytree.tree_unflatten(list(values[self._updated :]), returned))


def is_module(function: Any) -> bool:
    """Whether this is a module of PyTorch, or a program of torch.export."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(function, (torch.nn.Module, torch.export.ExportedProgram))


def call_of(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], constraints: Sequence[str]
) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], Sequence[str]]:
    """A function with a module's parameters, and a call's arguments, which are a program's own if there are none."""
    if hasattr(function, "forward"):
        return function.forward, args, kwargs, constraints

    def forward(*args: Any, **kwargs: Any) -> None: ...

    if not args and not kwargs:
        args, kwargs, known = own_arguments(function)
        constraints = [*constraints, *known]
    names = [str(name) for name in function.graph_signature.user_inputs]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    if len(names) == len(args) + len(kwargs) == len(set(names)) and all(map(str.isidentifier, names)):
        parameters = [inspect.Parameter(name, kind) for name in names[: len(args)]]
        forward.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return forward, args, kwargs, constraints


def own_arguments(program: Any) -> tuple[tuple[Any, ...], dict[str, Any], list[str]]:
    """The arguments of a program of torch.export, as strings with their shapes, and what is known about dimensions. Its
    open dimensions are called d0, d1, …
    """
    from torch.utils import _pytree as pytree

    names: dict[str, str] = {}
    inputs = {node.name: node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder"}

    def size_text(size: Any) -> str:
        return re.sub(r"[A-Za-z_]\w*", lambda match: names.setdefault(match[0], f"d{len(names)}"), str(size))

    def text_of(value: Any) -> Any:
        if not hasattr(value, "shape"):
            return value
        return f"{dtype_name(value.dtype)}[{', '.join(map(size_text, value.shape))}]"

    leaves = [text_of(inputs.get(name, name)) for name in program.graph_signature.user_inputs]
    args, kwargs = pytree.tree_unflatten(leaves, program.call_spec.in_spec)
    known = []
    for symbol, bounds in program.range_constraints.items():
        if str(symbol) in names:
            name = names[str(symbol)]
            known += [f"{name} >= {bounds.lower}"] if bounds.lower > 2 else []  # torch.export reports 2 for any
            known += [f"{name} <= {bounds.upper}"] if str(bounds.upper).isdecimal() else []
    return tuple(args), dict(kwargs), known


def function_of_module(module: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> ModuleFunction:
    """A module, called with arrays or types of JAX, as a function of JAX.

    Raises:
        InputError: torchax is not installed.
        Exception: what torch.export raises for a module that it cannot trace.
    """
    torch, torchax = sys.modules["torch"], torchax_module()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # PyTorch's, about what it calls itself
        if not isinstance(module, torch.export.ExportedProgram):
            taken, shapes = examples(tuple(args), dict(kwargs))
            module = torch.export.export(module, *taken, dynamic_shapes=shapes)
        return ModuleFunction(module.run_decompositions().run_decompositions(torchax.decompositions.DECOMPOSITIONS))


def torchax_module() -> Any:
    """torchax; raises InputError if it is not installed."""
    try:
        import torchax.decompositions
        import torchax.ops.jaten  # noqa: F401  (it registers the ops)
    except ImportError as error:
        raise InputError(f"modules of PyTorch need torchax: pip install 'hlo2tiny[torch]' ({error})") from error
    return torchax


def wide_for_modules(export: Exporting) -> Exporting:
    """What exports a function; for a module, JAX's 64-bit types are enabled, since PyTorch's integers have 64 bits."""

    @wraps(export)
    def wide(function: Any, /, *args: Any, **kwargs: Any) -> Any:
        if not is_module(function):
            return export(function, *args, **kwargs)
        jax = jax_module()
        with (jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64)(True):
            return export(function, *args, **kwargs)

    return cast(Exporting, wide)


def interpreter(graph: Any) -> Any:
    """What runs a graph of torch.fx on arrays of JAX."""
    import torch

    torchax = torchax_module()
    jax, known = jax_module(), torchax.ops.ops_registry.all_aten_ops

    class Interpreter(torch.fx.Interpreter):  # type: ignore[misc]
        def __init__(self, graph: Any) -> None:
            super().__init__(graph)
            self.extra_traceback = False  # errors have the user's line instead

        def run_node(self, node: Any) -> Any:
            self.node = node
            *_, (path, _) = (node.meta.get("nn_module_stack") or {"": ("", None)}).values()
            with jax.named_scope(path.replace(".", "/")) if path else nullcontext():
                result = super().run_node(node)
            return typed(result, node.meta.get("val")) if node.op == "call_function" else result

        def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
            if callable(target) and not isinstance(target, (torch._ops.OperatorBase, torch._ops.OpOverloadPacket)):
                return super().call_function(target, args, kwargs)
            if target is torch.ops.aten.sym_numel.default:  # which torchax lacks
                return prod(args[0].shape)
            found = known.get(target) or known.get(getattr(target, "overloadpacket", None))
            if found is None or not found.is_jax_function:
                if hasattr(target, "_schema") and not target._schema.returns:  # a check of torch.export's
                    return None
                lines = MODULE_LINE.findall(self.node.meta.get("stack_trace") or "")
                own = [line for line in lines if not line[0].startswith(os.path.dirname(torch.__file__))]
                place = f", which {':'.join((own or lines)[-1])} calls" if lines else ""
                raise UnsupportedOp(
                    f"torchax has no version of {target}{place}; write it with other functions of PyTorch"
                )
            return found.func(*args, **kwargs, **({"env": torchax.default_env()} if found.needs_env else {}))

    def typed(result: Any, declared: Any) -> Any:
        """A result with the dtype that torch.export declares: torchax returns some that are wider."""
        if isinstance(declared, (tuple, list)) and isinstance(result, (tuple, list)):
            return type(result)(map(typed, result, declared))
        if not isinstance(declared, torch.Tensor) or result is None:
            return result
        return jax.numpy.asarray(result, dtype_name(declared.dtype))

    return Interpreter(graph)


def keyword_names(spec: Any) -> Sequence[str]:
    """The names of the keyword arguments, in the order of torch.export, from its structure of (args, kwargs)."""
    _, keywords = spec.children()
    names: Sequence[str] = keywords.context or ()
    return names


def plain(value: Any) -> Any:
    """Results whose structure JAX knows: classes of dicts, such as those of transformers, become dicts."""
    if isinstance(value, Mapping):
        return {key: plain(part) for key, part in value.items()}
    if type(value) in (tuple, list):
        return type(value)(map(plain, value))
    return value


def dtype_name(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


def array_of(tensor: Any) -> np.ndarray:
    """A tensor's numbers; those that numpy lacks have the dtypes of ml_dtypes."""
    import torch

    dtype = jax_module().numpy.dtype(dtype_name(tensor.dtype))
    tensor = tensor.detach().cpu().contiguous().resolve_conj().resolve_neg()
    if dtype.kind == "V":
        bits = tensor.view(torch.uint8 if dtype.itemsize == 1 else torch.int16)
        return np.asarray(bits.numpy()).view(dtype)
    return np.asarray(tensor.numpy())


def is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def examples(*call: Any) -> tuple[Any, Any]:
    """Tensors of a call's types, and which of their dimensions are open, as torch.export takes these."""
    import torch

    tree, sizes, shapes = jax_module().tree, dict[str, int](), torch.export.ShapesCollection()

    def known(size: Any) -> int:
        if isinstance(size, int):
            return size
        for name in names_in(str(size)):
            sizes.setdefault(name, SIZES[len(sizes) % len(SIZES)])
        found = size_of(str(size), sizes)
        assert found is not None, size
        return found

    def example(x: Any) -> Any:
        if not hasattr(x, "shape") or not hasattr(x, "dtype"):
            return x
        tensor = torch.zeros([*map(known, x.shape)], dtype=getattr(torch, str(x.dtype)))
        kinds = torch.export.Dim.STATIC, torch.export.Dim.DYNAMIC
        shapes[tensor] = [kinds[not isinstance(size, int)] for size in x.shape]
        return tensor

    return tree.map(example, call), shapes
