"""Programs whose loops, branches and functions share memory in every way that the language allows, drawn at random.

A program walks over a few arrays: it updates rows of them in place, reads them before and after, passes them from one
iteration to the next, swaps and doubles them, scans over their rows, and returns them, all of it nested. Integers wrap,
and floats are halved and added, so that XLA's results are exact or nearly so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

# Draws one of so many.
Draw = Callable[[int], int]
State = dict[str, jax.Array]
Statement = Callable[[State, jax.Array], State]

DTYPES = ("float32", "int32", "bfloat16", "int8", "uint16")
SHAPES = ((5, 4), (3, 2, 3), (4, 300), (6, 1), (2, 40, 33))
COUNTS = (0, 1, 2, 3, 4, 5, 7, 8)
# More iterations than are unrolled.
MANY = (300, 1501)


@dataclass(frozen=True)
class Drawn:
    """A program as a function of arrays; `donated` are numbers of arguments."""

    function: Callable[..., Any]
    calls: tuple[tuple[np.ndarray, ...], ...]
    donated: tuple[int, ...]
    lines: tuple[str, ...]

    def text(self) -> str:
        exported = jax.export.export(jax.jit(self.function, donate_argnums=self.donated, keep_unused=True))
        return str(exported(*self.calls[0]).mlir_module())

    def results(self) -> list[list[np.ndarray]]:
        return [[np.asarray(x) for x in jax.tree.leaves(jax.jit(self.function)(*arrays))] for arrays in self.calls]


def draw_program(draw: Draw, many: bool = False) -> Drawn:
    """A program; with `many`, some of its loops have more iterations than targets unroll."""
    return Writer(draw, many).program()


class Writer:
    """Writes a program as Python functions of a state, which maps names to arrays."""

    def __init__(self, draw: Draw, many: bool) -> None:
        self.draw, self.lines = draw, list[str]()
        self.many = draw(2) if many else None  # how deep the long loops are
        self.dtype, self.shape = DTYPES[draw(len(DTYPES))], SHAPES[draw(len(SHAPES))]
        self.names = ["a", "b", "c"][: 2 + draw(2)]

    def one(self, of: Sequence[Any]) -> Any:
        return of[self.draw(len(of))]

    def program(self) -> Drawn:
        random = np.random.default_rng(self.draw(1000))
        names, shape = self.names, self.shape
        calls = [
            (*(random.integers(-9, 9, shape).astype(self.dtype) for _ in names), np.int32(self.draw(9))) for _ in "12"
        ]
        fresh = [name for name in names if not self.draw(3)]  # computed, and not arguments themselves
        body = self.block(0, 2 + self.draw(3))
        donated = tuple(i for i in range(len(names)) if not self.draw(3))
        returned = [self.one(names) for _ in names] if not self.draw(3) else names

        def function(*arguments: jax.Array) -> Any:
            state = dict(zip(names, arguments))
            state |= {name: step(state[name]) for name in fresh}
            state["n"] = n = arguments[-1]
            after = body(state, n % 3)
            return [after[name] for name in returned]

        return Drawn(function, tuple(calls), donated, tuple(self.lines))

    # ---------------------------------------------------------------- statements

    def block(self, depth: int, count: int) -> Statement:
        """Several statements, one after the other."""
        parts = [self.statement(depth) for _ in range(count)]

        def run(state: State, i: jax.Array) -> State:
            for part in parts:
                state = part(dict(state), i)
            return state

        return run

    def statement(self, depth: int) -> Statement:
        flat = [
            self.update,
            self.update,
            self.reads_and_updates,
            self.scatter,
            self.elementwise,
            self.swap,
            self.double,
        ]
        deep = [self.repeat, self.repeat, self.scan, self.scan, self.search, self.branch, self.switch, self.call]
        kind = self.one(flat if depth >= 3 else deep if depth == 0 else flat + deep)
        self.lines.append("  " * depth + kind.__name__)
        return kind(depth)

    def row(self) -> Callable[[State, jax.Array], jax.Array]:
        """A row's number: of the iteration, from its end, constant, of a ring, or out of range."""
        size, constant, kind = self.shape[0], self.draw(self.shape[0]), self.draw(6)
        ways: list[Callable[[State, jax.Array], jax.Array]] = [
            lambda state, i: i,
            lambda state, i: size - 1 - i,
            lambda state, i: jnp.int32(constant),
            lambda state, i: (i + constant) % size,
            lambda state, i: state["n"] + i,
            lambda state, i: i - constant,
        ]
        return ways[kind]

    def value(self) -> Callable[[State, jax.Array], jax.Array]:
        """A row made of one or two arrays."""
        first, second, at, other = self.one(self.names), self.one(self.names), self.row(), self.row()
        kind = self.draw(3)

        def make(state: State, i: jax.Array) -> jax.Array:
            row = take(state[first], at(state, i))
            if kind == 0:
                return step(row)
            if kind == 1:
                return mix(row, take(state[second], other(state, i)))
            return mix(row, state[second].sum(0, dtype=row.dtype) if second != first else -row)

        return make

    def update(self, depth: int) -> Statement:
        name, at, value = self.one(self.names), self.row(), self.value()
        return lambda state, i: state | {name: put(state[name], value(state, i), at(state, i))}

    def reads_and_updates(self, depth: int) -> Statement:
        """An update, what was there before, and what is there after."""
        name, other, at, where, value = self.one(self.names), self.one(self.names), self.row(), self.row(), self.value()

        def run(state: State, i: jax.Array) -> State:
            old = state[name]
            new = put(old, value(state, i), at(state, i))
            both = mix(take(new, where(state, i)), take(old, at(state, i)))
            state[name] = new
            return state | {other: put(state[other], both, where(state, i))}

        return run

    def scatter(self, depth: int) -> Statement:
        name, at, value, adds = self.one(self.names), self.row(), self.value(), self.draw(2)

        def run(state: State, i: jax.Array) -> State:
            rows = jnp.stack([at(state, i), i + 1, jnp.int32(99), at(state, i)])
            place, row = state[name].at[rows], value(state, i)
            return state | {name: place.add(row) if adds else place.max(row)}

        return run

    def elementwise(self, depth: int) -> Statement:
        name, first, second = self.one(self.names), self.one(self.names), self.one(self.names)
        return lambda state, i: state | {name: mix(state[first], state[second])}

    def swap(self, depth: int) -> Statement:
        a, b = self.one(self.names), self.one(self.names)
        return lambda state, i: state | {a: state[b], b: state[a]}

    def double(self, depth: int) -> Statement:
        a, b = self.one(self.names), self.one(self.names)
        return lambda state, i: state | {a: state[b]}

    def repeat(self, depth: int) -> Statement:
        """A loop of a known number of iterations, or of one that the program is given."""
        count, body = self.count(depth), self.block(depth + 1, 1 + self.draw(3))
        known, carries = self.draw(4), self.carries()

        def run(state: State, i: jax.Array) -> State:
            def iteration(k: jax.Array, carried: State) -> State:
                after = body(state | carried, k)
                return {each: after[each] for each in carries}

            end = count if known else state["n"] + i % 2
            return state | lax.fori_loop(0, end, iteration, {each: state[each] for each in carries})

        return run

    def search(self, depth: int) -> Statement:
        """A loop that goes on until something in the arrays is found."""
        name, body, most = self.one(self.names), self.block(depth + 1, 1 + self.draw(2)), 2 + self.draw(7)
        carries = self.carries()

        def run(state: State, i: jax.Array) -> State:
            def goes_on(carried: tuple[jax.Array, State]) -> jax.Array:
                k, held = carried
                return (k < most) & (held.get(name, state[name]).reshape(-1)[0] != 5)

            def iteration(carried: tuple[jax.Array, State]) -> tuple[jax.Array, State]:
                k, held = carried
                after = body(state | held, k)
                return k + 1, {each: after[each] for each in carries}

            return state | lax.while_loop(goes_on, iteration, (i * 0, {each: state[each] for each in carries}))[1]

        return run

    def scan(self, depth: int) -> Statement:
        """A scan whose rows come from arrays (xs), go to some (ys), or both; rows can be updated on the way."""
        source, target, at, carries = self.one(self.names), self.one(self.names), self.draw(3), self.carries()
        body, backwards, changes = self.block(depth + 1, 1 + self.draw(2)), bool(self.draw(2)), self.draw(4)
        length, another, second = self.count(depth), self.one(self.names), self.draw(3)

        def run(state: State, i: jax.Array) -> State:
            def stack(name: str) -> jax.Array:
                return jnp.concatenate([state[name]] * -(-max(1, length) // self.shape[0]))[:length]

            def iteration(carried: tuple[jax.Array, State], rows: tuple[jax.Array, ...]) -> Any:
                (k, held), row = carried, rows[0]
                after = body(state | held, k)
                seen = mix(row, take(after[target], k % self.shape[0]))
                if changes:  # part of the row, as a cache of keys and values
                    new = lax.dynamic_update_slice_in_dim(row, seen[:1] if changes > 1 else seen, at, 0)
                    if changes == 3:
                        after = after | {target: put(after[target], mix(new, row), k)}
                else:
                    new = seen
                others = [other if second > 1 else mix(other, new) for other in rows[1:]]
                return (k + 1, {each: after[each] for each in carries}), (new, *others)

            first = (i * 0, {each: state[each] for each in carries})
            stacks = (stack(source), stack(another)) if second else (stack(source),)
            (_, held), found = lax.scan(iteration, first, stacks, reverse=backwards)
            state = state | held
            for name, rows in zip((target, another), found):
                state = state | {name: jnp.concatenate([rows, state[name]])[: self.shape[0]]}
            return state

        return run

    def branch(self, depth: int) -> Statement:
        first, second = self.block(depth + 1, 1 + self.draw(2)), self.block(depth + 1, self.draw(2))
        name, by_value = self.one(self.names), self.draw(2)

        def run(state: State, i: jax.Array) -> State:
            chosen = state[name].reshape(-1)[0] > 2 if by_value else i % 2 == 0
            return lax.cond(chosen, lambda s: first(s, i), lambda s: second(s, i), state)

        return run

    def switch(self, depth: int) -> Statement:
        parts = [self.block(depth + 1, self.draw(3)) for _ in range(3)]

        def run(state: State, i: jax.Array) -> State:
            return lax.switch(i % 4, [lambda s, part=part: part(s, i) for part in parts], state)

        return run

    def call(self, depth: int) -> Statement:
        """A function that is called twice."""
        body, again = self.block(depth + 1, 1 + self.draw(2)), self.draw(2)

        def run(state: State, i: jax.Array) -> State:
            inner = jax.jit(body)
            after = inner(state, i)
            return inner(after, i + 1) if again else after

        return run

    def count(self, depth: int) -> int:
        """An inner loop is long in a few iterations of the outer one."""
        return int(self.one(MANY[: 2 - depth]) if self.many == depth else self.one(COUNTS[: 8 - 2 * depth]))

    def carries(self) -> list[str]:
        """What a loop carries on; it only reads the others."""
        chosen = [name for name in self.names if self.draw(4)]
        return chosen or self.names[:1]


def take(array: jax.Array, row: jax.Array) -> jax.Array:
    return lax.dynamic_index_in_dim(array, row, 0, keepdims=False)


def put(array: jax.Array, row: jax.Array, at: jax.Array) -> jax.Array:
    return lax.dynamic_update_index_in_dim(array, row, at, 0)


def step(x: jax.Array) -> jax.Array:
    return x // 2 + 3 if jnp.issubdtype(x.dtype, jnp.integer) else x * jnp.asarray(0.5, x.dtype) + 3


def mix(x: jax.Array, y: jax.Array) -> jax.Array:
    if jnp.issubdtype(x.dtype, jnp.integer):
        return x * 3 - y
    return x * jnp.asarray(0.5, x.dtype) - y * jnp.asarray(0.25, x.dtype)


# How far results may be from XLA's, which keeps some sums in another order, and has another tanh with AVX-512.
TOLERANCE = {"float32": 3e-5, "bfloat16": 3e-2}


def expect_equal(found: Sequence[np.ndarray], expected: Sequence[np.ndarray], about: object = "") -> None:
    for number, (f, e) in enumerate(zip(found, expected, strict=True)):
        assert (f.dtype, f.shape) == (e.dtype, e.shape)
        within = TOLERANCE.get(str(e.dtype), 0)
        wide = (x.astype(np.float64) for x in (f, e))
        np.testing.assert_allclose(*wide, rtol=within, atol=within, err_msg=f"result {number} {about}")
