"""Programs: from `load` to the results of a call."""

from .custom_calls import custom_call
from .loading import load
from .program import Program

__all__ = ["Program", "custom_call", "load"]
