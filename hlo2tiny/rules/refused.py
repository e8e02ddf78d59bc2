"""Ops and custom calls that cannot run outside the program that wrote them, each with why and what to do instead."""

from __future__ import annotations

# By op name, or by a custom call's target with "@" before it.
REFUSED: dict[str, str] = {}


def refusal(name: str) -> str:
    """Why an op or a custom call ("@target") is refused, and what to do instead; '' when it is not."""
    return REFUSED.get(name, "")
