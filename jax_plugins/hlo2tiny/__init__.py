"""Where JAX looks for plugins. It imports this in each process, so nothing is imported here that nobody asked for."""

PLATFORM = "hlo2tiny"


def initialize() -> None:
    """Register the platform with JAX if the user has named it; JAX calls this before it opens its first platform."""
    import jax

    if PLATFORM in (jax.config.jax_platforms or "").split(","):
        from hlo2tiny.pjrt import path
        from hlo2tiny.pjrt.platform import register

        register(path())
