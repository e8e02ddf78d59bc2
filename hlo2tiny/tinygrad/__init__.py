"""All that touches the internals of tinygrad."""
