"""Which parts of a program count only where a select chooses them.

Where it does not, the cotangent of what it discards is 0, but slopes there may be infinite, as those of 1/x² in the
branch of `erfc` for large numbers, and 0 · ∞ would be NaN. So what such a branch adds to the cotangent of a value from
outside is selected by the same condition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from ..ir import Op, Value
from ..ir.dtypes import as_tensor, static_shape
from ..ops import Trait, has
from ..records import dataclass

# The ops whose contributions to cotangents are 0 where the result's cotangent is: whatever their operands are, or if
# one is a finite constant. CHOICES take one of two operands, by a condition before them.
LINEAR: set[str] = set()
BILINEAR: set[str] = set()
CHOICES: set[str] = set()


@dataclass(frozen=True)
class Guard:
    """A select's condition, and whether it is true where the branch is chosen."""

    condition: Value
    chosen: bool


Path = tuple[Guard, ...]  # from outer selects to inner ones


@dataclass(frozen=True)
class Flow:
    """How a cotangent reaches a value: through which branches, and whether slopes in the innermost may be infinite."""

    path: Path = ()
    steep: bool = False


def find_guards(
    ops: Sequence[Op], results: Iterable[Value], active: Callable[[Value], bool], is_finite: Callable[[Value], bool]
) -> dict[tuple[Op, int], Path]:
    """For operands of ops the branches that end there, and whose conditions therefore select what the op contributes.

    Args:
        ops: those of the forward pass.
        results: the values that have cotangents.
        active: whether a value's cotangent is wanted.
        is_finite: whether a value is a constant that is finite.
    """
    flows: dict[Value, list[Flow]] = defaultdict(list, {value: [Flow()] for value in results})
    ways: list[tuple[Op, int, Flow]] = []
    for op in reversed(ops):
        found = [flow for value in op.results for flow in flows[value]]
        if not found:
            continue
        here = join(found) if has(op, Trait.ELEMENTWISE) else Flow()
        is_linear = op.name in LINEAR or (op.name in BILINEAR and any(map(is_finite, op.operands)))
        steep = here.steep or not is_linear
        for number, value in enumerate(op.operands):
            if active(value):
                flow = Flow(here.path, steep and bool(here.path))
                if op.name in CHOICES and number and shape_of(op.operands[0]) == shape_of(value):
                    flow = Flow((*here.path, Guard(op.operands[0], number == 1)))
                flows[value].append(flow)
                ways.append((op, number, flow))
    ends = {op.results[0]: join(flows[op.results[0]]).path for op in ops if has(op, Trait.ELEMENTWISE)}
    guards = {}
    for op, number, flow in ways:
        kept = ends.get(op.operands[number], ())
        if flow.steep and (ended := flow.path[len(common([flow.path, kept])) :]):
            guards[op, number] = ended
    return guards


def join(flows: Sequence[Flow]) -> Flow:
    return Flow(common([flow.path for flow in flows]), any(flow.steep for flow in flows))


def common(paths: Sequence[Path]) -> Path:
    """What paths begin with together."""
    shortest = min(paths, key=len, default=())
    return next((shortest[:n] for n in range(len(shortest), 0, -1) if all(p[:n] == shortest[:n] for p in paths)), ())


def shape_of(value: Value) -> tuple[int, ...]:
    return static_shape(as_tensor(value.type))
