"""LAPACK's function for tridiagonal systems: kernels in which each system, or each chunk of one, has a thread."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import isqrt

from ...rules.procedure import Array, RoutineCall
from .kernels import MATRICES, TRIDIAGONAL, USUAL_SHARED, WARP
from .matrices import NUMBERS, Room, Work, address, arguments_of, kernel

# A thread takes about 70 ns for each row. Matrices of more rows have many threads, which rotate them, if there are at
# most so many systems, and rows of all of these, as that takes memory and more operations.
MOST_FOR_A_THREAD, MOST_LONG, MOST_ROWS = 1024, 1024, 1 << 24
FILES = MATRICES, TRIDIAGONAL


def together(count: int) -> int:
    """How many of these neighbouring threads have in a block: a warp's, or fewer if the GPU would not be full."""
    return 1 << min(5, max(0, (count - 1).bit_length() - 7))


def rows_in(room: Room, n: int, *columns: int) -> int:
    """How many of n rows the tiles in shared memory have, which takes it; a multiple of 4. They have these columns."""
    size: int = sum(count | 1 for count in columns) * room.dtype.itemsize
    tiles = -(-n // (USUAL_SHARED // size // 4 * 4))
    rows = -(-n // (4 * tiles)) * 4
    room.left -= rows * size
    return rows


def work_of(call: RoutineCall, kept: Collection[int] = (), invariant: bool = False) -> Work:
    """Two kernels, in which a thread has a matrix and a column, respectively, of any length.

    Few long matrices have many threads, in kernels before these, which then solve what may be singular. They have no
    factors, so this is for diagonals whose memories are not `kept`, and unless the work is `invariant`: then how many
    matrices there are does not matter.
    """
    n, columns, below, middle, above, x, leading, info = arguments_of(call)
    kind, threads, few = NUMBERS[x.dtype.name], 4 * WARP, min(columns, WARP)
    count, systems = together(call.items), max(1, together(call.items * columns) // few)
    is_kept = any(a.memory in kept for a in (below, middle, above))
    are_few = call.items * columns <= MOST_LONG and call.items * columns * n <= MOST_ROWS
    chunks = Chunks(call) if n > MOST_FOR_A_THREAD and are_few and not is_kept and not invariant else None
    extra = 2 * call.items * n * x.dtype.itemsize + (chunks.extra if chunks else 0)

    def work(items: int, function: str, sizes: Sequence[int], given: str, parts: int, then: Work | None) -> Work:
        room, item = Room(x.dtype), f"(item * {items} + s)"
        rows = rows_in(room, n, *sizes)
        values = {
            "lower": address(below, item), "middle": address(middle, item), "upper": address(above, item),
            "factors": f"(({kind} *)extra + {item} * {2 * n}ll)", "infos": address(info, item),
            "solved": f"{chunks.solved}[{item}] != 0" if chunks else "false", "given": address(x, item),
        }  # fmt: skip
        lines = [f"const auto {name} = [=](int s) {{ return {value}; }};" for name, value in values.items()]
        lines += [
            f"const long long left = {call.items} - item * {items};",
            f"const int count = left < {items} ? left : {items}, begin = blockIdx.x % {parts} * {few};",
            f"const int used = count * ({columns} - begin < {few} ? {columns} - begin : {few});",
            f"const auto x = [=](int j) {{ return given(j / {few}) + (begin + j % {few}) * {leading}ll; }};",
            f"matrices::{function.format(f'{threads}, {n}, {rows}, {items}')}(({kind} *)shared, count, lower, middle,"
            f" upper, factors, infos, solved{given});",
        ]
        made = kernel(call, threads, room, [below, middle, above, x, info], lines, extra, parts)
        return replace(made, together=items, files=FILES, then=then)

    solve = work(
        systems, f"gttrs<{{}}, {few}>", [*[systems] * 3, systems * few], ", used, x", -(-columns // few), None
    )  # fmt: skip
    both = work(count, "gttrf<{}>", [count] * 5, "", 1, solve)
    return chunks.work(extra, both) if chunks else both


class Chunks:
    """Long tridiagonal systems, whose chunks of rows have a thread each, and the memory that these need."""

    def __init__(self, call: RoutineCall) -> None:
        n, columns, _, _, _, x, *_ = arguments_of(call)
        self.call, self.n, self.columns = call, n, columns
        # The time of a chunk's thread, and of the warp that joins chunks, which takes twice as long for each.
        self.rows = max(8, isqrt(n) // 4)
        self.count = -(-n // self.rows)
        sizes = 6 * (self.rows - 1) * self.count, 10 * self.count, 14 * self.count, 24 * WARP, 2 * self.count + 2
        self.places = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
        factors, kind, systems = 2 * call.items * n, NUMBERS[x.dtype.name], call.items * columns
        numbers = systems * self.places[-1]
        self.extra = numbers * x.dtype.itemsize + 4 * (call.items + systems * self.count)
        self.own = f"(({kind} *)extra + {factors}ll + system * {self.places[-1]}ll)"
        self.solved = f"((int *)(({kind} *)extra + {factors + numbers}ll))"
        self.safe = f"({self.solved} + {call.items} + system * {self.count}ll)"

    def work(self, extra: int, then: Work) -> Work:
        _, _, below, middle, above, x, leading, info = arguments_of(self.call)
        names = "kept", "links", "joins", "tops", "bounds"

        def part(threads: int, arrays: Sequence[Array], body: Sequence[str], then: Work) -> Work:
            blocks = -(-self.count // threads) if threads > WARP else 1
            lines = [
                f"const int column = blockIdx.x % {self.columns * blocks} / {blocks};",
                f"const int chunk = blockIdx.x % {blocks} * {threads} + threadIdx.x;",
                f"const int begin = chunk * {self.rows}, after = begin + {self.rows};",
                f"const int end = after < {self.n} ? after : {self.n};",
                f"const long long system = item * {self.columns} + column;",
                *(f"auto *const {name} = {self.own} + {place};" for name, place in zip(names, self.places)),
                f"int *const safe = {self.safe};",
                f"int *const solved = {self.solved} + item;",
                *body,
            ]
            made = kernel(self.call, threads, Room(x.dtype), arrays, lines, extra, self.columns * blocks)
            return replace(made, files=FILES, then=then)

        column, many = f"{address(x)} + column * {leading}ll", 2 * WARP
        extend = [
            f"if (chunk >= {self.count} || !*solved) return;",
            f"if (!chunk && !column) *{address(info)} = 0;",
            f"matrices::extend(kept + chunk, {self.count}, bounds + 2 * chunk, begin, end, {column});",
        ]
        join = [
            f"const bool all = matrices::join_all<{self.count}>(links, joins, tops, bounds, safe);",
            "if (!chunk && !column) *solved = all;",
        ]
        given = ", ".join(map(address, (below, middle, above)))
        shorten = [
            f"if (chunk >= {self.count}) return;",
            f"safe[chunk] = matrices::shorten<{self.n}>({given}, {column}, begin, end, links + 10 * chunk,"
            f" kept + chunk, {self.count});",
        ]
        last = part(many, [x, info], extend, then)
        return part(many, [below, middle, above, x], shorten, part(WARP, [x], join, last))
