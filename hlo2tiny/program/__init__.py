"""Programs: from `load` to the results of a call."""

from .program import Program, custom_call, load

__all__ = ["Program", "custom_call", "load"]
