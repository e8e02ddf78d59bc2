"""A PJRT plugin: JAX, and other clients of PJRT in a process with Python, run their programs on hlo2tiny.

JAX finds it by jax_plugins/hlo2tiny, and ignores it unless the platform is named: `JAX_PLATFORMS=hlo2tiny`.
"""

from __future__ import annotations

from pathlib import Path

PLATFORM = "hlo2tiny"


def path() -> Path:
    """The plugin's shared library, which is compiled if that has not been done.

    It compiles programs in this process from now on: clients that load it elsewhere can only move arrays.

    Raises:
        InputError: there is no compiler.
    """
    from .library import start

    return Path(start()._name)
