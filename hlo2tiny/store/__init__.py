"""Compiled programs between runs."""
