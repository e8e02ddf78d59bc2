"""Programs that are planned for a device that this machine need not have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..program.arguments import Argument, arguments_of
from ..program.calling import Calling, calling_of
from ..program.compiled import Compiled
from ..program.model import Model
from ..program.options import Options
from ..specialise.dynamic import Checked, NeedsValues
from .convert import embed_weights


def read_program(source: Path, options: Options) -> tuple[Model, Calling, Sequence[Argument]]:
    """A program with its weights, and its arguments; only the CPU is opened, which needs a compiler.

    Raises:
        Error: the source is not a program, as for `load`.
    """
    model = Model(embed_weights(source, options.entry, options.device), options, opens=options.device == "CPU")
    calling = calling_of(model.interface.signature, model.interface.input_names, len(model.interface.outputs))
    arguments = arguments_of(calling.names, model.interface.inputs, model.interface.signature.dimensions)
    return model, calling, arguments


def plan_program(
    source: Path, model: Model, shapes: Sequence[tuple[int, ...]], checks: list[Checked] | None = None
) -> Compiled:
    """The plan for these shapes; `checks` is as in `specialise`."""
    try:
        return model.plan(shapes, {}, None, checks)
    except NeedsValues:
        raise InputError(f"{source}: shapes inside the program depend on the values of arguments") from None
