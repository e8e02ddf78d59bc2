"""What a file holds: the module, and what its exporter says about calling it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..ir import Module


@dataclass(frozen=True, eq=False)
class Artifact:
    """The module of a file, and how it is called. Tokens do not count as arguments, nor as results.

    Attributes:
        module: with all arguments that its main function has.
        inputs: the structure of (args, kwargs) that a caller passes; None: the arguments one by one.
        outputs: the structure of the results, likewise.
        bound: the arguments of main that the file has values for, such as weights, by number; a function reads a value
            that is large.
        kept: which leaves of `inputs` main's other arguments are, in order (`module_kept_var_idx`); None: all.
        names: the arguments' names, where the file has better ones than the module.
        dimensions: the sizes of each argument's dimensions as the exporter wrote them, ("b", "28"); None: as in the
            module.
    """

    module: Module
    inputs: Any = None
    outputs: Any = None
    bound: Mapping[int, np.ndarray | Callable[[], np.ndarray]] = field(default_factory=dict)
    kept: Sequence[int] | None = None
    names: Sequence[str] | None = None
    dimensions: Sequence[tuple[str, ...]] | None = None
