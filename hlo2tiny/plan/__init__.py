"""A Plan is data: numbered buffers, and the steps that read and write them. `build` makes one; nothing here runs it."""

from .build import build

__all__ = ["build"]
