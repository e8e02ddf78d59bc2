"""Runs a program on several GPUs at once, in a thread for each participant."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Any

import numpy as np

from ...errors import InputError
from ...tinygrad.buffers import from_numpy
from .. import Serialized
from .code import Code
from .driver import Stopped
from .nccl import nccl, participants_on
from .recipe import describe


class Team:
    """The code of a plan that several participants run at the same time, each on its GPU.

    Args:
        codes: the code of each participant.

    Raises:
        InputError: NCCL is not installed.
    """

    def __init__(self, codes: Sequence[Code]) -> None:
        nccl()
        self.codes, self.count, self.device = codes, len(codes), codes[0].gpu.name

    def hold(self, number: int, shards: Sequence[np.ndarray]) -> list[Any]:
        """See `spread.Team`."""
        return [from_numpy(x, code.inputs[number], code.gpu.name) for code, x in zip(self.codes, shards)]

    def run_each(self, inputs: Sequence[Sequence[Any]], outputs: Sequence[Sequence[Any]]) -> None:
        """See `spread.Team`.

        Raises:
            Exception: what one of the participants raised.
        """
        gpus = [code.gpu for code in self.codes]
        with ExitStack() as stack:
            for gpu in sorted(gpus, key=lambda gpu: gpu.name):  # in one order, so that no two calls wait for each other
                stack.enter_context(gpu.lock)
            participants = participants_on(gpus)
            participants.begin()
            errors: list[BaseException] = []

            def run(number: int) -> None:
                code = self.codes[number]
                try:
                    code.gpu.enter()
                    code.join(participants.each[number])
                    on_host = any(isinstance(x, np.ndarray) for x in outputs[number])
                    results = dict(enumerate(outputs[number]))
                    (code.run_arrays if on_host else code.run_buffers)(inputs[number], results)
                    code.gpu.finish()  # so that an error of any participant ends this call
                    if waiting := participants.end(number):
                        other, exchange = waiting
                        raise InputError(
                            f"{describe(code.recipe, exchange)}: participant {other} waits here, but participant"
                            f" {number} has finished"
                        )
                except BaseException as error:
                    errors.append(code.stopped(error) if isinstance(error, Stopped) else error)
                    participants.abort()

            threads = [
                threading.Thread(target=run, args=(n,), name=f"hlo2tiny {gpu.name}", daemon=True)
                for n, gpu in enumerate(gpus)
            ]
            for thread in threads:
                thread.start()
            try:
                for thread in threads:
                    thread.join()
            except BaseException:
                participants.abort()
                for thread in threads:
                    thread.join()
                raise
            finally:
                if participants.aborted:
                    self._forget()
        if errors:
            raise errors[0]

    def _forget(self) -> None:
        """Destroy the graphs, whose participants have been aborted."""
        with suppress(Stopped):  # which is one of the errors already
            for code in self.codes:
                code.forget()

    def serialize(self) -> Serialized | None:
        """See `Executor`."""
        one = self.codes[0].serialize()
        names = [code.gpu.name for code in self.codes]
        return None if one is None else Serialized({**one.facts, "devices": names}, one.parts)
