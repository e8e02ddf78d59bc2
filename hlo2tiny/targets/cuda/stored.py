"""Loads stored programs for one GPU or several, without the compiler."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir import TensorType
from .. import Serialized
from .code import Code, load_each
from .team import Team


def load(
    serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType], threads: int
) -> Code | Team:
    """See `Loader`."""
    names = serialized.facts.get("devices", ())
    codes = load_each(serialized, inputs, outputs, names or [serialized.facts["device"]])
    return Team(codes) if names else codes[0]
