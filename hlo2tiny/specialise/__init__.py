"""Specialisation: a call's shapes replace open dimensions."""
