"""Code from the store, ready to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ir import TensorType
from ...ir.sizes import size_from_json
from .. import Serialized
from .code import CCode
from .packing import Packing

if TYPE_CHECKING:
    from .grid import ProcessGrid


def load(
    serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType], threads: int
) -> CCode | ProcessGrid:
    """See `Loader`."""
    (shared, *constants), facts = serialized.parts, serialized.facts
    in_place, packings = dict(facts["in_place"]), {number: Packing(*packing) for number, packing in facts["packings"]}
    arena, library, used = size_from_json(facts["arena"]), tuple(facts["library"]), facts["threads"]
    code = CCode(shared.tobytes(), constants, inputs, outputs, arena, library, used, in_place, packings)
    if "grid" not in facts:
        return code
    from .grid import ProcessGrid

    return ProcessGrid(code, **facts["grid"])
