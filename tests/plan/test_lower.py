"""Lowering, apart from targets: what commands say of memory, and what they compute in numpy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jax
import numpy as np
import pytest
from everywhere import Case, planned
from interpreter import Interpreter

from corpus import BY_NAME, ENTRIES, Entry
from hlo2tiny.plan.commands import Command, CommandList, Copy, Loop, inner_lists
from hlo2tiny.plan.lower import PlanLowering

jnp, lax = jax.numpy, jax.lax
QUICK = ("cond", "lstm", "switch", "while_loop")


def walk(commands: CommandList) -> Iterator[Command]:
    for command in commands.commands:
        yield command
        for inner in inner_lists(command):
            yield from walk(inner)


def corpus() -> list[object]:
    marks = {"kv_cache_decode": pytest.mark.ci, **dict.fromkeys(QUICK, ())}
    return [pytest.param(e, id=e.name, marks=marks.get(e.name, pytest.mark.night)) for e in ENTRIES]


@pytest.mark.parametrize("entry", corpus())
def test_commands_compute_the_results(entry: Entry) -> None:
    arrays = entry.inputs()
    interpreter = Interpreter(planned(Case(entry.name, entry.path, [arrays]), "CPU"))
    for _ in range(2):
        entry.check(tuple(interpreter.run(arrays)))


def lowered(function: object, *arrays: np.ndarray, donate: tuple[int, ...] = ()) -> Interpreter:
    text = str(jax.export.export(jax.jit(function, donate_argnums=donate))(*arrays).mlir_module())  # type: ignore[arg-type]
    return Interpreter(planned(Case("", text, [arrays]), "CPU"))


CACHES, ROWS = np.zeros((4, 6, 8), np.float32), np.ones((4, 8), np.float32)


def update(caches, rows):
    return lax.scan(lambda c, x: (c + 1, lax.dynamic_update_slice(x[0], x[1][None], (c, 0))), 0, (caches, rows))[1]


def test_scanned_caches_are_copied_once_or_not_at_all_if_they_are_donated() -> None:
    for donate, expected in ((), 1), ((0,), 0):
        copies = [c for c in walk(lowered(update, CACHES, ROWS, donate=donate).commands) if isinstance(c, Copy)]
        assert sum(c.size == CACHES.nbytes for c in copies) == expected


def test_a_carry_that_changes_has_two_places() -> None:
    commands = lowered(lambda x: lax.fori_loop(0, 3, lambda i, c: (c[1], c[0] + i), (x, x * 2)), ROWS).commands
    (loop,) = (command for command in walk(commands) if isinstance(command, Loop))
    changing = [carry for carry in loop.carries if carry.size == ROWS.nbytes]
    assert len({place for carry in changing for place in (carry.first, carry.second)}) == 4
    assert [carry.settled for carry in changing] == [True, True]  # they are results


def test_a_list_is_lowered_once_for_all_of_its_sites() -> None:
    def function(x):
        call = jax.jit(lambda y: jnp.sort(y, axis=-1) @ jnp.ones((8, 8)))
        return call(x), call(x + 1), call(x + 2)

    interpreter = lowered(function, ROWS)
    called = [inner for command in interpreter.commands.commands for inner in inner_lists(command)]
    assert len({*called}) <= 1
    again = PlanLowering(interpreter.plan, interpreter).lower()
    assert [type(command) for command in again.commands] == [type(c) for c in interpreter.commands.commands]


def test_frames_lie_inside_the_arena_and_inner_ones_behind_outer_ones() -> None:
    def check(commands: CommandList) -> None:
        inner = [each for command in commands.commands for each in inner_lists(command)]
        assert commands.total == commands.size + max((each.total for each in inner), default=0)
        for offset in commands.frame.offsets.values():
            assert offset < commands.size
        for each in inner:
            check(each)

    entry = BY_NAME["gpt_decoder_scan"]
    check(Interpreter(planned(Case("", Path(entry.path), [entry.inputs()]), "CPU")).commands)
