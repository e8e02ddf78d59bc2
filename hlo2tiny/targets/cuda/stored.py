"""Loads stored programs for one GPU or several, without the compiler."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any

from ...ir import TensorType
from ...tinygrad.nvidia import enter_primary
from .. import Serialized
from .graph import working_memory
from .recipe import specs_from_rows

if TYPE_CHECKING:
    from .code import Code
    from .team import Team


def load(
    serialized: Serialized, inputs: Sequence[TensorType], outputs: Sequence[TensorType], threads: int
) -> Code | Team:
    """See `Loader`. The libraries prepare their products while Python imports tinygrad, if it has not yet."""
    facts = serialized.facts
    names, prepared = facts.get("devices", ()), dict[str, Any]()

    def prepare() -> None:
        with suppress(OSError, RuntimeError, AttributeError):  # whoever needs a library reports what is wrong
            if enter_primary(int(facts["device"].partition(":")[2] or 0)):
                for spec in specs_from_rows(facts["products"]):
                    working_memory(prepared, spec)

    preparing = Thread(target=prepare, name="hlo2tiny prepares products", daemon=True)
    if begins := not names and "tinygrad" not in sys.modules:
        preparing.start()
    from .code import load_each
    from .team import Team

    codes = load_each(serialized, inputs, outputs, names or [facts["device"]])
    if begins:
        preparing.join()
        codes[0].gpu.kept |= prepared
    return Team(codes) if names else codes[0]
