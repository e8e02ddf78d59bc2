"""Python functions that a traced function calls: `pure_callback`, `io_callback`, `jax.debug.print`, `buffer_callback`.

JAX lowers these to a call of its own handler in XLA, which is passed a number. Here each is a custom call with a name
of its own, for which the function is registered as long as the compiled program lives.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from ..program.custom_calls import custom_call, forget_custom_call
from . import PLATFORM

PREFIX = f"{PLATFORM}.callback."
# A name means nothing in another process, whose compiled programs may come from the same store.
_PROCESS = os.urandom(8).hex()
_numbers = count()


class Callback:
    """A function that is registered until nothing holds this object."""

    def __init__(self, function: Callable[..., Any], results: Sequence[Any]) -> None:
        from jax._src import dtypes

        def checked(*arrays: np.ndarray) -> tuple[np.ndarray, ...]:
            found = [dtypes.canonicalize_value(np.asarray(value)) for value in function(*arrays)]
            if len(found) != len(results):
                raise RuntimeError(
                    f"Mismatched number of outputs from callback. Expected: {len(results)}, Actual: {len(found)}"
                )
            for i, (array, result) in enumerate(zip(found, results)):
                for what, actual, expected in (
                    ("shape", array.shape, result.shape),
                    ("dtype", array.dtype, result.dtype),
                ):
                    if actual != expected:
                        raise RuntimeError(
                            f"Incorrect output {what} for return value #{i}: Expected: {expected}, Actual: {actual}"
                        )
            return tuple(found)

        self.target = f"{PREFIX}{_PROCESS}.{next(_numbers)}"
        custom_call(self.target)(checked)
        weakref.finalize(self, forget_custom_call, self.target)


class OwnDevices:
    """What JAX's own modules call of xla_bridge: arrays of "cpu" are this platform's if that has not been named."""

    def __init__(self, bridge: Any) -> None:
        self._bridge = bridge

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bridge, name)

    def local_devices(self, process_index: int | None = None, backend: Any = None, host_id: int | None = None) -> Any:
        import jax

        if backend == "cpu" and "cpu" not in str(jax.config.jax_platforms).split(","):
            backend = PLATFORM
        return self._bridge.local_devices(process_index, backend, host_id)


def lower_call(ctx: Any, own: Callback, operands: Sequence[Any], has_side_effect: bool) -> Any:
    """A custom call of a function, which is registered as long as the compiled program lives."""
    from jax._src import ffi

    ctx.module_context.add_keepalive(own)
    lowering = ffi.build_ffi_lowering_function(
        own.target, has_side_effect=has_side_effect, skip_ffi_layout_processing=True
    )
    return lowering(ctx, *operands)


def offer_callbacks() -> None:
    """Lower callbacks for this platform; JAX itself refuses them on those that it does not know."""
    from jax._src import callback, core, debugging
    from jax._src.interpreters import mlir
    from jax._src.lax.control_flow import loops

    original = callback.emit_python_callback
    for module, name in ((callback, "xb"), (loops, "xb"), (debugging, "xla_bridge")):
        setattr(module, name, OwnDevices(getattr(module, name)))

    def emit_python_callback(
        ctx: Any,
        function: Callable[..., Any],
        token: Any,
        operands: Sequence[Any],
        operand_avals: Sequence[Any],
        result_avals: Sequence[Any],
        **options: Any,
    ) -> tuple[Sequence[Any], Any, Any]:
        if tuple(ctx.module_context.platforms) != (PLATFORM,):
            return original(ctx, function, token, operands, operand_avals, result_avals, **options)
        own = Callback(function, result_avals)
        tokens = [core.abstract_token] if token else []
        operands = [token, *operands] if token else operands
        ctx = ctx.replace(avals_in=[*tokens, *operand_avals], avals_out=[*tokens, *result_avals])
        call = lower_call(ctx, own, operands, options["has_side_effect"])
        sharding = options.get("sharding")
        if sharding is not None:
            first = next(iter(getattr(sharding, "shardings", ())), None)
            if token and result_avals and first is not None:
                of_token = type(first)(mesh_shape=(), dim_shardings=(), logical_device_ids=first.logical_device_ids)
                sharding = type(sharding)((of_token, *sharding.shardings))
            mlir.set_sharding(ctx.module_context, call, sharding)
        results = list(call.results)
        return (results[1:], results[0], own) if token else (results, token, own)

    callback.emit_python_callback = emit_python_callback  # type: ignore[assignment]


class InPlace(np.ndarray):
    """What `buffer_callback` passes to its function."""

    @property
    def writeable(self) -> bool:
        return self.flags.writeable


class HostContext:
    """The context that the function of `buffer_callback` is called with."""

    @property
    def stage(self) -> Any:
        from jax.experimental.buffer_callback import ExecutionStage

        return ExecutionStage.EXECUTE

    @property
    def stream(self) -> Any:
        from jax.errors import JaxRuntimeError

        raise JaxRuntimeError("INTERNAL: XLA FFI GPU context is not available: the function is called on the host")


def offer_buffer_callbacks() -> None:
    """Lower callbacks that write their results in place."""
    from jax import tree_util
    from jax._src import buffer_callback
    from jax._src.interpreters import mlir

    def lower(
        ctx: Any,
        *operands: Any,
        callback: Callable[..., None],
        in_tree: Any,
        out_tree: Any,
        has_side_effect: bool,
        input_output_aliases: Sequence[tuple[int, int]],
        **_: Any,
    ) -> Any:
        def function(*arrays: np.ndarray) -> list[np.ndarray]:
            results = [np.zeros(result.shape, result.dtype) for result in ctx.avals_out]
            aliases = {i: results[result] for i, result in input_output_aliases}
            for i, result in aliases.items():
                result[...] = arrays[i]
            given = [aliases.get(i, array).view(InPlace) for i, array in enumerate(arrays)]
            for buffer in given:
                buffer.setflags(write=False)
            positional, named = tree_util.tree_unflatten(in_tree, given)
            out = tree_util.tree_unflatten(out_tree, [result.view(InPlace) for result in results])
            callback(HostContext(), out, *positional, **named)
            return results

        return lower_call(ctx, Callback(function, ctx.avals_out), operands, has_side_effect).results

    mlir.register_lowering(buffer_callback.buffer_callback_p, lower, PLATFORM)
