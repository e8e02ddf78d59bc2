"""Verification: all problems of a module at once, found by the constraints in the ops' rows."""
