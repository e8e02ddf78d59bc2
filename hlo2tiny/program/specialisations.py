"""The compiled programs of a loaded one, by the shapes of a call's arguments."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..ir.dtypes import static_shape
from ..machine import forking
from ..targets import Progress
from .compiled import Compiled
from .interface import Interface
from .store import StoredProgram

if TYPE_CHECKING:
    from .model import Model
    from .opened import OpenProgram

# How many compiled programs of a loaded one stay in memory.
MOST_SPECIALISATIONS = 16
# For how many sets of shapes a program is compiled before it is compiled for all that may come.
FIRST = 2


class Specialisations:
    """The compiled programs of a loaded one.

    They come from the store if it has them; otherwise the model is read.

    Args:
        interface: the program's arguments and results.
        read: reads the model.
        stored: its entry in the store.
        donated: the arguments whose memory results take; None: those that the file names.

    Attributes:
        only: the one program for all calls, if neither shapes nor values of arguments change it.
    """

    def __init__(
        self,
        interface: Interface,
        read: Callable[[], Model],
        stored: StoredProgram | None = None,
        donated: Collection[int] | None = None,
    ) -> None:
        self.interface, self._read, self._stored, self._donated = interface, read, stored, donated
        self._model: Model | None = None
        self._compiled: OrderedDict[object, Compiled] = OrderedDict()
        self._lock = forking.lock()
        self._count = 0  # the programs for known sizes so far
        self._open: OpenProgram | Literal[False] | None = None  # False: there is none
        self.only: Compiled | None = None
        if interface.is_static:
            self.only = self.of_shapes([static_shape(type) for type in interface.inputs], None)

    @property
    def model(self) -> Model:
        """The verified module, which is read now if the code in the store has been enough so far."""
        with self._lock:
            if self._model is None:
                self._model = self._read()
            return self._model

    @property
    def last(self) -> Compiled | None:
        """The program that ran last."""
        with self._lock:
            return next(reversed(self._compiled.values()), None)

    @property
    def sizes(self) -> tuple[int, ...]:
        """See `Model.sizes`; programs whose shapes depend on values are not stored."""
        return self._model.sizes if self._model is not None else ()

    def compile(self, progress: Progress) -> None:
        with self._lock:
            programs = list(self._compiled.values())
        for program in programs:
            program.compile(progress)

    def of_shapes(self, shapes: Sequence[tuple[int, ...]], arguments: Sequence[Any] | None) -> Compiled | None:
        """The program for arguments of these shapes; None if it depends on their values, and `arguments` is None."""
        while arguments is not None or not self.sizes:
            sizes = {i: array_of(arguments[i]) for i in self.sizes} if arguments is not None else {}
            key = (tuple(shapes), tuple(size.tobytes() for size in sizes.values()))
            with self._lock:
                if key in self._compiled:
                    self._compiled.move_to_end(key)
                    return self._compiled[key]
                program = self._new(key[0], sizes)
                if program is None:  # `self.sizes` has grown
                    continue
                self._compiled[key] = program
                if len(self._compiled) > MOST_SPECIALISATIONS:
                    self._compiled.popitem(last=False)
                return program
        return None

    def _new(self, shapes: tuple[tuple[int, ...], ...], sizes: dict[int, np.ndarray]) -> Compiled | None:
        stored = None if sizes else self._stored
        program = stored.of_shapes(shapes) if stored is not None else None
        if program is not None:
            return program
        if not sizes and (program := self._of_open(shapes, stored)) is not None:
            return program
        self._count += 1
        program = self.model.specialise(shapes, sizes, self._donated)
        if program is not None and stored is not None:
            program.keep = partial(stored.store, self.interface)
        return program

    def _of_open(self, shapes: tuple[tuple[int, ...], ...], stored: StoredProgram | None) -> Compiled | None:
        """The program for these shapes whose code serves all; None if there is no such code, or not yet."""
        if self._open is None and stored is not None:
            self._open = stored.open()
        if self._open is None and self._count >= FIRST:
            self._open = self.model.open_program(self._donated) or False
            if self._open and stored is not None:
                self._open.keep = partial(stored.store_open, self.interface)
        if not self._open:
            return None
        return self._open.of_shapes(shapes, lambda: self.model.plan(shapes, {}, self._donated))

    def with_plan(self, program: Compiled) -> Compiled:
        """A program, whose module and plan are made now if it comes from the store."""
        with self._lock:
            if program.planned is None:
                types = program.inputs
                program.planned = self.model.plan([static_shape(type) for type in types], {}, self._donated).planned
            return program

    def gradient(self, program: Compiled, wanted: tuple[int, ...]) -> tuple[Compiled, tuple[int, ...]]:
        """See `Model.differentiate`."""
        with self._lock:
            if wanted not in program.gradients:
                program.gradients[wanted] = self.model.differentiate(self.with_plan(program), wanted)
            return program.gradients[wanted]


def array_of(value: Any) -> np.ndarray:
    return np.asarray(value if isinstance(value, np.ndarray) else value.numpy())
