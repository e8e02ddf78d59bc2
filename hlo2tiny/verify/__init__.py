"""Verification: every problem of a module at once, by the constraints of the rows of ops."""
