"""Text or bytes → `Module`, and back."""

from .locations import location_frames, location_name
from .parser import parse
from .printer import print_attribute, print_module, print_type

__all__ = ["location_frames", "location_name", "parse", "print_attribute", "print_module", "print_type"]
