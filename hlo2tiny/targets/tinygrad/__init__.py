"""The target that serves every device of tinygrad."""
