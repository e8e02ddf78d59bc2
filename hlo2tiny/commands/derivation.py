"""`hlo2tiny convert --grad`: the program of a gradient or of a training step, with what the file says about calls."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..errors import InputError
from ..formats.artifact import Artifact, Signature
from ..program.arguments import Argument, arguments_of
from ..program.calling import calling_of
from ..program.options import options_of
from ..program.program import model_of
from ..program.training import Request, derive, label_of
from ..records import dataclass
from ..specialise.dynamic import NeedsValues
from ..specialise.specialise import computes_shapes

# The shapes of the arguments, given them and their names.
ShapesOf = Callable[[Sequence[Argument], Sequence[str]], Sequence[tuple[int, ...]]]


def request_of(options: argparse.Namespace) -> Request | None:
    """What the options of `convert` ask for; None if it is not a gradient."""
    of_a_step = {"--learning-rate": options.learning_rate is not None, "--set": bool(options.set)}
    of_both = {"--of": options.of is not None, "--with-respect-to": options.with_respect_to is not None}
    if options.optimiser is None:
        for name, given in (of_a_step if options.grad else of_a_step | of_both).items():
            if given:
                raise InputError(f"{name} needs {'--grad' if name in of_both else '--optimiser'}")
        if not options.grad:
            return None
    if options.quantize is not None:
        raise InputError("quantized weights have no gradient; omit --quantize")
    numbers: dict[str, float] = {}
    for item in options.set:
        name, _, number = item.partition("=")
        try:
            numbers[name] = float(number)
        except ValueError:
            raise InputError(f"--set {item}: expected NAME=NUMBER") from None
    return Request(options.of, options.with_respect_to, options.optimiser, options.learning_rate, numbers)


@dataclass(frozen=True, eq=False)
class DerivedArtifact:
    """A program derived from another one.

    Attributes:
        arrays: the weights that it keeps, by the number of the argument.
        parameters: the initial values of parameters, by name: weights of the other program that are now arguments.
    """

    artifact: Artifact
    arrays: dict[int, np.ndarray]
    parameters: dict[str, np.ndarray]


def derive_artifact(
    artifact: Artifact, arrays: Mapping[int, np.ndarray], request: Request, shapes_of: ShapesOf
) -> DerivedArtifact:
    """The program of a gradient or a training step.

    Args:
        arrays: the weights of the program, by the number of the argument.
    """
    model = model_of(artifact, options_of("CPU"))
    interface, module = model.interface, model.module
    calling = calling_of(interface.signature, interface.input_names, len(interface.outputs))
    if computes_shapes(module):
        declared = arguments_of(calling.names, interface.inputs, interface.signature.dimensions)
        shapes = shapes_of(declared, [label_of(i, calling) for i in range(len(declared))])
        try:
            module = model.plan(shapes, {}).module
        except NeedsValues:
            raise InputError("shapes inside the program depend on the values of arguments") from None
    derived = derive(module, calling, request)
    new, origins = derived.calling, derived.origins
    numbers = {origin: i for i, origin in enumerate(origins) if origin is not None and i not in new.free}
    signature = Signature(
        inputs=new.inputs,
        outputs=new.outputs,
        bound={numbers[n]: stored for n, stored in artifact.signature.bound.items() if n in numbers},
        kept=None if new.inputs is None else [new.positions.index(i) for i in new.free],
        fixed=new.fixed,
    )
    return DerivedArtifact(
        Artifact(derived.module, signature),
        {numbers[n]: array for n, array in arrays.items() if n in numbers},
        {label_of(n, calling): array for n, array in arrays.items() if n not in numbers},
    )
