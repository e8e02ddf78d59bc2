"""Writes this folder's files, NAME-VERSION.jax_exported, with the version of JAX that is installed.

No path is to be in them: python -c "exec(compile(open('make.py').read(), 'make.py', 'exec'))"
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

try:
    from jax import export
except ImportError:  # before jax 0.4.30
    from jax.experimental import export
if not hasattr(export, "symbolic_shape"):  # jax 0.4.22, the first that writes such files
    from jax.experimental.export import export, serialization

    export.serialize = serialization.serialize


def model(params: Any, x: Any, *, scale: Any) -> Any:
    hidden = jnp.tanh(x @ params["w"] + params["b"])
    return {"sum": hidden.sum(0) * scale, "all": [hidden, None, (x,)]}


def platforms(x: Any) -> Any:
    return jax.lax.platform_dependent(x, cpu=lambda x: x + 1, tpu=lambda x: x * 2, cuda=lambda x: x - 5)


def symbolic(x: Any) -> Any:
    return (x * 2).reshape(-1)


def write(function: Any, *args: Any, names: Any = None, **kwargs: Any) -> None:
    word = "platforms" if "platforms" in export.Exported.__dataclass_fields__ else "lowering_platforms"
    exported = export.export(jax.jit(function), **({word: names} if names else {}))(*args, **kwargs)
    data = exported.serialize() if hasattr(exported, "serialize") else export.serialize(exported)
    path = Path(f"{function.__name__}-{jax.__version__}.jax_exported")
    path.write_bytes(data)


write(model, {"w": jnp.ones((3, 4)), "b": jnp.ones(4), "unused": jnp.ones(2)}, jnp.ones((2, 3)), scale=jnp.ones(()))
write(platforms, jnp.ones(3), names=("tpu", "cpu", "cuda"))
write(symbolic, jax.ShapeDtypeStruct(export.symbolic_shape("b, 2*c"), np.float32))
