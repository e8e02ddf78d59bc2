"""JAX functions that tinygrad runs."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

import numpy as np

from ..errors import InputError
from ..machine import forking
from ..program import Program, load
from ..program.arguments import expect_no_mask
from ..program.bound import is_tensor
from ..program.device import default_device
from ..records import dataclass
from . import tracing
from .registered import registered_handlers
from .tracing import Static, is_array, is_key, jax_module, tensor_dtypes

if TYPE_CHECKING:
    from tinygrad import Tensor


class JitOptions(TypedDict, total=False):
    device: str | None
    static_argnums: int | Iterable[int]
    static_argnames: str | Iterable[str]
    lazy: bool | None


@overload
def jit(function: Callable[..., Any], /, **options: Unpack[JitOptions]) -> Jitted: ...
@overload
def jit(**options: Unpack[JitOptions]) -> Callable[[Callable[..., Any]], Jitted]: ...
def jit(
    function: Callable[..., Any] | None = None,
    /,
    *,
    device: str | None = None,
    static_argnums: int | Iterable[int] = (),
    static_argnames: str | Iterable[str] = (),
    lazy: bool | None = None,
) -> Any:
    """Run a JAX function on tinygrad, on any of its devices.

    The result takes tinygrad Tensors, numpy and JAX arrays and Python numbers, in pytrees, and returns Tensors in the
    structure that the function returns. JAX traces the function once for each combination of structure, shapes, dtypes
    and static values. Leaves that are not arrays, such as activation functions, are static. Inside a function that JAX
    traces, a call is a call of the original function. Complex results are Tensors with a last axis of 2. Calls of
    `jax.ffi` run the compiled handlers that are registered with JAX.

    Args:
        function: what `jax.jit` takes; without it, a decorator is returned.
        device: a tinygrad device; None takes that of the first Tensor in a call, or else tinygrad's default.
        static_argnums: which arguments are not arrays, by position, as in `jax.jit`.
        static_argnames: which arguments are not arrays, by name.
        lazy: whether results are part of tinygrad's graph, as those of `Program.lazy` are: gradients reach the
            Tensors of the call, and nothing runs before the results are realized, which costs some milliseconds. None:
            if the call has a Tensor. False: a call runs at once.

    Examples:
        >>> import hlo2tiny, jax
        >>> from tinygrad import Tensor
        >>> @hlo2tiny.jit(device="CPU")
        ... def layer(params, x):
        ...     return jax.nn.relu(x @ params["w"])
        >>> layer({"w": Tensor([[1.0], [-3.0]])}, Tensor([[2.0, 1.0], [4.0, 1.0]])).tolist()
        [[0.0], [1.0]]

    Raises:
        InputError: in calls, where an argument is not what it should be, or JAX is not installed.
        UnsupportedOp: in calls, where the function needs something that hlo2tiny has no rule for.
        Exception: in calls, what JAX raises for a function that it cannot trace.
    """
    make = functools.partial(Jitted, device=device, static=(static_argnums, static_argnames), lazy=lazy)
    return make if function is None else make(function)


@dataclass(frozen=True, eq=False)
class Loaded:
    """A function that has been traced for arguments of some types."""

    program: Program
    kept: Sequence[int]  # which of the call's arrays the program takes
    dtypes: Sequence[np.dtype]  # the dtypes of these arrays
    structure: Any  # JAX's structure of the results
    keys: Sequence[str | None]  # for each result that is a typed random key, JAX's name of the implementation


class Jitted:
    """What `jit` returns. Calling it is safe from several threads."""

    def __init__(
        self, function: Callable[..., Any], device: str | None, static: tuple[Any, Any], lazy: bool | None
    ) -> None:
        if not callable(function):
            raise TypeError(f"jit takes a function, not {function!r:.80}")
        functools.update_wrapper(self, function, updated=())
        self._function, self._device, self._static, self._lazy = function, device, static, lazy
        self._loaded: dict[Any, Loaded] = {}
        self._lock = forking.lock()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the function. The results are Tensors, except that typed random keys are JAX's; for errors see `jit`."""
        jax = jax_module()
        leaves = self._leaves(args, kwargs)[0]
        if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
            return self._function(*args, **kwargs)
        loaded = self._for(args, kwargs)
        arrays = [leaf for leaf in leaves if not isinstance(leaf, Static)]
        values = [convert_leaf(arrays[i], dtype) for i, dtype in zip(loaded.kept, loaded.dtypes)]
        lazy = any(map(is_tensor, leaves)) if self._lazy is None else self._lazy
        results = loaded.program.lazy(*values) if lazy else loaded.program(*values)
        if not isinstance(results, tuple):
            results = (results,)
        return loaded.structure.unflatten(
            result if key is None else jax.random.wrap_key_data(result.numpy(), impl=key)
            for result, key in zip(results, loaded.keys)
        )

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """The program for arguments of these types; it takes the arrays that the function uses, one by one."""
        return self._for(args, kwargs).program

    def _leaves(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[list[Any], Any]:
        """The leaves of a call's arguments, of which those that are not arrays are `Static`; and JAX's structure."""
        static: set[str] = set()
        if self._static != ((), ()):
            names = tracing.parameter_names(self._function, len(args))
            static = tracing.select(*self._static, names)
            args = [Static(x) if name in static else x for name, x in zip(names, args)]
            kwargs = {name: Static(x) if name in static else x for name, x in kwargs.items()}
        leaves, structure = jax_module().tree_util.tree_flatten((tuple(args), kwargs))
        return [x if isinstance(x, Static) or is_array(x) else Static(x) for x in leaves], structure

    def _for(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Loaded:
        leaves, structure = self._leaves(args, kwargs)
        device = self._device or next((x.device for x in leaves if is_tensor(x)), None) or default_device()
        key = device, jax_module().config.jax_enable_x64, structure, tuple(map(kind_of, leaves))
        try:
            loaded = self._loaded.get(key)
        except TypeError as error:
            raise InputError(f"a static argument, or a leaf that is not an array, cannot be hashed: {error}") from error
        if loaded is None:
            with self._lock:
                loaded = self._loaded.get(key)
                if loaded is None:
                    loaded = self._loaded[key] = self._trace(args, kwargs, device)
        return loaded

    def _trace(self, args: Sequence[Any], kwargs: dict[str, Any], device: str) -> Loaded:
        names = tracing.parameter_names(self._function, len(args))
        arguments = tracing.pair_arguments(names, args, kwargs, tracing.select(*self._static, names))
        traced = tracing.trace(self._function, args, kwargs, arguments)
        program = load(traced.text, device, ffi=registered_handlers(traced.text.encode(), device) or None)
        keys = [key_implementation(r.dtype) if is_key(r) else None for r in traced.results]
        return Loaded(program, traced.kept, [a.dtype for a in program.inputs], traced.structure, keys)


def key_implementation(dtype: Any) -> str:
    """JAX's name of the implementation of random keys of this dtype."""
    random = jax_module().random
    return next(name for name in ("threefry2x32", "rbg", "unsafe_rbg") if random.key(0, impl=name).dtype == dtype)


def kind_of(leaf: Any) -> object:
    """What a trace depends on: values of the same kind share a trace."""
    if isinstance(leaf, Static):
        return leaf
    if isinstance(leaf, (bool, int, float, complex)):
        return type(leaf)
    dtype = tensor_dtypes()[leaf.dtype] if is_tensor(leaf) else leaf.dtype
    return tuple(leaf.shape), dtype, bool(getattr(leaf, "weak_type", False))


def convert_leaf(leaf: Any, dtype: np.dtype) -> np.ndarray | Tensor:
    """A value in the dtype that the program takes: unless told otherwise, JAX narrows 64 bits to 32."""
    if is_tensor(leaf):
        from ..tinygrad.expressions import dtypes

        return leaf if tensor_dtypes()[leaf.dtype] == dtype else leaf.cast(getattr(dtypes, dtype.name))
    if hasattr(leaf, "dtype") and is_key(leaf):
        leaf = jax_module().random.key_data(leaf)
    expect_no_mask(leaf, "an argument")
    return np.asarray(leaf).astype(dtype, copy=False)
