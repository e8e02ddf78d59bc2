"""From JAX code to programs; the only part that imports JAX, and only when it is called."""
