"""Symbolic shapes become those of a call."""
