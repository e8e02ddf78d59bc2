"""Specialisation: a call's shapes take the place of open dimensions."""
