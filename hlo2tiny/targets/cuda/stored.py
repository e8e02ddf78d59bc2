"""Loads stored programs for one GPU or several, without the compiler."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir import TensorType
from .. import Serialized
from .code import CudaCode, load_each
from .team import GpuTeam


def load(
    serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType], threads: int
) -> CudaCode | GpuTeam:
    """See `Loader`."""
    names = serialized.facts.get("devices", ())
    codes = load_each(serialized, inputs, outputs, names or [serialized.facts["device"]])
    return GpuTeam(codes) if names else codes[0]
